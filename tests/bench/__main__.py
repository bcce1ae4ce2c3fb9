"""All benchmarks, one after the other: ``make bench``, or ``python -m tests.bench reading`` for one of them.

Belongs here: choosing. Does not belong here: measuring; each ``bench_*.py`` asserts equal results first and prints ratios.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path


def main(names: list[str]) -> int:
    """Run the named benchmarks, all when none is named."""
    known = sorted(p.stem.removeprefix("bench_") for p in Path(__file__).parent.glob("bench_*.py"))
    unknown = sorted(set(names) - set(known))
    if unknown:
        print(f"There is no benchmark {', '.join(unknown)}; there are {', '.join(known)}.", file=sys.stderr)
        return 64
    for name in names or known:
        print(f"== {name}", flush=True)
        importlib.import_module(f"tests.bench.bench_{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
