"""Running the full-screen session on a terminal, with its clock and its signals."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterable

from prompt_toolkit.application import Application, run_in_terminal
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import Layout
from prompt_toolkit.output import ColorDepth, Output

from quizgen.interview.session import Phase
from quizgen.terminal.full.keys import bind
from quizgen.terminal.full.layout import COLOURED, STYLE, Screen
from quizgen.terminal.full.room import Room
from quizgen.terminal.signals import CAUGHT, Stopped
from quizgen.terminal.sitting import Sitting

PULSE = 1.0
ESCAPE = 0.05  # seconds to tell the Escape key from the start of a function key


def application(
    sitting: Sitting, colour: bool, input: Input | None = None, output: Output | None = None
) -> tuple[Application[int], Screen]:
    """The application of a sitting and its screen; not yet running."""
    screen = Screen(Room(sitting))
    app = on_terminal(screen.layout, bind(screen, lambda: _suspend(sitting)), colour, input, output)
    screen.room.leave = lambda code: app.exit(result=code) if alive(app) else None
    return app, screen


def on_terminal(
    layout: Layout, keys: KeyBindings, colour: bool, input: Input | None, output: Output | None
) -> Application[int]:
    app: Application[int] = Application(
        layout=layout,
        key_bindings=keys,
        style=COLOURED if colour else STYLE,
        include_default_pygments_style=False,  # no program text is coloured here
        color_depth=None if colour else ColorDepth.DEPTH_1_BIT,
        full_screen=True,
        input=input,
        output=output,
    )
    app.ttimeoutlen = ESCAPE
    app.timeoutlen = ESCAPE * 4
    return app


def alive(app: Application[int]) -> bool:
    """It runs and was not told to leave yet: a second key or signal on the way out changes nothing."""
    return app.future is not None and not app.future.done()


def run(sitting: Sitting, colour: bool, input: Input | None = None, output: Output | None = None) -> tuple[int, bool]:
    """The exit code of a session that was finished or kept, and whether what it missed is to be redone
    at once. Raises Stopped."""
    app, screen = application(sitting, colour, input, output)

    def keep() -> None:
        if screen.room.session.phase is not Phase.ENDED:
            sitting.save_draft(force=True)

    def pulse() -> None:
        before = screen.room.stage
        screen.room.pulse()
        if screen.room.stage is not before and alive(app):
            screen.focus()

    # The brief is on the screen before the items are read: while it is being read, they are.
    ahead = (place.entry.variant.prompt for place in screen.room.session.places)
    return asyncio.run(attended(app, pulse, keep, ahead)), screen.room.again


async def attended(
    app: Application[int],
    pulse: Callable[[], object],
    keep: Callable[[], None],
    ahead: Iterable[Callable[[], object]] = (),
) -> int:
    """The exit code of an application on whose screen clocks move once a second. `ahead` is done once its first
    screen is there; `keep` when it leaves or a signal comes, before the terminal is restored. Raises Stopped."""
    loop = asyncio.get_running_loop()

    def stop(number: int) -> None:
        keep()  # first: after SIGHUP there may be no terminal left to restore
        if alive(app):
            app.exit(exception=Stopped(number))

    async def beat() -> None:
        for task in ahead:
            await asyncio.sleep(0.02)
            task()
        while True:
            await asyncio.sleep(PULSE)
            pulse()
            if alive(app):
                app.invalidate()

    for number in CAUGHT:
        loop.add_signal_handler(number, stop, int(number))
    beating = loop.create_task(beat())
    try:
        return await app.run_async(set_exception_handler=False)
    finally:
        # While signals are still caught: a closed window is noticed by its end of input as well, and
        # the second SIGHUP that a shell sends must not come between.
        keep()
        beating.cancel()
        for number in CAUGHT:
            loop.remove_signal_handler(number)


def _suspend(sitting: Sitting) -> None:
    """Ctrl-Z: the draft is kept, the terminal restored, and the time away is not counted."""

    def stop() -> None:
        os.kill(0, signal.SIGTSTP)
        sitting.came_back()

    sitting.tick()
    sitting.save_draft(force=True)
    run_in_terminal(stop)
