"""One Anki note: what its sides hold, out; and what its fields say, in (our own, basic ones, cloze)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from quizgen.blocks import LETTERS
from quizgen.interchange.contract import About, Found
from quizgen.interchange.found import made, number_of, tags_of
from quizgen.interchange.pages import ExportPage
from quizgen.interchange.sheets import column_of, item_of
from quizgen.interchange.unpage import soup, taken, unpage
from quizgen.plain import Plain, PlainNumber, PlainOption, decimal
from quizgen.render.html import environment
from quizgen.source import read_number

# Frozen for ever: with one field more, notes that somebody has imported would no longer be updated.
FIELDS = ("Front", "Options", "Back", "Why", "Hints", "Source", "Id", "Spare1", "Spare2", "Spare3")
# The innermost first: one may stand in another.
_CLOZE = re.compile(r"\{\{c(\d{1,3})::((?:(?!\{\{c\d|\}\}).)*?)(?:::((?:(?!\{\{c\d|\}\}).)*?))?\}\}", re.DOTALL)
_LEFT_OUT = re.compile(r"\[sound:[^\]]*\]|\[anki:[^\]]*\]", re.IGNORECASE)
_LATEX = re.compile(r"\[(\$\$?)\](.*?)\[/\1\]", re.DOTALL)
_LATEX_TEXT = re.compile(r"\[latex\](.*?)\[/latex\]", re.DOTALL | re.IGNORECASE)


def fields_of(item: Plain, about: About) -> list[str]:
    """The fields of a note, in the order of FIELDS."""
    sides: Any = environment().get_template("interchange/anki.html").module
    html = ExportPage(about.root)
    side = {
        "Front": sides.stem(html, item),
        "Options": sides.options(html, item),
        "Back": sides.back(html, item, decimal, LETTERS),
        "Why": sides.why(html, item, decimal, LETTERS, about.evidence.get(item.id, ())),
        "Hints": sides.hints(html, item),
        "Source": sides.source(html, item),
        "Id": item.name,
    }
    return [str(side.get(name, "")) for name in FIELDS]


def tags(item: Plain) -> list[str]:
    """Tags hold no space in Anki."""
    return [re.sub(r"\s+", "-", tag) for tag in tags_of(item)]


def found_of(
    guid: str, fields: Sequence[str], tagged: Sequence[str], deck: str, names: Sequence[str] = ()
) -> Iterator[Found | str]:
    """The items of one note: one, or for a cloze one a number; a text says why there is none. `names` of fields."""
    texts = [_LATEX_TEXT.sub(lambda m: re.sub(r"\$(.+?)\$", r"\\(\1\\)", m[1]), field) for field in fields]
    texts = [_LATEX.sub(r"\\(\2\\)", text) for text in texts]
    left = {found for text in texts for found in _LEFT_OUT.findall(text)}
    texts = [_LEFT_OUT.sub("", text) for text in texts]
    todo = [f"{what} is not imported" for what in sorted(left)]
    tags = tagged or [deck.split("::")[-1].strip()]
    if "data-quizgen" in "".join(texts):
        yield _ours(guid, texts, tags)
    elif "image-occlusion:" in texts[0]:
        yield f'"{unpage(" ".join(texts[1:]))[:60]}" hides parts of a picture, which has no like here'
    elif _CLOZE.search(texts[0]):
        for number in sorted({int(digits) for digits in re.findall(r"\{\{c(\d{1,3})::", texts[0])}):
            yield made(**_cloze(guid, texts, number), tags=tags, todo=todo)
    elif "stem" in (columns := [column_of(name) for name in names]) and any(c.startswith("option") for c in columns):
        row = {c: unpage(text).replace("\\\n", "\n") for c, text in zip(columns, texts, strict=False) if c and text}
        row |= {"name": guid, "topic": next(iter(tags), "")}
        lost = [(name, text) for c, name, text in zip(columns, names, texts, strict=False) if not c]
        yield item_of(row, todo=[*todo, *_lost(lost)])
    else:
        back = unpage(texts[1]) if len(texts) > 1 else ""
        number_ = number_of(back)
        todo += _lost([*zip([*names, *map(str, range(len(names) + 1, len(texts) + 1))], texts, strict=False)][2:])
        todo += ["is the answer really a number?"] if number_ else [] if back else ["the source gives no answer"]
        model = "" if number_ else back
        yield made(unpage(texts[0]), name=guid, number=number_, model_answer=model, tags=tags, todo=todo)


def _lost(fields: Sequence[tuple[str, str]]) -> list[str]:
    return [f"field {name} is not imported: {said}" for name, text in fields if (said := unpage(text)[:60])]


def _ours(guid: str, texts: Sequence[str], tags: Sequence[str]) -> Found | str:
    """A note that `anki.html` wrote, its parts known by their classes."""
    page = soup("".join(texts[: FIELDS.index("Id")]))
    key = page.select_one("[data-quizgen]")
    data = {name.removeprefix("data-"): str(value) for name, value in key.attrs.items()} if key else {}
    if not {"quizgen", "policy"} <= data.keys() or ("value" in data and not {"unit", "tolerance"} <= data.keys()):
        return f'"{unpage(texts[0])[:60]}" was written by quizgen and is damaged: export it anew'
    taken(page, "[data-quizgen], .worked, .criteria, .evidence")
    says = {}
    for row in page.select("ul.reasons > li, ul.mistakes > li"):
        says[str(row.get("value", ""))] = taken(row, "span.say")
    taken(page, "ul.reasons, ul.mistakes")
    hints = [taken(hint, "span") for hint in page.select("ul.hints > li")]
    offered = [taken(option, "span.option") for option in page.select("ol.options > li")]
    rest = {n: taken(page, f".{n}") for n in ("model-answer", "source", "rationale", "hints", "options", "name")}
    options = [PlainOption(t, n in data["quizgen"], says.get(n, "")) for n, t in zip(LETTERS, offered, strict=False)]
    value = None if options else read_number(data.get("value", ""))
    number = None
    if value is not None:
        wrong = tuple((read_number(n) or Fraction(0), say) for n, say in says.items())
        number = PlainNumber(value, data["unit"], read_number(data["tolerance"]) or Fraction(0), wrong)
    return made(
        taken(page, ".stem"),
        name=rest["name"] or (texts[place] if len(texts) > (place := FIELDS.index("Id")) else guid),
        options=options,
        policy=data["policy"],
        number=number,
        model_answer=rest["model-answer"],
        rationale=rest["rationale"],
        source=rest["source"],
        hints=hints,
        tags=tags,
    )


def _cloze(guid: str, texts: Sequence[str], number: int) -> dict[str, Any]:
    """The text with one number hidden; what was hidden is the answer."""
    hidden: list[str] = []

    def shown(match: re.Match[str]) -> str:
        if int(match[1]) != number:
            return match[2]
        hidden.append(match[2])
        return f"[{match[3]}]" if match[3] else "[…]"

    text = texts[0]
    while (less := _CLOZE.sub(shown, text)) != text:
        text = less
    rest = "\n\n".join(filter(None, (unpage(text) for text in texts[1:])))
    return {
        "stem": unpage(text),
        "name": f"{guid}:c{number}",
        "model_answer": unpage("; ".join(hidden)),
        "rationale": rest,
    }
