-- description: Fixes the input fingerprint of every report of one batch: what its file held, and the catalogue
--   snapshot that it is judged against.
-- params: batch_id
-- writes: reports
UPDATE reports
SET input_fingerprint = sha256(content_fingerprint || chr(10) || coalesce(b.snapshot_id, ''))
FROM batches b
WHERE reports.batch_id = $batch_id AND b.batch_id = $batch_id
    AND reports.input_fingerprint IS DISTINCT FROM sha256(content_fingerprint || chr(10) || coalesce(b.snapshot_id, ''))
