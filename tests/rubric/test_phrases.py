"""The phrase language: what is read, and where a mistake is reported."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quizgen.rubric.phrases import PhraseError, is_plainly_valid, parse_phrase
from quizgen.rubric.score import score_text

from .rubrics import one


def words(text: str) -> list[list[str]]:
    """Each slot's alternatives as folded words, a prefix with its star."""
    return [
        [" ".join(w + "*" * star for w, star in zip(a.words, a.prefixes, strict=True)) for a in slot]
        for slot in parse_phrase(text).slots
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
        ("{a {b} c}", 0, "brace inside a brace"),
        ("a}", 1, "} right after a slot"),
        ("} a", 0, "} without {"),
        ("a||b", 1, "empty alternative after |"),
        ("|a", 0, "empty alternative before |"),
        ("a|", 1, "empty alternative after |"),
        ("{}", 1, "empty alternative in braces"),
        ("*", 0, "* without a word before it"),
        ("b*", 0, 'prefix "b*" is too short'),
        ("com*ute", 3, "* inside a word"),
        ("*ad*", 0, "* inside a word"),
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
    assert not is_plainly_valid(text)


@given(
    st.lists(st.sampled_from([*"abO3()|{} *\t.,-+%=\\'_/é½²", "log", "state*", "{a b", "}", " par", "'n"]), max_size=14)
)
@example(["rever[t*|undo*"])
@example(["{index|unstage\t*|staging}"])
@example(["exch'nge3*"])
@example(["\\scheme*"])
def test_what_looks_right_can_be_read(parts: list[str]) -> None:
    text = "".join(parts)
    if is_plainly_valid(text):
        assert parse_phrase(text).text == text


@pytest.mark.parametrize("phrase", ["main's history", "{main's history}", "dijkstra's", "users' history"])
def test_a_possessive_in_a_phrase_is_found(phrase: str) -> None:
    text = "The commits are still in main's history, in the users' history and in Dijkstra's."
    assert score_text(one(phrase), text).earned == 1


def test_a_long_list_of_alternatives_may_be_written_one_a_line() -> None:
    apart = parse_phrase("all-reduce |\n  communicat* |\n  {every layer}\nper|each  layer")
    assert apart.slots == parse_phrase("all-reduce|communicat*|{every layer} per|each layer").slots
