-- description: The latest decision of every report that was ever decided about; earlier ones stay in
--   ingestion_decisions.
-- columns:
--   decision_id: The number of the decision.
--   batch_id: The batch.
--   report_id: The report.
--   input_fingerprint: What was decided about: the hash of body, evidence, catalogue snapshot and registry answers.
--   contract_version: The contract version that was in force.
--   decision: ingest or hold.
--   gate_outcome: What the gate says by itself, without the contract.
--   contract_verdict: The verdict of the contract on the batch: pass, breach or unknown.
--   reasons: Why it is held: a list of {rule, mode, observed, needed, passage, line}; empty for ingest.
--   would_hold: The same shape, of the rules that only record.
--   not_checked: Rules whose input was never supplied.
--   lifted: Reasons of the gate that a release lifts, in the same shape; NULL where no release stands.
--   released_by: Who released this input; NULL where no release stands.
--   release_why: Why it was released.
--   decided_at: When, in UTC.
-- unique: batch_id, report_id
-- not_null: decision_id, batch_id, report_id, decision
CREATE OR REPLACE VIEW latest_decisions AS
SELECT
    decision_id, batch_id, report_id, input_fingerprint, contract_version, decision, gate_outcome,
    contract_verdict, reasons, would_hold, not_checked, lifted, released_by, release_why, decided_at
FROM ingestion_decisions
QUALIFY decision_id = max(decision_id) OVER (PARTITION BY batch_id, report_id);
