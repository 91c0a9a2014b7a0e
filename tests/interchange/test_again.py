"""A second import: what the author left is updated, what the author touched stays letter by letter."""

from __future__ import annotations

from pathlib import Path

import pytest
from shipped import Command

from quizgen import bank as banks
from quizgen import cli
from quizgen.draw import SeededRng
from quizgen.model import Outcome

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
def deck(tmp_path: Path) -> Path:
    path = tmp_path / "sums.txt"
    path.write_text(FIRST, encoding="utf-8")
    assert cli.run(["import", str(path), "-o", str(tmp_path / "bank")]) == 0
    return path


def again(deck: Path, command: Command) -> str:
    return command("import", deck, "-o", deck.parent / "bank").err


def text_of(deck: Path) -> str:
    return (deck.parent / "bank" / "sums.yaml").read_text(encoding="utf-8")


def test_the_same_file_changes_nothing(deck: Path, command: Command) -> None:
    before = text_of(deck)
    assert "0 new, 0 updated" in again(deck, command)
    assert text_of(deck) == before


def test_an_untouched_item_is_updated_and_an_edited_one_stays(deck: Path, command: Command) -> None:
    path = deck.parent / "bank" / "sums.yaml"
    mine = text_of(deck).replace("stem: Half of six?", "stem: Half of six?  # mine: too easy")
    path.write_text("# my notes\n" + mine, encoding="utf-8")
    deck.write_text(
        FIRST.replace("B) 5", "B) 6").replace("B) 4", "B) 2") + "\n4. New?\nAnswer: Yes, it is.\n", encoding="utf-8"
    )
    said = again(deck, command)
    assert "half-of-six: changed in the source; your edited item stays" in said
    assert "1 new, 1 updated" in said
    after = text_of(deck)
    assert after.startswith("# my notes\n")
    assert "# mine: too easy" in after
    bank = banks.load_bank(str(path.parent)).required_bank
    assert list(bank.items) == ["why-carry", "half-of-six", "twice-two", "new"]
    assert bank.items["twice-two"].distractors == ("6",)
    assert bank.items["half-of-six"].distractors == ("4",)


def test_what_is_gone_from_the_source_or_taken_out_by_the_author(deck: Path, command: Command) -> None:
    path = deck.parent / "bank" / "sums.yaml"
    text = text_of(deck)
    path.write_text(text[: text.index("  - id: twice-two")], encoding="utf-8")
    deck.write_text(FIRST.partition("2. Half")[0] + "2. Twice two?\nA) 4\nB) 5\nAnswer: A\n", encoding="utf-8")
    said = again(deck, command)
    assert "half-of-six: no longer in the source; your item stays" in said
    assert "half-of-six" in text_of(deck)
    assert "twice-two" not in text_of(deck)


def test_an_item_that_moved_to_another_file_is_not_made_twice(deck: Path, command: Command) -> None:
    path = deck.parent / "bank" / "sums.yaml"
    text = text_of(deck)
    place = text.index("  - id: twice-two")
    path.write_text(text[:place], encoding="utf-8")
    (path.parent / "mine.yaml").write_text("items:\n" + text[place:], encoding="utf-8")
    assert "0 new" in again(deck, command)
    assert not banks.load_bank(str(path.parent)).errors


def test_a_file_that_is_no_bank_is_never_overwritten(deck: Path, command: Command) -> None:
    path = deck.parent / "bank" / "sums.yaml"
    path.write_text("items: [broken\n", encoding="utf-8")
    assert "fix it first" in command("import", deck, "-o", path.parent, code=3).err
    assert path.read_text(encoding="utf-8") == "items: [broken\n"


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
def test_measures_of_a_bank_come_back_and_are_read_in_one_and_in_many(tmp_path: Path, form: str) -> None:
    (tmp_path / "c.yaml").write_text(MEASURED, encoding="utf-8")
    deck, back = tmp_path / f"c.{form}", tmp_path / "back"
    assert cli.run(["export", str(tmp_path / "c.yaml"), "--to", form, "-o", str(deck)]) == 0
    for _ in range(2):  # a second import reads the file that the first one wrote
        imported = ["import", str(deck), "--from", "qti" if form == "qti12" else form, "-o", str(back)]
        assert cli.run([*imported, "--active"]) == 0
    loaded = banks.load_bank(str(back))
    assert [str(p) for p in loaded.problems] == []
    items = loaded.required_bank.items
    assert [p.message for item in items.values() for p in item.prove() if p.severity == "failure"] == []
    for name, typed in (("gas", "22.7 litres"), ("gas", "22.7 litre"), ("molarity", "0.5 mole/litre"), ("square", "9")):
        assert items[name].draw(SeededRng(name, "1")).score(typed).outcome is Outcome.CORRECT, (name, typed)
