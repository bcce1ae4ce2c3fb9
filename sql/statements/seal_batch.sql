-- description: Fixes the fingerprint of one batch: that of its reports, in any order. NULL while a report has none.
-- params: batch_id
-- writes: batches
UPDATE batches
SET batch_fingerprint = (
    SELECT CASE
        WHEN count(*) = count(input_fingerprint) THEN
            sha256(coalesce(string_agg(
                length(report_id) || ':' || report_id || input_fingerprint, chr(10) ORDER BY report_id
            ), ''))
    END
    FROM reports WHERE reports.batch_id = $batch_id
)
WHERE batch_id = $batch_id
