"""What all kinds of items share: the fields that every item may have, and the item in a form that other programs
take."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

from quizgen.model import Mark
from quizgen.numbers.answer import EMPTY_LEXICON, UnitLexicon
from quizgen.source.problems import Fields, Node, Problem, did_you_mean, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction

    from quizgen.model import Item, Variant
    from quizgen.portable_item import PortableItem
    from quizgen.stimuli import SharedStimulus

ITEM_ID_PATTERN = re.compile(r"[a-z0-9][a-z0-9-]*")
MAX_ITEM_ID_CHARACTERS = 200

SHARED_FIELDS = (
    "id", "kind", "stem", "topic", "difficulty", "seconds", "lines", "source", "rationale", "hints", "given",
    "follow_ups", "points", "status", "skill", "todo", "stimulus", "figure", "draw_figure", "solution_figure",
)  # fmt: skip

# Fields of an item that the neutral form of a variant copies.
PORTABLE_FIELDS = ("id", "kind", "stem", "points", "seconds", "topic", "difficulty", "rationale", "source", "hints")

# Optional, but an item without them teaches less, so `check` warns.
RECOMMENDED_FIELDS = ("rationale", "source", "difficulty", "seconds", "topic")


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The names outside an item that it may refer to: the defaults of its file and the formulas, constants, items,
    stimuli of its bank.

    `find_formula(name)` and `find_item(name)` are None for an unknown name. `input_by_name_of_faulty_formula(name)`
    maps to None an input that cannot be read. `is_item_file_read_alone`: without its bank, so errors of a formula
    elsewhere in the bank are not reported there. `is_refused_item(name)`: it has errors, which are reported already.
    `had_no_file_problems_when_indexed`: the file had none, and the places of an item's parts are not kept."""

    default_topic: str = ""
    synonyms_by_word: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    find_formula: Callable[[str], Any] = lambda name: None
    load_formula_names: Callable[[], tuple[str, ...]] = tuple
    input_by_name_of_faulty_formula: Callable[[str], Mapping[str, Any]] = field(default=lambda name: {})
    load_constant_by_name: Callable[[], Mapping[str, Any]] = dict
    is_item_file_read_alone: bool = False
    find_item: Callable[[str], Item | None] = field(default=lambda name: None)
    is_refused_item: Callable[[str], bool] = field(default=lambda name: False)
    stimulus_by_id: Mapping[str, SharedStimulus] = field(default_factory=dict)
    had_no_file_problems_when_indexed: bool = False
    unit_lexicon: UnitLexicon = EMPTY_LEXICON  # spellings of what the bank counts


_OPTIONAL_TEXT_FIELDS = ("topic", "source", "rationale", "skill")
_TEXT_LIST_FIELDS = ("hints", "given", "follow_ups", "todo")
# Bounds of whole numbers; for other numbers the largest value, the rule in words and an example.
_BOUNDS_BY_WHOLE_NUMBER_FIELD = {"difficulty": (1, 5), "lines": (0, 60)}
_MAXIMUM_AND_MESSAGES_BY_NUMBER_FIELD = {
    "seconds": (86_400, "seconds must be above 0 and at most 86400", "write a time budget such as 60"),
    "points": (1000, "points must be above 0 and at most 1000", "write 1 or 0.5"),
}
# Field of an item file -> attribute of `Item`, where the names differ.
_ITEM_ATTRIBUTE_BY_FIELD = {
    "given": "facts_on_request",
    "follow_ups": "follow_up_ids",
    "lines": "answer_line_count",
    "draw_figure": "stem_figure",
}


def read_shared_fields(node: Node, fields: Fields, scope: KnownNames, needs_stem: bool = True) -> dict[str, Any] | None:
    """The fields that all kinds share, as keyword arguments for the item's class. Every mistake is reported on its
    node; returns None if the id, the stem or the stimulus cannot be used."""
    name, stem = _read_item_id(node, fields), fields.text("stem")
    if needs_stem and "stem" not in fields and not fields.is_missing_as_misspelt("stem"):
        node.report("stem is missing in the item", "add `stem: …`")
    shared_fields: dict[str, Any] = {"id": name, "stem": stem.rstrip("\n"), "location": node.location}
    shared_fields |= {"topic": scope.default_topic, "authored_field_names": tuple(fields)}
    has_named_formula = "formula" in fields and fields["formula"].shape == "text"
    shared_fields["skill"] = str(fields["formula"].value).strip() if has_named_formula else name
    shared_fields |= _read_text_and_number_fields(fields)
    shared_fields["status"] = fields.allowed_word("status", ("active", "draft", "retired")) or "active"
    for drawing in sorted({"draw_figure", "solution_figure"} & fields.keys()):
        from quizgen.figures import read_figure_spec  # few items have a figure

        shared_fields[_ITEM_ATTRIBUTE_BY_FIELD.get(drawing, drawing)] = read_figure_spec(fields[drawing])
    if "figure" in fields:
        from quizgen.stimuli import figure_alt_and_path_or_empty

        shared_fields["image_alt_and_path"] = figure_alt_and_path_or_empty(fields["figure"])
    is_usable = bool(name) and (bool(stem) or not needs_stem)
    if stimulus := fields.text("stimulus").strip():
        shared_fields["stimulus"] = scope.stimulus_by_id.get(stimulus)
        if stimulus not in scope.stimulus_by_id:
            hint = did_you_mean(stimulus, scope.stimulus_by_id) or "write it under `stimuli:` of the same file"
            fields["stimulus"].report(f'no stimulus "{shorten(stimulus)}"', hint)
            is_usable = False
    return shared_fields if is_usable else None


def _read_text_and_number_fields(fields: Fields) -> dict[str, Any]:
    """The fields that are texts, lists of texts or numbers, without those that the item does not have and numbers that
    are out of bounds."""
    values: dict[str, Any] = {one: fields.text(one).strip() for one in _OPTIONAL_TEXT_FIELDS if one in fields}
    values |= {_ITEM_ATTRIBUTE_BY_FIELD.get(one, one): fields.texts(one) for one in _TEXT_LIST_FIELDS if one in fields}
    for before, after in chain.from_iterable(pairwise(fields.entries(one)) for one in ("hints", "given")):
        if before.line == after.line and before.is_unquoted and after.is_unquoted and str(after.value)[:1].islower():
            after.report("a comma ends the text before this", "put text with a comma in quotes", "warning")
    for name, bounds in _BOUNDS_BY_WHOLE_NUMBER_FIELD.items():
        if name in fields:
            values[_ITEM_ATTRIBUTE_BY_FIELD.get(name, name)] = fields[name].whole_number_between(name, *bounds)
    for name, (highest, rule, hint) in _MAXIMUM_AND_MESSAGES_BY_NUMBER_FIELD.items():
        number = fields.number(name)
        if number is not None and not 0 < number <= highest:
            fields[name].report(rule, hint)
        elif number is not None:
            values[name] = max(1, round(number)) if name == "seconds" else number
    return values


def _read_item_id(node: Node, fields: Fields) -> str:
    """The item's id, or an empty text after reporting why it cannot be used."""
    name, message = fields.text("id"), ""
    if "id" not in fields:
        node.report("id is missing in the item", "add `id: a-stable-name`")
    elif name and not ITEM_ID_PATTERN.fullmatch(name):
        message = "id may hold only a-z, 0-9 and -, and may not begin with -"
    if len(name) > MAX_ITEM_ID_CHARACTERS:
        message = f"id is longer than {MAX_ITEM_ID_CHARACTERS} characters"
    if message:
        fields["id"].report(message, "write it like zero2-memory")
    return "" if message else name


def are_placeholders_known(stem_node: Node, printable_names: Collection[str]) -> bool:
    """Whether every {name} in the stem is one of `printable_names`, the values that are drawn or fixed. Reports each
    that is not."""
    from quizgen.stimuli import PLACEHOLDER_PATTERN

    text = re.sub(r"(\$\$?)[^$]*\1", lambda m: " " * len(m[0]), str(stem_node.value))
    unknown_matches = [match for match in PLACEHOLDER_PATTERN.finditer(text) if match[1] not in printable_names]
    for match in unknown_matches:
        names_text = ", ".join(sorted(printable_names)) or "nothing"
        hint = did_you_mean(match[1], printable_names) or f"drawn or fixed: {names_text}"
        stem_node.report_at_offset(match.start(), f'"{match[0]}" in the stem is not drawn', hint)
    return not unknown_matches


def report_missing_field(node: Node, fields: Fields, name: str, hint: str, verb: str = "is") -> None:
    """Reports that the item `node` lacks a required field, unless its name is misspelt; a draft may lack it."""
    if not fields.is_missing_as_misspelt(name):
        node.report(f"{name} {verb} missing in the item", hint, "warning" if has_draft_status(fields) else "error")


def has_draft_status(fields: Fields) -> bool:
    """Whether the fields say `status: draft`."""
    return "status" in fields and fields["status"].value == "draft"


def single_mark_of_item(item: Item, criterion: str, points: Fraction, reason: str) -> Mark:
    """The only mark of a response to an item that is scored as a whole."""
    status = "found" if points == item.points else "partial" if points else "missing"
    return Mark(criterion, points, item.points, reason, status)


def portable_variant(variant: Variant, **overrides: Any) -> PortableItem:
    """The variant in the form that other programs take: its item's shared fields, with `overrides` on top of them. The
    last block of its prompt must be the response area, which is left out."""
    from quizgen.portable_item import PortableItem
    from quizgen.stimuli import text_with_drawn_values

    item, values = variant.item, variant.stimulus_values()
    fields: dict[str, Any] = {name: getattr(item, name) for name in PORTABLE_FIELDS} | {
        "previous_part_id": item.previous_part_id,
        "facts_on_request": item.facts_on_request,
        "follow_ups": item.follow_up_ids,
        "drawn_values": {**values, **variant.drawn_log_values()},
        "prompt_blocks": variant.prompt()[:-1],
        **overrides,
    }
    fields["steps"] = (*fields.get("steps", ()), *variant.figure_blocks(in_solution=True))
    if stimulus := item.stimulus:
        alt, path = stimulus.image_alt_and_path
        text, stem = (text_with_drawn_values(t, values, stimulus.bank_units) for t in (stimulus.text, fields["stem"]))
        fields["stem"] = "\n\n".join(filter(None, (text, f"![{alt}](<{path}>)" if path else "", stem)))
        fields["stimulus_id"] = stimulus.id
    return PortableItem(**fields)


def missing_field_and_todo_warnings(item: Item) -> Iterator[Problem]:
    """Yields one warning for all recommended fields that the author did not write, and one for each todo of the
    item."""
    field_names = (*item.authored_field_names, *(["topic"] if item.topic else []))  # a file may give its items a topic
    if names := [name for name in RECOMMENDED_FIELDS if name not in field_names]:
        message = f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} missing"
        yield Problem(item.location, message, f"add {', '.join(f'`{name}:`' for name in names)}", item.id, "warning")
    for open_end in item.todo:
        yield Problem(item.location, f"todo: {open_end}", "do it, then remove it from the list", item.id, "warning")
