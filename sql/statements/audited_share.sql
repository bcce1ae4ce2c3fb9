-- description: Records per report of one batch the share of the characters of the stored original that lie in exactly one
--   segment of what the reader saw, against the length that was counted at load. A gap, an overlap and a segment
--   outside the original each make it less than 1. Empty original: absent; unreadable report, or one that was
--   never read: unknown.
-- params: batch_id
-- writes: report_metrics
INSERT INTO report_metrics BY NAME
WITH spans AS (
    SELECT
        report_id, start_offset, end_offset, body_chars,
        greatest(0, least(start_offset, body_chars)) AS inside_start,
        greatest(0, least(end_offset, body_chars)) AS inside_end
    FROM segments JOIN reports USING (batch_id, report_id)
    WHERE batch_id = $batch_id AND stage = 'shadow' AND status = 'read'
),
outside AS (
    SELECT
        report_id,
        count(*) AS n_segments,
        sum(greatest(0, -start_offset) + greatest(0, end_offset - body_chars)
            + greatest(0, start_offset - end_offset)) AS chars
    FROM spans GROUP BY report_id
),
edges AS (
    SELECT report_id, position, sum(step) AS step
    FROM (
        SELECT report_id, inside_start AS position, 1 AS step FROM spans WHERE inside_start < inside_end
        UNION ALL
        SELECT report_id, inside_end, -1 FROM spans WHERE inside_start < inside_end
    )
    GROUP BY report_id, position
),
depths AS (
    SELECT
        report_id,
        sum(step) OVER (PARTITION BY report_id ORDER BY position) AS depth,
        lead(position) OVER (PARTITION BY report_id ORDER BY position) - position AS width
    FROM edges
),
once AS (
    SELECT report_id, sum(width) AS chars FROM depths WHERE depth = 1 GROUP BY report_id
),
counted AS (
    SELECT
        r.report_id,
        CASE
            WHEN r.status <> 'read' OR r.body_chars IS NULL THEN 'unknown'
            WHEN r.body_chars = 0 THEN 'absent'
            WHEN outside.n_segments IS NULL THEN 'unknown'
            ELSE 'measured'
        END AS validity,
        r.status, r.body_chars, r.input_fingerprint,
        greatest(0, coalesce(once.chars, 0) - outside.chars)::DOUBLE AS audited
    FROM reports r
    LEFT JOIN outside USING (report_id)
    LEFT JOIN once USING (report_id)
    WHERE r.batch_id = $batch_id
)
SELECT
    $batch_id::VARCHAR AS batch_id, report_id, 'shadow' AS stage,
    'audited_share' AS metric, 'v1' AS metric_version,
    CASE WHEN validity = 'measured' THEN audited / body_chars END AS value,
    CASE WHEN validity = 'measured' THEN audited END AS numerator,
    CASE WHEN validity = 'measured' THEN body_chars::DOUBLE END AS denominator,
    validity,
    CASE
        WHEN validity = 'absent' THEN 'the original is empty'
        WHEN validity = 'unknown' AND status <> 'read' THEN 'the report is unreadable'
        WHEN validity = 'unknown' THEN 'no segments were recorded'
        WHEN audited < body_chars THEN (body_chars - audited)::BIGINT || ' characters not read exactly once'
    END AS detail,
    input_fingerprint
FROM counted
ORDER BY report_id
