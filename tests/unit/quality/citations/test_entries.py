"""What an entry says, in the layouts that models write."""

from __future__ import annotations

import pytest

from quality.citations.entries import split_entry

U = "https://papers.test/tides"
TITLES = {
    f"Tides of the North: {U}": "Tides of the North",
    f"Tides of the North: {U}  ": "Tides of the North",
    f"[Tides of the North]({U})": "Tides of the North",
    f"[Tides of the North]({U}) - Harbour Journal, 2020": "Tides of the North",
    f"{U} - Tides of the North | Harbour": "Tides of the North | Harbour",
    f"Tides of the North \\- Harbour, accessed May 4, 2025, [{U}]({U})": "Tides of the North - Harbour",
    f"Tides of the North, 檢索日期：5月 4, 2025， [{U}]({U})": "Tides of the North",
    f"Tides of the North. Retrieved 4 May 2025 from {U}": "Tides of the North",
    f"Tides of the North. Available at: {U}": "Tides of the North",
    f"Alder, A. (2020). Tides of the North. Harbour Journal, 4(2), 1–9. {U}": "Tides of the North",
    f"Alder, A., & Birch, B. (2020, May 4). Tides of the North. Harbour. [{U}]({U})": "Tides of the North",
    f"Port Authority. (2020). Tides of the North. Port. [{U}]({U})": "Tides of the North",
    "Alder, A. (ed.). (1988). Tides of the North. Harbour Press.": "Tides of the North",
    'Alder A. (2011). "Tides of the North." *Harbour Journal* 7(3): 111-125.': "Tides of the North",
    'A. Alder and B. Birch, "Tides of the North," *Harbour J.*, vol. 4, pp. 1-9, 2018.': "Tides of the North",
    "Alder, Ann. “Tides of the North.” Harbour Journal, 2018.": "Tides of the North",
    '"More is Different" in tides: a review of ports': '"More is Different" in tides: a review of ports',
    "张三, 李四. 北方潮位仪[J]. 港口学报, 2018, 4(2): 1-9.": "北方潮位仪",
    "A. Alder, B. Birch, and C. Cedar. Tides of the North. In Harbour Conference, 2018.": "Tides of the North",
    "Ann Alder, Ben Birch and Cleo Cedar. 2020. Tides of the North. In Harbour Conference.": "Tides of the North",
    'Ann Alder and Ben Birch. 2020. "Tides of the North." Harbour Journal.': "Tides of the North",
    "Ann Alder, Ben Birch, et al.: Tides of the North. Harbour Journal (2020)": "Tides of the North",
    "Alder A, Birch B. 2020. Tides of the North. In Harbour Conf.": "Tides of the North",
    "Alder A. 2020. Do tides rise? A view from the north. In Harbour Conf.": "Do tides rise? A view from the north",
    'Alder A. 2020. "It rose!": sayings of the north. In Harbour Conf.': '"It rose!": sayings of the north',
    "Alder et al., 2020. Tides of the North. Harbour Journal.": "Tides of the North",
    "Tides of the North. Ann Alder, Ben Birch, and Cleo Cedar. Harbour Journal, 2020.": "Tides of the North",
    "Alder, A. (2020). Do tides rise? A view from the north. Harbour Journal.": "Do tides rise? A view from the north",
    "Alder, A. (2020). Do tides rise? Journal of Harbours, 4(2).": "Do tides rise?",
    f"**Tides of the Far North** – Ann Alder, Ben Birch (2020). *Harbour Journal*. {U}": "Tides of the Far North",
    "《北方潮汐年鉴》，张三、李四，港务出版社，2020。doi:10.5555/tides.1": "《北方潮汐年鉴》",
    "Handwritten Ledgers and Machine Reading: Error Rates": "Handwritten Ledgers and Machine Reading: Error Rates",
    "Tides and Floods. doi:10.5555/tides.1": "Tides and Floods.",
    "Alder A, Birch B. Tides of the North. Harbour Press.": "Tides of the North. Harbour Press.",
    "Alder. Tides &amp;amp; Winds &ndash; notes.": "Tides & Winds – notes.",
    f"**Tides of the North** {U}": "Tides of the North",
    f"Tides of the North – [Harbour]({U})": "Tides of the North",
    f"Tides of the North [Link]({U})": "Tides of the North",
    f"Tides of the North. [原文链接]({U})": "Tides of the North",
    f"\\[[Alder' 2020-01-02]({U})\\] \tDocument 3: Tides of the North": "Tides of the North",
    f"\\[[Alder' 2020-01-02]({U})\\] Tides of the North": "Tides of the North",
    f"({U}) Tides of the North": "Tides of the North",
    f"港务局：《北方潮汐年鉴》: {U}": "港务局：《北方潮汐年鉴》",
    f"《北方潮汐年鉴》（2020）{U}": "《北方潮汐年鉴》（2020）",
    f"[中国港口年鉴2024（表6-2）]({U})": "中国港口年鉴2024（表6-2）",
    "Tides of the North. doi:10.5555/tides.1": "Tides of the North.",
    f"(PDF) Tides of the North: {U}": "(PDF) Tides of the North",
    f"[Tides of the North: {U}]({U})": "Tides of the North",
    f"Titanic: what they were looking at: {U}": "Titanic: what they were looking at",
    "a_snake_case_file_name.md": "a_snake_case_file_name.md",
    U: None,
    f"<{U}>": None,
    f"[{U}]({U})": None,
    f"accessed May 4, 2025, [{U}]({U})": None,
}


@pytest.mark.parametrize(("content", "title"), TITLES.items())
def test_titles(content, title):
    assert split_entry(content).title == title


@pytest.mark.parametrize("content", [c for c in TITLES if U in c])
def test_the_address_is_found_in_every_layout(content):
    assert split_entry(content).url == U


@pytest.mark.parametrize(
    ("content", "authors", "year", "letter"),
    [
        ("Alder, A., & Birch, B. (2020a). Tides. Harbour.", "Alder, A., & Birch, B", 2020, "a"),
        ("Alder A. (2020) Tides of the north", "Alder A", 2020, ""),
        ("Alder. Tides.", "Alder", None, ""),
        ("张三, 李四. (2019). 北方潮汐. 港口学报.", "张三, 李四", 2019, ""),
        (f"Tides of the North, accessed May 4, 2025, {U}", None, None, ""),
        (f"Tides of the North (2021): {U}", None, 2021, ""),
        ("Tides: https://papers.test/2019/04/tides", None, None, ""),
    ],
)
def test_authors_and_year(content, authors, year, letter):
    parts = split_entry(content)
    assert (parts.authors, parts.year, parts.letter) == (authors, year, letter)


def test_an_address_deep_inside_a_passage_is_not_the_entrys_own():
    words = "The gauge at the pier was read by hand every hour of the day. " * 8
    assert split_entry(f"{words}See {U} for the code. {words}").url is None


def test_an_address_with_blanks_is_taken_whole():
    url = "https://papers.test/our insights/state of tides.pdf"
    assert split_entry(url).url == url


@pytest.mark.parametrize("content", ["", " ", "\x00\x00", "](", "((((", "[", "《", "https://"])
def test_nothing_raises(content):
    assert split_entry(content).year is None
