"""Exports of the shipped banks, and what two items must agree in."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import shipped

from quizgen import markdown, page
from quizgen.interchange import registry
from quizgen.interchange.contract import ExportContext, ImportedItem, ImportResult
from quizgen.interchange.export import ExportedFile, export_items, portable_variants_or_reasons
from quizgen.model import Item
from quizgen.portable_item import PortableItem, decimal

BANKS = ("git", "distributed-training", "systems-design")
MOMENT = 1_700_000_000


class Imported(NamedTuple):
    """A bank that an import made, the text of its file, and what the import said."""

    bank: Path
    text: str
    err: str


Import = Callable[..., Imported]  # what the fixture `imported` is
READ_BY = {"qti12": "qti", "qti21": "qti"}


def about(name: str, moment: int = MOMENT) -> ExportContext:
    made = shipped.bank(name)
    return ExportContext(name, made.title, export_unix_time=moment, bank_figure_folder=made.folder)


def part(name: str) -> list[Item]:
    """A third of a bank."""
    return shipped.part_of(shipped.bank(name).items.values(), BANKS.index(name))


@lru_cache
def exported(name: str, form: str) -> ExportedFile:
    """What goes out of that third."""
    return export_items(part(name), registry.load_exporter(form), about(name), 1)


def read(data: bytes, form: str) -> ImportResult:
    return registry.load_importer(READ_BY.get(form, form)).read(data)


def keys(item: ImportedItem) -> list[str]:
    return [option.text for option in item.options if option.is_right]


def plains(items: list[Item]) -> list[PortableItem]:
    return [p for item in items for p in portable_variants_or_reasons(item, 1) if isinstance(p, PortableItem)]


def matching(**pairs: str) -> str:
    """The rows of a matching question of Moodle; `_` has an answer and no row."""
    rows = ((row.strip("_"), right) for row, right in pairs.items())
    return "".join(f"<subquestion><text>{a}</text><answer><text>{b}</text></answer></subquestion>" for a, b in rows)


def same(text: str) -> str:
    """What a text shows: its blocks, white space and the seams between pieces of plain text aside. An image is its
    description: most formats embed it, and none gives its file back."""
    blocks = repr(markdown.markdown_blocks(text))
    shown = re.sub(r"Image\(alt='(.*?)', path='.*?'\)", r"Text(text='[figure: \1]')", blocks)
    shown = re.sub(r"'\), Text\(text='", "", shown.replace('"', "'")).replace(",)", ")")
    return re.sub(r"(\\n|\s)+", " ", shown)


def differences(plain: PortableItem, found: ImportedItem, carries: frozenset[str]) -> dict[str, Any]:
    """Where an item that went out and came in again is another, but for what the format does not carry."""
    drawn = [p.alt for p in page.walk_page(plain.prompt_blocks) if isinstance(p, page.DrawnFigure)]
    shown = "".join([plain.stem, *(f"\n\n[figure: {alt}]" for alt in drawn if "figures" in carries)])
    wanted, got = facts(plain, carries) | {"stem": same(shown)}, facts(found, carries) | {"stem": same(found.stem)}
    if plain.number is not None and found.numeric_key is not None:
        size = abs(plain.number.value)  # a format of one tolerance takes what people round to as well
        shares = (plain.number.relative_tolerance, plain.number.margin / size if size else plain.number.margin)
        near = [abs(share - found.numeric_key.relative_tolerance) <= share / 10**4 for share in shares]
        wanted["tolerance"], got["tolerance"] = True, any(near)
    return {name: (wanted[name], got[name]) for name in wanted if wanted[name] != got[name]}


def facts(item: PortableItem | ImportedItem, carries: frozenset[str]) -> dict[str, Any]:
    """What of an item a format carries, but for its stem and tolerance, so that both sides can be compared."""
    number = item.number if isinstance(item, PortableItem) else item.numeric_key
    held: dict[str, Any] = {
        "reasons": [same(option.because) for option in item.options],
        "rationale": same(item.rationale),
        "model answer": same(item.model_answer) if item.kind == "text" else "",
        "source": same(item.source if isinstance(item, PortableItem) else item.cited_source),
        "misconceptions": [(decimal(v), same(say)) for v, say in (number.mistakes if number else ())],
        "criteria": [(points, same(say)) for points, say in item.criteria],
        "hints": [*map(same, item.hints)],
        "given": [*map(same, item.facts_on_request)],
        "topic": item.topic,
        "difficulty": item.difficulty,
        "seconds": item.seconds,
        "points": item.points or 1,
    }
    held = {name: value for name, value in held.items() if name in carries}
    held |= {"kind": item.kind, "options": [(same(o.text), o.is_right) for o in item.options]}
    if number is not None:
        held["number"] = decimal(number.value), number.unit if "unit" in carries else ""
    return held


def zipped(files: Mapping[str, bytes | str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def question(kind: str, body: str) -> str:
    """A question of Moodle's XML, whose stem ends in a line break."""
    stem = "<questiontext format='html'><text>Stem?&lt;br&gt;</text></questiontext>"
    return f"<question type='{kind}'><name><text>x</text></name>{stem}{body}</question>"


def moodle(*questions: str) -> str:
    return f"<quiz>{''.join(questions)}</quiz>"


def answer(share: str, text: str, feedback: str = "") -> str:
    said = f"<feedback><text>{feedback}</text></feedback>" if feedback else ""
    return f"<answer fraction='{share}'><text>{text}</text>{said}</answer>"


def canvas(kind: str, response: str, conditions: str, stem: str = "Stem?") -> str:
    field = f"<fieldlabel>question_type</fieldlabel><fieldentry>{kind}</fieldentry>"
    asked = f"<material><mattext>{stem}</mattext></material>{response}"
    return (
        "<questestinterop><assessment title='a'><section><item title='x'><itemmetadata><qtimetadata><qtimetadatafield>"
        f"{field}</qtimetadatafield></qtimetadata></itemmetadata><presentation>{asked}</presentation><resprocessing>"
        f"{conditions}</resprocessing></item></section></assessment></questestinterop>"
    )


def condition(asked: str, earns: int, action: str = "Set", attributes: str = "") -> str:
    return (
        f"<respcondition><conditionvar>{asked}</conditionvar>"
        f"<setvar action='{action}'{attributes}>{earns}</setvar></respcondition>"
    )


def equal(text: str, response: str = "r") -> str:
    return f"<varequal respident='{response}'>{text}</varequal>"
