"""Times written with colons: read where they can only mean one thing."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from quizgen.formula.quantity import Number
from quizgen.formula.read_sums import Found
from quizgen.formula.read_token import NUMBER, Token
from quizgen.formula.unit_table import TIME
from quizgen.formula.units import KNOWN_UNITS, Unit


def clock_time(tokens: Sequence[Token], asked: Unit) -> Found | str | None:
    """`1:30:00` where a time is asked; `1:30` could be minutes or hours, and elsewhere a ratio."""
    for at, token in enumerate(tokens[:-2]):
        if token.kind == NUMBER and tokens[at + 1].is_sign(":") and tokens[at + 2].kind == NUMBER:
            parts = [token]
            place = at + 1
            while place + 1 < len(tokens) and tokens[place].is_sign(":") and tokens[place + 1].kind == NUMBER:
                if tokens[place].gap or tokens[place + 1].gap:
                    return None
                parts.append(tokens[place + 1])
                place += 2
            return _worth(parts, asked, len(tokens) == place - at)
    return None


def _worth(parts: Sequence[Token], asked: Unit, alone: bool) -> Found | str:
    written = ":".join(p.text for p in parts)
    if asked.dim.powers != ((TIME, 1),):
        return f'"{written}" could be a ratio or a time: write one number, such as 1/8 or 0.125'
    small = all(p.text.isdigit() and int(p.text) < 60 and len(p.text) == 2 for p in parts[1:])
    if len(parts) != 3 or not small or not parts[0].text.isdigit() or not alone:
        return f'"{written}" could be hours and minutes or minutes and seconds: write 1 h 30 min, or 90 s'
    hours, minutes, seconds = (int(p.text) for p in parts)
    total: Number = hours * 3600 + minutes * 60 + seconds
    return Found(total, KNOWN_UNITS["s"], Fraction(1))
