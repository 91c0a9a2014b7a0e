"""What a response gives for the `number:` of a criterion, right or wrong, and how it is put."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from quizgen.formula.dimensions import Dim, assignable
from quizgen.rubric.context.polarity import ASSERTED, HEDGED, Stance, stance
from quizgen.rubric.reading.amounts import Said, amounts_said, unit_of
from quizgen.rubric.reading.match import Window
from quizgen.rubric.reading.reading import TextReading
from quizgen.rubric.rubric import NumberTest
from quizgen.rubric.text.cues import OR


@dataclass(frozen=True, slots=True)
class NumberFinding:
    """An amount of the asked kind, right or wrong, and how it is put."""

    said: Said
    right: bool
    stance: Stance


def check_number(reading: TextReading, test: NumberTest) -> list[NumberFinding]:
    """The amounts of the asked kind; right ones first."""
    wanted = unit_of(test.unit, test.labels)
    target = test.value * wanted.factor
    slack = abs(target) * test.tolerance if test.relative else test.tolerance * wanted.factor
    least, most = target - slack, target + slack
    found: list[NumberFinding] = []
    for said in amounts_said(reading, test.unit or "1", test.labels):
        if said.unit is not None and not _same_kind(said.unit.dim, wanted.dim):
            continue
        value = said.value * (wanted if said.unit is None else said.unit).factor
        right = least <= value <= most
        if not right and said.unit is None and wanted.symbol != "1":
            continue  # a bare number of something else
        put = stance(reading, Window(-1, said.first, said.last, ((said.first, said.last, 0, 0),)))
        found.append(NumberFinding(said, right, put))
    wrong = [f for f in found if not f.right]
    for place, finding in enumerate(found):
        if finding.right and finding.stance.kind == ASSERTED:
            for other in wrong:
                first, last = sorted((finding.said.first, other.said.first))
                if last - first <= 5 and any(cue == OR for _, cue in reading.cues_in(first, last)):
                    found[place] = NumberFinding(finding.said, True, Stance(HEDGED, (first, last)))
    return [f for f in found if f.right] + wrong


@lru_cache(maxsize=1024)
def _same_kind(said: Dim, wanted: Dim) -> bool:
    """Amounts of one dimension; what "per parameter" counts may be left unsaid."""
    if assignable(said, wanted):
        return True
    ratio = (said / wanted).powers
    return bool(ratio) and all(power > 0 and name not in _PHYSICAL for name, power in ratio) and bool(said.powers)


_PHYSICAL: Final = frozenset(("information", "FLOP", "energy", "currency", "time"))
