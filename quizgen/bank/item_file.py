"""The items of one file, and what they went by: as long as that stands, a file that is the same gives the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from quizgen.kinds import KINDS, Parse, parser
from quizgen.model import Item
from quizgen.source.problems import Document, Node, Problem, did_you_mean, printable, shorten

if TYPE_CHECKING:  # a session that has its index reads few items, and its brief is there before them
    from quizgen.kinds.common import Scope
    from quizgen.stimuli import Shared

OUTSIDE = ("formula", "formulas", "inputs", "constants", "item", "refused")  # what a scope is asked


@dataclass(slots=True)
class FileItems:
    """Mutable while they are read. `items`: each with its id as it is written; `refused`: an item that cannot be used,
    and the stimulus that it names. `asked`: every question to the bank around the file, with its answer. `problems`
    from `start` on are of single items, those before of the file."""

    lent: tuple[object, ...]
    stimuli: Mapping[str, Shared]
    items: list[tuple[Item, Node]] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    lookups: list[tuple[str, tuple[Any, ...], Any]] = field(default_factory=list)
    problems: tuple[Problem, ...] = ()
    start: int = 0

    @classmethod
    def of(cls, nodes: list[Node], doc: Document, scope: Scope, kinds: dict[str, Parse]) -> FileItems:
        """The items of a list; one with an error is left out after it was reported. `kinds` takes those that packages
        brought."""
        made, own = cls(_lent(doc, scope), scope.stimuli, start=len(doc.problems)), dict[str, Item]()
        noting: dict[str, Any] = {name: made._noting(name, getattr(scope, name)) for name in OUTSIDE}
        outside = replace(scope, **noting)
        inside = replace(
            outside,
            item=lambda name: outside.item(name) or own.get(name),
            refused=lambda name: outside.refused(name) or name in made.refused,
        )
        for node in nodes:
            start = len(doc.problems)
            fields = node.mapping("an item")
            name = fields["id"].value if "id" in fields and isinstance(fields["id"].value, str) else ""
            item = _item_of(node, fields, inside, kinds)
            if item is not None:
                made.items.append((item, fields["id"]))
                own.setdefault(item.id, item)
            elif name:
                made.refused[name] = str(fields["stimulus"].value if "stimulus" in fields else "")
            if name:
                doc.label(start, printable(shorten(name)))
        made.problems = tuple(doc.problems)
        return made

    def _noting(self, name: str, ask: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*given: Any) -> Any:
            answer = ask(*given)
            self.lookups.append((name, given, answer))
            return answer

        return noted

    def stands(self, doc: Document, scope: Scope) -> bool:
        """Whether the bank around the file lends it the same words, and answers every question as it did."""
        same = (getattr(scope, name)(*given) == answer for name, given, answer in self.lookups)
        return self.lent == _lent(doc, scope) and all(same)


def _item_of(node: Node, fields: Mapping[str, Node], scope: Scope, kinds: dict[str, Parse]) -> Item | None:
    """The item of an entry; None after what is wrong with it was reported."""
    if not fields and node.shape == "mapping":
        node.report("the item is empty", "write its fields, or leave it out")
    elif fields and "kind" not in fields:
        node.report("kind is missing in the item", f"add `kind:` with one of {', '.join(KINDS)}")
    elif fields:
        parse = kind_of(fields["kind"], kinds)
        return parse(node, scope) if parse else None
    return None


def _lent(doc: Document, scope: Scope) -> tuple[object, ...]:
    return scope.synonyms, scope.lexicon.words, dict(doc.labels), dict(doc.labels.worth)


def kind_of(node: Node, kinds: dict[str, Parse]) -> Parse | None:
    """The kind that an item names: ours, else one of an installed package; None after it was reported."""
    name = node.value if isinstance(node.value, str) else ""
    if name in kinds:
        return kinds[name]
    from quizgen import plugins

    try:
        reader = parser(name)
    except plugins.BadPlugin as bad:
        node.report(str(bad), "update or remove that package")
        return None
    if reader is not None:
        kinds[name] = reader
        return reader
    node.word(tuple(kinds), "kind")
    # What the nearest kind makes of it is told as well: one mistake hides no other.
    near = next((kind for kind in kinds if did_you_mean(name, (kind,))), None)
    if near is None:
        return None
    parse = kinds[near]

    def told_only(node: Node, scope: Scope) -> Item | None:
        parse(node, scope)
        return None

    return told_only
