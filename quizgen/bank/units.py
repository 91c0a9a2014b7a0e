"""Reads the field `units` of a bank or an item file: the units it declares, and their spellings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quizgen.formula import FormulaError
from quizgen.formula.units import CURRENCIES, KNOWN_UNITS, Unit, as_bank_units, find_unit, new_unit_labels, parse_unit
from quizgen.source.problems import DeclaredUnits, Node, did_you_mean, shorten

_UNIT_SPELLING_PATTERN = re.compile(r"[^\d\s,:;][^\s,:;]*(?: [^\s,:;]+){0,2}")
_AMOUNT_PATTERN = re.compile(r"(\d{1,18}(?:\.\d{1,18}|/[1-9]\d{0,17})?) ?([^\d\s].*)")  # 0.01 %, 1/12 year

# Units with a fixed meaning, where the author declares nothing else.
_USUAL_UNIT_SIZES = {"bp": "0.01 %", "bps": "0.01 %", "basis-point": "0.01 %", "permille": "0.1 %", "cent": "0.01 USD"}


def parse_unit_by_spelling(node: Node) -> dict[str, Unit]:
    """The units by spelling, from a node such as `{query: [queries], query/s: [qps, rps]}`; problems are reported on
    the node.

    A key is a unit, or a new label of small letters (or a currency's code), which the bank's files may then use; an
    amount in its list (`basis-point: [bp, 0.01 %]`) defines its size."""
    spellings: dict[str, Unit] = {}
    declared = node.doc.declared_units
    entries = dict(node.mapping("units"))
    while entries:  # in the file's order, but for sizes in units that are declared further down
        name = next((n for n in entries if _are_size_units_known(entries[n], declared)), next(iter(entries)))
        entry = entries.pop(name)
        texts = [entry.value] if isinstance(entry.value, str) else entry.texts("units")
        new_labels, words = _declare_labels_drop_size(name, [" ".join(str(word).split()) for word in texts], declared)
        try:
            unit = parse_unit(name, as_bank_units(declared))
        except FormulaError as error:
            entry.report_at_key(error.message, error.hint or "write a unit such as GB, or a label such as query")
            continue
        for word in words:
            if size := _AMOUNT_PATTERN.fullmatch(word):
                hint = f"declare {shorten(size[2])} too, or correct the word"
                entry.report(f'"{shorten(word)}" is not a size in another unit', hint)
            elif not _UNIT_SPELLING_PATTERN.fullmatch(word):
                hint = "write a list of ways, each of one to three words, or, for a label, its size in known units"
                entry.report(f'"{shorten(word)}" is not a way to write a unit', hint)
            elif spellings.setdefault(word.casefold(), unit) != unit:
                entry.report(f'"{shorten(word)}" means two units', "keep one")
        # A fresh unit query/s also declares queries; but in USD/month the month is a calendar month.
        for label in {name, *(set(new_labels) - {"month"})} & set(declared):
            label_unit = parse_unit(label, as_bank_units(declared))
            spellings.setdefault(label, label_unit)
            spellings.setdefault(declared[label][0], label_unit)
    labels = as_bank_units(declared)
    declared |= {word: (unit.symbol,) for word, unit in spellings.items() if find_unit(word, labels) is None}
    return spellings


def _are_size_units_known(entry: Node, declared: DeclaredUnits) -> bool:
    """Whether the sizes in the list of a label are in units that are known by now."""
    words = entry.value if isinstance(entry.value, list) else [entry]
    sizes = [match for word in words if (match := _AMOUNT_PATTERN.fullmatch(str(word.value)))]
    return all(find_unit(size[2], as_bank_units(declared)) is not None for size in sizes)


def _declare_labels_drop_size(
    unit_text: str, spellings: Sequence[str], declared: DeclaredUnits
) -> tuple[tuple[str, ...], list[str]]:
    """Adds to `declared` the labels in a unit's spelling `unit_text` that it lacks, so that later keys may use them.
    Returns these labels, and `spellings` without the word that defines their size."""
    labels = as_bank_units(declared)
    new_labels = new_unit_labels(unit_text, labels)
    amounts = (match for word in spellings if (match := _AMOUNT_PATTERN.fullmatch(word)))
    sizes = (match[0] for match in amounts if find_unit(match[2], labels) is not None)
    size_text = next(sizes, "") if unit_text in new_labels or unit_text in declared else ""
    spellings = [word for word in spellings if word != size_text]
    for label in new_labels:
        if not (label.endswith("s") and did_you_mean(label, KNOWN_UNITS)):
            size = _AMOUNT_PATTERN.sub(r"\1 \2", size_text or _USUAL_UNIT_SIZES.get(unit_text, ""))
            declared[label] = _plural_of_label(label, spellings if label == unit_text else ()), size
    return new_labels, spellings


def _plural_of_label(label: str, spellings: Sequence[str]) -> str:
    """The plural of a label: the author's first word, or by rule (queries, branches, hosts); a currency's is its
    code."""
    if label in CURRENCIES or spellings:
        return label if label in CURRENCIES else spellings[0]
    if label.endswith("y") and label[-2] not in "aeiou":
        return f"{label[:-1]}ies"
    return label + ("es" if label.endswith(("s", "x", "ch", "sh")) else "s")


def parse_unit_by_spelling_and_warn(node: Node) -> dict[str, Unit]:
    """The units of a bank or an item file by spelling. Warns of a spelling that hides a standard one."""
    units = parse_unit_by_spelling(node)
    for entry in node.mapping("units").values():
        nodes = entry.value if isinstance(entry.value, list) else [entry]
        for word in (str(one.value) for one in nodes):
            unit = units.get(word.casefold())
            if unit is not None and (meaning := _hidden_standard_meaning_text(word, unit)):
                note = "; where minutes or hours are asked it stays minutes" if word == "m" else ""
                message = f'"{word}" usually means {meaning}; in this bank it is read as {unit.plural_symbol}{note}'
                entry.report(message, "leave it out of `units:` if people may mean the usual one", "warning")
    return units


def _hidden_standard_meaning_text(word: str, unit: Unit) -> str:
    """The standard meaning that `word` loses in a bank that uses it for `unit`, such as "minutes or a million" for m;
    empty if it has none."""
    from quizgen.numbers import words
    from quizgen.numbers.amounts import unit_of_word

    if word in words.AMBIGUOUS_UNIT_SPELLINGS:
        return "minutes, milliseconds or a million"
    standard_unit = unit_of_word(word)
    if standard_unit is not None and (standard_unit.dim, standard_unit.factor) != (unit.dim, unit.factor):
        return standard_unit.plural_symbol
    factor = words.FACTOR_BY_MAGNITUDE_LETTER.get(word) or words.FACTOR_BY_MAGNITUDE_WORD.get(word)
    return f"a factor of {factor:,}" if factor else ""
