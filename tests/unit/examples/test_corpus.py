"""The generator's parts: slots, marks, entries, cuts and residue, each with an example worked out by hand."""

from random import Random

import pytest

from examples.corpus import faults
from examples.corpus.compose import Draft, joined, parts
from examples.corpus.model import Question, Work, keys_of, load_topics, load_works
from examples.corpus.styles import NUMBERED, STYLES, Citer, entry_of, line_of, name_of
from quality.citations.entries import split_entry
from quality.intake.front_matter import split_front_matter

TREES = Work("ex-01", "Trees at Night", ("Ines Halvorsen", "Marek Dudek"), 2021, "Annals", doi="10.5555/a.1")
BOARD = Work("ex-02", "A Budget", ("Harbour Noise Board",), 2022, "Papers", url="https://papers.test/b")
SHADE = Work("ex-03", "遮荫与步行：两个夏季", ("沈若溪", "顾怀远"), 2021, "城市日常研究", doi="10.5555/c.3")
WORKS = {work.id: work for work in (TREES, BOARD, SHADE)}


@pytest.mark.parametrize(
    ("style", "said"),
    [
        ("bracket", "Cool [1]. Harbour Noise Board [2] reports, as others do [1, 3]."),
        ("footnote", "Cool[^1]. Harbour Noise Board[^2] reports, as others do[^1][^3]."),
        (
            "named_footnote",
            "Cool[^halvorsen21]. Harbour Noise Board[^ex02] reports, as others do[^halvorsen21][^ex03].",
        ),
        (
            "author_year",
            "Cool (Halvorsen & Dudek, 2021). Harbour Noise Board (2022) reports, as others do "
            "(Halvorsen & Dudek, 2021; 沈若溪等, 2021).",
        ),
        (
            "title",
            "Cool (《Trees at Night》). 《A Budget》 reports, as others do (《Trees at Night》; 《遮荫与步行：两个夏季》).",
        ),
        (
            "link",
            "Cool ([Trees at Night](https://doi.org/10.5555/a.1)). Harbour Noise Board ([A Budget](https://papers.test/b)) "
            "reports, as others do ([Trees at Night](https://doi.org/10.5555/a.1); "
            "[遮荫与步行：两个夏季](https://doi.org/10.5555/c.3)).",
        ),
        ("none", "Cool. Harbour Noise Board reports, as others do."),
    ],
)
def test_marks_of_each_style_in_english(style, said):
    citer = Citer(style, "en", WORKS)
    assert citer.render("Cool {ex-01}. {=ex-02} reports, as others do {ex-01,ex-03}.") == said
    assert citer.cited == ([] if style == "none" else ["ex-01", "ex-02", "ex-03"])


@pytest.mark.parametrize(
    ("style", "said"),
    [
        ("lenticular", "沈若溪等【1】发现，夜里更凉【2】。"),
        ("author_year", "沈若溪等（2021）发现，夜里更凉（Halvorsen & Dudek，2021）。"),
        ("title", "《遮荫与步行：两个夏季》发现，夜里更凉（《Trees at Night》）。"),
    ],
)
def test_marks_of_each_style_in_chinese(style, said):
    assert Citer(style, "zh", WORKS).render("{=ex-03}发现，夜里更凉{ex-01}。") == said


def test_a_work_that_is_not_to_be_cited_is_named_only():
    citer = Citer("title", "en", WORKS, only=frozenset({"ex-01"}))
    assert citer.render("{=ex-02} says so {ex-03}, and so it is {ex-01}.") == (
        "Harbour Noise Board says so, and so it is (《Trees at Night》)."
    )
    assert citer.cited == ["ex-01"]


@pytest.mark.parametrize("work", WORKS.values(), ids=WORKS)
@pytest.mark.parametrize("marked", [False, True])
def test_an_entry_reads_back(work, marked):
    found = split_entry(entry_of(work, marked=marked))
    assert (found.title or "").strip("《》") == work.title
    assert found.year == work.year


def test_names_and_lines():
    assert [name_of(work) for work in WORKS.values()] == ["halvorsen21", "ex02", "ex03"]
    assert [line_of(style, "1", "x") for style in NUMBERED] == ["[1] x", "【1】x", "[^1]: x", "[^1]: x"]
    assert {line_of(style, "", "x") for style in STYLES if style not in NUMBERED} == {"- x"}


@pytest.mark.parametrize(
    ("title", "how", "cut"),
    [
        ("Porous Paving After Fifteen Winters", "marked", "Porous Paving After Fi…"),
        ("Porous Paving After Fifteen Winters", "inside", "Porous Paving After Fi"),
        ("Porous Paving After Fifteen Winters", "late", "Porous Paving After"),
        ("Quiet Hours: Noise Limits", "main", "Quiet Hours"),
        ("旧河道复明之后：六段明渠的记录", "main", "旧河道复明之后"),
        ("老城街巷遮荫与夏季步行意愿", "late", "老城街巷遮荫与夏季"),
        ("Counting Swifts with Microphones", "main", "Counting Swifts with"),  # no subtitle: cut late
    ],
)
def test_cuts(title, how, cut):
    assert faults.cut(title, how) == cut


def test_every_cut_of_every_title_is_a_beginning_of_it_and_shorter():
    for work in load_works().values():
        for how in ("marked", "inside", "late", "main"):
            bare = faults.cut(work.title, how).removesuffix("…")
            assert work.title.startswith(bare)
            assert 4 <= len(bare) < len(work.title), (work.title, how)


def test_residue_keeps_the_title_where_it_decorates_and_the_same_seed_gives_the_same():
    for kind in ("pipes", "site", "hanging_pipe", "marker", "chunk", "tool", "fragment", "wrong_doi"):
        assert SHADE.title in faults.soiled(kind, SHADE, Random(1))
        assert faults.soiled(kind, TREES, Random(1)) == faults.soiled(kind, TREES, Random(1))
    for kind in ("placeholder", "error_page"):
        assert SHADE.title not in faults.soiled(kind, SHADE, Random(1))
    assert "10.5555/a.1" not in faults.soiled("wrong_doi", TREES, Random(1))


def test_stock_closings_vary_in_date_and_subject_only():
    one, other = (
        faults.stock_closing("zh", subject, day, 1)
        for subject, day in (("稻田", "2026-09-07"), ("街巷", "2026-09-08"))
    )
    assert one.replace("稻田", "街巷") == other
    assert faults.stock_closing("en", "x", "2026-09-07", 0).startswith(
        "This report was generated on 2026-09-07"
    )


def test_keys_by_first_mention():
    assert keys_of("a {ex-02,ex-01} b {=ex-03} c {ex-01} {~2}") == ["ex-02", "ex-01", "ex-03", "~2"]


def test_parts_spread_paragraphs_under_headings():
    asked = Question("q", "first", "Title", "Why?", "Opening.", ("One", "Two"), (), "L.", "C.")
    blocks = parts(asked, ["a {ex-01}", "b", "c"], Citer("bracket", "en", WORKS))
    assert blocks == ["# Title", "Opening.", "## One", "a [1]", "b", "## Two", "c"]
    assert joined(["x", "", "y"]) == "x\n\ny"


def test_front_matter_reads_back():
    fields = {"title": "Ropes, gates: what now?", "question": "Why not?", "evidence": {"interviews": 0}}
    found = split_front_matter(Draft("r", fields, "Body.\n").text())
    assert (dict(found.fields), found.body.strip()) == (fields, "Body.")


def test_the_building_blocks_fit_together():
    works = load_works()
    cited = set()
    for topic in load_topics():
        assert len(topic.questions) == 4
        assert [question.phase for question in topic.questions].count("second") == 2
        for text in topic.findings.values():
            assert set(keys_of(text)) <= set(works)
        for question in topic.questions:
            assert len(set(question.findings)) == len(question.findings) >= 3
            assert set(question.findings) <= set(topic.findings)
            assert set(question.relapse) <= set(topic.relapses)
            cited.update(keys_of(" ".join(topic.findings[name] for name in question.findings)))
    assert len(cited) >= 84
