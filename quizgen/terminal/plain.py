"""The next line of the plain mode, with the clock running: the end of time, of input, of patience."""

from __future__ import annotations

from collections.abc import Callable

from quizgen.page import Lines as TextArea
from quizgen.page import Options
from quizgen.render.debrief import debrief_of
from quizgen.render.debrief_text import debrief_lines, feedback_lines
from quizgen.render.text import PLAIN, clean, inline_lines, lines, wrap
from quizgen.session.clock import spoken
from quizgen.session.interview import Interview, Mode, Phase, review_list
from quizgen.session.reading import area_of, how_to, nothing_given, read
from quizgen.session.sitting import Sitting
from quizgen.source.problems import clock, did_you_mean, points_said
from quizgen.terminal import disputes
from quizgen.terminal.leaving import Left, Over
from quizgen.terminal.lines import LineTalk
from quizgen.terminal.panes import brief_lines, probe_text, review_row
from quizgen.terminal.pictures import pictures

TICK = 1.0
LEAVING = "Leave? Ctrl-C again keeps the session for --resume; :quit ends it; anything else goes on."


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


# What the lines that begin with a colon do in the plain mode.


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


# The mock interview line by line: for pipes, screen readers and terminals that can do no more.
#
# Lines are only ever added. A choice is answered by a letter, a number in one line, a text by lines
# up to one that is just a point; commands begin with a colon.


class PlainSession:
    """One session over `Lines`. Mutable: what is being typed."""

    def __init__(self, sitting: Sitting, lines: LineTalk) -> None:
        self.sitting = sitting
        self.lines = lines
        self.talk = Talk(sitting, lines)
        self.commands = Commands(self.talk, self._hold, self._show_item)
        self._typed: list[str] = []
        self._said = ""  # a response that a probe adds to

    def run(self) -> None:
        """Brief, items, debrief. Raises Left where the candidate keeps the session for later."""
        sitting = self.sitting
        self.lines.tell(brief_lines(self.session, self.lines.width, sitting.resumed, sitting.notice, plain=True))
        sitting.start()
        try:
            if self.session.place.response is None:
                self._items(self.session.at)
            self._review()
            reason = "finished"
        except Over as over:
            self._hold()
            reason = str(over)
        except KeyboardInterrupt:
            self._hold()
            sitting.save_draft(force=True)
            raise
        self._finish(reason)

    @property
    def session(self) -> Interview:
        return self.sitting.session

    # -- items ------------------------------------------------------------------------------

    def _items(self, index: int | None, once: bool = False) -> None:
        """An item and those behind it; `once`: it alone, and where its commands lead."""
        while index is not None:
            self.sitting.go(index)
            try:
                self._item()
            except Again as again:
                index = again.index
                continue
            index = None if once else self.sitting.next_index()

    def _review(self) -> None:
        """At a keyboard: items left, flagged or doubtful can be taken up again."""
        while self.lines.interactive and (left := review_list(self.session)):
            self.sitting.browse()
            self.lines.write()
            self.lines.say("Worth another look in the time left:")
            self.lines.tell([review_row(self.session, index, self.lines.width) for index in left])
            self.talk.ask("Number of an item to go back to, or Enter to finish: ")
            answer = self.talk.line().strip()
            if answer in ("", ".", ":quit"):
                return
            answer = answer.removeprefix(":go ")
            if answer in (":time", ":help", ":leave"):
                self.commands.run(answer)
            elif answer.startswith(":"):
                self.lines.say("Here are :time, :help, :leave and :quit; the others belong to an item.")
            elif (index := self.session.numbered(answer)) is not None:
                self._items(index, once=True)
            else:
                self.lines.say(f"There is no item {clean(answer)}.")

    def _item(self) -> None:
        self.commands.hint_offered = False
        self._show_item()
        if self.session.place.closed:
            self.lines.say("The solution was shown; this item is closed.")
            return
        variant = self.session.place.entry.variant
        area = area_of(variant.prompt())
        while True:
            self._typed, self._said = [], ""
            typed = self._text() if isinstance(area, TextArea) else self._one_line(area)
            self._typed = []
            if typed is None:  # skipped
                self.sitting.skip()
                self._recorded("Skipped.")
                return
            reading = read(variant, typed)
            if reading.unreadable and self.lines.interactive:
                self.lines.say(f"That can't be read as a response, and costs nothing: {reading.telling}")
                continue
            self.sitting.respond(reading)
            if reading.unreadable:
                self._recorded(f"Recorded as it is, but it can't be read: {reading.telling}")
            else:
                self._recorded(f"Recorded: {reading.telling}.")
            self._after()
            return

    def _after(self) -> None:
        """Feedback in practice; a probe where the session has them."""
        if self.sitting.feedback_now:
            self.sitting.show_solution()
            self.lines.tell(feedback_lines(self.session.place, self.lines.width))
            self.talk.rest()
            return
        criterion = self.sitting.probe() if self.lines.interactive else None
        if criterion is None:
            if self.lines.interactive:
                self.sitting.open_follow_ups()
            return
        self.sitting.mark_probed(criterion)
        place = self.session.place
        self.lines.write()
        self.lines.say(f"Follow-up: {probe_text(place, criterion)}")
        self.lines.say("Add lines up to a lone point, or nothing.")
        self._typed, self._said = [], f"{place.response}\n\n"
        more = self._text()
        if more and more.strip():
            self.sitting.respond(read(place.entry.variant, self._said + more))
            self._recorded("Recorded with your response.")
        self._typed = []
        self.sitting.open_follow_ups()

    def _recorded(self, text: str) -> None:
        if not self.sitting.trouble:
            self.lines.say(text)
            return
        self.lines.say(f"NOT SAVED: {self.sitting.trouble}. Your response is kept in memory.")
        while self.lines.interactive and self.sitting.trouble:
            self.talk.ask("Make room, then press Enter to try again (or :leave to stop): ")
            if self.talk.line().strip() == ":leave":
                raise Left
            if self.sitting.retry():
                self.lines.say("Saved now.")
            else:
                self.lines.say(f"Still not saved: {self.sitting.trouble}.")

    def _show_item(self) -> None:
        session = self.session
        place = session.place
        item = place.entry.variant.item
        about = [
            "follow-up" if place.follow_up else "",
            item.topic,
            item.kind,
            f"{round(session.item_budget())} s",
            points_said(place.entry.possible),
        ]
        self.lines.write()
        self.lines.say(f"Item {session.number(session.at)} of {session.count} ({', '.join(a for a in about if a)})")
        if self.sitting.reason:
            self.lines.say(self.sitting.reason)
        self.lines.write()
        prompt = place.entry.variant.prompt()
        self.lines.tell(lines(prompt, self.lines.width))
        for drawn in pictures(prompt, self.sitting.root, self.lines.pictures, self.lines.width):
            self.lines.picture(drawn)
        self.lines.write()
        area = area_of(prompt)
        self.lines.say(how_to(area) + (" End with a line that is just a point." if isinstance(area, TextArea) else ""))
        if place.response not in (None, "", ()):
            given = place.response if isinstance(place.response, str) else "; ".join(place.response or ())
            self.lines.say(f"Your response so far: {given}")
        if place.draft.strip():
            self.lines.say("You had begun:")
            self.lines.tell([f"| {line}" for line in wrap(place.draft, self.lines.width - 2)])

    # -- input ------------------------------------------------------------------------------

    def _one_line(self, area: object) -> str | None:
        while True:
            self.talk.ask("letter> " if isinstance(area, Options) else "number> ")
            typed = self.talk.line().strip()
            if typed == ".":
                return ""
            if not typed.startswith(":"):
                return typed
            if typed == ":skip":
                return None
            if not self.commands.run(typed) and not self.lines.interactive:
                return typed

    def _text(self) -> str | None:
        """Lines up to a lone point. A draft from before a resume is continued."""
        kept = "" if self._said else self.session.place.draft.rstrip("\n")
        self._typed = [kept] if kept.strip() else []
        while True:
            self.talk.ask("| ")
            typed = self.talk.line()
            name = typed.strip()
            if name == "." or (not name and not self._typed):
                return "\n".join(self._typed)
            if name == ":skip":
                self._hold()
                return None
            if name.startswith(":") and self.commands.run(name, text=True):
                continue
            self._typed.append(typed)
            self._hold()

    def _hold(self) -> None:
        """Keep the lines typed so far as the item's draft, for the hard stop and a resume."""
        if self._typed:
            self.sitting.draft(self._said + "\n".join(self._typed))

    # -- the end ----------------------------------------------------------------------------

    def _finish(self, reason: str) -> None:
        self.lines.write()
        if reason == "time":
            self.lines.drop()
            self.lines.say("Time is over. What you had typed is submitted.")
        self.sitting.stop(reason)
        if self.sitting.trouble and not self.sitting.retry():
            self.lines.say(f"NOT SAVED: {self.sitting.trouble}.")
        self.lines.tell(debrief_lines(debrief_of(self.session), self.lines.width))
        if self.lines.interactive and reason in ("finished", "quit", "time"):
            self._disputed()

    def _disputed(self) -> None:
        """At a keyboard: the marks that are not sure, and those of any item that is named."""

        def ask(text: str) -> str:
            self.lines.ask(text)
            typed = self.lines.read(None)
            return typed or ""

        try:
            disputes.by_lines(self.session, self.lines.write, ask, self.sitting.dispute, self.lines.width)
        except (EOFError, KeyboardInterrupt):
            return
