"""What may not change a score and what must, as shares: on the shipped bank's model answers, and on scored
answers from elsewhere with rubrics drafted from their references."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
import shipped

from quizgen.commands.rubric import draft_rubric_yaml
from quizgen.rubric.rubric import Rubric
from quizgen.rubric.score import score_text

from .made_answers import negated, shuffled
from .rubrics import rubric_of
from .test_probes import ROWS, RUBRICS

ROOT = Path(__file__).resolve().parents[2]
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
    long = list(re.finditer(r"[A-Za-z]{7,}", text))
    if not long:
        return text
    found = draw.choice(long)
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


@pytest.fixture(scope="module", params=["saf_english.jsonl", "semeval_beetle.jsonl"])
def elsewhere(request: pytest.FixtureRequest) -> list[tuple[Rubric, str]]:
    """Rubrics drafted from question and reference alone, each with answers that earn something."""
    path = ROOT.parent / "shared" / "graded" / str(request.param)
    if not path.is_file():
        pytest.skip("no scored answers beside the checkout")
    made: dict[str, Rubric] = {}
    found: list[tuple[Rubric, str]] = []
    for line in path.read_text(encoding="utf-8").splitlines()[::21]:
        row = json.loads(line)
        model = (row.get("references") or [row["reference"]])[0]
        key = json.dumps([row["question"], model])
        if key not in made:
            text = draft_rubric_yaml(row["question"], model)
            if not text:
                continue
            made[key] = rubric_of(f"stem: {json.dumps(row['question'])}\n{text}model_answer: {json.dumps(model)}\n")
        if len(row["answer"]) < 3000 and score_text(made[key], row["answer"]).earned:
            found.append((made[key], row["answer"]))
    return found


def test_answers_from_elsewhere(elsewhere: list[tuple[Rubric, str]]) -> None:
    draw = Random(7)
    assert changed((r, a, typo(a, draw)) for r, a in elsewhere) <= 0.05
    for way, vary in VARIANTS.items():
        assert changed((r, a, vary(a)) for r, a in elsewhere) <= 0.01, way
    stems = {id(r): r for r, _ in elsewhere}.values()
    assert sum(share(r, r.stem) for r in stems) <= 0.05 * len(stems)


@pytest.mark.parametrize(
    "answer",
    ["Latency is the sending delay between two hosts.", "Between two hosts, latency is the delay in sending."],
)
def test_another_order_of_the_model_answers_words_is_a_sentence(answer: str) -> None:
    rubric = rubric_of(
        """
        rubric:
          criteria:
            - id: delay
              accept: ["latency delay|time hosts"]
        model_answer: Latency is the delay in sending between two hosts.
        """
    )
    assert score_text(rubric, answer).earned == 1
