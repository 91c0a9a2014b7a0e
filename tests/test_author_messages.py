"""What authors tripped over: each mistake that was silent or misleading is told at its place, with what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from quizgen import bank as banks
from quizgen.bank import Loaded

NUMERIC = """
items:
  - id: n
    kind: numeric
    stem: How many for {N}?
    draw: {N: [100, 200]}
    formula:
      title: T
      inputs: {N: {is: n, unit: 1}}
      steps: {x: N * 5}
      unit: 1
      misconceptions: [{id: wrong, value: N * 7, say: No.}]
"""
TEXT = """
items:
  - id: t
    kind: text
    stem: Why?
    follow_ups: [t]
    hints: [Think of rows]
    rubric:
      criteria:
        - {id: one, say: One., accept: [alpha], probe: And?}
"""


@pytest.mark.parametrize(
    ("items", "old", "new", "told"),
    [
        (NUMERIC, "N * 7", "N * 5.1", "misconception wrong gives 510, within five tolerances of the key 500"),
        (NUMERIC, "N * 7", "N * 10 / 2", "misconception wrong gives the key 500"),
        (NUMERIC, "x: N * 5", "x: N * price", "give others under `inputs:`"),
        (TEXT, "say: One., ", "", 'criterion "one" has no `say`'),
        (TEXT, ", probe: And?", "", 'criterion "one" has no `probe`'),
        (TEXT, "[Think of rows]", "[Think of rows, then of pages]", "put a text that holds a comma in quotes"),
    ],
)
def test_it_is_told(bank_of: Callable[..., Loaded], items: str, old: str, new: str, told: str) -> None:
    """By a message that names the thing and what to write."""
    assert old in items

    def messages(text: str) -> list[str]:
        loaded = bank_of(text)
        proofs = [p for i in loaded.bank.items.values() for p in i.prove()] if loaded.bank else []
        return [str(p) for p in (*loaded.problems, *proofs)]

    assert not any(told in m for m in messages(items))
    assert any(told in m for m in messages(items.replace(old, new))), messages(items.replace(old, new))


def test_two_hints_are_two_hints(bank_of: Callable[..., Loaded]) -> None:
    """Sentences of their own, or lines of their own, are left alone."""
    for hints in (
        "[Think of rows., then of pages]",
        "[Think of rows, Then of pages]",
        "\n      - think of rows\n      - then of pages",
    ):
        loaded = bank_of(TEXT.replace("[Think of rows]", hints))
        assert not any("comma" in p.hint for p in loaded.problems), hints


def test_a_misspelt_kind_hides_nothing_else(bank_of: Callable[..., Loaded]) -> None:
    loaded = bank_of("items:\n  - {id: c, kind: chioce, stem: S, key: K, distractor: [L]}\n")
    told = " ".join(str(p) for p in loaded.problems)
    assert 'did you mean "choice"?' in told
    assert 'did you mean "distractors"?' in told


def test_items_in_bank_yaml_are_told_where_they_go(tmp_path: Path) -> None:
    (tmp_path / "bank.yaml").write_text(
        "title: T\nitems:\n  - {id: a, kind: choice, stem: S, key: K, distractors: [L]}\n", encoding="utf-8"
    )
    told = [str(p) for p in banks.load(str(tmp_path)).problems]
    assert any(
        "bank.yaml:2:1: items do not stand in bank.yaml; put them into a file of their own" in t for t in told
    ), told
