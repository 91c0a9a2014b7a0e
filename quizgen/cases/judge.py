"""What a conversation came to: each turn's marks, by phase and by signal, and what was never asked or taken.

What was said at once counts whole; what came only after the interviewer asked on counts half of what it added, and
what was wrong and mended seven tenths. What was taken back is gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from quizgen.cases.case import DENIED_CRITERION_STATUSES, Branch, Fact, Turn
from quizgen.cases.conversation import Conversation, wrong_amount_text_for_criterion
from quizgen.cases.talk import DOUBT_ID_PREFIX, score_of_turn_responses
from quizgen.model import ZERO, Mark

GAIN_SHARE_AFTER_PROBE: Final = Fraction(1, 2)
GAIN_SHARE_IF_WRONG_AT_FIRST: Final = Fraction(7, 10)  # for a statement that was then corrected
# Share of the points earned without help, and how interviewers read it; a judgement, and presented as one.
INDEPENDENCE_TEXTS_BY_MIN_SHARE: Final = (
    (Fraction(3, 4), "leads the conversation: most of it came unasked"),
    (Fraction(1, 2), "answers well; the interviewer had to ask for some of it"),
    (Fraction(1, 4), "needs to be led: the interviewer asked for what should come unasked"),
    (ZERO, "said too little of what the case asks for"),
)


@dataclass(frozen=True, slots=True)
class CriterionPoints:
    """One criterion of a turn: the points earned at once, the points earned in all, and the mark they come from."""

    turn_id: str
    hiring_signal_name: str
    mark: Mark
    unprompted_points: Fraction
    earned_points: Fraction


@dataclass(frozen=True, slots=True)
class PhaseOrSignalPoints:
    """The points of a phase or a signal."""

    title: str
    earned_points: Fraction
    unprompted_points: Fraction
    possible_points: Fraction
    allowed_minutes: Fraction = ZERO  # of a phase; zero for a signal
    spent_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Judgement:
    """The result of a case. `unasked_facts_worth_points` lists facts that the candidate should have asked for,
    `untaken_branches_of_met_turns` branches that were not taken."""

    conversation: Conversation
    criterion_points: tuple[CriterionPoints, ...]
    phase_tallies: tuple[PhaseOrSignalPoints, ...]
    hiring_signal_tallies: tuple[PhaseOrSignalPoints, ...]
    unasked_facts_worth_points: tuple[Fact, ...]
    untaken_branches_of_met_turns: tuple[Branch, ...]

    @property
    def earned_points(self) -> Fraction:
        return sum((t.earned_points for t in self.phase_tallies), ZERO)

    @property
    def possible_points(self) -> Fraction:
        return sum((t.possible_points for t in self.phase_tallies), ZERO)

    @property
    def independence_text(self) -> str:
        talk = self.conversation
        if not talk.is_over:  # what was not reached says nothing of the candidate
            return f"ended early, in “{talk.case.phase_by_id(talk.turn.phase_id).title}”, so there is no level"
        points, possible_points = sum((t.unprompted_points for t in self.phase_tallies), ZERO), self.possible_points
        share = points / possible_points if possible_points else ZERO
        return next(words for start, words in INDEPENDENCE_TEXTS_BY_MIN_SHARE if share >= start)


def judge_conversation(conversation: Conversation, seconds_by_phase_id: Mapping[str, float]) -> Judgement:
    """The judgement of a conversation, finished or not; `seconds_by_phase_id` is the time spent, by phase id."""
    case = conversation.case
    met = [t for t in case.turns if t.id in conversation.responses_by_turn_id or t.id == conversation.turn_id]
    points = [p for t in case.turns if t in met or not t.is_branch_only for p in _points_per_criterion(conversation, t)]
    phases = []
    for phase in case.phases:
        group = [p for p in points if case.turn_by_id(p.turn_id).phase_id == phase.id]
        phases.append(_tally_points(phase.title, group, phase.allowed_minutes, seconds_by_phase_id.get(phase.id, 0.0)))
    titles = case.title_by_hiring_signal
    signal_names = (*titles, *(p.hiring_signal_name for p in points))
    signal_points = {name: [p for p in points if p.hiring_signal_name == name] for name in signal_names}
    signals = (_tally_points(titles.get(name, name), group) for name, group in signal_points.items() if name and group)
    # The facts that an open turn gives points for and nobody asked for.
    variants = (conversation.item_variant_of_turn(turn.id) for turn in case.turns if turn.candidate_asks)
    fact_ids = {mark.criterion_id for variant in variants for mark in variant.score("").marks if mark.possible}
    unasked_facts = tuple(fact for fact in case.facts if fact.id in fact_ids - set(conversation.given_fact_ids))
    untaken_branches = tuple(_untaken_branches_of_met_turns(conversation, met))
    return Judgement(conversation, tuple(points), tuple(phases), tuple(signals), unasked_facts, untaken_branches)


def _untaken_branches_of_met_turns(conversation: Conversation, met_turns: list[Turn]) -> Iterator[Branch]:
    """Yields the branches of the turns in `met_turns` that lead elsewhere and were not taken."""
    reached_turn_ids = {"", *conversation.responses_by_turn_id}
    for turn in met_turns:
        for index, branch in enumerate(turn.branches):
            if branch.next_turn_id not in reached_turn_ids and (turn.id, index) not in conversation.taken_branches:
                yield branch


def _points_per_criterion(conversation: Conversation, turn: Turn) -> list[CriterionPoints]:
    variant, responses = conversation.item_variant_of_turn(turn.id), conversation.responses_by_turn_id.get(turn.id, ())
    probes = conversation.probe_and_doubt_ids_by_turn_id.get(turn.id, ())
    unaided_text = next((text for text in responses if text), "")
    score = score_of_turn_responses(conversation, turn, responses)
    first = score if turn.candidate_asks else variant.score(unaided_text)
    helped_ids = probes[: responses.count("")]  # asked about before the first response
    at_once = {m.criterion_id: ZERO if m.criterion_id in helped_ids and m.earned > 0 else m.earned for m in first.marks}
    prefix = DOUBT_ID_PREFIX
    doubts = ((n, name.removeprefix(prefix)) for n, name in enumerate(probes) if name.startswith(prefix))
    # Doubted before they were asked about, or wrong in the first response and not only silent.
    wrong_ids = {name for n, name in doubts if name not in probes[:n]} | {
        m.criterion_id
        for m in first.marks
        if turn.kind == "numeric"
        or m.status in DENIED_CRITERION_STATUSES
        or wrong_amount_text_for_criterion(conversation.case, turn, m.criterion_id, unaided_text)
    }
    points = []
    signals = turn.hiring_signal_by_criterion_id
    for mark in score.marks:
        base_points = at_once.get(mark.criterion_id, ZERO)
        share = GAIN_SHARE_IF_WRONG_AT_FIRST if mark.criterion_id in wrong_ids else GAIN_SHARE_AFTER_PROBE
        earned_points = base_points + share * (mark.earned - base_points) if mark.earned > base_points else mark.earned
        signal = signals.get(mark.criterion_id, signals.get("", ""))
        points.append(CriterionPoints(turn.id, signal, mark, min(base_points, mark.earned), earned_points))
    excess = sum((p.earned_points - p.mark.possible for p in points), ZERO)
    if points and excess > 0:  # with full marks for some of the criteria, those asked for add nothing to them
        points[-1] = replace(points[-1], earned_points=points[-1].earned_points - excess)
    return points


def _tally_points(
    title: str, points: list[CriterionPoints], minutes: Fraction = ZERO, seconds: float = 0.0
) -> PhaseOrSignalPoints:
    earned_points = sum((p.earned_points for p in points), ZERO)
    at_once = sum((p.unprompted_points for p in points), ZERO)
    possible_points = sum((p.mark.possible for p in points), ZERO)
    return PhaseOrSignalPoints(title, max(ZERO, earned_points), max(ZERO, at_once), possible_points, minutes, seconds)
