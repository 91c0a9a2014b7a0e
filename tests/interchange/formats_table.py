"""The table of formats in docs/interchange.md, made from the tables behind `quizgen import --list` and the exporters.

`python -m tests.interchange.formats_table` prints it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from quizgen.interchange import registry
from quizgen.interchange.contract import load_interchange_table
from quizgen.portable_item import PortableItem


def rows() -> Iterator[str]:
    carries = {name: registry.load_exporter(name).carries for name in registry.EXPORTERS}
    parts = sorted(PortableItem(id="", kind="", stem="", points=Fraction(1), seconds=0).content_by_name())
    nowhere = [part for part in parts if not any(part in carried for carried in carries.values())]
    yield f"No format carries {', '.join(nowhere)}."
    yield "| format | contains | in from | lost on the way in | out to | lost on the way out |"
    yield "|---|---|---|---|---|---|"
    for name, row in load_interchange_table("formats").items():
        lost = [part for part in parts if name in carries and part not in carries[name] and part not in nowhere]
        what = row["what"].replace("|", "\\|").replace("<summary>", "`<summary>`")
        cells = (f"`{name}`", what, row.get("in", ""), row.get("lost", ""), row.get("out", ""), ", ".join(lost))
        yield f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    print("\n".join(rows()))
