"""A stack of pages reconciled: twice, not alike, half missing, of nobody, of another form. No picture is needed."""

from __future__ import annotations

from typing import Any

from quizgen.scan.answers import NO_PAGE_CODE_REASON, AnswerPicture, PageReading, RowReading
from quizgen.scan.stack import ScanResult, scan_result_of_pages
from quizgen.scoring.exam_answers import Manifest, RosterEntry
from quizgen.sheet_layout import CodeAtItem, PageCode


def form(label: str) -> dict[str, Any]:
    """Two choices, a number and a text."""
    kinds = enumerate(("choice", "choice", "numeric", "text"), 1)
    items: list[dict[str, Any]] = [{"n": n, "ref": f"{label}REFER{n}{n}", "item": f"i{n}", "kind": k} for n, k in kinds]
    for item in items[:2]:
        item["options"] = ["w", "x", "y", "z"]
    return {"form": label, "code": f"EXAM-{label}", "seed": label, "items": items}


def manifest(*people: tuple[int, str, str]) -> Manifest:
    forms = {name: made for label in "AB" for made in (form(label),) for name in (label, f"EXAM-{label}")}
    roster = {who: RosterEntry(n, who, who, code) for n, who, code in people}
    return Manifest("bank", "", "EXAM", None, (), forms, roster)


ONE = manifest((1, "S1", "EXAM-A"))


def sheet(
    number: int, answers: str, code: str = "EXAM-A", place: int = 1, doubt: str = "", given: str = ""
) -> PageReading:
    letters = enumerate(answers, 1)
    rows = tuple(RowReading(str(n), letter.strip("-"), doubt if n == 1 else "", ()) for n, letter in letters)
    told = None if number else RowReading("id", given, "", ())
    pictures = {"1": b"1", "2": b"2", "id": b"i"}
    return PageReading("s.pdf", place, PageCode("A", code, number, 1, 1), rows, told, pictures)


def written(number: int, *items: int, label: str = "A", place: int = 9) -> PageReading:
    answers = tuple(AnswerPicture(CodeAtItem("A", f"{label}REFER{n}{n}", number, 5), b"picture", False) for n in items)
    return PageReading("s.pdf", place, answer_pictures=answers)


def cells(stack: ScanResult) -> dict[str, dict[int, str]]:
    return {one.candidate_key: one.response_csv_cell_by_item_number for one in stack.candidate_pages}


def test_one_candidate_is_complete() -> None:
    stack = scan_result_of_pages([written(1, 3, 4), sheet(1, "B-")], ONE, {})
    assert cells(stack) == {"S1": {1: "B", 2: "", 3: "?", 4: "?"}}
    assert stack.fault_lines == []
    (number,) = stack.undecided_readings  # the text is marked
    assert (number.item_number_text, number.item_kind_or_id) == ("3", "numeric")
    again = scan_result_of_pages([sheet(1, "B-"), written(1, 3, 4)], ONE, {number.decision_key: "31.7 GB"})
    assert cells(again) == {"S1": {1: "B", 2: "", 3: "31.7 GB", 4: "?"}}
    assert again.undecided_readings == []


def test_the_same_page_twice() -> None:
    # The first one may be of another print, with fewer rows on a page.
    alike = scan_result_of_pages([sheet(1, "B"), sheet(1, "BC", place=2)], ONE, {})
    assert cells(alike)["S1"] == {1: "B", 2: "C", 3: "?", 4: "?"}
    assert ["read the same" in fault for fault in alike.fault_lines] == [True]
    differ = scan_result_of_pages([sheet(1, "BC"), sheet(1, "BD", place=2)], ONE, {})
    assert cells(differ)["S1"] == {1: "B", 2: "?", 3: "?", 4: "?"}
    (doubtful,) = differ.undecided_readings
    assert (doubtful.item_number_text, doubtful.doubt_reason) == ("2", "scanned twice, not alike")
    assert "read differently: item 2" in differ.fault_lines[0]
    # Of an answer the first one counts, and the other is told with its place.
    twice = scan_result_of_pages([sheet(1, "BC"), written(1, 3, 4), written(1, 3, place=10)], ONE, {})
    assert twice.fault_lines == ["s.pdf, page 10: S1: the answer to item 3 again; the first one counts"]


def test_what_is_missing_is_named() -> None:
    two = manifest((1, "S1", "EXAM-A"), (2, "S2", "EXAM-B"), (3, "S3", "EXAM-A"))
    no_code = PageReading("s.pdf", 7, failure_reason=NO_PAGE_CODE_REASON)
    pages = [sheet(1, "BC"), written(1, 3), written(2, 3, 4, label="B"), no_code]
    told = "\n".join(scan_result_of_pages(pages, two, {}).fault_lines)
    assert "S1 (EXAM-A): written answers are missing: item 4" in told
    assert "S2 (EXAM-B): a page of the answer sheet is missing: items 1, 2" in told
    assert "S3 (EXAM-A): missing: nothing was scanned" in told
    assert "1 page without a readable code (s.pdf, page 7)" in told
    assert len(told.splitlines()) == 4
    # Who sat it on screen is not missed; where nobody is, a page without a code is only noted.
    one = [sheet(1, "BC"), no_code]
    assert scan_result_of_pages(one, two, {}, {"S2"}).fault_lines[0] == "S3 (EXAM-A): missing: nothing was scanned"
    whole = scan_result_of_pages(one, two, {}, {"S2", "S3"})
    assert (whole.fault_lines, len(whole.note_lines)) == ([], 1)


def test_strangers_are_named_and_taken_for_nobody() -> None:
    pages = [
        sheet(1, "BC"),
        sheet(2, "BC", place=2),  # no such number
        sheet(1, "BC", code="EXAM-B", place=3),  # a form that was not dealt to number 1
        sheet(0, "BC", place=4, given="123"),  # an ID of nobody
        written(7, 3, place=5),
        written(0, 3, place=6),
        PageReading("s.pdf", 8, answer_pictures=(AnswerPicture(CodeAtItem("A", "ZZZZZZZZ", 1, 5), b"", False),)),
        PageReading("s.pdf", 9, failure_reason="the page cannot be drawn"),
    ]
    stack = scan_result_of_pages(pages, ONE, {})
    assert set(cells(stack)) == {"S1"}
    for place, what in ((2, "not on the roster"), (3, "not on the roster"), (4, "“123” is not on the roster"), (5, "number 7"), (6, "no name"), (8, "another exam"), (9, "not read")):  # fmt: skip
        assert [f for f in stack.fault_lines if f.startswith(f"s.pdf, page {place}:") and what in f], (place, stack)
    assert len(stack.fault_lines) == 7
    key = next(o.decision_key for o in stack.undecided_readings if o.item_kind_or_id == "id")
    assert set(cells(scan_result_of_pages([sheet(0, "BC", place=4, given="123")], ONE, {key: "S1"}))) == {"S1"}
    nobodys = scan_result_of_pages([sheet(1, "BC"), sheet(0, "BC", place=4, given="123")], ONE, {key: ""})
    assert (set(cells(nobodys)), nobodys.undecided_readings, nobodys.fault_lines) == ({"S1"}, [], [])
    assert "nobody's sheet" in nobodys.note_lines[0]


def test_without_a_roster_the_id_of_the_grid_is_the_candidate() -> None:
    pages = [sheet(0, "B-", given="4711"), sheet(0, "AD", place=2, given="4712", doubt="faint")]
    stack = scan_result_of_pages(pages, manifest(), {})
    assert cells(stack) == {"4711": {1: "B", 2: "", 3: "?", 4: "?"}, "4712": {1: "?", 2: "D", 3: "?", 4: "?"}}
    (open_one,) = stack.undecided_readings
    assert (open_one.candidate_key, open_one.item_number_text, open_one.proposed_answer) == ("4712", "1", "A")
    assert stack.fault_lines == []
    # Two folders have a file of one name: what is decided for one sheet is not for the other.
    twins = [sheet(0, "B-", given="4711", doubt="faint"), sheet(0, "AD", given="4712", doubt="faint")]
    first, _ = scan_result_of_pages(twins, manifest(), {}).undecided_readings
    decided = cells(scan_result_of_pages(twins, manifest(), {first.decision_key: "C"}))
    assert [row[1] for row in decided.values()] == ["C", "?"]
    first, second = (o.decision_key for o in scan_result_of_pages(twins, ONE, {}).undecided_readings)
    assert first != second
