-- description: The last complete draft of every lead, verified or not, read from the Parquet files that lie beside the
--   warehouse.
-- columns:
--   batch_id: The batch.
--   lead_id: The lead.
--   end_state: How the loop over it ended.
--   body: The draft.
-- unique: batch_id, lead_id
-- not_null: batch_id, lead_id, end_state, body
CREATE OR REPLACE VIEW draft_bodies AS
SELECT d.batch_id, d.lead_id, d.end_state, p.body
FROM drafts d
JOIN read_parquet({bodies_glob}, filename = true) p
    ON p.report_id = d.lead_id AND p.stage = 'draft'
    AND regexp_extract(p.filename, 'bodies/[^/]+/[^/]+$') = d.body_file;
