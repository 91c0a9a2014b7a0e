"""What a practice page holds, and what it does not; and what it saved becomes a log of one's own: `quizgen progress --add`."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from shipped import Command

from quizgen.cli import run


def data_of(page: Path) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(encoding="utf-8"))
    made: dict[str, Any] = json.loads(found[1])
    return made


def items_of(page: Path) -> set[str]:
    return {card["item"] for card in data_of(page)["cards"]}


def test_each_drawing_has_its_values_and_its_key(practice_page: Path) -> None:
    """7, 13, 31 and 70 billion parameters at two bytes: 14, 26, 62 and 140 GB."""
    card = next(card for card in data_of(practice_page)["cards"] if card["item"] == "bytes")
    gigabytes = {"7e9 param": 14, "13e9 param": 26, "31e9 param": 62, "70e9 param": 140}
    assert len(card["drawings"]) == 3
    assert len({drawing["given"]["N"] for drawing in card["drawings"]}) == 3
    for drawing in card["drawings"]:
        assert int(drawing["key"]["value"]) == gigabytes[drawing["given"]["N"]] * 8 * 10**9  # bits, the base unit
        assert drawing["key"]["named"][0][0] == str(2 * int(drawing["key"]["value"]))


def test_options_keep_their_keys_in_every_order(practice_page: Path) -> None:
    card = next(card for card in data_of(practice_page)["cards"] if card["item"] == "which-two")
    for drawing in card["drawings"]:
        assert {drawing["options"][place] for place in drawing["keys"]} == {"Optimizer states", "Gradients"}
        assert drawing["several"]
    hints = [card["hints"] for card in data_of(practice_page)["cards"] if card["hints"]]
    assert hints == [["It is the largest part, in O(n²)."]]


def test_a_page_is_one_file_that_loads_nothing(practice_page: Path) -> None:
    text = practice_page.read_text(encoding="utf-8")
    assert not re.search(r'(?:src|href)="(?!data:|#)', text)
    assert "connect-src" not in text
    assert "default-src &#39;none&#39;" in text


def test_sixty_items_are_a_small_file(tmp_path: Path, command: Command) -> None:
    page = tmp_path / "page.html"
    command("practice", "distributed-training", "--items", 60, "--seed", "s", "-o", page)
    assert (len(items_of(page)), page.stat().st_size <= 1_500_000) == (60, True)


def test_the_filters_are_those_of_mock(bank: Path, tmp_path: Path, command: Command) -> None:
    """Items take 45 s, 45 s, 60 s and 120 s: at most four in five minutes, and one in half a minute."""
    page = tmp_path / "page.html"
    command("practice", bank, "--topic", "zero", "--kind", "choice", "-o", page)
    assert items_of(page) == {"zero1", "which-two"}
    assert 'no topic "zerro"' in command("practice", bank, "--topic", "zerro", "-o", page, code=2).err
    for minutes, low, high in (("5", 4, 4), ("0.5", 1, 1), ("2", 1, 2)):
        command("practice", bank, "--minutes", minutes, "--seed", "s", "-o", page)
        assert low <= len(items_of(page)) <= high
    assert "leave" in command("practice", bank, "--phone", "-o", page, code=2).err
    command("practice", bank, "-o", tmp_path / "log.jsonl", code=2)


def test_a_page_of_somebody_else_is_left_alone(bank: Path, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("mine")
    assert run(["practice", str(bank), "-o", str(tmp_path)]) == 3
    assert (tmp_path / "index.html").read_text() == "mine"


def test_a_folder_is_a_web_app(bank: Path, tmp_path: Path) -> None:
    """The page names manifest and worker, its policy lets them in, and another page has another store."""
    stores = set()
    for seed in ("s", "t"):
        folder = tmp_path / seed
        assert [run(["practice", str(bank), "--seed", seed, "-o", f"{folder}/"]) for _ in range(2)] == [0, 0]
        assert {p.name for p in folder.iterdir()} == {"index.html", "worker.js", "manifest.webmanifest", "icon.svg"}
        text = (folder / "index.html").read_text(encoding="utf-8")
        assert '<link rel="manifest" href="manifest.webmanifest">' in text
        assert "worker-src &#39;self&#39;" in text
        assert json.loads((folder / "manifest.webmanifest").read_text(encoding="utf-8"))["start_url"] == "./"
        [store] = re.findall(r'STORE = KEPT \+ "(.*)"', (folder / "worker.js").read_text(encoding="utf-8"))
        stores.add(store)
    assert len(stores) == 2


def test_a_page_speaks_in_other_words(bank: Path, tmp_path: Path) -> None:
    words, page = tmp_path / "words.yaml", tmp_path / "page.html"
    words.write_text("language: de\nRight.: Richtig.\nHint: Hinweis\n", encoding="utf-8")
    assert run(["practice", str(bank), "--words", str(words), "--seed", "s", "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert '<html lang="de"' in text
    assert 'say("Richtig.")' in text
    assert ">Hinweis</button>" in text


def test_drafts_are_rehearsed_and_rated(tmp_path: Path, command: Command) -> None:
    """Of a bank that was just imported: what can be scored, and a text without a rubric by its model answer."""
    deck, page = tmp_path / "deck.tsv", tmp_path / "page.html"
    lines = ("#separator:tab", "#html:true", "What is a sigmoid?\t\\(\\frac{1}{1+e^{-x}}\\)", "How many bits?\t8")
    deck.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert "quizgen mock" in command("import", deck, "-o", tmp_path / "bank").err
    command("practice", tmp_path / "bank", "-o", page)
    cards = {card["item"]: card for card in data_of(page)["cards"]}
    assert set(cards) == {"what-is-a-sigmoid", "how-many-bits"}
    assert cards["what-is-a-sigmoid"]["criteria"] == [{"id": "answer", "say": "The model answer.", "points": 1}]


def test_today_asks_what_the_plan_has_and_sealed_items_wait_for_their_day(
    tmp_path: Path, logs: Path, command: Command
) -> None:
    """What is sealed is neither drawn at large nor for today, however many are asked for."""
    row = "  - {{id: t{0}, kind: choice, topic: topic-{1}, stem: 'Which is {0}?', key: '{0}', distractors: [x], seconds: 30}}\n"
    bank, page = tmp_path / "forty.yaml", tmp_path / "page.html"
    bank.write_text("items:\n" + "".join(row.format(n, n % 4) for n in range(40)), encoding="utf-8")
    assert "there is no plan" in command("practice", "--today", "-o", page, code=3).err
    command("plan", bank, "--interview", (date.today() + timedelta(days=9)).isoformat(), "--minutes", "60")
    command("practice", bank, "--today", "-o", page, code=2)
    listed = set(re.findall(r"^([a-z0-9-]+): ", command("today", "--list").out, re.MULTILINE))
    sealed = set(json.loads((logs / "plan.json").read_text(encoding="utf-8"))["sealed"])
    command("practice", "--today", "-o", page)
    assert items_of(page) == listed != set()
    command("practice", bank, "--items", str(40 - len(sealed)), "-o", page)
    assert len(items_of(page)) == 40 - len(sealed) < 40
    assert not items_of(page) & sealed


def test_mistakes_are_corrected_in_sentences_and_not_in_phrases_of_the_rubric(practice_page: Path) -> None:
    text = practice_page.read_text(encoding="utf-8")
    after = text.partition("Against common mistakes:")[2]
    assert "Misconception (minus" not in text
    assert "It communicates in every layer and NVLink is faster." not in after[:400]
    assert "It is the other way round." in after[:400]


SESSION = "ab12cd34ef56ab12"


def saved(bank: Path, more: list[dict[str, Any]] | None = None) -> str:
    """A sitting: a number of another drawing with a named mistake, a wrong choice that came again, a text with its own rating."""
    base = {"v": 1, "session": SESSION}
    response = {**base, "type": "response", "candidate": "ada", "seconds": 12.5, "at": "2026-11-27T10:01:00.000Z",
                "late": False, "hints": 0, "flagged": False}  # fmt: skip
    lines = [
        {**base, "type": "session", "candidate": "ada", "bank": str(bank), "digest": "sha256:0", "seed": "s", "mode": "practice",
         "items": ["bytes", "zero1", "why-node"], "started": "2026-11-27T10:00:00.000Z", "untimed": True, "page": "01"},
        {**response, "item": "bytes", "seed": "s/2", "given": {"N": "31e9 param"}, "response": "124 GB", "id": "a1"},
        {**response, "item": "zero1", "seed": "s", "response": "The gradients", "id": "a2"},
        {**response, "item": "why-node", "seed": "s", "response": "It communicates in every layer.", "id": "a3",
         "self": {"often": 1, "fast": 0.5}},
        {**response, "item": "zero1", "seed": "s/2", "response": "The optimizer states", "id": "a4", "again": True},
        {**base, "type": "card", "item": "zero1", "mark": "easy", "at": "2026-11-27T10:02:00.000Z"},
        *(more or []),
        {**base, "type": "end", "at": "2026-11-27T10:03:00.000Z", "reason": "finished"},
    ]  # fmt: skip
    return "".join(json.dumps(line) + "\n" for line in lines)


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "logs"
    monkeypatch.setenv("QUIZGEN_LOGS", str(folder))
    return folder


@pytest.fixture
def file(bank: Path, logs: Path, tmp_path: Path) -> Path:
    """The file of one sitting, beside an empty folder of logs."""
    path = tmp_path / "practice.jsonl"
    path.write_text(saved(bank), encoding="utf-8")
    return path


def test_a_saved_file_becomes_a_log_with_the_scorers_marks(
    bank: Path, logs: Path, file: Path, tmp_path: Path, command: Command
) -> None:
    """The number (124 GB is twice 62 GB) and the choice were missed at first, 1 point each; of the text's three points
    two are earned: communication in every layer."""
    told = command("progress", "--add", file).out
    assert "4 responses added" in told
    assert "At first sight 2 of 5 points" in told
    assert "own ratings are kept beside: 1.5 of 2" in told
    [log] = logs.glob("*.jsonl")
    for written, sent in zip(log.read_text().splitlines(), saved(bank).splitlines(), strict=True):
        assert json.loads(written) == json.loads(sent)
    assert "Time: 0:50, untimed." in command("debrief", log).out  # of all responses
    # Mistakes are of the drawing that was met.
    page = tmp_path / "mistakes.html"
    command("progress", bank, "--mistakes", page)
    text = page.read_text(encoding="utf-8")
    assert "four-bytes" in text
    assert "31B" in text


def test_the_plan_counts_what_a_page_saved(bank: Path, file: Path, command: Command) -> None:
    """The first look is done, so that today is practice; what was met yesterday or is too easy is not asked again."""
    day = (date.today() + timedelta(days=9)).isoformat()
    asked = []
    for arguments in (["plan", bank, "--interview", day, "--minutes", "30"], ["progress", "--add", file]):
        command(*arguments)
        asked.append(command("today", "--list").out)
    assert "scout: 4 new" in asked[0]
    assert "practice: 1 new" in asked[1]
    assert "which-two: new: zero" in asked[1]
    assert "1 of 2 skills met" in asked[1]


def test_a_sitting_that_was_left_is_the_pages_own(bank: Path, logs: Path, file: Path, command: Command) -> None:
    """`mock --resume` goes on with sessions of the terminal alone, and no start screen offers a page's sitting."""
    file.write_text("".join(saved(bank).splitlines(keepends=True)[:-1]), encoding="utf-8")
    command("progress", "--add", file)
    assert "no unfinished session" in command("mock", "--resume", "--plain", code=3).err
    [log] = logs.glob("*.jsonl")
    assert "goes on in its practice page" in command("mock", "--resume", log, "--plain", code=3).err
    assert "interrupted" not in command().out


def test_the_same_file_twice_changes_nothing_and_a_longer_one_adds_the_rest(
    bank: Path, logs: Path, file: Path, command: Command
) -> None:
    command("progress", "--add", file)
    [log] = logs.glob("*.jsonl")
    before = log.read_bytes()
    assert "nothing new" in command("progress", "--add", file, file).out
    assert log.read_bytes() == before
    more = {"v": 1, "session": SESSION, "type": "response", "candidate": "ada", "item": "which-two", "seed": "s",
            "response": ["Gradients"], "id": "a5", "seconds": 3, "at": "2026-11-27T10:02:30.000Z"}  # fmt: skip
    file.write_text(saved(bank, [more]), encoding="utf-8")
    command("progress", "--add", file)
    assert log.read_bytes().startswith(before)
    assert log.read_bytes().count(b'"id": "a5"') == 1


def test_the_damage_of_a_file_is_told_once_and_nothing_else_is_lost(
    bank: Path, logs: Path, file: Path, tmp_path: Path, command: Command
) -> None:
    lines = saved(bank).splitlines()
    lines[2] = lines[2][:40]
    lines += ['{"type": "response", "session": "../../etc", "item": "x"}'] * 98
    file.write_text("\n".join(lines), encoding="utf-8")
    captured = command("progress", "--add", file, tmp_path / "none.jsonl")
    assert [line for line in captured.err.splitlines() if str(file) in line] == [
        f"{file}: line 3: it is torn or no JSON (and 98 more lines); 6 lines kept; "
        "save the file again in the page, then add it again"
    ]
    assert "none.jsonl" in captured.err
    assert "3 responses added" in captured.out
    assert len(list(logs.glob("*"))) == 1


def test_nothing_to_take_ends_with_three(logs: Path, file: Path, command: Command) -> None:
    file.write_bytes(b"\x00\xff no log\n")
    command("progress", "--add", file, code=3)
    assert not logs.exists()
