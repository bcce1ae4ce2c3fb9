-- description: 0.32 or 0.45? The median inbound rate of the reports that cite by title, by each version of the metric.
--   All are true, each by its own way of matching titles; compare along a column, never across.
WITH by_title AS (
    SELECT DISTINCT batch_id, report_id FROM cited_keys WHERE stage = 'shadow' AND family = 'title'
)
SELECT
    batch_id, stage,
    quantile_cont(value, 0.5) FILTER (metric_version = 'v1') AS v1_exact,
    quantile_cont(value, 0.5) FILTER (metric_version = 'v2') AS v2_containment,
    quantile_cont(value, 0.5) FILTER (metric_version = 'v3') AS v3_safe_tiers,
    count(value) FILTER (metric_version = 'v3') AS reports
FROM report_metrics
JOIN by_title USING (batch_id, report_id)
WHERE metric = 'inbound_rate'
GROUP BY batch_id, stage
ORDER BY batch_id, stage DESC
