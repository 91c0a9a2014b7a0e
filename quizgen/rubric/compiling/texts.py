"""What a rubric learns from the stem and the model answer before it scores anything."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from quizgen.rubric.compiling.rivals import contrasts, named_together, stem_pairs
from quizgen.rubric.context.polarity import DENIED, stance
from quizgen.rubric.pattern.examples import Examples
from quizgen.rubric.pattern.index import Index, Probe, key_of
from quizgen.rubric.reading.match import Window, windows
from quizgen.rubric.reading.passage import Hit
from quizgen.rubric.reading.reading import TextReading, read_response
from quizgen.rubric.rubric import ACCEPT, ANY, ASSERT
from quizgen.rubric.text.fold import fold
from quizgen.rubric.text.lexicon import AVERTING, CONTENT, FUNCTION, STRONG, order_class, words
from quizgen.rubric.text.stem import stem
from quizgen.rubric.text.tokens import words_of


def learn_texts(index: Index) -> None:
    """The words of both texts, which phrases are matched either way, and which way round phrases are said."""
    rubric = index.rubric
    for word in words_of(rubric.model_answer):
        key = _key(word)
        if word not in FUNCTION and key not in index.references and len(index.references) < 60:
            index.references[key] = 1 << len(index.references)
    count = len(index.references)
    index.shares = tuple([round(there / count, 2) for there in range(count + 1)]) if count else ()
    said = words_of(rubric.model_answer)
    index.model_words = tuple(key_of(w) for w in said)
    index.model_set = frozenset(index.model_words)
    index.model_content_words = tuple(key_of(w) for w in said if order_class(w) == CONTENT)
    model = read_response(index, fold(rubric.model_answer))
    index.openers = _openers(index, model)
    _settle_polarity(index, model)
    for place, criterion in enumerate(rubric.criteria):
        if criterion.say:
            _settle_polarity(index, read_response(index, fold(criterion.say)), place)
    stems = words_of(rubric.stem)
    index.own_references = (1 << count) - 1
    index.contrasting = contrasts(stems)
    index.listing = _asks_for_names(stems)
    index.stem_pairs = stem_pairs(stems)
    index.stem_grams = frozenset(tuple(stems[i : i + 4]) for i in range(len(stems) - 3))
    if stems:
        given: dict[int, int] = {}
        reading = read_response(index, fold(rubric.stem))
        index.own_references &= ~reading.said
        index.named_together = named_together(reading)
        for probe, hits in reading.hits.items():
            for _, _, slot, _ in hits:
                given[probe] = given.get(probe, 0) | 1 << slot
        for place, bits in given.items():
            index.probes[place] = replace(index.probes[place], given=bits)
    if rubric.wrong:
        right = (rubric.model_answer, *(c.say for c in rubric.criteria), *rubric.right)
        index.examples = Examples(_stems(index, [rubric.stem]), _stems(index, right), _stems(index, rubric.wrong))


def _stems(index: Index, texts: Iterable[str]) -> list[list[str]]:
    return [read_response(index, fold(text)).stems for text in texts]


def _key(word: str) -> str:
    """The stem of a word; "Dijkstra's" is "Dijkstra"."""
    return stem(word.removesuffix("'s"))


def _openers(index: Index, model: TextReading) -> tuple[int, ...]:
    """Phrases of two or three slots that the model answer says in one segment, first slot first."""
    found: list[int] = []
    for number, hits in sorted(model.hits.items()):
        probe = index.probes[number]
        if probe.kind == ACCEPT and 2 <= probe.size <= 3:
            for window in windows(model, number, probe, hits)[:1]:
                first, last = (bisect_right(model.segments, p) for p in (window.first, window.last))
                if first == last and window.first == window.hits[0][0]:
                    found.append(number)
    return tuple(found)


def _settle_polarity(index: Index, model: TextReading, owner: int = -1) -> None:
    """What the model answer itself, or the `say` of a criterion, denies ("the list is not sorted") or averts ("keeps
    packets from looping") is no phrase to lose points for denying: such a phrase is matched either way. Where it
    denies one word of several, a denial of that word is what it asks for."""
    for number, hits in sorted(model.hits.items()):
        probe = index.probes[number]
        if probe.kind == ACCEPT and probe.polarity == ASSERT and not probe.negator and owner in (-1, probe.owner):
            said = windows(model, number, probe, hits)
            if said and all(_averted(model, w) or stance(model, w).kind == DENIED for w in said):
                index.probes[number] = replace(probe, polarity=ANY)
            elif probe.size > 1 and model.told.stirred:
                denied = _denied_words(model, number, probe, hits)
                if denied:
                    index.denied[number] = denied


def _denied_words(model: TextReading, number: int, probe: Probe, hits: list[Hit]) -> frozenset[str]:
    """Stems of a phrase that stand in the model answer as denied ones only, in a statement that speaks of the rest
    of the phrase too: "A does not work; B copes" denies nothing of B."""
    found: tuple[dict[str, None], dict[str, None]] = ({}, {})
    breaks = sorted({*model.sentences, *(place for place, cue, _ in model.marks if cue == STRONG)})
    for hit in hits:
        at = bisect_right(breaks, hit[0])
        if len({h[2] for h in hits if bisect_right(breaks, h[0]) == at}) < probe.size:
            continue
        denied = stance(model, Window(number, hit[0], hit[1], (hit,))).kind == DENIED
        found[denied].update(dict.fromkeys(model.entries[hit[0]].forms))
    return frozenset(found[True]) - frozenset(found[False])


def _averted(model: TextReading, window: Window) -> bool:
    """ "It keeps packets from looping", "prevents …", "otherwise it would …": the thing does not happen."""
    start = model.clause_bounds(window.first)[0]
    plain = [model.entries[p].plain for p in range(start, window.last)]
    matched = {model.entries[p].plain for h in window.hits for p in range(h[0], h[1] + 1)}
    if any(word in AVERTING and word not in matched for word in plain):
        return True
    keeps = any(word in ("keep", "keeps", "kept", "keeping") for word in plain)
    return keeps and "from" in plain and "from" not in matched


_NAME: Final = frozenset(words("name list state enumerate mention give"))
_SEVERAL: Final = frozenset(words("two three four five six seven eight nine ten"))
_MORE: Final = frozenset(words("why how explain describe compare justify say tell"))


def _asks_for_names(stem: list[str]) -> bool:
    """ "State at least four of the differences": a list of terms is an answer, unless more is to be said of them."""
    named = any(
        word in _NAME and any(w in _SEVERAL or w.isdigit() for w in stem[at + 1 : at + 5])
        for at, word in enumerate(stem)
    )
    return named and _MORE.isdisjoint(stem)
