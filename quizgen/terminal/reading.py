"""From what a candidate typed to a response: letters to option texts, and how a number is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from quizgen.answer_areas import Blank, Lines, Options, read_letters
from quizgen.interview.session import Interview, Place
from quizgen.log import records
from quizgen.model import Given, Outcome, Variant
from quizgen.render.text import BARE, clean, lines, width_of
from quizgen.source.problems import points_said, shorten, shown_points

if TYPE_CHECKING:  # a session begins without a page
    from quizgen.page import Block

Area = Options | Blank | Lines
MAX_TYPED = 64 * 1024  # characters of one response


@dataclass(frozen=True, slots=True)
class ResponseReading:
    """A response as it will be logged. `telling` is what may be shown before the end: how it was
    read, or how to write it; no key was looked at for it. `typed` is what a draft of it holds: the
    text, or the letters of options."""

    response: Given
    telling: str
    typed: str
    outcome: Outcome | None = None  # BLANK, UNREADABLE, or None for what can be scored

    @property
    def unreadable(self) -> bool:
        return self.outcome is Outcome.UNREADABLE

    @property
    def blank(self) -> bool:
        return self.outcome is Outcome.BLANK


def area_of(prompt: tuple[Block, ...]) -> Area:
    """The response area of a prompt; free text where it has none."""
    for block in reversed(prompt):
        if isinstance(block, Options | Blank | Lines):
            return block
    return Lines()


def stem_text(variant: Variant) -> str:
    """The stem in one line, for lists."""
    return " ".join(" ".join(lines(variant.prompt()[:-1], 10_000, BARE)).split())


def review_row(session: Interview, index: int, width: int) -> str:
    """A line of the review: what is open about an item, and as much of its stem as fits."""
    place = session.places[index]
    reasons = [
        "open" if not place.done else "",
        "draft" if place.draft.strip() and not place.done else "",
        "flagged" if place.flagged else "",
        f"confidence {place.confidence}" if place.done and (place.confidence or 9) <= 2 else "",
    ]
    text = f"{session.number(index):>3}. {', '.join(r for r in reasons if r)}: {stem_text(place.entry.variant)}"
    return text if width_of(text) <= width else f"{text[: width - 1]}…"


def probe_text(place: Place, criterion: str) -> str:
    """The follow-up on a criterion that was missed: on what was said of it where something was, in the
    candidate's own words; else as its author wrote it, or by what it is worth. A criterion's id is its
    author's and is never shown."""
    variant = place.entry.variant
    response = place.response if isinstance(place.response, str) else ""
    score = variant.score(response)
    mark = next((m for m in score.marks if m.criterion == criterion), None)
    said = _quoted(response, mark.evidence) if mark is not None else ""
    if mark is not None and mark.status == "hedged" and said:
        return f"you said “{said}”, and sounded unsure. Is it so, and why?"
    if mark is not None and mark.status == "partial" and said:
        return f"you said “{said}”. Say more: what exactly, and why?"
    written = variant.probe(criterion)
    if written:
        return written
    worth = f" ({shown_points(mark.possible)} of {points_said(score.possible)})" if mark is not None else ""
    return f"one part is still open{worth}. What would you add to what you said?"


def _quoted(text: str, evidence: tuple[tuple[int, int], ...]) -> str:
    """The words of a response that a mark rests on, from the first to the last, on one line."""
    if not evidence:
        return ""
    words = text[max(0, min(start for start, _ in evidence)) : max(end for _, end in evidence)]
    return shorten(" ".join(clean(words).split()), 80)


def read(variant: Variant, typed: str) -> ResponseReading:
    """What was typed, as a response. An unreadable one is kept as it was typed."""
    typed = records.fitting(typed[:MAX_TYPED], records.MAX_RESPONSE)
    area = area_of(variant.prompt())
    response: Given = typed
    if isinstance(area, Options):
        texts = read_letters(typed, [o.text for o in area.options])
        if texts is not None:
            response = texts if len(texts) > 1 else texts[0] if texts else ""
    echo = variant.echo(response)
    if echo.outcome is Outcome.UNREADABLE:
        return ResponseReading(typed, echo.text or how_to(area), typed, echo.outcome)
    if echo.outcome is Outcome.BLANK:
        return ResponseReading("", "blank", "", echo.outcome)
    if isinstance(area, Options):
        chosen = (response,) if isinstance(response, str) else response
        letters = [area.letter(i) for i, o in enumerate(area.options) if o.text in chosen]
        return ResponseReading(response, ", ".join(letters), ", ".join(letters))
    if isinstance(area, Lines):
        words = len(typed.split())
        return ResponseReading(response, f"{words} word{'s' * (words != 1)}", typed)
    return ResponseReading(response, echo.text, typed)


def how_to(area: Area) -> str:
    """How to write a response, in one sentence."""
    match area:
        case Options(options, several):
            last = area.letter(len(options) - 1)
            if several:
                return f"Answer with the letters of all that apply, A to {last}, such as A, C."
            return f"Answer with one letter, A to {last}."
        case Blank(numbers=numbers) if numbers:
            return f"Answer with {numbers}."
        case Blank(unit, words):
            if words:
                return f"Answer with one of: {', '.join(words)}."
            return f"Answer with one number; a bare number is read in {unit}." if unit else "Answer with one number."
        case Lines():
            return "Answer in your own words."


def nothing_given(area: Area) -> str:
    """When an interviewer is asked for facts and has none."""
    return f"Nothing more is given for this item{'; state what you assume' if isinstance(area, Lines) else ''}."
