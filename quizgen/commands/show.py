"""`quizgen list` and `quizgen show`: lists of banks, items and formulas, and one item for candidates and for
authors."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime
from textwrap import wrap
from typing import Any

import click
from markupsafe import Markup

from quizgen import data_folders
from quizgen.assemble import complete_topic_words_if_unambiguous, first_unknown_name_message, section_filter_text
from quizgen.cases.case import Case
from quizgen.coach.standing import readiness_by_topic
from quizgen.commands.new import gallery_patterns
from quizgen.commands.options import DEFAULT_BANK, argument, difficulty_option, flag_option, notify, option
from quizgen.commands.shared import find_item_by_id, kind_counts_text, load_usable_bank, printed_line_width, wants_color
from quizgen.draw import SeededRng
from quizgen.formula.definition import Formula
from quizgen.formula.show import input_value_text
from quizgen.formula.units import UNIT_ONE
from quizgen.model import Bank, Item, Section, Variant
from quizgen.page import Block
from quizgen.render.text import EmphasisStyle, plain_text_template, wrap_blocks
from quizgen.scoring.response import score_as_json
from quizgen.source.problems import did_you_mean, printable, shorten
from quizgen.terminal.history import answered_sessions_of_logs
from quizgen.terminal.lines import detect_image_protocol_name, image_escape_sequences

MAX_LIST_LINE_COLUMNS = 140
LIST_NAMES = ("banks", "topics", "items", "formulas", "blueprints", "cases", "patterns")

ListRow = dict[str, object]  # a row of a list: value by column


@click.command("list")
@click.argument("list_name", type=click.Choice(LIST_NAMES), default="banks")
@argument("name", None, "formulas", required=False)
@option("--bank bank_argument", "BANK", "The bank to list from.", default=DEFAULT_BANK, show_default=True)
@option("--topic", "TOPIC", "Only items on this topic", completes="topics", multiple=True)
@option("--kind", "KIND", "Only items of this kind", multiple=True)
@difficulty_option()
@flag_option("--json as_json", "Print JSON.")
def list_command(
    list_name: str, name: str | None, bank_argument: str, difficulties: tuple[int, ...], as_json: bool, **names: Any
) -> None:
    """List banks, topics, items, formulas, blueprints, an interviewer's cases, or patterns to begin with.

    With the NAME of a formula, every letter of it.

    Example: quizgen list items --topic zero
    """
    formula = None if name is None else _require_formula(list_name, bank_argument, name)
    rows = _list_rows(list_name, bank_argument) if formula is None else _formula_input_rows(formula)
    values_by_field = {field: {str(row[field]) for row in rows if row.get(field)} for field in ("topic", "kind")}
    topic, kind = complete_topic_words_if_unambiguous(names["topic"], values_by_field["topic"]), names["kind"]
    if difficulties and list_name != "items":
        raise click.UsageError(f"--difficulty is for items; write: quizgen list items --difficulty {difficulties[0]}")
    for field, values in (("topic", topic), ("kind", kind)):
        if values and not values_by_field[field]:
            hint = f"write: quizgen list items --{field} {printable(values[0])}"
            raise click.UsageError(f"--{field} is for items; {hint}")
        if message := first_unknown_name_message(field, values, values_by_field[field], bank_argument):
            bank_hint = "" if "did you mean" in message else "; quizgen list banks shows the other banks, for --bank"
            raise click.UsageError(message + bank_hint)
    for field, values in (("topic", topic), ("kind", kind), ("difficulty", difficulties)):
        rows = [row for row in rows if not values or row.get(field) in values]
    if as_json:
        click.echo(json.dumps({"version": 1, list_name: rows}, indent=2))
        return
    if not rows:
        notify(f"no {list_name}{section_filter_text(Section(topic, kind, difficulties))} in {printable(bank_argument)}")
    _print_aligned_columns(rows)
    if formula is not None:
        _print_formula_notes(formula)


def _list_rows(list_name: str, bank_argument: str) -> list[ListRow]:
    """The rows of a list, one of LIST_NAMES; `bank_argument` is the bank to list from."""
    if list_name == "banks":
        banks = {name: load_usable_bank(name).required_bank for name in data_folders.shipped_bank_names()}
        return [
            {
                "bank": name,
                "items": len(bank.items),
                "kinds": kind_counts_text(bank.items.values()),
                "version": bank.version or None,
                "license": bank.license or None,
                "title": bank.title,
            }
            for name, bank in banks.items()
        ]
    if list_name == "patterns":
        gallery = gallery_patterns()
        return [{"pattern": p.name, "kind": p.kind, "item": p.bank_slash_item_id, "about": p.summary} for p in gallery]
    bank = load_usable_bank(bank_argument).required_bank
    match list_name:
        case "topics":
            return _topic_rows_with_user_progress(bank)
        case "items":
            return [
                {"item": item.id, **_listed_item_fields(item), "stem": " ".join(item.stem.split())}
                for item in bank.items.values()
            ]
        case "formulas":
            return [
                {"formula": f.name, "unit": str(f.unit), "inputs": " ".join(f.inputs), "title": f.title}
                for f in (bank.formulas[name] for name in bank.formulas)
            ]
        case "blueprints":
            return [
                {
                    "blueprint": plan.name,
                    "items": sum(section.item_count or len(section.required_ids) for section in plan.sections),
                    "minutes": None if plan.minutes is None else float(plan.minutes),
                    "title": plan.title,
                }
                for plan in bank.blueprint_by_name.values()
            ]
    return [
        {
            "case": case.id,
            "minutes": float(case.allowed_minutes),
            "turns": len(case.turns),
            "level": case.intended_seniority_text or None,
            "title": case.title,
        }
        for case in bank.case_by_id.values()
        if isinstance(case, Case)
    ]


def _require_formula(list_name: str, bank_argument: str, name: str) -> Formula:
    """The formula of a bank with this name. Raises UsageError if there is none, with similar names, or if the list is
    not that of formulas."""
    if list_name != "formulas":
        hint = f"write --bank {printable(name)}, or quizgen show {printable(name)} for an item"
        raise click.UsageError(f"{list_name} takes no name; {hint}")
    formulas = load_usable_bank(bank_argument).required_bank.formulas
    formula = formulas.get(name)
    if formula is None:
        from quizgen.formula.solve import formula_names_matching_query

        matches = formula_names_matching_query(name, {n: f.title for n, f in formulas.items()})[:6]
        suggestion = did_you_mean(name, formulas) or (f"did you mean {', '.join(matches)}?" if matches else "")
        raise click.UsageError(f'no formula "{printable(shorten(name))}"; {suggestion or "see quizgen list formulas"}')
    return formula


def _print_formula_notes(formula: Formula) -> None:
    """Prints the title, convention and source of a formula, and a command that solves it."""
    source = formula.citation and f"Source: {formula.citation}"
    for paragraph in filter(None, (f"{formula.title}, in {formula.unit}", formula.convention, source)):
        click.echo("\n".join(map(printable, wrap(paragraph, 80))))
    for test in formula.tests[:1]:
        values = " ".join(f"{letter}={value}".replace(" ", "") for letter, value in test.text_by_input.items())
        click.echo(printable(f"quizgen solve {formula.name} {values}"))


def _formula_input_rows(formula: Formula) -> list[ListRow]:
    """The letters of a formula, with unit, default, accepted values and meaning."""
    rows: list[ListRow] = []
    for entry in formula.inputs.values():
        bounds = (("from", entry.min_base_value), ("to", entry.max_base_value))
        ends = [f"{word} {input_value_text(entry, end)}" for word, end in bounds if end is not None]
        words = ", ".join(entry.value_kind.enum_words) if entry.value_kind.type == "word" else ""
        default = "" if entry.default_value is None else input_value_text(entry, entry.default_value)
        values = words or " ".join(ends) or ("whole numbers" if entry.is_whole else "")
        unit = "" if entry.unit is UNIT_ONE else str(entry.unit)
        rows.append({"letter": entry.name, "unit": unit, "default": default, "takes": values, "is": entry.description})
    return rows


def _listed_item_fields(item: Item) -> ListRow:
    return {name: getattr(item, name) for name in ("kind", "topic", "difficulty", "seconds")}


def _topic_rows_with_user_progress(bank: Bank) -> list[ListRow]:
    """One row per topic: numbers of items and of items with answers in the logs, the range of the chance to know a new
    one as in `quizgen progress` (None after too few first answers), kinds."""
    sessions = answered_sessions_of_logs(sorted(data_folders.default_log_folder().glob("*.jsonl")), notify)
    met_ids = {name for session in sessions for name in session.last_response_record_by_item_id}
    cold_by_topic: dict[str, str] = {}
    if sessions:
        from quizgen.commands.coach import PracticeHistory

        history = PracticeHistory(bank.name, bank, sessions, datetime.now().astimezone()).limited_to_this_bank()
        for row in readiness_by_topic(history.knowledge_standing(), history.today_ordinal, {}).topic_readiness_rows:
            if row.unseen_item_success_low_mid_high is not None:
                low, _, high = row.unseen_item_success_low_mid_high
                cold_by_topic[row.topic] = f"{low * 100:.0f}-{high * 100:.0f} %"
    rows: list[ListRow] = []
    for topic in sorted({item.topic for item in bank.items.values() if item.topic}):
        topic_items = [item for item in bank.items.values() if item.topic == topic]
        levels = sorted({item.difficulty for item in topic_items if item.difficulty})
        rows.append({
            "topic": topic,
            "items": len(topic_items),
            "met": sum(item.id in met_ids for item in topic_items),
            "cold": cold_by_topic.get(topic),
            "difficulty": "-".join(map(str, dict.fromkeys((*levels[:1], *levels[-1:])))),
            "kinds": kind_counts_text(topic_items),
        })  # fmt: skip
    return rows


def _print_aligned_columns(rows: Sequence[ListRow]) -> None:
    """Prints rows as aligned columns under a line of headings, wrapped to the width of the terminal. A line that is too
    long is cut."""
    cells = [list(row) for row in rows[:1]]
    for row in rows:
        cells.append(["-" if v is None else f"{v:g}" if isinstance(v, float) else str(v) for v in row.values()])
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else MAX_LIST_LINE_COLUMNS
    for texts in cells:
        line = "  ".join(map(str.ljust, texts, widths)).rstrip()
        if len(line) > MAX_LIST_LINE_COLUMNS:
            line = f"{line[: MAX_LIST_LINE_COLUMNS - 1]}…"
        click.echo("\n".join(wrap(printable(line), width, subsequent_indent="    ")))


@click.command("show")
@argument("item", None, "items")
@option("--bank bank_argument", "BANK", "The bank of the item.", default=DEFAULT_BANK, show_default=True)
@option("--seed", "", "Which variant to show.", default="1", show_default=True)
@option("--response", "RESPONSE", "Score this response and say why.")
@flag_option("--candidate", "Only what a candidate sees.")
@flag_option("--json as_json", "Print JSON.")
@flag_option("--no-color", "No colours (NO_COLOR does the same).")
def show_command(
    item: str, bank_argument: str, seed: str, response: str | None, candidate: bool, as_json: bool, no_color: bool
) -> None:
    """Show one item: the stem as a candidate sees it, then what an author or interviewer reads: the
    key with its worked steps, what else is accepted, hints, facts told on request, probes.

    Example: quizgen show zero1-shards --response B
    """
    loaded_bank = load_usable_bank(bank_argument)
    target = find_item_by_id(loaded_bank, item)
    variant = target.draw(SeededRng(target.id, seed))
    response = sys.stdin.read() if response == "-" else response
    row = _item_fields_for_json(target, variant, for_author=not candidate)
    if response is not None:
        score = variant.score(response)
        # The reading is in the candidate's words and has nothing of the key.
        keeps_reading = target.kind == "text" or score.read_as is None
        read_as = score.read_as if keeps_reading else variant.echo_response(response).text
        row["score"] = {k: v for k, v in score_as_json(target.id, score).items() if k != "item"} | {"read_as": read_as}
    if as_json:
        click.echo(json.dumps(row, indent=2, ensure_ascii=True))
        return
    width = printed_line_width()
    style = EmphasisStyle(has_terminal_attributes=wants_color(no_color))
    template: Any = plain_text_template("show.txt", width).module

    def block_text(blocks: Iterable[Block]) -> Markup:
        return Markup("".join(f"{line}\n" for line in wrap_blocks(blocks, width, style)))

    protocol = detect_image_protocol_name(os.environ, style.has_terminal_attributes and sys.stdout.isatty())
    sys.stdout.write(template.head(row) + block_text(variant.prompt()))
    sys.stdout.writelines(image_escape_sequences(variant.prompt(), loaded_bank.required_bank.folder, protocol, width))
    if not candidate:
        sys.stdout.write(template.author(row, block_text(variant.solution()), block_text(variant.marker_only_blocks())))
    if response is not None:
        sys.stdout.write(template.scored(row["score"]))


def _item_fields_for_json(item: Item, variant: Variant, for_author: bool) -> dict[str, object]:
    """What a candidate sees of an item, and with `for_author` the rest too."""

    def text(blocks: Iterable[Block]) -> str:
        return "\n".join(wrap_blocks(blocks, 100))

    fields: dict[str, object] = {
        "item": item.id,
        **_listed_item_fields(item),
        "points": float(item.points),
        "status": item.status,
        "seed": variant.seed,
        "given": dict(variant.drawn_log_values()),
        "prompt": text(variant.prompt()),
    }
    if not for_author:
        return fields
    return fields | {
        "key": variant.key_text(),
        "solution": text(variant.solution()),
        "marking": text(variant.marker_only_blocks()),
        "hints": list(item.hints),
        "given_on_request": list(item.facts_on_request),
        "probes": {c: p for m in variant.score("").marks if (p := variant.probe_for_criterion(c := m.criterion_id))},
        "follow_ups": list(item.follow_up_ids),
        "source": item.source,
        "at": str(item.location),
    }
