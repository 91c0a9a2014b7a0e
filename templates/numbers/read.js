// What a candidate wrote as an answer, read as the terminal reads it, or not at all: quizgen/numbers/read.py.
//
// A reading is {base, step, unit, fits, shown}: the amount in base units, the worth there of its last significant place
// (null: calculated), whether its unit answers the item, and how it is shown; {word} or {numbers} where it is no number.
import { AskAgain, askAgain, known } from "./tables.js";
import { atMost, floating, less, over, power10, ratio, same, size, times, UNITY } from "./ratio.js";
import { combined, fits, hasMoney, isBare, isOne, isPhysical, isRate, label, power, quotient, sameDim } from "./dims.js";
import { fold } from "./fold.js";
import { MAX_POWER, tokens } from "./tokens.js";
import { periodOf, pluralOf } from "./units.js";
import { pieces } from "./calculations.js";
import { choose, isOfKind } from "./choose.js";
import { labelRoots } from "./surroundings.js";
import { wordAnswer } from "./special.js";

const MAX_LENGTH = 300;
const UNCLEAR = new RegExp(
  "\\bp\\. ?[am]\\b|\\d:\\d|\\d : \\d|(?<![\\w.*])(?<![*x] )\\d+/\\d+/\\d|\\d\\.(?:10(?:\\^|\\*\\*)|[A-DF-Za-df-z#])|!=|\\d·\\d(?!0(?:\\^|\\*\\*))"
  + "|\\d /\\d|\\d\\s*[x*]\\s*10(?:-\\d|(?!24\\b)[1-9]\\d?\\b(?![.,]|\\s*=))"
  + "|(?<![\\d.])(?!\\d{1,3}(?:\\.\\d{3})+(?![\\d.]))(?:[012]?\\d?\\d\\.){3}[012]?\\d?\\d(?![\\d.])|20[0-3]\\d-[01]\\d-[0-3]\\d");
const NOT_DIGIT = "(?:(?!\\d)[\\p{L}\\p{N}_])";
const INPUT = `(?:${NOT_DIGIT}{1,2}|stage|zero) ?= ?\\d[\\d.,]*(?<=\\d) ?${NOT_DIGIT}*(?= ?(?:[,;:)]|$|and ${NOT_DIGIT}+ ?=))`;
const STARTS_WITH_INPUT = new RegExp(`^[^\\p{L}\\p{N}_]*${INPUT}`, "u");
const ANY_PREFIX = /^(?:[kMGTPEZY]i?|[mun](?=s))(?=(?:B|b|FLOP|Wh?|J|s)(?:$|[/-]))/;
const LONG_TIMES = ["min", "h", "day", "week", "year"];

// The readings of a response, likeliest first; null where it is asked again. `question`: what the stem asks, with its
// drawn values.
export function read(text, expected, question) {
  try {
    return text.trim().length > MAX_LENGTH ? null : readings(text.trim(), expected, question || "");
  } catch (error) {
    if (error instanceof AskAgain) return null;
    throw error;
  }
}

function readings(text, expected, question) {
  const chosen = answerAsWritten(text, expected);
  return chosen.value ? meanings(chosen, expected, question) : [chosen];
}

// The amount of a response that answers, as it was written; {word} or {numbers} where it is no number.
export function answerAsWritten(text, expected) {
  if (/[^\P{Cc}\t\n\r\v\f]|\p{Cs}/u.test(text)) askAgain();
  let folded = fold(text).trim();
  if (folded === "" || folded === ".") askAgain();
  if (expected.shape === "number") folded = withoutInputs(folded);
  if (!/^\d/.test(folded) || expected.shape !== "number") {
    const answer = wordAnswer(folded, expected);
    if (answer) return answer;
  }
  if (UNCLEAR.test(folded)) askAgain();
  return choose(pieces(tokens(folded), expected), expected);
}

// A folded response without what its result holds for (`, K = 32`).
function withoutInputs(text) {
  if (!text.includes("=") || STARTS_WITH_INPUT.test(text)) return text;
  const leads = [...known.CONDITION_WORDS, "and"].join("|");
  const left = text.replace(new RegExp(`(?:\\s*(?:[,;@(]|\\b(?:${leads})\\b/?))+ ?${INPUT}`, "gu"), "");
  return /\d/.test(left) ? left : text;
}

// -- what an amount means where its unit, period or counted thing is left open

function meanings(amount, expected, question) {
  const far = [10n ** BigInt(MAX_POWER), 1n];
  if ((amount.raised || !amount.step) && amount.value[0] && !(atMost(over(UNITY, far), size(amount.value)) && less(size(amount.value), far))) askAgain();
  if (amount.unit && !sameDim(amount.unit.dim, expected.unit.dim)) amount = { ...amount, unit: ofTheAskedKind(amount.unit, expected) };
  checkRepetition(amount, expected, question);
  const ways = [amount, ...(amount.other ? [{ ...amount, value: amount.other }] : [])];
  const every = ways.flatMap((way) => ofUnits(way, expected)).flatMap((one) => asPlainNumber(one, expected));
  const distinct = every.filter((one, n) => !every.slice(0, n).some((other) => same(baseOf(one), baseOf(other)) && sameDim(one.unit.dim, other.unit.dim)));
  return distinct.map((one) => ({
    base: baseOf(one), step: one.step && times(one.step, one.unit.factor), unit: one.unit, fits: fits(one.unit.dim, expected.unit.dim), shown: one.shown,
  }));
}
const baseOf = (one) => times(one.value, one.unit.factor);

// A `unit` of another dimension than is asked, as the stem makes it one: replicas are pods where the stem asks "how many
// replicas", dollars are dollars a year or the reverse where it asks for a year's. Any other kind stays as it is and is
// wrong, but for counted things: of these only the label of another input; the rest is asked again.
function ofTheAskedKind(unit, expected) {
  const { stem, unit: wanted } = expected;
  const labels = countedIn(unit.dim);
  if (isOne(wanted) && !expected.unitInStem && Object.keys(unit.dim).some(isPhysical)) askAgain();
  if (stem.there && labels.length && !hasMoney(unit) && !(countedIn(wanted.dim).length && fits(unit.dim, wanted.dim))) {
    if ([...labelRoots(labels[0], expected)].some((word) => stem.counted.has(word))) {
      const part = (dim, physical) => Object.fromEntries(Object.entries(dim).filter(([name]) => isPhysical(name) === physical));
      unit = { ...unit, dim: combined(part(unit.dim, true), part(wanted.dim, false), 1) };
    } else if (!stem.inputLabels.has(labels[0]) || isBare(wanted.dim)) askAgain();
  }
  if (!fits(unit.dim, wanted.dim)) return stem.there || isBare(wanted.dim) ? inThePeriod(unit, expected) : unit;
  return isOfKind(unit, expected) ? unit : askAgain();
}
const countedIn = (dim) => Object.keys(dim).filter((name) => !isPhysical(name) && dim[name] > 0);

// `unit` per the time for which the stem asks, or without the time that it is per where the stem asks for that. An amount
// where a rate is asked, and the reverse, are asked about where the stem has no such time.
function inThePeriod(unit, { unit: wanted, stem, lexicon }) {
  const own = wanted.symbol.slice(wanted.symbol.lastIndexOf("/") + 1);
  const period = periodOf(wanted, lexicon.words) || (isRate(wanted.dim) ? known.SECOND : null);
  if (isRate(wanted.dim) && sameDim(unit.dim, known.SECOND.dim)) askAgain();
  if (period && fits(combined(unit.dim, period.dim, -1), wanted.dim)) {
    return stem.ratePeriods.some((one) => one.symbol === own) ? quotient(unit, period) : askAgain();
  }
  const [given, dim] = [periodOf(unit, lexicon.words), combined(unit.dim, known.SECOND.dim, 1)];
  if (!given || !fits(dim, wanted.dim)) return unit;
  const yearly = isBare(wanted.dim) && given.symbol === "year"; // 5.25 % a year
  if (!yearly && !stem.periods.some((one) => one.symbol === given.symbol)) askAgain();
  return { symbol: unit.symbol.slice(0, unit.symbol.lastIndexOf("/")), factor: times(unit.factor, given.factor), dim };
}

// `3 min` where the stem asks "How long is 3 min in s?" is asked about.
function checkRepetition({ unit, value }, expected, question) {
  const wanted = expected.unitInStem || expected.unit;
  if (!unit || !sameDim(unit.dim, wanted.dim) || same(unit.factor, wanted.factor) || !expected.stem.there) return;
  const shown = showQuantity(value, unit, expected.plurals).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  if (new RegExp(`(?<![\\d.,])${shown}(?![\\p{L}\\p{N}_])`, "u").test(question)) askAgain();
}

// -- bare numbers

function ofUnits(amount, expected) {
  const [{ unit, value, step }, wanted] = [amount, expected.unit];
  if (!unit || (isOne(unit) && wanted.symbol === "%")) return unitsOfBare(amount, wanted).map((one) => bareIn(amount, one, expected));
  const shown = isOne(unit) && !isBare(wanted.dim) ? showNumber(value) + "x" : showQuantity(value, unit, expected.plurals);
  const bytes = unit.symbol === "B" && !power(wanted.dim, "information"); // B would be a billion there
  return [{ value, unit, shown: bytes ? shown.replace(/B$/, "bytes") : shown, step }];
}

function bareIn(amount, unit, expected) {
  const wanted = expected.unit;
  const scale = over(unit.factor, wanted.factor);
  const value = times(amount.value, scale);
  return { value, unit: wanted, shown: showQuantity(value, wanted, expected.plurals), step: amount.step && times(amount.step, scale) };
}

// The units in which a bare number may be, likeliest first: the one that is wanted; beside it a fraction for a number up to
// 1 where % is wanted, and the unit without its prefix for 3.17e10 or 13e9*2 where GB is wanted.
function unitsOfBare(amount, wanted) {
  const number = size(amount.value);
  if (!amount.value[0]) return [wanted];
  if (wanted.symbol === "%") {
    if (less(UNITY, number)) return [wanted];
    return !amount.step || (amount.unit && isOne(amount.unit)) ? [known.ONE, wanted] : [wanted, known.ONE];
  }
  const [base, prefix] = withoutPrefix(wanted);
  const exact = amount.raised || !amount.step;
  if (atMost([10n ** 6n, 1n], prefix)) return atMost(exact ? times(prefix, [1n, 1000n]) : prefix, number) ? [base, wanted] : [wanted];
  if (less(prefix, UNITY) && exact && atMost(number, UNITY)) return [wanted, base];
  return !amount.step && LONG_TIMES.includes(wanted.symbol) ? [wanted, known.SECOND] : [wanted];
}

// `unit` without its prefix, and the prefix: B/s and 10^9 of GB/s.
function withoutPrefix(unit) {
  const symbol = unit.symbol.replace(ANY_PREFIX, "");
  if (symbol === unit.symbol) return [unit, UNITY];
  const length = unit.symbol.length - symbol.length;
  const letters = unit.symbol.slice(0, length);
  const prefix = known.SI.get(letters) || known.BINARY.get(letters);
  const worth = prefix ? ratio(prefix) : power10({ m: -3, u: -6, n: -9 }[letters]);
  return [{ symbol, factor: over(unit.factor, worth), dim: unit.dim }, worth];
}

// The plain number of an amount in exactly the unit that the stem names (`How many GB …?`); of a percentage its share as well.
function asPlainNumber(reading, expected) {
  const [named, { unit }] = [expected.unitInStem, reading];
  if (!named || isOne(unit) || !sameDim(unit.dim, named.dim) || !same(unit.factor, named.factor)) return [reading];
  const plain = { ...reading, unit: known.ONE };
  return named.symbol === "%" ? [plain, reading] : [plain];
}

// -- as it is shown: quizgen/formula/quantity.py

// Up to six significant digits, whole numbers up to seven digits in full; large and small ones with a power of a thousand.
export function showNumber(value) {
  const near = floating(value);
  const far = Math.abs(near);
  const grouped = (text) => text.replace(/^(-?)(\d+)/, (_, sign, whole) => sign + whole.replace(/\B(?=(?:\d{3})+$)/g, ","));
  if (far >= 0.001 && far < 1e7 && Number.isInteger(near)) return grouped(String(near));
  if (far >= 0.001 && far < 999999.5) return grouped(String(sixDigits(near)));
  if (!value[0]) return "0";
  const [digits, exponent] = sixDigits(near).toExponential(5).split("e").map((part) => part.replace(".", ""));
  const whole = (((Number(exponent) % 3) + 3) % 3) + 1 + (digits.startsWith("-") ? 1 : 0);
  return `${digits.slice(0, whole)}.${digits.slice(whole)}`.replace(/0+$/, "").replace(/\.$/, "") + "e" + Math.floor(Number(exponent) / 3) * 3;
}

// Six significant digits; at a tie the last one is even, as Python has it.
function sixDigits(near) {
  const rest = near.toExponential(40).split("e")[0].replace(/\D/g, "").slice(6);
  const text = near.toExponential(5);
  return Number(/^50*$/.test(rest) && /[13579]e/.test(text) ? (near * (1 - 1e-9)).toExponential(5) : text);
}

export function showQuantity(value, unit, plurals) {
  const shown = showNumber(value);
  if (isOne(unit)) return shown;
  if (unit.symbol === "%") return shown + "%";
  if (unit.symbol === "kb") return shown + " kbit"; // kb reads as kB where bytes are asked
  return `${shown} ${shown === "1" || shown === "-1" ? unit.symbol : pluralOf(unit.symbol, plurals)}`;
}
