"""What makes the page work by itself: the chart library, our own script and style, and the policy that allows them.

Belongs here: reading and keeping those texts, and their hashes. Does not belong here: anything about batches.

The chart library is the bundle that vl-convert carries: Vega, Vega-Lite and Vega-Embed in one text. Making it takes two
seconds, so a home keeps it beside its private files, under the version that made it.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from pipelines.resources.files import replacing
from quality.errors import StorageError


@cache
def static(name: str) -> str:
    """Give one of the packaged texts: ``dashboard.css`` or ``dashboard.js``."""
    return files("pipelines.dashboard").joinpath("static", name).read_text("utf-8")


def chart_library(folder: Path) -> str:
    """Give the chart library's script.

    Args:
        folder: keeps it between processes; one of another version is removed.

    Raises:
        StorageError: it cannot be put into a page, or kept.
    """
    file = folder / f"charts-vl-convert-{version('vl-convert-python')}.js"
    if file.is_file():
        return file.read_text("utf-8")
    script = _made()
    for old in folder.glob("charts-vl-convert-*.js"):
        old.unlink(missing_ok=True)
    with replacing(file) as fresh:
        fresh.write_text(script, encoding="utf-8")
    return script


@cache
def _made() -> str:
    import vl_convert  # starts a JavaScript engine: only when there is a bundle to make

    script = str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;"))
    if "</script" in script.lower() or "<!--" in script or "\r" in script:
        raise StorageError(
            f"The chart library of vl-convert {version('vl-convert-python')} cannot stand in a page.",
            remedy="Use the version of vl-convert-python in requirements.lock.",
        )
    return script


def policy(*, scripts: tuple[str, ...], styles: tuple[str, ...]) -> str:
    """Content security policy of a page that may run these very texts, and load nothing from anywhere."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {' '.join(_hash(text) for text in scripts)}",
            f"style-src {' '.join(_hash(text) for text in styles)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
