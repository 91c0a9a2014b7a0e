"""The key of every numeric item in every drawing, recomputed without the formula engine."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import shipped
from every import every
from oracles.catalogue import agree, in_unit
from oracles.keys import ALL, INLINE, Source, sources

from quizgen.kinds.numeric.item import NumericItem, NumericVariant
from quizgen.model import Outcome

# The formulas of systems-design have oracles of another form: oracles/test_systems_design.py.
NAMES = tuple(name for name in shipped.NAMES if name != "systems-design")


@cache
def numeric_sources() -> list[tuple[str, Source]]:
    return [(name, source) for name in NAMES for source in sources(name)]


def variants(name: str, source: Source) -> list[tuple[dict[str, str], NumericVariant]]:
    """Every drawing that can come up, with the engine's variant of it."""
    item = shipped.bank(name).items[source.id]
    drawn = [(drawing, item.rebuild_variant(drawing, None)) for drawing in source.drawings()]
    return [(drawing, variant) for drawing, variant in drawn if item.meets_requirements(variant.drawn_values)]


def test_every_numeric_item_is_recomputed() -> None:
    for name in NAMES:
        numeric = {i.id for i in shipped.bank(name).items.values() if i.kind == "numeric"}
        assert {source.id for one, source in numeric_sources() if one == name} == numeric
        inline = {
            i.id for i in shipped.bank(name).items.values() if isinstance(i, NumericItem) and i.has_inline_formula
        }
        assert inline <= set(INLINE)


def test_every_drawing_that_check_proves_is_recomputed() -> None:
    for name in NAMES:
        coverages = {i.id: i.checked_variant_counts() for i in shipped.bank(name).items.values() if i.kind == "numeric"}
        for source in (source for one, source in numeric_sources() if one == name):
            coverage = coverages[source.id]
            assert coverage.tried_count == coverage.possible_count == len(list(source.drawings())), source.id
            assert coverage.tried_and_allowed_count == len(variants(name, source)), source.id


@every(numeric_sources)
def test_the_key_of_a_drawing_is_the_recomputed_one_which_is_a_right_response(name: str, source: Source) -> None:
    unit = source.item.get("answer", {}).get("unit", "")
    drawn = variants(name, source)
    assert drawn
    for drawing, variant in drawn:
        expected = source.key(drawing, ALL)
        found = in_unit(variant.answer_target.base_key, variant.item.answer_format.default_unit)
        close = 1e-9 if variant.item.tolerance.relative_share else 0
        assert agree(found, expected, close), (drawing, found, expected)
        assert variant.score(written(expected, unit)).outcome is Outcome.CORRECT, drawing


def written(key: Any, unit: str) -> str:
    """A key as a person with a calculator would copy it."""
    if key is None:
        return "impossible"
    if isinstance(key, bool):
        return "yes" if key else "no"
    if isinstance(key, str):
        return key
    if isinstance(key, list):
        return "(" + ", ".join(written(one, "") for one in key) + ")"
    value = Fraction(key)
    return f"{value.numerator if value.denominator == 1 else format(float(key), '.12g')} {unit}".strip()
