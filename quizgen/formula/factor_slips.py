"""Factor slips: simple multiples of the key that explain a wrong number, with stable ids and messages to the candidate.

A slip is tried only if it is plausible: bits for bytes if data is requested, a percentage if a plain number is, a
degree if the formula has one. The list is in order of simplicity; the first slip that explains the number within the
item's tolerance is reported."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

from quizgen.formula.unit_table import BINARY_PREFIXES, FLOP, INFORMATION, SI_PREFIXES, TIME
from quizgen.formula.units import Unit

KB_PER_KIB: Final = Fraction(1024, 1000)
MAX_PARALLEL_DEGREE: Final = 10**6
# Counted by formulas of training runs; other formulas get no remark about passes.
TRAINING_RUN_UNITS: Final = ("param", "token", FLOP)


@dataclass(frozen=True, slots=True)
class FactorSlip:
    """A slip: `factor` is response / key, `message` the message to the candidate."""

    id: str
    factor: Fraction
    message: str


@dataclass(frozen=True, slots=True)
class ParallelDegree:
    """An input that counts the parts that share or repeat the work: `K` = 32."""

    name: str
    value: int
    description: str = ""


_PERCENT_SLIPS: Final = (
    FactorSlip("percent-for-fraction", Fraction(100), "That is 100 times too large: a percentage given as a number."),
    FactorSlip("fraction-for-percent", Fraction(1, 100), "That is a hundredth of it: a fraction given as percent."),
)
_BIT_BYTE_SLIPS: Final = tuple(
    FactorSlip("bits-for-bytes", factor, f"That is {size} the answer: bits and bytes are mixed up (1 B = 8 b).")
    for factor, size in ((Fraction(8), "8 times"), (Fraction(1, 8), "an eighth of"))
)
_DECIMAL_PREFIX_SLIPS: Final = tuple(
    FactorSlip(
        name,
        Fraction(10) ** (sign * power),
        f"That is {'1000' if power == 3 else f'10^{power}'} {size}: check the prefix.",
    )
    for power in (3, 6, 9, 12)
    for name, sign, size in (("times-1000", 1, "times too large"), ("over-1000", -1, "times too small"))
)
_TRAINING_RECIPE_SLIPS: Final = (
    FactorSlip("recipe-18-for-16", Fraction(9, 8), "That is right for 18 bytes a parameter; this item uses 16."),
    FactorSlip("recipe-16-for-18", Fraction(8, 9), "That is right for 16 bytes a parameter; this item uses 18."),
)
# Multiples that training explains: of passes, and of the bytes of types.
_BOTH_PASSES: Final = "a forward and a backward pass are 3 times a forward pass"
_RECOMPUTED: Final = "a forward pass that is recomputed adds a third"
_PASS_COUNT_SLIPS: Final = (
    FactorSlip("three-times", Fraction(3), f"That is 3 times the answer: {_BOTH_PASSES}."),
    FactorSlip("one-third", Fraction(1, 3), f"That is a third of the answer: {_BOTH_PASSES}."),
    FactorSlip("four-thirds", Fraction(4, 3), f"That is 4/3 of the answer: {_RECOMPUTED}."),
    FactorSlip("three-quarters", Fraction(3, 4), f"That is 3/4 of the answer: {_RECOMPUTED}."),
)
_BYTES_PER_NUMBER_SLIPS: Final = (
    FactorSlip("four-times", Fraction(4), "That is 4 times the answer: 4 bytes (fp32) where the type takes 1."),
    FactorSlip("one-quarter", Fraction(1, 4), "That is a quarter of the answer: 1 byte where the type takes 4."),
)


@lru_cache(maxsize=256)  # four kilobytes each
def possible_slips(
    unit: Unit, parallel_degrees: tuple[ParallelDegree, ...], training_run_units: frozenset[str] = frozenset()
) -> tuple[FactorSlip, ...]:
    """Every slip that is plausible for an answer in `unit` of a formula with `parallel_degrees`, the simplest first.

    `training_run_units`: the members of TRAINING_RUN_UNITS that the formula counts. With `param` among them, 16 and 18
    bytes of a parameter can be confused; passes are named only with FLOP and another of them; if there are none, a
    multiple is reported without its meaning in training."""
    dim, prefix_power = unit.dim, _power_of_unit_prefix(unit)
    data, plain = bool(dim.power_of(INFORMATION)), dim.is_bare
    passes = _PASS_COUNT_SLIPS if FLOP in training_run_units and len(training_run_units) > 1 else _PLAIN_PASS_SLIPS
    slips = [FactorSlip("wrong-sign", Fraction(-1), "The size is right, the sign is not.")]
    slips += _PERCENT_SLIPS if plain else ()
    if data:
        slips += (*_BIT_BYTE_SLIPS, *_binary_prefix_slips(prefix_power or 3))  # 3: GB and GiB, also without a prefix
    slips += (*_DECIMAL_PREFIX_SLIPS, *_slips_by_two(unit, bool(training_run_units)))
    slips += _parallel_degree_slips(parallel_degrees)
    slips += _BIT_BYTE_SLIPS if dim.power_of(TIME) and not data else ()
    slips += () if plain else passes
    slips += _TRAINING_RECIPE_SLIPS if data and "param" in training_run_units else ()
    if data:
        slips += _BYTES_PER_NUMBER_SLIPS if training_run_units else map(_without_reason, _BYTES_PER_NUMBER_SLIPS)
        # Other prefix powers that may have been mixed up: any if no prefix was requested, otherwise the smaller ones
        # at which a conversion can have stopped (not the first: 2.4 % is within chance).
        slips += _binary_prefix_slips(*(range(prefix_power - 1, 1, -1) if prefix_power else (1, 2, 4)))
    return (*slips, *(passes if plain else ()))


def _parallel_degree_slips(parallel_degrees: tuple[ParallelDegree, ...]) -> Iterator[FactorSlip]:
    """Yields multiplication and division by a degree, then the factor (N-1)/N of a ring left out or applied."""
    for degree in parallel_degrees:
        n, name = degree.value, degree.name
        about = f"{degree.description}: " if degree.description else ""
        yield FactorSlip("times-n", Fraction(n), f"That is {name} = {n} times the answer: {about}one of them is asked.")
        yield FactorSlip(
            "over-n", Fraction(1, n), f"That is the answer over {name} = {n}, which is not divided by here."
        )
    for degree in parallel_degrees:
        n, name = degree.value, degree.name
        if n > 2:
            share = f"({name}-1)/{name} = {n - 1}/{n}"
            yield FactorSlip("without-ring-factor", Fraction(n, n - 1), f"The factor {share} is missing.")
            yield FactorSlip("with-ring-factor", Fraction(n - 1, n), f"The factor {share} does not belong here.")


def _power_of_unit_prefix(unit: Unit) -> int:
    head = unit.symbol.partition("/")[0]
    prefixes = (*enumerate(BINARY_PREFIXES, start=1), *enumerate(SI_PREFIXES, start=1))
    return next((power for power, prefix in prefixes if head.startswith(prefix) and len(head) > len(prefix)), 0)


def _binary_prefix_slips(*powers: int) -> Iterator[FactorSlip]:
    for power in powers:
        si, binary = list(SI_PREFIXES)[power - 1], list(BINARY_PREFIXES)[power - 1]
        what = f"1 {binary}B = 1.024^{power} {si}B = {float(KB_PER_KIB**power):.4g} {si}B"
        yield FactorSlip("gib-for-gb", KB_PER_KIB**power, f"That is {binary}B taken for {si}B: {what}.")
        yield FactorSlip("gb-for-gib", 1 / KB_PER_KIB**power, f"That is {si}B taken for {binary}B: {what}.")


def _without_reason(slip: FactorSlip) -> FactorSlip:
    return replace(slip, message=f"{slip.message.partition(':')[0]}.")


_PLAIN_PASS_SLIPS: Final = tuple(map(_without_reason, _PASS_COUNT_SLIPS))


def _slips_by_two(unit: Unit, is_training: bool) -> tuple[FactorSlip, FactorSlip]:
    doubled, halved = "check what is doubled", "check what should be doubled"
    if unit.dim.power_of(INFORMATION) and is_training:
        doubled = "count one direction, phase or tensor, or check the bytes of a type of half the width"
        halved = "count both directions, phases or tensors, or check the bytes of a wider type"
    elif unit.dim.power_of(FLOP):
        doubled = halved = "a multiply-add is two operations"
    return (
        FactorSlip("twice", Fraction(2), f"That is twice the answer: {doubled}."),
        FactorSlip("half", Fraction(1, 2), f"That is half the answer: {halved}."),
    )
