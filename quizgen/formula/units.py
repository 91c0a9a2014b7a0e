"""Units: how they are spelt and what one is worth in base units of its dimension."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from quizgen.formula.dimensions import BARE, PLURALS, Dim, dimension
from quizgen.formula.errors import RejectError
from quizgen.formula.unit_table import BINARY, COUNTED, INFORMATION, PLACES, REFUSED, SI, UNITS
from quizgen.source import did_you_mean, shorten

MAX_SPELLING = 64

_SAID: Final = {**PLURALS, "day": "days", "week": "weeks", "year": "years"}


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

    def after(self, number: str) -> str:
        """The symbol as it stands after a number as it is shown: a word takes its plural for all but 1. `1 day`,
        `27.05 days`, `5072 tokens/s`, `2 B/param`."""
        return self.symbol if number in ("1", "-1") else self.plural

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
        dim = dimension(powers)
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


def declare(label: str, plural: str) -> Unit:
    """The unit of a counted thing that a bank names (`units: {row: [rows]}`), known from then on."""
    if label not in KNOWN_UNITS:
        KNOWN_UNITS[label] = Unit(label, 1, Dim(((label, 1),)))
        KNOWN_UNITS.setdefault(plural, KNOWN_UNITS[label])
        _SAID[label] = plural
    return KNOWN_UNITS[label]


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
        dim = dim * value.dim**power if sign > 0 else dim / value.dim**power
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
    raise RejectError("unit", _unknown(name, whole), REFUSED.get(name) or _prefixed(name) or _nearest(name))


def _unknown(name: str, whole: str) -> str:
    part = f' in "{shorten(whole)}"' if name != whole else ""
    return f'unknown unit "{shorten(name)}"{part}'


def _prefixed(name: str) -> str:
    """What to write for a refused spelling behind a prefix: TFLOP/s for TFLOPS, Gb/s for Gbps."""
    prefix, rest = name[:1], name[1:]
    hint = REFUSED.get(rest, "") if prefix in SI and len(rest) > 1 else ""
    for plain in ("FLOP", "b/s", "B/s"):
        hint = hint.replace(f"write {plain}", f"write {prefix}{plain}").replace(f", {plain}", f", {prefix}{plain}")
    return hint


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
