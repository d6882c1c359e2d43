-- What:       every opening of cards that were dealt face down to staff. Why, which is sealed: `handlog openings`.
-- Parameters: none.
-- Columns:    form, faces or keys; seats, whose cards; deck, whether the deck's order was opened too; settled, whether
--             the hand was over; version, at which fact of the hand.
SELECT hand, game, opened_at, asked_by, second, form, seats, deck, settled, version
FROM openings
ORDER BY opened_at, shard, height
