"""A word that begins like no key is not stemmed: then its stem must be no key."""

from __future__ import annotations

from random import Random

from quizgen.rubric.pattern.beginnings import may_have_root, root_of
from quizgen.rubric.text.lexicon import words
from quizgen.rubric.text.stem import irregular, stem
from quizgen.rubric.text.typos import known_words

ENDINGS = words(
    """s es ed er ers ing ings ly ize ise ised izing ization isation ational ator ful fully fulness ous ously ousness
    ive iveness ivity able ably ability ible ibly ibility ence ency ance ancy ment ments ness less lessly al ally ality
    ic ical ically icity icate ify ies ied y logy ism ist e ee eed eedly edly ingly i li bli"""
)


def lost(said: list[str]) -> list[str]:
    """Words that would not be recognised by their own stem."""
    return [w for w in said if not irregular(w) and not may_have_root(w, frozenset((root_of(stem(w)),)))]


def test_every_word_of_the_dictionary_begins_like_its_stem() -> None:
    assert lost(sorted(w for w in known_words() if w)) == []


def test_made_up_words_begin_like_their_stems() -> None:
    draw = Random(7)
    fronts = ["".join(draw.choices("abcdefghilmnoprstuvwyz", k=draw.randint(1, 6))) for _ in range(300)]
    fronts += draw.sample(sorted(w for w in known_words() if w.isalpha() and len(w) < 9), 300)
    assert lost([front + ending for front in fronts for ending in ENDINGS]) == []


def test_what_a_stem_keeps() -> None:
    assert not may_have_root("possessive", frozenset((root_of(stem("possibility")),)))
    assert may_have_root("possible", frozenset((root_of(stem("possibility")),)))
    assert may_have_root("aging", frozenset((root_of("age"),)))
