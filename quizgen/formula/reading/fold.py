"""One spelling for what looks the same: a response in plain characters.

Folding comes before NFKC, because NFKC turns 10⁶ into 106 and ½ into 1⁄2.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_ALIKE: Final = {
    "-": "‐‑‒–—―−﹘﹣－➖˗", "*": "×✕✖⨯∗⋅•∙＊", "/": "÷∕⁄／", "~": "≈∼≃≅≊～〜˜≐", "'": "’‘ʼ′`´＇٬", '"': "“”„″«»",
    "u": "µμ", "->": "→⇒⟹⟶➔", "=": "∴", "<=": "≤⩽", ">=": "≥⩾", "+/-": "±", "..": "…", "(": "{", ")": "}⌉⌋",
    " unbounded ": "∞", " permille ": "‰", ".": "٫。", ",": "、", "%": "٪", "^": "ˆ", "<": "⟨", ">": "⟩",
    "ceil(": "⌈", "floor(": "⌊",
}  # fmt: skip
_SAME: Final = {char: plain for plain, chars in _ALIKE.items() for char in chars}
_SUBSCRIPTS: Final = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))
_RAISED: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")

_LATEX: Final = {
    "times": "*", "cdot": "*", "approx": "~", "sim": "~", "div": "/", "leq": "<=", "geq": ">=",
    **dict.fromkeys(("left", "right", "text", "mathrm", "frac", "dfrac", "tfrac", "qty", "SI"), ""),
}  # fmt: skip

# What is more than one character: in the order in which they are replaced.
_RAISED_RUN: Final = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+")
_FRACTION: Final = re.compile(r"(\\[dt]?frac\s*\{[^{}]*)\}\{")
_COMMAND: Final = re.compile(r"\\([A-Za-z]{1,7}|[,; %$()[\]]|)")
# `31·7` could be a decimal point or a product; `3.17·10^10` and `8 · 80` are products.
_POINT: Final = re.compile(r"(?<=\d)·(?=\d)(?!10(?:\^|\*\*))")


def fold(text: str) -> str:
    """`text` with one spelling of digits, spaces, signs, quotes and superscripts. Linear in its length."""
    if text.isascii() and not any(char in text for char in "\\{}`\t\n\r\v\f"):
        return text
    text = _RAISED_RUN.sub(lambda m: "^" + m[0].translate(_RAISED), text)
    text = _FRACTION.sub(r"\1)/(", text.replace("{,}", ",")).replace("}{", " ")
    text = _COMMAND.sub(_latex, text)
    if text.count("·") == 1 and _POINT.search(text):
        text = text.replace("·", "\0")  # kept apart from a product until here
    return "".join(map(_piece, text)).replace("\0", "·")


def _latex(found: re.Match[str]) -> str:
    name = found[1]
    if name and not name.isalpha():
        return name if name in "%$" else " "  # \( and \[ open a formula
    return _LATEX.get(name, f"\\{name}")


@lru_cache(maxsize=1024)
def _piece(char: str) -> str:
    """What stands for one character."""
    if char == "·":
        return "*"
    found = _SAME.get(char) or _SUBSCRIPTS.get(char)
    if found or "!" <= char <= "~" or char == "\0":
        return found or char
    kind, plain = unicodedata.category(char), unicodedata.normalize("NFKC", char)
    if kind in ("Cf", "So") or char in "\ufe0e\ufe0f" or "\U0001f3fb" <= char <= "\U0001f3ff":
        return plain if plain.isascii() else ""  # zero-width and direction marks, pictures and how to draw them
    if kind == "Nd":
        return str(unicodedata.decimal(char))
    return char if kind == "No" and "⁄" in plain else plain  # ½ stays one character: see `vulgar`


def vulgar(char: str) -> tuple[int, int] | None:
    """Numerator and denominator of ½, ⅔ …; None for any other character."""
    top, slash, bottom = unicodedata.normalize("NFKC", char).partition("⁄")
    return (int(top), int(bottom)) if slash and top.isdigit() and bottom.isdigit() else None
