"""The driver of exporters: which variants go out, what of them a format does not hold, the bytes."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from quizgen.draw import Stream
from quizgen.interchange.contract import About, Exporter
from quizgen.interchange.html_text import ExportPage
from quizgen.model import Item
from quizgen.portable_item import Plain


@dataclass(frozen=True, slots=True)
class Exported:
    """The file's bytes, how many variants are in it, and what is not: one line per item."""

    data: bytes
    count: int
    losses: tuple[str, ...]


def export(items: Iterable[Item], exporter: Exporter, about: About, drawings: int = 1) -> Exported:
    """Every item in up to `drawings` variants. The same arguments give the same bytes."""
    taken: list[Plain] = []
    losses: list[str] = []
    for item in items:
        for plain in variants(item, drawings):
            why = plain if isinstance(plain, str) else _bad_figure(plain, about.root) or exporter.refuses(plain)
            if isinstance(plain, str) or why:
                name = item.id if isinstance(plain, str) else plain.name
                losses.append(f"{name}: left out: {why}")
                continue
            taken.append(plain)
            lost = [name for name in plain.held() if name not in exporter.carries]
            if lost:
                losses.append(f"{plain.name}: not carried: {', '.join(lost)}")
    out = io.BytesIO()
    exporter.write(taken, about, out)
    return Exported(out.getvalue(), len(taken), tuple(losses))


def variants(item: Item, drawings: int) -> Iterator[Plain | str]:
    """The neutral forms of seeds 1, 2, …, each drawing once; a text says why there is none."""
    if not item.complete:
        yield "a draft that lacks its key or rubric"
        return
    seen: list[object] = []
    for seed in range(1, drawings + 1):
        plain = item.draw(Stream(item.id, str(seed))).plain()
        if plain is None:
            yield "this drawing has no key, or its kind no neutral form"
            continue
        if plain.drawn in seen:
            continue
        seen.append(plain.drawn)
        yield replace(plain, variant=str(seed)) if plain.drawn and drawings > 1 else plain


def _bad_figure(plain: Plain, root: str) -> str:
    found: list[str] = []
    ExportPage(root, found.append).blocks((*plain.prompt, *plain.worked))
    return "; ".join(found)
