"""One spelling for what looks the same: a response in plain characters, and words by the root that their forms share.

Folding comes before NFKC, because NFKC turns 10⁶ into 106 and ½ into 1⁄2.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_ALIKE: Final = {
    "-": "‐‑‒–—―−﹘﹣－➖˗", "*": "∗⋅•∙＊", "/": "÷∕⁄／", "~": "≈∼≃≅≊～〜˜≐", "'": "’‘ʼ′`´＇٬", '"': "“”″„«»",
    "u": "µμ", "->": "→⇒⟹⟶➔", "=": "∴", "<=": "≤⩽", ">=": "≥⩾", "+/-": "±", "..": "…", "(": "{", ")": "}⌉⌋",
    " unbounded ": "∞", ".": "٫。", ",": "、", "%": "٪", "^": "ˆ", "<": "⟨", ">": "⟩",
    "ceil(": "⌈", "floor(": "⌊", " x ": "×✕✖⨯",
    **dict(zip(("1/2", "1/3", "2/3", "1/4", "3/4"), "½⅓⅔¼¾", strict=True)),
}  # fmt: skip
PLAIN: Final = {  # a character that has a plain spelling
    **{char: plain for plain, chars in _ALIKE.items() for char in chars},
    **dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True)),
}
_RAISED: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")

# What is more than one character, in the order in which it is replaced.
_RAISED_RUN: Final = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+")
_MIXED: Final = re.compile(r"(\d) ?([½⅓⅔¼¾])")  # 2½ h
# `31·7` could be a decimal point or a product; `3.17·10^10` and `8 · 80` are products.
_POINT: Final = re.compile(r"(?<=\d)·(?=\d)(?!10(?:\^|\*\*))")
_EMPHASIS: Final = re.compile(r"(?<![\w)*])([*_]{1,2})(?=[^\s*_])([^*_]+)(?<=\S)\1(?![\w(*])")  # **31.7 GB**
_GOES_ON: Final = re.compile(r"(?<=\d)\.{2,3}(?=\s*(?:$|[^\d\s.]))")  # 46.666... %
_PER_PERIOD: Final = re.compile(r"\bp\. ?([am])\b\.?")  # p.a., p.m.
_PER: Final = re.compile(r"(?<=[A-Za-z])[ *]*\b(s|sec|h|min|day)(?:\^|\*\*)?\(?-1\)?(?![\d.])")  # GB s^-1


def fold(text: str) -> str:
    """`text` with one spelling of digits, blanks, signs, quotes and superscripts, in linear time.

    >>> fold("≈ 3.17×10¹⁰ B")
    '~ 3.17 x 10^10 B'
    """
    if not text.isascii() or any(char in text for char in "{}`\t\n\r\v\f"):
        text = _RAISED_RUN.sub(lambda run: "^" + run[0].translate(_RAISED), text)
        text = _MIXED.sub(lambda mixed: f"({mixed[1]}+{PLAIN[mixed[2]]})", text)
        if text.count("·") == 1 and _POINT.search(text):
            text = text.replace("·", "\0")  # kept apart from a product until here
        text = "".join(map(_piece, text)).replace("\0", "·")
    if "*" in text or "_" in text:
        text = _EMPHASIS.sub(r"\2", text)
    if ".." in text:
        text = _GOES_ON.sub("", text)
    if "p" in text and "." in text:
        text = _PER_PERIOD.sub(lambda per: "per annum" if per[1] == "a" else "per month", text)
    return _PER.sub(r"/\1", text) if "-1" in text else text


@lru_cache(maxsize=1024)
def _piece(char: str) -> str:
    """The plain spelling of one character."""
    if char == "·":
        return "*"
    alike = PLAIN.get(char)
    if alike or "!" <= char <= "~" or char == "\0":
        return alike or char
    kind, plain = unicodedata.category(char), unicodedata.normalize("NFKC", char)
    if kind in ("Cf", "So") or char in "\ufe0e\ufe0f" or "\U0001f3fb" <= char <= "\U0001f3ff":
        return plain if plain.isascii() else ""  # zero-width and direction marks, pictures and how to draw them
    if kind == "No":
        return char  # ⅞ is no 7/8 behind a digit: it is asked about
    return str(unicodedata.decimal(char)) if kind == "Nd" else plain


# -- roots of words -------------------------------------------------------------------------

_WORD: Final = re.compile(r"[^\W\d_]+(?:'[a-z]+)?")
_ENDING: Final = re.compile(r"(?:'s|ings?|able|ions?|(?<!e)ed|es|e|(?<!s)s)$")


@lru_cache(maxsize=8192)
def root(word: str) -> str:
    """The part that forms of a word share: `miss` of misses and missing, `query` of queries; all of a short word."""
    low = word.casefold().removesuffix("'s")
    if len(low) < 4:
        return low
    return f"{low[:-3]}y" if low.endswith("ies") else _ENDING.sub("", low)


def roots(text: str) -> tuple[str, ...]:
    """The roots of the words of `text`, in order."""
    return tuple(root(word) for word in _WORD.findall(text.casefold()))


def phrase_in(phrase: str, padded: str) -> bool:
    """Whether the words of `phrase` stand in `padded`, a text of roots with a blank at both ends."""
    return f" {' '.join(map(root, phrase.split()))} " in padded
