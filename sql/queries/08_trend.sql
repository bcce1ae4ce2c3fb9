-- description: How does the inbound rate move from batch to batch, against its threshold?
SELECT batch_id, created_at, statistic, value, threshold, verdict, n, n_absent, n_unknown
FROM batch_trend
WHERE metric = 'inbound_rate' AND metric_version = 'v3' AND stage = 'rebuilt' AND statistic IN ('p10', 'p50')
ORDER BY created_at, batch_id, statistic
