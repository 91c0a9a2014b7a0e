"""Finds banks by name or path and loads each as a `Bank` with its problems."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from quizgen import data_folders
from quizgen.data_folders import BANK_SUBFOLDERS
from quizgen.source.problems import Unreadable, did_you_mean, printable, shorten, similar_names

if TYPE_CHECKING:  # `solve` needs only the formula files of a bank
    from pathlib import Path

    from quizgen.bank.reader import LoadedBank


class BankNotFound(Unreadable):
    """There is no bank with this name or path; the message has the name and a hint."""


def find_bank_path_and_part_name(argument: str) -> tuple[Path, str]:
    """The folder or file of a bank, and the blueprint or case that `argument` names in it (or an empty text).

    A path takes precedence, then a shipped bank's name, `BANK/NAME`, or the name of a blueprint or case that only one
    shipped bank has. Raises BankNotFound, also if the system cannot look up the path."""
    from pathlib import Path

    path = Path(argument)
    try:
        is_path = bool(argument) and path.exists()
    except OSError as error:
        raise BankNotFound(f"{shorten(printable(argument), 200)}: {error.strerror}; name another path") from None
    if is_path:
        return (path.parent.parent, path.stem) if path.is_file() and path.parent.name in BANK_SUBFOLDERS else (path, "")
    banks_folder, names = data_folders.shipped_folder_path("banks"), data_folders.shipped_bank_names()
    head, _, tail = argument.rpartition("/")
    if argument in names:
        return banks_folder / argument, ""
    for folder in (*[banks_folder / head] * (head in names), *[Path(head)] * bool(head)):
        if _has_blueprint_or_case(folder, tail):
            return folder, tail
    owners = [bank for bank in names if _has_blueprint_or_case(banks_folder / bank, argument)]
    if len(owners) == 1:
        return banks_folder / owners[0], argument
    lists = "topics and blueprints: quizgen list topics, quizgen list blueprints"
    all_names = f"banks that ship: {', '.join(names) or 'none'}; {lists}"
    hint = _similar_name_hint(argument, head, banks_folder, names) or all_names
    if re.search(r"^[./~]|(\.ya?ml|/)$", argument):  # meant as a path
        hint = "there is no such file or folder"
    raise BankNotFound(f'no bank or blueprint "{shorten(printable(argument), 60)}"; {hint}')


def find_only_shipped_name_containing(name: str) -> str:
    """The only shipped bank, blueprint or case whose name contains the words of `name`, such as drill-zero for zero;
    empty if there are none or several."""
    names = [*data_folders.shipped_bank_names(), *shipped_blueprint_and_case_names()]
    matches = [one for one in names if f"-{name.casefold()}-" in f"-{one}-"]
    return matches[0] if len(matches) == 1 else ""


def require_findable_bank_name_in_session_line(first_line: Mapping[str, object]) -> str:
    """The bank that a session's first line names. Raises BankNotFound, with the folder to which its path is relative,
    if it cannot be found from here."""
    bank = str(first_line.get("bank", ""))
    try:
        find_bank_path_and_part_name(bank)
    except BankNotFound:
        folder = f"{printable(str(first_line['folder']))}," if first_line.get("folder") else "the folder"
        place = f"here; go to {folder} where the session was started"
        place = "here any more; put it back" if first_line.get("folder") == os.getcwd() else place
        raise BankNotFound(f'no bank "{shorten(printable(bank), 60)}" {place}, or name the bank by its path') from None
    return bank


def _has_blueprint_or_case(bank: Path, name: str) -> bool:
    """Whether a bank has a blueprint or a case with this name."""
    return any((bank / folder / f"{name}.yaml").is_file() for folder in BANK_SUBFOLDERS)


def _similar_name_hint(argument: str, bank_name: str, banks_folder: Path, shipped_names: tuple[str, ...]) -> str:
    """A did-you-mean hint for `argument`, whose part before the last slash is `bank_name`: a blueprint or case of the
    bank `bank_name`, or else a shipped bank (`shipped_names`), blueprint or case; empty if no name is similar."""
    from pathlib import Path

    bank_path = banks_folder / bank_name if bank_name in shipped_names else Path(bank_name)
    if bank_name and (bank_path / "blueprints").is_dir():
        names = sorted(p.stem for folder in BANK_SUBFOLDERS for p in (bank_path / folder).glob("*.yaml"))
        printable_name, hint = printable(bank_name), did_you_mean(argument[len(bank_name) + 1 :], names)
        return hint.replace('"', f'"{printable_name}/', 1) if hint else f"{printable_name} has {', '.join(names)}"
    other_names = shipped_blueprint_and_case_names()
    hint = did_you_mean(argument, [*shipped_names, *other_names])
    words = similar_names(argument, other_names)
    return hint if hint or not words else f"did you mean {' or '.join(words)}?"


def shipped_blueprint_and_case_names(folders: Iterable[str] = BANK_SUBFOLDERS) -> list[str]:
    """The names of the blueprints and cases in the `folders` of all shipped banks."""
    roots = [data_folders.shipped_folder_path("banks") / name for name in data_folders.shipped_bank_names()]
    return sorted({path.stem for root in roots for folder in folders for path in (root / folder).glob("*.yaml")})


def load_bank(path_or_name: str, parses_everything: bool = False, index_folder: Path | None = None) -> LoadedBank:
    """The bank at a path, or the shipped bank with this name. Raises BankNotFound if there is neither.

    A formula is parsed when an item uses it; with `parses_everything` all are parsed, and their problems reported. With
    `index_folder`, the folder of indexes, a large bank without problems is read through its index, and its items too
    are parsed only when they are used."""
    from quizgen.bank.index import load_and_index_bank
    from quizgen.bank.reader import BankReader

    path, name = find_bank_path_and_part_name(path_or_name)
    reader = BankReader(path, path_or_name, parses_everything)
    loaded = load_and_index_bank(reader, index_folder) if index_folder is not None and path.is_dir() else reader.read()
    if not name or loaded.bank is None:
        return loaded
    if (blueprint := loaded.bank.blueprint_by_name.get(name)) is not None:
        return replace(loaded, named_blueprint=blueprint)
    case = reader.case_by_id.get(name)  # this reads the case and reports its problems
    return replace(loaded, named_case=case, problems=reader.sorted_problems())
