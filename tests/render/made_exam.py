"""An exam of hand-made items, and its pages as tests read them."""

from __future__ import annotations

from fractions import Fraction
from html.parser import HTMLParser

from quizgen import exam
from quizgen.model import Section
from quizgen.render.edition import Edition
from quizgen.render.exam import ExamPages

from . import made


def pages(plan: exam.Exam, edition: Edition | None = None) -> ExamPages:
    from markupsafe import Markup

    told: list[str] = []
    return ExamPages(plan, edition or Edition(), lambda item, message: told.append(message), Markup())


def sample(**fields: object) -> exam.Exam:
    items = (
        made.choice("c-one", "Which?", "alpha", "beta", "gamma", seconds=45),
        made.choice("c-two", "Which two?", "x", "y", "z", several=True, points=Fraction(1, 2)),
        made.number("n-one", "How much?", key="31.7 GB", seconds=120),
        made.text("t-one", "Why?", criteria=3, points=Fraction(3), seconds=180),
    )
    plan = made.blueprint(
        Section(kinds=(), include=("c-one", "c-two"), count=2, title="Choose"),
        Section(include=("n-one", "t-one"), count=2, title="Work"),
    )
    return exam.plan_exam(made.bank(*items), plan, "a seed of the test")


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
