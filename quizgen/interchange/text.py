"""Numbered questions as text, with options, answers and all else that an author wrote; `forms` reads it."""

from __future__ import annotations

from quizgen.interchange.contract import Exporter
from quizgen.interchange.sheets import CARRIES
from quizgen.interchange.templated import writer

EXPORTER = Exporter(1, ".txt", CARRIES, writer("text.txt", xml=False))
