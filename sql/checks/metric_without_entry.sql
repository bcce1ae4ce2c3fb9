-- description: Every number has an entry in the metric catalogue.
SELECT DISTINCT metric, metric_version, stage FROM report_metrics ANTI JOIN metric_definitions USING (metric, metric_version)
