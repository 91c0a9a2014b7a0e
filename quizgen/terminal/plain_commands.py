"""What the lines that begin with a colon do in the plain mode."""

from __future__ import annotations

from collections.abc import Callable

from quizgen.interview.session import Interview, Mode
from quizgen.render.debrief_text import feedback_lines
from quizgen.render.text import PLAIN, clean, inline_lines, wrap
from quizgen.source.problems import clock, did_you_mean
from quizgen.terminal.clock import spoken
from quizgen.terminal.plain_input import Over, Talk
from quizgen.terminal.reading import area_of, nothing_given
from quizgen.terminal.request import Left

HELP = (
    "A choice: one letter, or several such as A, C. A number: one line, with its unit if it has one.",
    "A text: as many lines as you like, then a line that is just a point.",
    "An empty line or a lone point leaves the item blank.",
)
KEYS = (
    (":skip", "leave this item for now"),
    (":quit", "end the session and see the debrief"),
    (":leave", "stop here; --resume goes on"),
    (":time", "time left"),
    (":flag", "mark for review, or unmark"),
    (":back", "the item before this one"),
    (":go N", "to the item with this number, such as 8 or 8a"),
    (":hint", "what the next hint costs; again to take it"),
    (":ask", "facts that an interviewer would tell you; they cost nothing"),
    (":sure N", "how sure you are of this item's response, 1 a guess to 5 certain"),
    (":show", "this item again"),
    (":pause", "stop the clock (not in strict mode)"),
    (":answer", "show the solution (practice only; the item is then closed)"),
    (":help", "this list"),
)
COMMANDS = ("probe", *(key[1:].partition(" ")[0] for key, _ in KEYS))


class Again(Exception):
    """Show another item, or the same one anew; `index` is its place."""

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self.index = index


class Commands:
    """The commands of one session. `keep` holds what is typed, `show` shows the item again.

    Mutable only in whether a hint was offered.
    """

    def __init__(self, talk: Talk, keep: Callable[[], None], show: Callable[[], None]) -> None:
        self.talk = talk
        self.lines = talk.lines
        self.sitting = talk.sitting
        self.keep = keep
        self.show = show
        self.hint_offered = False

    @property
    def session(self) -> Interview:
        return self.sitting.session

    def run(self, typed: str, text: bool = False) -> bool:
        """Do what a colon line says; False where it is no command (a text may hold such a line)."""
        name, _, rest = typed[1:].partition(" ")
        if name not in COMMANDS or (rest and name not in ("sure", "go")):
            hint = did_you_mean(name, COMMANDS).replace('"', '":', 1)
            if not text and self.lines.interactive:
                self.lines.say(f"There is no command {typed}; {hint or ':help lists them'}")
            elif hint and not rest and self.lines.interactive:
                self.lines.say(f"{typed} is taken as a line of your text; {hint}")
            return False
        match name:
            case "help":
                for about in HELP:
                    self.lines.say(about)
                for key, does in KEYS:
                    self.lines.tell(wrap(does, self.lines.width, " " * 10, f"{key:<9} "))
            case "quit":
                raise Over("quit")
            case "leave":
                self.keep()
                self.sitting.save_draft(force=True)
                raise Left
            case "time":
                self.lines.say(self._time())
            case "flag":
                self.lines.say("Flagged for review." if self.sitting.flag() else "No longer flagged.")
            case "back":
                self.keep()
                if self.session.at == 0:
                    self.lines.say("This is the first item.")
                else:
                    raise Again(self.session.at - 1)
            case "go":
                index = self.session.numbered(rest)
                if index is None:
                    self.lines.say(f"There is no item {clean(rest) or 'without a number'}; such as :go 3.")
                else:
                    self.keep()
                    raise Again(index)
            case "show":
                self.show()
            case "hint":
                self._hint()
            case "ask":
                told = self.sitting.clarify()
                self.lines.tell([line for t in told for line in inline_lines(t, self.lines.width, PLAIN, "  ", "- ")])
                if not told:
                    self.lines.say(nothing_given(area_of(self.session.place.entry.variant.prompt())))
            case "sure":
                self._sure(rest)
            case "pause":
                self._pause()
            case "answer":
                self._answer()
            case _:
                self.lines.say("A follow-up comes by itself when there is one.")
        return True

    def _time(self) -> str:
        session, now = self.session, self.sitting.clock.now()
        item = f"this item {clock(session.item_spent(now))} of {clock(session.item_budget())}"
        if not session.rules.timed:
            return f"Untimed: {clock(session.spent(now))} so far, {item}."
        return f"{spoken(session.left(now))} left, {item}."

    def _hint(self) -> None:
        told, there = self.sitting.hint_offer()
        if not there or not self.hint_offered:
            self.hint_offered = there
            self.lines.say(f"{told} Type :hint again to take it." if there else told)
        else:
            self.hint_offered = False
            self.lines.tell(inline_lines(self.sitting.take_hint() or "", self.lines.width, PLAIN, "", "Hint: "))

    def _sure(self, level: str) -> None:
        if level.strip() in ("1", "2", "3", "4", "5"):
            self.sitting.confide(int(level))
            self.lines.say(f"Confidence {level.strip()} noted.")
        else:
            self.lines.say("Write :sure 1 (a guess) to :sure 5 (certain).")

    def _pause(self) -> None:
        if not self.session.rules.pausable:
            self.lines.say("A strict session has no pause.")
            return
        self.sitting.pause()
        if self.lines.interactive:
            # Thinking time is not free: the item leaves the screen.
            for _ in range(60):
                self.lines.write()
        self.lines.say("Paused; the clock stands still. Enter goes on.")
        try:
            while self.lines.read(None) is None:
                continue
        except EOFError:
            raise Over("end-of-input") from None
        self.sitting.unpause()
        self.show()

    def _answer(self) -> None:
        if self.session.rules.mode is not Mode.PRACTICE:
            self.lines.say("Solutions are shown in practice (--practice) and in the debrief.")
            return
        self.sitting.show_solution()
        self.lines.tell(feedback_lines(self.session.place, self.lines.width))
        self.talk.rest()
        index = self.sitting.next_index()
        if index is None:
            raise Over("finished")
        raise Again(index)
