"""All formats by name. A format's module is imported when the format is used."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from quizgen import plugins
from quizgen.interchange.contract import Exporter, Importer
from quizgen.source.problems import WrongUse, did_you_mean

# The module of each format, and the attribute that is not EXPORTER or IMPORTER.
EXPORTER_LOCATION_BY_FORMAT = {
    "anki": "anki", "anki-tsv": "anki:ANKI_TSV_EXPORTER", "moodle": "moodle", "gift": "moodle:GIFT_EXPORTER",
    "qti12": "qti:QTI12_EXPORTER", "qti21": "qti:QTI21_EXPORTER", "csv": "item_rows:CSV_EXPORTER",
    "xlsx": "item_rows:XLSX_EXPORTER", "text": "export:PLAIN_TEXT_EXPORTER", "markdown": "export:TEXT2QTI_EXPORTER",
}  # fmt: skip
IMPORTER_LOCATION_BY_FORMAT = {
    "anki": "anki", "xlsx": "item_rows:XLSX_IMPORTER", "qti": "qti", "moodle": "moodle", "gift": "moodle:GIFT_IMPORTER",
    "anki-tsv": "anki:ANKI_TSV_IMPORTER", "csv": "item_rows:CSV_IMPORTER", "json": "item_rows:JSON_IMPORTER",
    "r-exams": "text_formats:R_EXAMS_IMPORTER", **dict.fromkeys(("text", "aiken", "markdown", "boxes", "headings",
    "obsidian", "org-drill", "confidence", "drill", "solutions", "show-answer"), "text_formats"),
}  # fmt: skip


def load_exporter(format_name: str) -> Exporter:
    """The exporter of a format. Raises WrongUse if the format does not exist or its library is not installed."""
    writer: Exporter = _load_by_name(format_name, EXPORTER_LOCATION_BY_FORMAT, plugins.EXPORTER_GROUP, "EXPORTER", True)
    return writer


def load_importer(format_name: str, requires_library: bool = True) -> Importer:
    """The importer of a format. Its library may be missing if `requires_library` is False. Raises WrongUse."""
    reader: Importer = _load_by_name(
        format_name, IMPORTER_LOCATION_BY_FORMAT, plugins.IMPORTER_GROUP, "IMPORTER", requires_library
    )
    return reader


def _load_by_name(
    format_name: str, location_by_format: dict[str, str], plugin_group: str, attribute: str, requires_library: bool
) -> Any:
    """The Exporter or Importer of a format, from our table or from a plug-in of the entry-point group."""
    if format_name in location_by_format:
        module_name, _, variable = location_by_format[format_name].partition(":")
        module = import_module(f"quizgen.interchange.{module_name}")
        has_grammar = location_by_format[format_name] == "text_formats"
        codec = module.text_format_importer(format_name) if has_grammar else getattr(module, variable or attribute)
    else:
        try:
            codec = plugins.load_plugin(plugin_group, format_name, location_by_format)
        except KeyError:
            names = (*location_by_format, *plugins.plugin_names_in_group(plugin_group))
            hint = did_you_mean(format_name, names) or f"there are: {', '.join(names)}"
            raise WrongUse(f'no format "{format_name}"; {hint}') from None
    library, extra = codec.library_and_extra
    if requires_library and library and find_spec(library) is None:
        raise WrongUse(f"the format {format_name} needs the package {library}: pip install 'quizgen[{extra}]'")
    return codec
