"""QTI 1.2 as Canvas takes it and QTI 2.1, packages with a manifest, out; `qti_in` reads both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

from quizgen.interchange.archive import packed
from quizgen.interchange.contract import About, Exporter
from quizgen.interchange.tables import carried
from quizgen.interchange.templated import filled, stable
from quizgen.plain import Plain


def write12(items: Sequence[Plain], about: About, out: BinaryIO) -> None:
    quiz = stable(about, "assessment")
    names = {"qti12.xml": f"{quiz}/{quiz}.xml", "qti12-meta.xml": f"{quiz}/assessment_meta.xml"}
    names["qti12-manifest.xml"] = "imsmanifest.xml"
    out.write(packed({path: filled(name, about, items=items, quiz=quiz).encode() for name, path in names.items()}))


def write21(items: Sequence[Plain], about: About, out: BinaryIO) -> None:
    files = {f"items/{item.name}.xml": filled("qti21.xml", about, item=item).encode() for item in items}
    files["imsmanifest.xml"] = filled("qti21-manifest.xml", about, items=items).encode()
    out.write(packed(files))


QTI12 = Exporter(1, ".zip", carried("qti12"), write12)
QTI21 = Exporter(1, ".zip", carried("qti21"), write21)
