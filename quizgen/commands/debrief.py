"""`quizgen debrief`: a past session's debrief again, in the terminal or as a page."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import click

from quizgen import data_folders
from quizgen.atomic_write import write_whole
from quizgen.commands.shared import bytes_of, flag, open_named, page, tell, use_color, values
from quizgen.render.debrief import debrief_of
from quizgen.render.debrief_text import item_lines
from quizgen.render.text import PLAIN, Look
from quizgen.session import session_log
from quizgen.session.clock import Clock
from quizgen.session.interview import Dispute, Interview
from quizgen.session.journal import Journal, NotSaved
from quizgen.source.problems import Unreadable, printable
from quizgen.terminal import disputes, open_session
from quizgen.terminal.debriefs import SessionOutcomes
from quizgen.terminal.open_session import CannotOpen, gone


@click.command("debrief")
@click.argument("log", required=False)
@page("--html", "FILE", "Write it as one page with charts instead (- for standard output).")
@values("--item numbers", "N", "Only this item, such as 8 or 8a")
@flag("--dispute", "Say at which marks you did say it; kept in the log beside the marks.")
@flag("--no-color", "No bold or italic print (also by NO_COLOR).")
def command(log: str | None, html: str | None, numbers: tuple[str, ...], dispute: bool, no_color: bool) -> int:
    """Show a past session's debrief again.

    LOG is the session's log (default: the latest of the log folder; of several sessions in one log,
    the last). Responses are scored by the bank as it is today.

    Example: quizgen debrief --html debrief.html
    """
    folder = data_folders.log_folder(os.environ, Path.home())
    path = Path(log) if log else open_session.latest(folder, lambda s, _: bool(s.responses))
    if path is None:
        raise Unreadable(f"no session in {printable(str(folder))}; take one with `quizgen mock`")
    name = printable(str(path))
    sessions = session_log.read_sessions(bytes_of(path, "name the log of a session"))
    if not sessions:
        raise Unreadable(f"{name} holds no session of `quizgen mock`; bare lines are read by `quizgen score`")
    logged = sessions[-1]
    bank = open_named(name, str(logged.head.get("bank", ""))).readable
    if logged.head.get("digest") != bank.digest:
        tell("the bank has changed since this session; its responses are scored by the bank as it is today")
    if lost := gone(logged.head, bank):
        tell(f"left out, for the bank no longer has it: {printable(', '.join(lost))}")
    width = max(40, min(shutil.get_terminal_size((80, 24)).columns, 100)) if sys.stdout.isatty() else 80
    look = Look(attributes=True) if use_color(no_color) else PLAIN
    try:
        past = open_session.past_outcomes(logged, bank)
        if isinstance(past, SessionOutcomes) and dispute:
            return _dispute(past.session, str(logged.head.get("session", "")), str(path), width, numbers)
        if html is not None:
            _write_page(past.page(), html)
        elif isinstance(past, SessionOutcomes) and numbers:
            click.echo("\n".join(item_lines(debrief_of(past.session), numbers, width, look)))
        else:
            click.echo("\n".join(past.lines(width, look)))
    except CannotOpen as error:
        raise Unreadable(f"{name}: {error}") from None
    except ValueError as error:
        raise click.UsageError(printable(str(error))) from None
    return 0


def _write_page(text: str, html: str) -> None:
    if html == "-":
        click.echo(text, nl=False)
        return
    write_whole(html, text)
    tell(f"Debrief: {printable(html)}")


def _dispute(session: Interview, name: str, path: str, width: int, numbers: tuple[str, ...]) -> int:
    """Ask line by line, of the items with these `numbers` where there are some, and append each claim to the log."""

    def ask(text: str) -> str:
        click.echo(text, nl=False)
        typed = sys.stdin.readline()
        if not typed:
            raise EOFError
        return typed

    def claim(index: int, claimed: Dispute) -> None:
        item = session.places[index].entry.variant.item.id
        journal.append(session_log.dispute_line(name, item, claimed, Clock().utc()))

    try:
        journal = Journal(path)
    except OSError as error:
        raise Unreadable(f"{printable(path)}: {error.strerror or error}; nothing can be added to it") from None
    try:
        disputes.by_lines(session, click.echo, ask, claim, width, numbers)
    except EOFError:
        click.echo()
    except NotSaved as error:
        raise Unreadable(f"{printable(path)}: {error}") from None
    finally:
        journal.close()
    return 0
