"""The candidates of the shipped cases, and what becomes of them: `candidates/CASE.yaml` holds what each says, by turn.

Their words were written before they were scored. "later" are candidates who had read what the interviewer says and no
rubric; what they showed was fixed afterwards, so that they too are an order to hold and no measurement any more.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import shipped
import yaml

from quizgen.cases import talk as talking
from quizgen.cases.case import Case
from quizgen.cases.conversation import Conversation, begin_conversation
from quizgen.cases.judge import Judgement, judge_conversation

CANDIDATES = Path(__file__).parent / "candidates"
NAMES = tuple(sorted(p.stem for p in CANDIDATES.glob("*.yaml")))
WHO = ("strong", "middling", "wrong")


def case_of(name: str) -> Case:
    return shipped.bank().case_by_id[name]


@cache
def words(name: str) -> dict[str, dict[str, Any]]:
    """What the candidates of a case say by turn, and what others asked (`asked`) and said (`said`)."""
    made: dict[str, dict[str, Any]] = yaml.load((CANDIDATES / f"{name}.yaml").read_bytes(), yaml.CSafeLoader)
    return made


def people(name: str) -> list[str]:
    return [who for who in words(name) if who.startswith(WHO)]


@cache
def talked(name: str, who: str) -> Conversation:
    """The conversation of one candidate, who says nothing more where the interviewer asks on."""
    texts = words(name)[who]
    now = begin_conversation(case_of(name), "demo")
    while not now.is_over:
        turn = now.turn_id
        said = texts.get(turn, [])
        for text in said if isinstance(said, list) else [str(said)]:
            if now.turn_id == turn:
                exchange = talking.exchange_for_text(now, spoken(now, text))
                assert exchange.text_taken_as != "unreadable", (turn, text)
                now = now.with_exchange_applied(exchange)
        if now.turn_id == turn:
            now = now.with_exchange_applied(now.exchange_leaving_unanswered("nothing more to say"))
    return now


@cache
def judged(name: str, who: str) -> Judgement:
    return judge_conversation(talked(name, who), {})


def shares(name: str, who: str) -> dict[str, float]:
    """What a candidate earns of each phase."""
    return {p.title: float(p.earned_points / p.possible_points) for p in judged(name, who).phase_tallies}


def spoken(now: Conversation, text: str) -> str:
    """A response; to a choice `right` and `key` are the letter of the key as it is shown now."""
    if now.turn.kind != "choice" or text not in ("right", "key", "wrong", "not the key"):
        return text
    score, wants_key = now.current_turn_variant.score, text in ("right", "key")
    return next(x for x in "ABCD" if (score(x).outcome == "correct") == wants_key)
