// The words around an amount: each is known, or it is asked again. quizgen/numbers/surroundings.py.
import { askAgain, known } from "./tables.js";
import { fits, isBare, isOne, isPhysical, isRate, label, sameDim, twins } from "./dims.js";
import { phraseIn, root, wordsOf } from "./fold.js";
import { END, OPERATORS, SIGN, WORD } from "./tokens.js";
import { isOperator } from "./sums.js";

const STOPS = [",", ";", ".", "!", "?", "(", ")", ":"];
const QUIET = [...STOPS, '"', "'", "_", "#", "|", "@", ...OPERATORS];
const isNeutral = (base) => known.FILLERS.has(base) || known.MEASURES.has(base);

// Asks again where the spans `before` or `after` an amount, or the `asides` in parentheses behind it, make it another
// number than it looks. `gap`: something blank stands before the amount.
export function checkWords(before, after, asides, amount, gap, expected) {
  checkSigns(before, after, expected);
  checkUnitsApart(before, [after, ...asides].flat(), amount, expected);
  if (before.length) checkRightBefore(before[before.length - 1], gap, amount);
  if (after.length) checkRightBehind(after, amount, expected);
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
  const padded = ` ${words.map(root).join(" ")} `;
  const says = (phrase) => phraseIn(phrase, padded);
  if (stem.otherSide.some(says) && !stem.ownSide.some(says)) askAgain();
  const own = new Set(stem.ownSide.flatMap((phrase) => wordsOf(phrase).map(root)));
  const text = words.join(" ").replace(known.EMPTY_PHRASES, " ");
  if (text.search(known.ENOUGH_PHRASES) >= 0 && !mayBeEnough(expected)) askAgain();
  for (const word of wordsOf(text.replace(known.ENOUGH_PHRASES, " "))) {
    const base = root(word);
    if ((stem.question.has(base) && !known.DENIALS.has(word)) || own.has(base)) continue;
    const money = known.WRITTEN.has(word) && !expected.lexicon.words.has(word);
    if (known.OTHER_NUMBER.has(base) || money || !(formula || isKnown(word, base, expected))) askAgain();
  }
}

function isKnown(word, base, expected) {
  if (isNeutral(base) || word.length < 3 || word.endsWith("ly") || /\p{N}$/u.test(word)) return true;
  const { stem, lexicon } = expected;
  if (stem.known.has(base) || lexicon.words.has(word) || stem.initials.includes(word.replace(/s$/, ""))) return true; // AZs
  return !known.NUMBER_WORDS.has(word) && [...stem.known].some((one) => one.startsWith(base)); // cap of capitalisation
}

// -- signs and units

// `K - 1` and `16*N` calculate with a name; `2000+`, `30'` and `> 30` are more than a number.
function checkSigns(before, after, expected) {
  const fine = [...QUIET, ...(mayBeEnough(expected) ? [">=", "<="] : [])];
  if ([...before, ...after].some((span) => span.kind === SIGN && !fine.includes(span.low))) askAgain();
  const [name, sign] = [END, END, ...before].slice(-2);
  const dash = sign.low === "-" && name.low.length > 2; // memory - 31.7 GB
  const calculates = isOperator(sign) && (sign.low === "/" || (name !== END && !dash));
  if (calculates || (after.length && ["+", "*", "**", "/", ...(before.length ? [] : ["'"])].includes(after[0].low))) askAgain();
}

// `A$2000` and `one 1000` are no amounts of what they look like, nor is `one in 1000`.
function checkRightBefore(last, gap, amount) {
  if (last.kind === SIGN || last.low === "x") return; // x1.5
  const called = known.FUNCTIONS.has(last.low) && !["min", "max", "round"].includes(last.low);
  if (!gap || called || known.NUMBER_WORDS.has(last.low) || (last.low === "in" && !amount.unit)) askAgain();
}

// A unit apart from its number (`a minute and 30 s`), but for the word of a different kind that the stem has.
function checkUnitsApart(before, after, amount, expected) {
  const { dim } = expected.unit;
  const line = [END, ...before, END, ...after];
  line.forEach((span, place) => {
    if (!span.unit || label(span.unit.dim) || isBare(span.unit.dim)) return;
    const last = line[place - 1];
    const alike = fits(span.unit.dim, dim) || (isRate(dim) && sameDim(span.unit.dim, known.SECOND.dim));
    if (alike || last === END || last.low === "per" || !amount.unit || !expected.stem.known.has(root(span.low))) askAgain();
  });
}

// The word behind `per` is a unit or what the stem asks for; the one right behind a bare number is none that is given, nor a
// letter or two that are no word.
function checkRightBehind(after, amount, expected) {
  const [first, below] = [...after, END];
  const [base, { stem }] = [root(first.low), expected];
  if (first.low === "per" || (["a", "an", "every"].includes(first.low) && below.kind === WORD)) {
    if (!below.unit && !(below.kind === WORD && isPer(new Set([root(below.low)]), expected))) askAgain();
  } else if (!amount.unit && first.kind === WORD) {
    const given = stem.given.has(base) && !stem.counted.has(base);
    if (given && (isCount(expected) || isBare(expected.unit.dim))) askAgain(); // 128 hosts, where subnets of 16 hosts are counted
    const short = first.low.length < 3 && !known.FILLERS.has(base) && (first.low.length === 1 || !stem.known.has(base));
    if (!first.gap || (short && first.low !== "or")) askAgain();
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
    if (divides && !isPer(labelRoots(name, expected), expected)) askAgain();
  }
  const below = Object.entries(unit.dim).some(([name, power]) => power < 0 && !isPhysical(name));
  if (words.some((word) => known.SHARED_OUT.has(word)) && !stem.each && !below) askAgain();
}

// Whether the question asks for an amount of one of the things that these roots name ("a GPU", "each process").
function isPer(bases, expected) {
  const words = [...bases].sort().map((word) => word.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&").replace(/\\-/g, "-")).join("|");
  const one = new RegExp(`\\b(?:an?|one|the|each|every|per) (?:[\\p{L}\\p{N}_]+ )?(?:${words})\\b`, "u").test(expected.stem.questionText);
  return one || (expected.stem.each && [...bases].some((word) => expected.stem.known.has(word)));
}

// The roots of all words for the things of a label: its own, those of its twins, and those of the bank.
export function labelRoots(name, expected) {
  const alike = [name, ...twins(name)];
  const own = [...expected.lexicon.words].filter(([, unit]) => alike.includes(label(unit.dim))).map(([word]) => word);
  return new Set([...alike, ...own].map(root));
}

// -- spans

const isCount = (expected) => expected.whole || Boolean(label(expected.unit.dim));
const mayBeEnough = (expected) => isCount(expected) || expected.bound; // `at least 14`
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
