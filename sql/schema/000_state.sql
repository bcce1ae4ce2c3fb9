-- description: What the warehouse knows about itself.

CREATE TABLE schema_versions (
    number INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    digest VARCHAR NOT NULL,
    applied_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE warehouse_state (
    data_version BIGINT NOT NULL,
    views_digest VARCHAR NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL
);
