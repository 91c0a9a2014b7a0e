"""The mock interview line by line: for pipes, screen readers and terminals that can do no more.

Lines are only ever added. A choice is answered by a letter, a number in one line, a text by lines
up to one that is just a point; commands begin with a colon.
"""

from __future__ import annotations

from quizgen.blocks import Lines as TextArea
from quizgen.blocks import Options
from quizgen.interview import Interview, Mode, Phase, review_list
from quizgen.render.debrief import debrief_of, shown_points
from quizgen.render.debrief_text import debrief_lines, feedback_lines
from quizgen.render.text import clean, lines, wrap
from quizgen.terminal.brief import brief_lines
from quizgen.terminal.clock import clock_text, spoken
from quizgen.terminal.lines import Lines
from quizgen.terminal.reading import area_of, how_to, probe_text, read, stem_text
from quizgen.terminal.sitting import Sitting

HELP = """\
A choice: one letter, or several such as A, C. A number: one line, with its unit if it has one.
A text: as many lines as you like, then a line that is just a point.
An empty line or a lone point leaves the item blank.
:skip      leave this item for now        :quit   end the session and see the debrief
:leave     stop here; --resume goes on    :time   time left
:flag      mark for review, or unmark     :back   the item before this one
:hint      what the next hint costs; again to take it
:ask       facts that an interviewer would tell you; they cost nothing
:sure N    how sure you are of this item's response, 1 a guess to 5 certain
:show      this item again                :pause  stop the clock (not in strict mode)
:answer    show the solution (practice only; the item is then closed)
:help      this list"""

COMMANDS = (
    "skip", "quit", "leave", "time", "flag", "back", "hint", "ask", "sure", "show", "pause", "answer", "help", "probe",
)  # fmt: skip

TICK = 1.0


class Left(Exception):
    """The candidate leaves without ending the session."""


class _Over(Exception):
    """The session ends now; the reason is the argument."""


class _Again(Exception):
    """Show another item, or the same one anew."""


class PlainSession:
    """One session over `Lines`. Mutable only in what it has told already."""

    def __init__(self, sitting: Sitting, talk: Lines) -> None:
        self.sitting = sitting
        self.talk = talk
        self._announced: set[str] = set()
        self._hint_offered = False
        self._typed: list[str] = []
        self._prompt = ""

    def run(self) -> None:
        """Brief, items, debrief. Raises Left where the candidate keeps the session for later."""
        self._tell(brief_lines(self.session, self.talk.width, resumed=self.sitting.resumed, plain=True))
        self.sitting.start()
        try:
            if self.session.place.response is None:
                self._items(self.session.at)
            self._review()
            reason = "finished"
        except _Over as over:
            reason = str(over)
        except KeyboardInterrupt:
            self._keep()
            raise
        self._finish(reason)

    @property
    def session(self) -> Interview:
        return self.sitting.session

    def _tell(self, texts: list[str]) -> None:
        for text in texts:
            self.talk.write(text)

    def _ask(self, text: str) -> None:
        self._prompt = text
        self.talk.ask(text)

    def _say(self, text: str) -> None:
        self._tell(wrap(text, self.talk.width))

    # -- items ------------------------------------------------------------------------------

    def _items(self, index: int | None) -> None:
        while index is not None:
            self.sitting.go(index)
            try:
                self._item()
            except _Again as again:
                index = int(str(again))
                continue
            index = self.sitting.next_index()

    def _review(self) -> None:
        """At a keyboard: items left, flagged or doubtful can be taken up again."""
        while self.talk.interactive and (left := review_list(self.session)):
            self.sitting.browse()
            self.talk.write()
            self._say("Worth another look in the time left:")
            for index in left:
                self._say(f"  {index + 1}. {_why(self.session, index)}")
            self._ask("Number of an item to go back to, or Enter to finish: ")
            answer = self._line().strip()
            if answer in ("", ".", ":quit"):
                return
            if answer.isdecimal() and 1 <= int(answer) <= len(self.session.places):
                self._items_once(int(answer) - 1)
            else:
                self._say(f"There is no item {clean(answer)}.")

    def _items_once(self, index: int) -> None:
        self.sitting.go(index)
        try:
            self._item()
        except _Again as again:
            self._items_once(int(str(again)))

    def _item(self) -> None:
        self._hint_offered = False
        self._show_item()
        variant = self.session.place.entry.variant
        area = area_of(variant.prompt())
        while True:
            self._typed = []
            typed = self._text() if isinstance(area, TextArea) else self._one_line(area)
            if typed is None:  # skipped
                self.sitting.skip()
                self._recorded("Skipped.")
                return
            reading = read(variant, typed)
            if reading.unreadable and self.talk.interactive:
                self._say(f"That can't be read as a response, and costs nothing: {reading.telling}")
                if area_is_short(area):
                    self._say(how_to(area))
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
            self._tell(feedback_lines(self.session.place, self.talk.width))
            return
        criterion = self.sitting.probe() if self.talk.interactive else None
        if criterion is None:
            if self.talk.interactive:
                self.sitting.open_follow_ups()
            return
        self.sitting.mark_probed(criterion)
        place = self.session.place
        self._say(f"Follow-up: {probe_text(place.entry.variant, criterion)} Add lines up to a lone point.")
        self._typed = []
        more = self._text()
        if more and more.strip():
            self.sitting.respond(read(place.entry.variant, f"{place.response}\n\n{more}"))
            self._recorded("Recorded with your response.")

    def _recorded(self, text: str) -> None:
        if not self.sitting.trouble:
            self._say(text)
            return
        self._say(f"NOT SAVED: {self.sitting.trouble}. Your response is kept in memory.")
        while self.talk.interactive and self.sitting.trouble:
            self._ask("Make room, then press Enter to try again (or :leave to stop): ")
            if self._line().strip() == ":leave":
                raise Left
            if self.sitting.retry():
                self._say("Saved now.")
            else:
                self._say(f"Still not saved: {self.sitting.trouble}.")

    def _show_item(self) -> None:
        session = self.session
        place = session.place
        item = place.entry.variant.item
        about = [item.topic, item.kind, f"{round(session.item_budget())} s", _points(place.entry.possible)]
        self.talk.write()
        self._say(f"Item {session.at + 1} of {len(session.places)} ({', '.join(a for a in about if a)})")
        self.talk.write()
        prompt = place.entry.variant.prompt()
        self._tell(lines(prompt, self.talk.width))
        self.talk.write()
        area = area_of(prompt)
        self._say(how_to(area) + (" End with a line that is just a point." if isinstance(area, TextArea) else ""))
        if place.response not in (None, "", ()):
            given = place.response if isinstance(place.response, str) else "; ".join(place.response or ())
            self._say(f"Your response so far: {given}")
        if place.draft.strip():
            self._say("You had begun:")
            self._tell([f"| {line}" for line in wrap(place.draft, self.talk.width - 2)])

    # -- input ------------------------------------------------------------------------------

    def _one_line(self, area: object) -> str | None:
        while True:
            self._ask("letter> " if isinstance(area, Options) else "number> ")
            typed = self._line().strip()
            if typed == ".":
                return ""
            if not typed.startswith(":"):
                return typed
            if typed == ":skip":
                return None
            if not self._command(typed) and not self.talk.interactive:
                return typed

    def _text(self) -> str | None:
        """Lines up to a lone point. A draft from before a resume is continued."""
        kept = self.session.place.draft.rstrip("\n")
        self._typed = [kept] if kept.strip() else []
        while True:
            self._ask("| ")
            try:
                typed = self._line()
            except _Over:
                self._hold()
                raise
            name = typed.strip()
            if name == "." or (not name and not self._typed):
                return "\n".join(self._typed)
            if name == ":skip":
                self._hold()
                return None
            if name.startswith(":") and self._command(name, text=True):
                continue
            self._typed.append(typed)
            self._hold()

    def _hold(self) -> None:
        """Keep the lines typed so far as the item's draft, for the hard stop and a resume."""
        if self._typed:
            self.sitting.draft("\n".join(self._typed))

    def _keep(self) -> None:
        self._hold()
        self.sitting.save_draft(force=True)

    def _line(self) -> str:
        """The next line. The end of input or of time ends the session."""
        interrupted = False
        while True:
            if self.sitting.expired():
                raise _Over("time")
            try:
                typed = self.talk.read(TICK if self.talk.interactive else None)
            except EOFError:
                raise _Over("end-of-input") from None
            except KeyboardInterrupt:
                if interrupted or not self.talk.interactive:
                    raise
                interrupted = True
                self.talk.write()
                self._say("Leave? Ctrl-C again keeps the session for --resume; :quit ends it; anything else goes on.")
                continue
            self.sitting.tick()
            if typed is not None:
                return typed
            self._announce()

    def _announce(self) -> None:
        """Say once that half, a fifth, a minute of the session is left, and that an item's time is over."""
        session, now = self.session, self.sitting.clock.now()
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
            self.talk.write()
            self._say(text)
            self.talk.ask(self._prompt)

    # -- commands ---------------------------------------------------------------------------

    def _command(self, typed: str, text: bool = False) -> bool:
        """Do what a colon line says; False where it is no command (a text may hold such a line)."""
        name, _, rest = typed[1:].partition(" ")
        if name not in COMMANDS or (rest and name != "sure"):
            if not text and self.talk.interactive:
                from quizgen.source import did_you_mean

                hint = did_you_mean(name, COMMANDS).replace('"', '":', 1) or ":help lists them"
                self._say(f"There is no command {typed}; {hint}")
            return False
        match name:
            case "help":
                self._tell(HELP.split("\n"))
            case "quit":
                raise _Over("quit")
            case "leave":
                self._keep()
                raise Left
            case "time":
                self._say(self._time())
            case "flag":
                self._say("Flagged for review." if self.sitting.flag() else "No longer flagged.")
            case "back":
                self._hold()
                if self.session.at == 0:
                    self._say("This is the first item.")
                else:
                    raise _Again(str(self.session.at - 1))
            case "show":
                self._show_item()
            case "hint":
                self._hint()
            case "ask":
                told = self.sitting.clarify()
                self._tell([line for t in told for line in wrap(t, self.talk.width, "  ", "- ")])
                if not told:
                    self._say("Nothing more is given for this item; state what you assume.")
            case "sure":
                self._sure(rest)
            case "pause":
                self._pause()
            case "answer":
                self._answer()
            case _:
                self._say("A follow-up comes by itself when there is one.")
        return True

    def _time(self) -> str:
        session, now = self.session, self.sitting.clock.now()
        item = f"this item {clock_text(session.item_spent(now))} of {clock_text(session.item_budget())}"
        if not session.rules.timed:
            return f"Untimed: {clock_text(session.spent(now))} so far, {item}."
        return f"{spoken(session.left(now))} left, {item}."

    def _hint(self) -> None:
        cost = self.sitting.next_hint_cost()
        place = self.session.place
        if cost is None:
            self._say("There is no (further) hint for this item.")
        elif not self._hint_offered:
            self._hint_offered = True
            self._say(
                f"Hint {place.hints + 1} of {len(place.entry.variant.item.hints)} takes "
                f"{round(cost * 100)} % off what this item earns. Type :hint again to take it."
            )
        else:
            self._hint_offered = False
            self._say(f"Hint: {self.sitting.take_hint()}")

    def _sure(self, level: str) -> None:
        if level.strip() in ("1", "2", "3", "4", "5"):
            self.sitting.confide(int(level))
            self._say(f"Confidence {level.strip()} noted.")
        else:
            self._say("Write :sure 1 (a guess) to :sure 5 (certain).")

    def _pause(self) -> None:
        if not self.session.rules.pausable:
            self._say("A strict session has no pause.")
            return
        self.sitting.pause()
        if self.talk.interactive:
            # Thinking time is not free: the item leaves the screen.
            for _ in range(60):
                self.talk.write()
        self._say("Paused; the clock stands still. Enter goes on.")
        try:
            while self.talk.read(None) is None:
                continue
        except EOFError:
            raise _Over("end-of-input") from None
        self.sitting.unpause()
        self._show_item()

    def _answer(self) -> None:
        if self.session.rules.mode is not Mode.PRACTICE:
            self._say("Solutions are shown in practice (--practice) and in the debrief.")
            return
        self.sitting.show_solution()
        self._tell(lines(self.session.place.entry.variant.solution(), self.talk.width))
        index = self.sitting.next_index()
        if index is None:
            raise _Over("finished")
        raise _Again(str(index))

    # -- the end ----------------------------------------------------------------------------

    def _finish(self, reason: str) -> None:
        self.talk.write()
        if reason == "time":
            self._say("Time is over. What you had typed is submitted.")
        self.sitting.stop(reason)
        if self.sitting.trouble and not self.sitting.retry():
            self._say(f"NOT SAVED: {self.sitting.trouble}.")
        self._tell(debrief_lines(debrief_of(self.session), self.talk.width))


def area_is_short(area: object) -> bool:
    return not isinstance(area, TextArea)


def _why(session: Interview, index: int) -> str:
    place = session.places[index]
    item = place.entry.variant.item
    stem = stem_text(place.entry.variant)
    reasons = [
        "flagged" if place.flagged else "",
        "unanswered" if not place.done else "",
        f"confidence {place.confidence}" if place.done and place.confidence and place.confidence <= 2 else "",
    ]
    return f"{item.topic or item.kind}: {stem[:50]}{'…' * (len(stem) > 50)} ({', '.join(r for r in reasons if r)})"


def _points(points: object) -> str:
    text = shown_points(points)  # type: ignore[arg-type]  # a Fraction
    return f"{text} point{'s' * (text != '1')}"
