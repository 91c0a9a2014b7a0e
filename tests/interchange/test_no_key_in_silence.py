"""Keys that a bank cannot hold as their source does: each is a todo of its item, never another key without a word.
Decks and banks as people have them: each row of those tables was misread or refused once, with counts by hand."""

from __future__ import annotations

import io
from fractions import Fraction

import pytest
from shipped import Command, drawn

from quizgen import bank as banks
from quizgen.interchange import import_drafts
from quizgen.interchange.anki import items_or_reasons_of_note
from quizgen.interchange.contract import CannotRead, ImportedItem, ImportResult
from quizgen.interchange.import_drafts import item_yaml, parse_portable_number
from quizgen.model import Outcome
from quizgen.portable_item import PortableNumber
from tests.interchange.made import Import, answer, canvas, condition, equal, keys, matching, moodle, question, read


def only(data: str, form: str) -> ImportedItem:
    (item,) = read(data.encode(), form).items
    return item


# -- QTI 1.2, as Canvas writes it ------------------------------------------------------------


def span(low: str, high: str) -> str:
    return f"<vargte respident='r'>{low}</vargte><varlte respident='r'>{high}</varlte>"


def number(*conditions: str) -> ImportedItem:
    return only(canvas("numerical_question", "<response_str ident='r'/>", "".join(conditions)), "qti")


def test_a_range_that_is_not_about_its_value_is_its_middle() -> None:
    """20 between 20 and 30: 10 is no answer, though it is as far from 20 as 30 is."""
    item = number(condition(f"<or>{equal('20')}<and>{span('20', '30')}</and></or>", 100))
    assert (item.numeric_key.value, item.numeric_key.margin) == (25, 5)
    assert item.todo == ("20 to 30 is right: the key is the middle of it, 25, within 5",)


@pytest.mark.parametrize(
    ("data", "form"),
    [
        (canvas("numerical_question", "<response_str ident='r'/>", condition(span("-0.5", "0.5"), 100)), "qti"),
        ("Mean of a centred variable?{#0:0.5}", "gift"),
        ("Mean of a centred variable?{#-0.5..0.5}", "gift"),
        ("1. Mean of a centred variable?\n= 0 +- 0.5\n", "markdown"),
    ],
)
def test_a_range_about_zero_is_no_share_of_it(data: str, form: str) -> None:
    item = only(data, form)
    assert (item.numeric_key.value, item.numeric_key.margin) == (0, Fraction(1, 2))
    assert "absolute" in item_yaml("x", item, is_active_if_scorable=True)


def label(ident: int, text: str) -> str:
    return f"<response_label ident='{ident}'><material><mattext>{text}</mattext></material></response_label>"


OPTIONS = "".join(label(n, text) for n, text in enumerate(("red", "green", "blue"), 1))
ONE = f"<response_lid ident='r' rcardinality='Single'><render_choice>{OPTIONS}</render_choice></response_lid>"
SEVERAL = ONE.replace("Single", "Multiple")


@pytest.mark.parametrize(
    ("response", "conditions", "right", "policy", "todo"),
    [
        # the option that earns most is the key, wherever it stands
        (ONE, condition(equal("1"), 40) + condition(equal("3"), 100), ["blue"], "", ('"red" earned 40 % in the source: here it is wrong',)),
        # each by itself, and off for a wrong one
        (SEVERAL, "".join(condition(equal(n), share, "Add") for n, share in (("1", 50), ("2", 50), ("3", -50))),
         ["red", "green"], "net", ()),
        # all of them together
        (SEVERAL, condition(f"<and>{equal('1')}{equal('2')}<not>{equal('3')}</not></and>", 100), ["red", "green"], "all", ()),
        # two right radio buttons: one is enough there
        (ONE, condition(equal("1"), 100) + condition(equal("2"), 100), ["red", "green"], "all",
         ("one of its keys is enough in the source: here all of them are required",)),
    ],
)  # fmt: skip
def test_option_points(response: str, conditions: str, right: list[str], policy: str, todo: tuple[str, ...]) -> None:
    kind = "multiple_choice_question" if response == ONE else "multiple_answers_question"
    item = only(canvas(kind, response, conditions), "qti")
    assert (keys(item), item.credit_policy, item.todo) == (right, policy, todo)


def test_rows_and_gaps_of_canvas_are_items() -> None:
    choice = f"<render_choice>{label(1, 'Rome')}{label(2, 'Oslo')}</render_choice>"
    row = f"<response_lid ident='{{}}'><material><mattext>{{}}</mattext></material>{choice}</response_lid>"
    rows = row.format("a", "Italy") + row.format("b", "Norway")
    scored = condition(equal("1", "a"), 50, "Add") + condition(equal("2", "b"), 50, "Add")
    found = read(canvas("matching_question", rows, scored).encode(), "qti")
    assert [item.stem for item in found.items] == ["Stem?\n\nItaly", "Stem?\n\nNorway"]
    assert [keys(item) for item in found.items] == [["Rome"], ["Oslo"]]
    assert all(item.todo for item in found.items)


# -- QTI 2.1 ---------------------------------------------------------------------------------


def assessment(body: str, declared: str, cardinality: str = "single", base: str = "identifier") -> str:
    return (
        "<assessmentItem identifier='x' title='x'><responseDeclaration identifier='RESPONSE' "
        f"cardinality='{cardinality}' baseType='{base}'>{declared}</responseDeclaration><itemBody>{body}</itemBody>"
        "</assessmentItem>"
    )


def correct(*values: str) -> str:
    return f"<correctResponse>{''.join(f'<value>{value}</value>' for value in values)}</correctResponse>"


MAPPED = "<mapping><mapEntry mapKey='a' mappedValue='0.5'/><mapEntry mapKey='b' mappedValue='1'/></mapping>"
CHOICES = (
    "<p>Area of a disc of radius <math><mi>r</mi></math>?</p><choiceInteraction shuffle='true' maxChoices='1'>"
    "<simpleChoice identifier='a'><math><mrow><mi>π</mi><msup><mi>r</mi><mn>2</mn></msup></mrow></math>"
    "<feedbackInline identifier='a'>So it is.</feedbackInline></simpleChoice>"
    "<simpleChoice identifier='b'><math><mfrac><mi>r</mi><mn>2</mn></mfrac></math>"
    "<feedbackInline identifier='b'>That is a length.</feedbackInline></simpleChoice>"
    "<simpleChoice identifier='c' fixed='true'>Cannot be told</simpleChoice></choiceInteraction>"
)


def test_what_is_said_inside_an_option_is_no_part_of_it() -> None:
    item = only(assessment(CHOICES, correct("a")), "qti")
    assert item.stem == "Area of a disc of radius $r$?"
    assert [(o.text, o.because, o.stays_last) for o in item.options] == [
        ("$πr^{2}$", "So it is.", False),
        ("$\\frac{r}{2}$", "That is a length.", False),
        ("Cannot be told", "", True),
    ]
    assert item.rationale == "So it is.", "said of the key"
    assert "- text: Cannot be told\n        last: 'true'" in item_yaml("x", item, is_active_if_scorable=True)


def test_short_answers_of_a_mapping_are_all_accepted() -> None:
    mapped = "<mapping><mapEntry mapKey='Adam' mappedValue='1'/><mapEntry mapKey='AdamW' mappedValue='1'/></mapping>"
    body = "<p>An optimiser?</p><textEntryInteraction/>"
    assert only(assessment(body, correct("Adam") + mapped, base="string"), "qti").accepted_answers == ("Adam", "AdamW")


@pytest.mark.parametrize(
    "data",
    [
        assessment("<p>Which city?</p><textEntryInteraction/>", correct("York") + MAPPED.replace("'a'", "'Yorke'").replace("'b'", "'York'"), base="string"),
        canvas("short_answer_question", "<response_str ident='r'/>", condition(equal("York"), 100) + condition(equal("Yorke"), 50)),
    ],
)  # fmt: skip
def test_a_short_answer_that_earned_half_is_not_accepted(data: str) -> None:
    item = only(data, "qti")
    assert (item.accepted_answers, item.todo) == (("York",), ('"Yorke" earned 50 % in the source: here it is wrong',))


# -- Moodle and GIFT -------------------------------------------------------------------------


@pytest.mark.parametrize("feedback", ["", "Also right."])
def test_a_second_number_is_told_and_its_bank_stands(feedback: str, imported: Import, command: Command) -> None:
    """Without feedback the importer once wrote a misconception that quizgen refused, and with it the bank."""
    made = imported("a.xml", moodle(question("numerical", answer("100", "9") + answer("100", "18", feedback))))
    assert '"18" is right in the source too' in made.text
    command("check", made.bank)


@pytest.mark.parametrize(
    ("key", "other", "worth", "carried"),
    [
        ("km", "m", "1000", True),
        ("GB", "MB", "1000", True),
        ("km", "mile", "0.621371", False),
        ("GB", "MB", "1024", False),
    ],
)
def test_a_second_unit_is_carried_or_told(key: str, other: str, worth: str, carried: bool, imported: Import) -> None:
    """Of one kilometre 1000 are metres: an answer in metres is right; a mile is told."""
    unit = "<unit><multiplier>{}</multiplier><unit_name>{}</unit_name></unit>"
    units = unit.format("1", key) + unit.format(worth, other)
    made = imported("a.xml", moodle(question("numerical", answer("100", "2.5") + f"<units>{units}</units>")))
    assert (f'answers in "{other}" are right in the source' in made.text) is not carried
    if carried:
        assert drawn(banks.load_bank(str(made.bank)), "stem").score(f"2500 {other}").outcome is Outcome.CORRECT


def test_wildcards_are_no_part_of_what_people_see() -> None:
    item = only(moodle(question("shortanswer", answer("100", "*norm*layer*"))), "moodle")
    assert item.model_answer == "norm … layer"
    assert item.todo == ('"*norm*layer*" takes words that end like this in the source: here it does not',)


@pytest.mark.parametrize(
    ("data", "form"),
    [
        ("Pair them.{=Italy -> Rome =Norway -> Oslo = -> Bern}", "gift"),
        (moodle(question("matching", matching(Italy="Rome", Norway="Oslo", _="Bern"))), "moodle"),
    ],
)
def test_a_matching_question_is_an_item_a_row(data: str, form: str) -> None:
    found = read(data.encode(), form)
    assert [keys(item) for item in found.items] == [["Rome"], ["Oslo"]]
    assert {len(item.options) for item in found.items} == {3}
    assert {item.todo for item in found.items} == {("it was one of 2 rows of a matching question",)}
    category = "$CATEGORY: $course$/Capitals\n\n" if form == "gift" else ""
    assert {item.topic for item in read((category + data).encode(), form).items} == {"Capitals" if category else ""}


# -- Options ---------------------------------------------------------------------------------


FIXED = "<shuffleanswers>0</shuffleanswers>"
SHARES = answer("100", "A") + answer("50", "B") + answer("-25", "C")


@pytest.mark.parametrize(
    ("data", "form", "right", "todo"),
    [
        (assessment(CHOICES, MAPPED), "qti", ["$\\frac{r}{2}$"], ['"$πr^{2}$" earned 50 % in the source: here it is wrong']),
        (assessment(CHOICES, correct("b") + MAPPED), "qti", ["$\\frac{r}{2}$"], ['"$πr^{2}$" earned 50 % in the source: here it is wrong']),
        (moodle(question("multichoice", FIXED + answer("0", "plan") + answer("100", "do") + answer("0", "check"))), "moodle",
         ["do"], ["its options were in this order and are shuffled here: plan; do; check"]),
        # the last stays last by itself
        (moodle(question("multichoice", FIXED + answer("0", "plan") + answer("100", "do") + answer("0", "None of the above"))),
         "moodle", ["do"], []),
        (moodle(question("multichoice", f"<single>true</single>{SHARES}")), "moodle", ["A"],
         ['"B" earned 50 % in the source: here it is wrong']),
        (moodle(question("multichoice", f"<single>false</single>{SHARES}")), "moodle", ["A", "B"],
         ["its keys earned different shares in the source: here they earn the same"]),
        ("Which?{=queue ~stack ~stack ~queue}", "gift", ["queue"],
         ['the option "stack" appears twice: it is kept once',
          'the option "queue" appears twice, right and wrong: it is kept once']),
        ("Which?{~red ~green =Both A and B}", "gift", ["Both A and B"],
         ['the option "Both A and B" refers to others by letter']),
        ("Which?{=a ~%50%b ~c}", "gift", ["a"], ['"b" earned 50 % in the source: here it is wrong']),
        ("Which?{~%50%a ~%50%b ~%-100%c}", "gift", ["a", "b"], []),
        ("[html]Which?{=a ~<img src\\='b.png'>}", "gift", ["a"], ["a figure is not imported: put it beside the bank"]),
    ],
)  # fmt: skip
def test_what_of_the_options_is_another_here_is_told(data: str, form: str, right: list[str], todo: list[str]) -> None:
    item = only(data, form)
    assert (keys(item), list(item.todo)) == (right, todo)
    assert len({option.text for option in item.options}) == len(item.options)


def test_options_in_order_of_size_stay_in_it() -> None:
    sizes = answer("0", "1") + answer("100", "16") + answer("0", "256")
    assert only(moodle(question("multichoice", FIXED + sizes)), "moodle").has_ascending_options


# -- Refusals and rubrics --------------------------------------------------------------------


def test_a_file_of_what_has_no_like_says_what_it_holds(imported: Import) -> None:
    said = imported("a.xml", moodle(*[question("cloze", "")] * 3), code=3).err
    assert "it has no item that can be read as moodle; in it: cloze question: 3" in said
    said = imported("b.gift", b"What? {=a ~b}\nAnd? {=c ~d}\n", code=3).err
    assert 'as gift; line 1 is not understood: "two answers in braces; is a blank line missing?: What? ' in said


@pytest.mark.parametrize(
    "text",
    [
        "# Notes\n\nThe inverse is $A^{-1}$, and $X^{T}X$ is symmetric.\n\nMore of it in $\\mathbf{=}$.\n",
        "# Code\n\n```c\nint a[] = {~0};\n```\n\nThe mask is `{~x}`.\n\nAnd no more.\n",
    ],
)
def test_notes_with_braces_are_no_gift(text: str) -> None:
    with pytest.raises(CannotRead, match="not a known format"):
        import_drafts.guess_format_name_or_raise(text.encode(), ".md")


@pytest.mark.parametrize("model", ["$\\frac{1}{1 + e^{-x}}$", "`x.T @ x`", "$$\\sum_i p_i$$ is"])
def test_a_formula_gets_no_rubric(model: str) -> None:
    """'sum' would earn everything."""
    made = item_yaml("x", ImportedItem(stem="What is it?", model_answer=model), is_active_if_scorable=True)
    assert "there is no rubric: write one" in made
    assert "criteria" not in made


def test_a_drafted_rubric_says_what_it_pays(imported: Import) -> None:
    made = imported("a.csv", "Frage;Antwort\nWie groß ist Maß?;Ein **Liter** `Bier`\nUnd 2?;3\n")
    assert "2 items, 2 new, 0 updated, 1 uncertain" in made.err
    assert "id: wie-gross-ist-mass" in made.text
    assert "say: Ein Liter Bier\n" in made.text
    assert 'check it, because it gives a point each for "' in " ".join(made.text.split())


def test_what_is_said_of_a_wide_range_is_no_mistake_at_its_middle() -> None:
    item = only("Pi?{#=3.14:0.01 =%0%-50:50#Above nought, surely. =%0%6.28:0.01#That is twice.}", "gift")
    assert [say for _, say in item.numeric_key.mistakes] == ["That is twice."]
    assert item.todo == ("the feedback on -50:50 is not imported: Above nought, surely.",)


def test_the_criteria_of_a_grader_come_back() -> None:
    """With their points; their phrases stay at home, and new ones are drafted from their words."""
    notes = (
        "&lt;ul class='criteria'&gt;&lt;li&gt;2: It sorts within the array.&lt;/li&gt;&lt;li&gt;0.5: It is unstable."
        "&lt;/li&gt;&lt;/ul&gt;&lt;div class='model-answer'&gt;It swaps.&lt;/div&gt;"
    )
    item = only(moodle(question("essay", f"<graderinfo format='html'><text>{notes}</text></graderinfo>")), "moodle")
    assert item.criteria == ((2, "It sorts within the array."), (Fraction(1, 2), "It is unstable."))
    made = item_yaml("x", item, is_active_if_scorable=True)
    assert "points: '2'\n          say: It sorts within the array." in made
    assert "points: '0.5'" in made
    assert "model_answer: It swaps." in made
    assert "check them: they give 2 for" in made


def test_many_rows_of_one_text_have_names_of_their_own(imported: Import) -> None:
    """The second import knows each again."""
    first, second = (imported("a.csv", "question,answer\n" + "What is a heap?,A tree in an array\n" * 5) for _ in "12")
    names = [f"  - id: what-is-a-heap{suffix}" for suffix in ("", "-2", "-3", "-4", "-5")]
    assert [line for line in first.text.splitlines() if "- id: what" in line] == names
    assert second.text == first.text


def quiz(*questions: str) -> ImportResult:
    return read(moodle(*questions).encode(), "moodle")


def test_a_short_answer_of_half_the_points_is_not_right() -> None:
    """What is said about an answer is kept: of a right one as the rationale, of another in the todo."""
    answers = answer("100", "sync*", "Yes.") + answer("50", "snyc", "Misspelt.") + answer("0", "*", "No.")
    (item,) = quiz(question("shortanswer", answers)).items
    told = '"snyc" earned 50 % in the source: here it is wrong; its feedback: Misspelt.'
    assert item.todo == (told, 'the feedback on "*" is not imported: No.')
    assert item.rationale == "Yes."
    assert "- sync*\n" in item_yaml("x", item, is_active_if_scorable=True)


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
    assert [line for line, _ in found.unread_lines] == [4]
    unclosed = read(b"Half?{=1\n\nWhole?{T}\n", "gift")
    assert ([item.stem for item in unclosed.items], [line for line, _ in unclosed.unread_lines]) == (["Whole?"], [1])


def test_canvas_margins_and_kinds_without_a_like() -> None:
    limits = f"<or>{equal('6e23')}<and><vargt>5.4e23</vargt><varlte>6.6e23</varlte></and></or>"
    kinds = ("numerical_question", "text_only_question", "file_upload_question", "calculated_question")
    found = [read(canvas(kind, "", condition(limits, 100)).encode(), "qti") for kind in kinds]
    (item,) = (item for one in found for item in one.items)
    assert (item.numeric_key.value, item.numeric_key.relative_tolerance) == (6 * 10**23, Fraction(1, 10))
    assert sum(len(one.unread_lines) for one in found) == 3


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
    assert found.messages[1] == "columns not understood: Nr."
    assert [item.kind for item in items] == ["choice", "choice", "numeric", "numeric", "text"]
    assert [keys(item) for item in items[:2]] == [["16"], ["9,81"]]
    assert [item.numeric_key.value for item in items if item.numeric_key] == [2500, Fraction(1, 8)]
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
    assert parse_portable_number(text).value == value
    assert parse_portable_number("01234") is None, "a code"


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
    assert item.numeric_key == PortableNumber(Fraction(68), "", Fraction(1, 100))
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
    assert [line for line, _ in found.unread_lines] == [7, 0]
    assert "Part 2" in found.unread_lines[0][1]
    assert "sheet Notes" in found.unread_lines[1][1]


def note(**fields: str) -> ImportedItem | str:
    (made,) = items_or_reasons_of_note("guid", tuple(fields.values()), (), "Deck::Sub", tuple(fields))
    return made


def test_pictures_with_hidden_parts_are_named() -> None:
    told = note(Text="{{c1::image-occlusion:rect:left=.1}}", Image="<img src=h.png>", Header="Heart")
    assert told == '"[figure: h.png] Heart" hides parts of a picture, which has no equivalent here'
    bone = item_yaml("bone", note(Front="Which bone is this?", Back="<img src=femur.png>"), True)
    assert ("a figure is not imported" in bone, "criteria" in bone) == (True, False)


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
