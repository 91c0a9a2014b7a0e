"""An evening as somebody has it: sealed items, one number an item, disputes, the way out. Each test failed before."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest
from driven import ENTER, ESCAPE, F, Full, says, stage
from fakes import form, item
from process import log_of, quizgen

from quizgen.terminal.panes import Stage, footer_keys, footer_line
from quizgen.terminal.session_screen import SessionScreen

ROW = "  - {{id: {}, kind: choice, stem: 'Which {}?', key: yes, distractors: [no, never], topic: {}{}}}\n"
SIX = [f"i{n}" for n in range(6)]


def rows_of(folder: Path, *names: str, topics: int = 1, more: dict[str, str] | None = None) -> None:
    """A bank of choices by these names in a folder, on so many topics in turn, some with more fields."""
    rows = (ROW.format(name, name, f"t{n % topics}", (more or {}).get(name, "")) for n, name in enumerate(names))
    (folder / "items.yaml").write_text("items:\n" + "".join(rows), encoding="utf-8")


def planned(folder: Path, sealed: list[str], follow: str = "") -> None:
    """A bank of six items of two topics in a folder with a plan that keeps some of them."""
    rows_of(folder, *SIX, topics=2, more={"i0": f", follow_ups: [{follow}]"} if follow else {})
    day = (date.today() + timedelta(days=9)).isoformat()
    plan = {"version": 1, "bank": "items.yaml", "interview": day, "minutes": 10, "weights": {}, "rest": []}
    (folder / "logs").mkdir()
    (folder / "logs" / "plan.json").write_text(json.dumps({**plan, "sealed": sealed}), encoding="utf-8")


@pytest.mark.parametrize("wish", [(), ("--seed", "1"), ("--items", "4")])
def test_sealed_means_sealed(tmp_path: Path, wish: tuple[str, ...]) -> None:
    """With a seed, and where nothing else is left, a session took what the plan keeps for its rehearsal."""
    planned(tmp_path, ["i1", "i3"])
    quizgen("mock", "items.yaml", *wish, "--log", "s.jsonl", typed="A\n" * 9, cwd=tmp_path)
    asked = {line["item"] for line in log_of(tmp_path / "s.jsonl") if line["type"] == "response"}
    assert asked <= {"i0", "i2", "i4", "i5"}


def test_no_follow_up_is_sealed(tmp_path: Path) -> None:
    """`explain-mfu`, sealed in the plan, came as a follow-up."""
    from quizgen.commands.shared import open_bank
    from quizgen.terminal.open_session import MockRequest, open_new

    planned(tmp_path, ["i1"], follow="i1")
    name = str(tmp_path / "items.yaml")
    request = MockRequest(
        bank=name, usual=name, candidate="ann", folder=tmp_path / "logs", log=str(tmp_path / "s.jsonl")
    )
    sitting = open_new(request, open_bank)
    assert sitting.draw_follow_up("i1") is None
    assert sitting.draw_follow_up("i2") is not None
    sitting.close()


def test_follow_ups_have_the_glossary_of_the_bank(tmp_path: Path) -> None:
    """From an index and from the files, and again where the session is resumed."""
    from quizgen.commands.shared import open_bank
    from quizgen.terminal.open_session import MockRequest, open_new, open_resumed

    bank = tmp_path / "fruit"
    bank.mkdir()
    planned(bank, [])
    (bank / "bank.yaml").write_text("terms: {stone-fruit: {is: It has one stone., also: [drupe]}}\n", encoding="utf-8")
    for log, left in (("a", None), ("b", None), ("b", "b")):
        path = str(tmp_path / f"{log}.jsonl")
        where = {"log": path} if left is None else {"resume": path}
        request = MockRequest(bank=str(bank), usual="", candidate="ann", folder=tmp_path, **where)
        sitting = (open_new if left is None else open_resumed)(request, open_bank)
        assert dict(sitting.load_terms()) == dict.fromkeys(("stone fruit", "drupe"), "It has one stone.")
        sitting.log_start()
        sitting.close()


def test_an_item_has_one_number_in_the_session_and_in_its_debrief(tmp_path: Path) -> None:
    """Two items bring the same follow-up: it keeps the number that it had, behind the one that brought it."""
    rows_of(tmp_path, *SIX[:3], "more", more=dict.fromkeys(("i0", "i2"), ", follow_ups: [more]"))
    (tmp_path / "s.jsonl").write_text("".join(json.dumps(line) + "\n" for line in [
        {"v": 1, "type": "session", "session": "s", "bank": "items.yaml", "seed": "1", "items": ["i0", "i1", "i2"]},
        *({"type": "response", "session": "s", "item": name, "seed": "1", "response": "yes", "elapsed": n, **more}
          for n, (name, more) in enumerate([("i2", {}), ("more", {"follow_up": True}), ("i0", {}), ("i1", {})])),
    ]), encoding="utf-8")  # fmt: skip
    shown = quizgen("debrief", "s.jsonl", cwd=tmp_path).stdout
    assert "--- 3a. more" in shown
    assert quizgen("debrief", "s.jsonl", "--item", "3A", cwd=tmp_path).stdout.startswith("--- 3a. more (")
    assert "there is no item 9" in quizgen("debrief", "s.jsonl", "--item", "9", cwd=tmp_path, code=2).stderr


def test_the_reason_of_a_follow_up_is_the_item_that_brought_it(tmp_path: Path) -> None:
    """The plan's own reason for it was made before the session: 0 of 18 skills met, beside 4 of 18."""
    seen: list[str] = []

    def plan(state: SessionScreen) -> None:
        state.sitting.plan_reasons = {"c": "new: 0 of 2 skills met", "extra": "new: 0 of 2 skills met"}

    def look(state: SessionScreen) -> None:
        seen.append(state.sitting.plan_reason)

    made = form(item("c", follow_ups=("extra",)), item("n", "number"))
    Full(tmp_path / "s.jsonl", made, [plan, ENTER, look, "b", ENTER, "4", look])
    assert seen == ["new: 0 of 2 skills met", "a follow-up to item 1"]


def test_the_footer_of_an_item_keeps_the_way_out(tmp_path: Path) -> None:
    """A text with hints and facts at 80 columns, beside `PgDn 18/40`."""

    def short(state: SessionScreen) -> None:
        assert "^C leave" in state.footer(68)
        assert "Esc back" in footer_line(footer_keys(Stage.DISPUTE, state.session, False), 60)
        assert "1-9 number  F1 help" in footer_line(footer_keys(Stage.DEBRIEF, state.session, False), 68)

    Full(tmp_path / "s.jsonl", form(item("t", "text", hints=("Think.",), given=("fp16",))), [ENTER, short])


TEXTS = """
items:
  - id: why-log
    kind: text
    stem: Why keep a write-ahead log?
    rubric: {criteria: [{id: replay, say: It is replayed after a crash., accept: ["replay* crash"]}]}
"""


def test_one_item_can_be_disputed_by_its_number_beside_its_answer(tmp_path: Path) -> None:
    """--dispute took no notice of --item, and asked for words of an answer that it did not show."""
    (tmp_path / "items.yaml").write_text(TEXTS, encoding="utf-8")
    said = "After a failure the journal is read again."
    quizgen("mock", "items.yaml", "--log", "s.jsonl", typed=f"{said}\n.\n", cwd=tmp_path)
    typed = "f\njournal is read again\n"
    done = quizgen("debrief", "s.jsonl", "--dispute", "--item", "1", typed=typed, cwd=tmp_path)
    assert f"You: {said}" in done.stdout
    assert "Number of an item" not in done.stdout
    assert log_of(tmp_path / "s.jsonl")[-1]["type"] == "dispute"


def test_a_session_of_no_item_offers_no_number_of_items(tmp_path: Path) -> None:
    """It ended in: ask for --items 0 or fewer."""
    planned(tmp_path, SIX)
    told = quizgen("mock", "items.yaml", "--items", "3", cwd=tmp_path, code=2).stderr
    assert "the bank has no item" in told
    assert "sealed for the rehearsal of your plan" in told
    assert "0 or fewer" not in told


def test_what_is_ended_early_is_no_verdict(tmp_path: Path) -> None:
    """One of two right was `5 %, not passed`, and stood so among the sessions of `progress`."""
    rows_of(tmp_path, *SIX, "j6", "j7", "j8", "j9")
    (tmp_path / "blueprints").mkdir()
    plan = "sections: [{count: 10}]\npass: 70%\nbands: [{from: 0%, name: Not yet, advice: Again.}]\n"
    (tmp_path / "blueprints" / "all.yaml").write_text(plan, encoding="utf-8")
    log = tmp_path / "s.jsonl"
    quizgen("mock", "./all", "--seed", "1", "--log", str(log), typed="yes\n:quit\n", cwd=tmp_path)
    shown = quizgen("debrief", str(log), cwd=tmp_path).stdout
    assert "Score: 1 of 2 points (50 %): 2 of 10 items met, 1 right" in shown
    assert "passed" not in shown
    assert "Not yet" not in shown
    assert "2 of 10 items   50 %" in quizgen("progress", "--log", str(log), cwd=tmp_path).stdout


def test_after_a_mock_in_the_morning_today_offers_the_rest(tmp_path: Path) -> None:
    """It said that the day was done."""
    sixty = [f"i{n}" for n in range(60)]
    rows_of(tmp_path, *sixty, topics=4, more=dict.fromkeys(sixty, ", seconds: 60"))
    day = (date.today() + timedelta(days=9)).isoformat()
    quizgen("plan", "items.yaml", "--interview", day, "--minutes", "20", cwd=tmp_path)
    morning = {line.split(":")[0] for line in quizgen("today", "--list", cwd=tmp_path).stdout.splitlines()[1:]}
    others = [name for name in sixty if name not in morning]
    head = {"v": 1, "type": "session", "session": "m", "bank": "items.yaml", "seed": "1", "items": others[:10], "minutes": 10,
            "started": f"{date.today().isoformat()}T06:00:00Z"}  # fmt: skip
    lines = [{"type": "response", "session": "m", "item": name, "seed": "1", "response": "yes", "seconds": 30, "elapsed": 30,
              "at": f"{date.today().isoformat()}T06:01:00Z"} for name in others[:10]]  # fmt: skip
    end = {"type": "end", "session": "m", "reason": "finished", "elapsed": 300}
    (tmp_path / "logs" / "m.jsonl").write_text(
        "".join(json.dumps(x) + "\n" for x in (head, *lines, end)), encoding="utf-8"
    )
    done = quizgen("today", "--seed", "1", typed="A\n" * 40, cwd=tmp_path).stdout
    told = " ".join(done.split())
    assert "Today so far: 10 items, about 12 minutes of 20; here is the rest." in told
    (count,) = [int(line.split()[0]) for line in done.splitlines() if " items (" in line]
    assert 5 <= count <= 12, "eight of 20 minutes are left"
    assert "Today's session is done. " in quizgen("today", cwd=tmp_path).stdout


def test_quizgen_alone_is_a_start_screen(tmp_path: Path) -> None:
    """It printed the help of nineteen commands."""
    command = tmp_path / "bin" / "quizgen"  # on the path, as where it is installed
    command.parent.mkdir()
    command.touch(0o755)
    first = quizgen(cwd=tmp_path, PATH=str(command.parent)).stdout
    assert all(len(line) <= 80 for line in first.splitlines())
    assert "First time here: five items" in first
    assert "plan --interview DATE" in first
    rows_of(tmp_path, *SIX[:3])
    quizgen("plan", "items.yaml", "--interview", (date.today() + timedelta(days=3)).isoformat(), cwd=tmp_path)
    quizgen("mock", "items.yaml", typed="A\n:leave\n", cwd=tmp_path)
    again = quizgen(cwd=tmp_path).stdout
    assert "A session was interrupted: go on" in again
    assert "Tonight's plan, 3 days to the interview" in again
    assert "First time" not in again


def test_a_topic_is_found_by_a_word_of_it(tmp_path: Path) -> None:
    """`pipeline` was refused with a list of every topic; `mock zero` named the banks that ship."""
    done = quizgen("mock", "--topic", "pipeline", "--items", "2", "--difficulty", "easy", typed="", cwd=tmp_path).stdout
    assert "Topics: pipeline-parallel." in done
    assert ": pipeline-parallel, difficulty 1 or 2 " in " ".join(done.split())[:200]
    assert 'did you mean "pipeline-parallel"?' in quizgen("mock", "--topic", "pipline", cwd=tmp_path, code=2).stderr
    quizgen("mock", "--topic", "pipeline", "--minutes", "15", "--log", "f.jsonl", cwd=tmp_path)
    assert 4 <= len(log_of(tmp_path / "f.jsonl")[0]["items"]) <= 12  # type: ignore[arg-type]  # a list of ids
    assert "sequence-and-context" not in quizgen("mock", "--topic", "parallel", cwd=tmp_path, code=2).stderr
    hard = json.loads(
        quizgen("list", "items", "--topic", "pipeline", "--difficulty", "hard", "--json", cwd=tmp_path).stdout
    )
    assert {row["difficulty"] for row in hard["items"]} <= {4, 5}
    assert {row["topic"] for row in hard["items"]} == {"pipeline-parallel"}


@pytest.mark.parametrize(
    ("name", "bank", "items"),
    [
        ("zero", "drill-zero", 12),
        ("post-training", "distributed-training", 12),  # a drill and a case have it: the topic
        ("zero1-shards", "distributed-training", 1),
        ("Seventy", "seventy-b-on-1024", 1),
    ],
)
def test_a_name_that_only_one_thing_has_is_taken(tmp_path: Path, name: str, bank: str, items: int) -> None:
    """`mock zero` asked; the name of a topic or an item was no bank."""
    quizgen("mock", name, "--log", "s.jsonl", cwd=tmp_path)
    head = log_of(tmp_path / "s.jsonl")[0]
    assert head["bank"] == bank
    assert len(head["items"]) >= items  # type: ignore[arg-type]  # a list of ids
    assert "folder" not in head
    assert "did you mean drill-zero?" in quizgen("mock", "ziro", cwd=tmp_path, code=3).stderr
    assert "or drill-tensor-parallel?" in quizgen("mock", "parallel", cwd=tmp_path, code=3).stderr


@pytest.mark.parametrize("command", [("progress",), ("score", "LOG"), ("debrief",), ("mock", "--redo")])
def test_a_bank_of_ones_own_is_missed_with_its_folder(tmp_path: Path, command: tuple[str, ...]) -> None:
    """`no bank "items.yaml"; banks that ship: …` said nothing of the place to go to."""
    planned(tmp_path, [])
    quizgen("mock", "items.yaml", "--items", "2", "--log", "logs/s.jsonl", typed="A\nA\n", cwd=tmp_path)
    arguments = [str(tmp_path / "logs" / "s.jsonl") if word == "LOG" else word for word in command]
    (tmp_path / "other").mkdir()
    logs = {"QUIZGEN_LOGS": str(tmp_path / "logs")}
    told = quizgen(*arguments, cwd=tmp_path / "other", code=3, **logs).stderr
    assert f"go to {tmp_path}" in told


def test_a_quick_check_begins_with_what_everybody_has_met(tmp_path: Path) -> None:
    """It began with expert parallelism under FSDP, and formats of scales."""
    quizgen("mock", "quick", "--seed", "1", "--log", "s.jsonl", cwd=tmp_path)
    listed = json.loads(quizgen("list", "items", "--json", cwd=tmp_path).stdout)["items"]
    rows = {row["item"]: row for row in listed}
    first = [rows[name] for name in log_of(tmp_path / "s.jsonl")[0]["items"][:6]]  # type: ignore[index]  # a list of ids
    assert {row["difficulty"] for row in first} <= {1, 2}
    assert not {row["topic"] for row in first} & {"expert-parallel", "post-training", "inference", "system-design"}


def test_topics_are_listed_with_what_was_met(tmp_path: Path) -> None:
    rows_of(tmp_path, *SIX[:5], topics=2)
    quizgen("mock", "items.yaml", "--topic", "t1", typed="A\nA\n", cwd=tmp_path)
    listed = json.loads(quizgen("list", "topics", "--bank", "items.yaml", "--json", cwd=tmp_path).stdout)["topics"]
    assert [(row["topic"], row["items"], row["met"], row["cold"], row["kinds"]) for row in listed] == [
        ("t0", 3, 0, None, "3 choice"), ("t1", 2, 2, None, "2 choice"),
    ]  # fmt: skip
    rows_of(tmp_path, *(f"j{n}" for n in range(6)))
    quizgen("mock", "items.yaml", typed="yes\n" * 6, cwd=tmp_path)
    (row,) = json.loads(quizgen("list", "topics", "--bank", "items.yaml", "--json", cwd=tmp_path).stdout)["topics"]
    low, high = map(int, row["cold"].removesuffix(" %").split("-"))
    assert 50 < low < high <= 100


def test_a_shell_completes_names(tmp_path: Path) -> None:
    """Topics, blueprints, cases, items, formulas and their letters, by the one line that the docs give."""
    for typed, name in (
        ("mock dri", "drill-zero"), ("mock step", "step-time-doubled"), ("mock --topic pi", "pipeline-parallel"),
        ("show zero1-sh", "zero1-shards"), ("solve kv_c", "kv_cache_bytes"), ("solve zero_bytes st", "stage="),
        ("list formulas bub", "bubble_ratio"), ("plan --role s", "serving"),
    ):  # fmt: skip
        count = len(typed.split())
        env = {"COMP_WORDS": f"quizgen {typed}", "COMP_CWORD": str(count), "_QUIZGEN_COMPLETE": "bash_complete"}
        assert f"plain,{name}" in quizgen(cwd=tmp_path, code=None, **env).stdout.splitlines(), typed


def test_what_is_kept_of_an_item_is_listed_and_respected(tmp_path: Path) -> None:
    """A card in the log: a bookmark, a note; what is never wanted again, or bad, is asked by no session, plan or
    page."""
    rows_of(tmp_path, *SIX, topics=2)
    typed = ":keep bookmark\n:keep look up page 3\nA\n:keep never again\nA\n:keep bad\nA\n:keep star\n:keep none\nA\n:quit\n"
    done = quizgen("mock", "items.yaml", "--items", "6", "--seed", "2", typed=typed, cwd=tmp_path).stdout
    (log,) = (tmp_path / "logs").glob("*.jsonl")
    assert "Kept of item 1: bookmarked; “look up page 3”." in done
    star, never, bad, *others = log_of(log)[0]["items"]  # type: ignore[misc]  # ids
    assert f"2. {never}: never asked again" in done
    shown = json.loads(quizgen("progress", "--json", cwd=tmp_path).stdout)["cards"]
    assert {(c["item"], c["mark"], c["note"]) for c in shown} == {
        (star, "star", "look up page 3"), (never, "never", ""), (bad, "bad", ""),
    }  # fmt: skip
    assert f"{star}: bookmarked; “look up page 3”" in quizgen("progress", cwd=tmp_path).stdout
    quizgen("mock", "items.yaml", "--items", "4", "--log", "m.jsonl", cwd=tmp_path)
    assert set(log_of(tmp_path / "m.jsonl")[0]["items"]) == {star, *others}  # type: ignore[call-overload]  # ids
    quizgen("mock", "items.yaml", "--starred", "--log", "b.jsonl", cwd=tmp_path)
    assert log_of(tmp_path / "b.jsonl")[0]["items"] == [star]
    quizgen("practice", "items.yaml", "--items", "4", "-o", "p.html", cwd=tmp_path)
    page = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert f'"{star}"' in page
    assert f'"{never}"' not in page
    quizgen("plan", "items.yaml", "--interview", (date.today() + timedelta(days=2)).isoformat(), cwd=tmp_path)
    listed = quizgen("today", "--list", cwd=tmp_path).stdout
    assert not {never, bad} & {line.split(":")[0] for line in listed.splitlines()}
    assert "needs --item" in quizgen("debrief", "m.jsonl", "--keep", "star", cwd=tmp_path, code=2).stderr
    kept = quizgen("debrief", "m.jsonl", "--keep", "bad item", "--item", "1", cwd=tmp_path).stdout
    assert "Kept of item 1: " in kept
    assert log_of(tmp_path / "m.jsonl")[-1]["mark"] == "bad"
    assert quizgen("score", "m.jsonl", cwd=tmp_path).stderr == ""


def test_a_card_is_kept_full_screen(tmp_path: Path) -> None:
    """At an item by Alt-K, in the debrief by k."""
    steps = [ENTER, ESCAPE + "k", stage(Stage.KEEP), "why?x\x7f", says("note: why?_"), ENTER, stage(Stage.ITEM),
             says("Kept of item 1: “why?”"), ESCAPE + "k", "star", ESCAPE, stage(Stage.ITEM), F[10], "f", "f",
             "n", "k", "never\r", says("never asked again")]  # fmt: skip
    done = Full(tmp_path / "s.jsonl", form(item("c"), item("n", "number")), steps)
    assert [(x["item"], x["mark"], x["note"]) for x in done.lines if x["type"] == "card"] == [
        ("c", "none", "why?"), ("c", "never", "why?"),
    ]  # fmt: skip
