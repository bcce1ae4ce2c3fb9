-- description: Inserts fixed_closing v1 of one batch: 1 for a report whose closing is on the known list, or is the
--   same as, or made after the same frame as, that of at least 3 reports and 5 % of the batch; else 0. A report
--   without prose is absent, one that could not be read or audited unknown.
-- params: batch_id
-- writes: report_metrics
INSERT INTO report_metrics BY NAME
WITH batch AS (
    SELECT count(*) AS total FROM reports WHERE batch_id = $batch_id
),
alike AS (
    SELECT
        report_id, kind,
        greatest(
            count(*) OVER (PARTITION BY closing_key),
            count(frame) OVER (PARTITION BY frame)
        ) AS n_alike
    FROM closings WHERE batch_id = $batch_id
),
audited AS (
    SELECT DISTINCT report_id FROM segments WHERE batch_id = $batch_id AND stage = 'shadow'
),
judged AS (
    SELECT
        r.report_id, r.input_fingerprint, r.status, a.kind, a.n_alike,
        a.n_alike >= 3 AND a.n_alike >= 0.05 * batch.total AS recurs,
        CASE
            WHEN a.report_id IS NOT NULL THEN 'measured'
            WHEN r.status <> 'read' OR (audited.report_id IS NULL AND r.body_chars > 0) THEN 'unknown'
            ELSE 'absent'
        END AS validity
    FROM reports r
    CROSS JOIN batch
    LEFT JOIN alike a USING (report_id)
    LEFT JOIN audited USING (report_id)
    WHERE r.batch_id = $batch_id
)
SELECT
    $batch_id::VARCHAR AS batch_id, report_id, 'shadow' AS stage,
    'fixed_closing' AS metric, 'v1' AS metric_version,
    CASE WHEN validity = 'measured' THEN (kind IS NOT NULL OR recurs)::INTEGER::DOUBLE END AS value,
    validity,
    CASE
        WHEN validity = 'unknown' AND status <> 'read' THEN 'the report is unreadable'
        WHEN validity = 'unknown' THEN 'the report was not audited'
        WHEN validity = 'absent' THEN 'the report has no prose'
        WHEN kind IS NOT NULL AND recurs THEN kind || '; closes ' || n_alike || ' reports of the batch'
        WHEN kind IS NOT NULL THEN kind
        WHEN recurs THEN 'closes ' || n_alike || ' reports of the batch'
    END AS detail,
    input_fingerprint
FROM judged
ORDER BY report_id
