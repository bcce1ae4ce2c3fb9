-- description: What language models answered, call by call, read from the Parquet files that lie beside the warehouse.
-- columns:
--   call_id: The call.
--   batch_id: The batch.
--   purpose: Who asked.
--   subject: What about.
--   called_at: When, in UTC.
--   body: The answer.
-- unique: call_id
-- not_null: call_id, batch_id, purpose, subject, called_at, body
CREATE OR REPLACE VIEW llm_answers AS
SELECT c.call_id, c.batch_id, c.purpose, c.subject, c.called_at, p.body
FROM llm_calls c
JOIN read_parquet({bodies_glob}, filename = true) p
    ON p.report_id = c.call_id AND p.stage = 'llm_call'
    AND regexp_extract(p.filename, 'bodies/[^/]+/[^/]+$') = c.text_file;
