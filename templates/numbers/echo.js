// How a response reads where neither the unit that is asked nor a key is known: the exam form says so of what is typed.
import { AskAgain, formatOf, useTables } from "./tables.js";
import { isOne } from "./dims.js";
import { fold, root } from "./fold.js";
import { NUMBER, tokens, WORD } from "./tokens.js";
import { answerAsWritten, showNumber, showQuantity } from "./read.js";

// What an item's words allow in a response: `settings` as quizgen made them for the bank, `stem` the item's text.
export function echoFormat(settings, stem) {
  if (!settings.used) useTables(settings.tables);
  settings.used = true;
  const made = formatOf(settings.format, settings.lexicon);
  const rootsOf = (text) => new Set((text.toLowerCase().match(/\p{L}+(?:'[a-z]+)?/gu) || []).map(root));
  const asking = stem.split(/(?<=[.!?;])\s+/).filter((sentence) => sentence.trimEnd().endsWith("?")).join(" ");
  return { ...made, anyUnit: true, stem: { ...made.stem, known: rootsOf(stem), question: rootsOf((asking || stem) + " each"), singular: rootsOf(stem) } };
}

// {shown}, "12.5 GB"; {number, unit} where the number is followed by a word that is no unit known here; null where nothing
// is read for certain.
export function echoOf(text, expected) {
  try {
    const made = answerAsWritten(text, expected);
    if (made.word) return { shown: made.word };
    const shown = (value) => (made.unit && isOne(made.unit) ? showNumber(value) + "x" : showQuantity(value, made.unit || expected.unit, expected.plurals));
    return { shown: [made.value, made.other].filter(Boolean).map(shown).join(" / ") };
  } catch (error) {
    if (error instanceof AskAgain) return numberAlone(text);
    throw error;
  }
}

function numberAlone(text) {
  try {
    const [number, ...rest] = tokens(fold(text.trim()).trim());
    if (!number || number.kind !== NUMBER || !rest.length || !rest.every((token) => token.kind === WORD)) return null;
    return { number: showNumber(number.amount.value), unit: rest.map((token) => token.text).join(" ") };
  } catch (error) {
    if (error instanceof AskAgain) return null;
    throw error;
  }
}
