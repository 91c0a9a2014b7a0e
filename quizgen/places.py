"""Where things are: the banks and templates that ship, and the folder of a candidate's logs.

An installed wheel holds `banks/` and `templates/` as package data; a checkout has them beside the
package. Nothing here reads the environment: it is an argument.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path


def shipped(kind: str) -> Path:
    """The folder of what ships: `banks` or `templates`."""
    package = Path(__file__).resolve().parent
    inside = package / "_data" / kind
    return inside if inside.is_dir() else package.parent / kind


def shipped_banks() -> tuple[str, ...]:
    """Names of the banks that ship, sorted."""
    folder = shipped("banks")
    if not folder.is_dir():
        return ()
    return tuple(sorted(p.name for p in folder.iterdir() if p.is_dir() and any(p.glob("*.yaml"))))


def log_folder(environment: Mapping[str, str], home: Path, platform: str = sys.platform) -> Path:
    """Where session logs go by default: the platform's place for a person's own state."""
    chosen = environment.get("QUIZGEN_LOGS")
    if chosen:
        return Path(chosen)
    if platform == "darwin":
        return home / "Library" / "Application Support" / "quizgen" / "logs"
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA", home / "AppData" / "Local")) / "quizgen" / "logs"
    state = environment.get("XDG_STATE_HOME")
    return (Path(state) if state else home / ".local" / "state") / "quizgen" / "logs"
