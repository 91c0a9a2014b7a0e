"""What a page without our scorer holds a number against: the key of one variant, and known mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import islice

from quizgen.formula.factor_slips import slips
from quizgen.formula.mistakes import Target
from quizgen.formula.quantity import counted
from quizgen.portable_item import KnownMistake, NumberKey

_SLIPS = 16  # the simplest ones are told; a page is no place for hundreds


def number_key(wanted: Target, words: Iterable[tuple[str, Fraction, str]]) -> NumberKey:
    """What a page holds a response against. `words`: answers in words, what each earns, what is said about it."""
    by_word = {word: (share, say) for word, share, say in words}
    key = wanted.key
    if isinstance(key, tuple):
        return NumberKey(numbers=tuple(Fraction(part) for part in key), words=by_word)
    if isinstance(key, bool | str):
        return NumberKey(words=by_word, named=tuple(_named(wanted)))
    exact = Fraction(key)
    factors = islice(slips(wanted.unit, wanted.degrees, wanted.counted), _SLIPS)
    return NumberKey(
        exact,
        max(abs(exact) * wanted.share, wanted.tolerance.margin),
        wanted.digits,
        counted(exact, wanted.unit),
        tuple(_named(wanted)),
        tuple(
            KnownMistake(s.factor * exact, abs(s.factor * exact), s.say, wanted.credits.get(s.id, Fraction(0)))
            for s in factors
            if exact
        ),
        by_word,
        half=bool(wanted.digits) and "rounded-too-far" not in wanted.credits,
        whole=wanted.whole,
    )


def _named(wanted: Target) -> Iterator[KnownMistake]:
    for known in wanted.known:
        if not isinstance(known.value, bool | str | tuple):
            value = Fraction(known.value)
            yield KnownMistake(value, counted(value, wanted.unit), known.say, known.credit)
