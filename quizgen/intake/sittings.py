"""How an exam was sat, by its answers files and sheets; and who was expected, by manifest and roster."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from typing import Any

from quizgen.analysis.attendance import ExamSitting, Expected
from quizgen.intake.exams import Manifest, checksum_of, is_answers, parse_file, who_of
from quizgen.intake.lines import Damaged, seconds_of
from quizgen.intake.sheets import sheet
from quizgen.intake.tables import is_table
from quizgen.roster import Candidate
from quizgen.sheet_layout import UNREAD

EMPTY_ROW = "the row is empty: take it out if nothing was handed in"


def listed(manifest: Manifest, roster: Sequence[Candidate]) -> Manifest:
    """The manifest with another roster in the place of its own; forms and numbers dealt stay as they were."""
    people: dict[str, Mapping[str, Any]] = {}
    for who in roster:
        dealt = manifest.people.get(who.id or who.name, {})
        form = manifest.form(who.form) if who.form else None
        minutes = manifest.minutes and float(who.minutes(Fraction(str(manifest.minutes))))
        people[who.id or who.name] = {
            "number": dealt.get("number", who.number),
            "id": who.id,
            "name": who.name,
            "code": form["code"] if form else dealt.get("code", ""),
            "minutes": minutes,
            "email": who.email,
        }
    return replace(manifest, people=people)


def expected(manifest: Manifest) -> tuple[Expected, ...]:
    return tuple(
        Expected(
            int(one.get("number") or place),
            str(one.get("id") or ""),
            str(one.get("name") or ""),
            str(one.get("code") or ""),
            one.get("minutes"),
            str(one.get("email") or ""),
        )
        for place, one in enumerate(manifest.people.values(), 1)
    )


def sittings(files: Iterable[str], sheets: Iterable[str], manifest: Manifest) -> Iterator[ExamSitting]:
    """Every sitting that the sources tell of; a damaged file tells of none and is named when it is scored."""
    for name in files:
        if is_answers(name):
            try:
                yield _screen(name, parse_file(name), manifest)
            except Damaged:
                continue
    for name in (*(f for f in files if is_table(f)), *sheets):
        rows: dict[str, tuple[str, list[tuple[int, str]]]] = {}
        filled: set[str] = set()
        for text in (sheet(name, manifest).data or b"").splitlines():
            line = json.loads(text)
            if line["type"] == "session":
                rows[line["session"]] = (line["candidate"], [])
            elif line["response"]:
                filled.add(line["session"])
            if line.get("response") == UNREAD:
                form = manifest.form(line["session"].partition("/")[0]) or {"items": ()}
                number = next(int(item["n"]) for item in form["items"] if item["item"] == line["item"])
                rows[line["session"]][1].append((number, line["item"]))
        for session, (who, left) in rows.items():
            faults = () if session in filled else (EMPTY_ROW,)
            yield ExamSitting(name, who, session.partition("/")[0], paper=True, unread=tuple(left), faults=faults)


def _screen(name: str, found: dict[str, Any], manifest: Manifest) -> ExamSitting:
    form = manifest.form(str(found.get("form")))
    refs = {str(item["ref"]): item for item in form["items"]} if form else {}
    responses = found.get("responses")
    given = [one for one in responses if isinstance(one, dict)] if isinstance(responses, list) else []
    events = [one for one in found.get("events") or () if isinstance(one, dict)]

    def spent(event: str, sign: int = 1) -> float:
        values = (one.get("seconds") for one in events if one.get("event") == event)
        return round(sum(max(0.0, sign * v) for v in values if isinstance(v, int | float)), 1)

    faults = []
    if found.get("checksum") != checksum_of(found):
        faults.append("the checksum is wrong: damaged or edited after it was saved")
    if form and any(str(one.get("item")) not in refs for one in given):
        faults.append("responses to items that are not on the form")
    begun = [refs.get(str(one.get("item"))) for one in given if one.get("late") and not one.get("at_deadline", True)]
    changed = [at for one in given if one.get("changes") != 0 and (at := _time(one.get("at"))) is not None]
    minutes = found.get("minutes")
    return ExamSitting(
        name,
        who_of(found, manifest),
        str(form["code"]) if form else "",
        practice=found.get("edition") == "practice",
        started=_time(found.get("started")),
        finished=_time(found.get("finished")),
        deadline=_time(found.get("deadline")),
        minutes=minutes if isinstance(minutes, int | float) else None,
        changed=max(changed, default=None),
        away=spent("away"),
        back=spent("clock", -1),
        closed=spent("restore"),
        restores=sum(one.get("event") == "restore" for one in events),
        cleared=any(one.get("event") == "cleared" for one in events),
        revision=found["revision"] if isinstance(found.get("revision"), int) else 0,
        responses=sha256(
            json.dumps([found.get("responses"), found.get("finished")], sort_keys=True).encode()
        ).hexdigest(),
        kept=all("at_deadline" in one for one in given if one.get("late")),
        begun=tuple((int(item["n"]), str(item["item"])) for item in begun if item),
        faults=tuple(faults),
        timed=not {"started", "finished", "deadline"}.isdisjoint(found),
    )


def _time(value: object) -> float | None:
    try:
        return seconds_of(value) if isinstance(value, str) else None
    except ValueError:
        return None
