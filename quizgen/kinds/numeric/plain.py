"""The neutral form of a numeric variant: a number with its tolerance and units, else options or a text."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import log
from typing import TYPE_CHECKING

from quizgen import markdown
from quizgen.blocks import Para, Steps, para
from quizgen.formula.diagnose import Target
from quizgen.formula.errors import FormulaError
from quizgen.formula.quantity import in_unit
from quizgen.formula.units import KNOWN_UNITS, Unit
from quizgen.kinds.common import plain_of
from quizgen.kinds.numeric import score
from quizgen.plain import Plain, PlainNumber, PlainOption

if TYPE_CHECKING:
    from quizgen.kinds.numeric.variant import NumericVariant

LARGEST = 10**60  # that programs read as it is written out in digits
_OTHERS = 8  # units besides the asked one that a response may take


def plain(variant: NumericVariant) -> Plain | None:
    """None for a drawing without a key. A yes-no or a word is a choice, several numbers are a text."""
    item = variant.numeric
    try:
        wanted = score.target(item, variant.evaluation)
    except FormulaError:
        return None
    key = wanted.key
    worked = tuple(b for b in score.worked(item, variant.evaluation) if item.find or isinstance(b, Steps))
    shape = item.asked.against.shape
    words = ("yes", "no") if shape == "truth" else tuple(item.asked.against.words) if shape == "word" else ()
    if words:
        right = key if isinstance(key, str) else "yes" if key else "no"
        options = tuple(PlainOption(word, word == right) for word in words)
        return plain_of(variant, kind="choice", stem=variant.filled, options=options, worked=worked)
    if isinstance(key, bool | str | tuple):
        stem = variant.filled
        if isinstance(key, tuple) and isinstance(told := variant.prompt()[-2], Para):
            stem += f"\n\n{markdown.plain(told.parts)}"  # how many numbers, and which
        return plain_of(variant, kind="text", stem=stem, model_answer=variant.key_text(), worked=worked)
    number = _number(wanted)
    asked = (para(f"Answer in {number.unit}."),) if number.unit else ()
    prompt = (*variant.prompt()[:-1], *asked)
    return plain_of(variant, kind="numeric", stem=variant.filled, prompt=prompt, number=number, worked=worked)


def _number(wanted: Target) -> PlainNumber:
    unit = wanted.unit
    assert not isinstance(wanted.key, bool | str | tuple)
    value = Fraction(in_unit(wanted.key, unit))
    wrong: dict[Fraction, str] = {}
    for known in wanted.known:
        if known.convention or known.credit or isinstance(known.value, bool | str | tuple):
            continue
        mistaken = Fraction(in_unit(known.value, unit))
        if (
            abs(mistaken) < LARGEST and abs(mistaken - value) > abs(value) * wanted.tolerance
        ):  # else it is right, whatever it came from
            wrong.setdefault(mistaken, known.say)
    bare = unit.dim.bare and unit.symbol != "%"
    symbol = "" if bare else str(unit.plural)
    return PlainNumber(value, symbol, wanted.tolerance, tuple(wrong.items()), tuple(_units(unit)) if not bare else ())


def _units(unit: Unit) -> Iterator[tuple[str, Fraction]]:
    """Other spellings and prefixes of a unit, the nearest in size first."""
    seen = {unit.plural}
    alike = [(s, u) for s, u in KNOWN_UNITS.items() if u.dim == unit.dim and s == u.symbol and s not in seen]
    alike.sort(key=lambda pair: (abs(log(pair[1].factor / unit.factor)), pair[0]))
    for spelling, other in [(unit.symbol, unit), *alike[:_OTHERS]]:
        if spelling not in seen:
            seen.add(spelling)
            yield spelling, Fraction(other.factor) / Fraction(unit.factor)
