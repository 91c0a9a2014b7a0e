"""What the figures of an item say in words, with few false alarms.

Each flag is a test against what a sound item of this difficulty would show, and needs far more than
a 5 % chance: with 40 items and 120 distractors something always looks odd.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist, median

from quizgen.analysis.figures import ItemFigures, OptionFigures
from quizgen.analysis.intervals import ENOUGH, Estimate

WRONG_KEY = "likely wrong key"
DEAD = "distractor nobody takes"
WEAK_RIGHT = "weak candidates get it right"
NEGATIVE = "negative discrimination"
UNREAD = "strong candidates say what earns nothing"
CRITERION = "criterion against the rest"

SURE = 2.6  # standard errors: 1 in 200, two-sided 1 in 100
AGAINST = 3.0  # standard errors below zero that a sound item or criterion hardly ever shows
RARE = 0.005  # chance that a sound distractor looks dead


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag: its name, the item, and the sentence with its evidence. `weight` orders trouble; `at`: the option
    or criterion that it is about, where it is one."""

    name: str
    item: str
    say: str
    weight: float
    at: str = ""


def flags(items: Sequence[ItemFigures]) -> tuple[Flag, ...]:
    """The flags of all items, the worst first."""
    typical = _typical(items)
    found: list[Flag] = []
    for item in items:
        if item.n < ENOUGH:
            continue
        found.extend(_criteria(item))
        wrong = _wrong_key(item) or _unread(item) or _negative(item)
        if wrong is not None:
            found.append(wrong)
        else:
            weak = _weak_right(item, typical)
            if weak is not None:
                found.append(weak)
            found.extend(_dead(item))
    return tuple(sorted(found, key=lambda f: (-f.weight, f.item, f.say)))


def _error(figure: Estimate) -> float:
    """Standard error of a correlation (of Fisher's z, close enough where r is small)."""
    return 1 / sqrt(figure.n - 3) if figure.n > 3 else 1.0


def _wrong_key(item: ItemFigures) -> Flag | None:
    """The key goes with doing badly, and a distractor with doing well."""
    key = next((o for o in item.options if o.key), None)
    if key is None or len(item.keys) != 1:
        return None
    # Were the rival the true key, many would take it; a handful of strong candidates is chance.
    rivals = [o for o in item.options if not o.key and 2 * o.taken >= key.taken]
    if not rivals:
        return None
    rival = max(rivals, key=_pull)
    error = _error(item.correlation)
    r, pull = item.correlation.value, _pull(rival)
    if r is None:  # nobody took the key, or everybody
        r = -pull if rival.taken > item.n / 2 else pull
    # That hardly anyone takes the key while many take the rival is evidence of its own.
    sure, apart = (2.0, 3.0) if rival.taken >= 3 * key.taken else (SURE, 4.0)
    if pull < sure * error or r > 0 or pull - r < apart * error:
        return None
    say = (
        f'likely wrong key: stronger candidates take "{rival.text}" (r = {pull:+.2f}, {rival.taken} took it), '
        f'the key "{key.text}" goes with a lower score (r = {r:+.2f}, {key.taken} took it); n = {item.n}'
    )
    return Flag(WRONG_KEY, item.item, say, 100 + 10 * (pull - r))


def _unread(item: ItemFigures) -> Flag | None:
    """Something that is no option, and that better candidates say: the key, or a phrase that the rubric lacks.

    A wrong answer goes with doing badly, however common the mistake is."""
    said = [a for a in item.answers if _pull(a) >= SURE * _error(item.correlation)]
    if not said:
        return None
    first = max(said, key=lambda a: a.taken)
    wrong = 2 * first.taken >= item.right and (item.correlation.value or 0.0) <= _pull(first)
    what = "likely wrong key" if wrong else "strong candidates say what earns nothing"
    r = "" if item.correlation.value is None else f" (r = {item.correlation.value:+.2f})"
    say = (
        f"{what}: stronger candidates give {first.text} (r = {_pull(first):+.2f}, {first.taken} gave it), "
        f"full marks went to {item.right}{r}; n = {item.n}"
    )
    return Flag(WRONG_KEY if wrong else UNREAD, item.item, say, (100 if wrong else 70) + 10 * _pull(first))


def _negative(item: ItemFigures) -> Flag | None:
    """Whoever does well elsewhere does badly here, whatever the kind of the item."""
    r = item.correlation.value
    if r is None or r > -AGAINST * _error(item.correlation):
        return None
    common = f"; most common: {item.answers[0].text}, {item.answers[0].taken} times" if item.answers else ""
    say = f"negative discrimination: r = {r:+.2f} with the rest of the form{common}; n = {item.n}; is the key right?"
    return Flag(NEGATIVE, item.item, say, 80 - 10 * r)


def _criteria(item: ItemFigures) -> list[Flag]:
    """A criterion that goes with doing badly elsewhere: it rewards a mistake, or refuses what is right."""
    found = []
    for one in item.criteria:
        r = one.correlation.value
        if r is not None and one.correlation.n >= ENOUGH and r <= -AGAINST * _error(one.correlation):
            statuses = ", ".join(f"{name} {count}" for name, count in one.statuses)
            say = (
                f'criterion "{one.criterion}" goes with a lower score (r = {r:+.2f}; {statuses}); is its phrase right?'
            )
            found.append(Flag(CRITERION, item.item, say, 90 - 10 * r, one.criterion))
    return found


def _pull(option: OptionFigures) -> float:
    return option.correlation.value if option.correlation.value is not None else -1.0


def _dead(item: ItemFigures) -> list[Flag]:
    """Among so many wrong responses a distractor with half its fair share would have been taken."""
    distractors = [o for o in item.options if not o.key]
    wrong = sum(o.taken for o in distractors)
    if len(distractors) < 2 or any(2 * o.taken > item.n for o in distractors):
        return []  # where most take one wrong option, what the others draw says little
    fair = 1 / (2 * len(distractors))
    found = []
    for option in distractors:
        chance = _at_most(option.taken, wrong, fair)
        if option.taken <= item.n / 200 and chance < RARE:
            say = (
                f'distractor nobody takes: "{option.text}" was taken {option.taken} times '
                f"among {wrong} wrong choices; n = {item.n}"
            )
            found.append(Flag(DEAD, item.item, say, 10 + wrong / item.n, option.text))
    return found


def _at_most(count: int, n: int, p: float) -> float:
    """P(X <= count) for a binomial X; by its terms, or the normal curve where they underflow."""
    term = (1 - p) ** n
    if term == 0.0:
        return NormalDist(n * p, sqrt(n * p * (1 - p))).cdf(count + 0.5)
    total = term
    for k in range(1, count + 1):
        term *= (n - k + 1) / k * p / (1 - p)
        total += term
    return total


def _weak_right(item: ItemFigures, typical: float | None) -> Flag | None:
    """As many weak as strong candidates get it right, though an item this easy should still tell them apart."""
    p, r, low = item.difficulty.value, item.correlation.value, item.lower.value
    if p is None or r is None or low is None or typical is None or not 0.02 < p < 0.98 or low < 0.5:
        return None
    expected = typical * _ordinate(p) / sqrt(p * (1 - p))
    error = _error(item.correlation)
    if expected - r < SURE * error or r > 0.45 * expected or (item.upper_lower.value or 0.0) > 0.2:
        return None
    say = (
        f"weak candidates get it right: {low:.0%} of the weakest 27 % and {item.upper.value or 0:.0%} of the best; "
        f"r = {r:+.2f} where an item this easy shows {expected:+.2f}; n = {item.n}; can it be guessed?"
    )
    return Flag(WEAK_RIGHT, item.item, say, 50 + 10 * (expected - r))


def _typical(items: Sequence[ItemFigures]) -> float | None:
    """The median biserial correlation: how well the items of this test tell candidates apart, whatever
    their difficulty (Lord and Novick 1968, section 15.2)."""
    found = []
    for item in items:
        p, r = item.difficulty.value, item.correlation.value
        if p is not None and r is not None and item.n >= ENOUGH and 0.05 < p < 0.95:
            found.append(r * sqrt(p * (1 - p)) / _ordinate(p))
    return median(found) if len(found) >= 5 and median(found) > 0 else None


def _ordinate(p: float) -> float:
    """Height of the normal curve at the point that cuts off a share p."""
    normal = NormalDist()
    return normal.pdf(normal.inv_cdf(p))
