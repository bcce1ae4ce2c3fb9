"""Is it that work: slips are slips, other words are other works, and what cannot be told is not told."""

import pytest

from quality.registries.answers import Record
from quality.registries.compare import Agreement, Claim, compare, same_title
from quality.registries.people import read_authors, same_people
from quality.registries.venues import same_venue

WORK = Record(
    title="Bias-adversarial augmentation for estuary models",
    subtitle="A field study",
    authors=("Müller, Jana", "Søndergaard, Kim", "de la Cruz, María José"),
    years=(2022,),
    venues=("International Conference on Machine Learning",),
)


def agreements(**claim):
    made = compare(Claim(exact=True, **claim), WORK)
    return made.title.value, made.authors.value, made.year.value, made.venue.value


@pytest.mark.parametrize(
    "title",
    [
        "Bias-adversarial augmentation for estuary models",
        "BIAS&#45;ADVERSARIAL AUGMENTATION FOR ESTUARY MODELS",
        "Bias-adversarial augmentation for estuary models: a field study",
        "Bias-adversarial augmentation for estuary models - A Field Study",
        "<i>Bias-adversarial</i> augmentation for {E}stuary models",
        "Bias-adversarial augmentation for estuary model",
        "Bias-adversarial augmentation for estuary mo…",
    ],
)
def test_one_title_in_many_spellings(title):
    assert agreements(title=title)[0] == "match"


@pytest.mark.parametrize(
    "title",
    [
        "Bias-adversarial augmentation towards estuary models",
        "Bias-adversarial augmentation for river models",
        "Counting seals from the air",
        "Comment on: Bias-adversarial augmentation for estuary models",
        "Bias-adversarial augmentation for estuary models 2",
    ],
)
def test_another_title_is_another_work(title):
    assert agreements(title=title)[0] == "differs"


def test_diacritics_and_a_main_title_alone():
    assert same_title("Uber die Gezeiten der Elbe", "Über die Gezeiten der Elbe")
    assert same_title("Sediment traps", "Sediment traps: a field manual")
    assert same_title("Sediment traps: a field manual", "Sediment traps")
    assert not same_title("Traps", "Traps and weirs")


@pytest.mark.parametrize(
    ("authors", "agreement"),
    [
        ("Jana Müller and Kim Søndergaard and María José de la Cruz", "match"),
        ("Müller, J., Søndergaard, K., & de la Cruz, M. J.", "match"),
        ("Müller, Jana and Søndergaard, Kim and de la Cruz, María José", "match"),
        ("J. Müller, K. Søndergaard and M. J. de la Cruz", "match"),
        ("Mueller J, Sondergaard K, de la Cruz MJ", "match"),
        ("J. Muller et al.", "match"),
        (("Kim Søndergaard", "Jana Müller", "M. de la Cruz"), "match"),
        ("Jana Müller and others", "match"),
        ("Jana Müller and Kim Søndergaard", "differs"),
        ("Petra Silva and Yuki Sato", "differs"),
        ("Jana Müller and Kim Søndergaard and María José de la Cruz and Yuki Sato", "differs"),
        ("王小明", "not_given"),
        ("", "not_given"),
    ],
)
def test_people_whatever_the_order_and_the_accents(authors, agreement):
    assert agreements(authors=authors)[1] == agreement


def test_a_line_of_prose_may_name_the_first_author_alone():
    made = compare(Claim(authors="Müller, J."), WORK)
    assert made.authors is Agreement.MATCH
    assert not compare(Claim(title=WORK.title, year=2010, venue="ACL"), WORK).contradicted
    assert compare(Claim(title=WORK.title, year=2010, exact=True), WORK).contradicted


def test_names_that_share_a_family_are_not_the_same_people():
    wang = read_authors("Xue Yang and Junchi Yan and Qi Ming")
    other = read_authors("Zhao Yang and Jiaqi Wang and Kai Chen")
    assert same_people(other, wang, complete=True) is False
    assert same_people(read_authors("Yang Xue"), read_authors("X. Yang"), complete=True) is True


@pytest.mark.parametrize(
    ("year", "agreement"),
    [(2022, "match"), (2021, "match"), (2023, "match"), (2019, "differs"), (2035, "differs")],
)
def test_years_may_differ_by_one(year, agreement):
    assert agreements(year=year)[2] == agreement


def test_a_preprint_may_come_earlier():
    made = compare(Claim(year=2019, venue="arXiv preprint arXiv:1901.00001", exact=True), WORK)
    assert (made.year, made.venue) == (Agreement.MATCH, Agreement.NOT_GIVEN)
    assert compare(Claim(year=2015, venue="arXiv", exact=True), WORK).year is Agreement.DIFFERS


@pytest.mark.parametrize(
    ("claimed", "known", "same"),
    [
        ("ICML", "International Conference on Machine Learning", True),
        ("Proc. of the 38th International Conference on Machine Learning (ICML)", "ICML", True),
        ("NIPS", "Advances in Neural Information Processing Systems", True),
        ("Adv. Neural Inf. Process. Syst.", "Advances in Neural Information Processing Systems", True),
        ("Adv. Neural Inf. Process. Syst.", "NeurIPS", True),
        ("Proc. AAAI Conf. Artif. Intell.", "AAAI", True),
        ("J. Estuar. Res.", "Journal of Estuarine Research", True),
        ("2021 IEEE/CVF Conference on Computer Vision and Pattern Recognition", "CVPR", True),
        ("Proceedings of the AAAI Conference on Artificial Intelligence", "AAAI", True),
        ("AAAI", "ICML", False),
        ("UAI", "International Conference on Machine Learning", False),
        ("Symposium on Neural Scaling Laws", "ICML", False),
        ("Journal of Hydrology", "Journal of Estuarine Research", False),
        ("FAccT", "Conference on Fairness, Accountability, and Transparency", None),
        ("arXiv", "ICML", None),
        ("ICML", "arXiv", None),
        ("CoRR", "arXiv", True),
    ],
)
def test_venues_under_their_names(claimed, known, same):
    assert same_venue(claimed, [known]) is same


def test_what_is_missing_is_not_given():
    assert agreements() == ("not_given",) * 4
    assert compare(Claim("T", "A", 2000, "V", exact=True), Record()).differing == ()


def test_a_line_of_prose_that_holds_the_title_after_all():
    text = "[doc_17] Müller J. Bias-adversarial augmentation for estuary models[J]. 2022."
    misread = Claim(
        "[doc_17] Müller J. Bias-adversarial augmentation for estuary models[J]", "doc_17", text=text
    )
    made = compare(misread, WORK)
    assert (made.title, made.authors) == (Agreement.MATCH, Agreement.MATCH)
    other = Claim("Counting seals from the air", "Doe, J.", text="Doe, J. Counting seals from the air. 2022.")
    assert compare(other, WORK).differing == ("title", "authors")
    reply = "Comment on: Bias-adversarial augmentation for estuary models"
    assert compare(Claim(reply, text=reply), WORK).title is Agreement.DIFFERS
