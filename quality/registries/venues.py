"""Venues: journals and conferences under their names, abbreviations and acronyms.

Belongs here: telling whether two ways of writing name one venue, another one, or cannot be compared. Does not belong here: a
catalogue of the world's venues; the acronyms below are those whose letters do not follow from the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from quality.sources.keys import words
from quality.text import unescape

_NOISE = frozenset(
    "proceedings proc of the on in and for an a to annual international intl int conference conf symposium symp workshop ieee "
    "cvf acm ifip usenix siam meeting joint th st nd rd first second third fourth fifth sixth seventh eighth ninth "
    "tenth journal j transactions trans".split()
)
_ORDINAL = re.compile(r"(?:19|20)\d\d|\d+(?:st|nd|rd|th)?|[ivxl]+th")
_PREPRINT = re.compile(
    r"\b(?:arxiv|corr|biorxiv|medrxiv|chemrxiv|psyarxiv|ssrn|preprints?|techrxiv|openreview|research square|osf)\b",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"[({\[][^)}\]]*[)}\]]")
_SMALL = frozenset("of the on in and for an a to proceedings proc".split())
_ACRONYM = re.compile(r"\b([A-Z][A-Za-z]*[A-Z][A-Za-z]*|[A-Z]{2,})\b")
_KNOWN: dict[str, tuple[str, ...]] = {
    "neurips": ("neural information processing systems", "nips", "nips", "advances in neural information processing systems"),
    "icml": ("machine learning",),
    "iclr": ("learning representations",),
    "aaai": ("artificial intelligence aaai", "aaai artificial intelligence", "association for the advancement of artificial intelligence"),
    "ijcai": ("artificial intelligence ijcai", "international joint conference on artificial intelligence"),
    "cvpr": ("computer vision and pattern recognition",),
    "iccv": ("computer vision",),
    "eccv": ("european conference on computer vision",),
    "wacv": ("winter conference on applications of computer vision", "applications of computer vision"),
    "acl": ("association for computational linguistics", "annual meeting of the association for computational linguistics"),
    "naacl": ("north american chapter of the association for computational linguistics",),
    "eacl": ("european chapter of the association for computational linguistics",),
    "tacl": ("transactions of the association for computational linguistics",),
    "emnlp": ("empirical methods in natural language processing",),
    "coling": ("computational linguistics",),
    "aistats": ("artificial intelligence and statistics",),
    "uai": ("uncertainty in artificial intelligence",),
    "colt": ("learning theory", "computational learning theory"),
    "kdd": ("knowledge discovery and data mining", "knowledge discovery & data mining"),
    "sigir": ("research and development in information retrieval",),
    "www": ("world wide web", "web conference", "thewebconf"),
    "icra": ("robotics and automation",),
    "iros": ("intelligent robots and systems",),
    "corl": ("robot learning",),
    "interspeech": ("international speech communication association",),
    "icassp": ("acoustics speech and signal processing",),
    "chi": ("human factors in computing systems",),
    "jmlr": ("journal of machine learning research",),
    "tmlr": ("transactions on machine learning research",),
    "tpami": ("pattern analysis and machine intelligence", "pami"),
    "pnas": ("national academy of sciences", "proceedings of the national academy of sciences of the united states of america"),
    "jama": ("american medical association",),
    "bmj": ("british medical journal",),
    "nejm": ("new england journal of medicine",),
    "vldb": ("very large data bases", "vldb endowment", "pvldb"),
    "sigmod": ("management of data",),
    "icse": ("software engineering",),
    "ccs": ("computer and communications security",),
    "miccai": ("medical image computing and computer assisted intervention",),
}  # fmt: skip


def is_preprint(venue: str) -> bool:
    """Whether a venue is a preprint server."""
    return bool(_PREPRINT.search(venue))


def same_venue(claimed: str, known: Iterable[str]) -> bool | None:
    """Whether a claimed venue is one of the known ones; None when none of them can be compared with it.

    A preprint of a work that was published elsewhere is the same work, and a preprint server does not know where else a work
    appeared: neither says anything.
    """
    venues = [venue for venue in known if venue.strip()]
    if is_preprint(claimed):
        return True if any(is_preprint(v) for v in venues) else None
    said = [_same(_forms(claimed), _forms(venue)) for venue in venues if not is_preprint(venue)]
    if any(said):
        return True
    return False if said and all(s is False for s in said) else None


@dataclass(frozen=True, slots=True)
class _Forms:
    """A venue as written: its words without noise, its acronyms, the venues of the list above that it may be."""

    content: tuple[str, ...]
    acronyms: frozenset[str]
    is_acronym: bool
    known: frozenset[str]


@lru_cache(maxsize=4096)
def _forms(venue: str) -> _Forms:
    text = unescape(venue)
    bare = _BRACKETED.sub(" ", text)
    kept = [w for w in words(bare) if not _ORDINAL.fullmatch(w)]
    content = tuple([w for w in kept if w not in _NOISE] or kept)
    alone = len(content) == 1 and (bool(_ACRONYM.fullmatch(bare.strip())) or content[0] in _KNOWN)
    written = {w.lower() for w in _ACRONYM.findall(text)} - _NOISE
    initials = "".join(w[0] for w in kept if w not in _SMALL)
    acronyms = written | ({content[0]} if alone else {initials} if len(initials) > 2 else set())
    named = set() if alone else {" ".join(content)}
    known = frozenset().union(*(_NAMED.get(x, frozenset()) for x in (*acronyms, *named)))
    return _Forms(content, frozenset(acronyms), alone, known)


def _same(one: _Forms, other: _Forms) -> bool | None:
    if (
        one.content == other.content
        or one.acronyms & other.acronyms
        or _abbreviates(one.content, other.content)
    ):
        return True
    if one.known and other.known:
        return bool(one.known & other.known)
    if one.is_acronym == other.is_acronym:
        return False
    acronym = one if one.is_acronym else other
    written_out = other if acronym is one else one
    if any(_abbreviates(name, written_out.content) for key in acronym.known for name in _NAMES[key]):
        return True
    # all names of a known one are listed; another's name may be anything
    return False if acronym.known else None


def _abbreviates(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Whether the words of one are beginnings of the other's, one by one: Adv Neural Inf Process Syst."""
    return len(a) == len(b) > 0 and all(x.startswith(y) or y.startswith(x) for x, y in zip(a, b, strict=True))


def _content(name: str) -> str:
    kept = words(name)
    return " ".join([w for w in kept if w not in _NOISE] or kept)


def _by_name() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for key, names in _KNOWN.items():
        for name in (key, *map(_content, names)):
            found.setdefault(name, set()).add(key)
    return {name: frozenset(keys) for name, keys in found.items()}


_NAMED = _by_name()
_NAMES = {key: tuple(tuple(_content(name).split()) for name in names) for key, names in _KNOWN.items()}
