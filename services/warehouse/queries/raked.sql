-- What:       every hand that paid rake or should have, with all that its rake is computed from.
-- Parameters: none.
-- Columns:    those of hands.
SELECT hand, game, rulebook, currency, pots, pot, rake, rake_by_pot, rake_due, rake_per, rake_each, rake_cap,
       rake_small_under, rake_small_per, rake_small_each
FROM hands
WHERE rake <> 0 OR rake_due OR len(rake_by_pot) > 0
ORDER BY shard, last_height, hand
