// Amounts in a response: a number with its magnitude and its unit (`31.7 GB`, `$5.57M`, `2h 30min`, `13B`).
// quizgen/numbers/amounts.py. An amount at a place is [amount, the place behind its last token].
import { known } from "./tables.js";
import { atMost, isWhole, less, over, plus, ratio, same, times, UNITY, ZERO } from "./ratio.js";
import { hasMoney, isBare, isOne, isRate, label, ownMoney, isPhysical, power, product, quotient, sameDim, sameUnit } from "./dims.js";
import { root } from "./fold.js";
import { NUMBER, scaledBy, WORD } from "./tokens.js";
import { periodOf, spelledUnit, UnitParser } from "./units.js";

const NEVER_PARTED = ["param", "token"];
const PREFIX_OF_EXPECTED = /^(?:[kMGTPEZY]i?)(?=(?:B|b|FLOP|Wh?|J)(?:$|[/-]))/;
const NO_LEXICON = { words: new Map(), phrases: new Map() };

export class AmountParser extends UnitParser {
  // The amount that begins at `place`, with a unit behind it (`5.6M USD`) or a sign of money before (`$5.6M`).
  amount(place) {
    const token = this.at(place);
    if (token.kind === NUMBER) return this.behindNumber(...this.number(place, false));
    const lead = token.kind === WORD ? this.atom(place) : null;
    if (!lead || !(hasMoney(lead[0]) || lead[0].symbol === "%") || this.at(lead[1]).kind !== NUMBER) return null;
    const [money, start] = lead;
    const [number, behind] = this.number(start, true);
    const again = this.atom(behind);
    const [unit, end] = this.divided(money, again && sameUnit(again[0], money) ? again[1] : behind); // $2,475 USD
    return [worth(number, unit, this.expected), end];
  }

  // The number at `place` with the magnitudes behind it: `5.85 million`, `two thousand`, `13B`.
  number(place, money) {
    let number = this.at(place).amount;
    let letter = true;
    for (place += 1; this.at(place).kind === WORD; place += 1) {
      let factor = known.MAGNITUDE_WORDS.get(this.at(place).low);
      if (factor === undefined && letter) {
        letter = false;
        factor = known.MAGNITUDE_LETTERS.get(this.at(place).text);
        if (factor !== undefined && !money && !this.isFactor(place)) factor = undefined;
      }
      if (factor === undefined) break;
      number = scaledBy(number, ratio(factor));
    }
    return [number, place];
  }

  // Whether the letter at `place` multiplies the number before it: B of `13B params`, but not of `13 B/param`; 4k tokens,
  // 31.7B bytes, 5.6M USD.
  isFactor(place) {
    const [letter, after, unit] = [this.at(place).text, this.at(place + 1), this.unit(place + 1)];
    if (this.expected.lexicon.words.has(letter.toLowerCase())) return false;
    if (unit) {
      const { dim } = unit[0];
      if (letter === "T" && ownMoney(dim)) return false; // 130 T€ are thousands to some
      return !["B", "b", "m"].includes(letter) || hasMoney(unit[0]) || counts(dim) || (letter === "B" && power(dim, "information") === 1);
    }
    if (after.text === "*" || after.text === "/") return "kKM".includes(letter) || (letter === "B" && after.text === "*");
    return this.scalesAlone(letter);
  }

  // Whether a letter without a unit behind it multiplies: where a count, money or a plain number is expected, and k where
  // what is expected has a k.
  scalesAlone(letter) {
    if (this.expected.anyUnit) return false;
    const expected = this.expected.unitInStem || this.expected.unit;
    const { dim } = expected;
    if (letter === "m" && !hasMoney(expected)) return false; // metres, minutes
    if ((letter === "k" || letter === "K") && (power(dim, "energy") || (expected.symbol[0] === "k" && !isRate(dim)))) return true;
    const measured = ["information", "time", "energy"].some((name) => power(dim, name) > 0) || expected.symbol === "%";
    return counts(dim) || (!measured && (letter === "B" || !power(dim, "FLOP")));
  }

  // `80G` where GB is expected, `405T` where FLOP/s is: the prefix with the unit that is expected.
  prefixAlone(place) {
    const [{ unit: expected, anyUnit }, token] = [this.expected, this.at(place)];
    if (token.kind !== WORD) return null;
    if (anyUnit) return known.MAGNITUDE_LETTERS.has(token.text) ? [{ symbol: token.text, factor: UNITY, dim: { [token.text]: 1 } }, place + 1] : null;
    const [base, ...rest] = expected.symbol.replace(PREFIX_OF_EXPECTED, "").split("/");
    const prefixed = known.PREFIXES.has(token.low) && ["B", "b", "FLOP", "W", "Wh", "J"].includes(base);
    const head = prefixed ? spelledUnit(token.text + base, this.letter, NO_LEXICON) : null;
    if (!head) return null;
    const scale = over(expected.factor, known.KNOWN_UNITS.get(expected.symbol.split("/")[0]).factor);
    return [{ symbol: [head.symbol, ...rest].join("/"), factor: times(head.factor, scale), dim: expected.dim }, place + 1];
  }

  // The amount of `number`, which ends at `place`.
  behindNumber(number, place) {
    const unit = this.unitBehind(place) || this.prefixAlone(place) || this.thingLeftOut(place);
    if (!unit) return [worth(number, null, this.expected), place];
    const amount = worth(number, unit[0], this.expected);
    return sameDim(unit[0].dim, known.SECOND.dim) ? this.andSmaller(amount, unit[1]) : [amount, unit[1]];
  }

  // The unit at `place`: `GB`, `x H100`; and `m` before seconds.
  unitBehind(place) {
    const [token, after] = [this.at(place), this.at(place + 1)];
    if (token.text === "m" && after.kind === NUMBER) { // 2m30s
      const seconds = this.unit(place + 2);
      if (seconds && sameUnit(seconds[0], known.SECOND)) return [known.KNOWN_UNITS.get("min"), place + 1];
    }
    const unit = token.kind === WORD || token.text === "1" ? this.unit(place) : null;
    const thing = unit && isOne(unit[0]) ? this.atom(unit[1]) : null; // 14x H100
    return thing && label(thing[0].dim) ? thing : unit;
  }

  // `25/s`, `1500 per minute` where tokens a second are expected: the thing counted is the one expected.
  thingLeftOut(place) {
    const { unit: expected, stem } = this.expected;
    const token = this.at(place);
    if (token.kind === WORD && stem.known.has(root(token.low)) && !["a", "per", "every"].includes(token.low)) place += 1; // 40 commits per second
    const sign = this.at(place);
    const below = ["/", "per", "a", "every"].includes(sign.low) ? this.divisor(place + 1, sign) : null;
    const own = isRate(expected.dim) ? periodOf(expected) : null;
    if (!below || !sameDim(below[0].dim, known.SECOND.dim)) return null;
    if (!own) return stem.periods.some((one) => sameUnit(one, below[0])) ? [quotient(expected, below[0]), below[1]] : null; // 240/mo
    return [quotient(product(expected, own, ""), below[0]), below[1]];
  }

  // `2h 30min`, `3 hours and 6 minutes`, `5 h, 30 min`.
  andSmaller(amount, place) {
    const unit = amount.unit || known.SECOND;
    const start = place + (["and", ","].includes(this.at(place).low) ? 1 : 0);
    const [token, after] = [this.at(start), this.at(start + 1)];
    if (!token.amount || !isWhole(amount.value)) return [amount, place];
    let smaller = this.unit(start + 1);
    if ((unit.symbol === "h" || unit.symbol === "day") && after.text === "m") smaller = [known.KNOWN_UNITS.get("min"), start + 2];
    if (!smaller || !sameDim(smaller[0].dim, known.SECOND.dim) || !less(smaller[0].factor, unit.factor)) return [amount, place];
    const share = over(smaller[0].factor, unit.factor);
    const part = times(token.amount.value, share);
    if (!atMost(ZERO, part) || !less(part, UNITY)) return [amount, place]; // 5 h, 300 min
    const [rest, end] = this.andSmaller(worth(token.amount, smaller[0], this.expected), smaller[1]);
    return [{ ...amount, value: plus(amount.value, times(rest.value, share)), step: rest.step && times(rest.step, share), other: null }, end];
  }
}

// The amount of a `number` with a `unit`, with its other value where its mark can be read both ways.
export function worth(number, unit, expected) {
  return { ...number, unit, other: number.other && isReadTwoWays(number, unit, expected) ? number.other : null };
}

// Not in things without parts, nor in a small unit.
function isReadTwoWays(number, written, expected) {
  const unit = written || expected.unit;
  const name = label(unit.dim);
  if (!number.step) return false;
  if (less(number.other, number.value)) {
    const parted = name ? known.DIVISIBLE.has(name) && !NEVER_PARTED.includes(name) : !["B", "b", "FLOP", "USD"].includes(unit.symbol);
    const smaller = sameDim(unit.dim, expected.unit.dim) && less(unit.factor, expected.unit.factor) && unit.symbol !== "%";
    return less(UNITY, number.step) || (parted && !smaller);
  }
  const whole = isWhole(number.value) || expected.whole || isBare(unit.dim) || ownMoney(unit.dim);
  return Boolean(whole) && same(number.step, [1n, 1000n]) && !number.raised && unit.symbol !== "%";
}

const counts = (dim) => Object.keys(dim).some((name) => dim[name] > 0 && !isPhysical(name));
