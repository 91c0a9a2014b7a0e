"""The text of each part of a session, for full screen and line by line. Pure functions from a session, a time and a
width to lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from quizgen.answer_areas import Options
from quizgen.model import Variant
from quizgen.render.text import (
    STYLE_WITHOUT_MARKS,
    TextStyle,
    block_lines,
    markdown_lines,
    terminal_safe_text,
    text_column_count,
    wrap_text,
)
from quizgen.session.clock import duration_in_words
from quizgen.session.interview import Interview, ItemState, Mode, item_indices_to_review
from quizgen.session.reading import response_area
from quizgen.source.problems import clock_text, points_decimal, points_phrase, shorten

RULES_TEXT_BY_MODE = {
    "interview": "You may skip, flag and come back, and pause. Your results come at the end.",
    "strict": "Strict: no pause (time away counts too) and no feedback before the end.",
    "practice": "Practice: you may pause, and the solution follows each response.",
}
TIMED_RULE_TEXT = (
    "Each item has its own time; going over it is only noted. When the session's time is over, "
    "quizgen submits what you have typed."
)
UNTIMED_RULE_TEXT = "Untimed: the clocks count up and nothing stops you."
FACTS_RULE_TEXT = "Asking for facts is free."
FOLLOW_UP_RULE_TEXT = "Some items have a follow-up item if there is time; it counts."
HINT_RULE_TEXT = "A hint takes 10 % off what its item earns, the second 20 % more, each later one 30 % more."


def brief_lines(
    session: Interview, width: int, is_resumed: bool = False, notice: str = "", for_plain_display: bool = False
) -> list[str]:
    """The brief as lines, without its title. With `for_plain_display`, commands begin with a colon and no key starts
    the session. `notice` is a line that the candidate should read before the clock starts."""
    last = [notice, f"Seed: {session.form.seed}", "Type :help for the commands." if for_plain_display else ""]
    shown: list[str] = []
    for number, group in enumerate((_session_content_texts(session, is_resumed), _rule_texts(session), last)):
        # A wide screen is usually tall as well.
        shown += [""] * (width >= 60 and number > 0)
        shown += [line for text in group if text for line in wrap_text(text, width)]
    return shown


def _session_content_texts(session: Interview, is_resumed: bool) -> list[str]:
    """The items of a session, its points, time and topics."""
    items = [p.item for p in session.item_states]
    count, timed = len(items), session.rules.is_timed
    points = points_decimal(sum((p.entry.possible for p in session.item_states), start=session.form.possible * 0))
    time = duration_in_words(session.budget_seconds) if timed else "no time limit"
    kinds = ", ".join(f"{n} {kind}" for kind, n in sorted(Counter(i.kind for i in items).items()))
    topics = ", ".join(sorted({i.topic for i in items if i.topic}))
    made = [f"{count} item{'s' * (count != 1)} ({kinds}), {points} point{'s' * (points != '1')}, {time}."]
    made += [f"Topics: {topics}."] if topics else []
    if is_resumed:
        left = f", {duration_in_words(session.seconds_left(session.clock_reading))} left" if timed else ""
        made.append(f"Resumed at item {session.item_number(session.current_index)} of {session.form_item_count}{left}.")
    return made


def _rule_texts(session: Interview) -> list[str]:
    """The rules that matter for the items of a session."""
    items, rules = [p.item for p in session.item_states], session.rules
    return [
        RULES_TEXT_BY_MODE[rules.mode.value],
        TIMED_RULE_TEXT if rules.is_timed else UNTIMED_RULE_TEXT,
        HINT_RULE_TEXT if any(i.hints for i in items) else "",
        FACTS_RULE_TEXT if any(i.given for i in items) else "",
        FOLLOW_UP_RULE_TEXT if rules.can_probe and any(i.follow_ups for i in items) else "",
    ]


def stem_line(variant: Variant) -> str:
    """The stem as one line, for lists; without the material that it shares with other items."""
    from quizgen.page import Stimulus  # a brief is shown before any page is loaded

    stem = [block for block in variant.prompt()[:-1] if not isinstance(block, Stimulus)]
    return " ".join(" ".join(block_lines(stem, 10_000, STYLE_WITHOUT_MARKS)).split())


def review_list_line(session: Interview, index: int, width: int) -> str:
    """A line of the review list: why the item is open, and as much of its stem as fits."""
    place = session.item_states[index]
    reasons = [
        "open" if not place.is_done else "",
        "draft" if place.draft.strip() and not place.is_done else "",
        "flagged" if place.flagged else "",
        f"confidence {place.confidence}" if place.is_done and (place.confidence or 9) <= 2 else "",
    ]
    text = f"{session.item_number(index):>3}. {', '.join(r for r in reasons if r)}: {stem_line(place.variant)}"
    return text if text_column_count(text) <= width else f"{text[: width - 1]}…"


def probe_question_text(item_state: ItemState, criterion: str) -> str:
    """The probe on a missed criterion: quotes the candidate's words on it if there are any, else uses the author's
    wording, else names the points. Never shows the criterion's id."""
    variant = item_state.variant
    response = item_state.response if isinstance(item_state.response, str) else ""
    score = variant.score(response)
    mark = next(m for m in score.marks if m.criterion == criterion)
    starts, ends = zip(*mark.evidence_spans, strict=True) if mark.evidence_spans else ((0,), (0,))
    words = shorten(" ".join(terminal_safe_text(response[min(starts) : max(ends)]).split()), 80)
    if mark.status == "hedged" and words:
        return f"you said “{words}”, and sounded unsure. Is it so, and why?"
    if mark.status == "partial" and words:
        return f"you said “{words}”. Say more: what exactly, and why?"
    worth = f"{points_decimal(mark.possible)} of {points_phrase(score.possible)}"
    written = variant.follow_up_to(criterion)
    return written or f"one part is still open ({worth}). What would you add to what you said?"


SCREEN_TEXT_STYLE = TextStyle(has_attributes=True)
TIME_WARNING_SHARE = 0.2


class Stage(Enum):
    """The part of a session that the screen shows."""

    BRIEF = auto()
    ITEM = auto()
    TALK = auto()
    CONFIDENCE = auto()
    HINT = auto()
    SOLUTION = auto()
    PROBE = auto()
    FEEDBACK = auto()
    REVIEW = auto()
    PAUSED = auto()
    LEAVE = auto()
    FINISH = auto()
    HELP = auto()
    JUMP = auto()
    KEEP = auto()
    DISPUTE = auto()
    UNSAVED = auto()
    DEBRIEF = auto()


@dataclass(frozen=True, slots=True)
class PaneBody:
    """The lines of the large pane; the one at index `focus_index` must stay visible."""

    lines: tuple[str, ...]
    focus_index: int | None = None


SCROLL_KEY_HELP = ("PgUp, PgDn", "scroll")
KEY_HELP = (
    ("Enter", "choice, number: submit; text: a new line"),
    ("F5 or ^D", "submit"),
    ("F7 or ^N", "skip for now, go to the next item"),
    ("F6 or ^P", "the item before"),
    ("F4 or ^F", "flag for review, or unflag"),
    ("F2 or ^T", "hint: its cost is shown before you take it"),
    ("F3 or ^Q", "ask for what is given; costs nothing"),
    ("F8 or ^O", "scratch pane, never scored"),
    ("F9 or Alt-P", "pause: the clock stops, the item hides"),
    ("F10 or ^R", "review: what is open, flagged or doubtful"),
    ("F11 or ^B", "go to an item by its number"),
    ("F12 or ^V", "show the solution and close the item"),
    ("Alt-K", "keep a card of it: a bookmark, a note, never again"),
    ("^_", "undo in the editor"),
    ("Alt-_", "redo in the editor"),
    SCROLL_KEY_HELP,
    ("^Z", "suspend; fg comes back"),
    ("^C", "leave: keep for later, or end"),
    ("F1 or ^G", "this help"),
)
ITEM_STATES_LEGEND = "Strip: + answered  - skipped  ! flagged  * late  [n] here"

KEY_TEXTS_BY_STAGE = {
    Stage.BRIEF: ("Enter start the clock", "^C leave", "F1 help"),
    Stage.CONFIDENCE: ("1-5 how sure", "Enter rather not say", "Esc change it", "F1 help"),
    Stage.HINT: ("y take it", "n leave it", "F1 help"),
    Stage.SOLUTION: ("y show it", "n leave it", "F1 help"),
    Stage.PROBE: ("F5/^D add", "Esc add nothing", "F1 help"),
    Stage.FEEDBACK: ("Enter next item", "k keep a card", "F1 help"),
    Stage.REVIEW: ("f finish", "Enter go to it", "Esc back", "F1 help", "Up/Down choose", "1-9 go to a number"),
    Stage.DISPUTE: (
        "Esc back",
        "f fully",
        "p partly",
        "n no",
        "Left/Right, Space mark words",
        "Up/Down criterion",
        "F1 help",
    ),
    Stage.JUMP: ("Enter go there", "Esc back", "F1 help"),
    Stage.KEEP: ("Enter keep it", "Esc back", "F1 help"),
    Stage.PAUSED: ("Enter go on", "^C leave", "F1 help"),
    Stage.LEAVE: ("s keep for later", "e end now", "Esc go on", "F1 help"),
    Stage.FINISH: ("f finish", "Esc back to the review", "F1 help"),
    Stage.HELP: ("Esc back",),
    Stage.UNSAVED: ("Enter try again", "s keep for later", "F1 help"),
    Stage.DEBRIEF: (
        "q leave",
        "r redo missed",
        "d dispute a mark",
        "k keep a card",
        "n/p next/previous item",
        "1-9 go to a number",
        "F1 help",
    ),
}
# Shorter texts for a narrow footer; help shows them in full.
SHORT_TEXT_BY_KEY_TEXT = {
    "r redo missed": "r redo",
    "d dispute a mark": "d dispute",
    "k keep a card": "k keep",
    "n/p next/previous item": "n/p items",
    "1-9 go to a number": "1-9 number",
}


def footer_key_texts(stage: Stage, session: Interview, enter_submits: bool) -> tuple[str, ...]:
    """The keys to show at a stage; `enter_submits` is True if Enter submits."""
    if stage is Stage.REVIEW and not item_indices_to_review(session):
        return ("Enter finish", "Esc back", "1-9 go to a number", "F1 help")
    if stage is not Stage.ITEM:
        return KEY_TEXTS_BY_STAGE[stage]
    if session.item_state.closed:
        return ("F1 help", "Enter next", "^C leave", "F12 solution", "F6 back", "F4 flag")
    item = session.item_state.item
    return (
        "F1 help",
        "Enter submit" if enter_submits else "F5/^D submit",
        "^C leave",
        "F7 skip",
        "F2 hint" if session.item_state.hints < len(item.hints) else "",
        "F3 ask" if item.given else "",
        "F4 flag",
        "F6 back",
        "F8 scratch",
    )


def footer_line(keys: tuple[str, ...], width: int) -> str:
    """As many of the keys as fit into `width`."""
    if text_column_count("  ".join(keys)) > width - 2:
        keys = tuple(SHORT_TEXT_BY_KEY_TEXT.get(key, key) for key in keys)
    shown = ""
    for key in keys:
        longer = f"{shown}  {key}" if shown and key else shown + key
        if text_column_count(longer) <= width - 2:
            shown = longer
    return f" {shown}"


def header_line(session: Interview, now: float, width: int, stage: Stage) -> tuple[str, bool]:
    """The header line (the position in the session, the task and both clocks), and whether time is nearly over, which
    the line also says in words."""
    if stage in (Stage.BRIEF, Stage.DEBRIEF, Stage.DISPUTE):
        title = f" {'Mock interview' if stage is Stage.BRIEF else 'Debrief'}: {terminal_safe_text(session.form.title)}"
        return title if text_column_count(title) <= width else f"{title[: width - 2]}…", False
    timed, left = session.rules.is_timed, session.seconds_left(now)
    nearly = timed and left <= max(60.0, session.budget_seconds * TIME_WARNING_SHARE)
    total = f"{clock_text(left)} left{'!' if nearly else ''}" if timed else clock_text(session.seconds_spent(now))
    spent, budget = session.item_seconds_spent(now), session.item_budget_seconds()
    over = "!" if spent > budget and timed else ""
    time = f"{total} " if session.is_review_shown else f"{clock_text(spent)}/{clock_text(budget)}{over}  {total} "
    state = session.item_state
    points = points_decimal(state.entry.possible)
    follow_up = "follow-up" if state.is_follow_up else ""
    parts = (state.item.topic, state.item.kind, f"{points} pt{'s' * (points != '1')}", follow_up)
    about = [terminal_safe_text(part) for part in parts if part]
    text = ""
    for first in range(len(about) + 1):  # texts that do not fit are left out, the topic first
        shown = "  ".join(about[first:])
        text = f" {session.item_number(session.current_index)}/{session.form_item_count}  {shown}".rstrip()
        if text_column_count(text) + text_column_count(time) + 1 <= width:
            break
    return text + " " * max(1, width - text_column_count(text) - text_column_count(time)) + time, nearly


def item_states_line(session: Interview, width: int) -> str:
    """Every item and its state, such as `1+ 2! [3] 4 5-`; if that is too long, the part around the current item."""
    cells = []
    for index, place in enumerate(session.item_states):
        state = "+" if place.is_done else "-" if place.was_skipped else ""
        state += ("!" if place.flagged else "") + ("*" if place.is_late else "")
        cell = f"{session.item_number(index)}{state}"
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
    from quizgen.page import Para  # a brief is shown before any page is loaded

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
            inner = block_lines([Para(option.parts)], max(8, width - 9), SCREEN_TEXT_STYLE) or [""]
            made += [(lead if n == 0 else " " * 9) + line for n, line in enumerate(inner)]
            if index == cursor_index:
                focus = len(made) - 1 if len(made) - start < 4 else start
    for number, fact in enumerate(item.given if place.clarified else ()):
        made += [""] * (number == 0) + markdown_lines(fact, width, SCREEN_TEXT_STYLE, " " * 9, "  Given: ")
    for number, hint in enumerate(item.hints[: place.hints], 1):
        made += ["", *markdown_lines(hint, width, SCREEN_TEXT_STYLE, " " * 10, f"  Hint {number}: ")]
    return PaneBody(tuple(made), focus)


def review_body(session: Interview, width: int, cursor_index: int, time_left_text: str) -> PaneBody:
    """Items worth another look, in one or two lines each."""
    left = item_indices_to_review(session)
    made = wrap_text(f"Review. {time_left_text}" if time_left_text else "Review.", width)
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
    here = [
        (key, text) for key, _, text in (k.partition(" ") for k in KEY_TEXTS_BY_STAGE.get(stage, ())) if text != "help"
    ]
    if stage is Stage.DEBRIEF:
        return PaneBody(tuple(key_help_lines([*here, SCROLL_KEY_HELP], width)))
    out = {Mode.PRACTICE: (), Mode.STRICT: ("F9", "F12"), Mode.INTERVIEW: ("F12",)}[session.rules.mode]
    rows = [(key, text) for key, text in KEY_HELP if key.partition(" ")[0] not in out]
    made = [*key_help_lines(here, width), "", *wrap_text("At an item:", width)] if here else []
    made += [*key_help_lines(rows, width), "", *wrap_text(ITEM_STATES_LEGEND, width)]
    return PaneBody((*made, *(line for n in notes for line in ("", *wrap_text(n, width)))))


def key_help_lines(key_texts_and_descriptions: Sequence[tuple[str, str]], width: int) -> list[str]:
    room = max(len(key) for key, _ in KEY_HELP)
    return [
        line
        for key, text in key_texts_and_descriptions
        for line in wrap_text(text, width, " " * (room + 2), f"{key:<{room}}  ")
    ]


def message_lines(text: str, width: int, max_lines: int) -> list[str]:
    """A message wrapped to at most `max_lines` lines."""
    made = wrap_text(text, max(8, width - 2), " ", " ")
    return made if len(made) <= max_lines else [*made[: max_lines - 1], f"{made[max_lines - 1][: width - 2]}…"]
