"""`subjects:`, `of:`, `against:`, `bare:` and `answers:` of a text item: read, checked and tried. `quizgen check` on
broken rubrics: exactly one message for each, at its line and column, with the answer that gives the rubric away. And
answers written beside an item, right and wrong, in scoring: what leans to the wrong ones counts in part."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from shipped import Command

from quizgen.bank import load_bank
from quizgen.commands.check import prove_and_count_drawings
from quizgen.commands.preview import WatchedBank, item_view_for_json
from quizgen.rubric.check import ExampleAnswer, rubric_comparing_with_examples, unexpected_score_text
from quizgen.rubric.index import MIN_WORD_SHARE_DENOMINATOR, ExampleAnswerWords, stable_word_hash
from quizgen.rubric.score import score_text
from quizgen.source.problems import Location

from .rubrics import read, rubric_of

ITEM = """\
topic: t
items:
  - id: inside
    kind: text
    stem: Where do the two kinds of parallelism run?
    source: s
    rationale: r
    difficulty: 2
    seconds: 60
    rubric:
      subjects: {tp: "tp|{tensor parallel*}", pp: "pp|{pipeline parallel*}"}
      criteria:
        - id: tp-inside
          of: tp
          say: TP stays inside a node.
          accept: ["tp inside|within node"]
        - id: pp-across
          of: pp
          say: PP crosses nodes.
          accept: ["pp across|between|crosses nodes"]
    model_answer: TP stays inside a node, and PP runs across nodes.
    answers:
"""


def problems(tmp_path: Path, answers: str, item: str = ITEM) -> list[str]:
    path = tmp_path / "items.yaml"
    path.write_text(item + answers, encoding="utf-8")
    loaded = load_bank(str(path), parses_everything=True)
    found = [*loaded.problems, *prove_and_count_drawings(loaded.required_bank, lambda _: None)[0]]
    return [f"{p.severity} {p.location.line}: {p.message}; {p.hint}" for p in found]


def test_answers_that_earn_what_they_say_are_silent(tmp_path: Path) -> None:
    fine = """\
      - {earns: all, text: TP is kept within the node while PP goes across nodes.}
      - {earns: all, text: "Inside one node: TP. Between nodes: PP."}
      - {earns: none, text: Both need a fast network and a good compiler.}
      - {earns: [tp-inside], text: TP is kept within the node.}
      - {earns: 50%, text: PP goes across nodes.}
"""
    assert problems(tmp_path, fine) == []


def test_an_answer_that_earns_otherwise_is_a_problem_at_its_place(tmp_path: Path) -> None:
    found = problems(tmp_path, "      - {earns: none, text: TP is kept within the node.}\n")
    assert [f.split(";")[0] for f in found if f.startswith("failure")] == [
        'failure 23: "TP is kept within the node." should earn none and earns 1 of 2: tp-inside is found, '
        '"TP is kept within the node"'
    ]
    found = problems(tmp_path, "      - {earns: [pp-across], text: TP within the node.}\n")
    (told,) = [f for f in found if f.startswith("failure")]
    assert told.startswith('failure 23: "TP within the node." should earn pp-across and earns tp-inside in full')


def test_a_near_miss_of_a_tenth_is_none(tmp_path: Path) -> None:
    """Two of three slots of one criterion of five earn a third of a point; none of four criteria a twelfth."""
    criteria = "".join(f"        - {{id: c{n}, accept: [word{n}]}}\n" for n in range(4))
    item = ITEM.replace('["pp across|between|crosses nodes"]\n', f"[pp]\n{criteria}")
    item = item.replace('"tp inside|within node"', '"kept inside|within node|server"')
    for answer, told in (("It is kept in a node, of course.", 0), ("PP runs anywhere.", 1)):
        found = problems(tmp_path, f"      - {{earns: none, text: '{answer}'}}\n", item)
        assert sum(f'"{answer}" should earn none' in problem for problem in found) == told
    found = problems(tmp_path, "      - {earns: none, text: PP runs across hosts.}\n")
    assert not any("pp-across" in problem for problem in found)


def test_a_right_answer_that_is_refused_is_told_with_the_slot_that_its_sentence_lacks(tmp_path: Path) -> None:
    """And all criteria that refuse it at once. The claim about PP is whole but for one slot; words of the sentence
    before it fill that slot, which is not the reason."""
    answer = "TP is a thing of one node. All its traffic stays within. PP spans several nodes."
    found = problems(tmp_path, f'      - {{earns: all, text: "{answer}"}}\n')
    (told,) = [f for f in found if f.startswith("failure")]
    assert '"TP is a thing of one node. All its traffic stays within" is spread over two sentences' in told
    assert 'inside|within is not in "TP is a thing of one node."' in told
    assert 'across|between|crosses is not in "PP spans several nodes."' in told


def test_what_is_prevented_and_read_as_denied_is_told_with_the_way_out(tmp_path: Path) -> None:
    found = problems(tmp_path, "      - {earns: all, text: So that TP is never within the node. PP crosses nodes.}\n")
    assert any('is denied ("never"); if the item asks what it prevents, polarity: any accepts both' in f for f in found)


def test_an_item_without_wrong_or_right_answers_is_a_warning(tmp_path: Path) -> None:
    found = problems(tmp_path, "      - {earns: all, text: TP within the node and PP across nodes.}\n")
    one, none = "1 right answer besides the model answer", "there is no confident wrong answer"
    assert [f.split(";")[0] for f in found] == [f"warning 3: {one}", f"warning 3: {none}"]
    found = problems(tmp_path, "      - {earns: none, text: Both run anywhere in the cluster.}\n")
    assert [f.split(";")[0] for f in found] == ["warning 3: no right answers besides the model answer"]


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ("      - {earns: al, text: x}\n", 'error 23: earns "al" is unknown; did you mean "all"?'),
        ("      - {earns: [tp-inide], text: x}\n", 'error 23: no criterion "tp-inide"; did you mean "tp-inside"?'),
        ("      - {text: x}\n", "error 23: an answer needs earns and text"),
        ("      - {earns: none, txt: x}\n", 'error 23: unknown field "txt" of an answer; did you mean "text"?'),
    ],
)
def test_mistakes_in_answers_are_told(tmp_path: Path, answers: str, told: str) -> None:
    assert any(found.startswith(told) for found in problems(tmp_path, answers))


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ("of: ttp", 'no subject "ttp"; did you mean "tp"?'),
        ("of: [tp, other]", 'no subject "other"; known: tp, pp'),
        ("against: pp", "against needs another subject in of; a comparison has two sides: name both"),
        ("of: tp, against: tp", "against needs another subject in of; a comparison has two sides: name both"),
        ("bare: perhaps", 'bare must be true or false, not "perhaps"; write true or false'),
    ],
)
def test_mistakes_in_subjects_are_told(fields: str, told: str) -> None:
    _, found = read(
        "rubric:\n  subjects: {tp: tp, pp: 'pp|{pipeline parallel*}'}\n  criteria:\n"
        f"    - {{id: a, accept: [x], {fields}}}\n"
    )
    assert [(f.split(":")[0], f.split(": ", 1)[1]) for f in found] == [("4", told)]


def test_a_group_that_earns_all_it_may_is_not_blamed() -> None:
    """Two of three criteria fill the group; what is missing is outside of it."""
    rubric = rubric_of(
        "rubric: {groups: [{of: [a, b, c], at_most: 2}], criteria: [{id: a, accept: [apple tart]}, "
        "{id: b, accept: [plum cake]}, {id: c, accept: [pear pie]}, {id: d, accept: [tea pot]}]}\n"
    )
    answer = ExampleAnswer("Apple tart and plum cake.", Fraction(1), (), Location("bank.yaml", 1, 1))
    told = unexpected_score_text(rubric, answer)
    assert "d is missing" in told
    assert "c is missing" not in told


def test_the_preview_shows_answers_with_their_marks_and_follows_the_file(tmp_path: Path) -> None:
    path = tmp_path / "items.yaml"
    answers = """\
      - {earns: all, text: "TP within the node, PP across nodes."}
      - {earns: none, text: "TP within the node."}
"""
    path.write_text(ITEM + answers, encoding="utf-8")
    watched = WatchedBank(str(path))
    right, wrong, other = item_view_for_json(watched.current_state(), "inside", 0, ("PP crosses nodes.",))["answers"]
    assert (right["wanted"], right["earned"], right["wrong"]) == ("all", "2 of 2", "")
    assert (wrong["wanted"], wrong["earned"]) == ("none", "1 of 2")
    assert "should earn none" in wrong["wrong"]
    assert (other["wanted"], other["marks"]) == ("", (("tp-inside", "missing", "0/1"), ("pp-across", "found", "1/1")))
    path.write_text(ITEM + answers.replace("none", "[tp-inside]"), encoding="utf-8")
    assert [row["wrong"] for row in item_view_for_json(watched.current_state(), "inside", 0)["answers"]] == ["", ""]


STEM = "Why is tensor parallelism kept inside one server?"
MODEL = (
    "Each block ends in an all-reduce, so data crosses the links in every layer, and NVLink has several times the"
    " bandwidth of the network between servers."
)
LAYER = '- {id: every-layer, accept: ["all-reduce|communicat* {every layer|each layer|per layer}"]}'
LINK = '- {id: bandwidth, accept: ["nvlink faster|bandwidth"]}'

# name: (criteria and what follows them, model answer, stem, line and column, parts of the message)
BROKEN: dict[str, tuple[list[str], str, str, str, list[str]]] = {
    "the model answer lacks a word": (
        [LAYER, '- {id: bandwidth, accept: ["nvlink cheaper"]}'],
        MODEL, STEM, "8:11",
        ["the model answer earns 1 of 2", '"NVLink" found, but not cheaper', "Each block ends in an all-reduce"],
    ),
    "the model answer holds a misconception": (
        [LAYER, LINK, "misconceptions:", '  - {match: "several times", penalty: 1, say: Not so many.}'],
        MODEL, STEM, "7:9",
        ["the model answer earns 1 of 2", '"several times" is a misconception'],
    ),
    "words of the stem": (
        [LAYER, LINK, '- {id: inside, accept: ["parallelism {one server}"]}'],
        MODEL + " So parallelism stays in one server.", STEM, "9:11",
        ['the stem itself meets criterion "inside"', '"parallelism one server" earns points', STEM],
    ),
    "a number of the stem": (
        [LAYER, "- {id: ranks, number: {value: 8}}"],
        MODEL + " There are 8 of them.", "Why are 8 ranks of tensor parallelism kept inside one server?", "8:11",
        ['the stem itself meets criterion "ranks"', '"8 ranks" earns points'],
    ),
    "a word of any subject": (
        [LAYER, LINK, "- {id: cost, accept: [time]}"],
        MODEL + " The rest costs time.", STEM, "9:31",
        ['"time" alone meets criterion "cost"', "It has something to do with time."],
    ),
    "a prefix of any subject": (
        [LAYER, LINK, '- {id: cost, accept: ["le*"]}'],
        MODEL + " Leaving it is slow.", STEM, "9:31",
        ["alone meets criterion", "It has something to do with lead."],
    ),
    "a phrase its own reject takes back": (
        [LAYER, '- {id: link, accept: ["several times"], reject: ["times several"]}'],
        MODEL, STEM, "8:31",
        ['"several times" meets', "is rejected by the same criterion"],
    ),
    "a sentence of its own": (
        [LAYER, LINK[:-1] + ", say: A server's own links outpace Ethernet.}"],
        MODEL, STEM, "8:11",
        ["its own `say` does not meet the criterion: bandwidth is missing"],
    ),
    "a name of its subject": (
        [LAYER, '- {id: bandwidth, of: nvlink, accept: ["nvlink", "nvlink bandwidth"]}', "subjects: {nvlink: nvlink}"],
        MODEL, STEM, "8:48",
        ['"nvlink" is a name of the subject that criterion "bandwidth" is about', "any mention of it meets"],
    ),
    "bare words": (
        [LAYER, '- {id: bandwidth, points: 2, accept: ["faster|bandwidth"]}'],
        MODEL, STEM, "8:11",
        ['only single words meet criterion "bandwidth" of 2 points', '("faster") earns half', "no answer can earn it all"],
    ),
    "one span for two criteria": (
        [LAYER, LINK, '- {id: again, accept: ["nvlink bandwidth"]}'],
        MODEL, STEM, "9:11",
        ["NVLink … bandwidth", 'earns the points of "bandwidth" and of "again"'],
    ),
}  # fmt: skip


def written(folder: Path, criteria: list[str], model: str, stem: str) -> Path:
    """The item in a file; a line of criteria that does not begin with `-` belongs to the rubric itself."""
    lines = ["items:", "  - id: broken", "    kind: text", f"    stem: {stem}", "    rubric:", "      criteria:"]
    inside = True
    for line in criteria:
        inside = inside and line.startswith("-")
        lines.append(f"{'        ' if inside else '      '}{line}")
    lines += [f"    model_answer: {model}", "    topic: links", "    difficulty: 2", "    seconds: 60"]
    lines += ["    source: made up", "    rationale: So it is.", "    answers: [{earns: none, text: No idea.}]"]
    path = folder / "broken.yaml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def messages(path: Path, command: Command) -> list[str]:
    """What is told at places of the file, without the file's name."""
    lines = command("check", path).out.splitlines()
    found = [line.removeprefix(f"{path}:") for line in lines if line.startswith(f"{path}:")]
    short = ("has no `say`", "besides the model answer")  # these rubrics are kept short
    return [line for line in found if not any(told in line for told in short)]


@pytest.mark.parametrize("name", list(BROKEN))
def test_exactly_one_message(name: str, tmp_path: Path, command: Command) -> None:
    criteria, model, stem, place, parts = BROKEN[name]
    (said,) = messages(written(tmp_path, criteria, model, stem), command)
    assert said.startswith(f"{place}: broken: warning: ")
    for part in (*parts, "; "):  # and what to do
        assert part in said, said


@pytest.mark.parametrize("said", ["", ", say: Perhaps a higher bandwidth of NVLink."])
def test_the_same_item_without_a_fault_has_no_message(said: str, tmp_path: Path, command: Command) -> None:
    """Nor where its own sentence meets a criterion as a guess or in a bare name: what is asked is told in short."""
    assert messages(written(tmp_path, [LAYER, LINK[:-1] + said + "}"], MODEL, STEM), command) == []


RUBRIC = rubric_of(
    """
    stem: Why does a database write a log ahead of its pages?
    rubric:
      criteria:
        - id: first
          say: The change is in the log before the page is written.
          accept: ["log before|first|ahead page*"]
        - id: crash
          say: After a crash the log is replayed.
          accept: ["crash|failure replay*|redo*|log"]
        - id: cheap
          say: The log is written in sequence, pages at random places.
          accept: ["log sequen*|append*", "random pages"]
    model_answer: >-
      The record of a change reaches the log on disk before the page does. After a crash the log is replayed, so a
      commit that was acknowledged survives. Appending to the log is sequential, while pages lie at random places.
    """
)
RIGHT = (
    "A commit only waits until its record is in the log, first of all; the pages may follow whenever the buffer pool "
    "likes. If the power fails, redo walks the log from the last checkpoint and repeats what the pages lack.",
    "Log before page. Crash: redo from the log, undo losers. Log is appended, sequential; pages would be random writes.",
)
WRONG = (
    "The log keeps a second copy of every page before it is changed, so that after a crash the old pages are copied "
    "back from the log and all transactions of the last hour are thrown away. It makes reads faster, as queries look "
    "into the log first and need no random access to the pages.",
    "Pages are flushed first and the log follows at night as a backup. After a crash the administrator restores the "
    "old copy of the pages, and the log only tells who changed what. Reading the log is faster than an index.",
)


def answer(text: str, share: Fraction | None, *ids: str) -> ExampleAnswer:
    return ExampleAnswer(text, share, ids, Location("bank.yaml", 1, 1))


ANSWERS = (*(answer(text, Fraction(1)) for text in RIGHT), *(answer(text, Fraction(0)) for text in WRONG))
KNOWING = rubric_comparing_with_examples(RUBRIC, ANSWERS)

# By another mind than the examples': the log taken for a backup of pages that speeds reads up.
MISTAKEN = (
    "The log holds copies of the old pages, first of all. After a crash the log gives the old pages back and the last "
    "transactions are thrown away; queries look into it, so reading is faster than random access to pages."
)
HALF_MISTAKEN = MISTAKEN.removesuffix(" than random access to pages.") + "."  # one criterion is not found
SOUND = (
    "Because a crash may come between two page writes. The log says what was to change and is on disk first, before "
    "any page; replaying it after the crash finishes committed work. Appending to a log is cheap, too."
)


def test_where_all_is_found_and_nothing_wrong_an_answer_keeps_its_points_and_is_less_sure() -> None:
    """A rubric's only wrong example, worded like a right one, would halve every right answer."""
    plain, leaning = score_text(RUBRIC, MISTAKEN), score_text(KNOWING, MISTAKEN)
    assert plain.earned == leaning.earned == RUBRIC.possible_points
    assert all(b.certainty == pytest.approx(a.certainty / 2) for a, b in zip(plain.marks, leaning.marks, strict=True))
    assert leaning.candidate_notes == ()


def test_an_answer_that_leans_to_wrong_ones_counts_in_part() -> None:
    paid = score_text(RUBRIC, HALF_MISTAKEN)
    leaning = score_text(KNOWING, HALF_MISTAKEN)
    assert paid.earned > 0
    assert leaning.earned <= paid.earned / 2
    assert {m.status for m in leaning.marks if m.earned} == {"partial"}
    assert all("resembles wrong ones" in m.because for m in leaning.marks if m.earned)
    named = re.findall(r'"([^"]+)"', leaning.candidate_notes[0])  # words of its own, that wrong answers say
    assert named
    assert all(word in HALF_MISTAKEN and any(word.lower()[:4] in wrong.lower() for wrong in WRONG) for word in named)


def test_a_right_answer_in_other_words_keeps_its_points() -> None:
    assert score_text(KNOWING, SOUND) == score_text(RUBRIC, SOUND)
    assert score_text(KNOWING, SOUND).earned == RUBRIC.possible_points


@pytest.mark.parametrize("text", ["Log first, page later.", "crash: replay the log", RUBRIC.model_answer, *RIGHT])
def test_a_short_answer_and_the_examples_themselves_keep_theirs(text: str) -> None:
    assert score_text(KNOWING, text).marks == score_text(RUBRIC, text).marks


def test_nothing_is_made_of_nothing() -> None:
    off = "The old pages are thrown away and queries are faster at night."
    assert score_text(RUBRIC, off).earned == score_text(KNOWING, off).earned == 0
    assert score_text(KNOWING, off).candidate_notes == ()


def test_check_tries_phrases_without_the_examples() -> None:
    # An answer would be found beside itself: check must see what the phrases alone pay for it.
    for wrong in (a for a in ANSWERS if a.expected_share == 0):
        assert unexpected_score_text(KNOWING, wrong) == unexpected_score_text(replace(RUBRIC), wrong)
    assert any(unexpected_score_text(KNOWING, wrong) for wrong in ANSWERS if wrong.expected_share == 0)


def test_which_answers_are_examples() -> None:
    others = (answer("half", Fraction(1, 2)), answer("in part", None, "crash"), answer("a tenth", Fraction(1, 10)))
    mixed = (*ANSWERS, *others)
    taught = rubric_comparing_with_examples(RUBRIC, mixed)
    assert taught.right_example_answers == (*RIGHT, "in part")  # what it says earns something
    assert taught.wrong_example_answers == (*WRONG, "a tenth")  # what it says earns a quarter at most


def test_a_rubric_without_wrong_answers_is_as_it_was() -> None:
    assert score_text(rubric_comparing_with_examples(RUBRIC, ANSWERS[:2]), MISTAKEN) == score_text(RUBRIC, MISTAKEN)


def numbers(words: Iterable[str]) -> list[int]:
    return [stable_word_hash(word) for word in words]


def test_lean_is_a_difference_of_shares() -> None:
    right, wrong = numbers(f"r{i}" for i in range(30)), numbers(f"w{i}" for i in range(40))
    examples = ExampleAnswerWords([numbers("s")], [right], [wrong])
    # n words have n - 1 + n - 2 + n - 3 pairs within three: 30 + 84 and 40 + 114, both more than LEAST.
    assert min(30 + 84, 40 + 114) > MIN_WORD_SHARE_DENOMINATOR
    assert examples.likeness_to_wrong_answers([]) == 0
    assert examples.likeness_to_wrong_answers(right) == 0  # no more than the limit: the right answers do not count
    assert examples.likeness_to_wrong_answers(wrong) == 1
    assert examples.likeness_to_wrong_answers(wrong[:2]) == pytest.approx(3 / 154)  # two words and their pair
    assert examples.likeness_to_wrong_answers(wrong[1::-1]) == pytest.approx(3 / 154)  # in either order
    assert examples.likeness_to_wrong_answers([wrong[0], *numbers("abc"), wrong[1]]) == pytest.approx(2 / 154)
    assert examples.likeness_to_wrong_answers([*right[:3], *wrong]) == pytest.approx(1 - 6 / 114)

    # What both or the stem say leans nowhere.
    examples = ExampleAnswerWords([numbers("stem")], [right], [[*right, *numbers("stem")]])
    assert [examples.likeness_to_wrong_answers(said) for said in (right, numbers("stem"))] == [0, 0]
    # One wrong answer of four words: its share is taken of LEAST words and pairs, so a shared pair is little.
    examples = ExampleAnswerWords([], [numbers("a")], [numbers("wxyz")])
    assert examples.likeness_to_wrong_answers(numbers("wx")) == pytest.approx(3 / MIN_WORD_SHARE_DENOMINATOR)
