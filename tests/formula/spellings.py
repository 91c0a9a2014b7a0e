"""The table of spellings: rows of `spellings.txt`, for the tests and for docs/diagnosis.md."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from quizgen.formula.quantity import Reading
from quizgen.formula.units import KNOWN_UNITS, UNIT_ONE, Dim, Unit, parse_unit
from quizgen.numbers.answer import AnswerFormat, UnitLexicon
from quizgen.numbers.read import answer_format_in_words_of_stem, read_response

# Formats of answers that are no single number.
TRUTH = AnswerFormat(answer_type="truth")
WORDS = AnswerFormat(answer_type="word", enum_words=("ring", "tree", "two-level ring"))
TUPLE = AnswerFormat(answer_type="tuple", part_count=4, part_names=("tp", "cp", "pp", "dp"))
COUNT = AnswerFormat(KNOWN_UNITS["GPU"], may_be_unbounded=True, is_whole=True)

FILE = Path(__file__).with_name("spellings.txt")
_ESCAPE = re.compile(r"\\u([0-9a-f]{4})")


def must_read(text: str, asked: AnswerFormat) -> Reading:
    """The reading of a response that can be read."""
    found = read_response(text, asked)
    assert isinstance(found, Reading), found
    return found


@dataclass(frozen=True)
class Row:
    section: str
    asked: str
    written: str  # as in the file
    expected: str

    @property
    def response(self) -> str:
        return _ESCAPE.sub(lambda m: chr(int(m.group(1), 16)), self.written)

    @property
    def stem(self) -> str:
        """The stem, in sections that are named by one; empty elsewhere."""
        return self.section.removeprefix("Asked: ") if self.section.startswith("Asked: ") else ""

    @property
    def unit(self) -> Unit:
        return parse_unit(self.asked)

    @property
    def answer_format(self) -> AnswerFormat:
        """What the row asks, in the words of the bank that ships, and of its stem where it has one."""
        plain = AnswerFormat(self.unit, unit_lexicon=LEXICON)
        return answer_format_in_words_of_stem(plain, self.stem) if self.stem else plain

    @property
    def amounts(self) -> tuple[tuple[Fraction, Dim, float], ...]:
        """The expected amounts in base units with dimension and relative slack (0: exact)."""
        return tuple(_amount(text) for text in self.expected.split(" or "))


def _amount(text: str) -> tuple[Fraction, Dim, float]:
    slack = 0.0
    if text.startswith("sqrt "):
        number, _, unit = text[5:].partition(" ")
        return Fraction(float(number) ** 0.5), parse_unit(unit).dim, 1e-12
    if text.endswith(" approx"):
        text, slack = text[:-7], 1e-4
    number, _, spelling = text.replace("%", " %").partition(" ")
    unit = parse_unit(spelling) if spelling else UNIT_ONE
    return Fraction(number) * unit.factor, unit.dim, slack


def rows() -> tuple[Row, ...]:
    found: list[Row] = []
    section = ""
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            section = line[3:]
        elif " ¦ " in line and not line.startswith("#"):
            asked, response, expected = line.split("¦")
            found.append(Row(section, asked.strip(), response[1:-1], expected.strip()))
    return tuple(found)


def _lexicon() -> UnitLexicon:
    """The words of the bank that ships, read by hand: one `unit: [words]` may go over several lines."""
    text = (Path(__file__).parents[2] / "banks/distributed-training/bank.yaml").read_text(encoding="utf-8")
    units = re.findall(r"^  ([\w/-]+): \[([^]]+)\]", text.partition("\nunits:\n")[2], re.MULTILINE)
    spelt = ((word.strip(), parse_unit(unit)) for unit, words in units for word in words.split(","))
    return UnitLexicon.from_unit_by_spelling(dict(spelt))


LEXICON = _lexicon()
