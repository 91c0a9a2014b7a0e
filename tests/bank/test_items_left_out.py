"""A bank with a bad item: the item is left out and named, and everything else goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from shipped import Command

BAD = """topic: t
units: {pod: [pods]}
items:
  - {id: twice, kind: choice, stem: S1, key: x, distractors: [y, y]}
  - {id: misspelt, kind: choice, stem: S2, key: x, distractors: [y], diffculty: 3}
  - {kind: choice, stem: S3, key: x, distractors: [y]}
  - {id: same, kind: choice, stem: S4, key: x, distractors: [y]}
  - {id: same, kind: choice, stem: S5, key: x, distractors: [y]}
  - {id: unit, kind: numeric, stem: S6, formula: {inputs: {}, steps: {a: 3 glorp}, unit: 1}}
  - {id: named, kind: numeric, stem: S7, formula: broken}
  - {id: built, kind: choice, from: named}
  - {id: good, kind: choice, stem: S8, key: x, distractors: [y]}
"""
FORMULAS = "formulas:\n  broken: {title: T, source: S, inputs: {}, steps: {a: 1 GB + 1 s}, unit: GB}\n"
LEFT_OUT = "left out: built, misspelt, named, same, twice, unit; they have errors, see quizgen check"


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    (tmp_path / "items.yaml").write_text(BAD, encoding="utf-8")
    (tmp_path / "formulas.yaml").write_text(FORMULAS, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ("list", "items", "--bank", "BANK"),
        ("mock", "BANK", "--plain", "--log", "BANK/log.jsonl"),
        ("export", "BANK", "--to", "text", "-o", "-"),
        ("exam", "BANK", "-o", "BANK/out"),
        ("score", "BANK/given.jsonl", "--bank", "BANK"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_one_bad_item_refuses_no_bank(bank: Path, arguments: tuple[str, ...], command: Command) -> None:
    (bank / "given.jsonl").write_text(
        "".join(json.dumps({"item": name, "response": "x"}) + "\n" for name in ("good", "twice")), encoding="utf-8"
    )
    assert LEFT_OUT in command(*([argument.replace("BANK", str(bank)) for argument in arguments])).err


def test_only_the_good_item_is_scored(bank: Path, command: Command) -> None:
    """An unknown field could have been one that changes a score, and of two items with one id either could be meant."""
    lines = [json.dumps({"item": name, "response": "x"}) for name in ("good", "twice", "misspelt", "same")]
    (bank / "given.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    said = command("score", bank / "given.jsonl", "--bank", bank, "--format", "jsonl")
    scored = [json.loads(line)["item"] for line in said.out.splitlines()]
    assert scored == ["good"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("units: {pod", "unit: {pod", 'unknown field "unit"'),  # of the file: it changes how every response is read
        ("topic: t\n", "topic: [\n", "1 problem in"),
        ("key: x, distractors: [y]}\n", "key: x, distractors: [y, y]}\n", "fix them first"),  # no item is left
    ],
)
def test_what_touches_every_item_refuses_the_bank(bank: Path, old: str, new: str, said: str, command: Command) -> None:
    (bank / "items.yaml").write_text(BAD.replace(old, new), encoding="utf-8")
    assert said in command("list", "items", "--bank", bank, code=3).err
