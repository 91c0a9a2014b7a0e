// The words around an amount: each is known, or it is asked again. quizgen/numbers/choose.py.
import { askAgain, known } from "./tables.js";
import { fits, isBare, isOne, isPhysical, isRate, label, sameDim, twins } from "./dims.js";
import { root, wordsOf } from "./fold.js";
import { END, SIGN, WORD } from "./tokens.js";
import { isOperator } from "./calculations.js";

const STOPS = [",", ";", ".", "!", "?", "(", ")", ":"];
const QUIET = [...STOPS, '"', "_", "#", "|", "@"];
const isNeutral = (base) => known.FILLER_ROOTS.has(base) || known.MEASURE_ROOTS.has(base);

// Asks again where the spans `before` or `after` an amount, or the `asides` in parentheses behind it, make it another
// number than it looks. `gap`: something blank stands before the amount.
export function checkWords(before, after, asides, amount, gap, expected) {
  checkSigns(before, after, expected);
  checkUnitsApart([before, after, ...asides].flat(), amount, expected);
  checkNeighbours(before, after, amount, gap, expected);
  checkShare([...before, ...after].map((span) => span.low), amount, expected);
  if (amount.unit && isOne(amount.unit) && after.length && known.COMPARATIVES.has(after[0].low)) after = after.slice(1); // 42 times faster
  for (const part of [before, after, ...asides].flatMap(betweenStops)) checkPhrase(wordsIn(part), expected, false);
}

// The same for a part that holds no number, `hit rate:` or `= K`; a formula of names may have any.
export function checkLabel(line, expected) {
  const words = wordsIn(line.filter((span) => !expected.stem.terms.has(span.low)));
  checkPhrase(words, expected, line.some(isOperator));
}

// Asks again for `words` that name the opposite of what is asked, change a number, or are unknown and not names of a `formula`.
function checkPhrase(words, expected, formula) {
  const { stem } = expected;
  const says = (side) => words.some((word) => side.has(root(word)));
  if (says(stem.otherSide) && !says(stem.ownSide)) askAgain();
  const text = words.join(" ").replace(known.EMPTY_PHRASES_PATTERN, " ");
  if (text.search(known.BOUND_PHRASES_PATTERN) >= 0 && !mayBeEnough(expected)) askAgain();
  for (const word of wordsOf(text.replace(known.BOUND_PHRASES_PATTERN, " "))) {
    const base = root(word);
    if ((stem.question.has(base) && !known.DENIAL_WORDS.has(word)) || stem.ownSide.has(base)) continue;
    const money = known.WRITTEN.has(word) && !expected.lexicon.words.has(word);
    if (known.CHANGED_NUMBER_ROOTS.has(base) || money || !(formula || isKnown(word, base, expected))) askAgain();
  }
}

function isKnown(word, base, expected) {
  const numbered = /\p{N}$/u.test(word) && !known.FUNCTION_NAMES.has(word); // H100
  if (isNeutral(base) || word.length < 3 || word.endsWith("ly") || numbered) return true;
  const { stem, lexicon } = expected;
  return stem.known.has(base) || lexicon.words.has(word);
}

// -- signs and units

// `16*N` and `K - 1` calculate with a name, `2000+`, `30'` and `> 30` are more than a number, `sin(2)` is none.
function checkSigns(before, after, expected) {
  const quiet = [...QUIET, ...(mayBeEnough(expected) ? [">=", "<="] : [])];
  [END, ...before, END, ...after].forEach((span, place, line) => {
    const last = place ? line[place - 1] : END;
    const dash = span.low === "-" && last.low.length > 2; // memory - 31.7 GB
    const called = span.low === "(" && last.kind === WORD && !span.gap;
    if (span.kind === SIGN && (called || !(dash || quiet.includes(span.low)))) askAgain();
  });
}

// A unit apart from its number (`a minute and 30 s`), but for the word of a different kind that the stem has.
function checkUnitsApart(line, amount, expected) {
  const { dim } = expected.unit;
  for (const span of line) {
    if (!span.unit || label(span.unit.dim) || isBare(span.unit.dim)) continue;
    const alike = fits(span.unit.dim, dim) || (isRate(dim) && sameDim(span.unit.dim, known.SECOND.dim));
    if (alike || !amount.unit || !expected.stem.known.has(root(span.low))) askAgain();
  }
}

// `A$2000`, `one 1000` and `one in 1000` are no amounts of what they look like. The word behind `per` is a unit or what the
// stem asks for; the one right behind a bare number is no letter or two that are no word.
function checkNeighbours(before, after, amount, gap, expected) {
  const [last, first, below] = [before.length ? before[before.length - 1] : END, ...after, END, END];
  const { stem } = expected;
  const joined = !gap || known.NUMBER_WORDS.has(last.low) || (last.low === "in" && !amount.unit);
  if (last.kind === WORD && last.low !== "x" && joined) askAgain();
  if (first.low === "per" || (["a", "an", "every"].includes(first.low) && below.kind === WORD)) {
    if (!below.unit && !stem.singular.has(root(below.low))) askAgain();
  } else if (!amount.unit && first.kind === WORD) {
    const base = root(first.low);
    const short = first.low.length < 3 && first.low !== "or" && !known.FILLER_ROOTS.has(base);
    if (!first.gap || (short && (first.low.length === 1 || !stem.known.has(base)))) askAgain();
  }
}

// -- shares

// Asks again for `10 GB per replica`, and for an amount with `each` among the `words` around it, where the stem asks for
// no share.
export function checkShare(words, amount, expected) {
  const { stem, unit } = expected;
  if (!stem.there) return;
  for (const [name, power] of Object.entries(amount.unit ? amount.unit.dim : {})) {
    const divides = power < 0 && !isPhysical(name) && ![name, ...twins(name)].some((one) => one in unit.dim);
    if (divides && ![...labelRoots(name, expected)].some((word) => stem.singular.has(word))) askAgain();
  }
  const below = Object.values(unit.dim).some((power) => power < 0);
  if (words.includes("each") && ![...known.SHARE_ROOTS].some((word) => stem.question.has(word)) && !below) askAgain();
}

// The roots of all words for the things of a label: its own, those of its twins, and those of the bank.
export function labelRoots(name, expected) {
  const alike = [name, ...twins(name)];
  const own = [...expected.lexicon.words].filter(([, unit]) => alike.includes(label(unit.dim))).map(([word]) => word);
  return new Set([...alike, ...own].map(root));
}

// -- spans

const mayBeEnough = (expected) => expected.whole || expected.anyUnit || Boolean(label(expected.unit.dim)); // `at least 14`
const wordsIn = (line) => line.filter((span) => span.kind === WORD).flatMap((span) => wordsOf(span.low.replaceAll("_", " ")));

// The spans of `line` between its stops and dashes.
function betweenStops(line) {
  const parts = [[]];
  for (const span of line) {
    if (STOPS.includes(span.low) || (span.low === "-" && span.gap)) parts.push([]);
    else parts[parts.length - 1].push(span);
  }
  return parts;
}
