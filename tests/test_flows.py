"""The pictures of the flows in docs/developing.md are those that the code gives."""

from __future__ import annotations

import runpy
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[1]
DRAWN = runpy.run_path(str(ROOT / "docs" / "captures" / "flows.py"))


@pytest.mark.parametrize("flow", sorted(DRAWN["FLOWS"]))
def test_the_picture_is_of_the_code_as_it_is(flow: str) -> None:
    """Otherwise run docs/captures/flows.py, and look at what it drew."""
    shown = (ROOT / "docs" / "pictures" / f"flow-{flow}.svg").read_text(encoding="utf-8")
    assert shown == DRAWN["picture"](flow)
    texts = [one.text for one in ElementTree.fromstring(shown).iter("{http://www.w3.org/2000/svg}text")]
    assert [name for name in DRAWN["FLOWS"][flow] if name not in texts] == []
    assert f"pictures/flow-{flow}.svg" in (ROOT / "docs" / "developing.md").read_text(encoding="utf-8")


def test_a_station_that_is_gone_is_named() -> None:
    with pytest.raises(SystemExit, match=r"there is no bank\.lode"):
        DRAWN["station"]("bank.lode")
