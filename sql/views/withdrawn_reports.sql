-- description: Reports that left their batch after they were decided about: no longer part of its input, not shown by the
--   knowledge base, and marked in the file that was delivered before. One that comes back is no longer in here.
-- needs: latest_decisions
-- columns:
--   batch_id: The batch that it left.
--   report_id: The report.
--   withdrawn_at: When the batch was first judged without it, in UTC.
--   input_fingerprint: What was decided about last.
--   gate_outcome: What the gate said by itself, when the report was still there.
--   contract_version: The contract version that was in force when it left.
-- unique: batch_id, report_id
-- not_null: batch_id, report_id, withdrawn_at
CREATE OR REPLACE VIEW withdrawn_reports AS
SELECT batch_id, report_id, decided_at AS withdrawn_at, input_fingerprint, gate_outcome, contract_version
FROM latest_decisions
ANTI JOIN reports USING (batch_id, report_id)
WHERE list_contains(json_extract_string(reasons, '$[*].rule'), 'left_batch');
