"""Every 95 % interval of a report, computed again from the raw data by its published formula."""

from __future__ import annotations

import math
from statistics import NormalDist, mean, pstdev, stdev

import pytest
from test_analysis import Row, analysed, made

from quizgen.analysis.item_statistics import mean_share
from quizgen.analysis.reliability import Estimate, correlation_of, mean_of, quantile_of, wilson_interval
from quizgen.analysis.sums import UNITS_PER_SHARE

Z = NormalDist().inv_cdf(0.975)


def bounds(figure: Estimate) -> tuple[float, float]:
    assert figure.low is not None
    assert figure.high is not None
    return figure.low, figure.high


def near(figure: Estimate, low: float, high: float) -> None:
    assert bounds(figure) == pytest.approx((low, high), abs=1e-9, rel=1e-9)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(5, 10, 0.236593, 0.763407), (0, 10, 0.0, 0.277533), (10, 10, 0.722467, 1.0), (81, 263, 0.255289, 0.366210)],
)
def test_wilson_as_published(successes: int, n: int, low: float, high: float) -> None:
    """The last row is the example of Newcombe 1998, table I: 81 of 263 give 0.2553 to 0.3662."""
    assert wilson_interval(successes, n) == pytest.approx((low, high), abs=1e-6)


def test_too_few_have_no_interval() -> None:
    """None have no figure at all; one share of a half, three points off a line and four on it have no interval."""
    assert wilson_interval(0, 0) == (None, None)
    assert mean_of(0, 0, 0) == Estimate(None, 0)
    assert mean_of(1, UNITS_PER_SHARE // 2, UNITS_PER_SHARE * UNITS_PER_SHARE // 4) == Estimate(0.5, 1)
    three = correlation_of(3, 3, 5, 2, 2, 3)  # (0, 0), (1, 1), (2, 1): r = 3 / sqrt(6 x 2)
    assert three == Estimate(pytest.approx(math.sqrt(3) / 2), 3)
    assert correlation_of(4, 6, 14, 6, 14, 14) == Estimate(1.0, 4)


def share_of(row: Row) -> float:
    return float(sum(a[0] for a in row[1].values()) / sum(a[1] for a in row[1].values()))


@pytest.mark.parametrize("seed", [0, 2])
def test_intervals_over_candidates(seed: int) -> None:
    """Mean (normal), standard deviation (log), skewness and kurtosis (their normal errors), alpha (Bonett 2002, eq. 6),
    SEM by it."""
    rows = made(seed, gaps=False)
    scores, _, _ = analysed(rows)
    shares = [share_of(row) for row in rows]
    n = len(shares)
    half = Z * stdev(shares) / math.sqrt(n)
    near(scores.mean, mean(shares) - half, mean(shares) + half)
    factor = math.exp(Z / math.sqrt(2 * (n - 1)))
    near(scores.sd, stdev(shares) / factor, stdev(shares) * factor)
    for figure, order, error in ((scores.skewness, 3, math.sqrt(6 / n)), (scores.kurtosis, 4, math.sqrt(24 / n))):
        moment = mean([(s - mean(shares)) ** order for s in shares]) / pstdev(shares) ** order - (
            3 if order == 4 else 0
        )
        near(figure, moment - Z * error, moment + Z * error)
    k = len(rows[0][1])
    points = [[float(a[0]) for a in row[1].values()] for row in rows]
    inside = sum(stdev(column) ** 2 for column in zip(*points, strict=True))
    spread = stdev([sum(row) for row in points])
    alpha = k / (k - 1) * (1 - inside / spread**2)
    error = Z * math.sqrt(2 * k / ((k - 1) * (n - 2)))
    low, high = 1 - (1 - alpha) * math.exp(error), 1 - (1 - alpha) * math.exp(-error)
    near(scores.alpha, low, high)
    whole = float(sum(a[1] for a in rows[0][1].values()))
    near(scores.sem, spread * math.sqrt(1 - high) / whole, spread * math.sqrt(1 - low) / whole)


@pytest.mark.parametrize("seed", [1, 3])
def test_intervals_of_items(seed: int) -> None:
    """Correlation (Fisher), difference of two shares, seconds (order statistics), options (Wilson)."""
    rows = made(seed, gaps=True)
    _, items, _ = analysed(rows)
    for name, figures in items.items():
        n = int(name[1:])
        met = [row[1][n] for row in rows if n in row[1]]
        r = figures.rest_correlation.value
        assert r is not None
        z, half = math.atanh(r), Z / math.sqrt(len(met) - 3)
        near(figures.rest_correlation, math.tanh(z - half), math.tanh(z + half))
        upper, lower, difference = figures.upper_share, figures.lower_share, figures.upper_lower_difference.value
        assert upper.value is not None
        assert lower.value is not None
        assert difference is not None
        half = Z * math.sqrt(sum(f.value * (1 - f.value) / f.n for f in (upper, lower) if f.value is not None))
        near(figures.upper_lower_difference, max(-1.0, difference - half), min(1.0, difference + half))
        seconds = sorted(a[3] for a in met)
        for figure, q in ((figures.median_seconds, 0.5), (figures.p90_seconds, 0.9)):
            half = Z * math.sqrt(len(met) * q * (1 - q))
            low = max(0, math.floor(len(met) * q - half) - 1)
            high = min(len(met) - 1, math.ceil(len(met) * q + half))
            near(figure, seconds[low], seconds[high])
        for option in figures.options:
            near(option.share, *(b for b in wilson_interval(option.taken, len(met)) if b is not None))


def test_the_interval_of_a_median_covers_what_it_says() -> None:
    """Of 100 values the 40th to the 61st: by the binomial itself that covers the median in 96.5 %."""
    low, high = bounds(quantile_of(range(1, 101), 0.5, 1))
    assert (low, high) == (40, 61)
    assert sum(math.comb(100, k) for k in range(40, 61)) / 2**100 == pytest.approx(0.9648, abs=1e-4)


def test_half_points_are_half_a_success() -> None:
    """Wilson's interval of a mean share with partial credit: 1.5 of 3."""
    figure = mean_share(3, 3 * UNITS_PER_SHARE // 2)
    assert figure.value == 0.5
    near(figure, *(b for b in wilson_interval(1.5, 3) if b is not None))
