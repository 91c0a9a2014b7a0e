"""`quizgen progress --add`: makes logs from the files that practice pages saved."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import click

from quizgen.bank import BankNotFound
from quizgen.commands.options import notify
from quizgen.commands.shared import open_bank_of_log, plural, quizgen_command, read_bytes
from quizgen.model import ZERO
from quizgen.practice.saved import SavedSitting, add_saved, read_saved
from quizgen.render.wrap import next_command_lines
from quizgen.scoring.response import score_response
from quizgen.scoring.scorer import Scorer
from quizgen.session.journal import NotSaved
from quizgen.session.session_log import parse_hint_count, parse_logged_response
from quizgen.source.problems import Unreadable, points_decimal, printable
from quizgen.terminal.open_session import new_log_path


def add_files(files: Sequence[str], folder: Path) -> int:
    """Adds the sittings of each file to the logs in `folder`, and prints their scores. A file that is damaged or cannot
    be added is named; the exit code is 3 only if no file could be added."""
    taken = 0
    for name in files:
        try:
            sittings, faults = read_saved(read_bytes(name))
        except Unreadable as error:
            notify(str(error))
            continue
        if not sittings:
            notify(f"{printable(name)}: not from a practice page; name a file that such a page saved")
        elif faults:
            kept = plural(sum(len(sitting.lines) for sitting in sittings), "line")
            first, *more = faults
            lost = f"{first} (and {plural(len(more), 'more line')})" if more else first
            notify(f"{printable(name)}: {lost}; {kept} kept; save the file again in the page, then add it again")
        for sitting in sittings:
            taken += _add_sitting(sitting, name, folder)
    if not taken:
        return 3
    run = quizgen_command()
    for line in next_command_lines([f"{run} progress", f"{run} today"]):
        notify(line)
    return 0


def _add_sitting(sitting: SavedSitting, name: str, folder: Path) -> bool:
    """Adds one sitting to the logs in `folder`. If that is impossible, prints a message and returns False."""
    path = new_log_path(folder, sitting.started, sitting.session)
    try:
        new = add_saved(sitting, path)
    except (OSError, NotSaved, Unreadable) as error:
        notify(f"{printable(name)}: not added: {error}")
        return False
    day = sitting.started[:10]
    if not new:
        click.echo(f"Practice of {day}: nothing new; everything was added before.")
    else:
        click.echo(f"Practice of {day}: {plural(new, 'response')} added to {printable(path)}.")
    try:
        click.echo(_score_summary(sitting))
    except (Unreadable, BankNotFound) as error:
        notify(f"{error}; the log is kept, and will be scored once the bank is found")
    return True


def _score_summary(sitting: SavedSitting) -> str:
    """The points of the first responses by the scorer, beside the page's own verdicts."""
    bank = open_bank_of_log(f"the practice of {sitting.started[:10]}", {"bank": sitting.bank}).readable
    scorer = Scorer(bank.items)
    earned = possible = ZERO
    rated: list[Fraction] = []
    gone = 0
    for line in sitting.responses:
        if line.get("again") is True:
            continue
        variant = scorer.variant_of_line(bank.items.get(str(line["item"])), line)
        if variant is None:
            gone += 1
            continue
        response, hints = parse_logged_response(line["response"]), parse_hint_count(line.get("hints"))
        score = score_response(variant, response, hint_count=hints)
        earned, possible = earned + score.earned, possible + score.possible
        own = line.get("self")
        if isinstance(own, dict):
            rated += [Fraction(str(v)) for v in own.values() if v in (0, 0.5, 1) and not isinstance(v, bool)]
    summary = f"At first sight {points_decimal(earned)} of {points_decimal(possible)} points, by the scorer."
    if rated:
        summary += f" Your own ratings are kept beside: {points_decimal(sum(rated, ZERO))} of {len(rated)}."
    return f"{summary} {plural(gone, 'response')} to items that the bank no longer has." if gone else summary
