"""Every card, solution, question, list point and table row of the study material is examined by some item.

The maps of `coverage/` hold numbers and item ids only. How many there are was counted by hand in the documents.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import shipped

from quizgen.source import yaml

FOLDER = Path(__file__).with_name("coverage")
COUNTS = {
    "000": {"card": 10},
    "001": {"card": 89},
    "002": {"solution": 20},
    "003": {"question": 20, "section": 12, "point": 100, "row": 19},
    "004": {"question": 15},
}


@cache
def covered(document: str) -> dict[str, list[str]]:
    """Item ids by key, such as `card-4`."""
    path = FOLDER / f"{document}.yaml"
    top, read, _ = yaml.load_yaml(path, path.name)
    assert not read.problems, read.problems
    return {key: node.texts(key) for key, node in top.mapping().items()}


@pytest.mark.parametrize("document", COUNTS)
def test_all_of_a_document_is_mapped_to_items_in_use(document: str) -> None:
    """To one or more each, and to none twice."""
    active = {name for name, item in shipped.bank().items.items() if item.status == "active"}
    keys = {f"{what}-{n}" for what, many in COUNTS[document].items() for n in range(1, many + 1)}
    assert set(covered(document)) == keys
    for key, names in covered(document).items():
        assert names, key
        assert len(names) == len(set(names)), key
        assert set(names) <= active, key


def test_no_item_carries_a_whole_document() -> None:
    """A map that sends many cards to one item would prove nothing."""
    for document in ("000", "001", "002", "004"):
        named = [name for names in covered(document).values() for name in names]
        assert max(named.count(name) for name in named) <= 7
