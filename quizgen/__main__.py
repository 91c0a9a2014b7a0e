"""`python -m quizgen` and the `quizgen` command."""

from __future__ import annotations

import gc
import sys

_SELDOM = 50_000  # new objects between two collections; loading makes many and next to no garbage


def main() -> None:
    """Run the command line. Ctrl-C ends with 130 and a closed pipe ends quietly."""
    gc.set_threshold(_SELDOM)
    from quizgen.cli import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
