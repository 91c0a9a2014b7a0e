"""What a form costs: `python -m tests.bench.bench_exam [FORMS]`.

Writes an exam of 40 items (choice, numeric and text) in FORMS forms (1,000) to a folder: forms,
worked keys, table of answers and manifest. The cost of a form, all of its files included, is told
as a ratio to one bare Jinja render of the same form page from plain strings, without any of our
code; the pages are the same bytes. Time is the processor's, so that a busy machine matters less, and
waiting for the disk is not in it. Memory is the peak of traced allocations at a tenth and at all
of the forms. Exit code 1 where the ratio is over 4 or the memory grows by more than a tenth.
"""

from __future__ import annotations

import re
import sys
import tempfile
import tracemalloc
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from markupsafe import Markup

from quizgen import assemble, exam
from quizgen import bank as banks
from quizgen.answer_areas import Options, TextAnswerLines
from quizgen.markdown import pieces_as_plain_text
from quizgen.page import Paragraph
from quizgen.render import exam_folder
from quizgen.render.edition import PageOptions
from quizgen.render.exam import FormWriter, lay_out_form_with_label
from quizgen.render.html import jinja_environment

from .timing import best

MOST, ROUNDS = 4.0, 3
WORDS = ["tensor", "rank", "shard", "gradient", "bucket", "ring", "tree", "pipeline", "stage", "token", "batch", "step"]

# What `{{ item.prompt }}` stands for, written out with the same macros from plain strings.
BARE = (
    "{{ use.Paragraph(item.stem, written) }}"
    "{% set draw = {'Options': use.Options, 'NumericAnswerLine': use.NumericAnswerLine}.get(item.kind, use.TextAnswerLines) %}"
    "{{ draw(item.area, written, item.item_number, item.line_count) }}"
)


def phrase(rng: Random, count: int) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(count))


def bank_text() -> str:
    rng = Random("bench")
    lines = ["items:"]
    for n in range(14):
        wrong = ", ".join(f"{phrase(rng, 5)} {x}" for x in "bcd")
        lines.append(
            f"  - {{id: c{n}, kind: choice, stem: '{phrase(rng, 12)}?', key: {phrase(rng, 5)} a, distractors: [{wrong}],"
            f" rationale: {phrase(rng, 20)}, seconds: 45}}"
        )
    for n in range(13):
        lines.append(
            f"  - {{id: n{n}, kind: numeric, stem: '{phrase(rng, 8)} {{N}} on {{K}} {phrase(rng, 5)}?', seconds: 120,"
            " draw: {N: [7e9 param, 13e9 param, 70e9 param], K: [8, 16, 32, 64]},"
            " formula: {inputs: {N: {is: parameters, unit: param}, K: {is: degree, unit: 1}},"
            " steps: {whole: 4 B/param * N, cut: 12 B/param * N / K, state: whole + cut}, unit: B},"
            f" answer: {{unit: GB}}, rationale: {phrase(rng, 20)}}}"
        )
    for n in range(13):
        lines.append(
            f"  - {{id: t{n}, kind: text, stem: '{phrase(rng, 12)}?', seconds: 150, rationale: {phrase(rng, 20)}, rubric:"
            f" {{criteria: [{{id: a, say: {phrase(rng, 8)}, accept: ['stall*|wait*']}},"
            f" {{id: b, say: {phrase(rng, 8)}, accept: ['ring|tree']}}]}}}}"
        )
    return "\n".join(lines) + "\n"


def order_of(path: Path, forms: int) -> exam_folder.ExamFolderPlan:
    (path / "items.yaml").write_text(bank_text(), encoding="utf-8")
    bank = banks.load_bank(str(path / "items.yaml")).required_bank
    plan = exam.plan_exam(bank, assemble.any_items_blueprint(), "a seed for the bench")
    assert len(plan.form_a_items) == 40
    pages = FormWriter(plan, PageOptions(), lambda item, message: None, Markup())
    return exam_folder.ExamFolderPlan(pages, forms)


def bare(order: exam_folder.ExamFolderPlan) -> tuple[Any, dict[str, Any], str]:
    """A template and plain context whose render is form A, and the page it must come to."""
    layout = lay_out_form_with_label(order.form_writer.exam, "A")
    shown = order.form_writer.form_page_template_values(layout)
    items = {}
    for item, placed in zip(shown["entries"], layout.placed_entries, strict=True):
        area = placed.response_block
        assert isinstance(placed.stem_blocks[0], Paragraph)
        seconds = placed.entry.variant.item.seconds
        edition = order.form_writer.page_options
        more = {
            "stem": SimpleNamespace(inline_pieces=pieces_as_plain_text(placed.stem_blocks[0].inline_pieces)),
            "kind": type(area).__name__,
            "area": area,
            "line_count": edition.ruled_line_count_for_seconds(seconds, isinstance(area, TextAnswerLines)),
            "item_number": item["number"],
        }
        if isinstance(area, Options):
            options = [SimpleNamespace(inline_pieces=o.text) for o in area.options]
            more["area"] = SimpleNamespace(options=options, allows_several=False)
        kept = ("number", "ref", "points", "about", "asks", "criteria", "solution", "code")
        items[item["number"]] = {**{name: item.get(name) for name in kept}, **more}
    made = {**shown, "entries": list(items.values())}
    made["parts"] = [
        {"title": p["title"], "instructions": "", "items": [items[i["number"]] for i in p["items"]]}
        for p in shown["parts"]
    ]
    source = jinja_environment().loader.get_source(jinja_environment(), "exam.html")[0]
    source = source.replace("{{ item.prompt }}", BARE)
    source = source.replace("{% block body %}", '{% block body %}{% import "blocks.html" as use %}', 1)
    # In a mapping, `.items` would be the method.
    source = re.sub(r"\bsection\.items\b", 'section["items"]', source)
    template = jinja_environment().from_string(source)
    page = order.form_writer.form_page_html(layout)
    written = SimpleNamespace(inline_to_html=lambda text: text)
    return template, made | {"written": written}, page


def peak(order: exam_folder.ExamFolderPlan, target: Path) -> float:
    tracemalloc.start()
    exam_folder.write_exam_folder(order, target, lambda done: None)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / 1e6


def main(forms: int) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch)
        template, context, page = bare(order_of(path, 1))
        assert template.render(**context) == page, "the bare render is not the same page"
        one = best(lambda: [template.render(**context) for _ in range(100)], ROUNDS) / 100
        order = order_of(path, forms)
        whole = best(lambda: exam_folder.write_exam_folder(order, path / "out", lambda done: None), ROUNDS) / forms
        again = best(lambda: [template.render(**context) for _ in range(100)], ROUNDS) / 100
        base = (one + again) / 2
        few, many = peak(order_of(path, max(1, forms // 10)), path / "few"), peak(order, path / "many")
        exam, page_of = order.form_writer.exam, order.form_writer.form_page_html
        shown = best(lambda: [page_of(lay_out_form_with_label(exam, "A")) for _ in range(100)], ROUNDS) / 100
    print(f"{forms:,} forms of 40 items, {len(page) / 1000:.0f} kB a form page")
    print(f"bare Jinja render of the page      {base * 1000:6.2f} ms")
    print(f"a form page: drawn and rendered    {shown * 1000:6.2f} ms  ratio {shown / base:.2f}")
    print(f"a form with key, answers, manifest {whole * 1000:6.2f} ms  ratio {whole / base:.2f} (at most {MOST})")
    print(f"peak memory {few:.1f} MB for {max(1, forms // 10):,} forms, {many:.1f} MB for {forms:,}")
    return 0 if whole / base <= MOST and many < few * 1.1 + 0.5 else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
