-- description: Which reports cite the most works that their own table does not hold, as they were written?
SELECT batch_id, report_id, title, citations, inbound_rate_shadow, dangling_after
FROM report_scorecard
WHERE inbound_rate_shadow < 1
ORDER BY inbound_rate_shadow, citations DESC, batch_id, report_id
LIMIT 20
