-- description: The text of every readable report, of every rebuild and of every document of the knowledge base
--   is there.
SELECT batch_id, report_id, 'shadow' AS stage, body_file FROM reports
ANTI JOIN (SELECT batch_id, report_id FROM report_bodies WHERE stage = 'shadow') USING (batch_id, report_id)
WHERE status = 'read'
UNION ALL
SELECT batch_id, report_id, 'rebuilt', body_file FROM rebuilds
ANTI JOIN (SELECT batch_id, report_id FROM report_bodies WHERE stage = 'rebuilt') USING (batch_id, report_id)
UNION ALL
SELECT batch_id, report_id, 'knowledge base', body_file FROM kb_documents ANTI JOIN kb_bodies USING (document_id)
