"""A case in the terminal: plain and full screen, its clock, its log, a kill and a resume, what `score` makes of it."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from driven import ENTER, ESCAPE, Driven, F, Step, passes, says, stage
from fakes import WHO, Clock, Script
from process import log_of, quizgen, started
from shipped import BankOf

from quizgen import bank as banks
from quizgen.cases.conversation import begin_conversation
from quizgen.render.text import wrap_text
from quizgen.session import session_log
from quizgen.session.case_sitting import PHASE_ENDING_WARNING_TEXT, CaseSitting
from quizgen.session.interview import SessionRules
from quizgen.session.journal import Journal
from quizgen.terminal import open_session
from quizgen.terminal.panes import Stage
from quizgen.terminal.plain import PlainCase
from quizgen.terminal.session_screen import CaseScreen, SessionScreen

CASE = (Path(__file__).parents[1] / "cases" / "shop.yaml").read_text(encoding="utf-8")
WHOLE = [
    "How many reads?", ".", "Read replicas and a cache: I take 8 replicas.", ".", "250 per second", "A replica's row",
]  # fmt: skip


@pytest.fixture
def bank(bank_of: BankOf) -> Path:
    choice = "items:\n  - {id: a, kind: choice, stem: S, key: K, distractors: [L]}\n"
    return Path(bank_of(choice, **{"cases/shop.yaml": CASE}).required_bank.folder)


def sitting(bank: Path, clock: Clock, **rules: object) -> CaseSitting:
    case = banks.load_bank(f"{bank}/shop").named_case
    assert case is not None
    return CaseSitting(begin_conversation(case, "s"), WHO, Journal(str(bank / "s.jsonl")), clock, SessionRules(**rules))


def test_a_pipe_talks_a_case_through_and_score_agrees(bank: Path) -> None:
    """The log holds a line a turn and a response a turn; `score` finds every response, and nothing damaged."""
    quizgen("mock", "bank/shop", "--seed", "s", "--log", "s.jsonl", typed="\n".join(WHOLE) + "\n", cwd=bank.parent)
    lines = log_of(bank.parent / "s.jsonl")
    assert [line["type"] for line in lines].count("turn") == 5
    assert lines[0]["case"] == "shop"
    assert lines[-1]["reason"] == "finished"
    scored = quizgen("score", "s.jsonl", "--format", "jsonl", cwd=bank.parent)
    earned = {row["item"]: (row["earned"], row["possible"]) for row in map(json.loads, scored.stdout.splitlines())}
    assert earned == {"shop.ask": (1, 2), "shop.plan": (3, 3), "shop.lag": (1, 1), "shop.pick": (1, 1)}
    assert "damage" not in scored.stderr
    again = quizgen("debrief", "s.jsonl", cwd=bank.parent)
    assert "left out" not in again.stderr
    assert "6/7 points" in again.stdout
    assert "because you said replicas > 4" in " ".join(again.stdout.split())
    (bank.parent / "logs").mkdir(exist_ok=True)
    (bank.parent / "s.jsonl").rename(bank.parent / "logs" / "s.jsonl")
    assert "1 session" in quizgen("progress", cwd=bank.parent).stdout
    quizgen("progress", "--mistakes", "missed.html", cwd=bank.parent)
    redone = quizgen("mock", "bank/shop", "--redo", "--log", "t.jsonl", cwd=bank.parent, code=3)
    assert "no session with a response to an item" in redone.stderr


def test_a_question_in_a_text_is_answered_without_a_point(bank: Path) -> None:
    """Also before an answer of several lines; a point behind the question is not the end of the answer, a command of
    sessions alone is no part of it, and `:quit` loses none of it."""
    typed = (
        ":pause\nHow many reads?\n.\nCould you repeat that?\n.\nGive me a moment\nRead replicas.\nAnd a cache.\n:quit\n"
    )
    done = quizgen("mock", "bank/shop", "--plain", "--log", "s.jsonl", typed=typed, cwd=bank.parent)
    said = " ".join(done.stdout.split())
    assert said.count("Interviewer: What do you change?") >= 2
    assert "Interviewer: Take your time." in said
    assert "There is no :pause in a case" in said
    lines = log_of(bank.parent / "s.jsonl")
    assert all(":pause" not in str(line.get("response")) for line in lines)
    plan = [line for line in lines if line["type"] == "response" and line["item"] == "shop.plan"][-1]
    assert plan["response"] == "Read replicas.\nAnd a cache."


def test_a_turn_that_no_branch_led_to_was_not_left_out(bank: Path) -> None:
    """Three replicas lead past the turn about many: the text report does not call it not reached."""
    typed = ["How many reads?", ".", "Read replicas and a cache.", ".", "A replica's row"]
    quizgen("mock", "bank/shop", "--seed", "s", "--log", "s.jsonl", typed="\n".join(typed) + "\n", cwd=bank.parent)
    assert "Not reached" not in quizgen("score", "s.jsonl", cwd=bank.parent).stdout


def test_options_of_a_form_are_refused_and_a_name_is_a_case_or_a_blueprint(bank: Path) -> None:
    assert "--difficulty, --redo" in quizgen("mock", "bank/shop", "--difficulty", "3", cwd=bank.parent, code=2).stderr
    (bank / "blueprints").mkdir()
    (bank / "blueprints" / "shop.yaml").write_text("sections: [{count: 1}]\n", encoding="utf-8")
    assert any("a name is one or the other" in p.hint for p in banks.load_bank(str(bank)).errors)


def talked(bank: Path, *typed: str | float, **rules: object) -> tuple[CaseSitting, list[str]]:
    """The case line by line at a keyboard: the sitting, and what was shown."""
    script = Script(list(typed), True, clock=Clock())
    assert script.clock is not None
    made = sitting(bank, script.clock, **rules)
    made.log_start_or_resume()
    PlainCase(made, script).run_to_debrief()
    return made, script.shown


def test_the_box_asks_for_an_end_and_then_goes_on(bank: Path) -> None:
    """Scope has four minutes: at 80 % one more sentence is asked for, at the end what stands there is taken."""
    made, shown = talked(bank, "How many reads?", 200.0, "How large is it?", 60.0, "Read replicas.", 500.0)
    assert PHASE_ENDING_WARNING_TEXT in shown
    assert "Interviewer: Let us move on." in shown
    assert made.conversation.turn_response_text("ask") == "How many reads?\n\nHow large is it?"
    # Typed, and no point behind it, when the time was over:
    assert made.conversation.turn_response_text("plan") == "Read replicas."
    assert made.seconds_by_phase_id["scope"] == pytest.approx(240, abs=1.5)


def test_untimed_never_moves_on_and_more_time_is_said_everywhere(bank: Path) -> None:
    shown = talked(bank, 5000.0, ":time", "How many reads?", ".", is_timed=False)[1]
    assert "Untimed in “Scope”." in shown
    assert "Interviewer: Let us move on." not in shown
    typed, log = "How much time is left?\n:quit\n", bank.parent / "t.jsonl"
    done = quizgen("mock", "bank/shop", "--time-multiplier", "1.5", "--log", str(log), typed=typed, cwd=bank.parent)
    said = " ".join(f"{done.stdout} {quizgen('debrief', str(log), cwd=bank.parent).stdout}".split())
    assert "15 minutes: Scope 6, Design 9." in said
    assert "All 6 minutes are left for part 1 of 2, “Scope”, and 9 for" in said
    assert said.count("of 6:00") == 2


def test_said_tells_facts_and_numbers(bank: Path) -> None:
    _, shown = talked(bank, "How many reads?", ":said", ".", "I take 2 replicas.", ":said", ":quit")
    assert shown.count("2,000 reads a second.") == 2  # by :said alone; the interviewer's has a name before it
    assert "2 replicas" not in shown  # not said yet: the answer is not ended


def top(state: SessionScreen) -> str:
    return state.pane_body(79).lines[state.first_visible_row].rstrip()


def keep(into: list[str], look: Callable[[SessionScreen], str]) -> Callable[[SessionScreen], None]:
    return lambda state: into.append(look(state))


def shown(state: SessionScreen) -> str:
    return "\n".join(state.pane_body(79).lines)


def case(bank: Path, *steps: Step, **rules: object) -> Driven:
    """The full screen of the case, its clock started."""
    return Driven(CaseScreen(sitting(bank, Clock(), **rules)), [ENTER, *steps])


def test_full_screen_talks_and_debriefs(bank: Path) -> None:
    """Enter asks, F7 goes on, F5 says; the debrief follows the last turn and q leaves."""
    seen: list[str] = []
    look = keep(seen, shown)
    done = case(
        bank, "\x1bk", "How many reads?\r", look, F[7], "Read replicas and a cache: I take 8 replicas.", F[5], look, "250\r",
        "A replica's row\r", look, "\r", "q",
    )  # fmt: skip
    assert "2,000 reads a second." in seen[0]
    assert "kHow" not in seen[0]  # Alt-K is bound in sessions alone
    assert "With 8 replicas" in seen[1]
    assert "6/7 points" in seen[2]
    assert (done.code, done.lines[-1]["reason"]) == (0, "finished")
    over = sitting(bank, Clock())  # resumed after its last turn
    over.conversation = done.sitting.conversation
    Driven(CaseScreen(over), [ENTER, stage(Stage.DEBRIEF)])


def test_the_clock_waits_for_the_brief_and_gives_nothing_back(bank: Path) -> None:
    """The case, its parts and its rules are read before the first part's time runs. The time since the last words is
    gone, also for a resume and in the debrief of the log."""
    made = sitting(bank, Clock())

    def wait(state: SessionScreen) -> None:
        assert "Scope 4" in shown(state)
        assert "Interviewer:" not in shown(state)
        made.clock.tick(300)
        state.tick()

    Driven(CaseScreen(made), [wait, ENTER, stage(Stage.TALK), passes(200), "\x03", "s"])
    loaded, journal = banks.load_bank(str(bank)).required_bank, Journal(made.journal.path)
    (logged,) = session_log.sessions_in_log_content(journal.content_at_opening)
    back = open_session.resume_sitting(logged, loaded, journal, Clock(), allows_changed_bank=True)
    assert back.phase_seconds_left() == pytest.approx(40, abs=0.1)
    back.end_session("quit")
    (logged,) = session_log.sessions_in_log_content(Path(journal.path).read_bytes())
    assert "3:20 of 4:00" in "".join(open_session.debrief_of_logged_session(logged, loaded).text_lines(80))


def test_the_debrief_goes_turn_by_turn(bank: Path) -> None:
    """n and p put a turn at the top."""
    tops: list[str] = []
    look = keep(tops, top)
    talk = ["How many reads?\r", F[7], "Read replicas and a cache: I take 8 replicas.", F[5], F[10], "e"]
    case(bank, *talk, look, "p", look, "n", look, "n", look, "p", look, "p", look, "q")
    assert tops[:3] == ["A shop that grows (senior)", "A shop that grows (senior)", "-- ask (Scope)"]
    assert tops[4:] == ["-- ask (Scope)", tops[0]]


def test_one_key_does_not_end_an_interview(bank: Path) -> None:
    """F10 asks; Esc goes on, e ends it with the debrief. The interviewer's warning waits for the answer."""
    wait = [passes(195), says("e ends it"), ESCAPE, stage(Stage.TALK), passes(1), says("One more sentence")]
    talk = ["How many reads?\r", F[10], "e", stage(Stage.DEBRIEF), "q"]
    done = case(bank, F[10], stage(Stage.LEAVE), *wait, *talk)
    assert done.lines[-1]["reason"] == "quit"


def test_what_was_said_is_told_in_as_many_lines_as_it_takes(bank: Path) -> None:
    """F3: every fact that was told, nothing cut off at the edge of 80 columns; the footer names each key."""
    seen: list[str] = []

    def foot(state: SessionScreen) -> str:
        return "\n".join([*wrap_text(state.message_or_input_status(), 78, " "), state.footer_text(80)])

    look = keep(seen, foot)
    case(bank, "How many reads?\r", F[7], "I take 2 replicas, and " + "so on " * 30, F[3], look)
    assert all(len(line) <= 80 for text in seen for line in text.split("\n"))
    assert "2,000 reads a second." in " ".join(seen[0].split())
    assert "^C leave" in seen[0]


def test_kill_9_and_resume_go_the_same_way_with_what_was_begun(bank: Path) -> None:
    """What was said before the kill counts, words that were begun are continued, and the same turns follow."""
    draft = bank.parent / "s.jsonl.draft"
    running = started(
        "mock", "bank/shop", "--seed", "s", "--log", "s.jsonl", typed="How many reads?\n.\nRead replicas\n", cwd=bank.parent,
        until=lambda: draft.exists() and "Read replicas" in draft.read_text(),
    )  # fmt: skip
    running.kill()
    running.communicate()
    rest = "and a cache: I take 8 replicas.\n.\n250 per second\nA replica's row\n"
    back = quizgen("mock", "--resume", "s.jsonl", typed=rest, cwd=bank.parent)
    assert "You had begun: Read replicas" in back.stdout
    assert "6/7 points" in back.stdout
    lines = log_of(bank.parent / "s.jsonl")
    assert [line["type"] for line in lines].count("resume") == 1
    plan = [line["response"] for line in lines if line["type"] == "response" and line["item"] == "shop.plan"]
    assert plan[-1] == "Read replicas\nand a cache: I take 8 replicas."


def test_the_way_back_into_a_case_can_be_copied(bank: Path, tmp_path: Path) -> None:
    """The line that a case leaves behind runs as it stands, also where quizgen is on no path and a name has a blank."""
    left = quizgen(
        "mock", f"{bank}/cases/shop.yaml", "--log", "a talk.jsonl", typed="How many reads?\n:leave\n", cwd=tmp_path
    )
    back = shlex.split(left.stderr.partition("Continue with: ")[2])
    done = subprocess.run(back, input=":quit\n", cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "So far:" in done.stdout
    assert "2,000 reads a second." in done.stdout
