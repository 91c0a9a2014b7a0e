"""Inputs of the net, made from files under banks/, docs/ and tests/, read as plain YAML.

What is drawn is drawn for each item by itself, so that a changed item changes its own lines alone.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
BANKS = ("distributed-training", "git")
Lines = list[dict[str, Any]]
FORMS = (
    "{:.3g} {u}",
    "{:.2g} {u}",
    "{:.1g} {u}",
    "{:.6g}",
    "about {:.3g} {u}",
    "~{:.4g}{u}",
    "{:.3e} {u}",
    "it is {:,.2f} {u}.",
)
ODD = r"""{"item": "zero1-shards"
["zero1-shards", "B"]
{"item": "no-such-item", "response": "B"}
{"item": "zero2-13b", "response": {"a": 1}}
{"item": 3, "response": "B"}
{"response": "31.7 GB"}
{"item": "zero2-13b", "given": {"N": "13e9 param", "K": "many"}, "response": "31.7 GB"}
{"item": "zero2-13b", "given": {"N": "13e9 param", "Q": "32"}, "response": "31.7 GB"}
{"item": "zero2-13b", "response": "31.7 GB"}
{"item": "zero2-13b", "given": {"N": 13e9, "K": 32}, "response": 31.7}
{"item": "zero1-shards", "response": "B", "response": "C"}
{"item": "zero1-shards", "response": "B", "seconds": NaN, "seed": "net"}
{"item": "zero1-shards", "response": "B", "seconds": -4, "at": "yesterday", "late": "no", "hints": "two", "seed": 7}
{"item": "zero1-shards", "response": ["The optimizer states", "The gradients"]}
{"v": 2, "type": "response", "item": "zero1-shards", "response": "B"}
{"v": 1, "type": "unheard-of", "item": "zero1-shards"}
{"v": 1, "type": "end", "session": "nobody"}
null

{"item": "ddp-in-steps", "response": "\u202eEach GPU has a copy.\u0007\u0000"}
"""


def plain(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)


def of_bank(bank: str, part: str = "items") -> dict[str, dict[str, Any]]:
    """The active items of a bank by id, or its formulas by name."""
    found: dict[str, dict[str, Any]] = {}
    for held in (plain(path).get(part, {}) for path in sorted((ROOT / "banks" / bank).glob("*.yaml"))):
        found |= {i["id"]: i for i in held if i.get("status", "active") == "active"} if isinstance(held, list) else held
    return found


def all_items() -> dict[str, dict[str, Any]]:
    return {name: item for bank in BANKS for name, item in of_bank(bank).items()}


def answers() -> dict[str, list[str]]:
    """Texts by item: graded and misread answers, two right and two wrong wordings of each file."""
    found: dict[str, list[str]] = {}
    tests = ROOT / "tests" / "banks"
    for row in map(json.loads, (tests / "graded_answers.jsonl").read_text(encoding="utf-8").splitlines()):
        found.setdefault(row["item"], []).append(row["response"])
    for item, rows in plain(tests / "misread_answers.yaml").items():
        found.setdefault(item, []).extend(row["text"] for row in rows)
    for path in sorted((tests / "wordings").glob("*.yaml")):
        for item, sides in plain(path).items():
            found.setdefault(item, []).extend(text for side in sides.values() for text in side[:2])
    return found


def distractors(item: dict[str, Any]) -> list[str]:
    return [one["text"] if isinstance(one, dict) else one for one in item.get("distractors", [])]


def number_responses(key: str, mistakes: list[str], rng: random.Random) -> list[str]:
    """The key, a named mistake, and the key as others write it: rounded, alone, off, in words, or none."""
    amount, _, unit = key.partition(" ")
    try:
        value = float(amount.replace(",", ""))
    except ValueError:
        return [key, *mistakes[:1], "about 3", ""]
    near = (f"{value * 1.024:.4g} {unit}", f"{value * 1.004:.4g}", f"{value / 2:.3g} {unit}", f"{value:.3g} parsecs")
    made = [form.format(value, u=unit) for form in rng.sample(FORMS, 1)]
    return [key, *rng.sample(mistakes, min(1, len(mistakes))), *made, rng.choice(near)]


def responses(item: dict[str, Any], pool: dict[str, list[str]], numbers: dict[str, Any]) -> Lines:
    """What candidates give to an item: `response`, and the `seed` or the drawn values (`given`) that fix its variant."""
    rng = random.Random(item["id"])
    key = item.get("key")
    if item["kind"] == "choice":
        wrong = distractors(item)
        given = [key, rng.choice(wrong), rng.choice("ABCD"), rng.choice(("b", "a", "", "A, C", "E", "the first", None))]
        given += [key[:1], [*key, wrong[0]], "A, B, C"] if isinstance(key, list) else []
        return [{"seed": rng.choice(("net", "two")), "response": one} for one in given]
    if item["kind"] == "numeric":
        drawn, key, mistakes = numbers.get(item["id"], [{}, "1", []])
        fixed = [{"seed": "net"}, {"given": drawn} if drawn else {"seed": "net"}]
        return [rng.choice(fixed) | {"response": one} for one in number_responses(key, mistakes, rng)]
    held, model = pool.get(item["id"], []), item.get("model_answer", "")
    written = [*rng.sample(held, min(3, len(held))), model, " ".join(model.split()[:12])]
    return [{"seed": "net", "response": one} for one in written]


def dumped(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def log_lines(numbers: dict[str, Any], share: int = 1) -> Iterator[bytes]:
    """Sessions of 60 candidates over every active item, or one line in `share` of them; later sessions change some."""
    pool = answers()
    people: dict[tuple[str, int], Lines] = {}
    for bank in BANKS:
        for item in of_bank(bank).values():
            start = random.Random(item["id"]).randrange(60)
            for n, line in enumerate(responses(item, pool, numbers)):
                if (n + start) % share == 0:
                    people.setdefault((bank, (start + 7 * n) % 60), []).append({"item": item["id"], **line})
    for (bank, who), lines in sorted(people.items()):
        ids = list(dict.fromkeys(line["item"] for line in lines))
        for again in (0, 1):
            session, day = {"session": f"{bank}-{who}-{again}", "candidate": f"c{who:02d}"}, f"2026-11-{20 + again}T10"
            head = {"bank": bank, "seed": "net", "items": ids, "started": f"{day}:00:00Z", "minutes": 45}
            yield dumped({"v": 1, "type": "session", **session, **head})
            for n, line in enumerate(lines[::9] if again else lines):
                rng = random.Random(f"{line['item']}{who}{again}")
                new = {"response": lines[n - 1]["response"]} if again and n % 2 else {}
                new |= {
                    "seconds": rng.randrange(3, 3000) / 10,
                    "at": f"{day}:{n % 60:02d}:00Z",
                    "late": rng.random() < 0.03,
                }
                new |= {
                    "confidence": rng.choice((None, 1, 3, 5)),
                    "hints": rng.choice((0, 0, 1, 2)),
                    "flagged": n % 11 == 0,
                }
                yield dumped({"v": 1, "type": "response", **session, **line, **new})
            yield dumped(
                {"v": 1, "type": "end", "session": session["session"], "at": f"{day}:59:59Z", "reason": "finished"}
            )


def spelled(folder: Path) -> None:
    """A bank with an item for each unit and stem of the table of spellings, and a log of what is written there."""
    items: dict[tuple[str, str], str] = {}
    bank, log, stem = ["items:"], [], ""
    for line in (ROOT / "tests" / "formula" / "spellings.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            stem = line[11:] if line.startswith("== Asked: ") else ""
        elif line.count(" ¦ ") == 2 and not line.startswith("#"):
            unit, written, _ = line.split(" ¦ ")
            if (unit, stem) not in items:
                items[unit, stem] = name = f"spelled-{len(items)}"
                formula = {"inputs": {"x": {"is": "amount", "unit": unit}}, "steps": {"y": "2 * x"}, "unit": unit}
                fields = {"id": name, "kind": "numeric", "stem": stem or "How much is it?", "draw": {"x": ["15.85"]}}
                bank.append(
                    "  - " + json.dumps(fields | {"formula": formula, "answer": {"unit": unit}}, ensure_ascii=False)
                )
            response = re.sub(r"\\u([0-9a-f]{4})", lambda m: chr(int(m[1], 16)), written)
            log.append(dumped({"item": items[unit, stem], "seed": "net", "response": response}))
    (folder / "spelled.yaml").write_text("\n".join(bank) + "\n", encoding="utf-8")
    (folder / "spelled.jsonl").write_bytes(b"".join(log))


def mutants(folder: Path) -> None:
    """The examples that hold every field, once for each line with that line gone, misspelled, of another type or torn."""
    for path in sorted((ROOT / "docs" / "examples" / "fields").glob("*.yaml")):
        lines = path.read_text(encoding="utf-8").splitlines()
        (folder / path.stem).mkdir(parents=True)
        for n, line in enumerate(lines):
            if field := re.match(r"(\s*(?:- )?)(\w+): ?(.*)", line):
                indent, name, value = field.groups()
                new = ("", f"{indent}{name[0]}{name}: {value}", f"{indent}{name}: [{{1: -0.5}}]", f'{line[:-2]} "')[
                    n % 4
                ]
                text = "\n".join([*lines[:n], new, *lines[n + 1 :]])
                (folder / path.stem / f"{n + 1:02d}.yaml").write_text(text, encoding="utf-8")


def build(folder: Path, numbers: dict[str, Any]) -> None:
    """Write all inputs into a new folder."""
    folder.mkdir(parents=True)
    (folder / "numbers.json").write_text(json.dumps(numbers), encoding="utf-8")
    (folder / "log.jsonl").write_bytes(b"".join(log_lines(numbers)))
    (folder / "small.jsonl").write_bytes(b"".join(log_lines(numbers, 12)))
    (folder / "bad.jsonl").write_bytes(ODD.encode().replace(b"\n\n", b"\n\xff\xfe{}\n\n\0\n"))
    (folder / "groups.csv").write_text("candidate,group\n" + "".join(f"c{n:02d},{'xy'[n % 2]}\n" for n in range(60)))
    (folder / "roster.csv").write_text(
        "name,id,extra_time,form\nAda Lovelace,S1,25%,A\nAlan Turing,S2,,B\nÉmilie <b>,S3,0,\n", encoding="utf-8"
    )
    spelled(folder)
    mutants(folder / "mutants")
    tests = ROOT / "tests"
    shutil.copytree(ROOT / "docs" / "examples" / "fields", folder / "own" / "fields")
    shutil.copytree(tests / "terminal" / "bank", folder / "own" / "bank")
    for path in (tests / "rubric").glob("*.yaml"):
        shutil.copy(path, folder / "own")
    shutil.copy(tests / "banks" / "graded_answers.jsonl", folder)
    shutil.copytree(ROOT / "banks" / "git", folder / "git-before")
    for path in (folder / "git-before").glob("*.yaml"):  # three keys of each file exchanged for a distractor
        pattern = r"^    key: .*\n(    distractors:\n      - (?:text: )?)(.*)"
        path.write_text(
            re.sub(pattern, r"    key: \2\n\1Something else", path.read_text(encoding="utf-8"), count=3, flags=re.M),
            encoding="utf-8",
        )
