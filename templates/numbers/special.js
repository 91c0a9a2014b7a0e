// Answers that are no single number: yes and no, words of an enum, tuples, `impossible`, `unbounded`.
// quizgen/numbers/read.py. A word is read as {word}, a tuple as {numbers}.
import { askAgain, known } from "./tables.js";
import { times } from "./ratio.js";
import { tokens, WORD } from "./tokens.js";

const DOUBT = ["or", "maybe", "perhaps", "sure", "certain", "depends"];
const SUBJECT = /(?:(?:it|this|that|there|is|'s) )+|it's /;
const GLUED = /(?<![\p{L}\p{N}_.])([\p{L}\p{Nl}\p{No}]{1,8})(?=\d)/gu; // TP1 CP1
const NAME_FILLERS = ["rank", "index", "coordinate", "coordinates", "the", "is", "at", "and", "degree"];
const TUPLE_SIGNS = ["(", ")", "<", ">", ",", ";", "=", "->", ":", ".", "/", "|"];

// The reading of a folded text that is not a single number; null where it may be a number.
export function wordAnswer(text, expected) {
  const plain = text.toLowerCase().split(/\s+/).join(" ").replace(/^[ .!,;:"'()?]+|[ .!,;:"'()?]+$/g, "");
  if (expected.unbounded && known.INFINITE_PATTERN.test(plain.replace(SUBJECT, ""))) return { word: "unbounded" };
  if (expected.shape === "number") return impossible(plain);
  if (expected.shape === "truth") return truth((plain.replaceAll("¬", "not ").match(/[\p{L}\p{N}]+(?:'[\p{L}\p{N}_]+)?/gu) || []).slice(0, 8));
  return expected.shape === "word" ? enumWord(text, expected) : tuple(text, expected);
}

function impossible(plain) {
  const short = plain.replace(SUBJECT, "");
  if (known.IMPOSSIBLE_PATTERN.test(short)) return { word: "impossible" };
  return short === "nan" || known.INFINITE_PATTERN.test(short) ? askAgain() : null;
}

function truth(words) {
  const plain = words.slice(0, 4).filter((word) => known.PLAIN_YES_NO.has(word) && known.PLAIN_YES_NO.has(words[0]));
  const negated = !plain.length && words.some((word) => known.NEGATION_WORDS.has(word));
  const says = (plain.length ? plain : words).filter((word) => known.YES.has(word) || known.NO.has(word));
  const answers = new Set(says.map((word) => known.YES.has(word) !== negated));
  const doubted = !plain.length && words.some((word) => DOUBT.includes(word));
  return answers.size === 1 && !doubted ? { word: [...answers][0] ? "yes" : "no" } : askAgain();
}

const spaced = (text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean).join(" ");

function enumWord(text, expected) {
  const hits = expected.words.filter((word) => ` ${spaced(text)} `.includes(` ${spaced(word)} `));
  const longest = hits.reduce((best, word) => (word.length > best.length ? word : best), "");
  return hits.length && hits.every((word) => spaced(longest).includes(spaced(word))) ? { word: longest } : askAgain();
}

// `(1, 0, 1, 1)`, `1 0 1 1`, `tp=1, cp=0, pp=1, dp=1`.
function tuple(text, expected) {
  const [values, names] = [[], []];
  let sign = 1n;
  for (const token of tokens(text.replaceAll(",", " , ").replace(GLUED, "$1 "))) {
    if (token.amount) {
      values.push(times(token.amount.value, [sign, 1n]));
      sign = 1n;
    } else if (token.text === "-") sign = values.length && !token.gap ? 1n : -1n; // 1-1-0-2
    else if (token.kind === WORD) names.push(...(NAME_FILLERS.includes(token.low) ? [] : [token.low]));
    else if (!TUPLE_SIGNS.includes(token.text)) askAgain();
  }
  if (!values.length || values.length !== (expected.length || values.length)) askAgain();
  return { numbers: expected.names.length ? orderOf(names, expected.names).map((place) => values[place]) : values };
}

// The place of each of `names` among the names written, `dp` for `dp_rank`; the order of writing if they do not tell. One
// part may have no name of its own: it takes the name that is left.
function orderOf(written, names) {
  const sorted = (list) => [...list].sort().join(" ");
  const [given, heads] = [written, names].map((some) => some.map((name) => name.toLowerCase().split("_")[0]));
  const left = given.filter((head) => !heads.includes(head));
  if (left.length === 1 && heads.filter((head) => !head).length === 1) heads[heads.indexOf("")] = left[0];
  const told = new Set(given).size === given.length && sorted(given) === sorted(heads);
  return told ? heads.map((head) => given.indexOf(head)) : names.map((_, place) => place);
}
