"""Each state of the mock interview has a capture, and the guide shows it."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

STATES = (
    "brief", "choice", "confidence", "hint-offer", "number", "text", "follow-up", "flag-strip", "review",
    "time-nearly-out", "debrief", "debrief-item", "feedback", "pause", "leave", "help", "not-saved", "choice-40x12",
)  # fmt: skip


@pytest.mark.parametrize("state", STATES)
def test_a_capture_is_a_picture_and_a_text_of_it(root: Path, state: str) -> None:
    """The picture is well-formed XML without script, and holds the words of the text."""
    folder = root / "docs" / "captures"
    picture = (folder / f"{state}.svg").read_text(encoding="utf-8")
    drawn = " ".join("".join(ElementTree.fromstring(picture).itertext()).split())
    assert "<script" not in picture
    for word in re.findall(r"[A-Za-z]{4,}", (folder / f"{state}.txt").read_text(encoding="utf-8")):
        assert word in drawn
    assert f"captures/{state}.svg" in (root / "docs" / "mock.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["case", "case-debrief"])
def test_a_case_is_pictured_as_it_was(root: Path, name: str) -> None:
    folder = root / "docs" / "captures"
    drawn = " ".join("".join(ElementTree.parse(folder / f"{name}.svg").getroot().itertext()).split())
    for word in re.findall(r"[A-Za-z]{4,}", (folder / f"{name}.txt").read_text(encoding="utf-8")):
        assert word in drawn
    assert f"captures/{name}.svg" in (root / "docs" / "cases.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("film", ["mock", "case"])
def test_the_animation_shows_one_frame_at_a_time(root: Path, film: str) -> None:
    """Frames follow one another without a gap; without motion one of them is seen."""
    picture = (root / "docs" / "pictures" / f"{film}.svg").read_text(encoding="utf-8")
    ElementTree.fromstring(picture)
    spans = re.findall(
        r"@keyframes f\d+\{(?:0%\{visibility:hidden\})?([\d.]+)%\{visibility:visible\}([\d.]+)%", picture
    )
    assert len(spans) >= 20
    assert [begin for begin, _ in spans[1:]] == [end for _, end in spans[:-1]]
    assert (float(spans[0][0]), float(spans[-1][1])) == (0.0, 100.0)
    assert picture.count('visibility="visible"') == 1
    assert "prefers-reduced-motion" in picture
