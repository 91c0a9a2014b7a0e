"""`quizgen practice`: a page that asks items, marks answers at once and saves them.

It is written to a file, or served on this machine or to a phone on the local network, at an address that stays the
same."""

from __future__ import annotations

import io
import json
import socket
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from quizgen import data_folders
from quizgen.assemble import activate_usable_drafts_if_none_active
from quizgen.atomic_write import open_replacement_file, write_atomically
from quizgen.bank.reader import LoadedBank
from quizgen.commands import coach, options
from quizgen.commands.exam import read_word_replacement_pairs
from quizgen.commands.mock import candidate_or_login_name
from quizgen.commands.options import DEFAULT_BANK, argument, flag_option, int_option, notify, option, page_file_option
from quizgen.commands.shared import count_with_noun, load_bank_refusing_case, load_usable_bank
from quizgen.local_server import LOCALHOST, open_in_browser_by_temporary_file
from quizgen.model import Bank, Form
from quizgen.practice.page import PracticePageSettings, practice_page_html, web_app_text_by_file_name
from quizgen.practice.server import AnswerRecorder, PracticeServer
from quizgen.session.session_log import last_mark_and_note_by_item_id
from quizgen.session.sitting import Clock
from quizgen.source.problems import Unreadable, printable
from quizgen.terminal import open_session
from quizgen.terminal.open_session import SessionOptions

PRACTICE_ADDRESS_FILE_NAME = "practice-address.json"  # in the log folder, readable by its owner only
MAX_IDLE_SECONDS = 3600.0  # seconds without a request after which the server stops


@click.command("practice")
@argument("bank", "[BANK or BLUEPRINT]", "banks blueprints", required=False)
@page_file_option(
    "-o --output", "PAGE.html", "Write one self-contained page; to FOLDER/, a web app that can be installed."
)
@option("--seed", "", "Fixes items, order and drawn values (any text; printed if quizgen draws it).")
@int_option("--items item_count", 1, 1000, "How many items (default: the blueprint's, else at most 12).")
@option("--minutes", "MINUTES", "As many items as fit into this time.")
@option("--topic topics", "TOPIC", "Only this topic", completes="topics", multiple=True)
@option("--kind kinds", "KIND", "Only this kind: choice, numeric, text", multiple=True)
@options.difficulty_option()
@option("--words words_path", "FILE", "A YAML of the page's fixed words: `Next: Weiter`.")
@flag_option("--phone", "Serve it on the local network, for a phone beside this machine.")
@flag_option("--no-open", "Do not open a browser; the address is printed.")
@int_option(
    "--port", 0, 65535, "The port of the page that is served (default: the last one, else a free one).", default=0
)
@flag_option("--today", "The items of today's plan.")
@option("--candidate", "NAME", "The name on every line of the log (default: your login name).")
def practice_command(
    bank: str | None, output: str | None, phone: bool, no_open: bool, port: int, today: bool, **session_options: Any
) -> None:
    """Practise on a page, on a phone or at a desk.

    The page asks one item at a time, marks it at once, brings back what was missed, and keeps what
    you did. Without -o it is served to this machine's browser alone: the scorer marks texts as well,
    and each answer is in your log before its verdict shows. Ctrl-C ends it.

    With -o it is one file that needs no network: "Save my answers" writes a log, which
    `quizgen progress --add FILE` takes. It holds the keys: it is for practice, not for an exam.

    Example: quizgen practice distributed-training --items 20 -o practice.html
    """
    if output is not None and any((phone, no_open, port)):
        raise click.UsageError("-o writes a page and serves none; leave --phone, --no-open and --port out")
    candidate, words_path = candidate_or_login_name(session_options.pop("candidate")), session_options.pop("words_path")
    log_folder = data_folders.default_log_folder()
    if today:
        name, settings = _bank_name_and_options_of_todays_plan(bank, session_options, log_folder)
    else:
        minutes = options.parse_minutes_option(session_options.pop("minutes"))
        name, settings = bank or DEFAULT_BANK, SessionOptions(minutes=minutes, **session_options)
    name, settings = open_session.find_bank_name_and_options(name, settings, DEFAULT_BANK, load_usable_bank)
    loaded_bank = load_bank_refusing_case(name)
    form = _choose_form_for_page(loaded_bank, settings, log_folder)
    if not settings.seed:
        notify(f"seed {form.seed}")
    faults: dict[str, None] = {}
    source_bank, words = loaded_bank.required_bank, read_word_replacement_pairs(words_path)
    is_web_app = output is not None and (output.endswith(("/", "\\")) or Path(output).is_dir())
    head = PracticePageSettings(form.title, name, candidate, output is None, is_web_app, words)
    page = practice_page_html(head, form, source_bank, lambda item, message: faults.setdefault(f"{item}: {message}"))
    notify(*(f"{fault}; the page shows it as plain text" for fault in faults))
    if output is None:
        run_page_server(page, source_bank, log_folder, phone, port, not no_open)
        return
    if is_web_app:
        if (index := Path(output) / "index.html").is_file() and b'class="practice' not in index.read_bytes()[:99]:
            raise Unreadable(f"{printable(str(index))} is no practice page, and would be lost; name another folder")
        hint = "put the folder on any host with HTTPS and open it there"
        for file, text in web_app_text_by_file_name(form.title, page).items():
            write_atomically(Path(output) / file, text, "choose another folder", creates_folders=True)
    else:
        hint = "open it in a browser"
        write_atomically(output, page, "choose another place")
    count = count_with_noun(len(form.entries), "item")
    notify(f"{count} in {printable(output)}; it contains the keys, so it is for practice only")
    notify(f"{hint}; quizgen progress --add FILE puts what it saves into your log")


def _choose_form_for_page(loaded_bank: LoadedBank, settings: SessionOptions, log_folder: Path) -> Form:
    """The items of a page: those of today's plan, or items not seen lately that `bank_of_askable_items` allows
    and that fit the time."""
    bank, blueprint = loaded_bank.required_bank, loaded_bank.named_blueprint
    if settings.planned_session:
        return open_session.assemble_session_form(bank, blueprint, settings)
    sessions = tuple(open_session.sessions_of_logs(log_folder.glob("*.jsonl")))
    practice_bank = activate_usable_drafts_if_none_active(bank, includes_self_rated=True)
    cards = last_mark_and_note_by_item_id(sessions)
    askable_bank = open_session.bank_of_askable_items(practice_bank, cards, log_folder, Clock().utc_text())
    recent_ids = frozenset() if settings.seed else open_session.item_ids_of_recent_sessions(sessions)
    form = open_session.assemble_session_form(askable_bank, blueprint, settings, recent_ids)
    return form if settings.minutes is None else open_session.cut_form_to_minutes(form, settings.minutes)


def _bank_name_and_options_of_todays_plan(
    bank: str | None, session_options: Mapping[str, Any], log_folder: Path
) -> tuple[str, SessionOptions]:
    """The bank and items of today's plan. Raises UsageError if the command line names a bank or filters items."""
    if bank or any(value for name, value in session_options.items() if name != "seed"):
        raise click.UsageError("--today takes bank and items from the plan; leave them out")
    plan = coach.require_saved_study_plan(log_folder)
    day = coach.TodayInStudyPlan(coach.read_practice_history(plan.bank_name, log_folder), plan)
    if not (items := day.choose_items_for_today()):
        raise Unreadable("the plan has no item for today; `quizgen today --list` says why")
    return plan.bank_name, SessionOptions(seed=session_options["seed"], planned_session=day.make_planned_session(items))


def run_page_server(page_html: str, bank: Bank, log_folder: Path, phone: bool, port: int, opens_browser: bool) -> None:
    """Serves `page_html` until it is interrupted; with `phone` on the local network, until nobody has used it for an
    hour."""
    recorder = AnswerRecorder(bank, lambda start, name: open_session.prepare_new_log_path(log_folder, start, name))
    server = _start_server(page_html, recorder, require_network_address() if phone else LOCALHOST, port, log_folder)
    click.echo(server.address)
    if phone:
        click.echo(qr_code_drawn_as_text(server.address), err=True)
        notify(
            "Anyone on this network with this address can read the items and their keys and answer in your name; "
            "the address cannot be guessed. It is plain http: use a network that you trust."
        )
        notify("Ctrl-C ends it, and so does an hour without use.")
    else:
        notify("This machine alone can open it. Ctrl-C ends it.")
    try:
        with open_in_browser_by_temporary_file(server.address) if opens_browser and not phone else nullcontext():
            server.serve_until_idle(MAX_IDLE_SECONDS if phone else None)
        notify("Nobody used the page for an hour, so it was stopped.")
    except KeyboardInterrupt:
        notify("")
    finally:
        server.server_close()
        recorder.close()
        notify(*(f"Log: {printable(journal.path)}" for journal in recorder.journal_by_session_id.values()))


def _start_server(page_html: str, recorder: AnswerRecorder, host: str, port: int, log_folder: Path) -> PracticeServer:
    """A server at the port and with the token of the last time, so that an open page keeps working; else at a free
    port. Raises Unreadable if the named `port` cannot be used."""
    place = log_folder / PRACTICE_ADDRESS_FILE_NAME
    try:
        last = json.loads(place.read_text(encoding="utf-8"))
        last_port, token = last["port"], last["token"]
        if not (isinstance(last_port, int) and 1024 <= last_port <= 65535 and len(token) >= 32 and token.isascii()):
            raise ValueError("not an address that this command has written")
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        last_port, token = 0, ""
    for choice in dict.fromkeys([port or last_port, port]):
        try:
            server = PracticeServer(page_html, recorder, host, choice, token)
            break
        except OSError as error:
            if choice == port:
                raise Unreadable(f"port {port} cannot be used ({error.strerror}); leave --port out") from None
    open_session.prepare_new_log_path(log_folder, "", "")  # creates the folder
    try:
        with open_replacement_file(place, is_private=True) as file:
            file.write(json.dumps({"port": server.server_port, "token": server.token}).encode())
    except OSError as error:
        notify(f"{printable(str(place))}: {error.strerror}; the next address will be different")
    return server


def require_network_address() -> str:
    """This machine's address on the local network. Nothing is sent: a connected datagram socket knows its address."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # address reserved for documentation (RFC 5737); nothing is sent
            number = str(probe.getsockname()[0])
        except OSError:
            number = "127."
    if number.startswith("127."):
        raise Unreadable("this machine is on no network; join the phone's, or write a page with -o practice.html")
    return number


def qr_code_drawn_as_text(address: str) -> str:
    """The lines of an address as a QR code of half blocks. The light modules are drawn, so it is right on a dark
    terminal; on a light one it is inverted, which phones can also read."""
    import segno

    text = io.StringIO()
    segno.make(address, error="l").terminal(text, border=2, compact=True)
    return text.getvalue().rstrip("\n")
