"""Rounding as people do it: twelve keys worked by hand, wherever a number is marked or its key is shown."""

from __future__ import annotations

import json
import re
from itertools import zip_longest
from pathlib import Path

import pytest
import shipped
from rounded import KEYS, ROWS, Rounded, bank
from shipped import BankOf, Command, drawn

from quizgen.markdown import pieces_as_plain_text
from quizgen.model import Outcome
from quizgen.page import Paragraph

SHARES = {1: Outcome.CORRECT, 0.5: Outcome.PARTIAL, 0: Outcome.INCORRECT}


@pytest.fixture
def folder(bank_of: BankOf) -> Path:
    return Path(bank_of(bank()).required_bank.folder)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.item}: {row.response}")
def test_a_rounded_number_earns_what_was_worked_by_hand(bank_of: BankOf, row: Rounded) -> None:
    score = drawn(bank_of(bank(row.item)), row.item).score(row.response)
    assert (score.outcome, score.earned, score.mistake_id or "") == (SHARES[row.earned], row.earned, row.diagnosis), row
    if (row.item, row.diagnosis) == ("three", "rounded-too-far"):
        assert score.remarks == ("Rounded too far: give 3 significant digits.",)


# -- wherever a number is marked ----------------------------------------------------------------


def rounds() -> list[dict[str, Rounded]]:
    """The rows as candidates: the first response to each item, then the second …"""
    by_item = [[row for row in ROWS if row.item == key.id] for key in KEYS]
    return [{row.item: row for row in some if row} for some in zip_longest(*by_item)]


def expected() -> dict[tuple[str, str], tuple[float, str | None]]:
    return {(f"c{n}", i): (r.earned, r.diagnosis or None) for n, some in enumerate(rounds()) for i, r in some.items()}


def marks(lines: str) -> dict[tuple[str, str], tuple[float, str | None]]:
    scored = [json.loads(line) for line in lines.splitlines()]
    return {(s["candidate"], s["item"]): (s["earned"], s["diagnosis"]) for s in scored if s["outcome"] != "blank"}


def test_in_a_log(folder: Path, tmp_path: Path, command: Command) -> None:
    log = tmp_path / "log.jsonl"
    rows = [(f"c{n}", row) for n, some in enumerate(rounds()) for row in some.values()]
    given = [{"candidate": c, "item": row.item, "given": {"n": "1"}, "response": row.response} for c, row in rows]
    log.write_text("".join(json.dumps(line) + "\n" for line in given))
    assert marks(command("score", log, "--bank", folder, "--format", "jsonl").out) == expected()


SESSION = {"v": 1, "type": "session", "session": "s", "candidate": "ann", "seed": "1", "items": ["tie"], "started": ""}
RESPONSE = {"v": 1, "type": "response", "session": "s", "candidate": "ann", "item": "tie", "response": "1.2 h"}


@pytest.mark.parametrize(("session", "notes"), [({}, 1), ({"rules": 2}, 0), (None, 0)])
def test_score_says_once_that_a_log_is_older_than_its_rules(
    folder: Path, tmp_path: Path, command: Command, session: dict[str, int] | None, notes: int
) -> None:
    """A log of another system says nothing of rules, and none is told of."""
    lines = [SESSION | session] * 2 if session is not None else []
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(line) + "\n" for line in [*lines, RESPONSE | {"given": {"n": "1"}}]))
    assert command("score", log, "--bank", folder).err.count("rounded numbers count") == notes
    assert "numbers count" not in command("score", log, "--bank", folder, "--quiet").err


def test_on_a_form_and_in_its_key(folder: Path, tmp_path: Path, command: Command) -> None:
    """A form asks for the digits that the author wrote, and for nothing that the tolerance decides; its answers are marked
    as in a log, and its key says what is right and half right besides."""
    command("exam", folder, "-o", tmp_path / "exam", "--forms", "1", "--seed", "s")
    manifest = json.loads((tmp_path / "exam" / "manifest.json").read_text())
    form = manifest["forms"][0]
    for n, some in enumerate(rounds()):
        given = [{"item": i["ref"], "response": some[i["item"]].response} for i in form["items"] if i["item"] in some]
        answers = {"v": 1, "type": "answers", "form": form["code"], "candidate": f"c{n}", "responses": given}
        (tmp_path / f"answers-A-c{n}.json").write_text(json.dumps(answers))
    where = ["--manifest", tmp_path / "exam" / "manifest.json", "--format", "jsonl"]
    assert marks(command("score", *tmp_path.glob("answers-*.json"), *where, code=1).out) == expected()
    page = (tmp_path / "exam" / "form-A.html").read_text()
    assert page.count("2 digits or more, in ") == sum("digits: 2" in one.answer for one in KEYS)
    assert page.count("3 digits or more, in GB") == 1
    assert "a calculation such as 14/8 + 2*14/32 GB will do" in page
    key = re.sub("<[^>]*>", "", (tmp_path / "exam" / "key-A.html").read_text())
    for line in (
        "Also right, as rounded to 2 significant digits: 16%.",
        "Also right, as rounded to 2 significant digits: 1.1 h and 1.2 h.",
        "Also right, as rounded to 3 significant digits: 31.7 GB.",
        "Half right, as rounded too far: 97%.",
        "Accept: 9.8 GB to 10.8 GB (within 0.5 GB), in any unit that fits.",
    ):
        assert line in key
    assert "Also right, as rounded to 2 significant digits: 16 GB" not in key  # the mistake rounds alike
    assert "= 100%" not in key


def test_a_number_that_a_key_lists_as_half_right_earns_half() -> None:
    """980 to one digit is typed as 1,000, to which the mistake 1,120 rounds as well."""
    listed = 0
    for item in (one for one in shipped.bank().items.values() if one.kind == "numeric"):
        variant = item.nth_seed_variant(0)
        for block in (one for one in variant.marker_only_blocks() if isinstance(one, Paragraph)):
            text = pieces_as_plain_text(block.inline_pieces)
            if text.startswith("Half right, as rounded too far: "):
                for typed in text.partition(": ")[2].rstrip(".").split(" and "):
                    listed += 1
                    assert variant.score(typed).earned == item.points / 2, (item.id, typed)
    assert listed > 10
