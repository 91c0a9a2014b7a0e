"""What the preview shows, as JSON: the list of items, one item in one drawing, the marks of a response."""

from __future__ import annotations

from typing import Any

from quizgen.blocks import Options
from quizgen.model import Item, Variant
from quizgen.preview.watch import BankState, problems_of
from quizgen.render.html import AreaPlace, Html
from quizgen.render.remarks import cut
from quizgen.scoring import score_fields
from quizgen.source import Problem, printable

MOST = 10_000  # drawings that a slider goes through
ORDERS = 24  # orders of options that it goes through
PROBLEMS = 50  # shown of one bank
LINES = 6  # of a text response


def overview(edition: BankState) -> dict[str, Any]:
    """The items in file order, each with its number of problems, and the problems of the structure."""
    loaded = edition.loaded
    items = list(loaded.bank.items.values()) if loaded.bank is not None else []
    told = [p for p in loaded.problems if p.severity != "warning"]
    return {
        "stamp": edition.stamp,
        "title": loaded.bank.title if loaded.bank is not None else str(edition.root),
        "items": [{"id": i.id, "kind": i.kind, "topic": i.topic, "status": i.status} for i in items],
        "faulty": sorted({p.item for p in told if p.item}),
        "problems": _problems([(p, "") for p in loaded.problems]),
    }


def item_view(edition: BankState, name: str, number: int) -> dict[str, Any] | None:
    """One item in its drawing `number`: what a candidate sees, and what an author reads. None: no such item."""
    item = _item(edition, name)
    if item is None:
        problems = [pair for pair in problems_of(edition, None) if pair[0].item == name]
        return {"id": name, "problems": _problems(problems), "drawings": 0} if problems else None
    variant = item.nth(number)
    html = Html(str(edition.root))
    prompt = variant.prompt()
    own = [pair for pair in problems_of(edition, item) if pair[0].item in (item.id, "")]
    return {
        "id": item.id,
        "about": f"{item.kind}, {item.topic or 'no topic'}, difficulty {item.difficulty or '-'}, {item.seconds} s, "
        f"{float(item.points):g} point{'' if item.points == 1 else 's'}, {item.status}",
        "drawings": drawings(item),
        "drawn": dict(variant.drawn()),
        "prompt": html.blocks(prompt, AreaPlace(1, LINES)),
        "letters": any(isinstance(block, Options) for block in prompt),
        "key": variant.key_text(),
        "solution": html.blocks(variant.solution()),
        "marking": html.blocks(variant.marking()),
        "hints": list(item.hints),
        "given": list(item.given),
        "source": item.source,
        "at": str(item.where),
        "problems": _problems(own),
    }


def score_view(edition: BankState, name: str, number: int, response: str) -> dict[str, Any] | None:
    """The marks of a response, with the response cut into pieces, evidence or not. None: no such item."""
    item = _item(edition, name)
    if item is None:
        return None
    variant = item.nth(number)
    score = variant.score(response)
    echo = variant.echo(response).text
    return {**score_fields(item.id, score), "echo": echo, "pieces": cut(response, score.marks)}


def drawings(item: Item) -> int:
    """How many drawings a slider goes through: all of a numeric item's, some orders of options, else one."""
    total = item.coverage().total
    return min(total, MOST) if total > 1 else ORDERS if _ordered(item.nth(0)) else 1


def _ordered(variant: Variant) -> bool:
    return bool(variant.order())


def _item(edition: BankState, name: str) -> Item | None:
    bank = edition.loaded.bank
    return bank.items.get(name) if bank is not None else None


def _problems(found: list[tuple[Problem, str]]) -> list[dict[str, str]]:
    return [
        {
            "severity": problem.severity,
            "at": f"{problem.where.path}:{problem.where.line}:{problem.where.column}",
            "item": problem.item,
            "message": printable(problem.message),
            "hint": printable(problem.hint),
            "excerpt": printable(excerpt),
        }
        for problem, excerpt in found[:PROBLEMS]
    ]
