"""The fixed words of a form, replaced by an institution's own: words alone, never tags or code."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from shipped import Command

from quizgen import data_folders
from quizgen.cli import run
from quizgen.render.page_words import (
    NON_TEMPLATE_TEXT_BY_KEY,
    TRANSLATABLE_PAGE_FILES,
    replace_words_in_script,
    replace_words_in_template,
    template_texts_by_words_key,
)

ITEMS = """
items:
  - {id: a, kind: choice, stem: Which?, key: this, distractors: [that]}
  - {id: b, kind: choice, stem: Which two?, key: [these, those], distractors: [none]}
"""


def form(tmp_path: Path, words: str, code: int = 0) -> str:
    (tmp_path / "items.yaml").write_text(ITEMS)
    (tmp_path / "words.yml").write_text(words, encoding="utf-8")
    out = tmp_path / "out"
    words_file = str(tmp_path / "words.yml")
    assert run(["exam", str(tmp_path / "items.yaml"), "-o", str(out), "--seed", "s", "--words", words_file]) == code
    return (out / "form-A.html").read_text(encoding="utf-8") if not code else ""


WORDS = r"""
language: de
Instructions: Hinweise
Choose one: "<script>alert(1)</script>{{ form.code }}"
Name: Name und Vorname
point: "' + x + '"
points: Punkte
'{0} left.': 'Noch {0}.'
Flagged.: '</script>"); alert(1); ("'
item: Aufgabe
"""


def test_words_are_replaced_wherever_they_stand_and_are_no_code(tmp_path: Path) -> None:
    """In what the page says while it runs values stay where the new words put them; a text can end neither itself nor the
    script."""
    text = form(tmp_path, WORDS)
    assert '<html lang="de"' in text
    for word in ("<h2>Hinweise</h2>", ">Name und Vorname<", "2 Punkte"):
        assert word in text
    assert "' + x + '" not in text
    assert "Instructions" not in text
    assert "Choose one" not in text
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&#123;&#123; form.code &#125;&#125;" in text
    assert 'say("Noch {0}.", spoken(seconds))' in text
    assert 'say("\\u003c/script>\\"); alert(1); (\\"")' in text
    assert 'say(" Aufgabe")' in text


def test_keys_are_in_the_words_of_the_forms(tmp_path: Path, command: Command) -> None:
    """The marking scheme as well, and the sentences that a kind of item makes around its values."""
    here = Path(__file__).parent
    given = ("--seed", "s", "--words", here / "marked_words.yaml")
    command("exam", here / "marked.yaml", "-o", tmp_path / "out", *given)
    key = (tmp_path / "out" / "key-A.html").read_text(encoding="utf-8")
    shown = (
        "L\\0000d6SUNG\\000022\\00003b\\000020\\00007d\\000020\\00002a", "Kriterium", "Musterantwort", "Warum", "Lösung.",
        "one, two: zusammen 1 Punkt.", ">one oder ones<", "Volle Zahl: 2 Punkte.", "Richtig: 396 s bis 404 s (1 %).", "Accept: it is far.",
        "<td>distractor</td><td>richtig</td>", "<td>key</td><td>falsch</td>", '"Seite " counter(page) " von "',
    )  # fmt: skip
    assert [text for text in shown if text not in key] == []
    assert [word for word in ("not for candidates", "Criterion", "Model answer", "Why not") if word in key] == []


def test_a_word_that_no_form_has_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    form(tmp_path, "Instruction: Hinweise\n'{0} left.': 'Noch {1}.'\n", 3)
    err = capsys.readouterr().err
    assert 'no form or page says "Instruction"; did you mean "Instructions"?' in err
    assert ':2:14: "{0} left." has no value {1}; leave it out' in err


def template_text(name: str) -> str:
    return (data_folders.shipped_folder_path("templates") / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", TRANSLATABLE_PAGE_FILES)
def test_every_word_can_be_replaced_and_nothing_else_changes(name: str) -> None:
    """With no words, or each word by itself, a template stays what it is."""
    template = template_text(name)
    script = name.endswith(".js")
    other = replace_words_in_script if script else replace_words_in_template
    assert other(template, {}) == template
    said = template_texts_by_words_key(template, script)
    plain = {key: text for key, text in said.items() if script or not set(text) & set("&<>\"'{}\\")}
    assert " ".join(other(template, plain).split()) == " ".join(template.split())
    assert plain


def test_the_list_of_words_is_the_forms(root: Path) -> None:
    """docs/words.yaml can be copied and changed: it has every word, and `--words` takes it as it is."""
    listed = yaml.safe_load((root / "docs" / "words.yaml").read_text(encoding="utf-8"))
    there = dict(NON_TEMPLATE_TEXT_BY_KEY)
    for name in TRANSLATABLE_PAGE_FILES:
        there |= template_texts_by_words_key(template_text(name), name.endswith(".js"))
    assert listed == there
