"""Words stay whole in the editor: the library cuts a long line wherever a row ends.

Blanks are shown, never typed, in front of a word that would not fit on its row.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.formatted_text.utils import fragment_list_to_text
from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput
from prompt_toolkit.layout.screen import Char
from prompt_toolkit.layout.utils import explode_text_fragments

_PIECES = re.compile(r"\s+|\S+")


class WordWrap(Processor):
    """Fills a row with blanks before a word that begins on it and would end on the next."""

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        fragments, width = transformation_input.fragments, transformation_input.width
        text = fragment_list_to_text(fragments)
        gaps = breaks(text, width)
        if not gaps:
            return Transformation(fragments)
        shown: StyleAndTextTuples = []
        exploded = explode_text_fragments(fragments)
        start = 0
        for at, blanks in gaps:
            shown += [*exploded[start:at], ("", " " * blanks)]
            start = at
        shown += exploded[start:]
        starts = [at for at, _ in gaps]
        sums = [0]
        for _, blanks in gaps:
            sums.append(sums[-1] + blanks)
        # Where each gap ends on the screen: behind it everything is `sums` columns further.
        ends = [at + total for at, total in zip(starts, sums[1:], strict=True)]

        def to_screen(at: int) -> int:
            return at + sums[bisect_right(starts, at)]

        def to_text(at: int) -> int:
            passed = bisect_right(ends, at)
            back = at - sums[passed]
            return min(back, starts[passed]) if passed < len(starts) else back

        return Transformation(shown, to_screen, to_text)


def breaks(text: str, width: int) -> list[tuple[int, int]]:
    """Where blanks go and how many, so that no word that fits on a row is cut by its end."""
    gaps: list[tuple[int, int]] = []
    used = 0
    for piece in _PIECES.finditer(text) if width > 0 else ():
        sizes = [_columns(c) for c in piece[0]]
        if not piece[0].isspace() and 0 < used < width < used + sum(sizes) and sum(sizes) <= width:
            gaps.append((piece.start(), width - used))
            used = width
        for size in sizes:
            used = size if used + size > width else used + size
    return gaps


def _columns(char: str) -> int:
    return 1 if " " <= char <= "~" else Char(char).width
