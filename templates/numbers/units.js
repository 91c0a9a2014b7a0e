// Units as people spell them: one word, a phrase, and products and quotients of these. quizgen/numbers/amounts.py.
import { known } from "./tables.js";
import { ratio, times } from "./ratio.js";
import { isRate, label, ownMoney, power, product, quotient, sameDim } from "./dims.js";
import { END, NUMBER, WORD } from "./tokens.js";

const DAY = 86400n;
const DATA = /^(?!eb$)(k|m|g|t|p|e|ki|mi|gi|ti|pi|ei|(?=bps))b(s|ps)?$/;

// The unit that one word spells, or null. `letter` (b or B) is what `gb` means; the words of a bank go before all others.
export function spelledUnit(word, letter, lexicon) {
  word = known.SHORT_UNITS.get(word.toLowerCase()) || word;
  const low = word.toLowerCase();
  const own = [low, ...(known.WRITTEN.get(low) || [])].find((name) => lexicon.words.has(name));
  if (own !== undefined) return lexicon.words.get(own);
  if (!word || known.UNCLEAR_UNITS.has(word)) return null;
  if (known.KNOWN_UNITS.has(word) && word !== "1" && word !== "kb") return known.KNOWN_UNITS.get(word);
  const data = DATA.exec(low);
  if (data) return dataUnit(word, data, letter);
  if (known.SPELLINGS.has(low)) return word.length > 1 || word === low || "JWXS".includes(word) ? known.SPELLINGS.get(low) : null;
  return word.length > 3 && ("kKMG".includes(word[0]) || /^T(OPS|ops)$/.test(word)) ? prefixedCount(word, lexicon) : null;
}

// A decimal prefix before a counted thing, money or a word of the bank: `Mtokens`, `ktok`, `MUSD`.
function prefixedCount(word, lexicon) {
  const rest = spelledUnit(word.slice(1), "B", lexicon);
  if (!rest || !(label(rest.dim) || rest.symbol === "USD" || lexicon.words.has(word.slice(1).toLowerCase()))) return null;
  const prefix = word[0].replace("K", "k");
  return { symbol: prefix + rest.symbol, factor: times(ratio(known.SI.get(prefix)), rest.factor), dim: rest.dim };
}

function dataUnit(word, [low, prefix, tail], letter) {
  const written = word !== low ? word[prefix.length] : tail === "ps" ? "b" : letter;
  const unit = known.KNOWN_UNITS.get(known.PREFIXES.get(prefix) + written) || null;
  return tail === "ps" && unit ? quotient(unit, known.SECOND) : unit;
}

// The time that `unit` is per: s of `GB/s`, month of `USD/month`, by the bank's `words` if these have one.
export function periodOf(unit, words = new Map()) {
  const name = unit.symbol.includes("/") ? unit.symbol.slice(unit.symbol.lastIndexOf("/") + 1) : "";
  const time = words.get(name) || known.PERIODS.get(name) || known.KNOWN_UNITS.get(name);
  return time && sameDim(time.dim, known.SECOND.dim) ? time : null;
}

// Finds units among `tokens` of a response to `expected`. A unit at a place is [unit, the place behind its last token].
export class UnitParser {
  constructor(tokens, expected) {
    this.tokens = tokens;
    this.expected = expected;
    const { dim, symbol } = expected.unit;
    this.letter = power(dim, "information") && symbol.split("/")[0].endsWith("b") ? "b" : "B"; // of `gb`
    this.atoms = new Map();
  }
  at(place) {
    return this.tokens[place] || END;
  }

  // The longest unit at `place`: `GB/s`, `bytes per parameter`, `GPU hours`, `1/s`.
  unit(place) {
    const one = this.at(place).text === "1" && this.at(place + 1).text === "/" && this.atom(place + 2);
    const head = one ? [known.ONE, place + 1] : this.atom(place);
    return head && this.divided(...head);
  }

  // One unit without products: the longest phrase of the bank, a phrase of the table, a word.
  atom(place) {
    if (!this.atoms.has(place)) this.atoms.set(place, this.at(place).kind === WORD ? this.atomOf(this.at(place), place) : null);
    return this.atoms.get(place);
  }
  atomOf(token, place) {
    const phrase = this.phrase(place);
    if (phrase) return phrase;
    const unit = this.expectedAlone(token) || spelledUnit(token.text, this.letter, this.expected.lexicon);
    const n = this.at(place + 1).text === "**" ? { 2: 2, 3: 3 }[this.at(place + 2).text] : 0;
    if (unit && n) { // s**2
      let raised = unit;
      for (let times = 1; times < n; times += 1) raised = product(raised, unit, `${unit.symbol}**${n}`);
      return [raised, place + 3];
    }
    return unit && [this.inTheExpectedKind(unit, token, place), place + 1];
  }

  // Two or three words that are one unit, with hyphens or without.
  phrase(place) {
    const after = this.at(place + 1);
    if (after.kind !== WORD && after.text !== "-") return null;
    const lows = [0, 1, 2, 3, 4].map((n) => this.at(place + n).low);
    const plain = lows.filter((low) => low !== "-");
    for (const count of [3, 2]) {
      const words = plain.slice(0, count).join(" ");
      const unit = this.expected.lexicon.phrases.get(words) || known.PHRASES.get(words);
      if (unit) return [unit, place + count + lows.slice(0, count + 1).filter((low) => low === "-").length];
    }
    return null;
  }

  // Words that what is expected gives a meaning, whatever the bank writes by them: minutes, cents.
  expectedAlone(token) {
    const expected = this.expected.unit;
    const [seconds, rest] = expected.factor;
    if (token.text === "m" && sameDim(expected.dim, known.SECOND.dim) && seconds >= 60n * rest && seconds <= DAY * rest) return known.KNOWN_UNITS.get("min");
    if (token.low === "bps" && expected.symbol === "%") return known.SPELLINGS.get("bp");
    if (expected.symbol === "month" && known.UNIT_WORDS.get(token.low) === "year") return { ...expected, symbol: "year", factor: times(expected.factor, [12n, 1n]) };
    const money = known.CENTS.has(token.low) && this.expected.lexicon.words.get(ownMoney(expected.dim).toLowerCase());
    return money ? { symbol: "cent", factor: times(money.factor, [1n, 100n]), dim: money.dim } : null;
  }

  // TFLOPS and Gbs as rates and ops as FLOP where such are expected.
  inTheExpectedKind(unit, token, place) {
    const { dim } = this.expected.unit;
    if (label(unit.dim) === "op" && power(dim, "FLOP")) unit = known.KNOWN_UNITS.get(unit.symbol.replace(/op$/, "") + "FLOP");
    const rate = isRate(dim) && !["/", "per", "a"].includes(this.at(place + 1).low);
    const flops = token.low.endsWith("ops") && power(dim, "FLOP") && unit.symbol.endsWith("FLOP");
    const data = power(dim, "information") && /(?:bs|gig|meg)$/.test(token.low) && power(unit.dim, "information");
    return rate && (flops || data) && !isRate(unit.dim) ? quotient(unit, known.SECOND) : unit;
  }

  // `unit`, which ends at `place`, with what it is multiplied by and per.
  divided(unit, place) {
    for (;;) {
      [unit, place] = this.withHours(unit, place);
      const token = this.at(place);
      const per = token.text === "/" || ["per", "a", "an", "every", "each"].includes(token.low);
      const below = per ? this.divisor(place + 1, token) : null;
      if (!below) return [unit, place];
      [unit, place] = [quotient(unit, below[0]), below[1]];
    }
  }

  // The unit behind `sign` (`/`, per, a), which begins at `place`.
  divisor(place, sign) {
    const below = this.atom(place);
    if (!below) {
      const period = known.PERIODS.get(this.at(place).low);
      return period ? [period, place + 1] : null;
    }
    return (sign.low === "a" || sign.low === "an") && this.at(below[1]).kind === NUMBER ? null : this.withHours(...below);
  }

  // `unit` times the time behind it, where it is a place or a power: `GPU-h`, `kW h`, `petaflop-days`.
  withHours(unit, place) {
    const sign = this.at(place).text;
    const watts = isRate(unit.dim) && !power(unit.dim, "information");
    const joint = sign === "-" || sign === "*" ? 1 : 0;
    const flops = power(unit.dim, "FLOP") && sign === "-";
    const time = watts || flops || known.PLACE_UNIT_LABELS.has(label(unit.dim)) ? this.atom(place + joint) : null;
    if (!time || !sameDim(time[0].dim, known.SECOND.dim) || (!joint && ["m", "d", "min"].includes(sign))) return [unit, place];
    if (unit.symbol.endsWith("FLOP")) unit = quotient(unit, known.SECOND);
    return [known.KNOWN_UNITS.get(unit.symbol + time[0].symbol) || product(unit, time[0], `${unit.symbol}-${time[0].symbol}`), time[1]];
  }
}

// The plural of a unit as it stands behind a number other than 1, by the words of a bank and our own.
export function pluralOf(symbol, plurals) {
  const [head, ...rest] = symbol.split("/");
  return [known.PLURALS.get(head) || plurals[head] || head, ...rest].join("/");
}
