"""Texts of strangers to an item: keys as people write them, numbers with units, tags, and what is uncertain."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from quizgen.blocks import LETTERS, read_letters
from quizgen.formula.errors import FormulaError
from quizgen.formula.units import new_labels, parse_unit
from quizgen.interchange.contract import Found
from quizgen.interchange.tables import table
from quizgen.plain import Plain, PlainNumber, PlainOption, decimal
from quizgen.source import read_number

USUAL = Fraction(1, 100)  # the tolerance of a number that has none
_NUMBER = re.compile(r"[≈~=]?\s*([-−]?\d[\d,_]*\.?\d*(?:[eE][-+]?\d+)?)\s*([^\d\s.,;:()][^\s,;:()]*)?\.?")
_WITHIN = re.compile(r"(.*?)\s*(?:\(within ([\d.]+) ?%\)|(?:\+-|±)\s*([\d.]+)\s*(%?))")
_SPAN = re.compile(r"\[\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*\]|(-?[\d.]+?)\s*\.\.\s*(-?[\d.]+)")
_ASKED = re.compile(r"(.*)\n\nAnswer in (\S+)\.", re.DOTALL)
_TABLE = table("symbols")
# Symbols that no bank may count by, as the words that it may: a label has two small letters or more.
SYMBOLS = {p + one: kilo + word for p, kilo in _TABLE["prefixes"].items() for one, word in _TABLE["units"].items()}
_TAG = re.compile(r"(difficulty|seconds)-(\d{1,6})")


def tags_of(item: Plain) -> list[str]:
    """What tags say, out: the topic, the difficulty, the seconds."""
    level = [f"difficulty-{item.difficulty}"] if item.difficulty else []
    return [*([item.topic] if item.topic else []), *level, f"seconds-{item.seconds}"]


def made(
    stem: str,
    *,
    line: int = 0,
    options: Iterable[PlainOption] = (),
    number: PlainNumber | None = None,
    tags: Iterable[str] = (),
    todo: Iterable[str] = (),
    hints: Iterable[str] = (),
    given: Iterable[str] = (),
    accepts: Iterable[str] = (),
    policy: str = "",
    points: str = "",
    **texts: str,
) -> Found:
    """An item of its texts. `points`, `seconds` and `difficulty` count where they are numbers that can be;
    a stem that ends in `Answer in GB.` gives a number its unit, without the marks of Markdown (`s\\*\\*2`)."""
    options, open_ends = tuple(options), list(todo)
    for tag in tags:
        match = _TAG.fullmatch(tag.strip())
        texts.setdefault(match[1] if match else "topic", match[2] if match else tag.strip())
    if options and not any(o.right for o in options) and not open_ends:
        open_ends.append("the source gives no key: choose one")
    if number is not None and (asked := _ASKED.fullmatch(stem)):
        unit = number.unit or asked[2].replace("\\", "")
        stem, number = asked[1], PlainNumber(number.value, unit, number.tolerance, number.wrong)
    if number is not None:
        margin, unit = abs(number.value) * number.tolerance, in_words(number.unit)
        wrong = tuple(pair for pair in number.wrong if abs(pair[0] - number.value) > margin)
        if not _known(unit, new_labels(unit)):
            open_ends.append(f'its unit "{unit}" cannot be read: declare one under `units:`')
            unit = ""
        number = PlainNumber(number.value, unit, number.tolerance, wrong)
    short = tuple(dict.fromkeys(filter(None, map(str.strip, accepts))))
    if short:
        texts["model_answer"] = texts.get("model_answer") or short[0]
    if "[figure: " in stem:
        open_ends.append("a figure is not imported: put it beside the bank")
    said = {"points": points, "seconds": texts.pop("seconds", ""), "difficulty": texts.pop("difficulty", "")}
    earned, seconds, level = map(read_number, said.values())
    open_ends += [f'{name} "{text}" is no number' for name, text in said.items() if text and read_number(text) is None]
    return Found(
        stem=stem,
        line=line,
        kind="choice" if options else "numeric" if number is not None else "text",
        options=options,
        policy=policy if sum(o.right for o in options) > 1 else "",
        number=number,
        hints=tuple(filter(None, hints)),
        given=tuple(filter(None, given)),
        accepts=short,
        points=earned if earned and earned > 0 else None,
        seconds=int(seconds) if seconds and seconds >= 1 else None,
        difficulty=int(level) if level in (1, 2, 3, 4, 5) else None,
        todo=tuple(open_ends),
        **{name: text for name, text in texts.items() if text},
    )


def shared_out(rows: Sequence[tuple[str, Fraction, str]], several: bool) -> tuple[tuple[PlainOption, ...], list[str]]:
    """Options of (text, what it earns, why), and what is said of shares that an item cannot have: where one is right,
    that is what earns most."""
    most = max((share for _, share, _ in rows), default=Fraction(0))
    options = tuple(PlainOption(text, share > 0 and (several or share == most), why) for text, share, why in rows)
    part = [row for row, option in zip(rows, options, strict=True) if row[1] > 0 and not option.right]
    todo = [line for text, share, _ in part for line in in_part(text, share)]
    if len({row[1] for row, option in zip(rows, options, strict=True) if option.right}) > 1:
        todo.append("its keys earned unlike shares there: here they are alike")
    return options, todo


def numbered(rows: Iterable[tuple[str, Fraction | None, Fraction, Fraction, str]]) -> dict[str, Any]:
    """The number of (text, value, margin, what it earns in percent, what is said): the first that earns anything is
    right, what else there is are mistakes."""
    best: PlainNumber | None = None
    wrong: list[tuple[Fraction, str]] = []
    todo: list[str] = []
    for text, value, margin, share, say in rows:
        if value is not None and best is None and share > 0:
            best = PlainNumber(value, "", abs(margin / value) if value else Fraction(0))
        elif value is not None:
            wrong.append((value, say))
            todo += in_part(text, share)
    if best is None:
        return {"todo": ["the number could not be read: add a formula"]}
    return {"number": PlainNumber(best.value, "", best.tolerance, tuple(wrong)), "todo": todo}


def in_part(text: str, share: Fraction) -> list[str]:
    return [f'"{text.strip()}" earned {decimal(share)} % there: here it is wrong'] if share > 0 else []


def chosen(offered: Sequence[str], key: str, reasons: Sequence[str] = ()) -> tuple[tuple[PlainOption, ...], list[str]]:
    """Options with the keys that a text names by letter, number or wording, and a todo where it names none."""
    texts = [text.strip() for text in offered]
    bare = re.sub(r"\*\*|[.)]\s*$", "", key).strip()
    right: tuple[str, ...] | None = ()
    if bare:
        right = _by_letters(bare, texts) or read_letters(bare, texts)
        if right is None and (number := read_number(bare)) is not None and 1 <= number <= len(texts):
            right = (texts[int(number) - 1],)
        if right is None and (lettered := re.match(r"\(?([A-Z])[.):]\s", bare)):
            right = read_letters(lettered[1], texts)
    todo = [] if right else [f'the key "{key}" fits no option: choose one' if key else "no key is given: choose one"]
    because = [*reasons, *[""] * len(texts)]
    return tuple(PlainOption(t, t in (right or ()), because[n]) for n, t in enumerate(texts)), todo


def _by_letters(key: str, texts: Sequence[str]) -> tuple[str, ...] | None:
    """`B` or `A, C` as options by their place, whatever they say: an option may be a letter itself."""
    places = [LETTERS.find(piece.strip()) for piece in re.split(r"[,;]", key) if len(piece.strip()) == 1]
    if places and len(places) == len(re.split(r"[,;]", key)) and all(0 <= n < len(texts) for n in places):
        return tuple(texts[n] for n in places)
    return None


def unit_asked(stem: str) -> str:
    """`GB` of a stem that ends in `Answer in GB.`; empty where none is asked."""
    found = _ASKED.fullmatch(stem.rstrip())
    return found[2].replace("\\", "") if found else ""


def number_of(text: str, unit: str = "", counted: str = "") -> PlainNumber | None:
    """`48 s`, `31.7 GB (within 5 %)`, `48 +- 0.5`, `[47, 49]`, `1,024`: one number, perhaps with a unit that is
    known or `counted`; None for anything else. A `unit` that stands apart is taken as it is."""
    text = text.strip()
    if span := _SPAN.fullmatch(text):
        low, high = (read_number(end) for end in span.groups() if end)
        if low is None or high is None:
            return None
        middle = (low + high) / 2
        return PlainNumber(middle, unit, abs(high - low) / 2 / abs(middle) if middle else Fraction(0))
    near = _WITHIN.fullmatch(text)
    match = _NUMBER.fullmatch(near[1] if near else text)
    value = read_number(_without_groups(match[1])) if match else None
    if match is None or value is None:
        return None
    written = in_words(match[2] or "")
    if not unit and not _known(written, new_labels(counted)):
        return None
    unit = unit or written
    tolerance = USUAL if unit or value.denominator != 1 else Fraction(0)
    if near:
        margin = read_number(near[2] or near[3]) or Fraction(0)
        tolerance = margin / 100 if near[2] or near[4] else margin / abs(value) if value else Fraction(0)
    return PlainNumber(value, unit, tolerance)


def in_words(unit: str) -> str:
    """`metres/s` for `m/s`."""
    return re.sub(r"[^\W\d_]+", lambda match: SYMBOLS.get(match[0], match[0]), unit)


def _known(unit: str, own: Iterable[str]) -> bool:
    try:
        return bool(parse_unit(unit or "1", tuple((label, label) for label in (*own, *SYMBOLS.values()))))
    except FormulaError:
        return False


def _without_groups(digits: str) -> str:
    """`1,024.5` and `1_024.5` as 1024.5, `2,5` as 2.5: a comma is a point unless it parts groups of three."""
    digits = digits.replace("−", "-").replace("_", "")
    grouped = re.fullmatch(r"-?[1-9]\d{0,2}(,\d{3})+(\.\d*)?", digits)
    return digits.replace(",", "" if grouped else ".")


def mistakes_of(lines: Iterable[str]) -> tuple[tuple[Fraction, str], ...]:
    """`96 That is twice.` a line: what wrong values come to, and what is said of them."""
    pairs = ((read_number(line.partition(" ")[0]), line.partition(" ")[2]) for line in lines)
    return tuple((value, say) for value, say in pairs if value is not None)
