-- description: What did the rebuild of the reference tables change, batch by batch? One version of the metric only.
SELECT
    batch_id, n_reports AS reports,
    inbound_p50_v3_before AS inbound_p50_before, inbound_p50_v3_after AS inbound_p50_after,
    inbound_p10_v3_before AS inbound_p10_before, inbound_p10_v3_after AS inbound_p10_after,
    reports_rebuilt, reports_merged, reports_left,
    dirty_before || ' of ' || entries_before AS dirty_before, dirty_after || ' of ' || entries_after AS dirty_after
FROM batch_before_after
ORDER BY created_at, batch_id
