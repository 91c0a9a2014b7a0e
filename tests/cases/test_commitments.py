"""Numbers that candidates commit to, in each form, and what is no commitment."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
import yaml

from quizgen.cases.case import CommittableNumber
from quizgen.cases.conversation import committed_number_by_id
from quizgen.formula.units import parse_unit

TP = CommittableNumber("tp", ("tp", "tensor parallel*"), (1, 8), 8)
BOTH = (TP, CommittableNumber("pp", ("pipeline stages", "pp"), (1, 4), 4))
MEASURED = (
    CommittableNumber("interval", ("interval", "save every", "once every"), (30, 60), 30, parse_unit("min")),
    CommittableNumber("disk", ("disk", "volume"), (1000,), 1000, parse_unit("GB")),
    CommittableNumber("mb", ("mb", "micro-batch"), (1, 2), 1),
)
SAID = yaml.load((Path(__file__).parent / "commitments.yaml").read_bytes(), yaml.BaseLoader)


@pytest.mark.parametrize(("text", "values"), SAID["counts"].items())
def test_what_is_heard(text: str, values: dict[str, str]) -> None:
    """The last statement of each wins; what is refused or compared with is no commitment."""
    assert committed_number_by_id(text, BOTH) == {name: int(value) for name, value in values.items()}


@pytest.mark.parametrize(("text", "values"), SAID["amounts"].items())
def test_a_number_is_taken_in_its_unit(text: str, values: dict[str, str]) -> None:
    """Converted where it is written in another; no commitment where it measures something else."""
    assert committed_number_by_id(text, MEASURED) == {name: Fraction(value) for name, value in values.items()}


def test_a_name_of_two_words_behind_its_number_and_a_number_with_its_unit() -> None:
    """ "read" was taken for a unit of 8, and nothing was heard."""
    shop = [CommittableNumber("replicas", ("replica*", "read replica*"), (1, 2), 2)]
    assert committed_number_by_id("I take 8 read replicas.", shop) == {"replicas": 8}
    assert committed_number_by_id("8 extra replicas", shop) == {}
    assert MEASURED[0].name_and_number_text(Fraction("3.52")) == "interval = 3.52 min"
    assert BOTH[0].name_and_number_text(Fraction(8)) == "TP = 8"


def test_a_count_of_things_is_no_amount() -> None:
    """The number of chunks was noted as the size of one."""
    chunk = CommittableNumber("chunk", ("chunk size", "mb chunks"), (1, 4), 4, parse_unit("MB"))
    assert committed_number_by_id("5 GB in 4 MB chunks is 1,250 chunks.", (chunk,)) == {"chunk": 4}
