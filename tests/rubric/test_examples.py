"""Answers written beside an item, right and wrong, in scoring: what leans to the wrong ones counts in part."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

import pytest

from quizgen.rubric.contrast import ContrastAnswer, explain_unexpected_score, rubric_with_examples
from quizgen.rubric.index import MIN_EXAMPLE_TERMS, ExampleAnswers, stable_word_hash
from quizgen.rubric.score import score_text
from quizgen.source.problems import Where

from .rubrics import rubric_of

RUBRIC = rubric_of(
    """
    stem: Why does a database write a log ahead of its pages?
    rubric:
      criteria:
        - id: first
          say: The change is in the log before the page is written.
          accept: ["log before|first|ahead page*"]
        - id: crash
          say: After a crash the log is replayed.
          accept: ["crash|failure replay*|redo*|log"]
        - id: cheap
          say: The log is written in sequence, pages at random places.
          accept: ["log sequen*|append*", "random pages"]
    model_answer: >-
      The record of a change reaches the log on disk before the page does. After a crash the log is replayed, so a
      commit that was acknowledged survives. Appending to the log is sequential, while pages lie at random places.
    """
)
RIGHT = (
    "A commit only waits until its record is in the log, first of all; the pages may follow whenever the buffer pool "
    "likes. If the power fails, redo walks the log from the last checkpoint and repeats what the pages lack.",
    "Log before page. Crash: redo from the log, undo losers. Log is appended, sequential; pages would be random writes.",
)
WRONG = (
    "The log keeps a second copy of every page before it is changed, so that after a crash the old pages are copied "
    "back from the log and all transactions of the last hour are thrown away. It makes reads faster, as queries look "
    "into the log first and need no random access to the pages.",
    "Pages are flushed first and the log follows at night as a backup. After a crash the administrator restores the "
    "old copy of the pages, and the log only tells who changed what. Reading the log is faster than an index.",
)


def answer(text: str, share: Fraction | None, *ids: str) -> ContrastAnswer:
    return ContrastAnswer(text, share, ids, Where("bank.yaml", 1, 1))


ANSWERS = (*(answer(text, Fraction(1)) for text in RIGHT), *(answer(text, Fraction(0)) for text in WRONG))
KNOWING = rubric_with_examples(RUBRIC, ANSWERS)

# By another mind than the examples': the log taken for a backup of pages that speeds reads up.
MISTAKEN = (
    "The log holds copies of the old pages, first of all. After a crash the log gives the old pages back and the last "
    "transactions are thrown away; queries look into it, so reading is faster than random access to pages."
)
HALF_MISTAKEN = MISTAKEN.removesuffix(" than random access to pages.") + "."  # one criterion is not found
SOUND = (
    "Because a crash may come between two page writes. The log says what was to change and is on disk first, before "
    "any page; replaying it after the crash finishes committed work. Appending to a log is cheap, too."
)


def test_where_all_is_found_and_nothing_wrong_an_answer_keeps_its_points_and_is_less_sure() -> None:
    """A rubric's only wrong example, worded like a right one, would halve every right answer."""
    plain, leaning = score_text(RUBRIC, MISTAKEN), score_text(KNOWING, MISTAKEN)
    assert plain.earned == leaning.earned == RUBRIC.possible
    assert all(b.sure == pytest.approx(a.sure / 2) for a, b in zip(plain.marks, leaning.marks, strict=True))
    assert leaning.notes == ()


def test_an_answer_that_leans_to_wrong_ones_counts_in_part() -> None:
    paid = score_text(RUBRIC, HALF_MISTAKEN)
    leaning = score_text(KNOWING, HALF_MISTAKEN)
    assert paid.earned > 0
    assert leaning.earned <= paid.earned / 2
    assert {m.status for m in leaning.marks if m.earned} == {"partial"}
    assert all("resembles wrong ones" in m.because for m in leaning.marks if m.earned)
    named = re.findall(r'"([^"]+)"', leaning.notes[0])  # words of its own, that wrong answers say
    assert named
    assert all(word in HALF_MISTAKEN and any(word.lower()[:4] in wrong.lower() for wrong in WRONG) for word in named)


def test_a_right_answer_in_other_words_keeps_its_points() -> None:
    assert score_text(KNOWING, SOUND) == score_text(RUBRIC, SOUND)
    assert score_text(KNOWING, SOUND).earned == RUBRIC.possible


@pytest.mark.parametrize("text", ["Log first, page later.", "crash: replay the log", RUBRIC.model_answer, *RIGHT])
def test_a_short_answer_and_the_examples_themselves_keep_theirs(text: str) -> None:
    assert score_text(KNOWING, text).marks == score_text(RUBRIC, text).marks


def test_nothing_is_made_of_nothing() -> None:
    off = "The old pages are thrown away and queries are faster at night."
    assert score_text(RUBRIC, off).earned == score_text(KNOWING, off).earned == 0
    assert score_text(KNOWING, off).notes == ()


def test_check_tries_phrases_without_the_examples() -> None:
    # An answer would be found beside itself: check must see what the phrases alone pay for it.
    for wrong in (a for a in ANSWERS if a.expected_share == 0):
        assert explain_unexpected_score(KNOWING, wrong) == explain_unexpected_score(replace(RUBRIC, memo=[]), wrong)
    assert any(explain_unexpected_score(KNOWING, wrong) for wrong in ANSWERS if wrong.expected_share == 0)


def test_which_answers_are_examples() -> None:
    others = (answer("half", Fraction(1, 2)), answer("in part", None, "crash"), answer("a tenth", Fraction(1, 10)))
    mixed = (*ANSWERS, *others)
    taught = rubric_with_examples(RUBRIC, mixed)
    assert taught.right == (*RIGHT, "in part")  # what it says earns something
    assert taught.wrong == (*WRONG, "a tenth")  # what it says earns a quarter at most


def test_a_rubric_without_wrong_answers_is_as_it_was() -> None:
    only_right = rubric_with_examples(RUBRIC, ANSWERS[:2])
    assert score_text(only_right, MISTAKEN) == score_text(RUBRIC, MISTAKEN)


def numbers(words: Iterable[str]) -> list[int]:
    return [stable_word_hash(word) for word in words]


def test_lean_is_a_difference_of_shares() -> None:
    right, wrong = numbers(f"r{i}" for i in range(30)), numbers(f"w{i}" for i in range(40))
    examples = ExampleAnswers([numbers("s")], [right], [wrong])
    # n words have n - 1 + n - 2 + n - 3 pairs within three: 30 + 84 and 40 + 114, both more than LEAST.
    assert min(30 + 84, 40 + 114) > MIN_EXAMPLE_TERMS
    assert examples.lean_to_wrong([]) == 0
    assert examples.lean_to_wrong(right) == -1
    assert examples.lean_to_wrong(wrong) == 1
    assert examples.lean_to_wrong(wrong[:2]) == pytest.approx(3 / 154)  # two words and their pair
    assert examples.lean_to_wrong(wrong[1::-1]) == pytest.approx(3 / 154)  # in either order
    too_far_for_a_pair = [wrong[0], *numbers("abc"), wrong[1]]
    assert examples.lean_to_wrong(too_far_for_a_pair) == pytest.approx(2 / 154)
    assert examples.lean_to_wrong([*right[:3], *wrong[:1]]) == pytest.approx(1 / 154 - 6 / 114)
    assert examples.wrong_places([*numbers("x"), *wrong[:3], *numbers("x"), *wrong[9:11]]) == [1, 2, 3, 5, 6]

    # What both or the stem say leans nowhere.
    examples = ExampleAnswers([numbers("stem")], [right], [[*right, *numbers("stem")]])
    assert [examples.lean_to_wrong(said) for said in (right, numbers("stem"))] == [0, 0]
    # One wrong answer of four words: its share is taken of LEAST words and pairs, so a shared pair is little.
    examples = ExampleAnswers([], [numbers("a")], [numbers("wxyz")])
    assert examples.lean_to_wrong(numbers("wx")) == pytest.approx(3 / MIN_EXAMPLE_TERMS)
