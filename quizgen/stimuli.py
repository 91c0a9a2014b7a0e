"""Stimuli: a text that several items share, printed once, with drawn values that all of its parts share.

Each part draws a shared value from the stimulus's own stream, so that all parts on a form have the same value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from quizgen import markdown
from quizgen.draw import SeededRng
from quizgen.formula import FormulaError
from quizgen.formula.quantity import parse_quantity, without_thousands_commas
from quizgen.formula.show import format_drawn_quantity
from quizgen.formula.units import BankUnits, as_bank_units
from quizgen.inline import Image
from quizgen.page import Paragraph, Stimulus
from quizgen.source.problems import Location, Node, printable, shorten

STIMULUS_FIELD_NAMES = ("id", "text", "draw", "cases", "figure", "topic")
STIMULUS_ID_PATTERN = re.compile(r"[a-z0-9-]+")
_WORD_BY_UNIT = {
    "s": "second", "ms": "millisecond", "us": "microsecond", "min": "minute", "h": "hour", "%": "percent",
    "B": "byte", "KB": "kilobyte", "MB": "megabyte", "GB": "gigabyte", "TB": "terabyte",
}  # fmt: skip
# A name in braces is a placeholder; inside $…$ braces belong to TeX unless they enclose a drawn name.
PLACEHOLDER_PATTERN = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


@dataclass(frozen=True, slots=True)
class DrawnValueTable:
    """Names that are drawn together, and rows of YAML nodes, one node per name."""

    drawn_names: tuple[str, ...]
    node_rows: tuple[tuple[Node, ...], ...]
    location: Location

    def row_texts_by_name(self, index: int) -> dict[str, str]:
        """The values of a row by name, as the author wrote them."""
        return {n: str(node.value).strip() for n, node in zip(self.drawn_names, self.node_rows[index], strict=True)}


@dataclass(frozen=True, slots=True)
class SharedStimulus:
    """A stimulus: its Markdown text with placeholders for drawn values, and its figure (alt text, path)."""

    id: str
    text: str
    location: Location
    drawn_value_tables: tuple[DrawnValueTable, ...] = ()
    image_alt_and_path: tuple[str, str] = ("", "")
    bank_units: BankUnits = ()

    @property
    def drawn_names(self) -> frozenset[str]:
        return frozenset(name for table in self.drawn_value_tables for name in table.drawn_names)

    def drawn_value_text_by_name(self, seed: str, given: Mapping[str, str] | None = None) -> dict[str, str]:
        """The drawn values by name for a seed; values in `given` take precedence."""
        stream, texts = SeededRng(self.id, seed), dict[str, str]()
        for table in self.drawn_value_tables:
            texts |= table.row_texts_by_name(stream.draw_index("+".join(table.drawn_names), len(table.node_rows)))
        return texts | {name: text for name, text in (given or {}).items() if name in texts}

    def block_from_drawn_values(self, drawn_values: Mapping[str, str]) -> Stimulus:
        """The stimulus as a candidate sees it, with the values in `drawn_values`."""
        content = markdown.markdown_blocks(text_with_drawn_values(self.text, drawn_values, self.bank_units))
        alt, path = self.image_alt_and_path
        return Stimulus(self.id, (*content, Paragraph((Image(alt, path),))) if path else content)


def text_with_drawn_values(text: str, drawn_values: Mapping[str, str], bank_units: BankUnits = ()) -> str:
    """A text with its placeholders replaced by values in people's spelling; `bank_units` are the bank's own units."""
    return fill_in_placeholders(text, {n: respell_drawn_value(value, bank_units) for n, value in drawn_values.items()})


def fill_in_placeholders(text: str, text_by_name: Mapping[str, str]) -> str:
    """A text with its placeholders replaced by the texts in `text_by_name`; code spans get no separators."""

    def value(match: re.Match[str]) -> str:
        value_text = text_by_name.get(match[1], match[0])
        return without_thousands_commas(value_text) if text.count("`", 0, match.start()) % 2 else value_text

    return PLACEHOLDER_PATTERN.sub(value, text)


def value_print_problems(text: str, value_text_by_name: Mapping[str, str]) -> Iterator[tuple[int, str, str]]:
    """Yields (offset, message, hint) for each placeholder whose value reads badly in the text."""
    for match in PLACEHOLDER_PATTERN.finditer(text):
        value = value_text_by_name.get(match[1], "")
        if re.search(r"\d ?1/[a-z]", value):
            hint = "draw a count with its word, such as commit/s, which `units:` may declare"
            yield match.start(), f'{match[0]} prints as "{value}"', hint
        word = re.search(r"\d[A-Za-z]? ?([A-Za-z%-]+)$", value)
        suffix = re.match(r" ([A-Za-z-]{3,})", text[match.end() :])
        if word and suffix and suffix[1].casefold().rstrip("s") in (word[1].rstrip("s"), _WORD_BY_UNIT.get(word[1])):
            message = f'{match[0]} prints as "{value}", and "{suffix[1]}" follows'
            yield match.start(), message, "leave the word out of the stem"


def respell_drawn_value(text: str, bank_units: BankUnits = ()) -> str:
    """A drawn value in people's spelling: `2 GB` for `2e9 B`; `80 GB`, `1460 B` and words unchanged."""
    try:
        return format_drawn_quantity(parse_quantity(text, None, bank_units), text)
    except FormulaError:
        number, _, label = text.partition(" ")
        return f"{respell_drawn_value(number)} {label}" if label and not number.isalpha() else text


def read_stimulus_by_id(node: Node) -> dict[str, SharedStimulus]:
    """The stimuli of an item file by id; problems are reported on their nodes."""
    stimulus_by_id: dict[str, SharedStimulus] = {}
    for entry in node.entries("stimuli"):
        if (stimulus := _read_stimulus(entry)) is None:
            continue
        if stimulus.id in stimulus_by_id:
            entry.report(f'stimulus "{stimulus.id}" appears twice', "give each an id of its own")
        stimulus_by_id.setdefault(stimulus.id, stimulus)
    return stimulus_by_id


def _read_stimulus(node: Node) -> SharedStimulus | None:
    fields = node.fields(STIMULUS_FIELD_NAMES, "a stimulus")
    name = fields["id"].text("id").strip() if "id" in fields else ""
    text = fields["text"].text("text") if "text" in fields else ""
    if "id" not in fields or "text" not in fields:
        node.report("a stimulus needs `id` and `text`", "write what its parts are about")
    elif name and not STIMULUS_ID_PATTERN.fullmatch(name):
        fields["id"].report("id may hold only a-z, 0-9 and -", "write it like cluster-a")
    tables = []
    for value, values in fields["draw"].mapping("draw").items() if "draw" in fields else ():
        if values.shape == "mapping":
            values.report(f"{value} is a range", "list the values that a stimulus draws")
        elif rows := tuple((one,) for one in values.entries(value) if one.text(value)):
            tables.append(DrawnValueTable((value,), rows, values.location))
    tables += _read_case_tables(fields["cases"]) if "cases" in fields else []
    figure = figure_alt_and_path_or_empty(fields["figure"]) if "figure" in fields else ("", "")
    stimulus = SharedStimulus(
        name, text.rstrip("\n"), node.location, tuple(tables), figure, as_bank_units(node.doc.declared_units)
    )
    if "text" in fields:
        _report_undrawn_names_and_badly_printed_values(fields["text"], text, stimulus)
    return stimulus if name and STIMULUS_ID_PATTERN.fullmatch(name) and text else None


def _report_undrawn_names_and_badly_printed_values(node: Node, text: str, stimulus: SharedStimulus) -> None:
    """Reports names in the text that nothing draws, and drawn values that read badly there."""
    for match in PLACEHOLDER_PATTERN.finditer(re.sub(r"(\$\$?)[^$]*\1", lambda m: " " * len(m[0]), text)):
        if match[1] not in stimulus.drawn_names:
            hint = f"drawn: {', '.join(sorted(stimulus.drawn_names)) or 'nothing'}"
            node.report_at_offset(match.start(), f'"{shorten(match[0])}" in the text is not drawn', hint)
    values = (value for table in stimulus.drawn_value_tables for value in table.row_texts_by_name(0).items())
    text_by_name = {name: respell_drawn_value(value, stimulus.bank_units) for name, value in values}
    for offset, message, hint in value_print_problems(text, text_by_name):
        node.report_at_offset(offset, message, hint, "warning")


def _read_case_tables(node: Node) -> list[DrawnValueTable]:
    rows = [entry.mapping("a case") for entry in node.entries("cases")]
    if not rows:
        node.report("cases are empty", "list at least one `- {name: value}`")
        return []
    names = tuple(rows[0])
    if any(tuple(row) != names for row in rows):
        node.report("the cases name different values", f"give each {', '.join(names)}, in this order")
    values = (tuple(row.values()) for row in rows if tuple(row) == names)  # without values, its parts were faulty too
    return [DrawnValueTable(names, tuple(values), node.location)]


def figure_alt_and_path_or_empty(node: Node) -> tuple[str, str]:
    """The alt text and the path in a node such as `figure: {file:, alt:}`."""
    fields = node.fields(("file", "alt"), "a figure")
    if "file" not in fields or "alt" not in fields:
        node.report("a figure needs `file` and `alt`", "say in `alt` what it shows, for those who cannot see it")
        return ("", "")
    return printable(fields["alt"].text("alt").strip()), fields["file"].text("file").strip()
