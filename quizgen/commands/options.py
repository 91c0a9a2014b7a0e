"""Options that several commands share, and the completion of names in a shell. It loads quickly, as `mock` and `solve`
read their options before anything heavy is imported.

The parameter `names` of an option is a text for click: `-o --output`, or `--kind kinds` if the argument has another
name. Completion is installed by one line: `eval "$(_QUIZGEN_COMPLETE=bash_source quizgen)"`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol, TypeVar

import click

from quizgen import bank as banks
from quizgen import data_folders
from quizgen.source.problems import Unreadable, printable, read_decimal, shorten

CommandFunction = TypeVar("CommandFunction", bound=Callable[..., object])

DEFAULT_BANK = "distributed-training"


class Decorator(Protocol):
    """What an option does to the function of a command."""

    def __call__(self, command: CommandFunction, /) -> CommandFunction: ...


def flag_option(click_names: str, help_text: str) -> Decorator:
    """An option without a value."""
    return click.option(*click_names.split(), is_flag=True, help=help_text)


def argument(name: str, metavar: str | None, completes: str, **click_options: Any) -> Decorator:
    """An argument, called `metavar` in the help; a shell completes it with names of the kinds `completes`."""
    return click.argument(name, metavar=metavar, shell_complete=name_completer(*completes.split()), **click_options)


def option(click_names: str, metavar: str, help_text: str, completes: str = "", **click_options: Any) -> Decorator:
    """An option with a value, called `metavar` in its help; a file to read must be a plain file. The help of one with
    `multiple` says that it may be repeated, unless it ends with a full stop. A shell completes its value with names of
    the kinds `completes`."""
    if completes:
        click_options["shell_complete"] = name_completer(*completes.split())
    if click_options.get("multiple") and not help_text.endswith("."):
        help_text += "; may be repeated."
    if "flag_value" in click_options:  # the value of the option without a value
        click_options["is_flag"] = False
    if metavar in ("FILE", "MANIFEST", "LOG") and not {"--output", "--log"} & {*click_names.split()}:
        click_options.setdefault("callback", refuse_devices_and_pipes)
    return click.option(*click_names.split(), metavar=metavar or None, help=help_text, **click_options)


def text_type(parse: Callable[[str], Any], advice: str) -> Callable[[str], Any]:
    """The type of an option whose text `parse` reads; `advice` is the message where it raises an error."""

    def convert(text: str) -> Any:
        try:
            return parse(text)
        except (ValueError, OverflowError, LookupError):
            raise click.BadParameter(f'{advice}, not "{printable(shorten(text))}"') from None

    return convert


def refuse_devices_and_pipes(_: object, option: object, paths: str | tuple[str, ...] | None) -> object:
    """The callback of an option for files to read. Raises BadParameter for a device, which would never end, or a pipe,
    which might never begin."""
    for name in (paths,) if isinstance(paths, str) else paths or ():
        if os.path.exists(name) and not (os.path.isfile(name) or os.path.isdir(name)):
            raise click.BadParameter(f"{printable(name)} is a device or a pipe; name a plain file")
    return paths


def page_file_option(click_names: str, metavar: str, help_text: str, **click_options: Any) -> Decorator:
    """An option for a page to write, to standard output only if the help says so. Refuses the name of a log or
    bank: `debrief --html s.jsonl` would overwrite it."""

    def refuse_log_name(_: object, option: object, name: str | None) -> str | None:
        if name == "" or (name == "-" and "standard output" not in help_text):
            raise click.BadParameter("it names no file; write the name of a page, such as page.html")
        if name and name.endswith((".jsonl", ".log", ".ndjson", ".yaml", ".yml")):
            noun = "bank" if name.endswith("ml") else "log"
            raise click.BadParameter(f"{name} is the name of a {noun}; name a page to write, such as page.html")
        return name

    return option(click_names, metavar, help_text, callback=refuse_log_name, **click_options)


def choice_option(click_names: str, choices: Sequence[str], help_text: str) -> Decorator:
    """An option with one of `choices`, in capitals or not, as its value, by default the first."""
    kind = click.Choice(choices, case_sensitive=False)
    return click.option(*click_names.split(), type=kind, default=choices[0], show_default=True, help=help_text)


def int_option(click_names: str, low: int, high: int | None, help_text: str, **click_options: Any) -> Decorator:
    """An option with a whole number from `low` to `high` (None: no limit)."""
    numbers = click.IntRange(low, high)
    numbers.name = "integer"  # in help and messages
    return click.option(*click_names.split(), type=numbers, help=help_text, **click_options)


DIFFICULTIES_BY_WORD = {"easy": (1, 2), "medium": (3,), "hard": (4, 5)}  # difficulties from 1 to 5


def difficulty_option() -> Decorator:
    """The option `--difficulty`, with values such as 4 or `hard`; the command receives a tuple of numbers."""

    def parse_levels(_: object, option: object, texts: Sequence[str]) -> tuple[int, ...]:
        return tuple(dict.fromkeys(n for text in texts for n in DIFFICULTIES_BY_WORD.get(text) or (int(text),)))

    choice = click.Choice([*DIFFICULTIES_BY_WORD, *"12345"])
    summary = "Only this difficulty, 1 to 5 or easy (1, 2), medium (3), hard (4, 5); may be repeated."
    return click.option("--difficulty", "difficulties", type=choice, multiple=True, callback=parse_levels, help=summary)


def name_completer(*kinds: str) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """The completion callback for an argument that takes names of these kinds: those that begin with the text typed so
    far, each once; none if the bank cannot be read."""

    def names(context: click.Context, parameter: click.Parameter, prefix: str) -> list[str]:
        values = dict(context.params)
        arguments = [one.name for one in context.command.params if isinstance(one, click.Argument)]
        for name, value in zip(arguments, context.args, strict=False):  # left there by an option without its value yet
            values[str(name)] = values.get(str(name)) or value
        try:
            completions = dict.fromkeys(name for kind in kinds for name in _completable_names_of_kind(kind, values))
        except (banks.BankNotFound, Unreadable, OSError):
            return []
        return [name for name in completions if name.startswith(prefix)]

    return names


def _completable_names_of_kind(kind: str, given_options: Mapping[str, Any]) -> Iterable[str]:
    """The names of a kind, where it matters of the bank or formula on the command line. Raises Unreadable."""
    if kind == "banks":
        return data_folders.shipped_bank_names()
    if kind in ("blueprints", "cases"):
        return banks.shipped_blueprint_and_case_names([kind])
    if kind in ("formulas", "letters"):
        from quizgen.bank.formula_files import formula_book_of_files, shipped_formula_file_paths

        name = str(given_options.get("formula") or "") if kind == "letters" else ""
        book = formula_book_of_files(shipped_formula_file_paths(), name)
        formula = book.get(name)
        letters = [f"{letter}=" for letter in formula.inputs] if formula is not None else []
        return sorted(book) if kind == "formulas" else letters
    bank = banks.load_bank(given_options.get("bank_argument") or given_options.get("bank") or DEFAULT_BANK).bank
    if bank is None:
        return ()
    if kind == "roles":
        return sorted(bank.topic_weights_by_role.keys() - {"any"})
    return sorted(bank.items if kind == "items" else {item.topic for item in bank.items.values()} - {""})


def notify(*messages: str) -> None:
    """Prints each message as a line on standard error; control characters are escaped."""
    for message in messages:
        click.echo(printable(message), err=True)


def chosen_format(format_option: str, as_json: bool) -> str:
    """The format that --format and --json ask for. Raises UsageError if they differ."""
    if as_json and format_option not in ("text", "json"):
        raise click.UsageError(f"--json and --format {format_option} exclude each other; choose one")
    return "json" if as_json else format_option


def parse_minutes_option(text: str | None) -> Fraction | None:
    """The value of `--minutes`; None without the option. Raises UsageError if no blueprint could have that many."""
    from quizgen.model import MAX_FORM_MINUTES

    return parse_positive_number_option("--minutes", text, MAX_FORM_MINUTES, "45")


def parse_positive_number_option(option_name: str, text: str | None, maximum: int, example: str) -> Fraction | None:
    """The number in `text`, above 0 and at most `maximum`; None if `text` is None. Raises UsageError for anything else,
    with `example` as an example."""
    if text is None:
        return None
    value = read_decimal(text)
    if value is None or not 0 < value <= maximum:
        message = f'{option_name} must be a number above 0 and at most {maximum}, not "{printable(shorten(text))}"'
        raise click.UsageError(f"{message}; write {option_name} {example}")
    return value
