"""Item kinds. `KINDS` is the one list; each kind is a file or a folder and knows no other.

What a kind must implement. The methods of `model.Item` and `model.Variant` that have a default (`key_text`,
`portable_item`, `option_texts_as_shown` and others) decide what keys, exports and reports show.

| method | called by | returns | never |
|---|---|---|---|
| `Item.parse(node, scope)` | bank | an item, or None | raises for an author's mistake: it reports on the node |
| `Item.draw(rng)` | assemble | a variant | uses any other randomness |
| `Item.rebuild_variant(given, rng)` | scoring | the variant of a log line | guesses: ValueError says what is missing |
| `Item.find_problems()` | `quizgen check` | problems: proofs and lints | runs in mock, exam or score |
| `Variant.prompt()` | render, terminal | blocks | shows or depends on the key |
| `Variant.solution()` | render, terminal | blocks: key, worked steps | |
| `Variant.echo_response(response)` | terminal, `quizgen show` | how a response reads | looks at the key |
| `Variant.score(response)` | scoring | a Score | raises, whatever the text |
| `Variant.samples()` | tests, `quizgen check` | right, wrong, unreadable responses it vouches for | is lazy |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quizgen.kinds.common import KnownNames
    from quizgen.model import Item
    from quizgen.source.problems import Node


# Reads the node of one item. Reports mistakes on the node; returns None if they leave no usable item.
ItemParser = Callable[["Node", "KnownNames"], "Item | None"]

# Each kind is imported when its first item is read: a session has few items, perhaps all of one kind.


def _parse_choice(node: Node, scope: KnownNames) -> Item | None:
    from quizgen.kinds.choice import ChoiceItem

    return ChoiceItem.parse(node, scope)


def _parse_numeric(node: Node, scope: KnownNames) -> Item | None:
    from quizgen.kinds.numeric.item import NumericItem

    return NumericItem.parse(node, scope)


def _parse_text(node: Node, scope: KnownNames) -> Item | None:
    from quizgen.kinds.text import TextItem

    return TextItem.parse(node, scope)


KINDS: dict[str, ItemParser] = {"choice": _parse_choice, "numeric": _parse_numeric, "text": _parse_text}
