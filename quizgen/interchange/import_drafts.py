"""Turns an importer's texts into items of a bank: keys, numbers with units, tags, and todos for the author."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import groupby, pairwise, product
from math import ceil
from textwrap import indent
from typing import Any
from urllib.parse import unquote

import yaml

from quizgen.answer_areas import LETTERS, must_option_stay_last, refers_to_option_letters, selected_option_texts
from quizgen.formula import FormulaError
from quizgen.formula.quantity import Quantity, exact_number_text
from quizgen.formula.units import new_unit_labels, parse_unit
from quizgen.interchange import registry
from quizgen.interchange.contract import CannotRead, ImportedItem, ImportResult, load_interchange_toml
from quizgen.interchange.files import zip_entry_names
from quizgen.interchange.html_text import text_to_markdown
from quizgen.markdown import markdown_inline_pieces, pieces_as_plain_text
from quizgen.portable_item import ChoiceOption, PortableItem, PortableNumber, decimal, sort_texts_by_number
from quizgen.rubric.authoring import criteria_from_model_answer
from quizgen.rubric.phrases import WORD_PART_BETWEEN_STARS_PATTERN
from quizgen.source.problems import ProblemCollector, read_decimal, shorten
from quizgen.source.yaml import match_forbidden_character, parse_yaml
from quizgen.stimuli import PLACEHOLDER_PATTERN

DEFAULT_RELATIVE_TOLERANCE = Fraction(1, 100)  # tolerance of a number without one
# A range whose half is at most this share of its middle is one mistaken number; a wider range is dropped.
MAX_RELATIVE_MISTAKE_MARGIN = Fraction(1, 50)
_QUANTITY_PATTERN = re.compile(r"[≈~=]?\s*([-−]?\d[\d,_]*\.?\d*(?:[eE][-+]?\d+)?)\s*([^\d\s.,;:()][^\s,;:()]*)?\.?")
_NUMBER_AND_TOLERANCE_PATTERN = re.compile(r"(.*?)\s*(?:\(within ([\d.]+) ?%\)|(?:\+-|±)\s*([\d.]+)\s*(%?))")
_NUMBER_RANGE_PATTERN = re.compile(r"\[\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*\]|(-?[\d.]+?)\s*\.\.\s*(-?[\d.]+)")
_UNIT_SYMBOLS_TOML = load_interchange_toml("symbols")
_PREFIX_AND_UNIT_PAIRS = list(product(_UNIT_SYMBOLS_TOML["prefixes"].items(), _UNIT_SYMBOLS_TOML["units"].items()))
# Symbols that a bank's labels cannot be, and the words in their place: a label has at least two small letters.
SPELLED_OUT_UNIT_BY_SYMBOL = {prefix + symbol: kilo + word for (prefix, kilo), (symbol, word) in _PREFIX_AND_UNIT_PAIRS}
# A word with a prefix -> (the word without it, the multiple).
_BASE_UNIT_AND_FACTOR_BY_WORD = {
    kilo + word: (word, Fraction(_UNIT_SYMBOLS_TOML["factors"].get(kilo, "1")))
    for (_, kilo), (_, word) in _PREFIX_AND_UNIT_PAIRS
}
MAX_ITEM_POINTS, MAX_ITEM_SECONDS = 1000, 86_400  # limits of an item
_DIFFICULTY_DIGIT_BY_WORD = {"easy": "1", "basic": "1", "beginner": "1", "medium": "2", "intermediate": "2"}
_DIFFICULTY_DIGIT_BY_WORD |= {"hard": "3", "advanced": "3"}
MIN_FORMAT_LIKELIHOOD = 0.2  # share of understood lines below which a format is not assumed
_UNITS_LINE_PATTERN = re.compile(
    r"^units: \{(?:([a-z-]+?)(?:y: \[\1ies|: \[\1(?:e?s)?)(?:, [^],]+)*\](?:, )?)+\}\n", re.MULTILINE
)  # as an import writes them
_MARKDOWN_PICTURE_PATTERN = re.compile(r"!\[([^\]\n]*)\]\(\s*<?([^)\s>]+)>?(?:\s+[\"'][^)]*[\"'])?\s*\)")


def tags_of_exported_item(item: PortableItem) -> list[str]:
    """The tags of an exported item: topic, `difficulty-N`, `seconds-N`."""
    level = [f"difficulty-{item.difficulty}"] if item.difficulty else []
    return [*([item.topic] if item.topic else []), *level, f"seconds-{item.seconds}"]


def imported_item(
    stem: str,
    *,
    options: Iterable[ChoiceOption] = (),
    has_fixed_option_order: bool = False,
    number: PortableNumber | None = None,
    accepted_answers: Iterable[str] = (),
    key_feedback: str = "",
    tags: Iterable[str] = (),
    todo: Iterable[str] = (),
    policy: str = "",
    **fields: Any,
) -> ImportedItem:
    r"""An item from its texts; `fields` are other fields of `ImportedItem`, unchanged, or its `name` there, the
    `source` that it cites, what is `given` on request, and the texts `points`, `seconds` and `difficulty`, which count
    if they are numbers in range. A stem that ends in `Answer in GB.` gives a number its unit, without Markdown escapes
    (`s\*\*2`). `has_fixed_option_order`: options may not be shuffled. `key_feedback`: feedback on the key."""
    open_ends = list(todo)
    bank_options, ascending, option_todos = _bank_options_ascending_and_todos(options, has_fixed_option_order)
    keys = [option for option in bank_options if option.is_right]
    if bank_options and not keys and not open_ends:
        open_ends.append("the source gives no key: choose one")
    open_ends += option_todos
    if number is not None:
        stem, number, number_todos = _stem_bank_number_and_todos(stem, number)
        open_ends += number_todos
    answers = tuple(dict.fromkeys(filter(None, map(str.strip, accepted_answers))))
    for text in answers:
        if text.startswith("*") and not WORD_PART_BETWEEN_STARS_PATTERN.fullmatch(text):
            open_ends.append(f'"{text}" takes words that end like this in the source: here it does not')
    texts = (stem, fields.get("model_answer") or "", fields.get("rationale") or "", *[o.text for o in bank_options])
    if any("[figure: " in text for text in texts):
        open_ends.append("a figure is not imported: put it beside the bank")
    fact_texts = {name: fields.pop(name, "") for name in ("topic", "points", "seconds", "difficulty")}
    values, fact_todos = _fields_from_texts_or_tags_and_todos(fact_texts, tags)
    feedback = "\n\n".join(dict.fromkeys(filter(None, (*(key.because for key in keys), key_feedback))))
    rationale = fields.get("rationale") or ""
    fields["rationale"] = rationale if feedback in rationale else "\n\n".join(filter(None, (feedback, rationale)))
    fields["model_answer"] = fields.get("model_answer") or text_to_markdown(_without_wildcards("".join(answers[:1])))
    hints, facts = (tuple(filter(None, fields.pop(name, ()))) for name in ("hints", "given"))
    fields |= values | {"hints": hints, "facts_on_request": facts, "name_in_source": fields.pop("name", "")}
    fields |= {"options": bank_options, "has_ascending_options": ascending, "numeric_key": number}
    fields |= {"credit_policy": policy if len(keys) > 1 else "", "accepted_answers": answers}
    fields["cited_source"] = fields.pop("source", "")
    kind = "choice" if bank_options else "numeric" if number is not None else "text"
    return ImportedItem(stem=stem, kind=kind, **fields, todo=tuple(dict.fromkeys((*open_ends, *fact_todos))))


def _fields_from_texts_or_tags_and_todos(
    text_by_field: dict[str, str], tags: Iterable[str]
) -> tuple[dict[str, Any], list[str]]:
    """Topic, points, seconds and difficulty from `text_by_field`, else from the tags `difficulty-3` and `seconds-90`
    and any other tag, which is the topic; and a todo for each text that is no number in range, which does not count."""
    for tag in map(str.strip, tags):
        match = re.fullmatch(r"(difficulty|seconds)-(\d{1,6})", tag)
        name, text = (match[1], match[2]) if match else ("topic", tag)
        text_by_field[name] = text_by_field[name] or text
    level = text_by_field["difficulty"]
    text_by_field["difficulty"] = _DIFFICULTY_DIGIT_BY_WORD.get(level.casefold(), level)
    read: dict[str, Any] = {"topic": text_by_field["topic"]}
    todo = []
    for name, maximum in (("points", MAX_ITEM_POINTS), ("seconds", MAX_ITEM_SECONDS), ("difficulty", 5)):
        number = read_decimal(text_by_field[name])
        if number is not None and 0 < number <= maximum:
            read[name] = number if name == "points" else ceil(number)
        elif text_by_field[name] and number != 0:
            todo.append(f'{name} "{text_by_field[name]}" is {"not a number" if number is None else "out of range"}')
    if (seconds := read.get("seconds", 0)) >= 5000 and seconds % 1000 == 0:
        todo.append(f"its {text_by_field['seconds']} seconds: are they milliseconds?")
    return read, todo


def _bank_options_ascending_and_todos(
    options: Iterable[ChoiceOption], has_fixed_order: bool
) -> tuple[tuple[ChoiceOption, ...], bool, list[str]]:
    """Options in the form of a bank: each text once, at most one per letter; whether they are sorted; and todos."""
    option_by_text: dict[str, ChoiceOption] = {}
    todo: list[str] = []
    for option in options:
        text = _value_without_forbidden_chars(option.text)
        first = option_by_text.setdefault(text, option)
        if first is not option:
            is_right, because = first.is_right or option.is_right, first.because or option.because
            option_by_text[text] = replace(first, is_right=is_right, because=because)
            contrast = ", right and wrong" if first.is_right != option.is_right else ""
            todo.append(f'the option "{shorten(text)}" appears twice{contrast}: it is kept once')
    choices = list(option_by_text.values())
    if len(choices) > len(LETTERS):
        best_choices = sorted(choices, key=lambda option: not option.is_right)[: len(LETTERS)]
        todo.append(f"of its {len(choices)} options the first {len(LETTERS)} are kept")
        choices = sorted(best_choices, key=choices.index)
    letter_texts = [option.text for option in choices if refers_to_option_letters(option.text)]
    todo += [f'the option "{shorten(text)}" refers to others by letter' for text in letter_texts]
    texts = [option.text for option in choices if not (option.stays_last or must_option_stay_last(option.text))]
    sorted_texts = sort_texts_by_number(sorted(texts, key=lambda text: (text.casefold(), text)))
    ascending = has_fixed_order and len(texts) > 1 and sorted_texts == tuple(texts)
    if has_fixed_order and not ascending and len(texts) > 2:
        todo.append("its options were in this order and are shuffled here: " + "; ".join(o.text for o in choices))
    return tuple(choices), ascending, todo


def _stem_bank_number_and_todos(stem: str, number: PortableNumber) -> tuple[str, PortableNumber, list[str]]:
    """The stem without `Answer in GB.`; the number, with a unit that a bank can declare, and only those mistakes that
    are wrong and have feedback; and todos."""
    todo: list[str] = []
    stem, asked_unit = split_stem_and_asked_unit(stem)
    unit = spell_out_unit_symbols(number.unit or asked_unit)
    errors = tuple((value, say) for value, say in number.mistakes if say and abs(value - number.value) > number.margin)
    if not _is_known_unit(unit, new_unit_labels(unit)):
        todo.append(f'its unit "{unit}" cannot be read: declare one under `units:`')
        unit = ""
    conversions = [(spell_out_unit_symbols(name), worth) for name, worth in number.other_units_with_size]
    units = tuple((name, worth) for name, worth in conversions if _is_known_unit_conversion(name, worth, unit))
    for name, worth in (pair for pair in conversions if pair not in units):
        size = f"{decimal(1 / worth)} to 1 {unit}"
        todo.append(f'answers in "{name}" are right in the source, {size}: here they may not be')
    return stem, replace(number, unit=unit, mistakes=errors, other_units_with_size=units), todo


def _is_known_unit_conversion(other_unit: str, units_per_other_unit: Fraction, unit: str) -> bool:
    """Whether 1 `other_unit` is known to equal `units_per_other_unit` times `unit`, by their prefixes or as units of
    this program."""
    if other_unit in _BASE_UNIT_AND_FACTOR_BY_WORD or unit in _BASE_UNIT_AND_FACTOR_BY_WORD:
        base, factor = _BASE_UNIT_AND_FACTOR_BY_WORD.get(other_unit, (other_unit, Fraction(1)))
        unit_base, unit_factor = _BASE_UNIT_AND_FACTOR_BY_WORD.get(unit, (unit, Fraction(1)))
        return base == unit_base and factor == units_per_other_unit * unit_factor
    try:
        source, target = parse_unit(other_unit), parse_unit(unit)
        return Quantity(1, source).converted_to(target).base_value == Quantity(units_per_other_unit, target).base_value
    except FormulaError:
        return False


def choice_fields_of_answers(
    answer_rows: Sequence[tuple[str, Fraction, str]], may_have_several_keys: bool, policy: str
) -> dict[str, Any]:
    """The fields of a choice item from (text, share in percent, feedback), with a todo for each share that an item
    cannot have. Unless `may_have_several_keys`, only the options with the largest share are right."""
    top_share = max((share for _, share, _ in answer_rows), default=Fraction(0))
    key_shares = {share for _, share, _ in answer_rows if share > 0 and (may_have_several_keys or share == top_share)}
    options = tuple(ChoiceOption(text, share in key_shares, feedback) for text, share, feedback in answer_rows)
    todo = [lost_credit_todo(text, share) for text, share, _ in answer_rows if share > 0 and share not in key_shares]
    if len(key_shares) > 1:
        todo.append("its keys earned different shares in the source: here they earn the same")
    if not may_have_several_keys and sum(option.is_right for option in options) > 1:
        todo.append("one of its keys is enough in the source: here all of them are required")
    return {"options": options, "policy": policy, "todo": todo}


def numeric_fields_of_answers(rows: Iterable[tuple[str, Fraction | None, Fraction, Fraction, str]]) -> dict[str, Any]:
    """The fields of a numeric item from (text, value, margin, share in percent, feedback). The first answer with the
    largest share is the key; other answers that earn something, and feedback on any other number, become todos; the
    rest are mistakes."""
    answers = list(rows)
    top_share = max((share for _, value, _, share, _ in answers if value is not None), default=Fraction(0))
    key_index = next((n for n, row in enumerate(answers) if row[1] is not None and row[3] == top_share > 0), None)
    if key_index is None:
        return {"todo": ["the number could not be read: add a formula"]}
    _, key, margin, _, key_feedback = answers.pop(key_index)
    mistakes, todo = [], []
    for text, value, tolerance, share, say in answers:
        if share > 0:
            todo.append(lost_credit_todo(text, share, share == top_share, say))
        elif value is not None and abs(tolerance) <= abs(value) * MAX_RELATIVE_MISTAKE_MARGIN:
            mistakes.append((value, say))
        elif say:
            todo.append(f"the feedback on {'any other number' if value is None else text} is not imported: {say}")
    number = PortableNumber.from_margin(key or Fraction(0), abs(margin))
    return {"number": replace(number, mistakes=tuple(mistakes)), "key_feedback": key_feedback, "todo": todo}


def text_fields_of_answers(rows: Iterable[tuple[str, Fraction, str]], case_matters: bool = False) -> dict[str, Any]:
    """The fields of short answers from (text, share in percent, feedback). Those with the largest share are accepted,
    and their feedback is the rationale; the others become todos. `case_matters`: capital letters count there."""
    stripped_answers = [(text.strip(), share, say) for text, share, say in rows]
    top_share = max((share for _, share, _ in stripped_answers), default=Fraction(0))
    key_rows = [row for row in stripped_answers if row[1] == top_share > 0]
    todo = ["capital letters matter in the source: here they do not"] if case_matters else []
    for text, share, say in stripped_answers:
        if 0 < share < top_share:
            todo.append(lost_credit_todo(text, share, feedback=say))
        elif share <= 0 and say:
            todo.append(f'the feedback on "{text}" is not imported: {say}')
    reasons = dict.fromkeys(say for _, _, say in key_rows if say)
    return {"accepted_answers": [text for text, _, _ in key_rows], "key_feedback": "\n\n".join(reasons), "todo": todo}


def lost_credit_todo(answer: str, share_percent: Fraction, is_full_credit: bool = False, feedback: str = "") -> str:
    """The todo for an answer that earned `share_percent` in the source (all, if `is_full_credit`) and is wrong here,
    with its feedback."""
    verdict = "is right in the source too" if is_full_credit else f"earned {decimal(share_percent)} % in the source"
    return f'"{answer.strip()}" {verdict}: here it is wrong' + (f"; its feedback: {feedback}" if feedback else "")


def items_of_multi_row_question(
    stem: str, question_kind: str, rows_with_labels: Sequence[tuple[str, Sequence[tuple[str, bool]]]], **fields: Any
) -> list[ImportedItem]:
    """The items of a question of several rows, one for each (row, labels as (text, is right)): a choice among the
    labels, or a short answer if all of them are right. Each has its part of the points."""
    name, worth, items = fields.pop("name", ""), read_decimal(fields.get("points", "")), []
    fields["points"] = decimal(worth / len(rows_with_labels)) if worth and rows_with_labels else ""
    fields["todo"] = [*fields.pop("todo", ()), f"it was one of {len(rows_with_labels)} rows of a {question_kind}"]
    for number, (row, labels) in enumerate(rows_with_labels, 1):
        fields["name"] = f"{name} {number}" if name else ""
        answers = [text for text, _ in labels] if all(is_right for _, is_right in labels) else []
        options = [] if answers else [ChoiceOption(text, is_right) for text, is_right in labels]
        row_stem = f"{stem}\n\n{row}{': …' if answers else ''}".strip()
        items.append(imported_item(row_stem, options=options, accepted_answers=answers, **fields))
    return items


def items_of_matching_rows(stem: str, row_answer_pairs: Sequence[tuple[str, str]], **fields: Any) -> list[ImportedItem]:
    """The choice items of a matching question, one per (row, answer). Answers whose row is empty are further
    options."""
    answers = dict.fromkeys(answer for _, answer in sorted(row_answer_pairs, key=lambda pair: not pair[0]))
    rows = [(row, [(answer, answer == key) for answer in answers]) for row, key in row_answer_pairs if row]
    return items_of_multi_row_question(stem, "matching question", rows, **fields)


def unsupported_kind_reason(name: str, kind: str) -> str:
    """The reason why a question is not imported: it is of a kind that this program lacks, named as people name it."""
    word, _, noun = kind.partition(" ")
    kind = f"{load_interchange_toml('kinds').get(word, word)} {noun}"
    return f'"{name}" is {"an" if kind[:1] in "aeiou" else "a"} {kind}, which has no equivalent here'


def unread_runs_as_first_last_and_text(unread_lines: Iterable[tuple[int, str]]) -> list[tuple[int, int, str]]:
    """The runs of consecutive lines, each as (number of its first line, number of its last line, text of its first
    line). A line without a number (0) is a run of its own."""
    numbered = groupby(enumerate(unread_lines), key=lambda pair: (pair[1][0] > 0, pair[1][0] - pair[0]))
    runs = ([line for _, line in run] for _, run in numbered)  # in a run, number and index grow alike
    return [(run[0][0], run[-1][0], run[0][1] or "(empty)") for run in runs]


def count_unsupported_kinds_as_text(unread_lines: Iterable[tuple[int, str]]) -> str:
    """Numbers of questions by kind, such as `matching question: 12, hotspot: 1`, from the reasons of
    `unsupported_kind_reason`; empty if there are none."""
    reasons = (re.search(r" is an? (.+?), which has no equivalent here", text) for _, text in unread_lines)
    kinds = Counter(reason[1] for reason in reasons if reason)
    return ", ".join(f"{kind}: {number}" for kind, number in kinds.most_common())


def keyed_options_and_todos(
    option_texts: Sequence[str], key: str, feedback_texts: Sequence[str]
) -> tuple[tuple[ChoiceOption, ...], list[str]]:
    """The options, right if `key` names them by letter, number or wording; and a todo if it names none."""
    texts = [text.strip() for text in option_texts]
    bare = [re.sub(rf"^\(?{letter}[.):]\s+(?=\S)", "", text) for letter, text in zip(LETTERS, texts, strict=False)]
    if len(bare) == len(texts) > 1 and not set(bare) & set(texts):  # `A. one`, `B. two`: a shuffle gives other letters
        texts = bare
    key_texts, todo = _keyed_option_texts_and_todos(re.sub(r"\*\*|[.)]\s*$", "", key).strip(), texts)
    if not key_texts:
        todo = [f'the key "{key}" fits no option: choose one' if key else "no key is given: choose one"]
    options = zip(texts, feedback_texts, strict=True)
    return tuple(ChoiceOption(text, text in key_texts, feedback) for text, feedback in options), todo


def _keyed_option_texts_and_todos(key: str, option_texts: Sequence[str]) -> tuple[Sequence[str], list[str]]:
    """The option texts that a key names, and todos."""
    if not key:
        return (), []
    lettered_options = _option_texts_at_listed_positions(key, option_texts, True)
    key_texts = lettered_options or selected_option_texts(key, option_texts)
    place_texts = _option_texts_at_listed_positions(key, option_texts, False)
    place_texts = place_texts or _option_texts_at_listed_positions(key.upper(), option_texts, True)
    text_matches = selected_option_texts(key, option_texts, allows_letters=False)
    if lettered_options and text_matches not in (None, lettered_options):
        return lettered_options, [f'the key "{key}" is read as a letter: is it the text of an option?']
    if key_texts is not None:
        doubt = f'the key "{key}" is read as the text of an option: is it a place?'
        return key_texts, [doubt] if place_texts not in (None, key_texts) else []
    letter_match = re.match(r"\(?([A-Za-z])[.):]\s", key)
    return place_texts or (letter_match and selected_option_texts(letter_match[1], option_texts)) or (), []


def _option_texts_at_listed_positions(key: str, option_texts: Sequence[str], by_letter: bool) -> tuple[str, ...] | None:
    """The options whose letters or numbers the key lists: `B` or `A, C` (if `by_letter`), else `2` or `1, 3`; None if
    it lists none."""
    parts = [part.strip() for part in re.split(r"[,;]", key)]
    letters = (LETTERS.find(part) + 1 if len(part) == 1 else None for part in parts)
    numbers = letters if by_letter else map(read_decimal, parts)
    places = [int(n) for n in numbers if n is not None and n.denominator == 1 and 1 <= n <= len(option_texts)]
    return tuple(option_texts[place - 1] for place in places) if len(places) == len(parts) else None


def split_stem_and_asked_unit(stem: str) -> tuple[str, str]:
    """The stem without a sentence such as `Answer in GB.` at its end, and the unit in it, or an empty text."""
    match = re.fullmatch(r"(.*)\n\nAnswer in (\S+)\.", stem.rstrip(), re.DOTALL)
    return (match[1], match[2].replace("\\", "")) if match else (stem, "")


def parse_portable_number(text: str, separate_unit: str = "", allowed_unit: str = "") -> PortableNumber | None:
    """One number: `48 s`, `31.7 GB (within 5 %)`, `48 +- 0.5`, `[47, 49]`, `1,024`, `2,5`; None for any other text. Its
    unit must be known or be `allowed_unit`; a `separate_unit` from another field is not checked."""
    text = text.strip()
    if span := _NUMBER_RANGE_PATTERN.fullmatch(text):
        low, high = read_decimal(span[1] or span[3]), read_decimal(span[2] or span[4])
        if low is None or high is None:
            return None
        return PortableNumber.from_margin((low + high) / 2, abs(high - low) / 2, separate_unit)
    tolerance_match = _NUMBER_AND_TOLERANCE_PATTERN.fullmatch(text)
    match = _QUANTITY_PATTERN.fullmatch(tolerance_match[1] if tolerance_match else text)
    if match is None:
        return None
    digits = match[1].replace("−", "-").replace("_", "")
    group_match = re.fullmatch(r"-?[1-9]\d{0,2}(,\d{3})+(\.\d*)?", digits)
    value = read_decimal(digits.replace(",", "" if group_match else "."))
    if value is None or re.match(r"-?0\d", digits):  # 01234 is a code
        return None
    unit = spell_out_unit_symbols(match[2] or "")
    if not separate_unit and not _is_known_unit(unit, new_unit_labels(allowed_unit)):
        return None
    return _number_with_matched_tolerance(value, separate_unit or unit, tolerance_match)


def _number_with_matched_tolerance(value: Fraction, unit: str, tolerance_match: re.Match[str] | None) -> PortableNumber:
    """The number with the tolerance after it, else the default one; a whole number without a unit is exact."""
    if tolerance_match is None:
        is_exact = not unit and value.denominator == 1
        return PortableNumber(value, unit, Fraction(0) if is_exact else DEFAULT_RELATIVE_TOLERANCE)
    margin = read_decimal(tolerance_match[2] or tolerance_match[3]) or Fraction(0)
    percent = tolerance_match[2] or tolerance_match[4]
    return PortableNumber(value, unit, margin / 100) if percent else PortableNumber.from_margin(value, margin, unit)


def spell_out_unit_symbols(unit: str) -> str:
    """The unit with its symbols spelled out: `metres/s` for `m/s`."""
    return re.sub(r"[^\W\d_]+", lambda match: SPELLED_OUT_UNIT_BY_SYMBOL.get(match[0], match[0]), unit)


def _is_known_unit(unit: str, bank_units: Iterable[str]) -> bool:
    """True if this program can read the unit, in which the words `bank_units` may be units of a bank."""
    labels = tuple((label, label, "") for label in (*bank_units, *SPELLED_OUT_UNIT_BY_SYMBOL.values()))
    try:
        return bool(parse_unit(unit or "1", labels))
    except FormulaError:
        return False


def parse_lines_of_number_and_text(lines: Iterable[str]) -> tuple[tuple[Fraction, str], ...]:
    """(number, feedback) from lines such as `96 That is twice.`"""
    pairs = ((read_decimal(line.partition(" ")[0]), line.partition(" ")[2]) for line in lines)
    return tuple((value, say) for value, say in pairs if value is not None)


# The driver of importers: recognises the format, turns items into YAML, and decides what a second import may change.


def guess_format_name_or_raise(data: bytes, suffix: str) -> str:
    """The most likely format of a file. Raises CannotRead, with the kind of file if that is known."""
    if not data.strip():
        raise CannotRead("the file is empty")
    importers = {n: registry.load_importer(n, requires_library=False) for n in registry.IMPORTER_LOCATION_BY_FORMAT}
    shares = {name: importer.likelihood(data, suffix) for name, importer in importers.items()}
    best_format, share = max(shares.items(), key=lambda pair: pair[1])
    if share < MIN_FORMAT_LIKELIHOOD:
        hint = f"quizgen import --list shows what is read, and --from names it: {', '.join(importers)}"
        content = " ".join(zip_entry_names(data)) if data[:2] == b"PK" else data[:20_000].decode("latin-1")
        for kind, row in load_interchange_toml("unread").items():
            if re.search(row["in"], content):
                raise CannotRead(f"it looks like {kind}, which is not read: {row['do']}; {hint}")
        raise CannotRead(f"not a known format; {hint}")
    return best_format


@dataclass(slots=True)
class LastImportRecord:
    """The record of the last import: the id of each source name, and the YAML that was written of each item."""

    id_by_name_in_source: dict[str, str] = field(default_factory=dict)
    yaml_by_item_id: dict[str, str] = field(default_factory=dict)

    @classmethod
    def from_json(cls, text: str) -> LastImportRecord:
        """The record in a JSON text. Raises CannotRead if it is damaged."""
        try:
            record = json.loads(text) if text.strip() else {}
            tables = (dict(record.get(name, {})) for name in ("names", "texts"))
            return cls(*({str(key): str(value) for key, value in table.items()} for table in tables))
        except (ValueError, TypeError, AttributeError) as error:
            raise CannotRead(f"the record of the last import cannot be read ({error}); delete that file") from None

    def to_json(self) -> str:
        """The record as JSON, which `from_json` reads."""
        tables = {"names": self.id_by_name_in_source, "texts": self.yaml_by_item_id}
        return json.dumps(tables, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


@dataclass(frozen=True, slots=True)
class MergedItemFile:
    """An item file after an import: its text, the ids of the imported items in order, and the counts to report."""

    file_text: str
    imported_ids: tuple[str, ...]
    added_count: int
    updated_count: int
    needs_work_count: int  # items that need work, such as a drafted rubric
    ids_changed_on_both_sides: tuple[str, ...]  # changed in the source, but edited by the author
    ids_gone_from_source: tuple[str, ...]  # no longer in the source


def merge_import_into_file_and_record(
    import_result: ImportResult,
    old_file_text: str,
    record: LastImportRecord,
    ids_in_other_files: Collection[str],
    activates_scorable_items: bool,
    report_progress: Callable[[int], None],
) -> MergedItemFile:
    """The item file after an import; `old_file_text` is its text before. Items that the author edited stay byte for
    byte. `ids_in_other_files`: the ids in the bank's other files; `activates_scorable_items`: items that can be scored
    are no drafts; `report_progress` is called with the number of items written so far. Updates the record."""
    ids = tuple(_ids_for_items(import_result.items, record, ids_in_other_files))
    blocks = dict(_ids_and_yaml_of_old_items(old_file_text))
    old_ids, moved_ids = set(blocks), frozenset(ids_in_other_files)
    head = old_file_text[: old_file_text.index(next(iter(blocks.values())))] if blocks else old_file_text or "items:\n"
    kept_ids, updated, uncertain = [], 0, 0
    for number, (name, item) in enumerate(zip(ids, import_result.items, strict=True), 1):
        new_yaml = item_yaml(name, item, activates_scorable_items)
        report_progress(number)
        uncertain += "\n    todo:\n" in new_yaml
        old_yaml, last_import_yaml = blocks.get(name), record.yaml_by_item_id.get(name)
        is_edited = old_yaml is not None and old_yaml.rstrip() != (last_import_yaml or "").rstrip()
        # Deleted or moved by the author.
        is_removed = old_yaml is None and (last_import_yaml is not None or name in moved_ids)
        if (is_edited or is_removed) and last_import_yaml != new_yaml:
            kept_ids.append(name)
        if is_removed:
            continue
        if not is_edited:
            updated += old_yaml is not None and old_yaml.rstrip() != new_yaml.rstrip()
            blocks[name] = new_yaml + old_yaml[len(old_yaml.rstrip()) + 1 :] if old_yaml else new_yaml
        record.yaml_by_item_id[name] = new_yaml
    file_text = _file_head_with_units_line(head, import_result.items) + "".join(blocks.values())
    lost_ids = tuple(sorted((record.yaml_by_item_id.keys() & blocks.keys()) - set(ids)))
    return MergedItemFile(file_text, ids, len(blocks) - len(old_ids), updated, uncertain, tuple(kept_ids), lost_ids)


def _file_head_with_units_line(file_head: str, items: Sequence[ImportedItem]) -> str:
    """The head of the item file with a line that declares the units in which the source counts, unless the author has
    written `units:`. The line has the spellings of each unit's label and, for a label with a prefix, its size in the
    base unit (2500 m is 2.5 km)."""
    line_match = _UNITS_LINE_PATTERN.search(file_head)
    numbers = [item.numeric_key for item in items if item.numeric_key is not None]
    units = {unit for n in numbers for unit in (n.unit, *(name for name, _ in n.other_units_with_size))}
    labels = {label for unit in units for label in new_unit_labels(unit)}
    if not labels or (not line_match and re.search(r"^units:", file_head, re.MULTILINE)):
        return file_head
    bases = {label: _BASE_UNIT_AND_FACTOR_BY_WORD.get(label, (label, Fraction(1))) for label in labels}
    bases |= {base: (base, Fraction(1)) for base, _ in bases.values()}
    spellings_by_label: dict[str, str] = {}
    for label, (base, factor) in sorted(bases.items(), key=lambda pair: (pair[1][0] != pair[0], pair[0])):
        symbols = (symbol for symbol, word in SPELLED_OUT_UNIT_BY_SYMBOL.items() if word == label)
        size = () if base == label else (f"{decimal(factor)} {_singular_unit_label(base)}",)
        # `litre` -> `litres`, with the plural first
        spellings_by_label[_singular_unit_label(label)] = ", ".join((label, *symbols, *size))
    line = f"units: {{{', '.join(f'{label}: [{spellings}]' for label, spellings in spellings_by_label.items())}}}\n"
    return file_head.replace(line_match[0], line) if line_match else line + file_head


def _singular_unit_label(label: str) -> str:
    """The singular of a label: `litre` for `litres`, `push` for `pushes`. A short word stays: `gas`, `qps`."""
    if len(label) < 5 or label.endswith("ss"):
        return label
    return re.sub(r"(?:(?<=[cs]h)e|(?<=ss)e|(?<=x)e)?s$", "", re.sub("ies$", "y", label))


def _ids_and_yaml_of_old_items(file_text: str) -> Iterator[tuple[str, str]]:
    """Yields (id, text) of each item in the file; the text ends where the next item begins."""
    doc = ProblemCollector("")
    top = parse_yaml(file_text, doc) if file_text.strip() else None
    if top is None or doc.problems or not isinstance(top.value, dict) or "items" not in top.value:
        if file_text.strip() and file_text != "items:\n":
            raise CannotRead("the existing item file cannot be read; fix it first (quizgen check)")
        return
    lines = file_text.splitlines(keepends=True)
    nodes = top.value["items"].entries()
    starts = [(str(n.value["id"].value), n.line - 1) for n in nodes if isinstance(n.value, dict) and "id" in n.value]
    for (name, start), (_, end) in pairwise([*starts, ("", len(lines))]):
        yield name, "".join(lines[start:end])


def _ids_for_items(items: Sequence[ImportedItem], record: LastImportRecord, other_ids: Iterable[str]) -> Iterator[str]:
    """Yields an id for each item: that of the last import, its own if that is a valid id, or words of its stem.
    `other_ids`: the ids in the bank's other files."""
    source_counts: Counter[str] = Counter()
    last_numbers: Counter[str] = Counter()  # first words shared by several ids -> last number given
    used_ids = set(other_ids) | set(record.id_by_name_in_source.values())
    for item in items:
        first = item.name_in_source or item.stem
        times = source_counts[first]
        source_counts[first] += 1
        source = first + (" (again)" if times == 1 else f" (again {times})" if times else "")
        new_id = record.id_by_name_in_source.get(source, "")
        if not new_id:
            words = item.name_in_source
            words = words if re.fullmatch(r"[a-z0-9-]{3,80}", words) and re.search("[g-z]", words) else ""
            new_id = base = words or id_from_text(item.stem)
            while new_id in used_ids and not (words and new_id in other_ids):
                last_numbers[base] = max(1, last_numbers[base]) + 1
                new_id = f"{base}-{last_numbers[base]}"
            record.id_by_name_in_source[source] = new_id
        used_ids.add(new_id)
        yield new_id


def import_result_and_picture_by_path(
    import_result: ImportResult, find_picture: Callable[[str], bytes | None]
) -> tuple[ImportResult, dict[str, bytes]]:
    """The result with its pictures, by path, from `find_picture`. If `find_picture` does not have a picture, its name
    takes its place in the text, with a todo."""
    picture_by_path: dict[str, bytes] = {}
    todos: list[str] = []  # a todo for each missing picture of the current item

    def replace_picture(match: re.Match[str]) -> str:
        path = match[2]
        is_plain = path == unquote(path) and path.lower().endswith((".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp"))
        is_inside = ":" not in path and path[0] not in "/\\" and ".." not in path.split("/")
        picture = picture_by_path.get(path) or (find_picture(path) if is_plain and is_inside else None)
        if picture is None:
            todos.append(f"the picture {path} is not imported: put it beside the bank")
            return f"[figure: {match[1] or path}]"
        picture_by_path[path] = picture
        return f"![{match[1]}]({path})"

    embed, items = partial(_MARKDOWN_PICTURE_PATTERN.sub, replace_picture), []
    for item in import_result.items:
        todos.clear()
        texts: dict[str, Any] = {n: embed(getattr(item, n)) for n in ("stem", "model_answer", "rationale")}
        options = tuple(replace(o, text=embed(o.text), because=embed(o.because)) for o in item.options)
        items.append(replace(item, **texts, options=options, todo=tuple(dict.fromkeys((*item.todo, *todos)))))
    return replace(import_result, items=tuple(items)), picture_by_path


def id_from_text(text: str) -> str:
    """An id from the first words of a text: `why-carry` from `Why carry?`."""
    letters = re.sub(r"\$[^$]*\$|[`*\\]", " ", text).casefold()
    words = re.findall(r"[a-z0-9]+", re.sub(r"[^\0-\x7f]", "", unicodedata.normalize("NFKD", letters)))
    return "-".join(words[:7])[:60].strip("-") or "item"


def item_yaml(item_id: str, item: ImportedItem, is_active_if_scorable: bool) -> str:
    """One entry of `items:`. With `is_active_if_scorable`, an item that can be scored is not a draft."""
    writers = {"choice": _choice_yaml_and_todos, "numeric": _numeric_yaml_and_todos, "text": _text_yaml_and_todos}
    kind_fields, todo = writers[item.kind](item)
    stem = item.stem
    if item.kind == "numeric":  # spaces inside braces, so that no `{N}` is taken for a drawn value; formulas stay
        braces = r"(\$\$?)[^$]*\1|" + PLACEHOLDER_PATTERN.pattern
        stem = re.sub(braces, lambda m: m[0] if m[1] else f"{{ {m[2]} }}", stem)
    is_scorable = "rubric" in kind_fields or "formula" in kind_fields or {"key", "distractors"} <= kind_fields.keys()
    status = "" if is_active_if_scorable and is_scorable else "draft"
    points = decimal(item.points) if item.points else ""
    entry: dict[str, Any] = {"id": item_id, "kind": item.kind, "stem": stem or "(empty)", "status": status}
    entry |= {"todo": [*item.todo, *todo], "order": "ascending" if item.has_ascending_options else ""}
    entry |= {"topic": item.topic, "difficulty": item.difficulty, "points": points}
    entry |= {"seconds": item.seconds, "source": item.cited_source, "rationale": item.rationale, **kind_fields}
    entry |= {"hints": list(item.hints), "given": list(item.facts_on_request)}
    fields = _value_without_forbidden_chars({n: value for n, value in entry.items() if value not in ("", None, [])})
    return indent(yaml.dump([fields], Dumper=_BankYamlDumper, allow_unicode=True, sort_keys=False, width=110), "  ")


# The fields by which each kind of item is scored, and a list of what is uncertain about them.


def _choice_yaml_and_todos(item: ImportedItem) -> tuple[dict[str, Any], list[str]]:
    keys: list[str | dict[str, str]] = []
    distractors: list[str | dict[str, str]] = []
    for option in item.options:
        entry = {"text": option.text}
        entry |= {"because": option.because} if option.because and not option.is_right else {}
        entry |= {"last": "true"} if option.stays_last and not must_option_stay_last(option.text) else {}
        (keys if option.is_right else distractors).append(entry if len(entry) > 1 else option.text)
    policy = item.credit_policy if item.credit_policy != "all" else ""
    fields = {"key": keys[0] if len(keys) == 1 else keys, "distractors": distractors, "policy": policy}
    todo = [] if distractors else ["there is no wrong option: add distractors"]
    return {name: value for name, value in fields.items() if value}, todo


def _numeric_yaml_and_todos(item: ImportedItem) -> tuple[dict[str, Any], list[str]]:
    number = item.numeric_key
    assert number is not None, "it is what makes an item numeric"
    unit = (number.unit or "1").replace("^", "**")
    tail = " / 100" if unit == "%" else f" {unit}" if number.unit else ""  # in a formula % means remainder
    if "**" in unit or unit.startswith("1/"):  # after a number the power would apply to the number: 9 s**2 is 81 s**2
        tail = " * " + re.sub(r"([A-Za-z-]+)", r"(1 \1)", unit)
    mistakes = enumerate([(exact_number_text(value) + tail, say) for value, say in number.mistakes], 1)
    rows = [{"id": f"mistake-{n}", "value": value, "say": say} for n, (value, say) in mistakes]
    formula: dict[str, Any] = {"inputs": {}, "steps": {"answer": exact_number_text(number.value) + tail}, "unit": unit}
    formula |= {"misconceptions": rows} if rows else {}
    share, margin = decimal(number.relative_tolerance * 100), number.margin_if_zero
    if Fraction(share) != number.relative_tolerance * 100:  # rounded, it would exclude the last accepted value
        margin = abs(number.value) * number.relative_tolerance
    tolerance = {"absolute": f"{decimal(margin)} {number.unit}".strip()} if margin else f"{share}%"
    return {"formula": formula, "answer": {"tolerance": tolerance}}, []


def _text_yaml_and_todos(item: ImportedItem) -> tuple[dict[str, Any], list[str]]:
    """The fields of a text item: its short answers, or else a rubric with phrases drafted from its criteria or its
    model answer."""
    model = {"model_answer": item.model_answer} if item.model_answer else {}
    if phrases := list(filter(None, map(_rubric_phrase_of_short_answer, item.accepted_answers))):
        row = {"id": "answer", "say": _without_wildcards(item.accepted_answers[0]), "accept": phrases}
        return {"rubric": {"criteria": [row]}, **model}, []
    rows = [
        {"id": draft.id, "points": decimal(points), "say": say, "accept": [p.text for p in draft.accepted_phrases]}
        for points, say in item.criteria
        for draft in criteria_from_model_answer(item.stem, _text_without_formula_sentences_or_code(say))[:1]
    ]
    names = Counter(row["id"] for row in rows)
    rows = [row | ({"id": f"{row['id']}-{n}"} if names[row["id"]] > 1 else {}) for n, row in enumerate(rows, 1)]
    todo = "its criteria and points are the source's, its phrases are drafted: check them: they give"
    if not rows:
        drafts = criteria_from_model_answer(item.stem, _text_without_formula_sentences_or_code(item.model_answer))
        rows = [{"id": c.id, "say": c.statement, "accept": [p.text for p in c.accepted_phrases]} for c in drafts]
        todo = "the rubric is drafted from the model answer: check it, because it gives a point each for"
    if not rows:
        return model, ["there is no rubric: write one"]
    points_text = "; ".join(f'{p and f"{p} for "}"{row["accept"][0]}"' for row in rows for p in [row.get("points", "")])
    return {"rubric": {"criteria": rows}, **model}, [f"{todo} {points_text}"]


def _text_without_formula_sentences_or_code(text: str) -> str:
    """The sentences of a Markdown text, as plain text, without formulas, code blocks and figures, whose words state
    nothing."""
    text = re.sub(r"\\?\[figure: [^]]*\]|(?ms:^\s*(```|~~~).*?^\s*\1)", "", text)
    sentences = re.split(r"(?<=[.!?;])\s+|\n\s*\n", text)
    kept = (s for s in sentences if "$" not in s and re.search(r"[^\W\d_]{2}", re.sub("`[^`]+`", "", s)))
    return pieces_as_plain_text(markdown_inline_pieces(" ".join(kept)))


def _without_wildcards(text: str) -> str:
    """A short answer without wildcards: `adam` for `*adam*`, `ReLU … layer` for `ReLU*layer`."""
    answer = re.sub(r"^\*+|(?<!\\)\*+$", "", text.strip())
    return re.sub(r" ?(?<!\\)\*+ ?", " … ", answer).replace("\\*", "*").strip()


def _rubric_phrase_of_short_answer(short_answer: str) -> str:
    """A short answer as a rubric phrase, word by word, in any order; `sync*` becomes a prefix, and `*adam*` stays."""
    if WORD_PART_BETWEEN_STARS_PATTERN.fullmatch(short_answer):
        return short_answer
    words = " ".join(re.findall(r"[^\s{}|*\\]+(?:(?<!\\)\*(?=\W|$))?", short_answer.lstrip("*")))
    return words if "*" in words else f"{{{words}}}" if words else ""


def _value_without_forbidden_chars(value: Any) -> Any:
    """The value, with characters removed from its texts that a bank must not contain."""
    if isinstance(value, dict):
        return {key: _value_without_forbidden_chars(element) for key, element in value.items()}
    if isinstance(value, list):
        return [_value_without_forbidden_chars(element) for element in value]
    text = str(value)
    while match := match_forbidden_character(text):
        text = text.replace(match.group(), "")
    # A line of a bank may not begin with such a space.
    return re.sub(r"(?<!\S)[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]", " ", text).strip() or "(empty)"


class _BankYamlDumper(yaml.SafeDumper):
    """YAML with indented lists, and multi-line texts as blocks."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


_BankYamlDumper.add_representer(
    str,
    lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None),
)
