-- What:       every hand whose pots, all together and before rake, were more than an amount; the largest first.
-- Parameters: $hundredths, the amount in hundredths of a currency's unit (EUR 12.50: 1250; PLAY 12: 1200);
--             $currency, the one asked for, NULL for all.
-- Columns:    pot, all pots together; largest_pot, the largest of main and side pots; winners, who was awarded any.
SELECT hand, game, structure, currency, pot, largest_pot, rake, dealt_in, winners, finished_at
FROM hands
WHERE pot::HUGEINT * 100 > $hundredths::HUGEINT * (10 ** scale)::HUGEINT
  AND currency = coalesce($currency, currency)
ORDER BY currency, pot DESC, finished_at, hand
