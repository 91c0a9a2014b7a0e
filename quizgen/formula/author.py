"""Reads the formulas of YAML files: nodes to a `Formula`, with every mistake reported at its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache, partial
from typing import Final, TypeVar

from quizgen.formula import FormulaError, definition, expression, units
from quizgen.formula.definition import Answer, Constant, Formula, FormulaTest, Input, Misconception, Requirement, Step
from quizgen.formula.expression import MAX_NAME_CHARACTERS, NameScope, Symbol, ValueKind, name_nodes, parse_expression
from quizgen.formula.quantity import FLOAT_ERROR, Quantity, is_within_share, parse_quantity
from quizgen.formula.show import format_answer
from quizgen.formula.units import UNIT_ONE, Unit, as_bank_units, dimension_fits_declared
from quizgen.source.problems import Fields, Node, Problem, did_you_mean, read_decimal, shorten

Computed = TypeVar("Computed")
IDENTIFIER_PATTERN: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
MAX_FORMULA_NAME_CHARACTERS: Final = 64  # characters of the name of a formula


class _MistakeReportedError(Exception):
    """A mistake was reported at its node; the rest of the formula is still read."""


def _report_and_make_error(node: Node, message: str, hint: str) -> _MistakeReportedError:
    node.report(message, hint)
    return _MistakeReportedError()


def _compute_or_report_and_raise(node: Node, compute: Callable[[], Computed], part_name: str = "") -> Computed:
    """The value that `compute` returns; an error of the engine is reported at its column inside the node's expression,
    with `part_name`, the step or misconception that it is in, such as `step x`, and raised as _MistakeReportedError."""
    try:
        return compute()
    except FormulaError as error:
        spelling, hint = error.unknown_unit_spelling, error.hint
        if len(row := node.doc.declared_units.get(spelling.casefold(), ())) == 1:
            hint = f"write {row[0]}: {spelling} is only a way to write it in responses"
        message = f"{error.message} in {part_name}" if part_name else error.message
        node.report_at_offset(error.text_offset or 0, message, hint)
        raise _MistakeReportedError from None


def _compute_or_none_if_reported(compute: Callable[[], Computed]) -> Computed | None:
    """The value that `compute` returns, or None if it raised _MistakeReportedError."""
    try:
        return compute()
    except _MistakeReportedError:
        return None


def compute_or_report(node: Node, compute: Callable[[], Computed], part_name: str = "") -> Computed | None:
    """The value that `compute` returns; None after an error of the engine was reported as by
    `_compute_or_report_and_raise`."""
    return _compute_or_none_if_reported(lambda: _compute_or_report_and_raise(node, compute, part_name))


def is_unused_name_or_report(
    node: Node, name: str, name_kind: str, taken_names: Mapping[str, object], max_characters: int = MAX_NAME_CHARACTERS
) -> bool:
    """True if a name can be used; otherwise the reason is reported at its key."""
    if not IDENTIFIER_PATTERN.fullmatch(name) or len(name) > max_characters:
        hint = f"use up to {max_characters} letters, digits and _, a letter first"
        node.report_at_key(f'"{shorten(name)}" is not a name of {name_kind}', hint)
    elif name in expression.RESERVED_NAMES:
        node.report_at_key(f'"{name}" is a word of the formula language', "choose another name")
    elif name in taken_names:
        node.report_at_key(f'"{name}" is already a name here', "choose another name")
    else:
        return True
    return False


def parse_unit_field_or_default(node: Node | None, default_unit: Unit = UNIT_ONE) -> Unit | None:
    """The unit of a `unit:` field, or `default_unit` if the field is missing; None if a mistake was reported."""
    if node is None:
        return default_unit
    text, bank_units = node.text("unit"), as_bank_units(node.doc.declared_units)
    return compute_or_report(node, lambda: units.parse_unit(text, bank_units)) if text else None


def parse_constant(node: Node, name: str) -> Constant | None:
    """A constant of a bank; None if a mistake was reported."""
    fields = node.fields(("value", "unit", "source", "date", "is", "title"), f"constant {shorten(name)}")
    if not fields or not is_unused_name_or_report(node, name, "a constant", {}):
        return None
    for field_name in ("value", "source", "date"):
        if field_name not in fields:
            severity = "error" if field_name == "value" else "failure"
            node.report_at_key(f'{field_name} is missing in constant "{name}"', f"add `{field_name}: …`", severity)
    unit = parse_unit_field_or_default(fields.get("unit"))
    if (value := fields.get("value")) is None or unit is None:
        return None
    quantity = compute_or_report(value, lambda: parse_quantity(value.text("value"), unit))
    description, title, source, date = (fields.text(n).strip() for n in ("is", "title", "source", "date"))
    if re.fullmatch(r"[\d-]+", date) and not re.fullmatch(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?", date):
        fields["date"].report(f"{shorten(date)} is no date", "write 2024, 2024-03 or 2024-03-21", "failure")
    return None if quantity is None else Constant(name, quantity, description or title, source, date)


# The `inputs:` of a formula.


def _parse_input_by_name_or_none(node: Node | None, constants: Mapping[str, object]) -> dict[str, Input] | None:
    """The inputs by name, in the order of the file: {} without `inputs:`, None if an input cannot be used. Mistakes are
    reported."""
    if node is None:
        return {}
    entries = node.mapping("inputs")
    declared_inputs = _input_or_none_by_name(entries, constants)
    inputs = {name: entry for name, entry in declared_inputs.items() if entry is not None}
    if node.shape != "mapping" or len(inputs) < len(declared_inputs):
        return None
    for name, entry in inputs.items():
        fields = entries[name].mapping()
        clash = next((word for word in entry.value_kind.enum_words if word in inputs), None)
        if entry.must_divide_input and entry.must_divide_input not in entries:
            message = f'divisor_of names "{shorten(entry.must_divide_input)}", which is not an input'
            fields["divisor_of"].report(message, did_you_mean(entry.must_divide_input, entries) or "name another input")
            return None
        if clash is not None:  # `scheme == K` would be ambiguous
            fields["one_of"].report(f'"{clash}" is an input too', "choose another word")
            return None
    return inputs


def _input_or_none_by_name(entries: Mapping[str, Node], constants: Mapping[str, object]) -> dict[str, Input | None]:
    """The inputs by name; None as the value of one that cannot be used. Mistakes are reported."""
    inputs: dict[str, Input | None] = {}
    for name, entry in entries.items():
        is_name_usable = is_unused_name_or_report(entry, name, "an input", constants)
        declaration = _compute_or_none_if_reported(partial(_parse_input, entry, name))
        inputs[name] = declaration if is_name_usable else None
    return inputs


def input_by_name_of_faulty_formula(node: Node, constants: Mapping[str, object]) -> dict[str, Input | None]:
    """The inputs of a formula that has errors, by name; None as the value of an input that cannot be read. What was
    reported already is not reported again, since a document keeps no problem twice."""
    entries = node.value.get("inputs") if isinstance(node.value, dict) else None
    return _input_or_none_by_name(entries.mapping("inputs"), constants) if entries is not None else {}


def _parse_input(node: Node, name: str) -> Input:
    field_names = ("is", "unit", "default", "min", "max", "whole", "one_of", "list", "powers_of_two", "divisor_of")
    fields = node.fields(field_names, f"input {shorten(name)}")
    if not fields:
        raise _MistakeReportedError
    if "is" not in fields:
        node.report_at_key(f'"is" is missing in input "{shorten(name)}"', "add `is:` with its meaning", "failure")
    unit = parse_unit_field_or_default(fields.get("unit"))
    if unit is None:
        raise _MistakeReportedError
    entry = Input(
        name,
        fields.text("is").strip() if "is" in fields else name,
        unit,
        ValueKind("list" if fields.truth("list") else "number", unit.dim),
        is_whole=fields.truth("whole"),
        must_be_power_of_two=fields.truth("powers_of_two"),
        must_divide_input=fields.text("divisor_of"),
        bank_units=as_bank_units(node.doc.declared_units),
    )
    if "one_of" in fields:
        entry = _apply_one_of_field(fields["one_of"], entry)
    min_value, max_value = (
        _compute_or_report_and_raise(fields[end], partial(parse_quantity, fields[end].text("a bound"), unit)).base_value
        if end in fields
        else None
        for end in ("min", "max")
    )
    if min_value is not None and max_value is not None and min_value > max_value:
        raise _report_and_make_error(fields["min"], f"min is above max in input {shorten(name)}", "swap them")
    entry = entry._replace(min_base_value=min_value, max_base_value=max_value)
    if (default := fields.get("default")) is None:
        return entry
    text = default.comma_joined_text("default")
    return entry._replace(default_value=_compute_or_report_and_raise(default, lambda: entry.read_raw_value(text)))


def _apply_one_of_field(node: Node, entry: Input) -> Input:
    """An enum of words, a yes-no, or a closed list of numbers."""
    words = node.texts("one_of")
    if len(words) < 2 or len(set(words)) < len(words):
        raise _report_and_make_error(node, "one_of needs two or more different words", "write one_of: [first, second]")
    if set(words) == {"0", "1"}:
        return entry._replace(value_kind=ValueKind(is_usable_as_test=True), allowed_base_values=(0, 1))
    if set(words) in ({"true", "false"}, {"yes", "no"}):
        return entry._replace(value_kind=ValueKind("truth"))
    if all(read_decimal(word) is not None for word in words):
        amounts = _compute_or_report_and_raise(node, lambda: [parse_quantity(word, entry.unit) for word in words])
        return entry._replace(allowed_base_values=tuple(amount.base_value for amount in amounts))
    nodes_and_words = zip(node.entries(), words, strict=True)
    if not all([is_unused_name_or_report(word_node, word, "an enum word", {}) for word_node, word in nodes_and_words]):
        raise _MistakeReportedError
    return entry._replace(value_kind=ValueKind("word", enum_words=words))


# The steps of a formula: parsed in order, checked against inputs, constants and earlier steps.


def _parse_scope_and_steps_or_none(
    node: Node, inputs: Mapping[str, Input], constants: Mapping[str, Constant]
) -> tuple[NameScope, tuple[Step, ...] | None]:
    """The scope with all names of the formula, and its steps in order; None for the steps if a step cannot be used.
    Mistakes are reported."""
    symbols = {name: _symbol_of_constant_quantity(constant.quantity) for name, constant in constants.items()}
    symbols |= {name: Symbol(entry.value_kind, slot) for slot, (name, entry) in enumerate(inputs.items())}
    entries = node.mapping("steps")
    if not entries and node.shape == "mapping":
        node.report("a formula needs a step", "add `name: expression`; the last step is the answer")
    steps: list[Step] = []
    faulty_steps: set[str] = set()
    for position, (name, entry) in enumerate(entries.items()):
        is_name_usable = is_unused_name_or_report(entry, name, "a step", inputs)
        if not is_name_usable and name in inputs:
            continue  # otherwise its name would refer to the input
        scope = NameScope(symbols, frozenset(list(entries)[position:]) - symbols.keys())
        is_last = position == len(entries) - 1
        step = _compute_or_none_if_reported(partial(_parse_step, entry, name, scope, faulty_steps, is_last))
        if step is None:
            faulty_steps.add(name)
        elif is_name_usable:
            symbols = {**symbols, name: Symbol(step.value_kind, len(inputs) + position)}
            steps.append(step)
    return NameScope(symbols), tuple(steps) if 0 < len(steps) == len(entries) else None


@lru_cache(maxsize=256)  # every formula of a bank knows all constants
def _symbol_of_constant_quantity(quantity: Quantity) -> Symbol:
    return Symbol(ValueKind(dim=quantity.unit.dim), constant_value=quantity.base_value)


def _parse_step(node: Node, name: str, name_scope: NameScope, faulty_steps: Collection[str], is_last: bool) -> Step:
    """The step called `name`, the last of its formula if `is_last`. Raises _MistakeReportedError, without a report if
    the step uses a name in `faulty_steps`, a step whose mistake is already reported."""
    part, bank_units = f"step {shorten(name)}", as_bank_units(node.doc.declared_units)
    if not (text := node.text(part)):
        raise _MistakeReportedError
    tree = _compute_or_report_and_raise(node, lambda: parse_expression(text, bank_units), part)
    if any(one.name in faulty_steps for one in name_nodes(tree)):
        raise _MistakeReportedError  # this step only repeats the mistake in a step that it uses
    kind, run, _ = _compute_or_report_and_raise(node, lambda: expression.compile_expression(tree, name_scope), part)
    if kind.type in ("word", "list") or (not is_last and kind.type in ("tuple", "truth")):
        message = f"{part} is {expression.WORDS_BY_TYPE[kind.type]}, not a number{', a test or a tuple' * is_last}"
        raise _report_and_make_error(node, message, "only the last step may be a test or a tuple")
    unit = units.plainest_unit_of(kind.dim or units.DIMENSIONLESS, bank_units)
    return Step(name, text, tree, kind, unit, run, node.location)


# An author's claims about a formula: its misconceptions, and tests that must hold.


MISCONCEPTION_ID_PATTERN: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
MAX_MISCONCEPTIONS_PER_FORMULA: Final = 32
_is_equal_up_to_float_error = partial(is_within_share, share=FLOAT_ERROR)  # what a test allows


def _parse_misconceptions(fields: Fields, name_scope: NameScope, last_step: Step) -> tuple[Misconception, ...] | None:
    misconceptions: dict[str, Misconception] = {}
    entries = fields.entries("misconceptions")
    is_usable = len(entries) <= MAX_MISCONCEPTIONS_PER_FORMULA
    if not is_usable:  # every pair is compared in every drawing
        message = f"{len(entries)} misconceptions"
        fields["misconceptions"].report(message, f"at most {MAX_MISCONCEPTIONS_PER_FORMULA}: keep the common ones")
    for entry in entries[:MAX_MISCONCEPTIONS_PER_FORMULA]:
        one = _compute_or_none_if_reported(partial(_parse_misconception, entry, name_scope, last_step))
        if one is None:
            is_usable = False
            continue
        words = one.expression_text.split()
        twin_id = next((m.id for m in misconceptions.values() if m.expression_text.split() == words), None)
        if one.id in misconceptions:
            entry.report(f'misconception "{shorten(one.id)}" appears twice', "keep one")
        elif twin_id is not None:
            entry.report(f"misconceptions {shorten(twin_id)} and {shorten(one.id)} have the same value", "keep one")
        else:
            misconceptions[one.id] = one
    return tuple(misconceptions.values()) if is_usable else None


def _parse_misconception(node: Node, name_scope: NameScope, last_step: Step) -> Misconception:
    fields = node.fields(("id", "value", "say", "credit", "convention"), "a misconception")
    absent_names = [name for name in ("id", "value", "say") if fields and name not in fields]
    for name in absent_names:
        node.report(f"{name} is missing in the misconception", f"add `{name}: …`")
    if absent_names or not fields:
        raise _MistakeReportedError
    name, say, convention = fields.text("id"), fields.text("say").strip(), fields.text("convention").strip()
    if name and not MISCONCEPTION_ID_PATTERN.fullmatch(name):
        message = f'"{shorten(name)}" is not an id of a misconception'
        raise _report_and_make_error(fields["id"], message, "write letters, digits, - and _")
    credit = fields["credit"].share("credit", may_be_100_percent=False) if "credit" in fields else Fraction(0)
    place, part, own_units = fields["value"], f"misconception {shorten(name)}", as_bank_units(node.doc.declared_units)
    text = place.text("value") if credit is not None else ""
    if credit is None or not text or not name:
        raise _MistakeReportedError
    tree = _compute_or_report_and_raise(place, lambda: parse_expression(text, own_units), part)
    kind, run, _ = _compute_or_report_and_raise(place, lambda: expression.compile_expression(tree, name_scope), part)
    answer_kind, unit = last_step.value_kind, last_step.unit
    if kind.type not in (answer_kind.type, "impossible") and answer_kind.type != "impossible":
        words, answer_words = (expression.WORDS_BY_TYPE[one.type] for one in (kind, answer_kind))
        raise _report_and_make_error(place, f"{part} is {words}, the answer {answer_words}", "make them alike")
    if kind.type in ("number", "tuple") and kind.dim is not None and not dimension_fits_declared(kind.dim, unit.dim):
        message = f"{part} gives {kind.dim}, the answer is in {unit}"
        raise _report_and_make_error(place, message, f"multiply by {unit.dim / kind.dim}, or change the unit")
    return Misconception(name, text, tree, run, say, credit, place.location, convention)


def _parse_formula_tests(formula_fields: Fields, inputs: Mapping[str, Input]) -> tuple[FormulaTest, ...] | None:
    tests: list[FormulaTest] = []
    entries = formula_fields.entries("tests")
    for entry in entries:
        fields = entry.fields((*inputs, "is"), "a test")
        if "is" not in fields:
            entry.report("a test needs the answer it expects", "add `is: 31.7e9 B`")
            continue
        text_by_input = {name: node.comma_joined_text("a value") for name, node in fields.items() if name in inputs}
        tests.append(FormulaTest(text_by_input, fields["is"].comma_joined_text("a value"), entry.location))
    return tuple(tests) if len(tests) == len(entries) else None


def failed_test_problems(formula: Formula) -> Iterator[Problem]:
    """Yields a failure for each test that does not hold: the test expects 9 GB, the formula gives 8 GB."""
    for test in formula.tests:
        try:
            answer = formula.evaluate_raw(test.text_by_input).answer
            if _is_expected_answer(formula, answer, test.expected_answer_text):
                continue
            result_text = f"the formula gives {format_answer(formula, answer, None, 12)}"
            message = f"the test wants {shorten(test.expected_answer_text)}, {result_text}"
            hint = "correct the test or the formula"
        except FormulaError as error:
            step = f" in step {error.step_name}" if error.step_name else ""
            message, hint = f"the test fails: {error.message}{step}", error.hint
        yield Problem(test.location, message, hint, "", "failure")


def _is_expected_answer(formula: Formula, answer: Answer, expected_text: str) -> bool:
    """True if `answer` is `expected_text`, the text of a test, to 1e-9 relative. Raises FormulaError if `expected_text`
    cannot be read."""
    text = expected_text.strip()
    if isinstance(answer, str) or text == definition.IMPOSSIBLE_ANSWER:
        return answer == text
    if isinstance(answer, bool):
        return text.lower() in (definition.TRUE_WORDS if answer else definition.FALSE_WORDS)
    if isinstance(answer, tuple):
        parts = text.removeprefix("[").removesuffix("]").split(",")
        expected_values = [parse_quantity(part, formula.unit).base_value for part in parts]
        return len(expected_values) == len(answer) and all(map(_is_equal_up_to_float_error, answer, expected_values))
    return _is_equal_up_to_float_error(answer, parse_quantity(text, formula.unit).base_value)


def parse_requirement(node: Node, formula: Formula) -> Requirement | None:
    """A `require` of an item, over inputs, constants and steps of `formula`; None if a mistake was reported."""
    text = node.text("require").strip()

    def parse() -> Requirement:
        tree = parse_expression(text, as_bank_units(node.doc.declared_units))
        needs_steps = not {step.name for step in formula.steps}.isdisjoint(name.name for name in name_nodes(tree))
        compiled = expression.compile_expression(tree, formula.name_scope)
        expression.require_boolean(tree, compiled)
        return Requirement(text, compiled.compute, needs_steps, node.location)

    return compute_or_report(node, parse, "require") if text else None


# From the node of a formula to a `Formula`: every mistake of the author reported at its place.


FORMULA_FIELD_NAMES: Final = (
    "title", "source", "inputs", "steps", "unit", "misconceptions", "convention", "sanity", "tests",
)  # fmt: skip


def parse_formula(
    node: Node, name: str, constants: Mapping[str, Constant], is_inline: bool = False, shown_names: Collection[str] = ()
) -> Formula | None:
    """A formula of a bank; None if a mistake was reported.

    `is_inline`: the formula is written inside an item, where title and source are optional; `shown_names`: names in the
    item's figures, which need not be used in a step."""
    fields = node.fields(FORMULA_FIELD_NAMES, "a formula")
    if not fields:
        return None
    is_usable = is_inline or is_unused_name_or_report(node, name, "a formula", {}, MAX_FORMULA_NAME_CHARACTERS)
    for field_name in () if is_inline else ("title", "source"):
        if field_name not in fields:
            node.report_at_key(f'{field_name} is missing in formula "{name}"', f"add `{field_name}: …`", "failure")
    if "inputs" not in fields and fields.keys() - set(FORMULA_FIELD_NAMES):
        return None  # a misspelt field was reported, and it may be `inputs`
    if (derivation := _compute_or_none_if_reported(lambda: _parse_inputs_and_steps(node, fields, constants))) is None:
        return None
    inputs, scope, steps = derivation
    misconceptions = _parse_misconceptions(fields, scope, steps[-1])
    tests = _parse_formula_tests(fields, inputs)
    if misconceptions is None or tests is None:
        return None
    step_names = {name.name for step in steps for name in name_nodes(step.tree)}
    mistake_names = {name.name for misconception in misconceptions for name in name_nodes(misconception.tree)}
    # An input that a test sets is not reported: the machine epsilon of a format does not depend on its exponent bits.
    test_names = {name for test in tests for name in test.text_by_input}
    used_names = {*step_names, *mistake_names, *test_names, *shown_names, steps[-1].name}
    for group in ("input", "step"):
        for part_name, entry in fields.mapping(f"{group}s").items():
            if part_name not in used_names:  # usually a slip of the author's
                message = f"{group} {shorten(part_name)} is used nowhere"
                entry.report_at_key(message, "use it in a step, or drop it", "warning")
    formula = Formula(
        name=name,
        title=fields.text("title").strip() or "Derivation" * is_inline,
        citation=fields.text("source").strip(),
        inputs=inputs,
        steps=steps,
        unit=steps[-1].unit,
        misconceptions=misconceptions,
        convention=fields.text("convention").strip(),
        sanity_check_text=fields.text("sanity").strip(),
        tests=tests,
        constant_by_name={name: constant for name, constant in constants.items() if name in step_names},
        name_scope=scope,
        location=node.location,
        is_answer_always_whole=_is_answer_always_whole(inputs, steps),
    )
    return formula if is_usable else None


def _parse_inputs_and_steps(
    node: Node, fields: Fields, constants: Mapping[str, Constant]
) -> tuple[Mapping[str, Input], NameScope, tuple[Step, ...]]:
    """The inputs of a formula, the scope with all its names, and its steps, the last in the formula's unit. Raises
    _MistakeReportedError."""
    inputs = _parse_input_by_name_or_none(fields.get("inputs"), constants)
    unit = parse_unit_field_or_default(fields.get("unit"))
    if "steps" not in fields:
        hint = "add `steps:` with `name: expression` lines; the last is the answer"
        raise _report_and_make_error(node, "steps are missing in the formula", hint)
    if inputs is None:
        raise _MistakeReportedError
    scope, steps = _parse_scope_and_steps_or_none(fields["steps"], inputs, constants)
    if steps is None or unit is None:
        raise _MistakeReportedError
    name, dim = steps[-1].name, steps[-1].value_kind.dim
    is_yes_no = steps[-1].value_kind.type == "truth"
    if not is_yes_no and dim is not None and not dimension_fits_declared(dim, unit.dim):
        message, hint = f"the formula gives {dim}, but has no unit", f"add `unit: {units.plainest_unit_of(dim)}`"
        if "unit" in fields:
            kinds = f"{units.dimension_text(dim)} is not {units.dimension_text(unit.dim)}"
            message = f"step {name} gives {dim}, the formula's unit is {unit}: {kinds}"
            hint = f"multiply by {unit.dim / dim}, or change the unit"
        raise _report_and_make_error(fields["steps"].mapping()[name], message, hint)
    return inputs, scope, (*steps[:-1], steps[-1]._replace(unit=unit))


def _is_answer_always_whole(inputs: Mapping[str, Input], steps: tuple[Step, ...]) -> bool:
    whole_flags = {name: entry.is_whole for name, entry in inputs.items()}
    for step in steps:
        whole_flags[step.name] = step.value_kind.dim is not None and expression.is_always_whole(step.tree, whole_flags)
    last = steps[-1]
    return last.value_kind.type == "number" and whole_flags[last.name] and last.unit.factor == 1
