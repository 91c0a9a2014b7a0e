"""`quizgen solve`: the formula engine by hand."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from quizgen.bank.formula_files import FormulaBook, is_formula_file, read_formula_book, shipped_formula_files
from quizgen.commands.completion import completes
from quizgen.commands.options import flag_option, notify, option
from quizgen.formula.definition import RELATIONS, Formula
from quizgen.formula.errors import FormulaError
from quizgen.formula.solve import error_result, formulas_by_words, letter_warnings, read_assignments, solution_result
from quizgen.source.problems import did_you_mean, printable, shorten

if TYPE_CHECKING:
    from pathlib import Path


SHORT_UNITS = {"d": "day", "days": "day", "hours": "h", "minutes": "min", "seconds": "s"}  # accepted after --unit only
MAX_LISTED_FORMULAS = 4  # formulas listed for an ambiguous name


@click.command("solve")
@click.argument("formula", required=False, shell_complete=completes("formulas"))
@click.argument("inputs", nargs=-1, metavar="NAME=VALUE…", shell_complete=completes("letters"))
@option("--expression -e", "FORMULA", "Evaluate a bare expression instead of a named formula.")
@flag_option("--stdin lines", "Read JSON lines {formula, inputs}; print one object a line.")
@option("--find", "NAME", "Find the value of this input that meets the bound.")
@option("--at-most", "BOUND", "The answer is at most this.")
@option("--at-least", "BOUND", "The answer is at least this.")
@option("--below", "BOUND", "The answer is below this.")
@option("--above", "BOUND", "The answer is above this.")
@option("--equals", "BOUND", "The answer equals this.")
@option("--unit", "UNIT", "Show the answer in this unit.")
@option("--bank", "BANK", "A bank whose formulas to use as well.")
@flag_option("--json as_json", "Print the result as JSON.")
def command(
    formula: str | None,
    inputs: tuple[str, ...],
    expression: str | None,
    lines: bool,
    find: str | None,
    unit: str | None,
    bank: str | None,
    as_json: bool,
    **bounds: str | None,
) -> int:
    """Evaluate a formula for given inputs: its value, its unit and the worked derivation.

    Values are numbers, numbers with units (80GB, 400Gb/s, 13B for a count) or words; a bare number
    takes the input's unit. `quizgen list formulas` lists them all.

    Example: quizgen solve zero_bytes N=70e9 stage=3 --find K --at-most 80GB
    """
    relations = [name for name in RELATIONS if bounds.get(name) is not None]
    options = [f"--{name.replace('_', '-')}" for name in ("find", *relations) if name != "find" or find is not None]
    if fault := _wrong_use(formula, expression, lines, find, unit, options, relations):
        raise click.UsageError(fault)
    if lines:
        return _lines(bank)
    try:
        if expression is not None:
            # With --expression no formula is named, so the first word is an assignment too.
            return _solve_expression(expression, (formula, *inputs) if formula else inputs, unit, as_json)
        known = _find_formula(formula or "", bank)
        return _named_formula(known, read_assignments(inputs), find, unit, relations, bounds, as_json)
    except FormulaError as error:
        return _refuse(error, as_json)


def _wrong_use(
    formula: str | None, expression: str | None, lines: bool, find: str | None, unit: str | None, options: list[str],
    relations: list[str],
) -> str:  # fmt: skip
    """The reason why the options cannot be combined; empty if they can."""
    if lines and (formula is not None or expression is not None or options or unit is not None):
        return "--stdin takes formulas and inputs from its lines; leave all else but --bank out"
    if expression is not None and options:
        return f"{options[0]} needs a formula with a name, not --expression"
    if formula is None and expression is None and not lines:
        return "name a formula, as in: quizgen solve zero_bytes N=13e9 K=32 stage=2"
    return f"{options[0]} goes with --find NAME" if relations and find is None else ""


def _lines(bank: str | None) -> int:
    """Evaluates the lines of standard input, with one result per line. Returns the exit code."""
    from quizgen.formula.solve_lines import solve_lines

    book = _formula_book(bank)
    for line in solve_lines(_standard_input(), book.get, lambda: tuple(book)):
        click.echo(line)
    return 0


def _named_formula(
    known: Formula, given: dict[str, str], find: str | None, unit: str | None, relations: list[str],
    bounds: dict[str, str | None], as_json: bool,
) -> int:  # fmt: skip
    """Evaluates a formula, or solves it for an input, after warnings about letters that usually have another
    meaning."""
    for line in letter_warnings(known, given):
        notify(line)
    if find is not None:
        return _print_inverse(known, given, find, relations, bounds, as_json)
    return _print_value(known, given, SHORT_UNITS.get(unit or "", unit), as_json)


def _solve_expression(expression: str, words: tuple[str, ...], unit: str | None, as_json: bool) -> int:
    from quizgen.formula.solve_lines import byte_warnings, convert_result, refuse_unused_names, solve_expression

    values = read_assignments(words)
    refuse_unused_names(expression, values)
    for line in byte_warnings((expression, *values.values())):
        notify(line)
    result = solve_expression(expression, values)
    result = result if unit is None else convert_result(result, SHORT_UNITS.get(unit, unit))
    _echo(result, as_json, [f"{result['value']} {result['unit']}".removesuffix(" 1")])
    return 0


def _print_value(formula: Formula, given: dict[str, str], unit: str | None, as_json: bool) -> int:
    from quizgen.formula.derive import derive
    from quizgen.formula.units import parse_unit
    from quizgen.render.wrap import derivation_lines

    evaluation = formula.evaluate(given)
    unit_wanted = None
    if unit is not None:
        unit_wanted = parse_unit(unit)
        formula.accepts(unit_wanted)
    if as_json:
        _echo(solution_result(evaluation), True, ())
    else:
        _echo({}, False, derivation_lines(derive(evaluation, unit_wanted)))
    return 0


def _print_inverse(
    formula: Formula,
    given: dict[str, str],
    target: str,
    relations: list[str],
    bounds: dict[str, str | None],
    as_json: bool,
) -> int:
    from quizgen.formula.inverse import inverse_lines, solve_for_input
    from quizgen.formula.solve_lines import solve_inverse

    if len(relations) != 1:
        raise click.UsageError("--find needs exactly one bound: --at-most, --at-least, --below, --above or --equals")
    bound = bounds[relations[0]]
    assert bound is not None
    if as_json:
        _echo(solve_inverse(formula, given, target, relations[0], bound), True, ())
    else:
        inverse = solve_for_input(formula, given, target, relations[0], bound)
        _echo({}, False, inverse_lines(inverse))
    return 0


def _find_formula(name: str, bank: str | None) -> Formula:
    book = _formula_book(bank, name)
    formula = book.get(name)
    if formula is not None:
        return formula
    book = _formula_book(bank)  # the formulas, or the message for a file that is not in block style
    formula = book.get(name)
    if formula is not None:
        return formula
    node = book.nodes.get(name)
    if node is not None and node.doc.problems:
        raise click.UsageError(f"formula {name} has errors: {node.doc.problems[0]}")
    _own_problem(bank)
    listed = f"see quizgen list formulas{f' --bank {bank}' if bank else ''}"
    expression = name[:1].isdigit() or any(sign in name for sign in "+*/=(")
    near = "an expression goes after --expression" if expression else _by_words(name, book)
    hint = near or did_you_mean(name, tuple(book)) or listed
    raise click.UsageError(f'no formula "{printable(shorten(name))}"; {hint}')


def _by_words(name: str, book: FormulaBook) -> str:
    """A list of the formulas whose names or titles contain the words of `name`; empty if there are none."""
    titles = {known: made.title for known in book if (made := book.get(known)) is not None}
    formulas = formulas_by_words(name, titles)
    shown = "; ".join(f"{known} ({titles[known]})" for known in formulas[:MAX_LISTED_FORMULAS])
    more = (
        f"; {len(formulas) - MAX_LISTED_FORMULAS} more: quizgen list formulas"
        if len(formulas) > MAX_LISTED_FORMULAS
        else ""
    )
    return f"did you mean {shown}{more}?" if formulas else ""


def _formula_book(bank: str | None, only: str = "") -> FormulaBook:
    """The formulas of the given bank, else of the shipped banks."""
    if bank is None:
        return read_formula_book(shipped_formula_files(), only)
    from quizgen import bank as banks

    path, _ = banks.locate_bank(bank)
    return read_formula_book([*_formula_files(path), *shipped_formula_files()], only)


def _formula_files(bank: Path) -> list[Path]:
    return [bank] if bank.is_file() else sorted(p for p in bank.glob("*.yaml") if is_formula_file(p))


def _own_problem(bank: str | None) -> None:
    """Ends with exit code 3 if a formula file of the given bank cannot be read, as the formula may be in it."""
    if bank is None:
        return
    from quizgen import bank as banks
    from quizgen.source import yaml
    from quizgen.source.problems import Unreadable

    for path in _formula_files(banks.locate_bank(bank)[0]):
        _, doc, _ = yaml.load_yaml(path, str(path))
        if doc.problems:
            raise Unreadable(str(doc.problems[0]))


def _standard_input() -> Iterator[str]:
    """Yields the lines of standard input. Bytes that are not UTF-8 are shown as escapes and do not end the run."""
    for raw in sys.stdin.buffer:
        yield raw.decode("utf-8", "backslashreplace")


def _echo(result: object, as_json: bool, lines: object) -> None:
    if as_json:
        import json

        click.echo(json.dumps(result, allow_nan=False))
        return
    assert isinstance(lines, list | tuple)
    for line in lines:
        click.echo(printable(line))


def _refuse(error: FormulaError, as_json: bool) -> int:
    """Reports a value that cannot be computed as a usage error: on standard error, or as {"error": …}."""
    fields = error_result(error)
    if as_json:
        import json

        click.echo(json.dumps(fields))
    else:
        click.echo(f"quizgen: {printable(fields['error'])}", err=True)
    return 2
