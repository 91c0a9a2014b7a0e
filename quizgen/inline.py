"""The inline pieces of a page: the parts of a line of text in `quizgen.page`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Emphasis:
    inline_pieces: tuple[Inline, ...]
    is_strong: bool = False


@dataclass(frozen=True, slots=True)
class CodeSpan:
    text: str


@dataclass(frozen=True, slots=True)
class MathSpan:
    """TeX between single dollars."""

    tex: str


@dataclass(frozen=True, slots=True)
class Link:
    inline_pieces: tuple[Inline, ...]
    url: str


@dataclass(frozen=True, slots=True)
class Image:
    """A local image: its alt text, and its path relative to the bank file."""

    alt: str
    path: str


@dataclass(frozen=True, slots=True)
class LineBreak:
    """A hard line break."""


Inline = Text | Emphasis | CodeSpan | MathSpan | Link | Image | LineBreak
