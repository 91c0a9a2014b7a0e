"""The fixed words of a form: what stands in its templates between tags, and what an institution puts there.

A template is translated as text, before it is one: so a replaced word can be no code, and nothing else
of a page can change.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from markupsafe import escape

from quizgen.source.problems import shorten

TEMPLATES = (
    "exam.html",
    "sheet.html",
    "blocks.html",
    "key.html",
    "answers.html",
    "js/clock.js",
    "js/views.js",
    "js/exam.js",
    "practice/page.html",
    "practice/page.js",
)  # whose words are a form's, a key's and a practice page's
LANGUAGE = "language"  # the name in a file of words that sets the page's language
HEADING = "KEY - not for candidates"  # on every page of a key
OTHERS = {LANGUAGE: "en", **{word: word for word in (HEADING, "Model answer", "Why")}}  # words of no template

# Comments, what Jinja computes, tags; what is between them is words.
_PIECE = re.compile(
    r"(\{% block attributes %\}.*?\{% endblock %\}|\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}"
    r"|<(?:[^<>{]|\{\{.*?\}\}|\{%.*?%\})*>)",
    re.DOTALL,
)
_LITERAL = re.compile(r'(?<=(?:if|se) )"([^"<>]+)"|(?<=\{\{ )"([^"<>]+)"(?= if)')
_SAID = re.compile(r'(?<=\bsay\()"([^"\\]+)"')  # in a script
_LETTER = re.compile(r"[^\W\d_]{2}")


def phrases(template: str, script: bool = False) -> Iterator[tuple[str, str]]:
    """The fixed words of a template's text, each piece between tags by what it goes by; of a script what it says."""
    if script:
        yield from ((_key(text), " ".join(text.split())) for text in _SAID.findall(template))
        return
    for index, piece in enumerate(_PIECE.split(template)):
        if index % 2 == 0 and _LETTER.search(piece):
            yield _key(piece), " ".join(piece.split())
        elif piece.startswith("{{"):
            yield from ((a or b, a or b) for a, b in _LITERAL.findall(piece) if _LETTER.search(a or b))


def spoken(script: str, words: Mapping[str, str]) -> str:
    """The script with other words, in which nothing ends a text or the script."""

    def translated(match: re.Match[str]) -> str:
        text = match[1]
        head, tail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
        other = words.get(_key(text))
        return match[0] if other is None else json.dumps(f"{head}{other}{tail}").replace("<", "\\u003c")

    return _SAID.sub(translated, script)


def worded(template: str, words: Mapping[str, str]) -> str:
    """The template with other words."""
    made = []
    for index, piece in enumerate(_PIECE.split(template)):
        if index % 2 == 0:
            translation = words.get(_key(piece))
            if translation is not None:
                head, tail = piece[: len(piece) - len(piece.lstrip())], piece[len(piece.rstrip()) :]
                piece = f"{head}{_safe(translation)}{tail}"
        elif piece.startswith("{{"):
            piece = _LITERAL.sub(lambda m: f'"{_safe(words.get(m[1] or m[2], m[1] or m[2]))}"', piece)
        elif piece.startswith("<html") and LANGUAGE in words:
            piece = piece.replace('lang="en"', f'lang="{_safe(words[LANGUAGE])}"')
        made.append(piece)
    return "".join(made)


def _key(piece: str) -> str:
    """What a piece of words goes by in a file of words: itself, the end of a long one left off."""
    return shorten(" ".join(piece.split()), 100)


def _safe(text: str) -> str:
    """Text that is neither a tag nor anything to Jinja; in one of Jinja's texts it is escaped once more, which is
    why only letters and marks without a meaning are let through as they are."""
    return str(escape(text)).replace("{", "&#123;").replace("}", "&#125;").replace("\\", "&#92;")
