-- description: What the rebuild of the reference tables was worth, batch by batch: the same measures as written and
--   after the rebuild. The versions of the inbound rate stand apart, for each is measured in its own way: compare
--   before and after of one version, never two versions. After a rebuild the rate is near 1 by construction.
-- needs: rebuild_paths
-- columns:
--   batch_id: The batch.
--   created_at: When the batch was made.
--   producer: Who wrote the reports.
--   n_reports: Reports in it.
--   inbound_p50_v1_before: Median inbound rate as written, titles matched exactly.
--   inbound_p50_v1_after: The same after the rebuild.
--   inbound_p50_v2_before: Median inbound rate as written, titles matched by containment (shown only).
--   inbound_p50_v2_after: The same after the rebuild.
--   inbound_p50_v3_before: Median inbound rate as written, titles matched by the safe tiers; gate and contract use it.
--   inbound_p50_v3_after: The same after the rebuild.
--   inbound_p10_v3_before: The inbound rate that nine in ten reports reach as written; by the safe tiers.
--   inbound_p10_v3_after: The same after the rebuild.
--   inbound_n_before: Reports whose inbound rate could be measured as written.
--   inbound_n_after: The same after the rebuild.
--   reports_rebuilt: Reports whose table was rebuilt.
--   reports_merged: Reports with few citations, whose table was kept and added to.
--   reports_left: Reports whose table was left as written.
--   reports_failed: Reports whose rebuild failed; they are delivered as written.
--   left_because: Why tables were merged or left: a list of {path, reason, reports}, most reports first.
--   entries_before: Reference entries as written.
--   entries_after: Reference entries after the rebuild.
--   dirty_before: Entries with residue, as written.
--   dirty_after: Entries with residue after the rebuild.
--   citations: Distinct citations as written.
--   citations_truncated: Those whose title is a cut form of a longer title of the catalogue.
--   fixed_closing: Share of the reports that end on a stock sentence; NULL where it was not measured.
--   method_honesty: Mean honesty of method claims; NULL where no claim could be checked.
--   deep_share: Mean share of cited sources with real content, after the rebuild; NULL where it was not measured.
--   blank_share: Mean share of cited sources with nothing behind them, after the rebuild; NULL likewise.
-- unique: batch_id
-- not_null: batch_id, n_reports, reports_rebuilt, reports_merged, reports_left, reports_failed, left_because
CREATE OR REPLACE VIEW batch_before_after AS
WITH figures AS (
    SELECT
        batch_id,
        max(value) FILTER (metric_version = 'v1' AND statistic = 'p50' AND stage = 'shadow') AS v1_before,
        max(value) FILTER (metric_version = 'v1' AND statistic = 'p50' AND stage = 'rebuilt') AS v1_after,
        max(value) FILTER (metric_version = 'v2' AND statistic = 'p50' AND stage = 'shadow') AS v2_before,
        max(value) FILTER (metric_version = 'v2' AND statistic = 'p50' AND stage = 'rebuilt') AS v2_after,
        max(value) FILTER (metric_version = 'v3' AND statistic = 'p50' AND stage = 'shadow') AS v3_before,
        max(value) FILTER (metric_version = 'v3' AND statistic = 'p50' AND stage = 'rebuilt') AS v3_after,
        max(value) FILTER (metric_version = 'v3' AND statistic = 'p10' AND stage = 'shadow') AS p10_before,
        max(value) FILTER (metric_version = 'v3' AND statistic = 'p10' AND stage = 'rebuilt') AS p10_after,
        max(n) FILTER (metric_version = 'v3' AND stage = 'shadow') AS n_before,
        max(n) FILTER (metric_version = 'v3' AND stage = 'rebuilt') AS n_after
    FROM batch_metrics
    WHERE metric = 'inbound_rate'
    GROUP BY batch_id
),
others AS (
    SELECT
        batch_id,
        max(value) FILTER (metric = 'fixed_closing' AND stage = 'shadow') AS fixed_closing,
        max(value) FILTER (metric = 'method_honesty' AND stage = 'shadow') AS method_honesty,
        max(value) FILTER (metric = 'deep_share' AND stage = 'rebuilt') AS deep_share,
        max(value) FILTER (metric = 'blank_share' AND stage = 'rebuilt') AS blank_share
    FROM batch_metrics
    WHERE statistic = 'mean' AND metric_version = 'v1'
    GROUP BY batch_id
),
paths AS (
    SELECT
        batch_id,
        sum(n_reports) FILTER (path = 'rebuilt') AS rebuilt,
        sum(n_reports) FILTER (path = 'merged') AS merged,
        sum(n_reports) FILTER (path = 'left') AS kept,
        sum(n_reports) FILTER (path = 'failed') AS failed,
        list({path: path, reason: reason, reports: n_reports} ORDER BY n_reports DESC, path, reason)
            FILTER (path <> 'rebuilt') AS because
    FROM rebuild_paths
    GROUP BY batch_id
),
entries AS (
    SELECT
        batch_id,
        count(*) FILTER (stage = 'shadow') AS total_before,
        count(*) FILTER (stage = 'rebuilt') AS total_after,
        count(*) FILTER (stage = 'shadow' AND len(dirty_reasons) > 0) AS dirty_before,
        count(*) FILTER (stage = 'rebuilt' AND len(dirty_reasons) > 0) AS dirty_after
    FROM reference_entries
    GROUP BY batch_id
),
cited AS (
    SELECT batch_id, count(*) AS total, count(*) FILTER (tier = 'truncated') AS truncated
    FROM resolutions
    WHERE stage = 'shadow' AND subject = 'citation'
    GROUP BY batch_id
)
SELECT
    b.batch_id, b.created_at, b.producer, b.n_reports,
    f.v1_before AS inbound_p50_v1_before, f.v1_after AS inbound_p50_v1_after,
    f.v2_before AS inbound_p50_v2_before, f.v2_after AS inbound_p50_v2_after,
    f.v3_before AS inbound_p50_v3_before, f.v3_after AS inbound_p50_v3_after,
    f.p10_before AS inbound_p10_v3_before, f.p10_after AS inbound_p10_v3_after,
    f.n_before AS inbound_n_before, f.n_after AS inbound_n_after,
    coalesce(p.rebuilt, 0)::BIGINT AS reports_rebuilt,
    coalesce(p.merged, 0)::BIGINT AS reports_merged,
    coalesce(p.kept, 0)::BIGINT AS reports_left,
    coalesce(p.failed, 0)::BIGINT AS reports_failed,
    coalesce(p.because, []) AS left_because,
    e.total_before AS entries_before, e.total_after AS entries_after,
    e.dirty_before, e.dirty_after,
    c.total AS citations, c.truncated AS citations_truncated,
    o.fixed_closing, o.method_honesty, o.deep_share, o.blank_share
FROM batches b
LEFT JOIN figures f USING (batch_id)
LEFT JOIN others o USING (batch_id)
LEFT JOIN paths p USING (batch_id)
LEFT JOIN entries e USING (batch_id)
LEFT JOIN cited c USING (batch_id);
