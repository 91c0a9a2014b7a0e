"""The folder that `quizgen exam` writes (all forms, their keys, and the manifest that scoring needs), and the table of
`--plan`."""

from __future__ import annotations

import csv
import filecmp
import io
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import count, islice
from pathlib import Path
from typing import Any, TextIO

from markupsafe import Markup

from quizgen.answer_areas import Options, TextAnswerLines
from quizgen.atomic_write import open_replacement_file
from quizgen.exam import Exam, as_decimal_or_ratio, form_labels
from quizgen.inline import Inline, Text
from quizgen.markdown import markdown_inline_pieces
from quizgen.model import MARKING_RULES_VERSION, ZERO, Form, points_as_json
from quizgen.page import Block, Heading, ListBlock, MarkingScheme, Paragraph, Table
from quizgen.render.edition import PageOptions
from quizgen.render.exam import FormWriter, LaidOutForm, PlacedEntry, lay_out_form_with_label
from quizgen.render.html import HtmlWriter, jinja_environment, page_template_values
from quizgen.render.page_words import KEY_PAGE_HEADING
from quizgen.roster import Candidate
from quizgen.source.problems import Unreadable
from quizgen.spreadsheet import escape_cell, numbered_rows_of_csv_or_xlsx_bytes

MAX_FORMS_WITH_OWN_COLUMN = 12  # forms with a column each
_encode_json = json.JSONEncoder(ensure_ascii=False).encode


def manifest_head_json(exam: Exam, edition: PageOptions, minutes: float, candidates: Iterable[dict[str, Any]]) -> str:
    """The manifest up to its list of forms, which follows with one form on each line."""
    blueprint = exam.blueprint
    title, pass_share = blueprint.title or exam.bank.title, blueprint.pass_share
    fields: dict[str, Any] = {"v": 1, "type": "manifest", "title": title, "bank": exam.bank.name}
    fields |= {"digest": exam.bank.digest, "blueprint": blueprint.name, "seed": exam.seed}
    fields |= {"rules": MARKING_RULES_VERSION, "exam": exam.code, "minutes": minutes}
    fields["limit"] = edition.soft_or_hard_time_limit
    fields["pass"] = None if pass_share is None else points_as_json(pass_share)
    fields["bands"] = [
        {"from": points_as_json(b.min_share), "name": b.name, "advice": b.advice} for b in blueprint.score_bands
    ]
    if blueprint.grade_bands:
        fields["grades"] = [{"from": points_as_json(b.min_share), "name": b.name} for b in blueprint.grade_bands]
    if exam.anchor_ids:
        fields["anchors"] = list(exam.anchor_ids)
    lines = ",\n".join(f"{_encode_json(key)}: {_encode_json(value)}" for key, value in fields.items())
    people = ",\n".join(f"  {_encode_json(person)}" for person in candidates)
    return f'{{\n{lines},\n"candidates": [{chr(10) + people + chr(10) if people else ""}],\n"forms": [\n'


def manifest_form_json(form_layout: LaidOutForm) -> str:
    """A form as one line of JSON."""
    form = form_layout.form
    items = []
    for placed_entry in form_layout.placed_entries:
        variant, area = placed_entry.entry.variant, placed_entry.response_block
        item: dict[str, Any] = {"n": placed_entry.item_number, "ref": placed_entry.item_code, "item": variant.item.id}
        item |= {"kind": variant.item.kind, "section": placed_entry.entry.section_index}
        item |= {"points": points_as_json(placed_entry.entry.points), "given": dict(variant.drawn_log_values())}
        if isinstance(area, Options):
            item |= {"options": [o.text for o in area.options], "several": area.allows_several}
        if variant.item.previous_part_id:
            item["after"] = variant.item.previous_part_id
        items.append(item | {"key": placed_entry.key_text})
    sums = {"minutes": points_as_json(form.minutes), "possible": points_as_json(form.possible_points)}
    fields = {"form": form_layout.form_label, "code": form.code, "seed": form.seed, **sums}
    return _encode_json(fields | {"sections": [s.title for s in form.sections], "items": items})


# Keys for markers: the worked key of each form, and one table with the answers of all forms.

MAX_CACHED_SOLUTIONS = 1_000  # worked solutions kept in memory
FORMS_PER_ANSWER_TABLE = 4  # forms side by side in the table of all forms
MAX_ANSWER_CELL_CHARACTERS = 60  # characters of a key in the table of all forms
# A form in the table of all forms: its label, its code, and (id, key) of each item, in order of its number on the form.
FormAnswerColumn = tuple[str, str, list[tuple[str, Markup]]]


class KeyWriter:
    """Writes the worked keys of an exam's forms.

    It caches solutions: an item with the same stem, options and drawn values has the same solution on every form."""

    def __init__(self, bank_folder: str, edition: PageOptions) -> None:
        self._html = HtmlWriter(bank_folder, old_new_word_pairs=edition.old_new_word_pairs)
        self._page_options = edition
        self._parts_by_solution: dict[object, Mapping[str, Markup | bool]] = {}

    def key_page_html_of_form(self, layout: LaidOutForm) -> str:
        """The worked key and marking scheme of a form, as one HTML file."""
        template = jinja_environment(self._page_options.old_new_word_pairs).get_template("key.html")
        return template.render(
            page=_key_page_template_values(self._page_options, layout.form.code, "key-page"),
            form=layout.form,
            items=[(placed_entry, self._key_html_by_part(placed_entry)) for placed_entry in layout.placed_entries],
            markdown=lambda text: self._html.inline_to_html(markdown_inline_pieces(text)),
        )

    def _block_in_exam_language(self, block: Block) -> Block:
        """A block in which the words of a kind of item are translated; the bank's words stay."""
        match block:
            case Heading((Text(text),)) | Paragraph((Text(text),)):
                return replace(block, inline_pieces=(Text(self._html.translate_sentence(text)),))
            case ListBlock(entries):
                return replace(block, entries=tuple(tuple(map(self._block_in_exam_language, one)) for one in entries))
            case Table((_, _, (Text(""),), _) as head, rows):  # options; the third column is ours
                verdicts = ((*row[:2], self._cell_pieces_in_exam_language(row[2]), *row[3:]) for row in rows)
                return Table(tuple(map(self._cell_pieces_in_exam_language, head)), tuple(verdicts))
        return block

    def _cell_pieces_in_exam_language(self, inline_pieces: tuple[Inline, ...]) -> tuple[Inline, ...]:
        return tuple(Text(self._html.translate_sentence(p.text)) if isinstance(p, Text) else p for p in inline_pieces)

    def _key_html_by_part(self, placed_entry: PlacedEntry) -> Mapping[str, Markup | bool]:
        """An item's parts that look the same in every form's key; `scheme`: whether it has a marking scheme."""
        variant = placed_entry.entry.variant
        values = tuple(variant.drawn_log_values().items())
        solution_key = (variant.item.id, placed_entry.stem_blocks, placed_entry.response_block, values)
        if solution_key not in self._parts_by_solution:
            if len(self._parts_by_solution) >= MAX_CACHED_SOLUTIONS:
                self._parts_by_solution.clear()
            solution = tuple(map(self._block_in_exam_language, variant.solution()))
            self._parts_by_solution[solution_key] = {
                "stem": self._html.blocks_to_html(placed_entry.stem_blocks),
                "solution": self._html.blocks_to_html(solution),
                "marking": self._html.blocks_to_html(map(self._block_in_exam_language, variant.marker_only_blocks())),
                "scheme": any(isinstance(b, MarkingScheme) for b in solution),
            }
        return self._parts_by_solution[solution_key]


def form_label_code_and_key_cells(layout: LaidOutForm, edition: PageOptions) -> FormAnswerColumn:
    """The column of a form in the table of all forms."""
    html = HtmlWriter("", old_new_word_pairs=edition.old_new_word_pairs)
    cells = []
    for placed_entry in layout.placed_entries:
        text = " ".join(placed_entry.key_text.split())
        if isinstance(placed_entry.response_block, TextAnswerLines):
            text = html.translate_sentence(f"see key-{layout.form_label}")
        if len(text) > MAX_ANSWER_CELL_CHARACTERS and "$" not in text:  # a formula may not be cut
            head = text[: MAX_ANSWER_CELL_CHARACTERS - 1]
            words = head.rpartition(" ")[0]
            text = f"{words} …" if len(words) > MAX_ANSWER_CELL_CHARACTERS // 2 else f"{head}…"
        cells.append((placed_entry.entry.variant.item.id, html.inline_to_html(markdown_inline_pieces(text))))
    return layout.form_label, layout.form.code, cells


def answer_table_html_pieces(
    exam: Exam, columns: Iterator[FormAnswerColumn], form_count: int, edition: PageOptions
) -> Iterator[str]:
    """Yields the table of all forms piece by piece, so that memory does not grow with the number of forms."""
    template = jinja_environment(edition.old_new_word_pairs).get_template("answers.html")
    return template.generate(
        page=_key_page_template_values(edition, exam.code, "key-page wide-page"),
        title=exam.blueprint.title or exam.bank.title,
        code=exam.code,
        count=form_count,
        numbers=range(len(exam.form_a_items)),
        groups=iter(lambda: list(islice(columns, FORMS_PER_ANSWER_TABLE)), []),
    )


def _key_page_template_values(edition: PageOptions, footer_code: str, css_classes: str) -> Mapping[str, Any]:
    rules = edition.css_page_rules(footer_code, KEY_PAGE_HEADING)
    styles, words = ("css/shared.css", "css/key.css"), edition.old_new_word_pairs
    return page_template_values(styles, (), rules, css_classes, old_new_word_pairs=words)


# The exam folder: forms, keys, table of answers and manifest, written form by form. Only one form is in memory at a
# time. A file gets its name when it is complete, and nothing is overwritten that exists only in this folder: an earlier
# exam's manifest, and typed-in responses.


PRACTICE_FOLDER_NAME = "practice"  # folder of practice pages, which show keys and must not be handed out


@dataclass(slots=True)
class ExamFolderWriter:
    """Writes files into a folder; the only mutable value here. `written_file_names` are the files that it wrote. Files
    of an earlier exam stay under `new_names_of_kept_files`: `suffix_of_kept_files` is its code, or else `earlier`."""

    folder_path: Path
    suffix_of_kept_files: str
    written_file_names: list[str] = field(default_factory=list)
    new_names_of_kept_files: list[str] = field(default_factory=list)

    @contextmanager
    def open_file(self, name: str, worth_keeping: Callable[[Path], bool] | None = None) -> Iterator[TextIO]:
        """Yields a file that gets its name once it is complete, so that an interrupted run leaves no half file. If an
        older file of that name is worth keeping, the earlier exam's code is added to its name. Files that candidates do
        not get are readable by their owner only."""
        path = self.folder_path / name
        path.parent.mkdir(exist_ok=True)

        def set_old_file_aside(part: str) -> None:
            if worth_keeping and path.is_file() and not filecmp.cmp(part, path, shallow=False) and worth_keeping(path):
                names = (f"{path.stem}-{self.suffix_of_kept_files}{f'-{n}' * (n > 1)}{path.suffix}" for n in count(1))
                self.new_names_of_kept_files.append(next(name for name in names if not (path.parent / name).exists()))
                path.rename(path.parent / self.new_names_of_kept_files[-1])

        is_private = not name.startswith(("form-", f"{PRACTICE_FOLDER_NAME}/"))
        with open_replacement_file(path, is_private, set_old_file_aside, is_for_candidates=not is_private) as file:
            text = io.TextIOWrapper(file, encoding="utf-8", newline="")
            yield text
            text.detach()  # flushes the rest and leaves the file open
        self.written_file_names.append(name)


@dataclass(frozen=True, slots=True)
class ExamFolderPlan:
    """The contents that a folder is to have: the pages, the number of forms, the roster, and `render_practice_page`, a
    function that returns a form's practice page."""

    form_writer: FormWriter
    form_count: int = 1
    roster: Sequence[Candidate] = ()
    render_practice_page: Callable[[LaidOutForm], str] | None = None


def write_exam_folder(
    plan: ExamFolderPlan, folder_path: Path, report_form_done: Callable[[int], None]
) -> ExamFolderWriter:
    """Writes the whole folder, and calls `report_form_done(n)` after the n-th form. Raises OSError if that fails."""
    form_writer, roster = plan.form_writer, plan.roster
    folder_path.mkdir(parents=True, exist_ok=True)
    exam, edition = form_writer.exam, form_writer.page_options
    head = ""  # of the manifest of an earlier exam in this folder
    with suppress(FileNotFoundError), open(folder_path / "manifest.json", encoding="utf-8", errors="replace") as stream:
        head = stream.read(100_000)
    code = re.search(r'^"exam": "([A-Z0-9]{1,20})"', head, re.MULTILINE)
    digest = re.search(r'^"digest": "([^"]*)"', head, re.MULTILINE)
    is_same = code and digest and (code[1], digest[1]) == (exam.code, exam.bank.digest)
    folder = ExamFolderWriter(folder_path, code[1] if code else "earlier")
    keys = KeyWriter(exam.bank.folder, edition)
    names = tuple(form_labels(plan.form_count))
    pages_by_form: dict[str, list[tuple[Candidate, str]]] = {}
    people = []
    width = max(3, len(str(len(roster))))
    minutes = exam.form_of_label(names[0]).minutes
    response_rows = []
    for person in roster:
        name = person.form_label or names[(person.roster_number - 1) % len(names)]  # without one in the roster, in turn
        file = f"form-{name}-{person.roster_number:0{width}}.html"
        pages_by_form.setdefault(name, []).append((person, file))
        fields = {"number": person.roster_number, "id": person.id, "name": person.name, "form": name}
        fields |= {"code": exam.label_code(name), "file": file}
        fields |= {"minutes": points_as_json(person.minutes_with_extra_time(minutes))}
        people.append(fields | ({"email": person.email} if person.email else {}))
        label = escape_cell(person.id or person.name)
        response_rows.append([label, exam.label_code(name), *[""] * len(exam.form_a_items)])
    with folder.open_file("manifest.json", lambda _: not is_same) as record, folder.open_file("answers.html") as table:
        record.write(manifest_head_json(exam, edition, points_as_json(minutes), people))

        def write_file(name: str, text: str) -> None:
            with folder.open_file(name) as file:
                file.write(text)

        def answer_columns() -> Iterator[FormAnswerColumn]:
            for index, name in enumerate(names):
                layout = lay_out_form_with_label(exam, name)
                write_file(f"form-{name}.html", form_writer.form_page_html(layout))
                for person, file in pages_by_form.get(name, ()):
                    write_file(file, form_writer.form_page_html(layout, person))
                if plan.render_practice_page is not None:
                    write_file(f"{PRACTICE_FOLDER_NAME}/practice-{name}.html", plan.render_practice_page(layout))
                write_file(f"key-{name}.html", keys.key_page_html_of_form(layout))
                record.write((",\n" if index else "") + manifest_form_json(layout))
                yield form_label_code_and_key_cells(layout, edition)
                report_form_done(index + 1)

        table.writelines(answer_table_html_pieces(exam, answer_columns(), plan.form_count, edition))
        record.write("\n]\n}\n")
    if roster:
        # An empty sheet for responses on paper: one row for each candidate, one column for each item. Forms are written
        # by their codes, so that the manifest of another exam is refused.
        with folder.open_file("responses.csv", _is_response_sheet_filled_in) as sheet:
            heads = ["candidate", "form", *range(1, len(exam.form_a_items) + 1)]
            csv.writer(sheet, lineterminator="\n").writerows([heads, *response_rows])
    return folder


def _is_response_sheet_filled_in(path: Path) -> bool:
    """Whether somebody typed responses into the sheet, so that it cannot be written again."""
    try:
        rows = list(numbered_rows_of_csv_or_xlsx_bytes(path.read_bytes(), str(path)))
    except (UnicodeDecodeError, Unreadable):
        return True
    return any(cell.strip() for _, row in rows[1:] for cell in row[2:])


def candidate_or_form_page_names(file_names: Sequence[str]) -> list[str]:
    """Out of the pages `file_names`, the names of those for candidates: pages with a name on them (`form-A-12.html`) in
    order of the number, or, without any, the page of each form."""
    name_pattern = re.compile(r"form-[A-Z]+-(\d+)\.html")
    numbers = {name: int(match[1]) for name in file_names if (match := name_pattern.fullmatch(name))}
    return sorted(numbers, key=lambda name: numbers[name]) or [n for n in file_names if n.startswith("form-")]


def leftover_page_names(folder_path: Path, file_names: Sequence[str]) -> list[str]:
    """The forms and keys of an earlier exam that are still in the folder."""
    paths = (*folder_path.glob("*.*"), *folder_path.glob(f"{PRACTICE_FOLDER_NAME}/practice-*.*"))
    names = {path.relative_to(folder_path).as_posix() for path in paths if path.suffix in (".html", ".pdf")}
    return sorted(n for n in names.difference(file_names) if n.startswith(("form-", "key-", "practice/")))


def form_comparison_lines(exam: Exam, form_count: int) -> Iterator[str]:
    """Yields a row for each topic, kind and difficulty with the items and points on each form, then the sums and how
    far they differ."""
    names = list(form_labels(form_count))
    forms = [exam.form_of_label(name) for name in names]
    form_map = dict(zip(names[:MAX_FORMS_WITH_OWN_COLUMN], forms, strict=False))
    yield f"{exam.blueprint.title}: exam {exam.code}, {form_count} {'form' if form_count == 1 else 'forms'}"
    yield f"  {'topic':<20} {'kind':<8} {'level':<5} " + "".join(f"{f'{n}: items, points':>18}" for n in form_map)
    points_by_row: defaultdict[tuple[str, str, str], list[list[Fraction]]] = defaultdict(lambda: [[] for _ in form_map])
    for column, form in enumerate(form_map.values()):
        for entry in form.entries:
            item = entry.variant.item
            row = (item.topic or "(none)", item.kind, str(item.difficulty or "–"))
            points_by_row[row][column].append(entry.points)
    for (topic, kind, level), columns in sorted(points_by_row.items()):
        cells = "".join(f"{f'{len(points)}, {as_decimal_or_ratio(sum(points, ZERO))}':>18}" for points in columns)
        yield f"  {topic[:20]:<20} {kind:<8} {level:<5} {cells}"
    yield ""
    sums: dict[str, Callable[[Form], Fraction | int]] = {
        "items": lambda form: len(form.entries),
        "points": lambda form: form.possible_points,
        "minutes by the items": lambda form: Fraction(sum(e.variant.item.seconds for e in form.entries), 60),
        "sum of difficulty": lambda form: sum(e.variant.item.difficulty or 0 for e in form.entries),
    }
    for title, sum_of_form in sums.items():
        values = [sum_of_form(form) for form in forms]
        figures = ", ".join(f"{name} {float(round(value, 1)):g}" for name, value in zip(form_map, values, strict=False))
        spread = float(round(max(values) - min(values), 1))
        ellipsis = " …" if len(forms) > MAX_FORMS_WITH_OWN_COLUMN else ""
        yield f"  {title}: {figures}{ellipsis}; " + (f"spread {spread:g}" if spread else "all forms alike")
    yield f"  the time of the exam: {as_decimal_or_ratio(forms[0].minutes)} minutes"
    if exam.anchor_ids:
        common_points = sum((e.points for e in forms[0].entries if e.variant.item.id in exam.anchor_ids), ZERO)
        share = common_points / forms[0].possible_points
        warning = "" if share >= Fraction(1, 5) else "; too few: equating needs at least a fifth"
        yield f"  in common: {len(exam.anchor_ids)} items, {float(share):.0%} of the points{warning}"
        yield f"    {', '.join(exam.anchor_ids)}"
