"""Figures drawn from an item's values: each kind is a function in `drawings.py` and a row of `FIGURES`.

The function turns settings into a `Drawing`: an SVG for pages, lines of text for a terminal, and a description in words
for those who see neither. Settings are texts, numbers (`DrawnAmount`), and lists and mappings of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from quizgen import plugins
from quizgen.figures.canvas import Drawing, FigureError, Setting, Settings
from quizgen.figures.drawings import (
    memory_bars,
    pipeline_schedule,
    rank_ring,
    rank_tree,
    roofline,
    shard_table,
    timeline,
)

Draw = Callable[[Settings], Drawing]

FIGURES: dict[str, Draw] = {
    "pipeline-schedule": pipeline_schedule,
    "memory-bars": memory_bars,
    "rank-ring": rank_ring,
    "rank-tree": rank_tree,
    "timeline": timeline,
    "roofline": roofline,
    "shard-table": shard_table,
}


def figure_kinds() -> tuple[str, ...]:
    """The names of all kinds of figure, including those of other packages."""
    return (*FIGURES, *plugins.plugin_names(plugins.FIGURES))


def drawing_of_kind(kind: str, settings: Settings, alt: str = "") -> Drawing:
    """The figure of a kind with these settings; a non-empty `alt` replaces the description. Raises FigureError with a
    hint."""
    if kind in FIGURES:
        made = FIGURES[kind](settings)
        return Drawing(made.svg, made.lines, alt or made.alt)
    try:
        offered = plugins.load_plugin(plugins.FIGURES, kind, FIGURES)
    except KeyError:
        raise FigureError(f'there is no figure "{kind}"', f"known: {', '.join(figure_kinds())}") from None
    except plugins.PluginError as bad:
        raise FigureError(str(bad), "update or remove that package") from None
    if not alt:
        raise FigureError("`alt` is missing", "say what the figure shows, for those who cannot see it")
    return Drawing(str(offered.draw(_plain(settings))), (f"[{alt}]",), alt)


def _plain(settings: Settings) -> Mapping[str, str]:
    return {name: str(value) for name, value in settings.items()}


__all__ = ["FIGURES", "Drawing", "FigureError", "Setting", "Settings", "drawn", "kinds"]
