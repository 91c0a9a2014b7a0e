"""The debrief of a case as one self-contained page: the whole talk beside a strong candidate's words."""

from __future__ import annotations

from quizgen.cases.judge import Judgement
from quizgen.render.case_text import shown
from quizgen.render.debrief_html import STYLES
from quizgen.render.html import environment
from quizgen.render.page import page


def case_page(judged: Judgement) -> str:
    """The page as text."""
    return environment().get_template("case.html").render(page=page(STYLES, ()), **shown(judged))
