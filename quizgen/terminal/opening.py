"""From what was asked on the command line to a sitting: a new session, or one that is resumed."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from quizgen import assemble, blueprint_filters, draw
from quizgen.interview import events
from quizgen.interview.session import Interview, Phase, Rules
from quizgen.interview.standing import next_open
from quizgen.log import drafts, records
from quizgen.log.journal import Journal
from quizgen.log.records import Identity, Logged
from quizgen.model import MAX_MINUTES, Bank, Blueprint, Entry, Form, Item, Section
from quizgen.source.problems import Unreadable, WrongUse, printable
from quizgen.terminal.clock import Clock
from quizgen.terminal.request import Wish
from quizgen.terminal.sitting import Sitting

if TYPE_CHECKING:
    from quizgen.scoring import Scorer

LATELY = 10  # sessions whose items a new one avoids
USUAL = 12  # items of a session over a bank without a blueprint
DEFAULT_BLUEPRINT = "readiness"


class CannotOpen(Unreadable):
    """The session cannot be gone on with; the message says why and what to do."""


def new_form(
    bank: Bank, blueprint: Blueprint | None, wish: Wish, lately: Collection[str] = (), again: tuple[str, ...] = ()
) -> Form:
    """The form of a new session; `again`: of these items alone, which were missed. Raises WrongUse where the bank
    does not hold what is wished."""
    course = wish.course
    if course is not None:
        plan = replace(assemble.mixed(), minutes=course.minutes)
        return assemble.reassemble(bank, plan, wish.seed or draw.fresh_seed(), course.items)
    _known(bank, wish)
    try:
        plan = _plan(bank, blueprint, wish, again)
        form = assemble.assemble(bank, plan, wish.seed or draw.fresh_seed(), avoid=lately if wish.seed is None else ())
    except assemble.CannotAssemble as error:
        raise WrongUse(str(error)) from None
    if not form.entries:
        raise WrongUse("the bank has no active item for this session; widen what is asked for")
    return form


def _plan(bank: Bank, blueprint: Blueprint | None, wish: Wish, missed: tuple[str, ...]) -> Blueprint:
    """The blueprint's own plan narrowed by what is wished. A bank without a blueprint gives of all it has."""
    plan = blueprint or bank.blueprints.get(DEFAULT_BLUEPRINT)
    if plan is None:
        plan = assemble.mixed(min(USUAL, sum(i.status == "active" for i in bank.items.values())))
    if missed:
        again = Section(wish.topics, wish.kinds, wish.difficulties)
        names = tuple(n for n in missed if assemble.admits(bank.items[n], again))
        if not names:
            raise WrongUse(f"no item{assemble.filters_text(again)} was missed; ask for less")
        section = Section(count=min(wish.items or len(names), len(names)), include=names)
        # A review, not an exam: nothing to pass, no band.
        return replace(assemble.mixed(), title="Review of what was missed", sections=(section,), minutes=wish.minutes)
    if blueprint is None and (wish.topics or wish.kinds or wish.difficulties):
        usual = sum(section.count or 0 for section in plan.sections) or USUAL
        plan = replace(plan, sections=(Section(count=usual if wish.items is None else None),))
    return blueprint_filters.narrowed(
        bank,
        plan,
        topics=wish.topics,
        kinds=wish.kinds,
        difficulties=wish.difficulties,
        count=wish.items,
        minutes=wish.minutes,
    )


def _known(bank: Bank, wish: Wish) -> None:
    """Raises WrongUse for a topic or kind that the bank does not have."""
    items = bank.items.values()
    told = blueprint_filters.unknown("topic", wish.topics, {i.topic for i in items if i.topic})
    told = told or blueprint_filters.unknown("kind", wish.kinds, {i.kind for i in items})
    if told:
        raise WrongUse(told)


def begin(form: Form, rules: Rules, who: Identity, bank: Bank, path: str, clock: Clock) -> Sitting:
    """A sitting on a new session, its log open and locked. Raises Unreadable, LogInUse, OSError."""
    journal = Journal(path)
    if journal.before.strip() and not any(line for _, line in records.read_lines(journal.before)):
        journal.close()
        raise Unreadable(f"{printable(path)} holds something that is no answer log; choose another file")
    session = events.new(form, rules)
    return Sitting(session, who, journal, clock, follow=follower(bank, form.seed), root=bank.root)


def resume(logged: Logged, bank: Bank, journal: Journal, clock: Clock, changed: bool = False) -> Sitting:
    """A sitting that goes on where a log ends. `changed` accepts a bank that is no longer the same.

    Raises CannotOpen where the items are gone or the bank has changed.
    """
    who = identity_of(logged.head)
    same_bank(who, bank, changed)
    if lost := gone(logged.head, bank):
        raise CannotOpen(f"the bank no longer has {', '.join(lost[:5])}; restore it to resume")
    session = recalled(logged, bank, drafts.load(journal.path, who.session))
    session = replace(session, phase=Phase.BRIEF, at=next_open(session, -1) or 0)
    who, follow = replace(who, digest=bank.digest), follower(bank, session.form.seed)
    return Sitting(session, who, journal, clock, follow=follow, resumed=True, root=bank.root)


def recalled(logged: Logged, bank: Bank, draft: drafts.Draft = drafts.NONE) -> Interview:
    """The session as its log, and what was typed since, left it, scored by the bank as it is today, without the items
    that it no longer has. Raises CannotOpen where that is all of them."""
    form = form_of(logged.head, bank)
    session = with_follow_ups(events.new(form, rules_of(logged.head)), logged, draft, bank, form.seed)
    last, claims = logged.last, records.disputes_of(logged)
    places = []
    for place in session.places:
        name = place.entry.variant.item.id
        if name in last:
            place = replace(records.place_of(place, last[name]), disputes=tuple(claims.get(name, {}).values()))
        if name in draft.places:
            place = drafts.apply(place, draft.places[name])
        places.append(place)
    used = max(logged.elapsed, draft.used)
    return replace(session, places=tuple(places), used=used, away=logged.away, phase=Phase.ENDED, reason=logged.reason)


def same_bank(who: Identity, bank: Bank, changed: bool) -> None:
    """Raises CannotOpen where the bank has changed and nobody accepts that."""
    if who.digest != bank.digest and not changed:
        raise CannotOpen(
            f"the bank {who.bank} has changed since this session began, so its items may differ; "
            "restore it, or accept the change with --changed-bank"
        )


def form_of(head: Mapping[str, object], bank: Bank) -> Form:
    """The form that a session line names: the same items in the same order, drawn from its seed."""
    names = head.get("items")
    seed = head.get("seed")
    if not isinstance(names, list) or not isinstance(seed, str) or not names:
        raise CannotOpen("the session's first line names no items or no seed; it cannot be resumed")
    lost = gone(head, bank)
    names = [name for name in names if name not in lost]
    if not names:
        raise CannotOpen(f"the bank no longer has {', '.join(lost[:5])}, nor anything else of the session; restore it")
    blueprint = bank.blueprints.get(str(head.get("blueprint", ""))) or assemble.mixed()
    form = assemble.reassemble(
        bank, replace(blueprint, minutes=_positive(head.get("minutes"), MAX_MINUTES)), seed, names
    )
    points = head.get("points")
    worth = points if isinstance(points, dict) else {}
    entries = tuple(replace(e, points=_positive(worth.get(e.variant.item.id), 1000)) for e in form.entries)
    return replace(form, entries=entries)


def gone(head: Mapping[str, object], bank: Bank) -> list[str]:
    """The items of a session that the bank no longer has."""
    names = head.get("items")
    return [str(name) for name in names if name not in bank.items] if isinstance(names, list) else []


def identity_of(head: Mapping[str, object]) -> Identity:
    return Identity(*(str(head.get(n, "")) for n in ("session", "candidate", "bank", "digest")))


def rules_of(head: Mapping[str, object]) -> Rules:
    multiplier = _positive(head.get("multiplier"), 100)
    return Rules(records.mode_of(head), head.get("untimed") is not True, float(multiplier or 1))


def fresh_session() -> str:
    return secrets.token_hex(8)


def follower(bank: Bank, seed: str) -> Callable[[str], Entry | None]:
    """Draws a follow-up item by its id."""

    def follow(name: str) -> Entry | None:
        item = bank.items.get(name)
        return None if item is None else Entry(assemble.variant_of(item, seed))

    return follow


def seen_lately(folder: Path) -> frozenset[str]:
    """Items of the latest sessions in a folder of logs."""
    try:
        logs = sorted(folder.glob("*.jsonl"), key=lambda p: (p.stat().st_mtime, p.name), reverse=True)[:LATELY]
        texts = [p.read_bytes() for p in logs]
    except OSError:
        return frozenset()
    return frozenset(str(r["item"]) for t in texts for s in records.read_sessions(t) for r in s.responses)


def missed(text: bytes, items: Mapping[str, Item]) -> tuple[str, ...]:
    """Items that a log's sessions or bare lines did not earn full points on, in their order."""
    from quizgen.scoring import Scorer  # most sessions redo nothing

    last: dict[str, Mapping[str, object]] = {}
    for _, line in records.read_lines(text):
        name = line.get("item") if line else None
        if line is not None and isinstance(name, str) and name in items and line.get("type", "response") == "response":
            last.pop(name, None)
            last[name] = line
    scorer = Scorer(items)
    return tuple(name for name, line in last.items() if not _was_full(scorer, items[name], line))


def _was_full(scorer: Scorer, item: Item, line: Mapping[str, object]) -> bool:
    from quizgen.scoring import NoVariant, score_response

    try:
        variant = scorer.of_line(item, line)
    except NoVariant:
        return False
    response = records.response_of(line.get("response"))
    score = score_response(variant, response, hints=records.hints_of(line.get("hints")))
    return score.earned >= score.possible


def new_log(folder: Path, at: str, session: str) -> str:
    """A path for a new log in the log folder, which is made (for its owner alone) where missing."""
    for parent in (*reversed(folder.parents), folder):
        if not parent.exists():
            parent.mkdir(mode=0o700, exist_ok=True)
    stamp = at.replace(":", "").replace("-", "")
    return os.path.join(folder, f"{stamp}-{session[:6]}.jsonl")


def with_follow_ups(session: Interview, logged: Logged, state: drafts.Draft, bank: Bank, seed: str) -> Interview:
    """Follow-ups that were put into the session: from the draft's order, else from the log's lines."""
    names = state.order or tuple(str(r["item"]) for r in logged.responses if r.get("follow_up") is True)
    follow = follower(bank, seed)
    for name in dict.fromkeys(names):
        entry = follow(name)
        if entry is not None:
            # Behind the item that brings it, as it was in the session.
            bringing = (i for i, p in enumerate(session.places) if name in p.entry.variant.item.follow_ups)
            session = events.follow_up(session, [entry], next(bringing, len(session.places) - 1))
    made = {p.entry.variant.item.id: p for p in session.places}
    if state.order and set(state.order) == set(made):
        return replace(session, places=tuple(made[n] for n in dict.fromkeys(state.order)))
    return session


def _positive(value: object, most: int) -> Fraction | None:
    """A number that a log holds; None for what is none, or out of reach."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= most:
        return None
    return Fraction(str(value))
