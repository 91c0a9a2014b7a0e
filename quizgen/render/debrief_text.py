"""The debrief, and the feedback on one item, as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest

from quizgen import markdown
from quizgen.answer_areas import TextAnswerLines
from quizgen.model import Score
from quizgen.render.debrief import (
    Debrief,
    ItemResult,
    criterion_rows,
    is_answered_by_options,
    outcome_word,
    points_share_text,
    remark_inlines,
    remarks_besides_criteria,
    session_ending_text,
    share_as_percent_text,
    solution_with_choice_marked,
)
from quizgen.render.text import (
    PLAIN_STYLE,
    TextStyle,
    add_emphasis_marks,
    block_lines,
    fill_lines,
    inline_styled_texts,
    line_wrapping_filter,
    terminal_safe_text,
    text_column_count,
    text_template,
    wrap_text,
)
from quizgen.session.interview import ItemState, item_score
from quizgen.source.problems import clock_text, points_decimal

TOPIC_BAR_COLUMNS = 20
MIN_SIDE_BY_SIDE_COLUMNS = 100  # columns from which response and solution stand side by side
UNLIMITED_COLUMNS = 10_000  # columns that hold any option in one line


def requested_item_lines(
    debrief: Debrief, item_numbers: Sequence[str], width: int = 80, style: TextStyle = PLAIN_STYLE
) -> list[str]:
    """The items with these `item_numbers` in full. Raises ValueError for a number that the debrief does not have."""
    made: list[str] = []
    for number in item_numbers:
        result = next((r for r in debrief.results if r.number == number.strip().casefold()), None)
        if result is None:
            raise ValueError(f"there is no item {number} in this session; it has {debrief.results[-1].number}")
        if not result.is_reached:
            raise ValueError(f"item {result.number} ({result.id}) was not reached")
        made += ([""] if made else []) + _item_debrief_lines(result, width, style, shows_all=True)
    return made


def debrief_lines(
    debrief: Debrief, width: int = 80, style: TextStyle = PLAIN_STYLE, redo_first: bool = False
) -> list[str]:
    """The whole debrief: result, items at a glance, topics, pace, calibration, each item, and items to redo. With
    `redo_first`, items to redo come before the items, for a screen that is read from the top."""
    part = _template_part_renderer(debrief, width)
    redo = part("redo")
    parts = [
        [f"Debrief: {terminal_safe_text(debrief.form.title)}", "=" * min(width, 40), *_result_lines(debrief, width)],
        part("overview", width < 60),
        _topic_lines(debrief, width),
        part("pace"),
        part("calibration"),
        redo if redo_first else [],
        *(_item_debrief_lines(r, width, style) for r in debrief.results if r.is_reached),
        [] if redo_first else redo,
    ]
    shown: list[str] = []
    for one in parts:
        if one:
            shown += ([""] if shown else []) + one
    return shown


def debrief_summary_lines(debrief: Debrief, width: int = 80) -> list[str]:
    """The result in a few lines: score, band, items to redo."""
    return [*_result_lines(debrief, width), *_template_part_renderer(debrief, width)("redo")]


def _template_part_renderer(debrief: Debrief, width: int) -> Callable[..., list[str]]:
    """A function that returns the lines of a part of templates/debrief.txt, given its name."""
    module = text_template(
        "debrief.txt", wrapped=line_wrapping_filter(width), percent=share_as_percent_text, outcome=outcome_word
    ).module
    return lambda name, *more: str(getattr(module, name)(debrief, *more)).split("\n")[:-1]


def _result_lines(debrief: Debrief, width: int) -> list[str]:
    # Commands named in the advice are set in backquotes, because a screen may have no colours.
    advice = (
        markdown.markdown_inline_pieces(terminal_safe_text(debrief.band.advice)) if debrief.band is not None else ()
    )
    shown = "".join(text for text, _ in add_emphasis_marks(inline_styled_texts(advice), PLAIN_STYLE))
    return _template_part_renderer(debrief, width)(
        "result", shown, points_share_text(debrief), session_ending_text(debrief)
    )


def practice_feedback_lines(state: ItemState, width: int = 80, style: TextStyle = PLAIN_STYLE) -> list[str]:
    """The feedback after a response in practice mode: outcome, criteria, reason and solution."""
    score = item_score(state)
    word = score.outcome.value
    head = f"{word[0].upper()}{word[1:]}: {points_decimal(score.earned)} of {points_decimal(state.entry.possible)}."
    shown = [f"\x1b[1m{head}\x1b[0m" if style.has_attributes else head]
    for part in (
        criterion_table_lines(state, score, width),
        _remark_lines(state, score, width, style),
        block_lines(solution_with_choice_marked(state), width, style),
    ):
        shown += ["", *part] if part else []
    return shown


def criterion_table_lines(state: ItemState, score: Score, width: int) -> list[str]:
    """The table of criteria: sign, name, points and the author's text, with the candidate's words below each row."""
    rows = criterion_rows(state, score)
    shown = []
    room = min(max((text_column_count(terminal_safe_text(r.mark.criterion)) for r in rows), default=0), width // 4)
    for row in rows:
        head = f"{row.outcome_sign} {terminal_safe_text(row.mark.criterion):<{room}} {row.points_text:>5}  "
        margin = " " * min(len(head), width // 3)
        asks = wrap_text(row.criterion_text, width, margin, head) if row.criterion_text else []
        shown += [*asks, *wrap_text(row.reason_and_claim, width, margin, margin if asks else head)]
    return shown


def _remark_lines(state: ItemState, score: Score, width: int, style: TextStyle) -> list[str]:
    remarks = [
        inline_styled_texts(remark_inlines(text, is_answered_by_options(state)))
        for text in remarks_besides_criteria(state, score)
    ]
    return [line for remark in remarks for line in fill_lines(remark, width, style, "     ", "Why: ")]


def _topic_lines(debrief: Debrief, width: int) -> list[str]:
    shown = []
    if len(debrief.kind_results) > 1:
        shown += wrap_text(
            f"By kind: {', '.join(f'{k.topic} {share_as_percent_text(k.share)}' for k in debrief.kind_results)}.", width
        )
    if len(debrief.topic_results) < 2:
        return shown
    shown.append("By topic, the weakest first:")
    room = max(text_column_count(terminal_safe_text(t.topic)) for t in debrief.topic_results)
    for topic in sorted(debrief.topic_results, key=lambda t: (t.share, t.topic)):
        bar = "#" * round(topic.share * TOPIC_BAR_COLUMNS)
        name = terminal_safe_text(topic.topic)
        items = f"{topic.item_count} item{'s' * (topic.item_count != 1)}"
        line = f"  {name}{' ' * (room - text_column_count(name))}  {share_as_percent_text(topic.share):>5}  {items:<8} "
        shown.append(
            f"{line} [{bar:<{TOPIC_BAR_COLUMNS}}]"
            if text_column_count(line) + TOPIC_BAR_COLUMNS + 3 <= width
            else line.rstrip()
        )
    return shown


def _options_and_key(result: ItemResult) -> list[str]:
    """The facts after the id of an item: its outcome, points and time, and the hints, probes and confidence."""
    earned = f"{points_decimal(result.score.earned)} of {points_decimal(result.possible)}"
    machine = f"machine {earned}, {result.disputed_points_text}" if result.disputed_points_text else earned
    state = result.state
    facts = {
        f"{outcome_word(result)}, {machine}": True,
        f"{clock_text(state.seconds_spent)} of {clock_text(result.budget_seconds)}": True,
        f"{state.paid_hint_count} hint{'s' * (state.paid_hint_count != 1)}": state.paid_hint_count > 0,
        f"confidence {state.confidence}": state.confidence is not None,
        "after a follow-up": state.probed,
        "a follow-up": state.is_follow_up,
    }
    return [fact for fact, holds in facts.items() if holds]


def _item_debrief_lines(result: ItemResult, width: int, style: TextStyle, *, shows_all: bool = False) -> list[str]:
    """One item of the debrief. Of one that was right there is only the heading, unless `shows_all`."""
    variant = result.state.entry.variant
    facts = "; ".join(_options_and_key(result))
    head = wrap_text(f"--- {result.number}. {terminal_safe_text(result.id)} ({facts})", width, "    ", "")
    shown = [f"\x1b[1m{line}\x1b[0m" for line in head] if style.has_attributes else head
    rows = criterion_table_lines(result.state, result.score, width)
    if result.has_full_points and not rows and not result.was_lucky_guess and not shows_all:
        return shown
    # Without the response area: the solution shows the options again.
    shown += block_lines(variant.prompt()[:-1], width, style)
    given = result.response_text.strip()
    if given and width >= MIN_SIDE_BY_SIDE_COLUMNS and isinstance(variant.prompt()[-1], TextAnswerLines):
        response, worked = answer_beside_solution_lines(result.response_text, result, width, style), []
    else:
        response = wrap_text(f"You: {_response_as_read_text(result)}", width, "     ", "") if given else []
        worked = block_lines(solution_with_choice_marked(result.state), width, style)
    notes = wrap_text(f"Your notes: {result.state.scratch}", width, "  ", "") if result.state.scratch.strip() else []
    for part in (response, rows, _remark_lines(result.state, result.score, width, style), worked, notes):
        shown += ["", *part] if part else []
    return shown + (wrap_text(f"Source: {variant.item.source}", width, "  ", "") if variant.item.source else [])


def answer_beside_solution_lines(answer_text: str, result: ItemResult, width: int, style: TextStyle) -> list[str]:
    """The candidate's answer and the solution in two columns."""
    half = (width - 3) // 2
    left = ["Your answer", "", *wrap_text(answer_text, half)]
    right = block_lines(solution_with_choice_marked(result.state), half, style)
    rows = zip_longest(left, right, fillvalue="")
    return [f"{a}{' ' * (half - text_column_count(a))} | {b}".rstrip() for a, b in rows]


def _response_as_read_text(result: ItemResult) -> str:
    """The response as text, and how it was read if that is not the same; a chosen option as it looked in the item, not
    as Markdown source."""
    text, read = result.response_text, result.score.read_as
    reading = "" if read in (None, text) or isinstance(result.state.response, tuple) else f"  (read as {read})"
    if is_answered_by_options(result.state):
        text = " ".join(block_lines(markdown.markdown_blocks(text), UNLIMITED_COLUMNS))
    return text + reading
