"""`quizgen debrief`: shows a past session's debrief again, in the terminal or as a page."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from quizgen import data_folders
from quizgen.atomic_write import write_atomically
from quizgen.commands.options import flag_option, notify, option, output_page_option, repeatable_option
from quizgen.commands.shared import open_bank_of_log, printed_line_width, read_file_bytes, wants_color
from quizgen.model import Bank
from quizgen.render.debrief import debrief_of_session
from quizgen.render.debrief_text import requested_item_lines
from quizgen.render.text import PLAIN_STYLE, TextStyle
from quizgen.session import session_log
from quizgen.session.cards import CARD_MARK_HELP, Card
from quizgen.session.clock import Clock
from quizgen.session.interview import Dispute, Interview
from quizgen.session.journal import Journal, LinesNotSaved
from quizgen.session.session_log import LoggedSession
from quizgen.source.problems import Unreadable, printable
from quizgen.terminal import disputes, open_session
from quizgen.terminal.debriefs import SessionDebrief, SessionOrCaseDebrief
from quizgen.terminal.open_session import CannotResume, missing_item_ids


@click.command("debrief")
@click.argument("log", required=False)
@output_page_option("--html", "FILE", "Write it as one page with charts instead (- for standard output).")
@repeatable_option("--item numbers", "N", "Only this item, such as 8 or 8a")
@flag_option("--dispute", "Dispute marks: claim what you did say. Claims are kept in the log beside the marks.")
@option("--keep", "CARD", f"Keep a card of the --item: {CARD_MARK_HELP}.")
@flag_option("--no-color", "No bold or italic text (NO_COLOR does the same).")
def command(
    log: str | None, html: str | None, numbers: tuple[str, ...], dispute: bool, keep: str | None, no_color: bool
) -> int:
    """Show a past session's debrief again.

    LOG is the session's log (default: the latest of the log folder; of several sessions in one log,
    the last). Responses are scored by the bank as it is today.

    Example: quizgen debrief --html debrief.html
    """
    path, logged, bank = _open_session_log(log)
    width = printed_line_width()
    look = TextStyle(has_attributes=True) if wants_color(no_color) else PLAIN_STYLE
    try:
        past = open_session.debrief_of_logged_session(logged, bank)
        session = past if isinstance(past, SessionDebrief) and (numbers or dispute or keep is not None) else None
        if session is None or (html is not None and not dispute and keep is None):
            _print_or_write_debrief(past, html, width, look)
        elif dispute:
            _ask_disputes(session.session, str(logged.first_line.get("session", "")), path, width, numbers)
        elif keep is not None:
            _add_cards(session, str(logged.first_line.get("session", "")), path, numbers, keep)
        else:
            click.echo("\n".join(requested_item_lines(debrief_of_session(session.session), numbers, width, look)))
    except CannotResume as error:
        raise Unreadable(f"{printable(path)}: {error}") from None
    except ValueError as error:
        raise click.UsageError(printable(str(error))) from None
    return 0


def _open_session_log(log: str | None) -> tuple[str, LoggedSession, Bank]:
    """The path of a log (None: the latest), its last session with a response (else its last), and the bank of that
    session as it is today."""
    folder = data_folders.default_log_folder(os.environ, Path.home())
    path = Path(log) if log else open_session.latest_log_path(folder, lambda s: bool(s.response_records))
    if path is None:
        raise Unreadable(f"no session in {printable(str(folder))}; begin one with `quizgen mock`")
    shown_path = printable(str(path))
    text = read_file_bytes(path, "name the log of a session")
    sessions, damage = session_log.sessions_in_log(text), session_log.damaged_lines_note(text)
    if not sessions:
        hint = damage or "`quizgen score` reads bare lines"
        raise Unreadable(f"{shown_path} has no session of `quizgen mock`; {hint}")
    if damage:
        notify(f"{shown_path}: {damage}")
    logged = next((session for session in reversed(sessions) if session.response_records), sessions[-1])
    bank = open_bank_of_log(shown_path, logged.first_line).required_bank
    if logged.first_line.get("digest") != bank.digest:
        notify("the bank has changed since this session; its responses are scored with today's bank")
    if lost := missing_item_ids(logged.first_line, bank):
        notify(f"left out, because the bank no longer has it: {printable(', '.join(lost))}")
    return str(path), logged, bank


def _print_or_write_debrief(past: SessionOrCaseDebrief, html: str | None, width: int, style: TextStyle) -> None:
    """Prints the debrief, or writes it as a page if `html` names a file."""
    if html is None:
        click.echo("\n".join(past.text_lines(width, style)))
    elif html == "-":
        click.echo(past.html_page(), nl=False)
    else:
        write_atomically(html, past.html_page())
        notify(f"Debrief: {printable(html)}")


def _ask_disputes(
    session: Interview, session_name: str, log_path: str, width: int, item_numbers: tuple[str, ...]
) -> None:
    """Asks for claims line by line, about the items with these `item_numbers` if there are any, and logs each."""

    def ask(text: str) -> str:
        click.echo(text, nl=False)
        typed = sys.stdin.readline()
        if not typed:
            raise EOFError
        return typed

    def log_claim(index: int, claimed: Dispute) -> None:
        item = session.item_states[index].item.id
        journal.append(session_log.dispute_log_line(session_name, item, claimed, Clock().utc()))

    with _open_journal_to_append(log_path) as journal:
        try:
            disputes.ask_about_disputes(session, click.echo, ask, log_claim, width, item_numbers)
        except EOFError:
            click.echo()


def _add_cards(
    past: SessionDebrief, session_name: str, log_path: str, item_numbers: tuple[str, ...], mark_or_note: str
) -> None:
    """Appends a card for each item with one of these `item_numbers` to the log of the session `session_name`."""
    places = {number: past.session.index_of_number(number) for number in item_numbers}
    if not places or None in places.values():
        known = ", ".join(map(past.session.item_number, range(len(past.session.item_states))))
        raise click.UsageError(f"--keep needs --item with the number of an item: {known}")
    with _open_journal_to_append(log_path) as journal:
        for number, index in places.items():
            item = past.session.item_states[index or 0].item.id
            card = past.cards.get(item, Card(item)).with_mark_or_note(mark_or_note)
            journal.append(card.log_line(session_name, Clock().utc()))
            click.echo(printable(f"Kept of item {number}: {card.mark_and_note_text or 'nothing'}."))


@contextmanager
def _open_journal_to_append(log_path: str) -> Iterator[Journal]:
    """A log to which lines can be appended. Raises Unreadable if that is impossible."""
    try:
        journal = Journal(log_path)
    except OSError as error:
        raise Unreadable(f"{printable(log_path)}: {error.strerror or error}; nothing can be appended to it") from None
    try:
        yield journal
    except LinesNotSaved as error:
        raise Unreadable(f"{printable(log_path)}: {error}") from None
    finally:
        journal.close()
