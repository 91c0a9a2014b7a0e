"""Growth rates, negators and comparatives in the spellings that candidates use."""

from __future__ import annotations

import pytest

from quizgen.rubric.tokens import canonical, is_complexity

from .rubrics import one, rubric_of, status


def found(phrase: str, answer: str) -> bool:
    return status(one(phrase), answer) == "found"


@pytest.mark.parametrize(
    ("phrase", "answers"),
    [
        ("{O(n^2)}", ["O(n2)", "O(n*n)", "O(n**2)", "n^2", "n²", "n squared", "n-squared steps", "quadratic", "n2"]),
        ("{O(log n)}", ["O(logn)", "log n", "log2(n)", "log base 2 of n", "lg n", "logarithmic", "O(log(n))"]),
        ("{O(n log n)}", ["n log n", "n*log(n)", "O(nlogn)", "n times log n", "Θ(n·log n)"]),
        ("{log n}", ["O(log n)", "logarithmically", "log2 n"]),
        ("{n squared}", ["O(n^2)", "n^2", "quadratically"]),
        ("n log n", ["O(n log n)", "nlogn"]),
        ("quadratic", ["O(n^2)", "it takes n squared steps"]),
        ("logarithm*", ["O(log n)"]),
        ("{O(n)}", ["linear time", "linearly", "O( n )"]),
        ("{O(1)}", ["constant time"]),
        ("log", ["log n", "a log file"]),
    ],
)
def test_growth_rates(phrase: str, answers: list[str]) -> None:
    assert [a for a in answers if not found(phrase, a)] == []


@pytest.mark.parametrize(
    ("phrase", "answers"),
    [
        ("{O(n^2)}", ["O(n)", "n", "n^3", "O(n log n)", "2^n", "n*n*n"]),
        ("{O(log n)}", ["O(n log n)", "n log n", "the log notes it"]),
        ("{O(n)}", ["linear probing", "n", "O(n^2)"]),
        ("{O(1)}", ["times a constant", "1"]),
    ],
)
def test_other_growth_rates(phrase: str, answers: list[str]) -> None:
    assert [a for a in answers if found(phrase, a)] == []


def test_a_word_is_no_rate() -> None:
    assert not any(is_complexity(word) for word in ("n", "log", "login", "linear", "mlog", "n4", "2n", "m2"))
    assert canonical("n log2(n)") == canonical("o(n * lg n)") == "o(nlogn)"


@pytest.mark.parametrize(
    ("phrase", "answers"),
    [
        ("{no children}", ["without any children", "it does not have children", "never has children", "no child"]),
        ("{does not end}", ["it doesn't end", "it never ends", "does not really end"]),
        ("{cannot change}", ["can't change", "can not change", "it can never change"]),
        ("{more dense}", ["denser"]),
        ("cheaper", ["it is more cheap"]),
    ],
)
def test_other_ways_to_put_it(phrase: str, answers: list[str]) -> None:
    assert [a for a in answers if not found(phrase, a)] == []


def test_what_the_model_answer_denies_is_matched_both_ways() -> None:
    text = "stem: What of it?\nrubric:\n  criteria:\n    - id: c\n      accept: [original chang*]\n"
    plain, denying = rubric_of(text), rubric_of(text + "model_answer: The original is not changed.\n")
    assert status(plain, "The original is not changed.") == "negated"
    assert status(denying, "The original is not changed.") == "found"


def test_what_is_no_such_thing_is_not_found() -> None:
    assert status(one("{repeatable read}"), "It allows non-repeatable reads.") == "missing"
    assert status(one("{repeatable read}"), "It uses repeatable read.") == "found"
    assert status(one("{non-repeatable read}"), "It allows non-repeatable reads.") == "found"
