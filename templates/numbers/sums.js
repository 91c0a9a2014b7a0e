// The pieces of a response: its words, signs and amounts, calculations worked out. quizgen/numbers/sums.py.
import { askAgain, AskAgain, known } from "./tables.js";
import { atMost, over, times } from "./ratio.js";
import { fits, isBare, isOne, isPhysical, label, sameDim } from "./dims.js";
import { AMOUNT, amountOf, END, NUMBER, OPERATORS, SIGN, UNIT, WORD } from "./tokens.js";
import { AmountParser } from "./amounts.js";
import { evaluated } from "./evaluate.js";

const MAX_DEPTH = 12;

export function pieces(tokens, expected) {
  const line = amountsIn(tokens, expected);
  const calculates = line.length > 1 && line.some((span) => span.kind === SIGN && (span.low === "(" || isOperator(span)));
  return calculates ? workedOut(line, expected) : line;
}
export const amountsOf = (line) => line.filter((span) => span.kind === AMOUNT);
export const isOperator = (span) => span.kind === SIGN && OPERATORS.includes(span.low);

function amountsIn(tokens, expected) {
  const parser = new AmountParser(tokens, expected);
  const seconds = sameDim(expected.unit.dim, known.SECOND.dim);
  const line = [];
  for (let place = 0; place < tokens.length;) {
    const token = tokens[place];
    const parsed = token.kind === SIGN ? null : parser.amount(place);
    const unit = !parsed && token.kind === WORD ? parser.unit(place) : null;
    if (parsed) {
      line.push({ ...token, kind: AMOUNT, amount: parsed[0] });
      place = parsed[1];
    } else if (unit && (token.low !== "min" || seconds)) {
      line.push({ ...token, kind: UNIT, low: tokens.slice(place, unit[1]).map((one) => one.low).join(" "), unit: unit[0] });
      place = unit[1];
    } else {
      place += 1;
      const divides = (token.low === "of" || token.low === "in") && isShare(line, parser.at(place), expected);
      if (divides && line[line.length - 1].low === "out") line.pop();
      line.push(divides ? { ...token, kind: SIGN, low: "/", gap: true } : token);
    }
  }
  return line;
}

// Whether "of" between `line` and the token `behind` divides: `49 out of 50` where a share is expected.
function isShare(line, behind, expected) {
  const left = line.filter((one) => one.low !== "out").pop();
  const share = expected.unit.symbol === "%" || (isOne(expected.unit) && !expected.unitInStem && !expected.anyUnit);
  return share && left && left.amount && !left.amount.unit && behind.kind === NUMBER;
}

// -- calculations

function workedOut(line, expected) {
  const made = [];
  for (let place = 0; place < line.length;) {
    const [spans, end] = pieceAt(line, place, made.length ? made[made.length - 1] : END, expected);
    made.push(...spans);
    place = end;
  }
  return made;
}

// The span or the calculation at `place` behind the span `before`, and the place behind it.
function pieceAt(line, place, before, expected) {
  const span = line[place];
  const end = calculationEnd(line, place, 0);
  const [opens, leads] = [span.low === "(", before.kind === SIGN || before.kind === "end"];
  if (opens && leads && end === null && line.slice(place).every((one) => one.low !== ")")) askAgain();
  const apart = span.gap && (opens ? end === operandEnd(line, place, 0) && !leads : before.kind === WORD || before.kind === UNIT);
  if (end === null || end === place + 1 || (apart && ["(", "+", "-"].includes(span.low))) return [[span], place + 1]; // memory - 31.7 GB
  if (opens && !span.gap && before.kind === WORD) return [[{ ...span, kind: AMOUNT, low: "", gap: true, worked: true, fault: true }], end]; // sin(2)
  if (opens && end === place + 3) return [line.slice(place, end), end]; // (31.7 GB)
  const unit = end < line.length && line[end - 1].low === ")" ? line[end].unit : null;
  return [[calculated(line.slice(place, end), unit, expected)], end + (unit ? 1 : 0)];
}

// The place behind the operand that begins at `place`, an amount, a parenthesis or the call of a function; null if none.
function operandEnd(line, place, depth) {
  const [span, behind] = [line[place] || END, line[place + 1] || END];
  if (span.low === "+" || span.low === "-") return operandEnd(line, place + 1, depth);
  const called = known.FUNCTIONS.has(span.low) && behind.low === "(" ? 1 : 0;
  if (depth > MAX_DEPTH || !(called || span.low === "(")) return span.kind === AMOUNT ? place + 1 : null;
  let end = calculationEnd(line, place + called + 1, depth + 1);
  while (called && end !== null && end < line.length && line[end].low === ",") end = calculationEnd(line, end + 1, depth + 1);
  return end !== null && end < line.length && line[end].low === ")" ? end + 1 : null;
}

// The place behind the operands from `place` on that operators join; null if none begins there.
function calculationEnd(line, place, depth) {
  let end = operandEnd(line, place, depth);
  while (end !== null && end < line.length && isOperator(line[end])) {
    const further = operandEnd(line, end + 1, depth);
    if (further === null) break;
    end = further;
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
  if (given.length === 1 && part.length === 2) {
    const sign = [part[0].low === "-" ? -1n : 1n, 1n];
    return { ...given[0], value: times(given[0].value, sign), other: given[0].other && times(given[0].other, sign) };
  }
  checkSignsOf(part, given);
  const asked = { wanted: isOne(expected.unit) ? expected.unitInStem || known.ONE : expected.unit, anyUnit: expected.anyUnit };
  const units = given.map((one) => one.unit);
  const amount = evaluatedIn(part, given.map((one) => one.value), units, behind, asked);
  if (given.every((one) => !one.other)) return amount;
  return { ...amount, other: evaluatedIn(part, given.map((one) => one.other || one.value), units, behind, asked).value }; // 1,234 + 5
}

// `30-32` is a range, and `2500 - 1%` adds a percentage to a number.
function checkSignsOf(part, given) {
  if (given.length === 2 && part.length === 3 && part[1].low === "-" && isRange(...given)) askAgain();
  const percents = new Set(given.map((one) => Boolean(one.unit && one.unit.symbol === "%")));
  if (percents.size > 1 && part.some((span) => span.low === "+" || span.low === "-")) askAgain();
}
function isRange(low, high) {
  if (!low.unit || !high.unit) return !low.unit && atMost(low.value, high.value);
  return atMost(times(low.value, low.unit.factor), times(high.value, high.unit.factor));
}

// The amount of a calculation whose amounts have these `numbers` and `units`, in `wanted` where that fits; in one of its own
// units where no unit is known that is asked (`anyUnit`).
function evaluatedIn(part, numbers, units, behind, { wanted, anyUnit }) {
  const last = part[part.length - 1].kind === AMOUNT && !units.slice(0, -1).some(Boolean) ? units[units.length - 1] : null;
  const whole = last && (anyUnit || fits(last.dim, wanted.dim)) ? last : null; // 26 + 5.7 GB, 3/4 GB
  const kept = units.map((unit) => (whole || !unit ? known.ONE : withoutLabels(unit)));
  const [number, dim] = evaluated(part, numbers.map((one, n) => ({ value: times(one, kept[n].factor), dim: kept[n].dim })));
  if (behind && (whole || kept.some((unit) => !isBare(unit.dim)))) askAgain();
  if (whole || behind) return amountOf(number, whole || behind);
  return inWanted(number, dim, units, (anyUnit && units.find((unit) => unit && sameDim(unit.dim, dim))) || wanted);
}

// The amount of a `number` in base units of `dim`, the result of amounts in these `units`.
function inWanted(number, dim, units, wanted) {
  if (!isBare(dim)) {
    if (!fits(dim, wanted.dim) && !sameDim(dim, withoutLabels(wanted).dim)) askAgain();
    return amountOf(over(number, wanted.factor), wanted);
  }
  const withDim = units.filter((unit) => unit && !isBare(unit.dim));
  if (withDim.some((unit) => !isBare(withoutLabels(unit).dim)) && !(isBare(wanted.dim) || label(wanted.dim))) askAgain();
  const share = withDim.length || units.every((unit) => unit && unit.symbol === "%");
  return amountOf(number, isBare(wanted.dim) && share ? known.ONE : null);
}

// What is counted does not matter in a calculation: 7e9 params * 2 bytes are bytes.
const withoutLabels = (unit) => ({ ...unit, dim: Object.fromEntries(Object.entries(unit.dim).filter(([name]) => isPhysical(name))) });
