"""Folding: what is made equal, what is kept apart, and the way back to the candidate's characters. Stems are the same
on every machine, whatever else is installed there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from quizgen.rubric.spelling import word_stem
from quizgen.rubric.tokens import MAX_RESPONSE_CHARACTERS, TOKEN_PATTERN, TOKEN_PATTERN_TEXT, fold_text, is_growth_rate

from .rubrics import one, status

WORDS = yaml.safe_load(Path(__file__).with_name("words.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("text", "folded"), WORDS["folded"].items())
def test_spellings_fold_to_one(text: str, folded: str) -> None:
    assert fold_text(text).text == folded


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<b>bold</b> <a href='x'>link</a>", ["bold", "link"]),
        ("a &amp;&amp; b&nbsp;c &lt; d", ["a", "&", "&", "b", "c", "<", "d"]),
        (r"{a}{b} \times \log n", ["a", "b", "times", "log n"]),
        ("see https://example.org/a?b=c now", ["see", "now"]),
        ("[text](target) ![image](file.png)", ["text", "image"]),
        ("x<y and y>z", ["x", "<", "y", "and", "y", ">", "z"]),
        ("<T> is a type", ["<", "t", ">", "is", "a", "type"]),
    ],
)
def test_markup_is_no_text(text: str, words: list[str]) -> None:
    assert [m[0] for m in TOKEN_PATTERN.finditer(fold_text(text).text)] == words


@pytest.mark.parametrize("text", ["Ünïcode ﬁts 10⁶", "a\u0301b\u0302c", "plain", "x\u00ady", "𝟗𝟎𝟎 GB", "ﷺ text"])
def test_the_way_back(text: str) -> None:
    """Every place of the folded text leads to a character that folds to it."""
    folded = fold_text(text)
    for place in range(len(folded.text)):
        start, end = folded.original_char_span(place, place + 1)
        assert 0 <= start < end <= len(text)
    assert folded.original_char_span(0, len(folded.text)) == (0, len(text))


def test_the_cap() -> None:
    assert fold_text("x" * MAX_RESPONSE_CHARACTERS).is_cut is False
    long = fold_text("x" * (MAX_RESPONSE_CHARACTERS + 1))
    assert long.is_cut is True
    assert len(long.text) == MAX_RESPONSE_CHARACTERS
    assert len(fold_text("ﷺ" * 100).text) <= 400, "a character becomes four at most"


SLOW = re.compile(TOKEN_PATTERN_TEXT, re.VERBOSE)
PLAIN_TEXT = st.text(st.sampled_from("abco n'123.,;:!?-%e^()/#+\n_"), max_size=40)
# Rates and words that begin like one, abbreviations, stops.
PIECES = [
    " ", " ", "n", "m", "log", "lg", "2", "3", "squared", "of", "base", "network", "less", "-", "vs.", "i.e", "..",
]  # fmt: skip
PLAIN_PIECES = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@given(PLAIN_TEXT | PLAIN_PIECES)
def test_the_quick_expression_finds_the_same_tokens(text: str) -> None:
    assert [m[0] for m in TOKEN_PATTERN.finditer(text)] == [m[0] for m in SLOW.finditer(text)]


@pytest.mark.parametrize("written", ["O(n log n)", "n log2(n)", "O( n * log2(n) )", "Θ(n lg n)", "n log n"])
def test_a_complexity_has_one_spelling(written: str) -> None:
    assert status(one("O(n log n)"), f"It takes {written} at worst.") == "found"
    assert status(one("O(n log n)"), f"It takes O(n^2), not {written}.") == "negated"


def test_a_word_is_no_rate() -> None:
    assert not any(is_growth_rate(word) for word in ("n", "log", "login", "linear", "mlog", "n4", "2n", "m2"))


@pytest.mark.parametrize("forms", WORDS["one"])
def test_the_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len({word_stem(word.lower()) for word in forms.split()}) == 1


@pytest.mark.parametrize("words", WORDS["several"])
def test_different_words_have_different_stems(words: str) -> None:
    assert len({word_stem(word) for word in words.split()}) == len(words.split())
