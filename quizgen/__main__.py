"""`python -m quizgen` and the `quizgen` command."""

from __future__ import annotations

import gc
import os
import signal
import sys
from types import FrameType

_SELDOM = 100_000  # new objects between two collections; loading makes many and next to no garbage


class _Ended(BaseException):
    """Raised when a signal ends this process; the argument is the signal's number. The mock, which saves first, handles
    signals itself."""


def main() -> None:
    """Run the command line. Ctrl-C exits with code 130, and a closed pipe exits silently.

    On a signal to end, a command first removes its temporary files and ends its workers."""
    gc.set_threshold(_SELDOM)
    from quizgen.cli import run
    from quizgen.terminal.leaving import CAUGHT

    for number in CAUGHT:
        if signal.getsignal(number) is signal.SIG_DFL:  # nohup has it ignored
            signal.signal(number, _end)
    try:
        code = run(sys.argv[1:])
    except _Ended as ended:
        number = ended.args[0]
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)  # so that whoever waits for us is told how we ended
        code = 128 + number
    if "duckdb" not in sys.modules:  # which tells of everything that it finds alive at the end as leaked
        gc.freeze()  # the interpreter would look through all that is loaded once more before it ends
    sys.exit(code)


def _end(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)  # a second one must not stop the putting away
    raise _Ended(number)


if __name__ == "__main__":
    main()
