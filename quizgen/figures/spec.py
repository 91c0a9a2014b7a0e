"""A figure as an item's author writes it: a kind, its settings, and the item's values in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from quizgen.figures.canvas import DrawnAmount, Setting, Settings
from quizgen.formula.errors import FormulaError
from quizgen.formula.quantity import Quantity, parse_any_quantity
from quizgen.formula.show import format_quantity
from quizgen.formula.units import Labels, labels_of
from quizgen.source.problems import Node, Where, printable

NAME_PATTERN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class FigureSpec:
    """A figure in an item file. `settings` have texts as written; a text that names one of the item's values is
    replaced by that value. `labels` are the bank's own units."""

    kind: str
    settings: Mapping[str, object]
    alt: str
    where: Where
    labels: Labels = ()

    def possible_names(self) -> Iterator[str]:
        """Yields the texts of the settings that may be names of values."""
        return (text for text in _texts_in(self.settings) if NAME_PATTERN.fullmatch(text))

    def resolve(self, values: Mapping[str, DrawnAmount]) -> Settings:
        """The settings with amounts in place of texts that name one of `values` or are a quantity."""
        return {name: _fill_values(value, values, self.labels) for name, value in self.settings.items()}


def read_figure_spec(node: Node) -> FigureSpec | None:
    """The figure of `{kind: …, alt: …, setting: …}`; None if a mistake was reported."""
    fields = node.mapping("a drawn figure")
    if "kind" not in fields:
        node.report("a drawn figure needs `kind`", "write {kind: pipeline-schedule, p: 4, m: 8}")
        return None
    alt = printable(fields["alt"].text("alt").strip()) if "alt" in fields else ""
    settings = {name: _plain_value(entry) for name, entry in fields.items() if name not in ("kind", "alt")}
    return FigureSpec(fields["kind"].text("kind").strip(), settings, alt, node.where, labels_of(node.doc.labels))


def figure_amount(quantity: Quantity) -> DrawnAmount:
    """A quantity as a figure draws and prints it."""
    bytes_ = dict(quantity.unit.dim.powers).get("information", 0)
    return DrawnAmount(float(quantity.base / 8**bytes_), format_quantity(quantity))


def _plain_value(node: Node) -> object:
    """The texts, lists and mappings of a node, without places."""
    value = node.value
    if isinstance(value, dict):
        return {name: _plain_value(entry) for name, entry in value.items()}
    return [_plain_value(entry) for entry in value] if isinstance(value, list) else value.strip()


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts_in(inner)


def _fill_values(value: object, values: Mapping[str, DrawnAmount], labels: Labels) -> Setting:
    """A setting (or a part of one) with amounts in place of texts that name one of `values` or are a quantity."""
    if isinstance(value, Mapping):
        return {name: _fill_values(inner, values, labels) for name, inner in value.items()}
    if isinstance(value, list):
        return [_fill_values(inner, values, labels) for inner in value]
    text = str(value)
    if text in values:
        return values[text]
    try:
        return figure_amount(parse_any_quantity(text, labels))
    except FormulaError:
        return text
