"""The manifest: what the instructor keeps to score answers files and paper, one form a line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from quizgen.blocks import Options
from quizgen.exam import Exam, points_number
from quizgen.render.edition import Edition
from quizgen.render.layout import Layout, Placed
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
    if exam.anchors:
        about["anchors"] = list(exam.anchors)
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
        **({"email": who.email} if who.email else {}),
    }


def form_line(layout: Layout) -> str:
    """One form as one line of JSON."""
    form = layout.form
    about = {
        "form": layout.label,
        "code": form.code,
        "seed": form.seed,
        "minutes": points_number(form.minutes),
        "possible": points_number(form.possible),
        "sections": [s.title for s in form.sections],
        "items": [_item(placed) for placed in layout.placed],
    }
    return _json(about)


def _item(placed: Placed) -> dict[str, Any]:
    variant = placed.entry.variant
    shown: dict[str, Any] = {
        "n": placed.number,
        "ref": placed.ref,
        "item": variant.item.id,
        "kind": variant.item.kind,
        "section": placed.entry.section,
        "points": points_number(placed.entry.possible),
        "given": dict(variant.drawn()),
    }
    if isinstance(placed.area, Options):
        shown["options"] = [o.text for o in placed.area.options]
        shown["several"] = placed.area.several
    if variant.item.after:
        shown["after"] = variant.item.after
    shown["key"] = placed.key
    return shown


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
