"""The report as one self-contained page: charts as inline SVG, tables, a section per candidate."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from markupsafe import Markup

from quizgen.analysis.figures import DEFINITIONS, ItemFigures
from quizgen.analysis.intervals import ENOUGH, Estimate
from quizgen.analysis.report import Report
from quizgen.blocks import Image as Image
from quizgen.markdown import inline
from quizgen.render import report_charts as charts
from quizgen.render.charts import Chart
from quizgen.render.gradebook import form_lines, graded
from quizgen.render.html import Html
from quizgen.render.report_candidates import PAGES, answered, people, share_of
from quizgen.render.report_text import by_trouble, hardest_first
from quizgen.source import printable, shorten, shown_points

PIECES = 64  # pieces of the template written at once


def html_report(report: Report, write: Callable[[str], None]) -> None:
    """Write the page piece by piece: candidates are never all held."""
    from quizgen.render.html import environment
    from quizgen.render.page import page

    found = charts.gather(report)
    flagged: dict[str, list[str]] = {item.item: [] for item in report.items}
    for flag in report.flags:
        flagged[flag.item].append(flag.name)
    shown = {
        "title": f"Scores: {report.title}",
        "report": report,
        "facts": _facts(report),
        "tiles": _tiles(report),
        "topics": [
            (name or "(none)", f"{share.n:,}", _percent(share), _bounds(share, True))
            for name, share in report.scores.topics
        ],
        "distribution": charts.distribution(found.bins, report.bands, report.scores.mean.value),
        "heat": charts.heat_map(report, found) if report.scores.topics else None,
        "times": charts.times(found.dots, report.scores.candidates) if found.dots else None,
        "items": by_trouble(report),
        "flagged": flagged,
        "cells": _cells,
        "stem": lambda item: _stem(report.lines[item.item].stem),
        "item_facts": lambda item: _item_facts(item, report),
        "charts": _charts,
        "figures": _figures,
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
        "people": people,
        "share": share_of,
        "answered": answered,
        "html": Html(""),
        "inline": lambda text: inline(printable(text)),
    }
    template = environment().get_template("report.html")
    sheet = page(("css/report.css",), () if report.scores.candidates == 1 else ("js/sort.js",))
    parts = template.generate(page=sheet, shown=shown)
    while piece := "".join(islice(parts, PIECES)):
        write(piece)


def _facts(report: Report) -> list[str]:
    facts = [
        f"Bank {printable(report.bank)}, {report.digest[:19]}. Attempt that counts: {report.attempt}.",
        f"{report.responses:,} response{'s' * (report.responses != 1)} scored; {report.counted:,} count.",
    ]
    if report.passed is not None and report.pass_share is not None:
        share = f"{float(report.pass_share):.0%}"
        facts.append(f"{report.passed:,} of {report.scores.candidates:,} reach the pass mark of {share}.")
    if report.in_bands:
        facts.append(", ".join(f"{name}: {n:,}" for name, n in report.in_bands) + ".")
    if report.damaged:
        facts.append(f"{report.damaged:,} lines could not be used; each was named when the log was read.")
    if report.changed:
        facts.append(f"The bank has changed since {report.changed:,} of {report.sessions:,} sessions.")
    if report.left_out:
        facts.append(f"{report.left_out:,} responses were left out by the filters.")
    if report.scores.candidates < ENOUGH:
        facts.append(f"Fewer than {ENOUGH} candidates: take every figure as a hint.")
    if report.scores.warning:
        facts.append(f"Note: {report.scores.warning}; phi is {_decimal(report.scores.phi)}.")
    if report.uneven:
        facts.append(f"Note: {report.uneven}.")
    if report.consistency.value is not None:
        facts.append(f"{_percent(report.consistency)} of the decisions would be the same in another sitting.")
    return facts


def _tiles(report: Report) -> list[tuple[str, str, str]]:
    s = report.scores
    return [
        ("Candidates", f"{s.candidates:,}", f"{s.responses:,} responses"),
        ("Mean", _percent(s.mean), _bounds(s.mean, True)),
        ("Median", _percent(s.median), _bounds(s.median, True)),
        ("Standard deviation", _percent(s.sd), _bounds(s.sd, True)),
        ("Alpha", _decimal(s.alpha), _bounds(s.alpha, False)),
        ("SEM", _percent(s.sem), _bounds(s.sem, True)),
        ("Skewness", _decimal(s.skewness), _bounds(s.skewness, False)),
        ("Kurtosis", _decimal(s.kurtosis), _bounds(s.kurtosis, False)),
    ]


def _cells(item: ItemFigures) -> tuple[str, ...]:
    """An item's row behind its name and topic."""
    return (
        f"{item.n:,}",
        _percent(item.difficulty),
        _bounds(item.difficulty, True),
        _decimal(item.correlation),
        _bounds(item.correlation, False),
        _decimal(item.upper_lower),
        _percent(item.omitted),
        f"{item.not_reached:,}",
        "–" if item.median.value is None else f"{item.median.value:.0f}",
        "–" if item.p90.value is None else f"{item.p90.value:.0f}",
    )


def _charts(item: ItemFigures) -> list[Chart]:
    widest = max((n for _, n in item.diagnoses), default=1)
    drawn = [
        charts.option_bars(item),
        charts.counted_bars("Misconceptions found", [(d, n, n / widest) for d, n in item.diagnoses[:20]]),
        charts.counted_bars(
            "Said without full marks",
            [(f"{a.text} (r = {_decimal(a.correlation)})", a.taken, a.taken / item.n) for a in item.answers[:20]],
        ),
        charts.accuracy_bars(item),
    ]
    return [chart for chart in drawn if chart is not None]


def _item_facts(item: ItemFigures, report: Report) -> list[str]:
    facts = []
    if item.guessing is not None:
        facts.append(f"A blind guess earns {item.guessing:.0%} on average.")
    if item.unreadable.value:
        facts.append(f"{_percent(item.unreadable)} of the responses could not be read.")
    if item.alpha_without is not None:
        facts.append(f"Without this item alpha would be {item.alpha_without:.2f}.")
    for c in item.criteria:
        statuses = ", ".join(f"{name} {count}" for name, count in c.statuses)
        disputed = report.disputes.get((item.item, c.criterion), 0)
        more = f"; disputed {disputed} times" if disputed else ""
        facts.append(f"Criterion {c.criterion}: {_percent(c.share)}, r = {_decimal(c.correlation)} ({statuses}{more}).")
    return facts


def _stem(text: str) -> Markup:
    """A stem in one line, without its pictures."""
    shown = inline(printable(shorten(" ".join(text.split()), 400)))
    return Html("").inline(piece for piece in shown if not isinstance(piece, Image))


def _figures(item: ItemFigures) -> tuple[tuple[str, str, str, str], ...]:
    """Every figure of an item with its interval and its n."""
    rows = [
        ("difficulty", item.difficulty, _percent, True),
        ("item-rest correlation", item.correlation, _decimal, False),
        ("upper-lower", item.upper_lower, _decimal, False),
        ("omitted", item.omitted, _percent, True),
        ("unreadable", item.unreadable, _percent, True),
    ]
    found = [(name, form(figure), _interval(figure, percent), f"{figure.n:,}") for name, figure, form, percent in rows]
    for name, figure in (("median seconds", item.median), ("p90 seconds", item.p90)):
        if figure.value is not None:
            found.append((name, f"{figure.value:.1f}", f"{figure.low:.1f} to {figure.high:.1f}", f"{figure.n:,}"))
    return tuple(found)


def _interval(figure: Estimate, percent: bool) -> str:
    return "–" if figure.low is None else _bounds(figure, percent)


def _percent(figure: Estimate) -> str:
    return "–" if figure.value is None else f"{figure.value:.1%}"


def _decimal(figure: Estimate) -> str:
    return "–" if figure.value is None else f"{figure.value:.2f}"


def _bounds(figure: Estimate, percent: bool) -> str:
    if figure.low is None or figure.high is None:
        return f"n = {figure.n:,}"
    if percent:
        return f"{figure.low:.0%} to {figure.high:.0%}"
    return f"{figure.low:.2f} to {figure.high:.2f}"
