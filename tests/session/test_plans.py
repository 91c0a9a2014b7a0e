"""A plan on disk: back as it was saved, and what holds none is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quizgen.coach.plan import Plan
from quizgen.session import plan_file

PLAN = Plan("bank", 739_200, 45, {"zero": 2.0}, frozenset({739_190}), ("a", "b"))


@pytest.mark.parametrize("plan", [PLAN, Plan("bank", 739_200, 24 * 60, {"zero": 1000.0, "git": 0.5})])
def test_a_plan_comes_back(tmp_path: Path, plan: Plan) -> None:
    """Also one with the most that a plan may say."""
    assert plan_file.load_plan(tmp_path) is None
    plan_file.save_plan(tmp_path, plan)
    assert plan_file.load_plan(tmp_path) == plan


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        ({"minutes": 0}, "invalid minutes or weights"),
        ({"minutes": 24 * 60 + 1}, "invalid minutes or weights"),
        ({"weights": {"zero": 0}}, "invalid minutes or weights"),
        ({"weights": {"zero": 1001}}, "invalid minutes or weights"),
        ({"interview": "soon"}, "is not a plan"),
        ({"rest": None}, "is not a plan"),
    ],
)
def test_what_is_no_plan_is_told(tmp_path: Path, damage: dict[str, object], why: str) -> None:
    plan_file.save_plan(tmp_path, PLAN)
    path = tmp_path / plan_file.PLAN_FILE_NAME
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | damage), encoding="utf-8")
    with pytest.raises(plan_file.InvalidPlan, match=why):
        plan_file.load_plan(tmp_path)
