"""`quizgen score`: two forms of different items with some in common, on one scale."""

from __future__ import annotations

import csv
import json
import random
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from scored_logs import Score
from shipped import Command


def test_forms_are_put_on_one_scale(score: Score, tmp_path: Path, command: Command) -> None:
    """Sixty on each of two forms of twelve items, four in common; points, means and scale worked out with numpy."""
    bank = tmp_path / "twelve.yaml"
    bank.write_text(
        "items:\n"
        + "".join(
            f"  - {{id: i{n}, kind: choice, stem: 'Which {n}?', key: right, distractors: [one, two]}}\n"
            for n in range(24)
        )
    )
    out = tmp_path / "exam"
    given = ["--items", "12", "--forms", "2", "--anchor", "4", "--seed", "s"]
    command("exam", bank, "-o", out, *given)
    manifest = json.loads((out / "manifest.json").read_text())
    rng = random.Random(5)
    rows: list[list[str]] = [["candidate", "form", *map(str, range(1, 13))]]
    points: dict[str, list[tuple[int, int]]] = {"A": [], "B": []}
    for number in range(120):
        form = manifest["forms"][number % 2]
        skill = rng.random() - (0.1 if form["form"] == "B" else 0)
        right = {i["n"]: rng.random() < skill for i in form["items"]}
        rows.append([f"c{number}", form["form"]])
        for item in form["items"]:
            wanted = item["options"].index("right")
            rows[-1].append("ABC"[wanted if right[item["n"]] else (wanted + 1) % 3])
        common = sum(right[i["n"]] for i in form["items"] if i["item"] in manifest["anchors"])
        points[form["form"]].append((sum(right.values()), common))
    with (tmp_path / "typed.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    call = ("--sheet", tmp_path / "typed.csv", "--manifest", out / "manifest.json")
    report = json.loads(score(*call, "--format", "json", bank=None)[1])
    y, x = (np.array(points[name], float).T for name in "AB")
    for found, (total, anchor) in zip(report["forms"], (y, x), strict=True):
        told = found["moments"]
        assert (told["n"], told["mean"], told["sd"]) == pytest.approx((60, total.mean(), total.std()))
        assert (told["anchor"], told["anchor_sd"]) == pytest.approx((anchor.mean(), anchor.std()))
    gamma = [np.cov(total, anchor, ddof=0)[0, 1] / anchor.var() for total, anchor in (x, y)]
    delta, spread = x[1].mean() - y[1].mean(), x[1].var() - y[1].var()
    slope = sqrt(
        (y[0].var() + gamma[1] ** 2 * (spread / 2 + delta**2 / 4))
        / (x[0].var() - gamma[0] ** 2 * (spread / 2 - delta**2 / 4))
    )
    middle = y[0].mean() + gamma[1] * delta / 2 - slope * (x[0].mean() - gamma[0] * delta / 2)
    scale = report["forms"][1]["scale"]
    assert (scale["slope"], scale["intercept"]) == pytest.approx((slope, middle))
    assert 0 < scale["error"] < 1
    text = score(*call, bank=None)[1]
    assert f"on the scale of {manifest['exam']}-A: {slope:.4f} x {middle:+.3f} (Tucker)" in " ".join(text.split())
    assert "fewer than 100 candidates on a form" in text
    assert "(Tucker)" in score(*call, "--format", "html", bank=None)[1]
