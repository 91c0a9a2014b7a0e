"""What `quizgen check` finds in a case: turns nobody reaches, loops, model answers that draw a probe."""

from __future__ import annotations

from collections.abc import Iterator

from quizgen.cases.case import MET_MARK_STATUSES, OPEN_TURN_KIND, Case, Turn
from quizgen.draw import SeededRng
from quizgen.source.problems import Problem


def case_problems(case: Case) -> Iterator[Problem]:
    """Yields the problems and warnings of a case, and those of the items behind its turns."""
    led = {b.next_turn_id for t in case.turns for b in t.branches}
    for turn in case.turns:
        if turn.is_branch_only and turn.id not in led:
            hint = "name it in a `then:`, or drop `only:`"
            yield _turn_problem(case, turn, f'no branch leads to turn "{turn.id}"', hint)
        yield from _branch_problems(case, turn)
        yield from _answer_and_signal_problems(case, turn)
    for phase in case.phases:
        if not any(t.phase_id == phase.id and not t.is_branch_only for t in case.turns):
            yield Problem(case.where, f'phase "{phase.id}" has no turn of its own', "give it one", case.id, "warning")
    for turn in case.turns:
        yield from (p for p in turn.item.prove() if p.severity != "warning")


def _branch_problems(case: Case, turn: Turn) -> Iterator[Problem]:
    """Yields problems of branches that lead back, say nothing or hide another branch."""
    turn_ids = [t.id for t in case.turns]
    for branch in turn.branches:
        if branch.next_turn_id and turn_ids.index(branch.next_turn_id) <= turn_ids.index(turn.id):
            hint = "a conversation only goes on: name a later turn"
            yield _turn_problem(case, turn, f'a branch of "{turn.id}" leads back to "{branch.next_turn_id}"', hint)
        if branch.stays_in_turn and not branch.interviewer_text:
            yield _turn_problem(case, turn, f'a branch of "{turn.id}" stays and says nothing', "add `say:`")
    for number, branch in enumerate(turn.branches[:-1]):
        if branch.condition is None:
            n = len(turn.branches) - number - 1
            yield _turn_problem(case, turn, f"`otherwise` hides {n} branches behind it", "put it last")


def _answer_and_signal_problems(case: Case, turn: Turn) -> Iterator[Problem]:
    """Yields warnings of criteria without a signal, and of those that the strong answer does not meet, so that it draws
    a probe."""
    variant = turn.item.draw(SeededRng(turn.item.id, ""))
    criteria = [mark.criterion for mark in variant.score("").marks if mark.possible > 0]
    for name in criteria if case.title_by_signal else ():
        if not (turn.signal_by_criterion.get(name) or turn.signal_by_criterion.get("")):
            hint = f"add `signal:` with one of {', '.join(case.title_by_signal)}"
            yield _turn_problem(case, turn, f'"{turn.id}" has no signal for "{name}"', hint, "warning")
    if not turn.model_answer:
        if turn.kind in ("text", OPEN_TURN_KIND):
            hint = "add `model_answer:`: what a strong candidate would have said"
            yield _turn_problem(case, turn, f'turn "{turn.id}" has no model answer', hint, "warning")
        return
    score = variant.score(turn.model_answer)
    if turn.candidate_asks and score.earned >= score.possible:
        return  # a case need not ask for every fact
    for mark in score.marks:
        if mark.possible > 0 and mark.status not in MET_MARK_STATUSES:
            why = f'the model answer of "{turn.id}" does not meet "{mark.criterion}": {mark.because}'
            yield _turn_problem(case, turn, why, "fix the phrases, or the answer", "warning")


def _turn_problem(case: Case, turn: Turn, message: str, hint: str, severity: str = "failure") -> Problem:
    return Problem(turn.where, message, hint, f"{case.id}.{turn.id}", severity)
