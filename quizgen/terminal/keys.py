"""The keys of the full screen: one table of stage, key and action, for sessions and cases.

A key is written as prompt_toolkit names it; `+` joins the keys of a sequence."""

from __future__ import annotations

from typing import NamedTuple

from quizgen.terminal.panes import Stage
from quizgen.terminal.session_screen import SCROLL_END

DIGITS = " ".join("0123456789")
ANY_STAGE = (
    BRIEF, ITEM, TALK, CONFIDENCE, HINT, SOLUTION, PROBE, FEEDBACK, REVIEW, PAUSED, LEAVE, FINISH, HELP, JUMP, KEEP,
    DISPUTE, UNSAVED, DEBRIEF,
) = tuple(Stage)  # fmt: skip
READING_STAGES = (BRIEF, HELP, FEEDBACK, DEBRIEF)


class Key(NamedTuple):
    """One row. `action` is a method of `SessionScreen` or of a part of it, called with `argument` unless it is None,
    and with the key itself if `typed`. `when` names a method that must return true too; an `eager` key does not wait
    for the next one."""

    names: str
    stages: tuple[Stage, ...]
    action: str
    argument: int | None = None
    when: str = ""
    typed: bool = False
    eager: bool = False


KEYS = (
    Key("c-c <sigint>", ANY_STAGE, "ask_leave", eager=True),
    Key("c-z", ANY_STAGE, "suspend", eager=True),
    Key("f1 c-g", ANY_STAGE, "help"),
    Key("?", ANY_STAGE, "help", when="idle"),
    Key("pagedown", ANY_STAGE, "page", 1),
    Key("pageup", ANY_STAGE, "page", -1),
    Key("enter", (BRIEF,), "start"),
    # An item, or a turn of a case.
    Key("enter", (ITEM, TALK), "submit", when="short"),
    Key("f5 c-d", (ITEM, TALK), "submit", when="responding"),
    Key("f7 c-n", (ITEM, TALK), "skip"),
    Key("f6 c-p", (ITEM,), "back"),
    Key("f4 c-f", (ITEM,), "flag"),
    Key("f2 c-t", (ITEM,), "offer_hint"),
    Key("f3 c-q", (ITEM, TALK), "clarify"),
    Key("f8 c-o", (ITEM,), "toggle_scratch"),
    Key("f9 escape+p", (ITEM, TALK, REVIEW), "pause"),
    Key("f10 c-r", (ITEM, TALK), "review"),
    Key("f11 c-b", (ITEM,), "ask_number"),
    Key("f12 c-v", (ITEM,), "offer_solution"),
    Key("up", (ITEM,), "move", -1, when="choosing"),
    Key("down tab", (ITEM,), "move", 1, when="choosing"),
    Key("space", (ITEM,), "choose", when="choosing"),
    Key("<any>", (ITEM,), "take_letter", when="choosing", typed=True),
    # Going to an item by its number, and marking an item.
    Key(DIGITS, (REVIEW, DEBRIEF), "ask_number", when="awake", typed=True),
    Key("escape+k", (ITEM,), "begin_card"),
    Key("k", (FEEDBACK, DEBRIEF), "begin_card", when="awake"),
    Key("<any>", (JUMP, KEEP), "write", typed=True),
    Key("backspace", (JUMP, KEEP), "write"),
    Key("enter", (JUMP,), "go_to_number"),
    Key("enter", (KEEP,), "keep_card"),
    # After a response.
    Key("1 2 3 4 5", (CONFIDENCE,), "confide", typed=True),
    Key("enter", (CONFIDENCE,), "confide"),
    Key("y Y", (HINT,), "take_hint"),
    Key("n N escape", (HINT, SOLUTION), "leave_hint"),
    Key("y Y", (SOLUTION,), "show_solution"),
    Key("f5 c-d", (PROBE,), "add_to_probe"),
    Key("escape", (PROBE,), "add_nothing"),
    Key("enter", (FEEDBACK,), "forward"),
    # The review, and dialogs over a stage.
    Key("up", (REVIEW,), "move", -1),
    Key("down", (REVIEW,), "move", 1),
    Key("enter", (REVIEW,), "pick"),
    Key("f F", (REVIEW, FINISH), "finish"),
    Key("enter", (PAUSED,), "unpause"),
    Key("enter r", (UNSAVED,), "retry", when="awake"),
    Key("s S", (LEAVE, UNSAVED), "keep_and_leave", when="awake"),
    Key("e E", (LEAVE,), "quit"),
    Key("escape", (LEAVE, FINISH, HELP, JUMP, KEEP, CONFIDENCE), "close_aside"),
    Key("enter q", (HELP, LEAVE), "close_aside"),
    # The debrief. Late keys that were meant for the item whose time is over have no effect.
    Key("<any>", (DEBRIEF, UNSAVED), "swallow", when="hasty"),
    Key("r R", (DEBRIEF,), "redo", when="awake"),
    Key("q", (DEBRIEF,), "keep_and_leave", when="awake"),
    Key("enter", (DEBRIEF,), "page", 1, when="awake"),
    Key("d D", (DEBRIEF,), "begin_dispute", when="awake"),
    Key("n", (DEBRIEF,), "turn_item", 1, when="awake"),
    Key("p", (DEBRIEF,), "turn_item", -1, when="awake"),
    Key("f p n", (DISPUTE,), "claim", typed=True),
    Key("left", (DISPUTE,), "disputing.move_cursor", -1),
    Key("right", (DISPUTE,), "disputing.move_cursor", 1),
    Key("space enter", (DISPUTE,), "mark_word"),
    Key("down tab", (DISPUTE,), "go_to_mark", 1),
    Key("up", (DISPUTE,), "go_to_mark", -1),
    Key("escape q", (DISPUTE,), "close_dispute"),
    Key("up", READING_STAGES, "scroll", -1),
    Key("down space", READING_STAGES, "scroll", 1, when="awake"),
    Key("home", READING_STAGES, "scroll", -SCROLL_END),
    Key("end", READING_STAGES, "scroll", SCROLL_END),
)
