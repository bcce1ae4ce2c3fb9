-- description: Which works of the catalogue are cited by the most reports?
SELECT s.source_id, s.title, count(DISTINCT (r.batch_id, r.report_id)) AS reports
FROM resolutions r
JOIN batches b USING (batch_id)
JOIN sources s ON s.snapshot_id = b.snapshot_id AND s.source_id = r.source_id
WHERE r.stage = 'shadow' AND r.subject = 'citation' AND r.state = 'resolved'
GROUP BY s.source_id, s.title
ORDER BY reports DESC, s.source_id
LIMIT 20
