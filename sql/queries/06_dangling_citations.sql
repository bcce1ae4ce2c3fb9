-- description: Which citations point nowhere even after the rebuild, and where do they stand?
SELECT c.batch_id, c.report_id, c.key, c.style, c.occurrences, c.first_offset
FROM cited_keys c
WHERE c.stage = 'rebuilt' AND c.entry_ordinal IS NULL AND NOT c.self_contained
ORDER BY c.batch_id, c.report_id, c.ordinal
