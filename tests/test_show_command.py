"""`quizgen show`: what a candidate, an author and an interviewer read of one item."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from shipped import Command

ITEMS = """\
topic: sums
items:
  - id: carry
    kind: text
    stem: Why do we carry?
    status: draft
    hints: [Count.]
    given: [The numbers are decimal.]
    follow_ups: [half]
    rubric:
      criteria:
        - {id: ten, say: It is ten or more., accept: [ten], probe: How large is the sum?}
        - {id: place, say: A digit moves., accept: [digit]}
        - {id: next, say: To the next place., accept: [place], probe: And where does it go?}
  - id: half
    kind: numeric
    stem: Half of {n}?
    draw: {n: [100]}
    formula:
      inputs: {n: {is: a number}}
      steps: {half: n / 2}
      misconceptions: [{id: twice, value: n * 2, say: That is twice.}]
    answer: {tolerance: 10%}
"""


@pytest.fixture
def bank(tmp_path: Path) -> str:
    path = tmp_path / "sums.yaml"
    path.write_text(ITEMS, encoding="utf-8")
    return str(path)


def test_a_text_item_with_all_that_an_interviewer_may_say(bank: str, command: Command) -> None:
    out = command("show", "carry", "--bank", bank).out
    assert out.startswith("carry (text, sums, 60 s, 3 points, draft)\n")
    assert "\nProbes, where a response missed a criterion\n  ten: How large is the sum?\n  next: And where" in out
    assert "\nHints\n  1. Count.\n" in out
    assert "\nGiven on request\n  1. The numbers are decimal.\n" in out
    assert "\nGoes on with\n  1. half\n" in out


def test_json_holds_the_same(bank: str, command: Command) -> None:
    """And a candidate is shown no key there either."""
    found = json.loads(command("show", "carry", "--bank", bank, "--json").out)
    assert found["probes"] == {"ten": "How large is the sum?", "next": "And where does it go?"}
    assert (found["hints"], found["given_on_request"]) == (["Count."], ["The numbers are decimal."])
    assert (found["follow_ups"], found["status"]) == (["half"], "draft")
    assert found["at"].endswith("sums.yaml:3:5")
    assert "Known mistakes" in json.loads(command("show", "half", "--bank", bank, "--json").out)["marking"]
    assert set(json.loads(command("show", "carry", "--bank", bank, "--candidate", "--json").out)) == {
        "item", "kind", "topic", "difficulty", "seconds", "points", "status", "seed", "given", "prompt",
    }  # fmt: skip


def test_a_response_from_standard_input(bank: str, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its criteria, in JSON as well."""
    monkeypatch.setattr("sys.stdin", io.StringIO("It is over ten.\n"))
    score = json.loads(command("show", "carry", "--bank", bank, "--json", "--response", "-").out)["score"]
    assert (score["outcome"], score["earned"], score["possible"]) == ("partial", 1, 3)
    assert [(c["id"], c["status"]) for c in score["criteria"]] == [
        ("ten", "found"), ("place", "missing"), ("next", "missing"),
    ]  # fmt: skip


def test_a_faulty_item_hides_no_other(tmp_path: Path, command: Command) -> None:
    """The item that can be read is shown; that another cannot be is said."""
    good = "  - {id: good, kind: choice, stem: S, key: K, distractors: [L]}\n"
    bad = "  - {id: bad, kind: choice, stem: S, key: K, distractors: [K]}\n"
    (tmp_path / "items.yaml").write_text(f"items:\n{good}{bad}", encoding="utf-8")
    out, err = command("show", "good", "--bank", tmp_path)
    assert "good (choice" in out
    assert "left out: bad; it has an error" in err
    command("show", "bad", "--bank", tmp_path, code=2)
