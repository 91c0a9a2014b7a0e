"""One self-contained page: styles and scripts inlined, a content security policy of their hashes."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup

from quizgen import places


@dataclass(frozen=True, slots=True)
class Page:
    """What the base template needs: inlined text of ours and the policy that allows just that."""

    styles: tuple[Markup, ...]
    scripts: tuple[Markup, ...]
    policy: str
    classes: str


def page(styles: tuple[str, ...], scripts: tuple[str, ...], rules: str = "", classes: str = "") -> Page:
    """A page of shipped style and script files, by their names in templates/, and rules of its own.

    Nothing from a bank goes into `rules`: they are page size and form code.
    """
    texts = ["".join(_shipped(name) for name in styles)]
    if rules:
        texts.append(_harmless(rules))
    code = ["".join(_shipped(name) for name in scripts)] if scripts else []
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src {' '.join(_hash(t) for t in code) or chr(39) + 'none' + chr(39)}",
            f"style-src {' '.join(_hash(t) for t in texts)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    return Page(tuple(Markup(t) for t in texts), tuple(Markup(t) for t in code), policy, classes)


@lru_cache(maxsize=32)
def _shipped(name: str) -> str:
    text = (places.shipped("templates") / name).read_text(encoding="utf-8")
    return _harmless(text.replace("\r\n", "\n"))


def _harmless(text: str) -> str:
    """Text of ours that cannot end the element it stands in."""
    if "</" in text or "<!--" in text:
        raise ValueError("a shipped style or script must not hold a tag's end")
    return text


@lru_cache(maxsize=256)
def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"
