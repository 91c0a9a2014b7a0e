"""Turns what a candidate typed into a response: letters become option texts; a number is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from quizgen.answer_areas import NumericAnswerLine, Options, TextAnswerLines, read_selected_options
from quizgen.model import Outcome, Response, Variant
from quizgen.session import session_log

if TYPE_CHECKING:  # a session starts without a page
    from quizgen.page import Block

ResponseArea = Options | NumericAnswerLine | TextAnswerLines
MAX_RESPONSE_CHARACTERS = 64 * 1024  # characters of one response
EXAMPLE_CALCULATION = "14/8 + 2*14/32"  # example of a number given as a calculation


@dataclass(frozen=True, slots=True)
class ResponseReading:
    """A response to be logged, empty if it is blank. `message` says how it was read, or how to write it, and reveals
    nothing of the key. `draft_text` is what a draft keeps: the text, or the letters of the options."""

    response: Response
    message: str
    draft_text: str
    is_unreadable: bool = False


def response_area(prompt: tuple[Block, ...]) -> ResponseArea:
    """The response area of a prompt, such as choice or number; free text if it has none."""
    areas = (block for block in reversed(prompt) if isinstance(block, Options | NumericAnswerLine | TextAnswerLines))
    return next(areas, TextAnswerLines())


def read_response(variant: Variant, typed_text: str) -> ResponseReading:
    """The response that the text `typed_text` means. If it cannot be read, the text itself is the response."""
    typed_text = session_log.truncate_to_bytes(typed_text[:MAX_RESPONSE_CHARACTERS], session_log.MAX_RESPONSE_BYTES)
    area = response_area(variant.prompt())
    response: Response = typed_text
    if isinstance(area, Options):
        texts = read_selected_options(typed_text, [o.text for o in area.options])
        if texts is not None:
            response = texts if len(texts) > 1 else texts[0] if texts else ""
    echo = variant.echo(response)
    if echo.outcome is Outcome.UNREADABLE:
        return ResponseReading(typed_text, echo.text or response_instruction(area), typed_text, is_unreadable=True)
    if echo.outcome is Outcome.BLANK:
        return ResponseReading("", "blank", "")
    if isinstance(area, Options):
        chosen = (response,) if isinstance(response, str) else response
        letters = [area.letter(i) for i, o in enumerate(area.options) if o.text in chosen]
        return ResponseReading(response, ", ".join(letters), ", ".join(letters))
    if isinstance(area, TextAnswerLines):
        words = len(typed_text.split())
        return ResponseReading(response, f"{words} word{'s' * (words != 1)}", typed_text)
    return ResponseReading(response, echo.text, typed_text)


def response_instruction(area: ResponseArea) -> str:
    """A sentence on how to write a response in this area."""
    match area:
        case Options(options, several):
            last = area.letter(len(options) - 1)
            if several:
                return f"Answer with the letters of all that apply, A to {last}, such as A, C."
            return f"Answer with one letter, A to {last}."
        case NumericAnswerLine(requested_numbers_text=numbers) if numbers:
            return f"Answer with {numbers}."
        case NumericAnswerLine(unit, words, required_digits=digits):
            if words:
                return f"Answer with one of: {', '.join(words)}."
            number = f"one number to {digits} digits" if digits else "one number"
            bare = f"; a bare number is read in {unit}" if unit else ""
            return f"Answer with {number}, or a calculation such as {EXAMPLE_CALCULATION}{bare}."
        case TextAnswerLines():
            return "Answer in your own words."


def no_facts_reply(area: ResponseArea) -> str:
    """The interviewer's reply to a request for facts when the item has none."""
    state = "; state what you assume" if isinstance(area, TextAnswerLines) else ""
    return f"Nothing more is given for this item{state}."
