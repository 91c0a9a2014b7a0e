"""The text of each part of a session, for full screen and line by line. Pure functions from a session, a time and a
width to lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from quizgen.model import ZERO
from quizgen.render.text import EmphasisStyle, terminal_safe_text, text_column_count, wrap_blocks, wrap_text
from quizgen.session.interview import Interview, ItemState, duration_in_words
from quizgen.session.sitting import Sitting
from quizgen.source.problems import points_phrase, shorten, up_to_2_decimals

if TYPE_CHECKING:  # most sessions are not cases
    from quizgen.session.case_sitting import CaseSitting

SCREEN_EMPHASIS = EmphasisStyle(has_terminal_attributes=True)
TIME_LEFT_WARNING_SHARE = 0.2  # of the time of a session or phase; with less left, the header warns
DISPLAY_NAME_BY_SPEAKER_ROLE = {"interviewer": "Interviewer", "candidate": "You"}


@cache
def controls_section_rows(section: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a section of controls.txt."""
    text = Path(__file__).with_name("controls.txt").read_text(encoding="utf-8")
    lines = text.partition(f"== {section}\n")[2].partition("\n== ")[0].splitlines()
    return tuple(tuple(map(str.strip, line.split(" | "))) for line in lines if line and not line.startswith("#"))


def named_rule_texts(names: Collection[str]) -> list[str]:
    """The sentences of the rules with these names."""
    return [text for name, text in controls_section_rows("rules") if name in names]


def briefing_lines(sitting: Sitting, width: int, is_plain: bool = False) -> list[str]:
    """The brief as lines, without its title: the items of the session, its points, time and topics; the rules that
    matter for them; and a line that the candidate should read before the clock starts. If `is_plain`, commands begin
    with a colon."""
    session, rules = sitting.session, sitting.session.rules
    items = [p.item for p in session.item_states]
    points = up_to_2_decimals(sum((p.form_entry.points for p in session.item_states), start=ZERO))
    time = duration_in_words(session.budget_seconds) if rules.is_timed else "no time limit"
    kinds = ", ".join(f"{n} {kind}" for kind, n in sorted(Counter(i.kind for i in items).items()))
    topics = ", ".join(sorted({i.topic for i in items if i.topic}))
    number = f"{session.displayed_number_text(session.current_index)} of {session.form_item_count}"
    clock = f", {duration_in_words(session.seconds_left(session.last_clock_seconds))} left" if rules.is_timed else ""
    content = [
        f"{len(items)} item{'s' * (len(items) != 1)} ({kinds}), {points} point{'s' * (points != '1')}, {time}.",
        f"Topics: {topics}." if topics else "",
        f"Resumed at item {number}{clock}." if sitting.is_resumed else "",
    ]
    names = [rules.mode.value, "timed" if rules.is_timed else "untimed"]
    names += ["hints"] * any(i.hints for i in items) + ["facts"] * any(i.facts_on_request for i in items)
    names += ["follow-ups"] * (rules.can_probe and any(i.follow_up_ids for i in items))
    end_texts = [sitting.briefing_notice_text, f"Seed: {session.form.seed}", "Type :help for the commands." * is_plain]
    texts = (content, named_rule_texts(names), end_texts)
    groups = [[line for text in group if text for line in wrap_text(text, width)] for group in texts]
    gap = [""] * (width >= 60)  # a wide screen is usually tall as well
    return [*groups[0], *gap, *groups[1], *gap, *groups[2]]


def review_list_line(session: Interview, index: int, width: int) -> str:
    """A line of the review list: why the item is in it, and as much of its stem (without shared material) as fits."""
    from quizgen.page import Stimulus  # a brief is shown before any page is loaded

    state = session.item_states[index]
    stem = [block for block in state.variant.prompt()[:-1] if not isinstance(block, Stimulus)]
    stem_text = " ".join(" ".join(wrap_blocks(stem, 10_000, EmphasisStyle(has_emphasis_characters=False))).split())
    is_open = not state.is_answered_or_closed
    reasons = ["open"] * is_open + [("not submitted", "draft")[is_open]] * state.has_unsubmitted_text
    reasons += ["flagged"] if state.is_flagged else []
    reasons += [f"confidence {state.confidence}"] if state.is_answered_or_closed and (state.confidence or 9) < 3 else []
    text = f"{session.displayed_number_text(index):>3}. {', '.join(reasons)}: {stem_text}"
    return text if text_column_count(text) <= width else f"{text[: width - 1]}…"


def probe_question_text(item_state: ItemState, criterion: str) -> str:
    """The probe on a missed criterion, behind `Follow-up:`. It quotes the candidate's words on it if there are any,
    else uses the author's wording, else names the points. Never shows the criterion's id."""
    variant = item_state.variant
    response = item_state.response if isinstance(item_state.response, str) else ""
    score = variant.score(response)
    mark = next(m for m in score.marks if m.criterion_id == criterion)
    start, end = min(mark.evidence_spans, default=(0, 0))[0], max((end for _, end in mark.evidence_spans), default=0)
    words = shorten(" ".join(terminal_safe_text(response[start:end]).split()), 80)
    part = f"one part is still open ({up_to_2_decimals(mark.possible)} of {points_phrase(score.possible)})"
    question = variant.probe_for_criterion(criterion) or f"{part}. What would you add to what you said?"
    if mark.status == "hedged" and words:
        question = f"you said “{words}”, and sounded unsure. Is it so, and why?"
    elif mark.status == "partial" and words:
        question = f"you said “{words}”. Say more: what exactly, and why?"
    return f"Follow-up: {question}"


def case_outline_text(sitting: CaseSitting) -> str:
    """The title of the case, its minutes and its phases."""
    case = sitting.conversation.case
    phases_text = ", ".join(f"{p.title} {float(p.allowed_minutes):g}" for p in case.phases)
    time_note = "" if sitting.session.rules.is_timed else " Untimed."
    return f"{case.title}. {sum(float(p.allowed_minutes) for p in case.phases):g} minutes: {phases_text}.{time_note}"


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


def footer_key_texts(stage_name: str) -> Sequence[str]:
    """The keys to show at a stage, the most important first."""
    return next((texts for name, *texts in controls_section_rows("footer") if name == stage_name), ())


def footer_line(keys: Sequence[str], width: int) -> str:
    """As many of the keys as fit into `width`."""
    if text_column_count("  ".join(keys)) > width - 2:
        short_texts = {text: short_text for text, short_text in controls_section_rows("short")}
        keys = [short_texts.get(key, key) for key in keys]
    key_texts: list[str] = []
    for key in filter(None, keys):
        key_texts += [key] if text_column_count("  ".join((*key_texts, key))) <= width - 2 else []
    return f" {'  '.join(key_texts)}"


def key_help_lines(keys_and_descriptions: Iterable[Sequence[str]], width: int) -> list[str]:
    return [line for key, text in keys_and_descriptions for line in wrap_text(text, width, " " * 13, f"{key:<11}  ")]
