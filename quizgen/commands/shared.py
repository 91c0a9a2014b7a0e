"""The sorts of options that commands have. Light, for `mock` reads its own before anything heavy is loaded.

`names` are those of click in one text: `-o --output`, or `--kind kinds` where the argument is called otherwise.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from quizgen import bank as banks
from quizgen import data_folders
from quizgen.source.problems import Problem, Unreadable, WrongUse, clock, did_you_mean, printable, read_number, shorten

F = TypeVar("F", bound=Callable[..., object])


def flag(names: str, about: str) -> Callable[[F], F]:
    return click.option(*names.split(), is_flag=True, help=about)


def value(names: str, metavar: str, about: str, **more: Any) -> Callable[[F], F]:
    if metavar in ("FILE", "MANIFEST", "LOG") and names.split()[-1] not in ("--output", "--log"):
        more.setdefault("callback", plain_files)
    return click.option(*names.split(), metavar=metavar or None, help=about, **more)


def plain_files(_: object, option: object, given: str | tuple[str, ...] | None) -> object:
    """A file to read: a device would never end, and a pipe may never begin."""
    for name in (given,) if isinstance(given, str) else given or ():
        if os.path.exists(name) and not (os.path.isfile(name) or os.path.isdir(name)):
            raise click.BadParameter(f"{printable(name)} is a device or a pipe; name a plain file")
    return given


def page(names: str, metavar: str, about: str) -> Callable[[F], F]:
    """A page to write, which takes the place of no log: `debrief --html s.jsonl` is a slip."""
    return value(names, metavar, about, callback=_no_log)


def _no_log(_: object, option: object, name: str | None) -> str | None:
    if name and name.endswith((".jsonl", ".log", ".ndjson")):
        raise click.BadParameter(f"{name} is the name of a log; name a page to write, such as page.html")
    return name


def values(names: str, metavar: str, about: str, **more: Any) -> Callable[[F], F]:
    """One that may be repeated, which its help says behind an `about` without a full stop."""
    return value(names, metavar, about if about.endswith(".") else f"{about}; may be repeated.", multiple=True, **more)


def word(names: str, words: Sequence[str], about: str) -> Callable[[F], F]:
    """One of some words, by default the first."""
    return click.option(*names.split(), type=click.Choice(words), default=words[0], show_default=True, help=about)


def whole(names: str, low: int, high: int | None, about: str, **more: Any) -> Callable[[F], F]:
    """A whole number of a range."""
    return click.option(*names.split(), type=click.IntRange(low, high), help=about, **more)


LEVELS = {"easy": (1, 2), "medium": (3,), "hard": (4, 5)}  # of difficulty, 1 to 5


def difficulties() -> Callable[[F], F]:
    """`--difficulty 4` or `--difficulty hard`, as a tuple of numbers."""

    def read(_: object, option: object, given: Sequence[str]) -> tuple[int, ...]:
        levels = [number for text in given for number in LEVELS.get(text) or (int(text),)]
        return tuple(dict.fromkeys(levels))

    choice = click.Choice([*LEVELS, *"12345"])
    about = "Only this difficulty, 1 to 5 or easy (1, 2), medium (3), hard (4, 5); may be repeated."
    return click.option("--difficulty", "difficulties", type=choice, multiple=True, callback=read, help=about)


# What several commands need: opening a bank with its problems told, and colours or none.


if TYPE_CHECKING:
    from pathlib import Path

    from quizgen.bank import Loaded
    from quizgen.model import Bank, Item
    from quizgen.roster import Candidate
    from quizgen.rubric import Rubric

DEFAULT_BANK = "distributed-training"
NAMED = 10  # items that are left out, by name


def tell(message: str) -> None:
    """One message line on standard error, harmless to a terminal."""
    click.echo(printable(message), err=True)


def keep_apart(output: str | Path, inputs: Iterable[str | Path]) -> None:
    """Refuse to write a result over a file that it comes from."""
    for name in inputs:
        if os.path.exists(output) and os.path.exists(name) and os.path.samefile(output, name):
            raise WrongUse(f"{printable(str(output))} is read here; write to another file")


def program() -> str:
    """What to type to run quizgen from here: its name, or its path or interpreter where no path leads to it."""
    from shlex import quote
    from shutil import which

    own = sys.argv[0]
    if which("quizgen"):
        return "quizgen"
    return f"{quote(sys.executable)} -m quizgen" if os.path.basename(own) in ("", "__main__.py") else quote(own)


def open_bank(argument: str) -> Loaded:
    """The bank for mock, exam and score: without the items that have an error, which are named.

    Ends with exit code 3 where it cannot be used: no item is left, or an error is of more than one item, for it could
    change scores without a word.
    """
    loaded = banks.load(argument, indexes=_indexes())
    gc.freeze()  # nothing of a bank is garbage: no search for some goes through it again
    if loaded.bank is None and not loaded.errors:
        raise Unreadable(f"{printable(argument)} has no items; add one")
    if not loaded.errors and loaded.bank is not None:
        return loaded
    left, names = loaded.usable()
    if names:
        shown = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
        those = "it has an error" if len(names) == 1 else "they have errors"
        tell(f"left out: {shown}; {those}, see quizgen check {argument}")
        return left
    for problem in loaded.errors:
        tell(str(problem))
    them = "it" if len(loaded.errors) == 1 else "them"
    raise Unreadable(f"{count(len(loaded.errors), 'problem')} in {printable(argument)}; fix {them} first")


def _indexes() -> Path:
    from pathlib import Path  # which costs `quizgen solve` a twentieth of its start

    return data_folders.cache_folder(os.environ, Path.home())


def the_bank(argument: str) -> Bank:
    """The same, for a command that takes a whole bank, whatever blueprint is named with it."""
    return open_bank(argument).readable


def open_some(argument: str) -> Loaded:
    """The bank for looking at one item, whatever is wrong with others; how many are left out is told."""
    loaded = banks.load(argument, indexes=_indexes())
    if loaded.bank is None:
        return open_bank(argument)  # which says why
    if loaded.errors:
        left = len({problem.item for problem in loaded.errors if problem.item})
        them = f"{count(left, 'item')} cannot be shown" if left else count(len(loaded.errors), "problem")
        tell(f"{them} in {printable(argument)}; see quizgen check {printable(argument)}")
    return loaded


def item_of(loaded: Loaded, name: str) -> Item:
    """The item of a name. Ends with exit code 2 where the bank has none, with the nearest, or the bank that has it."""
    bank = loaded.readable
    if name in bank.items:
        return bank.items[name]
    hint = did_you_mean(name, bank.items)
    if not hint:
        there = next((other for other in data_folders.shipped_banks() if _holds(other, name)), "")
        hint = f"the bank {there} has it" if there else f"see quizgen list items --bank {printable(bank.name)}"
    raise click.UsageError(f'no item "{printable(shorten(name))}" in {printable(bank.name)}; {hint}')


def _holds(shipped: str, name: str) -> bool:
    other = banks.load(shipped, indexes=_indexes()).bank
    return other is not None and name in other.items


def open_named(log: str, head: Mapping[str, object]) -> Loaded:
    """The bank that a log names in the first line of a session."""
    if not head.get("bank"):
        raise Unreadable(f"{log} names no bank; quizgen score {log} --bank BANK shows its scores")
    try:
        return open_bank(banks.of_log(head))
    except banks.BankNotFound as error:
        raise Unreadable(f"{log}: {error}") from None


def open_roster(path: Path, forms: tuple[str, ...]) -> tuple[Candidate, ...]:
    """The candidates of a roster; `forms` are the labels that it may name. Ends with exit code 3 after telling
    every problem in it."""
    from quizgen import spreadsheet
    from quizgen.roster import read_roster

    shown = printable(str(path))
    try:
        text = spreadsheet.text_of(bytes_of(path, "check the roster's name"))
    except spreadsheet.NotASheet as error:
        raise Unreadable(f"{shown}: {error}") from None
    except UnicodeDecodeError:
        raise Unreadable(f"{shown}: not UTF-8; save the roster as UTF-8 CSV") from None
    candidates, problems = read_roster(text, str(path), forms)
    for problem in problems:
        tell(str(problem))
    if problems:
        raise Unreadable(f"{count(len(problems), 'problem')} in {shown}; fix the roster first")
    return candidates


def bytes_of(path: str | Path, todo: str = "check its name") -> bytes:
    """What a file holds. Raises Unreadable, which ends in what to do."""
    from pathlib import Path

    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise Unreadable(f"{printable(str(path))}: {error.strerror}; {todo}") from None


@cache
def rubrics_of(bank: str) -> Mapping[str, Rubric]:
    """The rubrics of a bank's text items by item id."""
    from quizgen.rubric import Rubric

    rubrics = {name: getattr(item, "rubric", None) for name, item in the_bank(bank).items.items()}
    return {name: rubric for name, rubric in rubrics.items() if isinstance(rubric, Rubric)}


def use_color(refused: bool) -> bool:
    """Colours only on a terminal that wants them."""
    wanted = not refused and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and sys.stdout.isatty()


def format_of(form: str, as_json: bool) -> str:
    """The format that --format and --json ask for; two different ones are refused."""
    if as_json and form not in ("text", "json"):
        raise click.UsageError(f"--json and --format {form} exclude each other; choose one")
    return "json" if as_json else form


def count(number: int, noun: str) -> str:
    """`1 item`, `2 items`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def by_place(problems: Iterable[Problem]) -> list[Problem]:
    return sorted(problems, key=lambda p: (p.where, p.message))


WAIT = 1.0  # seconds before a line of progress appears: short work shows none
PAUSE = 0.2
WIDTH = 76


class ProgressLine:
    """A line of progress with the time left, redrawn in place; none where the stream is no terminal. Mutable: its
    stage, and since when. `total`: bytes of all sources, 0 where nobody knows."""

    def __init__(self, total: int, stream: TextIO, wanted: bool) -> None:
        self._total = total
        self._stream = stream
        self._on = wanted and stream.isatty()
        self._start = self._begun = time.monotonic()
        self._last = 0.0
        self._read: dict[int, int] = {}
        self._drawn = False
        self._stage = ""

    def show(self, source: int, read: int) -> None:
        """So many bytes of a source are done."""
        self._read[source] = read
        self.step("MB", sum(self._read.values()) // 10**6, self._total // 10**6)

    def step(self, what: str, done: int, total: int) -> None:
        """So much of a stage of the work is done; the time left is that of the stage."""
        now = time.monotonic()
        if what != self._stage:
            self._stage, self._begun = what, self._last or self._start
        if done >= total > 0:
            self.clear()
        elif self._on and now - self._start >= WAIT and now - self._last >= PAUSE:
            self._last, self._drawn = now, True
            text = f"{what}: {done:,}"
            if total:
                left = clock((now - self._begun) * (total - done) / done) if done else "?"
                text = f"[{'#' * (20 * done // total):<20}] {done / total:4.0%}  {text} of {total:,}, {left} left"
            self._stream.write(f"\r{text:<{WIDTH}}")
            self._stream.flush()

    def clear(self) -> None:
        """Take the line away, for something else to be printed."""
        if self._drawn:
            self._stream.write("\r" + " " * WIDTH + "\r")
            self._stream.flush()
            self._drawn = False


# Numbers that a person types after an option: one rule and one sentence for all of them.
#
# `mock` reads its options before anything heavy is loaded, so nothing here needs a bank.


def minutes_of(text: str | None) -> Fraction | None:
    """`--minutes`, by the rule of a blueprint's minutes; None where it was not given."""
    from quizgen.model import MAX_MINUTES

    return above_zero("--minutes", text, MAX_MINUTES, "45")


def above_zero(option: str, text: str | None, most: int, such_as: str) -> Fraction | None:
    """An option's number above 0 and at most `most`; None where it was not given."""
    if text is None:
        return None
    value = read_number(text)
    if value is None or not 0 < value <= most:
        what = f'{option} must be a number above 0 and at most {most}, not "{printable(shorten(text))}"'
        raise click.UsageError(f"{what}; write {option} {such_as}")
    return value
