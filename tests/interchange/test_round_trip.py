"""Out and in again: the same items up to what a format says that it does not carry."""

from __future__ import annotations

import os
import random
import string
from fractions import Fraction

import pytest
import shipped

from quizgen.interchange import registry
from quizgen.interchange.contract import ExportContext
from quizgen.interchange.export import export_items
from quizgen.portable_item import PortableItem, PortableNumber, PortableOption
from tests.interchange.made import BANKS, about, differences, exported, part, plains, read

FORMATS = tuple(registry.EXPORTERS)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", BANKS)
def test_shipped_items_come_back(name: str, form: str) -> None:
    """A sixth of a bank by each format, each item by a sixth of the formats."""
    exporter = registry.load_exporter(form)
    items = shipped.part_of(shipped.bank(name).items.values(), FORMATS.index(form), 6)
    made = export_items(items, exporter, about(name))
    sent = [p for p in plains(items) if not exporter.refuses(p)]
    found = read(made.file_bytes, form)
    assert made.variant_count == len(sent)
    assert not [line for line in found.unread if form != "text"]
    # In whatever order: by name, which every format carries.
    got = {item.name: item for item in found.items}
    assert len(got) == len(sent)
    wrong = {p.id: d for p in sent if (d := differences(p, got[p.id], exporter.carries))}
    assert not wrong


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_moment_gives_the_same_bytes(form: str) -> None:
    first = exported("git", form)
    again = export_items(part("git"), registry.load_exporter(form), about("git"))
    assert first.file_bytes == again.file_bytes


PIECES = (
    "a < b & c > d", "1. not a list", "# no heading", "- no entry", "x_i and snake_case_name", "2 * 3 * 4", "]]>", "[x]",
    "// no comment", "{=~#:}", r"C:\new\table", 'say "so"', "'quoted'", "=1+1", "`code with \\ and | bar`", "``a`b``",
    "$x^{2} }}$", r"$\frac{a}{b}$", "$5 and $6", "שלום עולם", "مرحبا", "日本語", "e\u0301 combining", "🙂", "&amp; &lt;",
    "<b>no tag</b>", "a\\", "**bold** and *italic*", "~strike~", "%comment", "= 5", "____", "*a) no option", "[ ] no box",
    "A) no option", "Answer: none", "-> no match", "no-break\u00a0space", "{{c1::no cloze}}", "@at", "+plus", "!bang",
)  # fmt: skip
CODE = '```python\nfor x in y:\n    print(f"{x}")  # ``` is no end\n\nA) still code\n```'


def words(random_: random.Random, many: int = 3) -> str:
    text = " ".join(random_.choice(PIECES) for _ in range(random_.randint(1, many)))
    return "".join(random_.choice(string.ascii_letters) for _ in range(6)) + " " + text


def made_item(number: int, random_: random.Random) -> PortableItem:
    """Item `number` of the made ones: a choice, a number or a text of odd pieces."""
    from quizgen import markdown

    stem = words(random_)
    if number % 7 == 0:
        stem += "\n\nsecond paragraph " + words(random_)
    if number % 11 == 0:
        stem += "\n\n- " + words(random_) + "\n- " + words(random_)
    if number % 13 == 0:
        stem += "\n\n" + CODE.replace("`", "~", 3)[:-3] + "~~~"
    shared = {"id": f"item-{number}", "stem": stem, "points": Fraction(1), "seconds": 60, "rationale": words(random_)}
    if number % 3 == 0:
        texts = list(dict.fromkeys(words(random_, 2) for _ in range(4)))
        keys = {0} if number % 2 else {0, 2}
        options = tuple(
            PortableOption(t, n in keys, "" if n in keys else words(random_, 1)) for n, t in enumerate(texts)
        )
        return PortableItem(
            **shared, kind="choice", options=options, policy="net", prompt=markdown.markdown_blocks(stem)
        )
    if number % 3 == 1:
        value = Fraction(random_.randint(-(10**6), 10**6) or 7, random_.choice((1, 8, 1000)))
        if abs(value) < 1:
            value += 3
        return PortableItem(
            **shared,
            kind="numeric",
            number=PortableNumber(value, "", Fraction(1, 100)),
            prompt=markdown.markdown_blocks(stem),
        )
    return PortableItem(**shared, kind="text", model_answer=words(random_), prompt=markdown.markdown_blocks(stem))


@pytest.mark.parametrize("form", FORMATS)
def test_made_items_come_back(form: str) -> None:
    """Six hundred over all formats (`QUIZGEN_MADE=2000`: of each): marks of every format in every place, maths,
    code, writing from right to left."""
    import io

    random_ = random.Random(form)
    many = int(os.environ.get("QUIZGEN_MADE", "60"))
    exporter = registry.load_exporter(form)
    items = [made_item(n, random_) for n in range(1, many + 1)]
    sent = [item for item in items if not exporter.refuses(item)]
    assert len(sent) > 0.95 * many or form == "csv"
    out = io.BytesIO()
    exporter.write(sent, ExportContext("made", "Made items"), out)
    found = read(out.getvalue(), form)
    got = {item.name: item for item in found.items}
    assert len(got) == len(sent)
    wrong = {p.id: d for p in sent if (d := differences(p, got[p.id], exporter.carries))}
    assert not wrong, f"{len(wrong)} of {len(sent)}: {dict(list(wrong.items())[:3])}"
