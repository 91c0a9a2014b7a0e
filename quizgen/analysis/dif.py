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

ABILITY_LEVEL_COUNT = 10  # levels of ability: the candidates' share of the points on the rest of the form
MIN_RESPONSES_PER_GROUP = 20  # responses needed in each group
MIN_POINTS_SHARE_OF_RIGHT_RESPONSE = 0.5  # share of the points from which a response counts as right
DELTA_PER_LOG_ODDS = -4 / 1.7  # converts log odds to the delta scale


@dataclass(frozen=True, slots=True)
class DifferentialItemFunctioning:
    """One item for one group. `ets_delta` is negative if it is harder for the group `focal_group_name` than for the
    largest group."""

    item_id: str
    focal_group_name: str
    ets_delta: float
    ets_delta_standard_error: float
    ets_class: str
    reference_and_focal_response_counts: tuple[int, int]


def reference_group_and_item_dif(
    candidate_points_by_item: Iterable[Mapping[str, tuple[float, float]]], group_of_each_candidate: Iterable[str]
) -> tuple[str, tuple[DifferentialItemFunctioning, ...]]:
    """The name of the largest group, and the figures of each item for each smaller group, by item and group.

    `candidate_points_by_item`: for each candidate, item -> (points earned, points possible)."""
    rows = list(zip(candidate_points_by_item, group_of_each_candidate, strict=True))
    sizes = Counter(group for _, group in rows)
    reference = min(sizes, key=lambda g: (-sizes[g], g), default="")
    counts_by_level = defaultdict[tuple[str, str], dict[int, list[float]]](lambda: defaultdict(lambda: [0.0] * 4))
    for row, group in rows:
        earned, possible = (sum(one[n] for one in row.values()) for n in (0, 1))
        for item, (item_earned, item_possible) in row.items():
            if possible > item_possible > 0:
                share_of_rest = max(0.0, earned - item_earned) / (possible - item_possible)
                level = min(ABILITY_LEVEL_COUNT - 1, int(ABILITY_LEVEL_COUNT * share_of_rest))
                is_wrong = int(item_earned < MIN_POINTS_SHARE_OF_RIGHT_RESPONSE * item_possible)
                for focal_group in sizes.keys() - {reference} if group == reference else [group]:
                    counts_by_level[item, focal_group][level][is_wrong if group == reference else 2 + is_wrong] += 1
    figures = []
    for (item, focal_group), levels in sorted(counts_by_level.items()):
        counts = list(levels.values())
        n = int(sum(a + b for a, b, _, _ in counts)), int(sum(c + d for _, _, c, d in counts))
        ratio = common_odds_ratio_and_log_error_or_none(counts) if min(n) >= MIN_RESPONSES_PER_GROUP else None
        if ratio is not None:
            delta, error = DELTA_PER_LOG_ODDS * log(ratio[0]), -DELTA_PER_LOG_ODDS * ratio[1]
            figures.append(DifferentialItemFunctioning(item, focal_group, delta, error, ets_class(delta, error), n))
    return reference, tuple(figures)


def common_odds_ratio_and_log_error_or_none(counts_by_level: Iterable[Sequence[float]]) -> tuple[float, float] | None:
    """Mantel and Haenszel's common odds ratio, and the standard error of its logarithm; None if it is undefined. A
    level is: reference group right, wrong; focal group right, wrong."""
    r = s = pr = ps_qr = qs = 0.0
    for a, b, c, d in counts_by_level:
        n = a + b + c + d
        if a + b and c + d:
            r_term, s_term, p, q = a * d / n, b * c / n, (a + d) / n, (b + c) / n
            r, s = r + r_term, s + s_term
            pr, ps_qr, qs = pr + p * r_term, ps_qr + p * s_term + q * r_term, qs + q * s_term
    if not r or not s:
        return None
    return r / s, sqrt(pr / (2 * r * r) + ps_qr / (2 * r * s) + qs / (2 * s * s))


def ets_class(delta: float, standard_error: float) -> str:
    """A if |delta| < 1 or not significantly different from 0; C if |delta| >= 1.5 and significantly above 1; else B."""
    size = abs(delta)
    if size < 1 or size < 1.96 * standard_error:
        return "A"
    return "C" if size >= 1.5 and size - 1.645 * standard_error > 1 else "B"
