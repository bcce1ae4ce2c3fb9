"""How an identifier stands, and what of it the fingerprint covers."""

from quality.citations.reader import read
from quality.model import Identifier
from quality.registries.answers import Notice, NoticeKind, Record
from quality.registries.check import Reference, Standing, answers_fingerprint, check_reference, check_title
from quality.registries.claims import reference_of
from quality.registries.compare import Claim
from quality.registries.references import references_of
from quality.registries.verdict import State, Verdict

DOI, DATA = Identifier("doi", "10.5555/a"), Identifier("doi", "10.5555/data")
RECORD = Record(title="Counting seals from the air", authors=("Doe, Jane",), years=(2019,))


def found(one=DOI, record=RECORD):
    return {one: Verdict(one, State.FOUND, record=record, registry="crossref")}


def standing(claim, verdicts, *identifiers):
    return [c.standing for c in check_reference(Reference("[1]", identifiers or (DOI,), claim), verdicts)]


def test_found_contradicted_retracted_unknown():
    assert standing(Claim("Counting seals from the air"), found()) == [Standing.FOUND]
    assert standing(Claim("How salt marshes store carbon"), found()) == [Standing.CONTRADICTED]
    taken = Record(title=RECORD.title, notices=(Notice(NoticeKind.RETRACTED, "doi:10.5555/r"),))
    assert standing(Claim(RECORD.title), found(record=taken)) == [Standing.RETRACTED]
    mended = Record(title=RECORD.title, notices=(Notice(NoticeKind.CORRECTED),))
    assert standing(Claim(RECORD.title), found(record=mended)) == [Standing.FOUND]
    assert standing(Claim(RECORD.title), found(record=Record())) == [Standing.FOUND]
    assert standing(None, {DOI: Verdict(DOI, State.UNKNOWN, "timeout")}) == [Standing.UNKNOWN]


def test_an_entry_with_an_article_and_its_data():
    verdicts = found() | found(DATA, Record(title="Seal counts 2019"))
    assert standing(Claim(RECORD.title), verdicts, DOI, DATA) == [Standing.FOUND, Standing.FOUND]
    assert (
        standing(Claim("Neither of them, but long enough"), verdicts, DOI, DATA)
        == [Standing.CONTRADICTED] * 2
    )


def test_a_page_title_contradicts_nothing():
    page = Identifier("url", "https://a.test/x")
    assert standing(Claim(RECORD.title), found(page, Record(title="Home")), page) == [Standing.FOUND]


def test_by_title_the_best_of_several_works_is_believed():
    reference = Reference("[1]", (), Claim(RECORD.title, "Roe, Paul", 1987, exact=True))
    other = Record(title=RECORD.title, authors=("Roe, Paul",), years=(1987,))
    assert check_title(reference, [RECORD, other], "snapshot").standing is Standing.FOUND
    assert check_title(reference, [RECORD], "snapshot").standing is Standing.CONTRADICTED
    assert check_title(reference, [], "snapshot") is None


def test_the_fingerprint_is_of_what_is_said_and_not_of_when():
    def one(verdicts, claim=None):
        return answers_fingerprint(check_reference(Reference("[1]", (DOI,), claim), verdicts))

    down = {DOI: Verdict(DOI, State.UNKNOWN, "timeout")}
    other = {DOI: Verdict(DOI, State.UNKNOWN, "http_503", "crossref: status 503")}
    assert one(down) == one(other)
    assert (
        len(
            {
                one(down),
                one(found()),
                one({DOI: Verdict(DOI, State.NOT_FOUND)}),
                one(found(), Claim("Another work, long")),
            }
        )
        == 4
    )


def test_references_of_a_report():
    body = (
        "# Seals\n\nCounted from the air [1], see also doi:10.5555/data and doi:10.5555/a.\n\n"
        "```\ndoi:10.5555/code\n```\n\n"
        "## References\n\n[1] Doe, J. (2019). Counting seals from the air. https://doi.org/10.5555/a\n"
    )
    made = references_of(body, read(body))
    assert [(r.label, r.identifiers) for r in made] == [("[1]", (DOI,)), ("doi in the text", (DATA,))]
    assert made[0].claim.title == "Counting seals from the air"
    assert body.count("\n", 0, made[1].start) == 2


def test_a_reference_as_fields():
    made = reference_of(
        {
            "title": "T",
            "author": "A B and C D",
            "year": "2020",
            "booktitle": "ICML",
            "doi": "https://doi.org/10.5555/A",
            "pmid": 7,
        },
        "line 1",
    )
    assert made.identifiers == (DOI, Identifier("pmid", "7"))
    assert (made.claim.authors, made.claim.year, made.claim.venue, made.claim.exact) == (
        "A B and C D",
        2020,
        "ICML",
        True,
    )
    assert reference_of({"doi": "nonsense"}, "x").identifiers == (Identifier("doi", "nonsense"),)
    assert reference_of({"doi": "10.48550/arXiv.1706.03762v1"}, "x").identifiers == (
        Identifier("arxiv", "1706.03762"),
    )
