// What a typed number says, by a table that quizgen made for the item. What is not read for certain is asked again.
import { atMost, magnitude, minus, over, power10, ratio, same, size, times } from "./ratio.js";

const LARGEST = 30; // of a power of ten that anybody means
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻";
const BEFORE = /^(?:(?:the )?answer(?: is|:)?|(?:by )?(?:a )?factor(?: of)?|[x×](?= ?\d)|about|around|roughly|approximately|approx\.?|circa|ca\.?|~|≈|=|≅|is|it is|it's) */i;
const NUMBER = /^(-?)(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:[ '’]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)(?:[eE]([+-]?\d{1,3})|(?: ?[x×*·] ?10(?:\^|\*\*)\(?([+-]?\d{1,3})\)?))?(?![\d.,]) ?(.*)$/;
const NAME = /^[A-Za-z][A-Za-z_ ]{0,20}= ?(?=[-.\d])/; // lr = 0.4
const SIGN = "(?: ?(?:[*×/^+]|\\*\\*) ?| [-·x] | ?- ?(?=\\()|(?<=\\)) ?- ?)"; // 10-14 is a range, 31·7 a number
const OPERAND = "\\(*-?\\d+(?:\\.\\d+)?(?:e-?\\d{1,2})?\\)*";
const FORMULA = new RegExp(`^(${OPERAND}(?:${SIGN}${OPERAND})+)(?![\\d.,]) ?(.*)$`);
const WORDS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(" ");
const TIMES = ["day", "h", "min", "s", "ms"];
const EXACT = [1n, 10n ** 40n]; // the last digit of what was worked out: no rounding

// The text with one sort of space, minus and exponent, and without the words before and the full stop behind.
function tidy(text) {
  let plain = text.replace(/[\s\u00a0\u2007\u2009\u202f]+/g, " ").replace(/[−–‐]/g, "-").trim();
  plain = plain.replace(/(10) ?([⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)/g, (_, ten, raised) => ten + "^" + [...raised].map((c) => "0123456789-"[RAISED.indexOf(c)]).join(""));
  for (let before = ""; before !== plain;) {
    before = plain;
    plain = plain.replace(BEFORE, "");
  }
  const word = /^[a-z]+(?= |$)/i.exec(plain);
  if (word && WORDS.includes(word[0].toLowerCase())) plain = WORDS.indexOf(word[0].toLowerCase()) + plain.slice(word[0].length);
  return plain.replace(NAME, "").replace(/[.;]$/, "").replace(/^\$ ?([\d.]+(?:,\d{3})*(?:\.\d+)?) ?(.*)$/, "$1 $2$$").replace(/^- (?=\d)/, "-").trim();
}

// The ways to read the digits, each as one whole number with places behind the point and a text to show; an `unusual`
// one, a comma before three decimals, only in the unit that is asked for.
function digits(text, table, raised) {
  const ways = [];
  const grouped = text.replace(/[ '’]/g, "");
  const add = (plain, unusual) => {
    const [whole, part] = plain.split(".");
    ways.push({ digits: BigInt(whole + (part || "")), places: (part || "").length, shown: plain, unusual: Boolean(unusual) });
  };
  const comma = /^[1-9]\d{0,2},\d\d[1-9]$/.test(grouped); // behind 1,230 nobody writes a 0 that says nothing
  const raisedComma = raised && /^\d+,\d+$/.test(grouped); // 8,609e16
  if (!raisedComma && /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(grouped)) {
    add(grouped.replace(/,/g, ""));
    if (comma && table.decimalComma) add(grouped.replace(",", "."), true);
  } else {
    add(grouped.replace(",", ".").replace(/^\./, "0."));
    if (/^[1-9]\d{0,2}\.\d{3}$/.test(grouped) && table.groupingPoint) add(grouped.replace(".", ""));
  }
  return ways;
}

// The readings of a number alone depend on its size: the last row of the table that begins below it.
function bare(table, exponent) {
  let readings = table.bare[0][1];
  for (const [from, ways] of table.bare) if (from <= exponent) readings = ways;
  return readings;
}

// What was typed, cut into the sign, the digits, the power of ten and what stands behind; null where that is not a number.
function cut(plain) {
  const parts = plain && plain.length <= 60 ? NUMBER.exec(plain) : null;
  if (!parts) return null;
  const [, sign, numeral, e, x, unit] = parts;
  return { sign, numeral, raised: Boolean(e || x), power: Number(e || x || 0), unit };
}

function decimal(text) {
  const [plain, power] = text.split("e");
  return times([BigInt(plain.replace(".", "")), 1n], power10(Number(power || 0) - (plain.split(".")[1] || "").length));
}

// The exact value of a formula of plain numbers, `16 * 8192`, `7/8`, `1 - 0.97^40`; null where it has none, or where it
// could be a range, a date or a ratio of three.
export function valueOf(text) {
  if (/\.10\^|[*×x·] ?10(?:0?[3-9]|1\d)(?!\d)/.test(text)) return null; // 32.10^9 and 3 × 1010 may mean powers of ten
  const parts = text.replace(/\*\*/g, "^").match(/\d+(?:\.\d+)?(?:e-?\d{1,2})?|[-+*·×x/^()]/g) || [];
  if (parts.filter((part) => part === "/").length > 1 || (parts.includes("-") && !/[*·×x/^(]/.test(text))) return null;
  let at = 0;
  const operand = () => {
    const part = parts[at++];
    if (part === "-") return negative(power());
    if (part !== "(") return part && /\d/.test(part) ? decimal(part) : null;
    const inner = total();
    return parts[at++] === ")" ? inner : null;
  };
  const negative = (value) => value && [-value[0], value[1]];
  const power = () => {
    const base = operand();
    if (parts[at] !== "^") return base;
    at += 1;
    const raised = power();
    const whole = raised && raised[0] % raised[1] === 0n ? Number(raised[0] / raised[1]) : 1000;
    if (!base || Math.abs(whole) > 64 || (whole < 0 && !base[0])) return null;
    const [up, down] = [base[0] ** BigInt(Math.abs(whole)), base[1] ** BigInt(Math.abs(whole))];
    return whole < 0 ? over([1n, 1n], [up, down]) : [up, down];
  };
  const chain = (next, signs) => () => {
    let value = next();
    while (value && signs.includes(parts[at])) {
      const sign = parts[at++];
      const other = next();
      if (!other || (sign === "/" && !other[0])) return null;
      value = sign === "+" ? minus(value, negative(other)) : sign === "-" ? minus(value, other) : sign === "/" ? over(value, other) : times(value, other);
    }
    return value;
  };
  const total = chain(chain(power, "*·×x/"), "+-");
  const value = total();
  return value && at === parts.length ? value : null;
}

// How a number reads where no item is known, only spellings of units in lower case: `shown` is "12.5 GB"; `known` is
// false where its unit is none of them; null where it is not a number.
export function echoOf(text, spellings) {
  const parts = cut(tidy(text));
  if (!parts) return null;
  const [way] = digits(parts.numeral, { decimalComma: false, groupingPoint: false }, parts.raised);
  const number = parts.sign + way.shown + (parts.power ? "e" + parts.power : "");
  const known = !parts.unit || spellings.includes(parts.unit.toLowerCase());
  return { number, unit: parts.unit, known, shown: number + (parts.unit && parts.unit !== "%" ? " " : "") + parts.unit };
}

// A number with its unit, in each way that the table has for it: `shown` is the number as text.
function readings(table, amount, step, shown, unit, unusual) {
  const exponent = amount[0] ? magnitude(size(amount)) : 0;
  const word = unit.length > 2 && !table.spellings[unit] ? unit.toLowerCase() : unit; // RTT
  const places = unit ? table.spellings[word] : bare(table, exponent);
  if (!Array.isArray(places) || !places.length) return null;
  const own = table.units[table.bare[0][1][0]]; // the unit of a number alone
  return places.map((place) => table.units[place]).filter((one) => !unusual || one[1] === own[1]).map(([factor, symbol, fits]) => ({
    base: times(amount, ratio(factor)), step: times(step, ratio(factor)), fits: Boolean(fits),
    shown: symbol === "1" ? shown : symbol === "%" ? shown + "%" : shown + " " + symbol,
  }));
}

// `1 h 20 min`: times from long to short, added up.
function sum(plain, table) {
  const parts = plain.split(/(?<=[a-z])(?: and |, | )(?=\d)/).map((part) => /^(\d+(?:\.\d+)?) ?([a-z]+)$/.exec(part));
  if (parts.length < 2 || !parts.every(Boolean)) return null;
  const ways = parts.map(([, numeral, unit]) => {
    const found = readings(table, decimal(numeral), EXACT, numeral, unit) || [];
    return found.length === 1 && found[0].fits ? found[0] : null;
  });
  const one = (way, numeral) => over(way.base, decimal(numeral));
  const smaller = ways.every((way, n) => !n || (way && ways[n - 1] && !atMost(one(ways[n - 1], parts[n - 1][1]), way.base)));
  const places = ways.map((way) => (way ? TIMES.indexOf(way.shown.split(" ")[1]) : -1));
  if (!smaller || !places.every((place, n) => place >= 0 && (!n || place > places[n - 1]))) return null;
  const base = ways.reduce((total, way) => minus(total, [-way.base[0], way.base[1]]), [0n, 1n]);
  return [{ ...ways[0], base, shown: ways.map((way) => way.shown).join(" ") }];
}

// What was worked out, `7/8 GB`; with a result behind it, `1.5 * 16 = 24`, that result where it is the right one.
function worked(plain, table) {
  const [left, right, more] = plain.split(/ ?= ?/);
  const parts = FORMULA.exec(left);
  const amount = parts && more === undefined ? valueOf(parts[1]) : null;
  if (!amount) return null;
  if (right === undefined) {
    const found = readings(table, amount, EXACT, parts[1], parts[2]);
    return found && parts[2] && parts[1].includes("/") && !found.every((one) => one.fits) ? null : found; // 50 / 25 ms
  }
  const result = parts[2] ? null : cut(tidy(right));
  const [way] = result ? digits(result.numeral, table, result.raised) : [];
  const said = way && times([result.sign ? -way.digits : way.digits, 1n], power10(result.power - way.places));
  return said && same(said, amount) ? readNumber(right, table) : null;
}

// The readings of what was typed, each with its amount in base units (`base`), the worth of its last digit (`step`), the
// unit, whether that answers the item, and how it is shown; null where it is not read for certain.
export function readNumber(text, table) {
  const share = table.units[table.bare[0][1][0]][1] === "%";
  const plain = share ? tidy(text).replace(/^(\d+) (?:in|out of) (\d+)$/, "$1/$2") : tidy(text);
  const parts = cut(plain);
  if (!parts || /^[*×/+^]/.test(parts.unit) || (!parts.raised && FORMULA.test(plain))) return worked(plain, table);
  const { sign, numeral, raised, power, unit } = parts;
  if (Math.abs(power) > LARGEST) return null;
  const made = [];
  for (const way of digits(numeral, table, raised)) {
    const worth = power - way.places;
    let zeros = 0;
    for (let n = way.digits; !way.places && n && n % 10n === 0n; n /= 10n) zeros += 1;
    const amount = times([sign ? -way.digits : way.digits, 1n], power10(worth));
    const shown = sign + way.shown + (power ? "e" + power : "");
    const found = readings(table, amount, power10(worth + zeros), shown, unit, way.unusual) || sum(plain, table);
    if (!found) return null;
    made.push(...found);
  }
  return made;
}
