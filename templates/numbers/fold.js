// One spelling for what looks the same, and words by the root that their forms share: quizgen/numbers/tokens.py and words.py.
import { known } from "./tables.js";

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻";
const RAISED_RUN = new RegExp("[" + RAISED + "]+", "g");
const isAscii = (text) => !/[^\x00-\x7f]/.test(text);

export function fold(text) {
  if (isAscii(text)) return text;
  text = text.replace(RAISED_RUN, (run) => "^" + [...run].map((char) => "0123456789+-"[RAISED.indexOf(char)]).join(""));
  return [...text].map(plainOf).join("");
}

function plainOf(char) {
  const alike = known.PLAIN.get(char);
  if (alike || (char >= "!" && char <= "~") || char === "·" || /\p{No}/u.test(char)) return alike || char; // ⅞ is no 7/8 behind a digit
  if (/\p{Cf}/u.test(char)) return ""; // zero-width and direction marks
  return /\p{Nd}/u.test(char) ? digitOf(char.normalize("NFKC")) : char.normalize("NFKC");
}

// The digits of a script follow each other, ten in a row.
function digitOf(char) {
  let value = 0;
  if (char >= "0" && char <= "9") return char;
  while (/\p{Nd}/u.test(String.fromCodePoint(char.codePointAt(0) - value - 1))) value += 1;
  return String(value % 10);
}

const ENDING = /(?:'s|ings?|able|ions?|(?<!e)ed|es|e|(?<!s)s)$/;

// The part that forms of a word share: `miss` of misses and missing; all of a short word.
export function root(word) {
  const low = word.toLowerCase().replace(/'s$/, "");
  if (low.length < 4) return low;
  return low.endsWith("ies") ? low.slice(0, -3) + "y" : low.replace(ENDING, "");
}

export const wordsOf = (text) => text.split(/\s+/).filter(Boolean);
