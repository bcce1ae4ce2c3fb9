"""The gate of the drafting loop: code alone decides whether a draft is verified.

Belongs here: the rules, each with what offends and what is needed. Does not belong here: the loop, the sceptic, or the gate
that decides about incoming reports (``quality/gate``).

Rules (DESIGN section 11): at least one citation; every mark is one that code set; every statement rests on a span of a
source; every span and every quoted passage stands verbatim in the stored text; every identifier was looked up and is
found, right and not retracted; no source cited in the round before is dropped unless an objection was about it; no
objection is open.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from quality.citations.reader import read
from quality.citations.reconcile import reconcile
from quality.drafting.model import Draft, Objection, Raiser
from quality.drafting.sentences import clauses, is_statement, statements
from quality.model import Identifier, Source
from quality.registries.identifiers import find_identifiers
from quality.sources.own_table import match_own_table
from quality.text import is_cjk

_QUOTED = re.compile(
    r"“([^“”]{6,4000})”|\"([^\"\n]{12,4000})\"|「([^「」]{6,4000})」|『([^『』]{6,4000})』|«([^«»]{12,4000})»"
    r"|(?<!\w)‘([^‘\n]{12,4000}?)’(?!\w)"
)
_BLOCK_QUOTE = re.compile(r"^[ ]{0,3}>[^\n]*(?:\n[ ]{0,3}>[^\n]*)*", re.MULTILINE)
_MIN_QUOTE = 12
_MIN_QUOTE_CJK = 6
_HAND_MARK = re.compile(
    r"\\cite\w*\{[^{}\n]{0,200}\}|\[@[^\[\]\n]{1,200}\]"
    r"|[(（](?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6},)[A-Z\u4e00-\u9fff][^()（）\n\d]{1,60}"
    r"(?:[,，]|et al\.?|等)\s{0,3}(?:19|20)\d\d[a-z]?[)）]"
    r"|(?<=[a-z]{3})[¹²³⁰⁴-⁹]{1,3}|(?<=[.,。，])[¹²³⁰⁴-⁹]{1,3}"
)
_HIDDEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_SPACED_DOI = re.compile(r"\b(10\.\d{4,9})[ \t]{0,3}/[ \t]{0,3}(?=[^\s/])")
_INSTRUCTION = re.compile(
    r"\b(?:reviewers?|assistants?|language models?|graders?|checkers?|LLMs?|AI)\b[^.\n]{0,60}"
    r"\b(?:answer|reply|respond|return|approve|output|ignore|mark|give)\b"
    r"|\b(?:ignore|disregard|forget)\b[^.\n]{0,30}\b(?:previous|prior|above|earlier|all)\b[^.\n]{0,30}\binstructions?\b"
    r"|(?:忽略|无视)[^。\n]{0,12}(?:指令|指示|要求)|(?:审稿|评审|审阅)(?:人|者|模型)?[^。\n]{0,20}(?:请|必须|应当?)[^。\n]{0,12}(?:通过|批准|忽略)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Looked:
    """What looking an identifier up said.

    ``state`` is ``found``, ``not_found``, ``unknown``, ``contradicted`` or ``retracted``; ``not_checked`` where no configured
    registry covers the kind.
    """

    state: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Before:
    """What the gate needs of the round before: the sources cited there, and those that objections were about."""

    cited: tuple[str, ...] = ()
    objected: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Judged:
    """The gate's verdict: verified when there is no objection."""

    objections: tuple[Objection, ...]
    flags: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)

    @property
    def verified(self) -> bool:
        """Whether nothing speaks against the draft."""
        return not self.objections


def judge_draft(
    draft: Draft,
    sources: Sequence[Source],
    looked_up: Mapping[Identifier, Looked] | None,
    sceptic: Sequence[Objection],
    before: Before,
) -> Judged:
    """Apply every rule.

    Args:
        draft: to be judged.
        sources: that the writer was given, in the order of the documents, with their texts.
        looked_up: an answer for each of ``identifiers_of(draft)``; one that is missing counts as unknown. None: no
            registry is configured, the rule is off, and the flag ``identifiers_not_checked`` says so.
        sceptic: objections of the sceptic (and the judge): open until the next draft.
        before: the round before.
    """
    dropped = tuple(i for i in before.cited if i not in {s.source_id for s in draft.cited})
    objections = [
        *_evidence(draft),
        *(_identifiers(draft, looked_up) if looked_up is not None else ()),
        *_own_marks(draft),
        *_bare_statements(draft),
        *_spans(draft, sources),
        *_quotes(draft, sources),
        *_dropped(dropped, before),
        *sceptic,
    ]
    flags = [f"instruction_like_text_in_source:{s.source_id}" for s in sources if instruction_like(s.text)]
    flags += ["citations_dropped"] if dropped else []
    unchecked = looked_up is None or any(v.state == "not_checked" for v in looked_up.values())
    flags += ["identifiers_not_checked"] if unchecked else []
    return Judged(tuple(objections), tuple(flags), dropped)


def instruction_like(text: str | None) -> bool:
    """Whether a source's text speaks to a reviewer or a model. It is a flag for people: the gate obeys no text."""
    return bool(text and _INSTRUCTION.search(text))


def identifiers_of(draft: Draft) -> tuple[Identifier, ...]:
    """Identifiers that a draft stands on: those of the cited sources, and any that the writer names itself."""
    found: dict[Identifier, None] = {}
    for source in draft.cited:
        found |= dict.fromkeys(source_identifiers(source))
    found |= dict.fromkeys(i for i in find_identifiers(_unmasked(draft.written)) if i.kind != "url")
    return tuple(found)


def _unmasked(text: str) -> str:
    """Text with full-width and invisible characters, and spaces inside a DOI, as a reader takes them."""
    return _SPACED_DOI.sub(r"\1/", _HIDDEN.sub("", unicodedata.normalize("NFKC", text)))


def source_identifiers(source: Source) -> tuple[Identifier, ...]:
    """The identifiers of a source, plain addresses left out."""
    written = [f"doi:{source.doi}" if source.doi else "", f"PMID: {source.pmid}" if source.pmid else ""]
    written += [f"arXiv:{source.arxiv_id}" if source.arxiv_id else ""]
    return tuple(i for text in written for i in find_identifiers(text) if i.kind != "url")


def _gate(
    rule: str,
    point: str,
    *,
    passage: str | None = None,
    identifier: str | None = None,
    source_id: str | None = None,
) -> Objection:
    return Objection(Raiser.GATE, rule, point, passage, identifier, source_id)


def _evidence(draft: Draft) -> Iterator[Objection]:
    if not draft.written.strip():
        yield _gate("empty_draft", "The draft says nothing. Write it.")
    elif not draft.cited:
        yield _gate("no_evidence", "The draft cites nothing. Rest every statement on a source.")


def _own_marks(draft: Draft) -> Iterator[Objection]:
    """Marks that the writer set itself: they point at nothing that was checked."""
    reading = read(draft.written)
    reconciled = reconcile(reading, match_own_table)
    for cited in reconciled.cited:
        dangling = cited.entry is None and not cited.self_contained
        rule = "dangling_citation" if dangling else "own_citation"
        point = (
            f"The citation {cited.key!r} was written by hand and no source has this key."
            if dangling
            else f"The citation {cited.key!r} was written by hand. Cite the sources that were given, and nothing else."
        )
        yield _gate(rule, point, passage=cited.text or cited.key, identifier=cited.key)
    for match in _HAND_MARK.finditer(draft.written):
        yield _gate(
            "own_citation",
            f"The citation {match[0]!r} was written by hand. Cite the sources that were given, and nothing else.",
            passage=_around(draft.written, match.start(), match.end()),
            identifier=match[0],
        )
    known = {c.key for c in reconciled.cited}
    for match in re.finditer(r"\[(?P<key>[A-Za-z][\w:.-]{0,40})\](?!\()", draft.written):
        if match["key"] not in known:
            yield _gate(
                "unknown_source_key",
                f"No source has the key {match['key']!r}. Cite the sources that were given, and nothing else.",
                passage=_around(draft.written, match.start(), match.end()),
                identifier=match["key"],
            )


def _bare_statements(draft: Draft) -> Iterator[Objection]:
    """Statements that no cited block covers.

    A sentence may be cut into blocks: one of them with a span and a letter or figure in the sentence is enough for it, and
    not for what stands behind a semicolon and states something by itself.
    """
    cited = bytearray()  # 1 for each character of a cited block that is a letter or a figure
    for block in draft.blocks:
        cited += bytes(bool(block.spans) and c.isalnum() for c in block.text)
    text = draft.written
    for start, end, sentence in statements(text):
        bare = [(start, end, sentence)] if not any(cited[start:end]) else list(clauses(text, start, end))
        for a, b, said in bare:
            if is_statement(said) and not any(cited[a:b]):
                yield _gate(
                    "statement_without_source",
                    "No source carries this statement. Cite one, or leave it out.",
                    passage=said,
                )


def _spans(draft: Draft, sources: Sequence[Source]) -> Iterator[Objection]:
    for block in draft.blocks:
        for span in block.spans:
            source = sources[span.document] if 0 <= span.document < len(sources) else None
            text = (source.text or "") if source else ""
            if source is None or text[span.start : span.end] != span.text or not span.text.strip():
                yield _gate(
                    "span_not_in_source",
                    "The cited passage does not stand where it is said to stand.",
                    passage=span.text or block.text,
                    source_id=source.source_id if source else None,
                )


def _quotes(draft: Draft, sources: Sequence[Source]) -> Iterator[Objection]:
    texts = [_plain(s.text or "") for s in sources]
    for said in _quoted(draft.written):
        if not any(_plain(said).rstrip(".,;。，；") in text for text in texts):
            yield _gate(
                "quote_not_verbatim",
                "These words stand in no source. Quote exactly, or do not quote.",
                passage=said,
            )


def _quoted(text: str) -> Iterator[str]:
    """Passages that are quoted: in quotation marks, or as a block quote; none so short that it is a single term."""
    passages = [next(g for g in m.groups() if g) for m in _QUOTED.finditer(text)]
    for match in _BLOCK_QUOTE.finditer(text):
        lines = [line.strip(" >*_\r\t") for line in match[0].split("\n")]
        inside = " ".join(line for line in lines if not line.startswith(("—", "–", "-- ")))  # who said it
        passages += [] if _QUOTED.search(inside) else [inside]
    for said in passages:
        if len(said.strip()) >= _MIN_QUOTE or sum(map(is_cjk, said)) >= _MIN_QUOTE_CJK:
            yield said


def _plain(text: str) -> str:
    return " ".join(text.replace("’", "'").replace("‘", "'").split())


def _identifiers(draft: Draft, looked_up: Mapping[Identifier, Looked]) -> Iterator[Objection]:
    rules = {
        "not_found": ("identifier_not_found", "No registry has this identifier. Cite another source."),
        "contradicted": ("identifier_contradicted", "The identifier belongs to another work."),
        "retracted": ("identifier_retracted", "The work was retracted. Cite another source."),
        "unknown": ("identifier_unknown", "The identifier could not be looked up, which is no confirmation."),
    }
    by_identifier = {i: s for s in draft.cited for i in source_identifiers(s)}
    for identifier in identifiers_of(draft):
        looked = looked_up.get(identifier, Looked("unknown", "it was not looked up"))
        if looked.state in ("found", "not_checked"):
            continue
        rule, point = rules.get(looked.state, rules["unknown"])
        source = by_identifier.get(identifier)
        yield _gate(
            rule,
            f"{point} ({looked.detail})" if looked.detail else point,
            identifier=f"{identifier.kind}:{identifier.value}",
            source_id=source.source_id if source else None,
        )


def _dropped(dropped: Iterable[str], before: Before) -> Iterator[Objection]:
    for source_id in dropped:
        if source_id not in before.objected:
            yield _gate(
                "citations_dropped",
                "This source was cited in the round before, nobody objected to it, and now it is gone. Cite it again.",
                source_id=source_id,
            )


def _around(text: str, start: int, end: int) -> str:
    return " ".join(text[max(0, start - 60) : end + 20].split())
