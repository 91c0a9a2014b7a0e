"""A whole form and its key as they stand, small enough to read: four items, of each kind and with several keys. And the
same command writes the same bytes: other Pythons, hash seeds, locales, time zones, folders."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pythons import other_pythons
from shipped import Command, Golden

BANK = (Path(__file__).parents[1] / "golden" / "exam" / "bank.yaml").read_text(encoding="utf-8")


def readable(page: str) -> str:
    """The page without what is the same in every page of its sort: styles, scripts and their hashes."""
    page = re.sub(r"<(style|script)(?: [^>]*)?>.*?</\1>\n?", "", page, flags=re.DOTALL)
    return re.sub(r'content="default-src[^"]*"', 'content="the policy"', page)


def test_form_and_key(tmp_path: Path, golden: Golden, command: Command) -> None:
    (tmp_path / "golden.yaml").write_text(BANK, encoding="utf-8")
    title = ("--title", "Golden", "--seed", "golden seed for tests")
    command("exam", tmp_path / "golden.yaml", "-o", tmp_path / "out", *title)
    for name in ("form-A.html", "key-A.html"):
        golden(f"exam/{name}", readable((tmp_path / "out" / name).read_text(encoding="utf-8")))


ROOT = Path(__file__).resolve().parents[2]
NEEDS = "import click, yaml, rapidfuzz, jinja2, markdown_it, math_core"
ARGUMENTS = ("exam", "golden.yaml", "--forms", "3", "--seed", "demo", "--practice", "--formula-sheet")


def made(python: str, out: Path, cwd: Path, **environment: str) -> dict[str, str]:
    """The exam as another process writes it, the checkout being on its path; the bank has letters beyond ASCII."""
    (cwd / "golden.yaml").write_text(BANK.replace("Marne", "Rhône"), encoding="utf-8")
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in os.environ}
    command = [python, "-m", "quizgen", *ARGUMENTS, "-o", str(out)]
    environment = {**kept, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    subprocess.run(command, check=True, cwd=cwd, env=environment, capture_output=True, timeout=120)
    return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(out.rglob("*")) if p.is_file()}


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("usual")
    return made(sys.executable, folder / "out", folder, PYTHONHASHSEED="0", LC_ALL="C.UTF-8", TZ="UTC")


def test_same_bytes_in_another_environment(usual: dict[str, str], tmp_path: Path) -> None:
    """Where this machine has no Turkish, that is the locale C, whose texts are ASCII."""
    turkish = {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "PYTHONUTF8": "0", "TZ": "America/St_Johns"}
    made_there = made(
        sys.executable, tmp_path / "elsewhere", tmp_path, PYTHONHASHSEED="4242", PYTHONOPTIMIZE="1", **turkish
    )
    assert made_there == usual


def test_same_bytes_on_other_pythons(usual: dict[str, str], tmp_path: Path) -> None:
    """One digest a file on every Python that has what the product needs installed."""
    tried = []
    for number, python in enumerate(other_pythons()):
        if subprocess.run([python, "-c", NEEDS], capture_output=True, check=False).returncode == 0:
            assert made(python, tmp_path / str(number), tmp_path) == usual, python
            tried.append(python)
    if not tried:
        pytest.skip("no second Python with the dependencies; name some in QUIZGEN_PYTHONS")
