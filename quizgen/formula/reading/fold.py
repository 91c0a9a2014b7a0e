"""One spelling for what looks the same: a response in plain characters, each with its place in the original.

Folding comes before NFKC, because NFKC turns 10⁶ into 106 and ½ into 1⁄2.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final

_SAME: Final = {
    **dict.fromkeys("‐‑‒–—―−﹘﹣－➖˗", "-"),  # hyphens, dashes, minus signs
    **dict.fromkeys("×✕✖⨯∗⋅•∙＊", "*"),
    **dict.fromkeys("÷∕⁄／", "/"),
    **dict.fromkeys("≈∼≃≅≊～〜˜≐", "~"),
    **dict.fromkeys("’‘ʼ′`´＇", "'"),
    **dict.fromkeys("“”„″«»", '"'),
    **dict.fromkeys("µμ", "u"),
    **dict.fromkeys("→⇒⟹⟶➔∴", "="),
    "≤": "<=",
    "⩽": "<=",
    "≥": ">=",
    "⩾": ">=",
    "±": "+/-",
    "…": "..",
    "{": "(",
    "}": ")",
    "∞": " unbounded ",
    "‰": " permille ",
    "٫": ".",
    "٬": "'",
    "。": ".",
    "、": ",",
    "٪": "%",
    "ˆ": "^",
    "⟨": "<",
    "⟩": ">",
    "⌈": "ceil(",
    "⌉": ")",
    "⌊": "floor(",
    "⌋": ")",
    "²": "^2",
    "³": "^3",
}

_LATEX: Final = {
    "times": "*",
    "cdot": "*",
    "approx": "~",
    "sim": "~",
    "div": "/",
    "left": "",
    "right": "",
    "text": "",
    "mathrm": "",
    "frac": "",
    "dfrac": "",
    "tfrac": "",
    "qty": "",
    "SI": "",
    "leq": "<=",
    "geq": ">=",
}

# What follows a picture and says how to draw it: skin tones, text or picture.
_PAINTS: Final = frozenset("\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff\ufe0e\ufe0f")

_SUPERSCRIPTS: Final = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-", strict=True))
_SUBSCRIPTS: Final = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))


@dataclass(frozen=True, slots=True)
class Folded:
    """`text` in plain characters; character i of it stems from character `places[i]` of the original."""

    text: str
    places: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The [start, end) of the original that became [start, end) of `text`."""
        return self.places[start], self.places[end - 1] + 1


def fold(text: str) -> Folded:
    """`text` with one spelling of digits, spaces, signs, quotes and superscripts. Linear in its length."""
    out: list[str] = []
    places: list[int] = []
    raised = False
    at = 0
    while at < len(text):
        piece, width = _piece(text, at, raised)
        raised = text[at] in _SUPERSCRIPTS
        out.append(piece)
        places.extend([at] * len(piece))
        at += width
    return Folded("".join(out), tuple(places))


def _piece(text: str, at: int, raised: bool) -> tuple[str, int]:
    """What stands for the character at `at`, and how many characters of the original it takes."""
    char = text[at]
    if char == "\\":
        return _latex(text, at)
    if char == "}" and text[at + 1 : at + 2] == "{":  # \frac{7}{15}, \qty{31.7}{GB}
        return (")/(" if "frac" in text[:at] else " "), 2
    if text.startswith("{,}", at):  # LaTeX for a comma that groups
        return ",", 3
    if "!" <= char <= "~" and char not in "`{}":
        return char, 1
    if char == "·":
        return ("·" if _decimal_dot(text, at) else "*"), 1
    if char in _SUPERSCRIPTS:
        return ("" if raised else "^") + _SUPERSCRIPTS[char], 1
    if char in _SUBSCRIPTS:
        return _SUBSCRIPTS[char], 1
    if char in _SAME:
        return _SAME[char], 1
    kind = unicodedata.category(char)
    if kind in ("Cf", "So") or char in _PAINTS:  # zero-width and direction marks, pictures
        return unicodedata.normalize("NFKC", char) if unicodedata.normalize("NFKC", char).isascii() else "", 1
    if kind in ("Zs", "Zl", "Zp") or char in "\t\n\r\v\f":
        return " ", 1
    if kind == "Nd":
        return str(unicodedata.decimal(char)), 1
    if kind == "No" and "⁄" in unicodedata.normalize("NFKC", char):
        return char, 1  # ½ stays one character: see `vulgar`
    return unicodedata.normalize("NFKC", char), 1


def _decimal_dot(text: str, at: int) -> bool:
    """`31·7` could be a decimal point or a product; `3.17·10^10` and `8 · 80` are products."""
    before, after = text[at - 1 : at], text[at + 1 : at + 5]
    power = after.startswith("10") and (after[2:3] == "^" or after[2:4] == "**" or after[2:3] in _SUPERSCRIPTS)
    return before.isdigit() and after[:1].isdigit() and not power and text.count("·") == 1


def _latex(text: str, at: int) -> tuple[str, int]:
    end = at + 1
    while end < len(text) and end < at + 8 and text[end].isascii() and text[end].isalpha():
        end += 1
    name = text[at + 1 : end]
    if name in _LATEX:
        return _LATEX[name], end - at
    if not name and text[end : end + 1] in (*",; %$()[]",):
        return (text[end] if text[end] in "%$" else " "), 2  # \( and \[ open a formula
    return "\\", 1


def vulgar(char: str) -> tuple[int, int] | None:
    """Numerator and denominator of ½, ⅔ …; None for any other character."""
    top, slash, bottom = unicodedata.normalize("NFKC", char).partition("⁄")
    return (int(top), int(bottom)) if slash and top.isdigit() and bottom.isdigit() else None
