"""The debrief of a case, as lines and as a page: by phase, by signal, and the whole conversation beside the words of a
strong candidate."""

from __future__ import annotations

from typing import Any

from quizgen.cases.case import Branch
from quizgen.cases.judge import Judgement, PhaseOrSignalPoints
from quizgen.cases.talk import branch_reason_text
from quizgen.render.debrief import points_ratio_text
from quizgen.render.debrief_html import DEBRIEF_STYLE_FILES
from quizgen.render.html import jinja_environment, page_template_values
from quizgen.render.text import plain_text_template
from quizgen.source.problems import clock_text, up_to_2_decimals


def case_heading_lines(judgement: Judgement) -> list[str]:
    """The lines with the case's title, its result, and a sentence on the result."""
    case = judgement.conversation.case
    title = f"{case.title} ({case.intended_seniority_text})" if case.intended_seniority_text else case.title
    points, level = points_ratio_text(judgement.earned_points, judgement.possible_points), judgement.independence_text
    return [title, f"{points} points. {level[0].upper()}{level[1:]}."]


def case_debrief_template_values(judgement: Judgement) -> dict[str, Any]:
    """The values for the templates of the page and of the lines."""
    talk = judgement.conversation
    unasked_facts = [fact.fact_text for fact in judgement.unasked_facts_worth_points]
    branches = [untaken_branch_sentence(judgement, branch) for branch in judgement.untaken_branches_of_met_turns]
    return {
        "judged": judgement,
        "case": talk.case,
        "heading": case_heading_lines(judgement),
        "lists": [("Never asked for", unasked_facts), ("Where another answer leads", branches)],
        "lines": lambda turn: [line for line in talk.lines if line.turn_id == turn.id],
        # The author of a choice or numeric turn rarely writes a strong candidate's words.
        "strong": lambda turn: (
            turn.model_answer
            or (f"{talk.item_variant_of_turn(turn.id).key_text()}." if turn.kind in ("choice", "numeric") else "")
        ),
        "marks": lambda turn: [p for p in judgement.criterion_points if p.turn_id == turn.id and p.mark.possible > 0],
        "whose": {"interviewer": "Interviewer", "candidate": "You"},
        "quiet": ("", "the opening", "the next turn"),  # these reasons are not shown
        "named": lambda point: point.mark.criterion_id.replace("-", " "),
        "of": points_ratio_text,
    }


def case_debrief_page_html(judgement: Judgement) -> str:
    """The whole debrief as one HTML page."""
    page = page_template_values(DEBRIEF_STYLE_FILES, ())
    return jinja_environment().get_template("case.html").render(case_debrief_template_values(judgement), page=page)


def case_debrief_lines(judgement: Judgement, width: int) -> list[str]:
    """The whole debrief in lines of at most `width` columns."""

    def tally_line(tally: PhaseOrSignalPoints, has_time: bool = False) -> str:
        times = f"  {clock_text(tally.spent_seconds)} of {clock_text(float(tally.allowed_minutes) * 60)}"
        points, unprompted = points_ratio_text(tally.earned_points, tally.possible_points), tally.unprompted_points
        unasked_part = f"  ({up_to_2_decimals(unprompted)} unasked)" if tally.earned_points > unprompted else ""
        return f"  {tally.title:<38.38} {points:>9}{times * has_time}{unasked_part}"[:width]

    template = plain_text_template("case.txt", width, row=tally_line)
    return template.render(case_debrief_template_values(judgement)).split("\n")[:-1]


def untaken_branch_sentence(judgement: Judgement, branch: Branch) -> str:
    """A sentence: the answer that would have led along a branch to another turn, and the question of that turn. Numbers
    of the candidate appear as their names."""
    talk = judgement.conversation
    question = talk.case.turn_by_id(branch.next_turn_id).question_template
    for bound in branch.condition.number_tests if branch.condition is not None else ():
        question = question.replace(f"{{{bound.commitment_id}}}", "that many")
    condition = branch_reason_text(branch, talk.case).replace("you said", "you say")
    return f"If {condition}: {talk.case.fill_committed_numbers_into_text(question, talk.number_by_commitment)}"
