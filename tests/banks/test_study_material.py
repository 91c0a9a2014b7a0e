"""Every card, solution, question, list point and table row of the study material is examined by some item; and none of
its 41 wrong claims is a key or a rationale: each is something a candidate has to see through.

The maps of `coverage/` hold numbers and item ids only. How many there are was counted by hand in the documents.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import shipped
import yaml
from every import every
from oracles.catalogue import catalogue

from quizgen.formula.solve import json_result_lines
from quizgen.kinds.choice import ChoiceItem
from quizgen.kinds.text import TextItem
from quizgen.model import Item
from quizgen.source.yaml import read_yaml_with_problems

Claim = dict[str, Any]  # as wrong_claims.yaml says
TEXT = Path(__file__).with_name("wrong_claims.yaml").read_text(encoding="utf-8")
CLAIMS: list[Claim] = yaml.load(TEXT, yaml.CBaseLoader)
DOCUMENTS = {"000": 4, "001": 12, "002": 1, "003": 24}  # wrong claims, counted by hand in the audit


def items() -> Mapping[str, Item]:
    return shipped.bank().items


def texts_of(item: Item, role: str) -> list[str]:
    """What the item shows in a role."""
    if role == "stem":
        stem = " ".join(item.stem.split())
        assert "defend" in item.id or "claims that" in stem, "a claim in a stem belongs to an item that doubts it"
        return [stem]
    if role == "distractor":
        return list(item.distractor_texts)
    if role == "reject":
        return [phrase.text for criterion in item.rubric.criteria for phrase in criterion.rejected_phrases]
    assert role == "misconception"
    return [f"{wrong.correction} {phrase.text}" for wrong in item.rubric.misconceptions for phrase in wrong.phrases]


@cache
def held_true() -> list[tuple[str, str]]:
    """Every text that the bank vouches for, by item: keys, what criteria ask for, rationales, hints, and the model
    answers of items that do not quote a claim in order to refute it."""
    quoting = {name for claim in CLAIMS for name, (role, _) in claim["shown"].items() if role == "stem"}
    found = []
    for item in items().values():
        found.append((item.id, " ".join(item.rationale.split())))
        found += [(item.id, hint) for hint in item.hints]
        if isinstance(item, TextItem) and item.id not in quoting:
            found.append((item.id, " ".join(item.model_answer.split())))
        if isinstance(item, ChoiceItem):
            found += [(item.id, key) for key in item.key_texts]
        if isinstance(item, TextItem):
            found += [(item.id, criterion.statement) for criterion in item.rubric.criteria]
    return found


def test_the_41_claims_are_counted_by_document() -> None:
    assert Counter(claim["where"][:3] for claim in CLAIMS) == DOCUMENTS


@every(CLAIMS)
def test_the_claim_is_there_to_be_seen_through(claim: Claim) -> None:
    """And a distractor that is made the key by mistake does not pass unseen."""
    assert claim["shown"]
    for name, (role, pattern) in claim["shown"].items():
        item = items()[name]
        assert any(re.search(pattern, text) for text in texts_of(item, role)), (name, role)
        assert role != "distractor" or not any(re.search(pattern, key) for key in item.key_texts), name


@every(CLAIMS)
def test_no_key_or_rationale_says_it(claim: Claim) -> None:
    assert claim["never"]
    said = [(name, text) for pattern in claim["never"] for name, text in held_true() if re.search(pattern, text)]
    assert said == []


@every(CLAIMS)
def test_the_formulas_give_the_value_that_holds(claim: Claim) -> None:
    for name, inputs, value in claim.get("right", ()):
        line = json.dumps({"formula": name, "inputs": inputs})
        found = json.loads(next(json_result_lines([line], catalogue())))
        assert found.get("value") == pytest.approx(eval(value), rel=1e-9), (name, inputs, found)


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
    top, read = read_yaml_with_problems(path)
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
