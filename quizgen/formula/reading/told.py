"""The unit that a stem names where its item asks for a plain number: `How many GB …?`, `… in dollars?`.

Decks of other programs keep the unit in the question alone, and people write it behind the number all the same.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Final

from quizgen.formula.reading.answer import Asked, Reading
from quizgen.formula.reading.chart import line_of
from quizgen.formula.reading.fold import fold
from quizgen.formula.reading.lexicon import Lexicon
from quizgen.formula.reading.span import AMOUNT, Context
from quizgen.formula.reading.vocabulary import ABOUT, FILLERS, PROSE
from quizgen.formula.units import CURRENCIES, KNOWN_UNITS, ONE, Dim, Unit

_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")
_NAMED: Final = re.compile(
    r"\b(?:how many|what|which|in) ([^\W\d][^\s.,;:?!)]*|[$€£₹%](?!\d))((?: ?/ ?| per | an? )[^\W\d]\w*)?",
    re.IGNORECASE,
)
_SYMBOL: Final = re.compile(
    r"\b(?:how many|in|to)\s+([^\W\d_]\S{0,2}(?:[/*^·]\S{1,6})?|°\S{1,2})(?=\s|$)", re.IGNORECASE
)
_OF_MONEY: Final = re.compile(
    r"\b(?:cost|costs|price|pay|pays|paid|worth|profit|revenue|income|salary|wage|balance|fee|rent|tax)\b"
)
_OF_COUNTS: Final = re.compile(r"\b(?:how many|how often|factor|ratio|times|multiple|fraction|share|percent\w*)\b")
_MONEY: Final = re.compile(r"[^\W\d]+|[$€£₹]")
_UNCLEAR: Final = frozenset(("won", "real", "reais", "rand", "rands", "lira", "liras", "quid", "¥"))


def _currencies() -> dict[str, Unit]:
    """Words and signs that stand for one currency and nothing else."""
    found = dict.fromkeys(("$", "usd", "dollar", "dollars"), KNOWN_UNITS["USD"])
    for code, (name, words) in CURRENCIES.items():
        unit = Unit(code, 1, Dim(((code, 1),)), ((code, code, ""),))
        clear = (word for word in (name.casefold(), *words.split()) if len(word) > 3 or not word.isalpha())
        found |= dict.fromkeys((code.casefold(), *clear), unit)
    return {word: unit for word, unit in found.items() if word not in _UNCLEAR}


_CURRENCIES: Final = _currencies()


def with_told(asked: Asked, stem: str) -> Asked:
    """`asked` with the unit that its stem names, where a plain number is asked."""
    if asked.unit is not ONE or asked.shape != "number":
        return asked
    question = " ".join(one for one in _SENTENCE.split(stem) if one.endswith("?")) or stem
    money = {_CURRENCIES[word] for word in _MONEY.findall(stem.casefold()) if word in _CURRENCIES}
    own = {unit.symbol.casefold(): unit for unit in money if unit.dim.label}
    lexicon = Lexicon({**own, **asked.lexicon.words}, asked.lexicon.phrases) if own else asked.lexicon
    told = _named(question, lexicon)
    low = question.casefold()
    if told is None and len(money) == 1 and _OF_MONEY.search(low) and not _OF_COUNTS.search(low):
        told = next(iter(money))
    return replace(asked, symbol=_symbol(question)) if told is None else replace(asked, told=told, lexicon=lexicon)


def _named(question: str, lexicon: Lexicon) -> Unit | None:
    """The last unit that stands behind `how many`, `what` or `in`; what a bank counts is none."""
    found = None
    for name, below in _NAMED.findall(question):
        name = "%" if name.casefold() == "percentage" else name
        line = line_of(fold(f"1 {name}{below}"), Context(Asked(lexicon=lexicon)))
        unit = line[0].senses[0].unit if len(line) == 1 and line[0].kind == AMOUNT and not line[0].fault else None
        counted = unit is None or (unit.dim.label and unit.symbol not in CURRENCIES)
        if unit is not None and not counted and (unit.dim.powers or unit.symbol == "%"):
            found = unit
    return found


def _symbol(question: str) -> str:
    """How a question writes a unit that is not known here: `kg` of `How many kg …?`, `°C` of `… to °C`."""
    named = (found.rstrip(".,;:?!)") for found in _SYMBOL.findall(question))
    return next((_plain(one) for one in named if one.casefold() not in PROSE | FILLERS | ABOUT), "")


def _plain(symbol: str) -> str:
    return re.sub(r"[\^°\s]", "", fold(symbol))


def without_symbol(text: str, symbol: str) -> str:
    """A folded response without the unit that the stem writes, where it stands behind a digit."""
    return _behind_a_digit(symbol).sub("", text) if symbol else text


@lru_cache(maxsize=256)
def _behind_a_digit(symbol: str) -> re.Pattern[str]:
    return re.compile(r"(?<=\d)\s*°?" + r"\^?".join(map(re.escape, symbol)) + r"(?![\w/^*])")


def as_told(reading: Reading, told: Unit | None) -> tuple[Reading, ...]:
    """The plain number of an amount in exactly the unit that the stem names; of a percentage its share as well."""
    if told is None or (reading.unit.dim, reading.unit.factor) != (told.dim, told.factor) or reading.unit is ONE:
        return (reading,)
    plain = replace(reading, unit=ONE, bare=True)
    return (plain, reading) if told.symbol == "%" else (plain,)
