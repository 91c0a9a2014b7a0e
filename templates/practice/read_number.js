// What a typed number says, by a table that quizgen made for the item. What is not read for certain is asked again.
import { power10, ratio, times } from "./ratio.js";

const LARGEST = 30; // of a power of ten that anybody means
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻";
const BEFORE = /^(?:(?:the )?answer(?: is|:)?|about|around|roughly|approximately|approx\.?|circa|ca\.?|~|≈|=|≅|is|it is|it's) */i;
const NUMBER = /^(-?)(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:[ '’]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)(?:[eE]([+-]?\d{1,3})|(?: ?[x×*·] ?10(?:\^|\*\*)\(?([+-]?\d{1,3})\)?))?(?![\d.,]) ?(.*)$/;
const TEN = /^(-?)10(?:\^|\*\*)\(?([+-]?\d{1,3})\)? ?(.*)$/;

// The text with one sort of space, minus and exponent, and without the words before and the full stop behind.
function tidy(text) {
  let plain = text.replace(/[\s\u00a0\u2007\u2009\u202f]+/g, " ").replace(/[−–‐]/g, "-").trim();
  plain = plain.replace(/(10) ?([⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)/g, (_, ten, raised) => ten + "^" + [...raised].map((c) => "0123456789-"[RAISED.indexOf(c)]).join(""));
  for (let before = ""; before !== plain;) {
    before = plain;
    plain = plain.replace(BEFORE, "");
  }
  return plain.replace(/[.;]$/, "").replace(/^\$ ?([\d.].*)$/, "$1 $$").replace(/^- (?=\d)/, "-").trim();
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
function cut(text) {
  const plain = tidy(text);
  if (!plain || plain.length > 60) return null;
  const ten = TEN.exec(plain);
  const parts = ten ? [plain, ten[1], "1", ten[2], undefined, ten[3]] : NUMBER.exec(plain);
  if (!parts) return null;
  const [, sign, numeral, e, x, unit] = parts;
  return { sign, numeral, raised: Boolean(e || x), power: Number(e || x || 0), unit };
}

// How a number reads where no item is known, only spellings of units in lower case: `shown` is "12.5 GB"; `known` is
// false where its unit is none of them; null where it is not a number.
export function echoOf(text, spellings) {
  const parts = cut(text);
  if (!parts) return null;
  const [way] = digits(parts.numeral, { decimalComma: false, groupingPoint: false }, parts.raised);
  const number = parts.sign + way.shown + (parts.power ? "e" + parts.power : "");
  const known = !parts.unit || spellings.includes(parts.unit.toLowerCase());
  return { number, unit: parts.unit, known, shown: number + (parts.unit && parts.unit !== "%" ? " " : "") + parts.unit };
}

// The readings of what was typed, each with its amount in base units (`base`), the worth of its last digit (`step`), the
// unit, whether that answers the item, and how it is shown; null where it is not read for certain.
export function readNumber(text, table) {
  const parts = cut(text);
  if (!parts) return null;
  const { sign, numeral, raised, power, unit } = parts;
  if (Math.abs(power) > LARGEST) return null;
  const own = table.units[table.bare[0][1][0]]; // the unit of a number alone
  const readings = [];
  for (const way of digits(numeral, table, raised)) {
    const worth = power - way.places;
    const amount = times([sign ? -way.digits : way.digits, 1n], power10(worth));
    let zeros = 0;
    for (let n = way.digits; !way.places && n && n % 10n === 0n; n /= 10n) zeros += 1;
    const exponent = way.digits ? String(way.digits).length - 1 + worth : 0;
    const units = unit ? table.spellings[unit] : bare(table, exponent);
    if (!Array.isArray(units) || !units.length) return null;
    for (const place of units) {
      const [factor, symbol, fits] = table.units[place];
      if (way.unusual && symbol !== own[1]) continue;
      const shown = sign + way.shown + (power ? "e" + power : "");
      readings.push({
        base: times(amount, ratio(factor)), step: times(power10(worth + zeros), ratio(factor)), fits: Boolean(fits),
        shown: symbol === "1" ? shown : symbol === "%" ? shown + "%" : shown + " " + symbol,
      });
    }
  }
  return readings;
}
