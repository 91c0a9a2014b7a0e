"""Drawn figures: what they show by hand, what they refuse, and where items show them."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from pathlib import Path

import pytest
from shipped import BankOf

from quizgen import figures
from quizgen.commands.check import undrawable_figure_problems
from quizgen.figures import DRAW_AND_SETTING_NAMES_BY_KIND, FigureAmount, FigureError, FigureSetting, FigureSpec
from quizgen.formula.units import parse_unit
from quizgen.page import DrawnFigure
from quizgen.source.problems import Location

SVG = "{http://www.w3.org/2000/svg}"


def n(value: float, unit: str = "1") -> FigureAmount:
    return FigureAmount(float(value), f"{value:g}", parse_unit(unit).dim)


EXAMPLES: Mapping[str, Mapping[str, FigureSetting]] = {
    "pipeline-schedule": {"p": n(4), "m": n(6), "order": "1f1b"},
    "memory-bars": {"bars": {"one": {"weights": n(2), "rest": n(6)}}, "limit": n(10)},
    "rank-ring": {"n": n(8)},
    "rank-tree": {"n": n(7)},
    "timeline": {"rows": {"compute": {"forward": [n(0), n(20)]}, "network": {"gather": [n(5), n(40)]}}},
    "roofline": {"peak": n(1000), "bandwidth": n(10), "kernels": {"matmul": n(500), "softmax": n(1)}},
    "shard-table": {"ranks": n(3), "states": {"weights": "whole", "gradients": "sharded"}},
}


@pytest.mark.parametrize("kind", DRAW_AND_SETTING_NAMES_BY_KIND)
def test_each_kind_draws_harmless_svg_with_words(kind: str) -> None:
    """Well-formed, no script and no address in it; lines and words say what it shows."""
    made = figures.drawn_figure_of_kind(kind, EXAMPLES[kind])
    root = ET.fromstring(made.svg)
    assert root.tag == f"{SVG}svg"
    assert not re.search(r"script|href|\son\w+=", made.svg)
    assert made.terminal_lines
    assert made.alt.endswith(".")
    width = float(root.get("width") or 0)
    for box in root.iter(f"{SVG}rect"):
        assert float(box.get("x") or 0) + float(box.get("width") or 0) <= width + 0.01, "a box leaves the picture"


@pytest.mark.parametrize("order", ["gpipe", "1f1b"])
@pytest.mark.parametrize(("p", "m"), [(1, 1), (4, 6), (8, 3)])
def test_a_schedule_takes_the_time_it_should(p: int, m: int, order: str) -> None:
    """By hand: (m + p - 1) slots of a forward (1) and a backward (2), in either order; every piece after what it
    needs."""
    work = figures.schedule_passes_of_each_stage(p, m, order)
    ends = {(s, b, back): start + length for s, row in enumerate(work) for start, length, b, back in row}
    assert max(ends.values()) == 3 * (m + p - 1)
    for (stage, batch, back), end in ends.items():
        start = end - (2 if back else 1)
        if back and stage < p - 1:
            assert start >= ends[stage + 1, batch, True]
        if not back and stage:
            assert start >= ends[stage - 1, batch, False]
    assert all(len(row) == 2 * m for row in work)


def test_a_schedule_in_lines() -> None:
    """Two stages, two micro-batches, drawn by hand."""
    made = figures.drawn_figure_of_kind("pipeline-schedule", {"p": n(2), "m": n(2)})
    assert made.terminal_lines[0] == "stage 0  12···①①②②"
    assert made.terminal_lines[1] == "stage 1  ·12①①②②··"


def test_bars_are_as_long_as_their_amounts() -> None:
    """2, 6 and the limit of 10 over 440 pixels: 88, 264 and 440."""
    root = ET.fromstring(figures.drawn_figure_of_kind("memory-bars", EXAMPLES["memory-bars"]).svg)
    assert [float(box.get("width")) for box in root.iter(f"{SVG}rect")][1:3] == [88, 264]
    assert float(next(root.iter(f"{SVG}line")).get("x1")) == 110 + 440


def test_a_roofline_says_what_binds() -> None:
    """The ridge stands at 1000 / 10 = 100: 500 is bound by compute, 1 by memory."""
    lines = figures.drawn_figure_of_kind("roofline", EXAMPLES["roofline"]).terminal_lines
    assert "ridge at 100 FLOP/B" in lines[0]
    assert lines[1].split()[-1] == "500", "a bare number is in FLOP/B; what bounds it may be what is asked"
    assert lines[2].split()[-1] == "1"
    own = figures.drawn_figure_of_kind(
        "roofline", {**EXAMPLES["roofline"], "kernels": {"own": FigureAmount(20.0, "20 FLOP/B")}}
    )
    assert own.terminal_lines[1].endswith(" 20 FLOP/B")
    assert "FLOP/B FLOP/B" not in own.alt


def test_a_roofline_of_quantities_counts_bytes() -> None:
    """An H100: 989 TFLOP/s over 3.35 TB/s is 295 FLOP a byte, whatever the units are counted in."""
    drawn = []
    for own in ("600 FLOP/B", "600"):
        settings = {"peak": "989 TFLOP/s", "bandwidth": "3.35 TB/s", "kernels": {"own": own}}
        spec = FigureSpec("roofline", settings, "", Location("", 1, 1))
        drawn.append(figures.drawn_figure_of_kind("roofline", spec.settings_with_amounts({})))
    assert "ridge at 295 FLOP/B" in drawn[0].terminal_lines[0]
    assert drawn[0].svg == drawn[1].svg


def test_a_terminal_says_what_the_picture_says() -> None:
    """Amounts of parts, whole names of states, and spans that are too short for their name."""
    parts = {"products": FigureAmount(60e9, "60 GB"), "orders": FigureAmount(16e9, "16 GB")}
    bars = figures.drawn_figure_of_kind("memory-bars", {"bars": {"shop": parts}})
    assert bars.terminal_lines[1].split(None, 0) == ["products 60 GB, orders 16 GB"]
    shards = figures.drawn_figure_of_kind(
        "shard-table", {"ranks": n(1), "states": {"products": "whole", "orders": "sharded"}}
    )
    assert shards.terminal_lines[0].split() == ["products", "orders"]
    assert shards.svg.count('<text x="60"') == 1
    spans = {"a": {"wait": [n(0), n(1)], "pack": [n(1), n(40)]}}
    line = figures.drawn_figure_of_kind("timeline", {"rows": spans})
    assert line.terminal_lines[-1].split(None, 0) == ["wait: 0 to 1"]
    assert ">wait</text>" in line.svg


@pytest.mark.parametrize(
    ("kind", "settings", "told"),
    [
        ("pipelin", {}, 'there is no figure "pipelin"'),
        ("pipeline-schedule", {"p": n(4), "m": n(2.5)}, "`m` must be a whole number"),
        ("pipeline-schedule", {"p": n(99), "m": n(2)}, "from 1 to 16"),
        ("pipeline-schedule", {"p": n(2), "m": n(2), "order": "zigzag"}, "`order` is not zigzag"),
        ("rank-ring", {"n": n(4), "size": n(2)}, "there is no setting `size`"),
        ("memory-bars", {"bars": {"a": {"b": "many"}}}, "must name parts and their amounts"),
        ("memory-bars", {}, "`bars` must name"),
        ("memory-bars", {"bars": {"a": {"b": n(1), "c": n(2, "s")}}}, "2 is a time (s): one scale"),
        ("timeline", {"rows": {"a": {"b": [n(3), n(1)]}}}, "must name spans with their ends"),
        ("roofline", {"peak": n(1), "bandwidth": n(0), "kernels": {}}, "`bandwidth` must be a number above 0"),
        ("roofline", {"peak": n(1), "bandwidth": n(1), "kernels": {"a": n(1), "b": n(0)}}, "give intensities above 0"),
        ("timeline", {"rows": {"a": {f"{k}": [n(k), n(k + 1)] for k in range(2100)}}}, "too many parts"),
        ("shard-table", {"ranks": n(2), "states": {"w": "half"}}, "sharded or whole"),
    ],
)
def test_what_cannot_be_drawn_says_what_to_write(kind: str, settings: Mapping[str, FigureSetting], told: str) -> None:
    with pytest.raises(FigureError) as error:
        figures.drawn_figure_of_kind(kind, settings)
    assert told in str(error.value) or told in error.value.hint
    assert error.value.hint


BANK = (Path(__file__).parent / "data" / "figures.yaml").read_text(encoding="utf-8")


def test_each_variant_draws_its_own_values(bank_of: BankOf) -> None:
    loaded = bank_of(BANK)
    assert not loaded.errors

    def pictured(name: str, number: int, part: str = "prompt") -> str:
        blocks = getattr(loaded.required_bank.items[name].nth_seed_variant(number), part)()
        return next(block.alt for block in blocks if isinstance(block, DrawnFigure))

    assert "2 pipeline stages" in pictured("bubble", 0)
    assert "4 pipeline stages" in pictured("bubble", 3)
    assert "4 ranks in a ring" in pictured("both", 1)
    assert pictured("bubble", 3, "solution") == "Memory. step: work 8, bubble 3."
    assert pictured("tree", 0) == "A tree of seven."


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("p: p, m: m}", "p: p, m: idle}", "the figure of the stem shows idle, a step of the derivation"),
        ("kind: rank-tree, n: 7", "n: 7", "a drawn figure needs `kind`"),
        ("kind: rank-tree", "kind: rank-bush", 'there is no figure "rank-bush"'),
        ("n: 7", "n: 70", "from 2 to 31"),
        ("p: [2, 4]", "p: [2, 32]", "a whole number from 1 to 16, not 32"),
    ],
)
def test_check_refuses_at_its_place(bank_of: BankOf, old: str, new: str, told: str) -> None:
    assert old in BANK
    loaded = bank_of(BANK.replace(old, new))
    items = loaded.bank.items.values() if loaded.bank else ()
    found = [str(p) for p in loaded.problems] + [str(p) for i in items for p in undrawable_figure_problems(i)]
    assert any(told in p and "items.yaml:" in p for p in found), found
