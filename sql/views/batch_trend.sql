-- description: How each statistic of each metric moves from batch to batch, beside the clause that watches it.
--   One row per batch, stage, metric, version and statistic. Compare rows of one version only.
-- needs: latest_results
-- columns:
--   batch_id: The batch.
--   created_at: When the batch was made; order the trend by it.
--   producer: Who wrote the reports.
--   stage: shadow (as written) or rebuilt.
--   metric: The metric.
--   metric_version: Its version; values of two versions do not compare.
--   statistic: p10, p50, mean, min, max or sum over the measured reports.
--   value: The statistic; NULL when no report was measured.
--   n: Reports measured.
--   n_absent: Reports with nothing to measure.
--   n_unknown: Reports that could not be measured.
--   clause: The clause that looks at this statistic, a blocking one before others; NULL when none does.
--   operator: How it compares.
--   threshold: What it asks for.
--   mode: Its mode.
--   verdict: Its verdict on this batch.
-- unique: batch_id, stage, metric, metric_version, statistic
-- not_null: batch_id, stage, metric, metric_version, statistic, n, n_absent, n_unknown
CREATE OR REPLACE VIEW batch_trend AS
SELECT
    m.batch_id, b.created_at, b.producer, m.stage, m.metric, m.metric_version, m.statistic,
    m.value, m.n, m.n_absent, m.n_unknown,
    r.clause, r.operator, r.threshold, r.mode, r.verdict
FROM batch_metrics m
LEFT JOIN batches b USING (batch_id)
LEFT JOIN (
    SELECT * FROM latest_results
    QUALIFY row_number() OVER (
        PARTITION BY batch_id, stage, metric, metric_version, statistic
        ORDER BY CASE mode WHEN 'block' THEN 0 WHEN 'record' THEN 1 ELSE 2 END, clause
    ) = 1
) r
    ON r.batch_id = m.batch_id AND r.stage = m.stage AND r.metric = m.metric
    AND r.metric_version = m.metric_version AND r.statistic = m.statistic;
