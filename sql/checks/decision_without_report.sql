-- description: A standing decision to ingest is about a report that is in its batch; one that left it is held.
SELECT decision_id, batch_id, report_id, decision
FROM latest_decisions ANTI JOIN reports USING (batch_id, report_id)
WHERE decision = 'ingest'
