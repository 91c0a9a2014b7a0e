"""The paper as a printer gives it: page counts, form codes, nothing split, nothing empty."""

from __future__ import annotations

import json
import re
import shutil
from itertools import combinations
from pathlib import Path

import pytest
from browser.chromium import Chromium

from quizgen import bank as banks
from quizgen.cli import run
from quizgen.render import pdf
from quizgen.render.edition import LARGE_PRINT_LINE_CHARACTERS, printed_line_count
from quizgen.source.problems import WrongUse

from .printed import Word, pages_of, size_of, words_of

BROWSER = pdf.find_browser_path()

pytestmark = pytest.mark.skipif(
    BROWSER is None or shutil.which("pdftotext") is None,
    reason="needs Chromium and pdftotext: install the packages `chromium` and `poppler-utils`",
)


def tall_items(manifest: Path, label: str, large: bool) -> set[int]:
    """Numbers of items whose stem and fewest lines are more than a page of large print has."""
    bank = banks.load_bank("distributed-training").required_bank
    form = next(f for f in json.loads(manifest.read_text(encoding="utf-8"))["forms"] if f["form"] == label)
    stems = {
        i["n"]: printed_line_count(bank.items[i["item"]].nth_seed_variant(0).prompt()[:-1], LARGE_PRINT_LINE_CHARACTERS)
        for i in form["items"]
    }
    # Millimetres: 9.6 a line of print, 56 for heading and marker's box, four ruled lines of 13, of a page's 242.
    return {n for n, lines in stems.items() if large and lines * 9.6 + 56 + 4 * 13 > 242}


@pytest.mark.parametrize(
    ("options", "size"),
    [(["--paper", "a4"], r"59[45](\.\d+)? x 84[12]"), (["--paper", "letter", "--large-print"], r"612 x 792")],
    ids=["a4", "letter large"],
)
def test_every_page(tmp_path: Path, printing: Chromium, options: list[str], size: str) -> None:
    """Of form A in the one print, and of B in the other."""
    exam = ["exam", "distributed-training/readiness", "-o", str(tmp_path), "--forms", "2", "--seed", "demo"]
    assert run([*exam, *options]) == 0
    for label in "B" if "--large-print" in options else "A":
        source, target = tmp_path / f"form-{label}.html", tmp_path / f"form-{label}.pdf"
        printing.open(source.as_uri())
        printing.print(target)
        assert re.search(size, size_of(target)), size_of(target)
        found = re.search(r'data-form="([A-Z0-9-]+)"', source.read_text(encoding="utf-8"))
        code = found.group(1)
        pages = pages_of(target)
        assert len(pages) > 3
        for wide, high, words in words_of(target):
            page = Word("", 40, 40, wide - 40, high - 15)
            assert not [w for w in words if not page.holds(w)], "words are cut or stand in the margin"
            assert not [(a, b) for a, b in combinations(words, 2) if a.covers(b)], "one word lies over another"
        tall = tall_items(tmp_path / "manifest.json", label, "--large-print" in options)
        heads = last = 0
        for number, text in enumerate(pages, 1):
            assert code in text, f"page {number} has no form code"
            assert f"Page {number} of {len(pages)}" in text
            body = [line for line in text.splitlines() if line.strip()]
            lines_only = last in tall and "Marker" in text  # the ruled lines of an item that goes on have no words
            assert len(body) > 3 or "For notes" in text or lines_only, f"page {number} is empty"
            # An item's header and its marker's box stand on one page: nothing is split, but for an item whose
            # stem alone fills a page of large print and so goes on behind it.
            numbers = [int(n) for n in re.findall(r"^ *Item (\d+) .*points?\b", text, re.M)]
            open_before, last = last, numbers[-1] if numbers else last
            whole = len(numbers) == len(re.findall(r"\bMarker\b", text))
            assert whole or {open_before, last} & tall, f"page {number}: an item is split"
            heads += len(numbers)
        assert heads == source.read_text(encoding="utf-8").count('class="item view ask-')


@pytest.mark.parametrize(
    ("items", "letters", "options"), [(60, 5, []), (12, 26, ["--paper", "letter", "--large-print"])]
)
def test_each_answer_sheet_is_one_page(
    tmp_path: Path, printing: Chromium, items: int, letters: int, options: list[str]
) -> None:
    others = ", ".join(f"o{n}" for n in range(letters - 1))
    lines = [f"  - {{id: c{n}, kind: choice, stem: Which?, key: right, distractors: [{others}]}}" for n in range(items)]
    (tmp_path / "items.yaml").write_text("items:\n" + "\n".join(lines) + "\n", encoding="utf-8")
    out = tmp_path / "out"
    arguments = ["exam", str(tmp_path / "items.yaml"), "-o", str(out), "--seed", "demo", "--items", str(items)]
    assert run([*arguments, *options]) == 0
    source = out / "form-A.html"
    printing.open(source.as_uri())
    printing.print(out / "form-A.pdf")
    pages = pages_of(out / "form-A.pdf")
    sheets = source.read_text(encoding="utf-8").count('class="sheet paper"')
    assert sheets > 1
    titles = ["Answer sheet" in text for text in pages]
    notes = sheets % 2  # the back of the last sheet: what follows starts on a new leaf
    assert titles == [True] * sheets + [False] * (len(pages) - sheets)
    assert ("For notes" in pages[sheets]) == bool(notes)
    assert "Instructions" in pages[sheets + notes]


def test_keys_are_marked_on_every_page_and_all_forms_are_one_file(tmp_path: Path) -> None:
    pdfium = pytest.importorskip("pypdfium2", reason="pypdfium2 of quizgen[pdf] is not installed")
    (tmp_path / "roster.csv").write_text("name,id\nAda,1\nBo,2\n")
    exam = ["exam", "distributed-training/quick", "-o", str(tmp_path), "--seed", "demo"]
    assert run([*exam, "--pdf", "--roster", str(tmp_path / "roster.csv")]) == 0
    for name in ("key-A.pdf", "answers.pdf"):
        pages = pages_of(tmp_path / name)
        for number, text in enumerate(pages, 1):
            assert "KEY - not for candidates" in text
            assert f"Page {number} of {len(pages)}" in text
        assert (tmp_path / name).stat().st_mode & 0o077 == 0  # as the key's page: whoever made it alone
    names = ("all-forms.pdf", "form-A-001.pdf", "form-A-002.pdf")
    together, *apart = (len(pdfium.PdfDocument(tmp_path / name)) for name in names)
    assert together == sum(apart) + apart[0] % 2  # the second form begins on a leaf of its own


def test_each_form_of_the_joined_file_begins_on_a_leaf_of_its_own(tmp_path: Path) -> None:
    """Printed on both sides, no candidate's sheet is on the back of another's last page."""
    pdfium = pytest.importorskip("pypdfium2", reason="pypdfium2 of quizgen[pdf] is not installed")
    for count in (1, 2, 3):
        made = pdfium.PdfDocument.new()
        for _ in range(count):
            made.new_page(100 * count, 700)
        made.save(tmp_path / f"{count}.pdf")
    pdf.try_join_pdfs([tmp_path / f"{count}.pdf" for count in (3, 1, 2)], tmp_path / "all.pdf")
    widths = [page.get_width() for page in pdfium.PdfDocument(tmp_path / "all.pdf")]
    assert widths == [300, 300, 300, 100, 100, 200, 200, 200]


def test_a_printed_answer_sheet_is_the_same_by_each_program(tmp_path: Path) -> None:
    """Drawn by attributes, so that a program that applies no style sheet to a drawing fills no bubble. Of the page's
    pixels as many are dark by each, and fewer than a twentieth and a bit; one in thirteen was where it filled them."""
    pytest.importorskip("weasyprint")
    np = pytest.importorskip("numpy")
    pdfium = pytest.importorskip("pypdfium2")
    item = "  - {{id: c{}, kind: choice, stem: Which?, key: right, distractors: [b, c]}}\n"
    (tmp_path / "items.yaml").write_text("items:\n" + "".join(map(item.format, range(9))), encoding="utf-8")
    assert run(["exam", str(tmp_path / "items.yaml"), "-o", str(tmp_path), "--seed", "demo"]) == 0
    assert BROWSER is not None
    pdf.print_with_weasyprint(tmp_path / "form-A.html", tmp_path / "weasyprint.pdf")
    pdf.print_with_chromium(BROWSER, tmp_path / "form-A.html", tmp_path / "chromium.pdf")
    pages = [pdfium.PdfDocument(tmp_path / f"{name}.pdf")[0].render(scale=2) for name in ("weasyprint", "chromium")]
    dark = [(np.asarray(page.to_pil().convert("L")) < 128).mean() for page in pages]
    assert dark[0] == pytest.approx(dark[1], rel=0.06)
    assert 0.02 < dark[0] < 0.04


def test_letters_without_a_font_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the fonts that `fc-list` names: what stands in scripts and tags is not printed."""
    (tmp_path / "fc-list").write_text("#!/bin/sh\necho ':charset=20-7e e9 2190-2194'\necho ':charset=20-7e 3b1'\n")
    (tmp_path / "fc-list").chmod(0o755)
    page = tmp_path / "form.html"
    page.write_text('<p title="ß">é→α 漢ü a</p><script>"ß"</script>', encoding="utf-8")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert pdf.chars_without_font([page]) == ["ü", "漢"]
    monkeypatch.setenv("PATH", "")
    assert pdf.chars_without_font([page]) == []


def test_chromium_goes_first_and_without_a_printer_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert pdf.require_html_to_pdf_function() is not pdf.print_with_weasyprint
    monkeypatch.setattr(pdf.shutil, "which", lambda name: None)
    monkeypatch.setattr(pdf, "find_spec", lambda name: None)
    with pytest.raises(WrongUse, match="install Chromium"):
        pdf.require_html_to_pdf_function()
