"""The sentences of the shipped items are whole: a comma in an unquoted YAML list cuts a hint in two. And every item in use
names its skill, and a skill has two or three items, so that practice can vary."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
import shipped
import yaml
from every import every

from quizgen.model import Item

FOLDER = Path(__file__).resolve().parents[2] / "banks"
FILES = sorted(FOLDER.glob("**/*.yaml"))


def items() -> list[Item]:
    return [item for name in shipped.NAMES for item in shipped.bank(name).items.values()]


@every(items)
def test_hints_and_givens_are_whole_sentences(item: Item) -> None:
    for text in (*item.hints, *item.given):
        assert not text[0].islower(), text
        assert text.rstrip().endswith((".", "?", "!", ")", "`", "$")), text


@every(items)
def test_stem_and_rationale_are_whole_sentences(item: Item) -> None:
    words = item.stem.removesuffix("```").rpartition("```")[0] if item.stem.endswith("```") else item.stem
    assert words.rstrip().endswith((".", "?", "!", ")", ":")), item.stem
    assert not item.rationale or item.rationale.rstrip().endswith((".", "!", ")")), item.rationale
    assert len(item.stem.split()) >= 5, item.stem
    assert item.source, "every item names a source"


@every(FILES)
def test_any_reader_of_yaml_reads_the_banks(path: Path) -> None:
    """A question mark in an unquoted text of a list, or a tab, is within the standard but not within every reader."""
    depth = 0
    text = path.read_text(encoding="utf-8")
    assert "\t" not in text
    for token in yaml.scan(text, yaml.CBaseLoader):
        depth += isinstance(token, yaml.FlowSequenceStartToken | yaml.FlowMappingStartToken)
        depth -= isinstance(token, yaml.FlowSequenceEndToken | yaml.FlowMappingEndToken)
        if depth and isinstance(token, yaml.ScalarToken) and token.plain:
            assert "?" not in token.value, token.value


def skills(name: str) -> Counter[str]:
    return Counter(item.skill for item in shipped.bank(name).items.values() if item.status == "active")


@pytest.mark.parametrize("name", shipped.NAMES)
def test_a_skill_is_named_by_each_item_and_has_two_or_three(name: str) -> None:
    """Each names its own, in its file."""
    files = [path.read_text(encoding="utf-8") for path in (FOLDER / name).glob("*.yaml")]
    named = [skill for text in files for skill in re.findall(r"^    skill: [a-z0-9-]+$", text, re.MULTILINE)]
    assert len(named) == len(shipped.bank(name).items)
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
