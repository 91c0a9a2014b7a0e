"""Choice items: one key or several, distractors with reasons, options shuffled by the seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from quizgen import answer_areas, markdown
from quizgen.answer_areas import Option, Options, option_letter
from quizgen.draw import Stream
from quizgen.inline import Text
from quizgen.kinds.common import (
    SHARED_FIELDS,
    Scope,
    is_draft,
    missing_field_severity,
    portable_item_of,
    read_shared_fields,
    recommended_field_warnings,
)
from quizgen.model import ZERO, Echo, Given, Item, Mark, Outcome, Sample, Score, Variant
from quizgen.page import Block, Table
from quizgen.source.problems import Node, Problem, shorten

if TYPE_CHECKING:
    from quizgen.portable_item import Plain

CHOICE_FIELDS = (*SHARED_FIELDS, "key", "distractors", "order", "policy", "from")
POLICIES = ("all", "net", "each")
MAX_OPTIONS = 26


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceItem(Item):
    """A choice item. `reasons[i]` says why `distractors[i]` is wrong. `numeric_origin` is the numeric item that key and
    distractors are drawn from (`from:`); `keys` and `distractors` are then empty. `options_kept_last` holds the options
    that stay behind the others. `fields` are the names of the fields that the author wrote."""

    kind: ClassVar[str] = "choice"

    keys: tuple[str, ...]
    distractors: tuple[str, ...]
    reasons: tuple[str, ...]
    is_ascending: bool = False
    policy: str = "all"
    numeric_origin: Item | None = None
    options_kept_last: frozenset[str] = frozenset()
    fields: frozenset[str] = frozenset()

    @classmethod
    def parse(cls, node: Node, scope: Scope) -> ChoiceItem | None:
        fields = node.fields(CHOICE_FIELDS, "a choice item")
        shared = read_shared_fields(node, fields, scope, needs_stem="from" not in fields)
        ascending = "order" in fields and fields["order"].word(("ascending", "shuffled"), "order") == "ascending"
        policy = (fields["policy"].word(POLICIES, "policy") or "all") if "policy" in fields else "all"
        if "from" in fields:
            return _parse_choice_from_numeric(fields, shared, scope, ascending)
        keys, last = read_keys(node, fields)
        distractors, reasons, more = read_distractors(node, fields, len(keys))
        if shared is None or not ((keys and distractors) or is_draft(fields)):
            return None
        if not check_options_differ(fields, keys):
            return None
        return cls(
            **shared,
            keys=keys,
            distractors=distractors,
            reasons=reasons,
            is_ascending=ascending,
            policy=policy,
            options_kept_last=last | more,
            fields=frozenset(fields),
        )

    @property
    def has_several_keys(self) -> bool:
        return len(self.keys) > 1

    @property
    def asks(self) -> str:
        return self.id if self.numeric_origin is None else self.numeric_origin.id

    @property
    def complete(self) -> bool:
        return self.numeric_origin is not None or bool(self.keys and self.distractors)

    def draw(self, rng: Stream) -> ChoiceVariant:
        if self.numeric_origin is None:
            return self._variant_in_order(rng, self, rng.seed)
        drawn = self.numeric_origin.draw(Stream(self.numeric_origin.id, rng.seed))
        return self._variant_of_origin(rng, drawn, rng.seed)

    def redraw(self, given: Mapping[str, str], rng: Stream | None) -> ChoiceVariant:
        if self.numeric_origin is not None:
            inner = Stream(self.numeric_origin.id, rng.seed) if rng else None
            return self._variant_of_origin(
                rng or Stream(self.id, ""), self.numeric_origin.redraw(given, inner), rng.seed if rng else ""
            )
        if rng is None:
            return replace(self._variant_in_order(Stream(self.id, ""), self, ""), is_order_known=self.is_ascending)
        return self.draw(rng)

    def prove(self) -> Iterator[Problem]:
        yield from recommended_field_warnings(self, self.fields)
        texts = (*self.keys, *self.distractors)
        order_known = [text for text in texts if answer_areas.refers_to_letters(text)]
        # If every option names letters, they are letters of the stem, such as commits of a graph.
        for text in order_known if len(order_known) < len(texts) else ():
            hint = "the seed gives the letters to other options: write what they say"
            yield Problem(
                self.where, f'the option "{shorten(text)}" refers to others by letter', hint, self.id, "warning"
            )
        if self.numeric_origin is not None:
            made = self.numeric_origin.draw(Stream(self.numeric_origin.id, "0")).choices(Stream(self.id, "0"))
            if made is None or len(made.distractors) < 2:
                hint = "give its formula more misconceptions"
                yield Problem(self.where, "`from` gives fewer than two distractors", hint, self.id, "failure")

    def _variant_of_origin(self, rng: Stream, drawn: Variant, seed: str) -> ChoiceVariant:
        from quizgen.portable_item import Choices

        made = drawn.choices(rng) or Choices(drawn.key_text(), ())
        if self.stem:  # its own stem replaces the other item's stem and uses the same drawn values
            drawn = replace(drawn, item=replace(drawn.item, stem=self.stem))
        item = replace(
            self,
            stem=self.stem or drawn.item.stem,
            keys=(made.key,),
            distractors=tuple(text for text, _ in made.distractors),
            reasons=tuple(because for _, because in made.distractors),
            stimulus=None if drawn.item.stimulus is not None else self.stimulus,  # the stem has it
        )
        return replace(self._variant_in_order(rng, item, seed), numeric_variant=drawn)

    def _variant_in_order(self, rng: Stream, item: ChoiceItem, seed: str) -> ChoiceVariant:
        # Sort the options before the seed shuffles them, so that the order in the bank, and with it the key, has no
        # influence on the form.
        canonical = sorted((*item.keys, *item.distractors), key=lambda t: (t.casefold(), t))
        last = [text for text in canonical if text in item.options_kept_last or answer_areas.must_stay_last(text)]
        free = [text for text in canonical if text not in last]
        if not item.is_ascending:
            return ChoiceVariant(item, seed, options=(*rng.shuffle("options", free), *last))
        from quizgen.portable_item import sort_options

        return ChoiceVariant(item, seed, options=(*sort_options(free), *last))


@dataclass(frozen=True, slots=True)
class ChoiceVariant(Variant):
    """A choice item with its options in the order shown. `is_order_known`: that order is known, so a letter is a valid
    response. `numeric_variant` is the variant that key and distractors were drawn from, if any."""

    options: tuple[str, ...] = ()
    is_order_known: bool = True
    numeric_variant: Variant | None = None

    @property
    def choice_item(self) -> ChoiceItem:
        assert isinstance(self.item, ChoiceItem)
        return self.item

    @property
    def option_block(self) -> Options:
        """The options in the order shown, each with its letter."""
        return Options(
            tuple(Option(t, markdown.markdown_inline(t)) for t in self.options), self.choice_item.has_several_keys
        )

    @property
    def reasons(self) -> dict[str, str]:
        """For each distractor, why it is wrong."""
        return dict(zip(self.choice_item.distractors, self.choice_item.reasons, strict=True))

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys in the order shown."""
        return tuple(t for t in self.options if t in self.choice_item.keys)

    @property
    def key_letters(self) -> str:
        return ", ".join(option_letter(i) for i, t in enumerate(self.options) if t in self.choice_item.keys)

    def prompt(self) -> tuple[Block, ...]:
        if self.numeric_variant is not None:
            stem = self.numeric_variant.prompt()[:-1]
        else:
            stem = markdown.markdown_blocks(self.stem_with_shared())
        return (*self.shared(), *stem, *self.pictures(self.item.draw_figure), self.option_block)

    def drawn(self) -> Mapping[str, str]:
        return self.numeric_variant.drawn() if self.numeric_variant is not None else {}

    def order(self) -> tuple[str, ...]:
        return self.options if self.is_order_known else ()

    def key_text(self) -> str:
        return f"{self.key_letters}: {'; '.join(self.keys)}"

    def solution(self) -> tuple[Block, ...]:
        item = self.choice_item
        rows = []
        reasons, shown = self.reasons, self.option_block
        for index, option in enumerate(shown.options):
            verdict = "key" if option.text in item.keys else "distractor"
            because = markdown.markdown_inline(reasons.get(option.text, ""))
            rows.append((_table_cell(shown.letter(index)), option.parts, _table_cell(verdict), because))
        head = tuple(_table_cell(t) for t in ("", "Option", "", "Why not"))
        worked: tuple[Block, ...] = ()
        if self.numeric_variant is not None and (base := self.numeric_variant.plain()) is not None:
            worked = (*base.worked, *self.numeric_variant.solution_pictures())
        return (Table(head, tuple(rows)), *worked, *self.solution_pictures(), *markdown.markdown_blocks(item.rationale))

    def echo(self, response: Given) -> Echo:
        return self._response_text(response, self._chosen_options(response))

    def _response_text(self, response: Given, chosen_options: tuple[str, ...] | None) -> Echo:
        """How a response reads of which `chosen_options` are the options; None: it cannot be read."""
        if chosen_options is None:
            return Echo(self._unreadable_advice(response), Outcome.UNREADABLE)
        if len(chosen_options) > 1 and not self.choice_item.has_several_keys:
            return Echo("one option is asked for: give one letter or one option's text", Outcome.UNREADABLE)
        return Echo(
            "; ".join(t for t in self.options if t in chosen_options), None if chosen_options else Outcome.BLANK
        )

    def score(self, response: Given) -> Score:
        item, chosen = self.choice_item, self._chosen_options(response)
        echo = self._response_text(response, chosen)
        if echo.outcome is Outcome.UNREADABLE:
            mark = Mark("key", ZERO, item.points, echo.text, "missing")
            return Score(Outcome.UNREADABLE, (mark,), None, None, (echo.text,))
        if echo.outcome is Outcome.BLANK:
            return Score(Outcome.BLANK, (Mark("key", ZERO, item.points, "no option was chosen", "missing"),))
        chosen = chosen or ()
        right = [t for t in chosen if t in item.keys]
        wrong = [t for t in chosen if t not in item.keys]
        earned, because = self._share_of_points(right, wrong)
        reasons = self.reasons
        say = tuple(reasons[t] for t in self.options if t in wrong and reasons.get(t))
        outcome = Outcome.of_points(earned, item.points)
        status = {Outcome.CORRECT: "found", Outcome.PARTIAL: "partial"}.get(outcome, "missing")
        return Score(outcome, (Mark("key", earned, item.points, because, status),), echo.text, None, say)

    def samples(self) -> tuple[Sample, ...]:
        item = self.choice_item
        if not item.keys or not item.distractors:
            return (Sample("", Outcome.BLANK, ZERO),)
        key: Given = item.keys[0] if not item.has_several_keys else item.keys
        samples = [
            Sample(key, Outcome.CORRECT, item.points),
            Sample("", Outcome.BLANK, ZERO),
            Sample("\x00 no such option \u202e", Outcome.UNREADABLE, ZERO),
        ]
        if self.is_order_known:
            letters = self.key_letters
            if answer_areas.read_choice(letters, self.options) == self.keys:
                samples.append(Sample(letters, Outcome.CORRECT, item.points))
        one, wrong = (item.keys[0],), (item.distractors[0],)
        if not item.has_several_keys:
            samples.extend(Sample(t, Outcome.INCORRECT, ZERO) for t in item.distractors)
        elif item.policy == "each":
            expected = item.points * Fraction(len(self.options) - 1, len(self.options))
            samples.append(Sample((*item.keys, *wrong), Outcome.PARTIAL, expected))
        elif item.policy == "net":
            samples.append(Sample(one, Outcome.PARTIAL, item.points / len(item.keys)))
            samples.append(Sample(wrong, Outcome.INCORRECT, ZERO))
        else:
            samples += [Sample(one, Outcome.INCORRECT, ZERO), Sample(wrong, Outcome.INCORRECT, ZERO)]
        return tuple(samples)

    def plain(self) -> Plain | None:
        from quizgen.portable_item import PlainOption

        item = self.choice_item
        base = self.numeric_variant.plain() if self.numeric_variant is not None else None
        reasons = self.reasons
        last = {text for text in self.options if text in item.options_kept_last or answer_areas.must_stay_last(text)}
        return portable_item_of(
            self,
            kind="choice",
            stem=base.stem if base is not None else item.stem,
            worked=base.worked if base is not None else (),
            options=tuple(PlainOption(t, t in item.keys, reasons.get(t, ""), t in last) for t in self.options),
            ordered=item.is_ascending,
            policy=item.policy,
        )

    def _chosen_options(self, response: Given) -> tuple[str, ...] | None:
        chosen: list[str] = []
        for piece in (response,) if isinstance(response, str) else response:
            read = answer_areas.read_choice(piece, self.options, self.is_order_known)
            if read is None:
                return None
            chosen.extend(read)
        return tuple(dict.fromkeys(chosen))

    def _unreadable_advice(self, response: Given) -> str:
        last = option_letter(len(self.options) - 1)
        if not self.is_order_known and isinstance(response, str) and len(response.strip()) <= 2:
            return "a letter cannot be read, because the order of the options is not known: give the option's text"
        many = " or several, as in A, C" if self.choice_item.has_several_keys else ""
        return f"no option reads like that: give a letter A to {last}{many}, or the option's text"

    def _share_of_points(self, right: list[str], wrong_options: list[str]) -> tuple[Fraction, str]:
        item = self.choice_item
        if not item.has_several_keys:
            return (item.points, "that is the key") if right else (ZERO, "that is not the key")
        counts = f"{len(right)} of {len(item.keys)} keys chosen, {len(wrong_options)} wrong"
        if item.policy == "all":
            whole = len(right) == len(item.keys) and not wrong_options
            return (item.points if whole else ZERO), f"{counts}; all or nothing"
        if item.policy == "net":
            net = max(0, len(right) - len(wrong_options))
            return item.points * Fraction(net, len(item.keys)), f"{counts}; right minus wrong"
        judged = len(self.options) - (len(item.keys) - len(right)) - len(wrong_options)
        share = Fraction(judged, len(self.options))
        return item.points * share, f"{counts}; {judged} of {len(self.options)} options judged rightly"


def _table_cell(text: str) -> tuple[Text, ...]:
    return (Text(text),)


def _parse_choice_from_numeric(
    fields: Mapping[str, Node], shared_fields: dict[str, object] | None, scope: Scope, is_ascending: bool
) -> ChoiceItem | None:
    for name in ("key", "distractors", "policy"):
        if name in fields:
            fields[name].report_key(f"{name} does not go with `from`", "the other item gives key and distractors")
    name = fields["from"].text("from")
    origin = scope.item(name) if name else None
    if name and origin is None and not scope.refused(name):
        hint = "name a numeric item; files are read by name, items from the top, and it must come before this one"
        fields["from"].report(f'no item "{name}" comes before this one', hint)
    if shared_fields is None or origin is None:
        return None
    for inherited in ("topic", "source", "rationale", "difficulty"):
        if not shared_fields.get(inherited):
            shared_fields[inherited] = getattr(origin, inherited)
    given = frozenset(fields) | {"topic", "source", "rationale", "difficulty"}
    return ChoiceItem(
        **shared_fields,  # type: ignore[arg-type]  # read_shared_fields made each value for its field
        keys=(),
        distractors=(),
        reasons=(),
        is_ascending=is_ascending,
        numeric_origin=origin,
        fields=given,
    )


def read_keys(node: Node, fields: Mapping[str, Node]) -> tuple[tuple[str, ...], frozenset[str]]:
    """The keys that could be read, and the set of those that stay last. Problems are reported on the nodes."""
    if "key" not in fields:
        node.report("key is missing in the item", "add `key:` with the right option", missing_field_severity(fields))
        return (), frozenset()
    if fields["key"].value == []:
        fields["key"].report("key is an empty list", "write the right option")
    one = fields["key"]
    options = [read_option(entry, "a key") for entry in ([one] if one.shape == "mapping" else one.entries("key"))]
    return tuple(text for text, _, _ in options if text), frozenset(text for text, _, last in options if last)


def read_option(
    node: Node, option_name: str, known_fields: tuple[str, ...] = ("text", "last")
) -> tuple[str, str, bool]:
    """The text of one option (empty after a problem was reported), why it is wrong (may be empty), and whether it stays
    last. `known_fields` are the fields that it may have, `option_name` its name in messages."""
    if node.shape != "mapping":
        return node.text("key" if option_name == "a key" else option_name).strip(), "", False
    parts = node.fields(known_fields, option_name)
    if "text" not in parts:
        node.report(f"{option_name} without text", "add `text:`")
        return "", "", False
    because = parts["because"].text("because").strip() if "because" in parts else ""
    last = parts["last"].truth("last") if "last" in parts else False
    return parts["text"].text(option_name).strip(), because, bool(last)


def read_distractors(
    node: Node, fields: Mapping[str, Node], key_count: int
) -> tuple[tuple[str, ...], tuple[str, ...], frozenset[str]]:
    """The distractors that could be read, for each the reason why it is wrong, and the set of those that stay last.
    `key_count` is the number of keys."""
    if "distractors" not in fields:
        node.report(
            "distractors are missing in the item",
            "add `distractors:` with wrong options",
            missing_field_severity(fields),
        )
        return (), (), frozenset()
    entries = fields["distractors"].entries("distractors")
    if fields["distractors"].value == []:
        fields["distractors"].report("distractors is an empty list", "write wrong options")
    if len(entries) + key_count > MAX_OPTIONS:
        fields["distractors"].report_key(
            f"too many options: {len(entries) + key_count}", f"an item has at most {MAX_OPTIONS}, one for each letter"
        )
        return (), (), frozenset()
    read = [read_option(entry, "a distractor", ("text", "because", "last")) for entry in entries]
    kept = [option for option in read if option[0]]
    last = frozenset(text for text, _, last in kept if last)
    return tuple(text for text, _, _ in kept), tuple(because for _, because, _ in kept), last


def check_options_differ(fields: Mapping[str, Node], keys: tuple[str, ...]) -> bool:
    """Whether all options have different texts (case and inner white space count). Reports the first repeated one."""
    seen: set[str] = set()
    for text in keys:
        if text in seen:
            fields["key"].report(f'"{text}" appears twice', "keep one")
            return False
        seen.add(text)
    for entry in fields["distractors"].entries() if "distractors" in fields else ():
        inner = entry.value["text"] if isinstance(entry.value, dict) and "text" in entry.value else entry
        text = inner.value.strip() if isinstance(inner.value, str) else ""
        if text and text in seen:
            at = fields["distractors"] if fields["distractors"].line == inner.line else inner
            at.report(f'"{text}" appears twice', "options must differ; keep one")
            return False
        seen.add(text)
    return True
