"""Headings, and which of them announce a reference list.

Belongs here: recognising heading lines of every form that models write, and the lexicon of list headings
by language, in three grades of certainty. Does not belong here: what stands under a heading.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import IntEnum


class Announces(IntEnum):
    """How surely a heading announces a reference list."""

    NOTHING = 0
    PERHAPS = 1  # the word occurs in it: the entries must prove it
    LIKELY = 2  # an everyday word such as "Sources": some evidence in the entries is needed
    SURELY = 3  # "References", "参考文献": can mean nothing else


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading line: its level (7 for bold or plain lines), its text and where the text stands."""

    line: int
    level: int
    start: int
    end: int
    text: str
    announces: Announces


PLAIN_LEVEL = 7

_SURE = (
    # English
    r"(?:list of )?(?:select(?:ed)? |key |representative |further |main |core |full |all |cited |complete "
    r"|numbered |primary |academic |inline "
    r"|additional |formal |consolidated )*references?(?: list| cited| section)?",
    r"(?:list of )?works? (?:cited|referenced)",
    r"(?:list of )?literature(?: cited| references?)?",
    r"(?:selected |annotated |working |short )*bibliograph(?:y|ies)",
    r"(?:key |main |list of |primary |inline |all )*citations?(?: list)?",
    r"(?:end|foot)notes",
    r"(?:cited|referenced) (?:sources?|works?|literature|papers?|documents?)",
    r"sources? (?:cited|referenced|list)",
    r"list of (?:cited )?sources?",
    r"reference (?:list|table|index)",
    # Chinese
    r"(?:主要|核心|重要|相关|部分|关键|本文|全部)*(?:参考|參考|引用|引证|引證)(?:的)?"
    r"(?:文献|文獻|资料|資料|来源|來源|链接|鏈接|连结|連結|书目|書目|网址|網址|著作|目录|列表|材料|信源|清单)"
    r"(?:列表|目录|清单|一览|汇总|索引)?",
    r"(?:关键|主要|重要|核心|部分|全部)*(?:引用|引文)(?:列表|清单|汇总|来源|目录)?",
    r"(?:尾注|脚注|注释|註釋|文献|文獻)(?:列表|目录|来源)?",
    # Japanese, Korean
    r"(?:主な)?(?:参考|引用)(?:文献|資料|サイト|リンク)(?:一覧|リスト)?",
    r"出典(?:一覧|リスト)?|脚注",
    r"참고 ?(?:문헌|자료)|출처(?: 목록)?|인용 ?(?:문헌|자료)",
    # German, Dutch, Nordic
    r"(?:literatur|quellen)(?:verzeichnis|angaben|nachweise?|liste)?(?: und (?:literatur|quellen))?",
    r"referenzen|einzelnachweise|zitierte (?:quellen|literatur|werke)|bibliographie|fußnoten",
    r"bronnen(?:lijst)?|literatuur(?:lijst)?|referenties|geciteerde werken",
    r"k[äa]llor|k[äa]llf[öo]rteckning|referenser|referencer|referanser|kilder|kildeliste|litteratur(?:liste)?"
    r"|l[äa]hteet|viitteet",
    # Romance
    r"r[ée]f[ée]rences?(?: bibliographiques?)?|ouvrages cit[ée]s|(?:[œo]e?uvres|travaux) cit[ée]s",
    r"(?:referencias|fuentes)(?: bibliogr[áa]ficas| citadas| consultadas)?|obras citadas|bibliograf[íi]a",
    r"(?:refer[êe]ncias|fontes)(?: bibliogr[áa]ficas| citadas| consultadas)?|bibliografia|trabalhos citados",
    r"(?:riferimenti|fonti)(?: bibliografici| citate)?|opere citate",
    r"referin[țt]e|bibliografie|lucr[ăa]ri citate",
    # Slavic, Baltic, Greek, Turkish, Semitic, Asian
    r"(?:список )?(?:использованн\w+ )?(?:источник\w*|литератур\w*)|библиографи\w*|цитируемые \w+|примечания",
    r"(?:список )?(?:використан\w+ )?(?:джерел\w*|літератур\w*)|посилання",
    r"[źz]r[óo]d[łl]a|przypisy|cytowane prace|zdroje|reference|literatura|izvori|citované zdroje|források"
    r"|irodalom",
    r"παραπομπ[ές]\w*|βιβλιογραφία|πηγές|αναφορές",
    r"kaynak(?:ça|lar|lar listesi)|alınt[ıi]lanan çalışmalar",
    r"(?:قائمة )?(?:المراجع|المصادر)(?: والمصادر| والمراجع)?|מקורות|ביבליוגרפיה|منابع|مراجع"
    r"|फ़?संदर्भ(?: सूची)?|स्रोत",
    r"t[àa]i li[ệe]u tham kh[ảa]o|ngu[ồo]n(?: tham kh[ảa]o)?|daftar (?:pustaka|referensi)|referensi|sumber"
    r"|rujukan",
    r"เอกสารอ้างอิง|อ้างอิง|แหล่งอ้างอิง",
)
_LIKELY = (
    r"(?:key |main |primary |selected |all |major |core |data |research |web |online |additional "
    r"|information "
    r"|official |supporting |secondary |external |original |source )*"
    r"(?:sources?|source (?:list|links?|urls?|notes?|index))(?: used| consulted| reviewed| and links| links"
    r"| urls?)?",
    r"(?:sources?|references?|citations?|bibliography|notes|links|literature|further reading|resources)"
    r"(?: ?(?:and|&|/|,) ?(?:key |further |data |additional |supporting )*"
    r"(?:sources?|references?|citations?|bibliography|notes|links|further reading|reading|resources|urls?"
    r"|evidence"
    r"|data sources?|acknowledge?ments?|methodology|materials|footnotes|documents?))+",
    r"(?:主要|核心|重要|相关|部分|关键|本文|全部)*(?:资料|資料|信息|資訊|数据|數據|文献|内容|引文|证据|官方"
    r"|材料|情报)*"
    r"(?:来源|來源|出处|出處)(?:列表|清单|说明|目录|链接|汇总|一览|与链接|及链接|索引|如下)?",
    r"引文(?:来源|列表)?|(?:参考|參考)",
    r"(?:参考|來源|来源|资料|引用|文献|数据)\S{0,6}(?:与|和|及|、|/)\S{0,12}(?:来源|文献|资料|链接|数据源"
    r"|出处|依据|引用)",
    r"further reading|recommended reading|related links",
    r"verweise|weblinks|quellenangabe|nachweise|sources? principales?|fuentes principales|ссылки"
    r"|источники данных",
    r"情報源|関連リンク|自료|관련 링크",
)
_WEAK = (
    r"\b(?:references?|citations?|cited|bibliograph\w*|sources?|works cited|literature|further reading"
    r"|notes|links"
    r"|quellen"
    r"|literatur|r[ée]f[ée]rences|referencias|fuentes|fontes|fonti)\b|参考|參考|引用|来源|來源|文献|文獻"
    r"|出典|参照|引文|出处|出處|信源|数据源|书目"
    r"|출처|참고|источник|литератур|المراجع|المصادر"
)

_SURE_RE = re.compile("|".join(f"(?:{p})" for p in _SURE))
_LIKELY_RE = re.compile("|".join(f"(?:{p})" for p in _LIKELY))
_WEAK_RE = re.compile(_WEAK)

_ATX = re.compile(r"[ ]{0,3}(#{1,6})[ \t]*(.*?)[ \t]*#*[ \t]*$")
_BOLD = re.compile(r"[ \t]*(?:\*\*|__)(?!\s)([^*\n]{1,80}?)(?:\*\*|__)[ \t]*[:：]?[ \t]*$")
_HTML = re.compile(r"[ \t]*<(h[1-6]|summary|strong|b)\b[^>\n]*>(.*?)</\1>[ \t]*$", re.IGNORECASE)
_SETEXT = re.compile(r"[ ]{0,3}(?:=+|-{2,})[ \t]*$")
_DECORATION = re.compile(r"[*_`#\\]+|<[^>\n]{1,40}>")
_NUMBERING = re.compile(
    r"^(?:appendix|annex|section|chapter|part|附录|附錄|附件|附)?\s*"
    r"(?:[0-9]+(?:\.[0-9]+)*\s*[.)、:：．]?|[ivxlc]+\s*[.)、:：]|[a-z][.)、:：]"
    r"|第?[一二三四五六七八九十百]+\s*[、.章节節部分:：．)）]+|[（(][一二三四五六七八九十0-9]+[)）])?\s*"
    r"(?:[:：\-–—]\s*)?"
)
_TAIL = re.compile(r"\s*[（(\[【][^）)\]】]{0,80}[）)\]】]\s*$|[\s:：.。\-–—]+$")


def announcement(text: str) -> Announces:
    """Grade the text of a heading line."""
    if "](" in text or "://" in text:
        return Announces.NOTHING
    core = _core(text)
    if not core or len(core) > 90:
        return Announces.NOTHING
    if _SURE_RE.fullmatch(core):
        return Announces.SURELY
    if _LIKELY_RE.fullmatch(core):
        return Announces.LIKELY
    brief = len(core) <= 45 and len(core.split()) <= 7
    return Announces.PERHAPS if brief and _WEAK_RE.search(core) else Announces.NOTHING


def _core(text: str) -> str:
    """Text without decoration, pictographs, section numbers, a trailing remark in brackets, and its colon."""
    plain = unicodedata.normalize("NFKC", _DECORATION.sub("", text)).casefold().strip()
    if not plain.isascii():
        plain = "".join(
            " " if unicodedata.category(c) in ("So", "Sk", "Cf", "Cn") else c for c in plain
        ).strip()
    plain = _NUMBERING.sub("", plain, count=1)
    for _ in range(3):
        shorter = _TAIL.sub("", plain)
        if shorter == plain:
            break
        plain = shorter
    return " ".join(plain.split())


def find_headings(text: str, lines: list[tuple[int, int]]) -> list[Heading]:
    """All headings of a masked body, in order. A plain or bold line is one only where it announces a list."""
    found: list[Heading] = []
    for number, (start, end) in enumerate(lines):
        heading = _heading_of(text, lines, number, start, end)
        if heading:
            found.append(heading)
    return found


def _heading_of(text: str, lines: list[tuple[int, int]], number: int, start: int, end: int) -> Heading | None:
    line = text[start:end]
    stripped = line.strip()
    if not stripped or len(stripped) > 200:
        return None
    first = stripped[0]
    if first == "#":
        found = _ATX.match(line)
        return _made(number, len(found[1]), start + found.start(2), found[2]) if found else None
    if len(stripped) <= 80 and number + 1 < len(lines) and _SETEXT.match(text, *lines[number + 1]):
        level = 1 if "=" in text[slice(*lines[number + 1])] else 2
        made = _made(number, level, start + line.index(stripped), stripped)
        if level == 1 or made.announces:
            return made
    return _unmarked(number, line, stripped, start)


def _unmarked(number: int, line: str, stripped: str, start: int) -> Heading | None:
    """Read headings in bold, in HTML, and plain lines that announce a list."""
    first = stripped[0]
    if first in "*_" and (match := _BOLD.match(line)):
        return _made(number, PLAIN_LEVEL, start + match.start(1), match[1])
    if first == "<":
        match = _HTML.match(line)
        level = int(match[1][1]) if match and match[1][1:].isdigit() else PLAIN_LEVEL
        return _made(number, level, start + match.start(2), match[2]) if match else None
    if len(stripped) <= 60 and first not in "-|>[0123456789•" and stripped[-1] not in ".。,，;；|":
        made = _made(number, PLAIN_LEVEL, start + line.index(stripped), stripped)
        return made if made.announces >= Announces.LIKELY else None
    return None


def _made(number: int, level: int, start: int, text: str) -> Heading:
    return Heading(number, level, start, start + len(text), text, announcement(text))
