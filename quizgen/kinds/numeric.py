"""Numeric items: drawn values, a formula that derives the key, a tolerance, diagnosed mistakes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from quizgen.draw import Stream
from quizgen.formula.definition import Formula
from quizgen.formula.errors import FormulaError
from quizgen.formula.inputs import Value
from quizgen.kinds.common import SHARED, Scope, gap, missing, read_shared
from quizgen.kinds.numeric_parts import (
    Asked,
    Find,
    Require,
    check_answer,
    read_answer,
    read_credits,
    read_find,
    read_fixed,
    read_requires,
    slot_values,
)
from quizgen.kinds.numeric_space import MAX_ATTEMPTS, PLACE, Drawn, Space, drawn_of, read_space
from quizgen.kinds.numeric_variant import NumericVariant
from quizgen.model import Coverage, Item
from quizgen.source import Node, Problem, did_you_mean, printable, shorten

FIELDS = (*SHARED, "draw", "cases", "require", "formula", "with", "answer", "find", "credit")

MATHS = re.compile(r"(\$\$?)[^$]*\1")


@dataclass(frozen=True, slots=True, kw_only=True)
class NumericItem(Item):
    """`fixed` holds the inputs that the item sets (`with:`), `asked` what is asked for and how
    nearly, `require` the tests that a drawing must pass, `find` an inverse problem."""

    kind: ClassVar[str] = "numeric"

    formula: Formula
    space: Space
    fixed: Mapping[str, Drawn]
    require: tuple[Require, ...]
    asked: Asked
    find: Find | None = None
    bound: tuple[Value, ...]  # fixed values and defaults by slot; 1 where a drawing or a search fills it
    slots: Mapping[str, int]
    inline: bool = False
    fields: frozenset[str] = frozenset()

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
        fixed = read_fixed(fields.get("with"), formula.inputs)
        requires = read_requires(fields.get("require"), formula)
        find = read_find(fields.get("find"), formula)
        credits = read_credits(fields.get("credit"), [m.id for m in formula.misconceptions])
        asked = read_answer(fields.get("answer"), formula, find, credits)
        if space is None or fixed is None or requires is None or asked is None or ("find" in fields and find is None):
            return None
        if not _all_given(fields, formula, space, fixed, find) or shared is None:
            return None
        if not _all_filled(fields["stem"], space, fixed):
            return None
        _all_told(fields, space)
        return cls(
            **shared,
            formula=formula,
            space=space,
            fixed=fixed,
            require=requires,
            asked=asked,
            find=find,
            bound=slot_values(formula, fixed),
            slots={name: slot for slot, name in enumerate(formula.inputs)},
            inline=inline,
            fields=frozenset(fields),
        )

    def draw(self, rng: Stream) -> NumericVariant:
        drawing = self._allowed(rng)
        return self._variant(self.space.values(drawing), rng.seed)

    def redraw(self, given: Mapping[str, str], rng: Stream | None) -> NumericVariant:
        drawn = self.space.values(self._allowed(rng)) if rng is not None else {}
        names = [name for axis in self.space.axes for name in axis.names]
        for name in names:
            if name in given:
                drawn[name] = self._given(name, given[name])
            elif name not in drawn:
                raise ValueError(f"given lacks {name}, and there is no seed to draw it from")
        return self._variant(drawn, rng.seed if rng is not None else "")

    def prove(self) -> Iterator[Problem]:
        from quizgen.kinds.numeric_proof import prove

        yield from missing(self, self.fields)
        yield from prove(self)

    def coverage(self) -> Coverage:
        from quizgen.kinds.numeric_proof import coverage

        return coverage(self)

    def values(self, drawn: Mapping[str, Drawn]) -> list[Value]:
        """Bound inputs by slot. The searched input of an inverse problem is filled by its search."""
        values = list(self.bound)
        for name, one in drawn.items():
            if one.value is not None:
                values[self.slots[name]] = one.value
        return values

    def allows(self, values: list[Value]) -> bool:
        """Whether a drawing passes every `require`; one that has no value there does not."""
        try:
            for require in self.require:
                full = self.formula.run(values).values if require.condition.needs_steps else values
                if not require.condition.holds(full):
                    return False
        except FormulaError:
            return False
        return True

    def _allowed(self, rng: Stream) -> tuple[int, ...]:
        """A drawing that `require` allows: tried at random, then walked from a random start."""
        drawing = self.space.pick(rng)
        if not self.require or self.allows(self.values(self.space.values(drawing))):
            return drawing
        for attempt in range(1, MAX_ATTEMPTS):
            again = self.space.pick(rng, attempt)
            if self.allows(self.values(self.space.values(again))):
                return again
        for number, walked in enumerate(self.space.walk()):
            if number > 200_000:
                break
            if self.allows(self.values(self.space.values(walked))):
                return walked
        return drawing  # `check` has told that nothing passes

    def _given(self, name: str, text: object) -> Drawn:
        """A value of a log line: one that is drawn if it equals one, else any that the formula takes."""
        written = str(text).strip()
        for axis in self.space.axes:
            if name in axis.names:
                column = axis.names.index(name)
                for row in axis.rows:
                    if row[column].text == written:
                        return row[column]
        if name not in self.formula.inputs:
            return Drawn(written)
        try:
            drawn = drawn_of(written, self.formula.inputs[name])
        except FormulaError as error:
            raise ValueError(f"given {name} = {shorten(printable(written))}: {error.message}") from None
        for axis in self.space.axes:
            if name in axis.names:
                column = axis.names.index(name)
                for row in axis.rows:
                    if row[column].value == drawn.value:
                        return row[column]
        return drawn

    def _variant(self, drawn: Mapping[str, Drawn], seed: str) -> NumericVariant:
        return NumericVariant(self, seed, drawn)


def _formula(node: Node, scope: Scope, inline: bool) -> Formula | None:
    if inline:
        return Formula.parse(node, "formula", scope.constants(), inline=True)
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
    drawn = {name for axis in space.axes for name in axis.names}
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


def _all_filled(stem: Node, space: Space, fixed: Mapping[str, Drawn]) -> bool:
    known = {name for axis in space.axes for name in axis.names} | set(fixed)
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
    for axis in space.axes:
        if told.isdisjoint(axis.names):
            place = fields["draw"].mapping().get(axis.names[0]) if "draw" in fields else None
            (place or fields["cases"]).report_key(
                f"{axis.label} is drawn, but the stem does not tell it",
                f"write {{{axis.names[0]}}} in the stem",
                "warning",
            )
