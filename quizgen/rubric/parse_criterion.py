"""One criterion of a rubric and its parts: phrases with their settings, numbers, subjects."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from quizgen.rubric.pattern.phrases import PhraseError, looks_right, read
from quizgen.rubric.rubric import (
    ANSWER,
    ANY,
    ASSERT,
    NEGATED,
    NEXT,
    SENTENCE,
    Criterion,
    NumberTest,
    Phrasing,
    Subject,
)
from quizgen.source import Node, did_you_mean, read_number, shorten

MAX_ENTRIES: Final = 400  # phrases of one list
MAX_SUBJECTS: Final = 20

_CRITERION: Final = (
    "id", "points", "say", "accept", "reject", "number", "near", "ordered", "polarity", "fuzzy", "explain",
    "probe", "of", "against", "bare",
)  # fmt: skip
_ENTRY: Final = ("phrase", "near", "ordered", "polarity")
_POLARITIES: Final = (ASSERT, NEGATED, ANY)


def parse_subjects(node: Node) -> tuple[Subject, ...]:
    """`subjects: {tp: "tp|{tensor parallel*}", …}`: what statements of an answer can be about."""
    named = node.mapping("subjects")
    if len(named) > MAX_SUBJECTS:
        node.report(f"{len(named)} subjects", f"at most {MAX_SUBJECTS}: name those that a candidate could mix up")
    found = []
    for name, value in list(named.items())[:MAX_SUBJECTS]:
        phrases = tuple(filter(None, map(_phrase, value.entries(f'subject "{shorten(name)}"'))))
        if phrases:
            found.append(Subject(name, phrases))
    return tuple(found)


def _named_subjects(node: Node | None, what: str, subjects: tuple[Subject, ...]) -> tuple[str, ...]:
    """The subjects that `of` or `against` names."""
    if node is None:
        return ()
    known = [s.id for s in subjects]
    found: list[str] = []
    for part in node.entries(what):
        name = part.text(what)
        if name and name not in known:
            hint = f"known: {', '.join(known)}" if known else 'write subjects: {name: "a|phrase"} beside criteria'
            part.report(f'no subject "{shorten(name)}"', did_you_mean(name, known) or hint)
        elif name:
            found.append(name)
    return tuple(found)


def parse_criterion(node: Node, number: int, taken: set[str], subjects: tuple[Subject, ...]) -> Criterion | None:
    if node.shape != "mapping":
        node.report("a criterion must be a mapping", "write `- id: …` with `accept:` below it")
        return None
    fields = node.fields(_CRITERION, "a criterion")
    name = fields["id"].text("id") if "id" in fields else ""
    if not name:
        if "id" not in fields:
            node.report("a criterion has no id", "add a short id such as every-layer")
        name = f"criterion-{number}"
    if name in taken:
        fields["id"].report(f'criterion "{shorten(name)}" is there twice', "give each its own id")
    near, ordered, polarity = settings_of(fields, NEXT, False, ASSERT)
    points = fields["points"].number("points") if "points" in fields else Fraction(1)
    if points is not None and points <= 0:
        fields["points"].report("points must be above 0", "write a number such as 1 or 0.5; wrong things go to reject")
        points = None
    accept = parse_phrasings(fields.get("accept"), "accept", near, ordered, polarity)
    # A reject phrase counts where it is asserted, whatever polarity the criterion itself wants.
    reject = parse_phrasings(fields.get("reject"), "reject", near, ordered, ASSERT)
    test = _number_test(fields["number"]) if "number" in fields else None
    of = _named_subjects(fields.get("of"), "of", subjects)
    against = _named_subjects(fields.get("against"), "against", subjects)
    if "against" in fields and "of" not in fields:
        fields["against"].report("against needs of", "write of: and the subject that the comparison is about")
    elif set(of) & set(against):
        fields["against"].report("of and against name the same subject", "a comparison has two sides: name the other")
    if "accept" not in fields and "number" not in fields and not set(fields) - set(_CRITERION):
        node.report(f'criterion "{shorten(name)}" has no accept and no number', "add phrases that meet it")
    return Criterion(
        name,
        points or Fraction(1),
        " ".join(fields["say"].text("say").split()) if "say" in fields else "",
        accept,
        reject,
        test,
        _switch(fields.get("fuzzy"), "fuzzy", True),
        _switch(fields.get("explain"), "explain", False),
        " ".join(fields["probe"].text("probe").split()) if "probe" in fields else "",
        of,
        against,
        _switch(fields.get("bare"), "bare", False),
    )


def _switch(node: Node | None, what: str, default: bool) -> bool:
    if node is None:
        return default
    if what == "fuzzy" and node.value in ("auto",):
        return True
    value = node.truth(what)
    return default if value is None else value


def settings_of(fields: Mapping[str, Node], near: int, ordered: bool, polarity: str) -> tuple[int, bool, str]:
    if "near" in fields:
        near = _near(fields["near"], near)
    if "ordered" in fields:
        ordered = _switch(fields["ordered"], "ordered", ordered)
    if "polarity" in fields:
        polarity = fields["polarity"].word(_POLARITIES, "polarity") or polarity
    return near, ordered, polarity


def _near(node: Node, default: int) -> int:
    text = node.text("near")
    if text == "sentence":
        return SENTENCE
    if text == "answer":
        return ANSWER
    value = read_number(text) if text else None
    if value is not None and value.denominator == 1 and 1 <= value <= 1000:
        return int(value)
    if text:
        hint = did_you_mean(text, ("sentence", "answer"))
        message = f'near must be sentence, answer or a number of words, not "{shorten(text)}"'
        node.report(message, hint or "write near: 6")
    return default


def parse_phrasings(node: Node | None, what: str, near: int, ordered: bool, polarity: str) -> tuple[Phrasing, ...]:
    if node is None:
        return ()
    if node.shape == "mapping" or node.shape == "text":
        entries = [node]
    else:
        entries = node.entries(what)
        if not entries:
            node.report(f"{what} is empty", "add a phrase, or take the field out")
    if len(entries) > MAX_ENTRIES:
        node.report(f"{len(entries)} phrases in {what}", f"at most {MAX_ENTRIES}: join alternatives with |")
        entries = entries[:MAX_ENTRIES]
    found: list[Phrasing] = []
    for entry in entries:
        own = (near, ordered, polarity)
        phrase: Node | None = entry
        if entry.shape == "mapping":
            fields = entry.fields(_ENTRY, f"an entry of {what}")
            own = settings_of(fields, *own)
            phrase = fields.get("phrase")
            if phrase is None:
                entry.report("the entry has no phrase", 'write {phrase: "…", near: 6}')
                continue
        text = _phrase(phrase) if phrase is not None else ""
        if text:
            found.append(Phrasing(text, *own))
    return tuple(found)


def _phrase(node: Node) -> str:
    """The phrase's text if it can be read; reports where in it the mistake is."""
    if type(node.value) is not str:
        node.report(f"a phrase must be text, not a {node.shape}", "put phrases that hold braces in quotes")
        return ""
    text = node.value
    if looks_right(text):
        return text
    try:
        read(text)
    except PhraseError as error:
        node.report_at(error.offset, error.message, error.hint)
        return ""
    return text


def _number_test(node: Node) -> NumberTest | None:
    fields = node.fields(("value", "unit", "tolerance"), "number")
    if "value" not in fields:
        if node.shape == "mapping":
            node.report("number has no value", "write number: {value: 16, unit: B/param, tolerance: 0}")
        return None
    value = fields["value"].number("value")
    unit = fields["unit"].text("unit").strip() if "unit" in fields else ""
    labels: tuple[tuple[str, ...], ...] = ()
    if unit or node.doc.labels:
        from quizgen.formula.errors import FormulaError
        from quizgen.formula.units import labels_of, parse_unit

        labels = labels_of(node.doc.labels)
        try:
            parse_unit(unit or "1", labels)
        except FormulaError as error:
            fields["unit"].report(error.message, error.hint)
            return None
    tolerance, relative = Fraction(0), True
    if "tolerance" in fields:
        text = fields["tolerance"].text("tolerance").strip()
        relative = text.endswith("%")
        amount = read_number(text.removesuffix("%"))
        if amount is None or amount < 0:
            fields["tolerance"].report(f'tolerance must be a number or a percentage, not "{shorten(text)}"', "write 1%")
        else:
            tolerance = amount / 100 if relative else amount
    return None if value is None else NumberTest(value, unit, tolerance, relative, labels)
