"""Follow-ups in the author's words: every criterion has one, and none gives its criterion away."""

from __future__ import annotations

from typing import Any

import wordings_table as table
from every import every


def rubric(name: str) -> Any:
    item: Any = table.items()[name]
    return item.rubric


@every(lambda: sorted(table.items()))
def test_every_criterion_has_a_probe_that_does_not_answer_itself(name: str) -> None:
    for criterion in rubric(name).criteria:
        probe = criterion.probe
        assert probe, criterion.id
        assert probe[-1] in "?.", probe
        score: Any = table.variant_of(name).score(probe)
        mark = next(m for m in score.marks if m.criterion == criterion.id)
        assert mark.earned < mark.possible / 2, (criterion.id, probe, mark.because)


def test_probes_are_not_repeated_within_an_item() -> None:
    for name in table.items():
        probes = [criterion.probe for criterion in rubric(name).criteria]
        assert len(set(probes)) == len(probes), name
