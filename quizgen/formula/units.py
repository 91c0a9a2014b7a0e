"""Dimensions and units: what an amount is of, and what its unit is worth.

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

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from quizgen.formula.errors import RejectError
from quizgen.formula.unit_table import (
    BINARY,
    COUNTED,
    DIMENSION_SYMBOLS,
    DIMENSION_WORDS,
    INFORMATION,
    PHYSICAL,
    PLACES,
    REFUSED,
    SI,
    TIME,
    UNITS,
)
from quizgen.source import did_you_mean, shorten

MAX_SPELLING = 64

_PLURALS: Final = {name: plural for name, plural, _ in (*COUNTED, *PLACES)}
_SAID: Final = {**_PLURALS, "day": "days", "week": "weeks", "year": "years"}
_PLACES: Final = frozenset(name for name, _, _ in PLACES)
_ORDER: Final = {name: i for i, name in enumerate((*PHYSICAL, *_PLURALS))}


@dataclass(frozen=True, slots=True)
class Dim:
    """A dimension: powers of base dimensions and labels, in table order, none of them zero."""

    powers: tuple[tuple[str, Fraction | int], ...] = ()

    def __mul__(self, other: Dim) -> Dim:
        return _combine(self, other, 1)

    def __truediv__(self, other: Dim) -> Dim:
        return _combine(self, other, -1)

    def __pow__(self, exponent: Fraction | int) -> Dim:
        return _dim({name: power * exponent for name, power in self.powers})

    @property
    def bare(self) -> bool:
        """A plain number: no dimension and no label."""
        return not self.powers

    @property
    def label(self) -> str:
        """The label if this is a count of one kind of thing (`param`), else an empty text."""
        if len(self.powers) == 1 and self.powers[0][1] == 1 and self.powers[0][0] in _PLURALS:
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


def _dim(powers: Mapping[str, Fraction | int]) -> Dim:
    kept = [(name, int(p) if p == int(p) else p) for name, p in powers.items() if p]
    return Dim(tuple(sorted(kept, key=lambda pair: _ORDER[pair[0]])))


def _combine(left: Dim, right: Dim, sign: int) -> Dim:
    powers = dict(left.powers)
    for name, power in right.powers:
        powers[name] = powers.get(name, 0) + sign * power
    return _dim(powers)


BARE: Final = Dim()


# -- which dimensions go together -----------------------------------------------------------


def shared(dim: Dim) -> Dim:
    """`dim` without the places that a share or a joint rate may leave out."""
    kept = {
        name: power
        for name, power in dim.powers
        if not (name in _PLACES and (power < 0 or (power > 0 and dim.is_rate)))
    }
    return _dim(kept) if len(kept) != len(dim.powers) else dim


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
    if any(name in _PLURALS for name, _ in plain.powers):
        return plain.label in _PLACES and declared.bare
    extra = (wanted / plain).powers
    return all(name in _PLURALS and power > 0 for name, power in extra)


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


# -- units ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as written (`GB`, `B/param`, `GPU-h`): `factor` base units, of dimension `dim`."""

    symbol: str
    factor: int | Fraction  # an int where it is whole: arithmetic on ints is ten times as fast
    dim: Dim

    def __str__(self) -> str:
        return self.symbol

    def __hash__(self) -> int:
        return hash(self.symbol)  # equal units are spelt alike; hashing the factor too takes ten times as long

    @property
    def plural(self) -> str:
        """The symbol as it stands after a number other than one: `params`, `tokens/s`, but `GB`."""
        over, slash, under = self.symbol.partition("/")
        return _SAID.get(over, over) + slash + under

    @property
    def family(self) -> str:
        """`binary` for KiB, MiB …; `si` for kB, MB …; empty without a prefix."""
        return _FAMILIES.get(self.symbol.partition("/")[0], "")


def _simple(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value


def _build() -> tuple[dict[str, Unit], dict[str, str]]:
    units: dict[str, Unit] = {}
    families: dict[str, str] = {}
    for symbol, over, under, powers, prefixes, others in UNITS:
        dim = _dim(dict(powers))
        factor = _simple(Fraction(over, under))
        unit = Unit(symbol, factor, dim)
        for spelling in (symbol, *others):
            units[spelling] = unit
        long = "bit" if symbol == "b" else ""
        si, *binary = prefixes.split() or [""]
        for family, table, chosen in (("si", SI, list(si)), ("binary", BINARY, binary)):
            for prefix in chosen:
                prefixed = Unit(prefix + symbol, factor * table[prefix], dim)
                units[prefix + symbol] = prefixed
                families[prefix + symbol] = family
                if long:
                    units[prefix + long] = prefixed
    for name, _, others in (*COUNTED, *PLACES):
        unit = Unit(name, 1, Dim(((name, 1),)))
        for spelling in (name, *others):
            units[spelling] = unit
    return units, families


KNOWN_UNITS, _FAMILIES = _build()
ONE: Final = KNOWN_UNITS["1"]


@lru_cache(maxsize=4096)
def parse_unit(text: str) -> Unit:
    """A unit from its spelling: `B/param`, `GPU-h`, `USD/GPU-h`, `FLOP/s`, `Gb/s`, `1/s`, `s**2`, `%`.

    A hyphen is a product that binds tighter than `/`; `*` and `/` go from left to right.
    Raises RejectError (code `unit`) with the nearest known spelling.
    """
    stripped = text.strip()
    if not stripped or len(stripped) > MAX_SPELLING:
        raise RejectError("unit", f'"{shorten(text)}" is no unit', "write a unit such as GB, s, FLOP/s or B/param")
    symbol, factor, dim, sign, at = "", Fraction(1), BARE, 1, 0
    if stripped in KNOWN_UNITS:
        return KNOWN_UNITS[stripped]
    while True:
        end = _term_end(stripped, at)
        name, value, power = _term(stripped[at:end].strip(), stripped)
        symbol += name
        factor = factor * Fraction(value.factor) ** (sign * power)
        dim = _combine(dim, value.dim**power, sign)
        if end == len(stripped):
            return Unit(symbol, _simple(factor), dim)
        symbol += stripped[end]
        sign, at = (-1 if stripped[end] == "/" else 1), end + 1


def _term_end(text: str, start: int) -> int:
    at = start
    while at < len(text):
        if text.startswith("**", at):
            at += 2
        elif text[at] in "*/·":
            return at
        else:
            at += 1
    return at


def _term(text: str, whole: str) -> tuple[str, Unit, int]:
    """One factor of a unit: its canonical spelling, its unit and its exponent."""
    name, _, exponent = text.partition("**" if "**" in text else "^")
    if exponent and not (exponent.strip().isascii() and exponent.strip().isdigit() and len(exponent.strip()) == 1):
        raise RejectError("unit", f'"{shorten(whole)}" has no whole exponent after **', "write s**2")
    power = int(exponent) if exponent else 1
    unit = _product(name.strip(), whole)
    return (f"{unit.symbol}**{power}" if exponent else unit.symbol), unit, power


def _product(name: str, whole: str) -> Unit:
    """A symbol, or symbols joined by hyphens: `GPU-h` is GPU times hour, `micro-batch` one word."""
    found = KNOWN_UNITS.get(name)
    if found is not None:
        return found
    head, hyphen, tail = name.rpartition("-")
    if hyphen and tail in KNOWN_UNITS:
        left, right = _product(head, whole), KNOWN_UNITS[tail]
        return Unit(f"{left.symbol}-{right.symbol}", left.factor * right.factor, left.dim * right.dim)
    raise RejectError("unit", _unknown(name, whole), REFUSED.get(name) or _nearest(name))


def _unknown(name: str, whole: str) -> str:
    part = f' in "{shorten(whole)}"' if name != whole else ""
    return f'unknown unit "{shorten(name)}"{part}'


def _nearest(name: str) -> str:
    if not name:
        return "write a unit on both sides of every / and *"
    same = [f'"{known}"' for known in KNOWN_UNITS if known.lower() == name.lower()]
    if same:
        return f"did you mean {' or '.join(same)}?"
    return did_you_mean(name, KNOWN_UNITS) or "write a unit such as GB, s, FLOP/s or B/param"


def natural_unit(dim: Dim) -> Unit:
    """The plainest unit of a dimension: B, s, FLOP/s, B/param, W, GPU-h."""
    usual = next((unit for unit in map(parse_unit, ("W", "GPU-h")) if unit.dim == dim), None)
    if usual is not None:
        return usual
    scale = Fraction(8) ** int(dim.power(INFORMATION)) if dim.power(INFORMATION) else Fraction(1)
    return Unit(str(dim), _simple(scale), dim)
