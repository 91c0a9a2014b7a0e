"""Which key does what at which stage."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from prompt_toolkit.filters import Condition, Filter
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from quizgen.answer_areas import LETTERS, Options
from quizgen.terminal.full import aids, disputing, jumping, responding
from quizgen.terminal.full.layout import Screen
from quizgen.terminal.full.panes import Stage

Act = Callable[[], Any]


def bind(screen: Screen, suspend: Act) -> KeyBindings:
    """All key bindings; every handler ends by giving the keys to the right part."""
    keys = KeyBindings()
    room = screen.room

    def at(*stages: Stage) -> Condition:
        return Condition(lambda: room.stage in stages)

    def on(act: Act, filter: Filter, *names: str, eager: bool = False) -> None:
        def handle(event: KeyPressEvent) -> None:
            act()
            screen.focus()

        for name in names:
            keys.add(*name.split(), filter=filter, eager=eager)(handle)

    always = Condition(lambda: True)
    item = at(Stage.ITEM)
    choosing = Condition(lambda: room.stage is Stage.ITEM and not room.scratching and isinstance(room.area, Options))
    short = Condition(lambda: room.stage is Stage.ITEM and room.editing in ("number", ""))
    long = Condition(lambda: room.editing in ("text", "scratch"))
    submitting = Condition(lambda: room.stage is Stage.ITEM and not room.scratching)
    awake = Condition(lambda: not room.hasty)
    reading = at(Stage.BRIEF, Stage.HELP, Stage.FEEDBACK, Stage.DEBRIEF)

    on(room.ask_leave, always, "c-c", "<sigint>", eager=True)
    on(suspend, always, "c-z", eager=True)
    on(room.help, always, "f1", "c-g")
    on(room.help, Condition(lambda: not room.editing), "?")
    on(lambda: screen.page(1), always, "pagedown")
    on(lambda: screen.page(-1), always, "pageup")

    on(room.start, at(Stage.BRIEF), "enter")
    on(lambda: responding.submit(room, screen.typed()), short, "enter")
    on(lambda: responding.submit(room, screen.typed()), submitting, "f5", "c-d")
    on(room.skip, item, "f7", "c-n")
    on(room.back, item, "f6", "c-p")
    on(lambda: aids.flag(room), item, "f4", "c-f")
    on(lambda: aids.offer_hint(room), item, "f2", "c-t")
    on(lambda: aids.ask(room), item, "f3", "c-q")
    on(lambda: aids.toggle_scratch(room), item, "f8", "c-o")
    on(lambda: aids.pause(room), at(Stage.ITEM, Stage.REVIEW), "f9", "escape p")
    on(room.review, item, "f10", "c-r")
    on(lambda: jumping.ask(room), item, "f11", "c-b")
    on(lambda: responding.solution(room), item, "f12", "c-v")

    on(lambda: room.move(-1), choosing, "up")
    on(lambda: room.move(1), choosing, "down", "tab")
    on(lambda: responding.choose(room), choosing, "space")

    @keys.add(Keys.Any, filter=choosing)
    def letter(event: KeyPressEvent) -> None:
        index = LETTERS.find(event.data.upper()) if len(event.data) == 1 else -1
        if index >= 0:
            responding.choose(room, index)

    for digit in "0123456789":
        on(partial(jumping.ask, room, digit), at(Stage.REVIEW, Stage.JUMP) | (at(Stage.DEBRIEF) & awake), digit)
    for small in "abcdefghijklmnopqrstuvwxyz.":
        on(partial(jumping.ask, room, small), at(Stage.JUMP), small)
    on(lambda: jumping.shorten(room), at(Stage.JUMP), "backspace")
    on(lambda: jumping.there(room), at(Stage.JUMP), "enter")

    @keys.add(Keys.Any, filter=at(Stage.DEBRIEF, Stage.UNSAVED) & ~awake)
    def late(event: KeyPressEvent) -> None:
        room.swallow()

    @keys.add("escape", "_", filter=long, save_before=lambda event: False)  # saving would forget what to redo
    def redo(event: KeyPressEvent) -> None:
        event.current_buffer.redo()

    @keys.add("tab", filter=long)
    def tab(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("    ")

    for level in "12345":
        on(partial(responding.confide, room, int(level)), at(Stage.CONFIDENCE), level)
    on(lambda: responding.confide(room, None), at(Stage.CONFIDENCE), "enter")
    on(lambda: aids.take_hint(room, True), at(Stage.HINT), "y", "Y", "enter")
    on(lambda: aids.take_hint(room, False), at(Stage.HINT), "n", "N", "escape")
    on(lambda: responding.add(room, screen.typed()), at(Stage.PROBE), "f5", "c-d")
    on(lambda: responding.add(room, ""), at(Stage.PROBE), "escape")
    on(room.forward, at(Stage.FEEDBACK), "enter")

    on(lambda: room.move(-1), at(Stage.REVIEW), "up")
    on(lambda: room.move(1), at(Stage.REVIEW), "down")
    on(room.pick, at(Stage.REVIEW), "enter")
    on(room.finish, at(Stage.REVIEW, Stage.FINISH), "f", "F")
    on(lambda: aids.unpause(room), at(Stage.PAUSED), "enter")
    on(lambda: responding.retry(room), at(Stage.UNSAVED) & awake, "enter", "r")
    on(lambda: room.leave(0), at(Stage.LEAVE), "s", "S")
    on(lambda: room.leave(0), at(Stage.UNSAVED) & awake, "s", "S")
    on(lambda: room.end("quit"), at(Stage.LEAVE), "e", "E")
    on(room.close_aside, at(Stage.LEAVE, Stage.FINISH, Stage.HELP, Stage.JUMP, Stage.CONFIDENCE), "escape")
    on(room.close_aside, at(Stage.HELP, Stage.LEAVE), "enter", "q")
    debrief = at(Stage.DEBRIEF) & awake
    on(room.redo, debrief, "r", "R")
    on(lambda: room.leave(0), debrief, "q", "enter")
    on(lambda: disputing.begin(room), debrief, "d", "D")
    disputed = at(Stage.DISPUTE)
    for key, claim in (("f", "full"), ("p", "part"), ("n", "no")):
        on(partial(disputing.claim, room, claim), disputed, key)
    on(lambda: disputing.move(room, -1), disputed, "left")
    on(lambda: disputing.move(room, 1), disputed, "right")
    on(lambda: disputing.mark(room), disputed, "space", "enter")
    on(lambda: disputing.turn(room, 1), disputed, "down", "tab")
    on(lambda: disputing.turn(room, -1), disputed, "up")
    on(lambda: room.enter(Stage.DEBRIEF), disputed, "escape", "q")
    on(lambda: jumping.turn(room, 1), debrief, "n")
    on(lambda: jumping.turn(room, -1), debrief, "p")

    on(lambda: screen.scroll(-1), reading, "up")
    on(lambda: screen.scroll(1), reading & awake, "down", "space")
    on(lambda: screen.scroll(-1_000_000), reading, "home")
    on(lambda: screen.scroll(1_000_000), reading, "end")
    return keys
