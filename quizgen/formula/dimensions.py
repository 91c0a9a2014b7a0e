"""Dimensions: what an amount is of, and which amounts go together.

Information, time, work, energy and money are dimensions; so is every label of a count. Four rules
keep counts convenient without letting a mistake through:

* `B/param * param` is B, and `param + token` is an error.
* A bare number may become a count: `12 * l * h**2` with bare l and h may be declared `param`, and
  `n - 1` is a count where n is one. A count never becomes another count, nor an amount of data:
  `2 * N` parameters are not bytes.
* A place that shares work (GPU, rank, node …) may be left out of a share (`B/GPU` as B) and of a
  joint rate (`GPU*FLOP/s` as FLOP/s), and a number of places may be printed as a bare number.
* `GPU-h` is GPU times hour, so hours are not GPU-hours, except that an unlabelled time may be
  declared as GPU-h where the number of GPUs was given bare.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from quizgen.formula.unit_table import COUNTED, DIMENSION_SYMBOLS, DIMENSION_WORDS, PHYSICAL, PLACES, TIME

PLURALS: Final = {name: plural for name, plural, _ in (*COUNTED, *PLACES)}
_PLACES: Final = frozenset(name for name, _, _ in PLACES)
_ORDER: Final = {name: i for i, name in enumerate((*PHYSICAL, *PLURALS))}  # what a bank declares comes last


@dataclass(frozen=True, slots=True)
class Dim:
    """A dimension: powers of base dimensions and labels, in table order, none of them zero."""

    powers: tuple[tuple[str, Fraction | int], ...] = ()

    def __mul__(self, other: Dim) -> Dim:
        return _combine(self, other, 1)

    def __truediv__(self, other: Dim) -> Dim:
        return _combine(self, other, -1)

    def __pow__(self, exponent: Fraction | int) -> Dim:
        return dimension((name, power * exponent) for name, power in self.powers)

    @property
    def bare(self) -> bool:
        """A plain number: no dimension and no label."""
        return not self.powers

    @property
    def label(self) -> str:
        """The label if this is a count of one kind of thing (`param`), else an empty text."""
        if len(self.powers) == 1 and self.powers[0][1] == 1 and self.powers[0][0] not in PHYSICAL:
            return self.powers[0][0]
        return ""

    @property
    def is_rate(self) -> bool:
        return any(name == TIME and power < 0 for name, power in self.powers)

    def power(self, name: str) -> Fraction | int:
        return next((p for n, p in self.powers if n == name), 0)

    def __str__(self) -> str:
        """`B/param`, `GPU*s`, `1`: for messages."""
        over = [_power(n, p) for n, p in self.powers if p > 0]
        under = [_power(n, -p) for n, p in self.powers if p < 0]
        return "/".join(["*".join(over) or "1", *under])


def _power(name: str, power: Fraction | int) -> str:
    symbol = DIMENSION_SYMBOLS.get(name, name)
    return symbol if power == 1 else f"{symbol}**{power}" if power == int(power) else f"{symbol}**({power})"


def dimension(powers: Iterable[tuple[str, Fraction | int]]) -> Dim:
    """The dimension of these powers, each base once, in any order; zeros drop out."""
    kept = [(name, int(p) if p == int(p) else p) for name, p in powers if p]
    return Dim(tuple(sorted(kept, key=lambda pair: (_ORDER.get(pair[0], len(_ORDER)), pair[0]))))


def _combine(left: Dim, right: Dim, sign: int) -> Dim:
    powers = dict(left.powers)
    for name, power in right.powers:
        powers[name] = powers.get(name, 0) + sign * power
    return dimension(powers.items())


BARE: Final = Dim()


def shared(dim: Dim) -> Dim:
    """`dim` without the places that a share or a joint rate may leave out."""
    kept = {
        name: power
        for name, power in dim.powers
        if not (name in _PLACES and (power < 0 or (power > 0 and dim.is_rate)))
    }
    return dimension(kept.items()) if len(kept) != len(dim.powers) else dim


def join(left: Dim, right: Dim) -> Dim | None:
    """The dimension of a sum, a minimum or a comparison of two amounts, or None if they differ in kind."""
    if left == right:
        return left
    left, right = shared(left), shared(right)
    if left == right:
        return left
    if left.bare and right.label:
        return right
    if right.bare and left.label:
        return left
    return None


def assignable(computed: Dim, declared: Dim) -> bool:
    """An amount of dimension `computed` may be given in a unit of dimension `declared`."""
    if computed == declared:
        return True
    plain, wanted = shared(computed), shared(declared)
    if plain == wanted:
        return True
    if any(name not in PHYSICAL for name, _ in plain.powers):
        return plain.label in _PLACES and declared.bare
    extra = (wanted / plain).powers
    return all(name not in PHYSICAL and power > 0 for name, power in extra)


def kind_of(dim: Dim) -> str:
    """What an amount of this dimension is, in words: `a time`, `a count of param`, `a rate (B/s)`."""
    if dim.bare:
        return "a bare number"
    if dim.label:
        return f"a count of {dim.label}"
    if len(dim.powers) == 1 and dim.powers[0][1] == 1:
        return f"{DIMENSION_WORDS[dim.powers[0][0]]} ({dim})"
    if any(power < 0 for _, power in dim.powers) and any(power > 0 for _, power in dim.powers):
        return f"a rate ({dim})"
    return str(dim)
