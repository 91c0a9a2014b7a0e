"""Numbers that candidates commit to: each form by its own examples, and what is no commitment."""

from __future__ import annotations

from fractions import Fraction

import pytest

from quizgen.cases import commitments
from quizgen.cases.case import Commitment
from quizgen.cases.commitments import COMMITMENT_FORMS, committed_numbers
from quizgen.formula.units import parse_unit

BOTH = (Commitment("tp", ("tp", "tensor parallel*"), (1, 8), 8), Commitment("pp", ("pipeline stages", "pp"), (1, 4), 4))
MEASURED = (
    Commitment("interval", ("interval", "save every", "once every"), (30, 60), 30, parse_unit("min")),
    Commitment("disk", ("disk", "volume"), (1000,), 1000, parse_unit("GB")),
    Commitment("mb", ("mb", "micro-batch"), (1, 2), 1),
)


@pytest.mark.parametrize("form", COMMITMENT_FORMS, ids=lambda f: f.read_example[0])
def test_each_form_reads_its_example_and_not_the_other(
    form: commitments.CommitmentForm, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its row alone the example is read; without it no other row reads it."""
    text, number = form.read_example
    monkeypatch.setattr(commitments, "COMMITMENT_FORMS", (form,))
    commitments._commitment_patterns.cache_clear()
    assert number in committed_numbers(text, BOTH).values()
    assert not committed_numbers(form.unread_example, BOTH)
    monkeypatch.setattr(commitments, "COMMITMENT_FORMS", tuple(f for f in COMMITMENT_FORMS if f is not form))
    commitments._commitment_patterns.cache_clear()
    assert number not in committed_numbers(text, BOTH).values()
    monkeypatch.undo()
    commitments._commitment_patterns.cache_clear()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("I'd go with TP=8 and four pipeline stages.", {"tp": 8, "pp": 4}),
        ("tensor parallelism of 16", {"tp": 16}),
        ("TP 16, no wait, TP is 8", {"tp": 8}),
        ("TP = 8 instead of TP = 16", {"tp": 8}),
        ("I take TP = 4. TP = 8 would be faster, but it costs more", {"tp": 4}),
        ("I go for 4-way TP. 8-way TP would give too little", {"tp": 4}),
        ("It holds at TP of two and of four", {}),
        ("I go for TP = 4. I considered TP = 8, but it costs more", {"tp": 4}),
        ("Inside a node TP = 8.", {"tp": 8}),
        ("Two nodes, so PP is four.", {"pp": 4}),
        ("not TP=16", {}),
        ("I cut the sequence into 2*TP = 16 chunks", {}),
        ("compare the logits of TP = 1 with TP = 8", {}),
        ("Compared with TP = 8, I take TP = 4", {"tp": 4}),
        ("tp of 8.5", {}),
        ("tp of 1,024", {"tp": 1024}),
        ("1,024-way tensor parallelism", {"tp": 1024}),
        ("TP=8, PP=4", {"tp": 8, "pp": 4}),
        ("TP is 8,192 bytes wide and 4,5 pp", {}),
        ("TP is 8,192 wide and 4,5 pp", {"tp": 8192}),
        ("TP over 8 GPUs", {}),
        ("a 70B model on 1,024 GPUs", {}),
        ("", {}),
    ],
)
def test_what_is_heard(text: str, values: dict[str, int]) -> None:
    """The last statement of each wins; what is refused or compared with is no commitment."""
    assert committed_numbers(text, BOTH) == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("I save every 3 hours.", {"interval": 180}),
        ("save every 90 minutes, so the interval is 1.5 h", {"interval": 90}),
        ("An interval of 211 seconds.", {"interval": Fraction("3.52")}),  # 211 / 60 = 3.5166…
        ("once every half an hour", {"interval": 30}),
        ("a 45-minute interval", {"interval": 45}),
        ("save every three and a half minutes", {"interval": Fraction(7, 2)}),
        ("save every 30, and the rest later", {"interval": 30}),
        ("save every 30 min, for half the interval is lost", {"interval": 30}),
        ("save every 100 steps", {"interval": 100}),  # no unit that is known: as it stands
        ("an interval of 200 MB", {}),
        ("a volume of 3 TB", {"disk": 3000}),
        ("a volume of 3000 GB", {"disk": 3000}),
        ("a volume of 3000", {"disk": 3000}),
        ("it costs 285 MB", {}),
        ("285 mb for the activations", {}),
        ("mb = 2", {"mb": 2}),
        ("a micro-batch of 4 GB", {}),
        ("a micro-batch of 4 GPUs", {"mb": 4}),
        ("a micro-batch of 2.5", {}),
    ],
)
def test_a_number_is_taken_in_its_unit(text: str, values: dict[str, Fraction]) -> None:
    """Converted where it is written in another; no commitment where it measures something else."""
    assert committed_numbers(text, MEASURED) == values


def test_a_number_is_shown_with_its_unit() -> None:
    assert MEASURED[0].number_text(Fraction("3.52")) == "interval = 3.52 min"
    assert BOTH[0].number_text(Fraction(8)) == "TP = 8"


def test_a_name_of_two_words_behind_its_number() -> None:
    """ "read" was taken for a unit of 8, and nothing was heard."""
    shop = [Commitment("replicas", ("replica*", "read replica*"), (1, 2), 2)]
    assert committed_numbers("I take 8 read replicas.", shop) == {"replicas": 8}
    assert committed_numbers("8 extra replicas", shop) == {}


def test_a_count_of_things_is_no_amount() -> None:
    """The number of chunks was noted as the size of one."""
    chunk = Commitment("chunk", ("chunk size", "mb chunks"), (1, 4), 4, parse_unit("MB"))
    assert committed_numbers("5 GB in 4 MB chunks is 1,250 chunks.", (chunk,)) == {"chunk": 4}
