"""Estimates with n and a 95 % interval (means, proportions, correlations, quantiles), and reliability.

Sources: Wilson 1927 (interval of a proportion), Fisher 1921 (of a correlation)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import atanh, ceil, erfc, exp, floor, log, sqrt, tanh
from operator import itemgetter, mul

from quizgen.analysis.sums import TableSums
from quizgen.scoring.attempts import UNITS_PER_SHARE
from quizgen.scoring.response import UNITS_PER_POINT
from quizgen.scoring.response_table import ResponseTable

NORMAL_97_5_PERCENTILE = 1.959963984540054  # 97.5th percentile of the normal distribution
MIN_CANDIDATES = 30  # a figure over fewer candidates carries a note


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its n and its 95 % interval; `value` is None if it is undefined."""

    value: float | None
    n: int
    low: float | None = None
    high: float | None = None

    @property
    def small_sample_note(self) -> str:
        return f"n = {self.n}, below {MIN_CANDIDATES}: take it as a hint" if self.n < MIN_CANDIDATES else ""


def wilson_interval(successes: float, n: int) -> tuple[float | None, float | None]:
    if n == 0:
        return None, None
    p, zz = successes / n, NORMAL_97_5_PERCENTILE * NORMAL_97_5_PERCENTILE
    middle = (p + zz / (2 * n)) / (1 + zz / n)
    half = NORMAL_97_5_PERCENTILE * sqrt(p * (1 - p) / n + zz / (4 * n * n)) / (1 + zz / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def proportion_estimate(successes: float, n: int) -> Estimate:
    """The share `successes / n` with Wilson's interval; partial successes count in part."""
    return Estimate(successes / n, n, *wilson_interval(successes, n)) if n else Estimate(None, 0)


def mean_estimate(n: int, share_sum: int, square_sum: int) -> Estimate:
    """The mean of `n` shares from their sum `share_sum` and their sum of squares `square_sum`, in units of 1e-12."""
    if n == 0:
        return Estimate(None, 0)
    mean = share_sum / (n * UNITS_PER_SHARE)
    if square_sum == share_sum * UNITS_PER_SHARE:  # every share is 0 or 1
        return proportion_estimate(mean * n, n)
    if n == 1:
        return Estimate(mean, n)
    half = NORMAL_97_5_PERCENTILE * sqrt(sample_variance(n, share_sum, square_sum) / n)
    return Estimate(mean, n, max(0.0, mean - half), min(1.0, mean + half))


def sample_variance(n: int, share_sum: int, square_sum: int) -> float:
    """The sample variance (n - 1) of `n` shares from their sum `share_sum` and their sum of squares `square_sum`."""
    return (n * square_sum - share_sum * share_sum) / (n * (n - 1) * UNITS_PER_SHARE * UNITS_PER_SHARE)


def correlation_estimate(n: int, x_sum: int, xx_sum: int, y_sum: int, yy_sum: int, xy_sum: int) -> Estimate:
    """Pearson's r from the sums of `n` pairs; the scales of x and y do not matter."""
    spread = (n * xx_sum - x_sum * x_sum) * (n * yy_sum - y_sum * y_sum)
    if n < 3 or spread <= 0:
        return Estimate(None, n)
    r = max(-1.0, min(1.0, (n * xy_sum - x_sum * y_sum) / sqrt(spread)))
    if n < 4 or abs(r) == 1:
        return Estimate(r, n)
    half = NORMAL_97_5_PERCENTILE / sqrt(n - 3)
    return Estimate(r, n, tanh(atanh(r) - half), tanh(atanh(r) + half))


def quantile_estimate(sorted_values: Sequence[int], quantile: float, divisor: float) -> Estimate:
    """The quantile at `quantile` of sorted values, divided by `divisor`, interpolated between neighbours (type 7 of
    Hyndman and Fan 1996). Its interval ends at the order statistics that cover it (binomial ranks, normal
    approximation)."""
    n = len(sorted_values)
    if not n:
        return Estimate(None, 0)
    spread = NORMAL_97_5_PERCENTILE * (n * quantile * (1 - quantile)) ** 0.5
    place = quantile * (n - 1)
    ranks = (floor(place), floor(place) + 1, floor(n * quantile - spread) - 1, ceil(n * quantile + spread))
    at, above, low, high = (sorted_values[min(max(rank, 0), n - 1)] for rank in ranks)
    return Estimate((at + (above - at) * (place - floor(place))) / divisor, n, low / divisor, high / divisor)


# Reliability of scores: alpha, alpha without each item, the standard error of a score, phi for candidates who met
# different items, and the share of pass decisions that a second sitting would confirm.
#
# Sources: Cronbach 1951, Bonett 2002 (interval of alpha), Kelley 1927 (estimated true scores), Subkoviak 1976
# (decision consistency, here with normal errors), Brennan 2001, chapter 3 (phi of items nested in persons).


MAX_EXPECTED_SHARE_DIFFERENCE = 0.05  # share of the points by which forms may differ without a note


def alpha_and_sem_estimates(sums: TableSums) -> tuple[Estimate, Estimate, int, str]:
    """Cronbach's alpha, the standard error of measurement as a share, the number of items that both are based on, and a
    sentence on candidates who are not covered (empty if all are)."""
    n, k, t, tt = sums.same_items_group_sums
    warning = ""
    if n < sums.candidates_with_points_count:
        everyone = sums.candidates_with_points_count
        extent = f"covers the {n} of {everyone} who met the same {k}" if n > 1 else "is not defined"
        warning = f"candidates met different items: alpha {extent}"
    if n < 2 or k < 2:
        return Estimate(None, n), Estimate(None, n), k, warning
    total, inside = n * tt - t * t, sum(_scaled_item_variances(n, sums).values())
    if total <= 0:
        return Estimate(None, n), Estimate(None, n), k, warning
    alpha = k / (k - 1) * (1 - inside / total)
    low = high = None
    if n > 2 and alpha < 1:
        half = NORMAL_97_5_PERCENTILE * sqrt(2 * k / ((k - 1) * (n - 2)))
        low, high = 1 - exp(log(1 - alpha) + half), 1 - exp(log(1 - alpha) - half)
    scale = sum(s.max_possible for s in sums.sums_by_item.values() if s.same_items_group_sums[0]) / UNITS_PER_POINT
    deviation = sqrt(total / (n * (n - 1))) / UNITS_PER_POINT
    sem = Estimate(None, n)
    if scale:
        bounds = [deviation * sqrt(max(0.0, 1 - a)) / scale for a in (high, low) if a is not None]
        sem = Estimate(deviation * sqrt(max(0.0, 1 - alpha)) / scale, n, *bounds)
    return Estimate(alpha, n, low, high), sem, k, warning


def _scaled_item_variances(group_size: int, sums: TableSums) -> dict[str, int]:
    """For each item of the group, n times the sum of squares about its mean."""
    return {
        name: group_size * s.same_items_group_sums[2] - s.same_items_group_sums[1] ** 2
        for name, s in sums.sums_by_item.items()
        if s.same_items_group_sums[0]
    }


def alpha_without_each_item(sums: TableSums) -> dict[str, float]:
    """For each item, alpha of the group's form without that item."""
    n, k, t, tt = sums.same_items_group_sums
    if n < 2 or k < 3:
        return {}
    spreads = _scaled_item_variances(n, sums)
    total, inside = n * tt - t * t, sum(spreads.values())
    found = {}
    for name, spread in spreads.items():
        one = sums.sums_by_item[name]
        rest = total + spread - 2 * (n * one.same_items_group_sums[3] - one.same_items_group_sums[1] * t)
        if rest > 0:
            found[name] = (k - 1) / (k - 2) * (1 - (inside - spread) / rest)
    return found


def phi_reliability_estimate(table: ResponseTable) -> Estimate:
    """The reliability of a candidate's mean share when each got different items: the variance between candidates,
    divided by that variance plus the error from drawing an average number of items."""
    persons = responses = squares = total = between = inside = 0
    rows = table.execute("SELECT person, share FROM counted WHERE share IS NOT NULL AND earned >= 0 ORDER BY id")
    for _, found in groupby(rows, key=itemgetter(0)):
        shares = [x for _, x in found]
        k, s = len(shares), sum(shares)
        persons += 1
        responses += k
        squares += k * k
        total += s
        between += (2 * s * s + k) // (2 * k)  # rounded: (sum of shares)² / number of responses
        inside += sum(map(mul, shares, shares))
    if persons < 2 or responses <= persons:
        return Estimate(None, persons)
    within = (inside - between) / (UNITS_PER_SHARE * UNITS_PER_SHARE) / (responses - persons)
    among = (between - total * total / responses) / (UNITS_PER_SHARE * UNITS_PER_SHARE) / (persons - 1)
    each = (responses - squares / responses) / (persons - 1)
    candidates = max(0.0, (among - within) / each)
    error = within / (responses / persons)
    return Estimate(candidates / (candidates + error), persons) if candidates + error > 0 else Estimate(None, persons)


def pass_consistency(sums: TableSums, alpha: Estimate, sem: Estimate, pass_share: Fraction | None) -> Estimate:
    """The share of candidates who would pass both or fail both of two sittings with equally good forms."""
    n = sums.candidates_with_points_count
    if pass_share is None or alpha.value is None or not sem.value or not n:
        return Estimate(None, n)
    mean, agreed = sums.share_power_sums[0] / (n * UNITS_PER_SHARE), 0.0
    for value, same in groupby(sums.sorted_shares):
        true = mean + max(0.0, alpha.value) * (value / UNITS_PER_SHARE - mean)
        passing = 0.5 * erfc((float(pass_share) - true) / (sem.value * sqrt(2)))
        agreed += len(list(same)) * (passing**2 + (1 - passing) ** 2)
    return Estimate(agreed / n, n)


def uneven_forms_note(expected_shares: Iterable[float]) -> str:
    """A sentence on comparisons that are unfair because candidates got different items; empty if their forms were
    equally hard.

    `expected_shares`: the share that each candidate's items would give an average candidate; it differs little if items
    were drawn by chance."""
    found = sorted(expected_shares)
    if len(found) < MIN_CANDIDATES:
        return ""
    low, high = found[len(found) // 20], found[-1 - len(found) // 20]
    if high - low < MAX_EXPECTED_SHARE_DIFFERENCE:
        return ""
    return (
        f"the forms were not equally hard: their items let an average candidate earn {low:.0%} to {high:.0%} of the "
        "points (5th to 95th percentile); a difference of this size between scores on different forms means nothing"
    )
