-- description: A report id stands once in its batch, and a batch once in the warehouse.
SELECT batch_id, report_id, count(*) AS n FROM reports GROUP BY ALL HAVING count(*) > 1
UNION ALL
SELECT batch_id, NULL, count(*) FROM batches GROUP BY ALL HAVING count(*) > 1
