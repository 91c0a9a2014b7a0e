"""The debrief of a case as one self-contained page: the whole talk beside a strong candidate's words."""

from __future__ import annotations

from dataclasses import dataclass

from quizgen.cases.case import Turn
from quizgen.cases.judge import Judgement, Tally
from quizgen.render.case_text import WHOSE, heading, minutes, named, of, road
from quizgen.render.html import environment
from quizgen.render.page import page
from quizgen.source import printable

QUIET = ("", "the opening", "the next turn")  # reasons that need no words


@dataclass(frozen=True, slots=True)
class ShownTally:
    """A row of a table."""

    title: str
    points: str
    unasked: str
    time: str = ""


@dataclass(frozen=True, slots=True)
class ShownLine:
    """One thing that was said."""

    speaker: str
    whose: str
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class ShownPoint:
    """A criterion of a turn."""

    name: str
    points: str
    because: str


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """One turn in full."""

    title: str
    phase: str
    lines: tuple[ShownLine, ...]
    marks: tuple[ShownPoint, ...]
    strong: str


def case_page(judged: Judgement) -> str:
    """The page as text."""
    case = judged.conversation.case
    return environment().get_template("case.html").render(
        page=page(("css/shared.css", "css/debrief.css"), ()),
        case=case,
        summary=[printable(text) for text in heading(judged)[1:]],
        tables=[
            ("Phase", [_row(t, f"{minutes(t.seconds)} of {minutes(float(t.minutes) * 60)}") for t in judged.phases]),
            ("Signal", [_row(t) for t in judged.signals]),
        ],
        lists=[
            ("Never asked for", [printable(fact.say) for fact in judged.unasked]),
            ("Roads not taken", [printable(road(judged, turn.id, then)) for turn, then in judged.roads]),
        ],
        turns=[shown for turn in case.turns if (shown := _turn(judged, turn)).lines],
    )  # fmt: skip


def _row(tally: Tally, time: str = "") -> ShownTally:
    return ShownTally(printable(tally.title), of(tally.earned, tally.possible), of(tally.at_once, tally.possible), time)


def _turn(judged: Judgement, turn: Turn) -> ShownTurn:
    talk = judged.conversation
    return ShownTurn(
        turn.id.replace("-", " "),
        talk.case.phase(turn.phase).title,
        tuple(
            ShownLine(x.speaker, WHOSE[x.speaker], printable(x.text), "" if x.why in QUIET else x.why)
            for x in talk.lines
            if x.turn == turn.id
        ),
        tuple(
            ShownPoint(named(p), of(p.earned, p.possible), printable(p.mark.because))
            for p in judged.points
            if p.turn == turn.id and p.possible > 0
        ),
        printable(turn.strong),
    )
