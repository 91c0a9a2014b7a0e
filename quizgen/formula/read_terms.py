"""One term of a response: a number with its magnitude and unit (`$5.6M`, `13 billion params`, `80G`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from quizgen.formula.read_number import Literal, times_ten
from quizgen.formula.read_token import NUMBER, WORD, Token
from quizgen.formula.read_units import counted_at, factors_at, rate_at, unit_at
from quizgen.formula.read_words import LONG_PREFIXES, MAGNITUDE_LETTERS, MAGNITUDE_WORDS, PROSE, REFUSED_UNITS
from quizgen.formula.unit_fit import LABELS, fits
from quizgen.formula.unit_table import BINARY, CURRENCY, FLOP, INFORMATION, SI, TIME
from quizgen.formula.units import KNOWN_UNITS, Unit

_LATE: Final = ("ish", "or", "so", "in", "full", "whole", "entire", "calendar", "decimal")
_SKIPPED: Final = ("(", "[", "..", "...", ".")
_MONEY: Final = ("$", "usd", "us")


@dataclass(frozen=True, slots=True)
class Term:
    """`literal` with `unit` (None: none was written). `billions`: it reads `13B`, where B could also
    be a thousand million."""

    literal: Literal
    unit: Unit | None
    billions: bool = False
    minutes: bool = False  # the unit was written m
    scaled: bool = False  # a magnitude was written
    flops: bool = False  # the unit was written FLOPS, read as an amount


def term_at(tokens: Sequence[Token], at: int, asked: Unit) -> tuple[Term, int] | None:
    """The term that starts at token `at`, and where it ends; None if none does."""
    money, start = _money_at(tokens, at)
    if start >= len(tokens) or tokens[start].kind != NUMBER:
        return None
    literal = tokens[start].number()
    place = start + 1
    if literal.fault:
        return Term(literal, None), _past(tokens, place, asked)
    literal, place, grown = _magnitude(tokens, place, asked, literal, money)
    if money and start and at and tokens[at - 1].kind == WORD and not tokens[at].gap:  # A$2000
        literal = replace(literal, fault=REFUSED_UNITS["€"])
    if money:
        price, end = factors_at(tokens, place, asked, KNOWN_UNITS["USD"])
        other = unit_at(tokens, end, asked)
        if other is not None and set(_PHYSICAL) & {name for name, _ in other[0].dim.powers}:  # $ 31.7 GB
            literal = replace(literal, fault="it has two units: write the number with one")
        return Term(literal, price, scaled=grown), end
    unit = _unit(tokens, place, asked) or rate_at(tokens, place, asked)
    if unit is None and literal.value < 1 and place < len(tokens):
        article = place + (tokens[place].low == "of")
        if article < len(tokens) and tokens[article].low in ("a", "an"):
            unit = unit_at(tokens, article + 1, asked)  # half an hour, two thirds of a GB
    if unit is None and not grown and place < len(tokens):
        unit = _bare_prefix(tokens[place], asked, place)
    if unit is None:
        led = start and tokens[start - 1].text == "%" and (start == 1 or tokens[start - 2].kind != NUMBER)
        return Term(literal, KNOWN_UNITS["%"] if led else None, scaled=grown), place  # %46,7
    first = tokens[place]
    alone = unit[1] == place + 1
    billions = first.text == "B" and not first.gap and alone
    flops = first.low.endswith("flops") and alone and not unit[0].dim.power(TIME)
    return Term(literal, unit[0], billions, first.text == "m", grown, flops), unit[1]


def _past(tokens: Sequence[Token], at: int, asked: Unit) -> int:
    unit = unit_at(tokens, at, asked)
    return at if unit is None else unit[1]


def _money_at(tokens: Sequence[Token], at: int) -> tuple[bool, int]:
    """Whether `$`, `USD` or `US$` stands at `at`, before a number."""
    end = at
    while end < len(tokens) and end < at + 2 and tokens[end].kind == WORD and tokens[end].low in _MONEY:
        end += 1
    money = end > at and end < len(tokens) and tokens[end].kind == NUMBER and tokens[end - 1].low != "us"
    return (True, end) if money else (False, at)


def _unit(tokens: Sequence[Token], at: int, asked: Unit) -> tuple[Unit, int] | None:
    """The unit at `at`; a hyphen (`16-bit`) and words before a counted thing (`14 H100 GPUs`) may stand between."""
    if at < len(tokens) and tokens[at].is_sign("-") and not tokens[at].gap:
        if at + 1 < len(tokens) and tokens[at + 1].low == "ish":
            return _late_unit(tokens, at + 1, asked)
        glued = at + 1 < len(tokens) and tokens[at + 1].kind == WORD and not tokens[at + 1].gap
        return unit_at(tokens, at + 1, asked) if glued else None
    if at + 1 < len(tokens) and (tokens[at].is_sign("*") or tokens[at].low == "x"):
        counted = unit_at(tokens, at + 1, asked)  # 14x H100, 14 × GPUs
        if counted is not None and counted[0].dim.label:
            return counted
        if at + 2 < len(tokens) and tokens[at + 1].kind == NUMBER:  # 14 x 80 GB GPUs
            size = unit_at(tokens, at + 2, asked)
            counted = None if size is None or asked.dim.power(INFORMATION) else unit_at(tokens, size[1], asked)
            if counted is not None and counted[0].dim.label and fits(counted[0].dim, asked.dim):
                return counted
    found = unit_at(tokens, at, asked) or _late_unit(tokens, at, asked)
    if found is None and at < len(tokens) and tokens[at].kind == WORD and tokens[at].low not in PROSE:
        return counted_at(tokens, at, asked)
    return found


def _late_unit(tokens: Sequence[Token], at: int, asked: Unit) -> tuple[Unit, int] | None:
    """The unit in `32ish GB`, `32 or so GB`, `31.7 (GB)`, `31.7 in GB`."""
    start = at
    while start < min(len(tokens), at + 3) and (tokens[start].low in _LATE or tokens[start].is_sign(*_SKIPPED)):
        start += 1
    found = unit_at(tokens, start, asked) if start > at else None
    if found is None:
        return None
    unit, end = found
    opened = sum(t.is_sign("(", "[") for t in tokens[at:start])
    for _ in range(opened):
        if end >= len(tokens) or not tokens[end].is_sign(")", "]"):
            return None
        end += 1
    return (unit, end) if not unit.dim.label else None


# -- magnitudes -----------------------------------------------------------------------------


def _magnitude(
    tokens: Sequence[Token], at: int, asked: Unit, literal: Literal, money: bool
) -> tuple[Literal, int, bool]:
    """`literal` times the magnitude words or the letter at `at`, and where they end."""
    grown = False
    while at < len(tokens) and tokens[at].kind == WORD and not literal.fault:
        if tokens[at].low in MAGNITUDE_WORDS:
            literal = scaled(literal, MAGNITUDE_WORDS[tokens[at].low])
        elif not grown and tokens[at].low in LONG_PREFIXES and (end := _counted_next(tokens, at + 1, asked)):
            literal = scaled(literal, _PREFIXES[LONG_PREFIXES[tokens[at].low]])  # 4 mega tokens, 8 kibi-tokens
            at = end - 1
        elif not grown and tokens[at].text in MAGNITUDE_LETTERS and _is_magnitude(tokens, at, asked, money):
            literal = scaled(literal, MAGNITUDE_LETTERS[tokens[at].text])
        else:
            break
        at, grown = at + 1, True
    return literal, at, grown


_PREFIXES: Final = {**SI, **BINARY}


def _counted_next(tokens: Sequence[Token], at: int, asked: Unit) -> int:
    """Where a counted thing starts at `at` or behind a hyphen; 0 if none does."""
    at += at < len(tokens) and tokens[at].is_sign("-")
    found = unit_at(tokens, at, asked)
    return at if found is not None and found[0].dim.label else 0


def scaled(literal: Literal, factor: int) -> Literal:
    """`literal` times a magnitude, with its significant places."""
    power = len(str(factor)) - 1
    if factor == 10**power:
        return replace(times_ten(literal, power, literal.text), raised=literal.raised)
    return replace(literal, value=literal.value * factor, step=literal.step * factor, decimal=None)


def _is_magnitude(tokens: Sequence[Token], at: int, asked: Unit, money: bool) -> bool:
    """The letter at `at` multiplies: a counted thing follows, or a count or money is asked."""
    letter = tokens[at]
    if money:
        return True
    if letter.text == "t" and letter.gap and asked.dim.label == "token":
        return False  # 8192 t
    if letter.low == "t" and at + 1 < len(tokens) and (tokens[at + 1].is_sign("/") or tokens[at + 1].low == "per"):
        return False  # 25 t/s: tokens, no trillions
    following = unit_at(tokens, at + 1, asked)
    if following is not None and not (at + 1 < len(tokens) and tokens[at + 1].is_sign("-")):
        dim = following[0].dim
        if dim.label or dim.power(CURRENCY) or any(p > 0 and n not in _PHYSICAL for n, p in dim.powers):
            return True
        if letter.text == "B" and following[0].dim.power(INFORMATION) == 1 and tokens[at + 1].kind == WORD:
            return True  # 31.7B bytes
        if letter.text not in ("B", "b", "m") and not (dim.bare and asked.symbol != "1"):
            return True
    counted = counted_at(tokens, at + 1, asked) if letter.text not in ("m", "b") else None
    if counted is not None and not _names_unit(tokens, at, asked):
        return True
    if asked.dim.power(TIME) > 0 and any(name in LABELS for name, _ in asked.dim.powers):
        return letter.text != "m"  # 30.8M where GPU-hours are asked
    if asked.dim.power(INFORMATION) or asked.dim.power(TIME) > 0 or asked.symbol == "%" or asked.dim.power("energy"):
        return False
    if asked.dim.power(FLOP):
        return letter.text == "B"
    return True


_PHYSICAL: Final = (INFORMATION, FLOP, "energy", CURRENCY, TIME)


def _names_unit(tokens: Sequence[Token], at: int, asked: Unit) -> bool:
    """`B per GPU` where bytes are asked: the letter is a unit itself."""
    return (
        bool(asked.dim.power(INFORMATION))
        and tokens[at].low == "b"
        and not (at + 1 < len(tokens) and tokens[at + 1].kind == WORD and tokens[at + 1].low not in PROSE)
    )


def _bare_prefix(token: Token, asked: Unit, at: int) -> tuple[Unit, int] | None:
    """`80G` where GB (or B) is asked, `405T` where FLOP is: the prefix of the unit that is asked."""
    if token.kind != WORD:
        return None
    base, slash, rest = base_symbol(asked).partition("/")
    prefix = {"K": "k", "g": "G", "t": "T", "KI": "Ki", "ki": "Ki", "gi": "Gi"}.get(token.text, token.text)
    prefix = LONG_PREFIXES.get(token.low, prefix)
    if prefix not in SI and prefix not in BINARY:
        return None
    if base not in ("B", "b", "FLOP", "W", "Wh", "J") or prefix + base not in KNOWN_UNITS:
        return None
    head = KNOWN_UNITS[prefix + base]
    scale = Fraction(asked.factor) / KNOWN_UNITS[asked.symbol.partition("/")[0]].factor
    return Unit(f"{head.symbol}{slash}{rest}", head.factor * scale, asked.dim), at + 1


def base_symbol(unit: Unit) -> str:
    """The symbol of `unit` without the prefix of its first part: B/s for GB/s, s for ms; as it is if it has none."""
    head, slash, rest = unit.symbol.partition("/")
    if head in ("ms", "us", "ns"):
        return "s" + slash + rest
    for prefix in (*BINARY, *SI):
        if head.startswith(prefix) and len(head) > len(prefix) and head in KNOWN_UNITS:
            base = head[len(prefix) :]
            known = KNOWN_UNITS.get(base)
            factor = BINARY.get(prefix, SI.get(prefix, 1))
            if (
                known is not None
                and known.dim == KNOWN_UNITS[head].dim
                and known.factor * factor == KNOWN_UNITS[head].factor
            ):
                return base + slash + rest
    return unit.symbol


def refusal(token: Token) -> str:
    """Why the word after a number is no unit, and what to write; empty if nothing special is known."""
    return REFUSED_UNITS.get(token.low, "")
