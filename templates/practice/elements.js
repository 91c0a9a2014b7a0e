// The parts of the page that every view uses.
export const find = (id) => document.getElementById(id);

export function element(tag, text, name) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (name) made.className = name;
  return made;
}

// A text that quizgen made and escaped: `p3-0` is the prompt of card 3 in its first drawing, `s3-0` its
// solution. It becomes elements when it is shown, so that the first card does not wait for the others.
let textPieces = null;
export function pieceOf(name) {
  textPieces = textPieces || JSON.parse(find("pieces").textContent);
  const template = document.createElement("template");
  template.innerHTML = textPieces[name] || "";
  return template.content;
}

export function announce(text) {
  find("announce").textContent = text;
}

const warnings = { kept: "", away: "" };
export function warn(about, text) {
  warnings[about] = text;
  const all = Object.values(warnings).filter(Boolean).join(" ");
  if (find("alert").textContent !== all) find("alert").textContent = all;
}

export const isEmpty = (given) => !given.length || (typeof given === "string" && !given.trim());
export const hex = (bytes) => [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
