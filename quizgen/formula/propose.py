"""The `require` that refuses the drawings in which a misconception cannot be told from the key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from quizgen.formula.definition import Formula
from quizgen.formula.inputs import Input, Value
from quizgen.formula.quantity import plain

MAX_NAMED = 4  # values that a proposal names one by one
MAX_REFUSED = 12


def proposal(formula: Formula, bad: Sequence[Mapping[str, Value]], good: Sequence[Mapping[str, Value]]) -> str:
    """A test over drawn names that every bad drawing fails and as many good ones as possible pass.

    Values are refused one by one, those first that cost no good drawing and clear most bad ones. Empty
    if no good drawing would be left.
    """
    names = tuple(bad[0]) if bad else ()
    refused: dict[str, set[Value]] = {name: set() for name in names}
    wrong, right = list(bad), list(good)
    for _ in range(MAX_REFUSED):
        if not wrong or not right:
            break
        name, value = _cheapest(names, wrong, right)
        refused[name].add(value)
        wrong = [drawing for drawing in wrong if drawing[name] != value]
        right = [drawing for drawing in right if drawing[name] != value]
    single = not wrong and bool(right)
    known = {name: {drawing[name] for drawing in (*bad, *good)} for name in names}
    parts = [_without(formula.inputs[n], values, known[n] - values) for n, values in refused.items() if values]
    if not single or not all(parts):
        return _of_two(formula, names, bad, good)
    return " and ".join(parts)


def _cheapest(
    names: tuple[str, ...], wrong: Sequence[Mapping[str, Value]], right: Sequence[Mapping[str, Value]]
) -> tuple[str, Value]:
    """The value whose refusal loses the fewest good drawings, then clears the most bad ones."""
    best: tuple[tuple[int, int, int, tuple[float, str]], str, Value] | None = None
    for number, name in enumerate(names):
        lost, cleared = Counter(d[name] for d in right), Counter(d[name] for d in wrong)
        for value, count in cleared.items():
            cost = (lost[value], -count, number, _order(value))
            if best is None or cost < best[0]:
                best = cost, name, value
    assert best is not None
    return best[1], best[2]


def _without(entry: Input, refused: set[Value], kept: set[Value]) -> str:
    """`K > 8`, `K < 64` or `K != 1 and K != 64`: whatever says it shortest."""
    if all(isinstance(value, int) or not isinstance(value, str | tuple) for value in (*refused, *kept)):
        low, high = sorted(kept, key=_size)[0], sorted(kept, key=_size)[-1]
        if all(_size(value) < _size(low) for value in refused):
            return f"{entry.name} >= {_literal(entry, low)}"
        if all(_size(value) > _size(high) for value in refused):
            return f"{entry.name} <= {_literal(entry, high)}"
    if any(isinstance(value, tuple) for value in refused) or len(refused) > MAX_NAMED:
        return ""
    return " and ".join(f"{entry.name} != {_literal(entry, value)}" for value in sorted(refused, key=_order))


def _of_two(
    formula: Formula, names: tuple[str, ...], bad: Sequence[Mapping[str, Value]], good: Sequence[Mapping[str, Value]]
) -> str:
    """`not (K == 8 and stage == 3)` for the few pairs of values that fail."""
    for one, two in combinations(names, 2):
        pairs = {(drawing[one], drawing[two]) for drawing in bad}
        if len(pairs) > 2 or any(isinstance(v, tuple) for pair in pairs for v in pair):
            continue
        if any((drawing[one], drawing[two]) not in pairs for drawing in good):
            first, second = formula.inputs[one], formula.inputs[two]
            return " and ".join(
                f"not ({one} == {_literal(first, a)} and {two} == {_literal(second, b)})"
                for a, b in sorted(pairs, key=lambda pair: (_order(pair[0]), _order(pair[1])))
            )
    return ""


def _size(value: Value) -> float:
    assert not isinstance(value, str | tuple)
    return float(value)


def _order(value: Value) -> tuple[float, str]:
    return (0.0, str(value)) if isinstance(value, str | tuple) else (_size(value), "")


def _literal(entry: Input, value: Value) -> str:
    """A value as an expression writes it: with its unit where that is more than a count."""
    if isinstance(value, str):
        return value
    if entry.kind.shape == "truth":
        return "true" if value else "false"
    number = entry.number_of(value)
    text = plain(Fraction(number) / 100 if entry.unit.symbol == "%" else number)  # % is the remainder in an expression
    if len(text) > 6 and text.endswith("000"):
        digits = text.rstrip("0")
        text = f"{digits}e{len(text) - len(digits)}"
    return text if entry.unit.dim.bare or entry.unit.dim.label else f"{text} {entry.unit.symbol}"
