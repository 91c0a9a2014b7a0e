"""The fixed words of a form: the words between the tags of its templates, and an institution's replacements for them.

Words are replaced in the text of a template before it is compiled, so that a replacement cannot be code, and nothing
else on a page can change."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from markupsafe import escape

from quizgen import data_folders
from quizgen.source.problems import shorten

# Templates of a form, a key or a practice page.
TRANSLATABLE_PAGE_FILES = (
    "exam.html", "sheet.html", "blocks.html", "key.html", "answers.html", "js/clock.js", "js/views.js", "js/exam.js",
    "practice/page.html",
    *(f"practice/{name}.js" for name in ("answer", "end_view", "hand_in", "kept", "page", "verdict_view")),
)  # fmt: skip
WORDS_LANGUAGE_KEY = "language"  # name in a file of words that sets the page's language
KEY_PAGE_HEADING = "KEY - not for candidates"  # on every page of a key
FOOTER_INITIALS_LINE = "Initials ________"  # at the foot of a form's pages
# Sentences that are in no template, with {0} for values: of forms, keys and marking schemes.
TRANSLATABLE_SENTENCES = tuple(
    (data_folders.shipped_folder_path("templates") / "sentences.txt").read_text(encoding="utf-8").splitlines()
)
# Words in no template.
NON_TEMPLATE_TEXT_BY_KEY = {WORDS_LANGUAGE_KEY: "en", **{sentence: sentence for sentence in TRANSLATABLE_SENTENCES}}

# Comments, Jinja expressions and tags; the text between them is words.
_HTML_OR_JINJA_TAG_PATTERN = re.compile(
    r"(\{% block attributes %\}.*?\{% endblock %\}|\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}"
    r"|<(?:[^<>{]|\{\{.*?\}\}|\{%.*?%\})*>)",
    re.DOTALL,
)
_JINJA_STRING_PATTERN = re.compile(r'(?<=(?:if|se) )"([^"<>]+)"|(?<=\{\{ )"([^"<>]+)"(?= if)')
_ARIA_LABEL_PATTERN = re.compile(r'(?<= aria-label=")[^"{}]+(?=")')  # read out for a part without a heading
_SAY_CALL_PATTERN = re.compile(r'(?<=\bsay\()"([^"\\]+)"')  # in a script
_WORD_PATTERN = re.compile(r"[^\W\d_]{2}")


def translate_sentence(text: str, replacements: Mapping[str, str]) -> str:
    """A sentence of TRANSLATABLE_SENTENCES in other words; any other text unchanged. A value such as `2 points` is
    translated too: with {"At most {0} together: {1}.": "{1}: höchstens {0}.", "points": "Punkte"}, "At most 2 points
    together: a, b." becomes "a, b: höchstens 2 Punkte."."""
    sentences = (sentence for sentence in TRANSLATABLE_SENTENCES if sentence in replacements)
    matches = ((sentence, _pattern_of_sentence(sentence).fullmatch(text)) for sentence in sentences)
    sentence, match = next((pair for pair in matches if pair[1]), ("", None))
    if match is None:
        return text
    value_by_number = {  # a number without a value stays
        str(number): _POINTS_OR_MINUTES_PATTERN.sub(lambda m: f"{m[1]} {replacements.get(m[2], m[2])}", value)
        for number, value in enumerate(match.groups())
    }
    return _NUMBER_IN_BRACES_PATTERN.sub(lambda m: value_by_number.get(m[1], m[0]), replacements[sentence])


@lru_cache(maxsize=len(TRANSLATABLE_SENTENCES))
def _pattern_of_sentence(sentence: str) -> re.Pattern[str]:
    return re.compile("(.+?)".join(map(re.escape, _NUMBER_IN_BRACES_PATTERN.split(sentence)[::2])), re.DOTALL)


_NUMBER_IN_BRACES_PATTERN = re.compile(r"\{(\d)\}")
_POINTS_OR_MINUTES_PATTERN = re.compile(r"(?<![^\s])([\d./]+) (points?|minutes?)\b")


def template_texts_by_words_key(template_or_script: str, is_script: bool = False) -> dict[str, str]:
    """Each text of a template, or each string that a script says, by its key in a words file."""
    text_by_key: dict[str, str] = {}

    def note(key: str, text: str) -> str:
        text_by_key[key] = text if key == text else " ".join(text.split())
        return text

    if is_script:
        for text in _SAY_CALL_PATTERN.findall(template_or_script):
            note(_words_file_key(text), text)
    else:
        _replace_template_texts(template_or_script, note)
    return text_by_key


def _replace_template_texts(template: str, change: Callable[[str, str], str]) -> str:
    """The template with `change(key, text)` in place of each text between its tags, each string with words that an
    expression shows, and each label that is read out. The key of a string or label is its text."""
    pieces = []
    for index, piece in enumerate(_HTML_OR_JINJA_TAG_PATTERN.split(template)):
        if index % 2 == 0:
            piece = change(_words_file_key(piece), piece) if _WORD_PATTERN.search(piece) else piece
        elif piece.startswith("{{"):
            piece = _JINJA_STRING_PATTERN.sub(
                lambda m: f'"{change(m[1] or m[2], m[1] or m[2])}"' if _WORD_PATTERN.search(m[0]) else m[0], piece
            )
        elif piece.startswith("<"):
            piece = _ARIA_LABEL_PATTERN.sub(lambda m: change(m[0], m[0]), piece)
        pieces.append(piece)
    return "".join(pieces)


def replace_words_in_script(script: str, replacements: Mapping[str, str]) -> str:
    """The script with replaced words. No text can end its string or the script."""

    def translated(match: re.Match[str]) -> str:
        text = replacements.get(_words_file_key(match[1]))
        return match[0] if text is None else json.dumps(_with_outer_blanks(match[1], text)).replace("<", "\\u003c")

    return _SAY_CALL_PATTERN.sub(translated, script)


def replace_words_in_template(template: str, replacements: Mapping[str, str]) -> str:
    """The template with replaced words."""

    def translated(key: str, text: str) -> str:
        words = replacements.get(key)
        return text if words is None else _with_outer_blanks(text, _escape_for_template(words))

    language = _escape_for_template(replacements.get(WORDS_LANGUAGE_KEY, "en"))
    return _replace_template_texts(template.replace('<html lang="en"', f'<html lang="{language}"'), translated)


def _with_outer_blanks(original: str, replacement: str) -> str:
    """`replacement` with the white space before and after `original`."""
    return original[: len(original) - len(original.lstrip())] + replacement.strip() + original[len(original.rstrip()) :]


def _words_file_key(text: str) -> str:
    """The key of a text in a words file: the text itself, or the beginning of a long one."""
    return shorten(" ".join(text.split()), 100)


def _escape_for_template(text: str) -> str:
    """The text escaped so that it is neither a tag nor Jinja code. In a Jinja string it is escaped once more, so only
    letters and harmless punctuation stay the same there."""
    return str(escape(text)).replace("{", "&#123;").replace("}", "&#125;").replace("\\", "&#92;")
