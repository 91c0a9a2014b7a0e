// The answer to the item on the screen, and the page's own verdict on it.
import { find } from "./elements.js";
import { judgeChoice, judgeNumber } from "./judge.js";
import { readResponse } from "./steps.js";
import { formatOf, useTables } from "../numbers/tables.js";

export const fields = () => [...find("stem").querySelectorAll("input, textarea")];

export function given(card, drawing) {
  if (card.kind !== "choice") return fields().length ? fields()[0].value : "";
  const taken = fields().flatMap((field, place) => (field.checked ? [drawing.options[place]] : []));
  return drawing.several ? taken : taken[0] || "";
}
export function write(card, drawing, response) {
  if (card.kind !== "choice") fields()[0].value = response;
  else fields().forEach((field, place) => { field.checked = [].concat(response).includes(drawing.options[place]); });
}

// Judges by the page's data; the tables of the number reader are built when the first number is read.
export class PageJudge {
  constructor({ lexicons, numbers }) {
    [this.lexicons, this.numbers, this.formats] = [lexicons, numbers, new Map()];
  }
  formatOf({ reader }) {
    if (!this.formats.size) useTables(this.numbers);
    if (!this.formats.has(reader)) this.formats.set(reader, formatOf(reader, this.lexicons[reader.lexicon]));
    return this.formats.get(reader);
  }

  // null: ask again
  verdict(card, drawing, response) {
    if (card.kind === "choice") {
      const chosen = [].concat(response).map((text) => drawing.options.indexOf(text));
      return judgeChoice(chosen, drawing.options.length, drawing.keys, card.policy);
    }
    if (card.kind === "numeric") return drawing.key && judgeNumber(response, this.formatOf(card), drawing.key, drawing.asked);
    return { share: 0, say: "", rounded: false, readAs: "", own: true };
  }

  // How a number reads, in words; empty if it cannot be read.
  echo(card, drawing, text) {
    if (card.kind !== "numeric" || card.reader.shape !== "number" || !text.trim()) return "";
    const readings = readResponse(text, this.formatOf(card), drawing.asked);
    return readings ? say("Read as {0}", [...new Set(readings.map((one) => one.word || one.shown))].join(say(" or "))) : "";
  }
}
