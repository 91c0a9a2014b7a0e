"""A conversation as a value: everything said, its current turn, its numbers, and the way from turn to turn.

A log contains the exchanges, so that a resumed conversation takes the same way even if a rubric has changed since."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from quizgen.cases.case import Case, Turn
from quizgen.cases.commitments import committed_numbers
from quizgen.cases.listening import has_number, pattern, split_sentences
from quizgen.draw import SeededRng
from quizgen.model import Variant
from quizgen.source.problems import points_decimal


class LineRule:
    """Rules by which the interviewer says a line, where the lines of a rule are treated alike."""

    TIME_OVER = "the time is over"
    MEANING = "you asked what a word means"
    REPEAT = "you asked to hear it again"
    ASIDE = "no answer"  # of a reply to talk about the talk, which a repetition of the question leaves out
    UNREADABLE = "unreadable"  # of a reply to a number that cannot be read
    UNCLEAR = "neither an answer nor a question"
    NO_FACT = "no fact of the case is asked for"  # of UNKNOWN_REPLY, which a repetition leaves out too
    EARLIER = "it was said before"
    NOTED = "you committed to numbers"
    CORRECTION = "you corrected a number"
    WRONG_BELIEF = "a wrong belief"
    AMOUNT_OFF = "an amount is off by two or by a power of ten"
    WITHOUT_QUESTION = frozenset({NO_FACT, UNREADABLE, UNCLEAR, REPEAT, MEANING, EARLIER})


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the conversation. `rule` is the rule by which the interviewer said it; empty for the candidate."""

    speaker: str  # "interviewer" or "candidate"
    text: str
    turn_id: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A candidate's text and its effect.

    `effect` is question, response, unreadable or left. `next_turn_id` is the next turn (the same: it continues; empty:
    the case is over). `probe_criterion` is the criterion of the interviewer's follow-up."""

    turn_id: str
    text: str
    effect: str
    lines: tuple[Line, ...]
    next_turn_id: str
    given_fact_ids: tuple[str, ...] = ()
    number_by_commitment: Mapping[str, Fraction] = field(default_factory=dict)
    probe_criterion: str = ""
    taken_branch_index: int = -1  # which of the turn's branches was taken
    response_text: str = ""  # the clause, letter or wishes that count as the response, if not the whole text


@dataclass(frozen=True, slots=True)
class Conversation:
    """`responses_by_turn`: of each turn met, the responses in order. `probes_by_turn`: the criteria that it probed.
    `drawn_texts_by_turn`: the numbers that it was asked with, by name. `text_by_changed_fact`: facts that a turn
    replaced. `phase_seconds_left`: None if not known."""

    case: Case
    seed: str
    turn_id: str
    lines: tuple[Line, ...]
    responses_by_turn: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    probes_by_turn: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    taken_branches: frozenset[tuple[str, int]] = frozenset()  # branches, each taken once
    given_fact_ids: tuple[str, ...] = ()
    number_by_commitment: Mapping[str, Fraction] = field(default_factory=dict)
    drawn_texts_by_turn: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    text_by_changed_fact: Mapping[str, str] = field(default_factory=dict)
    phase_seconds_left: float | None = None
    is_question_answered: bool = False  # an answer came in the same breath, so that no reply asks the question again

    @property
    def is_over(self) -> bool:
        return not self.turn_id

    @property
    def turn(self) -> Turn:
        return self.case.turn(self.turn_id)

    @property
    def variant(self) -> Variant:
        return self.variant_of_turn(self.turn_id)

    def variant_of_turn(self, turn_id: str) -> Variant:
        item = self.case.turn(turn_id).item
        return item.redraw(self.drawn_texts_by_turn.get(turn_id, {}), SeededRng(item.id, self.seed))

    @property
    def text_by_fact(self) -> dict[str, str]:
        """What each fact says now, by its id."""
        return {fact.id: self.text_by_changed_fact.get(fact.id, fact.statement) for fact in self.case.facts}

    def line(self, text: str, rule: str) -> Line:
        """A line of the interviewer in the current turn."""
        return Line("interviewer", text, self.turn_id, rule)

    def response_to_turn(self, turn_id: str) -> str:
        return self.case.turn(turn_id).joined_text(self.responses_by_turn.get(turn_id, ()))

    def is_number_in_question(self, number_by_commitment: Mapping[str, Fraction]) -> bool:
        """Whether the current question contains a number named in `number_by_commitment`: its text has a place for the
        number, or the number was drawn for this turn."""
        placed = {name for name in number_by_commitment if f"{{{name}}}" in self.turn.question}
        return bool(placed or set(self.drawn_texts_by_turn.get(self.turn_id, {})) & set(number_by_commitment))

    def exchange_on_leaving_turn(self, rule: str, in_time: bool = True) -> Exchange:
        """The exchange that ends a turn without an answer: the candidate left it, or (`in_time` False) its time is
        over."""
        return Exchange(self.turn_id, "", "left", *self.lines_and_next_turn(rule, is_phase_over=not in_time))

    def after(self, exchange: Exchange) -> Conversation:
        """The conversation after an exchange, whether new or read from a log."""
        turn = self.case.turn(exchange.turn_id)
        spoken = (Line("candidate", exchange.text, turn.id),) if exchange.text else ()
        responses, probes = self.responses_by_turn.get(turn.id, ()), self.probes_by_turn
        has_response = exchange.effect == "response" or (turn.candidate_asks and exchange.response_text)
        if exchange.text and has_response:
            responses = (*responses, exchange.response_text or exchange.text)
        elif exchange.probe_criterion and not responses:
            responses = ("",)  # a response after help counts as aided
        if exchange.probe_criterion:
            probes = {**probes, turn.id: (*probes.get(turn.id, ()), exchange.probe_criterion)}
        branches = {(turn.id, exchange.taken_branch_index)} if exchange.taken_branch_index >= 0 else frozenset()
        then = replace(
            self, turn_id=exchange.next_turn_id, lines=(*self.lines, *spoken, *exchange.lines), probes_by_turn=probes,
            responses_by_turn={**self.responses_by_turn, turn.id: responses},
            given_fact_ids=tuple(dict.fromkeys((*self.given_fact_ids, *exchange.given_fact_ids))),
            number_by_commitment={**self.number_by_commitment, **exchange.number_by_commitment},
            taken_branches=self.taken_branches | branches,
        )  # fmt: skip
        if exchange.next_turn_id not in ("", turn.id):
            return then.with_turn_begun(self.case.turn(exchange.next_turn_id), "")
        is_correction = bool(exchange.lines) and exchange.lines[-1].rule == LineRule.CORRECTION
        if is_correction and self.is_number_in_question(exchange.number_by_commitment):
            return then.with_turn_begun(turn, LineRule.CORRECTION)
        return then

    def fact_and_number_texts(self) -> list[str]:
        """The facts given and the numbers committed so far, for `:said`."""
        return [*self.given_fact_texts(), *self.case.number_texts(self.number_by_commitment)]

    def given_fact_texts(self) -> list[str]:
        """The facts given so far, as they are now."""
        known, texts = dict.fromkeys((*self.given_fact_ids, *self.text_by_changed_fact)), self.text_by_fact
        return [texts[name] for name in known if name in texts]

    def interviewer_statements(self) -> list[str]:
        """All that the interviewer told so far, each text once, the latest last: facts whole, others by sentences."""
        questions = " ".join(turn.question for turn in self.case.turns)  # "Commit to a chunk size." tells nothing
        replaced = {fact.statement for fact in self.case.facts if fact.id in self.text_by_changed_fact}
        facts = {fact.statement for fact in self.case.facts} | set(self.text_by_changed_fact.values())
        made: dict[str, None] = {}
        for line in self.interviewer_lines_without_asides():
            text = line.text.removeprefix("As I said: ").removeprefix("I asked: ")
            if line.rule in LineRule.WITHOUT_QUESTION or line.rule == LineRule.NOTED or text in replaced:
                continue
            for one in [text] if text in facts else split_sentences(text):
                made.pop(one, None)
                if has_number(one) or not (one.endswith("?") or one in questions):
                    made[one] = None
        return list(made)

    def interviewer_lines_without_asides(self) -> list[Line]:
        """The interviewer's lines without replies to talk about the talk."""
        return [line for line in self.lines if line.speaker == "interviewer" and line.rule != LineRule.ASIDE]

    def question_text(self, in_full: bool = False) -> str:
        """The last question of this turn; of a longer text (unless `in_full`) only the sentences that ask."""
        told = [line for line in self.interviewer_lines_without_asides() if line.turn_id == self.turn_id]
        asking = (line for line in told if "you asked" not in line.rule and line.rule not in LineRule.WITHOUT_QUESTION)
        *_, asked = (line.text for line in asking)
        asks = [sentence for sentence in split_sentences(asked) if sentence.endswith("?")]
        return asked if in_full else " ".join(asks) or split_sentences(asked)[-1]

    def lines_and_next_turn(
        self, rule: str, next_turn_id: str = "", is_phase_over: bool = False
    ) -> tuple[tuple[Line, ...], str]:
        """The lines on leaving the turn, and the next turn, or the one named `next_turn_id` (empty: the case is over).
        With `is_phase_over`, the rest of the phase is skipped."""
        turn, parting = self.turn, self.turn.parting_text
        facts = {mark.criterion for mark in self.variant.score("").marks} if turn.candidate_asks else {""}
        if facts <= set(self.given_fact_ids):  # who has asked for all facts hears of no others
            parting = " ".join(one for one in split_sentences(parting) if not pattern("about unasked").search(one))
        following = self.case.turn(next_turn_id) if next_turn_id else self.case.turn_after(turn.id)
        while is_phase_over and following is not None and following.phase_id == turn.phase_id:
            following = self.case.turn_after(following.id)
        lines = (self.line(parting, rule or "the turn is done"),) if parting else ()
        return lines, following.id if following is not None else ""

    def with_turn_begun(self, turn: Turn, rule: str) -> Conversation:
        """The conversation with a turn begun: its question asked with its numbers, and its facts replaced."""
        item, commitments = turn.item, self.case.commitments
        usual = {c.id: Fraction(c.default_number) for c in commitments}
        own = [name for name in item.draw(SeededRng(item.id, self.seed)).drawn_value_texts() if name in usual]
        numbers = self.number_by_commitment
        drawn = {name: points_decimal(numbers.get(name, usual[name])) for name in own}
        try:
            item.redraw(drawn, SeededRng(item.id, ""))
        except ValueError:  # the usual ones for "save every 0 minutes"
            numbers, drawn = {}, {name: points_decimal(usual[name]) for name in own}
        text = self.case.fill_numbers(turn.question, numbers)
        if assumed := {name: usual[name] for name in own if name not in numbers}:
            text = f"Take {', '.join(self.case.number_texts(assumed))}. {text}"
        written, taken = committed_numbers(turn.question, commitments), self.number_by_commitment
        if other := {name: taken[name] for name, number in written.items() if taken.get(name, number) != number}:
            text = f"You took {', '.join(self.case.number_texts(other))}; this question takes another. {text}"
        rule = rule or ("a branch led here" if turn.is_branch_only else "the next turn")
        line = Line("interviewer", text, turn.id, rule)
        return replace(
            self, turn_id=turn.id, lines=(*self.lines, line),
            drawn_texts_by_turn={**self.drawn_texts_by_turn, turn.id: drawn},
            text_by_changed_fact={**self.text_by_changed_fact, **turn.text_by_changed_fact},
        )  # fmt: skip


def begin_conversation(case: Case, seed: str) -> Conversation:
    """The conversation after its opening and first question."""
    first = next(t for t in case.turns if not t.is_branch_only)
    opened = Conversation(case, seed, first.id, (Line("interviewer", case.opening, first.id, "the opening"),))
    return opened.with_turn_begun(first, "the first turn")


def fact_request_rule(fact_id: str) -> str:
    """The rule of a line that tells a fact on request."""
    return f"you asked for “{fact_id}”"
