-- description: Nothing was ingested that was not decided so: for every document there is, or was, a decision to
--   ingest that very input under that very contract version.
SELECT document_id, batch_id, report_id, input_fingerprint, contract_version
FROM kb_entries k
WHERE NOT EXISTS (
    SELECT 1 FROM ingestion_decisions d
    WHERE d.batch_id = k.batch_id AND d.report_id = k.report_id AND d.decision = 'ingest'
        AND d.input_fingerprint = k.input_fingerprint AND d.contract_version = k.contract_version
)
