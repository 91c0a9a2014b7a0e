"""A figure with its n and its 95 % interval, and the intervals of means, proportions, correlations, quantiles.

Sources: Wilson 1927 (interval of a proportion), Fisher 1921 (of a correlation).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atanh, sqrt, tanh

from quizgen.analysis.histogram import Histogram
from quizgen.analysis.sums import SHARE

Z = 1.959963984540054  # 97.5 % of the normal distribution
ENOUGH = 30  # below this n a figure is shown with a note


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its n and its 95 % interval; None where it is not defined."""

    value: float | None
    n: int
    low: float | None = None
    high: float | None = None

    @property
    def note(self) -> str:
        return f"n = {self.n}, below {ENOUGH}: take it as a hint" if self.n < ENOUGH else ""


def wilson(successes: float, n: int) -> tuple[float | None, float | None]:
    if n == 0:
        return None, None
    p, zz = successes / n, Z * Z
    middle = (p + zz / (2 * n)) / (1 + zz / n)
    half = Z * sqrt(p * (1 - p) / n + zz / (4 * n * n)) / (1 + zz / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def mean_of(n: int, x: int, xx: int) -> Estimate:
    """Mean of shares from n, sum and sum of squares in units of 1e-12."""
    if n == 0:
        return Estimate(None, 0)
    mean = x / (n * SHARE)
    if xx == x * SHARE:  # every share is 0 or 1
        return Estimate(mean, n, *wilson(mean * n, n))
    half = Z * sqrt(variance(n, x, xx) / n) if n > 1 else None
    if half is None:
        return Estimate(mean, n)
    return Estimate(mean, n, max(0.0, mean - half), min(1.0, mean + half))


def variance(n: int, x: int, xx: int) -> float:
    """Sample variance (n - 1) of shares."""
    return (n * xx - x * x) / (n * (n - 1) * SHARE * SHARE)


def correlation_of(n: int, x: int, xx: int, y: int, yy: int, xy: int) -> Estimate:
    """Pearson's r from whole-number sums; the scales of x and y do not matter."""
    spread = (n * xx - x * x) * (n * yy - y * y)
    if n < 3 or spread <= 0:
        return Estimate(None, n)
    r = max(-1.0, min(1.0, (n * xy - x * y) / sqrt(spread)))
    if n < 4 or abs(r) == 1:
        return Estimate(r, n)
    half = Z / sqrt(n - 3)
    return Estimate(r, n, tanh(atanh(r) - half), tanh(atanh(r) + half))


def quantile_of(histogram: Histogram, share: float, scale: float) -> Estimate:
    ranks = histogram.ranks()
    if not ranks.n:
        return Estimate(None, 0)
    low, high = ranks.interval(share, Z)
    return Estimate(ranks.quantile(share) / scale, ranks.n, low / scale, high / scale)
