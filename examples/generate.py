"""Write the example corpus anew: ``python examples/generate.py [--out FOLDER]``.

The building blocks are plain text in ``corpus/``; the same blocks give the same bytes. A test compares what is committed
with what this writes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))


def main(arguments: list[str] | None = None) -> int:
    """Write all files; returns the exit code."""
    from examples.corpus.write import write_all

    parser = argparse.ArgumentParser(description="Write the example corpus anew from its building blocks.")
    parser.add_argument("--out", type=Path, default=HERE, help="folder to write to (default: examples)")
    write_all(parser.parse_args(arguments).out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
