"""`quizgen score`: answer logs to scores, feedback, item analysis and exports."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from quizgen.commands.shared import format_of, tell

if TYPE_CHECKING:
    from quizgen.analysis.attendance import Late

FORMATS = ("text", "json", "jsonl", "csv", "html", "matrix", "gradebook", "integrity", "irt", "xapi", "parquet")


def _since(_: object, option: object, text: str | None) -> float | None:
    if text is None:
        return None
    from quizgen.batch.mapping import seconds_of

    try:
        return seconds_of(text)
    except (ValueError, OverflowError):
        raise click.BadParameter("write a time like 2026-11-21 or 2026-11-21T10:00:00Z") from None


def _late(_: object, option: object, text: str | None) -> Late:
    from quizgen.analysis.attendance import Late
    from quizgen.source import read_number

    if text is None or text in ("ignore", "exclude"):
        return Late(text or "")
    word, _, rule = text.partition(":")
    share, _, minutes = rule.partition("/")
    percent, each = read_number(share.removesuffix("%")), read_number(minutes)
    if word != "deduct" or percent is None or each is None or not (0 <= percent <= 100 and each > 0):
        raise click.BadParameter("write ignore, exclude or deduct:P%/MIN, as in deduct:5%/10")
    return Late(word, percent / 100, each)


def _percent(_: object, option: object, text: str | None) -> float | None:
    if text is None:
        return None
    from quizgen.source import read_number

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
@click.option(
    "--bank",
    metavar="BANK",
    help="The bank: a folder, a file or a shipped name (default: what the log's session says).",
)
@click.option("--manifest", metavar="FILE", help="The manifest.json of an exam, for answers files and sheets.")
@click.option("--lms", type=click.Choice(["moodle", "canvas"]), help="The grades of an exam as that system takes them.")
@click.option("--feedback", metavar="DIR", help="Also a page for each candidate of an exam, in this folder.")
@click.option("--roster", metavar="FILE", help="With a manifest: who was expected (default: the roster in it).")
@click.option(
    "--late",
    metavar="RULE",
    callback=_late,
    help="What follows when an exam was late: ignore, exclude (what stood at the deadline counts) or deduct:P%/MIN.",
)
@click.option(
    "--release", metavar="CANDIDATE", multiple=True, help="Grade a held candidate all the same; may be repeated."
)
@click.option(
    "--sheet",
    metavar="FILE",
    multiple=True,
    help="Responses on paper, as a CSV of candidate, form, 1, 2, 3 …; may be repeated. Points go to --marks.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How to write the report; parquet needs the extra quizgen[duckdb], irt quizgen[irt].",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("-o", "--output", metavar="FILE", default="-", help="Where the report goes (default: standard output).")
@click.option(
    "--attempt",
    type=click.Choice(["last", "first", "best", "all"]),
    default="last",
    show_default=True,
    help="Which of a candidate's responses to an item count.",
)
@click.option(
    "--since",
    metavar="TIME",
    callback=_since,
    help="Only responses from this time on: 2026-11-21 or 2026-11-21T10:00:00Z.",
)
@click.option("--candidate", metavar="NAME", multiple=True, help="Only this candidate (or session); may be repeated.")
@click.option("--topic", metavar="TOPIC", multiple=True, help="Only items on this topic; may be repeated.")
@click.option(
    "--fail-under", metavar="PERCENT", callback=_percent, help="Exit code 1 if the mean score is below, as 60 or 60%."
)
@click.option("--blueprint", metavar="NAME", default="", help="The blueprint whose bands and pass mark apply.")
@click.option(
    "--marks",
    metavar="FILE",
    multiple=True,
    help="Points that people decided: a CSV of candidate, item, criterion, earned, reason, or the JSON of a marking "
    "page; may be repeated.",
)
@click.option("--review", is_flag=True, help="List doubtful responses as a CSV to fill in for --marks.")
@click.option(
    "--least-sure",
    metavar="N%",
    callback=_percent,
    help="List the N% of text responses whose scores are least sure, as a CSV to fill in for --marks.",
)
@click.option(
    "--dif",
    metavar="FILE",
    help="Items that are harder for one group than for another as good; FILE: a CSV of candidate and a column.",
)
@click.option("--against", nargs=2, metavar="OLD NEW", help="Whose score changes between two states of a bank.")
@click.option(
    "--drop", multiple=True, metavar="ITEM", help="Leave an item out, and show whose score changes; may be repeated."
)
@click.option(
    "--accept",
    multiple=True,
    metavar="ITEM=RESPONSE",
    callback=_accepted,
    help="Full points for a response, and show whose score changes; may be repeated.",
)
@click.option("--apply", is_flag=True, help="With --drop and --accept: the whole report by the new rules.")
@click.option("--forget", metavar="CANDIDATE", help="Remove a candidate's lines from the logs, and nothing else.")
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    help="Processes to use (default: one a core, for logs that are worth it).",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="The address of a Dask scheduler to score on (needs the extra quizgen[dask]).",
)
@click.option("--quiet", is_flag=True, help="No progress and no notes; damaged lines are still named.")
def command(
    logs: tuple[str, ...],
    form: str,
    as_json: bool,
    lms: str | None,
    output: str,
    review: bool,
    dif: str | None,
    forget: str | None,
    **options: Any,
) -> int:
    """Score answer logs: session logs of `quizgen mock`, bare JSON lines of any system, answers
    files of exams, typed-in sheets; plain or gzip, files, folders or standard input (-).

    A line needs only `item` and `response`. Lines that cannot be used are named on standard error
    and never stop the rest.

    Example: quizgen score logs/ --format html -o report.html
    """
    from quizgen.commands.scoring_asked import ScoreOptions
    from quizgen.commands.scoring_run import run

    if not logs and not options["sheet"]:
        if sys.stdin.isatty():
            raise click.UsageError("name a log, or - for standard input")
        logs = ("-",)
    if options["apply"] and not (options["drop"] or options["accept"]):
        raise click.UsageError("--apply goes with --drop or --accept")
    if not output.strip():
        raise click.UsageError("-o names no file; write -o report.html, or leave it out for standard output")
    form = format_of(form, as_json)
    if review and form != "text":
        raise click.UsageError(f"--review writes a CSV of its own; leave {'--json' if as_json else '--format'} out")
    if options["least_sure"] is not None and (review or form != "text"):
        raise click.UsageError("--least-sure writes a CSV of its own; leave --review, --json and --format out")
    if dif is not None and (review or options["least_sure"] is not None or form != "text"):
        raise click.UsageError("--dif writes a CSV of its own; leave --review, --least-sure, --json and --format out")
    if lms and form not in ("text", "gradebook"):
        raise click.UsageError(f"--lms {lms} is a format of its own; leave --format out")
    if form == "parquet" and output == "-":
        raise click.UsageError("--format parquet needs -o FILE")
    if forget is not None:
        return _forget(logs, forget)
    form = "review" if review else "least-sure" if options["least_sure"] is not None else "dif" if dif else lms or form
    return run(ScoreOptions(logs=logs, form=form, output=output, dif=dif or "", **options))


def _forget(logs: tuple[str, ...], candidate: str) -> int:
    from quizgen.intake.forget import forget
    from quizgen.intake.sources import find

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
