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


def bank(rubric: str) -> str:
    return "rubric:\n" + rubric


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("  full_marks: 3\n", "1:1: the rubric has no criteria"),
        ("  criteria: []\n", "2:13: the rubric has no criteria"),
        ("  criteria:\n    - id: a\n", '3:7: criterion "a" has no accept and no number'),
        ("  criteria:\n    - accept: [x1]\n", "3:7: a criterion has no id"),
        (
            "  criteria:\n    - {id: a, accept: [x1]}\n    - {id: a, accept: [x2]}\n",
            '4:12: criterion "a" appears twice',
        ),
        ("  criteria:\n    - {id: a, accept: [x1], points: 0}\n", "3:37: points must be above 0"),
        ("  criteria:\n    - {id: a, accept: [x1], points: many}\n", "3:37: points must be a finite number"),
        (
            "  criteria:\n    - {id: a, acept: [x1]}\n",
            '3:15: unknown field "acept" of a criterion; did you mean "accept"?',
        ),
        ("  criteria:\n    - {id: a, accept: [x1], polarity: maybe}\n", '3:39: unknown polarity "maybe"'),
        (
            "  criteria:\n    - {id: a, accept: [x1], near: sentense}\n",
            "3:35: near must be sentence, answer or a number",
        ),
        ("  criteria:\n    - {id: a, accept: [x1], near: 0}\n", "3:35: near must be"),
        ('  criteria:\n    - {id: a, accept: ["x {y z"]}\n', "3:27: brace not closed"),
        ('  criteria:\n    - {id: a, accept: [""]}\n', "3:25: empty phrase"),
        ("  criteria:\n    - {id: a, accept: []}\n", "3:23: accept is empty"),
        ("  criteria:\n    - {id: a, accept: [{near: 6}]}\n", "3:24: the entry has no phrase"),
        (
            "  criteria:\n    - {id: a, accept: [{phrase: x, nere: 6}]}\n",
            '3:36: unknown field "nere" of an entry of accept',
        ),
        ("  criteria:\n    - {id: a, number: {unit: B}}\n", "3:23: number has no value"),
        ("  criteria:\n    - {id: a, number: {value: 1, unit: Bananas}}\n", "3:40: unknown unit"),
        (
            "  criteria:\n    - {id: a, accept: [x1]}\n  full_marks: 2\n",
            "4:15: full_marks 2 is not above 0 and at most 1, the sum",
        ),
        ("  criteria:\n    - {id: a, accept: [x1]}\n  full_marks: 0\n", "4:15: full_marks 0 is not above 0"),
        (
            "  criteria:\n    - {id: one, accept: [x1]}\n  groups: [{of: [on], at_most: 1}]\n",
            '4:18: no criterion "on"; did you mean "one"?',
        ),
        (
            "  criteria:\n    - {id: a, accept: [x1]}\n  groups: [{of: [a], at_most: 1}, {of: [a], at_most: 1}]\n",
            '4:41: criterion "a" is in two groups',
        ),
        ("  criteria:\n    - {id: a, accept: [x1]}\n  groups: [{of: [a]}]\n", "4:12: a group needs of and at_most"),
        (
            "  criteria:\n    - {id: a, accept: [x1]}\n  misconceptions: [{say: no}]\n",
            "4:20: a misconception has no match",
        ),
        (
            "  criteria:\n    - {id: a, accept: [x1]}\n  misconceptions: [{match: x, penalty: -1}]\n",
            "4:40: penalty must not be below 0",
        ),
        ("  pattern: x\n  criteria:\n    - {id: a, accept: [x1]}\n", '2:3: unknown field "pattern" of a rubric'),
    ],
)
def test_a_mistake_gives_one_problem_that_names_it(text: str, problem: str) -> None:
    _, problems = read(bank(text))
    assert len(problems) == 1, problems
    assert problem in problems[0]


def test_one_mistake_hides_no_other() -> None:
    _, problems = read(bank('  criteria:\n    - {id: a, accept: ["{x"], points: -1, near: far}\n  full_marks: x\n'))
    assert len(problems) == 4
