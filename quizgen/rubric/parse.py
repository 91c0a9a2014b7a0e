"""`rubric:` of a bank to a `Rubric`, every mistake reported at its line and column."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from quizgen.rubric.parse_criterion import parse_criterion, parse_phrasings, parse_subjects, settings_of
from quizgen.rubric.rubric import ASSERT, NEXT, Criterion, Group, Rubric, Synonyms, WrongClaim
from quizgen.source import Node, did_you_mean, shorten

MAX_CRITERIA: Final = 100

_RUBRIC: Final = ("criteria", "full_marks", "groups", "misconceptions", "subjects")


def parse_rubric(node: Node, synonyms: Synonyms, stem: str = "", model_answer: str = "") -> Rubric | None:
    """The rubric of an item; None after structural errors were reported on its nodes.

    `synonyms` are the bank's, the file's and the item's, merged, the item's winning.
    """
    fields = node.fields(_RUBRIC, "a rubric") if node.shape == "mapping" else node.mapping("rubric")
    if "criteria" not in fields:
        if node.shape == "mapping":
            node.report_key("the rubric has no criteria", "add criteria: a list of what an answer must say")
        return None
    listed = fields["criteria"].entries("criteria")
    if not listed:
        if fields["criteria"].shape == "list":
            fields["criteria"].report("the rubric has no criteria", "add at least one criterion")
        return None
    if len(listed) > MAX_CRITERIA:
        fields["criteria"].report(f"{len(listed)} criteria", f"at most {MAX_CRITERIA}: split the item")
        return None
    subjects = parse_subjects(fields["subjects"]) if "subjects" in fields else ()
    criteria: list[Criterion] = []
    taken: set[str] = set()
    for number, entry in enumerate(listed, 1):
        criterion = parse_criterion(entry, number, taken, subjects)
        if criterion is not None:
            criteria.append(criterion)
            taken.add(criterion.id)
    if not criteria:
        return None
    groups = _groups(fields["groups"], criteria) if "groups" in fields else ()
    wrong = _misconceptions(fields["misconceptions"]) if "misconceptions" in fields else ()
    others = tuple((k, tuple(v)) for k, v in synonyms.items())
    rubric = Rubric(tuple(criteria), None, groups, wrong, others, stem, model_answer, subjects)
    full = _full_marks(fields["full_marks"], rubric.total) if "full_marks" in fields else None
    return rubric if full is None else replace(rubric, full_marks=full, memo=[])


def _full_marks(node: Node, total: Fraction) -> Fraction | None:
    value = node.number("full_marks")
    if value is None:
        return None
    if value <= 0:
        node.report(f"full_marks {_plain(value)} is not above 0", "leave it out, or write the points that earn 100 %")
        return None
    if value > total:
        node.report(
            f"full_marks {_plain(value)} is above the sum of points, {_plain(total)}",
            f"write at most {_plain(total)}, or give the criteria more points",
        )
        return None
    return value


def _plain(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else str(float(value))


def _groups(node: Node, criteria: list[Criterion]) -> tuple[Group, ...]:
    known = [c.id for c in criteria]
    used: dict[str, int] = {}
    groups: list[Group] = []
    for number, entry in enumerate(node.entries("groups")):
        fields = entry.fields(("of", "at_most"), "a group")
        if "of" not in fields or "at_most" not in fields:
            if entry.shape == "mapping":
                entry.report("a group needs of and at_most", "write {of: [a, b, c], at_most: 2}")
            continue
        names: list[str] = []
        for part in fields["of"].entries("of"):
            name = part.text("of")
            if name and name not in known:
                hint = did_you_mean(name, known) or f"known: {', '.join(known)}"
                part.report(f'no criterion "{shorten(name)}"', hint)
            elif name in used:
                part.report(f'criterion "{shorten(name)}" is in two groups', "a criterion belongs to one group at most")
            elif name:
                used[name] = number
                names.append(name)
        most = fields["at_most"].number("at_most")
        if most is not None and most <= 0:
            fields["at_most"].report("at_most must be above 0", "write the points the group may earn")
            most = None
        if names and most is not None:
            groups.append(Group(tuple(names), most))
    return tuple(groups)


def _misconceptions(node: Node) -> tuple[WrongClaim, ...]:
    found: list[WrongClaim] = []
    for number, entry in enumerate(node.entries("misconceptions"), 1):
        fields = entry.fields(("id", "match", "penalty", "say", "near", "ordered", "polarity"), "a misconception")
        if "match" not in fields:
            if entry.shape == "mapping":
                entry.report("a misconception has no match", "write match: and the phrase that gives it away")
            continue
        settings = settings_of(fields, NEXT, False, ASSERT)
        match = parse_phrasings(fields["match"], "match", *settings)
        penalty = fields["penalty"].number("penalty") if "penalty" in fields else Fraction(0)
        if penalty is not None and penalty < 0:
            fields["penalty"].report("penalty must not be below 0", "write the points to take off, such as 1")
            penalty = None
        name = fields["id"].text("id") if "id" in fields else f"misconception-{number}"
        say = " ".join(fields["say"].text("say").split()) if "say" in fields else ""
        if match:
            found.append(WrongClaim(name, match, penalty or Fraction(0), say))
    return tuple(found)


def parse_synonyms(node: Node) -> dict[str, tuple[str, ...]]:
    """`synonyms: {all-reduce: [allreduce, all reduce]}` of an item, a file or a bank."""
    found: dict[str, tuple[str, ...]] = {}
    for key, value in node.mapping("synonyms").items():
        others = value.texts("synonyms")
        if not key.strip():
            value.report_key("a synonym without a key", "write key: [other words]")
        elif others:
            found[key] = others
    return found
