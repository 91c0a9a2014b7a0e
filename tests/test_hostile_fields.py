"""Every field of every kind with values of the wrong kind: told with a place, or the item is there; never dropped unsaid."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from quizgen import bank as banks
from quizgen.commands import check

SHARED = {
    "topic": "t", "difficulty": "2", "seconds": "30", "source": "s", "rationale": "r", "hints": ["h"], "given": ["g"],
    "follow_ups": [], "points": "2", "status": "active",
}  # fmt: skip
CHOICE = {
    **SHARED, "id": "c1", "kind": "choice", "stem": "What is two plus two?", "key": ["Four", "4"], "policy": "net",
    "distractors": ["Three", {"text": "Five", "because": "That is one more."}], "order": "ascending",
}  # fmt: skip
NUMERIC = {
    **SHARED, "id": "n1", "kind": "numeric", "stem": "{N} on {K}: how much?", "require": ["K > 4"],
    "draw": {"N": ["7e9 param", "13e9 param"], "K": {"from": "8", "to": "32", "step": "8"}},
    "formula": {
        "title": "State", "source": "A paper", "convention": "c", "sanity": "s", "unit": "B",
        "inputs": {
            "N": {"is": "parameters", "unit": "param", "min": "1"},
            "K": {"is": "ranks", "unit": "1", "whole": "true", "max": "64"},
            "w": {"is": "bytes", "unit": "B/param", "default": "2"},
            "s": {"is": "scheme", "unit": "1", "one_of": ["ring", "tree"], "default": "ring"},
        },
        "steps": {"a": "w * N", "c": "a + 14 B/param * N / K"},
        "misconceptions": [
            {"id": "all", "value": "16 B/param * N / K", "say": "All.", "credit": "50%", "convention": "all sharded"}
        ],
        "tests": [{"N": "13e9", "K": "32", "s": "ring", "is": "31.6875e9 B"}],
    },
    "with": {"w": "2"}, "answer": {"unit": "GB", "tolerance": "1%"}, "credit": {"gib-for-gb": "50%"},
}  # fmt: skip
TEXT = {
    **SHARED, "id": "t1", "kind": "text", "stem": "Why?", "synonyms": {"all-reduce": ["allreduce"]},
    "model_answer": "An all-reduce on the critical path takes 16 B/param.",
    "rubric": {
        "criteria": [
            {
                "id": "a", "points": "2", "say": "It is.", "near": "sentence", "ordered": "false", "polarity": "assert",
                "fuzzy": "off", "explain": "true", "reject": ["{once per step}"],
                "accept": ["all-reduce|communicat*", {"phrase": "critical path", "near": "6", "ordered": "true"}],
            },
            {"id": "b", "say": "It is 16.", "number": {"value": "16", "unit": "B/param", "tolerance": "0"}},
        ],
        "full_marks": "2", "groups": [{"of": ["a", "b"], "at_most": "2"}],
        "misconceptions": [{"match": "tensor parallel", "penalty": "1", "say": "No."}],
    },
}  # fmt: skip
WRONG: list[Any] = [
    "", "wrong", "-1", "1e999", ".nan", "\x07", "9" * 5000, "{", "K >", [], {}, ["x", "x"], [[]], [{}], {"a": "b"}, {"": []},
]  # fmt: skip


def changed(item: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The item with one value at a time replaced by each wrong one, or left out."""
    for path in paths(item):
        for value in WRONG:
            other = copy.deepcopy(item)
            place = follow(other, path[:-1])
            place[path[-1]] = value
            yield f"{'.'.join(map(str, path))} = {value!r:.40}", other
        other = copy.deepcopy(item)
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


@pytest.mark.parametrize("item", [CHOICE, NUMERIC, TEXT], ids=lambda item: item["kind"])
def test_the_items_themselves_are_fine(item: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "items.yaml"
    path.write_text(json.dumps({"items": [item]}), encoding="utf-8")
    loaded = banks.load_bank(str(path))
    assert not loaded.problems
    assert not [
        p for p in check.prove_bank(loaded.required_bank, lambda done: None).problems if p.severity != "warning"
    ]


@pytest.mark.parametrize("item", [CHOICE, NUMERIC, TEXT], ids=lambda item: item["kind"])
def test_every_field_with_a_wrong_value(item: dict[str, Any], tmp_path: Path) -> None:
    """Told at a place in the file with what to do; where nothing is told, the item is in the bank and can be proven."""
    path = tmp_path / "items.yaml"
    silent = []
    for what, other in changed(item):
        text = json.dumps({"items": [other]})
        path.write_text(text, encoding="utf-8")
        loaded = banks.load_bank(str(path))
        errors = [p for p in loaded.problems if p.severity == "error"]
        for problem in errors:
            assert problem.hint, (what, str(problem))
            assert problem.where.line == 1
            assert 1 <= problem.where.column <= len(text) + 1
        if loaded.bank is None or not loaded.bank.items:
            if not errors:
                silent.append(what)
        elif what.endswith(("'wrong'", "'1e999'", "'-1'")):
            check.prove_bank(loaded.bank, lambda done: None)
    assert not silent
