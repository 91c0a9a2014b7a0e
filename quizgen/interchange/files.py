"""Reads texts, zip archives and XML from unknown sources within limits, and writes archives with the same bytes each
time.

No entry is ever extracted to a path: entries are read into memory by name."""

from __future__ import annotations

import csv
import html
import io
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from quizgen.interchange.contract import CannotRead

MAX_UNPACKED_BYTES = 64 << 20  # unpacked size of all entries read
MAX_XML_TAGS_AND_ATTRIBUTES_EACH = 1_000_000  # in one XML text
MAX_LINE_CHARACTERS = 1 << 20  # characters; a text file has no longer lines


def decode_utf_text(data: bytes) -> str:
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


def numbered_csv_rows(text: str, separator: str, line_count_above: int = 0) -> Iterator[tuple[int, list[str]]]:
    """Yields (last line number, cells) of each row. `line_count_above` is the number of lines above the text. Raises
    CannotRead, also for a quote that is not closed, which would take the rows below it into one cell."""
    csv.field_size_limit(MAX_LINE_CHARACTERS)
    rows, last_line = csv.reader(io.StringIO(text), delimiter=separator, strict=True), line_count_above
    try:
        for cells in rows:
            last_line = rows.line_num + line_count_above
            yield last_line, cells
    except csv.Error as error:
        raise CannotRead(f"line {last_line + 1}: {error}; fix its quotes") from None


def zip_bytes(content_by_name: Mapping[str, bytes]) -> bytes:
    """The bytes of a zip archive of `content_by_name` (name -> content), sorted by name, each dated 1 January 1980."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in sorted(content_by_name):
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            entry.create_system = 3  # same bytes on every system
            archive.writestr(entry, content_by_name[name])
    return buffer.getvalue()


def unzip_chosen(data: bytes, accepts_name: Callable[[str], bool]) -> dict[str, bytes]:
    """The entries of the archive for whose names `accepts_name` is True, by name. Raises CannotRead."""
    content_by_name: dict[str, bytes] = {}
    room = MAX_UNPACKED_BYTES
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.infolist():
                if entry.is_dir() or not accepts_name(entry.filename):
                    continue
                with archive.open(entry) as file:  # the size in the header is not trusted
                    content_by_name[entry.filename] = file.read(room + 1)
                room -= len(content_by_name[entry.filename])
                if room < 0:
                    raise CannotRead(f"the archive unpacks to more than {MAX_UNPACKED_BYTES >> 20} MiB; split it")
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError) as error:
        raise CannotRead(f"the archive cannot be read ({error}); create it again, without a password") from None
    return content_by_name


def zip_entry_names(data: bytes) -> tuple[str, ...]:
    """The names of the archive's entries; empty if `data` is not an archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return tuple(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError):
        return ()


def make_zip_entry_likelihood(*entry_names: str) -> Callable[[bytes, str], float]:
    """The function `likelihood` of an importer of archives that have one of the entries `entry_names`."""
    return lambda data, suffix: 0.0 if set(entry_names).isdisjoint(zip_entry_names(data)) else 1.0


def parse_xml(data: bytes) -> Element:
    """The root element of an XML text, its tags without namespaces. Raises CannotRead for a DTD, for damage, and for
    more tags or attributes than any quiz has."""
    head = data.replace(b"\0", b"")
    if b"<!DOCTYPE" in head or b"<!ENTITY" in head:
        raise CannotRead("the XML has a DTD or defines entities, which are not read; remove them")
    # In every encoding that the parser reads, each tag and each attribute contains the byte that is counted here.
    if max(data.count(b"<"), data.count(b"=")) > MAX_XML_TAGS_AND_ATTRIBUTES_EACH:
        raise CannotRead(f"the XML has more than {MAX_XML_TAGS_AND_ATTRIBUTES_EACH} tags or attributes; split it")
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise CannotRead(f"not well-formed XML ({error}); export it again") from None
    for node in root.iter():
        node.tag = node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""
    return root


def text_at_path(node: Element, path: str) -> str:
    """The text of the first node at `path`, children included; empty if there is no such node."""
    element = node.find(path)
    return "" if element is None else "".join(element.itertext()).strip()


def inner_xml_text(node: Element) -> str:
    """The markup inside a node."""
    children = (ElementTree.tostring(child, encoding="unicode") for child in node)
    return "".join([html.escape(node.text or "", quote=False), *children])
