"""The sentences of the shipped items are whole: a comma in an unquoted YAML list cuts a hint in two. Every item in use
names its skill, and a skill has two or three items, so that practice can vary. And every number that the banks print
can be typed as it stands, and is written one way."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
import shipped
import yaml
from every import every

from quizgen.draw import SeededRng
from quizgen.formula.quantity import Reading, is_within_share
from quizgen.formula.show import derivation_of
from quizgen.kinds.numeric.item import NumericItem
from quizgen.model import Item
from quizgen.numbers.answer import AnswerFormat
from quizgen.numbers.read import read_response

FOLDER = Path(__file__).resolve().parents[2] / "banks"
FILES = sorted(FOLDER.glob("**/*.yaml"))


def items() -> list[Item]:
    return [item for name in shipped.NAMES for item in shipped.bank(name).items.values()]


@every(items)
def test_hints_and_givens_are_whole_sentences(item: Item) -> None:
    for text in (*item.hints, *item.facts_on_request):
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


BANKS = ("distributed-training", "git")
LONG = re.compile(r"(?<![\d.,/e-])\d{4,}(?![\d]*[eE])")  # four digits or more in a row, before any decimal point
CLOSE = Fraction(1, 1000)  # four significant figures


def numeric(bank: str) -> Iterator[NumericItem]:
    yield from (item for item in shipped.bank(bank).items.values() if isinstance(item, NumericItem))


def printed(bank: str) -> Iterator[tuple[str, AnswerFormat, Fraction]]:
    """What is printed, what a reader would be asked there, and the amount in base units: every value that is
    drawn, and every step of one solution."""
    for item in numeric(bank):
        kind = replace(item.answer_format, answer_type="number", is_whole=False)
        for axis in item.variant_space.axes:
            for each in {one for row in axis.drawable_rows for one in row if one.formula_input is not None}:
                entry, value = each.formula_input, each.slot_value
                if isinstance(value, int | Fraction) and entry.value_kind.type == "number":
                    yield each.text_in_stem, replace(kind, default_unit=entry.unit), Fraction(value)
        if item.inverse_spec is None:
            evaluation = item.draw(SeededRng(item.id, "1")).evaluation
            for step, shown in zip(item.formula.steps, derivation_of(evaluation).steps, strict=True):
                answer = evaluation.value_of_input_or_step(step.name)
                if isinstance(answer, int | float | Fraction) and not isinstance(answer, bool):
                    yield shown.value, replace(kind, default_unit=step.unit), Fraction(answer)


@pytest.mark.parametrize("bank", BANKS)
def test_what_is_printed_can_be_typed(bank: str) -> None:
    seen = 0
    for text, asked, amount in printed(bank):
        found = read_response(text, asked)
        assert isinstance(found, Reading), (text, asked.default_unit)
        assert is_within_share(found.base_value, amount, CLOSE), (text, asked.default_unit, found.read_as)
        assert is_within_share(read_response(found.read_as, asked).base_value, amount, CLOSE), (text, found.read_as)
        seen += 1
    assert seen > 20


@pytest.mark.parametrize("bank", BANKS)
def test_thousands_are_apart_by_commas_everywhere(bank: str) -> None:
    """In stems with their values, keys and printed steps; a formula's own text has none, for there a comma is a list's."""
    for text, _, _ in printed(bank):
        assert not LONG.search(text), text
    for item in numeric(bank):
        variant = item.draw(SeededRng(item.id, "1"))
        assert not LONG.search(variant.key_text()), (item.id, variant.key_text())
        if item.inverse_spec is None:
            for step in derivation_of(variant.evaluation).steps:
                assert not re.search(r"\d,\d{3}", step.substituted), (item.id, step.substituted)


@pytest.mark.parametrize("bank", BANKS)
def test_authors_write_the_same_way(bank: str) -> None:
    """Stems as they are written in the shipped files; a year stands as it is."""
    for item in numeric(bank):
        stem = re.sub(r"`[^`]*`|\$[^$]*\$", " ", item.stem)
        assert not [n for n in LONG.findall(stem) if not 1900 < int(n) < 2100], (item.id, stem)
