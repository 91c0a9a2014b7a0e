"""The banks that ship, read once for all tests of a process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple, TypeVar

from quizgen import bank as banks
from quizgen.bank.reader import LoadedBank
from quizgen.draw import SeededRng
from quizgen.model import Bank, Variant

T = TypeVar("T")
BankOf = Callable[..., LoadedBank]  # what the fixture `bank_of` is


class Said(NamedTuple):
    """What a command wrote to standard output and to standard error."""

    out: str
    err: str


Command = Callable[..., Said]  # what the fixture `command` is
Golden = Callable[..., None]  # what the fixture `golden` is
NAMES = ("distributed-training", "git", "systems-design")


@cache
def bank(name: str = NAMES[0]) -> Bank:
    loaded = banks.load_bank(name)
    assert not loaded.problems, loaded.problems
    return loaded.required_bank


def drawn(loaded: LoadedBank, name: str, seed: str = "1") -> Variant:
    """An item of a bank, drawn."""
    return loaded.required_bank.items[name].draw(SeededRng(name, seed))


def part_of(values: Iterable[T], number: int, parts: int = 3) -> list[T]:
    """The part with this number of so many: each test takes another part of what is large and alike. All with
    QUIZGEN_WHOLE=1."""
    return list(values) if os.environ.get("QUIZGEN_WHOLE") else list(values)[number % parts :: parts]
