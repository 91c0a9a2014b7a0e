"""Reading what a candidate wrote as an answer: exactly, or not at all and with a reason.

`read` never looks at a key. What it cannot decide without one it leaves open in `Reading.others`
where the item's contract allows both (`0.467` where % is asked), and refuses where it does not
(`1,234`). It never raises, whatever the text, and takes time linear in its length.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Literal

from quizgen.formula.quantity import Number, in_unit, tidy
from quizgen.formula.read_fold import fold
from quizgen.formula.read_number import MAX_POWER
from quizgen.formula.read_phrase import phrase_result
from quizgen.formula.read_show import show_number, show_quantity
from quizgen.formula.read_sums import Found
from quizgen.formula.read_terms import base_symbol
from quizgen.formula.read_tokens import NUMBER, SIGN, WORD, tokens
from quizgen.formula.read_words import IMPOSSIBLE, IMPOSSIBLE_IF_ASKED, NO, NOT_FINITE, UNBOUNDED, YES
from quizgen.formula.unit_table import SI
from quizgen.formula.units import KNOWN_UNITS, ONE, Unit, parse_unit

MAX_LENGTH: Final = 300

Shape = Literal["number", "truth", "tuple", "word"]
Value = Number | bool | str | tuple[Number, ...]

_MATHS = re.compile(r"^\s*\$([^$]*\d[^$]*)\$")  # $3.17 \cdot 10^{10}$ is no money


@dataclass(frozen=True, slots=True)
class Asked:
    """What an item asks for, as far as its stem tells a candidate.

    `unit` is the unit a bare number takes; `words` are the answers of an enum; `names` those of a
    tuple's parts, in order; `whole` says that no fraction makes sense.
    """

    unit: Unit = ONE
    shape: Shape = "number"
    words: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    length: int = 0
    whole: bool = False
    impossible: bool = False
    unbounded: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """`value` in `unit`, as it was read. A word (`impossible`, `unbounded`, an enum's) is a str.

    `step` is the worth, in `unit`, of the last significant place that was written (None: exact or
    calculated). `bare`: no unit was written. `others` are readings that are as good.
    """

    value: Value
    unit: Unit
    read_as: str
    step: Fraction | None = None
    bare: bool = False
    others: tuple[Reading, ...] = ()

    @property
    def base(self) -> Number:
        """The amount in base units; only for a number."""
        assert not isinstance(self.value, str | tuple)
        return tidy(self.value * self.unit.factor)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """`reason` says what was wrong and how to write it."""

    reason: str


@dataclass(frozen=True, slots=True)
class Blank:
    """Nothing was given."""


def read(text: str, asked: Asked | Unit = ONE) -> Reading | Unreadable | Blank:
    """What `text` says, where `asked` is asked for (a bare Unit: a number in it)."""
    if isinstance(asked, Unit):
        asked = Asked(asked)
    if len(text) > MAX_LENGTH:
        return Unreadable(f"more than {MAX_LENGTH} characters: write only the answer, {_how(asked)}")
    if any(unicodedata.category(c) in ("Cc", "Cs") and c not in "\t\n\r\v\f" for c in text):
        return Unreadable(f"it holds control characters: write only the answer, {_how(asked)}")
    folded = fold(_MATHS.sub(r"\1 ", text)).text.strip()
    if not folded or folded == ".":
        return Blank()
    said = _bare_words(folded)
    special = _special(said, asked)
    if special is not None:
        return special
    if asked.shape == "truth":
        return _truth(said, asked)
    if asked.shape == "word":
        return _word(folded, asked)
    if asked.shape == "tuple":
        return _tuple(folded, asked)
    result = phrase_result(tokens(folded), asked.unit, asked.whole)
    if isinstance(result, str):
        return Unreadable(f"{result}, {_how(asked)}")
    return reading(result, asked.unit)


def _how(asked: Asked) -> str:
    """How to write an answer, with an example that gives nothing away."""
    if asked.shape == "truth":
        return "such as yes or no"
    if asked.shape == "word":
        return f"one of {', '.join(asked.words)}"
    if asked.shape == "tuple":
        return f"such as ({', '.join(str(i) for i in range(asked.length or 3))})"
    if asked.unit is ONE:
        return "such as 12.5"
    if asked.unit.dim.label:
        return f"such as 12 {asked.unit.plural}"
    return f"such as 12.5{'' if asked.unit.symbol == '%' else ' '}{asked.unit.plural}"


# -- numbers --------------------------------------------------------------------------------


def reading(found: Found, asked: Unit) -> Reading | Unreadable:
    """A number that was found, in its unit or in the one that is asked."""
    if found.value and not Fraction(1, 10**MAX_POWER) <= abs(Fraction(found.value)) < 10**MAX_POWER:
        return Unreadable("the number is too far from 1: write one that can be meant, such as 3.17e10")
    if found.unit is not None and not (found.unit is ONE and found.unit is not asked and asked.symbol == "%"):
        plain = found.unit is ONE and not asked.dim.bare
        shown = f"{show_number(found.value)}x" if plain else show_quantity(tidy(found.value), found.unit)
        return Reading(tidy(found.value), found.unit, shown, found.step)
    choices = [_bare(found, unit, asked) for unit in _units_of_bare(found, asked)]
    return replace(choices[0], others=tuple(choices[1:]))


def _bare(found: Found, unit: Unit, asked: Unit) -> Reading:
    """A bare number taken to be in `unit`, shown in the unit that is asked."""
    value = in_unit(found.value * unit.factor, asked)
    step = None if found.step is None else found.step * unit.factor / asked.factor
    return Reading(value, asked, show_quantity(value, asked), step, bare=True)


def _units_of_bare(found: Found, asked: Unit) -> tuple[Unit, ...]:
    """The units a bare number may be in, likeliest first.

    It takes the unit that is asked. Beside it, a number up to 1 where % is asked may be a fraction,
    and 3.17e10 or 13e9*2 where GB is asked is in bytes, for nobody writes 3.17e10 for 31.7 GB
    and means exabytes.
    """
    size = abs(Fraction(found.value))
    if asked.symbol == "%":
        if size > 1:
            return (asked,)
        return (ONE, asked) if found.calculated else (asked, ONE)
    base = parse_unit(base_symbol(asked))
    prefix = Fraction(asked.factor) / base.factor
    if not found.value:
        return (asked,)
    if prefix >= SI["M"]:
        enough = prefix / 1000 if found.raised or found.calculated else prefix
        return (base, asked) if size >= enough else (asked,)
    if prefix < 1 and (found.raised or found.calculated) and size <= 1:
        return asked, base
    if found.calculated and asked.symbol in ("min", "h", "day", "week", "year"):
        return asked, KNOWN_UNITS["s"]
    return (asked,)


# -- words ----------------------------------------------------------------------------------


def _bare_words(text: str) -> str:
    """`text` in lower case without punctuation at its ends, single spaces."""
    return " ".join(text.casefold().split()).strip(" .!,;:\"'()?")


def _special(said: str, asked: Asked) -> Reading | Unreadable | None:
    """`impossible`, `unbounded`, and the words that are no number at all."""
    if asked.shape in ("truth", "word") and said in asked.words:
        return None
    if asked.unbounded and (said in UNBOUNDED or said in NOT_FINITE[1:]):
        return Reading("unbounded", asked.unit, "unbounded")
    if asked.shape == "number":
        said = said.removeprefix("it ").removeprefix("this ")
        long = any(said.startswith(f"{p} ") or said.startswith(f"{p},") for p in IMPOSSIBLE if len(p) > 9)
        if said in IMPOSSIBLE or long or (asked.impossible and said in IMPOSSIBLE_IF_ASKED):
            return Reading("impossible", asked.unit, "impossible")
        if said in NOT_FINITE:
            return Unreadable(f'"{said}" is no finite number: write one, {_how(asked)}')
    return None


_STRONG: Final = ("yes", "no", "true", "false", "y", "n", "t", "f", "yep", "nope", "yeah", "yup")
_NEGATORS: Final = ("not", "isn't", "doesn't", "cannot", "can't", "won't", "never", "aren't")


def _truth(said: str, asked: Asked) -> Reading | Unreadable:
    words = [t.low for t in tokens(said, words=False) if t.kind != SIGN]
    strong = [w for w in words[:4] if w in _STRONG]
    first = words[0] if words else ""
    if first in _STRONG:
        if len({w in YES for w in strong}) == 1:
            return _said(first in YES, asked)
    else:
        weak = [w in YES for w in words[:8] if w in YES or (w in NO and w not in _NEGATORS)]
        negated = any(w in _NEGATORS for w in words[:8])
        if len(set(weak)) == 1 and not any(w in ("or", "maybe", "perhaps") for w in words[:8]):
            return _said(weak[0] != negated, asked)
    return Unreadable(f"it is neither yes nor no: write {_how(asked)[8:]}")


def _said(value: bool, asked: Asked) -> Reading:
    return Reading(value, asked.unit, "yes" if value else "no")


def _word(text: str, asked: Asked) -> Reading | Unreadable:
    plain = _letters(text)
    hits = [word for word in asked.words if _letters(word) == plain]
    if not hits:
        padded = f" {_spaced(text)} "
        hits = [word for word in asked.words if f" {_spaced(word)} " in padded]
        longest = max((len(word) for word in hits), default=0)
        inside = [w for w in hits if len(w) == longest]
        hits = inside if all(_spaced(w) in _spaced(inside[0]) for w in hits) else hits
    if len(hits) != 1:
        what = "more than one of the answers" if hits else "none of the answers"
        return Unreadable(f"it names {what}: write {_how(asked)}")
    return Reading(hits[0], asked.unit, hits[0])


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def _spaced(text: str) -> str:
    return " ".join("".join(c if c.isalnum() else " " for c in text.casefold()).split())


# -- several numbers ------------------------------------------------------------------------


def _tuple(text: str, asked: Asked) -> Reading | Unreadable:
    """`(1, 0, 1, 1)`, `1 0 1 1`, `tp=1, cp=0, pp=1, dp=1`."""
    values: list[Number] = []
    names: list[str] = []
    sign = 1
    for token in tokens(text.replace(",", " , "), words=False):
        if token.kind == NUMBER:
            literal = token.number()
            if literal.fault or literal.decimal is not None:
                return Unreadable(f"{token.text} is not one number: write {_how(asked)}")
            values.append(tidy(literal.value * sign))
            sign = 1
        elif token.kind == WORD:
            names.append(token.low)
        elif token.is_sign("-"):
            sign = -1
        elif not token.is_sign("(", ")", "[", "]", "<", ">", ",", ";", "=", ":", ".", "/", "|"):
            return Unreadable(f'cannot read "{token.text}" here: write {_how(asked)}')
    if not values or (asked.length and len(values) != asked.length):
        wanted = f"{asked.length} numbers" if asked.length else "numbers"
        return Unreadable(f"{len(values)} numbers where {wanted} are asked: write {_how(asked)}")
    if asked.names and len(names) == len(values) and sorted(names) == sorted(n.casefold() for n in asked.names):
        values = [values[names.index(name.casefold())] for name in asked.names]
    shown = f"({', '.join(show_number(v) for v in values)})"
    return Reading(tuple(values), asked.unit, shown)
