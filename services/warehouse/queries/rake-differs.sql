-- What:       every hand whose rake isn't what its own schedule and pots make by plain arithmetic: there must be none.
-- Parameters: none.
-- Columns:    pots, main pot first; pot, all together; rake, what was taken; due, what the schedule makes of the pot:
--             whole increments only, by the small-pot line under its bound, up to the cap; 0 where none is due.
SELECT hand, game, rulebook, currency, pots, pot, rake, due
FROM (
    SELECT *,
        CASE
            WHEN NOT rake_due THEN 0
            WHEN pot < rake_small_under THEN least(pot // rake_small_per * rake_small_each, rake_cap)
            ELSE least(pot // rake_per * rake_each, rake_cap)
        END AS due
    FROM hands
)
WHERE rake <> due OR rake <> coalesce(list_sum(rake_by_pot), 0)
ORDER BY shard, last_height, hand
