"""The layout of an exam on paper: paper size, print size, time limit, and the space for stems and responses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from math import fsum
from typing import TYPE_CHECKING

from quizgen import page
from quizgen.answer_areas import Options
from quizgen.inline import Image
from quizgen.markdown import pieces_as_plain_text
from quizgen.page import Block
from quizgen.render.page_words import FOOTER_INITIALS_LINE, translate_sentence

if TYPE_CHECKING:  # few commands read a roster
    from quizgen.roster import Candidate

NORMAL_PRINT_LINE_CHARACTERS = 95  # characters in a line of normal print
LARGE_PRINT_LINE_CHARACTERS = 48
FIGURE_HEIGHT_LINES = 16  # lines: a figure is at most 85 mm high


def printed_line_count(blocks: Iterable[Block], characters_per_line: int) -> float:
    """The number of lines that blocks take up with `characters_per_line` characters in a line."""
    # sum rounds otherwise in some Pythons
    return fsum(_block_line_count(block, characters_per_line) for block in blocks)


def _block_line_count(block: Block, characters_per_line: int) -> float:
    match block:
        case page.CodeBlock(text, _):
            # A character of code is about a tenth wider than one of text.
            return 1 + sum(1 + len(line) // (characters_per_line * 9 // 10) for line in text.split("\n"))
        case page.DisplayedMath():
            return 2.5
        case page.Quote(inner):
            return printed_line_count(inner, characters_per_line)
        case page.DrawnFigure():
            return FIGURE_HEIGHT_LINES
        case page.Stimulus(_, inner, is_repeated):
            return 0.0 if is_repeated else 1 + printed_line_count(inner, characters_per_line)
        case page.ListBlock(entries, _, _):
            return printed_line_count(chain.from_iterable(entries), characters_per_line)
        case page.Table(head, rows):
            # Each column gets an equal share of the line, less its padding.
            room = max(4, characters_per_line // max(1, len(head)) - 1)
            # The highest cell of a row counts.
            return fsum(1.6 + max(map(len, map(pieces_as_plain_text, row)), default=0) // room for row in (head, *rows))
        case Options(options, _):
            return 1 + fsum(1.5 + len(o.text) // characters_per_line for o in options)
        case page.Paragraph(parts) | page.Heading(parts, _):
            figures = sum(isinstance(piece, Image) for piece in page.walk_page(parts))
            return 1.3 + len(pieces_as_plain_text(parts)) // characters_per_line + FIGURE_HEIGHT_LINES * figures
        case _:
            return 1.3


CSS_PAGE_SIZE_BY_PAPER_SIZE = {"a4": "A4", "letter": "letter"}
_TEXT_HEIGHT_MM_BY_PAPER = {"a4": 260, "letter": 242}  # mm between the top and the bottom margin


@dataclass(frozen=True, slots=True)
class PageOptions:
    """The choices of the person who runs the exam, which are the same for all forms."""

    paper_size: str = "a4"  # key of CSS_PAGE_SIZE_BY_PAPER_SIZE
    has_large_print: bool = False  # 18 pt
    soft_or_hard_time_limit: str = "soft"  # "hard" locks the page when time is up
    has_bubble_sheet: bool = True  # a bubble sheet for choice items
    extra_instruction_texts: tuple[str, ...] = ()
    old_new_word_pairs: tuple[tuple[str, str], ...] = ()  # fixed words and their replacements

    def css_page_rules(self, footer_code: str, heading: str = "", candidate_name: str = "") -> str:
        """The CSS page rules of one document: size, margins, form code and page number.

        The top of every page has the `heading`, if any (else there are initials at the bottom), and the name of a
        candidate, `candidate_name`."""
        margin = "16mm 15mm 21mm" if self.has_large_print else "16mm 17mm 19mm"
        size = 18 if self.has_large_print and not heading else 9
        font = f'font: {size}pt "Liberation Sans", Arial, Helvetica, sans-serif; color: #000'
        words = dict(self.old_new_word_pairs)
        text = _escape_css_string(translate_sentence(heading or FOOTER_INITIALS_LINE, words))
        place, bold = ("@top-center", " font-weight: bold;") if heading else ("@bottom-right", "")
        heading_rule = f'{place} {{ content: "{text}";{bold} {font}; }}'
        corner = f'@top-right {{ content: "{_escape_css_string(candidate_name)}"; {font}; }} ' if candidate_name else ""
        page_word, of_word = (_escape_css_string(words.get(word, word)) for word in ("Page", "of"))
        return (
            f"@page {{ size: {CSS_PAGE_SIZE_BY_PAPER_SIZE[self.paper_size]}; margin: {margin}; "
            f'@bottom-left {{ content: "{footer_code}"; {font}; }} {corner}@bottom-center {{ '
            f'content: "{page_word} " counter(page) " {of_word} " counter(pages); {font}; }} {heading_rule} }}'
        )

    @property
    def characters_per_line(self) -> int:
        return LARGE_PRINT_LINE_CHARACTERS if self.has_large_print else NORMAL_PRINT_LINE_CHARACTERS

    def answer_sheet_kind_letter(self) -> str:
        """The kind of answer sheet, a key of sheet_layout.STYLES."""
        return "ABCD"[("letter" in self.paper_size) + 2 * self.has_large_print]

    def for_candidate(self, candidate: Candidate | None) -> PageOptions:
        """The edition for a candidate, who may need large print or another paper size."""
        if candidate is None:
            return self
        is_large = self.has_large_print or candidate.large_print
        return replace(self, has_large_print=is_large, paper_size=candidate.paper_size or self.paper_size)

    def ruled_line_count_for_seconds(self, seconds: int, is_text: bool, stem_lines: float = 0) -> int:
        """The number of ruled lines for a text item (one for about 16 seconds, so that two items of three minutes share
        a page), or for the working of a numeric item (more for a longer time, whatever its solution).

        At most as many as fit on a page below a stem of `stem_lines` printed lines. If the stem leaves no room, the
        item continues on the next page anyway and gets all lines."""
        large = self.has_large_print
        if is_text:
            answer_box_mm, min_lines, lines = 0, 4, min(13 if large else 18, round(seconds / 16))
        else:
            answer_box_mm, min_lines, lines = 28 if large else 12, 3, min(8 if large else 9, round(seconds / 30) + 1)
        # Millimetres: a printed line, a ruled line, and the headings with the marker's box.
        line, ruled, frame = (9.6, 13.0, 56) if large else (5.4, 7.5, 32)
        room = int((_TEXT_HEIGHT_MM_BY_PAPER[self.paper_size] - frame - answer_box_mm - line * stem_lines) // ruled)
        return max(min_lines, min(lines, room) if room >= min_lines else lines)


def _escape_css_string(text: str) -> str:
    """A text for a string in a style sheet. Each character that is not an English letter is written as a number, so
    that none can end the string; so is a space after it, which CSS would take for the end of the number."""
    return re.sub("[^A-Za-z0-9 _-]+ *", lambda m: "".join(f"\\{ord(c):06x}" for c in m[0]), text)


def time_budget_text(seconds: int) -> str:
    """A time budget as people write it: `45 s`, `1.5 min`, `2 min`."""
    if seconds < 60:
        return f"{seconds} s"
    halves = round(seconds / 30)
    return f"{halves // 2}{'.5' if halves % 2 else ''} min"
