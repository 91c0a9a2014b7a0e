"""A conversation as a value: what was said, where it stands, and what the interviewer says next and why.

`answer` decides what a candidate's text does, as an `Exchange`; `after` is the conversation that follows.
A log holds the exchanges, so that a resume goes the way that was gone, even if a rubric has changed since.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from quizgen.cases.case import OPEN, Branch, BranchCondition, Case, Turn
from quizgen.cases.commitments import heard
from quizgen.draw import Stream
from quizgen.model import Mark, Outcome, Score, Variant
from quizgen.source.problems import shown_points

PROBES = 2  # that a turn takes at most
OVER = "the time box is over"
UNKNOWN = "Beyond what I told you I have no figure for that. Assume something sensible, and say what you assume."
# A met criterion is one that was said, if with care: a diagnosis is often hedged, and rightly.
MET = frozenset({"found", "hedged"})
_QUESTION = re.compile(r"[^.;?!\n]*\?")
_ASKS = re.compile(
    r"\s*(?:(?:and|also|then|so|but)\s+)*(?:what|which|how|when|who|whose|where|why)\b.*\s\S+\s", re.IGNORECASE
)
# What is said about the talk and is no answer: the whole text is one of a row, whatever its case and end.
_LEAD = r"(?:(?:sorry|pardon|hm+|um+|uh+|oh|ok(?:ay)?|wait|please|excuse me)[, .!?]*)*"
_THAT = r"(?:that|it|this|the (?:last )?(?:question|part|bit|one)|your question|you)"


def _one_of(*texts: str) -> re.Pattern[str]:
    return re.compile(rf"{_LEAD}(?:{'|'.join(texts)})(?:,? please)?", re.IGNORECASE)


_ASIDES = (
    (
        _one_of(
            rf"(?:can|could|would|will) you (?:please )?(?:repeat|say|rephrase)(?: {_THAT})?(?: again| once more)?",
            rf"(?:repeat|say)(?: {_THAT})?(?: again| once more)?",
            r"(?:come|once) (?:again|more)|one more time|(?:sorry|pardon)(?: me)?",
            r"what (?:was|is) (?:that|the question|your question)(?: again)?|what did you (?:say|ask)(?: again)?",
            rf"i (?:did ?n.?t|did not) (?:quite )?(?:get|catch|hear|follow) {_THAT}",
        ),
        "",  # what was said last, again
    ),
    (
        _one_of(
            r"(?:just )?(?:give me|i need|just|hold on|hang on)(?: for)?(?: a| one)? (?:second|sec|moment|minute)",
            rf"one moment|hold on|hang on|let me think(?: about {_THAT}| for a (?:second|moment|minute))?",
        ),
        "Take your time.",
    ),
    (
        _one_of(
            r"thanks?(?: you)?(?: (?:very|so) much)?|got it|i see|understood|makes sense",
            r"i.?m ready|hello|hi(?: there)?|good (?:morning|afternoon|evening)|(?:it.?s )?(?:nice|good) to meet you",
        ),
        "Good. Go on.",
    ),
)
_MAY_I = re.compile(
    r"\s*(?:(?:so|and|then|ok(?:ay)?),? +)*(?:(?:can|could|may|should|shall) (?:i|we)|(?:am i|are we) allowed"
    r"|(?:is|would) it (?:be )?(?:ok|okay|fine|all ?right|fair|safe)|do you mind if)\b",
    re.IGNORECASE,
)
GRANTED = "Nothing of mine says no: take it so, and say what hangs on it."


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was said. `why` is the rule by which the interviewer said it; empty for the candidate."""

    speaker: str  # "interviewer" or "candidate"
    text: str
    turn: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A candidate's text and what became of it.

    `took` is question, response, unreadable or left; `to` the turn that comes next (the same: it goes on,
    empty: the case is over); `probe` the criterion that the interviewer asked about.
    """

    turn: str
    text: str
    took: str
    lines: tuple[Line, ...]
    to: str
    requests: tuple[str, ...] = ()
    values: Mapping[str, Fraction] = field(default_factory=dict)
    probe: str = ""
    branch: int = -1  # which of the turn's branches was taken


@dataclass(frozen=True, slots=True)
class Conversation:
    """`responses` holds, for each turn met, what was responded, in order; `drawn` the numbers that a turn
    was asked with; `told` facts told; `changed` facts that a turn replaced."""

    case: Case
    seed: str
    turn: str
    lines: tuple[Line, ...]
    responses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    probes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    taken: frozenset[tuple[str, int]] = frozenset()  # branches, each once
    requests: tuple[str, ...] = ()
    values: Mapping[str, Fraction] = field(default_factory=dict)
    drawn: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    changed: Mapping[str, str] = field(default_factory=dict)

    @property
    def over(self) -> bool:
        return not self.turn

    @property
    def at(self) -> Turn:
        return self.case.turn(self.turn)

    @property
    def variant(self) -> Variant:
        return self.variant_of(self.turn)

    def variant_of(self, name: str) -> Variant:
        item = self.case.turn(name).item
        return item.redraw(self.drawn.get(name, {}), Stream(item.id, self.seed))

    def response_to(self, name: str) -> str:
        """All that was responded to a turn, as it is scored and logged."""
        return "\n\n".join(self.responses.get(name, ()))


def begin(case: Case, seed: str) -> Conversation:
    """The conversation with its opening and its first question said."""
    first = next(t for t in case.turns if not t.branched)
    opened = Conversation(case, seed, first.id, (Line("interviewer", case.opening, first.id, "the opening"),))
    return _entered(opened, first, "the first turn")


def answer(now: Conversation, text: str, at_once: bool = True) -> Exchange:
    """What the interviewer makes of a text. `at_once` False: the time box is over, no probe follows."""
    turn = now.at
    aside = _aside(now, text) if at_once else None
    if aside is not None:
        return Exchange(turn.id, text, "question", (aside,), turn.id)
    values = heard(text, now.case.commitments)
    if turn.kind == OPEN:
        return _open(now, turn, text, values, at_once)
    requests = _requests_in(now, text)
    questions = _QUESTION.findall(text)
    stated = [part for part in _QUESTION.sub("", text).split(";") if len(part.strip()) > 2 and not _ASKS.match(part)]
    if questions and not stated and at_once:
        reply = _fact_lines(now, requests, text)
        return Exchange(turn.id, text, "question", reply, turn.id, requests, values)
    # A question that goes on to its own answer is not for the interviewer.
    reply = _fact_lines(now, requests, text) if questions and (requests or text.rstrip().endswith("?")) else ()
    return _response(now, turn, text, values, requests if questions else (), reply, at_once)


def _aside(now: Conversation, text: str) -> Line | None:
    """The reply to a text that is about the talk (repeat that, give me a second, thanks); None for any other.

    >>> bool(_ASIDES[0][0].fullmatch("Sorry, could you repeat the question"))
    True
    """
    plain = " ".join(text.split()).rstrip(" .!?,…")
    for pattern, reply in _ASIDES:
        if pattern.fullmatch(plain):
            last = next(line.text for line in reversed(now.lines) if line.speaker == "interviewer")
            return Line(
                "interviewer", reply or last, now.turn, "you asked to hear it again" if not reply else "no answer"
            )
    return None


def left(now: Conversation, why: str, at_once: bool = True) -> Exchange:
    """The turn left as it is: by the candidate, or (`at_once` False) because its time box is over."""
    lines, to = _onward(now, now.at, why, box_over=not at_once)
    return Exchange(now.turn, "", "left", lines, to)


def after(now: Conversation, exchange: Exchange) -> Conversation:
    """The conversation once an exchange has been; the same for one that comes from a log."""
    turn = now.case.turn(exchange.turn)
    lines = now.lines
    if exchange.text:
        lines = (*lines, Line("candidate", exchange.text, turn.id))
    lines = (*lines, *exchange.lines)
    before = now.responses.get(turn.id, ())
    given = exchange.text and (exchange.took == "response" or turn.kind == OPEN)
    responses = {**now.responses, turn.id: (*before, exchange.text) if given else before}
    probes = dict(now.probes)
    if exchange.probe:
        probes[turn.id] = (*probes.get(turn.id, ()), exchange.probe)
    then = replace(
        now, turn=exchange.to, lines=lines, responses=responses, probes=probes,
        requests=tuple(dict.fromkeys((*now.requests, *exchange.requests))), values={**now.values, **exchange.values},
        taken=now.taken | ({(turn.id, exchange.branch)} if exchange.branch >= 0 else frozenset()),
    )  # fmt: skip
    if exchange.to and exchange.to != exchange.turn:
        return _entered(then, now.case.turn(exchange.to), "")
    return then


def known_so_far(now: Conversation) -> list[str]:
    """Facts told and numbers committed, for `:said`."""
    facts = {f.id: f.say for f in now.case.facts} | dict(now.changed)
    lines = [facts[name] for name in dict.fromkeys((*now.requests, *now.changed)) if name in facts]
    return [*lines, *_shown(now.case, now.values)]


# -- what a text does -----------------------------------------------------------------------


def _open(now: Conversation, turn: Turn, text: str, values: Mapping[str, Fraction], at_once: bool) -> Exchange:
    if not text.strip():
        lines, to = _onward(now, turn, "nothing more was asked")
        return Exchange(turn.id, "", "left", lines, to)
    requests = _requests_in(now, text)
    lines, to = ((), turn.id) if at_once else _onward(now, turn, OVER, box_over=True)
    return Exchange(turn.id, text, "question", (*_fact_lines(now, requests, text), *lines), to, requests, values)


def _response(
    now: Conversation, turn: Turn, text: str, values: Mapping[str, Fraction], requests: tuple[str, ...],
    reply: tuple[Line, ...], at_once: bool,
) -> Exchange:  # fmt: skip
    whole = "\n\n".join((*now.responses.get(turn.id, ()), text))
    variant = now.variant
    score = variant.score(whole)
    if score.outcome is Outcome.UNREADABLE and at_once:
        how = f"I can't read that as an answer: {' '.join(score.say)}"
        return Exchange(turn.id, text, "unreadable", (*reply, Line("interviewer", how, turn.id, "unreadable")), turn.id)
    known = {**now.values, **values}
    noted = _noted(now.case, turn, {k: v for k, v in values.items() if now.values.get(k) != v})
    heard_so_far = (*now.requests, *requests)
    if at_once:
        for number, branch in enumerate(turn.branches):
            free = (turn.id, number) not in now.taken
            if free and holds(branch.condition, variant, whole, score, known, heard_so_far):
                line = Line("interviewer", filled(branch.say, known, now.case), turn.id, why(branch))
                spoken = (*reply, *noted, *((line,) if branch.say else ()))
                lines, to = ((), turn.id) if branch.again else _onward(now, turn, "", branch.then)
                return Exchange(turn.id, text, "response", (*spoken, *lines), to, requests, values, branch=number)
        probe = _probe(now, turn, variant, score)
        if probe is not None:
            line, criterion = probe
            return Exchange(turn.id, text, "response", (*reply, *noted, line), turn.id, requests, values, criterion)
    lines, to = _onward(now, turn, "" if at_once else OVER, box_over=not at_once)
    return Exchange(turn.id, text, "response", (*reply, *noted, *lines), to, requests, values)


def holds(
    condition: BranchCondition | None, variant: Variant, text: str, score: Score, values: Mapping[str, Fraction],
    requests: tuple[str, ...],
) -> bool:  # fmt: skip
    """Whether a branch is taken: everything that its condition gives holds."""
    if condition is None:
        return True
    return (
        _marked(condition, score)
        and all(bound.holds(values) for bound in condition.values)
        and values.keys().isdisjoint(condition.unsaid)
        and set(requests).issuperset(condition.requested)
        and set(requests).isdisjoint(condition.unasked)
        and (not condition.outcomes or score.outcome in condition.outcomes)
        and _within(condition, variant, text)
    )


def _marked(condition: BranchCondition, score: Score) -> bool:
    """Whether the marks are as the condition gives them."""
    met = {mark.criterion for mark in score.marks if mark.status in MET}
    contradicted = {mark.criterion for mark in score.marks if mark.status in ("contradicted", "negated")}
    return (
        met.issuperset(condition.met)
        and met.isdisjoint(condition.unmet)
        and contradicted.issuperset(condition.contradicted)
    )


def _within(condition: BranchCondition, variant: Variant, text: str) -> bool:
    """Whether the number in `text` lies below and above what the condition gives; true where it gives nothing."""
    if condition.below is None and condition.above is None:
        return True
    amount = variant.amount(text)
    if amount is None:
        return False
    return (condition.below is None or amount < condition.below) and (
        condition.above is None or amount > condition.above
    )


def filled(text: str, values: Mapping[str, Fraction], case: Case) -> str:
    """A text with {tp} and its like filled by the numbers committed, else by the usual ones."""
    known = {c.id: Fraction(c.usual) for c in case.commitments} | dict(values)
    return re.sub(r"\{(\w+)\}", lambda m: shown_points(known[m[1]]) if m[1] in known else m[0], text)


def _probe(now: Conversation, turn: Turn, variant: Variant, score: Score) -> tuple[Line, str] | None:
    """The question on the heaviest criterion that is open and not yet probed; contradicted ones first."""
    before = now.probes.get(turn.id, ())
    if len(before) >= PROBES:
        return None
    free = [m for m in score.marks if m.possible > 0 and m.criterion not in before and variant.probe(m.criterion)]
    open_ones = [m for m in free if m.status not in MET]
    if not open_ones:
        return None
    chosen = max(open_ones, key=lambda m: (m.status == "contradicted", m.possible - m.earned))
    text = variant.probe(chosen.criterion)
    return Line("interviewer", text, turn.id, _open_because(chosen)), chosen.criterion


def _open_because(mark: Mark) -> str:
    name = mark.criterion.replace("-", " ")
    return {
        "contradicted": f"what you said contradicts “{name}”",
        "negated": f"you denied “{name}”",
        "partial": f"“{name}” was only half there",
    }.get(mark.status, f"“{name}” was not heard")


def _requests_in(now: Conversation, text: str) -> tuple[str, ...]:
    """Facts that a text asks for; a question sounds hedged or denied, and asks all the same."""
    listener = now.case.listener
    if listener is None or not text.strip():
        return ()
    marks = listener.draw(Stream(listener.id, now.seed)).score(text).marks
    heard_in = {m.criterion for m in marks if m.status in ("found", "hedged", "negated")}
    return tuple(f.id for f in now.case.facts if f.id in heard_in)


def _fact_lines(now: Conversation, requests: tuple[str, ...], text: str) -> tuple[Line, ...]:
    """The facts that a text asks for; and that there is none to a question, be it beside others."""
    facts = {f.id: f.say for f in now.case.facts} | dict(now.changed)
    none = "no fact of the case is asked for"
    if not requests:
        granted = any(_MAY_I.match(question) for question in _QUESTION.findall(text))
        return (Line("interviewer", GRANTED if granted else UNKNOWN, now.turn, "you asked leave" if granted else none),)
    reply = [Line("interviewer", facts[name], now.turn, f"you asked for “{name}”") for name in requests]
    rest = [q.strip() for q in _QUESTION.findall(text) if _ASKS.match(q) and not _requests_in(now, q)]
    reply += [Line("interviewer", f"“{question}” {UNKNOWN}", now.turn, none) for question in rest]
    return tuple(reply)


def _noted(case: Case, turn: Turn, values: Mapping[str, Fraction]) -> tuple[Line, ...]:
    if not values:
        return ()
    return (Line("interviewer", f"I note {', '.join(_shown(case, values))}.", turn.id, "you committed to numbers"),)


def _shown(case: Case, values: Mapping[str, Fraction]) -> list[str]:
    return [one.shown(values[one.id]) for one in case.commitments if one.id in values]


def _onward(
    now: Conversation, turn: Turn, why: str, then: str = "", box_over: bool = False
) -> tuple[tuple[Line, ...], str]:
    """What is said on leaving a turn, and the turn that comes next (empty: the case is over). With
    `box_over` the rest of the phase is left as well."""
    lines = (Line("interviewer", turn.leave, turn.id, why or "the turn is done"),) if turn.leave else ()
    following = now.case.turn(then) if then else now.case.after(turn.id)
    while box_over and following is not None and following.phase == turn.phase:
        following = now.case.after(following.id)
    return lines, following.id if following is not None else ""


def _entered(now: Conversation, turn: Turn, why: str) -> Conversation:
    """A turn begun: its question said, with the numbers that it stands on, its facts replaced."""
    known = {c.id: Fraction(c.usual) for c in now.case.commitments} | dict(now.values)
    own = turn.item.draw(Stream(turn.item.id, now.seed)).drawn()
    drawn = {name: shown_points(known[name]) for name in own if name in known}
    assumed = _shown(now.case, {n: known[n] for n in drawn if n not in now.values})
    ask = filled(turn.ask, now.values, now.case)
    text = f"Take {', '.join(assumed)}. {ask}" if assumed else ask
    because = why or ("a branch led here" if turn.branched else "the next turn")
    line = Line("interviewer", text, turn.id, because)
    return replace(
        now, turn=turn.id, lines=(*now.lines, line), drawn={**now.drawn, turn.id: drawn},
        changed={**now.changed, **turn.change},
    )  # fmt: skip


def why(branch: Branch) -> str:
    """The rule of a branch in words, for the debrief."""
    c = branch.condition
    if c is None:
        return "nothing else applied"
    parts = [f"“{n.replace('-', ' ')}” was met" for n in c.met]
    parts += [f"“{n.replace('-', ' ')}” was left out" for n in c.unmet]
    parts += [f"what you said contradicts “{n.replace('-', ' ')}”" for n in c.contradicted]
    parts += [f"you said {b.name.upper()} {b.relation} {b.number}" for b in c.values]
    parts += [f"you gave no {n.upper()}" for n in c.unsaid]
    parts += [f"you asked for “{n}”" for n in c.requested]
    parts += [f"you never asked for “{n}”" for n in c.unasked]
    parts += [f"your number is below {c.below}"] if c.below is not None else []
    parts += [f"your number is above {c.above}"] if c.above is not None else []
    parts += [f"the answer was {' or '.join(c.outcomes)}"] if c.outcomes else []
    return ", ".join(parts)
