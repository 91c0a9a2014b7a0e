"""The sentences of the shipped items are whole: a comma in an unquoted YAML list cuts a hint in two."""

from __future__ import annotations

from pathlib import Path

import shipped
import yaml
from every import every

from quizgen.model import Item

FILES = sorted((Path(__file__).resolve().parents[2] / "banks").glob("**/*.yaml"))


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


def test_every_item_names_a_source() -> None:
    assert [item.id for item in items() if not item.source] == []


def test_follow_ups_lead_to_items_that_there_are() -> None:
    for name in shipped.NAMES:
        known = shipped.bank(name).items
        for item in known.values():
            assert set(item.follow_ups) <= set(known), item.id
            assert item.id not in item.follow_ups, item.id


@every(FILES)
def test_any_reader_of_yaml_reads_the_banks(path: Path) -> None:
    """A question mark before a bracket, say, is within the standard but not within every reader."""
    assert yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)
