"""The variant space of a numeric item: the names that are drawn, their values, and which drawings are allowed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product

from quizgen.draw import SeededRng
from quizgen.formula.author import compute_or_report
from quizgen.formula.definition import Input, InputValue
from quizgen.formula.quantity import Quantity, parse_quantity, value_in_unit
from quizgen.formula.show import format_drawn_quantity
from quizgen.formula.units import BankLabels, Unit
from quizgen.source.problems import Fields, Node, Where, did_you_mean, shorten
from quizgen.stimuli import SharedStimulus

MAX_VALUES_PER_NAME = 10_000  # values of one name
MAX_RANDOM_COMBINATIONS = 100  # random attempts at a drawing that `require` allows, before all drawings are tried
MAX_COMBINATIONS_WALKED = 200_000


@dataclass(frozen=True, slots=True)
class DrawnValue:
    """One value of one name: `written_text` as the author wrote it, `value` as the input `input_entry` takes it (None:
    the name is no input and only fills its place in the stem)."""

    written_text: str
    value: InputValue | None = None
    input_entry: Input | None = None

    @property
    def text_in_stem(self) -> str:
        """The value as people write it: `13B` for a count, `80 GB`, `32`."""
        entry, value = self.input_entry, self.value
        if isinstance(value, tuple):
            return self.written_text.replace(",", ", ")
        if (
            entry is None
            or value is None
            or isinstance(value, str)
            or entry.value_kind.shape in ("word", "truth", "list")
        ):
            return self.written_text
        return _quantity_in_stem(self.written_text, entry.unit, entry.bank_labels)


@dataclass(frozen=True, slots=True)
class DrawnAxis:
    """Names that are drawn together (one name, or the names of `cases`), and the rows of their values."""

    drawn_names: tuple[str, ...]
    value_rows: tuple[tuple[DrawnValue, ...], ...]
    where: Where
    shared_stimulus: SharedStimulus | None = None  # the stimulus that draws the values with a stream of its own

    @property
    def joined_names(self) -> str:
        return "+".join(self.drawn_names)

    def pick_row_index(self, rng: SeededRng, stream_suffix: str) -> int:
        """The index of a random row, another for each `stream_suffix`. All parts of a stimulus get the row that the
        stimulus draws for their seed."""
        if self.shared_stimulus is None:
            return rng.draw_number(self.joined_names + stream_suffix, len(self.value_rows))
        drawn = self.shared_stimulus.drawn_values(rng.seed)
        for number, row in enumerate(self.value_rows):
            if all(
                drawn.get(name, one.written_text) == one.written_text
                for name, one in zip(self.drawn_names, row, strict=True)
            ):
                return number
        raise AssertionError("a shared axis has every row of its stimulus")


@dataclass(frozen=True, slots=True)
class VariantSpace:
    """All drawings of an item: the combinations of the axes' rows. A drawing has one row index for each axis."""

    axes: tuple[DrawnAxis, ...] = ()

    @property
    def row_counts(self) -> tuple[int, ...]:
        """The number of rows of each axis."""
        return tuple(len(axis.value_rows) for axis in self.axes)

    @property
    def drawn_names(self) -> tuple[str, ...]:
        return tuple(name for axis in self.axes for name in axis.drawn_names)

    def possible_values(self, name: str) -> tuple[DrawnValue, ...]:
        """The values that `name` can take; empty if it is not drawn."""
        return tuple(
            row[axis.drawn_names.index(name)]
            for axis in self.axes
            if name in axis.drawn_names
            for row in axis.value_rows
        )

    def values_in_combination(self, combination: tuple[int, ...]) -> dict[str, DrawnValue]:
        """Each name with its value in a drawing."""
        values: dict[str, DrawnValue] = {}
        for axis, index in zip(self.axes, combination, strict=True):
            values.update(zip(axis.drawn_names, axis.value_rows[index], strict=True))
        return values

    def pick_combination(self, rng: SeededRng, attempt: int = 0) -> tuple[int, ...]:
        """A random drawing, another for each `attempt`; every axis has its own random stream."""
        return tuple([axis.pick_row_index(rng, f"#{attempt}" if attempt else "") for axis in self.axes])

    def walk_combinations(self) -> Iterator[tuple[int, ...]]:
        """Yields every drawing; the row of the last axis changes fastest."""
        return product(*map(range, self.row_counts))


def stimulus_axes(stimulus: SharedStimulus, inputs: Mapping[str, Input]) -> tuple[DrawnAxis, ...] | None:
    """The axes of a stimulus with their values read as inputs of a formula; None after a problem was reported."""
    made = []
    for axis in stimulus.axes:
        rows = []
        for nodes in axis.rows:
            row = _read_row(axis.drawn_names, nodes, inputs)
            if row is None:
                return None
            rows.append(row)
        made.append(DrawnAxis(axis.drawn_names, tuple(rows), axis.where, stimulus))
    return tuple(made)


def axis_with_earlier_answer(
    axes: tuple[DrawnAxis, ...], name: str, earlier_answer: Callable[[Mapping[str, DrawnValue]], DrawnValue]
) -> DrawnAxis:
    """One axis that combines all shared axes, with the answer of an earlier part added to each row as `name`. Raises
    FormulaError if a row has no answer."""
    names = tuple(n for axis in axes for n in axis.drawn_names)
    rows = []
    for picked in product(*(axis.value_rows for axis in axes)):
        row = tuple(one for part in picked for one in part)
        rows.append((*row, earlier_answer(dict(zip(names, row, strict=True)))))
    where, shared = (axes[0].where, axes[0].shared_stimulus) if axes else (Where("", 1, 1), None)
    return DrawnAxis((*names, name), tuple(rows), where, shared)


def read_variant_space(fields: Fields, inputs: Mapping[str, Input | None]) -> VariantSpace | None:
    """The drawings from the fields `draw:` and `cases:`; None after a problem was reported. In `inputs`, None stands
    for an input that could not be read; it takes any value."""
    cases = [_read_cases(fields["cases"], inputs)] if "cases" in fields else []
    taken = [name for axis in cases if axis is not None for name in axis.drawn_names]
    drawn = [_read_axis(name, entry, inputs, taken) for name, entry in fields.mapping("draw").items()]
    axes = tuple(axis for axis in (*cases, *drawn) if axis is not None)
    usable = len(axes) == len(cases) + len(drawn) and ("draw" not in fields or fields["draw"].shape == "mapping")
    return VariantSpace(axes) if usable else None


def _read_axis(
    name: str, node: Node, inputs: Mapping[str, Input | None], taken_names: Collection[str]
) -> DrawnAxis | None:
    """The axis of one name under `draw:`; None after a problem was reported, or if its input could not be read.
    `taken_names` are drawn elsewhere."""
    if name in taken_names:
        node.report_key(f"{name} is drawn in cases already", "draw it in one place")
    elif name not in inputs:
        node.report_key(*unknown_input_message(name, inputs))
    elif (given := inputs[name]) is not None and (values := _read_axis_values(node, given)):
        return DrawnAxis((name,), tuple((value,) for value in values), node.where)
    return None


def unknown_input_message(name: str, inputs: Mapping[str, object]) -> tuple[str, str]:
    """Message and hint for a value whose name is not an input."""
    hint = did_you_mean(name, inputs) or f"inputs: {', '.join(inputs) or 'none'}"
    return f'"{shorten(name)}" is not an input of the formula', hint


def _read_axis_values(entry: Node, input_entry: Input) -> list[DrawnValue]:
    if isinstance(entry.value, dict):
        return _read_range(entry, input_entry)
    nodes = entry.entries(input_entry.name)
    if not nodes and isinstance(entry.value, list):
        entry.report(f"{input_entry.name} has no value", "list at least one")
    if len(nodes) > MAX_VALUES_PER_NAME:
        entry.report(f"{input_entry.name} has too many values: {len(nodes):,}", f"at most {MAX_VALUES_PER_NAME:,}")
        return []
    rows: list[DrawnValue] = []
    seen: set[InputValue | None] = set()
    for node in nodes:
        drawn = read_drawn_value(node, input_entry)
        if drawn is None:
            continue
        if drawn.value in seen:
            node.report(f"{drawn.written_text} is listed twice for {input_entry.name}", "keep one", "warning")
        seen.add(drawn.value)
        rows.append(drawn)
    return rows


def read_drawn_value(node: Node, input_entry: Input | None) -> DrawnValue | None:
    """One value of the input `input_entry` from its node; None after a problem was reported, or if the input itself
    could not be read (None)."""
    if input_entry is None:
        return None
    read = node.comma_joined_text if input_entry.value_kind.shape == "list" else node.text
    text = read(input_entry.name).strip()
    if not text:
        return None
    return compute_or_report(node, lambda: parse_drawn_value(text, input_entry))


def parse_drawn_value(text: str, input_entry: Input) -> DrawnValue:
    """The value that a log holds as `text`, for the input `input_entry`. Raises FormulaError."""
    return DrawnValue(text, input_entry.read_value(text), input_entry)


@lru_cache(maxsize=4096)
def _quantity_in_stem(text: str, unit: Unit, bank_labels: BankLabels) -> str:
    """The quantity as people write it. Cached, since the forms of an exam draw the same few values often."""
    return format_drawn_quantity(parse_quantity(text, unit, bank_labels), text)


def _read_range(entry: Node, input_entry: Input) -> list[DrawnValue]:
    fields = entry.fields(("from", "to", "step"), f"the range of {input_entry.name}")
    if not {"from", "to"} <= fields.keys():
        entry.report("a range needs `from` and `to`", "write {from: 8, to: 64, step: 8}")
        return []

    def read_quantity(name: str, unit: Unit) -> Quantity | None:
        place = fields[name]
        return compute_or_report(place, lambda: parse_quantity(place.text(name), unit, input_entry.bank_labels))

    low, high = read_quantity("from", input_entry.unit), read_quantity("to", input_entry.unit)
    unit = low.unit if low is not None else input_entry.unit
    step = read_quantity("step", unit) if "step" in fields else Quantity(1, unit)
    if low is None or high is None or step is None:
        return []
    if step.base_value <= 0:
        rule = "step must not be 0" if step.base_value == 0 else "step must be above 0"
        fields["step"].report_key(rule, "write a step such as 8")
        return []
    if low.base_value > high.base_value:
        entry.report_key(f"{input_entry.name} has no value: from is above to", "swap them")
        return []
    count = int(Fraction(high.base_value - low.base_value) / Fraction(step.base_value)) + 1
    if count > MAX_VALUES_PER_NAME:
        message = f"{input_entry.name} has too many values: {count:,}"
        entry.report_key(message, f"at most {MAX_VALUES_PER_NAME:,}; use a larger step")
        return []
    amounts = (value_in_unit(low.base_value + n * step.base_value, low.unit) for n in range(count))
    texts = [str(Quantity(amount, low.unit)) for amount in amounts]
    return compute_or_report(entry, lambda: [parse_drawn_value(text, input_entry) for text in texts]) or []


def _read_cases(node: Node, inputs: Mapping[str, Input | None]) -> DrawnAxis | None:
    """The field `cases:`, rows of values that belong together, such as the shapes of named models."""
    names: tuple[str, ...] = ()
    rows: list[tuple[DrawnValue, ...]] = []
    seen: set[tuple[InputValue, ...]] = set()
    entries = node.entries("cases")
    for entry in entries:
        case = entry.mapping("a case")
        names = names or tuple(case)
        if set(case) != set(names):
            entry.report("this case names other values than the first", f"give {', '.join(names)}")
        elif (row := _read_row(names, [case[name] for name in names], inputs)) is not None:
            values = tuple(one.written_text if one.value is None else one.value for one in row)
            if values in seen:
                entry.report("this case is listed twice", "keep one", "warning")
            seen.add(values)
            rows.append(row)
    if not entries:
        node.report("cases are empty", "list at least one `- {name: value}`")
    return DrawnAxis(names, tuple(rows), node.where) if rows and len(rows) == len(entries) else None


def _read_row(
    names: Sequence[str], nodes: Sequence[Node], inputs: Mapping[str, Input | None]
) -> tuple[DrawnValue, ...] | None:
    """The values of the names in one row; None after a problem was reported. A name that is not an input only fills its
    place in the stem."""
    made = [
        read_drawn_value(node, inputs[name]) if name in inputs else DrawnValue(node.text(name))
        for name, node in zip(names, nodes, strict=True)
    ]
    row = tuple(one for one in made if one is not None)
    return row if len(row) == len(made) else None
