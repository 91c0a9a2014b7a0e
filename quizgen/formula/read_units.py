"""A candidate's spelling of a unit: `GB`, `gigabytes`, `GB per GPU`, `tok/s`, `PFLOP/s-days`, `TFLOPS`.

Spellings of the unit table are taken as they stand, so Gb is a gigabit and GiB a gibibyte. Beyond
them case is folded only where one meaning is left: `gb` takes bits or bytes from the unit that is
asked for, `GPUS` can only be GPUs. `FLOPS` is a rate where a rate is asked and an amount where an
amount is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from quizgen.formula.read_tokens import NUMBER, SIGN, WORD, Token
from quizgen.formula.read_words import BIT_WORDS, BYTE_WORDS, FLOP_WORDS, GPU_MODELS, LONG_PREFIXES, PAIRS, UNIT_WORDS
from quizgen.formula.unit_table import BINARY, FLOP, INFORMATION, PLACES, SI, TIME
from quizgen.formula.units import KNOWN_UNITS, ONE, Unit

_PLACES: Final = frozenset(name for name, _, _ in PLACES)
_RATE_WORDS: Final = ("per", "a", "an", "each", "every")
_ADJECTIVES: Final = 3  # how many words may stand between a number and the thing counted


@dataclass(frozen=True, slots=True)
class Atom:
    """One unit without products; `plural_flop` if it was written FLOPS, which may be a rate."""

    unit: Unit
    plural_flop: bool = False


def unit_at(tokens: Sequence[Token], at: int, asked: Unit) -> tuple[Unit, int] | None:
    """The unit that starts at token `at`, and where it ends; None if none does."""
    first = _atom_at(tokens, at, asked)
    if first is None:
        return None
    atom, at = first
    unit, at = _power_at(tokens, at, atom.unit)
    return factors_at(tokens, at, asked, unit, atom.plural_flop)


def factors_at(
    tokens: Sequence[Token], at: int, asked: Unit, unit: Unit, flops: bool = False
) -> tuple[Unit, int]:
    """`unit` with what multiplies or divides it from token `at` on, and where that ends."""
    while True:
        joined = _next_factor(tokens, at, asked, unit)
        if joined is None:
            break
        unit, at, more = joined
        flops = flops or more
    return (_rate_or_amount(unit, asked) if flops else unit), at


def _next_factor(tokens: Sequence[Token], at: int, asked: Unit, unit: Unit) -> tuple[Unit, int, bool] | None:
    """`unit` times or per the factor at `at`: `/s`, `per GPU`, `-hours`, ` hours` after GPU."""
    if at >= len(tokens):
        return None
    token = tokens[at]
    divides = token.is_sign("/") or (token.kind == WORD and token.low in _RATE_WORDS)
    multiplies = token.is_sign("-", "*")
    start = at + 1 if divides or multiplies else at
    if (
        token.kind == WORD
        and token.low in ("a", "an", "each", "every")
        and not _is_time_next(tokens, start, asked)
    ):
        return None
    said = divides and token.kind == WORD
    found = _named_next(tokens, start, asked) if said else _atom_at(tokens, start, asked)
    if found is None:
        return None
    atom, end = found
    factor, end = _power_at(tokens, end, atom.unit)
    if divides:
        factor, end = _with_time(tokens, end, asked, factor)
        return _over(unit, factor), end, atom.plural_flop
    time = factor.dim.powers == ((TIME, 1),)
    if multiplies and not token.is_sign("-"):
        return _times(unit, factor, "*"), end, atom.plural_flop
    if multiplies and (time or unit.dim.is_rate):
        return _times(unit, factor, "-"), end, atom.plural_flop
    if (
        not multiplies
        and time
        and (unit.dim.label in _PLACES or unit.dim.is_rate or unit.symbol.endswith("W"))
    ):
        return _times(unit, factor, "-"), end, atom.plural_flop  # GPU hours, kW h, PFLOP/s days
    return None


def _with_time(tokens: Sequence[Token], at: int, asked: Unit, factor: Unit) -> tuple[Unit, int]:
    """`GPU-h` and `GPU hour` below a slash: a place and a time belong together."""
    start = at + 1 if at < len(tokens) and tokens[at].is_sign("-", "*") else at
    found = _atom_at(tokens, start, asked) if factor.dim.label in _PLACES else None
    if found is None or found[0].unit.dim.powers != ((TIME, 1),):
        return factor, at
    return _times(factor, found[0].unit, "-"), found[1]


def _is_time_next(tokens: Sequence[Token], at: int, asked: Unit) -> bool:
    found = _atom_at(tokens, at, asked)
    return found is not None and (found[0].unit.dim.powers == ((TIME, 1),) or bool(found[0].unit.dim.label))


def _named_next(tokens: Sequence[Token], at: int, asked: Unit) -> tuple[Atom, int] | None:
    """The unit after `per`, behind up to two words that are none (`per data-parallel rank`)."""
    for skipped in range(at, min(at + 2 * _ADJECTIVES, len(tokens))):
        if tokens[skipped].kind != WORD and not tokens[skipped].is_sign("-"):
            return None
        found = _atom_at(tokens, skipped, asked)
        if found is not None and (skipped == at or found[0].unit.dim.label):
            return found
    return None


def counted_at(tokens: Sequence[Token], at: int, asked: Unit) -> tuple[Unit, int] | None:
    """A counted thing behind words that are no unit: `H100 GPUs`, `data-parallel ranks`."""
    end = at
    while end < len(tokens) and end < at + 2 * _ADJECTIVES:
        if tokens[end].kind == NUMBER or (tokens[end].kind == SIGN and not tokens[end].is_sign("-")):
            return None
        found = _atom_at(tokens, end, asked) if tokens[end].kind == WORD else None
        if found is not None:
            label = found[0].unit.dim.label
            return unit_at(tokens, end, asked) if label else None
        end += 1
    return None


def _power_at(tokens: Sequence[Token], at: int, unit: Unit) -> tuple[Unit, int]:
    """`s^-1`: a whole power of one unit."""
    if at + 1 >= len(tokens) or not tokens[at].is_sign("**"):
        return unit, at
    negative = tokens[at + 1].is_sign("-")
    digit = at + 1 + negative
    if digit >= len(tokens) or tokens[digit].text not in ("1", "2", "3"):
        return unit, at
    power = int(tokens[digit].text) * (-1 if negative else 1)
    return Unit(f"{unit.symbol}**{power}", Fraction(unit.factor**power), unit.dim**power), digit + 1


def _over(unit: Unit, other: Unit) -> Unit:
    return Unit(f"{unit.symbol}/{other.symbol}", Fraction(unit.factor) / other.factor, unit.dim / other.dim)


def _times(unit: Unit, other: Unit, sign: str) -> Unit:
    mark = "*" if "/" in unit.symbol else sign
    return Unit(f"{unit.symbol}{mark}{other.symbol}", Fraction(unit.factor) * other.factor, unit.dim * other.dim)


# -- one unit -------------------------------------------------------------------------------


def _atom_at(tokens: Sequence[Token], at: int, asked: Unit) -> tuple[Atom, int] | None:
    if at >= len(tokens) or tokens[at].kind != WORD:
        return None
    first = tokens[at]
    for gap in (1, 2):  # `micro batches`, `micro-batches`
        if at + gap < len(tokens) and (gap == 1 or tokens[at + 1].is_sign("-")):
            pair = PAIRS.get((first.low, tokens[at + gap].low))
            if pair is not None and tokens[at + gap].kind == WORD:
                return Atom(KNOWN_UNITS[pair]), at + gap + 1
    if first.low == "watt" or first.low in ("kilowatt", "megawatt", "kw", "mw"):
        hours = _watt_hours(tokens, at)
        if hours is not None:
            return hours
    atom = spelt(first.text, _letter(asked), _is_time(asked))
    return None if atom is None else (atom, at + 1)


def _watt_hours(tokens: Sequence[Token], at: int) -> tuple[Atom, int] | None:
    """`kilowatt-hours`, `kW h`."""
    after = at + 2 if at + 1 < len(tokens) and tokens[at + 1].is_sign("-", "*") else at + 1
    if after >= len(tokens) or UNIT_WORDS.get(tokens[after].low) != "h" or tokens[after].kind != WORD:
        return None
    prefix = {"w": "", "k": "k", "m": "M"}[tokens[at].low[0]]
    return Atom(KNOWN_UNITS[prefix + "Wh"]), after + 1


def _letter(asked: Unit) -> str:
    """`b` where bits are asked, `B` everywhere else."""
    head = asked.symbol.partition("/")[0]
    return "b" if asked.dim.power(INFORMATION) and head.endswith(("b", "bit")) else "B"


def _is_time(asked: Unit) -> bool:
    return asked.dim.powers == ((TIME, 1),)


@lru_cache(maxsize=4096)
def spelt(text: str, letter: str, time: bool = False) -> Atom | None:
    """The unit that `text` spells where `letter` (b or B) is what an ambiguous `gb` means."""
    low = text.casefold()
    if text in KNOWN_UNITS and text not in ("1", "lr", "kb"):
        return Atom(KNOWN_UNITS[text])
    if text in ("Ms", "MS", "mS", "M", "m"):  # milliseconds, megaseconds or minutes: not for us to say
        return Atom(KNOWN_UNITS["min"]) if text == "m" and time else None
    data = _data_unit(text, low, letter)
    if data is not None:
        return Atom(data)
    flop = _flop(text, low)
    if flop is not None:
        return flop
    if len(text) == 1 and text != low and not time and text != "X":
        return None  # 3D is no three days
    if low.removesuffix("s") in GPU_MODELS:
        return Atom(KNOWN_UNITS["GPU"])
    if low in UNIT_WORDS and low != "mb":
        return Atom(ONE if UNIT_WORDS[low] == "1" else KNOWN_UNITS[UNIT_WORDS[low]])
    if low == "ks" and text == "ks":
        return Atom(Unit("ks", Fraction(1000), KNOWN_UNITS["s"].dim))
    if low == "permille":
        return Atom(Unit("permille", Fraction(1, 1000), ONE.dim))
    for known, unit in KNOWN_UNITS.items():
        if known.lower() == low and (unit.dim.label or unit.dim.power("energy")) and known != "lr":
            return Atom(unit)
    return Atom(KNOWN_UNITS["lr"]) if text == "lr" else None


def _data_unit(text: str, low: str, letter: str) -> Unit | None:
    """Bytes and bits in words and letters: kilobytes, Gbit, GByte, gb, KB, GBps, Gbps."""
    rate = low.endswith("ps") and len(low) > 2
    body, low = (text[:-2], low[:-2]) if rate else (text, low)
    for words, symbol in ((BYTE_WORDS, "B"), (BIT_WORDS, "b")):
        for word in words:
            if low.endswith(word):
                prefix = _prefix(low[: -len(word)])
                return None if prefix is None else _rated(prefix + symbol, rate)
    if low.endswith("s") and not rate and len(low) > 2 and body[-2] in "Bb":  # 31.7 GBs
        body, low = body[:-1], low[:-1]
    if not low.endswith("b") or body[-1:] not in ("b", "B"):
        return None
    known = _prefix(low[:-1])
    if known is None or (not known and not rate):
        return None
    symbol = body[-1]
    if body == low and not (rate and len(body) > 1):  # all lower case: gb, mib
        symbol = letter if known or rate else "b"
    if rate and body == low:
        symbol = "b"  # gbps, mbps, bps: how line rates are written
    return _rated(known + symbol, rate)


def _rated(name: str, rate: bool) -> Unit | None:
    unit = KNOWN_UNITS.get(name)
    if unit is None:
        return None
    return _over(unit, KNOWN_UNITS["s"]) if rate else unit


def _prefix(low: str) -> str | None:
    """The prefix that a folded spelling stands for: `giga`, `g`, `gi`, `k`; None if it is none."""
    if not low:
        return ""
    if low in LONG_PREFIXES:
        return LONG_PREFIXES[low]
    if low == "k":
        return "k"
    for table in (SI, BINARY):
        for prefix in table:
            if prefix.lower() == low:
                return prefix
    return None


def _flop(text: str, low: str) -> Atom | None:
    rate = low.endswith("flopps")
    for word in FLOP_WORDS:
        if low.endswith(word):
            prefix = _prefix(low[: -len(word)])
            unit = KNOWN_UNITS.get(f"{prefix}FLOP") if prefix is not None else None
            if unit is None:
                return None
            return Atom(unit, plural_flop=word != "flop")
    if rate or (low.endswith("f") and len(text) == 2 and text[0] in "TPE" and text[1] == "F"):
        unit = KNOWN_UNITS.get(f"{text[0]}FLOP")
        return None if unit is None else Atom(unit, plural_flop=True)
    return None


def _rate_or_amount(unit: Unit, asked: Unit) -> Unit:
    """FLOPS as FLOP/s where a rate is asked, or where an amount is not."""
    if unit.dim.power(TIME) < 0 or not unit.dim.power(FLOP):
        return unit
    wanted = asked.dim.power(FLOP)
    if wanted and not asked.dim.power(TIME):
        return unit
    if wanted and asked.dim.power(TIME) < 0:
        return _over(unit, KNOWN_UNITS["s"])
    return unit
