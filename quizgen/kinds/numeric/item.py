"""Numeric items and their variants: drawing, key and derivation, scoring, and the proof over all drawings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, islice
from math import prod
from typing import TYPE_CHECKING, ClassVar

from quizgen import markdown
from quizgen.answer_areas import NumericAnswerLine
from quizgen.derivation import WorkedDerivation
from quizgen.draw import SeededRng
from quizgen.figures.spec import FigureAmount, figure_amount_of_quantity
from quizgen.formula import mistakes
from quizgen.formula.definition import IMPOSSIBLE, Answer, Condition, Evaluation, Formula, Input, InputValue
from quizgen.formula.errors import DomainError, FormulaError
from quizgen.formula.inverse import InverseSolution, inverse_result_lines
from quizgen.formula.inverse import solve_for_input as find_input
from quizgen.formula.mistakes import AnswerTarget
from quizgen.formula.quantity import (
    Quantity,
    Reading,
    int_if_whole,
    is_number,
    is_within_share,
    number_text,
    parse_quantity,
    value_in_unit,
)
from quizgen.formula.show import derivation_of, format_in_unit
from quizgen.kinds.common import (
    SHARED_FIELDS,
    Scope,
    check_stem_placeholders,
    portable_item_of,
    read_shared_fields,
    recommended_field_warnings,
)
from quizgen.kinds.numeric.fields import (
    AnswerSpec,
    ExpectedReading,
    InverseSpec,
    add_stem_words,
    check_bound_drawn,
    check_figure_shows_no_step,
    check_inputs_given,
    check_stem_mentions_values,
    read_answer,
    read_conditions,
    read_credits,
    read_expected_readings,
    read_fixed_inputs,
    read_formula,
    read_inverse,
)
from quizgen.kinds.numeric.key import (
    choices_from_number,
    marking_guide_blocks,
    offline_number_key,
    portable_number,
    printed_key_digits,
    unit_text_in_prompt,
)
from quizgen.kinds.numeric.space import (
    MAX_COMBINATIONS_WALKED,
    MAX_RANDOM_COMBINATIONS,
    DrawnValue,
    VariantSpace,
    axis_with_earlier_answer,
    parse_drawn_value,
    read_variant_space,
    stimulus_axes,
    unknown_input_message,
)
from quizgen.kinds.numeric.step_credit import score_steps, step_and_answer_parts
from quizgen.model import (
    ZERO,
    Echo,
    Item,
    Mark,
    Outcome,
    ProofDrawingCounts,
    Response,
    SampleResponse,
    Score,
    Variant,
    response_text,
)
from quizgen.numbers.answer import AnswerFormat, Refusal
from quizgen.numbers.read import read_response
from quizgen.numbers.stem import unit_named_in_stem
from quizgen.page import Block, Bullets, plain_paragraph
from quizgen.portable_item import DerivedChoices, PageNumberKey, PageNumberReaderSettings, PortableItem, PortableOption
from quizgen.source.problems import Fields, Node, Problem, Where, printable, shorten
from quizgen.stimuli import SharedStimulus, fill_placeholders

if TYPE_CHECKING:  # loaded when `check` requests a proof
    from quizgen.formula.proof import Proof, ProofFailure

NUMERIC_FIELDS = (
    *SHARED_FIELDS, "after", "draw", "cases", "require", "formula", "with", "answer", "find", "credit", "reads",
)  # fmt: skip

# Signs of a response in several steps: an equation, a list, or a comma before a name.
_STEP_SEPARATOR_PATTERN = re.compile(r"[=:;\n]|,\s+[^\W\d]")


@dataclass(frozen=True, slots=True, kw_only=True)
class NumericItem(Item):
    """A numeric item as the author wrote it, and the space of its variants.

    `fixed_inputs` holds the inputs that the item sets (`with:`), `conditions` the conditions that a drawing must meet,
    `inverse_spec` an inverse problem (None: the formula is computed forwards). `earlier_item` is the part whose answer
    becomes the input `earlier_answer_name`. `has_own_formula`: the formula is written in the item. `authored_fields`
    are the names of the fields that the author wrote, `expected_readings` the responses that `check` tries."""

    kind: ClassVar[str] = "numeric"

    formula: Formula
    variant_space: VariantSpace
    fixed_inputs: Mapping[str, DrawnValue]
    conditions: tuple[Condition, ...]
    answer_spec: AnswerSpec
    inverse_spec: InverseSpec | None = None
    has_own_formula: bool = False
    earlier_item: NumericItem | None = None
    earlier_answer_name: str = ""
    authored_fields: frozenset[str] = frozenset()
    expected_readings: tuple[ExpectedReading, ...] = ()

    @property
    def unit_spellings(self) -> Iterable[str]:
        return self.answer_spec.response_format.lexicon.words

    @classmethod
    def parse(cls, node: Node, scope: Scope) -> NumericItem | None:
        fields = node.fields(NUMERIC_FIELDS, "a numeric item")
        shared = read_shared_fields(node, fields, scope)
        formula = read_formula(node, fields, scope)
        if formula is None:
            return None
        stimulus: SharedStimulus | None = (shared or {}).get("stimulus")
        find = read_inverse(fields, formula)
        after = _read_earlier_part(fields, formula, stimulus, scope)
        space = _read_item_space(fields, formula, find, stimulus, after)
        fixed = read_fixed_inputs(fields, formula.inputs)
        requires = read_conditions(fields, formula)
        credits = read_credits(fields, [m.id for m in formula.misconceptions])
        answer = read_answer(fields, formula, find, credits)
        reads = read_expected_readings(fields)
        if space is None or fixed is None or requires is None or answer is None:
            return None
        if shared is None or [find is None, after is None] != ["find" not in fields, "after" not in fields]:
            return None
        if not check_inputs_given(fields, formula, space, fixed, find):
            return None
        check_figure_shows_no_step(fields, shared.get("draw_figure"), formula)
        earlier, after_as = after or (None, "")
        if not check_stem_placeholders(fields["stem"], {*space.drawn_names, *fixed} - {after_as}):
            return None
        check_stem_mentions_values(fields, space)
        return cls(
            **shared,
            after=earlier.id if earlier is not None else "",
            earlier_item=earlier,
            earlier_answer_name=after_as,
            formula=formula,
            variant_space=space,
            fixed_inputs=fixed,
            conditions=requires,
            answer_spec=add_stem_words(answer, str(fields["stem"].value), formula, scope, stimulus),
            inverse_spec=find,
            expected_readings=reads,
            has_own_formula=fields["formula"].shape == "mapping",
            authored_fields=frozenset(fields),
        )

    def draw(self, rng: SeededRng) -> NumericVariant:
        combination = self._pick_allowed_combination(rng)
        return NumericVariant(self, rng.seed, self.variant_space.values_in_combination(combination))

    def numbered_variant(self, number: int) -> NumericVariant:
        """The variant of drawing `number`, even if a condition forbids it; a random one if there are fewer
        drawings."""
        for combination in islice(self.variant_space.walk_combinations(), number, number + 1):
            return NumericVariant(self, str(number), self.variant_space.values_in_combination(combination))
        return self.draw(SeededRng(self.id, str(number)))

    def redraw(self, given: Mapping[str, str], rng: SeededRng | None) -> NumericVariant:
        drawn = self.variant_space.values_in_combination(self._pick_allowed_combination(rng)) if rng is not None else {}
        for name in self.variant_space.drawn_names:
            if name == self.earlier_answer_name:
                continue
            if name in given:
                drawn[name] = self._read_logged_value(name, given[name])
            elif name not in drawn:
                raise ValueError(f"given lacks {name}, and there is no seed to draw it from")
        if self.earlier_item is not None:
            entry = self.formula.inputs[self.earlier_answer_name]
            drawn[self.earlier_answer_name] = self.earlier_item.answer_as_input_value(entry, drawn)
        return NumericVariant(self, rng.seed if rng is not None else "", drawn)

    @property
    def names_in_stem(self) -> frozenset[str]:
        return frozenset({*self.variant_space.drawn_names, *self.fixed_inputs} - {self.earlier_answer_name})

    def prove(self) -> Iterator[Problem]:
        yield from recommended_field_warnings(self, self.authored_fields)
        yield from _asked_unit_warnings(self)
        yield from _proof_problems(self)

    def proof_counts(self) -> ProofDrawingCounts:
        """How many drawings were walked, how many there are, and how many of those walked meet every condition."""
        from quizgen.formula.proof import combinations_to_check

        walked = list(combinations_to_check(self.variant_space.row_counts))
        return ProofDrawingCounts(len(walked), prod(self.variant_space.row_counts), sum(map(self.is_allowed, walked)))

    def input_values(self, drawn_values: Mapping[str, DrawnValue]) -> list[InputValue]:
        """The values of the formula's inputs in order. The input that an inverse problem searches for is left at 1."""
        given = {**self.fixed_inputs, **drawn_values}
        inputs = self.formula.inputs.items()
        values = (given[name].value if name in given else entry.default for name, entry in inputs)
        return [1 if value is None else value for value in values]

    def is_allowed(self, combination: tuple[int, ...]) -> bool:
        """Whether a drawing meets every condition."""
        return not self.conditions or self.meets_conditions(self.variant_space.values_in_combination(combination))

    def meets_conditions(self, drawn_values: Mapping[str, DrawnValue]) -> bool:
        """Whether the drawn values meet every condition; False if a condition has no value for them."""
        values = self.input_values(drawn_values)
        try:
            return all(
                condition.is_met_by(
                    self.formula.run_steps(values).values_by_slot if condition.needs_step_values else values
                )
                for condition in self.conditions
            )
        except FormulaError:
            return False

    def solve_inverse(self, evaluation: Evaluation, drawn_values: Mapping[str, DrawnValue]) -> InverseSolution:
        """The solution of the inverse problem. Other inputs have their values in `evaluation`; the bound is the drawn
        one in `drawn_values` or the author's. Raises FormulaError."""
        inverse = self.inverse_spec
        assert inverse is not None
        given = {
            name: Quantity.from_base_value(value, entry.unit) if is_number(value) else value
            for (name, entry), value in zip(self.formula.inputs.items(), evaluation.values_by_slot, strict=False)
            if name != inverse.target_name
        }
        text = drawn_values[inverse.bound].written_text if inverse.bound_input is not None else inverse.bound
        bound = parse_quantity(
            text, self.formula.unit, inverse.bound_input.bank_labels if inverse.bound_input is not None else ()
        )
        return find_input(self.formula, given, inverse.target_name, inverse.relation, bound)

    def answer_as_input_value(self, entry: Input, drawn_values: Mapping[str, DrawnValue]) -> DrawnValue:
        """The answer of this item as a value for the input `entry` of a later part. Raises FormulaError."""
        own = {name: drawn_values[name].written_text for name in self.variant_space.drawn_names if name in drawn_values}
        answer = self.redraw(own, None).evaluation().answer
        if not is_number(answer):
            raise DomainError("its answer is not a number", "name a part whose answer always is one")
        return DrawnValue(str(value_in_unit(answer, entry.unit)), answer, entry)

    def _pick_allowed_combination(self, rng: SeededRng) -> tuple[int, ...]:
        """A drawing that meets the conditions: random ones are tried first, then all in order."""
        random = (self.variant_space.pick_combination(rng, attempt) for attempt in range(MAX_RANDOM_COMBINATIONS))
        for combination in chain(random, islice(self.variant_space.walk_combinations(), MAX_COMBINATIONS_WALKED)):
            if self.is_allowed(combination):
                return combination
        return self.variant_space.pick_combination(rng)  # `check` has reported that no drawing passes

    def _read_logged_value(self, name: str, text: object) -> DrawnValue:
        """A value from a log line: the drawn value equal to it, or any other valid one. Raises ValueError."""
        written, known = str(text).strip(), self.variant_space.possible_values(name)
        for one in known:
            if one.written_text == written:
                return one
        entry = known[0].input_entry if known else self.formula.inputs.get(name)
        if entry is None:
            return DrawnValue(written)
        try:
            drawn = parse_drawn_value(written, entry)
        except FormulaError as error:
            raise ValueError(f"given {name} = {shorten(printable(written))}: {error.message}") from None
        return next((one for one in known if one.value == drawn.value), drawn)


def _read_item_space(
    fields: Fields,
    formula: Formula,
    inverse: InverseSpec | None,
    stimulus: SharedStimulus | None,
    earlier_part: tuple[NumericItem, str] | None,
) -> VariantSpace | None:
    """The drawings of the item, with those of its stimulus, of a bound that is a name and of the answer of an earlier
    part; None after a problem was reported."""
    drawable = dict(formula.inputs)
    if inverse is not None and inverse.bound_input is not None:
        drawable[inverse.bound] = inverse.bound_input
    if inverse is not None and not check_bound_drawn(fields, inverse, stimulus):
        return None
    space = read_variant_space(fields, drawable)
    if space is None or stimulus is None:
        return space
    if "require" in fields:
        hint = "let the stimulus draw `cases:` that fit"
        fields["require"].report_key("a part of a stimulus takes no `require`", hint)
        return None
    if taken := stimulus.drawn_names.intersection(space.drawn_names):
        place = fields.get("draw", fields.get("cases", fields["stem"]))
        place.report_key(f"{', '.join(sorted(taken))} is drawn by the stimulus already", "draw it in one place")
        return None
    axes = stimulus_axes(stimulus, drawable)
    if axes is None or earlier_part is None:
        return None if axes is None else VariantSpace((*space.axes, *axes))
    earlier, name = earlier_part
    try:
        carried = axis_with_earlier_answer(axes, name, lambda row: earlier.answer_as_input_value(drawable[name], row))
    except FormulaError as error:
        fields["after"].report(f"{earlier.id}: {error.message}", error.hint)
        return None
    return VariantSpace((*space.axes, carried))


def _read_earlier_part(
    fields: Fields, formula: Formula, stimulus: SharedStimulus | None, scope: Scope
) -> tuple[NumericItem, str] | None:
    """The earlier part and the name of the input that its answer becomes; None without `after:` or after a problem."""
    if "after" not in fields:
        return None
    node = fields["after"]
    given = node.fields(("item", "as"), "`after`")
    if "item" not in given or "as" not in given:
        node.report("`after` needs `item` and `as`", "write {item: the-earlier-part, as: an-input}")
        return None
    name, slot = given["item"].text("item").strip(), given["as"].text("as").strip()
    earlier = scope.item(name)
    if slot not in formula.inputs:
        given["as"].report(*unknown_input_message(slot, formula.inputs))
    elif scope.refused(name):
        return None
    elif not isinstance(earlier, NumericItem):
        hint = "name a part of the same stimulus that comes before this one"
        given["item"].report(f'no numeric item "{shorten(name)}" comes before this one', hint)
    elif (
        stimulus is None
        or earlier.stimulus is not stimulus
        or any(a.shared_stimulus is None for a in earlier.variant_space.axes)
    ):
        hint = "give both the same `stimulus:`, and let it draw what they draw"
        given["item"].report(f'"{name}" does not share all its values with this item', hint)
    elif earlier.inverse_spec is not None or earlier.formula.unit.dim != formula.inputs[slot].unit.dim:
        message = f"the answer of {name} is in {earlier.formula.unit}, {slot} is in {formula.inputs[slot].unit}"
        given["as"].report(message, "name an input of the same dimension")
    else:
        return earlier, slot
    return None


@dataclass(frozen=True, slots=True)
class NumericVariant(Variant):
    """One drawing of a numeric item; `drawn_values` holds each name with its drawn value. The evaluation of the formula
    and the target are kept, since the key, the derivation and every score need them."""

    item: NumericItem
    drawn_values: Mapping[str, DrawnValue] = field(default_factory=dict)
    _evaluation_cache: list[Evaluation] = field(default_factory=list, repr=False, compare=False)
    _target_cache: list[AnswerTarget] = field(default_factory=list, repr=False, compare=False)

    def evaluation(self) -> Evaluation:
        """The value of every step of the formula and the answer. Raises FormulaError if the drawing has none."""
        if not self._evaluation_cache:
            self._evaluation_cache.append(self.item.formula.run_steps(self.item.input_values(self.drawn_values)))
        return self._evaluation_cache[0]

    def answer_target(self) -> AnswerTarget:
        """The key with its tolerance and the known mistakes. Raises FormulaError if the drawing has no key."""
        if self._target_cache:
            return self._target_cache[0]
        item, answer, credit = self.item, self.item.answer_spec, self.item.answer_spec.credit_by_mistake
        if item.inverse_spec is None:
            target = mistakes.make_answer_target(self.evaluation(), answer.unit, answer.tolerance, credit)
        else:
            result = item.solve_inverse(self.evaluation(), self.drawn_values)
            key = result.status if result.found_value is None else result.found_value
            whole = item.formula.inputs[item.inverse_spec.target_name].is_whole
            target = AnswerTarget(key, answer.unit, answer.tolerance, whole, credit_by_mistake=credit)
        self._target_cache.append(target)
        return target

    def answer_target_or_none(self) -> AnswerTarget | None:
        """The target; None if the drawing has no key."""
        try:
            return self.answer_target()
        except FormulaError:
            return None

    # -- texts for a candidate ------------------------------------------------------------------

    @property
    def answer_words(self) -> tuple[str, ...]:
        """The words to choose the answer from, yes and no; empty if the answer is a number."""
        question = self.item.answer_spec.response_format
        return ("yes", "no") if question.shape == "truth" else ()

    @property
    def stem_text(self) -> str:
        """The stem with the drawn values in place of {name}, as people write them."""
        drawn = {**self.item.fixed_inputs, **self.drawn_values}
        return fill_placeholders(self.item.stem, {name: one.text_in_stem for name, one in drawn.items()})

    def prompt(self) -> tuple[Block, ...]:
        question = self.item.answer_spec.response_format
        numbers = _numbers_requested_text(question) if question.shape == "tuple" else ""
        answer: tuple[Block, ...] = (
            plain_paragraph(f"Answer with {numbers}."),
            NumericAnswerLine(requested_numbers=numbers),
        )
        if not numbers:
            answer = (
                NumericAnswerLine(
                    unit_text_in_prompt(question.unit),
                    self.answer_words,
                    required_digits=self.item.answer_spec.written_digits,
                ),
            )
        drawn = self.figure_blocks(self.item.draw_figure)
        return (*self.stimulus_blocks(), *markdown.markdown_blocks(self.stem_text), *drawn, *answer)

    def drawn_value_texts(self) -> Mapping[str, str]:
        carried = self.item.earlier_answer_name
        return {name: drawn.written_text for name, drawn in self.drawn_values.items() if name != carried}

    def figure_amounts(self, with_steps: bool) -> Mapping[str, FigureAmount]:
        """The values that a figure may show, by name: the inputs, and with `with_steps` each step of the derivation. An
        input that is the answer of an earlier part is left out."""
        item = self.item
        try:
            evaluation = self.evaluation()
        except FormulaError:
            return {}
        entries = [(name, entry.unit) for name, entry in item.formula.inputs.items()]
        entries += [(step.name, step.unit) for step in item.formula.steps]
        known = item.formula.inputs.keys() - ({item.earlier_answer_name} if not with_steps else set())
        return {
            name: figure_amount_of_quantity(Quantity.from_base_value(value, unit))
            for (name, unit), value in zip(entries, evaluation.values_by_slot, strict=False)
            if is_number(value) and (with_steps or name in known)
        }

    # -- key and solution -----------------------------------------------------------------------

    def key_text(self) -> str:
        """The key in one line, to four significant digits; to more if the tolerance is narrow, to all if it is zero."""
        try:
            target = self.answer_target()
        except FormulaError as error:
            return f"none ({error.message})"
        key = target.key
        if isinstance(key, tuple):
            return f"({', '.join(map(number_text, key))})"
        if isinstance(key, bool | str):
            return key if isinstance(key, str) else "yes" if key else "no"
        return format_in_unit(key, target.unit, printed_key_digits(target))

    def solution(self) -> tuple[Block, ...]:
        blocks = [*self._derivation_blocks(), *self.solution_figure_blocks()]
        if self.item.earlier_item is not None:
            own = f"the candidate's own answer to {self.item.earlier_item.id}"
            blocks.append(plain_paragraph(f"Carried forward: what follows rightly from {own} earns full marks."))
        return (*blocks, *markdown.markdown_blocks(self.item.rationale))

    def _derivation_blocks(self) -> tuple[Block, ...]:
        """The derivation; for an inverse problem the search with its checks."""
        item = self.item
        try:
            if item.inverse_spec is None:
                return (derivation_of(self.evaluation(), item.answer_spec.unit),)
            result = item.solve_inverse(self.evaluation(), self.drawn_values)
            title, *lines = [plain_paragraph(line.strip()) for line in inverse_result_lines(result) if line]
            return title, Bullets(tuple((line,) for line in lines))
        except FormulaError as error:
            return (WorkedDerivation(item.formula.title, item.formula.source, (), (), f"no value: {error.message}"),)

    def marker_blocks(self) -> tuple[Block, ...]:
        """The accepted range and one line for each misconception; empty for a drawing without a key."""
        target = self.answer_target_or_none()
        return marking_guide_blocks(target) if target is not None else ()

    # -- scoring --------------------------------------------------------------------------------

    def echo(self, response: Response) -> Echo:
        reading = self._read_response(response_text(response))
        if isinstance(reading, Refusal):
            return Echo(reading.reason, Outcome.BLANK if reading.is_blank else Outcome.UNREADABLE)
        return Echo(" or ".join(dict.fromkeys(r.read_as for r in (reading, *reading.other_readings))))

    def _read_response(self, text: str) -> Reading | Refusal:
        """The reading of `text` as a number. A response in steps is read by its last part if the parts before lead to
        it."""
        question = self.item.answer_spec.response_format
        reading = read_response(text, question, lambda: self.stem_text)
        stepped = self.item.inverse_spec is None and question.shape == "number"
        if isinstance(reading, Refusal) and not reading.is_blank and stepped:
            parts = step_and_answer_parts(text)
            if parts:
                last = read_response(parts[-1].text, question, lambda: self.stem_text)
                return reading if isinstance(last, Refusal) and last.is_blank else last
        return reading

    def score(self, response: Response) -> Score:
        item, text = self.item, response_text(response)
        if item.inverse_spec is None and _STEP_SEPARATOR_PATTERN.search(text):
            stepped = self._score_steps(text)
            if stepped is not None:
                return stepped
        reading = self._read_response(text)
        if isinstance(reading, Refusal) and reading.is_blank:
            return Score(Outcome.BLANK, (self._answer_mark(ZERO, "nothing was given"),))
        if isinstance(reading, Refusal):
            return Score(Outcome.UNREADABLE, (self._answer_mark(ZERO, reading.reason),), None, None, (reading.reason,))
        try:
            verdict = mistakes.diagnose(reading, self.answer_target())
        except FormulaError as error:
            why = f"this drawing has no key ({error.message}): ask the bank's author to run quizgen check"
            return Score(Outcome.UNREADABLE, (self._answer_mark(ZERO, why),), reading.read_as, None, (why,))
        read_as = verdict.reading.read_as
        if verdict.is_correct:
            nearly = " rounded" if verdict.is_rounded else item.answer_spec.tolerance_text  # the key within 1 %
            return Score(
                Outcome.CORRECT, (self._answer_mark(item.points, f"read as {read_as}, the key{nearly}"),), read_as
            )
        earned = item.points * verdict.credit
        because = f"read as {read_as}, not the key" + (f" ({verdict.mistake_id})" if verdict.mistake_id else "")
        say = (verdict.message,) if verdict.message else ()
        return Score(
            Outcome.of_points(earned, item.points),
            (self._answer_mark(earned, because),),
            read_as,
            verdict.mistake_id,
            say,
        )

    def _score_steps(self, text: str) -> Score | None:
        """The score of a response that gives intermediate steps; None if it gives only an answer."""
        item, target = self.item, self.answer_target_or_none()
        if target is None:
            return None
        followed = score_steps(text, self.evaluation(), item.answer_spec.response_format, target, item.points)
        if followed is None:
            return None
        verdict, marks, earned = followed.answer_diagnosis, list(followed.marks), followed.earned
        more = earned - sum((m.earned for m in marks), ZERO)
        if more > 0:
            marks.append(Mark(str(verdict.mistake_id), more, ZERO, "credit for the mistake named"))
        say = (verdict.message,) if verdict.message and not verdict.is_correct else ()
        diagnosis = None if verdict.is_correct else verdict.mistake_id
        return Score(Outcome.of_points(earned, item.points), tuple(marks), verdict.reading.read_as, diagnosis, say)

    def score_after(self, response: Response, earlier_response: Response) -> Score:
        item = self.item
        made = self.score(response)
        if item.earlier_item is None or made.outcome in (Outcome.CORRECT, Outcome.BLANK, Outcome.UNREADABLE):
            return made
        earlier, earlier_text = item.earlier_item, response_text(earlier_response)
        names = earlier.variant_space.drawn_names
        before = earlier.redraw({n: d.written_text for n, d in self.drawn_values.items() if n in names}, None)
        number = before.number_in(earlier_text)
        if number is None:
            return made
        # The candidate's own number becomes an input of this part, unless it is no valid value of the input.
        text, name = str(Quantity(int_if_whole(number), earlier.answer_spec.unit)), item.earlier_answer_name
        try:
            drawn = parse_drawn_value(text, item.formula.inputs[name])
        except FormulaError:
            return made
        again = NumericVariant(item, self.seed, {**self.drawn_values, name: drawn})
        if again.score(response).outcome is not Outcome.CORRECT:
            return made
        because = f"it follows from your own {before.score(earlier_text).read_as or earlier_text} in {earlier.id}"
        return Score(Outcome.CORRECT, (self._answer_mark(item.points, because),), made.read_as, None, (because,))

    def number_in(self, response: Response) -> Fraction | None:
        answer = self.item.answer_spec
        reading = read_response(response_text(response), answer.response_format)
        if isinstance(reading, Refusal) or isinstance(reading.value, bool | str | tuple):
            return None
        return Fraction(value_in_unit(reading.base_value, answer.unit))

    def _answer_mark(self, earned: Fraction, reason: str) -> Mark:
        points = self.item.points
        status = "found" if earned == points else "partial" if earned else "missing"
        return Mark("value", earned, points, reason, status)

    def samples(self) -> tuple[SampleResponse, ...]:
        """Sample responses with their outcomes: the key, values 0.99 and 1.01 times the tolerance away from it, a blank
        and an unreadable response."""
        item, points = self.item, self.item.points
        samples = [SampleResponse("", Outcome.BLANK, ZERO), SampleResponse("hard to say", Outcome.UNREADABLE, ZERO)]
        if item.formula.answer_shape != "tuple":  # three numbers answer a question for three
            samples.append(SampleResponse("31 or 32 or 33", Outcome.UNREADABLE, ZERO))
        target = self.answer_target_or_none()
        if target is None:
            return tuple(samples)  # the proof names the drawing
        key = target.key
        if isinstance(key, bool):
            yes, no = ("yes", "no") if key else ("no", "yes")
            return (*samples, SampleResponse(yes, Outcome.CORRECT, points), SampleResponse(no, Outcome.INCORRECT, ZERO))
        if isinstance(key, str):
            return (
                *samples,
                SampleResponse(key, Outcome.CORRECT, points),
                SampleResponse("17", Outcome.INCORRECT, ZERO),
            )
        if isinstance(key, tuple):
            text = ", ".join(str(part) for part in key)
            return (*samples, SampleResponse(f"({text})", Outcome.CORRECT, points))
        return (
            *samples,
            *self._samples_at_tolerance(Fraction(value_in_unit(key, target.unit)), target.relative_tolerance),
        )

    def _samples_at_tolerance(self, key_value: Fraction, relative_tolerance: Fraction) -> Iterator[SampleResponse]:
        """Yields numbers just inside and just outside the tolerance, with twelve digits as a person would copy them
        from a calculator. `key_value` is the key in the unit of the answer, `relative_tolerance` the tolerance as a
        share of it."""
        answer, points = self.item.answer_spec, self.item.points
        unit = answer.unit
        tail = "" if unit.dim.is_bare and unit.symbol != "%" else f" {unit.symbol}"
        if relative_tolerance and key_value:
            for hundredths in (-99, 99, -101, 101):
                response = f"{float(key_value * (1 + relative_tolerance * Fraction(hundredths, 100))):.12g}{tail}"
                if abs(hundredths) < 100:
                    yield SampleResponse(response, Outcome.CORRECT, points)
                elif not answer.credit_by_mistake:
                    yield SampleResponse(response, Outcome.INCORRECT, ZERO)
        elif key_value.denominator == 1 and abs(key_value) < 10**15:
            yield SampleResponse(f"{key_value}{tail}", Outcome.CORRECT, points)
            if not answer.credit_by_mistake:
                yield SampleResponse(f"{key_value + 1}{tail}", Outcome.INCORRECT)

    # -- for other programs and other kinds -----------------------------------------------------

    def portable_form(self) -> PortableItem | None:
        """The variant in the form that other programs take; None for a drawing without a key. A yes-no or one-word
        answer becomes a choice, a tuple of numbers a text."""
        item, target = self.item, self.answer_target_or_none()
        if target is None:
            return None
        key = target.key
        worked = tuple(b for b in self._derivation_blocks() if item.inverse_spec or isinstance(b, WorkedDerivation))
        if self.answer_words:
            right = key if isinstance(key, str) else "yes" if key else "no"
            options = tuple(PortableOption(word, word == right) for word in self.answer_words)
            return portable_item_of(self, kind="choice", stem=self.stem_text, options=options, steps=worked)
        if isinstance(key, bool | str | tuple):
            stem = self.stem_text
            if isinstance(key, tuple):
                stem += f"\n\nAnswer with {_numbers_requested_text(item.answer_spec.response_format)}."
            return portable_item_of(self, kind="text", stem=stem, model_answer=self.key_text(), steps=worked)
        own = item.answer_spec.response_format.lexicon.words.values()
        number = replace(portable_number(target), has_own_unit_words=any(unit.dim == target.unit.dim for unit in own))
        unit_line = (plain_paragraph(f"Answer in {number.unit}."),) if number.unit else ()
        prompt = (*self.prompt()[:-1], *unit_line)
        return portable_item_of(self, kind="numeric", stem=self.stem_text, prompt=prompt, number=number, steps=worked)

    def page_number_reader_settings(self) -> PageNumberReaderSettings:
        item = self.item
        formula, question = item.formula, item.answer_spec.response_format
        stepped = item.inverse_spec is None and question.shape == "number"
        names = tuple(formula.inputs), tuple(step.name for step in formula.steps)
        return PageNumberReaderSettings(question, self.stem_text, stepped, *names)

    def page_number_key(self) -> PageNumberKey | None:
        question, target = self.item.answer_spec.response_format, self.answer_target_or_none()
        if target is None:
            return None
        words = [*self.answer_words, *(["impossible"] if question.shape == "number" else [])]
        words += ["unbounded"] if question.unbounded else []
        points = self.item.points
        scores = ((word, self.score(word)) for word in words)
        return offline_number_key(target, [(word, made.earned / points, " ".join(made.say)) for word, made in scores])

    def derived_choices(self, rng: SeededRng) -> DerivedChoices | None:
        target = self.answer_target_or_none()
        return choices_from_number(target, rng) if target is not None else None


_DIGIT_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def _numbers_requested_text(response_format: AnswerFormat) -> str:
    """How many numbers are asked for and their names: `four numbers: tp, cp, pp, dp`."""
    count = dict(enumerate(_DIGIT_WORDS)).get(response_format.part_count, str(response_format.part_count))
    names = ", ".join(name or "another" for name in response_format.part_names)
    return f"{count} numbers: {names}" if any(response_format.part_names) else f"{count} numbers"


# -- the proof over all drawings

MIN_ALLOWED_COMBINATION_SHARE = 0.02  # a `require` that passes a smaller share is reported
MAX_COMBINATIONS_TRIED = 1000  # drawings among which one is sought that `require` allows


def _proof_problems(item: NumericItem) -> Iterator[Problem]:
    """Yields everything that is wrong in some drawing: no key, a count that is not whole, a mistake that gives the key.

    If an item uses a shared formula, a misconception that is no mistake in some drawing (dividing all states by K, at
    ZeRO stage 3) may give the key there. A misconception that gives the key by chance is reported, unless the formula
    comes from another bank, where this author cannot fix it."""
    from quizgen.formula.author import failed_test_problems
    from quizgen.formula.proof import prove_formula

    if item.has_own_formula:
        yield from (replace(problem, item=item.id) for problem in failed_test_problems(item.formula))
    yield from _expected_reading_problems(item)

    def inverse_key(values: list[InputValue], combination: tuple[int, ...]) -> Answer:
        result = item.solve_inverse(
            item.formula.run_steps(list(values)), item.variant_space.values_in_combination(combination)
        )
        return IMPOSSIBLE if result.found_value is None else result.found_value

    proof = prove_formula(
        item.formula,
        item.variant_space.row_counts,
        lambda combination: item.input_values(item.variant_space.values_in_combination(combination)),
        [name for name in item.variant_space.drawn_names if name in item.formula.inputs],
        item.conditions,
        item.answer_spec.tolerance,
        item.answer_spec.unit,
        inverse_key if item.inverse_spec is not None else None,
    )
    yield from _condition_problems(item, proof)
    if proof.lone_key:
        step = item.formula.steps[-1].where if item.has_own_formula else item.where
        hint = "fix the step or the bound, or draw values that give another key"
        yield Problem(step, f"the key is {proof.lone_key} in every drawing", hint, item.id, "warning")
    for failure in proof.failures:
        if not _is_excused_failure(item, failure, proof):
            many = (
                f" (in {failure.combination_count:,} of {proof.allowed_combination_count:,} drawings)"
                if failure.combination_count > 1
                else ""
            )
            shared = failure.kind == "near" and not item.has_own_formula and failure.other_misconception
            severity = "warning" if shared or failure.kind in ("rounding", "tolerance", "digits") else "failure"
            yield Problem(_place_of_failure(item, failure), failure.message + many, failure.hint, item.id, severity)


def _asked_unit_warnings(item: NumericItem) -> Iterator[Problem]:
    """Yields a warning if the stem asks for minutes and a number without a unit is read in seconds. "How many bytes?"
    goes with GB."""
    unit = item.answer_spec.unit
    asked = unit_named_in_stem(item.stem, item.answer_spec.response_format.lexicon)
    if asked is None or asked.dim != unit.dim or unit.symbol == "1":
        return
    if asked.factor > unit.factor or (asked.factor < unit.factor and not unit.symbol.endswith(asked.symbol)):
        message = f"the stem asks for {asked}, but a number without a unit is read in {unit}"
        hint = f"write `answer: {{unit: {asked}}}`, or ask for {unit}"
        yield Problem(item.where, message, hint, item.id, "warning")


def _condition_problems(item: NumericItem, proof: Proof) -> Iterator[Problem]:
    """Yields a problem for a condition that no drawing meets, or hardly any."""
    if 0 in proof.passed_count_by_condition:  # the first condition that no drawing passes
        never = proof.passed_count_by_condition.index(0)
        require = item.conditions[never]
        earlier = " and ".join(one.expression for one in item.conditions[:never])
        beside = f" once {earlier} holds" if earlier else ""
        message = f"no drawing satisfies {require.expression}{beside}"
        yield Problem(require.where, message, "widen the draws or drop the test", item.id, "failure")
    elif (
        item.conditions
        and proof.allowed_combination_count < MIN_ALLOWED_COMBINATION_SHARE * proof.tried_combination_count
    ):
        message = (
            f"only {proof.allowed_combination_count:,} of {proof.tried_combination_count:,} drawings meet `require`"
        )
        yield Problem(item.conditions[0].where, message, "draw values that pass more often", item.id, "warning")


def _is_excused_failure(item: NumericItem, failure: ProofFailure, proof: Proof) -> bool:
    """Whether this item's author need not fix a failure: it is about a misconception of a shared formula that, with
    this item's values, is no mistake or always gives the number of another one, or only another bank's author can fix
    it."""
    never_apart = bool(failure.other_misconception) and failure.combination_count == proof.allowed_combination_count
    if not item.has_own_formula and (failure.kind == "same" or never_apart):
        return True
    ours, theirs = (where.path.replace("\\", "/").rpartition("/")[0] for where in (item.where, item.formula.where))
    return ours != theirs and (failure.kind == "coincidence" or bool(failure.misconception and failure.kind == "value"))


_OUTCOMES_BY_EXPECTATION = {
    "right": (Outcome.CORRECT,),
    "wrong": (Outcome.INCORRECT, Outcome.PARTIAL),
    "unreadable": (Outcome.UNREADABLE,),
}
_PRINTED_KEY_PRECISION = Fraction(1, 1000)  # four significant figures
_HOW_MANY_PATTERN = re.compile(r"\bhow many ([a-z][a-z-]{2,})", re.IGNORECASE)


def _expected_reading_problems(item: NumericItem) -> Iterator[Problem]:
    """Yields a problem for each response that is not read as expected in the first drawing: those of `reads:`, and
    lines that a candidate may copy from the solution."""
    combination = next(
        filter(item.is_allowed, islice(item.variant_space.walk_combinations(), MAX_COMBINATIONS_TRIED)), None
    )
    if combination is None:
        return  # the proof reports it
    variant = item.redraw(
        {name: one.written_text for name, one in item.variant_space.values_in_combination(combination).items()}, None
    )
    for one in item.expected_readings:
        score = variant.score(one.response_text)
        if score.outcome not in _OUTCOMES_BY_EXPECTATION[one.expected_outcome]:
            why = f", {score.say[0]}" if score.outcome is Outcome.UNREADABLE and score.say else ""
            outcomes = f"{score.outcome}, not {one.expected_outcome}"
            message = f'"{shorten(one.response_text)}" is {outcomes} (key: {variant.key_text()}){why}'
            yield Problem(one.where, message, "fix the entry, the stem or `units:`", item.id, "failure")
    try:
        lines = list(_printed_answer_lines(variant))
    except FormulaError:
        return  # the proof reports it and names the drawing
    for text in lines:
        outcome = variant.score(text).outcome
        if outcome is not Outcome.CORRECT:
            message = f'the key as a candidate would copy it, "{shorten(text)}", is {outcome}'
            yield Problem(item.where, message, "name its words in `units:`, or ask in another unit", item.id, "failure")
    if item.inverse_spec is None:
        yield from _printed_step_problems(item, variant.evaluation())


def _printed_step_problems(item: NumericItem, evaluation: Evaluation) -> Iterator[Problem]:
    """Yields a problem for each printed step that the reader misreads or cannot read. A unit that it reads nowhere
    (TB*s) is no fault of the step. A run that ends in an impossible value prints fewer steps."""
    for step, shown in zip(item.formula.steps, derivation_of(evaluation).steps, strict=False):
        true = evaluation.value_of_name(step.name)
        if not is_number(true):
            continue
        text = f"{shown.name} = {shown.value}"
        expected = replace(item.answer_spec.response_format, shape="number", unit=step.unit, whole=False)
        reading = read_response(text, expected)
        if isinstance(reading, Refusal):
            if isinstance(read_response(f"1 {step.unit}", expected), Refusal):
                continue
            what = f"refused: {reading.reason}"
        elif is_number(reading.value) and is_within_share(reading.base_value, true, _PRINTED_KEY_PRECISION):
            continue
        else:
            what = f"read as {reading.read_as}"
        message = f'a step as a candidate would copy it, "{shorten(text)}", is {what}'
        yield Problem(step.where, message, "name its words in `units:`, or rename the step", item.id, "failure")


def _printed_answer_lines(variant: NumericVariant) -> Iterator[str]:
    """Yields the answer as the solution prints it: the key, the key with the noun after "how many" in the stem, and the
    last line of the derivation."""
    item, key = variant.item, variant.key_text()
    target = variant.answer_target()
    yield key
    if isinstance(target.key, bool | str | tuple):
        return
    counted = _HOW_MANY_PATTERN.search(item.stem)
    if counted is not None and item.answer_spec.unit.dim.is_bare and item.answer_spec.unit.symbol != "%":
        yield f"{key} {counted[1]}"
    if item.inverse_spec is None and target.relative_tolerance:
        last = derivation_of(variant.evaluation(), item.answer_spec.unit).steps[-1]
        yield f"{last.name} = {last.value}"


def _place_of_failure(item: NumericItem, failure: ProofFailure) -> Where:
    """The place of a failure: the expression itself if the formula stands in the item, else the item."""
    if item.has_own_formula:
        for misconception in item.formula.misconceptions:
            if misconception.id == failure.misconception:
                return misconception.where
        for step in item.formula.steps:
            if step.name == failure.step:
                return Where(step.where.path, step.where.line, step.where.column + (failure.column or 0))
    return item.where
