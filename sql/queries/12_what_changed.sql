-- description: Whose decision changed since the first one, and when?
SELECT batch_id, report_id, decision, previous, decided_at
FROM (
    SELECT *, lag(decision) OVER (PARTITION BY batch_id, report_id ORDER BY decision_id) AS previous
    FROM ingestion_decisions
)
WHERE previous <> decision
ORDER BY decision_id
