"""The words that the reader of numbers knows. Data only: how units and numbers are written, and what may stand around
an amount. All in lower case unless a table says otherwise.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from quizgen.formula.unit_table import BINARY, PLACES, SI
from quizgen.formula.units import KNOWN_UNITS, ONE, Unit


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def by_rank(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def by_word(rows: str) -> dict[str, str]:
    """Rows `GB: gig gigs` as a mapping from each word to what stands before the colon."""
    pairs = (row.split(":") for row in rows.strip().splitlines())
    return {word: name.strip() for name, words in pairs for word in words.split()}


# -- units, beside the spellings of the unit table ------------------------------------------

UNIT_WORDS: Final = by_word("""
    s: s sec secs second seconds sek sekunde sekunden
    ms: ms msec msecs millisec millisecs millisecond milliseconds millis
    us: us usec usecs microsec microsecs microsecond microseconds micros
    ns: ns nsec nanosec nanosecs nanosecond nanoseconds
    min: min mins minute minutes minuten
    h: h hr hrs hour hours stunde stunden std
    day: d day days tag tage
    week: wk wks week weeks woche wochen
    year: y yr yrs year years jahr jahre
    USD: $ usd dollar dollars buck bucks
    %: % percent percents pct perc prct prozent
    1: x times fold ratio
    GB: gig gigs
    MB: meg megs
    GPU: gpu gpus gpu's
    Wh: wh whr
    request: req reqs
    GFLOP: gf
    TFLOP: tf
    PFLOP: pf
""")
# Words that take a prefix, long or short: kilobytes, Gbit, tflops, megawatts.
PREFIXED_WORDS: Final = by_word("""
    B: byte bytes octet octets
    b: bit bits
    FLOP: flop flops
    W: watt watts w
    J: joule joules j
    Wh: wh
""")
PREFIXES: Final = {
    "": "", **{prefix.lower(): prefix for prefix in (*SI, *BINARY)},
    "kilo": "k", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "exa": "E", "zetta": "Z", "yotta": "Y",
    "kibi": "Ki", "mebi": "Mi", "gibi": "Gi", "tebi": "Ti", "pebi": "Pi", "exbi": "Ei",
}  # fmt: skip
_SECOND, _YEAR, _DOLLAR = (KNOWN_UNITS[name] for name in ("s", "year", "USD"))
MORE_UNITS: Final = {
    "ps": Unit("ps", Fraction(1, 10**12), _SECOND.dim),
    "hz": Unit("Hz", 1, _SECOND.dim**-1),
    "ppm": Unit("ppm", Fraction(1, 10**6), ONE.dim),
    "permille": Unit("permille", Fraction(1, 1000), ONE.dim),
    "bp": Unit("bp", Fraction(1, 10**4), ONE.dim),
    **dict.fromkeys(word_set("cent cents ct cts ¢"), Unit("cent", Fraction(1, 100), _DOLLAR.dim)),
}
UNIT_PHRASES: Final[dict[tuple[str, ...], str]] = {
    ("per", "cent"): "%", ("percentage", "points"): "%", ("percentage", "point"): "%", ("percent", "points"): "%",
    ("basis", "points"): "bp", ("basis", "point"): "bp", ("per", "mille"): "permille", ("us", "dollars"): "USD",
    ("us", "dollar"): "USD", ("us", "$"): "USD", ("milli", "seconds"): "ms", ("micro", "seconds"): "us",
}  # fmt: skip
# Times that stand only behind `per`, for months differ in length.
PERIODS: Final = {
    **dict.fromkeys(word_set("month mo mth"), Unit("month", Fraction(_YEAR.factor, 12), _YEAR.dim)),
    **dict.fromkeys(word_set("quarter qtr"), Unit("quarter", Fraction(_YEAR.factor, 4), _YEAR.dim)),
    "annum": _YEAR,
}
ADVERBS: Final = by_word("""
    h: hourly
    day: daily
    week: weekly
    month: monthly
    quarter: quarterly
    year: yearly annually p.a.
""")
# Exact spellings that are milliseconds, minutes, megaseconds or millions: only what is expected tells.
UNCLEAR_UNITS: Final = word_set("m M Ms MS mS Msec MSec")
PLACE_LABELS: Final = frozenset(name for name, _, _ in PLACES)

# -- numbers --------------------------------------------------------------------------------

MAGNITUDE_WORDS: Final = {
    "hundred": 10**2,
    **dict.fromkeys(word_set("thousand thousands tsd"), 10**3),
    **dict.fromkeys(word_set("million millions mio mn mln mil millionen"), 10**6),
    **dict.fromkeys(word_set("billion billions bn bln bil milliard milliards mrd milliarden"), 10**9),
    **dict.fromkeys(word_set("trillion trillions tn trn"), 10**12),
    "quadrillion": 10**15, "quintillion": 10**18, "dozen": 12, "lakh": 10**5, "crore": 10**7,
}  # fmt: skip
# Exact spellings; each counts only where what is expected, or the unit behind it, is counted.
MAGNITUDE_LETTERS: Final = {
    "k": 10**3, "K": 10**3, "m": 10**6, "M": 10**6, "MM": 10**6, "b": 10**9, "B": 10**9, "G": 10**9, "T": 10**12,
    "P": 10**15, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30,
}  # fmt: skip
ONES: Final = by_rank("""
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen
""")
TENS: Final = by_rank("twenty thirty forty fifty sixty seventy eighty ninety")
NUMBER_WORDS: Final = {
    **{word: number for number, word in enumerate(ONES)},
    **{word: 10 * number for number, word in enumerate(TENS, 2)},
}
# Parts of a whole in words: a number beside one of these is another number.
PART_WORDS: Final = word_set(
    "half halves quarter quarters third thirds fourth fourths fifth fifths sixth sixths eighth eighths tenth tenths "
    "hundredth hundredths thousandth thousandths millionth millionths"
)
FUNCTIONS: Final = word_set("sqrt log2 log10 ln exp ceil floor round min max abs")

# -- words around an amount -----------------------------------------------------------------

# These say nothing of an amount, or how sure the candidate is of it.
FILLERS: Final = word_set("""
    a an the it it's its this that that's these those there here is are was were be been being am do does did done
    i i'm i'd i'll i've we we'd we'll you one they my our your
    think guess believe reckon say says estimate estimated estimation suppose assume calculated compute computed
    about around approx approximately approximate roughly rough circa ca nearly almost ish some maybe perhaps probably
    likely presumably hopefully quite sure certain pretty rounded rounds rounding up down nearest exactly exact
    precisely precise just only simply sharp flat etwa rund ungefähr gesamt insgesamt
    final answer answers result results solution value number figure amount correct right ok okay yes well hmm please
    would will should could can may must might shall
    so thus hence therefore then and as also which what where gives give given gave giving makes make making made
    means equals equal comes come get gets got getting needs need needed needing takes take taken taking took requires
    require required has have had having holds hold holding uses use used using costs cost costing leaves leave fits
    in of for on to at by with from per each every into onto than when if while because since during within after
    total totals totally totalling altogether overall combined sum all together whole entire full both
    rate ratio factor fraction share percent percentage decimal fold times x speed speedup
    came usable incl inc including
    ie eg aka namely respectively roundabout still now again expected average mean sustained
""")
# What an amount measures may be named beside it, whatever the stem calls it.
MEASURES: Final = word_set("""
    memory vram ram hbm storage space disk data size footprint capacity big large long high time times duration
    latency delay throughput bandwidth traffic price money cost costs work compute energy power budget state load
    usd yield interest annual net count quantity length volume
""")
# A number behind one of these is a condition (`on 32 GPUs`, `of 128`), where another amount is the answer.
CONDITION_LEADS: Final = word_set(
    "on with across over for at using in of from by after w given if when while assuming under between among"
)
# A number right behind one of these is a name: `stage 2`.
NUMBERED_NAMES: Final = word_set(
    "stage stages zero level version figure table eq equation layer raid step phase chapter"
)
# A word that leads to the result, as an equals sign does.
CONCLUDING: Final = word_set("is so thus hence therefore makes making gives giving equals means totals yields becomes")
# Takes a number back.
CORRECTIONS: Final = word_set("wait actually sorry scratch correction oops rather instead no but mean meant")
# A bound, a range, a change or a denial: another number than the one that is written.
OTHER_NUMBER: Final = word_set("""
    not no never or nor neither between either wait actually sorry scratch oops instead rather versus vs but unless
    below above under over beyond exceeds exceed exceeding plus minus less more fewer greater smaller bigger higher
    extra additional additionally another further twice double doubled triple halved squared cubed short few several
    many couple isn't can't cannot don't didn't doesn't wasn't ain't wrong point divided multiplied except excluding
    too spare wasted later earlier longer shorter slower faster missing half halves left
""")
# No question that has one of these makes it harmless in a response.
DENIALS: Final = word_set("not never or nor no neither wait actually sorry between too")
# These are a change in which direction, unless the stem speaks of one.
LOSSES: Final = word_set("""
    negative loss losses lose loses losing lost down drop drops dropped fall falls fallen falling fell lower decrease
    decreases decreased reduction deficit less red cheaper discount
""")
# Two words or more that say nothing (they are taken out before the words are judged).
EMPTY_PHRASES: Final = (
    r"\b(?:more or less|or (?:so|thereabouts)|give or take|not (?:quite )?sure(?: but)?"
    r"|round(?:ed|s|ing)? (?:up|down|off)"
    r"|adds? up to|comes? (?:up )?to|as (?:much|many|fast|large|big|high|long)(?: as)?"
    r"|times (?:as|more|faster|larger|bigger|higher)"
    r"|no (?:more|less|fewer) than(?= \d)|end to end|i mean|no matter)\b"
)
# What is enough, of a count: `at least 14`, `14 or more`.
ENOUGH_PHRASES: Final = r"\b(?:at (?:least|most)|or (?:more|fewer|less)|no (?:more|fewer|less) than|up to)\b"
# Two sides of a thing, each with its words by their roots: where the stem asks for one, the other is another amount.
SIDES: Final = (
    ("hit", "miss"), ("before", "after"),
    ("used|use|occupied|busy|utilised|utilized|utilisation|utilization", "free|idle|unused|left|available|remain"),
    ("up|uptime|available|availability", "down|downtime|outage|unavailable"), ("read", "write|written"),
    ("one way|each way|way there|per direction|each direction|one direction|unidirectional",
     "round trip|both ways|two way|both directions|there and back|way back|and back|back again|bidirectional|rtt"),
    ("sent|send", "received|receive"), ("lost|lose|loss|dropped|drop", "arrive|delivered|received|receive|survive"),
    ("gross", "net"), ("average|mean", "peak|worst|p99"), ("download", "upload"),
    ("profit|gain", "loss|deficit"), ("revenue|income", "expense|spending"), ("interest", "principal"),
    ("bought|buy|bid", "sold|sell"), ("success|succeed", "failure|fail|error"),
    ("kept|keep", "discarded|removed|filtered"),
    ("compressed", "uncompressed|raw"), ("asset", "liability|debt"), ("inbound|incoming", "outbound|outgoing"),
    ("including|included", "excluding|excluded|without"), ("data", "parity"), ("payload", "overhead|header"),
    ("has left|have left|gone|churned|churn", "stay|stayed|retained|remain|still there"),
)  # fmt: skip
COMPARATIVES: Final = word_set("more faster larger bigger higher longer better")  # behind `42 times`
MODELS: Final = word_set("model models network llm llms transformer")  # a 13B model
SHARED_OUT: Final = word_set("each apiece")

# -- answers that are no number -------------------------------------------------------------

IMPOSSIBLE: Final = word_set("impossible infeasible unfeasible unachievable unsolvable never cannot can't") | {
    "not possible", "not feasible", "not achievable", "never fits", "does not fit", "doesn't fit", "will not fit",
    "won't fit", "cannot fit", "can't fit", "cannot be done", "can't be done", "no solution", "there is no solution",
    "no answer exists", "there is none", "none exists", "does not exist", "doesn't exist", "no such value",
    "no such number", "no value", "no k", "there is no k", "is impossible", "it's impossible", "not possible at all",
}  # fmt: skip
IMPOSSIBLE_IF_EXPECTED: Final = word_set("none nothing no n/a na not")
UNBOUNDED: Final = word_set("unbounded infinite unlimited infinity limitless inf") | {
    "no limit", "there is no limit", "without limit", "no bound", "no upper bound", "no upper limit", "no maximum",
    "infinitely many", "any number", "arbitrarily many", "arbitrarily large", "is unbounded",
}  # fmt: skip
YES: Final = word_set("yes y yeah yep yup ja oui true t 1 valid legal allowed possible correct ok okay right divisible")
NO: Final = word_set(
    "no n nope nein non false f 0 invalid illegal disallowed impossible incorrect wrong forbidden never"
)
NEGATIONS: Final = word_set("not isn't doesn't cannot can't won't never aren't")
PLAIN_YES_NO: Final = word_set("yes no true false y n t f yep nope yeah yup 1 0 ja nein")
