"""One item for its candidate: the criteria with their own words beside them, and the solution.

An author's marking scheme lists every phrase that a rubric takes; a candidate wants what each
criterion asks for, what was found of it, and the model answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from quizgen.blocks import Block, Options, Scheme, Table, Text
from quizgen.credit import CLAIM_WORDS
from quizgen.interview.session import Place
from quizgen.model import Mark, Outcome, Score, Variant
from quizgen.source import shown_points


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """A row of the table of criteria. `asks` is what its author wants to hear, empty for an
    adjustment such as a hint's cost; the mark's reason quotes the candidate."""

    mark: Mark
    asks: str
    claim: str = ""  # what its candidate claims, in a word

    @property
    def found(self) -> str:
        """The reason, and what its candidate claims beside it."""
        return self.mark.because + (f" (You claim: {self.claim}.)" if self.claim else "")

    @property
    def points(self) -> str:
        """`1/2`, or what an adjustment takes."""
        earned = shown_points(self.mark.earned)
        return f"{earned}/{shown_points(self.mark.possible)}" if self.mark.possible > 0 else earned

    @property
    def sign(self) -> str:
        """One character that does not depend on colour."""
        mark = self.mark
        if mark.status == "contradicted" or mark.earned < 0:
            return "x"
        if mark.possible > 0 and mark.earned >= mark.possible:
            return "+"
        return "~" if mark.earned > 0 else "-"


def criteria(place: Place, score: Score) -> tuple[CriterionRow, ...]:
    """The rows of a score; none where there is only one mark that quotes nothing and whose points
    need no reason: several options that are right in part say how they are counted."""
    marks = [m for m in score.marks if m.status or m.earned]
    asks = asked_for(place.entry.variant, marks)
    area = place.entry.variant.prompt()[-1]
    counted = isinstance(area, Options) and area.several and score.outcome in (Outcome.PARTIAL, Outcome.INCORRECT)
    if len(marks) < 2 and not asks and not counted and not any(m.evidence for m in marks):
        return ()
    claims = {d.criterion: CLAIM_WORDS[d.claim] for d in place.disputes}
    return tuple(
        CriterionRow(m, asks.get(m.criterion, ""), claims.get(m.criterion, "")) if m.status else CriterionRow(m, "")
        for m in marks
    )


def asked_for(variant: Variant, marks: Iterable[Mark]) -> dict[str, str]:
    """What the author wants to hear for each criterion that was marked, by its id; empty where no scheme says it."""
    rows = next((b.rows for b in variant.solution() if isinstance(b, Scheme)), ())
    scored = [m.criterion for m in marks if m.status]
    return {name: row[1] for name, row in zip(scored, rows, strict=True)} if len(rows) == len(scored) else {}


def told(place: Place, score: Score) -> list[str]:
    """What the candidate is told beside the rows of criteria: the reason of the distractor taken, the slip
    behind a number; nothing that a row says already, nothing of a blank."""
    if score.outcome is Outcome.BLANK:
        return []
    rows = " ".join(c.mark.because for c in criteria(place, score))
    return [text for text in score.say if text not in rows]


def has_options(place: Place) -> bool:
    return isinstance(place.entry.variant.prompt()[-1], Options)


def solution(place: Place) -> tuple[Block, ...]:
    """The solution without the author's phrases, the option that was taken marked as such."""
    variant = place.entry.variant
    area = next((b for b in variant.prompt() if isinstance(b, Options)), None)
    taken = (place.response,) if isinstance(place.response, str) else place.response or ()
    letters = [area.letter(i) for i, o in enumerate(area.options) if o.text in taken] if area else []
    return tuple(_marked(variant.solution(), letters))


def _marked(blocks: Iterable[Block], letters: list[str]) -> Iterator[Block]:
    """Without marking schemes; in a table of options, the rows of `letters` say so."""
    for block in blocks:
        if isinstance(block, Scheme):
            continue
        if isinstance(block, Table) and letters:
            rows = tuple(
                (*row[:2], (*row[2], Text(", yours")), *row[3:]) if len(row) > 2 and row[0] in _cells(letters) else row
                for row in block.rows
            )
            yield replace(block, rows=rows)
        else:
            yield block


def _cells(letters: list[str]) -> list[tuple[Text, ...]]:
    return [(Text(letter),) for letter in letters]
