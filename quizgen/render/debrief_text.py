"""The debrief, and the feedback on one item, as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest

from quizgen.answer_areas import TextAnswerLines
from quizgen.markdown import markdown_blocks
from quizgen.render.debrief import Debrief, ItemResult, points_ratio_text, share_as_percent_text
from quizgen.render.text import (
    ASCII_EMPHASIS,
    EmphasisStyle,
    inline_styled_texts,
    join_styled_texts,
    lines_with_blank_between_parts,
    plain_text_template,
    terminal_safe_text,
    text_column_count,
    wrap_blocks,
    wrap_markdown_line,
    wrap_styled,
    wrap_text,
)
from quizgen.session.interview import ItemState
from quizgen.source.problems import clock_text

MIN_SIDE_BY_SIDE_COLUMNS = 100  # columns from which response and solution stand side by side
UNLIMITED_COLUMNS = 10_000  # columns that hold any option in one line


def requested_item_lines(debrief: Debrief, item_numbers: Sequence[str], width: int, style: EmphasisStyle) -> list[str]:
    """The items with these `item_numbers` in full. Raises ValueError for a number that the debrief does not have."""
    items, results = [], debrief.results
    for number in item_numbers:
        result = next((r for r in results if r.item_number_text == number.strip().casefold()), None)
        if result is None:
            last_number = results[-1].item_number_text
            raise ValueError(f"there is no item {number} in this session; write a number up to {last_number}")
        if not result.state.was_shown:
            raise ValueError(f"item {result.item_number_text} ({result.state.item.id}) was not reached")
        items.append(_item_debrief_lines(result, width, style, shows_all=True))
    return lines_with_blank_between_parts(items)


def debrief_lines(
    debrief: Debrief, width: int = 80, style: EmphasisStyle = ASCII_EMPHASIS, redo_first: bool = False
) -> list[str]:
    """The whole debrief: result, items at a glance, topics, pace, calibration, each item, and items to redo. With
    `redo_first`, items to redo come before the items, for a screen that is read from the top."""
    part = _debrief_part_renderer(debrief, width)
    items = [_item_debrief_lines(r, width, style) for r in debrief.reached_results]
    parts = [
        [f"Debrief: {terminal_safe_text(debrief.form.title)}", "=" * min(width, 40), *part("result")],
        *(part(name) for name in ("overview", "topics", "pace", "calibration")),
        *([part("redo"), *items] if redo_first else [*items, part("redo")]),
    ]
    return lines_with_blank_between_parts(parts)


def debrief_summary_lines(debrief: Debrief, width: int = 80) -> list[str]:
    """The result in a few lines: score, band, items to redo."""
    part = _debrief_part_renderer(debrief, width)
    return [*part("result"), *part("redo")]


def _debrief_part_renderer(debrief: Debrief, width: int) -> Callable[[str], list[str]]:
    """A function that returns the lines of a part of templates/debrief.txt, given its name."""
    # Commands named in the advice are in backquotes, because a screen may have no colours.
    advice = wrap_markdown_line(debrief.band.advice, UNLIMITED_COLUMNS, ASCII_EMPHASIS) if debrief.band else []
    template = plain_text_template("debrief.txt", width, percent=share_as_percent_text)
    module = template.make_module({"debrief": debrief, "advice": " ".join(advice), "width": width})
    return lambda name: str(getattr(module, name)()).split("\n")[:-1]


def practice_feedback_lines(state: ItemState, width: int = 80, style: EmphasisStyle = ASCII_EMPHASIS) -> list[str]:
    """The feedback after a response in practice mode: outcome, criteria, reason and solution."""
    result = ItemResult(state, state.score())
    points = points_ratio_text(result.score.earned, result.possible_points, " of ")
    head = join_styled_texts([(f"{result.score.outcome.value.capitalize()}: {points}.", "b")], style)
    reasons = [_item_criterion_lines(result, width), _item_remark_lines(result, width, style)]
    return lines_with_blank_between_parts([[head], *reasons, wrap_blocks(result.solution_blocks, width, style)])


def _item_criterion_lines(result: ItemResult, width: int) -> list[str]:
    """The table of criteria: sign, name, points and the author's text, with the candidate's words below each row."""
    rows = result.criterion_rows
    lines = []
    room = min(max((text_column_count(terminal_safe_text(r.mark.criterion_id)) for r in rows), default=0), width // 4)
    for row in rows:
        head = f"{row.outcome_symbol} {terminal_safe_text(row.mark.criterion_id):<{room}} {row.points_text:>5}  "
        margin = " " * min(len(head), width // 3)
        text_lines = wrap_text(row.criterion_text, width, margin, head) if row.criterion_text else []
        lines += [*text_lines, *wrap_text(row.reason_and_claim_text, width, margin, margin if text_lines else head)]
    return lines


def _item_remark_lines(result: ItemResult, width: int, style: EmphasisStyle) -> list[str]:
    remarks = result.remark_pieces_besides_criteria
    return [line for r in remarks for line in wrap_styled(inline_styled_texts(r), width, style, "     ", "Why: ")]


def _item_debrief_lines(result: ItemResult, width: int, style: EmphasisStyle, *, shows_all: bool = False) -> list[str]:
    """One item of the debrief. Of one that was right there is only the heading, unless `shows_all`."""
    state, variant = result.state, result.state.form_entry.variant
    points = points_ratio_text(result.score.earned, result.possible_points, " of ")
    machine = f"machine {points}, {result.claimed_points_text}" if result.claimed_points_text else points
    facts = [
        f"{result.outcome_word}, {machine}",
        f"{clock_text(state.seconds_until_response)} of {clock_text(result.time_budget_seconds)}",
        f"{state.paid_hint_count} hint{'s' * (state.paid_hint_count != 1)}" if state.paid_hint_count else "",
        f"confidence {state.confidence}" if state.confidence is not None else "",
        "after a follow-up" if state.probed_criterion_id else "",
        "a follow-up" if state.is_follow_up else "",
    ]
    head = f"--- {result.item_number_text}. {terminal_safe_text(state.item.id)} ({'; '.join(filter(None, facts))})"
    heading_lines = [join_styled_texts([(line, "b")], style) for line in wrap_text(head, width, "    ", "")]
    rows = _item_criterion_lines(result, width)
    if result.has_full_points and not rows and not result.was_lucky_guess and not shows_all:
        return heading_lines
    text, read_as = result.response_text, result.score.read_as
    # A chosen option as it looked in the item, not as Markdown source.
    you = " ".join(wrap_blocks(markdown_blocks(text), UNLIMITED_COLUMNS)) if result.is_answered_by_options else text
    if read_as not in (None, text) and not isinstance(state.response, tuple):
        you += f"  (read as {read_as})"
    response = wrap_text(f"You: {you}", width, "     ", "") if text.strip() else []
    solution_lines = wrap_blocks(result.solution_blocks, width, style)
    if response and width >= MIN_SIDE_BY_SIDE_COLUMNS and isinstance(variant.prompt()[-1], TextAnswerLines):
        half = (width - 3) // 2
        left_lines = ["Your answer", "", *wrap_text(text, half)]
        rows_beside = zip_longest(left_lines, wrap_blocks(result.solution_blocks, half, style), fillvalue="")
        response = [f"{a}{' ' * (half - text_column_count(a))} | {b}".rstrip() for a, b in rows_beside]
        solution_lines = []
    parts = [
        # Without the response area: the solution shows the options again.
        [*heading_lines, *wrap_blocks(variant.prompt()[:-1], width, style)],
        response,
        rows,
        _item_remark_lines(result, width, style),
        solution_lines,
        wrap_text(f"Your notes: {state.scratch_text}", width, "  ", "") if state.scratch_text.strip() else [],
    ]
    source = wrap_text(f"Source: {variant.item.source}", width, "  ", "") if variant.item.source else []
    return [*lines_with_blank_between_parts(parts), *source]
