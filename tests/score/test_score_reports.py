"""`quizgen score`, every format, safe for whatever opens it. Where `-o` writes: a file, what a link leads to, a pipe;
never in a folder's place."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import stat
import threading
from pathlib import Path

import pytest
from scored_logs import GOOD, ITEMS, Log, Score, objects, table
from shipped import BankOf, Command

from quizgen.scoring import scorer
from quizgen.spreadsheet import unescape_cell

HOSTILE = [
    '=cmd|"/C calc"!A0', "+1", "-1", "@x", "\t=1", "\r=1", "|x", "%x", " =1", "'=1", "a; =1", "x;'=1", "a\n=b", "＝1",
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "\x1b[2J", "\u202eabc", "a\0b",
]  # fmt: skip


def test_csv_cells_are_data(score: Score, log: Log) -> None:
    """No cell begins like a formula, wherever a spreadsheet cuts it, what was meant comes back, and no byte of it moves a
    terminal."""
    path = log(*({"candidate": name, "item": "node", "response": name} for name in HOSTILE))
    _, out, _ = score(path, "--format", "csv")
    rows = table(out)
    assert len(rows) == len(HOSTILE)
    for row in rows:
        for name in ("candidate", "response"):
            assert row[name][:1] not in tuple("\t\r")
            assert not [p for p in re.split("[;\t\r\n]", row[name]) if p.lstrip(" \u00a0")[:1] in tuple("=+-@|%＝")]
    meant = {h.replace("\0", "\ufffd").replace("\x1b", "\\u{1b}").replace("\u202e", "\\u{202e}") for h in HOSTILE}
    assert {unescape_cell(row["candidate"]) for row in rows} == meant
    assert "\x1b" not in out
    assert "\x1b" not in score(path, "--format", "matrix")[1] + score(path, "--review")[1]
    assert {row["earned"] for row in rows} == {"0"}


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "csv", "html", "matrix", "xapi", "review"])
def test_each_response_is_scored_once(score: Score, log: Log, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    """Whatever is written of a response is written where it was scored: no format scores it again."""
    given = [{"candidate": f"c{n}", "item": "node", "response": f"They communicate {n} times."} for n in range(5)]
    seen: list[object] = []
    first = scorer.score_response
    monkeypatch.setattr(scorer, "score_response", lambda *a: (seen.append(a[1]), first(*a))[1])
    _, out, _ = score(log(*given), *(["--review"] if form == "review" else ["--format", form]))
    assert sorted(map(str, seen)) == [line["response"] for line in given]
    assert out


def test_the_page_holds_nothing_active(score: Score, log: Log, tmp_path: Path) -> None:
    path = log(*({"candidate": name, "item": "node", "response": name} for name in HOSTILE), *GOOD)
    out = tmp_path / "report.html"
    score(path, "--format", "html", "-o", out)
    page = out.read_text(encoding="utf-8")
    assert page.count("<script") == 1, "ours, that sorts the table; the policy allows it by its hash"
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "\x1b" not in page
    assert "default-src &#39;none&#39;; script-src &#39;sha256-" in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<mark>communicate</mark>" in page or "<mark>communicate" in page
    assert page.count('<article class="candidate"') == len(HOSTILE) + 2


def test_code_is_set_as_code(score: Score, log: Log, bank_of: BankOf, tmp_path: Path) -> None:
    """What its author wrote is Markdown; what a candidate wrote is shown as it was written."""
    items = (
        "items:\n  - id: call\n    kind: choice\n    stem: What does `go()` do to $x^2$?\n    key: stop\n"
        "    distractors:\n      - {text: 'run `a`', because: 'That is `run`, _not_ this.'}\n"
        + ITEMS.partition("items:\n")[2]
    )
    plan = "sections: [{count: 3}]\nbands: [{from: 0%, name: Low, advice: 'Take `quick` **now**.'}]\n"
    folder = bank_of(items, **{"blueprints/final.yaml": plan}).required_bank.folder
    path = log(
        {"candidate": "a", "item": "call", "response": "run `a`"},
        {"candidate": "a", "item": "node", "response": "`code` <b> **strong**"},
        {"candidate": "b", "item": "call", "response": "`no` option"},
    )
    out = tmp_path / "report.html"
    score(path, "--format", "html", "--blueprint", "final", "-o", out, bank=folder)
    page = out.read_text(encoding="utf-8")
    assert "<p>Take <code>quick</code> <strong>now</strong>.</p>" in page
    assert '<p class="given">run <code>a</code></p>' in page
    assert '<p class="say">That is <code>run</code>, <em>not</em> this.</p>' in page
    assert '<p class="stem">What does <code>go()</code> do to <math' in page
    assert "`code` &lt;b&gt; **strong**" in page
    assert "`no` option" in page


def test_no_control_byte_reaches_the_terminal(score: Score, log: Log) -> None:
    lines = [{"candidate": name, "item": "node", "response": name} for name in HOSTILE]
    _, out, err = score(log(*lines, {"item": "\x1b[31m", "response": "x"}))
    assert not {c for c in out + err if ord(c) < 32 and c not in "\n\t"}
    assert "\u202e" not in out + err


def test_the_reason_why_a_text_is_unreadable_is_there_once(score: Score, log: Log) -> None:
    path = log({"candidate": "a", "item": "node", "response": "?"})
    assert [score(path, *how)[1].count("has no words") for how in ((), ("--format", "html"))] == [1, 1]


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


def test_one_persons_page_begins_with_the_person(score: Score, log: Log, tmp_path: Path) -> None:
    """Eight of ten right: the share with Lord's error, sqrt(0.8 * 0.2 / 9) = 13.3 %, before any figure of an item."""
    bank = tmp_path / "ten.yaml"
    item = "  - {id: i%d, kind: choice, stem: Which?, key: right, distractors: [wrong, other]}\n"
    bank.write_text("items:\n" + "".join(item % n for n in range(10)))
    lines = [{"candidate": "ada", "item": f"i{n}", "response": "right" if n < 8 else "wrong"} for n in range(10)]
    out = tmp_path / "one.html"
    score(log(*lines), "--format", "html", "-o", out, bank=bank)
    page = out.read_text(encoding="utf-8")
    assert "80.0% ± 13.3%" in page
    assert page.index('id="candidate-1"') < page.index('id="items"')
    assert "Percentile" not in page
    many = [line | {"candidate": c, "response": "right"} for c in ("bo", "cy") for line in lines]
    score(log(*lines, *many), "--format", "html", "-o", out, bank=bank)
    page = out.read_text(encoding="utf-8")
    cell = '<td class="number">[^<]*</td>'
    cells = re.findall(rf'<a href="#candidate-\d">(\w+)</a></th>{cell}{cell}<td class="number">(\d+)', page)
    assert cells == [("ada", "17"), ("bo", "67"), ("cy", "67")]  # half of oneself, half of those who are equal


def test_a_link_stays_a_link(score: Score, log: Log, tmp_path: Path) -> None:
    link = tmp_path / "link.csv"
    link.symlink_to(tmp_path / "report.csv")
    for _ in range(2):
        score(log(GOOD[1]), "--format", "csv", "-o", link)
        assert link.is_symlink()
        assert (tmp_path / "report.csv").read_text(encoding="utf-8").startswith("candidate")


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_pipe_takes_the_report_and_stays_a_pipe(form: str, score: Score, log: Log, tmp_path: Path) -> None:
    """A file in its place, as an administrator could put there, would break /dev/null for everyone."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")), daemon=True)
    reader.start()
    score(log(GOOD[1]), "--format", form, "-o", pipe)
    reader.join(10)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert "shards" in read[0]


def test_a_name_that_promises_another_format_is_named(score: Score, log: Log, tmp_path: Path) -> None:
    told = score(log(GOOD[1]), "-o", tmp_path / "report.html")[2]
    assert "report.html will be plain text; --format html makes it HTML" in told
    assert "plain text" not in score(log(GOOD[1]), "--format", "html", "-o", tmp_path / "report.html")[2]


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_folder_is_no_place_for_a_report(form: str, score: Score, log: Log, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    told = score(log(GOOD[1]), "--format", form, "-o", tmp_path / "out", code=3)[2]
    assert "cannot be written" in told
    assert "choose another file" in told
    assert not [p for p in tmp_path.iterdir() if p.suffix == ".new"]


def test_a_report_takes_no_input_s_place(score: Score, log: Log, bank: Path, tmp_path: Path, command: Command) -> None:
    """`-o` with the name of the log, the sheet or the manifest is a slip: all of it would be gone."""
    path = log(*GOOD)
    before = path.read_bytes()
    assert f"{path} is an input; write to another file" in score(path, "-o", path, code=2)[2]
    assert f"{bank} is an input; write to another file" in score(path, "-o", bank, code=2)[2]
    assert path.read_bytes() == before
    command("exam", bank, "-o", tmp_path / "exam", "--seed", "s", "--items", "3")
    sheet, manifest = tmp_path / "typed.csv", tmp_path / "exam" / "manifest.json"
    sheet.write_text("candidate,form,1,2,3\nada,A,A,B,C\n", encoding="utf-8")
    for target in (sheet, manifest):
        before = target.read_bytes()
        given = ("--sheet", sheet, "--manifest", manifest, "-o", target)
        assert "is an input" in score(*given, "--format", "gradebook", bank=None, code=2)[2]
        assert "is an input" in command("mark", sheet, "--manifest", manifest, "-o", target, code=2).err
        assert target.read_bytes() == before
