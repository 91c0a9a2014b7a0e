"""A figure as an item's author writes it: a kind, its settings, and the item's values in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quizgen.formula.errors import FormulaError
from quizgen.formula.quantity import Quantity, parse_quantity
from quizgen.formula.show import format_drawn_quantity
from quizgen.formula.units import BankLabels, labels_of
from quizgen.source.problems import Node, Where, printable

VALUE_NAME_PATTERN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class FigureError(ValueError):
    """Settings that cannot be drawn; `hint` is the remedy."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


@dataclass(frozen=True, slots=True)
class FigureAmount:
    """A number in base units, but in bytes instead of bits, and the text that people read."""

    value: float
    text: str

    def __str__(self) -> str:
        return self.text


FigureSetting = FigureAmount | str | Sequence["FigureSetting"] | Mapping[str, "FigureSetting"]
FigureSettings = Mapping[str, FigureSetting]


@dataclass(frozen=True, slots=True)
class FigureSpec:
    """A figure in an item file. `settings` have texts as written; a text that names one of the item's values is
    replaced by that value. `unit_labels` are the bank's own units."""

    kind: str
    settings: Mapping[str, object]
    alt: str
    where: Where
    unit_labels: BankLabels = ()

    def possible_value_names(self) -> Iterator[str]:
        """Yields the texts of the settings that may be names of values."""
        texts: list[str] = []
        _replace_texts_in_setting(self.settings, texts.append)
        return filter(VALUE_NAME_PATTERN.fullmatch, texts)

    def resolve_settings(self, amount_by_name: Mapping[str, FigureAmount]) -> FigureSettings:
        """The settings with amounts in place of texts that name one of `amount_by_name` or are a quantity."""

        def amount_or_text(text: str) -> FigureAmount | str:
            if text in amount_by_name:
                return amount_by_name[text]
            try:
                return figure_amount_of_quantity(parse_quantity(text, None, self.unit_labels))
            except FormulaError:
                return text

        return {name: _replace_texts_in_setting(value, amount_or_text) for name, value in self.settings.items()}


def read_figure_spec(node: Node) -> FigureSpec | None:
    """The figure of `{kind: …, alt: …, setting: …}`; None if a mistake was reported."""
    fields = node.mapping("a drawn figure")
    if "kind" not in fields:
        node.report("a drawn figure needs `kind`", "write {kind: pipeline-schedule, p: 4, m: 8}")
        return None
    alt = printable(fields["alt"].text("alt").strip()) if "alt" in fields else ""
    kind = fields["kind"].text("kind").strip()
    settings = {name: _replace_texts_in_setting(entry, str.strip) for name, entry in fields.items()}
    own = {name: value for name, value in settings.items() if name not in ("kind", "alt")}
    return FigureSpec(kind, own, alt, node.where, labels_of(node.doc.labels))


def figure_amount_of_quantity(quantity: Quantity) -> FigureAmount:
    """A quantity as a figure draws and prints it."""
    bytes_ = dict(quantity.unit.dim.powers).get("information", 0)
    return FigureAmount(float(quantity.base_value / 8**bytes_), format_drawn_quantity(quantity))


def _replace_texts_in_setting(value: object, change: Callable[[str], Any]) -> Any:
    """A setting, or a part of one, with `change(text)` in place of each text; nodes of a file become what they hold."""
    if isinstance(value, Node):
        value = value.value
    if isinstance(value, Mapping):
        return {name: _replace_texts_in_setting(inner, change) for name, inner in value.items()}
    if isinstance(value, list):
        return [_replace_texts_in_setting(inner, change) for inner in value]
    return change(str(value))
