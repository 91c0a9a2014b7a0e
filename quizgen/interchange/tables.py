"""The tables in templates/interchange: grammars of text forms, headers of sheets, what the formats hold."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from typing import Any

from quizgen import places


@lru_cache(maxsize=8)
def table(name: str) -> dict[str, Any]:
    return tomllib.loads((places.shipped("templates") / "interchange" / f"{name}.toml").read_text(encoding="utf-8"))


def carried(form: str) -> frozenset[str]:
    """The names of `Plain.held` that a format's files hold."""
    return frozenset(table("carries")[form])
