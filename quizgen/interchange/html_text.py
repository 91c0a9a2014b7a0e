"""Conversion between the HTML of other programs and Markdown."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from typing import Any

from markupsafe import Markup, escape

from quizgen import markdown
from quizgen.interchange.contract import CannotRead
from quizgen.page import Paragraph
from quizgen.render.html import HtmlWriter, jinja_environment

HTML_LIBRARY_AND_EXTRA = ("markdownify", "lms")
# No match runs past the next opening mark, so an unclosed mark is examined only once.
_DELIMITED_MATHS_PATTERN = re.compile(r"\\\(((?:(?!\\\().)+?)\\\)|\\\[((?:(?!\\\[).)+?)\\\]|\$\$(.+?)\$\$", re.DOTALL)
MAX_TAGS_PER_HTML_TEXT = 20_000  # tags in one text, such as a field of a card
_MARKDOWN_SPECIAL_CHARACTER_PATTERN = re.compile(
    r"[*`$|]|\\(?=[!-/:-@\[-`{-~]|$)|\[(?=[^\]]{1000}|[^\]]*\][(\[:])|<(?=[A-Za-z/!?])|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])"
)
_POINTS_AND_CRITERION_PATTERN = re.compile(r"(?:[-*]\s*)?(\d{1,4}(?:\.\d{1,9})?)\s*: (.+)", re.DOTALL)
_MARKDOWN_BLOCK_START_PATTERN = re.compile(r"^( *)(?=#{1,6}(?:\s|$)|>|[-+=](?:\s|$)|[-=]{2,}|~~~)", re.MULTILINE)


def text_to_markdown(text: str) -> str:
    r"""Markdown that shows a plain text unchanged, except that `\(…\)` and `\[…\]` become maths."""
    output, end = "", 0
    for match in _DELIMITED_MATHS_PATTERN.finditer(text):
        tex = match[1] or match[2] or match[3]
        output += _MARKDOWN_SPECIAL_CHARACTER_PATTERN.sub(r"\\\g<0>", text[end : match.start()])
        output += f"${tex.strip()}$" if match[1] else f"$${tex.strip()}$$"
        end = match.end()
    return output + _MARKDOWN_SPECIAL_CHARACTER_PATTERN.sub(r"\\\g<0>", text[end:])


def html_to_markdown(html: str) -> str:
    """The Markdown of an HTML text."""
    return _soup_to_markdown(parse_html_to_soup(html))


def parse_html_to_soup(html: str) -> Any:
    """The parsed HTML of a text. The text may look like a file name, a URL or XML, as a card may hold anything."""
    if html.count("<") > MAX_TAGS_PER_HTML_TEXT:
        raise CannotRead(f"a text has more than {MAX_TAGS_PER_HTML_TEXT} tags; split it")
    bs4 = import_module("bs4")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return bs4.BeautifulSoup(html, "html.parser")


def take_out_as_markdown(page: Any, selector: str) -> str:
    """Removes the elements that `selector` matches from `page` and returns their Markdown."""
    parts = [part.extract() for part in page.select(selector)]
    return "\n\n".join(filter(None, map(_soup_to_markdown, parts)))


def solution_fields(html: str) -> dict[str, Any]:
    """The rationale, source, model answer and criteria (`2: say`) in a solution; worked steps are dropped."""
    page = parse_html_to_soup(html)
    source = take_out_as_markdown(page, "p.source").removeprefix("Source: ")
    model = take_out_as_markdown(page, "div.model-answer")
    criteria = points_and_criteria_in_soup(page)
    take_out_as_markdown(page, "div.worked, ul.criteria")
    return {"source": source, "model_answer": model, "rationale": _soup_to_markdown(page), "criteria": criteria}


def points_and_criteria_in_soup(page: Any) -> tuple[tuple[Fraction, str], ...]:
    """The (points, criterion) pairs in the list `2: say` of an exported file."""
    rows = (_POINTS_AND_CRITERION_PATTERN.match(_soup_to_markdown(row)) for row in page.select("ul.criteria > li"))
    return tuple((Fraction(row[1]), row[2].strip()) for row in rows if row)


def _soup_to_markdown(page: Any) -> str:
    """The Markdown of a parsed page or element."""
    try:
        # A line break at the end of a text has no effect.
        return re.sub(r"(?<!\\)((?:\\\\)*)\\$", r"\1", str(_markdown_converter().convert_soup(page)).strip()).strip()
    except RecursionError:  # deeper nesting than a person writes
        return text_to_markdown(" ".join(page.get_text(" ").split()))


@lru_cache(maxsize=1)
def _markdown_converter() -> Any:
    """The converter of markdownify with our maths, code and figures."""
    base = import_module("markdownify").MarkdownConverter

    class Converter(base):  # type: ignore[misc, valid-type]  # the library is an extra
        def escape(self, text: str, parent_tags: set[str]) -> str:
            return text_to_markdown(text)

        def convert_p(self, el: Any, text: str, parent_tags: set[str]) -> str:
            # No line of a paragraph begins a list, a heading or a quote: `3\.`, `\#`.
            escaped = re.sub(r"^( *\d{1,9})(?=[.)](?:\s|$))", r"\1\\", text, flags=re.MULTILINE)
            return str(super().convert_p(el, _MARKDOWN_BLOCK_START_PATTERN.sub(r"\1\\", escaped), parent_tags))

        def convert_pre(self, el: Any, text: str, parent_tags: set[str]) -> str:
            body = el.get_text().strip("\n")
            kind = " ".join(el.code.get("class") or []) if el.code else ""
            fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", body)), 3)
            return f"\n\n{fence}{kind.removeprefix('language-')}\n{body}\n{fence}\n\n"

        def convert_img(self, el: Any, text: str, parent_tags: set[str]) -> str:
            if str(el.get("alt", "")).startswith("LaTeX: "):  # Canvas stores formulas this way
                return f"${el['alt'].removeprefix('LaTeX: ').strip()}$"
            alt = el.get("alt") or ("" if el.get("src", "").startswith("data:") else el.get("src"))
            return f"[figure: {text_to_markdown(alt or 'no description')}]"

        def convert_sub(self, el: Any, text: str, parent_tags: set[str]) -> str:
            return f"${'_' if el.name == 'sub' else '^'}{{{el.get_text().strip()}}}$" if text.strip() else text

        convert_sup = convert_sub

        def convert_math(self, el: Any, text: str, parent_tags: set[str]) -> str:
            return f"${_mathml_to_tex(el).strip()}$"

    return Converter(heading_style="ATX", bullets="-", newline_style="backslash")


# TeX for the MathML elements that quizzes use. Any other element contributes its children in order.
_TEX_TEMPLATE_BY_MATHML_TAG = {
    "msup": "{0}^{{{1}}}", "msub": "{0}_{{{1}}}", "msubsup": "{0}_{{{1}}}^{{{2}}}", "mfrac": "\\frac{{{0}}}{{{1}}}",
    "mroot": "\\sqrt[{1}]{{{0}}}", "munder": "{0}_{{{1}}}", "mover": "{0}^{{{1}}}", "munderover": "{0}_{{{1}}}^{{{2}}}",
}  # fmt: skip


def _mathml_to_tex(node: Any) -> str:
    """The TeX of a MathML element."""
    if not hasattr(node, "name") or node.name is None:
        return " ".join(str(node).split())
    parts = [part for part in map(_mathml_to_tex, node.children) if part]
    content, template = "".join(parts), _TEX_TEMPLATE_BY_MATHML_TAG.get(node.name, "")
    if template and len(parts) == (3 if "{2}" in template else 2):
        return template.format(*parts)
    if node.name in ("msqrt", "mtext"):
        return f"\\{node.name[1:]}{{{content}}}"
    return content if node.name not in ("annotation", "annotation-xml") else ""


# Blocks as the small HTML that other programs accept: well-formed, classes only for the roles of parts, formulas as
# `\(…\)`. `html_to_markdown` is the inverse.


@dataclass(frozen=True, slots=True)
class ExportHtmlWriter(HtmlWriter):
    """Markdown to HTML for exports. `image_folder_path` is the folder of the figures, which are embedded;
    `report_fault` is called for each figure that cannot be embedded."""

    def template_macros(self) -> Any:
        return jinja_environment().get_template("interchange/blocks.html").module

    def escape_text(self, text: str) -> Markup:
        """The text, escaped so that no backslash before a bracket begins maths in the other program."""
        markup = escape(text)
        for mark in "([)]":
            markup = markup.replace(f"\\{mark}", Markup("\\<span>{}</span>").format(mark))
        return markup

    def markdown_to_html(self, text: str) -> Markup:
        """The HTML of Markdown, with paragraphs."""
        return self.blocks_to_html(markdown.markdown_blocks(text))

    def markdown_line_to_html(self, text: str) -> Markup:
        """The HTML of one line of Markdown, such as an option, without a paragraph around it."""
        blocks = markdown.markdown_blocks(text)
        block = blocks[0] if len(blocks) == 1 else None
        return self.inline_to_html(block.inline_pieces) if isinstance(block, Paragraph) else self.blocks_to_html(blocks)

    def maths_to_html(self, tex: str, display: bool) -> Markup:
        return Markup("\\[{}\\]" if display else "\\({}\\)").format(tex)
