-- description: What the rebuild did with the reports of each batch, and why: one row per batch, path and reason. A
--   report whose table was left or merged says why in words that are the same for every report of the kind; the
--   full sentence stands in rebuilds.
-- columns:
--   batch_id: The batch.
--   path: rebuilt, merged, left or failed.
--   reason: Why, without what is particular to one report; NULL for a table that was rebuilt, which is the rule.
--   n_reports: Reports that went this way.
--   entries_before: Their reference entries as written.
--   entries_after: Their reference entries after the rebuild.
--   n_canonical: Entries that the rebuild took from the catalogue.
--   n_as_written: Entries that it took from the report.
--   n_dangling: Citations that stay without an entry.
--   example: One of the reports, the first by its id.
-- unique: batch_id, path, reason
-- not_null: batch_id, path, n_reports
CREATE OR REPLACE VIEW rebuild_paths AS
SELECT
    batch_id, path,
    CASE WHEN path <> 'rebuilt' THEN split_part(reason, ':', 1) END AS reason,
    count(*) AS n_reports,
    sum(n_entries_before)::BIGINT AS entries_before,
    sum(n_entries_after)::BIGINT AS entries_after,
    sum(n_canonical)::BIGINT AS n_canonical,
    sum(n_as_written)::BIGINT AS n_as_written,
    sum(n_dangling)::BIGINT AS n_dangling,
    min(report_id) AS example
FROM rebuilds
GROUP BY ALL;
