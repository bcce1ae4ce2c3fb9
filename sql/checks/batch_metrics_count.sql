-- description: Each statistic of a batch accounts for every report of it: measured, absent and unknown ones add up.
SELECT m.batch_id, m.stage, m.metric, m.metric_version, m.statistic, m.n, m.n_absent, m.n_unknown, r.n_reports
FROM batch_metrics m
JOIN (SELECT batch_id, count(*) AS n_reports FROM reports GROUP BY batch_id) r USING (batch_id)
WHERE m.n + m.n_absent + m.n_unknown <> r.n_reports
    OR (m.n = 0 AND m.value IS NOT NULL)
    OR (m.n > 0 AND m.value IS NULL AND m.metric <> 'method_honesty')
