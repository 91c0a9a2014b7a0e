"""A candidate's spelling of a unit: `GB`, `gigabytes`, `GB per GPU`, `tok/s`, `PFLOP/s-days`, `TFLOPS`.

Spellings of the unit table are taken as they stand, so Gb is a gigabit and GiB a gibibyte. Beyond
them case is folded only where one meaning is left: `gb` takes bits or bytes from the unit that is
asked for, `GPUS` can only be GPUs. `FLOPS` is a rate where a rate is asked and an amount where an
amount is.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from quizgen.formula.read_spelling import Atom, over, spelt
from quizgen.formula.read_token import NUMBER, SIGN, WORD, Token
from quizgen.formula.read_words import LONG_PREFIXES, PAIRS, UNIT_WORDS
from quizgen.formula.unit_table import FLOP, INFORMATION, PLACES, SI, TIME
from quizgen.formula.units import KNOWN_UNITS, Unit

_PLACES: Final = frozenset(name for name, _, _ in PLACES)
_RATE_WORDS: Final = ("per", "a", "an", "each", "every")
_ADJECTIVES: Final = 3  # how many words may stand between a number and the thing counted


def unit_at(tokens: Sequence[Token], at: int, asked: Unit) -> tuple[Unit, int] | None:
    """The unit that starts at token `at`, and where it ends; None if none does."""
    first = _atom_at(tokens, at, asked)
    if first is None:
        return None
    atom, at = first
    unit, at = _power_at(tokens, at, atom.unit)
    return factors_at(tokens, at, asked, unit, atom.plural_flop)


def factors_at(tokens: Sequence[Token], at: int, asked: Unit, unit: Unit, flops: bool = False) -> tuple[Unit, int]:
    """`unit` with what multiplies or divides it from token `at` on, and where that ends."""
    while True:
        joined = _next_factor(tokens, at, asked, unit)
        if joined is None:
            break
        unit, at, more = joined
        flops = flops or more
    return (_rate_or_amount(unit, asked) if flops or unit.dim.power(TIME) == 1 else unit), at


def _next_factor(tokens: Sequence[Token], at: int, asked: Unit, unit: Unit) -> tuple[Unit, int, bool] | None:
    """`unit` times or per the factor at `at`: `/s`, `per GPU`, `-hours`, ` hours` after GPU."""
    if at >= len(tokens):
        return None
    token = tokens[at]
    divides = token.is_sign("/") or (token.kind == WORD and token.low in _RATE_WORDS)
    multiplies = token.is_sign("-", "*")
    start = at + 1 if divides or multiplies else at
    if token.kind == WORD and token.low in ("a", "an", "each", "every") and not _is_time_next(tokens, start, asked):
        return None
    said = divides and token.kind == WORD
    found = _named_next(tokens, start, asked) if said else _atom_at(tokens, start, asked)
    if found is None and divides and start < len(tokens) and tokens[start].text == "S":  # GB/S
        found = Atom(KNOWN_UNITS["s"]), start + 1
    if found is None or (multiplies and start + 1 < len(tokens) and tokens[start + 1].kind == NUMBER):
        return None  # nothing, or the $ of 500 GPU-h * $2
    if not divides and not multiplies and token.text == "min" and asked.dim.label:
        return None  # 14 GPUs min
    atom, end = found
    factor, end = _power_at(tokens, end, atom.unit)
    if not divides and not multiplies and _is_lost_power(tokens, end, atom.unit):  # GB s-1
        return over(unit, atom.unit), end + 2, atom.plural_flop
    if divides:
        factor, end = _with_time(tokens, end, asked, factor)
        return over(unit, factor), end, atom.plural_flop
    time = factor.dim.powers == ((TIME, 1),)
    if not multiplies and factor.dim == atom.unit.dim**-1:  # GB s^-1
        return over(unit, atom.unit), end, atom.plural_flop
    if multiplies and not token.is_sign("-"):
        return _times(unit, factor, "*"), end, atom.plural_flop
    if multiplies and (time or unit.dim.is_rate):
        return _times(unit, factor, "-"), end, atom.plural_flop
    if not multiplies and time and (unit.dim.label in _PLACES or unit.dim.is_rate or unit.symbol.endswith("W")):
        return _times(unit, factor, "-"), end, atom.plural_flop  # GPU hours, kW h, PFLOP/s days
    return None


def _is_lost_power(tokens: Sequence[Token], at: int, unit: Unit) -> bool:
    """The `-1` of `s-1`, an exponent that lost its mark, at `at`."""
    if at + 1 >= len(tokens) or unit.dim.powers != ((TIME, 1),) or tokens[at].gap or tokens[at + 1].gap:
        return False
    return tokens[at].is_sign("-") and tokens[at + 1].text == "1"


def rate_at(tokens: Sequence[Token], at: int, asked: Unit) -> tuple[Unit, int] | None:
    """`/s`, `per minute` right after a number, where tokens a second are asked: the numerator was left out
    (or is the `t` of `25 t/s`)."""
    head, _, rest = asked.symbol.partition("/")
    at += at + 1 < len(tokens) and head == "token" and tokens[at].text == "t"
    if at >= len(tokens) or not (tokens[at].is_sign("/") or tokens[at].low == "per"):
        return None
    found = _atom_at(tokens, at + 1, asked)
    if not rest or head not in KNOWN_UNITS or rest not in KNOWN_UNITS or found is None:
        return None
    same = found[0].unit.dim == KNOWN_UNITS[rest].dim
    return (over(KNOWN_UNITS[head], found[0].unit), found[1]) if same else None


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
        if tokens[end].kind == WORD and len(tokens[end].text) < 3 and end == at:
            return None  # a letter that is no unit is no adjective either
        found = _atom_at(tokens, end, asked) if tokens[end].kind == WORD else None
        if found is not None:
            counted = found[0].unit.dim.label or found[0].unit.symbol == "FLOP"
            return unit_at(tokens, end, asked) if counted else None
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
    if first.low in LONG_PREFIXES:  # giga bytes, tera-flops
        after = at + 2 if at + 1 < len(tokens) and tokens[at + 1].is_sign("-") else at + 1
        whole = spelt(first.low + tokens[after].text, _letter(asked)) if after < len(tokens) else None
        return None if whole is None else (whole, after + 1)
    atom = spelt(first.text, _letter(asked), _is_time(asked))
    if atom is None:
        return None
    if atom.unit.dim.label == "op" and asked.dim.power(FLOP):  # ops, TOPS
        prefix = atom.unit.symbol.removesuffix("op")
        atom = Atom(KNOWN_UNITS[f"{prefix}FLOP"], plural_flop=bool(prefix)) if prefix in ("", *SI) else atom
    return atom, at + 1


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


def _rate_or_amount(unit: Unit, asked: Unit) -> Unit:
    """FLOPS as FLOP/s where a rate is asked, or where an amount is not."""
    if unit.dim.power(TIME) == 1 and unit.dim.power(FLOP) == 1 and asked.dim.power(FLOP):
        return over(unit, KNOWN_UNITS["s"])  # PF-days
    if unit.dim.power(TIME) < 0 or not unit.dim.power(FLOP):
        return unit
    wanted = asked.dim.power(FLOP)
    if wanted and not asked.dim.power(TIME):
        return unit
    if wanted and asked.dim.power(TIME) < 0:
        return over(unit, KNOWN_UNITS["s"])
    return unit
