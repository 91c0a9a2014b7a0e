"""Marks and sheets: what fits is decided, what does not stops the run, and nothing is lost on the way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scored_logs import GOOD, Exam, Log, Score, Typed, objects, signed, table, totals
from shipped import Command

from quizgen.scoring.response import candidate_key_on_marking_page

HEAD = "candidate,item,criterion,earned,reason\n"


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("a9,node,bandwidth,1,x\n", ':2: no candidate "a9" in what is scored; did you mean "a1"?'),
        ("b2,node,,1,x\n", ":2: the candidate has no response to node, not even a blank one"),
        ("a1,nod,,1,x\n", ':2: no item "nod" in the bank; did you mean "node"?'),
        ("a1,node,bandwith,1,x\n", ':2: no criterion "bandwith"; there are: every-layer, bandwidth'),
        ("a1,node,3,1,x\n", ':2: no criterion "3"'),
        ("a1,node,bandwidth,1.5,x\n", ":2: 1.5 points are more than the 1 possible"),
        ("a1,node,,4,x\n", ":2: 4 points are more than the 3 possible"),
        ("a1,node,,-1,x\n", ":2: earned must be points"),
        ("a1,node,,2,x\na1,node,,1,y\n", ":3: points 1, and 2 in "),
        ("a1,node,bandwidth,1,x\na1,node,2,0,y\n", ":3: points 0, and 1 in "),
        ("a1,node,bandwidth,1,x\na1,node,,3,y\n", ":2: a criterion of a response that "),
        ("a9,node,bandwidth,,not filled in\n", ':2: no candidate "a9"'),
        (",node,,1,x\n", ":2: no candidate"),
    ],
)
def test_a_row_that_fits_nothing_stops_the_run(score: Score, log: Log, tmp_path: Path, rows: str, told: str) -> None:
    """Exit code 3, file and line, and not a byte of a report, even of one that is written line by line."""
    path = tmp_path / "marks.csv"
    path.write_text(HEAD + rows)
    _, out, err = score(log(*GOOD), "--format", "jsonl", "--marks", path, code=3)
    assert f"{path}{told}" in err
    assert "nothing was scored" in err
    assert out == ""


def test_all_that_is_wrong_with_marks_is_named_in_one_run(score: Score, log: Log, tmp_path: Path) -> None:
    """Rows that cannot be read, rows that fit nothing and points that there are not, of two files."""
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    one.write_text(HEAD + "a1,node,,much,x\na9,node,,1,x\n")
    two.write_text(HEAD + "a1,node,bandwidth,1.5,x\na1,nod,,1,x\n")
    err = score(log(*GOOD), "--marks", one, "--marks", two, "--format", "json", code=3)[2]
    for told in (f"{one}:2: earned must be", f"{one}:3: no candidate", f"{two}:2: 1.5 points are", f"{two}:3: no item"):
        assert told in err


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("candidate,item,earned,reason", "criterion is missing"),
        ("candidate,item,criteria,earned", "criterion is missing"),
        ("candidate,criterion,earned", "item is missing"),
        ("candidate,item,criterion,points", "earned is missing"),
        ("candidate,item,criterion,earned,raeson", 'unknown column "raeson"; did you mean "reason"?'),
        ("candidate,form,1,2,3", "a sheet of responses (one column per item); use --sheet"),
    ],
)
def test_a_sheet_of_marks_names_its_columns(score: Score, log: Log, tmp_path: Path, head: str, told: str) -> None:
    path = tmp_path / "marks.csv"
    path.write_text(f"{head}\n")
    assert told in score(log(*GOOD), "--marks", path, code=3)[2]


def test_points_may_have_the_decimal_comma_of_their_spreadsheet(score: Score, log: Log, tmp_path: Path) -> None:
    outs = []
    for rows in ("a1,node,bandwidth,0.5,half\n", "a1;node;bandwidth;0,5;half\n", 'a1,node,bandwidth,"0,50",half\n'):
        path = tmp_path / "marks.csv"
        path.write_text((HEAD.replace(",", ";") if ";" in rows else HEAD) + rows)
        outs.append(score(log(*GOOD), "--format", "jsonl", "--marks", path)[1])
    assert outs[0] == outs[1] == outs[2]


def test_what_is_told_as_decided_was_decided(score: Score, log: Log, tmp_path: Path) -> None:
    """With the points that it changed; a decision that changes none says so, and filters are no faults."""
    path = tmp_path / "marks.csv"
    path.write_text(HEAD + "a1,node,2,1,said aloud\nb2,shards,,0,agreed\nb2,state,,0.5,half\na1,state,,,\n")
    out = score(log(*GOOD), "--format", "json", "--marks", path)[1]
    assert totals(out) == {"a1": (5, 5), "b2": (0.5, 2)}
    assert json.loads(out)["decisions"] == [
        "a1, node, 2: 1 point, said aloud; the response's points 2 -> 3",
        "b2, state: 0.5 points, half; the response's points 0 -> 0.5",
        "b2, shards: 0 points, agreed; no point changed",
    ]
    (node,) = (x for x in objects(score(log(*GOOD), "--format", "jsonl", "--marks", path)[1]) if x["item"] == "node")
    assert (node["earned"], node["outcome"]) == (3, "correct")
    assert node["criteria"][1]["because"] == "set to 1 by hand: said aloud"
    path.write_text(HEAD + "a1,node,bandwidth,1,said aloud\nb2,shards,,0,agreed\n")
    only = json.loads(score(log(*GOOD), "--format", "json", "--marks", path, "--candidate", "b2")[1])
    assert only["decisions"] == ["b2, shards: 0 points, agreed; no point changed"]


def test_a_limit_follows_the_decisions(score: Score, log: Log, tmp_path: Path) -> None:
    """Of criteria worth 2, 1 and 1, three points are full marks. Found: 2 and 1 of them, 3 of 3. By hand the
    first two go to 2 and 1, then the third to 1: never 4 of 3; and 1 + 1 without the first is 2, not less. Where the two
    earn 1 together, they do so by hand too. Three of four words earn 3/8, of the first two 1/2 at most together: 1
    by hand for the first leaves 1 + 3/8."""
    bank = tmp_path / "capped.yaml"
    worth = (("alpha", 2), ("beta", 1), ("gamma", 1))
    criteria = "".join(f'{{id: {n}, points: {p}, accept: ["{n} used", "{n} mixed well shaken"]}}, ' for n, p in worth)
    for limit, said, row, earned in (
        ("full_marks: 3", "We used alpha. We used beta.", "c,t,gamma,1,", 3),
        ("full_marks: 3", "We used alpha. We used beta. We used gamma.", "c,t,alpha,0,", 2),
        ("groups: [{of: [beta, gamma], at_most: 1}]", "We used beta.", "c,t,gamma,1,", 1),
        ("groups: [{of: [beta, gamma], at_most: 1}]", "We used beta. We used gamma.", "c,t,gamma,0,", 1),
        ("full_marks: 3", "We mixed alpha well. We mixed beta well.", "c,t,alpha,1,", 1.375),
    ):
        rubric = f"{{criteria: [{criteria}], {limit}}}"
        bank.write_text(f"items: [{{id: t, kind: text, stem: Say., points: 3, rubric: {rubric}}}]")
        path = tmp_path / "marks.csv"
        path.write_text(f"{HEAD}{row}x\n")
        lines = log({"candidate": "c", "item": "t", "response": said})
        assert totals(score(lines, "--format", "json", "--marks", path, bank=bank)[1]) == {"c": (earned, 3)}


def test_marks_are_shares_of_what_an_item_earns(score: Score, bank: Path, tmp_path: Path, command: Command) -> None:
    """The rubric's criteria add up to 3, the exam gives the item 4. All ticks earn 4; so do 3 points of a page that
    knew the rubric alone, which is said, and 100 % or 3 of 3 in a sheet; the first criterion, worth 2 of 3, earns 8/3."""
    folder = tmp_path / "exam"
    (tmp_path / "bank" / "blueprints").mkdir(parents=True)
    bank.rename(tmp_path / "bank" / "items.yaml")
    plan = "sections: [{topic: zero, kind: text, count: 1, points: 4}]"
    (tmp_path / "bank" / "blueprints" / "four.yaml").write_text(plan)
    command("exam", tmp_path / "bank" / "four", "-o", folder, "--seed", "s")
    of = json.loads((folder / "manifest.json").read_text())
    (tmp_path / "sheet.csv").write_text("candidate,form,1\nS1,A,Because.\n")
    sheet = ("--sheet", tmp_path / "sheet.csv", "--manifest", folder / "manifest.json", "--format", "json")
    page = tmp_path / "page.html"
    command("mark", tmp_path / "sheet.csv", "--manifest", folder / "manifest.json", "-o", page)
    shown = json.loads(page.read_text().split('id="data">')[1].split("</script>")[0])["items"][0]
    assert (shown["possible"], [c["points"] for c in shown["criteria"]]) == (4, [2.666667, 1.333333])
    key = candidate_key_on_marking_page("s", "S1")
    entry = {"candidate": key, "ref": place(of, 0, "node")["ref"], "ticks": [True, True]}
    for name, text, earned, scaled in (
        ("new.json", marking(of, entry | {"points": 4, "possible": 4}), 4, False),
        ("part.json", marking(of, entry | {"ticks": [True, False], "points": 2.666667, "possible": 4}), 8 / 3, False),
        ("old.json", marking(of, entry | {"points": 3}), 4, True),
        ("share.csv", HEAD + "S1,node,,100%,x\n", 4, False),
        ("points.csv", HEAD + "S1,node,,3,x\n", 3, False),
        ("of.csv", "candidate,item,criterion,earned,possible\nS1,node,,3,3\n", 4, True),
        ("review.csv", "candidate,item,criterion,earned,possible\nS1,node,every-layer,2.67,2.67\n", 8 / 3, False),
    ):
        (tmp_path / name).write_text(text)
        _, out, err = score(*sheet, "--marks", tmp_path / name, bank=None)
        assert totals(out)["S1"] == pytest.approx((earned, 4), abs=1e-6), name
        assert ("were read as shares: node of 3, here 4 (1)" in err) == scaled, name
        assert "each file of marks needs its own --marks" in score(*sheet, tmp_path / name, bank=None, code=3)[2]


@pytest.fixture
def exam(bank: Path, tmp_path: Path, command: Command) -> Exam:
    """An exam of two forms with a roster: S1 has A, S2 has B, as the roster says; and a sheet without a response."""
    folder = tmp_path / "exam"
    (tmp_path / "roster.csv").write_text("name,id\nAda,S1\nBo,S2\n")
    command("exam", bank, "-o", folder, "--forms", "2", "--seed", "s", "--roster", tmp_path / "roster.csv")
    (folder / "responses.csv").write_text("candidate,form,1,2,3\nS1,a,,,\nS2,,,,\n")
    return json.loads((folder / "manifest.json").read_text())


def place(exam: Exam, form: int, item: str) -> dict[str, Any]:
    return next(i for i in exam["forms"][form]["items"] if i["item"] == item)


def test_marks_name_items_as_the_paper_does(score: Score, exam: Exam, tmp_path: Path) -> None:
    """By form and number; without a form, by the one the candidate had. Another form's number is refused."""
    sheet = ("--sheet", tmp_path / "exam" / "responses.csv", "--manifest", tmp_path / "exam" / "manifest.json")
    one, two = place(exam, 0, "node")["n"], place(exam, 1, "node")["n"]
    path = tmp_path / "marks.csv"
    path.write_text(f"candidate,form,item,criterion,earned,reason\nS1,A,{one},1,2,x\nS2,,{two},,3,y\n")
    assert totals(score(*sheet, "--marks", path, "--format", "json", bank=None)[1]) == {"S1": (2, 5), "S2": (3, 5)}
    path.write_text(f"candidate,form,item,criterion,earned,reason\nS1,B,{two},1,2,x\nS2,,9,,3,y\n")
    err = score(*sheet, "--marks", path, "--format", "json", code=3, bank=None)[2]
    assert f"{path}:3: form {exam['exam']}-B has items 1 to 3, no item 9" in err
    path.write_text(f"candidate,form,item,criterion,earned,reason\nS1,B,{two},1,2,x\n")
    err = score(*sheet, "--marks", path, "--format", "json", code=3, bank=None)[2]
    assert f"{path}:2: the response is on form {exam['exam']}-A, not {exam['exam']}-B" in err


def test_who_is_not_on_the_roster_is_held(score: Score, exam: Exam, typed: Typed, tmp_path: Path) -> None:
    """The message has the row and the fix; the rest of the sheet is scored."""
    given = typed("candidate,form,1,2,3\nS1,A,A,,\nS9,A,A,,\nBo,B,A,,\nS1,A,A,,\n")
    path = given[1]
    err = score(*given, "--format", "gradebook", "-o", tmp_path / "g.csv", code=1, bank=None)[2]
    lists = [table((tmp_path / name).read_text()) for name in ("g.csv", "g-not-on-roster.csv")]
    statuses = [[(row["id"], row["status"]) for row in rows] for rows in lists]
    assert statuses == [[("S1", "present"), ("S2", "absent")], [("Bo", "held"), ("S9", "held")]]
    assert f'held: S9: not on the roster; {path}:3: did you mean "S1"?' in err
    assert f'held: Bo: not on the roster; {path}:4: write the id, "S2"' in err
    assert "left out; with -o FILE they are" in score(*given, "--format", "gradebook", code=1, bank=None)[2]


@pytest.mark.parametrize(
    ("sheet", "told"),
    [
        ("candidate,form,1,2,3\nS1,Q,A,,\n", ':2: form "Q" is not in the manifest'),
        ("candidate,form,1,2,3\nS9,,A,,\n", ":2: no form; write its letter"),
        ("candidate,form,1,2,3\n,A,A,,\n", ":2: no candidate"),
        ("candidate,form,1,2\nS1,A,A,\n", ":2: no column for item 3 of form"),
        ("candidate,form,1,2,3,4\nS1,A,A,,,\n", ':1: unknown column "4"'),
        ("candidate,form,1,2,3,3\nS1,A,A,,,\n", ':1: the column "3" appears twice'),
        ("candidate,form,1,2,3\nS1,A,A,,\nS1,A,B,,\n", ":3: another row of the candidate of line 2, and they differ"),
        ("candidate,form,1,2,3\nS1,A,A,31,7 GB,Because.\n", ":2: more cells than columns"),
        (
            'candidate,form,1,2,3\nS1,A,A,"31.7 GB,\nS2,A,A,,\n',
            ":2: not a CSV (unexpected end of data); put the whole cell",
        ),
        ('candidate,form,1,2,3\nS1,A,A,,"No\nS2,A,A,,"Yes"\n', ":2: not a CSV ("),
        ("candidate,item,criterion,earned\n", ": a sheet of points (a column earned); use --marks"),
        ("form,1,2\nA,A,6\n", ': the first row must name the columns candidate, form, 1, 2, 3 …, not "form, 1, 2"'),
    ],
)
def test_a_sheet_fits_the_exam(score: Score, exam: Exam, typed: Typed, sheet: str, told: str) -> None:
    given = typed(sheet)
    _, out, err = score(*given, "--format", "jsonl", code=3, bank=None)
    assert f"{given[1]}{told}" in err
    assert out == ""


def marking(of: dict[str, Any], *entries: dict[str, Any], **other: Any) -> str:
    """What a marking page exports, with the checksum of docs/exams-reference.md."""
    named = {"v": 1, "type": "marking", "exam": of["exam"], "digest": of["digest"], "marker": "Cy"}
    return signed({**named, "entries": entries, **other})


def test_marks_of_a_marking_page(score: Score, exam: Exam, tmp_path: Path) -> None:
    """Ticks earn criteria, points decide; a null refers; CSV and JSON stand side by side; conflicts are told."""
    sheet = ("--sheet", tmp_path / "exam" / "responses.csv", "--manifest", tmp_path / "exam" / "manifest.json")
    key = {who: candidate_key_on_marking_page(exam["seed"], who) for who in ("S1", "S2")}
    node = {"candidate": key["S1"], "ref": place(exam, 0, "node")["ref"], "ticks": [True, False], "points": 2}
    node |= {"comment": "yes"}
    other = {"candidate": key["S2"], "ref": place(exam, 1, "node")["ref"], "ticks": [False, False], "points": None}
    path = tmp_path / "marks.json"
    path.write_text(marking(exam, node, other))
    beside = tmp_path / "marks.csv"
    beside.write_text(HEAD + "S2,shards,,1,the pen slipped\n")
    out = score(*sheet, "--marks", path, "--marks", beside, "--format", "jsonl", bank=None)[1]
    found = {(x["candidate"], x["item"]): x for x in objects(out)}
    assert [c["status"] for c in found["S1", "node"]["criteria"]] == ["found", "missing"]
    assert {k: x["earned"] for k, x in found.items() if x["earned"]} == {("S1", "node"): 2, ("S2", "shards"): 1}
    told = json.loads(score(*sheet, "--marks", path, "--format", "json", bank=None)[1])["decisions"]
    assert told[-1] == "S1, node: 2 of 3, Cy: yes; the response's points 0 -> 2"
    again = tmp_path / "second.json"
    for wrong, why in (
        (marking(exam, node | {"points": 1}), "two decisions on the same points disagree"),
        (marking(exam, node | {"ticks": [True]}), "1 ticks for node, which has 2 criteria"),
        (marking(exam, node | {"points": 3.5}), "3.5 points are more than the 3 possible"),
        (marking(exam, node | {"candidate": "NOBODYXX"}), "no candidate of this run has that key"),
        (marking(exam, node | {"ref": "ZZZZZZZZ"}), "no such item on any form"),
        (marking(exam, node, exam="ZZZZZZ"), "marks of another exam (ZZZZZZ, not"),
        (marking(exam, node, digest="sha256:0"), "marks of another state of the bank"),
        (marking(exam, node).replace('"points": 2', '"points": 3'), "the checksum is wrong"),
    ):
        again.write_text(wrong)
        assert why in score(*sheet, "--marks", path, "--marks", again, "--format", "json", code=3, bank=None)[2]
