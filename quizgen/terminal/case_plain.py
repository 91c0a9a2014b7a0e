"""A case line by line: for pipes, screen readers and simple terminals. Lines are only ever added."""

from __future__ import annotations

from quizgen.cases.case import OPEN
from quizgen.cases.talk import Line, said_so_far
from quizgen.page import Lines as TextArea
from quizgen.render.case import case_lines
from quizgen.render.text import lines
from quizgen.session.clock import spoken
from quizgen.session.reading import area_of, how_to
from quizgen.session.sitting import ONE_MORE, CaseSitting
from quizgen.source.problems import clock
from quizgen.terminal.leaving import Left, Over
from quizgen.terminal.lines import LineTalk
from quizgen.terminal.plain import TICK

HELP = (
    ":said    facts told and numbers committed, and the time\n"
    ":done    go on (an open turn is done; another is left as it is)\n"
    ":skip    the same\n"
    ":leave   keep the session for --resume\n"
    ":quit    end it, and see the debrief\n"
    "A question is answered from the facts of the case; an answer ends with a line that is just a point."
)


class CasePlain:
    """One case over `Lines`. Mutable: the lines typed so far."""

    def __init__(self, sitting: CaseSitting, talk: LineTalk) -> None:
        self.sitting = sitting
        self.talk = talk
        self._typed: list[str] = []

    def run(self) -> str:
        """The talk and its debrief; how it ended. Raises Left where the candidate keeps it for later."""
        self._brief()
        reason = "finished"
        try:
            while not self.sitting.talk.over:
                self._turn()
        except EOFError:
            reason = "end-of-input"
            if self._typed:
                self.sitting.say("\n".join(self._typed))
        except Over as over:
            reason = str(over)
        self.sitting.stop(reason)
        if self.sitting.trouble and not self.sitting.retry():
            self.talk.say(f"NOT SAVED: {self.sitting.trouble}.")
        self.talk.write()
        self.talk.tell(case_lines(self.sitting.judged(), self.talk.width))
        return reason

    def _brief(self) -> None:
        case, rules = self.sitting.talk.case, self.sitting.rules
        boxes = ", ".join(f"{p.title} {float(p.minutes):g}" for p in case.phases)
        self.talk.say(f"{case.title}. {float(case.minutes):g} minutes: {boxes}.{'' if rules.timed else ' Untimed.'}")
        self.talk.say("The interviewer goes by rules: what you say decides what comes next. :help tells the commands.")
        if self.sitting.resumed:
            self.talk.say("So far:")
        self._told(self.sitting.talk.lines)

    def _turn(self) -> None:
        """An open turn takes a question a line and is done by a lone point."""
        turn = self.sitting.talk.at
        area = area_of(self.sitting.talk.variant.prompt())
        if isinstance(area, TextArea) and turn.kind != OPEN:
            text = self._text()
            if text is not None:
                self._told(self.sitting.say(text))
        else:
            if turn.kind == "choice":
                self.talk.tell(lines(self.sitting.talk.variant.prompt()[1:], self.talk.width))
            if turn.kind != OPEN:
                self.talk.say(how_to(area))
            typed = self._line("? " if turn.kind == OPEN else "> ")
            if typed is not None:
                self._told(self.sitting.say(typed) if typed not in ("", ".") else self.sitting.leave_turn())
        self._saved()

    def _text(self) -> str | None:
        """Lines up to a lone point; None where a command or the clock went on. A draft is continued."""
        self._typed = self.sitting.typed.split("\n") if self.sitting.typed else []
        if self._typed:
            self.talk.say(f"You had begun: {self.sitting.typed}")
        while True:
            typed = self._line("| ")
            if typed is None:
                return None
            if typed == "." or (not typed and not self._typed):
                text, self._typed = "\n".join(self._typed), []
                if not text.strip():
                    self._told(self.sitting.leave_turn())
                    return None
                return text
            self._typed.append(typed)
            self.sitting.hold("\n".join(self._typed))

    def _line(self, prompt: str) -> str | None:
        """One line; None where the turn is left by a command or by the clock."""
        self.talk.ask(prompt)
        while True:
            typed = self.talk.read(TICK if self.talk.interactive else None)
            event = self.sitting.tick()
            if event == "near" and typed is None:
                self.talk.write()
                self.talk.say(f"Interviewer: {ONE_MORE}")
                self.talk.ask(prompt)
            if event == "over":
                held, self._typed = [*self._typed, *([typed] if typed else [])], []
                self.talk.write()
                self.talk.say("Interviewer: Let us move on.")
                self._told(self.sitting.box_over("\n".join(held)))
                return None
            if typed is None:
                continue
            name = typed.strip()
            if not name.startswith(":"):
                return typed if self.sitting.talk.at.kind == "text" else name
            if self._command(name):
                return None
            self.talk.ask(prompt)

    def _command(self, name: str) -> bool:
        """Whether the command left the turn."""
        match name:
            case ":done" | ":skip":
                if self._typed:
                    text, self._typed = "\n".join(self._typed), []
                    self._told(self.sitting.say(text))
                else:
                    self._told(self.sitting.leave_turn())
                return True
            case ":said":
                for text in said_so_far(self.sitting.talk) or ["Nothing yet."]:
                    self.talk.say(text)
                if self.sitting.rules.timed:
                    self.talk.say(f"{spoken(self.sitting.left())} left in “{self.sitting.phase.title}”.")
            case ":leave":
                raise Left
            case ":quit":
                raise Over("quit")
            case ":time":
                self.talk.say(f"{clock(self.sitting.left())} left in “{self.sitting.phase.title}”.")
            case _:
                self.talk.tell(HELP.split("\n"))
        return False

    def _saved(self) -> None:
        if self.sitting.trouble:
            self.talk.say(f"NOT SAVED: {self.sitting.trouble}. It is kept in memory, and tried again.")
            self.sitting.retry()

    def _told(self, said: tuple[Line, ...]) -> None:
        for line in said:
            self.talk.write()
            self.talk.say(f"{'Interviewer' if line.speaker == 'interviewer' else 'You'}: {line.text}")
