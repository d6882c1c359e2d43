-- What:       every hand in which one player folded to another: he folded with the other's bet or raise before him.
-- Parameters: $who, the player who folded; $to_whom, the player whose bet or raise it was; by reference.
-- Columns:    pot_before, all chips in the middle before the fold; wager, the live total that he had to match; to_call,
--             the chips that a call would have cost him; cause, where the fold came from (player, timer, ...).
SELECT hand, game, acted_at, street, pot_before, wager, to_call, currency, cause
FROM decisions
WHERE kind = 'fold' AND player = $who AND facing_player = $to_whom
ORDER BY acted_at, shard, height, version
