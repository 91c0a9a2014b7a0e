"""`units:` of a bank or an item file: what it counts, and how people write it."""

from __future__ import annotations

import re

from quizgen.formula.errors import FormulaError
from quizgen.formula.units import KNOWN_UNITS, Unit, labels_of, new_labels, parse_unit
from quizgen.source import Node, did_you_mean, shorten

_WORD = re.compile(r"[^\d\s][^\s]*(?: [^\s]+){0,2}")


def read_units(node: Node) -> dict[str, Unit]:
    """Spelling -> unit of `{query: [queries], query/s: [qps, rps]}`; problems are reported on the node.

    A key is a unit, or a new label of at least three small letters, which the bank's files may use from then on.
    """
    found: dict[str, Unit] = {}
    declared = node.doc.labels
    for name, entry in node.mapping("units").items():
        written = [entry.value] if isinstance(entry.value, str) else entry.texts("units")
        words = [" ".join(str(word).split()) for word in written]
        for label in new_labels(name, labels_of(declared)):
            if not (label.endswith("s") and did_you_mean(label, KNOWN_UNITS)):
                declared[label] = words[0] if words and label == name else f"{label}s"
        try:
            unit = parse_unit(name, labels_of(declared))
        except FormulaError as error:
            entry.report_key(error.message, error.hint or "write a unit such as GB, or a label such as query")
            continue
        for word in words:
            if not _WORD.fullmatch(word):
                entry.report(
                    f'"{shorten(word)}" is no way to write a unit', "write one to three words, none of them a number"
                )
            elif found.get(word.casefold(), unit) != unit:
                entry.report(f'"{shorten(word)}" stands for two units', "keep one")
            else:
                found[word.casefold()] = unit
        if unit.dim.label == name:
            found.setdefault(name, unit)
            found.setdefault(unit.plural, unit)
    return found
