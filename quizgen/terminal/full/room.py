"""The state of the full screen and what each key asks of it. Knows no terminal library."""

from __future__ import annotations

from collections.abc import Callable

from quizgen.blocks import Blank, Lines, Options
from quizgen.interview import Interview, Mode, Phase, review_list
from quizgen.render.debrief import debrief_of
from quizgen.render.debrief_text import debrief_lines, feedback_lines
from quizgen.render.text import clean, wrap
from quizgen.source import shorten
from quizgen.terminal.brief import brief_lines
from quizgen.terminal.clock import spoken
from quizgen.terminal.first import HINTS
from quizgen.terminal.full import panes
from quizgen.terminal.full.panes import LOOK, Body, Stage
from quizgen.terminal.reading import Area, Reading, area_of, how_to, probe_text, read
from quizgen.terminal.sitting import Sitting

PROBE_HEAD = "Follow-up: "


class Room:
    """One full-screen session. Mutable: where the candidate is on the screen.

    `load` puts a text into the input that fits the item at hand; `leave` ends the application
    with an exit code.
    """

    def __init__(self, sitting: Sitting, load: Callable[[str], None], leave: Callable[[int], None]) -> None:
        self.sitting = sitting
        self.stage = Stage.BRIEF
        self.message = ""
        self.scroll = 0
        self.cursor = 0
        self.chosen: tuple[str, ...] = ()
        self.scratching = False
        self.reviewing = False
        self.warned: set[str] = set()
        self._load = load
        self._leave = leave
        self._reading: Reading | None = None
        self._under = Stage.ITEM
        self._criterion = ""
        self._debrief: dict[int, tuple[str, ...]] = {}

    # -- what there is ----------------------------------------------------------------------

    @property
    def session(self) -> Interview:
        return self.sitting.session

    @property
    def now(self) -> float:
        return self.sitting.clock.now()

    @property
    def area(self) -> Area:
        return area_of(self.session.place.entry.variant.prompt())

    @property
    def editing(self) -> str:
        """Which input is on screen: text, number, scratch, or none."""
        if self.stage is Stage.PROBE:
            return "text"
        if self.stage is not Stage.ITEM:
            return ""
        if self.scratching:
            return "scratch"
        if self.session.place.closed:
            return ""
        return {Blank: "number", Lines: "text", Options: ""}[type(self.area)]

    def body(self, width: int) -> Body:
        """The large pane at this stage."""
        match self.stage:
            case Stage.BRIEF:
                title = len(wrap(f"Mock interview: {self.session.form.title}", width))  # the header has it
                extra = ["", "Press Enter to start the clock."]
                return Body((*brief_lines(self.session, width, self.sitting.resumed)[title:], *extra))
            case Stage.REVIEW:
                left = self.session.left(self.now)
                clock = f"{spoken(left // 10 * 10)} left." if self.session.rules.timed and left >= 10 else ""
                return panes.review_body(self.session, width, self.cursor, clock)
            case Stage.PAUSED:
                return Body(("", "Paused. The clock stands still and the item is hidden.", "", "Enter goes on."))
            case Stage.HELP:
                return panes.help_body(width, (HINTS, how_to(self.area)))
            case Stage.FEEDBACK:
                return Body(tuple(feedback_lines(self.session.place, width, LOOK)))
            case Stage.DEBRIEF:
                if width not in self._debrief:
                    self._debrief = {width: tuple(debrief_lines(debrief_of(self.session), width, LOOK))}
                return Body(self._debrief[width])
            case _:
                body = panes.item_body(self.session, width, self.chosen, self.cursor)
                if self.session.place.closed:
                    return Body((*body.lines, "", "The solution was shown; this item is closed."))
                return body

    def note(self, typed: str) -> str:
        """The line under the body: a message, else how a number is read, else what to do."""
        if self.sitting.trouble:
            return f"NOT SAVED: {self.sitting.trouble}. Your response is kept in memory: Enter tries again."
        if self.message:
            return self.message
        if self.stage is Stage.ITEM and self.sitting.draft_trouble:
            return f"Your draft can't be saved ({self.sitting.draft_trouble}); responses are told apart from this."
        if self.stage is not Stage.ITEM:
            return ""
        if self.scratching:
            return "Scratch: yours alone, never graded. F8 goes back."
        if self.editing == "number" and typed.strip():
            reading = read(self.session.place.entry.variant, typed)
            return f"not yet readable: {reading.telling}" if reading.unreadable else f"reads as {reading.telling}"
        return how_to(self.area)

    # -- moving -----------------------------------------------------------------------------

    def start(self) -> None:
        self.sitting.start()
        self.show(self.session.at) if self.session.place.response is None else self.review()

    def show(self, index: int) -> None:
        """Show an item with what was given or begun before."""
        self.sitting.go(index)
        self.stage, self.scroll, self.cursor, self.message = Stage.ITEM, 0, 0, ""
        self.scratching = False
        place = self.session.place
        given = place.response if place.response is not None else ""
        area = self.area
        if isinstance(area, Options):
            texts = [o.text for o in area.options]
            if place.draft.strip():
                given = read(place.entry.variant, place.draft).response
            picked = (given,) if isinstance(given, str) else given
            self.chosen = tuple(t for t in texts if t in picked)
            self.cursor = texts.index(self.chosen[0]) if self.chosen else 0
            self._load("")
        else:
            self.chosen = ()
            self._load(place.draft or (given if isinstance(given, str) else ""))

    def forward(self) -> None:
        """On to the next open item, or to the review when all were met."""
        index = self.sitting.next_index()
        if index is None or self.reviewing:
            self.review()
        else:
            self.show(index)

    def back(self) -> None:
        if self.session.at == 0:
            self.message = "This is the first item."
        else:
            self.show(self.session.at - 1)

    def skip(self) -> None:
        begun = bool(self.session.place.draft.strip()) and not self.session.place.done
        self.sitting.skip()
        if self._held():
            return
        self.forward()
        if begun:
            self.message = "Skipped; what you had begun is kept."

    def review(self) -> None:
        self.sitting.browse()
        self.stage, self.reviewing, self.scroll, self.cursor, self.message = Stage.REVIEW, True, 0, 0, ""

    def pick(self) -> None:
        """Go to the item that the review's cursor is on."""
        left = review_list(self.session)
        if left:
            self.show(left[min(self.cursor, len(left) - 1)])
        else:
            self.end("finished")

    def move(self, step: int) -> None:
        """The cursor of options or of the review list."""
        if self.stage is Stage.REVIEW:
            count = len(review_list(self.session))
        else:
            area = self.area
            count = len(area.options) if isinstance(area, Options) else 0
        if count:
            self.cursor = (self.cursor + step) % count

    # -- responding -------------------------------------------------------------------------

    def choose(self, index: int | None = None) -> None:
        """Take an option (the only one, or one of several); a second time puts it back."""
        area = self.area
        if not isinstance(area, Options) or self.session.place.closed:
            return
        index = self.cursor if index is None else index
        if index >= len(area.options):
            return
        self.cursor = index
        self.message = ""
        text = area.options[index].text
        if not area.several:
            self.chosen = (text,)
        elif text in self.chosen:
            self.chosen = tuple(t for t in self.chosen if t != text)
        else:
            self.chosen = tuple(o.text for o in area.options if o.text in (*self.chosen, text))
        letters = ", ".join(area.letter(i) for i, o in enumerate(area.options) if o.text in self.chosen)
        self.sitting.draft(letters)

    def submit(self, typed: str) -> None:
        """Read what is there; an unreadable response costs nothing and is told how to be written."""
        if self.session.place.closed:
            self.forward()
            return
        area = self.area
        if isinstance(area, Options):
            if not self.chosen and not area.several:
                self.choose()
            typed = ", ".join(area.letter(i) for i, o in enumerate(area.options) if o.text in self.chosen)
        reading = read(self.session.place.entry.variant, typed)
        if reading.unreadable:
            self.message = f"That can't be read, and costs nothing: {reading.telling}"
            return
        if reading.blank:
            self.message = "Nothing to submit yet. F7 skips the item."
            return
        self._reading = reading
        self.stage = Stage.CONFIDENCE
        self.message = (
            f"{shorten(clean(reading.telling), 60)} - how sure are you? 1 a guess … 5 certain, Enter no answer"
        )

    def confide(self, level: int | None) -> None:
        """Record confidence, then the response: on disk before anything else shows."""
        if self._reading is None:
            return
        self.sitting.confide(level)
        self.sitting.respond(self._reading)
        self._reading = None
        self.message = ""
        if not self._held():
            self._after()

    def retry(self) -> None:
        if self.sitting.retry():
            self.message = "Saved now."
            self.stage = Stage.ITEM
            if self.session.phase is Phase.ENDED:
                self.stage, self.scroll = Stage.DEBRIEF, 0
            else:
                self._after()

    def _held(self) -> bool:
        """Stay until the response is on disk."""
        if self.sitting.trouble:
            self.stage, self.message = Stage.UNSAVED, ""
            return True
        return False

    def _after(self) -> None:
        if self.session.place.skipped:
            self.forward()
            return
        criterion = self.sitting.probe()
        if criterion is not None:
            self._criterion = criterion
            self.sitting.mark_probed(criterion)
            self.stage, self.scroll = Stage.PROBE, 0
            self.message = f"{PROBE_HEAD}{probe_text(self.session.place.entry.variant, criterion)} Esc adds nothing."
            self._load("")
            return
        self._feedback()

    def add(self, typed: str) -> None:
        """Add the answer to a probe to the response; it is one more line in the log."""
        place = self.session.place
        if typed.strip():
            self.sitting.respond(read(place.entry.variant, f"{place.response}\n\n{typed}"))
            if self._held():
                return
        self.message = ""
        self._feedback()

    def _feedback(self) -> None:
        self.sitting.open_follow_ups()
        if self.sitting.feedback_now:
            self.sitting.show_solution()
            self.stage, self.scroll, self.message = Stage.FEEDBACK, 0, ""
        else:
            self.forward()

    def solution(self) -> None:
        if self.session.rules.mode is not Mode.PRACTICE:
            self.message = "Solutions come in the debrief (or with --practice)."
            return
        self.sitting.show_solution()
        self.stage, self.scroll, self.message = Stage.FEEDBACK, 0, ""

    # -- aids -------------------------------------------------------------------------------

    def offer_hint(self) -> None:
        cost = self.sitting.next_hint_cost()
        if cost is None:
            self.message = "There is no further hint for this item."
            return
        place = self.session.place
        count = len(place.entry.variant.item.hints)
        self.stage = Stage.HINT
        self.message = (
            f"Hint {place.hints + 1} of {count} takes {round(cost * 100)} % off what this item earns. Take it? y / n"
        )

    def take_hint(self, yes: bool) -> None:
        self.stage, self.message = Stage.ITEM, ""
        if yes:
            self.sitting.take_hint()
            self.scroll = 10_000  # the hint is at the end of the body; drawing clamps this

    def ask(self) -> None:
        told = self.sitting.clarify()
        self.message = "" if told else "Nothing more is given; state what you assume."
        if told:
            self.scroll = 10_000

    def flag(self) -> None:
        self.message = "Flagged for review." if self.sitting.flag() else "No longer flagged."

    def toggle_scratch(self) -> None:
        self.scratching = not self.scratching
        self.message = ""
        self._load(self.session.place.scratch if self.scratching else self._kept())

    def _kept(self) -> str:
        place = self.session.place
        return place.draft or (place.response if isinstance(place.response, str) else "")

    def typed(self, text: str) -> None:
        """Something changed in the input: it becomes the draft."""
        self.message = "" if self.stage is Stage.ITEM else self.message
        if self.scratching:
            self.sitting.scratch(text)
        elif self.stage is Stage.ITEM:
            self.sitting.draft(text)

    def pause(self) -> None:
        if not self.session.rules.pausable:
            self.message = "A strict session has no pause."
            return
        self.sitting.pause()
        self.stage, self.message = Stage.PAUSED, ""

    def unpause(self) -> None:
        self.sitting.unpause()
        self.stage = Stage.ITEM

    # -- asides -----------------------------------------------------------------------------

    def help(self) -> None:
        if self.stage in (Stage.ITEM, Stage.REVIEW, Stage.BRIEF):
            self._under, self.stage, self.scroll = self.stage, Stage.HELP, 0

    def ask_leave(self) -> None:
        """Ctrl-C asks; a second one keeps the session and leaves."""
        if self.stage is Stage.LEAVE:
            self._leave(130)
        elif self.stage in (Stage.BRIEF, Stage.DEBRIEF):
            self._leave(0 if self.stage is Stage.DEBRIEF else 130)
        else:
            self._under, self.stage = (Stage.ITEM if self.stage is not Stage.REVIEW else self.stage), Stage.LEAVE
            if self.session.phase is Phase.PAUSED:
                self._under = Stage.PAUSED
            self.message = "Leave? s keeps the session for --resume, e ends it now with the debrief, Esc goes on."

    def close_aside(self) -> None:
        """Back from help, the leave question, a hint offer or the confidence prompt."""
        under = self._under if self.stage in (Stage.HELP, Stage.LEAVE) else Stage.ITEM
        self.stage, self.message = under, ""
        if self.stage is Stage.HELP:
            self.scroll = 0

    def keep(self) -> None:
        self._leave(0)

    def leave(self) -> None:
        self._leave(0)

    # -- time -------------------------------------------------------------------------------

    def pulse(self) -> None:
        """Once a second: book the time, keep the draft, warn once, stop hard."""
        self.sitting.tick()
        if self.session.phase is not Phase.RUNNING:
            return
        self.sitting.save_draft()
        if self.sitting.expired():
            self.end("time")
            return
        left = self.session.left(self.now)
        if left <= 60 and self.session.budget > 60 and "minute" not in self.warned:
            self.warned.add("minute")
            if self.stage in (Stage.ITEM, Stage.REVIEW):
                self.message = "One minute left. What is there is submitted when time is over."

    def end(self, reason: str) -> None:
        """Submit what is there, log the end, show the debrief."""
        self.sitting.stop(reason)
        self._debrief = {}
        self.stage, self.scroll, self.scratching = Stage.DEBRIEF, 0, False
        self.message = "Time is over; what was there is submitted." if reason == "time" else ""
        if self.sitting.trouble:
            self.stage = Stage.UNSAVED


def message_lines(text: str, width: int, most: int) -> list[str]:
    """A message in at most `most` lines."""
    made = wrap(text, max(8, width - 2), " ", " ")
    return made if len(made) <= most else [*made[: most - 1], f"{made[most - 1][: width - 2]}…"]
