"""The sorts of options that commands have. Light, for `mock` reads its own before anything heavy is loaded.

`names` are those of click in one text: `-o --output`, or `--kind kinds` where the argument is called otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., object])


def flag(names: str, about: str) -> Callable[[F], F]:
    return click.option(*names.split(), is_flag=True, help=about)


def value(names: str, metavar: str, about: str, **more: Any) -> Callable[[F], F]:
    return click.option(*names.split(), metavar=metavar or None, help=about, **more)


def page(names: str, metavar: str, about: str) -> Callable[[F], F]:
    """A page to write, which takes the place of no log: `debrief --html s.jsonl` is a slip."""
    return value(names, metavar, about, callback=_no_log)


def _no_log(_: object, option: object, name: str | None) -> str | None:
    if name and name.endswith((".jsonl", ".log", ".ndjson")):
        raise click.BadParameter(f"{name} is the name of a log; name a page to write, such as page.html")
    return name


def values(names: str, metavar: str, about: str, **more: Any) -> Callable[[F], F]:
    """One that may be repeated, which its help says behind an `about` without a full stop."""
    return value(names, metavar, about if about.endswith(".") else f"{about}; may be repeated.", multiple=True, **more)


def word(names: str, words: Sequence[str], about: str) -> Callable[[F], F]:
    """One of some words, by default the first."""
    return click.option(*names.split(), type=click.Choice(words), default=words[0], show_default=True, help=about)


def whole(names: str, low: int, high: int | None, about: str, **more: Any) -> Callable[[F], F]:
    """A whole number of a range."""
    return click.option(*names.split(), type=click.IntRange(low, high), help=about, **more)
