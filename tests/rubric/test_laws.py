"""Laws that hold for any text: no crash, exact sums, bounded work, and what may not change a score. And as shares, on
the shipped bank's model answers, what may not change a score and what must."""

from __future__ import annotations

import hashlib
import pickle
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random

import pytest
import shipped
from formula.effort import calls
from hypothesis import example, given
from hypothesis import strategies as st

from quizgen.rubric.compile import compiled_index
from quizgen.rubric.response import read_response
from quizgen.rubric.rubric import Rubric
from quizgen.rubric.scopes import BUT_WORD_CUE
from quizgen.rubric.score import score_text
from quizgen.rubric.tokens import fold_text

from .hostile import HOSTILE
from .rubrics import adds_up, rubric_of
from .test_probes import ROWS, RUBRICS
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
    assert all(0 <= mark.earned <= mark.possible and 0 <= mark.certainty <= 1 for mark in scored.marks)
    for part in (*scored.marks, *scored.adjustments):
        assert all(0 <= start < end <= len(text) for start, end in part.evidence_spans)
    assert scored == score_text(rubric, text)


@given(PIECES)
def test_never_raises_and_always_adds_up(pieces: list[str]) -> None:
    laws_hold(TP, " ".join(pieces))
    assert score_text(TP, " ".join(pieces)).candidate_notes == ()


@cache
def shipped_rubrics() -> list[Rubric]:
    """A twelfth of those that ship."""
    found = (getattr(item, "rubric", None) for item in shipped.bank().items.values())
    return shipped.part_of((r for r in found if isinstance(r, Rubric) and r.model_answer), 0, 12)


@given(st.data())
def test_answers_torn_from_those_of_the_bank_keep_every_law(data: st.DataObject) -> None:
    """Parts of what was written for a rubric, right and wrong, between pieces of all kinds."""
    rubric = data.draw(st.sampled_from(shipped_rubrics()))
    words = " ".join((rubric.model_answer, *rubric.right_example_answers, *rubric.wrong_example_answers)).split()
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
    rubric.index_cache[:] = [pickle.loads(pickle.dumps(compiled_index(rubric)))]
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
    text = f"{' '.join(pieces)} {beside}"
    assert score_text(TP, text) == score_text(replace(TP), text)


JOINT = re.compile(r"(?<=[A-Za-z]{2})-(?=[A-Za-z]{2})")
# Ways to type the same answer.
VARIANTS: dict[str, Callable[[str], str]] = {
    "lower": str.lower,
    "upper": str.upper,
    "title": lambda t: re.sub(r"\b[a-z]", lambda m: m[0].upper(), t),
    "no-break blanks": lambda t: t.replace(" ", "\u00a0"),
    "two blanks": lambda t: t.replace(" ", "  "),
    "no-break hyphens": lambda t: t.replace("-", "\u2011"),
    "blanks for hyphens": lambda t: JOINT.sub(" ", t),
    "full width": lambda t: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in t),
    "decomposed": lambda t: unicodedata.normalize("NFD", t),
    "soft hyphens": lambda t: re.sub(r"([A-Za-z]{4})([A-Za-z]{4})", "\\1\u00ad\\2", t),
    "lines around": lambda t: f"\n\n  {t}  \n",
}


def share(rubric: Rubric, text: str) -> Fraction:
    scored = score_text(rubric, text)
    return scored.earned / scored.possible


def typo(text: str, draw: Random) -> str:
    """One letter of one long word exchanged with its neighbour, dropped, wrong, or one too many."""
    found = draw.choice(list(re.finditer(r"[A-Za-z]{7,}", text)))
    at = found.start() + draw.randrange(1, len(found[0]) - 1)
    letter = draw.choice("abcdefghijklmnopqrstuvwxyz")
    cut = {0: text[at + 1] + text[at], 1: text[at + 1], 2: letter + text[at + 1], 3: letter + text[at : at + 2]}
    return text[:at] + cut[draw.randrange(4)] + text[at + 2 :]


@pytest.fixture(scope="module")
def rubrics() -> list[Rubric]:
    """A third of those that ship."""
    found = (getattr(item, "rubric", None) for item in shipped.bank().items.values())
    return shipped.part_of((r for r in found if isinstance(r, Rubric) and r.model_answer), 0)


def changed(pairs: Iterator[tuple[Rubric, str, str]]) -> float:
    """The share of pairs of texts that differ and earn differently."""
    kept = [share(rubric, a) != share(rubric, b) for rubric, a, b in pairs if a != b]
    return sum(kept) / max(1, len(kept))


def test_one_typo_in_a_long_word(rubrics: list[Rubric]) -> None:
    draw = Random(11)
    assert changed((r, r.model_answer, typo(r.model_answer, draw)) for r in rubrics) <= 0.05


@pytest.mark.parametrize("way", list(VARIANTS))
def test_case_unicode_hyphens_and_spacing(rubrics: list[Rubric], way: str) -> None:
    assert changed((r, r.model_answer, VARIANTS[way](r.model_answer)) for r in rubrics) <= 0.01


def test_denied_claims_lose(rubrics: list[Rubric]) -> None:
    lost = [share(r, negated(r)) < share(r, r.model_answer) for r in rubrics]
    assert sum(lost) >= 0.8 * len(lost)


def test_words_in_any_order_earn_half_at_most(rubrics: list[Rubric]) -> None:
    earned = [share(r, shuffled(r.model_answer, turn)) for r in rubrics for turn in range(3)]
    assert sum(earned) <= 0.5 * len(earned)
    assert sum(e > Fraction(1, 2) for e in earned) <= 0.05 * len(earned)


def test_the_stem_echoed_earns_nothing(rubrics: list[Rubric]) -> None:
    for echo in (lambda s: s, lambda s: s.replace("?", "."), lambda s: f"Because {s.split(' ', 1)[-1].rstrip('?.')}."):
        earned = [share(r, echo(r.stem)) for r in rubrics]
        assert sum(earned) <= 0.05 * len(earned)


def test_the_right_answer_to_another_item_earns_next_to_nothing() -> None:
    """Of items on different things, as the probes are; items of one bank share much of what is right."""
    right = [(name, answer) for name, wanted, answer, _ in ROWS if set(wanted) == {"F"}]
    earned = [share(r, a) for other, a in right[::6] for name, r in RUBRICS.items() if name != other]
    assert len(earned) > 1_000
    assert sum(earned) <= 0.05 * len(earned)


@pytest.mark.parametrize(
    "answer", ["Latency is the sending delay between two hosts.", "Between two hosts, latency is the delay in sending."]
)
def test_another_order_of_the_model_answers_words_is_a_sentence(answer: str) -> None:
    rubric = rubric_of(
        "rubric: {criteria: [{id: delay, accept: ['latency delay|time hosts']}]}\n"
        "model_answer: Latency is the delay in sending between two hosts.\n"
    )
    assert score_text(rubric, answer).earned == 1


REASONS = frozenset(("because", "since", "so", "therefore", "thus", "hence"))


def negated(rubric: Rubric) -> str:
    """The model answer with every clause called untrue."""
    reading = read_response(compiled_index(rubric), fold_text(rubric.model_answer))
    turns = [p for p, cue in reading.cue_places_and_kinds if cue == BUT_WORD_CUE or reading.word_at(p) in REASONS]
    starts = sorted({0, *reading.later_sentence_starts, *(p for p in turns if reading.word_at(p + 1) != "that")})
    parts = []
    for start, end in zip(starts, [*starts[1:], len(reading.word_entries)], strict=True):
        if start in turns:
            start += 1
        if end - start >= 3:
            clause = reading.original_text(start, end - 1)
            keep = clause[:2].isupper() or not clause[0].isupper()
            parts.append(f"It is not true that {clause if keep else clause[0].lower() + clause[1:]}.")
    return " ".join(parts)


def shuffled(text: str, turn: int = 0) -> str:
    """The words of a text in an order that depends on them and `turn` alone."""
    found = [w.strip(".,;:!?") for w in text.split()]
    return " ".join(sorted(found, key=lambda w: hashlib.sha256(f"{turn} {w}".encode()).digest()))
