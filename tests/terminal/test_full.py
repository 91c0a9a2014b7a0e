"""The full screen without a terminal: keys go in through a pipe, the session and its log come out."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from fakes import WHO, Clock, form, item
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import to_formatted_text
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.layout import BufferControl
from prompt_toolkit.layout.processors import TransformationInput
from prompt_toolkit.output import DummyOutput

from quizgen import bank as banks
from quizgen import interview
from quizgen.draw import Stream
from quizgen.interview import Mode, Phase, Rules
from quizgen.log import records
from quizgen.log.journal import Journal
from quizgen.model import Entry, Form
from quizgen.terminal.full.layout import Screen
from quizgen.terminal.full.panes import Stage, header
from quizgen.terminal.full.room import Room
from quizgen.terminal.full.run import alive, application
from quizgen.terminal.full.view import body, note
from quizgen.terminal.full.wrapping import WordWrap, breaks
from quizgen.terminal.sitting import Sitting

ENTER, ESCAPE, UP, DOWN = "\r", "\x1b", "\x1b[A", "\x1b[B"
F = {1: "\x1bOP", 2: "\x1bOQ", 3: "\x1bOR", 4: "\x1bOS", 5: "\x1b[15~", 6: "\x1b[17~", 7: "\x1b[18~", 8: "\x1b[19~",
     9: "\x1b[20~", 10: "\x1b[21~", 12: "\x1b[24~"}  # fmt: skip

Step = str | Callable[[Room], None]


class Screen24(DummyOutput):
    """An output of a fixed size that shows nothing."""

    def __init__(self, rows: int, columns: int) -> None:
        self.size = Size(rows=rows, columns=columns)

    def get_size(self) -> Size:
        return self.size


class Full:
    """A session driven key by key; each step is keys, or a check of the room."""

    screen: Screen

    def __init__(
        self, path: Path, made: Form, steps: list[Step], rows: int = 24, columns: int = 80, **rules: object
    ) -> None:
        self.clock = Clock()
        follow = {e.variant.item.id: e for e in form(item("extra")).entries}
        session = interview.new(made, Rules(**rules))  # type: ignore[arg-type]
        self.sitting = Sitting(session, WHO, Journal(str(path)), self.clock, follow=follow.get)
        self.sitting.open()
        self.code: int | None = asyncio.run(self._run(steps, rows, columns))
        self.sitting.close()
        self.lines = [line for _, line in records.read_lines(path.read_bytes()) if line]

    async def _run(self, steps: list[Step], rows: int, columns: int) -> int | None:
        with create_pipe_input() as keys:
            app, screen = application(self.sitting, False, keys, Screen24(rows, columns))
            app.ttimeoutlen = 0.01
            app.timeoutlen = 0.02
            running = asyncio.ensure_future(app.run_async())
            await asyncio.sleep(0.02)
            assert screen.room is not None
            self.room = screen.room
            self.screen = screen
            for step in steps:
                if callable(step):
                    step(self.room)
                else:
                    keys.send_text(step)
                    await asyncio.sleep(0.08 if step == ESCAPE else 0.03)
            if alive(app):
                app.exit(result=None)
            return await running

    @property
    def responses(self) -> list[object]:
        return [line["response"] for line in self.lines if line["type"] == "response"]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "s.jsonl"


def stage(wanted: Stage) -> Callable[[Room], None]:
    def check(room: Room) -> None:
        assert room.stage is wanted

    return check


def says(text: str, typed: str = "") -> Callable[[Room], None]:
    def check(room: Room) -> None:
        assert text in note(room, typed)

    return check


def fruit(**fields: object) -> Form:
    return form(item("c"), item("n", "number"), item("t", "text"), **fields)


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


def test_the_clock_waits_for_the_brief(log: Path) -> None:
    def wait(room: Room) -> None:
        assert isinstance(room.sitting.clock, Clock)
        room.sitting.clock.tick(300)
        assert room.session.spent(room.now) == 0

    Full(log, fruit(), [wait, ENTER])


def test_options_by_arrow_and_by_letter(log: Path) -> None:
    done = Full(log, fruit(), [ENTER, DOWN, DOWN, ENTER, "1"])
    assert done.responses == ["never"]


def test_a_number_is_echoed_as_it_is_read(log: Path) -> None:
    Full(log, form(item("n", "number")), [ENTER, "4", says("reads as 4", "4"), "x", says("not yet readable", "4x")])


def test_an_unreadable_number_costs_nothing(log: Path) -> None:
    done = Full(log, form(item("n", "number")), [ENTER, "four", ENTER, says("costs nothing"), stage(Stage.ITEM)])
    assert done.responses == []


@pytest.mark.parametrize("size", [100, 6000, 20_000])
def test_a_paste_arrives_byte_for_byte(log: Path, size: int) -> None:
    """Bracketed paste, many lines, characters of every width."""
    text = ("line with ünïcode 漢字 and \ttabs, 'quotes' \\ and $5\n" * 1000)[:size].rstrip()
    done = Full(log, form(item("t", "text")), [ENTER, f"\x1b[200~{text}\x1b[201~", F[5], ENTER, ESCAPE])
    assert done.responses[0] == text


def test_undo_in_the_editor(log: Path) -> None:
    done = Full(log, form(item("t", "text")), [ENTER, "apple", "\x17", "pear", F[5], "5", ESCAPE])
    assert done.responses == ["pear"]
    undone = Full(
        log.with_name("u.jsonl"), form(item("t", "text")), [ENTER, "apple", "\x17", "\x1f", F[5], "5", ESCAPE]
    )
    assert undone.responses == ["apple"]


def test_skip_flag_and_come_back(log: Path) -> None:
    def flagged(room: Room) -> None:
        assert room.session.place.flagged

    done = Full(
        log,
        fruit(),
        [ENTER, F[4], flagged, F[7], F[7], F[7], stage(Stage.REVIEW), ENTER, "b", ENTER, "4", stage(Stage.REVIEW)],
    )
    assert done.responses == ["", "", "", "yes"]
    assert done.lines[4]["flagged"] is True


def test_a_hint_is_offered_with_its_cost_first(log: Path) -> None:
    made = form(item("c", hints=("look up",)))

    def taken(room: Room) -> None:
        assert any("Hint 1: look up" in line for line in body(room, 60).lines)

    done = Full(
        log, made, [ENTER, F[2], stage(Stage.HINT), says("takes 10 %"), "n", F[2], "y", taken, F[2], says("no further")]
    )
    assert done.sitting.session.place.hints == 1


def test_what_is_given_is_free(log: Path) -> None:
    def told(room: Room) -> None:
        assert any("Given: fp16" in line for line in body(room, 60).lines)

    Full(log, form(item("c", given=("fp16",))), [ENTER, F[3], told])


def test_a_probe_follows_a_partial_response(log: Path) -> None:
    done = Full(log, form(item("t", "text")), [ENTER, "an apple", F[5], "4", stage(Stage.PROBE), "a pear", F[5]])
    assert done.responses == ["an apple", "an apple\n\na pear"]


def test_strict_has_no_probe_no_pause_no_solution(log: Path) -> None:
    done = Full(
        log,
        fruit(),
        [
            ENTER,
            F[9],
            says("no pause"),
            F[12],
            says("in the debrief"),
            F[7],
            F[7],
            "an apple",
            F[5],
            "4",
            stage(Stage.REVIEW),
        ],
        mode=Mode.STRICT,
    )
    assert done.responses == ["", "", "an apple"]


def test_practice_shows_the_solution_after_each_item(log: Path) -> None:
    def solved(room: Room) -> None:
        assert "Solution of c." in body(room, 60).lines

    done = Full(
        log,
        fruit(),
        [ENTER, "a", ENTER, "4", stage(Stage.FEEDBACK), solved, ENTER, F[12], stage(Stage.FEEDBACK)],
        mode=Mode.PRACTICE,
    )
    assert done.responses == ["no", ""]


def test_pause_hides_the_item_and_stops_the_clock(log: Path) -> None:
    def hidden(room: Room) -> None:
        assert not any("Stem" in line for line in body(room, 60).lines)
        assert isinstance(room.sitting.clock, Clock)
        room.sitting.clock.tick(100)
        room.pulse()

    done = Full(log, fruit(), [ENTER, F[9], stage(Stage.PAUSED), hidden, ENTER, stage(Stage.ITEM)])
    assert done.sitting.session.used < 1


def test_scratch_is_kept_and_never_graded(log: Path) -> None:
    done = Full(log, form(item("t", "text")), [ENTER, "an apple", F[8], "2 + 2", F[8], F[5], "4", ESCAPE])
    assert done.responses == ["an apple"]
    assert done.lines[1]["scratch"] == "2 + 2"


def test_ctrl_c_asks_first(log: Path) -> None:
    done = Full(log, fruit(), [ENTER, "b", "\x03", stage(Stage.LEAVE), ESCAPE, stage(Stage.ITEM), "\x03", "s"])
    assert done.code == 0
    assert done.sitting.session.phase is Phase.RUNNING
    ended = Full(log.with_name("e.jsonl"), fruit(), [ENTER, "b", "\x03", "e", stage(Stage.DEBRIEF)])
    assert ended.lines[-1]["reason"] == "quit"
    assert ended.responses == ["yes"]
    assert Full(log.with_name("k.jsonl"), fruit(), [ENTER, "\x03", "\x03"]).code == 130


def test_the_hard_stop_submits_what_is_there(log: Path) -> None:
    def over(room: Room) -> None:
        assert isinstance(room.sitting.clock, Clock)
        for _ in range(61):
            room.sitting.clock.tick(1)
            room.pulse()
        assert room.stage is Stage.DEBRIEF

    done = Full(log, form(item("t", "text"), item("c"), minutes=1), [ENTER, "an apple", over])
    assert done.responses == ["an apple"]
    assert done.lines[-1]["reason"] == "time"


def test_the_hard_stop_in_a_probe_adds_to_the_response(log: Path) -> None:
    def over(room: Room) -> None:
        room.end("time")

    done = Full(log, form(item("t", "text")), [ENTER, "an apple", F[5], "4", "a pear", over])
    assert done.responses == ["an apple", "an apple\n\na pear"]
    nothing = Full(log.with_name("n.jsonl"), form(item("t", "text")), [ENTER, "an apple", F[5], "4", "p", ESCAPE, over])
    assert nothing.responses == ["an apple"]


def test_a_chosen_option_is_submitted_too(log: Path) -> None:
    def over(room: Room) -> None:
        room.end("time")

    assert Full(log, fruit(), [ENTER, "b", over]).responses == ["yes"]


def test_follow_ups_come_next(log: Path) -> None:
    done = Full(
        log, form(item("c", follow_ups=("extra",)), item("n", "number")), [ENTER, "b", ENTER, "4", "b", ENTER, "4"]
    )
    assert [line["item"] for line in done.lines[1:]] == ["c", "extra"]


def test_help_lists_the_keys_and_goes_back(log: Path) -> None:
    def listed(room: Room) -> None:
        assert any("F2 or ^T" in line for line in body(room, 60).lines)

    Full(log, fruit(), [ENTER, F[1], stage(Stage.HELP), listed, ESCAPE, stage(Stage.ITEM)])


@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (12, 40), (10, 40), (6, 20), (3, 10), (50, 200)])
def test_every_stage_fits_every_size(log: Path, rows: int, columns: int) -> None:
    """No stage fails to draw, down to sizes that nobody uses."""
    made = form(item("c", hints=("look up",), stem="A long stem. " * 40), item("n", "number"), item("t", "text"))
    Full(
        log,
        made,
        [
            F[1], ESCAPE, ENTER, F[2], "y", "b", F[8], "x", F[8], F[9], ENTER, ENTER, "3", "4", ENTER, "2",
            "an apple", F[5], "3", "and more", F[5], stage(Stage.REVIEW), DOWN, UP, "\x03", ESCAPE, "f", "f", DOWN, "q",
        ],
        rows,
        columns,
    )  # fmt: skip


def test_a_suspended_process_loses_no_time(log: Path) -> None:
    def stopped(room: Room) -> None:
        assert isinstance(room.sitting.clock, Clock)
        left = room.session.left(room.now)
        room.sitting.clock.tick(3600)
        room.pulse()
        assert left - room.session.left(room.now) <= 1.0

    Full(log, fruit(), [ENTER, stopped])


def test_a_probe_is_what_its_author_wrote(log: Path) -> None:
    """`probe:` of the criterion that was missed, from a bank."""
    loaded = banks.load(str(Path(__file__).parent / "bank")).bank
    assert loaded is not None
    variant = loaded.items["tp-inside-node"].draw(Stream("tp-inside-node", "1"))
    made = Form("T", "", "1", Fraction(10), (Entry(variant),))
    typed = "all-reduce in every layer, on the critical path"

    def asked(room: Room) -> None:
        shown = body(room, 60).lines
        assert any("Follow-up: And what about the links themselves?" in line for line in shown)
        assert f"| {typed}" in shown, "what was answered is in sight"

    Full(log, made, [ENTER, typed, F[5], "4", stage(Stage.PROBE), asked])


def test_leaving_is_taken_back_where_it_was_asked(log: Path) -> None:
    """Ctrl-C in the middle of a probe: Esc goes back to the probe, with what was typed for it."""
    steps: list[Step] = [ENTER, "an apple", F[5], "4", stage(Stage.PROBE), "a pear", "\x03", stage(Stage.LEAVE)]
    done = Full(log, form(item("t", "text")), [*steps, ESCAPE, stage(Stage.PROBE), F[5]])
    assert done.responses == ["an apple", "an apple\n\na pear"]


def test_finishing_with_open_items_is_asked_once_more(log: Path) -> None:
    steps: list[Step] = [ENTER, "b", ENTER, "4", F[10], "f", stage(Stage.FINISH)]

    def told(room: Room) -> None:
        assert note(room, "") == "1 item is still open. f finishes all the same, Esc goes back."

    done = Full(log, form(item("c"), item("n", "number")), [*steps, told, ESCAPE, stage(Stage.REVIEW), "f", "f"])
    assert done.sitting.session.phase is Phase.ENDED
    whole = Full(log.with_name("w.jsonl"), form(item("c")), [ENTER, "b", ENTER, "4", F[10], "f"])
    assert whole.sitting.session.phase is Phase.ENDED


def test_a_pause_of_the_review_goes_back_to_the_review(log: Path) -> None:
    Full(log, fruit(), [ENTER, F[10], F[9], stage(Stage.PAUSED), ENTER, stage(Stage.REVIEW)])


def test_an_item_over_its_time_is_told_once(log: Path) -> None:
    def over(room: Room) -> None:
        assert isinstance(room.sitting.clock, Clock)
        for _ in range(62):
            room.sitting.clock.tick(1)
            room.pulse()
        assert note(room, "").startswith("This item's time is over")

    def silent(room: Room) -> None:
        room.pulse()
        assert not note(room, "").startswith("This item's time is over")

    Full(log, fruit(), [ENTER, over, "a", silent])


def test_a_response_tells_how_to_submit_it(log: Path) -> None:
    def says_letter(room: Room) -> None:
        assert note(room, "") == "B taken. Enter submits."

    def says_words(room: Room) -> None:
        assert note(room, "an apple") == "2 words. F5 or Ctrl-D submits."
        assert note(room, "x" * 70_000) == "Too long: only the first 65,536 characters are taken."

    Full(log, form(item("c")), [ENTER, "b", says_letter])
    Full(log.with_name("t.jsonl"), form(item("t", "text")), [ENTER, says_words])


@pytest.mark.parametrize(
    ("text", "gaps"),
    [
        ("", []),
        ("aaa bbb", []),
        ("aaa bbb ccc ddd", [(12, 1)]),  # 12 + 3 would end behind column 13
        ("aaaaaaaaaa bbbb cc", [(11, 2)]),
        ("a" * 30, []),  # too long for any row: cut where the row ends
        ("a " + "b" * 13, [(2, 11)]),
        ("a " + "b" * 14, []),
        ("漢字漢字 漢字漢字", [(5, 4)]),  # two columns each: 8 + 1 + 8
    ],
)
def test_words_stay_whole(text: str, gaps: list[tuple[int, int]]) -> None:
    """Rows of 13 columns; worked by hand."""
    assert breaks(text, 13) == gaps


def test_the_cursor_follows_the_words() -> None:
    """`aaaaaaaaaa bbbb cc` on rows of 13: two blanks stand before `bbbb`, which begins the second row."""
    text = "aaaaaaaaaa bbbb cc"
    control = BufferControl(Buffer(document=Document(text)))
    made = WordWrap().apply_transformation(
        TransformationInput(control, Document(text), 0, lambda at: at, [("", text)], 13, 5)
    )
    assert "".join(part[1] for part in made.fragments) == "aaaaaaaaaa   bbbb cc"
    assert [made.source_to_display(at) for at in (0, 10, 11, 15, 18)] == [0, 10, 13, 17, 20]
    assert [made.display_to_source(at) for at in (0, 10, 11, 12, 13, 20)] == [0, 10, 11, 11, 11, 18]


PAGE_UP, PAGE_DOWN = "\x1b[5~", "\x1b[6~"


def small_screen(log: Path, made: Form, steps: list[Step]) -> list[list[str]]:
    """What the large pane of a 40x10 terminal shows after each key, without attributes."""
    seen: list[list[str]] = []
    done: Full

    def look(room: Room) -> None:
        shown = to_formatted_text(driven[0].screen._body())
        seen.append("".join(part[1] for part in shown).split("\n"))

    driven: list[Full] = []

    class Seen(Full):
        async def _run(self, steps: list[Step], rows: int, columns: int) -> int | None:
            driven.append(self)
            return await super()._run(steps, rows, columns)

    done = Seen(log, made, [each for step in steps for each in (step, look)], 10, 40)
    assert done.screen is not None
    return seen


def test_a_stem_begins_at_its_beginning_and_the_cursor_leads_when_it_moves(log: Path) -> None:
    """A stem of twelve lines and three options on a screen of ten rows."""
    stem = "First words. " + "A long stem that goes on. " * 16
    item_, down, up, hint = small_screen(
        log, form(item("c", stem=stem, hints=("Look up.",))), [ENTER, DOWN, PAGE_UP + PAGE_UP + PAGE_UP, F[2] + "y"]
    )
    assert item_[0].startswith("First words.")
    assert any(line.startswith(">( ) B.") for line in down)
    assert up[0].startswith("First words."), "paging is not held back by the cursor"
    assert hint[-1] == "  Hint 1: Look up."


def test_no_control_byte_of_an_item_reaches_the_full_screen(log: Path) -> None:
    """Every stage shows escape sequences as text; the only ones drawn are our own attributes."""
    nasty = "\x1b]0;title\x07\x1b[2J\x9b31m\u202e"
    made = form(item("t", "text", stem=f"Stem {nasty}", topic=nasty, hints=(nasty,), given=(nasty,)))

    def clean(room: Room) -> None:
        shown = [*body(room, 60).lines, note(room, ""), *header(room.session, room.now, 60, room.stage)[:1]]
        for line in shown:
            assert not set(re.sub("\x1b\\[[0-9;]*m", "", line)) & set("\x1b\x07\x9b\u202e"), line

    steps: list[Step] = [ENTER, F[2], "y", F[3], f"apple {nasty}", F[5], "4", clean, ESCAPE, F[10], clean, "f", clean]
    Full(log, made, [step for each in steps for step in (each, clean)])
