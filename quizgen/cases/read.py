"""Reads cases from `cases/NAME.yaml`, and checks them; each of the author's mistakes is reported with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import Final

from quizgen.cases import case as case_parts
from quizgen.cases.case import Branch, BranchCondition, BranchNumberTest, Case, CasePhase, CommittableNumber, Fact, Turn
from quizgen.draw import SeededRng
from quizgen.formula.author import parse_unit_field_or_default
from quizgen.formula.quantity import Quantity
from quizgen.formula.units import UNIT_ONE, parse_unit
from quizgen.model import Item
from quizgen.rubric.phrases import is_plainly_valid_phrase, text_lists_by_slot
from quizgen.rubric.rubric import Rubric
from quizgen.source.problems import Fields, Node, Problem, did_you_mean, read_decimal, shorten
from quizgen.stimuli import PLACEHOLDER_PATTERN

CASE_FIELD_NAMES: Final = (
    "id", "title", "level", "minutes", "opening", "facts", "values", "phases", "signals", "turns", "source", "terms",
)  # fmt: skip
TURN_FIELD_NAMES: Final = (
    "id", "phase", "kind", "ask", "in_other_words", "signal", "only", "change", "when", "leave", "model_answer",
    "facts", "full_marks", "from",
)  # fmt: skip
# Fields that a turn passes to its item, by kind.
ITEM_FIELD_NAMES_BY_TURN_KIND: Final[Mapping[str, tuple[str, ...]]] = {
    case_parts.CANDIDATE_ASKS_TURN_KIND: (),
    "text": ("rubric", "synonyms", "points"),
    "numeric": ("formula", "with", "answer", "draw", "cases", "require", "credit", "points", "rationale", "find"),
    "choice": ("key", "distractors", "order", "policy", "points", "rationale"),
}
BRANCH_CONDITION_FIELD_NAMES: Final = (
    "met", "unmet", "contradicted", "value", "unsaid", "asked", "unasked", "below", "above", "outcome",
)  # fmt: skip
HINT_BY_REQUIRED_CASE_FIELD: Final = {  # fields of a case, and a hint for one that is missing
    "id": "add `id: a-stable-name`",
    "opening": "add `opening:`: what the interviewer says first",
    "phases": "add `phases:` with {id, title, minutes} rows",
    "turns": "add `turns:` with what is asked",
}
DEFAULT_NUMBERS_FOR_ITEM_DRAWS: Final = (1, 2, 4, 8, 16, 32, 64)

# Makes an item from a node of a kind; None after its errors were reported.
ItemMaker = Callable[[str, Node], Item | None]


@dataclass(frozen=True, slots=True)
class _NamesTurnsMayReferTo:
    """The names that the turns of one case may refer to."""

    case_id: str
    phases: tuple[CasePhase, ...]
    fact_and_phrases_by_id: Mapping[str, tuple[Fact, Node]]
    committable_number_by_id: Mapping[str, CommittableNumber]
    title_by_hiring_signal: Mapping[str, str]
    case_source_citation: str
    turn_ids: list[str]

    def turn_item_node(self, node: Node, name: str, stem: str, phase_id: str, own_fields: Mapping[str, Node]) -> Node:
        """The node of a turn's item: `own_fields`, and those that reports and checks need, such as topic and source."""
        minutes = next((phase.allowed_minutes for phase in self.phases if phase.id == phase_id), 2)
        texts = {
            "id": name,
            "stem": stem,
            "topic": self.case_id,
            "source": self.case_source_citation or f"case {self.case_id}",
            "difficulty": "4",
            "rationale": "The debrief of the case has the whole conversation.",
            "seconds": str(max(1, round(minutes * 60))),
        }
        return _make_node_at_place_of(node, {**texts, **own_fields})


def read_cases(top_node: Node, make_item: ItemMaker) -> list[Case]:
    """The usable cases of a file's top node; problems of the others are reported."""
    fields = top_node.fields(("cases", "synonyms", "title"), "a file of cases")
    if "cases" not in fields:
        top_node.report("the file has no cases", "add `cases:` and a list of cases")
    return list(filter(None, [_read_case(node, make_item) for node in fields.entries("cases")]))


def _report_empty_turns_equal_phases_and_other_file_name(
    node: Node, fields: Fields, case_id: str, phases: Sequence[CasePhase]
) -> None:
    if "turns" in fields and fields["turns"].value == []:
        fields["turns"].report("turns is an empty list", HINT_BY_REQUIRED_CASE_FIELD["turns"])
    if len({phase.id for phase in phases}) < len(phases):
        fields["phases"].report("a phase appears twice", "give each a name of its own")
    file_name = re.split(r"[/\\]", node.doc.path)[-1].removesuffix(".yaml")
    if case_id not in ("", file_name):  # `mock` looks a case up by the name of its file
        fields["id"].report(f'the case "{shorten(case_id)}" is in {file_name}.yaml', "give file and case one name")


def _read_case(node: Node, make_item: ItemMaker) -> Case | None:
    fields = node.fields(CASE_FIELD_NAMES, "a case")
    start = len(node.doc.problems)
    for field_name in (n for n in HINT_BY_REQUIRED_CASE_FIELD if n not in fields):
        node.report(f"{field_name} is missing in the case", HINT_BY_REQUIRED_CASE_FIELD[field_name])
    names = ("id", "title", "level", "opening", "source")
    name, title, level, opening, source = (fields.text(one).strip() for one in names)
    phases, facts = tuple(_read_phases(fields)), _read_fact_and_phrases_by_id(fields)
    commitments = {one.id: one for one in _read_committable_numbers(fields)}
    entries = fields.entries("turns")
    turn_ids = [str(n.value["id"].value) for n in entries if isinstance(n.value, dict) and "id" in n.value]
    titles = _read_title_by_hiring_signal(fields.get("signals"))
    known_names = _NamesTurnsMayReferTo(name, phases, facts, commitments, titles, source, turn_ids)
    facts_item = None
    if facts:  # a question requests the facts whose criteria it meets
        spec = {"rubric": _rubric_node_of_facts(node, facts)}
        facts_item = make_item("text", known_names.turn_item_node(node, "facts", "What do you want to know?", "", spec))
    turns = tuple(filter(None, [_read_turn(entry, known_names, make_item) for entry in entries]))
    for fact, phrases in facts.values():
        if fact.deferred_to_turn_id:
            _report_unknown(phrases, fact.deferred_to_turn_id, [turn.id for turn in turns], "turn")
    phase_minutes, minutes = sum((p.allowed_minutes for p in phases), Fraction(0)), fields.number("minutes")
    if minutes is not None and phases and minutes != phase_minutes:
        message = f"the phases add up to {float(phase_minutes):g} minutes, the case to {float(minutes):g}"
        fields["minutes"].report(message, "make them equal, or leave `minutes` out")
    _report_empty_turns_equal_phases_and_other_file_name(node, fields, name, phases)
    if name:
        node.doc.set_missing_item_ids_from_index(start, name)
    if not turns or not name or any(p.severity == "error" for p in node.doc.problems[start:]):
        return None
    return Case(
        name, title or name, phase_minutes, opening, phases, turns, node.location, level,
        tuple(fact for fact, _ in facts.values()), tuple(commitments.values()), known_names.title_by_hiring_signal,
        facts_item, read_glossary(fields.get("terms")),
    )  # fmt: skip


def _read_phases(case_fields: Fields) -> Iterator[CasePhase]:
    for entry in case_fields.entries("phases"):
        fields = entry.fields(("id", "title", "minutes"), "a phase")
        minutes, name = fields.number("minutes"), fields.text("id")
        if "id" not in fields or minutes is None or minutes <= 0:
            entry.report("a phase needs `id` and `minutes` above 0", "write {id: clarify, title: Scope, minutes: 4}")
        else:
            yield CasePhase(name, fields.text("title") or name, minutes)


def _read_fact_and_phrases_by_id(case_fields: Fields) -> dict[str, tuple[Fact, Node]]:
    facts: dict[str, tuple[Fact, Node]] = {}
    for entry in case_fields.entries("facts"):
        fields = entry.fields(("id", "ask", "say", "after", "leave"), "a fact")
        if not {"id", "ask", "say"} <= set(fields):
            entry.report("a fact needs `id`, `ask` and `say`", "write {id: batch, ask: [phrases], say: the answer}")
            continue
        name, node = fields.text("id"), fields["ask"]
        if name in facts:
            fields["id"].report(f'fact "{name}" appears twice', "give each a name of its own")
        slots_by_phrase = [text_lists_by_slot(p) if is_plainly_valid_phrase(p) else [] for p in node.texts("ask")]
        _warn_of_everyday_phrases(node, slots_by_phrase)
        text, turn_id = fields.text("say").strip(), fields.text("after").strip()
        facts[name] = Fact(name, text, turn_id, fields.truth("leave"), _naming_word_stems(name, slots_by_phrase)), node
    return facts


def _naming_word_stems(fact_id: str, slots_by_phrase: Sequence[list[list[str]]]) -> frozenset[str]:
    """The stems of the words that name a fact: those of its id and of the first group of words of each phrase."""
    from quizgen.cases.listening import TOPICLESS_STEMS, content_stems

    words = content_stems(fact_id.replace("-", " "))
    for slots in slots_by_phrase:
        # Not of "read write ratio".
        short_slots = ([one for one in slot if len(one.split()) < 3] for slot in slots)
        groups = (content_stems(re.sub(r"[{}*|]", " ", " ".join(slot))) for slot in short_slots)
        words |= next((group for group in groups if group - TOPICLESS_STEMS), frozenset())
    return words - TOPICLESS_STEMS


def _warn_of_everyday_phrases(phrases_node: Node, slots_by_phrase: Sequence[list[list[str]]]) -> None:
    """Warns of phrases that one or two everyday words meet, and that questions about other things would meet, too."""
    from quizgen.cases.listening import WORDS_WITHOUT_CONTENT  # a bank without cases needs none of its patterns

    for alternative in chain(*(slots[0] for slots in slots_by_phrase if len(slots) == 1)):
        words = alternative.strip("{}").replace("*", "").split()
        if len(words) <= 2 and WORDS_WITHOUT_CONTENT.issuperset(words):
            message = f'"{shorten(alternative)}" alone meets questions on something else'
            phrases_node.report(message, 'give it a second word, as in "{how long} kept|stored"', "warning")


def read_glossary(node: Node | None) -> dict[str, str]:
    """Meanings by `lowercase_term_with_hyphens_as_blanks` of each name: `MFU: text`, or `MFU: {is: text, also: [model
    FLOPs utilization]}`. The first of two equal names counts."""
    meanings: dict[str, str] = {}
    for name, entry in (node.mapping("terms") if node is not None else {}).items():
        if entry.shape != "mapping":
            meanings.setdefault(case_parts.lowercase_term_with_hyphens_as_blanks(name), entry.text("term").strip())
            continue
        fields = entry.fields(("is", "also"), "a term")
        if "is" not in fields:
            entry.report(f'term "{shorten(name)}" has no meaning', "add `is:`")
            continue
        for term in (name, *fields.texts("also")):
            meanings.setdefault(case_parts.lowercase_term_with_hyphens_as_blanks(term), fields["is"].text("is").strip())
    return meanings


def _read_committable_numbers(case_fields: Fields) -> Iterator[CommittableNumber]:
    for name, entry in case_fields.mapping("values").items():
        is_list = entry.shape != "mapping"
        fields = Fields() if is_list else entry.fields(("say", "draws", "usual", "unit"), "a value")
        names = entry.texts("values") if is_list else fields.texts("say")
        numbers = (row.whole_number_between("draws", 0, 10**7) for row in fields.entries("draws"))
        draws = tuple(number for number in numbers if number is not None) or DEFAULT_NUMBERS_FOR_ITEM_DRAWS
        default = fields["usual"].whole_number_between("usual", 0, 10**7) if "usual" in fields else None
        unit = parse_unit_field_or_default(fields.get("unit")) or UNIT_ONE
        yield CommittableNumber(name, names or (name,), draws, draws[0] if default is None else default, unit)


def _read_title_by_hiring_signal(node: Node | None) -> dict[str, str]:
    if node is not None and node.shape == "mapping":
        return {name: entry.text("signal").strip() for name, entry in node.mapping("signals").items()}
    return {name: name for name in node.texts("signals")} if node is not None else {}


def _rubric_node_of_facts(node: Node, facts: Mapping[str, tuple[Fact, Node]], full_marks: Node | None = None) -> Node:
    texts = {"polarity": "any", "near": "sentence", "bare": "true"}
    rows = [
        _make_node_at_place_of(phrases, {"id": name, "say": f"asks: {fact.fact_text}", "accept": phrases, **texts})
        for name, (fact, phrases) in facts.items()
    ]
    own_fields = {"full_marks": full_marks} if full_marks is not None else {}
    return _make_node_at_place_of(node, {"criteria": _make_node_at_place_of(node, rows), **own_fields})


# -- turns ----------------------------------------------------------------------------------


def _read_turn(node: Node, known_names: _NamesTurnsMayReferTo, make_item: ItemMaker) -> Turn | None:
    mapping = node.mapping("a turn")
    if "kind" not in mapping:
        node.report("kind is missing in the turn", f"one of {', '.join(ITEM_FIELD_NAMES_BY_TURN_KIND)}")
        return None
    if (kind := mapping["kind"].allowed_word(tuple(ITEM_FIELD_NAMES_BY_TURN_KIND), "kind of turn")) is None:
        return None
    fields = node.fields((*TURN_FIELD_NAMES, *ITEM_FIELD_NAMES_BY_TURN_KIND[kind]), f"a turn of kind {kind}")
    name, question = fields.text("id").strip(), fields.text("ask").strip()
    if not name or not question:
        node.report("a turn needs `id` and `ask`", "write what the interviewer asks")
        return None
    if known_names.turn_ids.count(name) > 1:
        fields["id"].report(f'turn "{name}" appears twice', "give each a name of its own")
    phase_ids = [phase.id for phase in known_names.phases]
    phase_id = fields.allowed_word("phase", phase_ids) or "" if "phase" in fields else "".join(phase_ids[-1:])
    if (item_and_signals := _make_turn_item_and_signals(node, fields, kind, known_names, make_item)) is None:
        return None
    item, signals = item_and_signals
    criteria = [m.criterion_id for m in item.draw(SeededRng(item.id, "")).score("").marks if m.possible > 0]
    changes = fields.mapping("change")
    for fact, entry in changes.items():
        _report_unknown(entry, fact, known_names.fact_and_phrases_by_id, "fact", at_key=True)
    return Turn(
        id=name, phase_id=phase_id, kind=kind, question_template=question, item=item, location=node.location,
        branches=tuple(filter(None, [_read_branch(entry, known_names, criteria) for entry in fields.entries("when")])),
        hiring_signal_by_criterion_id=signals,
        new_text_by_changed_fact_id={fact: entry.text("change").strip() for fact, entry in changes.items()},
        is_branch_only=fields.allowed_word("only", ("branched",)) is not None,
        parting_text=fields.text("leave").strip(),
        model_answer=fields.text("model_answer").strip(),
        rephrasing_template=fields.text("in_other_words").strip(),
        required_amount_by_criterion_id=dict(_criterion_id_and_required_amount_pairs(item)),
    )  # fmt: skip


def _criterion_id_and_required_amount_pairs(item: Item) -> Iterator[tuple[str, Quantity]]:
    """Yields the criteria of a text item's rubric that require an amount with a unit, each with the amount."""
    rubric = getattr(item, "rubric", None)
    for criterion in rubric.criteria if isinstance(rubric, Rubric) else ():
        test = criterion.number_test
        if test and test.value and test.unit and (unit := parse_unit(test.unit, test.bank_units)).dim != UNIT_ONE.dim:
            yield criterion.id, Quantity(test.value, unit)


def _make_turn_item_and_signals(
    node: Node, fields: Fields, kind: str, known_names: _NamesTurnsMayReferTo, make_item: ItemMaker
) -> tuple[Item, dict[str, str]] | None:
    """The turn's item under the id CASE.TURN, and the signals of its criteria."""
    signals = {"": _read_hiring_signal_name(fields["signal"], known_names)} if "signal" in fields else {}
    own_fields = {name: fields[name] for name in ITEM_FIELD_NAMES_BY_TURN_KIND[kind] if name in fields}
    if kind == case_parts.CANDIDATE_ASKS_TURN_KIND:
        # The facts that it gives points for are the named ones, else every fact of the case.
        fact_ids = fields.texts("facts")
        for name in fact_ids:
            _report_unknown(fields["facts"], name, known_names.fact_and_phrases_by_id, "fact")
        facts = {
            name: (fact, phrases)
            for name, (fact, phrases) in known_names.fact_and_phrases_by_id.items()
            if name in fact_ids or not ("facts" in fields or fact.deferred_to_turn_id or fact.is_permission_reply)
        }
        if not facts:
            node.report("an open turn needs facts to ask for", "add `facts:` to the case")
            return None
        own_fields["rubric"] = _rubric_node_of_facts(node, facts, fields.get("full_marks"))
    elif "rubric" in own_fields:
        own_fields["rubric"], criterion_signals = _split_hiring_signals_from_rubric(own_fields["rubric"], known_names)
        signals |= criterion_signals
    if "model_answer" in fields and kind == "text":
        own_fields["model_answer"] = fields["model_answer"]
    if kind == "numeric" and "from" in fields:
        # The numbers that a candidate committed to are drawn values of the item.
        rows, from_node = dict(fields.mapping("draw")), fields["from"]
        for name in from_node.texts("from"):
            _report_unknown(from_node, name, known_names.committable_number_by_id, "value")
            if commitment := known_names.committable_number_by_id.get(name):
                rows[name] = _make_node_at_place_of(from_node, list(map(str, commitment.numbers_for_item_draws)))
        own_fields["draw"] = _make_node_at_place_of(from_node, rows)
    if kind != "numeric":  # whose item reports names that are not drawn
        _report_unknown_placeholders(fields["ask"], known_names.committable_number_by_id)
    name = fields.text("id")
    item_node = known_names.turn_item_node(node, name, fields.text("ask"), fields.text("phase"), own_fields)
    item = make_item("text" if kind == case_parts.CANDIDATE_ASKS_TURN_KIND else kind, item_node)
    return (replace(item, id=f"{known_names.case_id}.{name}"), signals) if item is not None else None


def _split_hiring_signals_from_rubric(rubric: Node, known_names: _NamesTurnsMayReferTo) -> tuple[Node, dict[str, str]]:
    """The rubric without signals, like that of any text item, and the signals of its criteria."""
    signals: dict[str, str] = {}
    if not isinstance(rubric.value, dict) or "criteria" not in rubric.value:
        return rubric, signals
    rows = []
    for row in rubric.value["criteria"].entries("criteria"):
        if isinstance(row.value, dict) and "signal" in row.value:
            if "id" in row.value:
                signals[str(row.value["id"].value)] = _read_hiring_signal_name(row.value["signal"], known_names)
            row = _make_node_at_place_of(row, {k: v for k, v in row.value.items() if k != "signal"})
        rows.append(row)
    criteria = _make_node_at_place_of(rubric.value["criteria"], rows)
    return _make_node_at_place_of(rubric, {**rubric.value, "criteria": criteria}), signals


def _read_branch(node: Node, known_names: _NamesTurnsMayReferTo, criteria: list[str]) -> Branch | None:
    fields = node.fields(("if", "otherwise", "say", "then", "again"), "a branch")
    if ("if" in fields) == ("otherwise" in fields):
        node.report("a branch needs `if:` or `otherwise: true`", "write {if: {met: a-criterion}, say: …, then: a-turn}")
        return None
    condition = _read_condition(fields["if"], known_names, criteria) if "if" in fields else None
    next_turn_id, stays_in_turn = fields.text("then"), fields.truth("again")
    if next_turn_id:
        _report_unknown(fields["then"], next_turn_id, known_names.turn_ids, "turn")
    if stays_in_turn and next_turn_id:
        fields["again"].report("a branch leads on or stays, not both", "leave `again` or `then` out")
    if "say" in fields:
        _report_unknown_placeholders(fields["say"], known_names.committable_number_by_id)
    return Branch(condition, fields.text("say").strip(), next_turn_id, stays_in_turn)


def _report_unknown_placeholders(node: Node, names: Collection[str]) -> None:
    """Reports each {name} in a text of the interviewer that is not one of `names`, the values of the case."""
    for match in PLACEHOLDER_PATTERN.finditer(str(node.value)):
        if match[1] not in names:
            hint = did_you_mean(match[1], names) or f"values: {', '.join(sorted(names)) or 'none'}"
            node.report_at_offset(match.start(), f'"{match[0]}" is not a value of the case', hint)


def _read_condition(node: Node, known: _NamesTurnsMayReferTo, criteria: list[str]) -> BranchCondition:
    fields = node.fields(BRANCH_CONDITION_FIELD_NAMES, "`if`")
    tests = []
    for name, entry in fields.mapping("value").items():
        _report_unknown(entry, name, known.committable_number_by_id, "value", at_key=True)
        text = entry.text("value").replace(" ", "")  # `>8`, `<= 4`, `8`
        sign = next((r for r in case_parts.COMPARISON_FUNCTION_BY_SIGN if text.startswith(r)), "")
        if (number := read_decimal(text.removeprefix(sign))) is None:
            entry.report(f'"{shorten(text)}" is not a test of a number', 'write ">8", "<=4" or 8')
        else:
            tests.append(BranchNumberTest(name, sign or "=", number))
    choices: dict[str, tuple[Collection[str], str]]
    choices = {field: (criteria, "criterion of this turn") for field in ("met", "unmet", "contradicted")}
    choices |= {"unsaid": (known.committable_number_by_id, "value"), "asked": (known.fact_and_phrases_by_id, "fact")}
    choices |= {"outcome": (("correct", "partial", "incorrect", "blank"), "outcome"), "unasked": choices["asked"]}
    names_by_condition_kind = {name: names for name in choices if (names := fields.texts(name))}
    for field, names in names_by_condition_kind.items():
        for name in names:
            _report_unknown(fields[field], name, *choices[field])
    limits = {sign: fields.number(name) for name, sign in (("below", "<"), ("above", ">"))}
    tests += [BranchNumberTest("", sign, number) for sign, number in limits.items() if number is not None]
    return BranchCondition(names_by_condition_kind, tuple(tests))


def _read_hiring_signal_name(node: Node, known_names: _NamesTurnsMayReferTo) -> str:
    name = node.text("signal")
    if known_names.title_by_hiring_signal:
        _report_unknown(node, name, known_names.title_by_hiring_signal, "signal")
    return name


def _report_unknown(node: Node, name: str, known_names: Collection[str], kind_text: str, at_key: bool = False) -> None:
    if name not in known_names:
        hint = did_you_mean(name, known_names) or f"known: {', '.join(known_names) or 'none'}"
        (node.report_at_key if at_key else node.report)(f'no {kind_text} "{shorten(name)}"', hint)


# -- nodes of the items behind turns --------------------------------------------------------


def _make_node_at_place_of(node: Node, value: Sequence[Node | str] | Mapping[str, Node | str]) -> Node:
    """A list or a mapping at the place of a node that the author wrote, and so are the texts in it."""
    parts = value.values() if isinstance(value, Mapping) else value
    nodes = [part if isinstance(part, Node) else Node(node.doc, node.line, node.column, part) for part in parts]
    new_value = dict(zip(value, nodes, strict=True)) if isinstance(value, Mapping) else nodes
    return Node(node.doc, node.line, node.column, new_value)


# -- what `quizgen check` finds in a case: turns nobody reaches, loops, model answers that draw a probe ------------


def case_problems(case: Case) -> Iterator[Problem]:
    """Yields the problems and warnings of a case, and those of the items behind its turns."""
    target_ids = {b.next_turn_id for t in case.turns for b in t.branches}
    for turn in case.turns:
        if turn.is_branch_only and turn.id not in target_ids:
            hint = "name it in a `then:`, or drop `only:`"
            yield _problem_at_turn(case, turn, f'no branch leads to turn "{turn.id}"', hint)
        yield from _branch_problems(case, turn)
        yield from _model_answer_and_signal_problems(case, turn)
    for one in case.phases:
        if not any(t.phase_id == one.id and not t.is_branch_only for t in case.turns):
            yield Problem(case.location, f'phase "{one.id}" has no turn of its own', "give it one", case.id, "warning")
    for turn in case.turns:
        yield from (p for p in turn.item.find_problems() if p.severity != "warning")


def _branch_problems(case: Case, turn: Turn) -> Iterator[Problem]:
    """Yields problems of branches that lead back, say nothing or hide another branch."""
    turn_ids = [t.id for t in case.turns]
    for branch in turn.branches:
        if branch.next_turn_id and turn_ids.index(branch.next_turn_id) <= turn_ids.index(turn.id):
            hint = "a conversation only goes on: name a later turn"
            yield _problem_at_turn(case, turn, f'a branch of "{turn.id}" leads back to "{branch.next_turn_id}"', hint)
        if branch.stays_in_turn and not branch.interviewer_template:
            yield _problem_at_turn(case, turn, f'a branch of "{turn.id}" stays and says nothing', "add `say:`")
    for hidden_count, branch in enumerate(reversed(turn.branches[:-1]), 1):
        if branch.condition is None:
            message = f"`otherwise` hides {hidden_count} branch{'es' * (hidden_count > 1)} behind it"
            yield _problem_at_turn(case, turn, message, "put it last")


def _model_answer_and_signal_problems(case: Case, turn: Turn) -> Iterator[Problem]:
    """Yields warnings of criteria without a signal, and of those that the strong answer does not meet, so that it draws
    a probe."""
    variant = turn.item.draw(SeededRng(turn.item.id, ""))
    criteria = [mark.criterion_id for mark in variant.score("").marks if mark.possible > 0]
    for name in criteria if case.title_by_hiring_signal else ():
        if not (turn.hiring_signal_by_criterion_id.get(name) or turn.hiring_signal_by_criterion_id.get("")):
            hint = f"add `signal:` with one of {', '.join(case.title_by_hiring_signal)}"
            yield _problem_at_turn(case, turn, f'"{turn.id}" has no signal for "{name}"', hint, "warning")
    if not turn.model_answer:
        if turn.kind in ("text", case_parts.CANDIDATE_ASKS_TURN_KIND):
            hint = "add `model_answer:`: what a strong candidate would have said"
            yield _problem_at_turn(case, turn, f'turn "{turn.id}" has no model answer', hint, "warning")
        return
    score = variant.score(turn.model_answer)
    if turn.candidate_asks and score.earned >= score.possible:
        return  # a case need not ask for every fact
    for mark in score.marks:
        if mark.possible > 0 and mark.status not in case_parts.FOUND_OR_HEDGED_STATUSES:
            message = f'the model answer of "{turn.id}" does not meet "{mark.criterion_id}": {mark.because}'
            yield _problem_at_turn(case, turn, message, "fix the phrases, or the answer", "warning")


def _problem_at_turn(case: Case, turn: Turn, message: str, hint: str, severity: str = "failure") -> Problem:
    return Problem(turn.location, message, hint, f"{case.id}.{turn.id}", severity)
