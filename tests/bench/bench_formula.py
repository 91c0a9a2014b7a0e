"""What the start of a command costs: `python tests/bench/bench_formula.py`.

Prints the start-up of `quizgen --help` and of `quizgen solve` as a ratio to `python -c pass`. Processor time, so that a
busy machine matters less. Nothing here fails on time.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys


def start_up() -> tuple[float, ...]:
    """Seconds of the processor for `python -c pass`, `quizgen --help` and `quizgen solve`, in turns, the best of each.

    The modules' bytecode is cached, as pip leaves it.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    quizgen = [sys.executable, "-m", "quizgen"]
    commands = (
        [sys.executable, "-c", "pass"],
        [*quizgen, "--help"],
        [*quizgen, "solve", "zero_bytes", "N=13e9", "K=32", "stage=2"],
    )
    times: list[list[float]] = [[] for _ in commands]
    for _ in range(24):
        for command, runs in zip(commands, times, strict=True):
            start = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
            end = resource.getrusage(resource.RUSAGE_CHILDREN)
            runs.append(end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime)
    return tuple(min(runs) for runs in times)


if __name__ == "__main__":
    nothing, manual, solve = start_up()
    print(f"start-up of quizgen --help: {manual / nothing:.1f} times python -c pass (at most 5)")
    print(f"start-up of quizgen solve:  {solve / nothing:.1f} times python -c pass (at most 8)")
