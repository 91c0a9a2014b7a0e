"""`python -m quizgen` and the `quizgen` command."""

from __future__ import annotations

import gc
import os
import signal
import sys
from types import FrameType

_NEW_OBJECTS_PER_GARBAGE_COLLECTION = 100_000  # many, since loading a bank makes little garbage


class _EndingSignal(BaseException):
    """A signal ends this process; the argument is its number. The mock, which saves first, handles signals itself."""


def main() -> None:
    """Runs the command line. Ctrl-C exits with code 130, and a closed pipe exits silently.

    On a signal to end, a command first removes its temporary files and ends its workers."""
    gc.set_threshold(_NEW_OBJECTS_PER_GARBAGE_COLLECTION)
    from quizgen.cli import run
    from quizgen.terminal import CAUGHT_SIGNALS

    for number in CAUGHT_SIGNALS:
        if signal.getsignal(number) is signal.SIG_DFL:  # under nohup the signal stays ignored
            signal.signal(number, _raise_ending_signal)
    try:
        code = run(sys.argv[1:])
    except _EndingSignal as ended:
        number = ended.args[0]
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)  # so that the parent process sees which signal ended this one
        code = 128 + number
    if "duckdb" not in sys.modules:  # duckdb reports every object that is alive at exit as leaked
        gc.freeze()  # otherwise the interpreter examines every loaded object once more at exit
    sys.exit(code)


def _raise_ending_signal(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)  # a second signal must not interrupt the cleanup
    raise _EndingSignal(number)


if __name__ == "__main__":
    main()
