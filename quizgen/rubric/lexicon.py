"""Tables of English words that the engine knows: function words, comparatives, numbers, marks.

Every table is a plain constant, so that a reader can see which words have an effect; long ones are in lexicon.txt."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final


def word_set(text: str) -> frozenset[str]:
    """The words of a text, for tables that are written as running text."""
    return frozenset(text.split())


_FILE_BLOCKS: Final = Path(__file__).with_name("lexicon.txt").read_text(encoding="utf-8").split("\n\n")
WORD_TABLES: Final = {  # the words of each table of lexicon.txt
    name: words.split() for name, _, words in (re.sub("(?m)^#.*\n?", "", one).partition(":") for one in _FILE_BLOCKS)
}

# -- marks; the effects of words on a claim are in `scopes` -------------------------------------

SENTENCE_END_KIND: Final = 11  # . ; !
QUESTION_MARK_KIND: Final = 12  # ?
COMMA_KIND: Final = 13
COLON_KIND: Final = 14
BULLET_KIND: Final = 15
DASH_KIND: Final = 17  # a dash ends a clause
LINE_END_KIND: Final = 21
BRACKET_KIND: Final = 23

AVERTING_WORDS: Final = frozenset(WORD_TABLES["averting"])
KEEP_FROM_VERBS: Final = frozenset(WORD_TABLES["keeping"])
REPORTING_WORDS: Final = frozenset(WORD_TABLES["reporting"])
PREDICATES_AFTER_NOT: Final = frozenset(WORD_TABLES["verdicts after not"])
WEIGHTLESS_WORDS: Final = frozenset(WORD_TABLES["weightless"])
FUNCTION_WORDS: Final = frozenset(WORD_TABLES["function"])
FINITE_VERBS: Final = frozenset(WORD_TABLES["finite verbs"])
ARTICLES: Final = frozenset(("a", "an", "the"))
PRONOUNS: Final = frozenset(WORD_TABLES["pronouns"])
TOPIC_CONTINUING_WORDS: Final = frozenset(WORD_TABLES["continuing"])

OPPOSITES_BY_WORD: Final[dict[str, tuple[str, ...]]] = {}  # comparative -> its inverses
for _left, _right in (pair.split(":") for pair in WORD_TABLES["opposites"]):
    OPPOSITES_BY_WORD[_left] = (*OPPOSITES_BY_WORD.get(_left, ()), _right)
    OPPOSITES_BY_WORD[_right] = (*OPPOSITES_BY_WORD.get(_right, ()), _left)
COMPARATIVES: Final = frozenset((*OPPOSITES_BY_WORD, *WORD_TABLES["comparatives without an opposite"]))
# Adjectives and their one-word comparatives.
COMPARATIVE_BY_ADJECTIVE: Final[dict[str, str]] = {
    base: base[:-1] + "ier" if base.endswith("y") and base != "dry" else base.rstrip("e") + "er"
    for base in WORD_TABLES["adjectives"]
} | {"big": "bigger", "hot": "hotter", "thin": "thinner", "dim": "dimmer", "wet": "wetter"}
# Words of time that compare by themselves: "A before B" is "B after A".
TIME_ORDER_WORDS: Final = frozenset(("before", "after"))
OPPOSITES_BY_WORD["before"], OPPOSITES_BY_WORD["after"] = ("after",), ("before",)

DIGITS_BY_WORD: Final = dict(zip(WORD_TABLES["numbers"], map(str, (*range(1, 20), *range(20, 101, 10))), strict=True))
WORD_BY_ABBREVIATION: Final[dict[str, str]] = dict(pair.split(":") for pair in WORD_TABLES["long forms"])
# Abbreviated phrases: their first word alone would be wrong, so they are matched as written.
WORD_BY_SIGN_ABBREVIATION: Final[dict[str, str]] = {"&": "and", "w/": "with", "w/o": "without", "b/c": "because"}
# Comparison signs, as the stems of their words.
STEMS_BY_COMPARISON_SIGN: Final[dict[str, tuple[str, ...]]] = {
    "<": ("less", "smaller", "lower", "fewer"),
    ">": ("more", "greater", "larger", "bigger", "higher"),
}
# Arrows for a rising or falling amount, as words.
WORDS_BY_UP_OR_DOWN_ARROW: Final[dict[str, tuple[str, ...]]] = {
    arrow: tuple(listed.split())
    for arrow, listed in {
        "↑": "increases increase rises rise grows grow up higher more larger greater bigger",
        "↓": "decreases decrease falls fall drops drop reduces reduce down lower less fewer smaller",
    }.items()
}

HTML_TAG_NAMES_PATTERN: Final = (
    "a|abbr|article|b|big|blockquote|body|br|button|center|cite|code|dd|del|details|div|dl|dt|em|font|form|h[1-6]|head|"
    "hr|html|i|iframe|img|input|ins|kbd|label|li|link|mark|meta|object|ol|p|pre|q|s|samp|script|section|small|span|strike|"
    "strong|style|sub|summary|sup|svg|table|tbody|td|textarea|tfoot|th|thead|title|tr|tt|u|ul|var|video"
)

# Classes of small words, to distinguish sentences from lists of words. `a` is apart: it may be a name.
CONTENT_WORD_CLASS_LETTER: Final = "x"
CLASS_LETTER_BY_SMALL_WORD: Final[dict[str, str]] = {
    word: letter
    for letter, words in {
        "W": """a this that these those as if then than so not no there which what when where who how why you him them
                us me his her because but while since each other one it's don't doesn't isn't aren't can't do does did
                been be being may might in on for never only also very more less""",
        "D": "the an its their our your my every",
        "I": "a",
        "P": "of from into onto between among during per at",
        "R": "by with through",
        "T": "to",
        "F": "is are was were",
        "A": "has had having",
        "M": "can will would should must could",
        "C": "and or but",
        "S": "he she we they i it",
    }.items()
    for word in words.split()
} | {"have": "W"}


def word_class_letter(word: str) -> str:
    """The letter of a word's class, for the test of word order; a content word's unless it is small or a number."""
    return CLASS_LETTER_BY_SMALL_WORD.get(word) or ("W" if word[0].isdigit() else CONTENT_WORD_CLASS_LETTER)
