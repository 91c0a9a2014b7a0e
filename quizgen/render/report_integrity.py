"""The integrity page of a report: what is alike, too fast or unlike anybody, as facts for a person to look at."""

from __future__ import annotations

from collections.abc import Callable

from quizgen.analysis.integrity import Response, integrity_of
from quizgen.analysis.report import Answered, Person, Report
from quizgen.render.html import environment
from quizgen.render.page import page
from quizgen.source import printable

MOST = 200  # rows of each table


def integrity_page(report: Report, write: Callable[[str], None]) -> None:
    """One self-contained page. Candidates are named as in the report; each row gives its evidence."""
    found = integrity_of(
        _response(report, person, one) for person in report.people() for one in person.answered if one.score is not None
    )
    shown = {"title": report.title, "found": found, "most": MOST, "printable": printable}
    write(environment().get_template("integrity.html").render(page=page(("css/report.css",), ()), shown=shown))


def _response(report: Report, person: Person, one: Answered) -> Response:
    line, score = report.lines.get(one.item), one.score
    text = line is not None and line.kind == "text"
    said = one.given if text or score is None else str(score.read_as or one.given)
    share = float(one.earned / one.possible) if one.possible else 0.0
    words = len(line.stem.split()) if line is not None else 0
    return Response(person.label, one.item, share, said, text, one.seconds, words)
