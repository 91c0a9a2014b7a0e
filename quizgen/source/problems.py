"""YAML nodes with places: `Location`, `Problem` and `Node`, the tree from which every reader of a bank works.

Every scalar is text until the field that needs a number, a truth value or a word reads it. `quizgen.source.yaml` makes
the nodes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from typing import Final, NamedTuple, TypeVar

from quizgen.source import Unreadable as Unreadable
from quizgen.source import WrongUse as WrongUse

ParsedValue = TypeVar("ParsedValue")

MAX_PROBLEMS_PER_FILE = 200  # problems reported for one file

_MIN_NUMBER_TOO_LARGE_FOR_FLOAT = 10**308  # too large for a float, and scores are written as floats
_NUMBER_PATTERN = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)


class Location(NamedTuple):
    """A place in a file, printed as `path:line:column`; line and column count from 1. Sorted by place."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


class Problem(NamedTuple):
    """A mistake that an author must fix. `item_id` is the id of the item, if known. `severity` is `error`, `failure` (a
    failed proof) or `warning`; only an `error` keeps an item out of the bank."""

    location: Location
    message: str
    hint: str = ""
    item_id: str = ""
    severity: str = "error"

    def __str__(self) -> str:
        item_prefix = f" {self.item_id}:" if self.item_id else ""
        hint = f"; {self.hint}" if self.hint else ""
        severity_prefix = "warning: " if self.severity == "warning" else ""
        return f"{self.location}:{item_prefix} {severity_prefix}{self.message}{hint}"


# The labels and currencies that a bank declares: label -> plural, and the amount in another unit (empty if none). And
# spellings that are no units: spelling -> the unit that it means in responses.
DeclaredUnits = dict[str, tuple[str, ...]]


class ProblemCollector:
    """One file while it is read. `is_unopened`: it could not be opened. `suppressed_problem_count`: the problems beyond
    MAX_PROBLEMS_PER_FILE, which are not kept."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.declared_units: DeclaredUnits = {}  # shared by the files of a bank
        self.problems: list[Problem] = []
        self.suppressed_problem_count = 0
        self.is_unopened = False

    def report(self, line: int, column: int, message: str, hint: str = "", severity: str = "error") -> None:
        """Adds a problem at this place (line and column from 1), unless the same is there already."""
        self.add(Problem(Location(self.path, line, column), message, hint, "", severity))

    def add(self, problem: Problem) -> None:
        """Adds a problem, unless the same is there already, of whichever item."""
        problem = problem._replace(message=printable(problem.message), hint=printable(problem.hint))
        if any((one[:3], one.severity) == (problem[:3], problem.severity) for one in self.problems):
            return
        if len(self.problems) >= MAX_PROBLEMS_PER_FILE:
            self.suppressed_problem_count += 1
            return
        self.problems.append(problem)

    def set_missing_item_ids_from_index(self, start_index: int, item_id: str) -> None:
        """Sets the item id of each problem from index `start_index` on that has none."""
        added = self.problems[start_index:]
        self.problems[start_index:] = [p if p.item_id else p._replace(item_id=item_id) for p in added]


BOOL_BY_TRUTH_WORD: Final = dict.fromkeys(("true", "yes", "on"), True) | dict.fromkeys(("false", "no", "off"), False)
# Field of an item in other programs -> its name here.
OUR_FIELD_BY_FOREIGN_NAME: Final = {
    "answer": "key", "correct": "key", "question": "stem", "prompt": "stem", "options": "distractors",
    "explanation": "rationale", "feedback": "rationale", "tags": "topic", "type": "kind",
}  # fmt: skip


class Node:
    """A scalar, list or mapping of a YAML file, with its place.

    `value` is `str`, `list[Node]` or `dict[str, Node]`. `shape` is "text", "list" or "mapping". Reading methods report
    mistakes on the node itself and return a neutral value, so that one mistake never hides the next."""

    __slots__ = ("_style", "column", "doc", "key_column", "key_line", "line", "value")

    def __init__(
        self, doc: ProblemCollector, line: int, column: int, value: str | list[Node] | dict[str, Node], style: str = ""
    ) -> None:
        self.doc = doc
        self.line = line
        self.column = column
        self.value = value
        self._style = style
        self.key_line = line
        self.key_column = column

    # -- shape ------------------------------------------------------------------------------

    @property
    def shape(self) -> str:
        return "text" if type(self.value) is str else "list" if type(self.value) is list else "mapping"

    @property
    def is_unquoted(self) -> bool:
        return type(self.value) is str and not self._style

    @property
    def location(self) -> Location:
        return Location(self.doc.path, self.line, self.column)

    def report(self, message: str, hint: str = "", severity: str = "error") -> None:
        self.doc.report(self.line, self.column, message, hint, severity)

    def report_at_key(self, message: str, hint: str = "", severity: str = "error") -> None:
        """Reports a problem at the key of this node."""
        self.doc.report(self.key_line, self.key_column, message, hint, severity)

    def report_at_offset(self, offset: int, message: str, hint: str = "", severity: str = "error") -> None:
        """Reports a problem at the character `offset` of a one-line scalar (at its start if it is folded)."""
        column = self.column
        if self._style in ("", "'", '"') and type(self.value) is str and "\n" not in self.value:
            column += offset + (1 if self._style else 0)
        self.doc.report(self.line, column, message, hint, severity)

    # -- reading ----------------------------------------------------------------------------

    def text(self, field_name: str = "this") -> str:
        """The scalar's text. Reports a list, a mapping or an empty text, and returns an empty text. `field_name` names
        the field in messages."""
        value = self.value
        if type(value) is not str:
            self.report(f"{field_name} must be text, not a {self.shape}", "write it on one line, or after >-")
        elif not value.strip():
            self.report(f"{field_name} is empty", "write its text or leave the field out")
        else:
            return value
        return ""

    def comma_joined_text(self, field_name: str) -> str:
        """The text, or the texts of a list joined by commas."""
        if type(self.value) is list:
            return ",".join([entry.text(field_name) for entry in self.value])
        return self.text(field_name)

    def mapping(self, field_name: str = "this") -> dict[str, Node]:
        """The mapping; `{}` if a mistake was reported."""
        if type(self.value) is dict:
            return self.value
        shape = "text" if self.shape == "text" else "a list"
        self.report(f"{field_name} must be a mapping, not {shape}", "write `name: value` lines below it")
        return {}

    def entries(self, field_name: str = "this") -> list[Node]:
        """The nodes of the list; a single text counts as a list of one."""
        if type(self.value) is list:
            return self.value
        if type(self.value) is str:
            return [self] if self.text(field_name) else []
        self.report(f"{field_name} must be a list, not a mapping", "write its entries as `- …` lines")
        return []

    def texts(self, field_name: str = "this") -> tuple[str, ...]:
        """The texts of a list, or a single text as a list of one; mistakes are reported and left out."""
        return tuple(t for t in (n.text(field_name) for n in self.entries(field_name)) if t)

    def fields(self, known_fields: Collection[str], field_name: str) -> Fields:
        """The fields of the mapping. Reports an empty mapping, and a name that is not in `known_fields`, with the
        nearest known one."""
        node_by_name, misspelt = self.mapping(field_name), set[str]()
        if not node_by_name and type(self.value) is dict:
            self.report(f"{field_name} is empty", "write its fields, or leave it out")
        for name, node in node_by_name.items():
            if name not in known_fields:
                our_name = OUR_FIELD_BY_FOREIGN_NAME.get(name, "")
                hint = f'did you mean "{our_name}"?' if our_name in known_fields else did_you_mean(name, known_fields)
                misspelt.update(hint.split('"')[1:2])
                if not hint and not name.isidentifier() and node.value == "":
                    hint = "put text with a comma in quotes"
                message = f'unknown field "{shorten(name)}" of {field_name}'
                node.report_at_key(message, hint or f"known: {', '.join(known_fields)}")
        return Fields(node_by_name, misspelt)

    def allowed_word(self, words: Collection[str], field_name: str) -> str | None:
        """The text if it is one of `words`; else None, and a problem is reported."""
        text = self.text(field_name)
        if text and text not in words:
            hint = did_you_mean(text, words) or f"one of: {', '.join(words)}"
            self.report(f'unknown {field_name} "{shorten(text)}"', hint)
        return text if text in words else None

    def truth(self, field_name: str = "this") -> bool | None:
        """True for `true`, `yes`, `on`, False for `false`, `no`, `off`; None if a mistake was reported."""
        return self._parse_or_report(field_name, BOOL_BY_TRUTH_WORD.get, "true or false", "write true or false")

    def number(self, field_name: str = "this") -> Fraction | None:
        """A decimal as an exact fraction: `2`, `0.5`, `1e9`; None if a mistake was reported."""
        return self._parse_or_report(field_name, read_decimal, "a finite number", "write a number such as 2 or 0.5")

    def share(self, field_name: str, may_be_100_percent: bool = True) -> Fraction | None:
        """A share from 0 to 1, as `60%` or `0.6`; below 1 unless `may_be_100_percent`. None after a mistake."""

        def parse_share(text: str) -> Fraction | None:
            value = read_decimal(text.strip().removesuffix("%"))
            value = value / 100 if value is not None and text.strip().endswith("%") else value
            return value if value is not None and 0 <= value <= 1 and (may_be_100_percent or value < 1) else None

        expected_words = f"a share from 0% to {'' if may_be_100_percent else 'below '}100%"
        return self._parse_or_report(field_name, parse_share, expected_words, "write 60% or 0.6")

    def whole_number_between(self, field_name: str, low: int, high: int) -> int | None:
        """A whole number from `low` to `high`; None if a mistake was reported."""

        def parse_in_range(text: str) -> int | None:
            value = read_decimal(text)
            return int(value) if value is not None and value.denominator == 1 and low <= value <= high else None

        expected_words = f"a whole number from {low} to {high}"
        return self._parse_or_report(field_name, parse_in_range, expected_words, f"write {low} to {high}")

    def _parse_or_report(
        self, field_name: str, parse: Callable[[str], ParsedValue | None], expected_words: str, hint: str
    ) -> ParsedValue | None:
        """`parse(text)`; if that is None, a problem is reported."""
        text = self.text(field_name)
        value = parse(text) if text else None
        if text and value is None:
            self.report(f'{field_name} must be {expected_words}, not "{shorten(text)}"', hint)
        return value


class Fields(dict[str, Node]):
    """The fields of a mapping by name. A missing field reads as an empty text, list or mapping, None or False."""

    def __init__(self, node_by_name: Mapping[str, Node] = {}, misspelt: Collection[str] = ()) -> None:
        super().__init__(node_by_name)
        self._misspelt = misspelt  # known names that were suggested for unknown ones

    def is_missing_as_misspelt(self, name: str) -> bool:
        """Whether the field is missing since its name is misspelt, which is reported already."""
        return name in self._misspelt and name not in self

    def text(self, name: str) -> str:
        return self[name].text(name) if name in self else ""

    def texts(self, name: str) -> tuple[str, ...]:
        return self[name].texts(name) if name in self else ()

    def fields(self, name: str, known_fields: Collection[str], field_name: str) -> Fields:
        return self[name].fields(known_fields, field_name) if name in self else Fields()

    def entries(self, name: str) -> list[Node]:
        return self[name].entries(name) if name in self else []

    def mapping(self, name: str) -> dict[str, Node]:
        return self[name].mapping(name) if name in self else {}

    def allowed_word(self, name: str, words: Collection[str]) -> str | None:
        return self[name].allowed_word(words, name) if name in self else None

    def number(self, name: str) -> Fraction | None:
        return self[name].number(name) if name in self else None

    def truth(self, name: str) -> bool:
        return name in self and bool(self[name].truth(name))


def read_decimal(text: str) -> Fraction | None:
    """The exact value of a decimal with at most 40 characters and within a float's range; else None."""
    text = text.strip()
    if len(text) > 40 or not _NUMBER_PATTERN.fullmatch(text):
        return None
    value = Fraction(text)
    return value if abs(value) < _MIN_NUMBER_TOO_LARGE_FOR_FLOAT else None


def up_to_2_decimals(points: Fraction) -> str:
    """Points for people: at most two decimals, no trailing zeros, never -0."""
    text = f"{float(points):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def points_phrase(points: Fraction) -> str:
    """Points with the word: `1 point`, `2.5 points`."""
    text = up_to_2_decimals(points)
    return f"{text} point{'s' * (text != '1')}"


def clock_text(seconds: float) -> str:
    """A duration as `4:05` or `1:02:09`; `0:00` below one second."""
    hours, remainder = divmod(max(0, int(seconds)), 3600)
    return f"{hours}:{remainder // 60:02}:{remainder % 60:02}" if hours else f"{remainder // 60}:{remainder % 60:02}"


def shorten(text: str, max_characters: int = 60) -> str:
    """The text cut to `max_characters` characters, the last of them `…`."""
    return text if len(text) <= max_characters else f"{text[: max_characters - 1]}…"


def printable(text: str) -> str:
    r"""Text that is safe on a screen: control, bidi and surrogate characters become `\u{..}`.

    Every text from outside must pass through here on its way to a terminal (CWE-150)."""
    if text.isprintable():
        return text
    return "".join(c if c in "\n\t" or not _is_unsafe_on_screen(c) else f"\\u{{{ord(c):x}}}" for c in text)


def _is_unsafe_on_screen(char: str) -> bool:
    if char.isprintable() or char == "\u00a0":
        return False
    if unicodedata.category(char) in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp") or char in "\u200e\u200f\u061c":
        return True
    return "\u202a" <= char <= "\u202e" or "\u2060" <= char <= "\u206f" or "\U000e0000" <= char <= "\U000e007f"


def did_you_mean(name: str, known_names: Collection[str]) -> str:
    """The hint `did you mean "x"?` with the name in `known_names` that is nearest to `name`; empty if none is near."""
    from rapidfuzz.distance import OSA

    limit = max(1, len(name) // 3)
    best = min(known_names, key=lambda k: (OSA.distance(name.lower(), k.lower()), k), default="")
    return f'did you mean "{best}"?' if best and OSA.distance(name.lower(), best.lower()) <= limit else ""


def similar_names(name: str, known_names: Collection[str]) -> list[str]:
    """The known names that contain `name` as a word or words, or else those with the nearest word or beginning.

    >>> similar_names("pipline", ["pipeline-parallel", "zero"])
    ['pipeline-parallel']
    >>> similar_names("url-shortner", ["url-shortener-for-a-country"])
    ['url-shortener-for-a-country']"""
    word, parts = name.casefold(), [one.casefold().split("-") for one in known_names]
    words = {word for one in parts for word in one} | {"-".join(one[: word.count("-") + 1]) for one in parts}
    words = {word for word in words if len(word) > 2}
    match = word if word in words else did_you_mean(word, words).removeprefix('did you mean "').removesuffix('"?')
    return sorted(one for one in known_names if match and f"-{match}-" in f"-{one.casefold()}-")
