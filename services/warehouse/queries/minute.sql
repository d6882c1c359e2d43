-- What:       every hand that was under way in a span of time, such as a disputed minute.
-- Parameters: $begin, its first moment; $end, the first moment after it.
-- Columns:    decisions, how many of the hand's were recorded within the span, posts among them; acted, who made them;
--             players, who was dealt in.
SELECT h.hand, h.game, h.started_at, h.finished_at, h.players, coalesce(d.decisions, 0) AS decisions,
       coalesce(d.acted, []) AS acted, h.cancelled
FROM hands AS h
LEFT JOIN (
    SELECT hand, count(*) AS decisions, list_sort(list(DISTINCT player)) AS acted
    FROM decisions
    WHERE acted_at >= $begin AND acted_at < $end
    GROUP BY hand
) AS d ON d.hand = h.hand
WHERE h.started_at < $end AND h.finished_at >= $begin
ORDER BY h.started_at, h.shard, h.first_height
