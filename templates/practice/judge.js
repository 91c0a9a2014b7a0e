// Verdicts of the page itself: {share, say, rounded, readAs}, share 0 to 1 of the points; null: ask again.
// The rules for numbers are those of quizgen/formula/mistakes.py and quantity.py.
import { atMost, least, less, magnitude, minus, most, over, power10, ratio, reduced, same, size, times, UNITY, ZERO } from "../numbers/ratio.js";
import { showNumber } from "../numbers/read.js";
import { readResponse } from "./steps.js";

const [THIRD, HALF, TENTH, COPIED, BILLIONTH] = [[1n, 3n], [1n, 2n], [1n, 10n], [1n, 1000n], [1n, 1000000000n]];
const APART = [5n, 1n]; // tolerances between a slip and the key that distinguish them
const far = (one, other) => size(minus(one, other));
const within = (given, value, share) => atMost(far(given, value), times(share, size(value)));

// The value of the last significant digit of a reading, or of its result for a calculation; null if the digits do not end.
function lastPlace({ base, step, unit }) {
  if (step) return step;
  let [value, places] = [reduced(over(base, unit.factor)), 0];
  while (value[1] !== 1n && places < 30) [value, places] = [reduced(times(value, [10n, 1n])), places + 1];
  if (value[1] !== 1n || !value[0]) return null;
  const zeros = places ? 0 : /0*$/.exec(String(value[0]))[0].length;
  return times(power10(zeros - places), unit.factor);
}

// Whether a reading is `value`, rounded to `digits` or more significant digits of `from`. Trailing zeros may count, a tie
// may go either way.
export function roundsTo(reading, value, from, digits) {
  const error = far(reading.base, value);
  if (digits < 1 || !reading.fits || !from[0] || less(from, times(times([2n, 1n], power10(digits - 1)), error))) return false;
  const step = lastPlace(reading);
  const place = step && times(step, power10(magnitude(over(from, step)) - digits + 1));
  return Boolean(step) && atMost(times([2n, 1n], error), least(step, place));
}

const exactKeys = new WeakMap();
function exact(key) {
  if (!exactKeys.has(key)) {
    const mistakes = (rows) => rows.map(([value, from, say, credit]) => ({ value: ratio(value), from: ratio(from), say, credit }));
    const value = key.value === null ? null : ratio(key.value);
    const margin = ratio(key.margin);
    exactKeys.set(key, {
      ...key, value, margin, from: ratio(key.from), named: mistakes(key.named), slips: mistakes(key.slips),
      tolerance: value && value[0] ? over(margin, size(value)) : ZERO,
    });
  }
  return exactKeys.get(key);
}
const takes = (key, value) => Boolean(key.value) && atMost(far(value, key.value), key.margin);

// Whether a reading is the key rounded to `digits` digits, and no misconception rounds to the same number.
function roundsAlone(reading, key, digits) {
  const meets = (wrong) => !takes(key, wrong.value) && (within(reading.base, wrong.value, BILLIONTH) || roundsTo(reading, wrong.value, wrong.from, digits));
  return roundsTo(reading, key.value, key.from, digits) && !key.named.some(meets);
}

// The nearest of the item's misconceptions: within the tolerance, or rounded as a right number may be.
function named(reading, key) {
  const given = reading.base;
  const half = reading.step && !(key.value && atMost(far(given, key.value), times(reading.step, HALF))) ? times(reading.step, HALF) : ZERO;
  let best = null;
  for (const one of key.named) {
    const share = one.value[0] ? most(most(key.tolerance, BILLIONTH), least(over(half, size(one.value)), COPIED)) : ZERO;
    const distance = over(far(given, one.value), one.value[0] ? size(one.value) : UNITY);
    const meant = within(given, one.value, share) || (roundsTo(reading, one.value, one.from, key.digits) && key.value && !takes(key, one.value));
    if (meant && (!best || less(distance, best.distance))) best = { ...one, distance };
  }
  return best && { share: best.credit, say: best.say, named: true };
}

// The explanation of a wrong reading: {share, say}.
function explained(reading, key, asked) {
  if (!reading.fits) return key.value ? { share: 0, say: "kind" } : { share: 0, say: "" };
  const mistake = named(reading, key);
  const nothing = { share: 0, say: "" };
  if (mistake || !key.value || !key.value[0] || !reading.base[0]) return mistake || nothing;
  const error = far(reading.base, key.value);
  const typed = over(reading.base, reading.unit.factor);
  if (!same(reading.unit.factor, asked.factor) && within(typed, over(key.value, asked.factor), key.tolerance)) return { share: 0, say: "unit" };
  if (key.whole && same(error, asked.factor)) return { share: 0, say: less(key.value, reading.base) ? "many" : "few" };
  if (reading.step && atMost(error, times(reading.step, HALF)) && atMost(error, times(size(key.value), THIRD))) {
    const enough = key.half && atMost(error, times(size(key.value), TENTH)) && roundsAlone(reading, key, 1);
    return { share: enough ? 0.5 : 0, say: "rounded" };
  }
  const slip = key.slips.find(({ value }) => {
    const close = less(far(over(value, key.value), UNITY), times(APART, key.tolerance));
    return within(reading.base, value, most(close ? over(key.tolerance, APART) : key.tolerance, BILLIONTH));
  });
  return slip ? { share: slip.credit, say: slip.say } : nothing;
}

// `16.000`: 16, or 16,000 if the point groups thousands.
function isGrouped([first, ...others]) {
  return first.step && others.some((one) => one.step && same(one.step, first.step) && same(one.base, times(first.base, [1000n, 1n])))
    && reduced(over(first.base, first.unit.factor))[1] === 1n;
}

// The verdict on the readings of a number with the unit `asked`. `row` is a row of the page: see PageNumberKey.
export function judgeReadings(readings, row, asked) {
  const key = exact(row);
  const verdict = (reading, made) => ({ share: made.share, say: made.say || "", rounded: Boolean(made.rounded), readAs: reading.shown });
  for (const one of key.value ? readings : []) if (one.fits && takes(key, one.base)) return verdict(one, { share: 1 });
  for (const one of key.value ? readings : []) if (roundsAlone(one, key, key.digits)) return verdict(one, { share: 1, rounded: true });
  const made = readings.map((one) => explained(one, key, asked));
  const differ = made.some((one) => one.say !== made[0].say);
  if (readings.length > 1 && isGrouped(readings) && differ) return verdict({ shown: readings.map((one) => one.shown).join(" or ") }, { share: 0 });
  const place = Math.max(0, made.findIndex((one) => one.named || one.share));
  return verdict(readings[place], made[place]);
}

// The verdict on a typed answer to a numeric item: `expected` from its card, `key` and `question` from its drawing.
export function judgeNumber(text, expected, key, question) {
  const readings = readResponse(text, expected, question);
  if (!readings) return null;
  const [{ word, numbers }] = readings;
  if (numbers) return judgeList(numbers, key);
  if (word === undefined) return judgeReadings(readings, key, expected.unit);
  const [share, say] = Object.hasOwn(key.words, word) ? key.words[word] : [0, ""];
  return { share, say, rounded: false, readAs: word };
}

// Several numbers in their order.
function judgeList(given, key) {
  const wanted = key.numbers.map(ratio);
  const right = given.length === wanted.length && given.every((part, n) => same(part, wanted[n]));
  const rest = given.slice();
  const all = rest.length === wanted.length && wanted.every((part) => {
    const at = rest.findIndex((one) => same(one, part));
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
  return { share: right ? 1 : 0, say: !right && all ? "order" : "", rounded: false, readAs: given.map((part) => showNumber(part)).join(", ") };
}

// The verdict on chosen options, by their places. `policy`: all or nothing, right minus wrong, or each option judged.
export function judgeChoice(chosen, count, keys, policy) {
  const right = chosen.filter((place) => keys.includes(place)).length;
  const wrong = chosen.length - right;
  let share = right === keys.length && !wrong ? 1 : 0;
  if (keys.length > 1 && policy === "net") share = Math.max(0, right - wrong) / keys.length;
  if (keys.length > 1 && policy === "each") share = (count - (keys.length - right) - wrong) / count;
  return { share, say: "", rounded: false, readAs: "" };
}

// The candidate's own rating: the points of each criterion, at most the full marks.
export function rated(criteria, full, ratings) {
  const earned = criteria.reduce((sum, one) => sum + one.points * (ratings[one.id] || 0), 0);
  return full ? Math.min(1, earned / full) : 0;
}
