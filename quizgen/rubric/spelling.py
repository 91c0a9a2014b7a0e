"""Reduces words to their stems, and corrects misspelt words to words of a rubric."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import chain
from pathlib import Path
from sys import intern
from typing import Final

from quizgen.rubric.lexicon import DIGITS_BY_WORD, WORD_TABLES

# -- Words to stems: Snowball's English stemmer behind spelling variants, irregular forms and a cache.
# The same rules apply to rubric and response, so only the equality of two stems matters.
# Source of the algorithm: M. F. Porter, "Porter2", snowballstem.org.

_STEM_BY_IRREGULAR_WORD: Final[dict[str, str]] = dict(pair.split(":") for pair in WORD_TABLES["stems"])
_STEM_BY_IRREGULAR_PLURAL: Final = {f"{word}s": stem for word, stem in _STEM_BY_IRREGULAR_WORD.items()}
_STEM_BY_EXCEPTIONAL_WORD: Final = _STEM_BY_IRREGULAR_PLURAL | _STEM_BY_IRREGULAR_WORD | DIGITS_BY_WORD
_US_START_BY_UK_START: Final[dict[str, str]] = dict(pair.split(":") for pair in WORD_TABLES["american spellings"])
_BRITISH_START_PATTERN: Final = re.compile("|".join(sorted(_US_START_BY_UK_START, key=lambda w: (-len(w), w))))
_ISE_PATTERN: Final = re.compile(r"(?<=[a-z]{3})(?:is(?=(?:e[drs]?|ers|ing|ations?|able)$)|ys(?=(?:e[dr]?|ers|ing)$))")

# Plurals of names and initials, which Porter2 ignores: H100s, SSDs, TPUs (but not https).
_PLURAL_NAME_WITH_NUMBER_PATTERN: Final = re.compile(r"[a-z]+\d+s")
_CED_OR_CING_ENDING_PATTERN: Final = re.compile(r"[a-z]{2,}c(?:ed|ing)")  # verbs in -ce: referenced, balancing
_PLURAL_INITIALS_PATTERN: Final = re.compile(r"(?!https)[^aeiou\W\d_]{2,}[aeiou]?s(?<!ss)")
# Endings that Porter2 keeps in one form and cuts from another: labell(ed), staff(s), quizz(es), trekk(ed), queue(s).
_ENDINGS_LOSING_LAST_LETTER: Final = ("ll", "aff", "iff", "uff", "zz", "kk", "ue")


def american_spelling(word: str) -> str:
    """The word in American spelling: `synchronise` gives `synchronize`, `colour` gives `color`."""
    if len(word) >= 4:
        if "is" in word or "ys" in word:
            word = _ISE_PATTERN.sub(lambda m: m.group()[0] + "z", word)
        if match := _BRITISH_START_PATTERN.match(word):
            ending = word[match.end() :]
            word = _US_START_BY_UK_START[match.group()] + ("ed" if ending == "d" else ending)  # centred, programmed
    return word


@lru_cache(maxsize=4096)  # bounded, so that hostile text cannot fill the memory
def word_stem(word: str) -> str:
    """The stem of a folded word; a word with digits or signs is its own stem."""
    # Complex only by count: a list of exceptions, the cheapest first.
    if not word.isalpha() or len(word) > 40:
        return word[:-1] if _PLURAL_NAME_WITH_NUMBER_PATTERN.fullmatch(word) else word
    if word in _STEM_BY_EXCEPTIONAL_WORD:
        return _STEM_BY_EXCEPTIONAL_WORD[word]
    if len(word) < 3 or not word.isascii():
        return word
    if _PLURAL_INITIALS_PATTERN.fullmatch(word):
        return word_stem(word[:-1])  # cycles as cycle
    if _CED_OR_CING_ENDING_PATTERN.fullmatch(word):
        word = f"{word.removesuffix('d').removesuffix('ing').removesuffix('e')}e"
    word = american_spelling(word)
    stem = _load_stem_function()(word)
    # A short word such as "fill" keeps its ll.
    if len(stem) >= 4 and stem.endswith(_ENDINGS_LOSING_LAST_LETTER) and (len(stem) > 4 or not stem.endswith("ll")):
        stem = stem[:-1]
    return intern(stem)  # shared with the tables of all rubrics


@lru_cache(maxsize=1)
def _load_stem_function() -> Callable[[str], str]:
    """The English stemmer, a function from a word to its stem; loaded when the first word needs it."""
    from Stemmer import Stemmer

    stemmer: Callable[[str], str] = Stemmer("english", 0).stemWord  # 0: it caches no stems, word_stem does
    return stemmer


# -- Misspelt words read as the rubric's words, guarded by a dictionary.
# Without the guard nearly all repairs join two real words (last and list, none and node), so a word in
# the dictionary is never repaired. The list is SCOWL up to size 60 and a hundred words of computing; its notice is in
# words-LICENSE.txt in this folder. It is read only when an unknown word resembles a word of a rubric.

MIN_LETTERS_TO_CORRECT: Final = 4
MAX_LETTERS_TO_CORRECT: Final = 24


@lru_cache(maxsize=1)
def _known_word_text_by_first_letters() -> dict[str, str]:
    """About 79,000 English words of four letters and more, and words of computing: as text by their first three
    letters, which takes a tenth of the memory of a set."""
    import gzip

    lines = gzip.decompress(Path(__file__).with_name("words.txt.gz").read_bytes()).decode("ascii")
    return {part[1]: f"\n{part[0]}\n" for part in re.finditer(r"^(...).*(?:\n\1.*)*", lines, re.MULTILINE)}


@lru_cache(maxsize=2048)
def is_known_word(word: str) -> bool:
    """Whether the word is in the list of known words."""
    return f"\n{word}\n" in _known_word_text_by_first_letters().get(word[:3], "")


def may_be_misspelt(word: str) -> bool:
    """Whether a word has only letters and is not known; any such word may be before the word list is loaded."""
    if not (MIN_LETTERS_TO_CORRECT <= len(word) <= MAX_LETTERS_TO_CORRECT and word.isalpha()):
        return False
    return not (_known_word_text_by_first_letters.cache_info().currsize and is_known_word(word))


class Speller:
    """Corrects misspelt words to the words of one rubric."""

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self._words: dict[str, list[str]] = {}  # by the first letter
        for word in vocabulary:
            self._words.setdefault(word[0], []).append(word)

    def correction_of(self, word: str) -> str:
        """The rubric's word that `word` probably means; empty if there is none."""
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract

        limit = 1 if len(word) < 8 else 2
        letters = frozenset(word) - _INFLECTION_LETTERS  # each that a base lacks is one mistake
        shortest, longest = len(word) - limit - 3, len(word) + limit + 3  # an inflection changes at most three letters
        bases = [b for b in self._words.get(word[0], ()) if shortest <= len(b) <= longest]
        bases = [base for base in bases if len(letters.difference(base)) <= limit]
        forms = chain.from_iterable(map(_inflected_forms, bases))
        # The stubs of rapidfuzz know scorers of floats only.
        matches = extract(word, forms, scorer=OSA.distance, score_cutoff=limit, limit=None)  # type: ignore[arg-type]
        best = {form for form, distance, _ in matches if distance == matches[0][1]}
        rivals = {word_stem(base) for base in bases if not best.isdisjoint(_inflected_forms(base))}
        return min(best) if len(rivals) == 1 and not is_known_word(word) else ""


_INFLECTION_LETTERS: Final = frozenset("deginrs")  # the letters that `_inflected_forms` adds


@lru_cache(maxsize=2048)
def _inflected_forms(word: str) -> tuple[str, ...]:
    """The word with regular English endings added or exchanged."""
    forms = [word, word + "s", *(word.removesuffix("e") + ending for ending in ("ed", "ing", "er", "es"))]
    if word.endswith("y"):
        forms.append(word[:-1] + "ies")
    if word.endswith("s") and len(word) > 4:
        forms.append(word[:-1])
    for ending, new_endings in (("ing", ("e", "", "ed", "es", "s")), ("ed", ("e", "", "ing", "es", "s"))):
        if word.endswith(ending) and len(word) > len(ending) + 3:
            forms += [word.removesuffix(ending) + new_ending for new_ending in new_endings]
    return tuple(dict.fromkeys(forms))
