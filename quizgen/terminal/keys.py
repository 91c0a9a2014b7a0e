"""The keys of the full screen: one table of stage, key and action, for sessions and cases.

A key is written as prompt_toolkit names it; `+` joins the keys of a sequence."""

from __future__ import annotations

from typing import NamedTuple

from quizgen.terminal.panes import Stage
from quizgen.terminal.session_screen import SCROLL_END

DIGITS = " ".join("0123456789")
ALL_STAGES = (
    BRIEF, ITEM, TALK, CONFIDENCE, HINT, SOLUTION, PROBE, FEEDBACK, REVIEW, PAUSED, LEAVE, FINISH, HELP, JUMP, KEEP,
    DISPUTE, UNSAVED, DEBRIEF,
) = tuple(Stage)  # fmt: skip
READING_STAGES = (BRIEF, HELP, FEEDBACK, DEBRIEF)


class Key(NamedTuple):
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


KEYS = (
    Key("c-c <sigint>", ALL_STAGES, "ask_whether_to_leave", eager=True),
    Key("c-z", ALL_STAGES, "suspend_process", eager=True),
    Key("f1 c-g", ALL_STAGES, "show_help"),
    Key("?", ALL_STAGES, "show_help", condition="has_no_input"),
    Key("pagedown", ALL_STAGES, "scroll_page", 1),
    Key("pageup", ALL_STAGES, "scroll_page", -1),
    Key("enter", (BRIEF,), "start"),
    # An item, or a turn of a case.
    Key("enter", (ITEM, TALK), "submit", condition="enter_submits"),
    Key("f5 c-d", (ITEM, TALK), "submit", condition="is_outside_scratch_pane"),
    Key("f7 c-n", (ITEM, TALK), "skip"),
    Key("f6 c-p", (ITEM,), "go_to_previous_item"),
    Key("f4 c-f", (ITEM,), "toggle_flag"),
    Key("f2 c-t", (ITEM,), "offer_hint"),
    Key("f3 c-q", (ITEM, TALK), "show_facts"),
    Key("f8 c-o", (ITEM,), "toggle_scratch_pane"),
    Key("f9 escape+p", (ITEM, TALK, REVIEW), "pause"),
    Key("f10 c-r", (ITEM, TALK), "show_review"),
    Key("f11 c-b", (ITEM,), "ask_item_number"),
    Key("f12 c-v", (ITEM,), "offer_solution"),
    Key("up", (ITEM,), "move_cursor", -1, condition="is_choosing"),
    Key("down tab", (ITEM,), "move_cursor", 1, condition="is_choosing"),
    Key("space", (ITEM,), "choose_option", condition="is_choosing"),
    Key("<any>", (ITEM,), "choose_by_letter", condition="is_choosing", passes_key=True),
    # Going to an item by its number, and marking an item.
    Key(DIGITS, (REVIEW, DEBRIEF), "ask_item_number", condition="accepts_keys", passes_key=True),
    Key("escape+k", (ITEM, CONFIDENCE, PROBE), "open_card_prompt"),
    Key("k", (FEEDBACK, DEBRIEF), "open_card_prompt", condition="accepts_keys"),
    Key("<any>", (JUMP, KEEP), "edit_prompt_input", passes_key=True),
    Key("backspace", (JUMP, KEEP), "edit_prompt_input"),
    Key("enter", (JUMP,), "go_to_typed_item_number"),
    Key("enter", (KEEP,), "save_card"),
    # After a response.
    Key("1 2 3 4 5", (CONFIDENCE,), "submit_with_confidence", passes_key=True),
    Key("enter", (CONFIDENCE,), "submit_with_confidence"),
    Key("y Y", (HINT,), "take_hint"),
    Key("n N escape", (HINT, SOLUTION), "close_dialog"),
    Key("y Y", (SOLUTION,), "show_solution"),
    Key("f5 c-d", (PROBE,), "submit_probe_answer"),
    Key("escape", (PROBE,), "skip_probe"),
    Key("enter", (FEEDBACK,), "go_to_next_open_item"),
    # The review, and dialogs over a stage.
    Key("up", (REVIEW,), "move_cursor", -1),
    Key("down", (REVIEW,), "move_cursor", 1),
    Key("enter", (REVIEW,), "open_reviewed_item"),
    Key("f F", (REVIEW, FINISH), "finish_session"),
    Key("escape", (REVIEW,), "close_review"),
    Key("enter", (PAUSED,), "resume_after_pause"),
    Key("enter r", (UNSAVED,), "retry_saving", condition="accepts_keys"),
    Key("s S", (LEAVE, UNSAVED), "leave_screen", 0, condition="accepts_keys"),
    Key("e E", (LEAVE,), "end_session", "quit"),
    Key("escape", (LEAVE, FINISH, HELP, JUMP, KEEP, CONFIDENCE), "close_dialog"),
    Key("enter q", (HELP, LEAVE), "close_dialog"),
    # The debrief. Late keys that were meant for the item whose time is over have no effect.
    Key("<any>", (DEBRIEF, UNSAVED), "ignore_late_key", condition="is_late_key"),
    Key("r R", (DEBRIEF,), "redo_missed_items", condition="accepts_keys"),
    Key("q", (DEBRIEF,), "leave_screen", 0, condition="accepts_keys"),
    Key("enter", (DEBRIEF,), "scroll_page", 1, condition="accepts_keys"),
    Key("d D", (DEBRIEF,), "begin_dispute", condition="accepts_keys"),
    Key("n", (DEBRIEF,), "scroll_debrief_to_item", 1, condition="accepts_keys"),
    Key("p", (DEBRIEF,), "scroll_debrief_to_item", -1, condition="accepts_keys"),
    Key("f p n", (DISPUTE,), "log_dispute_claim", passes_key=True),
    Key("left", (DISPUTE,), "disputing.move_cursor", -1),
    Key("right", (DISPUTE,), "disputing.move_cursor", 1),
    Key("space enter", (DISPUTE,), "set_selection_end_at_cursor"),
    Key("down tab", (DISPUTE,), "go_to_mark", 1),
    Key("up", (DISPUTE,), "go_to_mark", -1),
    Key("escape q", (DISPUTE,), "close_dispute"),
    Key("up", READING_STAGES, "scroll", -1),
    Key("down space", READING_STAGES, "scroll", 1, condition="accepts_keys"),
    Key("home", READING_STAGES, "scroll", -SCROLL_END),
    Key("end", READING_STAGES, "scroll", SCROLL_END),
)
