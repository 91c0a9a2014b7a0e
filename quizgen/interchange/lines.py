"""Text files as numbered lines, with a record of each line: read, layout, or not understood."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from quizgen.interchange.contract import CannotRead

MAX_LINE_CHARACTERS = 1 << 20  # characters; a text file has no longer lines

OPTION_LETTER_PATTERN = re.compile(r"(?:^|\s)\(?([A-Z])[.):]\s+")
_TABLE_ROW_PATTERN = re.compile(r"^[ \t]*\|.*$", re.MULTILINE)


def decode_text(data: bytes) -> str:
    """The text of UTF-8 bytes, or UTF-16 with a byte order mark, with LF line ends. Raises CannotRead."""
    try:
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CannotRead(f"line {line} is not UTF-8; save the file as UTF-8") from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    longest = max((len(line) for line in text.split("\n")), default=0)
    if longest > MAX_LINE_CHARACTERS:
        raise CannotRead(f"a line of {longest:,} characters is too long for a text; is this another kind of file?")
    return text


def csv_rows(text: str, separator: str, lines_before: int = 0) -> Iterator[tuple[int, list[str]]]:
    """Yields (last line number, cells) of each row. `lines_before` is the number of lines above the text. Raises
    CannotRead."""
    csv.field_size_limit(MAX_LINE_CHARACTERS)
    rows = csv.reader(io.StringIO(text), delimiter=separator)
    try:
        for cells in rows:
            yield rows.line_num + lines_before, cells
    except csv.Error as error:
        raise CannotRead(f"line {rows.line_num + lines_before}: {error}; fix its quotes") from None


@dataclass(slots=True)
class NumberedLines:
    """The lines of a file, counted from 1. `used_lines`: the numbers of lines with texts that were read;
    `layout_lines`: those of rules, scales and known headings. Blank lines are in neither."""

    lines: list[str]
    layout_lines: set[int] = field(default_factory=set)
    used_lines: set[int] = field(default_factory=set)

    @classmethod
    def from_bytes(cls, data: bytes) -> NumberedLines:
        return cls(decode_text(data).split("\n"))

    def __iter__(self) -> Iterator[tuple[int, str]]:
        return iter(enumerate(self.lines, 1))

    def following_texts(self) -> Iterator[tuple[int, str]]:
        """Yields the number of each line, the last line first, and the text of the next line that is not blank."""
        after = ""
        for number in range(len(self.lines), 0, -1):
            yield number, after
            after = self.lines[number - 1].strip() or after

    def code_blocks(self) -> Iterator[tuple[int, int]]:
        """Yields the numbers of the first and last line of each fenced block of code; a fence that is never closed
        begins none."""
        mark, first = "", 0
        for number, line in self:
            text = line.strip()
            if not mark and (match := re.match(r"(`{3,}|~{3,})[^`]*$", text)):
                mark, first = match[1], number
            elif mark and text.startswith(mark) and not text.strip(mark[0]):
                yield first, number
                mark = ""

    def title(self) -> str:
        """The first line if it is a heading by itself, which then is a used line; else an empty text."""
        first = next(((n, line) for n, line in self if line.strip()), (0, ""))
        text = first[1].strip()
        follows = self.lines[first[0]].strip() if first[0] < len(self.lines) else ""
        lone = not follows or re.match(r"(question|q|item)\s*1\b|1[.)]\s", follows, re.IGNORECASE)
        if not lone or re.match(r"(#+\s*)?(question|q|item)\s*\d|\d+[.)]|.*[?:]$", text, re.IGNORECASE):
            return ""
        self.used_lines.add(first[0])
        return text.lstrip("# ")

    def unread(self) -> tuple[tuple[int, str], ...]:
        """The (number, text) of each line that is neither used nor layout nor blank."""
        known = self.layout_lines | self.used_lines
        return tuple((n, line.strip()) for n, line in self if line.strip() and n not in known)


def join_neighbours(unread: Iterable[tuple[int, str]]) -> list[tuple[int, int, str]]:
    """The runs of consecutive lines, each as (number of its first line, number of its last line, text of its first
    line). A line without a number (0) is a run of its own."""
    runs: list[tuple[int, int, str]] = []
    for number, text in unread:
        if number and runs and number == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number, runs[-1][2])
        else:
            runs.append((number, number, text or "(empty)"))
    return runs


def split_options(text: str) -> tuple[str, list[str]] | None:
    """The text before the options, and the options, of a text such as `A) one B) two`, whose letters must run from A;
    None if there are none. A table row has cells, not options."""
    marks = OPTION_LETTER_PATTERN.finditer(_TABLE_ROW_PATTERN.sub(lambda row: "|" * len(row[0]), text))
    run: list[re.Match[str]] = []
    for mark in marks:
        if mark[1] == chr(ord("A") + len(run)):
            run.append(mark)
    if len(run) < 2:
        return None
    ends = [m.start() for m in run[1:]] + [len(text)]
    return text[: run[0].start()].strip(), [text[m.end() : end].strip() for m, end in zip(run, ends, strict=True)]
