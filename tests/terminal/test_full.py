"""The full screen: responses, probes and aids, key by key; the session and its log come out."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from driven import DOWN, ENTER, ESCAPE, F, Full, fruit, note_of, says, stage
from fakes import Clock, form, item

from quizgen import bank as banks
from quizgen.draw import Stream
from quizgen.model import Entry, Form
from quizgen.session.interview import Mode
from quizgen.terminal.panes import Stage
from quizgen.terminal.session_screen import SessionScreen


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "s.jsonl"


def test_a_whole_session(log: Path) -> None:
    done = Full(
        log,
        fruit(),
        [
            stage(Stage.BRIEF), ENTER, stage(Stage.ITEM), "b", ENTER, stage(Stage.CONFIDENCE), "5",
            "4", ENTER, ENTER, "an apple", ENTER, "a pear", F[5], "3", stage(Stage.REVIEW), "f",
            stage(Stage.DEBRIEF), "q",
        ],
    )  # fmt: skip
    assert done.responses == ["yes", "4", "an apple\na pear"]
    assert [line.get("confidence") for line in done.lines[1:4]] == [5, None, 3]
    assert done.lines[-1]["reason"] == "finished"
    assert done.code == 0


NUMBER, TEXT = form(item("n", "number")), form(item("t", "text"))
SHORT: list[tuple[Form, list[str | Callable[[SessionScreen], None]], list[str]]] = [
    (fruit(), [DOWN, DOWN, ENTER, "1"], ["never"]),
    (NUMBER, ["4", says("reads as 4", "4"), "x", says("not yet readable", "4x")], []),
    (NUMBER, ["four", ENTER, says("costs nothing"), stage(Stage.ITEM)], []),
    (TEXT, ["apple", "\x17", "pear", F[5], "5", ESCAPE], ["pear"]),
    (TEXT, ["apple", "\x17", "\x1f", F[5], "5", ESCAPE], ["apple"]),
    (TEXT, ["an apple", F[8], "2 + 2", F[8], F[5], "4", ESCAPE], ["an apple"]),
    (TEXT, ["an apple", F[5], "4", stage(Stage.PROBE), "sorry?", F[5], says("Follow-up: "), "wait a moment", F[5], says("Take your"),
            "what do you mean by links?", F[5], says("A wire."), "may I assume two?", F[5], says("Yes, assume that"), "a pear", F[1], stage(Stage.HELP), ESCAPE, " too", F[5]], ["an apple", "an apple\n\na pear too"]),
]  # fmt: skip


@pytest.mark.parametrize(("made", "steps", "responses"), SHORT)
def test_keys_make_responses(
    log: Path, made: Form, steps: list[str | Callable[[SessionScreen], None]], responses: list[str]
) -> None:
    """Arrows, the echo of a number, undo, the scratch pane, and a probe beneath talk about the talk, questions and the help."""
    done = Full(log, made, [ENTER, *steps])
    assert done.responses == responses
    assert done.lines[-1].get("scratch") == ("2 + 2" if F[8] in steps else None)


@pytest.mark.parametrize("size", [100, 6000, 20_000])
def test_a_paste_arrives_byte_for_byte(log: Path, size: int) -> None:
    """Bracketed paste, many lines, characters of every width."""
    text = ("line with ünïcode 漢字 and \ttabs, 'quotes' \\ and $5\n" * 1000)[:size].rstrip()
    done = Full(log, form(item("t", "text")), [ENTER, f"\x1b[200~{text}\x1b[201~", F[5], ENTER, ESCAPE])
    assert done.responses[0] == text


def test_skip_flag_and_come_back(log: Path) -> None:
    def flagged(state: SessionScreen) -> None:
        assert state.session.place.flagged

    done = Full(
        log,
        fruit(),
        [ENTER, F[4], flagged, F[7], F[7], F[7], stage(Stage.REVIEW), ENTER, "b", ENTER, "4", stage(Stage.REVIEW)],
    )
    assert done.responses == ["", "", "", "yes"]
    assert done.lines[4]["flagged"] is True


def test_a_hint_is_offered_with_its_cost_first(log: Path) -> None:
    made = form(item("c", hints=("look up",)))

    def taken(state: SessionScreen) -> None:
        assert any("Hint 1: look up" in line for line in state.body(60).lines)

    done = Full(
        log, made, [ENTER, F[2], stage(Stage.HINT), says("takes 10 %"), "n", F[2], "y", taken, F[2], says("no further")]
    )
    assert done.sitting.session.place.hints == 1


def test_practice_shows_the_solution_after_each_item(log: Path) -> None:
    def solved(state: SessionScreen) -> None:
        assert "Solution of c." in state.body(60).lines

    done = Full(
        log,
        fruit(),
        [ENTER, "a", ENTER, "4", stage(Stage.FEEDBACK), solved, ENTER, F[12], "y", stage(Stage.FEEDBACK)],
        mode=Mode.PRACTICE,
    )
    assert done.responses == ["no", ""]


def test_follow_ups_come_next(log: Path) -> None:
    done = Full(
        log, form(item("c", follow_ups=("extra",)), item("n", "number")), [ENTER, "b", ENTER, "4", "b", ENTER, "4"]
    )
    assert [line["item"] for line in done.lines[1:]] == ["c", "extra"]


def test_help_lies_on_every_screen_and_gives_it_back(log: Path) -> None:
    """The brief, confidence, a hint's offer, feedback, the review, the pause, leaving, finishing, the debrief."""

    def help_on(wanted: Stage, *words: str) -> list[str | Callable[[SessionScreen], None]]:
        before: list[tuple[str, ...]] = []

        def look(state: SessionScreen) -> None:
            before.append((*state.body(60).lines, note_of(state, "")))

        def listed(state: SessionScreen) -> None:
            assert state.stage is Stage.HELP
            shown = "\n".join(state.body(60).lines)
            assert all(word in shown for word in words), shown
            assert note_of(state, "") == ""

        def same(state: SessionScreen) -> None:
            assert state.stage is wanted
            assert (*state.body(60).lines, note_of(state, "")) == before[0]

        return [stage(wanted), look, F[1], listed, ESCAPE, same, F[1], listed, F[1], same]

    Full(
        log, form(item("c", hints=("Think.",)), item("n", "number")),
        [
            *help_on(Stage.BRIEF, "start the clock", "At an item:"), ENTER,
            *help_on(Stage.ITEM, "F2 or ^T"), F[2],
            *help_on(Stage.HINT, "take it", "F2 or ^T"), "n", "b", ENTER,
            *help_on(Stage.CONFIDENCE, "rather not say"), "3",
            *help_on(Stage.FEEDBACK, "next item", "F12"), ENTER, F[9],
            *help_on(Stage.PAUSED, "go on"), "\x03",
            *help_on(Stage.LEAVE, "keep for later"), ESCAPE, stage(Stage.PAUSED), ENTER, F[10],
            *help_on(Stage.REVIEW, "finish"), "f",
            *help_on(Stage.FINISH, "back to the review"), "f",
            *help_on(Stage.DEBRIEF, "redo missed", "scroll"), F[1], "\x03",
        ],
        mode=Mode.PRACTICE,
    )  # fmt: skip


def test_the_session_ends_beneath_the_help(log: Path) -> None:
    def late(state: SessionScreen) -> None:
        assert isinstance(state.sitting.clock, Clock)
        for _ in range(601):
            state.sitting.clock.tick(1)
            state.pulse()
        assert state.stage is state.beneath is Stage.DEBRIEF

    Full(log, fruit(), [ENTER, F[1], stage(Stage.HELP), late])


def test_leaving_shows_what_was_on_the_screen(log: Path) -> None:
    """A pause hides the item, and still does while leaving is asked about."""

    def hidden(state: SessionScreen) -> None:
        assert "Paused" in " ".join(state.body(60).lines)

    Full(log, fruit(), [ENTER, F[9], "\x03", stage(Stage.LEAVE), hidden])


def test_a_review_with_nothing_open_says_that_enter_finishes(log: Path) -> None:
    def told(state: SessionScreen) -> None:
        assert "Enter finishes." in " ".join(state.body(60).lines)
        assert state.footer(80) == " Enter finish  1-9 go to a number  F1 help"

    Full(log, form(item("c")), [ENTER, "b", ENTER, "5", stage(Stage.REVIEW), told, ENTER, stage(Stage.DEBRIEF)])


def test_a_closed_item_shows_its_solution_again(log: Path) -> None:
    def closed(state: SessionScreen) -> None:
        assert "F12 shows it again" in " ".join(state.body(60).lines)
        assert note_of(state, "") == "Enter goes on."
        assert "Enter next  ^C leave  F12 solution" in state.footer(80)

    def solved(state: SessionScreen) -> None:
        assert "Solution of c." in state.body(60).lines

    done = Full(
        log, form(item("c"), item("n", "number")),
        [ENTER, "b", ENTER, "3", stage(Stage.FEEDBACK), ENTER, F[6], closed, F[12], stage(Stage.FEEDBACK), solved, ENTER,
         stage(Stage.ITEM), "4", ENTER, "3"],
        mode=Mode.PRACTICE,
    )  # fmt: skip
    assert done.responses == ["yes", "4"]


def test_strict_help_names_no_pause(log: Path) -> None:
    def listed(state: SessionScreen) -> None:
        assert not any("F9" in line or "F12" in line for line in state.body(60).lines)

    Full(log, fruit(), [ENTER, F[1], listed], mode=Mode.STRICT)


def test_a_probe_is_what_its_author_wrote(log: Path) -> None:
    """`probe:` of the criterion that was missed, from a bank."""
    loaded = banks.load(str(Path(__file__).parent / "bank")).bank
    assert loaded is not None
    variant = loaded.items["tp-inside-node"].draw(Stream("tp-inside-node", "1"))
    made = Form("T", "", "1", Fraction(10), (Entry(variant),))
    typed = "all-reduce in every layer, on the critical path"

    def asked(state: SessionScreen) -> None:
        shown = state.body(60).lines
        assert any("Follow-up: And what about the links themselves?" in line for line in shown)
        assert f"| {typed}" in shown, "what was answered is in sight"

    Full(log, made, [ENTER, typed, F[5], "4", stage(Stage.PROBE), asked])


def test_a_response_tells_how_to_submit_it(log: Path) -> None:
    def says_letter(state: SessionScreen) -> None:
        assert note_of(state, "") == "B taken. Enter submits."

    def says_words(state: SessionScreen) -> None:
        assert note_of(state, "an apple") == "2 words. F5 or Ctrl-D submits, ^_ undoes, Alt-_ redoes."
        assert note_of(state, "x" * 70_000) == "Too long: only the first 65,536 characters count."

    Full(log, form(item("c")), [ENTER, "b", says_letter])
    Full(log.with_name("t.jsonl"), form(item("t", "text")), [ENTER, says_words])
