"""Files made to harm: a line each, nothing written outside the bank, no address asked. Those that would take all memory
or time end within 256 MB and ten seconds of processor time."""

from __future__ import annotations

import io
import json
import socket
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from shipped import Command

from quizgen import cli
from quizgen.interchange import contract
from tests.interchange.made import Import, matching, moodle, question, zipped

LAUGHS = b"""<?xml version="1.0"?><!DOCTYPE quiz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<quiz><question type="essay"><name><text>&b;</text></name></question></quiz>"""
OUTSIDE = b"""<?xml version="1.0"?><!DOCTYPE quiz [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<quiz><question type="essay"><questiontext><text>&x;</text></questiontext></question></quiz>"""
DEEP = b"<quiz>" + b"<question type='essay'>" + b"<a>" * 50_000 + b"</a>" * 50_000 + b"</question></quiz>"


def bomb(name: str) -> bytes:
    """80 MiB of nothing in some kilobytes."""
    return zipped({name: bytes(80 << 20)})


def lying(name: str) -> bytes:
    """An archive whose headers say one byte where there are 80 MiB."""
    data = bytearray(bomb(name))
    size = (80 << 20).to_bytes(4, "little")
    return bytes(data.replace(size, (1).to_bytes(4, "little")))


def collection(statement: str) -> bytes:
    connection = sqlite3.connect(":memory:")
    connection.executescript(statement)
    return zipped({"collection.anki2": connection.serialize()})


def cases() -> dict[str, bytes]:
    return {
        "entities.xml": LAUGHS,
        "outside.xml": OUTSIDE,
        "utf16.xml": LAUGHS.decode().encode("utf-16"),
        "broken.xml": b"<quiz><question type='essay'>",
        "empty.txt": b"",
        "blank.txt": b" \n \n",
        "line.txt": b"1. " + b"x" * (3 << 20) + b"\nAnswer: A\n",
        "nul.txt": bytes(1000),
        "latin1.txt": "1. Qu\xe9?\nAnswer: oui\n\n2. B?\nAnswer: c\n".encode("latin-1"),
        "line.csv": b"question,answer\n" + b"x" * (3 << 20) + b",b\n",
        "header.csv": b"foo,bar,baz\n1,2,3\n",
        "bomb.apkg": bomb("collection.anki2"),
        "bomb.xlsx": bomb("xl/workbook.xml"),
        "lying.apkg": lying("collection.anki2"),
        "zstd.apkg": zipped({"collection.anki21b": b"not zstd"}),
        "nosql.apkg": zipped({"collection.anki2": b"SQLite format 3\0" + bytes(100)}),
        "nonotes.apkg": collection("CREATE TABLE col (models TEXT)"),
        "cut.zip": zipped({"imsmanifest.xml": b"<manifest/>"})[:-30],
        "up.zip": zipped({"imsmanifest.xml": b"<manifest/>", "../../evil.xml": b"<a/>", "/tmp/evil.xml": b"<a/>"}),
        "sheet.xlsx": zipped({"xl/workbook.xml": b"<a"}),
        "braces.gift": b"::a::" + b"{" * 10_000,
        "noise.bin": bytes(range(256)) * 40,
    }


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("an address was asked")

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)


@pytest.mark.usefixtures("no_network")
def test_a_line_says_what_is_wrong_and_nothing_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, data in cases().items():
        path = tmp_path / name / "here" / name
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
        code = cli.run(["import", str(path), "-o", str(path.parent / "bank")])
        said = capsys.readouterr().err.strip().splitlines()
        assert code == 3, (name, said)
        assert 1 <= len(said) <= 2, (name, said)
        assert name in said[-1]
        assert {p.name for p in (tmp_path / name).rglob("*")} == {"here", name}, name


@pytest.mark.usefixtures("no_network")
def test_what_is_deep_or_long_but_sound_is_read(imported: Import) -> None:
    """50,000 tags, and 5,000 of HTML."""
    imported("deep.xml", DEEP)
    html = "&lt;div&gt;" * 5_000 + "far below" + "&lt;/div&gt;" * 5_000
    text = f"<quiz><question type='essay'><questiontext><text>{html}</text></questiontext></question></quiz>"
    assert "far below" in imported("html.xml", text).text


def test_texts_that_would_harm_a_bank_become_texts_of_it(imported: Import, command: Command) -> None:
    """Tags, anchors, controls, YAML's own marks and wide spaces that would begin a line stay text; the bank can be read."""
    wide = "\u00a0What is \u00a0this?\n\u00a0\u2003And that? " + "long " * 30 + "\u00a0end"
    stems = ("!!python/object:os.system x", "&a *b", "- - : {[", "\x1b[31mred\u202e", wide)
    made = imported("odd.csv", "stem,answer\n" + "".join(f'"{stem}",right\n' for stem in stems))
    assert "\x1b" not in made.text
    command("check", "--quick", made.bank)


def test_a_name_with_steps_up_writes_inside_the_bank(imported: Import) -> None:
    assert (imported("..evil..txt", "1. What?\nA) a\nB) b\nAnswer: A\n").bank / "evil.yaml").is_file()


@pytest.mark.parametrize("stem", ["https://example.org/page", "notes.txt", '<?xml version="1.0"?><p>What?</p>'])
def test_a_card_may_look_like_an_address_a_file_or_xml(stem: str, imported: Import) -> None:
    """No warning of a library is shown for it."""
    imported("cards.txt", f"#html:true\n#tags column:²\n{stem}\tback\nWhat?\tback\n", "--from", "anki-tsv")


def test_what_cannot_be_scored_stays_a_draft(imported: Import, command: Command) -> None:
    made = imported("cards.csv", "stem,answer,option a,option b\nWhat?,,,\nWhy so?,A,yes,\n", "--active")
    assert made.text.count("status: draft") == 2
    command("check", "--quick", made.bank)


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
    pytest.importorskip("resource", reason="this system limits no process")
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
