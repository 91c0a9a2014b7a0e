"""Equating against what is worked by hand, against numpy, and against a form of known difficulty."""

from __future__ import annotations

import random
from math import sqrt

import numpy as np
import pytest

from quizgen.analysis.equating import Moments, form_figures, moments_of, tucker_scale, tucker_scale_with_error


def test_tucker_by_hand() -> None:
    """X: 22.5 (SD 5.4), V 6.2 (1.8). Y: 24 (6), V 6.8 (2). r = 0.8 in both, weights a half.

    gamma = 0.8 * 5.4 / 1.8 = 0.8 * 6 / 2 = 2.4; the groups differ by -0.6 on V and by 3.24 - 4 = -0.76 in its variance.
    Means: 22.5 + 0.5 * 2.4 * 0.6 = 23.22 and 24 - 0.5 * 2.4 * 0.6 = 23.28.
    Variances: 29.16 + 0.5 * 5.76 * 0.76 + 0.25 * 5.76 * 0.36 = 31.8672 and 36 - 2.1888 + 0.5184 = 34.3296.
    Slope sqrt(34.3296 / 31.8672) = 1.037917; 30 points become 23.28 + 1.037917 * 6.78 = 30.317.
    """
    x, y = Moments(50, 22.5, 5.4, 6.2, 1.8, 0.8), Moments(50, 24, 6, 6.8, 2, 0.8)
    scale = tucker_scale(x, y)
    assert scale.slope == pytest.approx(1.037917, abs=1e-6)
    assert scale.convert(23.22) == pytest.approx(23.28)
    assert scale.convert(30) == pytest.approx(30.32, abs=0.005)
    same = tucker_scale(x, x)
    assert (same.slope, same.intercept) == pytest.approx((1, 0))


def sample(rng: random.Random, n: int, ability: float, easier: float) -> list[tuple[float, float]]:
    """Points of n candidates: ten common items among forty; `easier` points come with the form."""
    rows = []
    for _ in range(n):
        theta = rng.gauss(ability, 1)
        v = 5 + 1.5 * theta + rng.gauss(0, 1)
        rows.append((20 + 5 * theta + rng.gauss(0, 2) + v - 5 + easier, v))
    return rows


def test_moments_are_those_of_numpy() -> None:
    pairs = sample(random.Random(1), 200, 0, 0)
    x, v = np.array(pairs).T
    found = moments_of(pairs)
    assert (found.mean, found.sd, found.anchor, found.anchor_sd) == pytest.approx(
        (x.mean(), x.std(), v.mean(), v.std())
    )
    assert found.r == pytest.approx(np.corrcoef(x, v)[0, 1])


def test_an_easier_form_is_found_out_though_its_group_is_weaker() -> None:
    """Three points easier, taken by a group that is half a standard deviation (3.25 points) weaker, so that the raw
    means differ by 0.25 the other way. By hand: cov(X, V) = 1.5 * 6.5 + 1 and var(V) = 3.25, so V's 0.75 points
    stand for 2.48: Tucker finds 3 - (3.25 - 2.48) = 2.23, since the common items are not without error themselves.
    """
    rng = random.Random(7)
    ys, xs = sample(rng, 3000, 0, 0), sample(rng, 3000, -0.5, 3)
    scale = tucker_scale_with_error(xs, ys)
    assert scale.error is not None
    at = moments_of(xs).mean
    assert at - scale.convert(at) == pytest.approx(2.23, abs=3 * scale.error)
    assert scale.error < 0.1


def test_the_standard_error_is_what_comes_of_drawing_again() -> None:
    """The jackknife against the spread of the same figure over 300 fresh samples of 120 candidates."""
    rng = random.Random(3)
    values, errors = [], []
    for number in range(300):
        xs, ys = sample(rng, 120, -0.3, 1), sample(rng, 120, 0, 0)
        scale = tucker_scale_with_error(xs, ys) if number < 20 else tucker_scale(moments_of(xs), moments_of(ys))
        values.append(scale.convert(moments_of(xs).mean) - moments_of(xs).mean)
        if number < 20:
            assert scale.error is not None
            errors.append(scale.error)
    # What X's mean of this sample becomes varies with Y and with how the common items tie the groups.
    assert sum(errors) / len(errors) == pytest.approx(sqrt(float(np.var(values))), rel=0.25)


def test_nothing_is_equated_that_cannot_be() -> None:
    assert tucker_scale(Moments(10, 5, 2, 3, 0, 0), Moments(10, 5, 2, 3, 1, 0.5)) is None
    assert tucker_scale_with_error([(5, 3)], [(5, 3), (6, 4), (7, 4)]) is None
    one, two = form_figures({"X-B": [(5, 3), (6, 3)], "X-A": [(5, 3), (7, 4)]}, True)
    assert (one.form, one.scale, two.scale, two.has_few_candidates) == ("X-A", None, None, True)
    assert form_figures({"X-A": [(1, 0)], "X-B": [(2, 0)]}, False)[1].scale is None


@pytest.mark.parametrize("xs", [[(5.0, 3.0), (7.0, 4.0)], [(5.0, 3.0), (6.0, 3.0), (7.0, 4.0)]])
def test_a_scale_that_hangs_on_one_candidate_has_no_error(xs: list[tuple[float, float]]) -> None:
    """Without the last of them the common items do not vary; the scale itself is Tucker's all the same."""
    ys = [(4.0, 2.0), (6.0, 3.0), (8.0, 4.0), (9.0, 5.0)]
    found, by_all = tucker_scale_with_error(xs, ys), tucker_scale(moments_of(xs), moments_of(ys))
    assert found == by_all
    assert found.error is None
