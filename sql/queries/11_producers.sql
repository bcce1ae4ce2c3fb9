-- description: Which producers write the soundest reference tables?
SELECT
    coalesce(producer, '(not said)') AS producer, count(*) AS reports,
    median(inbound_rate_shadow) AS inbound_p50, sum(dirty_entries_shadow)::BIGINT AS dirty_entries,
    avg((decision = 'ingest')::INTEGER) AS ingested_share
FROM report_scorecard
GROUP BY ALL
ORDER BY inbound_p50 DESC NULLS LAST, producer
