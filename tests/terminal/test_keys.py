"""The table of keys: every row names what there is, on both faces of the full screen."""

from __future__ import annotations

import pytest

from quizgen.terminal.case_faces import CaseScreen
from quizgen.terminal.disputes import DisputeState
from quizgen.terminal.keys import KEYS
from quizgen.terminal.session_screen import SessionScreen


@pytest.mark.parametrize("state", [SessionScreen, CaseScreen])
def test_every_key_does_something_that_there_is(state: type[SessionScreen]) -> None:
    set_by_the_application = set(SessionScreen.__annotations__)
    for key in KEYS:
        for name in filter(None, (key.action, key.when)):
            part, _, method = name.rpartition(".")
            of = DisputeState if part == "disputing" else state
            assert hasattr(of, method) or name in set_by_the_application, name
