"""Folders of files to banks: what each file must hold, what is left aside, what a blueprint may ask."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from quizgen import bank as banks

Make = Callable[..., banks.Loaded]

ITEMS = """
topic: sums
items:
  - {id: a, kind: choice, stem: One?, key: "1", distractors: ["2"]}
"""


def told(loaded: banks.Loaded) -> list[str]:
    """Problems with the name of their file alone."""
    return [str(problem).rpartition("/")[2] for problem in loaded.problems]


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("bank.yaml", "title"),
        ("formulas-2.yaml", "formulas"),
        ("blueprints/b.yaml", "sections"),
        ("more.yaml", "items"),
    ],
)
def test_an_empty_file_is_told_what_it_should_begin_with(bank_of: Make, name: str, field: str) -> None:
    """A file of each sort is told its own first field, when it is empty and when its top is a list."""
    empty = told(bank_of(ITEMS, **{name: "# nothing yet\n"}))
    assert empty == [f"{Path(name).name}:1:1: the file is empty; begin it with `{field}:`, or delete it"]
    listed = told(bank_of(ITEMS, **{name: "- a\n"}))
    assert listed == [
        f"{Path(name).name}:1:1: the top must be a mapping with `{field}:`; begin the file with `{field}:`"
    ]


def test_no_items_is_a_problem_in_a_single_file_too(tmp_path: Path) -> None:
    """`check` and `mock` agree on a file that lists nothing."""
    path = tmp_path / "none.yaml"
    path.write_text("items: []\n", encoding="utf-8")
    loaded = banks.load(str(path))
    assert loaded.bank is None
    assert told(loaded) == ["none.yaml:1:8: items is an empty list; write each item as `- id: …`, or delete the file"]


def test_hidden_files_are_no_part_of_a_bank(bank_of: Make) -> None:
    """What editors and file systems leave behind (`.a.yaml.swp`, `._a.yaml`) is neither read nor in the digest."""
    plain = bank_of(ITEMS)
    littered = bank_of(ITEMS, **{".b.yaml": "\0", "blueprints/._b.yaml": "\0"})
    assert not littered.problems
    assert plain.bank is not None
    assert littered.bank is not None
    assert littered.bank.digest == plain.bank.digest


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("title: x\n", "1:1: sections are missing"),
        ("sections: []\n", "1:11: sections is an empty list"),
        ("sections: [{kind: chioce}]\n", '1:19: unknown kind "chioce"; did you mean "choice"?'),
        ("sections: [{count: 0}]\n", "1:20: count must be a whole number from 1"),
        ("sections: [{points: 0}]\n", "1:21: points must be above 0"),
        ("minutes: 6001\nsections: [{}]\n", "1:10: minutes must be above 0 and at most 6000"),
        ("minutes: 0\nsections: [{count: 1}]\n", "1:10: minutes must be above 0"),
        ("sections: [{count: 1}]\npass: 101%\n", "2:7: pass must be a share"),
        ("sections: [{count: 1}]\nbands: [{name: A}]\n", "2:9: a band needs `from` and `name`"),
        ("sections: [{include: [b]}]\n", '1:12: no item "b"; did you mean "a"?'),
    ],
)
def test_a_blueprint_is_told_what_it_may_not_ask(bank_of: Make, text: str, words: str) -> None:
    """Each mistake at its place, with what to write."""
    found = told(bank_of(ITEMS, **{"blueprints/b.yaml": text}))
    assert any(line.startswith("b.yaml:" + words) for line in found), found


def test_bands_come_in_order_and_shares_may_be_written_either_way(bank_of: Make) -> None:
    """The order in the file does not matter; `0.6` is `60%`."""
    text = (
        "sections: [{count: 1}]\npass: 0.6\nbands: [{from: 90%, name: A}, {from: 0, name: C}, {from: 60%, name: B}]\n"
    )
    loaded = bank_of(ITEMS, **{"blueprints/b.yaml": text})
    assert loaded.bank is not None
    blueprint = loaded.bank.blueprints["b"]
    assert [(band.name, float(band.start)) for band in blueprint.bands] == [("C", 0.0), ("B", 0.6), ("A", 0.9)]
    assert blueprint.pass_share == blueprint.bands[1].start
