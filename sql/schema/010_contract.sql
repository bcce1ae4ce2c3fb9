-- description: Who accepted which contract and why, what a small batch was judged on, and what Great Expectations said.

ALTER TABLE contract_versions ALTER COLUMN first_used_at DROP NOT NULL;
ALTER TABLE contract_versions ADD COLUMN why VARCHAR;
ALTER TABLE contract_versions ADD COLUMN accepted_at TIMESTAMPTZ;
COMMENT ON COLUMN contract_versions.why IS 'Why it was accepted, as that person said, the last time; NULL: it never was, or it ships with the package.';
COMMENT ON COLUMN contract_versions.accepted_at IS 'When it was last accepted, in UTC; NULL as for why.';

CREATE TABLE contract_acceptances (
    acceptance_id BIGINT NOT NULL,     -- grows; the highest is the contract in force for new batches
    contract_version VARCHAR NOT NULL,
    replaces VARCHAR NOT NULL,
    accepted_by VARCHAR NOT NULL,
    why VARCHAR NOT NULL,
    accepted_at TIMESTAMPTZ NOT NULL,
    file VARCHAR                       -- where its text was read from
);
COMMENT ON TABLE contract_acceptances IS 'Acceptances of contracts. Only grows: one row each; the last one names the contract that new batches are judged by.';
COMMENT ON COLUMN contract_acceptances.acceptance_id IS 'Grows; the highest is in force.';
COMMENT ON COLUMN contract_acceptances.contract_version IS 'The contract version that was accepted.';
COMMENT ON COLUMN contract_acceptances.replaces IS 'The version that was in force before.';
COMMENT ON COLUMN contract_acceptances.accepted_by IS 'Who accepted it.';
COMMENT ON COLUMN contract_acceptances.why IS 'Why, in their words.';
COMMENT ON COLUMN contract_acceptances.accepted_at IS 'When, in UTC.';
COMMENT ON COLUMN contract_acceptances.file IS 'The file that its text was read from.';

ALTER TABLE contract_results ADD COLUMN clear_at DOUBLE;
ALTER TABLE contract_results ADD COLUMN clear_needs INTEGER;
ALTER TABLE contract_results ADD COLUMN n_window INTEGER;
ALTER TABLE contract_results ADD COLUMN note VARCHAR;
COMMENT ON COLUMN contract_results.clear_at IS 'The value that ends an alert about this clause; at least as good as the threshold. NULL: evaluated before it was recorded.';
COMMENT ON COLUMN contract_results.clear_needs IS 'How many evaluations in succession must reach clear_at to end the alert.';
COMMENT ON COLUMN contract_results.n_window IS 'How many of the n reports are of earlier batches, because the batch is small; contract_windows names them.';
COMMENT ON COLUMN contract_results.note IS 'A remark beside the verdict, for example that a batch of this size is too small for the power that was accepted; NULL: none.';

CREATE TABLE contract_windows (
    batch_id VARCHAR NOT NULL,
    clause VARCHAR NOT NULL,
    ordinal INTEGER NOT NULL,          -- 1: the latest
    member_batch_id VARCHAR NOT NULL,
    member_report_id VARCHAR NOT NULL,
    member_fingerprint VARCHAR,        -- the member's content_fingerprint when it was taken in
    validity VARCHAR NOT NULL,
    value DOUBLE CHECK (value IS NULL OR isfinite(value))
);
COMMENT ON TABLE contract_windows IS 'Reports of earlier batches that a small batch was judged together with. One row per batch, clause and such report.';
COMMENT ON COLUMN contract_windows.batch_id IS 'The small batch.';
COMMENT ON COLUMN contract_windows.clause IS 'The clause that was short of reports.';
COMMENT ON COLUMN contract_windows.ordinal IS 'Order of the window, the latest report first.';
COMMENT ON COLUMN contract_windows.member_batch_id IS 'The earlier batch.';
COMMENT ON COLUMN contract_windows.member_report_id IS 'The report in it.';
COMMENT ON COLUMN contract_windows.member_fingerprint IS 'Hash of its content when it was taken in.';
COMMENT ON COLUMN contract_windows.validity IS 'measured, absent or unknown; only measured ones make up n.';
COMMENT ON COLUMN contract_windows.value IS 'Its value; NULL unless measured.';

CREATE TABLE contract_validations (
    batch_id VARCHAR NOT NULL,
    contract_version VARCHAR NOT NULL,
    batch_fingerprint VARCHAR NOT NULL,
    engine VARCHAR NOT NULL,
    result JSON NOT NULL
);
COMMENT ON TABLE contract_validations IS 'What Great Expectations said about each batch, whole. One row per batch, contract version and state of the batch: its last evaluation.';
COMMENT ON COLUMN contract_validations.batch_id IS 'The batch.';
COMMENT ON COLUMN contract_validations.contract_version IS 'The contract version that was evaluated.';
COMMENT ON COLUMN contract_validations.batch_fingerprint IS 'The state of the batch that was evaluated.';
COMMENT ON COLUMN contract_validations.engine IS 'Great Expectations with its version.';
COMMENT ON COLUMN contract_validations.result IS 'Its validation result as it serialises itself, without run ids and instants.';
