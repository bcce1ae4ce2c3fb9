-- description: What was recorded of the reading of an original tiles it: segments touch, start at 0 and end at
--   its length.
SELECT batch_id, report_id, ordinal, start_offset, end_offset, expected
FROM (
    SELECT s.*, r.body_chars,
        coalesce(lag(end_offset) OVER whole, 0) AS expected,
        lead(end_offset) OVER whole IS NULL AS is_last
    FROM segments s JOIN reports r USING (batch_id, report_id)
    WHERE s.stage = 'shadow'
    WINDOW whole AS (PARTITION BY batch_id, report_id ORDER BY ordinal)
)
WHERE start_offset <> expected OR end_offset < start_offset OR (is_last AND end_offset <> body_chars)
