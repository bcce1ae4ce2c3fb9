-- description: Closings and method claims of reports, the catalogue that gives numbers their meaning, and what a number was measured on.

ALTER TABLE report_metrics ADD COLUMN input_fingerprint VARCHAR;
COMMENT ON COLUMN report_metrics.input_fingerprint IS 'The input that was measured; rows of an older version stay as long as it is the report''s.';

CREATE TABLE metric_definitions (
    metric VARCHAR NOT NULL,
    metric_version VARCHAR NOT NULL,
    ordinal INTEGER NOT NULL,
    title VARCHAR NOT NULL,
    unit VARCHAR NOT NULL,
    formula VARCHAR NOT NULL,
    stages VARCHAR[] NOT NULL,
    absent_when VARCHAR NOT NULL,
    statistics VARCHAR[] NOT NULL,
    owner VARCHAR NOT NULL,
    says_not VARCHAR NOT NULL,
    measured_now BOOLEAN NOT NULL
);
COMMENT ON TABLE metric_definitions IS 'The metric catalogue: what each number means. One row per metric and version; a number without a row here is not written.';
COMMENT ON COLUMN metric_definitions.metric IS 'The metric.';
COMMENT ON COLUMN metric_definitions.metric_version IS 'Its version; values of two versions do not compare.';
COMMENT ON COLUMN metric_definitions.ordinal IS 'Position in the catalogue.';
COMMENT ON COLUMN metric_definitions.title IS 'Its name for people.';
COMMENT ON COLUMN metric_definitions.unit IS 'share, count, or yes (1) or no (0).';
COMMENT ON COLUMN metric_definitions.formula IS 'How it is computed.';
COMMENT ON COLUMN metric_definitions.stages IS 'Stages at which it is measured.';
COMMENT ON COLUMN metric_definitions.absent_when IS 'When there is nothing to measure.';
COMMENT ON COLUMN metric_definitions.statistics IS 'Statistics over a batch that a contract may use.';
COMMENT ON COLUMN metric_definitions.owner IS 'The module that computes it.';
COMMENT ON COLUMN metric_definitions.says_not IS 'What a reader may take it for, wrongly.';
COMMENT ON COLUMN metric_definitions.measured_now IS 'Whether the catalogue in use still measures it; false: rows of it are history.';

CREATE TABLE closings (
    batch_id VARCHAR NOT NULL,
    report_id VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    start_offset BIGINT NOT NULL,
    end_offset BIGINT NOT NULL,
    kind VARCHAR,                      -- of the known list; NULL: not on it
    closing_key VARCHAR NOT NULL,
    frame VARCHAR
);
COMMENT ON TABLE closings IS 'The last sentence of each report''s prose, as written. One row per report that has prose.';
COMMENT ON COLUMN closings.batch_id IS 'The batch.';
COMMENT ON COLUMN closings.report_id IS 'The report.';
COMMENT ON COLUMN closings.text IS 'The sentence as written.';
COMMENT ON COLUMN closings.start_offset IS 'Where it starts in the original, in characters.';
COMMENT ON COLUMN closings.end_offset IS 'Where it ends, exclusive.';
COMMENT ON COLUMN closings.kind IS 'sign_off, offer, disclaimer or generic_conclusion where it is on the known list of stock closings; else NULL.';
COMMENT ON COLUMN closings.closing_key IS 'The sentence folded, with numbers and dates as 0: equal closings have equal keys.';
COMMENT ON COLUMN closings.frame IS 'Its everyday words with a blank for what names the subject; NULL where too little is left.';

CREATE TABLE method_claims (
    batch_id VARCHAR NOT NULL,
    report_id VARCHAR NOT NULL,
    ordinal INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    claimed INTEGER,
    needs VARCHAR NOT NULL,
    backed BOOLEAN,
    text VARCHAR NOT NULL,
    start_offset BIGINT NOT NULL,
    end_offset BIGINT NOT NULL
);
COMMENT ON TABLE method_claims IS 'Sentences in which a report says what was done for it. One row per report, sentence and kind of claim.';
COMMENT ON COLUMN method_claims.batch_id IS 'The batch.';
COMMENT ON COLUMN method_claims.report_id IS 'The report.';
COMMENT ON COLUMN method_claims.ordinal IS 'Position in the report.';
COMMENT ON COLUMN method_claims.kind IS 'survey, interview, panel, experiment, fieldwork, systematic_review, document_analysis or data_analysis.';
COMMENT ON COLUMN method_claims.claimed IS 'The number that the sentence names, at least; NULL when it names none.';
COMMENT ON COLUMN method_claims.needs IS 'What the evidence manifest must hold for it.';
COMMENT ON COLUMN method_claims.backed IS 'Whether the manifest holds that; NULL when there is none, or it cannot be read.';
COMMENT ON COLUMN method_claims.text IS 'The sentence as written.';
COMMENT ON COLUMN method_claims.start_offset IS 'Where it starts in the original, in characters.';
COMMENT ON COLUMN method_claims.end_offset IS 'Where it ends, exclusive.';
