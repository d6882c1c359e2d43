-- What:       every hand that was cancelled because its shard had no working owner for too long.
-- Parameters: none.
-- Columns:    seconds_without_owner, rounded up; returned, all chips that were put in and went back, a bet that nobody
--             had matched before that among them; players, who was dealt in.
SELECT h.hand, h.game, h.started_at, h.finished_at, (h.without_owner + 999999) // 1000000 AS seconds_without_owner,
       r.returned, h.currency, h.players
FROM hands AS h
JOIN (SELECT hand, sum(returned)::BIGINT AS returned FROM results GROUP BY hand) AS r ON r.hand = h.hand
WHERE h.cancelled
ORDER BY h.finished_at, h.shard, h.last_height
