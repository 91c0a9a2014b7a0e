"""The debrief and the feedback of one item as lines of text."""

from __future__ import annotations

from quizgen.interview import Place, result
from quizgen.model import Mark, Outcome, Score
from quizgen.render.debrief import Debrief, Result, outcome_word, percent, shown_points
from quizgen.render.text import PLAIN, Look, clean, lines, width_of, wrap

ENDINGS = {
    "finished": "All items met.",
    "time": "Time was over.",
    "quit": "Ended by you.",
    "end-of-input": "The input ended.",
}
BAR = 20


def debrief_lines(debrief: Debrief, width: int = 80, look: Look = PLAIN) -> list[str]:
    """The whole debrief: summary first, then each item that was not full, then what to redo."""
    parts = [
        _summary(debrief, width),
        _overview(debrief, width),
        _topics(debrief, width),
        _pace(debrief, width),
        _calibration(debrief, width),
        *(_item(r, width, look) for r in debrief.results if r.reached),
        _redo(debrief, width),
    ]
    shown: list[str] = []
    for part in parts:
        if part:
            shown += ([""] if shown else []) + part
    return shown


def summary_lines(debrief: Debrief, width: int = 80) -> list[str]:
    """The result in a few lines: score, band, what to redo."""
    return [*_summary(debrief, width)[2:], *_redo(debrief, width)]


def feedback_lines(place: Place, width: int = 80, look: Look = PLAIN) -> list[str]:
    """What practice shows after a response: outcome, marks, reason and solution."""
    score = result(place)
    word = score.outcome.value
    head = f"{word[0].upper()}{word[1:]}: {shown_points(score.earned)} of {shown_points(place.entry.possible)}."
    shown = [head, *mark_lines(score, place.response if isinstance(place.response, str) else "", width)]
    shown += [line for text in score.say for line in wrap(text, width)]
    return [*shown, "", *lines(place.entry.variant.solution(), width, look)]


def mark_lines(score: Score, response: str, width: int) -> list[str]:
    """A table of criteria: sign, criterion, points, the candidate's own words, and why."""
    marks = score.marks
    if len(marks) == 1 and not marks[0].evidence:
        return []
    shown = []
    room = max(width_of(clean(m.criterion)) for m in marks)
    for mark in marks:
        points = f"{shown_points(mark.earned)}/{shown_points(mark.possible)}" if mark.possible else _signed(mark)
        head = f"{sign(mark)} {clean(mark.criterion):<{min(room, width // 3)}} {points:>5}  "
        quoted = [response[a:b] for a, b in mark.evidence]
        words = " … ".join(" ".join(q.split()) for q in quoted if q.strip())
        text = f"“{words}” - {mark.because}" if words else mark.because
        shown += wrap(text, width, " " * min(len(head), width // 3), head)
    return shown


def sign(mark: Mark) -> str:
    """One character that does not depend on colour."""
    if mark.status == "contradicted" or mark.earned < 0:
        return "x"
    if mark.possible and mark.earned >= mark.possible:
        return "+"
    return "~" if mark.earned > 0 else "-"


def _signed(mark: Mark) -> str:
    return f"{shown_points(mark.earned)}" if mark.earned else "0"


def _summary(debrief: Debrief, width: int) -> list[str]:
    shown = [f"Debrief: {clean(debrief.title)}", "=" * min(width, 40)]
    score = f"{shown_points(debrief.earned)} of {shown_points(debrief.possible)} points ({percent(debrief.share)})"
    verdict = "" if debrief.passed is None else " - passed" if debrief.passed else " - not passed"
    if debrief.pass_share is not None:
        verdict += f" (pass mark {percent(debrief.pass_share)})"
    shown += wrap(f"Score: {score}{verdict}", width)
    if debrief.band is not None:
        advice = f". {debrief.band.advice}" if debrief.band.advice else ""
        shown += wrap(f"Band: {debrief.band.name}{advice}", width)
    ending = ENDINGS.get(debrief.reason, debrief.reason)
    unreached = debrief.unreached
    if unreached:
        lost = shown_points(sum((r.possible for r in unreached), start=debrief.earned * 0))
        ending += f" {len(unreached)} of {len(debrief.results)} items were not reached ({lost} points)."
    return shown + wrap(ending, width)


def _overview(debrief: Debrief, width: int) -> list[str]:
    """One line an item; `!` marks one that went over its own time."""
    shown = []
    for r in debrief.results:
        earned = f"{shown_points(r.score.earned)}/{shown_points(r.possible)}"
        time = f"{_clock(r.place.seconds)}{'!' if r.place.late else ' '}" if r.reached else ""
        line = f"{r.number:>3}. {outcome_word(r):<11} {earned:>6} {time:>6} "
        shown += [line + part if n == 0 else f"     {part}" for n, part in enumerate(wrap(r.id, max(10, width - 30)))]
    return shown


def _topics(debrief: Debrief, width: int) -> list[str]:
    if len(debrief.topics) < 2:
        return []
    shown = ["By topic, the weakest first:"]
    room = max(width_of(clean(t.topic)) for t in debrief.topics)
    for topic in sorted(debrief.topics, key=lambda t: (t.share, t.topic)):
        bar = "#" * round(topic.share * BAR)
        name = clean(topic.topic)
        line = f"  {name}{' ' * (room - width_of(name))}  {percent(topic.share):>5} of {topic.items:<2} "
        shown.append(f"{line} [{bar:<{BAR}}]" if width_of(line) + BAR + 3 <= width else line.rstrip())
    return shown


def _pace(debrief: Debrief, width: int) -> list[str]:
    if not debrief.timed:
        return wrap(f"Time: {_clock(debrief.spent)}, untimed.", width)
    shown = wrap(f"Pace: {_clock(debrief.spent)} of {_clock(debrief.budget)} used.", width)
    for r in debrief.slowest:
        shown += wrap(f"{r.id}: {_clock(r.place.seconds)} where {_clock(r.budget)} was planned", width, "    ", "  ")
    if debrief.away >= 1:
        shown += wrap(f"Away for {_clock(debrief.away)}; not counted.", width)
    return shown


def _calibration(debrief: Debrief, width: int) -> list[str]:
    found = debrief.calibration
    if found is None:
        return []
    tendency = "about right" if abs(found.gap) < 0.1 else "too sure" if found.gap > 0 else "surer than you thought"
    items = f"{found.count} item{'s' * (found.count != 1)}"
    text = f"Calibration over {items}: you claimed {percent(found.claimed)}, earned {percent(found.earned)}"
    shown = wrap(f"{text}: {tendency}.", width)
    for r in debrief.confident_and_wrong:
        shown += wrap(f"confident and wrong: {r.number}. {r.id}", width, "    ", "  ")
    for r in debrief.unsure_and_right:
        shown += wrap(f"unsure and right: {r.number}. {r.id}", width, "    ", "  ")
    return shown


def _item(r: Result, width: int, look: Look) -> list[str]:
    variant = r.place.entry.variant
    item = variant.item
    earned = f"{shown_points(r.score.earned)} of {shown_points(r.possible)}"
    facts = [f"{outcome_word(r)}, {earned}", f"{_clock(r.place.seconds)} of {_clock(r.budget)}"]
    if r.place.paid:
        facts.append(f"{r.place.paid} hint{'s' * (r.place.paid != 1)}")
    if r.place.confidence is not None:
        facts.append(f"confidence {r.place.confidence}")
    if r.place.probed:
        facts.append("after a probe")
    head = f"--- {r.number}. {clean(item.id)} ({'; '.join(facts)})"
    shown = wrap(head, width, "    ", "")
    if r.full:
        return shown
    # The response area is left out: the solution shows the options again.
    shown += lines(variant.prompt()[:-1], width, look)
    if r.given.strip():
        read = r.score.read_as
        same = read is None or read == r.given or isinstance(r.place.response, tuple)
        shown += ["", *wrap(f"You: {r.given}" + ("" if same else f"  (read as {read})"), width, "     ", "")]
    marks = mark_lines(r.score, r.place.response if isinstance(r.place.response, str) else "", width)
    if marks:
        shown += ["", *marks]
    if r.score.outcome is not Outcome.BLANK:
        why = [line for text in r.score.say for line in wrap(text, width, "      ", "  Why: ")]
        shown += ["", *why] if why else []
    shown += ["", *lines(variant.solution(), width, look)]
    if r.place.scratch.strip():
        shown += ["", *wrap(f"Your notes: {r.place.scratch}", width, "  ", "")]
    if item.source:
        shown += wrap(f"Source: {item.source}", width, "  ", "")
    return shown


def _redo(debrief: Debrief, width: int) -> list[str]:
    shown = []
    if debrief.weak:
        shown += wrap(f"Work on: {', '.join(f'{t.topic} ({percent(t.share)})' for t in debrief.weak)}.", width)
    if debrief.redo:
        shown += wrap(f"Redo now: {', '.join(r.id for r in debrief.redo)}.", width)
    elif not debrief.unreached:
        shown.append("Nothing to redo: every item earned full points.")
    return shown


def _clock(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02}"
