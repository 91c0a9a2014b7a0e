// The area below an answered item: the verdict, the candidate's own rating, the solution.
import { element, find, isEmpty, pieceOf } from "./elements.js";
import { rated } from "./judge.js";
import { isRight } from "./sitting.js";

const sayings = () => ({
  kind: say("That is another kind of quantity than the one that is asked."),
  rounded: say("Rounded too far: give more digits."),
  order: say("The numbers are right, their order is not."),
  unit: say("The number is right, its unit is not."),
  many: say("That is one too many."),
  few: say("That is one too few."),
});

function verdictWords(answer) {
  if (answer.own) return say("Compare your answer, and rate it.");
  if (answer.share >= 0.9999) return answer.rounded ? say("Right, but rounded.") : say("Right.");
  if (answer.share > 0) return say("Partly right.");
  return isEmpty(answer.response) ? say("Not known yet.") : say("Not right.");
}

export function showVerdict(card, answer) {
  const box = find("verdict");
  const right = isRight(answer, card.kind);
  box.className = "verdict" + (answer.own ? "" : right ? " right" : " wrong");
  const parts = [element("p", verdictWords(answer), "word")];
  if (answer.readAs) parts.push(element("p", say("Read as {0}.", answer.readAs)));
  if (answer.html) {
    const detail = element("div");
    detail.innerHTML = answer.html; // made and escaped by quizgen, which answered
    parts.push(detail);
  }
  if (answer.say) parts.push(element("p", sayings()[answer.say] || answer.say, "say"));
  const drawing = card.drawings[answer.drawing];
  if (drawing.answer && !right) parts.push(element("p", say("Right is {0}.", drawing.answer)));
  if (!right && !answer.own) parts.push(element("p", say("It comes back after some others."), "small"));
  box.replaceChildren(...parts);
  box.hidden = false;
}

// The criteria of a text for rating oneself; `rate` takes {criterion: 0, 0.5 or 1} and the resulting share.
export function showRating(card, answer, served, rate) {
  const box = find("rating");
  box.hidden = card.kind !== "text" || !answer.own;
  if (box.hidden) return;
  const about = served ? say("This is your own rating; the scorer reads the answer when quizgen is back.") : say("This is your own rating; the real scorer reads the answer once you save it and add it at your desk.");
  const ratings = { ...answer.self };
  const choose = (id, worth) => {
    ratings[id] = worth;
    rate({ ...ratings }, rated(card.criteria, card.full, ratings));
  };
  const rows = card.criteria.map((one, place) => criterionRow(one, place, ratings[one.id], choose));
  box.replaceChildren(box.querySelector("legend"), element("p", about, "small"), ...rows);
}

function criterionRow(criterion, place, rating, choose) {
  const row = element("div", undefined, "criterion");
  row.setAttribute("role", "radiogroup");
  const worth = criterion.points === 1 ? say("1 point") : say("{0} points", criterion.points);
  const text = element("p", criterion.say + " (" + worth + ")");
  text.id = "criterion-" + place;
  row.setAttribute("aria-labelledby", text.id);
  const steps = element("div", undefined, "steps-of");
  for (const [share, words] of [[1, say("said it")], [0.5, say("partly")], [0, say("not")]]) {
    const [label, input] = [element("label"), element("input")];
    input.type = "radio";
    input.name = "criterion-" + place;
    input.checked = rating === share;
    input.addEventListener("change", () => choose(criterion.id, share));
    label.append(input, element("span", words));
    steps.append(label);
  }
  row.append(text, steps);
  return row;
}

export function showSolution(card, index, answer) {
  const parts = card.kind === "text" && answer.own ? [element("h3", say("Your answer")), element("p", answer.response, "own")] : [];
  const body = pieceOf("s" + index + "-" + answer.drawing);
  if (card.kind === "choice") {
    const { options, keys } = card.drawings[answer.drawing];
    const taken = [].concat(answer.response).map((text) => options.indexOf(text));
    const table = body.querySelector("table.grid");
    table.classList.add("options-of");
    table.querySelectorAll("tbody tr").forEach((row, place) => {
      row.classList.toggle("taken", taken.includes(place));
      row.classList.toggle("key", keys.includes(place));
    });
  }
  find("solution").replaceChildren(...parts, body);
  find("solution").hidden = false;
}
