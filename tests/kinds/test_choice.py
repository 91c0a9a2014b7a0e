"""Choice items: letters and texts read as the options they mean, the three policies, and what the paper does not know."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from shipped import BankOf, drawn

from quizgen.answer_areas import option_letter, selected_option_texts
from quizgen.bank.reader import LoadedBank
from quizgen.draw import SeededRng
from quizgen.kinds.choice import ChoiceItem
from quizgen.model import Outcome, Response

SINGLE = """
items:
  - id: q
    kind: choice
    stem: Two plus two?
    key: Four
    distractors:
      - Three
      - {text: Five, because: That is two plus three.}
      - "22"
"""
SEVERAL = """
items:
  - id: q
    kind: choice
    stem: Which are even?
    key: [Two, Four]
    distractors: [{text: Three, because: Three is odd.}, Seven, Nine]
    policy: POLICY
    points: 2
"""


def only(loaded: LoadedBank) -> ChoiceItem:
    assert not loaded.errors
    (item,) = loaded.required_bank.items.values()
    return item


def options(item: ChoiceItem, seed: str) -> tuple[str, ...]:
    return tuple(option.text for option in item.draw(SeededRng("q", seed)).prompt()[-1].options)


@pytest.mark.parametrize(
    ("given", "outcome"),
    [
        ("Four", Outcome.CORRECT),
        ("  four ", Outcome.CORRECT),
        (("Four",), Outcome.CORRECT),
        ("Five", Outcome.INCORRECT),
        ("", Outcome.BLANK),
        ((), Outcome.BLANK),
        ("Forty", Outcome.UNREADABLE),
        (("Four", "Five"), Outcome.UNREADABLE),
    ],
)
def test_one_key(bank_of: BankOf, given: Response, outcome: Outcome) -> None:
    """The option's text counts without regard to case and spaces."""
    score = drawn(bank_of(SINGLE), "q").score(given)
    assert (score.outcome, score.earned) == (outcome, int(outcome is Outcome.CORRECT))


def test_a_list_of_one_key_asks_for_all_that_apply(bank_of: BankOf) -> None:
    """So that the number of keys is no hint: two options are a wrong answer, where one key alone makes them unreadable."""
    variant = drawn(bank_of(SINGLE.replace("Four", "[Four]", 1)), "q")
    assert variant.prompt()[-1].allows_several
    assert [variant.score(t).outcome for t in ("Four", ("Four", "Five"))] == [Outcome.CORRECT, Outcome.INCORRECT]


def test_letters_follow_the_order_shown(bank_of: BankOf) -> None:
    """`B` is the second option of this seed's order; two letters name two options."""
    one, several = only(bank_of(SINGLE)), only(bank_of(SEVERAL.replace("POLICY", "all")))
    for seed in "abcdef":
        for item in (one, several):
            shown = options(item, seed)
            letters = ", ".join("ABCDE"[shown.index(key)] for key in item.key_texts)
            assert item.draw(SeededRng("q", seed)).score(letters).outcome is Outcome.CORRECT


def test_a_mark_and_a_refusal_say_why(bank_of: BankOf) -> None:
    """One key is right or not; a letter of an unknown order asks for the text, which counts, one that is not there for
    another; the distractor that was taken says why it is wrong."""
    item = only(bank_of(SINGLE))
    variant = item.draw(SeededRng("q", "s"))
    assert [variant.score(t).marks[0].because for t in ("Four", "Five")] == ["that is the key", "that is not the key"]
    unknown = "a letter cannot be read, because the order of the options is not known: give the option's text"
    assert item.rebuild_variant({}, None).score("A").remarks == (unknown,)
    assert item.rebuild_variant({}, None).score("Four").outcome is Outcome.CORRECT
    assert variant.score("Five").remarks == ("That is two plus three.",)
    missing = "no option reads like that: give a letter A to D, or the option's text"
    assert [variant.score("E").remarks, item.rebuild_variant({}, None).score("Forty").remarks] == [(missing,)] * 2


@pytest.mark.parametrize(
    ("policy", "chosen", "earned"),
    [
        ("all", ("Two",), 0),
        ("all", ("Two", "Four", "Three"), 0),
        ("net", ("Two",), 1),
        ("net", ("Two", "Three"), 0),
        ("net", ("Two", "Four", "Three"), 1),
        ("each", ("Two", "Four"), 2),
        ("each", ("Two",), Fraction(8, 5)),
    ],
)
def test_each_policy_gives_its_points(bank_of: BankOf, policy: str, chosen: tuple[str, ...], earned: Fraction) -> None:
    """By hand, out of 2 points, five options, keys Two and Four: all or nothing; right minus wrong, floor 0; share of
    options judged rightly."""
    score = drawn(bank_of(SEVERAL.replace("POLICY", policy)), "q").score(chosen)
    assert (score.earned, score.possible) == (earned, 2)


def test_order_does_not_know_the_key(bank_of: BankOf) -> None:
    """Swapping which option is the key leaves the paper as it was."""
    item = only(bank_of(SINGLE))
    options = tuple(replace(one, is_right=one.text == "Five") for one in item.authored_options)
    swapped = replace(item, authored_options=options)
    assert swapped.key_texts != item.key_texts
    for rng in (SeededRng("q", str(n)) for n in range(50)):
        assert item.draw(rng).prompt() == swapped.draw(rng).prompt()


def test_ascending_order(bank_of: BankOf) -> None:
    """Numbers by value, words by letter."""
    numbers = only(bank_of(SINGLE.replace("Four", "4").replace("Three", "10").replace("text: Five", "text: 7 GB")))
    assert options(replace(numbers, has_ascending_options=True), "s") == ("4", "7 GB", "10", "22")
    assert options(replace(only(bank_of(SINGLE)), has_ascending_options=True), "s") == ("22", "Five", "Four", "Three")


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("All of the above", True),
        ("None of these.", True),
        ("Both of the above", True),
        ("All of the gradients", False),
        ("None", False),
    ],
)
def test_what_speaks_of_the_other_options_stays_last(bank_of: BankOf, text: str, last: bool) -> None:
    """Whatever the seed, and whether it is the key or not; another option moves."""
    pinned = only(bank_of(SINGLE.replace("Three", text)))
    for item in (pinned, only(bank_of(SINGLE.replace("Four", text)))):
        places = {options(item, str(seed)).index(text) for seed in range(20)}
        assert places == {3} if last else len(places) > 1


def test_an_author_keeps_options_last(bank_of: BankOf) -> None:
    """`last: true`, of a key too; several in one order that no seed and no key changes."""
    text = SINGLE.replace("key: Four", "key: {text: Four, last: true}")
    item = only(bank_of(text.replace("- Three", "- {text: Three, last: true}")))
    assert {options(item, str(seed))[2:] for seed in range(20)} == {("Four", "Three")}
    assert item.draw(SeededRng("q", "s")).score("Four").outcome is Outcome.CORRECT
    # by letter, then the last
    assert options(replace(item, has_ascending_options=True), "s") == ("22", "Five", "Four", "Three")


def test_options_may_differ_in_case_or_spaces_alone(bank_of: BankOf) -> None:
    """`true` and `TRUE` are two options: each is named exactly, and no other writing names one of them."""
    text = SINGLE.replace("Four", '"`x`"').replace("Three", '"`X`"').replace("{text: Five", '{text: "`  x`"')
    variant = drawn(bank_of(text), "q")
    assert variant.score("`x`").outcome is Outcome.CORRECT
    assert variant.score("`X`").outcome is Outcome.INCORRECT
    doubtful = drawn(bank_of(SINGLE.replace("Four", "true").replace("Three", "TRUE")), "q")
    assert doubtful.score("True").outcome is Outcome.UNREADABLE
    same = bank_of(SINGLE.replace("Three", "Four"))
    assert [problem.message for problem in same.errors] == ['"Four" appears twice']


GRAPH = {"Four": "E and F", "Three": "C and D", "text: Five": "text: B and E", '"22"': "A and F"}


@pytest.mark.parametrize(
    ("changes", "named"),
    [*(({"Three": text}, 1) for text in ("Both A and C", "B & D only", "All except D")), ({"Three": "A"}, 0), (GRAPH, 0)],
)  # fmt: skip
def test_an_option_that_names_letters_is_told(bank_of: BankOf, changes: dict[str, str], named: int) -> None:
    """The seed gives the letters to other options; letters in every option are those of a graph in the stem."""
    text = SINGLE
    for old, new in changes.items():
        text = text.replace(old, new)
    assert sum("refers to others by letter" in p.message for p in only(bank_of(text)).find_problems()) == named


FOUR = ("The parameters", "The gradients", "B", "a, b")

# (response, what it means by text, why)
READ: list[tuple[str, tuple[str, ...] | None, str]] = [
    ("", (), "nothing was given"),
    ("the  GRADIENTS ", ("The gradients",), "case and blanks do not matter"),
    ("B", ("B",), "an option's text wins over a letter"),
    ("A", ("The parameters",), "a letter"),
    ("(d)", ("a, b",), "in parentheses"),
    ("A, C", ("The parameters", "B"), "two letters"),
    ("a; b & c", ("The parameters", "The gradients", "B"), "by a semicolon and an ampersand"),
    ("A and C", ("The parameters", "B"), "by a word"),
    ("ac", ("The parameters", "B"), "joined"),
    ("Answer D.", ("a, b",), "behind what it is"),
    ("options a and c", ("The parameters", "B"), "two behind what they are"),
    ("the parameters, the gradients", ("The parameters", "The gradients"), "two texts"),
    ("E", None, "there is no fifth option"),
    ("abcde", None, "more letters than options are a word"),
    ("abcda", None, "nobody picks an option twice in one word"),
    ("d, as it is cut twice", ("a, b",), "with its reason"),
    ("A because ranks hold it all", ("The parameters",), "with its reason and no mark"),
    ("A, or C I think", None, "a second letter behind the first is no reason"),
    ("A recompute of all", None, "a word that is a letter too"),
    ("the parametres", None, "a misspelt option is not guessed"),
]


@pytest.mark.parametrize(("response", "means", "why"), READ, ids=[r[2] for r in READ])
def test_a_choice_response_means(response: str, means: tuple[str, ...] | None, why: str) -> None:
    """The table above, where the candidate saw the letters."""
    assert selected_option_texts(response, FOUR) == means, why


def test_letters_go_on_behind_z() -> None:
    """A … Z, AA … AZ, BA: never two options with one letter."""
    letters = [option_letter(n) for n in range(60)]
    assert letters[:2] + letters[25:28] + letters[51:53] == ["A", "B", "Z", "AA", "AB", "AZ", "BA"]
    assert len(set(letters)) == 60
