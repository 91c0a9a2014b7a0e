"""An item that is no YAML is told at its place and hides no other item of its file."""

from __future__ import annotations

import pytest
from shipped import BankOf

GOOD = "  - {id: ID, kind: choice, stem: S, key: K, distractors: [L]}\n"
A, B, C = (GOOD.replace("ID", name) for name in "abc")


def item(line: str) -> str:
    return f"  - id: x\n    kind: choice\n{line}    key: K\n    distractors: [L]\n"


BROKEN = [
    ("    stem: What does `a: b` do?\n", "6:23", "a second `: ` here"),
    ("    stem: [one, two\n", "6:11", "list [ not closed"),
    ("    stem: {a: b\n", "6:11", "mapping { not closed"),
    ('    stem: "S\n', "6:11", "quote not closed"),
    ("   stem: S\n", "6:4", "wrong indentation"),
    ("    stem: *\n", "6:12", "a lone & or *"),
    ('    stem: "S" and more\n', "6:15", "text behind the end of this value"),
    ("    stem: @S\n", "6:11", "this character cannot start a value"),
]


@pytest.mark.parametrize(("line", "place", "told"), BROKEN, ids=[told for _, _, told in BROKEN])
@pytest.mark.parametrize("behind", [B + C, ""], ids=["between others", "the last one"])
def test_the_others_are_there(bank_of: BankOf, line: str, place: str, told: str, behind: str) -> None:
    """With the one problem at the same place as alone, under the item's name."""
    loaded = bank_of(f"topic: t\nitems:\n{A}{item(line)}{behind}")
    assert list(loaded.readable.items) == (["a", "b", "c"] if behind else ["a"])
    (problem,) = loaded.errors
    assert f"{problem.where.line}:{problem.where.column}" == place
    assert told in problem.message
    assert problem.item == "x"


def test_two_broken_items_and_a_wrong_field_are_told_in_one_run(bank_of: BankOf) -> None:
    """Each once, whatever else the file says."""
    first, second = item("    stem: a: b\n"), item("    stem: [\n").replace("id: x", "id: y")
    wrong = B.replace("key: K", "kee: K")
    loaded = bank_of(f"items:\n{first}{A}{second}{wrong}{C}\nsynonyms: {{a: [b]}}\n")
    assert [(p.item, p.where.line) for p in loaded.errors] == [("x", 4), ("y", 10), ("b", 13), ("b", 13)]
    assert list(loaded.readable.items) == ["a", "c"]


def test_what_is_broken_outside_the_items_is_told_as_before(bank_of: BankOf) -> None:
    loaded = bank_of(f"topic: a: b\nitems:\n{A}{B}")
    assert loaded.bank is None
    assert [p.where.line for p in loaded.errors] == [1]
    alone = bank_of("items:\n" + item("    stem: a: b\n"))
    assert alone.bank is None
    assert [p.where.line for p in alone.errors] == [4]


def test_what_names_a_faulty_item_is_no_fault(bank_of: BankOf) -> None:
    """`a` is in the bank; that it cannot be used is told at `a`."""
    loaded = bank_of(
        f"topic: t\nitems:\n{A.replace('key: K', 'kee: K')}{B.replace('stem: S', 'stem: S, follow_ups: [a]')}"
    )
    assert {p.item for p in loaded.problems} == {"a"}
