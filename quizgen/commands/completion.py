"""Shell completion: names of banks, blueprints, cases, topics, roles, items, formulas and their letters.

Installed by one line: `eval "$(_QUIZGEN_COMPLETE=bash_source quizgen)"`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from quizgen import bank as banks
from quizgen import data_folders
from quizgen.commands.options import DEFAULT_BANK
from quizgen.source import Unreadable

if TYPE_CHECKING:  # every command imports this file, and completion is rare
    from quizgen.bank.formula_files import FormulaBook
    from quizgen.model import Bank

OptionsOnCommandLine = Mapping[str, Any]  # options already on the command line


def name_completer(*kinds: str) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """The completion callback for an argument that takes names of these kinds."""
    return lambda context, parameter, typed: matching_names(kinds, context.params, typed)


def matching_names(kinds: Sequence[str], given_options: OptionsOnCommandLine, typed: str) -> list[str]:
    """The names of these kinds that begin with `typed`, each once; none if the bank cannot be read."""
    try:
        names = dict.fromkeys(name for kind in kinds for name in NAME_FUNCTION_BY_KIND[kind](given_options))
        return [name for name in names if name.startswith(typed)]
    except (banks.BankNotFound, Unreadable, OSError):
        return []


def _bank_on_command_line(given_options: OptionsOnCommandLine) -> Bank:
    """The bank named on the command line, else the default bank. Raises Unreadable."""
    loaded = banks.load_bank(given_options.get("argument") or given_options.get("bank") or DEFAULT_BANK)
    if loaded.bank is None:
        raise Unreadable("the bank has no items")
    return loaded.bank


def _read_shipped_formulas(name: str = "") -> FormulaBook:
    """The formulas of the shipped banks, or with a `name` only that one."""
    from quizgen.bank.formula_files import read_formula_book, shipped_formula_files

    return read_formula_book(shipped_formula_files(), name)


def _formula_input_prefixes(given_options: OptionsOnCommandLine) -> Iterable[str]:
    """`N=` for each letter of the formula on the command line."""
    name = str(given_options.get("formula") or "")
    formula = _read_shipped_formulas(name).get(name)
    return [f"{letter}=" for letter in formula.inputs] if formula is not None else ()


NAME_FUNCTION_BY_KIND: Final[Mapping[str, Callable[[OptionsOnCommandLine], Iterable[str]]]] = {
    "banks": lambda given: data_folders.shipped_bank_names(),
    "blueprints": lambda given: banks.blueprint_and_case_names(["blueprints"]),
    "cases": lambda given: banks.blueprint_and_case_names(["cases"]),
    "topics": lambda given: sorted({item.topic for item in _bank_on_command_line(given).items.values() if item.topic}),
    "roles": lambda given: sorted(_bank_on_command_line(given).role_weights.keys() - {"any"}),
    "items": lambda given: sorted(_bank_on_command_line(given).items),
    "formulas": lambda given: sorted(_read_shipped_formulas()),
    "letters": _formula_input_prefixes,
}
