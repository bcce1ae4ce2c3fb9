-- description: How did each batch end, and what of it reached its readers and the knowledge base?
SELECT
    b.batch_id, b.created_at, b.n_reports, c.verdict, c.clauses_breached,
    count(s.delivered_file) AS delivered,
    count(*) FILTER (s.in_knowledge_base) AS in_knowledge_base,
    count(*) FILTER (s.decision = 'hold') AS held
FROM batches b
LEFT JOIN batch_contract c USING (batch_id)
LEFT JOIN report_scorecard s USING (batch_id)
GROUP BY ALL
ORDER BY b.created_at, b.batch_id
