"""Files that would take all memory or time: each import ends within 256 MB and ten seconds of processor time."""

from __future__ import annotations

import io
import json
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from quizgen.interchange import contract
from tests.interchange.made import Import, matching, moodle, question, zipped

pytest.importorskip("resource", reason="this system limits no process")

RUN = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
resource.setrlimit(resource.RLIMIT_DATA, (256 << 20, 256 << 20))
from quizgen import cli
sys.exit(cli.run(sys.argv[1:]))
"""
TABLES = """
CREATE TABLE col (models TEXT, decks TEXT);
CREATE TABLE cards (id INTEGER, nid INTEGER, did INTEGER);
CREATE TABLE revlog (id INTEGER, cid INTEGER, ease INTEGER);
"""
NOTES = "CREATE TABLE notes (id INTEGER, guid TEXT, tags TEXT, flds TEXT, mid INTEGER);"
COUNTING = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
VIEW = f"CREATE VIEW notes AS {COUNTING} SELECT i AS id, 'g' AS guid, '' AS tags, 'a\x1fb' AS flds, 1 AS mid FROM n;"
COMPUTED = """CREATE TABLE notes (id INTEGER, guid TEXT, tags TEXT, mid INTEGER,
  flds TEXT GENERATED ALWAYS AS (hex(zeroblob(30000000))) VIRTUAL);
INSERT INTO notes (id, guid, tags, mid) VALUES (1, 'g', '', 1), (2, 'h', '', 1);"""


def deck(statements: str = "", notes: Iterable[str] = (), models: str = "{}", table: str = NOTES) -> bytes:
    """An .apkg whose notes hold these fields (parted by \\x1f)."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(TABLES + table)
    connection.execute("INSERT INTO col VALUES (?, '{}')", (models,))
    for n, fields in enumerate(notes, 1):
        connection.execute("INSERT INTO notes VALUES (?, ?, '', ?, 1)", (n, f"g{n}", fields))
        connection.execute("INSERT INTO cards VALUES (?, ?, 1)", (n, n))
    connection.executescript(statements)
    return zipped({"collection.anki2": connection.serialize()})


def book(cells: str) -> bytes:
    """An .xlsx with one sheet of these rows, put into an empty workbook: openpyxl would write no sheet as odd."""
    empty = io.BytesIO()
    pytest.importorskip("openpyxl", reason="openpyxl is not installed").Workbook().save(empty)
    with zipfile.ZipFile(empty) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    sheet = f'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:XFD1048576"/><sheetData>{cells}</sheetData></worksheet>'
    return zipped(files | {"xl/worksheets/sheet1.xml": sheet.encode()})


def row(number: int, **cells: str) -> str:
    inside = "".join(f'<c r="{c}{number}" t="inlineStr"><is><t>{text}</t></is></c>' for c, text in cells.items())
    return f'<row r="{number}">{inside}</row>'


def nested(depth: int) -> str:
    return "".join(f"{{{{c{n % 9 + 1}::a{n} " for n in range(depth)) + "}}" * depth


SOUND = row(1, A="stem", B="answer") + row(2, A="What is it?", B="This")
OPEN = ("::", "\\(", "\\[", "[latex]", "[$]", "[sound:")  # what a note may leave without an end
FILES: dict[str, tuple[Callable[[], bytes], int]] = {  # the file's name: what makes its bytes, and the exit code
    "view.apkg": (lambda: deck(table=VIEW), 3),
    "computed.apkg": (lambda: deck(table=COMPUTED), 3),
    "deep.apkg": (lambda: deck(notes=("a\x1fb",), models="[" * 200_000), 3),
    "list.apkg": (lambda: deck(notes=("a\x1fb",), models="[]"), 3),
    "nested.apkg": (lambda: deck(notes=(nested(400) + "\x1f", "a\x1fb")), 0),
    "gaps.apkg": (lambda: deck(notes=(nested(100_000) + "\x1f", "a\x1fb")), 1),
    "open-marks.apkg": (lambda: deck(notes=("{{c1:: " + mark * 20_000 + "\x1fb" for mark in OPEN)), 0),
    "tags.apkg": (lambda: deck(notes=("<b>a</b>" * 100_000 + "\x1fb",)), 3),
    "far-cell.xlsx": (lambda: book(SOUND + row(1_048_576, XFD="far")), 1),
    "far-cells.xlsx": (lambda: book(SOUND + "".join(row(n, XFD="far") for n in range(3, 30_000))), 3),
    "empties.xlsx": (lambda: book("<row r='1'>" + "<c/>" * 10_000_000 + "</row>"), 3),
    "empties.zip": (lambda: zipped({"imsmanifest.xml": "<manifest>" + "<a/>" * 12_000_000 + "</manifest>"}), 3),
    "empties.xml": (lambda: b"<quiz><question type='essay'>" + b"<a/>" * 2_000_000 + b"</question></quiz>", 3),
}


@pytest.mark.parametrize("name", FILES)
def test_an_import_ends_within_its_limits(name: str, tmp_path: Path) -> None:
    make, code = FILES[name]
    (tmp_path / name).write_bytes(make())
    command = [sys.executable, "-c", RUN, "import", name, "-o", "bank"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == code, done.stderr[-500:]
    assert "Traceback" not in done.stderr
    assert (tmp_path / "bank").exists() is (code != 3)
    if code == 3:
        assert len(done.stderr.splitlines()) <= 2, done.stderr


MANY: dict[str, Callable[[], bytes | str]] = {  # files of eleven sound items
    "many.json": lambda: json.dumps([{"question": "Why?", "answer": "Because"}] * 11),
    "many.csv": lambda: "question,answer\n" + "a,b\n" * 11,
    "many.apkg": lambda: deck(notes=("a\x1fb",) * 11),
    "matching.xml": lambda: moodle(question("matching", matching(a="b") * 11)),
}  # fmt: skip


@pytest.mark.parametrize("name", MANY)
def test_a_file_of_too_many_items_is_refused(name: str, imported: Import, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contract, "MAX_IMPORTED_ITEMS", 10)
    said = imported(name, MANY[name](), code=3).err
    assert "it has more than 10 items; split it into files of at most so many" in said


def test_gaps_in_gaps_are_hidden_by_their_numbers(imported: Import) -> None:
    """The outer gap's answer holds the inner one's text; what never closes stays as it was written."""
    text = "{{c1::All of {{c2::two::how many}} ranks::who}} send; {{c3::open }} and }} {{c4::end"
    made = imported("gaps.apkg", deck(notes=(text + "\x1f",))).text.replace("\\", "")
    assert "All of [how many] ranks send; open and }} {{c4::end" in made
    assert "[who] send; open and" in made
    assert "All of two ranks" in made


def test_reviews_of_impossible_dates_are_left_out(imported: Import) -> None:
    reviews = "INSERT INTO revlog VALUES (100000000000000000, 1, 3), (-5000, 1, 3), (1700000000000, 1, 3);"
    made = imported("far.apkg", deck(reviews, notes=("What?\x1fThis",)))

    (log,) = made.bank.glob("*.ratings.jsonl")
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [line["at"] for line in lines if line["type"] == "rating"] == ["2023-11-14T22:13:20Z"]


def test_a_deck_of_nothing_that_can_be_read_says_why(imported: Import) -> None:
    said = imported("gaps.apkg", deck(notes=(nested(501) + "\x1f",)), code=3).err
    assert "has 501 gaps, too many for a text of its length; split the note" in said
