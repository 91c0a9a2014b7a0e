"""A printed form as tests read it: the text of each page, and each word with its place."""

from __future__ import annotations

import html
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path


def pages_of(file: Path) -> list[str]:
    ran = subprocess.run(["pdftotext", "-layout", str(file), "-"], capture_output=True, check=True, timeout=60)
    return ran.stdout.decode("utf-8").removesuffix("\f").split("\f")


@dataclass(frozen=True)
class Word:
    """A word on a page and its box, in points from the top left."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    def holds(self, other: Word) -> bool:
        return (
            self.left < other.left and other.right < self.right and self.top < other.top and other.bottom < self.bottom
        )

    def covers(self, other: Word) -> bool:
        """Whether the boxes share more than the slack between two lines or two letters."""
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return high > 4 and min(self.right, other.right) - max(self.left, other.left) > 1.5


def words_of(file: Path) -> list[tuple[float, float, list[Word]]]:
    """Of each page: its width, its height, and the words on it."""
    ran = subprocess.run(["pdftotext", "-bbox", str(file), "-"], capture_output=True, check=True, timeout=60)
    pages: list[tuple[float, float, list[Word]]] = []
    for line in ran.stdout.decode("utf-8").splitlines():
        found = re.findall(r'="([0-9.]+)"', line)
        if "<page " in line:
            pages.append((float(found[0]), float(found[1]), []))
        elif "<word " in line:
            text = html.unescape(line.partition(">")[2].removesuffix("</word>"))
            pages[-1][2].append(Word(text, *map(float, found[:4])))
    return pages


def size_of(file: Path) -> str:
    ran = subprocess.run(["pdfinfo", str(file)], capture_output=True, check=True, timeout=60)
    return next(line for line in ran.stdout.decode().splitlines() if line.startswith("Page size"))
