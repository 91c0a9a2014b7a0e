"""What responses show about items, for their authors: `quizgen check --with LOG`.

Each finding compares the responses with what the item declares, and names the field concerned. A finding that chance
alone would often produce is left out: difficulties and times must differ beyond their 95 % intervals, the rest must
have a flag."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from quizgen.analysis.item_statistics import ItemStatistics, Statistics
from quizgen.model import Item

MIN_RESPONSES_FOR_FINDING = 10  # responses needed before anything is said about an item
MIN_ITEMS_OF_SAME_DIFFICULTY = 3  # other items needed for the usual share of a declared difficulty
UNEXPLAINED_WRONG_NUMBER_SUFFIX = " times the key"  # ending of a wrong number that no misconception explains
MAX_TIME_BUDGET_MULTIPLE = 1.2  # reported when half of the candidates need more than this multiple of the time budget
MAX_LISTED_WRONG_NUMBERS = 3  # wrong numbers listed for an item


@dataclass(frozen=True, slots=True)
class ItemFinding:
    """One finding: the item, the path of the field (names and texts), what was observed, and the remedy."""

    item: str
    field_path: tuple[str, ...]
    message: str
    hint: str


def item_findings(
    items: Mapping[str, Item], statistics: Statistics, dispute_counts: Mapping[tuple[str, str], int]
) -> Iterator[ItemFinding]:
    """Yields all findings. `dispute_counts`: (item id, criterion) -> number of responses whose mark is disputed."""
    for flag in statistics.flags:
        yield ItemFinding(flag.item, flag.field_path, flag.message, "" if "?" in flag.message else "look at the item")
    known = [f for f in statistics.item_statistics if f.n >= MIN_RESPONSES_FOR_FINDING and f.item in items]
    yield from _difficulty_findings(items, known)
    for one in known:
        yield from _time_findings(items[one.item], one)
        # Wrong numbers that many candidates give and that no known mistake explains, the most frequent first.
        unnamed = [a for a in one.frequent_answers if a.text.endswith(UNEXPLAINED_WRONG_NUMBER_SUFFIX)]
        if unnamed:
            listed = ", ".join(f"{a.text} ({a.response_count})" for a in unnamed[:MAX_LISTED_WRONG_NUMBERS])
            message = f"frequent wrong values that no misconception explains, of {one.n} responses: {listed}"
            hint = "find the mistake behind each, and add it to `misconceptions:`"
            yield ItemFinding(one.item, ("formula",), message, hint)
        yield from _criterion_findings(one)
    for (name, criterion), count in sorted(dispute_counts.items(), key=lambda d: (-d[1], d[0])):
        n = next((f.n for f in statistics.item_statistics if f.item == name), count)
        message = f'criterion "{criterion}" is disputed in {count} of {n} responses'
        hint = "`quizgen rubric disputes LOG` shows their words"
        yield ItemFinding(name, ("rubric", "criteria", criterion), message, hint)


def _difficulty_findings(items: Mapping[str, Item], item_statistics: Sequence[ItemStatistics]) -> Iterator[ItemFinding]:
    """Yields items whose mean share is typical of another difficulty than the one they declare."""
    shares: dict[int, list[tuple[str, float]]] = {}
    for one in item_statistics:
        level = items[one.item].difficulty
        if level is not None and one.difficulty.value is not None:
            shares.setdefault(level, []).append((one.item, one.difficulty.value))
    for one in item_statistics:
        level, share, value = items[one.item].difficulty, one.difficulty, one.difficulty.value
        if level is None or value is None or share.low is None or share.high is None:
            continue
        usual = _median_share_by_difficulty(shares, one.item)
        if level not in usual or share.low <= usual[level] <= share.high:
            continue
        near = min((abs(at - value), other) for other, at in usual.items())[1]
        harder = value < usual[level]
        if near != level and (near > level) == harder:
            finding = (
                f"difficulty {level} is declared, where {usual[level]:.0%} of the points are usually earned; here "
                f"{value:.0%} were (n = {one.n}), as in items of difficulty {near} ({usual[near]:.0%})"
            )
            hint = f"write {near}, or find out why it is so {'hard' if harder else 'easy'}"
            yield ItemFinding(one.item, ("difficulty",), finding, hint)


def _median_share_by_difficulty(
    shares_by_level: Mapping[int, list[tuple[str, float]]], excluded_item: str
) -> dict[int, float]:
    """Declared difficulty -> median share over the items other than `excluded_item`, if there are enough of them."""
    peers = {level: [value for name, value in rows if name != excluded_item] for level, rows in shares_by_level.items()}
    return {level: median(values) for level, values in peers.items() if len(values) >= MIN_ITEMS_OF_SAME_DIFFICULTY}


def _time_findings(item: Item, figures: ItemStatistics) -> Iterator[ItemFinding]:
    """Yields a finding if half of the candidates exceed the time budget by a fifth, or nine in ten need less than
    half."""
    middle, most = figures.median_seconds, figures.p90_seconds
    if middle.n < MIN_RESPONSES_FOR_FINDING or most.value is None or middle.value is None:
        return
    if middle.low is not None and middle.low > MAX_TIME_BUDGET_MULTIPLE * item.seconds:
        took = f"half of the candidates took {middle.value:.0f} s or more (n = {middle.n})"
        hint = f"write seconds: {max(5, 5 * round(middle.value / 5))}, or ask for less"
    elif most.high is not None and most.high < item.seconds / 2:
        took = f"nine in ten took {most.value:.0f} s or less (n = {most.n})"
        hint = f"write seconds: {max(5, 5 * round(most.value / 5))}"
    else:
        return
    yield ItemFinding(item.id, ("seconds",), f"{took}, the budget is {item.seconds} s", hint)


def _criterion_findings(figures: ItemStatistics) -> Iterator[ItemFinding]:
    """Yields criteria that no answer met, or that every answer met."""
    answer_count = figures.n - round((figures.omitted_share.value or 0) * figures.n)
    for row in figures.criterion_estimates if answer_count >= MIN_RESPONSES_FOR_FINDING else ():
        counts = dict(row.status_counts)
        if not counts.get("found"):
            half = f", {counts['partial']} times in part" if counts.get("partial") else ""
            how = f"was never met in {answer_count} answers{half}"
            hint = "`quizgen rubric suggest` looks for words that it lacks; else ask for it in the stem"
        elif counts["found"] >= answer_count:
            how = f"was met in all {answer_count} answers"
            hint = "it does not distinguish candidates: let it ask for more, or drop it"
        else:
            continue
        path = ("rubric", "criteria", row.criterion)
        yield ItemFinding(figures.item, path, f'criterion "{row.criterion}" {how}', hint)
