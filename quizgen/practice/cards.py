"""The items of a form as cards of a practice page: several drawings of each item, and the data for marking answers.

A card is plain data; `quizgen.render.html` makes and escapes the texts that a page shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from quizgen import assemble
from quizgen.answer_areas import Options
from quizgen.model import Entry, Form, Variant
from quizgen.numbers.stem import question_sentences
from quizgen.page import Block, Scheme, plain_paragraph
from quizgen.page import Bullets as BulletList
from quizgen.portable_item import KnownMistake, NumberKey, NumberReaderSettings
from quizgen.render.html import AreaPosition, HtmlWriter
from quizgen.render.number_reader import format_data, lexicon_data
from quizgen.rubric.rubric import Rubric

DRAWINGS_PER_ITEM = 3  # drawings of an item on the page
_MAX_SEEDS_TRIED = 12  # seeds tried to find one more drawing
_TEXT_LINES = 6  # lines of a text field


@dataclass(frozen=True, slots=True)
class ShownDrawing:
    """One drawing on the page: `data` for its script, and its prompt and solution as HTML."""

    data: Mapping[str, Any]
    prompt: Markup
    solution: Markup


@dataclass(frozen=True, slots=True)
class PracticeCard:
    """One item of the page; `data` is the same for all its drawings."""

    data: Mapping[str, Any]
    drawings: tuple[ShownDrawing, ...]


def cards_of(form: Form, root: str, report_fault: Callable[[str, str], None]) -> tuple[PracticeCard, ...]:
    """The cards of a form, in its order. `root` is the folder of the bank's images. Calls `report_fault` with an item's
    id and the reason why a part of it cannot be shown."""
    numbered = enumerate(form.entries, 1)
    return tuple(_practice_card(number, entry, form.seed, root, report_fault) for number, entry in numbered)


def distinct_variants(first_variant: Variant, seed: str) -> tuple[Variant, ...]:
    """The variant `first_variant` and up to two more of its item, with other values or another order of options."""
    variants, seen = [first_variant], {_distinguishing_values(first_variant)}
    for number in range(2, _MAX_SEEDS_TRIED + 2):
        other = assemble.draw_variant(first_variant.item, f"{seed}/{number}")
        if len(variants) < DRAWINGS_PER_ITEM and _distinguishing_values(other) not in seen:
            variants.append(other)
            seen.add(_distinguishing_values(other))
    return tuple(variants)


def _distinguishing_values(variant: Variant) -> tuple[object, ...]:
    """What distinguishes two drawings: the drawn values or, if there are none, the order of the options."""
    return tuple(variant.drawn().items()) or variant.order()


def _practice_card(
    number: int, entry: Entry, seed: str, root: str, report_fault: Callable[[str, str], None]
) -> PracticeCard:
    item = entry.variant.item
    html = HtmlWriter(root, lambda message: report_fault(item.id, message))
    data: dict[str, Any] = {"item": item.id, **{n: getattr(item, n) for n in ("kind", "topic", "seconds")}}
    data["hints"] = list(item.hints)
    if (reader := entry.variant.number_reader_settings()) is not None:
        data["reader"] = number_reader_data(reader)
    if policy := getattr(item, "policy", ""):
        data["policy"] = policy
    rubric = getattr(item, "rubric", None)
    if isinstance(rubric, Rubric):
        criteria = [{"id": c.id, "say": c.say or c.id, "points": float(c.points)} for c in rubric.criteria]
        data["criteria"] = criteria or [{"id": "answer", "say": "The model answer.", "points": 1}]  # for a draft
        data["full"] = float(rubric.possible) or 1
    variants = distinct_variants(entry.variant, seed)
    return PracticeCard(data, tuple(_shown_drawing(number, variant, html) for variant in variants))


def _shown_drawing(item_number: int, variant: Variant, html: HtmlWriter) -> ShownDrawing:
    prompt = variant.prompt()
    area = prompt[-1]
    data: dict[str, Any] = {"seed": variant.seed, "given": dict(variant.drawn())}
    if isinstance(area, Options):
        plain = variant.plain()
        right = {option.text for option in plain.options if option.right} if plain is not None else set()
        data["options"] = [option.text for option in area.options]
        data["several"] = area.several
        data["keys"] = [place for place, option in enumerate(area.options) if option.text in right]
    elif variant.item.kind == "numeric":
        key = variant.number_key()
        data |= {"key": None if key is None else number_key_data(key), "answer": variant.key_text()}
        if (reader := variant.number_reader_settings()) is not None:
            data["asked"] = question_sentences(reader.stem)
    shown = html.blocks(prompt, AreaPosition(item_number, _TEXT_LINES if variant.item.kind == "text" else 0))
    return ShownDrawing(data, shown, html.blocks(_solution_blocks(variant)))


def _solution_blocks(variant: Variant) -> Sequence[Block]:
    """The blocks shown after an answer. For a text item, the model answer, and last the wrong claims that lose points,
    without the rubric, which is for markers."""
    blocks: list[Block] = []
    lost: list[Block] = []
    for block in variant.solution():
        if not isinstance(block, Scheme):
            blocks.append(block)
        elif claims := [note for note in block.notes if note.startswith(("Contradicts", "Misconception"))]:
            listed = BulletList(tuple((plain_paragraph(note),) for note in claims))
            lost += [plain_paragraph("What loses points:"), listed]
    return [*blocks, *lost]


# -- numbers as JSON: fractions as "3/4", misconceptions as short rows


def number_reader_data(reader: NumberReaderSettings) -> dict[str, Any]:
    """The settings of the page's number reader, which are the same for all drawings of an item."""
    more = {"stepped": reader.stepped, "inputs": reader.inputs, "steps": reader.steps}
    return {**format_data(reader.expected), **more, "lexicon": lexicon_data(reader.expected.lexicon)}


def number_key_data(key: NumberKey) -> dict[str, Any]:
    return {
        "value": None if key.value is None else str(key.value),
        "margin": str(key.margin),
        "digits": key.digits,
        "from": str(key.rounded_from),
        "half": key.half,
        "whole": key.whole,
        "named": [_mistake_row(one) for one in key.named],
        "slips": [_mistake_row(one) for one in key.slips],
        "words": {word: [float(share), say] for word, (share, say) in key.words.items()},
        "numbers": [str(part) for part in key.numbers],
    }


def _mistake_row(mistake: KnownMistake) -> list[object]:
    return [str(mistake.value), str(mistake.rounded_from), mistake.say, float(mistake.credit)]
