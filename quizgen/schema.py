"""The JSON Schema of an item file, for editors (`quizgen check --schema`).

It says which fields there are and what they mean, so that an editor completes and explains them;
`quizgen check` finds far more than a schema can say.
"""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]


def _text(about: str) -> Schema:
    return {"type": ["string", "number", "boolean"], "description": about}


def _number(about: str) -> Schema:
    return {"type": ["number", "string"], "description": about}


def _list(about: str, of: Schema | None = None) -> Schema:
    return {"type": "array", "items": of or _text("an entry"), "description": about}


def _either(*schemas: Schema, about: str) -> Schema:
    return {"anyOf": list(schemas), "description": about}


def _mapping(fields: dict[str, Schema], about: str, required: tuple[str, ...] = ()) -> Schema:
    made: Schema = {"type": "object", "properties": fields, "additionalProperties": False, "description": about}
    return made | ({"required": list(required)} if required else {})


def _open(about: str, of: Schema | None = None) -> Schema:
    return {"type": "object", "additionalProperties": of if of is not None else True, "description": about}


SHARED: dict[str, Schema] = {
    "id": {
        "type": ["string", "number"],
        "pattern": "^[a-z0-9][a-z0-9-]*$",
        "description": "stable, unique in the bank",
    },
    "stem": _text("the text that poses the task: Markdown with $…$ maths; {N} prints a drawn value"),
    "topic": _text("content area; the file's `topic` by default"),
    "skill": _text("what it trains; items of one skill serve each other; default: the formula's name, else the id"),
    "difficulty": {"type": "integer", "minimum": 1, "maximum": 5, "description": "1 recall .. 5 design"},
    "seconds": _number("time budget"),
    "lines": _number("ruled lines to write on, on paper; default: by the seconds"),
    "source": _text("where a reader can look it up"),
    "rationale": _text("why the key is right"),
    "hints": _list("weakest first"),
    "given": _list("facts told on request"),
    "follow_ups": _list("ids of items to go on with"),
    "points": _number("default 1, or the rubric's sum"),
    "figure": _mapping(
        {
            "file": _text("an image beside the bank: PNG, JPEG, GIF, WebP or SVG"),
            "alt": _text("what it shows, in words"),
        },
        "an image below the stem",
        ("file", "alt"),
    ),
    "draw_figure": _open("a figure drawn from the givens: {kind: pipeline-schedule, p: p, m: m}; see docs/figures.md"),
    "solution_figure": _open("the same in the solution, where steps may be named too"),
    "stimulus": _text("the stimulus of the same file that this item is a part of"),
    "status": {"enum": ["active", "draft", "retired"], "description": "draft and retired stay out of new forms"},
    "todo": _list("what is still to be done or checked; `quizgen check` tells it"),
}

PHRASE = _either(
    _text("a phrase: slots, `prefix*`, `a|b`, {several words}"),
    _mapping(
        {
            "phrase": _text("the phrase"),
            "near": _text("sentence, answer or a number of words"),
            "ordered": {"type": "boolean"},
            "polarity": {"enum": ["assert", "negated", "any"]},
        },
        "a phrase with its own settings",
        ("phrase",),
    ),
    about="what a candidate may write",
)

CRITERION = _mapping(
    {
        "id": _text("named in scores and reports"),
        "points": _number("default 1"),
        "say": _text("what the criterion asks for, in the author's words"),
        "accept": _list("any one of these meets the criterion", PHRASE),
        "reject": _list("asserted, any one of these contradicts it", PHRASE),
        "number": _mapping(
            {"value": _number("the number"), "unit": _text("its unit"), "tolerance": _text("0, 5 or 1%")},
            "a number that meets the criterion",
            ("value",),
        ),
        "near": _text("sentence, answer or a number of words"),
        "ordered": {"type": "boolean", "description": "slots in the phrase's order"},
        "polarity": {"enum": ["assert", "negated", "any"]},
        "fuzzy": _text("off: no repair of misspelt words"),
        "explain": {"type": "boolean", "description": "a bare name earns half"},
        "probe": _text("what an interviewer asks when it was missed, without giving it away"),
        "of": _either(_text("a subject"), _list("subjects"), about="a reject counts where it is said of this subject"),
        "against": _either(_text("a subject"), _list("subjects"), about="the other side of a comparison"),
        "bare": {"type": "boolean", "description": "one word alone may earn two points or more"},
    },
    "one thing an answer must say",
    ("id",),
)

RUBRIC = _mapping(
    {
        "subjects": _open(
            "what statements can be about: name: phrases",
            _either(_text("a phrase"), _list("phrases"), about="what names it"),
        ),
        "criteria": _list("what earns points", CRITERION),
        "full_marks": _number("points that earn 100 %"),
        "groups": _list(
            "caps on criteria together", _mapping({"of": _list("criterion ids"), "at_most": _number("points")}, "a cap")
        ),
        "misconceptions": _list(
            "wrong ideas worth naming",
            _mapping(
                {
                    "id": _text("named in reports"),
                    "match": _either(PHRASE, _list("phrases", PHRASE), about="asserted, any of these is it"),
                    "penalty": _number("points taken"),
                    "say": _text("what the candidate is told"),
                },
                "a wrong idea",
                ("match",),
            ),
        ),
    },
    "how a text is scored",
    ("criteria",),
)

FORMULA = _mapping(
    {
        "title": _text("what it computes"),
        "source": _text("where it is from"),
        "inputs": _open("name: {is, unit, default, min, max, whole, one_of, list}", _open("an input")),
        "steps": _open("name: expression, in order; the last one is the answer", _text("an expression")),
        "unit": _text("the unit of the answer"),
        "misconceptions": _list(
            "wrong ways to compute it",
            _mapping(
                {
                    "id": _text("named in scores"),
                    "value": _text("an expression"),
                    "say": _text("what the candidate is told"),
                    "credit": _text("share of the points it still earns"),
                    "convention": _text("the convention by which it is right"),
                },
                "a wrong way",
                ("id", "value"),
            ),
        ),
        "convention": _text("what the number depends on"),
        "sanity": _text("a limit case that a candidate can check"),
        "tests": _list("inputs and the answer they must give", _open("inputs, and `is`")),
    },
    "a formula",
    ("inputs", "steps", "unit"),
)

KINDS: dict[str, tuple[dict[str, Schema], tuple[str, ...]]] = {
    "choice": (
        {
            "key": _either(_text("the right option"), _list("select all that apply"), about="the key"),
            "distractors": _list(
                "wrong options",
                _either(
                    _text("an option"),
                    _mapping({"text": _text("the option"), "because": _text("why it is wrong")}, "", ("text",)),
                    about="a distractor",
                ),
            ),
            "order": {"enum": ["ascending", "shuffled"], "description": "ascending: by number, else by letter"},
            "policy": {"enum": ["all", "net", "each"], "description": "how several keys earn"},
            "from": _text("a numeric item that gives key and distractors"),
        },
        (),
    ),
    "numeric": (
        {
            "after": _mapping(
                {"item": _text("the earlier part"), "as": _text("the input that its answer becomes")},
                "goes on from an earlier part; what follows from one's own number there earns full marks",
                ("item", "as"),
            ),
            "draw": _open("name: list of values, or {from, to, step}"),
            "cases": _list("rows of values that belong together", _open("name: value")),
            "require": _list("tests that a drawing must pass"),
            "formula": _either(_text("a formula's name"), FORMULA, about="how the key is derived"),
            "with": _open("inputs that the item fixes"),
            "answer": _mapping({"unit": _text("asked unit"), "tolerance": _text("1% by default")}, "the answer"),
            "find": _open("an inverse problem: {input: K, at_most: 80 GB}"),
            "credit": _open("slip id: share of the points it still earns"),
            "reads": _list(
                "how responses are read and scored in the first drawing; tried by `quizgen check`",
                _mapping(
                    {"text": _text("a response"), "is": {"enum": ["right", "wrong", "unreadable"]}},
                    "a response and what becomes of it",
                    ("text", "is"),
                ),
            ),
        },
        ("formula",),
    ),
    "text": (
        {
            "rubric": RUBRIC,
            "synonyms": _open("key: [other words]"),
            "model_answer": _text("an answer that earns full marks"),
            "answers": _list(
                "answers that `quizgen check` tries, never shown",
                _mapping(
                    {
                        "earns": _either(
                            _text("all, none or a share such as 50%"), _list("criterion ids"), about="what it must earn"
                        ),
                        "text": _text("the answer"),
                    },
                    "an answer and what it earns",
                    ("earns", "text"),
                ),
            ),
        },
        ("rubric",),
    ),
}


def item_schema() -> Schema:
    """JSON Schema 2020-12 of an item file."""
    branches = []
    for kind, (fields, required) in KINDS.items():
        own = {"kind": {"const": kind, "description": "how the item is answered and scored"}} | SHARED | fields
        needed = ("id", "kind") if kind == "choice" else ("id", "kind", "stem", *required)
        branches.append(_mapping(own, f"a {kind} item", needed))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "quizgen item file",
        "type": "object",
        "properties": {
            "topic": _text("the default topic of the items below"),
            "title": _text("a title for the file"),
            "synonyms": _open("key: [other words], for every text item of the file"),
            "stimuli": _list(
                "what several items are about, printed once",
                _mapping(
                    {
                        "id": _text("named by its parts"),
                        "text": _text("Markdown; {name} prints a drawn value"),
                        "draw": _open("name: list of values that all parts share"),
                        "cases": _list("rows of values that belong together", _open("name: value")),
                        "figure": _mapping(
                            {"file": _text("an image beside the bank"), "alt": _text("what it shows, in words")},
                            "an image below the text",
                            ("file", "alt"),
                        ),
                    },
                    "a stimulus",
                    ("id", "text"),
                ),
            ),
            "units": _open("unit or label: [how people write it], for every numeric item of the file"),
            "items": {"type": "array", "items": {"oneOf": branches}},
        },
        "required": ["items"],
        "additionalProperties": False,
    }
