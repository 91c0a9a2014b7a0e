"""Figures drawn from an item's values: each kind is a function in `drawings.py` and a row of `BUILT_IN_FIGURES`.

The function turns settings (texts, `FigureAmount`s, and lists and mappings of both) into a `Picture`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from quizgen import plugins
from quizgen.figures import drawings
from quizgen.figures.spec import FigureError, FigureSettings
from quizgen.page import Picture

# Each kind with its function and the names of its settings.
BUILT_IN_FIGURES: dict[str, tuple[Callable[[FigureSettings], Picture], tuple[str, ...]]] = {
    "pipeline-schedule": (drawings.draw_pipeline_schedule, ("p", "m", "order")),
    "memory-bars": (drawings.draw_memory_bars, ("bars", "limit")),
    "rank-ring": (drawings.draw_rank_ring, ("n",)),
    "rank-tree": (drawings.draw_rank_tree, ("n", "flow")),
    "timeline": (drawings.draw_timeline, ("rows",)),
    "roofline": (drawings.draw_roofline, ("peak", "bandwidth", "kernels")),
    "shard-table": (drawings.draw_shard_table, ("ranks", "states")),
}


def draw_figure_of_kind(kind: str, settings: FigureSettings, alt: str = "") -> Picture:
    """The figure of the kind `kind`, which may come from another package, with these settings; a non-empty `alt`
    replaces the description. Raises FigureError with a hint."""
    if kind in BUILT_IN_FIGURES:
        draw, names = BUILT_IN_FIGURES[kind]
        for name in settings:
            if name not in names:
                raise FigureError(f"there is no setting `{name}`", f"known: {', '.join(names)}")
        picture = draw(settings)
        return replace(picture, alt=alt or picture.alt)
    try:
        plugin = plugins.load_plugin(plugins.FIGURES, kind, BUILT_IN_FIGURES)
    except KeyError:
        known = ", ".join((*BUILT_IN_FIGURES, *plugins.plugin_names(plugins.FIGURES)))
        raise FigureError(f'there is no figure "{kind}"', f"known: {known}") from None
    except plugins.PluginError as bad:
        raise FigureError(str(bad), "update or remove that package") from None
    if not alt:
        raise FigureError("`alt` is missing", "say what the figure shows, for those who cannot see it")
    svg = plugin.draw({name: str(value) for name, value in settings.items()})
    return Picture(str(svg), (f"[{alt}]",), alt)
