"""Forms: what stands in them, what never does, and that they are the same everywhere."""

from __future__ import annotations

import base64
import hashlib
import re
from fractions import Fraction

import pytest

from quizgen import exam
from quizgen.answer_areas import option_letter
from quizgen.model import points_as_json
from quizgen.render.edition import PageOptions, time_budget_text
from quizgen.render.exam import lay_out_form_with_label
from quizgen.roster import Candidate

from . import made
from .made import Page, pages, sample

# -- names and codes --------------------------------------------------------------------------


def test_labels_go_on_after_z_and_points_are_written_for_readers_and_for_scripts() -> None:
    assert list(exam.form_labels(3)) == ["A", "B", "C"]
    for points, text, number in ("2", "2", 2), ("1/2", "0.5", 0.5), ("1/3", "1/3", 0.333333), ("5/4", "1.25", 1.25):
        assert (exam.as_decimal_or_ratio(Fraction(points)), points_as_json(Fraction(points))) == (text, number)
    for index, label in {25: "Z", 26: "AA", 27: "AB", 51: "AZ", 52: "BA", 701: "ZZ", 702: "AAA"}.items():
        assert option_letter(index) == label


def test_codes_are_one_way_in_seed_and_ids() -> None:
    """By hand from the definition: five bits at a time, lowest first, of SHA-256 of the parts."""
    plan = sample()
    ids = [item.id for item, _ in plan.form_a_items]
    number = int.from_bytes(hashlib.sha256("\x1f".join(["a seed of the test", "exam", *ids]).encode()).digest(), "big")
    assert plan.code == "".join("ABCDEFGHJKLMNPQRSTUVWXYZ23456789"[number // 32**i % 32] for i in range(6))
    assert plan.form_of_label("B").code == f"{plan.code}-B"
    assert len({plan.item_code(label, name) for label in "AB" for name in ids}) == 8


def words_of(plan: exam.Exam, who: Candidate | None = None) -> str:
    """What a reader of form A reads."""
    return " ".join(" ".join(Page(pages(plan).form_page_html(lay_out_form_with_label(plan, "A"), who)).words).split())


# -- a form -----------------------------------------------------------------------------------


def test_a_form_is_self_contained_and_its_policy_names_every_script_and_style() -> None:
    plan = sample()
    text = pages(plan).form_page_html(lay_out_form_with_label(plan, "A"))
    page = Page(text)
    for tag in ("script", "style"):
        bodies = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert bodies
        for body in bodies:
            digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
            assert f"sha256-{digest}" in page.all("meta")[1]["content"]
    for tag, attributes in page.tags:
        assert tag not in ("link", "iframe", "object", "embed", "base")
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        assert not (attributes.get("src") or "data:").startswith("http")
    assert not page.comments


def test_answer_space_follows_the_time_and_nothing_else() -> None:
    edition = PageOptions()
    assert [edition.ruled_line_count_for_seconds(s, True) for s in (10, 60, 120, 180, 9999)] == [4, 4, 8, 11, 18]
    assert [edition.ruled_line_count_for_seconds(s, False) for s in (10, 60, 120, 9999)] == [3, 3, 5, 9]
    # Large print on Letter: 242 mm less 56 for headings and marker, less 9.6 a line of the stem, by 13.
    # 14 lines leave 51 mm, 3 ruled lines: the item takes two pages anyway, with all of its lines.
    large = PageOptions(paper_size="letter", has_large_print=True)
    assert [large.ruled_line_count_for_seconds(9999, True, stem) for stem in (0, 3, 6.5, 13, 14)] == [13, 12, 9, 4, 13]
    assert [edition.ruled_line_count_for_seconds(9999, True, stem) for stem in (0, 10, 25)] == [18, 18, 12]
    assert [time_budget_text(s) for s in (45, 60, 90, 100)] == ["45 s", "1 min", "1.5 min", "1.5 min"]


def test_a_named_form_carries_name_and_extra_time() -> None:
    plan = sample()
    who = Candidate(3, "Ada <Lovelace>", "S-3", "25%", "")
    text = pages(plan).form_page_html(lay_out_form_with_label(plan, "A"), who)
    assert "Ada &lt;Lovelace&gt;" in text
    assert "Ada <Lovelace>" not in text
    assert 'data-minutes="38"' in text  # 30 minutes and a quarter, rounded up
    assert f'content: "{plan.code}-A"' in text
    assert 'content: "Page " counter(page) " of " counter(pages)' in text
    assert ">Ada &lt;Lovelace&gt; · S-3</text>" in text  # printed on the answer sheet: nothing to bubble
    assert text.count('<circle fill="none"') == 6
    assert r'@top-right { content: "Ada \00003cLovelace\00003e\000020S-3"' in text  # on every page


@pytest.mark.parametrize(
    ("who", "told"),
    [
        (Candidate(1, "Ada", "", "25%"), "with 25 % extra time"),
        (Candidate(1, "Ada", "", "10"), "with 10 minutes extra time"),
        (Candidate(1, "Ada", "", "1 min"), "with 1 minute extra time"),
        (None, "Write your name and candidate ID above and on the answer sheet, the first page."),
        (Candidate(1, "Ada", "S1"), "Check that name and candidate ID above are yours; do the same on the answer"),
        (Candidate(1, "Ada"), "Check that the name above is yours, and write your candidate ID beside it;"),
    ],
)
def test_instructions_say_what_concerns_a_candidate(who: Candidate | None, told: str) -> None:
    """Extra time in words, and what is not there yet."""
    assert told in words_of(sample(), who)


def test_one_item_is_told_as_one() -> None:
    words = words_of(exam.plan_exam(made.bank(made.text("t", "Why?", seconds=60)), made.blueprint(), "s"))
    assert "There is 1 item worth 1 point;" in words
    assert not re.search(r"\b1 (minutes|items|points)\b", words)
