"""A formula as its author writes it: YAML nodes to a Formula, and every mistake in it reported at its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final, TypeVar

from quizgen.formula.definition import (
    IMPOSSIBLE,
    Answer,
    Constant,
    Formula,
    ImpossibleAnswer,
    Misconception,
    Step,
    Test,
    is_whole,
)
from quizgen.formula.errors import FormulaError
from quizgen.formula.expression.check import check
from quizgen.formula.expression.evaluate import Run, fold
from quizgen.formula.expression.parse import (
    SHAPES,
    NameScope,
    Symbol,
    Tree,
    ValueKind,
    is_reserved,
    names,
    operations,
    parse,
)
from quizgen.formula.inputs import FALSE, TRUE, Input
from quizgen.formula.quantity import Number, parse_quantity
from quizgen.formula.show import shown
from quizgen.formula.units import (
    BARE,
    ONE,
    Dim,
    Unit,
    assignable,
    kind_of,
    labels_of,
    natural_unit,
    parse_unit,
)
from quizgen.source.problems import Node, Problem, did_you_mean, read_number, shorten

T = TypeVar("T")
CONSTANT: Final = ("value", "unit", "source", "date", "is", "title")
NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
DATE: Final = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")
MAX_NAME: Final = 32  # of a name inside expressions
MAX_TITLE: Final = 64  # of the name of a formula


def report(node: Node, error: FormulaError, within: str = "", severity: str = "error") -> None:
    """An engine's error at its column inside a node's expression."""
    message = f"{error.message} in {within}" if within else error.message
    node.report_at(error.column or 0, message, error.hint, severity)


def _tried(node: Node, made: Callable[[], T], within: str = "") -> T | None:
    """The value of `made`, or None after reporting the engine's error at the node."""
    try:
        return made()
    except FormulaError as error:
        report(node, error, within)
        return None


def _expression(node: Node, text: str, scope: NameScope, within: str) -> tuple[Tree, ValueKind, Run] | None:
    """An author's expression with what it yields and how it is run; None after reporting why it cannot be used."""
    tree = _tried(node, lambda: parse(text, labels_of(node.doc.labels)), within)
    return None if tree is None else _tried(node, lambda: (tree, check(tree, scope), fold(tree, scope)), within)


def parse_name(node: Node, name: str, what: str, taken: Mapping[str, object], limit: int = MAX_NAME) -> bool:
    """Whether a name can be used; reports at its key where it cannot."""
    if not NAME.fullmatch(name) or len(name) > limit:
        hint = f"use up to {limit} letters, digits and _, a letter first"
        node.report_key(f'"{shorten(name)}" is not a name of {what}', hint)
    elif is_reserved(name):
        node.report_key(f'"{name}" is a word of the formula language', "choose another name")
    elif name in taken:
        node.report_key(f'"{name}" is already a name here', "choose another name")
    else:
        return True
    return False


def read_unit(node: Node | None, usual: Unit = ONE) -> Unit | None:
    """The unit of a `unit:` field, or the usual one where none is written; None after reporting it."""
    if node is None:
        return usual
    text = node.text("unit")
    return _tried(node, lambda: parse_unit(text, labels_of(node.doc.labels))) if text else None


def parse_constant(node: Node, name: str) -> Constant | None:
    fields = node.fields(CONSTANT, f"constant {shorten(name)}")
    if not fields or not parse_name(node, name, "a constant", {}):
        return None
    for needed in ("value", "source", "date"):
        if needed not in fields:
            severity = "error" if needed == "value" else "failure"
            node.report_key(f'{needed} is missing in constant "{name}"', f"add `{needed}: …`", severity)
    unit = read_unit(fields.get("unit"))
    if "value" not in fields or unit is None:
        return None
    quantity = _tried(fields["value"], lambda: parse_quantity(fields["value"].text("value"), unit))
    if quantity is None:
        return None
    texts = {n: fields[n].text(n).strip() if n in fields else "" for n in ("title", "is", "source", "date")}
    if texts["date"] and not DATE.fullmatch(texts["date"]):
        fields["date"].report(
            f'"{shorten(texts["date"])}" is not a date', "write 2024, 2024-03 or 2024-03-21", "failure"
        )
    return Constant(name, quantity, texts["is"] or texts["title"], texts["source"], texts["date"])


# Names of a formula that nothing uses: mostly a slip of the author's, so a warning.


def warn_of_unused(
    fields: Mapping[str, Node], steps: Sequence[Step], misconceptions: Sequence[Misconception], tests: Sequence[Test]
) -> None:
    """Reports inputs and steps that no step and no misconception uses.

    An input that a test gives is meant: the machine epsilon of a format does not depend on its exponent bits.
    """
    trees = (*(step.tree for step in steps), *(m.tree for m in misconceptions))
    used = {name.name for tree in trees for name in names(tree)}
    used.add(steps[-1].name)
    given = {name for test in tests for name, _ in test.given}
    for group, meant in (("inputs", used | given), ("steps", used)):
        for name, node in fields[group].mapping().items() if group in fields else ():
            if name not in meant:
                one = group.removesuffix("s")
                node.report_key(f"{one} {shorten(name)} is used nowhere", "use it in a step, or drop it", "warning")


# The `inputs:` of a formula.


INPUT_FIELDS: Final = (
    "is", "unit", "default", "min", "max", "whole", "one_of", "list", "powers_of_two", "divisor_of",
)  # fmt: skip
MAX_INPUTS: Final = 32
YES_NO: Final = ({"true", "false"}, {"0", "1"}, {"yes", "no"})


def parse_inputs(node: Node | None, constants: Mapping[str, object]) -> dict[str, Input] | None:
    """The inputs by name, in order; None if one of them cannot be used. No `inputs:` means none."""
    if node is None:
        return {}
    entries = node.mapping("inputs")
    if len(entries) > MAX_INPUTS:
        node.report(f"more than {MAX_INPUTS} inputs", "split the formula")
        return None
    inputs: dict[str, Input] = {}
    usable = node.shape == "mapping"
    for name, entry in entries.items():
        named = parse_name(entry, name, "an input", constants)
        one = _input(entry, name)
        if one is None or not named:
            usable = False
        else:
            inputs[name] = one
    usable = _divisors_known(entries, inputs) and usable
    return _words_apart(entries, inputs) if usable else None


def inputs_alone(node: Node, constants: Mapping[str, object]) -> dict[str, Input | None]:
    """The inputs of a formula with errors of its own, None for one that cannot be read; nothing is
    reported, for the errors are told already."""
    entries = node.value.get("inputs") if isinstance(node.value, dict) else None
    doc = node.doc
    before, suppressed = len(doc.problems), doc.suppressed
    inputs: dict[str, Input | None] = {}
    for name, entry in entries.value.items() if entries is not None and isinstance(entries.value, dict) else ():
        inputs[name] = _input(entry, name) if parse_name(entry, name, "an input", constants) else None
    del doc.problems[before:]
    doc.suppressed = suppressed
    return inputs


def _divisors_known(entries: Mapping[str, Node], inputs: Mapping[str, Input]) -> bool:
    usable = True
    for name, one in inputs.items():
        if one.divisor_of and one.divisor_of not in entries:
            place = entries[name].mapping()["divisor_of"]
            hint = did_you_mean(one.divisor_of, entries) or "name another input"
            place.report(f'divisor_of names "{shorten(one.divisor_of)}", which is not an input', hint)
            usable = False
    return usable


def _words_apart(entries: Mapping[str, Node], inputs: dict[str, Input]) -> dict[str, Input] | None:
    """The inputs, unless an enum word is also the name of an input: `scheme == K` would be unclear."""
    for name, one in inputs.items():
        clash = next((word for word in one.kind.words if word in inputs), None)
        if clash is not None:
            entries[name].mapping()["one_of"].report(f'"{clash}" is an input too', "choose another word")
            return None
    return inputs


def _input(node: Node, name: str) -> Input | None:
    # Complex by count alone: one field after another, each with its own report.
    fields = node.fields(INPUT_FIELDS, f"input {shorten(name)}")
    if not fields:
        return None
    if "is" not in fields:
        node.report_key(f'"is" is missing in input "{shorten(name)}"', "add `is:` with its meaning", "failure")
    unit = read_unit(fields.get("unit"))
    if unit is None:
        return None
    whole = _flag(fields, "whole")
    kind = ValueKind(dim=unit.dim)
    if _flag(fields, "list"):
        kind = ValueKind("list", unit.dim)
    about = fields["is"].text("is").strip() if "is" in fields else name
    powers, labels = _flag(fields, "powers_of_two"), labels_of(node.doc.labels)
    entry = Input(name, about, unit, kind, whole=whole, powers_of_two=powers, labels=labels)
    if "divisor_of" in fields:
        entry = entry._replace(divisor_of=fields["divisor_of"].text("divisor_of"))
    if "one_of" in fields:
        chosen = _one_of(fields["one_of"], entry)
        if chosen is None:
            return None
        entry = chosen
    for bound in ("min", "max"):
        if bound in fields:
            value = _bound(fields[bound], unit)
            if value is None:
                return None
            entry = entry._replace(low=value) if bound == "min" else entry._replace(high=value)
    if entry.low is not None and entry.high is not None and entry.low > entry.high:
        fields["min"].report(f"min is above max in input {shorten(name)}", "swap them")
        return None
    return _with_default(fields, entry)


def _with_default(fields: Mapping[str, Node], entry: Input) -> Input | None:
    if "default" not in fields:
        return entry
    node = fields["default"]
    given = [n.text("default") for n in node.entries("default")] if node.shape == "list" else node.text("default")
    return _tried(node, lambda: entry._replace(default=entry.read(given)))


def _flag(fields: Mapping[str, Node], name: str) -> bool:
    return bool(fields[name].truth(name)) if name in fields else False


def _bound(node: Node, unit: Unit) -> Number | None:
    return _tried(node, lambda: parse_quantity(node.text("a bound"), unit).base)


def _one_of(node: Node, entry: Input) -> Input | None:
    """An enum of words, a yes-no, or a closed list of numbers."""
    words = node.texts("one_of")
    if len(words) < 2 or len(set(words)) < len(words):
        node.report("one_of needs two or more different words", "write one_of: [first, second]")
        return None
    if any(set(words) == pair for pair in YES_NO):
        if set(words) == {"0", "1"}:
            return entry._replace(kind=ValueKind(dim=BARE, switch=True), choices=(0, 1))
        return entry._replace(kind=ValueKind("truth"))
    if all(read_number(word) is not None for word in words):
        read = _tried(node, lambda: tuple(parse_quantity(word, entry.unit).base for word in words))
        return None if read is None else entry._replace(choices=read)
    usable = True
    for word_node, word in zip(node.entries("one_of"), words, strict=True):
        usable = parse_name(word_node, word, "an enum word", {}) and usable
    return entry._replace(kind=ValueKind("word", words=words)) if usable else None


# The steps of a formula: parsed in order, checked against inputs, constants and earlier steps.


def parse_steps(
    node: Node, inputs: Mapping[str, Input], constants: Mapping[str, Constant]
) -> tuple[NameScope, tuple[Step, ...] | None]:
    """The steps in order and the scope of all names; None for the steps if one cannot be used."""
    symbols = {name: Symbol(ValueKind(dim=c.quantity.dim), constant=c.quantity.base) for name, c in constants.items()}
    symbols |= {name: Symbol(entry.kind, slot) for slot, (name, entry) in enumerate(inputs.items())}
    entries = node.mapping("steps")
    if not entries and node.shape == "mapping":
        node.report("a formula needs a step", "add `name: expression`; the last step is the answer")
    steps: list[Step] = []
    usable = bool(entries)
    broken: set[str] = set()
    for position, (name, entry) in enumerate(entries.items()):
        named = parse_name(entry, name, "a step", inputs)
        if not named and name in inputs:
            usable = False
            continue  # its name would be read as the input's
        later = frozenset(list(entries)[position:]) - symbols.keys()
        step = _step(entry, name, NameScope(symbols, later), broken, entries, last=position == len(entries) - 1)
        usable = usable and named and step is not None
        if step is None:
            broken.add(name)
        if step is not None and named:
            symbols = {**symbols, name: Symbol(step.kind, len(inputs) + position)}
            steps.append(step)
    return NameScope(symbols), tuple(steps) if usable else None


def _step(
    node: Node, name: str, scope: NameScope, broken: set[str], entries: Mapping[str, Node], last: bool
) -> Step | None:
    text = node.text(f"step {shorten(name)}")
    if not text:
        return None
    within = f"step {shorten(name)}"
    tree = _tried(node, lambda: parse(text, labels_of(node.doc.labels)), within)
    if tree is None or {used.name for used in names(tree)} & broken:
        return None  # told already: this step only repeats the mistake of the one it needs
    made = None if _in_a_ring(node, name, tree, entries) else _expression(node, text, scope, within)
    if made is None:
        return None
    _, kind, run = made
    if kind.shape in ("word", "list") or (not last and kind.shape in ("tuple", "truth")):
        wanted = "a number" if not last else "a number, a test or a tuple"
        only = "only the last step may be a test or a tuple"
        node.report(f"step {shorten(name)} is {SHAPES[kind.shape]}, not {wanted}", only)
        return None
    return Step(name, text, tree, kind, natural_unit(kind.dim or BARE, labels_of(node.doc.labels)), run, node.where)


def _in_a_ring(node: Node, name: str, tree: Tree, entries: Mapping[str, Node]) -> bool:
    """Reports steps that need each other, which is clearer than that one is not known yet."""
    for used in names(tree):
        if used.name == name:
            node.report_at(used.start, f"step {name} needs itself", "use an input or an earlier step")
            return True
        other = entries.get(used.name)
        if (
            other is None
            or not isinstance(other.value, str)
            or list(entries).index(used.name) < list(entries).index(name)
        ):
            continue
        chain = _path(used.name, name, entries)
        if chain:
            who = " and ".join((name, used.name)) if len(chain) == 2 else " -> ".join((name, *chain))
            node.report_at(used.start, f"{who} need each other", "let a step use only inputs and earlier steps")
            return True
    return False


def _path(start: str, goal: str, entries: Mapping[str, Node]) -> list[str]:
    """The names from `start` to `goal` along which each step needs the next; empty if there is no way."""
    paths, seen = [[start]], {start}
    while paths:
        path = paths.pop(0)
        entry = entries.get(path[-1])
        if entry is None or not isinstance(entry.value, str):
            continue
        words = re.findall(r"[A-Za-z_][A-Za-z0-9_]*", entry.value[:1000])
        if goal in words:
            return [*path, goal]
        for word in words:
            if word in entries and word not in seen:
                seen.add(word)
                paths.append([*path, word])
    return []


def answer_fits(node: Node, last: Step, unit: Unit, declared: bool) -> bool:
    """Whether the last step can be printed in the formula's unit."""
    dim = last.kind.dim
    if last.kind.shape in ("truth", "impossible") or dim is None or assignable(dim, unit.dim):
        return True
    place = node.mapping("steps")[last.name]
    if not declared:
        place.report(f"the formula gives {dim}, but has no unit", f"add `unit: {natural_unit(dim)}`")
        return False
    place.report(
        f"step {last.name} gives {dim}, the formula's unit is {unit}: {kind_of(dim)} is not {kind_of(unit.dim)}",
        conversion(dim, unit.dim),
    )
    return False


def conversion(got: Dim, wanted: Dim) -> str:
    """What to multiply or divide by to get there, where that is one thing."""
    missing = wanted / got
    if len(missing.powers) > 2:
        return "change the step or the unit"
    if all(power < 0 for _, power in missing.powers):
        return f"divide by {kind_of(BARE / missing)}, or change the unit"
    return f"multiply by {kind_of(missing)}, or change the unit"


# What an author claims about a formula: its misconceptions, and tests that must hold.


ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
MISCONCEPTION: Final = ("id", "value", "say", "credit", "convention")
MAX_MISCONCEPTIONS: Final = 32
AGREE: Final = Fraction(1, 10**9)  # how near a test's value must be, relative


def parse_misconceptions(
    node: Node | None, scope: NameScope, answer: ValueKind, unit: Unit
) -> tuple[Misconception, ...] | None:
    misconceptions: dict[str, Misconception] = {}
    usable = True
    entries = node.entries("misconceptions") if node is not None else []
    if node is not None and len(entries) > MAX_MISCONCEPTIONS:
        # Each is compared with each other in every drawing.
        node.report(f"{len(entries)} misconceptions", f"at most {MAX_MISCONCEPTIONS}: keep the common ones")
        usable = False
    for entry in entries[:MAX_MISCONCEPTIONS]:
        one = _misconception(entry, scope, answer, unit)
        if one is None:
            usable = False
            continue
        alike = next((m.id for m in misconceptions.values() if m.text.split() == one.text.split()), None)
        if one.id in misconceptions:
            entry.report(f'misconception "{shorten(one.id)}" appears twice', "keep one")
        elif alike is not None:
            entry.report(f"misconceptions {shorten(alike)} and {shorten(one.id)} have the same value", "keep one")
        else:
            misconceptions[one.id] = one
    return tuple(misconceptions.values()) if usable else None


def _misconception(node: Node, scope: NameScope, answer: ValueKind, unit: Unit) -> Misconception | None:
    # Complex by count alone: one field after another, each with its own report.
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
        fields["id"].report(f'"{shorten(name)}" is not an id of a misconception', "write letters, digits, - and _")
        return None
    credit = fields["credit"].share("credit", whole=False) if "credit" in fields else Fraction(0)
    if credit is None:
        return None
    convention = fields["convention"].text("convention").strip() if "convention" in fields else ""
    place = fields["value"]
    text = place.text("value")
    if not text or not name:
        return None
    made = _expression(place, text, scope, f"misconception {shorten(name)}")
    if made is None:
        return None
    tree, kind, run = made
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


# From the node of a formula to a `Formula`: every mistake of the author reported at its place.


FORMULA_FIELDS: Final = (
    "title", "source", "inputs", "steps", "unit", "misconceptions", "convention", "sanity", "tests",
)  # fmt: skip


def parse_formula(node: Node, name: str, constants: Mapping[str, Constant], inline: bool = False) -> Formula | None:
    """A formula of a bank; None after reporting why it cannot be used.

    `inline`: it stands inside an item, where title and source are optional.
    """
    # Complex by count alone: one field after another, each with its own report.
    fields = node.fields(FORMULA_FIELDS, "a formula")
    if not fields:
        return None
    usable = inline or parse_name(node, name, "a formula", {}, MAX_TITLE)
    texts = {n: fields[n].text(n).strip() if n in fields else "" for n in ("title", "source", "convention", "sanity")}
    if not inline:
        for needed in ("title", "source"):
            if needed not in fields:
                node.report_key(f'{needed} is missing in formula "{name}"', f"add `{needed}: …`", "failure")
    if "inputs" not in fields and any(name not in FORMULA_FIELDS for name in fields):
        return None  # a misspelt field is told; it may well be this one
    inputs = parse_inputs(fields.get("inputs"), constants)
    unit = read_unit(fields.get("unit"))
    if "steps" not in fields:
        node.report(
            "steps are missing in the formula", "add `steps:` with `name: expression` lines; the last is the answer"
        )
        return None
    if inputs is None:
        return None
    scope, steps = parse_steps(fields["steps"], inputs, constants)
    if steps is None or unit is None or not answer_fits(fields["steps"], steps[-1], unit, "unit" in fields):
        return None
    steps = (*steps[:-1], steps[-1]._replace(unit=unit))
    misconceptions = parse_misconceptions(fields.get("misconceptions"), scope, steps[-1].kind, unit)
    tests = parse_tests(fields.get("tests"), inputs)
    if misconceptions is None or tests is None or not usable:
        return None
    warn_of_unused(fields, steps, misconceptions, tests)
    return Formula(
        name=name,
        title=texts["title"] or ("Derivation" if inline else ""),
        source=texts["source"],
        inputs=inputs,
        steps=steps,
        unit=unit,
        misconceptions=misconceptions,
        convention=texts["convention"],
        sanity=texts["sanity"],
        tests=tests,
        constants=_used(constants, steps, misconceptions),
        scope=scope,
        where=node.where,
        whole=_whole(inputs, steps),
        may_be_impossible=any("impossible" in operations(step.tree) for step in steps),
    )


def _used(
    constants: Mapping[str, Constant], steps: tuple[Step, ...], misconceptions: tuple[Misconception, ...]
) -> dict[str, Constant]:
    """The constants that the formula names."""
    trees = (*(step.tree for step in steps), *(m.tree for m in misconceptions))
    used = {name.name for tree in trees for name in names(tree)} if constants else set()
    return {name: constant for name, constant in constants.items() if name in used}


def _whole(inputs: Mapping[str, Input], steps: tuple[Step, ...]) -> bool:
    known = {name: entry.whole for name, entry in inputs.items()}
    for step in steps:
        known[step.name] = step.kind.dim is not None and is_whole(step.tree, known)
    last = steps[-1]
    return last.kind.shape == "number" and known[last.name] and last.unit.factor == 1
