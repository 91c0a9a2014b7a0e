"""Sums over the table of responses that count: over candidates, and over the responses to each item.

Shares (earned / possible) are whole numbers of 1e-12, points of a unit (`UNITS_PER_POINT`). A sum that could
overflow SQLite's 64 bits, such as one of squares, is added up here in unbounded whole numbers, or by SQLite in two
parts (`two_part_sum_sql`)."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from operator import add, itemgetter, mul
from typing import Any, NamedTuple

from quizgen.scoring.attempts import UNITS_PER_SHARE, share_in_units
from quizgen.scoring.response_table import ResponseTable, blob_to_text, join_two_part_sum, two_part_sum_sql

MAX_LISTED_DRAWN_VALUES = 256  # drawn values listed for an item, the most frequent first
MAX_COUNTED_DRAWN_VALUES = 4_096  # drawn values counted for an item; further values are left out
CRITERION_STATUSES = ("found", "partial", "hedged", "negated", "contradicted", "missing")
RESPONSES_PER_LISTED_ANSWER = 50  # a response is listed when one candidate in this many gave it, and at least five
ROWS_PER_BATCH = 10_000  # rows added in one batch

SELECT_CANDIDATE_SHARES = "SELECT share FROM person WHERE share IS NOT NULL ORDER BY share"
SELECT_LARGEST_SAME_ITEMS_GROUP = """
SELECT met, count(*), sum(responses) / count(*) FROM person WHERE share IS NOT NULL
GROUP BY met ORDER BY count(*) DESC, met DESC LIMIT 1
"""
# A response is in the upper group, the lower group (both if they overlap), or the largest group with equal items.
SELECT_RESPONSE_SHARES = """
SELECT c.item, c.share, c.rest, c.earned, c.possible, p.share >= :upper, p.share <= :lower, p.met = :group, p.earned
FROM counted c JOIN person p ON p.id = c.person WHERE c.share IS NOT NULL ORDER BY c.item
"""
SELECT_COLUMN_VALUE_COUNTS = """
SELECT c.item, r.{column}, count(*), count(c.rest), sum(p.share >= :upper), sum(p.share <= :lower), sum_of_rest,
  sum_of_shares
FROM counted c JOIN person p ON p.id = c.person JOIN response r ON r.id = c.response
WHERE c.share IS NOT NULL AND r.{column} IS NOT NULL GROUP BY c.item, r.{column}
""".replace("sum_of_rest", two_part_sum_sql("c.rest")).replace("sum_of_shares", two_part_sum_sql("c.share"))
SELECT_CRITERION_MARKS = """
SELECT c.item, r.criteria, c.rest FROM counted c JOIN response r ON r.id = c.response
WHERE c.share IS NOT NULL AND r.criteria IS NOT NULL ORDER BY c.item
"""


class OptionSums(NamedTuple):
    """Sums over the responses with one option or wording: how many; how many of them have a share of the rest of the
    form; the sum of these shares; and how many are in the upper and in the lower group."""

    response_count: int = 0
    rest_share_count: int = 0
    rest_share_sum: int = 0
    upper_group_count: int = 0
    lower_group_count: int = 0


class CorrelationSums(NamedTuple):
    """Sums over pairs of shares (x, y) from which a correlation is computed."""

    pair_count: int = 0
    x_sum: int = 0
    xx_sum: int = 0
    y_sum: int = 0
    yy_sum: int = 0
    xy_sum: int = 0

    def with_pairs(self, xs: Sequence[int], ys: Sequence[int]) -> CorrelationSums:
        more = len(xs), sum(xs), sum(map(mul, xs, xs)), sum(ys), sum(map(mul, ys, ys)), sum(map(mul, xs, ys))
        return CorrelationSums(*map(add, self, more))


NO_PAIRS = CorrelationSums()


@dataclass(slots=True)
class CriterionSums:
    """Sums of one criterion: over pairs of its share and the share of the rest of the form; n; the sum of its shares;
    and the number of marks by status."""

    rest_correlation_sums: CorrelationSums = NO_PAIRS
    n: int = 0
    share_sum: int = 0
    status_counts: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class ItemSums:
    """Sums over the responses to one item. `share_sum` is the sum of their shares; `rest_correlation_sums` pairs each
    with the share of the rest of the form."""

    n: int = 0
    share_sum: int = 0
    share_square_sum: int = 0
    full_points_count: int = 0  # responses with full points
    earned_sum: int = 0
    possible_sum: int = 0  # sum of the possible points of all responses
    max_possible: int = 0  # largest possible points of one response
    not_reached_count: int = 0
    rest_correlation_sums: CorrelationSums = NO_PAIRS
    upper_group_sums: tuple[int, int] = (0, 0)  # n and x of the upper group
    lower_group_sums: tuple[int, int] = (0, 0)
    # Over the largest group with equal items, in points: n, x, x², and points times the candidate's points.
    same_items_group_sums: tuple[int, int, int, int] = (0, 0, 0, 0)
    outcome_counts: Counter[str] = field(default_factory=Counter)
    option_sums: dict[str, OptionSums] = field(default_factory=dict)
    frequent_answer_sums: dict[str, OptionSums] = field(default_factory=dict)  # frequent responses
    diagnosis_counts: dict[str, int] = field(default_factory=dict)
    drawn_value_sums: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)  # (name, value) -> (n, x)
    criterion_sums: dict[str, CriterionSums] = field(default_factory=dict)

    def add_response_rows(self, rows: list[tuple[Any, ...]]) -> None:
        """Adds rows of the query SELECT_RESPONSE_SHARES."""
        _, xs, rests, earned, possible, uppers, lowers, groups, totals = map(list, zip(*rows, strict=True))
        self.n += len(xs)
        self.share_sum += sum(xs)
        self.share_square_sum += sum(map(mul, xs, xs))
        self.full_points_count += sum(map(int.__eq__, earned, possible))
        self.earned_sum += sum(earned)
        self.possible_sum += sum(possible)
        self.max_possible = max(self.max_possible, *possible)
        known = [(x, rest) for x, rest in zip(xs, rests, strict=True) if rest is not None]
        if known:
            self.rest_correlation_sums = self.rest_correlation_sums.with_pairs(*zip(*known, strict=True))
        self.upper_group_sums, self.lower_group_sums = (
            (n + sum(members), x_sum + sum(map(mul, xs, members)))
            for (n, x_sum), members in ((self.upper_group_sums, uppers), (self.lower_group_sums, lowers))
        )
        same = [(e, t) for e, t, grouped in zip(earned, totals, groups, strict=True) if grouped]
        more = len(same), sum(e for e, _ in same), sum(e * e for e, _ in same), sum(e * t for e, t in same)
        n, x, xx, xt = map(add, self.same_items_group_sums, more)
        self.same_items_group_sums = n, x, xx, xt


@dataclass(frozen=True, slots=True)
class TableSums:
    """All sums over candidates, by item, and by topic (number of responses, points earned, points possible).

    `candidates_with_points_count`: of those whose form was worth any points. `share_power_sums`: the sums of their
    shares to the powers 1 to 4. `sorted_shares`: the lowest first. `same_items_group_sums`: of the largest group of
    candidates who got the same items, the number of candidates and of items, the sum of the candidates' points, and the
    sum of their squares, in units."""

    candidate_count: int
    response_count: int
    candidates_with_points_count: int
    share_power_sums: tuple[int, int, int, int]
    same_items_group_sums: tuple[int, int, int, int]
    sorted_shares: Sequence[int]
    sums_by_item: dict[str, ItemSums]
    sums_by_topic: dict[str, tuple[int, int, int]]

    def count_at_or_above(self, share: int) -> int:
        """The number of candidates whose share is `share` or higher."""
        return len(self.sorted_shares) - bisect_left(self.sorted_shares, share)


def sums_of_table(table: ResponseTable, topic_by_item: Mapping[str, str]) -> TableSums:
    """The sums of a table, over the responses that count, which must be chosen by then."""
    table.execute("CREATE INDEX IF NOT EXISTS counted_item ON counted (item, milliseconds)")
    ((candidates, responses),) = table.execute("SELECT count(*), coalesce(sum(responses), 0) FROM person")
    shares = array("q", [share for (share,) in table.execute(SELECT_CANDIDATE_SHARES)])
    met, members, met_items = next(table.execute(SELECT_LARGEST_SAME_ITEMS_GROUP), (0, 0, 0))
    points = squares = 0
    for (earned,) in table.execute("SELECT earned FROM person WHERE share IS NOT NULL AND met = ?", (met,)):
        points += earned
        squares += earned * earned
    # The shares that bound the upper and the lower 27 %.
    size = max(1, (27 * len(shares) + 50) // 100)
    lower, upper = (shares[size - 1], shares[-size]) if shares else (-1, 2 * UNITS_PER_SHARE)
    group_bounds = {"lower": lower, "upper": upper, "group": met}
    items: dict[str, ItemSums] = {}
    for name, rows in groupby(table.execute(SELECT_RESPONSE_SHARES, group_bounds), key=itemgetter(0)):
        items[name] = ItemSums()
        while some := list(islice(rows, ROWS_PER_BATCH)):
            items[name].add_response_rows(some)
    for (names,) in table.execute("SELECT not_reached FROM person WHERE not_reached != '[]'"):
        for name, _ in json.loads(names):
            items.setdefault(name, ItemSums()).not_reached_count += 1
    _add_option_and_value_counts(table, items, group_bounds)
    by_topic: dict[str, tuple[int, int, int]] = {}
    for name, sums in items.items():
        if sums.n:
            n, earned, possible = by_topic.get(topic_by_item.get(name, ""), (0, 0, 0))
            by_topic[topic_by_item.get(name, "")] = n + sums.n, earned + sums.earned_sum, possible + sums.possible_sum
    return TableSums(
        candidates,
        responses,
        len(shares),
        (sum(shares), *(sum(t**power for t in shares) for power in (2, 3, 4))),
        (members, met_items, points, squares),
        shares,
        items,
        by_topic,
    )


def _add_option_and_value_counts(
    table: ResponseTable, items: dict[str, ItemSums], group_bounds: dict[str, int]
) -> None:
    """Adds the options, wordings and drawn values of responses to `items`. The table counts equal rows together."""

    def value_rows(column: str) -> Iterator[tuple[str, Any, OptionSums, int]]:
        query = SELECT_COLUMN_VALUE_COUNTS.format(column=column)
        for name, value, n, rests, upper, lower, *parts in table.execute(query, group_bounds):
            rest_sum, share_sum = join_two_part_sum(*parts[:2]), join_two_part_sum(*parts[2:])
            yield name, value, OptionSums(n, rests, rest_sum, upper, lower), share_sum

    for name, outcome, sums, _ in value_rows("outcome"):
        items[name].outcome_counts[outcome] = sums.response_count
    for name, diagnosis, sums, _ in value_rows("diagnosis"):
        items[name].diagnosis_counts[diagnosis] = sums.response_count
    for name, chosen, sums, _ in value_rows("chosen"):
        of_options = items[name].option_sums
        for option in json.loads(chosen):
            of_options[option] = OptionSums(*map(add, of_options.get(option, OptionSums()), sums))
    for name, summary, sums, _ in value_rows("summary"):
        if sums.response_count >= max(5, items[name].n / RESPONSES_PER_LISTED_ANSWER):
            items[name].frequent_answer_sums[blob_to_text(summary)] = sums
    for name, rows in groupby(value_rows("drawn"), key=itemgetter(0)):
        found: dict[tuple[str, str], tuple[int, int]] = {}
        for _, drawn, sums, x in rows:
            for parameter, value in json.loads(drawn):
                if (parameter, value) in found or len(found) < MAX_COUNTED_DRAWN_VALUES:
                    n, before = found.get((parameter, value), (0, 0))
                    found[parameter, value] = n + sums.response_count, before + x
        most = sorted(found, key=lambda one: (-found[one][0], one))[:MAX_LISTED_DRAWN_VALUES]
        items[name].drawn_value_sums = {one: found[one] for one in most}
    for name, rows in groupby(table.execute(SELECT_CRITERION_MARKS), key=itemgetter(0)):
        while some := list(islice(rows, ROWS_PER_BATCH)):
            _add_criterion_rows(items[name], some)


def _add_criterion_rows(item_sums: ItemSums, rows: list[tuple[Any, ...]]) -> None:
    """Adds rows of the query SELECT_CRITERION_MARKS."""
    pairs: dict[str, list[tuple[int, int]]] = {}
    for _, criteria, rest in rows:
        for criterion, status, earned, possible in json.loads(criteria):
            sums = item_sums.criterion_sums.setdefault(criterion, CriterionSums())
            x = share_in_units(earned, possible) if earned > 0 else 0
            sums.n += 1
            sums.share_sum += x
            sums.status_counts[status] += 1
            if rest is not None:
                pairs.setdefault(criterion, []).append((x, rest))
    for criterion, found in pairs.items():
        sums = item_sums.criterion_sums[criterion]
        sums.rest_correlation_sums = sums.rest_correlation_sums.with_pairs(*zip(*found, strict=True))
