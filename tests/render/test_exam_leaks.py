"""Non-interference: a form says nothing of keys, rubrics, tolerances, rationales and constants.

Banks are generated in pairs that have the same public side and different private sides; their
forms must be the same bytes, while their keys differ.

And shuffling is fair: chi-square over 2,000 forms of one exam. Critical values are the 99.9 % points of the
chi-square distribution (Abramowitz and Stegun, table 26.8). Seeds are fixed, so a pass is a pass for good.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from markupsafe import Markup
from shipped import BankOf

from quizgen import assemble, exam
from quizgen import bank as banks
from quizgen.answer_areas import Options
from quizgen.model import Bank
from quizgen.render import exam_folder
from quizgen.render.edition import PageOptions
from quizgen.render.exam import FormWriter, lay_out_form_with_label

WORDS = [
    "tensor", "rank", "shard", "gradient", "bucket", "ring", "tree", "pipeline", "stage", "expert", "token", "cache",
    "batch", "step", "wire", "node",
]  # fmt: skip


def phrase(rng: Random, count: int) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(count))


def sources(private: Random) -> dict[str, object]:
    """What every kind may say about where an item comes from."""
    return {"rationale": phrase(private, 9), "source": phrase(private, 4), "difficulty": private.randint(1, 5)}


def choice_item(public: Random, private: Random, number: int) -> dict[str, object]:
    """The same options in both banks; which of them are keys is private, how many (one or several) is not."""
    texts = [f"{phrase(public, 3)} {n}" for n in range(public.randint(3, 6))]
    several = public.random() < 0.3
    order = list(texts)
    private.shuffle(order)
    keys = private.randint(2, len(texts) - 1) if several else 1
    others = [{"text": t, "because": phrase(private, 4)} if private.random() < 0.5 else t for t in order[keys:]]
    policy = {"policy": private.choice(["all", "net", "each"])} if several else {}
    return {
        "id": f"c-{number}", "kind": "choice", "topic": public.choice(WORDS), "stem": phrase(public, 6),
        "seconds": public.randint(20, 90), "key": order[:keys] if several else order[0], "distractors": others,
        "hints": [phrase(private, 3)], **policy, **sources(private),
    }  # fmt: skip


def numeric_item(public: Random, private: Random, number: int) -> dict[str, object]:
    """Stem, draws and unit are public; steps, defaults, constants, tolerance and mistakes private."""
    values = [str(public.randint(2, 90)) for _ in range(4)]
    a, b = private.randint(2, 50), private.randint(1, 999)
    step = private.choice(["f * x * speed + c", "(f + f) * x * speed + c", "c + x * f * speed"])
    return {
        "id": f"n-{number}", "kind": "numeric", "topic": public.choice(WORDS), "seconds": public.randint(30, 200),
        "stem": f"{phrase(public, 5)} with {{x}} and {{k}}, how many bytes?",
        "draw": {"x": sorted(set(values)), "k": ["2", "4", "8"]},
        "require": ["k >= 4"] if public.random() < 0.3 else ["k >= 2"],
        "formula": {
            "inputs": {
                "x": {"is": phrase(private, 2), "unit": "1"}, "k": {"is": "ranks", "unit": "1"},
                "f": {"is": phrase(private, 2), "unit": "B", "default": f"{a}"},
                "c": {"is": "offset", "unit": "B", "default": f"{b}"},
            },
            "steps": {"first": step, "answer": f"first * k / {private.randint(2, 9)}"},
            "unit": "B",
            "misconceptions": [{"id": "forgot", "value": f"first / {private.randint(2, 7)}", "say": phrase(private, 5)}],
            "convention": phrase(private, 4),
        },
        "answer": {"unit": "MB", "tolerance": f"{private.randint(1, 5)}%"}, **sources(private),
    }  # fmt: skip


def text_item(public: Random, private: Random, number: int) -> dict[str, object]:
    """The number of criteria and the points are public, all else of the rubric private."""
    count = public.randint(1, 4)
    criteria = [
        {
            "id": f"k{n}-{private.choice(WORDS)}", "points": 1, "say": phrase(private, 5),
            "accept": [f"{private.choice(WORDS)}|{private.choice(WORDS)} {private.choice(WORDS)}"],
            "reject": [f"{{{phrase(private, 2)}}}"],
        }
        for n in range(count)
    ]  # fmt: skip
    rubric: dict[str, object] = {
        "criteria": criteria, "full_marks": public.randint(1, count),
        "misconceptions": [{"match": phrase(private, 2), "penalty": private.randint(1, 2), "say": phrase(private, 4)}],
    }  # fmt: skip
    return {
        "id": f"t-{number}", "kind": "text", "topic": public.choice(WORDS), "stem": phrase(public, 8),
        "seconds": public.randint(60, 300), "rubric": rubric, "synonyms": {private.choice(WORDS): [phrase(private, 1) + "x"]},
        "model_answer": phrase(private, 12), **sources(private),
    }  # fmt: skip


def write_bank(folder: Path, number: int, private_seed: int) -> Bank:
    public, private = Random(f"public {number}"), Random(f"private {number} {private_seed}")
    makers: list[Callable[[Random, Random, int], dict[str, object]]] = [choice_item, numeric_item, text_item]
    items = [makers[(number + n) % 3](public, private, n) for n in range(3)]
    folder.mkdir(parents=True, exist_ok=True)
    # JSON is the flow style of YAML, so no writer of ours stands between test and bank.
    (folder / "items.yaml").write_text(json.dumps({"items": items}), encoding="utf-8")
    speed = {"speed": {"value": str(private.randint(2, 99)), "unit": "1", "source": "a test", "date": "2026-01-01"}}
    (folder / "formulas.yaml").write_text(json.dumps({"constants": speed}), encoding="utf-8")
    loaded = banks.load_bank(str(folder))
    assert not loaded.errors, [str(p) for p in loaded.errors]
    return loaded.required_bank


def written(bank: Bank, seed: str) -> tuple[str, str]:
    plan = exam.plan_exam(bank, assemble.any_items_blueprint(), seed)
    layout = lay_out_form_with_label(plan, "A")
    pages = FormWriter(plan, PageOptions(), lambda item, message: None, Markup())
    return pages.form_page_html(layout), exam_folder.KeyWriter(bank.folder, PageOptions()).key_page_html_of_form(layout)


def test_pairs_of_banks_give_the_same_form_and_different_keys(tmp_path: Path) -> None:
    for number in range(40):
        pair = (write_bank(tmp_path / f"place {side}", number, side) for side in (1, 2))
        (form, key_page_html_of_form), (other, other_key) = (written(bank, f"s{number}") for bank in pair)
        assert form.encode() == other.encode(), f"pair {number}: the forms differ"
        assert key_page_html_of_form != other_key, f"pair {number}: nothing private differs"


def encodings(text: str) -> dict[str, str]:
    """Ways in which a key could hide in a page."""
    raw, digest = text.encode(), hashlib.sha256(text.encode())
    coded = {
        "base64": base64.b64encode(raw).decode().rstrip("="),
        "sha256 base64": base64.b64encode(digest.digest()).decode(),
    }
    return {"plain": text, "hex": raw.hex(), "sha256": digest.hexdigest(), **coded}


def test_no_encoding_of_a_secret_stands_in_a_form(tmp_path: Path) -> None:
    """Rationales, sources, phrases, seed, ids, digest and keys of numbers, each as text and as its usual encodings and hash."""
    for number in range(9):
        bank = write_bank(tmp_path / "bank", number, 1)
        seed = f"a long seed of test {number}"
        form, _ = written(bank, seed)
        plan = exam.plan_exam(bank, assemble.any_items_blueprint(), seed)
        secrets = [seed, f"{seed}/A", bank.digest, bank.name]
        for entry in plan.form_of_label("A").entries:
            item = entry.variant.item
            secrets += [item.id, item.rationale, item.source]
            secrets += [entry.variant.key_text()] if item.kind == "numeric" else []
        for secret in secrets:
            for way, hidden in encodings(secret).items():
                # Short texts in plain, such as "8 MB", could stand anywhere by chance.
                assert len(secret) < 6 or hidden not in form, (number, way, secret)


FORMS = 2_000
ITEMS = 8
ITEM = "  - {{id: item-{0}, kind: choice, stem: Stem {0}, key: right, distractors: [wrong, zebra, apple]}}\n"


def chi_square(counts: Counter[object], cells: int) -> float:
    expected = sum(counts.values()) / cells
    return sum((counts[c] - expected) ** 2 for c in counts) / expected + (cells - len(counts)) * expected


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> list[list[tuple[str, int]]]:
    """Of each form: item ids in order, each with the position of its key."""
    path = tmp_path_factory.mktemp("fair") / "items.yaml"
    path.write_text("items:\n" + "".join(map(ITEM.format, range(ITEMS))), encoding="utf-8")
    plan = exam.plan_exam(banks.load_bank(str(path)).required_bank, assemble.any_items_blueprint(), "fair")
    made = []
    for label in exam.form_labels(FORMS):
        entries = plan.form_of_label(label).entries
        areas = [next(b for b in e.variant.prompt() if isinstance(b, Options)) for e in entries]
        positions = [[o.text for o in a.options].index("right") for a in areas]
        made.append([(e.variant.item.id, p) for e, p in zip(entries, positions, strict=True)])
    return made


def test_the_key_of_one_item_says_nothing_of_the_next(forms: list[list[tuple[str, int]]]) -> None:
    pairs = Counter((a, b) for form in forms for (_, a), (_, b) in pairwise(form))
    assert chi_square(Counter(pairs), 16) < 37.70  # 15 degrees of freedom


def test_no_order_repeats_a_neighbour_pattern(forms: list[list[tuple[str, int]]]) -> None:
    """Every ordered pair of neighbours is equally frequent, and consecutive forms share no more
    neighbours than chance: 7 places, each with chance 1/8 of the same ordered pair."""
    orders = [[name for name, _ in form] for form in forms]
    pairs = Counter(pair for order in orders for pair in pairwise(order))
    assert len(pairs) == ITEMS * (ITEMS - 1)
    assert chi_square(Counter(pairs), ITEMS * (ITEMS - 1)) < 93.17  # 55 degrees of freedom
    shared = [len(set(pairwise(a)) & set(pairwise(b))) for a, b in pairwise(orders)]
    assert abs(sum(shared) / len(shared) - 7 / 8) < 0.05


def test_every_drawn_value_comes_equally_often_and_apart_from_the_others(bank_of: BankOf) -> None:
    """Five values by four: every pair of them is equally frequent over the forms."""
    inputs = "{a: {is: one, unit: 1}, b: {is: other, unit: 1}}"
    item = f"stem: '{{a}} * {{b}}?', formula: {{inputs: {inputs}, steps: {{product: a * b}}, unit: 1}}"
    drawn = "draw: {a: [2, 3, 5, 7, 11], b: [13, 17, 19, 23]}"
    bank = bank_of(f"items: [{{id: area, kind: numeric, {drawn}, {item}}}]").required_bank
    plan = exam.plan_exam(bank, assemble.any_items_blueprint(), "fair")
    drawn = (plan.form_of_label(label).entries[0].variant.drawn_log_values() for label in exam.form_labels(FORMS))
    counts = Counter((values["a"], values["b"]) for values in drawn)
    assert chi_square(Counter(counts), 20) < 43.82  # 19 degrees of freedom
