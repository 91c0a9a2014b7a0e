"""`quizgen score`, answers files and sheets of exams, sums that are exact, and two forms of different items on one scale."""

from __future__ import annotations

import datetime
import io
import json
import random
import re
import shutil
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import pytest
from scored_logs import Exam, Log, Score, Typed, objects, sheet_of, signed, table, totals
from shipped import Command

from quizgen.spreadsheet import numbered_rows_of_csv_or_xlsx_bytes


@pytest.fixture
def exam(tmp_path: Path, bank: Path, command: Command) -> Exam:
    """The manifest of an exam of two forms, in the folder `exam`."""
    command("exam", bank, "-o", tmp_path / "exam", "--forms", "2", "--seed", "s", "--items", "3")
    return json.loads((tmp_path / "exam" / "manifest.json").read_text())


def right(item: dict[str, Any]) -> str:
    said = {"choice": item["key"].partition(":")[0], "numeric": item["key"], "text": "they communicate in every layer"}
    return said[item["kind"]]


def test_answers_files_are_scored_through_the_manifest(score: Score, tmp_path: Path, exam: Exam) -> None:
    form = exam["forms"][1]
    responses = [{"item": i["ref"], "response": right(i), "seconds": 5.5, "at": None} for i in form["items"]]
    answers = {"v": 1, "type": "answers", "form": form["code"], "candidate": "S1", "name": "Ada"}
    answers |= {"responses": responses}
    path = tmp_path / "answers-B-S1.json"
    path.write_text(signed(answers))
    where = tmp_path / "exam" / "manifest.json"
    _, out, err = score(path, "--manifest", where, "--format", "jsonl", bank=None)
    found = {x["item"]: (x["candidate"], x["outcome"], x["earned"]) for x in objects(out)}
    assert found == {"shards": ("S1", "correct", 1), "state": ("S1", "correct", 1), "node": ("S1", "partial", 2)}
    assert not err
    path.write_text(json.dumps({**answers, "responses": [*responses[:1], {"item": "ZZZZZZZZ", "response": "x"}]}))
    _, out, err = score(path, "--manifest", where, "--format", "json", bank=None, code=1)
    assert "the checksum is wrong" in err
    assert 'no item "ZZZZZZZZ" on form' in err
    assert len(json.loads(out)["candidates"][0]["not_reached"]) == 2
    assert "needs its exam's manifest" in score(path, code=3)[2]
    assert "needs its exam's manifest" in score(path, bank=None, code=3)[2]
    again = tmp_path / "answers-A-S1.json"  # a second form in the same name; such a file has no lines to point at
    again.write_text(signed({**answers, "form": exam["forms"][0]["code"], "responses": []}))
    err = score(again, path, "--manifest", where, bank=None, code=1)[2]
    assert f"{path}: this candidate has handed in already: {again}; these lines do not count" in err
    beside = tmp_path / "exam" / path.name
    beside.write_bytes(path.read_bytes())
    found_beside = json.loads(score(tmp_path / "exam", "--format", "json", bank=None, code=1)[1])
    assert found_beside["candidates"] == json.loads(out)["candidates"]
    shutil.copytree(tmp_path / "exam", tmp_path / "another")  # two exams: a person must say which
    assert "needs its exam's manifest" in score(tmp_path / "exam", tmp_path / "another", code=3)[2]


def test_an_impossible_or_damaged_file_is_held(score: Score, bank: Path, tmp_path: Path, command: Command) -> None:
    """A damaged file is known by the number or the ID in its head, or by its name, as a browser or an LMS changed it."""
    (tmp_path / "roster.csv").write_text("name,id\nAda,S1\nBo,S2\n")
    folder, laid = tmp_path / "exam", tmp_path / "in"
    command("exam", bank, "-o", folder, "--seed", "s", "--roster", tmp_path / "roster.csv")
    record = json.loads((folder / "manifest.json").read_text())
    form, minutes = record["forms"][0], record["minutes"]
    times = {"started": "2026-11-21T10:00:00Z", "finished": "2026-11-21T10:09:00Z", "saved": "2026-11-21T10:09:00Z"}
    times["deadline"] = f"2026-11-21T10:{minutes:02}:00Z"
    good = {"v": 1, "type": "answers", "edition": "exam", "form": form["code"], "number": 1, "candidate": "S1", **times}
    good |= {"minutes": minutes, "open_seconds": 540, "responses": [], "name": 'Ada "Lo"'}
    laid.mkdir()
    for change, cut, name, told in (
        ({}, None, "answers-A-S1.JSON", ""),
        ({"open_seconds": 3000}, None, "answers-A-S1.json", "the page was open for 3,000 seconds of the 540 from its"),
        ({"number": 2, "events": 5}, None, "answers-A-S1.json", "the file has the number 2, which belongs to S2"),
        ({}, 150, "other-answers-A-x.json", "the answers file is damaged and cannot be read: ask for it again"),
        ({"open_seconds": 10**350}, None, "answers-A-S1.json", "the answers file is damaged"),
        ({}, 0, "answers-A-S1 (1).json", "the answers file is damaged"),
        ({}, 0, "adaexample_71_answers-A-1.json", "the answers file is damaged"),
    ):
        for old in laid.iterdir():
            old.unlink()
        (laid / name).write_text(signed({**good, **change})[:cut])
        (laid / "answers-A-S2.json").write_text(signed({**good, "number": 2, "candidate": "S2"}))
        given = (laid, laid / name, "--manifest", folder / "manifest.json", "--format", "gradebook")
        rows = table(score(*given, bank=None, code=None)[1])
        assert [one["status"] for one in rows] == ["held" if told else "present", "present"]
        assert told in rows[0]["checks"]
    other = {**good, "form": "ZALRG3-A", "number": 2, "candidate": "T2", "name": "Cy"}  # of another class
    (laid / "answers-A-T2.json").write_text(signed(other))
    assert [one["status"] for one in table(score(*given, bank=None, code=1)[1]) if one["id"] == "S2"] == ["present"]
    (laid / "answers-A-T2.json").unlink()
    (laid / "answers-A-S1.json").write_text(signed(good))
    assert "a damaged copy" in score(*given, bank=None, code=None)[1]
    (tmp_path / "roster.csv").write_text("name,id\nCy,S3\nAda,S1\nBo,S2\n")  # a newcomer, who has row 1 now
    rows = table(score(*given, "--roster", tmp_path / "roster.csv", bank=None, code=None)[1])
    statuses = [(one["id"], one["status"]) for one in rows]
    assert statuses == [("S3", "absent"), ("S1", "present"), ("S2", "present")]


def test_what_was_begun_too_late_earns_no_mark(score: Score, tmp_path: Path, exam: Exam) -> None:
    """With `--late exclude` a text that was blank at the deadline earns nothing by any mark, and that is noted."""
    form = exam["forms"][0]
    late = {"late": True, "changes": 1, "at": "2026-11-21T10:41:00Z"}
    responses = [{"item": i["ref"], "response": right(i), "at_deadline": "", **late} for i in form["items"]]
    times = {"started": "2026-11-21T10:00:00Z", "finished": "2026-11-21T10:42:00Z", "deadline": "2026-11-21T10:40:00Z"}
    answers = {"v": 1, "type": "answers", "form": form["code"], "candidate": "S1", "minutes": 40, **times}
    for name, own in (("1.json", {"responses": responses}), ("2.json", {"edition": "practice", "responses": []})):
        (tmp_path / name).write_text(signed({**answers, **own}))  # practice afterwards changes nothing
    (tmp_path / "marks.csv").write_text("candidate,item,criterion,earned,reason\nS1,node,,3,read\n")
    (tmp_path / "sheet.csv").write_text(f"candidate,form,1,2,3\nS1,{form['form']},,,\n")
    given = [*sorted(tmp_path.glob("?.json")), "--manifest", tmp_path / "exam/manifest.json", "--format", "gradebook"]
    given += ["--sheet", tmp_path / "sheet.csv", "--release", "S1"]
    finals = []
    for rule in ("ignore", "exclude"):
        (row,) = table(score(*given, "--marks", tmp_path / "marks.csv", "--late", rule, bank=None)[1])
        finals.append((row["final"], "the mark does not count" in row["checks"]))
    assert finals == [("5", False), ("0", True)]


def test_a_typed_in_sheet_is_scored_through_the_manifest(score: Score, typed: Typed, exam: Exam) -> None:
    """With the mark and the separator that a spreadsheet puts there."""
    given = [[f"p{form['form']}", form["form"], *(right(i) for i in form["items"])] for form in exam["forms"]]
    text = sheet_of(["Candidate", "Form", 1, 2, 3], *given, ["blank", "A", "", "", ""])
    sheet = typed("\ufeff" + text.replace(",", ";"))
    out = score(*sheet, "--format", "json", bank=None, code=1)[1]
    assert totals(out) == {"pA": (4, 5), "pB": (4, 5), "blank": (0, 5)}
    assert "needs --manifest" in score(*sheet[:2], code=2)[2]


def test_an_option_that_is_gone_is_not_scored_as_zero(score: Score, bank: Path, typed: Typed, exam: Exam) -> None:
    """Who chose it gave no unreadable answer: the bank is not that of the forms."""
    called = typed("candidate,form,1,2,3\nS1,A,A,,\n")
    bank.write_text(bank.read_text().replace("- The parameters", "- The model's parameters"))
    err = score(*called, code=3)[2]
    assert 'shards: the bank has no option "The parameters", the forms have; restore the item' in err
    score(*called, "--drop", "shards")
    bank.write_text(bank.read_text().replace("- The model's parameters", "- the parameters"))
    score(*called)
    slip = bank.read_text().replace("key: The optimizer states", "key: The gradients")  # now twice among the options
    bank.write_text(slip)
    err = score(*called, "--format", "gradebook", code=1)[2]
    assert "held: S1: not in the bank, or with an error there: shards; see quizgen check" in err
    score(*called, "--format", "gradebook", "--release", "S1")
    fixed = bank.read_text().replace("draw: {N: [7e9 param, 13e9 param], K", "with: {N: 7e9 param}\n    draw: {K")
    bank.write_text(fixed)
    assert "state: N is drawn in the bank or on the forms, not in both" in score(*called, code=3)[2]


def test_a_row_without_anything_in_it_is_no_zero(score: Score, typed: Typed, exam: Exam) -> None:
    """The sheet to type in names everybody: whoever stayed away has an empty row there, and is held and not failed.
    One cell is enough to have sat; who gave a blank paper is released."""
    form = exam["forms"][0]
    sheet = (*typed(f"candidate,form,1,2,3\nada,A,{right(form['items'][0])},,\nbo,A,,,\n"), "--format", "gradebook")
    _, grades, told = score(*sheet, bank=None, code=1)
    assert [row.split(",")[1:5:3] for row in grades.splitlines()[1:]] == [["ada", "present"], ["bo", "held"]]
    assert "held: bo: the row is empty: take it out if nothing was handed in" in told
    assert ",present," in score(*sheet, "--release", "bo", bank=None)[1].splitlines()[2]


def test_a_letter_that_the_form_does_not_have_is_a_slip_of_the_typist(score: Score, typed: Typed, exam: Exam) -> None:
    """No wrong answer: the grade is held. Two letters where one is asked for are what the candidate marked."""
    for cell, told in (("D", '"D" at item {}'), ("A, x", '"A, x" at item {}'), ("AB", ""), ("", ""), ("?", "not read")):
        place = next(n for n, item in enumerate(exam["forms"][0]["items"]) if item["kind"] == "choice")
        row = ["S1", "A", *(cell if n == place else "7" for n in range(3))]
        sheet = typed(sheet_of(["candidate", "form", 1, 2, 3], row))
        assert told.format(place + 1) in score(*sheet, "--format", "gradebook", bank=None, code=1 if told else 0)[2]


def test_who_is_held_is_in_no_figure_of_the_class(score: Score, bank: Path, tmp_path: Path, command: Command) -> None:
    """Of two points S1 has 2 and S2 one, and S3, who has 2, is held: the mean is 75 %, not 83 %. 100 % is a 1.0, 50 % a 4.0, what
    is held has no grade. A roster's name stands beside the number; the report of the class names nobody."""
    (tmp_path / "bank" / "blueprints").mkdir(parents=True)
    bank.rename(tmp_path / "bank" / "items.yaml")
    plan = 'sections: [{include: [shards, node], count: 2, points: 1}]\ngrades: [{from: 50%, name: "4.0"}, {from: 90%, name: "1.0"}]'
    (tmp_path / "bank" / "blueprints" / "two.yaml").write_text(plan)
    (tmp_path / "roster.csv").write_text("name,id\nAda,S1\nBo,S2\nCy,S3\n")
    make = ["exam", str(tmp_path / "bank" / "two"), "-o", str(tmp_path / "exam"), "--seed", "s"]
    command(*make, "--roster", tmp_path / "roster.csv")
    items = json.loads((tmp_path / "exam" / "manifest.json").read_text())["forms"][0]["items"]
    choice = right(next(i for i in items if i["kind"] == "choice"))
    full = {"choice": choice, "text": "NVLink is faster. They communicate in every layer."}
    both = ",".join(f'"{full[i["kind"]]}"' for i in items)
    one = ",".join(f'"{full["choice"]}"' if i["kind"] == "choice" else "" for i in items)
    (tmp_path / "sheet.csv").write_text(f"candidate,form,1,2\nS1,A,{both}\nS2,A,{one}\nS3,A,{both}\n")
    (tmp_path / "more.csv").write_text(f"candidate,form,1,2\nS3,A,{one}\n")
    sheets = ("--sheet", tmp_path / "sheet.csv", "--sheet", tmp_path / "more.csv")
    given = (*sheets, "--manifest", tmp_path / "exam" / "manifest.json")
    assert json.loads(score(*given, "--format", "json", bank=None, code=1)[1])["scores"]["mean"]["value"] == 0.75
    rows = table(score(*given, "--format", "gradebook", bank=None, code=1)[1])
    assert [(row["status"], row["grade"]) for row in rows] == [("present", "1.0"), ("present", "4.0"), ("held", "")]
    assert "S1 (Ada)" in score(*given, "--format", "html", bank=None, code=1)[1]
    page = score(*given, "--format", "html", "--class", bank=None, code=1)[1]
    assert not re.findall(r">Ada|Bo<|\bS[123]\b", page)
    assert "2 present, 1 held: figures leave out who is held." in page
    assert "--class needs --format html" in score(*given, "--class", bank=None, code=2)[2]


def test_sheets_come_and_go_as_workbooks(score: Score, bank: Path, tmp_path: Path, command: Command) -> None:
    """Roster, responses, marks and the grade list as XLSX; a CSV with semicolons has the mark that says it is UTF-8. An ID
    keeps its zeros, and what a spreadsheet would compute is a text."""
    openpyxl = pytest.importorskip("openpyxl")

    def book(name: str, *rows: tuple[object, ...]) -> Path:
        made = openpyxl.Workbook()
        for row in rows:
            made.active.append(row)
        made.save(tmp_path / name)
        return tmp_path / name

    roster = book("roster.xlsx", ("name", "id"), ("Ädä", "007"), ("@Bo", 12))
    made = ["exam", str(bank), "-o", str(tmp_path / "exam"), "--seed", "s", "--items", "3", "--roster", str(roster)]
    command(*made)
    given = [right(i) for i in json.loads((tmp_path / "exam" / "manifest.json").read_text())["forms"][0]["items"]]
    sheet = book("typed.xlsx", ("candidate", "form", 1, 2, 3), ("007", "A", *given), (12, "A", None, None, given[2]))
    marks = book("marks.xlsx", ("candidate", "item", "criterion", "earned"), ("007", "node", None, 3))
    read = ("--sheet", sheet, "--manifest", tmp_path / "exam" / "manifest.json", "--marks", marks)
    asked = (*read, "--format", "gradebook")
    score(*asked, "-o", tmp_path / "grades.xlsx", bank=None)
    rows = list(openpyxl.load_workbook(tmp_path / "grades.xlsx").active.values)
    assert [rows[1][n] for n in (1, 2, 5)] + [rows[2][n] for n in (1, 2)] == ["007", "Ädä", 5, 12, "@Bo"]
    score(*asked, "--delimiter", ";", "-o", tmp_path / "grades.csv", bank=None)
    text = (tmp_path / "grades.csv").read_bytes()
    assert text.startswith(b"\xef\xbb\xbfnumber;id;name;")
    assert "\n1;007;Ädä;".encode() in text
    assert "need --format csv" in score(*read, "-o", tmp_path / "r.xlsx", bank=None, code=2)[2]
    day, clock = datetime.datetime(2026, 4, 22), datetime.time(12, 30)
    dated = book("dated.xlsx", ("day", "time"), (day, clock), (day.replace(hour=9), day.date()))
    read_again = [row for _, row in numbered_rows_of_csv_or_xlsx_bytes(dated.read_bytes(), "dated.xlsx")]
    assert read_again[1:] == [["2026-04-22", "12:30:00"], ["2026-04-22 09:00:00", "2026-04-22"]]


def test_a_percentage_in_a_workbook_is_read_as_it_is_shown() -> None:
    """25 % of extra time or of the points is kept as 0.25 with a format."""
    openpyxl = pytest.importorskip("openpyxl")
    made, kept = openpyxl.Workbook(), io.BytesIO()
    for value, form, _ in (cells := (
        (0.25, "0%", "25%"), (1, "0%", "100%"), (0.07, "0.0 %", "7%"), (0.00755, "0.00%;[Red]-0.00%", "0.755%"),
        (2.5, 'General" %"', "2.5"), (0.25, "0.00\\%", "0.25"), (3.0, "0", "3"), ("50%", "0%", "50%"),
    )):  # fmt: skip
        made.active.append((value,))
        made.active.cell(made.active.max_row, 1).number_format = form
    made.save(kept)
    rows = numbered_rows_of_csv_or_xlsx_bytes(kept.getvalue(), "kept.xlsx")
    assert [row for _, row in rows] == [[text] for *_, text in cells]


def test_a_sheet_among_logs_is_known(score: Score, log: Log, bank: Path, tmp_path: Path, exam: Exam) -> None:
    """Without its manifest it is one message that says what to type, not a line of "not JSON" for each row."""
    for name, head in (("p.csv", "candidate,form,1,2,3"), ("typed", "Candidate;Form;1;2")):
        path = tmp_path / name
        path.write_text(f"{head}\np,A,B\nq,A,C\n")
        for given in (None, bank):
            told = score(path, code=3, bank=given)[2]
            assert f"{path}:" in told
            assert f"`quizgen score --sheet {path} --manifest DIR/manifest.json`" in told
            assert "not JSON" not in told
    good = log({"candidate": "a", "item": "shards", "response": "The optimizer states"})
    _, out, err = score(good, tmp_path / "p.csv", "--format", "json")
    assert totals(out) == {"a": (1, 1)}
    assert f"{tmp_path / 'p.csv'}:1: a CSV sheet, not a log" in err
    with_manifest = ("--manifest", tmp_path / "exam" / "manifest.json", "--format", "json")
    assert totals(score(tmp_path / "p.csv", *with_manifest, bank=None)[1]).keys() == {"p", "q"}
    beside = tmp_path / "exam" / "p.csv"
    beside.write_bytes((tmp_path / "p.csv").read_bytes())
    for way in ((beside,), ("--sheet", beside)):
        assert totals(score(*way, "--format", "json", bank=None)[1]).keys() == {"p", "q"}


def test_a_feedback_page_says_what_was_asked(score: Score, tmp_path: Path, typed: Typed, exam: Exam) -> None:
    """In the author's words and not by the name of a criterion; no list of a blank, and no phrases of a rubric."""
    form = exam["forms"][0]
    place = next(n for n, item in enumerate(form["items"]) if item["kind"] == "text")
    said = (("a", "nvlink is fast"), ("b", ""))
    rows = [[who, "A", *(text if n == place else "A" for n in range(3))] for who, text in said]
    pages = tmp_path / "pages"
    score(*typed(sheet_of(["candidate", "form", 1, 2, 3], *rows)), "--feedback", pages, bank=None)
    given, blank = (path.read_text(encoding="utf-8") for path in sorted(pages.iterdir()))
    assert "<b>It communicates in every layer.</b> missing, 0 of 2" in given
    assert "Accept, in words" not in given + blank
    assert "It communicates in every layer.</b>" not in blank
    sheet = typed(sheet_of(["candidate", "form", 1, 2, 3], rows[0]))
    score(*sheet, "--drop", "shards", "--accept", "node=nvlink is fast", "--apply", "--feedback", pages, bank=None)
    changed = next(pages.iterdir()).read_text(encoding="utf-8")
    assert "the item was dropped: it counts for nobody" in changed
    assert changed.count("was accepted by hand") == 1


def test_what_nobody_has_read_is_not_wrong(score: Score, typed: Typed, exam: Exam, tmp_path: Path) -> None:
    """Neither in a report of one candidate nor among what was said most often: the grade is held, until marks decide it."""
    form = exam["forms"][0]
    cells = ",".join("?" if item["kind"] == "text" else "" for item in form["items"])
    sheet = typed("candidate,form,1,2,3\n" + "".join(f"p{n},A,{cells}\n" for n in range(5)))
    assert "Said most often" not in score(*sheet, bank=None, code=1)[1]
    assert "response: (on paper)" in score(*sheet, "--candidate", "p1", bank=None, code=1)[1]
    page = score(*sheet, "--format", "html", bank=None, code=1)[1]
    assert "5 held: figures are of who is held, and what nobody has read yet counts as 0." in page
    place = next(item["n"] for item in form["items"] if item["kind"] == "text")
    assert f"held: p0: not read yet: item {place};" in score(*sheet, bank=None, code=1)[2]
    marks = "p0,node,every-layer,0,\np0,node,2,0,\n" + "".join(f"p{n},node,,{n % 4},read\n" for n in range(1, 5))
    for text in (marks.replace("p0,node,2,0,\n", ""), marks):
        (tmp_path / "marks.csv").write_text(f"candidate,item,criterion,earned,reason\n{text}")
        err = score(*sheet, "--marks", tmp_path / "marks.csv", bank=None, code=None)[2]
        assert (f"held: p0: not read yet: item {place} (bandwidth);" in err) == (text != marks)
    grades = table(score(*sheet, "--marks", tmp_path / "marks.csv", "--format", "gradebook", bank=None)[1])
    assert [(row["status"], row["raw"]) for row in grades] == [("present", str(n % 4)) for n in range(5)]


def test_forms_are_put_on_one_scale(score: Score, tmp_path: Path, typed: Typed, command: Command) -> None:
    """Sixty on each of two forms of twelve items, four in common: the figures that tests/test_scale_and_groups.py puts on
    one scale."""
    bank = tmp_path / "twelve.yaml"
    item = "  - {{id: i{0}, kind: choice, stem: 'Which {0}?', key: right, distractors: [one, two]}}\n"
    bank.write_text("items:\n" + "".join(item.format(n) for n in range(24)))
    out = tmp_path / "exam"
    command("exam", bank, "-o", out, *["--items", "12", "--forms", "2", "--anchor", "4", "--seed", "s"])
    manifest = json.loads((out / "manifest.json").read_text())
    rng = random.Random(5)
    rows: list[list[str]] = [["candidate", "form", *map(str, range(1, 13))]]
    points: dict[str, list[tuple[int, int]]] = {"A": [], "B": []}
    for number in range(120):
        form = manifest["forms"][number % 2]
        skill = rng.random() - (0.1 if form["form"] == "B" else 0)
        right = {i["n"]: rng.random() < skill for i in form["items"]}
        rows.append([f"c{number}", form["form"]])
        for item in form["items"]:
            wanted = item["options"].index("right")
            rows[-1].append("ABC"[wanted if right[item["n"]] else (wanted + 1) % 3])
        common = sum(right[i["n"]] for i in form["items"] if i["item"] in manifest["anchors"])
        points[form["form"]].append((sum(right.values()), common))
    call = typed(sheet_of(*rows))
    report = json.loads(score(*call, "--format", "json", bank=None)[1])
    for found, (total, anchor) in zip(report["forms"], (zip(*points[name], strict=True) for name in "AB"), strict=True):
        told = found["moments"]
        assert (told["n"], told["mean"], told["sd"]) == pytest.approx((60, fmean(total), pstdev(total)))
        assert (told["anchor"], told["anchor_sd"]) == pytest.approx((fmean(anchor), pstdev(anchor)))
    scale = report["forms"][1]["scale"]
    assert 0 < scale["error"] < 1
    text = score(*call, bank=None)[1]
    told = f"on the scale of {manifest['exam']}-A: {scale['slope']:.4f} x {scale['intercept']:+.3f} (Tucker)"
    assert told in " ".join(text.split())
    assert "fewer than 100 candidates on a form" in text
    assert "(Tucker)" in score(*call, "--format", "html", bank=None)[1]
