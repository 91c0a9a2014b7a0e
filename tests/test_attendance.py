"""Sittings held against a roster: what is open, what is only noted, what lateness costs; and the roster itself, read
with commas or semicolons, where every mistake is told with its place."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from quizgen.analysis.attendance import Attendance, Grade, LateRule, attendances_and_unscored_file_reasons
from quizgen.model import ScoreBand
from quizgen.roster import Candidate, candidates_and_problems, read_extra_time_share_and_minutes
from quizgen.scoring.exam_answers import ExamSitting, RosterEntry
from quizgen.source.problems import Problem
from quizgen.spreadsheet import numbered_rows_of_csv_or_xlsx_bytes

ADA = RosterEntry(1, "S1", "Ada", "X-A", 40)
GOOD = ExamSitting(
    "d/a.json", "S1", "X-A", start_epoch_seconds=1000, finished_epoch_seconds=2000, deadline_epoch_seconds=3400, allowed_minutes=40, last_change_epoch_seconds=1990,
    responses_sha256="1",
)  # fmt: skip
FACTS = {
    "clock_set_back_seconds": 1800, "away_seconds": 30, "reopened_count": 2, "closed_seconds": 12,
    "notes": ("an earlier sitting of this form was cleared from the device",),
}  # fmt: skip
PAPER = dict.fromkeys(("start_epoch_seconds", "finished_epoch_seconds", "deadline_epoch_seconds", "allowed_minutes"))
PAPER["is_on_paper"] = True


def one(*sittings: ExamSitting, late: str = "", person: RosterEntry | None = ADA) -> Attendance:
    (row,), _ = attendances_and_unscored_file_reasons([person] if person else [], sittings, LateRule(late))
    return row


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, ()),
        ({"form_code": "X-B"}, ("has form X-B, but was given X-A",)),
        ({"form_code": ""}, ("a.json is not a form of this exam",)),
        ({"finished_epoch_seconds": None}, ("not finished: a.json is a copy saved on the way",)),
        ({"finished_epoch_seconds": 900}, ("started and finished do not fit each other",)),
        ({"start_epoch_seconds": None}, ("started and finished do not fit each other",)),
        ({"allowed_minutes": 60, "deadline_epoch_seconds": 4600}, ("had 60 minutes, the roster gives 40",)),
        ({"allowed_minutes": None, "deadline_epoch_seconds": None}, ("had no time limit, the roster gives 40",)),
        ({"deadline_epoch_seconds": 3900}, ("the deadline does not follow from the start",)),
        ({"faults": ("the checksum is wrong",)}, ("the checksum is wrong",)),
        ({"last_change_epoch_seconds": 3475.04}, ("75 s late: set a rule with --late",)),
        (PAPER, ()),
    ],
)
def test_what_is_open_about_a_sitting(change: dict[str, object], told: tuple[str, ...]) -> None:
    row = one(replace(GOOD, **change))
    assert row.unresolved_issues == told
    assert row.present_absent_or_held == ("held" if told else "present")
    assert not [fact for fact in row.fact_sentences() if any(question.startswith(fact) for question in told)]


def test_facts_judge_nothing() -> None:
    row = one(replace(GOOD, **FACTS))
    assert row.unresolved_issues == ()
    assert list(row.fact_sentences()) == [
        "clock went back by 30 min", "30 s in other windows", "reopened 2 times, closed for 12 s",
        "an earlier sitting of this form was cleared from the device",
    ]  # fmt: skip


def test_several_files_of_one_candidate() -> None:
    """The same or an earlier copy is left out and noted; two sittings, or paper and screen, are a question."""
    copy = replace(GOOD, source_path="d/b.json")
    later = replace(GOOD, source_path="d/c.json", revision_number=5, responses_sha256="2")
    rows, left_out = attendances_and_unscored_file_reasons([ADA], [later, copy, GOOD], LateRule())
    assert (rows[0].unresolved_issues, rows[0].present_absent_or_held) == ((), "present")
    found = [(path, why.split(": ")[1]) for path, why in sorted(left_out.items())]
    assert found == [("d/a.json", "c.json is scored"), ("d/b.json", "c.json is scored")]
    times = {"start_epoch_seconds": 1500, "deadline_epoch_seconds": 3900}
    other = replace(GOOD, source_path="d/e.json", responses_sha256="3", **times)
    rows, left_out = attendances_and_unscored_file_reasons([ADA], [GOOD, other], LateRule())
    question = "responses in several files (a.json, e.json): which ones count?"
    assert (rows[0].unresolved_issues, left_out) == ((question,), {})
    both = one(GOOD, ExamSitting("s.csv", "S1", "X-A", is_on_paper=True))
    assert "on paper and on screen" in both.unresolved_issues[0]
    rows, _ = attendances_and_unscored_file_reasons([ADA], [GOOD, other], LateRule(), {"S1"})
    assert (rows[0].present_absent_or_held, rows[0].notes) == ("present", (f"released by hand: {question}",))


def test_practice_is_never_scored_and_nobody_is_forgotten() -> None:
    files = [replace(GOOD, is_practice=True), replace(GOOD, id_or_name="S9", source_path="x")]
    roster = [ADA, replace(ADA, roster_number=2, id="S2")]
    rows, left_out = attendances_and_unscored_file_reasons(roster, files, LateRule())
    assert [f"{r.id_or_name} {r.present_absent_or_held}" for r in rows] == ["S1 absent", "S2 absent", "S9 held"]
    assert rows[2].unresolved_issues == ("not on the roster",)
    assert left_out == {"d/a.json": "a practice edition is never scored"}
    assert one(replace(GOOD, id_or_name="S9"), person=None).present_absent_or_held == "present"


@pytest.mark.parametrize(
    ("late", "raw", "deduction"),
    [
        (0, 30, "0"),
        (0.1, 30, "2"),  # 5 % of 40 points for ten minutes begun
        (600, 30, "2"),
        (600.1, 30, "4"),
        (3000, 8, "8"),  # never below 0
    ],
)
def test_deductions_are_of_the_possible_points(late: float, raw: int, deduction: str) -> None:
    rule = LateRule("deduct", Fraction(5, 100), Fraction(10))
    assert rule.points_deducted_if_late(late, Fraction(raw), Fraction(40)) == Fraction(deduction)
    assert LateRule("ignore").points_deducted_if_late(late, Fraction(raw), Fraction(40)) == 0


def test_leaving_out_what_was_late_needs_what_stood_before() -> None:
    behind = replace(GOOD, last_change_epoch_seconds=4000)
    assert one(behind, late="exclude").unresolved_issues == ()
    assert one(replace(behind, has_responses_at_deadline=False), late="exclude").unresolved_issues == (
        "late, and the file lacks the answers at the deadline",
    )


def test_only_who_was_there_has_a_grade() -> None:
    """30 of 40 points are 75 %; of who is absent or held nothing stands yet."""
    bands = (ScoreBand(Fraction(0), "low"), ScoreBand(Fraction(3, 4), "high"))
    here = Attendance("S1", None)
    points = (Fraction(30), Fraction(40))
    assert here.grade_for_points(*points, LateRule(), bands) == Grade(*points, Fraction(0), Fraction(30), "high")
    for row in (replace(here, is_absent=True), replace(here, unresolved_issues=("in several files",))):
        assert row.grade_for_points(*points, LateRule(), bands) == Grade(*points)


def roster(text: str) -> tuple[tuple[Candidate, ...], list[Problem]]:
    return candidates_and_problems(list(numbered_rows_of_csv_or_xlsx_bytes(text.encode(), "r.csv")), "r.csv", ("A",))


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_roster_is_read_with_commas_semicolons_or_tabs(mark: str) -> None:
    people, problems = roster("\ufeffName;ID;Extra time\nAda;S1;25%\n\nBo;S2;15 min\n".replace(";", mark))
    assert not problems
    assert people == (Candidate(1, "Ada", "S1", "25%"), Candidate(2, "Bo", "S2", "15 min"))
    assert [p.minutes_with_extra_time(Fraction(60)) for p in people] == [75, 75]


def test_the_list_that_moodle_exports_is_a_roster() -> None:
    """In English and German, with the headings of its own that say nothing here."""
    english = "First name,Last name,ID number,Email address,Groups\nAda,Lovelace,S1,ada@x.de,A\n"
    for text in (english, "Vorname;Nachname;ID-Nummer;E-Mail-Adresse;Gruppen\nAda;Lovelace;S1;ada@x.de;A\n"):
        people, problems = roster(text)
        assert (people, list(problems)) == ((Candidate(1, "Ada Lovelace", "S1", email="ada@x.de"),), [])


def test_candidates_need_no_ids() -> None:
    """Two without one are two people, and a name may hold the other separator."""
    people, problems = roster("name\nAda; B.\nBo\n")
    assert not problems
    assert [p.name for p in people] == ["Ada; B.", "Bo"]


def test_extra_time_is_a_share_or_minutes_rounded_up_to_whole_ones() -> None:
    """A third of 40 minutes is 13 and a bit: 54 in all, never 53."""
    assert Candidate(1, "Ada", extra_time_text="33.3%").minutes_with_extra_time(Fraction(40)) == 54
    assert Candidate(1, "Ada").minutes_with_extra_time(Fraction(81, 2)) == Fraction(81, 2)
    found = [read_extra_time_share_and_minutes(text) for text in ("25%", "15", "-5%", "1e9", "0.25")]
    assert found == [(Fraction(1, 4), 0), (0, 15), None, None, None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "r.csv:1:1: the roster is empty"),
        ("name\n", "r.csv:1:1: the roster names nobody"),
        ("id\nS1\n", "r.csv:1:1: no column `name`"),
        ("nam\nAda\n", 'r.csv:1:1: unknown column "nam"; did you mean "name"?'),
        ("name,extra_time\nAda,much\n", 'r.csv:2:1: extra time "much" cannot be read; write 25% or 15 min'),
        ("name,form\nAda,Z\n", 'r.csv:2:1: no form "Z"; forms: A'),
        ("name,id\nAda,1\nBo,1\n", 'r.csv:3:1: id "1" is on line 2 too'),
        ("name\nAda\nAda\n", 'r.csv:3:1: name "Ada" is on line 2 too; give each of them an id'),
        ("name,id\nAda,\nBo,Ada\n", 'r.csv:3:1: id "Ada" is on line 2 too'),
        ("name,id\n,1\n", "r.csv:2:1: a candidate without a name"),
        ("name,id\nCruz, Carla,1\n", "r.csv:2:1: more cells than columns; put a cell with a comma in quotes"),
        ("name\nA\x00da\n", "r.csv:"),
        ("name\nA\u202eda\n", "r.csv:2:1: name is too long or has control characters"),
    ],
)
def test_a_bad_roster_says_where_and_what_to_do(text: str, expected: str) -> None:
    assert str(roster(text)[1][0]).startswith(expected)
