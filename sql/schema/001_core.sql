-- Core tables of the warehouse. Grain and meaning of each stand in its COMMENT (002_comments.sql).
-- No PRIMARY KEY on bulk tables: one batch's rows are replaced inside one transaction by the code that owns them.

CREATE TABLE batches (
    batch_id VARCHAR NOT NULL,
    producer VARCHAR,
    created_at TIMESTAMPTZ,
    reports_path VARCHAR NOT NULL,
    sources_path VARCHAR,
    snapshot_id VARCHAR,
    contract_version VARCHAR,          -- pinned at the first evaluation
    status VARCHAR NOT NULL,           -- loaded, partial, empty, failed
    n_reports INTEGER NOT NULL,
    n_unreadable INTEGER NOT NULL,
    batch_fingerprint VARCHAR          -- hash of its reports' input fingerprints
);

CREATE TABLE reports (
    batch_id VARCHAR NOT NULL,
    report_id VARCHAR NOT NULL,        -- unique in the batch; a repeated id gets "~2", "~3", …
    written_id VARCHAR NOT NULL,       -- the id as it was written
    ordinal INTEGER NOT NULL,
    status VARCHAR NOT NULL,           -- read, unreadable
    reason VARCHAR,
    detail VARCHAR,
    title VARCHAR,
    language VARCHAR,
    producer VARCHAR,
    question VARCHAR,
    created_at VARCHAR,
    body_chars BIGINT,                 -- length of the stored original, counted at load
    body_sha256 VARCHAR,
    content_fingerprint VARCHAR NOT NULL, -- hash of body, evidence and out-of-body sources, at load
    input_fingerprint VARCHAR,         -- content and snapshot together; NULL until the shadow audit has seen both
    body_file VARCHAR,                 -- relative to the home
    has_evidence BOOLEAN NOT NULL,
    evidence JSON,
    extra JSON,
    flags VARCHAR[] NOT NULL
);

CREATE TABLE source_snapshots (
    snapshot_id VARCHAR NOT NULL,
    n_sources INTEGER NOT NULL,
    n_with_text INTEGER NOT NULL,
    text_file VARCHAR                  -- Parquet with source_id, text; relative to the home
);

CREATE TABLE sources (
    snapshot_id VARCHAR NOT NULL,
    source_id VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    url VARCHAR,
    doi VARCHAR,
    pmid VARCHAR,
    arxiv_id VARCHAR,
    isbn VARCHAR,
    authors VARCHAR[],
    year INTEGER,
    venue VARCHAR,
    kind VARCHAR,
    text_chars INTEGER NOT NULL,
    fetched_at VARCHAR
);

CREATE TABLE segments (
    batch_id VARCHAR NOT NULL,
    report_id VARCHAR NOT NULL,
    stage VARCHAR NOT NULL,
    ordinal INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    start_offset BIGINT NOT NULL,
    end_offset BIGINT NOT NULL
);

CREATE TABLE citations (
    batch_id VARCHAR NOT NULL,
    report_id VARCHAR NOT NULL,
    stage VARCHAR NOT NULL,
    ordinal INTEGER NOT NULL,
    key VARCHAR,                       -- NULL: a placeholder that names nothing
    family VARCHAR NOT NULL,
    style VARCHAR NOT NULL,
    scope INTEGER NOT NULL,
    start_offset BIGINT NOT NULL,
    end_offset BIGINT NOT NULL,
    locator VARCHAR,
    cited_text VARCHAR
);

CREATE TABLE cited_keys (
    batch_id VARCHAR NOT NULL,
    report_id VARCHAR NOT NULL,
    stage VARCHAR NOT NULL,
    ordinal INTEGER NOT NULL,
    key VARCHAR NOT NULL,
    family VARCHAR NOT NULL,
    style VARCHAR NOT NULL,
    scope INTEGER NOT NULL,
    occurrences INTEGER NOT NULL,
    first_offset BIGINT NOT NULL,
    entry_ordinal INTEGER,             -- NULL: dangling, or self-contained
    self_contained BOOLEAN NOT NULL,
    locator VARCHAR
);

CREATE TABLE reference_entries (
    batch_id VARCHAR NOT NULL,
    report_id VARCHAR NOT NULL,
    stage VARCHAR NOT NULL,
    ordinal INTEGER NOT NULL,
    key VARCHAR,
    scope INTEGER NOT NULL,
    text VARCHAR NOT NULL,
    title VARCHAR,
    url VARCHAR,
    identifiers VARCHAR[] NOT NULL,    -- "doi:10.5555/x"
    origin VARCHAR NOT NULL,           -- body, sources
    kind VARCHAR,                      -- canonical, as_written; NULL at stage shadow
    source_id VARCHAR,
    cited BOOLEAN NOT NULL,
    dirty_reasons VARCHAR[] NOT NULL,
    start_offset BIGINT,
    end_offset BIGINT
);

CREATE TABLE resolutions (
    batch_id VARCHAR NOT NULL,
    report_id VARCHAR NOT NULL,
    stage VARCHAR NOT NULL,
    subject VARCHAR NOT NULL,          -- citation, entry
    ordinal INTEGER NOT NULL,          -- of cited_keys or reference_entries
    key VARCHAR,
    state VARCHAR NOT NULL,            -- resolved, ambiguous, suggested, none
    tier VARCHAR,
    source_id VARCHAR,
    score DOUBLE,
    candidates VARCHAR[] NOT NULL
);

CREATE TABLE rebuilds (
    batch_id VARCHAR NOT NULL,
    report_id VARCHAR NOT NULL,
    path VARCHAR NOT NULL,             -- rebuilt, merged, left, failed
    reason VARCHAR NOT NULL,
    n_entries_before INTEGER NOT NULL,
    n_entries_after INTEGER NOT NULL,
    n_canonical INTEGER NOT NULL,
    n_as_written INTEGER NOT NULL,
    n_dangling INTEGER NOT NULL,
    body_chars BIGINT NOT NULL,
    body_sha256 VARCHAR NOT NULL,
    body_file VARCHAR NOT NULL
);

CREATE TABLE rebuilt_entries (
    batch_id VARCHAR NOT NULL,
    report_id VARCHAR NOT NULL,
    ordinal INTEGER NOT NULL,
    label VARCHAR NOT NULL,            -- as the rebuilt body cites it
    kind VARCHAR NOT NULL,             -- canonical, as_written
    source_id VARCHAR,
    tier VARCHAR,
    key_before VARCHAR NOT NULL,       -- the citation's key before the rebuild
    scope_before INTEGER NOT NULL
);

CREATE TABLE report_metrics (
    batch_id VARCHAR NOT NULL,
    report_id VARCHAR NOT NULL,
    stage VARCHAR NOT NULL,
    metric VARCHAR NOT NULL,
    metric_version VARCHAR NOT NULL,
    value DOUBLE CHECK (value IS NULL OR isfinite(value)),
    numerator DOUBLE CHECK (numerator IS NULL OR isfinite(numerator)),
    denominator DOUBLE CHECK (denominator IS NULL OR isfinite(denominator)),
    validity VARCHAR NOT NULL CHECK (validity IN ('measured', 'absent', 'unknown')),
    detail VARCHAR,
    CHECK ((validity = 'measured') = (value IS NOT NULL))
);

CREATE TABLE batch_metrics (
    batch_id VARCHAR NOT NULL,
    stage VARCHAR NOT NULL,
    metric VARCHAR NOT NULL,
    metric_version VARCHAR NOT NULL,
    statistic VARCHAR NOT NULL,        -- p10, p50, mean, min, max, sum
    value DOUBLE CHECK (value IS NULL OR isfinite(value)),
    n INTEGER NOT NULL,                -- reports measured
    n_absent INTEGER NOT NULL,
    n_unknown INTEGER NOT NULL
);

CREATE TABLE contract_versions (
    contract_version VARCHAR NOT NULL,
    content VARCHAR NOT NULL,
    approved_by VARCHAR,
    approved_on VARCHAR,
    first_used_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE contract_results (
    result_id BIGINT NOT NULL,         -- grows; the highest of a batch and clause is the latest
    batch_id VARCHAR NOT NULL,
    contract_version VARCHAR NOT NULL,
    batch_fingerprint VARCHAR NOT NULL,
    clause VARCHAR NOT NULL,
    metric VARCHAR NOT NULL,
    metric_version VARCHAR,
    stage VARCHAR,
    statistic VARCHAR NOT NULL,
    operator VARCHAR NOT NULL,
    threshold DOUBLE NOT NULL,
    observed DOUBLE CHECK (observed IS NULL OR isfinite(observed)),
    n INTEGER NOT NULL,
    n_absent INTEGER NOT NULL,
    n_unknown INTEGER NOT NULL,
    verdict VARCHAR NOT NULL CHECK (verdict IN ('pass', 'breach', 'unknown')),
    mode VARCHAR NOT NULL,
    severity VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,           -- one sentence
    worst_reports VARCHAR[] NOT NULL,  -- at most ten ids, worst first
    evaluated_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE ingestion_decisions (
    decision_id BIGINT NOT NULL,       -- grows; the highest of a report is the latest
    batch_id VARCHAR NOT NULL,
    report_id VARCHAR NOT NULL,
    input_fingerprint VARCHAR NOT NULL,
    contract_version VARCHAR NOT NULL,
    decision VARCHAR NOT NULL CHECK (decision IN ('ingest', 'hold')),
    gate_outcome VARCHAR NOT NULL,     -- what the gate says by itself
    contract_verdict VARCHAR NOT NULL,
    reasons JSON NOT NULL,             -- a list of {rule, mode, observed, needed, passage, line}
    would_hold JSON NOT NULL,          -- the same shape; rules in mode record
    not_checked VARCHAR[] NOT NULL,
    decided_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE kb_entries (
    document_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,             -- report
    batch_id VARCHAR NOT NULL,
    report_id VARCHAR NOT NULL,
    input_fingerprint VARCHAR NOT NULL,
    contract_version VARCHAR NOT NULL,
    title VARCHAR,
    language VARCHAR,
    body_file VARCHAR NOT NULL,
    body_sha256 VARCHAR NOT NULL,
    body_chars BIGINT NOT NULL,
    ingested_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE deliveries (
    batch_id VARCHAR NOT NULL,
    report_id VARCHAR NOT NULL,
    input_fingerprint VARCHAR,         -- NULL: the audit never got that far
    file VARCHAR NOT NULL,             -- relative to the home
    original_file VARCHAR NOT NULL,
    body_used VARCHAR NOT NULL,        -- rebuilt, original
    state VARCHAR NOT NULL             -- pending, final, incomplete
);
