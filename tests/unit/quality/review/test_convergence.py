"""Convergence: what two reviewers share, at which passage, among reports that both could examine."""

from quality.review.convergence import convergence, shared_places
from quality.review.model import Category, Examination, Finding, Review, ReviewerKind, Severity

DANGLING, CLOSING = Category.DANGLING_CITATION, Category.STOCK_CLOSING


def found(report: str, category: Category, start: int | None = None, end: int | None = None) -> Finding:
    return Finding(report, category, Severity.HIGH, "x", None, start, end)


def by(name: str, *examinations: Examination) -> Review:
    return Review(name, ReviewerKind.OUTSIDE, examinations)


def test_overlapping_findings_of_two_reviewers_are_one_shared_passage():
    reviews = [
        by("a", Examination("r1", (found("r1", DANGLING, 10, 20),))),
        by("b", Examination("r1", (found("r1", DANGLING, 19, 30),))),
    ]
    (place,) = shared_places(reviews)
    assert (place.report_id, place.category, place.reviewers) == ("r1", DANGLING, ("a", "b"))
    (ranked,) = convergence(reviews)
    assert (ranked.compared, ranked.shared_reports, ranked.shared_passages) == (1, 1, 1)


def test_findings_that_only_touch_are_two_passages_of_one_shared_report():
    reviews = [
        by("a", Examination("r1", (found("r1", DANGLING, 10, 20),))),
        by("b", Examination("r1", (found("r1", DANGLING, 20, 30),))),
    ]
    assert [p.reviewers for p in shared_places(reviews)] == [("a",), ("b",)]
    (ranked,) = convergence(reviews)
    assert (ranked.shared_reports, ranked.shared_passages) == (1, 0)


def test_another_category_or_another_report_is_not_shared():
    reviews = [
        by("a", Examination("r1", (found("r1", DANGLING, 10, 20),)), Examination("r2")),
        by(
            "b",
            Examination("r1", (found("r1", CLOSING, 10, 20),)),
            Examination("r2", (found("r2", DANGLING, 10, 20),)),
        ),
    ]
    assert {(r.category, r.shared_reports, r.shared_passages) for r in convergence(reviews)} == {
        (DANGLING, 0, 0),
        (CLOSING, 0, 0),
    }


def test_one_reviewer_that_says_it_twice_agrees_with_nobody():
    reviews = [
        by("a", Examination("r1", (found("r1", DANGLING, 10, 20), found("r1", DANGLING, 12, 18)))),
        by("b", Examination("r1")),
    ]
    (ranked,) = convergence(reviews)
    assert (ranked.shared_reports, ranked.shared_passages, ranked.reviewers) == (0, 0, 1)


def test_a_report_that_one_could_not_examine_is_not_compared():
    reviews = [
        by(
            "a",
            Examination("r1", (found("r1", DANGLING, 1, 2),)),
            Examination("r2", (found("r2", DANGLING, 1, 2),)),
        ),
        by(
            "b",
            Examination("r1", (found("r1", DANGLING, 1, 2),)),
            Examination("r2", fault="timeout: no answer"),
        ),
    ]
    (ranked,) = convergence(reviews)
    assert (ranked.compared, ranked.shared_reports) == (1, 1)
    assert ranked.examined_by == {"a": 2, "b": 1}
    assert ranked.found_by == {"a": 2, "b": 1}


def test_the_most_shared_failure_leads_and_who_found_what_is_said():
    reviews = [
        by(
            "a",
            Examination("r1", (found("r1", CLOSING), found("r1", DANGLING, 1, 5))),
            Examination("r2", (found("r2", CLOSING),)),
        ),
        by("b", Examination("r1", (found("r1", CLOSING),)), Examination("r2", (found("r2", CLOSING),))),
        by("c", Examination("r1", (found("r1", DANGLING, 2, 3),)), Examination("r2")),
    ]
    closing, dangling = convergence(reviews)
    assert (closing.category, closing.shared_reports, closing.shared_passages) == (CLOSING, 2, 0)
    assert (dangling.category, dangling.shared_reports, dangling.shared_passages) == (DANGLING, 1, 1)
    assert closing.found_by == {"a": 2, "b": 2, "c": 0}


def test_the_order_of_the_reviews_changes_nothing_and_no_review_shares_nothing():
    reviews = [
        by("a", Examination("r1", (found("r1", DANGLING, 1, 9),))),
        by("b", Examination("r1", (found("r1", DANGLING, 3, 4), found("r1", CLOSING)))),
    ]
    forward, back = convergence(reviews), convergence(reviews[::-1])
    assert [(r.category, r.shared_reports, dict(r.found_by)) for r in forward] == [
        (r.category, r.shared_reports, dict(r.found_by)) for r in back
    ]
    assert convergence([]) == []
