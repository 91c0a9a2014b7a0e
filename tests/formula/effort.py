"""Work counted in function calls, which is the same on every machine however busy it is."""

from __future__ import annotations

import sys
from collections.abc import Callable


def calls(work: Callable[[], object]) -> int:
    """How many functions, Python's own included, are entered while `work` runs."""
    entered = 0

    def count(frame: object, event: str, arg: object) -> None:
        nonlocal entered
        entered += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return entered
