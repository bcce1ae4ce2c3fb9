-- description: Which rules hold the most reports?
SELECT rule, count(*) AS reports, count(DISTINCT batch_id) AS batches
FROM (SELECT batch_id, report_id, unnest(rules) AS rule FROM held_reports)
GROUP BY rule
ORDER BY reports DESC, rule
