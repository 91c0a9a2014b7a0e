"""Files made to harm: a line each, nothing written outside the bank, no address asked."""

from __future__ import annotations

import socket
import sqlite3
from pathlib import Path

import pytest
from shipped import Command

from quizgen import cli
from tests.interchange.made import Import, zipped

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
    imported("cards.txt", f"#html:true\n{stem}\tback\nWhat?\tback\n", "--from", "anki-tsv")


def test_what_cannot_be_scored_stays_a_draft(imported: Import, command: Command) -> None:
    made = imported("cards.csv", "stem,answer,option a,option b\nWhat?,,,\nWhy so?,A,yes,\n", "--active")
    assert made.text.count("status: draft") == 2
    command("check", "--quick", made.bank)
