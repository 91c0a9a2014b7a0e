"""Scoring guides: a table of score ranges with a name and advice, which become the bands of a blueprint."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from quizgen.interchange.contract import Found, Importer, Rating, Read, table
from quizgen.interchange.import_drafts import chosen, made, mistakes_of, number_of, unit_asked
from quizgen.interchange.lines import NumberedLines, split_options
from quizgen.model import Band
from quizgen.page import LETTERS
from quizgen.portable_item import PlainOption

_HEAD = re.compile(r"#*\s*(scoring|score|grading|marking)\s*(guide|key|table|bands?)?\s*:?\s*", re.IGNORECASE)
_ROW = re.compile(
    r"\|?\s*(\d{1,4})\s*(?:[-–—]|to)\s*(\d{1,4})\s*(%?)\s*[|:\t]\s*([^|\t]+?)\s*(?:[|\t]\s*([^|]*?)\s*)?\|?"
)


def scoring_guide(lines: NumberedLines) -> tuple[Band, ...]:
    """The bands of the first guide, from the top down; its lines are taken, its rules and headings furniture."""
    rows: list[tuple[int, int, bool, str, str]] = []
    inside = False
    for number, line in lines:
        text = line.strip()
        if _HEAD.fullmatch(text):
            inside = True
            lines.drop(number)
        elif inside and (row := _ROW.fullmatch(text)):
            rows.append((int(row[1]), int(row[2]), bool(row[3]), row[4], row[5] or ""))
            lines.taken.add(number)
        elif inside and text.startswith("|"):
            lines.drop(number)
        elif text:
            inside = False
    top = max((high for _, high, _, _, _ in rows), default=0)
    if not top:
        return ()
    made = [Band(Fraction(low, 100 if percent else top), name, advice) for low, _, percent, name, advice in rows]
    return tuple(sorted(made, key=lambda band: -band.start))


# Text forms in: one engine, and a grammar a form in templates/interchange/forms.toml.
#
# A grammar is states and rules. A rule is a pattern for a line; its named groups are what the line says (`stem`, `key`,
# `option` with its `letter`, `right`, `wrong` …). A line no rule takes goes on the last text where the state says so.


_SAMPLE = 400_000  # bytes that a file is known by


@dataclass(slots=True)
class _Draft:
    """One item while its lines are read: (name, letter, lines) in their order."""

    line: int
    parts: list[tuple[str, str, list[str]]] = field(default_factory=list)
    used: list[int] = field(default_factory=list)
    todo: list[str] = field(default_factory=list)

    def all(self, name: str) -> list[str]:
        return ["\n".join(said).strip("\n") for part, _, said in self.parts if part == name]

    def one(self, name: str) -> str:
        return next(iter(self.all(name)), "")


def importer(name: str) -> Importer:
    """The importer of one form. How likely it is: the share of a file's lines that it understands."""
    form = table("forms")[name]

    def looks(data: bytes, suffix: str) -> float:
        sample = data[:_SAMPLE]
        if b"\0" in sample or not re.search(form["looks"], sample.decode("utf-8", "replace"), re.MULTILINE):
            return 0.0
        lines = NumberedLines.of(sample if len(data) <= _SAMPLE else sample[: sample.rfind(b"\n")])
        drafts = _drafts(lines, form)
        written = sum(bool(line.strip()) for _, line in lines)
        return 0.1 + 0.79 * len(lines.taken | lines.furniture) / written if drafts else 0.0

    return Importer(1, looks, lambda data: _read(data, form))


def _read(data: bytes, form: Any) -> Read:
    lines = NumberedLines.of(data)
    bands = scoring_guide(lines)
    title = lines.title()
    drafts = _drafts(lines, form)
    items = tuple(_found(draft, form, n) for n, draft in enumerate(drafts, 1))
    ratings = tuple(Rating(n, int(draft.one("rating"))) for n, draft in enumerate(drafts) if draft.one("rating"))
    return Read(items, lines.unread(), len(lines.furniture), ratings, bands, title)


def _drafts(lines: NumberedLines, form: Any) -> list[_Draft]:
    drafts: list[_Draft] = []
    draft: _Draft | None = None
    state, last, blank, width = "", 0, True, 4
    rules = [(re.compile(rule["re"]), rule) for rule in form["rule"]]
    ahead = {n: after for n, after in lines.followed()}
    for number, raw in lines:
        if number in lines.taken or number in lines.furniture:
            continue
        line = raw.rstrip()
        if draft is not None and form.get("indent") and line.startswith("    "):
            body = line[width:] if line.startswith(" " * width) else line.lstrip()
            draft.parts[-1][2].extend([*([""] if blank else []), body])
            draft.used.append(number)
            blank = False
            continue
        for pattern, rule in rules:
            match = pattern.fullmatch(f"{line}\n{ahead.get(number, '')}" if rule.get("ahead") else line)
            if match and state in rule.get("in", (state,)) and _holds(rule, match, draft, last, blank):
                break
        else:
            if line and draft is not None and state in form["flow"]:
                draft.parts[-1][2].extend([*([""] if blank else []), line.strip()])
                draft.used.append(number)
            blank = not line
            continue
        said = {name: text for name, text in match.groupdict().items() if name not in ("n", "letter")}
        if rule.get("begin"):
            draft = _Draft(number, [("stem", "", [])] if "stem" in said else [])
            drafts.append(draft)
            last = int(match.groupdict().get("n") or 0)
            said = {name: text for name, text in said.items() if name != "stem" or text}
        if draft is not None:
            letter = match.groupdict().get("letter") or ""
            if rule.get("inline") and (several := split_options(line)):
                draft.parts += [("option", LETTERS[n], [text]) for n, text in enumerate(several[1])]
            draft.parts += [(name, letter.upper(), [text]) for name, text in said.items() if text is not None]
            draft.todo += [rule["todo"]] if "todo" in rule else []
        if line and (said or rule.get("begin") or rule.get("inline")) and draft is not None:
            draft.used.append(number)
            width = max(4, len(line.split()[0]) + 1) if form.get("hang") else 4
        elif line:
            lines.drop(number)
        state, blank = rule.get("to", state), not line
    kept = [draft for draft in drafts if any(draft.all(name) for name in form["requires"])]
    for draft in kept:
        lines.taken.update(draft.used)
    return kept


def _holds(rule: Any, match: re.Match[str], draft: _Draft | None, last: int, blank: bool) -> bool:
    """The conditions of a rule besides its pattern: the next number, the next letter, a blank line before."""
    asked = rule.get("if", ())
    if "next" in asked and int(match["n"]) != last + 1 and (last or int(match["n"]) > 1):
        return False
    if "run" in asked:  # only a run A, B, C … from the first is options
        count = sum(name == "option" for name, _, _ in draft.parts) if draft else 0
        return match["letter"].upper() == LETTERS[count % 26]
    return "blank" not in asked or blank


def _found(draft: _Draft, form: Any, place: int) -> Found:
    todo = [*draft.todo, *form.get("todo", ())]
    stem = "\n\n".join(filter(None, draft.all("stem"))) or f"Exercise {place}"
    key, model = draft.one("key"), draft.one("model_answer")
    for name in form.get("mend", ()):
        stem, model = _MENDS[name](stem), _MENDS[name](model)
    options: tuple[PlainOption, ...] = ()
    offered = draft.all("option")
    if not offered and key and (several := split_options(stem)):
        stem, offered = several
    if offered:
        why = {letter: "\n".join(said) for name, letter, said in draft.parts if name == "because"}
        options, unsure = chosen(offered, key, [why.get(LETTERS[n % 26], "") for n in range(len(offered))])
        todo += unsure
    elif any(name in ("right", "wrong") for name, _, _ in draft.parts):
        options = _marked(draft)
    number = number_of(draft.one("number") or key, counted=unit_asked(stem)) if not options else None
    if number is not None:
        number = replace(number, wrong=mistakes_of(draft.all("mistake")))
    elif not options:
        model = model or key
        todo += [] if model or draft.all("essay") else ["the source gives no answer"]
    texts = ("name", "topic", "rationale", "source", "points", "seconds", "difficulty", "policy")
    return made(
        stem,
        line=draft.line,
        options=options,
        number=number,
        model_answer="" if options or number else model,
        hints=draft.all("hint"),
        given=draft.all("given"),
        todo=todo,
        **dict[str, Any]({name: "\n\n".join(draft.all(name)) for name in texts}),
    )


def _marked(draft: _Draft) -> tuple[PlainOption, ...]:
    """Options that each say whether they are right, each followed by why."""
    made: list[PlainOption] = []
    for name, _, said in draft.parts:
        text = "\n".join(said).strip("\n")
        if name in ("right", "wrong"):
            made.append(PlainOption(text, name == "right"))
        elif name == "because" and made:
            made[-1] = PlainOption(made[-1].text, made[-1].right, text)
    return tuple(made)


def _bullets(text: str) -> str:
    """`**Head.** - one - two` in one line, and lines with `•`, as lists; a minus between numbers is none."""
    text = re.sub(r"(?m)^\s*•\s*", "- ", text)
    if "\n" not in text and text.startswith("**"):
        text = re.sub(r"(?<=\S) - (?=\S)(?!\d[^-]{0,12}=)", "\n- ", text)
    return re.sub(r"(?m)^(?!- )(.+)\n(?=- )", r"\1\n\n", text)


def _doubled(text: str) -> str:
    """Maths that a copied page holds twice, `O(L)O(L)`, once."""
    return re.sub(r"([A-Za-zΘ]\([^()\s]{1,20}\))\1", r"\1", text)


_MENDS = {"bullets": _bullets, "doubled": _doubled}
