"""`quizgen rubric eval | suggest | draft` on a few graded answers of our own."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from statistics import correlation

import pytest
import yaml
from shipped import Command

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


def test_eval_agrees_with_another_program(graded: Path, command: Command) -> None:
    """The rubric gives 3, 3, 2, 1, 0, 0, 0, 0: r is what Python finds. The bad line is named and does not stop the
    rest."""
    out, err = command("rubric", "eval", SUMS, graded)
    assert "8 answers of 1 item" in out
    assert "graded.jsonl:9:" in err
    torn = graded.with_name("torn.jsonl.gz")
    torn.write_bytes(gzip.compress(graded.read_bytes())[:40])
    assert "torn.jsonl.gz cannot be read: Compressed file ended" in command("rubric", "eval", SUMS, torn, code=3).err
    found = json.loads(command("rubric", "eval", SUMS, graded, "--json").out)
    human = [s / 3 for _, s in GRADED]
    assert found["rubric"]["r"] == pytest.approx(correlation(human, [1, 1, 2 / 3, 1 / 3, 0, 0, 0, 0]), abs=1e-9)


def test_suggest_names_words_of_good_answers(tmp_path: Path, graded: Path, command: Command) -> None:
    """A phrase that wants two digits: two good answers that the rubric misses speak of figures."""
    file = shutil.copytree(SUMS, tmp_path / "sums") / "sums.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('["{ten or more}', '["two digits", "{ten or more}'), encoding="utf-8")
    assert "figures" in command("rubric", "suggest", file.parent, graded).out


def test_draft_makes_a_rubric_that_accepts_its_answer(command: Command) -> None:
    """From the item's own model answer, ready to paste."""
    assert command("rubric", "draft", SUMS, "why-carry").out.startswith("rubric:\n  criteria:\n")


@pytest.mark.parametrize("verb", ["eval", "suggest"])
def test_answers_to_items_that_the_bank_lacks_are_told(verb: str, tmp_path: Path, command: Command) -> None:
    path = tmp_path / "graded.jsonl"
    path.write_text('{"item": "x", "answer": "y", "score": 1}\n', encoding="utf-8")
    told = command("rubric", verb, SUMS, path, code=3).err
    assert "none of 1 graded answer belongs to a text item of the bank" in told


def test_a_line_of_a_log_becomes_an_answer_beside_its_item(tmp_path: Path, command: Command) -> None:
    """What is printed is read again below `answers:`, line by line where the response has lines."""
    said = "The sum is twelve, so the ten goes to the next place."
    other = "- two figures: 12\n- carry # one"
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps({"item": "why-carry", "response": text}) + "\n" for text in (said, other)))
    (entry,) = yaml.safe_load(command("rubric", "answer", SUMS, f"{log}:1").out)
    assert entry == {"earns": "all", "text": said}
    (entry,) = yaml.safe_load(command("rubric", "answer", SUMS, f"{log}:2", "--earns", "none").out)
    assert entry == {"earns": "none", "text": other}
    assert command("rubric", "answer", SUMS, f"{log}:3", code=3).out == ""
    command("rubric", "answer", SUMS, log, code=2)
