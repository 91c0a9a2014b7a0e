"""The lines of a case in an answer log: its session, each turn of the talk, each response; and back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from quizgen.cases.case import Case
from quizgen.cases.talk import Conversation, Exchange, Line, after, begin
from quizgen.interview.session import Rules
from quizgen.log.records import VERSION, Identity, Record, answer_line, first_line, seconds_of

Turns = tuple[Record, ...]


def case_line(who: Identity, talk: Conversation, at: str, rules: Rules) -> Record:
    """The first line of a session that talks through a case."""
    case = talk.case
    names = [t.item.id for t in case.turns if not t.branched]
    return first_line(who, talk.seed, names, at, float(case.minutes), rules) | {"case": case.id}


def turn_line(who: Identity, talk: Conversation, exchange: Exchange, at: str, spent: Mapping[str, float]) -> Record:
    """One exchange: what was said, what it asked for and committed to, and where it went."""
    went: Record = {"to": exchange.to, "said": [[line.text, line.why] for line in exchange.said]}
    if exchange.probe:
        went["probe"] = exchange.probe
    if exchange.branch >= 0:
        went["branch"] = exchange.branch
    return {
        "v": VERSION, "type": "turn", "session": who.session, "item": f"{talk.case.id}.{exchange.turn}",
        "text": exchange.text, "took": exchange.took, "asked": list(exchange.asked),
        "values": {name: _json(number) for name, number in exchange.values.items()},
        "went": went, "at": at, "spent": {name: round(seconds, 1) for name, seconds in spent.items()},
    }  # fmt: skip


def said_line(
    who: Identity, talk: Conversation, turn: str, at: str, seconds: float, late: bool, elapsed: float
) -> Record:
    """All that was responded to a turn so far, as `score` takes it."""
    return answer_line(who, f"{talk.case.id}.{turn}", talk.seed, talk.drawn.get(turn, {})) | {
        "response": talk.response_to(turn), "seconds": round(seconds, 1), "at": at, "late": late, "confidence": None,
        "hints": 0, "flagged": False, "elapsed": round(elapsed, 3),
    }  # fmt: skip


def replayed(case: Case, seed: str, lines: Turns) -> tuple[Conversation, dict[str, float]]:
    """The conversation that a log tells, turn by turn as it went, and the seconds spent by phase.

    A line that names no turn of the case, or another turn than the one reached, ends the replay there.
    """
    talk = begin(case, seed)
    spent: dict[str, float] = {}
    for record in lines:
        exchange = _exchange(case, record)
        if exchange is None or exchange.turn != talk.turn:
            break
        talk = after(talk, exchange)
        told = record.get("spent")
        if isinstance(told, dict):
            spent = {str(name): seconds_of(value) for name, value in told.items()}
    return talk, spent


def _exchange(case: Case, record: Record) -> Exchange | None:
    names = {t.id for t in case.turns}
    turn = str(record.get("item", "")).removeprefix(f"{case.id}.")
    went, text, values = record.get("went"), record.get("text"), record.get("values")
    if turn not in names or not isinstance(went, dict) or not isinstance(text, str):
        return None
    to, probe, branch, said = went.get("to"), went.get("probe", ""), went.get("branch", -1), went.get("said")
    if not isinstance(to, str) or (to and to not in names) or not isinstance(said, list):
        return None
    asked = record.get("asked")
    return Exchange(
        turn=turn,
        text=text,
        took=str(record.get("took", "response")),
        said=tuple(Line("interviewer", str(pair[0]), turn, str(pair[1])) for pair in said if _pair(pair)),
        to=to,
        asked=tuple(str(a) for a in asked) if isinstance(asked, list) else (),
        values={str(k): Fraction(str(v)) for k, v in values.items() if type(v) in (int, float) and math.isfinite(v)}
        if isinstance(values, dict)
        else {},
        probe=probe if isinstance(probe, str) else "",
        branch=branch if type(branch) is int else -1,
    )


def _json(number: Fraction) -> int | float:
    return int(number) if number.denominator == 1 else float(number)


def _pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2
