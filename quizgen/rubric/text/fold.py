"""Responses and rubrics made comparable: one small table of our own, and a map back to every character.

Not NFKC: it turns 10⁶ into 106, grows one character into eighteen, is quadratic on combining marks
and differs between Pythons. Each character is folded by itself, with the Unicode 3.2 tables that
every Python carries unchanged, so the result is the same everywhere and takes linear time.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple
from unicodedata import ucd_3_2_0 as unicode32

from quizgen.rubric.text.lexicon import HTML_TAGS

MAX_RESPONSE: Final = 64 << 10  # characters read of one response; the rest is cut and the candidate told

_OWN: Final[dict[str, str]] = {
    **dict.fromkeys("‘’‚‛′ʼ´`", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–−﹣－", "-"),
    **dict.fromkeys("—―", " — "),
    **dict.fromkeys("•·‣●▪◦∙⋅", "•"),
    "…": "...", "×": "x", "✕": "x", "÷": "/", "∕": "/", "⁄": "/", "≤": "<=", "⩽": "<=", "≥": ">=", "⩾": ">=",
    "≠": "!=", "→": "->", "⇒": "=>", "⟶": "->", "←": "<-", "↔": "<->", "≈": "~", "∼": "~", "¬": " not ", "∧": " and ",
    "∨": " or ", "µ": "u", "μ": "u", "θ": "θ", "ϴ": "θ", "Θ": "θ", "Ω": "ω", "ß": "ss", "ẞ": "ss", "ø": "o", "Ø": "o",
    "đ": "d", "Đ": "d", "ł": "l", "Ł": "l", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ı": "i", "İ": "i",
    "∞": "infinity", "√": "sqrt", "½": "0.5", "¼": "0.25", "¾": "0.75", "\u2028": "\n", "\u2029": "\n",
    "\x85": "\n", "\r": "\n", "\t": " ", "\v": "\n", "\f": "\n", "㏒": "log", "℃": "c",
    "⬆": "↑", "⬇": "↓", "↗": "↑", "↘": "↓", "。": ". ", "，": ", ", "；": "; ", "：": ": ",
}  # fmt: skip
_SUPERSCRIPTS: Final = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿⁱᵏᵀ", "0123456789-+nikt", strict=True))
_SUBSCRIPTS: Final = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ₐₑₒₓₖₗₘₙₚₛₜᵢⱼ", "0123456789+-aeoxklmnpstij", strict=True))


@cache
def _fold_char(char: str) -> str:
    """Folded text of a character, worked out once per process."""
    if char in _OWN:
        return _OWN[char]
    if char in _SUBSCRIPTS:
        return _SUBSCRIPTS[char]
    if ord(char) < 128:
        return char.lower() if " " <= char <= "~" or char == "\n" else " "
    category = unicode32.category(char)
    if char == "\xad" or category in ("Mn", "Me", "Cf") or "\u200b" <= char <= "\u200f" or "\ufe00" <= char <= "\ufe0f":
        return ""
    if category in ("Zs", "Cc", "Cn"):
        return " "  # also characters newer than the tables: Pythons disagree about what those are
    parts = unicode32.normalize("NFKD", char)
    if len(parts) > 4:
        return char
    return "".join(c for c in parts if unicode32.category(c) != "Mn").lower() or char


class Folded(NamedTuple):
    """`text` in lower case without marks of layout; `back[i]` is the place of `text[i]` in the
    original (None: the places are the same)."""

    original: str
    text: str
    back: tuple[int, ...] | None
    cut: bool

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Places in the folded text as places in the candidate's own text, end exclusive."""
        back = self.back
        if back is None:
            return start, end
        first = back[start]
        last = back[end - 1] + 1
        # Take combining marks and joiners that belong to the last character along.
        while last < len(self.original) and _fold_char(self.original[last]) == "":
            last += 1
        return first, last


_MARKUP: Final = re.compile(
    rf"<!--|-->|</?(?:{HTML_TAGS})(?:\s[^<>]{{0,300}})?/?>|&(?:nbsp|amp|lt|gt|quot|apos|#x?[0-9a-f]{{1,6}});"
    r"|\\[a-z]{2,}|https?://\S+|!?\[(?=[^\[\]\n]{1,200}\]\([^()\s]{0,300}\))|\]\([^()\s]{0,300}\)",
)
_BLOCKS: Final = re.compile(r"</?(?:br|p|li|div|tr|h[1-6]|ul|ol|hr)\b")
_ENTITIES: Final = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&#39;": "'"}
_TEX: Final = {
    "\\times": "x", "\\log": "log", "\\lg": "lg", "\\ln": "ln", "\\max": "max", "\\min": "min", "\\sqrt": "sqrt",
    "\\leq": "<=", "\\le": "<=", "\\geq": ">=", "\\ge": ">=", "\\neq": "!=", "\\ne": "!=", "\\to": "->", "\\neg": "not",
    "\\theta": "θ", "\\omega": "ω", "\\sum": "sum", "\\exp": "exp", "\\infty": "infinity", "\\approx": "~",
    "\\rightarrow": "->",
}  # fmt: skip


# Tabs and control characters are blanks; code between backquotes is read like the rest.
_ASCII: Final = {code: " " for code in (*range(32), 127)} | {10: "\n", 13: "\n", 11: "\n", 12: "\n", ord("`"): "'"}


def fold(text: str) -> Folded:
    """Cut, fold and blank out markup. Linear in the text, never longer than four times it."""
    cut = len(text) > MAX_RESPONSE
    if cut:
        text = text[:MAX_RESPONSE]
    back: tuple[int, ...] | None = None
    if text.isascii():
        folded = text.lower()
        if not folded.isprintable() or "`" in folded:
            folded = folded.translate(_ASCII)
    else:
        folded, back = _fold_wide(text)
    if "<" in folded or "\\" in folded or "://" in folded or "&" in folded or "](" in folded:
        folded = _MARKUP.sub(_blank, folded)
    return Folded(text, folded, back, cut)


def _fold_wide(text: str) -> tuple[str, tuple[int, ...] | None]:
    distinct = set(text)
    table = {ord(c): _fold_char(c) for c in distinct}
    other = {c for c in distinct if c in _SUPERSCRIPTS or len(_fold_char(c)) != 1}
    if not other:
        return text.translate(table), None
    out: list[str] = []
    back: list[int] = []
    raised, done = False, 0
    for place in [place for place, char in enumerate(text) if char in other]:
        char, piece, raised = text[place], _fold_char(text[place]), raised and done == place
        out.append(text[done:place].translate(table))
        back.extend(range(done, place))
        done = place + 1
        if char in _SUPERSCRIPTS:
            # 10⁶ is 10^6 and n² is n^2, never 106 and n2.
            piece = _SUPERSCRIPTS[char] if raised else "^" + _SUPERSCRIPTS[char]
            raised = True
        elif piece:
            raised = False
        out.append(piece)
        back.extend([place] * len(piece))
    return "".join(out) + text[done:].translate(table), (*back, *range(done, len(text)))


def _blank(match: re.Match[str]) -> str:
    """Markup as blanks of the same length, so that every place stays where it was."""
    found = match.group()
    width = len(found)
    if found[0] == "\\":
        return _TEX.get(found, "").ljust(width)[:width]
    if found[0] == "&":
        return _ENTITIES.get(found, " ").ljust(width)
    if _BLOCKS.match(found):
        return "\n" + " " * (width - 1)
    return " " * width
