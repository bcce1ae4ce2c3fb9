-- description: Rows about a report belong to a report that is in the warehouse, and a report to a batch.
SELECT 'reports' AS table_name, batch_id, report_id FROM reports ANTI JOIN batches USING (batch_id)
UNION ALL
SELECT DISTINCT 'report_metrics', batch_id, report_id FROM report_metrics ANTI JOIN reports USING (batch_id, report_id)
UNION ALL
SELECT DISTINCT 'citations', batch_id, report_id FROM citations ANTI JOIN reports USING (batch_id, report_id)
UNION ALL
SELECT DISTINCT 'reference_entries', batch_id, report_id
FROM reference_entries ANTI JOIN reports USING (batch_id, report_id)
UNION ALL
SELECT 'rebuilds', batch_id, report_id FROM rebuilds ANTI JOIN reports USING (batch_id, report_id)
UNION ALL
SELECT 'deliveries', batch_id, report_id FROM deliveries ANTI JOIN reports USING (batch_id, report_id)
UNION ALL
SELECT DISTINCT 'identifier_checks', batch_id, report_id FROM identifier_checks ANTI JOIN reports USING (batch_id, report_id)
