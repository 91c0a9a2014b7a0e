"""Decks and banks as people have them: each row of these tables was misread or refused once. Counts by hand."""

from __future__ import annotations

import io
from fractions import Fraction

import pytest
from shipped import Command

from quizgen.interchange.anki import items_of_note
from quizgen.interchange.contract import CannotRead, ImportedItem, ImportResult
from quizgen.interchange.import_drafts import item_yaml, parse_number
from quizgen.portable_item import PortableNumber
from tests.interchange.made import Import, answer, canvas, condition, equal, keys, moodle, question, read


def quiz(*questions: str) -> ImportResult:
    return read(moodle(*questions).encode(), "moodle")


def test_a_short_answer_of_half_the_points_is_not_right() -> None:
    """What is said about an answer is kept: of a right one as the rationale, of another in the todo."""
    answers = answer("100", "sync*", "Yes.") + answer("50", "snyc", "Misspelt.") + answer("0", "*", "No.")
    (item,) = quiz(question("shortanswer", answers)).items
    told = '"snyc" earned 50 % in the source: here it is wrong; its feedback: Misspelt.'
    assert item.todo == (told, 'the feedback on "*" is not imported: No.')
    assert item.rationale == "Yes."
    assert "- sync*\n" in item_yaml("x", item, activate_scorable=True)


def test_the_category_is_the_topic_where_no_tag_is() -> None:
    category = "<question type='category'><category><text>$course$/top/Net//works/TCP</text></category></question>"
    tagged = question("multichoice", answer("100", "A") + "<tags><tag><text>udp</text></tag></tags>")
    untagged = question("multichoice", answer("100", "A"))
    assert [item.topic for item in quiz(category, untagged, tagged).items] == ["TCP", "udp"]


def test_gift_without_blank_lines() -> None:
    text = '::Q1:: 1+1\\=2 {T}\n::Q2::The sun rises in the West.{F#No#Yes}";\n\nA {T} and {F}\n\nPi?{#3:0.2~#No.}\n'
    found = read(text.encode(), "gift")
    assert [item.stem for item in found.items] == ["1+1=2", "The sun rises in the West.", "Pi?"]
    assert [(o.text, o.because) for o in found.items[1].options] == [("True", "No"), ("False", "Yes")]
    assert found.items[2].todo == ("the feedback on any other number is not imported: No.",)
    assert [line for line, _ in found.unread] == [4]
    unclosed = read(b"Half?{=1\n\nWhole?{T}\n", "gift")
    assert ([item.stem for item in unclosed.items], [line for line, _ in unclosed.unread]) == (["Whole?"], [1])


def test_canvas_margins_and_kinds_without_a_like() -> None:
    limits = f"<or>{equal('6e23')}<and><vargt>5.4e23</vargt><varlte>6.6e23</varlte></and></or>"
    kinds = ("numerical_question", "text_only_question", "file_upload_question", "calculated_question")
    found = [read(canvas(kind, "", condition(limits, 100)).encode(), "qti") for kind in kinds]
    (item,) = (item for one in found for item in one.items)
    assert (item.number.value, item.number.tolerance) == (6 * 10**23, Fraction(1, 10))
    assert sum(len(one.unread) for one in found) == 3


GERMAN = """Nr.;Thema;Frage;Antwort A;Antwort B;Antwort C;Richtige Antwort;Erklärung;Punkte;Schwierigkeit
1;Recht;Wie viele Länder?;14;15;16;C;"seit 1990; vorher elf";1,5;1
2;Physik;Wie groß ist g?;9,81;1,62;;1;;1;leicht
3;Mathe;Was ist 1.000 · 2,5?;;;;2.500;;1;1
4;Mathe;Ein Achtel?;;;;0,125;;1;1
5;Chemie;Was ist ein Katalysator?;;;;Er beschleunigt.;;3;2
"""


def test_a_german_sheet() -> None:
    found = read(GERMAN.encode(), "csv")
    items = found.items
    assert found.notes[1] == "columns not understood: Nr."
    assert [item.kind for item in items] == ["choice", "choice", "numeric", "numeric", "text"]
    assert [keys(item) for item in items[:2]] == [["16"], ["9,81"]]
    assert [item.number.value for item in items if item.number] == [2500, Fraction(1, 8)]
    assert (items[0].topic, items[0].points, items[0].rationale) == ("Recht", Fraction(3, 2), "seit 1990; vorher elf")
    assert items[1].todo == ('difficulty "leicht" is not a number',)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,024", 1024),
        ("2,5", Fraction(5, 2)),
        ("1,024.5 GB", Fraction(2049, 2)),
        ("0,125", Fraction(1, 8)),
        ("1_000", 1000),
        ("[47, 49]", 48),
        ("1..5", 3),
        ("0.5..1.5", 1),
    ],
)
def test_a_comma_is_a_point_unless_it_parts_threes(text: str, value: Fraction) -> None:
    assert parse_number(text).value == value
    assert parse_number("01234") is None, "a code"


@pytest.mark.parametrize(
    ("cells", "unit", "declared"),
    [
        ("1000,g", "grams", "units: {gram: [grams, g]}"),
        ("299792458,m/s", "metres/s", "units: {metre: [metres, m]}"),
        ("0.5,mol/L", "mol/litres", "units: {litre: [litres, L, l], mol: [mol]}"),
        ("101.3,kPa", "kilopascals", "units: {pascal: [pascals, Pa], kilopascal: [kilopascals, kPa, 1000 pascal]}"),
        ("8849 m,", "metres", "units: {metre: [metres, m]}"),
        ("9.81,m/s^2", "metres/s**2", "units: {metre: [metres, m]}"),
        ("6e23,1/mol", "1/mol", "units: {mol: [mol]}"),
        ("5,W", "W", None),  # known: nothing to declare
    ],
)
def test_a_symbol_is_declared(cells: str, unit: str, declared: str | None, imported: Import, command: Command) -> None:
    """`g` and `m/s` once made an item that `check` refuses, or a text without its unit."""
    made = imported("a.csv", f"question,answer,unit\nHow much?,{cells}\n", "--active")
    assert f"      unit: {unit}\n" in made.text
    assert made.text.startswith(f"{declared}\n" if declared else "items:")
    command("check", made.bank)


def test_a_unit_that_cannot_be_read_is_told_and_not_lost_without_a_word() -> None:
    (item,) = read("question,answer,unit\nHow warm?,68,°F\n".encode(), "csv").items
    assert item.number == PortableNumber(Fraction(68), "", Fraction(1, 100))
    assert item.todo == ('its unit "°F" cannot be read: declare one under `units:`',)


def test_titles_merged_headers_and_several_sheets() -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (
        ["Anatomy, autumn term"],
        [],
        ["No.", "Question", "Options", None, None, "Correct", "Points"],
        [None, None, "A", "B", "C"],
        [1, "Which bone is in the thigh?", "Femur", "Tibia", "Ulna", "A", 1],
        [2, "How many cervical vertebrae?", 5, 6, 7, "C", 1.5],
        ["Part 2"],
        [3, "Which are in the hand?", "Scaphoid", "Talus", "Lunate", "A, C", 2],
    ):
        sheet.append(row)
    for merged in ("A1:G1", "C3:E3", "A3:A4", "B3:B4"):
        sheet.merge_cells(merged)
    texts = book.create_sheet("Texts")
    texts.append(["Question", "Choices", "Answer"])
    texts.append(["Which is a beta blocker?", "A. Amlodipine\nB. Bisoprolol", "B"])
    book.create_sheet("Notes").append(["no items here"])
    book.create_sheet("Empty")
    out = io.BytesIO()
    book.save(out)
    found = read(out.getvalue(), "xlsx")
    assert [keys(item) for item in found.items] == [["Femur"], ["7"], ["Scaphoid", "Lunate"], ["Bisoprolol"]]
    assert [line for line, _ in found.unread] == [7, 0]
    assert "Part 2" in found.unread[0][1]
    assert "sheet Notes" in found.unread[1][1]


def note(**fields: str) -> ImportedItem | str:
    (made,) = items_of_note("guid", tuple(fields.values()), (), "Deck::Sub", tuple(fields))
    return made


def test_pictures_with_hidden_parts_are_named() -> None:
    told = note(Text="{{c1::image-occlusion:rect:left=.1}}", Image="<img src=h.png>", Header="Heart")
    assert told == '"[figure: h.png] Heart" hides parts of a picture, which has no equivalent here'


def test_a_note_type_of_somebodys_own() -> None:
    options = "A. Amlodipine<br>B. Bisoprolol"
    item = note(Question="Which is a beta blocker?", Options=options, Correct="B", Explanation="-olol", Page="17")
    assert (keys(item), item.rationale, item.topic) == (["Bisoprolol"], "-olol", "Sub")
    assert item.todo == ("field Page is not imported: 17",)
    card = note(Deutsch="die Übung", Englisch="exercise", Beispiel="Übung macht den Meister")
    assert card.todo == ("field Beispiel is not imported: Übung macht den Meister",)
    third = note(Number="17", Front="What is a heap?", Back="a tree")
    assert (third.stem, third.model_answer) == ("What is a heap?", "a tree")


def test_a_margin_that_is_no_round_share_stays_an_amount() -> None:
    """5 of 343 is 1.457725947521… %: cut to twelve digits it would exclude 338 and 348, which the source accepts."""
    for value, margin, written in (("343", "5", "absolute: '5'"), ("50", "1", "tolerance: 2%")):
        body = answer("100", value).replace("</answer>", f"<tolerance>{margin}</tolerance></answer>")
        (item,) = quiz(question("numerical", body)).items
        assert written in item_yaml("speed", item, True)


def test_quotes_that_are_not_those_of_a_csv_take_no_row() -> None:
    """Quizlet quotes nothing; in a CSV the open quote is named, and does not take the rows below it into one cell."""
    deck = read(b'"To be" is from?\tHamlet\nA mile\t"as the crow flies\nA yard\t3 feet\n', "anki-tsv")
    stems = [(item.stem, item.model_answer) for item in deck.items]
    assert stems[:2] == [('"To be" is from?', "Hamlet"), ("A mile", '"as the crow flies')]
    assert len(stems) == 3
    with pytest.raises(CannotRead, match="line 3: unexpected end of data; fix its quotes"):
        read(b'front,back\nOhm,resistance\nVolt,"voltage\nAmpere,current\n', "csv")
