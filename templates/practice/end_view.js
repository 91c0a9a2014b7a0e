// The end page: topics and kinds, the time, the next steps, and the missed items to read again.
import { element, find, isEmpty, pieceOf } from "./elements.js";
import { missed, rows } from "./sitting.js";

export function showEnd(sitting) {
  const { cards, state } = sitting;
  const met = state.cards.filter((card) => card.tries.length);
  const time = met.reduce((sum, card) => sum + card.seconds, 0);
  const again = missed(cards, state);
  const items = met.length === 1 ? say("1 item in {0};", spoken(time)) : say("{0} items in {1};", met.length, spoken(time));
  find("end-summary").textContent = items + " " + say("{0} right at once.", met.length - again.length);
  showRows("by-topic", rows(cards, state, (card) => card.topic || say("no topic")));
  showRows("by-kind", rows(cards, state, (card) => ({ choice: say("choice"), numeric: say("number"), text: say("text") })[card.kind]));
  find("what-next").replaceChildren(...nextSteps(sitting, again).map((text) => element("li", text)));
  find("missed").hidden = !again.length;
  find("missed-list").replaceChildren(...again.map((index) => missedItem(cards[index], index, state.cards[index].tries[0])));
}

function showRows(id, made) {
  find(id).querySelector("tbody").replaceChildren(...made.map((row) => {
    const [line, label] = [element("tr"), element("th", row.label)];
    label.scope = "row";
    line.append(label, ...[row.items, row.first, row.last, clockText(Math.round(row.seconds))].map((value) => element("td", String(value), "number")));
    return line;
  }));
}

function nextSteps({ head, cards, fileName }, again) {
  const next = [head.served ? say("Your answers are in your log; quizgen progress shows where you stand.") : say("Save your answers. At your desk, {0} puts them into your log, where the plan counts them.", "quizgen progress --add " + fileName)];
  const topics = [...new Set(again.map((index) => cards[index].topic).filter(Boolean))].slice(0, 3);
  if (topics.length) next.push(say("Practise more of {0}: {1}", topics.join(", "), "quizgen practice " + (/[^\w@%+=:,./-]/.test(head.bank) ? "'" + head.bank.replaceAll("'", `'"'"'`) + "'" : head.bank) + topics.map((topic) => " --topic " + topic).join("")));
  if (again.length) next.push(say("Read again what you missed, below."));
  return next;
}

function missedItem(card, index, first) {
  const [box, details] = [element("div", undefined, "again-item"), element("details")];
  const stem = pieceOf("p" + index + "-" + first.drawing);
  stem.querySelectorAll("fieldset, .response").forEach((part) => part.remove());
  details.append(element("summary", say("Item {0}", index + 1) + (card.topic ? " · " + card.topic : "")), stem);
  if (!isEmpty(first.response)) details.append(element("p", say("Your first answer: {0}", [].concat(first.response).join("; ")), "own"));
  details.append(pieceOf("s" + index + "-" + first.drawing));
  box.append(details);
  return box;
}
