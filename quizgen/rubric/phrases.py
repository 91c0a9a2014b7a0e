"""The phrase language: `all-reduce|communicat* {every layer|per layer}`.

A phrase is slots separated by spaces; a slot is alternatives separated by `|`; an alternative is one
word, a `prefix*`, or several words in a row between braces. `O(n log n)`, `16 B`, `fp16`, `ZeRO-3`,
`&&` and `\0` are single words. There are no regular expressions.
"""

from __future__ import annotations

import re
from functools import lru_cache
from sys import intern
from typing import Final, NamedTuple

from quizgen.rubric.lexicon import ARTICLES
from quizgen.rubric.tokens import TOKEN_PATTERN, canonical_growth_rate, fold_text, is_big_o, is_growth_rate

MAX_PHRASE_CHARACTERS: Final = 1000  # characters
MAX_PHRASE_SLOTS: Final = 12
MAX_WORDS_IN_A_ROW: Final = 12  # words of one alternative


class PhraseError(Exception):
    """A mistake in a phrase, at character `offset`; `message` says what is wrong, `hint` how to mend it."""

    def __init__(self, offset: int, message: str, hint: str) -> None:
        super().__init__(message)
        self.offset, self.message, self.hint = offset, message, hint


class SlotAlternative(NamedTuple):
    """One way to fill a slot: folded words in a row. `prefix_flags[i]`: word i is a prefix; `hyphen_before_flags[i]`: a
    hyphen joins it to the one before."""

    text: str
    words: tuple[str, ...]
    prefix_flags: tuple[bool, ...]
    hyphen_before_flags: tuple[bool, ...]

    @property
    def is_one_word(self) -> bool:
        return len(self.words) == 1


PhraseSlots = tuple[tuple[SlotAlternative, ...], ...]  # a phrase as it is matched: the alternatives of each slot


# One word or prefix, or several alternatives in braces.
_SLOT_ALTERNATIVE_PATTERN = r"(?:[^\s{}|*]+\*?|\{[^\s{}|*][^{}|*]*\*?(?:\|[^\s{}|*][^{}|*]*\*?)*\})"
_SLOT_PATTERN = rf"{_SLOT_ALTERNATIVE_PATTERN}(?:\|{_SLOT_ALTERNATIVE_PATTERN})*"
_QUICKLY_VALID_PHRASE_PATTERN: Final = re.compile(rf"\s*{_SLOT_PATTERN}(?:\s+{_SLOT_PATTERN})*\s*")
_UNIT_WORD_PATTERN: Final = re.compile(r"%|[kmgtp]?i?(?:b|bits?|bytes?|wh?|flops?|j|hz)(?:/[a-z]+)?|[mun]?s|min|h|x")
_BARE_NUMBER_PATTERN: Final = re.compile(r"\d[\d,.]*(?:[eE][+-]?\d+)?")


# Cases that the quick test cannot decide: rare characters, a prefix of one letter, a word made of marks alone.
_NEEDS_PARSING_PATTERN: Final = re.compile(
    r"""[^\w {}|*<>=+&%.,'/^:-]|[_²³¹¼½¾]|(?<![^\W\d_]{2})\*|(?<![^ {}|])[^\w {}|*<>=+&%]+(?![^ {}|])"""
)
_BRACED_PATTERN: Final = re.compile(r"\{[^{}]*\}")


def is_plainly_valid_phrase(text: str) -> bool:
    """Whether a phrase is valid by a quick test; if False, only `parse_phrase` can tell."""
    return (
        len(text) <= MAX_PHRASE_CHARACTERS
        and _BRACED_PATTERN.sub("", text).count(" ") < MAX_PHRASE_SLOTS
        and all([len(p) < 2 * MAX_WORDS_IN_A_ROW or len(p.split()) < MAX_WORDS_IN_A_ROW for p in text.split("|")])
        and _QUICKLY_VALID_PHRASE_PATTERN.fullmatch(text) is not None
        and _NEEDS_PARSING_PATTERN.search(text) is None
    )


@lru_cache(maxsize=128)  # more than most rubrics have
def parse_phrase(text: str) -> PhraseSlots:
    """The slots of a phrase. Raises PhraseError with the place of the mistake."""
    if not text.strip():
        raise PhraseError(0, "empty phrase", "write the words that an answer must have, or remove the phrase")
    if len(text) > MAX_PHRASE_CHARACTERS:
        raise PhraseError(0, f"phrase of {len(text)} characters", f"split it: at most {MAX_PHRASE_CHARACTERS}")
    raw_slots = _join_slots_of_amounts_and_rates(_offsets_and_texts_by_slot(text))
    if (count := len(raw_slots)) > MAX_PHRASE_SLOTS:
        raise PhraseError(0, f"phrase of {count} slots", f"at most {MAX_PHRASE_SLOTS}: put words in a row into braces")
    slots: list[tuple[SlotAlternative, ...]] = []
    for slot in raw_slots:
        alternatives: list[SlotAlternative] = []
        for start, part in slot:
            try:
                alternatives.append(_parse_alternative(part))
            except PhraseError as error:
                raise PhraseError(start + error.offset, error.message, error.hint) from None
        slots.append(tuple(alternatives))
    return tuple(slots)


def text_lists_by_slot(text: str) -> list[list[str]]:
    """The alternatives of each slot of a valid phrase, as the author wrote them; much faster than `parse_phrase`."""
    return [[part for _, part in slot] for slot in _join_slots_of_amounts_and_rates(_offsets_and_texts_by_slot(text))]


_RawSlot = list[tuple[int, str]]
# An alternative, with the bar that joins it to the one before: a row in braces, `O(n log n)`, or a word.
_BAR_AND_ALTERNATIVE_PATTERN: Final = re.compile(
    r"(\s*\|)?\s*(?:\{([^{}]*)\}|([oOθΘωΩ]\((?:[^()]|\([^()]{0,40}\)){0,80}\)|[^\s{}|]+))"
)


def _offsets_and_texts_by_slot(text: str) -> list[_RawSlot]:
    """The slots of a phrase, each a list of (place, alternative) without braces. Blanks around | do not count: a long
    list of alternatives may be written one a line. Raises PhraseError."""
    slots: list[_RawSlot] = []
    offset, size = 0, len(text.rstrip())
    while offset < size:
        piece = _BAR_AND_ALTERNATIVE_PATTERN.match(text, offset)
        if piece is None or (piece[1] and not slots):
            offset += len(text[offset:]) - len(text[offset:].lstrip())
            if text[offset] == "|":
                raise PhraseError(offset, *_EMPTY_ALTERNATIVE_MESSAGE_HINT)
            if text[offset] == "}":
                raise PhraseError(offset, "} without {", "open the brace or take } out")
            raise PhraseError(offset, "brace not closed", "close it before the next {: {several words|in a row}")
        if not piece[1]:
            if slots and not text[offset].isspace():
                raise PhraseError(offset, f'"{text[offset]}" right after a slot', "put a space between slots")
            slots.append([])
        if piece[3]:
            slots[-1].append((piece.start(3), piece[3]))
        else:
            start = piece.start(2)
            for part in piece[2].split("|"):
                if not part.strip():
                    raise PhraseError(start, *_EMPTY_ALTERNATIVE_MESSAGE_HINT)
                slots[-1].append((start + len(part) - len(part.lstrip()), part.strip()))
                start += len(part) + 1
        offset = piece.end()
    return slots


_EMPTY_ALTERNATIVE_MESSAGE_HINT: Final = ("empty alternative", "write a word on both sides of |, and between braces")


def _join_slots_of_amounts_and_rates(slots: list[_RawSlot]) -> list[_RawSlot]:
    """The slots with `16 B` and `n log n` outside braces joined to one word each."""
    result: list[_RawSlot] = []
    for slot in slots:
        result.append(slot)
        while len(result) > 1 and len(result[-2]) == len(result[-1]) == 1:
            (offset, left), (_, right) = result[-2][0], result[-1][0]
            amount = _BARE_NUMBER_PATTERN.fullmatch(left) and _UNIT_WORD_PATTERN.fullmatch(right.lower())
            if not amount and not is_growth_rate(f"{left} {right}".lower()):
                break
            result[-2:] = [[(offset, f"{left} {right}")]]
    return result


# Most alternatives are plain words, each perhaps a prefix. One such as "nlogn" is a rate and ends in its n.
_PLAIN_WORD: Final = r"(?:(?![nml])[a-z]{2,}|[nml][a-z]+(?<![nm]))\*?"
_PLAIN_WORDS_PATTERN: Final = re.compile(f"{_PLAIN_WORD}(?:[ -]{_PLAIN_WORD})*", re.IGNORECASE | re.ASCII)
WORD_PART_BETWEEN_STARS_PATTERN: Final = re.compile(r"\*([A-Za-z]{3,})\*")  # stored as a prefix with a star before it


# What follows an article that is a name: "a and c", "a b".
_WORD_AFTER_NAME_A_PATTERN: Final = re.compile(r"[^\W\d_]|and|or|is|are|was|were|has|have|does|can|will|to|in")


@lru_cache(maxsize=512)  # the phrases of a rubric are made of the same words
def _parse_alternative(text: str) -> SlotAlternative:
    if text[0] == "*" and (match := WORD_PART_BETWEEN_STARS_PATTERN.fullmatch(text)):
        return SlotAlternative(text, (intern(f"*{match[1].lower()}"),), (True,), (False,))
    if _PLAIN_WORDS_PATTERN.fullmatch(text):
        texts = text.lower().replace("-", " -").split(" ")
        words = [(intern(word.strip("-*")), word[-1] == "*", word[0] == "-") for word in texts]
    else:
        words = _words_with_prefix_and_hyphen_flags(text)
    if (count := len(words)) > MAX_WORDS_IN_A_ROW:
        raise PhraseError(0, f"{count} words in a row", f"at most {MAX_WORDS_IN_A_ROW}: shorten the alternative")
    word_rows = [
        (word, is_prefix, hyphen)
        for (word, is_prefix, hyphen), (next_word, _, _) in zip(words, [*words[1:], ("", False, False)], strict=True)
        if is_prefix
        or word not in ARTICLES
        or not next_word
        or (word == "a" and _WORD_AFTER_NAME_A_PATTERN.fullmatch(next_word))
    ]
    plain_words, prefixes, hyphens = zip(*word_rows, strict=True)
    return SlotAlternative(text, plain_words, prefixes, (False, *hyphens[1:]))


def _words_with_prefix_and_hyphen_flags(text: str) -> list[tuple[str, bool, bool]]:
    """The folded words of an alternative; for each, whether it is a prefix, and whether a hyphen joins it to the one
    before. Raises PhraseError if the words cannot be searched for."""
    words: list[tuple[str, bool, bool]] = []
    end = 0
    folded_text = fold_text(text).text
    for match in TOKEN_PATTERN.finditer(folded_text):
        token = match[0].strip()
        if is_growth_rate(token):
            token = canonical_growth_rate(token)
        elif not token.strip(".,:;!?()*^/~—-"):
            continue
        gap = folded_text[end : match.start()]
        is_prefix = folded_text[match.end() : match.end() + 1] == "*" and any(map(str.isalnum, token))
        if is_prefix and len(token) < 2:
            raise PhraseError(0, f'prefix "{token}*" is too short', "write at least two letters before *")
        words.append((intern(token), is_prefix, gap != "" and " " not in gap))
        end = match.end()
    if not words:
        raise PhraseError(0, f'"{text}" holds no word', "write a word, a number or a sign such as &&")
    stars_at_ends = any(is_prefix or word == "*" for word, is_prefix, _ in words)
    star = re.search(r"\*(?=[^\W_])" if stars_at_ends else r"\*", text)
    if star and not any(is_big_o(word) for word, _, _ in words):
        raise PhraseError(star.start(), "* stands at no end of a word", "write communicat*, or *adam* for a part")
    return words
