-- description: One row per report: its numbers before and after the rebuild, the path of the rebuild, the latest
--   decision and the delivered file. A number is NULL when it is absent or unknown; report_metrics says which.
-- needs: latest_decisions, kb_documents
-- columns:
--   batch_id: The batch.
--   report_id: The report.
--   title: Its title.
--   producer: Who wrote it.
--   language: Its language.
--   status: read, or unreadable.
--   citations: Distinct citations as written.
--   inbound_rate_shadow: Share of distinct citations that have an entry, as written; inbound_rate v3.
--   inbound_rate_rebuilt: The same after the rebuild, where it is near 1 by construction.
--   cited: 1 when the rebuilt report has at least one citation with an entry, else 0.
--   dirty_entries_shadow: Entries with residue, as written.
--   dirty_entries_rebuilt: Entries with residue after the rebuild.
--   rebuild_path: rebuilt, merged, left or failed.
--   entries_before: Reference entries as written.
--   entries_after: Reference entries after the rebuild.
--   dangling_after: Citations that stay without an entry.
--   decision: ingest or hold; NULL before the first decision.
--   rules: The rules that hold it, each once.
--   would_hold: Rules that only record and would hold it, each once.
--   in_knowledge_base: Whether the knowledge base shows it.
--   delivered_file: The delivered file, relative to the home; NULL when it was not delivered yet.
--   delivery_state: pending, final or incomplete.
-- unique: batch_id, report_id
-- not_null: batch_id, report_id, status, in_knowledge_base
CREATE OR REPLACE VIEW report_scorecard AS
WITH numbers AS (
    SELECT
        batch_id, report_id,
        max(value) FILTER (metric = 'citation_count' AND metric_version = 'v1' AND stage = 'shadow') AS citations,
        max(value) FILTER (metric = 'inbound_rate' AND metric_version = 'v3' AND stage = 'shadow') AS inbound_shadow,
        max(value) FILTER (metric = 'inbound_rate' AND metric_version = 'v3' AND stage = 'rebuilt') AS inbound_rebuilt,
        max(value) FILTER (metric = 'cited' AND metric_version = 'v1' AND stage = 'rebuilt') AS cited,
        max(value) FILTER (metric = 'dirty_entries' AND metric_version = 'v1' AND stage = 'shadow') AS dirty_shadow,
        max(value) FILTER (metric = 'dirty_entries' AND metric_version = 'v1' AND stage = 'rebuilt') AS dirty_rebuilt
    FROM report_metrics
    GROUP BY batch_id, report_id
)
SELECT
    r.batch_id, r.report_id, r.title, r.producer, r.language, r.status,
    n.citations::INTEGER AS citations,
    n.inbound_shadow AS inbound_rate_shadow,
    n.inbound_rebuilt AS inbound_rate_rebuilt,
    n.cited::INTEGER AS cited,
    n.dirty_shadow::INTEGER AS dirty_entries_shadow,
    n.dirty_rebuilt::INTEGER AS dirty_entries_rebuilt,
    b.path AS rebuild_path,
    b.n_entries_before AS entries_before,
    b.n_entries_after AS entries_after,
    b.n_dangling AS dangling_after,
    d.decision,
    list_sort(list_distinct(json_extract_string(d.reasons, '$[*].rule'))) AS rules,
    list_sort(list_distinct(json_extract_string(d.would_hold, '$[*].rule'))) AS would_hold,
    k.document_id IS NOT NULL AS in_knowledge_base,
    f.file AS delivered_file,
    f.state AS delivery_state
FROM reports r
LEFT JOIN numbers n USING (batch_id, report_id)
LEFT JOIN rebuilds b USING (batch_id, report_id)
LEFT JOIN latest_decisions d
    ON (d.batch_id, d.report_id, d.input_fingerprint) = (r.batch_id, r.report_id, r.input_fingerprint)
LEFT JOIN kb_documents k
    ON (k.batch_id, k.report_id, k.input_fingerprint) = (r.batch_id, r.report_id, r.input_fingerprint)
LEFT JOIN deliveries f USING (batch_id, report_id);
