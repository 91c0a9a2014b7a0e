"""The one amount of a response that answers: the last result, if each word around it is known; or a reason to ask.

`95% misses` is no hit rate, `7 hops too many` are not 7 hops and `31.7 bananas` are nothing. Known are the fillers,
units, the words of the stem and of the bank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final, NamedTuple

from quizgen.formula.unit_table import PHYSICAL
from quizgen.formula.units import LABELS_OF_WORD, ONE, Unit, answer_dimension_fits, synonymous_labels
from quizgen.numbers import words as known
from quizgen.numbers.amounts import SECOND, has_money
from quizgen.numbers.answer import AnswerFormat, AskAgain
from quizgen.numbers.sums import amounts_of, is_operator
from quizgen.numbers.tokens import AMOUNT, END, SIGN, WORD, Line, ResponseToken, WrittenAmount
from quizgen.numbers.words import root
from quizgen.source.problems import shorten

_PUNCTUATION: Final = frozenset((",", ";", ".", "!", "?", "(", ")", ":"))
_HARMLESS_SIGNS: Final = (*_PUNCTUATION, '"', "_", "#", "|", "@")
_NEUTRAL_ROOTS: Final = known.FILLERS | known.MEASURES
_WRITE_PLAINLY: Final = "write only the number and its unit"
TWO_NUMBERS_REASON: Final = "these are two different numbers: write one"
_FILLER_TEXTS: Final = known.FILLERS | {",", ".", "-", "(", ")", '"'}
_ARTICLES: Final = ("a", "an", "the", "each", "all")
_MAX_DIFFERENCE: Final = Fraction(1, 100)  # largest relative difference between two rounded spellings of one amount
_MIN_ROUNDED_NUMBER: Final = 10**6  # from here on trailing zeros may be rounding


class Segment(NamedTuple):
    """The spans between two signs of a result (`=`, `->`, `~`, `:`, "so"), and the sign that leads to them; "(" for an
    amount in a parenthesis behind the result."""

    sign: str
    line: list[ResponseToken]


def choose_amount(line: Line, expected: AnswerFormat) -> WrittenAmount:
    """The amount in `line` that answers. Raises AskAgain."""
    segments = _segments(line)
    numbered = [place for place, segment in enumerate(segments) if amounts_of(segment.line)]
    if not numbered:
        raise AskAgain("there is no number in it: write one")
    last = numbered[-1]
    _check_whole_line(line, len(numbered), expected)
    for place, segment in enumerate(segments):
        if place not in numbered:
            words = _words_of_line([span for span in segment.line if span.low not in expected.stem.terms])
            check_phrase(words, expected, any(map(is_operator, segment.line)))
    result, asides = _answer_in(segments[last].line, expected)
    for earlier in (*asides, *(segments[place] for place in reversed(numbered[:-1]))):
        result = _reconcile_earlier(earlier, segments[last].sign, result, expected)
    return result


def _check_whole_line(line: Line, parts: int, expected: AnswerFormat) -> None:
    """Two numbers in a row, or with "or" between them, are two answers; money in brackets may be a loss."""
    words = " ".join(span.low for span in line if span.kind == WORD)
    alternative = parts > 1 and "or" in known.EMPTY_PHRASES.sub("", words).split()
    if alternative or any(one.kind == AMOUNT == other.kind for one, other in pairwise(line)):
        raise AskAgain(TWO_NUMBERS_REASON)
    bracketed = len(line) == 3 and line[0].low == "(" and line[2].low == ")"
    if bracketed and has_money(expected.unit_in_stem or expected.unit):
        raise AskAgain("a number in brackets may be a loss: write it with its sign")


def _segments(line: Line) -> list[Segment]:
    segments = [Segment("", [])]
    depth = 0
    for before, span, behind in zip((END, *line), line, (*line[1:], END), strict=False):
        depth += (span.low == "(") - (span.low == ")")
        equals = span.low in ("=", "->", "~") or (span.low == ":" and behind.gap)
        concludes = span.low in known.CONCLUDING and before.low != "or"
        if depth <= 0 and (equals or concludes):
            segments.append(Segment("=" if span.low == "is" else "so" if span.kind == WORD else span.low, []))
        elif span.low != "~":
            segments[-1].line.append(span)
    if depth > 0:
        raise AskAgain("the parentheses do not match: write the number, or close them")
    return segments


# -- two amounts, or two spellings of one ---------------------------------------------------


def is_of_kind(unit: Unit, expected: AnswerFormat) -> bool:
    """Whether `unit` fits what is expected, or is exactly the one that the stem names for a plain number."""
    wanted, named = expected.unit.dim, expected.unit_in_stem
    exactly = named is not None and (unit.dim, unit.factor) == (named.dim, named.factor)
    return exactly or (answer_dimension_fits(unit.dim, wanted) and (wanted.bare or not unit.dim.bare))


def _reconcile_earlier(earlier: Segment, sign: str, result: WrittenAmount, expected: AnswerFormat) -> WrittenAmount:
    """`result`, which `sign` leads to, held against an earlier part: the finer one of two spellings of one amount;
    AskAgain for two answers."""
    first, *more = amounts_of(earlier.line)
    left = first.amount
    if left is None or not is_of_kind(left.unit or expected.unit, expected):
        return result
    if not is_of_kind(result.unit or expected.unit, expected):
        raise AskAgain(TWO_NUMBERS_REASON)  # 13 GPUs = 104 GB
    if more:
        if earlier.sign == "=" and left.unit is not None and not _is_same(left, result, expected):
            raise AskAgain(TWO_NUMBERS_REASON)  # 60 ms, maybe 3 * 30 ms = 90 ms
        return result
    if _is_result_of(left, result, earlier.sign, sign, expected):
        return result
    if _is_same(left, result, expected):
        return _more_precise(left, result, expected)
    unit_lost = (left.unit is None, result.unit is None) == (False, True)
    if (unit_lost, left.value) == (True, result.value):
        return left  # 16000 * 2 MB = 32000
    if unit_lost or _is_answer_too(earlier, first, sign):
        raise AskAgain(TWO_NUMBERS_REASON)
    return result


def _is_result_of(left: WrittenAmount, result: WrittenAmount, before: str, sign: str, expected: AnswerFormat) -> bool:
    """Whether `result` is `left` with a unit, or the whole number that it comes to: `13.33 -> 14`, `14 (13.33)`.
    `before` and `sign` lead to them."""
    aside, unit = before == "(", expected.unit
    counted = unit.whole if aside else bool(unit.dim.label) or (unit is ONE and sign in ("->", "so"))
    near = abs(Fraction(left.value) - Fraction(result.value)) < 1 and Fraction(result.value).denominator == 1
    return (not aside and left.unit is None and result.unit is not None) or (near and (expected.whole or counted))


def _is_answer_too(earlier: Segment, span: ResponseToken, sign: str) -> bool:
    """Whether the number `span` of an earlier part is another answer: it is in a parenthesis, it stands alone, or
    something named follows it (`A: 10 GB, B: 20 GB`)."""
    behind = earlier.line[earlier.line.index(span) + 1 :]
    named = bool(behind) and behind[0].low in (",", ";", ".") and sign in ("=", ":")
    alone = not span.worked and all(one.kind == AMOUNT or root(one.low) in _FILLER_TEXTS for one in earlier.line)
    return earlier.sign == "(" or named or alone


def _is_same(left: WrittenAmount, right: WrittenAmount, expected: AnswerFormat) -> bool:
    """Whether two amounts are two spellings of one, each rounded: `31.7 GB (29.5 GiB)`, `0.467 = 46.7%`."""
    whole = expected.whole or expected.unit.whole
    for mine in _possible_units(left, expected):
        for theirs in _possible_units(right, expected):
            one, other = Fraction(left.value) * mine.factor, Fraction(right.value) * theirs.factor
            slack = max(_rounding_error(left, mine), _rounding_error(right, theirs))
            if mine.factor != theirs.factor and not whole:
                slack = max(slack, _MAX_DIFFERENCE * max(abs(one), abs(other)))
            if answer_dimension_fits(mine.dim, theirs.dim) and abs(one - other) <= slack:
                return True
    return False


def _possible_units(amount: WrittenAmount, expected: AnswerFormat) -> tuple[Unit, ...]:
    unit = expected.unit_in_stem or expected.unit
    if amount.unit is not None:
        return (amount.unit,)
    return (unit, ONE) if unit.dim.bare and unit is not ONE else (unit,)


def _rounding_error(amount: WrittenAmount, unit: Unit) -> Fraction:
    """By how much an amount may be rounded, at most a tenth of it: 0.05 for 31.7, half of one for 30."""
    step = amount.step or Fraction(0)
    if abs(Fraction(amount.value)) < _MIN_ROUNDED_NUMBER:
        step = min(step, Fraction(1))
    return min(step / 2, abs(Fraction(amount.value)) / 10) * unit.factor


def _more_precise(left: WrittenAmount, right: WrittenAmount, expected: AnswerFormat) -> WrittenAmount:
    """The amount of two spellings that was written in the expected unit or to more digits; `left` where both were."""
    if left.unit is not None and right.unit is not None and left.unit != right.unit:
        return right if right.unit == expected.unit else left
    places = [((one.step or 0) * _possible_units(one, expected)[0].factor, one.unit is None) for one in (left, right)]
    return left if places[0] <= places[1] else right


# -- the amount of one part -----------------------------------------------------------------


def _answer_in(line: Line, expected: AnswerFormat) -> tuple[WrittenAmount, list[Segment]]:
    """The only amount of a part, or the one with a unit that fits where all others are of a different kind; and the
    amounts in parentheses behind it."""
    line, asides = _split_asides(line)
    faults = [span.fault for span in amounts_of(line) if span.amount is None]
    if faults:
        raise AskAgain(faults[0])
    amounts = {place: span.amount for place, span in enumerate(line) if span.amount is not None}
    place = _place_of_answer(line, amounts, expected)
    answer = amounts[place]
    if answer.unit is None and any(not one[0].gap and amounts_of(one) for one in asides):
        raise AskAgain("a number right before a parenthesis may be a product or a margin: write the result")
    check_words(line[:place], line[place + 1 :], asides, answer, line[place].gap, expected)
    return answer, [Segment("(", [span]) for one in asides for span in amounts_of(one)]


def _place_of_answer(line: Line, amounts: Mapping[int, WrittenAmount], expected: AnswerFormat) -> int:
    """The place in `line` of the one that answers of `amounts` by their places. Raises AskAgain for two answers."""
    bare = expected.unit.dim.bare
    fitting = [place for place, one in amounts.items() if (is_of_kind(one.unit, expected) if one.unit else bare)]
    answer = fitting[0] if len(fitting) == 1 else next(iter(amounts))
    others = [place for place in amounts if place != answer]
    alone = len(fitting) == 1 and line[answer - 1].low not in ("to", "-", "..", "and", "or", "&", "+")
    if others and not (alone and all(_is_condition(line, amounts, place, answer, expected) for place in others)):
        raise AskAgain(TWO_NUMBERS_REASON)
    return answer


def _is_condition(
    line: Line, amounts: Mapping[int, WrittenAmount], place: int, answer: int, expected: AnswerFormat
) -> bool:
    """Whether the amount at `place` is no second answer beside the one at `answer`: `on 32 GPUs`, `4 %, so`."""
    before = next((span.low for span in reversed(line[:place]) if span.low not in _ARTICLES), "")
    unit = amounts[place].unit
    if before in known.CONDITION_LEADS or before == "@":
        share = before in ("of", "in") and amounts[answer].unit is None  # 1460 of 1538 bytes
        return not share and not (unit and unit.dim.label and expected.unit.dim.label)  # 4 GPUs on each of 8 nodes
    return unit is not None and any(span.low in (",", ";") for span in line[max(place - 1, 0) : max(place, answer)])


# -- the words around an amount -------------------------------------------------------------


def check_words(
    before: Line, after: Line, asides: Sequence[Line], amount: WrittenAmount, gap: bool, expected: AnswerFormat
) -> None:
    """Raise AskAgain where the spans `before` or `after` an amount, or the `asides` in parentheses behind it, make it
    another number than it looks. `gap`: something blank stands before the amount."""
    _check_signs(before, after, expected)
    _check_units_apart((*before, *after, *(span for line in asides for span in line)), amount, expected)
    _check_neighbours(before, after, amount, gap, expected)
    _check_share([span.low for span in (*before, *after)], amount, expected)
    if amount.unit is ONE and after and after[0].low in known.COMPARATIVES:
        after = after[1:]  # 42 times faster
    for line in (before, after, *asides):
        stops = [place for place, span in enumerate(line) if span.low in _PUNCTUATION or (span.low == "-" and span.gap)]
        for start, end in zip((-1, *stops), (*stops, len(line)), strict=True):
            check_phrase(_words_of_line(line[start + 1 : end]), expected)


def check_phrase(words: list[str], expected: AnswerFormat, formula: bool = False) -> None:
    """Raise AskAgain for `words` that name the opposite of what is asked, change a number, or are unknown and not
    names of a `formula`."""
    stem, other = expected.stem, [word for word in words if root(word) in expected.stem.other_side]
    if other and stem.own_side.isdisjoint(map(root, words)):
        raise AskAgain(f'"{other[0]}" is the opposite of what is asked: write the number that is asked')
    text = known.EMPTY_PHRASES.sub(" ", " ".join(words))
    if known.ENOUGH_PHRASES.search(text) and not _may_be_enough(expected):
        raise AskAgain("it gives a bound: write the number itself")
    for word in known.ENOUGH_PHRASES.sub(" ", text).split():
        base = root(word)
        if (base not in stem.question or word in known.DENIALS) and base not in stem.own_side:
            _check_word(word, base, expected, formula)


def _check_word(word: str, base: str, expected: AnswerFormat, formula: bool) -> None:
    stem, own = expected.stem, expected.lexicon.words
    if base in known.OTHER_NUMBER or (word in LABELS_OF_WORD and word not in own):
        raise AskAgain(f'"{shorten(word)}" may change the number: {_WRITE_PLAINLY}')
    named = base in stem.known or word in own or word.removesuffix("s") in stem.initials  # AZs
    harmless = base in _NEUTRAL_ROOTS or len(word) < 3 or word.endswith("ly")
    numbered = word[-1].isdigit() and word not in known.FUNCTIONS  # H100
    if not (formula or named or harmless or numbered):
        raise _unknown_word(word)


def _unknown_word(word: str) -> AskAgain:
    return AskAgain(
        f'"{shorten(word)}" is not a unit known here, nor a word of the question: write the number with its unit'
    )


def _check_signs(before: Line, after: Line, expected: AnswerFormat) -> None:
    """`16*N` and `K - 1` calculate with a name, `2000+`, `30'` and `> 30` are more than a number, `sin(2)` is none."""
    quiet = (*_HARMLESS_SIGNS, *((">=", "<=") if _may_be_enough(expected) else ()))
    for last, span in pairwise((END, *before, END, *after)):
        dash = span.low == "-" and len(last.low) > 2  # memory - 31.7 GB
        called = span.low == "(" and last.kind == WORD and not span.gap
        if span.kind == SIGN and (called or not (dash or span.low in quiet)):
            raise AskAgain(f'cannot read "{span.low}" here: {_WRITE_PLAINLY}')


def _check_units_apart(line: Line, amount: WrittenAmount, expected: AnswerFormat) -> None:
    """A unit apart from its number (`a minute and 30 s`, `31.7, GB`), but for the word of a different kind that the
    stem has (`45 GB for the hour`)."""
    wanted = expected.unit.dim
    for span in line:
        if span.unit is None or span.unit.dim.label or not span.unit.dim.powers:
            continue
        alike = answer_dimension_fits(span.unit.dim, wanted) or (wanted.is_rate and span.unit.dim == SECOND.dim)
        if alike or amount.unit is None or root(span.low) not in expected.stem.known:
            what = "the number alone" if expected.unit is ONE else "the unit right after"
            raise AskAgain(f"there is a word between number and unit: write {what}")


def _check_neighbours(before: Line, after: Line, amount: WrittenAmount, gap: bool, expected: AnswerFormat) -> None:
    """Raise AskAgain for a word joined to the number's front (`A$2000`, `one 1000`, `one in 1000`), for a word behind
    `per` that is no unit and not asked for, and for one behind a bare number that is given or only a letter or two."""
    last, first, below = (END, *before)[-1], *(*after, END, END)[:2]
    stem = expected.stem
    joined = not gap or last.low in known.NUMBER_WORDS or (last.low == "in" and amount.unit is None)
    if last.kind == WORD and last.low != "x" and joined:
        raise AskAgain(f'cannot read "{last.low}" right before the number: {_WRITE_PLAINLY}')
    if first.low == "per" or (first.low in ("a", "an", "every") and below.kind == WORD):
        if below.unit is None and root(below.low) not in stem.singular:
            raise AskAgain(f'"{first.low} {shorten(below.low)}" is not asked: write the number that is')
    elif amount.unit is None and first.kind == WORD:
        _check_behind_bare(first, expected)


def _check_behind_bare(word: ResponseToken, expected: AnswerFormat) -> None:
    base, stem, low = root(word.low), expected.stem, word.low
    if base in stem.known - stem.question - _NEUTRAL_ROOTS:
        raise AskAgain(f'"{shorten(low)}" may be what is given: write the number with its unit')
    short = len(low) < 3 and low != "or" and base not in known.FILLERS
    if not word.gap or (short and (len(low) == 1 or base not in stem.known)):
        raise _unknown_word(low)


def _check_share(words: list[str], amount: WrittenAmount, expected: AnswerFormat) -> None:
    """Raise AskAgain for `10 GB per replica`, and for `each` among the `words` around an amount, where the stem asks
    for no share."""
    stem, powers = expected.stem, dict(expected.unit.dim.powers)
    if not stem.text:
        return
    for name, power in amount.unit.dim.powers if amount.unit is not None else ():
        divides = (
            power < 0 and name not in PHYSICAL and not any(one in powers for one in (name, *synonymous_labels(name)))
        )
        if divides and label_roots(name, expected).isdisjoint(stem.singular):
            raise AskAgain(f'"per {name}" is not asked: write the number that is')
    if "each" in words and known.SHARES.isdisjoint(stem.question) and all(power >= 0 for power in powers.values()):
        raise AskAgain('"each" is not asked: write the number that is')


def label_roots(label: str, expected: AnswerFormat) -> frozenset[str]:
    """The roots of all words for the things of `label`: its own, those of its twins, and those of the bank."""
    same = (label, *synonymous_labels(label))
    own = (word for word, unit in expected.lexicon.words.items() if unit.dim.label in same)
    return frozenset(map(root, (*same, *own)))


def _may_be_enough(expected: AnswerFormat) -> bool:
    """Whether a bound (`at least 14`) answers what is expected."""
    return expected.whole or bool(expected.unit.dim.label)


def _words_of_line(line: Line) -> list[str]:
    return [word for span in line if span.kind == WORD for word in span.low.replace("_", " ").split()]


def _split_asides(line: Line) -> tuple[Line, list[list[ResponseToken]]]:
    """`line` without the parentheses behind an amount, and these: `38.5 GB (28 + 10.5)`, `52 (rounded down)`."""
    left: list[ResponseToken] = []
    asides: list[list[ResponseToken]] = []
    numbers = inside = False
    for span in line:
        if not inside and span.low == "(" and numbers:
            asides.append([])
            inside = True
        (asides[-1] if inside else left).append(span)
        inside = inside and span.low != ")"
        numbers = numbers or span.kind == AMOUNT
    return left, asides
