"""What a conversation came to: each turn's marks, by phase and by signal, and what was never asked or taken.

What was said at once counts whole; what came only after the interviewer asked on counts half of what it added, and
what was wrong and mended seven tenths. What was taken back is gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from quizgen.cases.case import OPEN_TURN_KIND, Case, CasePhase, Fact, Turn
from quizgen.cases.conversation import Conversation
from quizgen.cases.follow_ups import DENIED_STATUSES, DOUBT_PREFIX, score_of_responses, wrong_amount_text
from quizgen.model import ZERO, Mark, Score

SHARE_AFTER_PROBE: Final = Fraction(1, 2)
SHARE_AFTER_DOUBT: Final = Fraction(7, 10)  # share for a statement that was wrong at first and then corrected
# Share of the points earned without help, and how interviewers read it; a judgement, and presented as one.
LEVELS_BY_MIN_SHARE: Final = (
    (Fraction(3, 4), "leads the conversation: most of it came unasked"),
    (Fraction(1, 2), "answers well; the interviewer had to ask for some of it"),
    (Fraction(1, 4), "needs to be led: the interviewer asked for what should come unasked"),
    (ZERO, "said too little of what the case asks for"),
)


@dataclass(frozen=True, slots=True)
class CriterionPoints:
    """One criterion of a turn: the points earned at once, the points earned in all, and the mark they come from."""

    turn_id: str
    signal: str
    mark: Mark
    earned_at_once: Fraction
    earned: Fraction
    possible: Fraction


@dataclass(frozen=True, slots=True)
class PointTally:
    """The points of a phase or a signal."""

    name: str
    title: str
    earned: Fraction
    earned_at_once: Fraction
    possible: Fraction
    minutes: Fraction = ZERO  # minutes of a phase
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Judgement:
    """The result of a case. `unasked_facts` lists facts that the candidate should have asked for, `untaken_branches`
    branches that were not taken."""

    conversation: Conversation
    points: tuple[CriterionPoints, ...]
    phases: tuple[PointTally, ...]
    signals: tuple[PointTally, ...]
    unasked_facts: tuple[Fact, ...]
    untaken_branches: tuple[tuple[Turn, str], ...]

    @property
    def earned(self) -> Fraction:
        return sum((t.earned for t in self.phases), ZERO)

    @property
    def possible(self) -> Fraction:
        return sum((t.possible for t in self.phases), ZERO)

    @property
    def level(self) -> str:
        share = sum((t.earned_at_once for t in self.phases), ZERO) / self.possible if self.possible else ZERO
        return next(words for start, words in LEVELS_BY_MIN_SHARE if share >= start)


def judge(conversation: Conversation, phase_seconds: Mapping[str, float]) -> Judgement:
    """The judgement of a conversation, finished or not; `phase_seconds` is the time spent, by phase id."""
    case = conversation.case
    met = [t for t in case.turns if t.id in conversation.responses or t.id == conversation.turn_id]
    points = [p for t in case.turns if t in met or not t.is_branch_only for p in _turn_points(conversation, t)]
    by_turn = {t.id: t.phase for t in case.turns}
    phases = tuple(
        _phase_tally(p, [x for x in points if by_turn[x.turn_id] == p.id], phase_seconds) for p in case.phases
    )
    unasked, untaken = _unasked_facts(conversation), _untaken_branches(conversation, met)
    return Judgement(conversation, tuple(points), phases, _signal_tallies(case, points), unasked, untaken)


def _signal_tallies(case: Case, points: list[CriterionPoints]) -> tuple[PointTally, ...]:
    """A tally for each signal that some point belongs to, in the order of the case."""
    names = dict.fromkeys((*case.signals, *(p.signal for p in points if p.signal)))
    mine = {name: [p for p in points if p.signal == name] for name in names}
    return tuple(_point_tally(name, case.signals.get(name, name), mine[name]) for name in names if mine[name])


def _unasked_facts(conversation: Conversation) -> tuple[Fact, ...]:
    """The facts that an open turn gives points for and nobody asked for."""
    case = conversation.case
    wanted = {
        m.criterion
        for t in case.turns
        if t.kind == OPEN_TURN_KIND
        for m in _score_text(conversation, t, "").marks
        if m.possible
    }
    return tuple(f for f in case.facts if f.id in wanted and f.id not in conversation.given_facts)


def _untaken_branches(conversation: Conversation, met_turns: list[Turn]) -> tuple[tuple[Turn, str], ...]:
    """The branches of the turns in `met_turns` that lead elsewhere and were not taken."""
    branches = [(turn, number, branch.next_turn) for turn in met_turns for number, branch in enumerate(turn.branches)]
    return tuple(
        (turn, then)
        for turn, number, then in branches
        if then and then not in conversation.responses and (turn.id, number) not in conversation.taken_branches
    )


def _turn_points(conversation: Conversation, turn: Turn) -> list[CriterionPoints]:
    responses = conversation.responses.get(turn.id, ())
    unaided = next((text for text in responses if text), "")
    whole = score_of_responses(conversation, turn, responses)
    first = whole if turn.kind == OPEN_TURN_KIND else _score_text(conversation, turn, unaided)
    helped = conversation.probes.get(turn.id, ())[: responses.count("")]  # asked about before the first response
    at_once = {m.criterion: ZERO if m.criterion in helped and m.earned > 0 else m.earned for m in first.marks}
    wrong = _doubted_criteria(conversation, turn) | {
        m.criterion for m in first.marks if _was_wrong_at_first(conversation, turn, m, unaided)
    }
    made = []
    for mark in whole.marks:
        before = at_once.get(mark.criterion, ZERO)
        share = SHARE_AFTER_DOUBT if mark.criterion in wrong else SHARE_AFTER_PROBE
        earned = before + share * (mark.earned - before) if mark.earned > before else mark.earned
        signal = turn.signal_by_criterion.get(mark.criterion, turn.signal_by_criterion.get("", ""))
        made.append(CriterionPoints(turn.id, signal, mark, min(before, mark.earned), earned, mark.possible))
    excess = sum((p.earned for p in made), ZERO) - sum((p.possible for p in made), ZERO)
    if made and excess > 0:  # with full marks for some of the criteria, those asked for add nothing to them
        made[-1] = replace(made[-1], earned=made[-1].earned - excess)
    return made


def _doubted_criteria(conversation: Conversation, turn: Turn) -> set[str]:
    """The criteria of a turn that were doubted before they were asked about."""
    probes = conversation.probes.get(turn.id, ())
    steps = ((n, name.removeprefix(DOUBT_PREFIX)) for n, name in enumerate(probes) if name.startswith(DOUBT_PREFIX))
    return {name for n, name in steps if name not in probes[:n]}


def _was_wrong_at_first(conversation: Conversation, turn: Turn, mark: Mark, text: str) -> bool:
    """Whether the first response to a turn was wrong by this mark, and not only silent."""
    denied = turn.kind == "numeric" or mark.status in DENIED_STATUSES
    return denied or bool(wrong_amount_text(conversation.case, turn, mark.criterion, text))


def _score_text(conversation: Conversation, turn: Turn, text: str) -> Score:
    return conversation.variant_of(turn.id).score(text)


def _phase_tally(phase: CasePhase, points: list[CriterionPoints], phase_seconds: Mapping[str, float]) -> PointTally:
    made = _point_tally(phase.id, phase.title, points)
    return replace(made, minutes=phase.minutes, seconds=phase_seconds.get(phase.id, 0.0))


def _point_tally(name: str, title: str, points: list[CriterionPoints]) -> PointTally:
    return PointTally(
        name,
        title,
        max(ZERO, sum((p.earned for p in points), ZERO)),
        max(ZERO, sum((p.earned_at_once for p in points), ZERO)),
        sum((p.possible for p in points), ZERO),
    )
