"""Out and in again: the same items up to what a format says that it does not carry."""

from __future__ import annotations

import io
import os
import random
import string
from dataclasses import replace
from fractions import Fraction

import pytest
import shipped

from quizgen.interchange import registry
from quizgen.interchange.contract import ExportContext
from quizgen.interchange.export import export_items
from quizgen.markdown import markdown_blocks
from quizgen.portable_item import ChoiceOption, PortableItem, PortableNumber
from tests.interchange.made import BANKS, about, differences, exported, part, plains, read

FORMATS = tuple(registry.EXPORTER_LOCATION_BY_FORMAT)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", BANKS)
def test_shipped_items_come_back(name: str, form: str) -> None:
    """A sixth of a bank by each format, each item by a sixth of the formats."""
    exporter = registry.load_exporter(form)
    items = shipped.part_of(shipped.bank(name).items.values(), FORMATS.index(form), 6)
    made = export_items(items, exporter, about(name), 1)
    sent = [p for p in plains(items) if not exporter.refusal_reason(p)]
    assert made.variant_count == len(sent)
    assert not read(made.file_bytes, form).unread_lines or form == "text"
    assert not wrong(sent, made.file_bytes, form)


def wrong(sent: list[PortableItem], data: bytes, form: str) -> dict[str, object]:
    """What is another of items that come back, by name, which every format carries."""
    got = {item.name_in_source: item for item in read(data, form).items}
    assert len(got) == len(sent)
    carries = registry.load_exporter(form).supported_content
    return {p.id: told for p in sent if (told := differences(p, got[p.id], carries))}


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_moment_gives_the_same_bytes(form: str) -> None:
    first = exported("git", form)
    assert first.file_bytes == export_items(part("git"), registry.load_exporter(form), about("git"), 1).file_bytes


PIECES = (
    "a < b & c > d", "1. not a list", "# no heading", "- no entry", "x_i and snake_case_name", "2 * 3 * 4", "]]>", "[x]",
    "// no comment", "{=~#:}", r"C:\new\table", 'say "so"', "'quoted'", "=1+1", "`code with \\ and | bar`", "``a`b``",
    "$x^{2} }}$", r"$\frac{a}{b}$", "$5 and $6", "שלום עולם", "مرحبا", "日本語", "e\u0301 combining", "🙂", "&amp; &lt;",
    "<b>no tag</b>", "a\\", "**bold** and *italic*", "~strike~", "%comment", "= 5", "____", "*a) no option", "[ ] no box",
    "A) no option", "Answer: none", "-> no match", "no-break\u00a0space", "{{c1::no cloze}}", "@at", "+plus", "!bang",
)  # fmt: skip
CODE = '```python\nfor x in y:\n    print(f"{x}")  # ``` is no end\n\nA) still code\n```'


def words(rng: random.Random, many: int = 3) -> str:
    text = " ".join(rng.choice(PIECES) for _ in range(rng.randint(1, many)))
    return "".join(rng.choice(string.ascii_letters) for _ in range(6)) + " " + text


def made_item(number: int, rng: random.Random) -> PortableItem:
    """Item `number` of the made ones: a choice, a number or a text of odd pieces."""
    stem = words(rng)
    if number % 7 == 0:
        stem += "\n\nsecond paragraph " + words(rng)
    if number % 11 == 0:
        stem += "\n\n- " + words(rng) + "\n- " + words(rng)
    if number % 13 == 0:
        stem += "\n\n" + CODE.replace("`", "~", 3)[:-3] + "~~~"
    item = PortableItem(
        id=f"item-{number}", kind="text", stem=stem, points=Fraction(1), seconds=60, rationale=words(rng),
        prompt_blocks=markdown_blocks(stem),
    )  # fmt: skip
    if number % 3 == 0:
        keys = {0} if number % 2 else {0, 2}
        texts = enumerate(dict.fromkeys(words(rng, 2) for _ in range(4)))
        options = tuple(ChoiceOption(t, n in keys, "" if n in keys else words(rng, 1)) for n, t in texts)
        return replace(item, kind="choice", options=options, credit_policy="net")
    if number % 3 == 1:
        value = Fraction(rng.randint(-(10**6), 10**6) or 7, rng.choice((1, 8, 1000)))
        number = PortableNumber(value if abs(value) >= 1 else value + 3, "", Fraction(1, 100))
        return replace(item, kind="numeric", number=number)
    return replace(item, model_answer=words(rng))


@pytest.mark.parametrize("form", FORMATS)
def test_made_items_come_back(form: str) -> None:
    """Six hundred over all formats (`QUIZGEN_MADE=2000`: of each): marks of every format in every place, maths,
    code, writing from right to left."""
    rng = random.Random(form)
    many = int(os.environ.get("QUIZGEN_MADE", "60"))
    exporter = registry.load_exporter(form)
    items = [made_item(n, rng) for n in range(1, many + 1)]
    sent = [item for item in items if not exporter.refusal_reason(item)]
    assert len(sent) > 0.95 * many or form == "csv"
    out = io.BytesIO()
    exporter.write(sent, ExportContext("made", "Made items"), out)
    found = wrong(sent, out.getvalue(), form)
    assert not found, f"{len(found)} of {len(sent)}: {dict(list(found.items())[:3])}"
