"""Runs an exporter: draws the variants, lists what the format cannot hold, and returns the bytes."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from quizgen import markdown
from quizgen.draw import Stream
from quizgen.inline import Image
from quizgen.interchange.contract import ExportContext, Exporter
from quizgen.interchange.html_text import ExportPage
from quizgen.model import Item
from quizgen.page import Picture, walk_blocks
from quizgen.portable_item import Plain
from quizgen.render.figures import UnusableFigure, image_data_url


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """The file as bytes, its number of variants, and `losses`, one line for each item that lost something. `beside` has
    the figures that the file refers to, by their path from the file's folder."""

    data: bytes
    count: int
    losses: tuple[str, ...]
    beside: Mapping[str, bytes] = field(default_factory=dict)


def export(items: Iterable[Item], exporter: Exporter, context: ExportContext, drawings: int = 1) -> ExportedFile:
    """Exports each item in up to `drawings` variants. The same arguments give the same bytes."""
    taken: list[Plain] = []
    losses: list[str] = []
    beside: dict[str, bytes] = {}
    for item in items:
        for plain in plain_variants(item, drawings):
            why = plain if isinstance(plain, str) else _unusable_figure(plain, context.root) or exporter.refuses(plain)
            if isinstance(plain, str) or why:
                name = item.id if isinstance(plain, str) else plain.name
                losses.append(f"{name}: left out: {why}")
                continue
            if exporter.figures_beside:
                try:
                    plain, figures = _figures_as_files(plain, context.root)
                except UnusableFigure as bad:
                    losses.append(f"{plain.name}: left out: the image {bad}")
                    continue
                beside |= figures
            taken.append(plain)
            lost = [name for name in plain.held() if name not in exporter.carries]
            if lost:
                losses.append(f"{plain.name}: not carried: {', '.join(lost)}")
    out = io.BytesIO()
    exporter.write(taken, context, out)
    return ExportedFile(out.getvalue(), len(taken), tuple(losses), beside)


def plain_variants(item: Item, drawings: int) -> Iterator[Plain | str]:
    """Yields the item in its format-neutral form for the seeds 1, 2, …, without repeated drawings; or the reason why it
    has no such form."""
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


def _unusable_figure(plain: Plain, root: str) -> str:
    """The reasons why figures of a variant cannot be embedded, from the folder `root`; empty if there are none."""
    found: list[str] = []
    ExportPage(root, found.append).blocks((*plain.prompt, *plain.worked))
    return "; ".join(found)


def _figures_as_files(plain: Plain, root: str) -> tuple[Plain, dict[str, bytes]]:
    """The variant with each figure replaced by the path of a file, and these files by path. Images of the bank's folder
    `root` keep their paths; drawn figures are `ID.figure-1.svg` below the stem. Raises UnusableFigure."""
    options = (text for option in plain.options for text in (option.text, option.because))
    texts = (plain.stem, plain.rationale, plain.model_answer, *options)
    pieces = walk_blocks(tuple(map(markdown.markdown_blocks, texts)))
    paths = [piece.path for piece in pieces if isinstance(piece, Image)]
    files = {path: base64.b64decode(image_data_url(root, path).partition(",")[2]) for path in paths}
    stem = plain.stem
    for number, drawn in enumerate((p for p in walk_blocks(plain.prompt) if isinstance(p, Picture)), 1):
        path = f"{plain.name}.figure-{number}.svg"
        files[path] = drawn.svg.encode("utf-8")
        alt = re.sub(r"[\\\[\]]", r"\\\g<0>", " ".join(drawn.alt.split()))
        stem += f"\n\n![{alt}]({path})"
    return replace(plain, stem=stem), files
