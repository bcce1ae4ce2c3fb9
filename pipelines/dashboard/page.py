"""The page: its sections in order, the notes at its end, and the shell that lets it stand by itself.

Belongs here: putting the page together. Does not belong here: its sections, reading, writing files.
"""

from __future__ import annotations

from collections.abc import Iterable

from pipelines.dashboard.bundle import policy, static
from pipelines.dashboard.decisions import decision_section
from pipelines.dashboard.facts import Facts
from pipelines.dashboard.figures import Figures
from pipelines.dashboard.markup import Html, joined, json_block, tag
from pipelines.dashboard.people import alert_section, release_section
from pipelines.dashboard.top import batch_table, clause_table, verdict_card
from quality.metrics.catalogue import CATALOGUE
from quality.metrics.definition import Definition

TITLE = "Sluicegate dashboard"


def render(facts: Facts, *, library: str) -> str:
    """Give the whole page.

    Args:
        facts: what it shows.
        library: the chart library's script.
    """
    figures = Figures(facts)
    sections = [
        verdict_card(facts),
        clause_table(facts),
        batch_table(facts),
        figures.trends(),
        figures.distributions(),
        figures.changes(),
        figures.validity(),
        decision_section(facts) if facts.n_decisions else None,
        release_section(facts),
        alert_section(facts),
        by_construction(),
        metric_help(CATALOGUE),
    ]
    return _shell(
        joined([_header(facts), tag("main", sections, id="main"), _patterns()]), figures.specs, library
    )


def _header(facts: Facts) -> Html:
    links = (
        ("verdict", "Verdict"), ("contract", "Contract"), ("batches", "Batches"), ("trends", "Trends"),
        ("distributions", "Distributions"), ("changes", "Before and after"), ("validity", "Measured"),
        ("decisions", "Decisions"), ("releases", "Releases"), ("alerts", "Alerts"), ("metrics", "Metrics"),
    )  # fmt: skip
    empty = {name for name, rows in (("alerts", facts.alerts), ("releases", facts.releases)) if not rows}
    at = f"Publication {facts.published['number']}" if facts.published.get("number") else "Publication"
    when = f" of {facts.published['at']}" if facts.published.get("at") else ""
    return joined(
        [
            tag("a", "Skip to the content", href="#main", class_="skip"),
            tag(
                "header",
                tag("h1", "Sluicegate"),
                tag("p", f"{at}{when}. It blocks ingestion, not delivery.", class_="quiet"),
                tag(
                    "nav",
                    [tag("a", words, href=f"#{name}") for name, words in links if name not in empty],
                    aria_label="Sections",
                ),
            ),
        ]
    )


def by_construction() -> Html:
    """What a number near 1 does not say."""
    return tag(
        "section",
        tag("h2", "What is true by construction"),
        tag(
            "p",
            "The rebuild makes the reference table from the citations of the body. Where every citation can be resolved, the inbound "
            "rate after it is 1 by construction, whatever the report says: the rate then checks the rebuild. It says nothing about "
            "whether a source exists, or supports the sentence that cites it. The rate as written is the one that describes the "
            "writer; the canonical rate depends on how complete the catalogue is.",
        ),
        tag(
            "p",
            "A low rate after the rebuild is a real finding: the rebuild invents no entry, so the body cites works that neither the "
            "report's own table nor the catalogue holds.",
        ),
        id="construction",
        class_="card",
    )  # fmt: skip


def metric_help(catalogue: Iterable[Definition]) -> Html:
    """What every number means, from the metric catalogue."""
    return tag(
        "section",
        tag("h2", "What the numbers mean"),
        tag(
            "p",
            "Each metric has versions; values of two versions do not compare. P10 is the value that a tenth of the reports lie "
            "below, P50 the median.",
        ),
        [_definition(d) for d in catalogue],
        id="metrics",
        class_="card",
    )


def _definition(d: Definition) -> Html:
    terms = (
        ("Formula", d.formula),
        ("Unit", d.unit),
        ("Absent when", d.absent_when),
        ("Does not say", d.says_not),
    )
    return tag(
        "details",
        tag("summary", tag("code", f"{d.id} {d.version}"), " ", d.title),
        tag("dl", [(tag("dt", name), tag("dd", text)) for name, text in terms]),
    )


def _patterns() -> Html:
    """The hatching of what is unknown, used by the bars of the page."""
    stripe = tag("path", d="M-1 1 L1 -1 M0 6 L6 0 M5 7 L7 5", class_="stripe")
    pattern = tag("pattern", stripe, id="hatch", width=6, height=6, patternUnits="userSpaceOnUse")
    return tag("svg", tag("defs", pattern), width=0, height=0, aria_hidden="true", class_="defs")


def _shell(body: Html, specs: dict[str, dict[str, object]], library: str) -> str:
    style, script = static("dashboard.css"), static("dashboard.js")
    csp = policy(scripts=(library, script), styles=(style,))
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=csp),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("link", rel="icon", href="data:,"),
        tag("title", TITLE),
        tag("style", Html(style)),
    )
    scripts = [
        json_block("charts", specs),
        tag("script", Html(library)),
        tag("script", Html(script)),
        tag(
            "noscript",
            tag(
                "p", "The charts and the filters need JavaScript; every number stands in the tables as well."
            ),
        ),
    ]
    return f"<!DOCTYPE html>\n{tag('html', head, tag('body', body, scripts), lang='en')}\n"
