"""`quizgen check`: the author's compiler."""

from __future__ import annotations

import json
import sys
from collections import Counter

import click

from quizgen import bank as banks
from quizgen import plugins
from quizgen.commands.options import flag, value, values, word
from quizgen.commands.progress_line import ProgressLine
from quizgen.commands.shared import DEFAULT_BANK, by_place, count, format_of, tell
from quizgen.proving import prove
from quizgen.render.proof import unshowable
from quizgen.schema import schema_of
from quizgen.source import Problem, Where, printable

SCHEMAS = ("items", "bank", "formulas", "blueprint", "cases")  # kinds of file, as quizgen.schema has them
MARKS = {"error": "error", "failure": "error", "warning": "warning"}


@click.command("check")
@click.argument("bank", nargs=-1, metavar="[BANK…]")
@word("--format form", ["text", "json", "github"], "How to print.")
@flag("--json as_json", "The same as --format json.")
@flag("--quick", "Structure only: no proofs over variants, no rubric lints.")
@value(
    "--schema",
    "[FILE]",
    f"Print the JSON Schema of a kind of file, for editors, and end: {', '.join(SCHEMAS)} (default: items).",
    is_flag=False,
    flag_value="items",
    type=click.Choice(tuple(SCHEMAS)),
)
@values(
    "--with logs",
    "LOG…",
    "Also tell what answer logs say of the items: difficulty and time against what is declared, distractors "
    "nobody takes, wrong values without a name, criteria never or always met, disputes.",
)
@flag(
    "--verbose -v",
    "Also tell how many drawings each `require` passes, and right answers that would lean to the wrong ones.",
)
@flag("--quiet -q", "Problems only, no summary.")
def command(
    bank: tuple[str, ...],
    form: str,
    as_json: bool,
    quick: bool,
    schema: str | None,
    logs: tuple[str, ...],
    verbose: bool,
    quiet: bool,
) -> int:
    """Find everything wrong with banks, in one run.

    Every problem is one line, `path:line:column: ITEM: what is wrong; what to do`. Numeric keys
    are proven over every variant and rubrics are tried on their own model answers. Exit code 1
    where there is a problem (a warning is none), 3 where nothing could be read.

    Example: quizgen check banks/distributed-training
    """
    if schema:
        others = {"item": plugins.names(plugins.KINDS), "drawn-figure": plugins.names(plugins.FIGURES)}
        click.echo(json.dumps(schema_of(schema, others), indent=2))
        return 0
    form = format_of(form, as_json)
    problems: list[Problem] = []
    unread = 0
    summary: list[str] = []
    if logs:
        from quizgen.commands.check_seen import logs_of, problems_seen

        bank, logs = logs_of(bank, logs)
        name, problems, told = problems_seen(logs, bank[0] if bank else None)
        bank, summary = (name,), [told]
    for argument in bank or (DEFAULT_BANK,):
        try:
            found, lines, readable = check_one(argument, quick, verbose)
        except banks.BankNotFound as error:
            found, lines, readable = [Problem(Where(argument, 1, 1), str(error))], [], False
        problems += found
        unread += not readable
        summary += lines
    show(by_place(problems) if logs else problems, form)
    bad = sum(p.severity != "warning" for p in problems)
    if not quiet and form == "text":
        for line in summary:
            tell(line)
        tell(f"{count(bad, 'problem')}, {count(len(problems) - bad, 'warning')}")
    if unread and unread == len(bank or (DEFAULT_BANK,)):
        return 3
    return 1 if bad else 0


def check_one(argument: str, quick: bool, verbose: bool = False) -> tuple[list[Problem], list[str], bool]:
    """All problems of one bank, its summary lines, and whether it could be read at all."""
    loaded = banks.load(argument, everything=True)
    problems = list(loaded.problems)
    if loaded.bank is None:
        return by_place(problems), [], not loaded.unread
    kinds = Counter(item.kind for item in loaded.bank.items.values())
    parts = ", ".join(f"{kinds[kind]:,} {kind}" for kind in sorted(kinds))
    formulas = count(len(loaded.formula_names), "formula")
    lines = [f"{argument}: {count(len(loaded.bank.items), 'item')} ({parts}), {formulas}"]
    if not quick:
        total, line = len(loaded.bank.items), ProgressLine(0, sys.stderr, True)
        proven = prove(loaded.bank, lambda done: line.step("items", done, total))
        problems += proven.problems
        failed = {p.item for p in proven.problems if p.severity == "failure"}  # it may have no solution to show
        problems += unshowable((i for i in loaded.bank.items.values() if i.id not in failed), loaded.bank.root)
        lines.append(f"{argument}: variants proven: {proven.walked:,} of {proven.total:,}")
        if proven.narrowed:
            share = 100 * proven.allowed / proven.walked
            lines.append(f"{argument}: require passes {proven.allowed:,} of {proven.walked:,} drawings ({share:.0f} %)")
        if verbose:
            lines += [f"  {name}: require passes {a:,} of {w:,}" for name, (a, w) in proven.narrowed.items()]
            told = [remark for item in loaded.bank.items.values() for remark in item.remarks()]
            lines += [f"  {where.path}:{where.line}: {remark}" for where, remark in told]
    return by_place(problems), [printable(line) for line in lines], True


def show(problems: list[Problem], form: str) -> None:
    """Problems on standard output in the asked format."""
    if form == "json":
        rows = [
            {
                "path": p.where.path,
                "line": p.where.line,
                "column": p.where.column,
                "item": p.item or None,
                "severity": MARKS[p.severity],
                "message": p.message,
                "hint": p.hint,
            }
            for p in problems
        ]
        click.echo(json.dumps({"version": 1, "problems": rows}, indent=2, ensure_ascii=True))
        return
    for problem in problems:
        if form == "github":
            place = f"file={problem.where.path},line={problem.where.line},col={problem.where.column}"
            text = str(problem).partition(": ")[2].replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
            click.echo(printable(f"::{MARKS[problem.severity]} {place}::{text}"))
        else:
            click.echo(printable(str(problem)))
