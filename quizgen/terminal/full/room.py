"""Where the candidate is on the full screen, and how to get elsewhere. Knows no terminal library.

What the keys of a response do is in `responding`, what hints, flags and pauses do in `aids`, and
what the screen says in `view`.
"""

from __future__ import annotations

from collections.abc import Callable

from quizgen.answer_areas import Blank, Lines, Options
from quizgen.interview.session import Interview, Phase
from quizgen.interview.standing import missed, review_list
from quizgen.terminal.disputes import Disputing, open_marks
from quizgen.terminal.full.panes import Stage
from quizgen.terminal.reading import Area, ResponseReading, area_of, read
from quizgen.terminal.sitting import Sitting

QUIET = 1.5  # seconds without a key after which keys are meant for what is on the screen


class Room:
    """One full-screen session. Mutable: where the candidate is on the screen.

    `load` puts a text into the input that fits the item at hand, `leave` ends the application with an exit code: the
    screen and the application set them. `again`: the candidate wants to redo what was missed.
    """

    load: Callable[[str], None]
    leave: Callable[[int], None]

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self.stage = Stage.BRIEF
        self.message = ""
        self.scroll = 0
        self.following = False  # the body scrolls along with the cursor
        self.cursor = 0
        self.chosen: tuple[str, ...] = ()
        self.scratching = False
        self.reviewing = False
        self.again = False
        self.reading: ResponseReading | None = None  # waits for confidence
        self.criterion = ""  # what the probe on screen aims at
        self.debrief: dict[int, tuple[str, ...]] = {}  # its lines by width
        self.disputing: Disputing | None = None
        self.asked = False  # about the marks that are not sure
        self.target = ""  # the number of an item to go to, as far as it is typed
        self._deaf_until = float("-inf")  # before it, keys were meant for the item whose time is over
        self._under: list[tuple[Stage, str, int, bool]] = []  # what help or the leave question lies on
        self._warned: set[str] = set()

    # -- what there is ----------------------------------------------------------------------

    @property
    def session(self) -> Interview:
        return self.sitting.session

    @property
    def now(self) -> float:
        return self.sitting.clock.now()

    @property
    def beneath(self) -> Stage:
        """The stage that help or the leave question lies on; else the stage itself."""
        return self._under[0][0] if self._under else self.stage

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

    def enter(self, stage: Stage, message: str = "") -> None:
        """Another stage, shown from its top (a probe from where it is asked)."""
        self.stage, self.message, self.scroll = stage, message, 0
        self.following = stage is Stage.PROBE

    # -- moving -----------------------------------------------------------------------------

    def start(self) -> None:
        self.sitting.start()
        self.show(self.session.at) if self.session.place.response is None else self.review()

    def show(self, index: int) -> None:
        """Show an item with what was given or begun before."""
        fresh = not self.session.places[index].shown
        self.sitting.go(index)
        place = self.session.place
        self.enter(Stage.ITEM, "A follow-up to what you just answered." if fresh and place.follow_up else "")
        self.cursor, self.scratching = 0, False
        given = place.response if place.response is not None else ""
        area = self.area
        if isinstance(area, Options):
            texts = [o.text for o in area.options]
            if place.draft.strip():
                given = read(place.entry.variant, place.draft).response
            picked = (given,) if isinstance(given, str) else given
            self.chosen = tuple(t for t in texts if t in picked)
            self.cursor = texts.index(self.chosen[0]) if self.chosen else 0
            self.load("")
        else:
            self.chosen = ()
            self.load(place.draft or (given if isinstance(given, str) else ""))

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
        if self.held():
            return
        self.forward()
        if begun:
            self.message = "Skipped; what you had begun is kept."

    def review(self) -> None:
        """The list of what is worth another look, at the item that was looked at last."""
        here = self.session.at
        self.sitting.browse()
        self.enter(Stage.REVIEW)
        left = review_list(self.session)
        self.cursor = next((row for row, index in enumerate(left) if index >= here), 0) if self.reviewing else 0
        self.reviewing = self.following = True

    def pick(self) -> None:
        """Go to the item that the review's cursor is on."""
        left = review_list(self.session)
        if left:
            self.show(left[min(self.cursor, len(left) - 1)])
        else:
            self.end("finished")

    def move(self, step: int) -> None:
        """The cursor of options, which goes round, or of the review list, which has ends."""
        area = self.area
        if self.stage is Stage.REVIEW:
            last = len(review_list(self.session)) - 1
            self.cursor, self.following = max(0, min(self.cursor + step, last)), True
        elif isinstance(area, Options):
            self.cursor, self.following = (self.cursor + step) % len(area.options), True

    def held(self) -> bool:
        """Stay until the response is on disk."""
        if self.sitting.trouble:
            self.stage, self.message = Stage.UNSAVED, ""
            return True
        return False

    # -- asides -----------------------------------------------------------------------------

    def help(self) -> None:
        """The keys, over whatever is on the screen; a second F1 goes back."""
        if self.stage is Stage.HELP:
            self.close_aside()
            return
        self.lay()
        self.enter(Stage.HELP)

    def ask_leave(self) -> None:
        """Ctrl-C asks; a second one keeps the session and leaves."""
        if self.stage in (Stage.HELP, Stage.JUMP):
            self.close_aside()
        if self.stage is Stage.LEAVE:
            self.leave(130)
        elif self.stage in (Stage.BRIEF, Stage.DEBRIEF):
            self.leave(0 if self.stage is Stage.DEBRIEF else 130)
        else:
            self.lay()
            self.stage = Stage.LEAVE
            self.message = "Leave? s keeps the session for --resume, e ends it now with the debrief, Esc goes on."
            if self.sitting.trouble:
                self.message = "Leave? Your response is NOT on disk; s tries to keep it as a draft, Esc goes back."

    def lay(self) -> None:
        self._under.append((self.stage, self.message, self.scroll, self.following))

    def finish(self) -> None:
        """The end, from the review; asked first while items are open."""
        open_ = sum(not p.done and not p.closed for p in self.session.places)
        if not open_ or self.stage is Stage.FINISH:
            self.end("finished")
            return
        one = open_ == 1
        items = f"{open_} item{'' if one else 's'} {'is' if one else 'are'} still open"
        self.stage, self.message = Stage.FINISH, f"{items}. f finishes all the same, Esc goes back."

    def close_aside(self) -> None:
        """Back from help, the leave and finish questions, or the confidence prompt."""
        match self.stage:
            case Stage.HELP | Stage.LEAVE | Stage.JUMP if self._under:
                self.stage, self.message, self.scroll, self.following = self._under.pop()
            case Stage.FINISH:
                self.stage, self.message = Stage.REVIEW, ""
            case _:
                self.stage, self.message = Stage.ITEM, ""

    # -- time and the end -------------------------------------------------------------------

    def pulse(self) -> None:
        """Once a second: book the time, keep the draft, warn once, stop hard."""
        self.sitting.tick()
        if self.session.phase is not Phase.RUNNING:
            return
        self.sitting.save_draft()
        if self.sitting.expired():
            self.end("time")
            return
        session = self.session
        if session.rules.timed and session.left(self.now) <= 60 < session.budget:
            self._warn("minute", "One minute left. What is there is submitted when time is over.")
        elif session.rules.timed and not session.browsing and session.item_spent(self.now) > session.item_budget():
            name = session.place.entry.variant.item.id
            self._warn(f"item {name}", "This item's time is over: take what you need, it is only noted as late.")

    def _warn(self, name: str, text: str) -> None:
        """Say something once, where it does not hide a message or a question."""
        if name not in self._warned and self.stage in (Stage.ITEM, Stage.REVIEW) and not self.message:
            self._warned.add(name)
            self.message = text

    @property
    def hasty(self) -> bool:
        """Keys still come that were meant for the item whose time is over: they must do nothing here."""
        return self.now < self._deaf_until

    def swallow(self) -> None:
        """A key that came too late; the next ones may still belong to it."""
        self._deaf_until = self.now + QUIET

    def end(self, reason: str) -> None:
        """Submit what is there, log the end, show the debrief."""
        self._under.clear()
        if reason == "time":
            self.swallow()
        self.sitting.stop(reason)
        self.scratching = False
        unsure = sum(m.unsure for m in open_marks(self.session))
        told = ["Time is over; what was there is submitted."] if reason == "time" else []
        told += [f"{unsure} mark{'s are' if unsure > 1 else ' is'} not sure: d asks you about them."] if unsure else []
        self.enter(Stage.DEBRIEF, " ".join(told))
        self.debrief = {}
        if self.sitting.trouble:
            self.stage = Stage.UNSAVED

    def redo(self) -> None:
        """From the debrief straight into a session on what was missed."""
        if not missed(self.session):
            self.message = "Nothing to redo; q leaves, and a new session draws items not met lately."
            return
        self.again = True
        self.leave(0)
