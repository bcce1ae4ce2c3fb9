"""Whole files: bodies byte for byte, rewriting the head, originals that cannot carry one, names."""

import codecs
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.delivery.envelope import split
from quality.delivery.model import DeliveredFile, DeliveredReport, DeliveryState
from quality.delivery.render import (
    delivered_name,
    render,
    render_beside,
    render_incomplete,
    render_unreadable,
)
from quality.intake.folder import read_markdown
from quality.model import Report, UnreadableReport
from quality.names import safe_name

REPORT = DeliveredReport("b", "r", "# Body\r\n\n[1] ---\n", DeliveryState.PENDING, front_matter={"id": "r"})
BODIES = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(
    [
        "",
        "\ufeff# A",
        "---\nid: x\n---\n",
        "\r\n\r\n",
        render(REPORT),
        "<!-- sluicegate:audit:end -->\n",
        "> quote\n",
    ]
)


@given(BODIES)
def test_the_body_survives_byte_for_byte(body):
    text = render(replace(REPORT, body=body))
    assert split(text)[1] == body
    assert text.encode().endswith(body.encode())


@given(BODIES, TEXT := st.text(st.characters(exclude_categories=["Cs"])), TEXT)
def test_rewriting_the_head_keeps_the_body(body, title, key):
    before = render(replace(REPORT, body=body, front_matter={"title": title, key: title}))
    after = render(replace(REPORT, body=split(before)[1], state=DeliveryState.INGEST, dangling=(key,)))
    assert split(after)[1] == body


def test_the_same_input_gives_the_same_bytes():
    assert render(REPORT) == render(replace(REPORT))


def test_incomplete_file_keeps_its_bytes():
    data = codecs.BOM_UTF8 + b"---\nid: x\n---\n# Body\r\n"
    report = read_markdown(data, "stem")
    assert isinstance(report, Report)
    (file,) = render_incomplete(report, "b", "the audit failed: KeyError")
    assert file.name == "x.md"
    assert file.content.endswith(data)
    head = file.content.removesuffix(data).decode()
    assert "  holds: file\n" in head
    assert "> **Sluicegate audit: verification incomplete**\n" in head
    assert "> What went wrong: the audit failed: KeyError\n" in head


def test_incomplete_row_keeps_its_body_and_fields():
    (file,) = render_incomplete(
        Report("x", "# Body\n", title="T"), "b", "failed", not_checked=("identifiers",)
    )
    head, body = split(file.content.decode())
    assert body == "# Body\n"
    assert "title: T\n" in head
    assert "> **Not checked:** identifiers.\n" in head


def test_utf16_cannot_carry_a_head():
    data = codecs.BOM_UTF16_LE + "# Body\n".encode("utf-16-le")
    report = read_markdown(data, "stem")
    assert isinstance(report, Report)
    original, audit = render_incomplete(report, "b", "failed")
    assert original == DeliveredFile("stem.original", data)
    assert audit.name == "stem.audit.md"
    assert b"verification incomplete" in audit.content


def test_unreadable_is_delivered_as_it_came():
    unreadable = UnreadableReport("r2", "not_text", "A PDF.", b"%PDF-1.7 \x00\x01")
    audit = DeliveredReport("b", "r2", "", DeliveryState.HOLD)
    original, beside = render_unreadable(unreadable, audit)
    assert original == DeliveredFile("r2.original", b"%PDF-1.7 \x00\x01")
    assert beside == DeliveredFile("r2.audit.md", render_beside(audit).encode())
    assert render_incomplete(unreadable, "b", "failed")[0] == original


IDS = [
    "../../evil",
    "..",
    "/etc/cron.d/x",
    "a b.md",
    "отчёт-1.md",
    "CON.md",
    "r\x00.md",
    "x" * 250 + ".md",
    "-rf.md",
]


def test_names_are_parts_of_a_path_and_unique():
    names = [delivered_name(report_id) for report_id in IDS]
    assert len(set(names)) == len(IDS)
    assert all(
        "/" not in name and not name.startswith((".", "-")) and len(name.encode()) < 200 for name in names
    )


@pytest.mark.parametrize("report_id", ["a.audit", "a.AUDIT", "a.original"])
def test_no_report_takes_the_name_of_another_ones_audit(report_id):
    a = UnreadableReport("a", "not_text", "", b"")
    taken = {file.name for file in render_incomplete(a, "b", "failed")}
    assert delivered_name(report_id).casefold() not in taken


@given(
    st.lists(
        st.sampled_from(["a", "a.audit", "a.audit.audit", "a.md", "a.original", "a.audit-x"]), unique=True
    )
)
def test_names_never_collide(ids):
    names = [delivered_name(name) for name in ids] + [f"{safe_name(name)}.audit.md" for name in ids]
    assert len(set(names)) == len(names)
