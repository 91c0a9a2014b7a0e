"""A bank's local images as `data:` addresses, after checks of path, type and size; and what a page could not show."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from xml.parsers import expat

from quizgen.answer_areas import TextAnswerLines
from quizgen.assemble import draw_variant
from quizgen.inline import Image, MathSpan, Text
from quizgen.model import Item
from quizgen.page import Block, DisplayedMath, walk_page
from quizgen.render.edition import NORMAL_PRINT_LINE_CHARACTERS, PageOptions, printed_line_count
from quizgen.render.maths import UnusableMaths, tex_to_mathml
from quizgen.source.problems import Location, Problem, ProblemCollector
from quizgen.source.yaml import read_file_bytes_or_report

MAX_IMAGE_BYTES = 2 << 20  # bytes; a form is one file, and a printer has to read it
PRINTED_LINES_PER_PAGE = 46  # lines of a page

# How a file begins, and its media type below `image/`.
_FIRST_BYTES_REGEX_AND_TYPE = (
    (rb"\x89PNG\r\n\x1a\n", "png"), (rb"\xff\xd8\xff", "jpeg"), (rb"GIF8[79]a", "gif"), (rb".{,996}<svg", "svg+xml"),
    (rb"RIFF.{4}WEBP", "webp"),
)  # fmt: skip
_UNCLOSED_MATHS_PATTERN = re.compile(r"\$[^$\s]*\\[A-Za-z]+\S*")


# Forbidden in an SVG. As an image it runs no scripts, but it must be harmless elsewhere too.
_FORBIDDEN_SVG_PATTERN = re.compile(
    rb"<\s*script|<\s*foreignobject|<!doctype|<!entity|\son\w+\s*=|javascript:|@import|\burl\(\s*['\"]?(?!#)|href\s*=\s*['\"](?!#|data:image/(?:png|jpeg))",
    re.IGNORECASE,
)


# A character as XML and as CSS may spell it: &#117; &#x75; \75
_XML_OR_CSS_ESCAPE_PATTERN = re.compile(
    rb"&#0*(\d{1,7});|&#x0*([0-9a-f]{1,6});|\\([0-9a-f]{1,6})[ \t\r\n]?|\\(.)", re.IGNORECASE
)


def _decode_svg_escapes(svg: bytes) -> bytes:
    """An SVG with the escapes of XML and CSS decoded; characters beyond ASCII become question marks."""

    def unescape(match: re.Match[bytes]) -> bytes:
        if match[4]:
            return match[4]
        number = int(match[1]) if match[1] else int(match[2] or match[3], 16)
        return bytes([number]) if number < 128 else b"?"

    # Twice, as an XML escape may contain a CSS escape.
    return _XML_OR_CSS_ESCAPE_PATTERN.sub(unescape, _XML_OR_CSS_ESCAPE_PATTERN.sub(unescape, svg))


class UnusableImage(ValueError):
    """An image that cannot be put into a page; the message says why and what to do."""


@lru_cache(maxsize=256)
def image_data_url(bank_folder: str, path: str) -> str:
    """The image `path` (relative to the bank's folder `bank_folder`) as a `data:` address. Raises UnusableImage.

    Only plain files inside the bank are read: no URL, no absolute path, no `..`, no link."""
    # Markdown percent-encodes addresses; names of images in a bank need no such characters.
    pieces = path.split("/")
    if not path or path[0] == "/" or set(path) & set(":\\%") or ".." in pieces:
        raise UnusableImage(f'"{path}" is not a path inside the bank; put the image beside the item file')
    folder, parts, doc = Path(bank_folder), [p for p in pieces if p not in ("", ".")], ProblemCollector(path)
    if any(folder.joinpath(*parts[:count]).is_symlink() for count in range(1, len(parts))):
        raise UnusableImage(f'"{path}" leads through a link; put the image itself into the bank')
    content = read_file_bytes_or_report(folder.joinpath(*parts), doc)
    if (content is None and not doc.is_unopened) or (content is not None and len(content) > MAX_IMAGE_BYTES):
        raise UnusableImage(f'"{path}" has more than {MAX_IMAGE_BYTES >> 10} KiB; make it smaller')
    if content is None:
        raise UnusableImage(f'"{path}" {doc.problems[0].message}; check its name')
    media = next((media for start, media in _FIRST_BYTES_REGEX_AND_TYPE if re.match(start, content, re.DOTALL)), None)
    if media is None:
        raise UnusableImage(f'"{path}" is no PNG, JPEG, GIF, WebP or SVG image; save it as one')
    if media == "svg+xml":
        for svg in (content, _decode_svg_escapes(content)):
            if match := _FORBIDDEN_SVG_PATTERN.search(svg):
                fragment = match[0].decode("ascii", "replace").strip()
                raise UnusableImage(f'"{path}" contains {fragment!r}, which could load or run something; remove it')
        try:
            expat.ParserCreate(namespace_separator=" ").Parse(content, True)
        except (expat.ExpatError, LookupError, ValueError) as error:  # also an encoding that is not known
            raise UnusableImage(f'"{path}" is damaged: no well-formed XML ({error}); save it anew') from None
    return f"data:image/{media};base64,{base64.b64encode(content).decode('ascii')}"


# For `quizgen check`: every formula and image of an item can be shown, and every item fits on a page.


def page_display_problems_of_items(
    items: Iterable[Item],
    bank_folder: str,
    find_text_places: Callable[[Item, str], list[Location]] = lambda item, _: [item.location],
) -> Iterator[Problem]:
    """Yields problems; a single variant of each is tried. `find_text_places` gives the places of a text in an item."""
    for item in items:
        variant = draw_variant(item, "0")
        prompt = variant.prompt()
        for text, message in dict.fromkeys(_unshowable_texts_and_faults((*prompt, *variant.solution()), bank_folder)):
            for place in find_text_places(item, text):
                yield Problem(place, message, "pages show it as plain text", item.id, "failure")
        stem = rows = printed_line_count(prompt, NORMAL_PRINT_LINE_CHARACTERS)
        if any(isinstance(b, TextAnswerLines) for b in prompt):
            rows += 1.4 * PageOptions().ruled_line_count_for_seconds(item.seconds, True, stem)
        if rows > PRINTED_LINES_PER_PAGE:
            size_message = f"takes about {round(rows)} lines on paper, more than a page, and will be split"
            yield Problem(item.location, size_message, "shorten it or make two items of it", item.id, "warning")


def _unshowable_texts_and_faults(blocks: Iterable[Block], bank_folder: str) -> Iterator[tuple[str, str]]:
    """Yields each fault as (text by which it is found in the item, message)."""
    for piece in walk_page(tuple(blocks)):
        match piece:
            case Image(alt, path):
                if not alt.strip():
                    yield path, f'the image "{path}" has no alt text; write what it shows'
                try:
                    image_data_url(bank_folder, path)
                except UnusableImage as error:
                    yield path, f"the image {error}"
            case DisplayedMath(tex) | MathSpan(tex):
                try:
                    tex_to_mathml(tex, isinstance(piece, DisplayedMath))
                except UnusableMaths as error:
                    yield tex, f"the formula ${tex}$ cannot be shown: {error}; fix it"
            case Text(text) if unclosed := _UNCLOSED_MATHS_PATTERN.search(text):
                yield unclosed[0], f"the formula {unclosed[0]} has no end; put a $ behind it, or write it as code"
