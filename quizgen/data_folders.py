"""Where things are: the banks and templates that ship, and the folder of a candidate's logs.

An installed wheel holds `banks/` and `templates/` as package data; a checkout has them beside the
package. Nothing here reads the environment: it is an argument.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

BESIDE = ("blueprints", "cases")  # folders of a bank beside its item files; a name is in one of them


def shipped(kind: str) -> Path:
    """The folder of what ships: `banks` or `templates`."""
    from pathlib import Path  # which costs `quizgen solve` a twentieth of its start

    return Path(shipped_folder(kind))


def shipped_folder(kind: str) -> str:
    """The same as text."""
    package = os.path.dirname(os.path.realpath(__file__))
    inside = os.path.join(package, "_data", kind)
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(package), kind)


def shipped_banks() -> tuple[str, ...]:
    """Names of the banks that ship, sorted."""
    return tuple(sorted({os.path.basename(os.path.dirname(path)) for path in shipped_yaml()}))


def shipped_yaml() -> list[str]:
    """The `*.yaml` files right in the folders of the banks that ship, in order."""
    banks = shipped_folder("banks")
    if not os.path.isdir(banks):
        return []
    files = []
    for name in sorted(os.listdir(banks)):
        folder = os.path.join(banks, name)
        if os.path.isdir(folder):
            files += [os.path.join(folder, file) for file in sorted(os.listdir(folder)) if file.endswith(".yaml")]
    return files


def log_folder(environment: Mapping[str, str], home: Path, platform: str = sys.platform) -> Path:
    """Where session logs go by default: the platform's place for a person's own state."""
    from pathlib import Path

    chosen = environment.get("QUIZGEN_LOGS")
    if chosen:
        return Path(chosen)
    if platform == "darwin":
        return home / "Library" / "Application Support" / "quizgen" / "logs"
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA", home / "AppData" / "Local")) / "quizgen" / "logs"
    state = environment.get("XDG_STATE_HOME")
    return (Path(state) if state else home / ".local" / "state") / "quizgen" / "logs"


def cache_folder(environment: Mapping[str, str], home: Path, platform: str = sys.platform) -> Path:
    """Where what can be made again is kept between runs."""
    from pathlib import Path

    if platform == "darwin":
        return home / "Library" / "Caches" / "quizgen"
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA", home / "AppData" / "Local")) / "quizgen" / "cache"
    cache = environment.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else home / ".cache") / "quizgen"
