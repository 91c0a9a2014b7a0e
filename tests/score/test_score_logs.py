"""`quizgen score`, who answered, which response counts, what it earns, which bank and which files; and damaged logs:
every bad line named, every good one scored."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import random
from pathlib import Path

import pytest
from scored_logs import GOOD, Log, Score, objects, totals


def test_which_attempt_counts(score: Score, log: Log) -> None:
    node = {"candidate": "c", "item": "node"}
    said = ("nvlink is faster", "they communicate in every layer", "no idea")
    path = log(*(node | {"response": text} for text in said))
    rules = ("first", "last", "best", "all")
    found = {rule: totals(score(path, "--format", "json", "--attempt", rule)[1])["c"] for rule in rules}
    assert found == {"first": (1, 3), "last": (0, 3), "best": (2, 3), "all": (3, 9)}


def test_the_last_response_is_by_time_where_lines_have_times(score: Score, log: Log) -> None:
    line = {"candidate": "c", "item": "shards"}
    late = line | {"response": "The optimizer states", "at": "2026-11-21T10:05:00+01:00"}
    early = line | {"response": "The gradients", "at": "2026-11-21T09:00:00Z"}
    for order in ((early, late), (late, early)):  # 10:05+01:00 is 09:05Z, the later one
        assert totals(score(log(*order), "--format", "json")[1])["c"] == (1, 1)


def test_values_are_read_as_people_mean_them(score: Score, log: Log) -> None:
    """A number is its text, null is nothing, and a list holds the options that were taken."""
    said = ({"item": "state", "given": {"N": 13e9, "K": 32}, "response": 31.7}, {"response": ["The optimizer states"]})
    lines = [{"candidate": 17, "item": "shards", "seconds": 0, **one} for one in (*said, {"response": None})]
    found = objects(score(log(*lines), "--format", "jsonl")[1])
    assert [(x["candidate"], x["outcome"]) for x in found] == [("17", "correct"), ("17", "correct"), ("17", "blank")]


def test_a_session_names_the_candidate_of_its_lines(score: Score, log: Log) -> None:
    """A line without either is a candidate of its own."""
    line = {"item": "shards", "response": "The optimizer states"}
    _, out, _ = score(log(line, line, line | {"session": "s"}, line | {"session": "s"}), "--format", "json")
    assert len(json.loads(out)["candidates"]) == 3
    head = {"v": 1, "type": "session", "session": "s", "candidate": "ada", "items": ["shards", "node"]}
    line = {"v": 1, "type": "response", "session": "s", "item": "shards", "response": "The optimizer states"}
    _, out, _ = score(log(line, head, GOOD[0] | {"candidate": "ada"}), "--format", "json")
    (person,) = json.loads(out)["candidates"]
    assert person["candidate"] == "ada"
    assert person["not_reached"] == ["node"]
    assert (person["earned"], person["possible"]) == (2, 5)  # what was not reached earns nothing of its 3 points


def test_nothing_to_score_says_why(score: Score, log: Log) -> None:
    err = score(log(*GOOD), "--candidate", "nobody", code=3)[2]
    assert f"the filters leave all {len(GOOD)} responses out; check --candidate" in err
    assert "empty.jsonl is empty; name a log with responses" in score(log(name="empty.jsonl"), bank=None, code=3)[2]


def test_filters_choose_by_candidate_topic_and_time(score: Score, log: Log) -> None:
    path = log(GOOD[0] | {"at": "2026-11-20T10:00:00Z"}, GOOD[1] | {"at": "2026-11-21T10:00:00Z"}, GOOD[4], GOOD[3])

    def count(*options: str) -> int:
        return len(objects(score(path, "--format", "jsonl", *options)[1]))

    assert count("--candidate", "a1") == 2
    assert count("--topic", "memory") == 2
    assert count("--since", "2026-11-21") == 1
    assert 'the bank has no topic "zreo"; did you mean "zero"?' in score(path, "--topic", "zreo", code=2)[2]


def test_the_bank_is_the_sessions_unless_it_is_given(score: Score, log: Log, bank: Path) -> None:
    head = {"v": 1, "type": "session", "session": "s", "candidate": "a1", "bank": str(bank)}
    assert "1 of 1" in score(log("torn {", head, GOOD[1]), bank=None)[1]
    assert "1 of 1" in score(log("\ufeff" + json.dumps(head), GOOD[1]), bank=None)[1]
    assert "names no bank; give --bank" in score(log(GOOD[1]), bank=None, code=3)[2]


def test_standard_input_is_told_by_its_name(score: Score, bank: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`- names no bank` reads as if nothing had been given."""
    line = json.dumps(GOOD[1]).encode() + b"\n"
    for arguments in ((), ("-",)):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(line)))
        assert "quizgen: standard input names no bank; give --bank" in score(*arguments, bank=None, code=3)[2]


def test_a_changed_bank_is_told(score: Score, log: Log, bank: Path) -> None:
    """Another bank is no change of the bank: its name and the way to score by it are shown."""
    head = {"v": 1, "type": "session", "session": "s", "candidate": "a1", "digest": "sha256:0"}
    assert "has changed since the session" in score(log(head, GOOD[1]))[2]
    err = score(log(head | {"bank": "git"}, head | {"session": "t", "bank": "other"}, GOOD[1]))[2]
    assert f"there are sessions on git, other, all scored with {bank} here; score each with its own --bank" in err
    assert "has changed" not in err


def test_exit_codes(score: Score, log: Log, tmp_path: Path) -> None:
    path = log(*GOOD)  # a1 4 of 5, b2 0 of 2: mean 40 %
    score(path, "--fail-under", "40", code=0)
    assert "below" in score(path, "--fail-under", "41%", code=1)[2]
    score(path, "--fail-under", "41%", "--format", "jsonl", code=1)
    score(tmp_path / "none.jsonl", code=3)
    score(" ", code=3)
    (tmp_path / "empty").mkdir()
    assert "files of answers are answers" in score(tmp_path / "empty", code=3)[2]
    score(path, "--fail-under", "high", code=2)
    score(path, "--attempt", "second", code=2)
    score(log("x"), code=3)
    score(path, bank=tmp_path / "no bank", code=3)


def test_files_folders_and_archives_are_one_log(score: Score, log: Log, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "a.jsonl").write_text(json.dumps(GOOD[0]) + "\n" + "broken\n")
    (folder / "b.jsonl.gz").write_bytes(gzip.compress("".join(json.dumps(x) + "\n" for x in GOOD[1:]).encode()))
    _, out, err = score(folder, "--format", "jsonl")
    found = [(Path(x["file"]).name, x["line"]) for x in objects(out)]
    assert found == [("a.jsonl", 1), *(("b.jsonl.gz", n) for n in (1, 2, 3, 4))]
    assert f"{folder / 'a.jsonl'}:2: not JSON" in err


def packed_by(kind: str, data: bytes) -> bytes:
    if kind == "zstd":
        zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed")
        return bytes(zstandard.ZstdCompressor().compress(data))
    # A gzip of two parts behind each other, as `cat a.gz b.gz` makes it.
    return gzip.compress(data[:999]) + gzip.compress(data[999:]) if kind == "gzip" else lzma.compress(data)


@pytest.mark.parametrize("kind", ["gzip", "xz", "zstd"])
def test_archives_are_read_as_logs(score: Score, log: Log, tmp_path: Path, kind: str) -> None:
    """By their first bytes, whatever their name; where one is torn, what came before is scored and the rest told."""
    plain = log(*[line | {"candidate": f"c{n}"} for n in range(3_000) for line in GOOD[1:2]])
    whole = tmp_path / "packed.log"
    whole.write_bytes(packed_by(kind, plain.read_bytes()))
    assert score(whole, "--format", "jsonl")[1] == score(plain, "--format", "jsonl")[1]
    torn = tmp_path / "torn.log"
    torn.write_bytes(whole.read_bytes()[:-40])
    _, out, err = score(torn, "--format", "jsonl", code=None)
    assert len(objects(out)) < 3_000
    assert "damaged from here on" in err or "cut off after" in err  # zstd: by the line that it ends in


TABLE = "candidate;item;response;seconds;seed\n ada;shards ;The optimizer states;4.5;s\n'=Bo;node;they communicate; 3;s\n;;;;\n"


def test_a_long_table_of_responses_is_a_log(score: Score, tmp_path: Path) -> None:
    """One row per response, with its number in what is told; what our CSV guarded comes back."""
    path = tmp_path / "all.csv"
    path.write_bytes((TABLE + "Zoë;nothing;x;;\n").encode("cp1252"))
    (log := tmp_path / "answers-2.jsonl").write_text('{"item": "shards", "response": "The parameters"}\n')
    _, out, err = score(path, log, path, "--format", "jsonl", "--encoding", "cp1252")  # named twice, read once
    found = [(x["line"], x["candidate"], x["outcome"]) for x in objects(out)]
    assert found == [(2, "ada", "correct"), (3, "=Bo", "incorrect"), (1, None, "incorrect")]
    assert f'{path}:5: no item "nothing" in the bank' in err
    (packed := tmp_path / "all.csv.gz").write_bytes(gzip.compress(TABLE.encode()))
    assert "a table; save it unpacked" in score(packed, code=3)[2]
    path.write_bytes(b'item,response\nshards,"The parameters"\nshards,"The param\n\nn')  # as a crash leaves it
    _, out, err = score(path, "--format", "jsonl")
    assert (len(objects(out)), err.count(f"{path}:3: the file ends inside a quoted cell")) == (1, 1)
    path.write_text('item,response,seconds,at\nshards,The parameters,"4,5",2026-11-21\n', encoding="utf-8")
    score(path, "--since", "2026-11-20")  # by its time, whatever its seconds
    path.write_text("item,response,response\n", encoding="utf-8")
    assert 'the column "response" appears twice' in score(path, code=3)[2]


def test_parquet_is_read_where_duckdb_is(score: Score, log: Log, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    path = tmp_path / "all.parquet"
    with duckdb.connect() as database:
        names = ("candidate", "item", "response")
        values = ", ".join(str(tuple(line[name] for name in names)) for line in (GOOD[1], GOOD[2], GOOD[4]))
        query = f"SELECT *, 3 AS row FROM (VALUES {values}) AS t(candidate, item, response)"
        database.execute(f"COPY ({query}) TO '{path}' (FORMAT parquet)")
    plain = log(*({k: x[k] for k in ("candidate", "item", "response")} for x in (GOOD[1], GOOD[2], GOOD[4])))
    assert score(path, "--format", "jsonl")[1] == score(plain, "--format", "jsonl")[1]
    path.write_bytes(b"PAR1 no")
    assert "not a readable Parquet file" in score(path, code=3)[2]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_told_as_such(score: Score, tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes((json.dumps(GOOD[1]) + "\n").encode(encoding))
    command = score(path, code=3)[2].partition(":1: not UTF-8 but UTF-16; save the log as UTF-8, or give ")[2]
    assert '"correct"' in score(path, "--format", "jsonl", *command.split()[:2])[1]


def test_what_lies_in_a_folder_and_is_not_read_is_named(score: Score, log: Log, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    log(*GOOD, name="logs/a.JSONL")
    for name in ("b.txt", "c.csv", "report.html", ".hidden", "notes.md"):
        (folder / name).write_text("x")
    err = score(folder)[2]
    told = f"not read, because these files do not look like logs: {folder}/b.txt, {folder}/c.csv; name one to read it"
    assert told in err
    # Hints cost what the debrief says.
    _, out, _ = score(log(*(GOOD[1] | {"candidate": f"h{n}", "hints": n} for n in range(4))), "--format", "jsonl")
    assert [x["earned"] for x in objects(out)] == [1, 0.9, 0.7, 0.4]
    assert objects(out)[1]["adjustments"][0]["id"] == "hints"


DAMAGED: list[tuple[str, str]] = [
    ('{"item": "shards", "response": "The grad', "cut off"),
    ('{"item": "shards", "response": "x",}', "not JSON"),
    ('{"item": "shards", "response": "x"},', "a comma after the object; delete it"),
    ("\0\0\0\0\0\0", "NUL"),
    ('{"item": "sha\0rds", "response": "x"}', "control character at column"),
    ('{"item": "shards", "response": "\udcff\udcfe"}', "not UTF-8: byte 0xff at column 33"),
    ('{"item": "shards", "response": "' + "y" * 10_000_000 + '"}', "longer than 256 KiB"),
    ('{"item": "shards", "x": ' + "[" * 50_000 + "]" * 50_000 + "}", "nested deeper"),
    ('{"item": "shards", "response": NaN}', "NaN"),
    ('{"item": "shards", "response": 1e999}', "without bound"),
    ('{"item": "shards", "response": "x", "seconds": 1' + "0" * 350 + "}", "digits"),
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
        assert len(objects(out)) == (5 if end == len(whole) else 4)
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
    _, out, err = score(log(*[GOOD[1] | extra for extra in wrong]), "--format", "jsonl")
    assert len(objects(out)) == 6
    named = [line.split(": ")[0].removeprefix(str(tmp_path)) for line in err.splitlines() if "was ignored and" in line]
    assert named == [f"/log.jsonl:{n}" for n in range(1, 7)]
    score(log(GOOD[1] | {"response": "x" * 140_000}), "--format", "csv", "-o", tmp_path / "long.xlsx")


def test_a_file_of_something_else_is_one_message(score: Score, tmp_path: Path) -> None:
    path = tmp_path / "noise.log"
    path.write_text("nothing to see\n" * 5_000)
    _, _, err = score(path, code=3)
    assert all(f"{path}:{lines}: not JSON" in err for lines in (*range(1, 21), "21-5000"))
    assert (len(err.splitlines()), "nothing could be scored" in err) == (22, True)


def test_a_session_and_a_line_that_are_there_twice_are_told(score: Score, log: Log) -> None:
    head = {"v": 1, "type": "session", "session": "s", "candidate": "a1", "items": ["shards"]}
    line = {"v": 1, "type": "response", "session": "s"} | GOOD[1] | {"at": "2026-11-21T10:00:00Z"}
    path = log(head, line, head, line)
    _, out, err = score(path, "--format", "json")
    assert f"{path}:3: session begins again; it began at line 1" in err
    assert f"{path}:4: the same line as line 2; counted once" in err
    assert json.loads(out)["counts"]["counted"] == 1
    # What a candidate disputes and turns of a case are no damage: neither counts as a response, and no point moves.
    claim = {"v": 1, "type": "dispute", "session": "s", "item": "node", "criterion": "bandwidth", "claim": "full"}
    turn = {"v": 1, "type": "turn", "session": "s", "asked": ["batch"], "values": {"tp": 8}, "went": "tp-wide"}
    plain = objects(score(log(*GOOD), "--format", "jsonl")[1])
    code, out, err = score(log(*GOOD, claim, turn), "--format", "jsonl")
    assert (code, objects(out), err) == (0, plain, "")
    report = json.loads(score(log(*GOOD, claim | {"claim": "no"}, claim), "--format", "json")[1])
    (node,) = (item for item in report["items"] if item["item"] == "node")
    assert [row["disputed"] for row in node["criteria"]] == [1, 0]  # the later one of two in the same second
