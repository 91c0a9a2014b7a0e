"""A disk that fills up while logs are scored: one line says which, and nothing half made is left."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import made_log
import pytest

resource = pytest.importorskip("resource", reason="this platform has no limits on the size of files")
LIMIT = 200_000  # bytes a file may have


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank, and a log whose working files and whose lines are larger than the limit."""
    folder = tmp_path_factory.mktemp("full")
    made_log.bank(folder / "bank")
    made_log.write_log(folder / "log.jsonl", 400)
    return folder


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize(
    ("form", "told"),
    [
        ("text", "no room for working files; set TMPDIR to a folder with more room"),
        ("jsonl", "report: cannot be written (File too large); choose another file"),
    ],
)
def test_a_full_disk_is_told_in_a_line(work: Path, tmp_path: Path, workers: str, form: str, told: str) -> None:
    (tmp_path / "scratch").mkdir()
    arguments = ["score", str(work / "log.jsonl"), "--bank", str(work / "bank"), "--format", form, "--quiet"]
    done = subprocess.run(
        [sys.executable, "-m", "quizgen", *arguments, "--workers", workers, "-o", "report"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path / "scratch"), "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT)),
    )
    assert done.returncode == 3
    assert done.stderr.strip() == f"quizgen: {told}"
    assert done.stdout == ""
    assert list((tmp_path / "scratch").iterdir()) == []
    assert [p.name for p in tmp_path.iterdir()] == ["scratch"]
