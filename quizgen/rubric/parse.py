"""Reads the `rubric:` of a bank. Every mistake is reported with its line and column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from quizgen.rubric.phrases import PhraseError, is_plainly_valid, parse_phrase
from quizgen.rubric.rubric import (
    ANY,
    ASSERT,
    IN_ANSWER,
    IN_NEXT,
    IN_SENTENCE,
    NEGATED,
    CriteriaGroup,
    Criterion,
    NumberTest,
    Phrasing,
    Rubric,
    RubricMisconception,
    Subject,
    Synonyms,
)
from quizgen.source.problems import Node, did_you_mean, points_decimal, read_number, shorten

# -- One criterion of a rubric and its parts: phrases with their settings, numbers, subjects.

MAX_ENTRIES: Final = 400  # phrases in one list
MAX_SUBJECTS: Final = 20

_CRITERION_FIELDS: Final = (
    "id", "points", "say", "accept", "reject", "number", "near", "ordered", "polarity", "fuzzy", "explain",
    "probe", "of", "against", "bare",
)  # fmt: skip
_PHRASE_FIELDS: Final = ("phrase", "near", "ordered", "polarity")
_SUBJECTS_HINT: Final = 'write subjects: {name: "a|phrase"} beside criteria'
_POLARITIES: Final = (ASSERT, NEGATED, ANY)


def parse_subjects(node: Node) -> tuple[Subject, ...]:
    """The field `subjects: {tp: "tp|{tensor parallel*}", …}`: the things that statements of an answer can be about."""
    named = node.mapping("subjects")
    if len(named) > MAX_SUBJECTS:
        node.report(f"{len(named)} subjects", f"at most {MAX_SUBJECTS}: name those that a candidate could mix up")
    subjects = []
    for name, value in list(named.items())[:MAX_SUBJECTS]:
        phrases = tuple(filter(None, map(_parse_phrase_text, value.entries(f'subject "{shorten(name)}"'))))
        if phrases:
            subjects.append(Subject(name, phrases))
    return tuple(subjects)


def read_known_names(
    node: Node | None, what: str, kind: str, known: Sequence[str], if_none: str = ""
) -> list[tuple[str, Node]]:
    """The known names in a list, each with its node. Any other name is reported as no `kind` ("criterion"); `if_none`
    is the hint if there are no known names."""
    names: list[tuple[str, Node]] = []
    for part in node.entries(what) if node is not None else ():
        name = part.text(what)
        if name and name not in known:
            listed = f"known: {', '.join(known)}" if known else if_none
            part.report(f'no {kind} "{shorten(name)}"', did_you_mean(name, known) or listed)
        elif name:
            names.append((name, part))
    return names


def parse_criterion(node: Node, number: int, taken: set[str], subjects: tuple[Subject, ...]) -> Criterion | None:
    """The criterion number `number` (from 1), or None after a problem was reported. Its id is added to `taken`."""
    if node.shape != "mapping":
        node.report("a criterion must be a mapping", "write `- id: …` with `accept:` below it")
        return None
    fields = node.fields(_CRITERION_FIELDS, "a criterion")
    name = _criterion_id(node, fields, number, taken)
    near, ordered, polarity = read_phrase_settings(fields, IN_NEXT, False, ASSERT)
    known = [s.id for s in subjects]
    of, against = (
        tuple(name for name, _ in read_known_names(fields.get(side), side, "subject", known, _SUBJECTS_HINT))
        for side in ("of", "against")
    )
    if "against" in fields and "of" not in fields:
        fields["against"].report("against needs of", "write of: and the subject that the comparison is about")
    elif set(of) & set(against):
        fields["against"].report("of and against name the same subject", "a comparison has two sides: name the other")
    if "accept" not in fields and "number" not in fields and not set(fields) - set(_CRITERION_FIELDS):
        node.report(f'criterion "{shorten(name)}" has no accept and no number', "add phrases that meet it")
    return Criterion(
        name,
        _parse_points(fields["points"]) if "points" in fields else Fraction(1),
        _one_line_text(fields, "say"),
        parse_phrasings(fields.get("accept"), "accept", near, ordered, polarity),
        # A reject phrase counts if it is asserted, whatever polarity the criterion wants.
        parse_phrasings(fields.get("reject"), "reject", near, ordered, ASSERT),
        _parse_number_test(fields["number"]) if "number" in fields else None,
        _parse_boolean(fields.get("fuzzy"), "fuzzy", True),
        _parse_boolean(fields.get("explain"), "explain", False),
        _one_line_text(fields, "probe"),
        of,
        against,
        _parse_boolean(fields.get("bare"), "bare", False),
    )


def _criterion_id(node: Node, fields: Mapping[str, Node], number: int, taken: set[str]) -> str:
    """The id of a criterion, `criterion-NUMBER` if it has none. Reports an id that is in `taken`, and adds it there."""
    if "id" not in fields:
        node.report("a criterion has no id", "add a short id such as every-layer")
    name = (fields["id"].text("id") if "id" in fields else "") or f"criterion-{number}"
    if name in taken:
        fields.get("id", node).report(f'criterion "{shorten(name)}" appears twice', "give each its own id")
    taken.add(name)
    return name


def _parse_points(node: Node) -> Fraction:
    points = node.number("points")
    if points is not None and points <= 0:
        node.report("points must be above 0", "write a number such as 1 or 0.5; wrong things go to reject")
    return points if points is not None and points > 0 else Fraction(1)


def _one_line_text(fields: Mapping[str, Node], name: str) -> str:
    """The text of a field in one line; empty if the field is missing."""
    return " ".join(fields[name].text(name).split()) if name in fields else ""


def _parse_boolean(node: Node | None, what: str, default: bool) -> bool:
    if node is None:
        return default
    if what == "fuzzy" and node.value in ("auto",):
        return True
    value = node.truth(what)
    return default if value is None else value


def read_phrase_settings(fields: Mapping[str, Node], near: int, ordered: bool, polarity: str) -> tuple[int, bool, str]:
    """The settings `near`, `ordered` and `polarity` of phrases; a missing field keeps the value given here."""
    if "near" in fields:
        near = _parse_near(fields["near"], near)
    if "ordered" in fields:
        ordered = _parse_boolean(fields["ordered"], "ordered", ordered)
    if "polarity" in fields:
        polarity = fields["polarity"].word(_POLARITIES, "polarity") or polarity
    return near, ordered, polarity


def _parse_near(node: Node, default: int) -> int:
    text = node.text("near")
    if text == "sentence":
        return IN_SENTENCE
    if text == "answer":
        return IN_ANSWER
    value = read_number(text) if text else None
    if value is not None and value.denominator == 1 and 1 <= value <= 1000:
        return int(value)
    if text:
        hint = did_you_mean(text, ("sentence", "answer"))
        message = f'near must be sentence, answer or a number of words, not "{shorten(text)}"'
        node.report(message, hint or "write near: 6")
    return default


def parse_phrasings(node: Node | None, what: str, near: int, ordered: bool, polarity: str) -> tuple[Phrasing, ...]:
    """The phrases in `node` (empty if None); the settings are the defaults for entries that set none."""
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
    phrasings: list[Phrasing] = []
    for entry in entries:
        own = (near, ordered, polarity)
        phrase: Node | None = entry
        if entry.shape == "mapping":
            fields = entry.fields(_PHRASE_FIELDS, f"an entry of {what}")
            own = read_phrase_settings(fields, *own)
            phrase = fields.get("phrase")
            if phrase is None:
                entry.report("the entry has no phrase", 'write {phrase: "…", near: 6}')
                continue
        text = _parse_phrase_text(phrase) if phrase is not None else ""
        if text:
            phrasings.append(Phrasing(text, *own))
    return tuple(phrasings)


def _parse_phrase_text(node: Node) -> str:
    """The text of a phrase; empty after its mistake was reported."""
    if type(node.value) is not str:
        node.report(f"a phrase must be text, not a {node.shape}", "put phrases with braces in quotes")
        return ""
    text = node.value
    if is_plainly_valid(text):
        return text
    try:
        parse_phrase(text)
    except PhraseError as error:
        node.report_at(error.offset, error.message, error.hint)
        return ""
    return text


def _parse_number_test(node: Node) -> NumberTest | None:
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


# -- `rubric:` of a bank to a `Rubric`, every mistake reported at its line and column.

MAX_CRITERIA: Final = 100

_RUBRIC_FIELDS: Final = ("criteria", "full_marks", "groups", "misconceptions", "subjects")


def parse_rubric(node: Node, synonyms: Synonyms, stem: str = "", model_answer: str = "") -> Rubric | None:
    """The rubric of an item; None after structural problems were reported on its nodes.

    `synonyms` are those of the bank, the file and the item together; the item's come first in a conflict."""
    fields = node.fields(_RUBRIC_FIELDS, "a rubric") if node.shape == "mapping" else node.mapping("rubric")
    listed = _criterion_nodes(node, fields)
    subjects = parse_subjects(fields["subjects"]) if "subjects" in fields else ()
    taken: set[str] = set()
    parsed = [parse_criterion(entry, number, taken, subjects) for number, entry in enumerate(listed, 1)]
    criteria = [criterion for criterion in parsed if criterion is not None]
    if not criteria:
        return None
    groups = _parse_groups(fields["groups"], criteria) if "groups" in fields else ()
    wrong = _parse_misconceptions(fields["misconceptions"]) if "misconceptions" in fields else ()
    others = tuple((k, tuple(v)) for k, v in synonyms.items())
    rubric = Rubric(tuple(criteria), None, groups, wrong, others, stem, model_answer, subjects)
    full = _parse_full_marks(fields["full_marks"], rubric.total) if "full_marks" in fields else None
    return rubric if full is None else replace(rubric, full_marks=full, memo=[])


def _criterion_nodes(node: Node, fields: Mapping[str, Node]) -> list[Node]:
    """The entries of `criteria:`; empty after a problem was reported."""
    if "criteria" not in fields:
        if node.shape == "mapping":
            node.report_key("the rubric has no criteria", "add criteria: a list of what an answer must say")
        return []
    listed = fields["criteria"].entries("criteria")
    if not listed and fields["criteria"].shape == "list":
        fields["criteria"].report("the rubric has no criteria", "add at least one criterion")
    if len(listed) > MAX_CRITERIA:
        fields["criteria"].report(f"{len(listed)} criteria", f"at most {MAX_CRITERIA}: split the item")
        return []
    return listed


def _parse_full_marks(node: Node, total: Fraction) -> Fraction | None:
    value = node.number("full_marks")
    if value is not None and not 0 < value <= total:
        most = points_decimal(total)
        message = f"full_marks {points_decimal(value)} is not above 0 and at most {most}, the sum of points"
        node.report(message, f"write at most {most}, the points that earn 100 %, or leave it out")
        return None
    return value


def _parse_groups(node: Node, criteria: list[Criterion]) -> tuple[CriteriaGroup, ...]:
    known = [c.id for c in criteria]
    used: set[str] = set()
    groups: list[CriteriaGroup] = []
    for entry in node.entries("groups"):
        fields = entry.fields(("of", "at_most"), "a group")
        if "of" not in fields or "at_most" not in fields:
            if entry.shape == "mapping":
                entry.report("a group needs of and at_most", "write {of: [a, b, c], at_most: 2}")
            continue
        names: list[str] = []
        for name, part in read_known_names(fields["of"], "of", "criterion", known):
            if name in used:
                part.report(f'criterion "{shorten(name)}" is in two groups', "a criterion belongs to one group at most")
            else:
                used.add(name)
                names.append(name)
        most = fields["at_most"].number("at_most")
        if most is not None and most <= 0:
            fields["at_most"].report("at_most must be above 0", "write the points the group may earn")
            most = None
        if names and most is not None:
            groups.append(CriteriaGroup(tuple(names), most))
    return tuple(groups)


def _parse_misconceptions(node: Node) -> tuple[RubricMisconception, ...]:
    claims: list[RubricMisconception] = []
    for number, entry in enumerate(node.entries("misconceptions"), 1):
        fields = entry.fields(("id", "match", "penalty", "say", "near", "ordered", "polarity"), "a misconception")
        if "match" not in fields:
            if entry.shape == "mapping":
                entry.report("a misconception has no match", "write match: and the phrase that gives it away")
            continue
        settings = read_phrase_settings(fields, IN_NEXT, False, ASSERT)
        match = parse_phrasings(fields["match"], "match", *settings)
        penalty = fields["penalty"].number("penalty") if "penalty" in fields else Fraction(0)
        if penalty is not None and penalty < 0:
            fields["penalty"].report("penalty must not be below 0", "write the points to take off, such as 1")
            penalty = None
        name = fields["id"].text("id") if "id" in fields else f"misconception-{number}"
        if match:
            claims.append(RubricMisconception(name, match, penalty or Fraction(0), _one_line_text(fields, "say")))
    return tuple(claims)


def parse_synonyms(node: Node) -> dict[str, tuple[str, ...]]:
    """The field `synonyms: {all-reduce: [allreduce, all reduce]}` of an item, a file or a bank."""
    synonyms: dict[str, tuple[str, ...]] = {}
    for key, value in node.mapping("synonyms").items():
        others = value.texts("synonyms")
        if not key.strip():
            value.report_key("a synonym without a key", "write key: [other words]")
        elif others:
            synonyms[key] = others
    return synonyms
