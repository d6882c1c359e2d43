-- What:       the hands that a player was dealt in to, that are over, and what they came to for him.
-- Parameters: $player, by reference.
-- Columns:    those of results.
SELECT hand, game, seat, currency, put_in, returned, won, net, rake_part, folded, shown, mucked, protected, finished_at
FROM results
WHERE player = $player
ORDER BY finished_at, hand
