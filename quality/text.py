"""Normalisation of human text, so that two spellings of the same words compare equal (DESIGN section 8).

Belongs here: character-level folding that any room may use. Does not belong here: knowledge about titles, citations or
identifiers (see ``quality.sources.keys`` and ``quality.registries.identifiers``). Nothing here drops a letter, a digit
or a combining mark of any script.
"""

from __future__ import annotations

import html
import re
import unicodedata

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d"
_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032\u2035\u02bc\u00b4\u0060\u2039\u203a"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\u300c\u300d\u300e\u300f\u301d\u301e\u301f"
_INVISIBLE = "\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff\ufe0e\ufe0f"

_TABLE: dict[int, str | None] = {
    **{ord(c): "-" for c in _DASHES},
    **{ord(c): "'" for c in _SINGLE_QUOTES},
    **{ord(c): '"' for c in _DOUBLE_QUOTES},
    **{ord(c): None for c in _INVISIBLE},
    ord("\u3002"): ".",
    ord("\u3001"): ",",
}
_ENTITY = re.compile(r"&(?:amp;)*(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def fold(s: str) -> str:
    """Return ``s`` in the form in which titles are compared.

    NFKC (width, ligatures, half-width kana, the one-character ellipsis), case fold, one dash, one single and one double
    quote, ASCII stops for the ideographic ones, no invisible characters, single blanks (NBSP and line breaks
    included), no outer blanks. Idempotent. Accents stay; ``quality.sources.keys`` decides where they may be ignored.
    """
    if s.isascii():
        return " ".join(s.lower().replace("`", "'").split())
    # Case folding can undo composition and the table can bring letters together that compose: normalise around both.
    folded = unicodedata.normalize("NFKC", s.translate(_TABLE)).casefold()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", folded).casefold())
    return " ".join(folded.translate(_TABLE).split())


def unescape(s: str) -> str:
    """Resolve HTML entities that end in a semicolon, once or several times escaped (``&amp;amp;`` is ``&``).

    An ampersand without a semicolon is left alone: in an address it separates parameters (``&copy=1``).
    """
    if "&" not in s:
        return s
    return _ENTITY.sub(_entity, s)


def _entity(match: re.Match[str]) -> str:
    name = match.group(1)
    return html.unescape(f"&{name};")


def is_cjk(c: str) -> bool:
    """Whether one character is a Han ideograph, kana or a Hangul syllable: scripts that need no blanks for words."""
    return (
        "\u3400" <= c <= "\u9fff"
        or "\u3040" <= c <= "\u30ff"
        or "\uac00" <= c <= "\ud7af"
        or "\uf900" <= c <= "\ufaff"
        or "\U00020000" <= c <= "\U0003134f"
    )
