"""The current plan, in one small file beside the logs."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from quizgen.atomic_write import open_replacement_file
from quizgen.source.problems import Unreadable

if TYPE_CHECKING:  # most sessions have no plan
    from quizgen.coach.plan import StudyPlan

PLAN_FILE_NAME = "plan.json"
MAX_MINUTES_A_DAY = 24 * 60  # minutes of a day


def load_plan(log_folder: Path) -> StudyPlan | None:
    """The plan in a log folder; None if there is none. Raises Unreadable or OSError if it cannot be read."""
    try:
        text = (log_folder / PLAN_FILE_NAME).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    from quizgen.coach.plan import StudyPlan

    try:
        value = json.loads(text)
        plan = StudyPlan(
            str(value["bank"]),
            date.fromisoformat(value["interview"]).toordinal(),
            int(value["minutes"]),
            {str(k): float(v) for k, v in dict(value["weights"]).items()},
            frozenset(date.fromisoformat(day).toordinal() for day in value["rest"]),
            tuple(str(name) for name in value["sealed"]),
        )
        in_range = 0 < plan.minutes_per_day <= MAX_MINUTES_A_DAY
        if not in_range or not all(0 < weight <= 1000 for weight in plan.topic_weights.values()):
            raise ValueError("invalid minutes or weights")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        why = f"{log_folder / PLAN_FILE_NAME} is not a plan ({error}); make a new one with --interview"
        raise Unreadable(why) from None
    return plan


def save_plan(log_folder: Path, plan: StudyPlan) -> None:
    """Writes `plan` into a log folder, in place of an earlier one. Raises OSError if that fails."""
    log_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open_replacement_file(log_folder / PLAN_FILE_NAME) as file:
        file.write(f"{json.dumps(plan_json(plan), indent=1, ensure_ascii=False)}\n".encode())


def plan_json(plan: StudyPlan) -> dict[str, object]:
    """The plan as a dictionary of JSON values."""
    return {
        "version": 1,
        "bank": plan.bank_name,
        "interview": date.fromordinal(plan.interview_day).isoformat(),
        "minutes": plan.minutes_per_day,
        "weights": dict(sorted(plan.topic_weights.items())),
        "rest": [date.fromordinal(day).isoformat() for day in sorted(plan.rest_days)],
        "sealed": list(plan.sealed_item_ids),
    }
