"""Keys for markers: the worked key of each form, and one table with the answers of all forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from markupsafe import Markup

from quizgen import markdown
from quizgen.answer_areas import TextAnswerLines
from quizgen.exam import Exam
from quizgen.inline import Inline, Text
from quizgen.page import Block, Heading, ListBlock, MarkingScheme, Paragraph, Table
from quizgen.render.edition import Edition
from quizgen.render.exam import FormLayout, PlacedEntry
from quizgen.render.html import HtmlWriter, jinja_environment, page_template_values
from quizgen.render.page_words import KEY_PAGE_HEADING

KEY_STYLE_FILES = ("css/shared.css", "css/key.css")
MAX_CELL_CHARACTERS = 60  # characters of a key in the table of all forms
MAX_CACHED_SOLUTIONS = 1_000  # worked solutions kept in memory
FORMS_PER_TABLE = 4  # forms side by side in that table
# A form in the table of all forms: its label, its code, and (id, key) of each item, in order of its number on the form.
FormAnswerColumn = tuple[str, str, list[tuple[str, Markup]]]


class KeyWriter:
    """Writes the worked keys of an exam's forms.

    It caches solutions: an item with the same stem, options and drawn values has the same solution on every form."""

    def __init__(self, bank_folder: str, edition: Edition) -> None:
        self._html = HtmlWriter(bank_folder, word_replacements=edition.word_replacements)
        self._edition = edition
        self._worked: dict[object, Mapping[str, Markup | bool]] = {}

    def key_page(self, layout: FormLayout) -> str:
        """The worked key and marking scheme of a form, as one HTML file."""
        template = jinja_environment(self._edition.word_replacements).get_template("key.html")
        return template.render(
            page=_key_page_template_values(self._edition, layout.form.code, "key-page"),
            form=layout.form,
            items=[(placed, self._solution_parts(placed)) for placed in layout.placed_entries],
            markdown=lambda text: self._html.inline(markdown.markdown_inline_pieces(text)),
        )

    def _translate_block(self, block: Block) -> Block:
        """A block in which the words of a kind of item are translated; the bank's words stay."""
        match block:
            case Heading((Text(text),)) | Paragraph((Text(text),)):
                return replace(block, inline_pieces=(Text(self._html.translated(text)),))
            case ListBlock(entries):
                return replace(block, entries=tuple(tuple(map(self._translate_block, entry)) for entry in entries))
            case Table((_, _, (Text(""),), _) as head, rows):  # options; the third column is ours
                verdicts = ((*row[:2], self._translate_cell(row[2]), *row[3:]) for row in rows)
                return Table(tuple(map(self._translate_cell, head)), tuple(verdicts))
        return block

    def _translate_cell(self, inline_pieces: tuple[Inline, ...]) -> tuple[Inline, ...]:
        return tuple(Text(self._html.translated(p.text)) if isinstance(p, Text) else p for p in inline_pieces)

    def _solution_parts(self, placed_entry: PlacedEntry) -> Mapping[str, Markup | bool]:
        """An item's parts that look the same in every form's key; `scheme`: whether it has a marking scheme."""
        variant = placed_entry.entry.variant
        drawn = tuple(variant.drawn_value_texts().items())
        same = (variant.item.id, placed_entry.stem, placed_entry.response_area, drawn)
        if same not in self._worked:
            if len(self._worked) >= MAX_CACHED_SOLUTIONS:
                self._worked.clear()
            solution = tuple(map(self._translate_block, variant.solution()))
            self._worked[same] = {
                "stem": self._html.blocks(placed_entry.stem),
                "solution": self._html.blocks(solution),
                "marking": self._html.blocks(map(self._translate_block, variant.marker_blocks())),
                "scheme": any(isinstance(b, MarkingScheme) for b in solution),
            }
        return self._worked[same]


def form_answer_column(layout: FormLayout, edition: Edition) -> FormAnswerColumn:
    """The column of a form in the table of all forms."""
    html = HtmlWriter("", word_replacements=edition.word_replacements)
    cells = []
    for placed in layout.placed_entries:
        text = " ".join(placed.key_text.split())
        if isinstance(placed.response_area, TextAnswerLines):
            text = html.translated(f"see key-{layout.form_label}")
        if len(text) > MAX_CELL_CHARACTERS and "$" not in text:  # a formula may not be cut
            head = text[: MAX_CELL_CHARACTERS - 1]
            words = head.rpartition(" ")[0]
            text = f"{words} …" if len(words) > MAX_CELL_CHARACTERS // 2 else f"{head}…"
        cells.append((placed.entry.variant.item.id, html.inline(markdown.markdown_inline_pieces(text))))
    return layout.form_label, layout.form.code, cells


def answer_table_html_pieces(
    exam: Exam, columns: Iterator[FormAnswerColumn], form_count: int, edition: Edition
) -> Iterator[str]:
    """Yields the table of all forms piece by piece, so that memory does not grow with the number of forms."""
    template = jinja_environment(edition.word_replacements).get_template("answers.html")
    return template.generate(
        page=_key_page_template_values(edition, exam.code, "key-page wide-page"),
        title=exam.blueprint.title or exam.bank.title,
        code=exam.code,
        count=form_count,
        numbers=range(len(exam.chosen_items)),
        groups=iter(lambda: list(islice(columns, FORMS_PER_TABLE)), []),
    )


def _key_page_template_values(edition: Edition, footer_code: str, css_classes: str) -> Mapping[str, Any]:
    rules = edition.css_page_rules(footer_code, KEY_PAGE_HEADING)
    return page_template_values(KEY_STYLE_FILES, (), rules, css_classes, word_replacements=edition.word_replacements)
