"""`quizgen rubric eval | suggest | draft` on a few graded answers of our own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

# Human scores out of 3 for the item `why-carry` of tests/data/sums.
GRADED = [
    ("The sum is twelve, so the ten goes to the next place.", 3),
    ("It is more than nine and the next column takes the rest.", 3),
    ("Because 12 exceeds nine.", 2),
    ("It goes over to the tens place.", 1),
    ("Because that is how addition works.", 0),
    ("You get a number with two figures, the left figure is carried.", 3),
    ("There are two figures in the result.", 3),
    ("No idea.", 0),
]


@pytest.fixture
def graded(tmp_path: Path) -> Path:
    path = tmp_path / "graded.jsonl"
    rows = [{"item": "why-carry", "answer": a, "score": s, "max_score": 3} for a, s in GRADED]
    path.write_text("\n".join(map(json.dumps, rows)) + "\nnot json\n", encoding="utf-8")
    return path


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "quizgen", "rubric", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "100"},
    )


def test_eval_tells_agreement_beside_baselines(root: Path, graded: Path) -> None:
    """Correlation, error, kappa, a table of phrases; the bad line is named and does not stop the rest."""
    done = run("eval", str(root / "tests/data/sums"), str(graded))
    assert done.returncode == 0, done.stderr
    assert "8 answers of 1 item" in done.stdout
    assert "token_set_ratio" in done.stdout
    assert "stem recall" in done.stdout
    assert "graded.jsonl:9:" in done.stderr


def test_eval_json_agrees_with_a_hand_calculation(root: Path, graded: Path) -> None:
    """The rubric gives 3, 3, 2, 1, 0, 0, 0, 0: r by the textbook formula."""
    done = run("eval", str(root / "tests/data/sums"), str(graded), "--json", "--no-baselines")
    found = json.loads(done.stdout)
    human = [s / 3 for _, s in GRADED]
    ours = [1, 1, 2 / 3, 1 / 3, 0, 0, 0, 0]
    mean_h, mean_o = sum(human) / 8, sum(ours) / 8
    over = sum((h - mean_h) * (o - mean_o) for h, o in zip(human, ours, strict=True))
    under = (sum((h - mean_h) ** 2 for h in human) * sum((o - mean_o) ** 2 for o in ours)) ** 0.5
    assert found["rubric"]["r"] == pytest.approx(over / under, abs=1e-9)
    assert found["token_set"] is None


def test_suggest_names_words_of_good_answers(root: Path, graded: Path) -> None:
    """Two good answers that the rubric misses speak of figures."""
    done = run("suggest", str(root / "tests/data/sums"), str(graded))
    assert done.returncode == 0, done.stderr
    assert "figures" in done.stdout


def test_draft_makes_a_rubric_that_accepts_its_answer(root: Path) -> None:
    """From the item's own model answer, ready to paste."""
    done = run("draft", str(root / "tests/data/sums"), "why-carry")
    assert done.returncode == 0
    assert done.stdout.startswith("rubric:\n  criteria:\n")
    assert run("draft").returncode == 2


def test_what_cannot_be_read_is_told(root: Path, tmp_path: Path) -> None:
    """A missing file and a bank without the items end with 3 and a reason."""
    assert run("eval", str(root / "tests/data/sums"), str(tmp_path / "none.jsonl")).returncode == 3
    other = tmp_path / "other.jsonl"
    other.write_text('{"item": "x", "answer": "y", "score": 1}\n', encoding="utf-8")
    assert run("eval", str(root / "tests/data/sums"), str(other)).returncode == 3
