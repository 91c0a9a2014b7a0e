"""The layout that drawing and scanning share: nothing lies on anything else, and codes say what they are given."""

from __future__ import annotations

import re
from itertools import combinations
from math import hypot
from random import Random

import pytest
import segno

from quizgen.render.exam import answer_code, drawn_sheets
from quizgen.roster import Candidate
from quizgen.sheet_layout import MARK_SIZE_MM, STYLES, AnswerCode, PageCode, Sheet, read_code, sheet_pages


def boxes(sheet: Sheet) -> list[tuple[float, float, float, float]]:
    """Marks, codes with a quiet zone of two millimetres, and correction boxes: left, top, right, bottom."""
    half = MARK_SIZE_MM / 2
    found = [(x - half, y - half, x + half, y + half) for x, y in sheet.marks]
    found += [(x - 2, y - 2, x + side + 2, y + side + 2) for x, y, side in sheet.codes]
    return found + [(x, y, x + w, y + h) for x, y, w, h in (row.box for row in sheet.rows if row.box)]


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("letters", [2, 5, 26])
@pytest.mark.parametrize("kind", STYLES)
def test_nothing_lies_on_anything_else(kind: str, letters: int, named: bool) -> None:
    made = sheet_pages(kind, [(n, letters, n % 3 == 0) for n in range(1, 100)], named)
    assert [int(row.name) for page in made for row in page.rows if row.box] == list(range(1, 100))
    for sheet in (made[0], made[-1]):
        style, radius = sheet.style, sheet.style.radius
        bubbles = [(x, y) for row in sheet.rows for _, x, y in row.bubbles]
        for (x, y), (u, v) in combinations(bubbles, 2):
            assert hypot(x - u, y - v) >= 2.3 * radius, "strokes beyond one bubble would lie in the next"
        rectangles = boxes(sheet)
        for a, b in combinations(rectangles, 2):
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        for x, y in bubbles:
            assert radius < x < style.width - radius
            assert sheet.rows_top < y < style.height - 30 or not named
            for left, top, right, bottom in rectangles:
                assert hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom)) > radius * 1.4


def test_codes_say_what_they_were_given_and_damage_is_noticed() -> None:
    page = PageCode("A", "ZALRG3-AB", 17, 2, 3, True)
    assert read_code(page.text()) == page
    assert len(page.text()) <= 29, "29 characters fit version 2 at level Q"
    answer = AnswerCode("C", "ABCDEFGH", 46_000, 12)
    assert read_code(answer.text()) == answer
    assert len(answer.text()) == 16, "version 1 at level Q"
    for text, missed in ((page.text(), 0), (answer.text(), 1)):  # one character of 36 lets one change in 36 pass
        changed = [text[:n] + ("X" if text[n] != "X" else "Y") + text[n + 1 :] for n in range(len(text))]
        assert sum(read_code(other) is not None for other in changed) <= missed
    assert read_code("https://example.org") is None


def test_each_code_is_the_one_that_segno_draws_of_its_text() -> None:
    """Most codes are put together from earlier ones; each must be what the library draws."""
    rng = Random(7)
    codes = []
    for n in range(150):
        who = Candidate(rng.randrange(1, 40_000), "Ada", "a1") if n % 3 else None
        ref = "".join(rng.choice("ABCDEFGHJKLMNPQRSTUVWXYZ23456789") for _ in range(8))
        codes.append(answer_code(rng.choice("ABCD"), ref, who, rng.randrange(0, 40)))
        form = f"{ref[:6]}-{rng.choice(['A', 'Z', 'AB', 'QQQ'])}"
        codes += [
            code for sheet in drawn_sheets(rng.choice("ABCD"), form, [(1, 4, False)], who) for code in sheet.codes
        ]
    assert len(codes) == 450
    for code in codes:
        rows = segno.make(code.text, error="q", micro=False, boost_error=False, mask=3).matrix
        dark = set()
        for x, y, wide, back in re.findall(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z", code.path):
            assert wide == back
            dark |= {(int(x) + n, int(y)) for n in range(int(wide))}
        assert dark == {(x, y) for y, row in enumerate(rows) for x, on in enumerate(row) if on}, code.text


@pytest.mark.parametrize("kind", ["A", "C"])
def test_a_long_name_stands_in_two_lines_that_can_be_read(kind: str) -> None:
    """Of 90 letters, with its number, at two millimetres and more; a short one in one line, as large as there is room."""
    (long,) = drawn_sheets(kind, "ABCDEF-A", [(1, 4, False)], Candidate(1, "Maximiliane " * 7 + "Bergen", "S1234567"))
    (short,) = drawn_sheets(kind, "ABCDEF-A", [(1, 4, False)], Candidate(2, "Ada", "S2"))
    assert (len(long.who), len(short.who)) == (2, 1)
    assert " ".join(long.who).startswith("Maximiliane Maximiliane")
    assert 2 < long.who_size <= 4.2 < short.who_size
