"""Hand-made items whose blocks a test writes itself, so that renderers are tested without kinds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from quizgen.answer_areas import Blank, Lines, Option, Options
from quizgen.draw import Stream
from quizgen.inline import Text
from quizgen.model import Bank, Blueprint, Echo, Given, Item, Mark, Outcome, Sample, Score, Section, Variant
from quizgen.page import Block, plain_paragraph
from quizgen.source.problems import Problem, Where


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeItem(Item):
    kind: ClassVar[str] = "made"

    prompt: tuple[Block, ...]
    solution: tuple[Block, ...] = ()
    key: str = ""

    def draw(self, rng: Stream) -> MadeVariant:
        return MadeVariant(self, rng.seed)

    def redraw(self, given: Mapping[str, str], rng: Stream | None) -> MadeVariant:
        return MadeVariant(self, rng.seed if rng else "")

    def prove(self) -> Iterator[Problem]:
        return iter(())


@dataclass(frozen=True, slots=True)
class MadeVariant(Variant):
    @property
    def made(self) -> MadeItem:
        assert isinstance(self.item, MadeItem)
        return self.item

    def prompt(self) -> tuple[Block, ...]:
        return self.made.prompt

    def solution(self) -> tuple[Block, ...]:
        return self.made.solution

    def echo(self, response: Given) -> Echo:
        return Echo(str(response))

    def score(self, response: Given) -> Score:
        return Score(Outcome.INCORRECT, (Mark("key", Fraction(0), self.item.points, ""),))

    def samples(self) -> tuple[Sample, ...]:
        return ()

    def key_text(self) -> str:
        return self.made.key


def item(name: str, *prompt: Block, solution: tuple[Block, ...] = (), key: str = "", **fields: object) -> MadeItem:
    return MadeItem(
        id=name,
        stem="",
        where=Where("made.yaml", 1, 1),
        prompt=prompt,
        solution=solution,
        key=key,
        **fields,  # type: ignore[arg-type]  # a test names fields of Item
    )


def choice(name: str, stem: str, *texts: str, several: bool = False, **fields: object) -> MadeItem:
    options = Options(tuple(Option(t, (Text(t),)) for t in texts), several)
    return item(name, plain_paragraph(stem), options, **fields)


def number(name: str, stem: str, unit: str = "GB", **fields: object) -> MadeItem:
    return item(name, plain_paragraph(stem), Blank(unit), **fields)


def text(name: str, stem: str, criteria: int = 2, **fields: object) -> MadeItem:
    return item(name, plain_paragraph(stem), Lines(criteria), **fields)


def bank(*items: Item, root: str = "", title: str = "A bank") -> Bank:
    return Bank("made", title, {i.id: i for i in items}, {}, "sha256:00", root=root)


def blueprint(*sections: Section, title: str = "An exam", minutes: int = 30) -> Blueprint:
    return Blueprint("plan", title, sections or (Section(),), Fraction(minutes), Fraction(3, 5))
