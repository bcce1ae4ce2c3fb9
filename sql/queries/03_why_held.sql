-- description: Which reports are held, by which rule, and what would let them in?
SELECT
    h.batch_id, h.report_id, r.reason ->> '$.rule' AS rule, r.reason ->> '$.observed' AS observed,
    r.reason ->> '$.needed' AS needed, r.reason ->> '$.passage' AS passage, (r.reason ->> '$.line')::INTEGER AS line
FROM held_reports h, unnest(h.reasons::JSON[]) AS r (reason)
ORDER BY ALL
