"""Charts of the debrief: where things stand, and that no label lies on another."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from quizgen.render.debrief_html import score_scale_chart_values
from quizgen.render.html import jinja_environment


def drawn(macro: str, *arguments: object) -> Element:
    """The SVG that a macro of templates/charts.html makes."""
    made = getattr(jinja_environment().get_template("charts.html").module, macro)(*arguments)
    found = ElementTree.fromstring(made).find("svg")
    assert found is not None
    return found


def of_class(chart: Element, name: str, *attributes: str) -> list[tuple[float, ...]]:
    """Attributes of the shapes of a class, as numbers."""
    return [tuple(float(s.attrib[a]) for a in attributes) for s in chart if s.get("class") == name]


def texts(chart: Element) -> list[tuple[float, float, float, str]]:
    """Left, right and base line of each text, a letter taken as seven pixels wide, and the text."""
    made = []
    for shape in chart.findall("text"):
        said, x = shape.text or "", float(shape.attrib["x"])
        left = x - 7 * len(said) if shape.get("text-anchor") == "end" else x
        made.append((left, left + 7 * len(said), float(shape.attrib["y"]), said))
    return sorted(made)


@pytest.mark.parametrize("passed", [0.58, 0.6, 0.97, 1.0])
def test_labels_of_the_scale_never_lie_on_each_other(passed: float) -> None:
    """The pass mark at a band's bound, beside one, and at the end; bands two percent wide."""
    starts = [0.0, 0.55, 0.57, 0.6, 0.9, 0.98]
    bands = [(start, "Name") for start in starts]
    chart = drawn("scale", "Scale", score_scale_chart_values(0.5, "50 %", bands, passed))
    labels = [one for one in texts(chart) if one[2] > 70]
    assert len(labels) == len({*starts, passed})
    assert sum("pass" in said for _, _, _, said in labels) == 1
    for index, (left, right, base, _) in enumerate(labels):
        assert left >= 0
        assert right <= float(chart.attrib["width"])
        assert base <= float(chart.attrib["height"])
        assert all(b != base or left >= r or right <= x for x, r, b, _ in labels[:index])


@pytest.mark.parametrize(
    ("share", "reached", "at"),
    [(0.0, 0.0, 0.0), (0.5, 320.0, 320.0), (0.62, 320.0, 396.8), (1.0, 576.0, 640.0), (1.2, 576.0, 640.0)],
)
def test_the_scale_shows_where_a_score_stands(share: float, reached: float, at: float) -> None:
    """Bands from 0, 50 and 90 % of 640 pixels: a bound belongs to the band above it. Bonus points may bring a score over
    its form's: it stands in the last band."""
    bands = [(0.0, "Low"), (0.5, "Middle"), (0.9, "High")]
    chart = drawn("scale", "Scale", score_scale_chart_values(share, "score", bands, 0.6))
    assert of_class(chart, "here", "x") == [(reached,)]
    assert of_class(chart, "score", "x1") == [(at,)]
    assert of_class(chart, "plan", "x1") == [(384.0,)]
    assert chart.attrib["aria-label"] == "score; Low from 0 %, Middle from 50 %, High from 90 %"


def test_bars_and_ticks_stand_where_they_should() -> None:
    """On 230 pixels behind names of 170: half of it, nothing below 0 and no more than all; 90 of 120 s used where 30
    were planned, and the longest is the scale."""
    shares = drawn("shares", "Points", [("a", 0.5, "50 %"), ("b <c>", -1, "none"), ("d", 3, "all")])
    assert of_class(shares, "bar", "x", "width") == [(170, 115), (170, 0), (170, 230)]
    assert shares.attrib["aria-label"] == "a: 50 %; b <c>: none; d: all"
    spans = drawn("spans", "Way", [("Mon", 0.25, 0.75, 0.5)])
    assert of_class(spans, "bar", "x", "width") == [(227.5, 115.0)]
    assert of_class(spans, "plan", "x1") == [(285.0,)]
    assert spans.attrib["aria-label"] == "Mon: 25 to 75 %"

    def result(number: str, seconds: float, budget: float, name: str = "x") -> Any:
        state = SimpleNamespace(seconds_until_response=seconds, item=SimpleNamespace(id=name))
        return SimpleNamespace(item_number_text=number, state=state, time_budget_seconds=budget)

    long = drawn("pace", "Pace", [result("12", 9, 30, "tensor-parallel-inside-a-node")])
    assert all(8 * len(said) < 170 for left, _, _, said in texts(long) if left < 170), "8 px a letter of DejaVu Sans 13"
    pace = drawn("pace", "Pace", [result("1", 90, 30), result("2", 60, 120)])
    assert of_class(pace, "over", "width") == [(172.5,)]
    assert of_class(pace, "bar", "width") == [(115,)]
    assert of_class(pace, "plan", "x1") == [(227.5,), (400,)]


def test_no_bubble_leaves_the_chart_and_a_legend_says_what_it_is() -> None:
    """Many items, always right and always wrong: the bubbles and their numbers stay within."""
    chart = drawn("calibration", "Confidence", [(40, 0.9, 1.0), (40, 0.1, 0.0)])
    height = float(chart.attrib["height"])
    dots = of_class(chart, "dot", "cy", "r")
    assert len(dots) == 2
    assert all(radius <= y <= height - radius for y, radius in dots)
    assert all(10 <= base <= height for _, _, base, _ in texts(chart))
    assert "confidence, 1 to 5" in " ".join(said for *_, said in texts(chart))
