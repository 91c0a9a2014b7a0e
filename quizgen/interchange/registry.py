"""All formats by name. A format's module is imported when the format is used."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from quizgen import plugins
from quizgen.interchange.contract import Exporter, Importer
from quizgen.source.problems import WrongUse, did_you_mean

# The module of each format, and the attribute that is not EXPORTER or IMPORTER.
EXPORTERS = {
    "anki": "anki", "anki-tsv": "anki:TEXT_EXPORTER", "moodle": "moodle", "gift": "moodle:GIFT_EXPORTER",
    "qti12": "qti:QTI12_EXPORTER", "qti21": "qti:QTI21_EXPORTER", "csv": "sheets:CSV_EXPORTER",
    "xlsx": "sheets:XLSX_EXPORTER", "text": "export:TEXT_EXPORTER", "markdown": "export:MARKDOWN_EXPORTER",
}  # fmt: skip
TEXT_FORMAT_NAMES = (
    "text", "aiken", "markdown", "boxes", "headings", "obsidian", "org-drill", "confidence", "drill", "solutions",
    "show-answer",
)  # fmt: skip
IMPORTERS = {
    "anki": "anki", "xlsx": "sheets:XLSX_IMPORTER", "qti": "qti", "moodle": "moodle", "gift": "moodle:GIFT_IMPORTER",
    "anki-tsv": "anki:TEXT_IMPORTER", "csv": "sheets:CSV_IMPORTER", "json": "json_quizzes", "r-exams": "r_exams",
    **dict.fromkeys(TEXT_FORMAT_NAMES, "forms"),
}  # fmt: skip


def load_exporter(format_name: str) -> Exporter:
    """The exporter of a format. Raises WrongUse if the format does not exist or its library is not installed."""
    made: Exporter = _load_format(format_name, EXPORTERS, plugins.EXPORTERS, "EXPORTER", requires_library=True)
    return made


def load_importer(format_name: str, requires_library: bool = True) -> Importer:
    """The importer of a format. Its library may be missing if `requires_library` is False. Raises WrongUse."""
    made: Importer = _load_format(format_name, IMPORTERS, plugins.IMPORTERS, "IMPORTER", requires_library)
    return made


def _load_format(name: str, own_formats: dict[str, str], group: str, attribute: str, requires_library: bool) -> Any:
    """The Exporter or Importer of a format, from our table or from a plug-in of the entry-point group."""
    if name in own_formats:
        module, _, special = own_formats[name].partition(":")
        loaded = import_module(f"quizgen.interchange.{module}")
        made = loaded.text_format_importer(name) if module == "forms" else getattr(loaded, special or attribute)
    else:
        try:
            made = plugins.load_plugin(group, name, own_formats)
        except KeyError:
            known = (*own_formats, *plugins.plugin_names(group))
            hint = did_you_mean(name, known) or f"there are: {', '.join(known)}"
            raise WrongUse(f'no format "{name}"; {hint}') from None
    library, extra = made.needs
    if requires_library and library and find_spec(library) is None:
        raise WrongUse(f"the format {name} needs the package {library}: pip install 'quizgen[{extra}]'")
    return made
