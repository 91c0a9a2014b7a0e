"""The report as plain text: one candidate's feedback, or a class in tables."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable
from itertools import islice

from quizgen.analysis.figures import ItemFigures
from quizgen.analysis.intervals import ENOUGH, Estimate
from quizgen.analysis.report import Answered, Person, Report
from quizgen.render.gradebook import form_lines, graded
from quizgen.source import printable, shorten, shown_points

ROWS = 60  # candidates listed; --format csv has all
MISTAKES = 12
EXPLAINED = 3  # candidates whose responses are explained in full


def text_report(report: Report, write: Callable[[str], None], width: int = 100) -> None:
    """The report; everything from outside is made safe for a terminal."""
    out = _Lines(write, width)
    if report.scores.candidates <= EXPLAINED:
        wrong = False
        for person in report.people():
            _feedback(person, out, report)
            wrong = wrong or any(one.outcome != "correct" for one in person.answered)
        if wrong:
            out.add("quizgen show ITEM gives an item's key and how it comes about.")
    else:
        _class(report, out)
    _attendance(report, out)
    out.add(_summary(report))
    for line in report.decisions[:ROWS]:
        out.add(f"decided by hand: {line}")
    if len(report.decisions) > ROWS:
        out.add(f"… and {len(report.decisions) - ROWS} more decided by hand; --format json lists all")


def _attendance(report: Report, out: _Lines) -> None:
    """Who is held or absent, and what was noted of the others."""
    for line in form_lines(report):
        out.wrapped(line, "")
    if not report.attendance:
        return
    counts = Counter(row.status for row in report.attendance.values())
    out.add(
        "Attendance: " + ", ".join(f"{counts[name]} {name}" for name in ("present", "held", "absent") if counts[name])
    )
    for row, grade in graded(report):
        told = "; ".join((*row.checks, *row.facts()))
        if grade and grade.deduction:
            less = f"{shown_points(grade.raw)} - {shown_points(grade.deduction)} for lateness"
            told += f"; {less} = {shown_points(grade.raw - grade.deduction)} points"
        if told or row.status != "present":
            out.wrapped(f"{row.status}: {row.label}{': ' if told else ''}{told}", "  ")
    out.add()


class _Lines:
    """Writes lines, printable and with a line break each."""

    def __init__(self, write: Callable[[str], None], width: int) -> None:
        self._write = write
        self.width = width

    def add(self, text: str = "") -> None:
        self._write(printable(text.replace("\n", " ")) + "\n")

    def wrapped(self, text: str, indent: str) -> None:
        for line in textwrap.wrap(" ".join(text.split()), self.width, initial_indent=indent, subsequent_indent=indent):
            self.add(line)


def _feedback(person: Person, out: _Lines, report: Report) -> None:
    out.add(f"Candidate {_named(person)}")
    out.add()
    for one in person.answered:
        points = f"{shown_points(one.earned)} of {shown_points(one.possible)}"
        out.add(f"  {one.item:<32} {one.outcome:<11} {points:>10}")
        _explained(one, out)
    if person.not_reached:
        out.wrapped(f"Not reached ({len(person.not_reached)}): {', '.join(person.not_reached)}", "  ")
    out.add()
    line = f"Score: {shown_points(person.earned)} of {shown_points(person.possible)} points"
    if person.share is not None:
        line += f" ({person.share:.0%})"
    if person.band is not None:
        line += f": {person.band.name}"
    out.add(line)
    if person.band is not None and person.band.advice:
        out.wrapped(person.band.advice, "  ")
    if person.share is not None and report.pass_share is not None:
        passed = person.earned >= report.pass_share * person.possible
        out.add(f"{'Passed' if passed else 'Not passed'}: the pass mark is {float(report.pass_share):.0%}")
    out.add()


def _named(person: Person) -> str:
    """A name in one line; blanks cannot push the rest of it into a row that looks like another's."""
    return shorten(" ".join(person.label.split()), 200)


def _explained(one: Answered, out: _Lines) -> None:
    score = one.score
    if score is None or one.outcome == "blank":
        return
    if score.read_as is None and one.outcome != "correct" and one.given:
        out.wrapped(f"response: {shorten(' '.join(one.given.split()), 200)}", "      ")
    if score.read_as is not None and one.outcome != "correct":
        out.wrapped(f"read as: {shorten(score.read_as, 300)}", "      ")
    if one.diagnosis:
        out.wrapped(f"diagnosis: {one.diagnosis}", "      ")
    if len(score.marks) > 1 or (score.marks and score.marks[0].criterion not in ("key", "value")):
        for mark in score.marks:
            points = f"{shown_points(mark.earned)} of {shown_points(mark.possible)}" if mark.status else ""
            points = points or shown_points(mark.earned)
            out.wrapped(f"{mark.criterion} ({mark.status or 'adjustment'}, {points}): {mark.because}", "      ")
    for line in score.say:
        out.wrapped(line, "      ")


def _class(report: Report, out: _Lines) -> None:
    scores = report.scores
    out.add(report.title or report.bank)
    out.add(f"{scores.candidates:,} candidates, {scores.responses:,} responses that count, {len(report.items)} items")
    if report.passed is not None and report.pass_share is not None:
        out.add(f"{report.passed:,} of {scores.candidates:,} reach the pass mark of {float(report.pass_share):.0%}")
    if report.in_bands:
        out.wrapped(", ".join(f"{name}: {n:,}" for name, n in report.in_bands), "")
    out.add()
    out.add("Scores (share of the points)")
    rows = [
        ("mean", scores.mean, _percent),
        ("median", scores.median, _percent),
        ("standard deviation", scores.sd, _percent),
        ("skewness", scores.skewness, _decimal),
        ("kurtosis", scores.kurtosis, _decimal),
        ("alpha", scores.alpha, _decimal),
        ("SEM", scores.sem, _percent),
        *([("phi", scores.phi, _decimal)] if scores.warning else []),
        *([("same side again", report.consistency, _percent)] if report.consistency.value is not None else []),
    ]
    for name, figure, form in rows:
        out.add(f"  {name:<20} {form(figure.value):>8}  {_range(figure, form)}")
    if scores.warning:
        out.wrapped(scores.warning, "  ")
    if report.uneven:
        out.wrapped(report.uneven, "  ")
    out.add()
    if report.flags:
        out.add("Look at these first")
        for flag in report.flags:
            out.wrapped(f"{flag.item}: {flag.say}", "  ")
        out.add()
    out.add("Items, the hardest first" if hardest_first(report) else "Items, the most troubled first")
    out.add(f"  {'item':<32} {'n':>7} {'difficulty':>17} {'item-rest r':>19} {'upper-lower':>11} {'median s':>8}")
    for item in by_trouble(report):
        out.add(_item(item))
    if any(item.n < ENOUGH for item in report.items):
        out.add(f"  * fewer than {ENOUGH} responses: take the figure as a hint")
    out.add()
    mistakes = [(n, item.item, name) for item in report.items for name, n in item.diagnoses]
    if mistakes:
        out.add("Mistakes found most often")
        for n, item_id, name in sorted(mistakes, key=lambda m: (-m[0], m[1:]))[:MISTAKES]:
            out.add(f"  {item_id:<32} {name:<32} {n:>7,}")
        out.add()
    said = [(a.taken, item.item, a) for item in report.items for a in item.answers]
    if said:
        out.add("Said most often without full marks (r: with the rest of the form)")
        for n, item_id, answer in sorted(said, key=lambda s: (-s[0], s[1]))[:MISTAKES]:
            out.add(f"  {item_id:<32} {shorten(answer.text, 40):<40} {n:>7,}  r = {_decimal(answer.correlation.value)}")
        out.add()
    criteria = [
        (c.correlation.value or 0.0, item.item, c)
        for item in report.items
        for c in item.criteria
        if c.correlation.n >= ENOUGH
    ]
    if criteria:
        out.add("Criteria that go least with the rest of the form")
        for r, item_id, one in sorted(criteria, key=lambda c: (*c[:2], c[2].criterion))[:MISTAKES]:
            statuses = ", ".join(f"{name} {count}" for name, count in one.statuses)
            out.add(f"  {item_id:<24} {one.criterion:<20} {_percent(one.share.value):>5}  r = {r:+.2f}  {statuses}")
        out.add()
    if scores.topics:
        out.add("Topics")
        for topic, share in scores.topics:
            out.add(
                f"  {topic or '(none)':<32} {share.n:>7,} responses  {share.value or 0:>6.1%} of the points"
                f"  95 %: {_bounds(share, _percent)}"
            )
        out.add()
    out.add("Candidates")
    for person in islice(report.people(), ROWS):
        band = f"  {person.band.name}" if person.band else ""
        missing = f"  {len(person.not_reached)} not reached" if person.not_reached else ""
        percent = f"{person.share:>6.1%}" if person.share is not None else "     –"
        points = f"{shown_points(person.earned)} of {shown_points(person.possible)}"
        out.add(f"  {shorten(_named(person), 32):<32} {points:>14} {percent}{band}{missing}")
    if scores.candidates > ROWS:
        out.add(f"  … and {scores.candidates - ROWS:,} more; --format csv or json lists all")
    out.add()


def hardest_first(report: Report) -> bool:
    """Whether too few responded to every item for anything but its difficulty to order them."""
    return all(item.n < ENOUGH for item in report.items)


def by_trouble(report: Report) -> list[ItemFigures]:
    """Flagged items first, then by how little they tell candidates apart; where too few responded to
    say that, the hardest first."""
    worst: dict[str, float] = {}
    for flag in report.flags:
        worst[flag.item] = max(worst.get(flag.item, 0.0), flag.weight)

    def trouble(item: ItemFigures) -> tuple[float, bool, float, str]:
        few = item.n < ENOUGH
        told = item.difficulty.value if few else item.correlation.value
        return (-worst.get(item.item, 0.0), few, told if told is not None else 2.0, item.item)

    return sorted(report.items, key=trouble)


def _item(item: ItemFigures) -> str:
    mark = "*" if item.n < ENOUGH else " "
    return (
        f"  {shorten(item.item, 32):<32} {item.n:>6,}{mark}"
        f" {_percent(item.difficulty.value):>5} {_bounds(item.difficulty, _percent):>11}"
        f" {_decimal(item.correlation.value):>5} {_bounds(item.correlation, _decimal):>13}"
        f" {_decimal(item.upper_lower.value):>11} {_seconds(item.median.value):>8}"
    )


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}" if abs(value) >= 0.0995 or value == 0 else f"{value:.1%}"


def _decimal(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"


def _bounds(figure: Estimate, form: Callable[[float | None], str]) -> str:
    return "" if figure.low is None else f"{form(figure.low)} .. {form(figure.high)}"


def _range(figure: Estimate, form: Callable[[float | None], str]) -> str:
    bounds = _bounds(figure, form)
    return f"{'95 %: ' + bounds if bounds else '':<26} n = {figure.n:,}" + ("*" if figure.n < ENOUGH else "")


def _summary(report: Report) -> str:
    parts = [f"{report.responses:,} response{'s' * (report.responses != 1)} scored"]
    if report.counted != report.responses:
        parts.append(f"{report.counted:,} count (--attempt {report.attempt})")
    if report.left_out:
        parts.append(f"{report.left_out:,} left out by the filters")
    if report.damaged:
        parts.append(f"{report.damaged:,} line{'s' * (report.damaged != 1)} could not be used")
    return "; ".join(parts)
