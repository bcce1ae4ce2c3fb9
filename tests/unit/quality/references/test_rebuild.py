"""Whole reports through the rebuild: numbering, styles, paths, and what is never done."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quality.citations.reader import read
from quality.citations.reconcile import reconcile
from quality.model import EntryKind, ListedSource, RebuildPath, Source
from quality.sources.own_table import match_own_table

SWAPPED = """First point [2]. Second point [1]. Third point [3].

## References

[1] Alba. Alpha. https://a.test/alpha
[2] Brandt. Beta. https://a.test/beta
[3] Costa. Gamma. https://a.test/gamma
[4] Doe. Delta, which nobody cites. https://a.test/delta
"""


def test_numbers_follow_the_first_appearance_and_uncited_entries_go(rebuilt):
    result = rebuilt(SWAPPED)
    assert result.path is RebuildPath.REBUILT
    assert (
        result.body
        == """First point [1]. Second point [2]. Third point [3].

## References

[1] Brandt. Beta. https://a.test/beta
[2] Alba. Alpha. https://a.test/alpha
[3] Costa. Gamma. https://a.test/gamma
"""
    )
    assert [(e.label, e.key, e.kind) for e in result.entries] == [
        ("1", "2", EntryKind.AS_WRITTEN),
        ("2", "1", EntryKind.AS_WRITTEN),
        ("3", "3", EntryKind.AS_WRITTEN),
    ]


def test_a_list_that_gives_one_label_to_two_works_is_left_and_says_so(rebuilt):
    body = SWAPPED + "[2] Eder. Epsilon, another work. https://a.test/epsilon\n"
    result = rebuilt(body)
    assert (result.path, result.body) == (RebuildPath.LEFT, body)
    assert result.reason == "its list gives one label to two works: 2"


def test_a_rebuild_of_a_rebuild_changes_nothing(rebuilt):
    once = rebuilt(SWAPPED).body
    assert rebuilt(once).body == once


def test_two_citations_are_enough_when_the_threshold_is_set_aside(rebuilt):
    body = "First [2]. Second [1].\n\n## References\n\n[1] Alba. Alpha.\n[2] Brandt. Beta.\n"
    assert (
        rebuilt(body, fewest=1).body
        == "First [1]. Second [2].\n\n## References\n\n[1] Brandt. Beta.\n[2] Alba. Alpha.\n"
    )


def test_a_safe_tier_replaces_the_title_and_a_suggestion_does_not(rebuilt):
    body = """One [1]. Two [2]. Three [3].

## References

[1] Migration of dunes in coas...: https://a.test/dunes
[2] Urban heat inlands in large towns: https://a.test/heat
[3] Gamma rays: https://a.test/gamma
"""
    sources = [
        Source("s1", "Migration of dunes in coastal Peru", url="https://a.test/dunes"),
        Source("s2", "Urban heat islands in large towns"),
    ]
    first, second, third = rebuilt(body, sources).entries
    assert (first.kind, first.source_id, first.tier) == (EntryKind.CANONICAL, "s1", "identifier")
    assert first.text == "Migration of dunes in coastal Peru: https://a.test/dunes"
    assert (second.kind, second.source_id, second.title) == (
        EntryKind.AS_WRITTEN,
        None,
        "Urban heat inlands in large towns",
    )
    assert third.kind is EntryKind.AS_WRITTEN


def test_a_cut_title_of_the_catalogue_does_not_replace_a_whole_one(rebuilt):
    body = SWAPPED.replace("Brandt. Beta.", "Migration of dunes in coastal Peru")
    result = rebuilt(body, [Source("s1", "Migration of dunes in ...", url="https://a.test/beta")])
    assert result.entries[0].title == "Migration of dunes in coastal Peru"
    assert (result.entries[0].kind, result.entries[0].source_id) == (EntryKind.AS_WRITTEN, "s1")


def test_a_passage_does_not_replace_a_clean_entry(rebuilt):
    body = SWAPPED.replace("Brandt. Beta. https", "https")
    passage = "early as the twelfth century the practice of painting with oil, however, stems from"
    entry = rebuilt(body, [Source("s1", passage, url="https://a.test/beta")]).entries[0]
    assert (entry.text, entry.source_id) == ("https://a.test/beta", "s1")


def test_a_dangling_citation_stays_and_its_number_is_not_given_away(rebuilt):
    result = rebuilt(SWAPPED.replace("Second point [1].", "Second point [1]. Lost point [2024]. Other [5]."))
    assert "Other [5]." in result.body
    assert [c.key for c in result.dangling] == ["5"]


def test_a_dangling_number_is_skipped_in_the_numbering(rebuilt):
    body = SWAPPED.replace("First point [2].", "First point [1]. Then [2]. More [4].").replace(
        "Second point [1].", "Second point."
    )
    body = body.replace("[1] Alba. Alpha. https://a.test/alpha\n", "")
    result = rebuilt(body)
    assert "First point [1]. Then [2]. More [3]." in result.body
    assert [(e.label, e.key) for e in result.entries] == [("2", "2"), ("3", "4"), ("4", "3")]


def test_a_dirty_entry_that_resolves_to_nothing_leaves_its_citation_dangling(rebuilt):
    body = SWAPPED.replace("[3] Costa. Gamma. https://a.test/gamma", "[3] [Insert study on dunes here]")
    result = rebuilt(body)
    assert [c.key for c in result.dangling] == ["3"]
    assert "Insert study" not in result.body
    assert "Third point [3]." in result.body


def test_the_clean_part_of_a_dirty_entry_is_kept(rebuilt):
    result = rebuilt(
        SWAPPED.replace("Brandt. Beta. https", "具身智能让机器从想到做|智能_新浪财经_新浪网: https")
    )
    assert result.entries[0].url == "https://a.test/beta"
    assert "新浪网" not in result.body


@pytest.mark.parametrize(
    ("mark", "entry"),
    [
        ("[{}]", "[{}] "),
        ("【{}】", "[{}] "),
        ("[^{}]", "[^{}]: "),
        ("[{}]", "{}. "),
        ("[{}]", "- [{}] "),
        ("<sup>{}</sup>", "{}. "),
    ],
)
def test_labels_keep_the_style_of_the_report(rebuilt, mark, entry):
    order = (3, 1, 2)
    body = " ".join(f"Point number {n} is made here{mark.format(n)}." for n in order)
    table = "\n".join(f"{entry.format(n)}Title of work number {n}. https://a.test/{n}" for n in (1, 2, 3))
    result = rebuilt(f"{body}\n\n## References\n\n{table}\n")
    assert result.path is RebuildPath.REBUILT, result.reason
    marks = " ".join(f"Point number {n} is made here{mark.format(i)}." for i, n in enumerate(order, 1))
    lines = "\n".join(
        f"{entry.format(i)}Title of work number {n}. https://a.test/{n}" for i, n in enumerate(order, 1)
    )
    assert result.body == f"{marks}\n\n## References\n\n{lines}\n"


def test_marks_with_several_keys_and_ranges(rebuilt):
    result = rebuilt(SWAPPED.replace("Third point [3].", "Third point [1-3]; again [3, 2]."))
    assert "Third point [1-3]; again [3, 1]." in result.body


def test_marks_that_fall_together_where_they_touch_are_written_once(rebuilt):
    twice = SWAPPED.replace("[1] Alba. Alpha. https://a.test/alpha", "[1] Brandt. Beta. https://a.test/beta")
    body = twice.replace("Second point [1].", "Second point [1][2]. Then [3][1][2], [2] [1], [2, 3][1].")
    result = rebuilt(body)
    assert result.path is RebuildPath.REBUILT, result.reason
    # 1 and 2 are one work now: what only repeats the mark it touches goes, what stands apart stays
    assert "First point [1]. Second point [1]. Then [2][1], [1] [1], [1, 2]." in result.body
    assert (result.n_repeats, rebuilt(result.body).body) == (3, result.body)


def test_a_repetition_of_the_writers_own_stays(rebuilt):
    result = rebuilt(SWAPPED.replace("First point [2].", "First point [2][2]."))
    assert "First point [1][1]." in result.body
    assert result.n_repeats == 0


@pytest.mark.parametrize("tail", ["", "\n", "\nAfter the list.\n"])
def test_line_ends_of_two_characters_stay(rebuilt, tail):
    body = (SWAPPED.rstrip("\n") + tail).replace("\n", "\r\n")
    result = rebuilt(body)
    assert result.path is RebuildPath.REBUILT, result.reason
    assert result.body.replace("\r\n", "\n") == rebuilt(SWAPPED.rstrip("\n") + tail).body
    assert "\n" not in result.body.replace("\r\n", "")


def test_a_new_list_ends_its_lines_as_the_report_does(rebuilt):
    listed = [ListedSource(entry=f"[{n}] https://a.test/{n}") for n in (1, 2, 3)]
    body = "One [3].\r\nTwo [1].\r\nThree [2].\r\n"
    result = rebuilt(body, listed=listed)
    assert result.body.count("\r\n") == result.body.count("\n") == 11
    merged = rebuilt(
        "Pumps ([Heat](https://a.test/h)) [1].\r\n\r\n## References\r\n\r\n[1] Costs. https://a.test/c\r\n"
    )
    assert merged.body.endswith("[1] Costs. https://a.test/c\r\n[2] Heat: https://a.test/h\r\n")


def test_escaped_brackets_are_text_where_others_are_plain(rebuilt):
    result = rebuilt(SWAPPED.replace("Third point [3].", r"Third point [3], not \[1\]."))
    assert r"Third point [3], not \[1\]." in result.body
    escaped = SWAPPED.replace("[", r"\[").replace("]", r"\]")
    assert r"First point \[1\]. Second point \[2\]." in rebuilt(escaped).body


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("A study of dunes | PIF | Home", "A study of dunes"),
        ("Dunes of Peru | Home | PIF - Start", "Dunes of Peru"),
        ("A study of dunes | PIF", "A study of dunes | PIF"),  # one site's name is no residue
    ],
)
def test_a_dirty_title_is_cleaned_of_all_its_sites(rebuilt, written, kept):
    assert rebuilt(SWAPPED.replace("Brandt. Beta.", f"{written}:")).entries[0].title == kept


def test_lists_that_restart_become_one_table(rebuilt):
    part = "## Part {0}\n\nA{0} says so [1]. B{0} says so [2].\n\n### References\n\n[1] Work A{0}. https://a.test/a{0}\n[2] Work B{0}. https://a.test/b{0}\n\n"
    result = rebuilt(part.format(1) + part.format(2))
    assert result.path is RebuildPath.REBUILT, result.reason
    assert [(e.label, e.key, e.url) for e in result.entries] == [
        ("1", "1", "https://a.test/a1"),
        ("2", "2", "https://a.test/b1"),
        ("3", "1", "https://a.test/a2"),
        ("4", "2", "https://a.test/b2"),
    ]
    assert "A2 says so [3]. B2 says so [4]." in result.body
    assert result.body.count("### References") == 1


def test_a_list_printed_twice_is_written_once(rebuilt):
    twice = SWAPPED + "\n## Sources\n\n" + SWAPPED.partition("## References\n\n")[2]
    result = rebuilt(twice)
    assert result.body.count("https://a.test/beta") == 1


def test_links_get_a_table_of_their_own(rebuilt):
    body = "Pumps work ([Heat pumps](https://a.test/hp)), cost less ([Costs](https://a.test/c)), last ([Life](https://a.test/l)).\n"
    result = rebuilt(body, [Source("k1", "Heat pumps in cold climates", url="https://a.test/hp")])
    assert result.body == body + (
        "\n## References\n\n- Heat pumps in cold climates: https://a.test/hp\n- Costs: https://a.test/c\n- Life: https://a.test/l\n"
    )
    assert [e.kind for e in result.entries] == [
        EntryKind.CANONICAL,
        EntryKind.AS_WRITTEN,
        EntryKind.AS_WRITTEN,
    ]


def test_numbered_links_are_renumbered_with_their_table(rebuilt):
    body = "A [[7]](https://a.test/7). B [[2]](https://a.test/2). C [[9]](https://a.test/9). A [[7]](https://a.test/7).\n"
    result = rebuilt(body)
    assert result.body.startswith(
        "A [[1]](https://a.test/7). B [[2]](https://a.test/2). C [[3]](https://a.test/9). A [[1]]"
    )
    assert "[1] https://a.test/7" in result.body


def test_sources_outside_the_body_count_as_its_table(rebuilt):
    listed = [ListedSource(entry=f"[{n}] https://a.test/{n}") for n in (1, 2, 3, 4)]
    result = rebuilt("One [3]. Two [1]. Three [4].\n", listed=listed)
    assert (
        result.body
        == "One [1]. Two [2]. Three [3].\n\n## References\n\n[1] https://a.test/3\n\n[2] https://a.test/1\n\n[3] https://a.test/4\n"
    )


def test_a_chinese_report_gets_a_chinese_heading(rebuilt):
    listed = [ListedSource(entry=f"[{n}] https://a.test/{n}") for n in (1, 2, 3)]
    assert "## 参考文献" in rebuilt("河流变化很快[1]，沙丘移动很慢[2]，城市变热了[3]。", listed=listed).body


def test_few_citations_keep_the_table_and_get_what_is_missing(rebuilt):
    body = "Pumps work (see [Heat pumps in cold climates](https://a.test/hp)). Cost fell [1].\n\n## References\n\n[1] Doe. Costs. https://a.test/costs\n"
    sources = [
        Source("k1", "Costs", url="https://a.test/costs"),
        Source("k2", "Heat pumps in cold climates", url="https://a.test/hp"),
    ]
    result = rebuilt(body, sources)
    assert result.path is RebuildPath.MERGED
    assert result.body == body.rstrip("\n") + "\n[2] Heat pumps in cold climates: https://a.test/hp\n"
    assert [(e.label, e.source_id) for e in result.entries] == [("2", "k2")]
    assert rebuilt(result.body, sources).body == result.body


def test_the_merged_path_keeps_the_labels_of_outside_sources(rebuilt):
    listed = [ListedSource(entry=f"[{n}] https://a.test/{n}") for n in (1, 2, 3)]
    result = rebuilt("Only one [3].\n", listed=listed)
    assert result.body == "Only one [3].\n\n## References\n\n[3] https://a.test/3\n"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("Nothing is cited here.\n", "it cites nothing"),
        (
            "A [1]. B [2]. C [3].\n\n## References\n\n- Alba. Alpha.\n- Brandt. Beta.\n",
            "no citation has a clean entry or a source",
        ),
        (
            "A [1].\n\n## References\n\n[1] Alba. Alpha. https://a.test/\n",
            "fewer than three citations and none to merge in",
        ),
    ],
)
def test_what_is_left_says_why(rebuilt, body, reason):
    result = rebuilt(body)
    assert (result.path, result.reason, result.body) == (RebuildPath.LEFT, reason, body)


def test_title_citations_get_the_entry_whose_title_they_mean(rebuilt):
    prose = "河流见《冬季河口三角洲演变研究》，沙丘见《基于遥感的沙丘迁移监测…》，城市见《城市热岛效应综述与展望》，另见《未列出的著作全集》。"
    body = (
        prose
        + "\n\n## 参考文献\n\n1. 王一：《城市热岛效应综述与展望》，2019。\n2. 李二：《冬季河口三角洲演变研究》，2020。\n3. 张三：《无人引用的书籍》，2001。\n"
    )
    sources = [Source("s1", "基于遥感的沙丘迁移监测方法研究", url="https://a.test/d")]
    result = rebuilt(body, sources)
    assert result.body == (
        prose
        + "\n\n## 参考文献\n\n1. 李二：《冬季河口三角洲演变研究》，2020。\n2. 基于遥感的沙丘迁移监测方法研究: https://a.test/d\n"
        "3. 王一：《城市热岛效应综述与展望》，2019。\n"
    )
    assert [c.key for c in result.dangling] == ["未列出的著作全集"]
    assert rebuilt(result.body, sources).body == result.body


def test_a_positional_guess_is_not_made(rebuilt):
    result = rebuilt("A [1]. B [3].\n\n## References\n\n- Alba. Alpha.\n- Brandt. Beta.\n- Costa. Gamma.\n")
    assert result.entries == ()
    assert [c.key for c in result.dangling] == ["1", "3"]


WORDS = st.sampled_from("rivers dunes carbon towns prices sleep maps heat zinc oats".split())


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.integers(1, 9), min_size=1, max_size=3, unique=True), min_size=1, max_size=8),
    st.sets(st.integers(1, 9), min_size=1),
    st.lists(WORDS, min_size=9, max_size=9),
    st.sampled_from(["[{}] ", "{}. ", "- [{}] "]),
)
def test_text_around_marks_and_list_is_never_touched(rebuilt, cited, listed, titles, label):
    prose = "\n\n".join(
        f"Sentence {i}a about {titles[i]} ends here [{', '.join(map(str, keys))}]."
        for i, keys in enumerate(cited)
    )
    table = "\n".join(
        f"{label.format(n)}The {titles[n - 1]} of region {n}x: https://a.test/{n}" for n in sorted(listed)
    )
    body = f"# Report\n\n{prose}\n\n## References\n\n{table}\n"
    result = rebuilt(body)
    head, _, tail = result.body.partition("## References")
    assert re.sub(r"\[[\d, ]+\]", "[]", head) == re.sub(
        r"\[[\d, ]+\]", "[]", body.partition("## References")[0]
    )
    keys = {k for ks in cited for k in ks}
    assert {c.key for c in result.dangling} == {str(k) for k in keys - listed}
    if result.path is RebuildPath.REBUILT:
        assert {e.url for e in result.entries} == {f"https://a.test/{k}" for k in keys & listed}
        assert tail.count("https://") == len(keys & listed)
        assert rebuilt(result.body).body == result.body


COMMON = (
    "\n",
    "\n\n",
    "## References\n\n",
    "参考文献\n",
    "- x\n",
    "| 1 | a |\n",
    "```\n",
    "$x$",
    " word",
    "。",
    "《水》",
)
STYLES = (
    ("[1]", "[2, 3]", "[1] One. https://a.test/1\n", "[2] Two. https://a.test/2\n", "【1】"),
    ("[^1]", "[^2]", "[^1]: One. https://a.test/1\n", "[^2]: Two\n"),
    ("<sup>1</sup>", "<sup>2</sup>", "1. One. https://a.test/1\n", "2. Two. https://a.test/2\n"),
    (
        "[[1]](https://a.test/1)",
        "[[2]](https://a.test/2)",
        "[t](https://a.test/t)",
        "https://a.test/b ",
        "- [t](https://a.test/t)\n",
    ),
)


def test_a_table_that_a_second_rebuild_would_change_is_not_written(rebuilt):
    body = "https://a.test/b \n参考文献\n[t](https://a.test/t)```\n```\n"
    result = rebuilt(body, fewest=1)
    assert (result.path, result.body) == (RebuildPath.LEFT, body)
    assert "would not settle" in result.reason


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(STYLES)
    .flatmap(lambda own: st.lists(st.sampled_from(COMMON + own), max_size=30))
    .map("".join)
)
def test_any_report_is_rebuilt_or_left_and_settles(rebuilt, body):
    result = rebuilt(body, fewest=1)
    if result.path is RebuildPath.LEFT:
        assert result.body == body
    else:
        assert rebuilt(result.body, fewest=1).body == result.body


PROSE = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Nd", "No"), exclude_characters="[]【】<>^|\\\\*_`$#:《》()（）&"), max_size=30)  # fmt: skip
MARKS = st.sampled_from(["[{0}]", "[{0}, {1}]", "[{0}][{1}]", "【{0}】", "[{0}-{1}]", "[{1}; {0}]"])


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.tuples(PROSE, MARKS, st.integers(1, 6), st.integers(1, 3)), min_size=1, max_size=8),
    st.permutations(range(1, 10)),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_nothing_but_marks_and_list_changes_and_every_citation_has_its_counterpart(
    rebuilt, sentences, order, newline, after
):
    """Works 8 and 9 share an address, so that marks fall together; the text between marks comes back byte for byte."""
    prose = "\n\n".join(f"Say {text} so {mark.format(a, a + b)}." for text, mark, a, b in sentences)
    url = {n: f"https://a.test/{min(n, 8)}" for n in range(1, 10)}
    table = "\n".join(f"[{n}] The book of number x{min(n, 8)}x. {url[n]}" for n in order)
    tail = "\n\n## Annex\n\nNothing more.\n" if after else "\n"
    body = f"{prose}\n\n## References\n\n{table}{tail}".replace("\n", newline)
    result = rebuilt(body, fewest=1)
    assert result.path is RebuildPath.REBUILT, result.reason
    was, now = read(body), read(result.body)
    assert outside(body, was) == outside(result.body, now)
    assert cited_addresses(was) == cited_addresses(now)
    assert rebuilt(result.body, fewest=1).body == result.body


def outside(body, reading):
    """What stands outside of marks and entries; marks that touch are one gap."""
    spans = sorted([(m.start, m.end) for m in reading.marks] + [(e.start, e.end) for e in reading.entries])
    pieces, at = [], 0
    for start, end in spans:
        pieces.append(body[at:start])
        at = max(at, end)
    return "\0".join(piece for piece in [*pieces, body[at:]] if piece.strip())


def cited_addresses(reading):
    """The works that the body cites, in the order of their first appearance."""
    cited = reconcile(reading, match_own_table).cited
    return list(dict.fromkeys(reading.entries[c.entry].url for c in cited if c.entry is not None))
