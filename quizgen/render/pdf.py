"""Converts HTML files to PDF with an installed program: Chromium, else WeasyPrint. Neither is a dependency."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import unicodedata
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from quizgen import data_folders
from quizgen.source.problems import Unreadable, WrongUse

BROWSER_COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
MAX_PRINT_SECONDS_PER_FILE = 120  # time limit for one file; 600 items took 3.4 s

ALL_FORMS_PDF_NAME = "all-forms.pdf"
_CHARSET_RANGE_PATTERN = re.compile(r"(?<=[ =])([0-9a-f]+)(?:-([0-9a-f]+))?(?=\s)")
_HTML_TAG_OR_SCRIPT_PATTERN = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.DOTALL)
PdfPrinter = Callable[[Path, Path], None]


def require_html_to_pdf_function() -> PdfPrinter:
    """A function (HTML file, PDF file) -> None. Raises WrongUse if no program is installed."""
    browser = find_browser_path()
    if browser is not None:
        return partial(print_with_chromium, browser)
    if find_spec("weasyprint") is not None:
        return print_with_weasyprint
    raise WrongUse(
        "no program that makes PDFs is installed; install Chromium or WeasyPrint (pip install weasyprint), "
        "or print the HTML files from a browser"
    )


def find_browser_path() -> str | None:
    """The path of an installed Chromium or of a browser built on it; None if there is none."""
    return next((path for name in BROWSER_COMMANDS if (path := shutil.which(name))), None)


def chars_without_font(html_files: Sequence[Path]) -> list[str]:
    """The characters in HTML files that no installed font has, in order; empty without fontconfig's `fc-list`."""
    font_lister = shutil.which("fc-list")
    if font_lister is None:
        return []
    listing = subprocess.run([font_lister, ":", "charset"], capture_output=True, text=True, check=False).stdout
    spans = [(int(first, 16), int(last or first, 16)) for first, last in _CHARSET_RANGE_PATTERN.findall(listing)]
    texts = (_HTML_TAG_OR_SCRIPT_PATTERN.sub("", source.read_text(encoding="utf-8")) for source in html_files)
    symbols = sorted({c for text in texts for c in text if not c.isascii() and unicodedata.category(c)[0] not in "CZM"})
    return [c for c in symbols if not any(first <= ord(c) <= last for first, last in spans)]


def try_join_pdfs(pdf_files: Sequence[Path], joined_file: Path) -> bool:
    """Writes all pages of the PDF files into `joined_file`, each file from the front of a leaf, for a printer that uses
    both sides. Returns False if the library for it is not installed. Raises Unreadable."""
    if find_spec("pypdfium2") is None:
        return False
    pdfium = import_module("pypdfium2")
    target = pdfium.PdfDocument.new()
    try:
        for source in pdf_files:
            part = pdfium.PdfDocument(source)
            if len(target) % 2:
                target.new_page(*part[0].get_size()).close()
            target.import_pages(part)
            part.close()
        target.save(joined_file)
    except (pdfium.PdfiumError, OSError) as error:
        raise Unreadable(f"{joined_file.name} could not be put together: {error}") from None
    finally:
        target.close()
    return True


def print_with_weasyprint(html_file: Path, pdf_file: Path) -> None:
    """Prints a page to PDF. WeasyPrint has no MathML; a style sheet sets fractions, roots and exponents instead."""
    weasyprint = import_module("weasyprint")
    sheet = (data_folders.shipped_folder_path("templates") / "css/weasyprint.css").read_text(encoding="utf-8")
    # A page contains all that it shows, and an image must not read a file of this machine or an address in its network.
    fetcher = weasyprint.urls.URLFetcher(allowed_protocols=("data",), allow_redirects=False)
    page = weasyprint.HTML(filename=str(html_file), base_url="about:blank", url_fetcher=fetcher)
    page.write_pdf(str(pdf_file), stylesheets=[weasyprint.CSS(string=sheet)])


def print_with_chromium(browser_path: str, html_file: Path, pdf_file: Path) -> None:
    """Prints the page `html_file` to the PDF `pdf_file` with the browser at this path. Raises Unreadable."""
    with tempfile.TemporaryDirectory(prefix="quizgen-pdf-") as profile:
        command = [
            browser_path, "--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
            "--disable-background-networking", "--disable-component-update", "--no-pdf-header-footer",
            f"--user-data-dir={profile}", f"--print-to-pdf={pdf_file.resolve()}", html_file.resolve().as_uri(),
        ]  # fmt: skip
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.insert(1, "--no-sandbox")  # otherwise Chromium refuses to start as root
        try:
            run = subprocess.run(command, capture_output=True, timeout=MAX_PRINT_SECONDS_PER_FILE, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Unreadable(f"{browser_path} made no PDF of {html_file.name}: {error}") from None
    if run.returncode != 0 or not pdf_file.is_file():
        raise Unreadable(f"{browser_path} made no PDF of {html_file.name} (exit code {run.returncode}); run it by hand")
