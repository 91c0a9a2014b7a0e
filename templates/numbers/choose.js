// The one amount of a response that answers: the last result, or it or it is asked again: quizgen/numbers/choose.py.
import { askAgain, known } from "./tables.js";
import { atMost, isWhole, least, less, minus, most, same, size, times, UNITY, ZERO } from "./ratio.js";
import { fits, hasMoney, isBare, isOne, label, sameDim, sameUnit } from "./dims.js";
import { root, wordsOf } from "./fold.js";
import { AMOUNT, END, WORD } from "./tokens.js";
import { amountsOf } from "./calculations.js";
import { checkLabel, checkWords } from "./surroundings.js";

const JOINTS = ["to", "-", "..", "and", "or", "&", "+"];
const ARTICLES = ["a", "an", "the", "each", "all"];
const MANY = [10n ** 6n, 1n]; // from here on trailing zeros are rounding

// A segment holds the spans between two signs of a result (`=`, `->`, `~`, `:`, "so"), and the sign that leads to them; "("
// for an amount in a parenthesis behind the result.
export function choose(line, expected) {
  const segments = segmentsOf(line);
  const numbered = segments.flatMap((segment, place) => (amountsOf(segment.line).length ? [place] : []));
  if (!numbered.length) askAgain();
  const last = numbered[numbered.length - 1];
  checkWholeLine(line, numbered.length, expected);
  segments.forEach((segment, place) => {
    if (!numbered.includes(place)) checkLabel(segment.line, expected);
  });
  const [answer, asides] = answerIn(segments[last].line, expected);
  const earlier = [...asides, ...numbered.slice(0, -1).reverse().map((place) => segments[place])];
  return earlier.reduce((result, one) => reconciled(one, segments[last].sign, result, expected), answer);
}

// Two numbers in a row, or with "or" between them, are two answers; money in brackets may be a loss.
function checkWholeLine(line, parts, expected) {
  const words = line.filter((span) => span.kind === WORD).map((span) => span.low).join(" ");
  if (parts > 1 && wordsOf(words.replace(known.EMPTY_PHRASES_PATTERN, "")).includes("or")) askAgain();
  if (line.some((span, place) => place && span.kind === AMOUNT && line[place - 1].kind === AMOUNT)) askAgain();
  const bracketed = line.length === 3 && line[0].low === "(" && line[2].low === ")";
  if (bracketed && hasMoney(expected.unitInStem || expected.unit)) askAgain();
}

function segmentsOf(line) {
  const segments = [{ sign: "", line: [] }];
  let depth = 0;
  line.forEach((span, place) => {
    depth += (span.low === "(") - (span.low === ")");
    const [before, behind] = [line[place - 1] || END, line[place + 1] || END];
    const equals = ["=", "->", "~"].includes(span.low) || (span.low === ":" && behind.gap);
    const concludes = known.RESULT_CUES.has(span.low) && before.low !== "or";
    if (depth <= 0 && (equals || concludes)) {
      segments.push({ sign: span.low === "is" ? "=" : span.kind === WORD ? "so" : span.low, line: [] });
    } else if (span.low !== "~") segments[segments.length - 1].line.push(span);
  });
  return depth > 0 ? askAgain() : segments;
}

// -- two amounts, or two spellings of one

// Whether `unit` fits what is expected, or is exactly the one that the stem names for a plain number.
export function isOfKind({ dim, factor }, expected) {
  const [wanted, named] = [expected.unit.dim, expected.unitInStem];
  if (expected.anyUnit || (named && sameDim(dim, named.dim) && same(factor, named.factor))) return true;
  return fits(dim, wanted) && (isBare(wanted) || !isBare(dim));
}

// `result`, which `sign` leads to, held against an earlier part: the finer one of two spellings of one amount.
function reconciled(earlier, sign, result, expected) {
  const [first, ...more] = amountsOf(earlier.line);
  const left = first.amount;
  if (!left || !isOfKind(left.unit || expected.unit, expected)) return result;
  if (result.unit && !isOfKind(result.unit, expected)) askAgain(); // 13 GPUs = 104 GB
  if (more.length) return earlier.sign === "=" && left.unit && !isSame(left, result, expected) ? askAgain() : result; // 60 ms, maybe 3 * 30 ms = 90 ms
  if (isResultOf(left, result, earlier.sign, sign, expected)) return result;
  if (isSame(left, result, expected)) return finer(left, result, expected);
  const bare = left.unit && !result.unit;
  if (bare && same(left.value, result.value)) return left; // 16000 * 2 MB = 32000
  return bare || earlier.sign === "(" || isAnswerToo(earlier.line, first, sign) ? askAgain() : result;
}

// Whether `result` is `left` with a unit, or the whole number that it comes to: `13.33 -> 14`, `14 (13.33)`. `before` and
// `sign` lead to them.
function isResultOf(left, result, before, sign, expected) {
  const [aside, { unit }] = [before === "(", expected];
  const counted = aside ? expected.unitIsWhole : label(unit.dim) || (isOne(unit) && (sign === "->" || sign === "so"));
  const near = less(size(minus(left.value, result.value)), UNITY) && isWhole(result.value);
  return (!aside && !left.unit && result.unit) || (near && (expected.whole || counted));
}

// Whether the number `span` of an earlier part is another answer: nothing else stands there, or something named follows.
function isAnswerToo(line, span, sign) {
  const behind = line[line.indexOf(span) + 1];
  const named = behind && [",", ";", "."].includes(behind.low) && (sign === "=" || sign === ":");
  const quiet = (word) => known.FILLER_ROOTS.has(word) || [",", ".", "-", "(", ")", '"'].includes(word);
  return named || (!span.worked && line.every((one) => one.kind === AMOUNT || quiet(root(one.low))));
}

// Whether two amounts are two spellings of one, each rounded: `31.7 GB (29.5 GiB)`, `0.467 = 46.7%`.
function isSame(left, right, expected) {
  return possibleUnits(left, expected).some((mine) => possibleUnits(right, expected).some((theirs) => {
    const [one, other] = [times(left.value, mine.factor), times(right.value, theirs.factor)];
    const slack = most(halfPlace(left, mine), halfPlace(right, theirs));
    return fits(mine.dim, theirs.dim) && atMost(size(minus(one, other)), slack);
  }));
}

function possibleUnits(amount, expected) {
  const unit = expected.unitInStem || expected.unit;
  if (amount.unit) return [amount.unit];
  return isBare(unit.dim) && !isOne(unit) ? [unit, known.ONE] : [unit];
}

// By how much an amount may be rounded, at most a tenth of it: 0.05 for 31.7, half of one for 30.
function halfPlace(amount, unit) {
  const [value, step] = [size(amount.value), amount.step || ZERO];
  const place = less(value, MANY) ? least(step, UNITY) : step;
  return times(least(times(place, [1n, 2n]), times(value, [1n, 10n])), unit.factor);
}

// The amount of two spellings that was written in the expected unit or to more digits; `left` where both were.
function finer(left, right, expected) {
  if (left.unit && right.unit && !sameUnit(left.unit, right.unit)) return sameUnit(right.unit, expected.unit) ? right : left;
  const [mine, theirs] = [left, right].map((one) => times(one.step || ZERO, possibleUnits(one, expected)[0].factor));
  return less(mine, theirs) || (same(mine, theirs) && (left.unit || !right.unit)) ? left : right;
}

// -- the amount of one part

// The only amount of a part, or the one with a unit that fits where all others are of a different kind; and the amounts in
// parentheses behind it.
function answerIn(given, expected) {
  const [line, asides] = withoutAsides(given);
  const places = line.flatMap((span, place) => (span.kind === AMOUNT ? [place] : []));
  if (places.some((place) => !line[place].amount)) askAgain();
  const bare = isBare(expected.unit.dim) && !expected.anyUnit;
  const fitting = places.filter((place) => (line[place].amount.unit ? isOfKind(line[place].amount.unit, expected) : bare));
  const answer = fitting.length === 1 ? fitting[0] : places[0];
  const { amount, gap } = line[answer];
  const others = places.filter((place) => place !== answer);
  const alone = fitting.length === 1 && !JOINTS.includes(line[answer ? answer - 1 : line.length - 1].low);
  if (others.length && !(alone && others.every((place) => isCondition(line, place, answer, expected)))) askAgain();
  if (!amount.unit && asides.some((one) => !one[0].gap && amountsOf(one).length)) askAgain(); // 5(3)
  checkWords(line.slice(0, answer), line.slice(answer + 1), asides, amount, gap, expected);
  return [amount, asides.flatMap(amountsOf).map((span) => ({ sign: "(", line: [span] }))];
}

// Whether the amount at `place` is no second answer: `on 32 GPUs`, `, 56 bytes left over`.
function isCondition(line, place, answer, expected) {
  const before = line.slice(0, place).map((span) => span.low).filter((low) => !ARTICLES.includes(low)).pop() || "";
  const { unit } = line[place].amount;
  if (known.CONDITION_WORDS.has(before) || before === "@") {
    const share = ["of", "in"].includes(before) && !line[answer].amount.unit; // 1460 of 1538 bytes
    return !share && !(unit && label(unit.dim) && label(expected.unit.dim)); // 4 GPUs on each of 8 nodes
  }
  return unit && line.slice(Math.max(place - 1, 0), Math.max(place, answer)).some(({ low }) => low === "," || low === ";");
}

// A line without the parentheses behind an amount, and these: `38.5 GB (28 + 10.5)`, `52 (rounded down)`.
function withoutAsides(line) {
  const [left, asides] = [[], []];
  let [numbers, inside] = [false, false];
  for (const span of line) {
    if (!inside && span.low === "(" && numbers) {
      asides.push([]);
      inside = true;
    }
    (inside ? asides[asides.length - 1] : left).push(span);
    inside = inside && span.low !== ")";
    numbers = numbers || span.kind === AMOUNT;
  }
  return [left, asides];
}
