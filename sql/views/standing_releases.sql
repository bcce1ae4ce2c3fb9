-- description: The releases that stand: what a person released and nobody withdrew. A release is good for the input that
--   it was given for; a report that changes is judged anew.
-- columns:
--   batch_id: The batch.
--   report_id: The report.
--   input_fingerprint: The input that was released.
--   who: The person.
--   why: The reason that the person gave.
--   recorded_at: When, in UTC.
-- unique: batch_id, report_id, input_fingerprint
-- not_null: batch_id, report_id, input_fingerprint, who, why
CREATE OR REPLACE VIEW standing_releases AS
SELECT batch_id, report_id, input_fingerprint, who, why, recorded_at
FROM (
    SELECT * FROM releases
    QUALIFY release_id = max(release_id) OVER (PARTITION BY batch_id, report_id, input_fingerprint)
)
WHERE action = 'release';
