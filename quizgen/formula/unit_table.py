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

DIMENSION_WORDS: Final = {
    INFORMATION: "an amount of data",
    TIME: "a time",
    FLOP: "an amount of work",
    ENERGY: "an energy",
    CURRENCY: "an amount of money",
}

# Symbols of dimensions for messages without a unit.
DIMENSION_SYMBOLS: Final = {INFORMATION: "B", TIME: "s", FLOP: "FLOP", ENERGY: "J", CURRENCY: "USD"}

# -- prefixes -------------------------------------------------------------------------------

SI_PREFIXES: Final = {
    "k": 10**3,
    "M": 10**6,
    "G": 10**9,
    "T": 10**12,
    "P": 10**15,
    "E": 10**18,
    "Z": 10**21,
    "Y": 10**24,
}
BINARY_PREFIXES: Final = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50, "Ei": 2**60}

# Suffixes of bare counts: 13B parameters, 350M, 128k tokens.
COUNT_SUFFIXES: Final = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9, "G": 10**9, "T": 10**12, "P": 10**15}

# -- units: symbol, value in base units (numerator, denominator), dimension powers, prefixes, other spellings

Powers = tuple[tuple[str, int], ...]
UnitRow = tuple[str, int, int, Powers, str, tuple[str, ...]]

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

# Things that are counted. One label never converts into another, and none may be dropped.
COUNT_LABELS: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    ("param", "params", ("params", "parameter", "parameters")),
    ("token", "tokens", ("tokens", "tok")),
    ("sample", "samples", ("samples",)),
    ("sequence", "sequences", ("sequences", "seq")),
    ("request", "requests", ("requests",)),
    ("image", "images", ("images",)),
    ("element", "elements", ("elements",)),
    ("step", "steps", ("steps",)),
    ("iteration", "iterations", ("iterations",)),
    ("epoch", "epochs", ("epochs",)),
    ("layer", "layers", ("layers",)),
    ("head", "heads", ("heads",)),
    ("expert", "experts", ("experts",)),
    ("micro-batch", "micro-batches", ("micro-batches", "microbatch", "microbatches")),
    ("batch", "batches", ("batches",)),
    ("slot", "slots", ("slots",)),
    ("bucket", "buckets", ("buckets",)),
    ("message", "messages", ("messages",)),
    ("all-reduce", "all-reduces", ("all-reduces", "allreduce", "allreduces")),
    ("hop", "hops", ("hops",)),
    ("checkpoint", "checkpoints", ("checkpoints",)),
    ("failure", "failures", ("failures",)),
    ("block", "blocks", ("blocks",)),
    ("page", "pages", ("pages",)),
    ("op", "ops", ("ops",)),
    ("nats", "nats", ("nat",)),
    ("lr", "lr", ()),
)

# Places that share work. `B/GPU` may be shown as B and `GPU*FLOP/s` as FLOP/s, because people state shares "on
# each GPU" and joint rates of "all GPUs together".
PLACE_LABELS: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    ("GPU", "GPUs", ("GPUs", "gpu", "gpus")),
    ("rank", "ranks", ("ranks",)),
    ("node", "nodes", ("nodes",)),
    ("server", "servers", ("servers",)),
    ("replica", "replicas", ("replicas",)),
    ("stage", "stages", ("stages",)),
    ("device", "devices", ("devices",)),
    ("worker", "workers", ("workers",)),
    ("writer", "writers", ("writers",)),
    ("link", "links", ("links",)),
    ("process", "processes", ("processes",)),
)

# Spellings that are not units, and what to write instead.
HINT_BY_UNKNOWN_UNIT: Final = {
    "FLOPS": "write FLOP/s for a rate, FLOP for an amount",
    "FLOPs": "write FLOP for an amount, FLOP/s for a rate",
    "flops": "write FLOP for an amount, FLOP/s for a rate",
    "flop": "write FLOP",
    "bps": "write b/s",
    "Bps": "write B/s",
    "m": "write min for minutes or ms for milliseconds",
    "KB": "write kB (1000 B) or KiB (1024 B)",
    "Kb": "write kb (1000 bits) or Kib (1024 bits)",
    "K": "write the number out: 1e3",
    "k": "write the number out: 1e3",
    "M": "write the number out: 1e6",
    "G": "write the number out: 1e9",
    "T": "write the number out: 1e12",
    "Hz": "write 1/s",
}

# Counts that may be fractional, as a mean or an equivalent. Half a GPU or half a message makes no sense.
DIVISIBLE_LABELS: Final = frozenset({
    "param", "token", "sample", "sequence", "request", "image", "element", "epoch", "micro-batch", "slot",
    "checkpoint", "failure", "op", "nats", "lr", "rank", "hop", "page", "block",
})  # fmt: skip
