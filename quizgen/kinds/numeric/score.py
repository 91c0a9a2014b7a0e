"""Scoring a numeric response: read it, compare it with the derived key, say which mistake it came from."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from quizgen.blocks import Block, Bullets, ShownStep, Steps, para
from quizgen.figures.canvas import DrawnAmount
from quizgen.figures.spec import amount_of
from quizgen.formula import diagnose
from quizgen.formula.definition import Evaluation
from quizgen.formula.derive import derive
from quizgen.formula.diagnose import Target
from quizgen.formula.errors import FormulaError
from quizgen.formula.follow import Followed, follow, steps_of
from quizgen.formula.quantity import Quantity, in_unit, parse_quantity
from quizgen.formula.reading.read import Reading, Refusal, read
from quizgen.formula.show import in_asked
from quizgen.formula.solve_text import inverse_lines
from quizgen.formula.solving.find import Inverse, find
from quizgen.formula.target import plain_answer
from quizgen.kinds.numeric.task import NumericTask
from quizgen.model import ZERO, Mark, Outcome, Sample, Score

Evaluated = Callable[[], Evaluation]

# What a response in several steps holds: an equation, a list, or a comma before a name.
_STEPS = re.compile(r"[=:;\n]|,\s+[^\W\d]")


def inverse(item: NumericTask, evaluated: Evaluated) -> Inverse:
    """The search of an inverse problem. Raises FormulaError."""
    assert item.find is not None
    evaluation = evaluated()
    given = {
        name: Quantity(in_unit(value, entry.unit), entry.unit) if isinstance(value, int | float | Fraction) else value
        for (name, entry), value in zip(item.formula.inputs.items(), evaluation.values, strict=False)
        if name != item.find.input
    }
    bound = parse_quantity(item.find.bound, item.formula.unit)
    return find(item.formula, given, item.find.input, item.find.relation, bound)


def target(item: NumericTask, evaluated: Evaluated) -> Target:
    """What a response is held against. Raises FormulaError for a drawing without a key."""
    if item.find is None:
        return diagnose.target(evaluated(), item.asked.unit, item.asked.tolerance, None, item.asked.credits)
    found = inverse(item, evaluated)
    sought = item.formula.inputs[item.find.input]
    key = found.at.value if found.status == "found" and found.at is not None else found.status
    return Target(key, item.asked.unit, item.asked.tolerance, sought.whole, credits=item.asked.credits)


def key_text(item: NumericTask, evaluated: Evaluated) -> str:
    """The key in one line, to four significant figures; where it has to be exact, in full."""
    try:
        wanted = target(item, evaluated)
    except FormulaError as error:
        return f"none ({error.message})"
    if isinstance(wanted.key, bool | str | tuple):
        return diagnose.key_text(wanted)
    return in_asked(wanted.key, item.asked.unit, 4 if wanted.tolerance else 30)


def worked(item: NumericTask, evaluated: Evaluated) -> tuple[Block, ...]:
    """The derivation, or for an inverse problem the search with its checks."""
    try:
        if item.find is not None:
            title, *lines = [line.strip() for line in inverse_lines(inverse(item, evaluated)) if line]
            return para(title), Bullets(tuple((para(line),) for line in lines))
        made = derive(evaluated(), item.asked.unit)
    except FormulaError as error:
        return (Steps(item.formula.title, item.formula.source, (), (), f"no value: {error.message}"),)
    givens = tuple((line.name, line.value, line.about) for line in (*made.givens, *made.constants))
    steps = tuple(ShownStep(s.name, s.expression, s.substituted, s.value) for s in made.steps)
    return (Steps(made.title, made.source, givens, steps, made.result, made.convention, made.sanity),)


def reading_of(item: NumericTask, text: str, filled: Callable[[], str]) -> Reading | Refusal:
    """What a response says: as a whole, else its last part after parts that lead to it. No key is looked at; `filled`
    makes the stem as the candidate sees it."""
    reading = read(text, item.asked.against, filled)
    if (
        isinstance(reading, Refusal)
        and not reading.blank
        and item.find is None
        and item.asked.against.shape == "number"
    ):
        parts = steps_of(text)
        if parts:
            last = read(parts[-1].text, item.asked.against, filled)
            return reading if isinstance(last, Refusal) and last.blank else last
    return reading


def score(item: NumericTask, evaluated: Evaluated, text: str, filled: Callable[[], str]) -> Score:
    """Never raises, whatever the text."""
    if item.find is None and _STEPS.search(text):
        stepped = _in_steps(item, evaluated, text)
        if stepped is not None:
            return stepped
    reading = reading_of(item, text, filled)
    if isinstance(reading, Refusal) and reading.blank:
        return Score(Outcome.BLANK, (_mark(item, ZERO, "nothing was given"),))
    if isinstance(reading, Refusal):
        return Score(Outcome.UNREADABLE, (_mark(item, ZERO, reading.reason),), None, None, (reading.reason,))
    try:
        if item.find is None:
            asked, key = item.asked, plain_answer(evaluated().answer)
            for one in (reading, *reading.others):
                if diagnose.is_right(one, key, asked.unit, asked.tolerance):
                    return _correct(item, one.read_as)
        wanted = target(item, evaluated)
    except FormulaError as error:
        why = f"this drawing has no key ({error.message}): tell whoever keeps the bank to run quizgen check"
        return Score(Outcome.UNREADABLE, (_mark(item, ZERO, why),), reading.read_as, None, (why,))
    verdict = diagnose.diagnose(reading, wanted) if item.find is not None else diagnose.mistake(reading, wanted)
    read_as = verdict.reading.read_as
    if verdict.right:
        return _correct(item, read_as)
    earned = item.points * verdict.credit
    because = f"read as {read_as}, not the key"
    if verdict.id:
        because += f" ({verdict.id})"
    outcome = Outcome.PARTIAL if earned else Outcome.INCORRECT
    say = (verdict.say,) if verdict.say else ()
    return Score(outcome, (_mark(item, earned, because),), read_as, verdict.id, say)


def amount(item: NumericTask, text: str) -> Fraction | None:
    """The number that a text gives, in the asked unit; None where it gives none."""
    reading = read(text, item.asked.against)
    if isinstance(reading, Refusal) or isinstance(reading.value, bool | str | tuple):
        return None
    return Fraction(in_unit(reading.base, item.asked.unit))


def amounts(item: NumericTask, evaluated: Evaluated, steps: bool) -> dict[str, DrawnAmount]:
    """Values for a figure by name: inputs but one that is an earlier answer, and with `steps` each step."""
    try:
        evaluation = evaluated()
    except FormulaError:
        return {}
    entries = [(name, entry.unit) for name, entry in item.formula.inputs.items()]
    entries += [(step.name, step.unit) for step in item.formula.steps]
    known = item.formula.inputs.keys() - ({item.after_as} if not steps else set())
    return {
        name: amount_of(Quantity(in_unit(value, unit), unit))
        for (name, unit), value in zip(entries, evaluation.values, strict=False)
        if isinstance(value, int | float | Fraction) and not isinstance(value, bool) and (steps or name in known)
    }


def _correct(item: NumericTask, read_as: str) -> Score:
    because = f"read as {read_as}, the key{item.asked.within}"
    return Score(Outcome.CORRECT, (Mark("value", item.points, item.points, because, "found"),), read_as)


def _in_steps(item: NumericTask, evaluated: Evaluated, text: str) -> Score | None:
    """The score of a response that gives intermediate steps; None if it gives only an answer."""
    try:
        evaluation = evaluated()
        wanted = target(item, evaluated)
    except FormulaError:
        return None
    followed = follow(text, evaluation, item.asked.against, wanted)
    if not isinstance(followed, Followed):
        return None
    marks = [
        Mark(
            m.name,
            m.earned * item.points,
            m.share * item.points,
            m.because,
            m.status,
            ((m.start, m.end),) if m.start >= 0 else (),
        )
        for m in followed.marks
    ]
    earned = sum((m.earned for m in marks), ZERO)
    verdict = followed.verdict
    if followed.earned * item.points > earned:
        marks.append(
            Mark(str(verdict.id), followed.earned * item.points - earned, ZERO, "credit for the mistake named")
        )
        earned = followed.earned * item.points
    outcome = Outcome.CORRECT if earned == item.points else Outcome.PARTIAL if earned else Outcome.INCORRECT
    say = (verdict.say,) if verdict.say and not verdict.right else ()
    return Score(outcome, tuple(marks), verdict.reading.read_as, None if verdict.right else verdict.id, say)


def samples(item: NumericTask, evaluated: Evaluated) -> tuple[Sample, ...]:
    """Responses at 0.99 and 1.01 of the tolerance, the key, a blank, unreadable texts."""
    found = [Sample("", Outcome.BLANK, ZERO), Sample("hard to say", Outcome.UNREADABLE, ZERO)]
    if item.formula.kind != "tuple":  # three numbers are an answer where three are asked
        found.append(Sample("31 or 32 or 33", Outcome.UNREADABLE, ZERO))
    try:
        key = target(item, evaluated).key
    except FormulaError:
        return tuple(found)  # told by the proof, which names the drawing
    if isinstance(key, bool):
        yes, no = ("yes", "no") if key else ("no", "yes")
        return (*found, Sample(yes, Outcome.CORRECT, item.points), Sample(no, Outcome.INCORRECT, ZERO))
    if isinstance(key, str):
        return (*found, Sample(key, Outcome.CORRECT, item.points), Sample("17", Outcome.INCORRECT, ZERO))
    if isinstance(key, tuple):
        text = ", ".join(str(part) for part in key)
        return (*found, Sample(f"({text})", Outcome.CORRECT, item.points))
    unit = item.asked.unit
    value = Fraction(in_unit(key, unit))
    tail = "" if unit.dim.bare and unit.symbol != "%" else f" {unit.symbol}"
    edge = item.asked.tolerance
    if edge and value:
        for hair, outcome in ((Fraction(99, 100), Outcome.CORRECT), (Fraction(101, 100), None)):
            for share in (1 - edge * hair, 1 + edge * hair):
                response = f"{float(value * share):.12g}{tail}"  # as a person with a calculator would copy it
                if outcome is not None:
                    found.append(Sample(response, outcome, item.points))
                elif not item.asked.credits:
                    found.append(Sample(response, Outcome.INCORRECT, ZERO))
    elif value.denominator == 1 and abs(value) < 10**15:
        found.append(Sample(f"{value}{tail}", Outcome.CORRECT, item.points))
        if not item.asked.credits:
            found.append(Sample(f"{value + 1}{tail}", Outcome.INCORRECT))
    return tuple(found)


def _mark(item: NumericTask, earned: Fraction, because: str) -> Mark:
    status = "found" if earned == item.points else "partial" if earned else "missing"
    return Mark("value", earned, item.points, because, status)
