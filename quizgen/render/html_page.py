"""One self-contained page: styles and scripts inlined, a content security policy of their hashes."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

from markupsafe import Markup

from quizgen import data_folders
from quizgen.render.html import environment
from quizgen.render.page_words import spoken


@dataclass(frozen=True, slots=True)
class Page:
    """What the base template needs: inlined text of ours and the policy that allows just that."""

    styles: tuple[Markup, ...]
    scripts: tuple[Markup, ...]
    policy: str
    classes: str


def page(
    styles: tuple[str, ...],
    scripts: tuple[str, ...],
    rules: str = "",
    classes: str = "",
    connects: bool = False,
    words: tuple[tuple[str, str], ...] = (),
    app: bool = False,
) -> Page:
    """A page of shipped style and script files, by their names in templates/, and rules of its own. `connects`: its
    script may ask the server that it came from. `words`: what its scripts say instead. `app`: manifest, worker and icon
    stand beside it.

    Nothing from a bank goes into `rules`: they are page size and form code.
    """
    texts = [_joined(styles), *([Markup(_harmless(rules))] if rules else [])]
    code = [_joined(scripts, words)] if scripts else []
    none, self_too = "'none'", " 'self'" if app else ""
    policy = "; ".join(
        [
            f"default-src {none}",
            f"script-src {' '.join(_hash(t) for t in code) or none}",
            f"style-src {' '.join(_hash(t) for t in texts)}",
            f"img-src data:{self_too}",
            f"base-uri {none}",
            f"form-action {none}",
            *(["connect-src 'self'"] if connects or app else []),
            *(["manifest-src 'self'", "worker-src 'self'"] if app else []),
        ]
    )
    return Page(tuple(texts), tuple(code), policy, classes)


@lru_cache(maxsize=32)
def _joined(names: tuple[str, ...], words: tuple[tuple[str, str], ...] = ()) -> Markup:
    folder = data_folders.shipped("templates")
    texts = ((folder / name).read_text(encoding="utf-8").replace("\r\n", "\n") for name in names)
    return Markup(_harmless(spoken(_MODULE.sub("", "".join(texts)), dict(words))))


# What a page does not need: that a script is a module, which tests run alone; its indents and its comments.
_MODULE = re.compile(r"^import .*\n|^export |^ *//.*\n|^ +| +// .*$", re.MULTILINE)


def _harmless(text: str) -> str:
    """Text of ours that cannot end the element it stands in."""
    if "</" in text or "<!--" in text:
        raise ValueError("a shipped style or script must not hold a tag's end")
    return text


@lru_cache(maxsize=64)
def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"


# A page on which a person works: its data as JSON in the page, drawn by its own script, without a network.


STYLES = ("css/shared.css", "css/work.css")
SCRIPTS = ("js/sha256.js", "js/store.js", "js/work.js")


def data_page(template: str, script: str, data: Mapping[str, Any], **more: object) -> str:
    """The page with `data` and, as `data.page`, a hash of it, by which a saved state knows its page. `more`
    goes to the template."""
    text = json.dumps(data, ensure_ascii=False, sort_keys=True)
    whole = {**data, "page": f"sha256:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"}
    frame = page(STYLES, (*SCRIPTS, script))
    return environment().get_template(template).render(page=frame, data=in_script(whole), title=data["title"], **more)


def in_script(value: Mapping[str, Any]) -> Markup:
    """JSON in which nothing can end the element that it stands in."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("</", "<\\/").replace("<!", "\\u003c!"))
