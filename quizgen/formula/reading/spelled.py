"""English numerals: `two hundred and fifty-six`, `zero point seven five`, `31 point 7`, and the names of parts."""

from __future__ import annotations

import re
from collections.abc import Collection
from fractions import Fraction
from typing import Final

from quizgen.formula.reading.numeral import Numeral

_ONES: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS: Final = (
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
WORTH: Final = {
    **{word: n for n, word in enumerate((*_ONES, *_TEENS))},
    **{word: 10 * n for n, word in enumerate(_TENS, 2)},
}
_ORDINALS: Final = {"three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth", "twelve": "twelfth"}

# `third`, `thirds`, `half` … -> what it is one of
PARTS: Final = {"half": 2, "halves": 2, "quarter": 4, "quarters": 4}
for _word, _n in {**WORTH, "hundred": 10**2, "thousand": 10**3, "million": 10**6}.items():
    if _n > 2:
        _name = _ORDINALS.get(_word) or f"{_word.removesuffix('y')}{'ie' if _word.endswith('y') else ''}th"
        PARTS.update({_name: _n, f"{_name}s": _n})

_ONE = f"(?:{'|'.join(_ONES)})"
_SMALL = rf"(?:(?:{'|'.join(_TENS)})(?:\s*-?\s*(?!zero){_ONE})?|{'|'.join(_TEENS)}|{_ONE})(?:fold)?\b"
_HUNDREDS = rf"(?:(?:(?:{_SMALL}|\ba)\s+)?hundred\b(?:\s+(?:and\s+)?{_SMALL})?|{_SMALL})"
_THOUSANDS = rf"(?:(?:(?:{_HUNDREDS}|\ba)\s+)?thousand\b(?:\s+(?:and\s+)?{_HUNDREDS})?|{_HUNDREDS})"
_SPELLED = re.compile(rf"(?:(\d+|{_THOUSANDS})?\s*\bpoint\s+((?:{_ONE}\b\s*)+|\d+)|{_THOUSANDS})(?<!\s)", re.IGNORECASE)
_WORD = re.compile(rf"{'|'.join(sorted(WORTH, key=len, reverse=True))}|hundred|thousand|point")
# What stands beside a `one` or `zero` that counts, where digits stand elsewhere: `one of them` counts nothing.
_BEFORE = re.compile(r"(?:[*+/]|\b(?:plus|times|minus|by|over))\s*$")
_AFTER: Final = re.compile(
    r"(?: [a-z]+)? (?:per|every|each) [\d.]|"
    rf"\s*[*+/-]|\s*[.,]?\d|\s*(?:hundred|thousand|dozen|point|and|an?|of|in|out|{'|'.join((*PARTS, *WORTH))})\b",
    re.IGNORECASE,
)
_MINUS_DIGIT: Final = re.compile(r"-\d+")  # fifty-9 is no difference


def _slips() -> dict[str, str]:
    """What a slip of the hand makes of a numeral: an inner letter lost, doubled or swapped with its neighbour."""
    words = [word for word in (*WORTH, "hundred", "thousand", "million", "billion", "trillion") if len(word) > 4]
    found = {"fourty": "forty", "thousend": "thousand", "twelf": "twelve", "fiveteen": "fifteen"}
    for word in words:
        for at in range(1, len(word) - 1):
            swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
            for slip in (word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:], swapped):
                if slip not in _OTHER_WORDS and slip not in WORTH:
                    found.setdefault(slip, word)
    return found


_OTHER_WORDS: Final = ("tree", "thee", "there", "seen")
_SLIPS: Final = _slips()
_LETTERS: Final = re.compile(r"[a-z]{4,10}", re.IGNORECASE)


def without_slips(text: str, own: Collection[str]) -> str:
    """`text` with its numerals spelt right: `fourty eigth`, `two hunderd`; the words of the subject (`own`) stay."""
    return _LETTERS.sub(lambda word: _right(word[0], own), text)


def _right(word: str, own: Collection[str]) -> str:
    low = word.casefold()
    return word if low in own else _SLIPS.get(low, word)


def match_spelled(text: str, at: int, digits: bool) -> tuple[Numeral, int] | None:
    """The numeral in words that starts at `at` and where it ends; None if none does. `digits`: digits stand in
    the text as well."""
    found = _SPELLED.match(text, at)
    if found is None:
        return None
    written, end = found[0], found.end()
    words = _WORD.findall(written.lower())
    torn = _MINUS_DIGIT.match(text, end)
    if torn and words != ["zero"]:
        return Numeral(written, fault=f'"{written}{torn[0]}" is not one number: write it in digits'), end
    if words == ["zero"] and text.startswith("-", end):
        return None  # zero-2
    if digits and words in (["one"], ["zero"]) and not (_BEFORE.search(text[:at]) or _AFTER.match(text, end)):
        return None
    whole = _whole(words[: words.index("point")] if "point" in words else words)
    if found[2] is None:
        return Numeral(written, Fraction(whole), Fraction(1)), end
    part = (
        "".join(found[2].split())
        if found[2][0].isdigit()
        else "".join(str(WORTH[w]) for w in _WORD.findall(found[2].lower()))
    )
    step = Fraction(1, 10 ** len(part))
    return Numeral(written, (int(found[1]) if (found[1] or "").isdigit() else whole) + int(part) * step, step), end


def _whole(words: list[str]) -> int:
    total = current = 0
    for word in words:
        if word == "hundred":
            current = 100 * max(current, 1)
        elif word == "thousand":
            total, current = 1000 * max(current, 1), 0
        else:
            current += WORTH.get(word, 0)
    return total + current
