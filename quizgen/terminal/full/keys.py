"""Which key does what at which stage."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from prompt_toolkit.filters import Condition, Filter
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from quizgen.areas import LETTERS, Options
from quizgen.terminal.full import aids, disputing, jumping, responding
from quizgen.terminal.full.layout import Screen
from quizgen.terminal.full.panes import Stage
from quizgen.terminal.full.room import Room

Act = Callable[[], Any]


def bind(screen: Screen, suspend: Act) -> KeyBindings:
    """All key bindings; every handler ends by giving the keys to the right part."""
    keys = KeyBindings()

    def at(*stages: Stage) -> Condition:
        return Condition(lambda: screen.its.stage in stages)

    def on(act: Act, filter: Filter, *names: str, eager: bool = False) -> None:
        def handle(event: KeyPressEvent) -> None:
            act()
            screen.focus()

        for name in names:
            keys.add(*name.split(), filter=filter, eager=eager)(handle)

    def its() -> Room:
        return screen.its  # set once the room exists, after the keys

    def jump(typed: str) -> None:
        jumping.ask(its(), typed)

    def dispute(claim: str) -> None:
        disputing.claim(its(), claim)

    def confide(level: int | None) -> None:
        responding.confide(its(), level)

    always = Condition(lambda: True)
    item = at(Stage.ITEM)
    choosing = Condition(lambda: its().stage is Stage.ITEM and not its().scratching and isinstance(its().area, Options))
    short = Condition(lambda: its().stage is Stage.ITEM and its().editing in ("number", ""))
    long = Condition(lambda: its().editing in ("text", "scratch"))
    submitting = Condition(lambda: its().stage is Stage.ITEM and not its().scratching)
    awake = Condition(lambda: not its().hasty)
    reading = at(Stage.BRIEF, Stage.HELP, Stage.FEEDBACK, Stage.DEBRIEF)

    on(lambda: its().ask_leave(), always, "c-c", "<sigint>", eager=True)
    on(suspend, always, "c-z", eager=True)
    on(lambda: its().help(), always, "f1", "c-g")
    on(lambda: its().help(), Condition(lambda: not its().editing), "?")
    on(lambda: screen.page(1), always, "pagedown")
    on(lambda: screen.page(-1), always, "pageup")

    on(lambda: its().start(), at(Stage.BRIEF), "enter")
    on(lambda: responding.submit(its(), screen.typed()), short, "enter")
    on(lambda: responding.submit(its(), screen.typed()), submitting, "f5", "c-d")
    on(lambda: its().skip(), item, "f7", "c-n")
    on(lambda: its().back(), item, "f6", "c-p")
    on(lambda: aids.flag(its()), item, "f4", "c-f")
    on(lambda: aids.offer_hint(its()), item, "f2", "c-t")
    on(lambda: aids.ask(its()), item, "f3", "c-q")
    on(lambda: aids.toggle_scratch(its()), item, "f8", "c-o")
    on(lambda: aids.pause(its()), at(Stage.ITEM, Stage.REVIEW), "f9", "escape p")
    on(lambda: its().review(), item, "f10", "c-r")
    on(lambda: jumping.ask(its()), item, "f11", "c-b")
    on(lambda: responding.solution(its()), item, "f12", "c-v")

    on(lambda: its().move(-1), choosing, "up")
    on(lambda: its().move(1), choosing, "down", "tab")
    on(lambda: responding.choose(its()), choosing, "space")

    @keys.add(Keys.Any, filter=choosing)
    def letter(event: KeyPressEvent) -> None:
        index = LETTERS.find(event.data.upper()) if len(event.data) == 1 else -1
        if index >= 0:
            responding.choose(its(), index)

    for digit in "0123456789":
        on(partial(jump, digit), at(Stage.REVIEW, Stage.JUMP) | (at(Stage.DEBRIEF) & awake), digit)
    for small in "abcdefghijklmnopqrstuvwxyz.":
        on(partial(jump, small), at(Stage.JUMP), small)
    on(lambda: jumping.shorten(its()), at(Stage.JUMP), "backspace")
    on(lambda: jumping.there(its()), at(Stage.JUMP), "enter")

    @keys.add(Keys.Any, filter=at(Stage.DEBRIEF, Stage.UNSAVED) & ~awake)
    def late(event: KeyPressEvent) -> None:
        its().swallow()

    @keys.add("escape", "_", filter=long, save_before=lambda event: False)  # saving would forget what to redo
    def redo(event: KeyPressEvent) -> None:
        event.current_buffer.redo()

    @keys.add("tab", filter=long)
    def tab(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("    ")

    for level in "12345":
        on(partial(confide, int(level)), at(Stage.CONFIDENCE), level)
    on(lambda: confide(None), at(Stage.CONFIDENCE), "enter")
    on(lambda: aids.take_hint(its(), True), at(Stage.HINT), "y", "Y", "enter")
    on(lambda: aids.take_hint(its(), False), at(Stage.HINT), "n", "N", "escape")
    on(lambda: responding.add(its(), screen.typed()), at(Stage.PROBE), "f5", "c-d")
    on(lambda: responding.add(its(), ""), at(Stage.PROBE), "escape")
    on(lambda: its().forward(), at(Stage.FEEDBACK), "enter")

    on(lambda: its().move(-1), at(Stage.REVIEW), "up")
    on(lambda: its().move(1), at(Stage.REVIEW), "down")
    on(lambda: its().pick(), at(Stage.REVIEW), "enter")
    on(lambda: its().finish(), at(Stage.REVIEW, Stage.FINISH), "f", "F")
    on(lambda: aids.unpause(its()), at(Stage.PAUSED), "enter")
    on(lambda: responding.retry(its()), at(Stage.UNSAVED) & awake, "enter", "r")
    on(lambda: its().leave(0), at(Stage.LEAVE), "s", "S")
    on(lambda: its().leave(0), at(Stage.UNSAVED) & awake, "s", "S")
    on(lambda: its().end("quit"), at(Stage.LEAVE), "e", "E")
    on(lambda: its().close_aside(), at(Stage.LEAVE, Stage.FINISH, Stage.HELP, Stage.JUMP, Stage.CONFIDENCE), "escape")
    on(lambda: its().close_aside(), at(Stage.HELP, Stage.LEAVE), "enter", "q")
    debrief = at(Stage.DEBRIEF) & awake
    on(lambda: its().redo(), debrief, "r", "R")
    on(lambda: its().leave(0), debrief, "q", "enter")
    on(lambda: disputing.begin(its()), debrief, "d", "D")
    disputed = at(Stage.DISPUTE)
    for key, claim in (("f", "full"), ("p", "part"), ("n", "no")):
        on(partial(dispute, claim), disputed, key)
    on(lambda: disputing.move(its(), -1), disputed, "left")
    on(lambda: disputing.move(its(), 1), disputed, "right")
    on(lambda: disputing.mark(its()), disputed, "space", "enter")
    on(lambda: disputing.turn(its(), 1), disputed, "down", "tab")
    on(lambda: disputing.turn(its(), -1), disputed, "up")
    on(lambda: its().enter(Stage.DEBRIEF), disputed, "escape", "q")
    on(lambda: jumping.turn(its(), 1), debrief, "n")
    on(lambda: jumping.turn(its(), -1), debrief, "p")

    on(lambda: screen.scroll(-1), reading, "up")
    on(lambda: screen.scroll(1), reading & awake, "down", "space")
    on(lambda: screen.scroll(-1_000_000), reading, "home")
    on(lambda: screen.scroll(1_000_000), reading, "end")
    return keys
