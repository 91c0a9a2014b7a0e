"""Every card, solution, question, list point and table row of the study material is examined by some item.

The maps of `coverage/` hold numbers and item ids only. How many there are was counted by hand in the documents,
and is compared with their own numbering where they stand beside the checkout.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import shipped

from quizgen.model import Item
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
def items() -> dict[str, Item]:
    return dict(shipped.bank().items)


@cache
def covered(document: str) -> dict[str, list[str]]:
    """Item ids by key, such as `card-4`."""
    path = FOLDER / f"{document}.yaml"
    top, read, _ = yaml.load_yaml(path, path.name)
    assert top is not None, path
    assert not read.problems, read.problems
    return {key: node.texts(key) for key, node in top.mapping().items()}


def keys(document: str) -> Iterator[str]:
    return (f"{what}-{n}" for what, many in COUNTS[document].items() for n in range(1, many + 1))


def test_cards_solutions_and_questions_are_154() -> None:
    numbered = [
        many for counts in COUNTS.values() for what, many in counts.items() if what in ("card", "solution", "question")
    ]
    assert sum(numbered) == 154


@pytest.mark.parametrize("document", COUNTS)
def test_all_of_a_document_is_mapped_to_items_in_use(document: str) -> None:
    """To one or more each, and to none twice."""
    assert set(covered(document)) == set(keys(document))
    for key, names in covered(document).items():
        assert names, key
        assert len(names) == len(set(names)), key
        assert [name for name in names if name not in items() or items()[name].status != "active"] == [], key


def test_no_item_carries_a_whole_document() -> None:
    """A map that sends many cards to one item would prove nothing."""
    for document in ("000", "001", "002", "004"):
        named = [name for names in covered(document).values() for name in names]
        assert max(named.count(name) for name in named) <= 7


def counted(text: str, document: str) -> dict[str, int]:
    """The document's own numbering."""
    lines = text.splitlines()
    if document == "000":
        declared = re.search(r"^(\d+) atomic recall cards", text, re.MULTILINE)
        after = lines[lines.index("FrontBack") + 1 :]
        assert int(declared.group(1)) == len([line for line in after if line.strip()])
        return {"card": int(declared.group(1))}
    if document == "001":
        return {"card": max(int(line) for line in lines if re.fullmatch(r"\d{1,3}", line.strip()))}
    if document == "002":
        return {"solution": lines.count("Solution")}
    if document == "004":
        return {"question": len([line for line in lines if re.fullmatch(r"Question \d+", line)])}
    contents = lines.index("What you'll learn") + 1
    sections = next(n for n, line in enumerate(lines[contents:]) if not line.startswith("- "))
    path = next(n for n, line in enumerate(lines) if "reading path" in line)
    quiz = next(n for n, line in enumerate(lines) if "readiness check" in line)
    body = lines[contents + sections : path]
    rule = re.compile(r"\|(?:-+\|)+")
    rows = [line for line in body if line.count(" | ") >= 2]
    return {
        "question": len([line for line in lines[quiz:] if line.startswith("- ")]),
        "section": sections,
        "point": len([line for line in body if line.startswith("- ")]),
        "row": len(rows) - len([line for line in body if rule.fullmatch(line)]),
    }


@pytest.mark.parametrize("document", COUNTS)
def test_counts_agree_with_the_documents(shared: Path, document: str) -> None:
    [path] = (shared / "seeds").glob(f"{document}_*.txt")
    assert counted(path.read_text(encoding="utf-8"), document) == COUNTS[document]
