// The value of a calculation with amounts: exact, until a root or a logarithm forces a floating point number.
import { askAgain, known } from "./tables.js";
import { exactly, floating, isWhole, less, minus, negative, over, plus, reduced, same, size, times, UNITY, ZERO } from "./ratio.js";
import { combined, isBare, sameDim } from "./dims.js";
import { AMOUNT } from "./tokens.js";

const MAX_BITS = 1024n;
const BIG = 1n << MAX_BITS;
const bits = (whole) => whole.toString(2).replace("-", "").length;

// A number in lowest terms and within bounds.
function settled(number) {
  const [a, b] = reduced(number);
  if (a < BIG && -a < BIG && b < BIG) return [a, b];
  return b === 1n ? askAgain() : fromFloat(floating([a, b]));
}
const fromFloat = (number) => (Number.isFinite(number) ? exactly(number) : askAgain());
const fromPower = (number) => fromFloat(number || askAgain()); // too small to be a number

function raisedTo(base, exponent) {
  if (!base[0] && exponent[0] < 0n) askAgain();
  if (!isWhole(exponent)) return base[0] < 0n ? askAgain() : base[0] ? fromPower(floating(base) ** floating(exponent)) : ZERO;
  const whole = reduced(exponent)[0];
  const [count, [a, b]] = [whole < 0n ? -whole : whole, reduced(base)];
  if (!count) return UNITY;
  if ([0n, 1n, -1n].includes(a) && b === 1n) return [a < 0n && count % 2n === 0n ? 1n : a, 1n];
  const grows = BigInt(Math.max(bits(a) - 1, b === 1n ? 0 : bits(b))) * count > MAX_BITS;
  if (grows) return b === 1n && whole > 0n ? askAgain() : fromPower(floating(base) ** Number(whole));
  return settled(whole > 0n ? [a ** count, b ** count] : over(UNITY, [a ** count, b ** count]));
}

const FLOATS = { log2: Math.log2, log10: Math.log10, ln: Math.log, exp: Math.exp, sqrt: Math.sqrt };

function floored([a, b]) {
  return [a >= 0n ? a / b : -((-a + b - 1n) / b), 1n];
}
function roundedTo(value, places) {
  const scale = raisedTo([10n, 1n], places);
  const scaled = times(value, scale);
  const low = floored(scaled);
  const [twice, unit] = [times([2n, 1n], minus(scaled, low)), UNITY];
  const up = less(unit, twice) || (same(unit, twice) && low[0] % 2n);
  return over(up ? plus(low, unit) : low, scale);
}

// A function's value for operands {value, dim}.
function called(name, operands) {
  const [{ value, dim }, ...more] = operands;
  if (name === "min" || name === "max") {
    if (!more.every((one) => sameDim(one.dim, dim))) askAgain();
    return operands.reduce((best, one) => ((name === "min") === less(one.value, best.value) && !same(one.value, best.value) ? one : best));
  }
  if (more.length > (name === "round" ? 1 : 0)) askAgain();
  if (name === "abs") return { value: size(value), dim };
  if (name === "sqrt") {
    const half = Object.fromEntries(Object.entries(dim).map(([one, n]) => [one, n / 2]));
    return value[0] < 0n ? askAgain() : { value: fromFloat(Math.sqrt(floating(value))), dim: half };
  }
  if (operands.some((one) => !isBare(one.dim)) || (more.length && !isWhole(more[0].value))) askAgain();
  if (name === "floor") return { value: floored(value), dim };
  if (name === "ceil") return { value: negative(floored(negative(value))), dim };
  if (name === "round") return { value: roundedTo(value, more.length ? more[0].value : ZERO), dim };
  return { value: fromFloat(FLOATS[name](floating(value))), dim };
}

function joined(sign, left, right) {
  if (sign === "+" || sign === "-") {
    if (!sameDim(left.dim, right.dim)) askAgain();
    return { value: settled((sign === "+" ? plus : minus)(left.value, right.value)), dim: left.dim };
  }
  if (sign === "**") return isBare(left.dim) && isBare(right.dim) ? { value: raisedTo(left.value, right.value), dim: left.dim } : askAgain();
  if (sign === "/" && !right.value[0]) askAgain();
  return { value: settled((sign === "/" ? over : times)(left.value, right.value)), dim: combined(left.dim, right.dim, sign === "/" ? -1 : 1) };
}

// Value and dimension of a line of amounts, signs, parentheses and functions; `given` are its amounts {value, dim}.
export function evaluated(line, given) {
  let [at, used] = [0, 0];
  const low = () => (line[at] ? line[at].low : "");
  const take = (text) => (low() === text ? (at += 1) : askAgain());
  const inParentheses = () => {
    take("(");
    const made = [sum()];
    while (low() === ",") {
      at += 1;
      made.push(sum());
    }
    take(")");
    return made;
  };
  const operand = () => {
    const span = line[at];
    if (!span) return askAgain();
    if (span.kind === AMOUNT) {
      at += 1;
      return given[used++];
    }
    if (known.FUNCTION_NAMES.has(span.low)) {
      at += 1;
      return called(span.low, inParentheses());
    }
    const inner = inParentheses();
    return inner.length === 1 ? inner[0] : askAgain();
  };
  const signed = () => {
    if (low() === "+" || low() === "-") {
      const minusSign = low() === "-";
      at += 1;
      const one = signed();
      return minusSign ? { ...one, value: negative(one.value) } : one;
    }
    const base = operand();
    if (low() !== "**") return base;
    at += 1;
    return joined("**", base, signed());
  };
  const chain = (next, signs) => () => {
    let left = next();
    while (line[at] && line[at].kind !== AMOUNT && signs.includes(low())) {
      const sign = low();
      at += 1;
      left = joined(sign, left, next());
    }
    return left;
  };
  const product = chain(signed, ["*", "/"]);
  const sum = chain(product, ["+", "-"]);
  const { value, dim } = sum();
  return at === line.length ? [value, dim] : askAgain();
}
