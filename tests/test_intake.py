"""Lines of a log, read strictly: every damage is named, every good line is read. What people fill in and exams leave
behind: sheets, marks, manifests; and taking a candidate out of a log.
"""

from __future__ import annotations

import gzip
import json
import lzma
import re
from dataclasses import replace
from pathlib import Path

import pytest

from quizgen.model import MAX_LOG_LINE_BYTES
from quizgen.scoring.exam_answers import (
    Manifest,
    RosterEntry,
    log_block_of_answers_file,
    log_block_of_sheet,
    read_manifest,
    roster_key_of_answers,
)
from quizgen.scoring.forget import forget_candidate
from quizgen.scoring.log_files import LINE_TOO_LONG_MESSAGE, find_log_paths, read_blocks
from quizgen.scoring.log_lines import (
    BadInput,
    drawn_values,
    number_field,
    parse_line,
    response_field,
    text_field,
    time_field,
)
from quizgen.scoring.tables import find_manifest_path
from quizgen.source.problems import Unreadable
from quizgen.spreadsheet import escape_cell, unescape_cell


def test_a_good_line_is_what_json_says() -> None:
    """Also a nested one; brackets inside strings are no depth."""
    nested = '{"item": "a", "given": {"N": 13e9, "K": "32"}, "response": "say \\"a\\": b", "more": {"x": {"y": [1, {"z": 2}]}}}'
    for text in (nested, json.dumps({"item": "a", "response": "[" * 500 + '"{' * 50})):
        assert parse_line(text) == json.loads(text)


def test_values_are_read_as_people_mean_them() -> None:
    assert response_field({"response": ["a", "b"]}) == ("a", "b")
    assert response_field({"response": 32}) == "32"
    assert response_field({"response": 0.1}) == "0.1"
    assert response_field({"response": None}) == ""
    assert drawn_values({"given": {"N": 13e9, "K": 32, "w": "2 B"}}) == {"N": "13000000000.0", "K": "32", "w": "2 B"}
    assert drawn_values({"given": {"ring": True}}) == {"ring": "true"}
    with pytest.raises(BadInput, match="given holds 65 names; at most 64 are read"):
        drawn_values({"given": {f"N{n}": n for n in range(65)}})
    assert text_field({"candidate": 17}, "candidate") == "17"
    assert text_field({"candidate": ""}, "candidate") is None
    assert number_field({"seconds": 0}, "seconds", 10) == 0
    assert time_field({"at": "2026-11-21T10:00:00.123+01:00"}) is not None


# -- sources ------------------------------------------------------------------------------------


def read(path: Path) -> list[tuple[int, bytes]]:
    """Every line with its number, whatever the blocks."""
    found = []
    for block in read_blocks(0, str(path)):
        for index, line in enumerate(block.line_bytes().split(b"\n")):
            if line:
                found.append((block.first_line + index, line))
    return found


def test_blocks_hold_whole_lines_with_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    lines = [b"%d " % n + b"x" * (n % 977) for n in range(1, 9_000)]
    path.write_bytes(b"\n".join(lines))
    assert read(path) == list(enumerate(lines, 1))


def test_packed_and_plain_logs_read_the_same(tmp_path: Path) -> None:
    plain, packed = tmp_path / "a.jsonl", tmp_path / "b.jsonl.gz"
    text = b"".join(b"line %d\n" % n for n in range(200_000))
    plain.write_bytes(text)
    half = len(text) // 2
    packed.write_bytes(gzip.compress(text[:half]) + gzip.compress(text[half:]))
    assert read(plain) == read(packed)


def test_a_line_too_long_to_hold_is_skipped_and_named(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_bytes(b"first\n" + b"y" * 10_000_000 + b"\nthird\n")
    made = list(read_blocks(0, str(path)))
    assert [f[0] for b in made for f in b.faults] == [2]
    assert read(path) == [(1, b"first"), (3, b"third")]
    assert max(len(b.line_bytes()) for b in made) < 3_000_000


def test_bytes_that_are_no_text_are_told_by_column_unless_the_line_is_too_long(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"ab\xff\n" + b"\xff" * (MAX_LOG_LINE_BYTES + 1) + b"\n")
    told = [fault for block in read_blocks(0, str(path)) for fault in block.decoded_lines_and_faults()[1]]
    assert told == [(1, "not UTF-8: byte 0xff at column 3; save the log as UTF-8"), (2, LINE_TOO_LONG_MESSAGE)]


def test_what_is_no_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="a log has an empty name"):
        find_log_paths([" "])
    with pytest.raises(Unreadable, match="no such file"):
        list(read_blocks(0, str(tmp_path / "none.jsonl")))
    (tmp_path / "empty").mkdir()
    with pytest.raises(Unreadable, match="files of answers are answers"):
        find_log_paths([str(tmp_path / "empty")])


FORMS = [
    {"form": label, "code": code, "seed": f"s/{label}", "items": [
        {"n": 1, "ref": f"{code}-1", "item": "pick", "options": options},
        {"n": 2, "ref": f"{code}-2", "item": "twice", "given": {"N": "3"}, "points": 2},
    ]}
    for label, code, options in (("A", "QXYZ", ["yes", "no"]), ("B", "MKLP", ["no", "yes"]))
]  # fmt: skip
MANIFEST = {
    "bank": "sums",
    "digest": "sha256:0",
    "forms": FORMS,
    "candidates": [{"id": "S7", "code": "MKLP"}, {"name": "x"}],
}


@pytest.fixture
def manifest(tmp_path: Path) -> Manifest:
    (tmp_path / "manifest.json").write_text(json.dumps(MANIFEST), encoding="utf-8")
    return read_manifest(str(tmp_path / "manifest.json"))


@pytest.mark.parametrize("text", ["'t Hooft", "=Bo", "'=x", "a; =1", "-1", " =1", "x;'=1", "\t=1", "a\n=b"])
def test_a_cell_gives_back_what_went_in(text: str) -> None:
    """And no piece of it is computed, wherever a spreadsheet cuts it."""
    written = escape_cell(text)
    assert unescape_cell(written) == text
    assert not any(piece.lstrip()[:1] in tuple("=+-@|%") for piece in re.split("[;\t\r\n]", written) if piece.strip())


def test_what_a_screen_would_obey_is_spelled_out_in_a_cell() -> None:
    assert escape_cell("a\x1b[2Jb\u202ec\ud800") == "a\\u{1b}[2Jb\\u{202e}c\\u{d800}"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\xff", "not a readable answers file"),
        (b'{"form": "C", "responses": []}', 'form "C" is not in the manifest'),
        (b'{"form": "A", "responses": 3}', "no list of responses"),
        (b" " * ((8 << 20) + 1), "larger than 8 MiB"),
    ],
)
def test_an_answers_file_that_cannot_be_used_is_told(manifest: Manifest, tmp_path: Path, data: bytes, why: str) -> None:
    path = tmp_path / "answers.json"
    path.write_bytes(data)
    ((line, told),) = log_block_of_answers_file(str(path), manifest).faults
    assert line == 1
    assert told.startswith(why)


def test_whose_answers_they_are(manifest: Manifest) -> None:
    """By number, by id, by a name that only one has, whatever the case; else what was typed."""
    people = {
        "S7": RosterEntry(3, "S7", "Ada"),
        "S8": RosterEntry(4, "S8", "Bo"),
        "S9": RosterEntry(5, "S9", "Bo"),
    }
    roster = replace(manifest, roster_by_key=people)
    told = [{"number": 4, "name": "Ada"}, {"candidate": "s9"}, {"name": " ada "}, {"name": "bo"}, {}]
    assert [roster_key_of_answers(one, roster) for one in told] == ["S8", "S9", "S7", "bo", ""]


def test_a_sheet_finds_a_candidates_form_in_the_roster(manifest: Manifest, tmp_path: Path) -> None:
    """By its letter or code in the row, else by who it was given to; letters are those of that form."""
    path = tmp_path / "sheet.csv"
    path.write_text("candidate,form,1,2\nS7,,A,6\nx,a,A,7\n,,,\n", encoding="utf-8")
    block = log_block_of_sheet(str(path), manifest)
    lines = [json.loads(line) for line in block.data.decode().splitlines()]
    assert [(x["candidate"], x["response"]) for x in lines if x["type"] == "response"] == [
        ("S7", "no"), ("S7", "6"), ("x", "yes"), ("x", "7"),
    ]  # fmt: skip
    assert block.line_numbers == (2, 2, 2, 3, 3, 3)
    path.write_text("candidate,form,1,2\nx,,A,8\nS7,Z,A,8\n", encoding="utf-8")
    with pytest.raises(Unreadable, match=r'(?s):2: no form; write its letter.*:3: form "Z" is not in the manifest'):
        log_block_of_sheet(str(path), manifest)


def test_the_manifest_beside_answers_is_taken_only_where_there_is_one(tmp_path: Path) -> None:
    """Two exams in two folders: a person must say which."""
    names = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "answers-A-1.json"
        path.write_text('{"answers": 1}', encoding="utf-8")
        names.append(str(path))
    assert find_manifest_path(names) is None
    for folder in ("one", "two"):
        (tmp_path / folder / "manifest.json").write_text("{}", encoding="utf-8")
    assert find_manifest_path(names[:1]) == str(tmp_path / "one" / "manifest.json")
    assert find_manifest_path(names) is None
    assert find_manifest_path([str(tmp_path / "one" / "manifest.json")]) is None


@pytest.mark.parametrize("text", ["", "[]", '{"forms": 1}', '{"forms": [{"items": [{}]}]}', "\udcff"])
def test_what_is_no_manifest_is_said(tmp_path: Path, text: str) -> None:
    """With the name of the command that writes one."""
    path = tmp_path / "manifest.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(Unreadable, match=r"not a manifest.*quizgen exam writes manifest\.json"):
        read_manifest(str(path))


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("pass", True, "pass, bands and grades must be shares"),
        ("bands", [{"from": None, "name": "A"}], "pass, bands and grades must be shares"),
        ("options", ["yes", 5], "options must be lists of texts"),
        ("item", ["a"], "item of item"),
        ("points", True, "points of item true"),
        ("given", "N=3", "given of item"),
        ("candidates", [{"id": 7, "name": "Ada"}], "id of candidate 7"),
    ],
)
def test_a_manifest_whose_values_do_not_fit_is_refused(tmp_path: Path, field: str, value: object, why: str) -> None:
    """By name, before anything is scored by it."""
    odd = json.loads(json.dumps(MANIFEST))
    top = field in ("pass", "bands", "candidates")
    (odd if top else odd["forms"][0]["items"][0])[field] = value
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps(odd), encoding="utf-8")
    with pytest.raises(Unreadable, match=why):
        read_manifest(str(path))


def test_forgetting_takes_a_session_that_goes_by_that_name(tmp_path: Path) -> None:
    """Lines with no candidate are those of their session, which reports show by that name; others stay to the byte."""
    path = tmp_path / "log.jsonl"
    kept = '{"candidate": "bo", "session": "ada", "item": "x", "response": "1"}\nnot json, but ada\n'
    path.write_text('{"session": "ada", "item": "x", "response": "1"}\n' + kept, encoding="utf-8")
    done = forget_candidate(str(path), "ada")
    assert (done.line_count, done.removed_count, done.unreadable_line_numbers) == (3, 1, (3,))
    assert path.read_text(encoding="utf-8") == kept
    assert [p.name for p in tmp_path.iterdir()] == ["log.jsonl"]


def test_what_cannot_be_forgotten_is_left_as_it_is(tmp_path: Path) -> None:
    """A log that is not there, and one that only another program can pack again."""
    with pytest.raises(Unreadable, match="there is no such file"):
        forget_candidate(str(tmp_path / "none.jsonl"), "ada")
    packed = tmp_path / "log.jsonl.xz"
    packed.write_bytes(before := lzma.compress(b'{"candidate": "ada", "item": "x", "response": "1"}\n'))
    with pytest.raises(Unreadable, match="packed with xz; unpack it first; nothing was changed"):
        forget_candidate(str(packed), "ada")
    assert packed.read_bytes() == before


@pytest.mark.parametrize(
    ("draft", "gone"), [('{"session": "s1"}', True), ('{"session": "s2"}', False), ('{"ses', True)]
)
@pytest.mark.parametrize("name", ["s.jsonl.draft", ".s.jsonl.draft.0123456789abcdef.part"])
def test_whoever_is_forgotten_leaves_no_draft(tmp_path: Path, name: str, draft: str, gone: bool) -> None:
    """What was typed and not given is theirs as well, also what a crash left of it; another session's stays."""
    log = tmp_path / "s.jsonl"
    lines = [{"v": 1, "type": "session", "session": f"s{n}", "candidate": who} for n, who in ((1, "ada"), (2, "bo"))]
    log.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    kept = tmp_path / name
    kept.write_text(draft, encoding="utf-8")
    assert forget_candidate(str(log), "ada").removed_count == 1
    assert kept.exists() is not gone
