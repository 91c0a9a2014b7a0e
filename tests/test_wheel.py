"""What ships and what the wheel holds; where logs go, on each platform. `.ci/run` tries that the wheel does the three jobs
from another folder."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from quizgen import data_folders


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from the tree, with a file in it that git ignores and must not ship."""
    pytest.importorskip("build", reason="building the wheel needs the `build` package (pip install '.[test]')")
    pytest.importorskip("hatchling", reason="building the wheel needs hatchling (pip install '.[test]')")
    out = tmp_path_factory.mktemp("dist")
    private = root / "templates" / "zz.key.yaml"  # no bank, which a test beside this one may read
    private.write_text("items: []\n", encoding="utf-8")
    try:
        command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(root)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    finally:
        private.unlink()
    assert done.returncode == 0, done.stderr[-2000:]
    (made,) = out.glob("*.whl")
    return made


def tracked(root: Path, *folders: str) -> set[str]:
    done = subprocess.run(["git", "ls-files", *folders], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip("not a git checkout: what ships cannot be compared with what is tracked")
    return {line for line in done.stdout.split("\n") if line and (root / line).is_file()}


def test_wheel_holds_what_is_tracked(wheel: Path, root: Path) -> None:
    """Package, banks and templates, nothing that git ignores; and the manual page where `man` looks."""
    names = set(zipfile.ZipFile(wheel).namelist())
    assert [n for n in names if n.endswith(".data/data/share/man/man1/quizgen.1")]
    data = {name for folder in ("banks", "templates") for name in tracked(root, folder)}
    expected = tracked(root, "quizgen") | {f"quizgen/_data/{name}" for name in data}
    assert not [n for n in names if n.endswith(".key.yaml")]
    assert expected - names == set()


HOME = Path("/home/ada")


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {}, HOME / ".local/state/quizgen/logs"),
        ("linux", {"XDG_STATE_HOME": "/state"}, Path("/state/quizgen/logs")),
        ("linux", {"XDG_STATE_HOME": ""}, HOME / ".local/state/quizgen/logs"),
        ("darwin", {"XDG_STATE_HOME": "/state"}, HOME / "Library/Application Support/quizgen/logs"),
        ("win32", {"LOCALAPPDATA": "/local"}, Path("/local/quizgen/logs")),
        ("darwin", {"QUIZGEN_LOGS": "/mine"}, Path("/mine")),
    ],
)
def test_logs_go_where_the_platform_keeps_state(platform: str, environment: dict[str, str], folder: Path) -> None:
    """Each platform has its own place; QUIZGEN_LOGS wins everywhere."""
    assert data_folders.default_log_folder(environment, HOME, platform) == folder
