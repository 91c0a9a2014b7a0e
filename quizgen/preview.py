"""Serves a preview of a bank in the browser, and reads the bank again when one of its files changes."""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from quizgen import bank as banks
from quizgen.answer_areas import Options
from quizgen.bank.reader import LoadedBank
from quizgen.local_server import TokenHandler, TokenServer
from quizgen.model import Item
from quizgen.render.debrief import split_by_evidence
from quizgen.render.figures import page_display_problems
from quizgen.render.html import HtmlWriter, ResponseAreaOnPaper, jinja_environment, page_template_values
from quizgen.rubric.contrast import ContrastAnswer, expected_score_text, explain_unexpected_score
from quizgen.rubric.rubric import Rubric
from quizgen.rubric.score import score_text
from quizgen.scoring.response import score_fields
from quizgen.source.problems import Problem, points_decimal, printable

POLL_INTERVAL_SECONDS = 0.2  # seconds between two looks at the files
EXCERPT_CONTEXT_LINES = 2  # lines shown around a problem


@dataclass(frozen=True, slots=True)
class BankState:
    """A bank as it was read at one moment; each reading has a different `stamp`."""

    stamp: str
    loaded_bank: LoadedBank
    bank_folder: Path


class WatchedBank:
    """Keeps the latest state of a bank. Mutable. Polling the times of a few dozen files is cheaper than a library for
    file events, and works on every file system."""

    def __init__(self, argument: str) -> None:
        path, _ = banks.locate_bank_and_blueprint_or_case(argument)
        self._root = path if path.is_dir() else path.parent
        self._lock = threading.Lock()
        self._bank = banks.ReloadableBank(argument)
        self._times: dict[str, tuple[int, int]] | None = None
        self.current_state()

    def current_state(self) -> BankState:
        """The bank as its files are now."""
        with self._lock:
            times = self._file_stamps()
            if times != self._times:
                self._times = times
                self._state = BankState(str(hash(tuple(times.items()))), self._bank.reload(), self._root)
            return self._state

    def _file_stamps(self) -> dict[str, tuple[int, int]]:
        """The modification time and the size of each file."""
        stamps = {}
        for folder, folders, files in os.walk(self._root):
            folders[:] = sorted(f for f in folders if not f.startswith("."))
            for name in sorted(files):
                if not name.startswith("."):
                    path = os.path.join(folder, name)
                    with suppress(OSError):  # deleted since it was listed
                        status = os.stat(path)
                        stamps[path] = status.st_mtime_ns, status.st_size
        return stamps


def _excerpt(problem: Problem) -> str:
    """The lines around the place of a problem; empty if its file cannot be read."""
    try:
        lines = Path(problem.where.path).read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return ""
    first = max(1, problem.where.line - EXCERPT_CONTEXT_LINES)
    numbered = list(enumerate(lines, 1))[first - 1 : problem.where.line + EXCERPT_CONTEXT_LINES]
    pointer = "\n" + " " * (5 + max(0, problem.where.column)) + "^"
    return "\n".join(f"{n:>5} {line}{pointer if n == problem.where.line else ''}" for n, line in numbered)


MAX_DRAWINGS = 10_000  # drawings that the slider goes through
MAX_OPTION_ORDERS = 24  # orders of options that the slider goes through
MAX_LISTED_PROBLEMS = 50  # problems shown of a bank
TEXT_INPUT_LINES = 6  # lines of a text response


def bank_overview_for_json(state: BankState) -> dict[str, Any]:
    """The items in file order, each with its number of problems, and the structural problems, for JSON."""
    loaded = state.loaded_bank
    items = list(loaded.bank.items.values()) if loaded.bank is not None else []
    problems = [p for p in loaded.problems if p.severity != "warning"]
    return {
        "stamp": state.stamp,
        "title": loaded.bank.title if loaded.bank is not None else str(state.bank_folder),
        "items": [{"id": i.id, "kind": i.kind, "topic": i.topic, "status": i.status} for i in items],
        "faulty": sorted({p.item for p in problems if p.item}),
        "problems": _problem_rows(loaded.problems, has_excerpts=False),
    }


def item_view_for_json(state: BankState, name: str, number: int, texts: tuple[str, ...] = ()) -> dict[str, Any] | None:
    """The drawing `number` of an item as candidates and as authors see it, for JSON; None if there is no such item."""
    item = _find_item(state, name)
    if item is None:
        own = [problem for problem in state.loaded_bank.problems if problem.item == name]
        return {"id": name, "problems": _problem_rows(own), "drawings": 0} if own else None
    variant = item.numbered_variant(number)
    html = HtmlWriter(str(state.bank_folder))
    prompt = variant.prompt()
    proven = (replace(problem, item=problem.item or item.id) for problem in item.prove())
    problems = (*state.loaded_bank.problems, *proven, *page_display_problems([item], str(state.bank_folder)))
    own = [problem for problem in problems if problem.item in (item.id, "")]
    return {
        "id": item.id,
        "about": f"{item.kind}, {item.topic or 'no topic'}, difficulty {item.difficulty or '-'}, {item.seconds} s, "
        f"{float(item.points):g} point{'' if item.points == 1 else 's'}, {item.status}",
        "drawings": browsable_drawing_count(item),
        "drawn": dict(variant.drawn_value_texts()),
        "prompt": html.blocks(prompt, ResponseAreaOnPaper(1, TEXT_INPUT_LINES)),
        "letters": any(isinstance(block, Options) for block in prompt),
        "key": variant.key_text(),
        "solution": html.blocks(variant.solution()),
        "marking": html.blocks(variant.marker_blocks()),
        "hints": list(item.hints),
        "given": list(item.given),
        "source": item.source,
        "at": str(item.where),
        "problems": _problem_rows(own),
        "answers": _answer_rows(item, texts),
    }


def _answer_rows(item: Item, texts: tuple[str, ...]) -> list[dict[str, Any]]:
    """The answers beside a text item and those in `texts`, each with its expected and actual points and the reasons."""
    whole = getattr(item, "whole", item)
    rubric = getattr(whole, "rubric", None)
    if not isinstance(rubric, Rubric) or not rubric.criteria:
        return []
    beside = [(answer.text, answer) for answer in getattr(whole, "contrast_answers", ())]
    return [_answer_row(rubric, text, answer) for text, answer in [*beside, *((text, None) for text in texts)]]


def _answer_row(rubric: Rubric, text: str, answer: ContrastAnswer | None) -> dict[str, Any]:
    """The marks of one answer for JSON. If it is an example answer, also the score that the author expects, and how it
    differs."""
    scored = score_text(rubric, text, by_examples=answer is None)
    return {
        "text": text,
        "wanted": "" if answer is None else expected_score_text(answer),
        "earned": f"{points_decimal(scored.earned)} of {points_decimal(scored.possible)}",
        "marks": tuple(
            (m.criterion, m.status, f"{points_decimal(m.earned)}/{points_decimal(m.possible)}") for m in scored.marks
        ),
        "wrong": "" if answer is None else explain_unexpected_score(rubric, answer),
    }


def score_view_for_json(state: BankState, name: str, number: int, response: str) -> dict[str, Any] | None:
    """The marks of a response, and the response divided into evidence and other text, for JSON; None if there is no
    such item."""
    item = _find_item(state, name)
    if item is None:
        return None
    variant = item.numbered_variant(number)
    score = variant.score(response)
    echo = variant.echo(response).text
    return {**score_fields(item.id, score), "echo": echo, "pieces": split_by_evidence(response, score.marks)}


def browsable_drawing_count(item: Item) -> int:
    """The number of drawings to browse: all of a numeric item, several orders of options, else one."""
    total = item.proof_counts().possible
    if total > 1:
        return min(total, MAX_DRAWINGS)
    return MAX_OPTION_ORDERS if item.numbered_variant(0).options_in_order() else 1


def _find_item(state: BankState, name: str) -> Item | None:
    bank = state.loaded_bank.bank
    return bank.items.get(name) if bank is not None else None


def _problem_rows(problems: Sequence[Problem], has_excerpts: bool = True) -> list[dict[str, str]]:
    rows = []
    for problem in problems[:MAX_LISTED_PROBLEMS]:
        excerpt = _excerpt(problem) if has_excerpts else ""
        texts = {"message": problem.message, "hint": problem.hint, "excerpt": excerpt}
        row = {"severity": problem.severity, "at": str(problem.where), "item": problem.item}
        rows.append(row | {name: printable(text) for name, text in texts.items()})
    return rows


MAX_WAIT_SECONDS = 10.0  # seconds that a request for changes waits


class PreviewServer(TokenServer):
    """A server for one bank. `address` is the URL to open; `answers` are texts to try, by item id."""

    def __init__(
        self, watched: WatchedBank, port: int = 0, answers: Mapping[str, tuple[str, ...]] | None = None
    ) -> None:
        self.watched, self.answers = watched, answers or {}
        super().__init__(_PreviewHandler, port=port)


class _PreviewHandler(TokenHandler):
    server: PreviewServer

    def do_GET(self) -> None:
        what = self.path_behind_token()
        if what == "":
            frame = page_template_values(
                ("css/shared.css", "css/preview.css"), ("js/preview.js",), may_call_server=True
            )
            shown = jinja_environment().get_template("preview.html").render(page=frame)
            self.send(HTTPStatus.OK, "text/html", shown.encode())
        elif what is not None:
            query = urlsplit(self.path).query
            asked = {name: values[-1] for name, values in parse_qs(query, keep_blank_values=True).items()}
            made = self._json_view(what, asked)
            if made is None:
                self.send(HTTPStatus.NOT_FOUND, "text/plain", b"there is no such thing\n")
            else:
                self.send(HTTPStatus.OK, "application/json", json.dumps(made).encode())

    def _json_view(self, what: str, query: dict[str, str]) -> dict[str, Any] | None:
        watched = self.server.watched
        number = min(int(query["n"]), MAX_DRAWINGS) if re.fullmatch("[0-9]{1,9}", query.get("n", "")) else 0
        match what:
            case "bank":
                stamp = query.get("stamp", "")
                # The bank's state once its stamp differs from `stamp`, or the unchanged state after `seconds`.
                deadline = time.monotonic() + (MAX_WAIT_SECONDS if stamp else 0)
                while (state := watched.current_state()).stamp == stamp and time.monotonic() < deadline:
                    time.sleep(POLL_INTERVAL_SECONDS)
                return bank_overview_for_json(state)
            case "item":
                name = query.get("id", "")
                return item_view_for_json(watched.current_state(), name, number, self.server.answers.get(name, ()))
            case "score":
                return score_view_for_json(
                    watched.current_state(), query.get("id", ""), number, query.get("response", "")
                )
        return None
