"""Growth rates, negators and comparatives in the spellings that candidates use."""

from __future__ import annotations

from quizgen.rubric.tokens import canonical_rate, is_growth_rate

from .rubrics import one, rubric_of, status


def test_a_word_is_no_rate() -> None:
    assert not any(is_growth_rate(word) for word in ("n", "log", "login", "linear", "mlog", "n4", "2n", "m2"))
    assert canonical_rate("n log2(n)") == canonical_rate("o(n * lg n)") == "o(nlogn)"


def test_what_the_model_answer_denies_is_matched_both_ways() -> None:
    text = "stem: What of it?\nrubric:\n  criteria:\n    - id: c\n      accept: [original chang*]\n"
    plain, denying = rubric_of(text), rubric_of(text + "model_answer: The original is not changed.\n")
    assert status(plain, "The original is not changed.") == "negated"
    assert status(denying, "The original is not changed.") == "found"


def test_what_is_no_such_thing_is_not_found() -> None:
    assert status(one("{repeatable read}"), "It allows non-repeatable reads.") == "missing"
    assert status(one("{repeatable read}"), "It uses repeatable read.") == "found"
    assert status(one("{non-repeatable read}"), "It allows non-repeatable reads.") == "found"
