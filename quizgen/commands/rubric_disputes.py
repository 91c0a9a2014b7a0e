"""`quizgen rubric disputes`: what candidates say they did say, for the authors of rubrics."""

from __future__ import annotations

import json

import click

from quizgen.commands.options import flag, value
from quizgen.commands.shared import bytes_of, count, rubrics_of, tell
from quizgen.credit import CLAIMED_SHARE
from quizgen.log import records
from quizgen.model import ZERO
from quizgen.refusals import Unreadable
from quizgen.rubric import Rubric
from quizgen.rubric.disputes import Claimed, Contested, contested
from quizgen.rubric.score import score_text
from quizgen.source import printable, shorten

QUOTES = 3


@click.command("disputes", short_help="List what candidates say they did say.")
@click.argument("logs", nargs=-1, required=True, metavar="LOG…")
@value("--bank", "BANK", "The bank of the logs (default: as each log says).")
@value("--graded", "FILE", "Also write the answers as graded lines for `rubric suggest`.")
@flag("--json as_json", "Print JSON.")
def disputes_command(logs: tuple[str, ...], bank: str | None, graded: str | None, as_json: bool) -> int:
    """List the marks that candidates dispute, the most disputed first.

    For each: how many of how many answers, the words that were marked, the most frequent first, a phrase
    of those words that would meet the criterion, and what else it would change among these answers.
    Nothing is changed by itself: put the phrase into `accept`, and look at what moves with
    `quizgen score LOG… --against OLD-BANK BANK`.

    Example: quizgen rubric disputes sessions/*.jsonl
    """
    rubrics: dict[str, Rubric] = {}
    answers: dict[str, list[str]] = {}
    claims: list[Claimed] = []
    for name in logs:
        for logged in records.read_sessions(bytes_of(name)):
            found = rubrics_of(bank or str(logged.head.get("bank", "")))
            rubrics |= found
            texts = {n: records.response_of(line.get("response")) for n, line in logged.last.items() if n in found}
            given = {n: text for n, text in texts.items() if isinstance(text, str) and text.strip()}
            for item, text in given.items():
                if text not in answers.setdefault(item, []):
                    answers[item].append(text)
            for item, own in records.disputes_of(logged).items():
                known = {c.id for c in found[item].criteria} if item in given else set()
                claims += [
                    Claimed(item, d.criterion, given[item], given[item][d.start : d.end], d.claim)
                    for d in own.values()
                    if d.criterion in known
                ]
    rows = contested(claims, answers, rubrics)
    if as_json:
        click.echo(json.dumps({"version": 1, "criteria": [_json(row) for row in rows]}, indent=2, ensure_ascii=False))
    else:
        _tell(rows)
    if graded:
        _write(graded, claims, rubrics)
    return 0


def _tell(rows: tuple[Contested, ...]) -> None:
    if not rows:
        tell(
            "no mark is disputed in these logs; candidates dispute with d in the debrief, or quizgen debrief --dispute"
        )
    for row in rows:
        down = row.disputed - row.upward
        which = f", {down} of them downward" if down > 0 else ""
        click.echo(
            printable(f"{row.item}/{row.criterion}: disputed in {row.disputed} of {row.answered} answers{which}")
        )
        for quote, times in row.quotes[:QUOTES]:
            click.echo(printable(f"    {times} x “{shorten(quote, 100)}”"))
        if row.phrase:
            click.echo(printable(f'    would accept: "{row.phrase}"'))
            more = f", such as: {shorten(' '.join(row.example.split()), 100)}" if row.example else ""
            click.echo(printable(f"    and meets it in {count(row.changed, 'other answer')}{more}"))


def _json(row: Contested) -> dict[str, object]:
    return {
        "item": row.item, "criterion": row.criterion, "disputed": row.disputed, "answered": row.answered,
        "upward": row.upward, "quotes": [{"words": words, "times": times} for words, times in row.quotes],
        "phrase": row.phrase or None, "changes": row.changed,
    }  # fmt: skip


def _write(path: str, claims: list[Claimed], rubrics: dict[str, Rubric]) -> None:
    """Each disputed answer with the points that its candidate claims; never over a file that is there."""
    by_answer: dict[tuple[str, str], dict[str, str]] = {}
    for one in claims:
        by_answer.setdefault((one.item, one.answer), {})[one.criterion] = one.claim
    lines = []
    for (item, answer), claimed in by_answer.items():
        rubric = rubrics[item]
        marks = [m for m in score_text(rubric, answer).marks if m.status]
        own = sum(
            (m.possible * CLAIMED_SHARE[claimed[m.criterion]] if m.criterion in claimed else m.earned for m in marks),
            ZERO,
        )
        line = {
            "item": item, "answer": answer,
            "score": float(min(own, rubric.possible)), "max_score": float(rubric.possible),
            "criteria": {name: claim == "full" for name, claim in claimed.items()},
        }  # fmt: skip
        lines.append(json.dumps(line, ensure_ascii=False) + "\n")
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.writelines(lines)
    except FileExistsError:
        raise Unreadable(f"{printable(path)} is there already; name another file") from None
    except OSError as error:
        raise Unreadable(f"{printable(path)}: {error.strerror}; name another file") from None
    tell(
        f"{count(len(lines), 'answer')} in {printable(path)}: candidates' own words and claims, so keep it to yourself"
    )
