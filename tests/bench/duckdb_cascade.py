"""The safe tiers in SQL: what the cascade of ``quality.sources`` is measured against.

Belongs here: the same rules as one DuckDB user would write them for the generator's titles, set by set: hash joins on the
keys, two ASOF joins into the sorted keys for the beginnings, decorations taken off round by round from what is left only,
guards on the few rows that reach them. It is spared what the generator never asks for (NFKC, accents, Roman numerals,
titles that the catalogue itself holds cut), so it is let off lightly. One thread, the titles prepared beforehand.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import duckdb
import polars as pl

from quality.sources import cuts, decorations

Found = dict[int, tuple[str, frozenset[int], bool]]


def _quoted(pattern: str) -> str:
    return pattern.replace("'", "''")


_TAIL = _quoted("(?i)" + decorations._TAIL.pattern)
_LEAD = _quoted("(?i)" + decorations._LEAD_IN.pattern)
_IDENTITY = _quoted("(?i)" + decorations._CARRIES_IDENTITY.pattern)
_COPIES = _quoted(decorations._HOLDS_COPIES.pattern)
_ANOTHER_ZH = _quoted(cuts._NAMES_ANOTHER_ZH.pattern)
_SUBTITLE = "^" + _quoted(cuts._SUBTITLE.pattern)
_SCOPE, _OTHERS, _INFLECTIONS = (
    ", ".join(f"'{word}'" for word in sorted(some)) for some in (cuts._SCOPE, cuts._OTHERS, cuts._INFLECTIONS)
)
_HAN = r"[\x{4e00}-\x{9fff}]"
_SITE = rf"^(.*[^\s])\s*(\||\s-\s|\s-{_HAN}|[)》】\x{{4e00}}-\x{{9fff}}][-_]{_HAN}|\s[·•»]\s|::)\s*([^|]{{0,60}}?)\s*$"
_PARTICLES = "of|the|and|for|in|on|de|la|le|des|du|der|die|und|&|et|y|del|di|a"

_WIDE, _NARROW = "，：（）！？；｜－\u3000\u00a0‐‑‒–—―−", ",:()!?;|-  -------"

_MACROS = (
    r"CREATE MACRO spaced(s) AS trim(regexp_replace(lower(replace(s, '&', ' and ')), '[^\p{L}\p{N}\p{M}+]+', ' ', 'g'))",
    r"""CREATE MACRO compact(w) AS CASE WHEN regexp_matches(w, '\d \d') THEN replace(replace(regexp_replace(
        regexp_replace(w, '(\d) (\d)', '\1~\2', 'g'), '(\d) (\d)', '\1~\2', 'g'), ' ', ''), '~', ' ')
        ELSE replace(w, ' ', '') END""",
    r"""CREATE MACRO weight(k) AS CASE WHEN length(k) = strlen(k) THEN length(k)
        ELSE length(k) + length(regexp_replace(k, '[^\p{Han}]', '', 'g')) END""",
    r"""CREATE MACRO without_articles(w) AS compact(trim(regexp_replace(regexp_replace(w, '^a ', ''), '\b(the|an)\b', ' ', 'g')))""",
    """CREATE MACRO loosened(w, k) AS CASE WHEN contains(w, 'the') OR contains(w, 'an') OR starts_with(w, 'a ')
        THEN CASE WHEN weight(without_articles(w)) >= 12 THEN without_articles(w) ELSE k END ELSE k END""",
    f"""CREATE MACRO surfaced(s) AS CASE WHEN length(s) = strlen(s) THEN s
        ELSE replace(translate(s, '{_WIDE}', '{_NARROW}'), '…', '...') END""",
    r"""CREATE MACRO is_marked(s) AS regexp_matches(s, '(…|\.\.|。。|⋯)[\s."''”’)）\]]*$')""",
    r"""CREATE MACRO uncut(s) AS CASE WHEN is_marked(s) THEN regexp_replace(s, '\s*(…+|\.{2,}|。{2,}|⋯)[\s."''”’)）\]]*$', '') ELSE s END""",
    f"CREATE MACRO without_tail(s) AS trim(regexp_replace(s, '{_TAIL}', ''))",
    f"CREATE MACRO without_lead(s) AS trim(regexp_replace(s, '{_LEAD}', ''))",
    f"""CREATE MACRO is_site(mark, site) AS site <> '' AND NOT regexp_matches(site, '{_IDENTITY}') AND CASE
        WHEN mark = '|' THEN len(string_split(site, ' ')) <= 8
        WHEN regexp_matches(site, '{_HAN}') THEN length(site) <= 12
        ELSE regexp_full_match(site, '((\\p{{Lu}}\\S*|{_PARTICLES})(\\s+|$)){{1,5}}') END""",
    f"""CREATE MACRO site_parts(s) AS CASE WHEN regexp_matches(s, '[|_·•»]|-|::')
        THEN regexp_extract(s, '{_SITE}', ['head', 'mark', 'site']) END""",
    """CREATE MACRO site_at(s, p) AS CASE WHEN p.mark <> '' AND is_site(p.mark, p.site) THEN p.site END""",
    "CREATE MACRO site_of(s) AS site_at(s, site_parts(s))",
    """CREATE MACRO without_site(s) AS CASE WHEN site_of(s) IS NULL THEN s
        ELSE rtrim(rtrim(left(s, length(s) - length(site_of(s)))), ' -|_·•»:') END""",
    f"""CREATE MACRO of_others(a, b) AS coalesce(a <> '' AND b <> '' AND NOT contains(a, b) AND NOT contains(b, a)
        AND NOT regexp_matches(a, '{_COPIES}') AND NOT regexp_matches(b, '{_COPIES}'), false)""",
    r"""CREATE MACRO starts_at(title, citation, k) AS CASE WHEN starts_with(title, citation) THEN length(citation)
        ELSE list_min(list_filter(range(1, length(title) + 1), lambda i: length(compact(spaced(left(title, i)))) >= length(k))) END""",
    r"""CREATE MACRO cuts_a_number(k, rest) AS CASE WHEN regexp_matches(right(k, 1), '\d') THEN regexp_matches(rest, '^\d')
        ELSE right(k, 1) IN ('i', 'v', 'x') AND regexp_matches(rest, '(?i)^[ivx]+\b') END""",
    r"""CREATE MACRO inside_word(title, place, rest) AS regexp_matches(title[place], '[\p{L}\p{N}]')
        AND regexp_matches(rest, '^[\p{L}\p{N}]') AND NOT regexp_matches(title[place] || rest[1], '\p{Han}')""",
    rf"""CREATE MACRO at_a_border(k, rest, bare_length) AS CASE
        WHEN regexp_matches(rest, '{_SUBTITLE}') THEN 1
        WHEN string_split(spaced(rest), ' ')[1] IN ({_SCOPE}) THEN 0
        WHEN regexp_matches(rest, '\d') OR list_has_any(string_split(spaced(rest), ' '), [{_OTHERS}])
            OR regexp_matches(rest, '{_ANOTHER_ZH}') THEN 1
        WHEN length(k) >= 0.6 * bare_length THEN 2 ELSE 0 END""",
    rf"""CREATE MACRO judged(k, rest, title, place, bare_length) AS CASE WHEN inside_word(title, place, rest)
        THEN CASE WHEN NOT cuts_a_number(k, rest)
            AND lower(regexp_extract(rest, '^[\p{{L}}\p{{N}}]+')) NOT IN ({_INFLECTIONS}) THEN 2 ELSE 0 END
        WHEN cuts_a_number(k, rest) THEN 0
        ELSE at_a_border(k, rest, bare_length) END""",
)
_TITLES = (
    """CREATE TABLE titles AS SELECT row, title, surfaced(title) AS plain, compact(spaced(title)) AS key,
        loosened(spaced(title), compact(spaced(title))) AS loose, lower(site_of(surfaced(title))) AS site,
        length(compact(spaced(without_site(surfaced(title))))) AS bare_length
        FROM raw_titles""",
    "CREATE TABLE sorted AS SELECT row_number() OVER (ORDER BY key, row) - 1 AS pos, * FROM titles WHERE key <> ''",
    "CREATE TABLE loose AS SELECT row, loose FROM titles UNION SELECT row, key FROM titles",
    "CREATE TABLE stock AS SELECT row AS cid, plain AS form, 0 AS ord FROM titles",
)
_PLAIN = (
    """CREATE TABLE undecorated AS SELECT DISTINCT cid AS row, compact(spaced(form)) AS key FROM forms
        WHERE weight(compact(spaced(form))) >= 12""",
)


def _rounds(base: str) -> tuple[str, ...]:
    """Statements that fill ``forms`` with ever plainer forms of the rows of ``base``."""
    steps = [
        "CREATE OR REPLACE TABLE forms (cid BIGINT, ord INTEGER, form VARCHAR)",
        f"CREATE OR REPLACE TABLE active AS SELECT cid, form, form AS before FROM {base}",
    ]
    for turn in range(4):
        for step, macro in enumerate(("without_tail", "without_site", "without_lead")):
            ord_ = 1 + turn * 3 + step
            steps += [
                f"CREATE OR REPLACE TABLE next AS SELECT cid, before, form AS was, {macro}(form) AS form FROM active",
                f"INSERT INTO forms SELECT cid, {ord_}, form FROM next WHERE form <> was AND form <> ''",
                "CREATE OR REPLACE TABLE active AS SELECT cid, before, CASE WHEN form = '' THEN was ELSE form END AS form FROM next",
            ]
        steps.append(
            "CREATE OR REPLACE TABLE active AS SELECT cid, form, form AS before FROM active WHERE form <> before"
        )
    return tuple(steps)


_CASCADE = (
    """CREATE TABLE citations AS SELECT cid, citation, marked, w, compact(w) AS key
        FROM (SELECT cid, citation, is_marked(citation) AS marked, spaced(citation) AS w FROM raw_citations)""",
    "CREATE TABLE equal AS SELECT cid, key, marked, list(row) AS rows FROM citations JOIN titles USING (key) GROUP BY ALL",
    """INSERT INTO equal SELECT cid, key, marked, list(row) FROM (SELECT *, loosened(w, key) AS loose FROM citations ANTI JOIN equal USING (cid))
        JOIN loose USING (loose) GROUP BY ALL""",
    """CREATE TABLE going_on AS SELECT cid FROM (SELECT * FROM equal WHERE marked) e ASOF JOIN sorted s ON e.key <= s.key
        WHERE weight(e.key) < 12 OR EXISTS (FROM sorted n WHERE n.pos = s.pos + len(e.rows) AND starts_with(n.key, e.key))""",
    "CREATE TABLE found AS SELECT cid, 'exact' AS tier, rows, true AS safe FROM equal ANTI JOIN going_on USING (cid)",
    """CREATE TABLE open AS SELECT cid, uncut(citation) AS bare, key, marked FROM citations ANTI JOIN found USING (cid) WHERE key <> ''""",
    """CREATE TABLE asked AS SELECT cid, 0 AS ord, bare AS form, key FROM open WHERE marked AND weight(key) >= 12""",
    "{begin}",
    """INSERT INTO found SELECT cid, 'truncated', list(row), count(*) = 1 FROM begun GROUP BY cid""",
    "CREATE TABLE stripped AS SELECT cid, surfaced(bare) AS form, key, marked FROM open ANTI JOIN found USING (cid)",
    "{rounds}",
    "CREATE TABLE keyed AS SELECT cid, ord, form, key, loosened(w, key) AS loose FROM (SELECT cid, ord, form, spaced(form) AS w, compact(w) AS key FROM forms) WHERE key <> ''",
    """CREATE TABLE matches AS
        SELECT cid, 4 * ord AS how, row FROM keyed JOIN titles USING (key)
        UNION ALL SELECT cid, 4 * ord + 1, row FROM keyed k JOIN loose USING (loose)
        UNION ALL SELECT cid, 4 * ord + 2, row FROM keyed k JOIN undecorated USING (key)
        UNION ALL SELECT cid, 2, row FROM stripped JOIN undecorated USING (key)""",
    """INSERT INTO found SELECT cid, 'decorated', CASE WHEN bool_or(own) THEN list(row) FILTER (own) ELSE list(row) END, bool_or(own)
        FROM (SELECT DISTINCT m.cid, m.row, NOT of_others(lower(site_of(s.form)), t.site) AS own
            FROM matches m JOIN (SELECT cid, min(how) AS how FROM matches GROUP BY cid) USING (cid, how)
            JOIN stripped s USING (cid) JOIN titles t USING (row)) GROUP BY cid""",
    """CREATE OR REPLACE TABLE asked AS SELECT cid, 0 AS ord, form, key FROM stripped ANTI JOIN found USING (cid)
        WHERE NOT marked AND weight(key) >= 12
        UNION ALL SELECT cid, ord, form, key FROM keyed ANTI JOIN found USING (cid) WHERE weight(key) >= 12""",
    "{begin}",
    """CREATE TABLE cut AS SELECT b.cid, b.ord, row, CASE WHEN s.marked THEN 2 ELSE judged(b.key, substr(plain, place + 1), plain, place, bare_length) END AS verdict
        FROM (SELECT *, starts_at(plain, form, key) AS place FROM begun) b JOIN stripped s USING (cid)""",
    """INSERT INTO found SELECT cid, 'truncated', CASE WHEN bool_or(own) THEN list(row) FILTER (own) ELSE list(row) END,
            bool_or(own) AND count(*) = 1 AND (any_value(marked) OR max(verdict) = 2)
        FROM (SELECT c.cid, c.row, verdict, marked, ord = 0 OR NOT of_others(lower(site_of(s.form)), t.site) AS own
            FROM cut c JOIN (SELECT cid, min(ord) AS ord FROM cut WHERE verdict > 0 GROUP BY cid) USING (cid, ord)
            JOIN stripped s USING (cid) JOIN titles t USING (row) WHERE verdict > 0) GROUP BY cid""",
)
_BEGIN = (
    """CREATE OR REPLACE TABLE placed AS SELECT a.*, s.pos, s.row, s.bare_length, s.plain FROM asked a ASOF JOIN sorted s ON a.key <= s.key
        WHERE starts_with(s.key, a.key)""",
    """CREATE OR REPLACE TABLE begun AS SELECT p.cid, p.ord, p.form, p.key, n.row, n.bare_length, n.plain
        FROM (SELECT *, unnest(range(pos, pos + 21)) AS place FROM placed SEMI JOIN (SELECT p.cid, p.ord FROM placed p JOIN sorted n
            ON n.pos = p.pos + 1 WHERE starts_with(n.key, p.key)) USING (cid, ord)) p
        JOIN sorted n ON n.pos = p.place WHERE starts_with(n.key, p.key)
        UNION ALL SELECT cid, ord, form, key, row, bare_length, plain FROM placed ANTI JOIN (SELECT p.cid, p.ord FROM placed p JOIN sorted n
            ON n.pos = p.pos + 1 WHERE starts_with(n.key, p.key)) USING (cid, ord)""",
)


def run(titles: Sequence[str], citations: Sequence[str]) -> tuple[float, Found]:
    """CPU seconds of the cascade over all citations, and what it found: tier, rows and whether that is safe."""
    db = duckdb.connect(config={"threads": 1})
    db.register("raw_titles", pl.DataFrame({"title": titles}).with_row_index("row").to_arrow())
    db.register("raw_citations", pl.DataFrame({"citation": citations}).with_row_index("cid").to_arrow())
    for statement in (*_MACROS, *_TITLES, *_rounds("stock"), *_PLAIN):
        db.execute(statement)
    started = time.process_time()
    for statement in _CASCADE:
        for step in {"{begin}": _BEGIN, "{rounds}": _rounds("stripped")}.get(statement, (statement,)):
            db.execute(step)
    took = time.process_time() - started
    rows = db.sql("SELECT cid, tier, rows, safe FROM found").fetchall()
    return took, {cid: (tier, frozenset(found), safe) for cid, tier, found, safe in rows}
