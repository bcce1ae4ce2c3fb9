-- description: Drafts of our own loop, round by round.

CREATE TABLE drafts (
    batch_id VARCHAR NOT NULL,
    lead_id VARCHAR NOT NULL,
    ordinal INTEGER NOT NULL,
    question VARCHAR NOT NULL,
    end_state VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    n_rounds INTEGER NOT NULL,
    n_sources INTEGER NOT NULL,
    n_cited INTEGER,
    n_open INTEGER NOT NULL,
    open_objections JSON NOT NULL,
    calls JSON NOT NULL,
    cost DOUBLE,
    prompt_versions VARCHAR[] NOT NULL,
    body_file VARCHAR,
    report_id VARCHAR,
    rejected_file VARCHAR,
    notice_file VARCHAR
);
COMMENT ON TABLE drafts IS 'Drafts of our own loop. One row per batch and lead.';
COMMENT ON COLUMN drafts.batch_id IS 'The batch.';
COMMENT ON COLUMN drafts.lead_id IS 'The lead that the draft answers.';
COMMENT ON COLUMN drafts.ordinal IS 'Position of the lead in its file, from 0.';
COMMENT ON COLUMN drafts.question IS 'What the lead asks.';
COMMENT ON COLUMN drafts.end_state IS 'verified, cap_reached, no_progress, refused, budget, truncated or error; only the gate reaches verified.';
COMMENT ON COLUMN drafts.reason IS 'Why the loop ended there, in one sentence.';
COMMENT ON COLUMN drafts.n_rounds IS 'Rounds begun.';
COMMENT ON COLUMN drafts.n_sources IS 'Sources that the writer was given.';
COMMENT ON COLUMN drafts.n_cited IS 'Sources that the last complete draft cites; NULL: there is none.';
COMMENT ON COLUMN drafts.n_open IS 'Objections that are open at the end.';
COMMENT ON COLUMN drafts.open_objections IS 'These: raised_by, rule, point, passage, identifier, source_id, severity.';
COMMENT ON COLUMN drafts.calls IS 'Calls by purpose.';
COMMENT ON COLUMN drafts.cost IS 'Cost of all its calls; NULL where one of them has no price.';
COMMENT ON COLUMN drafts.prompt_versions IS 'Names and versions of the instructions.';
COMMENT ON COLUMN drafts.body_file IS 'Parquet file with the last complete draft, relative to the home; NULL: there is none.';
COMMENT ON COLUMN drafts.report_id IS 'The report that a verified draft became; NULL: it became none.';
COMMENT ON COLUMN drafts.rejected_file IS 'Where an unverified draft lies for the operator, relative to the home.';
COMMENT ON COLUMN drafts.notice_file IS 'The failure notice for whoever asked, relative to the home.';

CREATE TABLE draft_rounds (
    batch_id VARCHAR NOT NULL,
    lead_id VARCHAR NOT NULL,
    round INTEGER NOT NULL,
    sceptic VARCHAR NOT NULL,
    verified BOOLEAN NOT NULL,
    objections JSON NOT NULL,
    flags VARCHAR[] NOT NULL,
    dropped VARCHAR[] NOT NULL,
    aimed BOOLEAN NOT NULL,
    changed_elsewhere INTEGER NOT NULL,
    diff VARCHAR NOT NULL,
    n_cited INTEGER
);
COMMENT ON TABLE draft_rounds IS 'Rounds of the drafting loop. One row per batch, lead and round.';
COMMENT ON COLUMN draft_rounds.batch_id IS 'The batch.';
COMMENT ON COLUMN draft_rounds.lead_id IS 'The lead.';
COMMENT ON COLUMN draft_rounds.round IS 'Number of the round, from 1.';
COMMENT ON COLUMN draft_rounds.sceptic IS 'What the sceptic said: approve, reject, error or not_asked.';
COMMENT ON COLUMN draft_rounds.verified IS 'Whether the gate verified the draft of this round.';
COMMENT ON COLUMN draft_rounds.objections IS 'Objections of sceptic, gate and judge, as in drafts.open_objections.';
COMMENT ON COLUMN draft_rounds.flags IS 'What people should know and no rule decides, such as instruction-like text in a source.';
COMMENT ON COLUMN draft_rounds.dropped IS 'Sources cited in the round before and no more.';
COMMENT ON COLUMN draft_rounds.aimed IS 'Whether the writer was re-prompted at objections that came again.';
COMMENT ON COLUMN draft_rounds.changed_elsewhere IS 'Lines that changed and no objection was about.';
COMMENT ON COLUMN draft_rounds.diff IS 'What changed since the round before, as a unified diff without context.';
COMMENT ON COLUMN draft_rounds.n_cited IS 'Sources that the draft cites; NULL: the round has no draft.';
