"""`rubric:` in YAML: every field of the contract, and every mistake at its line and column."""

from __future__ import annotations

from fractions import Fraction

import pytest

from quizgen.rubric.rubric import IN_ANSWER, IN_NEXT, IN_SENTENCE, NumberTest

from .rubrics import read, rubric_of

WHOLE = """\
stem: Why?
rubric:
  criteria:
    - id: every-layer
      points: 2
      say: In every
        layer.
      accept:
        - "all-reduce|communicat* {every layer|each layer}"
        - {phrase: "{critical path}", near: 6, ordered: true, polarity: any}
      reject: ["{once per step}"]
      near: sentence
    - id: share
      points: 0.5
      number: {value: 16, unit: B/param, tolerance: 1%}
    - id: none
      polarity: negated
      fuzzy: off
      explain: true
      near: answer
      accept: server
  full_marks: 3
  groups: [{of: [share, none], at_most: 1}]
  misconceptions:
    - match: "tensor parallel* {less communication}"
      penalty: 1
      say: It is the other way round.
    - match: ["a b", {phrase: "c d", near: 3}]
synonyms: {all-reduce: [allreduce, all reduce]}
model_answer: An all-reduce in every layer.
"""


def test_every_field() -> None:
    rubric = rubric_of(WHOLE)
    first, second, third = rubric.criteria
    assert (first.id, first.points, first.say) == ("every-layer", 2, "In every layer.")
    assert [(p.near, p.ordered, p.polarity) for p in first.accept] == [(IN_SENTENCE, False, "assert"), (6, True, "any")]
    assert [p.near for p in first.reject] == [IN_SENTENCE]
    assert second.points == Fraction(1, 2)
    assert second.number == NumberTest(Fraction(16), "B/param", Fraction(1, 100), True)
    assert (third.fuzzy, third.needs_explanation, third.accept[0].polarity, third.accept[0].near) == (
        False,
        True,
        "negated",
        IN_ANSWER,
    )
    assert rubric.full_marks == rubric.possible == 3
    assert rubric.total == 3
    assert [(m.id, m.penalty, m.say) for m in rubric.misconceptions] == [
        ("misconception-1", 1, "It is the other way round."),
        ("misconception-2", 0, ""),
    ]
    assert [p.near for p in rubric.misconceptions[1].phrases] == [IN_NEXT, 3]
    assert rubric.synonyms == (("all-reduce", ("allreduce", "all reduce")),)


SOUND = "  criteria:\n    - {id: a, accept: [x1]}\n"


def with_fields(fields: str) -> str:
    """The one criterion of a rubric, by its fields."""
    return f"  criteria:\n    - {{id: a, {fields}}}\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("  full_marks: 3\n", "1:1: the rubric has no criteria"),
        ("  criteria: []\n", "2:13: the rubric has no criteria"),
        ("  criteria:\n    - id: a\n", '3:7: criterion "a" has no accept and no number'),
        ("  criteria:\n    - accept: [x1]\n", "3:7: a criterion has no id"),
        (SOUND + "    - {id: a, accept: [x2]}\n", '4:12: criterion "a" appears twice'),
        (with_fields("accept: [x1], points: 0"), "3:37: points must be above 0"),
        (with_fields("accept: [x1], points: many"), "3:37: points must be a finite number"),
        (with_fields("acept: [x1]"), '3:15: unknown field "acept" of a criterion; did you mean "accept"?'),
        (with_fields("accept: [x1], polarity: maybe"), '3:39: unknown polarity "maybe"'),
        (with_fields("accept: [x1], near: sentense"), "3:35: near must be sentence, answer or a number"),
        (with_fields("accept: [x1], near: 0"), "3:35: near must be"),
        (with_fields('accept: ["x {y z"]'), "3:27: brace not closed"),
        (with_fields('accept: [""]'), "3:25: empty phrase"),
        (with_fields("accept: []"), "3:23: accept is empty"),
        (with_fields("accept: [{near: 6}]"), "3:24: the entry has no phrase"),
        (with_fields("accept: [{phrase: x, nere: 6}]"), '3:36: unknown field "nere" of an entry of accept'),
        (with_fields("number: {unit: B}"), "3:23: number has no value"),
        (with_fields("number: {value: 1, unit: Bananas}"), "3:40: unknown unit"),
        (SOUND + "  full_marks: 2\n", "4:15: full_marks 2 is not above 0 and at most 1, the sum"),
        (SOUND + "  full_marks: 0\n", "4:15: full_marks 0 is not above 0"),
        (SOUND + "  groups: [{of: [aa], at_most: 1}]\n", '4:18: no criterion "aa"; did you mean "a"?'),
        (SOUND + "  groups: [{of: [a], at_most: 1}, {of: [a], at_most: 1}]\n", '4:41: criterion "a" is in two groups'),
        (SOUND + "  groups: [{of: [a]}]\n", "4:12: a group needs of and at_most"),
        (SOUND + "  misconceptions: [{say: no}]\n", "4:20: a misconception has no match"),
        (SOUND + "  misconceptions: [{match: x, penalty: -1}]\n", "4:40: penalty must not be below 0"),
        ("  pattern: x\n" + SOUND, '2:3: unknown field "pattern" of a rubric'),
    ],
)
def test_a_mistake_gives_one_problem_that_names_it(text: str, problem: str) -> None:
    _, problems = read("rubric:\n" + text)
    assert len(problems) == 1, problems
    assert problem in problems[0]


def test_one_mistake_hides_no_other() -> None:
    _, problems = read("rubric:\n" + with_fields('accept: ["{x"], points: -1, near: far') + "  full_marks: x\n")
    assert len(problems) == 4
