"""Everything that was found for one criterion, before it is weighed."""

from __future__ import annotations

from typing import NamedTuple

from quizgen.rubric.context.numbers import NumberFinding
from quizgen.rubric.context.polarity import Stance
from quizgen.rubric.reading.match import Window

Put = tuple[Window, Stance]


class Finding(NamedTuple):
    """What one criterion's phrases and number found. `partly` are phrases of which something is there; `crossed` what
    is said of a rival, with the reason; `echoed` copies the stem's own words."""

    accepts: tuple[Put, ...]
    rejects: tuple[Put, ...]
    partly: tuple[int, ...]
    crossed: tuple[tuple[Window, str], ...]
    numbers: tuple[NumberFinding, ...]
    echoed: tuple[Window, ...]
