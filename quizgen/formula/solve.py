"""`quizgen solve` without its command line: formulas, bare expressions, inverse problems and lines of JSON; texts in,
result objects out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from quizgen.formula import BadTextError, FormulaError, expression, quantity
from quizgen.formula.definition import IMPOSSIBLE_ANSWER, WORDS_AND_TEST_BY_RELATION_NAME, Answer, Evaluation, Formula
from quizgen.formula.expression import ImpossibleAnswer, name_nodes, parse_expression
from quizgen.formula.quantity import Number, Quantity, exact_number_as_printed, parse_quantity, value_in_unit
from quizgen.formula.units import UNIT_ONE, Unit, parse_unit, plainest_unit_of
from quizgen.source.problems import did_you_mean, shorten

if TYPE_CHECKING:
    from quizgen.formula.inverse import CheckedValue

JsonResult = dict[str, Any]
MAX_STDIN_LINE_CHARACTERS: Final = 256 << 10  # characters in one line of --stdin


def value_text_by_name(texts: Iterable[str]) -> dict[str, str]:
    """The values of a command line by name: {"K": "32"} for ["K=32"]. Raises BadTextError for a text without a name or
    a value, and for a name that occurs twice."""
    values: dict[str, str] = {}
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        if not name or not value:
            raise BadTextError(f'"{shorten(text)}" is not a NAME=VALUE', "write it like K=32")
        if name in values:
            values_text = f"{shorten(values[name])} and {shorten(value)}"
            raise BadTextError(f"{shorten(name)} is given twice, as {values_text}", "keep one of them")
        values[name] = value
    return values


def evaluation_as_json(evaluation: Evaluation) -> JsonResult:
    """The result object of one run: value and unit of the formula, and every step."""
    from quizgen.formula.show import derivation_of

    formula = evaluation.formula
    # The answers of the steps, as far as they go.
    answers: tuple[Any, ...] = (*evaluation.values_by_slot[len(formula.inputs) :], IMPOSSIBLE_ANSWER)
    return {
        "formula": formula.name,
        "value": answer_json_value(evaluation.answer, formula.unit),
        "unit": formula.unit.symbol,
        "steps": [
            derivation._asdict() | {"value": answer_json_value(answer, step.unit), "unit": step.unit.symbol}
            for step, derivation, answer in zip(formula.steps, derivation_of(evaluation).steps, answers, strict=False)
        ],
    }


def answer_json_value(answer: Answer, unit: Unit) -> Any:
    """An answer for JSON: a number of `unit`, an int where it is whole; a truth value, a list of numbers, or
    "impossible"."""
    if isinstance(answer, bool | str):
        return answer
    if isinstance(answer, tuple):
        return [answer_json_value(one, unit) for one in answer]
    value = value_in_unit(answer, unit)
    if isinstance(value, Fraction):
        return float(value) if abs(value) < 10**308 else round(value)  # JSON has no limit for whole numbers
    return int(value) if type(value) is float and value.is_integer() and abs(value) < 2**53 else value


IMPLAUSIBLE_FACTOR: Final = 100  # a value this many times outside the values in a formula's tests is questioned


def likely_swapped_value_warnings(formula: Formula, input_values: Mapping[str, Any]) -> list[str]:
    """A warning for each value that is unusual for its letter but usual for another: `N = 70e9 is the number of ranks
    here; did you mean D, bytes of the message?`"""

    def base_value(name: str, raw_value: Any) -> float:
        """A value in base units; 0 if it cannot be read, and for words and lists."""
        try:
            value = formula.inputs[name].read_raw_value(raw_value)
        except FormulaError:
            return 0
        return abs(quantity.float_or_infinity(value)) if isinstance(value, Number) else 0

    def is_usual(name: str, value: float, max_factor: int) -> bool:
        return bool(value) and min(norms[name]) / max_factor < value < max(norms[name]) * max_factor

    tests, norms = [test.text_by_input for test in formula.tests], {}
    for name, entry in formula.inputs.items():
        values = [base_value(name, test[name]) for test in tests if name in test]
        values.append(abs(float(entry.default_value)) if isinstance(entry.default_value, Number) else 0)
        if any(values):
            norms[name] = [value for value in values if value]
    value_by_name = {name: base_value(name, raw_value) for name, raw_value in input_values.items() if name in norms}
    odd = [name for name, value in value_by_name.items() if value and not is_usual(name, value, IMPLAUSIBLE_FACTOR)]
    lines = []
    for name in odd:
        hits = [o for o in norms if is_usual(o, base_value(o, input_values[name]), IMPLAUSIBLE_FACTOR**2) and o != name]
        guesses = [o for o in hits if o in odd] or [o for o in hits if o not in input_values]  # exchanged, or not given
        words = " or ".join(f"{guess}, {formula.inputs[guess].description}" for guess in guesses)
        statement = f"{name} = {shorten(str(input_values[name]))} is {formula.inputs[name].description} here"
        lines += [f"{statement}; did you mean {words}?"] if guesses else []
    return lines


def formula_names_matching_query(query: str, title_by_name: Mapping[str, str], *, any_word: bool = False) -> list[str]:
    """The names of the formulas whose name or title has every word of a query, the shortest first; if `any_word`, those
    with the most of its words of four letters or more.

    >>> formula_names_matching_query("kv_cache", {"kv_bytes": "Bytes of the KV cache", "flops": "FLOPs of a step"})
    ['kv_bytes']"""
    words = re.findall(r"[a-z0-9]+", query.casefold()) if re.fullmatch(r"[\w -]*[A-Za-z]{2}[\w -]*", query) else []
    words = [word for word in words if len(word) > 3] if any_word else words
    texts = {name: f"{name} {title}".casefold().replace("_", " ") for name, title in title_by_name.items()}
    hit_counts = {n: sum(bool(re.search(rf"(?<![a-z0-9]){w}", text)) for w in words) for n, text in texts.items()}
    required_hits = max(hit_counts.values(), default=0) if any_word else len(words)
    return sorted((n for n in hit_counts if hit_counts[n] == required_hits > 0), key=lambda name: (len(name), name))


# -- bare expressions -----------------------------------------------------------------------

# Patterns as texts, compiled at their first use, as only bare expressions need them.
_COUNT_WITH_SUFFIX_REGEX_TEXT: Final = r"(?<![\w.])(\d[\d_]*(?:\.\d+)?)([kKMGT])(?!\w|/[^\W\d]|\s*\()"
_BYTES_OR_BILLIONS_REGEX_TEXT: Final = r"(?<![\w.])(\d[\d_]*(?:\.\d+)?)B(?![\w/])"
_POWER_OF_TEN_BY_SUFFIX: Final = {"k": 3, "K": 3, "M": 6, "G": 9, "T": 12}


def expand_count_suffixes(text: str) -> str:
    """A text with counts such as `15T` written as numbers, `15e12`.

    >>> expand_count_suffixes("6 * 70G*15T / 3 TB")
    '6 * 70e9*15e12 / 3 TB'"""
    return re.sub(_COUNT_WITH_SUFFIX_REGEX_TEXT, lambda match: f"{match[1]}e{_POWER_OF_TEN_BY_SUFFIX[match[2]]}", text)


def bytes_or_billions_warnings(texts: Iterable[str]) -> list[str]:
    """A warning for each number with a B that may mean billions, which an expression cannot show."""
    numbers = dict.fromkeys(match[1] for text in texts for match in re.finditer(_BYTES_OR_BILLIONS_REGEX_TEXT, text))
    return [f"{number}B is {number} bytes here; {number} billion is {number}e9" for number in numbers]


def solve_expression_json(text: str, input_values: Mapping[str, Any]) -> JsonResult:
    """The result object of an expression with numbers or quantities for its names. Raises FormulaError."""
    source, text = text, expand_count_suffixes(text)
    quantities = {}
    for name, value in input_values.items():
        try:
            quantity = parse_quantity(expand_count_suffixes(value), None) if isinstance(value, str) else None
            quantities[name] = quantity or Quantity(exact_number_as_printed(value))
        except FormulaError as error:
            error.message = f"{name}: {error.message}"
            raise
    scope, values = expression.scope_and_slot_values(quantities)
    tree = parse_expression(text)
    kind, run, _ = expression.compile_expression(tree, scope)
    if kind.type not in ("tuple", "impossible"):
        expression.number_dimension_or_raise(tree, kind)
    unit = plainest_unit_of(kind.dim) if kind.dim is not None and not kind.dim.is_bare else UNIT_ONE
    try:
        value = answer_json_value(run(values), unit)
    except ImpossibleAnswer:
        value = IMPOSSIBLE_ANSWER
    display = text
    for node in reversed(name_nodes(tree)):
        display = f"{display[: node.start]}{quantities[node.name]}{display[node.end :]}"
    return {
        "expression": source,
        "value": value,
        "unit": unit.symbol,
        "steps": [{"name": "value", "expression": source, "substituted": display, "value": value, "unit": unit.symbol}],
    }


def expression_json_in_unit(result: JsonResult, unit_symbol: str) -> JsonResult:
    """The result of an expression in another unit. Raises BadTextError if the dimensions differ."""
    value, unit = result["value"], parse_unit(unit_symbol)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadTextError(f"{shorten(str(value))} has no unit", "leave --unit out")
    base_value = Quantity(exact_number_as_printed(value), parse_unit(result["unit"])).converted_to(unit).base_value
    return {**result, "value": answer_json_value(base_value, unit), "unit": unit.symbol}


def refuse_unused_or_missing_names(text: str, names: Collection[str]) -> None:
    """Raises BadTextError for a value whose name does not occur in the expression, and for a name without a value."""
    own_names = tuple(dict.fromkeys(name.name for name in name_nodes(parse_expression(expand_count_suffixes(text)))))
    for name in names:
        if name not in own_names:
            hint = did_you_mean(name, own_names) or f"its names: {', '.join(own_names) or 'none'}"
            raise BadTextError(f'the expression has no "{shorten(name)}"', hint)
    if bare_name := next((name for name in own_names if name not in names), ""):
        raise BadTextError(f'"{shorten(bare_name)}" has no value', f"give it one behind the expression: {bare_name}=2")


# -- inverse problems -----------------------------------------------------------------------


def solve_inverse_json(
    formula: Formula, input_values: Mapping[str, Any], sought_name: str, relation: str, bound: Any
) -> JsonResult:
    """The result object of `--find`: the value, and the checks at it and at its neighbour."""
    from quizgen.formula.inverse import extreme_input_within_bound

    goal = bound if isinstance(bound, str) else Quantity(exact_number_as_printed(bound), formula.unit)
    inverse = extreme_input_within_bound(formula, input_values, sought_name, relation, goal)
    entry = formula.inputs[sought_name]

    def check_fields(trial: CheckedValue | None) -> JsonResult | None:
        if trial is None:
            return None
        value = answer_json_value(trial.base_value, entry.unit)
        answer = answer_json_value(trial.answer, formula.unit) if trial.answer is not None else None
        return {sought_name: value, "gives": answer, "holds": trial.meets_bound}

    base_value = inverse.base_value_if_found
    return {
        "formula": formula.name,
        "find": sought_name,
        "value": inverse.status if base_value is None else answer_json_value(base_value, entry.unit),
        "unit": entry.unit.symbol,
        "relation": relation,
        "bound": answer_json_value(inverse.bound_quantity.base_value, formula.unit),
        "bound_unit": formula.unit.symbol,
        "sense": inverse.extremum_word,
        "domain": inverse.domain_description,
        "reached": not inverse.is_best_value_excluded,
        "at": check_fields(inverse.best_or_nearest),
        "neighbour": check_fields(inverse.neighbouring_value),
    }


# -- lines ----------------------------------------------------------------------------------


def error_as_json(error: FormulaError) -> JsonResult:
    """An error as an object: message and remedy, class, and place in an expression."""
    step = f" in step {error.step_name}" if error.step_name else ""
    message = f"{error.message}{step}; {error.hint}" if error.hint else f"{error.message}{step}"
    fields: JsonResult = {"error": message, "class": error.json_class_word}
    return fields if error.text_offset is None else {**fields, "column": error.text_offset + 1}


def json_result_lines(lines: Iterable[str], formulas: Mapping[str, Formula]) -> Iterator[str]:
    """Yields one JSON object for each non-blank line: a result, or {"error": …} with the reason. A line may name any of
    `formulas`."""
    import json

    for line in filter(str.strip, lines):
        try:
            if len(line) > MAX_STDIN_LINE_CHARACTERS:
                raise BadTextError(f"a line of more than {MAX_STDIN_LINE_CHARACTERS:,} characters", "split it")
            result = json_result_of_request_line(line, formulas)
        except FormulaError as error:
            result = error_as_json(error)
        yield json.dumps(result, ensure_ascii=False, allow_nan=False)


def json_result_of_request_line(line: str, formulas: Mapping[str, Formula]) -> JsonResult:
    """The result object of one line of `--stdin`. Raises FormulaError with the reason if it has none."""
    import json

    try:
        request = json.loads(line, parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError):
        request = None
    if not isinstance(request, dict):
        raise BadTextError("this line is not a JSON object", 'write {"formula": "zero_bytes", "inputs": {"K": 32}}')
    inputs = request.get("inputs", {})
    if not isinstance(inputs, dict):
        raise BadTextError('"inputs" is no object', 'write "inputs": {"K": 32}')
    input_values = {name: value for name, value in inputs.items() if value is not None}
    text, name = request.get("expression"), request.get("formula")
    if isinstance(text, str) and name is None:
        return solve_expression_json(text, input_values)
    if not isinstance(name, str):
        raise BadTextError('a line needs "formula" or "expression"', 'write {"formula": "zero_bytes", …}')
    if (formula := formulas.get(name)) is None:
        hint = did_you_mean(name, tuple(formulas)) or "see `quizgen list formulas`"
        raise BadTextError(f'no formula "{shorten(name)}"', hint)
    target = request.get("find")
    relation = next((r for r in WORDS_AND_TEST_BY_RELATION_NAME if r in request), "")
    if isinstance(target, str) and relation:
        return solve_inverse_json(formula, input_values, target, relation, request[relation])
    return evaluation_as_json(formula.evaluate_raw(input_values))
