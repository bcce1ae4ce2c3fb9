"""Author-year systems on texts of our own writing, in English and Chinese, and the parts they rest on.

Each case: the body, the citations with their counts, the ones without an entry, the ones between two entries, and
the positions of the entries that nobody cites.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from quality.citations.author_year import entry_names, entry_years, split_key
from quality.model import Entry


@dataclass(frozen=True)
class Case:
    """One text and the truth about it."""

    name: str
    body: str
    cited: dict[str, int]
    dangling: set[str] = field(default_factory=set)
    ambiguous: set[str] = field(default_factory=set)
    uncited: set[int] = field(default_factory=set)


_APA = """

## References

Alder, A., & Birch, B. (2018). Gauges of the north. Harbour Journal, 4(2), 1–9.

Cedar, C. (2020a). Slow floods. Port Press.

Cedar, C. (2020b). Fast floods. Port Press.

Dill, D., Elm, E., & Fir, F. (2019). Winds over narrow bays. Harbour Journal, 5, 11–30.

van der Gracht, G. (2021). Dikes and their keepers. Port Press.
"""

CASES = (
    Case(
        "parentheses with comma",
        "Gauges drift (Alder & Birch, 2018). Floods are slow (Cedar, 2020a). So are winds (Dill et al., 2019)."
        + _APA,
        {"Alder 2018": 1, "Cedar 2020a": 1, "Dill 2019": 1},
        uncited={2, 4},
    ),
    Case(
        "several in one bracket",
        "All agree (Alder & Birch, 2018; Cedar, 2020a; Cedar, 2020b; Dill et al., 2019; van der Gracht, 2021)."
        + _APA,
        {"Alder 2018": 1, "Cedar 2020a": 1, "Cedar 2020b": 1, "Dill 2019": 1, "van der Gracht 2021": 1},
    ),
    Case(
        "in the sentence",
        "Alder and Birch (2018) read gauges. Dill et al. (2019) disagree, and van der Gracht (2021) asks why."
        + _APA,
        {"Alder 2018": 1, "Dill 2019": 1, "van der Gracht 2021": 1},
        uncited={1, 2},
    ),
    Case(
        "possessive and repeated",
        "Alder and Birch’s (2018) gauges drift. They still drift (Alder & Birch, 2018). Dill et al. (2019) saw it."
        + _APA,
        {"Alder 2018": 2, "Dill 2019": 1},
        uncited={1, 2, 4},
    ),
    Case(
        "without comma",
        "Gauges drift (Alder & Birch 2018) and winds turn (Dill et al. 2019; van der Gracht 2021)." + _APA,
        {"Alder 2018": 1, "Dill 2019": 1, "van der Gracht 2021": 1},
        uncited={1, 2},
    ),
    Case(
        "with pages",
        "Gauges drift (Alder & Birch, 2018, p. 4; Cedar, 2020b, pp. 7-9). Dikes hold (van der Gracht, 2021: 12)."
        + _APA,
        {"Alder 2018": 1, "Cedar 2020b": 1, "van der Gracht 2021": 1},
        uncited={1, 3},
    ),
    Case(
        "with a lead",
        "Gauges drift (see Alder & Birch, 2018; cf. Dill et al., 2019), others hold (e.g., Cedar, 2020a)."
        + _APA,
        {"Alder 2018": 1, "Dill 2019": 1, "Cedar 2020a": 1},
        uncited={2, 4},
    ),
    Case(
        "square brackets",
        "Gauges drift [Alder & Birch, 2018]. Floods are slow [Cedar, 2020a; Dill et al., 2019]." + _APA,
        {"Alder 2018": 1, "Cedar 2020a": 1, "Dill 2019": 1},
        uncited={2, 4},
    ),
    Case(
        "two letters of one year",
        "Floods come in two kinds (Cedar, 2020a, 2020b). Others differ (Dill et al., 2019)." + _APA,
        {"Cedar 2020a": 1, "Cedar 2020b": 1, "Dill 2019": 1},
        uncited={0, 4},
    ),
    Case(
        "a bare year between two entries",
        "Floods are slow (Cedar, 2020). Winds turn (Dill et al., 2019)." + _APA,
        {"Cedar 2020": 1, "Dill 2019": 1},
        ambiguous={"Cedar 2020"},
        uncited={0, 4},
    ),
    Case(
        "dangling authors",
        "Gauges drift (Alder & Birch, 2018). Nobody knows why (Hazel & Ivy, 2017). Juniper (2016) guessed (Juniper, 2016)."
        + _APA,
        {"Alder 2018": 1, "Hazel 2017": 1, "Juniper 2016": 2},
        dangling={"Hazel 2017", "Juniper 2016"},
        uncited={1, 2, 3, 4},
    ),
    Case(
        "wrong year dangles",
        "Gauges drift (Alder & Birch, 2019). Winds turn (Dill et al., 2019)." + _APA,
        {"Alder 2019": 1, "Dill 2019": 1},
        dangling={"Alder 2019"},
        uncited={0, 1, 2, 4},
    ),
    Case(
        "months, versions and figures are no authors",
        "It began (March 2018) and ended (Version 2019), as drawn (Figure 2, 2020), in winter (Winter 2021).\n"
        "Only gauges count (Alder & Birch, 2018)." + _APA,
        {"Alder 2018": 1},
        uncited={1, 2, 3, 4},
    ),
    Case(
        "venues are no authors",
        "It was shown (ICLR 2020) and again (NEURIPS, 2021). Winds turn (Dill et al., 2019)." + _APA,
        {"Dill 2019": 1},
        uncited={0, 1, 2, 4},
    ),
    Case(
        "a body as author",
        "Ports grew (Northern Port Authority, 2022). Gauges drift (Birch, 2018).\n\n## References\n\n"
        "- Northern Port Authority. (2022). Yearbook. Port Press.\n- Birch, B. (2018). Gauges. Harbour Journal.\n",
        {"Northern Port Authority 2022": 1, "Birch 2018": 1},
    ),
    Case(
        "first names in the list",
        "Gauges drift (Birch, 2018) while floods are slow (Cedar and Dill, 2020).\n\n## References\n\n"
        "- Bea Birch (2018): Gauges of the north. Harbour Journal.\n- Carl Cedar and Dora Dill (2020): Slow floods.\n",
        {"Birch 2018": 1, "Cedar 2020": 1},
    ),
    Case(
        "accents and apostrophes",
        "Gauges drift (O’Hara, 2018), floods are slow (Müller & Łęcki, 2019), dikes hold (Martín-Ruiz et al., 2020).\n\n"
        "## References\n\nO’Hara, P. (2018). Gauges. Port Press.\n\nMüller, M., & Łęcki, L. (2019). Floods. Port Press.\n\n"
        "Martín-Ruiz, R., Soto, S., & Toro, T. (2020). Dikes. Port Press.\n",
        {"O’Hara 2018": 1, "Müller 2019": 1, "Martín-Ruiz 2020": 1},
    ),
    Case(
        "no list at all",
        "Gauges drift (Alder & Birch, 2018). Winds turn (Dill et al., 2019). Cedar et al. (2020) object.",
        {"Alder 2018": 1, "Dill 2019": 1, "Cedar 2020": 1},
        dangling={"Alder 2018", "Dill 2019", "Cedar 2020"},
    ),
    Case(
        "a report that cites by number mentions authors",
        "Alder et al. (2018) read gauges [1], floods are slow (Cedar, 2020) [2].\n\n## References\n\n"
        "[1] Alder, A. (2018). Gauges. Port Press.\n[2] Cedar, C. (2020). Floods. Port Press.\n",
        {"1": 1, "2": 1},
    ),
    Case(
        "years in brackets without authors",
        "The port opened in spring (1998) and closed (2004). The second (2010) holds.\n\nNothing else is known.",
        {},
    ),
    Case(
        "Chinese, full-width brackets",
        "潮位仪会漂移（张三，2018）。洪水来得慢（李四等，2020）。风向多变（王五、赵六，2019）。\n\n## 参考文献\n\n"
        "张三. (2018). 北方潮位仪. 港口学报.\n\n李四, 周七, 吴八. (2020). 缓慢的洪水. 港口出版社.\n\n"
        "王五, 赵六. (2019). 海湾的风. 港口学报.\n",
        {"张三 2018": 1, "李四 2020": 1, "王五 2019": 1},
    ),
    Case(
        "Chinese, in the sentence",
        "根据张三（2018）的研究，潮位仪会漂移；李四等（2020）不同意（张三，2018）。\n\n## 参考文献\n\n"
        "张三. (2018). 北方潮位仪. 港口学报.\n\n李四, 周七, 吴八. (2020). 缓慢的洪水. 港口出版社.\n",
        {"张三 2018": 2, "李四 2020": 1},
    ),
    Case(
        "Chinese, several and dangling",
        "两种看法都有（张三，2018；李四，2021）。规划（2020年）已经完成，白皮书（2019）尚未发布。\n\n## 参考文献\n\n"
        "- 张三. (2018). 北方潮位仪. 港口学报.\n- 王五. (2019). 海湾的风. 港口学报.\n",
        {"张三 2018": 1, "李四 2021": 1},
        dangling={"李四 2021"},
        uncited={1},
    ),
    Case(
        "Chinese text, Latin authors",
        "潮位仪会漂移（Alder & Birch, 2018），洪水来得慢（Cedar et al., 2020）。\n\n## 参考文献\n\n"
        "Alder, A., & Birch, B. (2018). Gauges. Port Press.\n\nCedar, C., Dill, D., & Elm, E. (2020). Floods. Port Press.\n",
        {"Alder 2018": 1, "Cedar 2020": 1},
    ),
    Case(
        "numbered list, authors in the text",
        "Gauges drift (Alder & Birch, 2018). Floods are slow (Cedar, 2020).\n\n## References\n\n"
        "1. Alder, A., & Birch, B. (2018). Gauges. Port Press.\n2. Cedar, C. (2020). Floods. Port Press.\n",
        {"Alder 2018": 1, "Cedar 2020": 1},
    ),
    Case(
        "commas instead of semicolons",
        "Gauges drift (Alder 2018, Cedar 2020a), as two say (Alder & Birch, 2018, and Dill et al., 2019)."
        + _APA,
        {"Alder 2018": 2, "Cedar 2020a": 1, "Dill 2019": 1},
        uncited={2, 4},
    ),
    Case(
        "initials, three names, a comment, a line break",
        "It drifts (A. Alder & B. Birch, 2018). Dill, Elm, and Fir (2019) object (but see Cedar, 2020a, for a defence),\n"
        "as dikes do (van der Gracht,\n2021)." + _APA,
        {"Alder 2018": 1, "Dill 2019": 1, "Cedar 2020a": 1, "van der Gracht 2021": 1},
        uncited={2},
    ),
    Case(
        "an acronym that its entry explains",
        "Ports grew (NPA, 2022) and gauges drift (Birch et al., 2018).\n\n## References\n\n"
        "Northern Port Authority (NPA). (2022). Yearbook. Port Press.\n\nBirch, B., & Cedar, C. (2018). Gauges. Port Press.\n",
        {"NPA 2022": 1, "Birch 2018": 1},
    ),
    Case(
        "Vancouver list",
        "Gauges drift (Alder et al., 2018).\n\n## References\n\n"
        "1. Alder A, Birch B. Gauges of the north. Harb J. 2018;4:1–9.\n2. Cedar C. Floods. Harb J. 2020;5:1–2.\n",
        {"Alder 2018": 1},
        uncited={1},
    ),
    Case(
        "Chinese national standard",
        "潮位仪会漂移（张三等，2018）。\n\n## 参考文献\n\n"
        "张三, 李四. 北方潮位仪[J]. 港口学报, 2018, 4(2): 1-9.\n\n王五. 海湾的风[M]. 港口出版社, 2019.\n",
        {"张三 2018": 1},
        uncited={1},
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_a_text(see, case):
    seen = see(case.body)
    assert seen.cited == case.cited
    assert set(seen.dangling) == case.dangling
    assert {c.key for c in seen.result.ambiguous} == case.ambiguous
    assert set(seen.result.uncited) == case.uncited
    for mark in seen.reading.marks:
        if mark.family == "author_year":
            assert seen.body[mark.start : mark.end][-1] in ")]）"


def test_there_are_enough_texts_in_both_languages():
    chinese = [c for c in CASES if any("\u4e00" <= x <= "\u9fff" for x in c.body)]
    assert len(CASES) >= 20
    assert len(chinese) >= 4


def _entry(authors: str | None, year: int | None, text: str = "") -> Entry:
    return Entry(0, None, text, authors=authors, year=year)


@pytest.mark.parametrize(
    ("authors", "name"),
    [
        ("Alder, A., & Birch, B.", "alder"),
        ("Ann Alder and Ben Birch", "alder"),
        ("Alder A", "alder"),
        ("张三, 李四", "张三"),
        ("Northern Port Authority", "northern port authority"),
        ("van der Gracht, G.", "van der gracht"),
    ],
)
def test_names_under_which_an_entry_is_cited(authors, name):
    assert name in entry_names(_entry(authors, 2020))


def test_an_entry_without_authors_has_no_names():
    assert entry_names(_entry(None, 2020)) == set()


def test_years_and_letters():
    assert entry_years(_entry("A", 2020, "A (2020a). Tides. 2019")) == {"2020", "2020a"}
    assert entry_years(_entry("A", None, "A. Tides.")) == set()
    assert split_key("van der Gracht 2020a") == ("van der gracht", "2020", "a")
    assert split_key("Doe n.d.")[0] == "doe"
