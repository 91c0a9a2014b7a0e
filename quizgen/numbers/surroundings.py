"""The words around an amount: each is known, or the candidate is asked.

`95% misses` is no hit rate, `7 hops too many` are not 7 hops and `31.7 bananas` are nothing. Known are the fillers,
units, the words of the stem and of the bank.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import Final

from quizgen.formula.unit_table import PHYSICAL
from quizgen.formula.units import ONE, WRITTEN, fits, twins
from quizgen.numbers import words as known
from quizgen.numbers.answer import AnswerFormat, AskAgain
from quizgen.numbers.sums import is_operator
from quizgen.numbers.tokens import END, OPERATORS, SIGN, WORD, Line, ResponseToken, WrittenAmount
from quizgen.numbers.units import SECOND
from quizgen.numbers.words import phrase_in, root
from quizgen.source.problems import shorten

_STOPS: Final = frozenset((",", ";", ".", "!", "?", "(", ")", ":"))
_QUIET: Final = (*_STOPS, '"', "'", "_", "#", "|", "@", *OPERATORS)
_EMPTY: Final = re.compile(known.EMPTY_PHRASES)
_ENOUGH: Final = re.compile(known.ENOUGH_PHRASES)
_NEUTRAL: Final = known.FILLERS | known.MEASURES
_ALIKE: Final = 0.75  # leevls and levels
_PLAIN: Final = "write only the number and its unit"


def check_words(
    before: Line, after: Line, asides: Sequence[Line], amount: WrittenAmount, gap: bool, expected: AnswerFormat
) -> None:
    """Raise AskAgain where the spans `before` or `after` an amount, or the `asides` in parentheses behind it, make it
    another number than it looks. `gap`: something blank stands before the amount."""
    _check_signs(before, after, expected)
    _check_units_apart(before, [span for line in (after, *asides) for span in line], amount, expected)
    if before:
        _check_right_before(before[-1], gap, amount)
    if after:
        _check_right_behind(after, amount, expected)
    check_share([span.low for span in (*before, *after)], amount, expected)
    if amount.unit is ONE and after and after[0].low in known.COMPARATIVES:
        after = after[1:]  # 42 times faster
    for line in (before, after, *asides):
        for part in _between_stops(line):
            check_phrase(_words(part), expected)


def check_label(line: Line, expected: AnswerFormat) -> None:
    """The same for a part that holds no number, `hit rate:` or `= K`; a formula of names may have any."""
    words = _words([span for span in line if span.low not in expected.stem.terms])
    check_phrase(words, expected, any(map(is_operator, line)))


def check_phrase(words: list[str], expected: AnswerFormat, formula: bool = False) -> None:
    """Raise AskAgain for `words` that name the opposite of what is asked, change a number, or are unknown and not
    names of a `formula`."""
    stem, padded = expected.stem, f" {' '.join(map(root, words))} "
    other = next((phrase for phrase in stem.other_side if phrase_in(phrase, padded)), "")
    if other and not any(phrase_in(phrase, padded) for phrase in stem.own_side):
        raise AskAgain(f'"{other}" is the opposite of what is asked: write the number that is asked')
    own = {root(word) for phrase in stem.own_side for word in phrase.split()}
    text = _EMPTY.sub(" ", " ".join(words))
    if _ENOUGH.search(text) and not _may_be_enough(expected):
        raise AskAgain("it gives a bound: write the number itself")
    for word in _ENOUGH.sub(" ", text).split():
        base = root(word)
        if (base not in stem.question or word in known.DENIALS) and base not in own:
            _check_word(word, base, expected, formula)


def _check_word(word: str, base: str, expected: AnswerFormat, formula: bool) -> None:
    """Raise AskAgain for a `word` of the root `base` that changes a number, or is unknown and names no part of a
    `formula`."""
    if base in known.OTHER_NUMBER or (word in WRITTEN and word not in expected.lexicon.words):
        raise AskAgain(f'"{shorten(word)}" may change the number: {_PLAIN}')
    if not formula and not _is_known(word, base, expected):
        raise _unknown(word, expected)


def _unknown(word: str, expected: AnswerFormat) -> AskAgain:
    words = [one for one in expected.lexicon.words if one not in word]
    near = "".join(f'did you mean "{one}"?' for one in get_close_matches(word, words, 1, _ALIKE))
    write = f"{near} Write" if near else "write"
    return AskAgain(
        f'"{shorten(word)}" is not a unit known here, nor a word of the question: {write} the number with its unit'
    )


def _is_known(word: str, base: str, expected: AnswerFormat) -> bool:
    if base in _NEUTRAL or len(word) < 3 or word.endswith("ly") or word[-1:].isdigit():
        return True
    stem = expected.stem
    if base in stem.known or word in expected.lexicon.words or word.removesuffix("s") in stem.initials:  # AZs
        return True
    return word not in known.NUMBER_WORDS and any(one.startswith(base) for one in stem.known)  # cap of capitalisation


# -- signs and units ------------------------------------------------------------------------


def _check_signs(before: Line, after: Line, expected: AnswerFormat) -> None:
    """`K - 1` and `16*N` calculate with a name; `2000+`, `30'` and `> 30` are more than a number."""
    enough = (">=", "<=") if _may_be_enough(expected) else ()
    for span in (*before, *after):
        if span.kind == SIGN and span.low not in (*_QUIET, *enough):
            raise AskAgain(f'cannot read "{span.low}" here: {_PLAIN}')
    name, sign = (END, END, *before)[-2:]
    dash = sign.low == "-" and len(name.low) > 2  # memory - 31.7 GB
    calculates = is_operator(sign) and (sign.low == "/" or (name is not END and not dash))
    if calculates or (after and after[0].low in ("+", "*", "**", "/", "'"[bool(before) :])):
        raise AskAgain("it calculates with a name: write the number itself")


def _check_right_before(last: ResponseToken, gap: bool, amount: WrittenAmount) -> None:
    """`A$2000` and `one 1000` are no amounts of what they look like, nor is `one in 1000`."""
    if last.kind == SIGN or last.low == "x":  # x1.5
        return
    joined = last.low in known.NUMBER_WORDS or last.low in known.FUNCTIONS - {"min", "max", "round"}
    if not gap or joined or (last.low == "in" and amount.unit is None):
        raise AskAgain(f'cannot read "{last.low}" right before the number: {_PLAIN}')


def _check_units_apart(before: Line, after: Line, amount: WrittenAmount, expected: AnswerFormat) -> None:
    """A unit apart from its number (`a minute and 30 s`, `31.7, GB`), but for the word of a different kind that the
    stem has (`45 GB for the hour`)."""
    wanted = expected.unit.dim
    for last, span in pairwise((END, *before, END, *after)):
        if span.unit is None or span.unit.dim.label or not span.unit.dim.powers:
            continue
        alike = fits(span.unit.dim, wanted) or (wanted.is_rate and span.unit.dim == SECOND.dim)
        led = last is END or last.low == "per"
        if alike or led or amount.unit is None or root(span.low) not in expected.stem.known:
            raise AskAgain("there is a word between number and unit: write the unit right after")


def _check_right_behind(after: Line, amount: WrittenAmount, expected: AnswerFormat) -> None:
    """The word behind `per` is a unit or what the stem asks for; the one right behind a bare number is none that is
    given, nor a letter or two that are no word."""
    first, below = (*after, END)[:2]
    if first.low == "per" or (first.low in ("a", "an", "every") and below.kind == WORD):
        if below.unit is None and not (below.kind == WORD and _is_per(frozenset((root(below.low),)), expected)):
            raise AskAgain(f'"{first.low} {shorten(below.low)}" is not asked: write the number that is')
    elif amount.unit is None and first.kind == WORD:
        _check_behind_bare(first, expected)


def _check_behind_bare(word: ResponseToken, expected: AnswerFormat) -> None:
    base, stem, low = root(word.low), expected.stem, word.low
    if base in stem.given - stem.counted and (_is_count(expected) or expected.unit.dim.bare):
        raise AskAgain(f'"{shorten(low)}" may be what is given: write the number with its unit')
    short = len(low) < 3 and low != "or" and base not in known.FILLERS and (len(low) == 1 or base not in stem.known)
    if short or not word.gap:
        raise _unknown(low, expected)


# -- shares ---------------------------------------------------------------------------------


def check_share(words: list[str], amount: WrittenAmount, expected: AnswerFormat) -> None:
    """Raise AskAgain for `10 GB per replica`, and for an amount with `each` among the `words` around it, where the stem
    asks for no share."""
    stem, powers = expected.stem, dict(expected.unit.dim.powers)
    if not stem.text:
        return
    for name, power in amount.unit.dim.powers if amount.unit is not None else ():
        divides = power < 0 and name not in PHYSICAL and not any(one in powers for one in (name, *twins(name)))
        if divides and not _is_per(label_roots(name, expected), expected):
            raise AskAgain(f'"per {name}" is not asked: write the number that is')
    below = any(power < 0 for name, power in powers.items() if name not in PHYSICAL)
    if known.SHARED_OUT.intersection(words) and not stem.each and not below:
        raise AskAgain('"each" is not asked: write the number that is')


def _is_per(bases: frozenset[str], expected: AnswerFormat) -> bool:
    """Whether the question asks for an amount of one of the things that these roots name ("a GPU", "each process")."""
    words = "|".join(map(re.escape, sorted(bases)))
    one = re.search(rf"\b(?:an?|one|the|each|every|per) (?:\w+ )?(?:{words})\b", expected.stem.question_text)
    return bool(one) or (expected.stem.each and bool(bases & expected.stem.known))


def label_roots(label: str, expected: AnswerFormat) -> frozenset[str]:
    """The roots of all words for the things of `label`: its own, those of its twins, and those of the bank."""
    same = (label, *twins(label))
    own = (word for word, unit in expected.lexicon.words.items() if unit.dim.label in same)
    return frozenset(map(root, (*same, *own)))


# -- spans ----------------------------------------------------------------------------------


def _is_count(expected: AnswerFormat) -> bool:
    return expected.whole or bool(expected.unit.dim.label)


def _may_be_enough(expected: AnswerFormat) -> bool:
    """Whether a bound (`at least 14`) answers what is expected."""
    return _is_count(expected) or expected.bound


def _words(line: Line) -> list[str]:
    return [word for span in line if span.kind == WORD for word in span.low.replace("_", " ").split()]


def _between_stops(line: Line) -> list[Line]:
    """The spans of `line` between its stops and dashes."""
    stops = [place for place, span in enumerate(line) if span.low in _STOPS or (span.low == "-" and span.gap)]
    return [line[start + 1 : end] for start, end in zip((-1, *stops), (*stops, len(line)), strict=True)]
