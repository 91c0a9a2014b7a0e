"""`quizgen score`, on damaged logs: every bad line named, every good one scored."""

from __future__ import annotations

import json
import random
from pathlib import Path

from scored_logs import GOOD, Log, Score, objects

DAMAGED: list[tuple[str, str]] = [
    ('{"item": "shards", "response": "The grad', "cut off"),
    ('{"item": "shards", "response": "x",}', "not JSON"),
    ('{"item": "shards", "response": "x"},', "a comma after the object; delete it"),
    ("\0\0\0\0\0\0", "NUL"),
    ('{"item": "sha\0rds", "response": "x"}', "control character"),
    ('{"item": "shards", "response": "\udcff\udcfe"}', "not UTF-8: byte 0xff at column 33"),
    ('{"item": "shards", "response": "' + "y" * 10_000_000 + '"}', "longer than 256 KiB"),
    ('{"item": "shards", "x": ' + "[" * 50_000 + "]" * 50_000 + "}", "nested deeper"),
    ('{"item": "shards", "response": NaN}', "NaN"),
    ('{"item": "shards", "response": 1e999}', "without bound"),
    ('{"item": "shards", "response": "x", "seconds": 1' + "0" * 5_000 + "}", "digits"),
    ('{"item": "shards", "item": "node", "response": "x"}', "twice"),
    ('{"item": "state", "given": {"N": 1, "N": 2}, "response": "x"}', '"N" appears twice'),
    ('{"item": "node", "response": "\\":", "item": "b"}', '"item" appears twice'),
    ('{"item": "shards", "response": "x", "session": "' + "x" * 401 + '"}', "session is longer than 400 characters"),
    ('{"type": 7}', "a log has no lines of type 7; known: response, session, end, resume, dispute, turn"),
    ('{"item": 5, "response": "x"}', "item must be text"),
    ('{"item": null, "response": "x"}', "item is missing; if it has another name here, give --map item=NAME"),
    ('{"item": "shards"}', "response is missing"),
    ('{"item": "shards", "response": {"a": 1}}', "response must be text"),
    ('{"item": "shards", "response": "x", "candidate": ["a"]}', "candidate must be text"),
    ('{"item": "shards", "response": "x", "candidate": "' + "z" * 5_000 + '"}', "candidate is longer"),
    ('{"item": "shards", "response": "x", "seed": {}}', "seed must be text"),
    ('{"item": "state", "response": "x", "given": "N=1"}', "given must be an object"),
    ('{"item": "state", "response": "x", "given": {"N": [1], "K": 8}}', "given N must be"),
    ('{"item": "state", "response": "x", "given": ' + json.dumps({f"N{n}": n for n in range(65)}) + "}", "65 names"),
    ('{"item": "state", "response": "x"}', "given lacks"),
    ('{"item": "state", "response": "x", "given": {"N": "cheese", "K": 8}}', "state:"),
    ('{"item": "shards", "response": "x", "points": -1}', "points must be"),
    ('{"item": "shards", "response": "x", "hints": "two"}', "hints must be"),
    ('{"v": 2, "type": "response", "item": "shards", "response": "x"}', "newer quizgen"),
    ('{"v": "one", "item": "shards", "response": "x"}', '"v" must be 1'),
    ('{"type": "heartbeat", "at": "now"}', 'type "heartbeat"'),
    ('{"v": 1, "type": "session"}', "without a session"),
    ('{"item": "shards", "response": "x", "points": true}', "from 0 to 1,000,000, not true"),
    ('{"item": "shards", "response": "x"}\r{"item": "node", "response": "x"}', "more than one object"),
    ("[1, 2, 3]", "not an object"),
    ("candidate,item,response", "not JSON"),
    ('{"item": "shrads", "response": "x"}', 'no item "shrads"'),
]


def test_every_damaged_line_is_named_and_every_good_line_scored(score: Score, log: Log) -> None:
    """More than thirty kinds of damage, a good line after each."""
    lines: list[object] = []
    for text, _ in DAMAGED:
        lines += [text, GOOD[len(lines) // 2 % 5]]
    path = log(*lines)
    _, out, err = score(path, "--format", "jsonl")
    assert [x["line"] for x in objects(out)] == [2 * n + 2 for n in range(len(DAMAGED))]
    named = [line for line in err.splitlines() if line.startswith(str(path))]
    for n, (line, (_, why)) in enumerate(zip(named, DAMAGED, strict=True)):
        assert line.startswith(f"{path}:{2 * n + 1}: "), line[:200]
        assert why in line
    # The report counts them, too, whatever the format.
    _, out, _ = score(path)
    assert f"{len(DAMAGED)} lines could not be used" in out


def test_a_last_line_cut_at_any_byte_costs_that_line_alone(score: Score, tmp_path: Path) -> None:
    whole = "\n".join(json.dumps(line) for line in GOOD).encode()
    last = len(whole) - len(json.dumps(GOOD[4]))
    path = tmp_path / "cut.jsonl"
    for end in range(last, len(whole) + 1):
        path.write_bytes(whole[:end])
        _, out, err = score(path, "--format", "jsonl")
        complete = end == len(whole)
        assert len(objects(out)) == (5 if complete else 4)
        assert (f"{path}:5: " in err) == (last < end < len(whole))


def test_flipped_bits_never_stop_the_rest(score: Score, tmp_path: Path) -> None:
    """A flipped bit gives a line that is named, or one that reads as something else; the others stand."""
    rng = random.Random(5)
    whole = "\n".join(json.dumps(line) for line in GOOD).encode() + b"\n"
    starts = [0, *(i + 1 for i, c in enumerate(whole) if c == 10)]
    for _ in range(60):
        bit = rng.randrange(8 * len(whole))
        data = bytearray(whole)
        data[bit // 8] ^= 1 << bit % 8
        path = tmp_path / "flip.jsonl"
        path.write_bytes(bytes(data))
        _, out, _ = score(path, "--format", "jsonl")
        hit = sum(s <= bit // 8 for s in starts)
        if data.count(b"\n") == whole.count(b"\n"):
            assert {1, 2, 3, 4, 5} - {hit} <= {x["line"] for x in objects(out)}


def test_a_wrong_optional_field_is_named_and_the_response_scored(score: Score, log: Log, tmp_path: Path) -> None:
    wrong = [{"seconds": value} for value in ("fast", -4, 1e300)]
    wrong += [{"at": value} for value in ("yesterday", "2026-13-77", 12)]
    lines = [GOOD[1] | extra for extra in wrong]
    _, out, err = score(log(*lines), "--format", "jsonl")
    assert len(objects(out)) == 6
    named = [line.split(": ")[0].removeprefix(str(tmp_path)) for line in err.splitlines() if "was ignored and" in line]
    assert named == [f"/log.jsonl:{n}" for n in range(1, 7)]


def test_a_file_of_something_else_is_one_message(score: Score, tmp_path: Path) -> None:
    path = tmp_path / "noise.log"
    path.write_text("nothing to see\n" * 5_000)
    _, _, err = score(path, code=3)
    for line in range(1, 21):
        assert f"{path}:{line}: not JSON" in err
    assert f"{path}:21-5000: not JSON" in err
    assert len(err.splitlines()) == 22
    assert "nothing could be scored" in err


def test_a_session_and_a_line_that_are_there_twice_are_told(score: Score, log: Log) -> None:
    head = {"v": 1, "type": "session", "session": "s", "candidate": "a1", "items": ["shards"]}
    line = {"v": 1, "type": "response", "session": "s"} | GOOD[1] | {"at": "2026-11-21T10:00:00Z"}
    path = log(head, line, head, line)
    _, out, err = score(path, "--format", "json")
    assert f"{path}:3: session begins again; it began at line 1" in err
    assert f"{path}:4: the same line as line 2; counted once" in err
    assert json.loads(out)["counts"]["counted"] == 1


def test_what_a_candidate_disputes_and_turns_of_a_case_are_no_damage(score: Score, log: Log) -> None:
    """Neither counts as a response, and no point moves."""
    claim = {"v": 1, "type": "dispute", "session": "s", "item": "node", "criterion": "bandwidth", "claim": "full"}
    turn = {"v": 1, "type": "turn", "session": "s", "asked": ["batch"], "values": {"tp": 8}, "went": "tp-wide"}
    plain = objects(score(log(*GOOD), "--format", "jsonl")[1])
    code, out, err = score(log(*GOOD, claim, turn), "--format", "jsonl")
    assert (code, objects(out), err) == (0, plain, "")
