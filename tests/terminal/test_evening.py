"""An evening as somebody has it: a plan kept, its session run, its items left alone by `mock`; sealed items, one number an
item, disputes, the way out. Most of these failed before.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest
from driven import ENTER, ESCAPE, F, Full, says, stage
from fakes import form, item
from process import log_of, quizgen, write_log
from shipped import Command

from quizgen.commands.shared import load_usable_bank
from quizgen.terminal.open_session import MockRequest, open_new_session, open_resumed_session
from quizgen.terminal.panes import Stage

ROW = "  - {{id: {}, kind: choice, stem: 'Which {}?', key: yes, distractors: [no, never], topic: {}{}}}\n"
SIX = [f"i{n}" for n in range(6)]
TODAY = date.today()
Call = Callable[..., str]  # what the fixture `call` is


def days(count: int) -> str:
    return (TODAY + timedelta(days=count)).isoformat()


def rows_of(folder: Path, *names: str, topics: int = 1, more: dict[str, str] | None = None) -> None:
    """A bank of choices by these names in a folder, on so many topics in turn, some with more fields."""
    rows = (ROW.format(name, name, f"t{n % topics}", (more or {}).get(name, "")) for n, name in enumerate(names))
    (folder / "items.yaml").write_text("items:\n" + "".join(rows), encoding="utf-8")


def planned(folder: Path, sealed: list[str], follow: str = "") -> None:
    """A bank of six items of two topics in a folder with a plan that keeps some of them."""
    rows_of(folder, *SIX, topics=2, more={"i0": f", follow_ups: [{follow}]"} if follow else {})
    plan = {"version": 1, "bank": "items.yaml", "interview": days(9), "minutes": 10, "weights": {}, "rest": []}
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
    planned(tmp_path, ["i1"], follow="i1")
    name, log = str(tmp_path / "items.yaml"), str(tmp_path / "s.jsonl")
    whose = {"bank_name": name, "default_bank_name": name, "candidate_name": "ann"}
    sitting = open_new_session(MockRequest(**whose, log_folder=tmp_path / "logs", log_path=log), load_usable_bank)
    assert sitting.draw_follow_up_entry("i1") is None
    assert sitting.draw_follow_up_entry("i2") is not None
    sitting.close_log_and_keep_draft()


def test_follow_ups_have_the_glossary_of_the_bank(tmp_path: Path) -> None:
    """From an index and from the files, and again where the session is resumed."""
    bank = tmp_path / "fruit"
    bank.mkdir()
    planned(bank, [])
    (bank / "bank.yaml").write_text("terms: {stone-fruit: {is: It has one stone., also: [drupe]}}\n", encoding="utf-8")
    for log, left in (("a", None), ("b", None), ("b", "b")):
        path = str(tmp_path / f"{log}.jsonl")
        where = {"log_folder": tmp_path, "log_path" if left is None else "log_path_to_resume": path}
        request = MockRequest(bank_name=str(bank), default_bank_name="", candidate_name="ann", **where)
        sitting = (open_new_session if left is None else open_resumed_session)(request, load_usable_bank)
        assert dict(sitting.load_glossary()) == dict.fromkeys(("stone fruit", "drupe"), "It has one stone.")
        sitting.log_start_or_resume()
        sitting.close_log_and_keep_draft()


def test_an_item_has_one_number_in_the_session_and_in_its_debrief(tmp_path: Path) -> None:
    """Two items bring the same follow-up: it keeps the number that it had, behind the one that brought it."""
    rows_of(tmp_path, *SIX[:3], "more", more=dict.fromkeys(("i0", "i2"), ", follow_ups: [more]"))
    write_log(
        tmp_path / "s.jsonl",
        {"v": 1, "type": "session", "session": "s", "bank": "items.yaml", "seed": "1", "items": ["i0", "i1", "i2"]},
        *({"type": "response", "session": "s", "item": name, "seed": "1", "response": "yes", "follow_up": name == "more"}
          for name in ("i2", "more", "i0", "i1")),
    )  # fmt: skip
    assert "--- 3a. more" in quizgen("debrief", "s.jsonl", cwd=tmp_path).stdout
    wanted = quizgen("debrief", "s.jsonl", "--item", "3A", cwd=tmp_path).stdout
    assert wanted.startswith("--- 3a. more (correct, ")
    assert "You: yes" in wanted  # in full, though it was right
    assert "there is no item 9" in quizgen("debrief", "s.jsonl", "--item", "9", cwd=tmp_path, code=2).stderr
    old = '{"session": "s", "order": ["i0", "i1", "i2"], "places": {}}'
    (tmp_path / "s.jsonl.draft").write_text(old, encoding="utf-8")  # left by a crash after the last response
    assert "--- 3a. more" in quizgen("mock", "--resume", "s.jsonl", "--changed-bank", typed="", cwd=tmp_path).stdout


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
    assert [verdict for verdict in ("passed", "Not yet") if verdict in shown] == []
    assert "2 of 10 items   50 %" in quizgen("progress", "--log", str(log), cwd=tmp_path).stdout


def test_after_a_mock_in_the_morning_today_offers_the_rest(tmp_path: Path) -> None:
    """It said that the day was done; a case that was left was taken for it, too."""
    sixty = [f"i{n}" for n in range(60)]
    rows_of(tmp_path, *sixty, topics=4, more=dict.fromkeys(sixty, ", seconds: 60"))
    quizgen("plan", "items.yaml", "--interview", days(9), "--minutes", "20", cwd=tmp_path)
    morning = {line.split(":")[0] for line in quizgen("today", "--list", cwd=tmp_path).stdout.splitlines()[1:]}
    others = [name for name in sixty if name not in morning]
    head = {"v": 1, "type": "session", "session": "m", "bank": "items.yaml", "seed": "1", "items": others[:10], "minutes": 10,
            "started": f"{TODAY.isoformat()}T06:00:00Z"}  # fmt: skip
    lines = [{"type": "response", "session": "m", "item": name, "seed": "1", "response": "yes", "seconds": 30, "elapsed": 30,
              "at": f"{TODAY.isoformat()}T06:01:00Z"} for name in others[:10]]  # fmt: skip
    end = {"type": "end", "session": "m", "reason": "finished", "elapsed": 300}
    write_log(tmp_path / "logs" / "m.jsonl", head, *lines, end)
    case = {**head, "session": "c", "case": "talk", "items": ["talk.ask"]}
    write_log(tmp_path / "logs" / "case.jsonl", case, {**lines[0], "session": "c", "item": "talk.ask"})
    page = {**head, "session": "p", "page": "01"}
    write_log(tmp_path / "logs" / "page.jsonl", page, {**lines[0], "session": "p"})
    done = quizgen("today", "--seed", "1", typed="A\n" * 40, cwd=tmp_path).stdout
    assert "Today so far: 10 items, about 12 minutes of 20; here is the rest." in " ".join(done.split())
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
    quizgen("plan", "items.yaml", "--interview", days(3), cwd=tmp_path)
    quizgen("mock", "items.yaml", typed="A\n:leave\n", cwd=tmp_path)
    again = quizgen(cwd=tmp_path).stdout
    assert "A session was interrupted: go on" in again
    assert "Tonight's plan, 3 days to the interview" in again
    assert "mock items.yaml --minutes 15" in again
    plan = next(tmp_path.rglob("plan.json"))
    plan.write_text(plan.read_text("utf-8").replace(days(3), days(0)), encoding="utf-8")
    assert "plan" not in quizgen(cwd=tmp_path).stdout  # the day itself is for the interview
    assert "First time" not in again


def test_a_topic_is_found_by_a_word_of_it(tmp_path: Path) -> None:
    """`pipeline` was refused with a list of every topic; `mock zero` named the banks that ship."""
    done = quizgen("mock", "--topic", "pipeline", "--items", "2", "--difficulty", "easy", typed="", cwd=tmp_path).stdout
    assert "Topics: pipeline-parallel." in done
    assert ": pipeline-parallel, difficulty 1 or 2 " in " ".join(done.split())[:200]
    assert "Band:" not in done  # those of the whole interview
    assert 'did you mean "pipeline-parallel"?' in quizgen("mock", "--topic", "pipline", cwd=tmp_path, code=2).stderr
    quizgen("mock", "--topic", "pipeline", "--minutes", "15", "--log", "f.jsonl", cwd=tmp_path)
    assert 4 <= len(log_of(tmp_path / "f.jsonl")[0]["items"]) <= 12
    assert "Band:" not in quizgen("debrief", "f.jsonl", cwd=tmp_path).stdout
    assert "sequence-and-context" not in quizgen("mock", "--topic", "parallel", cwd=tmp_path, code=2).stderr
    assert "did you mean drill-zero?" in quizgen("mock", "ziro", cwd=tmp_path, code=3).stderr
    assert "topics and blueprints: quizgen list topics, " in quizgen("mock", "fsdp", cwd=tmp_path, code=3).stderr
    assert "or drill-tensor-parallel?" in quizgen("mock", "parallel", cwd=tmp_path, code=3).stderr
    listed = ("list", "items", "--topic", "pipeline", "--difficulty", "hard", "--json")
    hard = json.loads(quizgen(*listed, cwd=tmp_path).stdout)
    assert {row["difficulty"] for row in hard["items"]} <= {4, 5}
    assert {row["topic"] for row in hard["items"]} == {"pipeline-parallel"}


def test_a_name_that_only_one_thing_has_is_taken(tmp_path: Path) -> None:
    """`mock zero` asked; the name of a topic or an item was no bank. A drill and a case have post-training: the topic."""
    for name, bank, items in (
        ("zero", "drill-zero", 12), ("post-training", "distributed-training", 12),
        ("zero1-shards", "distributed-training", 1), ("Seventy", "seventy-b-on-1024", 1),
    ):  # fmt: skip
        quizgen("mock", name, "--log", f"{name}.jsonl", cwd=tmp_path)
        head = log_of(tmp_path / f"{name}.jsonl")[0]
        assert (head["bank"], len(head["items"]) >= items, "folder" in head) == (bank, True, False), name


def test_a_bank_of_ones_own_is_missed_with_its_folder(tmp_path: Path) -> None:
    """`no bank "items.yaml"; banks that ship: …` said nothing of the place to go to."""
    planned(tmp_path, [])
    quizgen("mock", "items.yaml", "--items", "2", "--log", "logs/s.jsonl", typed="A\nA\n", cwd=tmp_path)
    log = tmp_path / "logs" / "s.jsonl"
    (tmp_path / "other").mkdir()
    for command in (("progress",), ("score", str(log)), ("debrief",), ("mock", "--redo")):
        told = quizgen(*command, cwd=tmp_path / "other", code=3, QUIZGEN_LOGS=str(log.parent)).stderr
        assert f"go to {tmp_path}" in told, command


def test_a_quick_check_begins_with_what_everybody_has_met(tmp_path: Path) -> None:
    """It began with expert parallelism under FSDP, and formats of scales."""
    quizgen("mock", "quick", "--seed", "1", "--log", "s.jsonl", cwd=tmp_path)
    listed = json.loads(quizgen("list", "items", "--json", cwd=tmp_path).stdout)["items"]
    rows = {row["item"]: row for row in listed}
    first = [rows[name] for name in log_of(tmp_path / "s.jsonl")[0]["items"][:6]]
    assert {row["difficulty"] for row in first} <= {1, 2}
    assert not {row["topic"] for row in first} & {"expert-parallel", "post-training", "inference", "system-design"}


def test_topics_are_listed_with_what_was_met(tmp_path: Path) -> None:
    rows_of(tmp_path, *SIX[:5], topics=2)
    quizgen("mock", "items.yaml", "--topic", "t1", typed="A\nA\n", cwd=tmp_path)
    listed = json.loads(quizgen("list", "topics", "--bank", "items.yaml", "--json", cwd=tmp_path).stdout)["topics"]
    assert [(row["topic"], row["items"], row["met"], row["cold"], row["kinds"]) for row in listed] == [
        ("t0", 3, 0, None, "3 choice"), ("t1", 2, 2, None, "2 choice"),
    ]  # fmt: skip


def test_a_shell_completes_names(tmp_path: Path) -> None:
    """Topics, blueprints, cases, items, formulas and their letters, by the one line that the docs give."""
    for typed, name in (
        ("mock step", "step-time-doubled"), ("mock --topic pi", "pipeline-parallel"),
        ("show zero1-sh", "zero1-shards"), ("solve zero_bytes st", "stage="), ("plan --role s", "serving"),
        ("plan systems-design --role b", "backend"), ("plan sys", "systems-design"),
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
    star, never, bad, *others = log_of(log)[0]["items"]
    assert f"2. {never}: never asked again" in done
    shown = json.loads(quizgen("progress", "--json", cwd=tmp_path).stdout)["cards"]
    assert {(c["item"], c["mark"], c["note"]) for c in shown} == {
        (star, "star", "look up page 3"), (never, "never", ""), (bad, "bad", ""),
    }  # fmt: skip
    assert f"{star}: bookmarked; “look up page 3”" in quizgen("progress", cwd=tmp_path).stdout
    quizgen("mock", "items.yaml", "--items", "4", "--log", "m.jsonl", cwd=tmp_path)
    assert set(log_of(tmp_path / "m.jsonl")[0]["items"]) == {star, *others}
    quizgen("mock", "items.yaml", "--starred", "--log", "b.jsonl", cwd=tmp_path)
    assert log_of(tmp_path / "b.jsonl")[0]["items"] == [star]
    quizgen("practice", "items.yaml", "--items", "4", "-o", "p.html", cwd=tmp_path)
    page = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert f'"{star}"' in page
    assert f'"{never}"' not in page
    quizgen("plan", "items.yaml", "--interview", days(2), cwd=tmp_path)
    listed = quizgen("today", "--list", cwd=tmp_path).stdout
    assert not {never, bad} & {line.split(":")[0] for line in listed.splitlines()}
    assert "needs --item" in quizgen("debrief", "m.jsonl", "--keep", "star", cwd=tmp_path, code=2).stderr
    kept = quizgen("debrief", "m.jsonl", "--keep", "bad item", "--item", "1", cwd=tmp_path).stdout
    assert "Kept of item 1: " in kept
    assert log_of(tmp_path / "m.jsonl")[-1]["mark"] == "bad"
    assert quizgen("score", "m.jsonl", cwd=tmp_path).stderr == ""


def test_a_card_is_kept_full_screen(tmp_path: Path) -> None:
    """At an item by Alt-K, in the debrief by k: of the item at the top, or below the summary of the session."""
    steps = [ENTER, ESCAPE + "k", stage(Stage.KEEP), "why?x\x7f", says("note: why?_"), ENTER, stage(Stage.ITEM),
             says("Kept of item 1: “why?”"), ESCAPE + "k", "star", ESCAPE, stage(Stage.ITEM), F[10], "f", "f",
             "k", stage(Stage.KEEP), ESCAPE, stage(Stage.DEBRIEF), "n", "k", "never\r", says("never asked again")]  # fmt: skip
    done = Full(tmp_path / "s.jsonl", form(item("c"), item("n", "number")), steps)
    assert [(x["item"], x["mark"], x["note"]) for x in done.lines if x["type"] == "card"] == [
        ("c", "none", "why?"), ("c", "never", "why?"),
    ]  # fmt: skip


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command) -> Call:
    """A command in this process, in its folder; what it printed, or what it told where it did not end with 0."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUIZGEN_LOGS", str(tmp_path / "logs"))

    def do(*arguments: str, code: int = 0) -> str:
        said = command(*arguments, code=code)
        return said.err if code else said.out

    return do


def bank(tmp_path: Path, count: int = 40) -> str:
    names = [f"i{n}" for n in range(count)]
    rows_of(tmp_path, *names, topics=4, more={name: f", skill: s{n // 2}" for n, name in enumerate(names)})
    return "items.yaml"


def test_a_plan_fits_a_narrow_terminal(tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """So do tonight's items and the start screen, but for a command, which cannot be broken."""
    monkeypatch.setenv("PATH", str(tmp_path))  # no quizgen there: its commands begin with this Python
    monkeypatch.setattr("sys.argv", ["__main__.py"])
    for room in ("coach", "shared"):
        monkeypatch.setattr(f"quizgen.commands.{room}.printed_line_width", lambda: 40)
    made = call("plan", bank(tmp_path), "--interview", days(9), "--minutes", "10", "--weight", "t1=2")
    shown = [*made.splitlines(), *call("today", "--list").splitlines(), *call().splitlines()]
    assert [line for line in shown if len(line) > 40 and " -m quizgen " not in line] == []


def test_a_plan_is_made_shown_run_and_forgotten(tmp_path: Path, call: Call) -> None:
    name = bank(tmp_path)
    made = call("plan", name, "--interview", days(9), "--minutes", "10", "--weight", "t1=2")
    assert "is in 9 days; 10 minutes a day." in made
    assert "4 items sealed for the rehearsal" in made
    assert call("plan") == made
    told = json.loads(call("plan", "--json"))
    assert [d["purpose"] for d in told["days"]][-3:] == ["rehearsal", "last", "interview"]
    listed = call("today", "--list")
    assert "scout: " in listed
    assert "new: t1, 40 % of your plan, 0 of 10 skills met" in listed
    done = quizgen("today", "--seed", "1", typed="A\n" * 40, cwd=tmp_path).stdout
    assert "new: t1, 40 % of your plan, 0 of 10 skills met" in done
    (log,) = (tmp_path / "logs").glob("*.jsonl")
    assert not set(told["sealed"]) & set(log_of(log)[0]["items"])
    assert "Today's session is done." in call("today")
    call("plan", "--forget")
    assert "there is no plan" in call("plan", code=3)
    again = call("plan", name, "--interview", days(9), "--minutes", "10", "--weight", "t1=2")
    assert json.loads(call("plan", "--json"))["sealed"] == told["sealed"]
    assert "4 items sealed" in again
    (tmp_path / name).unlink()
    assert "run this in the folder where the plan was made" in call("plan", code=3)


def test_a_role_weighs_topics_and_an_interview_has_its_shape(tmp_path: Path, call: Call) -> None:
    """Day 3 had 18 items and none of the heaviest topics; the rehearsal had no design."""
    made = call("plan", "--interview", days(9), "--role", "serving", "--weight", "roofline=2")
    assert "inference 6" in made
    assert "roofline 2" in made
    assert call("plan", "--interview", days(9), "--role", "sreving", code=2).endswith('did you mean "serving"?\n')
    sealed = json.loads(call("plan", "--json"))["sealed"]
    items = {row["item"]: row for row in json.loads(call("list", "items", "--json"))["items"]}
    kinds, topics = (Counter(items[name][field] for name in sealed) for field in ("kind", "topic"))
    assert {"inference", "system-design", "tensor-parallel"} <= topics.keys()
    assert max(topics.values()) <= 2
    assert (kinds["text"] >= 1, kinds["numeric"] >= 3, kinds["choice"] <= 6) == (True, True, True), kinds
    # Without a role the weights are those of who names none; a bank without roles has none.
    assert "zero 3" in call("plan", "--interview", days(9))
    assert "use --weight" in call("plan", bank(tmp_path), "--interview", days(9), "--role", "serving", code=2)


def test_a_session_of_today_that_was_left_goes_on(tmp_path: Path, call: Call) -> None:
    call("plan", bank(tmp_path), "--interview", days(5), "--minutes", "10")
    quizgen("today", "--seed", "1", typed="A\nA\n:leave\n", cwd=tmp_path)
    told = quizgen("today", typed="A\n" * 40, cwd=tmp_path).stdout
    assert "Resumed at item 3" in told
    assert "new: t" in told
    (log,) = (tmp_path / "logs").glob("*.jsonl")
    assert [line["type"] for line in log_of(log)].count("session") == 1


def test_a_practice_day_shows_its_solutions(tmp_path: Path, call: Call) -> None:
    """It was held by the rules of an interview."""
    call("plan", bank(tmp_path), "--interview", days(6), "--minutes", "10")
    head = {"v": 1, "session": "m", "bank": "items.yaml", "seed": "1", "items": ["i1"], "minutes": 5}
    before = f"{days(-1)}T12:00:00Z"
    response = {**head, "type": "response", "item": "i1", "response": "yes", "at": before}
    write_log(tmp_path / "logs" / "m.jsonl", {**head, "type": "session", "started": before}, response)
    done = quizgen("today", typed="A\n", cwd=tmp_path).stdout
    assert "the solution follows each response" in " ".join(done.split())
    assert log_of(max((tmp_path / "logs").glob("2*.jsonl")))[0]["mode"] == "practice"


def test_items_are_sealed_only_for_a_rehearsal_that_the_plan_has(tmp_path: Path, call: Call) -> None:
    """Its day comes after two days of practice, so that a plan of three days has none; it sealed items all the same."""
    for ahead, sealed in ((2, 0), (3, 0), (4, 4)):
        call("plan", bank(tmp_path), "--interview", days(ahead))
        told = json.loads(call("plan", "--json"))
        assert (len(told["sealed"]), "rehearsal" in {day["purpose"] for day in told["days"]}) == (sealed, sealed > 0)


def test_what_no_plan_has_is_refused(tmp_path: Path, call: Call) -> None:
    name = bank(tmp_path)
    assert "write a date such as" in call("plan", name, "--interview", "soon", code=2)
    assert "must be in the future" in call("plan", name, "--interview", days(0), code=2)
    assert "t9" in call("plan", name, "--interview", days(5), "--weight", "t9=2", code=2)
    assert "write a topic and a number" in call("plan", name, "--interview", days(5), "--weight", "t1=x", code=2)
    assert "belong to a new plan" in call("plan", "--minutes", "20", code=2)
    assert "make one with" in call("today", code=3)
    (tmp_path / "logs").mkdir(exist_ok=True)
    (tmp_path / "logs" / "plan.json").write_text("{}", encoding="utf-8")
    assert "is not a plan" in call("today", code=3)
    plan = {"version": 1, "bank": name, "interview": days(5), "minutes": float("inf"), "weights": {}, "sealed": []}
    (tmp_path / "logs" / "plan.json").write_text(json.dumps({**plan, "rest": []}), encoding="utf-8")
    assert "is not a plan" in call("today", code=3)
    # A deck that was just imported has no active item; the mean over no topic was a division by nought.
    drafts = Path(name).read_text(encoding="utf-8").replace("kind: choice,", "kind: choice, status: draft,")
    Path(name).write_text(drafts, encoding="utf-8")
    assert "no item is active" in call("plan", name, "--interview", days(9), code=3)


def test_a_review_is_no_exam_and_takes_several_logs(tmp_path: Path, call: Call) -> None:
    """What two sessions missed, asked once; nothing to pass, no band."""
    bank(tmp_path, 6)
    (tmp_path / "blueprints").mkdir()
    plan = "title: Exam\nsections: [{count: 3}]\npass: 60%\nbands: [{from: 0%, name: Not yet}]\n"
    (tmp_path / "blueprints" / "readiness.yaml").write_text(plan, encoding="utf-8")
    for number, only in enumerate(("t0", "t1")):
        quizgen("mock", ".", "--topic", only, "--items", "1", "--log", f"{number}.jsonl", typed="?!\n", cwd=tmp_path)
    done = quizgen("mock", "--redo", "0.jsonl", "--redo", "1.jsonl", "--log", "r.jsonl", typed="A\nA\n", cwd=tmp_path)
    said = [text in done.stdout for text in ("Review of what was missed", "passed", "Band")]
    assert said == [True, False, False]
    missed = {str(log_of(tmp_path / f"{n}.jsonl")[1]["item"]) for n in range(2)}
    assert set(log_of(tmp_path / "r.jsonl")[0]["items"]) == missed
    assert "passed" not in call("debrief", "r.jsonl")
