"""Helpers that several commands share: opening banks, rosters and files, and a line of progress."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, TextIO

import click

from quizgen import bank as banks
from quizgen import data_folders
from quizgen.commands.options import notify
from quizgen.source.problems import Unreadable, WrongUse, clock_text, did_you_mean, printable, shorten

if TYPE_CHECKING:
    from quizgen.bank.reader import LoadedBank
    from quizgen.model import Item
    from quizgen.roster import Candidate
    from quizgen.rubric.rubric import Rubric


MAX_LISTED_FAULTY_ITEMS = 10  # omitted items listed by name
NO_ACTIVE_ITEM_MESSAGE = (
    "no item of this bank is active; write `status: active` in those that are ready, or import with --active"
)


def refuse_overwriting_inputs(output: str | Path, inputs: Iterable[str | Path]) -> None:
    """Raises WrongUse if `output` is one of the files that are read."""
    for name in inputs:
        if os.path.exists(output) and os.path.exists(name) and os.path.samefile(output, name):
            raise WrongUse(f"{printable(str(output))} is an input; write to another file")


def program_command_text() -> str:
    """The command that starts quizgen from here: its name, or a path if the shell would not find it."""
    from shutil import which

    path = sys.argv[0]
    if which("quizgen"):
        return "quizgen"
    return f"{quote(sys.executable)} -m quizgen" if os.path.basename(path) in ("", "__main__.py") else quote(path)


def load_usable_bank(bank_argument: str) -> LoadedBank:
    """The bank for mock, exam and score, without its faulty items, which are named on standard error.

    Raises Unreadable if no item is left, or if an error concerns more than one item, as it could change scores
    unnoticed."""
    loaded_bank = banks.load_bank(bank_argument, index_folder=data_folders.default_cache_folder())
    gc.freeze()  # the objects of a bank are permanent: the garbage collector skips them from here on
    if loaded_bank.bank is None and not loaded_bank.errors:
        raise Unreadable(f"{printable(bank_argument)} has no items; add one")
    if not loaded_bank.errors:
        return loaded_bank
    sound_bank, names = loaded_bank.without_faulty_items_and_their_ids()
    if names:
        suffix = f" and {len(names) - MAX_LISTED_FAULTY_ITEMS} more" if len(names) > MAX_LISTED_FAULTY_ITEMS else ""
        list_text = ", ".join(names[:MAX_LISTED_FAULTY_ITEMS]) + suffix
        fault_text = "it has an error" if len(names) == 1 else "they have errors"
        notify(f"left out: {list_text}; {fault_text}, see quizgen check {quote(bank_argument)}")
        return sound_bank
    notify(*map(str, loaded_bank.errors))
    count, word = count_with_noun(len(loaded_bank.errors), "problem"), "it" if len(loaded_bank.errors) == 1 else "them"
    raise Unreadable(f"{count} in {printable(bank_argument)}; fix {word} first")


def folder_of_bank_or_part_if_found(bank_or_part_name: str) -> Path | None:
    """The folder of the bank that `bank_or_part_name`, a bank, a blueprint or a case, belongs to; None if it cannot
    be found from here, as after the bank has been moved."""
    try:
        return banks.find_bank_path_and_part_name(bank_or_part_name)[0].resolve()
    except banks.BankNotFound:
        return None


def find_item_by_id(loaded_bank: LoadedBank, item_id: str) -> Item:
    """The item with this id. Raises UsageError if the bank has none, naming the nearest id or the bank that has it."""
    bank = loaded_bank.required_bank
    if item_id in bank.items:
        return bank.items[item_id]
    hint = did_you_mean(item_id, bank.items)
    if not hint:
        names, indexes = data_folders.shipped_bank_names(), data_folders.default_cache_folder()
        shipped = ((name, banks.load_bank(name, index_folder=indexes).bank) for name in names)
        owner = next((name for name, b in shipped if b is not None and item_id in b.items), "")
        hint = f"the bank {owner} has it" if owner else f"see quizgen list items --bank {printable(quote(bank.name))}"
    raise click.UsageError(f'no item "{printable(shorten(item_id))}" in {printable(bank.name)}; {hint}')


def load_bank_of_session_line(log: str, session_line: Mapping[str, object]) -> LoadedBank:
    """The bank that `session_line`, the first line of a session in `log`, names. Raises Unreadable if it names none or
    it cannot be opened."""
    if not session_line.get("bank"):
        raise Unreadable(f"{log} names no bank; quizgen score {quote(log)} --bank BANK shows its scores")
    try:
        return load_usable_bank(banks.require_findable_bank_name_in_session_line(session_line))
    except banks.BankNotFound as error:
        raise Unreadable(f"{log}: {error}") from None


def load_exam_bank_by_name(bank_name: str) -> LoadedBank:
    """The bank that a manifest names. Raises BankNotFound, which says what to do if the bank has moved."""
    try:
        return load_usable_bank(bank_name)
    except banks.BankNotFound as error:
        raise banks.BankNotFound(f"{error}; if the exam's bank has moved, give --bank FOLDER") from None


def roster_candidates(path: str, form_labels: tuple[str, ...]) -> tuple[Candidate, ...]:
    """The candidates on a roster; `form_labels` are the labels of the forms that it may name. Prints every problem, and
    raises Unreadable if there is one."""
    from quizgen.roster import candidates_and_problems
    from quizgen.scoring.log_files import read_numbered_sheet_rows

    candidates, problems = candidates_and_problems(list(read_numbered_sheet_rows(path, "a roster")), path, form_labels)
    notify(*map(str, problems))
    if problems:
        raise Unreadable(f"{count_with_noun(len(problems), 'problem')} in {printable(path)}; fix the roster first")
    return candidates


def read_file_bytes(path: str | Path, advice: str = "check its name") -> bytes:
    """The bytes of a file. Raises Unreadable with a message that ends in `advice`."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise Unreadable(f"{printable(str(path))}: {error.strerror}; {advice}") from None


def load_bank_refusing_case(name: str) -> LoadedBank:
    """As `load_usable_bank`, but raises UsageError for a case, which cannot be an exam or a practice page."""
    loaded_bank = load_usable_bank(name)
    if (case := loaded_bank.named_case) is not None:
        raise click.UsageError(f"{case.id} is a case: quizgen mock {case.id} plays it")
    return loaded_bank


@cache
def rubrics_by_item_id(bank: str) -> Mapping[str, Rubric]:
    """The rubrics of a bank's text items, by item id."""
    from quizgen.rubric.rubric import Rubric

    rubrics = {name: getattr(item, "rubric", None) for name, item in load_usable_bank(bank).required_bank.items.items()}
    return {name: rubric for name, rubric in rubrics.items() if isinstance(rubric, Rubric) and rubric.criteria}


def wants_color(is_refused: bool) -> bool:
    """Whether to print in colour: on a terminal, unless the user refused it by option or environment."""
    is_allowed = not is_refused and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return is_allowed and sys.stdout.isatty()


def printed_line_width() -> int:
    """The width of printed lines: that of COLUMNS or the terminal, 20 to 100 columns; 80 if it is unknown."""
    from shutil import get_terminal_size

    return max(20, min(get_terminal_size().columns, 100))


def count_with_noun(number: int, noun: str) -> str:
    """A number with its noun, such as `1 item` or `2 items`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def kind_counts_text(items: Iterable[Item]) -> str:
    """The number of items of each kind, such as `3 choice, 2 text`."""
    return ", ".join(f"{count:,} {kind}" for kind, count in sorted(Counter(item.kind for item in items).items()))


def notify_next_commands(*commands: str) -> None:
    """Prints the next commands on standard error, each on a single line so that it can be copied."""
    from quizgen.render.text import next_command_lines

    notify(*next_command_lines(commands))


PROGRESS_DELAY_SECONDS = 1.0  # seconds before a progress line appears; short work shows none
PROGRESS_INTERVAL_SECONDS = 0.2
PROGRESS_LINE_COLUMNS = 76


class ProgressLine:
    """A progress line with the time left, redrawn in place; invisible if `stream` is not a terminal. Mutable: it keeps
    its stage and start. `total_bytes`: those of all sources, 0 if unknown."""

    def __init__(self, total_bytes: int, stream: TextIO, is_wanted: bool) -> None:
        self._total_bytes, self._stream, self._on = total_bytes, stream, is_wanted and stream.isatty()
        self._start = self._stage_start = time.monotonic()
        self._stage, self._last, self._is_drawn = "", 0.0, False
        self._bytes_read_by_source: dict[int, int] = {}

    def show_bytes_read_of_source(self, source_number: int, bytes_read: int) -> None:
        """Shows that `bytes_read` bytes of a source were read."""
        self._bytes_read_by_source[source_number] = bytes_read
        self.show_stage_progress("MB", sum(self._bytes_read_by_source.values()) // 10**6, self._total_bytes // 10**6)

    def show_stage_progress(self, stage: str, done: int, total: int) -> None:
        """Shows that `done` of `total` units of a stage are done, and how much longer the stage will take."""
        now = time.monotonic()
        if stage != self._stage:
            self._stage, self._stage_start = stage, self._last or self._start
        if done >= total > 0:
            self.clear()
        elif self._on and now - self._start >= PROGRESS_DELAY_SECONDS and now - self._last >= PROGRESS_INTERVAL_SECONDS:
            self._last, self._is_drawn = now, True
            text = f"{stage}: {done:,}"
            if total:
                time_left = clock_text((now - self._stage_start) * (total - done) / done) if done else "?"
                text = f"[{'#' * (20 * done // total):<20}] {done / total:4.0%}  {text} of {total:,}, {time_left} left"
            self._stream.write(f"\r{text:<{PROGRESS_LINE_COLUMNS}}")
            self._stream.flush()

    def clear(self) -> None:
        """Erases the line, so that something else can be printed."""
        if self._is_drawn:
            self._stream.write("\r" + " " * PROGRESS_LINE_COLUMNS + "\r")
            self._stream.flush()
            self._is_drawn = False
