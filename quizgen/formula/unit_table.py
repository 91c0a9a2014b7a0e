"""The table of units: spellings, size in base units, and allowed prefixes.

Base units: bit, second, FLOP, joule, US dollar. A count (param, token, GPU …) is a dimension of its own with factor 1,
so that parameters and tokens are never added by accident."""

from __future__ import annotations

from typing import Final

# -- dimensions -----------------------------------------------------------------------------

INFORMATION: Final = "information"
TIME: Final = "time"
FLOP: Final = "FLOP"
ENERGY: Final = "energy"
CURRENCY: Final = "currency"

PHYSICAL_DIMENSIONS: Final = (INFORMATION, FLOP, ENERGY, CURRENCY, TIME)

WORDS_BY_DIMENSION: Final = {
    INFORMATION: "an amount of data", TIME: "a time", FLOP: "an amount of work", ENERGY: "an energy",
    CURRENCY: "an amount of money",
}  # fmt: skip

# Symbols of dimensions for messages without a unit.
SYMBOL_BY_DIMENSION: Final = {INFORMATION: "B", TIME: "s", FLOP: "FLOP", ENERGY: "J", CURRENCY: "USD"}

# -- prefixes -------------------------------------------------------------------------------

SI_PREFIXES: Final = {prefix: 1000**power for power, prefix in enumerate("kMGTPEZY", start=1)}
BINARY_PREFIXES: Final = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50, "Ei": 2**60}

# Suffixes of bare counts: 13B parameters, 350M, 128k tokens.
COUNT_SUFFIXES: Final = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9, "G": 10**9, "T": 10**12, "P": 10**15}

# -- units: symbol, value in base units (numerator, denominator), dimension powers, prefixes, other spellings

DimensionPowers = tuple[tuple[str, int], ...]
UnitRow = tuple[str, int, int, DimensionPowers, str, tuple[str, ...]]

UNIT_ROWS: Final[tuple[UnitRow, ...]] = (
    ("b", 1, 1, ((INFORMATION, 1),), "kMGTPE Ki Mi Gi Ti Pi Ei", ("bit", "bits")),
    ("B", 8, 1, ((INFORMATION, 1),), "kMGTPE Ki Mi Gi Ti Pi Ei", ("byte", "bytes")),
    ("s", 1, 1, ((TIME, 1),), "", ("sec", "second", "seconds")),
    ("ms", 1, 10**3, ((TIME, 1),), "", ()),
    ("us", 1, 10**6, ((TIME, 1),), "", ("µs", "μs")),
    ("ns", 1, 10**9, ((TIME, 1),), "", ()),
    ("min", 60, 1, ((TIME, 1),), "", ("minute", "minutes")),
    ("h", 3600, 1, ((TIME, 1),), "", ("hr", "hour", "hours")),
    ("day", 86400, 1, ((TIME, 1),), "", ("days",)),
    ("week", 604800, 1, ((TIME, 1),), "", ("weeks",)),
    ("year", 31536000, 1, ((TIME, 1),), "", ("years",)),  # 365 days, as in reliability figures
    ("FLOP", 1, 1, ((FLOP, 1),), "kMGTPEZY", ()),
    ("J", 1, 1, ((ENERGY, 1),), "kMGT", ("joule", "joules")),
    ("W", 1, 1, ((ENERGY, 1), (TIME, -1)), "kMGT", ("watt", "watts")),
    ("Wh", 3600, 1, ((ENERGY, 1),), "kMGT", ()),
    ("USD", 1, 1, ((CURRENCY, 1),), "", ("$", "dollar", "dollars")),
    ("%", 1, 100, (), "", ("percent",)),
    ("1", 1, 1, (), "", ()),
)

# -- counts: label, plural, other spellings -------------------------------------------------

LabelRows = tuple[tuple[str, str, tuple[str, ...]], ...]


def _parse_label_rows(*rows: str) -> LabelRows:
    """Each label with its plural and all its other spellings. A row is the label, its plural and what else it is
    called; a row of one word has its plural in s."""
    made = []
    for row in rows:
        label, *others = row.split()
        others = others or [f"{label}s"]
        made.append((label, others[0], tuple(one for one in others if one != label)))
    return tuple(made)


# Things that are counted. One label never converts into another, and none may be dropped.
COUNT_LABELS: Final = _parse_label_rows(
    "param params parameter parameters", "token tokens tok", "sample", "sequence sequences seq", "request", "image",
    "element", "step", "iteration", "epoch", "layer", "head", "expert",
    "micro-batch micro-batches microbatch microbatches", "batch batches", "slot", "bucket", "message",
    "all-reduce all-reduces allreduce allreduces", "hop", "checkpoint", "failure", "block", "page", "op",
    "nats nats nat", "lr lr",
)  # fmt: skip

# Places that share work. `B/GPU` may be shown as B and `GPU*FLOP/s` as FLOP/s, because people state shares "on
# each GPU" and joint rates of "all GPUs together".
WORK_SHARING_LABELS: Final = _parse_label_rows(
    "GPU GPUs gpu gpus", "rank", "node", "server", "replica", "stage", "device", "worker", "writer", "link",
    "process processes",
)  # fmt: skip

# Spellings that are not units, and what to write instead.
HINT_BY_UNKNOWN_UNIT: Final = {
    "FLOPS": "write FLOP/s for a rate, FLOP for an amount", "FLOPs": "write FLOP for an amount, FLOP/s for a rate",
    "flops": "write FLOP for an amount, FLOP/s for a rate", "flop": "write FLOP",
    "bps": "write b/s", "Bps": "write B/s", "m": "write min for minutes or ms for milliseconds",
    "KB": "write kB (1000 B) or KiB (1024 B)", "Kb": "write kb (1000 bits) or Kib (1024 bits)",
    **{prefix: f"write the number out: 1e{power}" for prefix, power in zip("KkMGT", (3, 3, 6, 9, 12), strict=True)},
    "Hz": "write 1/s",
}  # fmt: skip

# Counts that may be fractional, as a mean or an equivalent. Half a GPU or half a message makes no sense.
DIVISIBLE_LABELS: Final = frozenset({
    "param", "token", "sample", "sequence", "request", "image", "element", "epoch", "micro-batch", "slot",
    "checkpoint", "failure", "op", "nats", "lr", "rank", "hop", "page", "block",
})  # fmt: skip
