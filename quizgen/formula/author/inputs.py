"""The `inputs:` of a formula."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from quizgen.formula.author.fields import parse_name, read_unit, report
from quizgen.formula.dimensions import BARE
from quizgen.formula.errors import FormulaError
from quizgen.formula.inputs import Input
from quizgen.formula.language.names import ValueKind
from quizgen.formula.quantity import Number, parse_quantity
from quizgen.formula.units import Unit, labels_of
from quizgen.source import Node, did_you_mean, read_number, shorten

FIELDS: Final = (
    "is", "unit", "default", "min", "max", "whole", "one_of", "list", "powers_of_two", "divisor_of",
)  # fmt: skip
MAX_INPUTS: Final = 32
YES_NO: Final = ({"true", "false"}, {"0", "1"}, {"yes", "no"})


def parse_inputs(node: Node | None, constants: Mapping[str, object]) -> dict[str, Input] | None:
    """The inputs by name, in order; None if one of them cannot be used. No `inputs:` means none."""
    if node is None:
        return {}
    entries = node.mapping("inputs")
    if len(entries) > MAX_INPUTS:
        node.report(f"more than {MAX_INPUTS} inputs", "split the formula")
        return None
    found: dict[str, Input] = {}
    usable = node.shape == "mapping"
    for name, entry in entries.items():
        named = parse_name(entry, name, "an input", constants)
        one = _input(entry, name)
        if one is None or not named:
            usable = False
        else:
            found[name] = one
    usable = _divisors_known(entries, found) and usable
    return _words_apart(entries, found) if usable else None


def inputs_alone(node: Node, constants: Mapping[str, object]) -> dict[str, Input | None]:
    """The inputs of a formula with errors of its own, None for one that cannot be read; nothing is
    reported, for the errors are told already."""
    entries = node.value.get("inputs") if isinstance(node.value, dict) else None
    doc = node.doc
    before, suppressed = len(doc.problems), doc.suppressed
    found: dict[str, Input | None] = {}
    for name, entry in entries.value.items() if entries is not None and isinstance(entries.value, dict) else ():
        found[name] = _input(entry, name) if parse_name(entry, name, "an input", constants) else None
    del doc.problems[before:]
    doc.suppressed = suppressed
    return found


def _divisors_known(entries: Mapping[str, Node], found: Mapping[str, Input]) -> bool:
    usable = True
    for name, one in found.items():
        if one.divisor_of and one.divisor_of not in entries:
            place = entries[name].mapping()["divisor_of"]
            hint = did_you_mean(one.divisor_of, entries) or "name another input"
            place.report(f'divisor_of names "{shorten(one.divisor_of)}", which is no input', hint)
            usable = False
    return usable


def _words_apart(entries: Mapping[str, Node], found: dict[str, Input]) -> dict[str, Input] | None:
    """The inputs, unless an enum word is also the name of an input: `scheme == K` would be unclear."""
    for name, one in found.items():
        clash = next((word for word in one.kind.words if word in found), None)
        if clash is not None:
            entries[name].mapping()["one_of"].report(f'"{clash}" is an input too', "choose another word")
            return None
    return found


def _input(node: Node, name: str) -> Input | None:
    fields = node.fields(FIELDS, f"input {shorten(name)}")
    if not fields:
        return None
    if "is" not in fields:
        node.report_key(f'"is" is missing in input "{shorten(name)}"', "add `is:` with what it stands for", "failure")
    unit = read_unit(fields.get("unit"))
    if unit is None:
        return None
    whole = _flag(fields, "whole")
    kind = ValueKind(dim=unit.dim)
    if _flag(fields, "list"):
        kind = ValueKind("list", unit.dim)
    about = fields["is"].text("is").strip() if "is" in fields else name
    powers, labels = _flag(fields, "powers_of_two"), labels_of(node.doc.labels)
    entry = Input(name, about, unit, kind, whole=whole, powers_of_two=powers, labels=labels)
    if "divisor_of" in fields:
        entry = entry._replace(divisor_of=fields["divisor_of"].text("divisor_of"))
    if "one_of" in fields:
        chosen = _one_of(fields["one_of"], entry)
        if chosen is None:
            return None
        entry = chosen
    for bound in ("min", "max"):
        if bound in fields:
            value = _bound(fields[bound], unit)
            if value is None:
                return None
            entry = entry._replace(low=value) if bound == "min" else entry._replace(high=value)
    if entry.low is not None and entry.high is not None and entry.low > entry.high:
        fields["min"].report(f"min is above max in input {shorten(name)}", "swap them")
        return None
    return _with_default(fields, entry)


def _with_default(fields: Mapping[str, Node], entry: Input) -> Input | None:
    if "default" not in fields:
        return entry
    node = fields["default"]
    given = [n.text("default") for n in node.entries("default")] if node.shape == "list" else node.text("default")
    try:
        return entry._replace(default=entry.read(given))
    except FormulaError as error:
        report(node, error)
        return None


def _flag(fields: Mapping[str, Node], name: str) -> bool:
    return bool(fields[name].truth(name)) if name in fields else False


def _bound(node: Node, unit: Unit) -> Number | None:
    try:
        return parse_quantity(node.text("a bound"), unit).base
    except FormulaError as error:
        report(node, error)
        return None


def _one_of(node: Node, entry: Input) -> Input | None:
    """An enum of words, a yes-no, or a closed list of numbers."""
    words = node.texts("one_of")
    if len(words) < 2 or len(set(words)) < len(words):
        node.report("one_of needs two or more different words", "write one_of: [first, second]")
        return None
    if any(set(words) == pair for pair in YES_NO):
        if set(words) == {"0", "1"}:
            return entry._replace(kind=ValueKind(dim=BARE, switch=True), choices=(0, 1))
        return entry._replace(kind=ValueKind("truth"))
    if all(read_number(word) is not None for word in words):
        try:
            return entry._replace(choices=tuple(parse_quantity(word, entry.unit).base for word in words))
        except FormulaError as error:
            report(node, error)
            return None
    usable = True
    for word_node, word in zip(node.entries("one_of"), words, strict=True):
        usable = parse_name(word_node, word, "an enum word", {}) and usable
    return entry._replace(kind=ValueKind("word", words=words)) if usable else None
