"""arXiv identifiers in all their shapes.

Belongs here: reading one id out of text. Does not belong here: asking arXiv. Source of the shapes:
https://info.arxiv.org/help/arxiv_identifier.html; the archives include retired ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_ARCHIVES = (
    "acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas|cond-mat|cs|"
    "dg-ga|econ|eess|funct-an|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math|math-ph|mtrl-th|nlin|nucl-ex|nucl-th|"
    "patt-sol|physics|plasm-ph|q-alg|q-bio|q-fin|quant-ph|solv-int|stat|supr-con"
)
_NEW = r"(?P<new>\d{2}(?:0[1-9]|1[0-2])\.\d{4,5})"
_OLD = rf"(?P<archive>{_ARCHIVES})(?:\.(?P<subject>[A-Z][A-Za-z-]{{1,4}}))?/(?P<number>\d{{2}}(?:0[1-9]|1[0-2])\d{{3}})"
_VERSION = r"(?:v(?P<version>\d{1,2}))?"
_PREFIX = r"(?:\barxiv\s*(?:preprint)?\s*:?\s*(?:preprint\s*)?(?:arxiv\s*:\s*)?\[?|\b(?:www\.|export\.)?(?:arxiv\.org|alphaxiv\.org|ar5iv\.org|ar5iv\.labs\.arxiv\.org)/(?:abs|pdf|html|format|src|e-print|overview)/)"
_MIXED = rf"(?:(?:{_ARCHIVES})(?:\.[A-Za-z-]{{2,5}})?/)?"
_PREFIXED = re.compile(rf"{_PREFIX}(?:{_MIXED}{_NEW}|{_OLD}){_VERSION}(?![\d])", re.IGNORECASE)
_BARE_OLD = re.compile(rf"(?<![\w./-]){_OLD}{_VERSION}(?![\w/])")
_PLAIN = re.compile(rf"(?:{_MIXED}{_NEW}|{_OLD}){_VERSION}(?:\.pdf)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ArxivId:
    """One arXiv id: ``value`` names the work (no version, no subject class), the rest is what stood beside it."""

    value: str
    version: int | None
    subject: str | None
    start: int
    end: int


def parse_arxiv(text: str, position: int = 0) -> ArxivId | None:
    """Return the first arXiv id of ``text`` from ``position`` on, or None.

    A new-style id needs a prefix (``arXiv:``) or an arXiv address; the old style stands alone, its archive names it.
    """
    prefixed, bare = _PREFIXED.search(text, position), _BARE_OLD.search(text, position)
    found = [m for m in (prefixed, bare) if m is not None]
    return _id(min(found, key=lambda m: m.start())) if found else None


def normalise_arxiv(value: str) -> str | None:
    """Return the identity of an id that stands in a field of its own, with or without prefix and version, or None."""
    stripped = value.strip()
    match = _PLAIN.fullmatch(stripped)
    paper = _id(match) if match else parse_arxiv(stripped)
    return paper.value if paper else None


def _id(match: re.Match[str]) -> ArxivId:
    version = match["version"]
    groups = match.groupdict()
    if new := groups.get("new"):
        value, subject = new, None
    else:
        archive = match["archive"].lower()
        value = f"{archive}/{match['number']}"
        subject = f"{archive}.{match['subject'].upper()}" if match["subject"] else None
    return ArxivId(value, int(version) if version else None, subject, match.start(), match.end())
