"""Sums over the table of responses that count, over candidates and over the responses to each item; and estimates from
them with n and a 95 % interval: means, proportions, correlations, quantiles, and reliability.

Shares (earned / possible) are whole numbers of 1e-12, points of a unit (`UNITS_PER_POINT`). A sum that could
overflow SQLite's 64 bits, such as one of squares, is added up here in unbounded whole numbers, or by SQLite in two
parts (`two_part_sum_sql`). Sources: Wilson 1927 (interval of a proportion), Fisher 1921 (of a correlation)."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby, islice
from math import atanh, ceil, erfc, exp, floor, log, sqrt, tanh
from operator import add, itemgetter, mul
from typing import Any, NamedTuple

from quizgen.scoring import response_table
from quizgen.scoring.response import UNITS_PER_POINT
from quizgen.scoring.response_table import UNITS_PER_SHARE, ResponseTable, share_in_units

MAX_LISTED_DRAWN_VALUES_PER_ITEM = 256  # drawn values listed for an item, the most frequent first
MAX_COUNTED_DRAWN_VALUES_PER_ITEM = 4_096  # drawn values counted for an item; further values are left out
CRITERION_MARK_STATUSES = ("found", "partial", "hedged", "negated", "contradicted", "missing")
MIN_RESPONSE_SHARE_OF_LISTED_WRONG_ANSWER = Fraction(1, 50)  # of the responses to an item; and at least five
RESPONSE_ROWS_PER_BATCH = 10_000  # rows added in one batch

SELECT_CANDIDATE_SHARES = "SELECT share FROM person WHERE share IS NOT NULL ORDER BY share"
SELECT_LARGEST_SAME_ITEMS_GROUP = """
SELECT met, count(*) FROM person WHERE share IS NOT NULL
GROUP BY met ORDER BY count(*) DESC, met DESC LIMIT 1
"""
# A response is in the upper group, the lower group (both if they overlap), or the largest group with equal items.
SELECT_RESPONSE_SHARES_AND_GROUPS = """
SELECT c.item, c.share, c.rest, c.earned, c.possible, p.share >= :upper, p.share <= :lower, p.met = :group, p.earned
FROM counted c JOIN person p ON p.id = c.person WHERE c.share IS NOT NULL ORDER BY c.item
"""
SELECT_SUMS_BY_COLUMN_VALUE = f"""
SELECT c.item, r.{{column}}, count(*), count(c.rest), sum(p.share >= :upper), sum(p.share <= :lower),
  {response_table.two_part_sum_sql("c.rest")}, {response_table.two_part_sum_sql("c.share")}
FROM counted c JOIN person p ON p.id = c.person JOIN response r ON r.id = c.response
WHERE c.share IS NOT NULL AND r.{{column}} IS NOT NULL GROUP BY c.item, r.{{column}}
"""
SELECT_CRITERION_MARKS = """
SELECT c.item, r.criteria, c.rest FROM counted c JOIN response r ON r.id = c.response
WHERE c.share IS NOT NULL AND r.criteria IS NOT NULL ORDER BY c.item
"""


class OptionSums(NamedTuple):
    """Sums over the responses with one option or wording: how many; how many of them have a share of the rest of the
    form; the sum of these shares; and how many are in the upper and in the lower group."""

    response_count: int = 0
    count_with_other_items_share: int = 0
    other_items_share_unit_sum: int = 0
    upper_group_response_count: int = 0
    lower_group_response_count: int = 0


class CorrelationSums(NamedTuple):
    """Sums over pairs of shares (x, y) from which a correlation is computed."""

    pair_count: int = 0
    x_sum: int = 0
    xx_sum: int = 0
    y_sum: int = 0
    yy_sum: int = 0
    xy_sum: int = 0

    def with_pairs(self, pairs: Sequence[tuple[int, int]]) -> CorrelationSums:
        xs, ys = zip(*pairs, strict=True)
        pair_sums = len(xs), sum(xs), sum(map(mul, xs, xs)), sum(ys), sum(map(mul, ys, ys)), sum(map(mul, xs, ys))
        return CorrelationSums(*map(add, self, pair_sums))


@dataclass(slots=True)
class CriterionSums:
    """Sums of one criterion: over pairs of its share and the share of the rest of the form; the sum of its shares; and
    the number of marks by status."""

    other_items_correlation_sums: CorrelationSums = field(default_factory=CorrelationSums)
    share_unit_sum: int = 0
    status_counts: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class ItemSums:
    """Sums over the responses to one item. `share_unit_sum` is the sum of their shares; `rest_correlation_sums` pairs
    each with the share of the rest of the form."""

    response_count: int = 0
    share_unit_sum: int = 0
    share_unit_square_sum: int = 0
    full_points_count: int = 0  # responses with full points
    earned_point_units_sum: int = 0
    possible_point_units_sum: int = 0  # sum of the possible points of all responses
    max_point_units: int = 0  # largest possible points of one response
    not_reached_count: int = 0
    rest_correlation_sums: CorrelationSums = field(default_factory=CorrelationSums)
    upper_count_and_share_units: tuple[int, int] = (0, 0)  # of shares
    lower_count_and_share_units: tuple[int, int] = (0, 0)
    # Over the largest group with equal items, in points: n, x, x², and points times the candidate's points.
    largest_group_point_sums: tuple[int, int, int, int] = (0, 0, 0, 0)
    outcome_counts: Counter[str] = field(default_factory=Counter)
    sums_by_option: dict[str, OptionSums] = field(default_factory=dict)
    sums_by_frequent_wrong_answer: dict[str, OptionSums] = field(default_factory=dict)
    response_count_by_mistake_id: dict[str, int] = field(default_factory=dict)
    count_and_share_units_by_drawn_value: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    sums_by_criterion: dict[str, CriterionSums] = field(default_factory=dict)

    def add_response_rows(self, rows: list[tuple[Any, ...]]) -> None:
        """Adds rows of the query SELECT_RESPONSE_SHARES_AND_GROUPS."""
        _, xs, rests, earned, possible, uppers, lowers, groups, totals = map(list, zip(*rows, strict=True))
        self.response_count += len(xs)
        self.share_unit_sum += sum(xs)
        self.share_unit_square_sum += sum(map(mul, xs, xs))
        self.full_points_count += sum(map(int.__eq__, earned, possible))
        self.earned_point_units_sum += sum(earned)
        self.possible_point_units_sum += sum(possible)
        self.max_point_units = max(self.max_point_units, *possible)
        if pairs_with_rest := [(x, rest) for x, rest in zip(xs, rests, strict=True) if rest is not None]:
            self.rest_correlation_sums = self.rest_correlation_sums.with_pairs(pairs_with_rest)
        groups_before = (self.upper_count_and_share_units, uppers), (self.lower_count_and_share_units, lowers)
        self.upper_count_and_share_units, self.lower_count_and_share_units = (
            (n + sum(group), x + sum(map(mul, xs, group))) for (n, x), group in groups_before
        )
        pairs = [(e, t) for e, t, is_grouped in zip(earned, totals, groups, strict=True) if is_grouped]
        sums = len(pairs), sum(e for e, _ in pairs), sum(e * e for e, _ in pairs), sum(e * t for e, t in pairs)
        n, x, xx, xt = map(add, self.largest_group_point_sums, sums)
        self.largest_group_point_sums = n, x, xx, xt


@dataclass(frozen=True, slots=True)
class ResponseTableSums:
    """All sums over candidates, by item, and by topic (number of responses, points earned, points possible).

    `candidate_count_with_possible_points`: of those whose form was worth any points. `share_unit_power_sums`: the sums
    of their shares to the powers 1 to 4. `sorted_share_units`: the lowest first. `largest_group_counts_and_sums`: of
    the largest group of candidates who got the same items, the number of candidates and of items that have points, the
    sum of the candidates' points, and the sum of their squares, in units."""

    candidate_count: int
    response_count: int
    candidate_count_with_possible_points: int
    share_unit_power_sums: tuple[int, int, int, int]
    largest_group_counts_and_sums: tuple[int, int, int, int]
    sorted_share_units: Sequence[int]
    sums_by_item: dict[str, ItemSums]
    count_and_point_units_by_topic: dict[str, tuple[int, int, int]]

    def count_at_or_above_share_units(self, share_units: int) -> int:
        """The number of candidates whose share is `share_units` or higher."""
        return len(self.sorted_share_units) - bisect_left(self.sorted_share_units, share_units)


def sums_of_table(table: ResponseTable, topic_by_item: Mapping[str, str]) -> ResponseTableSums:
    """The sums of a table, over the responses that count, which must be chosen by then."""
    table.execute("CREATE INDEX IF NOT EXISTS counted_item ON counted (item, milliseconds)")
    ((candidates, responses),) = table.execute("SELECT count(*), coalesce(sum(responses), 0) FROM person")
    shares = array("q", [share for (share,) in table.execute(SELECT_CANDIDATE_SHARES)])
    group, members = next(table.execute(SELECT_LARGEST_SAME_ITEMS_GROUP), (0, 0))
    rows_of_group = table.execute("SELECT earned FROM person WHERE share IS NOT NULL AND met = ?", (group,))
    points = array("q", (earned for (earned,) in rows_of_group))
    # The shares that bound the upper and the lower 27 %.
    size = max(1, (27 * len(shares) + 50) // 100)
    lower_bound, upper_bound = (shares[size - 1], shares[-size]) if shares else (-1, 2 * UNITS_PER_SHARE)
    group_bounds = {"lower": lower_bound, "upper": upper_bound, "group": group}
    items: dict[str, ItemSums] = {}
    for name, rows in groupby(table.execute(SELECT_RESPONSE_SHARES_AND_GROUPS, group_bounds), key=itemgetter(0)):
        items[name] = ItemSums()
        while batch := list(islice(rows, RESPONSE_ROWS_PER_BATCH)):
            items[name].add_response_rows(batch)
    for (names,) in table.execute("SELECT not_reached FROM person WHERE not_reached != '[]'"):
        for name, _ in json.loads(names):
            items.setdefault(name, ItemSums()).not_reached_count += 1
    _add_counts_by_value_and_criterion(table, items, group_bounds)
    sums_by_topic: dict[str, tuple[int, int, int]] = {}
    for name, s in items.items():
        if s.response_count:
            n, earned, possible = sums_by_topic.get(topic := topic_by_item.get(name, ""), (0, 0, 0))
            sums_by_topic[topic] = (
                n + s.response_count,
                earned + s.earned_point_units_sum,
                possible + s.possible_point_units_sum,
            )
    powers = (sum(shares), *(sum(t**power for t in shares) for power in (2, 3, 4)))
    item_count = sum(one.largest_group_point_sums[0] for one in items.values()) // max(1, members)
    same_items = (members, item_count, sum(points), sum(map(mul, points, points)))
    return ResponseTableSums(candidates, responses, len(shares), powers, same_items, shares, items, sums_by_topic)


def _add_counts_by_value_and_criterion(
    table: ResponseTable, items: dict[str, ItemSums], group_bounds: dict[str, int]
) -> None:
    """Adds the options, wordings and drawn values of responses to `items`. The table counts equal rows together."""

    def value_rows(column: str) -> Iterator[tuple[str, Any, OptionSums, int]]:
        query = SELECT_SUMS_BY_COLUMN_VALUE.format(column=column)
        for name, value, n, rests, upper, lower, *parts in table.execute(query, group_bounds):
            rest_sum, share_unit_sum = map(response_table.join_two_part_sum, parts[::2], parts[1::2])
            yield name, value, OptionSums(n, rests, rest_sum, upper, lower), share_unit_sum

    for name, outcome, sums, _ in value_rows("outcome"):
        items[name].outcome_counts[outcome] = sums.response_count
    for name, diagnosis, sums, _ in value_rows("diagnosis"):
        items[name].response_count_by_mistake_id[diagnosis] = sums.response_count
    for name, options_json, sums, _ in value_rows("chosen"):
        sums_by_option = items[name].sums_by_option
        for option in json.loads(options_json):
            sums_by_option[option] = OptionSums(*map(add, sums_by_option.get(option, OptionSums()), sums))
    for name, summary, sums, _ in value_rows("summary"):
        if 5 <= sums.response_count >= MIN_RESPONSE_SHARE_OF_LISTED_WRONG_ANSWER * items[name].response_count:
            items[name].sums_by_frequent_wrong_answer[response_table.utf8_to_text(summary)] = sums
    for name, rows in groupby(value_rows("drawn"), key=itemgetter(0)):
        tallies: dict[tuple[str, str], tuple[int, int]] = {}
        for _, values_json, sums, x in rows:
            for parameter, value in json.loads(values_json):
                if (parameter, value) in tallies or len(tallies) < MAX_COUNTED_DRAWN_VALUES_PER_ITEM:
                    n, sum_before = tallies.get((parameter, value), (0, 0))
                    tallies[parameter, value] = n + sums.response_count, sum_before + x
        keys = sorted(tallies, key=lambda one: (-tallies[one][0], one))[:MAX_LISTED_DRAWN_VALUES_PER_ITEM]
        items[name].count_and_share_units_by_drawn_value = {one: tallies[one] for one in keys}
    for name, rows in groupby(table.execute(SELECT_CRITERION_MARKS), key=itemgetter(0)):
        while batch := list(islice(rows, RESPONSE_ROWS_PER_BATCH)):
            _add_rows_to_criterion_sums(items[name], batch)


def _add_rows_to_criterion_sums(item_sums: ItemSums, rows: list[tuple[Any, ...]]) -> None:
    """Adds rows of the query SELECT_CRITERION_MARKS."""
    pairs: dict[str, list[tuple[int, int]]] = {}
    for _, criteria, rest in rows:
        for criterion, status, earned, possible in json.loads(criteria):
            sums = item_sums.sums_by_criterion.setdefault(criterion, CriterionSums())
            x = share_in_units(earned, possible) if earned > 0 else 0
            sums.share_unit_sum += x
            sums.status_counts[status] += 1
            if rest is not None:
                pairs.setdefault(criterion, []).append((x, rest))
    for criterion, criterion_pairs in pairs.items():
        sums = item_sums.sums_by_criterion[criterion]
        sums.other_items_correlation_sums = sums.other_items_correlation_sums.with_pairs(criterion_pairs)


NORMAL_97_5_PERCENTILE = 1.959963984540054  # 97.5th percentile of the normal distribution
MIN_RELIABLE_N = 30  # a figure over fewer candidates carries a note


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its n and its 95 % interval; `value` is None if it is undefined."""

    value: float | None
    n: int
    low: float | None = None
    high: float | None = None


def proportion_estimate(successes: float | Fraction, n: int) -> Estimate:
    """The share `successes / n` with Wilson's interval; partial successes count in part."""
    if n == 0:
        return Estimate(None, 0)
    p, zz = float(successes / n), NORMAL_97_5_PERCENTILE * NORMAL_97_5_PERCENTILE
    middle = (p + zz / (2 * n)) / (1 + zz / n)
    half = NORMAL_97_5_PERCENTILE * sqrt(p * (1 - p) / n + zz / (4 * n * n)) / (1 + zz / n)
    return Estimate(p, n, max(0.0, middle - half), min(1.0, middle + half))


def mean_share_estimate(n: int, share_unit_sum: int, square_sum: int) -> Estimate:
    """The mean of `n` shares from their sum and their sum of squares `square_sum`, both in units of 1e-12."""
    if n == 0:
        return Estimate(None, 0)
    mean = share_unit_sum / (n * UNITS_PER_SHARE)
    if square_sum == share_unit_sum * UNITS_PER_SHARE:  # every share is 0 or 1
        return proportion_estimate(mean * n, n)
    if n == 1:
        return Estimate(mean, n)
    half = NORMAL_97_5_PERCENTILE * sqrt(share_sample_variance(n, share_unit_sum, square_sum) / n)
    return Estimate(mean, n, max(0.0, mean - half), min(1.0, mean + half))


def share_sample_variance(n: int, share_unit_sum: int, square_sum: int) -> float:
    """The sample variance (n - 1) of `n` shares from their sum and their sum of squares `square_sum`, both in units."""
    return (n * square_sum - share_unit_sum * share_unit_sum) / (n * (n - 1) * UNITS_PER_SHARE * UNITS_PER_SHARE)


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


def divided_quantile_estimate(sorted_values: Sequence[int], quantile: float, divisor: float) -> Estimate:
    """The quantile at `quantile` of sorted values, divided by `divisor`, interpolated between neighbours (type 7 of
    Hyndman and Fan 1996). Its interval ends at the order statistics that cover it (binomial ranks, normal
    approximation)."""
    if not (n := len(sorted_values)):
        return Estimate(None, 0)
    spread = NORMAL_97_5_PERCENTILE * (n * quantile * (1 - quantile)) ** 0.5
    place = quantile * (n - 1)
    ranks = (floor(place), floor(place) + 1, floor(n * quantile - spread) - 1, ceil(n * quantile + spread))
    value, next_value, low, high = (sorted_values[min(max(rank, 0), n - 1)] for rank in ranks)
    return Estimate((value + (next_value - value) * (place - floor(place))) / divisor, n, low / divisor, high / divisor)


# Reliability of scores: alpha, alpha without each item, the standard error of a score, phi for candidates who met
# different items, and the share of pass decisions that a second sitting would confirm.
#
# Sources: Cronbach 1951, Bonett 2002 (interval of alpha), Kelley 1927 (estimated true scores), Subkoviak 1976
# (decision consistency, here with normal errors), Brennan 2001, chapter 3 (phi of items nested in persons).


MAX_FORM_SHARE_DIFFERENCE_WITHOUT_NOTE = 0.05  # share of the points by which forms may differ without a note


def alpha_sem_item_count_and_warning(sums: ResponseTableSums) -> tuple[Estimate, Estimate, int, str]:
    """Cronbach's alpha, the standard error of measurement as a share, the number of items that both are based on, and a
    sentence on candidates who are not covered (empty if all are)."""
    n, k, t, tt = sums.largest_group_counts_and_sums
    everyone = sums.candidate_count_with_possible_points
    extent = f"covers the {n} of {everyone} who met the same {k}" if n > 1 else "is not defined"
    warning = f"candidates met different items: alpha {extent}" if n < everyone else ""
    total = n * tt - t * t
    if n < 2 or k < 2 or total <= 0:
        return Estimate(None, n), Estimate(None, n), k, warning
    alpha = k / (k - 1) * (1 - sum(_squared_deviations_times_n_by_item(n, sums).values()) / total)
    low = high = None
    if n > 2 and alpha < 1:
        half = NORMAL_97_5_PERCENTILE * sqrt(2 * k / ((k - 1) * (n - 2)))
        low, high = 1 - exp(log(1 - alpha) + half), 1 - exp(log(1 - alpha) - half)
    scale = (
        sum(s.max_point_units for s in sums.sums_by_item.values() if s.largest_group_point_sums[0]) / UNITS_PER_POINT
    )
    deviation = sqrt(total / (n * (n - 1))) / UNITS_PER_POINT
    bounds = [deviation * sqrt(max(0.0, 1 - a)) / scale for a in (high, low) if a is not None]
    sem = Estimate(deviation * sqrt(max(0.0, 1 - alpha)) / scale, n, *bounds)
    return Estimate(alpha, n, low, high), sem, k, warning


def _squared_deviations_times_n_by_item(group_size: int, sums: ResponseTableSums) -> dict[str, int]:
    """For each item of the group, n times the sum of squares about its mean."""
    groups = {name: item.largest_group_point_sums for name, item in sums.sums_by_item.items()}
    return {name: group_size * xx - x * x for name, (n, x, xx, _) in groups.items() if n}


def cronbach_alpha_by_left_out_item(sums: ResponseTableSums) -> dict[str, float]:
    """For each item, alpha of the group's form without that item."""
    n, k, t, tt = sums.largest_group_counts_and_sums
    if n < 2 or k < 3:
        return {}
    spreads = _squared_deviations_times_n_by_item(n, sums)
    total, spread_sum = n * tt - t * t, sum(spreads.values())
    alpha_by_item = {}
    for name, spread in spreads.items():
        _, x, _, xt = sums.sums_by_item[name].largest_group_point_sums
        rest_spread = total + spread - 2 * (n * xt - x * t)
        if rest_spread > 0:
            alpha_by_item[name] = (k - 1) / (k - 2) * (1 - (spread_sum - spread) / rest_spread)
    return alpha_by_item


def phi_reliability_estimate(table: ResponseTable) -> Estimate:
    """The reliability of a candidate's mean share when each got different items: the variance between candidates,
    divided by that variance plus the error from drawing an average number of items."""
    persons = responses = count_square_sum = total = between_sum = square_sum = 0
    rows = table.execute("SELECT person, share FROM counted WHERE share IS NOT NULL AND earned >= 0 ORDER BY id")
    for _, person_rows in groupby(rows, key=itemgetter(0)):
        shares = [x for _, x in person_rows]
        k, s = len(shares), sum(shares)
        persons += 1
        responses += k
        count_square_sum += k * k
        total += s
        between_sum += (2 * s * s + k) // (2 * k)  # rounded: (sum of shares)² / number of responses
        square_sum += sum(map(mul, shares, shares))
    if persons < 2 or responses <= persons:
        return Estimate(None, persons)
    within_variance = (square_sum - between_sum) / (UNITS_PER_SHARE * UNITS_PER_SHARE) / (responses - persons)
    between_variance = (between_sum - total * total / responses) / (UNITS_PER_SHARE * UNITS_PER_SHARE) / (persons - 1)
    items_per_person = (responses - count_square_sum / responses) / (persons - 1)
    candidates = max(0.0, (between_variance - within_variance) / items_per_person)
    error = within_variance / (responses / persons)
    return Estimate(candidates / (candidates + error), persons) if candidates + error > 0 else Estimate(None, persons)


def pass_consistency(sums: ResponseTableSums, alpha: Estimate, sem: Estimate, pass_share: Fraction | None) -> Estimate:
    """The share of candidates who would pass both or fail both of two sittings with equally good forms."""
    n = sums.candidate_count_with_possible_points
    if pass_share is None or alpha.value is None or not sem.value:
        return Estimate(None, n)
    mean, agreement = sums.share_unit_power_sums[0] / (n * UNITS_PER_SHARE), 0.0
    for value, group in groupby(sums.sorted_share_units):
        true_share = mean + max(0.0, alpha.value) * (value / UNITS_PER_SHARE - mean)
        pass_chance = 0.5 * erfc((float(pass_share) - true_share) / (sem.value * sqrt(2)))
        agreement += len(list(group)) * (pass_chance**2 + (1 - pass_chance) ** 2)
    return Estimate(agreement / n, n)


def form_difficulty_note_or_empty(expected_shares: Iterable[float]) -> str:
    """A sentence on comparisons that are unfair because candidates got different items; empty if their forms were
    equally hard.

    `expected_shares`: the share that each candidate's items would give an average candidate; it differs little if items
    were drawn by chance."""
    shares = sorted(expected_shares)
    if len(shares) < MIN_RELIABLE_N:
        return ""
    low, high = shares[len(shares) // 20], shares[-1 - len(shares) // 20]
    if high - low < MAX_FORM_SHARE_DIFFERENCE_WITHOUT_NOTE:
        return ""
    return (
        f"the forms were not equally hard: their items let an average candidate earn {low:.0%} to {high:.0%} of the "
        "points (5th to 95th percentile); a difference of this size between scores on different forms means nothing"
    )
