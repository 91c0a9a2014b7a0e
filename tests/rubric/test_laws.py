"""Laws that hold for any text: no crash, exact sums, bounded work, and what may not change a score."""

from __future__ import annotations

import pickle
from functools import cache

import pytest
import shipped
from formula.effort import calls
from hypothesis import example, given
from hypothesis import strategies as st

from quizgen.rubric.compile import compiled_index
from quizgen.rubric.rubric import Rubric
from quizgen.rubric.score import score_text
from quizgen.rubric.tokens import fold_text

from .hostile import HOSTILE
from .rubrics import adds_up, rubric_of
from .test_score import TP

PIECE = st.one_of(
    st.sampled_from(
        ["not", "no", "all-reduce", "every layer", "nvlink", "faster", "than", "network", "stage 1", ".", ",", "\n- ", ":",
         "no wait", "maybe", "it is not true that", "16 B", "O(n log n)", "critical path", "?", "(", ")", "without", "either", "or",
         "instead of", "ﷺ", "\u0301", "<b>", "\\frac", "$", "```", "once per step", "once", "1.", "&&", "unless", "doubt", "while",
         "2*63/64", "3-5", "1e9", "10^", "> 80 GB", "%", "half", "->", "=", "\n> ", "\n+ ", "a)", '"']
    ),
    st.text(max_size=6),
)  # fmt: skip
PIECES = st.lists(PIECE, max_size=40)


def laws_hold(rubric: Rubric, text: str) -> None:
    scored = score_text(rubric, text)
    assert adds_up(scored)
    assert 0 <= scored.earned <= scored.possible
    assert all(0 <= mark.earned <= mark.possible and 0 <= mark.sure <= 1 for mark in scored.marks)
    for part in (*scored.marks, *scored.adjustments):
        assert all(0 <= start < end <= len(text) for start, end in part.evidence)
    assert scored == score_text(rubric, text)


@given(PIECES)
def test_never_raises_and_always_adds_up(pieces: list[str]) -> None:
    laws_hold(TP, " ".join(pieces))
    assert score_text(TP, " ".join(pieces)).notes == ()


@cache
def shipped_rubrics() -> list[Rubric]:
    """A twelfth of those that ship."""
    found = (getattr(item, "rubric", None) for item in shipped.bank().items.values())
    return shipped.part_of((r for r in found if isinstance(r, Rubric) and r.model_answer), 0, 12)


@given(st.data())
def test_answers_torn_from_those_of_the_bank_keep_every_law(data: st.DataObject) -> None:
    """Parts of what was written for a rubric, right and wrong, between pieces of all kinds."""
    rubric = data.draw(st.sampled_from(shipped_rubrics()))
    words = " ".join((rubric.model_answer, *rubric.right, *rubric.wrong)).split()
    part = st.integers(0, len(words)).map(lambda at: " ".join(words[at : at + 5]))
    laws_hold(rubric, " ".join(data.draw(st.lists(part | PIECE, max_size=30))))


@given(PIECES)
@example(["not", "not", "not", "not", "once per step", "?", ")"])  # a bracket some blanks behind the question
def test_case_and_spacing_change_nothing(pieces: list[str]) -> None:
    text = " ".join(p for p in pieces if p.isascii() and "\n" not in p)
    base = [(m.status, m.earned) for m in score_text(TP, text.lower()).marks]
    assert [(m.status, m.earned) for m in score_text(TP, text.lower().replace(" ", "  ")).marks] == base


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_costs_no_more_than_a_few_calls_a_character(text: str) -> None:
    """A quarter of each, as work that grew faster than its length would show there, too."""
    text = text[: len(text) // 4]
    score_text(TP, text)  # what a word means is worked out once
    assert calls(lambda: score_text(TP, text)) <= 100_000


def test_a_compiled_rubric_that_travelled_scores_the_same() -> None:
    model = "Rings carry gradients around, chunk by chunk."
    rubric = rubric_of(f"model_answer: {model}\nrubric: {{criteria: [{{id: c, accept: [rings]}}]}}\n")
    text = "gradients go around slowly in rings, chunk by chunk"
    first = score_text(rubric, text)
    rubric.memo[:] = [pickle.loads(pickle.dumps(compiled_index(rubric)))]
    assert score_text(rubric, text) == first


@pytest.mark.timeout(30)
@pytest.mark.parametrize("letters", ["abcdefghijkl", "abcdefghijklmnopqrstuvwx"])
def test_synonyms_spell_an_alternative_in_so_many_ways_and_no_more(letters: str) -> None:
    """Twelve words in braces of which each has a hundred synonyms: two such braces kept the compiler busy for minutes."""
    others = "".join(f"  {a}: [{', '.join(f'{a}q{n}' for n in range(100))}]\n" for a in letters)
    braces = f"{{{' '.join(letters[:12])}}} {{{' '.join(letters[-12:])}}}"
    rubric = rubric_of(f"synonyms:\n{others}rubric:\n  criteria:\n    - id: one\n      accept: [word, '{braces}']\n")
    assert score_text(rubric, "word").earned == 1


PLAIN_CHARACTERS = st.text(st.characters(exclude_characters="<>&\\[](:/"), max_size=60)


@given(PLAIN_CHARACTERS)
def test_folding_twice_is_folding_once(text: str) -> None:
    """Outside of markup, which may nest."""
    once = fold_text(text).text
    assert fold_text(once).text == once


RIGHT = {"every-layer": "Each layer ends in an all-reduce.", "bandwidth": "NVLink has more bandwidth."}
BESIDE = ["People like that.", "The weather is fine.", "This was asked in another interview too.", ""]


@given(st.permutations([*RIGHT, "", ""]), st.sampled_from(BESIDE), st.integers(0, 3))
def test_what_is_right_adds_up_wherever_it_stands(order: list[str], beside: str, place: int) -> None:
    parts = [RIGHT[name] for name in order if name]
    parts.insert(place, beside)
    assert score_text(TP, " ".join(parts)).earned == 3
    assert score_text(TP, " ".join(p for p in parts if p != RIGHT["bandwidth"])).earned == 2
    assert score_text(TP, beside).earned == 0


@given(PIECES, st.sampled_from(BESIDE))
def test_memory_of_other_answers_changes_nothing(pieces: list[str], beside: str) -> None:
    """A rubric that has read much grades like one that has read nothing."""
    fresh = Rubric(TP.criteria, TP.full_marks, TP.groups, TP.misconceptions, TP.synonyms, TP.stem, TP.model_answer)
    text = f"{' '.join(pieces)} {beside}"
    assert score_text(TP, text) == score_text(fresh, text)
