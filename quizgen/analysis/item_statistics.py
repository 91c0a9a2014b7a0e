"""Turns sums into figures, each with its definition, its n and a 95 % interval.

Source: Kelley 1939 (groups of 27 %); the sources for intervals and reliability are in `estimates`."""

from __future__ import annotations

import tomllib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import ceil, exp, lgamma, log, sqrt
from operator import itemgetter, sub
from statistics import NormalDist, median

from quizgen.analysis import estimates
from quizgen.analysis.estimates import MIN_RELIABLE_N, NORMAL_97_5_PERCENTILE, Estimate, ItemSums, OptionSums
from quizgen.data_folders import shipped_folder_path
from quizgen.model import Item, ScoreBand
from quizgen.scoring.response_table import UNITS_PER_SHARE, ResponseTable
from quizgen.scoring.score_logs import RunResult
from quizgen.scoring.scorer import ItemOptionsAndKey, item_options_and_key


def read_definition_by_statistic_name() -> dict[str, str]:
    """What each figure means, by its name."""
    return tomllib.loads((shipped_folder_path("templates") / "figures.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class OptionStatistics:
    """One option: how many candidates chose it, and how well they did on the rest of their form."""

    text: str
    is_key: bool
    response_count: int
    response_share: Estimate
    mean_share_on_other_items: float | None
    rest_correlation: Estimate
    upper_group_response_count: int
    lower_group_response_count: int


@dataclass(frozen=True, slots=True)
class CriterionEstimates:
    """A criterion of a rubric: its mean share, its correlation with the rest of the form, and its marks by status."""

    criterion_id: str
    mean_share: Estimate
    other_items_correlation: Estimate
    statuses_and_counts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class ItemStatistics:
    """The figures of one item over `n` responses. `drawn_value_shares` has (name, drawn value, figure);
    `mistake_ids_and_counts` has (id, number of responses); `frequent_wrong_answers` are those that are not options;
    `full_points_count` is the number of responses with full points."""

    item_id: str
    n: int
    mean_share: Estimate
    rest_correlation: Estimate
    upper_lower_difference: Estimate
    upper_group_mean_share: Estimate
    lower_group_mean_share: Estimate
    blank_response_share: Estimate
    unreadable_response_share: Estimate
    not_reached_count: int
    median_seconds: Estimate
    p90_seconds: Estimate
    option_statistics: tuple[OptionStatistics, ...]
    mistake_ids_and_counts: tuple[tuple[str, int], ...]
    drawn_value_shares: tuple[tuple[str, str, Estimate], ...]
    key_texts: tuple[str, ...] = ()
    guessing_share: float | None = None
    full_points_count: int = 0
    frequent_wrong_answers: tuple[OptionStatistics, ...] = ()
    criterion_estimates: tuple[CriterionEstimates, ...] = ()
    alpha_without_item: float | None = None


@dataclass(frozen=True, slots=True)
class ScoreFigures:
    """Figures over candidates. `alpha_warning` names what alpha does not cover."""

    candidate_count: int
    response_count: int
    mean_share: Estimate
    median_share: Estimate
    share_sd: Estimate
    skewness: Estimate
    kurtosis: Estimate
    cronbach_alpha: Estimate
    share_standard_error_of_measurement: Estimate
    alpha_item_count: int  # items shared by the group over which alpha is computed
    alpha_warning: str
    topics_and_shares: tuple[tuple[str, Estimate], ...]  # (topic, share of the points over its responses)
    phi_reliability: Estimate


@dataclass(frozen=True, slots=True)
class RunStatistics:
    """Figures over candidates and over the responses to each item. `pass_consistency` is that of decisions at the pass
    mark. `form_difficulty_note_or_empty` says what cannot be compared if candidates got different items.
    `get_share_below_plus_half_equal` is a function of a share. `passed_count` is the number of candidates at or above
    the pass mark, `bands_and_candidate_counts` that in each band, the highest first."""

    score_figures: ScoreFigures
    item_statistics: tuple[ItemStatistics, ...]
    flags: tuple[ItemFlag, ...]
    pass_consistency: Estimate
    form_difficulty_note_or_empty: str
    get_share_below_plus_half_equal: Callable[[float], float]
    passed_count: int | None
    bands_and_candidate_counts: tuple[tuple[str, int], ...]


SELECT_ITEM_MILLISECONDS = """
SELECT item, milliseconds FROM counted WHERE milliseconds IS NOT NULL AND share IS NOT NULL ORDER BY item, milliseconds
"""


def statistics_of_item(
    item: str,
    sums: ItemSums,
    options_and_key: ItemOptionsAndKey,
    alpha_without_item: float | None = None,
    sorted_milliseconds: Sequence[int] = (),
) -> ItemStatistics:
    """The figures of one item, also of options that nobody chose. `alpha_without_item`: alpha of the form without the
    item. `sorted_milliseconds`: the time that each response took."""
    upper, lower = (
        estimates.proportion_estimate(Fraction(share_unit_sum, UNITS_PER_SHARE), n)
        for n, share_unit_sum in (sums.upper_count_and_share_units, sums.lower_count_and_share_units)
    )
    difference = Estimate(None, min(upper.n, lower.n))
    if upper.value is not None and lower.value is not None:
        variance = upper.value * (1 - upper.value) / upper.n + lower.value * (1 - lower.value) / lower.n
        middle, half = upper.value - lower.value, NORMAL_97_5_PERCENTILE * sqrt(variance)
        difference = Estimate(middle, difference.n, max(-1.0, middle - half), min(1.0, middle + half))
    sums_by_option, options, keys = sums.sums_by_option, options_and_key.option_texts, options_and_key.key_texts
    texts = (*options, *sorted(o for o in sums_by_option if o not in options))
    criteria = []
    for name, row in sorted(sums.sums_by_criterion.items()):
        met = tuple((status, n) for status in estimates.CRITERION_MARK_STATUSES if (n := row.status_counts[status]))
        mean = estimates.proportion_estimate(Fraction(row.share_unit_sum, UNITS_PER_SHARE), row.status_counts.total())
        correlation = estimates.correlation_estimate(*row.other_items_correlation_sums)
        criteria.append(CriterionEstimates(name, mean, correlation, met))
    answers = sorted(sums.sums_by_frequent_wrong_answer.items(), key=lambda p: (-p[1].response_count, p[0]))
    return ItemStatistics(
        item_id=item,
        n=sums.response_count,
        mean_share=estimates.mean_share_estimate(sums.response_count, sums.share_unit_sum, sums.share_unit_square_sum),
        rest_correlation=estimates.correlation_estimate(*sums.rest_correlation_sums),
        upper_lower_difference=difference,
        upper_group_mean_share=upper,
        lower_group_mean_share=lower,
        blank_response_share=estimates.proportion_estimate(sums.outcome_counts["blank"], sums.response_count),
        unreadable_response_share=estimates.proportion_estimate(sums.outcome_counts["unreadable"], sums.response_count),
        not_reached_count=sums.not_reached_count,
        median_seconds=estimates.divided_quantile_estimate(sorted_milliseconds, 0.5, 1000),
        p90_seconds=estimates.divided_quantile_estimate(sorted_milliseconds, 0.9, 1000),
        option_statistics=tuple(
            _statistics_of_option(text, text in keys, sums_by_option.get(text, OptionSums()), sums) for text in texts
        ),
        mistake_ids_and_counts=tuple(sorted(sums.response_count_by_mistake_id.items(), key=lambda p: (-p[1], p[0]))),
        drawn_value_shares=tuple(
            (*pair, estimates.proportion_estimate(Fraction(x, UNITS_PER_SHARE), n))
            for pair, (n, x) in sorted(sums.count_and_share_units_by_drawn_value.items())
        ),
        key_texts=keys,
        guessing_share=options_and_key.guessing_share,
        full_points_count=sums.full_points_count,
        frequent_wrong_answers=tuple(_statistics_of_option(text, False, counts, sums) for text, counts in answers),
        criterion_estimates=tuple(criteria),
        alpha_without_item=alpha_without_item,
    )


def _statistics_of_option(text: str, is_key: bool, sums_by_option: OptionSums, item_sums: ItemSums) -> OptionStatistics:
    pairs, (count, n, rest_sum, upper, lower) = item_sums.rest_correlation_sums, sums_by_option
    # The option is a variable of 0 and 1, so its sum and its sum of squares both equal `n`.
    correlation = estimates.correlation_estimate(pairs.pair_count, n, n, pairs.y_sum, pairs.yy_sum, rest_sum)
    share = estimates.proportion_estimate(count, item_sums.response_count)
    mean = rest_sum / (n * UNITS_PER_SHARE) if n else None
    return OptionStatistics(text, is_key, count, share, mean, correlation, upper, lower)


def score_figures(table: ResponseTable, sums: estimates.ResponseTableSums) -> ScoreFigures:
    """The figures over all candidates of a table with these sums."""
    n = sums.candidate_count_with_possible_points
    t1, t2, t3, t4 = (p / UNITS_PER_SHARE**k for k, p in enumerate(sums.share_unit_power_sums, 1))
    x, xx, _, _ = sums.share_unit_power_sums
    middle = estimates.divided_quantile_estimate(sums.sorted_share_units, 0.5, UNITS_PER_SHARE)
    spread = estimates.share_sample_variance(n, x, xx) if n > 1 else 0.0
    half = NORMAL_97_5_PERCENTILE / sqrt(2 * (n - 1)) if n > 1 else 0.0
    sd = Estimate(sqrt(spread), n, sqrt(spread) * exp(-half), sqrt(spread) * exp(half)) if n > 1 else Estimate(None, n)
    skewness = kurtosis = Estimate(None, n)
    m2 = (n * xx - x**2) / (n * n * UNITS_PER_SHARE * UNITS_PER_SHARE) if n else 0.0
    if n > 2 and m2 > 0:
        m = t1 / n
        m3 = t3 / n - 3 * m * t2 / n + 2 * m**3
        m4 = t4 / n - 4 * m * t3 / n + 6 * m * m * t2 / n - 3 * m**4
        g1, g2 = m3 / m2**1.5, m4 / m2**2 - 3
        e1, e2 = NORMAL_97_5_PERCENTILE * sqrt(6 / n), NORMAL_97_5_PERCENTILE * sqrt(24 / n)
        skewness, kurtosis = Estimate(g1, n, g1 - e1, g1 + e1), Estimate(g2, n, g2 - e2, g2 + e2)
    moments = (estimates.mean_share_estimate(n, x, xx), middle, sd, skewness, kurtosis)
    topics = []
    for name, (count, earned, possible) in sorted(sums.count_and_point_units_by_topic.items()):
        topics.append((name, estimates.proportion_estimate(Fraction(earned * count, possible or 1), count)))
    alpha, phi = estimates.alpha_sem_item_count_and_warning(sums), estimates.phi_reliability_estimate(table)
    return ScoreFigures(sums.candidate_count, sums.response_count, *moments, *alpha, tuple(topics), phi)


# Flags: warnings about an item, with few false alarms.
# Each flag tests the item against a sound item of the same difficulty and demands far more than the
# usual 5 %: among 40 items with 120 distractors something always looks odd by chance.


WRONG_KEY_FLAG = "likely wrong key"

MIN_FLAG_STANDARD_ERRORS = 2.6  # standard errors; two-sided 1 in 100, one-sided 1 in 200
MIN_STANDARD_ERRORS_BELOW_ZERO = 3.0  # standard errors below zero; a sound item or criterion is hardly ever this low
MAX_PROBABILITY_OF_UNUSED_DISTRACTOR = 0.005  # probability that a sound distractor goes unchosen


@dataclass(frozen=True, slots=True)
class ItemFlag:
    """One flag: its name, the item, and a sentence with the evidence. Flags are sorted by `severity_score`, the highest
    first. `path_to_field` are the names and texts that lead to the field concerned; empty if there is none."""

    name: str
    item_id: str
    message: str
    severity_score: float
    path_to_field: tuple[str, ...] = ()


def all_item_flags(statistics: Sequence[ItemStatistics]) -> tuple[ItemFlag, ...]:
    """The flags of all items, the worst first."""
    # Biserial correlations say how well the items of this test discriminate, whatever their difficulty (Lord and Novick
    # 1968, section 15.2).
    items = [one for one in statistics if one.n >= MIN_RELIABLE_N]
    pairs = [(p, r) for one in items if (p := one.mean_share.value) and (r := one.rest_correlation.value) is not None]
    biserials = [r * sqrt(p * (1 - p)) / _normal_density_at_quantile(p) for p, r in pairs if 0.05 < p < 0.95]
    median_biserial = median(biserials) if len(biserials) >= 5 and median(biserials) > 0 else None
    flags: list[ItemFlag] = []
    for item in items:
        flags += _negative_criterion_flags(item)
        main_flag = _wrong_key_flag(item) or _unrewarded_answer_flag(item) or _negative_discrimination_flag(item)
        flags += filter(None, [main_flag or _weak_as_right_as_strong_flag(item, median_biserial)])
        flags += [] if main_flag else _unused_distractor_flags(item)
    return tuple(sorted(flags, key=lambda f: (-f.severity_score, f.item_id, f.message)))


def _correlation_standard_error(correlation: Estimate) -> float:
    """The standard error of a correlation: that of Fisher's z, which is close enough for small r."""
    return 1 / sqrt(correlation.n - 3) if correlation.n > 3 else 1.0


def _wrong_key_flag(figures: ItemStatistics) -> ItemFlag | None:
    """A flag if candidates who choose the key do badly on the rest and those who choose a distractor do well."""
    key = next((o for o in figures.option_statistics if o.is_key), None)
    if key is None or len(figures.key_texts) != 1:
        return None
    # If the rival were the true key, many would choose it; a handful of strong candidates is chance.
    rivals = [o for o in figures.option_statistics if not o.is_key and 2 * o.response_count >= key.response_count]
    if (rival := max(rivals, key=_rest_correlation_or_minus_one, default=None)) is None:
        return None
    error = _correlation_standard_error(figures.rest_correlation)
    r, pull = figures.rest_correlation.value, _rest_correlation_or_minus_one(rival)
    if r is None:  # everybody or nobody chose the key
        r = -pull if rival.response_count > figures.n / 2 else pull
    # When hardly anyone chooses the key and many choose the rival, that alone is evidence.
    min_r, min_gap = (2.0, 3.0) if rival.response_count >= 3 * key.response_count else (MIN_FLAG_STANDARD_ERRORS, 4.0)
    if pull < min_r * error or r > 0 or pull - r < min_gap * error:
        return None
    say = (
        f'likely wrong key: stronger candidates take "{rival.text}" (r = {pull:+.2f}, {rival.response_count} took it), '
        f'the key "{key.text}" goes with a lower score (r = {r:+.2f}, {key.response_count} took it); n = {figures.n}'
    )
    return ItemFlag(WRONG_KEY_FLAG, figures.item_id, say, 100 + 10 * (pull - r), ("key",))


def _unrewarded_answer_flag(figures: ItemStatistics) -> ItemFlag | None:
    """A flag if better candidates give a response that is not an option: it may be right, or a phrase that the rubric
    lacks.

    Candidates who give a wrong answer do badly on the rest, however common the mistake is."""
    min_r = MIN_FLAG_STANDARD_ERRORS * _correlation_standard_error(figures.rest_correlation)
    answers = (answer for answer in figures.frequent_wrong_answers if _rest_correlation_or_minus_one(answer) >= min_r)
    if (first := max(answers, key=lambda a: a.response_count, default=None)) is None:
        return None
    pull = _rest_correlation_or_minus_one(first)
    wrong = 2 * first.response_count >= figures.full_points_count and (figures.rest_correlation.value or 0.0) <= pull
    flag_name = WRONG_KEY_FLAG if wrong else "strong candidates say what earns nothing"
    r = "" if figures.rest_correlation.value is None else f" (r = {figures.rest_correlation.value:+.2f})"
    say = (
        f"{flag_name}: stronger candidates give {first.text} (r = {pull:+.2f}, {first.response_count} gave it), "
        f"full marks went to {figures.full_points_count}{r}; n = {figures.n}"
    )
    return ItemFlag(flag_name, figures.item_id, say, (100 if wrong else 70) + 10 * pull, ("key",) if wrong else ())


def _negative_discrimination_flag(figures: ItemStatistics) -> ItemFlag | None:
    """A flag if candidates who do well on the rest do badly on this item, of any kind."""
    r = figures.rest_correlation.value
    if r is None or r > -MIN_STANDARD_ERRORS_BELOW_ZERO * _correlation_standard_error(figures.rest_correlation):
        return None
    answer = "".join(f"; most common: {a.text}, {a.response_count} times" for a in figures.frequent_wrong_answers[:1])
    say = f"negative discrimination: r = {r:+.2f} with the rest of the form{answer}; n = {figures.n}; is the key right?"
    return ItemFlag("negative discrimination", figures.item_id, say, 80 - 10 * r)


def _negative_criterion_flags(figures: ItemStatistics) -> Iterator[ItemFlag]:
    """Yields flags for criteria that are met by candidates who do badly on the rest: is a mistake rewarded?"""
    for row in figures.criterion_estimates:
        correlation = row.other_items_correlation
        r, error = correlation.value, _correlation_standard_error(correlation)
        if r is not None and correlation.n >= MIN_RELIABLE_N and r <= -MIN_STANDARD_ERRORS_BELOW_ZERO * error:
            name, marks = row.criterion_id, ", ".join(f"{status} {count}" for status, count in row.statuses_and_counts)
            say = f'criterion "{name}" goes with a lower score (r = {r:+.2f}; {marks}); is its phrase right?'
            path = ("rubric", "criteria", name)
            yield ItemFlag("criterion against the rest", figures.item_id, say, 90 - 10 * r, path)


def _rest_correlation_or_minus_one(option: OptionStatistics) -> float:
    return option.rest_correlation.value if option.rest_correlation.value is not None else -1.0


def _unused_distractor_flags(figures: ItemStatistics) -> Iterator[ItemFlag]:
    """Yields flags for distractors that nobody chose although there are so many wrong responses that even half a fair
    share would show."""
    distractors = [o for o in figures.option_statistics if not o.is_key]
    wrong_count = sum(o.response_count for o in distractors)
    if len(distractors) < 2 or any(2 * o.response_count > figures.n for o in distractors):
        return  # when most choose one wrong option, the statistics of the remaining options say little
    fair = 1 / (2 * len(distractors))
    for option in (one for one in distractors if one.response_count <= figures.n / 200):
        if _binomial_chance_of_at_most(option.response_count, wrong_count, fair) < MAX_PROBABILITY_OF_UNUSED_DISTRACTOR:
            say = (
                f'distractor nobody takes: "{option.text}" was taken {option.response_count} times '
                f"among {wrong_count} wrong choices; n = {figures.n}"
            )
            path = ("distractors", option.text)
            yield ItemFlag("distractor nobody takes", figures.item_id, say, 10 + wrong_count / figures.n, path)


def _binomial_chance_of_at_most(count: int, trial_count: int, success_chance: float) -> float:
    """P(X <= count) for a binomial X; by logarithms, as the factors of a term underflow or overflow."""
    n, log_success, log_failure = trial_count, log(success_chance), log(1 - success_chance)
    ways = (lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) for k in range(count + 1))
    return sum(exp(way + k * log_success + (n - k) * log_failure) for k, way in enumerate(ways))


def _weak_as_right_as_strong_flag(figures: ItemStatistics, median_biserial: float | None) -> ItemFlag | None:
    """A flag if weak candidates answer correctly as often as strong ones, although an item this easy should still
    discriminate."""
    p, r, bottom = figures.mean_share.value, figures.rest_correlation.value, figures.lower_group_mean_share.value
    if p is None or r is None or bottom is None or median_biserial is None or not 0.02 < p < 0.98 or bottom < 0.5:
        return None
    expected_r = median_biserial * _normal_density_at_quantile(p) / sqrt(p * (1 - p))
    error = _correlation_standard_error(figures.rest_correlation)
    is_near = expected_r - r < MIN_FLAG_STANDARD_ERRORS * error or r > 0.45 * expected_r
    if is_near or (figures.upper_lower_difference.value or 0.0) > 0.2:
        return None
    say = (
        f"weak candidates get it right: {bottom:.0%} of the weakest 27 % and "
        f"{figures.upper_group_mean_share.value or 0:.0%} of the best; "
        f"r = {r:+.2f} where an item this easy shows {expected_r:+.2f}; n = {figures.n}; can it be guessed?"
    )
    return ItemFlag("weak candidates get it right", figures.item_id, say, 50 + 10 * (expected_r - r))


def _normal_density_at_quantile(share_below: float) -> float:
    """The height of the normal curve at the point that cuts off a share p."""
    normal = NormalDist()
    return normal.pdf(normal.inv_cdf(share_below))


# Each candidate's expected share: the average of the mean shares of the items on the form, reached or not, over items
# that many candidates got.
SELECT_EXPECTED_SHARES = """
WITH mean AS (SELECT item, avg(share) AS share FROM counted WHERE share IS NOT NULL GROUP BY item HAVING count(*) >= ?),
  worth AS (SELECT person, item, possible FROM counted UNION ALL
    SELECT person.id, json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM person, json_each(not_reached))
SELECT sum(mean.share * possible) / sum(possible) FROM worth JOIN mean USING (item) WHERE possible > 0 GROUP BY person
"""


def statistics_of_run(
    run: RunResult, items: Mapping[str, Item], bands: tuple[ScoreBand, ...], pass_share: Fraction | None
) -> RunStatistics:
    """The statistics of a run, from its table, in which the responses that count were already chosen."""
    table, facts_by_item = run.database, run.options_and_key_by_item
    sums = estimates.sums_of_table(table, {name: items[name].topic for name in sorted(facts_by_item) if name in items})
    details = {name: facts_by_item.get(name) or item_options_and_key(items[name]) for name in sorted(sums.sums_by_item)}
    alphas = estimates.cronbach_alpha_by_left_out_item(sums)
    rows_by_item = groupby(table.execute(SELECT_ITEM_MILLISECONDS), key=itemgetter(0))
    times = {name: array("q", (milliseconds for _, milliseconds in rows)) for name, rows in rows_by_item}
    figures = tuple(
        statistics_of_item(name, sums.sums_by_item[name], facts, alphas.get(name), times.get(name, ()))
        for name, facts in details.items()
    )
    scores = score_figures(table, sums)

    def reached(share: Fraction) -> int:
        """The number of candidates at or above a share."""
        return sums.count_at_or_above_share_units(ceil(share * UNITS_PER_SHARE))

    def below(share: float) -> float:
        """The share of candidates below a share, plus half of those equal to it."""
        value = round(share * UNITS_PER_SHARE)
        double = sums.count_at_or_above_share_units(value) + sums.count_at_or_above_share_units(value + 1)
        return 1 - double / (2 * sums.candidate_count_with_possible_points)

    shares = (share / UNITS_PER_SHARE for (share,) in table.execute(SELECT_EXPECTED_SHARES, (MIN_RELIABLE_N,)))
    sorted_bands = sorted(bands, key=lambda band: -band.min_share)
    counts = [reached(band.min_share) for band in sorted_bands]
    band_counts = zip((band.name for band in sorted_bands), map(sub, counts, [0, *counts]), strict=True)
    alpha, error = scores.cronbach_alpha, scores.share_standard_error_of_measurement
    consistency = estimates.pass_consistency(sums, alpha, error, pass_share)
    note = estimates.form_difficulty_note_or_empty(shares) if scores.alpha_warning else ""
    passes = None if pass_share is None else reached(pass_share)
    return RunStatistics(scores, figures, all_item_flags(figures), consistency, note, below, passes, tuple(band_counts))


# Findings: what responses show about items, for their authors (`quizgen check --with LOG`). Each compares the responses
# with what the item declares, and names the field concerned. A finding that chance alone would often produce is left
# out: difficulties and times must differ beyond their 95 % intervals, the rest must have a flag.


MIN_RESPONSES_FOR_FINDING = 10  # responses needed before anything is said about an item
MIN_ITEMS_OF_SAME_DIFFICULTY = 3  # other items needed for the usual share of a declared difficulty
UNEXPLAINED_WRONG_NUMBER_SUFFIX = " times the key"  # ending of a wrong number that no misconception explains
MAX_UNREPORTED_MEDIAN_TIME_BUDGET_MULTIPLE = 1.2  # reported when half of the candidates need more
MAX_LISTED_WRONG_NUMBERS = 3  # wrong numbers listed for an item


@dataclass(frozen=True, slots=True)
class ItemFinding:
    """One finding: the item, the path of the field (names and texts), what was observed, and the remedy."""

    item_id: str
    path_to_field: tuple[str, ...]
    message: str
    hint: str


def item_findings(
    items: Mapping[str, Item], statistics: RunStatistics, dispute_count_by_item_criterion: Mapping[tuple[str, str], int]
) -> Iterator[ItemFinding]:
    """Yields all findings. `dispute_count_by_item_criterion`: (item id, criterion) -> number of disputed marks."""
    for f in statistics.flags:
        yield ItemFinding(f.item_id, f.path_to_field, f.message, "" if "?" in f.message else "look at the item")
    reliable_rows = [f for f in statistics.item_statistics if f.n >= MIN_RESPONSES_FOR_FINDING and f.item_id in items]
    yield from _difficulty_findings(items, reliable_rows)
    for figures in reliable_rows:
        yield from _answer_time_findings(items[figures.item_id], figures)
        # Wrong numbers that many candidates give and that no known mistake explains, the most frequent first.
        if answers := [a for a in figures.frequent_wrong_answers if a.text.endswith(UNEXPLAINED_WRONG_NUMBER_SUFFIX)]:
            values = ", ".join(f"{a.text} ({a.response_count})" for a in answers[:MAX_LISTED_WRONG_NUMBERS])
            message = f"frequent wrong values that no misconception explains, of {figures.n} responses: {values}"
            hint = "find the mistake behind each, and add it to `misconceptions:`"
            yield ItemFinding(figures.item_id, ("formula",), message, hint)
        yield from _never_or_always_met_criterion_findings(figures)
    for (name, criterion), count in sorted(dispute_count_by_item_criterion.items(), key=lambda d: (-d[1], d[0])):
        n = next((f.n for f in statistics.item_statistics if f.item_id == name), count)
        message = f'criterion "{criterion}" is disputed in {count} of {n} responses'
        hint = "`quizgen rubric disputes LOG` shows their words"
        yield ItemFinding(name, ("rubric", "criteria", criterion), message, hint)


def _difficulty_findings(items: Mapping[str, Item], item_statistics: Sequence[ItemStatistics]) -> Iterator[ItemFinding]:
    """Yields items whose mean share is typical of another difficulty than the one they declare."""
    rows = [
        (figures, level, value)
        for figures in item_statistics
        if (level := items[figures.item_id].difficulty) is not None and (value := figures.mean_share.value) is not None
    ]
    for figures, level, value in rows:
        medians = _median_share_by_difficulty((d, share) for other, d, share in rows if other is not figures)
        low, high = figures.mean_share.low, figures.mean_share.high
        if level not in medians or low is None or high is None or low <= medians[level] <= high:
            continue
        new_level = min((abs(share - value), other_level) for other_level, share in medians.items())[1]
        is_harder = value < medians[level]
        if new_level != level and (new_level > level) == is_harder:
            finding = (
                f"difficulty {level} is declared, where {medians[level]:.0%} of the points are usually earned; here "
                f"{value:.0%} were (n = {figures.n}), as in items of difficulty {new_level} ({medians[new_level]:.0%})"
            )
            hint = f"write {new_level}, or find out why it is so {'hard' if is_harder else 'easy'}"
            yield ItemFinding(figures.item_id, ("difficulty",), finding, hint)


def _median_share_by_difficulty(rated_items: Iterable[tuple[int, float]]) -> dict[int, float]:
    """Declared difficulty -> median share over `rated_items` (difficulty, share), if there are enough of them."""
    groups = groupby(sorted(rated_items), key=itemgetter(0))
    shares = {difficulty: [share for _, share in rows] for difficulty, rows in groups}
    return {level: median(values) for level, values in shares.items() if len(values) >= MIN_ITEMS_OF_SAME_DIFFICULTY}


def _answer_time_findings(item: Item, figures: ItemStatistics) -> Iterator[ItemFinding]:
    """Yields a finding if half of the candidates exceed the time budget by a fifth, or nine in ten need under half."""
    middle, p90 = figures.median_seconds, figures.p90_seconds
    if middle.n < MIN_RESPONSES_FOR_FINDING or p90.value is None or middle.value is None:
        return
    if middle.low is not None and middle.low > MAX_UNREPORTED_MEDIAN_TIME_BUDGET_MULTIPLE * item.seconds:
        time_text = f"half of the candidates took {middle.value:.0f} s or more (n = {middle.n})"
        hint = f"write seconds: {max(5, 5 * round(middle.value / 5))}, or ask for less"
    elif p90.high is not None and p90.high < item.seconds / 2:
        time_text = f"nine in ten took {p90.value:.0f} s or less (n = {p90.n})"
        hint = f"write seconds: {max(5, 5 * round(p90.value / 5))}"
    else:
        return
    yield ItemFinding(item.id, ("seconds",), f"{time_text}, the budget is {item.seconds} s", hint)


def _never_or_always_met_criterion_findings(figures: ItemStatistics) -> Iterator[ItemFinding]:
    """Yields criteria that no answer met, or that every answer met."""
    answer_count = figures.n - round((figures.blank_response_share.value or 0) * figures.n)
    for row in figures.criterion_estimates if answer_count >= MIN_RESPONSES_FOR_FINDING else ():
        counts = dict(row.statuses_and_counts)
        if not counts.get("found"):
            part_text = f", {counts['partial']} times in part" if counts.get("partial") else ""
            fact = f"was never met in {answer_count} answers{part_text}"
            hint = "`quizgen rubric suggest` looks for words that it lacks; else ask for it in the stem"
        elif counts["found"] >= answer_count:
            fact = f"was met in all {answer_count} answers"
            hint = "it does not distinguish candidates: let it ask for more, or drop it"
        else:
            continue
        path = ("rubric", "criteria", row.criterion_id)
        yield ItemFinding(figures.item_id, path, f'criterion "{row.criterion_id}" {fact}', hint)
