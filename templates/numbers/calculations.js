// The pieces of a response: its words, signs and amounts, calculations worked out. quizgen/numbers/amounts.py.
import { askAgain, AskAgain, known } from "./tables.js";
import { atMost, over, times } from "./ratio.js";
import { fits, isBare, isOne, isPhysical, label, sameDim } from "./dims.js";
import { AMOUNT, amountOf, END, negated, OPERATORS, SIGN, UNIT, WORD } from "./tokens.js";
import { AmountParser } from "./amounts.js";
import { evaluated } from "./evaluate.js";

// The pieces of a response to `expected`, in order, with each calculation as one amount.
export function pieces(tokens, expected) {
  const line = amountsIn(tokens, expected);
  const made = [];
  for (let place = 0; place < line.length;) {
    const [span, before, end] = [line[place], made[made.length - 1] || END, calculationEnd(line, place)];
    const apart = span.gap && ["(", "+", "-"].includes(span.low) && before.kind !== SIGN && before.kind !== "end";
    if (end === null || end === place + 1 || apart) { // memory - 31.7 GB; 31.7 GB (26 + 5.7): the parenthesis stays
      made.push(span);
      place += 1;
    } else if (span.low === "(" && end === place + 3) { // (31.7 GB)
      made.push(...line.slice(place, end));
      place = end;
    } else {
      const unit = end < line.length && line[end - 1].low === ")" ? line[end].unit : null;
      made.push(calculated(line.slice(place, end), unit, expected));
      place = end + (unit ? 1 : 0);
    }
  }
  return made;
}
export const amountsOf = (line) => line.filter((span) => span.kind === AMOUNT);
export const isOperator = (span) => span.kind === SIGN && OPERATORS.includes(span.low);

function amountsIn(tokens, expected) {
  const parser = new AmountParser(tokens, expected);
  const line = [];
  for (let place = 0; place < tokens.length;) {
    const token = tokens[place];
    const parsed = parser.amount(place);
    const unit = !parsed && token.kind === WORD ? parser.unit(place) : null;
    if (parsed) line.push({ ...token, kind: AMOUNT, amount: parsed[0] });
    else if (unit) line.push({ ...token, kind: UNIT, low: tokens.slice(place, unit[1]).map((one) => one.low).join(" "), unit: unit[0] });
    else line.push(token);
    place = parsed ? parsed[1] : unit ? unit[1] : place + 1;
  }
  return line;
}

// The place behind the operands from `place` on that operators join, amounts, parentheses and calls of functions with the
// signs before them; null if none begins there.
function calculationEnd(line, place) {
  let [end, depth, operand] = [null, 0, true]; // `operand`: one is due
  for (let at = place; at < line.length; at += 1) {
    const [span, behind] = [line[at], line[at + 1] || END];
    const begins = ["(", "+", "-"].includes(span.low) || (known.FUNCTION_NAMES.has(span.low) && behind.low === "(");
    if (operand && span.kind === AMOUNT) operand = false;
    else if (operand && begins) depth += span.low === "(" ? 1 : 0;
    else if (!operand && depth && span.low === ")") depth -= 1;
    else if (!operand && (isOperator(span) || (depth && span.low === ","))) operand = true;
    else break;
    if (!depth && !operand) end = at + 1;
  }
  return end;
}

// The span of a calculation, with its amount or marked as one that has none.
function calculated(part, behind, expected) {
  const span = { ...part[0], kind: AMOUNT, low: "", worked: true };
  try {
    return { ...span, amount: valueOf(part, behind, expected) };
  } catch (error) {
    if (error instanceof AskAgain) return { ...span, amount: null, fault: true };
    throw error;
  }
}

function valueOf(part, behind, expected) {
  const given = part.filter((span) => span.amount).map((span) => span.amount);
  if (part.length === 2) return part[0].low === "-" ? negated(given[0]) : given[0];
  if (given.length === 2 && part.length === 3 && part[1].low === "-" && isRange(...given)) askAgain();
  const units = given.map((one) => one.unit);
  const percents = new Set(units.map((unit) => Boolean(unit && unit.symbol === "%")));
  if (percents.size > 1 && part.some((span) => span.low === "+" || span.low === "-")) askAgain(); // 2500 - 1%
  const asked = { wanted: isOne(expected.unit) ? expected.unitInStem || known.ONE : expected.unit, anyUnit: expected.anyUnit };
  return evaluatedIn(part, given.map((one) => one.value), units, behind, asked);
}

// `30-32`, `30 - 32 GB`.
function isRange(low, high) {
  const unit = high.unit || known.ONE;
  return atMost(times(low.value, (low.unit || unit).factor), times(high.value, unit.factor));
}

// The amount of a calculation whose amounts have these `numbers` and `units`, in `wanted` where that fits; in one of its own
// units where no unit is known that is asked (`anyUnit`). `behind` is the unit behind its closing parenthesis.
function evaluatedIn(part, numbers, units, behind, { wanted, anyUnit }) {
  const kept = units.map((unit) => (unit ? withoutLabels(unit) : known.ONE));
  const measured = kept.some((unit) => !isBare(unit.dim));
  const last = units.slice(0, -1).some(Boolean) ? null : units[units.length - 1];
  if (behind && measured) askAgain();
  const whole = behind || (last && (anyUnit || fits(last.dim, wanted.dim)) ? last : null); // 13e9 * (2 + 14/32) bytes, 26 + 5.7 GB
  const given = numbers.map((one, n) => (whole ? { value: one, dim: {} } : { value: times(one, kept[n].factor), dim: kept[n].dim }));
  const [number, dim] = evaluated(part, given);
  if (whole) return amountOf(number, whole);
  if (!isBare(dim)) {
    const own = (anyUnit && units.find((unit) => unit && sameDim(unit.dim, dim))) || wanted;
    return fits(dim, own.dim) || sameDim(dim, withoutLabels(own).dim) ? amountOf(over(number, own.factor), own) : askAgain();
  }
  if (measured && !(isBare(wanted.dim) || label(wanted.dim))) askAgain();
  return amountOf(number);
}

// What is counted does not matter in a calculation: 7e9 params * 2 bytes are bytes.
const withoutLabels = (unit) => ({ ...unit, dim: Object.fromEntries(Object.entries(unit.dim).filter(([name]) => isPhysical(name))) });
