-- description: Reports whose latest decision is hold, with everything that stands in the way. Those that left their batch
--   are in withdrawn_reports instead.
-- needs: latest_decisions
-- columns:
--   batch_id: The batch.
--   report_id: The report.
--   title: Its title.
--   producer: Who wrote it.
--   rules: The rules that hold it, each once; contract when the whole batch is held.
--   reasons: All reasons in full: a list of {rule, mode, observed, needed, passage, line}.
--   gate_outcome: What the gate says by itself; ingest here means that only the contract holds the report.
--   contract_verdict: The verdict of the contract on the batch.
--   contract_version: The contract version that was in force.
--   would_hold: Reasons of rules that only record.
--   not_checked: Rules whose input was never supplied.
--   input_fingerprint: What was decided about.
--   version: Which version of the report it is; 1 unless it was submitted again.
--   released_by: Who released it, where only the contract holds it now; NULL where no release stands.
--   release_why: Why it was released.
--   decided_at: When, in UTC.
-- unique: batch_id, report_id
-- not_null: batch_id, report_id, rules, reasons, version
CREATE OR REPLACE VIEW held_reports AS
SELECT
    d.batch_id, d.report_id, r.title, r.producer,
    list_sort(list_distinct(json_extract_string(d.reasons, '$[*].rule'))) AS rules,
    d.reasons, d.gate_outcome, d.contract_verdict, d.contract_version, d.would_hold, d.not_checked,
    d.input_fingerprint, coalesce(v.version, 1) AS version, d.released_by, d.release_why, d.decided_at
FROM latest_decisions d
LEFT JOIN reports r USING (batch_id, report_id)
LEFT JOIN (SELECT * FROM report_versions WHERE superseded_at IS NULL) v USING (batch_id, report_id)
WHERE d.decision = 'hold' AND NOT list_contains(json_extract_string(d.reasons, '$[*].rule'), 'left_batch');
