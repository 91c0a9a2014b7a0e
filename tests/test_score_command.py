"""`quizgen score` as a person calls it: every kind of log, every format, every exit code."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from quizgen import bank as banks
from quizgen.cli import run

ITEMS = """
topic: zero
items:
  - id: shards
    kind: choice
    stem: What does ZeRO stage 1 slice?
    key: The optimizer states
    distractors:
      - The parameters
      - text: The gradients
        because: Gradients are sliced from stage 2 on.
  - id: state
    topic: memory
    kind: numeric
    stem: How much on each of {K} GPUs, with {N} parameters?
    draw: {N: [7e9 param, 13e9 param], K: [8, 32]}
    formula:
      inputs:
        N: {is: number of parameters, unit: param}
        K: {is: ranks, unit: 1, min: 1}
      steps:
        replicated: 2 B/param * N
        state: replicated + 14 B/param * N / K
      unit: B
      misconceptions:
        - id: gradients-replicated
          value: 4 B/param * N + 12 B/param * N / K
          say: That is ZeRO-1.
    answer: {unit: GB, tolerance: 1%}
  - id: node
    kind: text
    stem: Why inside one node?
    rubric:
      criteria:
        - {id: every-layer, points: 2, say: It communicates in every layer., accept: ["communicat* {every layer|each layer}"]}
        - {id: bandwidth, points: 1, say: NVLink is faster., accept: ["nvlink faster|bandwidth"]}
"""

GOOD = [
    {"candidate": "a1", "item": "state", "given": {"N": 13e9, "K": 32}, "response": "31.7 GB"},
    {"candidate": "a1", "item": "shards", "response": "The optimizer states"},
    {"candidate": "a1", "item": "node", "response": "They communicate in every layer."},
    {"candidate": "b2", "item": "state", "given": {"N": "13e9 param", "K": "32"}, "response": "56.9 GB"},
    {"candidate": "b2", "item": "shards", "response": "The gradients"},
]


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    path = tmp_path / "parallel.yaml"
    path.write_text(ITEMS)
    return path


@pytest.fixture
def log(tmp_path: Path) -> Callable[..., Path]:
    def write(*lines: object, name: str = "log.jsonl") -> Path:
        path = tmp_path / name
        text = "".join((x if isinstance(x, str) else json.dumps(x)) + "\n" for x in lines)
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
        return path

    return write


@pytest.fixture
def score(capsys: pytest.CaptureFixture[str], bank: Path) -> Callable[..., tuple[int, str, str]]:
    def call(*arguments: object, code: int | None = 0, bank: Path | None = bank) -> tuple[int, str, str]:
        extra = ["--bank", str(bank)] if bank is not None else []
        done = run(["score", *map(str, arguments), *extra])
        out, err = capsys.readouterr()
        assert code is None or done == code, err
        assert "Traceback" not in err
        return done, out, err

    return call


Score = Callable[..., tuple[int, str, str]]
Log = Callable[..., Path]


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


# -- lines --------------------------------------------------------------------------------------


def test_jsonl_is_the_contracts_object(score: Score, log: Log) -> None:
    _, out, err = score(log(*GOOD), "--format", "jsonl")
    lines = objects(out)
    assert not err
    fields = ["line", "candidate", "item", "outcome", "earned", "possible", "read_as", "diagnosis", "criteria", "say"]
    assert [list(line) for line in lines] == [fields] * 5
    assert [(x["line"], x["candidate"], x["item"], x["outcome"], x["earned"], x["possible"]) for x in lines] == [
        (1, "a1", "state", "correct", 1, 1),
        (2, "a1", "shards", "correct", 1, 1),
        (3, "a1", "node", "partial", 2, 3),
        (4, "b2", "state", "incorrect", 0, 1),
        (5, "b2", "shards", "incorrect", 0, 1),
    ]
    assert lines[3]["diagnosis"] == "gradients-replicated"
    assert lines[4]["say"] == ["Gradients are sliced from stage 2 on."]
    assert [(c["id"], c["status"], c["earned"], c["possible"]) for c in lines[2]["criteria"]] == [
        ("every-layer", "found", 2, 2),
        ("bandwidth", "missing", 0, 1),
    ]
    for start, end in lines[2]["criteria"][0]["evidence"]:
        assert GOOD[2]["response"][start:end].strip(".").split()[0] in ("communicate", "every", "in")


def test_points_have_six_decimals_at_most(score: Score, log: Log) -> None:
    line = GOOD[2] | {"points": 1}
    _, out, _ = score(log(line), "--format", "jsonl")
    assert '"earned": 0.666667,' in out
    assert '"possible": 1,' in out


def test_a_letter_counts_only_where_the_seed_fixes_the_order(score: Score, log: Log, bank: Path) -> None:
    loaded = banks.load(str(bank)).bank
    assert loaded is not None
    from quizgen.draw import Stream

    order = loaded.items["shards"].draw(Stream("shards", "s9")).order()
    letter = "ABC"[order.index("The optimizer states")]
    line = {"candidate": "c", "item": "shards", "response": letter}
    _, out, _ = score(log(line | {"seed": "s9"}, line), "--format", "jsonl")
    assert [x["outcome"] for x in objects(out)] == ["correct", "unreadable"]


def test_given_wins_over_the_seed(score: Score, log: Log) -> None:
    lines = [GOOD[0] | {"seed": f"seed {n}"} for n in range(6)]
    _, out, _ = score(log(*lines), "--format", "jsonl")
    assert {x["outcome"] for x in objects(out)} == {"correct"}


def test_a_seed_alone_draws_the_variant(score: Score, log: Log, bank: Path) -> None:
    loaded = banks.load(str(bank)).bank
    assert loaded is not None
    from quizgen.draw import Stream

    drawn = loaded.items["state"].draw(Stream("state", "q")).drawn()
    n, k = float(drawn["N"].split()[0]), float(drawn["K"].split()[0])
    answer = (2 * n + 14 * n / k) / 1e9
    _, out, _ = score(log({"item": "state", "seed": "q", "response": f"{answer:.3f} GB"}), "--format", "jsonl")
    assert objects(out)[0]["outcome"] == "correct"


def test_hints_cost_what_the_debrief_says(score: Score, log: Log) -> None:
    _, out, _ = score(log(*(GOOD[1] | {"candidate": f"h{n}", "hints": n} for n in range(4))), "--format", "jsonl")
    assert [x["earned"] for x in objects(out)] == [1, 0.9, 0.7, 0.4]
    assert objects(out)[1]["adjustments"][0]["id"] == "hints"


# -- damage -------------------------------------------------------------------------------------

DAMAGED: list[tuple[str, str]] = [
    ('{"item": "shards", "response": "The grad', "cut off"),
    ('{"item": "shards", "response": "x",}', "not JSON"),
    ("\0\0\0\0\0\0", "NUL"),
    ('{"item": "sha\0rds", "response": "x"}', "control character"),
    ('{"item": "shards", "response": "\udcff\udcfe"}', "not UTF-8"),
    ('{"item": "shards", "response": "' + "y" * 10_000_000 + '"}', "longer than 256 KiB"),
    ('{"item": "shards", "x": ' + "[" * 50_000 + "]" * 50_000 + "}", "nested deeper"),
    ('{"item": "shards", "x": ' + '{"a":' * 5_000 + "1" + "}" * 5_000 + "}", "nested deeper"),
    ('{"item": "shards", "response": NaN}', "NaN"),
    ('{"item": "shards", "response": Infinity}', "Infinity"),
    ('{"item": "shards", "response": 1e999}', "without bound"),
    ('{"item": "shards", "response": "x", "seconds": 1' + "0" * 5_000 + "}", "digits"),
    ('{"item": "shards", "item": "node", "response": "x"}', "twice"),
    ('{"item": 5, "response": "x"}', "item must be text"),
    ('{"item": null, "response": "x"}', "item is missing"),
    ('{"item": ["shards"], "response": "x"}', "item must be text"),
    ('{"item": "shards"}', "response is missing"),
    ('{"item": "shards", "response": {"a": 1}}', "response must be text"),
    ('{"item": "shards", "response": [["a"]]}', "response must be text"),
    ('{"item": "shards", "response": "x", "candidate": ["a"]}', "candidate must be text"),
    ('{"item": "shards", "response": "x", "candidate": "' + "z" * 5_000 + '"}', "candidate is longer"),
    ('{"item": "shards", "response": "x", "seed": {}}', "seed must be text"),
    ('{"item": "state", "response": "x", "given": "N=1"}', "given must be an object"),
    ('{"item": "state", "response": "x", "given": {"N": [1], "K": 8}}', "given N must be"),
    ('{"item": "state", "response": "x"}', "given lacks"),
    ('{"item": "state", "response": "x", "given": {"N": "cheese", "K": 8}}', "state:"),
    ('{"item": "shards", "response": "x", "points": -1}', "points must be"),
    ('{"item": "shards", "response": "x", "hints": "two"}', "hints must be"),
    ('{"v": 2, "type": "response", "item": "shards", "response": "x"}', "newer version"),
    ('{"v": "one", "item": "shards", "response": "x"}', '"v" must be 1'),
    ('{"type": "heartbeat", "at": "now"}', 'type "heartbeat"'),
    ('{"v": 1, "type": "session"}', "without a session"),
    ("[1, 2, 3]", "not an object"),
    ("17", "not an object"),
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


@pytest.mark.parametrize("part", [0, 1, 2])
def test_a_last_line_cut_at_any_byte_costs_that_line_alone(part: int, score: Score, tmp_path: Path) -> None:
    whole = "\n".join(json.dumps(line) for line in GOOD).encode()
    last = len(whole) - len(json.dumps(GOOD[4]))
    path = tmp_path / "cut.jsonl"
    for end in range(last + part, len(whole) + 1, 3):
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
    for _ in range(150):
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
    lines = [
        GOOD[1] | extra for extra in ({"seconds": "fast"}, {"at": "yesterday"}, {"at": "2026-13-77"}, {"seconds": -4})
    ]
    _, out, err = score(log(*lines), "--format", "jsonl")
    assert len(objects(out)) == 4
    named = [line.split(": ")[0].removeprefix(str(tmp_path)) for line in err.splitlines() if "was ignored and" in line]
    assert named == [f"/log.jsonl:{n}" for n in (1, 2, 3, 4)]


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


# -- who and which ------------------------------------------------------------------------------


def totals(out: str) -> dict[str | None, tuple[float, float]]:
    return {c["candidate"]: (c["earned"], c["possible"]) for c in json.loads(out)["candidates"]}


def test_which_attempt_counts(score: Score, log: Log) -> None:
    node = {"candidate": "c", "item": "node"}
    path = log(
        node | {"response": "nvlink is faster"},
        node | {"response": "they communicate in every layer"},
        node | {"response": "no idea"},
    )
    found = {
        a: totals(score(path, "--format", "json", "--attempt", a)[1])["c"] for a in ("first", "last", "best", "all")
    }
    assert found == {"first": (1, 3), "last": (0, 3), "best": (2, 3), "all": (3, 9)}


def test_the_last_response_is_by_time_where_lines_have_times(score: Score, log: Log) -> None:
    line = {"candidate": "c", "item": "shards"}
    late = line | {"response": "The optimizer states", "at": "2026-11-21T10:05:00+01:00"}
    early = line | {"response": "The gradients", "at": "2026-11-21T09:00:00Z"}
    for order in ((early, late), (late, early)):  # 10:05+01:00 is 09:05Z, the later one
        assert totals(score(log(*order), "--format", "json")[1])["c"] == (1, 1)
    untimed = line | {"response": "The parameters"}
    assert totals(score(log(late, early, untimed), "--format", "json")[1])["c"] == (0, 1)


def test_a_line_without_a_name_is_a_candidate_of_its_own(score: Score, log: Log) -> None:
    line = {"item": "shards", "response": "The optimizer states"}
    _, out, _ = score(log(line, line, line | {"session": "s"}, line | {"session": "s"}), "--format", "json")
    assert len(json.loads(out)["candidates"]) == 3


def test_a_session_names_the_candidate_of_its_lines(score: Score, log: Log) -> None:
    head = {"v": 1, "type": "session", "session": "s", "candidate": "ada", "items": ["shards", "node"]}
    line = {"v": 1, "type": "response", "session": "s", "item": "shards", "response": "The optimizer states"}
    _, out, _ = score(
        log(line, head, {"candidate": "ada", "item": "state"} | GOOD[0] | {"candidate": "ada"}), "--format", "json"
    )
    (person,) = json.loads(out)["candidates"]
    assert person["candidate"] == "ada"
    assert person["not_reached"] == ["node"]
    assert (person["earned"], person["possible"]) == (2, 5)  # what was not reached earns nothing of its 3 points


def test_nothing_to_score_says_why(score: Score, log: Log) -> None:
    err = score(log(*GOOD), "--candidate", "nobody", code=3)[2]
    assert f"the filters leave all {len(GOOD)} responses out; check --candidate" in err
    err = score(log(name="empty.jsonl"), bank=None, code=3)[2]
    assert "empty.jsonl is empty; name a log that holds responses" in err


def test_filters_choose_by_candidate_topic_and_time(score: Score, log: Log) -> None:
    path = log(GOOD[0] | {"at": "2026-11-20T10:00:00Z"}, GOOD[1] | {"at": "2026-11-21T10:00:00Z"}, GOOD[4], GOOD[3])
    count = lambda *a: len(objects(score(path, "--format", "jsonl", *a)[1]))  # noqa: E731  # a word for four lines
    assert count("--candidate", "a1") == 2
    assert count("--topic", "memory") == 2
    assert count("--since", "2026-11-21") == 1
    assert score(path, "--topic", "zreo", code=2)[2].count("did you mean")


def test_the_bank_is_the_sessions_unless_it_is_given(score: Score, log: Log, bank: Path) -> None:
    head = {"v": 1, "type": "session", "session": "s", "candidate": "a1", "bank": str(bank)}
    path = log("torn {", head, GOOD[1])
    assert "1 of 1" in score(path, bank=None)[1]
    assert "names no bank; give --bank" in score(log(GOOD[1]), bank=None, code=3)[2]


def test_a_changed_bank_is_told(score: Score, log: Log) -> None:
    head = {"v": 1, "type": "session", "session": "s", "candidate": "a1", "digest": "sha256:0"}
    assert "has changed since the session" in score(log(head, GOOD[1]))[2]


def test_exit_codes(score: Score, log: Log, tmp_path: Path) -> None:
    path = log(*GOOD)  # a1 4 of 5, b2 0 of 2: mean 40 %
    score(path, "--fail-under", "40", code=0)
    assert "below" in score(path, "--fail-under", "41%", code=1)[2]
    score(path, "--fail-under", "41%", "--format", "jsonl", code=1)
    score(tmp_path / "none.jsonl", code=3)
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
    lines = objects(out)
    assert [(Path(x["file"]).name, x["line"]) for x in lines] == [
        ("a.jsonl", 1),
        *(("b.jsonl.gz", n) for n in (1, 2, 3, 4)),
    ]
    assert f"{folder / 'a.jsonl'}:2: not JSON" in err


# -- reports ------------------------------------------------------------------------------------

HOSTILE = [
    '=cmd|"/C calc"!A0',
    "+1",
    "-1",
    "@x",
    "\t=1",
    "\r=1",
    "|x",
    "%x",
    " =1",
    "'=1",
    "＝1",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "\x1b[2J",
    "\u202eabc",
    "a\0b",
]


def test_csv_cells_are_data(score: Score, log: Log) -> None:
    """No cell begins like a formula, and one apostrophe gives back what was meant."""
    path = log(*({"candidate": name, "item": "node", "response": name} for name in HOSTILE))
    _, out, _ = score(path, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out, newline="")))
    assert len(rows) == len(HOSTILE)
    for row in rows:
        for name in ("candidate", "response"):
            assert row[name].lstrip(" \u00a0")[:1] not in tuple("=+-@|%\t\r＝")
    assert {row["candidate"].removeprefix("'") for row in rows} == {h.replace("\0", "\ufffd") for h in HOSTILE}
    assert {row["earned"] for row in rows} == {"0"}


def test_the_page_holds_nothing_active(score: Score, log: Log, tmp_path: Path) -> None:
    path = log(*({"candidate": name, "item": "node", "response": name} for name in HOSTILE), *GOOD)
    out = tmp_path / "report.html"
    score(path, "--format", "html", "-o", out)
    page = out.read_text(encoding="utf-8")
    assert "<script" not in page
    assert "<img" not in page
    assert "\x1b" not in page
    assert "default-src &#39;none&#39;" in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<mark>communicate</mark>" in page or "<mark>communicate" in page
    assert page.count('<article class="candidate"') == len(HOSTILE) + 2


def test_no_control_byte_reaches_the_terminal(score: Score, log: Log) -> None:
    path = log(
        *({"candidate": name, "item": "node", "response": name} for name in HOSTILE),
        {"item": "\x1b[31m", "response": "x"},
    )
    _, out, err = score(path)
    assert not {c for c in out + err if ord(c) < 32 and c not in "\n\t"}
    assert "\u202e" not in out + err


def test_the_json_report_is_whole(score: Score, log: Log) -> None:
    _, out, _ = score(log(*GOOD), "--json")
    report = json.loads(out)
    assert report["counts"] | {"responses": 5, "counted": 5, "candidates": 2} == report["counts"]
    items = {i["item"]: i for i in report["items"]}
    assert items["shards"]["difficulty"]["value"] == 0.5
    assert items["shards"]["difficulty"]["n"] == 2
    assert "below 30" in items["shards"]["difficulty"]["note"]
    assert items["shards"]["guessing"] == pytest.approx(1 / 3)
    assert items["state"]["misconceptions"] == [{"id": "gradients-replicated", "n": 1}]
    assert {"name": "K", "drawn": "32"}.items() <= items["state"]["drawn"][0].items()
    options = {o["text"]: (o["key"], o["taken"]) for o in items["shards"]["options"]}
    assert options == {"The optimizer states": (True, 1), "The gradients": (False, 1), "The parameters": (False, 0)}
    assert set(report["definitions"]) >= {"difficulty", "item_rest_correlation", "upper_lower", "alpha", "sem"}


def test_matrix_and_statements(score: Score, log: Log) -> None:
    path = log(*GOOD)
    rows = list(csv.reader(io.StringIO(score(path, "--format", "matrix")[1])))
    assert rows == [["candidate", "node", "shards", "state"], ["a1", "0.666667", "1", "1"], ["b2", "", "0", "0"]]
    made = objects(score(path, "--format", "xapi")[1])
    assert len(made) == 5
    assert len({s["id"] for s in made}) == 5
    text = json.dumps(made)
    assert "correctResponsesPattern" not in text
    assert "mbox" not in text
    assert '"a1"' not in text
    assert {s["object"]["definition"]["interactionType"] for s in made} == {"choice", "numeric", "long-fill-in"}


# -- a person decides ---------------------------------------------------------------------------


def test_marks_override_with_a_reason(score: Score, log: Log, tmp_path: Path) -> None:
    path = log(*GOOD)
    marks = tmp_path / "marks.csv"
    marks.write_text(
        "candidate,item,criterion,earned,reason\n"
        "a1,node,bandwidth,1,said so aloud\n"
        "b2,shards,,0.5,half a point\n"
        "b2,state,,,\n"
        "b2,state,,lots,no number\n"
    )
    _, out, err = score(path, "--format", "json", "--marks", marks)
    assert totals(out) == {"a1": (5, 5), "b2": (0.5, 2)}
    assert f"{marks}:5: earned must be points" in err
    assert "a1, node, bandwidth: 1 points, said so aloud" in json.loads(out)["decisions"]
    _, out, _ = score(path, "--format", "jsonl", "--marks", marks)
    (node,) = (x for x in objects(out) if x["item"] == "node")
    assert (node["earned"], node["outcome"]) == (3, "correct")
    assert node["criteria"][1]["because"] == "set to 1 by hand: said so aloud"


def test_the_review_list_can_be_filled_in(score: Score, log: Log, tmp_path: Path) -> None:
    path = log(*GOOD, {"candidate": "c3", "item": "shards", "response": "=the last one, I think"})
    _, out, _ = score(path, "--review")
    rows = list(csv.DictReader(io.StringIO(out, newline="")))
    assert (rows[0]["candidate"], rows[0]["item"]) == ("c3", "shards")
    assert rows[0]["why"].startswith("unreadable")
    rows[0] |= {"earned": "1", "reason": "it was the last option"}
    filled = tmp_path / "filled.csv"
    with open(filled, "w", newline="") as file:
        sheet = csv.DictWriter(file, rows[0].keys())
        sheet.writeheader()
        sheet.writerows(rows)
    assert totals(score(path, "--format", "json", "--marks", filled)[1])["c3"] == (1, 1)


def test_forgetting_takes_one_candidates_lines_and_nothing_else(score: Score, log: Log, tmp_path: Path) -> None:
    head = {"v": 1, "type": "session", "session": "s", "candidate": "a1"}
    other = {"v": 1, "type": "session", "session": "t", "candidate": "b2"}
    end = {"v": 1, "type": "end", "session": "s", "reason": "finished"}
    kept = [
        '  {"candidate":   "b2", "item": "shards", "response": "x"}',
        json.dumps(other),
        "broken",
        'torn {"candidate": "a1',
    ]
    path = log(head, GOOD[0], kept[0], end, kept[1], kept[2], GOOD[2], kept[3])
    _, out, err = score("--forget", "a1", path)
    assert path.read_text() == "\n".join(kept) + "\n"
    assert "4 of 8 lines removed" in out
    assert ":8: cannot be read, and holds the name" in err
    packed = tmp_path / "p.jsonl.gz"
    packed.write_bytes(gzip.compress("".join(json.dumps(x) + "\n" for x in GOOD).encode()))
    score("--forget", "b2", packed)
    assert [x["candidate"] for x in objects(gzip.decompress(packed.read_bytes()).decode())] == ["a1"] * 3
    assert score("--forget", "nobody", path, code=1)[1].count("0 of 4")


def test_responses_near_a_cut_are_for_a_person(score: Score, log: Log, tmp_path: Path) -> None:
    """a1 has 4 of 5 points, one above a cut at 60 %: words found in part are listed; an option or number is not."""
    folder = tmp_path / "b"
    (folder / "blueprints").mkdir(parents=True)
    (folder / "items.yaml").write_text(ITEMS)
    (folder / "blueprints" / "final.yaml").write_text("title: Final\nsections: [{count: 3}]\npass: 60%\n")
    _, out, _ = score(log(*GOOD), "--review", "--blueprint", "final", bank=folder)
    rows = list(csv.DictReader(io.StringIO(out, newline="")))
    assert [(r["candidate"], r["item"], r["now"], r["why"]) for r in rows] == [
        ("a1", "node", "2", "near a cut: the candidate is 1 point above the 60% cut")
    ]
    text = score(log(*GOOD), "--blueprint", "final", bank=folder)[1]
    assert "Passed: the pass mark is 60%" in text
    many = [line | {"candidate": f"{line['candidate']}-{n}"} for n in range(3) for line in GOOD]
    assert "3 of 6 reach the pass mark of 60%" in score(log(*many), "--blueprint", "final", bank=folder)[1]


# -- rescoring ----------------------------------------------------------------------------------


def test_a_key_fix_gives_a_list_to_check_by_hand(score: Score, log: Log, bank: Path, tmp_path: Path) -> None:
    old = tmp_path / "old.yaml"
    old.write_text(
        ITEMS.replace("key: The optimizer states", "key: The gradients")
        .replace("text: The gradients", "text: The optimizer states")
        .replace("Gradients are", "They are")
    )
    path = log(*GOOD)
    before = score(path, "--format", "jsonl", bank=old)[1]
    _, out, _ = score(path, "--against", old, bank, bank=None)
    assert "a1: 3 of 5 (60.0%) -> 4 of 5 (80.0%), +1" in out
    assert "shards: incorrect 0 of 1 -> correct 1 of 1" in out
    assert "b2: 1 of 2 (50.0%) -> 0 of 2 (0.0%), -1" in out
    assert "2 of 2 candidates change: 1 gain, 1 lose" in out
    assert score(path, "--format", "jsonl", bank=old)[1] == before
    found = json.loads(score(path, "--against", old, bank, "--format", "json", bank=None)[1])
    assert [(c["candidate"], c["difference"]) for c in found["changes"]] == [("a1", 1), ("b2", -1)]
    rows = list(csv.DictReader(io.StringIO(score(path, "--against", old, bank, "--format", "csv", bank=None)[1])))
    assert [(r["candidate"], r["item"], r["before"], r["after"], r["line"]) for r in rows] == [
        ("a1", "shards", "0", "1", "2"),
        ("b2", "shards", "1", "0", "5"),
    ]


def test_dropping_an_item_and_accepting_a_response(score: Score, log: Log) -> None:
    path = log(*GOOD)
    _, out, _ = score(path, "--drop", "node")
    assert "a1: 4 of 5 (80.0%) -> 2 of 2 (100.0%), +20.0 percentage points" in out
    assert "1 of 2 candidates change" in out
    _, out, _ = score(path, "--accept", "shards=the  gradients")
    assert "b2: 0 of 2 (0.0%) -> 1 of 2 (50.0%), +1" in out
    assert '"the  gradients" was accepted by hand' in out or "accepted by hand" in out
    assert "did you mean" in score(path, "--drop", "nodes", code=2)[2]


def test_a_decision_is_applied_to_the_whole_report(score: Score, log: Log) -> None:
    path = log(*GOOD)
    _, out, _ = score(path, "--drop", "node", "--apply", "--format", "json")
    assert totals(out) == {"a1": (2, 2), "b2": (0, 2)}
    assert json.loads(out)["decisions"] == ["node was dropped"]
    _, out, _ = score(path, "--accept", "shards=The gradients", "--apply", "--format", "csv")
    assert [r["earned"] for r in csv.DictReader(io.StringIO(out)) if r["candidate"] == "b2"] == ["1", "0"]
    assert "--apply gives the whole report" in score(path, "--drop", "node", "--format", "html", code=2)[2]
    score(path, "--apply", code=2)


def test_parquet_holds_every_response(score: Score, log: Log, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed: pip install quizgen[duckdb]")
    out = tmp_path / "it's.parquet"
    score(log(*GOOD, GOOD[4] | {"candidate": "\ud800", "response": "=1"}), "--format", "parquet", "-o", out)
    place = str(out).replace("'", "''")
    rows = duckdb.sql(f"SELECT candidate, item, outcome, earned, possible, diagnosis FROM '{place}'").fetchall()
    assert sorted(rows[:5]) == [
        ("a1", "node", "partial", 2.0, 3.0, None),
        ("a1", "shards", "correct", 1.0, 1.0, None),
        ("a1", "state", "correct", 1.0, 1.0, None),
        ("b2", "shards", "incorrect", 0.0, 1.0, None),
        ("b2", "state", "incorrect", 0.0, 1.0, "gradients-replicated"),
    ]
    assert len(rows) == 6
    assert list(tmp_path.glob("*.new")) == []
    assert "needs -o FILE" in score(log(*GOOD), "--format", "parquet", code=2)[2]
    assert "cannot be written" in score(log(*GOOD), "--format", "parquet", "-o", tmp_path / "no" / "x", code=3)[2]


# -- exams --------------------------------------------------------------------------------------


def exam(tmp_path: Path, bank: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert run(["exam", str(bank), "-o", str(tmp_path / "exam"), "--forms", "2", "--seed", "s", "--items", "3"]) == 0
    capsys.readouterr()
    found: dict[str, Any] = json.loads((tmp_path / "exam" / "manifest.json").read_text())
    return found


def right(item: dict[str, Any]) -> str:
    return {"choice": item["key"].partition(":")[0], "numeric": item["key"], "text": "they communicate in every layer"}[
        item["kind"]
    ]


def test_answers_files_are_scored_through_the_manifest(
    score: Score, bank: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import hashlib

    manifest = exam(tmp_path, bank, capsys)
    form = manifest["forms"][1]
    responses = [{"item": i["ref"], "response": right(i), "seconds": 5.5, "at": None} for i in form["items"]]
    answers = {
        "v": 1,
        "type": "answers",
        "form": form["code"],
        "candidate": "S1",
        "name": "Ada",
        "responses": responses,
    }
    text = json.dumps(answers, sort_keys=True, separators=(",", ":"))
    answers["checksum"] = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    path = tmp_path / "answers-B-S1.json"
    path.write_text(json.dumps(answers, indent=1))
    where = tmp_path / "exam" / "manifest.json"
    _, out, err = score(path, "--manifest", where, "--format", "jsonl", bank=None)
    found = {x["item"]: (x["candidate"], x["outcome"], x["earned"]) for x in objects(out)}
    assert found == {"shards": ("S1", "correct", 1), "state": ("S1", "correct", 1), "node": ("S1", "partial", 2)}
    assert not err
    answers["responses"] = [*responses[:1], {"item": "ZZZZZZZZ", "response": "x"}]
    path.write_text(json.dumps(answers))
    _, out, err = score(path, "--manifest", where, "--format", "json", bank=None)
    assert "the checksum is wrong" in err
    assert 'no item "ZZZZZZZZ" on form' in err
    assert len(json.loads(out)["candidates"][0]["not_reached"]) == 2
    assert "needs its exam's manifest" in score(path, code=3)[2]
    beside = tmp_path / "exam" / path.name
    beside.write_bytes(path.read_bytes())
    found_beside = json.loads(score(tmp_path / "exam", "--format", "json", bank=None)[1])
    assert found_beside["candidates"] == json.loads(out)["candidates"]


def test_a_typed_in_sheet_is_scored_through_the_manifest(
    score: Score, bank: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = exam(tmp_path, bank, capsys)
    out = io.StringIO()
    sheet = csv.writer(out, delimiter=";")
    sheet.writerow(["Candidate", "Form", "1", "2", "3"])
    for form in manifest["forms"]:
        sheet.writerow([f"p{form['form']}", form["form"], *(right(i) for i in form["items"])])
    sheet.writerow(["pX", "Q", "A", "B", "C"])
    sheet.writerow(["blank", "A", "", "", ""])
    path = tmp_path / "marks.csv"
    path.write_text("\ufeff" + out.getvalue(), encoding="utf-8")
    where = tmp_path / "exam" / "manifest.json"
    _, text, err = score("--sheet", path, "--manifest", where, "--format", "json", bank=None)
    assert totals(text) == {"pA": (4, 5), "pB": (4, 5), "blank": (0, 5)}
    assert f'{path}:4: form "Q" is not in the manifest' in err
    assert "needs --manifest" in score("--sheet", path, code=2)[2]


# -- the scale does not show --------------------------------------------------------------------


def test_the_debrief_and_the_log_agree(
    tmp_path: Path, bank: Path, score: Score, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "s.jsonl"
    monkeypatch.setattr(
        "sys.stdin", io.TextIOWrapper(io.BytesIO(b"A\n12 GB\nthey communicate in every layer\n.\n" * 3))
    )
    assert run(["mock", str(bank), "--items", "3", "--seed", "x", "--log", str(log), "--plain"]) == 0
    debrief = capsys.readouterr().out
    report = json.loads(score(log, "--json", bank=None)[1])
    (person,) = report["candidates"]
    assert person["possible"] == 5
    assert f"{person['earned']:g} of {person['possible']:g} points" in debrief


def test_points_are_exact_in_sums(score: Score, log: Log) -> None:
    """Thirds of a point add up to whole points."""
    lines = [{"candidate": "c", "item": "node", "response": "they communicate in every layer", "points": 1}] * 3
    earned = totals(score(log(*lines), "--format", "json", "--attempt", "all")[1])["c"][0]
    assert Fraction(str(earned)) == 2
