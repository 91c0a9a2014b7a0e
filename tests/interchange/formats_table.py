"""The table of formats in docs/interchange.md, made from the tables behind `quizgen import --list` and the exporters.

`python -m tests.interchange.formats_table` prints it.
"""

from __future__ import annotations

from collections.abc import Iterator

from quizgen.interchange import registry
from quizgen.interchange.contract import table

# What an item may hold and no format does, or not every one: the names of `Plain.held` that no row of carries.toml has.
NOWHERE = ("after", "formula", "phrases", "drawing", "follow-ups", "stimulus")


def rows() -> Iterator[str]:
    yield "| format | what | in from | lost on the way in | out to | not carried out |"
    yield "|---|---|---|---|---|---|"
    known = sorted({name for names in table("carries").values() for name in names} | set(NOWHERE))
    for name, row in table("formats").items():
        missing = ""
        if name in registry.EXPORTERS:
            carries = registry.exporter(name).carries
            missing = ", ".join(part for part in known if part not in carries)
        what = row["what"].replace("|", "\\|").replace("<summary>", "`<summary>`")
        cells = (f"`{name}`", what, row.get("in", ""), row.get("lost", ""), row.get("out", ""), missing)
        yield f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    print("\n".join(rows()))
