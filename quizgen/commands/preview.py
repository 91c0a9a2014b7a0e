"""`quizgen preview`: serves a page on a bank in the browser, and reads the bank again when one of its files changes."""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from glob import glob
from http import HTTPStatus
from itertools import islice
from pathlib import Path
from stat import S_ISDIR
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import click

from quizgen import bank as banks
from quizgen.answer_areas import Options
from quizgen.bank.reader import BankReader, LoadedBank
from quizgen.commands.options import flag_option, int_option, notify, option
from quizgen.commands.shared import count_with_noun, read_file_bytes
from quizgen.local_server import TokenHandler, TokenServer, open_in_browser_by_temporary_file
from quizgen.model import Item
from quizgen.render.debrief import points_ratio_text, split_by_evidence
from quizgen.render.html import HtmlWriter, jinja_environment, page_template_values
from quizgen.render.images import image_data_url, page_display_problems_of_items
from quizgen.rubric.check import ExampleAnswer, expected_score_text, unexpected_score_text
from quizgen.rubric.rubric import Rubric
from quizgen.rubric.score import score_text
from quizgen.scoring.response import score_as_json
from quizgen.session.session_log import numbered_log_records
from quizgen.source.problems import Problem, Unreadable, printable

POLL_INTERVAL_SECONDS = 0.2  # seconds between two looks at the files
MAX_WAIT_FOR_CHANGES_SECONDS = 10.0  # seconds that a request for changes waits
EXCERPT_LINES_ON_EACH_SIDE = 2  # lines shown around a problem
MAX_VARIANTS_SHOWN = 10_000  # drawings that the slider goes through
MAX_OPTION_ORDERS_SHOWN = 24  # orders of options that the slider goes through
MAX_LISTED_PROBLEMS = 50  # problems shown of a bank
TEXT_RESPONSE_LINE_COUNT = 6  # lines of a text response


@dataclass(frozen=True, slots=True)
class BankState:
    """A bank as it was read at one moment; each reading has another `files_fingerprint`."""

    files_fingerprint: str
    loaded_bank: LoadedBank
    bank_folder: Path

    @property
    def item_by_id(self) -> Mapping[str, Item]:
        return self.loaded_bank.bank.items if self.loaded_bank.bank is not None else {}


class WatchedBank:
    """Keeps the latest state of a bank. Mutable: it keeps what it parsed from unchanged files, since parsing a bank of
    hundreds of items takes a second. Polling the times of a few dozen files is cheaper than a library for file events,
    and works on every file system."""

    def __init__(self, argument: str) -> None:
        self._argument, self._path = argument, banks.find_bank_path_and_part_name(argument)[0]
        self._folder = self._path if self._path.is_dir() else self._path.parent
        self._lock = threading.Lock()
        self._reader: BankReader | None = None
        self._time_and_size_by_file: dict[str, tuple[int, int]] | None = None
        self.current_state()

    def current_state(self) -> BankState:
        """The bank as its files are now."""
        with self._lock:
            stamps = {}  # the modification time and the size of each file that is not hidden
            for name in sorted(glob("**", root_dir=self._folder, recursive=True)):
                with suppress(OSError):  # deleted since it was listed
                    status = os.stat(self._folder / name)
                    if not S_ISDIR(status.st_mode):
                        stamps[name] = status.st_mtime_ns, status.st_size
            if stamps != self._time_and_size_by_file:
                self._time_and_size_by_file = stamps
                image_data_url.cache_clear()
                self._reader = BankReader(self._path, self._argument, True, self._reader)
                self._state = BankState(str(hash(tuple(stamps.items()))), self._reader.read(), self._folder)
            return self._state


def item_view_for_json(
    state: BankState, item_id: str, drawing_number: int, answer_texts: tuple[str, ...] = ()
) -> dict[str, Any] | None:
    """The drawing `drawing_number` of an item as candidates and as authors see it, for JSON; None if there is no such
    item."""
    item = state.item_by_id.get(item_id)
    if item is None:
        item_problems = [problem for problem in state.loaded_bank.problems if problem.item_id == item_id]
        return {"id": item_id, "problems": _problems_for_json(item_problems), "drawings": 0} if item_problems else None
    variant = item.nth_seed_variant(drawing_number)
    # All drawings of a numeric item, several orders of options, else one.
    drawing_count = min(item.checked_variant_counts().possible_count, MAX_VARIANTS_SHOWN)
    if drawing_count <= 1:
        drawing_count = MAX_OPTION_ORDERS_SHOWN if item.nth_seed_variant(0).option_texts_as_shown() else 1
    html, prompt = HtmlWriter(str(state.bank_folder)), variant.prompt()
    faults = (problem._replace(item_id=problem.item_id or item.id) for problem in item.find_problems())
    problems = (*state.loaded_bank.problems, *faults, *page_display_problems_of_items([item], str(state.bank_folder)))
    item_problems = [problem for problem in problems if problem.item_id in (item.id, "")]
    return {
        "id": item.id,
        "about": f"{item.kind}, {item.topic or 'no topic'}, difficulty {item.difficulty or '-'}, {item.seconds} s, "
        f"{float(item.points):g} point{'' if item.points == 1 else 's'}, {item.status}",
        "drawings": drawing_count,
        "drawn": dict(variant.drawn_log_values()),
        "prompt": html.blocks_to_html(prompt, 1, TEXT_RESPONSE_LINE_COUNT),
        "letters": any(isinstance(block, Options) for block in prompt),
        "key": variant.key_text(),
        "solution": html.blocks_to_html(variant.solution()),
        "marking": html.blocks_to_html(variant.marker_only_blocks()),
        "hints": list(item.hints),
        "given": list(item.facts_on_request),
        "source": item.source,
        "at": str(item.location),
        "problems": _problems_for_json(item_problems),
        "answers": _tried_answers_for_json(item, answer_texts),
    }


def _tried_answers_for_json(item: Item, texts: tuple[str, ...]) -> list[dict[str, Any]]:
    """The example answers of a text item and those in `texts`, each with its points and marks and, of an example, the
    score that the author expects and how it differs."""
    rubric = getattr(item, "rubric", None)
    if not isinstance(rubric, Rubric) or not rubric.criteria:
        return []
    examples: tuple[ExampleAnswer, ...] = getattr(item, "example_answers", ())
    return [
        {
            "text": text,
            "wanted": "" if example is None else expected_score_text(example),
            "earned": points_ratio_text(score.earned, score.possible, " of "),
            "marks": tuple((m.criterion_id, m.status, points_ratio_text(m.earned, m.possible)) for m in score.marks),
            "wrong": "" if example is None else unexpected_score_text(rubric, example),
        }
        for text, example in [*((example.text, example) for example in examples), *((text, None) for text in texts)]
        for score in [score_text(rubric, text, compares_examples=example is None)]
    ]


def _problems_for_json(problems: Iterable[Problem], has_excerpts: bool = True) -> list[dict[str, str]]:
    """The first problems, each with the lines around its place if `has_excerpts`, and its file can be read."""
    rows = []
    for problem in islice(problems, MAX_LISTED_PROBLEMS):
        path, row, column = problem.location
        lines: list[str] = []
        with suppress(OSError):
            lines = Path(path).read_text(encoding="utf-8", errors="replace").split("\n") if has_excerpts else []
        pairs = [*enumerate(lines, 1)][max(0, row - 1 - EXCERPT_LINES_ON_EACH_SIDE) : row + EXCERPT_LINES_ON_EACH_SIDE]
        pointer = "\n" + " " * (5 + max(0, column)) + "^"
        excerpt = "\n".join(f"{n:>5} {line}{pointer if n == row else ''}" for n, line in pairs)
        texts = {"message": problem.message, "hint": problem.hint, "excerpt": excerpt}
        place = {"severity": problem.severity, "at": str(problem.location), "item": problem.item_id}
        rows.append(place | {name: printable(text) for name, text in texts.items()})
    return rows


class PreviewServer(TokenServer):
    """A server for one bank. `address` is the URL to open; `answer_texts_by_item` are texts to try, by item id."""

    def __init__(self, watched: WatchedBank, port: int, answer_texts_by_item: Mapping[str, tuple[str, ...]]) -> None:
        self.watched, self.answer_texts_by_item = watched, answer_texts_by_item
        super().__init__(_PreviewHandler, port=port)


class _PreviewHandler(TokenHandler):
    server: PreviewServer

    def do_GET(self) -> None:
        path = self.url_path_behind_token()
        if path == "":
            styles, scripts = ("css/shared.css", "css/preview.css"), ("js/preview.js",)
            frame = page_template_values(styles, scripts, may_call_server=True)
            html = jinja_environment().get_template("preview.html").render(page=frame)
            self.send_content(HTTPStatus.OK, "text/html", html.encode())
        elif path is not None:
            view = self._reply_data_for_path(path, dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True)))
            if view is None:
                self.send_content(HTTPStatus.NOT_FOUND, "text/plain", b"there is no such thing\n")
            else:
                self.send_content(HTTPStatus.OK, "application/json", json.dumps(view).encode())

    def _reply_data_for_path(self, path: str, query: dict[str, str]) -> dict[str, Any] | None:
        number = min(int(query["n"]), MAX_VARIANTS_SHOWN) if re.fullmatch("[0-9]{1,9}", query.get("n", "")) else 0
        name, stamp = query.get("id", ""), query.get("stamp", "")
        state = self.server.watched.current_state()
        match path:
            case "bank":
                deadline = time.monotonic() + (MAX_WAIT_FOR_CHANGES_SECONDS if stamp else 0)
                while state.files_fingerprint == stamp and time.monotonic() < deadline:
                    time.sleep(POLL_INTERVAL_SECONDS)
                    state = self.server.watched.current_state()
                loaded, items = state.loaded_bank, state.item_by_id.values()
                return {
                    "stamp": state.files_fingerprint,
                    "title": loaded.bank.title if loaded.bank is not None else str(state.bank_folder),
                    "items": [{"id": i.id, "kind": i.kind, "topic": i.topic, "status": i.status} for i in items],
                    "faulty": sorted({p.item_id for p in loaded.problems if p.item_id and p.severity != "warning"}),
                    "problems": _problems_for_json(loaded.problems, has_excerpts=False),
                }
            case "item":
                return item_view_for_json(state, name, number, self.server.answer_texts_by_item.get(name, ()))
            case "score" if name in state.item_by_id:
                variant, response = state.item_by_id[name].nth_seed_variant(number), query.get("response", "")
                score, echo = variant.score(response), variant.echo_response(response).text
                return {**score_as_json(name, score), "echo": echo, "pieces": split_by_evidence(response, score.marks)}
        return None


@click.command("preview")
@click.argument("bank", metavar="BANK")
@flag_option("--no-open", "Do not open a browser; the address is printed.")
@int_option("--port", 0, 65535, "The port (default: a free one).", default=0)
@option("--answers", "FILE", "Answers to try beside each item's own: JSON Lines with item and answer (or response).")
def preview_command(bank: str, no_open: bool, port: int, answers: str | None) -> None:
    """See a bank as its files change: stem, options, key, every drawing, derivation, problems.

    A text item shows the answers beside it, and those of --answers, as a table of marks that is worked out anew with
    every change of a file.

    The page is on this machine alone, under an address that nobody can guess; it is printed. Any
    answer can be tried with its marks and evidence. Nothing is written. Ctrl-C ends it.

    Example: quizgen preview my-bank
    """
    watched = WatchedBank(bank)
    try:
        server = PreviewServer(watched, port, _read_answer_texts_by_item(answers) if answers else {})
    except OSError as error:
        raise Unreadable(f"port {port} cannot be used ({error.strerror}); leave --port out") from None
    click.echo(server.address)
    notify("Ctrl-C ends the preview.")
    try:
        with nullcontext() if no_open else open_in_browser_by_temporary_file(server.address):
            server.serve_forever(poll_interval=0.2)
    except KeyboardInterrupt:
        notify("")
    finally:
        server.server_close()


def _read_answer_texts_by_item(path: str) -> dict[str, tuple[str, ...]]:
    """The texts in a file of answers, by item. Lines without an answer are counted and reported."""
    texts: dict[str, tuple[str, ...]] = {}
    bad_line_count = 0
    for _, row in numbered_log_records(read_file_bytes(path)):
        text = row.get("answer", row.get("response")) if row is not None else None
        if row is not None and isinstance(text, str) and text.strip():
            item = str(row.get("item", ""))
            texts[item] = (*texts.get(item, ()), text)
        else:
            bad_line_count += 1
    if bad_line_count:
        notify(f"{printable(path)}: {count_with_noun(bad_line_count, 'line')} without item and answer left out")
    return texts
