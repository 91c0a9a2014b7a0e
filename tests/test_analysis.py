"""Item analysis against an independent computation with numpy, and every 95 % interval computed again from the raw data
by its published formula.
"""

from __future__ import annotations

import math
import random
import sqlite3
from collections.abc import Iterator
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import pytest
from made_table import MadeResponse, close_tables, table_of

from quizgen.analysis import estimates, item_statistics
from quizgen.analysis.estimates import CRITERION_MARK_STATUSES, UNITS_PER_SHARE, ResponseTableSums, sums_of_table
from quizgen.scoring.response import UNITS_PER_POINT
from quizgen.scoring.response_table import ResponseTable
from quizgen.scoring.scorer import ItemOptionsAndKey

Row = tuple[str, dict[int, tuple[Fraction, Fraction, str, float]]]


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """Tables are closed behind each test."""
    yield
    close_tables()


def made(seed: int, gaps: bool) -> list[Row]:
    """Random candidates: items worth 1 to 4 points, right, wrong or in part, some of them not met."""
    rng = random.Random(seed)
    items = rng.randint(5, 12)
    worth = [Fraction(rng.choice((1, 1, 2, 4))) for _ in range(items)]
    partial = [rng.random() < 0.4 for _ in range(items)]
    rows = []
    for c in range(rng.randint(40, 160)):
        ability = rng.gauss(0, 1)
        answers = {}
        for n in range(items):
            if gaps and rng.random() < 0.2:
                continue
            steps = 4 if partial[n] else 1
            mean = 1 / (1 + math.exp(-ability + rng.gauss(0, 1)))
            earned = worth[n] * Fraction(round(mean * steps), steps)
            option = "key" if earned == worth[n] else rng.choice(("b", "c"))
            answers[n] = (earned, worth[n], option, round(rng.lognormvariate(3, 0.7), 1))
        if len(answers) > 1:
            rows.append((f"c{c:03d}", answers))
    return rows


def responses(row: Row) -> list[MadeResponse]:
    made = []
    for n, (earned, possible, option, seconds) in row[1].items():
        outcome = "correct" if earned == possible else "incorrect" if not earned else "partial"
        said = "" if earned == possible else f"{option} times the key"
        got, whole = int(earned * UNITS_PER_POINT), int(possible * UNITS_PER_POINT)
        marks = tuple((name, CRITERION_MARK_STATUSES[n % 6], got // 2, whole // 2) for name in "pq")
        drawn = (("N", str(n % 3)),)
        made.append(MadeResponse(row[0], f"i{n}", outcome, got, whole, (option,), drawn, seconds, said, marks))
    return made


def analysed(
    rows: list[Row], seed: int = 0
) -> tuple[item_statistics.ScoreFigures, dict[str, item_statistics.ItemStatistics], ResponseTableSums]:
    """The figures, with the candidates shuffled."""
    rows = list(rows)
    random.Random(seed).shuffle(rows)
    table = table_of(one for row in rows for one in responses(row))
    sums = sums_of_table(table, {})
    rows = table.execute(item_statistics.SELECT_ITEM_MILLISECONDS).fetchall()
    items = {
        name: item_statistics.statistics_of_item(
            name,
            s,
            ItemOptionsAndKey(("key", "b", "c"), ("key",)),
            sorted_milliseconds=[ms for item, ms in rows if item == name],
        )
        for name, s in sums.sums_by_item.items()
    }
    return item_statistics.score_figures(table, sums), items, sums


def near(figure: estimates.Estimate | float | None, value: float) -> None:
    found = figure.value if isinstance(figure, estimates.Estimate) else figure
    assert found is not None
    assert found == pytest.approx(value, abs=1e-9, rel=1e-9)


@pytest.mark.parametrize("seed", range(2))
def test_every_figure_equals_an_independent_computation(seed: int) -> None:
    """Random data sets, half of them with items that not everyone met."""
    np = pytest.importorskip("numpy", reason="numpy is the oracle")
    rows = made(seed, gaps=seed % 2 == 1)
    scores, items, sums = analysed(rows, seed=seed)
    earned = np.array([float(sum(a[0] for a in r[1].values())) for r in rows])
    possible = np.array([float(sum(a[1] for a in r[1].values())) for r in rows])
    share = earned / possible
    near(scores.mean_share, share.mean())
    near(scores.share_sd, share.std(ddof=1))
    near(scores.median_share, np.median(share))
    deviation = share - share.mean()
    near(scores.skewness, (deviation**3).mean() / share.std() ** 3)
    near(scores.kurtosis, (deviation**4).mean() / share.std() ** 4 - 3)
    size = max(1, math.floor(0.27 * len(rows) + 0.5))
    exact = [Fraction(sum(a[0] for a in r[1].values())) / sum(a[1] for a in r[1].values()) for r in rows]
    low, high = sorted(exact)[size - 1], sorted(exact)[-size]
    for name, figures in items.items():
        n = int(name[1:])
        who = [i for i, r in enumerate(rows) if n in r[1]]
        x = np.array([float(rows[i][1][n][0] / rows[i][1][n][1]) for i in who])
        rest = np.array([(earned[i] - float(rows[i][1][n][0])) / (possible[i] - float(rows[i][1][n][1])) for i in who])
        assert figures.n == len(who)
        near(figures.mean_share, x.mean())
        near(figures.rest_correlation, np.corrcoef(x, rest)[0, 1])
        best = x[[exact[i] >= high for i in who]]
        worst = x[[exact[i] <= low for i in who]]
        near(figures.upper_lower_difference, best.mean() - worst.mean())
        seconds = np.array([rows[i][1][n][3] for i in who])
        near(figures.median_seconds, np.median(seconds))
        near(figures.p90_seconds, np.percentile(seconds, 90))
        for option in figures.option_statistics:
            took = np.array([rows[i][1][n][2] == option.text for i in who])
            assert option.response_count == took.sum()
            near(option.mean_share_on_other_items, rest[took].mean())
            near(option.rest_correlation, np.corrcoef(took.astype(float), rest)[0, 1])
        for answer in figures.frequent_wrong_answers:
            met = [rows[i][1][n] for i in who]
            gave = np.array([e != p and f"{option} times the key" == answer.text for e, p, option, _ in met])
            assert answer.response_count == gave.sum() >= len(who) / 50
            near(answer.rest_correlation, np.corrcoef(gave.astype(float), rest)[0, 1])
        assert figures.full_points_count == (x == 1).sum()
        for one in figures.criterion_estimates:  # each takes half of the item's points, in proportion
            near(one.mean_share, x.mean())
            near(one.other_items_correlation, np.corrcoef(x, rest)[0, 1])
            assert one.statuses_and_counts == ((CRITERION_MARK_STATUSES[n % 6], len(who)),)
        (drawn,) = figures.drawn_value_shares
        assert drawn[2].n == len(who)
        near(drawn[2], x.mean())
    if seed % 2 == 0:
        matrix = np.array([[float(a[0]) for a in r[1].values()] for r in rows])
        k = matrix.shape[1]
        alpha = k / (k - 1) * (1 - matrix.var(axis=0, ddof=1).sum() / matrix.sum(axis=1).var(ddof=1))
        near(scores.cronbach_alpha, alpha)
        without = estimates.cronbach_alpha_by_left_out_item(sums)
        for column in range(k):
            rest = np.delete(matrix, column, axis=1)
            inside = rest.var(axis=0, ddof=1).sum() / rest.sum(axis=1).var(ddof=1)
            near(without[f"i{column}"], (k - 1) / (k - 2) * (1 - inside))
        sem = matrix.sum(axis=1).std(ddof=1) * math.sqrt(1 - alpha) / possible[0]
        true = share.mean() + max(0, alpha) * (share - share.mean())
        passing = np.array([NormalDist().cdf((t - 0.6) / sem) for t in true])
        found = estimates.pass_consistency(
            sums, scores.cronbach_alpha, scores.share_standard_error_of_measurement, Fraction(3, 5)
        )
        near(found, (passing**2 + (1 - passing) ** 2).mean())
        near(scores.share_standard_error_of_measurement, sem)
        assert not scores.alpha_warning
    else:
        assert "met different items" in scores.alpha_warning
    near(scores.phi_reliability, nested(np, [[float(a[0] / a[1]) for a in r[1].values()] for r in rows]))


def nested(np: Any, shares: list[list[float]]) -> float:
    """One-way analysis of variance with unequal groups, by its mean squares (Searle 1971, section 10.2)."""
    sizes, every = np.array([len(s) for s in shares]), np.concatenate([np.array(s) for s in shares])
    means = np.array([np.mean(s) for s in shares])
    among = (sizes * (means - every.mean()) ** 2).sum() / (len(shares) - 1)
    within = sum(((np.array(s) - np.mean(s)) ** 2).sum() for s in shares) / (len(every) - len(shares))
    each = (len(every) - (sizes**2).sum() / len(every)) / (len(shares) - 1)
    candidates = max(0.0, (among - within) / each)
    return float(candidates / (candidates + within / sizes.mean()))


def test_neither_order_nor_division_changes_a_digit() -> None:
    rows = made(3, gaps=True)
    assert analysed(rows, 5)[:2] == analysed(rows)[:2]


def test_sums_beyond_64_bits_are_exact_and_a_faulty_query_is_no_full_disk() -> None:
    """As of 18 million responses: each of two stands for nine million."""
    table = table_of(one for row in made(1, gaps=False)[:2] for one in responses(row))

    def sum_of_rests() -> int:
        options = sums_of_table(table, {}).sums_by_item["i0"].sums_by_option
        return sum(sums.other_items_share_unit_sum for sums in options.values())

    before = sum_of_rests()
    table.executemany("UPDATE counted SET rest = rest * ?", [(9_000_000,)])
    assert sum_of_rests() == 9_000_000 * before > 2**63
    with pytest.raises(sqlite3.OperationalError, match="no such table"), ResponseTable() as own:
        own.execute("SELECT * FROM nowhere")


def given(*answers: tuple[tuple[float, float], ...]) -> list[Row]:
    """Candidates by what each item earned, out of what."""
    made = ({n: (Fraction(e), Fraction(p), "b", 1.0) for n, (e, p) in enumerate(row)} for row in answers)
    return [(f"c{i}", row) for i, row in enumerate(made)]


RIGHT, WRONG, NOTHING = (1, 1), (0, 1), (0, 0)


@pytest.mark.parametrize(
    "rows",
    [
        given(),
        given((RIGHT, WRONG, RIGHT)),
        given((RIGHT,), (WRONG,)),
        given((RIGHT, WRONG), (WRONG, RIGHT)),
        given((NOTHING, NOTHING), (NOTHING, NOTHING)),
    ],
    ids=["nobody", "one candidate", "one item", "all alike", "worth nothing"],
)
def test_where_nothing_differs_there_is_no_reliability(rows: list[Row]) -> None:
    """None of its figures is defined, and none is told."""
    scores, _, sums = analysed(rows)
    figures = scores.cronbach_alpha.value, scores.share_standard_error_of_measurement.value, scores.cronbach_alpha.low
    assert figures == (None, None, None)
    assert estimates.cronbach_alpha_by_left_out_item(sums) == {}


def test_an_item_that_the_best_never_met_tells_nobody_apart() -> None:
    """Of four candidates the upper and the lower 27 % are one each; the third item was met by one between."""
    _, items, _ = analysed(given((RIGHT, RIGHT), (RIGHT, WRONG, RIGHT), (RIGHT, WRONG), (WRONG, WRONG)))
    assert items["i2"].upper_lower_difference == estimates.Estimate(None, 0)
    assert items["i1"].upper_lower_difference.value == 1


def test_a_mean_of_right_and_wrong_has_a_proportions_interval() -> None:
    figure = estimates.mean_share_estimate(10, 8 * UNITS_PER_SHARE, 8 * UNITS_PER_SHARE * UNITS_PER_SHARE)
    assert figure == estimates.proportion_estimate(8, 10)


Z = NormalDist().inv_cdf(0.975)


def spans(figure: estimates.Estimate, low: float, high: float) -> None:
    assert (figure.low, figure.high) == pytest.approx((low, high), abs=1e-9, rel=1e-9)


def test_wilson_as_published() -> None:
    """The last row is the example of Newcombe 1998, table I: 81 of 263 give 0.2553 to 0.3662."""
    for successes, n, low, high in ((0, 10, 0.0, 0.277533), (10, 10, 0.722467, 1.0), (81, 263, 0.255289, 0.366210)):
        found = estimates.proportion_estimate(successes, n)
        assert (found.low, found.high) == pytest.approx((low, high), abs=1e-6)


def test_too_few_have_no_interval() -> None:
    """None have no figure at all; one share of a half, three points off a line and four on it have no interval."""
    assert estimates.proportion_estimate(0, 0) == estimates.Estimate(None, 0)
    assert estimates.mean_share_estimate(0, 0, 0) == estimates.Estimate(None, 0)
    assert estimates.mean_share_estimate(
        1, UNITS_PER_SHARE // 2, UNITS_PER_SHARE * UNITS_PER_SHARE // 4
    ) == estimates.Estimate(0.5, 1)
    three = estimates.correlation_estimate(3, 3, 5, 2, 2, 3)  # (0, 0), (1, 1), (2, 1): r = 3 / sqrt(6 x 2)
    assert three == estimates.Estimate(pytest.approx(math.sqrt(3) / 2), 3)
    assert estimates.correlation_estimate(4, 6, 14, 6, 14, 14) == estimates.Estimate(1.0, 4)


def test_intervals_over_candidates() -> None:
    """About figures that numpy gives above: mean (normal), standard deviation (log), skewness and kurtosis (their
    normal errors), alpha (Bonett 2002, eq. 6), SEM by it."""
    rows = made(0, gaps=False)
    scores, _, _ = analysed(rows)
    n, k = len(rows), len(rows[0][1])
    half = Z * scores.share_sd.value / math.sqrt(n)
    spans(scores.mean_share, scores.mean_share.value - half, scores.mean_share.value + half)
    factor = math.exp(Z / math.sqrt(2 * (n - 1)))
    spans(scores.share_sd, scores.share_sd.value / factor, scores.share_sd.value * factor)
    for figure, error in ((scores.skewness, math.sqrt(6 / n)), (scores.kurtosis, math.sqrt(24 / n))):
        spans(figure, figure.value - Z * error, figure.value + Z * error)
    alpha, error = scores.cronbach_alpha.value, Z * math.sqrt(2 * k / ((k - 1) * (n - 2)))
    low, high = 1 - (1 - alpha) * math.exp(error), 1 - (1 - alpha) * math.exp(-error)
    spans(scores.cronbach_alpha, low, high)
    spread = scores.share_standard_error_of_measurement.value / math.sqrt(1 - alpha)
    spans(scores.share_standard_error_of_measurement, spread * math.sqrt(1 - high), spread * math.sqrt(1 - low))


def test_intervals_of_items() -> None:
    """Correlation (Fisher), difference of two shares, seconds (order statistics), options (Wilson)."""
    rows = made(1, gaps=True)
    _, items, _ = analysed(rows)
    for name, figures in items.items():
        n = int(name[1:])
        met = [row[1][n] for row in rows if n in row[1]]
        z, half = math.atanh(figures.rest_correlation.value), Z / math.sqrt(len(met) - 3)
        spans(figures.rest_correlation, math.tanh(z - half), math.tanh(z + half))
        upper, lower = figures.upper_group_mean_share, figures.lower_group_mean_share
        difference = figures.upper_lower_difference.value
        half = Z * math.sqrt(sum(f.value * (1 - f.value) / f.n for f in (upper, lower)))
        spans(figures.upper_lower_difference, max(-1.0, difference - half), min(1.0, difference + half))
        seconds = sorted(a[3] for a in met)
        for figure, q in ((figures.median_seconds, 0.5), (figures.p90_seconds, 0.9)):
            half = Z * math.sqrt(len(met) * q * (1 - q))
            low = max(0, math.floor(len(met) * q - half) - 1)
            high = min(len(met) - 1, math.ceil(len(met) * q + half))
            spans(figure, seconds[low], seconds[high])
        for option in figures.option_statistics:
            assert option.response_share == estimates.proportion_estimate(option.response_count, len(met))


def test_the_interval_of_a_median_covers_what_it_says() -> None:
    """Of 100 values the 40th to the 61st: by the binomial itself that covers the median in 96.5 %."""
    spans(estimates.divided_quantile_estimate(range(1, 101), 0.5, 1), 40, 61)
    assert sum(math.comb(100, k) for k in range(40, 61)) / 2**100 == pytest.approx(0.9648, abs=1e-4)
