"""Example answers of an item (right, wrong and partly right) that `quizgen check` tries on its rubric."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from quizgen.rubric import rubric as rubrics
from quizgen.rubric.parse import read_known_names
from quizgen.rubric.phrases import slot_texts
from quizgen.rubric.score import score_text
from quizgen.source.problems import Node, Problem, Where, did_you_mean, points_decimal, read_number, shorten

# -- Why a right answer was refused: the slot that a sentence lacks while it fills all others of a phrase.

_SENTENCE_BREAK_PATTERN: Final = re.compile(r"(?<=[.!?;])\s+|\n+")  # ends of sentences
MAX_ALTERNATIVES_SHOWN: Final = 5  # alternatives of a slot


@dataclass(frozen=True, slots=True)
class MissingSlot:
    """A phrase that a sentence fills except for slot `missing_index`; `filled_spans` are those of the other slots."""

    phrase: str
    slots: tuple[str, ...]
    missing_index: int
    filled_spans: tuple[tuple[int, int], ...]
    sentence: str

    @property
    def slot(self) -> str:
        return self.slots[self.missing_index]


def find_missing_slots(rubric: rubrics.Rubric, criterion: rubrics.Criterion, answer: str) -> Iterator[MissingSlot]:
    """Yields each accepted phrase of the criterion that a sentence of the answer fills except for one slot, even if the
    sentence denies it."""
    for sentence in _SENTENCE_BREAK_PATTERN.split(answer):
        for phrasing in criterion.accepted_phrases:
            slots = tuple(
                "|".join(f"{{{part}}}" if " " in part else part for part in slot) for slot in slot_texts(phrasing.text)
            )
            tests = (rubrics.Phrasing(slot, rubrics.WHOLE_ANSWER, False, rubrics.ANY_POLARITY) for slot in slots)
            criteria = tuple(
                rubrics.Criterion(str(n), accepted_phrases=(t,), allows_one_word=True) for n, t in enumerate(tests)
            )
            marks = score_text(rubrics.Rubric(criteria, synonyms=rubric.synonyms), sentence).marks
            lacking = [n for n, mark in enumerate(marks) if mark.status != rubrics.FOUND]
            if len(slots) > 1 and len(lacking) == 1:
                spans = tuple(mark.evidence[0] for mark in marks if mark.status == rubrics.FOUND)
                yield MissingSlot(phrasing.text, slots, lacking[0], spans, sentence)


def explain_mark(rubric: rubrics.Rubric, mark: rubrics.CriterionMark, answer: str) -> str:
    """Why an answer has this mark: the words that were found, and the slot that the closest sentence lacks."""
    reason = f"{mark.criterion} is {mark.status}, {mark.because}"
    if mark.status == rubrics.NEGATED:
        return f"{reason}; if the item asks what it prevents, polarity: any accepts both"
    criterion = next(c for c in rubric.criteria if c.id == mark.criterion)
    missing = find_missing_slots(rubric, criterion, answer) if mark.status in (rubrics.MISSING, rubrics.PARTIAL) else ()
    near = max(missing, key=lambda one: len(one.slots), default=None)
    if near is None:
        return reason
    names = near.slot.split("|")
    shown = "|".join(names[:MAX_ALTERNATIVES_SHOWN]) + "|…" * (len(names) > MAX_ALTERNATIVES_SHOWN)
    return f'{reason}; {shown} is not in "{near.sentence.strip()}"'


# -- Answers beside an item, right, wrong and half right, that `quizgen check` tries on its rubric.
# Without a confident wrong answer an item is only known to reward right ones; without a right answer in other
# words it is only known to reward the author's own.

MAX_ANSWERS: Final = 50
SHARE_TOLERANCE: Final = Fraction(1, 10)  # allowed difference in the share of the points
# Right answers in other words. On rubrics cut down to half of their phrases, two such answers revealed seven in ten
# of the refusals of other right answers (one: four in ten; three: no more than two). The number of phrases, slots
# and alternatives predicted nothing.
MIN_RIGHT_ANSWERS: Final = 2
MAX_REASONS: Final = 3  # criteria reported for one answer
MAX_WRONG_SHARE: Final = Fraction(1, 4)  # largest share of the points that a wrong answer may earn


@dataclass(frozen=True, slots=True)
class ContrastAnswer:
    """An example answer with the score that it must earn: the share `expected_share` of the points, or all points of
    exactly the criteria `expected_criteria` if `expected_share` is None."""

    text: str
    expected_share: Fraction | None
    expected_criteria: tuple[str, ...]
    where: Where


def parse_example_answers(node: Node, rubric: rubrics.Rubric) -> tuple[ContrastAnswer, ...]:
    """The example answers in `answers:` of a text item. Mistakes are reported on the nodes."""
    listed = node.entries("answers")
    if len(listed) > MAX_ANSWERS:
        node.report(f"{len(listed)} answers", f"at most {MAX_ANSWERS}: keep those that differ")
    answers = []
    for entry in listed[:MAX_ANSWERS]:
        fields = entry.fields(("earns", "text"), "an answer")
        if "earns" not in fields or "text" not in fields:
            if entry.shape == "mapping":
                entry.report("an answer needs earns and text", 'write {earns: none, text: "…"}')
            continue
        text = fields["text"].text("text").strip()
        share, ids = _parse_expected_score(fields["earns"], [c.id for c in rubric.criteria])
        if text and (share is not None or ids):
            answers.append(ContrastAnswer(text, share, ids, entry.where))
    return tuple(answers)


def rubric_with_examples(rubric: rubrics.Rubric, answers: tuple[ContrastAnswer, ...]) -> rubrics.Rubric:
    """The rubric with the right, partly right and wrong example answers, to which responses are compared."""
    right = tuple(a.text for a in answers if a.expected_share == 1 or a.expected_criteria)
    wrong = tuple(a.text for a in answers if a.expected_share is not None and a.expected_share <= MAX_WRONG_SHARE)
    return replace(rubric, right_examples=right, wrong_examples=wrong, index_cache=[])


def _parse_expected_score(node: Node, known: list[str]) -> tuple[Fraction | None, tuple[str, ...]]:
    if node.shape == "text":
        text = node.text("earns").strip()
        if text in ("all", "none"):
            return Fraction(text == "all"), ()
        value = read_number(text.removesuffix("%")) if text.endswith("%") else None
        if value is not None and 0 <= value <= 100:
            return value / 100, ()
        if text and text not in known:
            hint = did_you_mean(text, ("all", "none", *known)) or "write all, none, 50% or a list of criterion ids"
            node.report(f'earns "{shorten(text)}" is unknown', hint)
            return None, ()
    return None, tuple(dict.fromkeys(name for name, _ in read_known_names(node, "earns", "criterion", known)))


def check_answers(
    rubric: rubrics.Rubric, answers: tuple[ContrastAnswer, ...], where: Where, item: str
) -> Iterator[Problem]:
    """Yields a failure for each example answer with another score than expected, and warnings if some are lacking."""
    right = sum(answer.expected_share == 1 for answer in answers)
    if right < MIN_RIGHT_ANSWERS:
        message = f"{right or 'no'} right answer{'' if right == 1 else 's'} besides the model answer"
        hint = 'add {earns: all, text: "…"} until there are two, in the words of two people; then widen accept'
        yield Problem(where, message, hint, item, "warning")
    shares = [
        sum(c.points for c in rubric.criteria if c.id in answer.expected_criteria) / rubric.possible_points
        if answer.expected_share is None
        else answer.expected_share
        for answer in answers
    ]
    if all(share > MAX_WRONG_SHARE for share in shares):
        message = "there is no confident wrong answer"
        hint = 'add answers: [{earns: none, text: "…"}] with a mistake that people make, in the right words'
        yield Problem(where, message, hint, item, "warning")
    for answer in answers:
        wrong = explain_unexpected_score(rubric, answer)
        if wrong:
            yield Problem(answer.where, wrong, "fix the rubric, or the `earns` of the answer", item, "failure")


def expected_score_text(answer: ContrastAnswer) -> str:
    """The score that the author expects, in words: `all`, `none`, a percentage, or the ids of the criteria met."""
    if answer.expected_share is None:
        return ", ".join(answer.expected_criteria)
    return {Fraction(1): "all", Fraction(0): "none"}.get(answer.expected_share, f"{float(answer.expected_share):.0%}")


def _is_close_enough(expected_share: Fraction, scored: rubrics.TextScore) -> bool:
    """Whether a score differs from the expected share by no more than allowed. Where nothing is expected, near misses
    and a tenth of the points are let pass, but no criterion that is met by half."""
    difference = abs(scored.earned / scored.possible - expected_share)
    if difference <= (SHARE_TOLERANCE if 0 < expected_share < 1 else 0):
        return True
    beside = [m for m in scored.marks if not m.is_near_miss]
    return (
        expected_share == 0
        and sum(m.earned for m in beside) <= SHARE_TOLERANCE * scored.possible
        and all(2 * m.earned < m.possible for m in beside)
    )


def explain_unexpected_score(rubric: rubrics.Rubric, answer: ContrastAnswer) -> str:
    """How the score of an example answer differs from the expected one, and why; empty if they agree."""
    scored = score_text(rubric, answer.text, by_examples=False)  # with examples the answer would match itself
    earned = {m.criterion: m.earned for m in scored.marks}
    full = {m.criterion for m in scored.marks if m.earned >= m.possible}
    too_much = False
    if answer.expected_share is None:
        wrong = full.symmetric_difference(answer.expected_criteria)
        fits = not wrong
        got = f"{', '.join(name for name in earned if name in full) or 'no criterion'} in full"
    else:
        fits = _is_close_enough(answer.expected_share, scored)
        too_much = scored.earned > answer.expected_share * scored.possible
        # One more criterion of a group that earns all its points already would change nothing.
        groups = [
            g.criterion_ids for g in rubric.groups if sum(map(earned.__getitem__, g.criterion_ids)) >= g.max_points
        ]
        wrong = {name for name in earned if earned[name]} if too_much else earned.keys() - full.union(*groups)
        got = f"{points_decimal(scored.earned)} of {points_decimal(scored.possible)}"
    if fits:
        return ""
    # Report what a phrase lacks if it should be met, and what met it if it should not.
    marks = [
        f"{m.criterion} is {m.status}, {m.because}"
        if too_much or m.criterion in full
        else explain_mark(rubric, m, answer.text)
        for m in scored.marks
        if m.criterion in wrong
    ]
    why = "; ".join(marks[:MAX_REASONS] or [a.because for a in scored.adjustments])
    quoted = shorten(" ".join(answer.text.split()), 80)
    return f'"{quoted}" should earn {expected_score_text(answer)} and earns {got}: {why}'
