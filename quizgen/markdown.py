"""Markdown (CommonMark without raw HTML, plus tables and `$…$` maths) to blocks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, assert_never

from quizgen.blocks import (
    Block,
    Break,
    Bullets,
    Code,
    CodeSpan,
    Emphasis,
    Heading,
    Image,
    Inline,
    Link,
    Math,
    MathSpan,
    Para,
    Quote,
    Table,
    Text,
    ThematicBreak,
)

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

# Text without any of these is one plain paragraph: no parser is loaded for it.
_MARKS = re.compile(r"[*_`$\\\[\]<>&!#|~\n]|^\s*([-+=]|\d+[.)]\s)|  $", re.MULTILINE)


def blocks(text: str) -> tuple[Block, ...]:
    """The blocks of a stem, rationale or hint."""
    text = text.strip("\n")
    if not _MARKS.search(text):
        return (Para((Text(" ".join(text.split())),)),) if text.strip() else ()
    return _parsed(text)


def inline(text: str) -> tuple[Inline, ...]:
    """The pieces of one line, such as an option's text."""
    if not _MARKS.search(text):
        return (Text(text),)
    tokens = _parser().parseInline(text)
    return tuple(_pieces(iter(tokens[0].children or []), ""))


@lru_cache(maxsize=2048)
def _parsed(text: str) -> tuple[Block, ...]:
    return tuple(_blocks(iter(_parser().parse(text)), ""))


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.inline.ruler.before("escape", "dollars", _dollars)
    return parser


def _dollars(state: StateInline, silent: bool) -> bool:
    """`$…$` and `$$…$$`. A dollar before a space or a digit-only amount (`$5`) is money."""
    text, start = state.src, state.pos
    if text[start] != "$":
        return False
    mark = "$$" if text.startswith("$$", start) else "$"
    begin = start + len(mark)
    if state.env.get(mark) is text:  # no formula that began earlier ends: neither does this one
        return False
    end = text.find(mark, begin)
    while end > 0 and text[end - 1] == "\\":
        end = text.find(mark, end + 1)
    if end < 0:
        state.env[mark] = text
    if end < 0 or end == begin:
        return False
    if mark == "$" and (text[begin].isspace() or text[end - 1].isspace() or text[end + 1 : end + 2].isdigit()):
        return False
    if not silent:
        token = state.push("math", "", 0)
        token.content = text[begin:end]
        token.markup = mark
    state.pos = end + len(mark)
    return True


def _blocks(tokens: Iterator[Token], until: str) -> Iterator[Block]:
    for token in tokens:
        kind = token.type
        if kind == until:
            return
        if kind == "paragraph_open":
            yield from _paragraph(next(tokens).children or [])
            next(tokens)
        elif kind == "heading_open":
            yield Heading(tuple(_pieces(iter(next(tokens).children or []), "")), int(token.tag[1]))
            next(tokens)
        elif kind in ("fence", "code_block"):
            yield Code(token.content.rstrip("\n"), token.info.strip())
        elif kind == "blockquote_open":
            yield Quote(tuple(_blocks(tokens, "blockquote_close")))
        elif kind in ("bullet_list_open", "ordered_list_open"):
            start = token.attrs.get("start", 1)
            close = kind.replace("open", "close")
            yield Bullets(tuple(_entries(tokens, close)), kind.startswith("ordered"), int(start))
        elif kind == "table_open":
            yield _table(tokens)
        elif kind == "hr":
            yield ThematicBreak()


def _paragraph(children: list[Token]) -> Iterator[Block]:
    """A paragraph that is one displayed formula becomes a `Math` block."""
    if len(children) == 1 and children[0].type == "math" and children[0].markup == "$$":
        yield Math(children[0].content)
    else:
        yield Para(tuple(_pieces(iter(children), "")))


def _entries(tokens: Iterator[Token], until: str) -> Iterator[tuple[Block, ...]]:
    for token in tokens:
        if token.type == until:
            return
        if token.type == "list_item_open":
            yield tuple(_blocks(tokens, "list_item_close"))


def _table(tokens: Iterator[Token]) -> Table:
    rows: list[list[tuple[Inline, ...]]] = []
    for token in tokens:
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(tuple(_pieces(iter(token.children or []), "")))
    return Table(tuple(rows[0]), tuple(tuple(row) for row in rows[1:]))


def _pieces(tokens: Iterator[Token], until: str) -> Iterator[Inline]:
    for token in tokens:
        kind = token.type
        if kind == until:
            return
        if kind == "text":
            if token.content:
                yield Text(token.content)
        elif kind == "code_inline":
            yield CodeSpan(token.content)
        elif kind == "math":
            yield MathSpan(token.content)
        elif kind in ("em_open", "strong_open"):
            yield Emphasis(tuple(_pieces(tokens, kind.replace("open", "close"))), kind.startswith("strong"))
        elif kind == "link_open":
            parts = tuple(_pieces(tokens, "link_close"))
            url = str(token.attrs.get("href", ""))
            yield from (Link(parts, url),) if url.startswith("https://") else parts
        elif kind == "image":
            yield Image(token.content, str(token.attrs.get("src", "")))
        elif kind == "softbreak":
            yield Text(" ")
        elif kind == "hardbreak":
            yield Break()


def plain(parts: Iterable[Inline]) -> str:
    """Inline pieces as text: marks dropped, TeX kept."""
    return "".join(_plain(part) for part in parts)


def _plain(part: Inline) -> str:
    match part:
        case Text(text) | CodeSpan(text):
            return text
        case MathSpan(tex):
            return tex
        case Emphasis(parts) | Link(parts):
            return plain(parts)
        case Image(alt):
            return f"[{alt}]"
        case Break():
            return "\n"
        case _:
            assert_never(part)
