"""What `quizgen solve` prints for a person: the derivation, or an inverse problem with its checks."""

from __future__ import annotations

from quizgen.formula.definition import Answer
from quizgen.formula.derive import shown_input
from quizgen.formula.quantity import grouped, plain
from quizgen.formula.show import amount, number, shown
from quizgen.formula.solving import RELATIONS
from quizgen.formula.solving.find import Checked, Inverse


def inverse_lines(found: Inverse) -> tuple[str, ...]:
    """`K = 14`, then the check at the answer and at its neighbour."""
    formula, target = found.formula, found.target
    entry = formula.inputs[target]
    bound = amount(found.bound, None)
    asked = f"{RELATIONS[found.relation]} {bound}"
    gives = bound if found.relation == "equals" else asked
    lines = [f"{formula.title or formula.name}: {entry.about} ({target}) for an answer {asked}", ""]
    if found.status != "found":
        none = f"impossible, no {target} among the {found.domain} gives {gives}"
        every = f"unbounded, every {target} that was tried gives {gives}"
        lines.append(f"Answer: {none if found.status == 'impossible' else every}")
        if found.at is not None:
            lines.append(f"  even {_at(found, found.at)}")
        return tuple(lines)
    assert found.at is not None
    value = shown_input(entry, found.at.value)
    if found.strict:
        side = "above" if found.sense == "smallest" else "below"
        lines.append(f"Answer: every {target} {side} {value}, but not {value} itself")
    else:
        sense = {"smallest": "the smallest", "largest": "the largest"}.get(found.sense, "the value")
        lines.append(f"Answer: {target} = {value}, {sense} among the {found.domain}")
    lines.append(f"  {_at(found, found.at)}: {_verdict(found.at)}")
    if found.beside is not None:
        lines.append(f"  {_at(found, found.beside)}: {_verdict(found.beside)}")
    else:
        lines.append(f"  {target} = {value} is the end of its domain")
    return tuple(lines)


def _verdict(one: Checked) -> str:
    return "holds" if one.holds else "fails"


def _at(found: Inverse, one: Checked) -> str:
    entry = found.formula.inputs[found.target]
    value = grouped(plain(entry.number_of(one.value))) if entry.whole else number(entry.number_of(one.value), 10)
    gives = "no value" if one.answer is None else _precise(found, one.answer)
    unit = "" if entry.unit.symbol == "1" else f" {entry.unit.after(value)}"
    return f"{found.target} = {value}{unit} gives {gives}"


def _precise(found: Inverse, answer: Answer) -> str:
    """With as many figures as it takes to tell the answer from the bound."""
    bound = shown(found.formula, found.bound.base)
    short = shown(found.formula, answer)
    return shown(found.formula, answer, None, 10) if short == bound else short
