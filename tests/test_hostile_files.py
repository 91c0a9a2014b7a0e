"""Whole files that are odd or hostile: read as they look, or refused at a place, through the command itself."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest
from test_hostile_banks import GOOD

from quizgen import cli


def key(text: str) -> str:
    return GOOD.replace("Four", text)


LAUGHS = "a: &a [x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip(string.ascii_lowercase, string.ascii_lowercase[1:12], strict=False)
)

FINE: dict[str, str | bytes] = {
    "as it is": GOOD,
    "a byte-order mark": "\ufeff" + GOOD,
    "windows line ends": GOOD.replace("\n", "\r\n"),
    "old line ends": GOOD.replace("\n", "\r"),
    "a document start and end": f"---\n{GOOD}...\n",
    "a YAML line": f"%YAML 1.1\n---\n{GOOD}",
    "a tab after a colon": GOOD.replace("key: Four", "key:\tFour"),
    "a word that is null elsewhere": key("~"),
    "an octal number": key("0o17"),
    "a date": key("2026-11-21"),
    "a comment in the value": key("Four # of them"),
    "a long line": key("F" * 60_000),
}
REFUSED: dict[str, str | bytes] = {
    "nothing": "",
    "blanks": " \n\n  \n",
    "a comment": "# nothing\n",
    "dashes": "---\n",
    "dots": "...\n",
    "empty documents": "---\n...\n---\n...\n",
    "a tag line": f"%TAG ! tag:x,2000:\n---\n{GOOD}",
    "a billion laughs": LAUGHS,
    "deep mappings": "items: " + "{a: " * 50_000,
    "deep blocks": "\n".join(" " * n + "a:" for n in range(2000)),
    "deep dashes": "- " * 50_000,
    "deep questions": "? " * 30_000,
    "one level too deep": "items: " + "[" * 15 + "]" * 15,
    "a mapping as key": "? {a: b}\n: c\n",
    "no key": ": x\n",
    "an empty key": GOOD.replace("source:", '"":'),
    "a long key": GOOD.replace("source:", "k" * 2000 + ":"),
    "an endless key": GOOD.replace("source:", "? " + "k" * 200_000 + "\n   "),
    "a key twice in another form": GOOD.replace("    key: Four", '    key: Four\n    "key": Five'),
    "items twice": GOOD + "items: []\n",
    "a tab in the indent": GOOD.replace("    key", "  \t key"),
    "no space after a colon": GOOD.replace("key: Four", "key:Four"),
    "less indent": GOOD.replace("    key", "   key"),
    "more indent": GOOD.replace("    key", "      key"),
    "an open list": key("[Four"),
    "an open mapping": key("{Four"),
    "brackets that do not match": key("[Four}"),
    "a bad block": GOOD.replace("key: Four", "key: |9x\n      Four"),
    "a reserved sign": key("@Four"),
    "a backquote": key("`Four`"),
    "a NUL": key("Fo\0ur"),
    "an escaped NUL": key(r'"Fo\0ur"'),
    "a number beyond Unicode": key(r'"\UFFFFFFFF"'),
    "a bell": key("Fo\x07ur"),
    "a mark inside": key("Fo\ufeffur"),
    "megabytes in a scalar": key("F" * 3_000_000),
    "UTF-16": GOOD.encode("utf-16"),
    "UTF-16 unmarked": GOOD.encode("utf-16-be"),
    "UTF-32": GOOD.encode("utf-32"),
    "Latin-1": key("F\u00f6ur").encode("latin-1"),
    "a cut character": GOOD.encode() + b"\xe2\x82",
    "an overlong character": GOOD.encode() + b"\xc0\xaf",
    "a surrogate in UTF-8": GOOD.encode() + b"\xed\xa0\x80",
    "every byte": bytes(range(256)) * 50,
    "a PNG": b"\x89PNG\r\n\x1a\n" + bytes(50),
    "a list at the top": "- a\n- b\n",
    "a text at the top": "hello\n",
    "markup": "<html></html>\n",
    "cut JSON": '{"items": [{"id": "q1",}',
    "items as text": "items: x\n",
    "items as mapping": "items:\n" + "".join(f"  k{n}: v\n" for n in range(5000)),
    "items that are none": "items:\n" + "  - x\n" * 5000,
    "empty items": "items:\n" + "  -\n" * 5000,
    "an empty mapping as item": "items: [{}]\n",
    "no keys": key("[]"),
}  # fmt: skip


def checked(path: Path, content: str | bytes, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    return cli.run(["check", str(path)]), "".join(capsys.readouterr())


@pytest.mark.parametrize("what", FINE)
def test_read_as_it_looks(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, told = checked(tmp_path / "bank.d.yaml", FINE[what], capsys)
    assert (code, "1 item" in told) == (0, True), told


@pytest.mark.parametrize("what", REFUSED)
def test_refused_at_a_place(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With a line, a column and a remedy; never by more lines than a person reads. More in test_hostile_banks.py."""
    code, told = checked(tmp_path / "bank.d.yaml", REFUSED[what], capsys)
    assert code in (1, 3)
    lines = [line for line in told.splitlines() if re.search(r"bank\.d\.yaml:[1-9]\d*:[1-9]\d*: .+; .+", line)]
    assert lines, told
    assert len(lines) <= 201
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", told)
