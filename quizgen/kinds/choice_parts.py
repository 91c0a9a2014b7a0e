"""The parts of a choice item: keys, distractors with reasons, and options in ascending order."""

from __future__ import annotations

import re
from collections.abc import Mapping

from quizgen.kinds.common import gap
from quizgen.source import Node, read_number

MAX_OPTIONS = 26

_LEADING_NUMBER = re.compile(r"[-+−]?[\d.,]*\d(?:[eE][-+]?\d+)?")


def in_order(options: list[str]) -> tuple[str, ...]:
    """By number where every option begins with one, else by letter."""
    numbers = []
    for text in options:
        found = _LEADING_NUMBER.match(text.strip().lstrip("$≈~ "))
        number = read_number(found.group().replace("−", "-").replace(",", "")) if found else None
        if number is None:
            return tuple(options)
        numbers.append(number)
    return tuple(text for _, text in sorted(zip(numbers, options, strict=True)))


def read_keys(node: Node, fields: Mapping[str, Node]) -> tuple[str, ...]:
    if "key" not in fields:
        node.report("key is missing in the item", "add `key:` with the right option", gap(fields))
        return ()
    keys = tuple(t.strip() for t in fields["key"].texts("key"))
    if fields["key"].value == []:
        fields["key"].report("key is an empty list", "write the right option")
    return keys


def read_distractors(node: Node, fields: Mapping[str, Node], keys: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if "distractors" not in fields:
        node.report("distractors are missing in the item", "add `distractors:` with wrong options", gap(fields))
        return (), ()
    texts: list[str] = []
    reasons: list[str] = []
    entries = fields["distractors"].entries("distractors")
    if fields["distractors"].value == []:
        fields["distractors"].report("distractors is an empty list", "write wrong options")
    if len(entries) + keys > MAX_OPTIONS:
        fields["distractors"].report_key(
            f"too many options: {len(entries) + keys}", f"an item has at most {MAX_OPTIONS}, one for each letter"
        )
        return (), ()
    for entry in entries:
        if entry.shape == "mapping":
            parts = entry.fields(("text", "because"), "a distractor")
            if "text" not in parts:
                entry.report("a distractor without text", "add `text:`")
                continue
            text = parts["text"].text("a distractor")
            because = parts["because"].text("because").strip() if "because" in parts else ""
        else:
            text, because = entry.text("a distractor"), ""
        if text:
            texts.append(text.strip())
            reasons.append(because)
    return tuple(texts), tuple(reasons)


def all_different(fields: Mapping[str, Node], keys: tuple[str, ...]) -> bool:
    seen: dict[str, str] = {}
    for text in keys:
        folded = " ".join(text.split()).casefold()
        if folded in seen:
            fields["key"].report(f'"{text}" is there twice', "keep one")
            return False
        seen[folded] = text
    for entry in fields["distractors"].entries() if "distractors" in fields else ():
        inner = entry.value["text"] if isinstance(entry.value, dict) and "text" in entry.value else entry
        if not isinstance(inner.value, str):
            continue
        folded = " ".join(inner.value.split()).casefold()
        if folded in seen:
            at = fields["distractors"] if fields["distractors"].line == inner.line else inner
            at.report(f'"{inner.value.strip()}" is there twice', "options must differ; keep one")
            return False
        seen[folded] = inner.value
    return True
