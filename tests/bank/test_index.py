"""A bank that is looked up by its index is the bank that is read whole, and a bad index is as good as none."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from hashlib import blake2b
from pathlib import Path

import pytest
import shipped
from shipped import drawn

from quizgen import bank as banks
from quizgen.bank.index import INDEXED_ITEM_FIELDS, MIN_ITEMS_FOR_INDEX, LazyItem
from quizgen.draw import SeededRng
from quizgen.model import Item

ITEM = """
  - id: item-{n}
    kind: choice
    stem: What is number {n}?
    key: The value {n}
    distractors: [The value {m}]
    hints: [Count.]
    difficulty: {d}
    source: Series
    rationale: It is.
"""
FORMULA = """
formulas:
  area:
    title: Area
    source: Euclid
    inputs: {a: {is: time, unit: s, min: 1}}
    steps: {s: a * a}
    unit: s^2
  # a remark between two
  "twice":
    title: Twice
    source: Euclid
    inputs: {a: {is: time, unit: s, min: 1}}
    steps: {s: 2 * a}
    unit: s
constants:
  two: {value: 2, unit: "1", is: two, source: counted, date: 2026-11-22}
"""


def write(folder: Path, count: int = 120, **files: str) -> Path:
    items = "".join(ITEM.format(n=n, m=n + 1, d=n % 5 + 1) for n in range(count))
    texts = {
        "a.yaml": f"topic: series\nsynonyms: {{value: [amount]}}\nitems:{items}",
        "b.yaml": "items:\n  - id: side\n    kind: numeric\n    stem: Twice {a}?\n    formula: twice\n    draw: {a: [3 s, 5 s]}\n"
        "\n  # a remark\n  - id: said\n    kind: text\n    stem: Why?\n    rubric: {criteria: [{id: x, accept: [value]}]}\n"
        "topic: last\nsynonyms: {value: [worth]}\n",
        "formulas.yaml": FORMULA,
    }
    folder.mkdir(exist_ok=True)
    for name, text in {**texts, **files}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def fields_of(item: Item) -> list[object]:
    names = (*INDEXED_ITEM_FIELDS, "kind", "points", "location", "stem", "source", "rationale")
    return [getattr(item, name) for name in names]


def test_a_bank_by_its_index_is_the_bank(tmp_path: Path) -> None:
    """Every field, what is drawn, what is shown and what it is worth, of items, formulas and blueprints."""
    folder = str(write(tmp_path / "bank"))
    first, second = (banks.load_bank(folder, index_folder=tmp_path / "cache") for _ in range(2))
    assert (first.problems, second.problems) == ((), ())
    whole, again = first.required_bank, second.required_bank  # the second by the index that the first left
    assert all(isinstance(item, LazyItem) for item in again.items.values())
    assert list(again.items) == list(whole.items)
    assert (again.digest, again.title, list(again.formulas)) == (whole.digest, whole.title, ["area", "twice"])
    for name, item in whole.items.items():
        assert fields_of(again.items[name]) == fields_of(item)
    for name in ("item-7", "side", "said"):
        one, other = (drawn(loaded, name) for loaded in (first, second))
        assert (one.prompt(), one.solution()) == (other.prompt(), other.solution())
        assert one.drawn_log_values() == other.drawn_log_values()
    assert drawn(second, "said").score("its worth").earned == 1
    assert drawn(second, "side").drawn_log_values()["a"] in ("3 s", "5 s")


@pytest.fixture(scope="module")
def shipped_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the index of a bank that ships."""
    folder = tmp_path_factory.mktemp("index")
    banks.load_bank("distributed-training", index_folder=folder)
    return folder


def test_the_shipped_bank_by_its_index(shipped_index: Path) -> None:
    """Each item of the bank that ships: the same prompt, solution and samples."""
    whole = shipped.bank()
    again = banks.load_bank("distributed-training", index_folder=shipped_index).required_bank
    assert list(again.blueprint_by_name.items()) == list(whole.blueprint_by_name.items())
    for name in sorted(whole.items)[::19]:
        one, other = (bank.items[name].draw(SeededRng(name, "demo")) for bank in (whole, again))
        assert fields_of(one.item) == fields_of(other.item)
        assert (one.prompt(), one.solution(), one.key_text()) == (other.prompt(), other.solution(), other.key_text())
    one, other = ([(n, [*case.item_by_log_id]) for n, case in bank.case_by_id.items()] for bank in (whole, again))
    assert one == other


def test_another_process_gets_the_whole(shipped_index: Path) -> None:
    """What is sent to a worker of a cluster is the items themselves, those of cases among them."""
    bank = banks.load_bank("distributed-training", index_folder=shipped_index).required_bank
    item = next(iter(bank.items.values()))
    sent = copy.deepcopy(item)
    assert isinstance(item, LazyItem)
    assert not isinstance(sent, LazyItem)
    assert sent.draw(SeededRng(item.id, "x")).prompt() == item.draw(SeededRng(item.id, "x")).prompt()
    assert not hasattr(copy.deepcopy(item.draw(SeededRng(item.id, "x"))), "whole")
    name = "step-time-doubled.close"
    assert bank.item_or_turn_by_id[name].id == name
    assert bank.item_or_turn_by_id.keys() >= {item.id, name}
    assert bank.item_or_turn_by_id.keys().isdisjoint(("step-time-doubled.nothing", "nothing.close"))


def python(code: str) -> str:
    """What a process of its own prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert not done.stderr
    return done.stdout


def test_a_brief_needs_neither_yaml_nor_a_kind(shipped_index: Path) -> None:
    """What draws a session and says what is coming: of the bank, its index alone is read."""
    code = (
        "import sys\nfrom pathlib import Path\nfrom quizgen import bank\nfrom quizgen.session import interview, sitting\n"
        "from quizgen.terminal import open_session, panes\n"
        f"b = bank.load_bank('distributed-training', index_folder=Path({str(shipped_index)!r})).bank\n"
        "form = open_session.assemble_session_form(b, None, open_session.SessionOptions())\n"
        "session = interview.new_session(form, interview.SessionRules())\n"
        "lines = panes.briefing_lines(sitting.Sitting(session, None, None, None), 80)\n"
        "print(len(lines) > 5, [m for m in ('yaml', 'quizgen.page', 'quizgen.kinds.numeric', 'quizgen.rubric') if m in sys.modules])\n"
    )
    assert python(code) == "True []\n"


@pytest.mark.parametrize("bad", ["changed", "another", "shared", "link", "folder"])
def test_a_bad_index_is_none(tmp_path: Path, bad: str) -> None:
    """The bank is then read whole, its index is written anew, and nobody is told."""
    folder, cache = str(write(tmp_path / "bank")), tmp_path / "cache"
    banks.load_bank(folder, index_folder=cache)
    path = next(cache.glob("index-*.json"))
    good = path.read_bytes()
    held = json.loads(good.partition(b"\n")[2])
    if bad == "changed":
        path.write_bytes(good.replace(b'"item-3"', b'"item-4"', 1))
    elif bad == "another":
        body = json.dumps({**held, "content_hash": "0" * 128}).encode()
        path.write_bytes(blake2b(body).hexdigest().encode() + b"\n" + body)
    elif bad == "shared":
        path.chmod(0o666)
    elif bad == "link":
        path.rename(tmp_path / "elsewhere.json")
        path.symlink_to(tmp_path / "elsewhere.json")
    else:
        path.unlink()
        path.mkdir()
    loaded = banks.load_bank(folder, index_folder=cache)
    assert not loaded.problems
    assert loaded.required_bank.items["item-3"].stem == held["lines_and_values_of_items"][3][1][7]
    if bad != "folder":
        assert path.read_bytes() == good
        assert not path.is_symlink()
        assert path.stat().st_mode & 0o777 == 0o600


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert banks.load_bank(str(write(tmp_path / "bank")), index_folder=tmp_path / "file" / "cache").bank is not None


def test_a_changed_bank_is_read_anew(tmp_path: Path) -> None:
    """One letter is enough, and what is wrong is told as without an index, every item of it."""
    folder, cache = write(tmp_path / "bank"), tmp_path / "cache"
    banks.load_bank(str(folder), index_folder=cache)
    text = (folder / "a.yaml").read_text().replace("difficulty: 1", "difficulty: 9").replace("number 9?", "number 9.")
    (folder / "a.yaml").write_text(text)
    loaded = banks.load_bank(str(folder), index_folder=cache)
    assert len(loaded.errors) == 24
    assert loaded.problems == banks.load_bank(str(folder)).problems


SOUND = "items:\n  - {id: x, kind: choice, stem: A?, key: a, distractors: [b]}\n"


@pytest.mark.parametrize(
    ("count", "file"),
    [
        (120, SOUND.replace("[b]", "[b], status: draft")),
        (120, "items: [{id: x, kind: choice, stem: A?, key: a, distractors: [b]}]\n"),
        (120, SOUND.replace("[b]", "[b], difficulty: 9")),
        (MIN_ITEMS_FOR_INDEX - 10, SOUND),
    ],
    ids=["a draft", "items in one line", "something wrong", "few items"],
)
def test_what_has_no_index(tmp_path: Path, count: int, file: str) -> None:
    folder = write(tmp_path / "bank", count, **{"c.yaml": file})
    banks.load_bank(str(folder), index_folder=tmp_path / "cache")
    assert not list((tmp_path / "cache").glob("*"))


def test_an_item_that_its_lines_alone_do_not_make(tmp_path: Path) -> None:
    """A label that another file declares: the whole bank is read for it."""
    folder = write(
        tmp_path / "bank",
        **{
            "a0.yaml": "units: {wagon: [wagons]}\nitems:\n  - id: w\n    kind: choice\n    stem: A?\n    key: a\n    distractors: [b]\n",
            "z.yaml": "items:\n  - id: train\n    kind: numeric\n    stem: How many are {n} wagons?\n    formula: "
            "{inputs: {n: {is: count, unit: wagon, min: 1}}, steps: {s: 2 * n}, unit: wagon}\n    draw: {n: [3 wagon]}\n",
        },
    )
    cache = tmp_path / "cache"
    assert not banks.load_bank(str(folder), index_folder=cache).problems
    code = (
        "from quizgen import bank\nfrom pathlib import Path\nfrom quizgen.draw import SeededRng\n"
        f"b = bank.load_bank({str(folder)!r}, index_folder=Path({str(cache)!r})).bank\n"
        "v = b.items['train'].draw(SeededRng('train', 'x'))\nprint(type(b.items['train']).__name__, v.key_text())\n"
    )
    assert python(code) == "LazyItem 6 wagons\n"
