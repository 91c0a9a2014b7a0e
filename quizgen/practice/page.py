"""The practice page: the items of a form as cards, each with several drawings and the data for marking answers; in one
file, or as an installable web app for any static host with HTTPS."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any

from markupsafe import Markup

from quizgen import assemble, data_folders
from quizgen.answer_areas import Options
from quizgen.markdown import markdown_inline_pieces
from quizgen.model import MARKING_RULES_VERSION, Bank, Form, Variant
from quizgen.numbers.read import questions_or_all_text
from quizgen.page import Block, ListBlock, MarkingScheme, plain_paragraph
from quizgen.render import html, number_reader
from quizgen.render.text import inline_styled_texts
from quizgen.rubric.rubric import Rubric

STYLE_FILES = ("css/shared.css", "css/screen.css", "practice/practice.css")
_PRACTICE_SCRIPT_NAMES_TEXT = "steps judge sitting log elements answer kept hand_in verdict_view end_view page"
_PRACTICE_SCRIPT_PATHS = tuple(f"practice/{name}.js" for name in _PRACTICE_SCRIPT_NAMES_TEXT.split())
SCRIPT_FILES = ("js/store.js", "js/clock.js", *number_reader.READER_SCRIPT_FILES, *_PRACTICE_SCRIPT_PATHS)
MAX_VARIANTS_PER_ITEM = 3  # drawings of an item on the page
_MAX_SEEDS_TO_TRY_PER_ITEM = 12  # seeds tried to find one more drawing
_TEXT_FIELD_LINE_COUNT = 6  # lines of a text field


@dataclass(frozen=True, slots=True)
class PracticePageSettings:
    """The head of a page. `bank_name` goes into the log that it saves, `candidate_name` into every line. `is_served`:
    this program receives and scores the answers; `is_web_app`: it has a service worker; `old_new_word_pairs` replace
    its fixed words."""

    title: str
    bank_name: str
    candidate_name: str = ""
    is_served: bool = False
    is_web_app: bool = False
    old_new_word_pairs: html.OldNewWordPairs = ()


def _data_per_card_and_html_by_piece_name(
    form: Form, image_folder: str, report_item_fault: Callable[[str, str], None]
) -> tuple[list[dict[str, Any]], dict[str, Markup]]:
    """The data of each item of a form for the page's script, with its `drawings`, and the HTML of the drawings by name:
    for the first drawing of card 3, `p3-0` is the prompt and `s3-0` the solution."""
    card_data: list[dict[str, Any]] = []
    html_by_name: dict[str, Markup] = {}
    for number, entry in enumerate(form.entries):
        item = entry.variant.item
        writer = html.HtmlWriter(image_folder, partial(report_item_fault, item.id))
        line_count = _TEXT_FIELD_LINE_COUNT if item.kind == "text" else 0
        # Up to two more drawings with other values or, if it has none, another order of options.
        seeds = [f"{form.seed}/{seed_number}" for seed_number in range(2, _MAX_SEEDS_TO_TRY_PER_ITEM + 2)]
        drawings: dict[object, Variant] = {}
        for variant in (entry.variant, *(assemble.draw_variant(item, seed) for seed in seeds)):
            drawings.setdefault(tuple(variant.drawn_log_values().items()) or variant.option_texts_as_shown(), variant)
        variants = tuple(drawings.values())[:MAX_VARIANTS_PER_ITEM]
        for place, variant in enumerate(variants):
            prompt = writer.blocks_to_html(variant.prompt(), number + 1, line_count)
            html_by_name[f"p{number}-{place}"] = prompt
            html_by_name[f"s{number}-{place}"] = writer.blocks_to_html(_solution_blocks(variant))
        card_data.append({**item_data_same_in_all_drawings(entry.variant), "drawings": [*map(_variant_data, variants)]})
    return card_data, html_by_name


def item_data_same_in_all_drawings(variant: Variant) -> dict[str, Any]:
    """The data of an item that are the same for all its drawings."""
    item = variant.item
    data: dict[str, Any] = {"item": item.id, **{n: getattr(item, n) for n in ("kind", "topic", "seconds")}}
    data["hints"] = [
        "".join([text for text, _ in inline_styled_texts(markdown_inline_pieces(hint))]) for hint in item.hints
    ]
    if (reader := variant.number_format_and_page_settings()) is not None:
        answer_format, step_settings = reader
        lexicon = number_reader.unit_lexicon_fields(answer_format.unit_lexicon)
        data["reader"] = {**number_reader.answer_format_fields(answer_format), **step_settings, "lexicon": lexicon}
    if policy := getattr(item, "credit_policy", ""):
        data["policy"] = policy
    rubric = getattr(item, "rubric", None)
    if isinstance(rubric, Rubric):
        criteria = [{"id": c.id, "say": c.statement or c.id, "points": float(c.points)} for c in rubric.criteria]
        data["criteria"] = criteria or [{"id": "answer", "say": "The model answer.", "points": 1}]  # for a draft
        data["full"] = float(rubric.possible_points) or 1
    return data


def _variant_data(variant: Variant) -> dict[str, Any]:
    area = variant.prompt()[-1]
    data: dict[str, Any] = {"seed": variant.seed, "given": dict(variant.drawn_log_values())}
    if isinstance(area, Options):
        item = variant.portable_item()
        key_texts = {option.text for option in item.options if option.is_right} if item is not None else set()
        data["options"] = [option.text for option in area.options]
        data["several"] = area.allows_several
        data["keys"] = [place for place, option in enumerate(area.options) if option.text in key_texts]
    elif variant.item.kind == "numeric":
        data |= {"key": variant.numeric_key_for_page(), "answer": variant.key_text()}
        data["asked"] = questions_or_all_text(variant.stem_text)
    return data


def _solution_blocks(variant: Variant) -> Sequence[Block]:
    """The blocks shown after an answer. For a text item, the model answer, and last what its misconceptions say to
    those who hold them, without the rubric, which is for markers."""
    blocks = [block for block in variant.solution() if not isinstance(block, MarkingScheme)]
    rubric = getattr(variant.item, "rubric", None)
    misconceptions = rubric.misconceptions if isinstance(rubric, Rubric) else ()
    corrections = dict.fromkeys(m.correction for m in misconceptions if m.correction)
    if corrections:
        list_block = ListBlock(tuple((plain_paragraph(text),) for text in corrections))
        blocks += [plain_paragraph("Against common mistakes:"), list_block]
    return blocks


def practice_page_html(
    head: PracticePageSettings, form: Form, bank: Bank, report_item_fault: Callable[[str, str], None]
) -> str:
    """A self-contained page with the items of a form of the bank, in its order. Calls `report_item_fault` with an
    item's id and the reason why a part of it cannot be shown."""
    rows, html_by_name = _data_per_card_and_html_by_piece_name(form, bank.folder, report_item_fault)
    lexicons: list[Any] = []  # each lexicon once; the reader of a card has its index
    for row in rows:
        if reader := row.get("reader"):
            lexicons += [reader["lexicon"]] if reader["lexicon"] not in lexicons else []
            row["reader"] = {**reader, "lexicon": lexicons.index(reader["lexicon"])}
    facts: dict[str, Any] = {"title": head.title, "bank": head.bank_name, "digest": bank.digest, "seed": form.seed}
    facts |= {"candidate": head.candidate_name, "served": head.is_served, "app": head.is_web_app}
    facts["rules"] = MARKING_RULES_VERSION
    text = json.dumps([facts, rows], ensure_ascii=False) + "".join(html_by_name.values())
    facts["page"] = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    data = {"head": facts, "cards": rows, "lexicons": lexicons, "numbers": number_reader.number_reader_tables()}
    frame = html.page_template_values(
        STYLE_FILES,
        SCRIPT_FILES,
        css_classes="practice live",
        may_call_server=head.is_served,
        old_new_word_pairs=head.old_new_word_pairs,
        is_installable_app=head.is_web_app,
    )
    template = html.jinja_environment(head.old_new_word_pairs).get_template("practice/page.html")
    pieces = html.json_for_script(html_by_name)
    return template.render(page=frame, head=head, pieces=pieces, data=html.json_for_script(data))


def web_app_text_by_file_name(title: str, page: str) -> Mapping[str, str]:
    """The app's files by name. The worker's cache is named after the page, so that a new page replaces it."""
    folder = data_folders.shipped_folder_path("templates") / "practice"
    shipped_fields = json.loads((folder / "manifest.webmanifest").read_text(encoding="utf-8"))
    manifest = {"name": title, "short_name": title[:12], **shipped_fields}
    version = sha256(page.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return {
        "index.html": page,
        "worker.js": (folder / "worker.js").read_text(encoding="utf-8").replace("VERSION", version),
        "manifest.webmanifest": json.dumps(manifest, ensure_ascii=False, indent=1) + "\n",
        "icon.svg": (folder / "icon.svg").read_text(encoding="utf-8"),
    }
