"""Keys of numeric items from the words of their files: units, drawings and searches of its own, no engine.

An item file is read as text; amounts become exact rationals in the unit that the formula declares,
the closed forms do the arithmetic, and the answer is told in the unit that the item asks for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from oracles.closed_forms import FORMS
from quizgen.source import yaml

BANKS = Path(__file__).resolve().parents[2] / "banks"

PREFIXES = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15, "E": 10**18}
PREFIXES |= {f"{letter}i": 1024**n for n, letter in enumerate("KMGTP", 1)}
ATOMS: dict[str, Fraction] = {
    **{f"{p}B": Fraction(8 * f) for p, f in PREFIXES.items()},
    **{f"{p}b": Fraction(f) for p, f in PREFIXES.items()},
    **{f"{p}{u}": Fraction(f * s) for u, s in (("FLOP", 1), ("W", 1), ("Wh", 3600)) for p, f in PREFIXES.items()},
    "us": Fraction(1, 10**6),
    "ms": Fraction(1, 1000),
    "s": Fraction(1),
    "min": Fraction(60),
    "h": Fraction(3600),
    "day": Fraction(86400),
    "year": Fraction(365 * 86400),
    "%": Fraction(1, 100),
    "1": Fraction(1),
}
# All that counts something, or is money, is worth itself.
LABELS = [
    "param", "token", "GPU", "rank", "step", "sample", "sequence", "layer", "expert", "writer", "worker", "bucket",
    "message", "checkpoint", "failure", "USD", "lr", "nats", "all-reduce", "micro-batch", "commit", "object", "push",
]  # fmt: skip


def factor(unit: str) -> Fraction:
    """What one of a unit is worth: `GB/s` is 8e9 bits a second, `USD/GPU-h` a dollar in 3600 GPU-seconds."""
    over, *under = unit.split("/")
    return _product(over) / prod((_product(one) for one in under), start=Fraction(1))


def _product(unit: str) -> Fraction:
    if unit in ATOMS:
        return ATOMS[unit]
    if unit in LABELS:
        return Fraction(1)
    left, dash, right = unit.partition("-")
    assert dash, f"no unit {unit!r}"
    return _product(left) * _product(right)


NUMBER = re.compile(r"([-+]?[\d.]+(?:e[-+]?\d+)?(?:/\d+)?)\s*(.*)", re.IGNORECASE)


def amount(text: str, unit: str) -> Any:
    """An amount in `unit`, an int where it is whole."""
    match = NUMBER.fullmatch(text.strip())
    assert match, text
    value = Fraction(match[1])
    if match[2]:
        value = value * factor(match[2]) / factor(unit)
    return value.numerator if value.denominator == 1 else value


def input_value(text: str, declared: Mapping[str, Any]) -> Any:
    """What an input's text means: an amount, a list of them, a word, or yes and no."""
    if words := declared.get("one_of"):
        if set(words) <= {"true", "false"}:
            return text in ("yes", "true", "1")
        if text in words:
            return text
    unit = declared.get("unit", "1")
    if declared.get("list") == "true":
        return [amount(one, unit) for one in text.split(",")]
    return amount(text, unit)


@dataclass(frozen=True)
class Source:
    """A numeric item as its file has it: all text. `declared` is the formula's own entry."""

    id: str
    item: Mapping[str, Any]
    formula: str
    declared: Mapping[str, Any]

    def drawings(self) -> Iterator[dict[str, str]]:
        """Every drawing, whether or not `require` lets it pass."""
        axes = [self.item["cases"]] if "cases" in self.item else []
        for name, values in self.item.get("draw", {}).items():
            axes.append([{name: one} for one in (values if isinstance(values, list) else _range(values))])
        for rows in product(*axes):
            yield {name: text for row in rows for name, text in row.items()}

    def inputs(self, drawing: Mapping[str, str]) -> dict[str, Any]:
        texts = {**self.item.get("with", {}), **drawing}
        found = {}
        for name, declared in self.declared["inputs"].items():
            text = texts.get(name, declared.get("default"))
            if text is not None:
                found[name] = input_value(text if isinstance(text, str) else ",".join(text), declared)
        return found

    def key(self, drawing: Mapping[str, str], forms: Mapping[str, Callable[..., Any]]) -> Any:
        """The answer in the unit asked for; None where there is none."""
        form = forms[self.formula]
        inputs = self.inputs(drawing)
        own = self.declared.get("unit", "1")
        asked = self.item.get("answer", {}).get("unit")
        if "find" in self.item:
            own, found = self._search(form, inputs)
        else:
            found = form(**inputs)
        if found is None or isinstance(found, bool | str | list):
            return found
        scale = factor(own) / factor(asked) if asked else Fraction(1)
        return found * float(scale) if isinstance(found, float) else found * scale

    def _search(self, form: Callable[..., Any], inputs: dict[str, Any]) -> tuple[str, int]:
        """The first whole value that keeps the bound, tried one by one."""
        find = dict(self.item["find"])
        name = find.pop("input")
        ((relation, bound),) = find.items()
        limit = amount(bound, self.declared.get("unit", "1"))
        keeps = {"at_most": lambda x: x <= limit, "at_least": lambda x: x >= limit}[relation]
        for tried in range(1, 100_000):
            if keeps(form(**{**inputs, name: tried})):
                return self.declared["inputs"][name].get("unit", "1"), tried
        raise AssertionError(f"{self.id}: nothing found")


def _range(written: Mapping[str, str]) -> list[str]:
    low, high, step = (Fraction(written.get(name, "1").split()[0]) for name in ("from", "to", "step"))
    unit = "".join(written["from"].split()[1:])
    return [f"{low + n * step} {unit}".strip() for n in range(int((high - low) / step) + 1)]


def plain(node: Any) -> Any:
    """A node of a YAML file as text, lists and mappings."""
    value = node.value
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list) else value


def sources(bank: str) -> list[Source]:
    """The numeric items of a shipped bank."""
    tops = [plain(yaml.read_yaml_with_problems(path)[0]) for path in sorted((BANKS / bank).glob("*.yaml"))]
    formulas = {name: one for top in tops for name, one in top.get("formulas", {}).items()}
    found = []
    for item in (item for top in tops for item in top.get("items", []) if item["kind"] == "numeric"):
        name, own = (item["id"], item["formula"]) if isinstance(item["formula"], dict) else (item["formula"], None)
        found.append(Source(item["id"], item, name, own or formulas[name]))
    return found


def _bisections(n: int) -> int:
    tests = 0
    while 2**tests < n:
        tests += 1
    return tests


# Formulas that an item holds itself, by the item's id.
INLINE: dict[str, Callable[..., Any]] = {
    "bisect-tests": _bisections,
    "abbreviation-collisions": lambda n, d: Fraction(n * (n - 1), 2 * 16**d),
    "all-to-all-nvl72": lambda T_local, h, k, ep, bw: Fraction(4 * T_local * k * h * 1_000_000 * (ep - 1)) / (ep * bw),
    "cache-handover": lambda s, L, n_kv, d_head, ports, bw: Fraction(4000 * s * L * n_kv * d_head) / (ports * bw),
    "straggler-two-causes": lambda n, t, slow, c: Fraction(slow - t) / (slow + c),
    "commits-not-in-main": lambda back, own, side: own + side,
    "octopus-parents": lambda n, m, o: (n - 1) + m + 3 * o,
    "trees-after-an-edit": lambda d: d + 3,
    "snapshots-without-packing": lambda size, n, ratio: (n + 1) * size * ratio,
    "packed-versions": lambda n, size, ratio, delta: Fraction(n * size * ratio) / (size * ratio + (n - 1) * delta),
    "shallow-clone-size": lambda pack, commits, tree: Fraction(tree) / pack,
    "hash-birthday": lambda bits: 1 << (bits // 2),
    "bisect-with-skips": lambda n, t: _bisections(n + 1) * t,
    "pushes-per-day": lambda rate, t: Fraction(rate * t) / 3600,
    "conflict-odds": lambda p, n: 1 - Fraction(1 - Fraction(p)) ** n,
    "clone-time": lambda size, rate: Fraction(8 * size) / rate,
}
ALL: dict[str, Callable[..., Any]] = {**FORMS, **INLINE}
