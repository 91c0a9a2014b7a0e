// Responses: the content of an item, the candidate's response, and the file for the examiner.
const inputs = (item) => Array.from(item.querySelectorAll("input, textarea:not(.working)"));
const working = (item) => item.querySelector("textarea.working");
const isChoice = (item) => item.querySelector("fieldset.options") !== null;

function readResponse(item) {
  if (isChoice(item)) return inputs(item).filter((i) => i.checked).map((i) => i.value);
  return inputs(item)[0].value;
}

function writeResponse(item, response) {
  for (const input of inputs(item)) {
    if (isChoice(item)) input.checked = response.includes(input.value);
    else input.value = response;
  }
}

const blankAnswer = (item) => ({
  response: isChoice(item) ? [] : "", seconds: 0, at: null, flagged: false, late: false, changes: 0,
});

const isGiven = (answer) =>
  Boolean(answer && (typeof answer.response === "string" ? answer.response.trim() : answer.response.length));

// The file contains only items that were shown: an item never reached is not a blank response.
function answersFile(about, items, state, saved) {
  const file = {
    v: 1, type: "answers", edition: about.edition, form: about.form, number: about.number ? Number(about.number) : null,
    candidate: state.candidate || state.name, name: state.name, started: iso(state.started),
    finished: iso(state.finished), deadline: iso(state.deadline), minutes: state.minutes, extra: state.extra,
    late_seconds: state.lateSeconds, open_seconds: tenth((state.open || 0) / 1000), saved: iso(saved), revision: state.revision,
    responses: items
      .filter((item) => state.responses[item.dataset.ref])
      .map((item) => [item.dataset.ref, state.responses[item.dataset.ref]])
      .map(([ref, { touched, ...answer }]) => ({ item: ref, ...answer, seconds: tenth(answer.seconds) })),
    events: state.events,
  };
  file.checksum = "sha256:" + sha256(canonical(file));
  return file;
}

// Ten characters for a candidate to note down: they change if a response changes.
function receiptOf(about, items, state) {
  const responses = answersFile(about, items, state, state.finished).responses;
  return sha256(canonical({ form: about.form, responses })).slice(0, 10).toUpperCase();
}

// A name for the file: "answers-A-S123.json". ASCII only, because a system without a locale drops other characters.
// A name entirely in another script becomes the number on the roster, or a code of the name.
function answersName(about, state) {
  const given = state.candidate || state.name;
  const plain = given.normalize("NFKD").replace(/\p{M}+/gu, "").replace(/[^A-Za-z0-9-]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 40);
  const code = given ? sha256(canonical(given)).slice(0, 6).toUpperCase() : about.form;
  return "answers-" + about.label + "-" + (plain || about.number || code) + ".json";
}
