"""The debrief: what a session comes to, as values, as text and as a page."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from html import unescape
from pathlib import Path

import pytest
from fakes import form, item, noted
from shipped import BankOf

from quizgen import bank as banks
from quizgen.draw import SeededRng
from quizgen.model import Form, FormEntry, Response, Variant
from quizgen.render.debrief import debrief_of_session
from quizgen.render.debrief_html import debrief_page_html
from quizgen.render.debrief_text import debrief_lines, practice_feedback_lines
from quizgen.session import interview
from quizgen.session.interview import Interview, SessionRules
from quizgen.source.problems import clock_text

from .made import Page


def session() -> Interview:
    """Four items: right and unsure, wrong and sure and late, half a text, and one never reached."""
    made = form(
        item("a", topic="fruit"),
        item("b", "number", topic="trees", source="A book"),
        item("c", "text", topic="trees"),
        item("a-rather-long-name-of-an-item-of-some-bank", topic="a-topic-with-a-long-name-as-well"),
        pass_share=Fraction(1, 2),
    )
    one = interview.new_session(made, SessionRules()).start_clock(0.0)
    one = noted(one, confidence=2).record_response("yes", 30.0)
    one = one.go_to_item(1, 30.0)
    one = one.advance_clock(100.0, counts_long_gap_as_away=False)
    one = noted(one, confidence=5).record_response("7", 110.0)
    return one.go_to_item(2, 110.0).record_response("there is a pear <b>&", 120.0).end_session(121.0, "time")


def sat(made: Form, *responses: Response, confidence: int | None = None) -> Interview:
    """A session in which the first items were answered, each within five seconds; without a response it was not begun."""
    one = interview.new_session(made, SessionRules())
    for at, response in enumerate(responses):
        one = one.go_to_item(at, 10.0 * at) if at else one.start_clock(0.0)
        one = noted(one, confidence=confidence).record_response(response, 10.0 * at + 5)
    return one.end_session(100.0, "quit")


@pytest.mark.parametrize("width", [39, 59, 60, 100])
def test_the_text_says_it_all_and_fits(width: int) -> None:
    lines = debrief_lines(debrief_of_session(session()), width)
    text = " ".join(" ".join(lines).split())
    assert all(len(line) <= width for line in lines)
    for piece in (
        "Score: 3 of 6 points (50 %) - passed (pass mark 50 %)", "Band: Above. Go.", "trees 50 % 2 items", "fruit 100 % 1 item",
        "Time was over. 1 of 4 items was not reached (1 point).", "b: 1:11 where 1:00 was planned", "Source: A book",
        "you claimed 60 %, earned 50 %",  # 30 % and 90 %
        "confident and wrong: 2. b", "unsure and right: 1. a", "+ b 2/2 it says so", "By topic, the weakest first:", "- a 0/1",
        "Solution of c.", "Why: because", "Work on: trees (50 %).", "Redo now: 2. b, 3. c.",
    ):  # fmt: skip
        assert piece in text, piece
    assert "Solution of a." in text  # right at confidence 2: the reason is worth a look


@pytest.mark.parametrize(
    ("responses", "told"),
    [
        (("yes", "4"), "Nothing to redo: every item earned full points. A new session draws items that you have not"),
        (("yes",), "Nothing to redo: what was reached earned full points. A new session draws items"),
        ((), "Nothing to redo: no item was reached. Begin a new session."),
        (("no",), ""),
    ],
)
def test_where_nothing_was_missed_the_debrief_leads_on(responses: tuple[str, ...], told: str) -> None:
    """In the same words on a screen and on a page."""
    debrief = debrief_of_session(sat(form(item("a"), item("b", "number")), *responses))
    for text in (" ".join(debrief_lines(debrief, 60)), debrief_page_html(debrief)):
        shown = " ".join(text.split())
        assert told in shown
        assert ("Nothing to redo" in shown) == bool(told)


def test_a_time_is_the_same_on_the_screen_and_in_the_debrief() -> None:
    """The screen said 0:37 where the debrief said 0:38, and 1:02:09 where it said 62:09."""
    shown = [clock_text(seconds) for seconds in (0.9, 37.6, 59.99, 245, 3729, -1)]
    assert shown == ["0:00", "0:37", "0:59", "4:05", "1:02:09", "0:00"]


def test_the_page_stands_alone() -> None:
    text = debrief_page_html(debrief_of_session(session()))
    page = Page(text)
    assert re.findall("<mark>(.*?)</mark>", text) == ["pear"]
    assert len(page.all("svg")) == 4
    assert not page.all("script")
    loading = ("href", "src", "action", "style")  # attributes that could load something
    named = [(name, value) for _, attributes in page.tags for name, value in attributes.items()]
    loaded = [value for name, value in named if name in loading or name.startswith("on")]
    assert all(value.startswith("#item-") for value in loaded)
    assert "&lt;b&gt;&amp;" in text
    assert "default-src 'none'" in unescape(text)


def bank_session(name: str, response: str) -> Interview:
    """A session of one item of the bank of the tests of the terminal."""
    loaded = banks.load_bank(str(Path(__file__).parents[1] / "terminal" / "bank")).required_bank
    return answered(loaded.items[name].draw(SeededRng(name, "t")), response)


def test_a_criterion_stands_beside_the_candidates_words() -> None:
    """What its author wants to hear, the words that met it, and the model answer; no phrase list. Of options the one
    that was taken is marked."""
    one = bank_session("tp-inside-node", "It does an all-reduce in every layer.")
    text = " ".join(" ".join(debrief_lines(debrief_of_session(one), 100)).split())
    assert "+ every-layer 2/2 It communicates in every layer, on the critical path." in text
    assert '"all-reduce in every layer"' in text
    assert "- bandwidth 0/1 NVLink has several times the bandwidth of the network between nodes." in text
    assert "Model answer" in text
    assert "communicat…" not in text, "the rubric's phrases are the author's"
    page = debrief_page_html(debrief_of_session(one))
    assert "It communicates in every layer" in page
    assert "communicat…" not in page
    text = " ".join(" ".join(debrief_lines(debrief_of_session(bank_session("fp16-bytes", "4")), 100)).split())
    assert "distractor, yours" in text
    assert text.count("yours") == 1


def test_a_wrong_response_in_no_time_is_told() -> None:
    """The budget is 60 s: under 15 s and wrong is rushed; 15 s is not, nor is a right one."""
    one = interview.new_session(form(item("a"), item("b"), item("c")), SessionRules()).start_clock(0.0)
    one = one.advance_clock(14.0, counts_long_gap_as_away=False).record_response("no", 14.0)
    one = one.go_to_item(1, 14.0).advance_clock(29.0, counts_long_gap_as_away=False)
    one = one.record_response("no", 29.0)
    one = one.go_to_item(2, 29.0).record_response("yes", 30.0)
    assert [r.state.item.id for r in debrief_of_session(one.end_session(30.0, "quit")).three_rushed_mistakes] == ["a"]


def test_certainty_that_was_right_is_not_blamed_nor_is_a_tendency_seen_in_few_items() -> None:
    for confidence, responses, tendency in (
        (5, ["yes"] * 5, "about right"),  # 90 % is the most that one can claim
        (1, ["no"] * 5, "about right"),
        (3, ["yes"] * 5, "too unsure"),
        (5, ["yes", "no", "no", "no", "no"], "too sure"),
        (3, ["yes"] * 4, "too few items to judge by"),
    ):
        made = form(*(item(f"i{n}") for n in range(len(responses))))
        assert debrief_of_session(sat(made, *responses, confidence=confidence)).calibration.tendency_phrase == tendency


def test_a_share_is_never_rounded_over_a_mark_it_misses() -> None:
    """597 of 1000 is 60 % when rounded, and under a pass mark of 60 %."""
    made = debrief_of_session(session())
    assert made.percent_text == "50 %"
    one = made.results[0]
    mark = replace(one.score.marks[0], earned=one.possible_points * Fraction(597, 1000))
    score = replace(one.score, marks=(mark,))
    for pass_mark, text in ((60, "59.7 %"), (61, "60 %")):
        limited = replace(made.form, pass_share=Fraction(pass_mark, 100))
        assert replace(made, form=limited, results=(replace(one, score=score),)).percent_text == text


def test_a_follow_up_that_was_never_shown_leaves_no_gap_in_the_numbers() -> None:
    """It came in between the first item and the second, and the session ended before it."""
    (extra,) = form(item("extra")).entries
    made = form(item("a"), item("b"), item("c"))
    one = interview.new_session(made, SessionRules(wants_probes=True)).start_clock(0.0)
    one = one.record_response("yes", 5.0)
    one = one.insert_follow_ups([extra])
    assert [p.form_entry.variant.item.id for p in one.item_states] == ["a", "extra", "b", "c"]
    debrief = debrief_of_session(one.go_to_item(2, 5.0).record_response("no", 9.0).end_session(10.0, "quit"))
    assert [(r.item_number_text, r.state.item.id) for r in debrief.results] == [("1", "a"), ("2", "b"), ("3", "c")]


def answered(variant: Variant, given: Response) -> Interview:
    """A session of one item with its response."""
    return sat(replace(form(item("a")), entries=(FormEntry(variant, 0),)), given)


def test_an_option_with_maths_is_shown_as_it_was_on_the_page(bank_of: BankOf) -> None:
    other = '{text: "`x` or $x^2$", because: "That is `x` twice, as $x^2$."}'
    items = f"items: [{{id: square, kind: choice, stem: What is it?, key: $2x$, distractors: [{other}]}}]"
    one = answered(bank_of(items).required_bank.items["square"].draw(SeededRng("square", "s")), "`x` or $x^2$")
    shown = debrief_lines(debrief_of_session(one))
    assert "You: `x` or x²" in shown
    assert "Why: That is `x` twice, as x²." in shown
    page = debrief_page_html(debrief_of_session(one))
    assert '<div class="given"><code>x</code> or <math' in page
    assert '<p class="why">That is <code>x</code> twice, as <math' in page


def test_several_options_say_how_their_points_are_counted(bank_of: BankOf) -> None:
    """One of two keys and one of two distractors: two of four judged rightly, so half a point."""
    items = "items: [{id: even, kind: choice, policy: each, stem: Even?, key: [two, four], distractors: [three, five]}]"
    variant = bank_of(items).required_bank.items["even"].draw(SeededRng("even", "s"))
    for given, told in ((("two", "three"), True), (("two", "four"), False), ("", False)):
        shown = practice_feedback_lines(answered(variant, given).item_states[0])
        assert told == ("~ key 0.5/1  1 of 2 keys chosen, 1 wrong; 2 of 4 options judged rightly" in "\n".join(shown))
