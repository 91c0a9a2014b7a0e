"""Where the candidate is on the full screen, what each key does there, and what it shows. Knows no terminal library."""

from __future__ import annotations

import re
from collections.abc import Callable

from quizgen.answer_areas import Blank, Lines, Options
from quizgen.render.text import Run, clean, lines, wrap, wrapped
from quizgen.session.clock import spoken
from quizgen.session.interview import Dispute, Interview, Mode, Phase, missed, review_list
from quizgen.session.reading import MAX_TYPED, Area, ResponseReading, area_of, how_to, nothing_given, read
from quizgen.session.sitting import Sitting
from quizgen.source.problems import shorten
from quizgen.terminal import panes
from quizgen.terminal.banner import HINTS
from quizgen.terminal.disputes import SAYS, Disputing, agrees, evidence, open_marks
from quizgen.terminal.panes import LOOK, Body, Stage, brief_lines, probe_text

QUIET = 1.5  # seconds without a key after which keys are meant for what is on the screen


class SessionScreen:
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


# What helps on the way: hints, facts on request, flags, the scratch pane, the pause.


END = 1_000_000  # a scroll position behind any text; drawing clamps it


def offer_hint(room: SessionScreen) -> None:
    """Tell what the next hint costs before it is taken."""
    room.message, there = room.sitting.hint_offer()
    if there:
        room.stage = Stage.HINT
        room.message += " Take it? y / n"


def take_hint(room: SessionScreen, yes: bool) -> None:
    room.stage, room.message = Stage.ITEM, ""
    if yes:
        room.sitting.take_hint()
        room.scroll, room.following = END, False  # the hint is at the end of the body


def clarify(room: SessionScreen) -> None:
    """The facts that an interviewer would tell; they cost nothing."""
    told = room.sitting.clarify()
    room.message = "" if told else nothing_given(room.area)
    if told:
        room.scroll, room.following = END, False


def flag(room: SessionScreen) -> None:
    room.message = "Flagged for review." if room.sitting.flag() else "No longer flagged."


def toggle_scratch(room: SessionScreen) -> None:
    """Between the response and the scratch pane; each keeps its text."""
    room.scratching = not room.scratching
    room.message = ""
    place = room.session.place
    kept = place.draft or (place.response if isinstance(place.response, str) else "")
    room.load(place.scratch if room.scratching else kept)


def keep_typed(room: SessionScreen, text: str) -> None:
    """Something changed in the input: it becomes the draft."""
    if room.stage is Stage.ITEM:
        room.message = ""
    if room.scratching:
        if not room.sitting.scratch(text):
            room.message = "The scratch pad is full: what stands behind its first 64 KiB is not kept."
    elif room.stage is Stage.ITEM:
        room.sitting.draft(text)
    elif room.stage is Stage.PROBE:
        # What the hard stop submits is the response with what was added, never the addition alone.
        room.sitting.draft(f"{room.session.place.response}\n\n{text}" if text.strip() else "")


def pause(room: SessionScreen) -> None:
    if not room.session.rules.pausable:
        room.message = "A strict session has no pause."
        return
    room.sitting.pause()
    room.stage, room.message = Stage.PAUSED, ""


def unpause(room: SessionScreen) -> None:
    room.sitting.unpause()
    room.stage = Stage.REVIEW if room.session.browsing else Stage.ITEM


# To an item by its number: in the session, from the review, in the debrief.


LONGEST = 6  # characters of a number


def ask_number(room: SessionScreen, typed: str = "") -> None:
    """Ask for the number of an item, or take one more character of it."""
    if room.stage is not Stage.JUMP:
        room.lay()
        room.stage, room.target = Stage.JUMP, ""
    room.target = (room.target + typed)[:LONGEST]
    room.message = f"Go to item: {room.target}_"


def shorten_number(room: SessionScreen) -> None:
    room.target = room.target[:-1]
    ask_number(room)


def go_to_number(room: SessionScreen) -> None:
    """Go where the number says; an unknown one is told."""
    index = room.session.numbered(room.target)
    room.close_aside()
    if index is None:
        room.message = f"There is no item {room.target}." if room.target else ""
    elif room.stage is Stage.DEBRIEF:
        _show_item(room, room.session.number(index))
    else:
        room.show(index)


def item_on_top(room: SessionScreen) -> str:
    """The number of the item at the top of the debrief on screen; empty above the first."""
    above = [number for at, number in _heads(room) if at <= room.scroll]
    return above[-1] if above else ""


def turn_item(room: SessionScreen, step: int) -> None:
    """Scroll the debrief to the next item, or to the one before."""
    heads = [at for at, _ in _heads(room)]
    after = [at for at in heads if at > room.scroll] if step > 0 else [at for at in heads if at < room.scroll]
    if after:
        room.scroll = after[0] if step > 0 else after[-1]


def _show_item(room: SessionScreen, number: str) -> None:
    place = next((at for at, found in _heads(room) if found == number), None)
    if place is None:
        room.message = f"Item {number} was not reached."
    else:
        room.scroll, room.message = place, ""


def _heads(room: SessionScreen) -> list[tuple[int, str]]:
    """The line of each item in the debrief on screen, and its number."""
    shown = next(iter(room.debrief.values()), ())
    plain = ((at, line.removeprefix("\x1b[1m")) for at, line in enumerate(shown))
    return [(at, line[4:].partition(". ")[0]) for at, line in plain if line.startswith("--- ")]


# What the keys of a response do: options, submitting, confidence, probes, feedback.


def choose(room: SessionScreen, index: int | None = None) -> None:
    """Take an option (the only one, or one of several); a second time puts it back."""
    area = room.area
    if not isinstance(area, Options) or room.session.place.closed:
        return
    index = room.cursor if index is None else index
    if index >= len(area.options):
        return
    room.cursor, room.following = index, True
    text = area.options[index].text
    if not area.several:
        room.chosen = (text,)
    elif text in room.chosen:
        room.chosen = tuple(t for t in room.chosen if t != text)
    else:
        room.chosen = tuple(o.text for o in area.options if o.text in (*room.chosen, text))
    room.message = ""
    room.sitting.draft(letters(room))


def letters(room: SessionScreen) -> str:
    """The letters of the options taken: `A, C`."""
    area = room.area
    if not isinstance(area, Options):
        return ""
    return ", ".join(area.letter(i) for i, o in enumerate(area.options) if o.text in room.chosen)


def submit(room: SessionScreen, typed: str) -> None:
    """Read what is there; an unreadable response costs nothing and is told how to be written."""
    if room.session.place.closed:
        room.forward()
        return
    area = room.area
    if isinstance(area, Options):
        if not room.chosen and not area.several:
            choose(room)
        typed = letters(room)
    reading = read(room.session.place.entry.variant, typed)
    if reading.unreadable:
        room.message = f"That can't be read, and costs nothing: {reading.telling}"
        return
    if reading.blank:
        room.message = "Nothing to submit yet. F7 skips the item."
        return
    room.reading = reading
    room.stage = Stage.CONFIDENCE
    room.message = f"{shorten(clean(reading.telling), 60)}. How sure are you, from 1 (a guess) to 5 (certain)?"


def confide(room: SessionScreen, level: int | None) -> None:
    """Record confidence, then the response: on disk before anything else shows."""
    if room.reading is None:
        return
    room.sitting.confide(level)
    room.sitting.respond(room.reading)
    room.reading = None
    room.message = ""
    if not room.held():
        _after(room)


def retry(room: SessionScreen) -> None:
    """Write again what could not be written before."""
    if not room.sitting.retry():
        return
    if room.session.phase is Phase.ENDED:
        room.enter(Stage.DEBRIEF, "Saved now.")
    else:
        room.stage, room.message = Stage.ITEM, "Saved now."
        _after(room)


def _after(room: SessionScreen) -> None:
    """What follows a response: a probe, feedback, or the next item."""
    if room.session.place.skipped:
        room.forward()
        return
    criterion = room.sitting.probe()
    if criterion is None:
        _feedback(room)
        return
    room.criterion = criterion
    room.sitting.mark_probed(criterion)
    room.enter(Stage.PROBE)
    room.load("")


def add_to_probe(room: SessionScreen, typed: str) -> None:
    """Add the answer to a probe to the response; it is one more line in the log."""
    place = room.session.place
    if typed.strip():
        room.sitting.respond(read(place.entry.variant, f"{place.response}\n\n{typed}"))
        if room.held():
            return
    else:
        room.sitting.draft("")
    room.message = ""
    _feedback(room)


def _feedback(room: SessionScreen) -> None:
    room.sitting.open_follow_ups()
    if room.sitting.feedback_now:
        room.sitting.show_solution()
        room.enter(Stage.FEEDBACK)
    else:
        room.forward()


def show_solution(room: SessionScreen) -> None:
    """Practice: the key of the item at hand, which closes it."""
    if room.session.rules.mode is not Mode.PRACTICE:
        room.message = "Solutions come in the debrief (or with --practice)."
        return
    room.sitting.show_solution()
    room.enter(Stage.FEEDBACK)


# Disputing a mark on the screen: one's own words marked, then fully, partly or no.


_WORD = re.compile(r"\S+")
CURSOR = re.compile("\x1b\\[(7;)?4m")  # the word that the arrows are at


def begin_dispute(room: SessionScreen) -> None:
    """The marks that are not sure, once; then those of the item that the debrief shows."""
    marks = open_marks(room.session)
    number = item_on_top(room)
    unsure = [m for m in marks if m.unsure and not room.asked]
    asked, room.asked = unsure or [m for m in marks if m.number == number], True
    if not asked:
        which = f"Item {number} has" if number else "No item above has"
        room.message = f"{which} no mark to dispute; n and p lead to the next item and the one before."
        return
    room.disputing = Disputing(asked)
    room.enter(Stage.DISPUTE)
    turn_mark(room, 0)


def turn_mark(room: SessionScreen, step: int) -> None:
    """Another criterion, with the words that its mark rests on marked."""
    its = _disputing(room)
    its.at = max(0, min(its.at + step, len(its.marks) - 1))
    one = its.marks[its.at]
    its.words = tuple(m.span() for m in _WORD.finditer(one.text))
    its.first = its.last = None
    found = evidence(one.row.mark)
    if found is not None:
        inside = [n for n, (start, end) in enumerate(its.words) if start < found[1] and end > found[0]]
        if inside:
            its.first, its.last = inside[0], inside[-1]
    its.cursor = its.first or 0
    room.scroll, room.message = 0, ""


def move_word(room: SessionScreen, step: int) -> None:
    its = _disputing(room)
    its.cursor = max(0, min(its.cursor + step, len(its.words) - 1))


def mark_word(room: SessionScreen) -> None:
    """The first end, then the last; a third time begins anew."""
    its = _disputing(room)
    if its.first is None or its.last is not None:
        its.first, its.last = its.cursor, None
        room.message = "Now the last word of it: arrows, then Space."
    else:
        its.last, room.message = its.cursor, ""


def claim_mark(room: SessionScreen, kind: str) -> None:
    """Log the claim and go on with the next mark."""
    its = _disputing(room)
    one = its.marks[its.at]
    same = agrees(one.row.mark, kind)
    if kind != "no" and its.span is None and not same:
        room.message = "Mark the words that say it first: arrows, Space at the first and at the last."
        return
    if not same:
        start, end = its.span or (0, 0)
        room.sitting.dispute(one.index, Dispute(one.row.mark.criterion, kind, start, end))
        room.debrief = {}
    told = "So says the mark." if same else f"Noted. {SAYS}"
    if its.at + 1 < len(its.marks):
        turn_mark(room, 1)
        room.message = told
    else:
        room.enter(Stage.DEBRIEF, told)


def dispute_body(its: Disputing, session: Interview, width: int) -> Body:
    """What is asked for, one's own answer with what is marked, and the solution."""
    from quizgen.render.debrief import solution

    one = its.marks[its.at]
    made = wrap(f"{one.number}. Criterion {its.at + 1} of {len(its.marks)}: {one.told}", width)
    made += ["", "Did you say it? Your answer:", ""]
    low, high = sorted(
        (its.first if its.first is not None else its.cursor, its.last if its.last is not None else its.cursor)
    )
    said: list[Run] = []
    for number, (start, end) in enumerate(its.words):
        mark = ("r" if low <= number <= high else "") + ("u" if number == its.cursor else "")
        said += [(clean(one.text[start:end]), mark), (" ", "")]
    shown = wrapped(said, width, LOOK)
    focus = len(made) + next((n for n, line in enumerate(shown) if CURSOR.search(line)), 0)
    place = session.places[one.index]
    return Body((*made, *shown, "", *lines(solution(place), width, LOOK)), focus)


def _disputing(room: SessionScreen) -> Disputing:
    assert room.disputing is not None
    return room.disputing


# What the screen says at each stage: the large pane, and the note under it.


CLOSED = "The solution was shown; this item is closed. F12 shows it again."
PAUSED = "Paused. The clock stands still and the item is hidden. Enter goes on."


def body(room: SessionScreen, width: int) -> Body:
    """The large pane at this stage."""
    session = room.session
    match room.beneath if room.stage in (Stage.LEAVE, Stage.JUMP) else room.stage:
        case Stage.BRIEF:
            title = len(wrap(f"Mock interview: {session.form.title}", width))  # the header has it
            told = brief_lines(session, width, room.sitting.resumed, room.sitting.notice)[title:]
            return Body((*told, "", "Press Enter to start the clock."))
        case Stage.REVIEW | Stage.FINISH:
            left = session.left(room.now)
            clock = f"{spoken(left // 10 * 10)} left." if session.rules.timed and left >= 10 else ""
            return panes.review_body(session, width, room.cursor, clock)
        case Stage.PAUSED:
            return Body(("", *wrap(PAUSED, width)))
        case Stage.HELP:
            notes = (HINTS, how_to(room.area)) if session.phase is not Phase.ENDED else ()
            return panes.help_body(width, room.beneath, session, notes)
        case Stage.FEEDBACK:
            from quizgen.render.debrief_text import feedback_lines

            return Body(tuple(feedback_lines(session.place, width, LOOK)))
        case Stage.DEBRIEF:
            if width not in room.debrief:
                from quizgen.render.debrief import debrief_of
                from quizgen.render.debrief_text import debrief_lines

                room.debrief = {width: tuple(debrief_lines(debrief_of(session), width, LOOK, ahead=True)[2:])}
            return Body(room.debrief[width])
        case Stage.DISPUTE if room.disputing is not None:
            return dispute_body(room.disputing, session, width)
        case Stage.PROBE:
            return panes.probe_body(session, width, probe_text(session.place, room.criterion))
        case _:
            shown = panes.item_body(session, width, room.chosen, room.cursor, room.sitting.reason)
            if session.place.closed:
                return Body((*shown.lines, "", *wrap(CLOSED, width)))
            return shown


def note(room: SessionScreen, typed: str) -> str:
    """The line under the body: a message, else how the response is read, else what to do."""
    if room.sitting.trouble and room.stage is not Stage.LEAVE:
        return f"NOT SAVED: {room.sitting.trouble}. Your response is kept in memory: Enter tries again."
    if room.message:
        return room.message
    if room.stage is not Stage.ITEM:
        return ""
    if room.sitting.draft_trouble:
        return f"Your draft can't be saved ({room.sitting.draft_trouble}); responses are told apart from this."
    if room.scratching:
        return "Scratch: yours alone, never scored. F8 goes back."
    if room.session.place.closed:
        return "Enter goes on."
    match room.editing:
        case "number" if typed.strip():
            reading = read(room.session.place.entry.variant, typed)
            return f"not yet readable: {reading.telling}" if reading.unreadable else f"reads as {reading.telling}"
        case "text" if len(typed) > MAX_TYPED:
            return f"Too long: only the first {MAX_TYPED:,} characters are taken."
        case "text" if typed.strip():
            words = len(typed.split())
            return f"{words} word{'s' * (words != 1)}. F5 or Ctrl-D submits, ^_ undoes, Alt-_ redoes."
        case "text":
            return f"{how_to(room.area)} Enter begins a line; F5 or Ctrl-D submits."
    area = room.area
    if isinstance(area, Options) and room.chosen:
        return f"{letters(room)} taken. Enter submits."
    return how_to(area)


def message_lines(text: str, width: int, most: int) -> list[str]:
    """A message in at most `most` lines."""
    made = wrap(text, max(8, width - 2), " ", " ")
    return made if len(made) <= most else [*made[: most - 1], f"{made[most - 1][: width - 2]}…"]
