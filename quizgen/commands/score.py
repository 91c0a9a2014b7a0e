"""`quizgen score`: answer logs to scores, feedback, item analysis and exports."""

from __future__ import annotations

import sys
from typing import Any

import click

from quizgen.analysis.attendance import Late
from quizgen.commands.scoring_asked import ScoreOptions
from quizgen.commands.scoring_run import run
from quizgen.commands.shared import flag, format_of, tell, value, values, whole, word
from quizgen.intake.forget import forget
from quizgen.intake.lines import seconds_of
from quizgen.intake.sources import find
from quizgen.source.problems import read_number

FORMATS = ("text", "json", "jsonl", "csv", "html", "matrix", "gradebook", "integrity", "irt", "xapi", "parquet")


def _since(text: str) -> float:
    try:
        return seconds_of(text)
    except (ValueError, OverflowError):
        raise click.BadParameter("write a time like 2026-11-21 or 2026-11-21T10:00:00Z") from None


def _late(text: str) -> Late:
    if text in ("", "ignore", "exclude"):
        return Late(text)
    word, _, rule = text.partition(":")
    share, _, minutes = rule.partition("/")
    percent, each = read_number(share.removesuffix("%")), read_number(minutes)
    if word != "deduct" or percent is None or each is None or not (0 <= percent <= 100 and each > 0):
        raise click.BadParameter("write ignore, exclude or deduct:P%/MIN, as in deduct:5%/10")
    return Late(word, percent / 100, each)


def _percent(text: str) -> float:
    value = read_number(text.strip().removesuffix("%").strip())
    if value is None or not 0 <= value <= 100:
        raise click.BadParameter("write a percentage such as 60 or 60%")
    return float(value / 100)


def _accepted(_: object, option: object, texts: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    accepted: dict[str, tuple[str, ...]] = {}
    for text in texts:
        item, mark, response = text.partition("=")
        if not mark or not item.strip() or not response.strip():
            raise click.BadParameter("write ITEM=RESPONSE")
        accepted[item.strip()] = (*accepted.get(item.strip(), ()), response.strip())
    return accepted


@click.command("score")
@click.argument("logs", nargs=-1, metavar="LOG…")
@value("--bank", "BANK", "The bank: a folder, a file or a shipped name (default: what the log's session says).")
@value("--manifest", "FILE", "The manifest.json of an exam, for answers files and sheets.")
@value("--lms", "", "The grades of an exam as that system takes them.", type=click.Choice(["moodle", "canvas"]))
@value("--feedback", "DIR", "Also a page for each candidate of an exam, in this folder.")
@value("--roster", "FILE", "With a manifest: who was expected (default: the roster in it).")
@value(
    "--late",
    "RULE",
    "What follows when an exam was late: ignore, exclude (what stood at the deadline counts) or deduct:P%/MIN.",
    type=_late,
    default="",
)
@values("--release", "CANDIDATE", "Grade a held candidate all the same")
@values(
    "--sheet",
    "FILE",
    "Responses on paper, as a CSV of candidate, form, 1, 2, 3 …; may be repeated. Points go to --marks.",
)
@word("--format form", FORMATS, "How to write the report; parquet needs the extra quizgen[duckdb], irt quizgen[irt].")
@flag("--json as_json", "The same as --format json.")
@value("-o --output", "FILE", "Where the report goes (default: standard output).", default="-")
@word("--attempt", ["last", "first", "best", "all"], "Which of a candidate's responses to an item count.")
@value("--since", "TIME", "Only responses from this time on: 2026-11-21 or 2026-11-21T10:00:00Z.", type=_since)
@values("--candidate", "NAME", "Only this candidate (or session)")
@values("--topic", "TOPIC", "Only items on this topic")
@value("--fail-under", "PERCENT", "Exit code 1 if the mean score is below, as 60 or 60%.", type=_percent)
@value("--blueprint", "NAME", "The blueprint whose bands and pass mark apply.", default="")
@values(
    "--marks",
    "FILE",
    "Points that people decided: a CSV of candidate, item, criterion, earned, reason, or the JSON of a marking page",
)
@flag("--review", "List doubtful responses as a CSV to fill in for --marks.")
@value(
    "--least-sure",
    "N%",
    "List the N% of text responses whose scores are least sure, as a CSV to fill in for --marks.",
    type=_percent,
)
@value(
    "--dif",
    "FILE",
    "Items that are harder for one group than for another as good; FILE: a CSV of candidate and a column.",
)
@value("--against", "OLD NEW", "Whose score changes between two states of a bank.", nargs=2)
@values("--drop", "ITEM", "Leave an item out, and show whose score changes")
@values("--accept", "ITEM=RESPONSE", "Full points for a response, and show whose score changes", callback=_accepted)
@flag("--apply", "With --drop and --accept: the whole report by the new rules.")
@value("--forget", "CANDIDATE", "Remove a candidate's lines from the logs, and nothing else.")
@whole("--workers", 1, 256, "Processes to use (default: one a core, for logs that are worth it).")
@value("--scheduler", "ADDRESS", "The address of a Dask scheduler to score on (needs the extra quizgen[dask]).")
@flag("--quiet", "No progress and no notes; damaged lines are still named.")
def command(
    logs: tuple[str, ...],
    form: str,
    as_json: bool,
    lms: str | None,
    output: str,
    review: bool,
    dif: str | None,
    **options: Any,
) -> int:
    """Score answer logs: session logs of `quizgen mock`, bare JSON lines of any system, answers
    files of exams, typed-in sheets; plain or gzip, files, folders or standard input (-).

    A line needs only `item` and `response`. Lines that cannot be used are named on standard error
    and never stop the rest.

    Example: quizgen score logs/ --format html -o report.html
    """
    if not logs and not options["sheet"]:
        if sys.stdin.isatty():
            raise click.UsageError("name a log, or - for standard input")
        logs = ("-",)
    if options["apply"] and not (options["drop"] or options["accept"]):
        raise click.UsageError("--apply goes with --drop or --accept")
    if not output.strip():
        raise click.UsageError("-o names no file; write -o report.html, or leave it out for standard output")
    form = format_of(form, as_json)
    if lms and form == "gradebook":
        form = "text"
    own = {"review": review, "least-sure": options["least_sure"] is not None, "dif": dif is not None, "lms": lms}
    asked = [name for name, there in own.items() if there]
    if len(asked) > 1 or (asked and form != "text"):
        other = asked[1] if len(asked) > 1 else "json" if as_json else "format"
        raise click.UsageError(f"--{asked[0]} writes a CSV of its own; leave --{other} out")
    if form == "parquet" and output == "-":
        raise click.UsageError("--format parquet needs -o FILE")
    if (forgotten := options.pop("forget")) is not None:
        return _forget(logs, forgotten)
    form = lms or (asked[0] if asked else form)
    return run(ScoreOptions(logs=logs, form=form, output=output, dif=dif or "", **options))


def _forget(logs: tuple[str, ...], candidate: str) -> int:
    if "-" in logs:
        raise click.UsageError("--forget needs files: standard input cannot be changed in place")
    total = 0
    for name in find(logs):
        done = forget(name, candidate)
        total += done.removed
        for line in done.doubtful:
            tell(f"{name}:{line}: cannot be read, and holds the name; look at it and remove it by hand")
        click.echo(f"{name}: {done.removed} of {done.lines} lines removed")
    return 0 if total else 1
