"""Turns sums into figures, each with its definition, its n and a 95 % interval.

Source: Kelley 1939 (groups of 27 %); the sources for intervals and reliability are in `reliability`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import groupby
from math import ceil, exp, sqrt
from operator import itemgetter
from statistics import NormalDist, median

from quizgen.analysis.reliability import (
    MIN_CANDIDATES,
    Estimate,
    Z,
    alpha_of,
    alpha_without,
    consistency_of,
    correlation_of,
    mean_of,
    phi_of,
    quantile_of,
    uneven_forms_note,
    variance,
    wilson_interval,
)
from quizgen.analysis.sums import (
    STATUSES,
    CriterionSums,
    ItemSums,
    OptionSums,
    PairSums,
    Sums,
    Totals,
    sums_of_table,
)
from quizgen.model import Band, Item
from quizgen.scoring.attempts import SHARE_UNITS
from quizgen.scoring.response_table import ResponseTable
from quizgen.scoring.scorer import ItemFacts, item_facts

DEFINITIONS = {
    "difficulty": "mean share of the item's points that was earned (omitted counts 0); interval: Wilson, or normal"
    " where there is partial credit",
    "item_rest_correlation": "corrected item-total correlation: Pearson's r of the item's share with the share of"
    " the points of all other responses of the same candidate; interval: Fisher",
    "upper_lower": "mean share of the best 27 % of candidates minus that of the weakest 27 %, by share of points;"
    " ties belong to both bounds",
    "omitted": "share of responses that were shown and left blank",
    "unreadable": "share of responses that could not be read as an answer",
    "not_reached": "candidates whose session held the item and never showed it; it counts in their score, not in"
    " the item's figures",
    "median_seconds": "median of the seconds logged; interval: order statistics",
    "p90_seconds": "90th percentile of the seconds logged, interpolated; interval: order statistics",
    "guessing": "expected share of the points of a blind guess",
    "mean": "mean over candidates of the share of their points; an item not reached earned nothing",
    "sd": "standard deviation of that share over candidates (n - 1)",
    "skewness": "third standardised moment (population form)",
    "kurtosis": "fourth standardised moment less 3 (population form)",
    "median": "median over candidates of the share of their points",
    "alpha": "Cronbach's alpha; KR-20 where every item is right or wrong; over the candidates who met the same"
    " items; interval: Bonett",
    "sem": "standard error of measurement: SD of the group's points times sqrt(1 - alpha), as a share of its points;"
    " interval: by the bounds of alpha",
    "alpha_without": "alpha of the same candidates' form without the item",
    "phi": "where candidates met different items: the share of the differences between their mean shares that is"
    " theirs and not of the items drawn (generalisability, items nested in candidates)",
    "consistency": "share of candidates who would be on the same side of the pass mark in another sitting of as good"
    " a form (Subkoviak, with normal errors about Kelley's estimate)",
    "answers": "what at least one response in fifty said that earned no full marks: a number as so many times the key,"
    " few words as they are; r as for an option",
    "criterion": "mean share of the criterion's points, how often each status; r: Pearson's, with the share of the"
    " points of all other responses",
    "topic": "share of the points of all responses to items on the topic; interval: Wilson, as if responses were"
    " independent",
    "option": "share of the responses that took the option; interval: Wilson; r: Pearson's, of taking it with the share"
    " of the points of all other responses; upper and lower: how many of the best and weakest 27 % took it",
    "drawn": "mean share of the points where that value was drawn; interval: Wilson",
}


@dataclass(frozen=True, slots=True)
class OptionFigures:
    """One option: how many candidates chose it, and how well they did on the rest of their form."""

    text: str
    key: bool
    taken: int
    share: Estimate
    rest_mean: float | None
    correlation: Estimate
    upper: int
    lower: int


@dataclass(frozen=True, slots=True)
class CriterionEstimates:
    """A criterion of a rubric: its mean share, its correlation with the rest of the form, and its marks by status."""

    criterion: str
    share: Estimate
    correlation: Estimate
    statuses: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class ItemFigures:
    """The figures of one item over `n` responses. `values` has (name, drawn value, figure); `diagnoses` has (id, number
    of responses); `answers` are frequent responses that are not options; `right` is the number of responses with full
    points."""

    item: str
    n: int
    difficulty: Estimate
    correlation: Estimate
    upper_lower: Estimate
    upper: Estimate
    lower: Estimate
    omitted: Estimate
    unreadable: Estimate
    not_reached: int
    median: Estimate
    p90: Estimate
    options: tuple[OptionFigures, ...]
    diagnoses: tuple[tuple[str, int], ...]
    values: tuple[tuple[str, str, Estimate], ...]
    keys: tuple[str, ...] = ()
    guessing: float | None = None
    right: int = 0
    answers: tuple[OptionFigures, ...] = ()
    criteria: tuple[CriterionEstimates, ...] = ()
    alpha_without: float | None = None


@dataclass(frozen=True, slots=True)
class ScoreFigures:
    """Figures over candidates. `warning` names what alpha does not cover."""

    candidates: int
    responses: int
    mean: Estimate
    median: Estimate
    sd: Estimate
    skewness: Estimate
    kurtosis: Estimate
    alpha: Estimate
    sem: Estimate
    items: int  # items shared by the group over which alpha is computed
    warning: str
    topics: tuple[tuple[str, Estimate], ...]  # (topic, share of the points over its responses)
    phi: Estimate


@dataclass(frozen=True, slots=True)
class Statistics:
    """Figures over candidates and over the responses to each item. `consistency` is that of decisions at the pass mark.
    `uneven` says what cannot be compared if candidates got different items. `percentile` is a function of a share.
    `passed` is the number of candidates at or above the pass mark, `in_bands` that in each band, the highest first."""

    scores: ScoreFigures
    items: tuple[ItemFigures, ...]
    flags: tuple[Flag, ...]
    consistency: Estimate
    uneven: str
    percentile: Callable[[float], float]
    passed: int | None
    in_bands: tuple[tuple[str, int], ...]


SELECT_TIMES = """
SELECT item, milliseconds FROM counted WHERE milliseconds IS NOT NULL AND share IS NOT NULL ORDER BY item, milliseconds
"""
NO_FACTS = ItemFacts()
UNTIMED = Estimate(None, 0), Estimate(None, 0)


def seconds_of_items(table: ResponseTable) -> dict[str, tuple[Estimate, Estimate]]:
    """For each item, the median and the 90th percentile of the seconds that responses took."""
    found = {}
    for name, rows in groupby(table.select(SELECT_TIMES), key=itemgetter(0)):
        times = [milliseconds for _, milliseconds in rows]
        found[name] = quantile_of(times, 0.5, 1000), quantile_of(times, 0.9, 1000)
    return found


def item_figures(
    item: str,
    sums: ItemSums,
    facts: ItemFacts = NO_FACTS,
    without: float | None = None,
    times: tuple[Estimate, Estimate] = UNTIMED,
) -> ItemFigures:
    """The figures of one item, also of options that nobody chose. `without`: alpha of the form without the item.
    `times`: the median and the 90th percentile of the seconds."""
    upper, lower = mean_share(*sums.upper), mean_share(*sums.lower)
    of_options, options, keys = sums.options, facts.options, facts.keys
    listed = (*options, *sorted(o for o in of_options if o not in options))
    diagnoses = sorted(sums.diagnoses.items(), key=lambda p: (-p[1], p[0]))
    return ItemFigures(
        item=item,
        n=sums.n,
        difficulty=mean_of(sums.n, sums.x, sums.xx),
        correlation=_correlation(sums.pairs),
        upper_lower=_share_difference(upper, lower),
        upper=upper,
        lower=lower,
        omitted=_proportion(sums.outcomes["blank"], sums.n),
        unreadable=_proportion(sums.outcomes["unreadable"], sums.n),
        not_reached=sums.not_reached,
        median=times[0],
        p90=times[1],
        options=tuple(_option_figures(text, text in keys, of_options.get(text, OptionSums()), sums) for text in listed),
        diagnoses=tuple(diagnoses),
        values=tuple((*pair, mean_share(n, x)) for pair, (n, x) in sorted(sums.drawn.items())),
        keys=keys,
        guessing=facts.guessing,
        right=sums.right,
        answers=tuple(
            _option_figures(text, False, counts, sums)
            for text, counts in sorted(sums.answers.items(), key=lambda p: (-p[1].taken, p[0]))
        ),
        criteria=tuple(_criterion_estimates(name, counts) for name, counts in sorted(sums.criteria.items())),
        alpha_without=without,
    )


def _criterion_estimates(name: str, sums: CriterionSums) -> CriterionEstimates:
    statuses = tuple((status, sums.statuses[status]) for status in STATUSES if sums.statuses[status])
    return CriterionEstimates(name, mean_share(sums.n, sums.x), _correlation(sums.pairs), statuses)


def _correlation(pairs: PairSums) -> Estimate:
    return correlation_of(pairs.n, pairs.x, pairs.xx, pairs.y, pairs.yy, pairs.xy)


def _proportion(count: int, n: int) -> Estimate:
    return Estimate(count / n, n, *wilson_interval(count, n)) if n else Estimate(None, 0)


def mean_share(n: int, x: int) -> Estimate:
    """The mean of `n` shares with sum `x`, and Wilson's interval, slightly too wide if there is partial credit."""
    return Estimate(x / (n * SHARE_UNITS), n, *wilson_interval(x / SHARE_UNITS, n)) if n else Estimate(None, 0)


def _share_difference(upper: Estimate, lower: Estimate) -> Estimate:
    n = min(upper.n, lower.n)
    if upper.value is None or lower.value is None:
        return Estimate(None, n)
    difference = upper.value - lower.value
    half = Z * sqrt(upper.value * (1 - upper.value) / upper.n + lower.value * (1 - lower.value) / lower.n)
    return Estimate(difference, n, max(-1.0, difference - half), min(1.0, difference + half))


def _option_figures(text: str, key: bool, own: OptionSums, sums: ItemSums) -> OptionFigures:
    pairs = sums.pairs
    # The option is a variable of 0 and 1, so its sum and its sum of squares both equal `with_rest`.
    correlation = correlation_of(pairs.n, own.with_rest, own.with_rest, pairs.y, pairs.yy, own.rest)
    rest_mean = own.rest / (own.with_rest * SHARE_UNITS) if own.with_rest else None
    taken = _proportion(own.taken, sums.n)
    return OptionFigures(text, key, own.taken, taken, rest_mean, correlation, own.upper, own.lower)


def score_figures(sums: Sums) -> ScoreFigures:
    """The figures over all candidates."""
    totals = sums.totals
    n = totals.reached
    t1, t2, t3, t4 = (p / SHARE_UNITS**k for k, p in enumerate(totals.powers, 1))
    mean = mean_of(n, totals.powers[0], totals.powers[1])
    spread = variance(n, totals.powers[0], totals.powers[1]) if n > 1 else 0.0
    half = Z / sqrt(2 * (n - 1)) if n > 1 else 0.0
    sd = Estimate(sqrt(spread), n, sqrt(spread) * exp(-half), sqrt(spread) * exp(half)) if n > 1 else Estimate(None, n)
    skewness = kurtosis = Estimate(None, n)
    m2 = _central_second(totals)
    if n > 2 and m2 > 0:
        m = t1 / n
        m3 = t3 / n - 3 * m * t2 / n + 2 * m**3
        m4 = t4 / n - 4 * m * t3 / n + 6 * m * m * t2 / n - 3 * m**4
        g1, g2 = m3 / m2**1.5, m4 / m2**2 - 3
        e1, e2 = Z * sqrt(6 / n), Z * sqrt(24 / n)
        skewness, kurtosis = Estimate(g1, n, g1 - e1, g1 + e1), Estimate(g2, n, g2 - e2, g2 + e2)
    alpha, sem, items, warning = alpha_of(sums)
    topics = tuple((name, _topic_share(*c)) for name, c in sorted(sums.topics.items()))
    return ScoreFigures(
        candidates=totals.candidates,
        responses=totals.responses,
        mean=mean,
        median=quantile_of(totals.shares, 0.5, SHARE_UNITS),
        sd=sd,
        skewness=skewness,
        kurtosis=kurtosis,
        alpha=alpha,
        sem=sem,
        items=items,
        warning=warning,
        topics=topics,
        phi=phi_of(totals),
    )


def _topic_share(n: int, earned: int, possible: int) -> Estimate:
    share = earned / possible if possible else 0.0
    return Estimate(share, n, *wilson_interval(share * n, n))


def _central_second(totals: Totals) -> float:
    n = totals.reached
    return (n * totals.powers[1] - totals.powers[0] ** 2) / (n * n * SHARE_UNITS * SHARE_UNITS) if n else 0.0


# Flags: warnings about an item, with few false alarms.
# Each flag tests the item against a sound item of the same difficulty and demands far more than the
# usual 5 %: among 40 items with 120 distractors something always looks odd by chance.


WRONG_KEY = "likely wrong key"
UNUSED_DISTRACTOR = "distractor nobody takes"
WEAK_RIGHT = "weak candidates get it right"
NEGATIVE_DISCRIMINATION = "negative discrimination"
UNMET_PHRASES = "strong candidates say what earns nothing"
WEAK_CRITERION = "criterion against the rest"

SURE_ERRORS = 2.6  # standard errors; two-sided 1 in 100, one-sided 1 in 200
NEGATIVE_ERRORS = 3.0  # standard errors below zero; a sound item or criterion is hardly ever this low
UNUSED_PROBABILITY = 0.005  # probability that a sound distractor goes unchosen


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag: its name, the item, and a sentence with the evidence. Flags are sorted by `weight`. `at` is the option
    or criterion concerned; empty if there is none."""

    name: str
    item: str
    say: str
    weight: float
    at: str = ""


def flags(items: Sequence[ItemFigures]) -> tuple[Flag, ...]:
    """The flags of all items, the worst first."""
    typical = _typical_correlation(items)
    made: list[Flag] = []
    for item in items:
        if item.n < MIN_CANDIDATES:
            continue
        made.extend(_criterion_flags(item))
        wrong = _wrong_key_flag(item) or _attractive_answer_flag(item) or _negative_discrimination_flag(item)
        if wrong is not None:
            made.append(wrong)
        else:
            weak = _weak_right_flag(item, typical)
            if weak is not None:
                made.append(weak)
            made.extend(_unused_distractor_flags(item))
    return tuple(sorted(made, key=lambda f: (-f.weight, f.item, f.say)))


def _error_of_r(figure: Estimate) -> float:
    """The standard error of a correlation: that of Fisher's z, which is close enough for small r."""
    return 1 / sqrt(figure.n - 3) if figure.n > 3 else 1.0


def _wrong_key_flag(item: ItemFigures) -> Flag | None:
    """A flag if candidates who choose the key do badly on the rest and those who choose a distractor do well."""
    key = next((o for o in item.options if o.key), None)
    if key is None or len(item.keys) != 1:
        return None
    # If the rival were the true key, many would choose it; a handful of strong candidates is chance.
    rivals = [o for o in item.options if not o.key and 2 * o.taken >= key.taken]
    if not rivals:
        return None
    rival = max(rivals, key=_option_correlation)
    error = _error_of_r(item.correlation)
    r, pull = item.correlation.value, _option_correlation(rival)
    if r is None:  # everybody or nobody chose the key
        r = -pull if rival.taken > item.n / 2 else pull
    # When hardly anyone chooses the key and many choose the rival, that alone is evidence.
    sure, apart = (2.0, 3.0) if rival.taken >= 3 * key.taken else (SURE_ERRORS, 4.0)
    if pull < sure * error or r > 0 or pull - r < apart * error:
        return None
    say = (
        f'likely wrong key: stronger candidates take "{rival.text}" (r = {pull:+.2f}, {rival.taken} took it), '
        f'the key "{key.text}" goes with a lower score (r = {r:+.2f}, {key.taken} took it); n = {item.n}'
    )
    return Flag(WRONG_KEY, item.item, say, 100 + 10 * (pull - r))


def _attractive_answer_flag(item: ItemFigures) -> Flag | None:
    """A flag if better candidates give a response that is not an option: it may be right, or a phrase that the rubric
    lacks.

    Candidates who give a wrong answer do badly on the rest, however common the mistake is."""
    pulling = [a for a in item.answers if _option_correlation(a) >= SURE_ERRORS * _error_of_r(item.correlation)]
    if not pulling:
        return None
    first = max(pulling, key=lambda a: a.taken)
    wrong = 2 * first.taken >= item.right and (item.correlation.value or 0.0) <= _option_correlation(first)
    what = "likely wrong key" if wrong else "strong candidates say what earns nothing"
    r = "" if item.correlation.value is None else f" (r = {item.correlation.value:+.2f})"
    say = (
        f"{what}: stronger candidates give {first.text} "
        f"(r = {_option_correlation(first):+.2f}, {first.taken} gave it), "
        f"full marks went to {item.right}{r}; n = {item.n}"
    )
    return Flag(
        WRONG_KEY if wrong else UNMET_PHRASES, item.item, say, (100 if wrong else 70) + 10 * _option_correlation(first)
    )


def _negative_discrimination_flag(item: ItemFigures) -> Flag | None:
    """A flag if candidates who do well on the rest do badly on this item, of any kind."""
    r = item.correlation.value
    if r is None or r > -NEGATIVE_ERRORS * _error_of_r(item.correlation):
        return None
    common = f"; most common: {item.answers[0].text}, {item.answers[0].taken} times" if item.answers else ""
    say = f"negative discrimination: r = {r:+.2f} with the rest of the form{common}; n = {item.n}; is the key right?"
    return Flag(NEGATIVE_DISCRIMINATION, item.item, say, 80 - 10 * r)


def _criterion_flags(item: ItemFigures) -> list[Flag]:
    """Flags for criteria that are met by candidates who do badly on the rest: is a mistake rewarded?"""
    made = []
    for one in item.criteria:
        r = one.correlation.value
        if (
            r is not None
            and one.correlation.n >= MIN_CANDIDATES
            and r <= -NEGATIVE_ERRORS * _error_of_r(one.correlation)
        ):
            statuses = ", ".join(f"{name} {count}" for name, count in one.statuses)
            say = (
                f'criterion "{one.criterion}" goes with a lower score (r = {r:+.2f}; {statuses}); is its phrase right?'
            )
            made.append(Flag(WEAK_CRITERION, item.item, say, 90 - 10 * r, one.criterion))
    return made


def _option_correlation(option: OptionFigures) -> float:
    return option.correlation.value if option.correlation.value is not None else -1.0


def _unused_distractor_flags(item: ItemFigures) -> list[Flag]:
    """Flags for distractors that nobody chose although there are so many wrong responses that even half a fair share
    would show."""
    distractors = [o for o in item.options if not o.key]
    wrong = sum(o.taken for o in distractors)
    if len(distractors) < 2 or any(2 * o.taken > item.n for o in distractors):
        return []  # when most choose one wrong option, the statistics of the remaining options say little
    fair = 1 / (2 * len(distractors))
    made = []
    for option in distractors:
        chance = _chance_of_at_most(option.taken, wrong, fair)
        if option.taken <= item.n / 200 and chance < UNUSED_PROBABILITY:
            say = (
                f'distractor nobody takes: "{option.text}" was taken {option.taken} times '
                f"among {wrong} wrong choices; n = {item.n}"
            )
            made.append(Flag(UNUSED_DISTRACTOR, item.item, say, 10 + wrong / item.n, option.text))
    return made


def _chance_of_at_most(count: int, n: int, p: float) -> float:
    """P(X <= count) for a binomial X: the exact sum, or the normal approximation if its terms underflow."""
    term = (1 - p) ** n
    if term == 0.0:
        return NormalDist(n * p, sqrt(n * p * (1 - p))).cdf(count + 0.5)
    total = term
    for k in range(1, count + 1):
        term *= (n - k + 1) / k * p / (1 - p)
        total += term
    return total


def _weak_right_flag(item: ItemFigures, typical: float | None) -> Flag | None:
    """A flag if weak candidates answer correctly as often as strong ones, although an item this easy should still
    discriminate."""
    p, r, low = item.difficulty.value, item.correlation.value, item.lower.value
    if p is None or r is None or low is None or typical is None or not 0.02 < p < 0.98 or low < 0.5:
        return None
    expected = typical * _normal_ordinate(p) / sqrt(p * (1 - p))
    error = _error_of_r(item.correlation)
    if expected - r < SURE_ERRORS * error or r > 0.45 * expected or (item.upper_lower.value or 0.0) > 0.2:
        return None
    say = (
        f"weak candidates get it right: {low:.0%} of the weakest 27 % and {item.upper.value or 0:.0%} of the best; "
        f"r = {r:+.2f} where an item this easy shows {expected:+.2f}; n = {item.n}; can it be guessed?"
    )
    return Flag(WEAK_RIGHT, item.item, say, 50 + 10 * (expected - r))


def _typical_correlation(items: Sequence[ItemFigures]) -> float | None:
    """The median biserial correlation: how well the items of this test discriminate, whatever their difficulty (Lord
    and Novick 1968, section 15.2). None if there are too few."""
    made = []
    for item in items:
        p, r = item.difficulty.value, item.correlation.value
        if p is not None and r is not None and item.n >= MIN_CANDIDATES and 0.05 < p < 0.95:
            made.append(r * sqrt(p * (1 - p)) / _normal_ordinate(p))
    return median(made) if len(made) >= 5 and median(made) > 0 else None


def _normal_ordinate(p: float) -> float:
    """The height of the normal curve at the point that cuts off a share p."""
    normal = NormalDist()
    return normal.pdf(normal.inv_cdf(p))


SELECT_ITEMS_OF_FORMS = "SELECT person, item, possible FROM counted ORDER BY id"


def statistics_of(
    table: ResponseTable,
    items: Mapping[str, Item],
    met: Mapping[str, ItemFacts | None],
    bands: tuple[Band, ...] = (),
    pass_share: Fraction | None = None,
) -> Statistics:
    """The statistics of a table in which the responses that count were already chosen. `met`: the facts of items with
    responses."""
    sums = sums_of_table(table, {name: items[name].topic for name in sorted(met) if name in items})
    known = {name: met.get(name) or item_facts(items[name]) for name in sorted(sums.items)}
    without = alpha_without(sums)
    times = seconds_of_items(table)
    figures = tuple(
        item_figures(name, sums.items[name], facts, without.get(name), times.get(name, UNTIMED))
        for name, facts in known.items()
    )
    scores = score_figures(sums)
    return Statistics(
        scores,
        figures,
        flags(figures),
        consistency_of(sums.totals, scores.alpha, scores.sem, pass_share),
        uneven_forms_note(_expected_shares(table, sums)) if scores.warning else "",
        partial(_percentile, sums),
        None if pass_share is None else _count_reached(sums, pass_share),
        _count_in_bands(sums, bands),
    )


def _expected_shares(table: ResponseTable, sums: Sums) -> Iterator[float]:
    """Yields each candidate's expected share: the average of the mean shares of the items on the form, over items that
    many candidates got."""
    mean = {name: one.x / (one.n * SHARE_UNITS) for name, one in sums.items.items() if one.n >= MIN_CANDIDATES}
    for person, rows in table.people(SELECT_ITEMS_OF_FORMS):
        worth = [(item, possible) for _, item, possible in rows] + json.loads(person[-1])
        known = [(mean[name], points) for name, points in worth if name in mean and points]
        if known:
            yield sum(m * p for m, p in known) / sum(p for _, p in known)


def _percentile(sums: Sums, reached: float) -> float:
    """The share of candidates below the share `reached`, plus half of those equal to it."""
    value, totals = round(reached * SHARE_UNITS), sums.totals
    return 1 - (totals.at_least(value) + totals.at_least(value + 1)) / (2 * totals.reached)


def _count_reached(sums: Sums, share: Fraction) -> int:
    return sums.totals.at_least(ceil(share * SHARE_UNITS))


def _count_in_bands(sums: Sums, bands: tuple[Band, ...]) -> tuple[tuple[str, int], ...]:
    found, above = [], 0
    for band in sorted(bands, key=lambda b: -b.start):
        reached = _count_reached(sums, band.start)
        found.append((band.name, reached - above))
        above = reached
    return tuple(found)
