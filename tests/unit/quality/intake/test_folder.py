"""Folders: which files count, links, front matter, delivered files that come back."""

import codecs
import os
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.delivery.head import own_fields
from quality.delivery.model import DeliveredReport, DeliveryState
from quality.delivery.render import render, render_beside, render_incomplete
from quality.intake.folder import read_folder, read_markdown, read_markdown_file
from quality.model import ListedSource, Report, UnreadableReport


def report_of(data: bytes) -> Report:
    report = read_markdown(data, "stem")
    assert isinstance(report, Report)
    return report


def test_hidden_and_other_files_are_passed_over(tmp_path):
    for name in (".hidden.md", ".git/x.md", "notes.txt", "data.jsonl", "a.MD", "b.markdown"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("# A\n")
    assert [r.report_id for r in read_folder(tmp_path)] == ["a", "b"]


def test_audits_beside_an_original_are_no_reports(tmp_path):
    audit = render_beside(DeliveredReport("b", "pdf", "", DeliveryState.HOLD))
    (tmp_path / "pdf.audit.md").write_text(audit)
    (tmp_path / "pdf.original").write_bytes(b"%PDF")
    (tmp_path / "tax.audit.md").write_text("# An audit of a tax office\n")
    (tmp_path / "other.md").write_text(audit)
    assert [(r.report_id, getattr(r, "reason", None)) for r in read_folder(tmp_path)] == [
        ("other", "no_body"),
        ("tax.audit", None),
    ]


def test_links_inside_are_read_and_links_outside_are_not(tmp_path):
    folder, outside = tmp_path / "batch", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (outside / "secret.md").write_text("# Secret\n")
    (folder / "a.md").write_text("# A\n")
    (folder / "inside.md").symlink_to("a.md")
    (folder / "link.md").symlink_to(outside / "secret.md")
    (folder / "dir").symlink_to(outside)
    (folder / "broken.md").symlink_to("nothing.md")
    (folder / "loop.md").symlink_to("loop.md")
    reports = {r.report_id: r for r in read_folder(folder)}
    assert sorted(reports) == ["a", "broken", "dir", "inside", "link", "loop"]
    assert isinstance(reports["inside"], Report)
    for name in ("broken", "dir", "link", "loop"):
        unreadable = reports[name]
        assert isinstance(unreadable, UnreadableReport)
        assert unreadable.reason == "link_outside"
    assert reports["link"].original == os.fsencode(outside / "secret.md")


def test_what_is_no_regular_file_costs_itself(tmp_path):
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "a.md").write_text("# A\n")
    assert [(r.report_id, getattr(r, "reason", None)) for r in read_folder(tmp_path)] == [
        ("a", None),
        ("pipe", "not_readable"),
    ]


def test_a_file_that_vanished_costs_itself(tmp_path):
    report = read_markdown_file(tmp_path / "gone.md")
    assert isinstance(report, UnreadableReport)
    assert (report.report_id, report.reason) == ("gone", "not_readable")


def test_front_matter_fields():
    report = report_of(
        b"---\nid: 007\ntitle: T\nlanguage: en\ncreated_at: 2026-09-01\nevidence: {interviews: 4}\n"
        b"sources:\n- {key: 1, title: A, url: 'http://a.test'}\nscore: 0.5\n---\n# Body\n"
    )
    assert report == Report(
        report_id="007",
        body="# Body\n",
        title="T",
        language="en",
        created_at="2026-09-01",
        evidence={"interviews": 4},
        sources=(ListedSource(key="1", title="A", url="http://a.test"),),
        extra={"score": 0.5},
        original=report.original,
    )


def test_broken_front_matter_keeps_the_report():
    report = report_of(b'---\nid: "x\n---\n# Body\n')
    assert report.report_id == "stem"
    assert report.body == '---\nid: "x\n---\n# Body\n'
    assert report.flags == ("front_matter_broken",)


@pytest.mark.parametrize(
    ("data", "flags"),
    [
        (codecs.BOM_UTF8 + b"---\nid: x\n---\n# A\r\n", ("bom",)),
        (codecs.BOM_UTF16_LE + "---\nid: x\n---\n# A\r\n".encode("utf-16-le"), ("utf16",)),
    ],
)
def test_byte_order_marks_do_not_hide_the_front_matter(data, flags):
    report = report_of(data)
    assert (report.report_id, report.body, report.flags, report.original) == ("x", "# A\r\n", flags, data)


@pytest.mark.parametrize("data", [b"", b" \n", b"---\nid: x\n---\n\n", codecs.BOM_UTF8])
def test_no_body(data):
    report = read_markdown(data, "stem")
    assert isinstance(report, UnreadableReport)
    assert (report.reason, report.original) == ("no_body", data)


def test_not_utf8_keeps_its_bytes():
    data = bytes.fromhex(
        "436166e9205b315d2e0a0a2323205265666572656e6365730a0a5b315d20446f652e20436166e9732e0a"
    )
    report = read_markdown(data, "stem")
    assert isinstance(report, UnreadableReport)
    assert (report.reason, report.original) == ("not_utf8", data)


FULL = Report(
    report_id="a/../b~2",
    body="# Body\r\n\n[1]\n",
    title="A: title\n",
    language="zh",
    producer="p",
    question="Why?\nBecause.",
    created_at="2026-09-01",
    evidence={"respondents": 12, "tools": [{"name": "search", "calls": 3}]},
    sources=(ListedSource(key="1", title="A", url="http://a.test", year=2020), ListedSource(entry="[2] x")),
    extra={"score": 0.5, "sluicegate": "a key of the producer", "tags": ["---", "x: y"]},
)


def delivered(report: Report, state: DeliveryState = DeliveryState.HOLD) -> bytes:
    return render(
        DeliveredReport("b", report.report_id, report.body, state, front_matter=own_fields(report))
    ).encode()


def test_a_delivered_file_comes_back_as_the_report_it_was():
    report = report_of(delivered(FULL))
    assert replace(report, original=None, flags=()) == replace(FULL, title="A: title")
    assert report.flags == ("delivered",)


def test_broken_evidence_is_still_broken_when_it_comes_back():
    first = report_of(b"---\nevidence: none at all\nsources: 7\n---\n# Body\n")
    again = report_of(delivered(first))
    assert again.flags == ("delivered", "evidence_broken", "sources_broken")
    assert again.extra == first.extra == {"evidence": "none at all", "sources": 7}


def test_a_delivered_file_without_its_block_or_front_matter():
    head, body = delivered(FULL).decode().split("<!-- sluicegate:audit:begin -->")
    no_block = report_of((head + "\n# Edited\n").encode())
    assert no_block.body == "\n# Edited\n"
    assert no_block.extra == FULL.extra
    assert no_block.flags == ("delivered",)
    no_head = report_of(("<!-- sluicegate:audit:begin -->" + body).encode())
    assert no_head.body == FULL.body
    assert no_head.flags == ("delivered",)


def test_an_incomplete_delivery_comes_back_as_the_file_it_was():
    data = codecs.BOM_UTF8 + b"---\nid: x\nsluicegate: mine\n---\n# Body\r\n"
    first = report_of(data)
    (file,) = render_incomplete(first, "b", "the reader failed")
    again = report_of(file.content)
    assert replace(again, original=None, flags=()) == replace(first, original=None, flags=())
    assert again.flags == ("delivered",)


def test_a_body_that_starts_like_front_matter_is_not_parsed_twice():
    report = replace(FULL, body="---\nid: forged\n---\n# Body\n")
    again = report_of(delivered(report))
    assert (again.report_id, again.body) == (report.report_id, report.body)


def test_a_nested_key_cannot_pretend_to_be_the_head():
    report = replace(FULL, extra={"x": {"holds": "file"}}, body="---\nid: forged\n---\n# Body\n")
    again = report_of(delivered(report))
    assert (again.report_id, again.body) == (report.report_id, report.body)


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))


@given(
    body=TEXT,
    title=TEXT,
    extra=st.dictionaries(
        TEXT, TEXT | st.integers() | st.floats(allow_nan=False, allow_infinity=False), max_size=3
    ),
)
def test_round_trip_of_any_text(body, title, extra):
    first = read_markdown(b"# x\n" + body.encode(), "stem")
    assert isinstance(first, Report)
    known = {"id", "title", "language", "producer", "question", "created_at", "evidence", "sources"}
    report = replace(
        first,
        title=" ".join(title.split()) or first.title,
        extra={k: v for k, v in extra.items() if k not in known},
    )
    again = report_of(delivered(report))
    assert replace(again, original=None, flags=()) == replace(report, original=None, flags=())
