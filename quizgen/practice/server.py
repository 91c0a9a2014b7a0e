"""The practice page served from this machine: each answer is a log line on disk before its verdict is sent."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from quizgen.local_server import TokenHandler, TokenServer
from quizgen.model import Bank, Outcome, Variant
from quizgen.practice.saved import JournalOfUniqueLines, line_deduplication_key, reason_to_refuse_line
from quizgen.render.debrief import remark_inline_pieces, split_by_evidence
from quizgen.render.html import HtmlWriter, jinja_environment
from quizgen.rubric.rubric import Rubric
from quizgen.scoring.response import score_response
from quizgen.scoring.scorer import Scorer
from quizgen.session.journal import LinesNotSaved
from quizgen.session.session_log import LogRecord, hint_count_or_zero, parse_logged_response
from quizgen.source.problems import Unreadable, printable, up_to_2_decimals

MAX_LOG_LINES_PER_REQUEST = 200  # lines in one request
MAX_SESSIONS_PER_SERVER = 50  # logs that one server keeps open


@dataclass(slots=True)
class AnswerRecorder:
    """Writes answers from pages to logs and scores them. Mutable: it holds open logs and serves one request at a time.

    `prepare_new_log_path` gives the path for the log of a sitting from its start time and session."""

    bank: Bank
    prepare_new_log_path: Callable[[str, str], str]
    journal_by_session_id: dict[str, JournalOfUniqueLines] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def record_lines_and_make_reply(self, log_lines: Sequence[Any]) -> dict[str, Any]:
        """Writes each line once. Returns the identities of the lines on disk, and verdicts by response line. A response
        that cannot be read is not written; `again` in its verdict says how to write it. Raises LinesNotSaved and
        OSError."""
        reply: dict[str, Any] = {"kept": [], "verdicts": {}, "refused": []}
        scorer = Scorer(self.bank.items)
        with self.lock:
            for line in log_lines[:MAX_LOG_LINES_PER_REQUEST]:
                reason = reason_to_refuse_line(line if isinstance(line, dict) else None, self.journal_by_session_id)
                if reason or (line["type"] == "session" and len(self.journal_by_session_id) >= MAX_SESSIONS_PER_SERVER):
                    reply["refused"].append(reason or "too many sittings")
                    continue
                verdict = None
                if line["type"] == "response":
                    variant = scorer.variant_of_line(self.bank.items.get(str(line["item"])), line)
                    if variant is not None and variant.item.has_scoring_fields:
                        verdict = verdict_data_for_page(variant, line)
                name = line_deduplication_key(line).decode("utf-8", "replace")
                if verdict is not None:
                    reply["verdicts"][name] = verdict
                if verdict is None or "again" not in verdict:
                    session = line["session"]
                    if session not in self.journal_by_session_id:
                        path = self.prepare_new_log_path(line["started"], session)
                        self.journal_by_session_id[session] = JournalOfUniqueLines(path)
                    self.journal_by_session_id[session].append_if_missing(line)
                    reply["kept"].append(name)
        return reply

    def close(self) -> None:
        for journal in self.journal_by_session_id.values():
            journal.close()


def verdict_data_for_page(variant: Variant, response_line: LogRecord) -> dict[str, Any]:
    """The verdict for the page: `share` of the points, `readAs`, and `html` with reasons and evidence; or, for a
    response that cannot be read, `again`, which says how to write it."""
    response = parse_logged_response(response_line["response"])
    score = score_response(variant, response, hint_count=hint_count_or_zero(response_line.get("hints")))
    raw_score = variant.score(response)  # the share before the cost of hints, which says nothing about knowledge
    if raw_score.outcome is Outcome.UNREADABLE:
        return {"again": raw_score.remarks[0] if raw_score.remarks else "this cannot be read; write it in another way"}
    rubric = getattr(variant.item, "rubric", None)
    criterion_texts = {c.id: c.statement or c.id for c in rubric.criteria} if isinstance(rubric, Rubric) else {}
    rows = []  # of (criterion, outcome, points, reason)
    for mark in score.marks:
        if criterion_texts if mark.status else mark.earned:
            possible_text = f" of {up_to_2_decimals(mark.possible)}" if mark.possible else ""
            criterion = printable(criterion_texts.get(mark.criterion_id, mark.criterion_id))
            points = f"{up_to_2_decimals(mark.earned)}{possible_text}"
            rows.append((criterion, mark.status or "adjustment", points, printable(mark.because)))
    text = response if isinstance(response, str) else ""
    html = HtmlWriter("")
    template = jinja_environment().get_template("practice/verdict.html")
    pieces = split_by_evidence(text, score.marks) if criterion_texts and text.strip() else []
    is_choice = variant.item.kind == "choice"
    say = [html.inline_to_html(remark_inline_pieces(printable(text), is_choice)) for text in score.remarks]
    points_text = f"{up_to_2_decimals(score.earned)} of {up_to_2_decimals(score.possible)}"
    share = float(raw_score.earned / raw_score.possible) if raw_score.possible else 0.0
    read_as = raw_score.read_as or "" if variant.item.kind == "numeric" else ""
    verdict_html = template.render(pieces=pieces, marks=rows, say=say, earned=points_text)
    return {"share": share, "readAs": read_as, "html": verdict_html}


class PracticeServer(TokenServer):
    """Serves one page and writes the answers that it sends."""

    def __init__(self, page: str, recorder: AnswerRecorder, host: str, port: int = 0, token: str = "") -> None:
        self.page, self.recorder = page, recorder
        super().__init__(_PracticeHandler, host, port, token)

    def serve_until_idle(self, seconds: float | None) -> None:
        """Serves until no request has come for `seconds` (None: until interrupted)."""
        self.timeout = 0.2
        while seconds is None or time.monotonic() < self.last_request_at + seconds:
            self.handle_request()


class _PracticeHandler(TokenHandler):
    server: PracticeServer

    def _is_request_for_path_or_send_error(self, path: str) -> bool:
        """Whether the request is for `path`; if not, an error response was sent."""
        url_path = self.url_path_behind_token()
        if url_path not in (path, None):
            self.send_content(HTTPStatus.NOT_FOUND, "text/plain", b"there is no such thing\n")
        return url_path == path

    def do_GET(self) -> None:
        if self._is_request_for_path_or_send_error(""):
            self.send_content(HTTPStatus.OK, "text/html", self.server.page.encode())

    def do_POST(self) -> None:
        body = self.read_body() if self._is_request_for_path_or_send_error("lines") else None
        if body is None:
            return
        try:
            lines = json.loads(body)
        except (ValueError, RecursionError):
            lines = None
        if not isinstance(lines, list):
            self.send_content(HTTPStatus.BAD_REQUEST, "text/plain", b"these are no lines\n")
            return
        try:
            reply = self.server.recorder.record_lines_and_make_reply(lines)
        except (LinesNotSaved, Unreadable, OSError) as error:
            self.send_content(HTTPStatus.INSUFFICIENT_STORAGE, "text/plain", printable(str(error)).encode())
            return
        self.send_content(HTTPStatus.OK, "application/json", json.dumps(reply).encode())
