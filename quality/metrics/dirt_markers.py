"""What machines leave in reference entries: tool calls, internal markers, markup.

Belongs here: their patterns, matched in lower case, each behind hints without which it cannot match.
Does not belong here: titles (``dirt_titles``), and what other rules of ``dirt`` find.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from quality.metrics.dirt_view import Spans, View, holds_any, lowered

_TOOL_CALL = re.compile(
    r"</?(?:think|thinking|reasoning|scratchpad|tool_?calls?|tool_?(?:code|use|response|result|output)s?"
    r"|function_?(?:calls?|results?|response)|invoke|parameter|observation|action|search_(?:query|results?)"
    r"|web_search|final_answer|artifact)\b[^<>\n]{0,120}>"
    r"|<\|[a-z_▁]{2,30}\|>"
    r"|[\"'](?:tool_calls?|function_call|tool_name|arguments)[\"'] ?:"
    r"|\{ ?[\"']name[\"'] ?: ?[\"']\w{1,60}[\"'] ?, ?[\"'](?:arguments|parameters|input)[\"']"
    r"|\b(?:web_search|search_web|tavily_search|google_search|fetch_url|browse_page|open_url|"
    r"functions\.\w{1,40}"
    r"|browser\.(?:search|open|find|click)) ?\("
    r"|^\s*(?:action|action input|observation|tool call|function call): ?[\w\[{]",
    re.MULTILINE,
)
_TOOL_HINTS = (
    "<",
    '":',
    "':",
    "_search",
    "search_",
    "_url",
    "browse",
    "functions.",
    "action",
    "observation:",
    " call:",
)
_MARKER = re.compile(
    r"(?:^ *|[\]\n\t(（:：] ?)\**(?:document|doc|passage|chunk|snippet|context|search result|web result|"
    r"result|文档|片段|段落)"
    r"[ _#-]?\d{1,4}\**[:：](?!//)"
    r"|\[(?:doc|document|chunk|passage|snippet|context|node|ctx|ref_id|source_id|cite|web|kb)[ "
    r"_:#-]?\d{1,5}\](?!\()"
    r"|\b(?:chunk|doc|passage|snippet|node|source)_?id\b[\"']? ?[:=]"
    r"|\b(?:chunk|doc|passage|snippet|source|search_result|web_result)_\d{1,5}\b"
    r"|\bturn\d{1,3}(?:search|view|news|fetch|file|image|academia|product|finance|reddit)\d{1,3}\b"
    r"|:?contentreference\[|\boaicite\b|[\ue200-\ue206]|【\d{1,3}(?::\d{1,3})?†"
    r"|<(?:ref|cite|source|doc|chunk|document|passage|context|snippet)[ _=:\"']?(?:id)?[ "
    r"=:\"']{0,3}\d{0,5}\"?/?>"
    r"|\binternal[_ ](?:note|ref|id)\b"
    r"|[(\[（【](?:(?:web |from |from the |based on )?search[ -]results?(?: snippets?| excerpts?| summary)?"
    r"|(?:search|web) snippets?|snippets? only|(?:来自|基于|根据)?(?:搜索|检索)(?:结果|片段)(?:摘要|摘录|片段)?)"
    r"[)\]）】](?!\()",
    re.MULTILINE,
)
_KEY_EXCERPTS = re.compile(
    r"[,，;；(\[（【] ?(?:(?:key|relevant|extracted|retrieved) (?:excerpts|snippets)|(?:relevant|extracted|retrieved) passages|"
    r"关键摘录|摘录要点)[)\]）】.\s]*$"
)
_MARKER_HINTS = (
    *(
        "document",
        "doc",
        "passage",
        "chunk",
        "snippet",
        "context",
        "result",
        "文档",
        "片段",
        "段落",
        "node",
        "[ctx",
    ),
    *(
        "ref_id",
        "source",
        "[cite",
        "[web",
        "[kb",
        "turn",
        "oaicite",
        "contentref",
        "†",
        "<ref",
        "<cite",
        "internal",
        "search",
        "excerpt",
        "搜索",
        "检索",
        "摘录",
    ),
    *map(chr, range(0xE200, 0xE207)),
)
_MARKUP = re.compile(
    r"\\{1,2}(?:begin|end)\{"
    r"|</?(?:div|span|iframe|script|style|table|tr|td|th|ul|li|img|font|section|svg|p)\b[^<>\n]{0,200}>"
    r"|\{\{(?:cite|citation|reflist|ref)\b",
)
_MARKUP_HINTS = ("\\begin{", "\\end{", "<", "{{")


def _searching(pattern: re.Pattern[str], hints: tuple[str, ...]) -> Callable[[View], Spans]:
    """Make a rule of a pattern in lower case; without one of the ``hints`` in the text it cannot match."""

    def rule(seen: View) -> Spans:
        if holds_any(seen.lower, hints) and (match := pattern.search(seen.lower)):
            yield match.end() - len(match.group().lstrip()), match.end()

    return rule


_marker_inside = _searching(_MARKER, _MARKER_HINTS)


def internal_marker(seen: View) -> Spans:
    """Find a marker in the content, behind the label ("[3] [doc_14] Tides"), or what notes were taken from."""
    found = list(_marker_inside(seen))
    if not found and seen.start > seen.label_end:
        label = lowered(seen.text[: seen.start])
        if match := _MARKER.search(label, seen.label_end):
            found.append((match.end() - len(match.group().lstrip()), match.end()))
    if not found and not seen.addresses and (match := _KEY_EXCERPTS.search(seen.lower, seen.start)):
        found.append(match.span())
    yield from found


tool_call_leak = _searching(_TOOL_CALL, _TOOL_HINTS)
markup_residue = _searching(_MARKUP, _MARKUP_HINTS)
