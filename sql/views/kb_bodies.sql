-- description: The texts of what the knowledge base shows, as they were ingested, read from the Parquet files that lie
--   beside the warehouse.
-- needs: kb_documents
-- columns:
--   document_id: The document.
--   batch_id: The batch.
--   report_id: The report.
--   body: The text that was ingested.
--   body_file: Its file, relative to the home.
-- unique: document_id
-- not_null: document_id, batch_id, report_id, body
CREATE OR REPLACE VIEW kb_bodies AS
SELECT k.document_id, k.batch_id, k.report_id, p.body, k.body_file
FROM kb_documents k
JOIN read_parquet({bodies_glob}, filename = true) p
    ON p.report_id = k.report_id AND p.stage = 'rebuilt'
    AND regexp_extract(p.filename, 'bodies/[^/]+/[^/]+$') = k.body_file;
