"""A format (`stem | answer`, one line per item), a kind (true or false statements) and a drawn figure (a bar)."""

from collections.abc import Mapping, Sequence
from typing import BinaryIO

from quizgen.interchange.contract import CannotRead, ExportContext, Exporter, Importer, ImportResult
from quizgen.interchange.import_drafts import imported_item
from quizgen.kinds.choice import ChoiceItem, ChoiceOption
from quizgen.kinds.common import SHARED_FIELDS, KnownNames, read_shared_fields
from quizgen.plugins import Figure, Kind
from quizgen.portable_item import PortableItem, decimal
from quizgen.source.problems import Node


def write(items: Sequence[PortableItem], about: ExportContext, out: BinaryIO) -> None:
    for item in items:
        answer = "; ".join(o.text for o in item.keys) or item.model_answer
        if item.number is not None:
            answer = f"{decimal(item.number.value)} {item.number.unit}".rstrip()
        out.write(f"{' '.join(item.stem.split())} | {' '.join(answer.split())}\n".encode())


def refusal_reason(item: PortableItem) -> str:
    return "the stem holds the mark that separates it" if "|" in item.stem else ""


def likelihood(data: bytes, suffix: str) -> float:
    return 1.0 if suffix == ".lines" else 0.0


def read(data: bytes) -> ImportResult:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CannotRead(f"not UTF-8 ({error.reason}); save it as UTF-8") from None
    lines = [(n, line.partition(" | ")) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    items = tuple(imported_item(stem, model_answer=answer) for _, (stem, mark, answer) in lines if mark)
    return ImportResult(items, tuple((n, stem) for n, (stem, mark, _) in lines if not mark))


class TruthItem(ChoiceItem):
    """A statement that is true or false."""

    kind = "truth"


def parse(node: Node, scope: KnownNames) -> TruthItem | None:
    fields = node.fields((*SHARED_FIELDS, "is"), "a truth item")
    shared = read_shared_fields(node, fields, scope)
    if "is" not in fields:
        node.report("is is missing in the item", "add `is: true` or `is: false`")
        return None
    right = fields["is"].truth("is")
    if shared is None or right is None:
        return None
    options = (ChoiceOption(str(right), is_right=True), ChoiceOption(str(not right), is_right=False))
    return TruthItem(**shared, authored_options=options)


def draw(values: Mapping[str, str]) -> str:
    width = max(0, min(100, int(float(values["percent"]))))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 10"><rect width="{width}" height="10"/></svg>'


LINES_OUT = Exporter(1, ".lines", frozenset({"model answer"}), write, refusal_reason)
LINES_IN = Importer(1, likelihood, read)
TRUTH = Kind(1, parse)
BAR = Figure(1, draw)
