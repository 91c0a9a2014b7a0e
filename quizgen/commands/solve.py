"""`quizgen solve`: the formula engine by hand."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from quizgen import bank as banks
from quizgen.bank.formula_files import FormulaBook, formula_book_of_files, is_formulas_yaml, shipped_formula_file_paths
from quizgen.commands.options import argument, flag_option, notify, option
from quizgen.formula import FormulaError
from quizgen.formula import solve as engine
from quizgen.formula.definition import WORDS_AND_TEST_BY_RELATION_NAME, Formula
from quizgen.formula.show import derivation_of
from quizgen.formula.units import parse_unit
from quizgen.render.text import derivation_lines
from quizgen.source import yaml
from quizgen.source.problems import Unreadable, did_you_mean, printable, shorten

if TYPE_CHECKING:
    from pathlib import Path


UNIT_BY_OPTION_ALIAS = {"d": "day", "days": "day", "hours": "h", "minutes": "min", "seconds": "s"}  # after --unit only
MAX_LISTED_FORMULAS = 4  # formulas listed for an ambiguous name


@click.command("solve")
@argument("formula", None, "formulas", required=False)
@argument("inputs", "NAME=VALUE…", "letters", nargs=-1)
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
def solve_command(
    formula: str | None, inputs: tuple[str, ...], lines: bool, bank: str | None, as_json: bool, **options: str | None
) -> int:
    """Evaluate a formula for given inputs: its value, its unit and the worked derivation.

    Values are numbers, numbers with units (80GB, 400Gb/s, 13B for a count) or words; a bare number
    takes the input's unit. `quizgen list formulas` lists them all.

    Example: quizgen solve zero_bytes N=70e9 stage=3 --find K --at-most 80GB
    """
    given_options = {name: text for name, text in options.items() if text is not None}
    expression, find = options["expression"], options["find"]
    relations = given_options.keys() & WORDS_AND_TEST_BY_RELATION_NAME.keys()
    if lines and (formula or expression or find or relations or options["unit"]):
        raise click.UsageError("--stdin takes formulas and inputs from its lines; leave all else but --bank out")
    if not (lines or formula or expression):
        raise click.UsageError("name a formula, as in: quizgen solve zero_bytes N=13e9 K=32 stage=2")
    if expression is not None and (find or relations):
        raise click.UsageError("--find needs a formula with a name, not --expression")
    if len(relations) != (1 if find is not None else 0):
        bounds_of_find = "--at-most, --at-least, --below, --above or --equals"
        raise click.UsageError(f"--find NAME goes with exactly one bound, a bound with --find: {bounds_of_find}")
    if {"unit", "find"} <= given_options.keys():
        raise click.UsageError("--unit shows the answer of a formula; with --find leave it out")
    if lines:
        # Bytes that are not UTF-8 are shown as escapes and do not end the run.
        input_lines = (raw_line.decode("utf-8", "backslashreplace") for raw_line in sys.stdin.buffer)
        book = formula_book_of_files([*_formula_files_of_bank(bank), *shipped_formula_file_paths()])
        for line in engine.json_result_lines(input_lines, book):
            click.echo(line)
        return 0
    code = 0
    try:
        result = _solve_as_json_object_or_text_lines(formula, inputs, bank, as_json, given_options)
    except FormulaError as error:
        result, code = engine.error_as_json(error), 2
        if not as_json:
            click.echo(f"quizgen: {printable(result['error'])}", err=True)
            return code
    if isinstance(result, dict):
        import json  # takes a tenth of the start

        click.echo(json.dumps(result, allow_nan=False))
    else:
        click.echo("\n".join(map(printable, result)))
    return code


def _solve_as_json_object_or_text_lines(
    formula_name: str | None, inputs: tuple[str, ...], bank: str | None, as_json: bool, options: Mapping[str, str]
) -> dict[str, Any] | Sequence[str]:
    """The result as an object for JSON, or as lines of text. `options`: the values of --expression, --find, --unit and
    the bounds by name, without those that were not given."""
    unit = UNIT_BY_OPTION_ALIAS.get(options.get("unit", ""), options.get("unit"))
    if (expression := options.get("expression")) is not None:
        # With --expression no formula is named, so the first word is an assignment too.
        values = engine.value_text_by_name((formula_name, *inputs) if formula_name else inputs)
        engine.refuse_unused_or_missing_names(expression, values)
        notify(*engine.bytes_or_billions_warnings((expression, *values.values())))
        result = engine.solve_expression_json(expression, values)
        result = result if unit is None else engine.expression_json_in_unit(result, unit)
        return result if as_json else [f"{result['value']} {result['unit']}".removesuffix(" 1")]
    formula, values = _require_formula(formula_name or "", bank), engine.value_text_by_name(inputs)
    notify(*engine.likely_swapped_value_warnings(formula, values))
    if "find" in options:
        from quizgen.formula.inverse import extreme_input_within_bound, inverse_result_lines

        (relation,) = options.keys() & WORDS_AND_TEST_BY_RELATION_NAME.keys()
        query = (formula, values, options["find"], relation, options[relation])
        if as_json:
            return engine.solve_inverse_json(*query)
        return inverse_result_lines(extreme_input_within_bound(*query))
    evaluation = formula.evaluate_raw(values)
    shown_unit = None if unit is None else parse_unit(unit)
    if shown_unit is not None:
        formula.require_unit_fits_answer(shown_unit)
    return engine.evaluation_as_json(evaluation) if as_json else derivation_lines(derivation_of(evaluation, shown_unit))


def _require_formula(name: str, bank: str | None) -> Formula:
    for filter_name in (name, ""):  # all formulas are read for the message, or from a file that is not in block style
        book = formula_book_of_files([*_formula_files_of_bank(bank), *shipped_formula_file_paths()], filter_name)
        if (formula := book.get(name)) is not None:
            return formula
    node = book.formula_nodes.get(name)
    if node is not None and node.doc.problems:
        raise click.UsageError(f"formula {name} has errors: {node.doc.problems[0]}")
    for path in _formula_files_of_bank(bank):  # the formula may be in a file that cannot be read
        _, doc = yaml.read_yaml_with_problems(path)
        if doc.problems:
            raise Unreadable(str(doc.problems[0]))
    list_hint = f"see quizgen list formulas{f' --bank {bank}' if bank else ''}"
    expression = name[:1].isdigit() or any(sign in name for sign in "+*/=(")
    hint = "an expression goes after --expression" if expression else _similar_formulas_hint(name, book)
    hint = hint or did_you_mean(name, tuple(book)) or _similar_formulas_hint(name, book, matches_any_word=True)
    raise click.UsageError(f'no formula "{printable(shorten(name))}"; {hint or list_hint}')


def _similar_formulas_hint(name: str, formula_book: FormulaBook, *, matches_any_word: bool = False) -> str:
    """A list of the formulas whose names or titles contain the words of `name`, or as many of them as any does; empty
    if there are none."""
    titles = {key: formula.title for key in formula_book if (formula := formula_book.get(key)) is not None}
    formulas = engine.formula_names_matching_query(name, titles, any_word=matches_any_word)
    entries = [f"{key} ({titles[key]})" for key in formulas[:MAX_LISTED_FORMULAS]]
    hidden_count = len(formulas) - MAX_LISTED_FORMULAS
    suffix = f" {hidden_count} more: quizgen list formulas" if hidden_count > 0 else ""
    return f"did you mean {'; '.join(entries)}?{suffix}" if formulas else ""


def _formula_files_of_bank(bank: str | None) -> list[Path]:
    """The formula files of the bank called `bank`; none without a bank."""
    if bank is None:
        return []
    path, _ = banks.find_bank_path_and_part_name(bank)
    return [path] if path.is_file() else sorted(p for p in path.glob("*.yaml") if is_formulas_yaml(p))
