"""A page for each candidate of an exam: score, band, and each item with reason, evidence and worked steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from markupsafe import Markup

from quizgen.analysis.report import Person, Report
from quizgen.markdown import inline
from quizgen.model import Variant
from quizgen.render.html import Html, environment
from quizgen.render.page import page
from quizgen.render.report_candidates import AnsweredView, answered_view
from quizgen.source import printable, shown_points

ENOUGH = 30  # candidates from which on the error of measurement is more than a hint


@dataclass(frozen=True, slots=True)
class FeedbackItem:
    """One item: its number on the form, stem, response, and the worked solution."""

    number: int
    stem: Markup
    view: AnsweredView
    solution: Markup


def feedback(
    report: Report, root: str, placed: Callable[[str | None, str], tuple[int, Variant] | None]
) -> Iterator[tuple[str, str]]:
    """File name and page of each candidate. `placed`: an item's number and variant, by session and id."""
    html = Html(root)
    frame = page(("css/shared.css", "css/report.css"), ())
    template = environment().get_template("feedback.html")
    width = max(3, len(str(len(report.attendance))))
    numbers = {who: row.person.number if row.person else n for n, (who, row) in enumerate(report.attendance.items(), 1)}
    for person in report.people():
        row, grade = report.attendance.get(person.label), report.grade(person)
        if row is None or grade is None:
            continue
        listed = "" if row.person or not any(r.person for r in report.attendance.values()) else "not-listed-"
        yield (
            f"feedback-{listed}{numbers[person.label]:0{width}}.html",
            template.render(
                page=frame,
                title=printable(report.title),
                who=printable(row.label),
                form=row.form,
                held=row.status == "held",
                grade={
                    "raw": shown_points(grade.raw),
                    "possible": shown_points(grade.possible),
                    "deduction": shown_points(grade.deduction),
                    "final": "" if grade.final is None else shown_points(grade.final),
                },
                error=_error(report, person),
                band=grade.band,
                advice=_advice(report, grade.band, html),
                facts=tuple(row.facts()),
                entries=sorted(_items(person, html, placed), key=lambda one: one.number),
                not_reached=person.not_reached,
            ),
        )


def _items(
    person: Person, html: Html, placed: Callable[[str | None, str], tuple[int, Variant] | None]
) -> Iterator[FeedbackItem]:
    for one in person.answered:
        found = placed(one.session, one.item)
        if found is not None:
            number, variant = found
            stem = html.blocks(b for b in variant.prompt()[:-1])
            yield FeedbackItem(number, stem, answered_view(one, html), html.blocks(variant.solution()))


def _error(report: Report, person: Person) -> str:
    """`± 2.1`, the standard error of measurement in points; empty where too little is known for one."""
    share = report.scores.sem.value
    if share is None:
        return ""
    hint = f" (a hint: fewer than {ENOUGH} candidates)" if report.scores.candidates < ENOUGH else ""
    return f"± {float(person.possible) * share:.1f}{hint}"


def _advice(report: Report, name: str, html: Html) -> Markup:
    advice = next((band.advice for band in report.bands if band.name == name), "")
    return html.inline(inline(printable(advice)))
