"""The folders of the shipped banks and templates, and of a candidate's logs.

An installed wheel has `banks/` and `templates/` as package data; in a checkout they are beside the package. For
the logs, the environment, the home and the platform may be given; by default they are those of this process."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

BANK_SUBFOLDERS = ("blueprints", "cases")  # folders of a bank beside its item files


def shipped_folder_path(folder_name: str) -> Path:
    """The folder of shipped data; `folder_name` is `banks` or `templates`."""
    from pathlib import Path  # importing pathlib takes a twentieth of the start of `quizgen solve`

    return Path(shipped_folder_path_text(folder_name))


def shipped_folder_path_text(folder_name: str) -> str:
    """The folder of shipped data, as text; `folder_name` is `banks` or `templates`."""
    package = os.path.dirname(os.path.realpath(__file__))
    packaged_folder = os.path.join(package, "_data", folder_name)
    return packaged_folder if os.path.isdir(packaged_folder) else os.path.join(os.path.dirname(package), folder_name)


def shipped_bank_names() -> tuple[str, ...]:
    """The names of the shipped banks, sorted."""
    return tuple(sorted({os.path.basename(os.path.dirname(path)) for path in top_yaml_paths_of_shipped_banks()}))


def top_yaml_paths_of_shipped_banks() -> list[str]:
    """The paths of the `*.yaml` files directly in the folders of the shipped banks, sorted."""
    banks = shipped_folder_path_text("banks")
    folders = sorted(entry.path for entry in os.scandir(banks) if entry.is_dir()) if os.path.isdir(banks) else []
    return [os.path.join(path, name) for path in folders for name in sorted(os.listdir(path)) if name.endswith(".yaml")]


def default_log_folder(
    environment: Mapping[str, str] = os.environ, home: Path | None = None, platform: str = sys.platform
) -> Path:
    """The default folder for session logs: the platform's place for a user's own state."""
    from pathlib import Path

    home = home or Path.home()
    if folder := environment.get("QUIZGEN_LOGS"):
        return Path(folder)
    if platform == "darwin":
        return home / "Library" / "Application Support" / "quizgen" / "logs"
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA", home / "AppData" / "Local")) / "quizgen" / "logs"
    return Path(environment.get("XDG_STATE_HOME") or home / ".local" / "state") / "quizgen" / "logs"


def default_cache_folder() -> Path:
    """The folder for data that is kept between runs but can be computed again."""
    from pathlib import Path

    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "quizgen"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "quizgen" / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "quizgen"
