"""What a marker of a number is told: the accepted range and what known mistakes come to."""

from __future__ import annotations

import pytest
from shipped import BankOf

from quizgen.draw import Stream
from quizgen.markdown import inline_text
from quizgen.page import Block, Bullets, Para

ITEM = """
items:
  - id: n1
    kind: numeric
    stem: How much is {N} parameters at two bytes, over 4 GPUs?
    draw: {N: [8e9 param]}
    formula:
      inputs: {N: {is: parameters, unit: param}, K: {is: GPUs, unit: "1", default: 4}}
      steps: {share: N * 2 B/param / K}
      unit: B
      misconceptions:
        - {id: whole, value: N * 2 B/param, say: Every GPU would hold all of it., credit: 0.25}
    answer: {unit: GB, tolerance: 1%}
"""


def lines(bank_of: BankOf, text: str) -> list[str]:
    (item,) = bank_of(text).readable.items.values()
    return [line for block in item.draw(Stream("n1", "s")).marking() for line in _lines(block)]


def _lines(block: Block) -> list[str]:
    match block:
        case Bullets(entries, _, _):
            return [line for entry in entries for one in entry for line in _lines(one)]
        case Para(parts):
            return [inline_text(parts)]
        case _:
            return []


def test_the_range_and_the_mistakes(bank_of: BankOf) -> None:
    """8e9 * 2 / 4 is 4 GB, 1 % of it 0.04 GB; the whole is 16 GB."""
    assert lines(bank_of, ITEM) == [
        "Accept: 3.96 GB to 4.04 GB (within 1 %), in any unit that fits.",
        "16 GB: Every GPU would hold all of it. Earns 25 % of the points.",
    ]


@pytest.mark.parametrize(
    ("tolerance", "told"),
    [
        ("0.1%", "Accept: 3.996 GB to 4.004 GB (within 0.1 %), in any unit that fits."),
        ("0", "Accept: this value alone, in any unit that fits."),
    ],
)
def test_narrow_tolerances(bank_of: BankOf, tolerance: str, told: str) -> None:
    assert lines(bank_of, ITEM.replace("1%", tolerance))[0] == told


def test_yes_or_no_has_no_range(bank_of: BankOf) -> None:
    text = ITEM.replace("share: N * 2 B/param / K", "fits: N * 2 B/param / K < 5e9 B").replace(
        "unit: B\n", 'unit: "1"\n'
    )
    text = text[: text.index("      misconceptions")]
    assert lines(bank_of, text) == []
