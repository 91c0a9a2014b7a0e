"""`quizgen show`: one item as a candidate and as an author sees it."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable
from typing import Any

import click
from markupsafe import Markup

from quizgen.blocks import Block
from quizgen.commands.options import flag, value
from quizgen.commands.shared import DEFAULT_BANK, item_of, open_some, use_color
from quizgen.draw import Stream
from quizgen.model import Item, Score, Variant
from quizgen.render.plain import filler, text_template
from quizgen.render.text import Look, lines
from quizgen.scoring import score_fields
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
    one = _prompt_record(found, variant) | ({} if candidate else _author_record(found, variant))
    if response is not None:
        one["score"] = _score_record(variant, response)
    if as_json:
        click.echo(json.dumps(one, indent=2, ensure_ascii=True))
        return 0
    width = min(shutil.get_terminal_size((80, 24)).columns, 100)
    look = Look(attributes=use_color(no_color))
    said: Any = text_template("show.txt", wrapped=filler(width)).module

    def shown(blocks: Iterable[Block]) -> Markup:
        return Markup("".join(f"{line}\n" for line in lines(blocks, width, look)))

    protocol = protocol_of(os.environ, look.attributes and sys.stdout.isatty())
    sys.stdout.write(said.head(one) + shown(variant.prompt()))
    sys.stdout.writelines(pictures(variant.prompt(), loaded.found.root, protocol, width))
    if not candidate:
        sys.stdout.write(said.author(one, shown(variant.solution()), shown(variant.marking())))
    if response is not None:
        sys.stdout.write(said.scored(one["score"]))
    return 0


def _probes(variant: Variant) -> dict[str, str]:
    """What an interviewer asks when a response missed a criterion, by criterion."""
    named = (mark.criterion for mark in variant.score("").marks)
    return {name: probe for name in named if (probe := variant.probe(name))}


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
