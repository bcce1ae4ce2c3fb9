-- description: A standing decision is about a report that is in the warehouse.
SELECT decision_id, batch_id, report_id FROM latest_decisions ANTI JOIN reports USING (batch_id, report_id)
