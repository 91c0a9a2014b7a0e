"""Keys, the table of all forms, the manifest, and the folder they are written to."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from quizgen import exam
from quizgen.render import exam_folder
from quizgen.render.edition import PageOptions
from quizgen.render.exam import lay_out_form_with_label
from quizgen.roster import Candidate

from . import made
from .made import pages, sample

# -- keys -------------------------------------------------------------------------------------


def test_the_table_of_all_forms_finds_each_item_in_each_form() -> None:
    plan = sample()
    forms = [lay_out_form_with_label(plan, label) for label in exam.form_labels(6)]
    columns = (exam_folder.form_label_code_and_key_cells(form, PageOptions()) for form in forms)
    text = "".join(exam_folder.answer_table_html_pieces(plan, columns, 6, PageOptions()))
    assert text.count("<table") == 2  # four forms side by side, then two
    for form in forms:
        place = next(n for n, e in enumerate(form.form.entries) if e.variant.item.id == "n-one")
        assert exam_folder.form_label_code_and_key_cells(form, PageOptions())[2][place] == ("n-one", "31.7 GB")
    assert text.count("31.7 GB") == 6


def test_long_keys_are_cut_between_words() -> None:
    """At 60 characters at most, in whole words where there are some; a formula cut short would not be one."""
    for text, shown in (
        ("A: " + "word " * 20, "A: " + "word " * 11 + "…"),
        ("B: " + "x" * 80, "B: " + "x" * 56 + "…"),
        ("C: $" + "x + " * 20 + "x$", None),
    ):
        plan = exam.plan_exam(made.bank(made.number("n", "How much?", key=text)), made.blueprint(), "s")
        cell = exam_folder.form_label_code_and_key_cells(lay_out_form_with_label(plan, "A"), PageOptions())[2][0][1]
        assert cell.replace("<wbr>", "") == shown if shown else "…" not in cell


# -- the folder -------------------------------------------------------------------------------


def order(plan: exam.Exam, **fields: object) -> exam_folder.ExamFolderPlan:
    return exam_folder.ExamFolderPlan(pages(plan), **fields)


def write(path: Path, plan: exam.Exam, **fields: object) -> exam_folder.ExamFolderWriter:
    return exam_folder.write_exam_folder(order(plan, **fields), path, lambda done: None)


def test_the_folder_of_the_contract_and_an_interrupted_run_leaves_the_last_manifest_whole(tmp_path: Path) -> None:
    plan = sample()
    done: list[int] = []
    written = exam_folder.write_exam_folder(order(plan, form_count=2), tmp_path, done.append)
    expected = {"form-A.html", "form-B.html", "key-A.html", "key-B.html", "answers.html", "manifest.json"}
    assert set(written.written_file_names) == expected
    assert not written.new_names_of_kept_files
    assert {p.name for p in tmp_path.iterdir()} == expected
    assert done == [1, 2]
    before = (tmp_path / "manifest.json").read_bytes()

    def interrupt(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        exam_folder.write_exam_folder(order(plan, form_count=3), tmp_path, interrupt)
    assert (tmp_path / "manifest.json").read_bytes() == before
    assert not list(tmp_path.glob(".*"))


def test_a_roster_deals_forms_in_turn_and_keeps_those_it_names(tmp_path: Path) -> None:
    plan = sample()
    people = (Candidate(1, "Ann", "1"), Candidate(2, "Bo", "=2+3"), Candidate(3, "Cy", "", "", "A"), Candidate(4, "Di"))
    written = write(tmp_path, plan, form_count=2, roster=people)
    files = [n for n in written.written_file_names if re.fullmatch(r"form-[AB]-\d+\.html", n)]
    assert sorted(files) == ["form-A-001.html", "form-A-003.html", "form-B-002.html", "form-B-004.html"]
    record = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    dealt = [(c["name"], c["file"].removeprefix(f"form-{c['form']}-")) for c in record["candidates"]]
    assert dealt == [("Ann", "001.html"), ("Bo", "002.html"), ("Cy", "003.html"), ("Di", "004.html")]
    sheet = (tmp_path / "responses.csv").read_text(encoding="utf-8").splitlines()
    a, b = (form["code"] for form in record["forms"])
    assert sheet == ["candidate,form,1,2,3,4", f"1,{a},,,,", f"'=2+3,{b},,,,", f"Cy,{a},,,,", f"Di,{b},,,,"]


def test_another_exam_in_the_folder_loses_no_manifest(tmp_path: Path) -> None:
    """Forms that were handed out can still be scored after a run with another seed, or two; pages that are left are
    named."""
    first = sample()
    write(tmp_path, first, form_count=3)
    written = write(tmp_path, first, form_count=2)
    (tmp_path / "practice").mkdir()
    (tmp_path / "practice" / "practice-C.html").touch()
    left = exam_folder.leftover_page_names(tmp_path, written.written_file_names)
    assert left == ["form-C.html", "key-C.html", "practice/practice-C.html"]
    assert not written.new_names_of_kept_files  # the same exam with fewer forms: the new manifest does as well
    before = (tmp_path / "manifest.json").read_bytes()
    second = replace(first, seed="another seed", code="ABCDEF")
    assert write(tmp_path, second, form_count=2).new_names_of_kept_files == [f"manifest-{first.code}.json"]
    assert (tmp_path / f"manifest-{first.code}.json").read_bytes() == before
    assert write(tmp_path, first).new_names_of_kept_files == ["manifest-ABCDEF.json"]
    assert write(tmp_path, second).new_names_of_kept_files == [f"manifest-{first.code}-2.json"]
    assert (tmp_path / f"manifest-{first.code}.json").read_bytes() == before


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_marks_that_were_typed_in_are_kept(tmp_path: Path, mark: str) -> None:
    """Whatever the spreadsheet that saved them puts between cells."""
    plan = sample()
    people = (Candidate(1, "Ann", "1"),)
    write(tmp_path, plan, roster=people)
    sheet = tmp_path / "responses.csv"
    empty = sheet.read_bytes()
    assert not write(tmp_path, plan, roster=people).new_names_of_kept_files
    sheet.write_text("candidate,form,1,2,3,4\n1,A,B,,,\n".replace(",", mark), encoding="utf-8")
    assert write(tmp_path, plan, roster=people).new_names_of_kept_files == [f"responses-{plan.code}.csv"]
    assert mark.join("1AB") in (tmp_path / f"responses-{plan.code}.csv").read_text(encoding="utf-8")
    assert sheet.read_bytes() == empty


def test_a_full_disk_leaves_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = sample()
    write(tmp_path, plan)
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    synced = os.fsync

    def full(handle: int) -> None:
        if any(p.name.startswith(".key") for p in tmp_path.iterdir()):
            raise OSError(28, "No space left on device")
        synced(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write(tmp_path, replace(plan, seed="another"))
    after = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    assert after.keys() == before.keys()
    assert after["key-A.html"] == before["key-A.html"]
    assert after["manifest.json"] == before["manifest.json"]
