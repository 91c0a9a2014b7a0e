"""Every mistake of an author is one message at its line and column; a good formula has none."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from formula.written import ZERO2, formula_of, read
from quizgen.formula.errors import FormulaError

CONSTANTS = """
H100_flops: {is: dense bf16 peak, value: 989, unit: TFLOP/s, source: NVIDIA H100 data sheet, date: 2023-03}
"""


def test_a_good_formula(tmp_path: Path) -> None:
    formula = formula_of(tmp_path, ZERO2)
    assert list(formula.inputs) == ["N", "K", "w", "g", "o"]
    assert [step.name for step in formula.steps] == ["replicated", "sharded", "state"]
    assert formula.inputs["o"].default == 96  # bits
    assert formula.unit.symbol == "B"
    assert not formula.is_answer_whole


# Each case: what is replaced in ZERO2, where the message must point, and the message.
NOT_B = "the formula's unit is B"
EARLIER = "a step may use inputs and earlier steps: move the one that defines it above this one"
MISTAKES = {
    "unknown name": ("(g + o) *", "(g + oo) *", "oo)", 'unknown name "oo" in step sharded; did you mean "o"?'),
    "bytes plus seconds": (
        "replicated + sharded", "replicated + sharded + 1 s", "+ 1 s",
        "B and s cannot be added in step state; one is an amount of data (B), the other a time (s)",
    ),
    "elements as bytes": (
        "replicated + sharded", "2 * N", "2 * N",
        f"step state gives param, {NOT_B}: a count of param is not an amount of data (B); multiply by a rate (B/param), or change the unit",
    ),
    "rate as amount": (
        "replicated + sharded", "(replicated + sharded) / (2 s)", "(replicated",
        f"step state gives B/s, {NOT_B}: a rate (B/s) is not an amount of data (B); multiply by a time (s), or change the unit",
    ),
    "cycle": ("w * N\n", "state / 2\n", "state / 2", f'"state" is not known yet in step replicated; {EARLIER}'),
    "later": ("w * N\n", "w * N * late\n      late: K\n", "late\n", f'"late" is not known yet in step replicated; {EARLIER}'),
    "caret": ("w * N\n", "w ^ N\n", "^ N", '"^" is not read here in step replicated; write ** for a power'),
    "a test as a step": ("w * N\n", "N > 3\n", "N > 3", "step replicated is a test, not a number; only the last step may be a test or a tuple"),
    "missing title": ("    title: ZeRO-2 model state per GPU\n", "", "source", 'title is missing in formula "f"; add `title: …`'),
    "misspelt field": ("convention:", "konvention:", "konvention", 'unknown field "konvention" of a formula; did you mean "convention"?'),
    "misspelt input field": ("min: 1}", "mni: 1}", "mni", 'unknown field "mni" of input K; did you mean "min"?'),
    "unknown unit": ("unit: B\n", "unit: GBs\n", "GBs", 'unknown unit "GBs"; did you mean "GB"?'),
    "name of a function": ("      w: {is", "      max: {is", "max:", '"max" is a word of the formula language; choose another name'),
    "bad default": ("default: 12", "default: twelve", "twelve", 'o: "twelve" is not a quantity; write a number, or one with a unit such as 1 B/param'),
    "min above max": ("min: 1}", "min: 9, max: 3}", "9, max", "min is above max in input K; swap them"),
    "misconception name": ("(w + g) * N + o", "(w + gg) * N + o", "gg)", 'unknown name "gg" in misconception gradients-replicated; did you mean "g"?'),
    "misconception unit": (
        "(w + g) * N + o * N / K", "(w + g) * N / (1 s)", "(w + g)",
        "misconception gradients-replicated gives B/s, the answer is in B; multiply by a time (s), or change the unit",
    ),
    "credit": ("        say: That", "        credit: 1\n        say: That", "1\n        say", 'credit must be a share from 0% to below 100%, not "1"; write 60% or 0.6'),
    "wrong test": ("31.6875e9 B", "30e9 B", "{N: 13e9", "the test wants 30e9 B, the formula gives 31.6875 GB; correct the test or the formula"),
    "test out of range": ("K: 32, is", "K: 0, is", "{N: 13e9", "the test fails: K = 0 is below the input's min 1; give a larger one"),
    "test without an answer": (", is: 31.6875e9 B", "", "{N: 13e9", "a test needs the answer it expects; add `is: 31.7e9 B`"),
}  # fmt: skip


def place_of(text: str, mark: str) -> str:
    """`line:column` of the first `mark` in a formula's text as the file holds it."""
    lines = textwrap.dedent(text).lstrip("\n")
    before = lines[: lines.index(textwrap.dedent(mark) if "\n  " not in mark else mark.replace("\n    ", "\n"))]
    return f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_is_one_message(name: str, tmp_path: Path) -> None:
    old, new, mark, message = MISTAKES[name]
    text = ZERO2.replace(old, new, 1)
    assert text != ZERO2
    place = "1:1" if name.startswith("missing") else place_of(text, mark)
    assert read(tmp_path, text)[1] == [f"{place}: {message}"]


def test_constants_by_name(tmp_path: Path) -> None:
    text = """
    title: Time of a training run
    source: definition
    inputs:
      C: {is: work, unit: FLOP}
    steps:
      time: C / H100_flops
    unit: s
    """
    formula = formula_of(tmp_path, text, CONSTANTS)
    assert formula.evaluate({"C": "989e12"}).answer == 1
    assert list(formula.constants) == ["H100_flops"]


KINDS = """
    inputs:
      scheme: {is: scheme, one_of: [ddp, zero1, zero2]}
      tied: {is: tied, one_of: [true, false], default: false}
      strict: {is: strict, one_of: [0, 1], default: 1}
      size: {is: size, unit: GB, one_of: [40, 80], default: 80}
      times: {is: times, unit: s, list: true, default: "1, 2"}
    steps:
      a: case(scheme, ddp, 2, zero1, 3, 4) + if(tied, 10, 0) + if(strict, 100, 0) + strict * 1000
      b: a + sum(times) / (1 s) + size / (1 GB) + if(scheme != ddp, 0.5, 0)
    unit: 1
"""


def test_enums_lists_and_choices(tmp_path: Path) -> None:
    formula = formula_of(tmp_path, KINDS, inline=True)
    assert formula.evaluate({"scheme": "ddp"}).answer == 2 + 0 + 100 + 1000 + 3 + 80
    got = formula.evaluate({"scheme": "zero1", "tied": True, "strict": "0", "size": "40", "times": [1, "500 ms"]})
    assert float(got.answer) == 3 + 10 + 0 + 0 + 1.5 + 40 + 0.5  # type: ignore[arg-type]  # a number here


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("ddp, 2", "dpd, 2", 'dpd, 2: scheme is one of ddp, zero1, zero2 in step a; did you mean "ddp"?'),
        ("if(tied", "if(size", 'size, 10: "size" is not a test in step a; write a comparison such as x > 0'),
        ("sum(times)", "times", 'times / (1 s): "times" is a list in step b; take its sum, max, min or len'),
        (
            "a + sum",
            "scheme + sum",
            'scheme + sum: "scheme" is a word, not a number in step b; compare it: if(… == word, a, b), or use case',
        ),
        ("scheme != ddp", "scheme < ddp", "< ddp: words have no order for < in step b; use == or !="),
        ("a + sum", "ddp + sum", 'ddp + sum: "ddp" is a word of scheme in step b; write scheme == ddp'),
        ("[40, 80], default: 80", "[40, 80], default: 60", "60}: size = 60 is none of 40, 80; give one of them"),
    ],
)
def test_mistakes_with_kinds(old: str, new: str, wanted: str, tmp_path: Path) -> None:
    assert old in KINDS
    text = KINDS.replace(old, new, 1)
    formula, problems = read(tmp_path, text, inline=True)
    mark, _, message = wanted.partition(": ")
    assert formula is None
    assert problems == [f"{place_of(text, mark)}: {message}"]


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"N": "13e9"}, "input K has no value; give K: data-parallel degree"),
        ({"N": "13e9", "K": 0}, "K = 0 is below the input's min 1; give a larger one"),
        ({"N": "13e9", "K": "2.5"}, "K = 2.5 is not a whole number; give a whole number"),
        ({"N": "13 GB", "K": 2}, "N: 13 GB is an amount of data (B), not a count of param; give it in param"),
        ({"N": "13e9", "K": 2, "G": 1}, 'there is no input "G"; did you mean "g"?'),
        ({"N": "many", "K": 2}, 'N: "many" is not a quantity; write a number, or one with a unit such as 1 param'),
        ({"N": True, "K": 2}, "N: True is not a number; write a number such as 2 or 0.5"),
    ],
)
def test_given_values_that_cannot_be_used(given: dict[str, object], wanted: str, tmp_path: Path) -> None:
    formula = formula_of(tmp_path, ZERO2)
    with pytest.raises(FormulaError) as caught:
        formula.evaluate(given)
    assert str(caught.value) == wanted


@pytest.mark.parametrize(
    ("text", "whole"),
    [("l * h", True), ("12 * l * h**2", True), ("ceil(x)", True), ("l / h", False), ("l // h", True), ("x", False),
     ("max(l, floor(x))", True), ("if(x > 1, l, h)", True), ("if(x > 1, l, x)", False), ("l ** x", False), ("0.5 * l", False),
     ("case(l, 1, 2, 3)", True), ("round(x)", True), ("round(x, 1)", False), ("sqrt(l)", False), ("l % h - 1", True)],
)  # fmt: skip
def test_whole_by_construction(text: str, whole: bool, tmp_path: Path) -> None:
    inputs = "inputs:\n  l: {is: l, whole: true}\n  h: {is: h, whole: true}\n  x: {is: x}\n"
    formula, problems = read(tmp_path, f"{inputs}steps: {{a: '{text}'}}\n", inline=True)
    assert formula is not None, problems  # not every input is used
    assert formula.is_answer_whole is whole


def test_more_misconceptions_than_a_proof_can_compare_are_refused(tmp_path: Path) -> None:
    """The proof compares each with each other in each of up to 20,000 drawings: 500 of them took minutes."""
    head = "title: F\nsource: S\ninputs: {a: {is: a, unit: 1}}\nsteps: {t: 2 * a}\nmisconceptions:\n"
    entries = [f"  - {{id: m{n}, value: a + {n}, say: No.}}\n" for n in range(1, 34)]
    told = "6:3: 33 misconceptions; at most 32: keep the common ones"
    assert read(tmp_path, head + "".join(entries)) == (None, [told])
    assert len(formula_of(tmp_path, head + "".join(entries[:32])).misconceptions) == 32
