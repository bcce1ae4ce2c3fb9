-- description: No decision to ingest stands where the contract's verdict that it was made under is not a pass, or
--   with a reason against it.
SELECT decision_id, batch_id, report_id, decision, contract_verdict, reasons
FROM ingestion_decisions
WHERE (decision = 'ingest' AND (contract_verdict <> 'pass' OR json_array_length(reasons) > 0))
    OR (decision = 'hold' AND json_array_length(reasons) = 0)
