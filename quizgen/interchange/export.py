"""Runs an exporter: draws the variants, lists what the format cannot hold, and returns the bytes. Formats that are a
single text file are rendered from the templates in templates/interchange."""

from __future__ import annotations

import base64
import hashlib
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, BinaryIO

from quizgen import markdown
from quizgen.answer_areas import LETTERS
from quizgen.draw import SeededRng
from quizgen.inline import Image
from quizgen.interchange.contract import ExportContext, Exporter, load_interchange_toml
from quizgen.interchange.html_text import ExportHtmlWriter
from quizgen.interchange.import_drafts import tags_of_exported_item
from quizgen.model import Item
from quizgen.page import DrawnFigure, walk_page
from quizgen.portable_item import ChoiceOption, PortableItem, decimal
from quizgen.render.html import jinja_environment
from quizgen.render.images import UnusableImage, image_data_url


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """The file as bytes, its number of variants, and `loss_messages`, one line for each item that lost something.
    `figure_bytes_by_path` has the figures that the file refers to, by their path from the file's folder."""

    file_bytes: bytes
    variant_count: int
    loss_messages: tuple[str, ...]
    figure_bytes_by_path: Mapping[str, bytes] = field(default_factory=dict)


def export_items(items: Iterable[Item], exporter: Exporter, context: ExportContext, max_variants: int) -> ExportedFile:
    """Exports each item in up to `max_variants` variants. The same arguments give the same bytes."""
    variants: list[PortableItem] = []
    losses: list[str] = []
    figure_files: dict[str, bytes] = {}
    for item in items:
        for variant in portable_variants_or_reasons(item, max_variants):
            if isinstance(variant, str):
                losses.append(f"{item.id}: left out: {variant}")
                continue
            figure_faults: list[str] = []  # the figures that cannot be read, each with the reason
            writer = ExportHtmlWriter(context.bank_figure_folder, figure_faults.append)
            writer.blocks_to_html((*variant.prompt_blocks, *variant.steps))
            reason = "; ".join(figure_faults) or exporter.refusal_reason(variant)
            if exporter.has_figure_files and not reason:
                try:
                    variant, figures = _variant_with_figure_files(variant, context.bank_figure_folder)
                    figure_files |= figures
                except UnusableImage as error:
                    reason = f"the image {error}"
            if reason:
                losses.append(f"{variant.id_with_variant}: left out: {reason}")
                continue
            variants.append(variant)
            content = variant.content_by_name()
            if gaps := [name for name in content if content[name] and name not in exporter.supported_content]:
                losses.append(f"{variant.id_with_variant}: not carried: {', '.join(gaps)}")
    buffer = io.BytesIO()
    exporter.write(variants, context, buffer)
    return ExportedFile(buffer.getvalue(), len(variants), tuple(losses), figure_files)


def portable_variants_or_reasons(item: Item, max_variants: int) -> Iterator[PortableItem | str]:
    """Yields the item in its format-neutral form for the seeds 1, 2, …, without repeated drawings; or the reason why it
    has no such form."""
    if not item.has_scoring_fields:
        yield "a draft that lacks its key or rubric"
        return
    drawings: list[object] = []
    for seed in range(1, max_variants + 1):
        variant = item.draw(SeededRng(item.id, str(seed))).portable_item()
        if variant is None:
            yield "this drawing has no key, or its kind no neutral form"
        elif variant.drawn_values not in drawings:
            drawings.append(variant.drawn_values)
            yield replace(variant, variant=str(seed)) if variant.drawn_values and max_variants > 1 else variant


def _variant_with_figure_files(variant: PortableItem, bank_figure_folder: str) -> tuple[PortableItem, dict[str, bytes]]:
    """The variant with each figure replaced by the path of a file, and these files by path. Images of the bank's folder
    `bank_figure_folder` keep their paths; drawn figures are `ID.figure-1.svg` below the stem. Raises UnusableImage."""
    options = (text for option in variant.options for text in (option.text, option.because))
    texts = (variant.stem, variant.rationale, variant.model_answer, *options)
    paths = [p.path for p in walk_page(tuple(map(markdown.markdown_blocks, texts))) if isinstance(p, Image)]
    images = [p for p in walk_page(variant.prompt_blocks) if isinstance(p, Image) and p.path not in paths]
    paths += [image.path for image in images]
    files = {path: base64.b64decode(image_data_url(bank_figure_folder, path).partition(",")[2]) for path in paths}
    stem = variant.stem + "".join([f"\n\n![{image.alt}](<{image.path}>)" for image in images])
    for number, figure in enumerate((p for p in walk_page(variant.prompt_blocks) if isinstance(p, DrawnFigure)), 1):
        path = f"{variant.id_with_variant}.figure-{number}.svg"
        files[path] = figure.svg.encode("utf-8")
        alt = re.sub(r"[\\\[\]]", r"\\\g<0>", " ".join(figure.alt.split()))
        stem += f"\n\n![{alt}]({path})"
    return replace(variant, stem=stem), files


# Formats that are a single text file.


def render_export_template(name: str, context: ExportContext, **values: object) -> str:
    """The text of the template `name`, in which `html` has `markdown_to_html`, `markdown_line_to_html` and
    `blocks_to_html`. In a template `NAME.xml` every text is escaped for XML."""
    base = jinja_environment()
    engine = base if name.endswith(".xml") else base.overlay(autoescape=False)
    engine.filters["gift"] = lambda text: re.sub(r"[~=#{}:\\]", r"\\\g<0>", str(text)).replace("\n", "\\n")
    html = ExportHtmlWriter(context.bank_figure_folder)
    parts: Any = base.get_template("interchange/parts.html").module
    return engine.get_template(f"interchange/{name}").render(
        about=context,
        title=" ".join(filter(None, (context.title, context.bank_version))),
        html=html,
        solution=lambda item: parts.solution(html, item, decimal),
        criteria=lambda item: parts.criteria(html, item, decimal),
        decimal=lambda value: decimal(Fraction(value)),
        fraction=_option_points_percent_text,
        tags=tags_of_exported_item,
        letters=LETTERS,
        id_stable_across_exports=id_stable_across_exports,
        **values,
    )


def exporter_with_template(template_name: str, suffix: str, content_name: str, **settings: Any) -> Exporter:
    """The exporter of a format that is a single text file. `content_name`: the row of carries.toml with what the format
    holds; `settings`: other fields of `Exporter`."""

    def write(items: Sequence[PortableItem], context: ExportContext, out: BinaryIO) -> None:
        out.write(render_export_template(template_name, context, items=items).encode("utf-8"))

    return Exporter(1, suffix, load_interchange_toml("carries")[content_name], write, **settings)


def _option_points_percent_text(item: PortableItem, option: ChoiceOption) -> str:
    """The points of an option in percent; if there are several keys, right minus wrong."""
    value = 100 / len(item.keys) if option.is_right else -100 / len(item.keys) if len(item.keys) > 1 else 0
    return f"{value:.5f}".rstrip("0").rstrip(".")


def moodle_refusal_reason_or_empty(item: PortableItem) -> str:
    """The reason why Moodle could not take the item: its keys need shares that it does not offer; empty if it can."""
    return "there is no share for more than 10 keys" if len(item.keys) > 10 else ""


def id_stable_across_exports(context: ExportContext, *parts: str) -> str:
    """An id that is the same in every export of the bank: letters and digits, beginning with a letter."""
    return "g" + hashlib.sha256("\n".join((context.bank_name, *parts)).encode()).hexdigest()[:32]


# Text formats: numbered questions with everything an author wrote, and Markdown as text2qti reads it (`*a)`, `[*]`,
# `= v +- d`, `____`). `text_formats` reads both.


def _text2qti_refusal_reason_or_empty(item: PortableItem) -> str:
    """The reason why text2qti could not read the item; empty if it can."""
    number = item.number
    if number is not None and abs(number.value) - number.margin < Fraction(1, 10_000):  # the smallest that it takes
        return "text2qti takes no number this near to zero"
    return "text2qti takes whole and half points only" if (item.points * 2).denominator != 1 else ""


PLAIN_TEXT_EXPORTER = exporter_with_template("text.txt", ".txt", "sheet")
TEXT2QTI_EXPORTER = exporter_with_template(
    "markdown.md", ".md", "markdown", refusal_reason=_text2qti_refusal_reason_or_empty, has_figure_files=True
)
