"""Turns Markdown (CommonMark without raw HTML, plus tables and `$…$` maths) into blocks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, assert_never

from quizgen.inline import CodeSpan, Emphasis, Image, Inline, LineBreak, Link, MathSpan, Text
from quizgen.page import Block, CodeBlock, DisplayedMath, Heading, ListBlock, Paragraph, Quote, Table, ThematicBreak

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token
    from markdown_it.tree import SyntaxTreeNode

# A text without any of these is one plain paragraph and needs no parser.
_NEEDS_MARKDOWN_PARSER_PATTERN = re.compile(r"[*_`$\\\[\]<>&!#|~\n]|^\s*([-+=]|\d+[.)]\s)|  $", re.MULTILINE)


@lru_cache(maxsize=2048)
def markdown_blocks(text: str) -> tuple[Block, ...]:
    """The blocks of a Markdown text such as a stem, rationale or hint."""
    text = text.strip("\n")
    if not _NEEDS_MARKDOWN_PARSER_PATTERN.search(text):
        return (Paragraph((Text(" ".join(text.split())),)),) if text.strip() else ()
    return tuple(_blocks_in_nodes(_syntax_nodes_of_tokens(_markdown_parser().parse(text))))


def markdown_inline_pieces(text: str) -> tuple[Inline, ...]:
    """The inline pieces of one line of Markdown, such as an option's text."""
    if not _NEEDS_MARKDOWN_PARSER_PATTERN.search(text):
        return (Text(text),)
    return _inline_pieces_in_node(_syntax_nodes_of_tokens(_markdown_parser().parseInline(text))[0])


def _syntax_nodes_of_tokens(tokens: list[Token]) -> list[SyntaxTreeNode]:
    from markdown_it.tree import SyntaxTreeNode

    return SyntaxTreeNode(tokens).children


@lru_cache(maxsize=1)
def _markdown_parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.inline.ruler.before("escape", "dollars", _parse_dollar_maths)
    return parser


def _parse_dollar_maths(state: StateInline, silent: bool) -> bool:
    """A markdown-it rule for `$…$` and `$$…$$`. A dollar before a space, or before an amount (`$5`), is money."""
    text, start = state.src, state.pos
    if text[start] != "$":
        return False
    mark = "$$" if text.startswith("$$", start) else "$"
    begin = start + len(mark)
    if state.env.get(mark) is text:  # an earlier search found no closing mark, so this formula has none either
        return False
    end = text.find(mark, begin)
    while end > 0 and text[end - 1] == "\\":
        end = text.find(mark, end + 1)
    if end < 0:
        state.env[mark] = text
    tex = text[begin:end]
    if end <= begin or (mark == "$" and (tex != tex.strip() or text[end + 1 : end + 2].isdigit())):
        return False
    if not silent:
        token = state.push("math", "", 0)
        token.content = tex
        token.markup = mark
    state.pos = end + len(mark)
    return True


def _blocks_in_nodes(nodes: Iterable[SyntaxTreeNode]) -> Iterator[Block]:
    for node in nodes:
        match node.type:
            case "paragraph":
                pieces = node.children[0].children
                if [(piece.type, piece.markup) for piece in pieces] == [("math", "$$")]:
                    yield DisplayedMath(pieces[0].content)
                else:
                    yield Paragraph(_inline_pieces_in_node(node.children[0]))
            case "heading":
                yield Heading(_inline_pieces_in_node(node.children[0]), int(node.tag[1]))
            case "fence" | "code_block":
                yield CodeBlock(node.content.rstrip("\n"), node.info.strip())
            case "blockquote":
                yield Quote(tuple(_blocks_in_nodes(node.children)))
            case "bullet_list" | "ordered_list":
                entries = tuple(tuple(_blocks_in_nodes(entry.children)) for entry in node.children)
                yield ListBlock(entries, node.type == "ordered_list", int(node.attrs.get("start", 1)))
            case "table":
                rows = chain.from_iterable(part.children for part in node.children)
                head, *body = (tuple(_inline_pieces_in_node(cell.children[0]) for cell in row.children) for row in rows)
                yield Table(head, tuple(body))
            case "hr":
                yield ThematicBreak()


def _inline_pieces_in_node(node: SyntaxTreeNode) -> tuple[Inline, ...]:
    """The inline pieces inside a node."""
    pieces: list[Inline] = []
    for child in node.children:
        match child.type:
            case "text" if child.content:
                pieces.append(Text(child.content))
            case "code_inline":
                pieces.append(CodeSpan(child.content))
            case "math":
                pieces.append(MathSpan(child.content))
            case "em" | "strong":
                pieces.append(Emphasis(_inline_pieces_in_node(child), child.type == "strong"))
            case "link":
                url = str(child.attrs.get("href", ""))
                link_pieces = _inline_pieces_in_node(child)
                pieces += [Link(link_pieces, url)] if url.startswith("https://") else link_pieces
            case "image":
                pieces.append(Image(child.content, str(child.attrs.get("src", ""))))
            case "softbreak":
                pieces.append(Text(" "))
            case "hardbreak":
                pieces.append(LineBreak())
    return tuple(pieces)


def pieces_as_plain_text(inline_pieces: Iterable[Inline]) -> str:
    """Inline pieces as plain text: without markup, with TeX as written."""
    texts = []
    for part in inline_pieces:
        match part:
            case Text(text) | CodeSpan(text) | MathSpan(text):
                texts.append(text)
            case Emphasis(inner) | Link(inner):
                texts.append(pieces_as_plain_text(inner))
            case Image(alt):
                texts.append(f"[{alt}]")
            case LineBreak():
                texts.append("\n")
            case _:
                assert_never(part)
    return "".join(texts)
