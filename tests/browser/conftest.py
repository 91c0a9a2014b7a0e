"""A browser for tests, and an exam for it to take. Everything here skips where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from quizgen.cli import run

from .chromium import BROWSER, Chromium, axe_source, new_profile

BANK = """
title: Memory and traffic
units: {shard: [shards, zorks]}
items:
  - id: zero1
    kind: choice
    topic: zero
    stem: What does stage 1 partition?
    key: The optimizer states
    distractors: [The gradients, The parameters, The activations]
    seconds: 45
  - id: which-two
    kind: choice
    topic: zero
    stem: "Which two does stage 2 partition? $x_i^2$"
    key: [Optimizer states, Gradients]
    distractors: [Parameters, Activations]
    seconds: 45
  - id: bytes
    kind: numeric
    topic: memory
    stem: How many bytes do {N} parameters take at two bytes each?
    draw: {N: [7e9 param]}
    formula:
      title: Bytes of parameters
      source: by definition
      inputs: {N: {is: parameters, unit: param}, w: {is: bytes of one, unit: B/param, default: 2}}
      steps: {total: w * N}
      unit: B
    answer: {unit: GB}
    seconds: 60
  - id: why-node
    kind: text
    topic: parallel
    stem: |
      Why is tensor parallelism kept inside one node?

      ```python
      x = all_reduce(x)
      ```
    seconds: 120
    rubric:
      criteria:
        - {id: often, points: 2, say: It communicates in every layer., accept: ["communicat* {every layer}"]}
        - {id: fast, points: 1, say: Links inside a node are faster., accept: ["nvlink|link* faster|fast"]}
    model_answer: It communicates in every layer and NVLink is faster.
blueprint: x
""".replace("blueprint: x\n", "")


@pytest.fixture(scope="session")
def exam_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An exam of four items: two choices, a number, a text; form-A.html."""
    if BROWSER is None:
        pytest.skip("no Chromium: install the package `chromium` to run the browser tests")
    folder = tmp_path_factory.mktemp("exam")
    bank = folder / "bank"
    bank.mkdir()
    (bank / "items.yaml").write_text(BANK.replace("title: Memory and traffic\n", ""), encoding="utf-8")
    arguments = ["exam", str(bank), "-o", str(folder / "out"), "--seed", "a seed for the browser"]
    assert run([*arguments, "--minutes", "30", "--forms", "2"]) == 0
    return folder / "out"


@pytest.fixture
def profile() -> Iterator[Path]:
    folder = new_profile()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def started() -> Iterator[Chromium]:
    if BROWSER is None:
        pytest.skip("no Chromium: install the package `chromium` to run the browser tests")
    folder = new_profile()
    with Chromium(folder) as one:
        yield one
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def browser(started: Chromium, tmp_path: Path) -> Iterator[Chromium]:
    with started.fresh(tmp_path) as tab:
        yield tab


@pytest.fixture(scope="session")
def axe() -> str:
    source = axe_source()
    if source is None:
        pytest.skip("no axe-core: `npm install --no-save axe-core`, or name axe.min.js in QUIZGEN_AXE")
    return source
