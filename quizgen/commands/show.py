"""`quizgen list` and `quizgen show`: lists of banks, items and formulas, and one item for candidates and for
authors."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from textwrap import wrap
from typing import Any

import click
from markupsafe import Markup

from quizgen import data_folders
from quizgen.assemble import complete_topic_names, section_filter_text, unknown_name_message
from quizgen.bank.reader import LoadedBank
from quizgen.cases.case import Case
from quizgen.coach.readiness import readiness_by_topic
from quizgen.commands.completion import name_completer
from quizgen.commands.options import DEFAULT_BANK, difficulty_option, flag_option, notify, option, repeatable_option
from quizgen.commands.shared import find_item_by_id, open_bank, open_whole_bank, wants_color
from quizgen.draw import SeededRng
from quizgen.formula.definition import Input
from quizgen.formula.show import input_value_text
from quizgen.formula.units import UNIT_ONE
from quizgen.gallery import gallery_patterns
from quizgen.model import Bank, Blueprint, Item, Section, Variant
from quizgen.page import Block
from quizgen.render.text import TextStyle, block_lines, text_template
from quizgen.scoring.response import score_fields
from quizgen.session.session_log import LoggedSession
from quizgen.source.problems import did_you_mean, printable, shorten
from quizgen.terminal.history import read_past_sessions
from quizgen.terminal.pictures import image_escape_sequences, image_protocol

MAX_LIST_LINE_COLUMNS = 140
LIST_NAMES = ("banks", "topics", "items", "formulas", "blueprints", "cases", "patterns")

SHOWN_ITEM_FIELDS = ("kind", "topic", "difficulty", "seconds")

ListRow = dict[str, object]  # a row of a list: value by column


@click.command("list")
@click.argument("what", type=click.Choice(LIST_NAMES), default="banks")
@click.argument("name", required=False, shell_complete=name_completer("formulas"))
@option("--bank argument", "BANK", "The bank to list from.", default=DEFAULT_BANK, show_default=True)
@repeatable_option("--topic", "TOPIC", "Only items on this topic", shell_complete=name_completer("topics"))
@repeatable_option("--kind", "KIND", "Only items of this kind")
@difficulty_option()
@flag_option("--json as_json", "Print JSON.")
def list_command(
    what: str,
    name: str | None,
    argument: str,
    topic: tuple[str, ...],
    kind: tuple[str, ...],
    difficulties: tuple[int, ...],
    as_json: bool,
) -> int:
    """List banks, topics, items, formulas, blueprints, an interviewer's cases, or patterns to begin with.

    With the NAME of a formula, every letter of it.

    Example: quizgen list items --topic zero
    """
    if name is not None and what != "formulas":
        is_bank = name in data_folders.shipped_bank_names()
        hint = f"write --bank {name}" if is_bank else f"quizgen show {printable(name)} shows an item"
        raise click.UsageError(f"{what} takes no name; {hint}")
    if name is not None:
        return _print_formula_inputs(open_bank(argument), name, as_json)
    rows = _make_list_rows(what, argument)
    topic = complete_topic_names(topic, {str(row["topic"]) for row in rows if row.get("topic")})
    for field, names in (("topic", topic), ("kind", kind)):
        _require_known_names(field, names, rows, argument)
    for field, wanted in (("topic", topic), ("kind", kind), ("difficulty", difficulties)):
        rows = [row for row in rows if not wanted or row.get(field) in wanted]
    if as_json:
        click.echo(json.dumps({"version": 1, what: rows}, indent=2))
        return 0
    if not rows:
        filters = section_filter_text(Section(topic, kind, difficulties))
        notify(f"no {what}{filters or ' of its own' * (what == 'formulas')} in {printable(argument)}")
    _print_rows(rows)
    return 0


def _print_rows(rows: list[ListRow]) -> None:
    """Prints rows in columns, wrapped to the width of the terminal."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else MAX_LIST_LINE_COLUMNS
    for line in _aligned_column_lines(rows):
        for part in wrap(printable(line), width, subsequent_indent="    "):
            click.echo(part)


def _print_formula_inputs(loaded_bank: LoadedBank, name: str, as_json: bool) -> int:
    """Prints every letter of a formula with its meaning, unit, range and default, and a command that solves it."""
    formulas = loaded_bank.required_bank.formulas
    formula = formulas.get(name)
    if formula is None:
        from quizgen.formula.solve import find_formulas

        named = find_formulas(name, {known: made.title for known, made in formulas.items()})[:6]
        near = did_you_mean(name, loaded_bank.formula_names) or (f"did you mean {', '.join(named)}?" if named else "")
        hint = near or "see quizgen list formulas"
        raise click.UsageError(f'no formula "{printable(shorten(name))}"; {hint}')
    rows = [_formula_input_row(entry) for entry in formula.inputs.values()]
    if as_json:
        record = {"formula": name, "title": formula.title, "unit": str(formula.unit), "inputs": rows}
        click.echo(json.dumps(record, indent=2))
        return 0
    click.echo(printable(f"{formula.title} ({name}), in {formula.unit}"))
    for line in _aligned_column_lines(rows):
        click.echo(printable(f"  {line}"))
    for about in filter(None, (formula.convention, formula.source and f"Source: {formula.source}")):
        for line in wrap(about, 80):
            click.echo(printable(line))
    if formula.tests:
        given = " ".join(f"{n}={value}".replace(" ", "") for n, value in formula.tests[0].input_values)
        click.echo(printable(f"quizgen solve {name} {given}"))
    return 0


def _formula_input_row(formula_input: Input) -> dict[str, str]:
    """One input of a formula as a row: letter, unit, default, accepted values, meaning."""
    bounds = (("from", formula_input.minimum), ("to", formula_input.maximum))
    ends = [f"{word} {input_value_text(formula_input, end)}" for word, end in bounds if end is not None]
    words = ", ".join(formula_input.value_kind.enum_words) if formula_input.value_kind.shape == "word" else ""
    default = "" if formula_input.default is None else input_value_text(formula_input, formula_input.default)
    return {
        "letter": formula_input.name,
        "unit": "" if formula_input.unit is UNIT_ONE else str(formula_input.unit),
        "default": default,
        "takes": words or " ".join(ends) or ("whole numbers" if formula_input.is_whole else ""),
        "is": formula_input.description,
    }


def _make_list_rows(list_name: str, bank_argument: str) -> list[ListRow]:
    """The rows of a list, one of LIST_NAMES; `bank_argument` is the bank to list from."""
    if list_name == "banks":
        return [_bank_row(name) for name in data_folders.shipped_bank_names()]
    if list_name == "patterns":
        return [{"pattern": p.name, "kind": p.kind, "item": p.item, "about": p.about} for p in gallery_patterns()]
    loaded = open_bank(bank_argument)
    bank = loaded.required_bank
    match list_name:
        case "topics":
            return _topic_rows(bank)
        case "items":
            return [_item_row(item) for item in bank.items.values()]
        case "formulas":
            return [
                {"formula": f.name, "unit": str(f.unit), "inputs": " ".join(f.inputs), "title": f.title}
                for f in (bank.formulas[name] for name in loaded.formula_names)
            ]
        case "blueprints":
            return [_blueprint_row(blueprint) for blueprint in bank.blueprints.values()]
    return [_case_row(case) for case in bank.cases.values() if isinstance(case, Case)]


def _require_known_names(field_name: str, names: tuple[str, ...], rows: list[ListRow], bank: str) -> None:
    """Raises UsageError for a topic or kind that no row of `bank` has, naming the nearest known one."""
    known = {str(row[field_name]) for row in rows if row.get(field_name)}
    if names and not known:
        raise click.UsageError(
            f"--{field_name} is for items; write: quizgen list items --{field_name} {printable(names[0])}"
        )
    message = unknown_name_message(field_name, names, known, bank)
    if message:
        elsewhere = "" if "did you mean" in message else "; quizgen list banks shows the other banks, for --bank"
        raise click.UsageError(message + elsewhere)


def _bank_row(name: str) -> ListRow:
    bank = open_whole_bank(name)
    return {
        "bank": name,
        "items": len(bank.items),
        "kinds": _kind_counts_text(bank.items.values()),
        "version": bank.version or None,
        "license": bank.license or None,
        "title": bank.title,
    }


def _item_row(item: Item) -> ListRow:
    return {
        "item": item.id,
        **{name: getattr(item, name) for name in SHOWN_ITEM_FIELDS},
        "stem": " ".join(item.stem.split()),
    }


def _blueprint_row(blueprint: Blueprint) -> ListRow:
    items = sum(section.count or len(section.include) for section in blueprint.sections)
    minutes = None if blueprint.minutes is None else float(blueprint.minutes)
    return {"blueprint": blueprint.name, "items": items, "minutes": minutes, "title": blueprint.title}


def _case_row(case: Case) -> ListRow:
    head = {"case": case.id, "minutes": float(case.minutes), "turns": len(case.turns)}
    return {**head, "level": case.level or None, "title": case.title}


def _kind_counts_text(items: Iterable[Item]) -> str:
    """The number of items of each kind, such as `3 choice, 2 text`."""
    return ", ".join(f"{count} {kind}" for kind, count in sorted(Counter(item.kind for item in items).items()))


def _topic_rows(bank: Bank) -> list[ListRow]:
    """One row per topic: numbers of items and of items with answers in the logs, chance to know a new one, kinds."""
    items = list(bank.items.values())
    folder = data_folders.default_log_folder(os.environ, Path.home())
    sessions = read_past_sessions(sorted(folder.glob("*.jsonl")), notify)
    met = {name for past in sessions for name in past.last_response_by_item}
    cold = _chance_ranges_by_topic(bank, sessions)
    rows: list[ListRow] = []
    for topic in sorted({item.topic for item in items if item.topic}):
        mine = [item for item in items if item.topic == topic]
        levels = sorted({item.difficulty for item in mine if item.difficulty})
        rows.append({
            "topic": topic,
            "items": len(mine),
            "met": sum(item.id in met for item in mine),
            "cold": cold.get(topic),
            "difficulty": "-".join(map(str, dict.fromkeys((*levels[:1], *levels[-1:])))),
            "kinds": _kind_counts_text(mine),
        })  # fmt: skip
    return rows


def _chance_ranges_by_topic(bank: Bank, sessions: list[LoggedSession]) -> dict[str, str]:
    """By topic, the range of the chance to know a new item, as in `quizgen progress`; without topics that have too few
    first answers."""
    if not sessions:
        return {}
    from quizgen.commands.coach import make_bank_history

    here = make_bank_history(bank.name, bank, sessions, datetime.now().astimezone())
    rows = readiness_by_topic(here.standing(), here.today, {}).topic_readiness
    ranges = {row.topic: row.unseen_item_success_range for row in rows if row.unseen_item_success_range is not None}
    return {topic: f"{low * 100:.0f}-{high * 100:.0f} %" for topic, (low, _, high) in ranges.items()}


def _aligned_column_lines(rows: Sequence[Mapping[str, object]]) -> Iterable[str]:
    """Yields the rows as aligned lines of text after a line of headings; a line that is too long is cut."""
    if not rows:
        return
    names = list(rows[0])
    values = ([row[name] for name in names] for row in rows)
    cells = [["-" if v is None else f"{v:g}" if isinstance(v, float) else str(v) for v in row] for row in values]
    widths = [max(len(n), *(len(c[i]) for c in cells)) for i, n in enumerate(names)]
    yield "  ".join(n.ljust(w) for n, w in zip(names, widths, strict=True)).rstrip()
    for line in cells:
        padded = "  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip()
        yield padded if len(padded) <= MAX_LIST_LINE_COLUMNS else padded[: MAX_LIST_LINE_COLUMNS - 1] + "…"


@click.command("show")
@click.argument("item", shell_complete=name_completer("items"))
@option("--bank argument", "BANK", "The bank of the item.", default=DEFAULT_BANK, show_default=True)
@option("--seed", "", "Which variant to show.", default="1", show_default=True)
@option("--response", "RESPONSE", "Score this response and say why.")
@flag_option("--candidate", "Only what a candidate sees.")
@flag_option("--json as_json", "Print JSON.")
@flag_option("--no-color", "No colours (NO_COLOR does the same).")
def show_command(
    item: str, argument: str, seed: str, response: str | None, candidate: bool, as_json: bool, no_color: bool
) -> int:
    """Show one item: the stem as a candidate sees it, then what an author or interviewer reads: the
    key with its worked steps, what else is accepted, hints, facts told on request, probes.

    Example: quizgen show zero1-shards --response B
    """
    loaded = open_bank(argument)
    chosen = find_item_by_id(loaded, item)
    variant = chosen.draw(SeededRng(chosen.id, seed))
    response = sys.stdin.read() if response == "-" else response
    one = _candidate_fields_for_json(chosen, variant) | ({} if candidate else _author_fields_for_json(chosen, variant))
    if response is not None:
        score = variant.score(response)
        # The reading is in the candidate's words and has nothing of the key.
        read_as = score.read_as if chosen.kind == "text" or score.read_as is None else variant.echo(response).text
        fields = score_fields(chosen.id, score) | {"read_as": read_as}
        fields.pop("item")
        one["score"] = fields
    if as_json:
        click.echo(json.dumps(one, indent=2, ensure_ascii=True))
        return 0
    width = min(shutil.get_terminal_size((80, 24)).columns, 100)
    look = TextStyle(has_attributes=wants_color(no_color))
    template: Any = text_template("show.txt", width).module

    def block_text(blocks: Iterable[Block]) -> Markup:
        return Markup("".join(f"{line}\n" for line in block_lines(blocks, width, look)))

    protocol = image_protocol(os.environ, look.has_attributes and sys.stdout.isatty())
    sys.stdout.write(template.head(one) + block_text(variant.prompt()))
    sys.stdout.writelines(image_escape_sequences(variant.prompt(), loaded.required_bank.root, protocol, width))
    if not candidate:
        sys.stdout.write(template.author(one, block_text(variant.solution()), block_text(variant.marker_blocks())))
    if response is not None:
        sys.stdout.write(template.scored(one["score"]))
    return 0


def _candidate_fields_for_json(item: Item, variant: Variant) -> dict[str, object]:
    return {
        "item": item.id,
        **{name: getattr(item, name) for name in SHOWN_ITEM_FIELDS},
        "points": float(item.points),
        "status": item.status,
        "seed": variant.seed,
        "given": dict(variant.drawn_value_texts()),
        "prompt": "\n".join(block_lines(variant.prompt(), 100)),
    }


def _author_fields_for_json(item: Item, variant: Variant) -> dict[str, object]:
    return {
        "key": variant.key_text(),
        "solution": "\n".join(block_lines(variant.solution(), 100)),
        "marking": "\n".join(block_lines(variant.marker_blocks(), 100)),
        "hints": list(item.hints),
        "given_on_request": list(item.given),
        "probes": {m.criterion: probe for m in variant.score("").marks if (probe := variant.follow_up_to(m.criterion))},
        "follow_ups": list(item.follow_ups),
        "source": item.source,
        "at": str(item.where),
    }
