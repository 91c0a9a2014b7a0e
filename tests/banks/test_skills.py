"""Every item in use names its skill, and a skill has two or three items, so that practice can vary."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
import shipped

FOLDER = Path(__file__).resolve().parents[2] / "banks"


@cache
def skills(name: str) -> Counter[str]:
    return Counter(item.skill for item in shipped.bank(name).items.values() if item.status == "active")


@pytest.mark.parametrize("name", shipped.NAMES)
def test_every_item_names_its_skill_in_its_file(name: str) -> None:
    files = [path.read_text(encoding="utf-8") for path in (FOLDER / name).glob("*.yaml")]
    assert sum(len(re.findall(r"^    skill: [a-z0-9-]+$", text, re.MULTILINE)) for text in files) == len(
        shipped.bank(name).items
    )


@pytest.mark.parametrize("name", shipped.NAMES)
def test_a_skill_has_two_or_three_items(name: str) -> None:
    counts = list(skills(name).values())
    assert 2 <= sum(counts) / len(counts) <= 3.2
    assert sum(2 <= one <= 4 for one in counts) >= 0.8 * len(counts)
    assert max(counts) <= 7


def test_items_of_a_skill_are_of_one_topic_or_two() -> None:
    topics: dict[str, set[str]] = {}
    for item in shipped.bank(shipped.NAMES[0]).items.values():
        if item.status == "active":
            topics.setdefault(item.skill, set()).add(item.topic)
    assert [skill for skill, found in topics.items() if len(found) > 3] == []
