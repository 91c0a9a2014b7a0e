"""The neutral form of a variant: what exporters see of every kind, and what a draft may lack."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
import shipped
from shipped import BankOf
from terminal.process import quizgen

from quizgen.draw import Stream
from quizgen.model import Outcome
from quizgen.portable_item import decimal

DRAFTS = """\
topic: sums
items:
  - {id: half, kind: choice, stem: Half of six?, status: draft, todo: [find distractors], key: "3"}
  - {id: why, kind: text, stem: Why carry?, status: draft, todo: write a rubric}
  - {id: bare, kind: numeric, stem: How many?, status: draft}
  - {id: done, kind: choice, stem: Twice two?, status: draft, key: "4", distractors: ["5"]}
"""


def test_every_shipped_item_has_a_neutral_form() -> None:
    """Of 156 numeric items, a yes-no is a choice and a tuple a text; all others are numbers."""
    kinds: Counter[tuple[str, str]] = Counter()
    for name in ("git", "distributed-training"):
        for item in shipped.bank(name).items.values():
            made = item.draw(Stream(item.id, "1")).plain()
            assert made is not None, item.id
            assert "{" not in made.stem or item.kind != "numeric" or "$" in made.stem or "`" in made.stem, made.stem
            kinds[item.kind, made.kind] += 1
    assert kinds[("numeric", "choice")] == kinds[("numeric", "text")] == 1
    assert (
        sum(kinds.values()) == kinds[("choice", "choice")] + kinds[("text", "text")] + kinds[("numeric", "numeric")] + 2
    )


def test_a_number_has_its_tolerance_its_mistakes_and_other_units() -> None:
    """300 MB at 12.5 MB/s take 24 s; every figure by hand."""
    number = shipped.bank("git").items["clone-time"].draw(Stream("clone-time", "1")).plain().number
    assert (number.value, number.unit, number.tolerance) == (192, "s", Fraction(1, 100))
    assert number.margin == 5  # what rounds to 190 is at most 5 off, and 1 % is 1.92
    assert dict(number.units)["min"] == 60
    assert number.wrong[0][0] * 8 == number.value, "the mistake takes bits for bytes"


def test_no_wrong_value_is_inside_the_tolerance() -> None:
    """A system that reads from the top would otherwise call a right number a mistake."""
    for item in shipped.bank().items.values():
        made = item.draw(Stream(item.id, "1")).plain()
        number = made.number if made else None
        for value, _ in number.wrong if number else ():
            assert abs(value - number.value) > number.margin, item.id  # type: ignore[union-attr]  # of this number


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(3, 10**9), "0.000000003"),
        (Fraction(1, 3), "0.333333333333"),
        (Fraction(26 * 10**9), "26000000000"),
        (Fraction(-5, 4), "-1.25"),
        (Fraction(0), "0"),
        (Fraction(10**20), "100000000000000000000"),
    ],
)
def test_numbers_have_no_exponent(value: Fraction, text: str) -> None:
    assert decimal(value) == text


def test_gaps_of_a_draft_are_warnings(bank_of: BankOf) -> None:
    """They keep nobody from reading the rest; a `todo` is told; a response to one is not marked wrong."""
    loaded = bank_of(DRAFTS)
    assert not loaded.errors
    items = loaded.readable.items
    assert set(items) == {"half", "why", "done"}
    assert items["half"].todo == ("find distractors",)
    assert [items[n].complete for n in items] == [False, False, True]
    told = [str(p) for p in items["why"].prove()]
    assert any("warning: todo: write a rubric" in line for line in told)
    assert items["why"].draw(Stream("why", "1")).score("because").outcome is Outcome.UNREADABLE
    assert items["half"].draw(Stream("half", "1")).samples()


def test_the_same_gaps_of_an_active_item_are_errors(bank_of: BankOf) -> None:
    assert len(bank_of(DRAFTS.replace("status: draft", "status: active")).errors) == 3


def test_a_bank_of_drafts_can_be_rehearsed(bank_of: BankOf) -> None:
    """What was imported is asked as it stands, and said to be a draft; what cannot be scored is not asked."""
    bank = bank_of(DRAFTS).readable
    done = quizgen("mock", bank.root, "--log", "log.jsonl", "--seed", "1", typed="4\n", cwd=Path(bank.root))
    assert "Every item of this bank is a draft" in done.stdout + done.stderr
    assert "Twice two?" in done.stdout
    assert "Why carry?" not in done.stdout
