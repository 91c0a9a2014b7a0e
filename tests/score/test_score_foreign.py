"""Logs as other systems write them: read by their heads, or refused with the command that reads them."""

from __future__ import annotations

import io
import json
import shlex
from pathlib import Path

import pytest
from scored_logs import Score, totals

BANK = """
topic: zero
items:
  - id: shards
    kind: choice
    stem: What does ZeRO stage 1 slice?
    key: The optimizer states
    distractors: [The parameters, "Gradients, in part"]
  - id: two
    kind: choice
    stem: "Which two does **stage 2** slice?"
    key: [Optimizer states, "Gradients, all of them"]
    distractors: [Parameters, Activations]
  - id: bytes
    kind: numeric
    stem: How many bytes do {N} parameters take at `2 B` each?
    draw: {N: [7e9 param, 13e9 param]}
    formula: {inputs: {N: {is: parameters, unit: param}}, steps: {all: 2 B/param * N}, unit: B}
    answer: {unit: GB, tolerance: 1%}
  - id: node
    kind: text
    stem: Warum in einem Knoten? Größe zählt.
    rubric: {criteria: [{id: fast, say: It is faster., accept: [nvlink|schneller]}]}
"""
STEMS = (
    "What does ZeRO stage 1 slice?",
    "Which two does stage 2 slice?",
    "How many bytes do 13B parameters take at 2 B each?",
    "Warum in einem Knoten? Größe zählt.",
)
# Ada has everything right, Bo the first alone, and left the rest out.
BOTH = {"ada@x.de": (4, 4), "bo@x.de": (1, 4)}
PARTS = ("Optimizer states", "Gradients, all of them")

FORMS = f"""Zeitstempel;Nutzername;Punktzahl;{";".join(STEMS)};Bemerkungen
21.11.2026 10:00:00;ada@x.de;3 / 4;The optimizer states;{", ".join(PARTS)};26 GB;Schneller.;danke
21.11.2026 10:01:00;bo@x.de;1 / 4;The optimizer states;;;;
"""
MOODLE = f"""Nachname,Vorname,ID-Nummer,E-Mail-Adresse,Status,Begonnen,Beendet,"Verbrauchte Zeit","Bewertung/4,00",\
"Frage 1","Antwort 1","Richtige Antwort 1","Frage 2","Antwort 2","Richtige Antwort 2","Antwort 3","Frage 4","Antwort 4"
Lovelace,Ada,,ada@x.de,Beendet,"21. November 2026 10:00","21. November 2026 10:20","20 Minuten","4,00",\
"{STEMS[0]}: The parameters; The optimizer states; Gradients, in part","The optimizer states","The optimizer states",\
"{STEMS[2]}","26 GB","26","{"; ".join(PARTS)}","{STEMS[3]}","Schneller."
Example,Bo,,bo@x.de,Beendet,"21. November 2026 10:00","21. November 2026 10:20","20 Minuten","1,00",\
"{STEMS[2]}",-,"26","{STEMS[0]}: Gradients, in part; The parameters; The optimizer states","The optimizer states",\
"The optimizer states",-,"{STEMS[3]}",-
Gesamtdurchschnitt,,,,,,,,"2,50",,,,,,,,,
"""
CANVAS = f"""name,id,sis_id,section,section_id,section_sis_id,submitted,attempt,71: {STEMS[0]},1.0,"72: {STEMS[1]}",1.0,\
73: {STEMS[2]},1.0,74: {STEMS[3]},1.0,n correct,n incorrect,score
Ada Lovelace,11,ada@x.de,One,5,,2026-11-21 10:00:00 UTC,1,The optimizer states,1.0,\
"Optimizer states,Gradients\\, all of them",1.0,26 GB,1.0,Schneller.,1.0,4,0,4.0
Bo Example,12,bo@x.de,One,5,,2026-11-21 10:00:00 UTC,1,The optimizer states,1.0,,0.0,,0.0,,0.0,1,3,1.0
"""
MONKEY = f"""Respondent ID,Collector ID,Start Date,End Date,IP Address,Email Address,First Name,Last Name,Custom Data 1,\
{STEMS[0]},{STEMS[1]},,,,{STEMS[2]},{STEMS[3]}
,,,,,,,,,Response,Activations,"Gradients, all of them",Optimizer states,Parameters,Open-Ended Response,Open-Ended Response
118,4,11/21/2026 10:00:00 AM,11/21/2026 10:20:00 AM,::1,ada@x.de,,,,The optimizer states,,"Gradients, all of them",\
Optimizer states,,26 GB,Schneller.
119,4,11/21/2026 10:00:00 AM,11/21/2026 10:20:00 AM,::1,bo@x.de,,,,The optimizer states,,,,,,
"""
LATIN = f"""E-Mail;shards;two;{STEMS[2]};{STEMS[3]}
ada@x.de;The optimizer states;{"; ".join(PARTS)};26 GB;Größer und schneller.
bo@x.de;The optimizer states;;;
""".replace(";Optimizer", ';"Optimizer').replace("them;26", 'them";26')


def workbook() -> bytes:
    """A sheet with a title above, ids above stems, and numbers that are numbers."""
    book = pytest.importorskip("openpyxl").Workbook()
    for row in (
        ["Quiz 3"],
        ["Email", "shards", "two", "bytes", "node"],
        [None, *STEMS],
        ["ada@x.de", "The optimizer states", ", ".join(PARTS), "26 GB", "Schneller."],
        ["bo@x.de", "The optimizer states"],
    ):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def lines() -> str:
    said = {"ada@x.de": ("The optimizer states", list(PARTS), "26 GB", "Schneller."), "bo@x.de": (0,)}
    names = ("shards", STEMS[1], STEMS[2], "node")
    rows = []
    for who, answers in said.items():
        for name, answer in zip(names, answers, strict=False):
            row = {"user_id": who, "question_id": name, "answer": answer or "The optimizer states"}
            rows.append({**row, "time_spent": 12, "browser": "x"})
    return "\n".join(map(json.dumps, [*rows, {"user_id": "bo@x.de", "question_id": "gone", "answer": "1"}]))


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    (tmp_path / "parallel.yaml").write_text(BANK, encoding="utf-8")
    return tmp_path / "parallel.yaml"


FILES = {
    "torn.csv": (
        FORMS.encode() + b';"never\nclosed',
        ["torn.csv:4: the file ends inside a quoted cell", "Bemerkungen"],
    ),
    "forms.csv": (FORMS.encode(), ['a question matches no item of the bank by id, stem or options: "Bemerkungen']),
    "moodle.csv": (MOODLE.encode("utf-8-sig"), []),
    "canvas.csv": (CANVAS.encode(), []),
    "monkey.csv": (MONKEY.encode("utf-8-sig"), []),
    "latin.csv": (LATIN.encode("cp1252"), []),
    "sheet.xlsx": (b"", []),
    "lines.jsonl": (
        lines().encode(),
        ['no item of the bank by id, stem or options: "gone (1 response)"', 'were ignored: "browser"'],
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_log_of_another_system_is_scored(score: Score, tmp_path: Path, name: str) -> None:
    """Seven files as those systems write them; one that is not UTF-8 is refused with the command that reads it."""
    data, told = FILES[name]
    path = tmp_path / name
    path.write_bytes(data or workbook())
    more: list[str] = []
    if name == "latin.csv":
        err = score(path, "--format", "json", code=3)[2]
        command = shlex.split(err.strip().rpartition("; type: ")[2])
        more = ["--encoding", "windows-1252"]
        assert [*command[:3], *command[5:]] == ["quizgen", "score", str(path), *more]
    _, out, err = score(path, "--format", "json", *more)
    if name == "lines.jsonl":
        path.write_bytes(lines().encode("utf-16"))
        assert score(path, "--format", "json", "--encoding", "utf-16")[1:] == (out, err)
    assert totals(out) == {"lines.jsonl": {"ada@x.de": (4, 4), "bo@x.de": (1, 1)}}.get(name, BOTH)
    assert [err.count(text) for text in told] == [1] * len(err.splitlines()), err


@pytest.mark.parametrize(
    ("text", "told", "more"),
    [
        ("qid,said,by\nshards,The optimizer states,Ada\n", '"said", "by"', "response=said,candidate=by"),
        (
            '{"q": "shards", "r": "The optimizer states", "u": "Ada"}\n',
            '"q", "r", "u"',
            "item=q,response=r,candidate=u",
        ),
        ("candidate,item,respnse\nAda,shards,The optimizer states\n", '"respnse"', "response=respnse"),
        ("Pupil,First\nAda,The optimizer states\n", '"Pupil", "First"', "candidate=Pupil,shards=First"),
    ],
)
def test_what_is_not_recognised_is_mapped(score: Score, tmp_path: Path, text: str, told: str, more: str) -> None:
    path = tmp_path / ("log.jsonl" if text[0] == "{" else "log.csv")
    path.write_text(text, encoding="utf-8")
    err = score(path, "--format", "json", code=3)[2]
    assert told in err
    assert len(err.splitlines()) == 1
    assert f"; type: quizgen score {path} --bank {tmp_path / 'parallel.yaml'} --map " in err
    assert totals(score(path, "--format", "json", "--map", more)[1]) == {"Ada": (1, 1)}


def test_typed_lines_with_other_names_keep_what_else_they_say(score: Score, tmp_path: Path) -> None:
    """A field `answer` beside our `item`, with and without --map, in a list behind a byte order mark; `given` in a CSV; a
    comma that is not in quotes."""
    said = {"candidate": "Ada", "item": "bytes", "given": {"N": "7e9 param"}, "answer": "14 GB"}
    (tmp_path / "log.jsonl").write_text("\ufeff" + json.dumps([said]), encoding="utf-8")
    for more in ((), ("--map", "response=answer")):
        assert totals(score(tmp_path / "log.jsonl", "--format", "json", *more)[1]) == {"Ada": (1, 1)}
    cells = 'Ada,bytes,"{""N"": 7e9}",14 GB\nAda,node,,Schneller, sagt man\n'
    for heads in ("candidate,item,given,response", "student,question,given,answer"):
        (tmp_path / "log.csv").write_text(f"{heads}\n{cells}Ada,shards,,The optimizer states\n", encoding="utf-8")
        _, out, err = score(tmp_path / "log.csv", "--format", "json")
        assert f"{tmp_path / 'log.csv'}:3: more cells than columns; put a cell with a comma in quotes" in err
        assert totals(out) == {"Ada": (2, 2) if "item" in heads else (1, 1)}


def test_without_a_bank_the_message_ends_in_the_command(score: Score, tmp_path: Path) -> None:
    path = tmp_path / "forms.csv"
    path.write_text(FORMS, encoding="utf-8")
    assert score(path, bank=None, code=3)[2].endswith(f"type: quizgen score {path} --bank BANK\n")
