// A folded response as numbers, words and signs, and what the marks in a number mean: quizgen/numbers/tokens.py.
//
// An amount is {value, unit, step, other, raised}: `step` is the worth of its last significant place
// (null: calculated), `other` the value if its mark is read the other way.
import { askAgain, known } from "./tables.js";
import { UNITY, negative, power10, times } from "./ratio.js";

export const [NUMBER, WORD, SIGN, AMOUNT, UNIT] = ["number", "word", "sign", "amount", "unit"];
export const OPERATORS = ["+", "-", "*", "/", "**"];
export const MAX_POWER = 308;
const [MAX_TOKENS, MAX_DIGITS] = [120, 60];
const MARK = /[.,'_ \u00a0\u202f\u2009]/g;

export const amountOf = (value, unit, step) => ({ value, unit: unit || null, step: step || null, other: null, raised: false });
export const scaledBy = (amount, factor) => ({
  ...amount, value: times(amount.value, factor), step: amount.step && times(amount.step, factor), other: amount.other && times(amount.other, factor),
});
export const negated = (amount) => ({ ...amount, value: negative(amount.value), other: amount.other && negative(amount.other) });

function numeral(digits, power) {
  if (digits.length > MAX_DIGITS) askAgain();
  const number = /^\d+$/.test(digits) ? decimal(digits, "") : digits.includes("/") ? fraction(digits) : marked(digits);
  if (!power) return number;
  const written = /[+-]?\d+(?=\)?$)/.exec(power)[0];
  if (written.length > 8 || Math.abs(Number(written)) > MAX_POWER) askAgain();
  return { ...scaledBy(number, power10(Number(written))), raised: true };
}

// `2 1/2`
function fraction(digits) {
  const [ones, over, under] = digits.split(/ +|\//).map(BigInt);
  return over < under ? amountOf([ones * under + over, under]) : askAgain();
}

function marked(digits) {
  const [parts, marks] = [digits.split(MARK), digits.match(MARK)];
  if (!parts[0]) return decimal("0", parts[1]); // .5 and ,5
  const final = marks[marks.length - 1];
  const last = ".,".includes(final) && marks.filter((mark) => mark === final).length === 1 ? final : "";
  const [groups, between] = last ? [parts.slice(0, -1), marks.slice(0, -1)] : [parts, marks];
  if (new Set(between).size > 1 || !areGrouped(groups, between)) askAgain();
  const whole = groups.join("");
  if (!last) return decimal(whole, "");
  const part = parts[parts.length - 1];
  const point = decimal(whole, part);
  if (between.length || part.length !== 3 || whole.length > 3 || whole.startsWith("0")) return point;
  const joined = decimal(whole + part, "");
  if (last === ".") return { ...point, other: joined.value }; // 11.510
  return { ...joined, other: digits.endsWith("0") ? null : point.value };
}

function areGrouped(parts, marks) {
  if (!marks.length || marks[0] === "_") return true;
  if (!parts[0].length || parts[0].length > 3 || parts[0][0] === "0" || parts[parts.length - 1].length !== 3) return false;
  const inner = parts.slice(1, -1).map((part) => part.length);
  return inner.every((length) => length === 3) || (marks[0] === "," && parts[0].length < 3 && inner.every((length) => length === 2));
}

function decimal(whole, part) {
  const digits = BigInt(whole + part);
  if (part || !digits) return amountOf(times([digits, 1n], power10(-part.length)), null, power10(-part.length));
  return amountOf([digits, 1n], null, power10(/0*$/.exec(whole)[0].length));
}

const SIGNS = "\\*\\*|<=|>=|=+>|-+>|==|:=|\\+/-|\\+-|\\.\\.+|\\S";
const NO_NUMBER_BEHIND = "(?![\\d.,]*\\d|\\s*[*/^]|[A-Za-z%])";
const SAME_SIGN = { "^": "**", "=>": "->", "==": "=", ":=": "=", "==>": "->", "-->": "->", "[": "(", "]": ")", "·": "*" };
const REASON = /(?<=\d)([^\d=]*?)\b(?:because|since)\b.*/gis; // 14, since 13 is less
const anyCase = (text) => text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

// The patterns for a text, made once for plain characters, which is quick, and once for all.
const patterns = new Map();
function patternsFor(text) {
  const plain = /^[\x00-\x7f]*$/.test(text);
  if (!patterns.has(plain)) patterns.set(plain, plain ? madePatterns("A-Za-z", "") : madePatterns("\\p{L}\\p{Nl}\\p{No}", "u"));
  return patterns.get(plain);
}
function madePatterns(letters, unicode) {
  const [letter, alphanumeric] = [`[${letters}]`, `[${letters}0-9]`];
  const digits = `(?:\\d+ +\\d/\\d\\d?(?![\\d.,/])|\\d+(?:[.,'_]\\d+|[ \\u00a0\\u202f]\\d{3}(?!\\d))*|(?<![${letters}0-9_.])[.,]\\d+)`;
  const ten = "\\s*(?:[*xX·]|times)\\s*10\\s*(?:\\^|\\*\\*)\\s*(?:[+-]?\\d+|\\([+-]?\\d+\\))";
  const power = `(?:\\.?[eE][+-]?\\d+(?!\\.?\\d)| [eE][+-]?\\d+(?![${letters}0-9_])|${ten})?`;
  const [tens, ones] = [known.TENS.join("|"), known.ONES.slice(1, 10).join("|")];
  const spelled = anyCase(`(?:(?:${tens})(?:[ -]?(?:${ones}))?|${[...known.ONES].reverse().join("|")})`);
  const words = [...known.NUMBER_WORDS.keys()].sort((one, other) => other.length - one.length).join("|");
  const word = `log_?(?:2|10)(?=\\()|${letter}+(?:['_]${letter}+)*|[%$€£¥₹₩₺¢]`;
  const at = (source) => new RegExp(source, unicode + "y");
  return {
    token: at(`\\s*(?:(?<spelled>${spelled}(?!${alphanumeric}))|(?<word>${word})|(?<digits>${digits})(?<power>${power})|(?<sign>${SIGNS}))`),
    nameTail: at(`(?=\\d)[${letters}0-9_.]*[${letters}0-9_]|(?<=[${letters}0-9_]{2})-\\d+${NO_NUMBER_BEHIND}`),
    part: new RegExp(words, "g"),
    factor: at(`\\s*(?:[\\d(.]|(?:${anyCase(words)})\\b)`),
  };
}

function matchAt(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

// A token is {kind, text, low, gap, amount, unit, worked, fault}: `low` is the text in lower case, `gap`: something blank
// stands before it.
const tokenOf = (kind, text, low, gap, amount) => ({ kind, text, low, gap, amount: amount || null, unit: null, worked: false, fault: false });
export const END = tokenOf("end", "", "", true);

export function tokens(given) {
  const text = given.replace(REASON, "$1").trimEnd();
  const spelled = !/\d/.test(text);
  const [line, kinds] = [[], patternsFor(text)];
  let at = 0;
  while (at < text.length) {
    const before = line.length ? line[line.length - 1] : END;
    const match = matchAt(kinds.token, text, at);
    if (!match) break; // blanks at the end
    const [token, end] = tokenFrom(match, text, before, spelled, kinds);
    line.push(token);
    at = end;
    if (line.length > MAX_TOKENS) askAgain();
  }
  return line;
}

function tokenFrom(match, whole, before, spelled, kinds) {
  const { digits, power, spelled: words, sign } = match.groups;
  const [text, end] = [match[0].trimStart(), match.index + match[0].length];
  const gap = before === END || text.length < match[0].length;
  const times = digits !== undefined && power && !/^\.?[eE]/.test(power.trimStart());
  if (times && ["/", "**"].includes(before.text)) askAgain(); // 5 / 2*10^9
  if (digits !== undefined) return [tokenOf(NUMBER, text, text, gap, numeral(digits, power)), end];
  if (words !== undefined && spelled) {
    const low = text.toLowerCase();
    const value = low.match(kinds.part).reduce((sum, part) => sum + known.NUMBER_WORDS.get(part), 0);
    return [tokenOf(NUMBER, text, low, gap, amountOf([BigInt(value), 1n], null, UNITY)), end];
  }
  if (sign !== undefined) {
    const plain = SAME_SIGN[text] || text;
    return [tokenOf(SIGN, plain, plain, gap), end];
  }
  const low = text.toLowerCase();
  const product = ["x", "times"].includes(low) && ([NUMBER, WORD].includes(before.kind) || before.text === ")"); // 8 x 80
  if (product && matchAt(kinds.factor, whole, end)) return [tokenOf(SIGN, "*", "*", gap), end];
  const tail = digitsOf(low, whole, end, gap, before, kinds.nameTail);
  return [tokenOf(WORD, text + tail, (text + tail).toLowerCase(), gap), end + tail.length];
}

// The digits that are part of a word's name: 100 of H100, -2 of ZeRO-2.
function digitsOf(low, whole, end, gap, before, nameTail) {
  const unit = (before.kind === NUMBER && !gap) || known.WRITTEN.has(low) || known.FUNCTION_NAMES.has(low) || ["usd", "us", "x"].includes(low);
  const tail = unit || !/^\p{L}+$/u.test(low) ? null : matchAt(nameTail, whole, end);
  return tail && !(tail[0].startsWith("-") && before.kind === NUMBER) ? tail[0] : "";
}
