"""Reads blueprint files: the items of a form, its time, and the advice of its bands."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction

from quizgen.model import MAX_FORM_MINUTES, Blueprint, ScoreBand, Section
from quizgen.source.problems import Node, did_you_mean, shorten

BLUEPRINT_FIELDS = ("title", "minutes", "sections", "pass", "bands", "grades", "institution", "logo", "instructions")
SECTION_FIELDS = ("topic", "kind", "difficulty", "count", "points", "include", "exclude", "title", "instructions")


def read_blueprint(top_node: Node, name: str, known_item_kinds: Collection[str]) -> Blueprint | None:
    """The blueprint in a file's top node; None if errors were reported. `known_item_kinds` are the kinds that exist."""
    fields = top_node.fields(BLUEPRINT_FIELDS, "a blueprint")
    if "sections" not in fields:
        if not fields.is_missing_as_misspelt("sections"):
            top_node.report("sections are missing in the blueprint", "add `sections:` with a list")
        return None
    sections = tuple(_read_section(node, known_item_kinds) for node in fields["sections"].entries("sections"))
    if fields["sections"].value == []:
        fields["sections"].report("sections is an empty list", "write `- {count: 10}` for any ten items")
    minutes = fields.number("minutes")
    if minutes is not None and not 0 < minutes <= MAX_FORM_MINUTES:
        message = f"minutes must be above 0 and at most {MAX_FORM_MINUTES}"
        fields["minutes"].report(message, "write the time in minutes, such as 45")
        minutes = None
    return Blueprint(
        name=name,
        title=fields.text("title") if "title" in fields else name,
        sections=sections,
        minutes=minutes,
        pass_share=fields["pass"].share("pass") if "pass" in fields else None,
        score_bands=_read_score_bands(fields, "bands"),
        grade_bands=_read_score_bands(fields, "grades"),
        institution_name=fields.text("institution"),
        logo_path=fields.text("logo"),
        logo_field_location=fields["logo"].location if "logo" in fields else None,
        instruction_texts=fields.texts("instructions"),
    )


def _read_section(node: Node, known_item_kinds: Collection[str]) -> Section:
    """The section in `node`; `known_item_kinds` are the kinds of item that there are."""
    fields = node.fields(SECTION_FIELDS, "a section")
    kinds = fields.texts("kind")
    for kind in kinds:
        if kind not in known_item_kinds:
            hint = did_you_mean(kind, known_item_kinds) or f"one of: {', '.join(known_item_kinds)}"
            fields["kind"].report(f'unknown kind "{shorten(kind)}"', hint)
    difficulties = fields.entries("difficulty")
    points = fields.number("points")
    if points is not None and points <= 0:
        fields["points"].report("points must be above 0", "write 1 or 0.5")
        points = None
    return Section(
        topics=fields.texts("topic"),
        kinds=kinds,
        difficulties=tuple(d for n in difficulties if (d := n.whole_number_between("difficulty", 1, 5)) is not None),
        item_count=fields["count"].whole_number_between("count", 1, 10_000) if "count" in fields else None,
        points_per_item=points,
        required_ids=fields.texts("include"),
        excluded_ids=fields.texts("exclude"),
        title=fields.text("title"),
        instructions=fields.text("instructions"),
        location=node.location,
    )


def _read_score_bands(fields: Mapping[str, Node], field_name: str) -> tuple[ScoreBand, ...]:
    """The bands in the field `field_name` (bands or grades), lowest first."""
    bands: dict[Fraction, ScoreBand] = {}
    for node in fields[field_name].entries(field_name) if field_name in fields else ():
        band_fields = node.fields(("from", "name", "advice"), "a band")
        if "from" not in band_fields or "name" not in band_fields:
            node.report("a band needs `from` and `name`", "write {from: 90%, name: …, advice: …}")
        elif (start := band_fields["from"].share("from")) is not None:
            band = ScoreBand(start, band_fields.text("name"), band_fields.text("advice"))
            if (first := bands.setdefault(start, band)) is not band:
                percentage = f"{float(start) * 100:g}%"
                node.report(f"{first.name} and {band.name} both begin at {percentage}", "correct one of them")
    return tuple(bands[start] for start in sorted(bands))
