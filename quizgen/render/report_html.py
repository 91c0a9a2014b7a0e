"""The report as one self-contained page: charts as inline SVG, tables, a section per candidate."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from markupsafe import Markup

from quizgen.analysis.figures import DEFINITIONS, ItemFigures
from quizgen.analysis.intervals import ENOUGH
from quizgen.analysis.report import Report
from quizgen.blocks import Image as Image
from quizgen.markdown import inline
from quizgen.render import report_charts as charts
from quizgen.render.gradebook import form_lines, graded
from quizgen.render.html import Html
from quizgen.render.report_candidates import PAGES, row_of, sheets
from quizgen.render.report_text import by_trouble, hardest_first
from quizgen.source import printable, shorten, shown_points

LISTED = 20  # misconceptions and answers of an item
PIECES = 64  # pieces of the template written at once


def html_report(report: Report, write: Callable[[str], None]) -> None:
    """Write the page piece by piece: candidates are never all held."""
    from quizgen.render.html import environment
    from quizgen.render.page import page

    templates = environment()
    found = charts.gather(report)
    flagged: dict[str, list[str]] = {item.item: [] for item in report.items}
    for flag in report.flags:
        flagged[flag.item].append(flag.name)
    shown = {
        "title": f"Scores: {report.title}",
        "report": report,
        "sums": found,
        "ticks": charts.ticks(max(found.bins) or 1),
        "heat": charts.heat_rows(found),
        "items": by_trouble(report),
        "flagged": flagged,
        "stem": lambda item: _stem(report.lines[item.item].stem),
        "mistakes": _mistakes,
        "said": _said,
        "order": "the hardest first" if hardest_first(report) else "the most troubled first",
        "definitions": list(DEFINITIONS.items()),
        "pages": min(PAGES, report.scores.candidates),
        "enough": ENOUGH,
        "single": report.scores.candidates == 1,
        "forms": list(form_lines(report)),
        "attendance": [
            (row.label, row.form, row.status, shown_points(grade.raw - grade.deduction) if grade else "–", told)
            for row, grade in graded(report)
            if (told := "; ".join((*row.checks, *row.facts()))) or row.status != "present"
        ],
        "rows": report.each(row_of, PAGES),
        "sheets": report.each(sheets(templates), PAGES),
    }
    template = templates.get_template("report.html")
    sheet = page(("css/report.css",), () if report.scores.candidates == 1 else ("js/sort.js",))
    parts = template.generate(page=sheet, shown=shown)
    while piece := "".join(islice(parts, PIECES)):
        write(piece)


def _mistakes(item: ItemFigures) -> list[tuple[str, int, float]]:
    """For a chart: misconception, how many had it, and the share of the most frequent."""
    widest = max(n for _, n in item.diagnoses)
    return [(name, n, n / widest) for name, n in item.diagnoses[:LISTED]]


def _said(item: ItemFigures) -> list[tuple[str, int, float]]:
    """For a chart: what was said without full marks and its r, how often, and the share of all responses."""
    rs = ["–" if a.correlation.value is None else f"{a.correlation.value:.2f}" for a in item.answers]
    return [(f"{a.text} (r = {r})", a.taken, a.taken / item.n) for a, r in zip(item.answers[:LISTED], rs, strict=False)]


def _stem(text: str) -> Markup:
    """A stem in one line, without its pictures."""
    shown = inline(printable(shorten(" ".join(text.split()), 400)))
    return Html("").inline(piece for piece in shown if not isinstance(piece, Image))
