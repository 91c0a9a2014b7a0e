"""Parses the bytes of a YAML file into a `Node` tree, and reports every mistake with its place.

The tree is built from libyaml's event stream, never by a PyYAML loader: a loader guesses types (`no` becomes False,
`12:30` becomes 750), keeps the last of two equal keys and can crash the process on deep nesting. Tags, anchors,
aliases, merge keys and duplicate keys are problems here."""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections.abc import Callable, Mapping
from sys import intern
from typing import Any

from quizgen.source.problems import Location, Node, Problem, ProblemCollector, shorten

# Never follow a link, never wait for the writer of a pipe; some platforms lack these flags.
SAFE_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

MAX_FILE_BYTES = 64 << 20  # size of one bank file; 40,000 items are about 16 MB
MAX_NESTING_DEPTH = 14
MAX_NODES_PER_FILE = 4_000_000
MAX_SCALAR_CHARACTERS = 64 << 10
MAX_REPORTED_BROKEN_ITEMS = 20  # malformed items of one file that are reported one by one

# Characters that may never reach a screen or a page: C0 except tab and newline, DEL, C1, bidi overrides,
# byte-order marks inside text, lone surrogates and non-characters.
_BANNED_CHARACTER_PATTERN = (
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)
# A comment that was probably not intended: no space after the mark, or an unfinished sentence before it.
# Both patterns start with a literal, which makes the search ten times as fast.
_ACCIDENTAL_COMMENT_PATTERN = re.compile(r" #(?:(?<=\S #)(?=[^\s#])|(?<=[a-z,] #))")
# In double quotes \t is a tab, and \times is a tab and "imes". \n begins many words, so only these commands count.
# Compiled at its first use, because few files need it.
_LATEX_IN_DOUBLE_QUOTES_PATTERN = r"(?<!\\)(?:\\\\)*\\([abefrtv][A-Za-z]+|n(?:u|eq?|abla|eg|i|mid|ot(?:in)?)\b)"


def match_forbidden_character(text: str) -> re.Match[str] | None:
    """The match of the first character that a bank must not contain; None if there is none. Fast for plain text, which
    needs no pattern."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return None
    return re.search(_BANNED_CHARACTER_PATTERN, text)


def _describe_forbidden_character(char: str) -> str:
    return f"{'control' if ord(char) < 0xA0 else 'invisible'} character U+{ord(char):04X}"


def read_file_text_or_report(path: str | os.PathLike[str], doc: ProblemCollector) -> str | None:
    """A file's text with LF line ends; None if a problem was reported to `doc`."""
    content = read_file_bytes_or_report(path, doc)
    return None if content is None else decode_utf8_or_report(content, doc)


def read_file_bytes_or_report(path: str | os.PathLike[str], doc: ProblemCollector) -> bytes | None:
    """A file's bytes; None if a problem was reported to `doc`.

    Never waits for a pipe or device, and never follows a link out of the bank."""
    try:
        fd = os.open(path, SAFE_OPEN_FLAGS)
    except OSError as error:
        doc.is_unopened = True
        doc.report(1, 1, f"cannot be read: {error.strerror}", "check that it is a plain file you may read")
        return None
    status = os.fstat(fd)
    if not stat.S_ISREG(status.st_mode):
        os.close(fd)
        doc.is_unopened = True
        doc.report(1, 1, "not a plain file", "banks are folders of .yaml files")
        return None
    with os.fdopen(fd, "rb") as file:
        if status.st_size > MAX_FILE_BYTES:
            doc.report(1, 1, f"the file is larger than {MAX_FILE_BYTES >> 20} MiB", "split it into several files")
            return None
        return file.read()


def decode_utf8_or_report(content: bytes, doc: ProblemCollector) -> str | None:
    """The text of UTF-8 bytes with LF line ends; None if a bad byte or character was reported with its line."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff") or content[:4] in (b"\x00\x00\xfe\xff", b"\xff\xfe\x00\x00"):
        doc.report(1, 1, "not UTF-8 (it looks like UTF-16 or UTF-32)", "save the file as UTF-8")
        return None
    content = content.removeprefix(b"\xef\xbb\xbf")
    try:
        text = decode_utf8_with_lf(content)
    except UnicodeDecodeError as error:
        head = content[: error.start].decode()
        line, column = _line_and_column_at(head, len(head))
        doc.report(line, column, f"not UTF-8: byte 0x{content[error.start]:02x}", "save the file as UTF-8")
        return None
    if hit := match_forbidden_character(text):
        doc.report(*_line_and_column_at(text, hit.start()), _describe_forbidden_character(hit.group()), "delete it")
        return None
    if not text.isascii() and (match := re.search("\n *[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]", f"\n{text}")):
        place = _line_and_column_at(text, match.end() - 2)
        doc.report(*place, "no-break space in the indentation", "indent with plain spaces")
        return None
    return text


def decode_utf8_with_lf(content: bytes) -> str:
    """The text of UTF-8 bytes with LF line ends, without a byte order mark. Raises UnicodeDecodeError."""
    text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _line_and_column_at(text: str, offset: int) -> tuple[int, int]:
    """The line and column, from 1, of the character at `offset`."""
    return text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1) + 1


def read_yaml_with_problems(path: str | os.PathLike[str]) -> tuple[Node | None, ProblemCollector]:
    """The top node of a YAML file (None if unreadable), and its document with the problems."""
    doc = ProblemCollector(str(path))
    text = read_file_text_or_report(path, doc)
    return (None if text is None else parse_yaml(text, doc)), doc


def digest_of_text_by_path(text_by_path_in_bank: Mapping[str, str]) -> str:
    """A digest `sha256:…` of texts by path, in the order of the paths; line ends do not matter."""
    import hashlib  # takes two milliseconds, and only a whole bank needs it

    total = hashlib.sha256()
    for path in sorted(text_by_path_in_bank):
        part = text_by_path_in_bank[path].encode()
        total.update(f"{path}\n{len(part)}\n".encode())
        total.update(part)
    return f"sha256:{total.hexdigest()}"


class _StructureError(Exception):
    """The structure of a file cannot be read any further; the arguments are line, column, message and hint."""


def _next_yaml_event_function(text: str) -> Callable[[], Any]:
    """A function that returns the next libyaml event of `text` at each call."""
    import yaml

    try:
        from yaml._yaml import CParser
    except ImportError:  # PyYAML without libyaml gives the same events, more slowly
        return iter(yaml.parse(text, Loader=yaml.SafeLoader)).__next__
    next_event: Callable[[], Any] = CParser(text).get_event
    return next_event


def parse_yaml(text: str, doc: ProblemCollector) -> Node | None:
    """The top node of one YAML document; None if a mistake was reported.

    An item that is not valid YAML is reported and left out, so that it hides no other mistake."""
    from yaml import YAMLError

    start, faults = len(doc.problems), list[tuple[tuple[int, int, str, str], str]]()
    top: Node | None = None
    while True:
        del doc.problems[start:]
        try:
            is_suspect = "\\" in text or _ACCIDENTAL_COMMENT_PATTERN.search(text)
            top = _build_node_tree(_next_yaml_event_function(text), doc, text if is_suspect else "")
        except _StructureError as refusal:
            doc.report(*refusal.args)
        except YAMLError as error:
            if (first_refusal := _refusal_before_error(error, text)) is not None:
                doc.report(*first_refusal.args)
                return None
            may_repair = len(faults) < MAX_REPORTED_BROKEN_ITEMS
            name, repaired_text = _broken_item_id_and_text_without_it(error, text) if may_repair else ("", None)
            faults.append((_error_place_message_and_hint(error, text), name))
            if repaired_text is not None:
                text = repaired_text
                continue
        for place, name in faults:
            doc.add(Problem(Location(doc.path, *place[:2]), *place[2:], name))
        return top


def _refusal_before_error(error: Exception, text: str) -> _StructureError | None:
    """Our own refusal of the part of `text` before the place of PyYAML's `error`; None if we would accept that part.

    PyYAML reads up to 1,024 characters ahead of the events that it returns, and since 6.0.4 has its own nesting limit:
    it refuses 2,000 times `[` before it returns our fifteenth list."""
    from yaml import YAMLError

    mark = getattr(error, "problem_mark", None)
    head = text[: mark.index] if mark is not None else ""
    if head.count("[") + head.count("{") > MAX_NESTING_DEPTH:
        try:
            _build_node_tree(_next_yaml_event_function(head), ProblemCollector(""))
        except _StructureError as refusal:
            return refusal
        except YAMLError:
            pass
    return None


def _line_number_of_first_yaml_error(text: str) -> int | None:
    """The line (from 1) where a text stops being valid YAML; None if it is valid."""
    from yaml import YAMLError
    from yaml.events import StreamEndEvent

    next_event = _next_yaml_event_function(text)
    try:
        while type(next_event()) is not StreamEndEvent:
            pass
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        return mark.line + 1 if mark is not None else 1
    return None


def _build_node_tree(next_event: Callable[[], Any], doc: ProblemCollector, suspect_text: str = "") -> Node | None:
    """The top node of the events; None without any. `suspect_text` is the text of the file if it has a backslash, or a
    `#` that may begin a comment by accident, else empty. Raises _StructureError."""
    from yaml import events

    top: Node | None = None
    documents = nodes = 0
    # The open collections, outermost first. `container` is the value of the innermost; in a
    # mapping, `key` is the key that waits for its value (None: the next event is a key).
    stack: list[tuple[list[Node] | dict[str, Node] | None, Node | None]] = []
    container: list[Node] | dict[str, Node] | None = None
    key: Node | None = None
    while True:
        event = next_event()
        kind, mark = type(event), event.start_mark
        line, column = mark.line + 1, mark.column + 1
        if kind is events.ScalarEvent:
            node = _node_of_scalar_event(event, line, column, doc, suspect_text)
        elif kind is events.MappingStartEvent or kind is events.SequenceStartEvent:
            _report_anchor_or_tag(event, doc, line, column)
            if len(stack) >= MAX_NESTING_DEPTH:
                raise _StructureError(line, column, "nested too deep", f"use at most {MAX_NESTING_DEPTH} levels")
            node = Node(doc, line, column, {} if kind is events.MappingStartEvent else [])
        elif kind is events.MappingEndEvent or kind is events.SequenceEndEvent:
            container, key = stack.pop()
            continue
        elif kind is events.AliasEvent:
            doc.report(line, column, f"alias *{shorten(event.anchor)}", "write the text out; aliases are not read")
            node = Node(doc, line, column, f"*{event.anchor}")
        elif kind is events.DocumentStartEvent:
            documents += 1
            if documents > 1 or event.tags:
                message = "a second document" if documents > 1 else "a %TAG line"
                raise _StructureError(line, column, message, "keep one plain document per file")
            continue
        elif kind is events.StreamEndEvent:
            return top
        else:  # the beginning of the stream, the end of the document
            continue

        nodes += 1
        if nodes > MAX_NODES_PER_FILE:
            raise _StructureError(node.line, node.column, "too many values in one file", "split it into several files")
        if container is None:
            top = node
        elif type(container) is list:
            container.append(node)
        elif key is None:
            key = node
            if type(key.value) is not str:
                raise _StructureError(key.line, key.column, "a key must be text", "write `name: value`")
            continue
        else:
            _add_entry_to_mapping(key, node, container, doc)
            key = None
        if not isinstance(node.value, str):
            stack.append((container, key))
            container, key = node.value, None


def _node_of_scalar_event(event: Any, line: int, column: int, doc: ProblemCollector, suspect_text: str) -> Node:
    """The node of a scalar at this place (from 1); `suspect_text` as for `_build_node_tree`."""
    value = event.value
    _report_anchor_or_tag(event, doc, line, column)
    if len(value) > MAX_SCALAR_CHARACTERS:
        raise _StructureError(line, column, f"text too long: over {MAX_SCALAR_CHARACTERS >> 10} KiB", "split it")
    if not (value.isascii() and value.isprintable()):
        hit = match_forbidden_character(value)
        escape = _report_and_return_latex_escape(suspect_text, event, doc, bool(hit)) if event.style == '"' else ""
        if hit and escape:
            value = value.replace(hit.group(), escape)  # so that the command is not refused once more
        elif hit:
            doc.report(line, column, f"{_describe_forbidden_character(hit.group())} in this text", "delete it")
    if suspect_text and not event.style:
        # People write "issue #12" without quotes, and YAML reads a comment.
        end = event.end_mark
        match = _ACCIDENTAL_COMMENT_PATTERN.match(suspect_text, end.index)
        is_numbered = value[-1:].isalpha() and suspect_text[end.index + 2 : end.index + 3].isdigit()
        if match is not None and (is_numbered or value.count(" ") > 1):
            comment = shorten(suspect_text[end.index + 2 :].partition("\n")[0])
            message = f'the text ends here, for " #" begins a comment: "{comment}" is left out'
            doc.report(end.line + 1, end.column + 1, message, "put the text in quotes, or after >-", "warning")
    return Node(doc, line, column, value, event.style or "")


def _add_entry_to_mapping(key: Node, node: Node, mapping: Any, doc: ProblemCollector) -> None:
    """Adds a key with its value to a mapping; a duplicate key is reported."""
    assert type(key.value) is str
    name = intern(key.value if key.value.isascii() else unicodedata.normalize("NFC", key.value))
    if name in mapping or name == "<<":
        message = f'duplicate key "{shorten(name)}"' if name in mapping else "a merge key <<"
        doc.report(key.line, key.column, message, "keep one of them" if name in mapping else "write it out")
    else:
        node.key_line, node.key_column = key.line, key.column
        mapping[name] = node


def _report_and_return_latex_escape(text: str, event: Any, doc: ProblemCollector, is_forbidden: bool) -> str:
    """Reports the first LaTeX command or path of which the double quotes of the scalar `event` make a control
    character, as a warning unless it `is_forbidden`. Returns the escape, such as `\\t`; empty if there is none."""
    start = event.start_mark
    match = re.compile(_LATEX_IN_DOUBLE_QUOTES_PATTERN).search(text, start.index, event.end_mark.index)
    if match is None:
        return ""
    line = start.line + 1 + text.count("\n", start.index, match.start(1))
    column = match.start(1) - (text.rfind("\n", 0, match.start(1)) + 1)
    escape = f"\\{match[1][0]}"
    message = f"in double quotes {escape} is one character, not the beginning of \\{shorten(match[1])}"
    hint = "double the backslash or use single quotes"
    doc.report(line, column, message, hint, "error" if is_forbidden else "warning")
    return escape


def _report_anchor_or_tag(event: Any, doc: ProblemCollector, line: int, column: int) -> None:
    if event.anchor is not None:
        doc.report(line, column, f"anchor &{shorten(event.anchor)}", "write the text out; anchors are not read")
    if event.tag is not None:
        tag = shorten(event.tag.replace("tag:yaml.org,2002:", "!!", 1))
        doc.report(line, column, f"tag {tag}", "delete it; every value here is text until a field reads it")


# libyaml's complaints in an author's words: the problem, the remedy, and the place; and a text without a broken item.


_FLOW_STYLE_HINT = "separate entries by commas, and quote a text that has a bracket, a brace or a comma"

# A pattern of libyaml's words -> (message, hint, at the context's place)
_YAML_ERROR_ROWS: tuple[tuple[str, str, str, bool], ...] = (
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


def _error_place_message_and_hint(error: Exception, text: str) -> tuple[int, int, str, str]:
    """libyaml's error as (line, column, message, hint)."""
    problem = str(getattr(error, "problem", None) or error)
    fallback = "", problem, "see the YAML rules in the documentation", False
    explanations = (row for row in _YAML_ERROR_ROWS if re.search(row[0], problem))
    _, message, hint, is_at_context = next(explanations, fallback)
    mark = (getattr(error, "context_mark", None) if is_at_context else None) or getattr(error, "problem_mark", None)
    if mark is None:
        return 1, 1, message, hint
    line, column = mark.line + 1, mark.column + 1
    line_text = text.split("\n")[line - 1] if line <= text.count("\n") + 1 else ""
    return _explain_fault_in_line(line_text, line, column, problem) or (line, column, message, hint)


def _explain_fault_in_line(line_text: str, line: int, column: int, problem: str) -> tuple[int, int, str, str] | None:
    """The mistake that the `line_text` at (line, column) shows but that libyaml's `problem` does not name, as (line,
    column, message, hint); None if there is none."""
    indent = line_text[: len(line_text) - len(line_text.lstrip())]
    if line_text[:column].strip(" -") == "\t" or ("\t" in indent and "token" in problem):
        return line, line_text.index("\t") + 1, "a tab cannot indent", "indent with spaces"
    is_after_brace = "comment or line break" in problem and line_text[: column - 1].rstrip("|>").endswith(("}", "]"))
    if is_after_brace or (problem.startswith(_INDENTATION_ERROR_PREFIXES) and line_text[: column - 1].strip(" -")):
        return line, column, "text behind the end of this value", "put all of it in one pair of quotes, or none"
    lookalike = next((c for c in line_text if c in "\uff1a\ufe55\ua789\u02d0"), "")
    if lookalike and ": " not in line_text:
        message = f"no colon here: U+{ord(lookalike):04X} is another character"
        return line, line_text.index(lookalike) + 1, message, "type a plain colon"
    return None


MAX_REPAIRED_FILE_CHARACTERS = 1 << 20  # of the largest file from which broken items are removed to read the rest
_ITEMS_START_PATTERN = r"(?m)^items:[ \t]*(?:#.*)?\n(?:[ \t]*(?:#.*)?\n)*( *)- "


def _broken_item_id_and_text_without_it(error: Exception, text: str) -> tuple[str, str | None]:
    """The id of the item with the error, and the text with blank lines in place of that item; ("", None) if the rest is
    no better."""
    items_start = re.search(_ITEMS_START_PATTERN, text) if len(text) <= MAX_REPAIRED_FILE_CHARACTERS else None
    if items_start is None:
        return "", None
    rows = text.split("\n")
    first = text.count("\n", 0, items_start.end())
    end = next((n for n in range(first, len(rows)) if re.match(r"[A-Za-z_]", rows[n])), len(rows))
    starts = [n for n in range(first, end) if rows[n].startswith(f"{items_start[1]}- ")]
    if len(starts) < 2:
        return "", None
    spans = list(zip(starts, [*starts[1:], end], strict=True))  # first line of each item, and the line after its last
    marks = [getattr(error, name, None) for name in ("context_mark", "problem_mark")]
    lines = [mark.line for mark in marks if mark is not None]
    lines_above = [n - 1 for n in lines]  # an unclosed quote is detected on the following line
    repairs = []
    suspects = dict.fromkeys(span for line in [*lines, *lines_above] for span in spans if span[0] <= line < span[1])
    for item_start, item_end in suspects:
        repaired_text = "\n".join([*rows[:item_start], *[""] * (item_end - item_start), *rows[item_end:]])
        error_line = _line_number_of_first_yaml_error(repaired_text)
        if error_line is None or (error_line > item_end and error_line - 1 not in lines):
            name = re.search(r"\bid: *([a-z0-9][a-z0-9-]*)", "\n".join(rows[item_start:item_end]))
            repairs.append((error_line or len(rows) + 1, name[1] if name else "", repaired_text))
    # If more is broken, remove the item without which most of the file can be read.
    return max(repairs, key=lambda repair: repair[0])[1:] if repairs else ("", None)
