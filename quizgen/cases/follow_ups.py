"""The score of a turn, and the interviewer's next question: the branch that holds, a probe of an open criterion, or a
doubt about a wrong step."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from quizgen.cases.case import OPEN_TURN_KIND, Branch, BranchCondition, Case, Turn
from quizgen.cases.commitments import amount_off_by_factor
from quizgen.cases.conversation import ACCUMULATING_TURN_KINDS, Conversation, Line, fill_numbers
from quizgen.cases.listening import split_sentences
from quizgen.model import Mark, Outcome, Score, Variant
from quizgen.source.problems import points_decimal

MAX_PROBES_PER_TURN = 2  # probes in one turn
ARE_YOU_SURE_TEXT = "Are you sure?"
CHECK_AGAIN_TEXT = "Work it out once more."
DOUBT_RULES_BESIDE_BRANCHES = (
    "a wrong belief",
    "an amount is off by two or by a power of ten",
)  # rules of doubts about what no branch is about
DOUBT_PREFIX = "doubt "  # in front of what was doubted, in place of a criterion: a doubt is none of the two probes
# A hedged statement meets a criterion too: a careful diagnosis is often hedged, and rightly.
MET_STATUSES = frozenset({"found", "hedged"})
DENIED_STATUSES = frozenset({"contradicted", "negated"})
# Questions about a wrong number, by the slip that explains it; each is asked once a turn.
FAR_OFF_FACTOR = Fraction(8)  # factor from which the magnitude itself is wrong
DOUBT_QUESTION_BY_SLIP = {
    "twice": "Are you sure? Look for a factor of two: what comes twice, and what is only half.",
    "rounded-too-far": "One more digit, please.",
    "bits-for-bytes": "Are you sure? Look at the units: bits or bytes?",
    "far": "Are you sure? Look at its size: the powers of ten, and the units.",
    "": "Are you sure? Check it again: what do you count, and what do you divide by?",
}
DOUBT_QUESTION_BY_SLIP["half"] = DOUBT_QUESTION_BY_SLIP["twice"]
MAX_PROBE_REPLY_WORDS = 12  # words that are read together with the probe
# "If the counts are equal, it is hardware": names a case, which is no belief.
_CASE_WORD_PATTERN = re.compile(r"\b(?:if|when|whether|unless|either)\b", re.IGNORECASE)
_PRONOUN_AT_END_PATTERN = re.compile(
    r"\b(?:it|that|this)\W+(?:(?:then|probably|more|most|likely|rather)\W+)*$", re.IGNORECASE
)


def score_of_responses(talked: Conversation, turn: Turn, responses: Sequence[str]) -> Score:
    """The score of the responses to a turn, in order. A criterion that was probed counts as in the last response if
    that is better; "sorry, I was wrong" takes back only criteria that the last response denies."""
    given = [text for text in responses if text]
    variant, whole = talked.variant_of(turn.id), "\n\n".join(given)
    if turn.kind == OPEN_TURN_KIND:
        return _score_with_given_facts(talked, turn, _score_without_named_cases(variant, whole))
    if turn.kind != "text" or len(given) < 2:
        return _score_without_named_cases(
            variant, whole if turn.kind in ACCUMULATING_TURN_KINDS else "".join(given[-1:])
        )
    score, newest = (_score_without_named_cases(variant, one) for one in (whole, given[-1]))
    last = {m.criterion: m for m in newest.marks}
    earlier = {m.criterion: m for m in score_of_responses(talked, turn, given[:-1]).marks}
    start = len(whole) - len(given[-1])
    asked = [name.removeprefix(DOUBT_PREFIX) for name in talked.probes.get(turn.id, ())]
    answered = asked[len(responses) - 2 : len(responses) - 1] if len(responses) > 1 else []
    marks = []
    for mark in score.marks:
        talk, before = last.get(mark.criterion, mark), earlier.get(mark.criterion, mark)
        made = mark
        if mark.criterion in asked and talk.earned > mark.earned:
            made = replace(talk, evidence_spans=tuple((start + a, start + b) for a, b in talk.evidence_spans))
        elif before.earned > mark.earned and mark.possible > 0 and talk.status not in DENIED_STATUSES:
            made = before
        marks.append(_mark_of_reply_to_probe(variant, made, given[-1], start) if mark.criterion in answered else made)
    return replace(score, marks=tuple(marks))


def _score_with_given_facts(conversation: Conversation, turn: Turn, score: Score) -> Score:
    """The score of a turn in which the candidate asks, with the facts that it drew, also in words that no phrase of
    theirs has."""
    rules = {line.rule for line in conversation.lines if line.turn_id == turn.id}
    marks = [
        replace(mark, status="found", earned=mark.possible)
        if mark.earned < mark.possible and f"you asked for “{mark.criterion}”" in rules
        else mark
        for mark in score.marks
    ]
    return replace(score, marks=tuple(marks))


def _score_without_named_cases(variant: Variant, text: str) -> Score:
    """The score of a text without the claims that only name a case."""
    for mark in (score := variant.score(text)).marks:
        if mark.status == "contradicted" and mark.evidence_spans and _only_names_a_case(text, mark):
            start, end = mark.evidence_spans[0]
            return _score_without_named_cases(variant, text[:start] + " " * (end - start) + text[end:])
    return score


def _only_names_a_case(text: str, mark: Mark) -> bool:
    """Whether the evidence of a mark only names one of several cases: "if the counts are equal, it is hardware"."""
    start = mark.evidence_spans[0][0]
    before = max(text.rfind(stop, 0, start) for stop in ".?!\n")
    sentence = split_sentences(text[before + 1 :])[0] if before < start else ""
    return bool(_CASE_WORD_PATTERN.search(sentence) and _PRONOUN_AT_END_PATTERN.search(text[before + 1 : start]))


def _mark_of_reply_to_probe(variant: Variant, mark: Mark, text: str, start: int) -> Mark:
    """The mark of a short reply to a probe, read together with the words of the probe where that is better: "Which
    number changes?" "The sequence length." The reply, which starts at `start`, must have words of the criterion."""
    if mark.earned >= mark.possible or mark.status in DENIED_STATUSES or len(text.split()) > MAX_PROBE_REPLY_WORDS:
        return mark
    asked = variant.follow_up_to(mark.criterion).rstrip("?. ")
    read = {m.criterion: m for m in variant.score(f"{asked} {text}").marks}[mark.criterion]
    said = any(end > len(asked) for _, end in read.evidence_spans)
    if not said or read.earned <= mark.earned:
        return mark
    return replace(read, evidence_spans=((start, start + len(text)),))


def is_branch_taken(turn: Turn, branch: Branch, score: Score, doubt: tuple[Line, str] | None) -> bool:
    """Whether a branch that holds is taken now. A doubt comes first, except where the branch is the author's reply to
    the claim or stays in the turn; and an answer that earned nothing is asked about before a silent way on."""
    if turn.kind != "text":
        return doubt is None
    if branch.condition is None:
        return doubt is None and (bool(branch.say) or score.earned > 0)
    return doubt is None or branch.stays_in_turn or doubt[0].rule not in DOUBT_RULES_BESIDE_BRANCHES


def branch_to_take(talk: Conversation, turn: Turn, text: str, score: Score, values: Mapping[str, Fraction]) -> int:
    """The number of the first branch of a turn that holds and was not taken yet; -1 for none."""
    for number, branch in enumerate(turn.branches):
        free = (turn.id, number) not in talk.taken_branches
        if free and is_condition_met(branch.condition, talk.variant, text, score, values, talk.given_facts):
            return number
    return -1


def is_condition_met(
    condition: BranchCondition | None, variant: Variant, text: str, score: Score, values: Mapping[str, Fraction],
    given_facts: tuple[str, ...],
) -> bool:  # fmt: skip
    """Whether every part of a branch's condition holds; a condition of None always does."""
    if condition is None:
        return True
    return (
        _do_marks_meet_condition(condition, score)
        and all(bound.is_met_by(values) for bound in condition.bounds)
        and values.keys().isdisjoint(condition.uncommitted_ids)
        and set(given_facts).issuperset(condition.requested_fact_ids)
        and set(given_facts).isdisjoint(condition.unrequested_fact_ids)
        and (not condition.outcomes or score.outcome in condition.outcomes)
        and _is_number_within(condition, variant, text)
    )


def _do_marks_meet_condition(condition: BranchCondition, score: Score) -> bool:
    """Whether the marks meet the condition."""
    met = {mark.criterion for mark in score.marks if mark.status in MET_STATUSES}
    contradicted = {mark.criterion for mark in score.marks if mark.status in DENIED_STATUSES}
    return (
        met.issuperset(condition.met_criteria)
        and met.isdisjoint(condition.unmet_criteria)
        and contradicted.issuperset(condition.contradicted_criteria)
    )


def _is_number_within(condition: BranchCondition, variant: Variant, text: str) -> bool:
    """Whether the number in `text` is within the bounds of the condition; true without bounds."""
    if condition.below_number is None and condition.above_number is None:
        return True
    amount = variant.number_in(text)
    if amount is None:
        return False
    return (condition.below_number is None or amount < condition.below_number) and (
        condition.above_number is None or amount > condition.above_number
    )


def probe_count_left(talk: Conversation, turn: Turn) -> int:
    """How many probes the turn may still have; doubts are none."""
    return MAX_PROBES_PER_TURN - sum(not name.startswith(DOUBT_PREFIX) for name in talk.probes.get(turn.id, ()))


def probe_question(talk: Conversation, turn: Turn, variant: Variant, score: Score) -> tuple[Line, str] | None:
    """The question on the heaviest criterion that is open and not yet probed, contradicted ones first."""
    before = {name.removeprefix(DOUBT_PREFIX) for name in talk.probes.get(turn.id, ())}
    if probe_count_left(talk, turn) == 0:
        return None
    free = [
        m for m in score.marks if m.possible > 0 and m.criterion not in before and variant.follow_up_to(m.criterion)
    ]
    open_ones = [m for m in free if m.status not in MET_STATUSES]
    if not open_ones:
        return None
    chosen = max(open_ones, key=lambda m: (m.status == "contradicted", m.possible - m.earned))
    text = fill_numbers(variant.follow_up_to(chosen.criterion), talk.numbers, talk.case)
    return Line("interviewer", text, turn.id, _open_criterion_rule(chosen)), chosen.criterion


def doubt_question(talk: Conversation, turn: Turn, text: str, score: Score) -> tuple[Line, str] | None:
    """A question about a wrong step that was not doubted before, and the name of the step: a number explained by a
    known slip or far off, a rejected claim, a named misconception, or an amount that is off by a factor."""
    makers = {"numeric": _wrong_number_doubts, "text": _claim_doubts}
    doubts = makers[turn.kind](talk, turn, text, score) if turn.kind in makers else ()
    before = talk.probes.get(turn.id, ())
    fresh = ((asked, name, why) for asked, name, why in doubts if DOUBT_PREFIX + name not in before)
    return next(((Line("interviewer", asked, turn.id, why), DOUBT_PREFIX + name) for asked, name, why in fresh), None)


def _wrong_number_doubts(talk: Conversation, turn: Turn, text: str, score: Score) -> Iterator[tuple[str, str, str]]:
    """Yields the question about a wrong number, an empty name, and the rule."""
    if score.outcome in (Outcome.INCORRECT, Outcome.PARTIAL):
        slip = score.mistake_id or ("far" if _is_far_from_key(talk.variant, text) else None)
        if slip:
            yield DOUBT_QUESTION_BY_SLIP.get(slip, DOUBT_QUESTION_BY_SLIP[""]), "", "the number is wrong in a known way"


def _claim_doubts(talk: Conversation, turn: Turn, text: str, score: Score) -> Iterator[tuple[str, str, str]]:
    """Yields the questions about claims in a text, each with the name of its criterion or misconception, and its
    rule."""
    for mark in score.marks:
        if (
            mark.evidence_spans
            and not _only_names_a_case(text, mark)
            and (mark.earned < 0 or mark.status == "contradicted")
        ):
            words = text[mark.evidence_spans[0][0] : mark.evidence_spans[-1][1]]
            probe = talk.variant.follow_up_to(mark.criterion)
            yield f"You say “{words}”. {ARE_YOU_SURE_TEXT} {probe}".rstrip(), mark.criterion, _open_criterion_rule(mark)
    for sentence in split_sentences(text) if score.mistake_id else ():
        if believed := talk.variant.score(sentence).mistake_id:
            yield (
                f"You say “{sentence.rstrip('.')}”. {ARE_YOU_SURE_TEXT} Why?",
                believed,
                DOUBT_RULES_BESIDE_BRANCHES[0],
            )
    for mark in score.marks:
        if mark.status not in MET_STATUSES and (wrong := wrong_amount_text(talk.case, turn, mark.criterion, text)):
            probe = re.sub(r"^And .*", CHECK_AGAIN_TEXT, talk.variant.follow_up_to(mark.criterion))
            yield f"Are you sure about {wrong}? {probe}".rstrip(), mark.criterion, DOUBT_RULES_BESIDE_BRANCHES[1]


def wrong_amount_text(case: Case, turn: Turn, criterion: str, text: str) -> str:
    """The first amount in a text that is off by a factor from the one that a criterion of the turn requires; empty if
    there is none. Amounts of other criteria, and those of the question and the facts, are not wrong."""
    others = [right for name, right in turn.amounts.items() if name != criterion]
    given = " ".join((case.opening, turn.ask, *turn.changed_facts.values(), *(fact.say for fact in case.facts)))
    return amount_off_by_factor(text, turn.amounts.get(criterion), others, given)


def _is_far_from_key(variant: Variant, text: str) -> bool:
    """Whether a number is of another order of magnitude than the key."""
    given = variant.number_in(text)
    keys = (variant.number_in(sample.response) for sample in variant.samples() if sample.outcome is Outcome.CORRECT)
    key = next((k for k in keys if k), None)
    return bool(given and key and not 1 / FAR_OFF_FACTOR < abs(given / key) < FAR_OFF_FACTOR)


def _open_criterion_rule(mark: Mark) -> str:
    name = mark.criterion.replace("-", " ")
    return {
        "contradicted": f"what you said contradicts “{name}”",
        "negated": f"you denied “{name}”",
        "partial": f"“{name}” was only half there",
    }.get(mark.status, f"“{name}” was not heard")


def rule_text(branch: Branch, case: Case) -> str:
    """The rule of a branch of a case in words, for the debrief."""
    c, labels = branch.condition, {one.id: one.label for one in case.commitments}
    if c is None:
        return "nothing else applied"
    parts = [f"you covered “{n.replace('-', ' ')}”" for n in c.met_criteria]
    parts += [f"you left out “{n.replace('-', ' ')}”" for n in c.unmet_criteria]
    parts += [f"what you said contradicts “{n.replace('-', ' ')}”" for n in c.contradicted_criteria]
    parts += [f"you said {labels[b.commitment_id]} {b.relation} {points_decimal(b.number)}" for b in c.bounds]
    parts += [f"you gave no number for {labels[n]}" for n in c.uncommitted_ids]
    parts += [f"you asked for “{n}”" for n in c.requested_fact_ids]
    parts += [f"you never asked for “{n}”" for n in c.unrequested_fact_ids]
    parts += [f"your number is below {c.below_number}"] if c.below_number is not None else []
    parts += [f"your number is above {c.above_number}"] if c.above_number is not None else []
    parts += [f"the answer was {' or '.join(c.outcomes)}"] if c.outcomes else []
    return ", ".join(parts)
