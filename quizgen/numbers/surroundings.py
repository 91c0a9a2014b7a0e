"""The words around an amount: each is known, or the candidate is asked.

`95% misses` is no hit rate, `7 hops too many` are not 7 hops and `31.7 bananas` are nothing. Known are the fillers,
units, the words of the stem and of the bank. Where no stem is known, only a word right behind a bare number has to be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from quizgen.formula.unit_fit import fits, twins
from quizgen.formula.unit_table import PHYSICAL
from quizgen.formula.units import ONE, WRITTEN
from quizgen.numbers import words as known
from quizgen.numbers.amounts import WrittenAmount
from quizgen.numbers.answer import AnswerFormat, AskAgain
from quizgen.numbers.roots import phrase_in, root
from quizgen.numbers.sums import UNIT, Line, Span
from quizgen.numbers.tokens import OPERATORS, SIGN, WORD
from quizgen.numbers.units import SECOND
from quizgen.source.problems import did_you_mean, shorten

_STOPS: Final = frozenset((",", ";", ".", "!", "?", "(", ")", ":"))
_QUIET: Final = _STOPS | {'"', "'", "_", "#", "|", "@", "-"}
_SENTENCE: Final = 3  # a remark of more words behind a stop is a sentence of its own
_EMPTY: Final = re.compile(known.EMPTY_PHRASES)
_ENOUGH: Final = re.compile(known.ENOUGH_PHRASES)
_LOSS_ROOTS: Final = frozenset(map(root, known.LOSSES - {"down", "less", "lower"}))
_NEUTRAL: Final = known.FILLERS | known.MEASURES | known.LOSSES
_CHANGES: Final = known.OTHER_NUMBER | known.MAGNITUDE_WORDS.keys()
_PLAIN: Final = "write only the number and its unit"


def check_words(
    before: Line, after: Line, remarks: Iterable[Line], amount: WrittenAmount, gap: bool, expected: AnswerFormat
) -> None:
    """Raise AskAgain where the spans `before` or `after` an amount, or the `remarks` in parentheses behind it, make it
    another number than it looks. `gap`: something blank stands before the amount."""
    _check_signs(before, after, expected)
    _check_units_apart(before, after, amount, expected)
    _check_right_before(before, gap, amount)
    _check_right_behind(after, amount, expected)
    check_share([span.low for span in (*before, *after)], amount, expected)
    if amount.unit is ONE and after and after[0].low in known.COMPARATIVES:
        after = after[1:]  # 42 times faster
    lead, *rest = _between_stops(after)
    check_phrase([*_words(before), "|", *_words(lead)], expected, True)
    for remark in (*rest, *remarks):
        words = _words(remark)
        check_phrase(words, expected, len(words) <= _SENTENCE)


def check_label(line: Line, expected: AnswerFormat, leads: bool) -> None:
    """The same for a part that holds no number: `hit rate:` before one that does (`leads`), `= K` behind."""
    words = _words([span for span in line if span.low not in expected.stem.terms])
    formula = any(span.low in OPERATORS for span in line if span.kind == SIGN)
    check_phrase(words, expected, leads and not formula)


def check_phrase(words: list[str], expected: AnswerFormat, known_only: bool) -> None:
    """Raise AskAgain for `words` that change a number, name the opposite of what is asked or are unknown
    (`known_only`)."""
    stem = expected.stem
    if not words:
        return
    if stem.other_side:
        _check_side(words, expected)
    own = {root(word) for phrase in stem.own_side for word in phrase.split()}
    text = _EMPTY.sub(" ", " ".join(words))
    if _ENOUGH.search(text) and not (_is_count(expected) or expected.bound):
        raise AskAgain("it gives a bound: write the number itself")
    for word in _ENOUGH.sub(" ", text).split():
        base = root(word)
        if (base in stem.question and word not in known.DENIALS) or base in own:
            continue
        if _changes(word, base, expected):
            raise AskAgain(f'"{shorten(word)}" may change the number: {_PLAIN}')
        if known_only and stem.text and not _is_known(word, base, expected):
            raise AskAgain(f'"{shorten(word)}" may change what the number says: {_PLAIN}')


def _changes(word: str, base: str, expected: AnswerFormat) -> bool:
    """Whether `word` makes a number beside it another one: a bound, a denial, a part, a loss, another currency."""
    if word in _CHANGES or (word in WRITTEN and word not in expected.lexicon.words):
        return True
    if word in known.LOSSES:
        return not expected.stem.known & _LOSS_ROOTS
    return (
        (word in known.PART_WORDS or word in known.NUMBER_WORDS) and word != "one" and base not in expected.stem.known
    )


def _is_known(word: str, base: str, expected: AnswerFormat) -> bool:
    if word in _NEUTRAL or len(word) < 3 or word.endswith("ly") or word[-1:].isdigit():
        return True
    stem = expected.stem
    short = any(one.startswith(base) for one in stem.known)  # cap of capitalisation
    return short or word in expected.lexicon.words or word.removesuffix("s") in stem.initials


def _check_side(words: list[str], expected: AnswerFormat) -> None:
    padded = f" {' '.join(map(root, words))} "
    other = next((phrase for phrase in expected.stem.other_side if phrase_in(phrase, padded)), "")
    if other and not any(phrase_in(phrase, padded) for phrase in expected.stem.own_side):
        raise AskAgain(f'"{other}" is the opposite of what is asked: write the number that is asked')


# -- signs and units ------------------------------------------------------------------------


def _check_signs(before: Line, after: Line, expected: AnswerFormat) -> None:
    enough = (">=", "<=") if _is_count(expected) or expected.bound else ()
    for span in (*before, *after):
        if span.kind == SIGN and span.low not in _QUIET and span.low not in enough and span.low not in OPERATORS:
            raise AskAgain(f'cannot read "{span.low}" here: {_PLAIN}')
    _check_names(before, after)


def _check_names(before: Line, after: Line) -> None:
    """`K - 1` and `16*N` calculate with a name; `2000+` and `30'` are more than a number."""
    last, name = (before[-place] if place <= len(before) else None for place in (1, 2))
    sign = last.low if last is not None and last.kind == SIGN and last.low in OPERATORS else ""
    if sign == "/" or (name is not None and sign and (sign != "-" or len(name.low) < 3)):
        raise AskAgain("it calculates with a name: write the number itself")  # K - 1
    first = after[0].low if after and after[0].kind == SIGN else ""
    if first in ("+", "*", "**") or (first == "'" and not before):
        raise AskAgain("it calculates with a name: write the number itself")  # 16*N


def _check_right_before(before: Line, gap: bool, amount: WrittenAmount) -> None:
    """`A$2000` and `one 1000` are no amounts of what they look like, nor is `one in 1000`."""
    last = before[-1] if before else None
    if last is None or last.kind == SIGN or last.low == "x":  # x1.5
        return
    joined = last.low in known.NUMBER_WORDS or last.low in known.FUNCTIONS - {"min", "max", "round"}
    if not gap or joined or (last.low == "in" and amount.unit is None):
        raise AskAgain(f'cannot read "{last.low}" right before the number: {_PLAIN}')


def _check_units_apart(before: Line, after: Line, amount: WrittenAmount, expected: AnswerFormat) -> None:
    """A unit apart from its number (`a minute and 30 s`, `31.7, GB`), but for the word of a different kind that the
    stem has (`45 GB for the hour`)."""
    line = (*before, *after)
    for place, span in enumerate(line):
        unit = span.unit
        if unit is None or unit.dim.label or not unit.dim.powers:
            continue
        behind = place >= len(before)
        alike = fits(unit.dim, expected.unit.dim) or (expected.unit.dim.is_rate and unit.dim == SECOND.dim)
        same = unit == expected.unit and amount.unit is None and not behind
        known_unit = root(span.low) in expected.stem.known and amount.unit is not None and after[:1] != [span]
        known_unit = known_unit and line[place - 1].low not in ("per", "/")
        if not same and (alike or ((behind or amount.unit is None) and not known_unit)):
            raise AskAgain("a unit stands apart from the number: write it right after")


def _check_right_behind(after: Line, amount: WrittenAmount, expected: AnswerFormat) -> None:
    """The word right behind a bare number is a filler, a word of the stem or a unit; and so is the one behind `per`."""
    first, below = (after[place] if place < len(after) else None for place in (0, 1))
    if first is None:
        return
    if first.low in ("/", "per") or (first.low in ("a", "an", "every") and below is not None and below.kind != SIGN):
        _check_below(first, below if below is not None and below.kind in (WORD, UNIT) else None, expected)
        return
    thing = below.unit if below is not None else None
    adjective = thing is not None and thing.dim.label and fits(thing.dim, expected.unit.dim)  # 929833 optimizer steps
    if adjective and first.low not in known.OTHER_NUMBER | known.PREFIXES.keys():
        return
    if amount.unit is None and first.kind == WORD and not _passes(first.low, expected):
        raise _no_unit(first.low, expected)


def _check_below(sign: Span, below: Span | None, expected: AnswerFormat) -> None:
    """The word `below` behind a `sign` that divides (`/`, per, a) is a unit, or a word of the stem that is asked."""
    word = below.low if below is not None else sign.low
    if below is not None and below.kind == WORD and root(word) in expected.stem.known:
        if not _is_per(frozenset((root(word),)), expected):
            raise AskAgain(f'"{sign.low} {shorten(word)}" is not asked: write the number that is')
    elif below is None or below.unit in (None, ONE):
        raise _no_unit(word, expected)


def _no_unit(word: str, expected: AnswerFormat) -> AskAgain:
    near = did_you_mean(word, (expected.lexicon.words.keys() | set(expected.stem.question_text.split())) - {word})
    hint = f"{near} Write" if near and len(word) > 3 else "write"
    return AskAgain(f'"{shorten(word)}" is not a unit known here: {hint} the number with its unit')


def _passes(word: str, expected: AnswerFormat) -> bool:
    """Whether a word may stand right behind a bare number."""
    base, stem, count = root(word), expected.stem, _is_count(expected) or expected.unit.dim.bare
    if base in stem.counted or word in _NEUTRAL - known.MEASURES:
        return True
    if base in stem.given and count:
        return False  # 128 hosts, where subnets of 16 hosts are counted
    plain = base in stem.known or word in known.MEASURES | known.OTHER_NUMBER
    return len(word) > 1 and (plain or (count and word.removesuffix("s") in stem.initials))  # AZs


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


def _words(line: Line) -> list[str]:
    return [word for span in line if span.kind == WORD for word in span.low.replace("_", " ").split()]


def _between_stops(line: Line) -> list[Line]:
    """The spans of `line` between its stops and dashes."""
    stops = [place for place, span in enumerate(line) if span.low in _STOPS or (span.low == "-" and span.gap)]
    return [line[start + 1 : end] for start, end in zip((-1, *stops), (*stops, len(line)), strict=True)]
