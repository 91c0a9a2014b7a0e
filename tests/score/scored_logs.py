"""A bank of three items, good lines of a log, and what the fixtures of this folder are."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

ITEMS = """
topic: zero
items:
  - id: shards
    kind: choice
    stem: What does ZeRO stage 1 slice?
    key: The optimizer states
    distractors:
      - The parameters
      - text: The gradients
        because: Gradients are sliced from stage 2 on.
  - id: state
    topic: memory
    kind: numeric
    stem: How much on each of {K} GPUs, with {N} parameters?
    draw: {N: [7e9 param, 13e9 param], K: [8, 32]}
    formula:
      inputs: {N: {is: number of parameters, unit: param}, K: {is: ranks, unit: 1, min: 1}}
      steps: {replicated: 2 B/param * N, state: replicated + 14 B/param * N / K}
      unit: B
      misconceptions:
        - {id: gradients-replicated, value: 4 B/param * N + 12 B/param * N / K, say: That is ZeRO-1.}
    answer: {unit: GB, tolerance: 1%}
  - id: node
    kind: text
    stem: Why inside one node?
    rubric:
      criteria:
        - {id: every-layer, points: 2, say: It communicates in every layer., accept: ["communicat* {every layer|each layer}"]}
        - {id: bandwidth, points: 1, say: NVLink is faster., accept: ["nvlink faster|bandwidth"]}
"""

GOOD = [
    {"candidate": "a1", "item": "state", "given": {"N": 13e9, "K": 32}, "response": "31.7 GB"},
    {"candidate": "a1", "item": "shards", "response": "The optimizer states"},
    {"candidate": "a1", "item": "node", "response": "They communicate in every layer."},
    {"candidate": "b2", "item": "state", "given": {"N": "13e9 param", "K": "32"}, "response": "56.9 GB"},
    {"candidate": "b2", "item": "shards", "response": "The gradients"},
]

Score = Callable[..., tuple[int, str, str]]
Log = Callable[..., Path]
Typed = Callable[[str], tuple[object, ...]]
Exam = dict[str, Any]  # a manifest


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def table(text: str) -> list[dict[str, str]]:
    """The rows of a CSV with headers."""
    return list(csv.DictReader(io.StringIO(text, newline="")))


def sheet_of(*rows: Iterable[object]) -> str:
    """Rows as CSV."""
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()


def totals(out: str) -> dict[str | None, tuple[float, float]]:
    """Earned and possible by candidate, of a JSON report."""
    return {c["candidate"]: (c["earned"], c["possible"]) for c in json.loads(out)["candidates"]}


def signed(content: dict[str, Any]) -> str:
    """A file of answers or marks as JSON, with the checksum of docs/exams-reference.md."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return json.dumps({**content, "checksum": f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"})
