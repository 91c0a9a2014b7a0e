"""Charts of the debrief: where things stand, and that no label lies on another."""

from __future__ import annotations

import pytest

from quizgen.render import charts


def places(chart: charts.Chart) -> list[tuple[float, float, float]]:
    """Left, right and base line of each text under the scale, a letter taken as seven pixels wide."""
    made = []
    for s in chart.shapes:
        if s.kind == "text" and s.y > 70:
            left = s.x - 7 * len(s.text) if s.anchor == "end" else s.x
            made.append((left, left + 7 * len(s.text), s.y))
    return sorted(made)


@pytest.mark.parametrize("passed", [0.58, 0.6, 0.97, 1.0])
def test_labels_of_the_scale_never_lie_on_each_other(passed: float) -> None:
    """The pass mark at a band's bound, beside one, and at the end; bands two percent wide."""
    starts = [0.0, 0.55, 0.57, 0.6, 0.9, 0.98]
    chart = charts.scale("Scale", 0.5, "50 %", [(start, "Name") for start in starts], passed)
    labels = places(chart)
    assert len(labels) == len({*starts, passed})
    assert sum("pass" in s.text for s in chart.shapes if s.kind == "text") == 1
    for index, (left, right, base) in enumerate(labels):
        assert left >= 0
        assert right <= chart.width
        assert base <= chart.height
        assert all(b != base or left >= r or right <= x for x, r, b in labels[:index])


def test_the_scale_shows_where_a_score_stands() -> None:
    """Bands from 0, 50 and 90 %: 62 % stands in the second, which is 256 of 640 pixels wide."""
    chart = charts.scale("Scale", 0.62, "62 %", [(0.0, "Low"), (0.5, "Middle"), (0.9, "High")], 0.6)
    here = [s for s in chart.shapes if s.text == "here"]
    assert [(s.x, s.width) for s in here] == [(320.0, 256.0)]
    assert [s.x for s in chart.shapes if s.text == "score"] == [396.8]
    assert [s.x for s in chart.shapes if s.text == "plan"] == [384.0]
    assert chart.label == "62 %; Low from 0 %, Middle from 50 %, High from 90 %"


def test_no_bubble_leaves_the_chart_and_a_legend_says_what_it_is() -> None:
    """Many items, always right and always wrong: the bubbles and their numbers stay within."""
    chart = charts.calibration("Confidence", [(40, 0.9, 1.0), (40, 0.1, 0.0)])
    for shape in chart.shapes:
        if shape.kind == "dot":
            assert shape.width <= shape.y <= chart.height - shape.width
        if shape.kind == "text":
            assert 10 <= shape.y <= chart.height
    assert "confidence, 1 to 5" in " ".join(s.text for s in chart.shapes if s.kind == "text")
