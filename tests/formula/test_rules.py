"""Each rule of the reader: its own examples are read, and no longer are once the rule is gone."""

from __future__ import annotations

from fractions import Fraction

import pytest

from quizgen.formula.reading import roles
from quizgen.formula.reading.answer import Asked, Reading, Refusal
from quizgen.formula.reading.chart import LAYERS
from quizgen.formula.reading.grammar import Example, Layer, Rule
from quizgen.formula.reading.lexicon import Lexicon
from quizgen.formula.reading.read import _read_any
from quizgen.formula.reading.remarks import with_stem
from quizgen.formula.reading.roles import ROLES, Role
from quizgen.formula.reading.span import Context, Span
from quizgen.formula.units import parse_unit

from .spellings import _amount

RULES = [(n, rule) for n, layer in enumerate(LAYERS) for rule in layer.rules]
NAMES = sorted({(n, rule.name) for n, rule in RULES})


def comes_to(example: Example, layers: tuple[Layer, ...] = LAYERS, stem: str = "") -> bool:
    """Whether an example comes to its result: an amount (or several), or a refusal with these words."""
    own = Lexicon.of({"rq/s": parse_unit("request/s")})
    asked = Asked(
        parse_unit(example.asked, (("month",),)), nouns=frozenset({"rows"}), periods=(parse_unit("day"),), lexicon=own
    )
    asked = with_stem(asked, stem) if stem else asked
    found = _read_any(example.text, asked, layers)
    if not example.result[:1].isdigit() and example.result[:1] != "-":
        return isinstance(found, Refusal) and example.result in found.reason
    if isinstance(found, Refusal):
        return False
    if example.asked == "month":
        return bool(found.base == int(example.result.split()[0]))
    wanted, dim, _ = _amount(example.result)
    close = abs(Fraction(found.base) - wanted) <= abs(wanted) / 10**9
    return close and (found.bare or found.unit.dim == dim)


@pytest.mark.parametrize(("layer", "rule"), RULES, ids=[f"{n}-{r.name}-{r.pattern}" for n, r in RULES])
def test_examples_of_a_rule(layer: int, rule: Rule) -> None:
    assert rule.reads
    assert [e for e in (*rule.reads, *rule.refuses) if not comes_to(e)] == []


@pytest.mark.parametrize(("layer", "name"), NAMES)
def test_without_a_rule_its_example_fails(layer: int, name: str) -> None:
    left = tuple(one.without(name) if n == layer else one for n, one in enumerate(LAYERS))
    examples = [e for n, rule in RULES if n == layer and rule.name == name for e in rule.reads]
    assert not all(comes_to(example, left) for example in examples)


@pytest.mark.parametrize("role", ROLES, ids=[role.name for role in ROLES])
def test_examples_of_a_role(role: Role, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [e for e in (*role.reads, *role.refuses) if not comes_to(e, LAYERS, role.stem)] == []
    monkeypatch.setattr(roles, "ROLES", tuple(one for one in ROLES if one is not role))
    assert role.reads
    assert not all(comes_to(example, LAYERS, role.stem) for example in role.reads)


def test_a_refusal_is_no_reading() -> None:
    assert not isinstance(_read_any("bananas", Asked(parse_unit("GB"))), Reading)


def test_a_rule_that_makes_its_own_pattern_anew_comes_to_an_end() -> None:
    again = Layer([Rule("again", "NUMBER", lambda context, parts, place: parts[0], ())])
    number = Span("NUMBER", "3", 0, 1, False)
    assert again.compose([number, number], Context(Asked(parse_unit("GB")))) == [number, number]
