"""Decimal numbers as people write them: which marks group digits, which one is the decimal mark.

The rules, none of which looks at a key:

* One dot is a decimal point. Several dots group thousands (`1.234.567`).
* One comma before exactly three digits could be either mark (`1,234`). It groups thousands if the
  last digit is 0, for nobody writes 1.230 for 1.23 (`31,700`); it is a decimal comma after a 0 or
  after more than three digits (`0,467`, `1234,567`); else both values are kept, and what is asked
  decides. Before any other number of digits it is a decimal comma.
* Several commas group thousands, or in the Indian way hundreds above them (`12,34,567`). Where both
  marks stand, the last one is the decimal mark. A comma before the first digit is a decimal comma.
* Spaces, apostrophes and underscores group thousands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

MAX_DIGITS: Final = 60
MAX_POWER: Final = 308  # powers of ten of a double, as in the formula engine
_SMALLEST: Final = -323

_RUN = re.compile(r"\d+(?:[.,'_]\d+| \d{3}(?!\d))*|[.,]\d+")
_POINT = re.compile(r"\.(?=[eE][+-]?\d)")
_EXPONENT = re.compile(r" ?[eE]([+-]?\d+)(?![\w.])|[eE]([+-]?\d+)")


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number as written. `step` is the worth of its last significant place (0.1 for 31.7, 100 for
    31,700; 0: exact); `decimal` is the other value, where a mark could be read both ways: of the two,
    `grouping` says that the first is the one with thousands grouped. `fault` says why it is no number."""

    text: str
    value: Fraction = Fraction(0)
    step: Fraction = Fraction(0)
    decimal: Fraction | None = None
    fault: str = ""
    raised: bool = False  # written with a power of ten
    grouping: bool = True


BLANK: Final = Numeral("")


def match_number(text: str, at: int) -> tuple[Numeral, int] | None:
    """The number that starts at `at` and where it ends; None if none starts there."""
    found = _RUN.match(text, at)
    if found is None:
        return None
    if found.group()[0] == "," and at and text[at - 1] not in " =~(-+":
        return None
    end = found.end()
    end += _POINT.match(text, end) is not None  # 1.e5
    exponent = _EXPONENT.match(text, end)
    power = 0
    if exponent:
        end = exponent.end()
        digits = exponent.group(1) or exponent.group(2)
        power = int(digits) if len(digits.lstrip("+-0")) <= 4 else (-9999 if digits[0] == "-" else 9999)
    written = text[at:end]
    parts = _RUN_PARTS.split(found.group())
    marks = [c for c in found.group() if not c.isdigit()]
    if sum(map(len, parts)) > MAX_DIGITS:
        return Numeral(written, fault=f"a number of more than {MAX_DIGITS} digits: write it as 3.17e10"), end
    numeral = _combine(written, parts, marks)
    if exponent and not numeral.fault:
        numeral = times_ten(numeral, power, written)
    return numeral, end


_RUN_PARTS = re.compile(r"[.,'_ ]")


def times_ten(numeral: Numeral, power: int, written: str) -> Numeral:
    """`numeral` times ten to the `power`."""
    if not numeral.value:
        places = max(_SMALLEST, min(power, MAX_POWER))
        return Numeral(written, Fraction(0), numeral.step * Fraction(10) ** places, raised=True)
    size = len(str(abs(numeral.value.numerator))) - len(str(numeral.value.denominator)) + power
    if not _SMALLEST <= size <= MAX_POWER:
        word = "large" if size > 0 else "small"
        return Numeral(written, fault=f"{written} is too {word} for a number here: write one nearer to 1")
    scale = Fraction(10) ** power
    decimal = None if numeral.decimal is None else numeral.decimal * scale
    value, step = numeral.value * scale, numeral.step * scale
    return replace(numeral, text=written, value=value, step=step, decimal=decimal, raised=True)


def _combine(written: str, parts: list[str], marks: list[str]) -> Numeral:
    """The value of digit groups `parts` with `marks` between them."""
    if not parts[0]:  # .5 and ,5
        return _value(written, "0", parts[1])
    if not marks:
        return _value(written, parts[0], "")
    last = marks[-1]
    grouping = marks[:-1] if last in ".," else marks
    if last in ".," and last not in grouping and len(set(grouping)) <= 1:
        if not _grouped(parts[:-1], grouping):
            return _broken(written)
        if grouping or last == ".":
            value = _value(written, "".join(parts[:-1]), parts[-1])
            if last == "." and not grouping and len(parts[1]) == 3 and len(parts[0]) <= 3 and parts[0].strip("0"):
                return replace(value, decimal=Fraction(int(parts[0] + parts[1])), grouping=False)  # 11.510
            return value
        return _one_comma(written, parts[0], parts[1])
    if len(set(marks)) == 1 and _grouped(parts, marks):
        return _value(written, "".join(parts), "")
    return _broken(written)


def _one_comma(written: str, left: str, right: str) -> Numeral:
    if len(right) != 3 or left.startswith("0") or len(left) > 3:
        return _value(written, left, right)
    whole, decimal = _value(written, left + right, ""), _value(written, left, right)
    if right.endswith("0"):
        return whole
    return Numeral(written, whole.value, whole.step, decimal.value)


def _grouped(parts: list[str], marks: list[str]) -> bool:
    """True if the digits are in groups of three after a first one of one to three."""
    if not marks:
        return True
    if marks[0] == "_":
        return True
    if not 1 <= len(parts[0]) <= 3 or parts[0][0] == "0" or len(parts[-1]) != 3:
        return False
    indian = marks[0] == "," and len(marks) > 1 and len(parts[0]) < 3
    inner = {len(part) for part in parts[1:-1]}
    return inner <= {3} or (indian and inner == {2})


def _value(written: str, whole: str, part: str) -> Numeral:
    value = Fraction(int(whole + part), 10 ** len(part))
    if part or not value:
        step = Fraction(1, 10 ** len(part))
    else:
        step = Fraction(10 ** (len(whole) - len(whole.rstrip("0"))))
    return Numeral(written, value, step)


def _broken(written: str) -> Numeral:
    return Numeral(written, fault=f'"{written}" is not one number: write it as 1234.5 or 1,234.5')
