"""Where long formulas and words may break, and how their widths are told."""

from __future__ import annotations

import re

import pytest

from quizgen import markdown
from quizgen.render.html import HtmlWriter
from quizgen.render.mathml import (
    insert_word_breaks,
    mathml,
    measured_mathml,
    table_width_class,
    width_class,
    word_width,
)


def pieces(tex: str) -> list[str]:
    """The text of each `<math>` of a formula."""
    return [re.sub(r"<[^>]*>", "", one) for one in re.findall(r"<math.*?</math>", str(mathml(tex)))]


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        # Thirteen letters and their signs are wider than twelve em; a cut follows a sign.
        ("=".join("abcdefghijklm"), True),
        (r"\text{a long text in the formula} = \text{another long text}", True),
        (r"\sqrt{" + "+".join("abcdefghijklmnopqr") + "}", False),
    ],
)
def test_a_long_formula_is_cut_after_its_signs(tex: str, expected: bool) -> None:
    shown = pieces(tex)
    assert (len(shown) > 1) == expected
    assert "".join(shown) == "".join(re.findall(r">([^<]+)", str(mathml(tex))))
    assert all(piece[-1] in "=+−" for piece in shown[:-1])


def test_a_sign_stays_with_what_it_belongs_to() -> None:
    """The minus after the equals sign is no place to break, nor is a minus at the start."""
    for piece in pieces(r"-\text{abcdefghijklmn} = -\text{opqrstuvwxyz} \cdot -\text{abcdefghijkl}"):
        assert piece not in ("−", "=−", "⋅−")
        assert not piece.endswith(("=−", "⋅−"))


def test_displayed_pieces_are_set_large_and_in_line() -> None:
    shown = str(mathml("+".join(f"a_{{{n}}}" for n in range(30)), True))
    assert 'display="block"' not in shown
    assert shown.count('displaystyle="true"') == shown.count("<math") > 3
    assert shown.count('<mo form="infix">+</mo></math><wbr>') == shown.count("<math") - 1


def test_what_cannot_break_says_its_width() -> None:
    row = " & ".join(f"m_{{{n}}}" for n in range(20))
    tex = rf"\begin{{pmatrix}} {row} \end{{pmatrix}}"
    em = measured_mathml(tex, True)[1]
    # A column is a letter m (0.6 to 0.9 em), a number set small (0.3 to 0.9) and 0.8 between columns.
    assert 20 * 1.7 < em < 20 * 2.6
    found = re.search(r'<math [^>]*class="fit e(\d+)"', str(mathml(tex, True)))
    assert found
    assert em <= int(found[1]) < em + 4
    # In line it gets a box to scroll in; displayed it has one.
    assert str(mathml(tex)).startswith('<span class="wide-maths" tabindex="0"><math')
    assert str(mathml(tex, True)).startswith("<math")


def test_widths_are_told_in_steps_that_the_style_sheet_lists() -> None:
    from quizgen import data_folders

    sheet = (data_folders.shipped_path("templates") / "css/shared.css").read_text(encoding="utf-8")
    assert width_class(12) == ""
    assert width_class(12.1) == "fit e16"
    assert width_class(16) == "fit e16"
    assert width_class(5000) == "fit e200"
    for em in range(16, 201, 4):
        assert f".e{em} {{ --em: {em}; }}" in sheet


def test_tables_are_as_wide_as_their_longest_words() -> None:
    assert table_width_class([2, 3]) == ""
    assert table_width_class([word_width("a word"), word_width("0123456789")]) == ""
    # Ten columns of ten characters: 10 * (10 * 0.58 + 1.1) is 69 em.
    assert table_width_class([word_width("0123456789")] * 10) == "fit e72 wider"
    assert table_width_class([word_width("0123456789")] * 14) == "fit e100 wider widest"
    shown = HtmlWriter("").blocks(markdown.markdown_blocks("| a |\n|---|\n| b |"))
    assert '<table class="grid">' in shown


def test_long_words_get_places_to_break() -> None:
    assert insert_word_breaks("short words & <signs>") == "short words &amp; &lt;signs&gt;"
    assert insert_word_breaks("x" * 24) == "x" * 24
    assert insert_word_breaks("a " + "x" * 25 + " b") == "a xxxxxxxxxxxx<wbr>xxxxxxxxxxxx<wbr>x b"
    assert insert_word_breaks("one_long_identifier_of_a_program") == "one_long_<wbr>identifier_<wbr>of_a_<wbr>program"
    assert insert_word_breaks("<" * 26).count("&lt;") == 26
    # Scripts without spaces break by their own rules.
    assert insert_word_breaks("分" * 40) == "分" * 40
    assert insert_word_breaks("ก" * 40) == "ก" * 40
