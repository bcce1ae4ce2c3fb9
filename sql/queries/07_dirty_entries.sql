-- description: What kinds of residue stand in the reference entries, with an example of each?
SELECT stage, reason, count(*) AS entries, count(DISTINCT report_id) AS reports, min(text) AS example
FROM (SELECT stage, batch_id, report_id, text, unnest(dirty_reasons) AS reason FROM reference_entries)
GROUP BY stage, reason
ORDER BY stage DESC, entries DESC, reason
