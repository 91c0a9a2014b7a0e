"""One drawing of a numeric item: the filled stem, the key and its derivation, the score of a response."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from quizgen import markdown
from quizgen.blocks import Blank, Block, para
from quizgen.draw import Stream
from quizgen.figures.canvas import DrawnAmount
from quizgen.formula.definition import Evaluation
from quizgen.formula.reading.read import Asked, Refusal
from quizgen.kinds.numeric import marking, options, plain, score
from quizgen.kinds.numeric.space import Drawn, fill
from quizgen.model import Echo, Given, Outcome, Sample, Score, Variant
from quizgen.plain import Choices, Plain

if TYPE_CHECKING:
    from quizgen.kinds.numeric.item import NumericItem


@dataclass(frozen=True, slots=True)
class NumericVariant(Variant):
    """`values` is what was drawn. The run of the formula is kept once it is made: the key, the
    derivation and every score need the same one."""

    values: Mapping[str, Drawn] = field(default_factory=dict)
    _runs: list[Evaluation] = field(default_factory=list, repr=False, compare=False)

    @property
    def numeric(self) -> NumericItem:
        return self.item  # type: ignore[return-value]  # only NumericItem draws one

    def evaluation(self) -> Evaluation:
        """The key and every step. Raises FormulaError for a drawing that has none."""
        if not self._runs:
            item = self.numeric
            self._runs.append(item.formula.run(item.values(self.values)))
        return self._runs[0]

    @property
    def filled(self) -> str:
        """The stem with its places filled as people write the values."""
        return fill(self.item.stem, {**self.numeric.fixed, **self.values})

    def prompt(self) -> tuple[Block, ...]:
        asked = self.numeric.asked.against
        words = tuple(asked.words) if asked.shape == "word" else ("yes", "no") if asked.shape == "truth" else ()
        if asked.shape == "tuple":
            return (
                *self.shared(),
                *markdown.blocks(self.filled),
                para(f"Answer with {_several(asked)}."),
                Blank(numbers=_several(asked)),
            )
        unit = "" if asked.unit.dim.bare and asked.unit.symbol != "%" else str(asked.unit.plural)
        drawn = self.pictures(self.item.draw_figure)
        return (*self.shared(), *markdown.blocks(self.filled), *drawn, Blank(unit, words))

    def solution(self) -> tuple[Block, ...]:
        carried = score.carried_note(self.numeric)
        drawn = self.pictures(self.item.solution_figure) if self.item.solution_figure else ()
        return (
            *score.worked(self.numeric, self.evaluation),
            *drawn,
            *carried,
            *markdown.blocks(self.item.rationale),
        )

    def marking(self) -> tuple[Block, ...]:
        return marking.marking(self.numeric, self.evaluation)

    def amounts(self, steps: bool) -> Mapping[str, DrawnAmount]:
        return score.amounts(self.numeric, self.evaluation, steps)

    def drawn(self) -> Mapping[str, str]:
        carried = self.numeric.after_as
        return {name: drawn.text for name, drawn in self.values.items() if name != carried}

    def key_text(self) -> str:
        return score.key_text(self.numeric, self.evaluation)

    def echo(self, response: Given) -> Echo:
        reading = score.reading_of(self.numeric, _text(response))
        if isinstance(reading, Refusal):
            return Echo(reading.reason, Outcome.BLANK if reading.blank else Outcome.UNREADABLE)
        return Echo(" or ".join(dict.fromkeys(r.read_as for r in (reading, *reading.others))))

    def score(self, response: Given) -> Score:
        return score.score(self.numeric, self.evaluation, _text(response))

    def amount(self, response: Given) -> Fraction | None:
        text = response if isinstance(response, str) else "; ".join(response)
        return score.amount(self.numeric, text)

    def score_after(self, response: Given, earlier: Given) -> Score:
        return score.score_after(self, _text(response), _text(earlier))

    def samples(self) -> tuple[Sample, ...]:
        return score.samples(self.numeric, self.evaluation)

    def plain(self) -> Plain | None:
        return plain.plain(self)

    def choices(self, rng: Stream) -> Choices | None:
        return options.choices(self.numeric, self.evaluation, rng)


_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def _several(asked: Asked) -> str:
    """`four numbers: tp, cp, pp, dp`."""
    many = _COUNTS[asked.length] if asked.length < len(_COUNTS) else str(asked.length)
    named = ", ".join(name or "the rest" for name in asked.names) if any(asked.names) else ""
    return f"{many} numbers{f': {named}' if named else ''}"


def _text(response: Given) -> str:
    return response if isinstance(response, str) else "; ".join(response)
