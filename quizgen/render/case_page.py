"""The debrief of a case as one self-contained page: the whole talk beside a strong candidate's words."""

from __future__ import annotations

from quizgen.cases.judge import Judgement
from quizgen.render.case_text import WHOSE, heading, minutes, named, of, road
from quizgen.render.debrief_html import STYLES
from quizgen.render.html import environment
from quizgen.render.page import page

QUIET = ("", "the opening", "the next turn")  # reasons that need no words


def case_page(judged: Judgement) -> str:
    """The page as text."""
    talk = judged.conversation
    return environment().get_template("case.html").render(
        page=page(STYLES, ()),
        case=talk.case,
        summary=heading(judged)[1:],
        tables=[("Phase", judged.phases, True), ("Signal", judged.signals, False)],
        lists=[
            ("Never asked for", [fact.say for fact in judged.unasked]),
            ("Roads not taken", [road(judged, turn.id, then) for turn, then in judged.roads]),
        ],
        lines=lambda turn: [line for line in talk.lines if line.turn == turn.id],
        marks=lambda turn: [p for p in judged.points if p.turn == turn.id and p.possible > 0],
        whose=WHOSE, quiet=QUIET, named=named, of=of, minutes=minutes,
    )  # fmt: skip
