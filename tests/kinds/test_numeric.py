"""Numeric items: drawing, reading back a log, scoring with steps and slips, author's mistakes."""

from __future__ import annotations

from fractions import Fraction

import pytest
from shipped import BankOf, drawn

from quizgen.answer_areas import NumericAnswerLine
from quizgen.bank.reader import LoadedBank
from quizgen.draw import SeededRng
from quizgen.kinds.numeric.item import NumericItem
from quizgen.markdown import inline_plain_text
from quizgen.model import Outcome
from quizgen.render.text import block_lines

ITEM = """
topic: memory
items:
  - id: n1
    kind: numeric
    stem: >-
      {N} weights of {w} each are spread over {K} GPUs. How much memory is that on each GPU?
    draw:
      N: [8e9 param, 16e9 param]
      K: {from: 2, to: 8, step: 2}
      w: [2 B/param, 4 B/param]
    formula:
      inputs:
        N: {is: number of parameters, unit: param}
        K: {is: number of GPUs, unit: 1, min: 1, whole: true}
        w: {is: bytes of a weight, unit: B/param}
      steps:
        total: w * N
        share: total / K
      unit: B
      misconceptions:
        - {id: whole-copy, value: w * N, say: Every GPU would hold all weights., credit: 0.25}
    answer: {unit: GB, tolerance: 1%}
    require: [N * w > 20e9 B]
    rationale: Each GPU holds one part in K.
    difficulty: 1
    seconds: 60
    source: definition
"""


def only(loaded: LoadedBank) -> NumericItem:
    assert not loaded.problems
    return loaded.required_bank.items["n1"]


def test_values_are_drawn_and_shown_as_people_write_them_and_require_holds(bank_of: BankOf) -> None:
    """13B for a count, 32 for a degree, 2 B/param for a size; and the response area names the unit. 8B weights of 2 bytes
    are 16 GB, which `require` refuses."""
    loaded = bank_of(ITEM)
    stems = {inline_plain_text(drawn(loaded, "n1", str(n)).prompt()[0].parts) for n in range(60)}
    assert "16B weights of 4 B/param each are spread over 8 GPUs. How much memory is that on each GPU?" in stems
    assert not [stem for stem in stems if "{" in stem or stem.startswith("8B weights of 2 B/param")]
    assert drawn(loaded, "n1").prompt()[-1] == NumericAnswerLine("GB")


def test_a_log_line_brings_its_variant_back(bank_of: BankOf) -> None:
    """`given` wins over the seed, as text, as a number, or in another unit; without both it says what is missing."""
    item = only(bank_of(ITEM))
    variant = item.draw(SeededRng("n1", "s"))
    assert item.redraw(variant.drawn_value_texts(), None).key_text() == variant.key_text()
    given = {"N": 16e9, "K": 4, "w": "2 B/param"}
    assert item.redraw(given, None).key_text() == "8 GB"
    assert item.redraw({"N": "12e9 param", "K": "6", "w": "16 b/param"}, None).key_text() == "4 GB"
    with pytest.raises(ValueError, match="given lacks K"):
        item.redraw({"N": "16e9"}, None)
    with pytest.raises(ValueError, match="K = -1"):
        item.redraw({"N": "16e9", "K": "-1", "w": "2"}, None)


# 16e9 weights of 2 bytes over 4 GPUs: 8 GB each, 7.4506 GiB.
RESPONSES = [
    ("7.45 GiB", Outcome.CORRECT, 1, None),
    ("8.079 GB", Outcome.CORRECT, 1, None),
    ("8.081 GB", Outcome.INCORRECT, 0, None),
    ("32 GB", Outcome.PARTIAL, Fraction(1, 4), "whole-copy"),
    ("64 GB", Outcome.INCORRECT, 0, "bits-for-bytes"),
    ("total = 32 GB; share = 8 GB", Outcome.CORRECT, 1, None),
    ("total = 30 GB; share = 7.5 GB", Outcome.PARTIAL, Fraction(1, 2), None),
    ("", Outcome.BLANK, 0, None),
    ("total = 32 GB; share = 8 or 9 GB", Outcome.UNREADABLE, 0, None),
]


@pytest.mark.parametrize(("text", "outcome", "earned", "diagnosis"), RESPONSES)
def test_a_response_has_its_outcome(
    bank_of: BankOf, text: str, outcome: Outcome, earned: Fraction, diagnosis: str | None
) -> None:
    """Right in any unit; wrong with the mistake it came from; unreadable with a way to write it."""
    variant = only(bank_of(ITEM)).redraw({"N": "16e9", "K": "4", "w": "2"}, None)
    score = variant.score(text)
    assert (score.outcome, score.earned, score.mistake_id) == (outcome, earned, diagnosis), score
    assert score.possible == 1


@pytest.mark.parametrize(
    ("tolerance", "accepts"),
    [
        ("1%", "7.92 GB to 8.08 GB (within 1 %)"),
        ("0.1%", "7.992 GB to 8.008 GB (within 0.1 %)"),
        ("0", "this value alone"),
    ],
)
def test_people_who_mark_see_the_range_and_the_mistakes(bank_of: BankOf, tolerance: str, accepts: str) -> None:
    """8 GB, and four times that where every GPU holds all."""
    variant = only(bank_of(ITEM.replace("1%", tolerance))).redraw({"N": "16e9", "K": "4", "w": "2"}, None)
    assert [line.strip(" -•") for line in block_lines(variant.marker_blocks()) if line.strip()] == [
        f"Accept: {accepts}, in any unit that fits.",
        "Known mistakes",
        "32 GB: Every GPU would hold all weights. Earns 25 % of the points.",
    ]


def test_choice_made_from_a_numeric_item(bank_of: BankOf) -> None:
    """Key and distractors come from the variant; every rank of the key is as likely."""
    item = bank_of(ITEM + "  - {id: c1, kind: choice, from: n1, seconds: 30}\n").required_bank.items["c1"]
    ranks = [0, 0, 0, 0]
    for n in range(120):
        variant = item.draw(SeededRng("c1", str(n)))
        texts = [option.text for option in variant.prompt()[-1].options]
        sizes = sorted(float(text.split()[0]) * (1000 if "TB" in text else 1) for text in texts)
        key = variant.key_text().split(": ")[1]
        ranks[sizes.index(float(key.split()[0]))] += 1
        assert len(set(texts)) == 4
        assert variant.score(key).outcome is Outcome.CORRECT
        again = item.redraw(variant.drawn_value_texts(), SeededRng("c1", str(n)))
        assert again.prompt() == variant.prompt()
    assert sum((r - 30) ** 2 / 30 for r in ranks) < 16.3  # 3 degrees of freedom, 0.1 %


SHAPES = """
items:
  - {id: yes, kind: numeric, stem: "More than 3 at {N}?", draw: {N: [2, 4]}, formula: {inputs: {N: {is: n, unit: 1}}, steps: {more: N > 3}, unit: "1"}}
  - {id: none, kind: numeric, stem: "How much below {N}?", draw: {N: [2, 4]}, formula: {inputs: {N: {is: n, unit: 1}}, steps: {x: N - 5}, unit: "1"}}
"""


@pytest.mark.parametrize(
    ("name", "right", "wrong"), [("yes", {"no"}, {"yes"}), ("none", {"-2.9703", "-3.0297"}, {"-2.9697", "-3.0303"})]
)
def test_a_key_that_is_not_above_0_makes_no_options(
    bank_of: BankOf, name: str, right: set[str], wrong: set[str]
) -> None:
    """N = 2 is not above 3; 2 - 5 = -3, and 0.99 and 1.01 of its tolerance of 1 %."""
    variant = bank_of(SHAPES).required_bank.items[name].redraw({"N": "2"}, None)
    assert variant.derived_choices(SeededRng(name, "s")) is None
    assert bool(variant.marker_blocks()) is (name == "none")  # yes or no has no range
    samples = variant.samples()
    assert {s.response for s in samples if s.outcome is Outcome.CORRECT} == right
    assert {s.response for s in samples if s.outcome is Outcome.INCORRECT} == wrong


@pytest.mark.parametrize("maths", [r"$\frac{v}{x}$", r"$$\begin{pmatrix} v \end{pmatrix}$$"])
def test_braces_of_maths_are_no_drawn_values(bank_of: BankOf, maths: str) -> None:
    """In line or displayed, `{pmatrix}` is TeX and not a place in the stem."""
    assert not [p for p in bank_of(ITEM.replace("{w} each", f"{{w}} each, {maths}")).problems if "not drawn" in str(p)]


FLEET = """
topic: costs
stimuli: [{id: fleet, text: "A fleet of {n}.", draw: {n: [100, 200]}}]
items:
  - {id: day, kind: numeric, stimulus: fleet, stem: A day?, formula: {inputs: {n: {is: n}}, steps: {d: 24 * n}}}
  - id: year
    kind: numeric
    stimulus: fleet
    after: {item: day, as: d}
    stem: A year?
    formula: {inputs: {d: {is: a day}}, steps: {y: d * 365}}
    rationale: Days of a year.
  - {id: options, kind: choice, from: year}
  - {id: part, kind: choice, stimulus: fleet, from: day}
  - {id: own, kind: choice, from: day, stem: "What are {n} a day?"}
"""


def test_choice_made_from_a_part_that_goes_on_prints_its_reasons_once_and_carries_nothing(bank_of: BankOf) -> None:
    loaded = bank_of(FLEET)
    told, year = (str(drawn(loaded, name).solution()) for name in ("options", "year"))
    assert told.count("Days of a year.") == 1
    assert "Carried forward" not in told  # who chooses an option has no number of an earlier part
    assert "Carried forward" in year
    assert "title='Derivation'" in told


def test_choice_made_from_another_fills_a_stem_of_its_own_and_shows_a_stimulus_once(bank_of: BankOf) -> None:
    loaded = bank_of(FLEET)
    for seed in "123456":
        part, own = (drawn(loaded, name, seed) for name in ("part", "own"))
        assert str(part.prompt()).count("A fleet of") == 1
        assert f"A fleet of {part.drawn_value_texts()['n']}." in str(part.prompt())
        asked = f"What are {own.drawn_value_texts()['n']} a day?"
        assert asked in str(own.prompt())
        assert "A fleet of" in str(own.prompt())
        assert own.portable_form().stem.endswith(asked)
        assert part.portable_form().stem.count("A fleet of") == 1
