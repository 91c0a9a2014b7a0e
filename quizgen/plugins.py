"""Entry points of other packages: listed by name without an import, and loaded on use.

The objects of each group have `contract`, their version of the contract in docs/interchange.md."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from quizgen.source.problems import WrongUse

CONTRACT_VERSION = 1
KIND_GROUP, FIGURE_GROUP = "quizgen.kinds", "quizgen.figures"
EXPORTER_GROUP, IMPORTER_GROUP = "quizgen.exporters", "quizgen.importers"


class PluginError(WrongUse):
    """A plug-in cannot be used; the message has the name of its package and the reason."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of item from another package: `parse(node, scope)` as in `quizgen.kinds`."""

    contract: int
    parse: Callable[[Any, Any], Any]


@dataclass(frozen=True, slots=True)
class Figure:
    """A kind of figure from another package: `draw(values)` returns an SVG text; `values` maps names to texts."""

    contract: int
    draw: Callable[[Mapping[str, str]], str]


def plugin_names_in_group(group: str) -> tuple[str, ...]:
    """The names that installed packages offer in a group; nothing is imported."""
    from importlib.metadata import entry_points  # takes ten milliseconds, and only plug-ins need it

    return tuple(sorted(entry_points(group=group).names))


def load_plugin(group: str, name: str, taken_names: Collection[str] = ()) -> Any:
    """The object that an installed package offers as `name`; `taken_names` are those of quizgen itself. Raises KeyError
    if there is none, PluginError if it cannot be used."""
    from importlib.metadata import entry_points

    points = tuple(entry_points(group=group, name=name))
    if not points:
        raise KeyError(name)
    package = ", ".join(sorted({point.dist.name if point.dist else "a package" for point in points}))
    if name in taken_names or len(points) > 1:
        raise PluginError(f'{package}: the name "{name}" in {group} is taken; the package must choose another')
    try:
        plugin = points[0].load()
    except Exception as error:  # a plug-in may raise anything on import, and quizgen must continue
        reason = f"cannot be loaded ({type(error).__name__}: {error})"
        raise PluginError(f'{package}: "{name}" in {group} {reason}') from None
    version = getattr(plugin, "contract", None)
    if version != CONTRACT_VERSION:
        reason = f"has contract {version}, this quizgen needs {CONTRACT_VERSION}"
        raise PluginError(f'{package}: "{name}" in {group} {reason}')
    return plugin
