"""Files, folders, archives and standard input as blocks of whole lines, in bounded memory.

A block of a plain file is a place in it, so that another process can read it; a block of anything
else carries its lines. No line is ever held that is longer than a line may be.
"""

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

from quizgen.model import MAX_LINE
from quizgen.scoring.log_lines import Damaged, kind_of, parse
from quizgen.source.problems import Unreadable

MAGIC = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
AHEAD = max(map(len, MAGIC))  # bytes that tell an archive
ARCHIVE_SUFFIXES = ("", ".gz", ".xz", ".zst")


def archive_of(head: bytes) -> str:
    """The archive that begins like this; an empty text where it is none."""
    return next((name for magic, name in MAGIC.items() if head.startswith(magic)), "")


class Unpacked:
    """Reads an archive, also one of several members; what is torn at its end is told in `note`, not lost.
    Raises Damaged where its extra is missing."""

    def __init__(self, file: IO[bytes], kind: str) -> None:
        self._kind = kind
        self._broken: tuple[type[Exception], ...] = (EOFError, OSError, zlib.error, lzma.LZMAError)
        self.note = ""
        if kind == "zstd":
            try:
                # Not imported by name: the extra may be absent.
                zstd: Any = import_module("zstandard")
            except ImportError:
                raise Damaged("packed with zstd; install quizgen[zstd], or unpack it first") from None
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


BLOCK = 1 << 17  # bytes: half a second of work where texts are long, so that workers end together
TOO_LONG = f"longer than {MAX_LINE // 1024} KiB; is the line break missing?"
ANSWERS = "answers-"  # in the name of a file that an exam page saved, whatever a system puts before it
PAGES = (".html", ".htm", ".pdf")
LOG_SUFFIXES = tuple(f".{kind}{packed}" for kind in ("jsonl", "ndjson", "log") for packed in ARCHIVE_SUFFIXES)


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines of one source. `data` None: they stand at `offset` of the file `path`.

    `first` is the number of the first line. `numbers` gives each line its own number where lines
    were made from something else (a sheet has several responses in a row). `faults` names what
    was found wrong on the way here: (line, reason).
    """

    source: int
    first: int
    size: int
    data: bytes | None = None
    path: str = ""
    offset: int = 0
    numbers: tuple[int, ...] = ()
    faults: tuple[tuple[int, str], ...] = ()
    read: int = 0  # bytes of the source read so far, for progress

    def text(self) -> bytes:
        if self.data is not None:
            return self.data
        with open(self.path, "rb") as file:
            file.seek(self.offset)
            return file.read(self.size)

    def number(self, index: int) -> int:
        """The number of the line at an index of `lines`."""
        return self.numbers[index] if self.numbers else self.first + index

    def lines(self) -> tuple[list[str], list[tuple[int, str]]]:
        """The lines as text, and what is wrong with those that are not UTF-8 (an empty text stands for them)."""
        data = self.text()
        bad: list[tuple[int, str]] = []
        try:
            texts = data.decode("utf-8").split("\n")
        except UnicodeDecodeError:
            texts = []
            for index, raw in enumerate(data.split(b"\n")):
                try:
                    texts.append(raw.decode("utf-8"))
                except UnicodeDecodeError as error:
                    texts.append("")
                    bad.append((self.number(index), _not_utf8(raw, error.start)))
        if self.first == 1 and texts[0].startswith("\ufeff"):
            texts[0] = texts[0][1:]
        return texts, bad


def _not_utf8(raw: bytes, place: int) -> str:
    if len(raw) > MAX_LINE:
        return TOO_LONG
    column = len(raw[:place].decode("utf-8")) + 1
    return f"not UTF-8: byte 0x{raw[place]:02x} at column {column}; save the log as UTF-8"


_ANSWERS = re.compile(r"(^answers|answers-).*\.json$")  # also with a name before it, as Canvas gives files


def find(arguments: Iterable[str], unread: list[str] | None = None) -> list[str]:
    """The files that arguments name: a folder stands for the logs and answers in it, sorted. `unread` takes
    what else lies in it but pages and what an exam leaves there."""
    found: list[str] = []
    for argument in arguments:
        path = Path(argument)
        if not argument.strip():  # which would be the folder we are in
            raise Unreadable("a log has an empty name; name a log, a folder of logs, or - for standard input")
        if argument != "-" and path.is_dir():
            inside, others = _inside(path)
            if unread is not None:
                unread += [str(p) for p in others if not _no_log(p)]
            if not inside:
                raise Unreadable(
                    f"{argument}: there are no logs in the folder; logs end in .jsonl, .log or .jsonl.gz, and "
                    "files of answers are answers….json"
                )
            found.extend(map(str, inside))
        elif path.name == "manifest.json":
            raise Unreadable(f"{argument} is not a log; give the answers with it, as in --manifest {argument} LOG")
        elif path.suffix.lower() in PAGES:
            raise Unreadable(f"{argument} is a page, no log; a form on screen saves its responses as answers….json")
        else:
            found.append(argument)
    return found


def _inside(folder: Path) -> tuple[list[Path], list[Path]]:
    """The logs and answers in a folder, and its other files, sorted. What begins with a dot is not looked at."""
    inside: list[Path] = []
    others: list[Path] = []
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        if not any(part.startswith(".") for part in path.relative_to(folder).parts):
            answers = path.suffix == ".json" and (path.name.startswith("answers") or ANSWERS in path.name)
            (inside if answers or path.name.endswith(LOG_SUFFIXES) else others).append(path)
    return inside, others


def _no_log(path: Path) -> bool:
    """Nobody takes it for a log: a page, a manifest, the empty sheet of an exam, a draft."""
    return path.suffix.lower() in (*PAGES, ".md", ".draft") or path.name in ("manifest.json", "responses.csv")


def is_answers(path: str) -> bool:
    """A file that an exam page saved, by its name or its first bytes."""
    if not path.endswith(".json"):
        return False
    try:
        if not Path(path).is_file():  # a pipe would be waited for
            return False
        if ANSWERS in Path(path).name:
            return True
        with open(path, "rb") as file:
            return b'"answers"' in file.read(400)
    except OSError:
        return False


def size_of(name: str) -> int:
    """Bytes that are to be read, as far as known; 0 for a stream."""
    try:
        return Path(name).stat().st_size if name != "-" else 0
    except OSError:
        return 0


def blocks(source: int, name: str, stream: IO[bytes] | None = None, in_place: bool = True) -> Iterator[Block]:
    """The blocks of one source. Raises Unreadable where it cannot be opened.

    `stream` is standard input where the name is `-`. With `in_place` False every block carries its
    lines (another machine cannot read our files).
    """
    if stream is not None:
        peek = getattr(stream, "peek", None)
        yield from _blocks_of(source, stream, peek(AHEAD)[:AHEAD] if peek is not None else b"", "")
        return
    path = Path(name)
    try:
        if not path.is_file():
            why = "there is no such file" if not path.exists() else "not a plain file"
            raise Unreadable(f"{name}: {why}; name a log, a folder of logs, or - for standard input")
        with open(path, "rb") as file:
            head = file.read(AHEAD)
            file.seek(0)
            yield from _blocks_of(source, file, head, name if in_place else "")
    except OSError as error:
        raise Unreadable(f"{name}: cannot be read ({error.strerror or error})") from None


def _blocks_of(source: int, file: IO[bytes], head: bytes, path: str) -> Iterator[Block]:
    """The blocks of an open file or stream that begins with `head`."""
    zeros = [not half.strip(b"\0") for half in (head[::2], head[1::2])]  # of letters below 256
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or (len(head) > 3 and sum(zeros) == 1):
        why = "not UTF-8 but UTF-16; save the log as UTF-8 (nothing of it was read)"
        yield Block(source, 1, 0, b"", faults=((1, why),))
        return
    kind = archive_of(head)
    try:
        yield from _cut(source, Unpacked(file, kind) if kind else file, "" if kind else path)
    except Damaged as error:
        yield Block(source, 1, 0, b"", faults=((1, str(error)),))


def _cut(source: int, file: IO[bytes] | Unpacked, path: str) -> Iterator[Block]:
    """Blocks of whole lines. A line longer than MAX_LINE is skipped and named, not held."""
    tail = b""
    first = 1
    offset = 0  # of the first byte of `tail`
    too_long = False  # the rest of a line that is too long is being passed over
    while True:
        chunk = file.read(BLOCK)
        if not chunk:
            break
        if too_long:
            end = chunk.find(b"\n")
            if end < 0:
                offset += len(chunk)
                continue
            offset += end + 1
            chunk = chunk[end + 1 :]
            yield Block(source, first, 0, b"", faults=((first, TOO_LONG),), read=offset)
            first += 1
            too_long = False
        held = tail + chunk if tail else chunk
        end = held.rfind(b"\n") + 1
        if end:
            lines = held.count(b"\n", 0, end)
            body = None if path else held[:end]
            yield Block(source, first, end, body, path, offset, read=offset + end)
            first += lines
            offset += end
        tail = held[end:]
        if len(tail) > 4 * MAX_LINE:
            too_long = True
            offset += len(tail)
            tail = b""
    if too_long:
        yield Block(source, first, 0, b"", faults=((first, TOO_LONG),), read=offset)
        first += 1
    if tail:
        yield Block(source, first, len(tail), None if path else tail, path, offset, read=offset + len(tail))
        first += 1
    note = getattr(file, "note", "")
    if note:
        yield Block(source, first, 0, b"", faults=((first, note),), read=offset)


_SESSION = re.compile(rb'"type"\s*:\s*"session"')


@dataclass(slots=True)
class Origin:
    """Banks named by session lines, each with the folder of its session if known, and blueprints, in the order met;
    `older`: a session was held before numbers counted as people round them."""

    banks: dict[str, object] = field(default_factory=dict)
    blueprints: dict[str, None] = field(default_factory=dict)
    older: bool = False


def detect_bank(blocks: Iterable[Block], origin: Origin) -> Iterator[Block]:
    """The same blocks, read ahead up to the first session line that names a bank."""
    ahead: list[Block] = []
    rest = iter(blocks)
    for block in rest:
        ahead.append(block)
        if _names_bank(block, origin):
            break
    return chain(ahead, rest)


def note_marking_rules(blocks: Iterable[Block], origin: Origin) -> Iterator[Block]:
    """The same blocks of one log; its first session says by which rules of marking it was held."""
    rest = iter(blocks)
    for block in rest:
        session = next(_sessions(block), None) if not origin.older else None
        origin.older = origin.older or (session is not None and session.get("rules", 1) == 1)
        yield block
        break
    yield from rest


def _sessions(block: Block) -> Iterator[dict[str, Any]]:
    """The session lines of a block; damaged lines are told when they are scored."""
    data = block.text()
    for match in _SESSION.finditer(data):
        start = data.rfind(b"\n", 0, match.start()) + 1
        end = data.find(b"\n", match.end())
        line = data[start : end if end >= 0 else len(data)]
        try:
            record = parse(line.decode("utf-8"))
            if kind_of(record) == "session":
                yield record
        except (Damaged, UnicodeDecodeError):
            continue


def _names_bank(block: Block, origin: Origin) -> bool:
    for record in _sessions(block):
        bank, blueprint = record.get("bank"), record.get("blueprint")
        if isinstance(blueprint, str) and blueprint:
            origin.blueprints.setdefault(blueprint)
        if isinstance(bank, str) and bank:
            origin.banks.setdefault(bank, record.get("folder"))
            return True
    return False
