"""Answers written beside an item, right, wrong and half, that `quizgen check` tries on its rubric.

An item with no confident wrong answer is only known to reward right ones, and one with no right answer
in other words only to reward the author's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from quizgen.rubric.lacking import because
from quizgen.rubric.rubric import Rubric
from quizgen.rubric.score import score_text
from quizgen.source import Node, Problem, Where, did_you_mean, read_number, shorten, shown_points

MAX_ANSWERS: Final = 50
SLACK: Final = Fraction(1, 10)  # of the points, either way, where a share is asked
# Right answers in other words. On rubrics cut down to half of their phrases two of them found seven in ten of the
# refusals of other right answers (one: four in ten, three: no more than two); the number of phrases, slots and
# alternatives told nothing.
RIGHT: Final = 2
TOLD: Final = 3  # criteria of one answer
WRONG: Final = Fraction(1, 4)  # of the points: an answer that may earn no more is a wrong one


@dataclass(frozen=True, slots=True)
class ContrastAnswer:
    """An answer and what it must earn: the share `share` of the points, or exactly `ids` in full."""

    text: str
    share: Fraction | None
    ids: tuple[str, ...]
    where: Where


def parse_answers(node: Node, rubric: Rubric) -> tuple[ContrastAnswer, ...]:
    """`answers:` of a text item; every mistake is reported on its node."""
    listed = node.entries("answers")
    if len(listed) > MAX_ANSWERS:
        node.report(f"{len(listed)} answers", f"at most {MAX_ANSWERS}: keep those that differ")
    found = []
    for entry in listed[:MAX_ANSWERS]:
        fields = entry.fields(("earns", "text"), "an answer")
        if "earns" not in fields or "text" not in fields:
            if entry.shape == "mapping":
                entry.report("an answer needs earns and text", 'write {earns: none, text: "…"}')
            continue
        text = fields["text"].text("text").strip()
        share, ids = _earns(fields["earns"], [c.id for c in rubric.criteria])
        if text and (share is not None or ids):
            found.append(ContrastAnswer(text, share, ids, entry.where))
    return tuple(found)


def with_examples(rubric: Rubric, answers: tuple[ContrastAnswer, ...]) -> Rubric:
    """The rubric with the answers that are right, in part at least, and those that are wrong."""
    right = tuple(a.text for a in answers if a.share == 1 or a.ids)
    wrong = tuple(a.text for a in answers if a.share is not None and a.share <= WRONG)
    return replace(rubric, right=right, wrong=wrong, memo=[])


def _earns(node: Node, known: list[str]) -> tuple[Fraction | None, tuple[str, ...]]:
    if node.shape == "text":
        text = node.text("earns").strip()
        if text in ("all", "none"):
            return Fraction(text == "all"), ()
        if text.endswith("%"):
            value = read_number(text.removesuffix("%"))
            if value is not None and 0 <= value <= 100:
                return value / 100, ()
        if text and text not in known:
            hint = did_you_mean(text, ("all", "none", *known))
            node.report(
                f'earns "{shorten(text)}" is unknown', hint or "write all, none, 50% or a list of criterion ids"
            )
            return None, ()
    ids = []
    for part in node.entries("earns"):
        name = part.text("earns")
        if name and name not in known:
            part.report(f'no criterion "{shorten(name)}"', did_you_mean(name, known) or f"known: {', '.join(known)}")
        elif name:
            ids.append(name)
    return None, tuple(dict.fromkeys(ids))


def try_answers(rubric: Rubric, answers: tuple[ContrastAnswer, ...], where: Where, item: str) -> Iterator[Problem]:
    """A failure for each answer that does not earn what it says; warnings where right or wrong ones are wanting."""
    right = sum(answer.share == 1 for answer in answers)
    if right < RIGHT:
        message = f"{right or 'no'} right answer{'' if right == 1 else 's'} tried beside the model answer"
        hint = 'add {earns: all, text: "…"} until there are two, as two other people would say it; then widen accept'
        yield Problem(where, message, hint, item, "warning")
    if not any(_is_wrong(rubric, answer) for answer in answers):
        message = "no answer that is confident and wrong is tried"
        hint = 'add answers: [{earns: none, text: "…"}] with a mistake that people make, in the right words'
        yield Problem(where, message, hint, item, "warning")
    for answer in answers:
        wrong = broken(rubric, answer)
        if wrong:
            yield Problem(answer.where, wrong, "mend the rubric, or what the answer is said to earn", item, "failure")


def leaning_alone(rubric: Rubric, answers: tuple[ContrastAnswer, ...]) -> Iterator[tuple[Where, str]]:
    """Right answers that would lean to the wrong ones if they did not stand beside the item, and what a candidate
    would be told: the words named belong into a right answer too."""
    if not rubric.wrong:
        return
    for answer in answers:
        if answer.share == 1:
            others = tuple(other for other in answers if other is not answer)
            for told in score_text(with_examples(rubric, others), answer.text).notes:
                yield answer.where, told


def _is_wrong(rubric: Rubric, answer: ContrastAnswer) -> bool:
    if answer.share is not None:
        return answer.share <= WRONG
    return sum((c.points for c in rubric.criteria if c.id in answer.ids), Fraction(0)) <= WRONG * rubric.possible


def broken(rubric: Rubric, answer: ContrastAnswer) -> str:
    """What an answer earns otherwise than it should, and why; empty where it does not."""
    scored = score_text(rubric, answer.text, by_examples=False)  # it would be found beside itself
    share = scored.earned / scored.possible
    quoted = shorten(" ".join(answer.text.split()), 80)
    if answer.share is None:
        full = tuple(m.criterion for m in scored.marks if m.earned >= m.possible)
        if set(full) == set(answer.ids):
            return ""
        wanted, got = ", ".join(answer.ids), f"{', '.join(full) or 'no criterion'} in full"
        paid = [m for m in scored.marks if m.criterion not in answer.ids]
        odd = [m for m in scored.marks if (m.criterion in full) is not (m.criterion in answer.ids)]
    else:
        crumbs = not any(m.earned and not m.near for m in scored.marks)  # no criterion is met, in full or in part
        slack = SLACK if 0 < answer.share < 1 or (not answer.share and crumbs) else 0
        if abs(share - answer.share) <= slack:
            return ""
        wanted = "all" if answer.share == 1 else "none" if answer.share == 0 else f"{float(answer.share):.0%}"
        got = f"{shown_points(scored.earned)} of {shown_points(scored.possible)}"
        too_much = share > answer.share
        odd = [m for m in scored.marks if (m.earned > 0 if too_much else m.earned < m.possible)]
        paid = odd if too_much else []
    # What a phrase lacks helps where it should be met; where it is paid in part, it is to be met less.
    marks = [f"{m.criterion} is {m.status}, {m.because}" if m in paid else because(rubric, m, answer.text) for m in odd]
    why = "; ".join(marks[:TOLD] or [a.because for a in scored.adjustments])
    return f'"{quoted}" should earn {wanted} and earns {got}: {why}'
