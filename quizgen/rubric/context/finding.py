"""Everything that was found for one criterion, before it is weighed."""

from __future__ import annotations

from quizgen.rubric.context.polarity import Stance
from quizgen.rubric.reading.match import Near, Window
from quizgen.rubric.reading.numbers import NumberFinding


class Finding:
    """Everything found for one criterion, before it is weighed."""

    __slots__ = ("accepts", "crossed", "echoed", "nears", "numbers", "rejects")

    def __init__(self) -> None:
        self.accepts: list[tuple[Window, Stance]] = []
        self.rejects: list[tuple[Window, Stance]] = []
        self.nears: list[Near] = []
        self.crossed: list[tuple[Window, str]] = []
        self.numbers: list[NumberFinding] = []
        self.echoed = False
