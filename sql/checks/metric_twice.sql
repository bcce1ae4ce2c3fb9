-- description: A report has one row at most per stage, metric and version.
SELECT batch_id, report_id, stage, metric, metric_version, count(*) AS n
FROM report_metrics GROUP BY ALL HAVING count(*) > 1
