"""The same command writes the same bytes: other Pythons, hash seeds, locales, time zones, folders."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pythons import other_pythons

ROOT = Path(__file__).resolve().parents[2]
NEEDS = "import click, yaml, rapidfuzz, jinja2, markdown_it, math_core"
ARGUMENTS = ("exam", "distributed-training", "--forms", "3", "--seed", "demo", "--practice", "--formula-sheet")


def made(python: str, out: Path, cwd: Path, **environment: str) -> dict[str, str]:
    """The exam as another process writes it, the checkout being on its path."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in os.environ}
    command = [python, "-m", "quizgen", *ARGUMENTS, "-o", str(out)]
    environment = {**kept, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    subprocess.run(command, check=True, cwd=cwd, env=environment, capture_output=True, timeout=120)
    return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(out.rglob("*")) if p.is_file()}


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("usual")
    return made(sys.executable, folder / "out", folder, PYTHONHASHSEED="0", LC_ALL="C.UTF-8", TZ="UTC")


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "4242", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "America/St_Johns"},
        {
            "PYTHONHASHSEED": "random",
            "LC_ALL": "C",
            "TZ": "Pacific/Kiritimati",
            "PYTHONUTF8": "0",
            "PYTHONOPTIMIZE": "1",
        },
    ],
    ids=lambda e: e["LC_ALL"],
)
def test_same_bytes_in_another_environment(usual: dict[str, str], tmp_path: Path, environment: dict[str, str]) -> None:
    assert made(sys.executable, tmp_path / "elsewhere", tmp_path, **environment) == usual


def test_same_bytes_on_other_pythons(usual: dict[str, str], tmp_path: Path) -> None:
    """One digest a file on every Python that has what the product needs installed."""
    tried = []
    for number, python in enumerate(other_pythons()):
        able = subprocess.run([python, "-c", NEEDS], capture_output=True, check=False)
        if able.returncode == 0:
            assert made(python, tmp_path / str(number), tmp_path) == usual, python
            tried.append(python)
    if not tried:
        pytest.skip("no second Python with the dependencies; name some in QUIZGEN_PYTHONS")
