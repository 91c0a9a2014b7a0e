"""Where `quizgen score -o` writes: a file, what a link leads to, a pipe; never in a folder's place."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest
from scored_logs import GOOD, Log, Score
from shipped import Command

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links and pipes as POSIX has them")


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
    assert path.read_bytes() == before
    command("exam", bank, "-o", tmp_path / "exam", "--seed", "s", "--items", "3")
    sheet, manifest = tmp_path / "typed.csv", tmp_path / "exam" / "manifest.json"
    sheet.write_text("candidate,form,1,2,3\nada,A,A,B,C\n", encoding="utf-8")
    for target in (sheet, manifest):
        before = target.read_bytes()
        given = ("--sheet", sheet, "--manifest", manifest, "-o", target)
        told = score(*given, "--format", "gradebook", bank=None, code=2)[2]
        assert "is an input" in told
        assert "is an input" in command("mark", sheet, "--manifest", manifest, "-o", target, code=2).err
        assert target.read_bytes() == before
