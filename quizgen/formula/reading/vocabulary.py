"""The words that people write for units, magnitudes and answers that are no number. Data."""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _inverse(groups: dict[str, str]) -> dict[str, str]:
    return {word: meant for meant, words in groups.items() for word in words.split()}


# Case is folded before these are looked up; exact spellings of the unit table come first.
UNIT_WORDS: Final = _inverse({
    "GB": "gig gigs", "MB": "meg megs",
    "s": "s sec secs second seconds sek sekunde sekunden seconde secondes",
    "ms": "ms msec msecs millisec millisecs millisecond milliseconds millis",
    "us": "us usec usecs microsec microsecs microsecond microseconds micros",
    "ns": "ns nsec nanosec nanosecs nanosecond nanoseconds",
    "min": "min mins minute minutes minuten", "h": "h hr hrs hour hours stunde stunden std heure heures",
    "day": "d day days tag tage tagen jour jours", "week": "wk wks week weeks woche semaine semaines",
    "year": "y yr yrs year years jahr jahre",
    "J": "j", "W": "w", "Wh": "wh whr", "kWh": "kwhr kwhrs kwhs", "MWh": "mwhs",
    "USD": "$ usd dollar dollars buck bucks", "%": "% percent perc pct percents prozent", "1": "x times fold ratio",
    "GPU": "gpu gpus gpu's",
})  # fmt: skip

# Words before which a prefix may stand, long or short: kilobytes, Gbit, tflops, megawatts.
PREFIXED_WORDS: Final = _inverse({
    "B": "byte bytes octet octets", "b": "bit bits", "FLOP": "flop flops flop's flopps", "W": "watt watts",
    "J": "joule joules",
})  # fmt: skip

# Two words that are one unit.
PAIRS: Final = {
    ("per", "cent"): "%", ("per", "mille"): "permille", ("per", "mil"): "permille",
    ("per", "mill"): "permille", ("us", "$"): "USD", ("us", "dollars"): "USD",
    ("us", "dollar"): "USD", ("percentage", "points"): "%", ("percentage", "point"): "%", ("milli", "seconds"): "ms",
    ("micro", "seconds"): "us", ("nano", "seconds"): "ns", ("percent", "points"): "%",
    ("basis", "points"): "bp", ("basis", "point"): "bp",
}  # fmt: skip

# Of percent, where that is asked: 12 pp.
POINTS: Final = _words("pp pps ppt ppts pt pts point points")

LONG_PREFIXES: Final = {
    "kilo": "k", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "exa": "E", "zetta": "Z", "yotta": "Y",
    "kibi": "Ki", "mebi": "Mi", "gibi": "Gi", "tebi": "Ti", "pebi": "Pi", "exbi": "Ei",
}  # fmt: skip

OCTETS: Final = {
    "ko": "kB", "Ko": "kB", "Mo": "MB", "Go": "GB", "To": "TB", "Po": "PB",
    "Kio": "KiB", "kio": "KiB", "Mio": "MiB", "Gio": "GiB", "Tio": "TiB", "Pio": "PiB",
}  # fmt: skip

REFUSED_UNITS: Final = {
    **dict.fromkeys(
        ("€", "£", "¥", "eur", "euro", "euros", "gbp"), "other currencies are not known here: give the amount in USD"
    ),
    **dict.fromkeys(("month", "months"), "months differ in length: write days"),
}

# Multipliers. The letters count only where a count, money or work is asked, or a counted thing follows.
MAGNITUDE_WORDS: Final = {
    "hundred": 10**2, "thousand": 10**3, "thousands": 10**3, "million": 10**6, "millions": 10**6, "mio": 10**6,
    "mn": 10**6, "mln": 10**6, "mil": 10**6, "billion": 10**9, "billions": 10**9, "bn": 10**9, "bln": 10**9, 
    "bil": 10**9, "bill": 10**9, "milliard": 10**9,
    "millionen": 10**6, "milliarde": 10**9, "milliarden": 10**9, "milliards": 10**9, "billionen": 10**12,
    "tsd": 10**3, "lakh": 10**5, "lakhs": 10**5, "crore": 10**7, "crores": 10**7,
    "mrd": 10**9, "trillion": 10**12, "trillions": 10**12, "tn": 10**12, "trn": 10**12, "quadrillion": 10**15,
    "quintillion": 10**18, "sextillion": 10**21, "septillion": 10**24, "dozen": 12,
}  # fmt: skip
MAGNITUDE_LETTERS: Final = {
    "k": 10**3, "K": 10**3, "m": 10**6, "M": 10**6, "mm": 10**6, "MM": 10**6, "b": 10**9, "B": 10**9, "G": 10**9,
    "t": 10**12, "T": 10**12, "P": 10**15, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30,
}  # fmt: skip

# After one of these a unit is over and prose begins.
PROSE: Final = _words(
    "exact fraction "
    "of per on in for each every total totally altogether at with when because as since if so and or but "
    "which that is are was gives given under over from by using to across overall needed required apiece "
    "respectively approximately approx roughly about here there then it this the a an all combined memory "
    "then while where only exactly plus minus either after before during i we you they th ish right "
    "correct maybe probably think guess not more less fewer at least most up max min maximum minimum sharp "
    "be can will rounded flat sure final answer upwards onwards up on odd usable"
)

# Around an amount these say nothing of it, or how sure the candidate is: `I think it's about 5 GB in total, rounded`.
FILLERS: Final = _words(
    "a an the it its it's this that that's these is are was be been being as and but then thus hence therefore so "
    "would will should could must can there comes come came gives give given makes make making means needs need "
    "get gets got equals equal amounts takes take taking took needed needing requires require required holds hold "
    "use uses used using costs cost has have having i i'd i'm i'll we we'd you they think guess say says believe "
    "reckon suppose estimate estimated my our probably maybe perhaps likely presumably hopefully not sure certain "
    "correct right yes ok okay well please final answer answers result results solution value number figure amount "
    "here about approx approximately approximate around circa ca roughly rough nearly almost ish etwa rund environ "
    "back incl inc including exact exactly precise precisely just only sharp flat rounded rounds rounding e ie eg aka "
    "again still expected now until average sustained sent after before while return fraction decimal factor times "
    "fold x in of for on at to by from with if when each apiece every per single any total totals totally totalling "
    "altogether overall combined whole entire full all together sum one least most minimum maximum min max smallest "
    "largest deep tall up upwards onwards usable insgesamt gesamt ist est"
)

# What an amount measures: `5 GB of memory`. Of a count it is another thing (`3 round trip times`).
MEASURES: Final = _words(
    "memory vram ram hbm storage space data size big large long high time duration share ratio rate percentage "
    "percent speed speedup throughput bandwidth traffic price money usd yield apy rtt annual wide disk"
)
# The same of money, and of what it yields.
OF_MONEY: Final = _words(
    "net gross netto brutto effective eff markup roi roe roa irr cagr apr price money yield apy annual rate ratio share"
)

# What an amount is of, or under which conditions it holds, may have any name.
ABOUT: Final = _words(
    "of for in on at out across over during without ignoring neglecting excluding to by due via despite regardless "
    "irrespective including incl inc included with after whatever if when unless assuming given provided because since "
    "as while once"
)

# May stand between a number and its unit: `32ish GB`, `31.7 in GB`.
LATE: Final = _words("ish or so in full whole entire calendar decimal")

# A bound is no value.
BOUNDS: Final = _words("than below above under over exceeds exceeding beyond within")
SLIGHTLY: Final = _words("just bit little slightly touch tad barely hair")  # just under 12 years: about 12
LOOSE_BOUNDS: Final = _words("least most up")
REFUSERS: Final = _words("not never neither between cannot can't isn't aren't doesn't ain't n't no")

# A number behind one of these is context (`on 32 GPUs`, `stage 2`), where the answer itself has a unit.
CONTEXT: Final = _words(
    "on with across over for at using in stage stages zero level step under given if when while assuming layer "
    "version figure table eq equation all after"
)

# The words of these that name what has the number behind it: no answer, whatever is asked.
NAMED: Final = _words("stage stages zero level layer version figure table eq equation")

# What leads from one amount to another: the same once more (`31.7 GB, i.e. about 29.5 GiB`), or its result.
AGAIN: Final = _words("or i e ie i.e aka namely that that's is this which the same as about approx roughly")
ROUGHLY: Final = _words("about approx roughly ~")
ROUNDED: Final = _words("rounded rounds round so")
CONCLUDES: Final = _words(
    "so thus hence therefore makes making gives giving grows becomes leaving leaves "
    "means meaning comes amounts averages averaging yields it's that's thats totals"
)
EXACTLY: Final = _words("exactly precisely exact precise")
RELATIVE: Final = _words("above below over under than")
# What an amount is that the answer is set against, and what leads to one that is as good.
COMPARED: Final = _words(
    "was were previously formerly originally above below than over under versus vs against unlike instead rather would "
    "it'd nominal nominally"
)
OFFERED: Final = _words("or to maybe perhaps possibly otherwise else alternatively")
HEDGED: Final = _words("under below nearly almost over above")
CONDITIONS: Final = _words("if unless when with without")  # two amounts, each under its own: both are offered
EACH: Final = _words("each per every")
IN_ALL: Final = _words("total all altogether overall totally together")
# An amount with one of these is a share of another, or comes to it.
SHIFTS: Final = _words("per each every plus minus not or more less extra off higher lower")
GROUPS: Final = _words("of with each having")

# Of a change for the worse: where the stem tells of one, what is asked is how far.
FALLS: Final = _words(
    "loss losses losing loses lose lost sinks slips down drop drops dropped fall falls fell fallen falling decrease "
    "decreases decreased decline declines declined deficit shrinks shrank shrink reduction reduce reduced reduces "
    "discount save saves saved saving savings lower less cut cheaper depreciate depreciates depreciation waste wasted "
    "missing"
)

# A number of parameters before one of these names the model.
MODELS: Final = _words("model models network networks llm llms transformer transformers")

IMPOSSIBLE: Final = (
    "impossible", "not possible", "never fits", "never", "it never fits", "does not fit", "doesn't fit",
    "it does not fit", "it doesn't fit", "cannot fit", "can't fit", "can not fit", "will not fit", "won't fit",
    "no solution", "there is no solution", "no answer exists", "not feasible", "infeasible", "unfeasible",
    "cannot be done", "can't be done", "cannot", "can't", "no such value", "no such number", "there is none",
    "no value", "no such k", "no k", "no k works", "none exists", "no number", "no number of gpus",
    "no number of gpus is enough", "not achievable", "unachievable", "unsolvable", "does not exist",
    "it is impossible", "it's impossible", "this is impossible", "that is impossible", "impossible to fit",
    "doesn't exist", "there is no k", "there is no number", "there is no such number", "there is no such k",
    "there is no value", "there is no such value", "there is no way", "there's none", "there's no such k",
    "unmöglich", "nicht möglich",
)  # fmt: skip
IMPOSSIBLE_IF_ASKED: Final = ("none", "nothing", "no", "n/a", "na", "not", "never possible", "null", "empty")
UNBOUNDED: Final = (
    "unbounded", "infinite", "infinitely many", "no limit", "without limit", "limitless", "unlimited", "no bound",
    "no upper bound", "no upper limit", "there is no limit", "any number", "arbitrarily large", "arbitrarily many",
    "infinity", "no maximum", "it is unbounded",
)  # fmt: skip
NOT_FINITE: Final = (
    "nan", "inf", "-inf", "+inf", "infinity", "-infinity", "+infinity", "infinite", "unbounded",
)  # fmt: skip

YES: Final = _words(
    "yes y yeah yep yup ja oui true t 1 valid legal allowed possible correct ok okay right sure divisible divides "
    "works permitted feasible fine"
)
NO: Final = _words(
    "no n nope nein non false f 0 invalid illegal disallowed impossible incorrect wrong forbidden never not infeasible"
)

FUNCTIONS: Final = _words("sqrt log log2 ln exp ceil floor round min max sum abs log10 ceil_log2")
