"""Reads cases from `cases/NAME.yaml`; each of the author's mistakes is reported with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final

from quizgen.cases.case import (
    COMPARISON_BY_RELATION,
    OPEN_TURN_KIND,
    Bound,
    Branch,
    BranchCondition,
    Case,
    CasePhase,
    Commitment,
    Fact,
    Turn,
    normalized_term,
)
from quizgen.draw import SeededRng
from quizgen.formula.author import read_unit
from quizgen.formula.quantity import Quantity
from quizgen.formula.units import UNIT_ONE
from quizgen.model import Item
from quizgen.rubric.phrases import is_plainly_valid, slot_texts
from quizgen.source.problems import Node, did_you_mean, read_number, shorten

CASE_FILE_FIELDS: Final = ("cases", "synonyms", "title")
CASE_FIELDS: Final = (
    "id", "title", "level", "minutes", "opening", "facts", "values", "phases", "signals", "turns", "source", "terms",
)  # fmt: skip
TURN_FIELDS: Final = (
    "id", "phase", "kind", "ask", "in_other_words", "signal", "only", "change", "when", "leave", "model_answer",
    "facts", "full_marks", "from",
)  # fmt: skip
# Fields that a turn passes to its item, by kind.
ITEM_FIELDS_BY_KIND: Final[Mapping[str, tuple[str, ...]]] = {
    OPEN_TURN_KIND: (),
    "text": ("rubric", "synonyms", "points"),
    "numeric": ("formula", "with", "answer", "draw", "cases", "require", "credit", "points", "rationale", "find"),
    "choice": ("key", "distractors", "order", "policy", "points", "rationale"),
}
CONDITION_FIELDS: Final = (
    "met", "unmet", "contradicted", "value", "unsaid", "asked", "unasked", "below", "above", "outcome",
)  # fmt: skip
OUTCOME_NAMES: Final = ("correct", "partial", "incorrect", "blank")
DEFAULT_DRAWN_NUMBERS: Final = (1, 2, 4, 8, 16, 32, 64)

# Makes an item from a node of a kind; None after its errors were reported.
ItemMaker = Callable[[str, Node], Item | None]


@dataclass(frozen=True, slots=True)
class _KnownNames:
    """The names that the turns of one case may refer to."""

    case: str
    phases: tuple[str, ...]
    facts: Mapping[str, tuple[Fact, Node]]
    commitments: Mapping[str, Commitment]
    signals: tuple[str, ...]
    source: str = ""
    seconds_by_phase: Mapping[str, str] = field(default_factory=dict)  # seconds of a phase

    def item_fields(self, phase: str) -> dict[str, str]:
        """Fields such as topic and source for a turn's item, which reports and checks need."""
        return {
            "topic": self.case, "source": self.source or f"case {self.case}", "difficulty": "4",
            "rationale": "The debrief of the case has the whole conversation.",
            "seconds": self.seconds_by_phase.get(phase, "120"),
        }  # fmt: skip


def read_cases(top_node: Node, make_item: ItemMaker) -> list[Case]:
    """The usable cases of a file's top node; problems of the others are reported."""
    fields = top_node.fields(CASE_FILE_FIELDS, "a file of cases")
    if "cases" not in fields:
        top_node.report("the file has no cases", "add `cases:` and a list of cases")
        return []
    made = (_read_case(node, make_item) for node in fields["cases"].entries("cases"))
    return [case for case in made if case is not None]


HINT_BY_REQUIRED_FIELD = {  # fields of a case, and a hint for one that is missing
    "id": "add `id: a-stable-name`",
    "opening": "add `opening:`: what the interviewer says first",
    "phases": "add `phases:` with {id, title, minutes} rows",
    "turns": "add `turns:` with what is asked",
}


def _field_text(fields: Mapping[str, Node], name: str) -> str:
    """The text of a field without blanks around it; empty if the field is missing."""
    return fields[name].text(name).strip() if name in fields else ""


def _check_minutes(fields: Mapping[str, Node], phases: tuple[CasePhase, ...], phase_minutes: Fraction) -> None:
    """Reports a time of the case that differs from the sum of its phases."""
    minutes = fields["minutes"].number("minutes") if "minutes" in fields else None
    if minutes is not None and phases and minutes != phase_minutes:
        fields["minutes"].report(
            f"the phases add up to {float(phase_minutes):g} minutes, the case to {float(minutes):g}",
            "make them equal, or leave `minutes` out",
        )


def _read_case(node: Node, make_item: ItemMaker) -> Case | None:
    fields = node.fields(CASE_FIELDS, "a case")
    start = len(node.doc.problems)
    name = _field_text(fields, "id")
    for needed in (n for n in HINT_BY_REQUIRED_FIELD if n not in fields):
        node.report(f"{needed} is missing in the case", HINT_BY_REQUIRED_FIELD[needed])
    phases = _read_phases(fields.get("phases"))
    facts = _read_facts(fields.get("facts"))
    commitments = _read_commitments(fields.get("values"))
    signals = _read_signals(fields.get("signals"))
    source = _field_text(fields, "source")
    seconds = {p.id: str(max(1, round(p.minutes * 60))) for p in phases}
    known = _KnownNames(name, tuple(seconds), facts, commitments, tuple(signals), source, seconds)
    listener = _make_facts_item(known, make_item, node) if facts else None
    turns = _read_turns(fields.get("turns"), known, make_item)
    _check_turns_of_facts(facts.values(), turns)
    boxes = sum((p.minutes for p in phases), Fraction(0))
    _check_minutes(fields, phases, boxes)
    title, level, opening = (_field_text(fields, n) for n in ("title", "level", "opening"))
    if name:
        node.doc.set_item_of_problems(start, name)
    if not turns or not name or any(p.severity == "error" for p in node.doc.problems[start:]):
        return None
    return Case(
        name, title or name, boxes, opening, phases, turns, node.where, level,
        tuple(fact for fact, _ in facts.values()), tuple(commitments.values()), signals, listener, source,
        read_terms(fields.get("terms")),
    )  # fmt: skip


def _check_turns_of_facts(facts: Iterable[tuple[Fact, Node]], turns: tuple[Turn, ...]) -> None:
    """Reports facts whose `after` names no turn."""
    for fact, ask in facts:
        if fact.given_at:
            _check_name(ask, fact.given_at, [turn.id for turn in turns], "turn")


def _read_phases(node: Node | None) -> tuple[CasePhase, ...]:
    made = []
    for entry in node.entries("phases") if node is not None else ():
        fields = entry.fields(("id", "title", "minutes"), "a phase")
        minutes = fields["minutes"].number("minutes") if "minutes" in fields else None
        if "id" not in fields or minutes is None or minutes <= 0:
            entry.report("a phase needs `id` and `minutes` above 0", "write {id: clarify, title: Scope, minutes: 4}")
            continue
        name = fields["id"].text("id")
        made.append(CasePhase(name, fields["title"].text("title") if "title" in fields else name, minutes))
    return tuple(made)


def _read_facts(node: Node | None) -> dict[str, tuple[Fact, Node]]:
    made: dict[str, tuple[Fact, Node]] = {}
    for entry in node.entries("facts") if node is not None else ():
        fields = entry.fields(("id", "ask", "say", "after", "leave"), "a fact")
        if not {"id", "ask", "say"} <= set(fields):
            entry.report("a fact needs `id`, `ask` and `say`", "write {id: batch, ask: [phrases], say: the answer}")
            continue
        name = fields["id"].text("id")
        if name in made:
            fields["id"].report(f'fact "{name}" appears twice', "give each a name of its own")
        _warn_of_everyday_phrases(fields["ask"])
        leave = bool(fields["leave"].truth("leave")) if "leave" in fields else False
        say, stems = fields["say"].text("say").strip(), _name_stems(name, fields["ask"])
        fact = Fact(name, say, _field_text(fields, "after"), leave, stems)
        made[name] = (fact, fields["ask"])
    return made


def _name_stems(fact: str, ask: Node) -> frozenset[str]:
    """The stems of the words that name a fact: those of its id and of the first group of words of each phrase."""
    from quizgen.cases.listening import GENERIC_WORDS, content_stems

    words = content_stems(fact.replace("-", " "))
    for phrase in ask.texts("ask"):
        # Not of "read write ratio".
        short = ([one for one in slot if len(one.split()) < 3] for slot in _phrase_slots(phrase))
        groups = (content_stems(re.sub(r"[{}*|]", " ", " ".join(slot))) for slot in short)
        words |= next((group for group in groups if group - GENERIC_WORDS), frozenset())
    return words - GENERIC_WORDS


def _phrase_slots(phrase: str) -> list[list[str]]:
    return slot_texts(phrase) if is_plainly_valid(phrase) else []


def _warn_of_everyday_phrases(ask: Node) -> None:
    """Warns of phrases that one or two everyday words meet, and that questions about other things would meet, too."""
    from quizgen.cases.listening import EVERYDAY_WORDS  # a bank with terms and no cases needs none of its patterns

    for phrase in ask.texts("ask"):
        slots = _phrase_slots(phrase)
        for alternative in slots[0] if len(slots) == 1 else ():
            words = alternative.strip("{}").replace("*", "").split()
            if len(words) <= 2 and EVERYDAY_WORDS.issuperset(words):
                message = f'"{shorten(alternative)}" alone meets questions on something else'
                ask.report(message, 'give it a second word, as in "{how long} kept|stored"', "warning")


def read_terms(node: Node | None) -> dict[str, str]:
    """Meanings by `normalized_term` of each name: `MFU: text`, or `MFU: {is: text, also: [model FLOPs utilization]}`.
    The first of two equal names counts."""
    made: dict[str, str] = {}
    for name, entry in (node.mapping("terms") if node is not None else {}).items():
        if entry.shape != "mapping":
            made.setdefault(normalized_term(name), entry.text("term").strip())
            continue
        fields = entry.fields(("is", "also"), "a term")
        if "is" not in fields:
            entry.report(f'term "{shorten(name)}" has no meaning', "add `is:`")
            continue
        also = fields["also"].texts("also") if "also" in fields else ()
        for one in (name, *also):
            made.setdefault(normalized_term(one), fields["is"].text("is").strip())
    return made


def _read_commitments(node: Node | None) -> dict[str, Commitment]:
    made: dict[str, Commitment] = {}
    for name, entry in (node.mapping("values") if node is not None else {}).items():
        if entry.shape == "mapping":
            fields = entry.fields(("say", "draws", "usual", "unit"), "a value")
            names = fields["say"].texts("say") if "say" in fields else (name,)
            rows = fields["draws"].entries("draws") if "draws" in fields else []
            drawn = (
                tuple(n for row in rows if (n := row.whole_number("draws", 0, 10**7)) is not None)
                or DEFAULT_DRAWN_NUMBERS
            )
            usual = fields["usual"].whole_number("usual", 0, 10**7) if "usual" in fields else None
            unit = read_unit(fields.get("unit")) or UNIT_ONE
        else:
            names, drawn, usual, unit = entry.texts("values"), DEFAULT_DRAWN_NUMBERS, None, UNIT_ONE
        made[name] = Commitment(name, names or (name,), drawn, usual if usual is not None else drawn[0], unit)
    return made


def _read_signals(node: Node | None) -> dict[str, str]:
    if node is None:
        return {}
    if node.shape == "mapping":
        return {name: entry.text("signal").strip() for name, entry in node.mapping("signals").items()}
    return {name: name for name in node.texts("signals")}


def _make_facts_item(known: _KnownNames, make_item: ItemMaker, node: Node) -> Item | None:
    """A text item with the facts as criteria: a question requests the facts whose criteria it meets."""
    own = {"rubric": _facts_rubric(node, known.facts)}
    return make_item("text", _item_node(node, "facts", "What do you want to know?", own, known.item_fields("")))


def _facts_rubric(node: Node, facts: Mapping[str, tuple[Fact, Node]], full: Node | None = None) -> Node:
    rows = [
        _new_node(ask, {
            "id": _new_node(ask, name), "say": _new_node(ask, f"asks: {fact.say}"), "accept": ask,
            "polarity": _new_node(ask, "any"), "near": _new_node(ask, "sentence"), "bare": _new_node(ask, "true"),
        })
        for name, (fact, ask) in facts.items()
    ]  # fmt: skip
    return _new_node(node, {"criteria": _new_node(node, rows), **({"full_marks": full} if full is not None else {})})


# -- turns ----------------------------------------------------------------------------------


def _read_turns(node: Node | None, known: _KnownNames, make_item: ItemMaker) -> tuple[Turn, ...]:
    """The usable turns of a case."""
    entries = node.entries("turns") if node is not None else []
    ids = [str(n.value["id"].value) for n in entries if isinstance(n.value, dict) and "id" in n.value]
    turns = [_read_turn(entry, known, ids, make_item) for entry in entries]
    return tuple(turn for turn in turns if turn is not None)


def _read_turn(node: Node, known: _KnownNames, turn_ids: list[str], make_item: ItemMaker) -> Turn | None:
    mapping = node.mapping("a turn")
    kind = mapping["kind"].word(tuple(ITEM_FIELDS_BY_KIND), "kind of turn") if "kind" in mapping else None
    if kind is None:
        if "kind" not in mapping:
            node.report("kind is missing in the turn", f"one of {', '.join(ITEM_FIELDS_BY_KIND)}")
        return None
    fields = node.fields((*TURN_FIELDS, *ITEM_FIELDS_BY_KIND[kind]), f"a turn of kind {kind}")
    name, ask = _field_text(fields, "id"), _field_text(fields, "ask")
    if not name or not ask:
        node.report("a turn needs `id` and `ask`", "write what the interviewer asks")
        return None
    if turn_ids.count(name) > 1:
        fields["id"].report(f'turn "{name}" appears twice', "give each a name of its own")
    phase = fields["phase"].word(known.phases, "phase") if "phase" in fields else known.phases[-1:] and known.phases[-1]
    made = _make_turn_item(node, fields, kind, known, make_item)
    if made is None:
        return None
    item, signals = made
    criteria = [m.criterion for m in item.draw(SeededRng(item.id, "")).score("").marks if m.possible > 0]
    return Turn(
        id=name, phase=phase or "", kind=kind, ask=ask, item=item, where=node.where,
        branches=_read_branches(fields.get("when"), known, turn_ids, criteria),
        signal_by_criterion=signals, changed_facts=_read_changed_facts(fields.get("change"), known),
        is_branch_only="only" in fields and fields["only"].word(("branched",), "only") is not None,
        parting_text=_field_text(fields, "leave"),
        model_answer=_field_text(fields, "model_answer"),
        in_other_words=_field_text(fields, "in_other_words"),
        amounts=_required_amount_by_criterion(fields.get("rubric")),
    )  # fmt: skip


def _required_amount_by_criterion(rubric: Node | None) -> dict[str, Quantity]:
    """The amounts with a unit that criteria of a rubric require, by criterion; the item reports faults in them."""
    rows = rubric.value.get("criteria") if rubric is not None and isinstance(rubric.value, dict) else None
    made = {}
    for row in rows.value if rows is not None and isinstance(rows.value, list) else ():
        number = row.value.get("number") if isinstance(row.value, dict) else None
        if number is None or not isinstance(number.value, dict) or not {"value", "unit"} <= number.value.keys():
            continue
        value = read_number(str(number.value["value"].value))
        unit = read_unit(number.value["unit"])
        if (
            value
            and unit is not None
            and unit.dim != UNIT_ONE.dim
            and isinstance(row.value, dict)
            and "id" in row.value
        ):
            made[str(row.value["id"].value)] = Quantity(value, unit)
    return made


def _read_branches(
    node: Node | None, known: _KnownNames, turn_ids: list[str], criteria: list[str]
) -> tuple[Branch, ...]:
    """The usable branches of a turn."""
    entries = node.entries("when") if node is not None else ()
    branches = [_read_branch(entry, known, turn_ids, criteria) for entry in entries]
    return tuple(branch for branch in branches if branch is not None)


def _read_changed_facts(node: Node | None, known: _KnownNames) -> dict[str, str]:
    """The facts that a turn replaces, by id."""
    change = {}
    for fact, entry in (node.mapping("change") if node is not None else {}).items():
        _check_name(entry, fact, known.facts, "fact", at_key=True)
        change[fact] = entry.text("change").strip()
    return change


def _make_turn_item(
    node: Node, fields: Mapping[str, Node], kind: str, known: _KnownNames, make_item: ItemMaker
) -> tuple[Item, dict[str, str]] | None:
    """The turn's item under the id CASE.TURN, and the signals of its criteria."""
    signals: dict[str, str] = {}
    if "signal" in fields:
        signals[""] = _read_signal(fields["signal"], known)
    own = {name: fields[name] for name in ITEM_FIELDS_BY_KIND[kind] if name in fields}
    if kind == OPEN_TURN_KIND:
        facts = _scored_facts(fields.get("facts"), known)
        if not facts:
            node.report("an open turn needs facts to ask for", "add `facts:` to the case")
            return None
        own["rubric"] = _facts_rubric(node, facts, fields.get("full_marks"))
    elif "rubric" in own:
        own["rubric"], more = _rubric_without_signals(own["rubric"], known)
        signals |= more
    if "model_answer" in fields and kind == "text":
        own["model_answer"] = fields["model_answer"]
    stem = str(fields["ask"].value)
    if kind == "numeric" and "from" in fields:
        own["draw"] = _draw_node_of_commitments(fields["from"], known, own.get("draw"))
    name = str(fields["id"].value)
    about = known.item_fields(str(fields["phase"].value) if "phase" in fields else "")
    item = make_item("text" if kind == OPEN_TURN_KIND else kind, _item_node(node, name, stem, own, about))
    return (replace(item, id=f"{known.case}.{name}"), signals) if item is not None else None


def _scored_facts(node: Node | None, known: _KnownNames) -> dict[str, tuple[Fact, Node]]:
    """The facts that an open turn gives points for: the named ones, else every fact of the case."""
    if node is None:
        return {name: pair for name, pair in known.facts.items() if not pair[0].given_at and not pair[0].permits}
    wanted = node.texts("facts")
    for name in wanted:
        _check_name(node, name, known.facts, "fact")
    return {name: known.facts[name] for name in wanted if name in known.facts}


def _rubric_without_signals(rubric: Node, known: _KnownNames) -> tuple[Node, dict[str, str]]:
    """The rubric without signals, like that of any text item, and the signals of its criteria."""
    signals: dict[str, str] = {}
    if not isinstance(rubric.value, dict) or "criteria" not in rubric.value:
        return rubric, signals
    rows = []
    for row in rubric.value["criteria"].entries("criteria"):
        if isinstance(row.value, dict) and "signal" in row.value:
            if "id" in row.value:
                signals[str(row.value["id"].value)] = _read_signal(row.value["signal"], known)
            row = _new_node(row, {k: v for k, v in row.value.items() if k != "signal"})
        rows.append(row)
    criteria = _new_node(rubric.value["criteria"], rows)
    return _new_node(rubric, {**rubric.value, "criteria": criteria}), signals


def _draw_node_of_commitments(node: Node, known: _KnownNames, draw: Node | None) -> Node:
    """The numbers that a candidate committed to, as drawn values of a numeric item."""
    rows = dict(draw.mapping("draw")) if draw is not None else {}
    for name in node.texts("from"):
        _check_name(node, name, known.commitments, "value")
        if name in known.commitments:
            rows[name] = _new_node(node, [_new_node(node, str(n)) for n in known.commitments[name].drawn_numbers])
    return _new_node(node, rows)


def _read_branch(node: Node, known: _KnownNames, turn_ids: list[str], criteria: list[str]) -> Branch | None:
    fields = node.fields(("if", "otherwise", "say", "then", "again"), "a branch")
    if ("if" in fields) == ("otherwise" in fields):
        node.report("a branch needs `if:` or `otherwise: true`", "write {if: {met: a-criterion}, say: …, then: a-turn}")
        return None
    condition = _read_condition(fields["if"], known, criteria) if "if" in fields else None
    then = fields["then"].text("then") if "then" in fields else ""
    if then:
        _check_name(fields["then"], then, turn_ids, "turn")
    again = bool(fields["again"].truth("again")) if "again" in fields else False
    if again and then:
        fields["again"].report("a branch leads on or stays, not both", "leave `again` or `then` out")
    say = fields["say"].text("say").strip() if "say" in fields else ""
    return Branch(condition, say, then, again)


def _read_condition(node: Node, known: _KnownNames, criteria: list[str]) -> BranchCondition:
    fields = node.fields(CONDITION_FIELDS, "`if`")

    def names_in(field: str, names: Mapping[str, object] | list[str] | tuple[str, ...], what: str) -> tuple[str, ...]:
        names_there = fields[field].texts(field) if field in fields else ()
        for name in names_there:
            _check_name(fields[field], name, names, what)
        return names_there

    bounds = []
    for name, entry in (fields["value"].mapping("value") if "value" in fields else {}).items():
        _check_name(entry, name, known.commitments, "value", at_key=True)
        bound = _read_bound(name, entry)
        if bound is not None:
            bounds.append(bound)
    return BranchCondition(
        met_criteria=names_in("met", criteria, "criterion of this turn"),
        unmet_criteria=names_in("unmet", criteria, "criterion of this turn"),
        contradicted_criteria=names_in("contradicted", criteria, "criterion of this turn"),
        bounds=tuple(bounds),
        uncommitted_ids=names_in("unsaid", known.commitments, "value"),
        requested_fact_ids=names_in("asked", known.facts, "fact"),
        unrequested_fact_ids=names_in("unasked", known.facts, "fact"),
        below_number=fields["below"].number("below") if "below" in fields else None,
        above_number=fields["above"].number("above") if "above" in fields else None,
        outcomes=names_in("outcome", OUTCOME_NAMES, "outcome"),
    )


def _read_bound(name: str, node: Node) -> Bound | None:
    """`>8`, `<= 4`, `8`."""
    text = node.text("value").replace(" ", "")
    relation = next((r for r in COMPARISON_BY_RELATION if text.startswith(r)), "")
    number = read_number(text.removeprefix(relation))
    if number is None:
        node.report(f'"{shorten(text)}" is not a test of a number', 'write ">8", "<=4" or 8')
        return None
    return Bound(name, relation or "=", number)


def _read_signal(node: Node, known: _KnownNames) -> str:
    name = node.text("signal")
    if known.signals:
        _check_name(node, name, known.signals, "signal")
    return name


def _check_name(
    node: Node,
    name: str,
    known_names: Mapping[str, object] | tuple[str, ...] | list[str],
    kind_text: str,
    at_key: bool = False,
) -> None:
    if name not in known_names:
        hint = did_you_mean(name, list(known_names)) or f"known: {', '.join(known_names) or 'none'}"
        (node.report_key if at_key else node.report)(f'no {kind_text} "{shorten(name)}"', hint)


# -- nodes of the items behind turns --------------------------------------------------------


def _item_node(
    node: Node, name: str, stem: str, own_fields: Mapping[str, Node], expected_fields: Mapping[str, str]
) -> Node:
    """The node of a turn's item; `expected_fields` has the fields that every item is expected to have."""
    texts = {field: _new_node(node, text) for field, text in expected_fields.items()}
    return _new_node(node, {"id": _new_node(node, name), "stem": _new_node(node, stem), **texts, **own_fields})


def _new_node(node: Node, value: str | list[Node] | dict[str, Node]) -> Node:
    """A node with a new value at the place of one that the author wrote."""
    return Node(node.doc, node.line, node.column, value)
