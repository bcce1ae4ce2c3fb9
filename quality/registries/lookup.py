"""Looking many identifiers up: the snapshot first, then what the cache knows, then the network, bounded and resumable.

Belongs here: the order, the number of askers, batches, the breaker of each registry. Does not belong here: the rule that
makes verdicts (``verdict``), protocols (``clients``), waiting (``manners``), storage.

Every answer is handed to the cache as it comes, so that a run that is interrupted at any point goes on where it stopped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, cast

from quality.model import Identifier
from quality.registries.answers import Answer, Found, Given, NotFound, Record, Unknown
from quality.registries.manners import Breaker, Clock, Courier
from quality.registries.transport import NoReply, Reply, Request, Send
from quality.registries.verdict import (
    Source,
    State,
    Verdict,
    aliased,
    conclude,
    in_other_form,
    next_source,
    other_form,
    ruled_out,
)

_LINGER = 0.02
"""Seconds that a batch waits for more identifiers."""
_NOT_THE_REGISTRYS_FAULT = frozenset(
    {"batch_refused", "malformed", "agency_not_covered", "inconsistent_response"}
)
LOCAL = "malformed identifier check"
OPEN_KINDS = frozenset({"url", "isbn"})
"""Kinds of which no corpus is closed: pages come and go, and of an ISBN only the check digit is judged."""


class Client(Protocol):
    """A registry that answers in one request and one reply; one that needs more has ``ask`` (see ``Asker``)."""

    name: str
    batch: int

    def request(self, identifiers: tuple[Identifier, ...]) -> Request:
        """The request that asks for these."""
        ...

    def read(self, identifiers: tuple[Identifier, ...], reply: Reply) -> dict[Identifier, Answer]:
        """The answers that its reply holds, one for each."""
        ...


class Asker(Protocol):
    """A registry that needs several requests for an answer."""

    name: str
    batch: int

    async def ask(self, identifiers: tuple[Identifier, ...], send: Send) -> dict[Identifier, Answer]:
        """The answers, one for each. NoReply may pass through."""
        ...


class Snapshot(Protocol):
    """Known works on this machine. Authoritative: what it does not hold does not exist, addresses apart."""

    name: str
    authoritative: bool

    def find(self, identifiers: Sequence[Identifier]) -> Mapping[Identifier, Record]:
        """The records of those that it holds."""
        ...


class Cache(Protocol):
    """Answers that were given before and still count."""

    def load(self, identifiers: Sequence[Identifier]) -> Mapping[Identifier, Sequence[Given]]:
        """The answers about these, of whatever registry."""
        ...

    def keep(self, given: Given) -> None:
        """Remember one."""
        ...


@dataclass(frozen=True, slots=True)
class Registry:
    """One row of the registry table: a client, the kinds that it is asked for, and how fast."""

    client: Client | Asker
    decides: frozenset[str] = frozenset()
    per_second: float | None = None
    at_once: int = 8
    breaks: bool = (
        True  # False: its answers come from many hosts, so one that is down says nothing about the rest
    )


@dataclass(slots=True)
class Outage:
    """A registry that stopped answering: one line in the log."""

    registry: str
    reason: str


@dataclass(slots=True)
class Lookup:
    """Looks identifiers up in what a home has configured.

    ``snapshots`` are asked first, then the registries that ``table`` names for the kind, in their order.
    """

    registries: Mapping[str, Registry]
    table: Mapping[str, Sequence[str]]
    snapshots: Sequence[Snapshot]
    cache: Cache
    courier: Courier
    clock: Clock
    concurrency: int = 32
    on_outage: Callable[[Outage], None] = lambda outage: None
    on_progress: Callable[[int, int], None] = lambda done, total: None
    breaker_failures: int = 5
    breaker_cool_off: float = 60.0
    _breakers: dict[str, Breaker] = field(default_factory=dict)
    _sources: dict[str, tuple[Source, ...]] = field(default_factory=dict)
    _batches: dict[str, _Batch] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def covers(self, kind: str) -> bool:
        """Whether anybody can be asked about this kind whose answer counts both ways."""
        return bool(self._sources_of(kind))

    async def look_up(self, identifiers: Iterable[Identifier]) -> dict[Identifier, Verdict]:
        """A verdict on each distinct identifier, in their order."""
        wanted = list(dict.fromkeys(identifiers))
        done: dict[Identifier, Verdict] = {}
        known = self._known(wanted)
        pending: list[Identifier] = []
        for one in wanted:
            verdict = self._settled(one, known[one])
            if verdict is None:
                pending.append(one)
            else:
                done[one] = verdict
        await self._ask_all(pending, known, done)
        return {one: done[one] for one in wanted}

    def _known(self, wanted: Sequence[Identifier]) -> dict[Identifier, list[Given]]:
        """What can be said without the network: by rule, by snapshot, by cache."""
        known: dict[Identifier, list[Given]] = {one: [] for one in wanted}
        now = self.clock()
        for snapshot in self.snapshots:
            records = snapshot.find([one for one in wanted if ruled_out(one) is None])
            for one in wanted:
                if one in records:
                    known[one].append(Given(snapshot.name, one, Found(records[one]), now))
                elif snapshot.authoritative and one.kind not in OPEN_KINDS and ruled_out(one) is None:
                    known[one].append(Given(snapshot.name, one, NotFound(), now))
        missing = [one for one in wanted if not any(isinstance(g.answer, Found) for g in known[one])]
        if missing and self.registries:
            cached = self.cache.load(missing)
            names = {kind: {s.name for s in self._sources_of(kind)} for kind in {one.kind for one in missing}}
            for one, given in cached.items():
                known[one] += [g for g in given if g.registry in names[one.kind]]
        return known

    def _settled(self, one: Identifier, given: list[Given]) -> Verdict | None:
        """The verdict, if what is known is enough for one; None: somebody has to be asked."""
        for one_given in given:
            if isinstance(one_given.answer, Found) and one_given.answer.record.has_metadata:
                return conclude(one, (), (one_given,) if len(given) == 1 else given)
        impossible = ruled_out(one)
        if impossible is not None:
            state = State.NOT_FOUND if isinstance(impossible, NotFound) else State.UNKNOWN
            detail = impossible.detail if isinstance(impossible, Unknown) else "its check digit is wrong"
            return Verdict(
                one, state, impossible.reason, detail, given=(Given(LOCAL, one, impossible, self.clock()),)
            )
        sources = self._sources_of(one.kind)
        if next_source(sources, {g.registry: g.answer for g in given}) is not None:
            return None
        verdict = conclude(one, sources, given)
        unfinished = verdict.alias_of is not None or (
            verdict.state is State.NOT_FOUND and other_form(one) is not None
        )
        return None if unfinished else verdict

    def _sources_of(self, kind: str) -> tuple[Source, ...]:
        if kind not in self._sources:
            every = frozenset({kind})
            local = tuple(
                Source(s.name, every) for s in self.snapshots if s.authoritative and kind not in OPEN_KINDS
            )
            remote = tuple(Source(name, self.registries[name].decides) for name in self.table.get(kind, ()))
            self._sources[kind] = local + remote
        return self._sources[kind]

    async def _ask_all(
        self,
        pending: Sequence[Identifier],
        known: dict[Identifier, list[Given]],
        done: dict[Identifier, Verdict],
    ) -> None:
        queue = iter(pending)
        total = len(done) + len(pending)

        async def work() -> None:
            for one in queue:
                done[one] = await self._one(one, known[one])
                self.on_progress(len(done), total)

        async with asyncio.TaskGroup() as group:
            for _ in range(min(self.concurrency, len(pending))):
                group.create_task(work())

    async def _one(self, one: Identifier, given: list[Given], depth: int = 0) -> Verdict:
        sources = self._sources_of(one.kind)
        while (source := next_source(sources, {g.registry: g.answer for g in given})) is not None:
            answer = await self._answer(self.registries[source.name], one)
            fresh = Given(source.name, one, answer, self.clock())
            given.append(fresh)
            self.cache.keep(fresh)
        verdict = conclude(one, sources, given)
        if depth:
            return verdict
        if verdict.alias_of is not None:
            return aliased(verdict, await self._other(verdict.alias_of))
        other = other_form(one)
        if verdict.state is State.NOT_FOUND and other is not None:
            return in_other_form(verdict, await self._other(other))
        return verdict

    async def _other(self, one: Identifier) -> Verdict:
        """The verdict on an identifier that another one leads to."""
        given = self._known([one])[one]
        return await self._one(one, given, depth=1)

    async def _answer(self, row: Registry, one: Identifier) -> Answer:
        if row.client.batch == 1:
            return (await self._ask(row, (one,)))[one]
        batch = self._batches.get(row.client.name)
        if batch is None or batch.closed:
            batch = self._batches[row.client.name] = _Batch()
            task = asyncio.create_task(self._run_batch(row, batch))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        waiting = batch.join(one, row.client.batch)
        return await waiting

    async def _run_batch(self, row: Registry, batch: _Batch) -> None:
        await batch.full_or(_LINGER)
        asked = tuple(batch.waiting)
        answers = await self._ask(row, asked)
        for one in asked:
            answer = answers[one]
            if isinstance(answer, Unknown) and answer.reason == "batch_refused":
                answers |= await self._ask(row, (one,))
        for one, future in batch.waiting.items():
            if not future.done():
                future.set_result(answers[one])

    async def _ask(self, row: Registry, asked: tuple[Identifier, ...]) -> dict[Identifier, Answer]:
        """Ask one registry; whatever goes wrong is an unknown of each."""
        breaker = self._breakers.setdefault(
            row.client.name,
            Breaker(clock=self.clock, failures=self.breaker_failures, cool_off=self.breaker_cool_off),
        )
        if row.breaks and not breaker.admits():
            return dict.fromkeys(
                asked, Unknown("registry_down", "it stopped answering; it is asked again later")
            )

        async def send(request: Request) -> Reply:
            return await self.courier.send(request, per_second=row.per_second, at_once=row.at_once)

        answers: dict[Identifier, Answer]
        try:
            answers = await _ask_client(row.client, asked, send)
        except NoReply as fault:
            answers = dict.fromkeys(asked, Unknown(fault.reason, fault.detail))
        except Exception as error:  # a reply that no client foresaw costs its identifiers, and is no answer
            answers = dict.fromkeys(asked, Unknown("client_fault", f"{type(error).__name__}: {error}"[:200]))
        silent = Unknown("inconsistent_response", "the reply says nothing about this identifier")
        answers = {one: answers.get(one, silent) for one in asked}
        if row.breaks:
            self._note(row.client.name, breaker, answers)
        return answers

    def _note(self, name: str, breaker: Breaker, answers: Mapping[Identifier, Answer]) -> None:
        faults = [
            a for a in answers.values() if isinstance(a, Unknown) and a.reason not in _NOT_THE_REGISTRYS_FAULT
        ]
        if breaker.note(answered=len(faults) < len(answers)):
            self.on_outage(Outage(name, faults[0].reason))


async def _ask_client(
    client: Client | Asker, asked: tuple[Identifier, ...], send: Send
) -> dict[Identifier, Answer]:
    ask = getattr(client, "ask", None)
    if ask is not None:
        answers: dict[Identifier, Answer] = await ask(asked, send)
        return answers
    single = cast("Client", client)  # what has no ``ask`` has ``request`` and ``read``
    return single.read(asked, await send(single.request(asked)))


class _Batch:
    """Identifiers that wait to be asked in one request."""

    def __init__(self) -> None:
        self.waiting: dict[Identifier, asyncio.Future[Answer]] = {}
        self.closed = False
        self._full = asyncio.Event()

    def join(self, one: Identifier, most: int) -> asyncio.Future[Answer]:
        future = self.waiting.get(one)
        if future is None:
            future = self.waiting[one] = asyncio.get_running_loop().create_future()
        if len(self.waiting) >= most:
            self.closed = True
            self._full.set()
        return future

    async def full_or(self, seconds: float) -> None:
        """Wait until the batch is full or nobody joined for a while, then take nobody in any more."""
        try:
            async with asyncio.timeout(seconds):
                await self._full.wait()
        except TimeoutError:
            pass
        self.closed = True
