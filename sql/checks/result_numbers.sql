-- description: Numbers of results and decisions are given once, so that the latest one is certain.
SELECT 'contract_results' AS table_name, result_id AS number FROM contract_results
GROUP BY ALL HAVING count(*) > 1
UNION ALL
SELECT 'ingestion_decisions', decision_id FROM ingestion_decisions GROUP BY ALL HAVING count(*) > 1
