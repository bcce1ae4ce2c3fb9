"""A catalogue that changes under a batch: drift is told, and is no regression."""

import json

import pytest

from pipelines.cli.main import call
from tests.pipeline.corpus import WORKS, sound
from tests.pipeline.test_line import ask

# s01 was fetched again under another title, s02 is gone, s03 is the same address under another id, s06 is new
TODAY = [
    ("s01", "Wind and waves over open seas", "https://papers.test/tides"),
    ("z03", "Harbour dredging and the return of eelgrass", "https://papers.test/eelgrass"),
    *WORKS[3:],
    ("s06", "A work that nobody cites yet", "https://papers.test/new"),
]
CITING_BY_TITLE = """河口的混合决定了节奏，见《潮汐河口混合过程研究》；盐沼储存碳，见《盐沼如何储存碳元素》；海草回来了，见《港口疏浚与海草恢复》。

## 参考文献

1. 张三：《无人引用的书籍》，2001。
"""
CHINESE = [
    ("c1", "潮汐河口混合过程研究", None),
    ("c2", "盐沼如何储存碳元素", None),
    ("c3", "港口疏浚与海草恢复", None),
]


def write(sources, works):
    rows = [{"source_id": i, "title": title, "url": url} for i, title, url in works]
    sources.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def asked(settings, capsys):
    """Call ``sluicegate drift … --json``; returns exit code and answer."""

    def start(*arguments):
        code = call(["drift", *arguments, "--json"])
        out = capsys.readouterr().out
        return code, json.loads(out) if out else None

    return start


def test_changed_sources_are_listed_with_who_cites_them(run, settings, sources, asked, capsys, tmp_path):
    run(sound(), batch="b")
    run(sound(2), batch="c")
    # two batches with one catalogue point at one snapshot, which is stored once
    [(first,)] = ask(settings, "SELECT DISTINCT snapshot_id FROM batches")
    assert ask(settings, "SELECT snapshot_id, n_sources FROM source_snapshots") == [(first, 5)]
    assert ask(settings, "SELECT count(*) FROM sources") == [(5,)]
    assert call(["drift", "b"]) == 0
    assert "Nothing that the batch cites or lists changed." in capsys.readouterr().out
    write(sources, TODAY)
    code, told = asked("b")
    assert code == 1
    assert told["counts"] == {"retitled": 1, "vanished": 1, "merged": 1, "new": 2}
    assert [(s["kind"], s["source_id"], s["now"], len(s["cited_by"])) for s in told["sources"]] == [
        # report n cites works n, n + 1, n + 2 of five: s01 in reports 0, 3, 4, 5, 8, 9, 10, and so on
        ("retitled", "s01", "s01", 7),
        ("vanished", "s02", None, 8),
        ("merged", "s03", "z03", 8),
    ]
    effects = {(r["report_id"], r["key"]): r["effect"] for r in told["redirects"] if r["subject"] == "entry"}
    # brief-00 lists s01, s02, s03: the first now stands under a title that is not the written one
    assert [effects["brief-00", key] for key in "123"] == ["lost", "lost", "followed"]

    run(sound(2), batch="c")
    [(second,)] = ask(settings, "SELECT snapshot_id FROM batches WHERE batch_id = 'c'")
    assert second != first
    assert asked("b", "--against", "newest")[1]["against"]["snapshot_id"] == second
    code, told = asked("c", "--against", first)
    assert (code, told["counts"]["merged"], told["against"]["n_sources"]) == (1, 1, 5)
    assert asked("c")[0] == 0
    sources.unlink()
    assert asked("b")[1]["against"]["snapshot_id"] == second  # its file is gone: the newest snapshot
    assert asked("b", "--against", "no-such-thing")[0] == 64
    assert asked("nowhere")[0] == 64
    sources.write_text("{not json\n", encoding="utf-8")
    assert asked("b")[0] == 65


def test_a_retitled_source_raises_no_regression(run, settings, sources, capsys):
    """Twelve reports cite by titles that only the catalogue holds; all of it is fetched again under other titles."""
    write(sources, CHINESE)
    assert run({f"brief-{i:02}": f"第{i}份。{CITING_BY_TITLE}" for i in range(12)}).exit_code == 0
    before = ask(settings, "SELECT verdict, batch_fingerprint FROM batch_contract")
    results = ask(settings, "FROM contract_results")
    [(snapshot,)] = ask(settings, "SELECT snapshot_id FROM batches")
    write(sources, [(i, "另一部完全不同的著作", None) for i, *_ in CHINESE])
    capsys.readouterr()
    assert call(["run", "--batch", "b"]) == 0
    assert f"stays with {snapshot}" in " ".join(capsys.readouterr().err.split())
    assert ask(settings, "SELECT verdict, batch_fingerprint FROM batch_contract") == before
    assert ask(settings, "FROM contract_results") == results
    assert ask(settings, "SELECT count(*) FROM kb_documents") == [(12,)]
    assert call(["drift", "b"]) == 1
    assert "retitled" in capsys.readouterr().out
    # the same catalogue named on purpose is another matter: then the batch is judged by it
    assert call(["run", "--batch", "b", "--sources", str(sources)]) == 1
    assert ask(settings, "SELECT count(*) FROM batch_snapshots") == [(2,)]


def test_a_batch_without_a_catalogue_cannot_have_drifted(run, asked):
    run(sound(1), with_sources=False)
    assert asked("b")[0] == 2
