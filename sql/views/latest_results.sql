-- description: The results that stand for each batch: one row per clause of the contract version, and of the
--   state of the batch, that were evaluated last. Earlier ones stay in contract_results.
-- columns:
--   result_id: The number of the result.
--   batch_id: The batch.
--   contract_version: The contract version that was evaluated last.
--   batch_fingerprint: The state of the batch that was evaluated last.
--   clause: The clause.
--   metric: The metric that the clause looks at.
--   metric_version: Its version.
--   stage: shadow (as written) or rebuilt.
--   statistic: The statistic over the reports of the batch.
--   operator: How observed and threshold are compared.
--   threshold: What the contract asks for.
--   observed: What was measured; NULL when nothing was.
--   n: Reports measured.
--   n_absent: Reports with nothing to measure.
--   n_unknown: Reports that could not be measured.
--   verdict: pass, breach or unknown.
--   mode: block, record or off.
--   severity: How loudly to tell.
--   reason: One sentence.
--   worst_reports: At most ten report ids, worst first.
--   evaluated_at: When, in UTC.
--   clear_at: The value that ends an alert about this clause.
--   clear_needs: How many evaluations in succession must reach it.
--   n_window: How many of the n reports are of earlier batches, because the batch is small.
--   note: A remark beside the verdict; NULL when there is none.
-- unique: batch_id, clause
-- not_null: result_id, batch_id, contract_version, clause, verdict
CREATE OR REPLACE VIEW latest_results AS
WITH last_evaluation AS (
    SELECT batch_id, contract_version, batch_fingerprint
    FROM contract_results
    QUALIFY result_id = max(result_id) OVER (PARTITION BY batch_id)
)
SELECT
    result_id, batch_id, contract_version, batch_fingerprint, clause, metric, metric_version, stage, statistic,
    operator, threshold, observed, n, n_absent, n_unknown, verdict, mode, severity, reason, worst_reports,
    evaluated_at, clear_at, clear_needs, n_window, note
FROM contract_results
JOIN last_evaluation USING (batch_id, contract_version, batch_fingerprint)
QUALIFY result_id = max(result_id) OVER (PARTITION BY batch_id, clause);
