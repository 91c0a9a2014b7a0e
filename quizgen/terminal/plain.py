"""The mock interview line by line: for pipes, screen readers and terminals that can do no more.

Lines are only ever added. A choice is answered by a letter, a number in one line, a text by lines
up to one that is just a point; commands begin with a colon.
"""

from __future__ import annotations

from quizgen.interview.session import Interview
from quizgen.interview.standing import review_list
from quizgen.page import Lines as TextArea
from quizgen.page import Options
from quizgen.render.debrief import debrief_of
from quizgen.render.debrief_text import debrief_lines, feedback_lines
from quizgen.render.text import clean, lines, wrap
from quizgen.source.problems import points_said
from quizgen.terminal import disputes
from quizgen.terminal.brief import brief_lines
from quizgen.terminal.lines import LineTalk
from quizgen.terminal.pictures import pictures
from quizgen.terminal.plain_commands import Again, Commands
from quizgen.terminal.plain_input import Over, Talk
from quizgen.terminal.reading import area_of, how_to, probe_text, read, review_row
from quizgen.terminal.request import Left
from quizgen.terminal.sitting import Sitting


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
