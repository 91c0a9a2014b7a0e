"""Every field of every kind with values of the wrong kind: told with a place, or the item is there; never dropped unsaid."""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import shipped
from fields_page import read

from quizgen import bank as banks
from quizgen.commands import check

WRONG: list[Any] = [
    "", "wrong", "-1", "1e999", ".nan", "\x07", "9" * 5000, "{", "K >", [], {}, ["x", "x"], [[]], [{}], {"a": "b"}, {"": []},
]  # fmt: skip


def changed(file: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The file with one value at a time replaced by a wrong one in turn, or left out."""
    for number, path in enumerate(paths(file)):
        for value in shipped.part_of(WRONG, number, len(WRONG)):
            other = copy.deepcopy(file)
            follow(other, path[:-1])[path[-1]] = value
            yield f"{'.'.join(map(str, path))} = {value!r:.40}", other
        other = copy.deepcopy(file)
        del follow(other, path[:-1])[path[-1]]
        yield f"{'.'.join(map(str, path))} left out", other


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from paths(value[key], (*path, key))


def follow(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


@pytest.mark.parametrize("name", ["choice.yaml", "numeric.yaml", "text.yaml"])
def test_every_field_with_a_wrong_value(name: str, root: Path, tmp_path: Path) -> None:
    """Of the bank in which every field stands. Told at a place in the file with what to do; where nothing is told, the
    items are in the bank and can be proven."""
    bank = root / "docs" / "examples" / "fields"
    for other in ("bank.yaml", "formulas.yaml"):
        shutil.copy(bank / other, tmp_path)
    silent = []
    for what, file in changed(read(bank / name)):
        text = json.dumps(file)
        (tmp_path / name).write_text(text, encoding="utf-8")
        loaded = banks.load_bank(str(tmp_path))
        errors = [problem for problem in loaded.errors if problem.location.path.endswith(name)]
        for problem in errors:
            assert problem.hint, (what, str(problem))
            assert problem.location.line == 1
            assert 1 <= problem.location.column <= len(text) + 1
        found = len(loaded.bank.items) if loaded.bank else 0
        if not errors and found < len(file["items"]):
            silent.append(what)
        elif found and what.endswith(("'wrong'", "'1e999'", "'-1'")):
            check.prove_and_count_drawings(loaded.required_bank, lambda done: None)
    assert not silent
