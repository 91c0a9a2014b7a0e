"""The text of each part of a session, for full screen and line by line. Pure functions from a session, a time and a
width to lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path

from quizgen.answer_areas import Options
from quizgen.model import ZERO, Variant
from quizgen.render.text import (
    STYLE_WITHOUT_MARKS,
    TextStyle,
    block_lines,
    markdown_lines,
    terminal_safe_text,
    text_column_count,
    wrap_text,
)
from quizgen.session.interview import Interview, ItemState, Mode, duration_in_words
from quizgen.session.sitting import response_area
from quizgen.source.problems import clock_text, points_decimal, points_phrase, shorten


@cache
def controls_file_rows(section: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a section of controls.txt."""
    text = Path(__file__).with_name("controls.txt").read_text(encoding="utf-8")
    lines = text.partition(f"== {section}\n")[2].partition("\n== ")[0].splitlines()
    return tuple(tuple(map(str.strip, line.split(" | "))) for line in lines if line and not line.startswith("#"))


def rule_texts(names: Collection[str]) -> list[str]:
    """The sentences of the rules with these names."""
    return [text for name, text in controls_file_rows("rules") if name in names]


def brief_lines(
    session: Interview, width: int, is_resumed: bool = False, notice: str = "", for_plain_display: bool = False
) -> list[str]:
    """The brief as lines, without its title: the items of the session, its points, time and topics; the rules that
    matter for them; and a line that the candidate should read before the clock starts, `notice`. With
    `for_plain_display`, commands begin with a colon."""
    rules = session.rules
    items = [p.item for p in session.item_states]
    points = points_decimal(sum((p.entry.possible for p in session.item_states), start=ZERO))
    time = duration_in_words(session.budget_seconds) if rules.is_timed else "no time limit"
    kinds = ", ".join(f"{n} {kind}" for kind, n in sorted(Counter(i.kind for i in items).items()))
    topics = ", ".join(sorted({i.topic for i in items if i.topic}))
    number = f"{session.item_number(session.current_index)} of {session.form_item_count}"
    left = f", {duration_in_words(session.seconds_left(session.last_clock_reading))} left" if rules.is_timed else ""
    content = [
        f"{len(items)} item{'s' * (len(items) != 1)} ({kinds}), {points} point{'s' * (points != '1')}, {time}.",
        f"Topics: {topics}." if topics else "",
        f"Resumed at item {number}{left}." if is_resumed else "",
    ]
    names = [rules.mode.value, "timed" if rules.is_timed else "untimed"]
    names += ["hints"] * any(i.hints for i in items) + ["facts"] * any(i.given for i in items)
    names += ["follow-ups"] * (rules.can_probe and any(i.follow_ups for i in items))
    last = [notice, f"Seed: {session.form.seed}", "Type :help for the commands." * for_plain_display]
    texts = (content, rule_texts(names), last)
    groups = [[line for text in group if text for line in wrap_text(text, width)] for group in texts]
    gap = [""] * (width >= 60)  # a wide screen is usually tall as well
    return [*groups[0], *gap, *groups[1], *gap, *groups[2]]


def stem_line(variant: Variant) -> str:
    """The stem as one line, for lists; without the material that it shares with other items."""
    from quizgen.page import Stimulus  # a brief is shown before any page is loaded

    stem = [block for block in variant.prompt()[:-1] if not isinstance(block, Stimulus)]
    return " ".join(" ".join(block_lines(stem, 10_000, STYLE_WITHOUT_MARKS)).split())


def review_list_line(session: Interview, index: int, width: int) -> str:
    """A line of the review list: why the item is open, and as much of its stem as fits."""
    place = session.item_states[index]
    reasons = [] if place.is_done else ["open"]
    reasons += ["draft"] if place.draft_text.strip() and not place.is_done else []
    reasons += ["flagged"] if place.is_flagged else []
    reasons += [f"confidence {place.confidence}"] if place.is_done and (place.confidence or 9) <= 2 else []
    text = f"{session.item_number(index):>3}. {', '.join(reasons)}: {stem_line(place.variant)}"
    return text if text_column_count(text) <= width else f"{text[: width - 1]}…"


def probe_question_text(item_state: ItemState, criterion: str) -> str:
    """The probe on a missed criterion: quotes the candidate's words on it if there are any, else uses the author's
    wording, else names the points. Never shows the criterion's id."""
    variant = item_state.variant
    response = item_state.response if isinstance(item_state.response, str) else ""
    score = variant.score(response)
    mark = next(m for m in score.marks if m.criterion == criterion)
    start, end = min(mark.evidence_spans, default=(0, 0))[0], max((end for _, end in mark.evidence_spans), default=0)
    words = shorten(" ".join(terminal_safe_text(response[start:end]).split()), 80)
    if mark.status == "hedged" and words:
        return f"you said “{words}”, and sounded unsure. Is it so, and why?"
    if mark.status == "partial" and words:
        return f"you said “{words}”. Say more: what exactly, and why?"
    worth = f"{points_decimal(mark.possible)} of {points_phrase(score.possible)}"
    open_part = f"one part is still open ({worth}). What would you add to what you said?"
    return variant.follow_up_to(criterion) or open_part


SCREEN_TEXT_STYLE = TextStyle(has_attributes=True)
TIME_LEFT_WARNING_SHARE = 0.2


# The part of a session that the screen shows.
Stage = Enum(
    "Stage",
    "BRIEF ITEM TALK CONFIDENCE HINT SOLUTION PROBE FEEDBACK REVIEW PAUSED LEAVE FINISH HELP JUMP KEEP DISPUTE UNSAVED "
    "DEBRIEF",
)


@dataclass(frozen=True, slots=True)
class PaneBody:
    """The lines of the large pane; the one at index `focus_line_index` must stay visible."""

    lines: tuple[str, ...]
    focus_line_index: int | None = None


ITEM_STATES_LEGEND = "Strip: + answered  - skipped  ! flagged  * late  [n] here"


def footer_key_texts(stage_name: str) -> Sequence[str]:
    """The keys to show at a stage, the most important first; those of an item are in `item_footer_key_texts`."""
    return next((texts for name, *texts in controls_file_rows("footer") if name == stage_name), ())


def item_footer_key_texts(session: Interview, enter_submits: bool) -> Sequence[str]:
    """The keys to show at the current item; `enter_submits` is True if Enter submits."""
    state = session.item_state
    if state.is_closed:
        return footer_key_texts("a closed item")
    submit = "Enter submit" if enter_submits else "F5/^D submit"
    hint = "F2 hint" if state.taken_hint_count < len(state.item.hints) else ""
    ask = "F3 ask" if state.item.given else ""
    return ("F1 help", submit, "^C leave", "F7 skip", hint, ask, "F4 flag", "F6 back", "F8 scratch")


def footer_line(keys: Sequence[str], width: int) -> str:
    """As many of the keys as fit into `width`."""
    if text_column_count("  ".join(keys)) > width - 2:
        short_texts = {long: short for long, short in controls_file_rows("short")}
        keys = [short_texts.get(key, key) for key in keys]
    shown: list[str] = []
    for key in filter(None, keys):
        shown += [key] if text_column_count("  ".join((*shown, key))) <= width - 2 else []
    return f" {'  '.join(shown)}"


def header_line(session: Interview, now: float, width: int, stage: Stage) -> tuple[str, bool]:
    """The header line (the position in the session, the task and both clocks), and whether time is nearly over, which
    the line also says in words."""
    if stage in (Stage.BRIEF, Stage.DEBRIEF, Stage.DISPUTE):
        title = f" {'Mock interview' if stage is Stage.BRIEF else 'Debrief'}: {terminal_safe_text(session.form.title)}"
        return title if text_column_count(title) <= width else f"{title[: width - 2]}…", False
    timed, left = session.rules.is_timed, session.seconds_left(now)
    nearly = timed and left <= max(60.0, session.budget_seconds * TIME_LEFT_WARNING_SHARE)
    total = f"{clock_text(left)} left{'!' if nearly else ''}" if timed else clock_text(session.seconds_spent(now))
    spent, budget = session.item_seconds_spent(now), session.item_budget_seconds()
    over = "!" if spent > budget and timed else ""
    time = f"{total} " if session.is_review_shown else f"{clock_text(spent)}/{clock_text(budget)}{over}  {total} "
    state = session.item_state
    points = points_decimal(state.entry.possible)
    parts = (state.item.topic, state.item.kind, f"{points} pt{'s' * (points != '1')}", "follow-up" * state.is_follow_up)
    about = [terminal_safe_text(part) for part in parts if part]
    number = f" {session.item_number(session.current_index)}/{session.form_item_count}"
    free = width - text_column_count(time)
    while about and text_column_count("  ".join((number, *about))) >= free:
        about.pop(0)  # texts that do not fit are left out, the topic first
    text = "  ".join((number, *about))
    return text + " " * max(1, free - text_column_count(text)) + time, nearly


def item_states_line(session: Interview, width: int) -> str:
    """Every item and its state, such as `1+ 2! [3] 4 5-`; if that is too long, the part around the current item."""
    cells = []
    for index, place in enumerate(session.item_states):
        state = "+" if place.is_done else "-" * place.was_skipped
        cell = f"{session.item_number(index)}{state}{'!' * place.is_flagged}{'*' * place.is_late}"
        cells.append(f"[{cell}]" if index == session.current_index else cell)
    first, last = 0, len(cells)
    while sum(len(c) + 1 for c in cells[first:last]) + 4 > width and last - first > 1:
        if session.current_index - first > last - 1 - session.current_index:
            first += 1
        else:
            last -= 1
    return f" {'<' if first else ' '}{' '.join(cells[first:last])}{'>' if last < len(cells) else ''}"


def item_body(
    session: Interview, width: int, chosen_option_texts: Collection[str], cursor_index: int, plan_reason: str = ""
) -> PaneBody:
    """Why a plan asks the item (if one does), its stem, the options of a choice, the facts requested, the hints
    taken."""
    from quizgen.page import Paragraph  # a brief is shown before any page is loaded

    place = session.item_state
    prompt = place.variant.prompt()
    made = [f"\x1b[2m{line}\x1b[0m" for line in wrap_text(plan_reason, width)] + [""] * bool(plan_reason)
    made += block_lines(prompt[:-1], width, SCREEN_TEXT_STYLE)
    item = place.item
    area = response_area(prompt)
    focus = None
    if isinstance(area, Options):
        made.append("")
        for index, option in enumerate(area.options):
            start = len(made)
            box = (("( )", "(o)"), ("[ ]", "[x]"))[area.allows_several][option.text in chosen_option_texts]
            lead = f"{'>' if index == cursor_index else ' '}{box} {area.letter(index)}. "
            inner = block_lines([Paragraph(option.inline_pieces)], max(8, width - 9), SCREEN_TEXT_STYLE) or [""]
            made += [(lead if n == 0 else " " * 9) + line for n, line in enumerate(inner)]
            if index == cursor_index:
                focus = len(made) - 1 if len(made) - start < 4 else start
    for number, fact in enumerate(item.given if place.are_facts_shown else ()):
        made += [""] * (number == 0) + markdown_lines(fact, width, SCREEN_TEXT_STYLE, " " * 9, "  Given: ")
    for number, hint in enumerate(item.hints[: place.taken_hint_count], 1):
        made += ["", *markdown_lines(hint, width, SCREEN_TEXT_STYLE, " " * 10, f"  Hint {number}: ")]
    return PaneBody(tuple(made), focus)


def review_body(session: Interview, width: int, cursor_index: int, time_left_text: str) -> PaneBody:
    """Items worth another look, in one or two lines each."""
    left = session.item_indices_to_review()
    made = wrap_text(f"Review. {time_left_text}", width)
    if not left:
        none = "Every item has a response and none is flagged or doubtful. Enter finishes."
        return PaneBody((*made, "", *wrap_text(none, width)))
    made += ["", *wrap_text("Open, flagged or given with low confidence:", width)]
    rows = [" >"[row == cursor_index] + review_list_line(session, index, width - 1) for row, index in enumerate(left)]
    return PaneBody((*made, *rows), len(made) + cursor_index if cursor_index < len(left) else 0)


def probe_body(session: Interview, width: int, probe_question: str) -> PaneBody:
    """The stem, the answer, and the probe, which must stay visible."""
    place = session.item_state
    given = place.response if isinstance(place.response, str) else "; ".join(place.response or ())
    made = block_lines(place.variant.prompt()[:-1], width, SCREEN_TEXT_STYLE)
    made += ["", "You said:", *(f"| {line}".rstrip() for line in wrap_text(given, width - 2))]
    made += ["", *(f"\x1b[1m{line}\x1b[0m" for line in wrap_text(f"Follow-up: {probe_question}", width))]
    return PaneBody(tuple(made), len(made) - 1)


def help_body(width: int, stage: Stage, session: Interview, notes: Sequence[str]) -> PaneBody:
    """The keys and what they do: first those of the stage under the help, then those of an item."""
    texts = footer_key_texts(stage.name)
    here = [(key, text) for key, _, text in (k.partition(" ") for k in texts) if text != "help"]
    if stage in (Stage.DEBRIEF, Stage.DISPUTE):
        return PaneBody(tuple(key_help_lines([*here, ("PgUp, PgDn", "scroll")], width)))
    out = {Mode.PRACTICE: (), Mode.STRICT: ("F9", "F12"), Mode.INTERVIEW: ("F12",)}[session.rules.mode]
    rows = [(key, text) for key, text in controls_file_rows("help of an item") if key.partition(" ")[0] not in out]
    made = [*key_help_lines(here, width), "", *wrap_text("At an item:", width)] if here else []
    made += [*key_help_lines(rows, width), "", *wrap_text(ITEM_STATES_LEGEND, width)]
    return PaneBody((*made, *(line for n in notes for line in ("", *wrap_text(n, width)))))


def key_help_lines(keys_and_descriptions: Iterable[Sequence[str]], width: int) -> list[str]:
    rows = [wrap_text(text, width, " " * 13, f"{key:<11}  ") for key, text in keys_and_descriptions]
    return [line for row in rows for line in row]


def message_lines(text: str, width: int, max_lines: int) -> list[str]:
    """A message wrapped to at most `max_lines` lines."""
    made = wrap_text(text, max(8, width - 2), " ", " ")
    return made if len(made) <= max_lines else [*made[: max_lines - 1], f"{made[max_lines - 1][: width - 2]}…"]
