-- description: What could not be measured, and why? Unknown is not a pass.
SELECT metric, metric_version, stage, detail, count(*) AS reports
FROM report_metrics
WHERE validity = 'unknown'
GROUP BY ALL
ORDER BY reports DESC, metric, metric_version, stage, detail
