-- description: Once a batch has decisions, each of its reports has one.
SELECT batch_id, report_id FROM reports
SEMI JOIN latest_decisions USING (batch_id)
ANTI JOIN latest_decisions USING (batch_id, report_id)
