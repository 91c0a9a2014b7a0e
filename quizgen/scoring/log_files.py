"""Reads files, folders, archives and standard input as blocks of whole lines, in bounded memory.

A block of a plain file is only a position in it, so that another process can read it; any other block carries its
lines. A line over the maximum length is never held in memory."""

from __future__ import annotations

import gzip
import lzma
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import IO, Any

from quizgen.model import MAX_LOG_LINE_BYTES
from quizgen.scoring.log_lines import BadInput, line_type, parse_line
from quizgen.source.problems import Unreadable

ARCHIVE_MAGIC_NUMBERS = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
MAX_MAGIC_BYTES = max(map(len, ARCHIVE_MAGIC_NUMBERS))  # bytes that identify an archive
ARCHIVE_SUFFIXES = ("", ".gz", ".xz", ".zst")


def archive_kind(first_bytes: bytes) -> str:
    """The kind of archive that begins with `first_bytes` (gzip, xz or zstd); empty if it is none."""
    return next((name for magic, name in ARCHIVE_MAGIC_NUMBERS.items() if first_bytes.startswith(magic)), "")


class ArchiveReader:
    """Reads an archive, which may have several members. If its end is damaged, the part before it is read and `note`
    says so. Raises BadInput if the archive is zstd and that extra is not installed."""

    def __init__(self, file: IO[bytes], kind: str) -> None:
        self._kind = kind
        self._broken: tuple[type[Exception], ...] = (EOFError, OSError, zlib.error, lzma.LZMAError)
        self.note = ""
        if kind == "zstd":
            try:
                # Not imported by name: the extra may be absent.
                zstd: Any = import_module("zstandard")
            except ImportError:
                raise BadInput("packed with zstd; install quizgen[zstd], or unpack it first") from None
            self._broken += (zstd.ZstdError,)
            self._file: Any = zstd.ZstdDecompressor().stream_reader(file, read_across_frames=True)
        else:
            self._file = gzip.GzipFile(fileobj=file) if kind == "gzip" else lzma.LZMAFile(file)  # noqa: SIM115  # not ours

    def read(self, size: int, /) -> bytes:
        try:
            piece: bytes = self._file.read1(size) if self._kind != "zstd" else self._file.read(size)
            return piece
        except self._broken as error:
            why = "it ends too early" if isinstance(error, EOFError) else f"what follows is not {self._kind}"
            self.note = f"the archive is damaged from here on ({why}); what came before it is scored"
            return b""


MAX_BLOCK_BYTES = 1 << 17  # bytes; half a second of work where texts are long, so that workers finish together
LINE_TOO_LONG_MESSAGE = f"longer than {MAX_LOG_LINE_BYTES // 1024} KiB; is a line break missing?"
ANSWERS_FILE_PREFIX = "answers-"  # in the name of a file that an exam page saved; a system may put more before it
PAGE_SUFFIXES = (".html", ".htm", ".pdf")
LOG_SUFFIXES = tuple(f".{kind}{packed}" for kind in ("jsonl", "ndjson", "log") for packed in ARCHIVE_SUFFIXES)


@dataclass(frozen=True, slots=True)
class LogBlock:
    """Whole lines of one source: the bytes in `data` or, if that is None, in the file `path` from `offset` on.

    `first_line` is the number of the first line. `line_numbers` numbers each line by itself if the lines were made from
    something else (a row of a sheet holds several responses). `faults` are problems met while reading, as (line,
    reason)."""

    source_number: int
    first_line: int
    byte_count: int
    data: bytes | None = None
    path: str = ""
    offset: int = 0
    line_numbers: tuple[int, ...] = ()
    faults: tuple[tuple[int, str], ...] = ()
    bytes_read: int = 0  # bytes of the source read so far, for progress

    def line_bytes(self) -> bytes:
        """The bytes of the lines."""
        if self.data is not None:
            return self.data
        with open(self.path, "rb") as file:
            file.seek(self.offset)
            return file.read(self.byte_count)

    def line_number(self, index: int) -> int:
        """The number in its source of the line at an index of `decoded_lines_and_faults`."""
        return self.line_numbers[index] if self.line_numbers else self.first_line + index

    def decoded_lines_and_faults(self) -> tuple[list[str], list[tuple[int, str]]]:
        """Two tuples: the lines as text, and the faults (line, reason) of lines that are not UTF-8. The text of a line
        with a fault is empty."""
        data = self.line_bytes()
        bad: list[tuple[int, str]] = []
        try:
            texts = data.decode("utf-8").split("\n")
        except UnicodeDecodeError:
            texts = []
            for index, raw in enumerate(data.split(b"\n")):
                try:
                    texts.append(raw.decode("utf-8"))
                except UnicodeDecodeError as error:
                    column = len(raw[: error.start].decode("utf-8")) + 1
                    why = f"not UTF-8: byte 0x{raw[error.start]:02x} at column {column}; save the log as UTF-8"
                    texts.append("")
                    why = LINE_TOO_LONG_MESSAGE if len(raw) > MAX_LOG_LINE_BYTES else why
                    bad.append((self.line_number(index), why))
        if self.first_line == 1 and texts[0].startswith("\ufeff"):
            texts[0] = texts[0][1:]
        return texts, bad


def find_log_paths(paths: Iterable[str], unread_files: list[str] | None = None) -> list[str]:
    """The paths of the logs to read, in order. A folder stands for the logs and answers files in it, sorted;
    `unread_files` receives its other files except pages and files that an exam writes. Raises Unreadable."""
    found: list[str] = []
    for argument in paths:
        path = Path(argument)
        if not argument.strip():  # an empty argument would mean the current folder
            raise Unreadable("a log has an empty name; name a log, a folder of logs, or - for standard input")
        if argument != "-" and path.is_dir():
            logs, others = _log_files_and_other_files(path)
            if unread_files is not None:  # not an exam's own files, pages and drafts
                others = [p for p in others if p.name not in ("manifest.json", "responses.csv")]
                unread_files += [str(p) for p in others if p.suffix.lower() not in (*PAGE_SUFFIXES, ".md", ".draft")]
            if not logs:
                names = "logs end in .jsonl, .log or .jsonl.gz, and files of answers are answers….json"
                raise Unreadable(f"{argument}: there are no logs in the folder; {names}")
            found.extend(map(str, logs))
        elif path.name == "manifest.json":
            raise Unreadable(f"{argument} is not a log; give the answers too, as in --manifest {argument} LOG")
        elif path.suffix.lower() in PAGE_SUFFIXES:
            raise Unreadable(f"{argument} is a page, not a log; a form on screen saves its responses as answers….json")
        else:
            found.append(argument)
    return found


def _log_files_and_other_files(folder: Path) -> tuple[list[Path], list[Path]]:
    """The logs and answers files in a folder, and its other files, both sorted; without names that begin with a dot."""
    logs: list[Path] = []
    others: list[Path] = []
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        if not any(part.startswith(".") for part in path.relative_to(folder).parts):
            answers = path.suffix == ".json" and (path.name.startswith("answers") or ANSWERS_FILE_PREFIX in path.name)
            (logs if answers or path.name.endswith(LOG_SUFFIXES) else others).append(path)
    return logs, others


def is_exam_page_answers_file(path: str) -> bool:
    """Whether an exam page saved this file, by its name or its first bytes."""
    if not path.endswith(".json"):
        return False
    try:
        if not Path(path).is_file():  # reading a pipe would block
            return False
        if ANSWERS_FILE_PREFIX in Path(path).name:
            return True
        with open(path, "rb") as file:
            return b'"answers"' in file.read(400)
    except OSError:
        return False


def file_size(name: str) -> int:
    """The size in bytes; 0 for a stream or an unreadable file."""
    try:
        return Path(name).stat().st_size if name != "-" else 0
    except OSError:
        return 0


def read_blocks(
    source_number: int, name: str, stream: IO[bytes] | None = None, may_leave_lines_in_file: bool = True
) -> Iterator[LogBlock]:
    """Yields the blocks of one source. Raises Unreadable if it cannot be opened.

    `stream` is standard input if `name` is `-`. If `may_leave_lines_in_file` is false, every block carries its lines,
    as another machine cannot read our files."""
    if stream is not None:
        peek = getattr(stream, "peek", None)
        yield from _blocks_of_open_file(
            source_number, stream, peek(MAX_MAGIC_BYTES)[:MAX_MAGIC_BYTES] if peek is not None else b"", ""
        )
        return
    path = Path(name)
    try:
        if not path.is_file():
            why = "there is no such file" if not path.exists() else "not a plain file"
            raise Unreadable(f"{name}: {why}; name a log, a folder of logs, or - for standard input")
        with open(path, "rb") as file:
            head = file.read(MAX_MAGIC_BYTES)
            file.seek(0)
            yield from _blocks_of_open_file(source_number, file, head, name if may_leave_lines_in_file else "")
    except OSError as error:
        raise Unreadable(f"{name}: cannot be read ({error.strerror or error})") from None


def _blocks_of_open_file(source: int, file: IO[bytes], first_bytes: bytes, path: str) -> Iterator[LogBlock]:
    """Yields the blocks of an open file or stream that begins with `first_bytes`."""
    zeros = [not half.strip(b"\0") for half in (first_bytes[::2], first_bytes[1::2])]  # letters with codes below 256
    if first_bytes.startswith((b"\xff\xfe", b"\xfe\xff")) or (len(first_bytes) > 3 and sum(zeros) == 1):
        why = "not UTF-8 but UTF-16; save the log as UTF-8 (nothing of it was read)"
        yield LogBlock(source, 1, 0, b"", faults=((1, why),))
        return
    kind = archive_kind(first_bytes)
    try:
        yield from _whole_line_blocks(source, ArchiveReader(file, kind) if kind else file, "" if kind else path)
    except BadInput as error:
        yield LogBlock(source, 1, 0, b"", faults=((1, str(error)),))


def _whole_line_blocks(source: int, file: IO[bytes] | ArchiveReader, path: str) -> Iterator[LogBlock]:
    """Yields blocks of whole lines. A line longer than MAX_LOG_LINE_BYTES is skipped with a fault."""
    tail = b""
    first = 1
    offset = 0  # offset of the first byte of `tail`
    too_long = False  # the rest of an overlong line is being skipped
    while True:
        chunk = file.read(MAX_BLOCK_BYTES)
        if not chunk:
            break
        if too_long:
            end = chunk.find(b"\n")
            if end < 0:
                offset += len(chunk)
                continue
            offset += end + 1
            chunk = chunk[end + 1 :]
            yield LogBlock(source, first, 0, b"", faults=((first, LINE_TOO_LONG_MESSAGE),), bytes_read=offset)
            first += 1
            too_long = False
        held = tail + chunk if tail else chunk
        end = held.rfind(b"\n") + 1
        if end:
            lines = held.count(b"\n", 0, end)
            body = None if path else held[:end]
            yield LogBlock(source, first, end, body, path, offset, bytes_read=offset + end)
            first += lines
            offset += end
        tail = held[end:]
        if len(tail) > 4 * MAX_LOG_LINE_BYTES:
            too_long = True
            offset += len(tail)
            tail = b""
    if too_long:
        yield LogBlock(source, first, 0, b"", faults=((first, LINE_TOO_LONG_MESSAGE),), bytes_read=offset)
        first += 1
    if tail:
        yield LogBlock(source, first, len(tail), None if path else tail, path, offset, bytes_read=offset + len(tail))
        first += 1
    note = getattr(file, "note", "")
    if note:
        yield LogBlock(source, first, 0, b"", faults=((first, note),), bytes_read=offset)


_SESSION_PATTERN = re.compile(rb'"type"\s*:\s*"session"')


@dataclass(slots=True)
class LogOrigin:
    """The banks that session lines name (each with its folder if known) and the blueprints, in the order of the lines.
    `has_older_rules`: a session is from a version with other rules for rounded numbers."""

    folder_by_bank: dict[str, object] = field(default_factory=dict)
    blueprints: dict[str, None] = field(default_factory=dict)
    has_older_rules: bool = False


def read_ahead_to_bank(blocks: Iterable[LogBlock], origin: LogOrigin) -> Iterator[LogBlock]:
    """The same blocks, after reading ahead to the first session line that names a bank, which is added to `origin`."""
    ahead: list[LogBlock] = []
    rest = iter(blocks)
    for block in rest:
        ahead.append(block)
        for record in _session_records(block):
            bank, blueprint = record.get("bank"), record.get("blueprint")
            if isinstance(blueprint, str) and blueprint:
                origin.blueprints.setdefault(blueprint)
            if isinstance(bank, str) and bank:
                origin.folder_by_bank.setdefault(bank, record.get("folder"))
                return chain(ahead, rest)
    return iter(ahead)


def record_marking_rules(blocks: Iterable[LogBlock], origin: LogOrigin) -> Iterator[LogBlock]:
    """Yields the blocks of one log unchanged; sets `origin.has_older_rules` if the first session used older rules."""
    for number, block in enumerate(blocks):
        if number == 0 and (session := next(_session_records(block), None)) is not None:
            origin.has_older_rules |= session.get("rules", 1) == 1
        yield block


def _session_records(block: LogBlock) -> Iterator[dict[str, Any]]:
    """Yields the session lines of a block. Skips damaged lines, which are reported when they are scored."""
    data = block.line_bytes()
    for match in _SESSION_PATTERN.finditer(data):
        start = data.rfind(b"\n", 0, match.start()) + 1
        end = data.find(b"\n", match.end())
        line = data[start : end if end >= 0 else len(data)]
        try:
            record = parse_line(line.decode("utf-8"))
            if line_type(record) == "session":
                yield record
        except (BadInput, UnicodeDecodeError):
            continue
