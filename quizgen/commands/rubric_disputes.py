"""`quizgen rubric disputes`: what candidates say they did say, for the authors of rubrics."""

from __future__ import annotations

import json

import click

from quizgen.commands.options import flag, value
from quizgen.commands.shared import bytes_of, count, rubrics_of, tell
from quizgen.log import records
from quizgen.render.plain import text_template
from quizgen.rubric import Rubric
from quizgen.rubric.suggest import Claimed, Contested, contested


@click.command("disputes", short_help="List what candidates say they did say.")
@click.argument("logs", nargs=-1, required=True, metavar="LOG…")
@value("--bank", "BANK", "The bank of the logs (default: as each log says).")
@flag("--json as_json", "Print JSON.")
def disputes_command(logs: tuple[str, ...], bank: str | None, as_json: bool) -> int:
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
        return 0
    if not rows:
        tell(
            "no mark is disputed in these logs; candidates dispute with d in the debrief, or quizgen debrief --dispute"
        )
    click.echo(text_template("disputes.txt", count=count).render(rows=rows), nl=False)
    return 0


def _json(row: Contested) -> dict[str, object]:
    return {
        "item": row.item, "criterion": row.criterion, "disputed": row.disputed, "answered": row.answered,
        "upward": row.upward, "quotes": [{"words": words, "times": times} for words, times in row.quotes],
        "phrase": row.phrase or None, "changes": row.changed,
    }  # fmt: skip
