"""Figures drawn from an item's values: each kind is a function in `drawings.py` and a row of `FIGURES`.

The function turns settings (texts, `DrawnAmount`s, and lists and mappings of both) into a `Drawing`."""

from __future__ import annotations

from collections.abc import Callable

from quizgen import plugins
from quizgen.figures.canvas import Drawing, FigureError, Settings
from quizgen.figures.drawings import (
    memory_bars,
    pipeline_schedule,
    rank_ring,
    rank_tree,
    roofline,
    shard_table,
    timeline,
)

FIGURES: dict[str, Callable[[Settings], Drawing]] = {
    "pipeline-schedule": pipeline_schedule,
    "memory-bars": memory_bars,
    "rank-ring": rank_ring,
    "rank-tree": rank_tree,
    "timeline": timeline,
    "roofline": roofline,
    "shard-table": shard_table,
}


def drawing_of_kind(kind: str, settings: Settings, alt: str = "") -> Drawing:
    """The figure of the kind `kind`, which may come from another package, with these settings; a non-empty `alt`
    replaces the description. Raises FigureError with a hint."""
    if kind in FIGURES:
        made = FIGURES[kind](settings)
        return Drawing(made.svg, made.lines, alt or made.alt)
    try:
        offered = plugins.load_plugin(plugins.FIGURES, kind, FIGURES)
    except KeyError:
        known = ", ".join((*FIGURES, *plugins.plugin_names(plugins.FIGURES)))
        raise FigureError(f'there is no figure "{kind}"', f"known: {known}") from None
    except plugins.PluginError as bad:
        raise FigureError(str(bad), "update or remove that package") from None
    if not alt:
        raise FigureError("`alt` is missing", "say what the figure shows, for those who cannot see it")
    svg = offered.draw({name: str(value) for name, value in settings.items()})
    return Drawing(str(svg), (f"[{alt}]",), alt)
