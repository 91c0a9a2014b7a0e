"""Every text of three words or more that the program can show: `python tests/messages.py [WORD …]` lists those with a word.

A line is `file:line: text`; `{}` stands where a value goes. Docstrings are left out.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Line number and text of each string in a Python file that is no docstring and has three words."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if id(node) in alone | inside:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        elif isinstance(node, ast.JoinedStr):
            text = "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        else:
            continue
        if len(text.split()) >= 3:
            yield node.lineno, " ".join(text.split())


def main(words: list[str]) -> None:
    for path in sorted((ROOT / "quizgen").rglob("*.py")):
        for line, text in texts(path):
            if not words or any(word.lower() in text.lower() for word in words):
                print(f"{path.relative_to(ROOT)}:{line}: {text}".encode("utf-8", "backslashreplace").decode())


if __name__ == "__main__":
    main(sys.argv[1:])
