"""The words around an amount: each is known, or the candidate is asked.

`95% misses` is no hit rate, `7 hops too many` are not 7 hops and `31.7 bananas` are nothing. Known are the fillers,
units, the words of the stem and of the bank.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from quizgen.formula.unit_table import PHYSICAL
from quizgen.formula.units import ONE, WRITTEN, fits, twins
from quizgen.numbers import words as known
from quizgen.numbers.answer import AnswerFormat, AskAgain
from quizgen.numbers.fold import phrase_in, root
from quizgen.numbers.sums import is_operator
from quizgen.numbers.tokens import OPERATORS, SIGN, WORD, Line, ResponseToken, WrittenAmount
from quizgen.numbers.units import SECOND
from quizgen.source.problems import did_you_mean, shorten

_STOPS: Final = frozenset((",", ";", ".", "!", "?", "(", ")", ":"))
_QUIET: Final = _STOPS | {'"', "'", "_", "#", "|", "@", "-"}
_SENTENCE: Final = 3  # a remark of more words behind a stop is a sentence of its own
_EMPTY: Final = re.compile(known.EMPTY_PHRASES)
_ENOUGH: Final = re.compile(known.ENOUGH_PHRASES)
_NAMED_LOSSES: Final = known.LOSSES - {"down", "less", "lower"}
_NEUTRAL: Final = known.FILLERS | known.MEASURES | known.LOSSES
_PARTS: Final = known.PART_WORDS | (known.root_set(" ".join(known.NUMBER_WORDS)) - {root("one")})
_PLAIN: Final = "write only the number and its unit"
_WITH_A_NAME: Final = "it calculates with a name: write the number itself"


def check_words(
    before: Line, after: Line, remarks: Iterable[Line], amount: WrittenAmount, gap: bool, expected: AnswerFormat
) -> None:
    """Raise AskAgain where the spans `before` or `after` an amount, or the `remarks` in parentheses behind it, make it
    another number than it looks. `gap`: something blank stands before the amount."""
    _check_signs(before, after, expected)
    _check_units_apart(before, after, amount, expected)
    if before:
        _check_right_before(before[-1], gap, amount)
    if after:
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
    check_phrase(words, expected, leads and not any(is_operator(span) for span in line))


def check_phrase(words: list[str], expected: AnswerFormat, known_only: bool) -> None:
    """Raise AskAgain for `words` that change a number, name the opposite of what is asked or are unknown
    (`known_only`)."""
    # The order matters: what is opposite, a bound, a change, then what is unknown.
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
        if (base in stem.question and word not in known.DENIALS) or base in own:
            continue
        if _changes(word, base, expected):
            raise AskAgain(f'"{shorten(word)}" may change the number: {_PLAIN}')
        if known_only and not _is_known(word, base, expected):
            raise _unknown(word, expected)


def _unknown(word: str, expected: AnswerFormat) -> AskAgain:
    near = did_you_mean(word, expected.lexicon.words.keys() - {word}) if len(word) > 3 else ""
    write = f"{near} Write" if near else "write"
    return AskAgain(
        f'"{shorten(word)}" is not a unit known here, nor a word of the question: {write} the number with its unit'
    )


def _changes(word: str, base: str, expected: AnswerFormat) -> bool:
    """Whether `word` makes a number beside it another one: a bound, a denial, a part, a loss, another currency."""
    if base in known.OTHER_NUMBER or word in known.MAGNITUDE_WORDS:
        return True
    lost = base in known.LOSSES and not expected.stem.known & _NAMED_LOSSES
    money = word in WRITTEN and word not in expected.lexicon.words
    return lost or money or (base in _PARTS and base not in expected.stem.known)


def _is_known(word: str, base: str, expected: AnswerFormat) -> bool:
    if base in _NEUTRAL or len(word) < 3 or word.endswith("ly") or word[-1:].isdigit():
        return True
    stem = expected.stem
    short = any(one.startswith(base) for one in stem.known)  # cap of capitalisation
    return short or word in expected.lexicon.words or word.removesuffix("s") in stem.initials  # AZs


# -- signs and units ------------------------------------------------------------------------


def _check_signs(before: Line, after: Line, expected: AnswerFormat) -> None:
    """`K - 1` and `16*N` calculate with a name; `2000+`, `30'` and `> 30` are more than a number."""
    enough = (">=", "<=") if _may_be_enough(expected) else ()
    for span in (*before, *after):
        if span.kind == SIGN and span.low not in (*_QUIET, *enough, *OPERATORS):
            raise AskAgain(f'cannot read "{span.low}" here: {_PLAIN}')
    if after and after[0].low in ("+", "*", "**", "/", "'"[bool(before) :]):
        raise AskAgain(_WITH_A_NAME)  # 16*N
    name, sign = (*before[-2:],) if len(before) > 1 else (None, before[-1] if before else None)
    if (
        sign is not None
        and is_operator(sign)
        and (sign.low == "/" or (name and (sign.low != "-" or len(name.low) < 3)))
    ):
        raise AskAgain(_WITH_A_NAME)  # K - 1


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
    for place, span in enumerate((*before, *after)):
        unit, behind = span.unit, place >= len(before)
        if unit is None or unit.dim.label or not unit.dim.powers:
            continue
        alike = fits(unit.dim, expected.unit.dim) or (expected.unit.dim.is_rate and unit.dim == SECOND.dim)
        if alike or ((behind or amount.unit is None) and not _is_of_stem(span, before, after, amount, expected)):
            raise AskAgain("a unit stands apart from the number: write it right after")


def _is_of_stem(span: ResponseToken, before: Line, after: Line, amount: WrittenAmount, expected: AnswerFormat) -> bool:
    """Whether `span` is a word of the stem, and neither right behind the amount nor behind `per`."""
    line = (*before, *after)
    led = line[line.index(span) - 1].low == "per" or after[:1] == [span]
    return root(span.low) in expected.stem.known and amount.unit is not None and not led


def _check_right_behind(after: Line, amount: WrittenAmount, expected: AnswerFormat) -> None:
    """The word behind `per` and the one right behind a bare number are units, or words of the stem that are asked."""
    # Complex by count alone: each test is one word's meaning.
    first, below = after[0], after[1] if len(after) > 1 else None
    if first.low == "per" or (first.low in ("a", "an", "every") and below is not None and below.kind != SIGN):
        _check_below(first, below, expected)
    elif amount.unit is None and first.kind == WORD:
        stem, base, count = expected.stem, root(first.low), _is_count(expected) or expected.unit.dim.bare
        if count and base in stem.given - stem.counted:  # 128 hosts, where subnets of 16 hosts are counted
            raise AskAgain(f'"{shorten(first.low)}" may be what is given: write the number with its unit')
        short = len(first.low) == 1 or (len(first.low) == 2 and first.low != "or" and base not in stem.known)
        if (not first.gap and first.low != "ish") or (short and base not in known.FILLERS):
            raise _unknown(first.low, expected)


def _check_below(sign: ResponseToken, below: ResponseToken | None, expected: AnswerFormat) -> None:
    """The word `below` behind a `sign` that divides (per, a) is a unit, or a word of the stem that is asked."""
    if below is None or (below.unit is None and (below.kind != WORD or root(below.low) not in expected.stem.known)):
        raise _unknown(below.low if below is not None else sign.low, expected)
    if below.unit is None and not _is_per(frozenset((root(below.low),)), expected):
        raise AskAgain(f'"{sign.low} {shorten(below.low)}" is not asked: write the number that is')


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
