"""Factor slips: simple multiples of the key that explain a wrong number, with stable ids and messages to the candidate.

A slip is tried only if it is plausible: bits for bytes if data is requested, a percentage if a plain number is, a
degree if the formula has one. The list is in order of simplicity; the first slip that explains the number within the
item's tolerance is reported."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from quizgen.formula.unit_table import BINARY_PREFIXES, CURRENCY, FLOP, INFORMATION, SI_PREFIXES, TIME
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


# id -> meaning, for the documentation, in the order of trial
SLIP_DESCRIPTIONS: Final = {
    "wrong-sign": "the key with the other sign",
    "percent-for-fraction": "100 times the key, where a fraction or percentage is asked",
    "fraction-for-percent": "a hundredth of the key, where a fraction or percentage is asked",
    "bits-for-bytes": "8 times or an eighth of the key: bits and bytes mixed up",
    "gib-for-gb": "1.024, 1.024^2, 1.024^3 … times the key: a binary prefix where the decimal one is right",
    "gb-for-gib": "the key over a power of 1.024: a decimal prefix where the binary one is right",
    "times-1000": "10^3, 10^6, 10^9 or 10^12 times the key: one or more prefixes too large",
    "over-1000": "the key over 10^3, 10^6, 10^9 or 10^12: one or more prefixes too small",
    "twice": "2 times the key: both directions, both phases, K and V, fp32 for bf16",
    "half": "half the key: one direction, one phase, K without V, bf16 for fp32",
    "times-n": "the key times one of the degrees: all together instead of each",
    "over-n": "the key over one of the degrees: a share of what every rank stores or sends",
    "without-ring-factor": "N/(N-1) times the key: the factor (N-1)/N was left out",
    "with-ring-factor": "(N-1)/N of the key: the factor was applied where it does not belong",
    "three-times": "3 times the key: forward and backward where one pass is asked",
    "one-third": "a third of the key: forward only, where the backward pass costs twice as much again",
    "four-thirds": "4/3 of the key: a recomputed forward pass counted in",
    "three-quarters": "3/4 of the key: a recomputed forward pass left out",
    "recipe-18-for-16": "18/16 of the key: fp32 gradients (18 bytes a parameter) where the item has 16",
    "recipe-16-for-18": "16/18 of the key: 16 bytes a parameter where the item has 18",
    "four-times": "4 times the key: fp32 (4 bytes) for a type of 1 byte, where data is asked",
    "one-quarter": "a quarter of the key: a type of 1 byte for fp32, where data is asked",
}


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
# Passes, and bytes of types: id, factor, the size in words, and a fact of training that may explain it.
_PASS_COUNT_SLIP_ROWS: Final = (
    ("three-times", Fraction(3), "3 times the answer", "a forward and a backward pass are 3 times a forward pass"),
    ("one-third", Fraction(1, 3), "a third of the answer", "a forward and a backward pass are 3 times a forward pass"),
    ("four-thirds", Fraction(4, 3), "4/3 of the answer", "a forward pass that is recomputed adds a third"),
    ("three-quarters", Fraction(3, 4), "3/4 of the answer", "a forward pass that is recomputed adds a third"),
)
_BYTES_PER_NUMBER_SLIP_ROWS: Final = (
    ("four-times", Fraction(4), "4 times the answer", "4 bytes (fp32) where the type takes 1"),
    ("one-quarter", Fraction(1, 4), "a quarter of the answer", "1 byte where the type takes 4"),
)


@lru_cache(maxsize=256)  # four kilobytes each
def possible_slips(
    unit: Unit, parallel_degrees: tuple[ParallelDegree, ...], training_run_units: frozenset[str] = frozenset()
) -> tuple[FactorSlip, ...]:
    """Every slip that is plausible for an answer in `unit` of a formula with `parallel_degrees`, the simplest first.

    `training_run_units`: the members of TRAINING_RUN_UNITS that the formula counts. With `param` among them, 16 and 18
    bytes of a parameter can be confused; passes are named only with FLOP and another of them; if there are none, a
    multiple is reported without its meaning in training."""
    return tuple(_iterate_possible_slips(unit, parallel_degrees, training_run_units))


def _iterate_possible_slips(
    unit: Unit, parallel_degrees: tuple[ParallelDegree, ...], training_run_units: frozenset[str]
) -> Iterator[FactorSlip]:
    """Yields the slips of `possible_slips` in their order."""
    dim, training = unit.dim, bool(training_run_units)
    computing = FLOP in training_run_units and len(training_run_units) > 1  # a model's FLOPs; others know no passes
    data, plain = bool(dim.power_of(INFORMATION)), dim.is_bare
    yield FactorSlip("wrong-sign", Fraction(-1), "The size is right, the sign is not.")
    yield from _PERCENT_SLIPS if plain else ()
    if data:
        yield from _BIT_BYTE_SLIPS
        # 3: GB and GiB, also tried without a prefix
        yield from _binary_prefix_slips((_power_of_unit_prefix(unit) or 3,))
    yield from _DECIMAL_PREFIX_SLIPS
    doubled, halved = _reasons_for_factor_two(unit, training)
    yield FactorSlip("twice", Fraction(2), f"That is twice the answer: {doubled}")
    yield FactorSlip("half", Fraction(1, 2), f"That is half the answer: {halved}")
    yield from _parallel_degree_slips(parallel_degrees)
    yield from _BIT_BYTE_SLIPS if dim.power_of(TIME) and not data else ()
    yield from () if plain else _slips_from_rows(_PASS_COUNT_SLIP_ROWS, computing)
    yield from _TRAINING_RECIPE_SLIPS if data and "param" in training_run_units else ()
    if data:
        yield from _slips_from_rows(_BYTES_PER_NUMBER_SLIP_ROWS, training)
        # Other prefix powers that may have been mixed up: any if no prefix was requested, otherwise the smaller ones
        # at which a conversion can have stopped (not the first: 2.4 % is within chance).
        power = _power_of_unit_prefix(unit)
        yield from _binary_prefix_slips(tuple(range(power - 1, 1, -1)) if power else (1, 2, 4))
    yield from _slips_from_rows(_PASS_COUNT_SLIP_ROWS, computing) if plain else ()


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


def _binary_prefix_slips(powers: tuple[int, ...]) -> Iterator[FactorSlip]:
    for power in powers:
        si, binary = list(SI_PREFIXES)[power - 1], list(BINARY_PREFIXES)[power - 1]
        what = f"1 {binary}B = 1.024^{power} {si}B = {float(KB_PER_KIB**power):.4g} {si}B"
        yield FactorSlip("gib-for-gb", KB_PER_KIB**power, f"That is {binary}B taken for {si}B: {what}.")
        yield FactorSlip("gb-for-gib", 1 / KB_PER_KIB**power, f"That is {si}B taken for {binary}B: {what}.")


def _slips_from_rows(rows: tuple[tuple[str, Fraction, str, str], ...], is_training: bool) -> Iterator[FactorSlip]:
    """Yields slips of the rows' factors, with the reason if `is_training`."""
    for name, factor, size, why in rows:
        yield FactorSlip(name, factor, f"That is {size}: {why}." if is_training else f"That is {size}.")


def _reasons_for_factor_two(unit: Unit, is_training: bool) -> tuple[str, str]:
    """What to check if an answer in `unit` is twice the key, and if it is half of it."""
    dim = unit.dim
    if dim.power_of(INFORMATION) and is_training:
        one = "count one direction, phase or tensor, or check the bytes of a type of half the width."
        return one, "count both directions, phases or tensors, or check the bytes of a wider type."
    if dim.power_of(FLOP):
        return "a multiply-add is two operations.", "a multiply-add is two operations."
    if dim.power_of(CURRENCY) or dim.label:
        return "something is counted twice.", "something is counted only once."
    return "check what is doubled.", "check what should be doubled."
