// One spelling for what looks the same, and words by the root that their forms share: quizgen/numbers/tokens.py and words.py.
import { known } from "./tables.js";

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻";
const RAISED_RUN = new RegExp("[" + RAISED + "]+", "g");
const MIXED = /(\p{Nd}) ?([½⅓⅔¼¾])/gu; // 2½ h
const POINT = /(?<=\p{Nd})·(?=\p{Nd})(?!10(?:\^|\*\*))/u;
const PER_PERIOD = /\bp\. ?([am])\b\.?/g; // p.a., p.m.
const NO_SIGN = /[\p{Cf}\p{So}\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]/u;
const isAscii = (text) => !/[^\x00-\x7f]/.test(text);

export function fold(text) {
  if (!isAscii(text) || /[{}`\t\n\r\v\f]/.test(text)) {
    text = text.replace(RAISED_RUN, (run) => "^" + [...run].map((char) => "0123456789+-"[RAISED.indexOf(char)]).join(""));
    text = text.replace(MIXED, (_, whole, part) => `(${whole}+${known.PLAIN.get(part)})`);
    if (text.split("·").length === 2 && POINT.test(text)) text = text.replace("·", "\0"); // kept apart from a product until here
    text = [...text].map(plainOf).join("").replaceAll("\0", "·");
  }
  return text.replace(PER_PERIOD, (_, period) => (period === "a" ? "per annum" : "per month"));
}

function plainOf(char) {
  if (char === "·") return "*";
  const alike = known.PLAIN.get(char);
  if (alike || (char >= "!" && char <= "~") || char === "\0") return alike || char;
  const plain = char.normalize("NFKC");
  if (NO_SIGN.test(char)) return isAscii(plain) ? plain : "";
  if (/\p{No}/u.test(char)) return char; // ⅞ is no 7/8 behind a digit
  return /\p{Nd}/u.test(char) ? digitOf(plain) : plain;
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

// Whether the words of a phrase stand in a text of roots with a blank at both ends.
export const phraseIn = (phrase, padded) => padded.includes(` ${wordsOf(phrase).map(root).join(" ")} `);
export const wordsOf = (text) => text.split(/\s+/).filter(Boolean);
