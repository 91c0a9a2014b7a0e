"""`python -m quizgen` and the `quizgen` command."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line. Ctrl-C ends with 130 and a closed pipe ends quietly."""
    from quizgen.cli import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
