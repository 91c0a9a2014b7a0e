"""Blocks to HTML: one expectation a block, written by hand."""

from __future__ import annotations

import base64
import os
import re
import sys
from fractions import Fraction
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree

import pytest
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from quizgen import markdown
from quizgen.answer_areas import NumericAnswerLine, Options, TextAnswerLines
from quizgen.inline import Image, Inline, Text
from quizgen.model import Mark
from quizgen.page import Block, Paragraph, plain_paragraph
from quizgen.render.debrief import split_by_evidence
from quizgen.render.html import HtmlWriter, jinja_environment
from quizgen.render.images import UnusableImage, image_data_url
from quizgen.render.maths import UnusableMaths, _allowed_element_html_pieces, tex_to_mathml
from quizgen.render.template_code import TemplateBytecodeCache

from .made import PNG, Page


def shown(*blocks: Block, item_number: int = 7) -> str:
    return re.sub(r">\s*\n\s*<", "><", str(HtmlWriter("").blocks_to_html(blocks, item_number, 3))).strip()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("plain & <b>", "<p>plain &amp; &lt;b&gt;</p>"),
        ("*a* **b** `c<d`", "<p><em>a</em> <strong>b</strong> <code>c&lt;d</code></p>"),
        ("# Title", '<p class="heading">Title</p>'),
        ("---", "<hr>"),
        ("- one\n- two", '<ul dir="auto"><li><p>one</p></li><li><p>two</p></li></ul>'),
        ("3. x\n4. y", '<ol dir="auto" start="3"><li><p>x</p></li><li><p>y</p></li></ol>'),
        ("> said", "<blockquote><p>said</p></blockquote>"),
        ("```py\na < b\n  c\n```", '<pre tabindex="0" data-language="py"><code>a &lt; b\n  c</code></pre>'),
        ("one  \ntwo", "<p>one<br>two</p>"),
        (
            "[a](https://a.b/?c=1&d=2)",
            '<p><span class="link">a</span> <span class="url">(https://a.b/?c=1&amp;d=2)</span></p>',
        ),
        (
            "| a | b |\n|---|---|\n| 1 | 2 |",
            '<div class="wide" tabindex="0"><table class="grid"><thead><tr><th scope="col">a</th><th scope="col">b</th>'
            "</tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table></div>",
        ),
    ],
)
def test_markdown_blocks(source: str, expected: str) -> None:
    assert shown(*markdown.markdown_blocks(source)) == expected


def test_words_are_listed_and_a_key_shows_no_response_area() -> None:
    assert "one of: yes, no" in shown(NumericAnswerLine("", ("yes", "no")))
    assert shown(plain_paragraph("stem"), NumericAnswerLine("GB"), TextAnswerLines(1), item_number=0) == "<p>stem</p>"


@pytest.mark.parametrize("name", ["blocks.html", "interchange/blocks.html"])
def test_each_block_and_piece_has_its_macro(name: str) -> None:
    """Pages ask for a macro by the name of a block's class; other programs are given no response area."""
    module = jinja_environment().get_template(name).module
    areas = {Options, NumericAnswerLine, TextAnswerLines} if name.startswith("interchange") else set()
    names = [kind.__name__ for kind in {*get_args(Block), *get_args(Inline)} - areas - {Text}]
    assert [kind for kind in names if not hasattr(module, kind)] == []


def test_nothing_of_a_bank_is_trusted() -> None:
    """No template marks text as safe, and none is built from text."""
    for name in jinja_environment().list_templates(extensions=["html"]):
        source = jinja_environment().loader.get_source(jinja_environment(), name)[0]
        assert "|safe" not in source.replace(" ", "")
        assert "autoescape" not in source


def test_compiled_templates_are_kept_as_python_keeps_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A damaged file is not used, and a changed template is compiled anew."""
    page, folder = tmp_path / "page.html", tmp_path / "kept"
    page.write_text("{{ 1 + 1 }} of {{ n }}")
    monkeypatch.setattr(sys, "pycache_prefix", str(folder))

    def rendered() -> str:
        environment = Environment(loader=FileSystemLoader(tmp_path), bytecode_cache=TemplateBytecodeCache())
        return environment.get_template("page.html").render(n=3)

    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert (rendered(), folder.exists()) == ("2 of 3", False)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    rendered()
    (kept,) = folder.rglob("*.pyc")
    whole = kept.read_bytes()
    for data in (b"", whole[:20], whole[:20] + b"no pickle", whole[:-9], whole):
        kept.write_bytes(data)
        assert rendered() == "2 of 3"
    page.write_text("{{ n }} of {{ n }}")
    assert rendered() == "3 of 3"


# -- maths ----------------------------------------------------------------------------------


def test_maths_is_mathml_with_its_tex_beside() -> None:
    made = tex_to_mathml(r"\frac{a}{b}")
    assert made == Markup(r'<math alttext="\frac{a}{b}"><mfrac><mi>a</mi><mi>b</mi></mfrac></math>')
    assert 'display="block"' in tex_to_mathml("x", True)


def test_maths_has_no_inline_style() -> None:
    """A policy by hash allows none; alignment and rules become classes."""
    table = r"\begin{array}{c|c} a & b\\ \hline c & d\end{array}"
    made = tex_to_mathml(table + r" \begin{aligned} a &= b\end{aligned} \color{red}x")
    assert " style=" not in made
    assert "m-br" in made
    assert "m-right" in made


@pytest.mark.parametrize(
    "tex",
    [r"\text{<script>alert(1)</script>}", r'\text{" onclick="alert(1)}', r"<img src=x onerror=alert(1)>", r"a]]>&lt;b"],
)
def test_maths_text_stays_text(tex: str) -> None:
    try:
        made = str(tex_to_mathml(tex))
    except UnusableMaths:
        return
    for tag, attributes in Page(made).tags:
        assert tag in ("math", "mi", "mo", "mn", "mtext", "mrow", "mspace", "wbr", "span")
        assert not any(name.startswith("on") or name in ("src", "href", "style") for name in attributes)


def test_bad_maths_is_told_says_where_and_stands_as_text() -> None:
    places = (
        (r"a + \nosuch{b}", "character 5"),
        ("{", "character 2"),
        (r"\href{javascript:alert(1)}{x}", "character 1"),
    )
    for tex, place in (*places, ("x" * 2001, "2001 characters")):
        with pytest.raises(UnusableMaths, match=place) as error:
            tex_to_mathml(tex)
        assert "\x1b" not in str(error.value)
    told: list[str] = []
    made = HtmlWriter("", told.append).blocks_to_html(markdown.markdown_blocks(r"Say $\nosuch$"))
    assert made == Markup(r'<p>Say <code class="tex">\nosuch</code></p>')
    assert [r"$\nosuch$" in one for one in told] == [True]


# -- images ---------------------------------------------------------------------------------


def test_a_local_image_is_embedded_and_one_without_alt_text_told(tmp_path: Path) -> None:
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "ring.png").write_bytes(PNG)
    told: list[str] = []
    writer = HtmlWriter(str(tmp_path), told.append)
    made = writer.blocks_to_html((Paragraph((Image("a ring", "figures/ring.png"),)),))
    data = base64.b64encode(PNG).decode()
    assert (made, told) == (Markup(f'<p><img src="data:image/png;base64,{data}" alt="a ring"></p>'), [])
    assert "<img" not in writer.blocks_to_html((Paragraph((Image("", "figures/ring.png"),)),))
    assert "alt text" in told[0]


SVG = b"<svg xmlns='http://www.w3.org/2000/svg'><rect width='1' height='1' fill='url(#a)'/></svg>"
OTHER = [
    "", "https://example.org/x.png", "//example.org/x.png", "/etc/passwd", "../x.png", "a/../../x.png", "data:x",
    "%2e%2e/x.png", "..\\x.png", "nothere.png", "note.txt", "link.png", "folder/x.png", "empty", "vector.svg",
]  # fmt: skip
HELD = {"active": "could load or run", "sound": "is no PNG", "pipe": "not a plain file", "big": "KiB", "cut": "damaged"}


@pytest.mark.parametrize(("path", "why"), [*((path, ".") for path in OTHER), *HELD.items()])
def test_other_images_are_refused(tmp_path: Path, path: str, why: str) -> None:
    (tmp_path / "note.txt").write_text("hello")
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "vector.svg").write_bytes(SVG.replace(b"<rect", b"<script>alert(1)</script><rect"))
    (tmp_path / "active").write_bytes(SVG.replace(b"<rect", b"<rect onload='x()'"))
    (tmp_path / "cut").write_bytes(SVG[:-9])
    (tmp_path / "sound").write_bytes(b"RIFF\x04\0\0\0WAVEfmt ")
    (tmp_path / "big").write_bytes(PNG + b"\0" * (2 << 20))
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "ring.png").write_bytes(PNG)
    (tmp_path / "link.png").symlink_to(tmp_path / "ring.png")
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "x.png").write_bytes(PNG)
    (tmp_path / "folder").symlink_to(tmp_path / "real")
    image_data_url.cache_clear()
    with pytest.raises(UnusableImage, match=why):
        image_data_url(str(tmp_path), path)


def test_the_type_of_an_image_is_what_it_holds(tmp_path: Path) -> None:
    for data, media in ((SVG, "svg+xml"), (b"RIFF\x04\0\0\0WEBPVP8 ", "webp"), (b"GIF89a;", "gif")):
        (tmp_path / "image").write_bytes(data)
        image_data_url.cache_clear()
        assert image_data_url(str(tmp_path), "image") == f"data:image/{media};base64,{base64.b64encode(data).decode()}"


def test_an_element_that_is_not_listed_reaches_no_page() -> None:
    with pytest.raises(UnusableMaths, match="<script> is not allowed"):
        _allowed_element_html_pieces(ElementTree.fromstring("<math><script>x</script></math>"))


def test_a_response_is_cut_at_its_evidence() -> None:
    """Spans that overlap or touch are one piece; what lies beyond the text is none of it."""
    spans = (((0, 2), (1, 3)), ((3, 4), (6, 99)))
    marks = [Mark("a", Fraction(1), Fraction(1), "", evidence_spans=those) for those in spans]
    assert split_by_evidence("abcdef\x1bg", marks) == [("abcd", True), ("ef", False), ("\\u{1b}g", True)]
    assert split_by_evidence("", marks) == []
