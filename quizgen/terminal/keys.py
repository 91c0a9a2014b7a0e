"""The keys of the full screen: one table of stage, key and action, for sessions and cases.

A key is written as prompt_toolkit names it; `+` joins the keys of a sequence."""

from __future__ import annotations

from typing import NamedTuple

from quizgen.terminal.panes import Stage
from quizgen.terminal.session_screen import SCROLL_END

DIGIT_KEYS = " ".join("0123456789")
ALL_STAGES = (
    BRIEF, ITEM, TALK, CONFIDENCE, HINT, SOLUTION, PROBE, FEEDBACK, REVIEW, PAUSED, LEAVE, FINISH, HELP, JUMP, KEEP,
    DISPUTE, UNSAVED, DEBRIEF,
) = tuple(Stage)  # fmt: skip
READING_STAGES = (BRIEF, HELP, FEEDBACK, DEBRIEF)


class KeyBinding(NamedTuple):
    """One row. `action` is a method of `SessionScreen` or of a part of it, called with `argument` unless it is None,
    and with the key itself if `passes_key`. `condition` names a method that must return true too; an `eager` key does
    not wait for the next one."""

    key_names: str
    stages: tuple[Stage, ...]
    action: str
    argument: int | str | None = None
    condition: str = ""
    passes_key: bool = False
    eager: bool = False


KEY_BINDINGS = (
    KeyBinding("c-c <sigint>", ALL_STAGES, "ask_whether_to_leave", eager=True),
    KeyBinding("c-z", ALL_STAGES, "suspend_process", eager=True),
    KeyBinding("f1 c-g", ALL_STAGES, "show_help"),
    KeyBinding("?", ALL_STAGES, "show_help", condition="has_no_input"),
    KeyBinding("pagedown", ALL_STAGES, "scroll_page", 1),
    KeyBinding("pageup", ALL_STAGES, "scroll_page", -1),
    KeyBinding("enter", (BRIEF,), "start"),
    # An item, or a turn of a case.
    KeyBinding("enter", (ITEM, TALK), "submit", condition="enter_submits"),
    KeyBinding("f5 c-d", (ITEM, TALK), "submit", condition="is_outside_scratch_pane"),
    KeyBinding("f7 c-n", (ITEM, TALK), "skip"),
    KeyBinding("f6 c-p", (ITEM,), "go_to_previous_item"),
    KeyBinding("f4 c-f", (ITEM,), "toggle_flag"),
    KeyBinding("f2 c-t", (ITEM,), "offer_hint"),
    KeyBinding("f3 c-q", (ITEM, TALK), "show_facts"),
    KeyBinding("f8 c-o", (ITEM,), "toggle_scratch_pane"),
    KeyBinding("f9 escape+p", (ITEM, TALK, REVIEW), "pause"),
    KeyBinding("f10 c-r", (ITEM, TALK), "show_review"),
    KeyBinding("f11 c-b", (ITEM,), "ask_item_number"),
    KeyBinding("f12 c-v", (ITEM,), "offer_solution"),
    KeyBinding("up", (ITEM,), "move_cursor", -1, condition="is_choosing"),
    KeyBinding("down tab", (ITEM,), "move_cursor", 1, condition="is_choosing"),
    KeyBinding("space", (ITEM,), "choose_option", condition="is_choosing"),
    KeyBinding("<any>", (ITEM,), "choose_by_letter", condition="is_choosing", passes_key=True),
    # Going to an item by its number, and marking an item.
    KeyBinding(DIGIT_KEYS, (REVIEW, DEBRIEF), "ask_item_number", condition="accepts_keys", passes_key=True),
    KeyBinding("escape+k", (ITEM, CONFIDENCE, PROBE), "open_card_prompt"),
    KeyBinding("k", (FEEDBACK, DEBRIEF), "open_card_prompt", condition="accepts_keys"),
    KeyBinding("<any>", (JUMP, KEEP), "edit_prompt_input", passes_key=True),
    KeyBinding("backspace", (JUMP, KEEP), "edit_prompt_input"),
    KeyBinding("enter", (JUMP,), "go_to_typed_item_number"),
    KeyBinding("enter", (KEEP,), "save_card"),
    # After a response.
    KeyBinding("1 2 3 4 5", (CONFIDENCE,), "submit_with_confidence", passes_key=True),
    KeyBinding("enter", (CONFIDENCE,), "submit_with_confidence"),
    KeyBinding("y Y", (HINT,), "take_hint"),
    KeyBinding("n N escape", (HINT, SOLUTION), "close_dialog"),
    KeyBinding("y Y", (SOLUTION,), "show_solution"),
    KeyBinding("f5 c-d", (PROBE,), "submit_probe_answer"),
    KeyBinding("escape", (PROBE,), "skip_probe"),
    KeyBinding("enter", (FEEDBACK,), "go_to_next_open_item"),
    # The review, and dialogs over a stage.
    KeyBinding("up", (REVIEW,), "move_cursor", -1),
    KeyBinding("down", (REVIEW,), "move_cursor", 1),
    KeyBinding("enter", (REVIEW,), "open_reviewed_item"),
    KeyBinding("f F", (REVIEW, FINISH), "finish_session"),
    KeyBinding("escape", (REVIEW,), "close_review"),
    KeyBinding("enter", (PAUSED,), "resume_after_pause"),
    KeyBinding("enter r", (UNSAVED,), "retry_saving", condition="accepts_keys"),
    KeyBinding("s S", (LEAVE, UNSAVED), "leave_screen", 0, condition="accepts_keys"),
    KeyBinding("e E", (LEAVE,), "end_session", "quit"),
    KeyBinding("escape", (LEAVE, FINISH, HELP, JUMP, KEEP, CONFIDENCE), "close_dialog"),
    KeyBinding("enter q", (HELP, LEAVE), "close_dialog"),
    # The debrief. Late keys that were meant for the item whose time is over have no effect.
    KeyBinding("<any>", (DEBRIEF, UNSAVED), "ignore_late_key", condition="is_late_key"),
    KeyBinding("r R", (DEBRIEF,), "redo_missed_items", condition="accepts_keys"),
    KeyBinding("q", (DEBRIEF,), "leave_screen", 0, condition="accepts_keys"),
    KeyBinding("enter", (DEBRIEF,), "scroll_page", 1, condition="accepts_keys"),
    KeyBinding("d D", (DEBRIEF,), "begin_dispute", condition="accepts_keys"),
    KeyBinding("n", (DEBRIEF,), "scroll_debrief_to_item", 1, condition="accepts_keys"),
    KeyBinding("p", (DEBRIEF,), "scroll_debrief_to_item", -1, condition="accepts_keys"),
    KeyBinding("f p n", (DISPUTE,), "log_dispute_claim", passes_key=True),
    KeyBinding("left", (DISPUTE,), "disputing.move_cursor", -1),
    KeyBinding("right", (DISPUTE,), "disputing.move_cursor", 1),
    KeyBinding("space enter", (DISPUTE,), "set_selection_end_at_cursor"),
    KeyBinding("down tab", (DISPUTE,), "go_to_mark", 1),
    KeyBinding("up", (DISPUTE,), "go_to_mark", -1),
    KeyBinding("escape q", (DISPUTE,), "close_dispute"),
    KeyBinding("up", READING_STAGES, "scroll", -1),
    KeyBinding("down space", READING_STAGES, "scroll", 1, condition="accepts_keys"),
    KeyBinding("home", READING_STAGES, "scroll", -SCROLL_END),
    KeyBinding("end", READING_STAGES, "scroll", SCROLL_END),
)
