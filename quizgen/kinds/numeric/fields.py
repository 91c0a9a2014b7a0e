"""The fields of a numeric item, read from a bank's file: answer, fixed inputs, conditions, the bound of an inverse
problem."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial

from quizgen.figures.spec import FigureSpec
from quizgen.formula import mistakes
from quizgen.formula.author import compute_or_report, parse_formula, read_inputs_despite_errors, read_unit
from quizgen.formula.definition import RELATION_WORDS, Condition, Formula, Input
from quizgen.formula.expression.parse import Name, Operation
from quizgen.formula.quantity import DEFAULT_TOLERANCE, LOOSE_TOLERANCE, Quantity, Tolerance, parse_quantity
from quizgen.formula.show import format_in_unit
from quizgen.formula.unit_table import INFORMATION
from quizgen.formula.units import Unit, labels_of
from quizgen.kinds.common import Scope, check_stem_placeholders, missing_field_severity
from quizgen.kinds.numeric.space import (
    DrawnValue,
    VariantSpace,
    read_drawn_value,
    read_variant_space,
    unknown_input_message,
)
from quizgen.numbers.answer import AnswerFormat, AnswerShape
from quizgen.numbers.stem import with_stem_words
from quizgen.source.problems import Fields, Node, Where, did_you_mean, shorten
from quizgen.stimuli import PLACEHOLDER_PATTERN, SharedStimulus, find_misprinted_values

ANSWER_SUBFIELDS = ("unit", "tolerance", "digits")
MAX_ANSWER_DIGITS = 15
_RELATIVE_TOLERANCE_PATTERN = re.compile(r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*%?\s*")
_BOUND_NAME_PATTERN = re.compile(r"\{?([A-Za-z_]\w*)\}?")  # name of a drawn bound
_TUPLE_NAMES_IN_STEM_PATTERN = re.compile(r"\(([A-Za-z]\w*(?:, ?[A-Za-z]\w*)+)\)")
RELATIVE_GB_GIB_DIFFERENCE = 1 - Fraction(1000, 1024) ** 3  # 6.9 %, the difference between 1 GB and 1 GiB


@dataclass(frozen=True, slots=True)
class AnswerSpec:
    """The answer that an item asks for: the unit in which a bare number is read, and the tolerance around the key.

    `response_format` is the format that responses are read in. `credit_by_mistake`: for each named slip, the share of
    the points that it still earns. `written_digits`: the significant digits that the author wrote; 0 if none, and
    candidates are then not told a number of digits. `tolerance_text` is the tolerance as candidates read it (` within
    1 %`, ` within 0.5 GB`); empty if the answer must be exact."""

    unit: Unit
    tolerance: Tolerance
    response_format: AnswerFormat
    credit_by_mistake: Mapping[str, Fraction] = field(default_factory=dict)
    written_digits: int = 0
    tolerance_text: str = ""


@dataclass(frozen=True, slots=True)
class InverseSpec:
    """An inverse problem (`find:`): the smallest or largest `target_name` for which the answer keeps a bound.

    `bound` is a quantity, or the name of a drawn one; `bound_input` is then the input that says which values that name
    takes."""

    target_name: str
    relation: str  # at_most, at_least, below, above or equals
    bound: str
    where: Where
    bound_input: Input | None = None


@dataclass(frozen=True, slots=True)
class ExpectedReading:
    """A response with the outcome that its author expects in the first drawing: right, wrong or unreadable."""

    response_text: str
    expected_outcome: str
    where: Where


def read_formula(node: Node, fields: Fields, scope: Scope) -> Formula | None:
    """The formula of the item `node`, written in it or called by name; None after a problem was reported. The mistakes
    in the other fields are then reported here."""
    if "formula" not in fields:
        hint = "add `formula:` with a name or a formula"
        if not fields.is_misspelt("formula"):
            node.report("formula is missing in the item", hint, missing_field_severity(fields))
        return None
    if fields["formula"].shape == "mapping":
        formula = parse_formula(fields["formula"], "formula", scope.constants(), is_inline=True)
    else:
        formula = _read_formula_by_name(fields["formula"], scope)
    if formula is None:
        _report_mistakes_without_formula(fields, scope)
    return formula


def _read_formula_by_name(node: Node, scope: Scope) -> Formula | None:
    name = node.text("formula").strip()
    formula: Formula | None = scope.formula(name) if name else None
    if formula is None and name in scope.formulas():
        if scope.is_without_bank:  # otherwise its errors are reported where it is defined
            node.report(f'formula "{shorten(name)}" has errors of its own', "fix it in its file")
    elif formula is None and name:
        hint = did_you_mean(name, scope.formulas()) or "see `quizgen list formulas`"
        node.report(f'unknown formula "{shorten(name)}"', hint)
    return formula


def _report_mistakes_without_formula(fields: Fields, scope: Scope) -> None:
    """Reports the mistakes of an item that can be seen although its formula has errors."""
    node = fields["formula"]
    inline = node.shape == "mapping"
    inputs = read_inputs_despite_errors(node, scope.constants()) if inline else scope.inputs(str(node.value).strip())
    answer = fields.fields("answer", ANSWER_SUBFIELDS, "the answer")
    _read_tolerance(answer, read_unit(answer["unit"]) if "unit" in answer else None, False)
    read_credits(fields)
    if inputs:
        space = read_variant_space(fields, inputs)
        fixed = read_fixed_inputs(fields, inputs)
        if space is not None and fixed is not None and "stem" in fields:
            check_stem_placeholders(fields["stem"], {*space.drawn_names, *fixed})


def check_inputs_given(
    fields: Fields,
    formula: Formula,
    space: VariantSpace,
    fixed_inputs: Mapping[str, DrawnValue],
    inverse: InverseSpec | None,
) -> bool:
    """Whether every input is drawn, fixed, searched for or has a default, and none is both drawn and fixed. Reports
    each input for which this is not so."""
    drawn = set(space.drawn_names)
    twice = [name for name in fixed_inputs if name in drawn]
    for name in twice:
        fields["with"].mapping()[name].report_key(f"{name} is both drawn and fixed", "keep one")
    known = {*drawn, *fixed_inputs, inverse.target_name if inverse is not None else ""}
    missing = [name for name, one in formula.inputs.items() if name not in known and one.default is None]
    for name in missing:
        place = fields["formula"]
        if isinstance(place.value, dict) and "inputs" in place.value:
            place = place.value["inputs"].mapping().get(name, place)
        place.report_key(f"input {name} is neither drawn nor fixed and has no default", "add it to `draw:` or `with:`")
    return not twice and not missing


def check_figure_shows_no_step(fields: Fields, figure: FigureSpec | None, formula: Formula) -> None:
    """Reports each step of the formula that the figure of the stem shows: it would give the answer away."""
    steps = {step.name for step in formula.steps}
    for name in dict.fromkeys(figure.possible_value_names() if figure is not None else ()):
        if name in steps:
            message = f"the figure of the stem shows {name}, a step of the derivation"
            fields["draw_figure"].report(message, "draw givens, or write it under `solution_figure:`")


def check_stem_mentions_values(fields: Fields, space: VariantSpace) -> None:
    """Warns if a drawn value does not appear in the stem, or reads badly there. Of values that are drawn together, one
    is enough."""
    stem, drawn = str(fields["stem"].value), space.values_in_combination(tuple(0 for _ in space.axes))
    shown = {name: one.text_in_stem for name, one in drawn.items()}
    for at, what, hint in find_misprinted_values(stem, shown):
        fields["stem"].report_at(at, what, hint, "warning")
    places = {match[1] for match in PLACEHOLDER_PATTERN.finditer(stem)}
    for axis in (a for a in space.axes if a.shared_stimulus is None and places.isdisjoint(a.drawn_names)):
        place = fields.mapping("draw").get(axis.drawn_names[0]) or fields.get("cases")
        if place is not None:  # otherwise an earlier part supplies the values
            message = f"{axis.joined_names} is drawn, but the stem does not mention it"
            place.report_key(message, f"write {{{axis.drawn_names[0]}}} in the stem", "warning")


def read_answer(
    item_fields: Fields, formula: Formula, inverse: InverseSpec | None, credit_by_mistake: Mapping[str, Fraction]
) -> AnswerSpec | None:
    """The field `answer: {unit, tolerance, digits}`; None after a problem was reported."""
    fields = item_fields.fields("answer", ANSWER_SUBFIELDS, "the answer")
    sought = formula.inputs[inverse.target_name] if inverse is not None else None
    whole = sought.is_whole if sought is not None else formula.is_answer_whole or formula.answer_shape != "number"
    unit = _read_answer_unit(fields, formula, sought)
    tolerance = _read_tolerance(fields, unit, whole)
    if unit is None or tolerance is None:
        return None
    _warn_of_loose_tolerance(fields, tolerance.relative_share, unit)
    if sought is not None:
        question = AnswerFormat(unit, whole=sought.is_whole, unbounded=True)
    else:
        question = answer_format(formula, unit)
    digits = tolerance.digits or 0 if "digits" in fields else 0
    near = f" within {percent_text(tolerance.relative_share)}" if tolerance.relative_share else ""
    near = f" within {format_in_unit(tolerance.absolute_margin, unit)}" if tolerance.absolute_margin else near
    return AnswerSpec(unit, tolerance, question, credit_by_mistake, digits, near)


def _read_answer_unit(fields: Fields, formula: Formula, target_input: Input | None) -> Unit | None:
    """The unit of the answer, or of the input that is searched for; None after a problem was reported."""
    unit = read_unit(fields.get("unit"), target_input.unit if target_input is not None else formula.unit)
    if unit is None or "unit" not in fields:
        return unit
    if target_input is not None:
        made = compute_or_report(fields["unit"], lambda: Quantity(1, target_input.unit).converted_to(unit))
        return made.unit if made is not None else None
    return compute_or_report(fields["unit"], lambda: formula.require_answer_unit(unit))


def _warn_of_loose_tolerance(fields: Fields, relative_tolerance: Fraction, unit: Unit) -> None:
    why = "numbers that are far off" if relative_tolerance >= LOOSE_TOLERANCE else ""
    if relative_tolerance >= RELATIVE_GB_GIB_DIFFERENCE and unit.dim.power_of(INFORMATION):
        why = why or "GiB for GB"
    if why and "tolerance" in fields:
        message = f"a tolerance of {percent_text(relative_tolerance)} takes {why}"
        fields["tolerance"].report(message, "write 5% or less", "warning")


def _read_tolerance(fields: Fields, unit: Unit | None, is_whole: bool) -> Tolerance | None:
    """The fields `tolerance` and `digits` of an answer. `unit` is None if it is not known. Without these fields the
    default is 1 % and two digits, or 0 if the key is always whole (`is_whole`). None after a problem was reported."""
    digits: int | None = 0 if is_whole else None
    if "digits" in fields:
        digits = fields["digits"].whole_number("digits", 1, MAX_ANSWER_DIGITS)
        if digits is None:
            return None
    node = fields.get("tolerance")
    if node is None:
        return Tolerance(Fraction(0) if is_whole else DEFAULT_TOLERANCE, digits=digits)
    if node.shape == "mapping":
        given = node.fields(("absolute",), "a tolerance")
        if "absolute" not in given:
            node.report("a tolerance in parts needs `absolute`", "write {absolute: 0.01 %}, or a share such as 1%")
            return None
        margin = _read_absolute_tolerance(given["absolute"], unit)
    elif _RELATIVE_TOLERANCE_PATTERN.fullmatch(str(node.value)) or not str(node.value).strip()[:1].isdigit():
        share = node.share("tolerance", allow_one=False)
        return None if share is None else Tolerance(share, digits=digits)
    else:
        margin = _read_absolute_tolerance(node, unit)
    return None if margin is None else Tolerance(Fraction(0), margin, digits)


def _read_absolute_tolerance(node: Node, unit: Unit | None) -> Fraction | None:
    """An absolute tolerance in base units; None after a problem was reported, or if the unit is not known."""
    text = node.text("tolerance")
    if unit is None or not text:
        return None
    margin = compute_or_report(
        node, lambda: Fraction(parse_quantity(text, unit, labels_of(node.doc.labels)).base_value)
    )
    if margin is not None and margin < 0:
        node.report("a tolerance is not below 0", "write how far off is still right, such as 0.5 GB")
        return None
    return margin


def add_stem_words(
    answer: AnswerSpec, stem: str, formula: Formula, scope: Scope, stimulus: SharedStimulus | None
) -> AnswerSpec:
    """The answer spec with the help that the stem gives in reading a response: its words and those of its stimulus,
    its names for the parts of a tuple, the names and labels of the formula's inputs."""
    names = answer.response_format.part_names
    for listed in _TUPLE_NAMES_IN_STEM_PATTERN.findall(stem) if names else ():
        parts = tuple(part.strip() for part in listed.split(","))
        names = parts if len(parts) == len(names) else names  # (tp, cp, pp, dp)
    terms = (formula.title, *formula.inputs, *(step.name for step in formula.steps))
    terms += (stimulus.text,) if stimulus is not None else ()
    labels = {entry.unit.dim.label for entry in formula.inputs.values()} - {""}
    synonyms = (word for key, words in scope.synonyms.items() for word in (key, *words))
    question = replace(answer.response_format, lexicon=scope.lexicon, part_names=names)
    return replace(answer, response_format=with_stem_words(question, stem, " ".join(terms), labels, synonyms))


def read_expected_readings(item_fields: Fields) -> tuple[ExpectedReading, ...]:
    """The field `reads:`, responses with the outcome that each must have. Problems are reported on the nodes."""
    made = []
    for entry in item_fields.entries("reads"):
        fields = entry.fields(("text", "is"), "an entry of reads")
        if "text" not in fields or "is" not in fields:
            entry.report("an entry of reads needs `text` and `is`", "write {text: 3 levels, is: right}")
        elif outcome := fields.word("is", ("right", "wrong", "unreadable")):
            made.append(ExpectedReading(fields.text("text"), outcome, entry.where))
    return tuple(made)


def percent_text(share: Fraction) -> str:
    """The share as a percentage: 0.015 gives `1.5 %`."""
    return f"{float(share) * 100:g} %"


def read_fixed_inputs(fields: Fields, inputs: Mapping[str, Input | None]) -> dict[str, DrawnValue] | None:
    """The field `with:`, a value for each input that the item sets. None after a problem was reported, or if one of
    these inputs could not be read itself (its value in `inputs` is None)."""
    fixed: dict[str, DrawnValue | None] = {}
    for name, entry in fields.mapping("with").items():
        if name not in inputs:
            entry.report_key(*unknown_input_message(name, inputs))
        fixed[name] = read_drawn_value(entry, inputs.get(name))
    made = {name: drawn for name, drawn in fixed.items() if drawn is not None}
    return made if len(made) == len(fixed) else None


def read_conditions(fields: Fields, formula: Formula) -> tuple[Condition, ...] | None:
    """The field `require:`, conditions that a drawing must meet; None after a problem was reported."""
    conditions, entries = [], fields.entries("require")
    for node in entries:
        text = node.text("require").strip()
        parse = partial(Condition.parse, text, formula, labels_of(node.doc.labels), node.where)
        condition = compute_or_report(node, parse, "require") if text else None
        if condition is not None:
            conditions.append(condition)
    return tuple(conditions) if len(conditions) == len(entries) else None


def read_inverse(item_fields: Fields, formula: Formula) -> InverseSpec | None:
    """The field `find: {input: K, at_most: 80 GB}` (or `at_most: NAME`, drawn); None without it or after a problem."""
    if "find" not in item_fields:
        return None
    node = item_fields["find"]
    fields = node.fields(("input", *RELATION_WORDS), "find")
    relations = [name for name in RELATION_WORDS if name in fields]
    if "input" not in fields or len(relations) != 1:
        node.report("find needs an input and one bound", "write {input: K, at_most: 80 GB}")
        return None
    name = fields["input"].text("input")
    if name not in formula.inputs:
        hint = did_you_mean(name, formula.inputs) or f"inputs: {', '.join(formula.inputs)}"
        fields["input"].report(f'"{shorten(name)}" is not an input of the formula', hint)
        return None
    relation, place = relations[0], fields[relations[0]]
    bound = place.text(relation).strip()
    if (named := _BOUND_NAME_PATTERN.fullmatch(bound)) and named[1] not in formula.inputs:
        entry = Input(named[1], "the bound", formula.unit, bank_labels=labels_of(node.doc.labels))
        return InverseSpec(name, relation, named[1], place.where, entry)
    if compute_or_report(place, lambda: parse_quantity(bound, formula.unit)) is None:
        return None
    return InverseSpec(name, relation, bound, place.where)


def check_bound_drawn(fields: Fields, inverse: InverseSpec, stimulus: SharedStimulus | None) -> bool:
    """Whether the bound of `inverse` is a quantity, or a name that the item or its stimulus draws. Reports a name that
    nothing draws."""
    if inverse.bound_input is None:
        return True
    rows = [fields["draw"]] if "draw" in fields else []
    rows += fields.entries("cases")[:1]
    names = [name for row in rows if row.shape == "mapping" for name in row.mapping()]
    names += stimulus.drawn_names if stimulus is not None else ()
    if inverse.bound in names:
        return True
    draw = f"draw {inverse.bound} under `draw:`, or write a quantity such as 80 GB"
    message = f'"{shorten(inverse.bound)}" is neither drawn nor a quantity'
    fields["find"].mapping()[inverse.relation].report(message, did_you_mean(inverse.bound, names) or draw)
    return False


def read_credits(fields: Fields, misconceptions: Iterable[str] = ()) -> dict[str, Fraction]:
    """The field `credit: {gib-for-gb: 50%}`: for each slip, the share of the points that it still earns."""
    made: dict[str, Fraction] = {}
    known = (*mistakes.MISTAKE_IDS, *misconceptions)
    for name, entry in fields.mapping("credit").items():
        if name not in known:
            hint = did_you_mean(name, known) or "see the diagnoses in docs/diagnosis.md"
            entry.report_key(f'no slip or misconception is named "{shorten(name)}"', hint)
        share = entry.share("credit", allow_one=False)
        if share is not None:
            made[name] = share
    return made


def answer_format(formula: Formula, unit: Unit) -> AnswerFormat:
    """The format of an answer to `formula` in `unit`: its shape, and the names of a tuple's parts."""
    shape: AnswerShape = (
        "truth" if formula.answer_shape == "truth" else "tuple" if formula.answer_shape == "tuple" else "number"
    )
    last = formula.steps[-1].tree
    parts = last.operands if isinstance(last, Operation) and last.name == "tuple" else ()
    names = tuple(part.name if isinstance(part, Name) else "" for part in parts)
    return AnswerFormat(unit, shape, part_names=names, part_count=len(parts), whole=unit.is_indivisible)
