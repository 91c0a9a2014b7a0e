"""QTI 1.2 in the dialect of Canvas, and QTI 2.1: exported as packages with a manifest, and imported."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, BinaryIO
from xml.etree.ElementTree import Element

from quizgen.interchange import contract
from quizgen.interchange import import_drafts as drafts
from quizgen.interchange.contract import CannotRead, ExportContext, ImportedItem, Importer
from quizgen.interchange.export import id_stable_across_exports, render_export_template
from quizgen.interchange.files import inner_xml_text, parse_xml, text_at_path, unzip_chosen, zip_bytes, zip_entry_names
from quizgen.interchange.html_text import HTML_LIBRARY_AND_EXTRA, html_to_markdown, solution_fields
from quizgen.portable_item import PortableItem, PortableNumber, decimal
from quizgen.source.problems import read_decimal


def write_items_as_qti12(items: Sequence[PortableItem], context: ExportContext, out: BinaryIO) -> None:
    """Writes the items to `out` as a package of QTI 1.2 for Canvas."""
    quiz = id_stable_across_exports(context, "assessment")
    names = {"qti12.xml": f"{quiz}/{quiz}.xml", "qti12-meta.xml": f"{quiz}/assessment_meta.xml"}
    names["qti12-manifest.xml"] = "imsmanifest.xml"
    texts = {path: render_export_template(name, context, items=items, quiz=quiz) for name, path in names.items()}
    out.write(zip_bytes({path: text.encode() for path, text in texts.items()}))


def write_items_as_qti21(items: Sequence[PortableItem], context: ExportContext, out: BinaryIO) -> None:
    """Writes the items to `out` as a package of QTI 2.1, one file an item."""
    texts = {f"items/{p.id_with_variant}.xml": render_export_template("qti21.xml", context, item=p) for p in items}
    texts["imsmanifest.xml"] = render_export_template("qti21-manifest.xml", context, items=items)
    out.write(zip_bytes({path: text.encode() for path, text in texts.items()}))


QTI12_EXPORTER = contract.Exporter(1, ".zip", contract.load_interchange_toml("carries")["qti12"], write_items_as_qti12)
QTI21_EXPORTER = contract.Exporter(1, ".zip", contract.load_interchange_toml("carries")["qti21"], write_items_as_qti21)


# Reading QTI 1.2 (Canvas, text2qti) and 2.x, from a file or a package.

# Several responses to one stem, each with its own text or place: one item per response.
_QUESTION_TYPES_SPLIT_BY_ROW = ("matching_question", "multiple_dropdowns_question", "fill_in_multiple_blanks_question")
_ONE_ITEM_TYPE_PREFIXES = "multiple_choice", "true_false", "multiple_answers", "essay", "short_answer", "numerical"
_QUESTION_TYPES_READ_AS_ONE_ITEM = ("", *map("{}_question".format, _ONE_ITEM_TYPE_PREFIXES))


def qti_likelihood(data: bytes, suffix: str) -> float:
    if data[:2] == b"PK":
        return 1.0 if "imsmanifest.xml" in zip_entry_names(data) else 0.0
    return 1.0 if re.search(rb"<(questestinterop|assessmentItem|assessmentTest)[\s>]", data[:4000]) else 0.0


def _qti_items_or_reasons_at_line_0(data: bytes) -> Iterator[tuple[int, ImportedItem | str]]:
    """Yields (0, item) or (0, reason why it cannot be read) of a package or of one XML file. Raises CannotRead for a
    file by itself that is damaged."""
    is_package = data[:2] == b"PK"
    files = unzip_chosen(data, lambda name: name.endswith(".xml")) if is_package else {"": data}
    for path in sorted(files):
        try:
            root = parse_xml(files[path])
        except CannotRead as error:
            if not is_package:
                raise
            yield 0, f"{path}: {error}"
            continue
        if root.tag == "questestinterop":
            for node in root.iter("item"):
                yield from ((0, piece) for piece in _items_or_reasons_of_qti1_element(node))
        elif root.tag == "assessmentItem":
            yield 0, _item_or_reason_of_qti2_element(root)


def _material_html(node: Element | None) -> str:
    """The HTML of a `material` element."""
    return "".join(n.text or "" for n in node.iter("mattext")) if node is not None else ""


def _items_or_reasons_of_qti1_element(node: Element) -> Iterator[ImportedItem | str]:
    """Yields the item or items of a QTI 1.2 item, or the reason why it cannot be read."""
    name: str = node.get("title") or node.get("ident") or ""
    fields = {text_at_path(f, "fieldlabel"): text_at_path(f, "fieldentry") for f in node.iter("qtimetadatafield")}
    kind = fields.get("question_type", "")
    feedback_by_id = {n.get("ident", ""): _material_html(n) for n in node.iter("itemfeedback")}
    texts = solution_fields(feedback_by_id.get("general_fb", ""))
    shared_fields = {"name": name, "points": fields.get("points_possible", ""), **texts}
    stem = html_to_markdown(_material_html(node.find("presentation/material")))
    conditions = [_ScoreRule.from_element(condition) for condition in node.iter("respcondition")]
    responses = list(node.iter("response_lid"))
    if kind in _QUESTION_TYPES_SPLIT_BY_ROW and responses:
        rules = (one for one in conditions if one.points_percent > 0)
        pairs = {pair for one in rules for pair in zip(one.response_id_per_value, one.required_values, strict=True)}
        rows = []
        for response in responses:
            ident, nodes = response.get("ident", ""), response.iter("response_label")
            row = html_to_markdown(_material_html(response.find("material"))) or ident.removeprefix("response_")
            labels = [(html_to_markdown(_material_html(n)), (ident, n.get("ident", "")) in pairs) for n in nodes]
            rows.append((row, labels))
        yield from drafts.items_of_multi_row_question(stem, kind.replace("_", " "), rows, **shared_fields)
    elif kind in _QUESTION_TYPES_SPLIT_BY_ROW:
        yield drafts.unsupported_kind_reason(name, "question without responses")
    elif kind not in _QUESTION_TYPES_READ_AS_ONE_ITEM or len(responses) > 1:
        yield drafts.unsupported_kind_reason(name, kind.replace("_", " ") or "question with several responses")
    else:
        if kind == "numerical_question":
            answer = _qti1_number_fields_of_rules(conditions)
        elif kind == "short_answer_question":
            texts_and_percents = ((text, one.points_percent) for one in conditions for text in one.required_values)
            answer = drafts.text_fields_of_answers((t.replace("*", "\\*"), n, "") for t, n in texts_and_percents)
        else:
            answer = _qti1_options_to_fields(node, conditions, feedback_by_id)
        yield drafts.imported_item(stem, **{**shared_fields, **answer})


def _qti1_options_to_fields(
    node: Element, conditions: list[_ScoreRule], feedback_by_id: dict[str, str]
) -> dict[str, Any]:
    """The fields of options, whose policy is all keys together, or each key by itself. `feedback_by_id`: the feedback
    in HTML, by `IDENT_fb` for the option IDENT."""
    percent_by_ident: dict[str, Fraction] = {}
    for rule in conditions:
        for ident in rule.required_values if rule.points_percent else ():
            percent_by_ident[ident] = rule.points_percent + (percent_by_ident.get(ident, 0) if rule.adds_points else 0)
    policy = "net" if any(rule.adds_points for rule in conditions) else "all"
    for rule in conditions[::-1]:  # the first condition that requires several options at once counts alone
        if rule.points_percent > 0 and len(rule.required_values) > 1 and len(set(rule.response_id_per_value)) == 1:
            percent_by_ident, policy = dict.fromkeys(rule.required_values, rule.points_percent), "all"
    rows = []
    for label in node.iterfind(".//response_label[material]"):
        ident = label.get("ident", "")
        say = html_to_markdown(feedback_by_id.get(f"{ident}_fb", ""))
        rows.append((html_to_markdown(_material_html(label)), percent_by_ident.get(ident, Fraction(0)), say))
    allows_several = any(n.get("rcardinality", "").lower() == "multiple" for n in node.iter("response_lid"))
    return drafts.choice_fields_of_answers(rows, allows_several, policy)


def _qti1_number_fields_of_rules(conditions: list[_ScoreRule]) -> dict[str, Any]:
    """The fields of a number from conditions that name a value, limits, or both. Limits only count if the value is not
    in their middle."""
    rows: list[tuple[str, Fraction | None, Fraction, Fraction, str]] = []
    doubts = []
    for rule in (condition for condition in conditions if condition.points_percent > 0):
        value = next((v for text in rule.required_values if (v := read_decimal(text)) is not None), None)
        low, high = rule.optional_lower_and_upper_limit
        span, margin = "a limit alone", Fraction(0)
        if low is not None and high is not None:
            middle, margin, span = (low + high) / 2, abs(high - low) / 2, f"{decimal(low)} to {decimal(high)}"
            # A smaller distance only reflects the digits written.
            if value is not None and abs(value - middle) > margin / 1000:
                key = f"the middle of it, {decimal(middle)}, within {decimal(margin)}"
                doubts.append(f"{span} is right: the key is {key}")
                value = None
            value = middle if value is None else value
        rows.append((", ".join(rule.required_values) or span, value, margin, rule.points_percent, ""))
    fields = drafts.numeric_fields_of_answers(rows)
    return {**fields, "todo": [*doubts, *fields["todo"]]}


@dataclass(frozen=True, slots=True)
class _ScoreRule:
    """A `respcondition` of QTI 1.2: its `required_values`, each with its response in `response_id_per_value`; the lower
    and the upper limit of a number; and `points_percent`, the points in percent, which replace those of earlier
    conditions or, with `adds_points`, are added to them."""

    required_values: tuple[str, ...]
    response_id_per_value: tuple[str, ...]
    optional_lower_and_upper_limit: tuple[Fraction | None, Fraction | None]
    points_percent: Fraction
    adds_points: bool

    @classmethod
    def from_element(cls, node: Element) -> _ScoreRule:
        negated_ids = {id(n) for negation in node.iter("not") for n in negation.iter("varequal")}
        nodes = [n for n in node.iter("varequal") if id(n) not in negated_ids]
        low, high = (text_at_path(node, f".//{tag}te") or text_at_path(node, f".//{tag}t") for tag in ("varg", "varl"))
        score = next(node.iter("setvar"), Element("setvar"))
        return cls(
            tuple((n.text or "").strip() for n in nodes),
            tuple(n.get("respident", "") for n in nodes),
            (read_decimal(low), read_decimal(high)),
            read_decimal((score.text or "").strip()) or Fraction(0),
            score.get("action", "").lower() == "add",
        )


def _item_or_reason_of_qti2_element(root: Element) -> ImportedItem | str:
    """The item of a QTI 2.x item, or the reason why it cannot be read."""
    name: str = root.get("title") or root.get("identifier") or ""
    body = root.find("itemBody")
    interactions = [n for n in root.iter() if n.tag.endswith("Interaction")]
    if len(interactions) > 1:
        return drafts.unsupported_kind_reason(name, "question with several parts")
    if body is None or not interactions:
        return drafts.unsupported_kind_reason(name, "text without an interaction")
    interaction, tag = interactions[0], interactions[0].tag
    if tag not in ("choiceInteraction", "textEntryInteraction", "extendedTextInteraction"):
        return drafts.unsupported_kind_reason(name, f"{tag.removesuffix('Interaction')} question")
    feedback_by_id = {n.get("identifier", ""): inner_xml_text(n) for n in root.iter("modalFeedback")}
    read_fields = _qti2_choice_to_fields if tag == "choiceInteraction" else _qti2_entry_to_fields
    fields = read_fields(root, interaction, feedback_by_id)
    texts = solution_fields(feedback_by_id.get("solution", ""))
    marking = solution_fields("".join(inner_xml_text(part) for block in body.iter("rubricBlock") for part in block))
    texts |= {name: marking[name] or texts[name] for name in ("model_answer", "criteria")}
    is_drawn = root.find("templateDeclaration") is not None
    todo = ["its values are drawn in the source: here they are fixed"] if is_drawn else []
    # Without the interaction, and without the parts that only a scorer sees.
    parts = [c for c in body if c.tag != "rubricBlock" and not any(n.tag.endswith("Interaction") for n in c.iter())]
    stem = "".join(f"<{c.tag}>{inner_xml_text(c)}</{c.tag}>" for c in parts) + text_at_path(interaction, "prompt")
    return drafts.imported_item(
        html_to_markdown(stem),
        name=name,
        points=text_at_path(root, ".//outcomeDeclaration[@identifier='MAXSCORE']/defaultValue/value"),
        **{**texts, **fields, "todo": [*todo, *fields.get("todo", ())]},
    )


def _correct_responses_and_mapped_points(root: Element) -> tuple[list[str], dict[str, Fraction]]:
    """The correct responses of a QTI 2.x item, and the points of each response that its mapping lists."""
    keys = [(n.text or "").strip() for n in root.findall("responseDeclaration/correctResponse/value")]
    entries = root.findall("responseDeclaration/mapping/mapEntry")
    return keys, {n.get("mapKey", ""): read_decimal(n.get("mappedValue", "")) or Fraction(0) for n in entries}


def _qti2_choice_to_fields(root: Element, interaction: Element, feedback_by_id: dict[str, str]) -> dict[str, Any]:
    """The fields of options, from the correct responses or else the mapping; a mapping also sets the policy."""
    keys, mapping = _correct_responses_and_mapped_points(root)
    shares = dict.fromkeys(keys, Fraction(100)) if keys else {n: share * 100 for n, share in mapping.items()}
    rows, nodes = [], list(interaction.iter("simpleChoice"))
    for node in nodes:
        name, remarks = node.get("identifier", ""), []
        for remark in node.iter("feedbackInline"):  # it is no part of the option, but the text after it is
            remarks.append(inner_xml_text(remark))
            remark.tag, remark.text, remark[:] = "span", None, []
        say = html_to_markdown(feedback_by_id.get(name) or " ".join(remarks))
        rows.append((html_to_markdown(inner_xml_text(node)), shares.get(name, Fraction(0)), say))
    fields = drafts.choice_fields_of_answers(
        rows, interaction.get("maxChoices", "1") != "1", "net" if mapping else "all"
    )
    options = list(zip(fields["options"], nodes, strict=True))
    for option, node in options if keys else ():  # the mapping pays other options in part
        share = mapping.get(node.get("identifier", ""), Fraction(0))
        if share > 0 and not option.is_right:
            fields["todo"].append(drafts.lost_credit_todo(option.text, 100 * share / max(mapping.values())))
    fields["options"] = [replace(option, stays_last=node.get("fixed") == "true") for option, node in options]
    return {**fields, "has_fixed_option_order": interaction.get("shuffle") == "false"}


def _qti2_entry_to_fields(root: Element, interaction: Element, feedback_by_id: dict[str, str]) -> dict[str, Any]:
    """The fields of a number, of short answers or of a text, by the declaration of the response."""
    keys, mapping = _correct_responses_and_mapped_points(root)
    top_points = max(mapping.values(), default=Fraction(1)) or Fraction(1)
    shares = {name: 100 * share / top_points for name, share in mapping.items() if name not in keys}
    percents = dict.fromkeys(keys, Fraction(100)) | shares
    answers = [name for name, share in percents.items() if share > 0]
    declaration = root.find("responseDeclaration")
    texts = declaration is not None and declaration.get("baseType") == "string"
    value = read_decimal(answers[0]) if answers else None
    if interaction.tag != "textEntryInteraction" or not answers:
        return {"model_answer": "; ".join(answers)} if answers else {}
    if value is None or texts:
        return drafts.text_fields_of_answers((name, share, "") for name, share in percents.items())
    todo = [drafts.lost_credit_todo(text, percents[text], percents[text] == 100) for text in answers[1:]]
    return {"number": _qti2_portable_number(root, value, feedback_by_id), "todo": todo}


def _qti2_portable_number(root: Element, value: Fraction, feedback_by_id: dict[str, str]) -> PortableNumber:
    """The number with the key `value`, its declared tolerance, and the wrong numbers that have feedback."""
    node = next((n for n in root.iter("equal") if n.find("correct") is not None), root)
    mode, bounds = node.get("toleranceMode"), [*node.get("tolerance", "").split(), ""]
    bound = read_decimal(bounds[0]) or Fraction(0)
    margin = bound if mode == "absolute" else abs(value) * bound / 100 if mode == "relative" else Fraction(0)
    mistakes = []
    for branch in root.iter("responseElseIf"):
        if (number := read_decimal(text_at_path(branch, "equal/baseValue"))) is not None:
            say = feedback_by_id.get(text_at_path(branch, "setOutcomeValue/baseValue"), "")
            mistakes.append((number, html_to_markdown(say)))
    return replace(PortableNumber.from_margin(value, margin), mistakes=tuple(mistakes))


IMPORTER = Importer.from_item_reader(qti_likelihood, _qti_items_or_reasons_at_line_0, HTML_LIBRARY_AND_EXTRA)
