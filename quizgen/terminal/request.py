"""What is asked of a session on the command line, and the ways in which it cannot be had."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from quizgen.bank import Loaded
from quizgen.interview import Rules

LATEST = "latest"
OpenBank = Callable[[str], Loaded]
Tell = Callable[[str], None]


class Refused(Exception):
    """A log or bank that cannot be used (exit code 3)."""


class WrongUse(Exception):
    """A wish that the bank cannot fulfil (exit code 2)."""


@dataclass(frozen=True, slots=True)
class Request:
    """The command line of `mock`, read and checked. `bank` empty: that of the log to redo, else the
    usual one. `redo` and `resume` name a log, or are `LATEST`. `folder`: the default log folder."""

    bank: str
    usual: str
    seed: str | None
    items: int | None
    minutes: Fraction | None
    topics: tuple[str, ...]
    kinds: tuple[str, ...]
    difficulties: tuple[int, ...]
    redo: str | None
    resume: str | None
    log: str | None
    candidate: str
    rules: Rules
    html: str | None
    changed_bank: bool
    full: bool
    colour: bool
    width: int
    folder: Path
    program: str = "quizgen"  # what to type to run it from here

    @property
    def narrows(self) -> bool:
        """Something but a number of items is asked for of what a blueprint would take."""
        return self.redo is None and self.items is None and bool(self.topics or self.kinds or self.difficulties)
