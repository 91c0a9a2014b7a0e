"""The manifest: what the instructor keeps to score answers files and paper, one form a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from quizgen.blocks import Options
from quizgen.exam import Exam, points_number
from quizgen.model import Entry, Form
from quizgen.render.edition import Edition
from quizgen.roster import Candidate


def head(exam: Exam, edition: Edition, minutes: float, candidates: Iterable[dict[str, Any]]) -> str:
    """The manifest up to its list of forms, which follow one a line."""
    blueprint = exam.blueprint
    about = {
        "v": 1,
        "type": "manifest",
        "title": blueprint.title or exam.bank.title,
        "bank": exam.bank.name,
        "digest": exam.bank.digest,
        "blueprint": blueprint.name,
        "seed": exam.seed,
        "exam": exam.code,
        "minutes": minutes,
        "limit": edition.limit,
        "pass": None if blueprint.pass_share is None else points_number(blueprint.pass_share),
        "bands": [{"from": points_number(b.start), "name": b.name, "advice": b.advice} for b in blueprint.bands],
    }
    lines = ",\n".join(f"{_json(key)}: {_json(value)}" for key, value in about.items())
    people = ",\n".join(f"  {_json(person)}" for person in candidates)
    return f'{{\n{lines},\n"candidates": [{chr(10) + people + chr(10) if people else ""}],\n"forms": [\n'


def tail() -> str:
    return "\n]\n}\n"


def candidate(exam: Exam, who: Candidate, label: str, file: str, minutes: float) -> dict[str, Any]:
    return {
        "number": who.number,
        "id": who.id,
        "name": who.name,
        "form": label,
        "code": exam.form_code(label),
        "file": file,
        "minutes": minutes,
    }


def form_line(exam: Exam, form: Form, label: str) -> str:
    """One form as one line of JSON."""
    about = {
        "form": label,
        "code": form.code,
        "seed": form.seed,
        "minutes": points_number(form.minutes),
        "possible": points_number(form.possible),
        "sections": [s.title for s in form.sections],
        "items": list(_items(exam, form, label)),
    }
    return _json(about)


def _items(exam: Exam, form: Form, label: str) -> Iterator[dict[str, Any]]:
    for number, entry in enumerate(form.entries, 1):
        yield _item(number, entry, exam.ref(label, entry.variant.item.id))


def _item(number: int, entry: Entry, ref: str) -> dict[str, Any]:
    variant = entry.variant
    shown: dict[str, Any] = {
        "n": number,
        "ref": ref,
        "item": variant.item.id,
        "kind": variant.item.kind,
        "section": entry.section,
        "points": points_number(entry.possible),
        "given": dict(variant.drawn()),
    }
    area = next((b for b in variant.prompt() if isinstance(b, Options)), None)
    if area is not None:
        shown["options"] = [o.text for o in area.options]
        shown["several"] = area.several
    shown["key"] = variant.key_text()
    return shown


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
