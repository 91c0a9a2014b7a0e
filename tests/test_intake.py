"""Lines of a log, read strictly: every damage is named, every good line is read. What people fill in and exams leave
behind: sheets, marks, manifests; and taking a candidate out of a log.
"""

from __future__ import annotations

import json
import lzma
from dataclasses import replace
from pathlib import Path

import pytest

from quizgen.scoring.exam_answers import (
    Manifest,
    RosterEntry,
    log_block_of_answers_file,
    read_manifest,
    roster_key_or_typed_name,
)
from quizgen.scoring.forget import forget_candidate_in_log
from quizgen.scoring.log_files import read_blocks
from quizgen.scoring.log_lines import parse_log_line
from quizgen.source.problems import Unreadable


def test_a_good_line_is_what_json_says() -> None:
    """Also a nested one; brackets inside strings are no depth."""
    nested = '{"item": "a", "given": {"N": 13e9, "K": "32"}, "response": "say \\"a\\": b", "more": {"x": {"y": [1, {"z": 2}]}}}'
    for text in (nested, json.dumps({"item": "a", "response": "[" * 500 + '"{' * 50})):
        assert parse_log_line(text) == json.loads(text)


# -- sources ------------------------------------------------------------------------------------


def read(path: Path) -> list[tuple[int, bytes]]:
    """Every line with its number, whatever the blocks."""
    found = []
    for block in read_blocks(0, str(path)):
        for index, line in enumerate(block.read_bytes().split(b"\n")):
            if line:
                found.append((block.first_line_number + index, line))
    return found


def test_blocks_hold_whole_lines_with_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    lines = [b"%d " % n + b"x" * (n % 977) for n in range(1, 9_000)]
    path.write_bytes(b"\n".join(lines))
    assert read(path) == list(enumerate(lines, 1))


def test_a_line_too_long_to_hold_is_skipped_and_named(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_bytes(b"first\n" + b"y" * 10_000_000 + b"\nthird\n")
    made = list(read_blocks(0, str(path)))
    assert [f[0] for b in made for f in b.numbered_faults] == [2]
    assert read(path) == [(1, b"first"), (3, b"third")]
    assert max(len(b.read_bytes()) for b in made) < 3_000_000


ITEMS = [
    {"n": 1, "ref": "QXYZ-1", "item": "pick", "options": ["yes", "no"]},
    {"n": 2, "ref": "QXYZ-2", "item": "twice", "given": {"N": "3"}, "points": 2},
]
FORMS = [{"form": "A", "code": "QXYZ", "seed": "s/A", "items": ITEMS}]
PEOPLE = [{"id": "S7", "code": "QXYZ"}, {"name": "x"}]
MANIFEST = {"bank": "sums", "digest": "sha256:0", "forms": FORMS, "candidates": PEOPLE}


@pytest.fixture
def manifest(tmp_path: Path) -> Manifest:
    (tmp_path / "manifest.json").write_text(json.dumps(MANIFEST), encoding="utf-8")
    return read_manifest(str(tmp_path / "manifest.json"))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\xff", "not a readable answers file"),
        (b"\x1f\x8b", "packed with gzip; unpack it first"),
        (b'{"form": "C", "responses": []}', 'form "C" is not in the manifest'),
        (b'{"form": "A", "responses": 3}', "no list of responses"),
        (b" " * ((8 << 20) + 1), "larger than 8 MiB"),
    ],
)
def test_an_answers_file_that_cannot_be_used_is_told(manifest: Manifest, tmp_path: Path, data: bytes, why: str) -> None:
    path = tmp_path / "answers.json"
    path.write_bytes(data)
    ((line, told),) = log_block_of_answers_file(str(path), manifest).numbered_faults
    assert line == 1
    assert told.startswith(why)


def test_whose_answers_they_are(manifest: Manifest) -> None:
    """By number, by id, by a name that only one has, whatever the case; else what was typed."""
    people = {"S7": RosterEntry(3, "S7", "Ada"), "S8": RosterEntry(4, "S8", "Bo"), "S9": RosterEntry(5, "S9", "Bo")}
    roster = replace(manifest, roster_by_key=people)
    told = [{"number": 4, "name": "Ada"}, {"candidate": "s9"}, {"name": " ada "}, {"name": "bo"}, {}]
    assert [roster_key_or_typed_name(one, roster) for one in told] == ["S8", "S9", "S7", "bo", ""]


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
        ("points", True, "points of item must be a number or nothing, not true"),
        ("given", {"N": [3]}, "given must hold texts and numbers"),
        ("candidates", [{"minutes": "forty"}], 'minutes of candidate must be a number or nothing, not "forty"'),
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


def test_what_cannot_be_forgotten_is_left_as_it_is(tmp_path: Path) -> None:
    """A log that is not there, and one that only another program can pack again."""
    with pytest.raises(Unreadable, match="there is no such file"):
        forget_candidate_in_log(str(tmp_path / "none.jsonl"), "ada")
    packed = tmp_path / "log.jsonl.xz"
    packed.write_bytes(before := lzma.compress(b'{"candidate": "ada", "item": "x", "response": "1"}\n'))
    with pytest.raises(Unreadable, match="packed with xz; unpack it first; nothing was changed"):
        forget_candidate_in_log(str(packed), "ada")
    assert packed.read_bytes() == before


@pytest.mark.parametrize(("text", "gone"), [('{"session": "s1"}', True), ('{"session": "s2"}', False), ('{"ses', True)])
@pytest.mark.parametrize("name", ["s.jsonl.draft", ".s.jsonl.draft.0123456789abcdef.part"])
def test_whoever_is_forgotten_leaves_no_draft(tmp_path: Path, name: str, text: str, gone: bool) -> None:
    """What was typed and not given is theirs as well, also what a crash left of it; another session's stays."""
    log = tmp_path / "s.jsonl"
    lines = [{"v": 1, "type": "session", "session": f"s{n}", "candidate": who} for n, who in ((1, "ada"), (2, "bo"))]
    log.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    kept = tmp_path / name
    kept.write_text(text, encoding="utf-8")
    assert forget_candidate_in_log(str(log), "ada")[1] == 1
    assert kept.exists() is not gone
