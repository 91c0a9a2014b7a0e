"""Blueprint + bank + seed -> form: what is taken, in which order, and what it does not know."""

from __future__ import annotations

from fractions import Fraction

import pytest
from shipped import BankOf

from quizgen.assemble import CannotAssemble, assemble, mixed_blueprint, reassemble_form, select_items
from quizgen.model import Bank, Blueprint, Section


def item(number: int, topic: str = "t", difficulty: int = 1, extra: str = "") -> str:
    return (
        f"  - id: i{number}\n    kind: choice\n    topic: {topic}\n    stem: Stem {number}?\n"
        f"    key: right {number}\n    distractors: [wrong, worse, worst]\n    difficulty: {difficulty}\n"
        f"    seconds: 50\n{extra}"
    )


@pytest.fixture
def bank(bank_of: BankOf) -> Bank:
    body = "".join(item(n, topic="even" if n % 2 == 0 else "odd", difficulty=1 + n % 5) for n in range(20))
    return bank_of(f"items:\n{body}{item(99, extra='    status: retired')}").readable


def plan(*sections: Section, minutes: int | None = None) -> Blueprint:
    return Blueprint("plan", "Plan", sections, None if minutes is None else Fraction(minutes))


def test_sections_take_what_they_ask_for(bank: Bank) -> None:
    """Topics, difficulties, counts and named items are kept; no item comes twice."""
    form = assemble(bank, plan(Section(topics=("even",), count=4), Section(count=3, include=("i1", "i3"))), "s")
    ids = [e.variant.item.id for e in form.entries]
    assert len(set(ids)) == 7
    assert all(e.variant.item.topic == "even" for e in form.entries if e.section == 0)
    assert {"i1", "i3"} <= {e.variant.item.id for e in form.entries if e.section == 1}


def test_retired_items_stay_out(bank: Bank) -> None:
    """`status: retired` keeps an item out of new forms."""
    form = assemble(bank, mixed_blueprint(), "s")
    assert "i99" not in {e.variant.item.id for e in form.entries}
    assert len(form.entries) == 20


def test_too_many_is_told(bank: Bank) -> None:
    """The message names the section, what it wants and what there is."""
    with pytest.raises(CannotAssemble, match=r"section 1 wants 11 items on even, the bank has 10"):
        assemble(bank, plan(Section(topics=("even",), count=11)), "s")


def test_same_seed_same_form_other_seed_other_form(bank: Bank) -> None:
    """A form is a function of its seed."""
    one = assemble(bank, mixed_blueprint(5), "s")
    assert one == assemble(bank, mixed_blueprint(5), "s")
    assert one != assemble(bank, mixed_blueprint(5), "t")
    assert one.code != assemble(bank, mixed_blueprint(5), "t").code


def test_items_seen_lately_come_last(bank: Bank) -> None:
    """What was seen is taken only when nothing else is left."""
    seen = {f"i{n}" for n in range(12)}
    assert not seen & {i.id for i, _ in select_items(bank, mixed_blueprint(8), "s", avoid=seen)}
    assert len(seen & {i.id for i, _ in select_items(bank, mixed_blueprint(10), "s", avoid=seen)}) == 2


def test_a_log_brings_its_form_back(bank: Bank) -> None:
    """Item ids and seed are enough for the same variants in the same order."""
    form = assemble(bank, mixed_blueprint(6), "s")
    again = reassemble_form(bank, mixed_blueprint(6), "s", [e.variant.item.id for e in form.entries])
    assert [e.variant.prompt() for e in again.entries] == [e.variant.prompt() for e in form.entries]
    assert again.code == form.code


def test_minutes_are_the_items_budgets(bank: Bank) -> None:
    """Six items of 50 seconds take five minutes; a blueprint's own minutes win."""
    assert assemble(bank, mixed_blueprint(6), "s").minutes == 5
    assert assemble(bank, plan(Section(count=6), minutes=30), "s").minutes == 30


def test_adding_an_item_moves_no_other_variant(bank_of: BankOf) -> None:
    """The options of an item depend on its id and the seed alone."""
    small = bank_of("items:\n" + item(1)).bank
    large = bank_of("items:\n" + item(0) + item(1) + item(2)).bank
    assert small is not None
    assert large is not None
    first = next(e.variant for e in assemble(small, mixed_blueprint(), "s").entries)
    second = next(e.variant for e in assemble(large, mixed_blueprint(), "s").entries if e.variant.item.id == "i1")
    assert first.prompt() == second.prompt()


def test_a_choice_made_from_an_item_stands_beside_it_only_where_nothing_else_is_left(bank_of: BankOf) -> None:
    """Its options hold the other's key, with the same values."""
    number = "  - {{id: n{0}, kind: numeric, topic: t, stem: S, formula: {{steps: {{x: {0} * 2}}}}}}\n"
    made = "  - {{id: c{0}, kind: choice, from: n{0}}}\n"
    loaded = bank_of("items:\n" + "".join(number.format(n) + made.format(n) for n in range(1, 7)))
    for seed in range(40):
        both = plan(Section(kinds=("numeric",), count=2), Section(kinds=("choice",), count=3))
        for blueprint in (mixed_blueprint(6), both):
            ids = [e.variant.item.id[1:] for e in assemble(loaded.readable, blueprint, str(seed)).entries]
            assert len(set(ids)) == len(ids), ids
    assert len(assemble(loaded.readable, mixed_blueprint(9), "s").entries) == 9
    assert len(assemble(loaded.readable, mixed_blueprint(), "s").entries) == 12
