"""The practice page as an installable web app: files for any static host with HTTPS."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from quizgen import data_folders
from quizgen.practice.cards import PracticeCard
from quizgen.practice.page import PracticeHead, practice_page
from quizgen.render.html import WordReplacements

ICON_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">'
    '<rect width="512" height="512" rx="96" fill="#1d4f91"/>'
    '<path d="M140 268l80 80 160-176" fill="none" stroke="#fff" stroke-width="52" stroke-linecap="round" '
    'stroke-linejoin="round"/></svg>\n'
)


def web_app(head: PracticeHead, cards: Sequence[PracticeCard], words: WordReplacements = ()) -> Mapping[str, str]:
    """The app's files by name. The worker's cache is named after the page, so that a new page replaces it."""
    page = practice_page(replace(head, app=True), cards, words)
    manifest = {
        "name": head.title,
        "short_name": head.title[:12],
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#ffffff",
        "theme_color": "#1d4f91",
        "icons": [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"}],
    }
    worker = (data_folders.shipped_path("templates") / "practice" / "worker.js").read_text(encoding="utf-8")
    version = sha256(page.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return {
        "index.html": page,
        "worker.js": worker.replace("VERSION", version),
        "manifest.webmanifest": json.dumps(manifest, ensure_ascii=False, indent=1) + "\n",
        "icon.svg": ICON_SVG,
    }
