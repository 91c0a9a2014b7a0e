"""What an author claims about a formula: its misconceptions, and tests that must hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from quizgen.formula.author.fields import report
from quizgen.formula.author.steps import conversion
from quizgen.formula.definition import IMPOSSIBLE, Answer, Formula, ImpossibleAnswer, Misconception, Test
from quizgen.formula.dimensions import assignable
from quizgen.formula.errors import FormulaError
from quizgen.formula.inputs import FALSE, TRUE, Input
from quizgen.formula.language.check import check
from quizgen.formula.language.evaluate import Run, fold
from quizgen.formula.language.names import SHAPES, NameScope, ValueKind
from quizgen.formula.language.parse import parse
from quizgen.formula.quantity import Number, parse_quantity
from quizgen.formula.show import shown
from quizgen.formula.units import Unit, labels_of
from quizgen.source import Node, Problem, shorten

ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
MISCONCEPTION: Final = ("id", "value", "say", "credit", "convention")
MAX_MISCONCEPTIONS: Final = 32
AGREE: Final = Fraction(1, 10**9)  # how near a test's value must be, relative


def parse_misconceptions(
    node: Node | None, scope: NameScope, answer: ValueKind, unit: Unit
) -> tuple[Misconception, ...] | None:
    found: dict[str, Misconception] = {}
    usable = True
    entries = node.entries("misconceptions") if node is not None else []
    if node is not None and len(entries) > MAX_MISCONCEPTIONS:
        # Each is compared with each other in every drawing.
        node.report(f"{len(entries)} misconceptions", f"at most {MAX_MISCONCEPTIONS}: keep those that people have")
        usable = False
    for entry in entries[:MAX_MISCONCEPTIONS]:
        one = _misconception(entry, scope, answer, unit)
        if one is None:
            usable = False
        elif one.id in found:
            entry.report(f'misconception "{shorten(one.id)}" is there twice', "keep one")
        elif (other := next((m.id for m in found.values() if m.text.split() == one.text.split()), None)) is not None:
            entry.report(f"misconceptions {shorten(other)} and {shorten(one.id)} have the same value", "keep one")
        else:
            found[one.id] = one
    return tuple(found.values()) if usable else None


def _misconception(node: Node, scope: NameScope, answer: ValueKind, unit: Unit) -> Misconception | None:
    fields = node.fields(MISCONCEPTION, "a misconception")
    if not fields:
        return None
    lacking = [name for name in ("id", "value", "say") if name not in fields]
    for name in lacking:
        node.report(f"{name} is missing in the misconception", f"add `{name}: …`")
    if lacking:
        return None
    name, say = fields["id"].text("id"), fields["say"].text("say").strip()
    if name and not ID.fullmatch(name):
        fields["id"].report(f'"{shorten(name)}" is no id of a misconception', "write letters, digits, - and _")
        return None
    credit = fields["credit"].share("credit", whole=False) if "credit" in fields else Fraction(0)
    if credit is None:
        return None
    convention = fields["convention"].text("convention").strip() if "convention" in fields else ""
    place = fields["value"]
    text = place.text("value")
    if not text or not name:
        return None
    try:
        tree = parse(text, labels_of(place.doc.labels))
        kind = check(tree, scope)
        run: Run = fold(tree, scope)
    except FormulaError as error:
        report(place, error, f"misconception {shorten(name)}")
        return None
    if kind.shape not in (answer.shape, "impossible") and answer.shape != "impossible":
        place.report(
            f"misconception {shorten(name)} is {SHAPES[kind.shape]}, the answer {SHAPES[answer.shape]}",
            "make them alike",
        )
        return None
    if kind.shape in ("number", "tuple") and kind.dim is not None and not assignable(kind.dim, unit.dim):
        place.report(
            f"misconception {shorten(name)} gives {kind.dim}, the answer is in {unit}", conversion(kind.dim, unit.dim)
        )
        return None
    return Misconception(name, text, tree, run, say, credit, place.where, convention)


def parse_tests(node: Node | None, inputs: Mapping[str, Input]) -> tuple[Test, ...] | None:
    tests: list[Test] = []
    usable = True
    for entry in node.entries("tests") if node is not None else []:
        fields = entry.fields((*inputs, "is"), "a test")
        if "is" not in fields:
            entry.report("a test needs the answer it expects", "add `is: 31.7e9 B`")
            usable = False
            continue
        given = tuple((n, _given(f)) for n, f in fields.items() if n in inputs)
        tests.append(Test(given, _given(fields["is"]), entry.where))
    return tuple(tests) if usable else None


def _given(node: Node) -> str:
    if isinstance(node.value, list):
        return ",".join(_given(one) for one in node.value)
    return node.text("a value")


def failed_tests(formula: Formula) -> Iterator[Problem]:
    """A failure for each test that does not hold: the test wants 9 GB, the formula gives 8 GB."""
    for test in formula.tests:
        try:
            answer = formula.evaluate(dict(test.given)).answer
        except FormulaError as error:
            step = f" in step {error.step}" if error.step else ""
            yield Problem(test.where, f"the test fails: {error.message}{step}", error.hint, "", "failure")
            continue
        try:
            holds = agrees(formula, answer, test.expected)
        except FormulaError as error:
            yield Problem(test.where, f"the test's answer cannot be read: {error.message}", error.hint, "", "failure")
            continue
        if not holds:
            yield Problem(
                test.where,
                f"the test wants {shorten(test.expected)}, the formula gives {shown(formula, answer, None, 12)}",
                "correct the test or the formula",
                "",
                "failure",
            )


def agrees(formula: Formula, answer: Answer, expected: str) -> bool:
    """Whether an answer is what a test expects, to 1e-9 relative. FormulaError if that cannot be read."""
    text = expected.strip()
    if answer is IMPOSSIBLE or text == "impossible":
        return answer is IMPOSSIBLE and text == "impossible"
    if isinstance(answer, bool):
        return text.lower() in (TRUE if answer else FALSE)
    if isinstance(answer, tuple):
        parts = text.removeprefix("[").removesuffix("]").split(",")
        wanted = [parse_quantity(part, formula.unit).base for part in parts]
        return len(wanted) == len(answer) and all(near(a, b) for a, b in zip(answer, wanted, strict=True))
    assert not isinstance(answer, ImpossibleAnswer)
    return near(answer, parse_quantity(text, formula.unit).base)


def near(left: Number, right: Number) -> bool:
    return abs(Fraction(left) - Fraction(right)) <= AGREE * abs(Fraction(right))
