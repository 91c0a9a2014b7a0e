"""Text files of strangers as lines, and the account of them: taken, furniture, or not understood."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from quizgen.interchange.contract import CannotRead

MAX_LINE = 1 << 20  # characters; a longer one is not a line of a text

LETTERED = re.compile(r"(?:^|\s)\(?([A-Z])[.):]\s+")
_TABLE_ROW = re.compile(r"^[ \t]*\|.*$", re.MULTILINE)


def decoded(data: bytes) -> str:
    """UTF-8, or UTF-16 with its mark, with LF line ends. Raises CannotRead."""
    try:
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            text = data.decode("utf-16")
        else:
            text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CannotRead(f"line {line} is not UTF-8; save the file as UTF-8") from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    longest = max((len(line) for line in text.split("\n")), default=0)
    if longest > MAX_LINE:
        raise CannotRead(f"a line of {longest:,} characters is not a line of a text; is this another kind of file?")
    return text


def csv_rows(text: str, mark: str, before: int = 0) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table, each with the line on which it ends; `before`: lines above the text. Raises CannotRead."""
    csv.field_size_limit(MAX_LINE)
    rows = csv.reader(io.StringIO(text), delimiter=mark)
    try:
        for cells in rows:
            yield rows.line_num + before, cells
    except csv.Error as error:
        raise CannotRead(f"line {rows.line_num + before}: {error}; fix its quotes") from None


@dataclass(slots=True)
class NumberedLines:
    """The lines of a file and what became of each. Lines are counted from 1; blank ones need no account."""

    lines: list[str]
    furniture: set[int] = field(default_factory=set)
    taken: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, data: bytes) -> NumberedLines:
        return cls(decoded(data).split("\n"))

    def __iter__(self) -> Iterator[tuple[int, str]]:
        return iter(enumerate(self.lines, 1))

    def drop(self, number: int) -> None:
        """A line that says nothing an item holds: a rule, a scale, a heading that is known."""
        self.furniture.add(number)

    def followed(self) -> Iterator[tuple[int, str]]:
        """Each line's number and the next line that is not blank."""
        after = ""
        for number in range(len(self.lines), 0, -1):
            yield number, after
            after = self.lines[number - 1].strip() or after

    def blocks(self) -> Iterator[tuple[int, int]]:
        """The first and the last line of each block of code between ``` or ~~~; one that never ends is none."""
        mark, first = "", 0
        for number, line in self:
            text = line.strip()
            if not mark and (match := re.match(r"(`{3,}|~{3,})[^`]*$", text)):
                mark, first = match[1], number
            elif mark and text.startswith(mark) and not text.strip(mark[0]):
                yield first, number
                mark = ""

    def title(self) -> str:
        """The first line, where it is a heading by itself: taken."""
        first = next(((n, line) for n, line in self if line.strip()), (0, ""))
        text = first[1].strip()
        follows = self.lines[first[0]].strip() if first[0] < len(self.lines) else ""
        lone = not follows or re.match(r"(question|q|item)\s*1\b|1[.)]\s", follows, re.IGNORECASE)
        if not lone or re.match(r"(#+\s*)?(question|q|item)\s*\d|\d+[.)]|.*[?:]$", text, re.IGNORECASE):
            return ""
        self.taken.add(first[0])
        return text.lstrip("# ")

    def unread(self) -> tuple[tuple[int, str], ...]:
        gone = self.furniture | self.taken
        return tuple((n, line.strip()) for n, line in self if line.strip() and n not in gone)


def ranges(unread: Iterable[tuple[int, str]]) -> Iterator[tuple[int, int, str]]:
    """Neighbouring lines together: (first, last, how the first begins)."""
    first = last = 0
    words = ""
    for number, text in unread:
        if number and number == last + 1:
            last = number
            continue
        if words:
            yield first, last, words
        first, last, words = number, number, text or "(empty)"
    if words:
        yield first, last, words


def split_options(text: str) -> tuple[str, list[str]] | None:
    """`A) one B) two` as what stands before and the options: only a run A, B, C … from the first; None without.
    A row of a table has cells, not options."""
    marks = LETTERED.finditer(_TABLE_ROW.sub(lambda row: "|" * len(row[0]), text))
    run: list[re.Match[str]] = []
    for mark in marks:
        if mark[1] == chr(ord("A") + len(run)):
            run.append(mark)
    if len(run) < 2:
        return None
    ends = [m.start() for m in run[1:]] + [len(text)]
    return text[: run[0].start()].strip(), [text[m.end() : end].strip() for m, end in zip(run, ends, strict=True)]
