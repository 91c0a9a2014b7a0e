"""The candidates of the report's page: a section for each, every response with its evidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from markupsafe import Markup

from quizgen.analysis.report import Answered, Person, Report
from quizgen.markdown import inline
from quizgen.render.html import Html
from quizgen.render.remarks import remark
from quizgen.source import printable, shown_points

PAGES = 500  # candidates with a section of their own


@dataclass(frozen=True, slots=True)
class AnsweredView:
    """One response with its evidence: `pieces` of text, true where a criterion was found."""

    item: str
    outcome: str
    points: str
    pieces: tuple[tuple[Markup | str, bool], ...]
    read_as: Markup | str
    diagnosis: str
    marks: tuple[tuple[str, str, str, str], ...]
    say: tuple[Markup, ...]


@dataclass(frozen=True, slots=True)
class PersonView:
    """One candidate's section."""

    number: int
    label: str
    points: str
    percent: str
    band: str
    advice: Markup
    answered: tuple[AnsweredView, ...]
    not_reached: tuple[str, ...]


def overview(report: Report) -> Iterator[tuple[int, str, str, str, str, str]]:
    """Number, name, points, share, percentile and band of each."""
    for number, person in enumerate(islice(report.people(), PAGES), 1):
        band = person.band.name if person.band else ""
        percentile = "–" if person.share is None else f"{100 * report.percentile(person.share):.0f}"
        yield number, printable(person.label), _earned(person), _share(person), percentile, band


def people(report: Report) -> Iterator[PersonView]:
    html = Html("")
    for number, person in enumerate(islice(report.people(), PAGES), 1):
        yield PersonView(
            number,
            printable(person.label),
            _earned(person),
            _share(person),
            person.band.name if person.band else "",
            html.inline(inline(printable(person.band.advice))) if person.band else Markup(),
            tuple(answered_view(one, html) for one in person.answered),
            person.not_reached,
        )


def answered_view(one: Answered, html: Html) -> AnsweredView:
    score = one.score
    of_option = score is not None and [m.criterion for m in score.marks][:1] == ["key"]
    text = one.response if isinstance(one.response, str) else "; ".join(one.response or ())
    read_as = score.read_as if score and score.read_as else ""
    spans = [span for m in score.marks for span in m.evidence] if score else []
    marks = tuple(
        (m.criterion, m.status or "adjustment", _mark_points(m.earned, m.possible), printable(m.because))
        for m in (score.marks if score else ())
    )
    simple = len(marks) == 1 and marks[0][0] in ("key", "value") and one.outcome in ("correct", "incorrect")
    return AnsweredView(
        one.item,
        one.outcome,
        f"{shown_points(one.earned)} of {shown_points(one.possible)}",
        tuple(_pieces(text, spans)) if not of_option or read_as != text else ((_option(read_as, html), False),),
        "" if read_as == text else _option(read_as, html) if of_option else Markup.escape(printable(read_as)),
        one.diagnosis or "",
        () if simple else marks,
        tuple(html.inline(remark(printable(line), of_option)) for line in score.say) if score else (),
    )


def _option(text: str, html: Html) -> Markup:
    """The options that a response was read as, the way they were shown."""
    return html.inline(inline(printable(text)))


def _mark_points(earned: object, possible: object) -> str:
    assert isinstance(earned, Fraction)
    assert isinstance(possible, Fraction)
    return f"{shown_points(earned)} of {shown_points(possible)}" if possible else shown_points(earned)


def _pieces(text: str, spans: list[tuple[int, int]]) -> Iterator[tuple[str, bool]]:
    """The response cut at its evidence; overlapping spans are joined."""
    at = 0
    for start, end in sorted(spans):
        start, end = max(start, at), min(end, len(text))
        if end <= start:
            continue
        if start > at:
            yield printable(text[at:start]), False
        yield printable(text[start:end]), True
        at = end
    if at < len(text):
        yield printable(text[at:]), False


def _earned(person: Person) -> str:
    return f"{shown_points(person.earned)} of {shown_points(person.possible)}"


def _share(person: Person) -> str:
    if person.share is None:
        return "–"
    return f"{person.share:.1%}" + ("" if person.error is None else f" ± {person.error:.1%}")
