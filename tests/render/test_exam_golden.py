"""A whole form and its key as they stand, small enough to read: four items, of each kind and with several keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from quizgen.cli import run

BANK = """
title: Golden
items:
  - id: capital
    kind: choice
    stem: Which city is the capital of **France**?
    key: Paris
    distractors:
      - {text: Lyon, because: It is the second largest.}
      - Nice
    rationale: Since 987.
    source: Any atlas
    seconds: 30
  - {id: rivers, kind: choice, stem: Which flow into the sea?, key: [Seine, Loire], distractors: [Marne], seconds: 30, policy: each}
  - id: area
    kind: numeric
    stem: A square has sides of {a} m. What is its area in square metres, $a^2$?
    draw: {a: [3]}
    formula:
      title: Area of a square
      source: Euclid
      inputs: {a: {is: side, unit: "1"}}
      steps: {area: a * a}
      unit: "1"
    seconds: 60
  - id: why-sky
    kind: text
    stem: Why is the sky blue?
    seconds: 60
    rubric:
      criteria:
        - {id: scatter, points: 2, say: Air scatters light., accept: [scatter*]}
        - {id: short, say: Short waves more than long ones., accept: ["short|blue wave*"]}
"""


def readable(page: str) -> str:
    """The page without what is the same in every page of its sort: styles, scripts and their hashes."""
    page = re.sub(r"<(style|script)(?: [^>]*)?>.*?</\1>\n?", "", page, flags=re.DOTALL)
    return re.sub(r'content="default-src[^"]*"', 'content="the policy"', page)


def test_form_and_key(tmp_path: Path, golden: Callable[[str, str], None]) -> None:
    (tmp_path / "golden.yaml").write_text(BANK.replace("title: Golden\n", ""), encoding="utf-8")
    bank = str(tmp_path / "golden.yaml")
    title = ["--title", "Golden", "--seed", "golden seed for tests"]
    assert run(["exam", bank, "-o", str(tmp_path / "out"), *title]) == 0
    for name in ("form-A.html", "key-A.html"):
        golden(f"exam/{name}", readable((tmp_path / "out" / name).read_text(encoding="utf-8")))
