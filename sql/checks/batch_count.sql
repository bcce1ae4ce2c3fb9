-- description: A batch has as many reports, and unreadable ones, as its row says.
SELECT b.batch_id, b.n_reports, b.n_unreadable, count(r.report_id) AS found,
    count(r.report_id) FILTER (r.status = 'unreadable') AS found_unreadable
FROM batches b LEFT JOIN reports r USING (batch_id)
GROUP BY ALL
HAVING b.n_reports <> count(r.report_id)
    OR b.n_unreadable <> count(r.report_id) FILTER (r.status = 'unreadable')
