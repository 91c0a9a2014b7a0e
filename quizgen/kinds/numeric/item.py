"""Numeric items and their variants: drawing, key and derivation, scoring, the key in the forms that other programs
take, and the proof over all drawings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain, islice
from math import log, prod
from typing import TYPE_CHECKING, ClassVar

from quizgen import markdown
from quizgen.answer_areas import NumericAnswerLine
from quizgen.derivation import WorkedDerivation
from quizgen.draw import SeededRng
from quizgen.figures import FigureAmount, figure_amount_of_quantity
from quizgen.formula import DomainError, FormulaError, expression, mistakes, quantity
from quizgen.formula.definition import IMPOSSIBLE_ANSWER, Answer, Evaluation, Formula, Input, InputValue, Requirement
from quizgen.formula.inverse import InverseSolution, extreme_input_within_bound, inverse_result_lines
from quizgen.formula.mistakes import AnswerTarget, Diagnosis, rounded_base_keys_with_credit
from quizgen.formula.quantity import Quantity, Reading, Tolerance, is_number, is_within_share, value_in_unit
from quizgen.formula.show import derivation_of, format_base_value_in_unit
from quizgen.formula.units import KNOWN_UNITS, Unit, int_if_whole
from quizgen.inline import Text
from quizgen.kinds.common import KnownNames, missing_field_and_todo_warnings, portable_variant, single_mark_of_item
from quizgen.kinds.numeric import fields
from quizgen.kinds.numeric.step_credit import diagnose_steps, steps_then_answer
from quizgen.model import (
    ZERO,
    CheckedVariantCounts,
    Item,
    Mark,
    Outcome,
    Response,
    ResponseEcho,
    SampleResponse,
    Score,
    Variant,
    response_text,
    sum_points,
)
from quizgen.numbers.answer import AnswerFormat, Refusal
from quizgen.numbers.read import read_response, unit_named_in_stem
from quizgen.numbers.words import WORDS_BELOW_20
from quizgen.page import Block, Heading, ListBlock, plain_paragraph
from quizgen.portable_item import ChoiceOption, PortableItem, PortableNumber
from quizgen.source.problems import Location, Node, Problem, printable, shorten
from quizgen.stimuli import fill_in_placeholders

if TYPE_CHECKING:  # loaded when `check` requests a proof
    from quizgen.formula.proof import Proof, ProofFailure

MAX_PORTABLE_NUMBER = 10**60  # largest number that other programs read when it is written out in digits
_MAX_ALTERNATIVE_UNITS = 8  # units besides the requested one that a response may use
_MIN_TOLERANCE_SHARE_FOR_FOUR_DIGITS = Fraction(1, 200)  # a narrower tolerance needs more than the usual four figures
_KEY_DIGITS_BY_MIN_TOLERANCE = ((Fraction(1, 2000), 4), (Fraction(1, 200_000), 6), (Fraction(1, 10**12), 14))
MAX_ROUNDED_KEY_DIGITS = 15
MAX_LISTED_DIGIT_COUNTS = 3  # numbers of digits for which a key lists the rounded value, from the fewest that count
MAX_SLIPS_IN_PAGE_KEY = 16  # the simplest ones are listed; a page has no room for hundreds
# A choice item made from a numeric one: the key among numbers that misconceptions produce.
NUMERIC_DISTRACTOR_COUNT = 3
OPTION_SIGNIFICANT_DIGITS = 3
MIN_RELATIVE_OPTION_DIFFERENCE = Fraction(5, 100)  # smallest relative difference between two options
# Of the key, used when misconceptions produce too few numbers.
_FILLER_OPTION_FACTORS_AND_REMARKS = (
    (Fraction(1, 2), "That is half of it."), (Fraction(1, 4), "That is a quarter of it."),
    (Fraction(2), "That is twice as much."), (Fraction(4), "That is four times as much."),
    (Fraction(1, 8), "That is an eighth of it."), (Fraction(8), "That is eight times as much."),
)  # fmt: skip


# Signs of a response in several steps: an equation, a list, or a comma before a name.
_MULTI_STEP_RESPONSE_PATTERN = re.compile(r"[=:;\n]|,\s+[^\W\d]")


@dataclass(frozen=True, slots=True, kw_only=True)
class NumericItem(Item):
    """A numeric item as the author wrote it, and the space of its variants.

    `fixed_values` holds the inputs that the item sets (`with:`), `requirements` the requirements that a drawing must
    meet, `answer_format` the format in which responses are read, `tolerance` the largest accepted distance from the
    key, `credit_share_by_mistake` the share of the points that each named slip still earns, `inverse_spec` an inverse
    problem (None: the formula is computed forwards). `earlier_item` is the part whose answer becomes the input
    `earlier_answer_input_name`. `has_inline_formula`: the formula is written in the item. `expected_readings`: the
    responses that `check` tries."""

    kind: ClassVar[str] = "numeric"

    formula: Formula
    variant_space: fields.VariantSpace
    fixed_values: Mapping[str, fields.DrawnValue]
    requirements: tuple[Requirement, ...]
    answer_format: AnswerFormat
    tolerance: Tolerance
    credit_share_by_mistake: Mapping[str, Fraction]
    inverse_spec: fields.InverseSpec | None = None
    has_inline_formula: bool = False
    earlier_item: NumericItem | None = None
    earlier_answer_input_name: str = ""
    expected_readings: tuple[fields.ExpectedReading, ...] = ()

    @property
    def tolerance_text(self) -> str:
        """The tolerance as candidates read it (` within 1 %`, ` within 0.5 GB`); empty if the answer must be exact."""
        if margin := self.tolerance.margin_in_base_units:
            return f" within {format_base_value_in_unit(margin, self.answer_format.default_unit)}"
        share = self.tolerance.relative_share
        return f" within {fields.percent_text(share)}" if share else ""

    @property
    def bank_unit_spellings(self) -> Iterable[str]:
        return self.answer_format.unit_lexicon.unit_by_word

    @classmethod
    def parse(cls, node: Node, scope: KnownNames) -> NumericItem | None:
        arguments = fields.read_numeric_fields(node, scope)
        return cls(**arguments) if arguments is not None else None

    def draw(self, rng: SeededRng) -> NumericVariant:
        return NumericVariant(self, rng.seed, self._draw_value_by_name(rng))

    def nth_seed_variant(self, number: int) -> NumericVariant:
        """The variant of drawing `number`, even if `require` forbids it; a random one if there are fewer drawings."""
        for combination in islice(self.variant_space.walk_row_index_combinations(), number, number + 1):
            return NumericVariant(self, str(number), self.variant_space.drawn_value_by_name_in(combination))
        return self.draw(SeededRng(self.id, str(number)))

    def rebuild_variant(self, given: Mapping[str, str], rng: SeededRng | None) -> NumericVariant:
        drawn_values = self._draw_value_by_name(rng) if rng is not None else {}
        for name in (one for one in self.variant_space.drawn_names if one != self.earlier_answer_input_name):
            if name in given:
                drawn_values[name] = self._read_logged_value(name, given[name])
            elif name not in drawn_values:
                raise ValueError(f"given lacks {name}, and there is no seed to draw it from")
        if self.earlier_item is not None:
            name = self.earlier_answer_input_name
            try:
                drawn_values[name] = self.earlier_item.answer_as_drawn_value(self.formula.inputs[name], drawn_values)
            except FormulaError as error:
                raise ValueError(f"given leaves {self.earlier_item.id} without an answer: {error.message}") from None
        return NumericVariant(self, rng.seed if rng is not None else "", drawn_values)

    @property
    def value_names_allowed_in_stem(self) -> frozenset[str]:
        return frozenset({*self.variant_space.drawn_names, *self.fixed_values} - {self.earlier_answer_input_name})

    def find_problems(self) -> Iterator[Problem]:
        yield from missing_field_and_todo_warnings(self)
        # The stem asks for minutes, and a number without a unit is read in seconds. "How many bytes?" goes with GB.
        unit = self.answer_format.default_unit
        stem_unit = unit_named_in_stem(self.stem, self.answer_format.unit_lexicon)
        if stem_unit is not None and stem_unit.dim == unit.dim and unit.symbol != "1":
            is_prefixed = stem_unit.factor <= unit.factor and unit.symbol.endswith(stem_unit.symbol)
            if stem_unit.factor != unit.factor and not is_prefixed:
                message = f"the stem asks for {stem_unit}, but a number without a unit is read in {unit}"
                hint = f"write `answer: {{unit: {stem_unit}}}`, or ask for {unit}"
                yield Problem(self.location, message, hint, self.id, "warning")
        yield from _proof_problems(self)

    def checked_variant_counts(self) -> CheckedVariantCounts:
        """How many drawings were walked, how many there are, and how many of those walked meet every requirement."""
        from quizgen.formula.proof import row_combinations_to_check

        space = self.variant_space
        draws = [space.drawn_value_by_name_in(one) for one in row_combinations_to_check(space.axis_row_counts)]
        return CheckedVariantCounts(len(draws), prod(space.axis_row_counts), sum(map(self.meets_requirements, draws)))

    def input_slot_values(self, drawn_values: Mapping[str, fields.DrawnValue]) -> list[InputValue]:
        """The values of the formula's inputs in order. The input that an inverse problem searches for is left at 1."""
        slot_value_by_name = {name: one.slot_value for name, one in {**self.fixed_values, **drawn_values}.items()}
        values = (slot_value_by_name.get(name, entry.default_value) for name, entry in self.formula.inputs.items())
        return [1 if value is None else value for value in values]

    def meets_requirements(self, drawn_values: Mapping[str, fields.DrawnValue]) -> bool:
        """Whether these values meet every requirement; False if a requirement has no value for them."""
        values = self.input_slot_values(drawn_values) if self.requirements else []
        run = self.formula.evaluate_slots
        try:
            return all(
                one.is_met_by_slot_values(run(values).values_by_slot if one.needs_step_values else values)
                for one in self.requirements
            )
        except (FormulaError, expression.ImpossibleAnswer, IndexError):  # IndexError: a step after an impossible one
            return False

    def solve_inverse(self, drawn_values: Mapping[str, fields.DrawnValue]) -> InverseSolution:
        """The solution of the inverse problem; the bound is the drawn one or the author's. Raises FormulaError."""
        inverse = self.inverse_spec
        assert inverse is not None
        values = zip(self.formula.inputs.items(), self.input_slot_values(drawn_values), strict=True)
        inputs = {
            name: Quantity.from_base_value(value, entry.unit) if is_number(value) else value
            for (name, entry), value in values
            if name != inverse.sought_name
        }
        entry, text = inverse.drawn_bound_as_input, inverse.bound_text_or_drawn_name
        text = text if entry is None else drawn_values[text].written_text
        bound = quantity.parse_quantity(text, self.formula.unit, entry.bank_units if entry is not None else ())
        return extreme_input_within_bound(self.formula, inputs, inverse.sought_name, inverse.relation_name, bound)

    def answer_as_drawn_value(self, entry: Input, drawn_values: Mapping[str, fields.DrawnValue]) -> fields.DrawnValue:
        """The answer of this item as a value for the input `entry` of a later part. Raises FormulaError."""
        text_by_name = {name: one.written_text for name, one in drawn_values.items()}
        answer = self.rebuild_variant(text_by_name, None).evaluation.answer
        if not is_number(answer):
            raise DomainError("its answer is not a number", "name a part whose answer always is one")
        return fields.DrawnValue(str(value_in_unit(answer, entry.unit)), answer, entry)

    def _draw_value_by_name(self, rng: SeededRng) -> dict[str, fields.DrawnValue]:
        """The values of a drawing that meets the requirements: random ones are tried first, then all in order. If none
        does, which `check` reports, the first random one."""
        space = self.variant_space
        picks = (space.pick_row_indices(rng, attempt) for attempt in range(fields.MAX_RANDOM_DRAW_ATTEMPTS))
        combinations = chain(picks, islice(space.walk_row_index_combinations(), fields.MAX_ORDERED_DRAW_ATTEMPTS))
        drawings = filter(self.meets_requirements, map(space.drawn_value_by_name_in, combinations))
        return next(drawings, None) or space.drawn_value_by_name_in(space.pick_row_indices(rng))

    def _read_logged_value(self, name: str, text: object) -> fields.DrawnValue:
        """A value from a log line: the drawn value equal to it, or any other valid one. Raises ValueError."""
        axis = next(axis for axis in self.variant_space.axes if name in axis.drawn_names)
        logged_text, values = str(text).strip(), [row[axis.drawn_names.index(name)] for row in axis.drawable_rows]
        match, entry = next((one for one in values if one.written_text == logged_text), None), values[0].formula_input
        if match is not None or entry is None:
            return match or fields.DrawnValue(logged_text)
        try:
            value = fields.parse_drawn_value(logged_text, entry)
        except FormulaError as error:
            raise ValueError(f"given {name} = {shorten(printable(logged_text))}: {error.message}") from None
        return next((one for one in values if one.slot_value == value.slot_value), value)


@dataclass(frozen=True)  # without slots, so that the evaluation and the target are kept: all else needs them
class NumericVariant(Variant):
    """One drawing of a numeric item; `drawn_values` is each name with its drawn value."""

    item: NumericItem
    drawn_values: Mapping[str, fields.DrawnValue] = field(default_factory=dict)

    @cached_property
    def evaluation(self) -> Evaluation:
        """The value of every step of the formula and the answer. Raises FormulaError if the drawing has none."""
        return self.item.formula.evaluate_slots(self.item.input_slot_values(self.drawn_values))

    @cached_property
    def answer_target(self) -> AnswerTarget:
        """The key with its tolerance and the known mistakes. Raises FormulaError if the drawing has no key."""
        item, unit = self.item, self.item.answer_format.default_unit
        if item.inverse_spec is None:
            return mistakes.make_answer_target(self.evaluation, unit, item.tolerance, item.credit_share_by_mistake)
        result = item.solve_inverse(self.drawn_values)
        key = result.status if result.base_value_if_found is None else result.base_value_if_found
        is_whole = item.formula.inputs[item.inverse_spec.sought_name].is_whole
        return AnswerTarget(key, unit, item.tolerance, is_whole, credit_share_by_mistake=item.credit_share_by_mistake)

    @property
    def answer_target_if_key_exists(self) -> AnswerTarget | None:
        """The target; None if the drawing has no key."""
        try:
            return self.answer_target
        except FormulaError:
            return None

    # -- texts for a candidate ------------------------------------------------------------------

    @property
    def yes_no_words(self) -> tuple[str, ...]:
        """The words to choose the answer from, yes and no; empty if the answer is a number."""
        return ("yes", "no") if self.item.answer_format.answer_type == "truth" else ()

    @property
    def stem_text(self) -> str:
        """The stem with the drawn values in place of {name}, as people write them."""
        value_by_name = {**self.item.fixed_values, **self.drawn_values}
        return fill_in_placeholders(self.item.stem, {name: one.text_in_stem for name, one in value_by_name.items()})

    def prompt(self) -> tuple[Block, ...]:
        question = self.item.answer_format
        answer: tuple[Block, ...]
        if question.answer_type == "tuple":
            numbers = _numbers_requested_text(question)
            answer = plain_paragraph(f"Answer with {numbers}."), NumericAnswerLine(requested_numbers_text=numbers)
        else:
            unit, authored_digits = unit_text_in_prompt(question.default_unit), self.item.tolerance.min_digits or 0
            answer = (NumericAnswerLine(unit, self.yes_no_words, required_significant_digits=authored_digits),)
        return (*self.stimulus_blocks(), *markdown.markdown_blocks(self.stem_text), *self.figure_blocks(), *answer)

    def drawn_log_values(self) -> Mapping[str, str]:
        carried_name = self.item.earlier_answer_input_name
        return {name: value.written_text for name, value in self.drawn_values.items() if name != carried_name}

    def figure_amounts(self, includes_steps: bool) -> Mapping[str, FigureAmount]:
        """The values that a figure may show by name: the inputs, and with `includes_steps` each step of the derivation.
        An input that is the answer of an earlier part is left out."""
        item = self.item
        try:
            evaluation = self.evaluation
        except FormulaError:
            return {}
        units = {name: entry.unit for name, entry in item.formula.inputs.items()}
        units |= {step.name: step.unit for step in item.formula.steps}
        input_names = item.formula.inputs.keys() - {item.earlier_answer_input_name}
        return {
            name: figure_amount_of_quantity(Quantity.from_base_value(value, unit))
            for (name, unit), value in zip(units.items(), evaluation.values_by_slot, strict=False)
            if is_number(value) and (includes_steps or name in input_names)
        }

    # -- key and solution -----------------------------------------------------------------------

    def key_text(self) -> str:
        """The key in one line, to four significant digits; to more if the tolerance is narrow, to all if it is zero."""
        try:
            target = self.answer_target
        except FormulaError as error:
            return f"none ({error.message})"
        key = target.base_key
        if isinstance(key, tuple):
            return f"({', '.join([quantity.number_text(value_in_unit(part, target.unit)) for part in key])})"
        if isinstance(key, bool | str):
            return key if isinstance(key, str) else "yes" if key else "no"
        # So many that a copy is scored as right: four, more if the tolerance is narrow, 30 if the answer must be exact.
        digits = next((n for limit, n in _KEY_DIGITS_BY_MIN_TOLERANCE if target.relative_tolerance >= limit), 30)
        return format_base_value_in_unit(key, target.unit, digits)

    def solution(self) -> tuple[Block, ...]:
        blocks = [*self._derivation_blocks(), *self.figure_blocks(in_solution=True)]
        if self.item.earlier_item is not None:
            answer = f"the candidate's own answer to {self.item.earlier_item.id}"
            blocks.append(plain_paragraph(f"Carried forward: what follows rightly from {answer} earns full marks."))
        return (*blocks, *markdown.markdown_blocks(self.item.rationale))

    def _derivation_blocks(self) -> tuple[Block, ...]:
        """The derivation; for an inverse problem the search with its checks."""
        item = self.item
        try:
            if item.inverse_spec is None:
                return (derivation_of(self.evaluation, item.answer_format.default_unit),)
            result = item.solve_inverse(self.drawn_values)
            title, *lines = [plain_paragraph(line.strip()) for line in inverse_result_lines(result) if line]
            return title, ListBlock(tuple((line,) for line in lines))
        except FormulaError as error:
            return (WorkedDerivation(item.formula.title, item.formula.citation, (), (), f"no value: {error.message}"),)

    def marker_only_blocks(self) -> tuple[Block, ...]:
        """The accepted range and one line for each known mistake with a value of its own; empty for a drawing without a
        key."""
        target = self.answer_target_if_key_exists
        if target is None:
            return ()
        lines = []
        for mistake in target.mistaken_answers:
            if is_number(mistake.base_value) and mistake.base_value != target.base_key:
                share = f" Earns {float(mistake.credit_share) * 100:g} % of the points." if mistake.credit_share else ""
                line = f"{format_base_value_in_unit(mistake.base_value, target.unit)}: {mistake.message}{share}"
                lines.append((plain_paragraph(line),))
        mistake_blocks = (Heading((Text("Known mistakes"),)), ListBlock(tuple(lines))) if lines else ()
        if not is_number(key := target.base_key):
            return mistake_blocks
        return (*_accepted_range_paragraphs(target, Fraction(key), self.item.tolerance_text.strip()), *mistake_blocks)

    # -- scoring --------------------------------------------------------------------------------

    def echo_response(self, response: Response) -> ResponseEcho:
        reading = self._read_response(response_text(response))
        if isinstance(reading, Refusal):
            return ResponseEcho(reading.reason, Outcome.BLANK if reading.is_blank else Outcome.UNREADABLE)
        return ResponseEcho(" or ".join(dict.fromkeys(r.read_as for r in (reading, *reading.other_readings))))

    def _read_response(self, text: str) -> Reading | Refusal:
        """The reading of `text` as a number. A response in steps is read by its last part if the parts before lead to
        it."""
        question = self.item.answer_format
        reading = read_response(text, question, lambda: self.stem_text)
        stepped = self.item.inverse_spec is None and question.answer_type == "number"
        if isinstance(reading, Refusal) and not reading.is_blank and stepped and (parts := steps_then_answer(text)):
            last = read_response(parts[-1].text_after_name, question, lambda: self.stem_text)
            return reading if isinstance(last, Refusal) and last.is_blank else last
        return reading

    def score(self, response: Response) -> Score:
        item, text = self.item, response_text(response)
        if item.inverse_spec is None and _MULTI_STEP_RESPONSE_PATTERN.search(text):
            target = self.answer_target_if_key_exists
            stepped = diagnose_steps(text, self.evaluation, item.answer_format, target, item.points) if target else None
            if stepped is not None:
                return _score_of_diagnosis(item, *stepped)
        reading = self._read_response(text)
        if isinstance(reading, Refusal):
            if reading.is_blank:
                return Score(Outcome.BLANK, (single_mark_of_item(item, "value", ZERO, "nothing was given"),))
            return _unreadable_score(item, reading.reason)
        try:
            verdict = mistakes.diagnose_reading(reading, self.answer_target)
        except FormulaError as error:
            message = f"this drawing has no key ({error.message}): ask the bank's author to run quizgen check"
            return _unreadable_score(item, message, reading.read_as)
        if verdict.is_correct:
            result = f"the key{' rounded' if verdict.is_rounded_key else item.tolerance_text}"  # the key within 1 %
        else:
            result = f"not the key ({verdict.mistake_id})" if verdict.mistake_id else "not the key"
        reason = f"read as {verdict.reading.read_as}, {result}"
        mark = single_mark_of_item(item, "value", item.points * verdict.credit_share, reason)
        return _score_of_diagnosis(item, verdict, (mark,))

    def score_given_earlier_response(self, response: Response, earlier_response: Response | None) -> Score:
        item = self.item
        score = self.score(response)
        part, is_final = item.earlier_item, score.outcome in (Outcome.CORRECT, Outcome.BLANK, Outcome.UNREADABLE)
        if part is None or earlier_response is None or is_final:
            return score
        earlier_text = response_text(earlier_response)
        variant = part.rebuild_variant({name: one.written_text for name, one in self.drawn_values.items()}, None)
        number = variant.response_in_answer_unit(earlier_text)
        if number is None:
            return score
        # The candidate's own number becomes an input of this part, unless it is no valid value of the input.
        name, amount = item.earlier_answer_input_name, Quantity(int_if_whole(number), part.answer_format.default_unit)
        try:
            value = fields.parse_drawn_value(str(amount), item.formula.inputs[name])
        except FormulaError:
            return score
        carried_variant = NumericVariant(item, self.seed, {**self.drawn_values, name: value})
        if carried_variant.score(response).outcome is not Outcome.CORRECT:
            return score
        reason = f"it follows from your own {variant.score(earlier_text).read_as or earlier_text} in {part.id}"
        mark = single_mark_of_item(item, "value", item.points, reason)
        return Score(Outcome.CORRECT, (mark,), score.read_as, None, (reason,))

    def response_in_answer_unit(self, response: Response) -> Fraction | None:
        answer_format = self.item.answer_format
        reading = read_response(response_text(response), answer_format)
        if isinstance(reading, Refusal) or isinstance(reading.value, bool | str | tuple):
            return None
        return Fraction(value_in_unit(reading.base_value, answer_format.default_unit))

    def samples(self) -> tuple[SampleResponse, ...]:
        """Sample responses with their outcomes: the key, values 0.99 and 1.01 times the tolerance away from it, a blank
        and an unreadable response."""
        rows = [("", Outcome.BLANK), ("hard to say", Outcome.UNREADABLE)]
        if self.item.formula.answer_type != "tuple":  # three numbers answer a question for three
            rows.append(("31 or 32 or 33", Outcome.UNREADABLE))
        if (target := self.answer_target_if_key_exists) is not None:  # otherwise the proof names the drawing
            rows += self._sample_responses_and_outcomes_near_key(target)
        points = {Outcome.CORRECT: self.item.points}
        return tuple(SampleResponse(text, outcome, points.get(outcome, ZERO)) for text, outcome in rows)

    def _sample_responses_and_outcomes_near_key(self, target: AnswerTarget) -> Iterator[tuple[str, Outcome]]:
        """Yields the key and a wrong answer; of a number those just inside and just outside the tolerance, with twelve
        digits as a person would copy them from a calculator."""
        key, unit = target.base_key, target.unit
        if isinstance(key, bool | str | tuple):
            yield self.key_text(), Outcome.CORRECT
            if not isinstance(key, tuple):
                yield {"yes": "no", "no": "yes"}.get(self.key_text(), "17"), Outcome.INCORRECT
            return
        value, tolerance = Fraction(value_in_unit(key, unit)), target.relative_tolerance
        tail = "" if unit.dim.is_bare and unit.symbol != "%" else f" {unit.symbol}"
        if tolerance and value:
            texts = [f"{float(value * (1 + tolerance * Fraction(n, 100))):.12g}{tail}" for n in (-99, 99, -101, 101)]
            right_texts, wrong_texts = texts[:2], texts[2:]
        elif value.denominator == 1 and abs(value) < 10**15 and not target.tolerance.margin_in_base_units:
            right_texts, wrong_texts = [f"{value}{tail}"], [f"{value + 1}{tail}"]
        else:
            return
        yield from dict.fromkeys(right_texts, Outcome.CORRECT).items()
        if not (self.item.credit_share_by_mistake or any(one.credit_share for one in target.mistaken_answers)):
            yield from ((text, Outcome.INCORRECT) for text in wrong_texts)

    # -- for other programs and other kinds -----------------------------------------------------

    def portable_item(self) -> PortableItem | None:
        """The variant in the form that other programs take; None for a drawing without a key. A yes-no or one-word
        answer becomes a choice, a tuple of numbers a text."""
        item, target = self.item, self.answer_target_if_key_exists
        if target is None:
            return None
        key = target.base_key
        steps = tuple(b for b in self._derivation_blocks() if item.inverse_spec or isinstance(b, WorkedDerivation))
        if self.yes_no_words:
            options = tuple(ChoiceOption(word, word == self.key_text()) for word in self.yes_no_words)
            return portable_variant(self, kind="choice", stem=self.stem_text, options=options, steps=steps)
        if isinstance(key, bool | str | tuple):
            stem = self.stem_text
            if isinstance(key, tuple):
                stem += f"\n\nAnswer with {_numbers_requested_text(item.answer_format)}."
            return portable_variant(self, kind="text", stem=stem, model_answer=self.key_text(), steps=steps)
        own_units = item.answer_format.unit_lexicon.unit_by_word.values()
        number = replace(
            portable_number_of_target(target), has_own_unit_words=any(unit.dim == target.unit.dim for unit in own_units)
        )
        unit_line = (plain_paragraph(f"Answer in {number.unit}."),) if number.unit else ()
        fields = {"prompt_blocks": (*self.prompt()[:-1], *unit_line), "number": number, "steps": steps}
        return portable_variant(self, kind="numeric", stem=self.stem_text, **fields)

    def number_format_and_page_settings(self) -> tuple[AnswerFormat, Mapping[str, object]]:
        """`stepped`: a response may show several steps; `inputs` and `steps` are the names that its parts may have."""
        item = self.item
        formula, question = item.formula, item.answer_format
        names = {"inputs": tuple(formula.inputs), "steps": tuple(step.name for step in formula.steps)}
        return question, {"stepped": item.inverse_spec is None and question.answer_type == "number", **names}

    def numeric_key_for_page(self) -> Mapping[str, object] | None:
        """The key as the page's script (`templates/practice/judge.js`) takes it: fractions as "3/4", in base units.

        `from` is the amount on which the `digits` that a rounded number needs are counted: the key, or its difference
        from 100 %. `half`: a number with too few digits earns half; `whole`: one more or one less is a known mistake. A
        row of `named` (the item's own mistakes) and `slips` (those of units and factors, the simplest first) holds the
        wrong number, the amount on which its digits are counted, the message and the share of the points. `words`: for
        an answer in words, the share of the points and the message; `numbers`: the key of a tuple."""
        question, target = self.item.answer_format, self.answer_target_if_key_exists
        if target is None:
            return None
        words = [*self.yes_no_words, *(["impossible"] if question.answer_type == "number" else [])]
        words += ["unbounded"] if question.may_be_unbounded else []
        scores = {word: self.score(word) for word in words}
        key, credits, unit = target.base_key, target.credit_share_by_mistake, target.unit
        known = [(Fraction(k.base_value), k) for k in target.mistaken_answers if is_number(k.base_value)]
        value, digits = Fraction(key) if is_number(key) else ZERO, target.min_significant_digits
        margin = max(abs(value) * target.relative_tolerance, target.tolerance.margin_in_base_units)
        first = mistakes.possible_factor_slips(target.unit, target.evaluation)[:MAX_SLIPS_IN_PAGE_KEY] if value else ()
        slips = [(slip.factor * value, slip) for slip in first]
        return {
            "value": str(value) if is_number(key) else None,
            "margin": str(margin if is_number(key) else 0),
            "digits": digits,
            "from": str(quantity.key_or_gap_to_100(value, unit)),
            "half": bool(digits) and "rounded-too-far" not in credits,
            "whole": is_number(key) and target.is_answer_always_whole,
            "named": [
                [str(x), str(quantity.key_or_gap_to_100(x, unit)), k.message, float(k.credit_share)] for x, k in known
            ],
            "slips": [[str(x), str(abs(x)), slip.message, float(credits.get(slip.id, 0))] for x, slip in slips],
            "words": {word: [float(one.earned / one.possible), " ".join(one.remarks)] for word, one in scores.items()},
            "numbers": [str(Fraction(part) / unit.factor) for part in key] if isinstance(key, tuple) else [],
        }

    def generated_choice_options(self, rng: SeededRng) -> tuple[ChoiceOption, ...]:
        """The key and three distractors as options of a choice. By size, the key is as likely first as last. Empty if
        the key is not a positive number."""
        target = self.answer_target_if_key_exists
        if target is None or isinstance(key := target.base_key, bool | str | tuple) or key <= 0:
            return ()
        amount, unit = Fraction(key), target.unit
        # A mistake that some convention makes right is no distractor.
        named_mistakes = [
            (Fraction(mistake.base_value), mistake.message)
            for mistake in target.mistaken_answers
            if is_number(mistake.base_value) and mistake.base_value > 0 and not mistake.is_right_by_other_convention
        ]
        fillers = [(amount * factor, say) for factor, say in rng.shuffle("slips", _FILLER_OPTION_FACTORS_AND_REMARKS)]
        below: list[tuple[Fraction, str]] = []
        above: list[tuple[Fraction, str]] = []
        for value, say in (*rng.shuffle("misconceptions", named_mistakes), *fillers):
            options = (amount, *(other for other, _ in (*below, *above)))
            if all(abs(value - other) > MIN_RELATIVE_OPTION_DIFFERENCE * max(value, other) for other in options):
                (below if value < amount else above).append((value, say))
        rank = rng.draw_index("rank", NUMERIC_DISTRACTOR_COUNT + 1)
        rows = ((amount, ""), *below[:rank], *above[: NUMERIC_DISTRACTOR_COUNT - rank])
        return tuple(
            ChoiceOption(format_base_value_in_unit(value, unit, OPTION_SIGNIFICANT_DIGITS), value == amount, say)
            for value, say in rows
        )


def _score_of_diagnosis(item: NumericItem, verdict: Diagnosis, marks: tuple[Mark, ...]) -> Score:
    """The score of a number that was read: the points of `marks`, or the credit for the mistake named if that is
    more."""
    points, read_as = sum_points([mark.earned for mark in marks]), verdict.reading.read_as
    if verdict.is_correct:
        return Score(Outcome.of_points(points, item.points), marks, read_as)
    if (credit := item.points * verdict.credit_share - points) > 0:
        marks = (*marks, Mark(str(verdict.mistake_id), credit, ZERO, "credit for the mistake named"))
    outcome = Outcome.of_points(max(points, item.points * verdict.credit_share), item.points)
    return Score(outcome, marks, read_as, verdict.mistake_id, (verdict.message,) if verdict.message else ())


def _unreadable_score(item: NumericItem, reason: str, read_as: str | None = None) -> Score:
    return Score(Outcome.UNREADABLE, (single_mark_of_item(item, "value", ZERO, reason),), read_as, None, (reason,))


def _accepted_range_paragraphs(target: AnswerTarget, key: Fraction, tolerance_text: str) -> Iterator[Block]:
    """Yields paragraphs for people who mark: which numbers are right, and which are half right."""
    unit, digits, tolerance = target.unit, target.min_significant_digits, target.relative_tolerance
    margin = max(abs(key) * tolerance, target.tolerance.margin_in_base_units)

    def values_text(values: Iterable[Fraction]) -> str:
        return " and ".join(format_base_value_in_unit(value, unit, MAX_ROUNDED_KEY_DIGITS) for value in values)

    if margin:
        figures = 4 if tolerance >= _MIN_TOLERANCE_SHARE_FOR_FOUR_DIGITS else 6
        low, high = (format_base_value_in_unit(edge, unit, figures) for edge in (key - margin, key + margin))
        yield plain_paragraph(f"Accept: {low} to {high} ({tolerance_text}), in any unit that fits.")
    else:
        yield plain_paragraph("Accept: this value alone, in any unit that fits.")
    listed_keys: list[Fraction] = []
    for count in range(digits, digits + MAX_LISTED_DIGIT_COUNTS if digits else 0):
        keys = [
            one for one, share in rounded_base_keys_with_credit(target, count) if share == 1 and one not in listed_keys
        ]
        if keys:
            listed_keys += keys
            yield plain_paragraph(f"Also right, as rounded to {count} significant digits: {values_text(keys)}.")
    half = [one for n in range(1, digits) for one, share in rounded_base_keys_with_credit(target, n) if 2 * share == 1]
    if half:
        yield plain_paragraph(f"Half right, as rounded too far: {values_text(dict.fromkeys(half))}.")


def portable_number_of_target(target: AnswerTarget) -> PortableNumber:
    """The key as a number for other programs. Its margin covers usual rounding, unless a named mistake lies within that
    margin."""
    unit, key = target.unit, target.base_key
    assert not isinstance(key, bool | str | tuple)
    value, size = Fraction(value_in_unit(key, unit)), Fraction(unit.factor)
    rounding = quantity.key_rounding_margin_in_base_units(Fraction(key), unit, target.min_significant_digits)
    notes: dict[Fraction, str] = {}
    mistakes = list(target.mistakes_outside_tolerance())
    for mistake in mistakes:
        assert not isinstance(mistake.base_value, bool | str | tuple)
        if abs(Fraction(mistake.base_value) - Fraction(key)) <= rounding:
            rounding = Fraction(0)
        wrong_value = Fraction(value_in_unit(mistake.base_value, unit))
        is_plainly_wrong = not (mistake.is_right_by_other_convention or mistake.credit_share)
        if is_plainly_wrong and abs(wrong_value) < MAX_PORTABLE_NUMBER:
            notes.setdefault(wrong_value, mistake.message)
    symbol = unit_text_in_prompt(unit)
    # Other spellings and prefixes of the unit with their factors, the closest in size first.
    spellings = [(s, u) for s, u in KNOWN_UNITS.items() if u.dim == unit.dim and s == u.symbol != unit.plural_symbol]
    spellings.sort(key=lambda pair: (abs(log(pair[1].factor / unit.factor)), pair[0]))
    unit_by_spelling = dict([(unit.symbol, unit), *spellings[:_MAX_ALTERNATIVE_UNITS]]) if symbol else {}
    unit_by_spelling.pop(unit.plural_symbol, None)
    units = tuple((spelling, Fraction(other.factor) / size) for spelling, other in unit_by_spelling.items())
    zero = target.tolerance.margin_in_base_units / size if not value else Fraction(0)
    number = PortableNumber(
        value, symbol, target.relative_tolerance, tuple(notes.items()), units, zero, rounding / size
    )
    return replace(number, has_mistakes_with_credit=any(mistake.credit_share for mistake in mistakes))


def unit_text_in_prompt(unit: Unit) -> str:
    """The unit as a prompt names it; empty for a plain number."""
    return "" if unit.dim.is_bare and unit.symbol != "%" else str(unit.plural_symbol)


def _numbers_requested_text(response_format: AnswerFormat) -> str:
    """How many numbers are asked for and their names: `four numbers: tp, cp, pp, dp`."""
    count, names = response_format.part_count, response_format.part_names
    text = f"{WORDS_BELOW_20[count] if count < 20 else count} numbers"
    return f"{text}: {', '.join(name or 'another' for name in names)}" if any(names) else text


# -- the proof over all drawings

MAX_COMBINATIONS_TRIED_FOR_READINGS = 1000  # drawings among which one is sought that `require` allows


def _proof_problems(item: NumericItem) -> Iterator[Problem]:
    """Yields everything that is wrong in some drawing: no key, a count that is not whole, a mistake that gives the key.

    If an item uses a shared formula, a misconception that is no mistake in some drawing (dividing all states by K, at
    ZeRO stage 3) may give the key there. A misconception that gives the key by chance is reported, unless the formula
    comes from another bank, where this author cannot fix it."""
    from quizgen.formula.author import failed_test_problems
    from quizgen.formula.proof import Proof

    if item.has_inline_formula:
        yield from (problem._replace(item_id=item.id) for problem in failed_test_problems(item.formula))
    yield from _misread_response_or_key_problems(item)
    space = item.variant_space

    def inverse_key(combination: tuple[int, ...]) -> Answer:
        result = item.solve_inverse(space.drawn_value_by_name_in(combination))
        return IMPOSSIBLE_ANSWER if result.base_value_if_found is None else result.base_value_if_found

    proof = Proof(
        item.formula,
        space.axis_row_counts,
        lambda combination: item.input_slot_values(space.drawn_value_by_name_in(combination)),
        [name for name in space.drawn_names if name in item.formula.inputs],
        item.requirements,
        item.tolerance,
        item.answer_format.default_unit,
        inverse_key if item.inverse_spec is not None else None,
    ).check_drawings()
    yield from _problem_of_requirement_never_met(item, proof)
    if proof.key_text_if_always_trivial:
        step = item.formula.steps[-1].location if item.has_inline_formula else item.location
        hint = "fix the step or the bound, or draw values that give another key"
        yield Problem(step, f"the key is {proof.key_text_if_always_trivial} in every drawing", hint, item.id, "warning")
    for failure in proof.failures:
        if not _is_excused_failure(item, failure, proof):
            count, total = failure.combination_count, proof.allowed_combination_count
            note = f" (in {count:,} of {total:,} drawings)" if count > 1 else ""
            other_id = failure.kind == "near" and not item.has_inline_formula and failure.other_misconception_id
            severity = "warning" if other_id or failure.kind in ("rounding", "tolerance", "digits") else "failure"
            yield Problem(_location_of_failure(item, failure), failure.message + note, failure.hint, item.id, severity)


def _problem_of_requirement_never_met(item: NumericItem, proof: Proof) -> Iterator[Problem]:
    """Yields a problem for the first requirement that no drawing meets."""
    if 0 in proof.remaining_counts_after_requirements:
        index = proof.remaining_counts_after_requirements.index(0)
        requirement = item.requirements[index]
        earlier_text = " and ".join(one.expression_text for one in item.requirements[:index])
        proviso = f" once {earlier_text} holds" if earlier_text else ""
        message = f"no drawing satisfies {requirement.expression_text}{proviso}"
        yield Problem(requirement.location, message, "widen the draws or drop the test", item.id, "failure")


def _is_excused_failure(item: NumericItem, failure: ProofFailure, proof: Proof) -> bool:
    """Whether this item's author need not fix a failure: it is about a misconception of a shared formula that, with
    this item's values, is no mistake or always gives the number of another one, or only another bank's author can fix
    it."""
    never_apart = bool(failure.other_misconception_id) and failure.combination_count == proof.allowed_combination_count
    if not item.has_inline_formula and (failure.kind == "same" or never_apart):
        return True
    folder, origin = (at.path.replace("\\", "/").rpartition("/")[0] for at in (item.location, item.formula.location))
    has_no_value = failure.kind == "value" and bool(failure.misconception_id)  # the misconception
    return folder != origin and (failure.kind == "coincidence" or has_no_value)


# The outcomes as `reads:` calls them; all others are `wrong`.
_EXPECTED_READING_WORD_BY_OUTCOME = {Outcome.CORRECT: "right", Outcome.UNREADABLE: "unreadable", Outcome.BLANK: "blank"}
_NOUN_AFTER_HOW_MANY_PATTERN = re.compile(r"\bhow many ([a-z][a-z-]{2,})", re.IGNORECASE)


def _misread_response_or_key_problems(item: NumericItem) -> Iterator[Problem]:
    """Yields a problem for each response that is not read as expected in the first drawing: those of `reads:`, and
    lines that a candidate may copy from the solution."""
    combinations = islice(item.variant_space.walk_row_index_combinations(), MAX_COMBINATIONS_TRIED_FOR_READINGS)
    values = next(filter(item.meets_requirements, map(item.variant_space.drawn_value_by_name_in, combinations)), None)
    if values is None:
        return  # the proof reports it
    variant = item.rebuild_variant({name: one.written_text for name, one in values.items()}, None)
    for reading in item.expected_readings:
        score = variant.score(reading.response_text)
        if _EXPECTED_READING_WORD_BY_OUTCOME.get(score.outcome, "wrong") != reading.right_wrong_or_unreadable:
            reason = f", {score.remarks[0]}" if score.outcome is Outcome.UNREADABLE and score.remarks else ""
            outcomes = f"{score.outcome}, not {reading.right_wrong_or_unreadable}"
            message = f'"{shorten(reading.response_text)}" is {outcomes} (key: {variant.key_text()}){reason}'
            yield Problem(reading.location, message, "fix the entry, the stem or `units:`", item.id, "failure")
    try:
        lines = list(_answer_texts_printed_in_solution(variant))
    except FormulaError:
        return  # the proof reports it and names the drawing
    for text in lines:
        outcome = variant.score(text).outcome
        if outcome is not Outcome.CORRECT:
            note = f'the key as a candidate would copy it, "{shorten(text)}", is {outcome}'
            yield Problem(item.location, note, "name its words in `units:`, or ask in another unit", item.id, "failure")
    if item.inverse_spec is None:
        yield from _misread_printed_step_problems(item, variant.evaluation)


def _misread_printed_step_problems(item: NumericItem, evaluation: Evaluation) -> Iterator[Problem]:
    """Yields a problem for each printed step that the reader misreads or cannot read. A unit that it reads nowhere
    (TB*s) is no fault of the step. A run that ends in an impossible value has fewer steps. Four figures are printed."""
    for step, printed_step in zip(item.formula.steps, derivation_of(evaluation).steps, strict=False):
        true_value, text = evaluation.value_of_input_or_step(step.name), f"{printed_step.name} = {printed_step.value}"
        if not is_number(true_value):
            continue
        answer_format = replace(item.answer_format, answer_type="number", default_unit=step.unit, is_whole=False)
        reading = read_response(text, answer_format)
        if isinstance(reading, Refusal):
            fault = f"refused: {reading.reason}"
            is_fine = isinstance(read_response(f"1 {step.unit}", answer_format), Refusal)
        else:
            fault = f"read as {reading.read_as}"
            is_fine = is_number(reading.value) and is_within_share(reading.base_value, true_value, Fraction(1, 1000))
        if not is_fine:
            message = f'a step as a candidate would copy it, "{shorten(text)}", is {fault}'
            yield Problem(step.location, message, "name its words in `units:`, or rename the step", item.id, "failure")


def _answer_texts_printed_in_solution(variant: NumericVariant) -> Iterator[str]:
    """Yields the answer as the solution prints it: the key, the key with the noun after "how many" in the stem, and the
    last line of the derivation. Raises FormulaError if the drawing has no key."""
    item, key, target = variant.item, variant.key_text(), variant.answer_target
    yield key
    if isinstance(target.base_key, bool | str | tuple):
        return
    noun_match = _NOUN_AFTER_HOW_MANY_PATTERN.search(item.stem)
    if noun_match is not None and target.unit.dim.is_bare and target.unit.symbol != "%":
        yield f"{key} {noun_match[1]}"
    if item.inverse_spec is None and target.relative_tolerance:
        last = derivation_of(variant.evaluation, target.unit).steps[-1]
        yield f"{last.name} = {last.value}"


def _location_of_failure(item: NumericItem, failure: ProofFailure) -> Location:
    """The place of a failure: the expression itself if the formula is in the item, else the item."""
    if not item.has_inline_formula:
        return item.location
    places = [one.location for one in item.formula.misconceptions if one.id == failure.misconception_id]
    steps = (step.location for step in item.formula.steps if step.name == failure.step_name)
    places += [place._replace(column=place.column + (failure.expression_offset or 0)) for place in steps]
    return places[0] if places else item.location
