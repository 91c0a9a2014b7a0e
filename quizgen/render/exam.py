"""A form to one HTML file that is both the paper and the screen edition.

A form shows an item's points, the number of its criteria and whether several options are asked
for; beyond its prompt it holds nothing that depends on a key, rubric, tolerance or rationale.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import Any

from markupsafe import Markup

from quizgen.blocks import Blank, Lines, Options
from quizgen.exam import Exam, points_text
from quizgen.render.answer_sheet import DrawnCode, answer_code, drawn_sheets
from quizgen.render.edition import Edition, about
from quizgen.render.figures import BadFigure, embedded
from quizgen.render.html import AreaPlace, Html, environment
from quizgen.render.layout import Layout, Placed
from quizgen.render.page import page
from quizgen.render.room import height
from quizgen.roster import Candidate, read_extra

STYLES = ("css/shared.css", "css/print.css", "css/sheet.css", "css/screen.css")
SCRIPTS = ("js/sha256.js", "js/store.js", "js/clock.js", "js/answers.js", "js/views.js", "js/exam.js")


@dataclass(frozen=True, slots=True)
class ShownItem:
    """One item as the template shows it."""

    number: int
    ref: str
    points: str
    about: str
    asks: str  # choice, number or text
    criteria: int
    prompt: Markup
    solution: Markup
    code: DrawnCode | None  # at an item that is answered in writing


@dataclass(frozen=True, slots=True)
class ExamPages:
    """Writes the forms of one exam. `report` takes (item id, message) of what cannot be shown."""

    exam: Exam
    edition: Edition
    report: Callable[[str, str], None]
    formulas: Markup

    def form(self, layout: Layout, who: Candidate | None = None, practice: bool = False) -> str:
        edition = replace(self.edition.of(who), practice=practice)
        if edition != self.edition:
            return replace(self, edition=edition).form(layout, who, practice)
        template = environment(edition.words).get_template("exam.html")
        return template.render(self.context(layout, who, practice))

    def context(self, layout: Layout, who: Candidate | None = None, practice: bool = False) -> dict[str, object]:
        """What the template is given."""
        rules = self.edition.rules(layout.form.code, who=f"{who.name} {who.id}".strip() if who else "")
        return {
            "page": page(STYLES, SCRIPTS, rules, self.edition.classes(), words=self.edition.words),
            "form": layout.form,
            "label": layout.label,
            "shown": self.shown(layout, who, practice),
            "edition": self.edition,
            "institution": self.exam.blueprint.institution,
            "formulas": self.formulas,
            "who": who,
        }

    def shown(self, layout: Layout, who: Candidate | None = None, practice: bool = False) -> dict[str, Any]:
        """What the template shows beside the form and the edition: sections with their items, answer sheets, words."""
        parts = []
        for section, placed in groupby(layout.placed, key=lambda p: p.entry.section):
            about = layout.form.sections[section]
            items = [self._item(p, who, practice) for p in placed]
            parts.append({"title": about.title, "items": items, "instructions": about.instructions})
        rows = [(p.number, len(p.area.options), p.area.several) for p in layout.placed if isinstance(p.area, Options)]
        return {
            "minutes": points_text(who.minutes(layout.form.minutes) if who else layout.form.minutes),
            "extra": _extra(who),
            "parts": parts,
            "items": [item for part in parts for item in part["items"]],
            "sheets": drawn_sheets(self.edition.kind(), layout.form.code, rows, who) if self.edition.sheet else (),
            "several": any(several for _, _, several in rows),
            "instructions": (*self.exam.blueprint.instructions, *self.edition.instructions),
            "logo": self._logo(),
        }

    def _item(self, placed: Placed, who: Candidate | None, practice: bool) -> ShownItem:
        variant = placed.entry.variant
        seconds = variant.item.seconds
        area = placed.area
        stem = height(placed.stem, self.edition.columns())
        if isinstance(area, Lines):
            lines, criteria = self.edition.text_lines(seconds, stem), area.criteria
        else:
            lines, criteria = self.edition.working_lines(seconds, stem), 0
        if variant.item.lines is not None and area is not None:
            lines = variant.item.lines
        html = Html(self.exam.bank.root, lambda message: self.report(variant.item.id, message), self.edition.words)
        coded = self.edition.sheet and not practice and isinstance(area, (Blank, Lines))
        shown = html.blocks(placed.stem)
        if area is not None:
            shown += html.block(area, AreaPlace(placed.number, lines))
        return ShownItem(
            number=placed.number,
            ref=placed.ref,
            points=points_text(placed.entry.possible),
            about=about(seconds),
            asks="text" if isinstance(area, Lines) else "number" if isinstance(area, Blank) else "choice",
            criteria=criteria,
            prompt=shown,
            solution=html.blocks(variant.solution()) if practice else Markup(),
            code=answer_code(self.edition.kind(), placed.ref, who, lines) if coded else None,
        )

    def _logo(self) -> str:
        """The institution's picture as an address; empty where there is none, or it cannot be used."""
        if not self.exam.blueprint.logo:
            return ""
        try:
            return embedded(self.exam.bank.root, self.exam.blueprint.logo)
        except BadFigure as error:
            self.report("logo", str(error))
            return ""


def _extra(who: Candidate | None) -> str:
    """`25 %` or `10 minutes`; empty where there is none."""
    share, more = (read_extra(who.extra) if who and who.extra else None) or (Fraction(), Fraction())
    if share:
        return f"{points_text(share * 100)} %"
    return f"{points_text(more)} {'minute' if more == 1 else 'minutes'}" if more else ""
