"""The page on which people mark written answers, where a rubric gives full marks below the sum of its criteria."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from quizgen import bank as banks
from quizgen.draw import SeededRng
from quizgen.render.marking import AnswerToMark, marking_page
from quizgen.scoring.exam_answers import Manifest

ITEM = """\
items:
  - id: t
    kind: text
    stem: Why?
    rubric:
      full_marks: 2
      criteria:
        - {id: one, say: It says one., accept: [one]}
        - {id: two, say: It says two., accept: [two]}
        - {id: three, say: It says three., accept: [three]}
"""


def test_full_marks_below_the_sum_are_no_criterion_to_tick(tmp_path: Path) -> None:
    (tmp_path / "items.yaml").write_text(ITEM, encoding="utf-8")
    bank = banks.load_bank(str(tmp_path)).required_bank
    variant = bank.items["t"].draw(SeededRng("t", "1"))
    said = AnswerToMark("S1", "REF1", variant, variant.score("one and two and three"), "one and two and three")
    manifest = Manifest("bank", "sha256:0", "EXAM", "", None, (), {}, {}, seed="seed")
    page, shown = marking_page(manifest, [said], Fraction(1), str(tmp_path))
    assert shown == 1
    assert page.count('"say":') == 3
    assert '"possible": 2' in page or '"possible":2' in page
