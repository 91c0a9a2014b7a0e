"""Lines of a log, read strictly: every damage is named, every good line is read."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from quizgen.model import MAX_LINE_BYTES
from quizgen.scoring.log_files import LINE_TOO_LONG_MESSAGE, find_logs, read_blocks
from quizgen.scoring.log_lines import (
    BadInput,
    drawn_values,
    number_field,
    parse_line,
    response_field,
    text_field,
    time_field,
)
from quizgen.source.problems import Unreadable

GOOD = '{"v": 1, "type": "response", "candidate": "ada", "item": "a", "response": "x", "seconds": 3.5}'


def test_a_good_line_is_what_json_says() -> None:
    assert parse_line(GOOD) == json.loads(GOOD)
    nested = '{"item": "a", "given": {"N": 13e9, "K": "32"}, "response": "say \\"a\\": b", "more": {"x": {"y": [1, {"z": 2}]}}}'
    assert parse_line(nested) == json.loads(nested)


def test_brackets_inside_strings_are_no_depth() -> None:
    text = json.dumps({"item": "a", "response": "[" * 500 + '"{' * 50})
    assert parse_line(text)["response"].startswith("[[[")


def test_values_are_read_as_people_mean_them() -> None:
    assert response_field({"response": ["a", "b"]}) == ("a", "b")
    assert response_field({"response": 32}) == "32"
    assert response_field({"response": 0.1}) == "0.1"
    assert response_field({"response": None}) == ""
    assert drawn_values({"given": {"N": 13e9, "K": 32, "w": "2 B"}}) == {"N": "13000000000.0", "K": "32", "w": "2 B"}
    assert text_field({"candidate": 17}, "candidate") == "17"
    assert text_field({"candidate": ""}, "candidate") is None
    assert number_field({"seconds": 0}, "seconds", 10) == 0
    assert time_field({"at": "2026-11-21T10:00:00.123+01:00"}) is not None


def test_a_line_gives_as_many_values_as_an_item_can_draw() -> None:
    """64; yes and no are those words."""
    assert drawn_values({"given": {"ring": True, "tree": False}}) == {"ring": "true", "tree": "false"}
    assert len(drawn_values({"given": {f"N{n}": n for n in range(64)}}) or ()) == 64
    with pytest.raises(BadInput, match="given holds 65 names; at most 64 are read"):
        drawn_values({"given": {f"N{n}": n for n in range(65)}})


# -- sources ------------------------------------------------------------------------------------


def read(path: Path) -> list[tuple[int, bytes]]:
    """Every line with its number, whatever the blocks."""
    found = []
    for block in read_blocks(0, str(path)):
        for index, line in enumerate(block.text().split(b"\n")):
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
    assert max(len(b.text()) for b in made) < 3_000_000


def test_bytes_that_are_no_text_are_told_by_column_unless_the_line_is_too_long(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"ab\xff\n" + b"\xff" * (MAX_LINE_BYTES + 1) + b"\n")
    told = [fault for block in read_blocks(0, str(path)) for fault in block.lines()[1]]
    assert told == [(1, "not UTF-8: byte 0xff at column 3; save the log as UTF-8"), (2, LINE_TOO_LONG_MESSAGE)]


def test_what_is_no_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="a log has an empty name"):
        find_logs([" "])
    with pytest.raises(Unreadable, match="no such file"):
        list(read_blocks(0, str(tmp_path / "none.jsonl")))
    (tmp_path / "empty").mkdir()
    with pytest.raises(Unreadable, match="files of answers are answers"):
        find_logs([str(tmp_path / "empty")])
