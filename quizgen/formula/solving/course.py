"""How an answer runs over the whole numbers of a domain: with holes, or up and down.

A search halves, which needs an answer everywhere that only rises or only falls. Where it does not,
what can be listed is listed, so that no value is overlooked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Final

from quizgen.formula.definition import Answer
from quizgen.formula.quantity import Number
from quizgen.formula.solving.domain import MAX_DIVIDED, Domain, divisors

SCANNED: Final = 4096  # a stretch of whole numbers that is walked rather than halved
_ENOUGH: Final = 64  # values with an answer that show how they lie
_CLOSE: Final = 32  # values in a row that show whether the answer turns


def without_holes(domain: Domain, answers: Callable[[Number], bool], product: int) -> Domain:
    """Of whole numbers those for which there is an answer: where it takes a multiple (a batch of whole
    accumulation steps) the multiples, where it takes a divisor (of a world size) a list.

    `product` is that of the other whole inputs: what divides one of them divides it.
    """
    found: list[Number] = []
    at, end = domain.low, min(domain.high, domain.low + SCANNED * domain.unit)
    while at <= end and len(found) < _ENOUGH:
        if answers(at):
            found.append(at)
        at = at + domain.unit
    if len(found) == _ENOUGH and found[-1] - found[0] == (_ENOUGH - 1) * domain.unit:
        return domain
    dividing = divisors(product) if product <= MAX_DIVIDED // 100 else ()
    factors = range(1, 2 if found else _ENOUGH)  # numbers in the formula may have a part in it: 2 * dp
    apart = [d * n * domain.unit for d in dividing for n in factors]
    found = sorted({*found, *(value for value in apart if domain.low <= value <= domain.high and answers(value))})
    step = found[0] if found else 0
    if step and all(step * n > domain.high or answers(step * n) for n in range(2, _ENOUGH)):
        return replace(domain, low=step, high=domain.high // step * step, unit=step)
    return replace(domain, listed=tuple(found))


def first_values(domain: Domain) -> Domain:
    """The first stretch of a domain as a list."""
    count = min(SCANNED, int(Fraction(domain.high - domain.low) / Fraction(domain.unit)) + 1)
    return replace(domain, listed=tuple(domain.low + n * domain.unit for n in range(count)))


def turns(domain: Domain, answer: Callable[[Number], Answer | None]) -> bool:
    """Whether the answer rises somewhere and falls elsewhere: looked at in the first values and around doublings."""
    values: list[Number] = [domain.low + n * domain.unit for n in range(_CLOSE)]
    at = values[-1] * 2
    while at < domain.high and len(values) < 3 * _CLOSE:
        values += [at - domain.unit, at]
        at = at * 2
    answers = [one for one in map(answer, values) if isinstance(one, int | float | Fraction)]
    return any(a < b for a, b in pairwise(answers)) and any(a > b for a, b in pairwise(answers))
