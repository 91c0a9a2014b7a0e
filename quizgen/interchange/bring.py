"""The driver of importers: which format a file is of, items as YAML of a bank, and what a second import may touch."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from quizgen.formula.units import new_labels
from quizgen.interchange import registry
from quizgen.interchange.contract import CannotRead, Found, Importer, Read
from quizgen.interchange.found import SYMBOLS
from quizgen.plain import decimal
from quizgen.rubric.suggest import draft
from quizgen.source import Document
from quizgen.syntax import forbidden, parse

_COUNTS = re.compile(
    r"^units: \{(?:([a-z-]+?)(?:y: \[\1ies|: \[\1(?:e?s)?)(?:, [^],]+)*\](?:, )?)+\}\n", re.MULTILINE
)  # as an import writes them
_ENDINGS = (("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("sses", "ss"), ("xes", "x"), ("s", ""))
LIKELY = 0.2  # below this share of understood lines a format is not guessed


def guess(data: bytes, suffix: str) -> str:
    """The most likely format of a file. Raises CannotRead."""
    if not data.strip():
        raise CannotRead("the file is empty")
    rated: list[tuple[float, str]] = []
    for name in registry.IMPORTERS:
        found: Importer = registry.importer(name, needed=False)
        rated.append((found.looks(data, suffix), name))
    share, best = max(rated, key=lambda pair: pair[0])
    if share < LIKELY:
        raise CannotRead(f"not known as any format; name it with --from: {', '.join(registry.IMPORTERS)}")
    return best


@dataclass(slots=True)
class Ledger:
    """What an earlier import wrote: the id of each source name, and the text of each item as it was written."""

    names: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str) -> Ledger:
        """Raises CannotRead for a ledger that somebody changed."""
        try:
            made = json.loads(text) if text.strip() else {}
            names, texts = dict(made.get("names", {})), dict(made.get("texts", {}))
        except (ValueError, TypeError, AttributeError) as error:
            raise CannotRead(f"what the last import noted cannot be read ({error}); delete that file") from None
        return cls({str(k): str(v) for k, v in names.items()}, {str(k): str(v) for k, v in texts.items()})

    def text(self) -> str:
        noted = {"names": self.names, "texts": self.texts}
        return json.dumps(noted, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


@dataclass(frozen=True, slots=True)
class Merged:
    """The item file's new text, the ids in the order of the items read, and what to say."""

    text: str
    ids: tuple[str, ...]
    added: int
    updated: int
    uncertain: int  # items with something left to do, a rubric that was drafted included
    kept: tuple[str, ...]  # changed in the source, but edited by the author
    gone: tuple[str, ...]  # no longer in the source


def merge(read: Read, before: str, ledger: Ledger, elsewhere: Sequence[str], active: bool) -> Merged:
    """The file after an import: what an author edited stays as it is, letter by letter. Changes the ledger."""
    ids = tuple(_ids(read.items, ledger, elsewhere))
    blocks = dict(_blocks(before))
    head = before[: before.index(next(iter(blocks.values())))] if blocks else before or "items:\n"
    new: dict[str, str] = {}
    for name, item in zip(ids, read.items, strict=True):
        new[name] = item_yaml(name, item, active)
    kept: list[str] = []
    updated = 0
    for name, text in new.items():
        mine, written = blocks.get(name), ledger.texts.get(name)
        if mine is None and (written is not None or name in elsewhere):
            kept += [name] if written != text else []  # taken out or moved by the author
            continue
        if mine is not None and mine.rstrip() != (written or "").rstrip():
            kept += [name] if written != text else []
        else:
            updated += mine is not None and mine.rstrip() != text.rstrip()
            blocks[name] = text if mine is None else text + mine[len(mine.rstrip()) + 1 :]
        ledger.texts[name] = text
    head = _with_counts(head, read.items)
    known = {i for i in ledger.texts if i in blocks}
    added = len(blocks) - len(dict(_blocks(before)))
    gone = tuple(sorted(known - set(new)))
    uncertain = sum("\n    todo:\n" in text for text in new.values())
    return Merged(head + "".join(blocks.values()), ids, added, updated, uncertain, tuple(kept), gone)


def _with_counts(head: str, items: Sequence[Found]) -> str:
    """The head of an item file with a line that declares the counts of the source's own; the author's own
    `units:` are left alone."""
    numbers = [item.number for item in items if item.number is not None]
    counts: dict[str, str] = {}
    for label in sorted({label for number in numbers for label in new_labels(number.unit)}):
        symbols = (symbol for symbol, word in SYMBOLS.items() if word == label)
        counts[_singular(label)] = ", ".join((label, *symbols))  # of `litre` and `litres` the second: the plural
    line = f"units: {{{', '.join(f'{one}: [{several}]' for one, several in sorted(counts.items()))}}}\n"
    ours = _COUNTS.search(head)
    if not counts or (not ours and re.search(r"^units:", head, re.MULTILINE)):
        return head
    return head.replace(ours[0], line) if ours else line + head


def _singular(label: str) -> str:
    """`litre` for `litres`, `push` for `pushes`; a short word as it is, for it may be `gas` or `qps`."""
    found = next(((end, one) for end, one in _ENDINGS if label.endswith(end)), ("", ""))
    plain = len(label) < 5 or label.endswith("ss")
    return label if plain else label.removesuffix(found[0]) + found[1]


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """Each item's id and its lines as they stand, up to the next item."""
    doc = Document("")
    top = parse(text, doc) if text.strip() else None
    if top is None or doc.problems or not isinstance(top.value, dict) or "items" not in top.value:
        if text.strip() and text != "items:\n":
            raise CannotRead("the item file that is there cannot be read; mend it first (quizgen check)")
        return
    lines = text.splitlines(keepends=True)
    nodes = [n for n in top.value["items"].entries() if isinstance(n.value, dict) and "id" in n.value]
    starts = [node.line - 1 for node in nodes] + [len(lines)]
    for node, start, end in zip(nodes, starts, starts[1:], strict=False):
        assert isinstance(node.value, dict)
        yield str(node.value["id"].value), "".join(lines[start:end])


def _ids(items: Sequence[Found], ledger: Ledger, elsewhere: Sequence[str]) -> Iterator[str]:
    """An id for each item: the one it had, its own where that can be one, else words of its stem."""
    used: set[str] = set()
    taken = set(elsewhere) | set(ledger.names.values())
    for item in items:
        source = item.name or item.stem
        while source in used:
            source += " (again)"
        used.add(source)
        made = ledger.names.get(source, "")
        if not made:
            words = item.name if re.fullmatch(r"[a-z0-9-]{3,80}", item.name) and re.search("[g-z]", item.name) else ""
            made = base = words or slug(item.stem)
            number = 2
            while made in taken and not (words and made in elsewhere):
                made, number = f"{base}-{number}", number + 1
            ledger.names[source] = made
        taken.add(made)
        yield made


def slug(text: str) -> str:
    """`Why carry?` as `why-carry`, of the first words."""
    plain = (
        unicodedata.normalize("NFKD", re.sub(r"\$[^$]*\$|[`*\\]", " ", text).casefold())
        .encode("ascii", "ignore")
        .decode()
    )
    words = re.findall(r"[a-z0-9]+", plain)
    return "-".join(words[:7])[:60].strip("-") or "item"


def item_yaml(name: str, item: Found, active: bool) -> str:
    """One entry of `items:`. `active`: what can be scored is no draft."""
    fields, todo = _scored(item)
    shared: dict[str, Any] = {"id": name, "kind": item.kind, "stem": item.stem or "(empty)"}
    scorable = "rubric" in fields or "formula" in fields or {"key", "distractors"} <= fields.keys()
    if not (active and scorable):
        shared["status"] = "draft"
    todo = [*item.todo, *todo]
    shared |= {"todo": todo} if todo else {}
    texts = {n: getattr(item, n) for n in ("topic", "difficulty", "points", "seconds", "source", "rationale")}
    more = {n: list(getattr(item, n)) for n in ("hints", "given") if getattr(item, n)}
    shared |= {n: decimal(v) if n == "points" else str(v) for n, v in texts.items() if v}
    shown = yaml.dump([_clean({**shared, **fields, **more})], Dumper=_Dumper, **_STYLE)
    return "".join(f"  {line}" if line.strip() else line for line in str(shown).splitlines(keepends=True))


_STYLE: Mapping[str, Any] = {"allow_unicode": True, "sort_keys": False, "width": 110, "default_flow_style": False}


def _scored(item: Found) -> tuple[dict[str, Any], list[str]]:
    """The fields that an item of its kind is scored by, and what is uncertain about them."""
    if item.kind == "choice":
        keys = [o.text for o in item.options if o.right]
        wrong = [{"text": o.text, "because": o.because} if o.because else o.text for o in item.options if not o.right]
        fields: dict[str, Any] = {"key": keys[0] if len(keys) == 1 else keys} if keys else {}
        fields |= {"distractors": wrong} if wrong else {}
        fields |= {"policy": item.policy} if item.policy not in ("", "all") else {}
        return fields, [] if wrong else ["there is no wrong option: add distractors"]
    if item.number is not None:
        unit = item.number.unit or "1"
        tail = " / 100" if unit == "%" else f" {unit}" if item.number.unit else ""  # in a formula % is the remainder
        if "**" in unit:  # behind a number the power is that of the number: 9 s**2 is 81 s**2
            tail = " * " + re.sub(r"([A-Za-z-]+)", r"(1 \1)", unit)
        wrong_ = [
            {"id": f"mistake-{n}", "value": f"{decimal(value)}{tail}", **({"say": say} if say else {})}
            for n, (value, say) in enumerate(item.number.wrong, 1)
        ]
        formula: dict[str, Any] = {
            "inputs": {},
            "steps": {"answer": f"{decimal(item.number.value)}{tail}"},
            "unit": unit,
        }
        formula |= {"misconceptions": wrong_} if wrong_ else {}
        return {"formula": formula, "answer": {"tolerance": f"{decimal(item.number.tolerance * 100)}%"}}, []
    if phrases := list(filter(None, map(_phrase, item.accepts))):
        row = {"id": "answer", "say": item.accepts[0], "accept": phrases}
        return {"rubric": {"criteria": [row]}, "model_answer": item.accepts[0]}, []
    criteria = draft(item.stem, item.model_answer) if item.model_answer else ()
    fields = {"model_answer": item.model_answer} if item.model_answer else {}
    if criteria:
        rows = [{"id": c.id, "say": c.say, "accept": [c.phrase]} for c in criteria]
        return {"rubric": {"criteria": rows}, **fields}, ["the rubric is drafted from the model answer: check it"]
    return fields, ["there is no rubric: write one"]


def _phrase(text: str) -> str:
    """A short answer as a phrase, word by word; with `sync*` words that begin so, in any order."""
    words = " ".join(re.findall(r"[^\s{}|*\\]+(?:\\?\*(?=\W|$))?", text)).replace("\\", "")
    return words if "*" in words else f"{{{words}}}" if words else ""


def _clean(value: Any) -> Any:
    """Texts without what may not stand in a bank."""
    if isinstance(value, dict):
        return {key: _clean(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_clean(inner) for inner in value]
    text = str(value)
    while bad := forbidden(text):
        text = text.replace(bad.group(), "")
    return _WIDE_SPACE.sub(" ", text).strip() or "(empty)"


_WIDE_SPACE = re.compile(r"(?<!\S)[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")  # may not begin a line of a bank


class _Dumper(yaml.SafeDumper):
    """Indented lists; texts of several lines as blocks; nothing shared."""

    def ignore_aliases(self, data: object) -> bool:
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)


_Dumper.add_representer(str, _text)
