"""Numeric items: drawn values, a formula that derives the key, a tolerance, diagnosed mistakes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from quizgen.draw import Stream
from quizgen.figures.spec import FigureSpec
from quizgen.formula.author import parse_formula
from quizgen.formula.definition import Formula, ImpossibleAnswer
from quizgen.formula.errors import DomainError, FormulaError
from quizgen.formula.inputs import Input
from quizgen.formula.quantity import in_unit
from quizgen.kinds.common import SHARED, Scope, gap, missing, read_shared
from quizgen.kinds.numeric.parts import (
    Find,
    check_answer,
    in_words_of,
    read_answer,
    read_credits,
    read_find,
    read_fixed,
    read_reads,
    read_requires,
    slot_values,
)
from quizgen.kinds.numeric.space import (
    MAX_ATTEMPTS,
    MAX_WALKED,
    Drawn,
    Space,
    carried_axis,
    drawn_of,
    no_input,
    read_space,
    shared_axes,
)
from quizgen.kinds.numeric.task import NumericTask
from quizgen.kinds.numeric.variant import NumericVariant
from quizgen.model import Coverage
from quizgen.source import Node, Problem, did_you_mean, printable, shorten
from quizgen.stimuli import PLACE, Shared, misprinted

FIELDS = (*SHARED, "after", "draw", "cases", "require", "formula", "with", "answer", "find", "credit", "reads")

MATHS = re.compile(r"(\$\$?)[^$]*\1")


@dataclass(frozen=True, slots=True, kw_only=True)
class NumericItem(NumericTask):
    """What an author wrote, and how it is drawn."""

    @classmethod
    def parse(cls, node: Node, scope: Scope) -> NumericItem | None:
        fields = node.fields(FIELDS, "a numeric item")
        shared = read_shared(node, fields, scope)
        if "formula" not in fields:
            node.report("formula is missing in the item", "add `formula:` with a name or a formula", gap(fields))
            return None
        inline = fields["formula"].shape == "mapping"
        formula = _formula(fields["formula"], scope, inline)
        if formula is None:
            _check_rest(fields, scope, inline)
            return None
        space = read_space(fields, formula.inputs)
        stimulus = shared["stimulus"] if shared and "stimulus" in shared else None
        after = _after(fields, formula, stimulus, scope) if "after" in fields else None
        if space is not None and stimulus is not None:
            space = _with_shared(fields, space, stimulus, formula, after)
        fixed = read_fixed(fields.get("with"), formula.inputs)
        requires = read_requires(fields.get("require"), formula)
        find = read_find(fields.get("find"), formula)
        credits = read_credits(fields.get("credit"), [m.id for m in formula.misconceptions])
        asked = read_answer(fields.get("answer"), formula, find, credits)
        reads = read_reads(fields.get("reads"))
        if space is None or fixed is None or requires is None or asked is None or ("find" in fields and find is None):
            return None
        if "after" in fields and after is None:
            return None
        if not _all_given(fields, formula, space, fixed, find) or shared is None:
            return None
        _no_step_drawn(fields, shared.get("draw_figure"), formula)
        if not _all_filled(fields["stem"], space, fixed, after[1] if after else ""):
            return None
        _all_told(fields, space)
        return cls(
            **shared,
            after=after[0].id if after else "",
            earlier=after[0] if after else None,
            after_as=after[1] if after else "",
            formula=formula,
            space=space,
            fixed=fixed,
            require=requires,
            asked=in_words_of(asked, str(fields["stem"].value), formula, scope.lexicon),
            find=find,
            reads=reads,
            bound=slot_values(formula, fixed),
            slots={name: slot for slot, name in enumerate(formula.inputs)},
            inline=inline,
            fields=frozenset(fields),
        )

    def draw(self, rng: Stream) -> NumericVariant:
        drawing = self._allowed(rng)
        return NumericVariant(self, rng.seed, self.space.values(drawing))

    def nth(self, number: int) -> NumericVariant:
        """Every drawing in turn, whether `require` allows it or not."""
        for drawing in islice(self.space.walk(), number, number + 1):
            return NumericVariant(self, str(number), self.space.values(drawing))
        return self.draw(Stream(self.id, str(number)))

    def redraw(self, given: Mapping[str, str], rng: Stream | None) -> NumericVariant:
        drawn = self.space.values(self._allowed(rng)) if rng is not None else {}
        for name in self.space.names:
            if name == self.after_as:
                continue
            if name in given:
                drawn[name] = self._given(name, given[name])
            elif name not in drawn:
                raise ValueError(f"given lacks {name}, and there is no seed to draw it from")
        if self.earlier is not None:
            drawn[self.after_as] = answer_of(self.earlier, self.formula.inputs[self.after_as], drawn)
        return NumericVariant(self, rng.seed if rng is not None else "", drawn)

    def prove(self) -> Iterator[Problem]:
        from quizgen.kinds.numeric.proof import prove

        yield from missing(self, self.fields)
        yield from prove(self)

    def coverage(self) -> Coverage:
        from quizgen.kinds.numeric.proof import coverage

        return coverage(self)

    def _allowed(self, rng: Stream) -> tuple[int, ...]:
        """A drawing that `require` allows: tried at random, then walked."""
        for attempt in range(MAX_ATTEMPTS):
            drawing = self.space.pick(rng, attempt)
            if not self.require or self.allows(self.values(self.space.values(drawing))):
                return drawing
        for drawing in islice(self.space.walk(), MAX_WALKED):
            if self.allows(self.values(self.space.values(drawing))):
                return drawing
        return self.space.pick(rng)  # `check` has told that nothing passes

    def outside(self, given: Mapping[str, str]) -> tuple[str, ...]:
        found = []
        for name in self.space.names:
            if name in given and name != self.after_as:
                one = self._given(name, given[name])
                if all(known.text != one.text and known.value != one.value for known in self.space.drawn(name)):
                    found.append(name)
        return tuple(found)

    def _given(self, name: str, text: object) -> Drawn:
        """A value of a log line: one that is drawn if it equals one, else any that the formula takes."""
        written, known = str(text).strip(), self.space.drawn(name)
        for one in known:
            if one.text == written:
                return one
        if name not in self.formula.inputs:
            return Drawn(written)
        try:
            drawn = drawn_of(written, self.formula.inputs[name])
        except FormulaError as error:
            raise ValueError(f"given {name} = {shorten(printable(written))}: {error.message}") from None
        return next((one for one in known if one.value == drawn.value), drawn)


def _formula(node: Node, scope: Scope, inline: bool) -> Formula | None:
    if inline:
        return parse_formula(node, "formula", scope.constants(), inline=True)
    name = node.text("formula").strip()
    if not name:
        return None
    found: Formula | None = scope.formula(name)
    if found is None and name in scope.formulas():
        if scope.alone:  # else its errors are told where they are
            node.report(f'formula "{shorten(name)}" has errors of its own', "mend it in its file")
    elif found is None:
        hint = did_you_mean(name, scope.formulas()) or "see `quizgen list formulas`"
        node.report(f'unknown formula "{shorten(name)}"', hint)
    return found


def _check_rest(fields: Mapping[str, Node], scope: Scope, inline: bool) -> None:
    """What can be said of an item whose formula has errors of its own, so that one mistake hides no other."""
    from quizgen.formula.author import inputs_alone

    node = fields["formula"]
    inputs = inputs_alone(node, scope.constants()) if inline else scope.inputs(str(node.value).strip())
    check_answer(fields.get("answer"))
    read_credits(fields.get("credit"))
    if inputs:
        space = read_space(fields, inputs)
        fixed = read_fixed(fields.get("with"), inputs)
        if space is not None and fixed is not None and "stem" in fields:
            _all_filled(fields["stem"], space, fixed)


def _all_given(
    fields: Mapping[str, Node], formula: Formula, space: Space, fixed: Mapping[str, Drawn], find: Find | None
) -> bool:
    """Every input is drawn, fixed or has a default; nothing is both drawn and fixed."""
    drawn = set(space.names)
    usable = True
    for name in fixed:
        if name in drawn:
            fields["with"].mapping()[name].report_key(f"{name} is both drawn and fixed", "keep one")
            usable = False
    for name, one in formula.inputs.items():
        if name in drawn or name in fixed or one.default is not None or (find and find.input == name):
            continue
        place = fields["formula"]
        if isinstance(place.value, dict) and "inputs" in place.value:
            place = place.value["inputs"].mapping().get(name, place)
        place.report_key(f"input {name} is neither drawn nor fixed and has no default", "add it to `draw:` or `with:`")
        usable = False
    return usable


def _no_step_drawn(fields: Mapping[str, Node], spec: FigureSpec | None, formula: Formula) -> None:
    """A figure of the stem may show givens only: a step's value would tell what is asked for."""
    steps = {step.name for step in formula.steps}
    for name in dict.fromkeys(spec.names() if spec is not None else ()):
        if name in steps:
            told = f"the figure of the stem shows {name}, a step of the derivation"
            fields["draw_figure"].report(told, "draw givens, or write it under `solution_figure:`")


def answer_of(earlier: NumericTask, entry: Input, drawn: Mapping[str, Drawn]) -> Drawn:
    """An earlier part's answer as an input takes it. Raises FormulaError where the drawing has none."""
    own = {name: drawn[name].text for name in earlier.space.names if name in drawn}
    made = earlier.redraw(own, None)
    assert isinstance(made, NumericVariant)
    answer = made.evaluation().answer
    if isinstance(answer, bool | str | tuple | ImpossibleAnswer):
        raise DomainError("no-number", "its answer is no number", "name a part whose answer always is one")
    return Drawn(str(in_unit(answer, entry.unit)), answer, entry)


def _after(
    fields: Mapping[str, Node], formula: Formula, stimulus: Shared | None, scope: Scope
) -> tuple[NumericItem, str] | None:
    """The earlier part and the input that its answer becomes; None after the reason was reported."""
    node = fields["after"]
    given = node.fields(("item", "as"), "`after`")
    if "item" not in given or "as" not in given:
        node.report("`after` needs `item` and `as`", "write {item: the-earlier-part, as: an-input}")
        return None
    name, slot = given["item"].text("item").strip(), given["as"].text("as").strip()
    earlier = scope.item(name)
    if slot not in formula.inputs:
        given["as"].report(*no_input(slot, formula.inputs))
    elif scope.refused(name):
        return None
    elif not isinstance(earlier, NumericItem):
        given["item"].report(f'no numeric item "{shorten(name)}" stands before this one', "name an earlier part")
    elif stimulus is None or earlier.stimulus is not stimulus or any(a.shared is None for a in earlier.space.axes):
        hint = "give both the same `stimulus:`, and let it draw what they draw"
        given["item"].report(f'"{name}" does not share all its values with this item', hint)
    elif earlier.find is not None or earlier.formula.unit.dim != formula.inputs[slot].unit.dim:
        told = f"the answer of {name} is in {earlier.formula.unit}, {slot} is in {formula.inputs[slot].unit}"
        given["as"].report(told, "name an input of the same dimension")
    else:
        return earlier, slot
    return None


def _with_shared(
    fields: Mapping[str, Node], own: Space, stimulus: Shared, formula: Formula, after: tuple[NumericItem, str] | None
) -> Space | None:
    """The item's own axes and those of its stimulus; None after a problem was reported."""
    if "require" in fields:
        fields["require"].report_key(
            "a part of a stimulus takes no `require`", "let the stimulus draw `cases:` that fit"
        )
        return None
    taken = stimulus.names.intersection(own.names)
    if taken:
        fields.get("draw", fields.get("cases", fields["stem"])).report_key(
            f"{', '.join(sorted(taken))} is drawn by the stimulus already", "draw it in one place"
        )
        return None
    axes = shared_axes(stimulus, formula.inputs)
    if axes is None:
        return None
    if after is None:
        return Space((*own.axes, *axes))
    earlier, name = after
    try:
        return Space((*own.axes, carried_axis(axes, name, lambda row: answer_of(earlier, formula.inputs[name], row))))
    except FormulaError as error:
        fields["after"].report(f"{earlier.id}: {error.message}", error.hint)
        return None


def _all_filled(stem: Node, space: Space, fixed: Mapping[str, Drawn], carried: str = "") -> bool:
    known = {*space.names, *fixed} - {carried}
    text = MATHS.sub(lambda m: " " * len(m[0]), str(stem.value))
    usable = True
    for match in PLACE.finditer(text):
        if match[1] not in known:
            hint = did_you_mean(match[1], known) or f"drawn or fixed: {', '.join(sorted(known)) or 'nothing'}"
            stem.report_at(match.start(), f'"{match[0]}" in the stem is not drawn', hint)
            usable = False
    return usable


def _all_told(fields: Mapping[str, Node], space: Space) -> None:
    """Whatever is drawn, the stem says it: of values that are drawn together, at least one."""
    told = {match[1] for match in PLACE.finditer(str(fields["stem"].value))}
    first = space.values(tuple(0 for _ in space.axes))
    for at, what, hint in misprinted(str(fields["stem"].value), {n: one.shown for n, one in first.items()}):
        fields["stem"].report_at(at, what, hint, "warning")
    for axis in (a for a in space.axes if a.shared is None):
        if told.isdisjoint(axis.names):
            place = fields["draw"].mapping().get(axis.names[0]) if "draw" in fields else None
            (place or fields["cases"]).report_key(
                f"{axis.label} is drawn, but the stem does not tell it",
                f"write {{{axis.names[0]}}} in the stem",
                "warning",
            )
