-- description: A distinct catalogue is stored once, with as many sources as it says, and every batch points at one.
SELECT snapshot_id, 'stands more than once' AS fault FROM source_snapshots GROUP BY ALL HAVING count(*) > 1
UNION ALL
SELECT snapshot_id, 'holds ' || count(s.source_id) || ' sources, not ' || n.n_sources
FROM source_snapshots n LEFT JOIN sources s USING (snapshot_id)
GROUP BY snapshot_id, n.n_sources HAVING count(s.source_id) <> n.n_sources
UNION ALL
SELECT snapshot_id, 'is not stored, but batch ' || batch_id || ' points at it'
FROM batches ANTI JOIN source_snapshots USING (snapshot_id) WHERE snapshot_id IS NOT NULL
