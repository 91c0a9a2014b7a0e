"""What session lines say about where a log comes from: the bank, and the blueprint with its bands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain

from quizgen.intake.lines import Damaged, kind_of, parse
from quizgen.intake.sources import Block

_SESSION = re.compile(rb'"type"\s*:\s*"session"')


@dataclass(slots=True)
class Origin:
    """Banks and blueprints named by session lines, in the order met."""

    banks: dict[str, None] = field(default_factory=dict)
    blueprints: dict[str, None] = field(default_factory=dict)


def look(blocks: Iterable[Block], origin: Origin) -> Iterator[Block]:
    """The same blocks, read ahead up to the first session line that names a bank."""
    ahead: list[Block] = []
    rest = iter(blocks)
    for block in rest:
        ahead.append(block)
        if _found(block, origin):
            break
    return chain(ahead, rest)


def _found(block: Block, origin: Origin) -> bool:
    data = block.text()
    for match in _SESSION.finditer(data):
        start = data.rfind(b"\n", 0, match.start()) + 1
        end = data.find(b"\n", match.end())
        line = data[start : end if end >= 0 else len(data)]
        try:
            record = parse(line.decode("utf-8"))
            if kind_of(record) != "session":
                continue
        except (Damaged, UnicodeDecodeError):
            continue
        bank, blueprint = record.get("bank"), record.get("blueprint")
        if isinstance(blueprint, str) and blueprint:
            origin.blueprints.setdefault(blueprint)
        if isinstance(bank, str) and bank:
            origin.banks.setdefault(bank)
            return True
    return False
