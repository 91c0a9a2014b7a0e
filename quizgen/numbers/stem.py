"""The words of a stem that a response may use, and the unit that it names for a plain number."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final

from quizgen.formula.units import CURRENCIES, KNOWN_UNITS, ONE, Dim, Unit
from quizgen.numbers import words as known
from quizgen.numbers.amounts import AmountParser
from quizgen.numbers.answer import AnswerFormat, AskAgain, Lexicon, StemWords
from quizgen.numbers.fold import fold
from quizgen.numbers.roots import phrase_in, root, roots
from quizgen.numbers.tokens import tokens
from quizgen.numbers.units import DAY

_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+")
_WORD: Final = re.compile(r"[^\W\d_]+(?:'[a-z]+)?")
_PLACE: Final = re.compile(r"\{\w*\}")
_COUNTED: Final = re.compile(r"\b(?:how many|number of)((?: [^\W\d][\w/-]*){1,4})")
_GIVEN: Final = re.compile(r"[\d}%] +([a-z-]+)(?: ([a-z-]+))?")
_EACH: Final = frozenset(("each", "apiece", "every", "per", "respectively", "one", "mean", "average"))
_VERB: Final = frozenset(
    [
        "do",
        "does",
        "did",
        "is",
        "are",
        "can",
        "must",
        "will",
        "would",
        "has",
        "have",
        "it",
        "in",
        "a",
        "an",
        "the",
        "per",
        "of",
        "to",
        "at",
        "fit",
        "fits",
    ]
)
# Times of which the stem asks an amount, and those of a given ("400 trades a day").
_TIMES: Final = r"(second|minute|hour|day|week|month|year)"
_PERIOD: Final = re.compile(rf"\b(?:an?|one|per|each|every|the)\s+(?:\w+ )?{_TIMES}\b")
_ADVERB: Final = re.compile(r"\b(hour|dai|week|month|year)ly\b|\bannual(?:ly)?")
_EVERY: Final = {"dai": "day", None: "year"}
_SPAN: Final = re.compile(r"\b(?:in|for|over|during|within|end of) (?:an?|one|the|each|every) (?:whole |full )?\w+")
_GIVEN_RATE: Final = re.compile(r"[\d}][^\s,;.?]{0,20}(?: [^\s,;.?]{1,30}){0,3}? (?:an?|per|each|every) \w+")
_THIRTY_DAYS: Final = re.compile(r"\b(?:30|thirty)[ -]days?\b")
# The unit of a plain number: `How many GB …?`, `What is it in dollars?`.
_NAMED: Final = re.compile(
    r"\b(?:how many|what|which|in|to) ([^\W\d][^\s.,;:?!)]*|[$€£₹%](?!\d))((?: ?/ ?| per | an? )[^\W\d]\w*)?", re.I
)
_SYMBOL: Final = re.compile(
    r"\b(?:how many|in|to)\s+([^\W\d_]\S{0,2}(?:[/*^·]\S{1,6})?|°\S{1,2})(?=[\s.,;:?!]|$)", re.I
)
_MONEY_ASKED: Final = re.compile(
    r"\b(?:cost|costs|price|pay|pays|paid|worth|profit|revenue|income|salary|wage|balance|fee|rent|tax)\b"
)
_COUNT_ASKED: Final = re.compile(r"\b(?:how many|how often|factor|ratio|times|multiple|fraction|share|percent\w*)\b")
_MONEY_WORD: Final = re.compile(r"[^\W\d]+|[$€£₹]")
_UNCLEAR_MONEY: Final = frozenset(("won", "real", "reais", "rand", "rands", "lira", "liras", "quid", "¥"))


def with_stem(
    expected: AnswerFormat,
    stem: str,
    terms: str = "",
    input_labels: Collection[str] = (),
    synonyms: Iterable[str] = (),
) -> AnswerFormat:
    """`expected` in the words of `stem`, whose places (`{N}`) are unfilled.

    `terms` names the parts of the formula, `input_labels` are the labels of its inputs (GPU of `16 GPU`), `synonyms`
    the words of the bank's `synonyms:`.
    """
    low = _PLACE.sub("1", stem.casefold())
    questions = " ".join(one for one in _SENTENCE.split(low) if one.rstrip("*_ ").endswith("?")) or low
    all_roots, question = roots(low), roots(questions)
    counted = frozenset(root(word) for words in _COUNTED.findall(questions) for word in _until_verb(words.split()))
    given = {root(word) for pair in _GIVEN.findall(low) for word in pair if len(word) > 2} - counted
    asked_periods, named = _asked_periods(low, questions), _periods(low)
    own, other = _sides(question, all_roots)
    words = StemWords(
        stem,
        questions,
        frozenset(terms.casefold().split()),
        frozenset((*all_roots, *roots(terms), *(one for text in synonyms for one in roots(text)))),
        frozenset(question),
        counted,
        frozenset(given - set(map(root, known.FILLERS))),
        own,
        other,
        asked_periods,
        asked_periods or (named if len(named) == 1 and named[0].factor >= DAY else ()),
        bool(set(_WORD.findall(questions)) & _EACH),
        "".join(" " if word in known.FILLERS else word[0] for word in _WORD.findall(low)),
        frozenset(input_labels),
    )
    return _with_named_unit(replace(expected, stem=words), stem)


def _until_verb(words: list[str]) -> list[str]:
    """The nouns behind "how many": `availability zones` of "availability zones are needed"."""
    stop = next((place for place, word in enumerate(words) if word in _VERB), len(words))
    return words[: max(stop, 1)]


def _sides(question: tuple[str, ...], every: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The phrases for what a question asks and for its opposite, of each pair of which it names one side. Of a
    way there and back `every` root of the stem may tell."""
    padded, stem = f" {' '.join(question)} ", f" {' '.join(every)} "
    own: list[str] = []
    other: list[str] = []
    for sides in known.SIDES:
        left, right = (tuple(side.split("|")) for side in sides)
        text = stem if "round trip" in right and not any(phrase_in(one, padded) for one in (*left, *right)) else padded
        has_left, has_right = (any(phrase_in(phrase, text) for phrase in side) for side in (left, right))
        if has_left != has_right:
            own += left if has_left else right
            other += right if has_left else left
    return tuple(own), tuple(one for one in other if one not in own)


def _asked_periods(stem: str, question: str) -> tuple[Unit, ...]:
    stem, question = (_THIRTY_DAYS.sub("a month", text) for text in (stem, question))
    return _periods(" ".join((*_SPAN.findall(stem), _GIVEN_RATE.sub(" ", question))))


def _periods(text: str) -> tuple[Unit, ...]:
    text = _ADVERB.sub(lambda adverb: f" a {_EVERY.get(adverb[1], adverb[1])} ", text)
    return tuple(known.PERIODS.get(word) or KNOWN_UNITS[word] for word in dict.fromkeys(_PERIOD.findall(text)))


# -- the unit of a plain number -------------------------------------------------------------


def _currencies() -> dict[str, Unit]:
    """Words and signs that stand for one currency and nothing else."""
    table = dict.fromkeys(("$", "usd", "dollar", "dollars"), KNOWN_UNITS["USD"])
    for code, (name, words) in CURRENCIES.items():
        unit = Unit(code, 1, Dim(((code, 1),)), ((code, code, ""),))
        clear = (word for word in (name.casefold(), *words.split()) if len(word) > 3 or not word.isalpha())
        table |= dict.fromkeys((code.casefold(), *clear), unit)
    return {word: unit for word, unit in table.items() if word not in _UNCLEAR_MONEY}


_CURRENCIES: Final = _currencies()


def _with_named_unit(expected: AnswerFormat, stem: str) -> AnswerFormat:
    """`expected` with the unit that `stem` names, where a plain number is expected."""
    if expected.unit is not ONE or expected.shape != "number":
        return expected
    question = " ".join(one for one in _SENTENCE.split(stem) if one.endswith("?")) or stem
    money = {_CURRENCIES[word] for word in _MONEY_WORD.findall(stem.casefold()) if word in _CURRENCIES}
    own = {unit.symbol.casefold(): unit for unit in money if unit.dim.label}
    words = expected.lexicon
    lexicon = Lexicon({**own, **words.words}, words.phrases) if own else words
    unit = _named_unit(question, lexicon)
    low = question.casefold()
    if unit is None and len(money) == 1 and _MONEY_ASKED.search(low) and not _COUNT_ASKED.search(low):
        unit = next(iter(money))
    if unit is None:
        return replace(expected, symbol_in_stem=_named_symbol(question))
    return replace(expected, unit_in_stem=unit, lexicon=lexicon)


def _named_unit(question: str, lexicon: Lexicon) -> Unit | None:
    """The last unit that stands behind "how many", "what" or "in"; a thing that is counted is none."""
    last = None
    for name, below in _NAMED.findall(question):
        name = "%" if name.casefold() == "percentage" else name
        try:
            line = tokens(fold(f"1 {name}{below}"))
        except AskAgain:
            continue
        amount, end = AmountParser(line, AnswerFormat(lexicon=lexicon)).amount(0) or (None, 0)
        unit = amount.unit if amount is not None and end == len(line) else None
        counted = unit is None or (unit.dim.label and unit.symbol not in CURRENCIES)
        if unit is not None and not counted and (unit.dim.powers or unit.symbol == "%"):
            last = unit
    return last


def _named_symbol(question: str) -> str:
    """The way a question writes a unit that is not known here: `kg` of "How many kg …?", `C` of "… to °C"."""
    symbols = (symbol.rstrip(".,;:?!)") for symbol in _SYMBOL.findall(question))
    return next((re.sub(r"[\^°\s]", "", fold(one)) for one in symbols if one.casefold() not in known.FILLERS), "")
