"""The candidates of a report's page: every response with its evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from quizgen.analysis.report import Answered, Person
from quizgen.answer_sheet import UNREAD
from quizgen.markdown import inline
from quizgen.render.html import Html
from quizgen.render.remarks import cut, remark
from quizgen.source import printable, shown_points

if TYPE_CHECKING:  # most reports need no page
    from jinja2 import Environment

PAGES = 500  # candidates with a section of their own


# Name, points, share, the share itself, band.
CandidateRow = tuple[str, str, str, float | None, str]


def row_of(person: Person) -> CandidateRow:
    """A row of the table of candidates."""
    points = f"{shown_points(person.earned)} of {shown_points(person.possible)}"
    return printable(person.label), points, share_of(person), person.share, person.band.name if person.band else ""


def sheets(templates: Environment) -> Callable[[Person], Markup]:
    """What writes the section of a candidate behind its head."""
    template, html = templates.get_template("candidate.html"), Html("")

    def sheet(person: Person) -> Markup:
        return Markup(
            template.render(
                person=person,
                share=share_of,
                answered=answered,
                html=html,
                inline=lambda text: inline(printable(text)),
            )
        )

    return sheet


def share_of(person: Person) -> str:
    if person.share is None:
        return "–"
    error = person.error
    return f"{person.share:.1%}" + ("" if error is None else f" ± {error:.1%}")


def answered(one: Answered, html: Html) -> Mapping[str, Any]:
    """What the template says of one response; `pieces` of text are true where a criterion was found."""
    score = one.score
    of_option = score is not None and [m.criterion for m in score.marks][:1] == ["key"]
    text = "(on paper)" if one.given == UNREAD else one.given
    read_as = score.read_as if score and score.read_as else ""
    shown = html.inline(inline(printable(read_as))) if of_option else printable(read_as)  # an option as it was shown
    marks = [m for m in score.marks if m.status or m.earned] if score and one.outcome != "blank" else []
    simple = len(marks) == 1 and marks[0].criterion in ("key", "value") and one.outcome in ("correct", "incorrect")
    return {
        "points": f"{shown_points(one.earned)} of {shown_points(one.possible)}",
        "pieces": [(shown, False)] if of_option and read_as == text else cut(text, marks),
        "read_as": "" if read_as == text else shown,
        "marks": [] if simple else marks,
        "say": [html.inline(remark(printable(line), of_option)) for line in score.say] if score else [],
    }
