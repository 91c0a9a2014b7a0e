"""What is to be done with every line of a run, and the shape of what a person decided of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from quizgen.csv_cells import as_typed
from quizgen.exam import marking_key
from quizgen.model import Item
from quizgen.scoring import Changes, Override


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be done with every line; the same for every block, here or elsewhere."""

    items: Mapping[str, Item]
    digest: str = ""
    shown: Mapping[str, Item] = field(default_factory=dict)  # what the letters of the log stood for, if not `items`
    changes: Changes = field(default_factory=Changes)
    overrides: Mapping[tuple[str, str], tuple[Override, ...]] = field(default_factory=dict)
    candidates: frozenset[str] = frozenset()
    topics: frozenset[str] = frozenset()
    since: float | None = None  # seconds since 1970, UTC
    partitions: int = 64
    lines: bool = False  # write a JSON line for each response
    records: bool = True  # keep records for candidates and sums
    explained: bool = False  # keep each scored response as text
    names: tuple[str, ...] = ()  # of the sources, where there are several
    handed_in: frozenset[int] = frozenset()  # sources that hold one form of each candidate: answers, sheets
    seed: str = ""  # of the exam, for marks by the keys of a marking page

    def decided(self, name: str, item: str) -> tuple[Override, ...]:
        """What a person decided of a candidate's responses to an item."""
        found = self.overrides.get((as_typed(name), item), ())
        if self.seed:
            found += self.overrides.get((f"\0{marking_key(self.seed, name)}", item), ())
        return found


# A response that a person decided: candidate, item, place, units before and after, why it cannot be.
# One that the filters leave out has the place -1.
Decided = tuple[str, str, int, int, int, tuple[str, ...]]
