"""Items whose blocks a test writes itself, so that renderers are tested without kinds; an exam of such items, and its
pages as tests read them."""

from __future__ import annotations

import base64
from fractions import Fraction
from html.parser import HTMLParser

import fakes
from fakes import FakeItem
from markupsafe import Markup

from quizgen import exam
from quizgen.answer_areas import NumericAnswerLine, Option, Options, TextAnswerLines
from quizgen.inline import Text
from quizgen.model import Bank, Blueprint, Item, Section
from quizgen.page import Block, plain_paragraph
from quizgen.render.edition import PageOptions
from quizgen.render.exam import FormWriter

# One white pixel, made by hand from the PNG specification's example values.
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAG7buVgAAAABJRU5ErkJggg==")


def item(name: str, *blocks: Block, **fields: object) -> FakeItem:
    return fakes.item(name, blocks=blocks, **fields)


def choice(name: str, stem: str, *texts: str, several: bool = False, **fields: object) -> FakeItem:
    options = Options(tuple(Option(t, (Text(t),)) for t in texts), several)
    return item(name, plain_paragraph(stem), options, **fields)


def number(name: str, stem: str, unit: str = "GB", **fields: object) -> FakeItem:
    return item(name, plain_paragraph(stem), NumericAnswerLine(unit), **fields)


def text(name: str, stem: str, criteria: int = 2, **fields: object) -> FakeItem:
    return item(name, plain_paragraph(stem), TextAnswerLines(criteria), **fields)


def bank(*items: Item, root: str = "", title: str = "A bank") -> Bank:
    return Bank("made", title, {i.id: i for i in items}, {}, "sha256:00", folder=root)


def blueprint(*sections: Section, title: str = "An exam", minutes: int = 30) -> Blueprint:
    return Blueprint("plan", title, sections or (Section(),), Fraction(minutes), Fraction(3, 5))


def pages(plan: exam.Exam, edition: PageOptions | None = None) -> FormWriter:
    told: list[str] = []
    return FormWriter(plan, edition or PageOptions(), lambda item, message: told.append(message), Markup())


def sample(**fields: object) -> exam.Exam:
    items = (
        choice("c-one", "Which?", "alpha", "beta", "gamma", seconds=45),
        choice("c-two", "Which two?", "x", "y", "z", several=True, points=Fraction(1, 2)),
        number("n-one", "How much?", key="31.7 GB", seconds=120),
        text("t-one", "Why?", criteria=3, points=Fraction(3), seconds=180),
    )
    plan = blueprint(
        Section(kinds=(), required_ids=("c-one", "c-two"), item_count=2, title="Choose"),
        Section(required_ids=("n-one", "t-one"), item_count=2, title="Work"),
    )
    return exam.plan_exam(bank(*items), plan, "a seed of the test")


class Page(HTMLParser):
    """The tree as far as the tests need it: tags with attributes, and the text of each element."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.comments: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def all(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.tags if tag == name]

    def of_class(self, name: str) -> list[dict[str, str | None]]:
        return [a for _, a in self.tags if name in (a.get("class") or "").split()]
