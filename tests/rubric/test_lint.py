"""Ten broken rubrics, one message each, with the answer that gives them away; and sound ones without any."""

from __future__ import annotations

import pytest

from quizgen.rubric.lint import lint_rubric
from quizgen.rubric.score import score_text

from .rubrics import rubric_of

STEM = "stem: Why is tensor parallelism kept inside one server?\n"
MODEL = (
    "model_answer: Each block ends in an all-reduce, so data crosses the links in every layer, and NVLink has several"
    " times the bandwidth of the network between servers.\n"
)


def item(criteria: str, stem: str = STEM, model: str = MODEL, rest: str = "") -> str:
    return f"{stem}rubric:\n  subjects: {{nvlink: nvlink}}\n  criteria:\n{criteria}{rest}{model}"


SOUND = """\
    - id: every-layer
      points: 2
      accept: ["all-reduce|communicat* {every layer|each layer|per layer}"]
    - id: bandwidth
      accept: ["nvlink faster|bandwidth"]
"""

BROKEN = {
    # kind: (criteria, stem, model answer, what the message must hold)
    "model-answer": (
        SOUND.replace("nvlink faster|bandwidth", "nvlink cheaper"),
        STEM,
        MODEL,
        ["earns 2 of 3", '"NVLink" found, but not cheaper; cheaper is not in "Each block ends in'],
    ),
    "stem": (
        SOUND + '    - {id: inside, accept: ["parallelism {one server}"]}\n',
        STEM,
        MODEL.replace("servers.", "servers, and parallelism stays in one server."),
        ['the stem itself meets criterion "inside"', "Why is tensor parallelism kept inside one server?"],
    ),
    "own-sentence": (
        SOUND.replace(
            "    - id: bandwidth\n", "    - id: bandwidth\n      say: A server's own links outpace Ethernet.\n"
        ),
        STEM,
        MODEL,
        ["its own `say` does not meet the criterion: bandwidth is missing"],
    ),
    "own-subject": (
        SOUND.replace("    - id: bandwidth\n", "    - id: bandwidth\n      of: nvlink\n").replace(
            '["nvlink faster', '["nvlink", "nvlink faster'
        ),
        STEM,
        MODEL,
        ['"nvlink" is a name of the subject that criterion "bandwidth" is about', "any mention of it meets"],
    ),
    "common-word": (
        SOUND + "    - {id: cost, accept: [time]}\n",
        STEM,
        MODEL.replace("servers.", "servers, which costs time."),
        ['"time" alone meets criterion "cost"', "It has something to do with time."],
    ),
    "bare-words": (
        SOUND.replace('["nvlink faster|bandwidth"]', '["faster|bandwidth"]\n      points: 2'),
        STEM,
        MODEL,
        [
            'only single words meet criterion "bandwidth" of 2 points',
            '("faster") earns half',
            "no answer can earn it all",
        ],
    ),
    "self-rejecting": (
        SOUND + '    - {id: link, accept: ["several times"], reject: ["times several"]}\n',
        STEM,
        MODEL,
        ["is rejected by the same criterion", '"several times"'],
    ),
    "same-span": (
        SOUND + '    - {id: again, accept: ["nvlink bandwidth"]}\n',
        STEM,
        MODEL,
        ['earns the points of "bandwidth" and of "again"', "NVLink … bandwidth"],
    ),
}


@pytest.mark.parametrize("kind", list(BROKEN))
def test_one_message_for_a_broken_rubric(kind: str) -> None:
    criteria, stem, model, parts = BROKEN[kind]
    findings = lint_rubric(rubric_of(item(criteria, stem, model)))
    assert len(findings) == 1, findings
    for part in parts:
        assert part in findings[0].message, findings[0].message
    assert findings[0].hint


def test_a_sound_rubric_has_no_finding() -> None:
    assert lint_rubric(rubric_of(item(SOUND))) == ()
    assert lint_rubric(rubric_of(item(SOUND, model=""))) == ()


def test_a_criterion_that_its_own_sentence_meets_only_as_guessed_or_bare_is_left_alone() -> None:
    """What is asked is told in short: "perhaps", a bare name. Only words that no phrase knows tell of a narrow one."""
    said = "      say: Perhaps a higher bandwidth of NVLink.\n"
    assert lint_rubric(rubric_of(item(SOUND.replace("    - id: bandwidth\n", "    - id: bandwidth\n" + said)))) == ()


def test_the_place_of_a_finding() -> None:
    criteria, stem, model, _ = BROKEN["common-word"]
    (finding,) = lint_rubric(rubric_of(item(criteria, stem, model)))
    assert finding.place == ("criteria", 2, "accept", 0)


@pytest.mark.timeout(30)
@pytest.mark.parametrize("letters", ["abcdefghijkl", "abcdefghijklmnopqrstuvwx"])
def test_synonyms_spell_an_alternative_in_so_many_ways_and_no_more(letters: str) -> None:
    """Twelve words in braces of which each has a hundred synonyms: two such braces kept the compiler busy for minutes."""
    others = "".join(f"  {a}: [{', '.join(f'{a}q{n}' for n in range(100))}]\n" for a in letters)
    braces = f"{{{' '.join(letters[:12])}}} {{{' '.join(letters[-12:])}}}"
    rubric = rubric_of(f"synonyms:\n{others}rubric:\n  criteria:\n    - id: one\n      accept: [word, '{braces}']\n")
    assert score_text(rubric, "word").earned == 1
