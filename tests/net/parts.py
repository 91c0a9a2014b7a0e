"""Parts of the net: the commands of commands.txt, and those whose arguments or input follow from what ships."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import random
import shlex
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from inputs import BANKS, ROOT, Lines, all_items, answers, distractors, dumped, of_bank, plain, responses
from runner import Net, sleep

MOCKS = (
    "quick", "quick --strict", "phone-screen", "readiness --practice", "readiness --probes --items 9", "numbers", "staff-loop",
    "staff-loop-serving --untimed", "staff-loop-operations --time-multiplier 1.5", "drill-zero --probes", "drill-roofline --practice",
    "drill-inference --strict", "git", "git/review --practice", "distributed-training --kind text --items 5 --probes",
    "distributed-training --kind numeric --items 8 --practice", "distributed-training --topic zero --difficulty 3",
    "distributed-training --items 12 --minutes 20 --candidate Ada", "readiness --items 6", "git --kind choice --items 9 --strict",
)  # fmt: skip
TIMED = ("quick --minutes 3", "readiness --items 6 --strict --minutes 4", "git --items 6")
TYPED = (
    ":hint", ":hint\n:hint", ":sure 4", ":sure 9", ":flag", ":time", ":ask", ":show", ":skip", ":back", ":go 2", ":pause\n",
    ":help", ":answer", ":flog",
)  # fmt: skip
EXPORTS = "anki.apkg anki-tsv.tsv moodle.xml gift.gift qti12.zip qti21.zip csv.csv xlsx.xlsx text.txt markdown.md"


def listed(net: Net, day: int = 0) -> None:
    """Run what commands.txt has for this part."""
    text = Path(__file__).with_name("commands.txt").read_text(encoding="utf-8")
    _, _, section = text.partition(f"\n[{net.part}]\n")
    for line in section.partition("\n[")[0].splitlines():
        line, _, files = line.partition("  > ")
        line, _, values = line.partition("  @ ")
        for value in values.split() or [""]:
            name, _, arguments = line.replace("@", value).partition(": ")
            if name:
                net.run(name, *shlex.split(arguments), day=day)
                net.keep_files(f"{name}-files", *files.split())


def exam(net: Net) -> None:
    for bank in BANKS:
        for name in sorted(p.stem for p in (ROOT / "banks" / bank / "blueprints").glob("*.yaml")):
            for seed in ("one", "two"):
                net.run(f"{name}/{seed}", "exam", f"{bank}/{name}", "-o", f"{name}-{seed}", "--seed", seed)
                net.keep_files(name, f"{name}-{seed}")
    listed(net)


def typed_for(ids: Iterable[str], seed: str, net: Net, items: dict[str, Any], pool: dict[str, list[str]]) -> list[str]:
    """What is typed for each item: a command now and then, and a response; a text ends with a line of a full stop."""
    rng, made = random.Random(seed), []
    for item in (items[name] for name in ids if name in items):
        response = rng.choice([*responses(item, pool, net.numbers), {"response": rng.choice("ABCD")}])["response"]
        command = rng.choice(TYPED) + "\n" if rng.random() < 0.4 else ""
        made.append(f"{command}{response}\n" + (".\n" if item["kind"] == "text" else ""))
    return made


def aged(lines: Lines) -> bytes:
    """The lines of a log, without its end, as if time had passed."""
    spent, made = 0.0, []
    for n, line in enumerate(one for one in lines if one["type"] != "end"):
        if "elapsed" in line:
            line["seconds"] = round(17.3 * (n + 1) % 97, 1)
            spent += line["seconds"]
            line["elapsed"] = round(spent, 3)
        made.append(dumped(line))
    return b"".join(made)


def sessions(net: Net, wishes: Iterable[str], timed: bool) -> None:
    """Sessions that end, and the same killed on the way (a log that stops somewhere) and taken up again."""
    items, pool = all_items(), answers()
    for n, wish in enumerate(wishes):
        start, log, cut = ("mock", *wish.split(), "--seed", f"s{n}", "--log"), f"s{n}.jsonl", f"s{n}-cut.jsonl"
        net.run(None, *start, f"first-{log}")
        typed = typed_for(net.log(f"first-{log}")[0]["items"], wish, net, items, pool)
        net.run(f"{n:02d}/whole", *start, log, "--html", f"s{n}.html", typed="".join(typed), timed=timed)
        lines = net.log(log)
        kept = 1 + len(lines) * (n % 5 + 1) // 7
        (net.cwd / cut).write_bytes(aged(lines[:kept]) + (b'{"v": 1, "type": "resp' if n % 2 else b""))
        net.run(
            f"{n:02d}/resumed", "mock", "--resume", cut, typed="".join(typed[kept - 1 :]) + "B\n.\n" * 9, timed=timed
        )
        net.keep_files(f"{n:02d}", log, cut, f"s{n}.html")
        if n % 4 == 0:
            net.run(f"{n:02d}/debrief", "debrief", cut)
            net.run(f"{n:02d}/score", "score", cut)


def cases(net: Net) -> None:
    for path in sorted((ROOT / "banks" / BANKS[0] / "cases").glob("*.yaml")):
        case = plain(path)["cases"][0]
        people = plain(ROOT / "tests" / "cases" / "candidates" / path.name)
        for who in ("strong", "middling", "wrong"):
            says = next((said for name, said in people.items() if name.startswith(who)), {})
            talk(net, case, says, f"{case['id']}-{who}")
        cut = f"cut-{case['id']}.jsonl"
        (net.cwd / cut).write_bytes(aged(net.log(f"logs/{case['id']}-strong.jsonl")[:9]))
        net.run(f"{case['id']}-resumed", "mock", "--resume", cut, typed="How much?\n.\n" * 9)
        net.run(f"{case['id']}-debrief", "debrief", cut)
        net.keep_files("logs", cut)
    listed(net)


def talk(net: Net, case: dict[str, Any], says: dict[str, Any], name: str) -> None:
    """A talk through a pipe, a line at a time: who is asked on and has no more to say leaves the turn."""
    turns = {turn["id"]: turn for turn in case["turns"]}
    left = {turn: [said] if isinstance(said, str) else list(said) for turn, said in says.items()}
    log, at = f"logs/{name}.jsonl", case["turns"][0]["id"]
    reader, writer = os.pipe()
    arguments = ("mock", case["id"], "--seed", "net", "--candidate", name, "--log", log)
    ended = net.begin(name, arguments, reader)
    os.close(reader)
    while at:
        before = len(net.log(log))
        os.write(writer, (spoken(turns[at], left[at].pop(0)) if left.get(at) else ":skip\n").encode())
        for _ in range(40_000):
            fresh = [line for line in net.log(log)[before:] if line["type"] in ("turn", "end")]
            if fresh:
                break
            sleep(0.003)
        else:
            raise TimeoutError(f"{name}: no turn follows {at}")
        at = fresh[-1]["went"]["to"] if fresh[-1]["type"] == "turn" else ""
    os.close(writer)
    ended()
    net.keep_files("logs", log)


def spoken(turn: dict[str, Any], text: str) -> str:
    if turn["kind"] == "choice":
        key = turn["key"][0] if isinstance(turn["key"], list) else turn["key"]
        return (key if text == "right" else distractors(turn)[0]) + "\n"
    return f"{' '.join(text.split())}\n" + (".\n" if turn["kind"] == "text" else "")


def check(net: Net) -> None:
    listed(net)
    for folder in sorted((net.cwd / "in" / "mutants").iterdir()):
        net.run(f"mutants/{folder.name}", "check", *(str(p.relative_to(net.cwd)) for p in sorted(folder.iterdir())))


def hostile(net: Net) -> None:
    """The hostile files that may stand beside a checkout."""
    for path in sorted((ROOT.parent / "shared" / "hostile" / "yaml").glob("*")):
        shutil.copy(path, net.cwd)
        net.run(path.stem, "check", path.name)


def solve(net: Net) -> None:
    lines: list[bytes] = []
    for n, (name, formula) in enumerate(of_bank(BANKS[0], "formulas").items()):
        rows = [({key: value for key, value in row.items() if key != "is"}, str(row["is"])) for row in formula["tests"]]
        lines += [dumped({"formula": name, "inputs": inputs}) for inputs, _ in rows]
        given = [f"{key}={value}" for key, value in rows[0][0].items()]
        net.run(f"text/{name}", "solve", name, *given)
        if n % 5 == 0:
            net.run(f"json/{name}", "solve", name, *given, "--json")
            find = ("solve", name, *given[1:], "--find", next(iter(rows[0][0])))
            net.run(f"find/{name}", *find, "--equals" if n % 2 else "--at-most", rows[0][1])
    lines += [
        dumped({"formula": "no_such"}),
        b"[]\n",
        b"{\n",
        dumped({"formula": "zero_bytes", "inputs": {"N": "many"}}),
    ]
    net.run("all.jsonl", "solve", "--stdin", typed=b"".join(lines).decode())
    attacks = (ROOT / "tests" / "formula" / "attacks.txt").read_text(encoding="utf-8").splitlines()
    for attack in [line.split("  ")[0] for line in attacks if "  ##" in line and line[0] not in "-re"][::4]:
        net.run(f"attacks/{hashlib.sha256(attack.encode()).hexdigest()[:8]}", "solve", "-e", attack, "x=3", "y=2.5")
    listed(net)


def reports(net: Net) -> None:
    net.run("exam", "exam", "staff-loop", "-o", "out", "--forms", "2", "--seed", "net", "--roster", "in/roster.csv")
    forms = json.loads((net.cwd / "out" / "manifest.json").read_text(encoding="utf-8"))["forms"]
    items, pool = all_items(), answers()
    (net.cwd / "answers").mkdir()
    for n, who in enumerate(("S1", "S2", "S3", "S4")):
        form, held = forms[n % len(forms)], []
        for place, one in enumerate(form["items"][n:]):
            given = [r["response"] for r in responses(items[one["item"]], pool, net.numbers)]
            right = one["kind"] != "text" and (place + n) % 3
            response = one["key"].partition(":")[0] if right else given[(place + n) % len(given)]
            held.append(
                {
                    "item": one["ref"],
                    "response": response,
                    "seconds": 20 + place,
                    "at": f"2026-11-27T09:{place:02d}:00Z",
                }
            )
        record = {
            "v": 1,
            "type": "answers",
            "form": form["code"],
            "candidate": who,
            "name": f"Name {who}",
            "responses": held,
        }
        text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        record["checksum"] = f"sha256:{'0' if n == 2 else hashlib.sha256(text.encode()).hexdigest()}"
        (net.cwd / "answers" / f"answers-{who}.json").write_bytes(dumped(record))
    with open(net.cwd / "sheet.csv", "w", newline="", encoding="utf-8") as file:
        rows = [["S1", forms[0]["code"], *"ABCDABCDABCDAB"], ["S2", "A", *"ab?", "", *"xDA ABCDAB"]]
        csv.writer(file).writerows([["candidate", "form", *range(1, 15)], *rows])
    listed(net)


def exports(net: Net) -> None:
    for to, ending in (one.split(".") for one in EXPORTS.split()):
        for bank in ("git", "phone-screen"):
            file = f"{bank}-{to}.{ending}"
            net.run(
                f"{to}/{bank}",
                "export",
                bank,
                "--to",
                to,
                "-o",
                file,
                "--moment",
                "2026-11-21T10:00:00Z",
                "--variants",
                "2",
            )
            net.keep_files(f"{to}/files", file, f"{file}.losses.txt")
        net.run(f"{to}/import", "import", f"git-{to}.{ending}", "-o", f"from-{to}", "--active")
        net.keep_files(f"{to}/imported", f"from-{to}")
        net.run(f"{to}/check", "check", f"from-{to}", "--quick")


def coach(net: Net) -> None:
    net.run(
        "plan-new", "plan", "--interview", "2026-12-09", "--minutes", "30", "--weight", "zero=2", "--rest", "2026-11-30"
    )
    for day in range(4):
        typed = "A\n12 GB\n.\n" * 20 if day % 2 else "B\n.\n" * 40
        net.run(f"list-{day}", "today", "--list", day=day)
        net.run(f"today-{day}", "today", "--seed", f"d{day}", "--log", f"logs/d{day}.jsonl", typed=typed, day=day)
        net.run(
            f"mock-{day}",
            "mock",
            "quick",
            "--seed",
            f"m{day}",
            "--log",
            f"logs/m{day}.jsonl",
            typed="B\nA\n" * 9,
            day=day,
        )
    listed(net, day=4)


def show(net: Net) -> None:
    listed(net)
    for bank in BANKS:
        for name, item in [*of_bank(bank).items()][::6]:
            given = next(r["response"] for r in responses(item, {}, net.numbers) if isinstance(r["response"], str))
            options = random.Random(name).choice(
                (["--candidate"], ["--json"], ["--seed", "two"], ["--response", given])
            )
            net.run(f"items/{bank}/{name}", "show", name, "--bank", bank, *options)


PARTS: dict[str, Callable[[Net], None]] = {
    "score": listed, "score-more": listed, "spellings": listed, "exam": exam, "mock": lambda net: sessions(net, MOCKS, False),
    "timed": lambda net: sessions(net, TIMED, True), "cases": cases, "check": check, "hostile": hostile, "solve": solve,
    "reports": reports, "exports": exports, "coach": coach, "show": show,
}  # fmt: skip
