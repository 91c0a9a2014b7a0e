"""Blueprint + bank + seed -> form: what is taken, in which order, and what it does not know; whether there are items
enough for sections that may draw the same ones; and what is left of a blueprint where a person asks for a part of it.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shipped import BankOf

from quizgen.assemble import (
    CannotAssemble,
    ItemSupply,
    any_items_blueprint,
    apportion_item_counts_to_sections,
    assemble,
    fewer_items_than_blueprint_message,
    narrow_blueprint,
    select_with_section_index,
)
from quizgen.model import Bank, Blueprint, Section


def item(number: int, topic: str = "t", difficulty: int = 1, extra: str = "") -> str:
    return (
        f"  - id: i{number}\n    kind: choice\n    topic: {topic}\n    stem: Stem {number}?\n"
        f"    key: right {number}\n    distractors: [wrong, worse, worst]\n    difficulty: {difficulty}\n"
        f"    seconds: 50\n{extra}"
    )


@pytest.fixture
def bank(bank_of: BankOf) -> Bank:
    """i0 … i19: even ones on `even`, the others on `odd`; difficulty 1, 2, 3, 4, 5 in turn; 50 s each; i99 is retired."""
    body = "".join(item(n, topic="even" if n % 2 == 0 else "odd", difficulty=1 + n % 5) for n in range(20))
    return bank_of(f"items:\n{body}{item(99, extra='    status: retired')}").required_bank


def plan(*sections: Section, minutes: int | None = 45) -> Blueprint:
    return Blueprint("plan", "Plan", sections, None if minutes is None else Fraction(minutes))


def test_sections_take_what_they_ask_for(bank: Bank) -> None:
    """Topics, difficulties, counts and named items are kept; no item comes twice."""
    form = assemble(
        bank, plan(Section(topics=("even",), item_count=4), Section(item_count=3, required_ids=("i1", "i3"))), "s"
    )
    assert len(set([e.variant.item.id for e in form.entries])) == 7
    assert all(e.variant.item.topic == "even" for e in form.entries if e.section_index == 0)
    assert {"i1", "i3"} <= {e.variant.item.id for e in form.entries if e.section_index == 1}


def test_items_seen_lately_come_last_and_retired_ones_never(bank: Bank) -> None:
    """What was seen is taken only when nothing else is left."""
    seen = {f"i{n}" for n in range(12)}
    for count, again in ((8, 0), (10, 2), (None, 12)):
        ids = {i.id for i, _ in select_with_section_index(bank, any_items_blueprint(count), "s", last_resort_ids=seen)}
        assert (len(ids), len(ids & seen), "i99" in ids) == (count or 20, again, False)


def test_minutes_are_the_items_budgets(bank: Bank) -> None:
    """Six items of 50 seconds take five minutes; a blueprint's own minutes win."""
    assert assemble(bank, any_items_blueprint(6), "s").minutes == 5
    assert assemble(bank, plan(Section(item_count=6), minutes=30), "s").minutes == 30


def test_adding_an_item_moves_no_other_variant(bank_of: BankOf) -> None:
    """The options of an item depend on its id and the seed alone."""
    small = bank_of("items:\n" + item(1)).required_bank
    large = bank_of("items:\n" + item(0) + item(1) + item(2)).required_bank
    first = next(e.variant for e in assemble(small, any_items_blueprint(), "s").entries)
    second = next(e.variant for e in assemble(large, any_items_blueprint(), "s").entries if e.variant.item.id == "i1")
    assert first.prompt() == second.prompt()


def test_a_choice_made_from_an_item_stands_beside_it_only_where_nothing_else_is_left(bank_of: BankOf) -> None:
    """Its options hold the other's key, with the same values."""
    number = "  - {{id: n{0}, kind: numeric, topic: t, stem: S, formula: {{steps: {{x: {0} * 2}}}}}}\n"
    made = "  - {{id: c{0}, kind: choice, from: n{0}}}\n"
    loaded = bank_of("items:\n" + "".join(number.format(n) + made.format(n) for n in range(1, 7)))
    for seed in range(40):
        both = plan(Section(kinds=("numeric",), item_count=2), Section(kinds=("choice",), item_count=3))
        for blueprint in (any_items_blueprint(6), both):
            ids = [e.variant.item.id[1:] for e in assemble(loaded.required_bank, blueprint, str(seed)).entries]
            assert len(set(ids)) == len(ids), ids
    assert len(assemble(loaded.required_bank, any_items_blueprint(9), "s").entries) == 9
    assert len(assemble(loaded.required_bank, any_items_blueprint(), "s").entries) == 12


def taken(bank: Bank, blueprint: Blueprint) -> list[str]:
    return [e.variant.item.id for e in assemble(bank, blueprint, "s").entries]


def test_a_topic_leaves_of_a_blueprint_what_it_would_take_itself(bank: Bank) -> None:
    """Difficulties 1 and 2 of the even ones are i0, i6, i10 and i16; nothing harder comes in for the fifth."""
    easy = plan(Section(difficulties=(1, 2), item_count=5))
    narrow = narrow_blueprint(bank, easy, topics=["even"])
    assert sorted(taken(bank, narrow)) == ["i0", "i10", "i16", "i6"]
    assert narrow.minutes is None
    message = "The options leave 4 of the 5 items that the blueprint plan asks for."
    assert [fewer_items_than_blueprint_message(easy, count) for count in (4, 5)] == [message, ""]


def test_a_section_of_another_topic_goes(bank: Bank) -> None:
    two = plan(Section(topics=("even",), item_count=3), Section(topics=("odd",), item_count=2, title="Odd"))
    (section,) = narrow_blueprint(bank, two, topics=["odd"]).sections
    assert (section.topics, section.item_count, section.title) == (("odd",), 2, "Odd")
    with pytest.raises(CannotAssemble, match="blueprint plan takes no item on odd; name its bank"):
        narrow_blueprint(bank, plan(two.sections[0]), topics=["odd"])
    with pytest.raises(CannotAssemble, match="the bank has no item of kind text; ask for less"):
        narrow_blueprint(bank, any_items_blueprint(), kinds=["text"])


def test_what_all_fits_is_left_as_it_is(bank: Bank) -> None:
    drill = plan(Section(topics=("even",), item_count=3))
    assert narrow_blueprint(bank, drill, topics=["even"], kinds=[]) == drill
    assert narrow_blueprint(bank, drill, topics=["even", "odd"]) == drill
    assert narrow_blueprint(bank, drill, minutes=Fraction(9)).minutes == 9


def test_items_named_by_a_section_stay_where_they_fit(bank: Bank) -> None:
    named = plan(Section(required_ids=("i1", "i2", "i4")))
    assert sorted(taken(bank, narrow_blueprint(bank, named, topics=["even"]))) == ["i2", "i4"]
    assert taken(bank, narrow_blueprint(bank, named, topics=["even"], item_count=1)) == ["i2"]
    filled = plan(Section(topics=("odd",), required_ids=("i2",), item_count=4))
    assert taken(bank, narrow_blueprint(bank, filled, topics=["even"])) == ["i2"]
    with pytest.raises(CannotAssemble, match="has only 1 item on even; ask for --items 1 or fewer"):
        narrow_blueprint(bank, filled, topics=["even"], item_count=2)
    with pytest.raises(CannotAssemble, match="takes no item of difficulty 4"):
        narrow_blueprint(bank, plan(Section(required_ids=("i1", "i2"))), difficulties=[4])


def test_fewer_items_share_out_as_the_sections_do(bank: Bank) -> None:
    """8 to 4 of nine is 6 to 3, and of three 2 to 1; the same for more than the blueprint wants."""
    two = plan(Section(topics=("even",), item_count=8), Section(topics=("odd",), item_count=4))
    for count, wanted in ((9, (6, 3)), (3, (2, 1)), (1, (1, 0)), (15, (10, 5))):
        topics = Counter(bank.items[name].topic for name in taken(bank, narrow_blueprint(bank, two, item_count=count)))
        assert (topics["even"], topics["odd"]) == wanted, count
    sections = narrow_blueprint(bank, two, item_count=18).sections
    assert [s.item_count for s in sections] == [10, 8]  # there are only ten even ones
    with pytest.raises(CannotAssemble, match="the blueprint plan has only 20 items; ask for --items 20 or fewer"):
        narrow_blueprint(bank, two, item_count=21)


def test_sections_that_draw_on_the_same_items_share_what_there_is() -> None:
    abc, bcd = ["a", "b", "c"], ["b", "c", "d"]
    assert apportion_item_counts_to_sections([3, 3], [abc, bcd], None) == [2, 2]
    assert apportion_item_counts_to_sections([2, 1], [abc, bcd], 3) == [2, 1]
    assert apportion_item_counts_to_sections([1, 1], [abc, abc], 9) == [2, 1]
    assert apportion_item_counts_to_sections([9, 1], [abc, ["a"]], 3) == [3, 0]
    assert apportion_item_counts_to_sections([], [], 3) == []


@pytest.mark.parametrize("count", [7, 20])
def test_overlapping_sections_leave_enough_for_one_another(bank: Bank, count: int) -> None:
    """The first section may draw anything, and leaves the later ones what they need."""
    even, easy = Section(topics=("even",), item_count=4), Section(difficulties=(1, 2), item_count=3)
    many = plan(Section(item_count=6), even, easy)
    narrow = narrow_blueprint(bank, many, item_count=count)
    for seed in "abcd":
        entries = assemble(bank, narrow, seed).entries
        assert len({e.variant.item.id for e in entries}) == count
        assert Counter(e.section_index for e in entries) == dict(enumerate(s.item_count for s in narrow.sections))


def possible(pools: list[frozenset[str]], wants: list[int]) -> bool:
    """Oracle: try every order of handing the items out, one section's place after the other."""
    places = [pool for pool, want in zip(pools, wants, strict=True) for _ in range(want)]
    items = sorted(frozenset().union(*pools))
    orders = permutations(items, len(places))
    return any(all(name in place for name, place in zip(order, places, strict=True)) for order in orders)


POOLS = st.lists(st.frozensets(st.sampled_from("abcde"), max_size=5), min_size=1, max_size=3)


@given(POOLS, st.lists(st.integers(0, 2), min_size=3, max_size=3))
def test_enough_is_what_can_be_handed_out(pools: list[frozenset[str]], wants: list[int]) -> None:
    wants = wants[: len(pools)]
    assert ItemSupply(pools).can_fill_section_counts(wants) == possible(pools, wants)


@given(POOLS, st.lists(st.integers(0, 2), min_size=3, max_size=3), st.permutations("abcde"))
def test_sections_in_turn_all_get_what_they_want(
    pools: list[frozenset[str]], wants: list[int], order: list[str]
) -> None:
    """Whatever order the items come in, as long as there are enough at all."""
    wants = wants[: len(pools)]
    turns = ItemSupply(pools, wants)
    if not turns.can_fill_section_counts(wants):
        return
    taken: set[str] = set()
    for index, want in enumerate(wants):
        got = 0
        for name in order:
            if got < want and name in pools[index] - taken and turns.take_item_unless_sections_run_short(index, name):
                taken.add(name)
                got += 1
        assert got == want


def test_many_sections_are_judged_by_single_ones_pairs_and_all() -> None:
    """Sixty sections: every set of them would be 2 ** 60."""
    pools = [[f"i{n}", f"i{n + 1}"] for n in range(60)]
    assert ItemSupply(pools).can_fill_section_counts([1] * 60)
    assert not ItemSupply(pools).can_fill_section_counts([2] * 60)
