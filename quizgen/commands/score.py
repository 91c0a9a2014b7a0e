"""`quizgen score`: answer logs to scores, feedback, item analysis and exports."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from quizgen.commands.shared import Unreadable, format_of, tell

if TYPE_CHECKING:
    from quizgen.analysis.attendance import Late
    from quizgen.commands.scoring_asked import Asked

FORMATS = ("text", "json", "jsonl", "csv", "html", "matrix", "gradebook", "integrity", "irt", "xapi", "parquet")


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
@click.option("--since", metavar="TIME", help="Only responses from this time on: 2026-11-21 or 2026-11-21T10:00:00Z.")
@click.option("--candidate", metavar="NAME", multiple=True, help="Only this candidate (or session); may be repeated.")
@click.option("--topic", metavar="TOPIC", multiple=True, help="Only items on this topic; may be repeated.")
@click.option("--fail-under", metavar="PERCENT", help="Exit code 1 if the mean score is below, as 60 or 60%.")
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
    bank: str | None,
    manifest: str | None,
    lms: str | None,
    feedback: str | None,
    roster: str | None,
    late: str | None,
    release: tuple[str, ...],
    sheet: tuple[str, ...],
    form: str,
    as_json: bool,
    output: str,
    attempt: str,
    since: str | None,
    candidate: tuple[str, ...],
    topic: tuple[str, ...],
    fail_under: str | None,
    blueprint: str,
    marks: tuple[str, ...],
    review: bool,
    least_sure: str | None,
    dif: str | None,
    against: tuple[str, str] | None,
    drop: tuple[str, ...],
    accept: tuple[str, ...],
    apply: bool,
    forget: str | None,
    workers: int | None,
    scheduler: str | None,
    quiet: bool,
) -> int:
    """Score answer logs: session logs of `quizgen mock`, bare JSON lines of any system, answers
    files of exams, typed-in sheets; plain or gzip, files, folders or standard input (-).

    A line needs only `item` and `response`. Lines that cannot be used are named on standard error
    and never stop the rest.

    Example: quizgen score logs/ --format html -o report.html
    """
    from quizgen.commands.scoring_asked import Asked
    from quizgen.intake.sources import Unreadable as SourceUnreadable

    if not logs and not sheet:
        if sys.stdin.isatty():
            raise click.UsageError("name a log, or - for standard input")
        logs = ("-",)
    if apply and not (drop or accept):
        raise click.UsageError("--apply goes with --drop or --accept")
    if not output.strip():
        raise click.UsageError("-o names no file; write -o report.html, or leave it out for standard output")
    form = format_of(form, as_json)
    if review and form != "text":
        raise click.UsageError(f"--review writes a CSV of its own; leave {'--json' if as_json else '--format'} out")
    if least_sure is not None and (review or form != "text"):
        raise click.UsageError("--least-sure writes a CSV of its own; leave --review, --json and --format out")
    if dif is not None and (review or least_sure is not None or form != "text"):
        raise click.UsageError("--dif writes a CSV of its own; leave --review, --least-sure, --json and --format out")
    if lms and form not in ("text", "gradebook"):
        raise click.UsageError(f"--lms {lms} is a format of its own; leave --format out")
    if form == "parquet" and output == "-":
        raise click.UsageError("--format parquet needs -o FILE")
    if forget is not None:
        return _forget(logs, forget)
    asked = Asked(
        logs=logs,
        bank=bank,
        manifest=manifest,
        roster=roster,
        feedback=feedback,
        late=_late(late),
        released=frozenset(release),
        sheets=sheet,
        form="review" if review else "least-sure" if least_sure is not None else "dif" if dif else lms or form,
        least_sure=_percent(least_sure, "--least-sure") or 0.0,
        output=output,
        attempt=attempt,
        since=_since(since),
        candidates=frozenset(candidate),
        topics=frozenset(topic),
        fail_under=_percent(fail_under, "--fail-under"),
        dif=dif or "",
        blueprint=blueprint,
        marks=marks,
        against=against,
        drop=frozenset(drop),
        accept=_accepted(accept),
        apply=apply,
        workers=workers,
        scheduler=scheduler,
        quiet=quiet,
    )
    return _run(asked, SourceUnreadable)


def _run(asked: Asked, unreadable: type[Exception]) -> int:
    from quizgen.analysis.report import Unfit
    from quizgen.commands import scoring_run

    try:
        return scoring_run.run(asked)
    except (unreadable, Unfit) as error:
        raise Unreadable(str(error)) from None


def _since(text: str | None) -> float | None:
    if text is None:
        return None
    from quizgen.batch.mapping import seconds_of

    try:
        return seconds_of(text)
    except (ValueError, OverflowError):
        raise click.BadParameter("write a time like 2026-11-21 or 2026-11-21T10:00:00Z", param_hint="--since") from None


def _late(text: str | None) -> Late:
    from quizgen.analysis.attendance import Late
    from quizgen.source import read_number

    if text is None or text in ("ignore", "exclude"):
        return Late(text or "")
    word, _, rule = text.partition(":")
    share, _, minutes = rule.partition("/")
    percent, each = read_number(share.removesuffix("%")), read_number(minutes)
    if word != "deduct" or percent is None or each is None or not (0 <= percent <= 100 and each > 0):
        raise click.BadParameter("write ignore, exclude or deduct:P%/MIN, as in deduct:5%/10", param_hint="--late")
    return Late(word, percent / 100, each)


def _percent(text: str | None, option: str) -> float | None:
    if text is None:
        return None
    from quizgen.source import read_number

    value = read_number(text.strip().removesuffix("%").strip())
    if value is None or not 0 <= value <= 100:
        raise click.BadParameter("write a percentage such as 60 or 60%", param_hint=option)
    return float(value / 100)


def _accepted(texts: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    accepted: dict[str, tuple[str, ...]] = {}
    for text in texts:
        item, mark, response = text.partition("=")
        if not mark or not item.strip() or not response.strip():
            raise click.BadParameter("write ITEM=RESPONSE", param_hint="--accept")
        accepted[item.strip()] = (*accepted.get(item.strip(), ()), response.strip())
    return accepted


def _forget(logs: tuple[str, ...], candidate: str) -> int:
    from quizgen.intake.forget import forget
    from quizgen.intake.sources import Unreadable as SourceUnreadable
    from quizgen.intake.sources import find

    if "-" in logs:
        raise click.UsageError("--forget needs files: standard input cannot be changed in place")
    try:
        names = find(logs)
        total = 0
        for name in names:
            done = forget(name, candidate)
            total += done.removed
            for line in done.doubtful:
                tell(f"{name}:{line}: cannot be read, and holds the name; look at it and remove it by hand")
            click.echo(f"{name}: {done.removed} of {done.lines} lines removed")
    except SourceUnreadable as error:
        raise Unreadable(str(error)) from None
    return 0 if total else 1
