"""Reads files, folders, archives, tables (CSV, XLSX, Parquet) and standard input as blocks of whole lines, in bounded
memory.

A block of a plain file is only a position in it, so that another process can read it; any other block carries its
lines. A line over the maximum length is never held in memory."""

from __future__ import annotations

import codecs
import gzip
import json
import lzma
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import IO, Any

from quizgen.model import MAX_LOG_LINE_BYTES
from quizgen.scoring.log_lines import LINE_TOO_LONG_MESSAGE, BadInput, log_line_type, parse_log_line
from quizgen.source.problems import Unreadable, read_decimal
from quizgen.spreadsheet import numbered_rows_of_csv_or_xlsx_bytes, unescape_cell

ARCHIVE_KIND_BY_FIRST_BYTES = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
MAX_ARCHIVE_SIGNATURE_BYTES = max(map(len, ARCHIVE_KIND_BY_FIRST_BYTES))  # bytes that identify an archive


def archive_kind_of_bytes_or_empty(first_bytes: bytes) -> str:
    """The kind of archive that begins with `first_bytes` (gzip, xz or zstd); empty if it is none."""
    return next((name for magic, name in ARCHIVE_KIND_BY_FIRST_BYTES.items() if first_bytes.startswith(magic)), "")


def _utf8_chunks(file: IO[bytes], first_bytes: bytes, encoding: str, damage_messages: list[str]) -> Iterator[bytes]:
    """Yields the content of a file as `_unpacked_chunks` does, as UTF-8 if it is in another `encoding`. Raises BadInput
    also if the file is UTF-16 and no `encoding` is given."""
    zeros = [not half.strip(b"\0") for half in (first_bytes[::2], first_bytes[1::2])]  # letters with codes below 256
    is_utf16 = first_bytes.startswith((b"\xff\xfe", b"\xfe\xff")) or (len(first_bytes) > 3 and sum(zeros) == 1)
    if is_utf16 and not encoding:
        message = "not UTF-8 but UTF-16; save the log as UTF-8, or give --encoding utf-16"
        raise BadInput(f"{message} (nothing of it was read)")
    if is_utf16:  # without a byte order mark, that name alone is not enough
        encoding = "utf-16-be" if zeros[0] else "utf-16-le" if zeros[1] else "utf-16"
    chunks = _unpacked_chunks(file, archive_kind_of_bytes_or_empty(first_bytes), damage_messages)
    if not encoding:
        yield from chunks
        return
    try:
        yield from (text.encode(errors="replace") for text in codecs.iterdecode(chunks, encoding, "replace"))
    except UnicodeError as error:
        raise BadInput(f"not {encoding.upper()} ({error}); give another --encoding, or none for UTF-8") from None


def _unpacked_chunks(file: IO[bytes], kind: str, damage_messages: list[str]) -> Iterator[bytes]:
    """Yields the content of a file in chunks, unpacked if it is an archive of `kind`, which may have several members.
    If an archive is damaged, yields the part before the damage and adds a message to `damage_messages`. Raises BadInput
    if it is zstd and that extra is not installed."""
    damage_errors: tuple[type[Exception], ...] = (EOFError, OSError, zlib.error, lzma.LZMAError) if kind else ()
    reader: Any = file
    if kind == "zstd":
        try:
            # Not imported by name: the extra may be absent.
            zstd: Any = import_module("zstandard")
        except ImportError:
            raise BadInput("packed with zstd; install quizgen[zstd], or unpack it first") from None
        damage_errors += (zstd.ZstdError,)
        reader = zstd.ZstdDecompressor().stream_reader(file, read_across_frames=True)
    elif kind:
        # Not in a `with`: whoever opened `file` closes it.
        reader = gzip.GzipFile(fileobj=file) if kind == "gzip" else lzma.LZMAFile(file)  # noqa: SIM115
    try:
        # `read` would lose what it had unpacked before the damage; `read1` returns it.
        yield from iter(partial(reader.read1 if kind in ("gzip", "xz") else reader.read, MAX_BLOCK_BYTES), b"")
    except damage_errors as error:
        reason = "it ends too early" if isinstance(error, EOFError) else f"what follows is not {kind}"
        damage_messages.append(f"the archive is damaged from here on ({reason}); what came before it is scored")


MAX_BLOCK_BYTES = 1 << 17  # bytes; half a second of work where texts are long, so that workers finish together
EXAM_ANSWERS_NAME_PART = "answers-"  # in the name of a file that an exam page saved; a system may put more before it
LOG_OR_ANSWERS_FILE_NAME_PATTERN = re.compile(
    rf"(?is)(.*\.(jsonl|ndjson|log)|(answers|.*{EXAM_ANSWERS_NAME_PART}).*\.json)(\.gz|\.xz|\.zst)?"
)
HTML_PDF_SUFFIXES = (".html", ".htm", ".pdf")


@dataclass(frozen=True, slots=True)
class LogBlock:
    """Whole lines of one source: `line_bytes` or, if that is None, the bytes of the file `path` from `byte_offset` on.

    `line_numbers` numbers each line by itself if the lines were made from something else (a row of a sheet holds
    several responses), else they count from `first_line_number`. `numbered_faults` are problems met while reading,
    as (line, reason)."""

    source_number: int
    first_line_number: int
    byte_count: int
    line_bytes: bytes | None = None
    path: str = ""
    byte_offset: int = 0
    line_numbers: tuple[int, ...] = ()
    numbered_faults: tuple[tuple[int, str], ...] = ()
    source_bytes_read: int = 0  # bytes of the source read so far, for progress

    def read_bytes(self) -> bytes:
        """The bytes of the lines."""
        if self.line_bytes is not None:
            return self.line_bytes
        with open(self.path, "rb") as file:
            file.seek(self.byte_offset)
            return file.read(self.byte_count)

    def source_line_number_at_index(self, index: int) -> int:
        """The number in its source of the line at an index of `decoded_lines_and_faults`."""
        return self.line_numbers[index] if self.line_numbers else self.first_line_number + index

    def decoded_lines_and_faults(self) -> tuple[list[str], list[tuple[int, str]]]:
        """Two lists: the lines as text, and the faults (line, reason) of lines that are not UTF-8. The text of a line
        with a fault is empty."""
        data = self.read_bytes()
        faults: list[tuple[int, str]] = []
        try:
            texts = data.decode("utf-8").split("\n")
        except UnicodeDecodeError:
            texts = []
            for index, line in enumerate(data.split(b"\n")):
                try:
                    texts.append(line.decode("utf-8"))
                except UnicodeDecodeError as error:
                    texts.append("")
                    column = len(line[: error.start].decode("utf-8")) + 1
                    reason = f"not UTF-8: byte 0x{line[error.start]:02x} at column {column}; save the log as UTF-8"
                    reason = LINE_TOO_LONG_MESSAGE if len(line) > MAX_LOG_LINE_BYTES else reason
                    faults.append((self.source_line_number_at_index(index), reason))
        if self.first_line_number == 1 and texts[0].startswith("\ufeff"):
            texts[0] = texts[0][1:]
        return texts, faults


def find_log_paths(paths: Iterable[str], unread_files: list[str] | None = None) -> list[str]:
    """The paths of the logs to read, in order. A folder stands for the logs and answers files in it, sorted;
    `unread_files` receives its other files except pages and files that an exam writes. Raises Unreadable."""
    log_paths: list[str] = []
    for argument in paths:
        path = Path(argument)
        if not argument.strip():  # an empty argument would mean the current folder
            raise Unreadable("a log has an empty name; name a log, a folder of logs, or - for standard input")
        if argument != "-" and path.is_dir():
            visible_paths = (p for p in path.rglob("*") if not re.search(r"(^|/)\.", p.relative_to(path).as_posix()))
            files = sorted(p for p in visible_paths if p.is_file())
            logs = [p for p in files if LOG_OR_ANSWERS_FILE_NAME_PATTERN.fullmatch(p.name)]
            if unread_files is not None:  # not an exam's own files, pages and drafts
                rest = (p for p in sorted({*files} - {*logs}) if p.name not in ("manifest.json", "responses.csv"))
                unread_files += [str(p) for p in rest if p.suffix.lower() not in (*HTML_PDF_SUFFIXES, ".md", ".draft")]
            if not logs:
                names = "logs end in .jsonl, .log or .jsonl.gz, and files of answers are answers….json"
                raise Unreadable(f"{argument}: there are no logs in the folder; {names}")
            log_paths.extend(map(str, logs))
        elif path.name == "manifest.json":
            raise Unreadable(f"{argument} is not a log; give the answers too, as in --manifest {argument} LOG")
        elif path.suffix.lower() in HTML_PDF_SUFFIXES:
            raise Unreadable(f"{argument} is a page, not a log; a form on screen saves its responses as answers….json")
        else:
            log_paths.append(argument)
    first_by_file = {os.path.realpath(path): path for path in reversed(log_paths)}
    return list(dict.fromkeys(first_by_file[os.path.realpath(path)] for path in log_paths))  # a file counts once


def is_exam_page_answers_file(path: str) -> bool:
    """Whether an exam page saved this file, by its name or its first bytes."""
    with suppress(OSError):
        if re.search(r"\.json(?!l)", Path(path).name.lower()) and Path(path).is_file():  # reading a pipe would block
            if EXAM_ANSWERS_NAME_PART in Path(path).name:
                return True
            with open(path, "rb") as file:
                return b'"answers"' in file.read(400)
    return False


def file_size_bytes(name: str) -> int:
    """The size in bytes; 0 for a stream or an unreadable file."""
    with suppress(OSError):
        return Path(name).stat().st_size if name != "-" else 0
    return 0


def empty_block_with_fault(source_number: int, line_number: int, reason: str, source_bytes_read: int = 0) -> LogBlock:
    """A block without lines, for a line that cannot be used."""
    faults = ((line_number, reason),)
    return LogBlock(source_number, line_number, 0, b"", numbered_faults=faults, source_bytes_read=source_bytes_read)


def read_blocks(
    source_number: int, name: str, stream: IO[bytes] | None = None, encoding: str = ""
) -> Iterator[LogBlock]:
    """Yields the blocks of one source in `encoding` (empty: UTF-8). Raises Unreadable if it cannot be opened. `stream`
    is standard input if `name` is `-`."""
    if stream is not None:
        peek = getattr(stream, "peek", None)
        first_bytes = peek(MAX_ARCHIVE_SIGNATURE_BYTES)[:MAX_ARCHIVE_SIGNATURE_BYTES] if peek is not None else b""
        yield from _blocks_of_open_file(source_number, stream, first_bytes, "", encoding)
        return
    path = Path(name)
    try:
        if not path.is_file():
            reason = "there is no such file" if not path.exists() else "not a plain file"
            raise Unreadable(f"{name}: {reason}; name a log, a folder of logs, or - for standard input")
        with open(path, "rb") as file:
            head = file.read(MAX_ARCHIVE_SIGNATURE_BYTES)
            file.seek(0)
            path_of_lines = "" if archive_kind_of_bytes_or_empty(head) or encoding else name
            yield from _blocks_of_open_file(source_number, file, head, path_of_lines, encoding)
    except OSError as error:
        raise Unreadable(f"{name}: cannot be read ({error.strerror or error})") from None


def _blocks_of_open_file(
    source: int, file: IO[bytes], first_bytes: bytes, path: str, encoding: str
) -> Iterator[LogBlock]:
    """Yields the blocks of an open file or stream that begins with `first_bytes`, each of whole lines, which it carries
    unless they can be read again in the file `path`. A line longer than MAX_LOG_LINE_BYTES is skipped with a fault."""
    tail = b""
    line = 1
    offset = 0  # offset of the first byte of `tail`
    is_line_too_long = False  # the rest of an overlong line is being skipped
    damage_messages: list[str] = []
    try:
        for chunk in _utf8_chunks(file, first_bytes, encoding, damage_messages):
            if is_line_too_long:
                rest_of_line, line_break, chunk = chunk.partition(b"\n")
                offset += len(rest_of_line + line_break)
                if not line_break:
                    continue
                yield empty_block_with_fault(source, line, LINE_TOO_LONG_MESSAGE, offset)
                line += 1
                is_line_too_long = False
            data = tail + chunk
            end = data.rfind(b"\n") + 1
            if end:
                lines = None if path else data[:end]
                yield LogBlock(source, line, end, lines, path, offset, source_bytes_read=offset + end)
                line += data.count(b"\n", 0, end)
                offset += end
            tail = data[end:]
            if len(tail) > 4 * MAX_LOG_LINE_BYTES:
                is_line_too_long = True
                offset += len(tail)
                tail = b""
    except BadInput as error:
        yield empty_block_with_fault(source, 1, str(error))
        return
    if is_line_too_long:
        yield empty_block_with_fault(source, line, LINE_TOO_LONG_MESSAGE, offset)
        line += 1
    if tail:
        end, lines = offset + len(tail), None if path else tail
        yield LogBlock(source, line, len(tail), lines, path, offset, source_bytes_read=end)
        line += 1
    for message in damage_messages:
        yield empty_block_with_fault(source, line, message, offset)


_SESSION_LINE_PATTERN = re.compile(rb'"type"\s*:\s*"session"')


@dataclass(slots=True)
class LogBanks:
    """The banks that session lines name (each with its folder if known) and the blueprints, in the order of the lines.
    `has_older_marking_rules`: a session is from a version with other rules for rounded numbers."""

    folder_by_bank: dict[str, object] = field(default_factory=dict)
    blueprint_names: dict[str, None] = field(default_factory=dict)
    has_older_marking_rules: bool = False


def blocks_after_noting_bank_name(blocks: Iterable[LogBlock], origin: LogBanks) -> Iterator[LogBlock]:
    """The same blocks, after reading ahead to the first session line that names a bank, which is added to `origin`."""
    first_blocks: list[LogBlock] = []
    iterator = iter(blocks)
    for block in iterator:
        first_blocks.append(block)
        for record in _session_line_records(block):
            bank, blueprint = record.get("bank"), record.get("blueprint")
            if isinstance(blueprint, str) and blueprint:
                origin.blueprint_names.setdefault(blueprint)
            if isinstance(bank, str) and bank:
                origin.folder_by_bank.setdefault(bank, record.get("folder"))
                return chain(first_blocks, iterator)
    return iter(first_blocks)


def pass_on_blocks_noting_older_rules(blocks: Iterable[LogBlock], origin: LogBanks) -> Iterator[LogBlock]:
    """Yields the blocks of one log unchanged; notes in `origin` if the first session used older rules."""
    for number, block in enumerate(blocks):
        if number == 0 and (session := next(_session_line_records(block), None)) is not None:
            origin.has_older_marking_rules |= session.get("rules", 1) == 1
        yield block


def _session_line_records(block: LogBlock) -> Iterator[dict[str, Any]]:
    """Yields the session lines of a block. Skips damaged lines, which are reported when they are scored."""
    data = block.read_bytes()
    for match in _SESSION_LINE_PATTERN.finditer(data):
        start = data.rfind(b"\n", 0, match.start()) + 1
        end = data.find(b"\n", match.end())
        with suppress(BadInput, UnicodeDecodeError):
            record = parse_log_line(data[start : end if end >= 0 else len(data)].decode("utf-8-sig"))
            if log_line_type(record) == "session":
                yield record


# Tables that people fill in or other programs write: CSV sheets, tables of responses, Parquet.


DEFAULT_MAX_FILE_BYTES = 64 << 20
TOO_MANY_CELLS_MESSAGE = "more cells than columns; put a cell with a comma in quotes"


def read_small_file_bytes(path: str, hint: str = "", max_bytes: int = DEFAULT_MAX_FILE_BYTES) -> bytes:
    """The bytes of a file. Raises Unreadable if it cannot be read or has over `max_bytes` bytes; `hint` ends the second
    message."""
    try:
        if Path(path).stat().st_size > max_bytes:
            raise Unreadable(f"{path}: larger than {max_bytes >> 20} MiB{hint}")
        return Path(path).read_bytes()
    except OSError as error:
        raise Unreadable(f"{path}: cannot be read ({error.strerror or error}); check its name") from None


def read_numbered_sheet_rows(
    path: str, content_name: str, encoding: str = "", faults_at_tear: list[tuple[int, str]] | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Yields the rows of a CSV or XLSX sheet, heading first, each with the number of its last line; of a torn CSV as
    `numbered_rows_of_csv_or_xlsx_bytes` does. Raises Unreadable."""
    try:
        data = read_small_file_bytes(path, f", too large for {content_name}")
        yield from numbered_rows_of_csv_or_xlsx_bytes(data, path, encoding, faults_at_tear)
    except UnicodeDecodeError:
        raise Unreadable(f"{path}: not UTF-8; save the sheet as CSV in UTF-8") from None


def take_column_names(rows: Iterator[tuple[int, list[str]]]) -> list[str]:
    """The column names in the first row of a sheet, in lower case."""
    return [name.strip().lower() for name in next(rows, (0, []))[1]]


def file_has_candidate_rows(path: str) -> bool:
    """Whether the first line of a file has the columns of an exam's table of answers, with one row per candidate."""
    names = _first_line_column_names(path)
    return len(names) > 1 and "candidate" in names and "item" not in names


def file_has_row_per_response(path: str) -> bool:
    """Whether the first line of a file has the columns of a table with one row per response."""
    return {"item", "response"} <= set(_first_line_column_names(path))


def has_filled_in_points(path: str) -> bool:
    """Whether a file is a sheet of marks in which a person has filled in points."""
    with suppress(Unreadable):
        rows = read_numbered_sheet_rows(path, "a sheet of marks")
        names = take_column_names(rows)
        return any(dict(zip(names, row, strict=False)).get("earned", "").strip() for _, row in rows)
    return False


def file_has_marks_or_scan(path: str) -> bool:
    """Whether a file has marks, or is the record of a scan or its decisions: none of them has responses."""
    if path.lower().endswith(".json") and Path(path).is_file():  # reading a pipe would block
        with suppress(OSError), open(path, "rb") as file:
            return re.search(rb'"type": ?"(marking|scan|scan-decisions)"', file.read(200)) is not None
    return {"item", "criterion", "earned"} <= set(_first_line_column_names(path))


def is_foreign_table(path: str, has_renamed_columns: bool = False) -> bool:
    """Whether a file is a table of another system: its name is that of a table, and its columns do not have our names
    or the user has `has_renamed_columns` some."""
    is_table = path.lower().endswith((".csv", ".tsv", ".xlsx"))
    return is_table and (has_renamed_columns or not (file_has_candidate_rows(path) or file_has_row_per_response(path)))


def find_manifest_path(files: Iterable[str]) -> str | None:
    """The path of the manifest in the folder of the answers files and sheets; None unless there is exactly one."""
    folders = {Path(name).parent for name in files if is_exam_page_answers_file(name) or file_has_candidate_rows(name)}
    places = [place for folder in sorted(folders) if (place := folder / "manifest.json").is_file()]
    return str(places[0]) if len(places) == 1 else None


def _first_line_column_names(path: str) -> list[str]:
    """The column names in the first line of a file; empty if it is no table."""
    if path == "-" or LOG_OR_ANSWERS_FILE_NAME_PATTERN.fullmatch(path) or path.lower().endswith((".json", ".parquet")):
        return []
    try:
        if path.lower().endswith(".xlsx"):
            return take_column_names(read_numbered_sheet_rows(path, "a log"))
        with open(path, "rb") as file:
            head = file.read(4096)
    except OSError:
        return []
    encoding = "utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    line = head.decode(encoding, "replace").partition("\n")[0].strip()
    return [] if line.startswith("{") else [name.strip(' "').lower() for name in re.split("[,;\t]", line)]


# Responses as a long table: CSV with the columns candidate, item, response, or Parquet.


COLUMNS_READ_AS_NUMBERS = {"seconds", "points", "hints"}
ROWS_PER_BLOCK = 500  # rows of a block
NumberedRecord = tuple[int, Mapping[str, object]]  # a line to write, with the number of what it was made from


def log_blocks_of_response_table(source_number: int, path: str, encoding: str = "") -> Iterator[LogBlock]:
    """Yields the rows of a CSV as log lines; any field of a response line may be a column."""
    faults: list[tuple[int, str]] = []
    rows = read_numbered_sheet_rows(path, "a table of responses", encoding, faults)
    lines: list[NumberedRecord] = []
    names = take_column_names(rows)
    if repeated_names := [name for name in ("candidate", "item", "response") if names.count(name) > 1]:
        raise Unreadable(f'{path}:1: the column "{repeated_names[0]}" appears twice; keep one')
    for place, row in rows:
        if any(row[len(names) :]):
            yield empty_block_with_fault(source_number, place, TOO_MANY_CELLS_MESSAGE)
            continue
        cells = zip(names, (unescape_cell(cell).strip() for cell in row), strict=False)
        record: dict[str, Any] = {name: cell for name, cell in cells if name and cell}
        if not record:
            continue
        for name in COLUMNS_READ_AS_NUMBERS & record.keys():
            if (number := read_decimal(record[name])) is not None:
                record[name] = int(number) if number.denominator == 1 else float(number)
        with suppress(BadInput):
            record |= {"given": parse_log_line(record["given"])} if "given" in record else {}
        lines.append((place, {"response": "", **record}))
        if len(lines) >= ROWS_PER_BLOCK:
            yield log_block_of_records(source_number, lines)
            lines = []
    if lines:
        yield log_block_of_records(source_number, lines)
    yield from (empty_block_with_fault(source_number, line, reason) for line, reason in faults)


def log_block_of_records(source_number: int, lines: Sequence[NumberedRecord], first_line: int = 0) -> LogBlock:
    """Lines that were made from another source as one block; each has its number in that source."""
    data = "\n".join(json.dumps(line) for _, line in lines).encode()
    numbers = tuple(number for number, _ in lines)
    return LogBlock(source_number, first_line or numbers[0], len(data), data, line_numbers=numbers)


def log_blocks_of_parquet(source_number: int, path: str) -> Iterator[LogBlock]:
    """Yields the rows of a Parquet file as log lines, read by DuckDB; line 1 is the first row. Raises Unreadable."""
    try:
        # Not imported by name: the extra may be absent, and its types are unreliable.
        duckdb: Any = import_module("duckdb")
    except ImportError:
        raise Unreadable(f"{path}: reading Parquet needs DuckDB; install quizgen[duckdb]") from None
    try:
        with duckdb.connect() as database:
            database.execute("SET preserve_insertion_order = true; SET memory_limit = '400MB'")
            rows = database.execute('SELECT to_json("whole row") FROM read_parquet(?) AS "whole row"', [path])
            first_row = 1
            while texts := [text for (text,) in rows.fetchmany(ROWS_PER_BLOCK)]:
                data = "\n".join(texts).encode()
                yield LogBlock(source_number, first_row, len(data), data)
                first_row += len(texts)
    except duckdb.Error as error:
        raise Unreadable(f"{path}: not a readable Parquet file ({str(error).splitlines()[0]})") from None
