"""What a candidate is told about a response, as pieces of a line.

The reason of an option is its author's and is Markdown, as the option is. Any other remark may
quote the candidate, so that nothing in it is a mark but a pair of backquotes around code.
"""

from __future__ import annotations

import re

from quizgen.blocks import CodeSpan, Inline, Text
from quizgen.markdown import inline

_CODE = re.compile(r"`([^`\n]+)`")


def remark(text: str, of_option: bool) -> tuple[Inline, ...]:
    """`of_option`: the reason of an option that was taken."""
    if of_option:
        return inline(text)
    made: list[Inline] = []
    for number, piece in enumerate(_CODE.split(text)):
        if piece:
            made.append(CodeSpan(piece) if number % 2 else Text(piece))
    return tuple(made)
