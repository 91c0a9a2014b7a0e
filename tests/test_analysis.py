"""Item analysis against an independent computation with numpy, and flags on a class of known flaws."""

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

from quizgen.analysis.item_statistics import (
    ItemFigures,
    ScoreFigures,
    item_figures,
    score_figures,
    time_quantiles_by_item,
)
from quizgen.analysis.reliability import Estimate, alpha_without, consistency_of, mean_of, wilson_interval
from quizgen.analysis.sums import CRITERION_STATUSES, UNITS_PER_SHARE, TableSums, sums_of_table
from quizgen.scoring.response import UNITS_PER_POINT
from quizgen.scoring.response_table import ResponseTable
from quizgen.scoring.scorer import ItemKeyFacts

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
        half = earned / 2
        marks = tuple(
            (c, CRITERION_STATUSES[n % 6], int(e * UNITS_PER_POINT), int(possible * UNITS_PER_POINT / 2))
            for c, e in (("p", half), ("q", half))
        )
        made.append(
            MadeResponse(
                row[0], f"i{n}", outcome, int(earned * UNITS_PER_POINT), int(possible * UNITS_PER_POINT), (option,), (("N", str(n % 3)),),
                seconds, said, marks,
            )
        )  # fmt: skip
    return made


def analysed(rows: list[Row], seed: int = 0) -> tuple[ScoreFigures, dict[str, ItemFigures], TableSums]:
    """The figures, with the candidates shuffled."""
    rows = list(rows)
    random.Random(seed).shuffle(rows)
    table = table_of(one for row in rows for one in responses(row))
    sums, times = sums_of_table(table, {}), time_quantiles_by_item(table)
    items = {
        name: item_figures(name, s, ItemKeyFacts(("key", "b", "c"), ("key",)), seconds_quantiles=times[name])
        for name, s in sums.items.items()
    }
    return score_figures(sums), items, sums


def near(figure: Estimate | float | None, value: float) -> None:
    found = figure.value if isinstance(figure, Estimate) else figure
    assert found is not None
    assert found == pytest.approx(value, abs=1e-9, rel=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_every_figure_equals_an_independent_computation(seed: int) -> None:
    """Random data sets, half of them with items that not everyone met."""
    np = pytest.importorskip("numpy", reason="numpy is the oracle")
    rows = made(seed, gaps=seed % 2 == 1)
    scores, items, sums = analysed(rows, seed=seed)
    earned = np.array([float(sum(a[0] for a in r[1].values())) for r in rows])
    possible = np.array([float(sum(a[1] for a in r[1].values())) for r in rows])
    share = earned / possible
    near(scores.mean, share.mean())
    near(scores.sd, share.std(ddof=1))
    near(scores.median, np.median(share))
    deviation = share - share.mean()
    near(scores.skewness, (deviation**3).mean() / share.std() ** 3)
    near(scores.kurtosis, (deviation**4).mean() / share.std() ** 4 - 3)
    size = max(1, math.floor(0.27 * len(rows) + 0.5))
    exact = sorted(Fraction(sum(a[0] for a in r[1].values())) / sum(a[1] for a in r[1].values()) for r in rows)
    low, high = exact[size - 1], exact[-size]
    for name, figures in items.items():
        n = int(name[1:])
        who = [i for i, r in enumerate(rows) if n in r[1]]
        x = np.array([float(rows[i][1][n][0] / rows[i][1][n][1]) for i in who])
        rest = np.array([(earned[i] - float(rows[i][1][n][0])) / (possible[i] - float(rows[i][1][n][1])) for i in who])
        assert figures.n == len(who)
        near(figures.difficulty, x.mean())
        near(figures.rest_correlation, np.corrcoef(x, rest)[0, 1])
        totals = [
            Fraction(sum(a[0] for a in rows[i][1].values())) / sum(a[1] for a in rows[i][1].values()) for i in who
        ]
        best = x[[t >= high for t in totals]]
        worst = x[[t <= low for t in totals]]
        near(figures.upper_lower_difference, best.mean() - worst.mean())
        seconds = np.array([rows[i][1][n][3] for i in who])
        near(figures.median_seconds, np.median(seconds))
        near(figures.p90_seconds, np.percentile(seconds, 90))
        for option in figures.options:
            took = np.array([rows[i][1][n][2] == option.text for i in who])
            assert option.taken == took.sum()
            near(option.rest_mean, rest[took].mean())
            near(option.correlation, np.corrcoef(took.astype(float), rest)[0, 1])
        for answer in figures.frequent_answers:
            gave = np.array(
                [
                    rows[i][1][n][0] != rows[i][1][n][1] and rows[i][1][n][2] + " times the key" == answer.text
                    for i in who
                ]
            )
            assert answer.taken == gave.sum() >= len(who) / 50
            near(answer.correlation, np.corrcoef(gave.astype(float), rest)[0, 1])
        assert figures.full_points_count == (x == 1).sum()
        for one in figures.criteria:  # each takes half of the item's points, in proportion
            near(one.share, x.mean())
            near(one.correlation, np.corrcoef(x, rest)[0, 1])
            assert one.status_counts == ((CRITERION_STATUSES[n % 6], len(who)),)
        (drawn,) = figures.drawn_value_shares
        assert drawn[2].n == len(who)
        near(drawn[2], x.mean())
    if seed % 2 == 0:
        matrix = np.array([[float(a[0]) for a in r[1].values()] for r in rows])
        k = matrix.shape[1]
        alpha = k / (k - 1) * (1 - matrix.var(axis=0, ddof=1).sum() / matrix.sum(axis=1).var(ddof=1))
        near(scores.alpha, alpha)
        without = alpha_without(sums)
        for column in range(k):
            rest = np.delete(matrix, column, axis=1)
            near(
                without[f"i{column}"],
                (k - 1) / (k - 2) * (1 - rest.var(axis=0, ddof=1).sum() / rest.sum(axis=1).var(ddof=1)),
            )
        sem = matrix.sum(axis=1).std(ddof=1) * math.sqrt(1 - alpha) / possible[0]
        true = share.mean() + max(0, alpha) * (share - share.mean())
        passing = np.array([NormalDist().cdf((t - 0.6) / sem) for t in true])
        found = consistency_of(sums.totals, scores.alpha, scores.sem, Fraction(3, 5))
        near(found, (passing**2 + (1 - passing) ** 2).mean())
        near(scores.sem, matrix.sum(axis=1).std(ddof=1) * math.sqrt(1 - alpha) / possible[0])
        assert not scores.alpha_warning
    else:
        assert "met different items" in scores.alpha_warning
    near(scores.phi, nested(np, [[float(a[0] / a[1]) for a in r[1].values()] for r in rows]))


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
    first = analysed(rows)
    for seed in (5, 6, 7):
        other = analysed(rows, seed)
        assert other[0] == first[0]
        assert other[1] == first[1]


def test_sums_beyond_64_bits_are_exact_and_a_faulty_query_is_no_full_disk() -> None:
    """As of 18 million responses: each of two stands for nine million."""
    table = table_of(one for row in made(1, gaps=False)[:2] for one in responses(row))
    before = sum(one.rest_sum for one in sums_of_table(table, {}).items["i0"].option_sums.values())
    table.insert("UPDATE counted SET rest = rest * ?", [(9_000_000,)])
    assert (
        sum(one.rest_sum for one in sums_of_table(table, {}).items["i0"].option_sums.values())
        == 9_000_000 * before
        > 2**63
    )
    with pytest.raises(sqlite3.OperationalError, match="no such table"), ResponseTable() as own:
        own.select("SELECT * FROM nowhere")


def test_alpha_of_right_and_wrong_items_is_kr20() -> None:
    """Kuder and Richardson's formula 20 by hand, for four candidates and three items."""
    answers = ((1, 1, 1), (1, 1, 0), (1, 0, 0), (0, 0, 0))
    rows = [
        (f"c{i}", {n: (Fraction(x), Fraction(1), "b", 1.0) for n, x in enumerate(xs)}) for i, xs in enumerate(answers)
    ]
    scores, _, _ = analysed(rows)
    # p = 3/4, 1/2, 1/4: sum of pq = 3/16 + 4/16 + 3/16 = 10/16; variance of 3, 2, 1, 0 is 5/4 (population).
    near(scores.alpha, 3 / 2 * (1 - (10 / 16) / (5 / 4)))


def given(*answers: tuple[tuple[float, float], ...]) -> list[Row]:
    """Candidates by what each item earned, out of what."""
    return [
        (f"c{i}", {n: (Fraction(e), Fraction(p), "b", 1.0) for n, (e, p) in enumerate(row)})
        for i, row in enumerate(answers)
    ]


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
    scores, _, _ = analysed(rows)
    assert (scores.alpha.value, scores.sem.value, scores.alpha.low) == (None, None, None)


def test_alpha_without_one_of_two_items_is_none() -> None:
    """One item alone agrees with nothing."""
    _, _, sums = analysed(given((RIGHT, RIGHT), (WRONG, WRONG)))
    assert alpha_without(sums) == {}


def test_an_item_that_the_best_never_met_tells_nobody_apart() -> None:
    """Of four candidates the upper and the lower 27 % are one each; the third item was met by one between."""
    _, items, _ = analysed(given((RIGHT, RIGHT), (RIGHT, WRONG, RIGHT), (RIGHT, WRONG), (WRONG, WRONG)))
    assert items["i2"].upper_lower_difference == Estimate(None, 0)
    assert items["i1"].upper_lower_difference.value == 1


def test_a_mean_of_right_and_wrong_has_a_proportions_interval() -> None:
    figure = mean_of(10, 8 * UNITS_PER_SHARE, 8 * UNITS_PER_SHARE * UNITS_PER_SHARE)
    assert (figure.low, figure.high) == wilson_interval(8, 10)
    assert figure.note.startswith("n = 10")
