"""The results of `quizgen solve`: derivations, and inverse problems with their checks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from quizgen.formula.definition import IMPOSSIBLE, RELATIONS, Answer, Evaluation, Formula, ImpossibleAnswer
from quizgen.formula.derive import input_text
from quizgen.formula.errors import FormulaError, RejectError
from quizgen.formula.expression.evaluate import ImpossibleError, compile_expression, require_number
from quizgen.formula.expression.parse import bare_scope, names_in, parse_expression
from quizgen.formula.inputs import Input
from quizgen.formula.quantity import (
    Number,
    Quantity,
    exact_number,
    exact_text,
    group_thousands,
    parse_any_quantity,
    value_in_unit,
)
from quizgen.formula.show import format_amount, format_answer, format_number
from quizgen.formula.units import ONE, Unit, natural_unit, parse_unit
from quizgen.source.problems import did_you_mean, shorten

if TYPE_CHECKING:
    from quizgen.formula.inverse import CheckedValue, Inverse


def inverse_lines(inverse: Inverse) -> tuple[str, ...]:
    """The lines of an inverse problem: `K = 14`, then the checks at the answer and at its neighbour."""
    formula, target = inverse.formula, inverse.target
    entry = formula.inputs[target]
    bound = format_amount(inverse.bound, None)
    wanted = f"{RELATIONS[inverse.relation]} {bound}"
    gives = bound if inverse.relation == "equals" else wanted
    lines = [f"{formula.title or formula.name}: {entry.about} ({target}) for an answer {wanted}", ""]
    if inverse.status != "found":
        none = f"impossible, no {target} among the {inverse.domain} gives {gives}"
        every = f"unbounded, every {target} that was tried gives {gives}"
        lines.append(f"Answer: {none if inverse.status == 'impossible' else every}")
        if inverse.at is not None:
            lines.append(f"  even {_at(inverse, inverse.at)}")
        return tuple(lines)
    assert inverse.at is not None
    value = input_text(entry, inverse.at.value)
    if inverse.strict:
        side = "above" if inverse.sense == "smallest" else "below"
        lines.append(f"Answer: every {target} {side} {value}, but not {value} itself")
    else:
        sense = {"smallest": "the smallest", "largest": "the largest"}.get(inverse.sense, "the value")
        lines.append(f"Answer: {target} = {value}, {sense} among the {inverse.domain}")
    lines.append(f"  {_at(inverse, inverse.at)}: {_verdict(inverse.at)}")
    if inverse.beside is not None:
        lines.append(f"  {_at(inverse, inverse.beside)}: {_verdict(inverse.beside)}")
    else:
        lines.append(f"  {target} = {value} is the end of its domain")
    return tuple(lines)


def _verdict(one: CheckedValue) -> str:
    return "meets the bound" if one.holds else "does not"


def _at(inverse: Inverse, one: CheckedValue) -> str:
    entry = inverse.formula.inputs[inverse.target]
    value = (
        group_thousands(exact_text(entry.number_of(one.value)))
        if entry.whole
        else format_number(entry.number_of(one.value), 10)
    )
    gives = "no value" if one.answer is None else _precise(inverse, one.answer)
    unit = "" if entry.unit.symbol == "1" else f" {entry.unit.after(value)}"
    return f"{inverse.target} = {value}{unit} gives {gives}"


def _precise(inverse: Inverse, answer: Answer) -> str:
    """An answer with as many figures as it takes to distinguish it from the bound."""
    bound = format_answer(inverse.formula, inverse.bound.base)
    short = format_answer(inverse.formula, answer)
    return format_answer(inverse.formula, answer, None, 10) if short == bound else short


# `quizgen solve` without its command line: assignments and JSON lines in, result objects out.


MAX_LINE: Final = 256 << 10  # characters in one line of --stdin

Result = dict[str, Any]
Lookup = Callable[[str], Formula | None]


def read_assignment(text: str) -> tuple[str, str]:
    """The name and value of `K=32`: ("K", "32"). Raises RejectError."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise RejectError("assignment", f'"{shorten(text)}" is not a NAME=VALUE', "write it like K=32")
    return name.strip(), value.strip()


def read_assignments(texts: Iterable[str]) -> dict[str, str]:
    """The values of a command line by name. Raises RejectError, also if a name occurs twice."""
    values: dict[str, str] = {}
    for name, value in map(read_assignment, texts):
        if name in values:
            both = f"{shorten(values[name])} and {shorten(value)}"
            raise RejectError("assignment", f"{shorten(name)} is given twice, as {both}", "keep one of them")
        values[name] = value
    return values


def solution_result(evaluation: Evaluation) -> Result:
    """The result object of one run: value and unit of the formula, and every step."""
    from quizgen.formula.derive import derive

    formula = evaluation.formula
    answers: tuple[Any, ...] = (*evaluation.values[len(formula.inputs) :], IMPOSSIBLE)  # each step's, as far as they go
    return {
        "formula": formula.name,
        "value": json_value(evaluation.answer, formula.unit),
        "unit": formula.unit.symbol,
        "steps": [
            {
                "name": shown.name,
                "expression": shown.expression,
                "substituted": shown.substituted,
                "value": json_value(answer, step.unit),
                "unit": step.unit.symbol,
            }
            for step, shown, answer in zip(formula.steps, derive(evaluation).steps, answers, strict=False)
        ],
    }


def json_value(answer: Answer, unit: Unit) -> Any:
    """An answer for JSON: a number of `unit`, a truth value, a list of numbers, or "impossible"."""
    if isinstance(answer, ImpossibleAnswer):
        return "impossible"
    if isinstance(answer, bool):
        return answer
    if isinstance(answer, tuple):
        return [json_number(value_in_unit(one, unit)) for one in answer]
    return json_number(value_in_unit(answer, unit))


def json_number(value: Number) -> int | float:
    """An int if the value is whole, else the nearest float."""
    if isinstance(value, Fraction):
        return float(value)
    return int(value) if type(value) is float and value.is_integer() and abs(value) < 2**53 else value


# -- bare expressions -----------------------------------------------------------------------

_SHORT: Final = re.compile(r"(?<![\w.])(\d[\d_]*(?:\.\d+)?)([kKMGT])(?!\w|/[^\W\d]|\s*\()")
_BYTES: Final = re.compile(r"(?<![\w.])(\d[\d_]*(?:\.\d+)?)B(?![\w/])")
_POWERS: Final = {"k": 3, "K": 3, "M": 6, "G": 9, "T": 12}


def expand_prefixes(text: str) -> str:
    """A text with counts such as `15T` written as numbers, `15e12`.

    >>> expand_prefixes("6 * 70G*15T / 3 TB")
    '6 * 70e9*15e12 / 3 TB'"""
    return _SHORT.sub(lambda found: f"{found[1]}e{_POWERS[found[2]]}", text)


def byte_warnings(texts: Iterable[str]) -> list[str]:
    """A warning for each number with a B that may mean billions, which an expression cannot show."""
    found = dict.fromkeys(one[1] for text in texts for one in _BYTES.finditer(text))
    return [
        f"{format_number}B is {format_number} bytes here; {format_number} billion is {format_number}e9"
        for format_number in found
    ]


def solve_expression(text: str, given: Mapping[str, Any]) -> Result:
    """The result object of an expression with numbers or quantities for its names. Raises FormulaError."""
    written, text = text, expand_prefixes(text)
    quantities = {name: _amount(name, value) for name, value in given.items()}
    scope, values = bare_scope(quantities)
    tree = parse_expression(text)
    kind, run, _ = compile_expression(tree, scope)
    if kind.shape not in ("tuple", "impossible"):
        require_number(tree, kind)
    unit = natural_unit(kind.dim) if kind.dim is not None and not kind.dim.bare else ONE
    try:
        value = json_value(run(values), unit)
    except ImpossibleError:
        value = "impossible"
    filled = text
    for one in reversed(names_in(tree)):
        filled = f"{filled[: one.start]}{quantities[one.name]}{filled[one.end :]}"
    return {
        "expression": written,
        "value": value,
        "unit": unit.symbol,
        "steps": [{"name": "value", "expression": written, "substituted": filled, "value": value, "unit": unit.symbol}],
    }


def convert_result(result: Result, symbol: str) -> Result:
    """The result of an expression in another unit. Raises RejectError if the dimensions differ."""
    value, unit = result["value"], parse_unit(symbol)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RejectError("unit", f"{shorten(str(value))} has no unit", "leave --unit out")
    quantity = Quantity(exact_number(value), parse_unit(result["unit"])).to(unit)
    return {**result, "value": json_number(quantity.value), "unit": unit.symbol}


def refuse_unused_names(text: str, given: Iterable[str]) -> None:
    """Raises RejectError for a value whose name does not occur in the expression."""
    known = tuple(dict.fromkeys(name.name for name in names_in(parse_expression(expand_prefixes(text)))))
    for name in given:
        if name not in known:
            hint = did_you_mean(name, known) or f"its names: {', '.join(known) or 'none'}"
            raise RejectError("name", f'the expression has no "{shorten(name)}"', hint)


def _amount(name: str, value: Any) -> Quantity:
    try:
        return parse_any_quantity(expand_prefixes(value)) if isinstance(value, str) else Quantity(exact_number(value))
    except FormulaError as error:
        error.message = f"{name}: {error.message}"
        raise


# -- letters, and formulas by words of their titles -----------------------------------------

IMPLAUSIBLE_FACTOR: Final = 100  # a value this many times outside the values in a formula's tests is questioned


def letter_warnings(formula: Formula, given: Mapping[str, Any]) -> list[str]:
    """A warning for each value that is unusual for its letter but usual for another: `N = 70e9 is the number of ranks
    here; did you mean D, bytes of the message?`"""
    usual = {name: values for name in formula.inputs if (values := _usual(formula, name))}
    lines = []
    for name in usual.keys() & given.keys():
        entry, written = formula.inputs[name], given[name]
        value = _base(entry, written)
        if not value or _near(value, usual[name]):
            continue
        free = ((n, formula.inputs[n]) for n in usual if n not in given)
        meant = [
            f"{n}, {one.about}" for n, one in free if _near(_base(one, written) or 0, usual[n], IMPLAUSIBLE_FACTOR**2)
        ]
        if meant:
            lines.append(f"{name} = {shorten(str(written))} is {entry.about} here; did you mean {' or '.join(meant)}?")
    return lines


def _usual(formula: Formula, name: str) -> list[float]:
    """The values of an input in the tests of a formula, and its default; in base units."""
    entry = formula.inputs[name]
    given = [dict(test.given)[name] for test in formula.tests if name in dict(test.given)]
    default = entry.default if isinstance(entry.default, int | float | Fraction) else None
    return [float(v) for v in (*(_base(entry, one) for one in given), default) if v]


def _base(entry: Input, written: Any) -> float | None:
    """A value as its input reads it; None if it cannot be read, and for words and lists."""
    try:
        value = entry.read(written)
    except FormulaError:
        return None
    return float(value) if isinstance(value, int | float | Fraction) and not isinstance(value, bool) else None


def _near(value: float, usual: list[float], times: float = IMPLAUSIBLE_FACTOR) -> bool:
    return bool(value) and min(usual) / times < abs(value) < max(usual) * times


def formulas_by_words(query: str, titles: Mapping[str, str]) -> list[str]:
    """The names of the formulas whose name or title has every word of a query, the shortest first.

    >>> formulas_by_words("kv_cache", {"kv_bytes": "Bytes of the KV cache", "flops": "FLOPs of a step"})
    ['kv_bytes']"""
    words = re.findall(r"[a-z0-9]+", query.casefold()) if re.fullmatch(r"[\w -]*[A-Za-z]{2}[\w -]*", query) else []
    texts = {name: f"{name} {title}".casefold().replace("_", " ") for name, title in titles.items()}
    has = (n for n, text in texts.items() if words and all(re.search(rf"(?<![a-z0-9]){w}", text) for w in words))
    return sorted(has, key=lambda name: (len(name), name))


# -- inverse problems -----------------------------------------------------------------------


def solve_inverse(formula: Formula, given: Mapping[str, Any], target: str, relation: str, bound: Any) -> Result:
    """The result object of `--find`: the value, and the checks at it and at its neighbour."""
    from quizgen.formula.inverse import solve_for_input

    wanted = bound if isinstance(bound, str) else Quantity(exact_number(bound), formula.unit)
    inverse = solve_for_input(formula, given, target, relation, wanted)
    entry = formula.inputs[target]

    def checked(one: CheckedValue | None) -> Result | None:
        if one is None:
            return None
        gives = json_value(one.answer, formula.unit) if one.answer is not None else None
        return {target: json_number(value_in_unit(one.value, entry.unit)), "gives": gives, "holds": one.holds}

    value = (
        json_number(value_in_unit(inverse.at.value, entry.unit))
        if inverse.status == "found" and inverse.at
        else inverse.status
    )
    return {
        "formula": formula.name,
        "find": target,
        "value": value,
        "unit": entry.unit.symbol,
        "relation": relation,
        "bound": json_number(value_in_unit(inverse.bound.base, formula.unit)),
        "bound_unit": formula.unit.symbol,
        "sense": inverse.sense,
        "domain": inverse.domain,
        "reached": not inverse.strict,
        "at": checked(inverse.at),
        "neighbour": checked(inverse.beside),
    }


# -- lines ----------------------------------------------------------------------------------


def solve_lines(lines: Iterable[str], formula: Lookup, known: Callable[[], Iterable[str]]) -> Iterator[str]:
    """Yields one JSON object for each non-blank line: a result, or {"error": …}."""
    import json

    for line in lines:
        if line.strip():
            yield json.dumps(solve_line(line, formula, known), ensure_ascii=False, allow_nan=False)


def solve_line(line: str, formula: Lookup, known: Callable[[], Iterable[str]]) -> Result:
    """The result object of one line of `--stdin`, or {"error": …} with the reason."""
    try:
        request = _request(line)
        return _answered(request, formula, known)
    except FormulaError as error:
        return error_result(error)


def error_result(error: FormulaError) -> Result:
    """An error as an object: message and remedy, class, and place in an expression."""
    step = f" in step {error.step}" if error.step else ""
    message = f"{error.message}{step}; {error.hint}" if error.hint else f"{error.message}{step}"
    fields: Result = {"error": message, "class": error.kind, "code": error.code}
    return fields if error.column is None else {**fields, "column": error.column + 1}


def _request(line: str) -> dict[str, Any]:
    if len(line) > MAX_LINE:
        raise RejectError("json", f"a line of more than {MAX_LINE:,} characters", "split it")
    import json

    try:
        request = json.loads(line, parse_float=str, parse_int=_whole, parse_constant=_refused)
    except (ValueError, RecursionError):
        raise RejectError(
            "json", "this line is not a JSON object", 'write {"formula": "zero_bytes", "inputs": {"K": 32}}'
        ) from None
    if not isinstance(request, dict):
        raise RejectError("json", "this line is not a JSON object", 'write {"formula": …, "inputs": {…}}')
    return request


def _whole(digits: str) -> int | str:
    return int(digits) if len(digits) <= 20 else digits


def _refused(name: str) -> Any:
    raise ValueError(name)


def _answered(request: dict[str, Any], formula: Lookup, known: Callable[[], Iterable[str]]) -> Result:
    inputs = request.get("inputs", {})
    if not isinstance(inputs, dict):
        raise RejectError("json", '"inputs" is no object', 'write "inputs": {"K": 32}')
    given = {name: value for name, value in inputs.items() if value is not None}
    expression, name = request.get("expression"), request.get("formula")
    if isinstance(expression, str) and name is None:
        return solve_expression(expression, given)
    if not isinstance(name, str):
        raise RejectError("json", 'a line needs "formula" or "expression"', 'write {"formula": "zero_bytes", …}')
    named = formula(name)
    if named is None:
        hint = did_you_mean(name, tuple(known())) or "see `quizgen list formulas`"
        raise RejectError("formula", f'no formula "{shorten(name)}"', hint)
    target = request.get("find")
    relation = next((r for r in RELATIONS if r in request), "")
    if isinstance(target, str) and relation:
        return solve_inverse(named, given, target, relation, request[relation])
    return solution_result(named.evaluate(given))
