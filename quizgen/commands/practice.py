"""`quizgen practice`: a page that asks items, marks answers at once and saves them."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from quizgen import data_folders
from quizgen.assemble import practice_bank
from quizgen.atomic_write import write_atomically
from quizgen.bank import LoadedBank
from quizgen.commands import coach
from quizgen.commands.completion import completes
from quizgen.commands.exam import read_words
from quizgen.commands.mock import candidate_name
from quizgen.commands.options import (
    DEFAULT_BANK,
    difficulty_option,
    flag_option,
    int_option,
    list_option,
    notify,
    option,
    page_option,
    parse_minutes,
)
from quizgen.commands.serve_practice import serve_page
from quizgen.commands.shared import open_bank, plural
from quizgen.model import Form
from quizgen.practice.cards import PracticeCard, cards_of
from quizgen.practice.page import PracticeHead, practice_page
from quizgen.practice.web_app import web_app
from quizgen.source.problems import Unreadable, printable
from quizgen.terminal.open_session import Wish, askable, fit_to_minutes, new_form, resolve_bank_name, seen_lately


@click.command("practice")
@click.argument("bank", required=False, metavar="[BANK or BLUEPRINT]", shell_complete=completes("banks", "blueprints"))
@page_option("-o --output", "PAGE.html", "Write one self-contained page; to FOLDER/, a web app that can be installed.")
@option("--seed", "", "Fixes items, order and drawn values (any text; printed if quizgen draws it).")
@int_option("--items", 1, 1000, "How many items (default: the blueprint's, else at most 12).")
@option("--minutes", "MINUTES", "As many items as fit into this time.")
@list_option("--topic topics", "TOPIC", "Only this topic", shell_complete=completes("topics"))
@list_option("--kind kinds", "KIND", "Only this kind: choice, numeric, text")
@difficulty_option()
@option("--words", "FILE", "A YAML of the page's fixed words: `Next: Weiter`.")
@flag_option("--phone", "Serve it on the local network, for a phone beside this machine.")
@flag_option("--no-open", "Do not open a browser; the address is printed.")
@int_option(
    "--port", 0, 65535, "The port of the page that is served (default: the last one, else a free one).", default=0
)
@flag_option("--today", "The items of today's plan.")
@option("--candidate", "NAME", "The name on every line of the log (default: your login name).")
def command(
    bank: str | None,
    output: str | None,
    minutes: str | None,
    phone: bool,
    no_open: bool,
    port: int,
    today: bool,
    candidate: str | None,
    words: str | None,
    **wishes: Any,
) -> int:
    """Practise on a page, on a phone or at a desk.

    The page asks one item at a time, marks it at once, brings back what was missed, and keeps what
    you did. Without -o it is served to this machine's browser alone: the scorer marks texts as well,
    and each answer is in your log before its verdict shows. Ctrl-C ends it.

    With -o it is one file that needs no network: "Save my answers" writes a log, which
    `quizgen progress --add FILE` takes. It holds the keys: it is for practice, not for an exam.

    Example: quizgen practice distributed-training --items 20 -o practice.html
    """
    if output is not None and (phone or no_open or port):
        raise click.UsageError("-o writes a page and serves none; leave --phone, --no-open and --port out")
    who = candidate_name(candidate)
    folder = data_folders.log_folder(os.environ, Path.home())
    if today:
        name, wish = _today_wish(bank, minutes, wishes, folder)
    else:
        name, wish = bank or DEFAULT_BANK, Wish(minutes=parse_minutes(minutes), **wishes)
    name, wish = resolve_bank_name(name, wish, DEFAULT_BANK, open_bank)
    loaded = open_bank(name)
    form = _page_form(loaded, wish, folder)
    if not wishes["seed"]:
        notify(f"seed {form.seed}")
    head, cards = made_cards(loaded, form, name, who)
    if output is None:
        page_text = practice_page(replace(head, served=True), cards, read_words(words))
        return serve_page(page_text, loaded.readable, folder, phone, port, not no_open)
    if output.endswith(("/", "\\")) or Path(output).is_dir():
        for file, text in web_app(head, cards, read_words(words)).items():
            write_atomically(Path(output) / file, text, "choose another folder", folders=True)
    else:
        write_atomically(output, practice_page(head, cards, read_words(words)), "choose another place")
    count = plural(len(form.entries), "item")
    notify(f"{count} in {printable(output)}; it contains the keys, so it is for practice only")
    is_page = output.endswith((".html", ".htm"))
    how = "open it in a browser" if is_page else "put the folder on any host with HTTPS and open it there"
    notify(f"{how}; quizgen progress --add FILE puts what it saves into your log")
    return 0


def _page_form(loaded: LoadedBank, wish: Wish, folder: Path) -> Form:
    """The items of a page: those of today's plan, or items not seen lately that `askable` allows and that fit the
    time."""
    if wish.course:
        return new_form(loaded.readable, loaded.blueprint, wish)
    allowed = askable(
        practice_bank(loaded.readable, rated=True), folder, datetime.now().astimezone().date().toordinal()
    )
    lately = frozenset() if wish.seed else seen_lately(folder)
    return fit_to_minutes(new_form(allowed, loaded.blueprint, wish, lately), wish.minutes)


def _today_wish(bank: str | None, minutes: str | None, wishes: dict[str, Any], folder: Path) -> tuple[str, Wish]:
    """The bank and the items of today's plan."""
    if bank or minutes or wishes["items"] or wishes["topics"] or wishes["kinds"] or wishes["difficulties"]:
        raise click.UsageError("--today takes bank and items from the plan; leave them out")
    plan = coach.read_plan(folder)
    now = datetime.now().astimezone()
    here = coach.history_in_folder(plan.bank, folder, now)
    purpose = plan.purpose(here.today, here.days_practised(here.today))
    choices = coach.choices_of_day(here, plan, purpose)
    if not choices:
        raise Unreadable("the plan has no item for today; `quizgen today --list` says why")
    return plan.bank, Wish(seed=wishes["seed"], course=coach.session_course(here, plan, purpose, choices))


def made_cards(
    loaded: LoadedBank, form: Form, name: str, candidate: str
) -> tuple[PracticeHead, tuple[PracticeCard, ...]]:
    """The head and cards of a form's page. Reports parts that cannot be shown. `name` is the bank as typed."""
    bank = loaded.readable
    faults: dict[str, None] = {}
    cards = cards_of(form, bank.root, lambda item, message: faults.setdefault(f"{item}: {message}"))
    for fault in faults:
        notify(f"{fault}; the page shows it as plain text")
    return PracticeHead(form.title, name, bank.digest, form.seed, candidate), cards
