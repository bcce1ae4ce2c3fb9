-- description: What people decide about single reports (releases, resubmissions), and alerts with their delivery.

CREATE TABLE releases (
    release_id BIGINT NOT NULL,        -- grows; the highest of a report and input is the latest
    batch_id VARCHAR NOT NULL,
    report_id VARCHAR NOT NULL,
    input_fingerprint VARCHAR NOT NULL,
    action VARCHAR NOT NULL CHECK (action IN ('release', 'withdraw')),
    who VARCHAR NOT NULL,
    why VARCHAR NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL
);

COMMENT ON TABLE releases IS 'Releases by people, and their withdrawals. One row whenever what a person says about a report and its input changed; the latest one stands.';
COMMENT ON COLUMN releases.release_id IS 'Grows; the highest of a report and input is the latest.';
COMMENT ON COLUMN releases.batch_id IS 'The batch.';
COMMENT ON COLUMN releases.report_id IS 'The report.';
COMMENT ON COLUMN releases.input_fingerprint IS 'What was released: a report whose text, evidence or catalogue changes is another input, and is judged anew.';
COMMENT ON COLUMN releases.action IS 'release, or withdraw.';
COMMENT ON COLUMN releases.who IS 'The person.';
COMMENT ON COLUMN releases.why IS 'The reason that the person gave.';
COMMENT ON COLUMN releases.recorded_at IS 'When, in UTC.';

ALTER TABLE ingestion_decisions ADD COLUMN lifted JSON;
ALTER TABLE ingestion_decisions ADD COLUMN released_by VARCHAR;
ALTER TABLE ingestion_decisions ADD COLUMN release_why VARCHAR;

COMMENT ON COLUMN ingestion_decisions.lifted IS 'Reasons of the gate that a release lifts: the shape of reasons; NULL where no release stands.';
COMMENT ON COLUMN ingestion_decisions.released_by IS 'Who released this input; NULL where no release stands.';
COMMENT ON COLUMN ingestion_decisions.release_why IS 'Why it was released.';

CREATE TABLE report_versions (
    batch_id VARCHAR NOT NULL,
    report_id VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    origin VARCHAR NOT NULL CHECK (origin IN ('batch', 'resubmitted')),
    content_fingerprint VARCHAR NOT NULL,
    input_fingerprint VARCHAR,         -- NULL while it is the current one
    title VARCHAR,
    body_chars BIGINT,
    body_sha256 VARCHAR,
    body_file VARCHAR,                 -- NULL while it is the current one
    file VARCHAR,                      -- relative to the home; NULL for what the batch's own input holds
    submitted_by VARCHAR,
    submitted_at TIMESTAMPTZ NOT NULL,
    superseded_at TIMESTAMPTZ          -- NULL: the current one
);

COMMENT ON TABLE report_versions IS 'Versions of the reports that were submitted again. One row per report and version; reports holds the current one.';
COMMENT ON COLUMN report_versions.batch_id IS 'The batch.';
COMMENT ON COLUMN report_versions.report_id IS 'The report.';
COMMENT ON COLUMN report_versions.version IS 'Counts from 1, the version that the batch came with.';
COMMENT ON COLUMN report_versions.origin IS 'batch (the batch''s own input) or resubmitted (a file for this one report).';
COMMENT ON COLUMN report_versions.content_fingerprint IS 'Hash of body, evidence and out-of-body sources.';
COMMENT ON COLUMN report_versions.input_fingerprint IS 'The input that its last decision was about; NULL for the current version, whose one stands in reports.';
COMMENT ON COLUMN report_versions.title IS 'Title.';
COMMENT ON COLUMN report_versions.body_chars IS 'Length of its text in characters; NULL when it could not be read.';
COMMENT ON COLUMN report_versions.body_sha256 IS 'SHA-256 of its text in UTF-8.';
COMMENT ON COLUMN report_versions.body_file IS 'Parquet file of a superseded version''s text, relative to the home; the current one''s stands in reports.';
COMMENT ON COLUMN report_versions.file IS 'The submitted file as it is kept, relative to the home; NULL for a version of the batch''s own input.';
COMMENT ON COLUMN report_versions.submitted_by IS 'Who submitted it; NULL for the batch''s own input.';
COMMENT ON COLUMN report_versions.submitted_at IS 'When it was first seen, in UTC.';
COMMENT ON COLUMN report_versions.superseded_at IS 'When a later version took its place, in UTC; NULL for the current one.';

CREATE TABLE alert_states (
    alert_state_id BIGINT NOT NULL,    -- grows; the highest of an alert is the latest
    alert_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    batch_id VARCHAR NOT NULL,
    producer VARCHAR,
    clauses VARCHAR[] NOT NULL,
    title VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    raised_at TIMESTAMPTZ NOT NULL,
    state VARCHAR NOT NULL CHECK (state IN ('pending', 'sent', 'skipped')),
    reason VARCHAR NOT NULL,
    attempts INTEGER NOT NULL,
    changed_at TIMESTAMPTZ NOT NULL
);

COMMENT ON TABLE alert_states IS 'What became of each alert. One row whenever the state of an alert changed; the view alerts shows the latest.';
COMMENT ON COLUMN alert_states.alert_state_id IS 'Grows; the highest of an alert is the latest.';
COMMENT ON COLUMN alert_states.alert_id IS 'The alert: the same change of the same batch has the same id.';
COMMENT ON COLUMN alert_states.kind IS 'breach, unknown or recovery.';
COMMENT ON COLUMN alert_states.batch_id IS 'The batch whose evaluation raised it.';
COMMENT ON COLUMN alert_states.producer IS 'Whose batches it follows: one producer''s, or those without one (NULL).';
COMMENT ON COLUMN alert_states.clauses IS 'The clauses that it speaks about; reports_unknown stands for reports that are held because something could not be determined.';
COMMENT ON COLUMN alert_states.title IS 'Its title.';
COMMENT ON COLUMN alert_states.text IS 'Its text, as it is sent.';
COMMENT ON COLUMN alert_states.raised_at IS 'When it was raised, in UTC.';
COMMENT ON COLUMN alert_states.state IS 'pending (to be sent, or sent again), sent, or skipped (not sent, on purpose).';
COMMENT ON COLUMN alert_states.reason IS 'Why it is in this state, in one sentence; no address and no secret.';
COMMENT ON COLUMN alert_states.attempts IS 'Deliveries that were tried.';
COMMENT ON COLUMN alert_states.changed_at IS 'When it came into this state, in UTC.';
