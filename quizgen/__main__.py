"""`python -m quizgen` and the `quizgen` command."""

from __future__ import annotations

import gc
import sys

_SELDOM = 100_000  # new objects between two collections; loading makes many and next to no garbage


def main() -> None:
    """Run the command line. Ctrl-C ends with 130 and a closed pipe ends quietly."""
    gc.set_threshold(_SELDOM)
    from quizgen.cli import run

    code = run(sys.argv[1:])
    gc.freeze()  # the interpreter would look through all that is loaded once more before it ends
    sys.exit(code)


if __name__ == "__main__":
    main()
