"""What the block says for each state, and that it is one block quote whatever the report holds."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from quality.delivery.block import MAX_LISTED, audit_block
from quality.delivery.model import DeliveredReport, DeliveryState
from quality.model import Measurement, Mode, Outcome, Reason, RebuildPath, Validity, Verdict

HELD = DeliveredReport(
    batch_id="b1",
    report_id="r1",
    body="# Body\n",
    state=DeliveryState.HOLD,
    decision=Outcome.HOLD,
    gate_outcome=Outcome.INGEST,
    contract_verdict=Verdict.BREACH,
    contract_version="default-1",
    before=(
        Measurement("inbound_rate", "v3", 1 / 3, Validity.MEASURED, 1, 3),
        Measurement("method_honesty", "v1", None, Validity.ABSENT),
        Measurement("dirty_entries", "v1", 2.0, Validity.MEASURED),
    ),
    after=(
        Measurement("inbound_rate", "v3", 1.0, Validity.MEASURED, 3, 3),
        Measurement("identifier_rate", "v1", None, Validity.UNKNOWN),
    ),
    rebuild_path=RebuildPath.REBUILT,
    rebuild_reason="3 distinct citations",
    reasons=(
        Reason("contract", Mode.BLOCK, "breach of inbound_rate_p10", "a batch that passes."),
        Reason("dirty_entries", Mode.BLOCK, "3 of 9", "at most 2", passage="[4]", line=12),
    ),
    would_hold=(Reason("url", Mode.RECORD, "unknown", "an answer"),),
    dangling=("7", "《某书》"),
    not_checked=("identifiers", "method_claims"),
)

EXPECTED = """\
> **Sluicegate audit: hold**
>
> Report r1 of batch b1. The report is delivered, and kept out of the knowledge base.
>
> Contract of the batch (version default-1): breach. By itself, the gate says ingest for this report.
>
> **What holds it, and what is needed:**
>
> - contract: breach of inbound_rate_p10. **Needed:** a batch that passes.
> - dirty_entries (\\[4\\], line 12 of the body): 3 of 9. **Needed:** at most 2.
>
> **Recorded, and holds nothing yet:**
>
> - url: unknown. **Needed:** an answer.
>
> | metric | as written | after the rebuild |
> |:--|--:|--:|
> | inbound_rate v3 | 0.333 (1 of 3) | 1 (3 of 3) |
> | method_honesty v1 | absent | – |
> | dirty_entries v1 | 2 | – |
> | identifier_rate v1 | – | unknown |
>
> The reference table was rebuilt from the citations in the body (3 distinct citations). Where \
every citation can be resolved, the inbound rate after a rebuild is 1 by construction: it checks the rebuild, and \
says nothing about whether the sources support the text.
>
> **Dangling, that is cited with no entry:** 7; 《某书》
>
> **Not checked:** identifiers, method claims.
"""


def test_whole_block():
    assert audit_block(HELD) == EXPECTED


@pytest.mark.parametrize(
    ("state", "title"),
    [
        (DeliveryState.PENDING, "decision pending"),
        (DeliveryState.INGEST, "ingest"),
        (DeliveryState.HOLD, "hold"),
        (DeliveryState.INCOMPLETE, "verification incomplete"),
    ],
)
def test_state_stands_on_top(state, title):
    block = audit_block(DeliveredReport("b", "r", "x", state))
    assert block.startswith(f"> **Sluicegate audit: {title}**\n")
    assert "None" not in block


def test_failure_is_named():
    report = DeliveredReport("b", "r", "x", DeliveryState.INCOMPLETE, failure="the reader <failed>\nat once")
    block = audit_block(report)
    assert "> What went wrong: the reader &lt;failed> at once\n" in block
    assert "nothing below was verified" in block


def test_an_incomplete_audit_still_tells_the_gate():
    report = DeliveredReport(
        "b", "r5", "x", DeliveryState.INCOMPLETE, gate_outcome=Outcome.HOLD, failure="timed out"
    )
    block = audit_block(report)
    assert "verification incomplete" in block
    assert "> By itself, the gate says hold for this report.\n" in block
    assert "Contract" not in block


@pytest.mark.parametrize("path", list(RebuildPath))
def test_note_by_construction_only_where_something_was_rebuilt(path):
    block = audit_block(replace(HELD, rebuild_path=path))
    assert ("by construction" in block) == (path in {RebuildPath.REBUILT, RebuildPath.MERGED})


def test_long_lists_are_counted():
    block = audit_block(replace(HELD, dangling=tuple(f"k{n}" for n in range(1, MAX_LISTED + 3))))
    assert f"; k{MAX_LISTED}; and 2 more, in the front matter\n" in block
    assert f"k{MAX_LISTED + 1};" not in block


def test_every_reason_is_listed():
    reasons = tuple(Reason(f"rule {n}", Mode.BLOCK, "x", "y") for n in range(120))
    assert audit_block(replace(HELD, reasons=reasons)).count("> - rule ") == 120


@pytest.mark.parametrize("value", [0.0, 0.5, 12.0, 2 / 3, 1e-9])
def test_numbers(value):
    block = audit_block(
        DeliveredReport(
            "b", "r", "x", DeliveryState.HOLD, before=(Measurement("m", "v1", value, Validity.MEASURED),)
        )
    )
    cell = {0.0: "0", 0.5: "0.5", 12.0: "12", 2 / 3: "0.667", 1e-9: "0"}[value]
    assert f"> | m v1 | {cell} | – |\n" in block


@pytest.mark.parametrize(
    ("item", "cell"),
    [
        (Measurement("m", "v1", 0.5, Validity.MEASURED, 1, 2), "0.5 (1 of 2)"),
        (Measurement("m", "v1", 2.0, Validity.MEASURED, 2, None), "2"),
        (Measurement("m", "v1", 2.0, Validity.MEASURED, None, 3), "2"),
        (Measurement("m", "v1", 0.0, Validity.MEASURED, 0, 4), "0 (0 of 4)"),
        (Measurement("m", "v1", 1.0, Validity.UNKNOWN, 1, 1), "unknown"),
        (Measurement("m", "v1", None, Validity.ABSENT, 0, 0), "absent"),
        (Measurement("m", "v1", 1.0, Validity.MEASURED, 1234567, 1234567), "1 (1234567 of 1234567)"),
    ],
)
def test_cells(item, cell):
    block = audit_block(DeliveredReport("b", "r", "x", DeliveryState.HOLD, after=(item,)))
    assert f"> | m v1 | – | {cell} |\n" in block


OPENINGS = [
    "# h",
    "> q",
    "- x",
    "+ x",
    "* x",
    "1. x",
    "2) x",
    "---",
    "===",
    "***",
    "```",
    "~~~",
    "    x",
    "| a |",
    "<b>",
]
TEXT = st.text(max_size=30) | st.sampled_from(OPENINGS)
TAGS = {"blockquote", "p", "strong", "ul", "li", "table", "thead", "tbody", "tr", "th", "td"}


@given(TEXT, TEXT, TEXT)
def test_foreign_text_never_leaves_the_quote(one, two, three):
    block = audit_block(
        DeliveredReport(
            one,
            two,
            "x",
            DeliveryState.HOLD,
            contract_verdict=Verdict.PASS,
            contract_version=three,
            before=(Measurement(one, two, None, Validity.ABSENT, detail=three),),
            rebuild_path=RebuildPath.MERGED,
            rebuild_reason=two,
            reasons=(Reason(one, Mode.BLOCK, two, three, passage=one, line=1),),
            would_hold=(Reason(three, Mode.RECORD, one, two),),
            dangling=(one, two, three),
            not_checked=(one,),
            failure=three,
        )
    )
    assert all(line.startswith(">") for line in block.split("\n")[:-1])
    rendered = MarkdownIt("js-default", {"html": True}).render(block)
    assert rendered.startswith("<blockquote>")
    assert rendered.count("<blockquote>") == 1
    assert set(re.findall(r"</?(\w+)", rendered)) <= TAGS
    assert rendered.count("<li>") == 2
