"""The answer areas of a page (options, one line, lines of text), and the options that a response to a choice item
selects.

An answer area is the last block of a page; the other blocks are in `quizgen.page`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a session starts without a page
    from quizgen.inline import Inline

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
YET_UNREAD_CELL = "?"  # cell of a response table: handwriting that nobody has read yet
_WORDS_IGNORED_BESIDE_LETTERS = frozenset({"", "AND", "ANSWER", "ANSWERS", "OPTION", "OPTIONS"})
_LETTER_BEFORE_REASON_PATTERN = re.compile(
    r"\(?([A-Z])(?:\)?[.:;,)–-]\s|\)?\s+(?:[–-]|because|since)\s)\s*(.+)", re.IGNORECASE | re.DOTALL
)

# "All of the above" and similar options refer to the options before them, so they stay last.
_ALL_OR_NONE_OF_THE_ABOVE_PATTERN = re.compile(
    r"(?:all|none|both|neither|either|any|some|two)(?: of)? (?:the |these |those )?(?:"
    r"(?:mentioned |listed |given )?above|these|those|them|previous|preceding|foregoing|others"
    r"|(?:\w+ )?(?:options|answers|choices|statements)"
    r"|(?:options |answers |choices )?(?:above|mentioned|listed|given))(?: (?:is|are) (?:\w+ )?\w+)?"
    r"|(?:all|none|both|neither)(?: (?:is|are) (?:correct|right|true|wrong|false))"
    r"|(?:alle|keine|beide)[rs]?(?: der)? (?:oben |vorher )?genannten(?: \w+)?|(?:alle|keine)[rs]? davon"
    r"|(?:toutes?|aucune?) (?:les |des |de ces )?(?:réponses|propositions)(?: \S+)*"
    r"|(?:todas|ninguna)(?: (?:de )?las)? (?:anteriores|respuestas)(?: \S+)*",
    re.IGNORECASE,
)
# An option that refers to others by letter ("Both A and C", "B & D only"), which a new order would falsify.
_REFERENCE_TO_LETTERS_PATTERN = re.compile(
    r"(?:(?:both|neither|either|only|options?|answers?) )*\(?[A-F]\)?(?:(?: ?, ?(?:and |or )?| ?& ?| (?:and|or|nor) )"
    r"(?:options? )?\(?[A-F]\)?)+(?: (?:only|above|both|are \w+))?"
    r"|(?:all|any|none) (?:of the above )?(?:but|except) \(?[A-F]\)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ChoiceOption:
    """One option of an item: its text, whether it is right, why it is wrong (may be empty), and whether it stays behind
    those that are shuffled."""

    text: str
    is_right: bool
    because: str = ""
    stays_last: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """One option as shown: `text` is its form in a log, `inline_pieces` are its inline pieces on a page."""

    text: str
    inline_pieces: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Options:
    """The answer area of a choice item: its options in the order shown. `allows_several`: all that apply are to be
    selected."""

    options: tuple[Option, ...]
    allows_several: bool = False


def option_letter(index: int) -> str:
    """The letter of the option, or of the form, at `index`: A … Z, then AA, AB …."""
    return (option_letter(index // 26 - 1) if index > 25 else "") + LETTERS[index % 26]


@dataclass(frozen=True, slots=True)
class NumericAnswerLine:
    """The answer area of a numeric item, one line. `unit`: the unit of a bare number; `requested_numbers_text`: those
    that an item with several asks for; `required_significant_digits`: those that the author requires, else 0."""

    unit: str = ""
    allowed_words: tuple[str, ...] = ()
    requested_numbers_text: str = ""
    required_significant_digits: int = 0


@dataclass(frozen=True, slots=True)
class TextAnswerLines:
    """The answer area of a text item. `criterion_count`: the number of boxes for a marker."""

    criterion_count: int = 1


def must_option_stay_last(option: str) -> bool:
    """Whether an option refers to the options before it, such as "All of the above"."""
    return bool(_ALL_OR_NONE_OF_THE_ABOVE_PATTERN.fullmatch(option.strip(" .*_")))


def refers_to_option_letters(option: str) -> bool:
    """Whether an option refers to other options by letter, such as "Both A and C"."""
    return bool(_REFERENCE_TO_LETTERS_PATTERN.fullmatch(option.strip(" .*_")))


def selected_option_texts(response: str, options: Sequence[str], allows_letters: bool = True) -> tuple[str, ...] | None:
    """The texts of the options that a response selects, in the order of the response; () for an empty response, None if
    it cannot be read.

    An option's text takes precedence over a letter. Only if `allows_letters` is true, that is, if the order of options
    that the candidate saw is known, `A, C`, `A C`, `ac` and `(b)` are read as letters, and so is a letter before a
    reason (`b, as it …`)."""
    response = response.strip()
    if not response or response in options:
        return (response,) if response else ()
    by_folded_text = _option_text_by_folded_text(frozenset(options))
    parts = [part.strip() for part in re.split("[,;\n]", response) if part.strip()]
    for texts in ([response], parts if len(parts) > 1 else []):
        matches = [text if text in options else by_folded_text.get(fold_case_and_spaces(text), "") for text in texts]
        if matches and all(matches):
            return tuple(matches)
    if not allows_letters:
        return None
    by_letter = {option_letter(i): option for i, option in enumerate(options)}
    words = [word.strip("().:[]").upper() for word in re.sub("[,;&]", " ", response).split()]
    letters = [word for word in words if word not in _WORDS_IGNORED_BESIDE_LETTERS]
    if len(letters) == 1 and letters[0] not in by_letter and 1 < len(letters[0]) <= len(by_letter):
        letters = list(letters[0])
    if letters and by_letter.keys() >= set(letters):
        return tuple(by_letter[letter] for letter in dict.fromkeys(letters))
    return _option_texts_of_letter_with_reason(response, by_letter)


@lru_cache(maxsize=256)
def _option_text_by_folded_text(options: frozenset[str]) -> Mapping[str, str]:
    """The options by their folded texts, without those that differ only in case or spaces, which must be given
    exactly."""
    counts = Counter(map(fold_case_and_spaces, options))
    return {fold_case_and_spaces(option): option for option in options if counts[fold_case_and_spaces(option)] == 1}


def _option_texts_of_letter_with_reason(response: str, option_by_letter: Mapping[str, str]) -> tuple[str, ...] | None:
    """The option of a letter before a reason; None if the reason names another option by letter or text."""
    match = _LETTER_BEFORE_REASON_PATTERN.fullmatch(response)
    if match is None or (option := option_by_letter.get(match[1].upper())) is None:
        return None
    words = [w.strip("().,:;?!") for w in match[2].split()]
    has_letter = any(w in option_by_letter or (w.upper() in option_by_letter and w not in ("a", "i")) for w in words)
    reason = f" {fold_case_and_spaces(match[2])} "
    names_another = any(f" {fold_case_and_spaces(o)} " in reason for o in option_by_letter.values() if o != option)
    return None if has_letter or names_another or len(words) < 2 else (option,)


def fold_case_and_spaces(text: str) -> str:
    """The text casefolded and with single spaces, for comparisons: `Zero  Stage` gives `zero stage`."""
    return " ".join(text.split()).casefold()
