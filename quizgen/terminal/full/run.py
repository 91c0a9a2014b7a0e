"""Running the full-screen session on a terminal, with its clock and its signals."""

from __future__ import annotations

import asyncio
import os
import signal

from prompt_toolkit.application import Application, run_in_terminal
from prompt_toolkit.input import Input
from prompt_toolkit.output import ColorDepth, Output

from quizgen.interview import Phase
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
    screen = Screen()
    app: Application[int] = Application(
        layout=screen.layout,
        key_bindings=bind(screen, lambda: _suspend(sitting)),
        style=COLOURED if colour else STYLE,
        color_depth=None if colour else ColorDepth.DEPTH_1_BIT,
        full_screen=True,
        input=input,
        output=output,
    )
    app.ttimeoutlen = ESCAPE
    app.timeoutlen = ESCAPE * 4
    screen.room = Room(sitting, screen.load, lambda code: app.exit(result=code) if alive(app) else None)
    return app, screen


def alive(app: Application[int]) -> bool:
    """It runs and was not told to leave yet: a second key or signal on the way out changes nothing."""
    return app.future is not None and not app.future.done()


def run(sitting: Sitting, colour: bool, input: Input | None = None, output: Output | None = None) -> tuple[int, bool]:
    """The exit code of a session that was finished or kept, and whether what it missed is to be redone
    at once. Raises Stopped."""
    app, screen = application(sitting, colour, input, output)
    code = asyncio.run(_run(app, screen))
    return code, screen.its.again


async def _run(app: Application[int], screen: Screen) -> int:
    loop = asyncio.get_running_loop()

    def stop(number: int) -> None:
        # The draft first: after SIGHUP there may be no terminal left to restore.
        screen.its.sitting.save_draft(force=True)
        if alive(app):
            app.exit(exception=Stopped(number))

    for number in CAUGHT:
        loop.add_signal_handler(number, stop, int(number))
    pulse = loop.create_task(_pulse(app, screen))
    try:
        return await app.run_async(set_exception_handler=False)
    finally:
        # While signals are still caught: a closed window is noticed by its end of input as well, and
        # the second SIGHUP that a shell sends must not come between.
        if screen.its.session.phase is not Phase.ENDED:
            screen.its.sitting.save_draft(force=True)
        pulse.cancel()
        for number in CAUGHT:
            loop.remove_signal_handler(number)


async def _pulse(app: Application[int], screen: Screen) -> None:
    """Once a second the clocks move. A screen where nothing moves is left alone.

    The brief is on the screen before the items are read: while it is being read, they are.
    """
    for place in screen.its.session.places:
        await asyncio.sleep(0.02)
        place.entry.variant.prompt()
    while True:
        await asyncio.sleep(PULSE)
        before = screen.its.stage
        screen.its.pulse()
        if alive(app):
            if screen.its.stage is not before:
                screen.focus()
            app.invalidate()


def _suspend(sitting: Sitting) -> None:
    """Ctrl-Z: the draft is kept, the terminal restored, and the time away is not counted."""

    def stop() -> None:
        os.kill(0, signal.SIGTSTP)
        sitting.came_back()

    sitting.tick()
    sitting.save_draft(force=True)
    run_in_terminal(stop)
