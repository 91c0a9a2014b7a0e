"""Choice items: one key or several, distractors with reasons, options shuffled by the seed."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from quizgen import answer_areas, markdown
from quizgen.answer_areas import ChoiceOption, Option, Options, option_letter
from quizgen.draw import SeededRng
from quizgen.inline import Text
from quizgen.kinds import common
from quizgen.model import ZERO, Item, Outcome, Response, ResponseEcho, SampleResponse, Score, Variant
from quizgen.page import Block, Table
from quizgen.source.problems import Fields, Node, Problem, shorten

if TYPE_CHECKING:
    from quizgen.portable_item import PortableItem

CHOICE_ITEM_FIELDS = (*common.SHARED_FIELDS, "key", "distractors", "order", "policy", "from")
CREDIT_POLICIES = ("all", "net", "each")
MAX_OPTIONS_PER_ITEM = 26


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceItem(Item):
    """A choice item. `authored_options` are the keys, then the distractors, as the author wrote them.
    `origin_numeric_item` is the numeric item that they are drawn from (`from:`); `authored_options` is then empty."""

    kind: ClassVar[str] = "choice"

    authored_options: tuple[ChoiceOption, ...] = ()
    has_ascending_options: bool = False
    is_key_a_list: bool = False
    credit_policy: str = "all"
    origin_numeric_item: Item | None = None

    @classmethod
    def parse(cls, node: Node, scope: common.KnownNames) -> ChoiceItem | None:
        fields = node.fields(CHOICE_ITEM_FIELDS, "a choice item")
        shared_fields = common.read_shared_fields(node, fields, scope, needs_stem="from" not in fields)
        has_ascending_options = fields.allowed_word("order", ("ascending", "shuffled")) == "ascending"
        policy = fields.allowed_word("policy", CREDIT_POLICIES) or "all"
        if "from" in fields:
            return _parse_choice_drawn_from_numeric(fields, shared_fields, scope, has_ascending_options)
        keys, distractors = options_with_nodes(node, fields, "key"), options_with_nodes(node, fields, "distractors")
        is_usable = bool(keys and distractors) or common.has_draft_status(fields)
        if shared_fields is None or not is_usable or not are_options_few_and_distinct(fields, keys, distractors):
            return None
        return cls(
            **shared_fields,
            has_ascending_options=has_ascending_options,
            is_key_a_list="key" in fields and isinstance(fields["key"].value, list),
            credit_policy=policy,
            authored_options=tuple(option for option, _ in (*keys, *distractors)),
        )

    @property
    def key_texts(self) -> tuple[str, ...]:
        return tuple(option.text for option in self.authored_options if option.is_right)

    @property
    def distractor_texts(self) -> tuple[str, ...]:
        return tuple(option.text for option in self.authored_options if not option.is_right)

    @property
    def allows_several(self) -> bool:
        return self.is_key_a_list or len(self.key_texts) > 1

    @property
    def origin_or_own_item_id(self) -> str:
        return self.id if self.origin_numeric_item is None else self.origin_numeric_item.id

    @property
    def has_scoring_fields(self) -> bool:
        return self.origin_numeric_item is not None or bool(self.key_texts and self.distractor_texts)

    def draw(self, rng: SeededRng) -> ChoiceVariant:
        return self.rebuild_variant({}, rng)

    def rebuild_variant(self, given: Mapping[str, str], rng: SeededRng | None) -> ChoiceVariant:
        order, origin = rng or SeededRng(self.id, ""), self.origin_numeric_item
        if origin is not None:
            numeric_variant = origin.rebuild_variant(given, SeededRng(origin.id, rng.seed) if rng else None)
            options = numeric_variant.generated_choice_options(order)
            if self.stem:  # its own stem replaces the other item's stem and uses the same drawn values
                numeric_variant = replace(numeric_variant, item=replace(numeric_variant.item, stem=self.stem))
            item = replace(
                self,
                stem=numeric_variant.item.stem,
                authored_options=options or (ChoiceOption(numeric_variant.key_text(), True),),
                stimulus=self.stimulus if numeric_variant.item.stimulus is None else None,  # the stem has it
            )
            variant = item._variant_with_shuffled_or_ascending_options(order)
            return replace(variant, numeric_variant=numeric_variant, is_option_order_known=rng is not None)
        variant = self._variant_with_shuffled_or_ascending_options(order)
        return variant if rng else replace(variant, is_option_order_known=self.has_ascending_options)

    def find_problems(self) -> Iterator[Problem]:
        yield from common.missing_field_and_todo_warnings(self)
        texts = [option.text for option in self.authored_options]
        letter_texts = [text for text in texts if answer_areas.refers_to_option_letters(text)]
        # If every option names letters, they are letters of the stem, such as commits of a graph.
        for text in letter_texts if len(letter_texts) < len(texts) else ():
            message = f'the option "{shorten(text)}" refers to others by letter'
            hint = "the seed gives the letters to other options: write what they say"
            yield Problem(self.location, message, hint, self.id, "warning")
        origin, rng = self.origin_numeric_item, SeededRng(self.id, "0")
        if origin is not None and len(origin.draw(SeededRng(origin.id, "0")).generated_choice_options(rng)) < 3:
            message, hint = "`from` gives fewer than two distractors", "give its formula more misconceptions"
            yield Problem(self.location, message, hint, self.id, "failure")

    def _variant_with_shuffled_or_ascending_options(self, rng: SeededRng) -> ChoiceVariant:
        # Sort the options before the seed shuffles them, so that the order in the bank, and with it the key, has no
        # influence on the form.
        options = sorted(self.authored_options, key=lambda option: (option.text.casefold(), option.text))
        last_texts = [option.text for option in options if option.stays_last]
        other_texts = [option.text for option in options if not option.stays_last]
        if self.has_ascending_options:
            from quizgen.portable_item import sort_texts_by_number

            return ChoiceVariant(self, rng.seed, shown_option_texts=(*sort_texts_by_number(other_texts), *last_texts))
        return ChoiceVariant(self, rng.seed, shown_option_texts=(*rng.shuffle("options", other_texts), *last_texts))


@dataclass(frozen=True, slots=True)
class ChoiceVariant(Variant):
    """A choice item with its options in the order shown. `is_option_order_known`: a letter is then a valid response.
    `numeric_variant` is the variant that key and distractors were drawn from, if any."""

    item: ChoiceItem
    shown_option_texts: tuple[str, ...] = ()
    is_option_order_known: bool = True
    numeric_variant: Variant | None = None

    @property
    def options_answer_area(self) -> Options:
        """The options in the order shown, each with its letter."""
        options = tuple(Option(text, markdown.markdown_inline_pieces(text)) for text in self.shown_option_texts)
        return Options(options, self.item.allows_several)

    @property
    def reason_by_distractor(self) -> dict[str, str]:
        """For each distractor, why it is wrong."""
        return {option.text: option.because for option in self.item.authored_options if not option.is_right}

    @property
    def key_text_by_letter(self) -> dict[str, str]:
        """The keys by their letters, in the order shown."""
        return {option_letter(n): text for n, text in enumerate(self.shown_option_texts) if text in self.item.key_texts}

    def key_text(self) -> str:
        return f"{', '.join(self.key_text_by_letter)}: {'; '.join(self.key_text_by_letter.values())}"

    def prompt(self) -> tuple[Block, ...]:
        variant = self.numeric_variant
        stem = variant.prompt()[:-1] if variant is not None else markdown.markdown_blocks(self.stem_text)
        return (*self.stimulus_blocks(), *stem, *self.figure_blocks(), self.options_answer_area)

    def drawn_log_values(self) -> Mapping[str, str]:
        return self.numeric_variant.drawn_log_values() if self.numeric_variant is not None else {}

    def option_texts_as_shown(self) -> tuple[str, ...]:
        return self.shown_option_texts if self.is_option_order_known else ()

    def solution(self) -> tuple[Block, ...]:
        item, rows, reasons = self.item, [], self.reason_by_distractor
        for index, option in enumerate(self.options_answer_area.options):
            verdict = "distractor" if option.text in reasons else "key"
            reason_pieces = markdown.markdown_inline_pieces(reasons.get(option.text, ""))
            rows.append(((Text(option_letter(index)),), option.inline_pieces, (Text(verdict),), reason_pieces))
        head = tuple((Text(t),) for t in ("", "Option", "", "Why not"))
        worked_blocks: tuple[Block, ...] = ()
        if self.numeric_variant is not None and (base := self.numeric_variant.portable_item()) is not None:
            worked_blocks = (*base.steps, *self.numeric_variant.figure_blocks(in_solution=True))
        rationale = markdown.markdown_blocks(item.rationale)
        return (Table(head, tuple(rows)), *worked_blocks, *self.figure_blocks(in_solution=True), *rationale)

    def echo_response(self, response: Response) -> ResponseEcho:
        chosen_texts = self._chosen_texts_or_advice(response)
        if isinstance(chosen_texts, str):
            return ResponseEcho(chosen_texts, Outcome.UNREADABLE)
        return ResponseEcho("; ".join(chosen_texts), None if chosen_texts else Outcome.BLANK)

    def score(self, response: Response) -> Score:
        item, chosen_texts = self.item, self._chosen_texts_or_advice(response)
        if isinstance(chosen_texts, str):
            mark = common.single_mark_of_item(item, "key", ZERO, chosen_texts)
            return Score(Outcome.UNREADABLE, (mark,), None, None, (chosen_texts,))
        if not chosen_texts:
            return Score(Outcome.BLANK, (common.single_mark_of_item(item, "key", ZERO, "no option was chosen"),))
        reasons = self.reason_by_distractor
        wrong_texts = [t for t in chosen_texts if t in reasons]
        points, reason = self._points_and_reason_for_counts(len(chosen_texts) - len(wrong_texts), len(wrong_texts))
        remarks = tuple(reasons[t] for t in wrong_texts if reasons[t])
        mark = common.single_mark_of_item(item, "key", points, reason)
        return Score(Outcome.of_points(points, item.points), (mark,), "; ".join(chosen_texts), None, remarks)

    def samples(self) -> tuple[SampleResponse, ...]:
        item = self.item
        keys, distractors = item.key_texts, item.distractor_texts
        if not keys or not distractors:
            return (SampleResponse("", Outcome.BLANK, ZERO),)
        letters = ", ".join(self.key_text_by_letter)
        samples = [
            SampleResponse(keys if item.allows_several else keys[0], Outcome.CORRECT, item.points),
            SampleResponse("", Outcome.BLANK, ZERO),
            SampleResponse("\x00 no such option \u202e", Outcome.UNREADABLE, ZERO),
        ]
        texts = answer_areas.selected_option_texts(letters, self.shown_option_texts)
        if self.is_option_order_known and texts == tuple(self.key_text_by_letter.values()):
            samples.append(SampleResponse(letters, Outcome.CORRECT, item.points))
        if not item.allows_several:
            samples.extend(SampleResponse(t, Outcome.INCORRECT, ZERO) for t in distractors)
        elif item.credit_policy == "each":
            partial_points = item.points * Fraction(len(self.shown_option_texts) - 1, len(self.shown_option_texts))
            samples.append(SampleResponse((*keys, *distractors[:1]), Outcome.PARTIAL, partial_points))
        else:
            is_net = item.credit_policy == "net"
            share, outcome = (item.points / len(keys), Outcome.PARTIAL) if is_net else (ZERO, Outcome.INCORRECT)
            samples.append(SampleResponse(keys[:1], outcome, share))
            samples.append(SampleResponse(distractors[:1], Outcome.INCORRECT, ZERO))
        return tuple(samples)

    def portable_item(self) -> PortableItem | None:
        item = self.item
        base = self.numeric_variant.portable_item() if self.numeric_variant is not None else None
        return common.portable_variant(
            self,
            kind="choice",
            options=tuple(sorted(item.authored_options, key=lambda option: self.shown_option_texts.index(option.text))),
            has_fixed_option_order=item.has_ascending_options,
            credit_policy=item.credit_policy,
            steps=base.steps if base is not None else (),
            stem=base.stem if base is not None else item.stem,
        )

    def _chosen_texts_or_advice(self, response: Response) -> tuple[str, ...] | str:
        """The options that a response chooses, in the order shown; if it cannot be read, how to write it."""
        chosen_texts: list[str] = []
        for piece in (response,) if isinstance(response, str) else response:
            texts = answer_areas.selected_option_texts(piece, self.shown_option_texts, self.is_option_order_known)
            if texts is not None:
                chosen_texts.extend(texts)
            elif not self.is_option_order_known and isinstance(response, str) and len(response.strip()) <= 2:
                return "a letter cannot be read, because the order of the options is not known: give the option's text"
            else:
                alternative = " or several, as in A, C" if self.item.allows_several else ""
                letters = f"A to {option_letter(len(self.shown_option_texts) - 1)}{alternative}"
                return f"no option reads like that: give a letter {letters}, or the option's text"
        if len(set(chosen_texts)) > 1 and not self.item.allows_several:
            return "one option is asked for: give one letter or one option's text"
        return tuple(t for t in self.shown_option_texts if t in chosen_texts)

    def _points_and_reason_for_counts(self, right_count: int, wrong_count: int) -> tuple[Fraction, str]:
        """The points for so many keys and distractors chosen, and how they come about."""
        item, key_count, option_count = self.item, len(self.item.key_texts), len(self.shown_option_texts)
        if not item.allows_several:
            return (item.points, "that is the key") if right_count else (ZERO, "that is not the key")
        counts = f"{right_count} of {key_count} keys chosen, {wrong_count} wrong"
        if item.credit_policy == "all":
            return (item.points if right_count == key_count and not wrong_count else ZERO), f"{counts}; all or nothing"
        if item.credit_policy == "net":
            return item.points * Fraction(max(0, right_count - wrong_count), key_count), f"{counts}; right minus wrong"
        judged_count = option_count - (key_count - right_count) - wrong_count
        reason = f"{counts}; {judged_count} of {option_count} options judged rightly"
        return item.points * Fraction(judged_count, option_count), reason


def _parse_choice_drawn_from_numeric(
    fields: Fields, shared_fields: dict[str, Any] | None, scope: common.KnownNames, has_ascending_options: bool
) -> ChoiceItem | None:
    for name in ("key", "distractors", "policy"):
        if name in fields:
            fields[name].report_at_key(f"{name} does not go with `from`", "the other item gives key and distractors")
    name = fields["from"].text("from")
    origin = scope.find_item(name) if name else None
    if name and origin is None and not scope.is_refused_item(name):
        hint = "name a numeric item; files are read by name, items from the top, and it must come before this one"
        fields["from"].report(f'no item "{name}" comes before this one', hint)
    if shared_fields is None or origin is None:
        return None
    if "stem" in fields:
        common.are_placeholders_known(fields["stem"], origin.value_names_allowed_in_stem)
    for field in ("topic", "source", "rationale", "difficulty"):
        if not shared_fields.get(field):
            shared_fields[field] = getattr(origin, field)
    shared_fields["authored_field_names"] += ("topic", "source", "rationale", "difficulty")
    return ChoiceItem(**shared_fields, has_ascending_options=has_ascending_options, origin_numeric_item=origin)


# A field with options -> verb, content, name of an option that is a text, name and fields of one that is a mapping.
_MESSAGE_WORDS_BY_OPTION_FIELD = {
    "key": ("is", "the right option", "key", "a key", ("text", "last")),
    "distractors": ("are", "wrong options", "a distractor", "a distractor", ("text", "because", "last")),
}


def options_with_nodes(node: Node, fields: Fields, field_name: str) -> list[tuple[ChoiceOption, Node]]:
    """The options of the item `node` in its field `key` or `distractors` that could be read, each with the node of its
    text. Problems are reported on the nodes."""
    verb, content, text_name, mapping_name, known_fields = _MESSAGE_WORDS_BY_OPTION_FIELD[field_name]
    if field_name not in fields:
        common.report_missing_field(node, fields, field_name, f"add `{field_name}:` with {content}", verb)
        return []
    field = fields[field_name]
    if field.value == []:
        field.report(f"{field_name} is an empty list", f"write {content}")
    if field_name == "distractors" and isinstance(field.value, str) and field.value.count(", ") > 1:
        field.report("this is one distractor", "write several as [a, b] or as `- a` lines", "warning")
    options = []
    for entry in [field] if field_name == "key" and field.shape == "mapping" else field.entries(field_name):
        parts = entry.fields(known_fields, mapping_name) if entry.shape == "mapping" else Fields({"text": entry})
        if "text" not in parts:
            entry.report(f"{mapping_name} without text", "add `text:`")
            continue
        text = parts["text"].text(mapping_name if entry.shape == "mapping" else text_name).strip()
        stays_last = parts.truth("last") or answer_areas.must_option_stay_last(text)
        option = ChoiceOption(text, field_name == "key", parts.text("because").strip(), stays_last)
        options += [(option, parts["text"])] if text else []
    return options


_LATIN_LOOKALIKE_BY_CYRILLIC_LETTER = str.maketrans("АВЕКМНОРСТУХаеорсухіј", "ABEKMHOPCTYXaeopcyxij")


def are_options_few_and_distinct(
    fields: Fields, keys: list[tuple[ChoiceOption, Node]], distractors: list[tuple[ChoiceOption, Node]]
) -> bool:
    """Whether there is a letter for each option and all look different (case and the number of spaces count).
    Reports the first problem."""
    count = len(keys) + len(distractors)
    if distractors and count > MAX_OPTIONS_PER_ITEM:
        hint = f"an item has at most {MAX_OPTIONS_PER_ITEM}, one for each letter"
        fields["distractors"].report_at_key(f"too many options: {count}", hint)
        return False
    text_by_look: dict[str, str] = {}
    for option, node in (*keys, *distractors):
        # As a reader sees it: without invisible characters, with plain spaces and Latin letters.
        kinds = [(c, unicodedata.category(c)) for c in unicodedata.normalize("NFC", option.text)]
        look = "".join(" " if kind == "Zs" else c for c, kind in kinds if kind != "Cf").strip()
        look = look.translate(_LATIN_LOOKALIKE_BY_CYRILLIC_LETTER)
        if look in text_by_look:
            place = fields["key" if option.is_right else "distractors"]
            place = place if place.line == node.line else node
            fault = "appears twice" if text_by_look[look] == option.text else "looks like another option"
            place.report(f'"{option.text}" {fault}', "options must differ; keep one")
            return False
        text_by_look[look] = option.text
    return True
