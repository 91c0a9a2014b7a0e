"""`quizgen exam`: forms, keys and a manifest in a folder."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click
from markupsafe import Markup

from quizgen import assemble, data_folders, exam
from quizgen import bank as banks
from quizgen.atomic_write import refuse_write_errors
from quizgen.bank.reader import LoadedBank
from quizgen.commands.options import choice_option, flag_option, int_option, notify, option, parse_minutes_option
from quizgen.commands.shared import NO_ACTIVE_ITEM_MESSAGE, count_with_noun, load_bank_refusing_case, roster_candidates
from quizgen.draw import new_random_seed
from quizgen.model import Bank, Blueprint
from quizgen.practice.page import PracticePageSettings, practice_page_html
from quizgen.render import exam_folder
from quizgen.render.edition import PageOptions
from quizgen.render.exam import FormWriter, LaidOutForm
from quizgen.render.exam_folder import ExamFolderPlan, candidate_or_form_page_names, form_comparison_lines
from quizgen.render.formula_sheet import formula_sheet_html
from quizgen.render.page_words import NON_TEMPLATE_TEXT_BY_KEY, TRANSLATABLE_PAGE_FILES, template_texts_by_words_key
from quizgen.render.pdf import ALL_FORMS_PDF_NAME, PdfPrinter, chars_without_font, print_with_weasyprint, try_join_pdfs
from quizgen.render.pdf import require_html_to_pdf_function as find_printer
from quizgen.scoring import exam_answers
from quizgen.source import yaml
from quizgen.source.problems import Unreadable, did_you_mean, printable

DEFAULT_EXAM_ITEM_COUNT = 20  # items drawn from a larger bank when neither a blueprint nor --items sets the number


@click.command("exam")
@click.argument("bank", metavar="BANK or BLUEPRINT")
@option("-o --output", "DIR", "The folder to write to; required unless --plan is given.")
@flag_option("--plan plan_only", "Write nothing: show what each form would contain, and how the forms differ.")
@int_option("--forms", 1, 100_000, "How many forms: A, B and so on.", default=1, show_default=True)
@option("--seed", "", "Any text; the same seed writes the same files, byte for byte (default: drawn and printed).")
@option("--exclude", "MANIFEST", "Leave out the items of an earlier exam", multiple=True)
@int_option(
    "--anchor",
    1,
    1000,
    "Forms of different items with N in common; with --exclude those N come from the first earlier exam.",
    metavar="N",
)
@int_option("--items", 1, None, "How many items (default: the blueprint's, else at most 20).")
@option("--topic", "TOPIC", "Only this topic", multiple=True)
@option("--kind", "KIND", "Only this kind of item", multiple=True)
@option("--minutes", "MINUTES", "The time (default: the blueprint's, else the sum of the items' seconds).")
@option("--title", "", "The title on the cover (default: the blueprint's or the bank's).", default="")
@option("--instructions", "", "One more line of instructions", multiple=True)
@choice_option("--paper", ["a4", "letter"], "The size of the sheets.")
@flag_option("--large-print", "18 pt bold text, wide lines, one column.")
@choice_option(
    "--limit", ["soft", "hard"], "On screen, when the time is up: soft marks changes as late, hard locks the page."
)
@option("--roster", "FILE", "A CSV or XLSX with name, id, extra_time, form: a named form for each candidate.")
@option("--words", "FILE", "A YAML of the fixed words of forms and keys: `Answer sheet: Antwortbogen`.")
@flag_option("--no-sheet", "No answer sheet page for choice items.")
@flag_option("--formula-sheet", "A page with the titled formulas of the items.")
@flag_option(
    "--practice", "Also practice/practice-A.html …: pages that mark, with the keys in them; for self-study only."
)
@flag_option("--pdf", "Also PDF files, by Chromium or WeasyPrint if installed.")
def exam_command(
    bank: str, output: str | None, plan_only: bool, forms: int, roster: str | None, pdf: bool, **options: Any
) -> None:
    """Write an exam: form-A.html (paper and screen in one file), key-A.html, answers.html, manifest.json.

    A form holds no key. The keys and the manifest do: keep them, and the seed, to yourself.

    With a blueprint, --topic and --kind filter its own items; with a bank, all items. --items N keeps the proportions
    of the blueprint's sections.

    Example: quizgen exam distributed-training -o out --forms 3
    """
    output = output or ("plan" if plan_only else "")
    if not output.strip() or output == "-" or Path(output).is_file():
        raise click.UsageError("an exam is several files; -o names a folder for them, as in -o out")
    printer = find_printer() if pdf else None
    loaded_bank = load_bank_refusing_case(bank)
    blueprint = _narrowed_exam_blueprint(loaded_bank, options)
    seed = options["seed"] or new_random_seed()
    new_exam = _plan_exam(loaded_bank.required_bank, blueprint, seed, forms, options["anchor"] or 0, options["exclude"])
    if plan_only:
        click.echo("\n".join(map(printable, form_comparison_lines(new_exam, forms))))
    else:
        candidates = roster_candidates(roster, tuple(exam.form_labels(forms))) if roster else ()
        edition = PageOptions(
            options["paper"], options["large_print"], options["limit"], not options["no_sheet"],
            options["instructions"], read_word_replacement_pairs(options["words"]),
        )  # fmt: skip
        sheet = formula_sheet_html(new_exam, forms) if options["formula_sheet"] else Markup()
        if options["formula_sheet"] and not sheet:
            notify("no item of this exam has a formula with title and source; the formula sheet is left out")
        if banks.find_bank_path_and_part_name(bank)[0].parent == data_folders.shipped_folder_path("banks"):
            notify("this bank ships with quizgen, and so do its keys: for an exam that counts, write your own items")
        faults: dict[str, None] = {}
        writer = FormWriter(new_exam, edition, lambda item, fault: faults.setdefault(f"{item}: {fault}"), sheet)
        render_practice_page = partial(_practice_page_html_of_form, writer, bank) if options["practice"] else None
        _write_exam(ExamFolderPlan(writer, forms, candidates, render_practice_page), faults, printer, Path(output))
    for name, count in sorted(new_exam.exhausted_drawing_count_by_id.items()) if not new_exam.anchor_ids else ():
        drawings = count_with_noun(count, "different drawing")
        notify(f"{name} has {drawings} for {count_with_noun(forms, 'form')}: some forms have equal values")
    if not options["seed"]:
        notify(f"seed {seed}")
    elif len(seed) < exam.MIN_SAFE_SEED_CHARACTERS and not plan_only:
        notify("the seed is short: anyone who guesses it can compute the key; leave --seed out for a real exam")


def _practice_page_html_of_form(writer: FormWriter, bank_name: str, layout: LaidOutForm) -> str:
    """The practice page of a form of the exam that `writer` writes; `bank_name` is what the user called its bank."""
    form, words = layout.form, writer.page_options.old_new_word_pairs
    head = PracticePageSettings(f"{form.title}, form {form.code}", bank_name, old_new_word_pairs=words)
    return practice_page_html(head, form, writer.exam.bank, lambda item, fault: None)  # the form reported the faults


def _write_exam(plan: ExamFolderPlan, faults: Mapping[str, None], printer: PdfPrinter | None, output: Path) -> None:
    """Writes the folder `output`; each form has a PDF too if there is a `printer`. `faults` are added while forms are
    written."""
    is_hidden = not sys.stderr.isatty() or plan.form_count + len(plan.roster) < 20
    bar = click.progressbar(length=plan.form_count, label="forms", file=sys.stderr, show_pos=True, hidden=is_hidden)
    with refuse_write_errors(output, "choose another folder"), bar:
        result = exam_folder.write_exam_folder(plan, output, lambda _: bar.update(1))
    notify(*(f"{fault}; the form shows it as plain text" for fault in faults))
    notify(*(f"kept from an earlier exam in this folder: {name}" for name in result.new_names_of_kept_files))
    names = list(result.written_file_names)
    if printer is not None:
        _write_pdf_files(names, output, printer)
        names += [name.replace(".html", ".pdf") for name in names]
    if strays := exam_folder.leftover_page_names(output, names):
        notify(f"left from an earlier exam in this folder: {', '.join(strays[:5])}{' …' if len(strays) > 5 else ''}")
    new_exam = plan.form_writer.exam
    forms, items = count_with_noun(plan.form_count, "form"), count_with_noun(len(new_exam.form_a_items), "item")
    notify(f"{forms} of {items} in {printable(str(output))}, exam {new_exam.code}")
    if plan.render_practice_page is not None:
        notify("practice/ has pages that mark at once: for self-study only, because they contain the keys")
    notify("give out the form files; keep the key files, answers.html and manifest.json to yourself")


def _narrowed_exam_blueprint(loaded_bank: LoadedBank, options: Mapping[str, Any]) -> Blueprint:
    """The blueprint that the argument names, restricted by --items, --topic, --kind, --minutes and --title."""
    bank, minutes, count = loaded_bank.required_bank, parse_minutes_option(options["minutes"]), options["items"]
    for field in ("topic", "kind"):
        names = {getattr(item, field) for item in bank.items.values()} - {""}
        if message := assemble.first_unknown_name_message(field, options[field], names, bank.name):
            raise click.UsageError(message)
    is_large = sum(item.status == "active" for item in bank.items.values()) > DEFAULT_EXAM_ITEM_COUNT
    base = loaded_bank.named_blueprint or assemble.any_items_blueprint(DEFAULT_EXAM_ITEM_COUNT if is_large else None)
    try:
        filters = {"topics": options["topic"], "kinds": options["kind"]}
        plan = assemble.narrow_blueprint(bank, base, item_count=count, minutes=minutes, **filters)
    except assemble.CannotAssemble as error:
        raise click.UsageError(str(error)) from None
    note = assemble.fewer_items_than_blueprint_message(base, sum(section.item_count or 0 for section in plan.sections))
    if note and count is None and loaded_bank.named_blueprint is not None:
        notify(note)
    return replace(plan, title=options["title"]) if options["title"] else plan


def _plan_exam(
    bank: Bank, blueprint: Blueprint, seed: str, form_count: int, anchor_count: int, excluded_manifests: Sequence[str]
) -> exam.Exam:
    """The exam with `anchor_count` common items and without those of earlier exams. Raises Unreadable if the bank has
    too few items for all forms."""
    try:
        earlier_forms = []  # anchors are lent by the first form
        for path in excluded_manifests:
            for form in exam_answers.read_manifest(path).form_record_by_label_or_code.values():
                form_seed = str(form["seed"])
                earlier_forms.append({str(i["item"]): (dict(i.get("given") or {}), form_seed) for i in form["items"]})
        new_exam = exam.plan_exam(bank, blueprint, seed, anchor_count, earlier_forms)
    except assemble.CannotAssemble as error:
        raise Unreadable(str(error)) from None
    except ValueError as error:
        raise Unreadable(f"an anchor of the earlier exam does not fit the bank: {error}; leave --anchor out") from None
    try:
        new_exam.items_and_sections_of_form(form_count - 1)
    except assemble.CannotAssemble as error:
        count_text = count_with_noun(len(new_exam.items_of_forms_after_a) + 1, "form")
        raise Unreadable(f"{error}; there is enough for {count_text}") from None
    if not new_exam.form_a_items:
        has_active = any(item.status == "active" for item in bank.items.values())
        message = "the bank has no item for this exam; allow more items in the blueprint or the options"
        raise Unreadable(message if has_active else NO_ACTIVE_ITEM_MESSAGE)
    return new_exam


def read_word_replacement_pairs(path: str | None) -> tuple[tuple[str, str], ...]:
    """The (name, text) pairs of a words file; every name must be one that forms use."""
    if path is None:
        return ()
    text_by_key = dict(NON_TEMPLATE_TEXT_BY_KEY)
    for name in TRANSLATABLE_PAGE_FILES:
        text = (data_folders.shipped_folder_path("templates") / name).read_text(encoding="utf-8")
        text_by_key.update(template_texts_by_words_key(text, name.endswith(".js")))
    root, doc = yaml.read_yaml_with_problems(path)
    translations = {}
    for name, node in (root.mapping("a file of words") if root is not None else {}).items():
        if name not in text_by_key:
            hint = did_you_mean(name, text_by_key) or "write it as the form has it, as in `Answer sheet: Antwortbogen`"
            node.report_at_key(f'no form or page says "{printable(name)}"', hint)
        text = translations[name] = node.text("words")
        for number in map("{{{}}}".format, range(10)):
            if number in text and number not in text_by_key.get(name, text):
                node.report(f'"{printable(name)}" has no value {number}', "leave it out")
    notify(*map(str, doc.problems))
    if doc.problems or root is None:
        raise Unreadable(f"{printable(path)}: {count_with_noun(len(doc.problems), 'problem')}; fix the words first")
    return tuple(sorted(translations.items()))


def _write_pdf_files(file_names: Sequence[str], output: Path, printer: PdfPrinter) -> None:
    if printer is print_with_weasyprint:
        caveat = "maths is simple, a missing letter is a box"
        notify(f"printed by WeasyPrint: {caveat}; check the pages, or install Chromium")
    pages = [name for name in file_names if name.endswith(".html")]
    if symbols := chars_without_font([output / name for name in pages]):
        list_text = ", ".join(f"{c} (U+{ord(c):04X})" for c in symbols[:12]) + (" …" if len(symbols) > 12 else "")
        notify(f"no installed font has {list_text}: the PDF shows a box for each; install a font that has them")
    is_hidden = not sys.stderr.isatty() or len(pages) < 4
    with click.progressbar(pages, label="PDF", file=sys.stderr, show_pos=True, hidden=is_hidden) as names:
        for name in names:
            printer(output / name, (output / name).with_suffix(".pdf"))
            shutil.copymode(output / name, (output / name).with_suffix(".pdf"))  # keys stay private
    papers = [(output / name).with_suffix(".pdf") for name in candidate_or_form_page_names(pages)]
    if len(papers) > 1 and not try_join_pdfs(papers, output / ALL_FORMS_PDF_NAME):
        notify(f"{ALL_FORMS_PDF_NAME} needs pypdfium2 (pip install 'quizgen[pdf]'): print the forms one by one")
