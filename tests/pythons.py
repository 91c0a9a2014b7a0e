"""Other interpreters to run the product on."""

from __future__ import annotations

import os
import shutil
import sys


def other_pythons() -> list[str]:
    """Interpreters named in QUIZGEN_PYTHONS, else those on the path."""
    named = os.environ.get("QUIZGEN_PYTHONS", "")
    if named:
        return named.split(os.pathsep)
    here = f"python3.{sys.version_info.minor}"
    return [p for v in (11, 12, 13, 14) if (p := shutil.which(f"python3.{v}")) and f"python3.{v}" != here]
