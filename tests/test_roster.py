"""The roster: read with commas or semicolons, and every mistake told with its place."""

from __future__ import annotations

from fractions import Fraction

import pytest

from quizgen.roster import Candidate, read_extra_time, read_roster


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_roster_is_read_with_commas_semicolons_or_tabs(mark: str) -> None:
    text = "\ufeffName;ID;Extra time\nAda;S1;25%\n\nBo;S2;15 min\n".replace(";", mark)
    people, problems = read_roster(text, "r.csv", ("A",))
    assert not problems
    assert people == (Candidate(1, "Ada", "S1", "25%"), Candidate(2, "Bo", "S2", "15 min"))
    assert [p.minutes(Fraction(60)) for p in people] == [75, 75]


def test_the_list_that_moodle_exports_is_a_roster() -> None:
    """In English and German, with the headings of its own that say nothing here."""
    english, german = (
        "First name,Last name,ID number,Email address,Groups",
        "Vorname,Nachname,ID-Nummer,E-Mail-Adresse,Gruppen",
    )
    for text in (
        f"{english}\nAda,Lovelace,S1,ada@x.de,A\n",
        f"{german}\nAda,Lovelace,S1,ada@x.de,A\n".replace(",", ";"),
    ):
        people, problems = read_roster(text, "r.csv", ("A",))
        assert not problems
        assert people == (Candidate(1, "Ada Lovelace", "S1", email="ada@x.de"),)


def test_candidates_need_no_ids() -> None:
    """Two without one are two people, and a name may hold the other separator."""
    people, problems = read_roster("name\nAda; B.\nBo\n", "r.csv", ("A",))
    assert not problems
    assert [p.name for p in people] == ["Ada; B.", "Bo"]


def test_extra_time_is_rounded_up_to_whole_minutes() -> None:
    """A third of 40 minutes is 13 and a bit: 54 in all, never 53."""
    assert Candidate(1, "Ada", extra_time="33.3%").minutes(Fraction(40)) == 54
    assert Candidate(1, "Ada").minutes(Fraction(81, 2)) == Fraction(81, 2)


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
        ("name\nA\x00da\n", "r.csv:"),
        ("name\nA\u202eda\n", "r.csv:2:1: name is too long or has control characters"),
    ],
)
def test_a_bad_roster_says_where_and_what_to_do(text: str, expected: str) -> None:
    problems = read_roster(text, "r.csv", ("A",))[1]
    assert problems
    assert str(problems[0]).startswith(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("25%", (Fraction(1, 4), 0)),
        ("25 %", (Fraction(1, 4), 0)),
        ("15", (0, 15)),
        ("15min", (0, 15)),
        ("-5%", None),
        ("x", None),
        ("1e9", None),
    ],
)
def test_extra_time(text: str, expected: object) -> None:
    assert read_extra_time(text) == expected
