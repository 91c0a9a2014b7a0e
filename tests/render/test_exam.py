"""Forms: what stands in them, what never does, and that they are the same everywhere."""

from __future__ import annotations

import hashlib
import json
import re
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import pytest

from quizgen import exam
from quizgen.blocks import Lines, Math, para
from quizgen.model import Section
from quizgen.render import folder, key, manifest
from quizgen.render.edition import Edition, about
from quizgen.render.exam import ExamPages
from quizgen.render.layout import laid_out
from quizgen.roster import Candidate, read_extra, read_roster

from . import made


def pages(plan: exam.Exam, edition: Edition | None = None) -> ExamPages:
    from markupsafe import Markup

    told: list[str] = []
    return ExamPages(plan, edition or Edition(), lambda item, message: told.append(message), Markup())


def sample(**fields: object) -> exam.Exam:
    items = (
        made.choice("c-one", "Which?", "alpha", "beta", "gamma", seconds=45),
        made.choice("c-two", "Which two?", "x", "y", "z", several=True, points=Fraction(1, 2)),
        made.number("n-one", "How much?", key="31.7 GB", seconds=120),
        made.text("t-one", "Why?", criteria=3, points=Fraction(3), seconds=180),
    )
    plan = made.blueprint(
        Section(kinds=(), include=("c-one", "c-two"), count=2, title="Choose"),
        Section(include=("n-one", "t-one"), count=2, title="Work"),
    )
    return exam.plan(made.bank(*items), plan, "a seed of the test")


class Page(HTMLParser):
    """The tree as far as the tests need it: tags with attributes, and the text of each element."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.comments: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def all(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.tags if tag == name]

    def of_class(self, name: str) -> list[dict[str, str | None]]:
        return [a for _, a in self.tags if name in (a.get("class") or "").split()]


# -- names and codes --------------------------------------------------------------------------


def test_labels_go_on_after_z() -> None:
    assert list(exam.labels(3)) == ["A", "B", "C"]
    assert [exam.label(n) for n in (25, 26, 27, 51, 52, 701, 702)] == ["Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA"]


def test_codes_are_one_way_in_seed_and_ids() -> None:
    """By hand from the definition: five bits at a time, lowest first, of SHA-256 of the parts."""
    plan = sample()
    ids = [item.id for item, _ in plan.chosen]
    number = int.from_bytes(hashlib.sha256("\x1f".join(["a seed of the test", "exam", *ids]).encode()).digest(), "big")
    alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
    assert plan.code == "".join(alphabet[number // 32**i % 32] for i in range(6))
    assert plan.form("B").code == f"{plan.code}-B"
    refs = {plan.ref(label, name) for label in "AB" for name in ids}
    assert len(refs) == 8


def test_all_forms_hold_the_same_items_in_the_same_sections() -> None:
    plan = sample()
    forms = [plan.form(label) for label in exam.labels(20)]
    for form in forms:
        assert {e.variant.item.id for e in form.entries[:2]} == {"c-one", "c-two"}
        assert {e.variant.item.id for e in form.entries[2:]} == {"n-one", "t-one"}
    assert len({tuple(e.variant.item.id for e in f.entries) for f in forms}) == 4


@pytest.mark.parametrize(
    ("points", "text", "number"),
    [
        (Fraction(2), "2", 2),
        (Fraction(1, 2), "0.5", 0.5),
        (Fraction(1, 3), "1/3", 0.333333),
        (Fraction(5, 4), "1.25", 1.25),
    ],
)
def test_points(points: Fraction, text: str, number: float) -> None:
    assert exam.points_text(points) == text
    assert exam.points_number(points) == number


# -- a form -----------------------------------------------------------------------------------


def test_a_form_has_all_that_a_paper_carries() -> None:
    plan = sample()
    text = pages(plan).form(laid_out(plan, "A"))
    page = Page(text)
    code = f"{plan.code}-A"
    words = " ".join(" ".join(page.words).split())
    assert "An exam" in words
    assert "30 minutes" in words
    assert "60 %" in words
    items = page.of_class("item")
    assert len(items) == 4
    assert [i["data-number"] for i in items] == ["1", "2", "3", "4"]
    # The code stands in every item's header, on the cover and on the answer sheet.
    assert text.count(f" · {code}") == 4
    assert f'content: "{code}"' in text
    assert 'content: "Page " counter(page) " of " counter(pages)' in text
    # The marker gets one numbered box for each criterion of the text item and one box for points.
    assert len(page.of_class("tick")) == 3
    assert len(page.of_class("award")) == 4
    # The answer sheet: both choice items, 6 option bubbles, 80 digits, 2 samples, 4 corners.
    assert len(page.of_class("sheet-row")) == 2
    assert len(page.of_class("bubble")) == 6 + 80 + 2
    assert len(page.of_class("corner")) == 4
    assert "0.5 points" in words


def test_a_form_is_self_contained_and_its_policy_names_every_script_and_style() -> None:
    plan = sample()
    text = pages(plan).form(laid_out(plan, "A"))
    page = Page(text)
    import base64

    for tag in ("script", "style"):
        bodies = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert bodies
        for body in bodies:
            digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
            assert f"sha256-{digest}" in page.all("meta")[1]["content"]  # type: ignore[operator]
    for tag, attributes in page.tags:
        assert tag not in ("link", "iframe", "object", "embed", "base")
        for name in attributes:
            assert not name.startswith("on")
            assert name != "style"
        assert not (attributes.get("src") or "data:").startswith("http")
    assert not page.comments


def test_a_form_names_neither_seed_nor_bank_nor_items() -> None:
    plan = sample()
    text = pages(plan).form(laid_out(plan, "A"))
    for word in ("a seed of the test", "c-one", "n-one", "sha256:00", "31.7", "made.yaml", "difficulty"):
        assert word not in text


@pytest.mark.parametrize(
    ("items", "options", "columns", "sheets"),
    [
        (3, 4, 3, [3]),
        (54, 5, 3, [54]),  # 126 mm of room, 7 mm a row: 18 rows in each of 3 columns
        (55, 5, 3, [54, 1]),
        (133, 5, 3, [54, 78, 1]),  # 184 mm on further sheets: 26 rows
        (40, 9, 2, [36, 4]),
        (21, 26, 1, [9, 12]),  # 26 bubbles take two lines, 14 mm
    ],
)
def test_answer_sheets_go_on_over_pages(items: int, options: int, columns: int, sheets: list[int]) -> None:
    several = [made.choice(f"c-{n}", "Which?", *(f"o{m}" for m in range(options))) for n in range(items)]
    plan = exam.plan(made.bank(*several), made.blueprint(), "s")
    shown = pages(plan).shown(laid_out(plan, "A"))
    assert shown.columns == columns
    assert [len(rows) for rows in shown.sheets] == sheets
    assert [row.number for rows in shown.sheets for row in rows] == list(range(1, items + 1))


def test_answer_space_follows_the_time_and_nothing_else() -> None:
    edition = Edition()
    assert [edition.text_lines(s) for s in (10, 60, 120, 180, 9999)] == [4, 4, 8, 11, 18]
    assert [edition.working_lines(s) for s in (10, 60, 120, 9999)] == [3, 3, 5, 9]
    assert about(45) == "45 s"
    assert [about(s) for s in (60, 90, 100, 120, 300)] == ["1 min", "1.5 min", "1.5 min", "2 min", "5 min"]


def test_large_print_and_letter() -> None:
    plan = sample()
    text = pages(plan, Edition(paper="letter", large=True)).form(laid_out(plan, "A"))
    assert "size: letter" in text
    assert 'class="paper-letter large-print"' in text


def test_practice_says_on_its_face_that_it_holds_the_answers() -> None:
    item = made.text("t", "Why?", solution=(para("BECAUSE"), Math("x^2")))
    plan = exam.plan(made.bank(item), made.blueprint(), "s")
    plain = pages(plan).form(laid_out(plan, "A"))
    practice = pages(plan).form(laid_out(plan, "A"), practice=True)
    assert "BECAUSE" not in plain
    assert "BECAUSE" in practice
    assert "this file holds the answers" in practice


def test_a_named_form_carries_name_and_extra_time() -> None:
    plan = sample()
    who = Candidate(3, "Ada <Lovelace>", "S-3", "25%", "")
    text = pages(plan).form(laid_out(plan, "A"), who)
    assert "Ada &lt;Lovelace&gt;" in text
    assert "Ada <Lovelace>" not in text
    assert 'data-minutes="38"' in text  # 30 minutes and a quarter, rounded up


# -- keys -------------------------------------------------------------------------------------


def test_a_key_is_marked_on_every_page_and_holds_the_solution() -> None:
    item = made.number("n", "How much?", key="31.7 GB", solution=(para("worked"),), source="A paper")
    plan = exam.plan(made.bank(item), made.blueprint(), "s")
    text = key.Keys("", Edition()).key(laid_out(plan, "A"))
    assert 'content: "KEY - not for candidates"' in text
    assert text.count("31.7 GB") == 2
    assert "<p>worked</p>" in text
    assert "A paper" in text
    assert "<input" not in text


def test_the_table_of_all_forms_finds_each_item_in_each_form() -> None:
    plan = sample()
    forms = [laid_out(plan, label) for label in exam.labels(6)]
    columns = (key.column(form) for form in forms)
    text = "".join(key.answers(plan, columns, 6, Edition()))
    assert text.count("<table") == 2  # four forms side by side, then two
    for form in forms:
        place = next(n for n, e in enumerate(form.form.entries) if e.variant.item.id == "n-one")
        assert key.column(form).cells[place] == ("n-one", "31.7 GB")
    assert text.count("31.7 GB") == 6


# -- the folder -------------------------------------------------------------------------------


def order(plan: exam.Exam, **fields: object) -> folder.Order:
    return folder.Order(plan, Edition(), pages(plan), **fields)  # type: ignore[arg-type]  # fields of Order


def test_the_folder_of_the_contract(tmp_path: Path) -> None:
    plan = sample()
    done: list[int] = []
    names = folder.write(order(plan, forms=2), tmp_path, done.append)
    expected = {"form-A.html", "form-B.html", "key-A.html", "key-B.html", "answers.html", "manifest.json"}
    assert set(names) == expected
    assert {p.name for p in tmp_path.iterdir()} == expected
    assert done == [1, 2]


def test_an_interrupted_run_leaves_the_last_manifest_whole(tmp_path: Path) -> None:
    plan = sample()
    folder.write(order(plan, forms=2), tmp_path, lambda done: None)
    before = (tmp_path / "manifest.json").read_bytes()

    def interrupt(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        folder.write(order(plan, forms=3), tmp_path, interrupt)
    assert (tmp_path / "manifest.json").read_bytes() == before
    assert not list(tmp_path.glob(".*"))


def test_the_manifest_has_all_that_scoring_needs(tmp_path: Path) -> None:
    plan = sample()
    folder.write(order(plan, forms=2), tmp_path, lambda done: None)
    record = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    assert record["v"] == 1
    assert record["seed"] == "a seed of the test"
    assert record["digest"] == "sha256:00"
    assert [f["code"] for f in record["forms"]] == [f"{plan.code}-A", f"{plan.code}-B"]
    first = {i["item"]: i for i in record["forms"][0]["items"]}
    assert first["c-one"]["options"] == ["alpha", "beta", "gamma"]
    assert first["c-two"]["several"] is True
    assert first["c-two"]["points"] == 0.5
    assert first["n-one"]["key"] == "31.7 GB"
    form = (tmp_path / "form-A.html").read_text(encoding="utf-8")
    for entry in record["forms"][0]["items"]:
        assert f'data-ref="{entry["ref"]}" data-number="{entry["n"]}"' in form


def test_a_roster_deals_forms_in_turn_and_keeps_those_it_names(tmp_path: Path) -> None:
    plan = sample()
    people = (Candidate(1, "Ann", "1"), Candidate(2, "Bo", "=2+3"), Candidate(3, "Cy", "", "", "A"), Candidate(4, "Di"))
    names = folder.write(order(plan, forms=2, roster=people), tmp_path, lambda done: None)
    files = [n for n in names if re.fullmatch(r"form-[AB]-\d+\.html", n)]
    assert sorted(files) == ["form-A-001.html", "form-A-003.html", "form-B-002.html", "form-B-004.html"]
    record = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    assert [(c["name"], c["form"], c["file"]) for c in record["candidates"]] == [
        ("Ann", "A", "form-A-001.html"),
        ("Bo", "B", "form-B-002.html"),
        ("Cy", "A", "form-A-003.html"),
        ("Di", "B", "form-B-004.html"),
    ]
    sheet = (tmp_path / "marks.csv").read_text(encoding="utf-8").splitlines()
    assert sheet == ["candidate,form,1,2,3,4", "1,A,,,,", "'=2+3,B,,,,", "Cy,A,,,,", "Di,B,,,,"]


def test_what_an_earlier_exam_left_is_named(tmp_path: Path) -> None:
    plan = sample()
    folder.write(order(plan, forms=3), tmp_path, lambda done: None)
    names = folder.write(order(plan, forms=2), tmp_path, lambda done: None)
    assert folder.left_over(tmp_path, names) == ["form-C.html", "key-C.html"]


# -- the roster -------------------------------------------------------------------------------


def test_a_roster_is_read_with_commas_or_semicolons() -> None:
    text = "\ufeffName;ID;Extra time\nAda;S1;25%\n\nBo;S2;15 min\n"
    people, problems = read_roster(text, "r.csv", ("A",))
    assert not problems
    assert people == (Candidate(1, "Ada", "S1", "25%"), Candidate(2, "Bo", "S2", "15 min"))
    assert [p.minutes(Fraction(60)) for p in people] == [75, 75]


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
        ("name,id\n,1\n", "r.csv:2:1: a candidate without a name"),
        ("name\nA\x00da\n", "r.csv:"),
        ("name\nA\u202eda\n", "r.csv:2:1: name is too long or holds control characters"),
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
    assert read_extra(text) == expected


def test_lines_block_gives_the_number_of_criteria() -> None:
    plan = exam.plan(made.bank(made.item("t", para("Why?"), Lines(5))), made.blueprint(), "s")
    assert pages(plan).shown(laid_out(plan, "A")).items[0].criteria == 5


def test_manifest_head_alone_is_json_with_its_tail() -> None:
    text = manifest.head(sample(), Edition(), 30, []) + manifest.tail()
    assert json.loads(text)["forms"] == []
