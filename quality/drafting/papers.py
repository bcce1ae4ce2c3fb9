"""What people get of a draft that was not verified: the operator the draft with its objections, the requester a notice.

Belongs here: the two texts. Does not belong here: where they are kept. The notice never contains the draft: a requester never
gets an unverified brief.
"""

from __future__ import annotations

from quality.drafting.model import End, Objection, Story

MEANING = {
    End.CAP_REACHED: "The rounds ran out while objections were open.",
    End.NO_PROGRESS: "The same objection came back after it had been aimed at.",
    End.REFUSED: "The writing model refused.",
    End.BUDGET: "The budget was used up.",
    End.TRUNCATED: "The answer was cut off however much room it got.",
    End.ERROR: "A call failed, or an answer could not be read.",
    End.VERIFIED: "The gate verified the draft.",
}


def rejected(story: Story) -> str:
    """Markdown for the operator: how it ended, every open objection with what offends, and the last complete draft."""
    lines = [
        f"# Not verified: {_one_line(story.lead.question)}",
        "",
        f"Lead `{story.lead.id}` ended as **{story.end.value}** after {len(story.rounds)} rounds. {MEANING[story.end]}",
        "",
        _one_line(story.reason),
        "",
        "## Open objections",
        "",
        *(
            [_objection(o) for o in story.objections]
            or ["None was recorded: the loop ended before a verdict."]
        ),
        "",
        "## The last complete draft",
        "",
        story.draft.body if story.draft is not None else "There is none.",
    ]
    return "\n".join(lines).rstrip() + "\n"


def notice(story: Story) -> str:
    """Markdown for whoever asked: that there is no report, why, and what can be done; without the draft."""
    points = len(story.objections)
    said = f" {points} objection{'s are' if points != 1 else ' is'} open." if points else ""
    return (
        f"# No report: {_one_line(story.lead.question)}\n\n"
        f"A report was drafted and could not be verified, so it is not delivered. {MEANING[story.end]}{said}\n\n"
        "Narrow the question, add sources that answer it, or ask the operator, who has the draft with every objection.\n"
    )


def _objection(o: Objection) -> str:
    where = [
        f"“{_one_line(o.passage)}”" if o.passage else "",
        o.identifier or "",
        f"source {o.source_id}" if o.source_id else "",
    ]
    told = ", ".join(w for w in where if w)
    return f"* **{o.rule}** ({o.raised_by.value}): {_one_line(o.point)}" + (f" – {told}" if told else "")


def _one_line(text: str) -> str:
    return " ".join(text.split())
