"""The next line of the plain mode, with the clock running: the end of time, of input, of patience."""

from __future__ import annotations

from quizgen.interview.session import Phase
from quizgen.terminal.clock import spoken
from quizgen.terminal.lines import LineTalk
from quizgen.terminal.sitting import Sitting

TICK = 1.0
LEAVING = "Leave? Ctrl-C again keeps the session for --resume; :quit ends it; anything else goes on."


class Over(Exception):
    """The session ends now; the reason is the argument."""


class Talk:
    """Asks over `lines`. Mutable only in what it has told already."""

    def __init__(self, sitting: Sitting, lines: LineTalk) -> None:
        self.sitting = sitting
        self.lines = lines
        self._announced: set[str] = set()
        self._prompt = ""

    def ask(self, text: str) -> None:
        """A prompt; it is shown again behind an announcement."""
        self._prompt = text
        self.lines.ask(text)

    def rest(self) -> None:
        """At a keyboard: wait until what is on the screen was read, while the clock stands."""
        if self.lines.interactive:
            self.ask("The clock stands still. Enter goes on: ")
            self.line()

    def line(self) -> str:
        """The next line. The end of input or of time ends the session."""
        interrupted = False
        while True:
            if self.sitting.expired():
                raise Over("time")
            try:
                typed = self.lines.read(TICK if self.lines.interactive else None)
            except EOFError:
                raise Over("end-of-input") from None
            except KeyboardInterrupt:
                if interrupted or not self.lines.interactive:
                    raise
                interrupted = True
                self.lines.write()
                self.lines.say(LEAVING)
                self.lines.ask(self._prompt)
                continue
            self.sitting.tick()
            if typed is not None:
                return typed
            self._announce()

    def _announce(self) -> None:
        """Say once that half, a fifth, a minute of the session is left, and that an item's time is over."""
        session, now = self.sitting.session, self.sitting.clock.now()
        if not session.rules.timed or session.phase is not Phase.RUNNING:
            return
        left = session.left(now)
        for share in (0.5, 0.2):
            if left <= session.budget * share and left > 60:
                self._once(f"{share}", f"Time: {spoken(left)} left.")
        if left <= 60 < session.budget:
            self._once("minute", f"Time: {spoken(left)} left. What you have typed is submitted when it is over.")
        if session.item_spent(now) > session.item_budget():
            name = session.place.entry.variant.item.id
            self._once(
                f"item {name}", f"This item's {round(session.item_budget())} s are over; it will be marked late."
            )

    def _once(self, name: str, text: str) -> None:
        if name not in self._announced:
            if name == "0.2":
                self._announced.add("0.5")
            self._announced.add(name)
            self.lines.write()
            self.lines.say(text)
            self.lines.ask(self._prompt)
