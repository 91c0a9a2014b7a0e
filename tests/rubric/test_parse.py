"""`rubric:` in YAML: every field of the contract, and every mistake at its line and column; and the phrase language:
what is read, and where a mistake is reported."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quizgen.rubric.phrases import PhraseError, is_plainly_valid_phrase, parse_phrase
from quizgen.rubric.rubric import WITHIN_ANSWER, WITHIN_NEXT_SENTENCE, WITHIN_SENTENCE, NumberTest
from quizgen.rubric.score import score_text

from .rubrics import one, read, rubric_of

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
    assert (first.id, first.points, first.statement) == ("every-layer", 2, "In every layer.")
    assert [(p.max_word_distance, p.is_ordered, p.polarity) for p in first.accepted_phrases] == [
        (WITHIN_SENTENCE, False, "assert"),
        (6, True, "any"),
    ]
    assert [p.max_word_distance for p in first.rejected_phrases] == [WITHIN_SENTENCE]
    assert second.points == Fraction(1, 2)
    assert second.number_test == NumberTest(Fraction(16), "B/param", Fraction(1, 100), True)
    assert (third.allows_misspelling, third.needs_explanation) == (False, True)
    phrasing = third.accepted_phrases[0]
    assert (phrasing.polarity, phrasing.max_word_distance) == ("negated", WITHIN_ANSWER)
    assert rubric.full_marks == rubric.possible_points == 3
    assert rubric.points_if_every_criterion_met == 3
    of_first, of_second = ("misconception-1", 1, "It is the other way round."), ("misconception-2", 0, "")
    assert [(m.id, m.penalty_points, m.correction) for m in rubric.misconceptions] == [of_first, of_second]
    assert [p.max_word_distance for p in rubric.misconceptions[1].phrases] == [WITHIN_NEXT_SENTENCE, 3]
    assert rubric.words_and_synonyms == (("all-reduce", ("allreduce", "all reduce")),)


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


def words(text: str) -> list[list[str]]:
    """Each slot's alternatives as folded words, a prefix with its star."""
    return [
        [" ".join(w + "*" * star for w, star in zip(a.words, a.prefix_flags, strict=True)) for a in slot]
        for slot in parse_phrase(text)
    ]


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("nvlink", [["nvlink"]]),
        ("nvlink faster", [["nvlink"], ["faster"]]),
        (
            "all-reduce|communicat* {every layer|per layer}",
            [["all reduce", "communicat*"], ["every layer", "per layer"]],
        ),
        ("*Adam*|sgd", [["*adam*", "sgd"]]),
        ("nvlink faster|bandwidth|{900 gb/s}", [["nvlink"], ["faster", "bandwidth", "900 gb s"]]),
        ("{stage 1|zero-1|first stage}", [["stage 1", "zero 1", "first stage"]]),
        ("{the heap}", [["heap"]]),
        ("{bulb a}", [["bulb a"]]),
        ("{tensor parallel* in}", [["tensor parallel* in"]]),
        ("O(n log n)", [["o(nlogn)"]]),
        ("{O( n * log2(n) )}", [["o(nlogn)"]]),
        ("16 B", [["16 b"]]),
        ("fp16 ZeRO-3", [["fp16"], ["zero 3"]]),
        (r"&& \0", [["&&"], [r"\0"]]),
        ("c++|c#", [["c++", "c#"]]),
        ("{Größe}", [["grosse"]]),
    ],
)
def test_a_phrase_is_read_into_slots(text: str, slots: list[list[str]]) -> None:
    assert words(text) == slots


@pytest.mark.parametrize(
    ("text", "offset", "message"),
    [
        ("", 0, "empty phrase"),
        ("every {each layer", 6, "brace not closed"),
        ("{a {b} c}", 0, "brace not closed"),
        ("a}", 1, "} without {"),
        ("} a", 0, "} without {"),
        ("a||b", 1, "empty alternative"),
        ("|a", 0, "empty alternative"),
        ("a|", 1, "empty alternative"),
        ("{}", 1, "empty alternative"),
        ("*", 0, "holds no word"),
        ("b*", 0, 'prefix "b*" is too short'),
        ("com*ute", 3, "* stands at no end of a word"),
        ("*ad*", 0, "* stands at no end of a word"),
        ("{x}y", 3, "right after a slot"),
        ("...", 0, "holds no word"),
        ("a " * 13, 0, "phrase of 13 slots"),
        ("x" * 1001, 0, "phrase of 1001 characters"),
        ("{" + "w " * 13 + "}", 1, "13 words in a row"),
    ],
)
def test_reports_where(text: str, offset: int, message: str) -> None:
    with pytest.raises(PhraseError) as caught:
        parse_phrase(text)
    assert message.replace('"', "") in caught.value.message.replace('"', "")
    assert caught.value.offset == offset
    assert caught.value.hint
    assert not is_plainly_valid_phrase(text)


@given(st.lists(st.sampled_from([*"abO3()|{} *\t.,-+%=\\'_/é½²", "log", "state*", "{a b", "}", " par"]), max_size=14))
@example(["rever[t*|undo*"])
@example(["{index|unstage\t*|staging}"])
@example(["exch'nge3*"])
@example(["\\scheme*"])
def test_what_looks_right_can_be_read(parts: list[str]) -> None:
    text = "".join(parts)
    if is_plainly_valid_phrase(text):
        assert parse_phrase(text)


@pytest.mark.parametrize("phrase", ["main's history", "{main's history}", "dijkstra's", "users' history"])
def test_a_possessive_in_a_phrase_is_found(phrase: str) -> None:
    text = "The commits are still in main's history, in the users' history and in Dijkstra's."
    assert score_text(one(phrase), text).earned == 1


def test_a_long_list_of_alternatives_may_be_written_one_a_line() -> None:
    apart = parse_phrase("all-reduce |\n  communicat* |\n  {every layer}\nper|each  layer")
    assert apart == parse_phrase("all-reduce|communicat*|{every layer} per|each layer")
