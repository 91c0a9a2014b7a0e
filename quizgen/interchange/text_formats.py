"""Text quizzes: one reader for all text formats; the grammar of each is in templates/interchange/text_formats.toml. And
the reader of R/exams, whose exercises have sections of their own.

A grammar has states and rules. A rule is a pattern for one line, whose named groups are parts of an item (`stem`,
`key`, `option` with its `letter`, `right`, `wrong`, …). A line that no rule matches continues the text before it, in
the states that allow it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import accumulate
from textwrap import dedent
from typing import Any

from quizgen.answer_areas import LETTERS
from quizgen.interchange import import_drafts
from quizgen.interchange.contract import ImportedItem, Importer, ImportResult, SelfRating, load_interchange_toml
from quizgen.interchange.files import decode_utf_text
from quizgen.model import ScoreBand
from quizgen.portable_item import ChoiceOption, PortableNumber
from quizgen.source.problems import read_decimal

_INLINE_OPTION_LETTER_PATTERN = re.compile(r"(?:^|\s)\(?([A-Z])[.):]\s+")
_TABLE_ROW_PATTERN = re.compile(r"^[ \t]*\|.*$", re.MULTILINE)
_SCORE_BAND_HEADING_PATTERN = re.compile(r"(?i)#*\s*(scor(ing|e)|grading|marking)\s*(guide|key|table|bands?)?\s*:?\s*")
_SCORE_BAND_ROW_PATTERN = re.compile(
    r"\|?\s*(\d{1,4})\s*(?:[-–—]|to)\s*(\d{1,4})\s*(%?)\s*[|:\t]\s*([^|\t]+?)\s*(?:[|\t]\s*([^|]*?)\s*)?\|?"
)
_MAX_DETECTION_SAMPLE_BYTES = 400_000  # bytes read to recognise a file
_NUMBERED_OPTIONS_PATTERN = re.compile(r"(.*?\S)((?:\n+ *\(?\d{1,2}[.):] +\S.*){2,})", re.DOTALL)
# An answer that is nothing but true or false: `False`, `**True**.`, `False** (It shares no memory.)`, `True: it does.`
_TRUTH_ANSWER_PATTERN = re.compile(r"(?is)\W*(true|false)(?:\*\*|__)?(?:\s*\((.*)\)|\s*(?:[.:,;–-]|\n)\s*(.*))?\W*")
_KEY_WITH_REASON_PATTERN = re.compile(
    r"(?:\*\*|__)?\(?[A-Z]\)?(?:\*\*|__)?\s*[.:),–-]+(?:\*\*|__)?\s+(?![A-Z](?:,|$))(\S.*)", re.DOTALL
)
_CLOZE_PATTERN = re.compile(r"==(.+?)==|\{\{(?:c\d+::)?(.+?)\}\}|(?<![\w\])])\[([^\]\[]+)\](?![(\[:])")
# The letter of an option whose text is a code block.
_OPTION_LETTER_ABOVE_CODE_PATTERN = re.compile(r"^\s*(?:\(?[A-Za-z0-9]?[.):]?)?\s*\n+(?=\s*(?:```|~~~))")


def _line_number_spans_of_code_blocks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yields the numbers of the first and last line of each fenced block of code, counted from 1; a fence that is never
    closed begins none."""
    mark, first = "", 0
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not mark and (match := re.match(r"(`{3,}|~{3,})[^`]*$", text)):
            mark, first = match[1], number
        elif mark and text.startswith(mark) and not text.strip(mark[0]):
            yield first, number
            mark = ""


def _title_or_empty(lines: Sequence[str], known_line_numbers: set[int]) -> str:
    """The first line if it is a heading by itself, which then is a known line; else an empty text."""
    first = next((n for n, line in enumerate(lines) if line.strip()), 0)
    text, next_text = ([line.strip() for line in lines[first : first + 2]] + [""])[:2]
    is_lone = not next_text or re.match(r"(question|q|item)\s*1\b|1[.)]\s", next_text, re.IGNORECASE)
    if not is_lone or re.match(r"(#+\s*)?(question|q|item)\s*\d|\d+[.)]|.*[?:]$", text, re.IGNORECASE):
        return ""
    known_line_numbers.add(first + 1)
    return re.sub(r"[# ]*(?:[Qq]uiz [Tt]itle: *)?", "", text, count=1)


def stem_and_inline_options_or_none(text: str) -> tuple[str, list[str]] | None:
    """The text before the options, and the options, of a text such as `A) one B) two`, whose letters must run from A;
    None if there are none. A table row has cells, not options."""
    run: list[re.Match[str]] = []
    for mark in _INLINE_OPTION_LETTER_PATTERN.finditer(_TABLE_ROW_PATTERN.sub(lambda row: "|" * len(row[0]), text)):
        if mark[1] == chr(ord("A") + len(run)):
            run.append(mark)
    if len(run) < 2:
        return None
    ends = [m.start() for m in run[1:]] + [len(text)]
    return text[: run[0].start()].strip(), [text[m.end() : end].strip() for m, end in zip(run, ends, strict=True)]


def _read_scoring_guide_bands(lines: Sequence[str], known_line_numbers: set[int]) -> tuple[ScoreBand, ...]:
    """The bands of the first scoring guide, highest first: a table of score ranges with a name and advice. Adds the
    numbers of its lines to `known_line_numbers`."""
    rows: list[tuple[int, int, bool, str, str]] = []
    is_in_guide = False
    for number, text in enumerate(map(str.strip, lines), 1):
        if _SCORE_BAND_HEADING_PATTERN.fullmatch(text):
            is_in_guide = True
        elif is_in_guide and (row := _SCORE_BAND_ROW_PATTERN.fullmatch(text)):
            rows.append((int(row[1]), int(row[2]), bool(row[3]), row[4], row[5] or ""))
        elif not (is_in_guide and text.startswith("|")):
            is_in_guide = is_in_guide and not text
            continue
        known_line_numbers.add(number)
    top = max((high for _, high, _, _, _ in rows), default=0)
    if not top:
        return ()
    bands = [ScoreBand(Fraction(low, 100 if percent else top), name, advice) for low, _, percent, name, advice in rows]
    return tuple(sorted(bands, key=lambda band: -band.min_share))


@dataclass(slots=True)
class _ItemDraft:
    """One item while its lines are read. `name_letter_lines` has (name, letter of the option or "", lines) in order.
    `heading_level`: the number of marks of the heading that began it (0: none). `opening_rule`: the row of the grammar
    that began it; with `head`, a draft without an answer is a heading for the items below, and with `weak`, its line is
    poor evidence of an item. `keeps_indentation`: lines keep their indentation."""

    opening_rule: Any
    name_letter_lines: list[tuple[str, str, list[str]]] = field(default_factory=list)
    line_numbers: list[int] = field(default_factory=list)
    todo: list[str] = field(default_factory=list)
    heading_level: int = 0
    section_heading: str = ""
    keeps_indentation: bool = False

    def texts_of_parts(self, *names: str) -> list[str]:
        """The texts of all parts with these names, name by name."""
        return [self.part_text(lines) for name in names for part, _, lines in self.name_letter_lines if part == name]

    def first_text_of_part(self, name: str) -> str:
        """The text of the first part with this name; empty if there is none."""
        return next(iter(self.texts_of_parts(name)), "")

    def choice_options_marked_right_or_wrong(self) -> tuple[ChoiceOption, ...]:
        """The options in parts named `right` and `wrong`. A part `because` is the reason for the option before it."""
        options: list[ChoiceOption] = []
        for name, _, lines in self.name_letter_lines:
            text = self.part_text(lines)
            if name in ("right", "wrong"):
                options.append(ChoiceOption(_OPTION_LETTER_ABOVE_CODE_PATTERN.sub("", text, count=1), name == "right"))
            elif name == "because" and options:
                options[-1] = replace(options[-1], because=text)
        return tuple(options)

    def part_text(self, lines: list[str]) -> str:
        """The lines of a part as one text. In a nested format they keep their indentation relative to the first."""
        if not self.keeps_indentation or not lines:
            return "\n".join(lines).strip("\n")
        tail = dedent("\n".join(line.expandtabs(4) for line in lines[1:]))
        return f"{lines[0].lstrip() if tail else lines[0].strip()}\n{tail}".strip("\n")


def text_format_importer(format_name: str) -> Importer:
    """The importer of one format. It rates a file by the share of lines that the grammar understands."""
    form = load_interchange_toml("text_formats")[format_name]

    def likelihood(data: bytes, suffix: str) -> float:
        sample = data[:_MAX_DETECTION_SAMPLE_BYTES]
        text = sample.decode("utf-8", "replace").replace("\r\n", "\n")
        is_another_format = "unless" in form and re.search(form["unless"], text, re.MULTILINE)
        if b"\0" in sample or is_another_format or not re.search(form["looks"], text, re.MULTILINE):
            return 0.0
        whole_lines = sample if len(data) <= _MAX_DETECTION_SAMPLE_BYTES else sample[: sample.rfind(b"\n")]
        reader = _TextQuizReader.from_bytes(whole_lines, form)
        drafts = reader.read_drafts()
        line_count = sum(bool(line.strip()) for line in reader.lines)
        has_few_drafts = len(drafts) < form.get("least", 1) + all("weak" in draft.opening_rule for draft in drafts)
        return 0.1 + form.get("most", 0.79) * len(reader.known_line_numbers) / line_count if not has_few_drafts else 0.0

    return Importer(1, likelihood, lambda data: _read_text_quiz(data, form))


def _read_text_quiz(data: bytes, grammar: Any) -> ImportResult:
    """The items of a file, read by `grammar`, a table of text_formats.toml."""
    reader = _TextQuizReader.from_bytes(data, grammar)
    lines, numbers = reader.lines, reader.known_line_numbers
    bands = _read_scoring_guide_bands(lines, numbers)
    title = _title_or_empty(lines, numbers) if not grammar.get("nested") or re.match(r"\s*# [^?]*$", lines[0]) else ""
    drafts = reader.read_drafts()
    ImportResult.raise_if_too_many_items(len(drafts))
    items: list[ImportedItem] = []
    ratings: list[SelfRating] = []
    for draft in drafts:
        if rating := draft.first_text_of_part("rating"):
            ratings.append(SelfRating(len(items), int(rating)))
        text = draft.first_text_of_part("cloze")
        if text and not draft.first_text_of_part("model_answer"):
            answers = [part[part.lastindex or 0] for part in _CLOZE_PATTERN.finditer(text)]
            contexts = _CLOZE_PATTERN.split(text)[:: _CLOZE_PATTERN.groups + 1]
            for number, model in enumerate(answers):  # `The ==hidden== words` is an item for each hidden part
                fillers = [*answers[:number], "[…]", *answers[number + 1 :], ""]
                stem = "".join(context + part for context, part in zip(contexts, fillers, strict=True))
                items.append(import_drafts.imported_item(stem, model_answer=model, topic=draft.section_heading))
        else:
            items.append(_item_of_draft(draft, grammar, len(items) + 1))
    unread_lines = tuple((n, line.strip()) for n, line in enumerate(lines, 1) if line.strip() and n not in numbers)
    return ImportResult(tuple(items), unread_lines, tuple(ratings), bands, title)


@dataclass(slots=True)
class _TextQuizReader:
    """Reads the lines of one file by one grammar, a format's table in text_formats.toml. Mutable while it reads.
    `patterns_and_rules`: each pattern with its row of the grammar; `known_line_numbers`: the numbers, from 1, of lines
    that were read or are rules, scales and known headings; `current_draft`: the last of `drafts`, or what stands above
    the first; `last_item_number`: the number that the last item has in the file; `follows_blank_line`: the line before
    is blank; `hanging_indent_characters`: the indentation of a continued line."""

    lines: list[str]
    grammar: Any
    patterns_and_rules: list[tuple[re.Pattern[str], Any]]
    known_line_numbers: set[int] = field(default_factory=set)
    drafts: list[_ItemDraft] = field(default_factory=list)
    current_draft: _ItemDraft = field(default_factory=lambda: _ItemDraft({}, [("", "", [])]))
    grammar_state_name: str = ""
    last_item_number: int = 0
    follows_blank_line: bool = True
    hanging_indent_characters: int = 4

    @classmethod
    def from_bytes(cls, data: bytes, grammar: Any) -> _TextQuizReader:
        rules, regex_by_word = grammar["rule"], {name: f"(?:{text})" for name, text in grammar.get("words", {}).items()}
        patterns = (re.sub(r"(?<!\?P)<(\w+)>", lambda m: regex_by_word.get(m[1], m[0]), rule["re"]) for rule in rules)
        return cls(decode_utf_text(data).split("\n"), grammar, list(zip(map(re.compile, patterns), rules, strict=True)))

    def read_drafts(self) -> list[_ItemDraft]:
        """The drafts that have one of the parts that the format requires. Adds their lines to the known lines."""
        texts = accumulate(map(str.strip, self.lines[::-1]), lambda next_text, text: text or next_text, initial="")
        next_texts = [*texts][::-1]  # by a line's number, the text of the next line that is not blank
        blocks = dict(_line_number_spans_of_code_blocks(self.lines))
        last_number = 0
        if self.grammar.get("nested") and self.lines[0].strip() == "---":  # front matter
            last_number = next((n for n, line in enumerate(self.lines[1:60], 2) if line.strip() in ("---", "...")), 0)
            self.known_line_numbers.update(range(1, last_number + 1))
        known_numbers = frozenset(self.known_line_numbers)  # the title and the scoring guide
        for number, raw in enumerate(self.lines, 1):
            line = raw.rstrip()
            if number <= last_number or number in known_numbers:
                continue
            if self.drafts and self.grammar.get("indent") and line.startswith("    "):
                self._append_line(number, line[min(self.hanging_indent_characters, len(line) - len(line.lstrip())) :])
            elif number in blocks:
                last_number = blocks[number]
                self._append_code_block(number, last_number)
            elif (rule_and_match := self._matching_rule_and_match(line, next_texts[number])) is not None:
                self._apply_rule(number, line, *rule_and_match)
            else:
                if line and self.drafts and self._is_in_any_state(self.grammar["flow"]):
                    self._append_line(number, line if self.grammar.get("nested") else line.strip())
                self.follows_blank_line = not line
            # Two spaces at the end of a line of an item are a line break in Markdown.
            if raw.endswith("  ") and self.grammar.get("nested") and self.current_draft.line_numbers[-1:] == [number]:
                lines = self.current_draft.name_letter_lines[-1][2]
                lines[-1:] = [f"{text}  " for text in lines[-1:]]
        return self._select_complete_drafts()

    def _append_line(self, line_number: int, text: str) -> None:
        """Appends a line to the current text."""
        self.current_draft.name_letter_lines[-1][2].extend([*([""] if self.follows_blank_line else []), text])
        self.current_draft.line_numbers.append(line_number)
        self.follows_blank_line = False

    def _append_code_block(self, first_line_number: int, last_line_number: int) -> None:
        """Appends a block of code to the current text, whatever the block contains."""
        self._begin_text_part_if_allowed()
        states = [*self.grammar["flow"], *self.grammar.get("blocks", ())]
        if not self.drafts or not self._is_in_any_state(states):
            return
        body = self.lines[first_line_number - 1 : last_line_number]
        margin = 0 if self.grammar.get("nested") else len(body[0]) - len(body[0].lstrip())
        for number, line in enumerate(body, first_line_number):
            self._append_line(number, line[min(margin, len(line) - len(line.lstrip())) :].rstrip())

    def _begin_text_part_if_allowed(self) -> None:
        """Begins a new text, in the states in which the grammar allows it: an answer may begin with a block of code."""
        for state, (name, to) in self.grammar.get("opens", {}).items():
            if self._is_in_any_state((state,)):
                self.current_draft.name_letter_lines.append((name, "", []))
                self._change_state(to)
                return

    def _change_state(self, new_state: str) -> None:
        """Changes the state; `-answer` keeps the family: `light` becomes `light-answer`."""
        family = self.grammar_state_name.partition("-")[0] if new_state.startswith("-") else ""
        self.grammar_state_name = family + new_state

    def _is_in_any_state(self, state_patterns: Iterable[str]) -> bool:
        """Whether the state is among `state_patterns`, in which `-answer` means `heading-answer` and `light-answer`,
        and `light-` every state that begins with it."""
        state, family = self.grammar_state_name, self.grammar_state_name.partition("-")[0]
        return any(s == state or (s[:1] == "-" and state.endswith(s)) or s == f"{family}-" for s in state_patterns)

    def _matching_rule_and_match(self, line: str, next_text: str) -> tuple[Any, re.Match[str]] | None:
        for pattern, rule in self.patterns_and_rules:
            match = pattern.fullmatch(f"{line}\n{next_text}" if rule.get("ahead") else line)
            is_allowed = "in" not in rule or self._is_in_any_state(rule["in"])
            if match and is_allowed and self._are_rule_conditions_met(rule, match):
                return rule, match
        return None

    def _are_rule_conditions_met(self, rule: Any, match: re.Match[str]) -> bool:
        """Whether a rule's other conditions are met: the next number, options above, the next letter, a blank line
        before, a heading below the item's."""
        conditions = rule.get("if", ())
        next_numbers = (self.last_item_number + 1,) if self.last_item_number else (0, 1)
        if "next" in conditions and int(match["n"]) not in next_numbers:
            return False
        count = sum(name == "option" for name, _, _ in self.current_draft.name_letter_lines)
        if "options" in conditions and not count:
            return False
        if "run" in conditions:  # only an unbroken run A, B, C … is a list of options
            return match["letter"].upper() == LETTERS[count % 26]
        if "deeper" in conditions:
            return 0 < self.current_draft.heading_level < len(match["level"])
        return "blank" not in conditions or self.follows_blank_line

    def _apply_rule(self, line_number: int, line: str, rule: Any, match: re.Match[str]) -> None:
        """Applies a rule to a line."""
        if rule.get("goes_on"):
            self._begin_text_part_if_allowed()
            self._append_line(line_number, line)
            return
        groups = {name.removesuffix("_2"): text for name, text in match.groupdict().items() if text is not None}
        if rule.get("begin"):
            level, nested = len(groups.get("level", "")), self.grammar.get("nested", False)
            self.current_draft = _ItemDraft(rule, heading_level=level, keeps_indentation=nested)
            # The text of its stem may follow later.
            self.current_draft.name_letter_lines += [("stem", "", [])] if "stem" in match.groupdict() else []
            self.drafts.append(self.current_draft)
            self.last_item_number = int(groups.get("n") or 0)
        names = (name for name in groups if name not in ("n", "letter", "level"))  # these are no text of the item
        texts = [(name, groups[name]) for name in names if (name, groups[name]) != ("stem", "")]
        draft = self.current_draft
        if rule.get("inline") and (stem_and_options := stem_and_inline_options_or_none(line)):
            draft.name_letter_lines += [("option", LETTERS[n], [text]) for n, text in enumerate(stem_and_options[1])]
        draft.name_letter_lines += [(name, groups.get("letter", "").upper(), [text]) for name, text in texts]
        draft.todo += [rule["todo"]] if "todo" in rule else []
        if line and (texts or rule.keys() & {"begin", "inline"}):
            draft.line_numbers.append(line_number)
            self.hanging_indent_characters = max(4, len(line.split()[0]) + 1) if self.grammar.get("hang") else 4
        elif line and not rule.get("unread"):
            self.known_line_numbers.add(line_number)
        self._change_state(rule.get("to", self.grammar_state_name))
        self.follows_blank_line = not line

    def _select_complete_drafts(self) -> list[_ItemDraft]:
        """The drafts with a part that the format requires, each with the heading above as its section."""
        complete_drafts: list[_ItemDraft] = []
        section, section_level = "", 0
        for draft in self.drafts:
            if 0 < draft.heading_level <= section_level:  # beside the section or above it
                section, section_level = "", 0
            if any(draft.texts_of_parts(name) for name in self.grammar["requires"]):
                draft.section_heading = section
                complete_drafts.append(draft)
                self.known_line_numbers.update(draft.line_numbers)
            elif "head" in draft.opening_rule and all(name == "stem" for name, _, _ in draft.name_letter_lines):
                section, section_level = _plain_text_line(" ".join(draft.texts_of_parts("stem"))), draft.heading_level
                self.known_line_numbers.add(draft.line_numbers[0])
        return complete_drafts


@dataclass(slots=True)
class _DraftTexts:
    """The texts of a draft, mutable while they are cleaned: `option_texts` are in order, `key_text` names those that
    are right, `model_answer` is the model answer."""

    stem: str
    key_text: str
    model_answer: str
    option_texts: list[str]
    rationales: list[str]


def _item_of_draft(draft: _ItemDraft, grammar: Any, item_number: int) -> ImportedItem:
    """The item of a draft. `item_number` is its number in the file, which is its name if it has no stem."""
    marked_options = draft.choice_options_marked_right_or_wrong()
    texts = _draft_texts(draft, bool(marked_options), item_number)
    for name in grammar.get("fix", ()):
        mend = _TEXT_CLEANER_BY_NAME[name]
        texts.stem, texts.model_answer = mend(texts.stem), mend(texts.model_answer)
        texts.option_texts, texts.rationales = [*map(mend, texts.option_texts)], [*map(mend, texts.rationales)]
    for name in grammar.get("mend_stem", ()):
        texts.stem = _TEXT_CLEANER_BY_NAME[name](texts.stem)
    if not texts.option_texts and not marked_options:
        _fill_options_from_stem_or_key(texts)
    options, key_todos = _marked_options_and_todos(draft, texts) if texts.option_texts else (marked_options, [])
    answers: dict[str, Any] = {"options": options}
    if not options:
        number_text, (_, unit) = draft.first_text_of_part("number"), import_drafts.split_stem_and_asked_unit(texts.stem)
        number = import_drafts.parse_portable_number(number_text or texts.key_text, allowed_unit=unit)
        if number is not None:
            mistakes = import_drafts.parse_lines_of_number_and_text(draft.texts_of_parts("mistake"))
            answers = {"number": replace(number, mistakes=mistakes)}
        else:
            criteria = import_drafts.parse_lines_of_number_and_text(draft.texts_of_parts("criterion"))
            answers = {"model_answer": texts.model_answer or texts.key_text, "criteria": criteria}
            answers["accepted_answers"] = draft.texts_of_parts("accept")
    todo = [*draft.todo, *key_todos]
    todo += [] if any(answers.values()) or draft.texts_of_parts("essay") else ["the source gives no answer"]
    names = ("name", "topic", "source", "points", "seconds", "difficulty", "policy")
    fields: dict[str, Any] = {name: "\n\n".join(draft.texts_of_parts(name)) for name in names}
    fields["topic"] = fields["topic"] or draft.section_heading
    fields["rationale"] = "\n\n".join(filter(None, texts.rationales))
    fields |= {"hints": draft.texts_of_parts("hint"), "given": draft.texts_of_parts("given"), "todo": todo}
    return import_drafts.imported_item(texts.stem, **fields, **answers)


def _draft_texts(draft: _ItemDraft, has_marked_options: bool, item_number: int) -> _DraftTexts:
    """The texts of a draft. Text below a stem is the answer, or a part of the stem if the answer is elsewhere. If there
    are options, the first line of the answer is the key."""
    titles, stems = draft.texts_of_parts("title"), draft.texts_of_parts("stem", "cloze")
    stems = [*(title for title in titles if title.endswith("?") or not stems), *stems]
    options = [_OPTION_LETTER_ABOVE_CODE_PATTERN.sub("", text, count=1) for text in draft.texts_of_parts("option")]
    key, model = draft.first_text_of_part("key"), draft.first_text_of_part("model_answer")
    bodies, rationales = draft.texts_of_parts("body"), draft.texts_of_parts("rationale")
    if options or has_marked_options or key or model:
        stems += bodies
    else:
        model = "\n\n".join(bodies)
    model = re.sub(r"^((?:(?!\*\*).)*\S)\*\*(?=\s|$)", r"\1", model)  # a bold label that ends after the answer
    if options and model and not key:
        key, _, tail = model.partition("\n")
        rationales.insert(0, tail.strip())
    return _DraftTexts("\n\n".join(filter(None, stems)) or f"Exercise {item_number}", key, model, options, rationales)


def _fill_options_from_stem_or_key(texts: _DraftTexts) -> None:
    """Finds the options of an item without a list of them: in its stem, or True and False."""
    answer = texts.key_text or texts.model_answer
    if texts.key_text and (stem_and_options := stem_and_inline_options_or_none(texts.stem)):
        texts.stem, texts.option_texts = stem_and_options
    elif answer.isdecimal() and (list_match := _NUMBERED_OPTIONS_PATTERN.fullmatch(texts.stem)):
        lines = [line.strip().partition(" ") for line in list_match[2].strip().split("\n")]
        if [number.strip("().:") for number, _, _ in lines] == [str(n) for n in range(1, len(lines) + 1)]:
            texts.stem, texts.key_text, texts.model_answer = list_match[1].strip(), answer, ""
            texts.option_texts = [text.strip() for _, _, text in lines]
    elif verdict := _TRUTH_ANSWER_PATTERN.fullmatch(answer):
        texts.option_texts, texts.key_text, texts.model_answer = ["True", "False"], verdict[1].capitalize(), ""
        texts.rationales.insert(0, verdict[2] or verdict[3] or "")


def _marked_options_and_todos(draft: _ItemDraft, texts: _DraftTexts) -> tuple[tuple[ChoiceOption, ...], list[str]]:
    """The options with the key that the text names, and todos. Text after the key is the rationale."""
    reason_by_letter = {
        letter: "\n".join(lines) for name, letter, lines in draft.name_letter_lines if name == "because"
    }
    reasons = [reason_by_letter.get(LETTERS[n % 26], "") for n in range(len(texts.option_texts))]
    options, todos = import_drafts.keyed_options_and_todos(texts.option_texts, texts.key_text, reasons)
    first, _, tail = texts.key_text.partition("\n")
    if todos and tail and not (retry := import_drafts.keyed_options_and_todos(texts.option_texts, first, reasons))[1]:
        options, todos = retry
        texts.rationales.insert(0, tail)
    reason = _KEY_WITH_REASON_PATTERN.fullmatch(texts.key_text)
    if reason and not todos and _plain_text_line(reason[1]) not in map(_plain_text_line, texts.option_texts):
        texts.rationales.insert(0, reason[1])  # `B. It swaps.`
    return options, todos


def _bullets_as_markdown_lists(text: str) -> str:
    """The text with `**Head.** - one - two` on one line, or lines with `•`, as lists. A minus between numbers stays."""
    text = re.sub(r"(?m)^\s*•\s*", "- ", text)
    if "\n" not in text and text.startswith("**"):
        text = re.sub(r"(?<=\S) - (?=\S)(?!\d[^-]{0,12}=)", "\n- ", text)
    return re.sub(r"(?m)^(?!- )(.+)\n(?=- )", r"\1\n\n", text)


def _remove_stem_number_and_links(text: str) -> str:
    """The stem without its number, its bold marks, and links to and from it."""
    first, mark, tail = text.partition("\n")
    first = re.sub(r"<a\s[^>]*>\s*</a>|\s*\[\[?[^\]]*\]?\]\(#[^)]*\)\s*$|\s*:arrow_\w+:|\s*#+$", "", first).strip()
    first = re.sub(r"^(?:\d\uFE0F?\u20E3)+\s*", "", first)
    first = re.sub(r"^(?:\*\*|__)(.*?)(?:\*\*|__)?$", r"\1", first).strip()
    first = first.replace("**", "", first.count("**") % 2)
    first = re.sub(
        r"^(?:Q(?:uestion)?\s*)?#?\d{1,4}\s*(?:[.:)\]]|[-–—]\s)\s*(?=\S)|^Q(?:uestion)?\s*[.:)]\s*(?=\S)", "", first
    )
    return first.strip() + mark + tail


def _replace_html_tags(text: str) -> str:
    """The text with HTML tags replaced by Markdown; code stays."""
    pieces = re.split(r"((?:^|\n)\s*(?:```|~~~).*?(?:```|~~~)|`[^`\n]+`|\$[^$\n]+\$)", text, flags=re.DOTALL)
    for place in range(0, len(pieces), 2):
        for pattern, mark in load_interchange_toml("html_tags")["replacements"]:
            pieces[place] = re.sub(pattern, mark, pieces[place], flags=re.IGNORECASE | re.DOTALL)
    return re.sub(r"^(?:\\?\n)+|(?:\\?\n)+$", "", "".join(pieces))  # no break before the first word, or after the last


def _plain_text_line(text: str) -> str:
    """A heading on one line, without markup."""
    return re.sub(r"[*_`#]+|<[^>]*>|\[|\]\([^)]*\)", "", " ".join(text.split())).strip(" :")


_TEXT_CLEANER_BY_NAME: dict[str, Callable[[str], str]] = {
    "bullets": _bullets_as_markdown_lists,
    # A copied page may hold doubled formulas: `O(L)O(L)`.
    "doubled": lambda text: re.sub(r"([A-Za-zΘ]\([^()\s]{1,20}\))\1", r"\1", text),
    "unnumbered": _remove_stem_number_and_links,
    "untagged": _replace_html_tags,
}


# R/exams exercises in Markdown (.Rmd): Question, Solution, Meta-information. Their R code is not run.

_R_QUESTION_HEADING_PATTERN = re.compile(r"^Question[ \t]*\n={3,}", re.MULTILINE)
_R_SECTION_HEADING_PATTERN = re.compile(r"(?m)^(Question|Solution|Meta-information|Answerlist)[ \t]*\n[=-]{3,}[ \t]*$")
_R_CODE_BLOCK_PATTERN = re.compile(r"^```+\s*\{r\b.*?^```+[ \t]*$", re.MULTILINE | re.DOTALL)
_INLINE_R_CODE_PATTERN = re.compile(r"`r [^`]+`")


def r_exams_likelihood(data: bytes, suffix: str) -> float:
    text = data[:100_000].decode("utf-8", "replace").replace("\r\n", "\n")
    return 0.95 if _R_QUESTION_HEADING_PATTERN.search(text) and re.search(r"^extype:", text, re.MULTILINE) else 0.0


def _line_numbered_r_exams_items_or_reasons(data: bytes) -> Iterator[tuple[int, ImportedItem | str]]:
    """Yields (line number, item) of each exercise, or (line number, reason why it is none), after the lines above the
    first exercise that are neither code nor front matter."""
    text = decode_utf_text(data)
    starts = [match.start() for match in _R_QUESTION_HEADING_PATTERN.finditer(text)]
    preamble = _R_CODE_BLOCK_PATTERN.sub("", text[: starts[0]] if starts else text)
    for line in re.sub(r"(?ms)^---\n.*?^---\n", "", preamble).split("\n"):
        if line.strip():
            yield 1, line.strip()
    coded, number = bool(_R_CODE_BLOCK_PATTERN.search(text)), 1
    for last, start, end in zip([0, *starts], starts, [*starts[1:], len(text)], strict=False):
        number += text.count("\n", last, start)
        yield number, _item_or_reason_of_r_exercise(text[start:end], coded)


def _item_or_reason_of_r_exercise(exercise_text: str, file_has_code: bool) -> ImportedItem | str:
    """The item of one exercise, or the reason why it is none. `file_has_code`: the file contains R code."""
    parts: dict[str, str] = {}
    lists: dict[str, list[str]] = {}
    last = ""
    # The sections are what stands between two headings, each with the name before it.
    _, *sections = _R_SECTION_HEADING_PATTERN.split(_R_CODE_BLOCK_PATTERN.sub("", exercise_text))
    for name, body in zip(sections[::2], sections[1::2], strict=True):
        if name == "Answerlist":
            entries = re.split(r"(?m)^[*-][ \t]+", body)[1:]
            lists[last] = [re.sub(r"\n[ \t]+", "\n", entry).strip() for entry in entries]
        else:
            last, parts[name] = name, body.strip()
    lines = re.findall(r"(?m)^(ex\w+)(?:\[\w+\])?:[ \t]*(.*)$", parts.get("Meta-information", ""))
    fields = {name: value.strip() for name, value in lines}
    stem, solution = parts.get("Question", ""), parts.get("Solution", "")
    kind, name = fields.get("extype", ""), fields.get("exname", "")
    unsupported = {"cloze": "cloze", "file": "upload", "verbatim": "verbatim"}
    if kind in unsupported:
        return import_drafts.unsupported_kind_reason(name or stem[:60], f"{unsupported[kind]} exercise")
    topic, points = fields.get("exsection", ""), fields.get("expoints", "")
    answer = {"rationale": solution, **_r_exams_answer_fields(kind, fields, lists, solution)}
    runs = file_has_code or _INLINE_R_CODE_PATTERN.search(exercise_text)
    todo = [*(["its R code is not run: write the values that it draws"] if runs else []), *answer.pop("todo", ())]
    return import_drafts.imported_item(stem, name=name, topic=topic, points=points, todo=todo, **answer)


def _r_exams_answer_fields(
    kind: str, metadata: Mapping[str, str], answer_lists: Mapping[str, list[str]], solution: str
) -> dict[str, Any]:
    """The fields of options with a key such as `010`, whose feedback is in the list of the solution; of a number with
    its margin; of a short answer; or of a text with the solution as model answer. `answer_lists`: the entries of the
    lists in the question and in the solution."""
    key = metadata.get("exsolution", "")
    if kind in ("schoice", "mchoice"):
        texts, shuffle = answer_lists.get("Question", []), metadata.get("exshuffle", "")
        has_key = len(key) == len(texts) and set(key) <= {"0", "1"}
        reasons = [*answer_lists.get("Solution", []), *[""] * len(texts)]
        options = [ChoiceOption(text, has_key and key[n] == "1", reasons[n]) for n, text in enumerate(texts)]
        todo = [] if has_key else [f'the key "{key}" fits no option: choose one']
        if shuffle.isdigit():
            todo.append(f"{shuffle} of its {len(texts)} options are drawn in the source: here all are shown")
        return {"options": options, "policy": "all", "has_fixed_option_order": shuffle.upper() == "FALSE", "todo": todo}
    if kind == "num":
        value, margin = import_drafts.parse_portable_number(key), read_decimal(metadata.get("extol", "")) or Fraction(0)
        if value is None:
            return {"todo": ["the number could not be read: add a formula"]}
        return {"number": PortableNumber.from_margin(value.value, margin)}
    if kind == "string" and key not in ("", "nil") and not _INLINE_R_CODE_PATTERN.search(key):
        return {"accepted_answers": [key.replace("*", "\\*")]}
    return {"model_answer": solution, "rationale": ""}


R_EXAMS_IMPORTER = Importer.from_item_reader(r_exams_likelihood, _line_numbered_r_exams_items_or_reasons)
