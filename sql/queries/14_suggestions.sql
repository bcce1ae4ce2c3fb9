-- description: Which citations resolve to nothing but have a candidate that a person could confirm?
SELECT r.batch_id, r.report_id, r.key, r.state, r.tier, r.score, r.candidates[1] AS best_candidate, s.title
FROM resolutions r
JOIN batches b USING (batch_id)
LEFT JOIN sources s ON s.snapshot_id = b.snapshot_id AND s.source_id = r.candidates[1]
WHERE r.stage = 'shadow' AND r.subject = 'citation' AND r.state IN ('suggested', 'ambiguous')
ORDER BY r.score DESC NULLS LAST, r.batch_id, r.report_id, r.ordinal
