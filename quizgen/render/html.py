"""HTML of blocks and pages: the Jinja environment, a page's frame with its security policy, short marking schemes."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import zip_longest
from math import fsum
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from quizgen import data_folders
from quizgen.answer_areas import NumericAnswerLine, Options, TextAnswerLines, option_letter
from quizgen.exam import as_decimal_or_ratio
from quizgen.inline import CodeSpan, Image, Inline, MathSpan, Text
from quizgen.markdown import markdown_inline_pieces
from quizgen.page import Block, DrawnFigure, Table, walk_page
from quizgen.render import maths
from quizgen.render.images import UnusableImage, image_data_url
from quizgen.render.page_words import replace_words_in_script, replace_words_in_template, translate_sentence
from quizgen.source.problems import clock_text, points_phrase, printable, shorten, up_to_2_decimals

if TYPE_CHECKING:
    from jinja2 import Environment


MAX_LISTED_WORDINGS = 5  # accepted wordings listed
MAX_LISTED_WORD_ALTERNATIVES = 8  # alternatives of one part of a wording
# Left out of a page's scripts: `import` and `export` (tests run the scripts as modules), indentation, comments.
_REMOVED_FROM_JAVASCRIPT_PATTERN = re.compile(r"^import .*\n|^export |^ *//.*\n|^ +| +// .*$", re.MULTILINE)
PhraseSlots = tuple[str, ...]
OldNewWordPairs = tuple[tuple[str, str], ...]  # fixed words of a form and their replacements


def _word_alternatives_text(alternatives: Sequence[str], or_word: str) -> str:
    starts = [word[:-1] for word in alternatives if word.endswith("…")]
    words = [w for w in dict.fromkeys(alternatives) if not any(w.startswith(s) and w != f"{s}…" for s in starts)]
    surplus = len(words) - MAX_LISTED_WORD_ALTERNATIVES
    if surplus > 0:
        return f"{', '.join(words[:MAX_LISTED_WORD_ALTERNATIVES])} or {surplus} other word{'s' * (surplus != 1)}"
    return f"{', '.join(words[:-1])} {or_word} {words[-1]}" if len(words) > 1 else words[0]


# Blocks to HTML: one Jinja macro per class of block (templates/blocks.html), everything escaped. Bank text is never a
# template and never trusted: it reaches a page through `escape` or a macro's autoescaping.


@dataclass(frozen=True, slots=True)
class HtmlWriter:
    """Writes the blocks of one bank as HTML. `image_folder_path`: the folder of images. `report_fault`: called with a
    message for each part that cannot be shown (bad TeX, a missing image) and so appears as plain text.
    `old_new_word_pairs`: fixed words to replace."""

    image_folder_path: str
    report_fault: Callable[[str], None] = lambda message: None  # for pages whose bank was checked before
    old_new_word_pairs: OldNewWordPairs = ()

    def template_macros(self) -> Any:
        """The macros of templates/blocks.html as functions that return `Markup`; pages for other programs have their
        own."""
        return jinja_environment(self.old_new_word_pairs).get_template("blocks.html").module

    def translate_sentence(self, sentence: str) -> str:
        """A sentence that code made, in the words of the page."""
        return translate_sentence(sentence, dict(self.old_new_word_pairs))

    def escape_text(self, text: str) -> Markup:
        return maths.escape_with_word_breaks(text)

    def blocks_to_html(self, blocks: Iterable[Block], item_number: int = 0, line_count: int = 0) -> Markup:
        return Markup("".join([self.block_to_html(b, item_number, line_count) for b in blocks]))

    def inline_to_html(self, parts: Iterable[Inline]) -> Markup:
        pieces = [self.escape_text(p.text) if isinstance(p, Text) else self._render_with_macro(p) for p in parts]
        return Markup("".join(pieces))

    def markdown_line_to_html(self, text: str) -> Markup:
        """A line of the bank's Markdown, such as an option or an advice."""
        return self.inline_to_html(markdown_inline_pieces(printable(text)))

    def block_to_html(self, block: Block, item_number: int = 0, line_count: int = 0) -> Markup:
        """One block, by the macro for its class. A response area (options, blank, lines) has the number of its item on
        the form, and `line_count` ruled lines on paper; without a number it is left out, as in a key."""
        if not isinstance(block, (Options, NumericAnswerLine, TextAnswerLines)):
            return self._render_with_macro(block)
        return self._render_with_macro(block, item_number, line_count) if item_number else Markup()

    def _render_with_macro(self, piece: Block | Inline, *numbers: int) -> Markup:
        markup: Markup = getattr(self.template_macros(), type(piece).__name__)(piece, self, *numbers)
        return markup

    # -- called by the macros

    def maths_to_html(self, tex: str, display: bool) -> Markup | None:
        """The MathML of TeX. If it cannot be shown, calls `report_fault` and returns None."""
        try:
            return maths.tex_to_mathml(tex, display)
        except maths.UnusableMaths as error:
            self.report_fault(f"the formula ${tex}$ cannot be shown: {error}")
            return None

    def image_data_url_or_none(self, image: Image) -> str | None:
        """The image as a `data:` address. If it cannot be shown, calls `report_fault` and returns None."""
        try:
            if not image.alt.strip():
                raise UnusableImage(f'"{image.path}" has no alt text; write in the brackets what it shows')
            return image_data_url(self.image_folder_path, image.path)
        except UnusableImage as error:
            self.report_fault(f"the image {error}")
            return None

    def table_width_class(self, table: Table) -> str:
        """The CSS class for a table that may be too wide for a line; empty for a narrower table. If even smaller print
        does not suffice, the class lets words break anywhere."""
        columns = zip_longest(table.header_cells, *table.rows, fillvalue=())
        widths = [max(map(_widest_unbroken_width_em, column)) for column in columns]
        em = fsum(widths) + maths.CELL_PADDING_EM * len(widths)
        marks = " wider" * (em > maths.LARGE_PRINT_LINE_WIDTH_EM) + " widest" * (em > maths.NORMAL_PRINT_LINE_WIDTH_EM)
        return maths.css_width_class(em, maths.NARROWEST_LINE_WIDTH_EM) + marks

    def drawn_figure_data_url(self, picture: DrawnFigure) -> str:
        return f"data:image/svg+xml;base64,{base64.b64encode(picture.svg.encode()).decode('ascii')}"

    def merge_accepted_phrases(self, phrases: Sequence[PhraseSlots]) -> tuple[PhraseSlots, ...]:
        """The phrases of a criterion, shortened for markers: phrases that differ only in order appear once; phrases
        that differ in one slot are joined, as are words with a common beginning; phrases beyond a limit are only
        counted."""
        or_word = dict(self.old_new_word_pairs).get("or", "or")  # before the last of several words
        ways: list[list[list[str]]] = []
        phrase_by_slot_set: dict[frozenset[str], PhraseSlots] = {}
        for phrase in phrases:
            phrase_by_slot_set.setdefault(frozenset(phrase), phrase)
        for phrase in phrase_by_slot_set.values():
            slots = [slot.split(" or ") for slot in phrase]
            for way in ways:
                differences = [(one, other) for one, other in zip(way, slots, strict=False) if set(one) != set(other)]
                if len(differences) == 1 and len(way) == len(slots):
                    way_words, slot_words = differences[0]
                    way_words += [word for word in slot_words if word not in way_words]
                    break
            else:
                ways.append(slots)
        wordings = tuple(tuple(_word_alternatives_text(s, or_word) for s in way) for way in ways[:MAX_LISTED_WORDINGS])
        surplus = len(ways) - len(wordings)
        return (*wordings, (f"{surplus} more way{'s' * (surplus != 1)}",)) if surplus else wordings


def _widest_unbroken_width_em(parts: tuple[Inline, ...]) -> float:
    """The width in em of the widest word or formula."""
    widths = [0.0]
    for part in walk_page(parts):
        match part:
            case Text(text) | CodeSpan(text):
                widths.append(maths.longest_word_width_em(text, isinstance(part, CodeSpan)))
            case MathSpan(tex):
                try:
                    widths.append(maths.mathml_and_width_em(tex)[1])
                except maths.UnusableMaths:  # shown as its TeX, and reported
                    widths.append(maths.longest_word_width_em(tex, is_code=True))
    return max(widths)


@lru_cache(maxsize=4)
def jinja_environment(old_new_word_pairs: OldNewWordPairs = ()) -> Environment:
    """The Jinja environment: everything is escaped, an unknown name is an error, `old_new_word_pairs` replace words."""
    from jinja2 import Environment, FileSystemLoader, FunctionLoader, StrictUndefined

    from quizgen.render.template_code import TemplateBytecodeCache

    file_loader = FileSystemLoader(data_folders.shipped_folder_path("templates"), encoding="utf-8")
    word_loader = FunctionLoader(
        lambda name: replace_words_in_template(file_loader.get_source(Environment(), name)[0], dict(old_new_word_pairs))
    )
    engine = Environment(
        loader=word_loader if old_new_word_pairs else file_loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=None if old_new_word_pairs else TemplateBytecodeCache(),
    )
    engine.filters |= {"printable": printable, "clock": clock_text, "number": as_decimal_or_ratio}
    engine.filters |= {"points": up_to_2_decimals, "said": points_phrase, "letter": option_letter}
    engine.filters["short"] = lambda text, limit=24: shorten(printable(" ".join(text.split())), limit)  # on one line
    # Shapes of charts (templates/charts.html, report_charts.html) in pixels. A report has tens of thousands of them,
    # and a macro is ten times slower than a function. The templates define the classes.
    engine.globals |= {
        "text": _svg_text_element,
        "bar": lambda *v: Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}"></rect>'.format(*v)),
        "line": lambda *v: Markup('<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"></line>'.format(*v)),
        "dot": lambda *v: Markup('<circle class="dot" cx="{}" cy="{}" r="{}"></circle>'.format(*v)),
    }
    return engine


def _svg_text_element(x: float, y: float, label: object, anchor: str = "", kind: str = "") -> Markup:
    attributes = (f' text-anchor="{anchor}"' if anchor else "") + (f' class="{kind}"' if kind else "")
    return Markup(f'<text x="{x}" y="{y}"{attributes}>{escape(label)}</text>')


def page_template_values(
    style_files: tuple[str, ...],
    script_files: tuple[str, ...],
    css_rules: str = "",
    css_classes: str = "",
    may_call_server: bool = False,
    old_new_word_pairs: OldNewWordPairs = (),
    is_installable_app: bool = False,
) -> Mapping[str, Any]:
    """The values of templates/page.html: the inlined `style_files` and `script_files` (files in templates/), and the
    policy that allows only these. `css_rules`: CSS with page size and form code, nothing from a bank. `css_classes`:
    CSS classes of the page. `may_call_server`: its script may call the server that it came from. `old_new_word_pairs`
    replace words of its scripts. `is_installable_app`: manifest, worker and icon are beside it."""
    texts = [_text_of_joined_files(style_files), *([Markup(css_rules)] if css_rules else [])]
    code = [_text_of_joined_files(script_files, old_new_word_pairs)] if script_files else []
    policy = [
        "default-src 'none'",
        "script-src " + (" ".join(map(_content_policy_hash, code)) or "'none'"),
        f"style-src {' '.join(map(_content_policy_hash, texts))}",
        "img-src data: 'self'" if is_installable_app else "img-src data:",
        "base-uri 'none'; form-action 'none'",
        *(["connect-src 'self'"] if may_call_server or is_installable_app else []),
        *(["manifest-src 'self'; worker-src 'self'"] if is_installable_app else []),
    ]
    return {"styles": texts, "scripts": code, "policy": "; ".join(policy), "classes": css_classes}


@lru_cache(maxsize=32)
def _text_of_joined_files(file_names: tuple[str, ...], old_new_word_pairs: OldNewWordPairs = ()) -> Markup:
    folder = data_folders.shipped_folder_path("templates")
    texts = ((folder / name).read_text(encoding="utf-8").replace("\r\n", "\n") for name in file_names)
    text = _REMOVED_FROM_JAVASCRIPT_PATTERN.sub("", "".join(texts))
    return Markup(replace_words_in_script(text, dict(old_new_word_pairs)))


@lru_cache(maxsize=64)
def _content_policy_hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode('ascii')}'"


def render_data_page_html(template_name: str, script_file: str, data: Mapping[str, Any], **values: object) -> str:
    """The page with `data`, whose hash is added as `data.page`: a saved state recognises its page by it.
    `values` goes to the template."""
    text = json.dumps(data, ensure_ascii=False, sort_keys=True)
    content = json_for_script({**data, "page": f"sha256:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"})
    scripts = ("js/sha256.js", "js/store.js", "js/work.js", script_file)
    page = page_template_values(("css/shared.css", "css/work.css"), scripts)
    return jinja_environment().get_template(template_name).render(values, page=page, data=content, title=data["title"])


def json_for_script(value: Mapping[str, Any]) -> Markup:
    """JSON in which nothing can end the script element around it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("</", "<\\/").replace("<!", "\\u003c!"))
