"""`quizgen rubric eval | suggest | draft` on a few graded answers of our own."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from terminal.process import quizgen

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


SUMS = str(Path(__file__).parent / "data" / "sums")


def run(*arguments: object, typed: str = "", code: int = 0) -> subprocess.CompletedProcess[str]:
    return quizgen("rubric", *map(str, arguments), typed=typed, cwd=Path.cwd(), code=code, COLUMNS="100")


def test_eval_agrees_with_a_hand_calculation(graded: Path) -> None:
    """The rubric gives 3, 3, 2, 1, 0, 0, 0, 0: r by the textbook formula. The bad line is named and does not stop the
    rest."""
    done = run("eval", SUMS, graded)
    assert "8 answers of 1 item" in done.stdout
    assert "graded.jsonl:9:" in done.stderr
    found = json.loads(run("eval", SUMS, graded, "--json").stdout)
    human = [s / 3 for _, s in GRADED]
    ours = [1, 1, 2 / 3, 1 / 3, 0, 0, 0, 0]
    mean_h, mean_o = sum(human) / 8, sum(ours) / 8
    over = sum((h - mean_h) * (o - mean_o) for h, o in zip(human, ours, strict=True))
    under = (sum((h - mean_h) ** 2 for h in human) * sum((o - mean_o) ** 2 for o in ours)) ** 0.5
    assert found["rubric"]["r"] == pytest.approx(over / under, abs=1e-9)


def test_suggest_names_words_of_good_answers(tmp_path: Path, graded: Path) -> None:
    """A phrase that wants two digits: two good answers that the rubric misses speak of figures."""
    bank = shutil.copytree(SUMS, tmp_path / "sums")
    for file in bank.glob("*.yaml"):
        text = file.read_text(encoding="utf-8")
        file.write_text(
            text.replace('accept: ["{ten or more}', 'accept: ["two digits", "{ten or more}'), encoding="utf-8"
        )
    assert "figures" in run("suggest", bank, graded).stdout


def test_draft_makes_a_rubric_that_accepts_its_answer() -> None:
    """From the item's own model answer, ready to paste."""
    assert run("draft", SUMS, "why-carry").stdout.startswith("rubric:\n  criteria:\n")


@pytest.mark.parametrize("command", ["eval", "suggest"])
@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "none.jsonl cannot be read: No such file or directory; check its name"),
        ("", "no graded answer could be read; write one JSON object per line"),
        ("not json\n", "no graded answer could be read; write one JSON object per line"),
        ('{"item": "x", "answer": "y", "score": 1}\n', "none of 1 graded answer belongs to a text item of the bank"),
    ],
)
def test_what_cannot_be_read_is_told(command: str, text: str | None, told: str, tmp_path: Path) -> None:
    """A file that is missing or holds no graded answer, and a bank without the items, end with 3 and a reason."""
    path = tmp_path / "none.jsonl"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    assert told in run(command, SUMS, path, code=3).stderr


def test_a_bad_line_of_standard_input_is_told_by_its_name() -> None:
    assert run("eval", SUMS, "-", typed="not json\n", code=3).stderr.startswith("standard input:1: ")


def test_a_line_of_a_log_becomes_an_answer_beside_its_item(tmp_path: Path) -> None:
    """What is printed is read again below `answers:`, line by line where the response has lines."""
    said = "The sum is twelve, so the ten goes to the next place."
    log = tmp_path / "log.jsonl"
    rows = [
        {"item": "why-carry", "response": said},
        {"item": "why-carry", "response": "- two figures: 12\n- carry # one"},
    ]
    log.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (entry,) = yaml.safe_load(run("answer", SUMS, f"{log}:1").stdout)
    assert entry == {"earns": "all", "text": said}
    (entry,) = yaml.safe_load(run("answer", SUMS, f"{log}:2", "--earns", "none").stdout)
    assert entry == {"earns": "none", "text": rows[1]["response"]}
    assert run("answer", SUMS, f"{log}:3", code=3).stdout == ""
    run("answer", SUMS, log, code=2)
