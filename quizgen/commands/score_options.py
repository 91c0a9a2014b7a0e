"""The options of `quizgen score`, and the bank, scale, topics and groups that they name."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

import click

from quizgen import bank as banks
from quizgen.analysis.attendance import LateRule
from quizgen.commands.shared import open_whole_bank
from quizgen.model import Bank, Blueprint, Item, ScoreBand
from quizgen.scoring.exam_answers import Manifest, sheet_given_as_log_message
from quizgen.scoring.log_files import LogOrigin
from quizgen.scoring.tables import has_row_per_candidate, read_sheet, take_heading_names
from quizgen.source.problems import Unreadable, did_you_mean, printable


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """The values of the options of one call of `quizgen score`."""

    logs: tuple[str, ...]
    bank: str | None = None
    manifest: str | None = None
    roster: str | None = None
    feedback: str | None = None
    late: LateRule | None = None  # None: the option was not given
    foreign_names: Mapping[str, str] = field(default_factory=dict)  # of the fields, or of the items, in a foreign log
    encoding: str | None = None
    release: tuple[str, ...] = ()
    sheet: tuple[str, ...] = ()
    output_format: str = "text"
    output: str = "-"
    attempt: str = "last"
    since_timestamp: float | None = None
    candidate: tuple[str, ...] = ()
    topic: tuple[str, ...] = ()
    fail_under: float | None = None
    least_sure_share: float | None = None  # share of the text responses to list
    dif_groups_file: str = ""  # CSV file of candidates and their groups
    blueprint: str = ""
    marks: tuple[str, ...] = ()
    against: tuple[str, str] | None = None
    drop: tuple[str, ...] = ()
    accept: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    apply: bool = False
    delimiter: str = ""  # CSV delimiter; empty: a comma without a byte order mark
    is_anonymous: bool = False  # a report without names
    workers: int | None = None  # None: one process a core if the logs are large
    scheduler: str | None = None
    quiet: bool = False


def open_scoring_bank(options: ScoreOptions, manifest: Manifest | None, origin: LogOrigin, files: list[str]) -> Bank:
    """The bank to score by: that of --bank, else of --against, of the manifest, or of the logs, whose banks are joined
    if there are several. Raises Unreadable if none is named or it cannot be read."""
    if options.bank is not None:
        names = [options.bank]
    elif options.against is not None:
        names = [options.against[1]]
    elif manifest is not None:
        names = [manifest.bank_name]
    else:
        names = [
            banks.bank_named_by_session_line({"bank": name, "folder": folder})
            for name, folder in origin.folder_by_bank.items()
        ]
    if not names:
        raise Unreadable(_no_bank_message(files))
    # Blueprints and cases of one bank name it too: sessions of them are of the same bank.
    found = list({bank.digest: bank for bank in map(open_whole_bank, names)}.values())
    return found[0] if len(found) == 1 else _join_banks(found)


def _no_bank_message(files: list[str]) -> str:
    """The message for logs without a known bank: the reason, and what to do."""
    first = "standard input" if files[0] == "-" else printable(files[0])
    if all(os.path.isfile(f) and not os.path.getsize(f) for f in files):
        return f"{first} is empty; name a log with responses"
    if all(map(has_row_per_candidate, files)):
        return f"{first}: {sheet_given_as_log_message(files[0])}"
    return f"{first} names no bank; give --bank, as in --bank distributed-training"


def _join_banks(banks: list[Bank]) -> Bank:
    """Several banks as one. Raises Unreadable if two of them have an item with the same id."""
    items: dict[str, Item] = {}
    for one in banks:
        for name, item in one.items.items():
            if name in items:
                which = f'the logs are of {len(banks)} banks, and item "{name}" is in two of them'
                raise Unreadable(f"{which}; score each with --bank")
            items[name] = item
    return replace(banks[0], name=", ".join(b.name for b in banks), items=items, digest="")


def scoring_blueprint(options: ScoreOptions, manifest: Manifest | None, bank: Bank, origin: LogOrigin) -> Blueprint:
    """The blueprint whose bands, grades and pass mark apply: that in the options, else that of the exam (without its
    title) or of the session; without any of them an empty one. Raises BadParameter for an unknown blueprint."""
    if options.blueprint:
        blueprint = bank.blueprints.get(options.blueprint)
        if blueprint is None:
            known = ", ".join(bank.blueprints) or "none"
            hint = did_you_mean(options.blueprint, bank.blueprints) or f"there are: {known}"
            raise click.BadParameter(f'no blueprint "{printable(options.blueprint)}"; {hint}', param_hint="--blueprint")
        return blueprint
    if manifest is not None:
        scales = (manifest.bands, manifest.grade_bands)
        bands, grades = (tuple(ScoreBand(Fraction(str(start)), *words) for start, *words in scale) for scale in scales)
        passed = manifest.pass_share
        share = None if passed is None else Fraction(str(passed))
        return Blueprint("", "", (), pass_share=share, bands=bands, grade_bands=grades)
    name = next(iter(origin.blueprints)) if len(origin.blueprints) == 1 else ""
    return bank.blueprints.get(name) or Blueprint("", "", ())


def topics_to_score(options: ScoreOptions, bank: Bank) -> frozenset[str]:
    """The topics to score; empty means all. Raises UsageError for a topic that the bank lacks."""
    if not options.topic:
        return frozenset()
    from quizgen.assemble import unknown_name_message

    known = {item.topic for item in bank.items.values() if item.topic}
    if message := unknown_name_message("topic", sorted(set(options.topic)), known):
        raise click.UsageError(message)
    return frozenset(options.topic)


def read_candidate_groups(path: str) -> dict[str, str]:
    """The group of each candidate, from a CSV with two columns: `candidate`, and one with any heading. Raises
    Unreadable with every bad row."""
    rows = read_sheet(path, "a list of groups")
    groups: dict[str, str] = {}
    wrong: list[str] = []
    head = take_heading_names(rows)
    if len(head) != 2 or head[0] != "candidate":
        raise Unreadable(f"{path}:1: begin with a line of two columns, as in `candidate,track`")
    for line, row in rows:
        cells, place = [cell.strip() for cell in row], f"{path}:{line}"
        if any(cells) and len(cells) != 2:
            wrong.append(f"{place}: {len(cells)} columns where there should be two; write candidate,group")
        elif any(cells) and groups.setdefault(cells[0], cells[1]) != cells[1]:
            wrong.append(f'{place}: "{printable(cells[0])}" is in another group above; keep one line')
    if wrong:
        raise Unreadable("\n".join(wrong))
    return {who: group for who, group in groups.items() if group}
