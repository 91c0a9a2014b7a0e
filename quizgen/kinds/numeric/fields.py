"""The fields of a numeric item, read from a bank's file: drawings, answer, fixed inputs, requirements, the bound of an
inverse problem."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import chain, product
from typing import Any

from quizgen.draw import SeededRng
from quizgen.figures import FigureSpec
from quizgen.formula import FormulaError, author, mistakes
from quizgen.formula.author import compute_or_report, parse_formula, parse_requirement, parse_unit_field_or_default
from quizgen.formula.definition import WORDS_AND_TEST_BY_RELATION_NAME, Formula, Input, InputValue
from quizgen.formula.expression import NameNode, Operation
from quizgen.formula.quantity import MIN_TOLERANCE_SHARE_WARNED_OF, Quantity, Tolerance, parse_quantity, value_in_unit
from quizgen.formula.show import format_drawn_quantity
from quizgen.formula.units import DATA_DIMENSION, BankUnits, Unit, as_bank_units
from quizgen.kinds import common
from quizgen.numbers.answer import AnswerFormat, AnswerType
from quizgen.numbers.read import answer_format_in_words_of_stem
from quizgen.source.problems import Fields, Location, Node, did_you_mean, shorten
from quizgen.stimuli import PLACEHOLDER_PATTERN, SharedStimulus, value_print_problems

MAX_VALUES_PER_NAME = 10_000  # values of one name
MAX_RANDOM_DRAW_ATTEMPTS = 100  # random attempts at a drawing that `require` allows, before all drawings are tried
MAX_ORDERED_DRAW_ATTEMPTS = 200_000


@dataclass(frozen=True, slots=True)
class DrawnValue:
    """One value of one name: `written_text` as the author wrote it, `slot_value` as `formula_input` takes it (None: the
    name is no input and only fills its place in the stem)."""

    written_text: str
    slot_value: InputValue | None = None
    formula_input: Input | None = None

    @property
    def text_in_stem(self) -> str:
        """The value as people write it: `13B` for a count, `80 GB`, `32`."""
        entry, value = self.formula_input, self.slot_value
        if isinstance(value, tuple):
            return self.written_text.replace(",", ", ")
        if entry is None or value is None or isinstance(value, str) or entry.value_kind.type != "number":
            return self.written_text
        return _format_quantity_for_stem(self.written_text, entry.unit, entry.bank_units)


@dataclass(frozen=True, slots=True)
class VariantAxis:
    """Names that are drawn together (one name, or the names of `cases`), and the rows of their values."""

    drawn_names: tuple[str, ...]
    drawable_rows: tuple[tuple[DrawnValue, ...], ...]
    drawing_stimulus: SharedStimulus | None = None  # the stimulus that draws the values with a stream of its own

    def pick_row_index(self, rng: SeededRng, stream_suffix: str) -> int:
        """The index of a random row, another for each `stream_suffix`. All parts of a stimulus get the row that the
        stimulus draws for their seed."""
        if self.drawing_stimulus is None:
            return rng.draw_index("+".join(self.drawn_names) + stream_suffix, len(self.drawable_rows))
        text_by_name = self.drawing_stimulus.drawn_value_text_by_name(rng.seed)
        for number, row in enumerate(self.drawable_rows):
            pairs = zip(self.drawn_names, row, strict=True)
            if all(text_by_name.get(name, one.written_text) == one.written_text for name, one in pairs):
                return number
        raise AssertionError("a shared axis has every row of its stimulus")


@dataclass(frozen=True, slots=True)
class VariantSpace:
    """All drawings of an item: the combinations of the axes' rows. A drawing has one row index for each axis."""

    axes: tuple[VariantAxis, ...] = ()

    @property
    def axis_row_counts(self) -> tuple[int, ...]:
        """The number of rows of each axis."""
        return tuple(len(axis.drawable_rows) for axis in self.axes)

    @property
    def drawn_names(self) -> tuple[str, ...]:
        return tuple(name for axis in self.axes for name in axis.drawn_names)

    def drawn_value_by_name_in(self, combination: tuple[int, ...]) -> dict[str, DrawnValue]:
        """Each name with its value in a drawing."""
        values: dict[str, DrawnValue] = {}
        for axis, index in zip(self.axes, combination, strict=True):
            values.update(zip(axis.drawn_names, axis.drawable_rows[index], strict=True))
        return values

    def pick_row_indices(self, rng: SeededRng, attempt: int = 0) -> tuple[int, ...]:
        """A random drawing, another for each `attempt`; every axis has its own random stream."""
        return tuple([axis.pick_row_index(rng, f"#{attempt}" if attempt else "") for axis in self.axes])

    def walk_row_index_combinations(self) -> Iterator[tuple[int, ...]]:
        """Yields every drawing; the row of the last axis changes fastest."""
        return product(*map(range, self.axis_row_counts))


def read_variant_space(fields: Fields, inputs: Mapping[str, Input | None]) -> VariantSpace | None:
    """The drawings from the fields `draw:` and `cases:`; None after a problem was reported. In `inputs`, None means
    an input that could not be read; it takes any value."""
    cases = _read_axis_of_cases(fields["cases"], inputs) if "cases" in fields else None
    axes, nodes = [cases] if cases is not None else [], fields.mapping("draw")
    for name, node in nodes.items():
        if cases is not None and name in cases.drawn_names:
            node.report_at_key(f"{name} is drawn in cases already", "draw it in one place")
        elif name not in inputs:
            node.report_at_key(*message_and_hint_of_unknown_input(name, inputs))
        elif (entry := inputs[name]) is not None and (values := _read_drawn_values_of_axis(node, entry)):
            axes.append(VariantAxis((name,), tuple((value,) for value in values)))
    is_readable = "draw" not in fields or fields["draw"].shape == "mapping"
    return VariantSpace(tuple(axes)) if is_readable and len(axes) == ("cases" in fields) + len(nodes) else None


def message_and_hint_of_unknown_input(name: str, inputs: Mapping[str, object]) -> tuple[str, str]:
    """Message and hint for a value whose name is not an input."""
    hint = did_you_mean(name, inputs) or f"inputs: {', '.join(inputs) or 'none'}"
    return f'"{shorten(name)}" is not an input of the formula', hint


def _read_drawn_values_of_axis(entry: Node, formula_input: Input) -> list[DrawnValue]:
    if isinstance(entry.value, dict):
        return _read_drawn_values_of_range(entry, formula_input)
    nodes = entry.entries(formula_input.name)
    if not nodes and isinstance(entry.value, list):
        entry.report(f"{formula_input.name} has no value", "list at least one")
    if len(nodes) > MAX_VALUES_PER_NAME:
        entry.report(f"{formula_input.name} has too many values: {len(nodes):,}", f"at most {MAX_VALUES_PER_NAME:,}")
        return []
    rows: list[DrawnValue] = []
    distinct_values: set[InputValue | None] = set()
    for node in nodes:
        value = read_drawn_value(node, formula_input)
        if value is not None:
            if value.slot_value in distinct_values:
                node.report(f"{value.written_text} is listed twice for {formula_input.name}", "keep one", "warning")
            distinct_values.add(value.slot_value)
            rows.append(value)
    return rows


def read_drawn_value(node: Node, formula_input: Input | None) -> DrawnValue | None:
    """One value of the input `formula_input` from its node; None after a problem was reported, or if the input itself
    could not be read (None)."""
    if formula_input is None:
        return None
    read = node.comma_joined_text if formula_input.value_kind.type == "list" else node.text
    text = read(formula_input.name).strip()
    return compute_or_report(node, lambda: parse_drawn_value(text, formula_input)) if text else None


def parse_drawn_value(text: str, formula_input: Input) -> DrawnValue:
    """The value that a log holds as `text`, for the input `formula_input`. Raises FormulaError."""
    return DrawnValue(text, formula_input.read_raw_value(text), formula_input)


@lru_cache(maxsize=4096)
def _format_quantity_for_stem(text: str, unit: Unit, bank_units: BankUnits) -> str:
    """The quantity as people write it. Cached, since the forms of an exam draw the same few values often."""
    return format_drawn_quantity(parse_quantity(text, unit, bank_units), text)


def _read_drawn_values_of_range(entry: Node, formula_input: Input) -> list[DrawnValue]:
    fields = entry.fields(("from", "to", "step"), f"the range of {formula_input.name}")
    if not {"from", "to"} <= fields.keys():
        entry.report("a range needs `from` and `to`", "write {from: 8, to: 64, step: 8}")
        return []

    def read_quantity(name: str, unit: Unit) -> Quantity | None:
        place = fields[name]
        return compute_or_report(place, lambda: parse_quantity(place.text(name), unit, formula_input.bank_units))

    low, high = read_quantity("from", formula_input.unit), read_quantity("to", formula_input.unit)
    unit = low.unit if low is not None else formula_input.unit
    step = read_quantity("step", unit) if "step" in fields else Quantity(1, unit)
    if low is None or high is None or step is None:
        return []
    if step.base_value <= 0:
        fields["step"].report_at_key("step must be above 0", "write a step such as 8")
        return []
    count = int(Fraction(high.base_value - low.base_value) / Fraction(step.base_value)) + 1
    if low.base_value > high.base_value:
        entry.report_at_key(f"{formula_input.name} has no value: from is above to", "swap them")
        return []
    if count > MAX_VALUES_PER_NAME:
        message = f"{formula_input.name} has too many values: {count:,}"
        entry.report_at_key(message, f"at most {MAX_VALUES_PER_NAME:,}; use a larger step")
        return []
    amounts = (value_in_unit(low.base_value + n * step.base_value, low.unit) for n in range(count))
    texts = [str(Quantity(amount, low.unit)) for amount in amounts]
    return compute_or_report(entry, lambda: [parse_drawn_value(text, formula_input) for text in texts]) or []


def _read_axis_of_cases(node: Node, inputs: Mapping[str, Input | None]) -> VariantAxis | None:
    """The field `cases:`, rows of values that belong together, such as the shapes of named models."""
    names: tuple[str, ...] = ()
    rows: list[tuple[DrawnValue, ...]] = []
    distinct_rows: set[tuple[InputValue, ...]] = set()
    entries = node.entries("cases")
    for entry in entries:
        case = entry.mapping("a case")
        names = names or tuple(case)
        if not case:
            entry.report("a case is empty", "give `{name: value}` for each value that it draws")
        elif set(case) != set(names):
            entry.report("this case names other values than the first", f"give {', '.join(names)}")
        elif (row := _read_drawn_values_of_row(names, [case[name] for name in names], inputs)) is not None:
            values = tuple(one.written_text if one.slot_value is None else one.slot_value for one in row)
            if values in distinct_rows:
                entry.report("this case is listed twice", "keep one", "warning")
            distinct_rows.add(values)
            rows.append(row)
    if not entries:
        node.report("cases are empty", "list at least one `- {name: value}`")
    return VariantAxis(names, tuple(rows)) if rows and len(rows) == len(entries) else None


def _read_drawn_values_of_row(
    names: Sequence[str], nodes: Sequence[Node], inputs: Mapping[str, Input | None]
) -> tuple[DrawnValue, ...] | None:
    """The values of the names in one row; None after a problem was reported. A name that is not an input only fills its
    place in the stem."""
    values = [
        read_drawn_value(node, inputs[name]) if name in inputs else DrawnValue(node.text(name))
        for name, node in zip(names, nodes, strict=True)
    ]
    return None if None in values else tuple(filter(None, values))


NUMERIC_ITEM_FIELDS = (
    *common.SHARED_FIELDS, "after", "draw", "cases", "require", "formula", "with", "answer", "find", "credit", "reads",
)  # fmt: skip
ANSWER_SUBFIELDS = ("unit", "tolerance", "digits")
MAX_REQUIRED_SIGNIFICANT_DIGITS = 15
_TOLERANCE_WITHOUT_UNIT_PATTERN = re.compile(r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*%?\s*")
_TUPLE_NAMES_IN_STEM_PATTERN = re.compile(r"\(([A-Za-z]\w*(?:, ?[A-Za-z]\w*)+)\)")
GB_BELOW_GIB_SHARE = 1 - Fraction(1000, 1024) ** 3  # 6.9 %, the difference between 1 GB and 1 GiB


@dataclass(frozen=True, slots=True)
class InverseSpec:
    """An inverse problem (`find:`): the smallest or largest `sought_name` for which the answer keeps a bound.

    `bound_text_or_drawn_name` is a quantity, or the name of a drawn one; `drawn_bound_as_input` is then the input that
    says which values that name takes."""

    sought_name: str
    relation_name: str  # at_most, at_least, below, above or equals
    bound_text_or_drawn_name: str
    drawn_bound_as_input: Input | None = None


@dataclass(frozen=True, slots=True)
class ExpectedReading:
    """A response with the outcome that its author expects in the first drawing: right, wrong or unreadable."""

    response_text: str
    right_wrong_or_unreadable: str
    location: Location


def read_numeric_fields(node: Node, scope: common.KnownNames) -> dict[str, Any] | None:
    """The fields of the numeric item `node` as keyword arguments for its class; None after a problem was reported."""
    fields = node.fields(NUMERIC_ITEM_FIELDS, "a numeric item")
    shared_fields = common.read_shared_fields(node, fields, scope)
    figures: list[FigureSpec | None] = [(shared_fields or {}).get(one) for one in ("stem_figure", "solution_figure")]
    stem_names, solution_names = ([] if one is None else [*one.name_like_setting_texts()] for one in figures)
    formula = read_formula(node, fields, scope, {*stem_names, *solution_names})
    if formula is None:
        return None
    stimulus: SharedStimulus | None = (shared_fields or {}).get("stimulus")
    find = read_inverse_spec(fields, formula)
    earlier_part = _read_earlier_part_and_input_name(fields, formula, stimulus, scope)
    space = _read_item_variant_space(fields, formula, find, stimulus, earlier_part)
    fixed = read_fixed_drawn_value_by_input(fields, formula.inputs)
    requirements = [parse_requirement(entry, formula) for entry in fields.entries("require")]
    credits = read_credit_share_by_mistake(fields, [m.id for m in formula.misconceptions])
    answer = read_answer_format_and_tolerance(fields, formula, find)
    readings = read_expected_readings(fields)
    if shared_fields is None or space is None or fixed is None or None in requirements or answer is None:
        return None
    if [find is None, earlier_part is None] != ["find" not in fields, "after" not in fields]:
        return None
    if not are_inputs_given_once(fields, formula, space.drawn_names, fixed, find.sought_name if find else ""):
        return None
    for name in dict.fromkeys(stem_names):
        if name in {step.name for step in formula.steps}:  # it would give the answer away
            message = f"the figure of the stem shows {name}, a step of the derivation"
            fields["draw_figure"].report(message, "draw givens, or write it under `solution_figure:`")
    earlier_item, input_name = earlier_part or (None, "")
    if not common.are_placeholders_known(fields["stem"], {*space.drawn_names, *fixed} - {input_name}):
        return None
    warn_of_values_missing_or_unclear_in_stem(fields, space)
    return shared_fields | {
        "previous_part_id": earlier_item.id if earlier_item is not None else "",
        "earlier_item": earlier_item,
        "earlier_answer_input_name": input_name,
        "formula": formula,
        "variant_space": space,
        "fixed_values": fixed,
        "answer_format": answer_format_with_stem_words(answer[0], str(fields["stem"].value), formula, scope, stimulus),
        "tolerance": answer[1],
        "credit_share_by_mistake": credits,
        "requirements": tuple(requirements),
        "inverse_spec": find,
        "expected_readings": readings,
        "has_inline_formula": fields["formula"].shape == "mapping",
    }


def read_formula(node: Node, fields: Fields, scope: common.KnownNames, shown_names: Collection[str]) -> Formula | None:
    """The formula of the item `node`, written in it or called by name; None after a problem was reported. The mistakes
    in the other fields are then reported here."""
    if "formula" not in fields:
        common.report_missing_field(node, fields, "formula", "add `formula:` with a name or a formula")
        return None
    place = fields["formula"]
    if place.shape == "mapping":
        formula: Formula | None = parse_formula(place, "formula", scope.load_constant_by_name(), True, shown_names)
    else:
        name = place.text("formula").strip()
        formula = scope.find_formula(name) if name else None
        if formula is None and name in scope.load_formula_names():
            if scope.is_item_file_read_alone:  # otherwise its errors are reported where it is defined
                place.report(f'formula "{shorten(name)}" has errors of its own', "fix it in its file")
        elif formula is None and name:
            hint = did_you_mean(name, scope.load_formula_names()) or "see `quizgen list formulas`"
            place.report(f'unknown formula "{shorten(name)}"', hint)
    if formula is None:
        _report_problems_beside_faulty_formula(fields, scope)
    return formula


def _report_problems_beside_faulty_formula(fields: Fields, scope: common.KnownNames) -> None:
    """Reports the mistakes of an item that can be seen although its formula has errors."""
    node = fields["formula"]
    if node.shape == "mapping":
        inputs: Mapping[str, Any] = author.input_by_name_of_faulty_formula(node, scope.load_constant_by_name())
    else:
        inputs = scope.input_by_name_of_faulty_formula(str(node.value).strip())
    answer = fields.fields("answer", ANSWER_SUBFIELDS, "the answer")
    _read_tolerance(answer, parse_unit_field_or_default(answer["unit"]) if "unit" in answer else None, False)
    read_credit_share_by_mistake(fields)
    if inputs:
        space = read_variant_space(fields, inputs)
        fixed_values = read_fixed_drawn_value_by_input(fields, inputs)
        if space is not None and fixed_values is not None and "stem" in fields:
            common.are_placeholders_known(fields["stem"], {*space.drawn_names, *fixed_values})


def are_inputs_given_once(
    fields: Fields, formula: Formula, drawn_names: Collection[str], fixed_names: Collection[str], sought_name: str
) -> bool:
    """Whether every input is drawn, fixed, searched for or has a default, and none is both drawn and fixed. Reports
    each input for which this is not so."""
    names_in_both = [name for name in fixed_names if name in drawn_names]
    for name in names_in_both:
        fields["with"].mapping()[name].report_at_key(f"{name} is both drawn and fixed", "keep one")
    names = {*drawn_names, *fixed_names, sought_name}
    missing_names = [name for name, one in formula.inputs.items() if name not in names and one.default_value is None]
    for name in missing_names:
        at = fields["formula"]
        if isinstance(at.value, dict) and "inputs" in at.value:
            at = at.value["inputs"].mapping().get(name, at)
        at.report_at_key(f"input {name} is neither drawn nor fixed and has no default", "add it to `draw:` or `with:`")
    return not names_in_both and not missing_names


def warn_of_values_missing_or_unclear_in_stem(fields: Fields, space: VariantSpace) -> None:
    """Warns if a drawn value does not appear in the stem, or reads badly there. Of values that are drawn together, one
    is enough."""
    stem, values = str(fields["stem"].value), space.drawn_value_by_name_in(tuple(0 for _ in space.axes))
    for start, fault, hint in value_print_problems(stem, {name: one.text_in_stem for name, one in values.items()}):
        fields["stem"].report_at_offset(start, fault, hint, "warning")
    places = {match[1] for match in PLACEHOLDER_PATTERN.finditer(stem)}
    for axis in (a for a in space.axes if a.drawing_stimulus is None and places.isdisjoint(a.drawn_names)):
        place = fields.mapping("draw").get(axis.drawn_names[0]) or fields["cases"]
        message = f"{'+'.join(axis.drawn_names)} is drawn, but the stem does not mention it"
        place.report_at_key(message, f"write {{{axis.drawn_names[0]}}} in the stem", "warning")


def read_answer_format_and_tolerance(
    item_fields: Fields, formula: Formula, inverse: InverseSpec | None
) -> tuple[AnswerFormat, Tolerance] | None:
    """The field `answer: {unit, tolerance, digits}`; None after a problem was reported."""
    fields = item_fields.fields("answer", ANSWER_SUBFIELDS, "the answer")
    entry = formula.inputs[inverse.sought_name] if inverse is not None else None
    is_whole = formula.is_answer_always_whole or formula.answer_type != "number"
    is_whole = is_whole if entry is None else entry.is_whole
    unit = parse_unit_field_or_default(fields.get("unit"), entry.unit if entry is not None else formula.unit)
    if unit is not None and "unit" in fields:
        require = formula.require_unit_fits_answer if entry is None else Quantity(1, entry.unit).converted_to
        unit = unit if compute_or_report(fields["unit"], partial(require, unit)) is not None else None
    tolerance = _read_tolerance(fields, unit, is_whole)
    if unit is None or tolerance is None:
        return None
    _warn_of_loose_tolerance(fields, tolerance.relative_share, unit)
    if entry is not None:
        return AnswerFormat(unit, is_whole=entry.is_whole, may_be_unbounded=True), tolerance
    return answer_format_of_formula(formula, unit), tolerance


def _warn_of_loose_tolerance(fields: Fields, relative_tolerance: Fraction, unit: Unit) -> None:
    why = "GiB for GB" if unit.dim.power_of(DATA_DIMENSION) and relative_tolerance >= GB_BELOW_GIB_SHARE else ""
    why = "numbers that are far off" if relative_tolerance >= MIN_TOLERANCE_SHARE_WARNED_OF else why
    if why and "tolerance" in fields:
        message = f"a tolerance of {percent_text(relative_tolerance)} takes {why}"
        fields["tolerance"].report(message, "write 5% or less", "warning")


def _read_tolerance(fields: Fields, unit: Unit | None, is_whole: bool) -> Tolerance | None:
    """The fields `tolerance` and `digits` of an answer. `unit` is None if it is not known. Without these fields the
    default is 1 % and two digits, or 0 if the key is always whole (`is_whole`). None after a problem was reported."""
    digits: int | None = 0 if is_whole else None
    if "digits" in fields:
        digits = fields["digits"].whole_number_between("digits", 1, MAX_REQUIRED_SIGNIFICANT_DIGITS)
    node = fields.get("tolerance")
    if node is None:
        return Tolerance(Fraction(0), min_digits=digits) if is_whole else Tolerance(min_digits=digits)
    if node.shape == "mapping":
        parts = node.fields(("absolute",), "a tolerance")
        if "absolute" not in parts:
            node.report("a tolerance in parts needs `absolute`", "write {absolute: 0.01 %}, or a share such as 1%")
            return None
        node = parts["absolute"]
    elif _TOLERANCE_WITHOUT_UNIT_PATTERN.fullmatch(str(node.value)) or not str(node.value).strip()[:1].isdigit():
        share = node.share("tolerance", may_be_100_percent=False)
        return None if share is None else Tolerance(share, min_digits=digits)
    text = node.text("tolerance")
    if unit is None or not text:
        return None
    bank_units = as_bank_units(node.doc.declared_units)
    margin = compute_or_report(node, lambda: parse_quantity(text, unit, bank_units).base_value)
    if margin is not None and margin < 0:
        node.report("a tolerance is not below 0", "write how far off is still right, such as 0.5 GB")
    return None if margin is None else Tolerance(Fraction(0), Fraction(margin), digits)


def answer_format_with_stem_words(
    answer_format: AnswerFormat, stem: str, formula: Formula, scope: common.KnownNames, stimulus: SharedStimulus | None
) -> AnswerFormat:
    """The format with the help that the stem gives in reading a response: its words and those of its stimulus, its
    names for the parts of a tuple, the names and labels of the formula's inputs."""
    names = answer_format.part_names
    for names_text in _TUPLE_NAMES_IN_STEM_PATTERN.findall(stem) if names else ():
        parts = tuple(part.strip() for part in names_text.split(","))
        names = parts if len(parts) == len(names) else names  # (tp, cp, pp, dp)
    terms = (formula.title, *formula.inputs, *(step.name for step in formula.steps))
    terms += (stimulus.text,) if stimulus is not None else ()
    labels = {entry.unit.dim.count_label for entry in formula.inputs.values()} - {""}
    synonyms = (word for key, words in scope.synonyms_by_word.items() for word in (key, *words))
    question = replace(answer_format, unit_lexicon=scope.unit_lexicon, part_names=names)
    return answer_format_in_words_of_stem(question, stem, " ".join(terms), labels, synonyms)


def read_expected_readings(item_fields: Fields) -> tuple[ExpectedReading, ...]:
    """The field `reads:`, responses with the outcome that each must have. Problems are reported on the nodes."""
    readings = []
    for entry in item_fields.entries("reads"):
        fields = entry.fields(("text", "is"), "an entry of reads")
        if "text" not in fields or "is" not in fields:
            entry.report("an entry of reads needs `text` and `is`", "write {text: 3 levels, is: right}")
        elif outcome := fields.allowed_word("is", ("right", "wrong", "unreadable")):
            readings.append(ExpectedReading(fields.text("text"), outcome, entry.location))
    return tuple(readings)


def percent_text(share: Fraction) -> str:
    """The share as a percentage: 0.015 gives `1.5 %`."""
    return f"{float(share) * 100:g} %"


def read_fixed_drawn_value_by_input(fields: Fields, inputs: Mapping[str, Input | None]) -> dict[str, DrawnValue] | None:
    """The field `with:`, a value for each input that the item sets. None after a problem was reported, or if one of
    these inputs could not be read itself (its value in `inputs` is None)."""
    values: dict[str, DrawnValue | None] = {}
    for name, entry in fields.mapping("with").items():
        if name not in inputs:
            entry.report_at_key(*message_and_hint_of_unknown_input(name, inputs))
        values[name] = read_drawn_value(entry, inputs.get(name))
    value_by_input = {name: value for name, value in values.items() if value is not None}
    return value_by_input if len(value_by_input) == len(values) else None


def read_inverse_spec(item_fields: Fields, formula: Formula) -> InverseSpec | None:
    """The field `find: {input: K, at_most: 80 GB}` (or `at_most: NAME`, drawn); None without it or after a problem."""
    if "find" not in item_fields:
        return None
    node = item_fields["find"]
    fields = node.fields(("input", *WORDS_AND_TEST_BY_RELATION_NAME), "find")
    relations = [name for name in WORDS_AND_TEST_BY_RELATION_NAME if name in fields]
    if "input" not in fields or len(relations) != 1:
        node.report("find needs an input and one bound", "write {input: K, at_most: 80 GB}")
        return None
    name = fields["input"].text("input")
    if name not in formula.inputs:
        fields["input"].report(*message_and_hint_of_unknown_input(name, formula.inputs))
        return None
    relation_name, place = relations[0], fields[relations[0]]
    bound = place.text(relation_name).strip()
    if (match := re.fullmatch(r"\{?([A-Za-z_]\w*)\}?", bound)) and match[1] not in formula.inputs:
        entry = Input(match[1], "the bound", formula.unit, bank_units=as_bank_units(node.doc.declared_units))
        return InverseSpec(name, relation_name, match[1], entry)
    if compute_or_report(place, lambda: parse_quantity(bound, formula.unit)) is None:
        return None
    return InverseSpec(name, relation_name, bound)


def read_credit_share_by_mistake(fields: Fields, misconceptions: Iterable[str] = ()) -> dict[str, Fraction]:
    """The field `credit: {gib-for-gb: 50%}`: for each slip, the share of the points that it still earns."""
    share_by_mistake: dict[str, Fraction] = {}
    mistake_ids = (*mistakes.BUILT_IN_MISTAKE_IDS, *misconceptions)
    for name, entry in fields.mapping("credit").items():
        if name not in mistake_ids:
            hint = did_you_mean(name, mistake_ids) or "see the diagnoses in docs/diagnosis.md"
            entry.report_at_key(f'no slip or misconception is named "{shorten(name)}"', hint)
        share = entry.share("credit", may_be_100_percent=False)
        if share is not None:
            share_by_mistake[name] = share
    return share_by_mistake


def answer_format_of_formula(formula: Formula, unit: Unit) -> AnswerFormat:
    """The format of an answer to `formula` in `unit`: its type, and the names of a tuple's parts."""
    types: dict[str, AnswerType] = {"truth": "truth", "tuple": "tuple"}
    answer_type = types.get(formula.answer_type, "number")
    last = formula.steps[-1].tree
    parts = last.operands if isinstance(last, Operation) and last.name == "tuple" else ()
    names = tuple(part.name if isinstance(part, NameNode) else "" for part in parts)
    return AnswerFormat(unit, answer_type, part_names=names, part_count=len(parts), is_whole=unit.is_indivisible)


def _read_item_variant_space(
    fields: Fields,
    formula: Formula,
    inverse: InverseSpec | None,
    stimulus: SharedStimulus | None,
    earlier_part: tuple[Any, str] | None,
) -> VariantSpace | None:
    """The drawings of the item, with those of its stimulus, of a bound that is a name and of the answer of an earlier
    part; None after a problem was reported."""
    if inverse is None and "find" in fields:  # it is faulty, and a drawn name may be its bound
        return read_variant_space(fields, {**dict.fromkeys(fields.mapping("draw")), **formula.inputs})
    inputs = dict(formula.inputs)
    if inverse is not None and (bound := inverse.drawn_bound_as_input) is not None:
        inputs[bound.name] = bound
        rows = [fields.mapping("draw"), *(row.mapping("a case") for row in fields.entries("cases")[:1])]
        names = set[str]().union(*rows, stimulus.drawn_names if stimulus is not None else ())
        if bound.name not in names:
            draw = f"draw {bound.name} under `draw:`, or write a quantity such as 80 GB"
            message = f'"{shorten(bound.name)}" is neither drawn nor a quantity'
            fields["find"].mapping()[inverse.relation_name].report(message, did_you_mean(bound.name, names) or draw)
            return None
    space = read_variant_space(fields, inputs)
    if space is None or stimulus is None:
        return space
    if "require" in fields:
        hint = "let the stimulus draw `cases:` that fit"
        fields["require"].report_at_key("a part of a stimulus takes no `require`", hint)
        return None
    if overlap := stimulus.drawn_names.intersection(space.drawn_names):
        place = fields.get("draw", fields.get("cases", fields["stem"]))
        place.report_at_key(f"{', '.join(sorted(overlap))} is drawn by the stimulus already", "draw it in one place")
        return None
    axes = _stimulus_axes(fields, stimulus, inputs, earlier_part)
    return VariantSpace((*space.axes, *axes)) if axes is not None else None


def _stimulus_axes(
    fields: Fields, stimulus: SharedStimulus, inputs: Mapping[str, Input], earlier_part: tuple[Any, str] | None
) -> tuple[VariantAxis, ...] | None:
    """The axes of `stimulus` with their values read as `inputs`. With an earlier part, one axis of all their rows, each
    with the answer of that part. None after a problem was reported."""
    axes: list[VariantAxis] = []
    for table in stimulus.drawn_value_tables:
        drawable_rows = [_read_drawn_values_of_row(table.drawn_names, nodes, inputs) for nodes in table.node_rows]
        if None in drawable_rows:
            return None
        axes.append(VariantAxis(table.drawn_names, tuple(filter(None, drawable_rows)), stimulus))
    if earlier_part is None:
        return tuple(axes)
    earlier_item, name = earlier_part
    names = tuple(n for axis in axes for n in axis.drawn_names)
    rows = [tuple(chain.from_iterable(group)) for group in product(*(axis.drawable_rows for axis in axes))]
    try:
        answers = [earlier_item.answer_as_drawn_value(inputs[name], dict(zip(names, row, strict=True))) for row in rows]
    except FormulaError as error:
        fields["after"].report(f"{earlier_item.id}: {error.message}", error.hint)
        return None
    with_answers = tuple((*row, answer) for row, answer in zip(rows, answers, strict=True))
    return (VariantAxis((*names, name), with_answers, stimulus),)


def _read_earlier_part_and_input_name(
    fields: Fields, formula: Formula, stimulus: SharedStimulus | None, scope: common.KnownNames
) -> tuple[Any, str] | None:
    """The earlier part and the name of the input that its answer becomes; None without `after:` or after a problem."""
    if "after" not in fields:
        return None
    node = fields["after"]
    subfields = node.fields(("item", "as"), "`after`")
    if "item" not in subfields or "as" not in subfields:
        node.report("`after` needs `item` and `as`", "write {item: the-earlier-part, as: an-input}")
        return None
    name, slot = subfields.text("item").strip(), subfields.text("as").strip()
    earlier_item: Any = scope.find_item(name)
    if slot not in formula.inputs:
        subfields["as"].report(*message_and_hint_of_unknown_input(slot, formula.inputs))
        return None
    if earlier_item is None or earlier_item.kind != "numeric":
        if not scope.is_refused_item(name):
            hint = "name a part of the same stimulus that comes before this one"
            subfields["item"].report(f'no numeric item "{shorten(name)}" comes before this one', hint)
        return None
    shares_values = stimulus is not None and earlier_item.stimulus is stimulus
    if not shares_values or any(axis.drawing_stimulus is None for axis in earlier_item.variant_space.axes):
        hint = "give both the same `stimulus:`, and let it draw what they draw"
        subfields["item"].report(f'"{name}" does not share all its values with this item', hint)
        return None
    answer_unit, input_unit = earlier_item.formula.unit, formula.inputs[slot].unit
    if earlier_item.inverse_spec is not None or answer_unit.dim != input_unit.dim:
        hint = "name an input of the same dimension"
        subfields["as"].report(f"the answer of {name} is in {answer_unit}, {slot} is in {input_unit}", hint)
        return None
    return earlier_item, slot
