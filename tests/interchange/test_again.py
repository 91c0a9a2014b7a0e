"""A second import: what the author left is updated, what the author touched stays letter by letter."""

from __future__ import annotations

from pathlib import Path

import pytest
from shipped import Command, drawn

from quizgen import bank as banks
from quizgen.model import Outcome
from tests.interchange.made import READ_BY

FIRST = """1. Why carry?
Answer: The sum has two digits.

2. Half of six?
A) 3
B) 4
Answer: A

3. Twice two?
A) 4
B) 5
Answer: A
"""


@pytest.fixture
def deck(tmp_path: Path, command: Command) -> Path:
    path = tmp_path / "sums.txt"
    path.write_text(FIRST, encoding="utf-8")
    again(path, command)
    return path


def again(deck: Path, command: Command) -> str:
    return command("import", deck, "-o", deck.parent / "bank").err


@pytest.fixture
def items(deck: Path) -> Path:
    """The file of items that the import made."""
    return deck.parent / "bank" / "sums.yaml"


def test_the_same_file_changes_nothing(deck: Path, items: Path, command: Command) -> None:
    before = items.read_text()
    assert "0 new, 0 updated" in again(deck, command)
    assert items.read_text() == before


def test_an_untouched_item_is_updated_and_an_edited_one_stays(deck: Path, items: Path, command: Command) -> None:
    mine = items.read_text().replace("stem: Half of six?", "stem: Half of six?  # mine: too easy")
    items.write_text("# my notes\n" + mine)
    deck.write_text(FIRST.replace("B) 5", "B) 6").replace("B) 4", "B) 2") + "\n4. New?\nAnswer: Yes, it is.\n")
    said = again(deck, command)
    assert "half-of-six: changed in the source; your edited item stays" in said
    assert "1 new, 1 updated" in said
    after = items.read_text()
    assert after.startswith("# my notes\n")
    assert "# mine: too easy" in after
    bank = banks.load_bank(str(items.parent)).required_bank
    assert list(bank.items) == ["why-carry", "half-of-six", "twice-two", "new"]
    assert bank.items["twice-two"].distractors == ("6",)
    assert bank.items["half-of-six"].distractors == ("4",)


def test_what_is_gone_from_the_source_or_taken_out_by_the_author(deck: Path, items: Path, command: Command) -> None:
    items.write_text(items.read_text().partition("  - id: twice-two")[0])
    deck.write_text(FIRST.partition("2. Half")[0] + "2. Twice two?\nA) 4\nB) 5\nAnswer: A\n")
    said = again(deck, command)
    assert "half-of-six: no longer in the source; your item stays" in said
    assert "half-of-six" in items.read_text()
    assert "twice-two" not in items.read_text()


def test_an_item_that_moved_to_another_file_is_not_made_twice(deck: Path, items: Path, command: Command) -> None:
    head, *moved = items.read_text().partition("  - id: twice-two")
    items.write_text(head)
    (items.parent / "mine.yaml").write_text("items:\n" + "".join(moved))
    assert "0 new" in again(deck, command)
    assert not banks.load_bank(str(items.parent)).errors


def test_a_file_that_is_no_bank_is_never_overwritten(deck: Path, items: Path, command: Command) -> None:
    items.write_text("items: [broken\n")
    assert "fix it first" in command("import", deck, "-o", items.parent, code=3).err
    assert items.read_text() == "items: [broken\n"


MEASURED = """
topic: chemistry
units: {litre: [litres, L], millilitre: [millilitres, 0.001 litre], mole: [moles], second-order: [second-orders]}
items:
  - id: gas
    kind: numeric
    stem: What volume do {n} mol take?
    draw: {n: [1 mole]}
    formula: {inputs: {n: {is: n, unit: mole}, v: {is: v, unit: litre/mole, default: 22.7}}, steps: {V: n * v}, unit: litre}
  - id: molarity
    kind: numeric
    stem: One mole in two litres?
    formula: {inputs: {n: {is: n, unit: mole, default: 1}, V: {is: V, unit: litre, default: 2}}, steps: {c: n / V}, unit: mole/litre}
  - id: square
    kind: numeric
    stem: What is 3 s squared?
    formula: {inputs: {n: {is: n, unit: s, default: 3}}, steps: {x: n**2}, unit: s**2, misconceptions: [{id: once, value: n * 1 s, say: Squared.}]}
"""


@pytest.mark.parametrize("form", ["gift", "moodle", "qti12", "csv", "text", "markdown"])
def test_measures_of_a_bank_come_back_and_are_read(tmp_path: Path, form: str, command: Command) -> None:
    (tmp_path / "c.yaml").write_text(MEASURED)
    deck, back = tmp_path / f"c.{form}", tmp_path / "back"
    command("export", tmp_path / "c.yaml", "--to", form, "-o", deck)
    for _ in range(2):  # a second import reads the file that the first one wrote
        command("import", deck, "--from", READ_BY.get(form, form), "-o", back, "--active")
    loaded = banks.load_bank(str(back))
    assert [str(p) for p in loaded.problems] == []
    items = loaded.required_bank.items.values()
    assert [p.message for item in items for p in item.prove() if p.severity == "failure"] == []
    for name, typed in (("gas", "22.7 litres"), ("gas", "22.7 litre"), ("molarity", "0.5 mole/litre"), ("square", "9")):
        assert drawn(loaded, name).score(typed).outcome is Outcome.CORRECT, (name, typed)
