"""`quizgen list`: what there is."""

from __future__ import annotations

import json
import shutil
import sys
from collections import Counter
from collections.abc import Iterable
from textwrap import wrap

import click

from quizgen import places
from quizgen.assemble import filters_text
from quizgen.bank import Loaded
from quizgen.cases.case import Case
from quizgen.commands.options import flag, value, values
from quizgen.commands.shared import DEFAULT_BANK, open_bank, tell
from quizgen.gallery import patterns
from quizgen.model import Section
from quizgen.narrowing import unknown
from quizgen.source import printable

MAX_WIDTH = 140
WHAT = ("banks", "items", "formulas", "blueprints", "cases", "patterns")


@click.command("list")
@click.argument("what", type=click.Choice(WHAT), default="banks")
@value("--bank argument", "BANK", "The bank to list from.", default=DEFAULT_BANK, show_default=True)
@values("--topic", "TOPIC", "Only items on this topic")
@values("--kind", "KIND", "Only items of this kind")
@flag("--json as_json", "Print JSON.")
def command(what: str, argument: str, topic: tuple[str, ...], kind: tuple[str, ...], as_json: bool) -> int:
    """List banks, items, formulas, blueprints, an interviewer's cases, or patterns to begin with.

    Example: quizgen list items --topic zero
    """
    if what == "banks":
        rows = [_bank_row(name) for name in places.shipped_banks()]
    elif what == "patterns":
        rows = [{"pattern": p.name, "kind": p.kind, "item": p.item, "about": p.about} for p in patterns()]
    else:
        loaded = open_bank(argument)
        rows = {"items": _items, "formulas": _formulas, "blueprints": _blueprints, "cases": _cases}[what](loaded)
    for option, names in (("topic", topic), ("kind", kind)):
        _known(option, names, rows)
    if topic:
        rows = [r for r in rows if r.get("topic") in topic]
    if kind:
        rows = [r for r in rows if r.get("kind") in kind]
    if as_json:
        click.echo(json.dumps({"version": 1, what: rows}, indent=2))
        return 0
    if not rows:
        asked = filters_text(Section(topic, kind)) or (" of its own" if what == "formulas" else "")
        tell(f"no {what}{asked} in {printable(argument)}")
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else MAX_WIDTH
    for line in _columns(rows):
        for part in wrap(printable(line), width, subsequent_indent="    "):
            click.echo(part)
    return 0


def _known(option: str, names: tuple[str, ...], rows: list[dict[str, object]]) -> None:
    """A topic or kind that nothing has is told with the nearest one, not as an empty list."""
    known = {str(row[option]) for row in rows if row.get(option)}
    if names and not known:
        raise click.UsageError(f"--{option} is for items; write: quizgen list items --{option} {printable(names[0])}")
    told = unknown(option, names, known)
    if told:
        raise click.UsageError(told)


def _bank_row(name: str) -> dict[str, object]:
    loaded = open_bank(name)
    kinds = Counter(item.kind for item in loaded.found.items.values())
    made = ", ".join(f"{kinds[k]} {k}" for k in sorted(kinds))
    return {
        "bank": name,
        "items": len(loaded.found.items),
        "kinds": made,
        "version": loaded.found.version or None,
        "license": loaded.found.license or None,
        "title": loaded.found.title,
    }


def _items(loaded: Loaded) -> list[dict[str, object]]:
    return [
        {
            "item": i.id,
            "kind": i.kind,
            "topic": i.topic,
            "difficulty": i.difficulty,
            "seconds": i.seconds,
            "stem": " ".join(i.stem.split()),
        }
        for i in loaded.found.items.values()
    ]


def _formulas(loaded: Loaded) -> list[dict[str, object]]:
    formulas = loaded.found.formulas
    return [
        {"formula": name, "unit": str(f.unit), "inputs": " ".join(f.inputs), "title": f.title}
        for name, f in ((name, formulas[name]) for name in loaded.formula_names)
    ]


def _blueprints(loaded: Loaded) -> list[dict[str, object]]:
    return [
        {
            "blueprint": b.name,
            "items": sum(s.count or len(s.include) for s in b.sections),
            "minutes": None if b.minutes is None else float(b.minutes),
            "title": b.title,
        }
        for b in loaded.found.blueprints.values()
    ]


def _cases(loaded: Loaded) -> list[dict[str, object]]:
    return [
        {
            "case": case.id,
            "minutes": float(case.minutes),
            "turns": len(case.turns),
            "level": case.level or None,
            "title": case.title,
        }
        for case in loaded.found.cases.values()
        if isinstance(case, Case)
    ]


def _columns(rows: list[dict[str, object]]) -> Iterable[str]:
    """Rows as aligned text; of a long last column the beginning."""
    if not rows:
        return
    names = list(rows[0])
    cells = [[_cell(row[name]) for name in names] for row in rows]
    widths = [max(len(n), *(len(c[i]) for c in cells)) for i, n in enumerate(names)]
    yield "  ".join(n.ljust(w) for n, w in zip(names, widths, strict=True)).rstrip()
    for line in cells:
        padded = "  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip()
        yield padded if len(padded) <= MAX_WIDTH else padded[: MAX_WIDTH - 1] + "…"


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:g}" if isinstance(value, float) else str(value)
