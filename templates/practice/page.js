// The practice page. What is kept is a list of events (sitting.js); every view is drawn from it.
import { judgeChoice, judgeNumber, rated } from "./judge.js";
import { readResponse } from "./steps.js";
import { formatOf, useTables } from "../numbers/tables.js";
import { isRight, missed, replay, rows, undone } from "./sitting.js";
import { asText, fileName, lines, nameOf } from "./log.js";

function practice() {
  const find = (id) => document.getElementById(id);
  const { head, cards, lexicons, numbers } = JSON.parse(find("data").textContent);
  const store = openStore("quizgen/practice/" + head.page);
  const hex = (bytes) => [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const fresh = () => ({ v: 1, revision: 0, session: hex(8), candidate: head.candidate, started: iso(Date.now()), ended: null, sent: [], events: [] });
  let kept = fresh();
  let state = replay(cards, []);
  let since = 0; // performance.now() from which time on the item counts; 0: none does
  let spent = 0; // seconds on the item before that
  let shown = ""; // which card in which drawing is on the screen

  const made = (tag, text, name) => {
    const node = document.createElement(tag);
    if (text !== undefined) node.textContent = text;
    if (name) node.className = name;
    return node;
  };
  const warnings = { kept: "", away: "" };
  const warn = (about, text) => {
    warnings[about] = text;
    const all = Object.values(warnings).filter(Boolean).join(" ");
    if (find("alert").textContent !== all) find("alert").textContent = all;
  };
  const announce = (text) => { find("announce").textContent = text; };
  const piece = (name) => {
    const template = find(name);
    return template ? template.content.cloneNode(true) : document.createDocumentFragment();
  };
  const current = () => (state.checked ? state.checked.card : state.queue[0]);
  const placeOf = (index) => state.cards[index].drawing % cards[index].drawings.length;
  const drawingOf = (index) => cards[index].drawings[placeOf(index)];

  // -- keeping ------------------------------------------------------------------------------
  function keep() {
    kept.revision += 1;
    store.save(kept, (safe) => {
      find("kept").textContent = safe ? "" : say("not kept");
      warn("kept", safe ? "" : say("This browser does not keep what you do here. Save your answers before you leave the page."));
    });
  }
  function happen(event) {
    kept.events.push({ at: iso(Date.now()), ...event });
    state = replay(cards, kept.events);
    if (state.ended && !kept.ended) kept.ended = iso(Date.now());
    keep();
  }
  function save() {
    const text = asText(lines(head, cards, kept));
    const file = new File([text], fileName(kept), { type: "application/x-ndjson" });
    const phone = matchMedia("(pointer: coarse)").matches;
    if (phone && navigator.canShare && navigator.canShare({ files: [file] })) {
      navigator.share({ files: [file] }).catch(() => download(file));
    } else download(file);
  }
  function download(file) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = file.name;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    announce(say("Saved as {0}. At your desk: {1}", file.name, "quizgen progress --add " + file.name));
  }

  // -- handing in, where quizgen serves the page -------------------------------------------
  let away = false; // quizgen did not answer the last time
  async function handIn(events, patience) {
    const last = events[events.length - 1];
    const rating = state.checked && state.checked.own && last.type !== "next" ? "response " + state.checked.id : "";
    const [first, ...rest] = lines(head, cards, { ...kept, events });
    const open = rest.filter((line) => !kept.sent.includes(nameOf(line)) && nameOf(line) !== rating);
    const answers = {};
    for (let from = 0; from < open.length; from += 100) {
      const part = [first, ...open.slice(from, from + 100)]; // a server that came back does not know the sitting
      const reply = await fetch("lines", { method: "POST", body: JSON.stringify(part), signal: AbortSignal.timeout(patience) });
      if (!reply.ok) throw new Error(await reply.text());
      const report = await reply.json();
      kept.sent.push(...report.kept);
      Object.assign(answers, report.verdicts);
      if (report.refused.length) throw new Error(report.refused[0]);
    }
    return answers;
  }
  function reached(yes, why) {
    if (away === !yes) return;
    away = !yes;
    warn("away", away ? say("quizgen does not answer{0}. Do not reload or close this page: it goes on by itself, and hands in what it kept when quizgen is back.", why) : "");
    if (!away) announce(say("quizgen is back; all is handed in."));
  }
  const reasonOf = (error) => (error instanceof TypeError || error.name === "TimeoutError" ? "" : " (" + error.message.trim() + ")");
  let handing = Promise.resolve();
  function handInLater() {
    if (!head.served || !kept.events.length) return;
    handing = handing.then(() => handIn(kept.events, 8000)).then(() => { reached(true); keep(); }, (error) => reached(false, reasonOf(error)));
  }

  // -- numbers, whose tables are made when the first one is read ---------------------------
  const formats = new Map();
  function formatAt(index) {
    if (!formats.size) useTables(numbers);
    if (!formats.has(index)) formats.set(index, formatOf(cards[index].reader, lexicons[cards[index].reader.lexicon]));
    return formats.get(index);
  }

  // -- the response -------------------------------------------------------------------------
  const fields = () => [...find("stem").querySelectorAll("input, textarea")];
  function response(index) {
    const drawing = drawingOf(index);
    if (cards[index].kind !== "choice") return fields().length ? fields()[0].value : "";
    const taken = fields().flatMap((field, place) => (field.checked ? [drawing.options[place]] : []));
    return drawing.several ? taken : taken[0] || "";
  }
  function write(index, given) {
    const drawing = drawingOf(index);
    if (cards[index].kind !== "choice") fields()[0].value = given;
    else fields().forEach((field, place) => { field.checked = [].concat(given).includes(drawing.options[place]); });
  }
  function verdictOf(index, given) {
    const card = cards[index];
    const drawing = drawingOf(index);
    if (card.kind === "choice") {
      const chosen = [].concat(given).map((text) => drawing.options.indexOf(text));
      return judgeChoice(chosen, drawing.options.length, drawing.keys, card.policy);
    }
    if (card.kind === "numeric") return drawing.key && judgeNumber(given, formatAt(index), drawing.key, drawing.asked);
    return { share: 0, say: "", rounded: false, readAs: "", own: true };
  }
  const isEmpty = (given) => !given.length || (typeof given === "string" && !given.trim());

  // -- an item ------------------------------------------------------------------------------
  function seconds() {
    const now = performance.now();
    if (since) spent += (now - since) / 1000;
    since = document.hidden ? 0 : now;
    return tenth(spent);
  }
  let checking = false;
  async function check(event) {
    event.preventDefault();
    if (state.checked || checking) return;
    const index = current();
    const given = response(index);
    if (isEmpty(given)) {
      find("echo").textContent = say("Give an answer first, or press 'Show me'.");
      return;
    }
    checking = true;
    const verdict = head.served && !away ? await served(index, given) : null;
    checking = false;
    const alone = verdict || verdictOf(index, given);
    if (!alone || alone.again) {
      find("echo").textContent = alone ? alone.again : how(cards[index]);
      fields()[0].focus();
      return;
    }
    answer(index, given, alone);
  }
  const given = (index, response, id) => ({
    type: "answer", at: iso(Date.now()), card: index, drawing: placeOf(index), response, seconds: seconds(), hints: state.cards[index].hints, id,
  });
  // The scorer's verdict; null where quizgen does not answer.
  async function served(index, response) {
    const event = given(index, response, hex(6));
    find("check").disabled = true;
    try {
      const report = await handIn([...kept.events, event], 4000);
      const verdict = report["response " + event.id];
      return verdict && { say: "", rounded: false, own: false, id: event.id, ...verdict };
    } catch (error) {
      reached(false, reasonOf(error));
      return null;
    } finally {
      find("check").disabled = false;
    }
  }
  function answer(index, response, verdict) {
    happen({
      ...given(index, response, verdict.id || hex(6)), share: verdict.share, say: verdict.say, rounded: verdict.rounded, readAs: verdict.readAs,
      own: verdict.own, html: verdict.html || "",
    });
    show();
    find("verdict").focus({ preventScroll: false });
  }
  const how = (card) => say("This cannot be read for certain. Write it like {0}.", card.reader.example);
  function echo() {
    const index = current();
    if (cards[index].kind !== "numeric" || cards[index].reader.shape !== "number" || state.checked) return;
    const text = fields()[0].value;
    const readings = text.trim() ? readResponse(text, formatAt(index), drawingOf(index).asked) : null;
    find("echo").textContent = readings ? say("Read as {0}", readings.map((one) => one.word || one.shown).filter((one, place, all) => all.indexOf(one) === place).join(say(" or "))) : "";
  }

  function verdictBox(answer, card) {
    const box = find("verdict");
    const words = answer.own ? say("Compare your answer, and rate it.") : answer.share >= 0.9999 ? (answer.rounded ? say("Right, but rounded.") : say("Right.")) : answer.share > 0 ? say("Partly right.") : isEmpty(answer.response) ? say("Not known yet.") : say("Not right.");
    const right = isRight(answer, card.kind);
    box.className = "verdict" + (answer.own ? "" : right ? " right" : " wrong");
    const rest = [];
    if (answer.readAs) rest.push(made("p", say("Read as {0}.", answer.readAs)));
    const sentences = { kind: say("That is another kind of quantity than the one that is asked."), rounded: say("Right as far as it goes, but rounded too far: give more digits."), order: say("The numbers are right, their order is not."), unit: say("The number is right, its unit is not."), many: say("That is one too many."), few: say("That is one too few.") };
    if (answer.html) {
      const detail = made("div");
      detail.innerHTML = answer.html; // made and escaped by quizgen, which answered
      rest.push(detail);
    }
    if (answer.say) rest.push(made("p", sentences[answer.say] || answer.say, "say"));
    const drawing = card.drawings[answer.drawing];
    if (drawing.answer && !right) rest.push(made("p", say("Right is {0}.", drawing.answer)));
    if (!right && !answer.own) rest.push(made("p", say("It comes back after some others."), "small"));
    box.replaceChildren(made("p", words, "word"), ...rest);
    box.hidden = false;
  }
  function rating(index, answer) {
    const card = cards[index];
    const box = find("rating");
    box.hidden = card.kind !== "text" || !answer.own;
    if (box.hidden) return;
    const legend = box.querySelector("legend");
    const ratings = answer.self || {};
    box.replaceChildren(legend, made("p", head.served ? say("This is your own rating; the scorer reads the answer when quizgen is back.") : say("This is your own rating; the real scorer reads the answer once you save it and add it at your desk."), "small"), ...card.criteria.map((one, place) => {
      const row = made("div", undefined, "criterion");
      row.setAttribute("role", "radiogroup");
      const text = made("p", one.say + " (" + (one.points === 1 ? say("1 point") : say("{0} points", one.points)) + ")");
      text.id = "criterion-" + place;
      row.setAttribute("aria-labelledby", text.id);
      const steps = made("div", undefined, "steps-of");
      for (const [worth, words] of [[1, say("said it")], [0.5, say("partly")], [0, say("not")]]) {
        const label = made("label");
        const input = made("input");
        input.type = "radio";
        input.name = "criterion-" + place;
        input.checked = ratings[one.id] === worth;
        input.addEventListener("change", () => {
          const self = { ...(state.checked.self || {}), [one.id]: worth };
          happen({ type: "self", card: index, id: answer.id, self, share: rated(card.criteria, card.full, self) });
        });
        label.append(input, made("span", words));
        steps.append(label);
      }
      row.append(text, steps);
      return row;
    }));
  }
  function solution(index, answer) {
    const box = find("solution");
    const card = cards[index];
    const parts = [];
    if (card.kind === "text" && answer.own) parts.push(made("h3", say("Your answer")), made("p", answer.response, "own"));
    const body = piece("s" + index + "-" + answer.drawing);
    if (card.kind === "choice") {
      const taken = [].concat(answer.response).map((text) => card.drawings[answer.drawing].options.indexOf(text));
      const table = body.querySelector("table.grid");
      table.classList.add("options-of");
      table.querySelectorAll("tbody tr").forEach((row, place) => row.classList.toggle("taken", taken.includes(place)));
    }
    box.replaceChildren(...parts, body);
    box.hidden = false;
  }
  function show(focus) {
    document.documentElement.dataset.view = state.ended ? "over" : "item";
    find("card").hidden = state.ended;
    find("end").hidden = !state.ended;
    find("finish").hidden = state.ended;
    const done = state.cards.filter((card) => card.tries.length).length;
    find("where").textContent = state.ended ? "" : say("{0} of {1} met, {2} to go", done, cards.length, state.queue.length);
    if (state.ended) {
      drawEnd();
      if (focus) find("end-title").focus();
      return;
    }
    const index = current();
    const card = cards[index];
    const checked = state.checked;
    const place = checked ? checked.drawing : placeOf(index);
    const name = index + "-" + place + "-" + state.cards[index].tries.length;
    if (shown !== name) {
      shown = name;
      spent = 0;
      since = document.hidden ? 0 : performance.now();
      find("stem").replaceChildren(piece("p" + index + "-" + place));
      fields().forEach((field) => field.addEventListener("input", echo));
    }
    find("echo").textContent = "";
    const again = state.cards[index].tries.length;
    find("card-title").textContent = again ? say("Item {0}, once more", index + 1) : say("Item {0}", index + 1);
    find("facts").textContent = [card.topic, say("about {0} s", card.seconds)].filter(Boolean).join(" · ");
    find("about").textContent = say("Item {0} of the bank {1}.", card.item, head.bank);
    const hints = state.cards[index].hints;
    find("hints").hidden = !hints;
    find("hints").replaceChildren(...card.hints.slice(0, hints).map((text) => made("li", text)));
    find("hint").hidden = Boolean(checked) || hints >= card.hints.length;
    find("hint").textContent = hints ? say("Next hint") : say("Hint");
    find("another").hidden = Boolean(checked) || card.drawings.length < 2 || !Object.keys(card.drawings[0].given).length;
    find("check").hidden = find("unknown").hidden = Boolean(checked);
    find("next").hidden = !checked;
    find("flag").setAttribute("aria-pressed", String(state.cards[index].flagged));
    find("undo").disabled = !kept.events.some((event) => event.type === "answer");
    fields().forEach((field) => { field.disabled = Boolean(checked); });
    if (checked) {
      write(index, checked.response);
      verdictBox(checked, card);
      solution(index, checked);
      rating(index, checked);
    } else {
      for (const part of ["verdict", "solution", "rating"]) find(part).hidden = true;
    }
    if (focus) {
      window.scrollTo(0, 0);
      find("card-title").focus({ preventScroll: true });
    }
  }
  function next() {
    happen({ type: "next" });
    handInLater();
    shown = "";
    show(true);
  }
  function unknown() {
    if (state.checked) return;
    answer(current(), "", { share: 0, say: "", rounded: false, readAs: "", own: false });
    handInLater();
  }

  // -- the end ------------------------------------------------------------------------------
  function drawEnd() {
    const met = state.cards.filter((card) => card.tries.length);
    const time = met.reduce((sum, card) => sum + card.seconds, 0);
    const again = missed(cards, state);
    find("end-summary").textContent = (met.length === 1 ? say("1 item in {0};", spoken(time)) : say("{0} items in {1};", met.length, spoken(time))) + " " + say("{0} right at once.", met.length - again.length);
    const table = (id, name) => find(id).querySelector("tbody").replaceChildren(...rows(cards, state, name).map((row) => {
      const line = made("tr");
      const label = made("th", row.label);
      label.scope = "row";
      line.append(label, ...[row.items, row.first, row.last, clockText(row.seconds)].map((value) => made("td", String(value), "number")));
      return line;
    }));
    table("by-topic", (card) => card.topic || say("no topic"));
    table("by-kind", (card) => ({ choice: say("choice"), numeric: say("number"), text: say("text") })[card.kind]);
    const topics = [...new Set(again.map((index) => cards[index].topic).filter(Boolean))];
    const next = head.served ? [say("Your answers are in your log; quizgen progress shows where you stand.")] : [say("Save your answers. At your desk, {0} puts them into your log, where the plan counts them.", "quizgen progress --add " + fileName(kept))];
    if (topics.length) next.push(say("Practise more of {0}: {1}", topics.slice(0, 3).join(", "), "quizgen practice " + head.bank + topics.slice(0, 3).map((topic) => " --topic " + topic).join("")));
    if (again.length) next.push(say("Read again what you missed, below."));
    find("what-next").replaceChildren(...next.map((text) => made("li", text)));
    find("missed").hidden = !again.length;
    find("missed-list").replaceChildren(...again.map((index) => {
      const tries = state.cards[index].tries;
      const box = made("div", undefined, "again-item");
      const details = made("details");
      const stem = piece("p" + index + "-" + tries[0].drawing);
      stem.querySelectorAll("fieldset, .response").forEach((part) => part.remove());
      details.append(made("summary", say("Item {0}", index + 1) + (cards[index].topic ? " · " + cards[index].topic : "")), stem);
      if (!isEmpty(tries[0].response)) details.append(made("p", say("Your first answer: {0}", [].concat(tries[0].response).join("; ")), "own"));
      details.append(piece("s" + index + "-" + tries[0].drawing));
      box.append(details);
      return box;
    }));
  }
  function finish() {
    if (state.checked) happen({ type: "next" });
    happen({ type: "finish" });
    handInLater();
    shown = "";
    show(true);
  }

  // -- hands --------------------------------------------------------------------------------
  const mark = (name, note) => {
    const index = current();
    happen({ type: "mark", card: index, mark: name, note, id: hex(6) });
    handInLater();
    announce(say("Noted."));
    shown = "";
    show(true);
  };
  const undo = () => {
    kept.events = undone(kept.events);
    kept.ended = null;
    state = replay(cards, kept.events);
    keep();
    shown = "";
    show(true);
  };
  const reset = () => {
    if (kept.events.length && !confirm(say("Begin anew? Save your answers before, if you want to keep them."))) return;
    const revision = kept.revision;
    kept = { ...fresh(), revision };
    state = replay(cards, []);
    keep();
    shown = "";
    show(true);
  };
  const on = (id, act) => find(id).addEventListener("click", act);
  find("answer").addEventListener("submit", check);
  on("next", next);
  on("unknown", unknown);
  on("finish", finish);
  on("hint", () => { happen({ type: "hint", card: current() }); show(); });
  on("another", () => { happen({ type: "another", card: current() }); shown = ""; show(true); });
  on("flag", () => { happen({ type: "flag", card: current() }); show(); });
  on("easy", () => mark("easy"));
  on("never", () => mark("never"));
  on("undo", undo);
  on("end-undo", undo);
  on("reset", reset);
  on("end-reset", reset);
  on("print", () => {
    document.querySelectorAll("#missed-list details").forEach((one) => { one.open = true; });
    print();
  });
  document.querySelectorAll(".save").forEach((button) => button.addEventListener("click", save));
  find("bad").addEventListener("submit", (event) => {
    event.preventDefault();
    mark("bad", find("bad-why").value.trim());
    find("bad-why").value = "";
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !state.ended) find(state.checked ? "next" : "check").click();
  });
  document.addEventListener("visibilitychange", seconds);

  if (head.app && "serviceWorker" in navigator && window.isSecureContext) navigator.serviceWorker.register("worker.js");
  if (head.served) setInterval(() => { if (away) handInLater(); }, 3000);

  const sound = (old) => old && old.v === 1 && typeof old.session === "string" && Array.isArray(old.events) && Array.isArray(old.sent) && Number.isFinite(old.revision)
    && old.events.every((event) => event && typeof event.type === "string" && (event.card === undefined || event.card in cards));
  store.load().then((old) => {
    if (sound(old)) {
      kept = old;
      state = replay(cards, kept.events);
      if (kept.events.length) announce(say("Taken up where you left it."));
    } else if (old) warn("kept", say("What was kept here cannot be read, so practice begins anew."));
    show();
    document.documentElement.dataset.ready = "true";
  });
}

practice();
