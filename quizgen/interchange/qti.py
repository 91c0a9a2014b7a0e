"""QTI 1.2 as Canvas takes it and QTI 2.1, packages with a manifest, out; `qti_in` reads both."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import BinaryIO
from xml.etree.ElementTree import Element

from quizgen.interchange.archive import inner_html, names_in, packed, text_at, unpacked, xml_of
from quizgen.interchange.contract import About, CannotRead, Exporter, Found, Importer, Read, carried
from quizgen.interchange.html_text import NEEDS, solution_parts, unpage
from quizgen.interchange.import_drafts import made
from quizgen.interchange.templated import filled, stable
from quizgen.portable_item import Plain, PlainNumber, PlainOption
from quizgen.source.problems import read_number


def write12(items: Sequence[Plain], about: About, out: BinaryIO) -> None:
    quiz = stable(about, "assessment")
    names = {"qti12.xml": f"{quiz}/{quiz}.xml", "qti12-meta.xml": f"{quiz}/assessment_meta.xml"}
    names["qti12-manifest.xml"] = "imsmanifest.xml"
    out.write(packed({path: filled(name, about, items=items, quiz=quiz).encode() for name, path in names.items()}))


def write21(items: Sequence[Plain], about: About, out: BinaryIO) -> None:
    files = {f"items/{item.name}.xml": filled("qti21.xml", about, item=item).encode() for item in items}
    files["imsmanifest.xml"] = filled("qti21-manifest.xml", about, items=items).encode()
    out.write(packed(files))


QTI12 = Exporter(1, ".zip", carried("qti12"), write12)
QTI21 = Exporter(1, ".zip", carried("qti21"), write21)


# QTI 1.2 (Canvas, text2qti) and 2.x, a file or a package, in.


_OLD_KINDS = (
    "", "multiple_choice_question", "true_false_question", "multiple_answers_question", "short_answer_question",
    "numerical_question", "essay_question",
)  # fmt: skip
_ASKED = ("choiceInteraction", "textEntryInteraction", "extendedTextInteraction")


def looks(data: bytes, suffix: str) -> float:
    if data[:2] == b"PK":
        return 1.0 if "imsmanifest.xml" in names_in(data) else 0.0
    return 1.0 if re.search(rb"<(questestinterop|assessmentItem|assessmentTest)[\s>]", data[:4000]) else 0.0


def read(data: bytes) -> Read:
    files = unpacked(data, lambda name: name.endswith(".xml")) if data[:2] == b"PK" else {"": data}
    taken: list[Found | str] = []
    furniture = 0
    for name in sorted(files):
        try:
            root = xml_of(files[name])
        except CannotRead as error:
            if not name:
                raise
            taken.append(f"{name}: {error}")
            continue
        if root.tag == "questestinterop":
            taken += [_old(node) for node in root.iter("item")]
        elif root.tag == "assessmentItem":
            taken.append(_new(root))
        else:
            furniture += 1
    return Read.of(((0, found) for found in taken), furniture)


def _html(node: Element | None) -> str:
    """The HTML of a `material`."""
    return "".join(n.text or "" for n in node.iter("mattext")) if node is not None else ""


def _old(node: Element) -> Found | str:
    """An item of QTI 1.2."""
    name: str = node.get("title") or node.get("ident") or ""
    fields = {text_at(f, "fieldlabel"): text_at(f, "fieldentry") for f in node.iter("qtimetadatafield")}
    kind = fields.get("question_type", "")
    if kind not in _OLD_KINDS or len(list(node.iter("response_lid"))) > 1:
        return f'"{name}" is a {kind or "question with several responses"}, which has no like here'
    says = {n.get("ident", ""): _html(n) for n in node.iter("itemfeedback")}
    texts = solution_parts(says.get("general_fb", ""))
    right = _right(node)
    options = [
        PlainOption(unpage(_html(n)), n.get("ident") in right, unpage(says.get(f"{n.get('ident')}_fb", "")))
        for n in node.iter("response_label")
        if n.find("material") is not None
    ]
    if kind == "short_answer_question":
        texts["accepts"] = [n.text or "" for n in node.iter("varequal")]
    number = _between(node) if kind == "numerical_question" else None
    stem = unpage(_html(node.find("presentation/material")))
    points = fields.get("points_possible", "")
    return made(stem, name=name, options=options, number=number, points=points, policy="all", **texts)


def _between(node: Element) -> PlainNumber | None:
    equal = [value for n in node.iter("varequal") if (value := read_number(n.text or "")) is not None]
    low, high = (read_number(text_at(node, f".//{t}te") or text_at(node, f".//{t}t")) for t in ("varg", "varl"))
    if not equal and (low is None or high is None):
        return None
    value = equal[0] if equal else ((low or 0) + (high or 0)) / Fraction(2)
    margin = max(abs(value - low), abs(high - value)) if low is not None and high is not None else Fraction(0)
    return PlainNumber(value, "", margin / abs(value) if value else Fraction(0))


def _right(node: Element) -> set[str]:
    """The options that a condition which earns something asks for."""
    for condition in node.iter("respcondition"):
        if (read_number(text_at(condition, "setvar")) or 0) > 0:
            wrong = {n.text for no in condition.iter("not") for n in no.iter("varequal")}
            return {n.text or "" for n in condition.iter("varequal") if n.text not in wrong}
    return set()


def _new(root: Element) -> Found | str:
    """An item of QTI 2.x."""
    name: str = root.get("title") or root.get("identifier") or ""
    body = root.find("itemBody")
    asked = [n for n in root.iter() if n.tag.endswith("Interaction")]
    if body is None or len(asked) != 1 or asked[0].tag not in _ASKED:
        kinds = ", ".join(sorted({n.tag for n in asked})) or "no interaction"
        return f'"{name}" has {kinds}, which has no like here'
    says = {n.get("identifier", ""): inner_html(n) for n in root.iter("modalFeedback")}
    right = [(n.text or "").strip() for n in root.findall("responseDeclaration/correctResponse/value")]
    most = (n for n in root.iter("outcomeDeclaration") if n.get("identifier") == "MAXSCORE")
    options = [
        PlainOption(unpage(inner_html(n)), (ident := n.get("identifier", "")) in right, unpage(says.get(ident, "")))
        for n in asked[0].iter("simpleChoice")
    ]
    value = read_number(right[0]) if right else None
    numeric = asked[0].tag == "textEntryInteraction" and value is not None
    scorer = "".join(inner_html(part) for block in body.iter("rubricBlock") for part in block)
    model = solution_parts(scorer)["model_answer"] or ("" if options or numeric else "; ".join(right))
    return made(
        unpage(_stem(body) + text_at(asked[0], "prompt")),
        name=name,
        options=options,
        number=PlainNumber(value, "", _tolerance(root, value), tuple(_mistakes(root, says)))
        if numeric and value is not None
        else None,
        points=next((text_at(n, "defaultValue/value") for n in most), ""),
        policy="all" if root.find(".//mapping") is None else "net",
        **{**solution_parts(says.get("solution", "")), "model_answer": model},
    )


def _stem(body: Element) -> str:
    """What stands in the body besides the interaction and what only a scorer sees."""
    shown = [c for c in body if c.tag != "rubricBlock" and not any(n.tag.endswith("Interaction") for n in c.iter())]
    return "".join(f"<{c.tag}>{inner_html(c)}</{c.tag}>" for c in shown)


def _tolerance(root: Element, value: Fraction) -> Fraction:
    equal = next((n for n in root.iter("equal") if n.find("correct") is not None), None)
    if equal is None or equal.get("toleranceMode") not in ("relative", "absolute"):
        return Fraction(0)
    first = read_number((equal.get("tolerance") or "0").split()[0]) or Fraction(0)
    return first / 100 if equal.get("toleranceMode") == "relative" else first / (abs(value) or 1)


def _mistakes(root: Element, says: dict[str, str]) -> Iterator[tuple[Fraction, str]]:
    for other in root.iter("responseElseIf"):
        if (value := read_number(text_at(other, "equal/baseValue"))) is not None:
            yield value, unpage(says.get(text_at(other, "setOutcomeValue/baseValue"), ""))


IMPORTER = Importer(1, looks, read, NEEDS)
