"""The parts of a numeric item besides its draws: what is asked, what is fixed, what is required."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from quizgen.formula import diagnose, slips
from quizgen.formula.author import read_unit
from quizgen.formula.condition import Condition
from quizgen.formula.definition import Formula
from quizgen.formula.errors import FormulaError
from quizgen.formula.inputs import Input, Value
from quizgen.formula.quantity import Quantity, parse_quantity
from quizgen.formula.reading.answer import Asked as Against
from quizgen.formula.reading.lexicon import Lexicon
from quizgen.formula.reading.remarks import with_stem
from quizgen.formula.reading.told import with_told
from quizgen.formula.solving import RELATIONS
from quizgen.formula.target import asked
from quizgen.formula.unit_table import INFORMATION
from quizgen.formula.units import ONE, Unit, labels_of
from quizgen.kinds.numeric.space import Drawn, no_input, read_drawn
from quizgen.source import Node, Where, did_you_mean, shorten

TOLERANCE = Fraction(1, 100)
_BOUND = re.compile(
    r"\b(?:at (?:least|most)|(?:max|min)imum|(?:small|larg|high|low|few)est|bound|up to|no (?:more|less|fewer) than"
    r"|allow(?:s|ed)?|permit(?:s|ted)?)\b",
    re.I,
)
_LIST = re.compile(r"\(([A-Za-z]\w*(?:, ?[A-Za-z]\w*)+)\)")
LOOSE = Fraction(1, 5)  # beyond this a tolerance takes nearly anything
GIB_APART = 1 - Fraction(1000, 1024) ** 3  # 6.9 %: what sets 1 GB and 1 GiB apart


@dataclass(frozen=True, slots=True)
class AnswerSpec:
    """The unit that a bare number is read in and the relative tolerance (0: exact).

    `against` is what a response is read against, `within` the tolerance in words. `credits` are
    shares of the points that a named slip still earns.
    """

    unit: Unit
    tolerance: Fraction
    against: Against
    within: str = ""
    credits: Mapping[str, Fraction] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Find:
    """An inverse problem: the smallest or largest `input` whose answer keeps a bound."""

    input: str
    relation: str  # at_most, at_least, below, above or equals
    bound: str
    where: Where


@dataclass(frozen=True, slots=True)
class ReadRule:
    """A response that the author expects to be right, wrong or unreadable in the first drawing."""

    text: str
    outcome: str
    where: Where


def read_answer(
    node: Node | None, formula: Formula, find: Find | None, credits: Mapping[str, Fraction]
) -> AnswerSpec | None:
    """`answer: {unit, tolerance}`; None after a problem was reported."""
    fields = node.fields(("unit", "tolerance"), "the answer") if node is not None else {}
    sought = formula.inputs[find.input] if find is not None else None
    unit = read_unit(fields.get("unit"), sought.unit if sought is not None else formula.unit)
    whole = sought.whole if sought is not None else formula.whole or formula.kind != "number"
    tolerance = read_tolerance(fields.get("tolerance"), Fraction(0) if whole else TOLERANCE)
    if unit is not None and "unit" in fields:
        try:
            if sought is None:
                formula.accepts(unit)
            else:
                Quantity(1, sought.unit).to(unit)
        except FormulaError as error:
            fields["unit"].report(error.message, error.hint)
            return None
    if unit is None or tolerance is None:
        return None
    if tolerance >= LOOSE or (tolerance >= GIB_APART and unit.dim.power(INFORMATION) and "tolerance" in fields):
        why = "numbers that are far off" if tolerance >= LOOSE else "GiB for GB"
        fields["tolerance"].report(f"a tolerance of {_percent(tolerance)} takes {why}", "write 5% or less", "warning")
    if sought is not None:
        against = Against(unit, whole=sought.whole, impossible=True, unbounded=True)
    else:
        against = asked(formula, unit)
    within = f" within {_percent(tolerance)}" if tolerance else ""
    return AnswerSpec(unit, tolerance, against, within, credits)


def in_words_of(asked: AnswerSpec, stem: str, formula: Formula, lexicon: Lexicon) -> AnswerSpec:
    """The same, with what the stem tells a reader: its words, whether it asks for a bound, how it names the parts
    of a tuple, of which periods it speaks; and the names of the formula's parts."""
    bound, names = bool(_BOUND.search(stem)), asked.against.names
    for listed in _LIST.findall(stem) if names else ():
        parts = tuple(part.strip() for part in listed.split(","))
        names = parts if len(parts) == len(names) else names  # (tp, cp, pp, dp)
    terms = " ".join((formula.title, *formula.inputs, *(step.name for step in formula.steps)))
    against = replace(asked.against, lexicon=lexicon, bound=bound, names=names)
    against = with_told(with_stem(against, stem, terms), stem)
    return replace(asked, against=against)


def read_reads(node: Node | None) -> tuple[ReadRule, ...]:
    """`reads:` — responses and what becomes of them; problems are reported on the node."""
    made = []
    for entry in node.entries("reads") if node is not None else []:
        fields = entry.fields(("text", "is"), "an entry of reads")
        if "text" not in fields or "is" not in fields:
            entry.report("an entry of reads needs `text` and `is`", "write {text: 3 levels, is: right}")
            continue
        outcome = fields["is"].word(("right", "wrong", "unreadable"), "is")
        if outcome:
            made.append(ReadRule(fields["text"].text("text"), outcome, entry.where))
    return tuple(made)


def _percent(share: Fraction) -> str:
    return f"{float(share) * 100:g} %"


def check_answer(node: Node | None) -> None:
    """Report what is wrong with `answer:` whatever the formula, which has errors of its own."""
    fields = node.fields(("unit", "tolerance"), "the answer") if node is not None else {}
    read_unit(fields.get("unit"), ONE)
    read_tolerance(fields.get("tolerance"), TOLERANCE)


def read_tolerance(node: Node | None, usual: Fraction) -> Fraction | None:
    """A relative tolerance, or the usual one where none is written; None after a problem was reported."""
    return usual if node is None else node.share("tolerance", whole=False)


def read_fixed(node: Node | None, inputs: Mapping[str, Input | None]) -> dict[str, Drawn] | None:
    """`with:` — inputs that the item sets; None after a problem was reported, and for an input that is None."""
    fixed: dict[str, Drawn] = {}
    usable = True
    for name, entry in (node.mapping("with") if node is not None else {}).items():
        if name not in inputs:
            entry.report_key(*no_input(name, inputs))
        given = inputs.get(name)
        drawn = read_drawn(entry, given) if given is not None else None
        usable = usable and drawn is not None
        if drawn is not None:
            fixed[name] = drawn
    return fixed if usable else None


def read_requires(node: Node | None, formula: Formula) -> tuple[Condition, ...] | None:
    """`require:` — tests of a drawing; None after a problem was reported."""
    made: list[Condition] = []
    entries = node.entries("require") if node is not None else []
    for entry in entries:
        text = entry.text("require").strip()
        if not text:
            continue
        try:
            made.append(Condition.parse(text, formula, labels_of(entry.doc.labels), entry.where))
        except FormulaError as error:
            entry.report_at(error.column or 0, f"{error.message} in require", error.hint or "mend the test")
    return tuple(made) if len(made) == len(entries) else None


def read_find(node: Node | None, formula: Formula) -> Find | None:
    """`find: {input: K, at_most: 80 GB}`; None without one or after a problem was reported."""
    if node is None:
        return None
    fields = node.fields(("input", *RELATIONS), "find")
    relations = [name for name in RELATIONS if name in fields]
    if "input" not in fields or len(relations) != 1:
        node.report("find needs an input and one bound", "write {input: K, at_most: 80 GB}")
        return None
    name = fields["input"].text("input")
    if name not in formula.inputs:
        hint = did_you_mean(name, formula.inputs) or f"inputs: {', '.join(formula.inputs)}"
        fields["input"].report(f'"{shorten(name)}" is not an input of the formula', hint)
        return None
    bound = fields[relations[0]].text(relations[0])
    try:
        parse_quantity(bound, formula.unit)
    except FormulaError as error:
        fields[relations[0]].report(error.message, error.hint)
        return None
    return Find(name, relations[0], bound, node.where)


def read_credits(node: Node | None, misconceptions: Iterable[str] = ()) -> dict[str, Fraction]:
    """`credit: {gib-for-gb: 50%}` — what a slip still earns."""
    made: dict[str, Fraction] = {}
    known = (*diagnose.ABOUT, *slips.ABOUT, *misconceptions)
    for name, entry in (node.mapping("credit") if node is not None else {}).items():
        if name not in known:
            hint = did_you_mean(name, known) or "see the diagnoses in docs/diagnosis.md"
            entry.report_key(f'no slip or misconception is named "{shorten(name)}"', hint)
        share = entry.share("credit", whole=False)
        if share is not None:
            made[name] = share
    return made


def slot_values(formula: Formula, fixed: Mapping[str, Drawn]) -> tuple[Value, ...]:
    """Bound inputs by slot from fixed values and defaults; 1 stands where a drawing or a search fills."""
    values: list[Value] = []
    for name, one in formula.inputs.items():
        drawn = fixed.get(name)
        value = drawn.value if drawn is not None else one.default
        values.append(1 if value is None else value)
    return tuple(values)
