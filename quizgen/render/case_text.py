"""The debrief of a case in lines: by phase, by signal, the whole talk beside a strong candidate's words."""

from __future__ import annotations

from fractions import Fraction

from quizgen.cases.case import OPEN
from quizgen.cases.judge import Judgement, Point, PointTally
from quizgen.cases.talk import filled, why
from quizgen.render.text import wrap
from quizgen.source import shown_points

WHOSE = {"interviewer": "Interviewer", "candidate": "You"}


def heading(judged: Judgement) -> list[str]:
    """The case, what it came to, and what that says."""
    case = judged.conversation.case
    title = f"{case.title} ({case.level})" if case.level else case.title
    return [title, f"{of(judged.earned, judged.possible)} points. {judged.level[0].upper()}{judged.level[1:]}."]


def case_lines(judged: Judgement, width: int) -> list[str]:
    """The whole debrief, none wider than `width`."""
    out = [line for text in heading(judged) for line in wrap(text, width)]
    out += ["", "By phase"]
    out += [_row(tally, width, timed=True) for tally in judged.phases]
    out += ["", "By signal"]
    out += [_row(tally, width) for tally in judged.signals]
    for point in (p for p in judged.points if p.earned > p.at_once):
        out += wrap(f"“{named(point)}” came after the interviewer asked on: seven tenths of it count.", width, "  ")
    if judged.unasked:
        out += ["", "Never asked for"]
        for fact in judged.unasked:
            out += wrap(fact.say, width, "    ", "  - ")
    if judged.roads:
        out += ["", "Roads not taken"]
        out += [
            line for turn, then in judged.roads for line in wrap(road(judged, turn.id, then), width, "    ", "  - ")
        ]
    return [*out, *talk_lines(judged, width)]


def talk_lines(judged: Judgement, width: int) -> list[str]:
    """The conversation, turn by turn, each with its marks and what a strong candidate would have said."""
    talk = judged.conversation
    out: list[str] = []
    for turn in talk.case.turns:
        said = [line for line in talk.lines if line.turn == turn.id]
        if not said:
            continue
        out += ["", f"-- {turn.id.replace('-', ' ')} ({talk.case.phase(turn.phase).title}) "]
        for line in said:
            lead = f"{WHOSE[line.speaker]}: "
            out += wrap(line.text, width, " " * 4, lead)
            if line.why and line.why not in ("the opening", "the next turn"):
                out += wrap(f"(because {line.why})", width, " " * 4, " " * 4)
        for point in (p for p in judged.points if p.turn == turn.id and p.possible > 0):
            sign = "+" if point.earned >= point.possible else "~" if point.earned > 0 else "-"
            out += wrap(f"{named(point)}: {point.mark.because}", width, " " * 14,
                        f"  {sign} {of(point.earned, point.possible):<8} ")  # fmt: skip
        if turn.strong:
            lead = "A strong candidate asks: " if turn.kind == OPEN else "A strong candidate: "
            out += wrap(turn.strong, width, " " * 4, lead)
    return out


def _row(tally: PointTally, width: int, timed: bool = False) -> str:
    time = f"  {minutes(tally.seconds)} of {minutes(float(tally.minutes) * 60)}" if timed else ""
    at_once = f"  ({shown_points(_short(tally.at_once))} unasked)" if tally.earned > tally.at_once else ""
    return f"  {tally.title:<38.38} {of(tally.earned, tally.possible):>9}{time}{at_once}"[:width]


def road(judged: Judgement, turn: str, then: str) -> str:
    """What would have been asked, and where; a number that leads there is not the candidate's own."""
    talk = judged.conversation
    branch = next(b for b in talk.case.turn(turn).branches if b.then == then)
    ask = talk.case.turn(then).ask
    for bound in branch.condition.values if branch.condition is not None else ():
        ask = ask.replace(f"{{{bound.name}}}", bound.name.upper())
    return f"Where {why(branch)}: {filled(ask, talk.values, talk.case)}"


def named(point: Point) -> str:
    return point.mark.criterion.replace("-", " ")


def of(earned: Fraction, possible: Fraction) -> str:
    return f"{shown_points(_short(earned))}/{shown_points(_short(possible))}"


def _short(points: Fraction) -> Fraction:
    return round(points, 2)


def minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
