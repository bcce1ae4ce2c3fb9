"""Bytes to text: every accepted encoding beside its broken twin."""

import codecs

import pytest

from quality.intake.decode import Decoded, Refusal, decode

TEXT = "## References\r\n\r\n[1] Doe, Café. https://papers.test/a\r\n"


@pytest.mark.parametrize(
    ("data", "flags"),
    [
        (TEXT.encode(), ()),
        (codecs.BOM_UTF8 + TEXT.encode(), ("bom",)),
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), ("utf16",)),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), ("utf16",)),
    ],
)
def test_reads_marked_encodings_and_keeps_line_ends(data, flags):
    assert decode(data) == Decoded(TEXT, flags)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("Café".encode("latin-1"), "not_utf8"),
        ("中文报告".encode("gb18030"), "not_utf8"),
        (codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"), "not_utf8"),
        (codecs.BOM_UTF16_LE + b"a", "not_utf8"),
        (TEXT.encode("utf-16-le"), "not_text"),
        (b"%PDF-1.7 \x00\x01 renamed", "not_text"),
        (b"%PDF-1.7 plain text only", "not_text"),
        (b"PK\x03\x04 an office file", "not_text"),
        (b"\x1f\x8b\x08 gzip", "not_text"),
        (b"a\x00b", "not_text"),
        (b"\xe9\x00", "not_text"),
    ],
)
def test_refuses_what_is_no_text(data, reason):
    result = decode(data)
    assert isinstance(result, Refusal)
    assert result.reason == reason
    assert "Remedy:" in result.detail


def test_refusal_names_the_line():
    result = decode(b"one\ntwo\nCaf\xe9\n")
    assert isinstance(result, Refusal)
    assert "line 3" in result.detail


def test_limit_counts_bytes():
    assert decode("é".encode() * 3, limit=6) == Decoded("ééé")
    refused = decode("é".encode() * 3, limit=5)
    assert isinstance(refused, Refusal)
    assert refused.reason == "too_large"


def test_text_that_only_mentions_a_pdf_is_text():
    assert decode(b"The file starts with %PDF-1.7.") == Decoded("The file starts with %PDF-1.7.")


def test_nothing_is_text():
    assert decode(b"") == Decoded("")
