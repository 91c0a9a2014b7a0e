"""Decimal numbers as people write them: which marks group digits, and which one is the decimal mark.

* One dot is a decimal point; several group thousands (`1.234.567`).
* One comma before exactly three digits can be either (`1,234`). It groups where the last digit is 0, for nobody writes
  1.230 for 1.23 (`31,700`); it is a decimal comma after a 0 or more than three digits (`0,467`, `1234,567`); else both
  values are kept. Before any other number of digits it is a decimal comma.
* Several commas group thousands, or in the Indian way hundreds above them (`12,34,567`). Where both marks stand, the
  last one is the decimal mark. Blanks, apostrophes and underscores group thousands.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from quizgen.formula.quantity import reduced
from quizgen.numbers.answer import AskAgain

MAX_DIGITS: Final = 60
MAX_POWER: Final = 308  # powers of ten of a double, as in the formula engine
MARKS: Final = re.compile(r"[.,'_ \u00a0\u202f\u2009]")
POWER: Final = re.compile(r"\.? ?[eE]([+-]?\d+)|\s*(?:[*xX]|times)\s*10\s*(?:\^|\*\*)\s*\(?([+-]?\d+)\)?")


class Numeral(NamedTuple):
    """A written number: `value`; `step`, the worth of its last significant place (1/10 for 31.7, 100 for 31,700);
    `other`, its value if the mark in it is read the other way (1234 and 1.234), with `grouping` where `value` takes it
    as one that groups; `raised`: a power of ten was written;
    `scaled`: that or a magnitude (`million`)."""

    value: int | Fraction
    step: Fraction
    other: int | Fraction | None = None
    grouping: bool = False
    raised: bool = False
    scaled: bool = False

    def times(self, factor: int | Fraction) -> Numeral:
        other = None if self.other is None else self.other * factor
        return Numeral(self.value * factor, self.step * factor, other, self.grouping, self.raised, True)


def numeral(digits: str, power: str = "") -> Numeral:
    """The number of `digits` (`31,687.5`) and `power` (`e10`, ` x 10^10` or nothing). Raises AskAgain."""
    if len(digits) > MAX_DIGITS:
        raise AskAgain(f"a number of more than {MAX_DIGITS} digits: write it as 3.17e10")
    plain = _plain(digits)
    if not power:
        return plain
    written = POWER.fullmatch(power)
    assert written is not None
    exponent = written[1] or written[2]
    if len(exponent.lstrip("+-0")) > 3 or abs(int(exponent)) > MAX_POWER:
        word = "small" if exponent.startswith("-") else "large"
        raise AskAgain(f"{digits}{power} is too {word} for a number here: write one nearer to 1")
    return plain.times(_power_of_ten(int(exponent)))._replace(raised=True)


@lru_cache(maxsize=1024)
def _power_of_ten(exponent: int) -> int | Fraction:
    return 10**exponent if exponent >= 0 else Fraction(1, 10**-exponent)


def _plain(digits: str) -> Numeral:
    if digits.isdigit():
        return _decimal(digits, "")
    parts, marks = MARKS.split(digits), MARKS.findall(digits)
    if not parts[0]:  # .5 and ,5
        return _decimal("0", parts[1])
    last, groups = marks[-1], marks[:-1] if marks[-1] in ".," else marks
    if last in ".," and last not in groups and len(set(groups)) <= 1:
        if not _are_grouped(parts[:-1], groups):
            raise _broken(digits)
        if groups or last == ".":
            point = _decimal("".join(parts[:-1]), parts[-1])
            may_group = not groups and len(parts[1]) == 3 and len(parts[0]) <= 3 and parts[0].strip("0")
            return point._replace(other=int(parts[0] + parts[1])) if may_group else point  # 11.510
        return _one_comma(*parts)
    if len(set(marks)) == 1 and _are_grouped(parts, marks):
        return _decimal("".join(parts), "")
    raise _broken(digits)


def _one_comma(left: str, right: str) -> Numeral:
    if len(right) != 3 or left.startswith("0") or len(left) > 3:
        return _decimal(left, right)
    whole = _decimal(left + right, "")
    if right.endswith("0"):
        return whole._replace(grouping=True)
    return whole._replace(other=_decimal(left, right).value, grouping=True)


def _are_grouped(parts: list[str], marks: list[str]) -> bool:
    """Whether `parts` are a first group of one to three digits and groups of three, or of two in the Indian way."""
    if not marks or marks[0] == "_":
        return True
    if not 1 <= len(parts[0]) <= 3 or parts[0][0] == "0" or len(parts[-1]) != 3:
        return False
    inner = {len(part) for part in parts[1:-1]}
    return inner <= {3} or (marks[0] == "," and len(parts[0]) < 3 and inner == {2})


def _decimal(whole: str, part: str) -> Numeral:
    digits = int(whole + part)
    if part or not digits:
        return Numeral(reduced(digits, 10 ** len(part)), Fraction(1, 10 ** len(part)))
    return Numeral(digits, Fraction(10 ** (len(whole) - len(whole.rstrip("0")))))


def _broken(digits: str) -> AskAgain:
    return AskAgain(f'"{digits}" is not one number: write it as 1234.5 or 1,234.5')
