// Verdicts that a page comes to by itself: {share, say, rounded, readAs}, share 0 to 1 of the points; null: ask again.
import { atMost, least, magnitude, minus, over, power10, ratio, same, size, times } from "./ratio.js";
import { readNumber } from "./read_number.js";

const TENTH = [1n, 10n];
const THOUSANDTH = [1n, 1000n];
const BILLIONTH = [1n, 1000000000n];
const within = (given, value, margin) => atMost(size(minus(given, value)), margin);

// Whether a reading is `value`, rounded to `digits` or more significant digits of `from`. Trailing zeros may count, a tie
// may go either way.
export function roundsTo(reading, value, from, digits) {
  if (digits < 1 || !from[0]) return false;
  const error = size(minus(reading.base, value));
  const place = times(reading.step, power10(magnitude(over(from, reading.step)) - digits + 1));
  return atMost(times([2n, 1n], error), least(reading.step, place));
}

function nearest(reading, mistakes, slack) {
  let best = null;
  for (const one of mistakes) {
    const value = ratio(one[0]);
    const far = size(minus(reading.base, value));
    if (atMost(far, times(slack, size(value))) && (!best || !atMost(best.far, far))) best = { one, far };
  }
  return best && best.one;
}

// The verdict on the readings of a number. `key` is a row of the page: see NumberKey.
export function judgeReadings(readings, key) {
  const verdict = (reading, share, say, rounded) => ({ share, say: say || "", rounded: Boolean(rounded), readAs: reading.shown });
  if (key.value === null) {
    const named = readings.map((one) => one.fits && nearest(one, key.named, THOUSANDTH)).find(Boolean);
    return verdict(readings[0], named ? named[3] : 0, named ? named[2] : "");
  }
  const [value, margin, from] = [ratio(key.value), ratio(key.margin), ratio(key.from)];
  const fitting = readings.filter((one) => one.fits);
  for (const one of fitting) if (within(one.base, value, margin)) return verdict(one, 1, "");
  const meets = (one, mistake) => {
    const wrong = ratio(mistake[0]);
    if (within(wrong, value, margin)) return false;
    return within(one.base, wrong, times(BILLIONTH, size(wrong))) || roundsTo(one, wrong, ratio(mistake[1]), key.digits);
  };
  for (const one of fitting) {
    if (roundsTo(one, value, from, key.digits) && !key.named.some((wrong) => meets(one, wrong))) return verdict(one, 1, "", true);
  }
  if (!fitting.length) return verdict(readings[0], 0, "kind");
  const slack = value[0] ? over(margin, size(value)) : [0n, 1n];
  const near = atMost(slack, THOUSANDTH) ? THOUSANDTH : slack;
  for (const one of fitting) {
    const named = nearest(one, key.named, near) || key.named.find((wrong) => meets(one, wrong));
    if (named) return verdict(one, named[3], named[2]);
  }
  for (const one of fitting) {
    const off = size(minus(one.base, value));
    if (key.half && atMost(off, times(TENTH, size(value))) && roundsTo(one, value, from, 1) && !key.named.some((wrong) => roundsTo(one, ratio(wrong[0]), ratio(wrong[1]), 1))) {
      return verdict(one, 0.5, "rounded");
    }
  }
  const slipped = fitting.map((one) => nearest(one, key.slips, atMost(slack, BILLIONTH) ? BILLIONTH : slack)).find(Boolean);
  return verdict(fitting[0], slipped ? slipped[3] : 0, slipped ? slipped[2] : "");
}

// The verdict on a typed answer to a numeric item.
export function judgeNumber(text, table, key) {
  const word = text.trim().toLowerCase().replace(/\.$/, "");
  if (Object.hasOwn(key.words, word)) return { share: key.words[word][0], say: key.words[word][1], rounded: false, readAs: word };
  if (key.numbers.length) return judgeList(word, key);
  if (!table) return null;
  const readings = readNumber(text, table);
  return readings && judgeReadings(readings, key);
}

// Several whole or decimal numbers in their order; with names before them it is asked again.
function judgeList(text, key) {
  const given = text.replace(/^[([{]|[)\]}]$/g, "").trim().split(/\s*[,;]\s*|\s+/);
  if (given.length !== key.numbers.length || !given.every((part) => /^-?\d+(\.\d+)?$/.test(part))) return null;
  const exact = given.map((part) => times([BigInt(part.replace(".", "")), 1n], power10(-(part.split(".")[1] || "").length)));
  const right = exact.every((part, n) => same(part, ratio(key.numbers[n])));
  const rest = exact.slice();
  const all = key.numbers.every((part) => {
    const at = rest.findIndex((one) => same(one, ratio(part)));
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
  return { share: right ? 1 : 0, say: !right && all ? "order" : "", rounded: false, readAs: given.join(", ") };
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

// The share that somebody gave themselves: what each criterion is worth, at most the full marks.
export function rated(criteria, full, ratings) {
  const earned = criteria.reduce((sum, one) => sum + one.points * (ratings[one.id] || 0), 0);
  return full ? Math.min(1, earned / full) : 0;
}
