"""Where logs go, on each platform, and what ships."""

from __future__ import annotations

from pathlib import Path

import pytest

from quizgen import data_folders

HOME = Path("/home/ada")


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {}, HOME / ".local/state/quizgen/logs"),
        ("linux", {"XDG_STATE_HOME": "/state"}, Path("/state/quizgen/logs")),
        ("linux", {"XDG_STATE_HOME": ""}, HOME / ".local/state/quizgen/logs"),
        ("darwin", {"XDG_STATE_HOME": "/state"}, HOME / "Library/Application Support/quizgen/logs"),
        ("win32", {}, HOME / "AppData/Local/quizgen/logs"),
        ("win32", {"LOCALAPPDATA": "/local"}, Path("/local/quizgen/logs")),
        ("darwin", {"QUIZGEN_LOGS": "/mine"}, Path("/mine")),
    ],
)
def test_logs_go_where_the_platform_keeps_state(platform: str, environment: dict[str, str], folder: Path) -> None:
    """Each platform has its own place; QUIZGEN_LOGS wins everywhere."""
    assert data_folders.log_folder(environment, HOME, platform) == folder


def test_what_ships_is_found_beside_the_package() -> None:
    """The banks by name, their files in order, and the templates."""
    assert data_folders.shipped_bank_names() == ("distributed-training", "git", "systems-design")
    files = data_folders.shipped_bank_files()
    assert files == sorted(files)
    assert all(Path(file).parent.parent == data_folders.shipped_path("banks") for file in files)
    assert (data_folders.shipped_path("templates") / "exam.html").is_file()
