"""``batch.toml``: where a batch's reports and sources are, who produced it, when.

Belongs here: the file's model, reading and writing it. Does not belong here: which batches exist
(``pipelines``).
"""

from __future__ import annotations

import json
import tomllib
import unicodedata
from datetime import UTC
from pathlib import Path
from typing import Annotated, Final

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from quality.errors import InputError, UsageError

FILE_NAME: Final = "batch.toml"
MAX_ID_LENGTH: Final = 200


def check_batch_id(value: str) -> str:
    """Return a batch id that can be kept, unchanged.

    It has 1 to 200 characters, no control characters, no blank at either end.

    Raises:
        ValueError: what is wrong with it.
    """
    if not 1 <= len(value) <= MAX_ID_LENGTH:
        raise ValueError(f"a batch id has 1 to {MAX_ID_LENGTH} characters, this one {len(value)}")
    if any(unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"} for char in value):
        raise ValueError("a batch id holds no control characters or line breaks")
    if value != value.strip():
        raise ValueError("a batch id neither starts nor ends with a space")
    return value


def _check_location(value: str) -> str:
    if "\x00" in value or not value.strip():
        raise ValueError("a path is not empty and holds no NUL")
    return value


Location = Annotated[str, AfterValidator(_check_location)]


class BatchFile(BaseModel):
    """Content of a ``batch.toml``. Relative paths count from the folder that it lies in."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    id: Annotated[str, AfterValidator(check_batch_id)]
    reports: Location
    sources: Location | None = None
    leads: Location | None = None
    producer: str | None = Field(default=None, min_length=1)
    created_at: AwareDatetime

    def reports_path(self, folder: Path) -> Path:
        """Where the reports are, for a ``batch.toml`` in ``folder``."""
        return folder / self.reports

    def sources_path(self, folder: Path) -> Path | None:
        """Where the source catalogue is, for a ``batch.toml`` in ``folder``; None: there is none."""
        return None if self.sources is None else folder / self.sources

    def leads_path(self, folder: Path) -> Path | None:
        """Where the leads are that its reports are drafted from; None: its reports come from elsewhere."""
        return None if self.leads is None else folder / self.leads


def read_batch(path: Path) -> BatchFile:
    """Read a ``batch.toml``, given itself or its folder.

    Raises:
        UsageError: there is no such file.
        InputError: it is no TOML, or a field is missing, unknown or wrong; the message names each.
    """
    file = path / FILE_NAME if path.is_dir() else path
    try:
        return BatchFile.model_validate(tomllib.loads(file.read_bytes().decode("utf-8-sig")))
    except OSError as error:
        raise UsageError(
            f"There is no batch at {str(file)!r}: {error.strerror}.",
            remedy="name a folder with a batch.toml.",
        ) from error
    except ValidationError as error:
        said = "; ".join(f"`{'.'.join(map(str, e['loc'])) or 'file'}`: {e['msg']}" for e in error.errors())
        raise InputError(f"{str(file)!r} is wrong: {said}.", remedy="correct these fields.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{str(file)!r} is no TOML: {error}.", remedy="correct the line.") from error


def write_batch(folder: Path, batch: BatchFile) -> Path:
    """Write ``batch.toml`` into ``folder`` (made if missing), whole or not at all; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    fresh = folder / f".{FILE_NAME}.new"
    fresh.write_bytes(to_toml(batch).encode())
    return fresh.replace(folder / FILE_NAME)


def to_toml(batch: BatchFile) -> str:
    """Text of the file: one line per field, in a fixed order; fields that are None are left out."""
    lines = [
        f"{name} = {_quoted(value)}"
        for name, value in (
            ("id", batch.id),
            ("reports", batch.reports),
            ("sources", batch.sources),
            ("leads", batch.leads),
            ("producer", batch.producer),
        )
        if value is not None
    ]
    created_at = batch.created_at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return "\n".join([*lines, f"created_at = {created_at}", ""])


def _quoted(text: str) -> str:
    """Write a TOML basic string; it escapes as JSON does, apart from DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
