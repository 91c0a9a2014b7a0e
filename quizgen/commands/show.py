"""`quizgen show`: one item as a candidate and as an author sees it."""

from __future__ import annotations

import json
import os
import shutil
import sys

import click

from quizgen.commands.options import flag, value
from quizgen.commands.shared import DEFAULT_BANK, item_of, open_some, use_color
from quizgen.draw import Stream
from quizgen.model import Item, Score, Variant
from quizgen.render.text import Look, lines, wrap
from quizgen.scoring import score_fields
from quizgen.source import printable
from quizgen.terminal.pictures import pictures, protocol_of


@click.command("show")
@click.argument("item")
@value("--bank argument", "BANK", "The bank that holds it.", default=DEFAULT_BANK, show_default=True)
@value("--seed", "", "Which variant to show.", default="1", show_default=True)
@value("--response", "RESPONSE", "Score this response and say why.")
@flag("--candidate", "Only what a candidate sees.")
@flag("--json as_json", "Print JSON.")
@flag("--no-color", "No colours (also by NO_COLOR).")
def command(
    item: str, argument: str, seed: str, response: str | None, candidate: bool, as_json: bool, no_color: bool
) -> int:
    """Show one item: the stem as a candidate sees it, then what an author or interviewer reads: the
    key with its worked steps, what else is accepted, hints, facts told on request, probes.

    Example: quizgen show zero1-shards --response B
    """
    loaded = open_some(argument)
    found = item_of(loaded, item)
    variant = found.draw(Stream(found.id, seed))
    response = sys.stdin.read() if response == "-" else response
    if as_json:
        record = _prompt_record(found, variant) | ({} if candidate else _author_record(found, variant))
        if response is not None:
            record["score"] = _score_record(variant, response)
        click.echo(json.dumps(record, indent=2, ensure_ascii=True))
        return 0
    width = min(shutil.get_terminal_size((80, 24)).columns, 100)
    look = Look(attributes=use_color(no_color))
    out = [_title(found), "", *lines(variant.prompt(), width, look)]
    behind = len(out) - 1  # the last line of the prompt
    if not candidate:
        out += ["", "Key", *wrap(variant.key_text(), width, "  ", "  "), "", *lines(variant.solution(), width, look)]
        marking = lines(variant.marking(), width, look)
        out += ["", *marking] if marking else []
        out += _author(found, variant, width)
    if response is not None:
        out += ["", "Score", *_scored(variant, response, width)]
    protocol = protocol_of(os.environ, look.attributes and sys.stdout.isatty())
    assert loaded.bank is not None
    for number, line in enumerate(out):
        click.echo(line if look.attributes else printable(line))
        if number == behind:
            sys.stdout.write("".join(pictures(variant.prompt(), loaded.bank.root, protocol, width)))
    return 0


def _title(item: Item) -> str:
    points = f"{float(item.points):g} point{'' if item.points == 1 else 's'}"
    level = f", difficulty {item.difficulty}" if item.difficulty else ""
    status = "" if item.status == "active" else f", {item.status}"
    return f"{item.id} ({item.kind}, {item.topic or 'no topic'}{level}, {item.seconds} s, {points}{status})"


def _probes(variant: Variant) -> dict[str, str]:
    """What an interviewer asks when a response missed a criterion, by criterion."""
    named = (mark.criterion for mark in variant.score("").marks)
    return {name: probe for name in named if (probe := variant.probe(name))}


def _author(item: Item, variant: Variant, width: int) -> list[str]:
    out: list[str] = []
    probes = _probes(variant)
    if probes:
        out += ["", "Probes, where a response missed a criterion"]
        for name, probe in probes.items():
            out += wrap(f"{name}: {probe}", width, "    ", "  ")
    for label, texts in (("Hints", item.hints), ("Given on request", item.given), ("Goes on with", item.follow_ups)):
        if texts:
            out += ["", label]
            for number, text in enumerate(texts, 1):
                out += wrap(text, width, "     ", f"  {number}. ")
    if item.source:
        out += ["", *wrap(f"Source: {item.source}", width, "        ", "")]
    return [*out, f"At {item.where}"]


def _scored(variant: Variant, response: str, width: int) -> list[str]:
    score = variant.score(response)
    out = [f"  {score.outcome}: {float(score.earned):g} of {float(score.possible):g}"]
    if score.read_as:
        out += wrap(f"read as {_read_as(variant, response, score)}", width, "    ", "  ")
    for mark in score.marks:
        earned = f"{float(mark.earned):g} of {float(mark.possible):g}" if mark.status else f"{float(mark.earned):+g}"
        if mark.status or mark.earned:
            out += wrap(f"{mark.criterion}: {mark.status or 'adjusted'}, {earned}; {mark.because}", width, "    ", "  ")
    if score.diagnosis:
        out.append(f"  diagnosis: {score.diagnosis}")
    for said in score.say:
        out += wrap(said, width, "    ", "  ")
    return out


def _read_as(variant: Variant, response: str, score: Score) -> str | None:
    """What a candidate sees as the reading of a number or an option: no key has a part in it."""
    return score.read_as if variant.item.kind == "text" or score.read_as is None else variant.echo(response).text


def _prompt_record(item: Item, variant: Variant) -> dict[str, object]:
    return {
        "item": item.id,
        "kind": item.kind,
        "topic": item.topic,
        "difficulty": item.difficulty,
        "seconds": item.seconds,
        "points": float(item.points),
        "status": item.status,
        "seed": variant.seed,
        "given": dict(variant.drawn()),
        "prompt": "\n".join(lines(variant.prompt(), 100)),
    }


def _author_record(item: Item, variant: Variant) -> dict[str, object]:
    return {
        "key": variant.key_text(),
        "solution": "\n".join(lines(variant.solution(), 100)),
        "marking": "\n".join(lines(variant.marking(), 100)),
        "hints": list(item.hints),
        "given_on_request": list(item.given),
        "probes": _probes(variant),
        "follow_ups": list(item.follow_ups),
        "source": item.source,
        "at": str(item.where),
    }


def _score_record(variant: Variant, response: str) -> dict[str, object]:
    score = variant.score(response)
    fields = score_fields(variant.item.id, score) | {"read_as": _read_as(variant, response, score)}
    return {name: value for name, value in fields.items() if name != "item"}
