"""What changed: from the remembered states and one evaluation to new states and the messages to write.

Belongs here: the state machine of an alert. Does not belong here: reading rows, remembering, wording, sending.

An alert follows a clause over the batches of one producer, in the order of their evaluation. It fires once, at the first
breach (or unknown), and ends when ``clear_needs`` evaluations in succession pass and reach the recovery value; a value that
sways around its threshold in between tells nothing, and neither does one that comes and goes between breach and unknown. An evaluation that is what it was before is no evaluation: whoever
calls leaves it out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from quality.alerts.model import BatchView, Change, ClauseState, Draft, Kind, Observation, States
from quality.model import Verdict

_NEW = ClauseState()


def evaluate_batch(states: Mapping[str, ClauseState], view: BatchView) -> tuple[States, list[Draft]]:
    """Take one evaluation of a batch in; give the new states, and at most one draft of each kind."""
    after = dict(states)
    told: dict[Kind, list[Change]] = {kind: [] for kind in Kind}
    still: dict[Kind, list[Change]] = {kind: [] for kind in Kind}
    for seen in view.observations:
        before = states.get(seen.clause, _NEW)
        now, kind, fresh = _step(before, seen, view)
        after[seen.clause] = now
        if kind is not None:
            (told if fresh else still)[kind].append(_change(before, seen, kind, view.batch_id))
    drafts = [
        Draft(kind, view.batch_id, view.producer, view.n_reports, tuple(told[kind]), tuple(still[kind]))
        for kind in Kind
        if told[kind] or still[kind]
    ]
    return after, drafts


def _step(state: ClauseState, seen: Observation, view: BatchView) -> tuple[ClauseState, Kind | None, bool]:
    """Give the new state, what there is to tell of it, and whether that is new."""
    now, batch_id = state, view.batch_id
    if seen.observed is not None:
        now = replace(now, value=seen.observed, batch=batch_id, metric_version=seen.metric_version)
    if seen.verdict is Verdict.BREACH:
        fresh = state.breach_since is None
        now = replace(
            now,
            breach_since=batch_id if fresh else state.breach_since,
            clear=0,
            kept=_with(state.kept, batch_id),
            order=max(state.order, view.order),
        )
        return now, Kind.BREACH, fresh
    if seen.verdict is Verdict.UNKNOWN:
        fresh = state.unknown_since is None
        now = replace(
            now,
            unknown_since=batch_id if fresh else state.unknown_since,
            clear=0,
            kept=_with(state.kept, batch_id),
            order=max(state.order, view.order),
        )
        return now, Kind.UNKNOWN, fresh
    return _pass(now, seen, view)


def _pass(now: ClauseState, seen: Observation, view: BatchView) -> tuple[ClauseState, Kind | None, bool]:
    """Step on a pass: it may end an alert, or count towards its end."""
    standing = now.breach_since is not None or now.unknown_since is not None
    if (
        not standing or view.order < now.order
    ):  # an older batch that passes says nothing about the one that broke
        return now, None, False
    if now.breach_since is not None and not _reaches(seen):
        return replace(now, clear=0), None, False
    if now.clear + 1 < seen.clear_needs:
        return replace(now, clear=now.clear + 1), None, False
    ended = replace(now, breach_since=None, unknown_since=None, clear=0, kept=(), order=0)
    return ended, Kind.RECOVERY, True


def _reaches(seen: Observation) -> bool:
    """Whether a value that passes is also good enough to end the alert."""
    if seen.observed is None:
        return True
    if seen.operator in (">=", ">"):
        return seen.observed >= seen.recovery
    if seen.operator in ("<=", "<"):
        return seen.observed <= seen.recovery
    return True


def _change(state: ClauseState, seen: Observation, kind: Kind, batch_id: str) -> Change:
    comparable = state.metric_version == seen.metric_version and state.value is not None
    since = state.unknown_since if kind is Kind.UNKNOWN else state.breach_since or state.unknown_since
    return Change(
        observation=seen,
        previous=state.value if comparable else None,
        previous_batch=state.batch if comparable else None,
        since=since,
        kept=tuple(i for i in state.kept if i != batch_id),
    )


def _with(batches: tuple[str, ...], batch_id: str) -> tuple[str, ...]:
    return batches if batch_id in batches else (*batches, batch_id)
