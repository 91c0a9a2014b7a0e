"""Draws: the same everywhere, fair, and untouched by what else is drawn."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from quizgen import draw
from quizgen.draw import Stream


def test_whole_is_the_published_hash() -> None:
    """A log from any year redraws: the number is SHA-256 of the named parts, below rejection."""
    digest = hashlib.sha256(b"item\x1fseed\x1fname\x1f0\x1f0").digest()
    assert Stream("item", "seed").number("name", 1000) == int.from_bytes(digest, "big") % 1000


def test_every_order_is_equally_likely() -> None:
    """24 orders of four options over 12,000 seeds: 23 degrees of freedom, 0.1 % point 49.7."""
    orders = Counter(tuple(Stream("item", str(n)).shuffle("options", "abcd")) for n in range(12_000))
    assert len(orders) == 24
    assert sum((count - 500) ** 2 / 500 for count in orders.values()) < 49.7


def test_fresh_seed_is_long_and_new() -> None:
    """26 of 31 characters: over 128 bits."""
    assert len({draw.fresh_seed() for _ in range(100)}) == 100
    assert len(draw.fresh_seed()) == 26


def test_numbers_of_the_last_incomplete_run_are_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of eight numbers, 6 and 7 would make the first two of three likelier: they are passed over."""
    hashes = iter([7, 6, 5])
    monkeypatch.setattr(draw, "_HASH_COUNT", 8)
    monkeypatch.setattr(draw, "_hash", lambda text: next(hashes))
    assert Stream("i", "s").number("n", 3) == 2
    assert next(hashes, None) is None
