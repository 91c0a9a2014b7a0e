"""Answers files of an exam as lines of a log, through the exam's manifest.

Letters are read by the order that the manifest holds, and written as option texts; refs become
item ids. What cannot be read is named by the number of the response.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from quizgen.intake.lines import Damaged, parse
from quizgen.intake.sources import Block, size_of
from quizgen.intake.tables import MAX_FILE, bytes_of, is_table
from quizgen.page import read_letters
from quizgen.source.problems import Unreadable, printable, shorten

MAX_ANSWERS = 8 << 20

Line = tuple[int, dict[str, Any]]
Fault = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Manifest:
    """The instructor's record of an exam: forms by label and by code, candidates by id, or by name where
    they have none."""

    bank: str
    digest: str
    exam: str
    blueprint: str
    pass_share: float | None
    bands: tuple[tuple[float, str, str], ...]
    forms: Mapping[str, Mapping[str, Any]]
    people: Mapping[str, Mapping[str, Any]]
    seed: str = ""
    title: str = ""
    minutes: float | None = None
    anchors: tuple[str, ...] = ()

    def form(self, name: str) -> Mapping[str, Any] | None:
        return self.forms.get(name.strip().upper())

    def form_of(self, who: str, sat: Mapping[str, str]) -> Mapping[str, Any] | None:
        """The form that a candidate was seen to have, else was dealt, else the only one there is."""
        dealt = sat.get(who) or str(self.people.get(who, {}).get("code") or "")
        found = self.form(dealt)
        if found is None and len({id(form) for form in self.forms.values()}) == 1:
            return next(iter(self.forms.values()))
        return found


def read_manifest(path: str) -> Manifest:
    """The manifest at a path. Raises Unreadable with what is wrong."""
    data = bytes_of(path, ", too large; quizgen exam writes manifest.json", 20 * MAX_FILE)
    try:
        found = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise Unreadable(f"{path}: not a manifest; quizgen exam writes manifest.json") from None
    try:
        forms: dict[str, Mapping[str, Any]] = {}
        wrong = _unfit(found)
        if wrong:
            raise Unreadable(f"{path}: not a manifest ({wrong}); quizgen exam writes manifest.json")
        for form in found["forms"]:
            forms[form["form"].upper()] = form
            forms[form["code"].upper()] = form
        return Manifest(
            bank=str(found["bank"]),
            digest=str(found.get("digest", "")),
            exam=str(found.get("exam", "")),
            blueprint=str(found.get("blueprint") or ""),
            pass_share=found.get("pass"),
            bands=tuple((b["from"], str(b["name"]), str(b.get("advice", ""))) for b in found.get("bands") or ()),
            forms=forms,
            people={str(c.get("id") or c["name"]): c for c in found.get("candidates") or ()},
            seed=str(found.get("seed") or ""),
            title=str(found.get("title") or ""),
            minutes=found.get("minutes"),
            anchors=tuple(str(name) for name in found.get("anchors") or ()),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise Unreadable(f"{path}: not a manifest ({error} is missing); quizgen exam writes manifest.json") from None


# What fields of a form, of an item on it and of a candidate must be. Those with None may be missing.
_NUMBER: Final = (int, float, type(None))
_TEXT: Final = (str, type(None))
_TYPES: Final[dict[str, dict[str, tuple[type, ...]]]] = {
    "form": {"form": (str,), "code": (str,), "seed": (str, int), "items": (list,), "minutes": _NUMBER},
    "item": {"n": (int,), "ref": (str,), "item": (str,), "kind": _TEXT, "points": _NUMBER, "given": (dict, type(None)),
             "after": _TEXT},
    "candidate": {"name": _TEXT, "id": _TEXT, "code": _TEXT, "number": (int, type(None))},
}  # fmt: skip


def _ill_typed(what: str, row: dict[str, Any]) -> str:
    for name, types in _TYPES[what].items():
        value = row.get(name) if type(None) in types else row[name]
        if type(value) not in types:
            return f"{name} of {what} {shorten(printable(json.dumps(value)))}"
    return ""


def _unfit(found: dict[str, Any]) -> str:
    """What is wrong with values that are reckoned with; an empty text where nothing is. Raises KeyError, TypeError."""
    items = [("item", item) for form in found["forms"] for item in form["items"]]
    rows = [*(("form", form) for form in found["forms"]), *items]
    rows += [("candidate", one) for one in found.get("candidates") or ()]
    wrong = next(filter(None, (_ill_typed(what, row) for what, row in rows)), "")
    if wrong:
        return wrong
    shares = [band["from"] for band in found.get("bands") or ()]
    if found.get("pass") is not None:
        shares.append(found["pass"])
    if not all(type(share) in (int, float) and 0 <= share <= 1 for share in shares):
        return "pass and bands must be shares from 0 to 1"
    options = [item.get("options") or [] for form in found["forms"] for item in form["items"]]
    if not all(type(shown) is list and all(type(text) is str for text in shown) for shown in options):
        return "options must be lists of texts"
    return ""


def is_answers(path: str) -> bool:
    """A file that an exam page saved, by its name and its first bytes."""
    if not path.endswith(".json"):
        return False
    try:
        with open(path, "rb") as file:
            return b'"answers"' in file.read(400)
    except OSError:
        return False


def manifest_beside(files: Iterable[str]) -> str | None:
    """The manifest in the folder of the answers files and sheets; None where there is none, or several."""
    folders = {Path(name).parent for name in files if is_answers(name) or is_table(name)}
    found = [place for folder in sorted(folders) if (place := folder / "manifest.json").is_file()]
    return str(found[0]) if len(found) == 1 else None


def who_of(found: Mapping[str, Any], manifest: Manifest) -> str:
    """Whose answers a file holds: a candidate of the roster by number, by id or by a name that only one has,
    whatever the case; else what was typed."""
    typed = str(found.get("candidate") or found.get("name") or "")[:400]
    if typed in manifest.people:
        return typed
    said = {" ".join(str(found.get(field) or "").split()).casefold() for field in ("candidate", "name")} - {""}
    number = found.get("number")
    for fits in (
        lambda one: number is not None and one.get("number") == number,
        lambda one: str(one.get("id")).casefold() in said,
        lambda one: str(one.get("name")).casefold() in said,
    ):
        keys = [key for key, one in manifest.people.items() if fits(one)]
        if len(keys) == 1:
            return keys[0]
    return typed


def answers(path: str, manifest: Manifest | None, exclude: bool = False) -> Block:
    """The responses of one answers file as one block; with `exclude` what stood at the deadline, where they
    were changed after it. The source number is the caller's to set."""
    try:
        if size_of(path) > MAX_ANSWERS:
            return block_of([], [(1, f"larger than {MAX_ANSWERS >> 20} MiB, too large for one candidate's answers")])
        found = parse_file(path)
        if manifest is None:
            return block_of([], [(1, "an answers file needs its exam's manifest; give --manifest DIR/manifest.json")])
        lines, faults = _answered(found, manifest, Path(path).name, exclude)
    except Damaged as error:
        return block_of([], [(1, str(error))])
    return block_of(lines, faults)


def checksum_of(found: dict[str, Any]) -> str:
    """The checksum that an object of ours should have: over all of it but the checksum itself."""
    body = {k: v for k, v in found.items() if k != "checksum"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def parse_file(path: str) -> dict[str, Any]:
    """The object of a JSON file. Unreadable where there is no such file, Damaged where it holds something else."""
    data = bytes_of(path)
    try:
        text = data.decode("utf-8-sig")
        found = parse(text) if len(text) < 200_000 else json.loads(text)
    except (UnicodeDecodeError, ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Damaged("not an answers file that can be read; ask for the file again")
    return found


def _answered(found: dict[str, Any], manifest: Manifest, name: str, exclude: bool) -> tuple[list[Line], list[Fault]]:
    code = found.get("form")
    form = manifest.form(code) if isinstance(code, str) else None
    if form is None:
        shown = shorten(printable(str(code)))
        raise Damaged(f'form "{shown}" is not in the manifest; is it of another exam?')
    faults: list[Fault] = []
    if found.get("checksum") != checksum_of(found):
        faults.append((1, "the checksum is wrong: damaged or edited after it was saved; scored as it stands"))
    who = who_of(found, manifest)
    session = f"{form['code']}/{who or name}"[:400]
    lines = [(0, session_line(session, who, form, manifest))]
    refs = {str(item["ref"]): item for item in form["items"]}
    responses = found.get("responses")
    if not isinstance(responses, list):
        raise Damaged("no list of responses")
    for number, one in enumerate(responses, 1):
        item = refs.get(str(one.get("item"))) if isinstance(one, dict) else None
        if item is None:
            ref = one.get("item") if isinstance(one, dict) else one
            shown = shorten(printable(str(ref)))
            faults.append((number, f'no item "{shown}" on form {form["code"]}'))
            continue
        given = (
            one.get("at_deadline") if exclude and one.get("late") and "at_deadline" in one else one.get("response", "")
        )
        line = response_line(session, who, form, item, resolved(given, item))
        for field in ("seconds", "at", "flagged", "late"):
            if one.get(field) is not None:
                line[field] = one[field]
        lines.append((number, line))
    return lines, faults


def session_line(session: str, who: str, form: Mapping[str, Any], manifest: Manifest) -> dict[str, Any]:
    return {
        "v": 1,
        "type": "session",
        "session": session,
        "candidate": who,
        "bank": manifest.bank,
        "digest": manifest.digest,
        "items": [item["item"] for item in form["items"]],
        "points": {item["item"]: item["points"] for item in form["items"] if item.get("points") is not None},
    }


def response_line(
    session: str, who: str, form: Mapping[str, Any], item: Mapping[str, Any], response: object
) -> dict[str, Any]:
    line: dict[str, Any] = {
        "v": 1,
        "type": "response",
        "session": session,
        "candidate": who,
        "item": item["item"],
        "seed": form["seed"],
    }
    if item.get("given"):
        line["given"] = item["given"]
    if item.get("points") is not None:
        line["points"] = item["points"]
    if item.get("after"):
        line["after"] = item["after"]
    line["response"] = response
    return line


def resolved(response: object, item: Mapping[str, Any]) -> object:
    """Letters as the texts of the options that the manifest has in that place."""
    options = item.get("options")
    if not options or not isinstance(response, (str, list)):
        return response
    pieces = [response] if isinstance(response, str) else response
    chosen: list[object] = []
    for piece in pieces:
        read = read_letters(piece, options) if isinstance(piece, str) else None
        chosen.extend(read if read is not None else [piece])
    return chosen[0] if len(chosen) == 1 else chosen if chosen else ""


def block_of(lines: list[Line], faults: list[Fault]) -> Block:
    given = {(line["session"], line["item"]): line["response"] for _, line in lines if "response" in line}
    for _, line in lines:
        before = line.pop("after", None)
        if before is not None and given.get((line["session"], before)) is not None:
            line["earlier"] = given[line["session"], before]
    data = "\n".join(json.dumps(line) for _, line in lines).encode()
    return Block(0, 1, len(data), data, numbers=tuple(n for n, _ in lines), faults=tuple(faults), read=len(data))
