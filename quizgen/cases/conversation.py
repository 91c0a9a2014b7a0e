"""A conversation as a value: everything said, its current turn, its numbers, and the way from turn to turn.

A log contains the exchanges, so that a resumed conversation takes the same way even if a rubric has changed since."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

from quizgen.cases.case import Case, CommittableNumber, Turn, regex_of_starred_name
from quizgen.cases.listening import has_number_besides_one, regex_named, split_sentences
from quizgen.draw import SeededRng
from quizgen.formula.quantity import Quantity
from quizgen.formula.units import UNIT_ONE, Unit
from quizgen.model import Variant
from quizgen.numbers.amounts import unit_of_word, value_unit_and_length_at_start
from quizgen.rubric.lexicon import DIGITS_BY_WORD
from quizgen.source.problems import up_to_2_decimals


class LineReason:
    """Reasons for which the interviewer says a line, where the lines of a reason are treated alike."""

    TIME_OVER = "the time is over"
    ASKED_FOR_MEANING = "you asked what a word means"
    ASKED_TO_REPEAT = "you asked to hear it again"
    ASIDE = "no answer"  # of a reply to talk about the talk, which a repetition of the question leaves out
    ANSWER_UNREADABLE = "unreadable"  # of a reply to a number that cannot be read
    UNCLEAR = "neither an answer nor a question"
    NO_SUCH_FACT = "no fact of the case is asked for"  # of LEFT_OPEN_REPLY, which a repetition leaves out too
    SAID_BEFORE = "it was said before"
    NUMBERS_NOTED = "you committed to numbers"
    NUMBER_CORRECTED = "you corrected a number"
    WRONG_BELIEF = "a wrong belief"
    AMOUNT_OFF_BY_FACTOR = "an amount is off by two or by a power of ten"
    REASONS_ASKING_NOTHING = (NO_SUCH_FACT, ANSWER_UNREADABLE, UNCLEAR, ASKED_TO_REPEAT, ASKED_FOR_MEANING, SAID_BEFORE)

    @staticmethod
    def for_requested_fact(fact_id: str) -> str:
        """The reason of a line that tells a fact on request."""
        return f"you asked for “{fact_id}”"


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """One line of the conversation. `reason` is why the interviewer said it; empty for the candidate."""

    speaker_role: str  # "interviewer" or "candidate"
    text: str
    turn_id: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A candidate's text and its effect.

    `text_taken_as` is question, response, unreadable or left. `turn_id_afterwards` is the next turn (the same: it
    continues; empty: the case is over). `probe_or_doubt_id` is the criterion of the interviewer's follow-up, for a
    doubt with a prefix."""

    turn_id: str
    candidate_text: str
    text_taken_as: str
    reply_lines: tuple[TranscriptLine, ...]
    turn_id_afterwards: str
    given_fact_ids: tuple[str, ...] = ()
    number_by_commitment: Mapping[str, Fraction] = field(default_factory=dict)
    probe_or_doubt_id: str = ""
    taken_branch_index: int = -1  # which of the turn's branches was taken; -1: none
    response_part: str = ""  # the clause, letter or requests that count as the response, if not the whole text


@dataclass(frozen=True, slots=True)
class Conversation:
    """`responses_by_turn_id`: of each turn met, the responses in order. `drawn_value_texts_by_turn_id`: the numbers
    that a turn was asked with, by name. `phase_seconds_left`: None if not known."""

    case: Case
    seed: str
    turn_id: str
    lines: tuple[TranscriptLine, ...]
    responses_by_turn_id: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    probe_and_doubt_ids_by_turn_id: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    taken_branches: frozenset[tuple[str, int]] = frozenset()  # branches, each taken once
    given_fact_ids: tuple[str, ...] = ()
    number_by_commitment: Mapping[str, Fraction] = field(default_factory=dict)
    drawn_value_texts_by_turn_id: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    new_text_by_changed_fact_id: Mapping[str, str] = field(default_factory=dict)
    phase_seconds_left: float | None = None
    replies_omit_question: bool = False  # an answer came in the same breath, so that no reply asks the question again

    @property
    def is_over(self) -> bool:
        return not self.turn_id

    @property
    def turn(self) -> Turn:
        return self.case.turn_by_id(self.turn_id)

    @property
    def current_probe_and_doubt_ids(self) -> tuple[str, ...]:
        return self.probe_and_doubt_ids_by_turn_id.get(self.turn_id, ())

    @property
    def current_turn_variant(self) -> Variant:
        return self.item_variant_of_turn(self.turn_id)

    def item_variant_of_turn(self, turn_id: str) -> Variant:
        item = self.case.turn_by_id(turn_id).item
        number_texts = self.drawn_value_texts_by_turn_id.get(turn_id, {})
        return item.rebuild_variant(number_texts, SeededRng(item.id, self.seed))

    @property
    def text_by_fact_id(self) -> dict[str, str]:
        """What each fact says now, by its id."""
        return {fact.id: self.new_text_by_changed_fact_id.get(fact.id, fact.fact_text) for fact in self.case.facts}

    def interviewer_line(self, text: str, reason: str) -> TranscriptLine:
        """A line of the interviewer in the current turn."""
        return TranscriptLine("interviewer", text, self.turn_id, reason)

    def turn_response_text(self, turn_id: str) -> str:
        return self.case.turn_by_id(turn_id).joined_or_last_response_text(self.responses_by_turn_id.get(turn_id, ()))

    def current_question_uses_commitments(self, number_by_commitment: Mapping[str, Fraction]) -> bool:
        """Whether the current question contains a number named in `number_by_commitment`: its text has a place for the
        number, or the number was drawn for this turn."""
        names = {name for name in number_by_commitment if f"{{{name}}}" in self.turn.question_template}
        return bool(names or self.drawn_value_texts_by_turn_id.get(self.turn_id, {}).keys() & number_by_commitment)

    def exchange_leaving_unanswered(self, reason: str, in_time: bool = True) -> Exchange:
        """The exchange that ends a turn without an answer: the candidate left it, or (`in_time` False) its time is
        over."""
        return Exchange(self.turn_id, "", "left", *self.parting_lines_and_next_turn_id(reason, skips_phase=not in_time))

    def with_exchange_applied(self, exchange: Exchange) -> Conversation:
        """The conversation after an exchange, whether new or read from a log."""
        turn = self.case.turn_by_id(exchange.turn_id)
        own_lines = (TranscriptLine("candidate", exchange.candidate_text, turn.id),) if exchange.candidate_text else ()
        responses, probes = self.responses_by_turn_id.get(turn.id, ()), self.probe_and_doubt_ids_by_turn_id
        has_response = exchange.text_taken_as == "response" or (turn.candidate_asks and exchange.response_part)
        if exchange.candidate_text and has_response:
            responses = (*responses, exchange.response_part or exchange.candidate_text)
        elif exchange.probe_or_doubt_id and not responses:
            responses = ("",)  # a response after help counts as aided
        if exchange.probe_or_doubt_id:
            probes = {**probes, turn.id: (*probes.get(turn.id, ()), exchange.probe_or_doubt_id)}
        branches = {(turn.id, exchange.taken_branch_index)} if exchange.taken_branch_index >= 0 else frozenset()
        conversation = replace(
            self, turn_id=exchange.turn_id_afterwards, lines=(*self.lines, *own_lines, *exchange.reply_lines),
            responses_by_turn_id={**self.responses_by_turn_id, turn.id: responses},
            probe_and_doubt_ids_by_turn_id=probes, taken_branches=self.taken_branches | branches,
            given_fact_ids=tuple(dict.fromkeys((*self.given_fact_ids, *exchange.given_fact_ids))),
            number_by_commitment={**self.number_by_commitment, **exchange.number_by_commitment},
        )  # fmt: skip
        if exchange.turn_id_afterwards not in ("", turn.id):
            return conversation.with_turn_begun(self.case.turn_by_id(exchange.turn_id_afterwards), "")
        is_correction = bool(exchange.reply_lines) and exchange.reply_lines[-1].reason == LineReason.NUMBER_CORRECTED
        if is_correction and self.current_question_uses_commitments(exchange.number_by_commitment):
            return conversation.with_turn_begun(turn, LineReason.NUMBER_CORRECTED)
        return conversation

    def given_fact_and_number_texts(self) -> list[str]:
        """The facts given and the numbers committed so far, for `:said`."""
        return [*self.texts_of_given_facts(), *self.case.committed_number_texts(self.number_by_commitment)]

    def texts_of_given_facts(self) -> list[str]:
        """The facts given so far, as they are now."""
        ids, texts = (*self.given_fact_ids, *self.new_text_by_changed_fact_id), self.text_by_fact_id
        return [texts[name] for name in dict.fromkeys(ids) if name in texts]

    def statements_of_interviewer(self) -> list[str]:
        """All that the interviewer told so far, each text once, the latest last: facts whole, others by sentences."""
        questions = " ".join(t.question_template for t in self.case.turns)  # "Commit to a chunk size." tells nothing
        old_texts = {fact.fact_text for fact in self.case.facts if fact.id in self.new_text_by_changed_fact_id}
        fact_texts = {fact.fact_text for fact in self.case.facts} | set(self.new_text_by_changed_fact_id.values())
        statements: dict[str, None] = {}
        for line in self.interviewer_lines_without_asides():
            text = line.text.removeprefix("As I said: ").removeprefix("I asked: ")
            if line.reason in {*LineReason.REASONS_ASKING_NOTHING, LineReason.NUMBERS_NOTED} or text in old_texts:
                continue
            for statement in [text] if text in fact_texts else split_sentences(text):
                statements.pop(statement, None)
                if has_number_besides_one(statement) or not (statement.endswith("?") or statement in questions):
                    statements[statement] = None
        return list(statements)

    def interviewer_lines_without_asides(self) -> list[TranscriptLine]:
        """The interviewer's lines without replies to talk about the talk."""
        return [line for line in self.lines if line.speaker_role == "interviewer" and line.reason != LineReason.ASIDE]

    def last_question_text_of_turn(self, in_full: bool = False) -> str:
        """The last question of this turn; of a longer text (unless `in_full`) only the sentences that ask."""
        lines = [line for line in self.interviewer_lines_without_asides() if line.turn_id == self.turn_id]
        question_lines = (line for line in lines if line.reason not in LineReason.REASONS_ASKING_NOTHING)
        facts = {f"{lead}{fact_text}" for lead in ("", "As I said: ") for fact_text in self.text_by_fact_id.values()}
        *_, text = (x.text for x in question_lines if x.text not in facts and x.reason != "you asked leave")
        questions = [sentence for sentence in split_sentences(text) if sentence.endswith("?")]
        return text if in_full else " ".join(questions) or split_sentences(text)[-1]

    def parting_lines_and_next_turn_id(
        self, reason: str, next_turn_id: str = "", skips_phase: bool = False
    ) -> tuple[tuple[TranscriptLine, ...], str]:
        """The lines on leaving the turn, and the next turn, or the one named `next_turn_id` (empty: the case is over).
        With `skips_phase`, the rest of the phase is skipped."""
        turn, parting = self.turn, self.turn.parting_text
        marks = self.current_turn_variant.score("").marks if turn.candidate_asks else ()
        if marks and {mark.criterion_id for mark in marks} <= set(self.given_fact_ids):
            # Who has asked for all facts hears of no others.
            parting = " ".join(one for one in split_sentences(parting) if not regex_named("about unasked").search(one))
        next_turn = self.case.turn_by_id(next_turn_id) if next_turn_id else self.case.next_turn_without_branch(turn.id)
        while skips_phase and next_turn is not None and next_turn.phase_id == turn.phase_id:
            next_turn = self.case.next_turn_without_branch(next_turn.id)
        lines = (self.interviewer_line(parting, reason or "the turn is done"),) if parting else ()
        return lines, next_turn.id if next_turn is not None else ""

    def with_turn_begun(self, turn: Turn, reason: str) -> Conversation:
        """The conversation with a turn begun: its question asked with its numbers, and its facts replaced."""
        item, commitments = turn.item, self.case.committable_numbers
        defaults = {c.id: Fraction(c.number_if_unsaid) for c in commitments}
        names = [name for name in item.draw(SeededRng(item.id, self.seed)).drawn_log_values() if name in defaults]
        numbers = self.number_by_commitment
        number_texts = {name: up_to_2_decimals(numbers.get(name, defaults[name])) for name in names}
        try:
            item.rebuild_variant(number_texts, SeededRng(item.id, ""))
        except ValueError:  # the usual ones for "save every 0 minutes"
            numbers, number_texts = {}, {name: up_to_2_decimals(defaults[name]) for name in names}
        text = self.case.fill_committed_numbers_into_text(turn.question_template, numbers)
        if assumptions := {name: defaults[name] for name in names if name not in numbers}:
            text = f"Take {', '.join(self.case.committed_number_texts(assumptions))}. {text}"
        stated_numbers, taken = committed_number_by_id(turn.question_template, commitments), self.number_by_commitment
        if clash := {name: taken[name] for name, number in stated_numbers.items() if taken.get(name, number) != number}:
            text = f"You took {', '.join(self.case.committed_number_texts(clash))}; this question takes another. {text}"
        reason = reason or ("a branch led here" if turn.is_branch_only else "the next turn")
        return replace(
            self, turn_id=turn.id, lines=(*self.lines, TranscriptLine("interviewer", text, turn.id, reason)),
            drawn_value_texts_by_turn_id={**self.drawn_value_texts_by_turn_id, turn.id: number_texts},
            new_text_by_changed_fact_id={**self.new_text_by_changed_fact_id, **turn.new_text_by_changed_fact_id},
        )  # fmt: skip


def begin_conversation(case: Case, seed: str, time_multiplier: float = 1.0) -> Conversation:
    """The conversation after its opening and first question, with `time_multiplier` times the minutes of each phase."""
    phases = tuple(replace(p, allowed_minutes=p.allowed_minutes * Fraction(time_multiplier)) for p in case.phases)
    case = replace(case, phases=phases)
    first = next(t for t in case.turns if not t.is_branch_only)
    opening = TranscriptLine("interviewer", case.opening_text, first.id, "the opening")
    return Conversation(case, seed, first.id, (opening,)).with_turn_begun(first, "the first turn")


# Numbers that a candidate commits to in a sentence: "TP = 8", "four stages", "save every 3 hours".
#
# Each form is a row with what it reads and what it must not; names and numbers are put into it. A number is taken in
# the unit of the case: 3 hours are 180 where that is minutes, and 285 MB are no micro-batch.

_DIGITS_BY_WORD: Final = {**DIGITS_BY_WORD, "thirty-two": "32", "sixty-four": "64"}
_AMOUNT_START_PATTERN: Final = re.compile(r"(?<![\w.,])(?=(\d[^;:()\n=]{0,40}))")
_MISTAKE_FACTOR_TOLERANCE: Final = Fraction(8, 100)
# Factor of a slip -> how near to it a ratio must be; less near for ten, as estimates are rough.
_TOLERANCE_BY_MISTAKE_FACTOR = dict.fromkeys((Fraction(2), Fraction(1, 2)), _MISTAKE_FACTOR_TOLERANCE)
_TOLERANCE_BY_MISTAKE_FACTOR |= {Fraction(10) ** n: _MISTAKE_FACTOR_TOLERANCE for n in (-6, -3, -2, 2, 3, 6)}
_TOLERANCE_BY_MISTAKE_FACTOR |= dict.fromkeys((Fraction(10), Fraction(1, 10)), Fraction(1, 5))
_NUMBER_WORD_REGEX_TEXT: Final = "|".join(sorted(_DIGITS_BY_WORD, key=len, reverse=True))
_NUMBER_WITH_UNIT_REGEX_TEXT: Final = (
    rf"(?<!\d[.,])(?P<number>\d{{1,3}}(?:,\d{{3}})+|\d{{1,7}}(?:\.\d{{1,3}})?|half an?|half"
    rf"|(?:{_NUMBER_WORD_REGEX_TEXT})(?: and a half)?)"
    r"(?![.,]\d)(?:(?:(?<=\d)|[- ])(?P<unit>[a-zµ]+(?:/[a-z]+)?|%))UNIT(?![\w%])"
)

# Ways to say a number; NAME and NUMBER stand for themselves.
COMMITMENT_PHRASE_REGEX_TEMPLATES: Final = (
    r"\bNAME[-_ ]*(?:=|:|×|\bx\b)[ ]*NUMBER",  # "tp = 8"; not "tp or 8"
    r"\bNAME(?: +(?:degree|size|width))?,? +(?:of|is|at|to|equals|becomes|stays|remains) +NUMBER",  # "tp of 16"
    r"\bNAME[-_ ]?NUMBER",  # "TP8 inside the node"; not "tp, 8 of them"
    r"\bNUMBER[- ]way[- ]NAME",
    r"\bNUMBER of NAME",  # "8 GPUs of tp"; not "8 of my tp"
    r"\bNUMBER[- ]NAME",  # "four pipeline stages"; not "four or more pipeline stages"
)


def committed_number_by_id(text: str, commitments: Iterable[CommittableNumber]) -> dict[str, Fraction]:
    """The numbers that a text commits to, each in its commitment's unit and to two decimals, by the id of the
    commitment; the last statement of each wins.

    >>> tp = CommittableNumber("tp", ("tp", "tensor parallel*"), (1, 8), 8)
    >>> committed_number_by_id("I'd take tensor parallelism of 16, no: TP=8.", [tp])
    {'tp': Fraction(8, 1)}
    """
    line = " ".join(text.casefold().split())
    numbers: dict[str, Fraction] = {}
    for commitment in commitments:
        hits = [
            (match.start(), match.end(), number)
            for pattern in _named_number_patterns(commitment.starred_names)
            for match in pattern.finditer(line)
            if not regex_named("uncommitted before").search(line[: match.start()])
            and not any(regex_named("uncommitted after").match(line, at) for at in (match.end("number"), match.end()))
            and not regex_named("rate after number").match(line, match.end())
            and not _is_count_and_no_amount(match, commitment)
            and (number := _matched_number_in_unit(match, commitment.unit)) is not None
        ]
        end = 0
        for start, next_end, number in sorted(hits):
            if start >= end:  # "five more nodes at 320,000" are five
                numbers[commitment.id], end = number, next_end
    return numbers


def wrong_amount_text_for_criterion(case: Case, turn: Turn, criterion: str, text: str) -> str:
    """The first amount in a text that is twice, half or a power of ten of the one that a criterion of the turn
    requires; empty if there is none, or if the right amount is there too. Amounts of other criteria, and those of the
    question and the facts, are not wrong."""
    if (right_amount := turn.required_amount_by_criterion_id.get(criterion)) is None:
        return ""
    ratios = list(_amount_ratios_and_texts(text, right_amount))
    if any(abs(ratio - 1) <= _MISTAKE_FACTOR_TOLERANCE for ratio, _ in ratios):
        return ""
    statements = (*turn.new_text_by_changed_fact_id.values(), *(fact.fact_text for fact in case.facts))
    case_text = " ".join((case.opening_text, turn.question_template, *statements))
    # Ratios that are right for something else, each with how near to it an amount must be.
    right_ratios = [(right, Fraction(1, 100)) for right, _ in _amount_ratios_and_texts(case_text, right_amount)]
    for name, amount in turn.required_amount_by_criterion_id.items():
        if name != criterion and amount.unit.dim == right_amount.unit.dim:
            right_ratios.append((Fraction(amount.base_value) / Fraction(right_amount.base_value), Fraction(2, 100)))
    for ratio, amount_text in ratios:
        is_slip = any(abs(ratio / slip - 1) <= tolerance for slip, tolerance in _TOLERANCE_BY_MISTAKE_FACTOR.items())
        if is_slip and not any(abs(ratio - right) <= margin * right for right, margin in right_ratios):
            return amount_text
    return ""


def _amount_ratios_and_texts(text: str, right_amount: Quantity) -> Iterator[tuple[Fraction, str]]:
    """Yields the amounts of the same kind in a text that are not denied, each as its ratio to `right_amount` and
    its words."""
    for match in _AMOUNT_START_PATTERN.finditer(text):
        parts = value_unit_and_length_at_start(match[1], right_amount.unit)
        denial = regex_named("denial before").search(text[: match.start()])
        if parts is not None and parts[1] is not None and parts[1].dim == right_amount.unit.dim and not denial:
            yield parts[0] * Fraction(parts[1].factor) / Fraction(right_amount.base_value), match[1][: parts[2]].strip()


def _is_count_and_no_amount(match: re.Match[str], commitment: CommittableNumber) -> bool:
    """Whether a number without a unit stands in front of a name of an amount: "1,250 chunks" is no size of a chunk."""
    thing = "".join(match.string[match.end("number") :].split(maxsplit=1)[:1]).rstrip(".,;")
    is_in_name = any(thing in name.split() for name in commitment.starred_names)
    return commitment.unit is not UNIT_ONE and is_in_name and _unit_of_word_unless_count(thing) is None


def _matched_number_in_unit(match: re.Match[str], unit: Unit) -> Fraction | None:
    """The number of a match, converted to `unit`; None if it has an incompatible unit, or is a count that is not
    whole."""
    number_text, word = match["number"], match["unit"]
    own_unit = _unit_of_word_unless_count(word) if word else None
    if word and unit_of_word(word) is None and match.end("unit") < match.end():
        return None  # "8 extra stages": the word between number and name is not a unit
    if (own_unit or unit).dim != unit.dim or (number_text.startswith("half") and own_unit is None):
        return None  # "half the interval" is not a number
    numeral = number_text.removesuffix(" and a half")
    number = Fraction("1/2" if numeral.startswith("half") else _DIGITS_BY_WORD.get(numeral) or numeral.replace(",", ""))
    number += Fraction(numeral != number_text) / 2
    number = round(number * Fraction((own_unit or unit).factor) / Fraction(unit.factor), 2)
    return number if unit is not UNIT_ONE or number.denominator == 1 else None


def _unit_of_word_unless_count(word: str) -> Unit | None:
    """The unit that a word spells; None for a count (GPUs, nodes), as what is counted is the name's business."""
    unit = unit_of_word(word)
    return None if unit is None or unit.dim.count_label else unit


@lru_cache(maxsize=64)
def _named_number_patterns(names: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """A pattern a form; behind a number, a name that is a unit too is the unit (285 MB is no micro-batch `mb`)."""
    patterns = []
    for form in COMMITMENT_PHRASE_REGEX_TEMPLATES:
        is_number_first = form.startswith(r"\bNUMBER")
        usable_names = [n for n in names if not is_number_first or _unit_of_word_unless_count(n) is None]
        words = "|".join(regex_of_starred_name(n) for n in sorted(usable_names, key=len, reverse=True))
        # If a name may follow the number, "8 read replicas" must not be read as 8 of a unit "read".
        number = _NUMBER_WITH_UNIT_REGEX_TEXT.replace("UNIT", "??" if is_number_first else "?")
        if words:
            patterns.append(re.compile(form.replace("NAME", f"(?:{words})").replace("NUMBER", number)))
    return tuple(patterns)
