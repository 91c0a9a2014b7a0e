"""The pages of an exam's forms. Each variant computes its blocks once, for all pages that show it."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import groupby
from math import isqrt
from typing import Any

from markupsafe import Markup

from quizgen.answer_areas import NumericAnswerLine, Options, TextAnswerLines
from quizgen.exam import Exam, points_text
from quizgen.formula.units import Dim, Unit
from quizgen.model import Bank, Form, FormEntry
from quizgen.numbers.amounts import unit_of_word
from quizgen.numbers.answer import AnswerFormat, UnitLexicon
from quizgen.page import Block, Stimulus
from quizgen.render.edition import (
    CHARACTERS_PER_LINE,
    LARGE_CHARACTERS_PER_LINE,
    Edition,
    printed_line_count,
    time_budget_text,
)
from quizgen.render.figures import UnusableImage, image_data_url
from quizgen.render.html import (
    HtmlWriter,
    ResponseAreaOnPaper,
    jinja_environment,
    json_for_script,
    page_template_values,
)
from quizgen.render.number_reader import READER_SCRIPT_FILES as READER_SCRIPTS
from quizgen.render.number_reader import answer_format_data, number_reader_tables, unit_lexicon_data
from quizgen.roster import Candidate, read_extra_time
from quizgen.sheet_layout import (
    CORNER_MARK_SIZE_MM,
    ITEM_CODE_MM,
    AnswerCode,
    ChoiceRowSpec,
    PageCode,
    SheetPage,
    layout_sheet_pages,
)

ResponseArea = Options | NumericAnswerLine | TextAnswerLines


@dataclass(frozen=True, slots=True)
class PlacedEntry:
    """An entry of a form: its number, its code in the page (`item_code`), stem, response area, and key as text."""

    number: int
    item_code: str
    entry: FormEntry
    stem: tuple[Block, ...]
    response_area: ResponseArea | None
    key_text: str


@dataclass(frozen=True, slots=True)
class FormLayout:
    """One form with its label and its placed entries."""

    form_label: str
    form: Form
    placed_entries: tuple[PlacedEntry, ...]


def lay_out_form(exam: Exam, form_label: str) -> FormLayout:
    """The form `form_label` of the exam, with its entries in their places."""
    form = exam.make_form(form_label)
    placed = []
    for number, entry in enumerate(form.entries, 1):
        prompt = entry.variant.prompt()
        area = next(
            (block for block in prompt if isinstance(block, (Options, NumericAnswerLine, TextAnswerLines))), None
        )
        ref = exam.item_code(form_label, entry.variant.item.id)
        stem = tuple(block for block in prompt if block is not area)
        placed.append(PlacedEntry(number, ref, entry, stem, area, entry.variant.key_text()))
    return FormLayout(form_label, form, _mark_shared_stimuli(placed))


def _mark_shared_stimuli(entries: list[PlacedEntry]) -> tuple[PlacedEntry, ...]:
    """The entries with their stimuli. The first part has the stimulus and says which items it is for; later parts refer
    back to it."""
    parts: dict[str, list[int]] = {}  # stimulus -> numbers of its items
    for one in entries:
        for block in one.stem:
            if isinstance(block, Stimulus):
                parts.setdefault(block.name, []).append(one.number)

    def with_item_range(block: Block, number: int) -> Block:
        if not isinstance(block, Stimulus):
            return block
        first, last = parts[block.name][0], parts[block.name][-1]
        together = first < last and parts[block.name] == list(range(first, last + 1))
        about = f"Items {first} to {last}" if together else ""
        return replace(block, is_repeated=together and number != first, items_in_words=about, first_number=first)

    return tuple(replace(one, stem=tuple(with_item_range(block, one.number) for block in one.stem)) for one in entries)


MIN_NAME_HEIGHT_MM = 2.8  # height of a name's letters in mm, about 8 points


@dataclass(frozen=True, slots=True)
class QrCodeDrawing:
    """A QR code: its text, its SVG path in units of one module, the size of a module and its position in mm."""

    text: str
    svg_path: Markup
    module_mm: float
    x: float = 0
    y: float = 0


@dataclass(frozen=True, slots=True)
class AnswerSheetPage:
    """One page of an answer sheet, for the template."""

    sheet: SheetPage
    page_number: int
    page_count: int
    codes: tuple[QrCodeDrawing, ...]
    name_lines: tuple[str, ...]  # name and ID, in two lines if they are long
    name_height_mm: float  # height of the letters in mm
    mark_size_mm: float = CORNER_MARK_SIZE_MM


def answer_sheet_pages(
    sheet_kind: str, form_code: str, option_rows: Sequence[ChoiceRowSpec], candidate: Candidate | None
) -> tuple[AnswerSheetPage, ...]:
    """The pages of a form's answer sheet; empty if no item has options."""
    made = layout_sheet_pages(sheet_kind, option_rows, candidate is not None)
    name = " · ".join(part for part in (candidate.name, candidate.id) if part) if candidate else ""
    drawn = []
    for number, sheet in enumerate(made, 1):
        owner = candidate.number if candidate else 0
        texts = [PageCode(sheet_kind, form_code, owner, number, len(made), b).text() for b in (False, True)]
        codes = tuple(_draw_qr_code(text, side, x, y) for text, (x, y, side) in zip(texts, sheet.codes, strict=True))
        room = sheet.style.width - sheet.codes[0][0] - 40
        lines = (
            (name,)
            if not name or room / _bold_text_width_em(name) >= MIN_NAME_HEIGHT_MM
            else _split_name_into_two_lines(name)
        )
        most = sheet.style.bubble_radius * 1.8 if len(lines) < 2 else 4.2
        size = min(most, 6.4, room / max(1.0, *map(_bold_text_width_em, lines)))
        drawn.append(AnswerSheetPage(sheet, number, len(made), codes, tuple(filter(None, lines)), round(size, 2)))
    return tuple(drawn)


def _split_name_into_two_lines(name: str) -> tuple[str, str]:
    """A text in two lines of similar length, split between words if possible."""
    words = name.split(" ")
    cut = min(range(1, len(words)), key=lambda n: abs(2 * len(" ".join(words[:n])) - len(name)), default=0)
    return (" ".join(words[:cut]), " ".join(words[cut:])) if cut else (name[: len(name) // 2], name[len(name) // 2 :])


def answer_area_qr_code(sheet_kind: str, item_code: str, candidate: Candidate | None, line_count: int) -> QrCodeDrawing:
    """The code printed beside the item `item_code`, with `line_count` ruled lines. `sheet_kind`: that of the sheet."""
    return _draw_qr_code(
        AnswerCode(sheet_kind, item_code, candidate.number if candidate else 0, line_count).text(), ITEM_CODE_MM
    )


def _draw_qr_code(text: str, side_mm: float, x: float = 0, y: float = 0) -> QrCodeDrawing:
    modules = _qr_module_bits(text)
    width = isqrt(modules.bit_length())
    path = "".join([_svg_path_of_dark_modules(width, *dark.span()) for dark in re.finditer("1+", f"{modules:b}")])
    return QrCodeDrawing(text, Markup(path), round(side_mm / width, 5), x, y)


@lru_cache(maxsize=10_000)
def _svg_path_of_dark_modules(modules_per_row: int, start_bit: int, end_bit: int) -> str:
    """The SVG path of a run of dark modules in a row of `modules_per_row` modules; `start_bit` and `end_bit` count bits
    over all rows."""
    down, across = divmod(start_bit, modules_per_row + 1)
    return f"M{across} {down}h{end_bit - start_bit}v1h-{end_bit - start_bit}z"


_QR_ALPHANUMERIC_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"  # the alphanumeric mode of a QR code
# Length of the texts -> highest bit -> (XOR of the texts, XOR of their codes).
_QR_BITS_CACHE: defaultdict[int, dict[int, tuple[int, int]]] = defaultdict(dict)


def _qr_module_bits(text: str) -> int:
    """The modules of a text's code as bits, row by row, with a light one after each row; the first bit is dark.

    Error correction is linear and all codes share one mask, so the XOR of the codes of an odd number of texts of equal
    length is the code of the XOR of the texts. A code is only drawn for a text that is no such combination of earlier
    ones: some 60 in all."""
    bits, modules, known = 1, 0, _QR_BITS_CACHE[len(text)]
    for start in range(0, len(text), 2):  # a code stores two characters as one number of eleven bits
        bits = bits << 11 | reduce(
            lambda number, sign: 45 * number + _QR_ALPHANUMERIC_CHARACTERS.index(sign), text[start : start + 2], 0
        )
    while bits and bits.bit_length() in known:
        texts, codes = known[bits.bit_length()]
        bits ^= texts
        modules ^= codes
    if bits:
        import segno

        # One fixed mask: trying all eight takes five times as long, and scanners read this one equally well.
        made = segno.make(text, error="q", micro=False, mode="alphanumeric", boost_error=False, mask=3)
        drawn = int("".join(str(dark) for row in made.matrix for dark in (*row, 0)), 2)
        known[bits.bit_length()] = bits, modules ^ drawn
        return drawn
    return modules


def _bold_text_width_em(text: str) -> float:
    """The approximate width of a bold text, in multiples of its font size."""
    return sum(1.1 if unicodedata.east_asian_width(c) in "WF" else 0.66 for c in text)


# A form as one HTML file: the paper and the screen edition.
# A form shows the points of an item, its number of criteria and whether several options may be chosen;
# apart from the prompt nothing in it depends on a key, rubric, tolerance or rationale.


FORM_STYLE_FILES = ("css/shared.css", "css/print.css", "css/sheet.css", "css/screen.css")
FORM_SCRIPT_FILES = (
    *READER_SCRIPTS, "numbers/echo.js", "js/sha256.js", "js/store.js", "js/clock.js", "js/answers.js", "js/views.js",
    "js/exam.js",
)  # fmt: skip


def number_echo_data(bank: Bank) -> dict[str, Any]:
    """The data with which a form page shows how it reads a typed number: quizgen's words and the bank's own units. All
    items of the bank have the same data, so that they reveal nothing about the form."""
    every = {word for item in bank.items.values() for word in item.unit_spellings}
    words = sorted(word for word in every if unit_of_word(word) is None)
    own = UnitLexicon.from_units({word: Unit(word, 1, Dim(((word, 1),))) for word in words})
    return {
        "tables": number_reader_tables(),
        "format": answer_format_data(AnswerFormat(unbounded=True)),
        "lexicon": unit_lexicon_data(own),
    }


@dataclass(frozen=True, slots=True)
class FormWriter:
    """Writes the forms of one exam. `report_fault` is called with (item id, message) for each part that cannot be
    shown. `formula_sheet`: the formula sheet, or empty. `number_echo`: of `number_echo_data`; None: computed for
    each form."""

    exam: Exam
    edition: Edition
    report_fault: Callable[[str, str], None]
    formula_sheet: Markup
    number_echo: Mapping[str, Any] | None = None

    def form_page(self, layout: FormLayout, candidate: Candidate | None = None) -> str:
        """The page of a form, in the edition that the `candidate` needs, with their name; None: for everybody."""
        edition = self.edition.for_candidate(candidate)
        if edition != self.edition:
            return replace(self, edition=edition).form_page(layout, candidate)
        template = jinja_environment(edition.word_replacements).get_template("exam.html")
        return template.render(self.template_values(layout, candidate))

    def template_values(self, layout: FormLayout, candidate: Candidate | None = None) -> dict[str, object]:
        """The values for the template."""
        name = f"{candidate.name} {candidate.id}".strip() if candidate else ""
        rules = self.edition.css_page_rules(layout.form.code, candidate_name=name)
        classes = f"paper-{self.edition.paper}{' large-print' * self.edition.large_print}"
        return {
            "page": page_template_values(
                FORM_STYLE_FILES, FORM_SCRIPT_FILES, rules, classes, word_replacements=self.edition.word_replacements
            ),
            "form": layout.form,
            "label": layout.form_label,
            "shown": self.computed_template_values(layout, candidate),
            "edition": self.edition,
            "echo": json_for_script(self.number_echo or number_echo_data(self.exam.bank)),
            "institution": self.exam.blueprint.institution,
            "formulas": self.formula_sheet,
            "who": candidate,
        }

    def computed_template_values(self, layout: FormLayout, candidate: Candidate | None = None) -> dict[str, Any]:
        """The computed values for the template: time, sections with their items, answer sheets, instructions, logo."""
        parts = []
        for section, placed in groupby(layout.placed_entries, key=lambda p: p.entry.section_index):
            about = layout.form.sections[section]
            items = [self._item_template_values(p, candidate) for p in placed]
            parts.append({"title": about.title, "items": items, "instructions": about.instructions})
        areas = [(p.number, p.response_area) for p in layout.placed_entries]
        rows = [(number, len(area.options), area.allows_several) for number, area in areas if isinstance(area, Options)]
        return {
            "minutes": points_text(candidate.own_minutes(layout.form.minutes) if candidate else layout.form.minutes),
            "extra": _extra_time_text(candidate, dict(self.edition.word_replacements)),
            "parts": parts,
            "items": [item for part in parts for item in part["items"]],
            "sheets": answer_sheet_pages(self.edition.answer_sheet_kind(), layout.form.code, rows, candidate)
            if self.edition.has_bubble_sheet
            else (),
            "several": any(several for _, _, several in rows),
            "instructions": (*self.exam.blueprint.instructions, *self.edition.extra_instructions),
            "logo": self._logo_data_url(),
        }

    def _item_template_values(self, placed_entry: PlacedEntry, candidate: Candidate | None) -> dict[str, Any]:
        """The values of one item for the template."""
        item, area = placed_entry.entry.variant.item, placed_entry.response_area
        columns = LARGE_CHARACTERS_PER_LINE if self.edition.large_print else CHARACTERS_PER_LINE
        stem = printed_line_count(placed_entry.stem, columns)
        room = self.edition.answer_line_count if isinstance(area, TextAnswerLines) else self.edition.working_line_count
        lines = room(item.seconds, stem) if item.lines is None or area is None else item.lines
        words = self.edition.word_replacements
        html = HtmlWriter(self.exam.bank.root, lambda message: self.report_fault(item.id, message), words)
        coded = self.edition.has_bubble_sheet and isinstance(area, (NumericAnswerLine, TextAnswerLines))
        shown = html.blocks(placed_entry.stem)
        if area is not None:
            shown += html.block(area, ResponseAreaOnPaper(placed_entry.number, lines))
        return {
            "number": placed_entry.number,
            "ref": placed_entry.item_code,
            "points": points_text(placed_entry.entry.possible),
            "about": time_budget_text(item.seconds),
            "asks": "text"
            if isinstance(area, TextAnswerLines)
            else "number"
            if isinstance(area, NumericAnswerLine)
            else "choice",
            "criteria": area.criterion_count if isinstance(area, TextAnswerLines) else 0,
            "prompt": shown,
            "code": answer_area_qr_code(self.edition.answer_sheet_kind(), placed_entry.item_code, candidate, lines)
            if coded
            else None,
        }

    def _logo_data_url(self) -> str:
        """The institution's logo as a `data:` address; empty if there is none or it cannot be used."""
        if not self.exam.blueprint.logo:
            return ""
        try:
            return image_data_url(self.exam.bank.root, self.exam.blueprint.logo)
        except UnusableImage as error:
            self.report_fault("logo", str(error))
            return ""


def _extra_time_text(candidate: Candidate | None, word_replacements: Mapping[str, str]) -> str:
    """A candidate's extra time: `25 %` or `10 minutes`; empty if there is none."""
    extra_time = read_extra_time(candidate.extra_time) if candidate and candidate.extra_time else None
    share, more = extra_time or (Fraction(), Fraction())
    if share:
        return f"{points_text(share * 100)} %"
    minute = "minute" if more == 1 else "minutes"
    return f"{points_text(more)} {word_replacements.get(minute, minute)}" if more else ""
