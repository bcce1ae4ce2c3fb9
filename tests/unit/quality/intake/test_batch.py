"""batch.toml: written, read, refused."""

import tomllib
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from quality.errors import InputError, UsageError
from quality.intake.batch import BatchFile, check_batch_id, read_batch, to_toml, write_batch

AT = datetime(2026, 9, 7, 6, 0, tzinfo=UTC)


def test_round_trip(tmp_path):
    batch = BatchFile(id="报告 1", reports='re"po\\rts', sources="../s.jsonl", producer="p", created_at=AT)
    path = write_batch(tmp_path / "b", batch)
    assert path.read_text().splitlines() == [
        'id = "报告 1"',
        'reports = "re\\"po\\\\rts"',
        'sources = "../s.jsonl"',
        'producer = "p"',
        "created_at = 2026-09-07T06:00:00Z",
    ]
    assert read_batch(path) == read_batch(tmp_path / "b") == batch
    assert [item.name for item in path.parent.iterdir()] == ["batch.toml"]
    assert (
        write_batch(tmp_path / "new" / "b", batch).read_bytes()
        == write_batch(tmp_path / "b", batch).read_bytes()
    )


def test_paths_count_from_the_folder(tmp_path):
    batch = BatchFile(id="b", reports="reports", sources="/data/s.jsonl", created_at=AT)
    assert batch.reports_path(tmp_path) == tmp_path / "reports"
    assert str(batch.sources_path(tmp_path)) == "/data/s.jsonl"
    assert BatchFile(id="b", reports="r", created_at=AT).sources_path(tmp_path) is None


def test_times_are_written_in_utc():
    there = AT.astimezone(timezone(timedelta(hours=8)))
    assert "created_at = 2026-09-07T06:00:00Z" in to_toml(BatchFile(id="b", reports="r", created_at=there))


@pytest.mark.parametrize(
    "value",
    ["a", "x" * 200, "2026-09 batch", "../evil", "отчёт", "r1'); DROP TABLE x; --", "<b>", "a\u3000b"],
)
def test_ids_that_can_be_kept(value):
    assert check_batch_id(value) == value


@pytest.mark.parametrize("value", ["", "x" * 201, "a\nb", "a\x00", "a\x7f", "a\u2028b", " a", "a ", "\ud800"])
def test_ids_that_cannot(value):
    with pytest.raises(ValueError, match="a batch id"):
        check_batch_id(value)
    with pytest.raises(ValidationError):
        BatchFile(id=value, reports="r", created_at=AT)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('reports = "r"\ncreated_at = 2026-09-07T06:00:00Z', "`id`"),
        ('id = 7\nreports = "r"\ncreated_at = 2026-09-07T06:00:00Z', "`id`"),
        ('id = "a\\nb"\nreports = "r"\ncreated_at = 2026-09-07T06:00:00Z', "control characters"),
        ('id = "a"\nreports = " "\ncreated_at = 2026-09-07T06:00:00Z', "`reports`"),
        ('id = "a"\nreports = "r"\ncreated_at = 2026-09-07T06:00:00', "`created_at`"),
        ('id = "a"\nreports = "r"\ncreated_at = 2026-09-07T06:00:00Z\nsource = "s"', "`source`"),
        ('id = "a', "is no TOML"),
        ("id = 'caf\xe9'", "is no TOML"),
    ],
)
def test_wrong_files_name_the_field(tmp_path, text, message):
    (tmp_path / "batch.toml").write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=message) as caught:
        read_batch(tmp_path)
    assert "Remedy" in str(caught.value)


def test_missing_file(tmp_path):
    with pytest.raises(UsageError, match=r"no batch at .*batch\.toml"):
        read_batch(tmp_path)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_survives(text):
    batch = BatchFile(id="b", reports="r", producer=text, created_at=AT)
    assert tomllib.loads(to_toml(batch))["producer"] == text
