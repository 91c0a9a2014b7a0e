"""Reads the `rubric:` of a bank. Every mistake is reported with its line and column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from quizgen.rubric import rubric as rubrics
from quizgen.rubric.phrases import PhraseError, is_plainly_valid_phrase, parse_phrase
from quizgen.source.problems import Fields, Node, did_you_mean, read_decimal, shorten, up_to_2_decimals

# -- One criterion of a rubric and its parts: phrases with their settings, numbers, subjects.

MAX_CRITERIA: Final = 100  # of a rubric: the time of a check grows with their square

_CRITERION_FIELDS: Final = (
    "id", "points", "say", "accept", "reject", "number", "near", "ordered", "polarity", "fuzzy", "explain",
    "probe", "of", "against", "bare",
)  # fmt: skip
_MAX_DISTANCE_BY_NAME: Final = {"sentence": rubrics.WITHIN_SENTENCE, "answer": rubrics.WITHIN_ANSWER}
_PhraseSettings = tuple[int, bool, str]  # `near`, `ordered` and `polarity` of phrases
_DEFAULT_PHRASE_SETTINGS: Final = (rubrics.WITHIN_NEXT_SENTENCE, False, rubrics.ASSERT_POLARITY)


def known_names_in_list(
    node: Node | None, field_name: str, kind: str, known_names: Sequence[str], hint_if_none: str = ""
) -> list[tuple[str, Node]]:
    """The known names in a list, each with its node. Any other name is reported as no `kind` ("criterion"), with
    the hint `hint_if_none` if there are no known names."""
    names: list[tuple[str, Node]] = []
    for part in node.entries(field_name) if node is not None else ():
        name = part.text(field_name)
        if name and name not in known_names:
            hint = f"known: {', '.join(known_names)}" if known_names else hint_if_none
            part.report(f'no {kind} "{shorten(name)}"', did_you_mean(name, known_names) or hint)
        elif name:
            names.append((name, part))
    return names


def parse_criterion(
    node: Node, number: int, taken_ids: set[str], subjects: tuple[rubrics.Subject, ...]
) -> rubrics.Criterion | None:
    """The criterion number `number` (from 1), or None after a problem was reported. Its id is added to `taken_ids`."""
    if node.shape != "mapping":
        node.report("a criterion must be a mapping", "write `- id: …` with `accept:` below it")
        return None
    fields = node.fields(_CRITERION_FIELDS, "a criterion")
    if "id" not in fields:
        node.report("a criterion has no id", "add a short id such as every-layer")
    name = fields.text("id") or f"criterion-{number}"
    if name in taken_ids:
        fields.get("id", node).report(f'criterion "{shorten(name)}" appears twice', "give each its own id")
    taken_ids.add(name)
    near, ordered, polarity = _parse_phrase_settings(fields, _DEFAULT_PHRASE_SETTINGS)
    known_ids, hint = [s.id for s in subjects], 'write subjects: {name: "a|phrase"} beside criteria'
    subject_ids, compared_subject_ids = (
        tuple(name for name, _ in known_names_in_list(fields.get(side), side, "subject", known_ids, hint))
        for side in ("of", "against")
    )
    if "against" in fields and ("of" not in fields or set(subject_ids) & set(compared_subject_ids)):
        fields["against"].report("against needs another subject in of", "a comparison has two sides: name both")
    if "accept" not in fields and "number" not in fields and not set(fields) - set(_CRITERION_FIELDS):
        node.report(f'criterion "{shorten(name)}" has no accept and no number', "add phrases that meet it")
    return rubrics.Criterion(
        name,
        _parse_points(fields, "points", Fraction(1)),
        _field_text_in_one_line(fields, "say"),
        parse_phrases(fields.get("accept"), "accept", (near, ordered, polarity)),
        # A reject phrase counts if it is asserted, whatever polarity the criterion wants.
        parse_phrases(fields.get("reject"), "reject", (near, ordered, rubrics.ASSERT_POLARITY)),
        _number_test_from_node(fields["number"]) if "number" in fields else None,
        _read_boolean_field(fields, "fuzzy", True),
        _read_boolean_field(fields, "explain"),
        _field_text_in_one_line(fields, "probe"),
        subject_ids,
        compared_subject_ids,
        _read_boolean_field(fields, "bare"),
    )


def _parse_points(fields: Fields, name: str, default: Fraction) -> Fraction:
    """A number of points above 0; `default` if the field is missing or wrong."""
    points = fields.number(name)
    if points is not None and points <= 0:
        hint = "write a number such as 1 or 0.5" + "; wrong things go to reject" * (name == "points")
        fields[name].report(f"{name} must be above 0", hint)
        return default
    return default if points is None else points


def _field_text_in_one_line(fields: Fields, name: str) -> str:
    """The text of a field in one line; empty if the field is missing."""
    return " ".join(fields.text(name).split())


def _read_boolean_field(fields: Fields, name: str, default: bool = False) -> bool:
    if name not in fields or fields[name].value == "auto":
        return default
    value = fields[name].truth(name)
    return default if value is None else value


def _parse_phrase_settings(fields: Fields, defaults: _PhraseSettings) -> _PhraseSettings:
    """The settings `near`, `ordered` and `polarity` of phrases; a missing field keeps its value of `defaults`."""
    near, ordered, polarity = defaults
    text = fields.text("near")
    value = read_decimal(text) if text else None
    if value is not None and value.denominator == 1 and 1 <= value <= 1000:
        near = int(value)
    elif text and text not in _MAX_DISTANCE_BY_NAME:
        message = f'near must be sentence, answer or a number of words, not "{shorten(text)}"'
        fields["near"].report(message, did_you_mean(text, _MAX_DISTANCE_BY_NAME) or "write near: 6")
    near, ordered = _MAX_DISTANCE_BY_NAME.get(text, near), _read_boolean_field(fields, "ordered", ordered)
    polarities = rubrics.ASSERT_POLARITY, rubrics.NEGATED_POLARITY, rubrics.ANY_POLARITY
    return near, ordered, fields.allowed_word("polarity", polarities) or polarity


def parse_phrases(node: Node | None, name: str, settings: _PhraseSettings) -> tuple[rubrics.PhraseWithSettings, ...]:
    """The phrases in `node` (empty if None); `settings` are the defaults for entries that set none."""
    if node is None:
        return ()
    entries = [node] if node.shape != "list" else node.entries(name)
    if not entries:
        node.report(f"{name} is empty", "add a phrase, or take the field out")
    phrasings: list[rubrics.PhraseWithSettings] = []
    for entry in entries:
        entry_settings, phrase = settings, entry
        if entry.shape == "mapping":
            fields = entry.fields(("phrase", "near", "ordered", "polarity"), f"an entry of {name}")
            entry_settings = _parse_phrase_settings(fields, settings)
            if "phrase" not in fields:
                entry.report("the entry has no phrase", 'write {phrase: "…", near: 6}')
                continue
            phrase = fields["phrase"]
        if text := _checked_phrase_text(phrase):
            phrasings.append(rubrics.PhraseWithSettings(text, *entry_settings))
    return tuple(phrasings)


def _checked_phrase_text(node: Node) -> str:
    """The text of a phrase; empty after its mistake was reported."""
    text = node.value
    if type(text) is not str:
        node.report(f"a phrase must be text, not a {node.shape}", "put phrases with braces in quotes")
        return ""
    if not is_plainly_valid_phrase(text):
        try:
            parse_phrase(text)
        except PhraseError as error:
            node.report_at_offset(error.offset, error.message, error.hint)
            return ""
    return text


def _number_test_from_node(node: Node) -> rubrics.NumberTest | None:
    fields = node.fields(("value", "unit", "tolerance"), "number")
    if "value" not in fields:
        if node.shape == "mapping":
            node.report("number has no value", "write number: {value: 16, unit: B/param, tolerance: 0}")
        return None
    value, unit = fields["value"].number("value"), fields.text("unit").strip()
    labels: tuple[tuple[str, ...], ...] = ()
    if unit or node.doc.declared_units:
        from quizgen.formula import FormulaError
        from quizgen.formula.units import as_bank_units, parse_unit

        labels = as_bank_units(node.doc.declared_units)
        try:
            parse_unit(unit or "1", labels)
        except FormulaError as error:
            fields["unit"].report(error.message, error.hint)
            return None
    text = fields.text("tolerance").strip()
    amount = read_decimal(text.removesuffix("%")) if text else Fraction(0)
    if amount is None or amount < 0:
        fields["tolerance"].report(f'tolerance must be a number or a percentage, not "{shorten(text)}"', "write 1%")
        amount = Fraction(0)
    is_relative = text.endswith("%") or not text
    tolerance = amount / 100 if is_relative else amount
    return None if value is None else rubrics.NumberTest(value, unit, tolerance, is_relative, labels)


# -- `rubric:` of a bank to a `Rubric`, every mistake reported at its line and column.


def _criterion_nodes(node: Node, fields: Fields) -> list[Node]:
    """The criteria of the rubric at `node`, at most MAX_CRITERIA; none and too many are reported."""
    nodes = fields.entries("criteria")
    if "criteria" not in fields and node.shape == "mapping":
        node.report_at_key("the rubric has no criteria", "add criteria: a list of what an answer must say")
    elif "criteria" in fields and not nodes and fields["criteria"].shape == "list":
        fields["criteria"].report("the rubric has no criteria", "add at least one criterion")
    elif len(nodes) > MAX_CRITERIA:
        node.report(f"{len(nodes)} criteria", f"at most {MAX_CRITERIA}: split the item")
    return nodes[:MAX_CRITERIA]


def parse_rubric(
    node: Node, synonyms: Mapping[str, tuple[str, ...]], stem: str, model_answer: str
) -> rubrics.Rubric | None:
    """The rubric of an item; None after structural problems were reported on its nodes.

    `synonyms` are those of the bank, the file and the item together; the item's come first in a conflict."""
    fields = node.fields(("criteria", "full_marks", "groups", "misconceptions", "subjects"), "a rubric")
    # `subjects: {tp: "tp|{tensor parallel*}", …}`: the things that statements of an answer can be about.
    names_and_phrases = [
        (name, tuple(filter(None, map(_checked_phrase_text, value.entries(f'subject "{shorten(name)}"')))))
        for name, value in fields.mapping("subjects").items()
    ]
    subjects = tuple(rubrics.Subject(name, phrases) for name, phrases in names_and_phrases if phrases)
    taken_ids: set[str] = set()
    nodes = enumerate(_criterion_nodes(node, fields), 1)
    results = [parse_criterion(entry, number, taken_ids, subjects) for number, entry in nodes]
    criteria = [criterion for criterion in results if criterion is not None]
    if not criteria:
        return None
    groups = _parse_groups(fields.entries("groups"), criteria)
    misconceptions = _parse_misconceptions(fields.entries("misconceptions"))
    synonym_pairs = tuple((k, tuple(v)) for k, v in synonyms.items())
    rubric = rubrics.Rubric(tuple(criteria), None, groups, misconceptions, synonym_pairs, stem, model_answer, subjects)
    full_marks = fields.number("full_marks")
    if full_marks is not None and not 0 < full_marks <= rubric.points_if_every_criterion_met:
        maximum = up_to_2_decimals(rubric.points_if_every_criterion_met)
        message = f"full_marks {up_to_2_decimals(full_marks)} is not above 0 and at most {maximum}, the sum of points"
        fields["full_marks"].report(message, f"write at most {maximum}, the points that earn 100 %, or leave it out")
        full_marks = None
    return rubric if full_marks is None else replace(rubric, full_marks=full_marks)


def _parse_groups(entries: list[Node], criteria: list[rubrics.Criterion]) -> tuple[rubrics.CappedCriteriaGroup, ...]:
    known_ids = [c.id for c in criteria]
    taken_ids: set[str] = set()
    groups: list[rubrics.CappedCriteriaGroup] = []
    for entry in entries:
        fields = entry.fields(("of", "at_most"), "a group")
        if "of" not in fields or "at_most" not in fields:
            if entry.shape == "mapping":
                entry.report("a group needs of and at_most", "write {of: [a, b, c], at_most: 2}")
            continue
        names: list[str] = []
        for name, part in known_names_in_list(fields["of"], "of", "criterion", known_ids):
            if name in taken_ids:
                part.report(f'criterion "{shorten(name)}" is in two groups', "a criterion belongs to one group at most")
            else:
                taken_ids.add(name)
                names.append(name)
        max_points = _parse_points(fields, "at_most", Fraction(0))
        if names and max_points:
            groups.append(rubrics.CappedCriteriaGroup(tuple(names), max_points))
    return tuple(groups)


def _parse_misconceptions(entries: list[Node]) -> tuple[rubrics.RubricMisconception, ...]:
    claims: list[rubrics.RubricMisconception] = []
    for number, entry in enumerate(entries, 1):
        fields = entry.fields(("id", "match", "penalty", "say", "near", "ordered", "polarity"), "a misconception")
        if "match" not in fields:
            if entry.shape == "mapping":
                entry.report("a misconception has no match", "write match: and the phrase that gives it away")
            continue
        phrases = parse_phrases(fields["match"], "match", _parse_phrase_settings(fields, _DEFAULT_PHRASE_SETTINGS))
        penalty = fields.number("penalty")
        if penalty is not None and penalty < 0:
            fields["penalty"].report("penalty must not be below 0", "write the points to take off, such as 1")
            penalty = None
        name = fields.text("id") if "id" in fields else f"misconception-{number}"
        if phrases:
            correction = _field_text_in_one_line(fields, "say")
            claims.append(rubrics.RubricMisconception(name, phrases, penalty or Fraction(0), correction))
    return tuple(claims)


def parse_synonyms_by_word(node: Node) -> dict[str, tuple[str, ...]]:
    """The field `synonyms: {all-reduce: [allreduce, all reduce]}` of an item, a file or a bank."""
    node_by_word = node.mapping("synonyms")
    if blank := next((value for key, value in node_by_word.items() if not key.strip()), None):
        blank.report_at_key("a synonym without a key", "write key: [other words]")
    synonyms = {key: value.texts("synonyms") for key, value in node_by_word.items() if key.strip()}
    return {key: words for key, words in synonyms.items() if words}
