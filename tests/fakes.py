"""Small items, a clock that a test moves, and lines that a test writes: for sessions without a bank."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from quizgen import model
from quizgen.answer_areas import NumericAnswerLine, Option, Options, TextAnswerLines
from quizgen.draw import SeededRng
from quizgen.inline import Text
from quizgen.page import Block, plain_paragraph
from quizgen.session import sitting
from quizgen.session.interview import Interview, SessionRules, new_session
from quizgen.session.session_log import SessionIdentity
from quizgen.source.problems import Location, Problem
from quizgen.terminal.lines import LineTerminal

NOWHERE = Location("fake.yaml", 1, 1)
WHO = SessionIdentity("s1", "ann", "fake", "sha256:0")


@dataclass(frozen=True, slots=True, kw_only=True)
class FakeItem(model.Item):
    """`shape` is choice, number or text. The key of a choice is `yes`, of a number `4`; a text earns
    one point for `apple` (criterion a) and two for `pear` (criterion b). `blocks` and `key` are shown instead of
    those of the shape."""

    kind: ClassVar[str] = "fake"

    shape: str = "choice"
    blocks: tuple[Block, ...] = ()
    key: str = ""

    def draw(self, rng: SeededRng) -> model.Variant:
        return FakeVariant(self, rng.seed)

    def rebuild_variant(self, given: Mapping[str, str], rng: SeededRng | None) -> model.Variant:
        return FakeVariant(self, rng.seed if rng else "")

    def find_problems(self) -> Iterator[Problem]:
        yield from ()


@dataclass(frozen=True, slots=True)
class FakeVariant(model.Variant):
    def prompt(self) -> tuple[Block, ...]:
        item = self.item
        assert isinstance(item, FakeItem)
        if item.blocks:
            return item.blocks
        options = tuple(Option(t, (Text(t),)) for t in ("no", "yes", "never"))
        area: Block = {"choice": Options(options), "number": NumericAnswerLine("GB"), "text": TextAnswerLines(2)}[
            item.shape
        ]
        return (plain_paragraph(item.stem), area)

    def key_text(self) -> str:
        assert isinstance(self.item, FakeItem)
        return self.item.key

    def solution(self) -> tuple[Block, ...]:
        return (plain_paragraph(f"Solution of {self.item.id}."),)

    def echo_response(self, response: model.Response) -> model.ResponseEcho:
        score = self.score(response)
        unscored = score.outcome in (model.Outcome.BLANK, model.Outcome.UNREADABLE)
        return model.ResponseEcho(score.read_as or " ".join(score.remarks), score.outcome if unscored else None)

    def score(self, response: model.Response) -> model.Score:
        item = self.item
        assert isinstance(item, FakeItem)
        text = response if isinstance(response, str) else ", ".join(response)
        if item.shape == "text":
            return self._text(text)
        if not text.strip():
            return model.Score(model.Outcome.BLANK, (model.Mark("key", model.ZERO, item.points, "nothing", "missing"),))
        right = "yes" if item.shape == "choice" else "4"
        readable = text in ("no", "yes", "never") if item.shape == "choice" else text.isdigit()
        if not readable:
            mark = model.Mark("key", model.ZERO, item.points, "unread", "missing")
            return model.Score(model.Outcome.UNREADABLE, (mark,), None, None, ("write it plainly",))
        earned = item.points if text == right else model.ZERO
        outcome = model.Outcome.CORRECT if earned else model.Outcome.INCORRECT
        return model.Score(
            outcome, (model.Mark("key", earned, item.points, "as it is"),), text, None, () if earned else ("because",)
        )

    def _text(self, text: str) -> model.Score:
        if not text.strip():
            return model.Score(
                model.Outcome.BLANK,
                (
                    model.Mark("a", model.ZERO, Fraction(1), "", "missing"),
                    model.Mark("b", model.ZERO, Fraction(2), "", "missing"),
                ),
            )
        marks = []
        for name, word, points in (("a", "apple", 1), ("b", "pear", 2)):
            at = text.find(word)
            earned = Fraction(points if at >= 0 else 0)
            evidence = ((at, at + len(word)),) if at >= 0 else ()
            marks.append(
                model.Mark(name, earned, Fraction(points), "it says so", "found" if earned else "missing", evidence)
            )
        total = sum(m.earned for m in marks)
        outcome = model.Outcome.CORRECT if total == 3 else model.Outcome.PARTIAL if total else model.Outcome.INCORRECT
        return model.Score(outcome, tuple(marks))

    def samples(self) -> tuple[model.SampleResponse, ...]:
        return ()


def item(name: str, shape: str = "choice", **fields: object) -> FakeItem:
    points = Fraction(3) if shape == "text" else Fraction(1)
    given: dict[str, object] = {"stem": f"Stem of {name}.", "topic": "fruit", "seconds": 60, "points": points, **fields}
    return FakeItem(id=name, location=NOWHERE, shape=shape, **given)


def form(*items: FakeItem, minutes: int = 10, seed: str = "s", **fields: object) -> model.Form:
    entries = tuple(model.FormEntry(i.draw(SeededRng(i.id, seed))) for i in items)
    bands = (model.ScoreBand(model.ZERO, "Below", "Again."), model.ScoreBand(Fraction(1, 2), "Above", "Go."))
    given: dict[str, object] = {"score_bands": bands, **fields}
    return model.Form("Fruit", "ABCD", seed, Fraction(minutes), entries, **given)


def three(**rules: object) -> Interview:
    """A session of a choice, a number and a text."""
    return new_session(form(item("c"), item("n", "number"), item("t", "text")), SessionRules(**rules))


def noted(session: Interview, **facts: object) -> Interview:
    """The session with other facts of the item at hand, by the fields of a `Place`."""
    return session.with_item_changes(**facts)


@dataclass
class Clock(sitting.Clock):
    """A session clock that a test moves."""

    time: float = 1000.0

    def seconds_now(self) -> float:
        return self.time

    def utc_text(self) -> str:
        return "2026-11-21T10:00:00Z"

    def tick(self, seconds: float) -> None:
        self.time += seconds


@dataclass
class Script(LineTerminal):
    """Lines in and out: what a candidate types, and what the screen shows. A number among the lines
    is that many seconds of waiting, told to the clock second by second."""

    typed: list[str | float | BaseException]
    is_interactive: bool = False
    width: int = 80
    image_protocol_name: str = ""
    clock: Clock | None = None
    shown: list[str] = field(default_factory=list)

    def read_line(self, timeout: float | None = None) -> str | None:
        if not self.typed:
            raise EOFError
        first = self.typed[0]
        if isinstance(first, BaseException):
            self.typed.pop(0)
            raise first
        if isinstance(first, str):
            return str(self.typed.pop(0))
        self.clock.tick(min(first, 1.0))
        self.typed[0] = first - 1.0
        if first <= 1.0:
            self.typed.pop(0)
        return None if timeout else self.read_line()

    def write_line(self, text: str = "") -> None:
        self.shown.append(text)

    def picture(self, drawn: str) -> None:
        self.shown.append(f"<image of {len(drawn)} characters>")

    def discard_pending_input(self) -> None:
        self.shown.append("<what was typed is dropped>")

    def write_prompt(self, text: str) -> None:
        if self.is_interactive:
            self.shown.append(f"<{text}>")

    @property
    def screen(self) -> str:
        return "\n".join(self.shown)
