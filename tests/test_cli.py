"""Odd but plausible command lines: each is told in a line where it is, what is wrong and what to do. What holds keys or
people is readable by its owner alone, and a token stands on no command line. And the line of progress: silent at first
and elsewhere, then share and time left.
"""

from __future__ import annotations

import io
import json
import os
import shlex
import stat
import subprocess
import sys
import webbrowser
from pathlib import Path

import pytest
from shipped import Command

from quizgen.commands.shared import ProgressLine
from quizgen.local_server import open_in_browser_by_temporary_file

ONE = "items:\n  - {id: a, kind: choice, topic: t, stem: S?, key: 'Yes', distractors: ['No']}\n"
LINE = '{"candidate": "c", "item": "a", "response": "Yes"}\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that a person is in: a bank, a log, and things that are neither."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUIZGEN_LOGS", str(tmp_path / "logs"))
    (tmp_path / "one.yaml").write_text(ONE, encoding="utf-8")
    (tmp_path / "log.jsonl").write_text(LINE, encoding="utf-8")
    (tmp_path / "no.log").touch()
    (tmp_path / "form-A.html").write_text("<!doctype html>\n<p>A form\n", encoding="utf-8")
    (tmp_path / "manifest.json").write_text("{}", encoding="utf-8")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "formulas.yaml").write_text("formulas:\n  mine: {title: t\n", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    return tmp_path


ODD = (Path(__file__).parent / "data" / "odd_lines.txt").read_text(encoding="utf-8").splitlines()[1:]


@pytest.mark.parametrize("row", ODD)
def test_it_is_told_in_a_line(row: str, folder: Path, command: Command) -> None:
    code, line, told = row.split("\t")
    before = sorted((p.name, p.stat().st_size) for p in folder.iterdir())
    out, err = command(*shlex.split(line), code=int(code))
    assert told in err.splitlines()[-1]
    assert (out, sorted((p.name, p.stat().st_size) for p in folder.iterdir())) == ("", before)


@pytest.mark.parametrize(
    "line",
    ["check {}", "mock {}", "exam {} -o out", "score a --bank {}", "import {} -o out", "export {} --to csv -o -",
     "progress --log {}", "preview {}", "debrief {}", "check git --with {}", "exam git -o {}", "plan {} --interview 2099-01-01"],
)  # fmt: skip
def test_a_path_that_cannot_be_looked_at_is_told_in_a_line(line: str, folder: Path, command: Command) -> None:
    """So is a folder without permission, which the user who runs the tests may not have."""
    out, err = command(*shlex.split(line.format("x" * 300)), code=3)
    said = out or err
    assert "File name too long; " in said
    assert (out + err).count("\n") == 1 + bool(out)


def test_a_log_that_names_a_bank_nobody_can_look_at_is_still_in_the_progress(folder: Path, command: Command) -> None:
    lines = []
    for day, bank in (("20", "x" * 300), ("21", "git")):
        common = {"v": 1, "session": f"s{day}", "candidate": "ada", "at": f"2026-11-{day}T10:00:00Z"}
        lines.append(common | {"type": "session", "bank": bank})
        lines.append(common | {"type": "response", "item": "fetch-or-pull", "seed": "1", "response": "A"})
    (folder / "old.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    command("progress", "--log", "old.jsonl")


@pytest.mark.skipif(os.name != "posix", reason="pipes as POSIX has them")
@pytest.mark.parametrize("line", ["list items", "score log.jsonl --bank one.yaml --json"])
def test_a_reader_that_leaves_early_is_no_finding(line: str, folder: Path) -> None:
    """`| head -1` ends with 0 and without a word, however much was still to come."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "quizgen", *line.split()], stdout=writing, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize(
    "line",
    ["list items --bank one.yaml", "score log.jsonl --bank one.yaml", "export one.yaml --to text -o -", "--help"],
)
def test_standard_output_that_cannot_be_written_is_told_in_a_line(folder: Path, line: str) -> None:
    command = [sys.executable, "-m", "quizgen", *line.split()]
    for device, mode, why in (("full", "w", "No space left on device"), ("null", "r", "Bad file descriptor")):
        with open(f"/dev/{device}", mode, encoding="utf-8") as stream:
            done = subprocess.run(command, stdout=stream, stderr=subprocess.PIPE, cwd=folder, text=True, check=False)
        told = f"quizgen: standard output cannot be written ({why}); send it to another file or disk"
        assert (done.returncode, done.stderr.splitlines()[-1]) == (3, told)
        assert "Traceback" not in done.stderr
    done = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *command], capture_output=True, cwd=folder, check=False)
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)


def test_a_log_in_parquet_is_scored_without_a_word_of_what_the_library_leaves_in_memory(folder: Path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed: pip install quizgen[duckdb]")
    with duckdb.connect() as database:
        query = "SELECT 'c' AS candidate, 'a' AS item, 'Yes' AS response"
        database.execute(f"COPY ({query}) TO '{folder / 'log.parquet'}' (FORMAT parquet)")
    words = [sys.executable, "-m", "quizgen", "score", "log.parquet", "--bank", "one.yaml"]
    done = subprocess.run(words, capture_output=True, cwd=folder, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr == ""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
@pytest.mark.timeout(30)
def test_a_file_option_waits_for_no_pipe_and_reads_no_device(folder: Path, command: Command) -> None:
    os.mkfifo("pipe")
    reading = ("mark x.json -o page.html --manifest", "scan x.pdf -o x.csv --manifest", "exam git -o out --roster")
    for line in (*reading, "score x.jsonl --dif"):
        for name in ("pipe", "/dev/zero"):
            err = command(*line.split(), name, code=2).err
            assert f"{name} is a device or a pipe; name a plain file" in err, line


def test_half_a_character_in_one_answer_stops_no_page_for_a_class(folder: Path, command: Command) -> None:
    """JSON can spell it. On the page full marks below the sum of the criteria are no criterion to tick."""
    criteria = ", ".join(f"{{id: {name}, say: It says {name}., accept: [{name}]}}" for name in ("one", "two", "six"))
    rubric = f"{{full_marks: 2, criteria: [{criteria}]}}"
    Path("why.yaml").write_text(f"items:\n  - {{id: why, kind: text, stem: Why?, rubric: {rubric}}}\n")
    command("exam", "why.yaml", "-o", "out", "--seed", "a seed for marking")
    form = json.loads(Path("out/manifest.json").read_text(encoding="utf-8"))["forms"][0]
    for who, text in (("ann", "It is one \ud83d of them"), ("bob", "one as well")):
        responses = [{"item": form["items"][0]["ref"], "response": text}]
        saved = {"type": "answers", "form": form["code"], "candidate": who, "responses": responses}
        Path(f"answers-{who}.json").write_text(json.dumps(saved), encoding="utf-8")
    answers = ["answers-ann.json", "answers-bob.json"]
    command("mark", *answers, "--manifest", "out/manifest.json", "-o", "marking.html")
    written = Path("marking.html").read_text(encoding="utf-8")
    assert "one as well" in written
    assert "It is one \ufffd of them" in written
    (item,) = json.loads(written.partition('id="data">')[2].partition("</script>")[0])["items"]
    assert item["title"] == "Why?"
    assert ([criterion["say"] for criterion in item["criteria"]], item["possible"]) == (
        ["It says one.", "It says two.", "It says six."], 2,
    )  # fmt: skip


posix = pytest.mark.skipif(os.name != "posix", reason="permissions of owner, group and others are POSIX")


def mode_of_session(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@posix
@pytest.mark.parametrize("line", ["score log.jsonl --bank one.yaml --format html", "practice one.yaml"])
def test_a_new_file_is_its_owners_and_an_old_one_keeps_its_permissions(
    line: str, folder: Path, command: Command
) -> None:
    made = folder / "out.html"
    for mode in (0o600, 0o644):
        command(*line.split(), "-o", "out.html")
        assert mode_of_session(made) == mode
        made.chmod(0o644)


@posix
def test_forms_are_handed_out_as_before(folder: Path, command: Command) -> None:
    """A form is for everybody whom the umask lets; what holds its key is not."""
    (folder / "any").touch()
    command("exam", "one.yaml", "-o", "out", "--seed", "a seed for doors")
    assert mode_of_session(next((folder / "out").glob("form-*.html"))) == mode_of_session(folder / "any")
    assert mode_of_session(folder / "out" / "manifest.json") == 0o600


@posix
def test_a_browser_is_given_a_file_of_its_owner_and_no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda address: bool(given.append(address)) or True)
    with open_in_browser_by_temporary_file("http://127.0.0.1:8/sesame/"):
        (address,) = given
        assert address.startswith("file://")
        assert "sesame" not in address
        way = Path(address.removeprefix("file://"))
        assert "url=http://127.0.0.1:8/sesame/" in way.read_text(encoding="utf-8")
        assert mode_of_session(way) == 0o600
    assert not way.exists()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr("quizgen.commands.shared.time.monotonic", lambda: now[0])
    return now


def test_reading_and_later_stages_show_share_and_time_left(clock: list[float]) -> None:
    """50 of 200 MB after 10 s: 150 MB are left, at 5 MB/s 30 s. Then a quarter of 200 items in 10 s."""
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    line = ProgressLine(200_000_000, terminal, True)

    def last() -> str:
        return terminal.getvalue().rpartition("\r")[2].rstrip()

    clock[0] += 0.5
    line.show_bytes_read_of_source(0, 1_000_000)
    assert last() == ""
    clock[0] += 9.5
    line.show_bytes_read_of_source(0, 30_000_000)
    line.show_bytes_read_of_source(1, 20_000_000)
    assert last() == "[###                 ]  15%  MB: 30 of 200, 0:56 left"
    line.show_bytes_read_of_source(1, 170_000_000)
    assert last() == ""
    line.show_stage_progress("items", 0, 200)
    clock[0] += 10
    line.show_stage_progress("items", 50, 200)
    assert last() == "[#####               ]  25%  items: 50 of 200, 0:30 left"


def test_a_pipe_sees_nothing(clock: list[float]) -> None:
    stream = io.StringIO()
    line = ProgressLine(10, stream, True)
    clock[0] += 60
    line.show_bytes_read_of_source(0, 5)
    line.show_stage_progress("items", 1, 2)
    assert stream.getvalue() == ""
