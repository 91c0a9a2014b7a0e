"""Numbers that candidates commit to: each form by its own examples, and what is no commitment."""

from __future__ import annotations

import dataclasses

import pytest

from quizgen.cases import commitments
from quizgen.cases.case import Commitment
from quizgen.cases.commitments import FORMS, heard

BOTH = (
    Commitment("tp", ("tp", "tensor parallel*"), (1, 8), 8),
    Commitment("pp", ("pipeline stages", "pp"), (1, 4), 4),
)


@pytest.mark.parametrize("form", FORMS, ids=lambda f: f.reads[0])
def test_each_form_reads_its_example_and_not_the_other(form: commitments.Form, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its row alone the example is read; without it no other row reads it."""
    text, number = form.reads
    monkeypatch.setattr(commitments, "FORMS", (form,))
    commitments._patterns.cache_clear()
    assert number in heard(text, BOTH).values()
    assert not heard(form.not_read, BOTH)
    monkeypatch.setattr(commitments, "FORMS", tuple(f for f in FORMS if f is not form))
    commitments._patterns.cache_clear()
    assert number not in heard(text, BOTH).values()
    monkeypatch.undo()
    commitments._patterns.cache_clear()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("I'd go with TP=8 and four pipeline stages.", {"tp": 8, "pp": 4}),
        ("tensor parallelism of 16", {"tp": 16}),
        ("TP 16, no wait, TP is 8", {"tp": 8}),
        ("TP = 8 instead of TP = 16", {"tp": 8}),
        ("Inside a node TP = 8.", {"tp": 8}),
        ("Two nodes, so PP is four.", {"pp": 4}),
        ("not TP=16", {}),
        ("tp of 8.5", {}),
        ("tp of 1,024", {"tp": 1024}),
        ("1,024-way tensor parallelism", {"tp": 1024}),
        ("TP=8, PP=4", {"tp": 8, "pp": 4}),
        ("TP is 8,192 bytes wide and 4,5 pp", {"tp": 8192}),
        ("TP over 8 GPUs", {}),
        ("a 70B model on 1,024 GPUs", {}),
        ("", {}),
    ],
)
def test_what_is_heard(text: str, values: dict[str, int]) -> None:
    """The last statement of each wins; what is refused or compared with is no commitment."""
    assert heard(text, BOTH) == values


def test_commitments_are_values() -> None:
    """Nothing about a case changes while it is talked."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        BOTH[0].usual = 1  # type: ignore[misc]  # that it cannot be set is the test
