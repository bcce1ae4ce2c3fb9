"""Identifiers out of text, each normalised to one identity: DOI, short DOI, PMID, PMCID, arXiv, ISBN, URL.

Belongs here: finding and normalising, offline. Does not belong here: asking whether an identifier exists (the clients),
and comparing pages (``quality.sources.index``). Nothing is invented: a bare number is no identifier.

Shapes of the values: ``doi`` lower case without prefix; ``shortdoi`` ``10/abc``; ``pmid`` digits; ``pmcid`` ``PMC`` and
digits; ``arxiv`` without version, the old style without subject class; ``isbn`` 13 digits (as written, hyphens off, when
the check digit is wrong: see ``isbn_is_valid``); ``url`` as ``normalise_url`` gives it. An address that carries one of the
others (doi.org, a publisher's landing page, arxiv.org, PubMed) is that identifier and not a ``url`` as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import unquote

from quality.model import Identifier
from quality.registries.arxiv import parse_arxiv
from quality.registries.isbn import normalise_isbn
from quality.registries.urls import iter_urls, normalise_url
from quality.text import unescape

_DOI_BODY = r"10\.\d{4,9}(?:\.\d+)*/[^\s\"“”‘’…，。；、（）【】《》「」]+"
_DOI = re.compile(_DOI_BODY, re.IGNORECASE)
_WHOLE_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+")
_DOI_PREFIX = re.compile(
    r"^(?:https?://)?(?:(?:dx|www)\.)?(?:doi\.org/|info:doi/|doi\s*:?\s*)", re.IGNORECASE
)
_SHORT_DOI = re.compile(r"(?:\bdoi\s*:\s*|\bdoi\.org/)(10/[a-z0-9]{2,})(?![\w./-])", re.IGNORECASE)
_MARKUP = re.compile(r"</|<[a-z]+\s*/?>|\]\(|[;,]\s*(?:https?:|doi:|10\.\d{4,9}/)", re.IGNORECASE)
_VIEW = re.compile(
    r"(?:/(?:pdf|epdf|full|fulltext|full-text|full/html|abstract|abs|html|meta|summary|references|figures|citations?|pdfdirect|tables|suppl_file/.*)"
    r"|\.(?:pdf|full|html?|full\.pdf|full-text|abstract|short))+/?$",
    re.IGNORECASE,
)
_PREPRINT_VERSION = re.compile(
    r"^(10\.(?:1101|64898)/[\d.]+?)(?:v\d+)?(?:\.(?:full|abstract|article)[\w.-]*)?$", re.IGNORECASE
)
_OUP_ARTICLE = re.compile(r"/\d{5,}$")
_PMID = re.compile(
    r"\bPMID\s*:?\s*(\d{1,8})\b"
    r"|pubmed\.ncbi\.nlm\.nih\.gov/(\d{1,8})\b"
    r"|ncbi\.nlm\.nih\.gov/(?:m/)?pubmed/(?:\?term=)?(\d{1,8})\b"
    r"|/pmc/articles/pmid/(\d{1,8})\b"
    r"|europepmc\.org/(?:article|abstract)/med/(\d{1,8})\b",
    re.IGNORECASE,
)
_PMCID = re.compile(
    r"\bPMC\s?:?\s?(\d{4,9})\b|europepmc\.org/(?:article|abstract|articles)/pmc/(?:PMC)?(\d{4,9})\b",
    re.IGNORECASE,
)
_ISBN = re.compile(
    r"\bISBN(?:[-\s]?1[03])?\s*[:：]?\s*((?:97[89][-–\s]?)?\d(?:[-–\s]?\d){8}[-–\s]?[\dXx])(?![\d-])"
    r"|(?<![\d-])(97[89]-\d{1,5}-\d{1,7}-\d{1,7}-\d)(?![\d-])",
    re.IGNORECASE,
)
_OPENING = {")": "(", "]": "[", ">": "<", "}": "{"}
REMEMBERED = 16_384
"""Texts whose identifiers stay known: an entry is asked about at reading, resolving and rebuilding, and once more when the
rebuilt table is read."""
_TRAILING = ".,;:!?'`*_~|\\—–"


@lru_cache(maxsize=REMEMBERED)
def find_identifiers(text: str) -> tuple[Identifier, ...]:
    """Return the distinct identifiers of ``text`` in order of appearance.

    ``text`` is an entry, a link target or prose; HTML entities are resolved first, so offsets would not be those of
    the original and none are returned.
    """
    plain = unescape(text)
    found: list[tuple[int, Identifier]] = []
    taken: list[tuple[int, int]] = []
    for start, end, url in iter_urls(plain):
        taken.append((start, end))
        found.extend((start, one) for one in _of_url(url))
    found.extend(_of_prose(plain, taken))
    return tuple(dict.fromkeys(one for _, one in sorted(found, key=lambda pair: pair[0])))


def normalise_doi(doi: str) -> str | None:
    """Return a DOI lower-cased, without prefix or percent-encoding, or None when ``doi`` is none.

    Nothing is cut off: a trailing slash belongs to some DOIs, so both forms have to be tried at a registry.
    """
    bare = _DOI_PREFIX.sub("", unescape(doi).strip())
    decoded = unquote(bare) if "%" in bare else bare
    return _lower(decoded) if _WHOLE_DOI.fullmatch(decoded) else None


def _of_url(url: str) -> list[Identifier]:
    specific = [*_short_doi(url), *_pubmed(url)]
    if not specific and (paper := parse_arxiv(url)):
        specific = [Identifier("arxiv", paper.value)]
    if not specific and (doi := _doi_of_url(url)):
        specific = [_doi_identifier(doi)]
    return specific or [Identifier("url", normalise_url(url))]


def _of_prose(text: str, taken: list[tuple[int, int]]) -> Iterator[tuple[int, Identifier]]:
    masked = _mask(text, taken)
    for match in _DOI.finditer(unquoted := _decode_slash(masked)):
        if doi := _cut(unquoted[match.start() : match.end()]):
            yield match.start(), _doi_identifier(_lower(doi))
    for match in _SHORT_DOI.finditer(masked):
        yield match.start(), Identifier("shortdoi", match.group(1).lower())
    for pattern, kind in ((_PMID, "pmid"), (_PMCID, "pmcid")):
        for match in pattern.finditer(masked):
            yield match.start(), _pubmed_identifier(kind, match)
    yield from _papers_and_books(masked)


def _papers_and_books(masked: str) -> Iterator[tuple[int, Identifier]]:
    position = 0
    while paper := parse_arxiv(masked, position):
        yield paper.start, Identifier("arxiv", paper.value)
        position = paper.end
    for match in _ISBN.finditer(masked):
        yield match.start(), Identifier("isbn", normalise_isbn(match.group(1) or match.group(2)))


def _mask(text: str, taken: list[tuple[int, int]]) -> str:
    pieces, at = [], 0
    for start, end in taken:
        pieces += [text[at:start], " " * (end - start)]
        at = end
    return "".join([*pieces, text[at:]])


def _decode_slash(text: str) -> str:
    return re.sub(r"(10\.\d{4,9})%2[fF]", r"\1/", text) if "%2" in text else text


def _doi_of_url(url: str) -> str | None:
    """The DOI that an address carries: whole at doi.org, and inside the path or a parameter of a landing page."""
    decoded = unquote(url)
    match = _DOI.search(decoded)
    if match is None:
        return None
    host = url.split("/", 3)[2].lower() if "//" in url else ""
    cut = re.split(r"[?&#]", decoded[match.start() :], maxsplit=1)[0]
    doi = _cut(cut)
    if doi is None or host.endswith("doi.org"):
        return _lower(doi) if doi else None
    doi = _VIEW.sub("", doi)
    if host == "academic.oup.com":
        doi = _OUP_ARTICLE.sub("", doi)
    return _lower(_PREPRINT_VERSION.sub(r"\1", doi)) if _WHOLE_DOI.fullmatch(doi) else None


def _cut(candidate: str) -> str | None:
    """End a DOI where markup, a second identifier or an unbalanced bracket begins, then drop trailing stops."""
    if markup := _MARKUP.search(candidate):
        candidate = candidate[: markup.start()]
    candidate = candidate[: _balanced(candidate)].rstrip(_TRAILING)
    return candidate if _WHOLE_DOI.fullmatch(candidate) else None


def _balanced(s: str) -> int:
    """Length of the longest start of ``s`` in which no closing bracket comes without its opening one."""
    depth = dict.fromkeys(_OPENING.values(), 0)
    for i, c in enumerate(s):
        if c in depth:
            depth[c] += 1
        elif opening := _OPENING.get(c):
            depth[opening] -= 1
            if depth[opening] < 0:
                return i
    return len(s)


def _doi_identifier(doi: str) -> Identifier:
    if doi.startswith("10.48550/arxiv.") and (paper := parse_arxiv("arxiv:" + doi[len("10.48550/arxiv.") :])):
        return Identifier("arxiv", paper.value)
    return Identifier("doi", doi)


def _short_doi(url: str) -> list[Identifier]:
    return [Identifier("shortdoi", m.group(1).lower()) for m in _SHORT_DOI.finditer(url)]


def _pubmed(url: str) -> list[Identifier]:
    if match := _PMID.search(url):
        return [_pubmed_identifier("pmid", match)]
    if match := _PMCID.search(url):
        return [_pubmed_identifier("pmcid", match)]
    return []


def _pubmed_identifier(kind: str, match: re.Match[str]) -> Identifier:
    digits = next(group for group in match.groups() if group)
    return (
        Identifier(kind, digits.lstrip("0") or "0")
        if kind == "pmid"
        else Identifier(kind, f"PMC{digits.lstrip('0')}")
    )


def _lower(doi: str) -> str:
    return "".join(c.lower() if c.isascii() else c for c in doi)
