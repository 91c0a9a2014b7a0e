"""What every part of a formula file is read with: names, units, constants, and reports at a column."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from quizgen.formula.definition import Constant
from quizgen.formula.errors import FormulaError
from quizgen.formula.language.parse import is_reserved
from quizgen.formula.quantity import parse_quantity
from quizgen.formula.units import ONE, Unit, labels_of, parse_unit
from quizgen.source import Node, shorten

CONSTANT: Final = ("value", "unit", "source", "date", "is", "title")
NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
DATE: Final = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")
MAX_NAME: Final = 32  # of a name inside expressions
MAX_TITLE: Final = 64  # of the name of a formula


def report(node: Node, error: FormulaError, within: str = "", severity: str = "error") -> None:
    """An engine's error at its column inside a node's expression."""
    message = f"{error.message} in {within}" if within else error.message
    node.report_at(error.column or 0, message, error.hint, severity)


def parse_name(node: Node, name: str, what: str, taken: Mapping[str, object], limit: int = MAX_NAME) -> bool:
    """Whether a name can be used; reports at its key where it cannot."""
    if not NAME.fullmatch(name) or len(name) > limit:
        hint = f"use up to {limit} letters, digits and _, a letter first"
        node.report_key(f'"{shorten(name)}" is no name of {what}', hint)
    elif is_reserved(name):
        node.report_key(f'"{name}" is a word of the formula language', "choose another name")
    elif name in taken:
        node.report_key(f'"{name}" is already a name here', "choose another name")
    else:
        return True
    return False


def read_unit(node: Node | None, usual: Unit = ONE) -> Unit | None:
    """The unit of a `unit:` field, or the usual one where none is written; None after reporting it."""
    if node is None:
        return usual
    text = node.text("unit")
    if not text:
        return None
    try:
        return parse_unit(text, labels_of(node.doc.labels))
    except FormulaError as error:
        report(node, error)
        return None


def parse_constant(node: Node, name: str) -> Constant | None:
    fields = node.fields(CONSTANT, f"constant {shorten(name)}")
    if not fields or not parse_name(node, name, "a constant", {}):
        return None
    for needed in ("value", "source", "date"):
        if needed not in fields:
            severity = "error" if needed == "value" else "failure"
            node.report_key(f'{needed} is missing in constant "{name}"', f"add `{needed}: …`", severity)
    unit = read_unit(fields.get("unit"))
    if "value" not in fields or unit is None:
        return None
    try:
        quantity = parse_quantity(fields["value"].text("value"), unit)
    except FormulaError as error:
        report(fields["value"], error)
        return None
    told = {n: fields[n].text(n).strip() if n in fields else "" for n in ("title", "is", "source", "date")}
    if told["date"] and not DATE.fullmatch(told["date"]):
        fields["date"].report(f'"{shorten(told["date"])}" is no date', "write 2024, 2024-03 or 2024-03-21", "failure")
    return Constant(name, quantity, told["is"] or told["title"], told["source"], told["date"])
