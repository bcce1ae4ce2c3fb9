-- description: Selects the statistics over the measured values of a batch and of its window, by the formulas of
--   batch_metrics.
-- params: batch_id, metric, metric_version, stage, window
WITH together AS (
    SELECT value, batch_id, report_id
    FROM report_metrics
    WHERE batch_id = $batch_id AND metric = $metric AND metric_version = $metric_version AND stage = $stage
        AND validity = 'measured'
    UNION ALL
    SELECT unnest($window::DOUBLE[]), NULL, NULL
)
SELECT
    quantile_cont(value, 0.1) AS p10,
    quantile_cont(value, 0.5) AS p50,
    fsum(value ORDER BY value) / count(*) AS mean,
    min(value) AS min,
    max(value) AS max,
    fsum(value ORDER BY value) AS sum
FROM together
