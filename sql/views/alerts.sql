-- description: Alerts: one row for each change of state that a batch brought about, with what became of its message.
-- columns:
--   alert_id: The alert: the same change of the same batch has the same id.
--   kind: breach, unknown or recovery.
--   batch_id: The batch whose evaluation raised it.
--   producer: Whose batches it follows; NULL for batches without a producer.
--   clauses: The clauses that it speaks about.
--   title: Its title.
--   text: Its text, as it is sent.
--   raised_at: When it was raised, in UTC.
--   state: pending (to be sent, or sent again), sent, or skipped (not sent, on purpose).
--   reason: Why it is in this state.
--   attempts: Deliveries that were tried.
--   changed_at: When it came into this state, in UTC.
-- unique: alert_id
-- not_null: alert_id, kind, batch_id, clauses, title, text, raised_at, state, reason, attempts, changed_at
CREATE OR REPLACE VIEW alerts AS
SELECT
    alert_id, kind, batch_id, producer, clauses, title, text, raised_at, state, reason, attempts, changed_at
FROM alert_states
QUALIFY alert_state_id = max(alert_state_id) OVER (PARTITION BY alert_id);
