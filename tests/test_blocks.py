"""Letters and texts of a choice response, read as the options they mean."""

from __future__ import annotations

import pytest

from quizgen.answer_areas import Option, Options, read_choice

FOUR = ("The parameters", "The gradients", "B", "a, b")

# (response, what it means by text, why)
READ: list[tuple[str, tuple[str, ...] | None, str]] = [
    ("", (), "nothing was given"),
    ("  ", (), "nor here"),
    ("the  GRADIENTS ", ("The gradients",), "case and blanks do not matter"),
    ("B", ("B",), "an option's text wins over a letter"),
    ("a, b", ("a, b",), "also where it looks like two letters"),
    ("A", ("The parameters",), "a letter"),
    ("(d)", ("a, b",), "in parentheses"),
    ("a.", ("The parameters",), "with a stop"),
    ("A, C", ("The parameters", "B"), "two letters"),
    ("A C", ("The parameters", "B"), "by a blank"),
    ("a; c", ("The parameters", "B"), "by a semicolon"),
    ("a & c", ("The parameters", "B"), "by an ampersand"),
    ("A and C", ("The parameters", "B"), "by a word"),
    ("ac", ("The parameters", "B"), "joined"),
    ("A, A", ("The parameters",), "twice is once"),
    ("the parameters, the gradients", ("The parameters", "The gradients"), "two texts"),
    ("E", None, "there is no fifth option"),
    ("A, E", None, "nor beside another"),
    ("abcde", None, "more letters than options are a word"),
    ("and", None, "joins nothing"),
    ("d, as it is cut twice", ("a, b",), "with its reason"),
    ("A because ranks hold it all", ("The parameters",), "with its reason and no mark"),
    ("(a) - it is sharded", ("The parameters",), "in parentheses, with its reason"),
    ("D: cut twice\nand again", ("a, b",), "a reason of two lines"),
    ("A, or C I think", None, "a second letter behind the first is no reason"),
    ("A: what the gradients weigh", None, "nor is the text of another option"),
    ("D, no", None, "one word is no reason"),
    ("A recompute of all", None, "a word that is a letter too"),
    ("the parametres", None, "a misspelt option is not guessed"),
]


@pytest.mark.parametrize(("response", "means", "why"), READ, ids=[r[2] for r in READ])
def test_a_choice_response_means(response: str, means: tuple[str, ...] | None, why: str) -> None:
    """The table above, where the candidate saw the letters."""
    assert read_choice(response, FOUR) == means, why


def test_letters_mean_nothing_where_their_order_is_not_known() -> None:
    """Without a seed only texts count."""
    assert read_choice("A", FOUR, letters=False) is None
    assert read_choice("b", FOUR, letters=False) == ("B",)
    assert read_choice("the parameters; the gradients", FOUR, letters=False) == ("The parameters", "The gradients")


def test_five_letters_of_four_options_are_no_choice_of_all() -> None:
    """`abcda` names each option, but nobody picks one twice in one word: it is read as a word."""
    assert read_choice("abcda", FOUR) is None


def test_letters_go_on_behind_z() -> None:
    """A … Z, AA … AZ, BA: never two options with one letter."""
    shown = Options(tuple(Option(str(n), ()) for n in range(60)))
    letters = [shown.letter(n) for n in range(60)]
    assert letters[:2] + letters[25:28] + letters[51:53] == ["A", "B", "Z", "AA", "AB", "AZ", "BA"]
    assert len(set(letters)) == 60
