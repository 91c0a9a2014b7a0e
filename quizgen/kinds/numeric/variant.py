"""One drawing of a numeric item: the filled stem, the key and its derivation, the score of a response."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import log

from quizgen import markdown
from quizgen.blocks import Blank, Block, Para, Steps, para
from quizgen.draw import Stream
from quizgen.figures.canvas import DrawnAmount
from quizgen.formula.definition import Evaluation
from quizgen.formula.diagnose import Target
from quizgen.formula.errors import FormulaError
from quizgen.formula.quantity import Quantity, in_unit, tidy
from quizgen.formula.reading.read import Asked, Refusal
from quizgen.formula.units import KNOWN_UNITS, Unit
from quizgen.kinds.common import plain_of
from quizgen.kinds.numeric import marking, options, score
from quizgen.kinds.numeric.space import Drawn, drawn_of
from quizgen.kinds.numeric.task import NumericTask
from quizgen.model import Echo, Given, Mark, Outcome, Sample, Score, Variant, given_text
from quizgen.plain import Choices, Plain, PlainNumber, PlainOption
from quizgen.stimuli import placed

LARGEST = 10**60  # that programs read as it is written out in digits
_OTHERS = 8  # units besides the asked one that a response may take


@dataclass(frozen=True, slots=True)
class NumericVariant(Variant):
    """`values` is what was drawn. The run of the formula is kept once it is made: the key, the
    derivation and every score need the same one."""

    values: Mapping[str, Drawn] = field(default_factory=dict)
    _runs: list[Evaluation] = field(default_factory=list, repr=False, compare=False)

    @property
    def numeric(self) -> NumericTask:
        return self.item  # type: ignore[return-value]  # only a NumericTask draws one

    def evaluation(self) -> Evaluation:
        """The key and every step. Raises FormulaError for a drawing that has none."""
        if not self._runs:
            item = self.numeric
            self._runs.append(item.formula.run(item.values(self.values)))
        return self._runs[0]

    @property
    def words(self) -> tuple[str, ...]:
        """What is to be answered with one of some words; empty where it is not."""
        asked = self.numeric.asked.against
        return tuple(asked.words) if asked.shape == "word" else ("yes", "no") if asked.shape == "truth" else ()

    @property
    def filled(self) -> str:
        """The stem with its places filled as people write the values."""
        drawn = {**self.numeric.fixed, **self.values}
        return placed(self.item.stem, {name: one.shown for name, one in drawn.items()})

    def prompt(self) -> tuple[Block, ...]:
        asked = self.numeric.asked.against
        if asked.shape == "tuple":
            return (
                *self.shared(),
                *markdown.blocks(self.filled),
                para(f"Answer with {_several(asked)}."),
                Blank(numbers=_several(asked)),
            )
        unit = "" if asked.unit.dim.bare and asked.unit.symbol != "%" else str(asked.unit.plural)
        drawn = self.pictures(self.item.draw_figure)
        return (*self.shared(), *markdown.blocks(self.filled), *drawn, Blank(unit, self.words))

    def solution(self) -> tuple[Block, ...]:
        earlier = self.numeric.earlier
        own = f"the candidate's own answer to {earlier.id}" if earlier is not None else ""
        carried = (para(f"Carried forward: what follows rightly from {own} earns full marks."),) if own else ()
        return (
            *score.worked(self.numeric, self.evaluation),
            *self.solution_pictures(),
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
        reading = score.reading_of(self.numeric, given_text(response), lambda: self.filled)
        if isinstance(reading, Refusal):
            return Echo(reading.reason, Outcome.BLANK if reading.blank else Outcome.UNREADABLE)
        return Echo(" or ".join(dict.fromkeys(r.read_as for r in (reading, *reading.others))))

    def score(self, response: Given) -> Score:
        return score.score(self.numeric, self.evaluation, given_text(response), lambda: self.filled)

    def amount(self, response: Given) -> Fraction | None:
        return score.amount(self.numeric, given_text(response))

    def score_after(self, response: Given, earlier: Given) -> Score:
        item = self.numeric
        made = self.score(response)
        if item.earlier is None or made.outcome in (Outcome.CORRECT, Outcome.BLANK, Outcome.UNREADABLE):
            return made
        own = _own(item, self, given_text(earlier))
        if own is None:
            return made
        drawn, read_as = own
        again = replace(self, values={**self.values, item.after_as: drawn}, _runs=[])
        if again.score(response).outcome is not Outcome.CORRECT:
            return made
        because = f"it follows rightly from your own {read_as} in {item.earlier.id}"
        mark = Mark("value", item.points, item.points, because, "found")
        return Score(Outcome.CORRECT, (mark,), made.read_as, None, (because,))

    def samples(self) -> tuple[Sample, ...]:
        return score.samples(self.numeric, self.evaluation)

    def plain(self) -> Plain | None:
        """None for a drawing without a key. A yes-no or a word is a choice, several numbers are a text."""
        item = self.numeric
        try:
            wanted = score.target(item, self.evaluation)
        except FormulaError:
            return None
        key = wanted.key
        worked = tuple(b for b in score.worked(item, self.evaluation) if item.find or isinstance(b, Steps))
        if self.words:
            right = key if isinstance(key, str) else "yes" if key else "no"
            options = tuple(PlainOption(word, word == right) for word in self.words)
            return plain_of(self, kind="choice", stem=self.filled, options=options, worked=worked)
        if isinstance(key, bool | str | tuple):
            stem = self.filled
            if isinstance(key, tuple) and isinstance(told := self.prompt()[-2], Para):
                stem += f"\n\n{markdown.plain(told.parts)}"  # how many numbers, and which
            return plain_of(self, kind="text", stem=stem, model_answer=self.key_text(), worked=worked)
        number = _number(wanted)
        asked = (para(f"Answer in {number.unit}."),) if number.unit else ()
        prompt = (*self.prompt()[:-1], *asked)
        return plain_of(self, kind="numeric", stem=self.filled, prompt=prompt, number=number, worked=worked)

    def choices(self, rng: Stream) -> Choices | None:
        return options.choices(self.numeric, self.evaluation, rng)


_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def _several(asked: Asked) -> str:
    """`four numbers: tp, cp, pp, dp`."""
    many = _COUNTS[asked.length] if asked.length < len(_COUNTS) else str(asked.length)
    named = ", ".join(name or "another" for name in asked.names) if any(asked.names) else ""
    return f"{many} numbers{f': {named}' if named else ''}"


def _own(item: NumericTask, variant: NumericVariant, earlier: str) -> tuple[Drawn, str] | None:
    """The candidate's own wrong number of the earlier part, as an input of this one; None where it is right,
    cannot be read, or is no value that the input may have."""
    assert item.earlier is not None
    names = item.earlier.space.names
    before = item.earlier.redraw({n: d.text for n, d in variant.values.items() if n in names}, None)
    said = before.score(earlier)
    number = before.amount(earlier)
    if said.outcome is Outcome.CORRECT or number is None:
        return None
    unit = item.earlier.asked.unit
    try:
        drawn = drawn_of(str(Quantity(tidy(number), unit)), item.formula.inputs[item.after_as])
    except FormulaError:
        return None
    return drawn, said.read_as or earlier


def _number(wanted: Target) -> PlainNumber:
    unit = wanted.unit
    assert not isinstance(wanted.key, bool | str | tuple)
    value = Fraction(in_unit(wanted.key, unit))
    wrong: dict[Fraction, str] = {}
    for known in wanted.known:
        if known.convention or known.credit or isinstance(known.value, bool | str | tuple):
            continue
        mistaken = Fraction(in_unit(known.value, unit))
        if (
            abs(mistaken) < LARGEST and abs(mistaken - value) > abs(value) * wanted.tolerance
        ):  # else it is right, whatever it came from
            wrong.setdefault(mistaken, known.say)
    bare = unit.dim.bare and unit.symbol != "%"
    symbol = "" if bare else str(unit.plural)
    return PlainNumber(value, symbol, wanted.tolerance, tuple(wrong.items()), tuple(_units(unit)) if not bare else ())


def _units(unit: Unit) -> Iterator[tuple[str, Fraction]]:
    """Other spellings and prefixes of a unit, the nearest in size first."""
    seen = {unit.plural}
    alike = [(s, u) for s, u in KNOWN_UNITS.items() if u.dim == unit.dim and s == u.symbol and s not in seen]
    alike.sort(key=lambda pair: (abs(log(pair[1].factor / unit.factor)), pair[0]))
    for spelling, other in [(unit.symbol, unit), *alike[:_OTHERS]]:
        if spelling not in seen:
            seen.add(spelling)
            yield spelling, Fraction(other.factor) / Fraction(unit.factor)
