"""What is left of a blueprint where a person asks for a part of it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from shipped import BankOf

from quizgen.assemble import (
    CannotAssemble,
    apportion_counts,
    assemble,
    mixed_blueprint,
    narrow_blueprint,
    shortfall_message,
)
from quizgen.model import Bank, Blueprint, Section


@pytest.fixture
def bank(bank_of: BankOf) -> Bank:
    """i0 … i19: even ones on `even`, the others on `odd`; difficulty 1, 2, 3, 4, 5 in turn; 50 s each."""
    body = "".join(
        f"  - id: i{n}\n    kind: choice\n    topic: {'odd' if n % 2 else 'even'}\n    stem: Stem {n}?\n"
        f"    key: right {n}\n    distractors: [wrong, worse]\n    difficulty: {1 + n % 5}\n    seconds: 50\n"
        for n in range(20)
    )
    return bank_of(f"items:\n{body}").readable


def plan(*sections: Section, minutes: int | None = 45) -> Blueprint:
    return Blueprint("plan", "Plan", sections, None if minutes is None else Fraction(minutes))


def taken(bank: Bank, blueprint: Blueprint) -> list[str]:
    return [e.variant.item.id for e in assemble(bank, blueprint, "s").entries]


def test_a_topic_leaves_of_a_blueprint_what_it_would_take_itself(bank: Bank) -> None:
    """Difficulties 1 and 2 of the even ones are i0, i6, i10 and i16; nothing harder comes in for the fifth."""
    easy = plan(Section(difficulties=(1, 2), count=5))
    narrow = narrow_blueprint(bank, easy, topics=["even"])
    assert sorted(taken(bank, narrow)) == ["i0", "i10", "i16", "i6"]
    assert narrow.minutes is None
    assert shortfall_message(easy, 4) == "The options leave 4 of the 5 items that the blueprint plan asks for."
    assert not shortfall_message(easy, 5)


def test_a_section_of_another_topic_goes(bank: Bank) -> None:
    two = plan(Section(topics=("even",), count=3), Section(topics=("odd",), count=2, title="Odd"))
    (section,) = narrow_blueprint(bank, two, topics=["odd"]).sections
    assert (section.topics, section.count, section.title) == (("odd",), 2, "Odd")
    with pytest.raises(CannotAssemble, match="blueprint plan takes no item on odd; name its bank"):
        narrow_blueprint(bank, plan(two.sections[0]), topics=["odd"])
    with pytest.raises(CannotAssemble, match="the bank has no item of kind text; ask for less"):
        narrow_blueprint(bank, mixed_blueprint(), kinds=["text"])


def test_what_all_fits_is_left_as_it_is(bank: Bank) -> None:
    drill = plan(Section(topics=("even",), count=3))
    assert narrow_blueprint(bank, drill, topics=["even"], kinds=[]) == drill
    assert narrow_blueprint(bank, drill, topics=["even", "odd"]) == drill
    assert narrow_blueprint(bank, drill, minutes=Fraction(9)).minutes == 9


def test_items_named_by_a_section_stay_where_they_fit(bank: Bank) -> None:
    named = plan(Section(include=("i1", "i2", "i4")))
    assert sorted(taken(bank, narrow_blueprint(bank, named, topics=["even"]))) == ["i2", "i4"]
    assert taken(bank, narrow_blueprint(bank, named, topics=["even"], count=1)) == ["i2"]
    filled = plan(Section(topics=("odd",), include=("i2",), count=4))
    assert taken(bank, narrow_blueprint(bank, filled, topics=["even"])) == ["i2"]
    with pytest.raises(CannotAssemble, match="has only 1 item on even; ask for --items 1 or fewer"):
        narrow_blueprint(bank, filled, topics=["even"], count=2)
    with pytest.raises(CannotAssemble, match="takes no item of difficulty 4"):
        narrow_blueprint(bank, plan(Section(include=("i1", "i2"))), difficulties=[4])


def test_fewer_items_share_out_as_the_sections_do(bank: Bank) -> None:
    """8 to 4 of nine is 6 to 3, and of three 2 to 1; the same for more than the blueprint wants."""
    two = plan(Section(topics=("even",), count=8), Section(topics=("odd",), count=4))
    for count, wanted in ((9, (6, 3)), (3, (2, 1)), (1, (1, 0)), (15, (10, 5))):
        topics = Counter(bank.items[name].topic for name in taken(bank, narrow_blueprint(bank, two, count=count)))
        assert (topics["even"], topics["odd"]) == wanted, count
    assert [s.count for s in narrow_blueprint(bank, two, count=18).sections] == [10, 8]  # there are only ten even ones
    with pytest.raises(CannotAssemble, match="the blueprint plan has only 20 items; ask for --items 20 or fewer"):
        narrow_blueprint(bank, two, count=21)


def test_sections_that_draw_on_the_same_items_share_what_there_is() -> None:
    abc, bcd = ["a", "b", "c"], ["b", "c", "d"]
    assert apportion_counts([3, 3], [abc, bcd], None) == [2, 2]
    assert apportion_counts([2, 1], [abc, bcd], 3) == [2, 1]
    assert apportion_counts([1, 1], [abc, abc], 9) == [2, 1]
    assert apportion_counts([9, 1], [abc, ["a"]], 3) == [3, 0]
    assert apportion_counts([], [], 3) == []


@pytest.mark.parametrize("count", [1, 7, 13, 20])
def test_overlapping_sections_leave_enough_for_one_another(bank: Bank, count: int) -> None:
    """The first section may draw anything, and leaves the later ones what they need."""
    many = plan(Section(count=6), Section(topics=("even",), count=4), Section(difficulties=(1, 2), count=3))
    narrow = narrow_blueprint(bank, many, count=count)
    for seed in "abcdefgh":
        entries = assemble(bank, narrow, seed).entries
        assert len({e.variant.item.id for e in entries}) == count
        assert Counter(e.section for e in entries) == dict(enumerate(s.count for s in narrow.sections))
