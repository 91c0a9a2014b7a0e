"""Stems are the same on every machine, whatever else is installed there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_another_stemmer_that_is_installed_changes_no_stem(tmp_path: Path) -> None:
    """snowballstemmer takes the module Stemmer (PyStemmer) where it finds one; this one has other ideas."""
    (tmp_path / "Stemmer.py").write_text(
        "class Stemmer:\n"
        "    def __init__(self, *said): pass\n"
        "    def stemWord(self, word): return word.upper()\n"
        "def algorithms(*said): return ['english']\n"
    )
    script = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import snowballstemmer\n"
        "from quizgen.rubric.text.stem import stem\n"
        "print(snowballstemmer.stemmer('english').stemWord('running'), stem('running'), stem('generalizations'))\n"
    )
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert shown.split() == ["RUNNING", "run", "general"]
