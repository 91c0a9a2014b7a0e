"""Where long formulas and words may break, and how their widths are told."""

from __future__ import annotations

import re

import pytest

from quizgen import data_folders
from quizgen.render.maths import css_width_class, escape_with_word_breaks, tex_to_mathml


def pieces(tex: str) -> list[str]:
    """The text of each `<math>` of a formula."""
    return [re.sub(r"<[^>]*>", "", one) for one in re.findall(r"<math.*?</math>", str(tex_to_mathml(tex)))]


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
    assert "".join(shown) == "".join(re.findall(r">([^<]+)", str(tex_to_mathml(tex))))
    assert all(piece[-1] in "=+−" for piece in shown[:-1])


def test_a_sign_stays_with_what_it_belongs_to() -> None:
    """The minus after the equals sign is no place to break, nor is a minus at the start."""
    for piece in pieces(r"-\text{abcdefghijklmn} = -\text{opqrstuvwxyz} \cdot -\text{abcdefghijkl}"):
        assert piece not in ("−", "=−", "⋅−")
        assert not piece.endswith(("=−", "⋅−"))


def test_what_cannot_break_has_a_width_that_the_style_sheet_lists() -> None:
    """A matrix of twenty columns: a letter m (0.6 to 0.9 em), a number set small (0.3 to 0.9) and 0.8 between columns.
    In line it gets a box to scroll in; displayed it has one. That paper shows all of it: test_exam_wide.py."""
    sheet = (data_folders.shipped_folder_path("templates") / "css/shared.css").read_text(encoding="utf-8")
    tex = rf"\begin{{pmatrix}} {' & '.join(f'm_{{{n}}}' for n in range(20))} \end{{pmatrix}}"
    found = re.search(r'^<math [^>]*class="fit e(\d+)"', str(tex_to_mathml(tex, True)))
    assert found
    assert 20 * 1.7 < int(found[1]) < 20 * 2.6 + 4
    assert str(tex_to_mathml(tex)).startswith('<span class="wide-maths" tabindex="0"><math')
    assert [css_width_class(em) for em in (12, 12.1, 16, 5000)] == ["", "fit e16", "fit e16", "fit e200"]
    assert [em for em in range(16, 201, 4) if f".e{em} {{ --em: {em}; }}" not in sheet] == []


def test_long_words_get_places_to_break() -> None:
    assert escape_with_word_breaks("short words & <signs>") == "short words &amp; &lt;signs&gt;"
    assert escape_with_word_breaks("x" * 24) == "x" * 24
    assert escape_with_word_breaks("a " + "x" * 25 + " b") == "a xxxxxxxxxxxx<wbr>xxxxxxxxxxxx<wbr>x b"
    assert escape_with_word_breaks("one_long_identifier_of_a_name") == "one_long_<wbr>identifier_<wbr>of_a_<wbr>name"
    assert escape_with_word_breaks("<" * 26).count("&lt;") == 26
    # Scripts without spaces break by their own rules.
    assert escape_with_word_breaks("分" * 40) == "分" * 40
    assert escape_with_word_breaks("ก" * 40) == "ก" * 40
