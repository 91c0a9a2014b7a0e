"""One look at an item: what it showed, how it is rated for memory, and what it is worth as a first one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from quizgen.coach.memory import AGAIN, EASY, GOOD, HARD, Trace, reviewed

PASSED = 0.6  # a share of the points below which an item was missed
SURE = 4


@dataclass(frozen=True, slots=True)
class ItemLook:
    """`share` of the points before hints, `unaided` of it before a probe; `guess` is the chance to be right
    without knowing; `pace` the time over the budget. `measured`: timed, without a hint or a solution, so that
    a first one says something about an interview. `given` False: skipped, blank, or the solution was shown."""

    item: str
    day: int
    share: float
    unaided: float
    confidence: int | None = None
    hints: int = 0
    guess: float = 0.0
    pace: float = 1.0
    late: bool = False
    given: bool = True
    measured: bool = True

    @property
    def lucky(self) -> bool:
        """Right by a choice that the candidate calls a guess."""
        return self.share >= PASSED and self.confidence == 1 and self.guess > 0

    @property
    def missed(self) -> bool:
        return not self.given or self.share < PASSED

    @property
    def sure(self) -> bool:
        return (self.confidence or 0) >= SURE


def rating(look: ItemLook) -> int:
    """1 (again) to 4 (easy), as FSRS takes it. A pass is never `again` but for a guess; a failure never more."""
    if look.missed or look.lucky:
        return AGAIN
    if look.share < 0.8 or look.unaided < PASSED or look.hints >= 2 or (look.confidence or 3) <= 2:
        return HARD
    quick = look.pace <= 0.5 and not look.late
    return EASY if look.share >= 0.95 and look.sure and not look.hints and quick else GOOD


@dataclass(frozen=True, slots=True)
class KnownItem:
    """What is known of one item: its trace, its first and its last look, and how the last one was rated."""

    trace: Trace
    first: ItemLook
    last: ItemLook
    rating: int


def known(looks: Iterable[ItemLook]) -> dict[str, KnownItem]:
    """Every item that was met. A second look on one day is no look: it says what short memory holds."""
    found: dict[str, KnownItem] = {}
    for look in sorted(looks, key=lambda one: one.day):
        before = found.get(look.item)
        if before is not None and look.day <= before.last.day:
            continue
        rated = rating(look)
        trace = reviewed(before.trace if before else None, rated, look.day)
        found[look.item] = KnownItem(trace, before.first if before else look, look, rated)
    return found
