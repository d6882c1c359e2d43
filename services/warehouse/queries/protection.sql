-- What:       every use of all-in protection.
-- Parameters: none.
-- Columns:    pot_before, all chips in the middle then; to_call, the chips that he was spared; put_in, what he is all-in
--             for, and aside, the rest of his stack; net, what the hand brought him; uses_24h, his uses in less than the
--             24 hours up to this one, this one among them; answer, what his file, which counts them, had said when his
--             clock ended: granted, or unanswered, which counts as that; over_allowed, whether by his file he had none
--             left: none where it hasn't said so yet.
SELECT d.hand, d.game, h.structure, d.acted_at, d.player, d.seat, d.street, d.pot_before, d.to_call,
       r.put_in - r.returned AS put_in, r.aside, r.net, d.currency,
       count(*) OVER (
           PARTITION BY d.player ORDER BY d.acted_at RANGE BETWEEN INTERVAL 86399999999 MICROSECONDS PRECEDING AND CURRENT ROW
       ) AS uses_24h,
       coalesce(asked.outcome, 'unanswered') AS answer,
       used.outcome = 'over' AS over_allowed
FROM decisions AS d
JOIN hands AS h ON h.hand = d.hand
JOIN results AS r ON r.hand = d.hand AND r.seat = d.seat
LEFT JOIN protection_answers AS asked
    ON asked.hand = d.hand AND asked.player = d.player AND asked.about = 'protection' AND asked.height < d.height
LEFT JOIN protection_answers AS used
    ON used.hand = d.hand AND used.player = d.player AND used.about = 'protection-used'
WHERE d.kind = 'all-in protection'
ORDER BY d.acted_at, d.shard, d.height, d.version
