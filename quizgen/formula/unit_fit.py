"""Which units answer which: where a label may be left unsaid or added in a response.

The formula engine's own rule is stricter, because an author can be told; a candidate who answers
`16 bytes` where bytes per parameter are asked has understood the item.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from quizgen.formula.unit_table import PHYSICAL, PLACES, TIME
from quizgen.formula.units import Dim

_PLACES: Final = frozenset(name for name, _, _ in PLACES)

_SAME_THING: Final = (
    frozenset({"GPU", "rank", "device", "worker", "process", "replica"}),
    frozenset({"step", "iteration"}),
    frozenset({"sequence", "sample", "request"}),
    frozenset({"message", "op"}),
    frozenset({"node", "server"}),
)
_NEVER_DROPPED: Final = frozenset({"param"})


def fits(given: Dim, asked: Dim) -> bool:
    """An amount of dimension `given` answers an item that asks for `asked`.

    Labels may be left unsaid or added where that changes nothing: `16 bytes` for B/param, `32 GB
    per GPU` for B, `14 ranks` for GPUs. Time, data, work, money and energy never may, hours are no
    GPU-hours, and tokens are no parameters.
    """
    # One function of rules read top-down: every amount of a log passes it.
    if given is asked or given == asked:
        return True
    mine, theirs = dict(given.powers), dict(asked.powers)
    if any(mine.get(n, 0) != theirs.get(n, 0) for n in (*mine, *theirs) if n in PHYSICAL):
        return False
    if (given.bare and asked.label) or (asked.bare and given.label):
        return True
    physical = any(name in PHYSICAL for name in theirs)
    if all(name in PHYSICAL for name in theirs) and theirs.get(TIME, 0) == -1 and len(theirs) == 1:
        return True  # 2000 requests/s where 1/s is asked
    for name in sorted({*mine, *theirs} - set(PHYSICAL)):
        has, wants = mine.get(name, 0), theirs.get(name, 0)
        if has == wants:
            continue
        if not has and _unsaid(name, wants, mine, physical):
            continue
        if not wants and _added(name, has, theirs):
            continue
        return False
    return True


def _unsaid(name: str, wants: Fraction | int, mine: dict[str, Fraction | int], physical: bool) -> bool:
    """The label `name` is asked with power `wants` and not written."""
    if any(same in mine and mine[same] == wants for same in twins(name)):
        return True
    if any(n not in PHYSICAL and p * wants > 0 for n, p in mine.items()):
        return False  # another label stands in its place
    return physical and (wants < 0 or name not in _PLACES)


def _added(name: str, has: Fraction | int, theirs: dict[str, Fraction | int]) -> bool:
    """The label `name` is written with power `has` and not asked."""
    if any(same in theirs and theirs[same] == has for same in twins(name)):
        return True
    if has < 0:
        return name not in _NEVER_DROPPED and not any(n not in PHYSICAL and p < 0 for n, p in theirs.items())
    return False


def twins(name: str) -> tuple[str, ...]:
    """Other labels of the same thing."""
    return tuple(sorted(n for group in _SAME_THING if name in group for n in group if n != name))
