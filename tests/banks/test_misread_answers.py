"""Answers that readers of the bank found refused or paid wrongly earn what they deserve."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import wordings_table as table
import yaml
from every import every

FILE = Path(__file__).with_name("misread_answers.yaml")


@cache
def answers() -> list[tuple[str, str, float, float]]:
    """Item, text, and the least and greatest share of the points that it may earn."""
    read = yaml.load(FILE.read_text(encoding="utf-8"), yaml.CBaseLoader)
    return [(name, row["text"], float(row["from"]), float(row["to"])) for name, rows in read.items() for row in rows]


def test_ranges_are_narrow_enough_to_fail() -> None:
    assert all(0 <= least <= most <= 1 and most - least <= 0.6 for _, _, least, most in answers())


@every(answers())
def test_the_answer_earns_its_share(name: str, text: str, least: float, most: float) -> None:
    assert least <= table.share(name, text) <= most
