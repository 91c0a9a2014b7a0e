"""Numeric items: drawing, reading back a log, scoring with steps and slips. What `answer:` and `find:` say: tolerances
as shares and as amounts, digits, bounds that are drawn; what goes on from a rounded number; what other programs get.
What the stem tells the reader, that what `check` prints is read, and money as people write it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from shipped import BankOf, drawn

from quizgen.answer_areas import NumericAnswerLine
from quizgen.bank.reader import LoadedBank
from quizgen.draw import SeededRng
from quizgen.formula.quantity import Tolerance
from quizgen.kinds.numeric.item import NumericItem
from quizgen.markdown import pieces_as_plain_text
from quizgen.model import Outcome
from quizgen.render.text import wrap_blocks

ITEM = """
topic: memory
items:
  - id: n1
    kind: numeric
    stem: >-
      {N} weights of {w} each are spread over {K} GPUs. How much memory is that on each GPU?
    draw: {N: [8e9 param, 16e9 param], K: {from: 2, to: 8, step: 2}, w: [2 B/param, 4 B/param]}
    formula:
      inputs: {N: {is: size, unit: param}, K: {is: GPUs, min: 1, whole: true}, w: {is: of a weight, unit: B/param}}
      steps: {total: w * N, share: total / K}
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
    stems = {pieces_as_plain_text(drawn(loaded, "n1", str(n)).prompt()[0].inline_pieces) for n in range(60)}
    assert "16B weights of 4 B/param each are spread over 8 GPUs. How much memory is that on each GPU?" in stems
    assert not [stem for stem in stems if "{" in stem or stem.startswith("8B weights of 2 B/param")]
    assert drawn(loaded, "n1").prompt()[-1] == NumericAnswerLine("GB")


def test_a_log_line_brings_its_variant_back(bank_of: BankOf) -> None:
    """`given` wins over the seed, as text, as a number, or in another unit; without both it says what is missing."""
    item = only(bank_of(ITEM))
    variant = item.draw(SeededRng("n1", "s"))
    assert item.rebuild_variant(variant.drawn_log_values(), None).key_text() == variant.key_text()
    assert item.rebuild_variant({"N": 16e9, "K": 4, "w": "2 B/param"}, None).key_text() == "8 GB"
    assert item.rebuild_variant({"N": "12e9 param", "K": "6", "w": "16 b/param"}, None).key_text() == "4 GB"
    with pytest.raises(ValueError, match="given lacks K"):
        item.rebuild_variant({"N": "16e9"}, None)
    with pytest.raises(ValueError, match="K = -1"):
        item.rebuild_variant({"N": "16e9", "K": "-1", "w": "2"}, None)


# 16e9 weights of 2 bytes over 4 GPUs: 8 GB each, 7.4506 GiB.
RESPONSES = [
    ("7.45 GiB", Outcome.CORRECT, 1, None),
    ("8.079 GB", Outcome.CORRECT, 1, None),
    ("8.081 GB", Outcome.INCORRECT, 0, None),
    ("32 GB", Outcome.PARTIAL, Fraction(1, 4), "whole-copy"),
    ("total = 20 GB; share = 32 GB", Outcome.PARTIAL, Fraction(1, 4), "whole-copy"),  # more than no right step earns
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
    variant = only(bank_of(ITEM)).rebuild_variant({"N": "16e9", "K": "4", "w": "2"}, None)
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
    variant = only(bank_of(ITEM.replace("1%", tolerance))).rebuild_variant({"N": "16e9", "K": "4", "w": "2"}, None)
    assert [line.strip(" -•") for line in wrap_blocks(variant.marker_only_blocks()) if line.strip()] == [
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
        assert item.rebuild_variant(variant.drawn_log_values(), SeededRng("c1", str(n))).prompt() == variant.prompt()
    assert sum((r - 30) ** 2 / 30 for r in ranks) < 16.3  # 3 degrees of freedom, 0.1 %


SHAPES = """
items:
  - {id: yes, kind: numeric, stem: "More than 3 at {N}?", draw: {N: [2, 4]}, formula: {inputs: {N: {is: n, unit: 1}}, steps: {more: N > 3}, unit: "1"}}
  - {id: none, kind: numeric, stem: "How much below {N}?", draw: {N: [2, 4]}, formula: {inputs: {N: {is: n, unit: 1}}, steps: {x: N - 5}, unit: "1"}}
"""


@pytest.mark.parametrize(
    ("name", "right", "wrong"), [("yes", {"no"}, {"yes"}), ("none", {"-2.9703", "-3.0297"}, {"-2.9697", "-3.0303"})]
)
def test_a_key_not_above_0_makes_no_options(bank_of: BankOf, name: str, right: set[str], wrong: set[str]) -> None:
    """N = 2 is not above 3; 2 - 5 = -3, and 0.99 and 1.01 of its tolerance of 1 %."""
    variant = bank_of(SHAPES).required_bank.items[name].rebuild_variant({"N": "2"}, None)
    assert variant.generated_choice_options(SeededRng(name, "s")) == ()
    assert bool(variant.marker_only_blocks()) is (name == "none")  # yes or no has no range
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
        assert f"A fleet of {part.drawn_log_values()['n']}." in str(part.prompt())
        asked = f"What are {own.drawn_log_values()['n']} a day?"
        assert asked in str(own.prompt())
        assert "A fleet of" in str(own.prompt())
        assert own.portable_item().stem.endswith(asked)
        assert part.portable_item().stem.count("A fleet of") == 1


def written(
    unit: str = "GB",
    value: str = "10 GB",
    steps: str = "all: x * 1",
    stem: str = "How much is it?",
    answer: str = "{}",
    more: str = "",
) -> str:
    """The item `one`: steps from x, which is a value in a unit, and what is asked of it."""
    return f"""
items:
  - id: one
    kind: numeric
    stem: {stem}
    formula:
      inputs: {{x: {{is: x, unit: {unit}, default: {value}}}}}
      steps: {{{steps}}}
      unit: {unit}
      {more}
    answer: {answer}
"""


GB = 8 * 10**9
ANSWERS = [
    ("{tolerance: 2%}", "GB", Tolerance(Fraction(2, 100))),
    ("{tolerance: 512 MB}", "GB", Tolerance(Fraction(0), Fraction(GB) * 512 / 1000)),
    ("{tolerance: {absolute: 0.5}}", "GB", Tolerance(Fraction(0), Fraction(GB, 2))),
    ("{tolerance: {absolute: 0.01 %}}", "'%'", Tolerance(Fraction(0), Fraction(1, 10**4))),
    ("{tolerance: 0.01 %}", "'%'", Tolerance(Fraction(1, 10**4))),
    ("{tolerance: 0.5%, digits: 3}", "GB", Tolerance(Fraction(1, 200), min_digits=3)),
    ("{digits: 2}", "GPU", Tolerance(Fraction(0), min_digits=2)),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "unit", "tolerance"), ANSWERS)
def test_a_tolerance_is_a_share_or_an_amount(bank_of: BankOf, answer: str, unit: str, tolerance: Tolerance) -> None:
    value, step = {"GB": ("10 GB", "x / 1"), "'%'": ("50 %", "x / 1"), "GPU": ("10 GPU", "ceil(x)")}[unit]
    item = bank_of(written(unit, value, f"all: {step}", answer=answer)).required_bank.items["one"]
    assert item.tolerance == tolerance


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("{tolerance: 3 s}", "3 s is a time (s), not an amount of data (B)"),
        ("{tolerance: 200%}", "tolerance must be a share from 0% to below 100%"),
        ("{tolerance: {absolute: -1 GB}}", "a tolerance is not below 0"),
        ("{tolerance: {relative: 1%}}", "unknown field"),
        ("{digits: 0}", "digits must be a whole number from 1 to 15"),
    ],
)
def test_what_is_no_tolerance_is_told(bank_of: BankOf, answer: str, told: str) -> None:
    made = bank_of(written(answer=answer))
    assert any(told in p.message for p in made.problems), [str(p) for p in made.problems]


@pytest.mark.parametrize(
    ("answer", "text", "outcome"),
    [
        ("{tolerance: 0.5 GB}", "10.5 GB", Outcome.CORRECT),
        ("{tolerance: 0.5 GB}", "9.49 GB", Outcome.INCORRECT),
        ("{tolerance: 0.5 GB}", "9.8 GiB", Outcome.INCORRECT),  # 10.52 GB
        ("{tolerance: 0.05 GB}", "10.1", Outcome.INCORRECT),  # below 1 %: no digits count
    ],
)
def test_an_amount_is_the_edge(bank_of: BankOf, answer: str, text: str, outcome: Outcome) -> None:
    assert drawn(bank_of(written(answer=answer)), "one").score(text).outcome is outcome


@pytest.mark.parametrize(
    ("value", "key"), [("99.99654321 %", "99.99654%"), ("100 %", "100%"), ("100.00025 %", "100.00025%")]
)
def test_no_key_below_a_hundred_prints_as_a_hundred(bank_of: BankOf, value: str, key: str) -> None:
    variant = drawn(bank_of(written("'%'", value, answer="{unit: '%'}")), "one")
    assert variant.key_text() == key
    assert f"result_text='{key}'" in str(variant.solution())


# -- bounds that are drawn ------------------------------------------------------------------

FIND = """
items:
  - id: one
    kind: numeric
    stem: "{{N}} parameters at 16 bytes each; a GPU may hold {{budget}}. How many GPUs at least?"
    {draw}
    formula:
      inputs: {{N: {{is: params, unit: param}}, K: {{is: GPUs, unit: 1, whole: true, min: 1}}}}
      steps: {{share: N * 16 B/param / K + 0 B / (K - 1)}}
      unit: B
    find: {{input: K, at_most: {bound}}}
"""
DRAWN = "draw: {N: [7e9 param, 13e9 param], budget: [40 GB, 80 GB]}"


@pytest.mark.parametrize(
    ("bound", "draw"),
    [
        ("budget", DRAWN),
        ("'{budget}'", "cases: [{N: 7e9 param, budget: 40 GB}, {N: 13e9 param, budget: 80 GB}, {N: 7e9 param, budget: 80 GB}]"),
    ],
)  # fmt: skip
def test_a_bound_may_be_drawn(bank_of: BankOf, bound: str, draw: str) -> None:
    """112 GB at 40 GB each take 3 GPUs, at 80 GB 2; 208 GB at 80 GB take 3."""
    item = bank_of(FIND.format(draw=draw, bound=bound)).required_bank.items["one"]
    for n, budget, key in (("7e9", "80 GB", "2"), ("13e9", "80e9 B", "3"), ("7e9", "40 GB", "3")):
        variant = item.rebuild_variant({"N": n, "budget": budget}, None)
        assert variant.key_text() == key
        assert variant.drawn_log_values()["budget"] in (budget, "80 GB")
        assert "budget" not in str(variant.prompt())
    assert variant.score("3 GPUs").outcome is Outcome.CORRECT
    assert variant.score("2").mistake_id == "off-by-one"
    assert "at most 40 GB" in str(variant.solution())
    assert not [p for p in item.find_problems() if p.severity != "warning"]


@pytest.mark.parametrize(
    ("bound", "told"),
    [("budgte", '"budgte" is neither drawn nor a quantity; did you mean "budget"?'), ("N", '"N" is not a quantity')],
)
def test_a_bound_that_is_not_drawn_is_told(bank_of: BankOf, bound: str, told: str) -> None:
    draw = "draw: {N: [7e9 param]}" if bound == "N" else DRAWN.replace("budget: [40 GB, 80 GB]", "budget: [40 GB]")
    problems = bank_of(FIND.format(draw=draw, bound=bound)).problems
    assert any(told in str(p) for p in problems), [str(p) for p in problems]


# -- what goes on from a rounded number -----------------------------------------------------

PARTS = """
stimuli: [{id: day, text: "A day brings {n} queries.", draw: {n: [115]}}]
items:
  - id: first
    kind: numeric
    stimulus: day
    stem: What is a hundredth?
    formula: {inputs: {n: {is: n}}, steps: {part: 132.25 / n}}
  - id: second
    kind: numeric
    stimulus: day
    after: {item: first, as: part}
    stem: And 1000 times that?
    formula: {inputs: {part: {is: part}}, steps: {all: part * 1000}}
"""


@pytest.mark.parametrize(
    ("earlier", "later", "outcome"),
    [
        ("1.15", "1150", Outcome.CORRECT),
        ("1.2", "1100", Outcome.CORRECT),  # 1150 to two digits
        ("1.2", "1210", Outcome.CORRECT),  # within 1 % of what follows from 1.2
        ("1.2", "1250", Outcome.INCORRECT),
    ],
)
def test_what_follows_from_a_rounded_part_is_right(bank_of: BankOf, earlier: str, later: str, outcome: Outcome) -> None:
    variant = drawn(bank_of(PARTS), "second")
    assert variant.score_given_earlier_response(later, earlier).outcome is outcome
    with pytest.raises(ValueError, match="first without an answer: division by zero"):
        variant.item.rebuild_variant({"n": "0"}, None)


@pytest.mark.parametrize(
    ("text", "earned"),
    [
        ("part = 1.2; all = 1210", 1),  # follows from the rounded step
        ("part = 1.3; all = 1300", Fraction(1, 2)),  # follows from a wrong one
        ("part = 1.2; all = 1300", Fraction(1, 2)),
    ],
)
def test_what_follows_from_a_rounded_step_is_right(bank_of: BankOf, text: str, earned: Fraction | int) -> None:
    made = bank_of(written("1", "115", "part: x / 100, all: part * 1000", answer="{unit: '1'}"))
    assert drawn(made, "one").score(text).earned == earned


# -- for programs with one tolerance --------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "wrong", "margin"),
    [
        ("{unit: GB}", "", Fraction("0.5")),  # of 15.53: 16 is 0.47 off, 1 % is 0.16
        ("{unit: GB, digits: 3}", "", Fraction("0.1553")),
        ("{unit: GB}", "15.9 GB", Fraction("0.1553")),  # two digits would let the mistake in
        ("{unit: GB}", "16.1 GB", Fraction("0.5")),
        ("{unit: GB, tolerance: 1 GB}", "", Fraction(1)),
    ],
)
def test_one_tolerance_takes_two_digits(bank_of: BankOf, answer: str, wrong: str, margin: Fraction) -> None:
    extra = f"misconceptions: [{{id: m, value: x / x * {wrong}, say: No.}}]" if wrong else ""
    made = bank_of(written("B", "15.53 GB", answer=answer, more=extra))
    assert drawn(made, "one").portable_item().number.margin == margin


HIT, DOWN = "How long does a hit take?", "How many hours is it down in a year?"
RIGHT, WRONG, ASKED = Outcome.CORRECT, Outcome.INCORRECT, Outcome.UNREADABLE


@pytest.mark.parametrize(
    ("stem", "key", "text", "outcome"),
    [
        # a calendar period that the question tells may be left out
        ("What is it worth per year?", "900 USD/year", "$900", RIGHT),
        ("It earns $75 a month. What is it worth?", "900 USD/year", "$900", ASKED),
        ("It earned $1,800 in two years at 3 % a year. What is it worth?", "900 USD/year", "$900", RIGHT),
        ("What is its yearly yield?", "900 USD/year", "$75 a month", RIGHT),
        ("What is it worth?", "900 USD/year", "$900", ASKED),
        # the last of several chains is the answer, unless it is offered
        (HIT, "60 ms", "rho = 0.5, T = 30 ms/(1-0.5) = 60 ms", RIGHT),
        (HIT, "60 ms", "60 ms, incl. the hit", RIGHT),
        (HIT, "60 ms", "2 * 15 ms = 30 ms, or 60 if both ways count", ASKED),
        # a share is no time
        (DOWN, "0.9995 h", "A = 0.99975 * 0.99975 = 0.9995, so 99.95 % up", ASKED),
    ],
)
def test_the_stem_says_which_number_answers(bank_of: BankOf, stem: str, key: str, text: str, outcome: Outcome) -> None:
    assert drawn(bank_of(written(key.split()[1], key, stem=stem)), "one").score(text).outcome is outcome


def test_the_parts_of_a_tuple_have_the_names_of_the_stem(bank_of: BankOf) -> None:
    stem = "What are (row, column) of cell 7 in a grid four wide?"
    variant = drawn(bank_of(written("1", "7", "rank: x // 4, place: 'tuple(rank, x % 4)'", stem)), "one")
    assert variant.prompt()[-1].requested_numbers_text == "two numbers: row, column"
    assert variant.echo_response("1, 3").text == "row 1, column 3"
    assert variant.score("column 3, row 1").outcome is RIGHT


def test_the_numbers_of_a_tuple_are_in_the_unit_of_the_answer(bank_of: BankOf) -> None:
    items = written("GB", "4 GB", "pair: 'tuple(x / 2, x * 2)'", "What are half of 4 GB and twice as much, in GB?")
    variant = drawn(bank_of(items), "one")
    assert variant.key_text() == "(2, 8)"
    outcomes = {text: variant.score(text).outcome for text in ("(2, 8)", "2 GB, 8 GB", "(16e9, 64e9)")}
    assert list(outcomes.values()) == [RIGHT, RIGHT, Outcome.INCORRECT]


def test_a_printed_step_that_reads_as_something_else_is_told(bank_of: BankOf) -> None:
    """A bank whose own word for rows is also how its solutions print gigabytes."""
    items = written("1", "3", "size: x * 2 GB, all: size / 2 GB", "How many rows?")
    for words, failures in (("rows, gb", 1), ("rows", 0)):
        made = bank_of(items, **{"bank.yaml": f"units: {{row: [{words}]}}\n"}).required_bank.items["one"]
        told = [p.message for p in made.find_problems() if p.severity == "failure"]
        assert ['"size = 6 GB", is read as 6 rows' in message for message in told] == [True] * failures


@pytest.mark.parametrize(
    "steps", ["size: 'if(x > 2, impossible, x)', all: size * 2", "held: x * 1 TB, all: held / 1 TB"]
)
def test_a_run_that_ends_early_and_a_unit_that_is_read_nowhere_are_no_failures(bank_of: BankOf, steps: str) -> None:
    """`check` ended in a traceback for the first, and told the author of the second to rename a unit of its own."""
    made = bank_of(written("1" if "size" in steps else "s", "3", steps)).required_bank.items["one"]
    assert not [p for p in made.find_problems() if p.severity == "failure"]


def test_a_value_inside_code_has_no_commas(bank_of: BankOf) -> None:
    text = "'`run --rows {x}` reads {x} rows; how many?'"
    items = written("1", "8192", stem=text).replace("    formula:", "    draw: {x: [8192]}\n    formula:")
    assert drawn(bank_of(items), "one").stem_text == "`run --rows 8192` reads 8,192 rows; how many?"


PRICES = """
topic: prices
units: {EUR: [euros, €]}
items:
  - id: gross
    kind: numeric
    stem: A chair costs {net} net, and {tax} of VAT are added. What is its gross price?
    draw: {net: [80.50 EUR], tax: [20 %]}
    formula:
      inputs: {net: {is: net price, unit: EUR}, tax: {is: VAT, unit: "%"}}
      steps: {vat: net * tax, all: net + vat}
      unit: EUR
  - id: rate
    kind: numeric
    stem: You get 540 dollars for 500 euros. How many dollars is a euro?
    formula: {inputs: {d: {is: dollars, unit: USD, default: 540 USD}}, steps: {r: d / (500 EUR)}, unit: USD/EUR}
"""


@pytest.mark.parametrize(
    ("item", "text", "outcome"),
    [
        # 80.50 EUR and a fifth of it: 96.60 EUR
        ("gross", "96.60", RIGHT),
        ("gross", "9660 cents", RIGHT),
        ("gross", "96.60 incl. VAT", RIGHT),
        ("gross", "$96.60", WRONG),
        ("gross", "£96.60", ASKED),
        ("rate", "1 EUR = 1.08 USD", RIGHT),
    ],
)
def test_an_answer_as_people_write_it(bank_of: BankOf, item: str, text: str, outcome: Outcome) -> None:
    assert drawn(bank_of(PRICES), item).score(text).outcome is outcome


def test_an_amount_in_a_currency_is_printed_with_its_code_and_has_parts(bank_of: BankOf) -> None:
    variant = drawn(bank_of(PRICES), "gross")
    assert "costs 80.5 EUR net" in str(variant.prompt()[0])
    assert variant.echo_response("96.6").text == "96.6 EUR"
    assert not [p for p in variant.item.find_problems() if p.severity == "failure"]


def test_a_currency_that_nobody_declared_is_told_how(bank_of: BankOf) -> None:
    told = [str(p) for p in bank_of(PRICES.replace("units: {EUR: [euros, €]}\n", "")).problems]
    assert any("let the bank count it: `units: {EUR: [euros, €]}`" in line for line in told), told
    told = [str(p) for p in bank_of(PRICES.replace("unit: EUR", "unit: euros")).problems]
    assert any('unknown unit "euros"; write EUR: euros is only a way to' in line for line in told), told


@pytest.mark.parametrize(
    ("code", "spelt", "text"), [("AUD", "$", "$96.60"), ("JPY", "yen", "96.6 yen"), ("CHF", "Fr", "Fr. 96.60")]
)
def test_the_sign_is_that_of_the_banks_currency(bank_of: BankOf, code: str, spelt: str, text: str) -> None:
    loaded = bank_of(PRICES.replace("{EUR: [euros, €]", f"{{{code}: [{spelt}]").replace("EUR", code))
    assert drawn(loaded, "gross").score(text).outcome is RIGHT
