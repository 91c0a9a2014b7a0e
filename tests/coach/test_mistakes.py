"""The mistakes sheet and the way to the date, from logs of two evenings."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from score.scored_logs import ITEMS
from terminal.process import write_log

from quizgen.cli import run

GIVEN = {"shards": ("The `gradients`", 5), "state": ("56.9 GB", 5), "node": ("They communicate in every layer.", 4)}


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two evenings: six items that fill the count, all right, one with a hint; on the second the three of GIVEN."""
    more = "".join(
        f"  - {{id: c{n}, kind: choice, stem: '{n}?', key: yes, distractors: [no], hints: [Look.]}}\n" for n in range(6)
    )
    (tmp_path / "items.yaml").write_text(ITEMS.replace("The gradients", "The `gradients`") + more, encoding="utf-8")
    folder = tmp_path / "logs"
    folder.mkdir()
    for ago, given in ((3, {f"c{n}": ("yes", 4) for n in range(6)}), (1, GIVEN)):
        at = (datetime.now(UTC) - timedelta(days=ago)).strftime("%Y-%m-%dT%H:%M:%SZ")
        head = {"v": 1, "session": f"s{ago}", "candidate": "ann", "seed": "1"}
        response = {**head, "type": "response", "given": {"N": "13e9 param", "K": "32"}, "seconds": 30, "at": at}
        lines = [{**head, "type": "session", "bank": "items.yaml", "items": list(given), "minutes": 9, "started": at}]
        for item, (text, sure) in given.items():
            lines.append(response | {"item": item, "response": text, "confidence": sure, "hints": int(item == "c0")})
        write_log(folder / f"{ago}.jsonl", *lines, {**head, "type": "end", "reason": "finished", "at": at})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUIZGEN_LOGS", str(folder))
    return tmp_path


def test_the_sheet_holds_what_was_wrong(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Sure and wrong; the named slip with its worked steps; the criterion left out; nothing that was right."""
    assert run(["progress", "--mistakes", "sheet.html"]) == 0
    assert "Mistakes: sheet.html" in capsys.readouterr().err
    page = (logs / "sheet.html").read_text(encoding="utf-8")
    sure, slips, left = (page.partition(f"<h2>{title}")[2] for title in ("Sure", "Formulas", "Left out"))
    assert "shards" in sure.partition("<h2>")[0]
    assert "Gradients are sliced from stage 2 on." in sure.partition("<h2>")[0]
    assert "gradients-replicated" in slips.partition("<h2>")[0]
    assert "That is ZeRO-1." in slips.partition("<h2>")[0]
    assert "31.69 GB" in sure.partition("<h2>")[0]  # 26 + 14 * 13e9 / 32 B = 31.6875 GB, worked
    assert "31.69 GB" not in slips.partition("<h2>")[0]  # once
    assert "NVLink is faster." in left
    assert "1 of 1" in left
    assert "every layer" not in left
    assert "c0" not in page
    assert "Nothing else." in page
    assert "<script" not in page
    assert "Readiness for" in page


def test_what_was_missed_without_being_sure_is_there_too(logs: Path) -> None:
    log = logs / "logs" / "1.jsonl"
    log.write_text(log.read_text(encoding="utf-8").replace('"confidence": 5', '"confidence": 2'), encoding="utf-8")
    assert run(["progress", "--mistakes", "sheet.html"]) == 0
    others = (logs / "sheet.html").read_text(encoding="utf-8").partition("<h2>Also missed")[2].partition("<h2>")[0]
    assert "shards" in others
    assert "You: The <code>gradients</code></p><p>Key: B: The optimizer states</p>" in others


def test_the_way_to_the_date_is_a_row_an_evening(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["progress"]) == 0
    shown = capsys.readouterr().out
    rows = shown.partition("On the way there, all topics:\n")[2].partition("\n\n")[0].splitlines()
    assert len(rows) == 2
    assert all("=" in row for row in rows)


def test_a_named_bank_has_its_own_sessions(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Sessions on another bank were counted as those of the bank that was named."""
    first = (logs / "logs" / "1.jsonl").read_text(encoding="utf-8")
    named = json.loads(first.splitlines()[0])["bank"]
    other = first.replace(f'"{named}"', '"git"').replace('"s1"', '"s9"')
    (logs / "logs" / "9.jsonl").write_text(other, encoding="utf-8")
    assert run(["progress", named]) == 0
    assert "1 session on another bank is left out" in capsys.readouterr().err
