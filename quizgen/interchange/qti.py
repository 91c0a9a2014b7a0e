"""QTI 1.2 in the dialect of Canvas, and QTI 2.1: exported as packages with a manifest, and imported."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, BinaryIO
from xml.etree.ElementTree import Element

from quizgen.interchange.contract import (
    CannotRead,
    ExportContext,
    Exporter,
    ImportedItem,
    Importer,
    ImportResult,
    carried_content_names,
)
from quizgen.interchange.export import render_export_template, stable_id
from quizgen.interchange.files import element_text, inner_markup, parse_xml, read_zip, write_zip, zip_entry_names
from quizgen.interchange.html_text import HTML_LIBRARY_AND_EXTRA, html_to_markdown, solution_fields
from quizgen.interchange.import_drafts import (
    imported_item,
    numeric_item_fields,
    options_from_answer_shares,
    partial_credit_todo,
    short_answer_item_fields,
    unsupported_kind_reason,
)
from quizgen.portable_item import PortableItem, PortableNumber, PortableOption, decimal
from quizgen.source.problems import read_number


def write_qti12(items: Sequence[PortableItem], context: ExportContext, out: BinaryIO) -> None:
    """Writes the items to `out` as a package of QTI 1.2 for Canvas."""
    quiz = stable_id(context, "assessment")
    names = {"qti12.xml": f"{quiz}/{quiz}.xml", "qti12-meta.xml": f"{quiz}/assessment_meta.xml"}
    names["qti12-manifest.xml"] = "imsmanifest.xml"
    files = {
        path: render_export_template(name, context, items=items, quiz=quiz).encode() for name, path in names.items()
    }
    out.write(write_zip(files))


def write_qti21(items: Sequence[PortableItem], context: ExportContext, out: BinaryIO) -> None:
    """Writes the items to `out` as a package of QTI 2.1, one file an item."""
    files = {
        f"items/{item.name}.xml": render_export_template("qti21.xml", context, item=item).encode() for item in items
    }
    files["imsmanifest.xml"] = render_export_template("qti21-manifest.xml", context, items=items).encode()
    out.write(write_zip(files))


QTI12_EXPORTER = Exporter(1, ".zip", carried_content_names("qti12"), write_qti12)
QTI21_EXPORTER = Exporter(1, ".zip", carried_content_names("qti21"), write_qti21)


# Reading QTI 1.2 (Canvas, text2qti) and 2.x, from a file or a package.


# Several responses to one stem, each with its own text or place: one item per response.
_MULTI_RESPONSE_TYPES = ("matching_question", "multiple_dropdowns_question", "fill_in_multiple_blanks_question")
# Common names of interactions that are not read.
_COMMON_NAME_BY_INTERACTION = {
    "orderInteraction": "ordering", "matchInteraction": "matching", "associateInteraction": "matching",
    "gapMatchInteraction": "gap-filling", "inlineChoiceInteraction": "gap-filling", "hotspotInteraction": "hotspot",
    "hottextInteraction": "hot-text", "sliderInteraction": "slider", "uploadInteraction": "upload",
}  # fmt: skip


def qti_likelihood(data: bytes, suffix: str) -> float:
    if data[:2] == b"PK":
        return 1.0 if "imsmanifest.xml" in zip_entry_names(data) else 0.0
    return 1.0 if re.search(rb"<(questestinterop|assessmentItem|assessmentTest)[\s>]", data[:4000]) else 0.0


def read_qti(data: bytes) -> ImportResult:
    files = read_zip(data, lambda name: name.endswith(".xml")) if data[:2] == b"PK" else {"": data}
    return ImportResult.from_pieces(
        (0, item) for name in sorted(files) for item in _items_of_xml_file(name, files[name])
    )


def _items_of_xml_file(path_in_package: str, data: bytes) -> Iterator[ImportedItem | str]:
    """Yields the items of one XML file, or the reasons why they cannot be read. `path_in_package` is the file's path in
    its package; empty for a file by itself, which raises CannotRead if it is damaged."""
    try:
        root = parse_xml(data)
    except CannotRead as error:
        if not path_in_package:
            raise
        yield f"{path_in_package}: {error}"
        return
    if root.tag == "questestinterop":
        for node in root.iter("item"):
            yield from _items_of_qti1_element(node)
    elif root.tag == "assessmentItem":
        yield _item_of_qti2_element(root)


def _material_html(node: Element | None) -> str:
    """The HTML of a `material` element."""
    return "".join(n.text or "" for n in node.iter("mattext")) if node is not None else ""


def _items_of_qti1_element(node: Element) -> Iterator[ImportedItem | str]:
    """Yields the item or items of a QTI 1.2 item, or the reason why it cannot be read."""
    name: str = node.get("title") or node.get("ident") or ""
    fields = {element_text(f, "fieldlabel"): element_text(f, "fieldentry") for f in node.iter("qtimetadatafield")}
    kind = fields.get("question_type", "")
    says = {n.get("ident", ""): _material_html(n) for n in node.iter("itemfeedback")}
    texts = solution_fields(says.get("general_fb", ""))
    shared = {"name": name, "points": fields.get("points_possible", ""), **texts}
    stem = html_to_markdown(_material_html(node.find("presentation/material")))
    conditions = [_ScoringCondition.from_element(condition) for condition in node.iter("respcondition")]
    responses = list(node.iter("response_lid"))
    if kind in _MULTI_RESPONSE_TYPES and responses:
        yield from _items_of_multi_response_question(responses, conditions, stem, shared)
    elif kind in _MULTI_RESPONSE_TYPES:
        yield unsupported_kind_reason(name, "question without responses")
    elif kind not in _QTI1_FIELD_READER_BY_TYPE or len(responses) > 1:
        yield unsupported_kind_reason(name, kind.replace("_", " ") or "question with several responses")
    else:
        yield imported_item(stem, **{**shared, **_QTI1_FIELD_READER_BY_TYPE[kind](node, conditions, says)})


def _qti1_option_fields(
    node: Element, conditions: Sequence[_ScoringCondition], feedback: Mapping[str, str]
) -> dict[str, Any]:
    """The fields of options. `feedback`: the feedback in HTML by its name, `IDENT_fb` for the option IDENT."""
    labels = [n for n in node.iter("response_label") if n.find("material") is not None]
    shares, policy = _option_shares_and_policy(conditions)
    several = any(n.get("rcardinality", "").lower() == "multiple" for n in node.iter("response_lid"))
    rows = []
    for label in labels:
        ident = label.get("ident", "")
        say = html_to_markdown(feedback.get(f"{ident}_fb", ""))
        rows.append((html_to_markdown(_material_html(label)), shares.get(ident, Fraction(0)), say))
    options, todo = options_from_answer_shares(rows, several)
    return {"options": options, "policy": policy, "todo": todo}


def _qti1_short_answer_fields(
    node: Element, conditions: Sequence[_ScoringCondition], feedback: Mapping[str, str]
) -> dict[str, Any]:
    return short_answer_item_fields(
        (text.replace("*", "\\*"), one.points_percent, "") for one in conditions for text in one.required_responses
    )


def _qti1_number_fields(
    node: Element, conditions: Sequence[_ScoringCondition], feedback: Mapping[str, str]
) -> dict[str, Any]:
    """The fields of a number from conditions that name a value, limits, or both. Limits only count if the value is not
    in their middle."""
    rows: list[tuple[str, Fraction | None, Fraction, Fraction, str]] = []
    doubts = []
    for one in (condition for condition in conditions if condition.points_percent > 0):
        value = next((v for text in one.required_responses if (v := read_number(text)) is not None), None)
        name, margin = ", ".join(one.required_responses) or "a limit alone", Fraction(0)
        if one.lowest_value is not None and one.highest_value is not None:
            middle, margin = (one.lowest_value + one.highest_value) / 2, abs(one.highest_value - one.lowest_value) / 2
            span = f"{decimal(one.lowest_value)} to {decimal(one.highest_value)}"
            name = ", ".join(one.required_responses) or span
            if value is None:
                value = middle
            elif abs(value - middle) > margin / 1000:  # a smaller distance only reflects the digits written
                doubts.append(
                    f"{span} is right: the key is the middle of it, {decimal(middle)}, within {decimal(margin)}"
                )
                value = middle
        rows.append((name, value, margin, one.points_percent, ""))
    fields = numeric_item_fields(rows)
    return {**fields, "todo": [*doubts, *fields["todo"]]}


@dataclass(frozen=True, slots=True)
class _ScoringCondition:
    """A `respcondition` of QTI 1.2: its `required_responses`, each of the response in `response_ids`;
    the limits `lowest_value` and `highest_value` of a number; and `points_percent`, the points in percent, which
    replace those of earlier conditions or, with `adds_points`, are added to them."""

    required_responses: tuple[str, ...]
    response_ids: tuple[str, ...]
    lowest_value: Fraction | None
    highest_value: Fraction | None
    points_percent: Fraction
    adds_points: bool

    @classmethod
    def from_element(cls, node: Element) -> _ScoringCondition:
        refused = {id(n) for no in node.iter("not") for n in no.iter("varequal")}
        equal = [n for n in node.iter("varequal") if id(n) not in refused]
        ends = (element_text(node, f".//{tag}te") or element_text(node, f".//{tag}t") for tag in ("varg", "varl"))
        low, high = map(read_number, ends)
        score = next(node.iter("setvar"), None)
        return cls(
            tuple((n.text or "").strip() for n in equal),
            tuple(n.get("respident", "") for n in equal),
            low,
            high,
            read_number((score.text or "").strip() if score is not None else "") or Fraction(0),
            score is not None and score.get("action", "").lower() == "add",
        )


def _option_shares_and_policy(conditions: Sequence[_ScoringCondition]) -> tuple[dict[str, Fraction], str]:
    """The points of each option in percent, and the policy: all keys together, or each key by itself."""
    for one in conditions:
        if one.points_percent > 0 and len(one.required_responses) > 1 and len(set(one.response_ids)) == 1:
            return dict.fromkeys(one.required_responses, one.points_percent), "all"
    shares: dict[str, Fraction] = {}
    for one in conditions:
        for name in one.required_responses if one.points_percent else ():
            shares[name] = shares.get(name, Fraction(0)) + one.points_percent if one.adds_points else one.points_percent
    return shares, "net" if any(one.adds_points for one in conditions) else "all"


def _items_of_multi_response_question(
    responses: Sequence[Element], conditions: Sequence[_ScoringCondition], stem: str, shared: dict[str, Any]
) -> Iterator[ImportedItem]:
    """Yields one item for each response: a choice among its labels, or a short answer if every label is right."""
    earning = (one for one in conditions if one.points_percent > 0)
    right = {pair for one in earning for pair in zip(one.response_ids, one.required_responses, strict=True)}
    worth, todo = read_number(shared["points"]), [f"it was one of {len(responses)} of a question"]
    points = decimal(worth / len(responses)) if worth else ""
    for number, response in enumerate(responses, 1):
        ident = response.get("ident", "")
        labels = [
            (html_to_markdown(_material_html(n)), (ident, n.get("ident", "")) in right)
            for n in response.iter("response_label")
        ]
        row = html_to_markdown(_material_html(response.find("material"))) or ident.removeprefix("response_")
        texts = {**shared, "name": f"{shared['name']} {number}", "todo": todo, "points": points}
        if labels and all(is_right for _, is_right in labels):
            yield imported_item(f"{stem}\n\n{row}: …", accepts=[text for text, _ in labels], **texts)
        else:
            yield imported_item(f"{stem}\n\n{row}", options=[PortableOption(*label) for label in labels], **texts)


def _item_of_qti2_element(root: Element) -> ImportedItem | str:
    """The item of a QTI 2.x item, or the reason why it cannot be read."""
    name: str = root.get("title") or root.get("identifier") or ""
    body = root.find("itemBody")
    interactions = [n for n in root.iter() if n.tag.endswith("Interaction")]
    if body is None or len(interactions) != 1 or interactions[0].tag not in _QTI2_FIELD_READER_BY_INTERACTION:
        return unsupported_kind_reason(name, _unsupported_type_name(interactions))
    interaction = interactions[0]
    says = {n.get("identifier", ""): inner_markup(n) for n in root.iter("modalFeedback")}
    fields = _QTI2_FIELD_READER_BY_INTERACTION[interaction.tag](root, interaction, says)
    texts = solution_fields(says.get("solution", ""))
    marking = solution_fields("".join(inner_markup(part) for block in body.iter("rubricBlock") for part in block))
    texts |= {name: marking[name] or texts[name] for name in ("model_answer", "criteria")}
    drawn = root.find("templateDeclaration") is not None
    todo = ["its values are drawn in the source: here they are fixed"] if drawn else []
    return imported_item(
        html_to_markdown(_stem_html(body) + element_text(interaction, "prompt")),
        name=name,
        points=element_text(root, ".//outcomeDeclaration[@identifier='MAXSCORE']/defaultValue/value"),
        **{**texts, **fields, "todo": [*todo, *fields.get("todo", ())]},
    )


def _unsupported_type_name(interactions: Sequence[Element]) -> str:
    """The usual name of an item with these interactions, none of which this reader supports."""
    if len(interactions) == 1:
        tag = interactions[0].tag
        return f"{_COMMON_NAME_BY_INTERACTION.get(tag, tag.removesuffix('Interaction'))} question"
    return "question with several parts" if interactions else "text without an interaction"


def _correct_and_mapped_responses(root: Element) -> tuple[list[str], dict[str, Fraction]]:
    """The correct responses of a QTI 2.x item, and the points of each response that its mapping lists."""
    right = [(n.text or "").strip() for n in root.findall("responseDeclaration/correctResponse/value")]
    entries = root.findall("responseDeclaration/mapping/mapEntry")
    return right, {n.get("mapKey", ""): read_number(n.get("mappedValue", "")) or Fraction(0) for n in entries}


def _qti2_choice_fields(root: Element, interaction: Element, feedback: dict[str, str]) -> dict[str, Any]:
    """The fields of options, from the correct responses or else the mapping; a mapping also sets the policy."""
    right, mapped = _correct_and_mapped_responses(root)
    shares = dict.fromkeys(right, Fraction(100)) if right else {n: share * 100 for n, share in mapped.items()}
    several = interaction.get("maxChoices", "1") != "1"
    rows, last, nodes = [], [], list(interaction.iter("simpleChoice"))
    for node in nodes:
        name, inside = node.get("identifier", ""), _extract_inline_feedback(node)
        say = html_to_markdown(feedback.get(name) or inside)
        rows.append((html_to_markdown(inner_markup(node)), shares.get(name, Fraction(0)), say))
        last.append(node.get("fixed") == "true")
    options, todo = options_from_answer_shares(rows, several)
    if right:  # the mapping pays other options in part
        most = max(mapped.values(), default=Fraction(0))
        paid = zip(options, (mapped.get(node.get("identifier", ""), Fraction(0)) for node in nodes), strict=True)
        todo += [partial_credit_todo(o.text, 100 * share / most) for o, share in paid if share > 0 and not o.is_right]
    return {
        "options": [replace(option, stays_last=place) for option, place in zip(options, last, strict=True)],
        "policy": "net" if mapped else "all",
        "ordered": interaction.get("shuffle") == "false",
        "todo": todo,
    }


def _extract_inline_feedback(option: Element) -> str:
    """Removes the feedback inside an option and returns it; the text after it stays."""
    remarks = []
    for node in option.iter("feedbackInline"):
        remarks.append(inner_markup(node))
        tail = node.tail
        node.clear()
        node.tag, node.tail = "span", tail
    return " ".join(remarks)


def _qti2_entered_answer_fields(root: Element, interaction: Element, feedback: dict[str, str]) -> dict[str, Any]:
    """The fields of a number, of short answers or of a text, by the declaration of the response."""
    right, mapped = _correct_and_mapped_responses(root)
    most = max(mapped.values(), default=Fraction(1)) or Fraction(1)
    earned = dict.fromkeys(right, Fraction(100)) | {
        n: 100 * share / most for n, share in mapped.items() if n not in right
    }
    taken = [name for name, share in earned.items() if share > 0]
    declared = root.find("responseDeclaration")
    texts = declared is not None and declared.get("baseType") == "string"
    value = read_number(taken[0]) if taken else None
    if interaction.tag != "textEntryInteraction" or not taken:
        return {"model_answer": "; ".join(taken)} if taken else {}
    if value is None or texts:
        return short_answer_item_fields((name, share, "") for name, share in earned.items())
    number = PortableNumber(value, "", _declared_tolerance(root, value), tuple(_known_mistakes(root, feedback)))
    return {
        "number": number,
        "todo": [partial_credit_todo(text, earned[text], earned[text] == 100) for text in taken[1:]],
    }


def _stem_html(body: Element) -> str:
    """The body without the interaction, and without the parts that only a scorer sees."""
    shown = [c for c in body if c.tag != "rubricBlock" and not any(n.tag.endswith("Interaction") for n in c.iter())]
    return "".join(f"<{c.tag}>{inner_markup(c)}</{c.tag}>" for c in shown)


def _declared_tolerance(root: Element, value: Fraction) -> Fraction:
    """The relative tolerance of the key `value`; 0 if the item declares none."""
    equal = next((n for n in root.iter("equal") if n.find("correct") is not None), None)
    if equal is None or equal.get("toleranceMode") not in ("relative", "absolute"):
        return Fraction(0)
    first = read_number((equal.get("tolerance") or "0").split()[0]) or Fraction(0)
    return first / 100 if equal.get("toleranceMode") == "relative" else first / (abs(value) or 1)


def _known_mistakes(root: Element, feedback: dict[str, str]) -> Iterator[tuple[Fraction, str]]:
    """Yields (wrong number, feedback) of each mistake that the item knows."""
    for other in root.iter("responseElseIf"):
        if (value := read_number(element_text(other, "equal/baseValue"))) is not None:
            yield value, html_to_markdown(feedback.get(element_text(other, "setOutcomeValue/baseValue"), ""))


# Readers of the fields of an item: by type in QTI 1.2, by interaction in QTI 2.
_QTI1_CHOICE_TYPES = (
    "",
    "multiple_choice_question",
    "true_false_question",
    "multiple_answers_question",
    "essay_question",
)
_QTI1_FIELD_READER_BY_TYPE: dict[
    str, Callable[[Element, Sequence[_ScoringCondition], Mapping[str, str]], dict[str, Any]]
] = {
    **dict.fromkeys(_QTI1_CHOICE_TYPES, _qti1_option_fields),
    "short_answer_question": _qti1_short_answer_fields,
    "numerical_question": _qti1_number_fields,
}
_QTI2_FIELD_READER_BY_INTERACTION = {
    "choiceInteraction": _qti2_choice_fields,
    **dict.fromkeys(("textEntryInteraction", "extendedTextInteraction"), _qti2_entered_answer_fields),
}

IMPORTER = Importer(1, qti_likelihood, read_qti, HTML_LIBRARY_AND_EXTRA)
