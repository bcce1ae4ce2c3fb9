-- description: What the knowledge base shows: documents that were ingested and whose latest decision still is
--   ingest for the very input that was ingested. A later hold takes a document out at once. Bodies stand in
--   kb_bodies.
-- needs: latest_decisions, batch_contract
-- columns:
--   document_id: The document.
--   kind: report; a report never counts as a deep source.
--   batch_id: The batch.
--   report_id: The report.
--   title: Its title.
--   language: Its language.
--   body_chars: Length of the stored body in characters.
--   body_file: Parquet file of the stored body, relative to the home.
--   body_sha256: Hash of the stored body.
--   input_fingerprint: The input that was decided about and ingested.
--   contract_version: The contract version under which it was ingested.
--   ingested_at: When, in UTC.
-- unique: document_id
-- not_null: document_id, kind, batch_id, report_id, body_file
CREATE OR REPLACE VIEW kb_documents AS
SELECT
    k.document_id, k.kind, k.batch_id, k.report_id, k.title, k.language, k.body_chars, k.body_file, k.body_sha256,
    k.input_fingerprint, k.contract_version, k.ingested_at
FROM kb_entries k
JOIN latest_decisions d USING (batch_id, report_id)
WHERE d.decision = 'ingest' AND d.input_fingerprint = k.input_fingerprint
    AND NOT EXISTS (SELECT 1 FROM batch_contract c WHERE c.batch_id = k.batch_id AND c.verdict <> 'pass');
