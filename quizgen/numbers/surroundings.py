"""The words around an amount: each is known, or the candidate is asked.

`95% misses` is no hit rate, `7 hops too many` are not 7 hops and `31.7 bananas` are nothing. Known are the fillers,
units, the words of the stem and of the bank. Where no stem is known, only a word right behind a bare number has to be.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from quizgen.formula.unit_fit import fits, twins
from quizgen.formula.unit_table import PHYSICAL
from quizgen.formula.units import ONE, WRITTEN
from quizgen.numbers.amounts import WrittenAmount
from quizgen.numbers.answer import AnswerFormat, AskAgain
from quizgen.numbers.roots import phrase_in, root
from quizgen.numbers.sums import AMOUNT, UNIT, ResponsePiece
from quizgen.numbers.tokens import OPERATORS, SIGN, WORD
from quizgen.numbers.units import SECOND
from quizgen.numbers.words import (
    COMPARATIVES,
    EMPTY_PHRASES,
    ENOUGH_PHRASES,
    FILLERS,
    FUNCTIONS,
    LOSSES,
    MAGNITUDE_WORDS,
    MEASURES,
    NUMBER_WORDS,
    NUMBERED_NAMES,
    OTHER_NUMBER,
    PART_WORDS,
    PREFIXES,
    SHARED_OUT,
)
from quizgen.source.problems import did_you_mean, shorten

STOPS: Final = frozenset((",", ";", ".", "!", "?", "(", ")", ":"))
_QUIET: Final = STOPS | {'"', "'", "_", "#", "|", "@", "*", "**"}
_SENTENCE: Final = 3  # a remark of more words behind a stop is a sentence of its own
_EMPTY: Final = re.compile(EMPTY_PHRASES)
_ENOUGH: Final = re.compile(ENOUGH_PHRASES)
_LOSS_ROOTS: Final = frozenset(map(root, LOSSES - {"down", "less", "lower", "net"}))
_ALWAYS: Final = frozenset(
    ("not", "never", "or", "nor", "no", "neither", "wait", "actually", "sorry", "between", "too")
)


def check_words(
    before: Sequence[ResponsePiece],
    after: Sequence[ResponsePiece],
    remarks: Sequence[Sequence[ResponsePiece]],
    amount: WrittenAmount,
    gap: bool,
    expected: AnswerFormat,
) -> None:
    """Raise AskAgain where the pieces `before` or `after` an amount, or the `remarks` in parentheses behind it, make it
    another number than it looks. `gap`: something blank stands before the amount."""
    _check_signs(before, after, expected)
    _check_units_apart(before, after, amount, expected)
    _check_right_before(before, gap, amount)
    _check_right_behind(after, amount, expected)
    check_share([piece.low for piece in (*before, *after)], amount, expected)
    if amount.unit is ONE and after and after[0].low in COMPARATIVES:
        after = after[1:]  # 42 times faster
    lead, *rest = _between_stops(after)
    check_phrase([*_words(before), "|", *_words(lead)], expected, True)
    for remark in (*rest, *remarks):
        words = _words(remark)
        check_phrase(words, expected, len(words) <= _SENTENCE)


def check_label(line: Sequence[ResponsePiece], expected: AnswerFormat, leads: bool) -> None:
    """The same for a part that holds no number: `hit rate:` before one that does (`leads`), `= K` behind."""
    words = _words([piece for piece in line if piece.low not in expected.stem.terms])
    name = leads and any(piece.low in OPERATORS for piece in line if piece.kind == SIGN)
    check_phrase(words, expected, leads and not name)


def check_phrase(words: Sequence[str], expected: AnswerFormat, known_only: bool) -> None:
    """Raise AskAgain for `words` that change a number, name the opposite of what is asked or are unknown
    (`known_only`)."""
    if not words:
        return
    stem = expected.stem
    if stem.other_side:
        _check_side(words, expected)
    own = {root(word) for phrase in stem.own_side for word in phrase.split()}
    text = _EMPTY.sub(" ", " ".join(words))
    if _is_count(expected) or expected.bound:
        text = _ENOUGH.sub(" ", text)
    elif _ENOUGH.search(text):
        raise AskAgain("it gives a bound: write the number itself")
    for word in text.split():
        base = root(word)
        if (base in stem.question and word not in _ALWAYS) or base in own:
            continue
        changes = (
            word in OTHER_NUMBER or word in MAGNITUDE_WORDS or (word in WRITTEN and word not in expected.lexicon.words)
        )
        loses = word in LOSSES and not stem.known & _LOSS_ROOTS
        if changes or loses or ((word in PART_WORDS or _is_number(word)) and base not in stem.known):
            raise AskAgain(f'"{shorten(word)}" may change the number: write only the number and its unit')
        if known_only and stem.text and not _is_known(word, base, expected):
            raise AskAgain(f'"{shorten(word)}" may change what the number says: write only the number and its unit')


def _is_number(word: str) -> bool:
    return word in NUMBER_WORDS and word not in ("one", "zero")


def _is_known(word: str, base: str, expected: AnswerFormat) -> bool:
    if word in FILLERS | MEASURES | LOSSES or len(word) < 3 or word.endswith("ly") or word[-1:].isdigit():
        return True
    stem = expected.stem
    if word in expected.lexicon.words or base in stem.known or word.partition(" ")[0] in NUMBERED_NAMES:
        return True
    short = any(one.startswith(base) for one in stem.known) if len(base) > 2 else False  # market cap
    return short or word.removesuffix("s") in stem.initials  # AZs of availability zones


def _check_side(words: Sequence[str], expected: AnswerFormat) -> None:
    padded = f" {' '.join(map(root, words))} "
    other = next((phrase for phrase in expected.stem.other_side if phrase_in(phrase, padded)), "")
    if other and not any(phrase_in(phrase, padded) for phrase in expected.stem.own_side):
        raise AskAgain(f'"{other}" is the opposite of what is asked: write the number that is asked')


# -- signs and units ------------------------------------------------------------------------


def _check_signs(before: Sequence[ResponsePiece], after: Sequence[ResponsePiece], expected: AnswerFormat) -> None:
    for line in (before, after):
        for place, piece in enumerate(line):
            if piece.kind != SIGN or piece.low in _QUIET - {"*", "**"}:
                continue
            bound = piece.low in (">=", "<=", ">", "<")
            enough = piece.low in (">=", "<=") and (_is_count(expected) or expected.bound) and line is before
            dash = (
                piece.low == "-" and (piece.gap or not place) and (line is after or place + 1 == len(line) or piece.gap)
            )
            emphasis = piece.low in ("*", "**") and not any(
                one.kind in (WORD, AMOUNT) for one in (line if line is after else ())
            )
            slash = piece.low == "/" and line is after
            glued = piece.low == "-" and 0 < place < len(line) - 1 and not piece.gap and not line[place + 1].gap
            if glued and line[place - 1].kind in (WORD, UNIT) and line[place + 1].kind in (WORD, UNIT):
                continue  # data-parallel
            if enough or dash or emphasis or slash:
                continue
            if bound:
                raise AskAgain("it gives a bound: write the number itself")
            raise AskAgain(f'cannot read "{piece.low}" here: write only the number and its unit')
    operator = before[-1] if before and before[-1].kind == SIGN and before[-1].low in OPERATORS else None
    name = before[-2] if operator is not None and len(before) > 1 else None
    if operator and name and name.kind in (WORD, UNIT) and (operator.low != "-" or len(name.low) < 3):
        raise AskAgain("it calculates with a name: write the number itself")  # K - 1, N*16
    sign = after[0].low if after and after[0].kind == SIGN else ""
    if sign == "+" or (sign == "'" and not before) or (sign in ("*", "**") and len(after) > 1):
        raise AskAgain(f'cannot read "{sign}" behind the number: write only the number and its unit')


def _check_right_before(before: Sequence[ResponsePiece], gap: bool, amount: WrittenAmount) -> None:
    """`A$2000` and `one 1000` are no amounts of what they look like, nor is `one in 1000`."""
    last = before[-1] if before else None
    if last is None or last.kind not in (WORD, UNIT):
        return
    if last.low == "x":
        return  # x1.5
    if (
        not gap
        or last.low in NUMBER_WORDS
        or last.low in FUNCTIONS - {"min", "max", "round"}
        or (last.low == "in" and amount.unit is None)
    ):
        raise AskAgain(f'cannot read "{last.low}" right before the number: write only the number and its unit')


def _check_units_apart(
    before: Sequence[ResponsePiece], after: Sequence[ResponsePiece], amount: WrittenAmount, expected: AnswerFormat
) -> None:
    """A unit apart from its number: `a minute and 30 s`, `31.7, GB`, `3 kW min`."""
    for place, piece in enumerate((*before, *after)):
        unit = piece.unit
        if piece.kind != UNIT or unit is None or unit.dim.label or not unit.dim.powers:
            continue
        times = expected.unit.dim.is_rate and unit.dim == SECOND.dim
        same = unit == expected.unit and amount.unit is None and place < len(before)
        if place - len(before) in (0, 1) and after[0].kind in (UNIT, SIGN) and after[0].low in (piece.low, "-"):
            same, times = False, True  # 3646 petaflop days
        if not same and (times or fits(unit.dim, expected.unit.dim) or unit.dim == expected.unit.dim):
            raise AskAgain("a unit stands apart from the number: write it right after")
        if not same and (amount.unit is None or place >= len(before)):
            raise AskAgain("a unit stands apart from the number: write it right after")


def _check_right_behind(after: Sequence[ResponsePiece], amount: WrittenAmount, expected: AnswerFormat) -> None:
    """The word right behind a bare number is a filler, a word of the stem or a unit; and so is the one behind `per`."""
    words = [piece for piece in after[:2] if piece.kind == WORD]
    first = after[0] if after else None
    if first is None:
        return
    if first.low in ("/", "per", "a", "an", "every"):
        below = next((piece for piece in after[1:2] if piece.kind in (WORD, UNIT)), None)
        if below is None and first.low not in ("/", "per"):
            return
        if below is not None and below.kind == WORD and not _is_shared_by(below.low, expected):
            raise AskAgain(f'"{first.low} {shorten(below.low)}" is not asked: write the number that is')
        if below is None or below.unit is ONE or (below.kind == WORD and not _passes(below.low, expected, True)):
            raise _no_unit(below.low if below else first.low, expected)
        return
    thing = after[1].unit if len(after) > 1 else None
    if (
        thing is not None
        and thing.dim.label
        and fits(thing.dim, expected.unit.dim)
        and first.low not in OTHER_NUMBER | PREFIXES.keys()
    ):
        return  # 929833 optimizer steps
    if amount.unit is None and first.kind == WORD and words and not _passes(first.low, expected, False):
        raise _no_unit(first.low, expected)


def _no_unit(word: str, expected: AnswerFormat) -> AskAgain:
    near = did_you_mean(word, expected.lexicon.words.keys() | set(expected.stem.question_text.split()))
    hint = f"{near} Write" if near and len(word) > 3 else "write"
    return AskAgain(f'"{shorten(word)}" is no unit known here: {hint} the number with its unit')


def _passes(word: str, expected: AnswerFormat, below: bool) -> bool:
    base, stem = root(word), expected.stem
    if base in stem.counted:
        return True
    if base in stem.given and not below and (_is_count(expected) or expected.unit.dim.bare) and word not in FILLERS:
        return False  # 128 hosts, where subnets of 16 hosts are counted
    if len(word) > 1 and (base in stem.known or (word in FILLERS | MEASURES | LOSSES | OTHER_NUMBER and not below)):
        return True
    return len(word) > 1 and word.removesuffix("s") in stem.initials


def check_share(words: Sequence[str], amount: WrittenAmount, expected: AnswerFormat) -> None:
    """Raise AskAgain for `10 GB per replica`, and for an amount with `each` among the `words` around it, where the stem
    asks for no share."""
    stem = expected.stem
    if not stem.text:
        return
    powers = dict(expected.unit.dim.powers)
    for name, power in amount.unit.dim.powers if amount.unit is not None else ():
        divides = power < 0 and name not in PHYSICAL and not any(one in powers for one in (name, *twins(name)))
        if divides and not (stem.each and _names(name, expected)) and not _is_about_one(name, expected):
            raise AskAgain(f'"per {name}" is not asked: write the number that is')
    shared = SHARED_OUT.intersection(words)
    below = any(power < 0 for name, power in powers.items() if name not in PHYSICAL)
    if shared & {"each", "apiece"} and not stem.each and not below:
        raise AskAgain(f'"{sorted(shared)[0]}" is not asked: write the number that is')


def _is_shared_by(word: str, expected: AnswerFormat) -> bool:
    """Whether an amount `per` this word of the stem is asked; True for a word that the stem does not have."""
    base, stem = root(word), expected.stem
    return base not in stem.known or _is_about_one(word, expected) or (stem.each and base in stem.question)


def _names(label: str, expected: AnswerFormat) -> bool:
    """Whether the stem names the things of `label`, by any of their words."""
    return bool(label_roots(label, expected) & expected.stem.known)


def _is_about_one(label: str, expected: AnswerFormat) -> bool:
    """Whether the stem speaks of one thing of `label`: "a GPU", "the process"."""
    words = "|".join(map(re.escape, sorted(label_roots(label, expected))))
    return bool(re.search(rf"\b(?:an?|one|the|each|every|per) (?:\w+ )?(?:{words})\b", expected.stem.question_text))


def label_roots(label: str, expected: AnswerFormat) -> frozenset[str]:
    """The roots of all words for the things of `label`: its own, those of its twins, and those of the bank."""
    same = (label, *twins(label))
    own = (word for word, unit in expected.lexicon.words.items() if unit.dim.label in same)
    return frozenset(map(root, (*same, *own)))


# -- pieces ---------------------------------------------------------------------------------


def _is_count(expected: AnswerFormat) -> bool:
    return expected.whole or bool(expected.unit.dim.label)


def _words(line: Sequence[ResponsePiece]) -> list[str]:
    return [word for piece in line if piece.kind == WORD for word in piece.low.replace("_", " ").split()]


def _between_stops(line: Sequence[ResponsePiece]) -> list[list[ResponsePiece]]:
    """The pieces of `line` between its stops and dashes."""
    parts: list[list[ResponsePiece]] = [[]]
    for piece in line:
        if piece.kind == SIGN and (piece.low in STOPS or (piece.low == "-" and piece.gap)):
            parts.append([])
        else:
            parts[-1].append(piece)
    return parts
