"""The real programs read what is exported: a third of the items of each shipped bank."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from quizgen.interchange import registry
from quizgen.interchange.export import export_items
from quizgen.portable_item import decimal
from tests.interchange.made import BANKS, MOMENT, about, exported, part, plains, read


def sent(name: str, form: str) -> dict[str, Any]:
    """The neutral forms that went out, by name."""
    refuses = registry.load_exporter(form).refusal_reason
    return {p.id_with_variant: p for p in plains(part(name)) if not refuses(p)}


@pytest.fixture
def collection(tmp_path: Path) -> Any:
    """An empty collection of Anki's own."""
    anki = pytest.importorskip("anki.collection", reason="the package anki is not installed")
    made = anki.Collection(str(tmp_path / "collection.anki2"))
    yield made
    made.close()


def into_anki(collection: Any, data: bytes, folder: Path) -> dict[str, int]:
    from anki.collection import ImportAnkiPackageOptions, ImportAnkiPackageRequest

    path = folder / "deck.apkg"
    path.write_bytes(data)
    options = ImportAnkiPackageOptions(merge_notetypes=False)
    log = collection.import_anki_package(ImportAnkiPackageRequest(package_path=str(path), options=options)).log
    return {name: len(getattr(log, name)) for name in ("new", "updated", "duplicate", "conflicting")}


@pytest.mark.parametrize("name", BANKS)
def test_anki_takes_every_note_and_a_second_import_adds_none(name: str, collection: Any, tmp_path: Path) -> None:
    items = sent(name, "anki")
    got = into_anki(collection, exported(name, "anki").file_bytes, tmp_path)
    assert got == {"new": len(items), "updated": 0, "duplicate": 0, "conflicting": 0}
    for number in collection.find_notes(""):
        note = collection.get_note(number)
        item = items[note["Id"]]
        assert len(re.findall("<li>", note["Options"])) == len(item.options)
        assert set(note.tags) >= {item.topic, f"seconds-{item.seconds}"}
        shown = note.cards()[0].question()
        assert "{{" not in shown, "every field of the template is there"
        assert shown.count("\\(") == sum(note[field].count("\\(") for field in ("Front", "Options", "Hints"))
    again = into_anki(collection, exported(name, "anki").file_bytes, tmp_path)
    assert (again["new"], again["conflicting"]) == (0, 0)
    assert collection.note_count() == len(items)


def test_anki_updates_an_edited_item_and_keeps_what_the_user_edited_later(collection: Any, tmp_path: Path) -> None:
    items = part("git")
    into_anki(collection, exported("git", "anki").file_bytes, tmp_path)
    edited = [replace(items[0], rationale="A new reason."), *items[1:]]
    newer = export_items(edited, registry.load_exporter("anki"), about("git", MOMENT + 60), 1).file_bytes
    got = into_anki(collection, newer, tmp_path)
    assert (got["new"], got["updated"]) == (0, len(items))
    note = collection.get_note(collection.find_notes(f"Id:{items[0].id}")[0])
    assert "A new reason." in note["Why"]
    note["Why"] = "My own."
    collection.update_note(note)
    into_anki(collection, newer, tmp_path)
    assert collection.get_note(note.id)["Why"] == "My own."


@pytest.mark.parametrize("name", BANKS)
def test_anki_takes_every_row_of_the_text_format(name: str, collection: Any, tmp_path: Path) -> None:
    from anki.collection import ImportCsvRequest

    path = tmp_path / "deck.tsv"
    path.write_bytes(exported(name, "anki-tsv").file_bytes)

    def once() -> Any:
        metadata = collection.get_csv_metadata(path=str(path), delimiter=None)
        return collection.import_csv(ImportCsvRequest(path=str(path), metadata=metadata)).log

    first = once()
    assert len(first.new) == first.found_notes == len(sent(name, "anki-tsv"))
    assert len(once().new) == 0
    assert collection.note_count() == first.found_notes


def test_what_anki_itself_writes_is_read(collection: Any, tmp_path: Path) -> None:
    """Today's package holds a decoy beside the compressed collection."""
    from anki.collection import ExportAnkiPackageOptions

    into_anki(collection, exported("git", "anki").file_bytes, tmp_path)
    basic = collection.new_note(collection.models.by_name("Basic"))
    basic["Front"], basic["Back"] = "How long is a day?", "24 h"
    collection.add_note(basic, collection.decks.id("Default"))
    cloze = collection.new_note(collection.models.by_name("Cloze"))
    cloze["Text"] = "A {{c1::commit::object}} names its {{c2::parents}}."
    collection.add_note(cloze, collection.decks.id("Times::Days"))
    both = collection.new_note(collection.models.by_name("Basic (and reversed card)"))
    both["Front"], both["Back"] = "Idempotent", "Twice is as once"
    collection.add_note(both, collection.decks.id("Default"))
    for legacy in (False, True):
        path = tmp_path / f"out-{legacy}.apkg"
        options = ExportAnkiPackageOptions(with_scheduling=True, legacy=legacy)
        collection.export_anki_package(out_path=str(path), options=options, limit=None)
        found = read(path.read_bytes(), "anki")
        items = found.items
        assert len(items) == len(part("git")) + 4
        assert found.messages == ("second cards of a note, such as its reverse, are not imported: 1 of them",)
        by_stem = {item.stem: item for item in items}
        assert by_stem["How long is a day?"].numeric_key.value == 24
        assert by_stem["A [object] names its parents."].model_answer == "commit"
        assert by_stem["A commit names its […]."].topic == "Days"


def test_gift_pegjs_reads_every_question(tmp_path: Path) -> None:
    modules = os.environ.get("QUIZGEN_NODE_MODULES", "")
    if not modules or not shutil.which("node"):
        pytest.skip("gift-pegjs is not here: npm install gift-pegjs, and name its folder in QUIZGEN_NODE_MODULES")
    program = (
        "const {parse} = require('gift-pegjs'); const fs = require('fs');"
        "console.log(JSON.stringify(process.argv.slice(1).map(f => parse(fs.readFileSync(f, 'utf8')))))"
    )
    paths = []
    for name in BANKS:
        paths.append(tmp_path / f"{name}.gift")
        paths[-1].write_bytes(exported(name, "gift").file_bytes)
    here = {**os.environ, "NODE_PATH": modules}
    command = ["node", "-e", program, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=here)
    kinds = {"choice": "MC", "numeric": "Numerical", "text": "Essay"}
    for name, questions in zip(BANKS, json.loads(done.stdout), strict=True):
        items = sent(name, "gift")
        read_ = {q["title"]: q for q in questions if q["type"] != "Category"}
        assert set(read_) == set(items)
        for title, q in read_.items():
            item = items[title]
            assert q["type"] == kinds[item.kind]
            assert q["id"] == title
            if item.kind == "choice":
                right = [c["isCorrect"] or (c["weight"] or 0) > 0 for c in q["choices"]]
                assert right == [o.is_right for o in item.options]
            if item.kind == "numeric":
                first = q["choices"][0]["text"]
                assert abs(first["number"] - float(decimal(item.number.value))) <= 1e-9 * abs(first["number"])


def canvas_items(data: bytes) -> dict[str, dict[str, Any]]:
    """What a Canvas package says of each question, by title: kind, points, options with the key, limits."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        texts = [archive.read(n) for n in archive.namelist() if n.endswith(".xml")]
    roots = [ElementTree.fromstring(re.sub(rb' xmlns="[^"]+"', b"", t)) for t in texts]
    found: dict[str, dict[str, Any]] = {}
    for node in next(r for r in roots if r.tag == "questestinterop").iter("item"):
        fields = {f.findtext("fieldlabel"): f.findtext("fieldentry") for f in node.iter("qtimetadatafield")}
        scored = next((c for c in node.iter("respcondition") if c.find("setvar") is not None), None)
        no = {v.text for n in node.iter("not") for v in n.iter("varequal")}
        keys = {v.text for v in scored.iter("varequal")} - no if scored is not None else set()
        labels = [n for n in node.iter("response_label") if n.find("material") is not None]
        tags = ("vargte", "varlte") if scored is not None and not labels else ()
        limits = [float(scored.findtext(f".//{tag}")) for tag in tags]
        found[node.get("title", "")] = {
            "kind": fields["question_type"],
            "points": float(fields["points_possible"] or 0),
            "keys": [n.get("ident") in keys for n in labels],
            "limits": limits,
        }
    return found


@pytest.mark.parametrize("name", BANKS)
def test_text2qti_makes_of_markdown_what_we_make(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It reads figures from the folder of the file; all of them are in its package."""
    text2qti = pytest.importorskip("text2qti.qti", reason="text2qti is not installed")
    from text2qti.config import Config
    from text2qti.quiz import Quiz

    made = exported(name, "markdown")
    for figure, data in made.figure_bytes_by_path.items():
        (tmp_path / figure).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    quiz = Quiz(made.file_bytes.decode("utf-8"), config=Config(), source_name=f"{name}.md")
    path = tmp_path / "theirs.zip"
    text2qti.QTI(quiz).save(path)
    with zipfile.ZipFile(path) as archive:
        held = [archive.read(entry) for entry in archive.namelist() if entry.startswith("images/")]
    assert sorted(held) == sorted(set(made.figure_bytes_by_path.values()))
    theirs, ours = canvas_items(path.read_bytes()), canvas_items(exported(name, "qti12").file_bytes)
    assert set(theirs) == set(sent(name, "markdown"))
    for title, item in theirs.items():
        mine = dict(ours[title])
        if item["kind"] == "true_false_question":
            item = {**item, "kind": "multiple_choice_question"}
        # text2qti rounds to four decimals
        assert item.pop("limits") == pytest.approx(mine.pop("limits"), rel=1e-3, abs=1.1e-4), title
        assert item == mine, title


@pytest.mark.parametrize("name", BANKS)
def test_a_reader_of_moodle_xml_that_is_not_ours_finds_every_choice(name: str) -> None:
    """moodle-xml-parser knows no numerical and essay questions: those are counted only."""
    parser = pytest.importorskip("moodle_xml_parser.parser", reason="moodle-xml-parser is not installed")
    data = exported(name, "moodle").file_bytes
    items = sent(name, "moodle")
    choices = {q.name: q for q in parser.parse_bytes(data)["multichoice"]}
    assert set(choices) == {n for n, item in items.items() if item.kind == "choice"}
    for title, q in choices.items():
        assert [o.score_fraction > 0 for o in q.options] == [o.is_right for o in items[title].options], title
    kinds = Counter(q.get("type") for q in ElementTree.fromstring(data).iter("question"))
    wanted = Counter({"choice": "multichoice", "numeric": "numerical", "text": "essay"}[i.kind] for i in items.values())
    assert kinds - Counter({"category": 1}) == wanted


@pytest.fixture(scope="module")
def sessions() -> Callable[[bytes], Any]:
    """Items of QTI 2.1 in pyslet's engine: from the bytes of a file to a function that gives SCORE and FEEDBACK of
    what a candidate responds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it was written for older Pythons
        pytest.importorskip("pyslet.qtiv2.xml", reason="pyslet is not installed")
        from pyslet.qtiv2 import expressions
        from pyslet.qtiv2.variables import ItemSessionState
        from pyslet.qtiv2.xml import QTIDocument

        # The schema has a list here, the engine counts its members, and its reader forgets to split it.
        expressions.Equal.XMLATTR_tolerance = ("tolerance", str, str, list)
        expressions.Equal.float_or_template_ref = lambda self, state, value: float(value)

    def opened(data: bytes) -> Any:
        document = QTIDocument()
        document.read(src=io.BytesIO(data))

        def responded(response: object) -> tuple[float, str | None]:
            state = ItemSessionState(document.root)
            state.begin_session()
            state["RESPONSE"].set_value(response)
            state.end_attempt()
            said = state["FEEDBACK"].value if "FEEDBACK" in state else None
            return state["SCORE"].value, said if isinstance(said, str) else None

        return responded

    return opened


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning:pyslet")
@pytest.mark.parametrize("name", BANKS)
def test_an_engine_for_qti_21_marks_as_we_do(name: str, sessions: Callable[[bytes], Any]) -> None:
    """The key earns all; just inside the tolerance too, just outside and known mistakes nothing, and a mistake is
    told what it is; one wrong option more earns nothing, or right less wrong where several are right (`each` is
    not carried and goes out as that)."""
    items = sent(name, "qti21")
    counts: Counter[str] = Counter()
    with zipfile.ZipFile(io.BytesIO(exported(name, "qti21").file_bytes)) as archive:
        for title, item in items.items():
            responded = sessions(archive.read(f"items/{title}.xml"))
            counts[item.kind] += 1
            points = float(item.points)
            if item.kind == "choice":
                nodes = ElementTree.fromstring(archive.read(f"items/{title}.xml")).iter()
                letters = [node.get("identifier") for node in nodes if node.tag.endswith("simpleChoice")]
                ids = dict(zip(letters, item.options, strict=True))
                keys = [one for one, option in ids.items() if option.is_right]
                several = len(keys) > 1
                assert responded(keys if several else keys[0])[0] == points, title
                less = points * (len(keys) - 1) / len(keys) if several and item.credit_policy != "all" else 0
                for one in ids.keys() - keys:
                    assert responded([*keys, one] if several else one)[0] == pytest.approx(less), title
            if item.number is not None:
                value, tolerance = float(item.number.value), float(item.number.margin / abs(item.number.value or 1))
                assert responded(value)[0] == points, title
                if tolerance and value:
                    edges = [responded(value * (1 + part * tolerance))[0] for part in (0.99, -0.99, 1.01, -1.01)]
                    assert edges == [points, points, 0, 0], title
                mistakes = [mistake for mistake, _ in item.number.mistakes]
                for one in mistakes:
                    like = [f"M{n}" for n, other in enumerate(mistakes, 1) if abs(other - one) <= abs(one) / 1000]
                    assert responded(float(one)) in [(0, said) for said in like], title
    assert counts == Counter(item.kind for item in items.values())


@pytest.mark.slow
@pytest.mark.parametrize("name", BANKS)
def test_a_converter_takes_every_item_of_qti_21_to_qti_3(name: str, tmp_path: Path) -> None:
    """Cito's: with the options, the keys and the points."""
    modules = Path(os.environ.get("QUIZGEN_NODE_MODULES", ""))
    program = modules / "@citolab" / "qti-convert" / "dist" / "qti-convert-pkg.mjs"
    if not program.is_file() or not shutil.which("node"):
        pytest.skip("no converter: npm install @citolab/qti-convert, and name its folder in QUIZGEN_NODE_MODULES")
    (tmp_path / "bank.zip").write_bytes(exported(name, "qti21").file_bytes)
    subprocess.run(["node", str(program), "bank.zip"], cwd=tmp_path, check=True, capture_output=True, timeout=280)
    items = sent(name, "qti21")
    with zipfile.ZipFile(tmp_path / "bank-qti3.zip") as archive:
        files = [file for file in archive.namelist() if file.startswith("items/")]
        assert {Path(file).stem for file in files} == set(items)
        for file in files:
            root, item = ElementTree.fromstring(archive.read(file)), items[Path(file).stem]
            nodes = [(node.tag.rpartition("}")[2], node) for node in root.iter()]
            options = [node.get("identifier") for tag, node in nodes if tag == "qti-simple-choice"]
            found = [node.text for tag, parent in nodes if tag == "qti-correct-response" for node in parent]
            keys = [letter for letter, o in zip(options, item.options, strict=True) if o.is_right]
            assert found == (keys or ([decimal(item.number.value)] if item.number else []))


def test_every_file_of_the_qti_21_package_is_well_formed_and_keeps_to_its_names() -> None:
    """No package on PyPI or npm holds the schema: what it asks of identifiers and of the order is held here."""
    order = ["responseDeclaration", "outcomeDeclaration", "itemBody", "responseProcessing", "modalFeedback"]
    for name in BANKS:
        with zipfile.ZipFile(io.BytesIO(exported(name, "qti21").file_bytes)) as archive:
            assert "imsmanifest.xml" in archive.namelist()
            files = [n for n in archive.namelist() if n.startswith("items/")]
            assert len(files) == len(sent(name, "qti21"))
            for file in files:
                root = ElementTree.fromstring(archive.read(file))
                assert re.fullmatch(r"[A-Za-z_][\w.-]*", root.get("identifier", ""))
                tags = [child.tag.rpartition("}")[2] for child in root]
                assert tags == sorted(tags, key=order.index)
                body = {child.tag.rpartition("}")[2] for child in next(c for c in root if c.tag.endswith("itemBody"))}
                assert body <= {"div", "p", "choiceInteraction", "extendedTextInteraction", "rubricBlock"}
