"""Python's collector of reference cycles, told that bulk work makes none.

Millions of plain tuples are made and dropped by reference counts alone; looking through the bank
and the memory of verdicts again and again would only cost time.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = 200_000  # new objects between two looks


@contextmanager
def rarely() -> Iterator[None]:
    """Inside, what exists already is not looked at, and new objects seldom. Forked workers inherit it."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(SELDOM, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
