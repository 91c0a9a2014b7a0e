"""A timed session as a value: its rules, the state of each item, which items are open, doubtful or missed; and its
events, each a function from one `Interview` to the next.

The clock is an argument: `now` is a number of seconds that only grows (its zero does not matter)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import accumulate
from typing import Any

from quizgen.model import Form, FormEntry, Item, Outcome, Response, Score, Variant, deduct_hint_cost, scale_score

# A longer gap between two ticks means that the process did not run (Ctrl-Z, a stopped process, a sleeping
# machine). Ticks come once a second.
MAX_TICK_GAP_SECONDS = 2.0
TICK_SECONDS = 1.0


class Mode(StrEnum):
    """How much a session helps. `interview`: pause and probes, feedback at the end. `strict`: no
    pause, no probes, no feedback until the end. `practice`: feedback after each item."""

    INTERVIEW = "interview"
    STRICT = "strict"
    PRACTICE = "practice"


class RunState(StrEnum):
    """Whether a session is ready, runs, is paused or has ended."""

    NOT_STARTED = "brief"
    RUNNING = "running"
    PAUSED = "paused"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class SessionRules:
    """`time_multiplier` stretches every time budget. If `is_timed` is False, clocks count up and nothing stops."""

    mode: Mode = Mode.INTERVIEW
    is_timed: bool = True
    time_multiplier: float = 1.0
    wants_probes: bool = True

    @property
    def can_probe(self) -> bool:
        return self.wants_probes and self.mode is not Mode.STRICT


@dataclass(frozen=True, slots=True)
class Dispute:
    """What a candidate claims about one mark: `full`, `part` or `no`, and the words of the response, [start, end), that
    prove it. A dispute is recorded beside the mark and never changes it."""

    criterion_id: str
    claimed_share_word: str
    quote_start: int
    quote_end: int


@dataclass(frozen=True, slots=True)
class ItemState:
    """One item's state in a session. `response` is None before a response, and `""` if the item was shown and left.

    `seconds_spent` is the time spent on it so far, `seconds_until_response` that up to the last response, as logged;
    `taken_hint_count` is the number of hints taken so far, and `paid_hint_count` when the response was given;
    `is_closed`: the solution was shown, so the response cannot change; `probed_criterion_id` is the criterion that a
    probe asked about."""

    form_entry: FormEntry
    response: Response | None = None
    draft_text: str = ""
    scratch_text: str = ""
    seconds_spent: float = 0.0
    seconds_until_response: float = 0.0
    was_shown: bool = False
    was_skipped: bool = False
    is_flagged: bool = False
    is_response_late: bool = False
    is_closed: bool = False
    taken_hint_count: int = 0
    paid_hint_count: int = 0
    are_facts_shown: bool = False
    confidence: int | None = None
    probed_criterion_id: str = ""
    response_to_previous_part_item: Response | None = None  # the response to the previous part when this one was given
    is_follow_up: bool = False
    disputes: tuple[Dispute, ...] = ()

    @property
    def variant(self) -> Variant:
        return self.form_entry.variant

    @property
    def item(self) -> Item:
        return self.form_entry.variant.item

    @property
    def is_answered_or_closed(self) -> bool:
        """Whether the item has a response that is not blank, or is closed."""
        return self.is_closed or (self.response is not None and self.response not in ("", ()))

    @property
    def has_unsubmitted_text(self) -> bool:
        return bool(self.draft_text.strip()) and self.draft_text != self.response

    def score(self) -> Score:
        """The score of an item's response, scaled to the points of its section, after the cost of hints."""
        response = self.response if self.response is not None else ""
        score = self.variant.score_given_earlier_response(response, self.response_to_previous_part_item)
        return deduct_hint_cost(scale_score(score, self.form_entry.points_override), self.paid_hint_count)


@dataclass(frozen=True, slots=True)
class Interview:
    """A session: its form, its rules, and where the candidate is.

    `used_seconds` is the number of session seconds up to the clock reading `last_clock_seconds`; `away_seconds` is the
    number that were not counted because the process did not run. `is_review_shown`: the review list is on screen and no
    item, so time is added to the session only."""

    form: Form
    rules: SessionRules
    item_states: tuple[ItemState, ...]
    current_index: int = 0
    run_state: RunState = RunState.NOT_STARTED
    used_seconds: float = 0.0
    last_clock_seconds: float = 0.0
    away_seconds: float = 0.0
    is_review_shown: bool = False
    end_reason: str = ""

    @property
    def item_state(self) -> ItemState:
        return self.item_states[self.current_index]

    @property
    def form_item_count(self) -> int:
        """The number of items on the form, without follow-ups that were inserted."""
        return sum(not p.is_follow_up for p in self.item_states)

    def displayed_number_text(self, index: int) -> str:
        """An item's number on screen: `8`, or `8a`, `8b` for its follow-ups, so that later items keep their numbers."""
        item_indices = [i for i, state in enumerate(self.item_states[: index + 1]) if not state.is_follow_up]
        follow_up_number = index - (item_indices[-1] if item_indices else -1)
        return f"{len(item_indices)}{chr(ord('a') + follow_up_number - 1) if follow_up_number else ''}"

    def index_of_item_number(self, number: str) -> int | None:
        """The index of the item whose number on screen is `number`, such as `8a`; None if there is none."""
        text = number.strip().casefold()
        return next((i for i in range(len(self.item_states)) if self.displayed_number_text(i) == text), None)

    @property
    def budget_seconds(self) -> float:
        """The time budget of the whole session, in seconds."""
        return float(self.form.minutes) * 60 * self.rules.time_multiplier

    def seconds_left(self, now: float) -> float:
        """The seconds until time is up, never negative; infinite in an untimed session."""
        return max(0.0, self.budget_seconds - self.seconds_so_far(now)) if self.rules.is_timed else float("inf")

    def seconds_so_far(self, now: float) -> float:
        """The seconds of the session so far."""
        is_running = self.run_state is RunState.RUNNING
        return self.used_seconds + (max(0.0, now - self.last_clock_seconds) if is_running else 0.0)

    def item_budget_seconds(self, index: int | None = None) -> float:
        """The time budget of item `index` (None: the current one), in seconds."""
        state = self.item_states[self.current_index if index is None else index]
        return state.item.seconds * self.rules.time_multiplier

    def seconds_on_item(self, now: float) -> float:
        """The seconds spent on the current item so far."""
        seconds = 0.0 if self.is_review_shown else self.seconds_so_far(now) - self.used_seconds
        return self.item_state.seconds_spent + seconds

    def next_undecided_index(self, after_index: int | None = None) -> int | None:
        """The index of the next item without a response or skip: after index `after_index` (None: the current one),
        then from the first item; None if there is none."""
        first = (self.current_index if after_index is None else after_index) + 1
        open_indices = [i for i, state in enumerate(self.item_states) if state.response is None and not state.is_closed]
        return next((i for i in open_indices if i >= first), next(iter(open_indices), None))

    def flagged_unanswered_or_unsure_indices(self) -> tuple[int, ...]:
        """Indices of the items worth a review: flagged, unanswered, changed since, or of a confidence of 1 or 2."""
        pairs = [(i, s) for i, s in enumerate(self.item_states) if not s.is_closed]
        indices = {i for i, s in pairs if s.is_flagged or s.has_unsubmitted_text}
        return tuple(i for i, s in pairs if i in indices or not s.is_answered_or_closed or (s.confidence or 5) <= 2)

    def item_indices_with_unsubmitted_text(self) -> tuple[int, ...]:
        """Indices of the items whose typed text is submitted at the end, also in place of an earlier response."""
        states = enumerate(self.item_states)
        return tuple(i for i, s in states if s.was_shown and s.has_unsubmitted_text and not s.is_closed)

    def has_shown_item_below_full_points(self) -> bool:
        """Whether any item that was shown earned less than its full points."""
        return any(state.score().earned < state.form_entry.points for state in self.item_states if state.was_shown)

    def start_clock(self, now: float) -> Interview:
        """The session with its clock started and the current item shown."""
        return replace(self, run_state=RunState.RUNNING, last_clock_seconds=now).go_to_item(self.current_index, now)

    def advance_clock(self, now: float, counts_long_gap_as_away: bool = True) -> Interview:
        """Adds the time since the last event to the session and the current item.

        With `counts_long_gap_as_away`, the caller ticks every second, so a long gap is time away and not added. In
        strict mode it is added, unless the machine slept (which stops `now` itself)."""
        if self.run_state is not RunState.RUNNING:
            return self
        gap = max(0.0, now - self.last_clock_seconds)
        was_away = counts_long_gap_as_away and gap > MAX_TICK_GAP_SECONDS and self.rules.mode is not Mode.STRICT
        seconds = TICK_SECONDS if was_away else gap
        item_seconds = 0.0 if self.is_review_shown else seconds
        session = self.with_item_changes(seconds_spent=self.item_state.seconds_spent + item_seconds)
        used_seconds, away_seconds = self.used_seconds + seconds, self.away_seconds + (gap - seconds)
        return replace(session, used_seconds=used_seconds, last_clock_seconds=now, away_seconds=away_seconds)

    def exclude_time_away(self, now: float) -> Interview:
        """Ignores the time since the last event, because the candidate could not see the item (Ctrl-Z)."""
        if self.run_state is not RunState.RUNNING or self.rules.mode is Mode.STRICT:
            return self
        gap = max(0.0, now - self.last_clock_seconds)
        return replace(self, last_clock_seconds=now, away_seconds=self.away_seconds + gap)

    def go_to_item(self, index: int, now: float) -> Interview:
        """Shows the item at `index`."""
        session = replace(self.advance_clock(now), is_review_shown=False, current_index=index)
        return session.with_item_changes(was_shown=True)

    def record_response(
        self, response: Response, now: float, was_skipped: bool = False, index: int | None = None
    ) -> Interview:
        """Records a response to the item `index` (None: the current one), as late if the item's own time is used up."""
        session = self.advance_clock(now)
        state = session.item_states[self.current_index if index is None else index]
        is_past = self.rules.is_timed and state.seconds_spent > self.item_budget_seconds(index)
        part_id, hints = state.item.previous_part_id, state.taken_hint_count
        earlier = next((p.response for p in self.item_states if part_id and p.item.id == part_id), None)
        session = session.with_item_changes(index, response=response, paid_hint_count=hints, is_response_late=is_past)
        session = session.with_item_changes(index, seconds_until_response=round(state.seconds_spent, 1), was_shown=True)
        return session.with_item_changes(index, response_to_previous_part_item=earlier, was_skipped=was_skipped)

    def follow_ups_that_fit_in_time(self, entries: Sequence[FormEntry], now: float) -> tuple[FormEntry, ...]:
        """The `entries` of kinds that the session already asks, as many as there is time for beside the open items."""
        kinds = {p.item.kind for p in self.item_states if not p.is_follow_up}
        open_seconds = sum(p.item.seconds for p in self.item_states if not p.is_answered_or_closed)
        room = self.seconds_left(now) / self.rules.time_multiplier - open_seconds
        entries = [entry for entry in entries if entry.variant.item.kind in kinds]
        ends = accumulate(entry.variant.item.seconds for entry in entries)
        return tuple(entry for entry, end in zip(entries, ends, strict=True) if end <= room)

    def insert_follow_ups(self, follow_ups: Sequence[FormEntry], index: int | None = None) -> Interview:
        """Inserts follow-up items after item `index` (None: the current one) and its earlier follow-ups. Items that are
        already in the session are left out."""
        item_ids = {p.item.id for p in self.item_states}
        states = tuple(ItemState(e, is_follow_up=True) for e in follow_ups if e.variant.item.id not in item_ids)
        position = (self.current_index if index is None else index) + 1
        while position < len(self.item_states) and self.item_states[position].is_follow_up:
            position += 1
        return replace(self, item_states=(*self.item_states[:position], *states, *self.item_states[position:]))

    def end_session(self, now: float, end_reason: str) -> Interview:
        """Ends the session. `end_reason` is finished, time, quit or end-of-input."""
        return replace(self.advance_clock(now), run_state=RunState.ENDED, end_reason=end_reason)

    def with_item_changes(self, index: int | None = None, **changes: Any) -> Interview:
        """The session with `changes` to fields of the state of item `index` (None: the current one)."""
        position = self.current_index if index is None else index
        state = replace(self.item_states[position], **changes)
        return replace(self, item_states=(*self.item_states[:position], state, *self.item_states[position + 1 :]))


def costliest_criterion_id_or_empty(score: Score) -> str:
    """The criterion on which a response missed the most points; empty if it is blank or has nothing to gain."""
    if score.outcome in (Outcome.BLANK, Outcome.UNREADABLE, Outcome.CORRECT) or len(score.marks) < 2:
        return ""
    open_marks = [m for m in score.marks if m.status in ("missing", "partial", "hedged") and m.earned < m.possible]
    return max(open_marks, key=lambda m: m.possible - m.earned).criterion_id if open_marks else ""


def new_session(form: Form, rules: SessionRules) -> Interview:
    """A session before its clock starts."""
    return Interview(form, rules, tuple(ItemState(e) for e in form.entries))


def duration_in_words(seconds: float) -> str:
    """A duration in words: `45 minutes`, `1 minute 30 seconds`, `20 seconds`."""
    minutes, rest = divmod(max(0, round(seconds)), 60)
    parts = [(minutes, "minute")] * (minutes > 0) + [(rest, "second")] * (rest > 0 or not minutes)
    return " ".join(f"{number} {unit}{'s' * (number != 1)}" for number, unit in parts)
