"""Differential item functioning: items that are harder for one group of candidates than for another with the same
points on the rest of the form.

Mantel and Haenszel's common odds ratio over levels of those points, on the delta scale (Holland and Thayer 1988), with
the standard error of Robins, Breslow and Greenland (1986) and the letters of the Educational Testing Service: A
negligible, B moderate, C large."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt

ABILITY_LEVELS = 10  # levels of ability: the candidates' share of the points on the rest of the form
MIN_GROUP_RESPONSES = 20  # responses needed in each group
MIN_RIGHT_SHARE = 0.5  # share of the points from which a response counts as right
DELTA_PER_LOG_ODDS = -4 / 1.7  # converts log odds to the delta scale
LevelCounts = Sequence[float]  # one level: reference group right, wrong; focal group right, wrong


@dataclass(frozen=True, slots=True)
class ItemDif:
    """One item for one group. `delta` is negative if the item is harder for `group` than for the largest group."""

    item: str
    group: str
    delta: float
    standard_error: float
    ets_class: str
    group_sizes: tuple[int, int]


def dif_by_item_and_group(
    points_by_candidate: Iterable[Mapping[str, tuple[float, float]]], groups: Iterable[str]
) -> tuple[str, tuple[ItemDif, ...]]:
    """The name of the largest group, and the figures of each item for each smaller group, by item and group.

    `points_by_candidate`: for each candidate, item -> (points earned, points possible); `groups`: the group of each
    candidate."""
    rows = list(zip(points_by_candidate, groups, strict=True))
    sizes = Counter(group for _, group in rows)
    reference = min(sizes, key=lambda g: (-sizes[g], g), default="")
    others = [group for group in sizes if group != reference]
    tables = []
    for (item, focal), levels in sorted(_counts_by_level(rows, reference, others).items()):
        both = list(levels.values())
        n = int(sum(a + b for a, b, _, _ in both)), int(sum(c + d for _, _, c, d in both))
        ratio = common_odds_ratio(both) if min(n) >= MIN_GROUP_RESPONSES else None
        if ratio is not None:
            delta, error = DELTA_PER_LOG_ODDS * log(ratio[0]), -DELTA_PER_LOG_ODDS * ratio[1]
            tables.append(ItemDif(item, focal, delta, error, ets_class(delta, error), n))
    return reference, tuple(tables)


def _counts_by_level(
    candidates: Iterable[tuple[Mapping[str, tuple[float, float]], str]], reference: str, focal_groups: list[str]
) -> Mapping[tuple[str, str], Mapping[int, LevelCounts]]:
    """(item, other group) -> level of the points on the rest of the form -> numbers of right and wrong responses in the
    reference group, then in that group."""
    tables: defaultdict[tuple[str, str], defaultdict[int, list[float]]] = defaultdict(
        lambda: defaultdict(lambda: [0.0] * 4)
    )
    for row, group in candidates:
        earned, possible = (sum(one[n] for one in row.values()) for n in (0, 1))
        for item, (got, most) in row.items():
            if possible > most > 0:
                level = min(ABILITY_LEVELS - 1, int(ABILITY_LEVELS * max(0.0, earned - got) / (possible - most)))
                wrong = int(got < MIN_RIGHT_SHARE * most)
                for focal in focal_groups if group == reference else [group]:
                    tables[item, focal][level][wrong if group == reference else 2 + wrong] += 1
    return tables


def common_odds_ratio(levels: Iterable[LevelCounts]) -> tuple[float, float] | None:
    """Mantel and Haenszel's common odds ratio, and the standard error of its logarithm; None if it is undefined."""
    r = s = pr = mixed = qs = 0.0
    for a, b, c, d in levels:
        n = a + b + c + d
        if n and (a + b) and (c + d):
            up, down, agree, differ = a * d / n, b * c / n, (a + d) / n, (b + c) / n
            r, s = r + up, s + down
            pr, mixed, qs = pr + agree * up, mixed + agree * down + differ * up, qs + differ * down
    if not r or not s:
        return None
    return r / s, sqrt(pr / (2 * r * r) + mixed / (2 * r * s) + qs / (2 * s * s))


def ets_class(delta: float, standard_error: float) -> str:
    """A if |delta| < 1 or not significantly different from 0; C if |delta| >= 1.5 and significantly above 1; else B."""
    size = abs(delta)
    if size < 1 or size < 1.96 * standard_error:
        return "A"
    return "C" if size >= 1.5 and size - 1.645 * standard_error > 1 else "B"
