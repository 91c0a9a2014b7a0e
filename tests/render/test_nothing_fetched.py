"""What an image of a bank names elsewhere is refused by `check`, and a PDF is made without asking for it."""

from __future__ import annotations

import base64
import socket
from pathlib import Path

import pytest
from shipped import Command

from quizgen.render import pdf

from .made import PNG

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50">{}<rect width="50" height="50"/></svg>'
STYLE = "<style>@font-face{{font-family:x;src:{}}}</style>"
ADDRESS = "http://127.0.0.1:{port}/asked"
LOADING = {
    "a CSS escape": STYLE.format(f'u\\72l("{ADDRESS}")'),
    "a short CSS escape": STYLE.format(f'\\u\\r\\l("{ADDRESS}")'),
    "a character reference": STYLE.format(f"&#117;rl({ADDRESS})"),
    "a hexadecimal one": STYLE.format(f"u&#x00072;l({ADDRESS})"),
    "an escape in CDATA": f"<style><![CDATA[@font-face{{font-family:z;src:ur\\6c({ADDRESS})}}]]></style>",
    "an escape of an escape": STYLE.format(f"u&#92;72l({ADDRESS})"),
    "an attribute": '<image width="9" height="9" hre&#102;="x" href="&#104;ttp://127.0.0.1:{port}/asked"/>',
    "an attribute's style": f'<rect width="9" height="9" style="fill:&#117;rl({ADDRESS})"/>',
    "a device": STYLE.format("u\\72l(file:///dev/zero)"),
    "an import": f"<style>@import '{ADDRESS}'</style>",
    "a link": "<a xlink:href='javascript:alert(1)'/>",
    "another language": "<foreignObject/>",
    "an entity": "<!ENTITY a 'b'>",
}


def test_check_names_an_svg_that_could_load_something(tmp_path: Path, command: Command) -> None:
    item = '  - {{id: i{0}, kind: choice, topic: t, stem: "{1}? ![a box]({0}.svg)", key: "Yes", distractors: ["No"]}}\n'
    for number, held in enumerate(LOADING.values()):
        (tmp_path / f"{number}.svg").write_text(SVG.format(held.replace("{port}", "9")), encoding="utf-8")
    items = "".join(item.format(number, way) for number, way in enumerate(LOADING))
    (tmp_path / "items.yaml").write_text(f"items:\n{items}", encoding="utf-8")
    told = command("check", tmp_path, code=1).out.splitlines()
    named = {line.split(": ")[1] for line in told if "could load or run something" in line}
    assert [way for number, way in enumerate(LOADING) if f"i{number}" not in named] == []


def test_weasyprint_shows_what_the_page_holds_and_fetches_nothing(tmp_path: Path) -> None:
    """Images by `data:` are in the PDF; a server on this machine is not asked, and no file is read."""
    pytest.importorskip("weasyprint", reason="needs WeasyPrint: pip install 'quizgen[pdf]'")
    (tmp_path / "pixel.png").write_bytes(PNG)
    source, target = tmp_path / "page.html", tmp_path / "page.pdf"
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.2)
        port = str(listening.getsockname()[1])
        svgs = (SVG.format(s.replace("{port}", port)).encode() for s in LOADING.values())
        coded = (base64.b64encode(svg).decode("ascii") for svg in svgs)
        drawn = "".join(f'<img src="data:image/svg+xml;base64,{svg}">' for svg in coded)
        named = f'<img src="http://127.0.0.1:{port}/x.png"><img src="{(tmp_path / "pixel.png").as_uri()}">'
        source.write_text(f"<!doctype html><title>t</title><p>Words{drawn}{named}", encoding="utf-8")
        pdf.print_with_weasyprint(source, target)
        with pytest.raises(TimeoutError):
            listening.accept()
    assert b"/Subtype /Image" not in target.read_bytes()
    held = base64.b64encode(PNG).decode("ascii")
    source.write_text(f'<!doctype html><title>t</title><img src="data:image/png;base64,{held}">', encoding="utf-8")
    pdf.print_with_weasyprint(source, target)
    assert b"/Subtype /Image" in target.read_bytes()
