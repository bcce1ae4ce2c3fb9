"""Bytes to text, or a refusal that says why.

Belongs here: byte-order marks, the refusal of what is not text, the size limit. Does not belong here:
guesses. Bytes that are neither UTF-8 nor marked UTF-16 are refused, because a wrong guess would poison titles
and quotes silently.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import Final

MAX_BYTES: Final = 50_000_000
"""Largest body or line that is read, in bytes; a report of this size would print to some 15,000 pages."""

_UTF32: Final = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_UTF16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_BINARY: Final = {
    b"%PDF-": "a PDF",
    b"PK\x03\x04": "a ZIP archive or an Office file",
    b"PK\x05\x06": "an empty ZIP archive",
    b"\x1f\x8b": "a gzip archive",
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"\xd0\xcf\x11\xe0": "an old Office file",
    b"{\\rtf": "an RTF file",
}


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text without its byte-order mark, and flags: ``bom`` or ``utf16``."""

    text: str
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why bytes or a row became no report: a short code, and one sentence with the remedy."""

    reason: str
    detail: str


def decode(data: bytes, limit: int = MAX_BYTES) -> Decoded | Refusal:
    """Read UTF-8 (with or without a byte-order mark) or UTF-16 with one; line ends stay as they are.

    Returns a ``Refusal`` with reason ``too_large`` (over ``limit`` bytes), ``not_text`` or ``not_utf8``.
    """
    if len(data) > limit:
        return Refusal("too_large", f"{len(data):,} bytes, the limit is {limit:,}. Remedy: split the report.")
    for magic, name in _BINARY.items():
        if data.startswith(magic):
            return Refusal("not_text", f"This is {name}, not Markdown. Remedy: export the report as text.")
    if data.startswith(_UTF32):
        return Refusal("not_utf8", "The file is in UTF-32. Remedy: save it as UTF-8.")
    return _decode_as(data, "utf-16", ("utf16",)) if data.startswith(_UTF16) else _decode_utf8(data)


def _decode_utf8(data: bytes) -> Decoded | Refusal:
    if data.startswith(codecs.BOM_UTF8):
        return _decode_as(data, "utf-8-sig", ("bom",))
    return _decode_as(data, "utf-8", ())


def _decode_as(data: bytes, encoding: str, flags: tuple[str, ...]) -> Decoded | Refusal:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        if b"\x00" in data and encoding != "utf-16":
            return nul_refusal()
        line = data.count(b"\n", 0, error.start) + 1
        name = encoding.removesuffix("-sig").upper()
        where = f"The byte at offset {error.start:,} (line {line:,}) is not valid {name}."
        return Refusal(
            "not_utf8", f"{where} Remedy: save the file as UTF-8; other encodings are not guessed."
        )
    return nul_refusal() if "\x00" in text else Decoded(text, flags)


def nul_refusal() -> Refusal:
    """Refuse text that holds a NUL character: a binary file, or UTF-16 without its mark."""
    return Refusal(
        "not_text",
        "It holds NUL characters: a binary file, or UTF-16 without a mark. Remedy: save it as UTF-8.",
    )
