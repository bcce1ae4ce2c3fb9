-- description: What did the rebuild of the reference tables change, batch by batch?
SELECT
    batch_id, count(*) AS reports,
    quantile_cont(inbound_rate_shadow, 0.1) AS inbound_p10_before,
    quantile_cont(inbound_rate_rebuilt, 0.1) AS inbound_p10_after,
    sum(dirty_entries_shadow)::BIGINT AS dirty_before,
    sum(dirty_entries_rebuilt)::BIGINT AS dirty_after
FROM report_scorecard
GROUP BY batch_id
ORDER BY batch_id
