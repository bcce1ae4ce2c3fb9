-- description: Selects the statistics of one batch: per stage, metric and version the figures over its measured values.
--   A metric that is measured for no report still has its rows, with value NULL. A report of the batch that
--   has no row for a metric that others have counts as unknown. For method_honesty n counts the reports whose
--   evidence manifest was read, whether or not they claim a method: with n above 0 and no value there are no claims.
-- params: batch_id
WITH reports_of AS (
    SELECT count(*) AS total FROM reports WHERE batch_id = $batch_id
),
grouped AS (
    SELECT
        batch_id, stage, metric, metric_version,
        count(*) FILTER (validity = 'measured') AS measured,
        count(*) FILTER (validity = 'absent' AND metric = 'method_honesty' AND denominator IS NOT NULL) AS unclaimed,
        count(*) FILTER (validity = 'absent') AS absent,
        quantile_cont(value, 0.1) AS p10,
        quantile_cont(value, 0.5) AS p50,
        -- ordered, so that the last bit does not depend on how the rows were scanned
        fsum(value ORDER BY report_id) AS total_value,
        min(value) AS lowest,
        max(value) AS highest
    FROM report_metrics
    WHERE batch_id = $batch_id
    GROUP BY ALL
),
figures AS (
    SELECT *, unnest([
        {statistic: 'p10', value: p10},
        {statistic: 'p50', value: p50},
        {statistic: 'mean', value: CASE WHEN measured > 0 THEN total_value / measured END},
        {statistic: 'min', value: lowest},
        {statistic: 'max', value: highest},
        {statistic: 'sum', value: total_value}
    ], recursive := true)
    FROM grouped
)
SELECT
    batch_id, stage, metric, metric_version, statistic,
    value::DOUBLE AS value,
    (measured + unclaimed)::INTEGER AS n,
    (absent - unclaimed)::INTEGER AS n_absent,
    greatest(0, total - measured - absent)::INTEGER AS n_unknown
FROM figures, reports_of
ORDER BY stage, metric, metric_version, statistic
