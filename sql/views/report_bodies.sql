-- description: The stored texts: one row per report and stage, read from the Parquet files that lie beside the
--   warehouse. A rebuilt row exists where the report was rebuilt.
-- columns:
--   batch_id: The batch.
--   report_id: The report.
--   stage: shadow (the original) or rebuilt.
--   body: The text.
--   body_file: Its file, relative to the home.
-- unique: batch_id, report_id, stage
-- not_null: batch_id, report_id, stage, body
CREATE OR REPLACE VIEW report_bodies AS
WITH named AS (
    SELECT batch_id, report_id, 'shadow' AS stage, body_file FROM reports WHERE body_file IS NOT NULL
    UNION ALL
    SELECT batch_id, report_id, 'rebuilt', body_file FROM rebuilds WHERE body_file IS NOT NULL
)
SELECT n.batch_id, n.report_id, n.stage, p.body, n.body_file
FROM named n
JOIN read_parquet({bodies_glob}, filename = true) p
    ON p.report_id = n.report_id AND p.stage = n.stage
    AND regexp_extract(p.filename, 'bodies/[^/]+/[^/]+$') = n.body_file;
