-- description: The verdict on each batch that was evaluated: breach when a blocking clause is broken, else unknown
--   when one could not be determined, else pass. A batch without results has no row, and so no verdict.
-- needs: latest_results
-- columns:
--   batch_id: The batch.
--   verdict: pass, breach or unknown.
--   contract_version: The contract version that was evaluated last.
--   n_clauses: Clauses evaluated, in whatever mode.
--   n_blocking: Clauses in mode block.
--   n_breach: Blocking clauses that are broken.
--   n_unknown: Blocking clauses that could not be determined.
--   clauses_breached: Their names.
--   clauses_unknown: The names of those that could not be determined.
--   clauses_recorded: Clauses in mode record that are broken or could not be determined; they do not block.
--   batch_fingerprint: The state of the batch that was evaluated.
--   evaluated_at: When its latest clause was evaluated, in UTC.
-- unique: batch_id
-- not_null: batch_id, verdict, contract_version, n_clauses, n_breach, n_unknown, clauses_breached, evaluated_at
CREATE OR REPLACE VIEW batch_contract AS
SELECT
    batch_id,
    CASE WHEN n_breach > 0 THEN 'breach' WHEN n_unknown > 0 THEN 'unknown' ELSE 'pass' END AS verdict,
    contract_version, n_clauses, n_blocking, n_breach, n_unknown,
    clauses_breached, clauses_unknown, clauses_recorded, batch_fingerprint, evaluated_at
FROM (
    SELECT
        batch_id, contract_version, batch_fingerprint,
        count(*) AS n_clauses,
        count(*) FILTER (mode = 'block') AS n_blocking,
        count(*) FILTER (mode = 'block' AND verdict = 'breach') AS n_breach,
        count(*) FILTER (mode = 'block' AND verdict = 'unknown') AS n_unknown,
        coalesce(list(clause ORDER BY clause) FILTER (mode = 'block' AND verdict = 'breach'), []) AS clauses_breached,
        coalesce(list(clause ORDER BY clause) FILTER (mode = 'block' AND verdict = 'unknown'), []) AS clauses_unknown,
        coalesce(list(clause ORDER BY clause) FILTER (mode = 'record' AND verdict <> 'pass'), []) AS clauses_recorded,
        max(evaluated_at) AS evaluated_at
    FROM latest_results
    GROUP BY batch_id, contract_version, batch_fingerprint
);
