"""libyaml's complaints in an author's words: the problem, the remedy, and the place; and a text without a broken item.
Loaded only for a file that is not YAML."""

from __future__ import annotations

import re
from collections.abc import Callable

_FLOW_STYLE_HINT = "separate entries by commas, and quote a text that has a bracket, a brace or a comma"

# A pattern of libyaml's words -> (message, hint, at the context's place)
_ERROR_EXPLANATIONS: tuple[tuple[str, str, str, bool], ...] = (
    ("found unexpected end of stream", "quote not closed", "close the quote that was opened here", True),
    ("did not find expected ',' or ']'", "list [ not closed", f"close it with ]; {_FLOW_STYLE_HINT}", True),
    ("did not find expected ',' or '}'", "mapping { not closed", f"close it with }}; {_FLOW_STYLE_HINT}", True),
    ("found character that cannot start any token", "this character cannot start a value", "quote the text", False),
    ("found a tab character", "a tab cannot indent", "indent with spaces", False),
    ("mapping values are not allowed", "a second `: ` here, or wrong indent", "quote the text or indent it", False),
    ("could not find expected ':'", "no `: ` after this name", "write `name: value`", True),
    ("did not find expected key", "wrong indentation", "line it up with the fields above", False),
    ("did not find expected '-' indicator", "wrong indentation", "line it up with the entries above", False),
    ("block sequence entries are not allowed", "a list cannot start here", "begin it on a line of its own", False),
    ("invalid Unicode character escape", "an escape that is no character (lone surrogate?)", "write it itself", False),
    ("did not find expected hexdecimal", "an escape with a wrong number of digits", r"write \x1f or \u001f", False),
    ("found unknown escape", "unknown escape in double quotes", "double the backslash or use single quotes", False),
    ("undefined tag handle", "a tag", "delete it; every value here is text until a field reads it", False),
    ("exceeded the maximum simple key length", "a name longer than 1,024 characters", "shorten it", False),
    ("did not find expected node content", "a value is missing here", "write it, or quote the text", False),
    ("did not find expected alphabetic or numeric", "a lone & or *", "quote the text", False),
    ("found an indentation indicator", "a 0 behind | or >", "delete it", False),
    ("did not find expected comment or line break", "text behind | or >", "begin it on the next line", False),
    ("found unexpected ':'", "a `:` inside [ ] or { }", "quote the text", False),
    ("found unexpected document indicator", "`---` or `...` inside quotes", "close the quote before it", False),
    ("did not find expected <document start>", "text behind the document's end", "keep one document a file", False),
    ("find the expected '>'|URI escaped octet|expected tag URI", "a tag", "quote the text", False),
    ("directive", "a line that begins with %", "delete it, or quote the text", False),
    ("incompatible YAML document|version number|find expected '!'", "a line that begins with %", "delete it", False),
)  # fmt: skip

# If the place is after a value on its line, the value was complete, so indentation is not the problem.
_INDENTATION_ERROR_PREFIXES = ("did not find expected key", "did not find expected '-' indicator")


def explain_error(error: Exception, text: str) -> tuple[int, int, str, str]:
    """libyaml's error as (line, column, message, hint)."""
    problem = str(getattr(error, "problem", None) or error)
    mark = getattr(error, "problem_mark", None)
    context = getattr(error, "context_mark", None)
    message, hint, at_context = problem, "see the YAML rules in the documentation", False
    for words, wording, todo, early in _ERROR_EXPLANATIONS:
        if re.search(words, problem):
            message, hint, at_context = wording, todo, early
            break
    if at_context and context is not None:
        mark = context
    if mark is None:
        return 1, 1, message, hint
    line, column = mark.line + 1, mark.column + 1
    row = text.split("\n")[line - 1] if line <= text.count("\n") + 1 else ""
    return _explain_fault_in_line(row, line, column, problem) or (line, column, message, hint)


def _explain_fault_in_line(line_text: str, line: int, column: int, problem: str) -> tuple[int, int, str, str] | None:
    """The mistake that the `line_text` at (line, column) shows but that libyaml's `problem` does not name, as (line,
    column, message, hint); None if there is none."""
    if line_text[:column].strip(" -") == "\t" or (
        "\t" in line_text[: len(line_text) - len(line_text.lstrip())] and "token" in problem
    ):
        return line, line_text.index("\t") + 1, "a tab cannot indent", "indent with spaces"
    after_brace = "comment or line break" in problem and line_text[: column - 1].rstrip("|>").endswith(("}", "]"))
    if after_brace or (problem.startswith(_INDENTATION_ERROR_PREFIXES) and line_text[: column - 1].strip(" -")):
        return line, column, "text behind the end of this value", "put all of it in one pair of quotes, or none"
    wide = next((c for c in line_text if c in "\uff1a\ufe55\ua789\u02d0"), "")
    if wide and ": " not in line_text:
        message = f"no colon here: U+{ord(wide):04X} is another character"
        return line, line_text.index(wide) + 1, message, "type a plain colon"
    return None


MAX_REPAIRED_CHARACTERS = 1 << 20  # largest file, in characters, from which broken items are removed to read the rest
_ITEMS_START_PATTERN = re.compile(r"^items:[ \t]*(?:#.*)?\n(?:[ \t]*(?:#.*)?\n)*( *)- ", re.MULTILINE)
_ID_PATTERN = re.compile(r"\bid: *([a-z0-9][a-z0-9-]*)")


def blank_out_broken_item(
    error: Exception, text: str, first_invalid_line_of: Callable[[str], int | None]
) -> tuple[str, str | None]:
    """The id of the item with the error, and the text with blank lines in place of that item; ("", None) if the rest is
    no better. `first_invalid_line_of` returns the line where a text stops being valid YAML, None if it is valid."""
    listed = _ITEMS_START_PATTERN.search(text) if len(text) <= MAX_REPAIRED_CHARACTERS else None
    if listed is None:
        return "", None
    rows = text.split("\n")
    first = text.count("\n", 0, listed.end())
    end = next((n for n in range(first, len(rows)) if re.match(r"[A-Za-z_]", rows[n])), len(rows))
    begins = [n for n in range(first, end) if rows[n].startswith(f"{listed[1]}- ")]
    if len(begins) < 2:
        return "", None
    spans = list(zip(begins, [*begins[1:], end], strict=True))  # first line of each item, and the line after its last
    marks = [getattr(error, name, None) for name in ("context_mark", "problem_mark")]
    lines = [mark.line for mark in marks if mark is not None]
    kept = []
    before = [n - 1 for n in lines]  # an unclosed quote is detected on the following line
    suspects = dict.fromkeys(span for line in [*lines, *before] for span in spans if span[0] <= line < span[1])
    for begin, behind in suspects:
        rest = "\n".join([*rows[:begin], *[""] * (behind - begin), *rows[behind:]])
        stops = first_invalid_line_of(rest)
        if stops is None or (stops > behind and stops - 1 not in lines):
            name = _ID_PATTERN.search("\n".join(rows[begin:behind]))
            kept.append((stops or len(rows) + 1, name[1] if name else "", rest))
    # If more is broken, remove the item without which most of the file can be read.
    return max(kept, key=lambda one: one[0])[1:] if kept else ("", None)
