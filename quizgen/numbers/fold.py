"""One spelling for what looks the same: a response in plain characters.

Folding comes before NFKC, because NFKC turns 10⁶ into 106 and ½ into 1⁄2.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_ALIKE: Final = {
    "-": "‐‑‒–—―−﹘﹣－➖˗", "*": "∗⋅•∙＊", "/": "÷∕⁄／", "~": "≈∼≃≅≊～〜˜≐", "'": "’‘ʼ′`´＇٬", '"': "“”„″«»",
    "u": "µμ", "->": "→⇒⟹⟶➔", "=": "∴", "<=": "≤⩽", ">=": "≥⩾", "+/-": "±", "..": "…", "(": "{", ")": "}⌉⌋",
    " unbounded ": "∞", " permille ": "‰", ".": "٫。", ",": "、", "%": "٪", "^": "ˆ", "<": "⟨", ">": "⟩",
    "ceil(": "⌈", "floor(": "⌊", " x ": "×✕✖⨯",
}  # fmt: skip
_PLAIN: Final = {char: plain for plain, chars in _ALIKE.items() for char in chars}
_SUBSCRIPTS: Final = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))
_RAISED: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_LATEX: Final = {
    "times": " x ", "cdot": "*", "approx": "~", "sim": "~", "div": "/", "leq": "<=", "geq": ">=", "to": "->",
    **dict.fromkeys(("left", "right", "text", "mathrm", "frac", "dfrac", "tfrac", "qty", "SI"), ""),
}  # fmt: skip

# What is more than one character, in the order in which it is replaced.
_RAISED_RUN: Final = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+")
_FRACTION: Final = re.compile(r"(\\[dt]?frac\s*\{[^{}]*)\}\{")
_COMMAND: Final = re.compile(r"\\([A-Za-z]{1,7}|[,; %$()[\]]|)")
_MATHS: Final = re.compile(r"^\s*\${1,2}([^$]*\d[^$]*)\${1,2}(?!\d)")  # $3.17 \cdot 10^{10}$ is no money
# `31·7` could be a decimal point or a product; `3.17·10^10` and `8 · 80` are products.
_POINT: Final = re.compile(r"(?<=\d)·(?=\d)(?!10(?:\^|\*\*))")
_VULGAR: Final = re.compile(r"(\d*) ?([½¼¾⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])")
_EMPHASIS: Final = re.compile(r"(?<![\w)*])([*_]{1,2})(?=[^\s*_])([^*_]+)(?<=\S)\1(?![\w(*])")  # **31.7 GB**
_GOES_ON: Final = re.compile(r"(?<=\d)\.{2,3}(?=\s*(?:$|[^\d\s.]))")  # 46.666... %
_PER_PERIOD: Final = re.compile(r"\bp\. ?([am])\b\.?")  # p.a., p.m.
_PER: Final = re.compile(r"(?<=[A-Za-z])[ *]*\b(s|sec|h|min|day)(?:\^|\*\*)?\(?-1\)?(?![\d.])")  # GB s^-1


def fold(text: str) -> str:
    """`text` with one spelling of digits, blanks, signs, quotes and superscripts, in linear time.

    >>> fold("≈ 3.17×10¹⁰ B")
    '~ 3.17 x 10^10 B'
    """
    if not text.isascii() or any(char in text for char in "\\{}`$\t\n\r\v\f"):
        text = _RAISED_RUN.sub(lambda run: "^" + run[0].translate(_RAISED), _MATHS.sub(r"\1 ", text))
        text = _FRACTION.sub(r"\1)/(", text.replace("{,}", ",")).replace("}{", " ")
        text = _VULGAR.sub(_in_full, _COMMAND.sub(_latex, text))
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


def _in_full(written: re.Match[str]) -> str:
    """`2½` as `(2+1/2)`, `½` as `(1/2)`, so that both are numbers of a calculation."""
    over, _, under = unicodedata.normalize("NFKC", written[2]).partition("⁄")
    return f"({written[1]}+{over}/{under})" if written[1] else f"{over}/{under}"


def _latex(command: re.Match[str]) -> str:
    name = command[1]
    if name and not name.isalpha():
        return name if name in "%$" else " "  # \( and \[ open a formula
    return _LATEX.get(name, f"\\{name}")


@lru_cache(maxsize=1024)
def _piece(char: str) -> str:
    """What stands for one character."""
    if char == "·":
        return "*"
    alike = _PLAIN.get(char) or _SUBSCRIPTS.get(char)
    if alike or "!" <= char <= "~" or char == "\0":
        return alike or char
    kind, plain = unicodedata.category(char), unicodedata.normalize("NFKC", char)
    if kind in ("Cf", "So") or char in "\ufe0e\ufe0f" or "\U0001f3fb" <= char <= "\U0001f3ff":
        return plain if plain.isascii() else ""  # zero-width and direction marks, pictures and how to draw them
    return str(unicodedata.decimal(char)) if kind == "Nd" else plain
