"""A page on which a person works: its data as JSON in the page, drawn by its own script, without a network."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from markupsafe import Markup

from quizgen.render.html import environment
from quizgen.render.page import page

STYLES = ("css/shared.css", "css/work.css")
SCRIPTS = ("js/sha256.js", "js/store.js", "js/work.js")


def data_page(template: str, script: str, data: Mapping[str, Any], **more: object) -> str:
    """The page with `data` and, as `data.page`, a hash of it, by which a saved state knows its page. `more`
    goes to the template."""
    text = json.dumps(data, ensure_ascii=False, sort_keys=True)
    whole = {**data, "page": f"sha256:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"}
    # Nothing in it can end the element it stands in.
    shown = (
        json.dumps(whole, ensure_ascii=False).replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    )
    frame = page(STYLES, (*SCRIPTS, script))
    return environment().get_template(template).render(page=frame, data=Markup(shown), title=data["title"], **more)
