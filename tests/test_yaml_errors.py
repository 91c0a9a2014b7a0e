"""What libyaml complains about is told in an author's words, at the place to look at, with what to do."""

from __future__ import annotations

import pytest

from quizgen.source import yaml
from quizgen.source.problems import Document

# (text, line, column, words of the message)
BROKEN = [
    ("a: *\n", 1, 5, "a lone & or *"),
    ("a: & b\n", 1, 5, "a lone & or *"),
    ("a: |0\n  b\n", 1, 5, "a 0 behind | or >"),
    ("a: |x\n  b\n", 1, 5, "text behind | or >"),
    ("a: [b,, c]\n", 1, 7, "a value is missing here"),
    ("a: }\n", 1, 4, "a value is missing here"),
    ('a: "x"y\n', 1, 7, "text behind the end of this value"),
    ("a:\n  - 'it's'\n", 2, 9, "text behind the end of this value"),
    ("a: b\n c: d\n- e\n", 2, 3, "a second `: ` here"),
    ("a: b\n- e\n", 2, 1, "wrong indentation"),
    ("a:\n  - b\n c: d\n", 3, 2, "wrong indentation"),
    ("a: !<x\n", 1, 7, "a tag"),
    ("a: !%zz z\n", 1, 5, "a tag"),
    ("a: !x!y z\n", 1, 4, "a tag"),
    ("%YAML 2.0\n---\na: b\n", 1, 1, "begins with %"),
    ("%FOO x\n---\na: b\n", 1, 5, "begins with %"),
    ("%YAML x\n", 1, 7, "begins with %"),
    ("%YAML 1.1\n%YAML 1.1\n---\na: b\n", 2, 1, "begins with %"),
    ("%TAG x\n", 1, 6, "begins with %"),
    ("a: b\n...\nc: d\n", 3, 1, "text behind the document's end"),
    ('a: "b\n--- c"\n', 2, 1, "inside quotes"),
    ("a: 'b\n", 1, 4, "quote not closed"),
    ("a: {b\n", 1, 4, "mapping { not closed"),
    ("a: [b\n- c\n", 1, 4, "list [ not closed"),
    ("a: - b\n", 1, 4, "a list cannot start here"),
    ('a: "\\xzz"\n', 1, 7, "an escape with a wrong number of digits"),
    ('a: "\\z"\n', 1, 5, "unknown escape"),
    ("a: b: c\n", 1, 5, "a second `: ` here"),
    ("a: @b\n", 1, 4, "this character cannot start a value"),
    ("a:\n\t- b\n", 2, 1, "a tab cannot indent"),
    ("x: y\na： b\nc: d\n", 2, 2, "U+FF1A is another character"),
]


@pytest.mark.parametrize(("text", "line", "column", "words"), BROKEN, ids=[b[0] for b in BROKEN])
def test_broken_yaml_is_told_in_an_authors_words(text: str, line: int, column: int, words: str) -> None:
    """Place, cause and remedy; never libyaml's own words, which speak of tokens."""
    doc = Document("x.yaml")
    assert yaml.parse_yaml(text, doc) is None
    (problem,) = doc.problems
    assert (problem.where.line, problem.where.column) == (line, column), str(problem)
    assert words in problem.message
    assert problem.hint
    assert "documentation" not in problem.hint
