"""What is asked of a session on the command line, and the ways in which it cannot be had."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from quizgen.bank import Loaded
from quizgen.interview.session import Rules
from quizgen.terminal.clock import Clock

LATEST = "latest"
OpenBank = Callable[[str], Loaded]
Tell = Callable[[str], None]


class Left(Exception):
    """The candidate leaves a session and keeps it for later."""


@dataclass(frozen=True, slots=True)
class Course:
    """The items of a planned session in order, why each is there, its minutes, and a line about it all."""

    items: tuple[str, ...]
    reasons: Mapping[str, str]
    minutes: Fraction
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a new session should be. Empty and None mean: as the blueprint says. `course`: of a plan, in place of items
    drawn."""

    seed: str | None = None
    items: int | None = None
    minutes: Fraction | None = None
    topics: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    difficulties: tuple[int, ...] = ()
    course: Course | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Request(Wish):
    """The command line of `mock`, read and checked. `bank` empty: that of the log to redo, else the
    usual one. `redo` (any number of logs) and `resume` name a log, or are `LATEST`. `folder`: the default
    log folder."""

    bank: str
    usual: str
    candidate: str
    folder: Path
    redo: tuple[str, ...] = ()
    resume: str | None = None
    log: str | None = None
    rules: Rules = field(default_factory=Rules)
    html: str | None = None
    changed_bank: bool = False
    full: bool = False
    colour: bool = False
    width: int = 80
    pictures: str = ""  # the protocol by which the terminal takes images
    program: str = "quizgen"  # what to type to run it from here
    clock: Clock = field(default_factory=Clock)

    @property
    def narrows(self) -> bool:
        """Something but a number of items is asked for of what a blueprint would take."""
        return not self.redo and self.items is None and bool(self.topics or self.kinds or self.difficulties)
