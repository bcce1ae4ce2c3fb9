-- description: What was recorded of the reading of an original tiles it: segments touch, start at 0 and end at
--   its length.
WITH neighbours AS (
    SELECT
        s.batch_id, s.report_id, s.ordinal, s.start_offset, s.end_offset, r.body_chars,
        lag(s.end_offset, 1, 0::BIGINT) OVER (PARTITION BY s.batch_id, s.report_id ORDER BY s.ordinal) AS expected,
        lead(s.ordinal) OVER (PARTITION BY s.batch_id, s.report_id ORDER BY s.ordinal) IS NULL AS is_last
    FROM segments s JOIN reports r USING (batch_id, report_id)
    WHERE s.stage = 'shadow'
)
SELECT batch_id, report_id, ordinal, start_offset, end_offset, expected, body_chars
FROM neighbours
WHERE start_offset <> expected OR end_offset < start_offset OR (is_last AND end_offset <> body_chars)
