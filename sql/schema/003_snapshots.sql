-- description: Which snapshot of its source catalogue each batch was audited against, and since when.

CREATE TABLE batch_snapshots (
    seen_id BIGINT NOT NULL,           -- grows; the highest of a batch is the one that stands
    batch_id VARCHAR NOT NULL,
    snapshot_id VARCHAR NOT NULL,
    sources_path VARCHAR,
    seen_at TIMESTAMPTZ NOT NULL
);

COMMENT ON TABLE batch_snapshots IS 'Which catalogue snapshot a batch was pointed at, and when: a batch keeps the one it was audited against until another catalogue is named for it. Only grows.';
COMMENT ON COLUMN batch_snapshots.seen_id IS 'Grows; the highest of a batch stands, the highest of all names the newest snapshot.';
COMMENT ON COLUMN batch_snapshots.batch_id IS 'The batch.';
COMMENT ON COLUMN batch_snapshots.snapshot_id IS 'The snapshot; source_snapshots and sources hold it once, however many batches point at it.';
COMMENT ON COLUMN batch_snapshots.sources_path IS 'Where the catalogue was loaded from; NULL when none was given.';
COMMENT ON COLUMN batch_snapshots.seen_at IS 'When, in UTC.';
