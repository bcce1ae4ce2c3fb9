-- description: A number must be there if and only if it was measured; it is finite, and a share is its numerator
--   over its denominator.
SELECT batch_id, report_id, stage, metric, metric_version, value, numerator, denominator, validity
FROM report_metrics
WHERE (validity = 'measured') IS DISTINCT FROM (value IS NOT NULL)
    OR NOT isfinite(coalesce(value, 0))
    OR (denominator > 0 AND abs(value - numerator / denominator) > 1e-9)
