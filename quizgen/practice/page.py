"""The practice page: cards as templates and data, with styles and scripts, in one file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

from quizgen.practice.cards import PracticeCard
from quizgen.render.html import WordReplacements, jinja_environment, json_for_script, page_values
from quizgen.render.number_reader import SCRIPTS as READER_SCRIPTS
from quizgen.render.number_reader import reader_tables

STYLE_FILES = ("css/shared.css", "css/screen.css", "practice/practice.css")
SCRIPT_FILES = (
    "js/store.js", "js/clock.js", *READER_SCRIPTS,
    *(f"practice/{name}.js" for name in (
        "steps", "judge", "sitting", "log", "elements", "answer", "kept", "hand_in", "verdict_view", "end_view", "page",
    )),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PracticeHead:
    """The head of a page. `bank`, `digest` and `seed` go into the log that it saves, `candidate` into every line.
    `served`: this program receives and scores the answers; `app`: the page is a web app with a service worker."""

    title: str
    bank: str
    digest: str
    seed: str
    candidate: str = ""
    served: bool = False
    app: bool = False


def practice_page(head: PracticeHead, cards: Sequence[PracticeCard], words: WordReplacements = ()) -> str:
    """A self-contained page. `words` replaces its fixed words."""
    # Fragments shown later: for the first drawing of card 3, `p3-0` is the prompt and `s3-0` the solution.
    pieces = {
        f"{kind}{number}-{place}": html
        for number, card in enumerate(cards)
        for place, drawing in enumerate(card.drawings)
        for kind, html in (("p", drawing.prompt), ("s", drawing.solution))
    }
    rows = [{**card.data, "drawings": [dict(drawing.data) for drawing in card.drawings]} for card in cards]
    about: dict[str, Any] = asdict(head)
    data = {"head": about, "cards": rows, "lexicons": _extract_lexicons(rows), "numbers": reader_tables()}
    text = json.dumps([about, rows], ensure_ascii=False)
    about["page"] = sha256((text + "".join(pieces.values())).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    frame = page_values(
        STYLE_FILES, SCRIPT_FILES, classes="practice live", connects=head.served, words=words, app=head.app
    )
    template = jinja_environment(words).get_template("practice/page.html")
    return template.render(page=frame, head=head, pieces=json_for_script(pieces), data=json_for_script(data))


def _extract_lexicons(rows: Sequence[dict[str, Any]]) -> list[Any]:
    """Replaces the lexicon of each reader in `rows` by its index in the returned list, which has each lexicon once."""
    lexicons: list[Any] = []
    for row in rows:
        if reader := row.get("reader"):
            lexicon = reader["lexicon"]
            if lexicon not in lexicons:
                lexicons.append(lexicon)
            row["reader"] = {**reader, "lexicon": lexicons.index(lexicon)}
    return lexicons
