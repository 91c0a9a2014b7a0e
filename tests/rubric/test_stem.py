"""Stems are the same on every machine, whatever else is installed there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from quizgen.rubric.spelling import word_stem


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
        "from quizgen.rubric.spelling import word_stem\n"
        "print(snowballstemmer.stemmer('english').stemWord('running'), word_stem('running'), word_stem('generalizations'))\n"
    )
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert shown.split() == ["RUNNING", "run", "general"]


@pytest.mark.parametrize(
    "forms",
    [
        "free frees freed freeing",
        "cycle cycles cycled cycling",
        "queue queues queued queuing",
        "true trues trued",
        "reference references referenced referencing",
        "imbalance imbalances imbalanced",
        "trace traces traced tracing",
        "staff staffs staffed staffing",
        "quiz quizzes quizzing",
        "embed embeds embedded embedding",
        "program programs programmed programming",
        "centre centres centred center centered",
        "metre metres meter",
        "disc discs disk disks",
        "positive positives",
        "expansion expansions expand",
        "subscription subscriptions subscribe",
        "license licence licensed licences licensing",
        "alias aliases aliased",
        "plateau plateaus plateaued",
        "half halves halved halving",
        "underlie underlies underlying",
        "tie ties tied tying",
        "key keys keyed keying",
        "GPU GPUs",
    ],
)
def test_the_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len({word_stem(word.lower()) for word in forms.split()}) == 1


@pytest.mark.parametrize(
    "words",
    ["free feed fee", "queue query", "positive position", "deduct deduce", "inverse invert", "under underlying",
     "embed bed", "cutoff cutof", "plan plane", "strip stripe", "star stare", "overheat over"],
)  # fmt: skip
def test_different_words_have_different_stems(words: str) -> None:
    assert len({word_stem(word) for word in words.split()}) == len(words.split())
