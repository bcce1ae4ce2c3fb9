"""The result page of a batch: what each clause asked for, what was found and where to look, in one HTML file.

Belongs here: turning recorded rows into a page that works offline, with nothing loaded from anywhere.
Does not belong here: reading rows, judging. Every text of a report or a file is escaped: a page shows markup, it never
obeys it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:76rem;padding:0 1rem;color:#1c2430;background:#fff}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.45rem .6rem;border-bottom:1px solid #d9dee5;
vertical-align:top}td.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.verdict{font-weight:700;padding:.1rem .5rem;border-radius:.3rem}.pass{background:#d8f0dc;color:#135a25}
.breach{background:#fbdcd9;color:#8c1410}.unknown{background:#fdeec4;color:#6b4b00}.quiet{color:#5a6675}
pre{background:#f4f6f8;padding:1rem;overflow:auto;font-size:13px}code{font-size:13px}
details{margin:1rem 0}h1{margin-bottom:.2rem}.scroll{overflow-x:auto}
"""
_SHOWN_MEMBERS = 30


@dataclass(frozen=True, slots=True)
class ResultPage:
    """What the page is made of: recorded values, as the warehouse has them."""

    batch_id: str
    verdict: str
    contract_version: str
    approval: str  # who approved the contract and when, in words
    evaluated_at: str
    results: Sequence[Mapping[str, Any]]  # rows of latest_results
    evidence: Mapping[str, str] = field(default_factory=dict)  # clause -> evidence
    windows: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)  # clause -> members
    engine: str | None = None
    validation: Mapping[str, Any] | None = None


def render_page(page: ResultPage) -> str:
    """Write the page as one HTML document."""
    title = f"Contract result of batch {page.batch_id}"
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{escape(title)} {_verdict(page.verdict)}</h1>",
        f'<p class="quiet">{escape(_head(page))}</p>',
        f"<p>{escape(_meaning(page))}</p>",
        _clauses(page),
        _windows(page),
        _validation(page),
        "</body></html>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _head(page: ResultPage) -> str:
    return f"Contract {page.contract_version}, {page.approval}. Evaluated {page.evaluated_at}."


def _meaning(page: ResultPage) -> str:
    blocking = [r for r in page.results if r["mode"] == "block"]
    short = [r for r in blocking if r["verdict"] != "pass"]
    if page.verdict == "pass":
        return f"All {len(blocking)} blocking clauses passed: what the gate lets through enters the knowledge base."
    named = ", ".join(str(r["clause"]) for r in short)
    return (
        f"{len(short)} of {len(blocking)} blocking clauses did not pass ({named}): the whole batch is held. "
        "Every report was delivered all the same."
    )


def _verdict(verdict: str) -> str:
    kind = verdict if verdict in ("pass", "breach", "unknown") else "quiet"
    return f'<span class="verdict {kind}">{escape(verdict)}</span>'


def _clauses(page: ResultPage) -> str:
    head = ("clause", "verdict", "observed", "needs", "n", "mode", "what was found", "worst reports")
    rows = [_row(r, page.evidence.get(str(r["clause"]), "")) for r in page.results]
    columns = "".join(f"<th>{escape(h)}</th>" for h in head)
    return f'<div class="scroll"><table><thead><tr>{columns}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def _row(r: Mapping[str, Any], evidence: str) -> str:
    observed = "–" if r["observed"] is None else f"{r['observed']:.6g}"
    counts = [f"{r['n']}"]
    counts += [f"{r[name]} {said}" for name, said in _BESIDE if r.get(name)]
    said = escape(str(r["reason"])) + (f"<br>{escape(str(r['note']))}" if r.get("note") else "")
    if evidence:
        said += f'<br><span class="quiet">Threshold: {escape(evidence)}</span>'
    cells = (
        f"<td><code>{escape(str(r['clause']))}</code></td>",
        f"<td>{_verdict(str(r['verdict']))}</td>",
        f'<td class="number">{observed}</td>',
        f'<td class="number">{escape(str(r["operator"]))} {r["threshold"]:g}</td>',
        f'<td class="number">{"<br>".join(map(escape, counts))}</td>',
        f"<td>{escape(str(r['mode']))}</td>",
        f"<td>{said}</td>",
        f"<td>{'<br>'.join(escape(str(i)) for i in r['worst_reports'])}</td>",
    )
    return f"<tr>{''.join(cells)}</tr>"


_BESIDE = (
    ("n_window", "of earlier batches"),
    ("n_absent", "with nothing to measure"),
    ("n_unknown", "unknown"),
)


def _windows(page: ResultPage) -> str:
    if not page.windows:
        return ""
    parts = ["<h2>Reports of earlier batches that were judged together with this one</h2>"]
    for clause, members in page.windows.items():
        rows = "".join(
            f"<tr><td>{escape(str(m['member_batch_id']))}</td><td>{escape(str(m['member_report_id']))}</td>"
            f'<td class="number">{"–" if m["value"] is None else format(m["value"], ".4g")}</td>'
            f"<td>{escape(str(m['validity']))}</td></tr>"
            for m in members[:_SHOWN_MEMBERS]
        )
        more = len(members) - _SHOWN_MEMBERS
        parts.append(
            f"<details><summary><code>{escape(clause)}</code>: {len(members)} reports</summary><table><thead><tr>"
            "<th>batch</th><th>report</th><th>value</th><th>validity</th></tr></thead>"
            f"<tbody>{rows}</tbody></table>{f'<p>and {more} more</p>' if more > 0 else ''}</details>"
        )
    return "\n".join(parts)


def _validation(page: ResultPage) -> str:
    if page.validation is None:
        return ""
    text = escape(json.dumps(page.validation, indent=1, ensure_ascii=False))
    return f"<details><summary>What {escape(page.engine or 'the comparison')} said</summary><pre>{text}</pre></details>"
