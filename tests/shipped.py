"""The banks that ship, read once for all tests of a process."""

from __future__ import annotations

from functools import cache

from quizgen import bank as banks
from quizgen.model import Bank

NAMES = ("distributed-training", "git", "systems-design")


@cache
def bank(name: str = NAMES[0]) -> Bank:
    loaded = banks.load_bank(name)
    assert not loaded.problems, loaded.problems
    return loaded.readable
