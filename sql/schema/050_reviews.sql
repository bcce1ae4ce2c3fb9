-- description: Calls of language models, and the blind reviews with what independent reviewers share.

CREATE TABLE llm_calls (
    call_id VARCHAR NOT NULL,
    batch_id VARCHAR NOT NULL,
    purpose VARCHAR NOT NULL,
    subject VARCHAR NOT NULL,
    request_hash VARCHAR NOT NULL,
    prompt_version VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    stop_reason VARCHAR,
    error VARCHAR,
    input_tokens BIGINT,
    output_tokens BIGINT,
    cache_read_tokens BIGINT,
    cache_write_tokens BIGINT,
    cost DOUBLE,
    seconds DOUBLE NOT NULL,
    request_id VARCHAR,
    text_file VARCHAR,
    called_at TIMESTAMPTZ NOT NULL
);
COMMENT ON TABLE llm_calls IS 'Calls of language models. One row each; calls about one subject for one purpose replace the earlier ones of the same batch.';
COMMENT ON COLUMN llm_calls.call_id IS 'The call; its answer stands under this id in text_file.';
COMMENT ON COLUMN llm_calls.batch_id IS 'The batch.';
COMMENT ON COLUMN llm_calls.purpose IS 'Who asked: reviewer.';
COMMENT ON COLUMN llm_calls.subject IS 'What about: the id of a report.';
COMMENT ON COLUMN llm_calls.request_hash IS 'Hash of everything that the model saw, and of the model asked.';
COMMENT ON COLUMN llm_calls.prompt_version IS 'Name and version of the instruction.';
COMMENT ON COLUMN llm_calls.model IS 'The model that answered, else the one that was asked.';
COMMENT ON COLUMN llm_calls.status IS 'answered or failed; a failed call says nothing about its subject.';
COMMENT ON COLUMN llm_calls.stop_reason IS 'Why the model stopped; NULL for a failed call.';
COMMENT ON COLUMN llm_calls.error IS 'Kind and message of the failure; NULL when answered.';
COMMENT ON COLUMN llm_calls.input_tokens IS 'Tokens sent, those from the cache apart.';
COMMENT ON COLUMN llm_calls.output_tokens IS 'Tokens received.';
COMMENT ON COLUMN llm_calls.cache_read_tokens IS 'Tokens read from the prompt cache.';
COMMENT ON COLUMN llm_calls.cache_write_tokens IS 'Tokens written to the prompt cache.';
COMMENT ON COLUMN llm_calls.cost IS 'Cost by the configured price of the model; NULL where none is configured or the call failed.';
COMMENT ON COLUMN llm_calls.seconds IS 'Duration, waiting and retries included.';
COMMENT ON COLUMN llm_calls.request_id IS 'The id that the API gave to the request.';
COMMENT ON COLUMN llm_calls.text_file IS 'Parquet file with the answer''s text, relative to the home; NULL for a failed call.';
COMMENT ON COLUMN llm_calls.called_at IS 'When, in UTC.';

CREATE TABLE reviews (
    batch_id VARCHAR NOT NULL,
    reviewer VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    model VARCHAR,
    prompt_version VARCHAR,
    corpus_hash VARCHAR NOT NULL,
    n_reports INTEGER NOT NULL,
    n_unknown INTEGER NOT NULL,
    n_findings INTEGER NOT NULL
);
COMMENT ON TABLE reviews IS 'Blind reviews: one reviewer''s look at one batch. One row per batch and reviewer.';
COMMENT ON COLUMN reviews.batch_id IS 'The batch.';
COMMENT ON COLUMN reviews.reviewer IS 'Name of the reviewer.';
COMMENT ON COLUMN reviews.kind IS 'mechanical (our rules), model (a language model) or outside (brought in).';
COMMENT ON COLUMN reviews.model IS 'The model that was asked; NULL for other kinds.';
COMMENT ON COLUMN reviews.prompt_version IS 'Name and version of the reviewer''s instruction; NULL for other kinds.';
COMMENT ON COLUMN reviews.corpus_hash IS 'Hash of what was examined: ids and bodies. Reviews of different hashes are not compared.';
COMMENT ON COLUMN reviews.n_reports IS 'Reports of the batch.';
COMMENT ON COLUMN reviews.n_unknown IS 'Reports that the reviewer could not examine; they are not without failures.';
COMMENT ON COLUMN reviews.n_findings IS 'Findings.';

CREATE TABLE examinations (
    batch_id VARCHAR NOT NULL,
    reviewer VARCHAR NOT NULL,
    report_id VARCHAR NOT NULL,
    validity VARCHAR NOT NULL,
    fault VARCHAR,
    n_findings INTEGER
);
COMMENT ON TABLE examinations IS 'What came of each reviewer''s look at each report. One row per batch, reviewer and report.';
COMMENT ON COLUMN examinations.batch_id IS 'The batch.';
COMMENT ON COLUMN examinations.reviewer IS 'Name of the reviewer.';
COMMENT ON COLUMN examinations.report_id IS 'The report.';
COMMENT ON COLUMN examinations.validity IS 'measured (it was examined) or unknown (it could not be).';
COMMENT ON COLUMN examinations.fault IS 'Why it could not be examined; NULL when it was.';
COMMENT ON COLUMN examinations.n_findings IS 'Findings in it; NULL when it could not be examined.';

CREATE TABLE findings (
    batch_id VARCHAR NOT NULL,
    reviewer VARCHAR NOT NULL,
    ordinal INTEGER NOT NULL,
    report_id VARCHAR NOT NULL,
    category VARCHAR NOT NULL,
    severity VARCHAR NOT NULL,
    explanation VARCHAR NOT NULL,
    quote VARCHAR,
    start_offset BIGINT,
    end_offset BIGINT
);
COMMENT ON TABLE findings IS 'Failures that blind reviewers saw. One row per batch, reviewer and finding.';
COMMENT ON COLUMN findings.batch_id IS 'The batch.';
COMMENT ON COLUMN findings.reviewer IS 'Name of the reviewer.';
COMMENT ON COLUMN findings.ordinal IS 'Position among the reviewer''s findings, from 0.';
COMMENT ON COLUMN findings.report_id IS 'The report.';
COMMENT ON COLUMN findings.category IS 'Kind of failure, from a closed list.';
COMMENT ON COLUMN findings.severity IS 'high, medium or low.';
COMMENT ON COLUMN findings.explanation IS 'What is wrong, in the reviewer''s words.';
COMMENT ON COLUMN findings.quote IS 'The passage, as the reviewer quoted it; NULL: about the report as a whole.';
COMMENT ON COLUMN findings.start_offset IS 'Where the passage starts in the original body, in characters; NULL when it does not stand there.';
COMMENT ON COLUMN findings.end_offset IS 'Where it ends, exclusive.';

CREATE TABLE convergence (
    batch_id VARCHAR NOT NULL,
    rank INTEGER NOT NULL,
    category VARCHAR NOT NULL,
    compared INTEGER NOT NULL,
    shared_reports INTEGER NOT NULL,
    shared_passages INTEGER NOT NULL,
    reviewers INTEGER NOT NULL,
    found_by JSON NOT NULL,
    examined_by JSON NOT NULL
);
COMMENT ON TABLE convergence IS 'Failures that independent reviewers share, the most shared first. One row per batch and category.';
COMMENT ON COLUMN convergence.batch_id IS 'The batch.';
COMMENT ON COLUMN convergence.rank IS 'From 1: the more reports, then passages, are shared.';
COMMENT ON COLUMN convergence.category IS 'Kind of failure.';
COMMENT ON COLUMN convergence.compared IS 'Reports that at least two reviewers examined.';
COMMENT ON COLUMN convergence.shared_reports IS 'Of these, reports in which at least two reviewers found it.';
COMMENT ON COLUMN convergence.shared_passages IS 'Passages at which findings of at least two reviewers overlap.';
COMMENT ON COLUMN convergence.reviewers IS 'Reviewers that found it at all.';
COMMENT ON COLUMN convergence.found_by IS 'Reviewer to number of reports in which it found it.';
COMMENT ON COLUMN convergence.examined_by IS 'Reviewer to number of reports that it examined.';
