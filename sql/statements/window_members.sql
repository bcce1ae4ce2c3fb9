-- description: Selects the reports of earlier batches that a batch of too few is judged together with, for one metric at
--   one stage: the latest first, until $needed of them are measured, at most 30 days back, of the same producer where
--   the batch names one, whatever was decided about them. A text that several batches hold counts once. A report
--   without a row counts as unknown; a batch that was never measured by this version of the metric is left out.
-- params: batch_id, metric, metric_version, stage, needed
WITH me AS (
    SELECT batch_id, producer, created_at FROM batches WHERE batch_id = $batch_id
),
own AS (
    SELECT content_fingerprint FROM reports WHERE batch_id = $batch_id
),
measured_batches AS (
    SELECT DISTINCT batch_id
    FROM report_metrics
    WHERE metric = $metric AND metric_version = $metric_version AND stage = $stage
),
earlier AS (
    SELECT
        r.batch_id, r.report_id, r.content_fingerprint,
        coalesce(m.validity, 'unknown') AS validity, m.value,
        row_number() OVER (ORDER BY b.created_at DESC, b.batch_id DESC, r.ordinal DESC) AS place
    FROM reports r
    JOIN batches b USING (batch_id)
    JOIN measured_batches USING (batch_id)
    JOIN me ON me.batch_id <> b.batch_id
        AND (me.producer IS NULL OR coalesce(b.producer, r.producer) = me.producer)
        AND (b.created_at, b.batch_id) < (me.created_at, me.batch_id)
        AND b.created_at >= me.created_at - INTERVAL 30 DAY
    LEFT JOIN report_metrics m
        ON m.batch_id = r.batch_id AND m.report_id = r.report_id AND m.metric = $metric
        AND m.metric_version = $metric_version AND m.stage = $stage
    WHERE r.content_fingerprint NOT IN (FROM own)
    QUALIFY row_number() OVER (
        PARTITION BY r.content_fingerprint ORDER BY b.created_at DESC, b.batch_id DESC, r.ordinal DESC
    ) = 1
),
counted AS (
    SELECT *, count(*) FILTER (validity = 'measured') OVER (
        ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS before
    FROM earlier
)
SELECT
    row_number() OVER (ORDER BY place)::INTEGER AS ordinal,
    batch_id AS member_batch_id, report_id AS member_report_id, content_fingerprint AS member_fingerprint,
    validity, value
FROM counted
WHERE before < $needed
ORDER BY ordinal
