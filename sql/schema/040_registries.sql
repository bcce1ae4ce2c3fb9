-- description: What registries said about the identifiers of a batch, and how each identifier of each report stands.

ALTER TABLE reports ADD COLUMN audit_fingerprint VARCHAR;
COMMENT ON COLUMN reports.audit_fingerprint IS 'Hash of content and catalogue snapshot, sealed by the shadow audit; input_fingerprint is the same, and covers the registry answers as well where some were asked for. NULL: sealed before they were.';

CREATE TABLE registry_setups (
    batch_id VARCHAR NOT NULL,
    asked VARCHAR[] NOT NULL,          -- "doi: crossref, datacite, doi.org"
    snapshot VARCHAR,
    authoritative BOOLEAN NOT NULL
);
COMMENT ON TABLE registry_setups IS 'Who was asked about the identifiers of a batch. One row per batch whose identifiers were looked up; none: nobody was asked.';
COMMENT ON COLUMN registry_setups.batch_id IS 'The batch.';
COMMENT ON COLUMN registry_setups.asked IS 'Registries by kind of identifier, in the order of asking.';
COMMENT ON COLUMN registry_setups.snapshot IS 'The file of known works that was asked first; NULL when there is none.';
COMMENT ON COLUMN registry_setups.authoritative IS 'Whether what the snapshot does not hold counts as not found.';

CREATE TABLE registry_checks (
    batch_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    value VARCHAR NOT NULL,
    registry VARCHAR NOT NULL,
    state VARCHAR NOT NULL CHECK (state IN ('found', 'not_found', 'unknown')),
    reason VARCHAR,
    detail VARCHAR,
    record JSON,
    answered_at TIMESTAMPTZ
);
COMMENT ON TABLE registry_checks IS 'The evidence: what each registry said. One row per batch, identifier and registry.';
COMMENT ON COLUMN registry_checks.batch_id IS 'The batch.';
COMMENT ON COLUMN registry_checks.kind IS 'doi, shortdoi, pmid, pmcid, arxiv, isbn or url.';
COMMENT ON COLUMN registry_checks.value IS 'The identifier in its normal form.';
COMMENT ON COLUMN registry_checks.registry IS 'Who said it.';
COMMENT ON COLUMN registry_checks.state IS 'found, not_found or unknown.';
COMMENT ON COLUMN registry_checks.reason IS 'Short code of why not found or unknown; NULL when found.';
COMMENT ON COLUMN registry_checks.detail IS 'One sentence about an unknown; NULL otherwise.';
COMMENT ON COLUMN registry_checks.record IS 'The work as the registry holds it, when found.';
COMMENT ON COLUMN registry_checks.answered_at IS 'When it was said, in UTC; NULL for what is known on this machine.';

CREATE TABLE identifier_checks (
    batch_id VARCHAR NOT NULL,
    report_id VARCHAR NOT NULL,
    ordinal INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    value VARCHAR NOT NULL,
    entry_ordinal INTEGER,
    standing VARCHAR NOT NULL CHECK (standing IN ('found', 'not_found', 'contradicted', 'retracted', 'unknown')),
    covered BOOLEAN NOT NULL,
    reason VARCHAR,
    registry VARCHAR,
    registered_title VARCHAR,
    alias_of VARCHAR,
    title_check VARCHAR NOT NULL,
    authors_check VARCHAR NOT NULL,
    year_check VARCHAR NOT NULL,
    venue_check VARCHAR NOT NULL,
    notices VARCHAR[] NOT NULL,
    relations VARCHAR[] NOT NULL,
    passage VARCHAR NOT NULL,
    line INTEGER
);
COMMENT ON TABLE identifier_checks IS 'How each identifier of a report stands, after the rebuild. One row per batch, report and ordinal: an identifier of an entry, or of the text where no entry has it.';
COMMENT ON COLUMN identifier_checks.batch_id IS 'The batch.';
COMMENT ON COLUMN identifier_checks.report_id IS 'The report.';
COMMENT ON COLUMN identifier_checks.ordinal IS 'Position among the identifiers of the report.';
COMMENT ON COLUMN identifier_checks.kind IS 'doi, shortdoi, pmid, pmcid, arxiv, isbn, url; title where a work without identifier was looked for by its title.';
COMMENT ON COLUMN identifier_checks.value IS 'The identifier in its normal form.';
COMMENT ON COLUMN identifier_checks.entry_ordinal IS 'The reference entry that has it; NULL: it stands in the text.';
COMMENT ON COLUMN identifier_checks.standing IS 'found; not_found: every registry that covers it said no, one with the last word included; contradicted: it is registered for another work; retracted: retracted or withdrawn; unknown.';
COMMENT ON COLUMN identifier_checks.covered IS 'Whether anybody is asked about identifiers of this kind; an unknown counts only then.';
COMMENT ON COLUMN identifier_checks.reason IS 'Why, in a few words; NULL where it was found and nothing is wrong.';
COMMENT ON COLUMN identifier_checks.registry IS 'Who confirmed it.';
COMMENT ON COLUMN identifier_checks.registered_title IS 'The title that it is registered for.';
COMMENT ON COLUMN identifier_checks.alias_of IS 'The identifier that it stands for, where it is an alias.';
COMMENT ON COLUMN identifier_checks.title_check IS 'The title of the entry against the registered one: match, differs or not_given.';
COMMENT ON COLUMN identifier_checks.authors_check IS 'The same for the authors.';
COMMENT ON COLUMN identifier_checks.year_check IS 'The same for the year; of a line of prose it is recorded and holds nothing.';
COMMENT ON COLUMN identifier_checks.venue_check IS 'The same for the venue.';
COMMENT ON COLUMN identifier_checks.notices IS 'retracted, withdrawn, corrected, concern: what was said about the work after it was published.';
COMMENT ON COLUMN identifier_checks.relations IS 'Other forms of the work: preprint_of, has_preprint, version_of, alias_of, each with its identifier.';
COMMENT ON COLUMN identifier_checks.passage IS 'What points at it in the report: the label of the entry, or where it stands.';
COMMENT ON COLUMN identifier_checks.line IS 'Line of the rebuilt body, from 1; NULL outside of it.';
