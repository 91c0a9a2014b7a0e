"""The pages of an exam's forms. Each variant computes its blocks once, for all pages that show it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import groupby, zip_longest
from math import isqrt
from typing import Any
from unicodedata import east_asian_width

from markupsafe import Markup

from quizgen import sheet_layout
from quizgen.answer_areas import NumericAnswerLine, Options, TextAnswerLines
from quizgen.exam import Exam, as_decimal_or_ratio
from quizgen.formula.units import Dim, Unit
from quizgen.model import ZERO, Form, FormEntry
from quizgen.numbers.amounts import unit_of_word
from quizgen.numbers.answer import AnswerFormat, UnitLexicon
from quizgen.page import Block, Stimulus
from quizgen.render import html, number_reader
from quizgen.render.edition import PageOptions, printed_line_count, time_budget_text
from quizgen.render.images import UnusableImage, image_data_url
from quizgen.roster import Candidate, read_extra_time_share_and_minutes

ResponseArea = Options | NumericAnswerLine | TextAnswerLines
MIN_NAME_LETTER_HEIGHT_MM = 2.8  # height of a name's letters in mm, about 8 points


@dataclass(frozen=True, slots=True)
class PlacedEntry:
    """An entry of a form: its number, its code in the page (`item_code`), stem, response area, and key as text."""

    item_number: int
    item_code: str
    entry: FormEntry
    stem_blocks: tuple[Block, ...]
    response_block: ResponseArea | None
    key_text: str


@dataclass(frozen=True, slots=True)
class LaidOutForm:
    """One form with its label and its placed entries."""

    form_label: str
    form: Form
    placed_entries: tuple[PlacedEntry, ...]


def lay_out_form_with_label(exam: Exam, form_label: str) -> LaidOutForm:
    """The form `form_label` of the exam, with its entries in their places. The first part of a stimulus has the
    stimulus and says which items it is for; later parts refer back to it."""
    form = exam.form_of_label(form_label)
    prompts = [entry.variant.prompt() for entry in form.entries]
    item_numbers: dict[str, list[int]] = {}  # of each stimulus
    for number, prompt in enumerate(prompts, 1):
        for block in prompt:
            if isinstance(block, Stimulus):
                item_numbers.setdefault(block.stimulus_id, []).append(number)
    placed_entries = []
    for number, (entry, prompt) in enumerate(zip(form.entries, prompts, strict=True), 1):
        area = next((block for block in prompt if isinstance(block, ResponseArea)), None)
        stem: list[Block] = []
        for block in prompt:
            if isinstance(block, Stimulus):
                numbers = item_numbers[block.stimulus_id]
                first, last = numbers[0], numbers[-1]
                is_contiguous = first < last and numbers == list(range(first, last + 1))
                item_range = f"Items {first} to {last}" if is_contiguous else ""
                is_repeated = is_contiguous and number != first
                stem.append(replace(block, is_repeated=is_repeated, items_in_words=item_range, first_item_number=first))
            elif block is not area:
                stem.append(block)
        ref = exam.item_code(form_label, entry.variant.item.id)
        placed_entries.append(PlacedEntry(number, ref, entry, tuple(stem), area, entry.variant.key_text()))
    return LaidOutForm(form_label, form, tuple(placed_entries))


def answer_sheet_page_values(
    sheet_kind: str, form_code: str, option_rows: Sequence[sheet_layout.ChoiceRowSpec], candidate: Candidate | None
) -> list[dict[str, Any]]:
    """The pages of a form's answer sheet, for the template; empty if no item has options. `name_lines`: name and ID, in
    two lines if they are long."""
    sheets = sheet_layout.layout_sheet_pages(sheet_kind, option_rows, candidate is not None)
    owner = candidate.roster_number if candidate else 0
    name = " · ".join(filter(None, (candidate.name, candidate.id))) if candidate else ""
    pages = []
    for number, sheet in enumerate(sheets, 1):
        # All of a code but `is_bottom_code`.
        code = partial(sheet_layout.PageCode, sheet_kind, form_code, owner, number, len(sheets))
        codes = [draw_qr_code(code(n > 0).text(), side, x, y) for n, (x, y, side) in enumerate(sheet.code_squares_mm)]
        room = sheet.style.print_width_mm - sheet.code_squares_mm[0][0] - 40
        is_long = bool(name) and room / _bold_text_width_em(name) < MIN_NAME_LETTER_HEIGHT_MM
        name_lines: tuple[str, ...] = (name,) if name else ()
        if is_long:  # two lines of similar length, split between words if possible
            ends = [space.start() for space in re.finditer(" ", name)]
            end = min(ends, key=lambda n: abs(2 * n - len(name)), default=0)
            name_lines = (name[:end], name[end + 1 :]) if end else (name[: len(name) // 2], name[len(name) // 2 :])
        max_height = 4.2 if is_long else min(6.4, sheet.style.bubble_radius_mm * 1.8)
        height = min(max_height, room / max(1.0, *map(_bold_text_width_em, name_lines), 0))
        page = {"sheet": sheet, "page_number": number, "page_count": len(sheets), "codes": codes}
        page |= {"mark_size_mm": sheet_layout.CORNER_MARK_SIZE_MM}
        pages.append(page | {"name_lines": name_lines, "name_height_mm": round(height, 2)})
    return pages


def _bold_text_width_em(text: str) -> float:
    """The approximate width of a bold text, in multiples of its font size."""
    return sum(1.1 if east_asian_width(c) in "WF" else 0.66 for c in text)


def draw_qr_code(text: str, side_mm: float, x: float = 0, y: float = 0) -> dict[str, Any]:
    """The code of a text as a square with sides of `side_mm`, its top left corner at (x, y), for the template: its
    text, its SVG path in units of one module, the size of a module and its position in mm."""
    modules = _qr_modules_of_text_as_int(text)
    width = isqrt(modules.bit_length())
    path = "".join([_svg_path_data_of_dark_run(width, *run.span()) for run in re.finditer("1+", f"{modules:b}")])
    place = {"module_mm": round(side_mm / width, 5), "left_mm": x, "top_mm": y}
    return {"encoded_text": text, "svg_path_data": Markup(path), **place}


@lru_cache(maxsize=10_000)
def _svg_path_data_of_dark_run(modules_per_row: int, start_bit: int, end_bit: int) -> str:
    """The SVG path of a run of dark modules in a row of `modules_per_row` modules; `start_bit` and `end_bit` count bits
    over all rows."""
    y, x = divmod(start_bit, modules_per_row + 1)
    return f"M{x} {y}h{end_bit - start_bit}v1h-{end_bit - start_bit}z"


_QR_ALPHANUMERIC_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"  # the alphanumeric mode of a QR code
# Length of the texts -> highest bit -> (XOR of the texts, XOR of their codes).
_QR_XOR_BASIS_BY_TEXT_LENGTH: defaultdict[int, dict[int, tuple[int, int]]] = defaultdict(dict)


def _qr_modules_of_text_as_int(text: str) -> int:
    """The modules of a text's code as bits, row by row, with a light one after each row; the first bit is dark.

    Error correction is linear and all codes share one mask, so the XOR of the codes of an odd number of texts of equal
    length is the code of the XOR of the texts. A code is only drawn for a text that is no such combination of earlier
    ones: some 60 in all."""
    bits, modules, code_by_highest_bit = 1, 0, _QR_XOR_BASIS_BY_TEXT_LENGTH[len(text)]
    numbers = map(_QR_ALPHANUMERIC_CHARACTERS.index, text)
    for first, second in zip_longest(numbers, numbers):  # a code stores two characters as one number of eleven bits
        bits = bits << 11 | (first if second is None else 45 * first + second)
    while bits and bits.bit_length() in code_by_highest_bit:
        texts, codes = code_by_highest_bit[bits.bit_length()]
        bits ^= texts
        modules ^= codes
    if bits:
        import segno

        # One fixed mask: trying all eight takes five times as long, and scanners read this one equally well.
        qr_code = segno.make(text, error="q", micro=False, mode="alphanumeric", boost_error=False, mask=3)
        code_modules = int("".join(str(bit) for row in qr_code.matrix for bit in (*row, 0)), 2)
        code_by_highest_bit[bits.bit_length()] = bits, modules ^ code_modules
        return code_modules
    return modules


# A form as one HTML file: the paper and the screen edition. A form shows the points of an item, its number of criteria
# and whether several options may be chosen; apart from the prompt nothing in it depends on a key, rubric, tolerance or
# rationale.


FORM_STYLE_FILES = ("css/shared.css", "css/print.css", "css/sheet.css", "css/screen.css")
FORM_SCRIPT_FILES = (
    *number_reader.READER_SCRIPT_FILES, "numbers/echo.js", "js/sha256.js", "js/store.js", "js/clock.js",
    "js/answers.js", "js/views.js", "js/exam.js",
)  # fmt: skip


@dataclass(frozen=True)
class FormWriter:
    """Writes the forms of one exam. `report_item_fault` is called with (item id, message) for each part that cannot be
    shown. `formula_sheet_html`: the formula sheet, or empty."""

    exam: Exam
    page_options: PageOptions
    report_item_fault: Callable[[str, str], None]
    formula_sheet_html: Markup

    @cached_property
    def _number_echo_json(self) -> Markup:
        """The data with which a form shows how it reads a typed number: quizgen's words and the bank's own units. All
        items of the bank have the same data, so that they reveal nothing about the form."""
        spellings = {word for item in self.exam.bank.items.values() for word in item.bank_unit_spellings}
        words = sorted(word for word in spellings if unit_of_word(word) is None)
        lexicon = UnitLexicon.from_unit_by_spelling({word: Unit(word, 1, Dim(((word, 1),))) for word in words})
        answer_format = number_reader.answer_format_fields(AnswerFormat(may_be_unbounded=True))
        data = {"tables": number_reader.number_reader_tables(), "format": answer_format}
        data["lexicon"] = number_reader.unit_lexicon_fields(lexicon)
        return html.json_for_script(data)

    def form_page_html(self, layout: LaidOutForm, candidate: Candidate | None = None) -> str:
        """The page of a form, in the edition that the `candidate` needs, with their name; None: for everybody."""
        template = html.jinja_environment(self.page_options.old_new_word_pairs).get_template("exam.html")
        return template.render(self.form_page_template_values(layout, candidate))

    def form_page_template_values(self, layout: LaidOutForm, candidate: Candidate | None = None) -> dict[str, Any]:
        """The values for templates/exam.html."""
        edition = self.page_options.for_candidate(candidate)
        words = edition.old_new_word_pairs
        name = f"{candidate.name} {candidate.id}".strip() if candidate else ""
        rules = edition.css_page_rules(layout.form.code, candidate_name=name)
        classes = f"paper-{edition.paper_size}{' large-print' * edition.has_large_print}"
        parts = []
        for section_index, placed_entries in groupby(layout.placed_entries, key=lambda p: p.entry.section_index):
            section = layout.form.sections[section_index]
            items = [self._item_template_values(p, edition, candidate) for p in placed_entries]
            parts.append({"title": section.title, "items": items, "instructions": section.instructions})
        logo = ""
        try:
            if self.exam.blueprint.logo_path:
                logo = image_data_url(self.exam.bank.folder, self.exam.blueprint.logo_path)
        except UnusableImage as error:
            self.report_item_fault("logo", str(error))
        areas = [(p.item_number, p.response_block) for p in layout.placed_entries]
        rows = [(number, len(area.options), area.allows_several) for number, area in areas if isinstance(area, Options)]
        page = html.page_template_values(FORM_STYLE_FILES, FORM_SCRIPT_FILES, rules, classes, old_new_word_pairs=words)
        kind, code, minutes = edition.answer_sheet_kind_letter(), layout.form.code, layout.form.minutes
        return dict(
            page=page,
            form=layout.form,
            label=layout.form_label,
            edition=edition,
            echo=self._number_echo_json,
            institution=self.exam.blueprint.institution_name,
            formulas=self.formula_sheet_html,
            who=candidate,
            minutes=as_decimal_or_ratio(candidate.minutes_with_extra_time(minutes) if candidate else minutes),
            extra=_translated_extra_time_text(candidate.extra_time_text, dict(words)) if candidate else "",
            parts=parts,
            entries=[item for part in parts for item in part["items"]],
            sheets=answer_sheet_page_values(kind, code, rows, candidate) if edition.has_bubble_sheet else (),
            several=any(allows_several for _, _, allows_several in rows),
            instructions=(*self.exam.blueprint.instruction_texts, *edition.extra_instruction_texts),
            logo=logo,
        )

    def _item_template_values(
        self, placed_entry: PlacedEntry, edition: PageOptions, candidate: Candidate | None
    ) -> dict[str, Any]:
        """The values of one item for the template."""
        item, area = placed_entry.entry.variant.item, placed_entry.response_block
        is_text = isinstance(area, TextAnswerLines)
        lines = item.answer_line_count
        if lines is None or area is None:
            stem_lines = printed_line_count(placed_entry.stem_blocks, edition.characters_per_line)
            lines = edition.ruled_line_count_for_seconds(item.seconds, is_text, stem_lines)
        writer = html.HtmlWriter(
            self.exam.bank.folder, partial(self.report_item_fault, item.id), edition.old_new_word_pairs
        )
        code = None
        if edition.has_bubble_sheet and isinstance(area, (NumericAnswerLine, TextAnswerLines)):
            owner = candidate.roster_number if candidate else 0
            content = sheet_layout.CodeAtItem(edition.answer_sheet_kind_letter(), placed_entry.item_code, owner, lines)
            code = draw_qr_code(content.text(), sheet_layout.ANSWER_CODE_SIDE_MM)
        prompt = writer.blocks_to_html(placed_entry.stem_blocks)
        if area is not None:
            prompt += writer.block_to_html(area, placed_entry.item_number, lines)
        kind = "text" if is_text else "number" if isinstance(area, NumericAnswerLine) else "choice"
        values = {"number": placed_entry.item_number, "ref": placed_entry.item_code, "prompt": prompt, "code": code}
        values |= {"points": as_decimal_or_ratio(placed_entry.entry.points), "about": time_budget_text(item.seconds)}
        return values | {"asks": kind, "criteria": area.criterion_count if isinstance(area, TextAnswerLines) else 0}


def _translated_extra_time_text(extra_time: str, new_word_by_old_word: Mapping[str, str]) -> str:
    """A candidate's extra time: `25 %` or `10 minutes`; empty if there is none."""
    share, minutes = read_extra_time_share_and_minutes(extra_time) or (ZERO, ZERO)
    word = "minute" if minutes == 1 else "minutes"
    minutes_text = f"{as_decimal_or_ratio(minutes)} {new_word_by_old_word.get(word, word)}" if minutes else ""
    return f"{as_decimal_or_ratio(share * 100)} %" if share else minutes_text
