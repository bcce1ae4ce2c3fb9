-- description: Once a batch has deliveries, each of its reports was delivered, once, and no other.
SELECT batch_id, count(DISTINCT r.report_id) AS n_reports, count(d.report_id) AS n_delivered
FROM reports r FULL JOIN deliveries d USING (batch_id, report_id)
GROUP BY batch_id
HAVING count(d.report_id) > 0
    AND (count(d.report_id) <> count(*) OR count(r.report_id) <> count(*) OR count(DISTINCT report_id) <> count(*))
